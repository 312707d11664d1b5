"""Which move an attack chooses where, so that as few positions as possible need a choice.

Choices that leave few decisions each may together leave many, and others the same few: what counts is how
many different ones the whole strategy comes to. So proofs of few choices are looked for first, all that are
found; then one choice after another is changed wherever that makes the whole no larger.
"""

from collections.abc import Iterable
from random import Random

from noughts.certificates.index import Index
from noughts.games.base import Game
from noughts.proofs.writer.decisions import UNLIMITED, Choice, Decision, Decisions
from noughts.search.analysis import Effort
from noughts.search.dfpn.search import AttackSearch

PATIENCE = 2
"""Proofs of so many choices are looked for where no more is asked for."""

SHARE, MIN_SHARE = 4, 3
"""One decision of several may take this part of the choices that are allowed, or so many."""

MAX_IDLE_ROUNDS = 3
"""After so many rounds without a gain no more are made."""

MAX_TRIED = 12
"""So many other choices are tried in each decision of a round."""


class Strategy:
    """What side number *attacker* chooses from the position of *game* on, in which he is to move.

    *search* has found that he wins. Proofs of up to *patience* choices are looked for beside what it knows,
    or the *index* of a certificate; the more, the smaller the strategy, and the longer that takes. Raises
    :class:`~noughts.search.analysis.LimitReachedError` where *effort* ends it.
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
        self.decisions = self.positions = 0
        """How many decisions it comes to, and how many positions in which the defender may move freely."""
        self._met = Decisions(search, game, attacker, effort, index)
        self._start, self._patience = self._met.of(game), patience
        self._choice = dict[Decision, Choice]()
        self._others = dict[Decision, list[Choice]]()
        self._cost = dict[Decision, int]()  # choices in the smallest tree of proof that was found
        self._fails_with = dict[int, int]()  # of decisions and choices: no tree of so many was found
        self._uses = dict[Decision, int]()  # how many choices in force leave it

    def plan(self) -> None:
        """Choose in the first position and in all that may follow."""
        self._settle(self._start)
        self._use([self._start])
        chance, slack = Random(0), 0
        while slack <= self._patience // SHARE:
            self._widen(slack)
            self._change_choices(chance)
            slack = 2 * slack or 1

    def cell(self, game: Game) -> int:
        """The cell that the attacker, who is to move, chooses in *game* as it stands; -1 if none is known."""
        choice = self._choice.get(self._met.of(game))
        return -1 if choice is None else self._met.cell_of(game, choice)

    # Proofs of few choices

    def _smallest(self, decision: Decision, limit: int) -> int:
        """Return the choices of the smallest tree of proof, if at most *limit*; else UNLIMITED."""
        if (cost := self._cost.get(decision, UNLIMITED)) <= limit:
            return cost
        if self._fails_with.get(decision, 0) >= limit:
            return UNLIMITED
        best = UNLIMITED
        for leaving in (0, limit - 1):
            for choice in self._met.threatening(decision, leaving):
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
        """The same for all the decisions that *choice* leaves together."""
        leaves = self._met.leaves[choice]
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
        """How many choices the known trees of what *choice* leaves take; UNLIMITED if one is not known."""
        return sum(self._cost.get(decision, UNLIMITED) for decision in self._met.leaves[choice])

    # The first choices

    def _settle(self, decision: Decision) -> None:
        """Choose in *decision*, and in what its choice leaves."""
        if decision in self._choice:
            return
        limit = 1
        while self._smallest(decision, limit) == UNLIMITED and limit < self._patience:
            limit = min(self._patience, limit + max(1, limit // 2))
        if decision in self._cost:
            best = min(self._met.threatening(decision, 0), key=self._price)
        elif winning := self._met.winning(decision):
            best = min(winning, key=lambda choice: len(self._met.leaves[choice]))
            self._others[decision] = winning
        else:
            return
        self._choice[decision] = best
        for leaf in self._met.leaves[best]:
            self._settle(leaf)

    def _is_settled(self, choice: Choice) -> bool:
        """Whether all that *choice* leaves is decided, or can be from what is known."""
        for leaf in self._met.leaves[choice]:
            if leaf not in self._choice:
                if leaf not in self._cost:
                    return False
                self._settle(leaf)
        return True

    # Better ones

    def _widen(self, slack: int) -> None:
        """Look for choices that leave up to *slack* decisions more than those in force."""
        for decision in self._in_force():
            limit = slack + self._cost.get(decision, self._patience)
            if limit > slack + 1:
                for choice in self._met.threatening(decision, limit):
                    self._smallest_after(choice, limit)

    def _change_choices(self, chance: Random) -> None:
        """Try other choices until that gains nothing any more."""
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
        """The choices that may be made in *decision*, but the one in force; none where that is not known."""
        if decision not in self._choice:
            return []
        options = [*self._met.threatening(decision, 0), *self._others.get(decision, ())]
        return [choice for choice in options if choice != self._choice[decision] and self._is_settled(choice)]

    def _try(self, decision: Decision, choice: Choice) -> None:
        """Make this *choice* if the whole does not grow by it."""
        old, before = self._choice[decision], self._size()
        self._swap(old, choice)
        if self._size() > before:
            self._swap(choice, old)
        else:
            self._choice[decision] = choice

    # What is in force

    def _size(self) -> tuple[int, int]:
        return self.decisions, self.positions

    def _in_force(self) -> list[Decision]:
        return [decision for decision, uses in self._uses.items() if uses and decision >= 0]

    def _swap(self, old: Choice, new: Choice) -> None:
        """Put the choice *new* in force for *old*."""
        self._use(self._under(new))
        self._drop(self._under(old))

    def _under(self, choice: Choice | None) -> list[int]:
        """The decisions that *choice* leaves, and with their bits inverted the positions on the way there."""
        if choice is None:
            return []
        return [*self._met.leaves[choice], *(~position for position in self._met.answered[choice])]

    def _use(self, places: Iterable[int]) -> None:
        """Let one choice more come to each of these *places*."""
        for place in places:
            self._uses[place] = self._uses.get(place, 0) + 1
            if self._uses[place] == 1:
                self._count(place, 1)
                self._use(self._under(self._choice.get(place)))

    def _drop(self, places: Iterable[int]) -> None:
        """Let one choice less come to each of them."""
        for place in places:
            self._uses[place] -= 1
            if self._uses[place] == 0:
                self._count(place, -1)
                self._drop(self._under(self._choice.get(place)))

    def _count(self, place: int, change: int) -> None:
        if place >= 0:
            self.decisions += change
        else:
            self.positions += change
