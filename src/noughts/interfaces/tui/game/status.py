"""How things stand, as lines of bits: who plays, score, clocks, moves, whose turn it is, where things are."""

from collections.abc import Mapping
from typing import NamedTuple

from noughts.core.board import index_of
from noughts.drawing.view import choosable_cells
from noughts.games.base import Outcome
from noughts.games.layout import plane_label
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.naming import cut_apart, player_in_short
from noughts.interfaces.presenting.planning import name_in
from noughts.interfaces.tui.beginning import seat_names
from noughts.interfaces.tui.game.arrange import Arrangement
from noughts.interfaces.tui.game.session import Session
from noughts.interfaces.tui.kit.spans import Bit, Line, in_columns, spread, width_of
from noughts.interfaces.tui.kit.styles import SECOND
from noughts.text import display_width

SMALL_SIGNS = {"X": "╳", "O": "○"}
"""How marks are written in text."""

STROKES = "一丅下止正"
"""The strokes of a tally in Chinese, five to a sign."""

TALLY = "tally"
"""The role of the strokes of a tally."""

MAX_TALLIED = 10
"""Points up to which they are tallied; the number stands beside in any case."""


def small_sign(mark: str) -> str:
    """*mark* as it stands in a line of text."""
    return SMALL_SIGNS.get(mark, mark)


WHOLE = 1000
"""More columns than any name has."""

SCORE_FORMS = (
    *((short, gap, WHOLE) for short in (False, True) for gap in ("    ", "  ", " ")),
    *((True, " ", most) for most in (12, 10, 8, 7, 6, 5, 4, 3, 2, 1)),
)
"""How all players are told in one line: computers shortly or not, what is between, columns of a name."""


CLOSE = 10_000
"""Milliseconds below which a clock is about to run out."""


def names_of(say: Translator, session: Session, *, short: bool = False) -> dict[str, str]:
    """What the players of the present game are called, computers more shortly if *short*."""
    names, who = session.table.names, session.table.who_of
    if not short:
        return seat_names(say, names, who)
    is_only = len(session.people) == len(names) - 1
    return {
        side: player_in_short(say, name_in(say, name), who[side], is_only=is_only)
        for side, name in names.items()
    }


def tally(wins: int, *, chinese: bool) -> str:
    """*wins* in strokes, empty for none and for more than :data:`MAX_TALLIED`.

    >>> tally(7, chinese=False), tally(7, chinese=True)
    ('||||/ ||', '正丅')
    """
    if wins > MAX_TALLIED:
        return ""
    fives, rest = divmod(wins, 5)
    if chinese:
        return STROKES[-1] * fives + (STROKES[rest - 1] if rest else "")
    return " ".join(["||||/"] * fives + (["|" * rest] if rest else []))


