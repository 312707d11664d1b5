"""Write the pictures of the full screen from the application, and the keys of its pages from their table.

    uv run --group dev python -m docs.make_screens

A test compares the output with the repository.
"""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import product
from pathlib import Path

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from tests.stand_ins import MemoryStore, ThinkingHere

from noughts.arena.commands import MakeMove
from noughts.arena.local_table import LocalTable
from noughts.arena.series import Series
from noughts.arena.store.store import Store
from noughts.games.notation import parse_move
from noughts.interfaces.presenting.i18n import LANGUAGES, Translator
from noughts.interfaces.presenting.preferences import Preferences
from noughts.interfaces.tui.app import NoughtsApp
from noughts.interfaces.tui.game.game_page import GamePage
from noughts.interfaces.tui.widgets.base_app import AppServices
from noughts.interfaces.tui.widgets.help import about
from noughts.interfaces.tui.widgets.keys import BUILDING, CHOOSING, EVERYWHERE, PLAYING, REVIEWING, Key
from noughts.interfaces.tui.widgets.styles import PALETTES
from noughts.text import display_width

DOCS = Path(__file__).parent
FOLDER = DOCS / "pictures" / "screens"
TABLES = {
    "playing": (*PLAYING, *EVERYWHERE),
    "choosing": CHOOSING,
    "building": BUILDING,
    "reviewing": REVIEWING,
}
MARKED = re.compile(r"(<!-- keys (\w+) -->\n).*?(<!-- end -->\n)", re.DOTALL)
"""The place on a page for the keys of a table."""

NOW = 1_700_000_000_000
PEOPLE = {
    "en": ("Ada", "Wei"),
    "ru": ("Аня", "Боря"),
    "zh-Hans": ("小林", "阿明"),
    "zh-Hant": ("子晴", "家豪"),
}
"""The names of the players by language.

English is the fallback.
"""

WIDE = (100, 30)

COLUMN, LINE, SIZE, BASE = 9.6, 19, 16, 14.5
"""Pixels: the width of a column, the height of a line, the size of letters, and their baseline."""

FONTS = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"

STROKES = {
    "─": "M0 .5H1",
    "━": "M0 .5H1",
    "│": "M.5 0V1",
    "┃": "M.5 0V1",
    "┼": "M0 .5H1M.5 0V1",
    "┌": "M1 .5H.5V1",
    "┐": "M0 .5H.5V1",
    "└": "M1 .5H.5V0",
    "┘": "M0 .5H.5V0",
    "╭": "M1 .5Q.5 .5 .5 1",
    "╮": "M0 .5Q.5 .5 .5 1",
    "╰": "M1 .5Q.5 .5 .5 0",
    "╯": "M0 .5Q.5 .5 .5 0",
    "├": "M.5 0V1M.5 .5H1",
    "┤": "M.5 0V1M.5 .5H0",
    "┬": "M0 .5H1M.5 .5V1",
    "┴": "M0 .5H1M.5 .5V0",
    "╲": "M0 0L1 1",
    "╱": "M0 1L1 0",
    "╳": "M0 0L1 1M0 1L1 0",
}
"""Characters that are drawn, so that they meet in every font: paths in a cell of one by one."""

THICK = "━┃"


@dataclass(frozen=True, slots=True)
class Scene:
    """The content of a picture: *moves* on a board, then pressed *keys*. Without a game, the gallery.

    ``titles`` are by language. English is the fallback.
    """

    titles: Mapping[str, str]
    game: str | None = None
    moves: str = ""
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = WIDE


def _titles(*titles: str) -> dict[str, str]:
    return dict(zip(LANGUAGES, titles, strict=False))


SCENES = {
    "gallery": Scene(_titles("The gallery of games", "Галерея игр", "游戏画廊", "遊戲畫廊")),
    "values": Scene(
        _titles("What every move is worth", "Сколько стоит каждый ход", "各步的价值", "各步的價值"),
        "tictactoe",
        "b2 b3",
        ("down", "v"),
    ),
    "qubic": Scene(
        _titles(
            "Qubic, with the lines through a cell",
            "Кубик: ряды через клетку",
            "三维井字棋：经过一格的线",
            "三維井字遊戲：經過一格的線",
        ),
        "qubic",
        "22 1 43 64 23 24 39 16 26",
        ("down", "t"),
    ),
}


def interrupted(store: Store, game: str, moves: str, people: tuple[str, ...]) -> LocalTable:
    """Save an interrupted game of two people in *store*."""
    table = LocalTable(store, game, Series(people), dict.fromkeys(people, "human"), is_series=True)
    table.begin(NOW)
    for second, text in enumerate(moves.split(), 1):
        if table.match is None:
            raise AssertionError("a game was begun")
        now = table.match.game
        table.apply(now.turn, MakeMove(parse_move(now, text)), NOW + 1000 * second)
    return table


async def screens_of(scene: Scene, language: str) -> dict[str, list[list[Segment]]]:
    """Return the lines of the screen of *scene* in each theme."""
    store, people = MemoryStore(), PEOPLE.get(language, PEOPLE["en"])
    left = interrupted(store, "gomoku", "h8 i9 h9 h10 i8 g8 j8 k8 j9 g6", people)
    preferences = Preferences(theme=next(iter(PALETTES)), names=people)
    around = AppServices(lambda: store, ThinkingHere(), lambda: NOW + 60_000, preferences)
    if scene.game is not None:
        left = interrupted(store, scene.game, scene.moves, people)
    app = NoughtsApp(Translator(language), around)
    async with app.run_test(size=scene.size) as pilot:
        await pilot.pause()
        if scene.game is not None:
            app.push_screen(GamePage(left, app))
            await pilot.pause()
        for key in scene.keys:
            await pilot.press(key)
            await pilot.pause()
        screens = {}
        for theme in PALETTES:
            screens[theme] = [list(strip) for strip in app.screen._compositor.render_strips()]
            app.action_switch_theme()
            await pilot.pause()
        return screens


