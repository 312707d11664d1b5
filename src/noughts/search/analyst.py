"""The analyst: finds the value of any position by the search that suits its game."""

from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import replace
from random import Random

from noughts.certificates.book import shipped_book
from noughts.core.board import coordinate_of
from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move, check_game
from noughts.games.rules import EXTRA_MARK_HELPS
from noughts.search.analysis import (
    UNKNOWN,
    Analysis,
    Effort,
    Limit,
    LimitReachedError,
    MoveValue,
    Progress,
    Report,
    analysis_of_end,
    handled_rules,
    no_report,
)
from noughts.search.engine.engine import Engine
from noughts.search.exact.move_values import Values
from noughts.search.exact.puzzle import PuzzleSearch
from noughts.search.exact.retrograde import Retrograde
from noughts.search.exact.scheduler import ExactValuer
from noughts.search.exact.search import MAX_CELLS, ExactSearch
from noughts.search.explain.immediate import ImmediateTactics
from noughts.search.general.estimating import GeneralSearch
from noughts.search.general.proving import ProofSearch
from noughts.search.installed_proofs import InstalledProofs, ProvedValue
from noughts.search.maker_breaker.search import BlockingSearch
from noughts.search.numba_backend import Machine
from noughts.search.parallel.division import Division, Workers

QUICK_NODES = 2_000
"""Maximum number of nodes to find the distance to the end if a certificate proves the value."""

THREAT_NODES = 64
"""The nodes for a winning line of threats at the end of a proof. Such a line exists and is soon found."""

Searcher = Values | Retrograde | PuzzleSearch
"""A search for exact values; each kind handles some games."""


