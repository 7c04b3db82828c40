"""Which fragments a memory leaves out, and nonsense in the settings of terms."""

from typing import Any, get_args

import pytest

from storage.errors import ConfigError
from tasks.mining.term_config import Fragments, TermConfig, is_left_out
from tasks.mining.termhood import Reason

KEPT: dict[Fragments, set[str]] = {
    "terms-only": {""},
    "drop": {"", "no method"},
    "drop-parts": {"", "no method", "context", "target", "cut"},
    "keep": set(get_args(Reason)),
}


@pytest.mark.parametrize("fragments", get_args(Fragments))
def test_each_choice_says_of_each_reason_whether_it_counts(fragments: Fragments) -> None:
    kept = {reason for reason in get_args(Reason) if not is_left_out(reason, fragments)}
    assert kept == KEPT[fragments]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"fragments": "drop-all"}, r"terms.fragments is 'drop-all'; expected .* drop-parts, keep"),
        ({"min_c_value": -1.0}, "terms.min_c_value is -1.0; it must be 0 or more"),
        ({"max_lacking_share": -0.1}, "terms.max_lacking_share is -0.1; it must be 0 or more"),
        ({"min_free_share": 1.5}, "terms.min_free_share is 1.5; it must be between 0 and 1"),
    ],
)
def test_nonsense_is_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        TermConfig(**values)
