"""Stores: games in memory, and values that are computed from them."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import new_game
from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.commands import Accept, Forfeit, MakeMove, OfferDraw, Resign, TakeBack
from noughts.arena.digest import canonical_json, digest_events, digest_setup
from noughts.arena.events import Event, EventKind
from noughts.arena.match import Match
from noughts.arena.series import Begins, Result
from noughts.arena.setup import SeriesSetup, Setup
from noughts.arena.store.store import check_versions, resume_series
from noughts.arena.stored_game import StoredGame, record_of, stored_of
from noughts.errors import DamagedStore, NotationError, NotFound, StaleVersion
from noughts.games.notation import play_moves
from noughts.records.record import Record, format_record, parse_record
from tests.stand_ins import MemoryStore, open_series

SEATS = {"X": "Ada", "O": "Wei"}


def keep(store: MemoryStore, setup: Setup, moves: str, *, resigns: str = "") -> StoredGame:
    """Play cells of tic-tac-toe such as ``51937`` and save the game."""
    match = Match(setup.new_game(), setup.clock, start=setup.created)
    events: list[Event] = []
    for at, cell in enumerate(moves, setup.created + 1):
        events += match.apply(match.turn, MakeMove(divmod(int(cell) - 1, 3)), at)
    if resigns:
        events += match.apply(resigns, Resign(), setup.created + 100)
    number = store.add_game(setup)
    store.append(number, events)
    return store.load(number)


def setup(seats: Mapping[str, str] = SEATS, *, series: int | None = None, clock: Clock = UNTIMED) -> Setup:
    return Setup("tictactoe", seats, series=series, clock=clock, created=5_000)


# In memory


def test_games_are_returned_in_order() -> None:
    store = MemoryStore()
    one = keep(store, setup(), "14253")
    two = keep(store, setup(series=7), "5", resigns="O")
    assert [one.id, two.id] == [1, 2]
    assert list(store.games()) == [one, two]
    assert list(store.games(series=7)) == [two]
    assert list(store.games(series=8)) == []
    assert store.load(2) == two
    store.close()


@pytest.mark.parametrize("number", [0, 2, -1])
def test_missing_numbers_are_not_found(number: int) -> None:
    store = MemoryStore()
    keep(store, setup(), "5")
    store.add_series(SeriesSetup("tictactoe", ("Ada", "Wei"), Begins.X))
    with pytest.raises(NotFound) as caught:
        store.load(number)
    assert (caught.value.what, caught.value.name) == ("record", number)
    with pytest.raises(NotFound):
        store.append(number, [])
    with pytest.raises(NotFound) as caught:
        store.load_series(number)
    assert caught.value.what == "series"


def test_append_refuses_version_gaps() -> None:
    store = MemoryStore()
    number = store.add_game(setup())
    events = [Event(version, 0, EventKind.MOVE, "X", {"move": str(version)}) for version in range(1, 6)]
    store.append(number, events[:2])
    for wrong in (events[:1], events[3:], [events[2], events[4]], [events[1], events[2]]):
        with pytest.raises(StaleVersion):
            store.append(number, wrong)
        assert list(store.load(number).events) == events[:2]
    store.append(number, [])
    store.append(number, events[2:])
    assert list(store.load(number).events) == events
    check_versions(0, [])
    check_versions(2, events[2:])


def test_loaded_game_does_not_change() -> None:
    store = MemoryStore()
    before = keep(store, setup(), "5")
    store.append(before.id, [Event(2, 0, EventKind.AWAY, "O")])
    assert len(before.events) == 1


def test_series_round_trip() -> None:
    store = MemoryStore()
    assert open_series(store) is None
    plan = SeriesSetup("tictactoe", ("Ada", "Wei"), Begins.CHOOSER)
    one, two = store.add_series(plan), store.add_series(plan)
    assert (one, two) == (1, 2)
    assert open_series(store) == (2, plan)
    store.end_series(2)
    assert open_series(store) == (1, plan)
    store.end_series(1)
    assert open_series(store) is None
    assert store.load_series(2) == plan


# Results


@pytest.mark.parametrize(
    ("moves", "resigns", "winner", "termination"),
    [("14253", "", "X", "line"), ("123546879", "", None, "full"), ("5", "X", "O", "resignation")],
)
def test_stored_game_has_its_result(moves: str, resigns: str, winner: str | None, termination: str) -> None:
    stored = keep(MemoryStore(), setup(), moves, resigns=resigns)
    assert stored.result == Result(SEATS, winner, termination)
    outcome = stored.replay().outcome
    assert outcome is not None
    assert (outcome.winner, str(outcome.termination)) == (winner, termination)


@pytest.mark.parametrize("moves", ["", "519"])
def test_unfinished_game_has_no_result(moves: str) -> None:
    """A0-11: an unfinished game is saved and does not count."""
    store = MemoryStore()
    stored = keep(store, setup(), moves)
    assert stored.result is None
    assert stored.replay().outcome is None
    assert store.results() == []


def test_results_include_all_finished_games() -> None:
    store = MemoryStore()
    keep(store, setup(), "14253")
    keep(store, setup(), "5")
    keep(store, setup({"O": "Wei", "X": "Ada"}), "14253")
    assert store.results() == [
        Result(SEATS, "X", "line"),
        Result({"O": "Wei", "X": "Ada"}, "O", "line"),
    ]


def test_resume_series_restores_its_state() -> None:
    store = MemoryStore()
    number = store.add_series(SeriesSetup("tictactoe", ("Ada", "Wei"), Begins.LOSER))
    keep(store, setup(series=number), "14253")
    keep(store, setup(), "14253")
    keep(store, setup({"X": "Wei", "O": "Ada"}, series=number), "5")
    series = resume_series(store, number)
    assert (series.players, series.begins, series.marks) == (("Ada", "Wei"), Begins.LOSER, ("X", "O"))
    assert [(score.name, score.wins, score.losses) for score in series.scores()] == [
        ("Ada", 1, 0),
        ("Wei", 0, 1),
    ]
    assert dict(series.next_seats()) == {"X": "Wei", "O": "Ada"}
    with pytest.raises(NotFound):
        resume_series(store, 9)


def test_resume_series_supports_three_players() -> None:
    store = MemoryStore()
    number = store.add_series(SeriesSetup("three", ("A", "B", "C"), Begins.ALTERNATE))
    assert resume_series(store, number).marks == ("X", "O", "Z")


# Setups


def test_setup_round_trips() -> None:
    assert setup({"O": "Wei", "X": "Ada"}).new_game().sides == ("O", "X")
    assert Setup("three", dict.fromkeys("XOZ", "A")).new_game().sides == ("X", "O", "Z")
    assert Setup("ultimate", SEATS).new_game().name == "ultimate"
    puzzle = new_game("fifteen", seed=9)
    again = Setup("fifteen", {"X": "Ada"}, start=puzzle.start).new_game()
    assert again.key() == puzzle.key()
    placed = Setup("tictactoe", SEATS, start="X../.O./... X").new_game()
    assert (placed.ply, placed.turn, placed[1, 1]) == (0, "X", "O")


def test_replay_restores_the_clock() -> None:
    stored = keep(MemoryStore(), setup(clock=Clock(base=1_000, increment=5)), "51")
    match = stored.replay()
    assert match.clock == Clock(base=1_000, increment=5)
    assert match.time_left("X", 5_003) == 1_000 + 5 - 1  # the first move took no time


# Records


def test_record_of_a_stored_game() -> None:
    stored = keep(MemoryStore(), setup(clock=Clock(base=1_000)), "519", resigns="O")
    record = record_of(stored)
    assert record.moves == ("5", "1", "9")
    assert record.clocks == (1000, 1000, 999)
    assert (record.winner, record.termination) == ("X", "resignation")
    assert record.headers == {"date": "1970-01-01"}
    assert parse_record(format_record(record)) == record


def test_record_omits_undone_moves() -> None:
    chosen = Setup("tictactoe", SEATS, start="X../.../... O")
    store = MemoryStore()
    match = Match(chosen.new_game())
    events: list[Event] = []
    for side, command in (
        ("O", MakeMove((1, 1))),
        ("X", MakeMove((0, 1))),
        ("O", MakeMove((2, 2))),
        ("O", TakeBack(2)),
        ("X", Accept()),
        ("X", MakeMove((0, 2))),
        ("X", OfferDraw()),
        ("O", Accept()),
    ):
        events += match.apply(side, command, 0)
    number = store.add_game(chosen)
    store.append(number, events)
    record = record_of(store.load(number))
    assert record.start == "X../.../... O"
    assert record.moves == ("5", "3")
    assert record.clocks == ()
    assert (record.winner, record.termination) == (None, "agreement")
    assert record.headers == {}
    assert record.replay().key() == match.game.key()


def test_record_of_a_forfeit_and_a_puzzle() -> None:
    store = MemoryStore()
    number = store.add_game(setup())
    match = Match(setup().new_game())
    store.append(number, match.apply("X", Forfeit("raised", "why"), 0))
    assert record_of(store.load(number)).termination == "forfeit"
    puzzle = new_game("fifteen", seed=9)
    number = store.add_game(Setup("fifteen", {"X": "Ada"}, start=puzzle.start))
    assert record_of(store.load(number)).replay().key() == puzzle.key()


def test_impossible_move_has_no_record() -> None:
    stored = StoredGame(1, setup(), (Event(1, 0, EventKind.MOVE, "X", {"move": "10"}),))
    with pytest.raises(NotationError):
        record_of(stored)


@pytest.mark.slow
@given(st.integers(0, 2**32), st.sampled_from(("tictactoe", "connect4", "wild", "vanishing", "reversi")))
def test_records_and_replays_agree(seed: int, name: str) -> None:
    chance = Random(seed)
    chosen = Setup(name, SEATS, clock=Clock(per_move=100))
    match = Match(chosen.new_game(), chosen.clock)
    events: list[Event] = []
    for at in range(chance.randrange(40)):
        if match.outcome is not None:
            break
        if match.game.ply and chance.random() < 0.3:
            plies = chance.randint(1, match.game.ply)
            events += match.apply("X", TakeBack(plies), at)
            events += match.apply("O", Accept(), at)
        events += match.apply(match.turn, MakeMove(chance.choice(match.game.legal_moves())), at)
    record = record_of(StoredGame(1, chosen, tuple(events)))
    assert record.replay().moves == match.game.moves
    again = chosen.new_game()
    play_moves(again, list(record.moves))
    assert again.key() == match.game.key()
    assert record.clocks == (100,) * len(record.moves)


# The digest


def test_digest_covers_every_field() -> None:
    base = setup()
    digests = {
        digest_setup(one)
        for one in (
            base,
            replace(base, game="misere"),
            replace(base, seats={"O": "Wei", "X": "Ada"}),
            replace(base, seats={"X": "Wei", "O": "Ada"}),
            replace(base, start="X../.../... O"),
            replace(base, clock=Clock(per_move=5)),
            replace(base, series=1),
            replace(base, created=1),
            replace(base, who={"X": "human"}),
        )
    }
    assert len(digests) == 9
    event = Event(1, 5, EventKind.MOVE, "X", {"move": "5"})
    others = [
        Event(2, 5, EventKind.MOVE, "X", {"move": "5"}),
        Event(1, 6, EventKind.MOVE, "X", {"move": "5"}),
        Event(1, 5, EventKind.OFFER, "X", {"move": "5"}),
        Event(1, 5, EventKind.MOVE, None, {"move": "5"}),
        Event(1, 5, EventKind.MOVE, "X", {"move": "6"}),
    ]
    first = digest_setup(base)
    assert len({digest_events(first, [one]) for one in (event, *others)}) == 6
    assert digest_events(first, []) == first
    assert digest_events(digest_events(first, [event]), others) == digest_events(first, [event, *others])


def test_canonical_json_is_unique() -> None:
    assert canonical_json({"b": 1, "a": ["é", None]}) == '{"a":["\\u00e9",null],"b":1}'
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(float("nan"))


@pytest.mark.parametrize(
    "event",
    [
        Event(1, 0, EventKind.MOVE, "X", {}),
        Event(1, 0, EventKind.MOVE, "X", {"move": 5}),
        Event(1, 0, EventKind.MOVE, "O", {"move": "5"}),
        Event(1, 0, EventKind.OFFER, "X", {}),
        Event(1, 0, EventKind.END, None, {}),
    ],
)
def test_incomplete_events_are_damage(event: Event) -> None:
    with pytest.raises(DamagedStore):
        StoredGame(1, Setup("tictactoe", {"X": "Ada", "O": "Wei"}), (event,)).replay()


@pytest.mark.parametrize("data", [{"winner": "Q", "termination": "line"}, {"winner": None}, {}])
def test_end_without_a_result_is_damage(data: dict[str, object]) -> None:
    stored = StoredGame(
        1, Setup("tictactoe", {"X": "Ada", "O": "Wei"}), (Event(1, 0, EventKind.END, None, data),)
    )
    with pytest.raises(DamagedStore):
        _ = stored.result


@pytest.mark.parametrize(
    "record",
    [
        Record(game="tictactoe", players={"X": "Ada", "O": "Wei"}, moves=("5", "1"), clocks=(900, None)),
        Record(
            game="three",
            players={"X": "Ada", "Z": "Wei", "O": "Bo"},
            moves=("1",),
            termination="resignation",
        ),
        Record(
            game="3x3:3",
            players={"X": "Ada", "O": "Wei"},
            start="XX./OO./...",
            moves=("3",),
            winner="X",
            termination="line",
        ),
    ],
)
def test_record_becomes_a_stored_game(record: Record) -> None:
    assert record_of(stored_of(record)) == record


def test_unknown_player_is_named_by_its_mark() -> None:
    assert stored_of(Record(game="tictactoe", players={"X": "", "O": "Wei"})).setup.seats == {
        "X": "X",
        "O": "Wei",
    }
