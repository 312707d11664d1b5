"""The state of a game in lines: players, score, clocks, turn and places."""

from collections.abc import Mapping
from typing import NamedTuple

from noughts.arena.events import MatchEnd
from noughts.core.board import index_of
from noughts.drawing.view import choosable_cells
from noughts.games.base import Game, Outcome
from noughts.games.layout import plane_label
from noughts.interfaces.presenting.game_plan import localized_name
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.players import player_in_short, shorten_names
from noughts.interfaces.tui.game.screen_layout import ScreenLayout
from noughts.interfaces.tui.game.session import GameSession
from noughts.interfaces.tui.launch import seat_names
from noughts.interfaces.tui.widgets.spans import Bit, Line, width_of
from noughts.text import display_width


def side_bit(game: Game, side: str) -> Bit:
    """Return the sign of a side: its mark, or its number if both sides share marks."""
    rules = game.rules
    if rules is not None and (rules.notakto or rules.wild):
        return Bit(str(game.sides.index(side) + 1), "", True)
    return Bit(side, side, True)


WHOLE = 1000
"""More columns than any name has."""

SCORE_FORMS = (
    *((short, gap, WHOLE) for short in (False, True) for gap in ("    ", "  ", " ")),
    *((True, " ", most) for most in (12, 10, 8, 7, 6, 5, 4, 3, 2, 1)),
)
"""Forms of the score line: short names of computers, the gap, the most columns of a name."""


TURN_FORMS = (
    *((short, WHOLE, True) for short in (False, True)),
    *((True, most, True) for most in (24, 20, 16, 12, 10, 8, 6, 4)),
    *((True, most, False) for most in (WHOLE, 10, 5)),
)
"""Forms of the turn line: short names of computers, columns of a name, with opponents."""

LOW_TIME = 10_000
"""The milliseconds below which a clock is about to run out."""


def names_of(
    say: Translator, session: GameSession, *, short: bool = False, by_strength: bool = False
) -> dict[str, str]:
    """Return the names of the players of the current game, those of computers shorter if *short*.

    With *by_strength* the short name of a single computer shows its strength too.
    """
    names, players = session.table.names, session.table.who_of
    if not short:
        return seat_names(say, names, players)
    is_only = len(session.people) == len(names) - 1 and not by_strength
    return {
        side: player_in_short(say, localized_name(say, name), players[side], is_only=is_only)
        for side, name in names.items()
    }


