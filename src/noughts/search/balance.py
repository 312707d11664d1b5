"""Openings for computers: which side is better, and how to place marks so that neither is.

What a position is worth is asked of the analyst, with few nodes for each, so that the same position has
always the same answer.
"""

from collections.abc import Mapping, Sequence
from random import Random

from noughts.games.base import Game, Move
from noughts.games.openings import STAY, SWAP
from noughts.search.analysis import Limit
from noughts.search.analyst import Analyst
from noughts.search.numba_backend import python_machine

NODES = 100
"""What looking at one way to place marks may take."""

NODES_TO_CHOOSE = 1_000
"""What looking at the position may take before a side is chosen."""

NODES_TO_OPEN = 200
"""What looking at a way to begin a game may take."""

MAX_TRIED = 12
"""So many ways to place marks are compared at most."""

PROVED = 1_000_000
"""A proved win counts as much more than any score."""


def choose_side(game: Game, answers: Sequence[str], limit: Limit) -> str:
    """``swap`` where that may be answered and the side to move is the worse one, else ``stay``."""
    if SWAP not in answers:
        return STAY
    return SWAP if _value_of(_analyst(), game, NODES_TO_CHOOSE, limit.started()) < 0 else STAY


def place_evenly(game: Game, marks: int, limit: Limit) -> Move:
    """The first of so many *marks* that leave both sides nearly equal, as far as was seen.

    Ways to place all of them are drawn by chance, the same for the same position, until the limit stops that.
    """
    limit = limit.started()
    chance = Random(f"{game.name} {game.moves}")
    legal = list(game.legal_moves())
    firsts = legal if marks == 1 and len(legal) <= MAX_TRIED else chance.choices(legal, k=MAX_TRIED)
    analyst, best = _analyst(), (PROVED + 1, firsts[0])
    for first in firsts:
        position = game.copy()
        position.play(first)
        for _ in range(marks - 1):
            position.play(chance.choice(list(position.legal_moves())))
        best = min(best, (abs(_value_of(analyst, position, NODES, limit)), first), key=lambda tried: tried[0])
        if limit.stop():
            break
    return best[1]


def even_openings(game: Game, count: int, plies: int, chance: Random) -> list[tuple[Move, ...]]:
    """Up to *count* different positions of *game* after so many *plies*, each nearly even as far as was seen.

    Each is told by the moves that lead there; the same ones in another order lead nowhere else.

    Of some that *chance* draws near the middle of the board the evenest is taken; none that is seen to be
    won, or that ends the game. Only the engine is asked: so many exact searches would take minutes. It is
    compiled where that can be had, and sees the same then.
    """
    analyst, result = Analyst(), dict[object, tuple[Move, ...]]()
    weights = {move: game.weight(move) for move in game.legal_moves()}
    for _ in range(count):
        drawn = [
            position
            for _ in range(MAX_TRIED)
            if (position := _random_opening(game, plies, weights, chance)) is not None
        ]
        looked = (
            (analyst.search(position, Limit(nodes=NODES_TO_OPEN)), position)
            for position in drawn
            if position.key() not in result
        )
        values = [(abs(known.score or 0), position) for known, position in looked if not known.value]
        if values:
            evenest = min(values, key=lambda tried: tried[0])[1]
            result[evenest.key()] = evenest.moves
    return list(result.values())


def random_openings(game: Game, count: int, plies: int, chance: Random) -> list[tuple[Move, ...]]:
    """Return up to *count* different positions of *game* after *plies* moves, drawn near the middle.

    In none of them has the game ended, or can the side to move win at once. Nothing is searched, so this is
    quick for every game.
    """
    result = dict[object, tuple[Move, ...]]()
    weights = {move: game.weight(move) for move in game.legal_moves()}
    for _ in range(MAX_TRIED * count):
        position = _random_opening(game, plies, weights, chance)
        if position is not None and position.key() not in result and not _can_win_at_once(position):
            result[position.key()] = position.moves
            if len(result) == count:
                break
    return list(result.values())


def _can_win_at_once(position: Game) -> bool:
    side, after = position.turn, position.copy()
    for move in position.legal_moves():
        after.play(move)
        outcome = after.outcome
        after.undo()
        if outcome is not None and outcome.winner == side:
            return True
    return False


def _random_opening(game: Game, plies: int, weights: Mapping[Move, int], chance: Random) -> Game | None:
    """*game* after *plies* moves, each of the quarter of them with most weight; None where it has ended."""
    position = game.copy()
    for _ in range(plies):
        moves = sorted(position.legal_moves(), key=lambda move: weights.get(move, 0), reverse=True)
        position.play(chance.choice(moves[: max(MAX_TRIED, len(moves) // 4)]))
        if position.outcome is not None:
            return None
    return position


def _analyst() -> Analyst:
    return Analyst(machine=python_machine())


def _value_of(analyst: Analyst, game: Game, nodes: int, limit: Limit) -> int:
    """More is better for the side to move."""
    result = analyst.analyse(game, Limit(nodes=nodes, stop=limit.stop))
    return (result.score or 0) if result.value is None else result.value * PROVED
