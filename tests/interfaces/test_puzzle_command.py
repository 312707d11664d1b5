"""The command ``puzzle``, for scripts and line by line at the console."""

import json
import re
from datetime import UTC, datetime

import pytest

from noughts.puzzles.shipped import all_puzzles, daily, find_puzzle, puzzles_of
from tests.interfaces.harness import DONE, NO, SAY, Program, text_of
from tests.interfaces.test_cli import assert_refused, json_of

KEYS = ["id", "game", "position", "side", "kind", "grade"]

LONG = next(puzzle for puzzle in puzzles_of("connect4") if len(puzzle.solution()) == 3)
SAVING = next(puzzle for puzzle in all_puzzles() if puzzle.kind == "save")


def wrong_move(number: int) -> str:
    """Return a legal first move that is wrong."""
    puzzle = find_puzzle(number)
    game = puzzle.start()
    texts = (game.notation.format(move) for move in game.legal_moves())
    return next(text for text in texts if text != puzzle.solution()[0])


def test_puzzle_json_has_contract_keys(program: Program) -> None:
    plain = json_of(program.run("puzzle", "--id", "3", "--json"))
    assert list(plain) == KEYS
    solved = json_of(program.run("puzzle", "--id", "3", "--json", "--solution"))
    assert solved == {**plain, "solution": list(find_puzzle(3).solution())}


def test_daily_puzzle_follows_utc(program: Program) -> None:
    before = datetime.now(UTC).date()
    answer = json_of(program.run("puzzle", "--daily", "--json"))
    assert answer["id"] in (daily(before).id, daily(datetime.now(UTC).date()).id)


def test_puzzle_command_filters_by_game_and_level(program: Program) -> None:
    answer = json_of(program.run("puzzle", "7x6:4,gravity", "--level", "3", "--json"))
    assert (answer["game"], answer["grade"]) == ("connect4", 3)
    assert json_of(program.run("puzzle", "--json"))["grade"] == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--id", "0"],
        ["--id", "99999"],
        ["--id", "x"],
        ["--level", "6"],
        ["fifteen"],
        ["chess"],
        ["--daily", "--id", "1"],
        ["reversi", "--id", str(LONG.id)],
    ],
)
def test_puzzle_command_refuses_bad_arguments(program: Program, arguments: list[str]) -> None:
    assert_refused(program.run("--lang", "ru", "puzzle", *arguments), language="ru")


def test_solved_puzzle_is_remembered(program: Program) -> None:
    first, *others = LONG.solution()
    typed = text_of([wrong_move(LONG.id), "99", first, *others, "n"])
    ran = program.run("puzzle", "connect4", "--id", str(LONG.id), typed=typed)
    assert (ran.status, ran.errors) == (DONE, "")
    say = SAY["en"]
    assert "The move is taken back." in ran.output
    assert "A move is a column number from 1 to 7." in ran.output
    assert ran.output.count("Right.") == len(others)
    assert say("puzzle-solved-win", side=LONG.side) in ran.output
    stored = json.loads((program.folder / "noughts" / "settings.json").read_text())
    assert stored["solved"] == [LONG.id]
    again = program.run("puzzle", "--id", str(LONG.id), typed="q\n")
    assert say("puzzle-solved-before") in again.output


def test_solved_puzzles_are_skipped(program: Program) -> None:
    folder = program.folder / "noughts"
    folder.mkdir()
    easy = [puzzle.id for puzzle in puzzles_of("connect4", 1)]
    (folder / "settings.json").write_text(json.dumps({"solved": [*easy[1:], "no", True, -1]}))
    ran = program.run("puzzle", "connect4", "--level", "1", typed="next\n\nq\n")
    assert f"Puzzle {easy[0]}:" in ran.output
    assert json_of(program.run("puzzle", "connect4", "--level", "1", "--json"))["id"] == easy[0]


