"""An external game that breaks the contract ends its match, which is saved and does not count."""

from contextlib import closing
from pathlib import Path

import pytest

from noughts import Player, new_game, play
from noughts.arena.commands import Break, Leave, MakeMove, Put
from noughts.arena.events import EventKind, MatchEnd
from noughts.arena.local_table import LocalTable
from noughts.arena.match import Match
from noughts.arena.runner import PlayerSeat, run
from noughts.arena.series import Series
from noughts.arena.store.database import open_database
from noughts.arena.stored_game import StoredGame
from noughts.arena.tournament.plan import PlayLimits, TournamentPlan
from noughts.arena.tournament.play import Assignment, play_game
from noughts.errors import GameBroken, UnusableGame
from noughts.games.base import Game, Move
from noughts.games.contract import fault
from noughts.games.notation import parse_move, parse_moves
from noughts.games.openings import find_opening
from noughts.interfaces.presenting.standings_texts import remarks
from noughts.players.base import new_player
from noughts.records.record import Record, format_record, parse_record
from noughts.search.analysis import Limit
from noughts.workers.messages import TaskContext, TaskFailure, run_task
from tests.arena.rooms.tables import table as rooms_table
from tests.arena.tournament.stand_ins import OTHER, RANDOM, begin, find_again, play_missing
from tests.databases import new_database, url_of
from tests.faulty_games import FAULTS, MOVES, install, method
from tests.interfaces.harness import EN

FAULT = FAULTS["outcome-lines-none"]


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, FAULT)


def play_out(match: Match) -> None:
    for text in MOVES:
        if match.outcome is None:
            match.apply(match.turn, MakeMove(parse_move(match.game, text)), at=0)


def make_move(table: LocalTable, text: str) -> None:
    assert table.match is not None
    table.apply(table.match.turn, MakeMove(parse_move(table.match.game, text)), at=0)


@pytest.mark.usefixtures("faulty")
def test_match_ends_as_broken_before_the_fault() -> None:
    match = Match(new_game("faulty"))
    play_out(match)
    assert match.end is not None
    assert dict(match.end.data) == {
        "winner": None,
        "termination": "broken",
        "package": "faulty-games",
        "detail": "Outcome.lines: None is not a tuple of Line",
    }
    assert (match.end.side, match.game.ply, match.game.outcome) == (None, 6, None)
    match.game.undo()


@pytest.mark.usefixtures("faulty")
def test_broken_game_is_saved_but_not_counted(tmp_path: Path) -> None:
    store = open_database(f"sqlite:///{tmp_path / 'games.db'}")
    series = Series(("Ada", "Wei"))
    table = LocalTable(store, "faulty", series, {"Ada": "human", "Wei": "human"})
    table.begin(at=0)
    for text in MOVES:
        if table.is_playing and table.match is not None:
            make_move(table, text)
    assert [score.games for score in series.scores()] == [0, 0]
    (stored,) = store.games()
    assert stored.result is not None
    assert (stored.result.termination, stored.result.is_counted) == (MatchEnd.BROKEN, False)
    assert stored.replay().outcome is not None
    assert len(store.results()) == 1
    store.close()
    record = table.record
    assert '"version":2' in format_record(record)
    assert parse_record(format_record(record)) == record


class Probing(Player):
    """A player that plays moves ahead until an error is raised."""

    def choose(self, game: Game, limit: Limit) -> Move:
        while not game.is_over:
            game.play(game.legal_moves()[0])
        return game.legal_moves()[0]


def test_fault_of_the_game_costs_no_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, FAULT)
    assert isinstance(PlayerSeat(Probing()).decide(Match(new_game("faulty"))), Break)
    assert play(new_game("faulty"), x=new_player("random"), o=Probing()) is None
    assert play(new_game("tictactoe"), x=Probing(), o=new_player("rule")) == "O"


@pytest.mark.usefixtures("faulty")
def test_fault_in_a_seat_ends_the_match() -> None:
    class Seat(PlayerSeat):
        def decide(self, match: Match) -> Break:
            raise GameBroken("faulty", "faulty-games", "seen while drawing")

    match = Match(new_game("faulty"))
    seat = Seat(Probing())
    outcome = run(match, {"X": seat, "O": seat})
    assert outcome is not None
    assert outcome.termination == MatchEnd.BROKEN


def test_faulty_start_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    game = new_game("faulty")
    monkeypatch.setattr(type(game), "weight", lambda self, move: (_ for _ in ()).throw(fault(game, "why")))
    with pytest.raises(GameBroken):
        Match(game)


