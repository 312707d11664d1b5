"""Opening protocols, by which two players settle their sides, so that the first move is no advantage.

Seats and sides are two things: a protocol may let the players exchange sides, while the sides alternate as
usual. A protocol is a list of steps. In each, one player places marks for both sides, then the other answers.
A move is the answer to stay. ``swap`` exchanges the sides, and the player of the last marks moves. ``put``
means that the answering player places the marks of the next step, and the other then answers.

The player of these marks has the side that began, and the answering player has the side to move. For this
reason each step leaves an odd number of marks on the board.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal

from noughts.errors import NotFound, UnsupportedRules
from noughts.games.base import Game
from noughts.games.rules import NO_EARLY_END

SWAP: Final = "swap"
PUT: Final = "put"
STAY: Final = "stay"
"""The answers. A player stays by making a move."""

Answer = Literal["swap", "put"]

HANDLED = NO_EARLY_END - {"players"}
"""The facts under which sides can be exchanged. A side moves first or second, regardless of its marks."""


@dataclass(frozen=True, slots=True)
class OpeningStep:
    """A step: one player places ``marks`` marks for both sides. Then the other chooses one of ``answers``."""

    marks: int
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class OpeningState:
    """The state of an opening: the player to act, and the possible answers.

    ``placing`` is the number of marks that the player with the first side still places for both sides. If it
    is 0, the side to move decides, and may choose one of ``answers`` instead of a move. ``is_swapped`` is
    True if the players have exchanged their original sides. ``to_put`` is the number of marks to place after
    the answer ``put``, or 0 if that is not a possible answer.
    """

    placing: int
    answers: tuple[Answer, ...]
    is_swapped: bool
    to_put: int = 0

    @property
    def is_over(self) -> bool:
        """True if the sides are settled."""
        return not self.placing and not self.answers


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening protocol, with its name.

    >>> SWAP2.state_at(0, {}).placing, SWAP2.state_at(3, {}).answers, SWAP2.state_at(3, {3: "put"}).placing
    (3, ('swap', 'put'), 2)
    """

    name: str
    steps: tuple[OpeningStep, ...]

    def state_at(self, ply: int, answers: Mapping[int, str]) -> OpeningState:
        """Return the state of the opening after *ply* marks, with the *answers* given at those plies."""
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
        """Return the number of marks after which the sides were settled in a game of *plies*.

        It is one more than *plies* if the sides were never settled. A player stays by a move, so the sides
        are settled after it.
        """
        return next((ply for ply in range(plies + 1) if self.state_at(ply, answers).is_over), plies + 1)

    def _questions(self, answers: Mapping[int, str]) -> Iterator[tuple[int, str | None]]:
        """Yield the plies at which a player answers, each with the answer.

        The answer is None to stay, or if there is none yet.
        """
        end = 0
        for step in self.steps:
            end += step.marks
            answer = answers.get(end)
            yield end, answer if answer in step.answers else None
            if answer != PUT:
                return

    def choices(self, ply: int, answers: Mapping[int, str], first: str, other: str) -> list[dict[str, Any]]:
        """Return the choices made before *ply* marks, with the *answers* given at those plies.

        Each is a JSON object: ``ply``, the ``choice``, and ``by``, its player. *first* is the player of the
        first mark.
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
        """Return the choices of :meth:`choices`, given the *players* in turn order after the last answer."""
        first, other = players[::-1] if len(answers) % 2 else players
        return self.choices(ply, answers, first, other)

    def check(self, game: Game) -> None:
        """Raise :class:`~noughts.errors.UnsupportedRules` unless this protocol can open *game*."""
        self.check_rules(game)
        if game.ply or any(game.cells):
            raise UnsupportedRules(self.name, game.name, "not-from-the-start")

    def check_rules(self, game: Game) -> None:
        """Raise :class:`~noughts.errors.UnsupportedRules` unless this protocol fits the rules of *game*.

        The position of *game* does not matter.
        """
        rules = game.rules
        if rules is not None and rules.place > 1:
            raise UnsupportedRules(self.name, game.name, "several-marks-a-turn")
        if rules is None or not game.facts <= HANDLED:
            raise UnsupportedRules(self.name, game.name, "not-two-in-a-row")
        marks = sum(step.marks for step in self.steps)
        # The marks that one player places for the other must not win, lose, or fill the board.
        if marks >= rules.soonest_end:
            raise UnsupportedRules(self.name, game.name, "opening-too-long", marks=marks)


PIE = Opening("pie", (OpeningStep(1, (SWAP,)),))
SWAP2 = Opening("swap2", (OpeningStep(3, (SWAP, PUT)), OpeningStep(2, (SWAP,))))

NO_OPENING = "none"
"""The name for games without a protocol."""

OPENINGS = {opening.name: opening for opening in (PIE, SWAP2)}
"""The protocols by name."""


def openings_of(game: Game) -> list[str]:
    """Return the names of the protocols that can open games of these rules."""
    names: list[str] = []
    for name, opening in OPENINGS.items():
        with suppress(UnsupportedRules):
            opening.check_rules(game)
            names.append(name)
    return names


def find_opening(name: str) -> Opening:
    """Return the protocol called *name*. Raises :class:`~noughts.errors.NotFound`."""
    if name not in OPENINGS:
        raise NotFound("opening", name, tuple(OPENINGS))
    return OPENINGS[name]
