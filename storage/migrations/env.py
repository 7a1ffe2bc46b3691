"""Alembic's entry point: the connection and its transaction come from storage.migrate."""

from alembic import context

from storage.files import VERSION_TABLE
from storage.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    # SQLite can roll DDL back too; Alembic is only careful about old drivers.
    transactional_ddl=True,
)
context.run_migrations()
