"""The commands ``solve`` and ``analyse``: output for scripts and people, and errors."""

import io
import json
import re
import signal
import sys
import threading
from pathlib import Path
from unittest.mock import patch

import pytest

from noughts import draw_tree, new_game, search_tree
from noughts.arena.match import Match
from noughts.games.notation import parse_move, play_moves
from noughts.interfaces.cli import analysing
from noughts.interfaces.cli.analysing import (
    changing_line,
    changing_lines,
    interruptible,
    review_match,
    shown_progress,
)
from noughts.interfaces.presenting.i18n import LANGUAGES, Phrase
from noughts.interfaces.presenting.review_texts import REVIEW_SECONDS
from noughts.interfaces.presenting.titles import title_of
from noughts.search.analysis import Analysis, Limit, Progress, SearchQuestion
from noughts.search.analyst import Analyst
from noughts.search.background_compile import preparing_clock
from noughts.text import display_width
from tests.interfaces.harness import DONE, EN, INTERRUPTED, PATIENCE, SAY, UNUSABLE, Program
from tests.interfaces.test_cli import assert_refused, json_of

SOLVE_KEYS = ["game", "value", "plies", "best", "nodes", "seconds"]

# solve


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "value", "plies", "best"),
    [
        ("tictactoe", "draw", None, None),
        ("misere", "draw", None, "5"),
        ("wild", "first", 7, None),
        ("notakto", "first", 6, "5"),
        ("3d", "first", 7, "14"),
        ("4x3:3", "first", 7, None),
        ("3x3:3,notakto", "first", 6, "5"),
        ("2x2:2,misere", "second", 3, None),
        ("vanishing", "first", 13, None),
        ("3x3:1", "first", 1, None),
        ("1x1:1,misere", "second", 1, "1"),
    ],
)
def test_solve_prints_json(
    program: Program, game: str, value: str, plies: int | None, best: str | None
) -> None:
    answer = json_of(program.run("solve", game, "--json"))
    assert list(answer) == SOLVE_KEYS
    assert (answer["game"], answer["value"]) == ("notakto" if "notakto" in game else game, value)
    assert answer["plies"] == plies
    fresh = new_game(game)
    assert parse_move(fresh, answer["best"]) in fresh.legal_moves()
    assert best is None or answer["best"] == best
    assert answer["nodes"] >= 0
    assert 0 <= answer["seconds"] < PATIENCE


def test_default_game_is_tictactoe(program: Program) -> None:
    assert json_of(program.run("solve", "--json"))["game"] == "tictactoe"
    assert json_of(program.run("analyse", "--json"))["game"] == "tictactoe"


def test_limited_solve_is_unknown(program: Program) -> None:
    answer = json_of(program.run("solve", "reversi", "--limit-seconds", "0", "--json"))
    assert (answer["value"], answer["plies"]) == ("unknown", None)
    assert "at_least" not in answer
    for command in ("solve", "analyse"):
        answer = json_of(program.run(command, "gomoku", "--limit-seconds", "0", "--json"))
        assert (answer["value"], answer["at_least"]) == ("unknown", "draw")
    sentence = program.run("solve", "gomoku", "--limit-seconds", "0").lines[0]
    assert sentence == EN("solve-cannot-lose", game="gomoku", side="X")
    text = program.run("solve", "reversi", "--limit-seconds", ".01")
    published = EN("value-draw") + " " + EN("known-published", source="Takizawa 2023")
    assert text.lines[:3] == [EN("solve-unknown", game="reversi"), published, EN("analysis-unproved")]


def test_unsolvable_game_mentions_no_more_time(program: Program) -> None:
    say = SAY["ru"]
    lines = program.run("solve", "30x30:3", "--lang", "ru").lines
    assert lines[0] == say("solve-cannot-lose", game="30x30:3", side="X")
    assert lines[1] == say("solve-too-large", most=400)
    lines = program.run("solve", "5x5:4,vanish=5", "--lang", "ru").lines
    assert lines[1] == say("no-value", game="5x5:4,vanish=5")


def test_solve_prints_sentences(program: Program) -> None:
    say = SAY["ru"]

    def told(game: str) -> list[str]:
        ran = program.run("solve", game, "--lang", "ru")
        assert (ran.status, ran.errors) == (DONE, "")
        return ran.lines

    assert told("tictactoe")[0] == say("solve-draw", game="tictactoe")
    lines = told("3d")
    assert lines[0] == say.plural("solve-first", 4, game="3d", side="X")
    line = Phrase("cell", "14", "2b2"), Phrase("cell", "1", "1a3")
    assert lines[1] == say("analysis-best", move=line[0])
    assert lines[2].startswith(say("analysis-line", moves=Phrase("text", (*line, "|"))).partition("|")[0])
    assert told("1x1:1,misere")[0] == say.plural("solve-second", 1, game="1x1:1,misere", side="O")


