"""The package of ``examples/quixo``, installed: listed, drawn, analysed and recorded like other games."""

import json
import subprocess
import sys
from itertools import product
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Any

import pytest

from noughts import new_game, perft, play
from noughts.drawing.board_text import draw_text
from noughts.drawing.svg import draw_svg
from noughts.errors import NotFound, UnsupportedRules
from noughts.games.base import Game
from noughts.games.catalogue import all_entries, find_entry, name_of, sample
from noughts.games.moves import cells_of
from noughts.games.notation import format_position, parse_position
from noughts.interfaces.presenting.game_plan import PlayOptions
from noughts.interfaces.presenting.i18n import LANGUAGES, Translator
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.web.pages.tiles import draw_tile
from noughts.players.base import new_player
from noughts.records.record import Record, format_record, parse_record
from noughts.records.sgf import format_sgf
from noughts.search.analysis import Limit
from noughts.search.analyst import Analyst
from noughts.workers.messages import TaskContext, TaskResult
from noughts.workers.supervisor import ProcessWorker
from tests.interfaces.harness import DONE, PEOPLE, SAY, Program, converse, forget_settings
from tests.interfaces.tui.screens import open_app, press, seen
from tests.interfaces.tui.table import board_of as shown_board
from tests.interfaces.tui.table import page_of, plan_of
from tests.interfaces.web.harness import House, served
from tests.running import run

ROOT = Path(__file__).parent.parent
Cells = list[list[str | None]]

pytestmark = pytest.mark.usefixtures("quixo")


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    forget_settings(monkeypatch, tmp_path)
    return Program(tmp_path)


# The rules, compared with a slow model


def model_pushes(cells: Cells, mark: str) -> dict[tuple[int, ...], Cells]:
    """Return the boards after each move of *mark*, found by moving cubes one place at a time."""
    result: dict[tuple[int, ...], Cells] = {}
    for row, column, down, across in product(range(5), repeat=4):
        inner = 0 < row < 4 and 0 < column < 4
        ends = (row == down and across in (0, 4)) or (column == across and down in (0, 4))
        if inner or not ends or (row, column) == (down, across) or cells[row][column] not in (None, mark):
            continue
        after = [list(line) for line in cells]
        y, x = row, column
        while (y, x) != (down, across):
            next_y, next_x = y + (down > y) - (down < y), x + (across > x) - (across < x)
            after[y][x] = after[next_y][next_x]
            y, x = next_y, next_x
        after[y][x] = mark
        result[row, column, down, across] = after
    return result


def model_lines(cells: Cells, mark: str) -> bool:
    lines = [*cells, *zip(*cells, strict=True)]
    lines += [[cells[place][place] for place in range(5)], [cells[place][4 - place] for place in range(5)]]
    return any(set(line) == {mark} for line in lines)


def board_of(game: Game) -> Cells:
    return [list(game.cells[row * 5 : row * 5 + 5]) for row in range(5)]


@pytest.mark.slow
def test_quixo_matches_slow_model() -> None:
    for seed in range(40):
        game, chance = new_game("quixo"), Random(seed)
        while not game.is_over and game.ply < 120:
            before, turn, opponent = board_of(game), game.turn, game.sides[1 - game.ply % 2]
            pushes = model_pushes(before, turn)
            legal = {(*one, *two): move for move in game.legal_moves() for one, two in [cells_of(move)]}
            assert set(legal) == set(pushes)
            chosen = chance.choice(sorted(legal))
            game.play(legal[chosen])
            assert board_of(game) == pushes[chosen]
            won = opponent if model_lines(pushes[chosen], opponent) else turn
            assert game.winner == (won if model_lines(pushes[chosen], won) else None)


@pytest.mark.slow
def test_quixo_perft_matches_model() -> None:
    assert perft(new_game("quixo"), 3) == [44, 1836, 76596]  # The model above counts them too.
    game, counts = new_game("quixo"), [0, 0]
    for after in model_pushes(board_of(game), "X").values():
        counts = [counts[0] + 1, counts[1] + len(model_pushes(after, "O"))]
    assert counts == [44, 1836]


