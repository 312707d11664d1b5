"""Whether a game can still be won, by what stands on the board: the shortest proof of a draw."""

from noughts.core.lines import LineCounts, line_table
from noughts.games.base import Game
from noughts.games.rules import Rules
from noughts.search.analysis import handled_rules

MAX_DIMENSIONS = 4
"""Boards of more have so many lines that to look through them takes seconds."""

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "wild", "notakto", "hex", "players"))
"""The facts under which no mark ever leaves and lines are those of the table."""


def is_dead_draw(game: Game) -> bool:
    """Whether nobody can complete a line any more, however it goes on, so that *game* will be a draw.

    It is found in k in a row where marks stay, but not of every game: where marks fall or longer lines do
    not count, a line may be out of reach although its cells are free. On boards of more than 4,096 cells or
    four dimensions, elsewhere, and after the end it is not found.

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
    """How many more of each mark can be placed."""
    free = game.cells.count(None)
    if rules.wild or rules.notakto:
        return dict.fromkeys(rules.board_marks, free)
    count, turn = len(game.sides), game.sides.index(game.turn)
    return {
        side: (free + count - 1 - (place - turn) % count) // count for place, side in enumerate(game.sides)
    }
