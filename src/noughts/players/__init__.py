"""Whoever chooses a move."""

from noughts.players import builtin as builtin  # enters the players that come with noughts in the registry
