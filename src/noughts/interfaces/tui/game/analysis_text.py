"""What was asked of the program while playing, in sentences: hints, values, lines, threats, progress."""

from noughts.drawing.signs import CLOSED, OPEN
from noughts.drawing.view import first_index
from noughts.games.lit_lines import LinesThrough
from noughts.interfaces.presenting.explaining import say_no_value, say_reason, say_value
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.tasks import Threats, Worth
from noughts.interfaces.tui.game.analysis import Answers
from noughts.interfaces.tui.game.arrange import WIDE_FROM
from noughts.interfaces.tui.game.session import Session
from noughts.interfaces.tui.kit.keys import NARROW
from noughts.search.analysis import Progress

MOST_EXPECTED = 5
"""How many moves are told of the line that a search expects."""


def paragraphs(say: Translator, session: Session, answers: Answers, width: int) -> list[str]:
    """A paragraph for each thing that is shown over the board until its key is pressed again.

    What was asked last comes first: where there is little room, older answers give way. *width* is that of
    the window.
    """
    told: dict[str, list[str]] = {}
    if (hint := answers.hint_sentence(say)) is not None:
        told["hint"] = [hint]
    if worth := answers.worth:
        told["worth"] = _about_values(say, session, worth)
    elif answers.is_searching:
        searched = "worth" if answers.has_values else "hint"
        told.setdefault(searched, []).append(say_progress(say, session, answers.progress) or say("searching"))
    if (lines := answers.lines_here()) is not None:
        told["lines"] = _about_lines(say, session, lines, width)
    if (threats := answers.threats_here()) is not None:
        told["threats"] = _about_threats(say, session, threats)
    return [text for kind in sorted(told, key=lambda kind: kind != answers.asked_last) for text in told[kind]]


def _about_values(say: Translator, session: Session, worth: Worth) -> list[str]:
    if not worth.analysis.moves and worth.analysis.best is None:
        return [say_no_value(say, session.game)]
    told = [say_value(say, worth.analysis.value, worth.analysis.plies, session.game.turn)]
    ranks = {known.move: known.rank for known in worth.analysis.moves}
    here = [move for move in worth.reasons if first_index(session.game, move) == session.cursor]
    move = max(here, key=lambda move: ranks[move]) if here else worth.analysis.best
    if move is not None and move in worth.reasons:
        reason = say_reason(say, worth.reasons[move], session.names)
        told.append(say("why-move", move=session.names.move(move), reason=reason))
    return told


def _about_lines(say: Translator, session: Session, lines: LinesThrough, width: int) -> list[str]:
    """How many lines there are and, in a wide margin, what their signs mean."""
    facts = {"open": lines.open_count, "side": session.game.turn, "cell": session.called_cell}
    if width < NARROW:
        return [say.plural("lines-in-short", lines.count, **facts)]
    # Where marks fall, cells have no name of their own.
    told = say.plural("lines-through-here" if session.has_columns else "lines-through", lines.count, **facts)
    if width < WIDE_FROM:
        return [told]
    # The colon comes first, so that it does not look like one between words.
    return [told, f"{CLOSED} {say('sign-closed')} {OPEN} {say('sign-open')}"]


def _about_threats(say: Translator, session: Session, threats: Threats) -> list[str]:
    names = session.names
    if threats.own is None or (threats.others is None and not threats.own):
        return [say("threats-unknown")]
    own, others = ([names.move(move) for move in moves or ()] for moves in (threats.own, threats.others))
    if threats.lose:
        return [say("threats-lose", moves=own) if own else say("no-row-completed")]
    told = []
    if own:
        told.append(say("threats-own", moves=own))
    if others:
        told.append(say("threats-others", moves=others))
    return told or [say("no-threats")]


def say_progress(say: Translator, session: Session, progress: object) -> str:
    """How far a search has come and what it expects; empty where there is nothing to tell."""
    if not isinstance(progress, Progress):
        return ""
    if progress.stage == "reviewing":
        return say("progress-reviewing", done=progress.done, of=progress.of)
    id_ = "progress-searching" if progress.depth else "progress-nodes"
    text = say(id_, nodes=progress.nodes, depth=progress.depth)
    line = progress.pv or (() if progress.best is None else (progress.best,))
    if not line:
        return text
    moves = " ".join(map(session.names.move, line[:MOST_EXPECTED]))
    return say.joined([say("expects", moves=moves), text])
