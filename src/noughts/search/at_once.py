"""The moves by which a side would win at once if it were to move: threats as they stand on the board."""

from collections.abc import Iterator
from itertools import islice, takewhile

from noughts.core.board import Coordinate, index_of
from noughts.core.geometry import Geometry, coordinates
from noughts.games.base import Game, Move, Placement
from noughts.games.ending import LinesByMask, lines_by_mask
from noughts.games.kinarow import KInARow
from noughts.search.space import MAX_CELLS
from noughts.search.trial import wins


def wins_at_once(game: Game, side: str) -> tuple[Move, ...]:
    """The moves by which *side* would win at once if it were to move in *game*, in the order of moves.

    For the side to move these are the moves that win. For another one it is known in k in a row, and where
    the game can tell :meth:`~noughts.games.base.Game.with_turn`; elsewhere, and on boards of more than 4,096
    cells, nothing is found. None of it is found for puzzles, and after the end.

    >>> from noughts import TicTacToe
    >>> game = TicTacToe()
    >>> for cell in [(0, 0), (1, 1), (0, 1)]:
    ...     game.play(cell)
    >>> wins_at_once(game, "X"), wins_at_once(game, "O")
    (((0, 2),), ())
    """
    if game.outcome is not None or len(game.sides) == 1 or len(game.cells) > MAX_CELLS:
        return ()
    if isinstance(game, KInARow):
        return () if game.rules.line_loses else tuple(_completing(game, side))
    tried = game.with_turn(side)
    if tried is None:
        return ()
    return tuple(move for move in tried.legal_moves() if wins(tried, move))


def completes_at_once(game: KInARow) -> tuple[Move, ...]:
    """The moves by which the side to move would complete a line, which it may be better not to.

    None are found after the end and on boards of more than 4,096 cells.

    >>> from noughts import new_game
    >>> from noughts.games.notation import parse_position
    >>> completes_at_once(parse_position(new_game("misere"), "XX./OO./..."))
    ((0, 2),)
    """
    if game.outcome is not None or len(game.cells) > MAX_CELLS:
        return ()
    return tuple(_completing(game, game.rules.placed[0] if game.rules.notakto else game.turn))


def _completing(game: KInARow, side: str) -> Iterator[Move]:
    """The moves of k in a row that complete a line of the marks that *side* places."""
    rules = game.rules
    lines = lines_by_mask(rules.shape, rules.k, rules.wrap, rules.exact)
    if lines is None:
        return
    held = {mark: _held(game, mark) for mark in (rules.marks if rules.wild else (side,))}
    likely = {mark: _likely(lines.geometry, cells) for mark, cells in held.items()}
    masks = {mark: lines.geometry.mask(tuple(cells)) for mark, cells in held.items()}
    for move in game.legal_moves():
        cell, mark = move if isinstance(move, Placement) else (move, side)
        if cell in likely[mark] or rules.k == 1:
            index = index_of(rules.shape, cell)
            if _completes(lines, masks[mark] | 1 << index, index):
                yield move


def _held(game: KInARow, mark: str) -> set[Coordinate]:
    """The cells that bear *mark* once the next one is placed: where marks vanish the oldest may leave."""
    known = coordinates(game.shape)
    held = {known[index] for index, borne in enumerate(game.cells) if borne == mark}
    if game.rules.vanish and len(held) == game.rules.vanish:
        ages = game.extra.split(";")[game.sides.index(mark)]
        held.discard(known[int(ages.split(",")[0]) - 1])
    return held


def _likely(geometry: Geometry, held: set[Coordinate]) -> set[Coordinate]:
    """The cells beside marks that stand in a row of all but one: to look at others takes too long."""
    found: set[Coordinate] = set()
    for cell in held:
        for step in geometry.steps:
            for way in (step, tuple(-by for by in step)):
                for beside in islice(geometry.walk(cell, way), 1):
                    if beside not in held and _row_with(geometry, beside, way, held) >= geometry.k:
                        found.add(beside)
    return found


def _row_with(geometry: Geometry, cell: Coordinate, step: Coordinate, held: set[Coordinate]) -> int:
    """How long the row along *step* would be, if *cell* were *held* too; a line is enough each way."""
    ways = (step, tuple(-by for by in step))
    rows = (takewhile(held.__contains__, islice(geometry.walk(cell, way), geometry.k)) for way in ways)
    return 1 + sum(1 for row in rows for _ in row)


def _completes(lines: LinesByMask, mine: int, index: int) -> bool:
    """Whether *mine*, the cells with one mark, holds a line through the cell of *index*."""
    return any(mine & care == line for _, tests in lines[index] for care, line in tests)
