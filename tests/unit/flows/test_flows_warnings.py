"""A person at the terminal sees what the rooms warn of."""

import io
import logging

from flows.terminal import Terminal, warnings_said


def test_warnings_are_said_and_nothing_less() -> None:
    stream = io.StringIO()
    logger = logging.getLogger("tasks.anything")
    with warnings_said(Terminal(stream)):
        logger.warning("train it begins anew: step %d", 400)
        logger.info("nothing to see")
    logger.warning("nobody hears")
    assert stream.getvalue() == "  train it begins anew: step 400\n"
