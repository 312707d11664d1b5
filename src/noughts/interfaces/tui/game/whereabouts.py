"""In words, where the last move and the cursor are: for boards that do not show it themselves."""

from typing import NamedTuple

from noughts.core.board import index_of
from noughts.drawing.view import choosable_cells
from noughts.games.layout import plane_label
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.tui.game.arrange import Arrangement
from noughts.interfaces.tui.game.session import Playing
from noughts.text import display_width


class Place(NamedTuple):
    """A place in words, and in the signs that stand around it on the board."""

    words: str
    signs: str


def places(say: Translator, playing: Playing, arrangement: Arrangement) -> list[Place]:
    """Where one may go or has gone, if that may be out of sight, and where the cursor is.

    Beside a margin the list of moves tells of the last one.
    """
    found = []
    if not (arrangement.is_whole or arrangement.margin):
        if (field := open_field(playing)) is not None:
            found.append(Place(say("where-field", cells=field), field))
        elif (last := _last_move(say, playing)) is not None:
            found.append(last)
    elif arrangement.is_named:
        return []
    cell = playing.called_cell
    return [*found, Place(say("where-cursor", cell=cell), f">{cell}<")]


def _last_move(say: Translator, playing: Playing) -> Place | None:
    game = playing.game
    cell = next(iter(game.last_cells()), None)
    if cell is None:
        return None
    name = playing.names.move(game.moves[-1])
    words = say("where-last", move=name)
    if game.layout.planes > 1:
        plane = game.layout.place(index_of(game.shape, cell))[0]
        words = say("where-last-layer", move=name, layer=plane_label(game.shape[:-2], plane))
    return Place(words, f"[{name}]")


def open_field(playing: Playing) -> str | None:
    """The only field in which a mark may be placed, as its corners; None where there is a choice."""
    game = playing.game
    down, across = game.layout.fields
    if game.is_over or not game.annotations().fields:
        return None
    fields = {(row // down, column // across) for row, column in choosable_cells(game)}
    return playing.names.field(*fields) if len(fields) == 1 else None


def place_lines(say: Translator, found: list[Place], width: int, height: int) -> list[str]:
    """Places in at most *height* lines of *width* columns: in words where there is room, else in signs."""
    words = [place.words for place in found]
    for lines in ([say.listed(words)], words):
        if len(lines) <= height and all(display_width(line) <= width for line in lines):
            return lines if found else []
    return [" ".join(place.signs for place in found)][:height]
