"""Past faults in a game on the full screen: keys, questions, trials, failures."""

import json
from pathlib import Path

import pytest

from noughts.arena.series import Begins
from noughts.drawing.svg import draw_svg
from noughts.interfaces.tui.lobby.start_page import StartPage
from noughts.interfaces.tui.widgets.spans import LineInput
from noughts.workers.messages import TaskFailure
from tests.interfaces.harness import SAY
from tests.interfaces.tui.screens import open_app, press, seen, send, settle, start_of
from tests.interfaces.tui.table import (
    AGAINST_RULE,
    RULE,
    SlowThinker,
    assert_fits,
    assert_is_model,
    board_of,
    message_of,
    page_of,
    plan_of,
    tells,
)
from tests.running import run
from tests.stand_ins import MemoryStore

SAYS = SAY["en"]


# Go to a cell


@pytest.mark.slow
@pytest.mark.parametrize("text", ["pass", "99", "z9", "?"])
def test_invalid_cell_is_refused(text: str) -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of("reversi")) as (app, _):
            before = board_of(app), page_of(app).session.cursor
            await press(app, "g", *text, "enter")
            assert message_of(app)
            assert (board_of(app), page_of(app).session.cursor) == before
            await press(app, "g", *"a1", "enter")
            assert page_of(app).session.message is None
            assert page_of(app).session.cursor == 0

    run(test())


@pytest.mark.parametrize(("text", "index"), [("17", 16), ("64", 63), ("40", 39), ("16", 63), ("1", 48)])
def test_falling_through_planes_finds_cells_by_number(text: str, index: int) -> None:
    """Columns have the numbers 1 to 16; cells with higher numbers are found too."""

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of("score4")) as (app, _):
            await press(app, "g", *text, "enter")
            assert page_of(app).session.message is None
            assert page_of(app).session.cursor == index
            await press(app, "g", *"65", "enter")
            assert message_of(app)
            assert page_of(app).session.cursor == index

    run(test())


def test_column_example_is_a_column() -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of("connect4")) as (app, _):
            await press(app, "g")
            placeholder = app.screen.query_one(LineInput).placeholder
            assert placeholder == SAYS("go-to-cell", example="4")
            await press(app, *"4", "enter")
            assert page_of(app).session.message is None
            assert page_of(app).session.cursor % 7 == 3

    run(test())


def test_early_keys_go_into_the_field() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of()) as (app, _):
            page_of(app).action_go_to()
            send(app, "c", "1", "enter")
            await settle(app)
            assert page_of(app).session.cursor == 8
            assert board_of(app) == "........."
            assert not page_of(app).is_typing
            page_of(app).action_go_to()
            send(app, "9")
            await settle(app)
            await press(app, "escape", "5")
            assert board_of(app) == "....X...."

    run(test())


def test_digits_use_the_first_number() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of(), first=0) as (app, _):
            await press(app, "0", "8", "9")
            assert board_of(app) == "X.......O"
        async with open_app((60, 20), plan=plan_of(), first=1) as (app, _):
            await press(app, "0", "9")
            assert board_of(app) == "........X"

    run(test())


# Questions


@pytest.mark.parametrize("key", ["q", "Q", "в", "escape", "n"])
def test_question_can_be_withdrawn(key: str) -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of()) as (app, _):
            await press(app, "5", "r")
            assert page_of(app).session.question is not None
            await press(app, key)
            assert page_of(app).session.question is None
            assert app.is_running
            assert not page_of(app).session.is_over

    run(test())


def test_question_closes_at_the_end() -> None:
    thinker, store = SlowThinker(), MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=AGAINST_RULE, thinker=thinker, store=store) as (app, _):
            await press(app, "5", "r")
            assert page_of(app).session.question is not None
            thinker.last.tell(TaskFailure("failed", "Ouch"))
            await settle(app)
            assert page_of(app).session.is_over
            assert page_of(app).session.question is None
            await press(app, "y")
            outcome = page_of(app).session.match.outcome
            assert outcome is not None
            assert (outcome.winner, outcome.termination) == ("X", "forfeit")
            assert_is_model(app, store)

    run(test())


