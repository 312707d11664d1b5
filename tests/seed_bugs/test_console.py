"""Tests of the mistakes of earlier programs, at our console and command line.

Each function has the number of a mistake in its name, and asserts the correct behaviour. Mistakes that only a
library can have are in ``test_library.py``.
"""

import io
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from noughts import TicTacToe
from noughts.arena.series import Begins
from noughts.drawing.board_text import draw_text
from noughts.games.base import Game, Move
from noughts.interfaces.presenting.game_plan import PlayOptions
from noughts.interfaces.presenting.i18n import Phrase
from noughts.players import base
from noughts.players.base import Player
from noughts.search.analysis import Limit
from noughts.text import display_width
from tests.interfaces.harness import (
    EN,
    NO,
    PEOPLE,
    SAY,
    UNUSABLE,
    OneLine,
    Program,
    SessionResult,
    converse,
    forget_settings,
)
from tests.stand_ins import MemoryStore

WIN = ["1", "4", "2", "5", "3"]
"""X wins row 1."""

DRAW = ["5", "1", "9", "3", "2", "8", "4", "6", "7"]

ONE, TWO = (
    EN("player-with-mark", name="Player 1", mark="X"),
    EN("player-with-mark", name="Player 2", mark="O"),
)


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    forget_settings(monkeypatch, tmp_path)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


def prompt(player: str, first: int = 1, last: int = 9) -> str:
    return EN("prompt-cell", player=player, first=first, last=last)


def series(*typed: str, names: tuple[str, str] = ("Ada", "Wei")) -> SessionResult:
    """Return a series of two people in which the chooser begins."""
    return converse(typed, PlayOptions("tictactoe", PEOPLE, names, series=True, begins=Begins.CHOOSER))


def assert_asked_again(typed: str, *message: str, game: str = "tictactoe", last: int = 9) -> None:
    """Check that *typed* is refused with *message*, and that the same player may try again."""
    screen = converse([typed, "q"], PlayOptions(game, PEOPLE))
    prompts = [place for place, line in enumerate(screen.lines) if line == prompt(ONE, last=last)]
    assert len(prompts) == 2
    explanation = screen.lines[prompts[0] + 1 : prompts[1]]
    assert explanation == [" ".join(message)]
    assert screen.games() == []


ACCEPTED = EN("accepted-cell", first=1, last=9)


# Seed 000


def test_a0_01_empty_line_shows_valid_range() -> None:
    assert_asked_again("", ACCEPTED)
    assert_asked_again("   ", ACCEPTED)


@pytest.mark.parametrize("run_of_digits", ["12", "23", "123", "1234567"])
def test_a0_02_run_of_digits_is_refused(run_of_digits: str) -> None:
    assert_asked_again(run_of_digits, EN("move-no-such-cell", text=run_of_digits), ACCEPTED)


@pytest.mark.parametrize("run_of_digits", ["123456789", "1" * 5000])
def test_a0_02_very_long_number_is_refused(run_of_digits: str) -> None:
    screen = converse([run_of_digits, "q"])
    assert screen.lines.count(prompt(ONE)) == 2
    assert [line for line in screen.lines if line.endswith(ACCEPTED)]
    assert max(map(len, screen.lines)) < 5000


@pytest.mark.parametrize(
    ("moves", "number"),
    [(["1", "4", "2", "5", "3"], 1), (["4", "1", "5", "2", "6"], 2), (["7", "1", "8", "2", "9"], 3)],
)
def test_a0_03_winning_row_has_its_number(moves: list[str], number: int) -> None:
    cells = Phrase("cells", " ".join(sorted(moves[::2])))
    message = EN.plural("wins-row", 5, winner="Player 1", number=number, cells=cells)
    assert message in converse(moves).lines


