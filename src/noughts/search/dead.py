"""Whether a game can still be won, by what stands on the board: the shortest proof of a draw."""

from noughts.core.geometry import Geometry, Line, coordinates
from noughts.games.base import Game
from noughts.games.kinarow import KInARow
from noughts.search.space import MAX_CELLS


def is_dead(game: Game) -> bool:
    """Whether nobody can complete a line any more, however it goes on, so that *game* will be a draw.

    It is found in k in a row where marks stay; elsewhere, on boards of more than 4,096 cells, and after the
    end it is not.

    >>> from noughts import TicTacToe
    >>> from noughts.games.notation import parse_position
    >>> [is_dead(parse_position(TicTacToe(), text)) for text in ("XOX/XOO/O.X", "XOX/XO./O.X")]
    [True, False]
    """
    if not isinstance(game, KInARow) or game.is_over or game.rules.vanish or len(game.cells) > MAX_CELLS:
        return False
    left = _marks_left(game)

    def can_be_filled(line: Line) -> bool:
        borne = [game[cell] for cell in line.cells]
        return any(set(borne) <= {mark, None} and borne.count(None) <= count for mark, count in left.items())

    geometry = Geometry(game.rules.shape, game.rules.k, game.rules.wrap)
    free = (cell for cell in coordinates(game.shape) if game[cell] is None)
    return not any(can_be_filled(line) for cell in free for line in geometry.lines_through(cell))


def _marks_left(game: KInARow) -> dict[str, int]:
    """How many more of each mark can be placed."""
    free, rules = game.cells.count(None), game.rules
    if rules.wild or rules.notakto:
        return dict.fromkeys(rules.placed, free)
    count, turn = len(game.sides), game.sides.index(game.turn)
    return {
        side: (free + count - 1 - (place - turn) % count) // count for place, side in enumerate(game.sides)
    }
