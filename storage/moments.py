"""Times: records hold ISO 8601 in UTC with its offset; people read them to the second."""

import datetime
from typing import Literal

from storage.errors import InputError

_DAY = datetime.timedelta(days=1)


def this_moment(timespec: Literal["seconds", "milliseconds"] = "seconds") -> str:
    """Return the time of now as records hold it."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec=timespec)


def past_moment(text: str) -> datetime.datetime:
    """Read a date, which stands for its end, or a time; without a zone it is in UTC.

    Raises:
        ValueError: it is neither.
        InputError: it lies in the future, of which nothing is known. The date of tomorrow does not:
            somewhere it is today.
    """
    moment = datetime.datetime.fromisoformat(text)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)
    is_date = _is_date(text)
    latest = datetime.datetime.now(datetime.UTC) + (_DAY if is_date else datetime.timedelta())
    if moment > latest:
        raise InputError(f"{text} lies in the future; expected a date or a time of the past.")
    return moment + _DAY - datetime.timedelta(microseconds=1) if is_date else moment


def _is_date(text: str) -> bool:
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def shown(time: str) -> str:
    """Return a recorded time to the second, in UTC and said so: `2026-11-30T15:06:34Z`.

    What is no time, such as an empty text, is returned as it is.
    """
    try:
        moment = datetime.datetime.fromisoformat(time)
        if moment.tzinfo is not None:
            moment = moment.astimezone(datetime.UTC)
    except (ValueError, OverflowError):
        return time
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
