"""Small pictures of games: at the end of a game, with its deciding line struck through."""

from functools import lru_cache

from noughts.drawing.strokes import LEARNED, VARIANTS, mark_path, plain, variant_of
from noughts.drawing.svg import stroke_paths
from noughts.drawing.svg_document import element
from noughts.drawing.svg_grid import CELL, Ruling, Space, compact_space
from noughts.drawing.view import cells_of_owners, field_owners, view_of
from noughts.games.base import Game
from noughts.games.catalogue import finished


@lru_cache(maxsize=100)
def tile(name: str) -> str:
    """Return the picture of the game of the catalogue called *name*."""
    return draw_tile(finished(name), name)


def draw_tile(game: Game, name: str, *, shows_last: bool = False) -> str:
    """Return the board of *game* as a small SVG with the colours and marks of the page.

    *name* makes the ids in the picture unique. With *shows_last*, the cells of the last move have brackets.
    """
    space = compact_space(game)
    parts = [*_washes(game, space), *_ruling(game, space, name), *_marks(game, space), *_owners(game, space)]
    parts += _last(game, space) if shows_last else []
    strokes = stroke_paths(game, space, view_of(game, labels=False).lines)
    parts += [element("path", **{"class": "strike"}, d=path) for path in strokes]
    size = f"0 0 {plain(space.width)} {plain(space.height)}"
    begun = f'<svg class="pic" viewBox="{size}" aria-hidden="true" focusable="false">'
    return f"{begun}{''.join(parts)}</svg>"


def symbols() -> str:
    """Return the SVG symbols of the marks that pictures use."""
    return "".join(
        f'<symbol id="mark-{mark}-{variant}" viewBox="0 0 100 100">'
        f'<path d="{mark_path(mark, variant)}"/></symbol>'
        for mark in LEARNED
        if mark in "XOZ"
        for variant in range(VARIANTS)
    )


def _washes(game: Game, space: Space) -> list[str]:
    found = [(index, f"{_ink(game.cells[index])}-wash") for index in view_of(game, labels=False).winning]
    if game.layout.tiles:
        found += [(index, "shade") for index, mark in enumerate(game.cells) if mark is None]
    parts = []
    for index, kind in sorted(found):
        corners = "L".join(f"{plain(x)} {plain(y)}" for x, y in space.outline(index, 2))
        parts.append(element("path", **{"class": kind}, d=f"M{corners}Z"))
    return parts


def _ruling(game: Game, space: Space, name: str) -> list[str]:
    """Return the lines of all planes, defined once for several planes, and the floors below them."""
    ruling, planes = Ruling(game, space), range(game.layout.planes)
    kinds = {"thin": "".join(ruling.thin()), "pen": "".join(ruling.pen())}
    parts = []
    for kind, path in kinds.items():
        if path and len(planes) == 1:
            parts.append(element("path", **{"class": kind}, d=path))
        elif path:
            named = element("path", id=f"{kind}-{name}", **{"class": kind}, d=path)
            used = [dict(zip("xy", space.origin(plane), strict=True)) for plane in planes]
            uses = "".join(element("use", href=f"#{kind}-{name}", **place) for place in used)
            parts.append(f"<defs>{named}</defs>{uses}")
    floors = "".join(ruling.floor(plane, space.origin(plane)) for plane in planes)
    return [*parts, element("path", **{"class": "pen"}, d=floors)] if floors else parts


def _marks(game: Game, space: Space) -> list[str]:
    owned, parts = cells_of_owners(game), []
    for index, mark in enumerate(game.cells):
        if mark is None:
            continue
        x, y = space.corner(index)
        if game.layout.tiles or not mark_path(mark, 0):
            style = {"class": "tile", "text_anchor": "middle"}
            parts.append(element("text", mark, **style, x=x + 50, y=y + 67, font_size=46))
        else:
            kind = f"{_ink(mark)} old" if index in owned else _ink(mark)
            parts.append(_mark(mark, variant_of(index), (x, y), CELL, kind))
    return parts


def _last(game: Game, space: Space) -> list[str]:
    """Return the brackets around the cells of the last move."""
    corners = [space.corner(index) for index in sorted(view_of(game, labels=False).last)]
    places = [{"x": x, "y": y, "width": CELL, "height": CELL} for x, y in corners]
    return [element("use", href="#here", **place, **{"class": "here"}) for place in places]


def _owners(game: Game, space: Space) -> list[str]:
    down, across = game.layout.fields
    parts = []
    for number, owner in enumerate(field_owners(game)):
        if owner in game.sides:
            row, column = divmod(number, game.layout.columns // across)
            corner = space.corner(game.layout.index(0, row * down, column * across))
            parts.append(_mark(str(owner), variant_of(number), corner, across * CELL, _ink(owner)))
    return parts


def _mark(mark: str, variant: int, corner: tuple[float, float], size: float, kind: str) -> str:
    place = {"x": corner[0], "y": corner[1], "width": size, "height": size}
    return element("use", href=f"#mark-{mark}-{variant}", **place, **{"class": kind})


def _ink(mark: str | None) -> str:
    """Return the CSS class for the colour of *mark*."""
    return {"X": "x", "O": "o", "Z": "z"}.get(mark or "", "pen")
