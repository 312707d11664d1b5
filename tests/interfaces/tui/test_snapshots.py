"""The main screens as text, at three sizes in four languages.

With ``NOUGHTS_SNAPSHOTS=write`` in the environment the snapshot files are written again.
"""

import os
from pathlib import Path

import pytest

from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.text import display_width
from tests.interfaces.tui.screens import SIZES, open_app, press, resize, spoken, text_of
from tests.interfaces.tui.table import DRAW, WIN, SlowThinker, page_of, plan_of
from tests.running import run

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent / "snapshots"
IS_WRITTEN = os.environ.get("NOUGHTS_SNAPSHOTS") == "write"

# Games, players and keys of the screens
SCREENS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "in-play": ("tictactoe", ("human", "rule"), ("5",)),
    "won": ("tictactoe", ("human", "human"), (*DRAW, "n", *WIN)),
    "values": ("tictactoe", ("human", "human"), (*"5132", "v")),
    "hint": ("tictactoe", ("human", "human"), (*"5132", "?", "?", "?")),
    "qubic": ("qubic", ("human", "human"), ("enter", "right", "enter", "down", "enter", "pagedown", "t")),
    "gomoku": ("gomoku", ("human", "human"), ("enter", *("right", "enter", "down", "enter") * 4, "left")),
    "connect4": ("connect4", ("human", "human"), (*"4433", "!")),
    "trial": ("tictactoe", ("human", "human"), (*"519", "[", "b", "7")),
    "looking-back": ("tictactoe", ("human", "human"), (*"519", "[")),
    "question": ("tictactoe", ("human", "human"), ("5", "r")),
    "refused": ("tictactoe", ("human", "human"), ("5", "5")),
    "review": ("tictactoe", ("human", "human"), (*WIN, "v")),
}
OUTSIDE: dict[str, tuple[str, ...]] = {
    "gallery": ("right",),
    "settings": ("tab", "down", "right"),
    "own": ("o", "down", "right", "end"),
    "found": ("slash", "q"),
    "help": ("f1",),
    "commands": ("ctrl+p",),
    "languages": ("L",),
}
"""The other screens, with the keys that lead to them from the gallery."""

NAMES = {
    "en": ("Ada", "Wei"),
    "ru": ("Жанна", "Пётр"),
    "zh-Hans": ("小林", "阿明"),
    "zh-Hant": ("子晴", "家豪"),
}


@pytest.mark.parametrize("name", SCREENS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_screens_match_their_snapshots(language: str, name: str) -> None:
    """The window grows after it was drawn, too."""
    game, who, keys = SCREENS[name]
    names = [person if seat == "human" else seat for person, seat in zip(NAMES[language], who, strict=True)]

    async def test() -> None:
        plan = plan_of(game, *who, names=names)
        async with open_app(SIZES["narrow"], language, plan=plan) as (app, _):
            await press(app, *keys)
            for size in SIZES:
                await resize(app, *SIZES[size])
                compare(f"{name}-{size}-{language}", size, text_of(app))

    run(test())


@pytest.mark.parametrize("name", OUTSIDE)
def test_gallery_matches_its_snapshots(name: str) -> None:
    """Lists keep the language in which they were opened."""

    async def test() -> None:
        async with open_app(SIZES["narrow"]) as (app, _):
            await press(app, *OUTSIDE[name])
            for size in SIZES:
                await resize(app, *SIZES[size])
                async for say in spoken(app):
                    if name in ("commands", "languages"):
                        await press(app, "escape", *OUTSIDE[name])
                    compare(f"{name}-{size}-{say.language}", size, text_of(app))

    run(test())


def compare(name: str, size: str, lines: list[str]) -> None:
    """Check that *lines* fill the window and match the file *name*."""
    assert {display_width(line) for line in lines} == {SIZES[size][0]}
    text = "".join(f"{line.rstrip()}\n" for line in lines)
    path = FOLDER / f"{name}.txt"
    if IS_WRITTEN:
        FOLDER.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_every_snapshot_is_used() -> None:
    expected = {
        f"{name}-{size}-{language}.txt"
        for name in (*SCREENS, *OUTSIDE)
        for size in SIZES
        for language in LANGUAGES
    }
    assert {path.name for path in FOLDER.glob("*.txt")} == expected


@pytest.mark.parametrize("size", SIZES)
def test_ascii_screens_are_ascii(size: str) -> None:
    async def test() -> None:
        plan = plan_of("qubic")
        async with open_app(SIZES[size], plan=plan, has_unicode=False, thinker=SlowThinker()) as (app, _):
            await press(app, "enter", "right", "enter", "t", "!", "v", "v", "r")
            assert "".join(text_of(app)).isascii()
            await press(app, "y")
            assert page_of(app).session.is_over
            assert "".join(text_of(app)).isascii()

    run(test())
