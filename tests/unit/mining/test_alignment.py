"""Word alignment: what is linked, what is not, and that nothing but the text decides."""

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from storage.errors import ConfigError, InputError
from tasks.mining.alignment import Aligner, align, count_unaligned, why_unaligned
from tasks.mining.alignment_config import AlignmentConfig, Engine, Heuristic
from tasks.mining.config import ExtractionConfig, MemoryConfig

CONFIG = AlignmentConfig(max_words=8, engine="joint-hmm")
WORDS = {"我": "i", "你": "you", "他": "he", "看": "read", "买": "bought", "写": "wrote"} | {
    "书": "books",
    "信": "letters",
    "报": "papers",
    "昨天": "yesterday",
    "也": "also",
}


def toy_pairs(number: int = 150) -> list[tuple[list[str], list[str]]]:
    """Sentences whose adverb stands before the verb in one language and last in the other."""
    chance = random.Random(3)
    pairs = []
    for _ in range(number):
        subject, verb = chance.choice("我你他"), chance.choice("看买写")
        adverb, noun = chance.choice(["昨天", "也"]), chance.choice("书信报")
        target = [WORDS[word] for word in (subject, verb, noun, adverb)]
        pairs.append(([subject, adverb, verb, noun], target))
    return pairs


ENGINES: list[Engine] = [name for name in get_args(Engine) if name != "eflomal"]


@pytest.mark.parametrize("engine", ["joint-hmm", "thot-hmm", "thot-ibm4"])
@pytest.mark.parametrize("heuristic", get_args(Heuristic))
def test_both_directions_find_the_links_of_a_toy_language(
    heuristic: Heuristic, engine: Engine
) -> None:
    config = AlignmentConfig(max_words=8, heuristic=heuristic, engine=engine)
    pairs = toy_pairs()
    assert align(pairs, config) == [((0, 0), (1, 3), (2, 1), (3, 2))] * len(pairs)


def test_what_a_sampler_draws_and_a_model_without_order_find_most_of_them() -> None:
    right = {(0, 0), (1, 3), (2, 1), (3, 2)}
    drawn = align(toy_pairs(), AlignmentConfig(max_words=8, engine="thot-eflomal"))
    assert sum(len(right & set(links)) for links in drawn) > 0.8 * 4 * len(drawn)
    same_order = [(source, [WORDS[word] for word in source]) for source, _ in toy_pairs()]
    found = align(same_order, AlignmentConfig(max_words=8, engine="thot-fast-align"))
    assert found == [((0, 0), (1, 1), (2, 2), (3, 3))] * len(found)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_order_of_the_pairs_changes_no_byte_of_the_model(
    engine: Engine, tmp_path: Path
) -> None:
    config = AlignmentConfig(max_words=8, engine=engine)
    pairs = [(s, t[::-1] if i % 3 else t) for i, (s, t) in enumerate(toy_pairs(60))]
    for name, ordered in (("there", pairs), ("back", pairs[::-1])):
        (tmp_path / name).mkdir()
        Aligner.train(ordered, config).save(f"{tmp_path}/{name}/")
    files = sorted(path.name for path in (tmp_path / "there").iterdir())
    assert files
    for file in files:
        assert (tmp_path / "there" / file).read_bytes() == (tmp_path / "back" / file).read_bytes()


def test_empty_and_long_pairs_get_no_links_and_are_counted() -> None:
    pairs = [*toy_pairs(30), ([], ["a"]), (["甲"], []), (["甲"] * 9, ["a"]), (["甲"], ["a"] * 9)]
    assert align(pairs, CONFIG)[30:] == [()] * 4
    assert count_unaligned(pairs, CONFIG) == {"empty_side": 2, "too_long": 2}
    assert count_unaligned(pairs[:30], CONFIG) == {}
    assert why_unaligned(["甲"] * 8, ["a"], CONFIG) is None


def test_no_pair_at_all_is_refused() -> None:
    with pytest.raises(InputError, match="expected at least one pair with words on both sides"):
        align([([], ["a"])], CONFIG)


