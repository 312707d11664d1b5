"""Past faults before a game and around it: starting, continuing, stores, colours."""

import asyncio
import os
import signal
import sys
import warnings
from collections.abc import Callable

import pytest
from rich.color import ColorSystem
from rich.style import Style

from noughts.arena.commands import MakeMove
from noughts.arena.local_table import LocalTable
from noughts.arena.series import Begins, Series
from noughts.arena.setup import SeriesSetup
from noughts.arena.store.store import Store
from noughts.drawing.canvas import FAINT, LINE
from noughts.errors import DamagedFile, DamagedFileWarning, ShapeError, StoreError
from noughts.games.catalogue import new_game
from noughts.interfaces.presenting.choices import remembered_choices
from noughts.interfaces.presenting.game_plan import PlayOptions
from noughts.interfaces.presenting.preferences import Preferences
from noughts.interfaces.presenting.terminal_capabilities import has_unicode
from noughts.interfaces.tui.app import NoughtsApp, start
from noughts.interfaces.tui.game.game_page import GamePage
from noughts.interfaces.tui.lobby.start_page import StartPage
from noughts.interfaces.tui.widgets import signals
from noughts.interfaces.tui.widgets.help import KeyHelpPage
from noughts.interfaces.tui.widgets.styles import PALETTES, SECOND, Styling
from tests.interfaces.harness import SAY, squeezed
from tests.interfaces.tui.screens import NOW, open_app, press, seen, send, settle, spoken, start_of
from tests.interfaces.tui.table import SlowThinker, page_of, plan_of
from tests.running import run
from tests.stand_ins import MemoryStore

SAYS = SAY["en"]
HUGE = "101x100:5"
TOO_LARGE = SAYS("shape-too-large-to-draw", limit=10_000)


# Oversized boards


def unfinished(store: Store, game: str) -> LocalTable:
    """Save a game of two people with a move of each in *store*."""
    series = Series(("Ada", "Wei"))
    sitting = LocalTable(store, game, series, {"Ada": "human", "Wei": "human"})
    sitting.begin(NOW)
    sitting.apply("X", MakeMove((0, 0)), NOW)
    sitting.apply("O", MakeMove((0, 1)), NOW)
    return sitting


def test_oversized_board_is_refused_before_the_screen() -> None:
    async def test() -> None:
        async with open_app((60, 20)) as (app, _):
            app._plan = plan_of(HUGE)
            with pytest.raises(ShapeError, match=r"too-large-to-draw|10000|10,000"):
                app.get_default_screen()
            start_of(app).play(plan_of(HUGE))
            await settle(app)
            assert isinstance(app.screen, StartPage)
            assert TOO_LARGE in seen(app)
            start_of(app).play(plan_of("100x100:5"))
            await settle(app)
            assert isinstance(app.screen, GamePage)

    run(test())


@pytest.mark.parametrize("who", [{}, {"X": "human", "O": "human"}])
def test_command_line_refuses_oversized_board(who: dict[str, str]) -> None:
    def open_store() -> Store:
        raise AssertionError("no database is needed for what cannot be played")

    with pytest.raises(ShapeError) as caught:
        start(PlayOptions(game=HUGE, who=who), SAYS, open_store)
    assert SAYS.error(caught.value) == TOO_LARGE


def test_named_game_starts_with_remembered_players(monkeypatch: pytest.MonkeyPatch) -> None:
    plans = []
    monkeypatch.setattr(NoughtsApp, "run", lambda self: plans.append(self._plan))
    preferences = Preferences(opponent="random", mark="O", names=("Ada",))
    monkeypatch.setattr("noughts.interfaces.tui.app.load_preferences", lambda *_: preferences)
    for game in ("fifteen", "tictactoe", "three", None):
        assert start(PlayOptions(game=game), SAYS, MemoryStore) == 0
    position = "XO./.../..."
    assert start(PlayOptions(game="tictactoe", position=position), SAYS, MemoryStore) == 0
    facts = [plan and (plan.game, plan.who, plan.names[plan.who.index("human")]) for plan in plans]
    assert facts == [
        ("fifteen", ["human"], SAYS("default-name")),
        ("tictactoe", ["random", "human"], "Ada"),
        ("three", ["human", "random", "random"], "Ada"),
        None,
        ("tictactoe", ["random", "human"], "Ada"),
    ]
    assert plans[-1].start == position


def test_declining_remembered_player_is_replaced() -> None:
    for opponent, game, who in (
        ("perfect", "tictactoe", ["human", "perfect"]),
        ("learned", "gomoku", ["human", "level:4"]),
        ("bot:gone", "tictactoe", ["human", "level:4"]),
    ):
        choices = remembered_choices(Preferences(opponent=opponent), new_game(game), 1)
        assert choices.who(new_game(game)) == who


