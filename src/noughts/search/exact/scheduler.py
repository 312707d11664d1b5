"""What a position is worth and in how many plies: by which questions to the exact search, in which order."""

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
"""Nodes for a question before another one has its turn."""

FAR_FIRST = 16
"""Where marks fall, wins are seldom soon: their question has this part of the nodes of the other."""

BLOCKING_PART = 2
"""To ask whether all lines can be stopped has this part of the nodes, each of which is so much more work."""

ATTACK_AFTER = 1 << 14
ATTACK_TIMES = 4
"""An attack is looked for in questions that take so many nodes, with so many times as many."""

FAR_ENOUGH = 1 << 20
"""How far it is to a win that an attack brings is asked with so many nodes."""


@dataclass(slots=True)
class WinBound:
    """What is known of a side's win."""

    attacker: int
    plies: int
    """The soonest that is not ruled out."""
    is_settled: bool = False
    """Whether it wins in just that many."""
    is_there: bool = False
    """Whether it wins at all."""
    latest: int = NO_LIMIT
    """Within so many it does."""
    best: Move | None = None
    """The move by which it does, as far as is known."""
    by_attack: bool = False
    """Whether it is known from an attack, which tells nothing of the distance."""
    is_over: bool = False
    """Whether it does not."""


class ExactValuer:
    """Finds what positions are worth by questions to *search*; *division* may divide the long ones."""

    def __init__(self, search: ExactSearch, division: Divider | None = None) -> None:
        self.search, self._division = search, division
        self._blocking_part = BLOCKING_PART if search.attacking is None else BLOCKING_PART * 16
        self._decided: tuple[object, Move | None] = (None, None)  # the last position valued, what decided it
        # Of the position that is valued:
        self._hopes: list[WinBound] = []  # of the side to move and the other
        self._keeping: Move | None = None  # the move that was found to keep the draw
        self._holding: Move | None = None  # the move by which the last attacker was found to be held off

    @property
    def effort(self) -> Effort:
        """What may be spent from now on."""
        return self.search.effort

    @effort.setter
    def effort(self, effort: Effort) -> None:
        self.search.effort = effort

    def value_of(self, game: Game, budget: int | None = None) -> tuple[int, int]:
        """What *game* is worth to the side to move, 1, 0 or -1, and in how many plies (0 for a draw).

        *budget* is how many nodes this may take. Raises :class:`LimitReachedError` and its kinds.
        """
        self.search.set_up(game)
        try:
            with self.effort.within(budget):
                result = self._value(game)
        except LimitReachedError as error:
            own, other = self._hopes
            error.cannot_win, error.cannot_lose = own.is_over, other.is_over
            if own.is_there or other.is_there:
                error.value = 1 if own.is_there else -1
                error.best = own.best
            elif other.is_over:
                error.best = self._keeping
            raise
        best = self._hopes[0].best if result[0] > 0 else None if result[0] else self._keeping
        self._decided = game.key(), best
        return result

    def _value(self, game: Game) -> tuple[int, int]:
        """The same. The questions of a win soon and of a win at all, for either side, take turns.

        Their shares of nodes grow: which is the quick one is not known before.
        """
        search, rules = self.search, self.search.rules
        self._keeping = None
        # The winner makes the last move; where completing a line loses, the other side does.
        hopes = self._hopes = [
            WinBound(search.side, 1 + rules.line_loses),
            WinBound(1 - search.side, 2 - rules.line_loses),
        ]
        if search.empty == search.size and rules.extra_mark_never_hurts:
            hopes[1].is_over = True  # strategy stealing: who moves second cannot win
        budget = FIRST_BUDGET
        while True:
            depth = self.effort.max_depth
            if depth is not None and all(hope.is_over or hope.plies > depth for hope in hopes):
                raise DepthReachedError
            for hope, other in zip(hopes, reversed(hopes), strict=True):
                self._look_by_attack(game, hope, other, budget)
                self._look_at_lines(game, hope, budget)
                self._look_soon(game, hope, budget // FAR_FIRST if rules.gravity else budget)
                if hope.is_settled:
                    return (1 if hope.attacker == search.side else -1), hope.plies
                self._look_far(game, hope, other, budget)
                if hope.is_there and rules.gravity and not self.effort.wants_plies:
                    raise BudgetReachedError  # they may take far longer
                self._look_late(game, hope, budget)
                if hope.is_settled:
                    return (1 if hope.attacker == search.side else -1), hope.plies
                if hope.is_over and other.is_over:
                    return 0, 0
            if budget >= FAR_ENOUGH and any(hope.by_attack for hope in hopes):
                raise DepthReachedError
            budget *= 4

    def _look_soon(self, game: Game, hope: WinBound, budget: int) -> None:
        """Ask for wins of more and more plies, with about *budget* nodes."""
        effort = self.effort
        end = effort.nodes + budget
        max_depth = NO_LIMIT if effort.max_depth is None else effort.max_depth
        with suppress(BudgetReachedError):
            while not hope.is_over and not hope.is_settled and effort.nodes < end and hope.plies <= max_depth:
                hope.is_settled, best = self._wins(game, hope.attacker, hope.plies, end - effort.nodes)
                if hope.is_settled:
                    hope.best = best
                else:
                    hope.plies += 2
                    if hope.plies > self.search.size:
                        self._holding = best
                        self._give_up(hope)

    def _look_far(self, game: Game, hope: WinBound, other: WinBound, budget: int) -> None:
        """Ask for a win at all, with about *budget* nodes."""
        if hope.is_over or hope.is_there or self.effort.max_depth is not None:
            return
        with suppress(BudgetReachedError):
            hope.is_there, best = self._wins(game, hope.attacker, NO_LIMIT, budget)
            other.is_over = other.is_over or hope.is_there
            if hope.is_there:
                hope.best = best
            else:
                self._holding = best
                self._give_up(hope)

    def _look_late(self, game: Game, hope: WinBound, budget: int) -> None:
        """Where marks fall many a win comes with the last mark: ask whether it comes sooner, from that on."""
        search = self.search
        if not (search.has_columns and hope.is_there):
            return
        if hope.latest == NO_LIMIT:
            hope.latest = search.empty - (search.empty - hope.plies) % 2
        with suppress(BudgetReachedError):
            while hope.plies < hope.latest:
                is_sooner, best = self._wins(game, hope.attacker, hope.latest - 2, budget)
                if not is_sooner:
                    break
                hope.latest, hope.best = hope.latest - 2, best
            hope.plies, hope.is_settled = hope.latest, True

    def _wins(self, game: Game, attacker: int, left: int, budget: int) -> tuple[bool, Move | None]:
        """Whether side number *attacker* wins *game* within *left* plies, and the move that decides."""
        if self._division is not None and (
            result := self._division.ask(game, ExactQuestion(attacker, left), budget)
        ):
            return result
        return self.search.wins(attacker, left, budget), self.search.best_move()

    def _look_by_attack(self, game: Game, hope: WinBound, other: WinBound, budget: int) -> None:
        """Look for an attack that wins, with about *budget* nodes."""
        if self.search.attacking is None or self.effort.max_depth is not None:
            return
        if hope.is_over or hope.is_there or budget < ATTACK_AFTER:
            return
        with suppress(BudgetReachedError):
            question, budget = Attack(hope.attacker), budget * ATTACK_TIMES
            result = None if self._division is None else self._division.ask(game, question, budget)
            wins, best = result or question.ask(self.search, game, budget)
            if wins:
                hope.by_attack = hope.is_there = other.is_over = True
                hope.best = best

    def _look_at_lines(self, game: Game, hope: WinBound, budget: int) -> None:
        """Ask whether the other side can stop all lines, with about *budget* nodes."""
        if hope.is_over or hope.is_there or self.effort.max_depth is not None:
            return
        if self._is_stopped(game, hope.attacker, budget):
            self._give_up(hope)

    def _is_stopped(self, game: Game, attacker: int, budget: int) -> bool:
        """Whether all lines of side number *attacker* are found to be stopped, with *budget* nodes."""
        if self.search.blocking is None:
            return False
        question, budget = ExactQuestion(attacker, lines=True), budget // self._blocking_part
        self.effort.question = SearchQuestion("stops", attacker)
        with suppress(BudgetReachedError):
            result = None if self._division is None else self._division.ask(game, question, budget)
            holds, reply = result or question.ask(self.search, game, budget)
            if holds:
                self._holding = reply
            return holds
        return False

    def _give_up(self, hope: WinBound) -> None:
        """Note that there is no win, as was just found, and what keeps it off."""
        hope.is_over = True
        if hope.attacker != self.search.side:
            self._keeping = self._holding

    # A best move of a position of known value

    def best_of(self, game: Game, value: int, plies: int) -> Move:
        """A best move of *game*, whose value and distance are known. Raises :class:`LimitReachedError`."""
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
        # Whoever is lost stops one threat at least: the other side may overlook the next.
        block = search.completing_cell(1 - side)
        moves = sorted(game.legal_moves(), key=lambda move: (move == block, game.weight(move)), reverse=True)
        # What others found is known without the move that decides: that is looked for before any search.
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
        """Whether in *after*, a move of *side* later, the value is known to be kept, without a search."""
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
        """Whether in *after*, a move of *side* later, the value is kept, with *plies* to the end."""
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
        """Whether side number *attacker* can win *game* at all. Raises :class:`LimitReachedError`."""
        budget = FIRST_BUDGET
        while True:
            if self._is_stopped(game, attacker, budget):
                return False
            with suppress(BudgetReachedError):
                return self.search.wins(attacker, NO_LIMIT, budget)
            budget *= 4
