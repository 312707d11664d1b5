"""The answers to questions: moves of our strongest search, and what there is to say in a swap2 opening."""

from collections.abc import Sequence
from dataclasses import replace
from math import dist
from random import Random

from noughts.games.base import Game, Move
from noughts.games.catalogue import new_game
from noughts.games.moves import cells_of
from noughts.games.openings import SWAP
from noughts.games.rules import Rules
from noughts.interfaces.engine.dialogue import Question
from noughts.players.base import Player
from noughts.players.levels import LEVELS, LevelPlayer
from noughts.search.analysis import Limit, Progress, Report
from noughts.search.analyst import Analyst
from noughts.search.balance import choose_side, place_evenly
from noughts.search.engine.engine import Engine
from noughts.search.explain.immediate import SMALL_CELLS
from noughts.search.numba_backend import Machine, python_machine
from noughts.workers.protocols.gomocup import Point, format_point, point_of

COMPILED_BYTES = 320 << 20
"""With less memory than this the compiled search, its compiler and its tables are not loaded."""

LOADING_S = 60.0
"""Seconds that the compiled search has to be loaded, while nobody need wait for that."""

SETTLING = 0.5
"""The share of its time that it takes at most to settle sides: that ends not as promptly as a search."""

PLACED = 3
"""How many stones are placed first in a swap2 opening."""


class SearchPlayer(Player):
    """Plays what the search finds, on boards of any size, without looking for exact values."""

    def __init__(self, machine: Machine | None) -> None:
        self._analyst = Analyst(machine=machine)

    def report_to(self, report: Report) -> None:
        self._analyst.report = report

    def choose(self, game: Game, limit: Limit) -> Move:
        move = self._analyst.search(game, limit).best
        assert move is not None  # noqa: S101 - the game goes on
        return move


class Thinker:
    """Thinks about one question after another; what it remembers of a game helps with the next move."""

    def __init__(self) -> None:
        self._player: Player | None = None
        self._made_for: tuple[str, bool] | None = None

    def prepare(self, expected: Sequence[Rules], max_memory: int) -> None:
        """Make the tables of a board, and all that is made once, as for a move that has no time.

        The compiled search is loaded: beside the first move that would take time of it.
        """
        games = [new_game(rules.spec) for rules in expected]
        is_compiled = _has_room(max_memory) and any(map(Engine.supports, games))
        if is_compiled:
            Engine().prepare()
        for game in games:
            _first_look(game)
        if is_compiled:
            Engine().prepare(LOADING_S)

    def think(self, question: Question, limit: Limit, report: Report) -> tuple[Point, ...]:
        """The points to answer with; none for ``SWAP``. *report* is told of progress."""
        game = question.game
        if question.is_swap2:
            part = limit if limit.seconds is None else replace(limit, seconds=limit.seconds * SETTLING)
            if not any(game.cells):
                return _place(game, part)
            if choose_side(game, (SWAP,), part) == SWAP:
                return ()
        player = self._player_for(game, has_room=_has_room(question.max_memory))
        if not any(game.cells):
            limit = Limit(seconds=0)  # the middle, which needs no thought
        elif Engine.supports(game):
            report(Progress("searching", best=_first_look(game)))
        player.report_to(report)
        return (point_of_move(player.choose(game.copy(), limit)),)

    def _player_for(self, game: Game, *, has_room: bool) -> Player:
        """Who plays *game*; with little room the compiled search and exact values are done without."""
        if self._player is None or self._made_for != (game.name, has_room):
            self._made_for = game.name, has_room
            if has_room and len(game.cells) <= SMALL_CELLS:
                self._player = LevelPlayer(LEVELS[-1], Random(0))
            else:
                self._player = SearchPlayer(None if has_room else python_machine())
        return self._player


def _has_room(max_memory: int) -> bool:
    """Whether the compiled search may be loaded."""
    return not 0 < max_memory < COMPILED_BYTES


def _first_look(game: Game) -> Move:
    """What is to be done at once, or seems best: a search that is late has at least that."""
    return SearchPlayer(python_machine()).choose(game, Limit(seconds=0))


def _place(game: Game, limit: Limit) -> tuple[Point, ...]:
    """Three stones that leave both sides nearly equal."""
    limit = limit.started()
    game, points = game.copy(), list[Point]()
    for marks in range(PLACED, 0, -1):
        move = place_evenly(game, marks, limit)
        game.play(move)
        points.append(point_of_move(move))
    return tuple(points)


def likely(game: Game) -> Move:
    """A move for want of time: through as many lines as can be, then near the middle."""
    middle = [(length - 1) / 2 for length in game.shape]
    return max(game.legal_moves(), key=lambda move: (game.weight(move), -dist(cells_of(move)[0], middle)))


def middles(game: Game) -> tuple[Point, ...]:
    """Three stones for want of time, in the middles of three edges: so far apart they help neither side."""
    height, width = game.shape
    return (width // 2, 0), (0, height // 2), (width // 2, height - 1)


def tell(progress: Progress, best: Move) -> str:
    """The line that tells *progress*, with its *best* move."""
    score = "" if progress.score is None else f" score {progress.score}"
    line = " ".join(format_point(point_of_move(move)) for move in progress.pv or (best,))
    return f"MESSAGE depth {progress.depth} nodes {progress.nodes}{score} pv {line}"


def point_of_move(move: Move) -> Point:
    """The point on which *move* places a stone."""
    return point_of(cells_of(move)[0])
