"""The first line of a game's screen, whose turn it is or how it ended; and in words where things are."""

from collections.abc import Mapping
from typing import NamedTuple

from noughts.core.board import index_of
from noughts.drawing.view import choosable_cells
from noughts.games.base import Outcome
from noughts.games.layout import plane_label
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.tui.game.arrange import Arrangement
from noughts.interfaces.tui.game.session import Session
from noughts.interfaces.tui.game.sidebar import names_of, small_sign
from noughts.interfaces.tui.kit.spans import Bit, width_of
from noughts.text import display_width


def headline(say: Translator, session: Session, width: int, *, is_thinking: bool) -> list[Bit]:
    """Whose turn it is, or who has won; computers are called more shortly where *width* asks for it."""
    outcome = session.match.outcome
    side = session.match.turn if outcome is None else outcome.winner
    sign = []
    if side is not None and len(session.latest.sides) > 1:
        sign = [Bit(f"{small_sign(side)} ", side, True)]
    for short in (False, True):
        names = names_of(say, session, short=short)
        whose_turn = _whose_turn(say, session, names, is_thinking=is_thinking)
        text = whose_turn if outcome is None else _result(say, outcome, names)
        if width_of(line := [*sign, Bit(text, "", True)]) <= width:
            break
    return line


def _whose_turn(say: Translator, session: Session, names: Mapping[str, str], *, is_thinking: bool) -> str:
    turn = session.match.turn
    if is_thinking:
        return say("is-thinking", player=names[turn])
    if session.people == (turn,):
        return say("your-turn")
    return say("is-to-move", player=names[turn])


def _result(say: Translator, outcome: Outcome, names: Mapping[str, str]) -> str:
    if len(names) == 1 and outcome.winner is not None:
        return say("over-solved")
    if outcome.winner is None:
        is_lost_by_one = len(names) > 2 and outcome.termination in ("resignation", "time", "forfeit")
        return say("nobody-wins") if is_lost_by_one else say("over-draw")
    return say("wins", winner=names[outcome.winner]).rstrip(".。")


# Where things are, for boards that do not show it themselves


class Place(NamedTuple):
    """A place in words, and in the signs that stand around it on the board."""

    words: str
    signs: str


def places(say: Translator, session: Session, arrangement: Arrangement) -> list[Place]:
    """Where one may go or has gone, if that may be out of sight, and where the cursor is.

    Beside a margin the list of moves tells of the last one.
    """
    found = []
    if not (arrangement.is_whole or arrangement.margin):
        if (field := open_field(session)) is not None:
            found.append(Place(say("where-field", cells=field), field))
        elif (last := _last_move(say, session)) is not None:
            found.append(last)
    elif arrangement.is_named:
        return []
    cell = session.called_cell
    return [*found, Place(say("where-cursor", cell=cell), f">{cell}<")]


def _last_move(say: Translator, session: Session) -> Place | None:
    game = session.game
    cell = next(iter(game.last_cells()), None)
    if cell is None:
        return None
    name = session.names.move(game.moves[-1])
    words = say("where-last", move=name)
    if game.layout.planes > 1:
        plane = game.layout.place(index_of(game.shape, cell))[0]
        words = say("where-last-layer", move=name, layer=plane_label(game.shape[:-2], plane))
    return Place(words, f"[{name}]")


def open_field(session: Session) -> str | None:
    """The only field in which a mark may be placed, as its corners; None where there is a choice."""
    game = session.game
    down, across = game.layout.fields
    if game.is_over or not game.layout.owned:
        return None
    fields = {(row // down, column // across) for row, column in choosable_cells(game)}
    return session.names.field(*fields) if len(fields) == 1 else None


def place_lines(say: Translator, found: list[Place], width: int, height: int) -> list[str]:
    """Places in at most *height* lines of *width* columns: in words where there is room, else in signs."""
    words = [place.words for place in found]
    for lines in ([say.listed(words)], words):
        if len(lines) <= height and all(display_width(line) <= width for line in lines):
            return lines if found else []
    return [" ".join(place.signs for place in found)][:height]