def test_damaged_files_are_named_after_the_screen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def find_damage(app: NoughtsApp) -> None:
        warnings.warn(DamagedFileWarning(DamagedFile("a", "part")), stacklevel=1)
        assert capsys.readouterr().err == ""

    monkeypatch.setattr(NoughtsApp, "run", find_damage)
    assert start(PlayOptions(), SAYS, MemoryStore) == 0
    assert capsys.readouterr().err.strip() == SAYS("file-damaged-part", name="a")


def test_oversized_saved_game_is_not_continued() -> None:
    store = MemoryStore()
    unfinished(store, HUGE)

    async def test() -> None:
        async with open_app((100, 30), store=store) as (app, _):
            await press(app, "c")
            assert isinstance(app.screen, StartPage)
            assert TOO_LARGE in seen(app)

    run(test())


def test_signal_to_end_waits_until_the_program_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    left = []

    async def listen() -> None:
        with signals.listening(lambda: left.append("left")):
            await asyncio.sleep(0)

    monkeypatch.setattr(signals, "_end_in_any_case", lambda: None)
    usual = signal.getsignal(signal.SIGTERM)
    with signals.waiting():
        asyncio.run(listen())
        assert left == []
        signal.raise_signal(signal.SIGTERM)
        asyncio.run(listen())
    assert left == ["left"]
    assert signal.getsignal(signal.SIGTERM) is usual


# Computers that must be asked first


async def ask_player(app: NoughtsApp, thinker: SlowThinker) -> None:
    await press(app, "enter")
    assert len(thinker.waiting) == 1
    assert not thinker.last.is_stopped


@pytest.mark.parametrize("keys", ["/", "/connect", "right", "escape"])
def test_other_action_cancels_the_start(keys: str) -> None:
    thinker = SlowThinker()

    async def test() -> None:
        around = {"preferences": Preferences(opponent="perfect"), "thinker": thinker}
        async with open_app((100, 30), **around) as (app, _):  # type: ignore[arg-type]
            await ask_player(app, thinker)
            await press(app, *([keys] if keys in ("right", "escape") else keys))
            assert thinker.waiting[0].is_stopped
            thinker.waiting[0].answer_late()
            await settle(app)
            assert isinstance(app.screen, StartPage)

    run(test())


@pytest.mark.parametrize("key", ["f1", "L", "ctrl+p"])
def test_game_does_not_start_over_help_or_list(key: str) -> None:
    thinker = SlowThinker()

    async def test() -> None:
        around = {"preferences": Preferences(opponent="perfect"), "thinker": thinker}
        async with open_app((100, 30), **around) as (app, _):  # type: ignore[arg-type]
            await ask_player(app, thinker)
            await press(app, key)
            over = app.screen
            thinker.waiting[0].answer()
            await settle(app)
            assert app.screen is over
            await press(app, "escape")
            assert isinstance(app.screen, StartPage)
            assert not any(isinstance(screen, GamePage | KeyHelpPage) for screen in app.screen_stack)
            await press(app, "enter")
            thinker.last.answer()
            await settle(app)
            assert isinstance(app.screen, GamePage)

    run(test())


# Stores without series


class NoSeries(MemoryStore):
    """A store that refuses to begin a series on request."""

    refuses = True

    def add_series(self, setup: SeriesSetup) -> int:
        if self.refuses:
            raise StoreError("games.db", "database is locked")
        return super().add_series(setup)


@pytest.mark.parametrize("begins", [Begins.ALTERNATE, Begins.CHOOSER])
def test_unsaved_series_returns_to_gallery(begins: Begins) -> None:
    store = NoSeries()

    async def test() -> None:
        async with open_app((100, 30), store=store) as (app, _):
            start_of(app).play(plan_of(begins=begins))
            send(app, "5", "u")  # The key is typed while the table is being removed.
            await settle(app)
            assert isinstance(app.screen, StartPage)
            assert "database is locked" in seen(app)
            await press(app, "right", "left", "t", "5", "[")
            assert app.is_running
            store.refuses = False
            start_of(app).play(plan_of(begins=begins))
            await settle(app)
            assert page_of(app).session.table.is_playing

    run(test())


@pytest.mark.parametrize("begins", [Begins.ALTERNATE, Begins.CHOOSER])
def test_program_without_gallery_ends_with_error(begins: Begins) -> None:
    async def test() -> None:
        async with open_app((100, 30), store=NoSeries(), plan=plan_of(begins=begins)) as (app, _):
            await settle(app)
            assert not app.is_running
            assert ["database is locked" in sentence for sentence in app.farewell] == [True]

    run(test())