# The picture


def _colour(colour: Color | None) -> str | None:
    return None if colour is None or colour.triplet is None else colour.triplet.hex


def _inks(style: Style | None) -> tuple[str | None, str | None]:
    """Return the colours of the letters and of their background."""
    if style is None:
        return None, None
    pen, behind = _colour(style.color), _colour(style.bgcolor)
    return (behind, pen) if style.reverse else (pen, behind)


def picture(lines: Sequence[Iterable[Segment]], title: str) -> str:
    """Return an SVG picture of the *lines* of a screen.

    Each run of letters has its position and its length, so that columns are exact in every font.
    """
    screen = [list(line) for line in lines]
    columns = max(sum(display_width(segment.text) for segment in line) for line in screen)
    width, height = (columns + 2) * COLUMN, (len(screen) + 1) * LINE
    paper = _inks(screen[0][0].style)[1] or "#ffffff"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img"'
        f' font-family="{FONTS}" font-size="{SIZE}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{paper}"/>',
    ]
    behind, before = [], []
    for row, line in enumerate(screen):
        column = 0
        for segment in line:
            wide = display_width(segment.text)
            pen, ground = _inks(segment.style)
            if ground is not None and ground != paper:
                behind.append(_ground(column, row, wide, ground))
            before += _letters(segment, column, row, pen or "#000000")
            column += wide
    behind = ['<g shape-rendering="crispEdges">', *behind, "</g>"]
    return "\n".join([*parts, *behind, *before, "</svg>", ""])


def _left(column: int) -> float:
    return round((column + 1) * COLUMN, 1)


def _top(row: int) -> float:
    return (row + 0.5) * LINE


def _ground(column: int, row: int, wide: int, colour: str) -> str:
    place = f'x="{_left(column):g}" y="{_top(row):g}"'
    return f'<rect {place} width="{wide * COLUMN:.4g}" height="{LINE}" fill="{colour}"/>'


def _letters(segment: Segment, column: int, row: int, pen: str) -> list[str]:
    """Return the letters of a segment: words at their positions, lines as strokes."""
    strong = segment.style is not None and bool(segment.style.bold)
    parts: list[str] = []
    word, start = "", column
    for character in [*segment.text, "  "]:
        is_drawn = character in STROKES
        is_gap = character.isspace() and (character == "  " or not word or word.endswith(" "))
        if word and (is_drawn or is_gap):
            parts.append(_word(word.rstrip(), start, row, pen, strong))
            word = ""
        if is_drawn:
            parts.append(_stroke(character, column, row, pen, strong))
        elif not is_gap:
            if not word:
                start = column
            word += character
        column += display_width(character)
    return [part for part in parts if part]


def _word(word: str, column: int, row: int, pen: str, strong: bool) -> str:
    if not word.strip():
        return ""
    weight = ' font-weight="bold"' if strong else ""
    place = f'x="{_left(column):g}" y="{_top(row) + BASE:g}"'
    length = f'textLength="{display_width(word) * COLUMN:.4g}"'
    return f'<text {place} {length} fill="{pen}"{weight}>{escape(word)}</text>'


def _stroke(character: str, column: int, row: int, pen: str, strong: bool) -> str:
    thick = 2.4 if strong or character in THICK else 1.4
    place = f"translate({_left(column):g} {_top(row):g}) scale({COLUMN} {LINE})"
    return (
        f'<path d="{STROKES[character]}" transform="{place}" fill="none" stroke="{pen}"'
        f' stroke-width="{thick}" vector-effect="non-scaling-stroke"/>'
    )


# The keys on the pages


def keys_table(say: Translator, keys: Sequence[Key]) -> str:
    """Return the effect of each key, as a table with two keys in a row."""
    shown = [key for key in keys if not key.is_step and (key.keys or not key.action)]
    cells = [f"`{key.shown(say)}` | {about(say, key)}" for key in shown]
    middle = (len(cells) + 1) // 2
    left, right = cells[:middle], [*cells[middle:], " | "][:middle]
    rows = [f"| {one} | {other} |\n" for one, other in zip(left, right, strict=True)]
    return "".join(["| | | | |\n", "| --- | --- | --- | --- |\n", *rows])


def pages() -> dict[Path, str]:
    """Return the file of each page, and its text with the current keys."""
    made = {}
    for language in LANGUAGES:
        path = DOCS / ("full-screen.md" if language == "en" else f"full-screen.{language}.md")
        say = Translator(language)

        def fresh(match: re.Match[str], say: Translator = say) -> str:
            return f"{match[1]}\n{keys_table(say, TABLES[match[2]])}\n{match[3]}"

        made[path] = MARKED.sub(fresh, path.read_text(encoding="utf-8"))
    return made


def pictures() -> dict[Path, str]:
    """Return the file and the text of each picture."""
    made = {}
    for (name, scene), language in product(SCENES.items(), LANGUAGES):
        for theme, lines in asyncio.run(screens_of(scene, language)).items():
            path = FOLDER / f"{name}-{language}-{theme}.svg"
            made[path] = picture(lines, scene.titles.get(language, scene.titles["en"]))
    return made


def main() -> None:
    """Write all pages and pictures."""
    FOLDER.mkdir(exist_ok=True)
    for path, text in {**pictures(), **pages()}.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
