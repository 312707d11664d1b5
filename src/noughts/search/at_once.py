"""The moves by which a side would win at once if it were to move: threats as they stand on the board."""

from noughts.core.board import index_of
from noughts.core.lines import MAX_ENUMERATED, LineCounts, line_table
from noughts.games.base import Game, Move
from noughts.games.moves import cells_of, choices_of
from noughts.games.rules import Rules
from noughts.search.handling import handled_rules
from noughts.search.trial import wins

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "wild", "notakto", "hex", "vanish", "players"))
"""The facts under which a move ends the game if it completes a line of the table."""


def wins_at_once(game: Game, side: str) -> tuple[Move, ...] | None:
    """The moves by which *side* would win at once if it were to move in *game*, in the order of moves.

    For the side to move these are the moves that win. For another one it is known under the rules of k in a
    row that are handled, and where the game can tell :meth:`~noughts.games.base.Game.with_turn`; elsewhere,
    and on boards of more than 4,096 cells, it is None. There are none in puzzles, and after the end.

    >>> from noughts import TicTacToe
    >>> game = TicTacToe()
    >>> for cell in [(0, 0), (1, 1), (0, 1)]:
    ...     game.play(cell)
    >>> wins_at_once(game, "X"), wins_at_once(game, "O")
    (((0, 2),), ())
    """
    if game.outcome is not None or len(game.sides) == 1:
        return ()
    rules = handled_rules(game, HANDLED)
    if rules is not None:
        return () if rules.line_loses else _completing(game, rules, side)
    if len(game.cells) > MAX_ENUMERATED:
        return None
    tried = game.with_turn(side)
    if tried is None:
        return None
    return tuple(move for move in tried.legal_moves() if wins(tried, move))


def losses_at_once(game: Game) -> tuple[Move, ...] | None:
    """The moves by which the side to move would lose at once; None on boards of more than 4,096 cells.

    >>> from noughts import new_game
    >>> from noughts.games.notation import parse_position
    >>> losses_at_once(parse_position(new_game("misere"), "XX./OO./..."))
    ((0, 2),)
    """
    if game.outcome is not None:
        return ()
    rules = handled_rules(game, HANDLED)
    if rules is not None and rules.line_loses:
        return _completing(game, rules, rules.placed[0] if rules.notakto else game.turn)
    if len(game.cells) > MAX_ENUMERATED:
        return None
    tried = game.copy()
    return tuple(move for move in tried.legal_moves() if _loses(tried, move))


def _loses(game: Game, move: Move) -> bool:
    """Whether legal *move* ends the game with a win of another side; the game is left as it was."""
    side = game.turn
    game.play(move)
    winner = game.winner
    game.undo()
    return winner not in (None, side)


def _completing(game: Game, rules: Rules, side: str) -> tuple[Move, ...] | None:
    """The moves of k in a row that complete a line of the marks that *side* places."""
    table = line_table(rules.geometry)
    if table is None:
        return None
    counts = LineCounts(table, game.cells, rules.placed)
    if rules.vanish and (leaving := _leaving(game, side)) is not None:
        counts.lift(leaving)
    completing = {mark: counts.completing(mark) for mark in (rules.marks if rules.wild else (side,))}
    return tuple(
        move
        for move in game.legal_moves()
        if index_of(rules.shape, cells_of(move)[0]) in completing[next(iter(choices_of(move)), side)]
    )


def _leaving(game: Game, side: str) -> int | None:
    """The cell whose mark leaves when *side* places its next one."""
    oldest = [cell for cell, codes in game.annotations().cells.items() if f"leaves:{side}" in codes]
    return index_of(game.shape, oldest[0]) if oldest else None
