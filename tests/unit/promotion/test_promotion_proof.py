"""The proof that a test set was held out, on ledgers written by hand."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from storage.datasets import ArtifactRef
from storage.lineage import lineage_of
from storage.registry import ModelEntry
from storage.workspace import Workspace
from tasks.promote_proof import why_not_held_out


def ref(kind: str, name: str) -> ArtifactRef:
    return ArtifactRef(kind, name.ljust(32, "0"), 1)


NEWS, LAWS = ref("test_lines", "aa"), ref("test_lines", "bb")
WORDS = ref("words", "ab")
RAW, QUALITY, VERDICTS = ref("raw_pairs", "c"), ref("quality", "d"), ref("verdicts", "e")
PAIRS, TAGGED, MODEL = ref("pairs", "f"), ref("tagged", "1"), ref("model", "2")
ALIGNER, REPEATS = ref("aligner", "3"), ref("repeats", "4")


def run(
    workspace: Workspace,
    step: str,
    inputs: Mapping[str, Any],
    outputs: Sequence[ArtifactRef],
    config: Mapping[str, Any] | None = None,
) -> None:
    """Record a run as a driver does."""
    number = sum(1 for _ in workspace.ledger.records())

    def as_json(value: Any) -> Any:
        if isinstance(value, ArtifactRef):
            return {"artifact": value.to_json()}
        return [as_json(item) for item in value]

    workspace.ledger.append(
        "run",
        {
            "step": step,
            "label": f"{step} {number}",
            "key": f"key{number}",
            "inputs": {name: as_json(value) for name, value in inputs.items()},
            "settings": {"config": dict(config or {})},
            "outputs": [item.to_json() for item in outputs],
            "flow_run": "",
        },
    )


def train(
    workspace: Workspace, held_out: Sequence[ArtifactRef], decontaminate: str = "run"
) -> ModelEntry:
    """Record all that stands behind a model; the step before the last changes nothing."""
    run(
        workspace,
        "quality",
        {"shard": [RAW], "held_out": [[h, WORDS] for h in held_out]},
        [QUALITY],
    )
    run(workspace, "judge", {"quality": QUALITY}, [VERDICTS], {"decontaminate": decontaminate})
    run(workspace, "repeats", {"verdicts": [VERDICTS]}, [REPEATS])
    tables = {"words": WORDS, "verdicts": VERDICTS, "repeated": REPEATS}
    run(workspace, "clean", tables, [PAIRS])
    # What trained the aligner long ago was never searched; it teaches no sentence.
    run(workspace, "quality", {"held_out": []}, [ref("quality", "98")])
    run(workspace, "clean", {"quality": ref("quality", "98")}, [ref("pairs", "99")])
    run(workspace, "aligner", {"pairs": [ref("pairs", "99")]}, [ALIGNER])
    run(workspace, "linked", {"pairs": PAIRS, "aligner": ALIGNER}, [PAIRS])
    run(workspace, "tag", {"shard": [PAIRS]}, [TAGGED])
    run(workspace, "train", {"tagged": [TAGGED]}, [MODEL])
    return ModelEntry(MODEL.digest, 1, "rnnsearch", "", key_of_last(workspace), "")


def key_of_last(workspace: Workspace) -> str:
    return str(list(workspace.ledger.records())[-1].body["key"])


def missing(workspace: Workspace, entry: ModelEntry, lines: ArtifactRef = NEWS) -> str:
    return why_not_held_out(lineage_of(workspace), entry, "news", lines)


def test_what_was_searched_for_and_left_out_is_proven(workspace: Workspace) -> None:
    entry = train(workspace, [NEWS, LAWS])
    assert missing(workspace, entry) == missing(workspace, entry, LAWS) == ""


def test_a_test_set_that_nobody_searched_for_is_not_proven(workspace: Workspace) -> None:
    entry = train(workspace, [LAWS])
    assert missing(workspace, entry).startswith("quality 0 was not searched for the sentences of")


def test_a_later_search_with_the_same_outcome_is_enough(workspace: Workspace) -> None:
    entry = train(workspace, [LAWS])
    run(
        workspace,
        "quality",
        {"shard": [RAW], "held_out": [[LAWS, WORDS], [NEWS, WORDS]]},
        [QUALITY],
    )
    assert missing(workspace, entry) == ""


def test_what_was_found_must_be_left_out(workspace: Workspace) -> None:
    assert missing(workspace, train(workspace, [NEWS], "off")).startswith(
        "judge 1 was not searched"
    )


@pytest.mark.parametrize("shards", [2, 3])
def test_every_shard_must_be_searched(workspace: Workspace, shards: int) -> None:
    tagged = []
    for shard in range(shards):
        names = [ref(kind, f"{number}{shard}") for number, kind in
                 enumerate(("quality", "verdicts", "pairs", "tagged"), start=4)]  # fmt: skip
        held_out = [[NEWS, WORDS]] if shard else []
        run(workspace, "quality", {"held_out": held_out}, names[:1])
        run(workspace, "judge", {"quality": names[0]}, names[1:2], {"decontaminate": "whole"})
        run(workspace, "clean", {"verdicts": names[1]}, names[2:3])
        run(workspace, "tag", {"shard": [names[2]]}, names[3:])
        tagged.append(names[3])
    run(workspace, "train", {"tagged": tagged}, [MODEL])
    entry = ModelEntry(MODEL.digest, 1, "rnnsearch", "", key_of_last(workspace), "")
    assert missing(workspace, entry).startswith("quality 0 was not searched")


def test_without_a_record_nothing_is_proven(workspace: Workspace) -> None:
    entry = train(workspace, [NEWS])
    lost = ModelEntry(MODEL.digest, 1, "rnnsearch", "", "another key", "")
    assert "no record of its training" in missing(workspace, lost)
    assert missing(workspace, entry) == ""
    run(workspace, "train", {"tagged": [ref("tagged", "77")]}, [ref("model", "78")])
    other = ModelEntry("78".ljust(32, "0"), 1, "rnnsearch", "", key_of_last(workspace), "")
    assert "does not say that its training text was searched" in missing(workspace, other)