def test_puzzle_hints_give_area_then_move(program: Program) -> None:
    ran = program.run("puzzle", "--id", str(LONG.id), typed="?\nhint\nh\nq\n")
    assert ran.status == DONE
    assert ran.output.index("Look at") < ran.output.index(f"Hint: column {LONG.solution()[0]}.")
    assert SAY["en"]("help-puzzle-keys", show="show", next="next") in ran.output


def test_puzzle_hint_excludes_refuted_columns(program: Program) -> None:
    right = int(LONG.solution()[0])
    near = [number for number in (right - 1, right + 1) if 1 <= number <= 7]
    ran = program.run("puzzle", "--id", str(LONG.id), typed=text_of([*map(str, near), "?", "q"]))
    assert ran.output.count("The move is taken back.") == len(near)
    hint = next(line for line in ran.lines if line.startswith(("Look at", "It is one")))
    assert not {str(number) for number in near} & set(re.findall(r"\d+", hint))


def test_puzzle_refuses_game_commands(program: Program) -> None:
    """The text once claimed that u takes a move back and s shows scores, but s was refused too."""
    say = SAY["ru"]
    ran = program.run("--lang", "ru", "puzzle", "--id", str(LONG.id), typed="u\ns\nshow\nh\n")
    assert [say("command-not-in-puzzle", command=word) in ran.lines for word in "us"] == [True, True]
    assert say("help-setup") in ran.lines
    assert say("help-setup-scores") not in ran.lines


def test_show_prints_solution_and_continues(program: Program) -> None:
    ran = program.run("puzzle", "connect4", "--id", str(LONG.id), typed="show\ny\n")
    assert f"Solution: columns {LONG.line}" in ran.output
    assert ran.output.count("Puzzle ") == 2
    assert ran.status == NO  # The end of input left the next puzzle open.


def test_solution_option_prints_solution(program: Program) -> None:
    ran = program.run("puzzle", "--id", str(LONG.id), "--solution")
    assert (ran.status, ran.output.splitlines()[-1]) == (DONE, f"Solution: columns {LONG.line}")


def test_puzzle_moves_in_space_show_places(program: Program) -> None:
    ran = program.run("puzzle", "--id", "361", typed="1\nshow\n")
    assert "No: X answers with cell 13 (2a2). The move is taken back." in ran.output
    assert "Solution: cell 11 (2b3), cell 10 (2a3), cell 20 (3b3)" in ran.output


def test_puzzle_notes_won_field_once(program: Program) -> None:
    puzzle = next(one for one in puzzles_of("ultimate") if len(one.solution()) > 1)
    ran = program.run("puzzle", "--id", str(puzzle.id), typed=text_of([*puzzle.solution(), "n"]))
    won = [line for line in ran.lines if re.match("[XO] has won", line)]
    assert len(won) == len(set(won)) > 1


def test_puzzle_notes_joined_edges(program: Program) -> None:
    puzzle = next(one for one in puzzles_of("torus") if len(one.solution()) > 1)
    ran = program.run("puzzle", "--id", str(puzzle.id), typed=text_of([*puzzle.solution(), "n"]))
    assert (ran.status, ran.output.count(SAY["en"]("rule-wrap"))) == (DONE, 1)


def test_saving_puzzle_has_its_own_task(program: Program) -> None:
    typed = text_of([*SAVING.solution(), "q"])
    ran = program.run("--lang", "ru", "puzzle", "--id", str(SAVING.id), typed=typed)
    assert ran.status == DONE
    assert SAY["ru"]("puzzle-save", side=SAVING.side) in ran.output
    assert SAY["ru"]("puzzle-solved-save", side=SAVING.side) in ran.output


def test_ctrl_c_leaves_puzzles(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("noughts.interfaces.console.terminal.Terminal.read", interrupt)
    ran = program.run("puzzle")
    assert (ran.status, ran.output.splitlines()[-1]) == (DONE, SAY["en"]("left"))
