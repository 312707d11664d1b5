"""The scheduler of questions to the exact search: finds the value and distance of a position."""

from contextlib import suppress
from dataclasses import dataclass

from noughts.games.base import Game, Move
from noughts.search.analysis import (
    BudgetReachedError,
    DepthReachedError,
    Effort,
    LimitReachedError,
    SearchQuestion,
)
from noughts.search.exact.questions import Attack, Divider, ExactQuestion
from noughts.search.exact.search import ExactSearch
from noughts.search.exact.table import NO_LIMIT

FIRST_BUDGET = 1 << 10
"""The first budget of nodes for a question, before another one has its turn."""

FAR_FIRST = 16
"""The divisor of the budget for wins within few plies, if marks fall: such wins are rare there."""

BLOCKING_PART = 2
"""The divisor of the budget for questions about stopping all lines. Their nodes take much more work."""

ATTACK_AFTER = 1 << 14
ATTACK_TIMES = 4
"""The multiple of the budget for attacks. They are sought once the budget has reached ``ATTACK_AFTER``."""

FAR_ENOUGH = 1 << 20
"""The budget for the distance to a win that an attack has found."""


@dataclass(slots=True)
class WinBound:
    """The bounds of a win of one side."""

    attacker: int
    plies: int
    """The minimum number of plies that is not ruled out."""
    is_settled: bool = False
    """True if the side wins in exactly that number of plies."""
    exists: bool = False
    """True if the side wins at all."""
    latest: int = NO_LIMIT
    """The number of plies within which the side is known to win."""
    best: Move | None = None
    """The move by which the side wins, if known."""
    by_attack: bool = False
    """True if an attack has found the win, so that its distance is unknown."""
    is_refuted: bool = False
    """True if the side does not win."""


