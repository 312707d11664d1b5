"""Tests of SGF: exact round trips, files of other programs, and refusals."""

import string
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.errors import NotationError, UnsupportedRules
from noughts.games.base import PASS, Game
from noughts.games.kinarow import KInARow
from noughts.games.notation import format_position, parse_move
from noughts.games.reversi import Reversi
from noughts.games.rules import Rules
from noughts.records.checks import MAX_COMMENT, MAX_NAME_TEXT
from noughts.records.record import Record
from noughts.records.sgf import format_sgf, parse_sgf
from noughts.records.sgf_syntax import MAX_DEPTH, MAX_TEXT, escape, split_pair, unescape
from noughts.records.sgf_terms import LETTERS
from tests.games.records import read_or_refused, reason_of, records, started_games, texts
from tests.strategies import games, play_at_random, rules

NAMES = {"X": "Ada", "O": "Wei"}


def record(**facts: Any) -> Record:
    return Record(**{"game": "tictactoe", "players": NAMES, **facts})


def is_flat_for_two(facts: Rules) -> bool:
    return len(facts.shape) == 2 and facts.players == 2


@st.composite
def flat_games(draw: st.DrawFn) -> Game:
    """Return a flat game of two sides, possibly from another position."""
    game = KInARow(draw(rules(25, 2).filter(is_flat_for_two)))
    play_at_random(game, draw(st.integers(0, 12)), draw(st.integers(0, 100)))
    if draw(st.booleans()):
        game = game.at(game.cells, game.turn, game.extra or None)
        play_at_random(game, draw(st.integers(0, 12)), draw(st.integers(0, 100)))
    return game


# Round trips


@pytest.mark.slow
@given(records(flat_games()))
def test_sgf_round_trip_is_exact(written: Record) -> None:
    text = format_sgf(written)
    assert parse_sgf(text) == written
    assert parse_sgf("\ufeff some words\r\n" + text.replace("\n;", "\r\n ;") + "(;GM[1])") == written


@pytest.mark.slow
@settings(max_examples=60)
@given(records(games(max_cells=40) | started_games()))
def test_sgf_is_written_or_refused(written: Record) -> None:
    game = written.replay()
    if len(game.shape) == 2 and len(game.sides) == 2:
        assert parse_sgf(format_sgf(written)) == written
    else:
        with pytest.raises(UnsupportedRules):
            format_sgf(written)


def test_sgf_file_matches_golden_text() -> None:
    written = record(
        players={"X": "A]d\\a", "O": "W:ei"},
        moves=["5", "1", "9"],
        winner="O",
        termination="resignation",
        clocks=[60_000, 2_500, None],
        evaluations=[0.5, -2, "un[clear]"],
        comments=["middle\nof it", None, "[]\\"],
        headers={"event": "Cup", "date": "2024-05-06", "comment": "A game", "mood": "so:so"},
    )
    assert format_sgf(written) == (
        "(;FF[4]GM[4]CA[UTF-8]AP[noughts]SZ[3]NSPEC[tictactoe]NMARKS[XO]PB[A\\]d\\\\a]PW[W\\:ei]"
        "RE[W+R]NRESULT[O:resignation]C[A game]DT[2024-05-06]EV[Cup]NHEADER[mood:so\\:so]\n"
        ";B[bb]BL[60]V[0.5]C[middle\nof it]\n"
        ";W[aa]WL[2.5]V[-2]\n"
        ";B[cc]NVALUE[un[clear\\]]C[[\\]\\\\])\n"
    )


def test_sgf_numbers_round_trip() -> None:
    numbers = [1, 1.0, -0.0, 5e-324, 1e-7, 1e12, -1e12, 0.1, 10**12]
    moves = [str(number) for number in range(1, 10)]
    written = record(game="3x3:3,notakto,exact", moves=moves[:2], evaluations=[5e-324, -0.0])
    assert repr(parse_sgf(format_sgf(written)).evaluations) == "(5e-324, -0.0)"
    many = record(game="15x15:5", moves=moves, evaluations=numbers)
    assert repr(parse_sgf(format_sgf(many)).evaluations) == repr(tuple(numbers))
    times = record(game="15x15:5", moves=moves, clocks=[0, 1, 10, 100, 999, 1000, 1001, 10**12, None])
    assert parse_sgf(format_sgf(times)).clocks == times.clocks


def test_sgf_draw_has_result_0() -> None:
    drawn = record(moves=["6", "3", "5", "9", "1", "2", "8", "4", "7"], termination="full")
    assert "RE[0]" in format_sgf(drawn)
    assert parse_sgf(format_sgf(drawn)) == drawn