def test_solve_prints_value_without_distance(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    for value, id_, side in ((1, "solve-first-bare", "X"), (-1, "solve-second-bare", "O")):
        monkeypatch.setattr(
            Analyst, "solve", lambda self, game, limit, value=value: Analysis(value, None, (1, 1), 7)
        )
        lines = program.run("solve").lines
        assert lines[:2] == [
            EN(id_, game="tictactoe", side=side),
            EN("analysis-best", move=Phrase("cell", "5")),
        ]
        assert "analysis-line" not in lines[2]


def test_solve_prints_value_for_one_player(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    result = Analysis(1, 3, (3, 2), 9)
    monkeypatch.setattr(Analyst, "solve", lambda self, game, limit: result)
    answer = json_of(program.run("solve", "fifteen", "--json"))
    assert (answer["value"], answer["plies"], answer["best"]) == ("first", 3, "15")
    assert program.run("solve", "fifteen").lines[0] == EN.plural("solve-alone", 3, game="fifteen")


# analyse

DOUBLE = "8 9 6 7"
REVERSI = "/".join(["........"] * 3 + ["...OX...", "...XO..."] + ["........"] * 3)


def test_analyse_prints_json(program: Program) -> None:
    answer = json_of(program.run("analyse", "--moves", DOUBLE, "--json"))
    assert list(answer) == [*SOLVE_KEYS, "moves", "forbidden"]
    assert [answer[key] for key in ("game", "value", "plies", "best")] == ["tictactoe", "win", 3, "5"]
    assert [list(move) for move in answer["moves"]] == [["move", "value", "plies", "reason"]] * 5
    values = {move["move"]: (move["value"], move["plies"]) for move in answer["moves"]}
    loss = ("loss", 4)
    assert values == {"1": ("draw", None), "2": loss, "3": loss, "4": loss, "5": ("win", 3)}
    reasons = {move["move"]: move["reason"] for move in answer["moves"]}
    assert reasons["5"] == {"code": "double-threat", "threats": ["2", "4"]}
    assert reasons["1"] == {"code": "gives-up-win", "best": "5", "plies": 3}
    assert reasons["3"]["reply"] == "1"


def test_analyse_accepts_position_or_moves(program: Program) -> None:
    by_moves = json_of(program.run("analyse", "--moves", DOUBLE, "--json"))
    by_position = json_of(program.run("analyse", "--position", ".../..X/OXO", "--json"))
    assert by_position["moves"] == by_moves["moves"]
    to_move = json_of(program.run("analyse", "wild", "--position", "XX./.../..O O", "--json"))
    assert (to_move["best"], to_move["plies"]) == ("X3", 1)
    wins = next(move for move in to_move["moves"] if move["move"] == "X3")
    assert wins["reason"] == {"code": "wins-now", "cells": ["1", "2", "3"]}


def test_analyse_json_numbers_columns_and_cells(program: Program) -> None:
    answer = json_of(program.run("analyse", "4x4:3,gravity", "--moves", "1 4 2 4", "--json"))
    assert (answer["best"], answer["plies"]) == ("3", 1)
    wins = next(move for move in answer["moves"] if move["move"] == "3")
    assert wins["reason"] == {"code": "wins-now", "cells": ["13", "14", "15"]}


@pytest.mark.parametrize(
    ("game", "moves", "value"),
    [
        ("tictactoe", "1 4 2 5 3", "loss"),
        ("misere", "1 4 2 5 3", "win"),
        ("tictactoe", "5 1 9 3 2 8 4 6 7", "draw"),
    ],
)
def test_analyse_reports_finished_position(program: Program, game: str, moves: str, value: str) -> None:
    answer = json_of(program.run("analyse", game, "--moves", moves, "--json"))
    assert [answer[key] for key in ("value", "plies", "best", "moves")] == [value, 0, None, []]
    winner = {"tictactoe": "X", "misere": "O"}[game]
    result = EN("nobody-wins") if value == "draw" else EN("wins", winner=winner)
    assert program.run("analyse", game, "--moves", moves).lines[-1] == EN.joined([EN("game-over"), result])


def test_analyse_prints_sentences(program: Program) -> None:
    say = SAY["ru"]
    ran = program.run("analyse", "--moves", DOUBLE, "--lang", "ru")
    assert (ran.status, ran.errors) == (DONE, "")
    assert "-2     │   <+2>    │" in ran.output
    assert say.plural("worth-win", 2, side="X") in ran.lines
    why = say("reason-double-threat", threats=Phrase("cells", ("2", "4")))
    assert say.joined([say("analysis-best", move=Phrase("cell", "5")), why]) in ran.lines
    assert any(line.startswith("+2") and line.endswith(why) for line in ran.lines)
    assert any(line.split()[:3] == ["-2", "2", "4"] for line in ran.lines)
    assert say("analysis-legend") in ran.lines
    assert say("analysis-unproved") not in ran.lines
    assert "{" not in ran.output


def test_analyse_prints_loss_and_draw(program: Program) -> None:
    loss = program.run("analyse", "--moves", "5 2 1").lines
    assert EN.plural("worth-loss", 2, side="O") in loss
    assert EN("worth-draw", side="X") in program.run("analyse").lines


@pytest.mark.slow
def test_analyse_groups_moves_of_large_boards(program: Program) -> None:
    ran = program.run("analyse", "gomoku", "--moves", "h8 h9 g8 i8", "--limit-seconds", "0.2")
    assert ran.status == DONE
    rows = [line for line in ran.lines if re.match(r"[+=?-]\S* +[a-o]", line)]
    assert 1 <= len(rows) <= 12
    assert EN("analysis-unproved") in ran.lines
    assert max(len(line) for line in ran.lines[:17]) <= 79
    assert [line.split()[0] for line in ran.lines[1:16]] == [str(row) for row in range(15, 0, -1)]


def test_analyse_reports_unknown_value(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Analyst, "analyse", lambda self, game, limit: Analysis(None, None, None, 0))
    lines = program.run("analyse").lines
    assert EN("worth-unknown", side="X") in lines
    assert "        1     │     2     │     3" in lines  # The cells keep their numbers.


def test_analyse_and_solve_refuse_bad_arguments(program: Program) -> None:
    say = SAY["ru"]
    refused: dict[tuple[str, ...], str] = {
        ("analyse", "--moves", "5 5"): say.joined(
            [
                say("move-cannot-be-played", number=2, text="5"),
                say("cell-taken", cell="5", free=[*"12346789"]),
            ]
        ),
        ("analyse", "--moves", "5;1"): say.joined(
            [say("move-unreadable", text="5;1"), say("accepted-cell", first=1, last=9)]
        ),
        ("analyse", "--moves", "10"): say.joined(
            [say("move-no-such-cell", text="10"), say("accepted-cell", first=1, last=9)]
        ),
        ("analyse", "--moves", "1 4 2 5 3 6"): say.joined(
            [say("move-cannot-be-played", number=6, text="6"), say("game-over")]
        ),
        ("analyse", "--moves", "1", "--position", ".../.../..."): say("usage-moves-or-position"),
        ("analyse", "--position", ""): say("position-refused", text=""),
        ("analyse", "--position", "X"): say("position-row-count", text="X", expected=3, found=1),
        ("analyse", "--position", "X/./."): say("position-row-length", text="X/./.", expected=3, found=1),
        ("analyse", "--position", "XQ./.../..."): say(
            "position-unknown-mark", text="XQ./.../...", allowed=["X", "O"]
        ),
        ("analyse", "--position", ".../.../... Q"): say(
            "position-unknown-side", text=".../.../... Q", allowed=["X", "O"]
        ),
        ("analyse", "reversi", "--position", REVERSI): say("position-side-unclear", text=REVERSI[:39] + "…"),
        ("analyse", "--position", "XX./XX./..."): say("position-counts", text="XX./XX./..."),
        ("analyse", "--position", "XXX/OOO/..."): say("position-refused", text="XXX/OOO/..."),
        ("analyse", "three"): say("no-value-not-two-sides"),
        ("solve", "three"): say("no-value-not-two-sides"),
        ("solve", "100x100:5"): say("no-value-too-large", most=4096),
        ("solve", "renju", "--certificate", "x"): say("certificate-unsupported", game="15x15:5,renju"),
        ("solve", "--certificate", "nowhere/x"): "",
        ("solve", "--certificate", "."): "",
        ("verify", "nowhere"): "",
        ("verify",): "",
        ("solve", "3x3:4"): say("rules-k-too-large", k=4, longest=3),
        **{
            ("solve", "--limit-seconds", text): say(
                "usage-bad-value", what="--limit-seconds", reason=say("usage-seconds")
            )
            for text in ("-1", "nan", "inf", "1e3", "", "٣", "1_0")
        },
    }
    for arguments, sentence in refused.items():
        ran = program.run(*arguments, "--lang", "ru")
        assert_refused(ran, language="ru")
        assert ran.errors.strip() == sentence or not sentence, arguments


def test_analyse_reports_unsupported_rules(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    from noughts.errors import UnsupportedRules

    def decline(*_: object) -> None:
        raise UnsupportedRules("analyse", "3x3:3", "too-strange")

    monkeypatch.setattr(Analyst, "solve", decline)
    ran = program.run("solve")
    assert (ran.status, ran.errors) == (UNUSABLE, EN("no-value", game="Tic-tac-toe") + "\n")


# Trees


def test_analyse_draws_a_search_tree(program: Program, tmp_path: Path) -> None:
    say, file = SAY["ru"], tmp_path / "tree.svg"
    arguments = ("analyse", "--moves", "5 1 9 3 2 8", "--lang", "ru", "--tree", str(file))
    ran = program.run(*arguments)
    assert (ran.status, ran.errors) == (DONE, "")
    answer = [say.plural("tree-looked-at", 12, file=str(file)), say.plural("tree-cut", 2)]
    assert "".join(ran.output.split()) == "".join(say.joined(answer).split())
    game = new_game()
    play_moves(game, ["5", "1", "9", "3", "2", "8"])
    title = title_of(say, "tictactoe")
    assert file.read_text("utf-8") == draw_tree(search_tree(game), title=title)
    ran = program.run(*arguments, "--method", "minimax", "--depth", "1")
    assert "".join(ran.output.split()) == "".join(say.plural("tree-looked-at", 4, file=str(file)).split())
    assert file.read_text("utf-8") == draw_tree(search_tree(game, "minimax", 1), title=title)
    ran = program.run(*arguments, "--method", "mcts:9", "--depth", "1", "--seed", "3")
    answer = [say.plural("tree-played", 9, file=str(file)), say.plural("tree-shown", 4)]
    assert "".join(ran.output.split()) == "".join(say.joined(answer).split())
    assert file.read_text("utf-8") == draw_tree(search_tree(game, "mcts:9", 1, seed=3), title=title)


def test_analyse_draws_a_tree_beside_json(program: Program, tmp_path: Path) -> None:
    file = tmp_path / "tree.svg"
    answer = json_of(program.run("analyse", "--moves", "5 1 9 3 2", "--tree", str(file), "--json"))
    assert answer["value"] == "draw"
    assert file.read_text("utf-8").startswith("<svg")


def test_analyse_refuses_unusable_trees(program: Program, tmp_path: Path) -> None:
    say, file = SAY["ru"], str(tmp_path / "tree.svg")
    refused = {
        ("--depth", "2"): say("usage-tree-alone"),
        ("--method", "minimax"): say("usage-tree-alone"),
        ("--tree", file, "--depth", "0"): "",
        ("--tree", file, "--method", "guess"): "",
        ("--tree", file, "--method", "mcts:0"): "",
        ("--seed", "0"): say("usage-tree-alone"),
        ("--tree", str(tmp_path)): "",
        ("--tree", str(tmp_path / "x.png")): say("usage-tree-svg"),
        ("--tree", str(tmp_path / "nowhere" / "x.svg")): "",
        ("gomoku", "--tree", file, "--depth", "2"): say(
            "unsupported-tree-too-large", game="gomoku", most=500
        ),
        ("three", "--tree", file): say("unsupported-tree-of-three-sides", game="three"),
    }
    for arguments, sentence in refused.items():
        ran = program.run("analyse", *arguments, "--lang", "ru")
        assert_refused(ran, language="ru")
        assert ran.errors.strip() == sentence or not sentence, arguments
    assert list(tmp_path.glob("**/*.svg")) == []


# Ctrl-C and progress


@pytest.mark.parametrize(("command", "number"), [("solve", signal.SIGINT), ("analyse", signal.SIGTERM)])
def test_first_signal_stops_search_with_result(
    program: Program, command: str, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    def search(self: Analyst, game: object, limit: Limit) -> Analysis:
        assert not limit.stop()
        signal.raise_signal(number)
        assert limit.stop()
        return Analysis(None, None, None, 7)

    monkeypatch.setattr(Analyst, command, search)
    usual = signal.getsignal(number)
    answer = json_of(program.run(command, "connect4", "--json"))
    assert (answer["value"], answer["nodes"]) == ("unknown", 7)
    assert signal.getsignal(number) == usual


def test_analyse_takes_values_from_book(program: Program) -> None:
    answer = json_of(program.run("analyse", "connect4", "--moves", "4", "--limit-seconds", "0", "--json"))
    assert (answer["value"], answer["plies"], answer["nodes"]) == ("loss", 40, 0)
    assert [move["plies"] for move in answer["moves"]] == [34, 38, 38, 40, 38, 38, 34]


def test_second_ctrl_c_quits_at_once(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def search(self: Analyst, game: object, limit: Limit) -> Analysis:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("still here")

    monkeypatch.setattr(Analyst, "solve", search)
    ran = program.run("solve")
    assert (ran.status, ran.output, ran.errors) == (INTERRUPTED, "", "")


def test_interruptible_needs_the_main_thread() -> None:
    result: list[bool] = []

    def ask() -> None:
        with interruptible() as stop:
            result.append(stop())

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert result == [False]


class _Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_terminal_shows_and_erases_progress() -> None:
    screen, clock = _Screen(), iter([0.0, 0.0, 0.1, 5.0, 5.0])
    with patch.object(sys, "stderr", screen), shown_progress(SAY["zh-Hans"], lambda: next(clock)) as report:
        for nodes in (10, 20, 3_000_000):
            report(Progress("searching", nodes=nodes, depth=4))
    say = SAY["zh-Hans"]
    shown = screen.getvalue()
    long = say("progress-searching", nodes=3_000_000, depth=4)
    assert shown.split("\r")[1:] == [
        say("progress-searching", nodes=10, depth=4), long, " " * display_width(long), ""
    ]  # fmt: skip


def test_changing_line_stays_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a terminal that is or becomes narrow, each text would start a new line."""
    screen = _Screen()
    with patch.object(sys, "stderr", screen), changing_line() as show:
        monkeypatch.setenv("COLUMNS", "30")
        show(40 * "x")
        monkeypatch.setenv("COLUMNS", "20")
        show(10 * "y")
    assert screen.getvalue().split("\r")[1:] == [28 * "x" + "…", 10 * "y" + 9 * " ", 10 * " ", ""]


def test_changing_lines_replace_previous_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """If lines do not fit, the last ones are shown. Updates that come too soon are skipped."""
    screen, clock = _Screen(), iter([0.0, 0.0, 0.1, 1.0, 1.0, 2.0, 3.0, 11.9])
    monkeypatch.setenv("COLUMNS", "11")
    with patch.object(sys, "stderr", screen), changing_lines(lambda: next(clock)) as show:
        show(lambda width: [str(width), 12 * "x"])
        show(lambda width: ["too soon"])
        show(lambda width: ["one"])
        show(lambda width: [f"line {number}" for number in range(30)])
        show(lambda width: ["too soon"])
    many = "\n".join(f"line {number}".ljust(10) for number in range(7, 30))
    first, second, third, end = screen.getvalue().split("\x1b[J")
    assert first == f"{'10'.ljust(10)}\n{9 * 'x'}…\n\x1b[2A"
    assert second == f"{'one'.ljust(10)}\n\x1b[1A"
    assert third == f"{many}\n\x1b[23A"
    assert end == ""


def test_changing_lines_need_a_terminal() -> None:
    stream = io.StringIO()
    with patch.object(sys, "stderr", stream), changing_lines() as show:
        show(lambda width: ["a line"])
    assert stream.getvalue() == ""


def test_review_shows_progress() -> None:
    game = new_game("tictactoe")
    play_moves(game, ["1", "2"])
    screen, match = _Screen(), Match(game)
    with patch.object(sys, "stderr", screen):
        assert [len(result.moves) for result in review_match(match, EN)] == [0, 1, 2]
    answer = [EN("progress-review", done=done, count=2) for done in range(3)]
    assert [text for text in screen.getvalue().split("\r") if text.strip()] == answer


@pytest.mark.parametrize("language", LANGUAGES)
def test_solve_question_fits_the_width(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    say = SAY[language]
    questions = [
        SearchQuestion("wins", 0),
        SearchQuestion("wins", 1, 9),
        SearchQuestion("stops", 0),
        SearchQuestion("attacks", 1, numbers=(7, 9)),
    ]
    for columns in ("200", "40"):
        monkeypatch.setenv("COLUMNS", columns)
        screen, clock = _Screen(), iter([0.0, *3 * [2.0], *3 * [4.0], *3 * [8.0], *3 * [16.0]])
        with (
            patch.object(sys, "stderr", screen),
            shown_progress(say, clock.__next__, sides=("X", "O")) as report,
        ):
            for requests in questions:
                report(Progress("searching", nodes=4_000, question=requests, table_bytes=24_000_000))
        shown = screen.getvalue().split("\r")[1:5]
        if columns == "200":
            answer = [
                say("progress-asks-wins", side="X"),
                say("progress-asks-soon", side="O", depth=9),
                say("progress-asks-stops", side="X"),
                say("progress-asks-attacks", side="O", proof=7, disproof=9),
            ]
            for text, question, rate in zip(shown, answer, (2_000, 1_000, 500, 250), strict=True):
                line = say("progress-solving", nodes=4_000, rate=rate, memory=24, question=question)
                assert text.rstrip() == line
        assert all(display_width(text) < int(columns) for text in shown)


def test_solve_reports_bounds_without_value(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = {
        "cannot_win": ("at_most", "solve-cannot-win"),
        "cannot_lose": ("at_least", "solve-cannot-lose-bare"),
    }
    for field, (key, message) in bounds.items():
        result = Analysis(None, None, None, 7, **{field: True})  # type: ignore[arg-type]
        monkeypatch.setattr(Analyst, "solve", lambda *_, result=result: result)
        assert json_of(program.run("solve", "connect4", "--json"))[key] == "draw"
        output = " ".join(program.run("solve", "connect4").output.split())
        assert EN(message, game="connect4", side="X") in output


def test_progress_is_not_shown_in_a_pipe() -> None:
    for stream in (io.StringIO(), None):
        with patch.object(sys, "stderr", stream), shown_progress(EN) as report:
            report(Progress("searching"))
        assert stream is None or stream.getvalue() == ""


def test_help_shows_default_time_limit(program: Program) -> None:
    for command, seconds in (("solve", "60 seconds"), ("analyse", "10 seconds")):
        assert seconds in " ".join(program.run(command, "--help").output.split())


@pytest.mark.slow
def test_interrupted_solve_prints_its_result(program: Program) -> None:
    with program.start("solve", "8x8:5", "--limit-seconds", "50", "--json") as process:
        # The search prints nothing before its end, so it is interrupted as soon as it may have started.
        for _ in range(200):
            if process.poll() is not None:
                break
            try:
                process.wait(0.5)
            except Exception:
                process.send_signal(signal.SIGINT)
                break
        output, errors = process.communicate(timeout=PATIENCE)
    assert errors == b""
    assert process.returncode == (DONE if output else INTERRUPTED)
    assert output == b"" or json.loads(output)["value"] == "unknown"


def test_review_limits_time_per_move(monkeypatch: pytest.MonkeyPatch) -> None:
    requests: list[float | None] = []

    def analyse(self: Analyst, game: object, limit: Limit) -> Analysis:
        requests.append(limit.seconds)
        return Analysis(None, None, None, 0)

    monkeypatch.setattr(Analyst, "analyse", analyse)
    game = new_game("gomoku")
    play_moves(game, [str(number) for number in range(1, 40, 2)])
    assert len(list(analysing.review_match(Match(game), EN))) == 21
    assert set(requests) == {REVIEW_SECONDS / 21}


@pytest.mark.parametrize("language", LANGUAGES)
def test_move_table_fits_a_narrow_terminal(program: Program, language: str) -> None:
    """Moves and reasons once extended beyond the edge, and broke within words."""
    arguments = ("--lang", language, "analyse", "9x1:3", "--moves", "1 9 2 8")
    wide = program.run(*arguments)
    narrow = program.under(COLUMNS="40", NO_COLOR="1").run(*arguments, is_terminal=True)
    assert max(map(display_width, narrow.lines)) <= 40
    assert len(narrow.lines) > len(wide.lines)
    crowded = program.under(COLUMNS="8", NO_COLOR="1").run(*arguments, is_terminal=True)
    assert crowded.status == DONE


def test_progress_names_preparation() -> None:
    screen = _Screen()
    with patch.object(sys, "stderr", screen), shown_progress(EN) as report, preparing_clock.paused():
        report(Progress("searching", 1024))
    assert EN("progress-preparing", nodes=1024)[:40] in screen.getvalue()