def test_letter_is_a_mark_before_an_answer() -> None:
    plan = plan_of("4x4:3,players=4", begins=Begins.CHOOSER)

    async def test() -> None:
        async with open_app((100, 30), plan=plan) as (app, _):
            for key in ("n", "enter"):
                await press(app, key)
                assert page_of(app).session.question is not None
            await press(app, "y")
            assert page_of(app).session.question is None
            assert page_of(app).session.match.turn == "Y"
            assert page_of(app).session.table.names["Y"] == "Ada"

    run(test())


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("size", [(60, 3), (60, 2), (60, 1), (20, 10), (24, 12)])
def test_low_window_shows_a_short_question(size: tuple[int, int]) -> None:
    async def test() -> None:
        async with open_app(size, plan=plan_of()) as (app, _):
            await press(app, "r")
            assert_fits(app)
            assert "y yes" in seen(app) or size[1] == 1
            await press(app, "n", "d")
            assert_fits(app)
            await press(app, "n", "5")
            assert board_of(app) == "....X...."

    run(test())


# Trials


@pytest.mark.parametrize("size", [(100, 30), (24, 12)])
def test_finished_trial_shows_its_own_result(size: tuple[int, int]) -> None:
    """X resigned the real game; in the trial X has a line."""
    store = MemoryStore()

    async def test() -> None:
        async with open_app(size, plan=plan_of(), store=store) as (app, _):
            await press(app, *"1425", "r", "y")
            assert tells(app, SAYS("wins", winner="Wei").rstrip("."))
            before = store.load(1)
            await press(app, "[", "b", "5", "3")
            assert page_of(app).session.trial is not None
            assert tells(app, SAYS("wins", winner="Ada").rstrip("."))
            assert not tells(app, SAYS("wins", winner="Wei").rstrip("."))
            assert_fits(app)
            await press(app, "q")
            assert page_of(app).session.trial is None
            assert tells(app, SAYS("wins", winner="Wei").rstrip("."))
            assert store.load(1) == before
            assert_is_model(app, store)

    run(test())


def test_trial_lines_are_cyclic() -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            await press(app, "5", "1", "9", "[", "[", "b", "2", "3", "b")
            assert tells(app, SAYS("trial-one-line").split(".")[0])
            await press(app, "[", "b", "7", "8")
            session = page_of(app).session
            assert session.lines == (2, 2)
            assert tells(app, SAYS("in-trial-line", number=2, of=2).split(";")[0])
            await press(app, "b")
            assert (session.lines, board_of(app)) == ((1, 2), ".OX.X....")
            await press(app, "b")
            assert (session.lines, board_of(app)) == ((2, 2), ".O..X.XO.")
            await press(app, "u", "u", "u")
            assert board_of(app) == "....X...."
            await press(app, "[", "b", "1")
            assert session.lines == (3, 3)
            await press(app, "q")
            assert (session.lines, board_of(app)) == ((0, 0), "O...X...X")

    run(test())


@pytest.mark.slow
def test_finished_line_can_be_revisited() -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            await press(app, *"142", "b", "5", "3")
            session = page_of(app).session
            assert session.is_at_end
            await press(app, "[", "b", "9", "b")
            assert tells(app, SAYS("wins", winner="Ada").rstrip("."))
            await press(app, "b")
            assert not session.is_over

    run(test())


def test_forfeited_trial_is_reported() -> None:
    thinker, store = SlowThinker(), MemoryStore()

    async def test() -> None:
        async with open_app((100, 30), plan=AGAINST_RULE, thinker=thinker, store=store) as (app, _):
            await press(app, "5")
            thinker.last.answer()
            await settle(app)
            await press(app, "r", "y", "[", "b")
            assert page_of(app).session.match.turn == "O"
            thinker.last.tell(TaskFailure("failed", "Ouch"))
            await settle(app)
            playing = page_of(app).session
            assert playing.trial is not None
            assert playing.is_over
            assert tells(app, SAYS("forfeit-raised", loser=RULE, detail="Ouch"))
            assert tells(app, SAYS("wins", winner="Ada").rstrip("."))
            assert [score.wins for score in playing.table.series.scores()] == [0, 1]
            await press(app, "q")
            assert tells(app, SAYS("wins", winner=RULE).rstrip("."))
            assert_is_model(app, store)

    run(test())


