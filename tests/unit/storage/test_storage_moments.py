"""Times as records hold them, and as people read them."""

import datetime

import pytest

from storage.errors import InputError
from storage.moments import past_moment, shown, this_moment


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


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("2016-03-01", "2016-03-01T23:59:59Z"),
        ("2016-03-01T08:30", "2016-03-01T08:30:00Z"),
        ("2016-03-01T08:30+08:00", "2016-03-01T00:30:00Z"),
    ],
)
def test_a_day_stands_for_its_end_and_a_time_is_in_utc(said: str, read: str) -> None:
    assert shown(past_moment(said).isoformat()) == read


def test_today_is_no_future_wherever_somebody_is() -> None:
    now = datetime.datetime.now(datetime.UTC)
    past_moment(f"{now + datetime.timedelta(hours=14):%Y-%m-%d}")
    with pytest.raises(InputError, match="lies in the future; expected a date or a time"):
        past_moment(f"{now + datetime.timedelta(days=3):%Y-%m-%d}")
    with pytest.raises(ValueError, match="Invalid isoformat"):
        past_moment("yesterday")


def test_the_moment_of_now_is_one_and_has_its_zone() -> None:
    before = datetime.datetime.now(datetime.UTC)
    moment = datetime.datetime.fromisoformat(this_moment("milliseconds"))
    assert abs(moment - before) < datetime.timedelta(minutes=1)
    assert this_moment().endswith("+00:00")


@pytest.mark.parametrize("ahead", [datetime.timedelta(minutes=1), datetime.timedelta(hours=4)])
@pytest.mark.parametrize("offset", [-12, 0, 14])
def test_a_time_of_today_may_lie_in_the_future(ahead: datetime.timedelta, offset: int) -> None:
    zone = datetime.timezone(datetime.timedelta(hours=offset))
    now = datetime.datetime.now(zone)
    with pytest.raises(InputError, match="lies in the future"):
        past_moment((now + ahead).isoformat())
    assert past_moment((now - ahead).isoformat()) == now - ahead


@pytest.mark.parametrize("text", ["2026-03-01", "20260301"])
def test_a_date_stands_for_its_end(text: str) -> None:
    assert past_moment(text).isoformat() == "2026-03-01T23:59:59.999999+00:00"
