"""How long the computers at a table of people may take, in every interface."""

THINK_SECONDS = 5.0
"""How long a computer thinks about a move at most, if it listens."""

MOVE_SECONDS = 60.0
"""After so long it forfeits."""