@pytest.mark.parametrize(
    ("moves", "number"),
    [(["1", "2", "4", "5", "7"], 1), (["2", "1", "5", "4", "8"], 2), (["3", "1", "6", "2", "9"], 3)],
)
def test_a0_04_winning_column_has_its_number(moves: list[str], number: int) -> None:
    cells = Phrase("cells", " ".join(sorted(moves[::2])))
    message = EN.plural("wins-column", 5, winner="Player 1", number=number, cells=cells)
    assert message in converse(moves).lines


@pytest.mark.slow
@pytest.mark.parametrize("language", SAY)
@pytest.mark.parametrize(
    ("moves", "kind", "cells"),
    [
        (["1", "2", "5", "3", "9"], "main-diagonal", "1 5 9"),
        (["3", "2", "5", "1", "7"], "anti-diagonal", "7 5 3"),
        (["1", "2", "4", "5", "7"], "column", "1 4 7"),
        (["7", "1", "8", "2", "9"], "row", "7 8 9"),
    ],
)
def test_a0_05_rows_and_columns_stay_distinct(moves: list[str], kind: str, cells: str, language: str) -> None:
    options = PlayOptions("tictactoe", PEOPLE, ("Ada", "Wei"))
    number = {"column": 1, "row": 3}.get(kind)
    row = Phrase("cells", tuple(cells.split()), in_order=True)
    message = SAY[language].plural(f"wins-{kind}", 5, winner="Ada", number=number, cells=row)
    assert message in converse(moves, options, language=language).lines


@pytest.mark.parametrize(("typed", "is_kept"), [(["5", "1"], True), ([], False)])
def test_a0_09_end_of_input_exits_cleanly(program: Program, typed: list[str], is_kept: bool) -> None:
    ran = program.run("play", "--x", "human", "--o", "human", typed="\n".join(typed))
    assert (ran.status, ran.errors) == (NO, "")
    assert ran.lines[-1] == EN("left-kept" if is_kept else "left")
    with program.store() as store:
        assert [stored.result for stored in store.games()] == [None] * is_kept


@pytest.mark.parametrize("byte", [b"\xff", b"\xff\xfe5", b"5\xff", b"\xc3", b"\x80\x81"])
def test_a0_10_undecodable_bytes_are_bad_input(program: Program, byte: bytes) -> None:
    ran = program.run("play", "--x", "human", "--o", "human", typed=byte + b"\n5\nq\n")
    assert (ran.status, ran.errors) == (0, "")
    assert ran.lines.count(prompt(ONE)) == 2
    assert EN("plays", player=ONE, move=Phrase("cell", "5")) in ran.lines
    assert any(line.endswith(ACCEPTED) for line in ran.lines)


@pytest.mark.parametrize("word", ["q", "Q", "в", "В", " q "])
@pytest.mark.parametrize("language", SAY)
def test_a0_11_leaving_is_not_a_draw(word: str, language: str) -> None:
    screen = converse(["5", word], language=language)
    assert screen.status == 0
    assert screen.lines[-1] == SAY[language]("left-kept")
    assert [(game["winner"], game["termination"]) for game in screen.games()] == [(None, None)]


@pytest.mark.parametrize("text", ["0", "x", "10"])
def test_a0_12_refusal_gives_the_reason(text: str) -> None:
    why = "move-unreadable" if text == "x" else "move-no-such-cell"
    assert_asked_again(text, EN(why, text=text), ACCEPTED)


@pytest.mark.parametrize("text", [" 5", "5 ", "\t5\t", " b2 ", "B2"])
def test_a0_12_blanks_around_move_are_accepted(text: str) -> None:
    assert EN("plays", player=ONE, move=Phrase("cell", "5")) in converse([text]).lines


@pytest.mark.parametrize("text", ["d1", "a4", "a0", "aa1", "c9999999", "10", "3,0", "(3, 0)"])
def test_a0_16_missing_cells_are_refused_alike(text: str) -> None:
    screen = converse([text, "q"])
    assert screen.status == 0
    assert screen.lines.count(prompt(ONE)) == 2
    (refusal,) = [line for line in screen.lines if text in line and "Player" not in line]
    assert refusal.endswith(ACCEPTED)


