"""The searcher for k-in-a-row boards that no search exhausts."""

from noughts.core.board import coordinate_of
from noughts.core.lines import can_enumerate
from noughts.errors import UnsupportedRules
from noughts.games.base import Game
from noughts.games.rules import Rules
from noughts.search.analysis import Analysis, Limit, Progress, Report, analysis_of_end, no_report
from noughts.search.compiled import Machine, best_machine, python_machine
from noughts.search.engine.deepening import Deepening, Found, prepare
from noughts.search.engine.incremental import empty_memory, memory_of
from noughts.search.handling import handled_rules

HANDLED = frozenset(("gravity", "exact", "wrap", "hex"))
"""The facts that it answers for: each of two sides places marks of its own that stay, and a line wins."""

DEFAULT_NODES = 100_000

PYTHON_CELLS = 16
"""On boards up to this size Python is fast enough, and ready at once."""

ENTRIES, ENTRIES_COMPILED = 1 << 15, 1 << 20
"""How many positions are remembered where no limit tells how many there will be."""


class Engine:
    """Finds strong moves on boards of any size: tactics first, then forced wins, then a search.

    It plays games of two sides in which each side places marks of its own that stay, and a line wins.
    *report* is told of progress; *machine* runs the kernels, the best there is if None.

    >>> from noughts import new_game
    >>> game = new_game("gomoku")
    >>> Engine().search(game, Limit(nodes=100)).best
    (7, 7)
    """

    def __init__(self, report: Report = no_report, machine: Machine | None = None) -> None:
        self._report = report
        self._machine = machine

    @staticmethod
    def supports(game: Game) -> bool:
        """Whether *game* is one of those that :meth:`search` can search."""
        rules = handled_rules(game, HANDLED)
        return rules is not None and can_enumerate(rules.geometry)

    def search(self, game: Game, limit: Limit = Limit(nodes=DEFAULT_NODES)) -> Analysis:  # noqa: B008
        """A strong move, what it is worth if that is proved, and the line of play it begins.

        The seconds of *limit* begin when all is ready. ``score`` is heuristic. Raises
        :class:`~noughts.errors.UnsupportedRules` for games that :meth:`supports` declines.
        """
        if game.outcome is not None:
            return analysis_of_end(game)
        machine = self.prepare(game)
        limit = limit.started()
        memory = memory_of(game, self._checked(game), machine, _entries(limit, machine))

        def tell(found: Found, nodes: int) -> None:
            pv = tuple(coordinate_of(game.shape, cell) for cell in found.line)
            self._report(Progress("searching", nodes, found.depth, pv[0], pv, found.score))

        search = Deepening(memory, game.sides.index(game.turn), machine, limit, tell)
        search.search()
        found = search.found
        moves = tuple(coordinate_of(game.shape, cell) for cell in found.line)
        return Analysis(found.value, found.plies, moves[0], search.nodes, moves, (), found.score)

    def prepare(self, game: Game) -> Machine:
        """What searches *game*, with all compiled and the board's lines found: that takes seconds at first.

        Raises :class:`~noughts.errors.UnsupportedRules` for games that :meth:`supports` declines.
        """
        rules = self._checked(game)
        if self._machine is None and len(game.cells) <= PYTHON_CELLS:
            machine = python_machine()
        else:
            machine = self._machine = self._machine or best_machine(self._report)
            prepare(machine)
        empty_memory(rules, machine)
        return machine

    def _checked(self, game: Game) -> Rules:
        rules = handled_rules(game, HANDLED)
        if rules is None or not can_enumerate(rules.geometry):
            reason = "unknown-rules" if rules is None else "too-large"
            raise UnsupportedRules("engine", game.name, reason, instead=("rule",))
        return rules


def _entries(limit: Limit, machine: Machine) -> int:
    """A power of two; the same for the same node limit, so that the search is."""
    if limit.nodes is not None:
        return 1 << min(20, max(10, limit.nodes.bit_length()))
    return ENTRIES if machine.name == "python" else ENTRIES_COMPILED
