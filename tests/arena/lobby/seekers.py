"""Shared parts of the tests of the lobby: players and offers in short form."""

from typing import Any

from noughts.arena.clock import DAY, Clock
from noughts.arena.lobby.offers import LobbyOffer, Seeker

QUICK, SLOW = Clock(base=180_000, increment=2_000), Clock(base=600_000, increment=5_000)

BY_DAYS = Clock(per_move=3 * DAY)


def seeker(name: str, rating: int | None = None, **more: Any) -> Seeker:
    """Return a player with the same rating in each game, or without one."""
    ratings = {} if rating is None else {"gomoku": rating, "reversi": rating}
    return Seeker(f"visitor {name}", name, ratings=ratings, **more)


def offer(who: Seeker | str, number: int = 0, since: int = 0, **more: Any) -> LobbyOffer:
    """Return an offer of gomoku with a quick clock."""
    player = seeker(who) if isinstance(who, str) else who
    games, clocks = more.pop("games", ("gomoku",)), more.pop("clocks", (QUICK,))
    return LobbyOffer(number, player, games, clocks, since, more.pop("worker", "here"), **more)