def clock_face(milliseconds: int, *, tenths: bool = True) -> str:
    """Time left on a clock: minutes and seconds, tenths in the last ten seconds; time gone without *tenths*.

    >>> clock_face(252_000), clock_face(9_450), clock_face(9_450, tenths=False)
    ('4:12', '9.4', '0:09')
    """
    if tenths and milliseconds < CLOSE:
        return f"{milliseconds // 1000}.{milliseconds % 1000 // 100}"
    seconds = -(-milliseconds // 1000) if tenths else milliseconds // 1000
    hours, seconds = divmod(seconds, 3600)
    if hours:
        return f"{hours}:{seconds // 60:02}:{seconds % 60:02}"
    return f"{seconds // 60}:{seconds % 60:02}"


def player_lines(say: Translator, session: Session, width: int) -> list[Line]:
    """A line for each player, with the clock, the tally and the score; who is to move is underlined.

    What there is no room for beside a name stands below it.
    """
    outcome = session.match.outcome
    names = names_of(say, session)
    if any(display_width(name) > width - 2 for name in names.values()):
        names = cut_apart(names_of(say, session, short=True), width - 2)
    scores = {score.name: score for score in session.table.series.scores()}
    is_alone = len(names) == 1
    lines: list[Line] = []
    for side, name in names.items():
        points = scores[session.table.names[side]].points
        sign = [] if is_alone else [Bit(small_sign(side), side, True), Bit(" ", "", True)]
        left = [*sign, Bit(name, "", True)]
        full = _standing(say, session, side, points)
        short = [bit for bit in full if bit.role != TALLY]
        fitting = [right for right in (full, short) if width_of([*left, *right]) < width]
        note = _note(say, session, side)
        if note and fitting and width_of([*left, *fitting[0]]) + display_width(note) + 3 <= width:
            left.append(Bit(f"  {note}", SECOND))
        lines.append(spread(left, fitting[0] if fitting else [], width))
        is_to_move = outcome is None and side == session.match.turn and not is_alone
        stroke = "─" * min(display_width(name), width - 2) if is_to_move else ""
        if not fitting:
            stroke = stroke[: max(0, width - width_of(short) - 4)]
        if stroke or not fitting:
            lines.append(spread([Bit("  "), Bit(stroke, side)], [] if fitting else short, width))
    return [*lines, *_counts(say, session, width)] if is_alone else lines


def _counts(say: Translator, session: Session, width: int) -> list[Line]:
    """What a puzzle is counted by: moves, time, and where things have a place, how many have come there."""
    game = session.game
    told = [("count-moves", str(game.ply)), ("count-time", clock_face(session.time_taken, tenths=False))]
    if session.is_sliding:
        home = len(game.annotations().cells_with("home"))
        of = sum(cell is not None for cell in game.cells)
        told.append(("count-home", say("so-many-of", count=home, of=of)))
    return [spread([Bit(say(id_), SECOND)], [Bit(text)], width) for id_, text in told]


def _note(say: Translator, session: Session, side: str) -> str:
    outcome = session.match.outcome
    if outcome is not None and outcome.winner == side:
        return say("seat-won")
    return say("seat-you") if session.people == (side,) and len(session.latest.sides) > 1 else ""


def _standing(say: Translator, session: Session, side: str, points: float) -> list[Bit]:
    """The right end of a player's line."""
    bits = []
    if (count := session.game.annotations().number(side, "lead")) is not None:
        bits.append(Bit(str(count), side, True))
    left = session.time_left(side)
    if left is not None:
        gap, role = "  " if bits else "", side if side == session.match.turn else ""
        bits.append(Bit(gap + clock_face(left), role, left < CLOSE))
    if session.table.series.results:
        is_whole, is_chinese = points == int(points), say.language.startswith("zh")
        if strokes := tally(int(points), chinese=is_chinese) if is_whole else "":
            bits.append(Bit(("   " if bits else "") + strokes, TALLY))
        bits.append(Bit(("  " if bits else "") + f"{points:g}"))
    return bits


def score_line(say: Translator, session: Session, width: int) -> Line:
    """All players in one line, for where there is no sidebar."""
    for short, gap, most in SCORE_FORMS:
        items = _score_items(session, names_of(say, session, short=short), most)
        line = [bit for place, item in enumerate(items) for bit in ([Bit(gap)] if place else []) + item]
        if width_of(line) <= width:
            break
    return line


def _score_items(session: Session, names: Mapping[str, str], most: int) -> list[list[Bit]]:
    """Each player with the mark, how many stand, and the clock or the score; names have *most* columns."""
    scores = {score.name: score for score in session.table.series.scores()}
    told = session.game.annotations()
    items: list[list[Bit]] = []
    for side, name in cut_apart(names, most).items():
        bits = [Bit(name)] if len(names) == 1 else [Bit(f"{name} "), Bit(small_sign(side), side, True)]
        if (count := told.number(side, "lead")) is not None:
            bits.append(Bit(f" {count}", side, True))
        left = session.time_left(side)
        if left is not None:
            bits.append(Bit(f" {clock_face(left)}", "", left < CLOSE))
        elif count is None and session.table.series.results:
            bits.append(Bit(f" {scores[session.table.names[side]].points:g}"))
        items.append(bits)
    return items


def move_lines(session: Session, width: int, height: int) -> list[Line]:
    """The moves, each side's below each other, as many as *height* lines hold around the one looked at."""
    game, names = session.latest, session.names
    moves = game.moves
    here = game.ply if session.shown is None else session.shown
    if not moves or height < 1:
        return []
    sides = game.sides
    digits = len(str(len(moves)))
    items = []
    for ply, move in enumerate(moves, 1):
        side = sides[(ply - 1) % len(sides)]
        text = f" {names.move(move)}"
        head = Bit(f"{ply:>{digits}}" + " " * (len(sides) > 1), SECOND, False, f"look({ply})")
        sign = [Bit(small_sign(side), side, False, f"look({ply})")] if len(sides) > 1 else []
        mark = " <" if ply == here else ""
        items.append([head, *sign, Bit(text + mark, "", ply == here, f"look({ply})")])
    wide = max(map(width_of, items)) + (0 if any(bit.text.endswith(" <") for bit in items[here - 1]) else 2)
    per_row = max(1, min(len(sides) if len(sides) > 1 else 4, (width + 2) // (wide + 2)))
    rows = in_columns(items, per_row, wide + 2)
    at = max(0, here - 1) // per_row
    first = max(0, min(len(rows) - height, at - height + 1 if session.shown is None else at - height // 2))
    return rows[first : first + height]


# Whose turn it is, or how it ended


def turn_line(say: Translator, session: Session, width: int, *, is_thinking: bool) -> list[Bit]:
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


def _places(say: Translator, session: Session, arrangement: Arrangement) -> list[Place]:
    """Where one may go or has gone, if that may be out of sight, and where the cursor is.

    Beside a sidebar the list of moves tells of the last one.
    """
    found = []
    if not (arrangement.is_whole or arrangement.sidebar):
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


def place_lines(
    say: Translator, session: Session, arrangement: Arrangement, width: int, height: int
) -> list[str]:
    """Where things are, in at most *height* lines: in words where *width* columns suffice, else in signs."""
    found = _places(say, session, arrangement)
    words = [place.words for place in found]
    for lines in ([say.listed(words)], words):
        if len(lines) <= height and all(display_width(line) <= width for line in lines):
            return lines if found else []
    return [" ".join(place.signs for place in found)][:height]
