"""The ledger as OpenLineage: valid events, to a file and to a real server."""

import json
import os
import shutil
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import jsonschema
import pytest

from storage.column_origins import COLUMN_ORIGINS
from storage.ledger import Ledger
from storage.schemas import SCHEMAS
from tests.conftest import Command
from tests.support import ROOT

FACETS = ROOT / "docs" / "openlineage"
STANDARD = os.environ.get("OPENLINEAGE_SPEC", "")
"""A checkout of the standard's `spec` folder, to hold events to its own schemas."""


@pytest.fixture
def asked(evaluated_tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(evaluated_tiny)
    return evaluated_tiny


@pytest.fixture
def exported(asked: Path, tmp_path: Path, phrasenet: Command) -> list[dict[str, Any]]:
    path = tmp_path / "events.jsonl"
    answer = phrasenet("audit", "export", str(path), "--owner", "Data team", "--json")
    assert answer.code == 0, answer.err
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert json.loads(answer.out)["events"] == len(found)
    return found


def facets_of(event: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every facet of an event with its name."""
    yield from event["run"]["facets"].items()
    yield from event["job"]["facets"].items()
    for dataset in (*event["inputs"], *event["outputs"]):
        for part in ("facets", "inputFacets", "outputFacets"):
            yield from dataset.get(part, {}).items()


def test_every_run_starts_and_completes_with_inputs_and_outputs_in_both(
    exported: list[dict[str, Any]],
) -> None:
    runs: dict[str, list[dict[str, Any]]] = {}
    for event in exported:
        runs.setdefault(event["run"]["runId"], []).append(event)
    for start, complete in runs.values():
        assert (start["eventType"], complete["eventType"]) == ("START", "COMPLETE")
        assert start["eventTime"] <= complete["eventTime"]
        assert start["inputs"] == complete["inputs"]
        assert start["outputs"] == complete["outputs"] != []
    assert len(runs) > 50


def test_what_one_run_writes_another_reads_under_the_same_name(
    exported: list[dict[str, Any]],
) -> None:
    written = {
        (item["name"], item["facets"]["version"]["datasetVersion"])
        for event in exported
        for item in event["outputs"]
    }
    read = {
        (item["name"], item["facets"]["version"]["datasetVersion"])
        for event in exported
        for item in event["inputs"]
        if item["namespace"] != "file"
    }
    assert read <= written
    files = [i["name"] for e in exported for i in e["inputs"] if i["namespace"] == "file"]
    assert set(files) == {"ingest tiny", "dictionary terms", "testset tiny-test"}


def test_our_own_facets_fit_their_published_schemas(exported: list[dict[str, Any]]) -> None:
    schemas = {
        value["$id"]: value
        for path in FACETS.glob("*.json")
        for value in [json.loads(path.read_text(encoding="utf-8"))]
    }
    seen: Counter[str] = Counter()
    for event in exported:
        for name, facet in facets_of(event):
            if name.startswith("phrasenet_"):
                jsonschema.validate(facet, schemas[facet["_schemaURL"]])
                seen[name] += 1
    assert set(seen) == {
        "phrasenet_code",
        "phrasenet_licence",
        "phrasenet_phrases",
        "phrasenet_reuse",
    }


def test_columns_lead_to_columns_that_are_there(exported: list[dict[str, Any]]) -> None:
    for kind, origins in COLUMN_ORIGINS.items():
        names = set(SCHEMAS[kind].columns.names)
        assert set(origins) <= names, kind
        for sources in origins.values():
            for source, column, _ in sources:
                assert column in SCHEMAS[source].columns.names, (kind, source, column)
    (phrases,) = [
        item["facets"]["columnLineage"]["fields"]["source"]
        for event in exported
        for item in event["outputs"]
        if item["name"] == "collect/phrases" and event["eventType"] == "COMPLETE"
    ]
    assert {item["name"] for item in phrases["inputFields"]} == {
        "select/candidates",
        "settle 1/2/phrases",
        "settle 2/2/phrases",
    }


def test_events_say_whose_they_are_and_hold_no_text_of_the_data(
    exported: list[dict[str, Any]],
) -> None:
    for event in exported:
        assert event["job"]["facets"]["ownership"]["owners"] == [
            {"name": "Data team", "type": "MAINTAINER"}
        ]
    assert "中央银行" not in json.dumps(exported, ensure_ascii=False)


@pytest.mark.skipif(not STANDARD, reason="OPENLINEAGE_SPEC names no copy of the standard")
def test_events_fit_the_schemas_of_the_standard(exported: list[dict[str, Any]]) -> None:
    folder = Path(STANDARD)
    main = json.loads((folder / "OpenLineage.json").read_text(encoding="utf-8"))
    for event in exported:
        jsonschema.validate(event, main)


class _Receiver(BaseHTTPRequestHandler):
    received: ClassVar[list[dict[str, Any]]] = []
    answer: ClassVar[int] = 201

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.received.append(json.loads(self.rfile.read(length)))
        self.send_response(self.answer)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    _Receiver.received.clear()
    _Receiver.answer = 201
    made = HTTPServer(("127.0.0.1", 0), _Receiver)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_port}"
    made.shutdown()
    made.server_close()


def test_a_server_gets_the_same_events(
    exported: list[dict[str, Any]], server: str, phrasenet: Command
) -> None:
    answer = phrasenet("audit", "export", "--url", server, "--owner", "Data team", "--json")
    assert answer.code == 0, answer.err
    assert _Receiver.received == exported
    following = json.loads(answer.out)["next"]
    again = phrasenet("audit", "export", "--url", server, "--since", str(following), "--json")
    assert json.loads(again.out)["events"] == 0
    _Receiver.answer = 500
    refused = phrasenet("audit", "export", "--url", server)
    assert refused.code == 2
    assert "took 0 events and then failed" in refused.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "one of the two"),
        (["x.jsonl", "--url", "http://localhost:1"], "one of the two"),
        (["--url", "localhost:1"], "expected the address of a server"),
        (["--url", "http://127.0.0.1:9"], "took 0 events"),
    ],
)
@pytest.mark.usefixtures("asked")
def test_odd_requests_are_told(arguments: list[str], message: str, phrasenet: Command) -> None:
    answer = phrasenet("audit", "export", *arguments)
    assert answer.code == 2
    assert message in answer.err


def test_flows_are_parents_and_end_as_they_did(
    asked: Path, tmp_path: Path, phrasenet: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(asked, tmp_path / "tiny"))
    monkeypatch.chdir(folder)
    ledger = Ledger(folder / "workspace")
    key = next(record.body["key"] for record in ledger.records() if record.kind == "run")
    for number, outcome in enumerate(("completed", "failed", None, "stopped")):
        flow = {"flow": "phrasenet-run", "flow_run": str(number), "versions": {"prefect": "3"}}
        ledger.append("flow", flow)
        body = {"step": "dictionary", "label": "dictionary terms", "key": key}
        ledger.append("reuse", {**body, "flow_run": str(number)})
        if outcome is not None:
            ledger.append("end", {"flow_run": str(number), "outcome": outcome, "error": "OSError"})
    since = str(len(list(ledger.records())) - 11)
    assert phrasenet("audit", "export", "e.jsonl", "--since", since).code == 0
    found = [json.loads(line) for line in Path("e.jsonl").read_text().splitlines()]
    flows = [e["eventType"] for e in found if e["job"]["name"] == "phrasenet-run"]
    assert flows == ["START", "COMPLETE", "START", "FAIL", "START", "ABORT", "START", "ABORT"]
    steps = [event for event in found if event["job"]["name"] == "dictionary terms"]
    assert len(steps) == 8
    for step in steps:
        assert step["run"]["facets"]["phrasenet_reuse"]["reused"] is True
        assert step["run"]["facets"]["parent"]["job"]["name"] == "phrasenet-run"
