"""Partial frames: after any keys the terminal shows the same as after a whole frame."""

import re
from random import Random
from typing import Any

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual._compositor import CompositorUpdate
from textual.strip import Strip

from noughts.interfaces.tui.app import NoughtsApp
from noughts.interfaces.tui.widgets.spans import changed_until
from tests.interfaces.tui.screens import draw, open_app, press, seen, settle
from tests.interfaces.tui.table import SlowThinker, plan_of
from tests.running import run

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
    """A model of a terminal: the character and the look of each cell."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], tuple[str, tuple[str, ...]]] = {}
        self._x = self._y = 0
        self._looks: dict[str, str] = {}

    def write(self, text: str) -> None:
        """Write *text*, which may contain only known sequences."""
        at = 0
        for match in PIECE.finditer(text):
            assert match.start() == at, repr(text[at : match.start()])
            at = match.end()
            row, column, look, newline, character = match.groups()
            if row is not None:
                self._x, self._y = int(column) - 1, int(row) - 1
            elif look is not None:
                self._take(look.split(";"))
            elif newline is not None:
                self._x, self._y = 0, self._y + 1
            else:
                seen = self._looks
                if character == " " and not seen.keys() & {"4", "7", "9"}:  # A blank has no visible ink.
                    seen = {kind: look for kind, look in seen.items() if kind not in ("ink", "1")}
                look_now = tuple(sorted(seen.values()))
                for part in range(wide := cell_len(character)):
                    self.cells[self._x + part, self._y] = (character * (not part), look_now)
                self._x += wide
        assert at == len(text), repr(text[at:])

    def _take(self, codes: list[str]) -> None:
        """Change the look of the next characters."""
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
    """Return the content of a terminal after a whole frame."""
    terminal, compositor = Terminal(), app.screen._compositor
    dirty = set(compositor._dirty_regions)
    frame: Any = draw(compositor, True, screen_stack=app._background_screens)
    compositor._dirty_regions.update(dirty)
    terminal.write(frame.render_segments(app.console))
    return terminal.cells


@pytest.mark.slow
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
def test_partial_frames_match_whole_frames(
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
        facts: dict[str, Any] = {"plan": plan, "thinker": SlowThinker(), "painted": True}
        async with open_app(size, language, **facts, **around) as (app, _):
            for _ in range(18):
                key = chance.choice(KEYS)
                if key in ("q", "escape") and len(app.screen_stack) == 1:
                    continue  # The key would leave the program.
                await press(app, key)
                for _ in range(6):  # A new layout is painted in the next frame.
                    if is_same := terminal.cells == whole(app):
                        break
                    await settle(app)
                assert is_same, (key, seen(app))

    run(test())
    assert parts.count("ChopsUpdate") > 5


@pytest.mark.parametrize(
    ("before", "after", "end"),
    [
        ("abc", "abc", 0),
        ("abc", "axc", 2),
        ("中文 ab", "中国 ab", 4),
        ("a中b", "ab中", 4),
        ("x" + "." * 40 + "x", "y" + "." * 40 + "x", 1),
        ("ab", "", 2),
        ("", "ab", 2),
    ],
)
def test_line_is_painted_up_to_its_last_change(before: str, after: str, end: int) -> None:
    old, new = (Strip([Segment(text)] if text else []) for text in (before, after))
    assert changed_until(old, new) == end


def test_changed_style_is_painted() -> None:
    plain, bold = Segment("a"), Segment("a", Style(bold=True))
    rest = Segment("bc")
    assert changed_until(Strip([plain, rest]), Strip([bold, rest])) == 1
    assert changed_until(Strip([rest, plain]), Strip([rest, bold])) == 3
