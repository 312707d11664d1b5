"""Decisions of operators about the titles of tournaments, which players have reported."""

from dataclasses import dataclass

from noughts.arena.people.moderation import CaseDecision, Moderation, OperatorAction
from noughts.arena.store.connections import Connection
from noughts.arena.tournament.people_repository import StoredPeople


@dataclass(frozen=True, slots=True)
class TitleDecision:
    """A *decision* of the *operator* with that number (None: the command line), with a *note*.

    ``title`` is the new one, empty for a decision that gives none.
    """

    operator: int | None
    decision: CaseDecision
    note: str
    title: str = ""

    def carry_out(
        self, moderation: Moderation, connection: Connection, draft: StoredPeople, at: int
    ) -> OperatorAction:
        """Log the decision, and change *draft*, which the caller saves in the same transaction."""
        old = draft.tournament.terms.title
        facts = (self.operator, draft.number, self.decision, self.note, old, self.title)
        action = moderation.decide_title(connection, *facts)
        match self.decision:
            case CaseDecision.RETITLE:
                draft.events += draft.tournament.retitle(self.title, at)
            case CaseDecision.UNLIST:
                draft.events += draft.tournament.unlist(at)
        return action
