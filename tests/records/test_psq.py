"""Tests of Piskvork files: moves, names, rules and ends are read, the rest is counted or refused."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.records.psq import MAX_BYTES, load_psq, parse_psq
from tests.games.records import read_or_refused, reason_of

HEAD = "Piskvorky 15x15, 11:11, 0\n"
FIVE = "8,8,0\n1,1,0\n9,8,0\n3,1,0\n10,8,0\n5,1,0\n11,8,0\n7,1,0\n"
SIX = "1,8,0\n1,1,0\n2,8,0\n3,1,0\n3,8,0\n5,1,0\n5,8,0\n7,1,0\n6,8,0\n9,1,0\n4,8,0\n"
FOUL = "8,7\n1,1\n6,8\n3,1\n7,8\n5,1\n8,10\n7,1\n8,8\n"


def test_tournament_game_is_read() -> None:
    written = parse_psq(HEAD + "8,8,15\n9,8,0\n\nAda.zip\r\nWei.zip\n-1\n2,Freestyle15_1\n")
    assert (written.game, written.moves) == ("15x15:5", ("113", "114"))
    assert written.players == {"X": "Ada.zip", "O": "Wei.zip"}
    assert (written.winner, written.termination, written.left_out) == (None, None, {})
    assert written.headers == {"times": "15 0", "about": "2,Freestyle15_1", "rules": "Freestyle15_1"}


@pytest.mark.parametrize(
    ("text", "game", "winner", "termination", "left_out"),
    [
        ("-1\n", "15x15:5", None, None, {}),
        (FIVE + "12,8,0\na\nb\n0\n0,Standard\n", "15x15:5,exact", "X", "line", {}),
        (SIX + "-1\n0,Freestyle1\n", "15x15:5", "X", "line", {}),
        (SIX + "-1\n0,Standard1\n", "15x15:5,exact", None, None, {}),
        (FOUL + "0\n0,Renju\n", "15x15:5,renju", "O", "forfeit", {"forbidden": 1}),
        ("8,8,0\n15\n", "15x15:5", "X", "time", {}),
        ("8,8,0\n0\n", "15x15:5", None, None, {"result": 1}),
        ("8,8,0\n7\n1,Swap2\nmore\n", "15x15:5", None, None, {"result": 1, "rules": 1, "lines": 1}),
        ("8,8,0\x07\n", "15x15:5", None, None, {"letters": 1}),
        ("8,8,0\n" + "a" * 401 + "\nb\n", "15x15:5", None, None, {"letters": 1}),
    ],
)
def test_psq_rules_and_end(
    text: str, game: str, winner: str | None, termination: str | None, left_out: dict[str, int]
) -> None:
    written = parse_psq(HEAD + text)
    assert (written.game, written.winner, written.termination) == (game, winner, termination)
    assert written.left_out == left_out


def test_psq_second_player_may_begin() -> None:
    assert parse_psq("Piskvorky 20x15, 0:0, 1\n1,15,0\nAda\nWei\n-1\n").players == {"X": "Wei", "O": "Ada"}
    assert parse_psq("Piskvorky 20x15 , 0 - 0\n1,15\n").moves == ("281",)


@pytest.mark.parametrize("names", [("Wei, Li", "1, Bob"), ("12", "7"), ("-1", "0,Renju")])
@pytest.mark.parametrize("about", ["", "0,Standard1\n"])
def test_psq_names_may_look_like_numbers(names: tuple[str, str], about: str) -> None:
    written = parse_psq(f"{HEAD}8,8,0\n9,8,0\n{names[0]}\n{names[1]}\n-1\n{about}")
    assert (tuple(written.players.values()), len(written.moves)) == (names, 2)
    assert (written.termination, written.left_out) == (None, {})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (HEAD + "8,8,0\n9,8\n10,8,0\n7,7\n6,6,0\n-1\n", "psq-moves"),
        (HEAD + "8,8,1\nnoise\n9,9,2\nA\nB\n0\n", "psq-moves"),
        (HEAD + "8,8,abc\n", "psq-moves"),
        (HEAD + "8,8,0\n9;9;0\nB\n0\n", "psq-moves"),
        (HEAD + "8,8,0\nA\nB\n-1\n9,9,0\n", "psq-moves"),
        (HEAD + "8,8,0\n-1\n15\n", "psq-moves"),
        (HEAD + "8,8,0\n1,2,3\nBob\n-1\n", "psq-names"),
        (HEAD + "8,8,0\nA\nB\nC\n", "psq-names"),
        ("", "not-psq"),
        ("8,8,0\n", "not-psq"),
        ("Piskvorky 0x0\n", "cannot-begin"),
        (HEAD + "16,1,0\n", "cannot-be-played"),
        (HEAD + "0,1,0\n", "cannot-be-played"),
        (HEAD + "8,8,0\n8,8,0\n", "cannot-be-played"),
        (HEAD + "-1\n0,Caro15\n", "other-rules"),
        (HEAD + FOUL + "9,9\n-1\n0,Renju\n", "cannot-be-played"),
        (HEAD + SIX + "0\n0,Swap2\n", "other-rules"),
    ],
)
def test_bad_psq_file_is_refused(text: str, reason: str) -> None:
    assert reason_of(parse_psq, text) == reason


def test_long_psq_file_is_refused() -> None:
    assert reason_of(load_psq, io.BytesIO(b" " * (MAX_BYTES + 1))) == "too-long"
    assert load_psq(io.BytesIO(b"\xef\xbb\xbf" + HEAD.encode())).moves == ()


pieces = st.sampled_from(["8,8,0\n", "9,9\n", "-1\n", "15\n", "0,Renju\n", "Ada\n", "\n", ",", "x", "9" * 30])


@pytest.mark.slow
@given(st.lists(pieces | st.text(max_size=2), max_size=9))
def test_any_psq_text_is_handled(parts: list[str]) -> None:
    read_or_refused(parse_psq, HEAD + "".join(parts))