def test_a0_17_no_move_after_a_win() -> None:
    screen = converse([*WIN, "6", "7"])
    (game,) = screen.games()
    assert (game["moves"], game["winner"]) == (WIN, "X")
    # In a series the next line answers the next question, and does not change a result either.
    screen = series("1", *WIN, "6", "9", "3")
    assert [(game["moves"], game["winner"]) for game in screen.games()] == [(WIN, "X")]
    assert screen.lines.count(EN("unknown-mark", mark="6", allowed=("1", "2", "X", "O", "3"))) == 1


@pytest.mark.parametrize("spec", ["0x0:3", "0", "-1x3", "3x-1:2", "0x3", "3x3:0"])
def test_a0_18_empty_board_is_refused(program: Program, spec: str) -> None:
    ran = program.run("play", "--x", "human", "--o", "human", "--", spec)
    assert (ran.status, ran.output) == (UNUSABLE, "")
    assert len(ran.errors.splitlines()) == 1


def test_a0_19_larger_board_accepts_more_cells() -> None:
    screen = converse(["16", "1", "10", "17", "0", "2", "q"], PlayOptions("4x4", PEOPLE))
    assert prompt(ONE, last=16) in screen.lines
    assert screen.games()[0]["moves"] == ["16", "1", "10", "2"]
    accepted = EN("accepted-cell", first=1, last=16)
    for text in ("17", "0"):
        assert f"{EN('move-no-such-cell', text=text)} {accepted}" in screen.lines


def test_a0_24_empty_board_names_its_cells() -> None:
    screen = converse([])
    board = "\n".join(screen.lines[: screen.lines.index(prompt(ONE))])
    assert all(str(cell) in board for cell in range(1, 10))
    assert "|" in board
    assert "-" in board
    assert board.isascii()  # a screen reader can read all characters


# Seed 001


def test_a1_03_occupied_cell_costs_no_turn() -> None:
    screen = converse(["5", "5", "5", "1", "q"])
    assert screen.games()[0]["moves"] == ["5", "1"]
    assert screen.lines.count(prompt(TWO)) == 3
    assert screen.lines.count(EN("cell-taken", cell="5", free=list("12346789"))) == 2


def test_a1_04_only_the_interface_writes(capfd: pytest.CaptureFixture[str]) -> None:
    converse(WIN)
    converse([], PlayOptions("tictactoe", {"X": "rule", "O": "perfect"}))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("language", "names", "message"),
    [
        ("en", ("Ada", "Wei"), "Ada wins: anti-diagonal, cells 7 5 3, after 7 moves."),
        ("ru", ("Аня", "Вэй"), "Победа: Аня. Побочная диагональ: клетки 7 5 3; сделано 7 ходов."),
        ("zh-Hans", ("小林", "伟"), "小林获胜：副对角线第 7、5、3 格，共 7 步。"),
        ("zh-Hant", ("子晴", "偉"), "子晴獲勝：副對角線第 7、5、3 格，共 7 步。"),
    ],
)
def test_a1_05_result_is_a_full_sentence(language: str, names: tuple[str, str], message: str) -> None:
    moves = ["3", "1", "5", "9", "6", "4", "7"]
    screen = converse(moves, PlayOptions("tictactoe", PEOPLE, names), language=language)
    assert message in screen.lines


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", "Cell 5 is taken. Free cells: 2, 3, 4, 7, 8."),
        ("ru", "Клетка 5 занята. Свободные клетки: 2, 3, 4, 7, 8."),
        ("zh-Hans", "第 5 格已有棋子。可下的格子：2、3、4、7、8。"),
        ("zh-Hant", "第 5 格已有棋子。可下的格子：2、3、4、7、8。"),
    ],
)
def test_a1_05_refusal_is_a_full_sentence(language: str, message: str) -> None:
    assert message in converse(["5", "1", "9", "6", "5", "q"], language=language).lines


