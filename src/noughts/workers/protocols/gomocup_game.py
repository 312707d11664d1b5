"""Our games as the Gomocup protocol can say them: size, rule and stones."""

from dataclasses import dataclass
from itertools import chain, zip_longest

from noughts.core.board import coordinate_of, index_of
from noughts.games.base import Game
from noughts.games.moves import cells_of
from noughts.workers.protocols.gomocup import Field, Rule, Stone, point_of

K = 5

MIN_SIDE = 5
"""Engines refuse sides that are shorter."""

RULES: dict[frozenset[str], Rule] = {
    frozenset(): Rule.FREE,
    frozenset(("exact",)): Rule.EXACT,
    frozenset(("renju",)): Rule.RENJU,
}
"""The rule for all that is particular about a game; of games with other facts nothing can be said."""


@dataclass(frozen=True, slots=True)
class GomocupSetting:
    """The size of a board and the rule on it."""

    width: int
    height: int
    rule: Rule

    @property
    def start(self) -> str:
        """The line that starts it: squares must not be told as rectangles."""
        if self.width == self.height:
            return f"START {self.width}"
        return f"RECTSTART {self.width},{self.height}"


def setting_of(game: Game) -> GomocupSetting | None:
    """How *game* is told; None for games that the protocol does not know.

    >>> from noughts import new_game
    >>> setting_of(new_game("gomoku-standard"))
    GomocupSetting(width=15, height=15, rule=<Rule.EXACT: 1>)
    >>> [setting_of(new_game(name)) for name in ("tictactoe", "15x15:5,misere", "qubic", "reversi")]
    [None, None, None, None]
    """
    rules, rule = game.rules, RULES.get(game.facts)
    if rules is None or rule is None or rules.k != K or len(rules.shape) != 2 or min(rules.shape) < MIN_SIDE:
        return None
    height, width = rules.shape
    return GomocupSetting(width, height, rule)


def stones_of(game: Game) -> tuple[Stone, ...]:
    """The stones of *game*, one that has a setting, as the side to move sees them, in the order of play.

    Of those that stood there in the beginning the order is not known: they are told by turns.
    """
    cells = [index_of(game.shape, cells_of(move)[0]) for move in game.moves]
    played = set(cells)
    of_sides = [
        [index for index, mark in enumerate(game.cells) if mark == side and index not in played]
        for side in game.sides
    ]
    before = [index for index in chain.from_iterable(zip_longest(*of_sides)) if index is not None]
    found: list[Stone] = []
    for index in before + cells:
        owner = Field.OWN if game.cells[index] == game.turn else Field.OTHER
        found.append((*point_of(coordinate_of(game.shape, index)), owner))
    return tuple(found)
