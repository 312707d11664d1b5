"""The moves by which a side would win at once if it were to move: threats as they stand on the board."""

from collections.abc import Iterator

from noughts.core.board import index_of
from noughts.core.lines import MAX_ENUMERATED, LineCounts, line_table
from noughts.games.base import Game, Move, Placement
from noughts.games.kinarow import KInARow
from noughts.search.trial import wins

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "wild", "notakto", "hex", "vanish", "players"))
"""The facts under which a move ends the game if it completes a line of the table."""


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
    if game.outcome is not None or len(game.sides) == 1 or len(game.cells) > MAX_ENUMERATED:
        return ()
    if isinstance(game, KInARow) and game.facts <= HANDLED:
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
    if game.outcome is not None or not game.facts <= HANDLED:
        return ()
    return tuple(_completing(game, game.rules.placed[0] if game.rules.notakto else game.turn))


def _completing(game: KInARow, side: str) -> Iterator[Move]:
    """The moves of k in a row that complete a line of the marks that *side* places."""
    rules = game.rules
    table = line_table(rules.geometry)
    if table is None:
        return
    counts = LineCounts(table, game.cells, rules.placed)
    if rules.vanish and (leaving := _leaving(game, side)) is not None:
        counts.lift(leaving)
    completing = {mark: counts.completing(mark) for mark in (rules.marks if rules.wild else (side,))}
    for move in game.legal_moves():
        cell, mark = move if isinstance(move, Placement) else (move, side)
        if index_of(rules.shape, cell) in completing[mark]:
            yield move


def _leaving(game: KInARow, side: str) -> int | None:
    """The cell whose mark leaves when *side* places its next one."""
    oldest = [cell for cell, codes in game.annotations().cells.items() if f"leaves:{side}" in codes]
    return index_of(game.shape, oldest[0]) if oldest else None
