from typing import Any

import pytest

from storage.errors import ConfigError
from tasks.rules.style import RuleStyle


@pytest.mark.parametrize(
    ("setting", "part"),
    [
        ({"region": "china"}, "rules.region is 'china'"),
        ({"spell_up_to": 21}, "rules.spell_up_to is 21"),
        ({"spell_up_to": -1}, "rules.spell_up_to is -1"),
    ],
)
def test_a_style_that_makes_no_sense_is_refused(setting: dict[str, Any], part: str) -> None:
    with pytest.raises(ConfigError, match=part):
        RuleStyle(**setting)
