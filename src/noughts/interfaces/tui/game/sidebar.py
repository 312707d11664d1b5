"""What stands beside the board: who plays, the score, the clocks and the moves, as lines of bits."""

from collections.abc import Mapping

from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.naming import cut_apart, player_called, player_in_short
from noughts.interfaces.presenting.planning import HUMAN, name_in
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

MOST_TALLIED = 10
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


def seat_names(say: Translator, names: Mapping[str, str], who: Mapping[str, str]) -> dict[str, str]:
    """What players are called on the screen, by mark; *who* says which computer has a mark."""
    return {
        side: player_called(say, name_in(say, name), who.get(side, HUMAN)) for side, name in names.items()
    }


def names_of(say: Translator, session: Session, *, short: bool = False) -> dict[str, str]:
    """What the players of the present game are called, computers more shortly if *short*."""
    names, who = session.sitting.names, session.sitting.who_of
    if not short:
        return seat_names(say, names, who)
    is_only = len(session.people) == len(names) - 1
    return {
        side: player_in_short(say, name_in(say, name), who[side], is_only=is_only)
        for side, name in names.items()
    }


def tally(wins: int, *, chinese: bool) -> str:
    """*wins* in strokes, empty for none and for more than :data:`MOST_TALLIED`.

    >>> tally(7, chinese=False), tally(7, chinese=True)
    ('||||/ ||', '正丅')
    """
    if wins > MOST_TALLIED:
        return ""
    fives, rest = divmod(wins, 5)
    if chinese:
        return STROKES[-1] * fives + (STROKES[rest - 1] if rest else "")
    return " ".join(["||||/"] * fives + (["|" * rest] if rest else []))


def clock_face(milliseconds: int) -> str:
    """Time left on a clock: minutes and seconds, tenths in the last ten seconds.

    >>> clock_face(252_000), clock_face(9_450)
    ('4:12', '9.4')
    """
    if milliseconds < CLOSE:
        return f"{milliseconds // 1000}.{milliseconds % 1000 // 100}"
    seconds = -(-milliseconds // 1000)
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
    scores = {score.name: score for score in session.sitting.series.scores()}
    lines: list[Line] = []
    for side, name in names.items():
        points = scores[session.sitting.names[side]].points
        left = [Bit(small_sign(side), side, True), Bit(f" {name}", "", True)]
        full = _standing(say, session, side, points)
        short = [bit for bit in full if bit.role != TALLY]
        fitting = [right for right in (full, short) if width_of([*left, *right]) < width]
        note = _note(say, session, side)
        if note and fitting and width_of([*left, *fitting[0]]) + display_width(note) + 3 <= width:
            left.append(Bit(f"  {note}", SECOND))
        lines.append(spread(left, fitting[0] if fitting else [], width))
        is_to_move = outcome is None and side == session.match.turn
        stroke = "─" * min(display_width(name), width - 2) if is_to_move else ""
        if not fitting:
            stroke = stroke[: max(0, width - width_of(short) - 4)]
        if stroke or not fitting:
            lines.append(spread([Bit("  "), Bit(stroke, side)], [] if fitting else short, width))
    return lines


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
        bits.append(
            Bit(
                ("  " if bits else "") + clock_face(left),
                side if side == session.match.turn else "",
                left < CLOSE,
            )
        )
    if session.sitting.series.results:
        strokes = ""
        if points == int(points):
            strokes = tally(int(points), chinese=say.language.startswith("zh"))
        if strokes:
            bits.append(Bit(("   " if bits else "") + strokes, TALLY))
        bits.append(Bit(("  " if bits else "") + f"{points:g}"))
    return bits


def score_line(say: Translator, session: Session, width: int) -> Line:
    """All players in one line, for where there is no margin."""
    for short, gap, most in SCORE_FORMS:
        items = _score_items(session, names_of(say, session, short=short), most)
        line = [bit for place, item in enumerate(items) for bit in ([Bit(gap)] if place else []) + item]
        if width_of(line) <= width:
            break
    return line


def _score_items(session: Session, names: Mapping[str, str], most: int) -> list[list[Bit]]:
    """Each player with the mark, how many stand, and the clock or the score; names have *most* columns."""
    scores = {score.name: score for score in session.sitting.series.scores()}
    told = session.game.annotations()
    items: list[list[Bit]] = []
    for side, name in cut_apart(names, most).items():
        bits = [Bit(f"{name} "), Bit(small_sign(side), side, True)]
        if (count := told.number(side, "lead")) is not None:
            bits.append(Bit(f" {count}", side, True))
        left = session.time_left(side)
        if left is not None:
            bits.append(Bit(f" {clock_face(left)}", "", left < CLOSE))
        elif count is None and session.sitting.series.results:
            bits.append(Bit(f" {scores[session.sitting.names[side]].points:g}"))
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
        head = Bit(f"{ply:>{digits}} ", SECOND, False, f"look({ply})")
        sign = Bit(small_sign(side), side, False, f"look({ply})")
        mark = " <" if ply == here else ""
        items.append([head, sign, Bit(text + mark, "", ply == here, f"look({ply})")])
    wide = max(map(width_of, items)) + (0 if any(bit.text.endswith(" <") for bit in items[here - 1]) else 2)
    per_row = max(1, min(len(sides) if len(sides) > 1 else 4, (width + 2) // (wide + 2)))
    rows = in_columns(items, per_row, wide + 2)
    at = max(0, here - 1) // per_row
    first = max(0, min(len(rows) - height, at - height + 1 if session.shown is None else at - height // 2))
    return rows[first : first + height]
