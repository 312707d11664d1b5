"""Clocks, files, the review, settings and leaving, in the middle of a game."""

import errno
import json
import os
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from noughts.arena.clock import Clock
from noughts.arena.events import EventKind
from noughts.arena.local_table import unfinished_human_games
from noughts.arena.store.database import open_database
from noughts.errors import FileRefused, StoreError
from noughts.games.catalogue import new_game
from noughts.games.notation import format_move, parse_position
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.presenting.preferences import Preferences
from noughts.interfaces.tui.game.review import ReviewPage
from tests.interfaces.harness import SAY
from tests.interfaces.tui.screens import NOW, click_text, open_app, press, seen, settle, spoken
from tests.interfaces.tui.table import (
    DRAW,
    WIN,
    SlowThinker,
    assert_is_model,
    board_of,
    page_of,
    plan_of,
    sidebar_of,
    tells,
    tick,
)
from tests.running import run
from tests.stand_ins import MemoryStore

SAYS = SAY["en"]


# Clocks


@pytest.mark.slow
def test_clock_runs_out() -> None:
    store, time = MemoryStore(), [NOW]
    plan = plan_of(clock=Clock(base=60_000))

    async def test() -> None:
        async with open_app((60, 20), plan=plan, store=store, now=lambda: time[0]) as (app, _):
            time[0] += 90_000
            await press(app, "1", "2")
            assert "1:00" in seen(app)
            time[0] += 12_000
            await press(app, "5")
            assert "0:48" in seen(app)
            time[0] += 51_500
            await tick(app)
            assert "8.5" in seen(app)
            time[0] += 8_499
            await tick(app)
            assert not page_of(app).session.is_over
            await press(app, "r")  # A question is open when the flag falls, and it closes.
            time[0] += 2
            await tick(app)
            assert page_of(app).session.is_over
            assert page_of(app).session.question is None
            assert tells(app, SAYS("end-time", loser="Wei"))
            assert tells(app, SAYS("wins", winner="Ada").rstrip("."))
            assert_is_model(app, store)

    run(test())


def test_flag_needs_a_first_move() -> None:
    time = [NOW]

    async def test() -> None:
        plan = plan_of("tictactoe", "human", "rule", clock=Clock(per_move=5_000))
        async with open_app((60, 20), plan=plan, now=lambda: time[0]) as (app, _):
            await press(app, "5", "u")
            message = page_of(app).session.message
            time[0] += 5_000
            await tick(app)
            assert page_of(app).session.message is message
            await press(app, "5")
            assert tells(app, SAYS("end-time", loser="Ada"))

    run(test())


@pytest.mark.slow
def test_late_move_loses() -> None:
    time, store = [NOW], MemoryStore()
    plan = plan_of(clock=Clock(per_move=5_000))

    async def test() -> None:
        async with open_app((60, 20), plan=plan, store=store, now=lambda: time[0]) as (app, _):
            await press(app, "1", "2")
            time[0] += 5_000
            await press(app, "5")
            assert board_of(app) == "XO......."
            assert tells(app, SAYS("end-time", loser="Ada"))
            assert_is_model(app, store)

    run(test())


@pytest.mark.slow
def test_clock_of_computer_runs() -> None:
    time, store, thinker = [NOW], MemoryStore(), SlowThinker()
    plan = plan_of("tictactoe", "human", "rule", clock=Clock(base=10_000))

    async def test() -> None:
        around: dict[str, Any] = {"store": store, "thinker": thinker, "now": lambda: time[0]}
        async with open_app((60, 20), plan=plan, **around) as (app, _):
            await press(app, "5")
            thinker.last.answer()
            await settle(app)
            await press(app, "6", "[")  # The clock runs while a person looks back.
            time[0] += 10_000
            await tick(app)
            assert page_of(app).session.is_at_end
            outcome = page_of(app).session.match.outcome
            assert outcome is not None
            assert (outcome.winner, outcome.termination) == ("X", "time")
            assert thinker.last.is_stopped
            thinker.last.answer_late()
            await settle(app)
            assert_is_model(app, store)

    run(test())


# Files and the clipboard


