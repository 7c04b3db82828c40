"""Parts of the source phrases, so that no process has to hold all of them at once.

A part is a range of source texts: of tables that are sorted by source only the pieces in its range
are read. Its borders are sources of the candidates, so parts are about equally large. Everything
that is decided about one source is decided in one part, so results do not depend on their number.
"""

from dataclasses import dataclass

MOST_PARTS = 64
"""More parts would read small pieces of many tables."""

SOURCE_AT = "SELECT source FROM candidates LIMIT 1 OFFSET $place"
"""The source of a row of `candidates`, which lies in the order of its sources."""

_INSIDE = "source >= $low AND (source < $high OR $open)"


@dataclass(frozen=True, slots=True)
class Part:
    """One of several ranges of sources."""

    number: int
    """From 0."""
    of: int

    def borders(self, rows: int) -> tuple[int | None, int | None]:
        """Return the rows of `candidates` at which the part begins and ends.

        The part begins at the source of the first row and ends before that of the second; None is
        the beginning, or the end, of all sources.

        Args:
            rows: of `candidates`, at least 1.
        """
        first, last = self.number * rows // self.of, (self.number + 1) * rows // self.of
        return first if self.number else None, last if self.number + 1 < self.of else None


def parts_of(shards: int) -> list[Part]:
    """Return the parts where the corpora have so many shards."""
    number = min(shards, MOST_PARTS)
    return [Part(place, number) for place in range(number)]


def within_part(sql: str, *tables: str) -> str:
    """Return a query that sees only the sources of a part in some of its tables.

    It reads the table `t` as `all_t`. Parameters are those of the query, and `$low`, `$high` and
    `$open`, which says that the part has no end.
    """
    views = ", ".join(f"{name} AS (SELECT * FROM all_{name} WHERE {_INSIDE})" for name in tables)
    body = sql.strip()
    rest = f", {body.removeprefix('WITH')}" if body.startswith("WITH ") else f" {body}"
    return f"WITH {views}{rest}"
