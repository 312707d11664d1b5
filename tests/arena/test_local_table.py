"""Local tables: games one after another, saved before they count, and resumed after a pause."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.commands import Flag, MakeMove, OfferDraw, Resign
from noughts.arena.events import Event, EventKind
from noughts.arena.local_table import (
    LocalTable,
    can_resume,
    is_barely_started,
    is_series_open,
    newest_human_game,
    unfinished_human_games,
)
from noughts.arena.match import Match
from noughts.arena.runner import run
from noughts.arena.series import Begins, Series
from noughts.arena.setup import SeriesSetup, Setup
from noughts.arena.store.database import open_database
from noughts.arena.store.store import Store
from noughts.arena.stored_game import StoredGame, moves_of
from noughts.errors import (
    CommandRefused,
    DamagedStore,
    GameOver,
    NotFound,
    NoughtsError,
    OccupiedCell,
    StaleVersion,
    StoreError,
    UnknownMark,
)
from tests.stand_ins import MemoryStore, open_series

NAMES = ("Ada", "Wei")
PEOPLE = {"Ada": "human", "Wei": "human"}
MINUTE = 60_000


class Full(MemoryStore):
    """A store that refuses all events while it is full."""

    def __init__(self) -> None:
        super().__init__()
        self.is_full = False

    def add_game(self, setup: Setup) -> int:
        self._check()
        return super().add_game(setup)

    def append(self, game: int, events: Sequence[Event]) -> None:
        self._check()
        super().append(game, events)

    def add_series(self, setup: SeriesSetup) -> int:
        self._check()
        return super().add_series(setup)

    def _check(self) -> None:
        if self.is_full:
            raise StoreError("games.db", "no space left")


def new_table(
    store: Store | None = None,
    begins: Begins = Begins.ALTERNATE,
    *,
    game: str = "tictactoe",
    seed: int = 0,
    clock: Clock = UNTIMED,
    is_series: bool = False,
) -> LocalTable:
    series = Series(NAMES, begins)
    return LocalTable(store, game, series, PEOPLE, seed=seed, clock=clock, is_series=is_series)


def play(table: LocalTable, cells: str, at: int = 0) -> list[Event]:
    """Play *cells* such as ``51937`` by turns, one each millisecond."""
    events: list[Event] = []
    for cell in cells:
        at += 1
        events += table.apply(present(table).turn, MakeMove(divmod(int(cell) - 1, 3)), at)
    return events


def present(table: LocalTable) -> Match:
    assert table.match is not None
    return table.match


def only(store: MemoryStore) -> StoredGame:
    (stored,) = store.games()
    return stored


# Games one after another


def test_table_is_empty_before_the_first_game() -> None:
    table = new_table()
    assert (table.match, table.setup, table.number, table.series_number) == (None, None, None, None)
    assert (dict(table.names), dict(table.who_of), table.is_playing) == ({}, {}, False)
    with pytest.raises(CommandRefused):
        table.apply("X", Resign(), 0)
    with pytest.raises(AssertionError, match="no game"):
        _ = table.record


def test_game_is_saved_with_its_first_event() -> None:
    store = MemoryStore()
    table = new_table(store)
    seating = table.begin(5_000)
    assert dict(seating.seats) == dict(table.names) == {"X": "Ada", "O": "Wei"}
    assert (table.is_playing, table.number, list(store.games())) == (True, None, [])
    events = play(table, "51", at=5_000)
    stored = only(store)
    assert (table.number, list(stored.events)) == (stored.id, events)
    setup = Setup("tictactoe", seating.seats, created=5_000, who={"X": "human", "O": "human"})
    assert stored.setup == table.setup == setup
    assert [event.at for event in events] == [5_001, 5_002]
    assert open_series(store) is None


def test_refused_command_changes_and_saves_nothing() -> None:
    store = MemoryStore()
    table = new_table(store)
    table.begin(0)
    play(table, "5")
    match = table.match
    with pytest.raises(OccupiedCell):
        play(table, "5")
    assert table.match is match
    assert len(only(store).events) == present(table).version == 1


def test_results_count_without_a_series() -> None:
    store = MemoryStore()
    table = new_table(store)
    table.begin(0)
    assert play(table, "15293")[-1].kind is EventKind.END
    assert not table.is_playing
    assert table.series.results == [only(store).result]
    with pytest.raises(GameOver):
        table.apply("O", Resign(), 9)
    assert list(table.begin(10).seats.items()) == [("X", "Wei"), ("O", "Ada")]
    assert (table.number, table.is_playing) == (None, True)
    table.apply("X", Resign(), 11)
    assert table.number == 2
    assert [(score.name, score.wins) for score in table.series.scores()] == [("Ada", 2), ("Wei", 0)]
    assert [stored.setup.series for stored in store.games()] == [None, None]


def test_computers_are_seated_by_name() -> None:
    table = LocalTable(MemoryStore(), "tictactoe", Series(NAMES), {"Ada": "human", "Wei": "rule"})
    table.begin(0)
    assert dict(table.who_of) == {"X": "human", "O": "rule"}
    table.apply("X", Resign(), 1)
    table.begin(2)
    assert dict(table.who_of) == {"X": "rule", "O": "human"}


def test_unsaved_games_count() -> None:
    table = new_table(is_series=True)
    table.begin(0)
    play(table, "15293")
    table.adjourn(1)
    table.end()
    assert len(table.series.results) == 1
    assert (table.number, table.series_number) == (None, None)
    table.read_back()  # nothing is saved, so nothing is missing


def test_seed_decides_the_start_of_each_game() -> None:
    def starts(seed: int) -> list[str | None]:
        table = LocalTable(MemoryStore(), "fifteen", Series(("Ada",), marks=("X",)), PEOPLE, seed=seed)
        result = []
        for at in range(3):
            table.begin(at)
            assert table.setup is not None
            result.append(table.setup.start)
            table.apply("X", Resign(), at)
        return result

    assert len(set(starts(7))) == 3
    assert starts(8)[:2] == starts(7)[1:]


def test_runner_saves_through_a_table() -> None:
    class Typed:
        """A player with six prepared moves."""

        def __init__(self, cells: str) -> None:
            self.cells = list(cells)

        def decide(self, match: Match) -> MakeMove:
            return MakeMove(divmod(int(self.cells.pop(0)) - 1, 3))

        def answer(self, match: Match, side: str) -> MakeMove:
            raise NotImplementedError

        def refuse(self, command: object, error: Exception) -> None:
            raise NotImplementedError

    store = MemoryStore()
    table = new_table(store)
    table.begin(0)
    received: list[int] = []

    def tell(event: Event) -> None:
        received.append(len(only(store).events))

    run(present(table), {"X": Typed("123"), "O": Typed("45")}, apply=table.apply, on_event=tell)
    assert received == [1, 2, 3, 4, 6, 6]
    assert table.series.results == [only(store).result]


# A series


def test_series_is_saved_and_can_be_ended() -> None:
    store = MemoryStore()
    table = new_table(store, Begins.LOSER, is_series=True)
    assert open_series(store) is None
    table.begin(7)
    assert open_series(store) == (1, SeriesSetup("tictactoe", NAMES, Begins.LOSER, 7))
    play(table, "15293")
    assert list(table.begin(20).seats.values()) == ["Wei", "Ada"]
    play(table, "5", at=20)
    assert [stored.setup.series for stored in store.games()] == [1, 1]
    table.end()
    assert open_series(store) is None


def test_chooser_chooses_a_mark() -> None:
    store = MemoryStore()
    table = new_table(store, Begins.CHOOSER, is_series=True)
    assert table.series.needs_choice
    for choice in (None, "Z"):
        with pytest.raises(UnknownMark):
            table.begin(0, choice)
    assert (table.match, open_series(store)) == (None, None)
    assert list(table.begin(0, "O").seats.items()) == [("O", "Ada"), ("X", "Wei")]
    assert present(table).turn == "O"
    table.apply("O", Resign(), 1)
    assert list(table.begin(2, "O").seats.items()) == [("O", "Wei"), ("X", "Ada")]


# A store that refuses


@pytest.mark.parametrize(("before", "left"), [("", 60_000), ("5", 60_000), ("51", 59_002)])
def test_unsaved_event_has_not_happened(before: str, left: int) -> None:
    store = Full()
    table = new_table(store, clock=Clock(base=MINUTE))
    table.begin(0)
    play(table, before)
    store.is_full = True
    with pytest.raises(StoreError):
        play(table, "9", at=500)
    match = present(table)
    assert (match.version, match.game.ply) == (len(before), len(before))
    assert match.time_left(match.turn, 1_000) == left
    assert (table.is_playing, table.series.results) == (True, [])
    store.is_full = False
    play(table, "9", at=600)
    assert [event.version for event in only(store).events] == list(range(1, len(before) + 2))


def test_unsaved_result_does_not_count() -> None:
    store = Full()
    table = new_table(store)
    table.begin(0)
    play(table, "1529")
    store.is_full = True
    with pytest.raises(StoreError):
        play(table, "3", at=10)
    assert (table.is_playing, table.series.results) == (True, [])
    store.is_full = False
    play(table, "3", at=20)
    assert len(table.series.results) == 1


def test_retries_save_each_event_once() -> None:
    store, asked = Full(), list[tuple[type, int, str]]()
    table = new_table(store)
    table.begin(0)
    match = present(table)

    def wait(error: NoughtsError, played: StoredGame) -> None:
        asked.append((type(error), played.id, moves_of(played)[-1][0]))
        store.is_full = len(asked) % 2 == 1

    table.when_refused = wait
    for number, move in enumerate("51", 1):
        store.is_full = True
        play(table, move, at=number)
        assert [event.version for event in only(store).events] == list(range(1, number + 1))
        assert present(table) is match
    assert asked == [(StoreError, 0, "5")] * 2 + [(StoreError, 1, "1")] * 2


def test_interrupted_retry_undoes_the_event() -> None:
    store = Full()
    table = new_table(store)
    table.begin(0)
    play(table, "5")
    store.is_full = True

    def leave(*_: object) -> None:
        raise KeyboardInterrupt

    table.when_refused = leave
    with pytest.raises(KeyboardInterrupt):
        play(table, "1")
    assert (present(table).version, len(only(store).events)) == (1, 1)


def test_game_continued_elsewhere_is_unchanged_here() -> None:
    store = MemoryStore()
    table = new_table(store)
    table.begin(0)
    play(table, "5")
    elsewhere = LocalTable.resume(store, only(store), 100)
    play(elsewhere, "1", at=100)
    for _ in range(2):
        with pytest.raises(StaleVersion):
            play(table, "2", at=200)
        assert present(table).game.ply == 1
    assert present(elsewhere).game.ply == len(only(store).events) == 2


def test_unsaved_series_begins_no_game() -> None:
    store = Full()
    store.is_full = True
    table = new_table(store, is_series=True)
    with pytest.raises(StoreError):
        table.begin(0)
    assert (table.match, table.setup, table.series_number) == (None, None, None)


# Time


def begin_timed(table: LocalTable) -> None:
    """Begin a game in which each side has made a first move at the instant 1000."""
    table.begin(0)
    table.apply("X", MakeMove((1, 1)), 500)
    table.apply("O", MakeMove((0, 0)), 1_000)


def test_table_passes_its_clock_to_games() -> None:
    store = MemoryStore()
    table = new_table(store, clock=Clock(base=MINUTE, increment=2_000))
    begin_timed(table)
    table.apply("X", MakeMove((0, 1)), 11_000)
    assert present(table).time_left("X", 99_000) == MINUTE - 10_000 + 4_000
    assert only(store).setup.clock == Clock(base=MINUTE, increment=2_000)
    assert table.apply("O", Flag(), 13_000 + MINUTE)[-1].data["winner"] == "X"


@pytest.mark.parametrize("pause", [0, 10 * MINUTE, -MINUTE])
def test_adjournment_counts_on_no_clock(pause: int) -> None:
    store = MemoryStore()
    table = new_table(store, clock=Clock(base=MINUTE))
    begin_timed(table)
    table.apply("X", MakeMove((0, 1)), 11_000)
    later = 11_000 + pause
    again = LocalTable.resume(store, only(store), later)
    match = present(again)
    assert match.time_left("O", again.instant(later)) == MINUTE
    assert match.time_left("O", again.instant(later + 5_000)) == MINUTE - 5_000
    (event,) = again.apply("O", MakeMove((2, 1)), later + 5_000)
    assert (event.at, event.data["left"]) == (16_000, MINUTE - 5_000)
    # After a second adjournment the clock continues from there.
    third = LocalTable.resume(store, only(store), later + 90 * MINUTE)
    (event,) = third.apply("X", MakeMove((1, 0)), later + 90 * MINUTE + 1_000)
    assert (event.at, event.data["left"]) == (17_000, MINUTE - 11_000)


def test_adjourn_saves_the_time_used() -> None:
    store = MemoryStore()
    table = new_table(store, clock=Clock(base=MINUTE))
    table.begin(1_000)
    table.adjourn(5_000)
    assert list(store.games()) == [], "nothing has happened yet"
    begin_timed(table)
    table.apply("X", MakeMove((0, 1)), 11_000)
    at = 11_000
    for used in (20_000, 50_000):
        at += 20_000
        table.adjourn(at)
        at += 90 * MINUTE
        table = LocalTable.resume(store, only(store), at)
        assert present(table).time_left("O", table.instant(at)) == MINUTE - used
        at += 10_000
    (end,) = table.apply("O", MakeMove((2, 1)), at)
    assert (end.side, end.data["termination"]) == ("O", "time")


def test_adjourn_refuses_a_deleted_game() -> None:
    class Emptied(MemoryStore):
        def load(self, game: int) -> StoredGame:
            raise NotFound("game", str(game))

        def append(self, game: int, events: Sequence[Event]) -> None:
            if events[0].kind is not EventKind.MOVE:
                raise NotFound("game", str(game))
            super().append(game, events)

    for clock in (UNTIMED, Clock(base=MINUTE)):
        table = new_table(Emptied(), clock=clock)
        table.begin(0)
        table.adjourn(5)
        table.apply("X", MakeMove((1, 1)), 10)
        table.when_refused = lambda error, stored: None  # leaving does not wait for the store
        with pytest.raises(NotFound):
            table.adjourn(20)


def test_adjournment_ends_with_its_game() -> None:
    store = MemoryStore()
    table = new_table(store)
    table.begin(0)
    play(table, "5")
    again = LocalTable.resume(store, only(store), 1_000)
    again.apply("O", Resign(), 1_010)
    again.begin(2_000)
    assert again.instant(2_005) == 2_005


# Resuming


def test_resume_continues_a_game() -> None:
    store = MemoryStore()
    first = LocalTable(store, "tictactoe", Series(NAMES), {"Ada": "human", "Wei": "rule"})
    first.begin(0)
    play(first, "51")
    again = LocalTable.resume(store, only(store), 50)
    assert (again.number, again.setup, again.is_playing) == (1, only(store).setup, True)
    assert (dict(again.names), dict(again.who_of)) == (
        {"X": "Ada", "O": "Wei"},
        {"X": "human", "O": "rule"},
    )
    assert again.terms.who == ("human", "rule")
    assert (again.is_series, again.series_number, again.series.results) == (False, None, [])
    again.apply("X", OfferDraw(), 60)
    again.apply("X", Resign(), 70)
    assert [event.version for event in only(store).events] == [1, 2, 3, 4]
    assert again.series.results == [only(store).result]
    assert list(again.begin(80).seats.values()) == ["Wei", "Ada"]


def test_game_from_a_position_does_not_count() -> None:
    store = MemoryStore()
    start = "XX./OO./... X"
    table = LocalTable(store, "tictactoe", Series(NAMES), {"Ada": "human", "Wei": "human"}, start=start)
    setup = table.begin(0)
    assert (setup.start, setup.is_counted) == (start, False)
    play(table, "3")
    assert only(store).result == table.series.results[0]
    assert only(store).result is not None
    assert not only(store).setup.is_counted
    again = LocalTable.resume(store, only(store), 50)
    rematch = again.begin(60)
    assert (rematch.start, rematch.is_counted) == (start, False)


def test_resume_continues_a_game_without_events() -> None:
    store = MemoryStore()
    number = store.add_game(Setup("tictactoe", {"X": "Ada", "O": "Wei"}, created=1_000))
    again = LocalTable.resume(store, store.load(number), 5_000)
    assert (again.is_playing, again.instant(5_000)) == (True, 1_000)
    assert again.terms.who == ("human", "human")


def test_resume_continues_a_series() -> None:
    store = MemoryStore()
    table = new_table(store, Begins.LOSER, is_series=True)
    table.begin(0)
    play(table, "15293")
    between = LocalTable.resume(store, store.load(1), 50)
    assert (between.match, between.number, between.is_playing) == (None, None, False)
    assert (between.is_series, between.series_number) == (True, 1)
    assert list(between.begin(60).seats.values()) == ["Wei", "Ada"]
    play(between, "5", at=60)
    within = LocalTable.resume(store, store.load(2), 90)
    assert within.series.begins is Begins.LOSER
    assert (within.number, len(within.series.results)) == (2, 1)
    within.apply("O", Resign(), 100)
    assert [(score.name, score.wins) for score in within.series.scores()] == [("Ada", 1), ("Wei", 1)]
    within.begin(110)
    play(within, "5", at=110)
    assert [stored.setup.series for stored in store.games()] == [1, 1, 1]
    within.end()
    assert open_series(store) is None


def test_resume_allows_a_rematch() -> None:
    store = MemoryStore()
    table = new_table(store)
    table.begin(0)
    play(table, "15293")
    again = LocalTable.resume(store, only(store), 50)
    assert (again.match, again.series.results) == (None, [only(store).result])
    assert list(again.begin(60).seats.values()) == ["Wei", "Ada"]


# Games to resume


def test_newest_human_game_is_found() -> None:
    store = MemoryStore()
    assert newest_human_game(store) is None
    for who in ("human", "human", "rule"):
        table = LocalTable(store, "tictactoe", Series(NAMES), {"Ada": who, "Wei": "rule"})
        table.begin(0)
        table.apply("X", MakeMove((1, 1)), 1)
    result = newest_human_game(store)
    assert result is not None
    assert result.id == 2
    assert can_resume(store, result)
    assert not is_series_open(store, result)


def test_ended_game_can_only_resume_its_series() -> None:
    store = MemoryStore()
    alone = new_table(store)
    alone.begin(0)
    alone.apply("X", Resign(), 1)
    assert not can_resume(store, store.load(1))
    table = new_table(store, is_series=True)
    table.begin(2)
    table.apply("X", Resign(), 3)
    assert not can_resume(store, store.load(1))
    assert can_resume(store, store.load(2))
    assert is_series_open(store, store.load(2))
    table.end()
    assert not can_resume(store, store.load(2))


def test_unfinished_human_games_are_newest_first() -> None:
    store = MemoryStore()
    alone, left, over, cut_off, computers = (
        new_table(store, is_series=kind) for kind in (False, True, True, True, False)
    )
    computers.terms = replace(computers.terms, who=("rule", "rule"))
    for table in (alone, left, over, cut_off, computers):
        table.begin(0)
        table.apply("X", MakeMove((1, 1)), 1)
    over.apply("X", Resign(), 2)
    over.end()
    cut_off.apply("X", Resign(), 2)
    assert [game.id for game in unfinished_human_games(store)] == [4, 2, 1]
    assert [game.result is None for game in unfinished_human_games(store)] == [False, True, True]
    assert is_series_open(store, store.load(2))
    cut_off.end()
    left.end()  # the series is ended, so its last game is not offered either
    assert [game.id for game in unfinished_human_games(store)] == [1]
    alone.apply("X", Resign(), 2)
    assert unfinished_human_games(store) == []


def test_game_of_one_move_is_barely_started() -> None:
    store = MemoryStore()
    alone, series = new_table(store, is_series=False), new_table(store, is_series=True)
    for table in (alone, series):
        table.begin(0)
        table.apply("X", MakeMove((1, 1)), 1)
    assert [is_barely_started(store, store.load(number)) for number in (1, 2)] == [True, True]
    alone.apply("O", MakeMove((0, 0)), 2)
    series.apply("X", Resign(), 2)
    assert [is_barely_started(store, store.load(number)) for number in (1, 2)] == [False, False]
    series.begin(3)
    assert series.match is not None
    series.apply(series.match.turn, MakeMove((1, 1)), 4)
    later = store.load(3)
    assert not is_barely_started(store, later)  # it would be missing in its series
    with patch.object(store, "games", side_effect=DamagedStore("games", "1")):
        assert not is_barely_started(store, later)


def renamed(stored: StoredGame, seats: dict[str, str]) -> StoredGame:
    """Return *stored* with other names in its seats, as another program may have written it."""
    return replace(stored, setup=replace(stored.setup, seats=seats))


@pytest.mark.parametrize("is_series", [True, False])
@pytest.mark.parametrize("seats", [("Ada ", "Wei"), ("e\u0301", "Wei"), ("Ada", "ada")])
def test_names_outside_the_series_are_damage(seats: tuple[str, str], is_series: bool) -> None:
    store = MemoryStore()
    table = new_table(store, is_series=is_series)
    table.begin(0)
    play(table, "5")
    other = renamed(only(store), dict(zip("XO", seats, strict=True)))
    with pytest.raises(DamagedStore) as caught:
        LocalTable.resume(store, other, 50)
    assert caught.value.where == "game 1"


def test_names_of_another_series_are_damage() -> None:
    store = MemoryStore()
    table = new_table(store, is_series=True)
    table.begin(0)
    play(table, "5")
    with pytest.raises(DamagedStore):
        LocalTable.resume(store, renamed(only(store), {"X": "Ada", "O": "Luffy"}), 50)


def test_resumed_table_uses_the_new_seed() -> None:
    store = MemoryStore()
    table = new_table(store, seed=3)
    table.begin(0)
    play(table, "5")
    assert LocalTable.resume(store, only(store), 50, 11).seed == 11
    assert LocalTable.resume(store, only(store), 50).seed == 0


def test_damage_hides_no_other_unfinished_game(tmp_path: Path) -> None:
    with closing(open_database(f"sqlite:///{tmp_path / 'games.db'}")) as store:
        for _ in range(3):
            table = new_table(store, is_series=True)
            table.begin(0)
            table.apply("X", Resign(), 2)
            alone = new_table(store)
            alone.begin(0)
            alone.apply("X", MakeMove((1, 1)), 1)
        assert [game.id for game in unfinished_human_games(store)] == [6, 5, 4, 3, 2, 1]
    with closing(sqlite3.connect(tmp_path / "games.db")) as connection, connection:
        connection.execute("UPDATE events SET at = 9 WHERE game_id = 2")  # left in mid-game
        connection.execute("UPDATE events SET at = 9 WHERE game_id = 3")  # the last of a series
        connection.execute("UPDATE series SET created = 9 WHERE id = 3")
    with closing(open_database(f"sqlite:///{tmp_path / 'games.db'}")) as store:
        damage: list[DamagedStore] = []
        assert [game.id for game in unfinished_human_games(store, damage.append)] == [6, 4, 1]
        received = " ".join(map(str, damage))
        assert [name in received for name in ("series 3", "game 2", "game 3")] == [True] * 3
        assert len(damage) == 3
        with pytest.raises(DamagedStore, match="series 3"):
            unfinished_human_games(store)


def test_damage_is_raised_without_a_callback(tmp_path: Path) -> None:
    with closing(open_database(f"sqlite:///{tmp_path / 'games.db'}")) as store:
        table = new_table(store, is_series=True)
        table.begin(0)
        table.apply("X", Resign(), 2)
        with closing(sqlite3.connect(tmp_path / "games.db")) as connection, connection:
            connection.execute("UPDATE events SET at = 9")
        with pytest.raises(DamagedStore, match="game 1"):
            unfinished_human_games(store)


def test_only_the_newest_paused_series_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.arena.local_table.MAX_PAUSED", 2)
    store = MemoryStore()
    for _ in range(3):
        table = new_table(store, is_series=True)
        table.begin(0)
        table.apply("X", Resign(), 2)
    assert [game.id for game in unfinished_human_games(store)] == [3, 2]
