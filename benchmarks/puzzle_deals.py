"""Dealt positions: random marks in which nothing is decided at once."""

from random import Random

from benchmarks.puzzle_grades import key_after
from noughts import Game, new_game
from noughts.games.base import Move
from noughts.search.analysis import Limit
from noughts.search.explain.immediate import ImmediateTactics
from noughts.search.explain.threat_search import ThreatSearch

MIDDLE = 81
"""The number of cells for the marks on a large board, those with most lines."""

DEALT_NODES = 1_000
"""The number of nodes to find a win by threats in a dealt position."""


def deal(name: str, number: int, fewest: int, most: int) -> Game:
    """Return a game with random marks that end nothing.

    In games of lines no side can win at once. It has fewer marks if no more are possible.
    """
    chance, game = Random(f"dealt {name} {number} {most}"), new_game(name)
    many = chance.randint(fewest, most)
    while game.ply < many:
        moves = list(game.legal_moves())
        chance.shuffle(moves)
        if len(moves) > MIDDLE:
            moves = sorted(moves, key=game.weight, reverse=True)[: MIDDLE - game.ply]
        move = next((move for move in moves if _is_calm(game, move)), None)
        if move is None:
            break
        game.play(move)
    return game


def _is_calm(game: Game, move: Move) -> bool:
    """Return True if *move* ends nothing, and in games of lines gives no side an immediate win."""
    after = game.copy()
    after.play(move)
    if after.outcome is not None or not ThreatSearch.supports(game):
        return after.outcome is None
    return all(ImmediateTactics(one).find_win() is None for one in _for_either(after))


def _for_either(game: Game) -> list[Game]:
    """Yield *game* with one side and the other to move, if the rules allow it."""
    twins = (game.with_turn(side) for side in game.sides)
    return [twin for twin in twins if twin is not None]


def is_interesting(game: Game) -> bool:
    """Return True if *game* is not decided at once, and in games of lines one side would win by threats."""
    at_once, moves = ImmediateTactics(game), list(moves_by_position(game).values())
    if at_once.find_win() is not None:
        return False
    first = at_once.find_safe([same[0] for same in moves])[0]
    if first is None or at_once.find_safe([same[0] for same in moves if first not in same])[0] is None:
        return False
    wins = (ThreatSearch(one).solve(Limit(nodes=DEALT_NODES)).value == 1 for one in _for_either(game))
    return not ThreatSearch.supports(game) or any(wins)


def moves_by_position(game: Game) -> dict[object, list[Move]]:
    """Return the moves of *game* by the positions that they lead to."""
    same: dict[object, list[Move]] = {}
    for move in game.legal_moves():
        same.setdefault(key_after(game, move), []).append(move)
    return same