# The library


def test_quixo_is_in_the_catalogue() -> None:
    entry = find_entry("quixo")
    assert entry in all_entries()
    assert name_of(new_game("quixo", marks=("O", "X"))) == "quixo"
    shown = sample("quixo")
    assert shown.ply == 14
    assert not shown.is_over


@pytest.mark.parametrize("language", LANGUAGES)
def test_quixo_has_texts_in_every_language(language: str) -> None:
    entry, game = find_entry("quixo"), new_game("quixo")
    say = Translator(language)
    assert entry is not None
    assert say.missing(entry, game) == []
    assert title_of(say, "quixo") != "quixo"
    assert say.messages(game.rule_text) != "rules-quixo"


def test_quixo_is_drawn() -> None:
    assert draw_svg(sample("quixo"), title="quixo").count("<svg") == 1
    assert any("X" in line for line in draw_text(sample("quixo"), width=20))


def test_quixo_record_replays() -> None:
    game = sample("quixo")
    record = Record.of(game, {"X": "Ada", "O": "Wei"})
    assert record.game == "quixo"
    assert parse_record(format_record(record)).replay().moves == game.moves
    again = parse_position(new_game("quixo"), format_position(game))
    assert (again.key(), again.legal_moves()) == (game.key(), game.legal_moves())


def test_sgf_refuses_quixo() -> None:
    with pytest.raises(UnsupportedRules):
        format_sgf(Record.of(sample("quixo")))


def test_players_play_quixo() -> None:
    game = new_game("quixo")
    for name in ("rule", "level:2"):
        assert new_player(name, Random(1)).choose(game.copy(), Limit(nodes=50)) in game.legal_moves()
    game = parse_position(game, "XXXX./.OOO./...../...../....O X")
    play(game, x=new_player("level:4", Random(1)), o=new_player("random", Random(2)), limit=Limit(nodes=300))
    assert game.is_over


def test_quixo_is_analysed() -> None:
    game = parse_position(new_game("quixo"), "XXXX./OO.../...../...../....O X")
    analysis = Analyst().analyse(game, Limit(nodes=2000))
    assert analysis.best is not None
    game.play(analysis.best)
    assert (game.winner, analysis.value) == ("X", 1)


@pytest.mark.slow
def test_worker_process_handles_quixo() -> None:
    thinker, heard = ProcessWorker(), SimpleQueue[Any]()
    thinker.ask(count_moves, sample("quixo"), on_message=heard.put)
    answer = heard.get(timeout=60)
    thinker.close()
    assert answer == TaskResult(len(sample("quixo").legal_moves()))


def count_moves(desk: TaskContext, game: Game) -> int:
    return len(game.legal_moves())


# The programs


def test_games_command_lists_quixo(program: Program) -> None:
    ran = program.run("games", "--json")
    assert (ran.status, ran.errors) == (DONE, "")
    (answer,) = [game for game in json.loads(ran.output)["games"] if game["name"] == "quixo"]
    assert answer["shape"] == [5, 5]
    assert answer["rules"].startswith("Take a cube")


def test_console_plays_quixo() -> None:
    say = SAY["ru"]
    typed = ["a5-e5", "b3", "a1 e1", *("5-25", "21-1", "25-5", "1-5", "5-25", "25-5", "21-25", "q")]
    answer = converse(typed, PlayOptions(game="quixo", who=PEOPLE), language="ru")
    assert say("accepted-move", example="1-5") in answer.output
    (stored,) = answer.store.games()
    assert (stored.setup.game, stored.replay().game.name) == ("quixo", "quixo")
    moves = [event.data["move"] for event in stored.events if event.kind == "move"]
    assert moves[:3] == ["1-5", "21-25", "5-25"]


