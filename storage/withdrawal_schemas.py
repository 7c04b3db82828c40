"""The table that says what was withdrawn, without a word of it."""

from storage.table_schema import TEXT, table_schema

WITHDRAWALS = (table_schema("tombstones", {"kind": TEXT, "hash": TEXT}, ("kind", "hash")),)
"""The hash is keyed (`Ledger.keyed_hash`); kinds are those of tasks/lineage/tombstones.py."""
