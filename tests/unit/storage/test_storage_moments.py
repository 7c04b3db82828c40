"""Times as records hold them, and as people read them."""

import datetime

import pytest

from storage.moments import shown, this_moment


@pytest.mark.parametrize(
    ("recorded", "read"),
    [
        ("2026-11-30T15:06:34.512+00:00", "2026-11-30T15:06:34Z"),
        ("2026-11-30T16:06:34+01:00", "2026-11-30T15:06:34Z"),
        ("", ""),
        ("some day", "some day"),
        # In UTC it would lie before the first year.
        ("0001-01-01T00:00:00+23:59", "0001-01-01T00:00:00+23:59"),
    ],
)
def test_a_time_is_read_in_utc(recorded: str, read: str) -> None:
    assert shown(recorded) == read


def test_the_moment_of_now_is_one_and_has_its_zone() -> None:
    before = datetime.datetime.now(datetime.UTC)
    moment = datetime.datetime.fromisoformat(this_moment("milliseconds"))
    assert abs(moment - before) < datetime.timedelta(minutes=1)
    assert this_moment().endswith("+00:00")
