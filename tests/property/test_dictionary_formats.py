"""What is written in a dictionary's format is read back."""

import csv
import io
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tasks.readers.entries import FoundEntry
from tasks.readers.table_dictionary import read_table_dictionary

TEXT = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp"), exclude_characters="\ufeff"),
    min_size=1,
).filter(lambda text: text == text.strip())


@given(st.lists(st.tuples(TEXT, TEXT), max_size=8))
def test_tables_are_read_as_they_were_written(pairs: list[tuple[str, str]]) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows(pairs)
    tsv = "".join(f"{source}\t{target}\r\n" for source, target in pairs)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table"
        for content, quoted in ((tsv, False), (stream.getvalue(), True)):
            path.write_bytes(content.encode())
            found = list(read_table_dictionary(path, quoted=quoted))
            expected = [FoundEntry(*pair, line) for line, pair in enumerate(pairs, start=1)]
            assert found == expected