@pytest.mark.parametrize("unicode", [True, False])
def test_a1_05_board_frame_is_straight(unicode: bool) -> None:
    game = TicTacToe()
    for move in [(1, 1), (0, 0), (2, 2)]:
        game.play(move)
    lines = draw_text(game, unicode=unicode)
    assert len(lines) == 17
    rules = [line for number, line in enumerate(lines, 1) if number % 6 == 0]
    assert len(rules) == 2
    assert all(line[14] == line[26] and line[14] in ("┼" if unicode else "+") for line in rules)
    rows = [line for line in lines if line not in rules]
    assert all(line[14] == line[26] == ("│" if unicode else "|") for line in rows)


@pytest.mark.parametrize(("first", "last"), [(0, 8), (1, 9)])
def test_a1_07_prompted_numbers_are_accepted(first: int, last: int) -> None:
    cells = [str(cell) for cell in range(first, last + 1)]
    screen = converse([str(last + 1), str(first - 1), *cells], PlayOptions("tictactoe", PEOPLE, first=first))
    assert prompt(ONE, first, last) in screen.lines
    assert screen.lines.count(prompt(ONE, first, last)) == 2 + 4
    assert screen.games()[0]["moves"] == list("1234567")  # X has 1, 3, 5, 7 and wins


def test_a1_08_minus_one_is_refused() -> None:
    assert_asked_again("-1", EN("move-unreadable", text="-1"), ACCEPTED)


def test_a1_09_each_mistake_has_its_message() -> None:
    typed = ["X10", "5", "Q5", " 5", "Xz", "X5", "O5", "q"]
    screen = converse(typed, PlayOptions("wild", PEOPLE))
    accepted = EN("accepted-marked", first=1, last=9, marks=("X", "O"))
    for message in (
        EN("move-no-such-cell", text="10"),
        EN("move-mark-missing", text="5"),
        EN("move-mark-missing", text="Q5"),
        EN("move-unreadable", text="z"),
    ):
        assert f"{message} {accepted}" in screen.lines
    assert EN("cell-taken", cell="5", free=list("12346789")) in screen.lines
    assert screen.games()[0]["moves"] == ["X5"]


def test_a1_10_finished_game_takes_no_command() -> None:
    screen = converse([*WIN, "u", "r", "6"])
    (game,) = screen.games()
    assert (game["moves"], game["winner"], game["termination"]) == (WIN, "X", "line")


class Stubborn(Player):
    """A player that always returns the same move."""

    def __init__(self, move: Move | None) -> None:
        self.move, self.asked = move, 0

    def choose(self, game: Game, limit: Limit) -> Move:
        self.asked += 1
        return self.move  # type: ignore[return-value]


def play_stubborn(bot: Player, typed: list[str], *, is_series: bool = False) -> SessionResult:
    """Play a game of a person with X against *bot*."""
    with patch.dict(base._registry, {"stubborn": (lambda argument, chance: bot, ())}):
        who = {"X": "human", "O": "stubborn"}
        return converse(
            typed, PlayOptions("tictactoe", who, ("Ada", "Bot"), series=is_series, begins=Begins.X)
        )


def test_a1_11_computer_repeating_a_cell_forfeits() -> None:
    bot = Stubborn((1, 1))
    screen = play_stubborn(bot, ["5"])
    assert bot.asked == 1
    assert [(game["winner"], game["termination"]) for game in screen.games()] == [("X", "forfeit")]
    assert EN("forfeit-illegal-move", loser="Bot", detail="(1, 1)") in screen.lines


def test_a1_12_series_continues_after_forfeit() -> None:
    screen = play_stubborn(Stubborn(None), ["5", "1", "9"], is_series=True)
    assert screen.status == 0
    assert screen.lines.count(EN("forfeit-no-move", loser="Bot", detail="None")) == 3
    assert [game["winner"] for game in screen.games()][:3] == ["X"] * 3