@pytest.mark.slow
def test_full_screen_plays_quixo() -> None:
    async def test() -> None:
        async with open_app((100, 40)) as (app, _):
            await press(app, "/", *"quixo")
            assert "Quixo" in seen(app)
        async with open_app((60, 24), plan=plan_of("quixo")) as (app, _):
            await press(app, "g", *"a5", "enter", "enter")
            assert page_of(app).session.parts == ((0, 0),)
            await press(app, "g", *"e5", "enter", "enter")
            assert shown_board(app) == "....X" + "." * 20
            await press(app, "g", *"a1-e1", "enter")
            assert shown_board(app) == "....X" + "." * 19 + "O"

    run(test())


@pytest.mark.slow
@served
async def test_web_plays_quixo(house: House) -> None:
    guest = house.guest()
    message = (await guest.get("/api/catalogue?lang=ru")).json()["games"]
    (quixo,) = [game for game in message if game["name"] == "quixo"]
    assert (quixo["title"], quixo["layout"]["rows"]) == ("Квиксо", 5)
    assert draw_tile(sample("quixo"), "quixo") in (await guest.get("/")).text
    text = (await guest.get("/i18n/zh-Hans.json")).json()
    assert text["tag-quixo"] == "推方块，五子连线"
    one, two = await house.pair(game="quixo")
    assert len(one.state["legal"]) == 44
    assert one.state["legal"][0]["parts"] == [0, 4]
    for number, move in enumerate(["a5-e5", "25-21", "5-25", "21-25"]):
        await (one, two)[number % 2].do("move", move=move)
    assert (await two.look())["moves"][-1]["name"] == "a1-e1"
    await one.look()
    answer = await one.ask("move", move="1-1")
    assert answer.status_code == 422
    await one.do("resign")
    listed = (await guest.get("/api/games")).json()["games"]
    assert (listed[0]["game"], listed[0]["winner"]) == ("quixo", "O")


def test_console_shows_games_of_a_removed_package(
    program: Program, monkeypatch: pytest.MonkeyPatch, quixo: Path
) -> None:
    people = ("play", "quixo", "--x", "human", "--o", "human", "--names", "Ada,Wei")
    assert program.run(*people, typed="1-5\nq\n").status == DONE
    assert "quixo" in program.run("history").output
    monkeypatch.delenv("PYTHONPATH")
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place != str(quixo)])
    ran = program.run("history", "--json")
    (answer,) = json.loads(ran.output)["games"]
    assert (answer["game"], answer["moves"], answer["winner"]) == ("quixo", ["1-5"], None)
    assert "There is no game “quixo”" in program.run("replay", "1").errors
    ran = program.run("play", "--plain", typed="\nq\n", is_terminal=True)  # Another game can be played.
    assert "tictactoe" in ran.output
    assert "not installed" in ran.output
    with pytest.raises(NotFound):
        new_game("quixo")


@served
async def test_web_reports_a_removed_game(house: House, quixo: Path) -> None:
    one, _ = await house.pair(game="quixo")
    await one.do("move", move="1-5")
    await one.do("resign")
    number = one.state["game_id"]
    sys.path.remove(str(quixo))
    guest = house.guest()
    (listed,) = (await guest.get("/api/games")).json()["games"]
    assert (listed["title"], listed["plies"], listed["winner"]) == ("quixo", 1, "O")
    answer = await guest.get(f"/api/games/{number}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "unknown-game")
    assert "not installed" in answer.json()["error"]["sentence"]


@pytest.mark.slow
def test_quixo_package_tests_pass(quixo: Path, tmp_path: Path) -> None:
    tests = ROOT / "examples" / "quixo" / "tests"
    options = ["-q", "-c", str(tmp_path / "none.ini"), "--rootdir", str(tmp_path), "-p", "no:cacheprovider"]
    (tmp_path / "none.ini").write_text("[pytest]\n")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(tests)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout
