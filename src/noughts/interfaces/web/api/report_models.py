"""The requests and responses about reports and moderation."""

from typing import Annotated, Literal

from pydantic import Field

from noughts.arena.people.moderation import MAX_NOTE
from noughts.arena.tournament.people import MAX_TITLE
from noughts.interfaces.web.api.identity_models import Number, SignedRequest
from noughts.interfaces.web.api.requests import GameNumber, RequestModel
from noughts.interfaces.web.http.replies import Model

PlayerReasonName = Literal["leaving", "losing", "computer", "name", "names", "other"]
ReasonName = PlayerReasonName | Literal["tournament"]
TitleDecisionName = Literal["nothing", "unlist", "retitle"]
CaseDecisionName = Literal["nothing", "warn", "no-rated", "undo-ratings", "new-name", "ban"]


class ReportRequest(RequestModel):
    """A report of a player. It has no text."""

    identity: Number
    """The number of the reported player."""
    reason: PlayerReasonName
    """The reason."""
    game: GameNumber | None = None
    """The number of a game of the player, which the sender played or may see. Three reasons need one."""


class DecisionRequest(SignedRequest):
    """A decision about a player, which a device of the operator has signed."""

    decision: CaseDecisionName
    """The decision. It closes all open reports about the player."""
    note: Annotated[str, Field(max_length=MAX_NOTE)] = ""
    """A note for the log."""


class TitleDecisionRequest(SignedRequest):
    """A decision about the title of a tournament, which a device of the operator has signed."""

    decision: TitleDecisionName
    """The decision: `unlist` takes the tournament out of the list. It closes all reports of the title."""
    title: Annotated[str, Field(max_length=MAX_TITLE)] = ""
    """The new title for `retitle`, or empty for the usual title."""
    note: Annotated[str, Field(max_length=MAX_NOTE)] = ""
    """A note for the log."""


class OwnReport(Model):
    """A report by the caller."""

    number: int
    """The number of the report."""
    created: int
    """The time of the report in milliseconds since 1970."""
    identity: int | None
    """The number of the reported player, or null for the title of a tournament."""
    name: str
    """The name of the reported player, or the title."""
    reason: ReasonName
    """The reason. `tournament` is the one for titles."""
    game: int | None
    """The number of the game, or null."""
    is_decided: bool
    """True once an operator has decided it."""


class BanMessage(Model):
    """A ban from new games."""

    since: int
    """The time of its start in milliseconds since 1970."""
    ends: int | None
    """The time of its end, or null for a ban without an end."""
    scope: Literal["all", "rated"]
    """`all` for offers, rated games and tournaments, `rated` for rated games."""
    is_by_operator: bool
    """False for a ban that followed from left and stalled games."""


class ActionMessage(Model):
    """A decision of an operator."""

    number: int
    """The number of the row of the log."""
    at: int
    """The time in milliseconds since 1970."""
    decision: str
    """The decision."""
    sentence: str
    """The decision in a sentence."""
    note: str
    """The note of the operator."""


class OwnReports(Model):
    """The reports by the caller, and the decisions about the caller."""

    reports: list[OwnReport]
    """The reports, the newest first."""
    bans: list[BanMessage]
    """The bans that are running."""
    decisions: list[str]
    """The decisions that the player has to know, the newest first, each as a sentence."""


class ReportSent(Model):
    """The answer to a report."""

    number: int
    """The number of the report."""


class CaseSummary(Model):
    """A player with open reports."""

    identity: int
    """The number of the player."""
    name: str
    """The name of the player."""
    reason: ReasonName
    """The most frequent reason."""
    reports: int
    """The number of open reports."""
    oldest: int
    """The time of the oldest open report in milliseconds since 1970."""
    newest: int
    """The time of the newest open report."""


class TitleCase(Model):
    """The title of a tournament, and the open reports of it."""

    code: str
    """The code of the tournament."""
    title: str
    """The title."""
    is_public: bool
    """Whether the tournament is in the list of tournaments."""
    reports: int
    """The number of open reports."""
    oldest: int | None
    """The time of the oldest open report in milliseconds since 1970, or null."""
    reporters: list[str]
    """The names of the senders, the newest report first."""
    history: list[ActionMessage]
    """Earlier decisions about the title, the newest first."""


class CaseQueue(Model):
    """The queue of an operator."""

    cases: list[CaseSummary]
    """The players with open reports: those with most reports first, then the oldest ones."""
    titles: list[TitleCase]
    """The tournaments with open reports of their titles, in the same order."""


class ReportEvidence(Model):
    """An open report, and the facts in the record of its game."""

    number: int
    """The number of the report."""
    created: int
    """The time of the report in milliseconds since 1970."""
    reporter: str
    """The name of the sender."""
    reason: ReasonName
    """The reason."""
    game: int | None
    """The number of the game, or null."""
    sentence: str
    """The facts in the record of the game, in a sentence."""
    moves: list[str]
    """The moves of the game."""


class CaseMessage(Model):
    """The evidence about a player."""

    identity: int
    """The number of the player."""
    name: str
    """The name of the player."""
    evidence: list[ReportEvidence]
    """The open reports, the newest first."""
    conduct: dict[str, int]
    """The numbers of live games with strangers in the last 30 days, by the conduct of the player."""
    rated_games: int
    """The number of rated games of open reports, whose ratings can be undone."""
    bans: list[BanMessage]
    """All bans of the player, oldest first."""
    history: list[ActionMessage]
    """Earlier decisions about the player, the newest first."""


class OperatorLog(Model):
    """The log of the operators."""

    actions: list[ActionMessage]
    """The actions, the newest first."""
    before: int | None
    """The `before` of the request for older ones, or null."""