@pytest.mark.slow
def test_saving_never_overwrites_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            await press(app, *WIN, "s")
            names = ["noughts-tictactoe-1.svg", "noughts-tictactoe-1.json"]
            message = page_of(app).session.message
            assert message is not None
            assert message(page_of(app).wording) == SAYS("saved", files=names, folder=str(tmp_path))
            first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
            await press(app, "[", "s")
            assert {
                path.name: path.read_bytes() for path in tmp_path.iterdir() if path.name in first
            } == first
            assert len(list(tmp_path.iterdir())) == 4

    run(test())
    record = json.loads((tmp_path / "noughts-tictactoe-1.json").read_text())
    assert record["moves"] == list(WIN)
    assert (tmp_path / "noughts-tictactoe-1.svg").read_text().startswith("<svg")


def test_failed_saving_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    real = Path.open

    def refuse(path: Path, *arguments: Any, **more: Any) -> Any:
        if path.suffix == ".json":
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(path, *arguments, **more)

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            with monkeypatch.context() as patch:
                patch.setattr(Path, "open", refuse)
                await press(app, "5", "s")
            async for say in spoken(app):
                assert tells(app, say("not-saved", reason=say("store-reason-no-room")))
            assert list(tmp_path.iterdir()) == []
            (tmp_path / "noughts-tictactoe-1.json").touch()
            await press(app, "s")
            names = ["noughts-tictactoe-2.svg", "noughts-tictactoe-2.json"]
            assert {path.name for path in tmp_path.iterdir()} == {"noughts-tictactoe-1.json", *names}

    run(test())


@pytest.mark.slow
def test_saved_picture_has_whole_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plan = plan_of(names=("Alexandra Konstantinova", "Wei"))

    async def test() -> None:
        async with open_app((24, 12), plan=plan) as (app, _):
            await press(app, "s")

    run(test())
    assert "Alexandra Konstantinova" in (tmp_path / "noughts-tictactoe-1.svg").read_text(encoding="utf-8")


def test_file_names_are_tried_a_limited_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("noughts.interfaces.tui.game.saving.MAX_FILES", 2)

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            await press(app, "s", "s")
            why = SAYS.error(FileRefused(str(tmp_path), "names-taken"))
            message = page_of(app).session.message
            assert message
            assert message(page_of(app).wording) == SAYS("not-saved", reason=why.rstrip("."))

    run(test())


@pytest.mark.slow
def test_moves_are_copied() -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            await press(app, "c")
            assert tells(app, SAYS("nothing-to-copy"))
            await press(app, *"519", "c")
            assert app.clipboard == "5 1 9"
            assert tells(app, SAYS("copied", moves="5 1 9"))

    run(test())


@pytest.mark.slow
def test_position_is_copied_for_custom_start() -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of("fifteen")) as (app, _):
            game = page_of(app).session.latest
            await press(app, "g", *format_move(game, game.legal_moves()[0]), "enter", "enter", "c")
            game = page_of(app).session.latest
            assert game.ply == 1
            assert parse_position(new_game("fifteen"), app.clipboard).cells == game.cells

    run(test())


# The review


def test_move_chosen_in_review_is_viewed() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of()) as (app, _):
            await press(app, *WIN, "v")
            assert isinstance(app.screen, ReviewPage)
            assert SAYS("review-heading") in seen(app)
            await press(app, "left", "left", "right", "down", "up", "n", "enter")
            assert not isinstance(app.screen, ReviewPage)
            assert board_of(app) == "X..O....."
            await press(app, "end", "v", "h", "escape")
            assert board_of(app) == "XXXOO...."
            await press(app, "v")
            await click_text(app, "1 X a3")
            await click_text(app, "1 X a3")
            assert board_of(app) == "X........"

    run(test())


@pytest.mark.slow
def test_game_without_moves_has_no_review() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of()) as (app, _):
            await press(app, "r", "y", "v")
            assert tells(app, SAYS("nothing-to-review"))

    run(test())


# Settings during a game


