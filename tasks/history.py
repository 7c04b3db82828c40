"""What the ledger knows about earlier calls of steps, and why a call has to be computed again."""

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from storage.ledger import Ledger, LedgerRecord

ACCEPT = "accept-unchanged"
"""The decision of a person that a change of a step's code does not matter."""


@dataclass(slots=True)
class History:
    """The newest `run` record of each call, by its label, and the keys that were ever computed."""

    ledger: Ledger
    last_by_label: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)

    @staticmethod
    def of(ledger: Ledger, *, until: datetime.datetime | None = None) -> "History":
        """Read the ledger once.

        What a backfill did counts as computed, but not as the last call of its label: the next
        refresh goes on from the one before.

        Args:
            ledger: the ledger.
            until: leave out the labels of what was recorded later.
        """
        history, backfills = History(ledger), set[str]()
        runs: dict[str, Mapping[str, Any]] = {}
        for record in ledger.records():
            body = record.body
            if record.kind == "flow" and body.get("as_of"):
                backfills.add(body["flow_run"])
            if record.kind == "run":
                runs[body["key"]] = body
                history.keys.add(body["key"])
            is_late = until is not None and datetime.datetime.fromisoformat(record.time) > until
            if record.kind == "decision" and body.get("decision") == ACCEPT and not is_late:
                history.note_accepted(runs, record)
            if record.kind not in ("run", "reuse") or is_late or body.get("flow_run") in backfills:
                continue
            if body["key"] in runs:
                history.last_by_label[body["label"]] = runs[body["key"]]
        return history

    def note_accepted(self, runs: dict[str, Mapping[str, Any]], record: LedgerRecord) -> None:
        """Let runs count under the code of a later day, as a person decided.

        Args:
            runs: `run` records by key; those that count now are added.
            record: the decision.
        """
        about = {name: record.body[name] for name in ("author", "reason")}
        for call in record.body["calls"]:
            if call["of"] in runs:
                runs[call["key"]] = {
                    **runs[call["of"]],
                    "key": call["key"],
                    "code": call["code"],
                    "accepted_of": call["of"],
                    "accepted": {**about, "time": record.time, "record": record.sequence},
                }
                self.keys.add(call["key"])
                self.last_by_label[call["label"]] = runs[call["key"]]

    def note(self, body: Mapping[str, Any]) -> None:
        """Take a `run` record into account."""
        self.keys.add(body["key"])
        self.last_by_label[body["label"]] = body


def why_changed(
    before: Mapping[str, Any],
    now: Mapping[str, Any],
    functions_before: Mapping[str, str],
    functions_now: Mapping[str, str],
) -> list[str]:
    """Name each function, setting, input, library and schema in which two calls of a step differ.

    Args:
        before: facts of the earlier call, as `StepCall.facts` gives them.
        now: facts of the call to be explained.
        functions_before: `module:definition` to digest, as kept beside the earlier code digest.
        functions_now: the same for today's code.
    """
    reasons: list[str] = []
    if before["code"] != now["code"]:
        named = list(_differences("function", functions_before, functions_now))
        reasons += named or ["code: the step's code changed"]
    for part, word in (
        ("settings", "setting"),
        ("inputs", "input"),
        ("versions", "library"),
        ("schemas", "schema"),
    ):
        reasons += _differences(word, _flat(before[part]), _flat(now[part]))
    return reasons


def _flat(value: Any, prefix: str = "") -> dict[str, Any]:
    """Flatten nested JSON to dotted names, keeping a reference to an artifact in one piece."""
    if isinstance(value, Mapping):
        if set(value) == {"artifact"}:
            return {prefix: f"{value['artifact']['kind']} {value['artifact']['digest'][:12]}"}
        items = [(f"{prefix}.{key}" if prefix else key, item) for key, item in value.items()]
    elif isinstance(value, list):
        items = [(f"{prefix}[{index}]", item) for index, item in enumerate(value)]
    else:
        return {prefix: value}
    return {name: leaf for key, item in items for name, leaf in _flat(item, key).items()}


def _differences(word: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted(before.keys() | now.keys()):
        if name not in now:
            yield f"{word} {name} is no longer there"
        elif name not in before:
            yield f"{word} {name} is new" + ("" if word == "function" else f": {now[name]}")
        elif before[name] != now[name]:
            change = "changed" if word == "function" else f"was {before[name]}, is {now[name]}"
            yield f"{word} {name} {change}"
