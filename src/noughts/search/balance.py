"""Balanced openings for computers: choosing the better side, and placing marks so that neither is.

The analyst evaluates each position with few nodes, so that the same position always has the same value.
"""

from collections.abc import Mapping, Sequence
from random import Random

from noughts.games.base import Game, Move
from noughts.games.openings import STAY, SWAP
from noughts.search.analysis import Limit
from noughts.search.analyst import Analyst
from noughts.search.numba_backend import python_machine

NODES = 100
"""The nodes for one way to place marks."""

NODES_TO_CHOOSE = 1_000
"""The nodes for a position before a side is chosen."""

NODES_TO_OPEN = 200
"""The nodes for one opening."""

MAX_TRIED = 12
"""The largest number of placements that are compared."""

PROVED = 1_000_000
"""The score of a proved win, greater than any other score."""


def choose_side(game: Game, answers: Sequence[str], limit: Limit) -> str:
    """Return ``swap`` if it is among *answers* and the side to move is worse, else ``stay``."""
    if SWAP not in answers:
        return STAY
    return SWAP if _value_of(_analyst(), game, NODES_TO_CHOOSE, limit.started()) < 0 else STAY


def place_evenly(game: Game, marks: int, limit: Limit) -> Move:
    """Return the first of *marks* marks that leave both sides nearly equal.

    Placements of all the marks are drawn at random, the same for the same position, until the limit is
    reached. The one with the smallest score wins.
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
    """Return up to *count* different, nearly even openings of *game* after *plies* plies.

    Each opening is a tuple of moves, and no two lead to the same position.

    For each opening, *chance* draws some positions near the middle of the board, and the most even one is
    taken. Openings that are seen to be won, or that end the game, are skipped. Only the engine evaluates
    positions, since exact searches would take minutes. It is compiled if possible, with the same results.
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

    The game has not ended in them, and the side to move cannot win at once. Nothing is searched, so this is
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
    """Return *game* after *plies* random moves; None if it has ended.

    Each move is drawn from the quarter of the legal moves with the greatest weight.
    """
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
    """Return the score of the position for the side to move; a proved win has the greatest."""
    result = analyst.analyse(game, Limit(nodes=nodes, stop=limit.stop))
    return (result.score or 0) if result.value is None else result.value * PROVED
