"""The tables of a workspace: a change of one asks for a new version and a migration."""

from storage.schemas import SCHEMAS
from storage.table_schema import TableSchema
from tests.conftest import Golden


def described(schema: TableSchema) -> str:
    columns = [f"  {column.name}: {column.type}" for column in schema.columns]
    title = f"{schema.kind}, version {schema.version}, sorted by {', '.join(schema.sort_by)}"
    return "\n".join([title, *columns])


def test_no_table_changes_without_notice(golden: Golden) -> None:
    golden("schemas.txt", "\n\n".join(map(described, SCHEMAS.values())) + "\n")