def test_trial_is_saved_as_picture_and_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def test() -> str:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            await press(app, "5", "1", "9", "[", "b", "2", "3", "s")
            return draw_svg(page_of(app).session.game, title="Ada - Wei")

    drawn = run(test())
    record = json.loads((tmp_path / "noughts-tictactoe-1.json").read_text())
    assert (record["moves"], record["players"]) == (["5", "1", "2", "3"], {"X": "Ada", "O": "Wei"})
    assert (tmp_path / "noughts-tictactoe-1.svg").read_text() == drawn


# Looking back


def test_escape_leaves_one_state() -> None:
    async def test() -> None:
        async with open_app((60, 20)) as (app, _):
            start_of(app).play(plan_of())
            await settle(app)
            await press(app, "5", "1", "[", "[", "escape")
            assert not page_of(app).session.is_looking_back
            assert board_of(app) == "O...X...."
            await press(app, "[", "b", "2", "[", "escape")
            assert page_of(app).session.trial is not None
            await press(app, "escape")
            assert page_of(app).session.trial is None
            await press(app, "escape")
            assert isinstance(app.screen, StartPage)
            await press(app, "escape", "escape")
            assert app.is_running  # The key q leaves the gallery.
            await press(app, "q")
            assert not app.is_running

    run(test())


# Russian keys


@pytest.mark.slow
def test_russian_letters_act_as_latin_keys() -> None:
    async def test() -> None:
        async with open_app((100, 30)) as (app, _):
            start_of(app).play(plan_of())
            await settle(app)
            page = page_of(app)
            await press(app, "5", "1", "г", "y")
            assert board_of(app) == "....X...."
            await press(app, "е")
            assert "lines" in page.answers.shown
            await press(app, "м", "д")  # Show the values, then move right.
            assert "values" in page.answers.shown
            start = page.session.cursor
            await press(app, "р")
            assert page.session.cursor == start - 1
            await press(app, "ш")  # The letter i is no key.
            assert page.session.question is None
            await press(app, "к", "n", "х")
            assert page.session.is_looking_back
            await press(app, "ъ", "п")
            assert page.is_typing
            await press(app, "escape", "в")  # The letter leaves. It is not the key d for a draw.
            assert isinstance(app.screen, StartPage)
            start_of(app).play(plan_of())
            await settle(app)
            await press(app, "й")
            assert isinstance(app.screen, StartPage)

    run(test())


# Marks that leave


def test_next_mark_to_leave_has_a_sign() -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of("vanishing")) as (app, _):
            await press(app, *"1425")
            assert "leaving" not in page_of(app).view.highlights.get(0, "")
            await press(app, "9")  # The notice names both sides, whoever is to move.
            assert "leaving" in page_of(app).view.highlights[0]
            await press(app, "7")
            highlights = page_of(app).view.highlights
            assert "leaving" in highlights[0]
            assert "leaving" in highlights[3]
            assert seen(app).count("~") == 4
            await press(app, "3")
            assert board_of(app) == ".XXOO.O.X"
            highlights = page_of(app).view.highlights
            assert "leaving" in highlights[3]
            assert "leaving" not in highlights.get(0, "")

    run(test())


def test_line_can_be_promoted_and_removed() -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            session = page_of(app).session
            await press(app, "m")
            assert message_of(app) == SAYS("only-in-trial")
            await press(app, *"51", "b", "x")
            assert message_of(app) == SAYS("nothing-tried")
            await press(app, "m")
            assert message_of(app) == SAYS("nothing-tried")
            await press(app, *"93", "[", "[", "b", *"74", "[", "m")
            assert message_of(app) == SAYS("past-position")
            await press(app, "]")
            assert (session.lines, board_of(app)) == ((2, 2), "O..OX.X..")
            await press(app, "m")
            assert (message_of(app), session.lines) == (SAYS("trial-promoted"), (1, 2))
            await press(app, "b")
            assert (session.lines, board_of(app)) == ((2, 2), "O.O.X...X")
            await press(app, "x")
            assert (message_of(app), session.lines) == (SAYS("trial-removed"), (1, 1))
            assert board_of(app) == "O..OX.X.."
            await press(app, "delete")
            assert board_of(app) == "O...X...."
            await press(app, "q")
            assert board_of(app) == "O...X...."

    run(test())
