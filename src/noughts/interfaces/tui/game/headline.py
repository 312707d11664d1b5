"""The first line of a game's screen: whose turn it is, or how the game has ended."""

from collections.abc import Mapping

from noughts.games.base import Outcome
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.tui.game.session import Playing
from noughts.interfaces.tui.game.sidebar import names_of, small_sign
from noughts.interfaces.tui.kit.spans import Bit, width_of


def headline(say: Translator, playing: Playing, width: int, *, unicode: bool, is_thinking: bool) -> list[Bit]:
    """Whose turn it is, or who has won; computers are called more shortly where *width* asks for it."""
    outcome = playing.match.outcome
    side = playing.match.turn if outcome is None else outcome.winner
    sign = []
    if side is not None and len(playing.latest.sides) > 1:
        sign = [Bit(f"{small_sign(side, unicode=unicode)} ", side, True)]
    for short in (False, True):
        names = names_of(say, playing, short=short)
        whose_turn = _whose_turn(say, playing, names, is_thinking=is_thinking)
        text = whose_turn if outcome is None else _result(say, outcome, names)
        if width_of(line := [*sign, Bit(text, "", True)]) <= width:
            break
    return line


def _whose_turn(say: Translator, playing: Playing, names: Mapping[str, str], *, is_thinking: bool) -> str:
    turn = playing.match.turn
    if is_thinking:
        return say("is-thinking", player=names[turn])
    if playing.people == (turn,):
        return say("your-turn")
    return say("is-to-move", player=names[turn])


def _result(say: Translator, outcome: Outcome, names: Mapping[str, str]) -> str:
    if len(names) == 1 and outcome.winner is not None:
        return say("over-solved")
    if outcome.winner is None:
        is_lost_by_one = len(names) > 2 and outcome.termination in ("resignation", "time", "forfeit")
        return say("nobody-wins") if is_lost_by_one else say("over-draw")
    return say("wins", winner=names[outcome.winner]).rstrip(".。")