@pytest.mark.slow
def test_language_changes_at_once() -> None:
    remembered: list[Preferences] = []

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(), remember=remembered.append) as (app, _):
            await press(app, "5", "r", "escape")
            for language in ("ru", "zh-Hans", "zh-Hant", "en"):
                await press(app, "L", str(list(LANGUAGES).index(language) + 1))
                assert tells(app, SAY[language]("is-to-move", player="Wei"))
                assert SAY[language]("key-leave") in seen(app)
                assert remembered[-1].language == language

    run(test())


@pytest.mark.slow
def test_theme_and_marks_change_during_a_question() -> None:
    remembered: list[Preferences] = []

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(), remember=remembered.append) as (app, _):
            await press(app, "5", "r", "f3")
            assert "".join(seen(app)).isascii()
            await press(app, "f3")
            assert not seen(app).isascii()
            before = app.styling.theme
            await press(app, "f2")
            assert app.styling.theme != before
            assert page_of(app).session.question is not None
            await press(app, "escape", "f2")
            assert app.styling.theme == before

    run(test())
    assert [chosen.marks for chosen in remembered][:2] == ["ascii", "unicode"]
    assert {chosen.theme for chosen in remembered[2:]} == {"light", "dark"}


# Lines, threats, values, leaving


@pytest.mark.slow
def test_threats_and_lines_are_shown_over_the_board() -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of("qubic")) as (app, _):
            await press(app, "t")
            assert "•" in seen(app)
            assert seen(app).splitlines()[1].split("│")[0].strip() == "2c2   7 lines: 7 open, 0 closed"
            assert "7 lines" not in " ".join(sidebar_of(app))
            await press(app, "t")
            assert "•" not in seen(app)

    run(test())

    async def threats() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            await press(app, *"142", "!")
            text = " ".join(" ".join(sidebar_of(app)).split())
            assert SAYS("threats-others", moves=["c3"]) in text
            await press(app, "!")
            assert SAYS("threats-others", moves=["c3"]) not in " ".join(" ".join(sidebar_of(app)).split())

    run(threats())


@pytest.mark.slow
def test_leaving_prints_a_message() -> None:
    async def leave(*keys: str) -> list[str]:
        async with open_app((60, 20), plan=plan_of()) as (app, _):
            await press(app, *keys)
            assert not app.is_running
            return list(app.farewell)

    async def test() -> None:
        assert await leave("q") == [SAYS("left")]
        assert await leave("5", "escape") == [SAYS("left-kept")]
        assert await leave("5", "В") == [SAYS("left-kept")]
        assert await leave(*DRAW, "в") == [SAYS("left")]
        assert await leave("5", "r", "ctrl+c") == [SAYS("left-kept")]

    run(test())


@pytest.mark.skipif(os.name == "nt", reason="open files cannot be deleted there")
def test_deleted_database_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    gone = SAYS.error(StoreError(str(path), "gone"))

    async def test() -> None:
        with closing(open_database(f"sqlite:///{path}")) as store:
            async with open_app((300, 30), plan=plan_of(), store=store) as (app, _):
                await press(app, "5")
                path.unlink()
                await press(app, "1")
                assert tells(app, gone)
                assert board_of(app) == "....X...."
                await press(app, "q")
                assert app.farewell == [SAYS("left-in-game"), gone]
                assert app.has_lost_game

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize(("keys", "count"), [("14253q", 0), ("14253nq", 0), ("14253n5q", 1)])
def test_series_left_between_games_has_ended(keys: str, count: int) -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of(), store=store) as (app, _):
            await press(app, *keys)

    run(test())
    assert len(list(unfinished_human_games(store))) == count


@pytest.mark.slow
def test_refusal_is_shown_until_next_action() -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of(), store=store) as (app, _):
            await press(app, "5", "5")
            refusal = SAYS("cell-taken", cell="b2", free=["a3", "b3", "c3", "a2", "c2", "a1", "b1", "c1"])
            assert tells(app, refusal)
            await press(app, "enter")
            assert tells(app, refusal)
            await press(app, "g", "z", "9", "enter")
            assert not tells(app, refusal)
            assert page_of(app).session.message is not None
            await press(app, "1")
            assert page_of(app).session.message is None
            assert board_of(app) == "O...X...."

    run(test())
    assert [event.kind for stored in store.games() for event in stored.events] == [EventKind.MOVE] * 2
