"""perft: the number of move sequences of each length, a standard test of rules."""

from noughts.games.base import Game, check_game


def perft(game: Game, depth: int) -> list[int]:
    """Return the number of sequences of 1, 2, ... *depth* moves from the position of *game*.

    A finished game is not extended, so a sequence shorter than *depth* is not counted for it. For a *depth*
    below 1 the list is empty. Raises ``TypeError`` if *game* is not a :class:`~noughts.games.base.Game` or
    *depth* is not a whole number.

    >>> from noughts import TicTacToe
    >>> perft(TicTacToe(), 5)
    [9, 72, 504, 3024, 15120]
    """
    check_game(game)
    counts = [0] * depth
    if counts:
        _count(game.copy(), 0, counts)
    return counts


def _count(game: Game, ply: int, counts: list[int]) -> None:
    moves = game.legal_moves()
    counts[ply] += len(moves)
    if ply + 1 < len(counts):
        for move in moves:
            game.play(move)
            _count(game, ply + 1, counts)
            game.undo()
