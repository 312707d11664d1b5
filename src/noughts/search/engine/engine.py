"""The search for k-in-a-row boards that are too large for an exhaustive search."""

from dataclasses import replace

from noughts.core.board import coordinate_of
from noughts.core.geometry import TILINGS
from noughts.core.lines import can_enumerate
from noughts.errors import UnsupportedRules
from noughts.games.base import Game
from noughts.games.rules import Rules
from noughts.search.analysis import (
    Analysis,
    Limit,
    Progress,
    Report,
    analysis_of_end,
    handled_rules,
    no_report,
)
from noughts.search.background_compile import MachineSelector
from noughts.search.deepening import DeepeningResult
from noughts.search.engine.deepening import KERNELS, Deepening
from noughts.search.engine.incremental import memory_of
from noughts.search.numba_backend import Machine
from noughts.search.patterns.search import KERNELS as PATTERN_KERNELS
from noughts.search.patterns.search import PatternBoard, PatternSearch, has_patterns

HANDLED = frozenset(("gravity", "exact", "wrap", *TILINGS, "renju"))
"""The facts of the games that the engine can search: marks of two sides that stay, and a line wins."""

DEFAULT_NODES = 100_000

ENTRIES, ENTRIES_COMPILED = 1 << 15, 1 << 20
"""The number of table entries if there is no node limit, in Python and in compiled kernels."""


class Engine:
    """A search for strong moves on boards of any size: tactics, then forced wins, then alpha-beta.

    It handles games of two sides in which each side places marks of its own that stay, and a line wins. In
    renju it handles boards with patterns only.
    *report* is called with the progress. *machine* runs the kernels; by default the best one that is ready.

    >>> from noughts import new_game
    >>> game = new_game("gomoku")
    >>> Engine().search(game, Limit(nodes=100)).best
    (7, 7)
    """

    def __init__(self, report: Report = no_report, machine: Machine | None = None) -> None:
        self._report = report
        self._select_machine = MachineSelector(*KERNELS, *PATTERN_KERNELS, machine=machine)
        self._board: PatternBoard | None = None

    @staticmethod
    def supports(game: Game) -> bool:
        """Return True if :meth:`search` can search *game*."""
        return has_patterns(game) or _can_deepen(handled_rules(game, HANDLED))

    def prepare(self, wait_s: float = 0.0) -> None:
        """Start to load the compiled kernels, before a search is long enough to need them.

        If they are compiled already, wait up to *wait_s* seconds until they are loaded.
        """
        self._select_machine.prepare(wait_s)

    def search(self, game: Game, limit: Limit = Limit(nodes=DEFAULT_NODES)) -> Analysis:  # noqa: B008
        """Return a strong move, the value of the position if it is proved, and the expected line of play.

        ``score`` is heuristic. When the compiled kernels become ready, the search restarts with them, so the
        result is the same as if they had been ready from the start. Raises
        :class:`~noughts.errors.UnsupportedRules` for games that :meth:`supports` refuses.
        """
        if game.outcome is not None:
            return analysis_of_end(game)
        rules = handled_rules(game, HANDLED)
        if rules is None or not self.supports(game):
            reason = "unknown-rules" if rules is None else "too-large"
            raise UnsupportedRules("engine", game.name, reason, instead=("rule",))
        limit = limit.started()
        machine = self._select_machine(limit.stop)

        def report(result: DeepeningResult, nodes: int) -> None:
            pv = tuple(coordinate_of(game.shape, cell) for cell in search.line)
            self._report(Progress("searching", nodes, result.depth, pv[0], pv, result.score))

        def stop() -> bool:
            return limit.stop() or self._select_machine(limit.stop) is not machine

        side, own_limit = game.sides.index(game.turn), replace(limit, stop=stop)
        search: Deepening | PatternSearch
        if has_patterns(game):
            board = self._board_for(game, rules, limit, machine)
            search = PatternSearch(board, side, own_limit, report)
        else:
            memory = memory_of(game, rules, machine, _entries(limit, machine))
            search = Deepening(memory, side, machine, own_limit, report)
        if not search.search() and self._select_machine() is not machine and not limit.stop():
            return self.search(game, limit)
        if isinstance(search, PatternSearch):
            self._board = search.board
        result = search.result
        moves = tuple(coordinate_of(game.shape, cell) for cell in search.line)
        return Analysis(result.value, result.plies, moves[0], search.nodes, moves, (), result.score)

    def _board_for(self, game: Game, rules: Rules, limit: Limit, machine: Machine) -> PatternBoard:
        """Return a board with the position of *game*.

        Within a game it is the board of the last search, whose table is still useful. With a limit of nodes
        or of depth it is always cleared, so that the result does not depend on earlier searches.
        """
        board, self._board = self._board, None  # A second search at the same time takes another board.
        entries = _entries(limit, machine)
        if board is None or not board.suits(rules, entries, machine):
            del board  # Its memory must be free before the next board takes more.
            board = PatternBoard(rules, entries, machine)
        elif limit.nodes is not None or limit.depth is not None or not board.may_continue(game):
            board.clear()
        board.set_up(game)
        return board


def _can_deepen(rules: Rules | None) -> bool:
    """Return True if :class:`Deepening` can search games of *rules*. It knows no forbidden moves."""
    return rules is not None and not rules.renju and can_enumerate(rules.geometry)


def _entries(limit: Limit, machine: Machine) -> int:
    """Return the number of table entries, a power of two.

    With a limit of nodes or of depth it depends on the limit alone, and so does the result of the search.
    """
    if limit.nodes is not None:
        return 1 << min(20, max(10, limit.nodes.bit_length()))
    if limit.depth is not None:
        return ENTRIES
    return ENTRIES if machine.name == "python" else ENTRIES_COMPILED
