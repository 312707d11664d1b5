"""Rooms: the commands of players, their times, and the public state."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from noughts.arena.clock import DAY, Clock
from noughts.arena.commands import (
    Accept,
    Choose,
    Claim,
    Command,
    Decline,
    Forfeit,
    Leave,
    LeaveSeat,
    OfferDraw,
    Rematch,
    Resign,
    TakeBack,
    WrittenMove,
)
from noughts.arena.events import EventKind
from noughts.arena.local_table import newest_human_game
from noughts.arena.rooms import notices
from noughts.arena.rooms.expiry import GONE_AFTER, HEARTBEAT_MS
from noughts.arena.rooms.keys import CODE_LASTS_MS, CODE_LETTERS
from noughts.arena.rooms.models import IDLE_BY_DAYS, Phase
from noughts.arena.rooms.room_repository import RoomBatch
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.series import Begins, Score, recount
from noughts.arena.store.database import Database
from noughts.arena.table import Terms
from noughts.errors import (
    CommandRefused,
    GameOver,
    NameRefused,
    NotationError,
    NotFound,
    OccupiedCell,
    OutOfTurn,
    SeatTaken,
    StaleRoom,
    StoreError,
    UnknownMark,
)
from tests.arena.rooms.tables import TIMED, Table, table
from tests.postgres import postgres, postgres_url
from tests.stand_ins import open_series

__all__ = ["postgres", "postgres_url"]


@pytest.fixture(params=["sqlite", "postgresql"])
def here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setattr(notices, "WAIT", 0.1)  # closing takes this long in each test
    url = "sqlite://" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with table(url) as made:
        yield made


# Opening and joining


@pytest.mark.slow
def test_join_with_a_code(here: Table) -> None:
    first = here.rooms.open(here.setup(), " Ada ", 1)
    assert first.place == 1
    assert first.code is not None
    assert len(first.code) == 6
    assert set(first.code) <= set(CODE_LETTERS)
    waiting = here.rooms.look(first.room)
    assert (waiting.phase, waiting.version, waiting.names) == (Phase.WAITING, 1, (None, "Ada"))
    assert (waiting.code, waiting.expires) == (first.code, here.time.at + CODE_LASTS_MS)
    assert (waiting.turn, waiting.scores, waiting.sides) == (None, (), {})
    assert waiting.setup.created == here.time.at
    second = here.rooms.join("ada", code=f" {first.code[:3].lower()}-{first.code[3:].lower()} ")
    assert (second.room, second.place, second.code) == (first.room, 0, None)
    playing = here.rooms.look(first.room)
    assert (playing.phase, playing.version, playing.names) == (Phase.PLAYING, 2, ("ada (2)", "Ada"))
    assert (playing.code, playing.expires) == (None, None)
    assert (dict(playing.sides), playing.turn, playing.awaited) == ({0: "X", 1: "O"}, 0, frozenset({0}))
    assert playing.present == frozenset({0, 1})
    assert here.heard == [(first.room, 1), (first.room, 2)]


def test_join_with_the_name_of_the_room(here: Table) -> None:
    first = here.rooms.open(here.setup(), "Ada", 0)
    assert here.rooms.join("Wei", room=first.room).place == 1
    with pytest.raises(SeatTaken):
        here.rooms.join("Eve", room=first.room)


def test_code_can_be_used_once_and_expires(here: Table) -> None:
    first, _ = here.pair()
    other = here.rooms.open(here.setup(), "Ada", 0)
    unused = "AAAAAA" if first.code != "AAAAAA" else "BBBBBB"
    here.time.pass_by(CODE_LASTS_MS)
    for code in (first.code, other.code, unused, "", "ABC", "ABCDEFG", "ABCDE0", "ÄBCDEF"):
        with pytest.raises(NotFound) as refused:
            here.rooms.join("Eve", code=code)
        assert (refused.value.what, refused.value.name) == ("code", code)
    assert here.rooms.look(other.room).code == other.code
    here.rooms.expiry.tick()
    ended = here.rooms.look(other.room)
    assert (ended.code, ended.expires, ended.version, ended.phase) == (None, None, 2, Phase.WAITING)
    here.rooms.expiry.tick()
    assert here.rooms.look(other.room).version == 2
    assert here.rooms.join("Wei", room=other.room).place == 1


def test_valid_codes_are_distinct(monkeypatch: pytest.MonkeyPatch) -> None:
    with table() as here:
        draws = iter([b"\0" * 8, b"\0" * 8, b"\1" * 8])
        real = here.rooms._chance
        monkeypatch.setattr(here.rooms, "_chance", lambda size: next(draws) if size == 8 else real(size))
        codes = [here.rooms.open(here.setup(), "Ada", 0).code for _ in range(2)]
        assert codes[0] == "AAAAAA"
        assert codes[1] not in (None, "AAAAAA")


@pytest.mark.parametrize("room", ["", "nothing", "x" * 33, "\ud800", "井", "a\nb", "'; DROP TABLE rooms; --"])
def test_missing_room_is_not_found(here: Table, room: str) -> None:
    asking: list[Callable[[], Any]] = [
        lambda: here.rooms.look(room),
        lambda: here.rooms.join("Eve", room=room),
        lambda: here.rooms.submit(room, 0, WrittenMove("5"), version=1, key="k").result(),
        lambda: here.rooms.set_presence(room, 0, True),
    ]
    for ask in asking:
        with pytest.raises(NotFound) as refused:
            ask()
        assert (refused.value.what, refused.value.name) == ("room", room)
    assert here.rooms.place_of(room, "token") is None


def test_tokens_are_stored_as_hashes(tmp_path: Any) -> None:
    with table(f"sqlite:///{tmp_path}/rooms.db") as here:
        first, second = here.pair()
        assert here.rooms.place_of(first.room, first.token) == 0
        assert here.rooms.place_of(first.room, second.token) == 1
        for token in ("", "x", first.token[:-1], "\ud800"):
            assert here.rooms.place_of(first.room, token) is None
        other = here.rooms.open(here.setup(who=("human", "rule")), "Ada", 0)
        assert here.rooms.place_of(other.room, first.token) is None
        assert here.rooms.place_of(other.room, "") is None
        assert len(first.token) * 6 >= 128
        assert len(first.room) * 6 >= 96
    for file in tmp_path.iterdir():
        assert first.token.encode() not in file.read_bytes()


@pytest.mark.parametrize(
    ("who", "place"),
    [
        (("human",), 0),
        (("human", "human", "human"), 0),
        (("human", "human"), 2),
        (("human", "human"), -1),
        (("human", "human"), None),
        (("human", "rule"), 1),
        (("rule", "rule"), 0),
        ((), None),
    ],
)
def test_open_refuses_unsuitable_seats(here: Table, who: tuple[str, ...], place: int | None) -> None:
    with pytest.raises(NotFound) as refused:
        here.rooms.open(here.setup(who=who), "Ada", place)
    assert refused.value.what == "place"
    assert here.heard == []


def test_open_refuses_invalid_names_and_games(here: Table) -> None:
    with pytest.raises(NameRefused):
        here.rooms.open(here.setup(), "\u202e", 0)
    with pytest.raises(NotFound):
        here.rooms.open(here.setup("chess"), "Ada", 0)
    first = here.rooms.open(here.setup(), "Ada", 0)
    with pytest.raises(NameRefused):
        here.rooms.join(" ", code=first.code)
    assert here.rooms.look(first.room).version == 1
    assert here.rooms.join("Wei", code=first.code).place == 1


# Playing


def test_room_saves_its_game(here: Table) -> None:
    first, _ = here.pair()
    assert list(here.database.games()) == []
    view = here.play(first.room, "1", "2", "4", "3", "7")
    assert view.phase is Phase.OVER
    assert view.match.outcome is not None
    assert (view.match.outcome.winner, view.game_id, view.version) == ("X", 1, 7)
    assert [(score.name, score.wins, score.losses) for score in view.scores] == [("Ada", 1, 0), ("Wei", 0, 1)]
    (game,) = here.database.games()
    assert [event.data.get("move") for event in game.events] == ["1", "2", "4", "3", "7", None]
    assert game.setup.seats == {"X": "Ada", "O": "Wei"}
    assert view.series_id == game.setup.series
    assert list(view.results) == here.database.results()
    assert view.scores == recount(view.results, map(Score, ("Ada", "Wei")))
    assert here.heard == [(first.room, version) for version in range(1, 8)]


def test_console_does_not_resume_a_room_game(here: Table) -> None:
    first, _ = here.pair()
    here.play(first.room, "1")
    assert newest_human_game(here.database) is None
    assert open_series(here.database) is None


def test_view_is_a_copy(here: Table) -> None:
    first, _ = here.pair()
    view = here.play(first.room, "1")
    view.match.game.play((1, 1))
    view.match.game.undo()
    view.match.game.undo()
    again = here.rooms.look(first.room)
    assert again.match.game.ply == 1
    here.play(first.room, "5")
    assert again.match.game.ply == 1
    assert again.match.away_since("X") is None


REFUSED: list[tuple[int, Command, type[Exception]]] = [
    (1, WrittenMove("1"), OccupiedCell),
    (0, WrittenMove("2"), OutOfTurn),
    (1, WrittenMove("77"), Exception),
    (1, WrittenMove("\ud800"), NotationError),
    (0, Accept(), CommandRefused),
    (0, Decline(), CommandRefused),
    (0, TakeBack(5), CommandRefused),
    (0, Claim(), CommandRefused),
    (0, Rematch(), CommandRefused),
    (0, Choose("X"), CommandRefused),
    (0, LeaveSeat(), CommandRefused),
    (0, Command(), CommandRefused),
    (2, WrittenMove("2"), CommandRefused),
    (-1, WrittenMove("2"), CommandRefused),
]


@pytest.mark.slow
@pytest.mark.parametrize(("place", "asked", "error"), REFUSED, ids=lambda value: str(value)[:30])
def test_refused_command_changes_nothing(
    here: Table, place: int, asked: Command, error: type[Exception]
) -> None:
    first, _ = here.pair()
    before = here.play(first.room, "1")
    heard = list(here.heard)
    with pytest.raises(error):
        here.do(first.room, place, asked)
    after = here.rooms.look(first.room)
    assert (after.version, after.match.version) == (before.version, before.match.version)
    assert here.heard == heard


def test_moves_wait_for_all_players(here: Table) -> None:
    first = here.rooms.open(here.setup(), "Ada", 0)
    for command, reason in (
        (WrittenMove("5"), "not-begun"),
        (Rematch(), "not-begun"),
        (Leave(), "unknown-command"),
        (Choose("X"), "nothing-to-choose"),
    ):
        with pytest.raises(CommandRefused) as refused:
            here.do(first.room, 0, command)
        assert refused.value.reason == reason
    with pytest.raises(CommandRefused):
        here.do(first.room, 1, WrittenMove("5"))


def test_stale_command_gets_the_current_room(here: Table) -> None:
    first, _ = here.pair()
    version = here.rooms.look(first.room).version
    here.play(first.room, "1")
    for stale in (version, 0, -1, version + 2, 2**70):
        with pytest.raises(StaleRoom) as refused:
            here.rooms.submit(first.room, 1, WrittenMove("2"), version=stale, key="k").result()
        assert refused.value.view.version == version + 1
        assert refused.value.view.match.game.ply == 1
    assert here.rooms.look(first.room).version == version + 1


def test_presence_makes_no_command_stale(here: Table) -> None:
    first, _ = here.pair()
    version = here.rooms.look(first.room).version
    here.rooms.set_presence(first.room, 1, False)
    assert (
        here.rooms.submit(first.room, 0, WrittenMove("1"), version=version, key="k").result().version
        == version + 2
    )


def test_repeated_key_gets_the_same_answer(here: Table) -> None:
    first, _ = here.pair()
    once = here.rooms.submit(first.room, 0, WrittenMove("1"), version=2, key="k").result()
    assert (once.version, once.is_repeated) == (3, False)
    here.play(first.room, "2")
    again = here.rooms.submit(first.room, 0, WrittenMove("1"), version=2, key="k").result()
    assert (again.version, again.is_repeated, again.view.version) == (3, True, 4)
    assert again.view.match.game.ply == 2
    for command in (WrittenMove("3"), Resign()):
        with pytest.raises(CommandRefused) as refused:
            here.rooms.submit(first.room, 0, command, version=4, key="k").result()
        assert refused.value.reason == "key-used"
    with pytest.raises(OutOfTurn):  # a key of another seat is a different key
        here.rooms.submit(first.room, 1, WrittenMove("3"), version=4, key="k").result()


@pytest.mark.parametrize("key", ["", "x" * 65, "\n", "é", None])
def test_invalid_keys_are_refused(here: Table, key: Any) -> None:
    first, _ = here.pair()
    with pytest.raises(CommandRefused) as refused:
        here.rooms.submit(first.room, 0, WrittenMove("1"), version=2, key=key).result()
    assert refused.value.reason == "no-key"


def test_player_can_resign(here: Table) -> None:
    first, _ = here.pair()
    view = here.do(first.room, 0, Resign()).view
    assert [(result.winner, result.termination) for result in view.results] == [("O", "resignation")]
    with pytest.raises(GameOver):
        here.do(first.room, 1, WrittenMove("1"))


def test_draw_offer_can_be_declined_and_accepted(here: Table) -> None:
    first, _ = here.pair()
    here.play(first.room, "1")
    offered = here.do(first.room, 0, OfferDraw()).view
    assert offered.awaited == frozenset({1})
    assert offered.match.offer is not None
    assert here.do(first.room, 1, Decline()).view.match.offer is None
    here.do(first.room, 1, OfferDraw())
    view = here.do(first.room, 0, Accept()).view
    assert [(result.winner, result.termination) for result in view.results] == [(None, "agreement")]


def test_takeback_needs_consent(here: Table) -> None:
    first, _ = here.pair()
    here.play(first.room, "1")
    command = here.do(first.room, 0, TakeBack(None)).view
    assert (command.match.game.ply, command.awaited) == (1, frozenset({1}))
    view = here.do(first.room, 1, Accept()).view
    assert (view.match.game.ply, view.awaited, view.turn) == (0, frozenset({0}), 0)


def test_repeated_takeback_is_recognised_after_moves(here: Table) -> None:
    first, _ = here.pair()
    here.play(first.room, "1", "2")
    version = here.rooms.look(first.room).version
    command = here.rooms.submit(first.room, 0, TakeBack(None), version=version, key="k").result()
    assert command.view.match.offer is not None
    assert command.view.match.offer.plies == 2
    here.do(first.room, 1, Decline())
    here.play(first.room, "3")
    again = here.rooms.submit(first.room, 0, TakeBack(None), version=version, key="k").result()
    assert (again.version, again.is_repeated) == (command.version, True)


# Computers


def test_computer_is_awaited_on_its_turn(here: Table) -> None:
    room = here.rooms.open(here.setup(who=("human", "rule")), "Ada", 0)
    assert room.code is None
    view = here.rooms.look(room.room)
    assert (view.names, view.phase, view.present) == (("Ada", "rule"), Phase.PLAYING, frozenset({0, 1}))
    assert here.rooms.store.awaiting_computers() == []
    view = here.play(room.room, "1")
    assert (here.rooms.store.awaiting_computers(), view.awaited) == ([room.room], frozenset({1}))
    view = here.do(room.room, 0, TakeBack(None)).view
    assert view.awaited == frozenset({1})
    here.do(room.room, 1, Accept())
    assert here.rooms.store.awaiting_computers() == []
    view = here.do(room.room, 1, Forfeit("broken", "it raised")).view
    assert [(result.winner, result.termination) for result in view.results] == [("X", "forfeit")]
    assert here.rooms.store.awaiting_computers() == []
    view = here.do(room.room, 0, Rematch()).view
    assert (view.wishes, view.awaited, here.rooms.store.awaiting_computers()) == (
        frozenset({0}),
        frozenset({1}),
        [room.room],
    )
    assert here.do(room.room, 1, Rematch()).view.turn == 1
    here.rooms.set_presence(room.room, 0, False)
    view = here.rooms.look(room.room)
    assert (view.present, view.match.version) == (frozenset({1}), 0)  # no player here could claim


def test_computers_have_no_tokens(here: Table) -> None:
    room = here.rooms.open(here.setup(who=("rule", "rule")), "", None)
    assert (room.place, room.token) == (None, "")
    view = here.rooms.look(room.room)
    assert (view.names, view.turn, view.present) == (("rule", "rule (2)"), 0, frozenset({0, 1}))
    here.play(room.room, "5", "1")


def test_rooms_support_one_and_three_sides(here: Table) -> None:
    first = here.rooms.open(here.setup("three", who=("human", "human", "rule")), "Ada", 1)
    here.rooms.join("Wei", code=first.code)
    view = here.play(first.room, "1", "2", "3")
    assert (view.turn, view.match.game.ply) == (0, 3)
    here.rooms.set_presence(first.room, 1, False)
    assert here.rooms.look(first.room).present == frozenset({0, 2})
    alone = here.rooms.open(here.setup("fifteen", who=("human",)), "Ada", 0)
    other = here.rooms.open(here.setup("fifteen", who=("human",)), "Ada", 0)
    starts = [here.rooms.look(entry.room).match.game.start for entry in (alone, other)]
    assert starts[0] != starts[1]


# The next game


def test_rematch_needs_both_and_rotates_sides(here: Table) -> None:
    first, _ = here.pair()
    here.play(first.room, "1", "2", "4", "3", "7")
    view = here.do(first.room, 0, Rematch()).view
    assert (view.phase, view.wishes, view.awaited) == (Phase.OVER, frozenset({0}), frozenset({1}))
    with pytest.raises(CommandRefused) as refused:
        here.do(first.room, 0, Rematch())
    assert refused.value.reason == "wished-already"
    view = here.do(first.room, 1, Rematch()).view
    assert (view.phase, view.wishes, view.game_id) == (Phase.PLAYING, frozenset(), None)
    assert (dict(view.sides), view.turn) == ({1: "X", 0: "O"}, 1)
    view = here.play(first.room, "1", "2", "4", "3", "7")
    assert [score.wins for score in view.scores] == [1, 1]
    assert [game.setup.series for game in here.database.games()] == [view.series_id] * 2


def test_chooser_chooses_a_mark(here: Table) -> None:
    first, _ = here.pair(here.setup(begins=Begins.CHOOSER))
    view = here.rooms.look(first.room)
    assert (view.phase, view.chooser, view.awaited) == (Phase.CHOOSING, 0, frozenset({0}))
    assert view.chooser is not None
    assert view.match.game.ply == 0
    with pytest.raises(CommandRefused):
        here.do(first.room, 1, Choose("X"))
    with pytest.raises(UnknownMark):
        here.do(first.room, 0, Choose("Z"))
    view = here.do(first.room, 0, Choose("O")).view
    assert (dict(view.sides), view.turn, view.chooser) == ({0: "O", 1: "X"}, 0, None)
    assert view.chooser is None
    here.play(first.room, "1", "2", "4", "3", "7")
    here.do(first.room, 1, Rematch())
    view = here.do(first.room, 0, Rematch()).view
    assert (view.phase, view.chooser) == (Phase.CHOOSING, 1)
    assert view.match.outcome is not None
    with pytest.raises(CommandRefused):
        here.do(first.room, 0, Rematch())
    view = here.do(first.room, 1, Choose("X")).view
    assert (view.phase, dict(view.sides), view.turn) == (Phase.PLAYING, {1: "X", 0: "O"}, 1)


def test_choosing_computer_takes_the_first_mark(here: Table) -> None:
    room = here.rooms.open(here.setup(who=("rule", "human"), begins=Begins.CHOOSER), "Ada", 1)
    assert dict(here.rooms.look(room.room).sides) == {0: "X", 1: "O"}


def test_loser_begins_the_next_game(here: Table) -> None:
    first, _ = here.pair(here.setup(begins=Begins.LOSER))
    here.do(first.room, 0, Resign())
    here.do(first.room, 0, Rematch())
    assert here.do(first.room, 1, Rematch()).view.turn == 0


def test_series_has_a_maximum_length(here: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.arena.rooms.room.MAX_GAMES", 2)
    first, _ = here.pair()
    here.do(first.room, 0, Resign())
    for place in (0, 1):
        here.do(first.room, place, Rematch())
    view = here.do(first.room, 0, Resign()).view
    assert view.scores == recount(view.results, map(Score, ("Ada", "Wei")))
    with pytest.raises(CommandRefused) as refused:
        here.do(first.room, 0, Rematch())
    assert refused.value.reason == "series-over"


def test_leaving_a_seat_closes_the_room(here: Table) -> None:
    first, _ = here.pair()
    here.do(first.room, 0, Resign())
    here.do(first.room, 1, Rematch())
    view = here.do(first.room, 0, LeaveSeat()).view
    assert (view.phase, view.wishes, view.awaited) == (Phase.CLOSED, frozenset(), frozenset())
    for command in (Rematch(), LeaveSeat()):
        with pytest.raises(CommandRefused) as refused:
            here.do(first.room, 1, command)
        assert refused.value.reason == "room-closed"
    waiting = here.rooms.open(here.setup(), "Ada", 0)
    here.do(waiting.room, 0, LeaveSeat())
    with pytest.raises(NotFound):
        here.rooms.join("Wei", code=waiting.code)
    with pytest.raises(NotFound):
        here.rooms.join("Wei", room=waiting.room)


# Time


def test_flag_ends_the_game(here: Table) -> None:
    first, _ = here.pair(here.setup(clock=TIMED))
    here.time.pass_by(DAY)
    here.rooms.expiry.tick()
    here.play(first.room, "8", "9")
    here.time.pass_by(20_000)
    view = here.play(first.room, "1")
    assert view.match.time_left("X", here.time.at) == 42_000
    here.time.pass_by(60_999)
    here.rooms.expiry.tick()
    assert here.rooms.look(first.room).version == view.version
    here.time.pass_by(1)
    here.rooms.expiry.tick()
    view = here.rooms.look(first.room)
    assert (view.phase, view.results[0].winner, view.results[0].termination) == (Phase.OVER, "X", "time")
    here.rooms.expiry.tick()
    assert here.rooms.look(first.room).version == view.version


def test_no_flag_falls_before_the_first_move(here: Table) -> None:
    room = here.pair(here.setup(clock=TIMED))[0].room
    here.play(room, "8", "9")
    for place, command in ((0, TakeBack(2)), (1, Accept())):
        view = here.do(room, place, command).view
    here.time.pass_by(DAY)
    here.rooms.expiry.tick()
    assert here.rooms.look(room).version == view.version
    assert here.play(room, "8").results[0].termination == "time"


def test_late_move_ends_the_game(here: Table) -> None:
    first, _ = here.pair(here.setup(clock=Clock(per_move=1_000)))
    version = here.play(first.room, "8", "9").version
    here.time.pass_by(1_000)
    answered = here.rooms.submit(first.room, 0, WrittenMove("1"), version=version, key="k").result()
    assert (answered.view.results[0].winner, answered.view.match.game.ply) == ("O", 2)
    again = here.rooms.submit(first.room, 0, WrittenMove("1"), version=version, key="k").result()
    assert (again.is_repeated, again.version) == (True, answered.version)


def test_clock_set_back_gives_no_time(here: Table) -> None:
    first, _ = here.pair(here.setup(clock=TIMED))
    here.play(first.room, "8", "9")
    here.time.pass_by(30_000)
    here.play(first.room, "1")
    here.time.pass_by(-3_600_000)
    here.rooms.expiry.tick()
    view = here.play(first.room, "2")
    assert view.match.time_left("O", here.time.at) == 62_000
    assert view.phase is Phase.PLAYING


def test_absence_allows_a_claim(here: Table) -> None:
    first, _ = here.pair(here.setup(claim_after=30_000))
    here.play(first.room, "1")
    here.rooms.set_presence(first.room, 1, False)
    here.rooms.set_presence(first.room, 1, False)
    view = here.rooms.look(first.room)
    assert (view.present, view.match.away_since("O")) == (frozenset({0}), here.time.at)
    here.time.pass_by(29_999)
    with pytest.raises(CommandRefused) as refused:
        here.do(first.room, 0, Claim())
    assert refused.value.reason == "too-early"
    here.time.pass_by(1)
    view = here.do(first.room, 0, Claim()).view
    assert (view.results[0].winner, view.results[0].termination) == ("X", "abandonment")
    here.rooms.set_presence(first.room, 1, True)
    assert here.rooms.look(first.room).present == frozenset({0, 1})


def test_returning_or_moving_ends_an_absence(here: Table) -> None:
    first, _ = here.pair(here.setup(claim_after=30_000))
    here.rooms.set_presence(first.room, 1, False)
    here.rooms.set_presence(first.room, 1, True)
    here.rooms.set_presence(first.room, 1, True)
    kinds = [event.kind for event in here.database.load(1).events]
    assert kinds == [EventKind.AWAY, EventKind.BACK]
    here.rooms.set_presence(first.room, 0, False)
    view = here.play(first.room, "1")
    assert (view.present, view.match.away_since("X")) == (frozenset({0, 1}), None)
    here.time.pass_by(60_000)
    with pytest.raises(CommandRefused):
        here.do(first.room, 1, Claim())


def test_absence_from_the_start_allows_a_claim(here: Table) -> None:
    first = here.rooms.open(here.setup(), "Ada", 0)
    here.rooms.set_presence(first.room, 0, False)
    here.rooms.set_presence(first.room, 1, True)  # the seat is still free
    assert here.rooms.look(first.room).present == frozenset()
    here.rooms.join("Wei", code=first.code)
    here.time.pass_by(60_000)
    view = here.do(first.room, 1, Claim()).view
    assert view.results[0].winner == "O"


def test_room_can_forbid_claims(here: Table) -> None:
    first, _ = here.pair(here.setup(claim_after=0))
    here.rooms.set_presence(first.room, 1, False)
    here.time.pass_by(10 * DAY)
    with pytest.raises(CommandRefused) as refused:
        here.do(first.room, 0, Claim())
    assert refused.value.reason == "no-claims"


def test_idle_rooms_are_removed_without_their_games(here: Table) -> None:
    entries = [here.pair()[0] for _ in range(3)]
    waiting = here.rooms.open(here.setup(), "Ada", 0)
    over, playing, watched = entries
    here.play(over.room, "1", "2", "4", "3", "7")
    here.play(playing.room, "1")
    for entry in (over, playing, waiting):
        for place in (0, 1):
            here.rooms.set_presence(entry.room, place, False)
    here.time.pass_by(DAY)
    here.rooms.expiry.tick()
    for gone in (over, waiting):
        with pytest.raises(NotFound):
            here.rooms.look(gone.room)
    here.time.pass_by(6 * DAY)
    here.rooms.expiry.tick()
    with pytest.raises(NotFound):
        here.rooms.look(playing.room)
    assert here.rooms.look(watched.room).phase is Phase.PLAYING  # a player is here
    assert [game.setup.seats["X"] for game in here.database.games()] == ["Ada", "Ada"]
    assert here.heard.count((over.room, 10)) == 1  # spectators are notified


def test_occupied_idle_room_is_not_removed(here: Table) -> None:
    first, _ = here.pair()
    here.time.pass_by(7 * DAY)
    for _ in range(3):
        here.rooms.expiry.tick()
    assert here.rooms.look(first.room).version == 3
    for place in (0, 1):
        here.rooms.set_presence(first.room, place, False)
    here.time.pass_by(7 * DAY)
    here.rooms.expiry.tick()
    with pytest.raises(NotFound):
        here.rooms.look(first.room)


def test_room_settled_elsewhere_is_not_read(here: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    room = here.pair()[0].room
    monkeypatch.setattr(here.rooms.store, "due", lambda *_: [room])
    monkeypatch.delattr(RoomBatch, "read")
    here.rooms.expiry.tick()


def test_latest_due_flag_falls_first(here: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.arena.rooms.room_repository.MAX_DUE", 2)
    idle = [here.rooms.open(here.setup(), "Ada", 0).room for _ in range(5)]
    for room in idle:
        here.rooms.set_presence(room, 0, False)
    here.time.pass_by(2 * DAY)
    timed, _ = here.pair(here.setup(clock=Clock(per_move=1_000)))
    here.play(timed.room, "1", "2")
    here.time.pass_by(1_000)
    here.rooms.expiry.tick()
    assert here.rooms.look(timed.room).phase is Phase.OVER
    for _ in range(2):
        here.rooms.expiry.tick()
    for room in idle:
        with pytest.raises(NotFound):
            here.rooms.look(room)


def test_long_clock_ends_an_idle_game(here: Table) -> None:
    first, _ = here.pair(here.setup(clock=Clock(per_move=14 * DAY)))
    here.play(first.room, "1", "2")
    for place in (0, 1):
        here.rooms.set_presence(first.room, place, False)
    here.time.pass_by(14 * DAY - 1)
    here.rooms.expiry.tick()
    assert here.rooms.look(first.room).phase is Phase.PLAYING
    here.time.pass_by(1)
    here.rooms.expiry.tick()
    assert here.rooms.look(first.room).results[0].termination == "time"
    here.time.pass_by(IDLE_BY_DAYS["over"])
    here.rooms.expiry.tick()
    with pytest.raises(NotFound):
        here.rooms.look(first.room)


def test_running_games_survive_a_long_downtime(tmp_path: Any) -> None:
    url = f"sqlite:///{tmp_path}/rooms.db"
    with table(url) as before:
        playing, waiting = before.pair()[0].room, before.rooms.open(before.setup(), "Ada", 0).room
        for room, place in ((playing, 0), (playing, 1), (waiting, 0)):
            before.rooms.set_presence(room, place, False)
    before.time.pass_by(30 * DAY)
    with table(url, seed=1, time=before.time) as here:
        for days in (0, 6):
            here.time.pass_by(days * DAY)
            here.rooms.expiry.tick()
            assert here.rooms.look(playing).phase is Phase.PLAYING
        with pytest.raises(NotFound):
            here.rooms.look(waiting)
        here.time.pass_by(DAY)
        here.rooms.expiry.tick()
        with pytest.raises(NotFound):
            here.rooms.look(playing)


# Workers


def test_players_of_a_dead_worker_are_away(tmp_path: Any) -> None:
    url = f"sqlite:///{tmp_path}/rooms.db"
    with table(url) as before:
        first, _ = before.pair()
        before.play(first.room, "1")
    with table(url, seed=1, time=before.time) as here:
        here.rooms.expiry.tick()
        assert here.rooms.look(first.room).present == frozenset({0, 1})
        here.rooms.set_presence(first.room, 0, True)  # held by another worker now
        here.time.pass_by(GONE_AFTER + 1)
        here.rooms.expiry.tick()
        assert here.rooms.look(first.room).present == frozenset({0})
        here.time.pass_by(HEARTBEAT_MS)
        here.rooms.expiry.tick()
        here.time.pass_by(50_000)
        here.rooms.expiry.tick()
        assert here.do(first.room, 0, Claim()).view.results[0].winner == "X"


def test_silence_is_reported_once(here: Table) -> None:
    first, _ = here.pair()
    seats = {(first.room, 0), (first.room, 1)}
    assert here.rooms.heartbeats.take_silent(30_000) == []
    here.time.pass_by(30_000)
    here.play(first.room, "1")
    assert here.rooms.heartbeats.take_silent(30_000) == [(first.room, 1)]
    here.time.pass_by(29_999)
    here.rooms.heartbeats.note(first.room, 1)
    assert here.rooms.heartbeats.take_silent(30_000) == []
    here.time.pass_by(30_000)
    assert set(here.rooms.heartbeats.take_silent(30_000)) == seats
    assert here.rooms.heartbeats.take_silent(0) == []
    assert here.rooms.look(first.room).version == 3
    here.rooms.set_presence(first.room, 1, False)
    assert here.rooms.heartbeats.take_silent(0) == []
    here.rooms.set_presence(first.room, 1, True)
    assert here.rooms.heartbeats.take_silent(0) == [(first.room, 1)]
    computer = here.rooms.open(here.setup(who=("rule", "human")), "Ada", 1)
    here.do(computer.room, 0, WrittenMove("5"))
    here.rooms.open(here.setup(who=("rule", "rule")), "", None)
    assert here.rooms.heartbeats.take_silent(0) == [(computer.room, 1)]


def test_silence_is_reported_despite_a_lost_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Database.writing

    @contextmanager
    def losing(self: Database) -> Iterator[Any]:
        with real(self) as connection:
            yield connection
        raise StoreError(self.where, "lost")

    with table() as here:
        here.rooms.expiry.write_heartbeat().result()  # otherwise its answer would be the lost one
        monkeypatch.setattr(Database, "writing", losing)
        with pytest.raises(StoreError):
            here.rooms.open(here.setup(), "Ada", 0)
        ((room, place),) = here.rooms.heartbeats.take_silent(0)
        assert here.rooms.look(room).present == frozenset((place,))


def test_only_the_holding_worker_reports_an_absence(tmp_path: Any) -> None:
    url = f"sqlite:///{tmp_path}/rooms.db"
    with table(url) as one, table(url, seed=1) as two:
        first, _ = one.pair()
        two.rooms.set_presence(first.room, 0, True)
        assert [here.rooms.holds(first.room, 0) for here in (one, two)] == [True, True]  # not notified yet
        one.rooms.set_presence(first.room, 0, False)
        assert one.rooms.look(first.room).present == frozenset({0, 1})
        assert [here.rooms.holds(first.room, 0) for here in (one, two)] == [False, True]
        assert not two.rooms.holds("elsewhere", 0)
        one.rooms.heartbeats.take_silent(0)
        two.do(first.room, 0, WrittenMove("1"))
        one.do(first.room, 0, OfferDraw())  # sent to one, while two holds the seat
        assert one.rooms.heartbeats.take_silent(0) == []
        assert two.rooms.heartbeats.take_silent(0) == [(first.room, 0)]
        two.rooms.set_presence(first.room, 0, False)
        assert one.rooms.look(first.room).present == frozenset({1})


def test_failing_listener_does_not_affect_others(here: Table) -> None:
    def fail(room: str, version: int) -> None:
        raise RuntimeError(room)

    heard: list[int] = []
    here.rooms.listen(fail)
    end = here.rooms.listen(lambda room, version: heard.append(version))
    here.rooms.open(here.setup(), "Ada", 0)
    end()
    end()
    first = here.rooms.open(here.setup(), "Ada", 0)
    assert heard == [1]
    assert here.heard[-1] == (first.room, 1)


def test_closed_rooms_accept_no_commands(here: Table) -> None:
    first, _ = here.pair()
    here.rooms.close()
    here.rooms.close()
    with pytest.raises(StoreError, match="closed"):
        here.rooms.open(here.setup(), "Ada", 0)
    assert here.rooms.look(first.room).version == 2


def test_number_of_rooms_in_memory_is_limited(here: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.arena.rooms.room_repository.MAX_ROOMS", 2)
    entries = [here.pair()[0] for _ in range(4)]
    assert len(here.rooms._known.versions()) == 2
    for entry in entries:
        assert here.play(entry.room, "5", "1").match.game.ply == 2


def test_rooms_survive_a_restart(tmp_path: Any) -> None:
    """New rooms over the same file continue with all seats, keys, offers, clocks, wishes and scores."""
    url = f"sqlite:///{tmp_path}/rooms.db"
    setup = Terms("tictactoe", ("human", "human"), Begins.CHOOSER, TIMED, 30_000)
    with table(url) as here:
        first, second = here.pair(setup)
        waiting = here.rooms.open(setup, "Ada", 1)
        here.do(first.room, 0, Choose("O"))
        time = here.time
    steps: list[Callable[[Table], Any]] = [
        lambda here: here.play(first.room, "1"),
        lambda here: here.do(first.room, 0, OfferDraw()),
        lambda here: here.do(first.room, 1, Accept()),
        lambda here: here.do(first.room, 0, Rematch()),
        lambda here: here.do(first.room, 1, Rematch()),
        lambda here: here.do(first.room, 1, Choose("X")),
        lambda here: here.rooms.set_presence(first.room, 1, True),
        lambda here: here.do(first.room, 0, OfferDraw()),
    ]
    for number, step in enumerate(steps):
        with table(url, time=time, seed=number + 1) as here:
            time.pass_by(1_000)
            step(here)
            before = here.rooms.look(first.room)
        with table(url, time=time, seed=100) as here:
            after = here.rooms.look(first.room)
            assert _facts(after) == _facts(before)
    with table(url, time=time, seed=7) as here:  # the worker to which player 1 returned
        here.rooms.set_presence(first.room, 1, False)
    with table(url, time=time, seed=200) as here:
        assert here.rooms.place_of(first.room, second.token) == 1
        assert here.rooms.join("Wei", code=waiting.code).place == 0
        view = here.rooms.look(first.room)
        # Two restarts since this game began took a second each, which counts on no clock.
        assert (view.match.away_since("X"), view.scores[0].draws) == (time.at - 2_000, 1)


def _facts(view: Any) -> list[Any]:
    """Return all visible facts, with those of the match."""
    match = view.match
    names = [name for name in view.__slots__ if name != "match"]
    left = [(side, match.time_left(side, 2_000_000), match.away_since(side)) for side in match.game.sides]
    return [
        *(getattr(view, name) for name in names),
        *(match.version, match.game.moves, match.offer, match.outcome, left, match.turn_began),
    ]


# Races


def _at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Return the results or errors of *calls* that are made at the same time."""
    gate = threading.Barrier(len(calls))
    answers: list[Any] = [None] * len(calls)

    def run(number: int, call: Callable[[], Any]) -> None:
        gate.wait()
        try:
            answers[number] = call()
        except Exception as error:
            answers[number] = error

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def _commands(rooms: Rooms, room: str, *asked: tuple[int, Command, str]) -> list[Callable[[], Any]]:
    def bound(place: int, command: Command, key: str) -> Callable[[], Any]:
        return lambda: rooms.submit(room, place, command, version=2, key=key).result()

    return [bound(*one) for one in asked]


