"""Detection of positions in which no side can complete a line any more."""

from noughts.core.geometry import TILINGS
from noughts.core.lines import LineCounts, line_table
from noughts.games.base import Game
from noughts.games.rules import Rules
from noughts.search.analysis import handled_rules

MAX_DIMENSIONS = 4
"""Maximum number of dimensions: with more, a board has so many lines that reading them takes seconds."""

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "wild", "notakto", *TILINGS, "players"))
"""The facts under which marks stay and lines are those of the line table."""


def is_dead_draw(game: Game) -> bool:
    """Return True if *game* is sure to be a draw, because no side can complete a line any more.

    Such draws are found in k in a row if marks stay, but not all of them: with gravity, or if longer lines do
    not count, a line may be out of reach although its cells are free. Return False for boards of more than
    4,096 cells or four dimensions, for other games, and after the end.

    >>> from noughts import TicTacToe
    >>> from noughts.games.notation import parse_position
    >>> [is_dead_draw(parse_position(TicTacToe(), text)) for text in ("XOX/XOO/O.X", "XOX/XO./O.X")]
    [True, False]
    """
    rules = handled_rules(game, HANDLED)
    if rules is None or game.is_over or len(game.shape) > MAX_DIMENSIONS:
        return False
    marks_left, k = _marks_left(game, rules), rules.k
    if all(game.cells.count(mark) + left < k for mark, left in marks_left.items()):
        return True
    table = line_table(rules.geometry)
    if table is None:
        return False
    counts = LineCounts(table, game.cells, rules.board_marks)
    return not any(
        count == filled and k - count <= left
        for mark, left in marks_left.items()
        for count, filled in zip(counts.counts[mark], counts.filled, strict=True)
    )


def _marks_left(game: Game, rules: Rules) -> dict[str, int]:
    """Return the number of marks of each kind that can still be placed."""
    free = game.cells.count(None)
    if rules.wild or rules.notakto:
        return dict.fromkeys(rules.board_marks, free)
    count, turn = len(game.sides), game.sides.index(game.turn)
    return {
        side: (free + count - 1 - (place - turn) % count) // count for place, side in enumerate(game.sides)
    }
