"""Pauses in games by days: the clocks of the match, and one pause a year for all games of a player."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.arena.clock import DAY, Clock
from noughts.arena.commands import MakeMove, Pause, Resume
from noughts.arena.match import MAX_PAUSE, PAUSE_EVERY, Match
from noughts.arena.rooms.models import Phase
from noughts.arena.rooms.player_pauses import PlayerPauses
from noughts.arena.table import Terms
from noughts.errors import CommandRefused, PauseRefused
from noughts.games.catalogue import new_game
from tests.arena.rooms.tables import PEOPLE, Table, table
from tests.postgres import postgres, postgres_url

__all__ = ["postgres", "postgres_url"]

BY_DAYS = Clock(per_move=3 * DAY)
ADA, WEI, BOB = 482_190, 573_201, 690_004
HOUR = DAY // 24


class SlowMatch:
    """The oracle: it counts each hour of the clocks on its own."""

    def __init__(self, clock: Clock) -> None:
        self.clock, self.left, self.moves = clock, {"X": clock.start or 0, "O": clock.start or 0}, 0
        self.pauses = {"X": 0, "O": 0}

    @property
    def turn(self) -> str:
        return "XO"[self.moves % 2]

    def hour(self, at: int) -> None:
        if self.moves >= 2 and not any(until > at for until in self.pauses.values()):
            self.left[self.turn] -= HOUR

    def move(self) -> None:
        if self.clock.per_move is not None:
            self.left[self.turn] = self.clock.per_move
        else:
            self.left[self.turn] += self.clock.increment
        self.moves += 1


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("wait"), st.integers(1, 40)),
        st.tuples(st.just("move"), st.just(0)),
        st.tuples(st.sampled_from(("pause X", "pause O")), st.integers(1, 14)),
        st.tuples(st.sampled_from(("resume X", "resume O")), st.just(0)),
    ),
    max_size=25,
)


@settings(max_examples=60, deadline=None)
@given(steps=STEPS, clock=st.sampled_from((BY_DAYS, Clock(base=2 * DAY, increment=DAY))))
def test_paused_clocks_agree_with_a_slow_count(steps: list[tuple[str, int]], clock: Clock) -> None:
    match, slow, at = Match(new_game("gomoku"), clock), SlowMatch(clock), 0
    for step, number in steps:
        what, _, side = step.partition(" ")
        if what == "wait":
            for _ in range(number):
                slow.hour(at)
                at += HOUR
                if slow.left[slow.turn] <= 0:
                    assert match.flag_falls == at
                    return
        elif what == "move":
            match.apply(match.turn, MakeMove(match.game.legal_moves()[0]), at)
            slow.move()
        elif what == "pause" and not slow.pauses[side]:
            match.apply(side, Pause(number * DAY), at)
            slow.pauses[side] = at + number * DAY
        elif what == "resume" and slow.pauses[side] > at:
            match.apply(side, Resume(), at)
            slow.pauses[side] = at
        assert {side: match.time_left(side, at) for side in "XO"} == slow.left
        assert (match.paused_until(at) is not None) == any(until > at for until in slow.pauses.values())
        assert match.flag_falls is None or match.flag_falls > at
        copied = match.copy()
        assert copied.time_left("X", at + DAY) == match.time_left("X", at + DAY)


def test_pause_extends_the_time_for_the_first_move() -> None:
    match = Match(new_game("gomoku"), BY_DAYS, first_move=3 * DAY)
    match.apply("O", Pause(5 * DAY), DAY)
    assert match.first_move_ends == 8 * DAY


@pytest.mark.parametrize(
    ("clock", "commands", "reason"),
    [
        (Clock(base=60_000), [Pause(DAY)], "not-by-days"),
        (BY_DAYS, [Pause(MAX_PAUSE + 1)], "pause-too-long"),
        (BY_DAYS, [Pause(0)], "pause-too-long"),
        (BY_DAYS, [Resume()], "not-paused"),
        (BY_DAYS, [Pause(DAY), Resume(), Resume()], "not-paused"),
        (BY_DAYS, [Pause(DAY), Resume(), Pause(DAY)], "paused-already"),
    ],
)
def test_unusable_pauses_are_refused(clock: Clock, commands: list[Any], reason: str) -> None:
    match = Match(new_game("gomoku"), clock)
    for command in commands[:-1]:
        match.apply("X", command, 5)
    with pytest.raises(CommandRefused) as refused:
        match.apply("X", commands[-1], 6)
    assert refused.value.reason == reason


def test_next_pause_is_possible_after_a_year() -> None:
    match = Match(new_game("gomoku"), BY_DAYS)
    match.apply("X", Pause(DAY), 0)
    match.apply("X", Pause(DAY), PAUSE_EVERY)
    assert match.paused_until(PAUSE_EVERY) == PAUSE_EVERY + DAY


# All games of a person with a key


@pytest.fixture
def here() -> Iterator[Table]:
    with table() as made:
        yield made


def _pauses(here: Table) -> PlayerPauses:
    return PlayerPauses(here.rooms, here.database, now=here.time)


def _game(here: Table, one: int, two: int, clock: Clock = BY_DAYS) -> str:
    terms = Terms("gomoku", PEOPLE, clock=clock).at_their_speed()
    room = here.open_full(terms, [f"key:{one}", f"key:{two}"])[0].room
    here.play(room, "1", "2")
    return room


def _ends(here: Table, room: str) -> int | None:
    return here.rooms.look(room).time_ends


def test_pause_stops_all_games_by_days(here: Table) -> None:
    first, second, other = _game(here, ADA, WEI), _game(here, BOB, ADA), _game(here, WEI, BOB)
    live = _game(here, ADA, WEI, Clock(base=600_000))
    before = {room: _ends(here, room) or 0 for room in (first, second, other, live)}
    pause = _pauses(here).begin(ADA, 7 * DAY)
    assert (pause.begun, pause.ends) == (here.time.at, here.time.at + 7 * DAY)
    after = {room: _ends(here, room) or 0 for room in before}
    moved = {room: after[room] - before[room] for room in before}
    assert moved == {first: 7 * DAY, second: 7 * DAY, other: 0, live: 0}
    here.time.pass_by(9 * DAY)
    here.rooms.expiry.tick()
    assert here.rooms.look(first).phase is Phase.PLAYING
    here.time.pass_by(DAY)
    here.rooms.expiry.tick()
    assert here.rooms.look(first).results[0].termination == "time"


def test_player_can_end_the_pause_early(here: Table) -> None:
    room, pauses = _game(here, ADA, WEI), _pauses(here)
    before = _ends(here, room) or 0
    pauses.begin(ADA, 14 * DAY)
    here.time.pass_by(2 * DAY)
    pauses.end(ADA)
    assert _ends(here, room) == before + 2 * DAY
    last = pauses.last(ADA)
    assert last is not None
    assert last.ends == here.time.at
    pauses.end(ADA)
    pauses.spread()
    assert _ends(here, room) == before + 2 * DAY


def test_one_pause_a_year(here: Table) -> None:
    pauses = _pauses(here)
    begun = pauses.begin(ADA, DAY)
    here.time.at = begun.another - 1
    with pytest.raises(PauseRefused, match="paused already"):
        pauses.begin(ADA, DAY)
    with pytest.raises(PauseRefused, match="too long"):
        pauses.begin(WEI, MAX_PAUSE + 1)
    here.time.pass_by(1)
    assert pauses.begin(ADA, DAY).begun == begun.another


def test_game_that_begins_in_a_pause_is_paused(here: Table) -> None:
    pauses = _pauses(here)
    pauses.begin(ADA, 7 * DAY)
    here.time.pass_by(DAY)
    room = _game(here, ADA, WEI)
    pauses.spread()
    pauses.spread()
    assert _ends(here, room) == here.time.at + 9 * DAY


def test_pause_survives_a_restart(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'days.db'}"
    with table(url) as here:
        room = _game(here, ADA, WEI)
        _pauses(here).begin(ADA, 7 * DAY)
        ends, at = _ends(here, room), here.time.at
    with table(url, seed=1) as here:
        here.time.at = at
        _pauses(here).spread()
        assert _ends(here, room) == ends


def test_other_worker_knows_the_pause(postgres_url: str) -> None:
    with table(postgres_url) as one, table(postgres_url, seed=1, time=one.time) as two:
        room = _game(one, ADA, WEI)
        before = _ends(one, room) or 0
        _pauses(one).begin(ADA, DAY)
        with pytest.raises(PauseRefused):
            _pauses(two).begin(ADA, DAY)
        assert _ends(two, room) == before + DAY


def test_guest_pauses_one_game(here: Table) -> None:
    first, _ = here.pair(here.setup("gomoku", clock=BY_DAYS))
    here.play(first.room, "1", "2")
    view = here.do(first.room, 1, Pause(DAY)).view
    assert view.time_ends == here.time.at + 4 * DAY
    room = _game(here, ADA, WEI)
    _pauses(here).begin(ADA, DAY)
    for command in (Pause(DAY), Resume()):  # both are for all games of the key
        with pytest.raises(CommandRefused) as refused:
            here.do(room, 0, command)
        assert refused.value.reason == "pause-of-key"
