"""What is known of best play in a game, and from where."""

from dataclasses import dataclass
from typing import Literal

from noughts.games.base import Game
from noughts.games.catalogue import find_entry, name_of
from noughts.games.rules import HELPFUL

Value = Literal["first", "second", "draw"]

PUBLISHED: dict[str, tuple[Value, str]] = {
    "8x8:5": ("draw", "Hsu and others 2020"),
}
"""Values of boards that are in no catalogue, and who found them."""

LONG, LONG_SOURCE = 8, "Zetters 1980"
"""On flat boards whoever moves second stops all lines of so many cells."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a game from its start: which player wins, or that it is a draw; None: neither.

    It is ``proved`` by a search of this library, ``published`` in ``source``, follows by an ``argument`` that
    ``source`` names, or is ``open``.
    """

    value: Value | None = None
    basis: Literal["proved", "published", "argument", "open"] = "open"
    source: str = ""


def known_of(game: Game) -> Known:
    """What is known of *game*.

    >>> from noughts.games.catalogue import new_game
    >>> known_of(new_game("3d"))
    Known(value='first', basis='proved', source='')
    >>> known_of(new_game("connect4")).source, known_of(new_game("20x20:9")).value
    ('Allen, Allis 1988', 'draw')
    """
    entry, rules = find_entry(name_of(game)), game.rules
    if entry is not None and entry.value is not None:
        return Known(entry.value, "published" if entry.source else "proved", entry.source)
    if rules is None or not game.facts <= HELPFUL or len(game.sides) != 2:
        return Known()
    if rules.spec in PUBLISHED:
        value, source = PUBLISHED[rules.spec]
        return Known(value, "published", source)
    if not game.facts and len(rules.shape) == 2 and rules.k >= LONG:
        return Known("draw", "published", LONG_SOURCE)
    return Known(None, "argument", "strategy stealing: the first player does not lose")
