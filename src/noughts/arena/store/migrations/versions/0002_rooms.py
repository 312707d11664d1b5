"""Rooms of online play, the keys of what was asked for in them, and who serves them."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "rooms",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("due", sa.BigInteger, nullable=False),
        sa.Column("code", sa.String(6)),
        sa.Column("is_computer_awaited", sa.Boolean, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
    )
    op.create_index("rooms_due", "rooms", ["due"])
    op.create_index("rooms_code", "rooms", ["code"], unique=True)
    op.create_table(
        "room_keys",
        sa.Column("room", sa.String(32), sa.ForeignKey("rooms.name"), primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "room_workers",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("seen", sa.BigInteger, nullable=False),
    )
