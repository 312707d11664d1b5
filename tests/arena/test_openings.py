"""Openings: sides, turns and records, checked with a model and with machines."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from noughts import KInARow, TicTacToe, new_game
from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.commands import (
    Accept,
    Command,
    Decline,
    Leave,
    MakeMove,
    OfferDraw,
    Put,
    Resign,
    Swap,
    TakeBack,
)
from noughts.arena.digest import digest_setup
from noughts.arena.events import Event, EventKind
from noughts.arena.local_table import LocalTable
from noughts.arena.match import Match
from noughts.arena.series import Begins, Score, Series, recount
from noughts.arena.setup import Setup
from noughts.arena.stored_game import StoredGame, record_of, stored_of
from noughts.errors import (
    BadInput,
    CommandRefused,
    DamagedStore,
    NotationError,
    NotFound,
    OccupiedCell,
    OutOfTurn,
    UnknownGame,
    UnknownOpening,
    UnsupportedRules,
)
from noughts.games.notation import parse_move, parse_moves
from noughts.games.openings import OPENINGS, PIE, SWAP2, find_opening
from noughts.records.record import Record, format_record, parse_record
from noughts.records.sgf import format_sgf, parse_sgf
from tests.stand_ins import MemoryStore

NAMES = ("Ada", "Wei")
SEATS = {"X": "Ada", "O": "Wei"}
WHOLE = Clock(base=10_000, increment=500)


def match_of(name: str, game: str = "gomoku", clock: Clock = UNTIMED) -> Match:
    return Match(new_game(game), clock, opening=find_opening(name))


def do(match: Match, *said: str, at: int = 0) -> list[Event]:
    """Execute the words *said*, each for the side to decide: moves, ``swap``, ``put`` and ``put A B``."""
    events: list[Event] = []
    for one in said:
        word, *more = one.split()
        command: Command = Swap()
        if word == "put":
            command = Put(parse_moves(match.game, more))
        elif word != "swap":
            command = MakeMove(parse_move(match.game, word))
        events += match.apply(match.turn, command, at)
    return events


def may(match: Match) -> tuple[str, ...]:
    """Return the allowed answers besides a move."""
    return match.standing.answers


def reason_of(act: Callable[[], object]) -> str:
    with pytest.raises(CommandRefused) as caught:
        act()
    return caught.value.reason


# Protocols


@pytest.mark.parametrize(
    ("name", "said", "holders", "turn"),
    [
        ("pie", "", "AB", "A"),
        ("pie", "h8", "AB", "B"),
        ("pie", "h8,swap", "BA", "A"),
        ("pie", "h8,swap,a1", "BA", "B"),
        ("pie", "h8,a1", "AB", "A"),
        ("swap2", "h8", "AB", "A"),
        ("swap2", "h8,a1", "AB", "A"),
        ("swap2", "h8,a1,c3", "AB", "B"),
        ("swap2", "h8,a1,c3,swap", "BA", "A"),
        ("swap2", "h8,a1,c3,d4", "AB", "A"),
        ("swap2", "h8,a1,c3,put", "BA", "B"),
        ("swap2", "h8,a1,c3,put d4", "BA", "B"),
        ("swap2", "h8,a1,c3,put d4 e5", "BA", "A"),
        ("swap2", "h8,a1,c3,put,d4,e5,f6", "BA", "B"),
        ("swap2", "h8,a1,c3,put,d4,e5,swap", "AB", "B"),
        ("swap2", "h8,a1,c3,put,d4,e5,swap,f6", "AB", "A"),
    ],
)
def test_opening_decides_sides_and_turn(name: str, said: str, holders: str, turn: str) -> None:
    match = match_of(name)
    events = do(match, *said.split(",")) if said else []
    held = match.by_side({"X": "A", "O": "B"})
    assert ("".join(held.values()), held[match.turn]) == (holders, turn)
    assert list(held) == ["X", "O"]
    again = Match.replay(new_game("gomoku"), events, opening=find_opening(name))
    assert (again.turn, again.standing, again.game.moves) == (match.turn, match.standing, match.game.moves)


def test_marks_alternate_during_an_opening() -> None:
    match = match_of("swap2")
    events = do(match, "h8", "a1", "c3", "put d4 e5")
    assert [event.side for event in events] == ["X", "X", "X", "O", "X", "X"]
    marks = [match.game[cell] for cell in match.game.moves]
    assert marks == ["X", "O", "X", "O", "X"]


@pytest.mark.parametrize(
    ("name", "said", "settled_from"),
    [
        ("pie", "", 1),
        ("pie", "h8", 2),
        ("pie", "h8,swap", 1),
        ("pie", "h8,swap,a1", 1),
        ("pie", "h8,a1", 2),
        ("pie", "h8,a1,c3", 2),
        ("swap2", "h8,a1", 3),
        ("swap2", "h8,a1,c3", 4),
        ("swap2", "h8,a1,c3,swap,d4", 3),
        ("swap2", "h8,a1,c3,d4,e5", 4),
        ("swap2", "h8,a1,c3,put d4 e5", 6),
        ("swap2", "h8,a1,c3,put d4 e5,swap,f6", 5),
        ("swap2", "h8,a1,c3,put d4 e5,f6", 6),
    ],
)
def test_settled_from_counts_the_moves(name: str, said: str, settled_from: int) -> None:
    match = match_of(name)
    do(match, *filter(None, said.split(",")))
    assert match.settled_from == settled_from
    assert match.standing.is_over is (settled_from <= match.game.ply)


def test_opening_limits_the_answers() -> None:
    match = match_of("swap2")
    assert (match.standing.placing, match.standing.answers, match.standing.is_over) == (3, (), False)
    assert reason_of(lambda: match.apply("X", Swap(), 0)) == "no-such-choice"
    assert reason_of(lambda: match.apply("X", Put(), 0)) == "no-such-choice"
    with pytest.raises(OutOfTurn):
        match.apply("O", MakeMove((7, 7)), 0)
    do(match, "h8", "a1", "c3")
    assert may(match) == ("swap", "put")
    with pytest.raises(OutOfTurn):
        match.apply("X", Swap(), 0)
    version = match.version
    for wrong in (Put(((7, 7),)), Put(((11, 3), (11, 3)))):
        with pytest.raises(OccupiedCell):
            match.apply("O", wrong, 0)
    assert (
        reason_of(lambda: match.apply("O", Put(parse_moves(match.game, ("d4", "e5", "f6"))), 0))
        == "too-many-to-put"
    )
    assert (match.version, match.game.ply) == (version, 3)
    do(match, "put d4 e5")
    assert may(match) == ("swap",)
    do(match, "swap")
    assert (match.standing.is_over, may(match)) == (True, ())
    assert reason_of(lambda: match.apply("O", Swap(), 0)) == "no-such-choice"


def test_choice_without_an_opening_is_refused() -> None:
    match = Match(TicTacToe())
    assert (match.standing.is_over, match.settled_from) == (True, 0)
    assert reason_of(lambda: match.apply("X", Swap(), 0)) == "no-such-choice"
    assert match.by_side(SEATS) == SEATS


@pytest.mark.parametrize(
    ("opening", "game", "reason"),
    [
        *(
            (name, game, "not-two-in-a-row")
            for name in OPENINGS
            for game in ("three", "reversi", "fifteen", "ultimate")
        ),
        *(
            ("swap2", game, "opening-too-long")
            for game in ("tictactoe", "wild", "notakto", "misere", "15x15:5,wild", "15x15:5,notakto")
        ),
        ("pie", "3x3:1,wild", "opening-too-long"),
        ("swap2", "3x3x3", "opening-too-long"),
        ("pie", "2x2:1", "opening-too-long"),
        ("swap2", "5x1:4", "opening-too-long"),
    ],
)
def test_openings_refuse_unsuitable_games(opening: str, game: str, reason: str) -> None:
    with pytest.raises(UnsupportedRules) as caught:
        match_of(opening, game)
    assert (caught.value.who, caught.value.reason) == (opening, reason)


def test_openings_refuse_unknown_rules() -> None:
    class Odd(KInARow):
        pass

    with pytest.raises(UnsupportedRules) as caught:
        PIE.check(Odd(shape=(3, 3)))
    assert caught.value.reason == "not-two-in-a-row"


@pytest.mark.parametrize(
    "game",
    ["tictactoe", "connect4", "misere", "vanishing", "torus", "renju", "wild", "notakto", "11x11:5,hex"],
)
def test_pie_supports_these_games(game: str) -> None:
    match = match_of("pie", "15x15:5,renju" if game == "renju" else game)
    match.apply("X", MakeMove(match.game.legal_moves()[0]), 0)
    match.apply("O", Swap(), 0)
    assert match.by_side(SEATS) == {"X": "Wei", "O": "Ada"}


def test_opening_refuses_a_started_game() -> None:
    game = new_game("gomoku")
    game.play((7, 7))
    with pytest.raises(UnsupportedRules) as caught:
        Match(game, opening=PIE)
    assert caught.value.reason == "not-from-the-start"
    with pytest.raises(NotFound):
        find_opening("swap3")


def test_opening_lets_the_placer_choose_wild_marks() -> None:
    match = match_of("swap2", "7x7:6,wild")
    do(match, "X4", "X5", "O6")
    with pytest.raises(NotationError):
        do(match, "put X7 8")
    events = do(match, "put X7 O8", "swap", "O9")
    assert "".join(match.game[cell_of] or "." for cell_of in ((0, 6), (1, 0), (1, 1))) == "XOO"
    assert [event.side for event in events] == ["O", "X", "X", "O", "O"]
    assert match.by_side(SEATS) == SEATS
    game = stored_of(record_of(StoredGame(1, Setup("wild", SEATS, opening="pie"), do_pie())))
    assert (game.players, game.replay().game.ply) == ({"X": "Wei", "O": "Ada"}, 2)


def do_pie() -> list[Event]:
    return do(match_of("pie", "wild"), "O5", "swap", "X4")


# Clocks, offers, the end


def test_clock_belongs_to_the_deciding_player() -> None:
    match = match_of("swap2", clock=WHOLE)
    do(match, "h8", at=1_000)
    do(match, "a1", at=2_000)
    do(match, "c3", at=3_000)
    assert (match.time_left("X", 3_000), match.time_left("O", 3_000)) == (10_500, 10_000)
    assert match.time_left("O", 5_000) == 10_000, "no clock runs before each side has decided something"
    (choice,) = do(match, "put", at=5_000)
    assert choice.data == {"choice": "put"}
    assert (match.time_left("X", 5_000), match.time_left("O", 5_000)) == (10_000, 10_500)
    do(match, "d4", at=6_000)
    do(match, "e5", at=7_000)
    assert (match.time_left("X", 7_000), match.time_left("O", 7_000)) == (8_500, 10_500)
    (choice,) = do(match, "swap", at=8_000)
    assert choice.data == {"choice": "swap", "left": 10_000}
    assert (match.time_left("X", 8_000), match.time_left("O", 8_000)) == (10_000, 8_500)
    assert match.running == "O"
    (end,) = match.apply("O", Swap(), 16_500)
    assert (end.side, end.data["termination"]) == ("O", "time")


def test_opening_turn_adds_one_increment() -> None:
    match = match_of("swap2", clock=WHOLE)
    do(match, "h8", "a1", "c3")
    assert (match.time_left("X", 0), match.time_left("O", 0)) == (10_500, 10_000)
    do(match, "put d4 e5")
    assert match.by_side({"X": "Ada", "O": "Wei"}) == {"X": "Wei", "O": "Ada"}
    assert (match.time_left("X", 0), match.time_left("O", 0)) == (10_500, 10_500)
    each = match_of("swap2", clock=Clock(per_move=1_000))
    do(each, "h8", at=900)
    do(each, "a1", at=1_800)
    assert each.time_left("X", 1_800) == 1_000


def test_absence_follows_an_exchange_of_sides() -> None:
    match = Match(new_game("gomoku"), opening=PIE, claim_after=1_000)
    do(match, "h8")
    match.apply("X", Leave(), 5)
    do(match, "swap", at=10)
    assert (match.away_since("X"), match.away_since("O")) == (None, 5)


def test_choice_declines_an_offer() -> None:
    match = match_of("pie")
    do(match, "h8")
    match.apply("X", OfferDraw(), 0)
    do(match, "swap")
    assert match.offer is None


def test_opening_resignation_loses_the_present_side() -> None:
    match = match_of("pie")
    do(match, "h8", "swap")
    (end,) = match.apply("O", Resign(), 0)
    assert (end.side, end.data["winner"], match.by_side(SEATS)["X"]) == ("O", "X", "Wei")


# Takebacks


def test_takeback_returns_to_the_same_decision() -> None:
    match = match_of("swap2")
    do(match, "h8", "a1", "c3", "put d4 e5", "swap", "f6")
    assert match.last_decision(("X",)) == (1, "X")  # Ada, who has swapped
    assert match.last_decision(("O",)) == (1, "O")  # Wei, by the move
    match.apply("X", TakeBack(1), 0)
    match.apply("O", Accept(), 0)
    assert (match.game.ply, match.standing.answers, match.by_side(SEATS)["O"]) == (
        5,
        ("swap",),
        "Ada",
    )
    do(match, "swap")
    assert match.last_decision(("X",)) == (0, "X")
    match.apply("X", TakeBack(None), 0)
    match.apply("O", Accept(), 0)
    assert (match.game.ply, match.turn, match.standing.answers) == (5, "O", ("swap",))
    assert match.last_decision(("X",)) == (1, "X")
    match.apply("X", TakeBack(2), 0)
    match.apply("O", Accept(), 0)
    assert (match.game.ply, match.standing.answers, match.by_side(SEATS)) == (
        3,
        ("swap", "put"),
        SEATS,
    )
    assert reason_of(lambda: match.apply("O", TakeBack(0), 0)) == "nothing-to-take-back"
    assert match.last_decision(("O",)) == (4, "O")
    assert reason_of(lambda: match.apply("O", TakeBack(None), 0)) == "nothing-to-take-back"


# Records


def stored(words: str, opening: str = "swap2", *, clock: Clock = UNTIMED) -> StoredGame:
    setup = Setup("gomoku", SEATS, clock=clock, who={"X": "human", "O": "rule"}, opening=opening)
    match = setup.replay(())
    return StoredGame(1, setup, do(match, *words.split(",")))


@pytest.mark.parametrize(
    ("said", "players", "choices"),
    [
        ("h8", ("Ada", "Wei"), []),
        ("h8,a1,c3", ("Ada", "Wei"), []),
        ("h8,a1,c3,swap", ("Wei", "Ada"), [(3, "Wei", "swap")]),
        ("h8,a1,c3,d4", ("Ada", "Wei"), [(3, "Wei", "stay")]),
        ("h8,a1,c3,put", ("Wei", "Ada"), [(3, "Wei", "put")]),
        ("h8,a1,c3,put d4 e5", ("Wei", "Ada"), [(3, "Wei", "put")]),
        ("h8,a1,c3,put d4 e5,swap", ("Ada", "Wei"), [(3, "Wei", "put"), (5, "Ada", "swap")]),
        ("h8,a1,c3,put d4 e5,f6", ("Wei", "Ada"), [(3, "Wei", "put"), (5, "Ada", "stay")]),
    ],
)
@pytest.mark.parametrize("clock", [UNTIMED, WHOLE])
def test_record_holds_an_opening(
    said: str, players: tuple[str, str], choices: list[tuple[Any, ...]], clock: Clock
) -> None:
    game = stored(said, clock=clock)
    record = record_of(game)
    assert tuple(record.players.values()) == players
    assert tuple(game.kinds.values()) == (("human", "rule") if players[0] == "Ada" else ("rule", "human"))
    assert record.opening == {
        "protocol": "swap2",
        "choices": [{"ply": ply, "by": by, "choice": choice} for ply, by, choice in choices],
    }
    again = parse_record(format_record(record))
    assert again == record
    assert format_record(record_of(stored_of(again))) == format_record(again)


@pytest.mark.parametrize("said", ["h8", "h8,a1,c3,d4", "h8,a1,c3,swap,d4", "h8,a1,c3,put d4 e5,swap,f6"])
def test_sgf_holds_an_opening(said: str) -> None:
    record = record_of(stored(said))
    assert parse_sgf(format_sgf(record)) == record


@pytest.mark.parametrize("wrong", ["", "swap3", "swap2 3", "swap2 3:stay", "swap2 9:swap", "pie 1:put"])
def test_sgf_refuses_impossible_openings(wrong: str) -> None:
    text = format_sgf(record_of(stored("h8,a1,c3,swap,d4")))
    assert "NOPENING[swap2 3:swap]" in text
    with pytest.raises(NotationError):
        parse_sgf(text.replace("[swap2 3:swap]", f"[{wrong}]"))


def test_record_omits_an_undone_choice() -> None:
    setup = Setup("gomoku", SEATS, opening="pie")
    match = setup.replay(())
    events = do(match, "h8", "swap", "a1")
    events += match.apply("X", TakeBack(1), 0) + match.apply("O", Accept(), 0) + do(match, "b2")
    game = StoredGame(1, setup, events)
    assert record_of(game).opening == {
        "protocol": "pie",
        "choices": [{"ply": 1, "by": "Wei", "choice": "stay"}],
    }
    assert game.players == SEATS


GOOD = {"protocol": "pie", "choices": [{"ply": 1, "by": "Wei", "choice": "swap"}]}


@pytest.mark.parametrize(
    "opening",
    [
        *(7, [], {}, {"protocol": "pie"}, {**GOOD, "protocol": "swap3"}, {**GOOD, "protocol": []}),
        *({**GOOD, "choices": 7}, {**GOOD, "choices": [7]}, {**GOOD, "choices": []}, {**GOOD, "more": 1}),
        {"protocol": "pie", "choices": [{"ply": 1, "by": "Ada", "choice": "swap"}]},
        {"protocol": "pie", "choices": [{"ply": 1, "by": "Wei", "choice": "put"}]},
        {"protocol": "pie", "choices": [{"ply": 2, "by": "Wei", "choice": "swap"}]},
        {"protocol": "pie", "choices": [{"ply": 1, "by": "Wei", "choice": "swap", "why": ""}]},
        {"protocol": "swap2", "choices": []},
    ],
)
def test_record_refuses_impossible_openings(opening: Any) -> None:
    facts: dict[str, Any] = {"players": {"X": "Wei", "O": "Ada"}, "moves": ("5", "1")}
    assert Record(game="tictactoe", **facts, opening=GOOD).opening == GOOD
    with pytest.raises(NotationError) as caught:
        Record(game="tictactoe", **facts, opening=opening)
    assert caught.value.reason == "opening"


def test_replay_refuses_wrong_choices() -> None:
    move = Event(1, 0, EventKind.MOVE, "X", {"move": "5"})
    for side, choice in (("X", "swap"), ("O", "put"), ("O", "stay")):
        wrong = Event(2, 0, EventKind.CHOICE, side, {"choice": choice})
        with pytest.raises(NotationError) as caught:
            Match.replay(TicTacToe(), (move, wrong), opening=PIE)
        assert caught.value.reason == "wrong-choice"


@pytest.mark.parametrize(("game", "opening"), [("wild", "swap2"), ("reversi", "pie")])
def test_opening_of_another_game_is_damage(game: str, opening: str) -> None:
    with pytest.raises(DamagedStore):
        StoredGame(1, Setup(game, SEATS, opening=opening)).replay()


def test_unknown_opening_is_named() -> None:
    game = StoredGame(1, Setup("gomoku", SEATS, opening="swap3"))
    with pytest.raises(UnknownOpening) as caught:
        game.replay()
    assert (caught.value.opening, caught.value.game) == ("swap3", "gomoku")
    assert str(caught.value) == "database game 1: no opening 'swap3'"
    with pytest.raises(UnknownGame) as unknown:
        StoredGame(1, Setup("golf", SEATS, opening="pie")).replay()
    assert type(unknown.value) is UnknownGame


@pytest.mark.parametrize(
    "event",
    [
        *(
            Event(2, 0, EventKind.CHOICE, "O", data)
            for data in ({}, {"choice": 5}, {"choice": ["swap"]}, {"choice": "stay"})
        ),
        *(Event(2, 0, EventKind.TAKEBACK, "O", data) for data in ({}, {"ply": "0"}, {"ply": -1})),
    ],
)
def test_choice_without_its_answer_is_damage(event: Event) -> None:
    begun = Event(1, 0, EventKind.MOVE, "X", {"move": "1"})
    end = Event(3, 0, EventKind.END, "X", {"winner": "O", "termination": "resignation"})
    game = StoredGame(1, Setup("gomoku", SEATS, opening="pie"), (begun, event, end))
    for ask in (
        lambda: game.players,
        lambda: game.kinds,
        lambda: game.result,
        game.answers,
        lambda: game.is_swapped,
        lambda: record_of(game),
        game.replay,
    ):
        with pytest.raises(DamagedStore):
            ask()


def test_digest_covers_the_opening() -> None:
    opened = {digest_setup(Setup("gomoku", SEATS, opening=name)) for name in (None, *OPENINGS)}
    assert len(opened) == 3


def test_series_counts_by_the_final_sides() -> None:
    series = Series(NAMES, Begins.LOSER)
    store = MemoryStore()
    table = LocalTable(store, "gomoku", series, dict.fromkeys(NAMES, "human"), opening="pie", is_series=True)
    table.begin(0)
    table.apply("X", MakeMove((7, 7)), 1)
    table.apply("O", Swap(), 2)
    assert (table.names, table.sides) == ({"X": "Wei", "O": "Ada"}, {1: "X", 0: "O"})
    table.apply("X", Resign(), 3)
    assert [(score.name, score.wins) for score in series.scores()] == [("Ada", 1), ("Wei", 0)]
    assert series.results == [game.result for game in store.games()]
    assert series.results[0].beginner == "Ada"
    assert dict(table.begin(4).seats) == {"X": "Wei", "O": "Ada"}  # the loser begins
    table.apply("X", MakeMove((7, 7)), 5)
    table.apply("O", Swap(), 6)
    table.apply("O", OfferDraw(), 7)
    table.apply("X", Accept(), 8)
    assert dict(table.begin(9).seats) == {"X": "Ada", "O": "Wei"}  # Wei began
    again = LocalTable.resume(store, list(store.games())[-1], 10)
    assert again.terms.opening == "pie"


# Machines


class Model:
    """A protocol as people know it: the sides of the players, and the player to decide."""

    def __init__(self, name: str) -> None:
        self.name, self.log = name, []  # type: ignore[var-annotated]

    def state(self) -> tuple[str, str]:
        """The player with X (A or B), and the player to decide."""
        has_x, plies, asks = "A", 0, {"pie": [1], "swap2": [3, 5]}[self.name]
        for words in self.log:
            if words == "swap":
                has_x = _other(has_x)
                asks = []
            elif words == "put":
                has_x = _other(has_x)
                asks = asks[1:]
            else:
                if asks and plies == asks[0]:
                    asks = []  # stayed
                plies += 1
        if asks and plies < asks[0]:
            return has_x, has_x
        return has_x, has_x if plies % 2 == 0 else _other(has_x)

    def may(self) -> tuple[str, ...]:
        """The allowed answers besides a move."""
        plies = sum(words not in ("swap", "put") for words in self.log)
        if "swap" in self.log:
            return ()
        if self.name == "pie":
            return ("swap",) if self.log and plies == 1 else ()
        if self.log and self.log[-1] != "put" and plies == 3 and "put" not in self.log:
            return ("swap", "put")
        return ("swap",) if plies == 5 and "put" in self.log else ()


def _other(who: str) -> str:
    return "B" if who == "A" else "A"


class AnyOpening(RuleBasedStateMachine):
    """Any commands at a table with a store: replays, records and scores agree with them."""

    def __init__(self) -> None:
        super().__init__()
        self.store = MemoryStore()
        self.at = 0

    @initialize(
        name=st.sampled_from(sorted(OPENINGS)),
        game=st.sampled_from(
            ("gomoku", "connect4", "6x6:4,wrap", "5x5:4,misere", "6x6:6,wild", "6x6:6,notakto", "7x7:4,hex")
        ),
        clock=st.sampled_from((UNTIMED, Clock(base=10**6, increment=100), Clock(per_move=10**6))),
        begins=st.sampled_from((Begins.ALTERNATE, Begins.LOSER, Begins.X)),
    )
    def open(self, name: str, game: str, clock: Clock, begins: Begins) -> None:
        self.name, self.clock = name, clock
        who = dict.fromkeys(NAMES, "human")
        series = Series(NAMES, begins)
        self.table = LocalTable(self.store, game, series, who, clock=clock, opening=name, is_series=True)
        self.begin()

    def begin(self) -> None:
        setup = self.table.begin(self.at)
        self.first = setup.seats["X"]
        self.model = Model(self.name)

    @property
    def match(self) -> Match:
        assert self.table.match is not None
        return self.table.match

    def do(self, command: Command, side: str | None = None) -> list[Event]:
        self.at += 7
        events = self.table.apply(side or self.match.turn, command, self.at)
        if not self.table.is_playing:
            self.begin()
        return events

    @rule(chance=st.randoms(use_true_random=False))
    def move(self, chance: Any) -> None:
        move = chance.choice(list(self.match.game.legal_moves()))
        self.model.log.append("move")
        self.do(MakeMove(move))

    @rule()
    def swap(self) -> None:
        self.answer("swap", Swap())

    @rule()
    def put(self) -> None:
        self.answer("put", Put())

    def answer(self, words: str, command: Command) -> None:
        if words in self.model.may():
            self.model.log.append(words)
            self.do(command)
        else:
            with pytest.raises(CommandRefused):
                self.do(command)

    @rule(plies=st.integers(0, 6))
    def take_back(self, plies: int) -> None:
        side = self.match.turn
        other = next(other for other in self.match.game.sides if other != side)
        try:
            self.do(TakeBack(plies), side)
        except BadInput:
            return
        self.do(Accept(), other)
        keep = sum(words == "move" for words in self.model.log) - plies
        while sum(words == "move" for words in self.model.log) > keep or self.model.log[-1:] in (
            ["swap"],
            ["put"],
        ):
            self.model.log.pop()

    @rule()
    def offer_and_decline(self) -> None:
        side = self.match.turn
        self.do(OfferDraw(), side)
        self.do(Decline(), side)

    @precondition(lambda self: hasattr(self, "table") and self.match.version > 2)
    @rule(is_draw=st.booleans(), really=st.integers(0, 3))
    def end(self, is_draw: bool, really: int) -> None:
        if really:
            return
        for side in self.match.game.sides if is_draw else ():
            self.do(Accept() if self.match.offer else OfferDraw(), side)
        if not is_draw:
            self.do(Resign())

    @invariant()
    def agree(self) -> None:
        if not hasattr(self, "table"):
            return
        match, second = self.match, next(name for name in NAMES if name != self.first)
        names = {"A": self.first, "B": second}
        has_x, decides = self.model.state()
        held = self.table.names
        assert (held["X"], held["O"]) == (names[has_x], names[_other(has_x)])
        assert held[match.turn] == names[decides]
        assert match.standing.answers == self.model.may()
        setup = self.table.setup
        assert setup is not None
        events = self.store.load(self.table.number).events if self.table.number is not None else ()
        again = setup.replay(events)
        assert (again.turn, again.standing, again.game.moves) == (
            match.turn,
            match.standing,
            match.game.moves,
        )
        for side in "XO":
            assert again.time_left(side, self.at + 5) == match.time_left(side, self.at + 5)

    def teardown(self) -> None:
        games = list(self.store.games())
        for game in games:
            record = record_of(game)
            assert parse_record(format_record(record)) == record
            again = record_of(stored_of(record))
            assert (again.players, again.opening, again.moves) == (
                record.players,
                record.opening,
                record.moves,
            )
            assert game.players == game.replay().by_side(game.setup.seats)
        if hasattr(self, "table"):
            results = [game.result for game in games if game.result is not None]
            assert self.table.series.results == results
            assert self.table.series.scores() == recount(results, map(Score, NAMES))


AnyOpening.TestCase.settings = settings(stateful_step_count=30)
TestAnyOpening = pytest.mark.slow(AnyOpening.TestCase)


def test_opening_decisions_belong_to_the_mover() -> None:
    for opening in (PIE, SWAP2):
        end = 0
        for step in opening.steps:
            end += step.marks
            assert end % 2 == 1