def test_a1_13_computer_skips_finished_board() -> None:
    bot = Stubborn((2, 2))
    screen = play_stubborn(bot, ["1", "r"])
    assert bot.asked == 1
    assert screen.games()[0]["termination"] == "resignation"
    last = Stubborn((0, 1))
    drawn = ["5", "1", "9", "3"]
    with patch.dict(base._registry, {"stubborn": (lambda argument, chance: last, ())}):
        converse([*drawn, "q"], PlayOptions("tictactoe", PEOPLE))
    assert last.asked == 0


@pytest.mark.parametrize("text", ["٣", "0_4", "四", "²", "+5", "5.", "0x5", "1e0", "₅"])
def test_a1_14_only_ascii_digits_count(text: str) -> None:
    assert_asked_again(text, EN("move-unreadable", text=text), ACCEPTED)


@pytest.mark.slow
def test_a1_15_end_of_input_keeps_moves(program: Program) -> None:
    ran = program.process("play", "--x", "human", "--o", "random", typed=b"5\n")
    assert (ran.status, ran.errors) == (NO, "")
    assert ran.lines[-1] == EN("left-kept")


# Seed 002


@pytest.mark.parametrize("text", ["abc", "", "1.5"])
def test_a2_01_words_and_fractions_are_refused(text: str) -> None:
    assert_asked_again(text, *([EN("move-unreadable", text=text)] if text else []), ACCEPTED)


@pytest.mark.parametrize("text", ["10", "-1", "100"])
def test_a2_02_outside_numbers_get_a_reason(text: str) -> None:
    why = "move-unreadable" if text == "-1" else "move-no-such-cell"
    assert_asked_again(text, EN(why, text=text), ACCEPTED)


@pytest.mark.parametrize(
    ("language", "yes"),
    [("en", "yes"), ("en", " y"), ("en", "YES"), ("ru", "да"), ("ru", "Д"), ("ru", "y"), ("zh-Hans", "是")],
)
def test_a2_03_yes_works_in_our_languages(language: str, yes: str) -> None:
    screen = converse(["", "2", "", "maybe", "", yes, "Ada", "q"], PlayOptions(), language=language)
    say = SAY[language]
    assert screen.lines.count(say("answer-yes-or-no")) == 2
    assert say("person-first", mark="X") in screen.lines


@pytest.mark.parametrize("typed", [[], ["", "2"], ["", "1", "Ada"], ["tictactoe", "1", "A", "B", "n", "5"]])
@pytest.mark.parametrize("word", ["q", "В"])
def test_a2_04_every_question_allows_leaving(typed: list[str], word: str) -> None:
    screen = converse([*typed, word], PlayOptions())
    assert screen.status == 0
    assert screen.lines[-1] in (EN("left"), EN("left-kept"))


def test_a2_04_player_can_resign() -> None:
    screen = converse(["5", "r"])
    assert screen.status == 0
    assert EN("end-resignation", loser="Player 2") in screen.lines
    assert [game["winner"] for game in screen.games()] == ["X"]


@pytest.mark.slow
def test_a2_05_rule_beater_does_not_beat_perfect() -> None:
    lost = converse(["1", "9", "7", "8", "4"], PlayOptions("tictactoe", {"X": "human", "O": "rule"}))
    assert lost.games()[0]["winner"] == "X"
    for seed in range(5):
        options = PlayOptions("tictactoe", {"X": "human", "O": "perfect"}, seed=seed)
        screen = converse(["1", "9", "7", "8", "4", "2", "3", "6", "5"], options)
        assert screen.games()[0]["winner"] in ("O", None)


def test_a2_07_computer_skips_full_board() -> None:
    options = PlayOptions("tictactoe", {"X": "human", "O": "rule"})
    screen = converse(["5", "2", "3", "4", "6", "7", "8", "9", "1"] * 2, options)
    assert screen.status == 0
    assert screen.games()[0]["termination"] in ("full", "line")


