"""Only what has changed is painted: whatever is pressed, the terminal shows what a whole frame would."""

import re
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from textual._compositor import Compositor, CompositorUpdate
from textual.geometry import Region
from textual.strip import Strip

from noughts.interfaces.tui.app import NoughtsApp
from noughts.interfaces.tui.kit.painting import brief, changed_lines, changed_regions
from tests.interfaces.tui.screens import draw, open_app, press, resize, seen, settle
from tests.interfaces.tui.table import SlowThinker, plan_of
from tests.running import run

pytestmark = pytest.mark.slow

PIECE = re.compile(r"\x1b\[(\d+);(\d+)H|\x1b\[([\d;]*)m|\r?(\n)|([^\x1b\r\n])")

KEYS = (
    *(
        "left",
        "right",
        "up",
        "down",
        "pagedown",
        "enter",
        "enter",
        "5",
        "1",
        "9",
        "t",
        "v",
        "?",
        "!",
        "[",
        "]",
    ),
    *("u", "y", "r", "n", "escape", "g", "a", "b", "home", "end", "f1", "f2", "f3", "ctrl+p", "L"),
    *("2", "1", "tab", "slash", "q", "backspace"),
)


class Terminal:
    """What a terminal shows that is written to: of each cell its character and how it looks."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], tuple[str, tuple[str, ...]]] = {}
        self._x = self._y = 0
        self._looks: dict[str, str] = {}

    def write(self, text: str) -> None:
        """Take *text* in; nothing else than is read here may be in it."""
        at = 0
        for found in PIECE.finditer(text):
            assert found.start() == at, repr(text[at : found.start()])
            at = found.end()
            row, column, look, newline, character = found.groups()
            if row is not None:
                self._x, self._y = int(column) - 1, int(row) - 1
            elif look is not None:
                self._take(look.split(";"))
            elif newline is not None:
                self._x, self._y = 0, self._y + 1
            else:
                seen = self._looks
                if character == " " and not seen.keys() & {"4", "7", "9"}:  # no ink is seen on a blank
                    seen = {kind: look for kind, look in seen.items() if kind not in ("ink", "1")}
                look_now = tuple(sorted(seen.values()))
                for part in range(wide := cell_len(character)):
                    self.cells[self._x + part, self._y] = (character * (not part), look_now)
                self._x += wide
        assert at == len(text), repr(text[at:])

    def _take(self, codes: list[str]) -> None:
        """Change how what is written next looks."""
        while codes:
            code = codes.pop(0)
            if code in ("", "0"):
                self._looks.clear()
            elif code == "22":
                self._looks.pop("1", None)
            elif code in ("38", "48"):
                count = {"2": 4, "5": 2}[codes[0]]
                self._looks["ink" if code == "38" else "paper"] = f"{code};{';'.join(codes[:count])}"
                del codes[:count]
            elif len(code) > 1:
                self._looks["ink" if code[0] in "39" else "paper"] = code
            else:
                self._looks[code] = code


def whole(app: NoughtsApp) -> dict[tuple[int, int], tuple[str, tuple[str, ...]]]:
    """What a terminal shows that gets a whole frame."""
    terminal, compositor = Terminal(), app.screen._compositor
    dirty = set(compositor._dirty_regions)
    frame: Any = draw(compositor, True, screen_stack=app._background_screens)
    compositor._dirty_regions.update(dirty)
    terminal.write(frame.render_segments(app.console))
    return terminal.cells


@pytest.mark.parametrize(
    ("game", "size", "language", "around"),
    [
        ("tictactoe", (100, 30), "en", {}),
        ("tictactoe", (60, 20), "en", {"colours": None}),
        ("qubic", (100, 30), "zh-Hans", {}),
        ("gomoku", (60, 20), "zh-Hant", {"has_unicode": False}),
        ("connect4", (24, 12), "ru", {}),
        (None, (100, 30), "zh-Hans", {}),
    ],
)
def test_parts_of_frames_make_the_same_picture_as_whole_ones(
    game: str | None,
    size: tuple[int, int],
    language: str,
    around: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance, terminal = Random(repr((game, size))), Terminal()
    parts: list[str] = []

    def display(app: NoughtsApp, screen: Any, frame: Any) -> None:
        if isinstance(frame, CompositorUpdate) and not app._batch_count:
            parts.append(type(frame).__name__)
            terminal.write(frame.render_segments(app.console))

    monkeypatch.setattr(NoughtsApp, "_display", display)
    plan = None if game is None else plan_of(game)

    async def test() -> None:
        async with open_app(size, language, plan=plan, thinker=SlowThinker(), **around) as (app, _):
            with patch.object(Compositor, "render_update", draw):
                await resize(app, size[0] - 1, size[1])
                await resize(app, *size)
                for _ in range(18):
                    key = chance.choice(KEYS)
                    if key in ("q", "escape") and len(app.screen_stack) == 1:
                        continue  # would leave the program
                    await press(app, key)
                    for _ in range(6):  # what comes of a new layout is painted in the next frame
                        if is_same := terminal.cells == whole(app):
                            break
                        await settle(app)
                    assert is_same, (key, seen(app))

    run(test())
    assert parts.count("BriefUpdate") > 8


def test_no_wide_character_is_cut_in_two() -> None:
    """A list over the page may begin and end in the middle of one."""

    async def test() -> None:
        async with open_app((60, 20), "zh-Hans", plan=plan_of()) as (app, _):
            compositor, frame = app.screen._compositor, whole(app)
            for x, y in frame:
                compositor._dirty_regions = {Region(x, y, 1, 1)}
                part, terminal = compositor.render_partial_update(), Terminal()
                assert part is not None
                terminal.write(part.render_segments(app.console))
                assert (x, y) in terminal.cells
                assert terminal.cells == {at: frame[at] for at in terminal.cells}
            assert any(not character for character, _ in frame.values()), "there are wide characters"

    run(test())


@pytest.mark.parametrize(
    ("before", "after", "regions"),
    [
        (["abc"], ["abc"], []),
        (["abc"], ["axc"], [Region(1, 0, 1, 1)]),
        (["中文 ab"], ["中国 ab"], [Region(2, 0, 2, 1)]),
        (["a中b"], ["ab中"], [Region(1, 0, 3, 1)]),
        (["x" + "." * 40 + "x"], ["y" + "." * 40 + "y"], [Region(0, 0, 1, 1), Region(41, 0, 1, 1)]),
        (["x....x"], ["y....y"], [Region(0, 0, 6, 1)]),
        (["ab", "cd"], ["ab"], [Region(0, 1, 2, 1)]),
        ([], ["ab"], [Region(0, 0, 2, 1)]),
    ],
)
def test_the_regions_that_have_changed(before: list[str], after: list[str], regions: list[Region]) -> None:
    old, new = ([Strip([Segment(text)]) for text in texts] for texts in (before, after))
    assert list(changed_regions(changed_lines(old, new, Strip([])))) == regions


@pytest.mark.parametrize(
    ("told", "written"),
    [
        ("", ""),
        ("X", "X"),
        ("\x1b[1mX\x1b[0mO", "\x1b[1mX\x1b[0mO"),
        ("\x1b[1mX\x1b[0m\x1b[2;5H\r\n", "\x1b[1mX\x1b[2;5H\r\n\x1b[0m"),
        ("\x1b[31;40mX\x1b[0m\x1b[1;32;40mO\x1b[0m", "\x1b[31;40mX\x1b[1;32mO\x1b[0m"),
        ("\x1b[1;31;40mX\x1b[0m\x1b[32;40mO\x1b[0m", "\x1b[1;31;40mX\x1b[22;32mO\x1b[0m"),
        ("\x1b[4;31mX\x1b[0m\x1b[31mO\x1b[0m", "\x1b[4;31mX\x1b[0m\x1b[31mO\x1b[0m"),
        ("\x1b[31;40mX\x1b[0m\x1b[31mO\x1b[0m", "\x1b[31;40mX\x1b[0m\x1b[31mO\x1b[0m"),
        (
            "\x1b[38;2;1;2;3;48;5;7mX\x1b[0m\x1b[94;48;5;7mO\x1b[0m\x1b[94;100m \x1b[0m",
            "\x1b[38;2;1;2;3;48;5;7mX\x1b[94mO\x1b[100m \x1b[0m",
        ),
        ("\x1b[1mX\x1b[0m\x1b]8;;\x07", "\x1b[1mX\x1b[0m\x1b]8;;\x07"),
    ],
)
def test_a_look_is_told_where_it_changes(told: str, written: str) -> None:
    assert brief(told) == written


def test_blanks_are_joined_with_what_stands_before_them() -> None:
    assert brief("\x1b[1;31;40mX\x1b[0m\x1b[34;40m  \x1b[0m") == "\x1b[1;31;40mX  \x1b[0m"
    underlined, papered = "\x1b[4;31mX\x1b[0m\x1b[31m \x1b[0m", "\x1b[31;40mX\x1b[0m\x1b[31;41m \x1b[0m"
    assert brief(underlined) == "\x1b[4;31mX\x1b[0m\x1b[31m \x1b[0m"
    assert brief(papered) == "\x1b[31;40mX\x1b[41m \x1b[0m"