def test_words_that_the_aligner_uses_itself_are_words_like_others() -> None:
    reserved = {"我": "NULL", "你": "UNKNOWN_WORD", "他": "<UNUSED_WORD>"}
    pairs = [([reserved.get(w, w) for w in s], t) for s, t in toy_pairs()]
    config = AlignmentConfig(max_words=8, heuristic="intersection", engine="thot-hmm")
    assert align(pairs, config) == [((0, 0), (1, 3), (2, 1), (3, 2))] * len(pairs)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_saved_model_links_new_pairs_as_before(engine: Engine, tmp_path: Path) -> None:
    config = AlignmentConfig(max_words=8, engine=engine)
    aligner = Aligner.train(toy_pairs(), config)
    aligner.save(f"{tmp_path}/model-")
    loaded = Aligner.load(f"{tmp_path}/model-", config)
    for pair in (["我", "看", "书"], ["i", "read", "books"]), (["新", "书"], ["new", "books"]):
        assert loaded.align_pair(*pair) == aligner.align_pair(*pair)
    assert aligner.align_pair(["我", "看", "书"], ["i", "read", "books"]) == (
        (0, 0),
        (1, 1),
        (2, 2),
    )


def test_a_missing_model_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="phrasenet run --from aligner"):
        Aligner.load(f"{tmp_path}/nothing-", CONFIG)


def test_links_are_the_same_in_another_process_with_other_hashes() -> None:
    script = (
        "from tasks.mining.alignment import align\n"
        "from tasks.mining.alignment_config import AlignmentConfig\n"
        "from tests.unit.mining.test_alignment import toy_pairs\n"
        "pairs = [(s, t[::-1] if i % 3 else t) for i, (s, t) in enumerate(toy_pairs(60))]\n"
        "import sys; sys.stdout.write(repr(align(pairs, AlignmentConfig(max_words=8))))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.getcwd()},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert "(0, " in outputs.pop()


@pytest.mark.parametrize(
    ("make", "settings", "message"),
    [
        (AlignmentConfig, {"hmm_iterations": 0}, "hmm_iterations is 0; it must be between 1"),
        (AlignmentConfig, {"max_words": 300}, "max_words is 300; it must be between 1 and 200"),
        (AlignmentConfig, {"engine": "giza"}, "engine is 'giza'; expected one of joint-hmm, thot-"),
        (AlignmentConfig, {"empty_word": 1.0}, "empty_word is 1.0; it must be between 0.001 and"),
        (AlignmentConfig, {"known_weight": 0.5}, "known_weight is 0.5; it must be between 1 and"),
        (AlignmentConfig, {"heuristic": "best"}, "heuristic is 'best'; expected one of intersec"),
        (ExtractionConfig, {"edges": "loose"}, "edges is 'loose'; expected one of moses"),
        (ExtractionConfig, {"max_words": 0}, "max_words is 0"),
        (MemoryConfig, {"min_reliability": 1.5}, "min_reliability is 1.5; it is a probability"),
        (MemoryConfig, {"min_count": 0}, "min_count is 0"),
        (MemoryConfig, {"categories": ("place",)}, "names 'place'; expected some of date"),
        (MemoryConfig, {"categories": ()}, "memory.categories is empty"),
    ],
)
def test_nonsense_settings_are_refused(
    make: type[AlignmentConfig], settings: dict[str, int], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        make(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("damage", [b"", b"{}", b"\x00" * 200])
@pytest.mark.parametrize("engine", ["joint-hmm", "thot-eflomal"])
def test_a_damaged_model_is_refused(engine: Engine, damage: bytes, tmp_path: Path) -> None:
    config = AlignmentConfig(max_words=8, engine=engine)
    Aligner.train(toy_pairs(20), config).save(f"{tmp_path}/")
    for file in tmp_path.iterdir():
        file.write_bytes(damage)
    with pytest.raises(InputError, match="Train it again"):
        Aligner.load(f"{tmp_path}/", config)