class Analyst:
    """Evaluates positions of any game, and remembers its results for the next question.

    *report* is called with the progress. *machine* runs the kernels. Without one, Python runs them until they
    are compiled and loaded, which happens beside the search. *chance* decides between moves that seem equal.
    Long searches for exact values of k in a row are divided among *workers*, if there are any. The games are
    left unchanged.

    >>> from noughts import TicTacToe, new_game
    >>> Analyst().solve(TicTacToe()).value, Analyst().solve(new_game("4x3:3")).plies
    (0, 7)
    """

    def __init__(
        self,
        report: Report = no_report,
        machine: Machine | None = None,
        chance: Random | None = None,
        workers: Workers | None = None,
    ) -> None:
        self.report = report  # It may be replaced at any time.
        self._machine, self._chance, self._workers = machine, chance, workers
        self._engine = Engine(self._forward, machine)
        self._searchers: dict[object, Searcher | None] = {}
        self._proofs, self._is_alone = InstalledProofs(), False

    def search_alone(self) -> None:
        """Use no book and no certificate, for games that were not analysed before."""
        self._proofs, self._is_alone = InstalledProofs([]), True

    def solve(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        """Find the value of the position, the distance to the end, a best move and the principal variation.

        If a certificate proves the value, the result has it; the distance is included only if it is quickly
        found. Raises :class:`~noughts.errors.UnsupportedRules` for games of three sides or more.
        """
        limit, searcher = limit.started(), self._exact(game)
        if game.outcome is not None:
            return _analysis_of_finished(game)
        result, proved = UNKNOWN, self._proved(game, limit)
        if searcher is not None and proved is not None and proved.value is not None:
            nodes = QUICK_NODES if limit.nodes is None else min(limit.nodes, QUICK_NODES)
            result = searcher.solve(game, replace(limit, nodes=nodes))
        elif searcher is not None:
            result = searcher.solve(game, limit)
        result = self._proofs.completed(game, result, proved)
        return _with_longest_defence(game, _with_strategy_stealing(game, result))

    def analyse(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        """Find the value of the position and of each legal move.

        If the value is not found, half of the limit is spent on a good move and its score. Raises
        :class:`~noughts.errors.UnsupportedRules` for games of three sides or more.
        """
        limit, searcher = limit.started(), self._exact(game)
        if game.outcome is not None:
            return _analysis_of_finished(game)
        proved = self._proved(game, limit)
        is_proved = proved is not None and proved.value is not None
        result = self._analyse(game, limit, searcher, is_proved=is_proved)
        return _with_longest_defence(game, self._proofs.completed(game, result, proved))

    def _analyse(self, game: Game, limit: Limit, searcher: Searcher | None, *, is_proved: bool) -> Analysis:
        """Analyse the position by searches alone, without a good move if its value *is_proved*."""
        if searcher is None:
            result, rest = replace(UNKNOWN, moves=tuple(map(MoveValue, game.legal_moves()))), limit
        elif len(game.sides) == 1:
            return searcher.analyse(game, limit)
        else:
            half = replace(
                limit,
                nodes=None if limit.nodes is None else (limit.nodes + 1) // 2,
                seconds=None if limit.seconds is None else limit.seconds / 2,
            )
            result = searcher.analyse(game, half)
            if result.value is not None or is_proved or limit.stop():
                return _with_strategy_stealing(game, result)
            rest = replace(half, nodes=None if limit.nodes is None else limit.nodes - result.nodes)
        return _with_strategy_stealing(game, merge_analyses(result, self.search(game, rest)))

    def values(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        """Find the value of each legal move of an unfinished *game*.

        The whole limit is spent on the values, and no score is computed. Raises
        :class:`~noughts.errors.UnsupportedRules` for games of three sides or more.
        """
        searcher = self._exact(game)
        result = UNKNOWN if searcher is None else searcher.analyse(game, limit)
        proved = self._proved(game, limit.started())
        return _with_longest_defence(game, self._proofs.completed(game, result, proved))

    def _proved(self, game: Game, limit: Limit) -> ProvedValue | None:
        """Return the result that a certificate proves, or a short search for threats; None if there is none.

        The indexes of certificates do not list positions within a winning line of threats.
        """
        result, winner = self._proofs.find(game), self._proofs.winner(game)
        if result is not None:
            return self._proofs.with_strategy_stealing(game, result)
        if winner is None:
            return None
        search = self.exact_search(game)
        if search is not None and search.attacking is not None:
            with suppress(LimitReachedError):
                if search.attacking.finds_win(game, winner, Effort(limit), THREAT_NODES):
                    cell = search.attacking.best
                    move = None if cell < 0 else coordinate_of(game.shape, cell)
                    return ProvedValue(1 if game.turn == game.sides[winner] else -1, move=move)
        return None

    def search(self, game: Game, limit: Limit) -> Analysis:
        """Find a good move of an unfinished *game* and its score, as for a game too large for exact values.

        Raises :class:`~noughts.errors.UnsupportedRules` for games of other than two sides.
        """
        if self.has_engine(game):
            return self._engine.search(game, limit)
        return self._general().search(game, limit)

    def glance(self, game: Game, limit: Limit) -> dict[Move, int]:
        """Score each legal move of any game of two sides by a search as plain as a person's."""
        return self._general().score_moves(game, limit)

    def can_solve(self, game: Game) -> bool:
        """Return True if a search for exact values handles the position of *game*.

        If it does not, more time finds no value either.

        >>> from noughts import new_game
        >>> [Analyst().can_solve(new_game(name)) for name in ("gomoku", "30x30:3", "9x9:5,vanish=5")]
        [True, False, False]
        """
        searcher = self._exact(game)
        return searcher.can_list(game) if isinstance(searcher, Retrograde) else searcher is not None

    def exact_search(self, game: Game) -> ExactSearch | None:
        """Return the exact search for *game* if its results can be saved to a file, else None.

        See :mod:`noughts.search.exact.checkpoint`.
        """
        searcher = self._exact(game)
        valuer = searcher.valuer if isinstance(searcher, Values) else None
        return valuer.search if isinstance(valuer, ExactValuer) else None

    @staticmethod
    def has_engine(game: Game) -> bool:
        """Return True if there is a strong search for the rules of *game* on boards of any size."""
        return Engine.supports(game)

    @staticmethod
    def may_stop_lines(game: Game) -> bool:
        """Return True if the analyst searches separately for a way to stop all lines of one side.

        >>> from noughts import new_game
        >>> [Analyst.may_stop_lines(new_game(name)) for name in ("7x7:5", "gomoku", "connect4", "reversi")]
        [True, False, False, False]
        """
        return game.rules is not None and ExactSearch.supports(game) and BlockingSearch.supports(game.rules)

    @staticmethod
    def is_told(game: Game) -> bool:
        """Return True if a book or an installed certificate has values for positions of *game*.

        >>> from noughts import new_game
        >>> [Analyst.is_told(new_game(name)) for name in ("connect4", "qubic", "gomoku")]
        [True, True, False]
        """
        has_book = game.rules is not None and shipped_book(game.rules.spec) is not None
        return has_book or Analyst.is_proved(game)

    @staticmethod
    def is_proved(game: Game) -> bool:
        """Return True if a certificate for *game* comes with noughts or is installed.

        >>> from noughts import new_game
        >>> [Analyst.is_proved(new_game(name)) for name in ("connect4", "qubic")]
        [False, True]
        """
        return InstalledProofs().has_index(game)

    def _forward(self, progress: Progress) -> None:
        self.report(progress)

    def _general(self) -> GeneralSearch:
        return GeneralSearch(self._chance or Random(0), self._forward)

    def _exact(self, game: Game) -> Searcher | None:
        """Return the search for exact values of *game*, the same as the last time; None if there is none."""
        check_game(game)
        if len(game.sides) > 2:
            raise UnsupportedRules("analyse", game.name, "not-two-sides")
        if len(game.sides) == 2 and game.cells.count(None) > MAX_CELLS:
            return None
        kind = (type(game), game.name, game.sides)
        if kind not in self._searchers:
            self._searchers[kind] = self._new_exact(game)
        return self._searchers[kind]

    def _new_exact(self, game: Game) -> Searcher | None:
        """Create the search for exact values of *game*.

        Returns None if positions can repeat and the effect of a repetition is not known.
        """
        if len(game.sides) == 1:
            return PuzzleSearch(self._forward, self._machine)
        if game.can_repeat:
            return Retrograde(game, self._forward) if Retrograde.supports(game) else None
        if game.rules is None or not ExactSearch.supports(game):
            return Values(ProofSearch(game), self._forward)
        search = ExactSearch(game.rules, self._machine)
        if self._is_alone:
            search.ignore_book()
        division = None if self._workers is None else Division(search, self._workers)
        return Values(ExactValuer(search, division), self._forward)


def solve(
    game: Game,
    limit: Limit = Limit(),  # noqa: B008
    *,
    executor: Executor | None = None,
    workers: int | None = None,
) -> Analysis:
    """Find the value of the position of *game*; see :meth:`Analyst.solve`.

    If you analyse many positions, use one :class:`Analyst` for all of them.

    With an *executor*, such as one of :mod:`concurrent.futures` or Dask's ``get_executor(pure=False)``, long
    searches of k in a row are divided among its workers. *workers* is the number of tasks at a time, by
    default the number of processors. The value is the same.

    Raises :class:`~noughts.errors.UnsupportedRules` for games of three sides or more, and ``TypeError`` if
    *game* is no :class:`~noughts.games.base.Game`.

    >>> from noughts import new_game
    >>> solve(new_game("4x3:3")).plies
    7
    """
    return Analyst(workers=None if executor is None else Workers(executor, workers)).solve(game, limit)


def analyse(game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
    """Find the value of the position of *game* and of each legal move; see :meth:`Analyst.analyse`.

    >>> from noughts import new_game
    >>> [known.value for known in analyse(new_game("2x2:2")).moves]
    [1, 1, 1, 1]

    Raises :class:`~noughts.errors.UnsupportedRules` for games of three sides or more, and ``TypeError`` if
    *game* is no :class:`~noughts.games.base.Game`.
    """
    return Analyst().analyse(game, limit)


def _analysis_of_finished(game: Game) -> Analysis:
    """Return the analysis of a finished *game*, with a distance of 0 plies even for a draw."""
    return replace(analysis_of_end(game), plies=0)


def cannot_lose(game: Game) -> bool:
    """Return True if the side to move is proved not to lose *game*, without any search.

    The proof is strategy stealing (Nash). If the second side could win from the empty board, the first side
    could place a mark anywhere and then play like the second side, with one extra mark. An extra mark does no
    harm in k in a row of two sides whose only facts are those of
    :data:`~noughts.games.rules.EXTRA_MARK_HELPS`. There both sides fill the same lines, a mark stays and
    opens no cell, and no line is spoilt by a mark too many.

    >>> from noughts import new_game
    >>> [cannot_lose(new_game(name)) for name in ("gomoku", "qubic", "gomoku-standard", "connect4", "renju")]
    [True, True, False, False, False]
    """
    return (
        handled_rules(game, EXTRA_MARK_HELPS) is not None
        and not any(game.cells)
        and game.turn == game.sides[0]
    )


def _with_strategy_stealing(game: Game, result: Analysis) -> Analysis:
    """Return *result* with ``cannot_lose`` set if that is known without a search."""
    return replace(result, cannot_lose=True) if result.value is None and cannot_lose(game) else result


def _with_longest_defence(game: Game, result: Analysis) -> Analysis:
    """Return *result* with the longest known defence as the best move if all moves lose.

    A move that loses at once is not the best move while another may not lose. This takes no search.
    """
    if len(game.sides) != 2 or result.best is None or result.value in (0, 1):
        return result
    if result.value == -1 and result.plies is not None and result.pv:
        return result  # A best move with a known distance is the longest defence.
    immediate = ImmediateTactics(game.copy())
    if result.value is None and immediate.plies_to_loss(result.best) is None:
        return result
    known = {one.move: one for one in result.moves or map(MoveValue, game.legal_moves())}
    for move, one in known.items():
        value = result.value if one.value is None else one.value
        plies = immediate.plies_to_loss(move) if value in (-1, None) and one.plies is None else one.plies
        known[move] = MoveValue(move, value if plies is None else value or -1, plies)
    best = max(known.values(), key=lambda one: (one.rank, one.move == result.best, game.weight(one.move)))
    return replace(
        result,
        value=-1 if best.value == -1 else result.value,
        plies=best.plies if result.value is None and best.value == -1 else result.plies,
        best=best.move,
        pv=result.pv if best.move == result.best else (best.move,),
        moves=tuple(known.values()) if result.moves else (),
    )


def merge_analyses(exact: Analysis, estimate: Analysis) -> Analysis:
    """Combine an *exact* analysis without a value and an *estimate*; known values of moves are kept."""
    known = {known.move: known for known in exact.moves}
    best, pv = estimate.best, estimate.pv
    if estimate.value == -1:
        known = {move: replace(move_value, value=-1) for move, move_value in known.items()}
    elif best is not None and known[best].value == -1:
        # The estimated best move loses, so a move of unknown value may be better.
        best = next((move for move, known in known.items() if known.value is None), best)
        pv = pv if best == estimate.best else ()
    if best is not None and estimate.value is not None and known[best].value is None:
        known[best] = MoveValue(best, estimate.value, estimate.plies)
    return replace(
        estimate, best=best, pv=pv, moves=tuple(known.values()), nodes=exact.nodes + estimate.nodes
    )
