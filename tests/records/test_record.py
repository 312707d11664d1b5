"""Tests of records: a record can be played and is restored exactly, or it is refused."""

import json
import pickle
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noughts import TicTacToe, new_game
from noughts.core.board import Shape
from noughts.errors import NotationError, NotFound
from noughts.games.base import Game, Outcome
from noughts.games.catalogue import CATALOGUE
from noughts.games.kinarow import KInARow
from noughts.games.notation import parse_move, parse_position, play_moves
from noughts.records.checks import (
    MAX_CLOCK,
    MAX_COMMENT,
    MAX_EVALUATION,
    MAX_HEADER_NAME,
    MAX_HEADERS,
    MAX_NAME_TEXT,
)
from noughts.records.record import MAX_LINE, Record, format_record, parse_record
from tests.games.records import read_or_refused, reason_of, records, started_games
from tests.strategies import games, play_at_random

NAMES = {"X": "Ada", "O": "Wei"}


def record(**facts: Any) -> Record:
    return Record(**{"game": "tictactoe", "players": NAMES, **facts})


def line(**facts: Any) -> str:
    return json.dumps({"game": "tictactoe", "players": NAMES, "moves": [], **facts})


# Round trips


@pytest.mark.slow
@given(records())
def test_record_json_round_trip(written: Record) -> None:
    text = format_record(written)
    assert "\n" not in text
    assert text.isascii()
    again = parse_record(text)
    assert again == written
    assert format_record(again) == text
    assert parse_record(f" {text}\r\n") == written


@pytest.mark.slow
@given(games(max_cells=25))
def test_replay_returns_the_game(game: Game) -> None:
    replayed = Record.of(game).replay()
    assert replayed.moves == game.moves
    assert (replayed.key(), replayed.outcome, replayed.sides) == (game.key(), game.outcome, game.sides)


@pytest.mark.slow
@given(started_games())
def test_record_of_game_from_position(game: Game) -> None:
    written = parse_record(format_record(Record.of(game)))
    assert written.replay().key() == game.key()
    assert written.replay().moves == game.moves


@pytest.mark.slow
@pytest.mark.parametrize("name", [entry.name for entry in CATALOGUE])
def test_record_of_every_catalogue_game(name: str) -> None:
    game = new_game(name, seed=3)
    play_at_random(game, 30, seed=5)
    written = Record.of(game)
    assert written.game == name
    assert parse_record(format_record(written)) == written
    assert written.replay().key() == game.key()


def test_only_unusual_positions_have_a_start() -> None:
    assert Record.of(new_game("reversi")).start is None
    assert Record.of(new_game("ultimate")).start is None
    assert Record.of(KInARow(shape=(3, 3), marks=("O", "X"))).start is None
    assert Record.of(new_game("fifteen")).start is not None
    assert Record.of(parse_position(TicTacToe(), "X../.../...")).start == "X../.../... O"


def test_turn_order_is_that_of_players() -> None:
    written = record(players={"O": "Wei", "X": "Ada"}, moves=["1"])
    assert written.replay()[0, 0] == "O"
    assert parse_record(format_record(written)).replay()[0, 0] == "O"
    assert written != record(moves=["1"])


def test_record_line_matches_golden_text() -> None:
    written = record(
        moves=("b2", " 1 ", "9"),
        winner="O",
        termination="resignation",
        clocks=[None, 2500, 0],
        evaluations=[0.5, None, "unclear"],
        comments=["center", None, "井"],
        headers={"event": "Cup", "date": "2024-05-06"},
    )
    assert format_record(written) == (
        '{"version":1,"game":"tictactoe","players":{"X":"Ada","O":"Wei"},"moves":["5","1","9"],"start":null,'
        '"winner":"O","termination":"resignation","clocks":[null,2500,0],"evaluations":[0.5,null,"unclear"],'
        '"comments":["center",null,"\\u4e95"],"headers":{"date":"2024-05-06","event":"Cup"}}'
    )


def test_record_is_a_value() -> None:
    one, two = record(moves=["5"]), record(moves=["b2"], clocks=[None])
    assert one == two
    assert hash(one) == hash(two)
    assert len({one, two, record()}) == 2
    assert one != "5"
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(AttributeError):
        one.winner = "X"  # type: ignore[misc]


def test_record_copies_its_arguments() -> None:
    players, headers, moves = dict(NAMES), {"event": "Cup"}, ["5"]
    written = record(players=players, headers=headers, moves=moves)
    text = format_record(written)
    players["X"], headers["event"] = "Eve", "None"
    moves.append("1")
    assert format_record(written) == text


def test_missing_keys_have_defaults() -> None:
    assert parse_record(line()) == record()


