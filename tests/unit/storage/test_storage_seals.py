"""Seals: the root of RFC 9162, and what they notice."""

import hashlib
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.errors import InputError
from storage.seals import Seals, merkle_root


def leaf(data: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + data).digest()


def inner(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def test_roots_worked_by_hand() -> None:
    a, b, c = leaf(b"a"), leaf(b"b"), leaf(b"c")
    assert merkle_root([]) == hashlib.sha256(b"").hexdigest()
    assert merkle_root([b"a"]) == a.hex()
    assert merkle_root([b"a", b"b", b"c"]) == inner(inner(a, b), c).hex()
    five = inner(inner(inner(a, b), inner(c, a)), b)
    assert merkle_root([b"a", b"b", b"c", b"a", b"b"]) == five.hex()


@given(st.lists(st.binary(max_size=3), unique=True, min_size=2), st.randoms(use_true_random=False))
def test_every_change_of_the_list_changes_the_root(
    leaves: list[bytes], chance: random.Random
) -> None:
    root = merkle_root(leaves)
    number = chance.randrange(len(leaves))
    assert merkle_root(leaves[:number] + leaves[number + 1 :]) != root
    assert merkle_root([*leaves[:number], leaves[number] + b"x", *leaves[number + 1 :]]) != root
    assert merkle_root(leaves[::-1]) != root


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    for name in ("ledger/records/000.json", "memory/snapshots/a.json", "models/registry/m.json"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    Seals(tmp_path).make()
    return tmp_path


def findings(root: Path, purged: dict[str, str] | None = None) -> list[str]:
    seals = Seals(root)
    return list(seals.problems(seals.all(), purged or {}))


def test_what_is_added_later_breaks_no_seal(sealed: Path) -> None:
    (sealed / "ledger/records/001.json").write_text("more")
    assert findings(sealed) == []
    assert Seals(sealed).make().number == 1
    assert findings(sealed) == []


def test_what_was_changed_or_lost_is_named(sealed: Path) -> None:
    (sealed / "memory/snapshots/a.json").write_text("other")
    assert ["memory/snapshots/a.json is not what" in item for item in findings(sealed)] == [True]
    (sealed / "memory/snapshots/a.json").unlink()
    assert ["memory/snapshots/a.json is gone" in item for item in findings(sealed)] == [True]
    assert findings(sealed, {"memory/snapshots/a.json": "record 7"}) == []


def test_a_root_that_was_kept_tells_whether_its_seal_is_there(sealed: Path) -> None:
    seals = Seals(sealed)
    root = seals.all()[0].root
    assert seals.with_root(root).root == root
    assert seals.with_root(root[:8]).root == root
    path = sealed / "ledger/seals/00000000.json"
    path.write_text(path.read_text().replace(root, "0" * 64))
    assert len(findings(sealed)) == 1
    for wanted in (root, root[:7], "0" * 64, ""):
        with pytest.raises(InputError, match="No seal of this workspace has the root"):
            seals.with_root(wanted)
