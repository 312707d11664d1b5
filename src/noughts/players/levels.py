"""Levels 1 to 10: the same player with more and more to think with, and fewer honest weaknesses.

What a level may use and what it overlooks stands in ``levels.json``, for each family of games; how strong
they are was measured, see :mod:`noughts.players.strengths`. A level makes its mistakes as people
do: it overlooks moves, it looks not far ahead, now and then its mind is elsewhere. It never makes a bad
move on purpose.
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
"""What stands behind the colon."""

EXACT_CELLS = 36
"""With more empty cells exact values are not tried for, unless lines are short."""

EXACT_CELLS_SHORT = 125
"""The same for lines of three cells or less."""

EXACT_SHARE = 0.25
"""The part of its seconds that the strongest level spends on exact values at most."""

COLUMNS_SHARE = 0.9
"""The same where marks fall, if the search is compiled: in Connect Four it is done after some eight plies."""

GLANCE = 2_000
"""How many moves a level tries at most when it plays by itself: every move of the largest boards once."""

FAR = 1_000_000
"""Where it is not known how many plies away a win or a loss is."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """What one level can do in one family of games."""

    alert: float
    """How likely it sees, when it is to move, that it can win at once, and how likely that it must stop
    the other side from winning at once."""
    depth: int
    """How many plies it looks ahead by itself."""
    overlooks: float
    """How likely it overlooks each of its moves."""
    nodes: int
    """How many moves it tries by a real search; with 0 it does not search."""
    lapses: float
    """How likely it plays without that search."""
    exact: int
    """How many moves it tries for the exact value; with 0 it does without."""


@cache
def abilities(level: str, family: str) -> Abilities:
    """What *level*, ``1`` to ``10``, can do in games of *family*."""
    data = json.loads(read_own_file("players/levels.json"))
    return Abilities(**data["families"][family][LEVELS.index(level)])


def family_of(game: Game) -> str:
    """Games in which the levels are alike: ``flat``, ``falling``, ``deep``, ``others``.

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
    """Plays as well as its *level* says, from 1, a beginner, to 10, the best there is.

    From level 4 up it never misses a win in one move, and never lets the other side win in one move where
    that can be prevented. Level 10 is perfect where the exact value is found, or proved by a certificate that
    is at hand, and uses what the limit allows in full; the others think as much as their level does, less
    where the limit is less. Boards of more than 361 cells, and games of three sides or more, are played by
    rules.
    """

    def __init__(self, level: str, chance: Random) -> None:
        if level not in LEVELS:
            raise NotFound("player", f"level:{level}", tuple(player_names()))
        self._level, self._chance = level, chance
        self._analyst = Analyst(chance=chance)
        self._glancer = Analyst(chance=chance)  # what it overlooks then, nobody should hear of

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
        if win is not None and self._happens(able.alert):
            return win
        order = self._preferred(game, able, limit, immediate)
        if not self._happens(able.alert):
            return order[0]
        safe = immediate.find_safe(order)[0]
        return immediate.slowest_loss(order) if safe is None else safe

    def _preferred(
        self, game: Game, able: Abilities, limit: Limit, immediate: ImmediateTactics
    ) -> list[Move]:
        """The moves it looks at, those it likes best first."""
        if not _searches(game):
            # All that is seen of a large board, or of one with many sides: by how many lines go through.
            return self._seen_first(sorted(immediate.moves, key=game.weight, reverse=True), able)
        moves = list(game.legal_moves())
        if len(moves) == 1:
            return moves
        if not able.nodes or self._happens(able.lapses):
            return self._by_itself(game, able, limit)
        best, nodes = self._exactly_best(game, able, limit)
        moves.sort(key=game.weight, reverse=True)
        favourite: Move | None = best[0]
        if len(best) > 1:
            favourite = self._analyst.search(game, self._left(able, limit, nodes)).best
        # Between equals the search decides: of two draws it likes the one that is easier to go wrong in.
        return sorted(moves, key=lambda move: (move not in best, move != favourite))

    def _by_itself(self, game: Game, able: Abilities, limit: Limit) -> list[Move]:
        """A short look ahead, in which some moves are overlooked."""
        moves = list(game.legal_moves())
        self._chance.shuffle(moves)
        nodes = GLANCE if limit.nodes is None else min(GLANCE, limit.nodes)
        scores = self._glancer.glance(game, replace(limit, depth=able.depth, nodes=nodes))
        moves.sort(key=scores.__getitem__, reverse=True)
        return self._seen_first(moves, able)

    def _seen_first(self, moves: list[Move], able: Abilities) -> list[Move]:
        """Those of *moves* that are not overlooked, in their order, and then the others in any."""
        seen = [move for move in moves if not self._happens(able.overlooks)]
        others = [move for move in moves if move not in set(seen)]
        self._chance.shuffle(others)
        return seen + others

    def _exactly_best(self, game: Game, able: Abilities, limit: Limit) -> tuple[list[Move], int]:
        """The moves of the best value, the quickest wins or longest defences; all where it is not found.

        And the nodes this took: at most half of those allowed.
        """
        moves = list(game.legal_moves())
        is_small = _is_small(game)
        if not able.exact or not (is_small or self._uses_proof(game)):
            return moves, 0
        most = able.exact if is_small else 1  # a certificate tells without a search
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
        """Whether a certificate tells this level what positions of *game* are worth: the strongest alone."""
        return self._level == LEVELS[-1] and self._analyst.is_proved(game)

    def _left(self, able: Abilities, limit: Limit, spent: int) -> Limit:
        """The limit of the search; the strongest level takes all that it is given."""
        nodes = None if limit.nodes is None else max(limit.nodes - spent, 0)
        if self._level != LEVELS[-1] or (limit.seconds is None and nodes is None):
            nodes = able.nodes if nodes is None else min(able.nodes, nodes)
        return replace(limit, seconds=None, nodes=nodes)

    def _happens(self, chance: float) -> bool:
        return self._chance.random() < chance


def has_fast_columns(game: Game) -> bool:
    """Whether exact values of *game* are found in columns, compiled: that search is given time, not nodes.

    On flat boards it mostly has them, on others once few cells are empty.
    """
    return game.facts == FALLING and (len(game.shape) == 2 or _is_small(game)) and can_compile()


def needs_speed(game: Game) -> bool:
    """Whether the strongest level looks farther in *game* where the extra ``fast`` compiles its search.

    It does not where it sees every position anyway, nor where nothing of its search is compiled.

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
    """Whether exact values may be found soon enough to be worth trying for."""
    if game.rules is None:
        return False
    free = game.cells.count(None)
    return free <= (EXACT_CELLS_SHORT if game.rules.k <= 3 else EXACT_CELLS)


def _timeliness(value: MoveValue) -> int:
    """Greater is better among moves of one value: the quickest win, the longest defence."""
    plies = FAR if value.plies is None else value.plies
    return -(value.value or 0) * plies