@pytest.mark.slow
def test_one_of_two_simultaneous_moves_is_made(tmp_path: Any) -> None:
    with table(f"sqlite:///{tmp_path}/rooms.db") as here:
        for _ in range(60):
            first, _ = here.pair()
            calls = _commands(here.rooms, first.room, (0, WrittenMove("1"), "a"), (0, WrittenMove("2"), "b"))
            answers = _at_once(*calls)
            assert sum(isinstance(answer, StaleRoom) for answer in answers) == 1
            assert sum(not isinstance(answer, Exception) for answer in answers) == 1
            view = here.rooms.look(first.room)
            assert (view.version, view.match.game.ply) == (3, 1)
            assert [event.version for event in here.database.load(view.game_id or 0).events] == [1]


def test_key_from_many_threads_makes_one_event(tmp_path: Any) -> None:
    with table(f"sqlite:///{tmp_path}/rooms.db") as here:
        first, _ = here.pair()
        answers = _at_once(*_commands(here.rooms, first.room, *[(0, WrittenMove("1"), "a")] * 40))
        assert [answer.version for answer in answers] == [3] * 40
        assert sum(answer.is_repeated for answer in answers) == 39
        assert here.rooms.look(first.room).version == 3
        assert len(here.database.load(1).events) == 1


@pytest.mark.slow
def test_one_of_many_simultaneous_joins_succeeds(tmp_path: Any) -> None:
    with table(f"sqlite:///{tmp_path}/rooms.db") as here:
        for number in range(40):
            first = here.rooms.open(here.setup(), "Ada", 0)
            way: dict[str, Any] = {"code": first.code} if number % 2 else {"room": first.room}
            answers = _at_once(*[lambda way=way: here.rooms.join("Wei", **way)] * 4)
            seated = [answer for answer in answers if not isinstance(answer, Exception)]
            assert len(seated) == 1
            refused = NotFound if number % 2 else SeatTaken
            assert sum(isinstance(answer, refused) for answer in answers) == 3
            assert here.rooms.place_of(first.room, seated[0].token) == 1
            assert here.rooms.look(first.room).version == 2


