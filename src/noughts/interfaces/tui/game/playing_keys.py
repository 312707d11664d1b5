"""Which keys mean something in a game, and which of them stand in the footer now."""

from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.tui.game.session import Session
from noughts.interfaces.tui.kit.keys import footer
from noughts.interfaces.tui.kit.spans import Line

PLAY_KEYS = (
    "slide",
    "take-back-alone",
    "move",
    "layer",
    "place",
    "cell",
    "hint",
    "values",
    "lines",
    "help",
    "leave",
)
PAST_KEYS = ("back", "forward", "branch", "play-from", "values", "help", "leave")
TRIAL_KEYS = ("place", "take-back", "values", "hint", "promote-line", "remove-line", "help", "leave-trial")
OVER_KEYS = ("rematch", "again", "review", "back", "forward", "save", "leave")
THINKING_KEYS = ("look-around", "hurry", "lines", "help", "leave")
STUCK_KEYS = ("look-around", "take-back", "help", "leave")
"""The keys of the footer, by what is going on."""


def footer_of(say: Translator, session: Session, width: int, *, is_whole: bool, is_stuck: bool) -> Line:
    """The keys that matter now, where nothing is asked; *is_whole* if all of the board is in sight.

    *is_stuck* if a computer is to move that has given no answer.
    """
    states = {
        PAST_KEYS: session.is_looking_back,
        TRIAL_KEYS: session.trial is not None,
        OVER_KEYS: session.is_over,
        STUCK_KEYS: is_stuck,
        THINKING_KEYS: session.thinking_side is not None,
    }
    ids = next((ids for ids, holds in states.items() if holds), PLAY_KEYS)
    is_hidden = ids is PLAY_KEYS and not is_whole
    is_layered = ids is PLAY_KEYS and session.latest.layout.planes > 1
    kept = "layer" if is_layered else "go-to" if is_hidden and not session.is_sliding else ""
    return footer(say, tuple(id_ for id_ in ids if has_use_of(session, id_)), width, kept)


def has_use_of(session: Session, id_: str) -> bool:
    """Whether the key of *id_* means something in the game that is played."""
    game = session.latest
    is_alone = len(game.sides) == 1
    match id_:
        case "slide":
            return session.is_sliding
        case "move" | "place" | "go-to":
            return not session.is_sliding
        case "cell":
            return bool(session.last_digit)
        case "layer":
            return game.layout.planes > 1
        case "take-back" | "rematch":
            return not is_alone
        case "take-back-alone" | "again":
            return is_alone
        case "draw":
            return not is_alone and bool(session.people)
        case "resign":
            return bool(session.people)
        case "lines" | "threats":
            has_lines = game.lines_through((0,) * len(game.shape)) is not None
            return has_lines and not (is_alone and id_ == "threats")
    return True
