"""The table of what was counted before a memory became the current one."""

import pyarrow as pa

from storage.table_schema import TEXT, table_schema

CHECKS = (
    table_schema(
        "checks",
        {"name": TEXT, "subject": TEXT, "part": pa.int64(), "whole": pa.int64()},
        ("name", "subject"),
    ),
)
"""`part` of `whole` rows; names are those of tasks/checks/queries.py."""
