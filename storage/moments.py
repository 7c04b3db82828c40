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
        InputError: it lies in the future, of which nothing is known; today in some zone does not.
    """
    moment = datetime.datetime.fromisoformat(text)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)
    if moment > datetime.datetime.now(datetime.UTC) + _DAY:
        raise InputError(f"{text} lies in the future; expected a date or a time of the past.")
    if len(text) == len("2026-03-01"):
        return moment + _DAY - datetime.timedelta(microseconds=1)
    return moment


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
