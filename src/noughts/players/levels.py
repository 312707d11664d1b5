"""Levels 1 to 10: the same player with increasing resources and decreasing weaknesses.

``levels.json`` has the resources and the mistakes of each level, for each family of games. Their strength was
measured, see :mod:`noughts.players.strengths`. A level makes its mistakes as people do: it overlooks moves,
searches only a few plies, and sometimes does not pay attention. It never makes a bad move on purpose.
"""

import json
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from noughts.errors import GameOver, NotFound
from noughts.games.base import Game, Move
from noughts.own_files import read_own_file
from noughts.players.base import Player, decline_puzzle, player_names
from noughts.search.analysis import Limit, MoveValue, Report
from noughts.search.analyst import Analyst
from noughts.search.background_compile import PREPARING_S, can_compile
from noughts.search.engine.engine import Engine
from noughts.search.explain.immediate import SMALL_CELLS, ImmediateTactics

FALLING = frozenset(("gravity",))
"""The facts of games in which marks fall and nothing else is unusual."""

LEVELS = tuple(str(number) for number in range(1, 11))
"""The arguments behind the colon of the name."""

EXACT_CELLS = 36
"""The maximum number of empty cells for exact values, unless lines are short."""

EXACT_CELLS_SHORT = 125
"""The maximum number of empty cells for exact values if lines have at most three cells."""

EXACT_SHARE = 0.25
"""The maximum share of its seconds that the strongest level spends on exact values."""

COLUMNS_SHARE = 0.9
"""The maximum share of the seconds if marks fall and the search is compiled.

In Connect Four it is complete after some eight plies.
"""

GLANCE = 2_000
"""The maximum number of moves that a level tries by itself: every move of the largest boards once."""

FAR = 1_000_000
"""The number of plies to a win or a loss of unknown distance."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """The abilities of one level in one family of games."""

    alert: float
    """The probability of seeing a win in one move, and one of the other side that must be stopped."""
    depth: int
    """The number of plies of the level's own short search."""
    overlooks: float
    """The probability of overlooking each of its moves."""
    nodes: int
    """The number of moves that the full search tries. With 0 there is no full search."""
    lapses: float
    """The probability of playing without the full search."""
    exact: int
    """The number of moves that the search for the exact value tries. With 0 there is no such search."""


@cache
def abilities(level: str, family: str) -> Abilities:
    """Return the abilities of *level*, ``1`` to ``10``, in games of *family*."""
    data = json.loads(read_own_file("players/levels.json"))
    return Abilities(**data["families"][family][LEVELS.index(level)])


def family_of(game: Game) -> str:
    """Return the family of *game* for levels: ``flat``, ``falling``, ``deep`` or ``others``.

    >>> from noughts import new_game
    >>> [family_of(new_game(name)) for name in ("gomoku", "connect4", "qubic", "reversi")]
    ['flat', 'falling', 'deep', 'others']
    """
    if game.rules is None or not Analyst.has_engine(game):
        return "others"
    if game.rules.gravity:
        return "falling"
    return "deep" if len(game.shape) > 2 else "flat"


