"""Positions on 15x15 in which the right moves are known, to try players on."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from noughts.games.base import Game, Move
from noughts.games.catalogue import new_game
from noughts.games.notation import parse_move, parse_position

KINDS = ("win", "block", "open-three", "double-threat")
"""Win at once; stop the only cell where the other side would; stop an open three before it becomes two
threats at once, with no threats of one's own; make two threats at once."""


@dataclass(frozen=True, slots=True)
class Tactic:
    """A position of gomoku, and every move that is right for the side to move."""

    kind: str
    position: str
    moves: frozenset[Move]

    @property
    def game(self) -> Game:
        """A new game that starts from the position."""
        return parse_position(new_game("gomoku"), self.position)


@cache
def tactics() -> tuple[Tactic, ...]:
    """All positions, by kind.

    >>> len(tactics()), tactics()[0].kind
    (32, 'win')
    """
    game = new_game("gomoku")
    text = files("noughts.search").joinpath("tactics.json").read_text(encoding="utf-8")
    return tuple(
        Tactic(entry["kind"], entry["position"], frozenset(parse_move(game, move) for move in entry["moves"]))
        for entry in json.loads(text)
    )