@pytest.mark.slow
def test_a2_08_importing_starts_nothing(tmp_path: Path) -> None:
    code = (
        "import pkgutil, importlib, noughts\n"
        "for found in pkgutil.walk_packages(noughts.__path__, 'noughts.'):\n"
        "    if 'migrations' not in found.name and '__main__' not in found.name:\n"
        "        importlib.import_module(found.name)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=Program(tmp_path).variables(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


# Seed 003


@pytest.mark.parametrize("choice", ["4", "5", "-2"])
def test_a3_01_wrong_menu_choice_is_repeated(choice: str) -> None:
    screen = series(choice, "3")
    assert screen.status == 0
    assert EN("unknown-mark", mark=choice, allowed=("1", "2", "X", "O", "3")) in screen.lines
    assert screen.games() == []


@pytest.mark.parametrize("choice", ["0", "-1"])
def test_a3_02_wrong_choice_starts_no_game(choice: str) -> None:
    screen = series(choice, "1", *WIN, choice, "3")
    assert screen.status == 0
    assert screen.output.count(EN("unknown-mark", mark=choice, allowed=("1", "2", "X", "O", "3"))) == 2
    assert [(game["moves"], game["winner"]) for game in screen.games()] == [(WIN, "X")]


def test_a3_03_wrong_choice_clears_old_seats() -> None:
    screen = series("1", *WIN, "-1", "1", *WIN, "3")
    players = [(game["players"], game["winner"]) for game in screen.games()]
    assert players == [({"X": "Ada", "O": "Wei"}, "X"), ({"X": "Wei", "O": "Ada"}, "X")]
    assert [line.split()[:4] for line in screen.lines[-4:] if line.startswith(("Ada", "Wei"))] == [
        ["Ada", "1", "0", "1"],
        ["Wei", "1", "0", "1"],
    ]


def test_a3_04_equal_names_are_distinguished() -> None:
    screen = series("1", *WIN, "3", names=("A", "A"))
    assert screen.games()[0]["players"] == {"X": "A", "O": "A (2)"}
    assert [line.split()[:2] for line in screen.lines[-4:] if line.startswith("A")] == [
        ["A", "1"],
        ["A", "(2)"],
    ]


def test_a3_04_empty_name_is_the_default() -> None:
    screen = converse(["", "1", "", "Wei", "n", "q"], PlayOptions())
    assert EN("ask-name-of", number=1, name="Player 1") in screen.lines
    assert EN("begins", name="Player 1", mark="X") in screen.lines


@pytest.mark.parametrize("typed", ["３", "ｃ１"])
def test_wide_digits_and_letters_are_accepted(typed: str) -> None:
    screen = converse([typed, "q"], PlayOptions("tictactoe", PEOPLE))
    assert prompt(TWO) in screen.lines


@pytest.mark.parametrize("names", [",", "A,", "A, ", ",,"])
def test_a3_04_empty_name_option_is_refused(program: Program, names: str) -> None:
    ran = program.run("play", "--x", "human", "--o", "human", "--names", names)
    assert (ran.status, ran.output, ran.errors) == (UNUSABLE, "", EN("name-empty") + "\n")


def test_a3_05_draw_counts_for_both() -> None:
    screen = series("1", *DRAW, "3")
    rows = [line.split() for line in screen.lines if line.startswith(("Ada", "Wei")) and line[-1].isdigit()]
    assert rows[-2:] == [["Ada", "0", "1", "0", "0.5", "0"], ["Wei", "0", "1", "0", "0.5", "0"]]
    assert [(game["winner"], game["termination"]) for game in screen.games()] == [(None, "full")]


def test_a3_06_q_leaves_in_mid_game() -> None:
    screen = series("1", "5", "q")
    assert screen.status == 0
    assert EN("left-kept") in screen.lines


def test_a3_07_starting_rule_is_followed() -> None:
    screen = series("2", *WIN, "3")
    (game,) = screen.games()
    assert list(game["players"].items()) == [("O", "Ada"), ("X", "Wei")]
    assert game["winner"] == "O"
    assert screen.store.load_series(1).begins is Begins.CHOOSER
    options = PlayOptions("tictactoe", PEOPLE, ("Ada", "Wei"), series=True, begins=Begins.X, games=2)
    fixed = converse([*WIN, *WIN], options)
    assert [list(game["players"]) for game in fixed.games()] == [["X", "O"]] * 2
    assert [game["players"]["X"] for game in fixed.games()] == ["Ada"] * 2


@pytest.mark.parametrize("name", ["A\x1b[31m", "\x07", "A\u202eB", "A\u200b", "A\x9b1m"])
def test_a3_08_names_refuse_control_characters(program: Program, name: str) -> None:
    ran = program.run("play", "--x", "human", "--o", "human", "--names", f"{name},Wei")
    assert (ran.status, ran.output) == (UNUSABLE, "")
    assert len(ran.errors.splitlines()) == 1
    assert name not in ran.errors
    assert not set("\x1b\x07\u202e\u200b\x9b") & set(ran.errors)
    screen = converse(["", "1", name, "Ada", "Wei", "n", "q"], PlayOptions())
    assert EN("begins", name="Ada", mark="X") in screen.lines
    assert not set("\x1b\x07\u202e\u200b\x9b") & set(screen.output)


def test_a3_08_foreign_control_characters_are_escaped() -> None:
    from noughts.arena.setup import Setup
    from noughts.interfaces.console.replay import show_replay

    store = MemoryStore()
    number = store.add_game(Setup("tictactoe", {"X": "A\x1b[31m", "O": "B\u202e"}))
    with patch.object(sys, "stdout", io.StringIO()) as target, patch.object(sys, "stdin", io.StringIO()):
        show_replay(store.load(number), EN)
    assert "\\x1b[31m" in target.getvalue()
    assert "\\u202e" in target.getvalue()
    assert not set("\x1b\u202e") & set(target.getvalue())


@pytest.mark.parametrize("name", ["A" * 40, "井" * 20, "e\u0301" * 40, "A\u0302\u0323" * 30])
def test_a3_09_any_names_keep_columns_straight(name: str) -> None:
    screen = series("1", *WIN, "3", names=(name, "Wei"))
    place = len(screen.lines) - 1 - screen.lines[::-1].index(EN("final-scores"))
    rows = [line for line in screen.lines[place + 1 :] if line]
    assert len(rows) == 4
    assert len({display_width(row) for row in rows}) == 1
    assert all(display_width(row) <= 79 for row in rows)


@pytest.mark.parametrize("name", ["A" * 41, "井" * 21])
def test_a3_09_too_wide_names_are_refused(program: Program, name: str) -> None:
    ran = program.run("play", "--x", "human", "--o", "human", "--names", f"{name},Wei")
    assert (ran.status, ran.errors) == (UNUSABLE, EN("name-too-wide") + "\n")


@pytest.mark.parametrize("left", [["1", *WIN], ["1", *WIN, "1", "5", "1"]])
def test_a3_10_end_of_input_keeps_scores(program: Program, left: list[str]) -> None:
    who = ("--x", "human", "--o", "human", "--names", "Ada,Wei", "--begins", "chooser")
    ran = program.run("play", *who, "--series", typed="\n".join(left))
    assert ran.status == (NO if left[-1] == "1" else 0)
    assert ran.errors == ""
    assert EN("final-scores") in ran.lines
    rows = [line.split()[:4] for line in program.run("scores").lines[2:]]
    assert rows == [["Ada", "1", "0", "0"], ["Wei", "0", "0", "1"]]


def test_a3_10_interrupt_keeps_scores() -> None:
    typed = OneLine("".join(f"{line}\n" for line in ["1", *WIN, "1", "5"]), KeyboardInterrupt)
    options = PlayOptions("tictactoe", PEOPLE, ("Ada", "Wei"), series=True, begins=Begins.CHOOSER)
    screen = converse(typed, options)
    assert screen.status == 0
    assert [game["winner"] for game in screen.games()] == ["X", None]
