"""Games by days: their clocks over months, restarts, and the rooms that live as long as the games."""

from pathlib import Path

import pytest

from noughts.arena.clock import DAY, Clock
from noughts.arena.commands import Accept, Claim, TakeBack
from noughts.arena.events import EventKind
from noughts.arena.lobby.shared_lobby import SharedLobby
from noughts.arena.ratings.models import Speed, speed_of
from noughts.arena.rooms.models import Phase
from noughts.arena.rooms.waiting import SOON_MS, waiting_seat
from noughts.arena.table import DAYS_FOR_FIRST_MOVE, Terms
from noughts.errors import CommandRefused, NotFound
from tests.arena.lobby.seekers import offer, seeker
from tests.arena.rooms.tables import PEOPLE, table

HOUR = DAY // 24
THREE_DAYS = Clock(per_move=3 * DAY)
GROWING = Clock(base=3 * DAY, increment=DAY)


def _terms(clock: Clock = THREE_DAYS, game: str = "gomoku") -> Terms:
    return Terms(game, PEOPLE, clock=clock).at_their_speed()


@pytest.mark.parametrize("clock", [THREE_DAYS, GROWING])
def test_game_by_days_outlives_every_idle_time(clock: Clock) -> None:
    with table() as here:
        first, _ = here.pair(_terms(clock))
        for move in range(12):
            here.time.pass_by(DAY - 1)
            here.rooms.expiry.tick()
            view = here.play(first.room, str(move + 1))
        assert view.phase is Phase.PLAYING
        here.time.pass_by(20 * DAY)
        here.rooms.expiry.tick()
        view = here.rooms.look(first.room)
        assert (view.phase, view.results[0].termination) == (Phase.OVER, "time")


def test_days_of_each_move_start_anew(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'days.db'}"
    with table(url) as here:
        first, _ = here.pair(_terms())
        here.play(first.room, "1", "2")
        here.time.pass_by(2 * DAY)
        at = here.time.at
    with table(url, seed=1) as here:  # the server was down for a month
        here.time.at = at + 30 * DAY
        here.rooms.expiry.tick()
        view = here.rooms.look(first.room)
        assert view.match.time_left("X", view.instant(here.time.at)) == DAY
        view = here.play(first.room, "3")
        assert view.match.time_left("O", view.instant(here.time.at)) == 3 * DAY


def test_no_first_move_in_three_days_ends_the_game() -> None:
    with table() as here:
        first, _ = here.pair(_terms())
        here.play(first.room, "1")
        here.time.pass_by(DAYS_FOR_FIRST_MOVE - 1)
        here.rooms.expiry.tick()
        assert here.rooms.look(first.room).phase is Phase.PLAYING
        here.time.pass_by(1)
        here.rooms.expiry.tick()
        view = here.rooms.look(first.room)
        assert view.match.outcome is not None
        assert (view.match.outcome.termination, view.results[0].termination) == ("aborted", "aborted")


def test_absence_claims_no_game_by_days() -> None:
    with table() as here:
        first, _ = here.pair(_terms())
        here.play(first.room, "1", "2")
        here.rooms.set_presence(first.room, 1, False)
        here.time.pass_by(2 * DAY)
        with pytest.raises(CommandRefused, match="no claims"):
            here.do(first.room, 0, Claim())
        kinds = {event.kind for event in here.database.load(1).events}
        assert kinds == {EventKind.MOVE}


def test_offer_by_days_leads_to_a_game_by_days() -> None:
    with table() as here:
        lobby = SharedLobby(here.rooms, here.database, now=here.time)
        published = lobby.publish(offer(seeker("Ada"), clocks=(THREE_DAYS,)))
        view = here.rooms.look(lobby.accept(published.number, seeker("Wei")))
        assert speed_of(view.setup.clock) is Speed.DAYS
        assert (view.setup.claim_after, view.setup.first_move) == (0, DAYS_FOR_FIRST_MOVE)


def test_waiting_room_by_days_stays_for_two_weeks() -> None:
    with table() as here:
        entry = here.rooms.open(_terms(), "Ada", 0)
        here.rooms.set_presence(entry.room, 0, False)
        here.time.pass_by(13 * DAY)
        here.rooms.expiry.tick()
        here.time.pass_by(13 * DAY)
        here.rooms.join("Wei", room=entry.room)
        assert here.rooms.look(entry.room).phase is Phase.PLAYING


def test_waiting_room_by_days_is_removed_at_last() -> None:
    with table() as here:
        entry = here.rooms.open(_terms(), "Ada", 0)
        here.rooms.set_presence(entry.room, 0, False)
        for _ in range(3):
            here.time.pass_by(14 * DAY)
            here.rooms.expiry.tick()
        with pytest.raises(NotFound):
            here.rooms.look(entry.room)


def test_waiting_seat_ends_soon_below_twelve_hours() -> None:
    with table() as here:
        first, _ = here.pair(_terms())
        view = here.play(first.room, "1", "2")
        seat = waiting_seat(view)
        assert seat is not None
        assert seat.ends is not None
        assert (seat.place, seat.identity, seat.ends) == (0, None, here.time.at + 3 * DAY)
        assert not seat.ends_soon(seat.ends - SOON_MS)
        assert seat.ends_soon(seat.ends - SOON_MS + 1)


def test_nobody_waits_after_the_end_or_for_a_computer() -> None:
    with table() as here:
        first, _ = here.pair(_terms(game="tictactoe"))
        assert waiting_seat(here.play(first.room, *"14253")) is None
        alone = here.rooms.open(Terms("tictactoe", ("human", "rule")), "Ada", 0)
        view = here.play(alone.room, "1")
        assert waiting_seat(view) is None


def test_game_without_moves_left_stays_for_months() -> None:
    with table() as here:
        first, _ = here.pair(_terms())
        here.play(first.room, "1", "2")
        here.do(first.room, 0, TakeBack(2))
        here.do(first.room, 1, Accept())
        here.time.pass_by(60 * DAY)
        here.rooms.expiry.tick()
        assert here.rooms.look(first.room).phase is Phase.PLAYING
