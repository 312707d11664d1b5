"""Opening protocols: how two players settle who has which side, so that beginning is no advantage.

Seats and sides are two things: a protocol may let the players exchange sides, while the sides go on moving
in their turn. A protocol is a row of steps: one player places marks for both sides, then the other is asked.
To answer with a move is to stay; to answer ``swap`` exchanges the sides, and who has just placed moves; to
answer ``put`` is to place the marks of the next step oneself and to ask in turn.

Whoever places marks has the side that began meanwhile, and whoever is asked has the side to move: that is why
each step leaves an odd number of marks on the board.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal

from noughts.errors import NotFound, UnsupportedRules
from noughts.games.base import Game
from noughts.games.rules import PATIENT

SWAP: Final = "swap"
PUT: Final = "put"
STAY: Final = "stay"
"""What may be answered; to stay is answered by a move."""

Answer = Literal["swap", "put"]

HANDLED = PATIENT - {"players"}
"""The facts under which sides can be exchanged. A side is who moves first or second, whatever is placed."""


@dataclass(frozen=True, slots=True)
class OpeningStep:
    """One player places so many ``marks``, the sides moving in their turn; ``answers`` has the other then."""

    marks: int
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class OpeningState:
    """How an opening stands: what is asked of whom.

    ``placing`` is how many marks whoever has the side that began still places for both sides; otherwise the
    side to move decides, which may answer one of ``answers`` instead of a move. ``is_swapped`` says whether
    each player has the side that was the other's in the beginning, ``to_put`` how many marks whoever answers
    ``put`` is to place, 0 where that may not be answered.
    """

    placing: int
    answers: tuple[Answer, ...]
    is_swapped: bool
    to_put: int = 0

    @property
    def is_over(self) -> bool:
        """Whether the sides are settled."""
        return not self.placing and not self.answers


@dataclass(frozen=True, slots=True)
class Opening:
    """A protocol by its name.

    >>> SWAP2.state_at(0, {}).placing, SWAP2.state_at(3, {}).answers, SWAP2.state_at(3, {3: "put"}).placing
    (3, ('swap', 'put'), 2)
    """

    name: str
    steps: tuple[OpeningStep, ...]

    def state_at(self, ply: int, answers: Mapping[int, str]) -> OpeningState:
        """How the opening stands after *ply* marks, where *answers* were given at those plies."""
        is_swapped = False
        for number, (end, answer) in enumerate(self._questions(answers), 1):
            if ply < end:
                return OpeningState(end - ply, (), is_swapped)
            if answer is None:
                open_answers = self.steps[number - 1].answers if ply == end else ()
                to_put = self.steps[number].marks if PUT in open_answers else 0
                return OpeningState(0, open_answers, is_swapped, to_put)
            is_swapped = not is_swapped
        return OpeningState(0, (), is_swapped)

    def settled_from(self, plies: int, answers: Mapping[int, str]) -> int:
        """After how many marks of a game of *plies* the sides were settled; one more where they never were.

        Whoever stays answers with a move, which is not only a move: the sides are settled after it.
        """
        return next((ply for ply in range(plies + 1) if self.state_at(ply, answers).is_over), plies + 1)

    def _questions(self, answers: Mapping[int, str]) -> Iterator[tuple[int, str | None]]:
        """The plies at which somebody is asked, each with the answer; None: to stay, or not answered yet."""
        end = 0
        for step in self.steps:
            end += step.marks
            answer = answers.get(end)
            yield end, answer if answer in step.answers else None
            if answer != PUT:
                return

    def choices(self, ply: int, answers: Mapping[int, str], first: str, other: str) -> list[dict[str, Any]]:
        """What was chosen, once *ply* marks stand, where *answers* were given at those plies.

        Each is an object of JSON: ``ply``, the ``choice``, and ``by`` whom, *first* being who began.
        """
        choices: list[dict[str, Any]] = []
        for end, answer in self._questions(answers):
            if answer is not None or ply > end:
                choices.append({"ply": end, "by": other, "choice": answer or STAY})
            first, other = other, first
        return choices

    def choices_of(
        self, players: tuple[str, ...], ply: int, answers: Mapping[int, str]
    ) -> list[dict[str, Any]]:
        """The same told from the end: *players* have the sides in turn order once all is settled."""
        first, other = players[::-1] if len(answers) % 2 else players
        return self.choices(ply, answers, first, other)

    def check(self, game: Game) -> None:
        """Raise :class:`~noughts.errors.UnsupportedRules` unless *game*, not yet begun, can be opened so."""
        self.check_rules(game)
        if game.ply or any(game.cells):
            raise UnsupportedRules(self.name, game.name, "not-from-the-start")

    def check_rules(self, game: Game) -> None:
        """The same of the rules of *game* alone, wherever it stands."""
        rules = game.rules
        if rules is not None and rules.place > 1:
            raise UnsupportedRules(self.name, game.name, "several-marks-a-turn")
        if rules is None or not game.facts <= HANDLED:
            raise UnsupportedRules(self.name, game.name, "not-two-in-a-row")
        marks = sum(step.marks for step in self.steps)
        # Nobody may win, lose, or fill the board, by marks that one places for the other.
        if marks >= rules.soonest_end:
            raise UnsupportedRules(self.name, game.name, "opening-too-long", marks=marks)


PIE = Opening("pie", (OpeningStep(1, (SWAP,)),))
SWAP2 = Opening("swap2", (OpeningStep(3, (SWAP, PUT)), OpeningStep(2, (SWAP,))))

NO_OPENING = "none"
"""What is said where sides are not settled by a protocol."""

OPENINGS = {opening.name: opening for opening in (PIE, SWAP2)}
"""The protocols by name."""


def openings_of(game: Game) -> list[str]:
    """The names of the protocols by which games of these rules can be opened."""
    names: list[str] = []
    for name, opening in OPENINGS.items():
        with suppress(UnsupportedRules):
            opening.check_rules(game)
            names.append(name)
    return names


def find_opening(name: str) -> Opening:
    """The protocol called *name*. Raises :class:`~noughts.errors.NotFound`."""
    if name not in OPENINGS:
        raise NotFound("opening", name, tuple(OPENINGS))
    return OPENINGS[name]
