"""Clocks that jump: at a restart, and between two processes that serve the same rooms."""

import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from noughts.arena.clock import DAY
from noughts.arena.commands import Claim
from noughts.arena.digest import canonical_json
from noughts.arena.process_time import steady_clock
from noughts.arena.rooms import room_repository
from noughts.arena.rooms.keys import CODE_LASTS_MS
from noughts.arena.rooms.models import Phase
from noughts.arena.rooms.room import Room
from noughts.errors import CommandRefused, NotFound
from tests.arena.rooms.tables import TIMED, Time, table
from tests.databases import url_of

HOUR = 3_600_000
JUMPS = pytest.mark.parametrize("jump", [HOUR, -HOUR, 13_000, 0])


def test_steady_clock_reads_the_wall_clock_once() -> None:
    wall, forward = [5_000_000], [1_000_000]
    now = steady_clock(lambda: wall[0], lambda: forward[0])
    for step in (HOUR, -HOUR):
        wall[0] += step * 1_000_000
        assert now() == 5
    forward[0] += 2_000_000
    assert now() == 7


@pytest.mark.slow
@pytest.mark.parametrize("jump", [HOUR, -HOUR, 13_000, 5_000, -5_000, 0])
@pytest.mark.parametrize("is_killed", [True, False], ids=["killed", "stopped"])
def test_rooms_charge_no_clock_for_a_restart(tmp_path: Path, jump: int, is_killed: bool) -> None:
    url, time = url_of(tmp_path / "rooms.db"), Time()
    with ExitStack() as open_to_the_end:
        with ExitStack() as stopped:
            before = (open_to_the_end if is_killed else stopped).enter_context(table(url, time=time))
            first, _ = before.pair(before.setup(clock=TIMED))
            before.play(first.room, "8", "9")
            time.pass_by(20_000)
            before.play(first.room, "1")
            time.pass_by(3_000)  # only the sign of life at the stop reveals it
        time.pass_by(jump)
        left = 61_000 if is_killed else 58_000
        after = open_to_the_end.enter_context(table(url, time=time, seed=1))
        view = after.rooms.look(first.room)
        assert view.phase is Phase.PLAYING
        assert view.match.time_left("O", view.instant(time.at)) == left
        time.pass_by(5_000)
        view = after.play(first.room, "2")
        assert view.match.time_left("O", view.instant(time.at)) == left - 4_000
        time.pass_by(41_999)
        after.rooms.expiry.tick()
        assert after.rooms.look(first.room).phase is Phase.PLAYING
        time.pass_by(1)
        after.rooms.expiry.tick()
        assert after.rooms.look(first.room).results[0].termination == "time"


def test_early_game_pays_no_old_pause(tmp_path: Path) -> None:
    url, time = url_of(tmp_path / "rooms.db"), Time()
    for seed in range(2):
        with table(url, time=time, seed=seed) as here:
            room = here.pair(here.setup(clock=TIMED))[0].room
            here.play(room, "8", "9")
            time.pass_by(10_000)
            view = here.rooms.look(room)
            assert view.match.time_left("X", view.instant(time.at)) == 51_000
        time.pass_by(HOUR)


def test_earlier_command_is_stamped_after_a_pause(tmp_path: Path) -> None:
    url, time = url_of(tmp_path / "rooms.db"), Time()
    with table(url, time=time) as here:
        room = here.pair(here.setup(clock=TIMED))[0].room
        here.play(room, "8", "9")
        with table(url, time=Time(time.at - HOUR), seed=1):
            time.pass_by(10_000)
            view = here.play(room, "1")  # this reads the pause
            assert view.match.time_left("X", view.instant(here.rooms.expiry._now())) == 52_000


def test_rooms_count_no_jump_as_absence(tmp_path: Path) -> None:
    url, time = url_of(tmp_path / "rooms.db"), Time()
    with table(url, time=time) as before:
        first, _ = before.pair(before.setup(claim_after=30_000))
        before.play(first.room, "1")
        before.rooms.set_presence(first.room, 1, False)
    time.pass_by(HOUR)
    with table(url, time=time, seed=1) as after:
        after.rooms.expiry.tick()
        with pytest.raises(CommandRefused, match="too early"):
            after.do(first.room, 0, Claim())
        time.pass_by(30_000)
        assert after.do(first.room, 0, Claim()).view.results[0].termination == "abandonment"


@pytest.mark.parametrize("jump", [HOUR, -HOUR, 0, 25 * HOUR, -25 * HOUR])
def test_code_lasts_as_long_after_a_restart(tmp_path: Path, jump: int) -> None:
    url, time = url_of(tmp_path / "rooms.db"), Time()
    for seed in range(2):  # an old pause moves no code
        with table(url, time=time, seed=seed) as before:
            opened = before.rooms.open(before.setup(), "Ada", 0)
            time.pass_by(CODE_LASTS_MS - 1_000)
            before.rooms.set_presence(opened.room, 0, False)
        time.pass_by(jump)
    with table(url, time=time, seed=2) as after:
        after.rooms.expiry.tick()
        after.rooms.expiry.tick()
        assert after.rooms.view_by_code(str(opened.code)).expires == time.at + 1_000
        time.pass_by(1_000)
        with pytest.raises(NotFound):
            after.rooms.view_by_code(str(opened.code))
        after.rooms.expiry.tick()
        assert after.rooms.look(opened.room).code is None
        time.pass_by(DAY - 1_001)
        after.rooms.expiry.tick()
        after.rooms.look(opened.room)
        time.pass_by(1)
        after.rooms.expiry.tick()
        with pytest.raises(NotFound):
            after.rooms.look(opened.room)


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_old_pause_moves_no_earlier_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: int) -> None:
    def write_as_earlier(room: Room) -> str:
        earlier = {**json.loads(write(room)), "begun_after": 0}
        del earlier["touched_after"]
        return canonical_json(earlier)

    url, time, write = url_of(tmp_path / "rooms.db"), Time(), room_repository._write_room
    monkeypatch.setattr(room_repository, "_write_room", write_as_earlier)
    for seed in range(2):  # the second start stores a pause
        time.pass_by(jump)
        with table(url, time=time, seed=seed) as before:
            opened = before.rooms.open(before.setup(), "Ada", 0)
    with table(url, time=time, seed=2) as after:
        assert after.rooms.view_by_code(str(opened.code)).expires == time.at + CODE_LASTS_MS


@JUMPS
def test_workers_with_different_clocks_agree(tmp_path: Path, jump: int) -> None:
    url, one_time = url_of(tmp_path / "rooms.db"), Time()
    other_time = Time(one_time.at + jump)
    with table(url, time=one_time) as one:
        first, _ = one.pair(one.setup(clock=TIMED))
        one.play(first.room, "8", "9")
        with table(url, time=other_time, seed=1) as other:
            other.rooms.expiry.tick()
            tables, left = (one, other), {"X": 61_000, "O": 61_000}
            for number, cell in enumerate("1324"):
                for time in (one_time, other_time):
                    time.pass_by(10_000)
                for here in tables:
                    here.rooms.expiry.tick()
                here = tables[number % 2]
                side = here.rooms.look(first.room).match.turn
                view = here.play(first.room, cell)
                left[side] -= 9_000
                assert view.match.time_left(side, view.match.turn_began) == left[side]
            later, _ = other.pair(other.setup(clock=TIMED))
            other.play(later.room, "8", "9")
            one.play(later.room, "1")
            assert one.rooms.look(later.room).match.time_left("X", 0) == 62_000
