"""Times: records hold ISO 8601 in UTC with its offset; people read them to the second."""

import datetime
from typing import Literal


def this_moment(timespec: Literal["seconds", "milliseconds"] = "seconds") -> str:
    """Return the time of now as records hold it."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec=timespec)


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
