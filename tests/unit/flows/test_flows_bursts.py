"""Lines of a pipe are given as they come."""

import os
import threading

from flows.commands.bursts import bursts


def test_a_line_is_given_before_the_next_is_written() -> None:
    read_end, write_end = os.pipe()
    given = bursts(read_end, 4)
    os.write(write_end, b"one\ntw")
    assert next(given) == [b"one\n"]
    os.write(write_end, b"o\nthree\n")
    assert next(given) == [b"two\n", b"three\n"]
    os.write(write_end, b"a\nb\nc\nd\ne\nlast")
    assert next(given) == [b"a\n", b"b\n", b"c\n", b"d\n"]
    os.close(write_end)
    assert list(given) == [[b"e\n", b"last"]]
    os.close(read_end)


def test_a_long_line_is_put_together() -> None:
    read_end, write_end = os.pipe()
    line = b"x" * 300_000 + b"\n"

    def write() -> None:
        with os.fdopen(write_end, "wb") as stream:
            stream.write(line + b"end\n")

    writer = threading.Thread(target=write)
    writer.start()
    assert [each for burst in bursts(read_end, 9) for each in burst] == [line, b"end\n"]
    writer.join()
    os.close(read_end)
