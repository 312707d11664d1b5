"""Requests, saved files and copies during a game are about the viewed position."""

from pathlib import Path

import pytest

from noughts.arena.clock import Clock
from noughts.arena.commands import MakeMove
from noughts.arena.local_table import LocalTable
from noughts.arena.series import Series
from noughts.core.board import coordinate_of
from noughts.drawing.svg import draw_svg
from noughts.interfaces.presenting.tasks import threats
from noughts.interfaces.tui.game.review import ReviewPage
from noughts.records.record import parse_record
from tests.interfaces.harness import SAY, squeezed
from tests.interfaces.tui.screens import NOW, open_app, press, seen, settle, spoken, start_of
from tests.interfaces.tui.table import SlowThinker, page_of, plan_of, sidebar_of, tells
from tests.running import run
from tests.stand_ins import MemoryStore

SAYS = SAY["en"]


def test_lines_and_threats_follow_the_viewed_position() -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            page = page_of(app)
            playing, asking = page.session, page.answers
            await press(app, "t", "!")
            results = []
            for keys in ("left", "5", "1", "4", "[", "["):
                await press(app, keys)
                results.append((asking.lines_here(), asking.threats_here()))
                assert results[-1] == (
                    playing.game.lines_through(coordinate_of(playing.game.shape, playing.cursor)),
                    threats(playing.game),
                )
            assert len({lines.open for lines, _ in results if lines is not None}) > 2
            assert results[3] != results[4] != results[5]

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("key", ["?", "v"])
def test_hints_and_values_are_for_the_viewed_position(key: str) -> None:
    thinker = SlowThinker()

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(), thinker=thinker) as (app, _):
            await press(app, *"519", "[", "[", key)
            assert thinker.last.arguments[0].ply == 1

    run(test())


def test_viewed_position_is_saved_and_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            await press(app, *"519", "[", "c", "s")
            assert app.clipboard == "5 1"
            picture = draw_svg(page_of(app).session.game, title="Ada - Wei")
            assert (tmp_path / "noughts-tictactoe-1.svg").read_text(encoding="utf-8") == picture

    run(test())


def test_saved_record_has_date_clocks_and_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(clock=Clock(base=60_000))) as (app, _):
            await press(app, *"513", "u", "y", "r", "y", "s")

    run(test())
    record = parse_record((tmp_path / "noughts-tictactoe-1.json").read_text(encoding="utf-8"))
    assert (record.moves, record.clocks) == (("5", "1"), (60_000, 60_000))
    assert (record.winner, record.termination) == ("O", "resignation")
    assert record.headers == {"date": "2023-11-14"}


def test_trial_is_refused_while_a_clock_runs() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of(clock=Clock(base=60_000))) as (app, _):
            await press(app, "5", "b")
            assert tells(app, SAYS("not-while-timed"))
            assert page_of(app).session.trial is None

    run(test())


@pytest.mark.parametrize(("left", "seconds"), [(20_000, 1.0), (100, 0.05), (3_600_000, 5.0)])
def test_computer_uses_a_part_of_its_time(left: int, seconds: float) -> None:
    thinker = SlowThinker()

    async def test() -> None:
        plan = plan_of("tictactoe", "human", "rule", clock=Clock(base=left))
        async with open_app((60, 20), plan=plan, thinker=thinker) as (app, _):
            await press(app, "5")
            assert thinker.last.arguments[3] == seconds

    run(test())


def test_continued_game_has_cursor_at_landing_cell() -> None:
    store = MemoryStore()
    sitting = LocalTable(store, "connect4", Series(("Ada", "Wei")), {"Ada": "human", "Wei": "human"})
    sitting.begin(NOW)
    assert sitting.match is not None
    sitting.apply("X", MakeMove((5, 3)), NOW)

    async def test() -> None:
        async with open_app((60, 20), store=store) as (app, _):
            start_of(app).open(lambda: sitting)
            await settle(app)
            playing = page_of(app).session
            assert playing.cursor == playing.latest.layout.index(0, 4, 3)

    run(test())


def test_values_are_unknown_for_three_players() -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of("three")) as (app, _):
            await press(app, "enter", "v")
            async for say in spoken(app):
                assert squeezed(say("no-value-not-two-sides")) in squeezed("".join(sidebar_of(app)))
            await press(app, "r", "y", "v")
            assert isinstance(app.screen, ReviewPage)
            async for say in spoken(app):
                assert squeezed(say("no-value-not-two-sides")) in squeezed(seen(app))
                assert "?" not in seen(app)

    run(test())


@pytest.mark.parametrize("ending", [("2", "4"), ("r", "y")])
def test_values_are_hidden_after_the_game(ending: tuple[str, ...]) -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            asking = page_of(app).answers
            await press(app, "5", "1", "6", "v")
            assert asking.worth is not None
            await press(app, *ending)
            assert page_of(app).session.is_over
            assert asking.worth is None
            assert not asking.is_searching
            await press(app, "[")
            assert asking.worth is not None  # The notice is about the position that is viewed.
            await press(app, "n")
            assert asking.worth is None
            assert not asking.is_searching

    run(test())