def test_sgf_headers_of_several_lines() -> None:
    headers = {"event": "two\nlines", "place": "\u2028", "comment": "", "title": "", "a:b": ":]\\"}
    written = record(headers=headers)
    text = format_sgf(written)
    assert "NHEADER[event:two\nlines]" in text
    assert "GN[]" in text
    assert parse_sgf(text) == written


def test_sgf_start_position_is_also_set_up() -> None:
    written = record(start="X.O/.../... X", moves=["5"])
    text = format_sgf(written)
    assert "NSTART[X.O/.../... X]PL[B]AB[aa]AW[ca]" in text
    others = text.replace("NSTART[X.O/.../... X]", "").replace("NSPEC[tictactoe]", "")
    assert parse_sgf(others).start == "X.O/.../... X"
    assert parse_sgf(others).moves == ("5",)


@pytest.mark.parametrize(
    ("game", "marks", "reason"),
    [
        ("ultimate", "XO", "not-k-in-a-row"),
        ("fifteen", "X", "not-k-in-a-row"),
        ("qubic", "XO", "not-flat"),
        ("9:3", "XO", "not-flat"),
        ("53x3:3", "XO", "too-large"),
        ("three", "XOZ", "not-two-sides"),
    ],
)
def test_record_beyond_sgf_is_refused(game: str, marks: str, reason: str) -> None:
    with pytest.raises(UnsupportedRules) as caught:
        format_sgf(record(game=game, players=dict.fromkeys(marks, "")))
    assert caught.value.reason == reason


def test_sgf_largest_board_round_trips() -> None:
    written = record(game="52x52:5", moves=["1", "2704", "a1", "b2"])
    text = format_sgf(written)
    assert "SZ[52]" in text
    assert ";B[aa]\n;W[ZZ]\n;B[aZ]\n;W[bY]" in text
    assert parse_sgf(text) == written
    assert "SZ[7:6]" in format_sgf(record(game="connect4"))


@pytest.mark.slow
def test_long_sgf_file_is_refused() -> None:
    moves = ["5", "1", "9"]
    headers = {str(number): "a" * MAX_COMMENT for number in range(9)}
    assert reason_of(format_sgf, record(moves=moves, headers=headers)) == "too-long"


# Files of other programs


def test_sgf_of_another_program_is_read() -> None:
    text = """
    Some mail before it.
    (;FF[4]GM[4]SZ[15]
     PB[Ada \\
King]PW[Wei\tLi]EV[Cup
of 2020]RE[B+Resign]KM[6.5]US[x]XY[1][2] [3]
     C[Two lines
here]
    ;B[hh]BL[59.5]MN[1]C[one\\
word\tand\vtab\x07]V[1]
    ;W[gg]WL[60]BL[5]
    ;C[thinking]
    ;
    ;C[more]
    ;B[ih]LB[ih:1]
      (;W[jj];B[hi]
         (;W[aa])
         (;W[bb](;B[cc])(;B[dd])))
      (;W[kk])
    )
    (;GM[4]SZ[3];B[aa])
    """
    written = parse_sgf(text)
    assert written.game == "15x15:5"
    assert written.players == {"X": "Ada King", "O": "Wei Li"}
    assert written.moves == tuple(
        str(LETTERS.index(row) * 15 + LETTERS.index(column) + 1)
        for column, row in ("hh", "gg", "ih", "jj", "hi", "aa")
    )
    assert (written.winner, written.termination) == ("X", "resignation")
    assert written.headers == {
        "event": "Cup of 2020",
        "user": "x",
        "comment": "Two lines\nhere",
    }
    counts = {"variations": 4, "games": 1, "letters": 1, "text": 1, "KM": 1, "XY": 1, "BL": 1, "LB": 1}
    assert written.left_out == counts
    assert parse_sgf(format_sgf(written)).left_out == {}
    assert written.comments == ("oneword and tab", "thinking\nmore", None, None, None, None)
    assert written.clocks == (59_500, 60_000, None, None, None, None)
    assert written.evaluations == (1, None, None, None, None, None)