def test_many_rooms_can_be_played_at_once(tmp_path: Any) -> None:
    with table(f"sqlite:///{tmp_path}/rooms.db") as here:
        rooms = [here.pair()[0].room for _ in range(12)]

        def play(room: str) -> Callable[[], Any]:
            return lambda: here.play(room, "1", "2", "4", "3", "7")

        answers = _at_once(*map(play, rooms))
        assert [answer.version for answer in answers] == [7] * 12
        heard = {room: [version for name, version in here.heard if name == room] for room in rooms}
        assert set(map(tuple, heard.values())) == {tuple(range(1, 8))}
        assert len(here.database.results()) == 12


def test_known_game_is_the_running_one(here: Table) -> None:
    assert here.rooms.known_game("nowhere") is None
    waiting = here.rooms.open(here.setup(), "Ada", 0)
    assert here.rooms.known_game(waiting.room) is None
    room = here.rooms.join("Wei", code=waiting.code).room
    for ply in (0, 1):
        game = here.rooms.known_game(room)
        assert game is not None
        assert (len(game.cells), game.ply) == (9, ply)
        if not ply:
            here.do(room, 0, WrittenMove("5"))
    here.do(room, 1, Resign())
    assert here.rooms.known_game(room) is None


def test_view_by_code_takes_no_seat() -> None:
    with table() as here:
        entry = here.rooms.open(here.setup(clock=TIMED), "Ada", 0)
        view = here.rooms.view_by_code((entry.code or "").lower())
        assert (view.room, view.names, view.setup.clock) == (entry.room, ("Ada", None), TIMED)
        for code in ("ABCDEF", "?"):
            with pytest.raises(NotFound):
                here.rooms.view_by_code(code)
        here.time.pass_by(CODE_LASTS_MS)
        with pytest.raises(NotFound):
            here.rooms.view_by_code(entry.code or "")
