"""What `phrasenet translate` says on standard error about lost dates and numbers."""

import pytest

from flows.commands.translate import _warn_of_lost
from tasks.metrics.values_kept import source_values


@pytest.mark.parametrize(
    ("translation", "warning"),
    [
        ("They meet on March 5 and pay 3 percent.", ""),
        (
            "They meet and pay 3 %.",
            "phrasenet: line 7: 三月五日 (march 5) is not in the translation\n",
        ),
        (
            "They meet.",
            "phrasenet: line 7: 三月五日 (march 5), 百分之三 (3 percent) "
            "are not in the translation\n",
        ),
    ],
)
def test_each_lost_value_is_named(
    translation: str, warning: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _warn_of_lost(7, source_values("三月五日开会，支付百分之三。", translation))
    assert capsys.readouterr().err == warning