class LevelPlayer(Player):
    """A player of the strength *level*, from 1, a beginner, to 10, the strongest.

    From level 4 up it never misses a win in one move. It also prevents each win of the other side in one
    move, if possible. Level 10 is perfect if the exact value is found, or proved by an installed certificate,
    and uses the limit completely. The others use the resources of their level, or fewer if the limit is
    smaller. On boards of more than 361 cells, and in games of three sides or more, all levels play by rules.
    """

    def __init__(self, level: str, chance: Random) -> None:
        if level not in LEVELS:
            raise NotFound("player", f"level:{level}", tuple(player_names()))
        self._level, self._chance = level, chance
        self._analyst = Analyst(chance=chance)
        self._glancer = Analyst(chance=chance)  # its oversights must not be reported

    def report_to(self, report: Report) -> None:
        self._analyst.report = report

    def take_seat(self, game: Game) -> None:
        decline_puzzle("level", game)

    def prepare(self, game: Game) -> None:
        is_searched = (
            abilities(self._level, family_of(game)).nodes and _searches(game) and not _is_small(game)
        )
        if is_searched and Engine.supports(game):
            Engine().prepare(PREPARING_S)

    def choose(self, game: Game, limit: Limit) -> Move:
        if game.outcome is not None:
            raise GameOver
        limit = limit.started()
        immediate = ImmediateTactics(game)
        able = abilities(self._level, family_of(game))
        win = immediate.find_win()
        if win is not None and self._by_chance(able.alert):
            return win
        order = self._preferred(game, able, limit, immediate)
        if not self._by_chance(able.alert):
            return order[0]
        safe = immediate.find_safe(order)[0]
        return immediate.slowest_loss(order) if safe is None else safe

    def _preferred(
        self, game: Game, able: Abilities, limit: Limit, immediate: ImmediateTactics
    ) -> list[Move]:
        """Return the moves that it considers, best first."""
        if not _searches(game):
            # On a large board, or with many sides, moves are compared only by the number of lines through
            # them.
            return self._overlooked_last(sorted(immediate.moves, key=game.weight, reverse=True), able)
        moves = list(game.legal_moves())
        if len(moves) == 1:
            return moves
        if not able.nodes or self._by_chance(able.lapses):
            return self._short_search(game, able, limit)
        best, nodes = self._best_by_value(game, able, limit)
        moves.sort(key=game.weight, reverse=True)
        favourite: Move | None = best[0]
        if len(best) > 1:
            favourite = self._analyst.search(game, self._search_limit(able, limit, nodes)).best
        # Between equal moves the search decides: of two draws it prefers the one that is harder for the other
        # side.
        return sorted(moves, key=lambda move: (move not in best, move != favourite))

    def _short_search(self, game: Game, able: Abilities, limit: Limit) -> list[Move]:
        """Return the moves by a short search, in which some moves are overlooked."""
        moves = list(game.legal_moves())
        self._chance.shuffle(moves)
        nodes = GLANCE if limit.nodes is None else min(GLANCE, limit.nodes)
        scores = self._glancer.glance(game, replace(limit, depth=able.depth, nodes=nodes))
        moves.sort(key=scores.__getitem__, reverse=True)
        return self._overlooked_last(moves, able)

    def _overlooked_last(self, moves: list[Move], able: Abilities) -> list[Move]:
        """Return the moves that are not overlooked, in their order, and then the others in random order."""
        seen = [move for move in moves if not self._by_chance(able.overlooks)]
        others = [move for move in moves if move not in set(seen)]
        self._chance.shuffle(others)
        return seen + others

    def _best_by_value(self, game: Game, able: Abilities, limit: Limit) -> tuple[list[Move], int]:
        """Return the moves of the best value, and the number of nodes that this took.

        They are the quickest wins or the longest defences, or all moves if the value is not found. The search
        uses at most half of the allowed nodes.
        """
        moves = list(game.legal_moves())
        is_small = _is_small(game)
        if not able.exact or not (is_small or self._uses_proof(game)):
            return moves, 0
        most = able.exact if is_small else 1  # a certificate needs no search
        nodes = most if limit.nodes is None else min(most, limit.nodes // 2)
        if limit.seconds is None:
            analysis = self._analyst.analyse(game, replace(limit, nodes=nodes))
        elif limit.nodes is None and has_fast_columns(game):
            analysis = self._analyst.values(game, replace(limit, seconds=limit.seconds * COLUMNS_SHARE))
        else:
            share = limit.seconds * EXACT_SHARE
            analysis = self._analyst.analyse(game, replace(limit, seconds=share, nodes=nodes))
        if analysis.value is None:
            likely = [value.move for value in analysis.moves if value.value != -1]
        else:
            worth = [value for value in analysis.moves if value.value == analysis.value]
            best = max(map(_timeliness, worth), default=0)
            likely = [value.move for value in worth if _timeliness(value) == best]
        return likely or moves, analysis.nodes

    def _uses_proof(self, game: Game) -> bool:
        """Return True if this is the strongest level and a certificate proves the values of *game*."""
        return self._level == LEVELS[-1] and self._analyst.is_proved(game)

    def _search_limit(self, able: Abilities, limit: Limit, spent: int) -> Limit:
        """Return the limit of the search. The strongest level uses all that remains."""
        nodes = None if limit.nodes is None else max(limit.nodes - spent, 0)
        if self._level != LEVELS[-1] or (limit.seconds is None and nodes is None):
            nodes = able.nodes if nodes is None else min(able.nodes, nodes)
        return replace(limit, seconds=None, nodes=nodes)

    def _by_chance(self, chance: float) -> bool:
        return self._chance.random() < chance


def has_fast_columns(game: Game) -> bool:
    """Return True if a compiled search by columns finds exact values of *game*, by time instead of nodes.

    On flat boards it finds most values, on others only when few cells are empty.
    """
    return game.facts == FALLING and (len(game.shape) == 2 or _is_small(game)) and can_compile()


def needs_speed(game: Game) -> bool:
    """Return True if the strongest level searches deeper in *game* with the extra ``fast``.

    This is not the case if it searches every position anyway, or if no part of its search is compiled.

    >>> from noughts import new_game
    >>> [needs_speed(new_game(name)) for name in ("gomoku", "tictactoe", "reversi", "20x20:5")]
    [True, False, False, False]
    """
    family = family_of(game)
    positions = (len(game.sides) + 1) ** len(game.cells)
    return family != "others" and _searches(game) and positions > abilities(LEVELS[-1], family).exact


def _searches(game: Game) -> bool:
    return len(game.sides) == 2 and len(game.cells) <= SMALL_CELLS


def _is_small(game: Game) -> bool:
    """Return True if exact values of *game* may be found in useful time."""
    if game.rules is None:
        return False
    free = game.cells.count(None)
    return free <= (EXACT_CELLS_SHORT if game.rules.k <= 3 else EXACT_CELLS)


def _timeliness(value: MoveValue) -> int:
    """Return a score among moves of one value: greater for a quicker win or a longer defence."""
    plies = FAR if value.plies is None else value.plies
    return -(value.value or 0) * plies
