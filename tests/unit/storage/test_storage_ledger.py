"""The ledger is a chain: what was changed, lost or reordered is named."""

import json
import re
from pathlib import Path

import pytest

from storage.ledger import GENESIS, Ledger, canonical_json


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    made = Ledger(tmp_path)
    for number in range(5):
        made.append("run", {"step": "mine", "number": number})
    return made


def test_records_are_numbered_and_chained(ledger: Ledger) -> None:
    records = list(ledger.records())
    assert [item.sequence for item in records] == [0, 1, 2, 3, 4]
    assert records[0].previous == GENESIS
    for before, after in zip(records, records[1:], strict=False):
        assert after.previous == before.digest()
    assert list(ledger.newest_first()) == records[::-1]
    assert ledger.digest() == records[-1].digest()
    assert list(ledger.problems()) == []


def test_a_ledger_that_is_opened_again_goes_on(ledger: Ledger, tmp_path: Path) -> None:
    again = Ledger(tmp_path)
    assert again.append("decision", {}).sequence == 5
    assert list(again.problems()) == []


def test_an_empty_ledger_is_whole(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    assert (ledger.last(), ledger.digest(), list(ledger.problems())) == (None, GENESIS, [])


def test_a_changed_record_is_named(ledger: Ledger, tmp_path: Path) -> None:
    path = path_of(tmp_path, 2)
    path.write_bytes(path.read_bytes().replace(b'"number":2', b'"number":7'))
    assert list(ledger.problems()) == ["record 3 does not follow from the record before it"]


def test_the_newest_record_is_protected_too(ledger: Ledger, tmp_path: Path) -> None:
    path = path_of(tmp_path, 4)
    whole = path.read_bytes()
    path.write_bytes(whole + b" ")
    assert list(ledger.problems()) == ["record 4 was changed after it was written"]
    path.write_bytes(whole.replace(b'"number":4', b'"number":5'))
    assert list(ledger.problems()) == ["record 4 was changed after it was written, or HEAD was"]
    path.unlink()
    path_of(tmp_path, 3).unlink()
    assert list(ledger.problems()) == ["record 3 is missing (the newest one was 4)"]


def test_a_crash_between_record_and_head_is_no_finding(ledger: Ledger, tmp_path: Path) -> None:
    head = tmp_path / "ledger" / "HEAD"
    before = head.read_bytes()
    ledger.append("run", {})
    head.write_bytes(before)
    assert list(ledger.problems()) == []
    head.write_bytes(b"[]")
    assert list(ledger.problems()) == [f"{head} was changed after it was written"]
    head.unlink()
    assert list(ledger.problems()) == []


@pytest.mark.parametrize("damage", [b"", b"[]", b"null", b"{}", b"\xff", b'{"sequence":NaN}'])
def test_a_record_that_is_none_is_named(ledger: Ledger, tmp_path: Path, damage: bytes) -> None:
    path_of(tmp_path, 2).write_bytes(damage)
    assert list(ledger.problems()) == [
        "record 2 was changed after it was written",
        "record 3 does not follow from the record before it",
    ]


def test_a_record_whose_numbers_json_cannot_hold_is_named(ledger: Ledger, tmp_path: Path) -> None:
    path = path_of(tmp_path, 2)
    path.write_bytes(path.read_bytes().replace(b'"number":2', b'"number":NaN'))
    assert "record 2 was changed after it was written" in list(ledger.problems())


def test_a_lost_record_is_named(ledger: Ledger, tmp_path: Path) -> None:
    path_of(tmp_path, 2).unlink()
    assert list(ledger.problems()) == ["record 2 is missing (the next one is 3)"]


def test_reordered_records_are_named(ledger: Ledger, tmp_path: Path) -> None:
    one, other = path_of(tmp_path, 1), path_of(tmp_path, 2)
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    problems = "\n".join(ledger.problems())
    assert "record 1 was changed" in problems
    assert "record 2 was changed" in problems


def test_a_record_put_in_by_hand_is_named(ledger: Ledger, tmp_path: Path) -> None:
    (path_of(tmp_path, 2).parent / "2b.json").write_bytes(path_of(tmp_path, 2).read_bytes())
    assert list(ledger.problems()) == ["2b.json is no ledger record"]


def test_the_digests_of_functions_are_kept_beside_the_code_digest(ledger: Ledger) -> None:
    ledger.keep_code("abc", {"tasks.mine:mine": "1"})
    ledger.keep_code("abc", {"tasks.mine:mine": "2"})
    assert ledger.code("abc") == {"tasks.mine:mine": "1"}
    assert ledger.code("unknown") == {}


def test_a_keyed_hash_is_recognised_only_with_the_key(tmp_path: Path) -> None:
    one, other = Ledger(tmp_path / "a"), Ledger(tmp_path / "b")
    assert one.keyed_hash("词") == Ledger(tmp_path / "a").keyed_hash("词")
    assert one.keyed_hash("词") != other.keyed_hash("词")
    key = tmp_path / "a" / "ledger" / "key"
    assert key.stat().st_mode & 0o077 == 0


def test_the_form_that_is_digested_is_one() -> None:
    assert canonical_json({"b": 1, "a": ["词", None]}) == '{"a":["词",null],"b":1}'.encode()
    with pytest.raises(ValueError, match="Out of range"):
        canonical_json(float("nan"))


def test_times_are_in_utc(ledger: Ledger, tmp_path: Path) -> None:
    value = json.loads(path_of(tmp_path, 0).read_bytes())
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", value["time"])


def path_of(root: Path, number: int) -> Path:
    return root / "ledger" / "records" / f"{number:012d}.json"