@pytest.mark.parametrize(
    ("text", "game", "moves"),
    [
        ("(;)", "15x15:5", ()),
        ("(;;;)", "15x15:5", ()),
        ("(;SZ[3])", "3x3:3", ()),
        ("(;SZ[7:6])", "7x6:5", ()),
        ("(;SZ[52])", "52x52:5", ()),
        ("(;SiZe[9];Black[aa])", "9x9:5", ("1",)),
        ("(;SZ[3]B[aa]C[at once];W[bb])", "3x3:3", ("1", "5")),
        ("(;SZ[3];W[bb];B[aa])", "3x3:3", ("5", "1")),
        ("( ; SZ [3] ; B [ bb ] ; W\n[aa] )", "3x3:3", ("5", "1")),
        ("(;NSPEC[connect4];B[df];W[de];B[ef])", "connect4", ("4", "4", "5")),
        ("(;NSPEC[wild];B[aa]NMARK[O];W[bb]NMARK[O])", "wild", ("O1", "O5")),
    ],
)
def test_sgf_of_other_games_is_refused(text: str, game: str, moves: tuple[str, ...]) -> None:
    written = parse_sgf(text)
    assert (written.game, written.moves) == (game, moves)
    assert parse_sgf(format_sgf(written)) == written


def test_sgf_first_colour_has_first_mark() -> None:
    written = parse_sgf("(;SZ[3]PB[Ada]PW[Wei]RE[B+T];W[bb]WL[3])")
    assert written.players == {"X": "Wei", "O": "Ada"}
    assert (written.winner, written.termination, written.clocks) == ("O", "time", (3000,))
    assert parse_sgf("(;SZ[3]AB[aa];W[bb])").start == "X../.../... O"


def test_sgf_root_comment_may_belong_to_move() -> None:
    written = parse_sgf("(;SZ[3]B[aa]C[at once])")
    assert (written.comments, written.headers) == (("at once",), {})


def test_sgf_set_up_positions() -> None:
    start = parse_sgf("(;SZ[4]AB[aa:ba][ dd ]AW[ab:bb]PL[White];AE[bb]AW[cc])").start
    assert start == "XX../O.../..O./...X O"
    assert parse_sgf("(;SZ[4]AB[aa];AE[aa])").start is None
    assert parse_sgf("(;SZ[3]AB[aa]AW[bb]PL[B]).").start == "X../.O./... X"
    assert parse_sgf("(;SZ[3]AB[aa]AW[bb]PL[1])").start == "X../.O./... X"


@pytest.mark.parametrize(
    ("result", "winner", "termination"),
    [
        ("B+", "X", "unknown"),
        ("B+0.5", "X", "unknown"),
        ("W+R", "O", "resignation"),
        ("w+resign", "O", "resignation"),
        ("B+Time", "X", "time"),
        ("W+F", "O", "forfeit"),
        ("0", None, "agreement"),
        ("Draw", None, "agreement"),
        ("Void", None, None),
        ("?", None, None),
        ("", None, None),
        ("B", "X", "unknown"),
        ("White", "O", "unknown"),
        ("Black wins by resignation", "X", "resignation"),
        ("White resigns", "X", "resignation"),
        ("1-0", "X", "unknown"),
        ("½-½", None, "agreement"),
        ("Jigo", None, "agreement"),
        ("和棋", None, "agreement"),
        ("黑胜", "X", "unknown"),
        ("白中盤勝", "O", "resignation"),
        ("Победа белых", "O", "unknown"),
    ],
)
def test_sgf_result_spellings_are_understood(
    result: str, winner: str | None, termination: str | None
) -> None:
    written = parse_sgf(f"(;SZ[3]RE[{result}];B[aa])")
    assert (written.winner, written.termination) == (winner, termination)


@pytest.mark.parametrize(
    ("result", "winner", "termination"),
    [
        ("Black lost on time.", "O", "time"),
        ("white loses", "X", "unknown"),
        ("黑方超时负", "O", "time"),
        (" 白 胜 ", "O", "unknown"),
        ("белые проиграли", "X", "unknown"),
        ("0 - 1", "O", "unknown"),
        ("White wins by resignation!", "O", "resignation"),
    ],
)
def test_sgf_results_in_other_words(result: str, winner: str, termination: str) -> None:
    written = parse_sgf(f"(;SZ[3]RE[{result}];B[aa])")
    assert (written.winner, written.termination) == (winner, termination)
    assert (written.headers["result"], written.left_out) == (result, {})
    assert parse_sgf(format_sgf(written)) == written


@pytest.mark.parametrize("result", ["B+R W+R", "W+b resigns", "B+W", "White lost, black won"])
def test_sgf_result_of_both_names_no_winner(result: str) -> None:
    written = parse_sgf(f"(;SZ[3]RE[{result}];B[aa])")
    assert (written.winner, written.left_out, written.headers) == (None, {"result": 1}, {"result": result})


