"""What Alembic runs: the migrations, on the connection and in the transaction it was given."""

from alembic import context

from noughts.arena.store.tables import VERSION_TABLE, metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
