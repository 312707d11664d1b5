"""Sentences about the conduct of people, and about the decisions of operators."""

from collections.abc import Mapping

from noughts.arena.people.conduct import Conduct, conduct_in
from noughts.arena.people.moderation import CaseDecision, OperatorAction
from noughts.arena.stored_game import StoredGame, moves_of
from noughts.interfaces.presenting.i18n import Translator


def unknown_name(say: Translator, number: int) -> str:
    """Return the text for the identity *number* without a name."""
    return say("player-numbered", number=str(number))


def action_sentence(say: Translator, action: OperatorAction, names: Mapping[int, str]) -> str:
    """Return a row of the log as a sentence. *names* are those of people by number."""
    taken = action.facts.get("name") if action.decision is CaseDecision.NEW_NAME else None
    taken = action.facts.get("title", taken)
    operator = say("operator-console") if action.operator is None else names.get(action.operator)
    return say(
        f"operator-{action.decision}",
        operator=operator or unknown_name(say, action.operator or 0),
        player=taken or names.get(action.subject) or unknown_name(say, action.subject),
        title=action.facts.get("new", ""),
        games=len(action.facts.get("games", ())),
    )


def evidence_sentence(say: Translator, stored: StoredGame, number: int, noted: Conduct | None) -> str:
    """Return the conduct of the identity *number* in the finished game *stored*, with the result.

    *noted* is the conduct as it was noted, None for a game in which it does not count.
    """
    sides = {identity: side for side, identity in stored.identities.items()}
    side = sides[number]
    moves = moves_of(stored)
    kind = noted or conduct_in(stored)[side]
    left = next((left for _, left in reversed(moves) if left is not None), None)
    winner = stored.events[-1].data.get("winner")
    result = "draw" if winner is None else "won" if winner == side else "lost"
    sentences = [say(f"conduct-{kind}", plies=len(moves)), say(f"evidence-{result}")]
    if left is not None:
        sentences.append(say("evidence-clock", clock=clock_text(left)))
    return say.joined(sentences)


def clock_text(milliseconds: int) -> str:
    """Return a time as minutes and seconds.

    >>> clock_text(252_000)
    '4:12'
    """
    minutes, seconds = divmod(milliseconds // 1000, 60)
    return f"{minutes}:{seconds:02}"
