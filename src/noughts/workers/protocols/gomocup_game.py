"""Our games in terms of the Gomocup protocol: size, rule and stones."""

from dataclasses import dataclass
from itertools import chain, zip_longest

from noughts.core.board import coordinate_of, index_of
from noughts.games.base import Game
from noughts.games.moves import cells_of
from noughts.workers.protocols.gomocup import Field, Rule, Stone, point_of

K = 5

MIN_SIDE = 5
"""The minimum side of a board. Engines refuse shorter ones."""

RULES: dict[frozenset[str], Rule] = {
    frozenset(): Rule.FREE,
    frozenset(("exact",)): Rule.EXACT,
    frozenset(("renju",)): Rule.RENJU,
}
"""The rule for the facts of a game. Games with other facts cannot be expressed."""


@dataclass(frozen=True, slots=True)
class GomocupSetting:
    """The size of a board and the rule on it."""

    width: int
    height: int
    rule: Rule

    @property
    def start(self) -> str:
        """The line that starts a game on the board. Square boards must not be sent as rectangles."""
        if self.width == self.height:
            return f"START {self.width}"
        return f"RECTSTART {self.width},{self.height}"


def setting_of(game: Game) -> GomocupSetting | None:
    """Return the setting of *game*, or None for games that the protocol does not know.

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
    """Return the stones of *game* in the order of play, from the point of view of the side to move.

    The game must have a setting. The order of stones in a start position is not known, so they alternate.
    """
    cells = [index_of(game.shape, cells_of(move)[0]) for move in game.moves]
    played = set(cells)
    of_sides = [
        [index for index, mark in enumerate(game.cells) if mark == side and index not in played]
        for side in game.sides
    ]
    before = [index for index in chain.from_iterable(zip_longest(*of_sides)) if index is not None]
    stones: list[Stone] = []
    for index in before + cells:
        owner = Field.OWN if game.cells[index] == game.turn else Field.OTHER
        stones.append((*point_of(coordinate_of(game.shape, index)), owner))
    return tuple(stones)
