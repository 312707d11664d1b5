"""A game as an animated GIF: the picture of its link, move by move. Needs the extra ``pictures``."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from noughts.drawing.link_picture import BOARD_PART, WIDTH, LinkText, draw_link_svg
from noughts.drawing.raster import check_raster, draw_png
from noughts.drawing.svg_document import LIGHT, Palette
from noughts.errors import ExtraMissing
from noughts.games.base import Game

SCALE = 2 / 3
"""The size of an animation relative to that of a picture: 800 x 420 pixels."""

MAX_FRAMES = 100
"""The largest number of frames. A longer game shows every second move, or fewer."""

MAX_CELLS_DRAWN = 60_000
"""The largest number of cells in all frames together."""

MOVE_MS, END_MS = 700, 3_000
"""The time for which each position, and the last one, is shown."""

STEPS = 10
"""The number of colours from the paper to the ink of a pen, for smooth edges."""


def can_animate() -> bool:
    """Return True if the libraries for animations are installed."""
    try:
        check_animation()
    except ExtraMissing:
        return False
    return True


def check_animation() -> None:
    """Raise :class:`~noughts.errors.ExtraMissing` if a library for animations is not installed."""
    check_raster()
    _library()


def frames_of(plies: int, cells: int) -> int:
    """Return the number of frames for a game of *plies* moves on *cells* cells."""
    return min(plies + 1, MAX_FRAMES, max(2, MAX_CELLS_DRAWN // cells))


def draw_link_gif(game: Game, text: LinkText, running: LinkText) -> bytes:
    """Return the moves of *game* as GIF. The texts are *running* before the last move, then *text*.

    Raises the errors of :func:`check_animation`, and :class:`~noughts.errors.ShapeError` if the board is too
    large to be drawn.
    """
    check_animation()
    images = list(_images(game, text, running))
    # With one palette, unchanged parts of a frame are equal to those of the frame before, and are not stored.
    common = _library().new("P", (1, 1))
    common.putpalette(_colours(LIGHT))
    images = [image.quantize(palette=common, dither=_library().Dither.NONE) for image in images]
    times = [MOVE_MS] * (len(images) - 1) + [END_MS]
    file = BytesIO()
    images[0].save(
        file,
        "GIF",
        save_all=True,
        append_images=images[1:],
        duration=times,
        loop=0,
        disposal=1,
        optimize=False,
    )
    return file.getvalue()


def _images(game: Game, text: LinkText, running: LinkText) -> Iterator[Any]:
    """Yield the frames. Only the board is drawn again for each."""
    left, top, wide, _ = (round(side * SCALE) for side in BOARD_PART)
    count = frames_of(game.ply, len(game.cells))
    shown = {game.ply - round(game.ply * number / max(1, count - 1)) for number in range(count)}
    moves, position = game.moves, game.copy()
    while position.ply:
        position.undo()
    whole = None
    for ply in range(game.ply + 1):
        if ply:
            position.play(moves[ply - 1])
        if ply == game.ply:
            yield _open(draw_png(draw_link_svg(game, text), round(WIDTH * SCALE)))
        elif ply in shown:
            whole = whole or _open(draw_png(draw_link_svg(position, running), round(WIDTH * SCALE)))
            frame = whole.copy()
            board = draw_link_svg(position, running, is_board_only=True)
            frame.paste(_open(draw_png(board, wide)), (left, top))
            yield frame


def _open(png: bytes) -> Any:
    return _library().open(BytesIO(png)).convert("RGB")


def _colours(palette: Palette) -> bytes:
    """Return the colours of all frames, three bytes each: those of *palette*, and some between two."""
    inks = (palette.ink, palette.second, palette.line, *palette.pens)
    pairs = [(palette.paper, colour, STEPS) for colour in (*inks, palette.square, palette.shade)]
    pairs += [(wash, pen, STEPS // 2) for wash, pen in zip(palette.washes, palette.pens, strict=True)]
    pairs += [(pen, palette.ink, 3) for pen in palette.pens]
    between = (
        round(_part(one, at) + (_part(two, at) - _part(one, at)) * step / steps)
        for one, two, steps in pairs
        for step in range(steps + 1)
        for at in range(3)
    )
    return bytes(between)


def _part(colour: str, number: int) -> int:
    """Return red, green or blue of a colour such as ``#fafaf6``."""
    return int(colour[1 + 2 * number : 3 + 2 * number], 16)


def _library() -> Any:
    try:
        from PIL import Image
    except ModuleNotFoundError:
        raise ExtraMissing("pillow", "pictures") from None
    return Image