def test_sgf_overline_wins_by_known_rules_only() -> None:
    """Under unknown rules, only a result can decide whether six in a row win."""
    moves = ";B[aa];W[ac];B[ba];W[bc];B[ca];W[dc];B[ea];W[fc];B[fa];W[hc];B[da]"
    assert reason_of(parse_sgf, f"(;RU[Swap2]{moves})") == "other-rules"
    assert parse_sgf(f"(;RU[Swap2]RE[B+]{moves})").winner == "X"
    assert parse_sgf(f"(;RU[]{moves})").winner == "X"
    assert parse_sgf(f"(;RU[Swap2]{moves.replace('fa', 'oo')})").winner == "X"


def test_sgf_rectangle_corners_have_any_order() -> None:
    starts = {
        parse_sgf(f"(;SZ[9]AB[{corners}]AW[hh:ii];B[ee])").start for corners in ("aa:bc", "bc:aa", "ba:ac")
    }
    assert starts == {
        "XX......./XX......./XX......./........./........./........./........./.......OO/.......OO X uneven"
    }


def test_sgf_information_is_read_from_later_nodes() -> None:
    written = parse_sgf("(;GM[4]PB[Ada];SZ[9]RU[renju]PB[Bo]PW[Wei];B[ee];W[aa]RE[W+R])")
    assert (written.game, written.players) == ("9x9:5,renju", {"X": "Ada", "O": "Wei"})
    assert (written.winner, written.termination, written.left_out) == ("O", "resignation", {"PB": 1})


def test_sgf_without_game_may_be_go() -> None:
    assert reason_of(parse_sgf, "(;FF[4]SZ[19]KM[6.5];B[pd])") == "other-game-go"
    assert parse_sgf("(;SZ[19]KM[0]RU[gomoku];B[pd])").left_out == {"KM": 1}


def test_sgf_unknown_result_is_stored_and_counted() -> None:
    written = parse_sgf("(;SZ[3]RE[Ada won];B[aa])")
    assert (written.winner, written.headers, written.left_out) == (None, {"result": "Ada won"}, {"result": 1})
    assert parse_sgf(format_sgf(written)) == written


WON = ";B[aa];W[ab];B[ba];W[bb];B[ca]"


@pytest.mark.parametrize("result", ["", "RE[B+]", "RE[B+R]", "RE[?]", "NRESULT[X:line]"])
def test_sgf_rules_decide_the_winner(result: str) -> None:
    written = parse_sgf(f"(;SZ[3]{result}{WON})")
    assert (written.winner, written.termination) == ("X", "line")


@pytest.mark.parametrize(
    ("node", "clock", "evaluation", "left_out"),
    [
        ("BL[1.0005]V[1.]", 1000, 1.0, 0),
        ("BL[ 7 ]V[ +2 ]", 7000, 2, 0),
        ("BL[-5]V[1e5]", None, None, 2),
        ("BL[5 min]V[good]", None, None, 2),
        ("BL[]V[]", None, None, 2),
        ("BL[999999999999999]V[999999999999999]", None, None, 2),
    ],
)
def test_sgf_numbers_of_other_programs(
    node: str, clock: int | None, evaluation: float | None, left_out: int
) -> None:
    written = parse_sgf(f"(;SZ[3];B[aa]{node})")
    assert written.left_out == ({"numbers": left_out} if left_out else {})
    assert (written.clocks or (None,)) == (clock,)
    assert (written.evaluations or (None,)) == (evaluation,)


@pytest.mark.parametrize(
    ("more", "games"),
    [(" \n", 0), ("(;B[aa])(;C[(;B\\])])", 2), ("(;B[aa", 1), ("(;B[aa]) (;(;)(;)", 2)],
)
def test_sgf_later_games_are_counted(more: str, games: int) -> None:
    written = parse_sgf(f"(;SZ[3];B[aa]){more}")
    assert (written.moves, written.left_out) == (("1",), {"games": games} if games else {})


def test_sgf_long_names_are_cut() -> None:
    written = parse_sgf(f"(;PB[{'a' * 1000}]PW[\x1b[31mEve\ud800\u2028])")
    assert written.players == {"X": "a" * MAX_NAME_TEXT, "O": "[31mEve "}


