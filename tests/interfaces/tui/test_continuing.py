"""Continuing interrupted games from the gallery."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from noughts.arena.commands import MakeMove
from noughts.arena.local_table import LocalTable
from noughts.arena.match import Match
from noughts.arena.series import Series
from noughts.arena.stored_game import StoredGame
from noughts.errors import DamagedStore
from noughts.interfaces.tui.lobby.start_page import StartPage
from tests.interfaces.tui.gallery import check, interrupted, page_of, played, press, recorded
from tests.interfaces.tui.screens import EVERY, NOW, SIZES, click_text, open_app, seen, spoken
from tests.running import run
from tests.stand_ins import MemoryStore


@pytest.mark.slow
@pytest.mark.parametrize(("size", "language"), EVERY)
def test_interrupted_game_can_be_continued(size: tuple[int, int], language: str) -> None:
    async def test() -> None:
        async with open_app(size, language, store=interrupted()) as (app, _):
            text = check(app, size)
            if size[0] == 100:
                assert "Ada" in text
                assert "Wei" in text
            with recorded(app, "open") as sittings:
                await press(app, "c")
            (sitting,) = sittings
            assert sitting.match.game.ply == 3
            assert list(sitting.names.values()) == ["Ada", "Wei"]

    run(test())


@pytest.mark.slow
def test_series_between_games_can_be_continued() -> None:
    async def test() -> None:
        async with open_app(store=interrupted(over=True)) as (app, _):
            assert "Ada, Wei, the next" in seen(app)
            with recorded(app, "open") as sittings:
                await click_text(app, "Continue")
            (sitting,) = sittings
            assert sitting.match is None
            assert len(sitting.series.results) == 1

    run(test())


@pytest.mark.slow
def test_game_of_one_move_is_not_offered() -> None:
    async def test() -> None:
        store = several("gomoku")
        names = ("Li", "Mo")
        table = LocalTable(store, "tictactoe", Series(names), dict.fromkeys(names, "human"), is_series=True)
        table.begin(NOW)
        table.apply("X", MakeMove((1, 1)), NOW)
        async with open_app(store=store) as (app, _):
            assert [one.game.setup.game for one in page_of(app)._unfinished] == ["gomoku"]
            assert "Li" not in seen(app)

    run(test())


def several(*games: str) -> MemoryStore:
    """Return a store with several interrupted games."""
    store = MemoryStore()
    for game in games:
        interrupted(game, store=store)
    return store


@pytest.mark.slow
@pytest.mark.parametrize(("size", "language"), [*EVERY, ((20, 10), "ru")])
def test_any_of_several_games_can_be_continued(size: tuple[int, int], language: str) -> None:
    async def test() -> None:
        games = ("gomoku", "tictactoe", "4x4")
        async with open_app(size, language, store=several(*games)) as (app, _):
            if size[1] >= 12:
                assert app.say.plural("more-unfinished", 2) in check(app, size)
            for keys, game in (
                ("c", "4x4"),
                ("C 1", "4x4"),
                ("C down enter", "tictactoe"),
                ("C 3", "gomoku"),
            ):
                with recorded(app, "open") as sittings:
                    await press(app, *keys.split())
                assert [sitting.terms.game for sitting in sittings] == [game]
            await press(app, "C")
            assert app.say("choose-unfinished")[: size[0] - 5] in check(app, size)
            await press(app, "escape")
            assert isinstance(app.screen, StartPage)

    run(test())


def test_older_game_is_offered_after_newest_has_ended() -> None:
    async def test() -> None:
        store = several("gomoku", "tictactoe")
        async with open_app(store=store) as (app, _):
            assert "  Tic-tac-toe: Ada, Wei" in seen(app)
            await press(app, "c", "r", "y", "q")
            assert "  Gomoku: Ada, Wei" in seen(app)
            assert "more" not in seen(app)
            await press(app, "C", "1", "r", "y", "q")
            assert "Continue" not in seen(app)
            await press(app, "C")
            assert app.say("start-nothing-to-continue") in seen(app)

    run(test())


@pytest.mark.slow
def test_nothing_to_continue_shows_a_message() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "c")
            async for say in spoken(app):
                assert say("start-nothing-to-continue") in seen(app)
            await press(app, "right")
            async for say in spoken(app):
                assert say("start-nothing-to-continue") not in seen(app)

    run(test())


@pytest.mark.slow
def test_left_game_can_be_continued_at_once() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            assert "Continue" not in seen(app)
            await press(app, "enter", "enter", "escape")
            assert isinstance(app.screen, StartPage)
            assert "Continue" in seen(app)
            await press(app, "c")
            assert not isinstance(app.screen, StartPage)

    run(test())


@pytest.mark.slow
def test_hostile_names_in_the_store_are_only_text() -> None:
    async def test() -> None:
        names = ("A\x1b]0;evil\x07", "B\u202e\x1b[31m")
        store = interrupted()
        setup, _ = store._games[1]
        object.__setattr__(setup, "seats", dict(zip("XO", names, strict=True)))
        for size in SIZES.values():
            async with open_app(size, store=store) as (app, _):
                check(app, size)
        setup, _ = store._games[1]
        object.__setattr__(setup, "game", "no\x1bsuch")
        async with open_app(store=store) as (app, _):
            check(app, (100, 30))
            assert "unusable" in seen(app) or "cannot" in seen(app) or "damaged" in seen(app)
            await press(app, "c")
            check(app, (100, 30))

    run(test())


class Broken(MemoryStore):
    """A store that cannot be read."""

    def games(self, series: int | None = None, **_: object) -> Iterator[StoredGame]:
        raise DamagedStore("game 1", "digest")


def test_unreadable_store_allows_games() -> None:
    async def test() -> None:
        async with open_app(store=Broken()) as (app, _):
            assert page_of(app).message is not None
            assert (await played(app, "enter")).game == "tictactoe"

    run(test())


def test_damaged_game_leaves_others_to_continue(monkeypatch: pytest.MonkeyPatch) -> None:
    store, real = several("tictactoe", "qubic"), StoredGame.replay

    def replay(game: StoredGame) -> Match:
        if game.id == 2:
            raise DamagedStore("game 2", "unreadable")
        return real(game)

    monkeypatch.setattr(StoredGame, "replay", replay)

    async def test() -> None:
        async with open_app(store=store) as (app, _):
            page = page_of(app)
            assert page.message is not None
            assert page.message(app.say) == app.say.error(DamagedStore("game 2", "unreadable"))
            with recorded(app, "open") as calls:
                await press(app, "c")
            assert [sitting.number for sitting in calls] == [1]

    run(test())


@pytest.mark.slow
def test_failed_continuation_shows_a_message() -> None:
    async def test() -> None:
        async with open_app(store=interrupted()) as (app, _):
            with patch.object(LocalTable, "resume", side_effect=DamagedStore("game 1", "digest")):
                await press(app, "c")
            assert page_of(app).message is not None
            assert isinstance(app.screen, StartPage)

    run(test())