class ExactValuer:
    """Finds values of positions by questions to *search*.

    *division* may divide the long ones among workers.
    """

    def __init__(self, search: ExactSearch, division: Divider | None = None) -> None:
        self.search, self._division = search, division
        self._blocking_part = BLOCKING_PART if search.attacking is None else BLOCKING_PART * 16
        self._decided: tuple[object, Move | None] = (None, None)  # the last position, the deciding move
        # The attributes below belong to the current position.
        self._bounds: list[WinBound] = []  # The bounds of the side to move, then of the other side.
        self._drawing_move: Move | None = None  # A move that keeps the draw.
        self._last_defence: Move | None = None  # The last move that held off an attacker.

    @property
    def effort(self) -> Effort:
        """The effort of the current question."""
        return self.search.effort

    @effort.setter
    def effort(self, effort: Effort) -> None:
        self.search.effort = effort

    def value_of(self, game: Game, budget: int | None = None) -> tuple[int, int]:
        """Find the value of *game* for the side to move, 1, 0 or -1, and the plies to the end (0 for a draw).

        *budget* limits the nodes. Raises :class:`LimitReachedError` and its subclasses.
        """
        self.search.set_up(game)
        try:
            with self.effort.within(budget):
                result = self._value(game)
        except LimitReachedError as error:
            own, other = self._bounds
            error.cannot_win, error.cannot_lose = own.is_refuted, other.is_refuted
            if own.exists or other.exists:
                error.value = 1 if own.exists else -1
                error.best = own.best
            elif other.is_refuted:
                error.best = self._drawing_move
            raise
        best = self._bounds[0].best if result[0] > 0 else None if result[0] else self._drawing_move
        self._decided = game.key(), best
        return result

    def _value(self, game: Game) -> tuple[int, int]:
        """Find the value by questions in turn: a win soon and a win at all, for either side.

        Their budgets grow, since it is not known in advance which question is quick.
        """
        search, rules = self.search, self.search.rules
        self._drawing_move = None
        # The winner makes the last move. If completing a line loses, the other side makes it.
        bounds = self._bounds = [
            WinBound(search.side, 1 + rules.line_loses),
            WinBound(1 - search.side, 2 - rules.line_loses),
        ]
        if search.empty == search.size and rules.extra_mark_never_hurts:
            bounds[1].is_refuted = True  # By strategy stealing, the second side cannot win.
        budget = FIRST_BUDGET
        while True:
            depth = self.effort.max_depth
            if depth is not None and all(bound.is_refuted or bound.plies > depth for bound in bounds):
                raise DepthReachedError
            for bound, other in zip(bounds, reversed(bounds), strict=True):
                self._search_attack(game, bound, other, budget)
                self._search_blocking(game, bound, budget)
                self._search_soon_win(game, bound, budget // FAR_FIRST if rules.gravity else budget)
                if bound.is_settled:
                    return (1 if bound.attacker == search.side else -1), bound.plies
                self._search_any_win(game, bound, other, budget)
                if bound.exists and rules.gravity and not self.effort.wants_plies:
                    raise BudgetReachedError  # Distances may take far longer.
                self._search_last_win(game, bound, budget)
                if bound.is_settled:
                    return (1 if bound.attacker == search.side else -1), bound.plies
                if bound.is_refuted and other.is_refuted:
                    return 0, 0
            if budget >= FAR_ENOUGH and any(bound.by_attack for bound in bounds):
                raise DepthReachedError
            budget *= 4

    def _search_soon_win(self, game: Game, bound: WinBound, budget: int) -> None:
        """Search for wins within more and more plies, with about *budget* nodes."""
        effort = self.effort
        end = effort.nodes + budget
        max_depth = NO_LIMIT if effort.max_depth is None else effort.max_depth
        with suppress(BudgetReachedError):
            while (
                not bound.is_refuted
                and not bound.is_settled
                and effort.nodes < end
                and bound.plies <= max_depth
            ):
                bound.is_settled, best = self._wins(game, bound.attacker, bound.plies, end - effort.nodes)
                if bound.is_settled:
                    bound.best = best
                else:
                    bound.plies += 2
                    if bound.plies > self.search.size:
                        self._last_defence = best
                        self._give_up(bound)

    def _search_any_win(self, game: Game, bound: WinBound, other: WinBound, budget: int) -> None:
        """Search for a win in any number of plies, with about *budget* nodes."""
        if bound.is_refuted or bound.exists or self.effort.max_depth is not None:
            return
        with suppress(BudgetReachedError):
            bound.exists, best = self._wins(game, bound.attacker, NO_LIMIT, budget)
            other.is_refuted = other.is_refuted or bound.exists
            if bound.exists:
                bound.best = best
            else:
                self._last_defence = best
                self._give_up(bound)

    def _search_last_win(self, game: Game, bound: WinBound, budget: int) -> None:
        """Search for the latest win if marks fall, since many wins come with the last mark."""
        search = self.search
        if not (search.has_columns and bound.exists):
            return
        if bound.latest == NO_LIMIT:
            bound.latest = search.empty - (search.empty - bound.plies) % 2
        with suppress(BudgetReachedError):
            while bound.plies < bound.latest:
                is_sooner, best = self._wins(game, bound.attacker, bound.latest - 2, budget)
                if not is_sooner:
                    break
                bound.latest, bound.best = bound.latest - 2, best
            bound.plies, bound.is_settled = bound.latest, True

    def _wins(self, game: Game, attacker: int, left: int, budget: int) -> tuple[bool, Move | None]:
        """Return whether side number *attacker* wins *game* within *left* plies, and the deciding move."""
        if self._division is not None and (
            result := self._division.ask(game, ExactQuestion(attacker, left), budget)
        ):
            return result
        return self.search.wins(attacker, left, budget), self.search.best_move()

    def _search_attack(self, game: Game, bound: WinBound, other: WinBound, budget: int) -> None:
        """Search for an attack that wins, with about *budget* nodes."""
        if self.search.attacking is None or self.effort.max_depth is not None:
            return
        if bound.is_refuted or bound.exists or budget < ATTACK_AFTER:
            return
        with suppress(BudgetReachedError):
            question, budget = Attack(bound.attacker), budget * ATTACK_TIMES
            result = None if self._division is None else self._division.ask(game, question, budget)
            wins, best = result or question.ask(self.search, game, budget)
            if wins:
                bound.by_attack = bound.exists = other.is_refuted = True
                bound.best = best

    def _search_blocking(self, game: Game, bound: WinBound, budget: int) -> None:
        """Search for a way of the other side to stop all lines, with about *budget* nodes."""
        if bound.is_refuted or bound.exists or self.effort.max_depth is not None:
            return
        if self._is_stopped(game, bound.attacker, budget):
            self._give_up(bound)

    def _is_stopped(self, game: Game, attacker: int, budget: int) -> bool:
        """Return True if *budget* nodes show that all lines of side number *attacker* are stopped."""
        if self.search.blocking is None:
            return False
        question, budget = ExactQuestion(attacker, lines=True), budget // self._blocking_part
        self.effort.question = SearchQuestion("stops", attacker)
        with suppress(BudgetReachedError):
            result = None if self._division is None else self._division.ask(game, question, budget)
            holds, reply = result or question.ask(self.search, game, budget)
            if holds:
                self._last_defence = reply
            return holds
        return False

    def _give_up(self, bound: WinBound) -> None:
        """Record that there is no win, and the move that prevents it."""
        bound.is_refuted = True
        if bound.attacker != self.search.side:
            self._drawing_move = self._last_defence

    # Best moves of positions of known value

    def best_of(self, game: Game, value: int, plies: int) -> Move:
        """Return a best move of *game*, given its value and distance.

        Raises :class:`LimitReachedError`.
        """
        search = self.search
        if self._decided[0] == game.key() and self._decided[1] is not None:
            return self._decided[1]
        search.set_up(game)
        side = search.side
        if value > 0:
            search.wins(side, plies)
            if (result := search.best_move()) is not None:
                return result
        after = game.copy()
        # A lost side stops at least one threat, since the other side may overlook the next one.
        block = search.completing_cell(1 - side)
        moves = sorted(game.legal_moves(), key=lambda move: (move == block, game.weight(move)), reverse=True)
        # Results of workers come without the deciding move, so it is looked up before any search.
        for is_as_good in (
            (self._is_as_good,) if self._division is None else (self._is_known, self._is_as_good)
        ):
            for move in moves:
                after.play(move)
                if is_as_good(after, side, value, plies - 1):
                    return move
                after.undo()
        raise AssertionError("no move is as good as the position")

    def _is_known(self, after: Game, side: int, value: int, plies: int) -> bool:
        """Return True if stored results show that the move of *side* to *after* keeps the value."""
        if after.outcome is not None:
            return self._is_as_good(after, side, value, plies)
        if value > 0:
            return ExactQuestion(side, plies).recall(self.search, after) is True
        if value < 0:
            return ExactQuestion(1 - side, plies - 2).recall(self.search, after) is False
        lines = self.search.blocking is not None and ExactQuestion(1 - side, lines=True).recall(
            self.search, after
        )
        return lines or ExactQuestion(1 - side).recall(self.search, after) is False

    def _is_as_good(self, after: Game, side: int, value: int, plies: int) -> bool:
        """Return True if the move of *side* that led to *after* keeps the value, with *plies* to the end."""
        search = self.search
        if after.outcome is not None:
            winner = after.outcome.winner
            return (
                value == (0 if winner is None else 1 if winner == search.rules.marks[side] else -1)
                and plies < 1
            )
        search.set_up(after)
        if value > 0:
            return search.wins(side, plies)
        return not (search.wins(1 - side, plies - 2) if value else self._can_win(after, 1 - side))

    def _can_win(self, game: Game, attacker: int) -> bool:
        """Return True if side number *attacker* can win *game* at all.

        Raises :class:`LimitReachedError`.
        """
        budget = FIRST_BUDGET
        while True:
            if self._is_stopped(game, attacker, budget):
                return False
            with suppress(BudgetReachedError):
                return self.search.wins(attacker, NO_LIMIT, budget)
            budget *= 4