def test_record_of_finished_game() -> None:
    game = TicTacToe()
    play_moves(game, ["1", "4", "2", "5", "3"])
    written = Record.of(game, NAMES, comments=[None] * 4 + ["row 1"])
    assert (written.winner, written.termination, written.comments[-1]) == ("X", "line", "row 1")
    assert written.players == NAMES
    assert Record.of(TicTacToe()).players == {"X": "", "O": ""}


def test_record_of_resigned_game() -> None:
    written = Record.of(TicTacToe(), NAMES, ended=Outcome("O", (), "resignation"))
    assert (written.winner, written.termination) == ("O", "resignation")


def test_record_needs_a_reproducible_game() -> None:
    class Private(KInARow):
        __slots__ = ()

        @property
        def name(self) -> str:
            return "private"

    with pytest.raises(NotFound):
        Record.of(Private(shape=(3, 3)))


def test_record_refuses_other_rules_under_known_name() -> None:
    class Different(KInARow):
        __slots__ = ()

    class Quicker(KInARow, same_rules=True):
        __slots__ = ()

    with pytest.raises(NotationError) as caught:
        Record.of(Different(shape=(3, 3)))
    assert (caught.value.reason, caught.value.data["facts"]) == ("another-game", ["Different"])
    assert Record.of(Quicker(shape=(3, 3))).game == "tictactoe"


# Refusals

WON = ["1", "4", "2", "5", "3"]


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"game": 5}, "wrong-type"),
        ({"game": "chess"}, "cannot-begin"),
        ({"game": "3x3:3,wild,notakto"}, "cannot-begin"),
        ({"game": "x" * (MAX_NAME_TEXT + 1)}, "too-long"),
        ({"game": "9999999x9999999"}, "cannot-begin"),
        ({"players": ["Ada", "Wei"]}, "wrong-type"),
        ({"players": {}}, "players"),
        ({"players": {"X": "Ada"}}, "cannot-begin"),
        ({"players": {"X": "Ada", "o": "Wei"}}, "cannot-begin"),
        ({"players": {"X": "Ada", "OO": "Wei"}}, "too-long"),
        ({"players": {"X": "Ada", "O": None}}, "wrong-type"),
        ({"players": {"X": "Ada", "O": "a" * (MAX_NAME_TEXT + 1)}}, "too-long"),
        ({"players": {"X": "Ada", "O": "W\nei"}}, "control"),
        ({"players": {"X": "Ada", "O": "\x1b[31m"}}, "control"),
        ({"players": {"X": "Ada", "O": "\x9b31m"}}, "control"),
        ({"players": {"X": "Ada", "O": "\u2028"}}, "control"),
        ({"players": {"X": "Ada", "O": "\ud800"}}, "surrogate"),
        ({"game": "fifteen", "players": NAMES}, "cannot-begin"),
        ({"moves": "513"}, "wrong-type"),
        ({"moves": [5]}, "cannot-be-played"),
        ({"moves": ["5", "5"]}, "cannot-be-played"),
        ({"moves": ["0"]}, "cannot-be-played"),
        ({"moves": ["\ud800"]}, "cannot-be-played"),
        ({"moves": [*WON, "6"], "winner": "X", "termination": "line"}, "cannot-be-played"),
        ({"start": 5}, "cannot-begin"),
        ({"start": "XXX/.../..."}, "cannot-begin"),
        ({"winner": "X"}, "result-wrong"),
        ({"termination": "line", "winner": "X"}, "result-wrong"),
        ({"termination": "full"}, "result-wrong"),
        ({"termination": "resignation", "winner": "Z"}, "result-wrong"),
        ({"termination": "resignation", "winner": ["X"]}, "result-wrong"),
        ({"termination": 5}, "wrong-type"),
        ({"termination": "A word"}, "termination"),
        ({"moves": WON}, "result-wrong"),
        ({"moves": WON, "winner": "O", "termination": "line"}, "result-wrong"),
        ({"moves": WON, "winner": "X", "termination": "resignation"}, "result-wrong"),
        ({"moves": ["5"], "clocks": [1, 2]}, "count"),
        ({"moves": ["5"], "clocks": 1}, "wrong-type"),
        ({"moves": ["5"], "clocks": [True]}, "wrong-type"),
        ({"moves": ["5"], "clocks": [1.5]}, "wrong-type"),
        ({"moves": ["5"], "clocks": [-1]}, "number"),
        ({"moves": ["5"], "clocks": [MAX_CLOCK + 1]}, "number"),
        ({"moves": ["5"], "evaluations": [True]}, "wrong-type"),
        ({"moves": ["5"], "evaluations": [[1]]}, "wrong-type"),
        ({"moves": ["5"], "evaluations": [MAX_EVALUATION * 2]}, "number"),
        ({"moves": ["5"], "evaluations": ["\x00"]}, "control"),
        ({"moves": ["5"], "comments": [5]}, "wrong-type"),
        ({"moves": ["5"], "comments": ["\t"]}, "control"),
        ({"moves": ["5"], "comments": ["\udfff"]}, "surrogate"),
        ({"moves": ["5"], "comments": ["a" * (MAX_COMMENT + 1)]}, "too-long"),
        ({"headers": []}, "wrong-type"),
        ({"headers": {"event": 5}}, "wrong-type"),
        ({"headers": {"event\n": ""}}, "control"),
        ({"headers": {"a" * (MAX_HEADER_NAME + 1): ""}}, "too-long"),
        ({"headers": {str(number): "" for number in range(MAX_HEADERS + 1)}}, "too-many"),
    ],
)
def test_impossible_record_is_refused(facts: dict[str, Any], reason: str) -> None:
    assert reason_of(record, **facts) == reason
    assert reason_of(parse_record, line(**facts)) == reason


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_infinite_number_is_refused(number: float) -> None:
    assert reason_of(record, moves=["5"], evaluations=[number]) == "number"
    assert reason_of(parse_record, line(moves=["5"], evaluations=[number])) == "number"


