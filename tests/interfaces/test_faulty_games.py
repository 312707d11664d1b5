"""External games that break the contract, in the console, the full screen and rooms."""

import json
from pathlib import Path

import pytest

from tests.faulty_games import FAULTS, MOVES, install
from tests.interfaces.harness import DONE, SAY, Program, forget_settings
from tests.interfaces.tui.screens import open_app, press, seen
from tests.interfaces.tui.table import plan_of
from tests.interfaces.web.harness import House, served
from tests.running import run

PEOPLE = ("--x", "human", "--o", "human", "--names", "Ada,Wei", "--plain")
SQUARE = ("1", "9", "2", "8", "4", "7", "5")
ENGLISH = "\n\n".join(
    f'msgid "{id_}"\nmsgstr "{text}"'
    for id_, text in {
        "title-square": "Square",
        "tag-square": "four in a square",
        "rules-square": "Make a square.",
        "wins-square": "{winner} has a square.",
        "ended-square": "a square",
    }.items()
)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    forget_settings(monkeypatch, tmp_path)
    (tmp_path / "en.po").write_text(ENGLISH + "\n")
    install(
        tmp_path,
        monkeypatch,
        FAULTS["outcome-lines-none"],
        locales="__import__('pathlib').Path(__file__).parent",
    )
    return Program(tmp_path)


@pytest.mark.slow
def test_console_ends_broken_game(program: Program) -> None:
    ran = program.run("play", "faulty", *PEOPLE, typed="\n".join([*MOVES, "q"]))
    assert "its package faulty-games is faulty (Outcome.lines: None" in ran.output
    assert (ran.status, ran.errors) == (DONE, "")
    (game,) = json.loads(program.run("history", "--json").output)["games"]
    assert (game["termination"], game["winner"]) == ("broken", None)
    assert json.loads(program.run("scores", "--json").output)["players"] == []
    assert "its package faulty-games is faulty" in program.run("replay", "1").output


@pytest.mark.slow
def test_console_announces_square(program: Program) -> None:
    ran = program.run("play", "square", *PEOPLE, typed="\n".join([*SQUARE, "q"]))
    assert "Ada has a square." in ran.output


@pytest.mark.slow
def test_full_screen_survives_broken_game(program: Program) -> None:
    async def test() -> None:
        async with open_app((100, 40), plan=plan_of("faulty")) as (app, _):
            for text in MOVES[:7]:
                await press(app, text)
            assert SAY["en"]("over-broken") in seen(app)

    run(test())


@pytest.mark.slow
@served
async def test_room_ends_a_broken_game(house: House, program: Program) -> None:
    one, two = await house.pair(game="faulty")
    for number, text in enumerate(MOVES[:7]):
        await (one, two)[number % 2].do("move", move=text)
    result = (await two.look())["result"]
    assert (result["termination"], result["winner"]) == ("broken", None)
    assert result["sentences"] == [SAY["en"]("end-broken", package="faulty-games")]
    assert (await one.look())["cells"].count(None) == 3


@pytest.mark.slow
@served
async def test_room_shows_a_square(house: House, program: Program) -> None:
    one, two = await house.pair(game="square")
    for number, text in enumerate(SQUARE):
        await (one, two)[number % 2].do("move", move=text)
    state = await two.look()
    assert sorted(state["lines"]) == [[0], [1], [3], [4]]
    assert state["annotations"]["lines"] == [["1", "2", "4", "5"]]
    assert state["result"]["sentences"] == [f"{state['players'][0]['name']} has a square."]


def test_check_reports_each_fault_once(program: Program) -> None:
    ran = program.run("games", "--check", "faulty")
    assert ran.status == 1
    assert ran.lines == [SAY["en"]("trial-answers", words="Outcome.lines: None is not a tuple of Line")]
    answer = json.loads(program.run("games", "--check", "square", "--json").output)
    assert (answer["passed"], answer["failed"], list(answer["missing"])) == (
        False,
        {},
        ["ru", "zh-Hans", "zh-Hant"],
    )


@pytest.mark.slow
def test_check_passes_our_games(program: Program) -> None:
    ran = program.run("games", "--check", "3x3:3,gravity")
    assert (ran.status, ran.lines) == (DONE, [SAY["en"]("check-passed", name="3x3:3,gravity", count=15)])
    assert program.run("games", "--check", "checkers").status == 2


def test_check_reports_a_skipped_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forget_settings(monkeypatch, tmp_path)
    install(tmp_path, monkeypatch, FAULTS["outcome-raises"], late=2)
    ran = Program(tmp_path).run("games", "--check", "faulty")
    assert (ran.status, len(ran.lines)) == (1, 1)
    assert "faulty-games" in ran.output
