"""Whoever chooses a move."""

from noughts.players import bots as bots  # enters the players that come with noughts in the registry
