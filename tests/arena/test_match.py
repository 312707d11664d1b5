"""Match: every command in every state, clocks as data, and replay from events."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from noughts import TicTacToe, new_game
from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.commands import (
    Abort,
    Accept,
    Adjudicate,
    Claim,
    Command,
    Decline,
    Flag,
    Forfeit,
    Leave,
    MakeMove,
    OfferDraw,
    Resign,
    Return,
    Swap,
    TakeBack,
)
from noughts.arena.events import Event, EventKind
from noughts.arena.match import Match
from noughts.arena.series import result_of
from noughts.errors import (
    BadInput,
    CommandRefused,
    CoordinateError,
    GameOver,
    NotationError,
    OccupiedCell,
    OutOfTurn,
)
from noughts.games.base import Outcome
from noughts.games.notation import format_move, parse_position
from noughts.games.openings import find_opening
from tests.arena.model import MatchModel

PER_MOVE = Clock(per_move=1_000)
WHOLE = Clock(base=10_000, increment=500)


def state_of(match: Match, at: int = 0) -> tuple[object, ...]:
    """Return all facts of a match."""
    sides = match.game.sides
    return (
        match.version,
        match.offer,
        match.outcome,
        match.turn,
        match.game.key(),
        match.game.moves,
        [match.time_left(side, at) for side in sides],
        [match.away_since(side) for side in sides],
    )


def kinds(events: list[Event]) -> list[str]:
    return [event.kind.value for event in events]


def played(match: Match, *cells: int, at: int = 0) -> Match:
    for cell in cells:
        match.apply(match.turn, MakeMove(divmod(cell - 1, 3)), at)
    return match


def reason_of(match: Match, side: str, command: Command, at: int = 0) -> str:
    before = state_of(match, at)
    with pytest.raises(CommandRefused) as caught:
        match.apply(side, command, at)
    assert state_of(match, at) == before
    assert caught.value.command == command
    return caught.value.reason


# Against the model

COMMANDS: dict[str, Callable[[Any], Command]] = {
    "move": lambda value: MakeMove(divmod(int(value) - 1, 3)),
    "resign": lambda value: Resign(),
    "forfeit": lambda value: Forfeit("raised", "why"),
    "flag": lambda value: Flag(),
    "offer_draw": lambda value: OfferDraw(),
    "take_back": lambda value: TakeBack(value),
    "accept": lambda value: Accept(),
    "decline": lambda value: Decline(),
    "leave": lambda value: Leave(),
    "come_back": lambda value: Return(),
    "claim": lambda value: Claim(),
}
ENDINGS = ("resign", "forfeit")
sides = st.sampled_from("XO")
waits = st.sampled_from((0, 0, 0, 1, 100, 400, 999, 1_000, 2_500))


class AgainstTheModel(RuleBasedStateMachine):
    """Any commands at any times: the match, its model and a replay agree on everything."""

    def __init__(self) -> None:
        super().__init__()
        self.at = 0
        self.events: list[Event] = []

    @initialize(
        clock=st.sampled_from((UNTIMED, PER_MOVE, WHOLE, Clock(base=2_000))),
        claim_after=st.sampled_from((None, 0, 1_000)),
    )
    def begin(self, clock: Clock, claim_after: int | None) -> None:
        self.clock, self.claim_after = clock, claim_after
        self.match = Match(TicTacToe(), clock, claim_after=claim_after)
        self.model = MatchModel(clock, claim_after)

    def command(self, what: str, side: str, value: Any, wait: int) -> None:
        self.at += wait
        before = state_of(self.match, self.at)
        expected = self.model.command(what, side, value, self.at)
        try:
            events = self.match.apply(side, COMMANDS[what](value), self.at)
        except BadInput:
            assert expected is None
            assert state_of(self.match, self.at) == before
            return
        assert kinds(events) == expected
        assert all(event.at == self.at for event in events)
        self.events += events

    @rule(what=st.sampled_from([name for name in COMMANDS if name not in ENDINGS]), side=sides, wait=waits)
    def anything(self, what: str, side: str, wait: int) -> None:
        value = {"move": "5", "take_back": 1}.get(what)
        self.command(what, side, value, wait)

    @rule(cell=st.sampled_from("123456789"), wait=waits)
    def move(self, cell: str, wait: int) -> None:
        self.command("move", self.match.turn, cell, wait)

    @rule(cell=st.sampled_from("123456789"))
    def move_again(self, cell: str) -> None:
        self.command("move", self.match.turn, cell, 0)

    @rule(side=sides, plies=st.integers(-1, 10))
    def take_back(self, side: str, plies: int) -> None:
        self.command("take_back", side, plies, 0)

    @rule(side=sides, what=st.sampled_from(ENDINGS), really=st.integers(0, 5))
    def give_up(self, side: str, what: str, really: int) -> None:
        if really == 0:
            self.command(what, side, None, 0)

    @invariant()
    def agree(self) -> None:
        if not hasattr(self, "match"):
            return
        match, model = self.match, self.model
        assert [format_move(match.game, move) for move in match.game.moves] == model.moves
        assert match.turn == model.turn
        for side in "XO":
            assert match.time_left(side, self.at) == model.time_left(side, self.at)
            assert match.away_since(side) == model.away.get(side)
        offer = match.offer
        assert (None if offer is None else (offer.side, offer.what, offer.plies)) == model.offer
        outcome = match.outcome
        assert (None if outcome is None else (outcome.winner, str(outcome.termination))) == model.end
        assert [event.version for event in self.events] == list(range(1, match.version + 1))

    def teardown(self) -> None:
        if not hasattr(self, "match"):
            return
        again = Match.replay(TicTacToe(), self.events, self.clock, claim_after=self.claim_after)
        assert state_of(again, self.at) == state_of(self.match, self.at)
        for side in "XO":
            assert again.time_left(side, self.at + 7) == self.match.time_left(side, self.at + 7)


AgainstTheModel.TestCase.settings = settings(stateful_step_count=30)
TestAgainstTheModel = pytest.mark.slow(AgainstTheModel.TestCase)


# Moves


@pytest.mark.parametrize("winner", ["X", "O", None])
def test_adjudication_ends_a_match(winner: str | None) -> None:
    match = Match(TicTacToe())
    (event,) = match.apply("X", Adjudicate(winner), 5)
    assert event == Event(1, 5, EventKind.END, None, {"winner": winner, "termination": "adjudication"})
    assert match.outcome is not None
    assert match.outcome.winner == winner
    with pytest.raises(CommandRefused):
        Match(TicTacToe()).apply("X", Adjudicate("Z"), 5)


def test_match_plays_a_whole_game() -> None:
    match = Match(TicTacToe())
    played(match, 1, 4, 2, 5)
    events = match.apply("X", MakeMove((0, 2)), 7)
    assert events == [
        Event(5, 7, EventKind.MOVE, "X", {"move": "3"}),
        Event(6, 7, EventKind.END, None, {"winner": "X", "termination": "line"}),
    ]
    assert match.outcome is match.game.outcome
    assert match.outcome is not None
    assert match.outcome.line is not None


def test_full_board_is_a_draw() -> None:
    match = played(Match(TicTacToe()), 1, 2, 3, 5, 4, 6, 8, 7, 9)
    assert match.outcome == Outcome(None, (), "full")


@pytest.mark.parametrize(
    ("command", "error"),
    [
        (("O", MakeMove((0, 0))), OutOfTurn),
        (("X", MakeMove((1, 1))), OccupiedCell),
        (("X", MakeMove((3, 3))), CoordinateError),
        (("X", MakeMove(())), CoordinateError),
        (("X", MakeMove(None)), CoordinateError),  # type: ignore[arg-type]
        (("Q", MakeMove((0, 0))), CommandRefused),
    ],
)
def test_illegal_moves_are_refused(command: tuple[str, MakeMove], error: type[Exception]) -> None:
    match = played(Match(TicTacToe()), 5, 9)
    before = state_of(match)
    with pytest.raises(error):
        match.apply(*command, 0)
    assert state_of(match) == before


@pytest.mark.parametrize(
    "make",
    [
        *(
            lambda: ("O", MakeMove((2, 2))),
            lambda: ("O", Resign()),
            lambda: ("X", OfferDraw()),
            lambda: ("X", TakeBack()),
        ),
        *(lambda: ("X", Accept()), lambda: ("X", Decline()), lambda: ("X", Leave()), lambda: ("X", Return())),
        *(lambda: ("X", Claim()), lambda: ("X", Flag()), lambda: ("X", Forfeit("raised"))),
    ],
)
@pytest.mark.parametrize("ended", ["line", "resignation"])
def test_commands_after_the_end_are_refused(make: Callable[[], tuple[str, Command]], ended: str) -> None:
    """A0-17, A1-10: a finished match cannot change."""
    match = Match(TicTacToe(), claim_after=0)
    if ended == "line":
        played(match, 1, 4, 2, 5, 3)
    else:
        match.apply("X", Resign(), 0)
    before = state_of(match)
    with pytest.raises(GameOver):
        match.apply(*make(), 9)
    assert state_of(match) == before


def test_unknown_side_is_refused() -> None:
    match = Match(TicTacToe())
    for command in (("Z", Resign()), ("", Resign()), ("Z", Leave()), ("Z", OfferDraw())):
        assert reason_of(match, *command) == "unknown-side"
    assert reason_of(match, "X", Command()) == "unknown-command"


def test_match_can_start_from_a_position() -> None:
    game = parse_position(TicTacToe(), "XO./.../...")
    match = played(Match(game), 5)
    assert reason_of(match, "X", TakeBack(2)) == "nothing-to-take-back"
    match.apply("X", TakeBack(1), 0)
    match.apply("O", Accept(), 0)
    assert match.game.ply == 0
    assert match.game[0, 1] == "O"


def test_unproved_mark_lasts_until_the_takeback() -> None:
    match = Match(TicTacToe())
    events = match.apply("X", MakeMove((1, 1), is_unproved=True), 0)
    assert events[0].data == {"move": "5", "unproved": True}
    assert match.is_unproved
    assert Match.replay(TicTacToe(), events).is_unproved
    match.apply("O", MakeMove((0, 0)), 0)
    assert not match.is_unproved
    match.apply("O", TakeBack(1), 0)
    match.apply("X", Accept(), 0)
    assert match.is_unproved
    match.apply("X", TakeBack(1), 0)
    match.apply("O", Accept(), 0)
    match.apply("X", MakeMove((1, 1)), 0)
    assert not match.is_unproved


def test_earlier_moves_cannot_be_taken_back() -> None:
    game = TicTacToe()
    game.play((1, 1))
    match = Match(game)
    assert reason_of(match, "O", TakeBack()) == "nothing-to-take-back"
    played(match, 1)
    assert reason_of(match, "O", TakeBack(2)) == "nothing-to-take-back"


# Games that are called off


def test_abort_is_possible_before_the_own_first_move() -> None:
    match = played(Match(TicTacToe()), 5)
    assert (match.may_abort("X"), match.may_abort("O")) == (False, True)
    with pytest.raises(CommandRefused, match="begun"):
        match.apply("X", Abort(), 0)
    (event,) = match.apply("O", Abort(), 3)
    assert event == Event(2, 3, EventKind.END, "O", {"winner": None, "termination": "aborted"})
    assert not match.may_abort("O")
    result = result_of({"X": "Ada", "O": "Wei"}, event)
    assert (result.is_counted, result.loser) == (False, None)


@pytest.mark.parametrize("command", [MakeMove((0, 0)), Resign(), Abort(), Flag()])
def test_match_without_first_move_is_called_off(command: Command) -> None:
    match = Match(TicTacToe(), WHOLE, first_move=1_000, start=5)
    assert match.first_move_ends == 1_005
    match.apply("X", MakeMove((1, 1)), 1_004)
    assert match.first_move_ends == 2_004
    early = match.copy()
    early.apply("O", MakeMove((0, 0)), 2_003)
    assert early.first_move_ends is None
    (event,) = match.apply("O", command, 2_004)
    assert event.data == {"winner": None, "termination": "aborted"}
    assert match.first_move_ends is None


# Resignations and agreements


@pytest.mark.parametrize("side", ["X", "O"])
def test_resignation_is_a_loss(side: str) -> None:
    """A0-11: a resignation is a result of its own, not a draw, whichever side is to move."""
    match = played(Match(TicTacToe()), 5)
    (event,) = match.apply(side, Resign(), 3)
    other = "XO".replace(side, "")
    assert event == Event(2, 3, EventKind.END, side, {"winner": other, "termination": "resignation"})
    assert match.outcome == Outcome(other, (), "resignation")


def test_forfeit_has_its_reason() -> None:
    match = Match(TicTacToe())
    (event,) = match.apply("X", Forfeit("raised", "ZeroDivisionError"), 0)
    assert event.data == {
        "winner": "O",
        "termination": "forfeit",
        "reason": "raised",
        "detail": "ZeroDivisionError",
    }


def test_draw_by_agreement_ends_the_match() -> None:
    match = played(Match(TicTacToe()), 5)
    assert reason_of(match, "O", Accept()) == "nothing-offered"
    assert kinds(match.apply("X", OfferDraw(), 0)) == ["offer"]
    assert reason_of(match, "X", OfferDraw()) == "offered-already"
    assert reason_of(match, "O", OfferDraw()) == "offered-already"
    assert reason_of(match, "X", Accept()) == "nothing-offered"
    assert kinds(match.apply("O", Accept(), 0)) == ["accept", "end"]
    assert match.outcome == Outcome(None, (), "agreement")


def test_draw_offer_lasts_until_the_opponent_moves() -> None:
    match = played(Match(TicTacToe()), 5)
    match.apply("O", OfferDraw(), 0)
    played(match, 1)
    assert match.offer is not None
    played(match, 2)
    assert match.offer is None
    match.apply("X", OfferDraw(), 0)
    match.apply("X", Decline(), 0)  # withdrawn
    assert match.offer is None
    assert reason_of(match, "X", Decline()) == "nothing-offered"


def test_new_offer_replaces_the_old_one() -> None:
    match = played(Match(TicTacToe()), 5, 1)
    match.apply("O", OfferDraw(), 0)
    match.apply("X", TakeBack(2), 0)
    match.apply("X", TakeBack(1), 0)
    assert match.offer is not None
    assert (match.offer.what, match.offer.plies) == ("takeback", 1)
    assert reason_of(match, "O", TakeBack(1)) == "offered-already"
    assert kinds(match.apply("O", Accept(), 0)) == ["accept", "takeback"]
    assert match.game.ply == 1
    assert match.offer is None


def test_takeback_request_ends_with_a_move() -> None:
    match = played(Match(TicTacToe()), 5)
    match.apply("X", TakeBack(), 0)
    played(match, 1)
    assert match.offer is None


# Clocks


def test_untimed_match_has_no_time() -> None:
    match = Match(TicTacToe())
    assert match.time_left("X", 10**9) is None
    (event,) = match.apply("X", MakeMove((1, 1)), 10**9)
    assert "left" not in event.data
    assert reason_of(match, "X", Flag(), 10**9) == "time-left"


def test_move_clock_restarts_each_move() -> None:
    match = played(Match(TicTacToe(), PER_MOVE, start=100), 1, 2, at=100)
    assert match.time_left("X", 100) == 1_000
    assert match.time_left("X", 1_099) == 1
    (event,) = match.apply("X", MakeMove((1, 1)), 1_099)
    assert event.data == {"move": "5", "left": 1_000}
    assert (match.time_left("X", 1_500), match.time_left("O", 1_500)) == (1_000, 599)
    assert match.time_left("O", 5_000) == 0


def test_game_clock_counts_all_moves() -> None:
    match = played(Match(TicTacToe(), WHOLE), 1, 2)
    (event,) = match.apply("X", MakeMove((1, 1)), 4_000)
    assert event.data["left"] == 7_000
    match.apply("O", MakeMove((0, 2)), 5_000)
    assert (match.time_left("X", 5_000), match.time_left("O", 5_000)) == (7_000, 10_000)
    assert match.time_left("X", 7_000) == 5_000


def test_first_moves_take_no_time() -> None:
    match = Match(TicTacToe(), WHOLE)
    assert (match.running, match.time_left("X", 10**9)) == (None, 10_000)
    assert reason_of(match, "O", Flag(), 10**9) == "time-left"
    played(match, 1, at=10**9)
    assert reason_of(match, "X", Flag(), 2 * 10**9) == "time-left"
    assert (match.running, match.time_left("O", 2 * 10**9)) == (None, 10_000)
    for side, command in (("X", TakeBack()), ("O", Accept())):
        match.apply(side, command, 3 * 10**9)
    played(match, 1, 2, at=3 * 10**9)
    assert (match.running, match.time_left("X", 3 * 10**9 + 500)) == ("X", 10_000)
    three = played(Match(new_game("three"), PER_MOVE), 1, 2)
    assert (three.running, three.time_left("Z", 5_000)) == (None, 1_000)
    played(three, 3)
    assert (three.running, three.time_left("X", 400)) == ("X", 600)


@pytest.mark.parametrize("clock", [PER_MOVE, WHOLE])
def test_full_takeback_gives_no_free_time(clock: Clock) -> None:
    match = played(Match(TicTacToe(), clock), 1, 2)
    events = match.apply("X", TakeBack(2), 900) + match.apply("O", Accept(), 900)
    assert (match.running, match.time_left("X", 1_000)) == (
        "X",
        (clock.start or 0) - (1_000 if clock.base else 100),
    )
    assert match.time_left("X", 10**6) == 0
    assert reason_of(match, "O", Flag(), 10**6) == "time-left", "a game without moves is not lost on time"
    events += match.apply("X", MakeMove((1, 1)), 10**6)
    assert kinds(events) == ["offer", "accept", "takeback", "move", "end"]
    assert (events[-2].data["left"], match.outcome) == (0, Outcome("O", (), "time"))


def test_takeback_takes_the_increment_back() -> None:
    match = Match(TicTacToe(), WHOLE)
    for _ in range(3):
        played(match, 1)
        assert match.time_left("X", 0) == 10_500
        match.apply("X", TakeBack(), 0)
        match.apply("O", Accept(), 0)
        assert match.time_left("X", 0) == 10_000
    played(match, 1, 2)
    for left in (200, 100):  # the increment is used up, so the next one is withheld
        match.apply("X", TakeBack(2), 10_500 - left)
        match.apply("O", Accept(), 10_500 - left)
        assert match.time_left("X", 10_500 - left) == left
        played(match, 1, 2, at=10_500 - left)
        assert match.time_left("X", 10_500 - left) == left


def test_turn_ends_when_the_side_changes() -> None:
    match = Match(new_game("5x5:4,place=2"), WHOLE)
    played(match, 1, 2, at=0)
    assert (match.turn, match.time_left("O", 0)) == ("O", 10_000), "the turn goes on, without an increment"
    match.apply("O", OfferDraw(), 300)
    with pytest.raises(OutOfTurn):
        match.apply("X", MakeMove((4, 4)), 400)
    played(match, 3, at=500)
    assert (match.turn, match.time_left("O", 500), match.offer is None) == ("X", 10_000, False)
    played(match, 4, 5, at=600)
    assert (match.turn, match.time_left("X", 600), match.offer) == ("O", 10_900, None)
    assert [match.last_decision((side,)) for side in "XO"] == [(1, "X"), (3, "O")]
    match.apply("O", TakeBack(None), 600)
    match.apply("X", Accept(), 600)
    assert (match.turn, match.game.ply, match.time_left("O", 600)) == ("O", 2, 9_500)


def test_late_old_first_move_leaves_no_time() -> None:
    end = Event(1, 10_000, EventKind.END, "X", {"winner": "O", "termination": "time"})
    match = Match.replay(TicTacToe(), [end], WHOLE)
    assert (match.time_left("X", 10_000), match.time_left("O", 10_000)) == (0, 10_000)


@pytest.mark.parametrize(
    "command",
    [
        *(
            ("O", MakeMove((0, 0))),
            ("X", MakeMove((0, 0))),
            ("X", Flag()),
            ("O", Flag()),
            ("X", Resign()),
            ("O", Resign()),
        ),
        *(("X", OfferDraw()), ("X", TakeBack()), ("O", Accept()), ("X", Claim())),
    ],
)
def test_late_player_loses(command: tuple[str, Command]) -> None:
    match = played(Match(TicTacToe(), PER_MOVE), 9, 8, 5)
    match.apply("X", OfferDraw(), 0)
    assert match.time_left("O", 1_000) == 0
    (event,) = match.apply(*command, 1_000)
    assert event == Event(5, 1_000, EventKind.END, "O", {"winner": "X", "termination": "time"})


def test_clocks_stop_at_the_end() -> None:
    late = played(Match(TicTacToe(), WHOLE), 9, 8, 5)
    left = late.time_left("X", 0)
    late.apply("O", Flag(), 12_000)
    for at in (12_000, 99_000):
        assert (late.time_left("X", at), late.time_left("O", at)) == (left, 0)
    given_up = played(Match(TicTacToe(), WHOLE), 9, 8, 5)
    given_up.apply("X", Resign(), 4_000)  # while the opponent thinks
    for at in (4_000, 99_000):
        assert (given_up.time_left("X", at), given_up.time_left("O", at)) == (left, 6_500)


@pytest.mark.parametrize(
    "command", [("O", Leave()), ("O", Decline()), ("X", Return()), ("O", Forfeit("too-slow"))]
)
def test_late_player_may_still_leave_or_decline(command: tuple[str, Command]) -> None:
    match = played(Match(TicTacToe(), PER_MOVE), 9, 8, 5)
    match.apply("X", OfferDraw(), 0)
    match.apply("X", Leave(), 0)
    events = match.apply(*command, 1_000)
    assert "time" not in [event.data.get("termination") for event in events]


def test_early_flag_is_refused() -> None:
    match = played(Match(TicTacToe(), PER_MOVE), 1, 2)
    assert reason_of(match, "O", Flag(), 999) == "time-left"
    match.apply("O", Flag(), 1_000)
    assert match.outcome == Outcome("O", (), "time")
    assert match.time_left("X", 5_000) == 0


def test_clock_set_back_gives_no_time() -> None:
    match = played(Match(TicTacToe(), WHOLE, start=1_000), 9, 8, at=1_000)
    (event,) = match.apply("X", MakeMove((1, 1)), 5_000)
    assert event.data["left"] == 7_000
    (event,) = match.apply("O", MakeMove((0, 0)), 2_000)
    assert (event.at, event.data["left"]) == (5_000, 11_000)
    assert match.time_left("X", 0) == 7_000


def test_takeback_does_not_return_time() -> None:
    match = played(Match(TicTacToe(), WHOLE), 9, 8)
    match.apply("X", MakeMove((1, 1)), 1_000)
    match.apply("X", TakeBack(), 4_000)
    match.apply("O", Accept(), 5_000)
    assert (match.time_left("X", 5_000), match.time_left("O", 5_000)) == (9_500, 6_500)


@pytest.mark.parametrize("plies", ["1", 1.5, 1.0, True])
def test_takeback_refuses_invalid_plies(plies: Any) -> None:
    match = played(Match(TicTacToe()), 5, 1)
    assert reason_of(match, "X", TakeBack(plies)) == "nothing-to-take-back"


@pytest.mark.parametrize("command", ["foo", None, 5, Resign])
def test_match_refuses_invalid_commands(command: Any) -> None:
    assert reason_of(played(Match(TicTacToe()), 5), "O", command) == "unknown-command"


@pytest.mark.parametrize(
    "facts",
    [
        {"per_move": 0},
        {"per_move": -1},
        {"base": 0},
        {"base": 5, "per_move": 5},
        {"base": 5, "increment": -1},
        {"increment": -1},
    ],
)
def test_invalid_clocks_are_refused(facts: dict[str, int]) -> None:
    with pytest.raises(BadInput):
        Clock(**facts)


def test_clock_computes_the_time_after_a_move() -> None:
    assert (UNTIMED.is_timed, PER_MOVE.is_timed, WHOLE.is_timed) == (False, True, True)
    assert (UNTIMED.start, PER_MOVE.start, WHOLE.start) == (None, 1_000, 10_000)
    assert (PER_MOVE.after_move(3), WHOLE.after_move(3)) == (1_000, 503)


# Absences


def test_absent_player_loses_by_a_claim() -> None:
    match = Match(TicTacToe(), claim_after=1_000)
    assert reason_of(match, "X", Claim()) == "not-away"
    match.apply("O", Leave(), 500)
    assert match.away_since("O") == 500
    assert reason_of(match, "O", Leave(), 600) == "away-already"
    assert reason_of(match, "O", Claim(), 5_000) == "not-away"
    assert reason_of(match, "X", Claim(), 1_499) == "too-early"
    match.apply("O", Return(), 1_499)
    assert reason_of(match, "O", Return(), 1_499) == "not-away"
    assert reason_of(match, "X", Claim(), 1_500) == "not-away"
    match.apply("O", Leave(), 2_000)
    (event,) = match.apply("X", Claim(), 3_000)
    assert event.data == {"winner": "X", "termination": "abandonment"}


def test_claim_needs_an_absence() -> None:
    match = Match(TicTacToe())
    match.apply("O", Leave(), 0)
    assert reason_of(match, "X", Claim(), 10**9) == "no-claims"


# One side, three sides


def test_match_supports_one_side() -> None:
    match = Match(new_game("fifteen", seed=3), claim_after=0)
    assert reason_of(match, "X", OfferDraw()) == "nobody-to-ask"
    assert reason_of(match, "X", Claim()) == "no-claims"
    start = match.game.key()
    for _ in range(3):
        match.apply("X", MakeMove(match.game.legal_moves()[0]), 0)
    assert kinds(match.apply("X", TakeBack(2), 0)) == ["offer", "takeback"]
    assert match.game.ply == 1
    match.apply("X", TakeBack(1), 0)
    assert match.game.key() == start
    (event,) = match.apply("X", Resign(), 0)
    assert event.side == "X"
    assert match.outcome == Outcome(None, (), "resignation")


def test_match_supports_three_sides() -> None:
    match = Match(new_game("three"), claim_after=0)
    for side, cell in zip("XOZ", ((0, 0), (0, 1), (0, 2)), strict=True):
        match.apply(side, MakeMove(cell), 0)
    match.apply("Z", TakeBack(3), 0)
    assert kinds(match.apply("X", Accept(), 0)) == ["accept"]
    assert reason_of(match, "X", Accept()) == "nothing-offered"
    assert kinds(match.apply("O", Accept(), 0)) == ["accept", "takeback"]
    assert match.game.ply == 0
    match.apply("X", OfferDraw(), 0)
    match.apply("Z", Accept(), 0)
    match.apply("O", Decline(), 0)
    assert match.offer is None
    match.apply("X", Leave(), 0)
    assert reason_of(match, "Z", Claim()) == "no-claims"
    match.apply("O", Resign(), 0)
    assert match.outcome == Outcome(None, (), "resignation")


def test_draw_needs_all_three_sides() -> None:
    match = Match(new_game("three"))
    match.apply("X", OfferDraw(), 0)
    match.apply("Z", Accept(), 0)
    assert match.outcome is None
    match.apply("O", Accept(), 0)
    assert match.outcome == Outcome(None, (), "agreement")


# Replay


def test_replay_refuses_impossible_events() -> None:
    move = Event(1, 0, EventKind.MOVE, "X", {"move": "5"})
    for events, reason in (
        ([Event(2, 0, EventKind.MOVE, "X", {"move": "5"})], "version-gap"),
        ([move, move], "version-gap"),
        ([Event(1, 0, EventKind.MOVE, "O", {"move": "5"})], "wrong-side"),
        ([Event(1, 0, EventKind.MOVE, "X", {"move": "0"})], "no-such-cell"),
    ):
        with pytest.raises(NotationError) as caught:
            Match.replay(TicTacToe(), events)
        assert caught.value.reason == reason


def test_replay_ignores_answers_without_an_offer() -> None:
    """A store may hold events of another version: an answer without an offer changes nothing."""
    events = [Event(1, 0, EventKind.ACCEPT, "X", {"what": "draw"}), Event(2, 0, EventKind.BACK, "X")]
    match = Match.replay(TicTacToe(), events)
    assert match.version == 2
    assert match.offer is None


@pytest.mark.slow
@given(st.lists(st.integers(0, 8), max_size=12), st.sampled_from((UNTIMED, PER_MOVE, WHOLE)))
def test_replayed_match_can_continue(cells: list[int], clock: Clock) -> None:
    """A match that was replayed half way continues like the original."""
    match = Match(TicTacToe(), clock)
    events: list[Event] = []
    for at, cell in enumerate(cells):
        again = Match.replay(TicTacToe(), events, clock)
        command = (match.turn, MakeMove(divmod(cell, 3)))
        outcomes: list[list[Event]] = []
        for one in (match, again):
            try:
                outcomes.append(one.apply(*command, at * 300))
            except BadInput:
                outcomes.append([])
        assert outcomes[0] == outcomes[1]
        assert state_of(match, at * 300) == state_of(again, at * 300)
        events += outcomes[0]


def test_earlier_match_has_the_sides_of_its_time() -> None:
    match = Match(new_game("gomoku"), Clock(base=60_000), opening=find_opening("pie"))
    match.apply("X", MakeMove((7, 7)), at=0)
    match.apply("O", Swap(), at=10)
    match.apply("O", MakeMove((7, 8)), at=20)
    assert match.earlier(1).standing.is_swapped
    assert not match.earlier(2).standing.is_swapped
    assert match.earlier(9).game.ply == 0
    assert match.game.ply == 2
    assert match.standing.is_swapped
