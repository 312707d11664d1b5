"""The protocol by which the players of a game settle their sides."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, empty for games that were opened by none."""
    op.add_column("games", sa.Column("opening", sa.Text))
