"""The Gomocup protocol as text: written lines can be read, and mutated ones are parsed or refused."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import new_game
from noughts.core.board import index_of
from noughts.games.notation import CellNotation
from noughts.workers.protocols.gomocup import (
    NO_LIMIT,
    Field,
    GomocupCommand,
    Kind,
    board_lines,
    coordinate_of,
    format_point,
    parse_command,
    parse_numbers,
    parse_point,
    parse_reply,
    point_of,
)
from noughts.workers.protocols.gomocup_info import MIN_MOVES_LEFT, Info, TurnTime


def test_points_are_counted_from_the_top_left() -> None:
    """The worked example: on 15x15 ``10,3`` is cell 56 and k12."""
    cell = coordinate_of((10, 3))
    assert index_of((15, 15), cell) + 1 == 56
    assert CellNotation((15, 15)).parse("k12", new_game("gomoku")) == cell
    assert point_of(cell) == (10, 3)


@given(st.integers(0, 39), st.integers(0, 39))
def test_points_round_trip(x: int, y: int) -> None:
    assert parse_point(format_point((x, y))) == (x, y)
    assert parse_reply(f" {x} ,{y}\r").point == (x, y)
    assert coordinate_of(point_of((y, x))) == (y, x)


@given(st.text(max_size=30))
def test_any_text_can_be_parsed(text: str) -> None:
    command, reply = parse_command(text), parse_reply(text)
    assert command.word == command.word.strip()
    assert (reply.kind in (Kind.MOVE, Kind.SUGGESTION)) == (reply.point is not None)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        *((line, Kind.OK) for line in ("OK", "ok", " Ok ", "OK - everything is good", "OK\t")),
        *(
            (line, Kind.OTHER)
            for line in ("OKAY", "", "h8", "7;7", "7,7,7", "NaN,1", "7 7", "name=x", "-1 3")
        ),
        *((line, Kind.MOVE) for line in ("7,7", "3 , 4", "-1,3", "999999999,0")),
        ("9" * 20 + ",0", Kind.MOVE),
        ("9" * 200 + ",0", Kind.OTHER),
        ("SUGGEST 3,4", Kind.SUGGESTION),
        ("suggest three", Kind.OTHER),
        *((line, Kind.MESSAGE) for line in ("MESSAGE hi", "debug x", "MESSAGE")),
        *((line, Kind.ERROR) for line in ("ERROR", "error too large")),
        ("UNKNOWN command", Kind.UNKNOWN),
    ],
)
def test_replies_of_engines_are_parsed(line: str, kind: Kind) -> None:
    assert parse_reply(line).kind is kind


@pytest.mark.parametrize(
    ("text", "count", "found"),
    [
        ("15", 1, (15,)),
        ("15 15", 2, (15, 15)),
        ("15,\t15", 2, (15, 15)),
        ("1,2,3", 3, (1, 2, 3)),
        ("-1", 1, (-1,)),
        ("+3", 1, (3,)),
        ("", 1, None),
        ("1,,2", 2, None),
        ("1,2,", 2, None),
        ("\u0661", 1, None),
        ("1.5", 1, None),
        ("9" * 19, 1, None),
    ],
)
def test_numbers_are_parsed(text: str, count: int, found: tuple[int, ...] | None) -> None:
    assert parse_numbers(text, count) == found


def test_board_lines_list_the_stones() -> None:
    assert board_lines([]) == ("BOARD", "DONE")
    received = board_lines([(7, 8, Field.OTHER), (0, 1, Field.OWN)], "YXBOARD")
    assert received == ("YXBOARD", "7,8,2", "0,1,1", "DONE")


def mutated(line: str, chance: Random) -> str:
    """Return *line* with a few characters lost, doubled, exchanged or replaced."""
    letters = list(line)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(letters) + 1)
        kind = chance.randrange(4)
        if kind == 0 and letters:
            del letters[min(place, len(letters) - 1)]
        elif kind == 1:
            letters.insert(place, chance.choice(letters or ["x"]))
        elif kind == 2:
            letters.insert(place, chr(chance.randrange(1, 0x300)))
        elif letters:
            letters[min(place, len(letters) - 1)] = chance.choice("0123456789,;-+ .\tABCXYxy")
    return "".join(letters)


GOOD_REPLIES = ("OK", "7,7", "SUGGEST 3,4", "MESSAGE depth 4", "ERROR no", "UNKNOWN WHAT", "12 , 3")


def test_mutated_replies_can_be_parsed() -> None:
    """A mutated line is a move only if it consists of two numbers and nothing else.

    This test runs a tenth of the cases of ``.ci/weekly``.
    """
    chance = Random(1)
    for _ in range(10_000):
        line = mutated(chance.choice(GOOD_REPLIES), chance)
        reply = parse_reply(line)
        if reply.kind is Kind.MOVE:
            assert reply.point == tuple(int(part) for part in line.split(","))
        if reply.kind is Kind.OK:
            assert line.split()[0].upper() == "OK"


# Information for engines


def test_unknown_information_changes_nothing() -> None:
    for text in (
        "",
        "wobble 3",
        "timeout_turn",
        "timeout_turn soon",
        "timeout_turn -1",
        "rule -4",
        "spent_ms 1",
    ):
        assert Info().updated(text) == Info()


@pytest.mark.parametrize(
    ("told", "moves", "free", "ms"),
    [
        ((), 0, 225, 4950),  # no information
        (("timeout_turn 1000",), 0, 225, 950),
        (("timeout_turn 0",), 0, 225, 0),
        (("timeout_turn 30",), 0, 225, 19),
        (("timeout_turn 10",), 0, 225, 0),
        (("timeout_turn 30000", "timeout_match 150250"), 0, 225, 14950),
        (("timeout_turn 30000", "time_left 90250", "timeout_match 180000"), 20, 150, 26950),
        (("timeout_turn 30000", "time_left 8250"), 60, 100, 3 * 8000 // MIN_MOVES_LEFT - 50),
        (("timeout_turn 30000", "time_left 8000"), 60, 3, 7950),
        (("timeout_turn 30000", "time_left -5"), 0, 225, 0),
        (("timeout_turn 1000", f"time_left {NO_LIMIT}", "timeout_match 5000"), 0, 225, 950),
        (("timeout_match 60250",), 0, 225, 5950),  # only the time of the match is shared
        (("max_node 1000",), 0, 225, None),
        (("max_depth 3",), 0, 225, None),
        (("max_node 1000", "timeout_turn 500"), 0, 225, 465),
        (("max_node 1000", "max_node 0"), 0, 225, 4950),
    ],
)
def test_thinking_time_is_shared(told: tuple[str, ...], moves: int, free: int, ms: int | None) -> None:
    info = Info()
    for text in told:
        info = info.updated(text.upper())
    time = info.turn_time(moves, free)
    assert (time and time.thinking_ms) == ms


@pytest.mark.parametrize(
    ("turn", "thinking", "margin"),
    [(-5, 0, 0), (0, 0, 0), (9, 0, 9), (11, 1, 10), (200, 180, 20), (800, 750, 50), (5000, 4950, 50)],
)
def test_turn_time_leaves_a_margin(turn: int, thinking: int, margin: int) -> None:
    assert TurnTime.of(turn) == TurnTime(thinking, margin)


def test_move_takes_all_of_its_turn_without_limit_of_match() -> None:
    time = Info(timeout_turn=1000, time_left=NO_LIMIT).turn_time(0, 225)
    assert time is not None
    assert time.allotted_ms(0) == time.allotted_ms(5) == 950


@pytest.mark.parametrize(("unrest", "ms"), [(0, 600), (0.5, 1050), (1, 1500), (9, 2950)])
def test_move_takes_more_of_its_share_with_unrest(unrest: float, ms: int) -> None:
    time = Info(timeout_turn=5000, time_left=20_250).turn_time(10, 200)
    assert time is not None
    assert time.allotted_ms(unrest) == ms


def test_spent_time_counts_until_time_left_comes() -> None:
    info = Info().updated("timeout_match 10000").after_move(4000)
    assert info.left_ms == 6000
    assert info.for_new_game().left_ms == 10000
    info = info.updated("time_left 5000")
    assert info.left_ms == 5000
    assert info.after_move(1000).for_new_game().left_ms == 4000


def test_command_is_a_word_and_the_rest() -> None:
    assert parse_command("Info  Timeout_Turn\t1000 ") == GomocupCommand("INFO", "Timeout_Turn 1000")
    assert parse_command("  ") == GomocupCommand("")