def clock_face(milliseconds: int, *, tenths: bool = True) -> str:
    """Return the time left on a clock, with tenths in the last ten seconds.

    Without *tenths* it is the time that has passed.

    >>> clock_face(252_000), clock_face(9_450), clock_face(9_450, tenths=False)
    ('4:12', '9.4', '0:09')
    """
    if tenths and milliseconds < LOW_TIME:
        return f"{milliseconds // 1000}.{milliseconds % 1000 // 100}"
    seconds = -(-milliseconds // 1000) if tenths else milliseconds // 1000
    hours, seconds = divmod(seconds, 3600)
    if hours:
        return f"{hours}:{seconds // 60:02}:{seconds % 60:02}"
    return f"{seconds // 60}:{seconds % 60:02}"


def score_line(say: Translator, session: GameSession, width: int) -> Line:
    """Return all players in one line, for windows without a sidebar."""
    for short, gap, most in SCORE_FORMS:
        items = _score_items(session, names_of(say, session, short=short), most)
        line = [bit for place, item in enumerate(items) for bit in ([Bit(gap)] if place else []) + item]
        if width_of(line) <= width:
            break
    return line


def _score_items(session: GameSession, names: Mapping[str, str], most: int) -> list[list[Bit]]:
    """Return each player with mark, count, and clock or score; names have *most* columns."""
    scores = {score.name: score for score in session.table.scores}
    annotations = session.game.annotations()
    items: list[list[Bit]] = []
    for side, name in shorten_names(names, most).items():
        bits = [Bit(name)] if len(names) == 1 else [Bit(f"{name} "), side_bit(session.latest, side)]
        if (count := annotations.number(side, "lead")) is not None:
            bits.append(Bit(f" {count}", side, True))
        left = session.time_left(side)
        if left is not None:
            bits.append(Bit(f" {clock_face(left)}", "", left < LOW_TIME))
        elif count is None and session.table.games_played:
            bits.append(Bit(f" {scores[session.table.names[side]].points:g}"))
        items.append(bits)
    return items


# Turn or result


def turn_line(say: Translator, session: GameSession, width: int, *, is_thinking: bool) -> list[Bit]:
    """Return the turn or the winner in words; names are as short as *width* requires."""
    outcome = session.match.outcome
    side = session.match.turn if outcome is None else outcome.winner
    sign = []
    if side is not None and len(session.latest.sides) > 1:
        sign = [side_bit(session.latest, side), Bit(" ")]
    opponents = _opponents_at_first(session)
    for short, most, is_against in TURN_FORMS:
        names = shorten_names(names_of(say, session, short=short), most)
        whose_turn = _whose_turn(say, session, names, is_thinking=is_thinking)
        text = whose_turn if outcome is None else _result(say, outcome, names)
        if is_against and opponents:  # The opponents may have been chosen by default.
            called = shorten_names(names_of(say, session, short=short, by_strength=True), most)
            others = say.listed(called[side] for side in opponents)
            text = say.plural("turn-against", len(opponents), turn=text, player=others)
        if width_of(line := [*sign, Bit(text, "", True)]) <= width:
            break
    return line


def _opponents_at_first(session: GameSession) -> list[str]:
    """Return the opponents of the side to move, until the only person has made a move.

    If there are several people or none, this holds until the first move of any player. Empty if a computer is
    to move and there is one person: the sentence about the turn names it then.
    """
    match, people = session.match, session.people
    sides = people if len(people) == 1 else match.game.sides
    if match.outcome is not None or match.turn not in sides or not {*sides}.isdisjoint(match.game.movers):
        return []
    return [side for side in match.game.sides if side != match.turn]


def _whose_turn(say: Translator, session: GameSession, names: Mapping[str, str], *, is_thinking: bool) -> str:
    turn = session.match.turn
    if is_thinking:
        return say("is-thinking", player=names[turn])
    if session.people == (turn,):
        return say("your-turn")
    return say("is-to-move", player=names[turn])


def _result(say: Translator, outcome: Outcome, names: Mapping[str, str]) -> str:
    if len(names) == 1 and outcome.winner is not None:
        return say("over-solved")
    if outcome.termination == MatchEnd.BROKEN:
        return say("over-broken")
    if outcome.termination == MatchEnd.ABORTED:
        return say("over-aborted")
    if outcome.winner is None:
        is_lost_by_one = len(names) > 2 and outcome.termination in ("resignation", "time", "forfeit")
        return say("nobody-wins") if is_lost_by_one else say("over-draw")
    return say("wins", winner=names[outcome.winner]).rstrip(".。")


# Places, for boards that do not show them themselves


class _Place(NamedTuple):
    """A place in words, and in the signs around it on the board."""

    words: str
    signs: str


def _places(
    say: Translator, session: GameSession, arrangement: ScreenLayout, *, with_cursor: bool
) -> list[_Place]:
    """Return the open field or the last move if it may be out of sight, and the cursor's cell.

    A sidebar shows the last move in its list. The cursor's cell is included if *with_cursor*.
    """
    places = []
    if not (arrangement.is_whole or arrangement.sidebar):
        if (field := open_field(session)) is not None:
            places.append(_Place(say("where-field", cells=field), field))
        elif (last := _last_move(say, session)) is not None:
            places.append(last)
    elif arrangement.is_named:
        return []
    if not with_cursor:
        return places
    cell = session.cell_name
    return [*places, _Place(say("where-cursor", cell=cell), f">{cell}<")]


def _last_move(say: Translator, session: GameSession) -> _Place | None:
    game = session.game
    cell = next(iter(game.last_cells()), None)
    if cell is None:
        return None
    name = session.names.move(game.moves[-1])
    words = say("where-last", move=name)
    if game.layout.planes > 1:
        plane = game.layout.place(index_of(game.shape, cell))[0]
        words = say("where-last-layer", move=name, layer=plane_label(game.shape[:-2], plane))
    return _Place(words, f"[{name}]")


def open_field(session: GameSession) -> str | None:
    """Return the only field in which a mark may be placed, as its corners; else None."""
    game = session.game
    down, across = game.layout.fields
    if game.is_over or not game.layout.owned:
        return None
    fields = {(row // down, column // across) for row, column in choosable_cells(game)}
    return session.names.field(*fields) if len(fields) == 1 else None


def place_lines(
    say: Translator,
    session: GameSession,
    arrangement: ScreenLayout,
    width: int,
    height: int,
    *,
    with_cursor: bool = True,
) -> list[str]:
    """Return the places in at most *height* lines: in words if they fit, else in signs."""
    places = _places(say, session, arrangement, with_cursor=with_cursor)
    words = [place.words for place in places]
    for lines in ([say.listed(words)], words):
        if len(lines) <= height and all(display_width(line) <= width for line in lines):
            return lines if places else []
    return [" ".join(place.signs for place in places)][:height]
