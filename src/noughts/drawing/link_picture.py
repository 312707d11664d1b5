"""The picture of a link to a game: the board, the result and the players, on squared paper."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from noughts.drawing.raster import draw_png, font_for
from noughts.drawing.strokes import mark_path
from noughts.drawing.svg import draw_board
from noughts.drawing.svg_document import LIGHT, Palette, element
from noughts.games.base import Game
from noughts.text import display_width, fit, wrap

WIDTH, HEIGHT = 1200, 630
"""The size of a picture, which the services that show links recommend."""

SQUARE = 40
BOARD = (60.0, 55.0, 560.0, 520.0)
"""The place of the board: left, top, width and height."""

BOARD_PART = (39.0, 30.0, 600.0, 570.0)
"""The part of the picture with the board and the paper around it, in whole pixels of animations."""

LEFT, TEXT_WIDTH = 680.0, 480.0
BOTTOM = 582.0
EM = {True: 0.68, False: 0.62}
"""The width of a column of text relative to its size, for bold and for other text. Few letters are wider."""

TITLE = ((64.0, 1), (64.0, 2), (52.0, 2), (42.0, 2), (34.0, 2))
DETAIL = ((34.0, 1), (30.0, 1), (34.0, 2), (30.0, 2), (30.0, 3))
"""The sizes and the largest numbers of lines of texts, the preferred ones first."""

NAME_SIZE, FOOT_SIZE = 34.0, 30.0
MARK = 56.0
WIDE_LETTERS = frozenset("MWmw@%ЖМФШЩЫЮжмфшщыю")
"""Letters that are wider than a column of text."""

MAX_PLAYERS = 4
"""The largest number of players that are listed."""


@dataclass(frozen=True, slots=True)
class LinkText:
    """The texts of a picture. ``players`` has the mark and the name of each player, or no name.

    All texts are in the present fonts, see :func:`drawable`. Han characters have the forms of the traditional
    script if it ``is_traditional``.
    """

    title: str
    detail: str = ""
    players: Sequence[tuple[str, str]] = field(default_factory=tuple)
    is_traditional: bool = False


def drawable(text: str, *, is_traditional: bool = False) -> str:
    """Return *text*, or an empty text if the fonts of this machine cannot draw it."""
    return text if text and font_for(text, is_traditional=is_traditional) else ""


def draw_link_png(game: Game, text: LinkText, width: int = WIDTH) -> bytes:
    """Return the picture of a link to *game* as PNG, *width* pixels wide.

    Raises :class:`~noughts.errors.ExtraMissing` without the library, and
    :class:`~noughts.errors.ShapeError` if the board is too large to be drawn.
    """
    return draw_png(draw_link_svg(game, text), width)


def draw_link_svg(
    game: Game, text: LinkText, palette: Palette = LIGHT, *, is_board_only: bool = False
) -> str:
    """Return the picture of a link to *game* as SVG, or its part with the board.

    Its texts name their fonts.
    """
    left, top, wide, high = BOARD
    width, height, board = draw_board(game, palette, wide, high)
    place = f"translate({left + (wide - width) / 2:.1f} {top + (high - height) / 2:.1f})"
    part = BOARD_PART if is_board_only else (0.0, 0.0, WIDTH, HEIGHT)
    paper = [f"M{x} 0V{HEIGHT}" for x in range(SQUARE, WIDTH, SQUARE)]
    paper += [f"M0 {y}H{WIDTH}" for y in range(SQUARE, HEIGHT, SQUARE)]
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{part[2]:g}" height="{part[3]:g}"'
            f' viewBox="{" ".join(f"{side:g}" for side in part)}">',
            element("rect", width=WIDTH, height=HEIGHT, fill=palette.paper),
            element("path", d="".join(paper), fill="none", stroke=palette.square, stroke_width=1.5),
            f'<g transform="{place}">{board}</g>',
            *(() if is_board_only else _lines_of(text, palette)),
            "</svg>",
        ]
    )


def _lines_of(text: LinkText, palette: Palette) -> Iterator[str]:
    """Yield the texts beside the board, from top to bottom."""
    size, title = _fitted(text.title, TITLE, is_bold=True)
    small, detail = _fitted(text.detail, DETAIL)
    players = text.players[:MAX_PLAYERS]
    height = len(title) * size * 1.15 + len(detail) * small * 1.3 + len(players) * MARK * 1.15
    y = max(90.0, 315 - height / 2 - 20)
    for line in title:
        y += size * 1.15
        yield _text(text, line, y, size, palette.ink, is_bold=True)
    y += 12
    for line in detail:
        y += small * 1.3
        yield _text(text, line, y, small, palette.second)
    y += 34
    aside = MARK + 12
    for mark, name in players:
        yield _mark(mark, LEFT - 4, y, palette)
        yield _text(text, _cut(name, TEXT_WIDTH - aside, NAME_SIZE), y + 41, NAME_SIZE, palette.ink, aside)
        y += MARK * 1.15
    yield _text(text, drawable("noughts"), BOTTOM, FOOT_SIZE, palette.second)


def _fitted(
    text: str, choices: Sequence[tuple[float, int]], *, is_bold: bool = False
) -> tuple[float, list[str]]:
    """Return the first size of *choices* in which *text* fits, and its lines. The last choice cuts it.

    Lines with many wide letters are broken earlier, but no word is.
    """
    longest = max(map(display_width, text.split()), default=0)
    for size, most in choices:
        columns = int(TEXT_WIDTH / (size * EM[is_bold]))
        lines = wrap(text, columns)
        for fewer in range(columns, min(columns, longest) - 1, -1):
            broken = wrap(text, fewer)
            if len(broken) <= most and all(_width(line, size, is_bold) <= TEXT_WIDTH for line in broken):
                return size, broken
    shown = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return size, [_cut(line, TEXT_WIDTH, size, is_bold) for line in shown]


def _width(text: str, size: float, is_bold: bool) -> float:
    """Return the estimated width of *text*, rather too large than too small."""
    columns = display_width(text) + 0.7 * sum(letter in WIDE_LETTERS for letter in text)
    return columns * size * EM[is_bold]


def _cut(text: str, width: float, size: float, is_bold: bool = False) -> str:
    """Return *text*, or its longest beginning that is not wider than *width*."""
    columns = display_width(text)
    while _width(shown := fit(text, columns).rstrip(), size, is_bold) > width:
        columns -= 1
    return shown


def _text(
    texts: LinkText,
    text: str,
    y: float,
    size: float,
    colour: str,
    aside: float = 0,
    *,
    is_bold: bool = False,
) -> str:
    family = font_for(text, is_traditional=texts.is_traditional) if text else None
    if family is None:
        return ""
    style = {"font_family": f"'{family}'", "fill": colour} | ({"font_weight": "700"} if is_bold else {})
    return element("text", text, x=LEFT + aside, y=y, font_size=size, **style)


def _mark(mark: str, x: float, y: float, palette: Palette) -> str:
    path = mark_path(mark, 0)
    place = f"translate({x:.1f} {y:.1f}) scale({MARK / 100:.2f})"
    return element("path", transform=place, d=path, fill=palette.pen(mark)) if path else ""
