"""Make a table again of which few rows changed: all others are taken from the table of before.

The rows that are taken are those whose inputs are equal, compared by what is in them and not by
their ids alone, so that the result is the same as if all rows were made.
"""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from storage.datasets import ArtifactRef
from storage.table_schema import Reproducibility
from storage.workspace import Source, Workspace

log = logging.getLogger(__name__)

_MERGED = """
SELECT * FROM ({unchanged})
UNION ALL BY NAME
SELECT * FROM made
ORDER BY pair_id
"""


def write_continued(
    workspace: Workspace,
    kind: str,
    tables: Mapping[str, Source],
    unchanged: str,
    made: Iterable[Mapping[str, Any]],
    *,
    reproducibility: Reproducibility | None = None,
) -> ArtifactRef:
    """Write a table whose key is `pair_id`.

    Args:
        workspace: where the tables are.
        kind: of the table.
        tables: what `unchanged` reads.
        unchanged: query for the rows that are taken from before, in all columns of the kind.
        made: the other rows.
        reproducibility: how far the table can be made again, if not as far as others of its kind.
    """
    with workspace.spools(kind, 1) as (spool,):
        for row in made:
            spool.add(row)
        spool.close()
        merged = _MERGED.format(unchanged=unchanged)
        ref = workspace.write_query(
            kind, merged, {**tables, "made": spool}, reproducibility=reproducibility
        )
        log.info("made %d rows and took %d from before", spool.rows, ref.rows - spool.rows)
    return ref