@pytest.mark.slow
@pytest.mark.parametrize("style", ["point", "standard", "without-passes"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=settings().max_examples // 3)
def test_sgf_othello_of_other_programs(style: str, seed: int) -> None:
    game = Reversi()
    play_at_random(game, 70, seed)
    nodes = []
    for number, move in enumerate(game.moves):
        row, column = (0, 0) if move == PASS else move
        point = LETTERS[column] + (LETTERS[row] if style == "point" else str(row + 1))
        if move == PASS:
            point = "@@@@" if style == "standard" else ""
        if move != PASS or style != "without-passes":
            nodes.append(f";{'BW'[number % 2]}[{point}]C[{number}]")
    written = parse_sgf("(;GM[2]RU[Othello]AB[e4][d5]AW[d4][e5]PL[B]" + "".join(nodes) + ";B[];W[tt])")
    played = written.replay()
    assert (played.moves, written.winner, written.start) == (game.moves, game.winner, None)
    assert written.left_out == {"passes": 2}
    assert all(comment in (None, str(number)) for number, comment in enumerate(written.comments))


@pytest.mark.slow
@settings(max_examples=settings().max_examples // 3)  # each example is a whole game
@given(seed=st.integers(0, 10**6), start=st.sampled_from([None, "first", "later"]))
def test_sgf_othello_round_trip(seed: int, start: str | None) -> None:
    game = Reversi()
    play_at_random(game, 70 if start is None else 9, seed)
    plies = len(game.moves)
    written = Record.of(game, NAMES, clocks=[*range(plies)], comments=[f"[{ply}]" for ply in range(plies)])
    if start is not None:
        first = format_position(Reversi() if start == "first" else game)
        written = Record(game="reversi", players=NAMES, start=first, winner="O", termination="resignation")
    text = format_sgf(written)
    assert parse_sgf(text) == written
    assert parse_sgf(text.replace("NSPEC[reversi]", "").replace("NMARKS[XO]", "")) == written


def test_sgf_othello_has_standard_notation() -> None:
    text = format_sgf(record(game="reversi", moves=["f5"], comments=["x"]))
    assert text.startswith("(;FF[4]GM[2]")
    assert "AB[e4][d5]AW[d4][e5]\n;B[f5]C[x])" in text
    start = "XO....../" + "......../" * 6 + "........ O"
    passed = record(game="reversi", start=start, moves=["pass", "c1"], winner="X", termination="count")
    assert ";W[]\n;B[c1])" in format_sgf(passed)
    assert parse_sgf(format_sgf(passed)) == passed


def test_sgf_othello_from_another_position() -> None:
    written = parse_sgf("(;GM[2]AB[a1:b1]AW[c1]V[1]RU[Ataxx];B[d1]V[2];W[])")
    assert (written.moves, written.winner, written.evaluations) == (("4",), "X", (2,))
    assert written.left_out == {"V": 1, "rules": 1, "passes": 1}
    assert (
        parse_sgf("(;GM[2];W[e3])").start
        == f"{'/'.join(['........'] * 3)}/...OX.../...XO.../" + "/".join(["........"] * 3) + " O"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "wrong-type"),
        (b"(;)", "wrong-type"),
        ("", "not-sgf"),
        ("()", "not-sgf"),
        ("(see [1])", "not-sgf"),
        ("(;", "unreadable"),
        ("(;B[aa]", "unreadable"),
        ("(;B[aa)", "unreadable"),
        ("(;B[aa\\])", "unreadable"),
        ("(;B)", "unreadable"),
        ("(;[aa])", "unreadable"),
        ("(;B[aa](;W[bb])", "unreadable"),
        ("(;GM[1])", "other-game-go"),
        ("(;GM[Othello]BO[8 *]B[d3//0.01])", "other-game-othello"),
        ("(;GM[2]SZ[19])", "othello-size"),
        ("(;GM[2];B[dd])", "cannot-be-played"),
        ("(;GM[2];B[f5];W[])", "cannot-be-played"),
        ("(;GM[2];B[f5];B[d6])", "wrong-side"),
        ("(;GM[2]AB[aa]AW[ba])", "cannot-begin"),
        ("(;GM[2]AB[aa]AW[ba]RE[W+1];B[ca])", "result-wrong"),
        ("(;GM[12])", "other-game"),
        ("(;RU[Caro])", "other-rules"),
        ("(;GM[])", "other-game"),
        ("(;NSPEC[qubic])", "other-game"),
        ("(;NSPEC[ultimate])", "other-game"),
        ("(;NSPEC[reversi])", "other-game"),
        ("(;GM[2]NSPEC[tictactoe])", "other-game"),
        ("(;NSPEC[nonsense])", "cannot-begin"),
        ("(;NSPEC[])", "cannot-begin"),
        ("(;NMARKS[X])", "players"),
        ("(;NMARKS[XX])", "cannot-begin"),
        ("(;SZ[])", "size"),
        ("(;SZ[3-3])", "size"),
        ("(;SZ[0])", "cannot-begin"),
        ("(;SZ[53])", "sgf-size"),
        ("(;SZ[9999])", "cannot-begin"),
        ("(;SZ[3]NSTART[XXX/.../...])", "cannot-begin"),
        ("(;SZ[3]AB[aa][bb][cc]PL[B])", "cannot-begin"),
        ("(;SZ[3]NSTART[X../.../...]AB[bb])", "cannot-begin"),
        ("(;SZ[3]AB[zz])", "cannot-begin"),
        ("(;SZ[3]RU[renju])", "cannot-begin"),
        ("(;SZ[3]AB[aa:])", None),
        ("(;SZ[3]AB[:aa])", "cannot-begin"),
        ("(;SZ[52]AB" + "[aa:ZZ]" * 50_000 + ")", "cannot-begin"),
        ("(;SZ[3];B[];W[aa])", "pass"),
        ("(;SZ[3];B[aa];W[tt];B[bb])", "pass"),
        ("(;SZ[3];B[aa];PL[B])", "set-up-later"),
        ("(;SZ[3]PL[B];W[aa])", "wrong-side"),
        ("(;SZ[3]RE[W+]NRESULT[X:unknown];B[aa])", "result-wrong"),
        ("(;SZ[15]NSPEC[gomoku]NMARKS[XO]NOPENING[swap2 99:put];B[aa])", "opening"),
        ("(;B[aa](;W[bb])C[cc])", "unreadable"),
        ("(;SZ[3];B[a])", "cannot-be-played"),
        ("(;SZ[3];B[ad])", "cannot-be-played"),
        ("(;SZ[3];B[da])", "cannot-be-played"),
        ("(;SZ[3];B[a1])", "cannot-be-played"),
        ("(;SZ[3];B[aa];W[aa])", "cannot-be-played"),
        ("(;SZ[3];B[aa]NMARK[X])", "cannot-be-played"),
        ("(;NSPEC[wild];B[aa])", "cannot-be-played"),
        ("(;NSPEC[wild];B[aa]NMARK[Q])", "cannot-be-played"),
        ("(;NSPEC[connect4];B[aa])", "cannot-be-played"),
        (f"(;SZ[3]{WON};W[cc])", "cannot-be-played"),
        ("(;SZ[3];B[aa];B[bb])", "wrong-side"),
        ("(;SZ[3]NSPEC[tictactoe];W[aa])", "wrong-side"),
        ("(;SZ[3];B[aa]W[bb])", "two-moves"),
        ("(;SZ[3];B[aa];AW[bb])", "set-up-later"),
        ("(;SZ[3];B[aa];W[bb]AE[aa])", "set-up-later"),
        (f"(;SZ[3]RE[W+]{WON})", "result-wrong"),
        (f"(;SZ[3]RE[0]{WON})", "result-wrong"),
        ("(;SZ[3]NRESULT[X:line];B[aa])", "result-wrong"),
        ("(;SZ[3]NRESULT[X])", "unreadable"),
        ("(;SZ[3]NRESULT[X:Not a word])", "termination"),
        ("(;SZ[3]NHEADER[event])", "unreadable"),
        (f"(;C[{'a' * (MAX_COMMENT + 1)}])", "too-long"),
        ("(;" * (MAX_DEPTH + 1) + ")" * (MAX_DEPTH + 1), "too-deep"),
        ("(;" + "(" * MAX_DEPTH + ")" * (MAX_DEPTH + 1), "too-deep"),
        ("(;" * 1_000_000, "too-deep"),
        (" " * (MAX_TEXT + 1), "too-long"),
    ],
)
def test_bad_sgf_file_is_refused(text: Any, reason: str | None) -> None:
    if reason is None:
        parse_sgf(text)
    else:
        assert reason_of(parse_sgf, text) == reason


@pytest.mark.parametrize(
    ("text", "moves", "left_out"),
    [
        ("(\nGM[4]SZ[3]\n;B[aa];W[bb](;B[cc])(;B[ca]))", ("1", "5", "9"), {"variations": 1}),
        ("(note [1]) (;SZ[3];B[aa])", ("1",), {"text": 1}),
        ("(;SZ[3](B[aa](W[bb])))", ("1", "5"), {}),
        ("(;gm[4]sz[3];b[aa];w[bb]foo[x])", ("1", "5"), {"Foo": 1}),
        ("(;SZ[3];B[aa][bb];W[cc]C[a][b])", ("1", "9"), {"values": 2}),
        ("(;SZ[3]ST[2];B[aa]XB[cc];N[x]BL[3])", ("1",), {"ST": 1, "XB": 1, "N": 1, "BL": 1}),
        ("(;SZ[3];B[aa];W[];B[tt])", ("1",), {"passes": 2}),
        ("(;SZ[3];B[aa]MN[7];PL[W]C[x];W[bb]PL[?])", ("1", "5"), {"MN": 1, "PL": 1}),
        ("(;GM[1]RU[gomoku];B[aa])", ("1",), {"GM": 1}),
        ("(;RU[Swap2];B[aa])", ("1",), {"rules": 1}),
        ("(;SZ[3]HA[0]KM[0]PL[?];B[aa])", ("1",), {"KM": 1, "PL": 1}),
        ("(;SZ[3]PB[" + "a" * (MAX_NAME_TEXT + 2) + "];B[aa])", ("1",), {"letters": 2}),
        ("(;SZ[20];B[tt])", ("400",), {}),
    ],
)
def test_sgf_unknown_parts_are_counted(text: str, moves: tuple[str, ...], left_out: dict[str, int]) -> None:
    written = parse_sgf(text)
    assert (written.moves, written.left_out) == (moves, left_out)


@pytest.mark.parametrize(
    ("text", "start", "players"),
    [
        ("AB[aa]AW[bb]PL[W]", "O../.X./... X", "WB"),
        ("AB[aa]AW[bb]PL[W];W[cc]", "O../.X./... X", "WB"),
        (";AB[aa]AW[bb][cc];B[ab]", "O../.X./..X O", "WB"),
        ("AB[aa:ba]HA[2];W[bb]", "XX./.../... O uneven", "BW"),
        ("AB[aa];AW[bb];PL[W]", "O../.X./... X", "WB"),
        ("AB[aa]AW[bb]AW[ab]", "O../XX./... O", "WB"),
        ("AB[aa]PL[B]", "X../.../... X uneven", "BW"),
    ],
)
def test_sgf_set_up_keeps_colours(text: str, start: str, players: str) -> None:
    written = parse_sgf(f"(;SZ[3]PB[B]PW[W]{text})")
    assert (written.start, "".join(written.players.values()), written.left_out) == (start, players, {})
    assert parse_sgf(format_sgf(written)) == written


RENJU_START = ".............../" * 14 + "............... O uneven"


@pytest.mark.parametrize(
    ("text", "game", "start"),
    [
        ("RU[Renju];B[hh]", "15x15:5,renju", None),
        ("RU[RIF rules];W[hh]", "15x15:5,renju", RENJU_START),
        ("RU[Gomoku-Standard];B[hh]", "15x15:5,exact", None),
        ("RU[freestyle]SZ[19:19];B[hh]", "19x19:5", None),
        ("SZ[20x15];B[hh]", "20x15:5", None),
    ],
)
def test_sgf_rules_decide_the_game(text: str, game: str, start: str | None) -> None:
    written = parse_sgf(f"(;GM[4]{text})")
    assert (written.game, written.start, written.left_out) == (game, start, {})
    assert parse_sgf(format_sgf(written)) == written


def test_sgf_rules_and_result_keep_their_words() -> None:
    text = format_sgf(
        parse_sgf("(;RU[Renju (Soosyrv-8)]RE[黑胜]TM[5 min]OT[3x60]GC[a\nb]AP[Lizzie:1];B[hh])")
    )
    assert "RU[Renju (Soosyrv-8)]" in text
    assert "RE[黑胜]NRESULT[X:unknown]" in text
    assert "OT[3x60]" in text
    assert "GC[a\nb]" in text
    assert parse_sgf(text).headers == {
        "application": "Lizzie:1",
        "game-comment": "a\nb",
        "overtime": "3x60",
        "result": "黑胜",
        "rules": "Renju (Soosyrv-8)",
        "time": "5 min",
    }


def test_sgf_contradicting_words_become_headers() -> None:
    rules = {"rules": "Caro"}
    assert parse_sgf(format_sgf(record(game="15x15:5", headers=rules))).headers == rules
    headers = {"result": "White wins", "rules": "Renju"}
    text = format_sgf(record(game="15x15:5", winner="X", termination="time", headers=headers))
    assert "RE[B+T]" in text
    for same in ({"rules": "Freestyle"}, {"result": "B+T"}, {"result": "\xa0"}):
        written = record(game="15x15:5", winner="X", termination="time", headers=same)
        assert parse_sgf(format_sgf(written)) == written
    assert "RU[Freestyle]" in text
    assert parse_sgf(text).headers == headers
    assert parse_sgf("(;NSPEC[gomoku]RU[Renju];B[hh])").left_out == {"rules": 1}


def test_sgf_values_belong_to_first_side() -> None:
    written = parse_sgf("(;SZ[3]BR[1k]WR[9d]BT[a];W[aa]V[2];B[bb]V[-0.5];W[cc]V[0])")
    assert parse_sgf("(;SZ[3];B[aa]NVALUE[even])").evaluations == ("even",)
    assert written.evaluations == (-2, 0.5, 0)
    assert written.headers == {"first-rank": "9d", "second-rank": "1k", "second-team": "a"}
    assert parse_sgf(format_sgf(written)) == written


def test_sgf_forbidden_last_move_loses() -> None:
    points = ["hg", "aa", "fh", "ca", "gh", "ea", "hj", "ga", "hh"]
    moves = "".join(f";{'BW'[number % 2]}[{point}]" for number, point in enumerate(points))
    written = parse_sgf(f"(;RU[Renju]RE[W+]{moves}C[foul])")
    assert (len(written.moves), written.winner, written.termination) == (8, "O", "forfeit")
    assert (written.left_out, written.comments[-1]) == ({"forbidden": 1}, "foul")
    assert reason_of(parse_sgf, f"(;RU[Renju]RE[B+]{moves})") == "result-wrong"
    diagram = "(;RU[Renju]AB[bh][ch][dh][fh][gh][hh]PL[B]C[a];B[eh]C[b])"
    written = parse_sgf(diagram)
    assert (written.moves, written.winner, written.headers["comment"]) == ((), "O", "a\nb")


def test_sgf_bad_move_error_has_its_number() -> None:
    with pytest.raises(NotationError) as caught:
        parse_sgf("(;SZ[3];B[aa];W[aa])")
    assert caught.value.data["number"] == 2


@pytest.mark.slow
def test_sgf_nesting_is_limited() -> None:
    text = "(;SZ[52]" + "".join(f"(;{'BW'[n % 2]}[{LETTERS[n % 52]}{LETTERS[n // 52]}]" for n in range(99))
    assert reason_of(parse_sgf, text + ")" * 99) == "unreadable"
    assert len(parse_sgf(text + ")" * 100).moves) == 99
    comments = "(;SZ[3];B[aa]" + ";C[a]" * 20_000 + ")"
    assert parse_sgf(comments).comments == ("\n".join("a" * 20_000),)


# Arbitrary text


@given(texts)
def test_sgf_escapes_are_read_back(text: str) -> None:
    assert unescape(escape(text)) == text
    one, two = split_pair(f"{escape(text)}:{escape(text)}")
    assert (unescape(one), unescape(two)) == (text, text)


pieces = st.sampled_from(
    [
        "(",
        ")",
        ";",
        "[",
        "]",
        ":",
        "\\",
        "\n",
        "aa",
        "bb",
        "B[aa]",
        ";W[bb]",
        "SZ[3]",
        "GM[4]",
        "AB[aa:bb]",
        "C[x\\]]",
        "RE[B+]",
        "NSPEC[wild]",
        "NMARK[X]",
        "NSTART[X../.../...]",
        "V[1]",
        "BL[1]",
        "NRESULT[:x]",
    ]
)


@pytest.mark.slow
@given(st.lists(pieces | st.sampled_from(string.ascii_uppercase) | st.text(max_size=2), max_size=15))
def test_any_sgf_text_is_handled(parts: list[str]) -> None:
    written = read_or_refused(parse_sgf, "(;" + "".join(parts))
    assert written is None or parse_sgf(format_sgf(written)) == written


@pytest.mark.slow
@given(records(flat_games()), st.data())
def test_damaged_sgf_file_is_handled(written: Record, data: st.DataObject) -> None:
    text = format_sgf(written)
    place = data.draw(st.integers(0, len(text)))
    gone = data.draw(st.integers(0, 6))
    again = read_or_refused(parse_sgf, text[:place] + data.draw(st.text(max_size=6)) + text[place + gone :])
    assert again is None or parse_sgf(format_sgf(again)) == again


def test_sgf_point_letters() -> None:
    game = record(game="52x52:5").replay()
    assert parse_move(game, "a52") == (0, 0)
    assert parse_sgf("(;SZ[52];B[Aa])").moves == ("27",)


def test_sgf_point_of_two_colours_is_refused() -> None:
    with pytest.raises(NotationError) as refused:
        parse_sgf("(;GM[4]AB[aa:cc]AW[bb];B[ee])")
    assert (refused.value.text, refused.value.reason) == ("bb", "set-up-twice")
