"""Take a model out of a workspace, with all that it needs to translate and all that has to go
with it."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.exported import ExportedModel, write_export
from storage.ledger import LedgerRecord
from storage.registry import ModelEntry
from storage.workspace import Workspace
from tasks.audit_models import licences_of
from tasks.report import card_file
from tasks.report_tables import Origins, facts_of
from tasks.reports.attribution import attribution
from tasks.reports.evaluation_data import EvaluationData
from tasks.reports.model_card import model_card

CARD, LICENCES, ATTRIBUTION, README = (
    "model-card.md",
    "licences.json",
    "attribution.md",
    "README.md",
)
_README = """\
# A translation model

Made by phrasenet, Chinese to English. Where phrasenet is installed, this folder translates without
anything else:

    phrasenet translate --model FOLDER sentences.zh > sentences.en

`phrasenet-model.json` names every file with its digest; they are checked each time. `models/` holds
the network and the words that it knows, `warehouse/` the phrases that are offered to it.
`model-card.md` says what the model was made from and how well it does, `licences.json` and
`attribution.md` whom to name. Pass all of it on together.
"""


def export_model(
    workspace: Workspace, entry: ModelEntry, folder: Path, settings: Mapping[str, Any]
) -> ExportedModel:
    """Write a model and the current phrase memory to a new folder.

    Args:
        workspace: where they are.
        entry: the model.
        folder: absent or empty, outside of the workspace.
        settings: how sentences are tagged and translated, as plain JSON.

    Raises:
        InputError: the model or the memory is damaged, or the folder is in use.
    """
    head = workspace.memory.head()
    exported = ExportedModel(
        system=entry.system,
        model=entry.ref,
        memory=head.tables if head is not None else (),
        settings=settings,
        about={
            "registered": entry.registered,
            "training": entry.run_key,
            "trained_on_snapshot": entry.snapshot_id,
            "snapshot": head.snapshot_id if head is not None else "",
        },
    )
    for ref in exported.refs:
        broken = workspace.why_broken(ref)
        if broken is not None:
            raise InputError(f"Nothing was exported: {broken}. Run `phrasenet run` to mend it.")
    write_export(folder, workspace, exported, _files(workspace, entry))
    return exported


def _files(workspace: Workspace, entry: ModelEntry) -> dict[str, bytes]:
    """Return the files for people, by name."""
    verdict = licences_of(entry)
    licences = {
        "sources": [asdict(item) for item in entry.licences],
        "go_together": verdict.go_together,
        **asdict(verdict),
    }
    return {
        README: _README.encode(),
        CARD: _card(workspace, entry).encode(),
        LICENCES: json.dumps(licences, indent=1, ensure_ascii=False).encode() + b"\n",
        ATTRIBUTION: attribution(entry.licences).encode(),
    }


def _card(workspace: Workspace, entry: ModelEntry) -> str:
    """Return the card of the newest report about a model; without one, a card without scores."""
    for record in workspace.ledger.newest_first():
        found = _card_in(workspace, entry, record)
        if found is not None:
            return found
    origins = Origins(workspace.ledger)
    outputs = origins.run(entry.ref).get("outputs", ())
    logs = [ArtifactRef.from_json(item) for item in outputs if item["kind"] == "training_log"]
    refs = {"model": entry.ref, **({"log": logs[0]} if logs and workspace.holds(logs[0]) else {})}
    facts = facts_of(workspace, origins, entry.system, refs)
    data = EvaluationData(title="without an evaluation", baseline="", systems=[facts], scores=[])
    return model_card(facts, data, entry.licences)


def _card_in(workspace: Workspace, entry: ModelEntry, record: LedgerRecord) -> str | None:
    if record.kind != "run" or record.body["step"] != "report":
        return None
    for value in record.body["outputs"]:
        ref = ArtifactRef.from_json(value)
        path = workspace.folder_of(ref) / card_file(entry.system)
        if path.is_file():
            text = path.read_text("utf-8")
            if f"Model `{entry.model_id}`" in text:
                return text
    return None
