"""Translations that users made, kept as a result like any other: with the model, the snapshot, the
slots and their use, so that an audit reaches them."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from model.config import DecodingConfig
from storage.datasets import ArtifactRef
from storage.moments import this_moment
from storage.records import make_id
from storage.schemas import SCHEMAS
from storage.workspace import Workspace
from tasks import usage
from tasks.arguments import as_json
from tasks.pending_records import TRANSLATED, say
from tasks.translate import translate

KIND = "translations"
_BATCH_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Asked:
    """What translated for a user."""

    models: tuple[ArtifactRef, ...]
    memory: tuple[ArtifactRef, ...]
    """The tables of the snapshot that phrases were offered from."""
    decoding: DecodingConfig
    averaged: bool


def record_translations(
    workspace: Workspace, asked: Asked, rows: Sequence[Mapping[str, Any]]
) -> tuple[str, bool]:
    """Keep translations of lines.

    Args:
        workspace: where they are kept; the caller does not hold its lease.
        asked: what made them.
        rows: rows of a `translations` table, in the order of the lines.

    Returns:
        The name of the batch, with which the ids of its sentences begin, and whether its record is
        in the ledger already: if another process holds the workspace, it will be taken in later.
    """
    now = this_moment("milliseconds")
    key = make_id("asked", now, secrets.token_hex())
    batch = f"user-{key[:_BATCH_DIGITS]}"
    named = ({**row, "sentence_id": f"{batch}:{n:08d}"} for n, row in enumerate(rows))
    table = workspace.write_rows(KIND, named, reproducibility="none")
    code = translate.fingerprint()
    workspace.ledger.keep_code(code.digest, code.functions)
    body = {
        "step": translate.name,
        "label": f"{translate.name} {batch}",
        "key": key,
        TRANSLATED: True,
        "code": code.digest,
        "settings": {
            "decoding": as_json("decoding", asked.decoding),
            "averaged": asked.averaged,
        },
        "inputs": {
            "model": as_json("model", list(asked.models)),
            "memory": as_json("memory", list(asked.memory)),
        },
        "versions": dict(code.libraries),
        "schemas": {KIND: SCHEMAS[KIND].version},
        "outputs": [table.to_json()],
        "flow_run": "",
        "started": now,
        "seconds": 0.0,
        "machine": usage.machine(),
        "healed": False,
    }
    return batch, say(workspace, "run", body)
