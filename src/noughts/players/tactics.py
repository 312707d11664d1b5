"""What ends a game at once: moves that win now, and moves after which the other side cannot."""

from collections import deque
from collections.abc import Iterable, Sequence

from noughts.games.base import Game, Move
from noughts.players.sight import Sight


def winning_moves(game: Game, moves: Iterable[Move]) -> list[Move]:
    """Those of *moves* that end the game with a win for the side to move.

    >>> from noughts import TicTacToe
    >>> from noughts.games.notation import parse_position
    >>> game = parse_position(TicTacToe(), "XX./OO./...")
    >>> winning_moves(game, game.legal_moves())
    [(0, 2)]
    """
    side = game.turn
    wins = []
    for move in moves:
        game.play(move)
        if game.outcome is not None and game.outcome.winner == side:
            wins.append(move)
        game.undo()
    return wins


def find_safe(game: Game, order: Sequence[Move], sight: Sight) -> Move | None:
    """The first of *order* that neither loses at once nor lets the other side win at once; None if none is.

    Where the other side wins after one move it often wins after the others too: that reply is tried
    first, and its own cell is looked at next, so that a hundred moves cost little more than a few.
    """
    waiting = deque(order)
    seen: set[Move] = set()
    refutations: dict[Move, None] = {}
    while waiting:
        move = waiting.popleft()
        if move in seen:
            continue
        seen.add(move)
        refutation = _refute(game, move, sight, refutations)
        if refutation is None:
            return move
        if refutation and refutation[0] not in refutations:
            refutations = {refutation[0]: None, **refutations}
            if refutation[0] in order:
                waiting.appendleft(refutation[0])
    return None


def _refute(game: Game, move: Move, sight: Sight, first: Iterable[Move]) -> list[Move] | None:
    """None where *move* is safe; else the reply that wins at once, none where *move* itself loses.

    Of the replies *first* are tried before the others.
    """
    side = game.turn
    game.play(move)
    try:
        if game.outcome is not None:
            return [] if game.outcome.winner not in (None, side) else None
        if game.turn == side:
            return None
        replies = sight.endings(move)
        likely = [reply for reply in first if reply in replies]
        return winning_moves(game, likely)[:1] or winning_moves(game, replies)[:1] or None
    finally:
        game.undo()
