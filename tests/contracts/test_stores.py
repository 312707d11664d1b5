"""Tests of the contract of stores, over each implementation."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import TicTacToe
from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.commands import Resign
from noughts.arena.events import Event, EventKind
from noughts.arena.match import Match
from noughts.arena.series import Begins, recount
from noughts.arena.setup import LOCAL, ONLINE, SeriesSetup, Setup
from noughts.arena.store.database import open_database
from noughts.arena.store.store import Store, resume_series
from noughts.errors import NotFound, StaleVersion
from tests.databases import NAMES, ending, fill, moves, new_database, seats
from tests.stand_ins import MemoryStore, open_series


@contextmanager
def _memory() -> Iterator[Store]:
    yield MemoryStore()


@contextmanager
def _database_in_memory() -> Iterator[Store]:
    store = open_database("sqlite://")
    yield store
    store.close()


@contextmanager
def _database_in_file() -> Iterator[Store]:
    with tempfile.TemporaryDirectory() as folder:
        store = new_database(Path(folder) / "games.db")
        yield store
        store.close()


Opener = Callable[[], Any]
OPENERS = [_memory, _database_in_memory, _database_in_file]
KEPT_IN_FILES = [_memory, _database_in_file]


@pytest.fixture(params=OPENERS, ids=lambda opener: opener.__name__.strip("_"))
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with request.param() as opened:
        yield opened


texts = st.one_of(st.sampled_from(NAMES), st.text(max_size=20))
numbers = st.integers(-(2**63), 2**63 - 1)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
clocks = st.one_of(
    st.just(UNTIMED),
    st.integers(1, 10**9).map(lambda base: Clock(base=base, increment=base // 7)),
    st.integers(1, 10**9).map(lambda time: Clock(per_move=time)),
)
marks = st.lists(st.sampled_from("XOZ#+"), min_size=1, max_size=4, unique=True)


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    order = draw(marks)
    return Setup(
        game=draw(st.sampled_from(("tictactoe", "7x6:4,gravity"))),
        seats={mark: draw(texts) for mark in order},
        start=draw(st.none() | st.just("X../.O./... X")),
        clock=draw(clocks),
        created=draw(numbers),
        who={mark: draw(st.sampled_from(("human", "level:3"))) for mark in order},
    )


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    return [
        Event(
            version, draw(numbers), draw(st.sampled_from(EventKind)), draw(st.sampled_from((None, "X"))), data
        )
        for version, data in enumerate(
            draw(st.lists(st.dictionaries(st.text(max_size=4), values, max_size=3), max_size=6)), 1
        )
    ]


def test_new_store_is_empty(store: Store) -> None:
    assert list(store.games()) == []
    assert list(store.games(1)) == []
    assert open_series(store) is None
    assert store.results() == []


@pytest.mark.slow
@pytest.mark.parametrize("opener", KEPT_IN_FILES)
@given(setup=setups(), events=histories(), cut=st.integers(0, 6))
def test_stored_game_is_read_back(opener: Opener, setup: Setup, events: list[Event], cut: int) -> None:
    with opener() as store:
        game = store.add_game(setup)
        assert store.load(game).setup == setup
        store.append(game, events[:cut])
        store.append(game, events[cut:])
        loaded = store.load(game)
        assert (loaded.id, loaded.setup, list(loaded.events)) == (game, setup, events)
        assert list(loaded.setup.seats) == list(setup.seats), "the order of the seats is the turn order"
        assert list(store.games()) == [loaded]


@pytest.mark.parametrize("name", NAMES)
def test_any_player_name_is_stored(store: Store, name: str) -> None:
    game = store.add_game(Setup("tictactoe", seats(name, name[::-1])))
    series = store.add_series(SeriesSetup("tictactoe", (name, "Wei"), Begins.X))
    assert store.load(game).setup.seats == seats(name, name[::-1])
    assert store.load_series(series).players == (name, "Wei")


def test_thousand_events_are_stored(store: Store) -> None:
    game = store.add_game(Setup("100x100:5", seats()))
    store.append(game, moves(999))
    store.append(game, moves(1, 1000))
    assert list(store.load(game).events) == moves(1000)


def test_empty_append_changes_nothing(store: Store) -> None:
    game = store.add_game(Setup("tictactoe", seats()))
    store.append(game, [])
    assert store.load(game).events == ()


@pytest.mark.parametrize(
    "events",
    [
        moves(1, 3),  # already stored
        moves(1, 5),  # one is missing
        moves(1, 0),
        moves(1, -4),
        [*moves(2, 4), *moves(1, 7)],  # only the last one does not follow
        [*moves(1, 4), *moves(1, 4)],
        moves(4, 1)[::-1],
    ],
)
def test_wrong_version_is_refused_and_not_stored(store: Store, events: list[Event]) -> None:
    other = store.add_game(Setup("tictactoe", seats()))
    game = store.add_game(Setup("tictactoe", seats()))
    store.append(game, moves(3))
    before = list(store.games())
    with pytest.raises(StaleVersion):
        store.append(game, events)
    assert list(store.games()) == before
    store.append(game, moves(2, 4))
    assert list(store.load(game).events) == moves(5)
    assert store.load(other).events == ()


@pytest.mark.parametrize("number", [0, -1, 2, 2**31 - 1, 2**31, 2**63, 10**40])
def test_unknown_numbers_are_not_found(store: Store, number: int) -> None:
    store.add_game(Setup("tictactoe", seats()))
    store.add_series(SeriesSetup("tictactoe", ("Ada", "Wei"), Begins.X))
    with pytest.raises(NotFound) as game:
        store.load(number)
    assert (game.value.what, game.value.name) == ("record", number)
    with pytest.raises(NotFound):
        store.append(number, moves(1))
    with pytest.raises(NotFound):
        store.append(number, [])
    with pytest.raises(NotFound) as series:
        store.load_series(number)
    assert (series.value.what, series.value.name) == ("series", number)
    assert list(store.games(number)) == []


def test_games_are_found_by_game_and_player(store: Store) -> None:
    names = ("Ada", "ADA", "Ад%а", "ад%А", "X", 'a"]', "Adam", "_")
    numbers = {name: store.add_game(Setup("tictactoe", {"X": name, "O": "Wei"})) for name in names}
    other = store.add_game(Setup("gomoku", {"X": "Ada", "O": "Lin"}))
    for query, expected in (
        ({"game": "gomoku"}, [other]),
        ({"game": "go"}, []),
        ({"players": ["ada"]}, [other, numbers["ADA"], numbers["Ada"]]),
        ({"players": ["АД%А"]}, [numbers["ад%А"], numbers["Ад%а"]]),
        ({"players": ["x"]}, [numbers["X"]]),
        ({"players": ['A"]']}, [numbers['a"]']]),
        ({"players": ["_"]}, [numbers["_"]]),
        ({"players": ["lin", "ADAM"]}, [other, numbers["Adam"]]),
        ({"players": ["ada"], "game": "tictactoe"}, [numbers["ADA"], numbers["Ada"]]),
        ({"players": ["ada"], "before": other}, [numbers["ADA"], numbers["Ada"]]),
        ({"players": ["nobody"]}, []),
    ):
        assert [game.id for game in store.newest_games(**query)] == expected


@pytest.mark.slow
def test_games_are_listed_in_order(store: Store) -> None:
    series = [store.add_series(SeriesSetup("tictactoe", ("Ada", "Wei"), Begins.X)) for _ in range(2)]
    numbers = [
        store.add_game(Setup("tictactoe", seats(), series=[None, *series][index % 3])) for index in range(250)
    ]
    assert numbers == sorted(set(numbers))
    assert [game.id for game in store.games()] == numbers
    assert [game.id for game in store.newest_games()] == numbers[::-1]
    assert list(store.newest_games()) == list(store.games())[::-1]
    assert [game.id for game in store.newest_games(numbers[2])] == numbers[1::-1]
    assert list(store.newest_games(is_over=True)) == []
    match = Match(TicTacToe())
    store.append(numbers[3], match.apply("X", Resign(), 0))
    assert [game.id for game in store.newest_games(is_over=True)] == [numbers[3]]
    assert list(store.newest_games(numbers[3], is_over=True)) == []
    unfinished = [number for number in reversed(numbers) if number != numbers[3]]
    assert [game.id for game in store.newest_games(is_over=False)] == unfinished
    assert [game.id for game in store.newest_games(numbers[4], is_over=False)] == numbers[2::-1]
    assert [game.id for game in store.games(series[0])] == numbers[1::3]
    odd = [
        store.add_game(Setup("tictactoe", seats(), origin=origin, is_counted=is_counted))
        for origin, is_counted in ((ONLINE, True), (ONLINE, False), (LOCAL, True))
    ]
    assert [store.load(game).setup.is_counted for game in odd] == [True, False, True]
    assert [game.id for game in store.newest_games(origin=ONLINE)] == odd[1::-1]
    assert [game.id for game in store.newest_games(origin=LOCAL)][:2] == [odd[2], numbers[-1]]
    assert [game.id for game in store.newest_games(visible_by=())] == []
    assert [game.id for game in store.newest_games(odd[2], visible_by=(odd[0], numbers[0]))] == [
        odd[0],
        numbers[0],
    ]
    assert [game.id for game in store.games(series[1])] == numbers[2::3]


def test_reader_does_not_block_writer(store: Store) -> None:
    """A reader may stop in the middle, and the game that it reads may be written to."""
    for _ in range(3):
        store.add_game(Setup("tictactoe", seats()))
    for game in store.games():
        store.append(game.id, moves(2))
        assert list(store.load(game.id).events) == moves(2)
    reader = store.games()
    next(reader)
    store.append(1, moves(1, 3))
    assert len(store.load(1).events) == 3


def test_open_series_is_the_newest(store: Store) -> None:
    setups = [SeriesSetup("tictactoe", NAMES[start : start + 2], Begins.CHOOSER, start) for start in range(3)]
    one, two, three = (store.add_series(setup) for setup in setups)
    assert len({one, two, three}) == 3
    assert open_series(store) == (three, setups[2])
    assert store.all_open_series() == [three, two, one]
    store.end_series(three)
    store.end_series(three)
    assert open_series(store) == (two, setups[1])
    store.end_series(one)
    assert open_series(store) == (two, setups[1])
    assert store.all_open_series() == [two]
    store.end_series(two)
    assert open_series(store) is None
    assert store.all_open_series() == []
    assert [store.load_series(series) for series in (one, two, three)] == setups


@pytest.mark.parametrize("begins", Begins)
def test_series_continues_after_finished_games(store: Store, begins: Begins) -> None:
    series = store.add_series(SeriesSetup("tictactoe", ("Ada", "Wei"), begins))
    for winner in ("X", "O", None):
        game = store.add_game(Setup("tictactoe", seats(), series=series))
        store.append(game, [*moves(5), ending(6, winner)])
    store.append(store.add_game(Setup("tictactoe", seats(), series=series)), moves(2))
    store.append(store.add_game(Setup("tictactoe", seats("Eve", "Bob"))), [*moves(5), ending(6, "X")])
    resumed = resume_series(store, series)
    assert (resumed.players, resumed.begins) == (("Ada", "Wei"), begins)
    assert [result.winner for result in resumed.results] == ["X", "O", None]
    assert [(score.name, score.wins, score.draws, score.losses) for score in recount(store.results())] == [
        ("Ada", 1, 1, 1),
        ("Wei", 1, 1, 1),
        ("Eve", 1, 0, 0),
        ("Bob", 0, 0, 1),
    ]


def test_all_stores_agree() -> None:
    answers = []
    for opener in OPENERS:
        with opener() as store:
            fill(store, 20)
            series = [store.load_series(number) for number in (1, 2)]
            read = [list(store.games(number)) for number in (None, 1, 2)]
            answers.append((series, read, open_series(store), store.results()))
    assert answers[0] == answers[1] == answers[2]


operations = st.lists(
    st.tuples(st.sampled_from(("game", "append", "series", "end")), st.integers(0, 5), st.integers(0, 3)),
    max_size=25,
)


@pytest.mark.slow
@given(operations)
def test_stores_agree_for_any_calls(calls: list[tuple[str, int, int]]) -> None:
    with _memory() as model, _database_in_file() as store:
        assert [_answers(model, calls), _state(model)] == [_answers(store, calls), _state(store)]


def _answers(store: Store, calls: list[tuple[str, int, int]]) -> list[object]:
    return [_answer(store, *call) for call in calls]


def _answer(store: Store, call: str, number: int, more: int) -> object:
    """Return the answer of the store to a call, or the kind of its error."""
    try:
        if call == "game":
            series = number if _has_series(store, number) else None
            return store.add_game(Setup("tictactoe", seats(), series=series, created=more))
        if call == "append":
            store.append(number, moves(more, len(store.load(number).events) + 1 + number // 5))
        elif call == "series":
            return store.add_series(SeriesSetup("tictactoe", ("Ada", "Wei"), Begins.X, more))
        elif _has_series(store, number):
            store.end_series(number)
    except (StaleVersion, NotFound) as error:
        return type(error)
    return None


def _has_series(store: Store, number: int) -> bool:
    try:
        store.load_series(number)
    except NotFound:
        return False
    return True


def _state(store: Store) -> object:
    return list(store.games()), [list(store.games(series)) for series in range(6)], open_series(store)