# Abilities of the terminal


@pytest.mark.parametrize("theme", PALETTES)
def test_no_style_has_colours_without_colours(theme: str) -> None:
    styling = Styling(theme, None)
    styles = [styling.style(role, strong) for role in ("X", "O", "Z", SECOND, LINE, "") for strong in (0, 1)]
    styles += [styling.blank, *(styling.background(kind, "X") for kind in ("cursor", "shade", "wash"))]
    assert [style for style in styles if style.color is not None or style.bgcolor is not None] == []
    assert not any(styling.background(kind, "X") for kind in ("cursor", "shade", "wash", "field"))


@pytest.mark.parametrize("theme", PALETTES)
@pytest.mark.parametrize("role", ["X", "O", "Z"])
def test_few_colours_are_those_of_the_terminal(theme: str, role: str) -> None:
    style = Styling(theme, ColorSystem.STANDARD).style(role)
    assert style.color is not None
    assert (style.color.triplet, style.bgcolor) == (None, None)


@pytest.mark.parametrize("theme", PALETTES)
def test_few_colours_use_bright_black_and_reverse(theme: str) -> None:
    styling = Styling(theme, ColorSystem.STANDARD)
    assert {styling.style(role).color.name for role in (LINE, FAINT)} == {"bright_black"}  # type: ignore[union-attr]
    bright = "bright_" if theme == "dark" else ""
    pens = [styling.style(mark).color for mark in "XOZ"]
    assert [pen.name for pen in pens if pen is not None] == [
        f"{bright}{pen}" for pen in ("blue", "red", "green")
    ]
    assert styling.background("disc").reverse
    assert styling.style("X") + styling.background("cursor") == Style(color="default", reverse=True)
    assert not any(styling.background(kind, "X") for kind in ("shade", "wash", "field"))
    assert styling.background("dots", "X").bgcolor == styling.style("X").color


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, True),
        ({"LC_ALL": "C"}, False),
        ({"LC_ALL": "POSIX", "LANG": "en_GB.UTF-8"}, False),
        ({"LC_CTYPE": "C", "LANG": "en_GB.UTF-8"}, False),
        ({"LANG": "C"}, False),
        ({"LC_ALL": "C.UTF-8", "LANG": "C"}, True),
        ({"LC_ALL": "", "LANG": "ru_RU.UTF-8"}, True),
        ({"LANG": "C", "LC_CTYPE": "zh_CN.UTF-8"}, True),
        ({"TERM": "linux"}, False),
    ],
)
def test_locale_decides_line_drawing(environ: dict[str, str], expected: bool) -> None:
    class Target:
        encoding = "utf-8"

    is_shown: Callable[..., bool] = has_unicode
    assert is_shown(Target(), environ) is expected


@pytest.mark.parametrize(
    ("plan", "keys", "id_", "data"),
    [
        ("tictactoe", ["g"], "go-to-cell", {"example": "b2"}),
        (None, ["tab", *["down"] * 6, "enter", "q", "q", "enter"], "move-unreadable", {"text": "qq"}),
        (None, ["o", "slash", *["backspace"] * 9, "9", "x", "enter"], "start-nothing-found", {}),
    ],
)
def test_fields_and_errors_use_current_language(
    plan: str | None, keys: list[str], id_: str, data: dict[str, str]
) -> None:
    async def test() -> None:
        async with open_app((80, 24), plan=plan_of(plan) if plan else None) as (app, _):
            await press(app, *keys)
            async for say in spoken(app):
                assert squeezed(say(id_, **data)) in squeezed(seen(app)), say.language

    run(test())


def test_terminal_continues_only_after_a_stop() -> None:
    heard: list[str] = []
    numbers = {signal.SIGTSTP: "stop", signal.SIGCONT: "continue"}
    before = {
        number: signal.signal(number, lambda *_, name=name: heard.append(name))
        for number, name in numbers.items()
    }
    try:
        signals.continue_only_after_stop()
        for number in (signal.SIGCONT, signal.SIGTSTP, signal.SIGCONT, signal.SIGCONT):
            signal.raise_signal(number)
    finally:
        for number, usual in before.items():
            signal.signal(number, usual)
    assert heard == ["stop", "continue"]


def test_closed_terminal_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    keyboard, terminal = os.openpty()
    with os.fdopen(terminal) as source:
        monkeypatch.setattr(sys, "__stdin__", source)
        assert not signals.is_terminal_gone()
        os.close(keyboard)
        assert signals.is_terminal_gone()
    monkeypatch.setattr(sys, "__stdin__", None)
    assert not signals.is_terminal_gone()