def test_saved_broken_game_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    series = Series(("Ada", "Wei"))
    table = LocalTable(None, "faulty", series, {"Ada": "human", "Wei": "human"})
    setup = table.begin(at=0)
    for text in MOVES[:8]:
        make_move(table, text)
    events = tuple(table._events)
    later = tmp_path / "later"
    later.mkdir()
    install(later, monkeypatch, method("annotations", "None"), late=7)
    with pytest.raises(UnusableGame) as refused:
        StoredGame(1, setup, events).replay()
    assert (refused.value.game, refused.value.package) == ("faulty", "faulty-games")


@pytest.mark.usefixtures("faulty")
def test_presence_ends_no_sound_match() -> None:
    match = Match(new_game("square"))
    assert [event.kind for event in match.apply("X", Leave(), at=0)] == [EventKind.AWAY]
    assert match.apply("O", Break("faulty-games", "why"), at=0)[-1].data["termination"] == "broken"


def test_broken_record_has_no_winner() -> None:
    record = Record(game="tictactoe", players={"X": "Ada", "O": "Wei"}, moves=("5",), termination="broken")
    assert parse_record(format_record(record)).termination == "broken"


# Tournaments and rooms


@pytest.mark.usefixtures("faulty")
def test_broken_tournament_games_do_not_count(tmp_path: Path) -> None:
    with closing(new_database(tmp_path / "games.db")) as database:
        plan = TournamentPlan("round-robin", ("faulty",), (RANDOM, OTHER), pairs=1, seed=3)
        assert play_missing(begin(plan, database)) == [1, 2]
        standings = find_again(plan, database).tally.table()
        assert standings.missing == 0
        assert standings.broken == (("faulty", 2),)
        assert EN.plural("tournament-broken", 2, game="faulty") in remarks(EN, standings)
        assert [player.counts["draws"] for player in standings.players] == [0, 0]
        stored = [game for _, game in find_again(plan, database).tournaments.games(1)]
    assert {game.result and game.result.termination for game in stored} == {"broken"}


@pytest.mark.usefixtures("faulty")
def test_broken_opening_ends_a_tournament_game() -> None:
    received = play_game(Assignment(1, "faulty", (RANDOM, OTHER), PlayLimits(), "seed", 1, MOVES[:8]))
    assert [event[2] for event in received].count("end") == 1
    assert received[-1][4]["termination"] == "broken"


@pytest.mark.usefixtures("faulty")
def test_fault_at_seating_costs_no_player(monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_fault(*_: object) -> None:
        raise GameBroken("faulty", "faulty-games", "seen while sitting down")

    monkeypatch.setattr("noughts.arena.tournament.play.offer_seat", raise_fault)
    received = play_game(Assignment(1, "faulty", (RANDOM, OTHER), PlayLimits(), "seed", 1))
    assert received[-1][4]["termination"] == "broken"


def test_room_of_a_broken_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    path = tmp_path / "rooms.db"
    with rooms_table(url_of(path)) as here:
        first, _ = here.pair(here.setup("faulty"))
        here.play(first.room, *MOVES[:8])
    later = tmp_path / "later"
    later.mkdir()
    install(later, monkeypatch, method("annotations", "None"), late=7)
    with rooms_table(url_of(path), seed=1) as here, pytest.raises(UnusableGame) as refused:
        here.rooms.look(first.room)
    assert (refused.value.game, refused.value.package) == ("faulty", "faulty-games")


@pytest.mark.usefixtures("faulty")
def test_moves_after_an_opening_fault_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(new_game("gomoku"), opening=find_opening("swap2"))
    for text in ("1", "2", "3"):
        match.apply(match.turn, MakeMove(parse_move(match.game, text)), at=0)
    fault_of_all = GameBroken("tictactoe", "faulty-games", "here")

    def refuse(*_: object) -> Move:
        raise fault_of_all

    monkeypatch.setattr("noughts.arena.match.is_guarded", lambda game: True)
    monkeypatch.setattr("noughts.arena.match.check_move", refuse)
    monkeypatch.setattr(Match, "_check_put", lambda self, command: None)
    events = match.apply(match.turn, Put(parse_moves(new_game("gomoku"), ("4", "5"))), at=0)
    assert [event.kind for event in events] == [EventKind.CHOICE, EventKind.END]


def test_task_failure_has_the_game_fault() -> None:
    def task(context: object) -> None:
        raise GameBroken("faulty", "faulty-games", "here")

    failed = run_task(TaskContext({}, lambda progress: None, lambda: False), task)
    assert isinstance(failed, TaskFailure)
    assert failed.fault is not None
    assert failed.fault.package == "faulty-games"
