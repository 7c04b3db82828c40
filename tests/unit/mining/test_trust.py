"""A dictionary that is not trusted speaks only where nothing mined does."""

import pytest

from tasks.mining.settle import Claim, settle


@pytest.mark.parametrize(("trusted", "target"), [(True, "listed"), (False, "mined")])
def test_mined_phrases_outrank_a_dictionary_that_is_not_trusted(trusted: bool, target: str) -> None:
    listed = Claim("甲", "listed", "dictionary", "term", "d", trusted=trusted)
    mined = Claim("甲", "mined", "mined", "term", "corpus")
    assert [(d.target, d.state) for d in settle([listed, mined])] == [(target, "active")]
    assert [d.target for d in settle([listed])] == ["listed"]
