"""Players: the code that chooses moves."""

from noughts.players import builtin as builtin  # registers the players that come with noughts
