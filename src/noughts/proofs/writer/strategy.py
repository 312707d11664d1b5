"""The quiet moves of an attack, chosen so that as few positions as possible need a choice.

Each choice may leave few decisions, and yet all choices together many different ones. Only the number of
different decisions in the whole strategy counts. So the strategy starts with all proofs of few choices that
are found. Then it changes one choice after another if that makes the whole no larger.
"""

from collections.abc import Iterable
from random import Random

from noughts.certificates.index import Index
from noughts.games.base import Game
from noughts.proofs.writer.decisions import UNLIMITED, Choice, Decision, Decisions
from noughts.search.analysis import Effort
from noughts.search.dfpn.search import AttackSearch

PATIENCE = 2
"""Default maximum number of choices in the proofs that are searched for."""

SHARE, MIN_SHARE = 4, 3
"""The divisor of the allowed choices for one of several decisions, and the minimum after the division."""

MAX_IDLE_ROUNDS = 3
"""Number of rounds without a gain after which the search stops."""

MAX_TRIED = 12
"""Maximum number of other choices tried in each decision of a round."""


class Strategy:
    """The choices of side number *attacker*, which is to move, from the position of *game* on.

    *search* has found that the attacker wins. Beside its results and the *index* of a certificate, proofs of
    up
    to *patience* choices are searched. More patience gives a smaller strategy and takes longer. Raises
    :class:`~noughts.search.analysis.LimitReachedError` if *effort* ends.
    """

    def __init__(
        self,
        search: AttackSearch,
        game: Game,
        attacker: int,
        effort: Effort,
        patience: int = PATIENCE,
        index: Index | None = None,
    ) -> None:
        self.decision_count = self.position_count = 0
        """The number of decisions, and of positions in which the defender may move freely."""
        self._decisions = Decisions(search, game, attacker, effort, index)
        self._start, self._patience = self._decisions.of(game), patience
        self._choice = dict[Decision, Choice]()
        self._others = dict[Decision, list[Choice]]()
        self._cost = dict[Decision, int]()  # choices in the smallest known proof tree
        self._fails_with = dict[int, int]()  # limits without a proof tree, also of ~choices
        self._uses = dict[Decision, int]()  # active choices that leave each decision

    def plan(self) -> None:
        """Choose a move in the first position and in all positions that may follow."""
        self._settle(self._start)
        self._use([self._start])
        chance, slack = Random(0), 0
        while slack <= self._patience // SHARE:
            self._widen(slack)
            self._change_choices(chance)
            slack = 2 * slack or 1

    def cell(self, game: Game) -> int:
        """Return the cell that the attacker, to move, chooses in *game*, or -1 if no choice is known."""
        choice = self._choice.get(self._decisions.of(game))
        return -1 if choice is None else self._decisions.cell_of(game, choice)

    # Proofs with few choices

    def _smallest(self, decision: Decision, limit: int) -> int:
        """Return the number of choices in the smallest proof tree found, or UNLIMITED if above *limit*."""
        if (cost := self._cost.get(decision, UNLIMITED)) <= limit:
            return cost
        if self._fails_with.get(decision, 0) >= limit:
            return UNLIMITED
        best = UNLIMITED
        for leaving in (0, limit - 1):
            for choice in self._decisions.threatening(decision, leaving):
                best = min(best, 1 + self._smallest_after(choice, min(limit, best - 1) - 1))
                if best == 1:
                    break
            if best == 1:
                break
        if best <= limit:
            self._cost[decision] = best
            return best
        self._fails_with[decision] = limit
        return UNLIMITED

    def _smallest_after(self, choice: Choice, limit: int) -> int:
        """Return the number of choices in the smallest proof trees of all decisions that *choice* leaves."""
        leaves = self._decisions.leaves[choice]
        if len(leaves) > limit or self._fails_with.get(~choice, -1) >= limit:
            return UNLIMITED
        total, share = 0, max(MIN_SHARE, limit // SHARE)
        for others, decision in zip(reversed(range(len(leaves))), leaves, strict=True):
            cost = self._smallest(decision, min(share, limit - total - others))
            if cost == UNLIMITED:
                self._fails_with[~choice] = limit
                return UNLIMITED
            total += cost
        return total

    def _price(self, choice: Choice) -> int:
        """Return the choices in the known trees below *choice*, or at least UNLIMITED if one is not known."""
        return sum(self._cost.get(decision, UNLIMITED) for decision in self._decisions.leaves[choice])

    # First choices

    def _settle(self, decision: Decision) -> None:
        """Choose a move in *decision*, and in all decisions that follow."""
        if decision in self._choice:
            return
        limit = 1
        while self._smallest(decision, limit) == UNLIMITED and limit < self._patience:
            limit = min(self._patience, limit + max(1, limit // 2))
        if decision in self._cost:
            best = min(self._decisions.threatening(decision, 0), key=self._price)
        elif winning := self._decisions.winning(decision):
            best = min(winning, key=lambda choice: len(self._decisions.leaves[choice]))
            self._others[decision] = winning
        else:
            return
        self._choice[decision] = best
        for leaf in self._decisions.leaves[best]:
            self._settle(leaf)

    def _is_settled(self, choice: Choice) -> bool:
        """Return True if all decisions that *choice* leaves are settled, or can be from known results."""
        for leaf in self._decisions.leaves[choice]:
            if leaf not in self._choice:
                if leaf not in self._cost:
                    return False
                self._settle(leaf)
        return True

    # Improvements

    def _widen(self, slack: int) -> None:
        """Search for choices that leave up to *slack* decisions more than the active ones."""
        for decision in self._in_force():
            limit = slack + self._cost.get(decision, self._patience)
            if limit > slack + 1:
                for choice in self._decisions.threatening(decision, limit):
                    self._smallest_after(choice, limit)

    def _change_choices(self, chance: Random) -> None:
        """Try other choices until this brings no more gain."""
        idle = 0
        while idle < MAX_IDLE_ROUNDS:
            before = self._size()
            for decision in chance.sample(decisions := self._in_force(), len(decisions)):
                if self._uses[decision]:
                    options = self._options(decision)
                    for choice in chance.sample(options, min(MAX_TRIED, len(options))):
                        self._try(decision, choice)
            idle = 0 if self._size() < before else idle + 1

    def _options(self, decision: Decision) -> list[Choice]:
        """Return the alternatives to the active choice in *decision*, or none if no choice is known."""
        if decision not in self._choice:
            return []
        options = [*self._decisions.threatening(decision, 0), *self._others.get(decision, ())]
        return [choice for choice in options if choice != self._choice[decision] and self._is_settled(choice)]

    def _try(self, decision: Decision, choice: Choice) -> None:
        """Make *choice* active if the strategy does not grow."""
        old, before = self._choice[decision], self._size()
        self._swap(old, choice)
        if self._size() > before:
            self._swap(choice, old)
        else:
            self._choice[decision] = choice

    # Active choices

    def _size(self) -> tuple[int, int]:
        return self.decision_count, self.position_count

    def _in_force(self) -> list[Decision]:
        return [decision for decision, uses in self._uses.items() if uses and decision >= 0]

    def _swap(self, old: Choice, new: Choice) -> None:
        """Replace the active choice *old* by *new*."""
        self._use(self._places_below(new))
        self._drop(self._places_below(old))

    def _places_below(self, choice: Choice | None) -> list[int]:
        """Return the decisions that *choice* leaves.

        The positions on the way there follow, with inverted bits.
        """
        if choice is None:
            return []
        return [
            *self._decisions.leaves[choice],
            *(~position for position in self._decisions.answered[choice]),
        ]

    def _use(self, places: Iterable[int]) -> None:
        """Count one more active choice that leads to each of *places*."""
        for place in places:
            self._uses[place] = self._uses.get(place, 0) + 1
            if self._uses[place] == 1:
                self._count(place, 1)
                self._use(self._places_below(self._choice.get(place)))

    def _drop(self, places: Iterable[int]) -> None:
        """Count one active choice less that leads to each of *places*."""
        for place in places:
            self._uses[place] -= 1
            if self._uses[place] == 0:
                self._count(place, -1)
                self._drop(self._places_below(self._choice.get(place)))

    def _count(self, place: int, change: int) -> None:
        if place >= 0:
            self.decision_count += change
        else:
            self.position_count += change