def test_bad_move_error_has_its_number() -> None:
    with pytest.raises(NotationError) as caught:
        record(moves=["5", "1", "5"])
    assert caught.value.data["number"] == 3


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "wrong-type"),
        (b"{}", "wrong-type"),
        ("", "not-json"),
        ("{", "not-json"),
        ("[" * 100_000, "not-json"),
        ('{"a":' * 100_000, "not-json"),
        ("\ufeff{}", "not-json"),
        ("{}{}", "not-json"),
        ("{\n}", "more-than-one-line"),
        ("{\r}", "more-than-one-line"),
        ("[]", "not-an-object"),
        ("null", "not-an-object"),
        ("{}", "missing-key"),
        ('{"game":"tictactoe","game":"connect4"}', "repeated-key"),
        ('{"headers":{"a":"1","a":"2"}}', "repeated-key"),
        (line(version=3), "newer"),
        (line(version=0), "unknown-version"),
        (line(version=True), "unknown-version"),
        (line(version=1.0), "unknown-version"),
        (line(moves=["5"], clocks=[10**400]), "number"),
        (line()[:-1] + ',"evaluations":[' + "1" * 5000 + "]}", "not-json"),
        (line()[:-1] + ',"evaluations":[1.' + "1" * 5000 + "]}", "count"),
        (line(moves=["5"])[:-1] + ',"evaluations":[1e999]}', "number"),
        (line()[:-1] + ',"other":NaN}', "number"),
        (line()[:-1] + ',"other":[{"other":-Infinity}]}', "number"),
        (" " * (MAX_LINE + 3), "too-long"),
    ],
)
def test_bad_record_line_is_refused(text: Any, reason: str) -> None:
    assert reason_of(parse_record, text) == reason


@pytest.mark.slow
def test_long_record_is_refused() -> None:
    one = "\u4e95" * 100_000  # six characters each in ASCII
    moves = ["5", "1", "9", "2", "3"]
    headers = {str(number): one for number in range(24)}
    assert len(format_record(record(moves=moves, headers=headers))) > MAX_LINE * 0.9
    assert reason_of(record, moves=moves, comments=[one] * 5, headers=headers) == "too-long"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
KEYS = (
    *("version", "game", "players", "moves", "start", "winner"),
    *("termination", "clocks", "evaluations", "comments", "headers", "other"),
)


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(KEYS), json_values, max_size=4))
@example({"players": {"": "", "X": ""}})
def test_any_value_in_record_is_handled(facts: dict[str, Any]) -> None:
    """A value is read or refused as a record, and a record that is read is restored exactly."""
    for text in (line(**facts), json.dumps(facts)):
        written = read_or_refused(parse_record, text)
        assert written is None or parse_record(format_record(written)) == written


@pytest.mark.slow
@given(records(), st.data())
def test_damaged_record_line_is_handled(written: Record, data: st.DataObject) -> None:
    text = format_record(written)
    place = data.draw(st.integers(0, len(text)))
    gone = data.draw(st.integers(0, 6))
    damaged = text[:place] + data.draw(st.text(max_size=6)) + text[place + gone :]
    read_or_refused(parse_record, damaged)


@given(st.text(max_size=60))
def test_any_record_text_is_handled(text: str) -> None:
    read_or_refused(parse_record, text)


def test_record_moves_are_numbered_from_one() -> None:
    written = record(game="connect4", moves=["4", "d2"])
    assert written.moves == ("4", "4")
    shape: Shape = written.replay().shape
    assert shape == (6, 7)
    assert parse_move(written.replay(), "4") == (3, 3)


def test_unknown_record_keys_are_counted() -> None:
    written = parse_record(line(id=5, values=[], **{"rules\x1b": []}))
    # The number in a database is not a part of a game.
    assert written.left_out == {'"values"': 1, '"rules\\u001b"': 1}
