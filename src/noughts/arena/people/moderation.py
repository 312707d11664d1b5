"""Moderation in a database: reports, bans, decisions of operators, and the log of them.

A report has a reason from a list and the number of a game, and no text. Each decision is one transaction with
its row of the log, so no decision is missing there. Addresses are stored as an HMAC, with a secret that
changes every 7 days, so that nobody can be followed for longer.
"""

import hashlib
import hmac
import json
import secrets
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from noughts.arena.digest import canonical_json
from noughts.arena.look_alikes import shapes
from noughts.arena.people.conduct import Ban, BanScope, Conduct, conduct_in, next_ban
from noughts.arena.people.identities import DAY
from noughts.arena.people.people import People
from noughts.arena.store.connections import Connection, Row, insertion
from noughts.arena.store.database import Database
from noughts.arena.stored_game import StoredGame
from noughts.errors import KeyRefused, NotFound

MAX_REPORTS = 5
"""The largest number of reports in a day, of a key and of an address."""

ADDRESS_MS = 7 * DAY
"""The time for which the secret of addresses is used."""

BAN_MS = 2 * DAY
"""The length of a ban from rated games by an operator."""

MAX_NOTE = 200
"""The longest note of an operator."""

KEPT_CONDUCT_MS = 30 * DAY
"""The time for which conduct is stored, as evidence."""

MAX_SHOWN = 200
"""The largest number of rows of the queue, the evidence and the log in one answer."""


class ReportReason(StrEnum):
    """The reason of a report: the conduct or name of a player, or the title of a public tournament."""

    LEAVING = "leaving"
    LOSING = "losing"
    COMPUTER = "computer"
    NAME = "name"
    NAMES = "names"
    OTHER = "other"
    TOURNAMENT = "tournament"

    @property
    def needs_game(self) -> bool:
        """True if a report with this reason is about a game."""
        return self in (ReportReason.LEAVING, ReportReason.LOSING, ReportReason.COMPUTER)


class CaseDecision(StrEnum):
    """A decision of an operator about a player, or about the title of a tournament."""

    NOTHING = "nothing"
    WARN = "warn"
    NO_RATED = "no-rated"
    UNDO_RATINGS = "undo-ratings"
    NEW_NAME = "new-name"
    BAN = "ban"
    UNBAN = "unban"
    RENAME = "rename"
    FORGET = "forget"
    UNLIST = "unlist"
    RETITLE = "retitle"


CASE_DECISIONS = tuple(CaseDecision)[:6]
"""The decisions about reports of players."""

REASONS = tuple(reason for reason in ReportReason if reason is not ReportReason.TOURNAMENT)
"""The reasons to report a player."""

TITLE_DECISIONS = (CaseDecision.NOTHING, CaseDecision.UNLIST, CaseDecision.RETITLE)
"""The decisions about reports of the title of a tournament."""


@dataclass(frozen=True, slots=True)
class Report:
    """A report of the identity ``reported`` by ``reporter``. ``action`` is None until it is decided.

    With the reason ``tournament``, ``reported`` is the number of a tournament, which no identity has.
    """

    number: int
    created: int
    reporter: int
    reported: int
    reason: ReportReason
    game: int | None
    action: int | None


@dataclass(frozen=True, slots=True)
class ModerationCase:
    """The open reports about one player or tournament. ``reason`` is the most frequent one."""

    subject: int
    reason: ReportReason
    reports: int
    oldest: int
    newest: int


@dataclass(frozen=True, slots=True)
class OperatorAction:
    """A row of the log. ``operator`` is None for the command line. ``facts`` are details for JSON.

    ``subject`` is the number of a player, or of a tournament if ``facts`` has its ``title``.
    """

    number: int
    at: int
    operator: int | None
    subject: int
    decision: CaseDecision
    note: str
    facts: dict[str, Any]


class Moderation:
    """The moderation of the *people* in *database*. *now* returns milliseconds since 1970."""

    def __init__(
        self,
        database: Database,
        people: People,
        *,
        now: Callable[[], int],
        chance: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._database, self._people, self._now, self._chance = database, people, now, chance

    # Reports

    def report(
        self, reporter: int, reported: int, reason: ReportReason, game: int | None, address: str
    ) -> int:
        """Add a report and return its number. A repeated one changes nothing.

        The *game* is one of the reported player, and public or one of the reporter. Raises
        :class:`~noughts.errors.NotFound`, and :class:`~noughts.errors.KeyRefused` for too many reports.
        """
        if reporter == reported or self._people.get(reported) is None:
            raise NotFound("identity", reported)
        if game is None and reason.needs_game:
            raise KeyRefused("report-needs-game")
        with self._database.writing() as connection:
            if game is not None and connection.row(_SEEN, game=game, one=reporter, two=reported) is None:
                raise NotFound("record", game)
            return self._add_report(connection, reporter, reported, reason, game, address)

    def report_title(self, reporter: int, tournament: int, address: str) -> int:
        """Add a report of the title of *tournament* and return its number. A repeated one changes nothing.

        Raises :class:`~noughts.errors.KeyRefused` for too many reports.
        """
        with self._database.writing() as connection:
            reason = ReportReason.TOURNAMENT
            return self._add_report(connection, reporter, tournament, reason, None, address)

    def _add_report(
        self,
        connection: Connection,
        reporter: int,
        reported: int,
        reason: ReportReason,
        game: int | None,
        address: str,
    ) -> int:
        at = self._now()
        hashed = self._hash(connection, address, at)
        facts = {"reporter": reporter, "reported": reported, "reason": str(reason)}
        known = connection.row(_SAME, **facts, game=game or 0)
        if known is not None:
            return int(known["id"])
        for column, value in (("reporter", reporter), ("address", hashed)):
            query = f"SELECT COUNT(*) AS count FROM reports WHERE {column} = :value AND created > :since"  # noqa: S608 - names of ours
            if connection.column(query, value=value, since=at - DAY)[0] >= MAX_REPORTS:
                raise KeyRefused("too-many-reports", limit=MAX_REPORTS)
        row = {"created": at, **facts, "game_id": game, "address": hashed}
        return _insert(connection, "reports", row)

    def reports_of(self, reporter: int) -> list[Report]:
        """Return the reports by *reporter*, the newest first."""
        return self._reports(
            "reporter = :number ORDER BY id DESC LIMIT :count", number=reporter, count=MAX_SHOWN
        )

    def open_reports(self, reported: int) -> list[Report]:
        """Return the open reports about *reported*, the newest first."""
        condition = "reported = :number AND action IS NULL ORDER BY id DESC LIMIT :count"
        return self._reports(condition, number=reported, count=MAX_SHOWN)

    def cases(self) -> list[ModerationCase]:
        """Return the players with open reports: those with most reports first, then the oldest ones."""
        return self._cases("reason <> 'tournament'")

    def titles(self) -> list[ModerationCase]:
        """Return the tournaments with open reports of their titles, in the same order."""
        return self._cases("reason = 'tournament'")

    def _cases(self, condition: str) -> list[ModerationCase]:
        by_subject: dict[int, list[Report]] = {}
        for report in self._reports(f"{condition} AND action IS NULL ORDER BY id"):
            by_subject.setdefault(report.reported, []).append(report)
        cases = [
            ModerationCase(
                number,
                Counter(report.reason for report in reports).most_common(1)[0][0],
                len(reports),
                reports[0].created,
                reports[-1].created,
            )
            for number, reports in by_subject.items()
        ]
        return sorted(cases, key=lambda case: (-case.reports, case.oldest))

    def common_games(self, one: int, two: int) -> list[int]:
        """Return the newest games in which both played."""
        with self._database.reading() as connection:
            return connection.column(_COMMON, one=one, two=two, count=20)

    def _reports(self, condition: str, **values: Any) -> list[Report]:
        query = (
            f"SELECT id, created, reporter, reported, reason, game_id, action FROM reports WHERE {condition}"  # noqa: S608 - texts of ours
        )
        with self._database.reading() as connection:
            return [_read_report(row) for row in connection.rows(query, **values)]

    def _hash(self, connection: Connection, address: str, at: int) -> str:
        """Return the HMAC of *address* with the secret of this week. Secrets of earlier weeks are deleted."""
        name = f"address {at // ADDRESS_MS}"
        row = {"name": name, "secret": self._chance(32).hex(), "created": at}
        if connection.insert("server_secrets", row, unless="ON CONFLICT DO NOTHING"):
            old = {"name": name, "like": "address %"}
            connection.change("DELETE FROM server_secrets WHERE name LIKE :like AND name <> :name", old)
            connection.change("UPDATE reports SET address = NULL")
        (secret,) = connection.column("SELECT secret FROM server_secrets WHERE name = :name", name=name)
        return hmac.new(bytes.fromhex(secret), address.encode(), hashlib.sha256).hexdigest()

    # Bans

    def bans(self, identity: int) -> list[Ban]:
        """Return all bans of *identity*, oldest first."""
        with self._database.reading() as connection:
            return _read_bans(connection, identity)

    def conduct(self, identity: int) -> list[tuple[int, int, Conduct]]:
        """Return the conduct of *identity*: the games with their instants, the newest first."""
        query = (
            "SELECT game_id, at, kind FROM conduct WHERE identity = :number ORDER BY at DESC, game_id DESC"
        )
        with self._database.reading() as connection:
            rows = connection.rows(query, number=identity)
        return [(row["game_id"], row["at"], Conduct(row["kind"])) for row in rows]

    def resignations(self, count: int) -> list[tuple[int, int]]:
        """Return at most *count* resignations that were not examined yet: the games and the identities."""
        query = "SELECT game_id, identity FROM conduct WHERE kind = :kind ORDER BY at LIMIT :count"
        with self._database.reading() as connection:
            rows = connection.rows(query, kind=str(Conduct.RESIGNED), count=count)
        return [(row["game_id"], row["identity"]) for row in rows]

    def note_resignation(self, game: int, identity: int, *, is_win_thrown_away: bool) -> None:
        """Note that the position in which *identity* resigned was a proved win, or was not."""
        kind = Conduct.SANDBAGGED if is_win_thrown_away else Conduct.GOOD
        row = {"game": game, "identity": identity, "kind": str(kind), "before": str(Conduct.RESIGNED)}
        with self._database.writing() as connection:
            if connection.change(_JUDGE, row) and is_win_thrown_away:
                _ban_if_due(connection, identity, self._now())

    # Operators

    def decide(
        self,
        operator: int | None,
        subject: int,
        decision: CaseDecision,
        note: str = "",
        *,
        ends: int | None = None,
        facts: dict[str, Any] | None = None,
    ) -> OperatorAction:
        """Carry out *decision* about *subject*, close the open reports about it, and log that.

        *ends* is the end of a ban. ``undo-ratings`` removes the rated games of the open reports: the caller
        then has to rebuild the ratings. Raises :class:`~noughts.errors.NotFound`, and
        :class:`~noughts.errors.KeyRefused` if an operator decides about the own key.
        """
        at = self._now()
        _check_note(note)
        if operator == subject:
            raise KeyRefused("own-case")
        if self._people.get(subject) is None:
            raise NotFound("identity", subject)
        details = dict(facts or {})
        with self._database.writing() as connection:
            if decision is CaseDecision.UNDO_RATINGS:
                details["games"] = _undo(connection, subject)
            if decision is CaseDecision.NEW_NAME:
                details["name"] = self._take_name(connection, subject, at)
            if decision is CaseDecision.RENAME:
                self._people.set_name(connection, subject, details["name"])
            if decision is CaseDecision.FORGET:
                self._people.delete(connection, subject)
                note = ""
            if decision is CaseDecision.UNBAN:
                connection.change(_UNBAN, {"identity": subject, "at": at})
            action = _log(connection, at, operator, subject, decision, note, details)
            number = action.number
            if decision in (CaseDecision.NO_RATED, CaseDecision.BAN):
                until = at + BAN_MS if decision is CaseDecision.NO_RATED and ends is None else ends
                scope = BanScope.RATED if decision is CaseDecision.NO_RATED else BanScope.ALL
                _add_ban(connection, subject, Ban(at, until, scope, number))
            if decision in CASE_DECISIONS:
                connection.change(_CLOSE, {"action": number, "subject": subject})
        return action

    def decide_title(
        self,
        connection: Connection,
        operator: int | None,
        tournament: int,
        decision: CaseDecision,
        note: str,
        title: str,
        new: str = "",
    ) -> OperatorAction:
        """Close the open reports of the *title* of *tournament*, and log *decision*. *new* is the new title.

        This happens in the transaction that changes the tournament.
        """
        _check_note(note)
        facts = {"title": title, "new": new} if new else {"title": title}
        action = _log(connection, self._now(), operator, tournament, decision, note, facts)
        connection.change(_CLOSE, {"action": action.number, "subject": tournament})
        return action

    def _take_name(self, connection: Connection, subject: int, at: int) -> str:
        """Take the name of *subject* away, so that it cannot be claimed again, and return it."""
        name = self._people.set_name(connection, subject, None)
        if name is not None:
            rows = [{"shape": seen, "at": at} for seen in shapes(name)]
            connection.insert("taken_names", *rows, unless="ON CONFLICT DO NOTHING")
        return name or ""

    def log(self, *, subject: int | None = None, before: int | None = None) -> list[OperatorAction]:
        """Return the actions of operators, the newest first: all, or those about *subject*.

        *before* is the number of the first action that is too new.
        """
        query = "SELECT id, at, operator, subject, decision, note, facts FROM operator_actions WHERE 1 = 1"
        query += "" if subject is None else " AND subject = :subject"
        query += "" if before is None else " AND id < :before"
        values = {"subject": subject, "before": before, "count": MAX_SHOWN}
        known = {name: value for name, value in values.items() if value is not None}
        with self._database.reading() as connection:
            rows = connection.rows(f"{query} ORDER BY id DESC LIMIT :count", **known)
        return [_read_action(row) for row in rows]

    def decisions_to_tell(self, identity: int) -> list[OperatorAction]:
        """Return the decisions about *identity* that the player has to know, the newest first."""
        shown = (CaseDecision.WARN, CaseDecision.NEW_NAME, CaseDecision.UNDO_RATINGS)
        return [action for action in self.log(subject=identity) if action.decision in shown]


def _check_note(note: str) -> None:
    if len(note) > MAX_NOTE or not note.isprintable():
        raise KeyRefused("note", limit=MAX_NOTE)


def _log(
    connection: Connection,
    at: int,
    operator: int | None,
    subject: int,
    decision: CaseDecision,
    note: str,
    facts: dict[str, Any],
) -> OperatorAction:
    row = {"at": at, "operator": operator, "subject": subject, "decision": str(decision), "note": note}
    number = _insert(connection, "operator_actions", {**row, "facts": canonical_json(facts)})
    return OperatorAction(number, at, operator, subject, decision, note, facts)


def _insert(connection: Connection, table: str, row: dict[str, Any]) -> int:
    """Add *row* to *table*, and return its number."""
    return int(connection.column(f"{insertion(table, row)} RETURNING id", **row)[0])


def note_conduct(connection: Connection, stored: StoredGame, first_move: int, at: int) -> None:
    """Note the conduct in the finished game *stored*, in the transaction that ends it at the instant *at*.

    A ban that follows from it begins at once.
    """
    kinds = conduct_in(stored, first_move)
    numbers = tuple(number for number in stored.identities.values() if number is not None)
    known = connection.column(_KNOWN, numbers=numbers) if numbers else ()
    for side, number in stored.identities.items():
        if number is None or number not in known:  # the player has been forgotten during the game
            continue
        row = {"game_id": stored.id, "identity": number, "at": at, "kind": str(kinds[side])}
        connection.insert("conduct", row, unless="ON CONFLICT DO NOTHING")
        old = {"identity": number, "before": at - KEPT_CONDUCT_MS}
        connection.change("DELETE FROM conduct WHERE identity = :identity AND at < :before", old)
        if kinds[side].is_bad:
            _ban_if_due(connection, number, at)


def _ban_if_due(connection: Connection, identity: int, at: int) -> None:
    query = "SELECT at, kind FROM conduct WHERE identity = :identity ORDER BY at"
    rows = connection.rows(query, identity=identity)
    conduct = [(row["at"], Conduct(row["kind"])) for row in rows]
    ban = next_ban(conduct, _read_bans(connection, identity), at)
    if ban is not None:
        _add_ban(connection, identity, ban)


def _add_ban(connection: Connection, identity: int, ban: Ban) -> None:
    times = {"since": ban.since, "ends": ban.ends}
    connection.insert("bans", {"identity": identity, "scope": str(ban.scope), **times, "action": ban.action})


def banned_now(connection: Connection, identities: Collection[int], at: int) -> dict[int, list[Ban]]:
    """Return those of *identities* that are banned at the instant *at*, with their running bans."""
    query = _BANS + " IN (:numbers) AND since <= :at AND (ends IS NULL OR ends > :at)"
    found: dict[int, list[Ban]] = {}
    for row in connection.rows(query, numbers=tuple(identities), at=at) if identities else ():
        found.setdefault(row["identity"], []).append(_read_ban(row))
    return found


def check_ban(connection: Connection, identity: int | None, at: int, *, rated: bool) -> None:
    """Raise :class:`~noughts.errors.KeyRefused` if *identity* is banned from a new game, *rated* or not.

    A guest (None) is not banned.
    """
    running = [] if identity is None else banned_now(connection, (identity,), at).get(identity, [])
    ends = [ban.ends for ban in running if ban.stops(rated=rated)]
    if ends:
        until = max((end for end in ends if end is not None), default=0)
        raise KeyRefused("banned") if None in ends else KeyRefused("banned-until", until=until)


def _undo(connection: Connection, subject: int) -> list[int]:
    """Remove the rated games of the open reports about *subject*, and return the numbers of the games."""
    query = (
        "SELECT DISTINCT rated_games.number AS number, rated_games.game_id AS game FROM rated_games"
        " JOIN reports ON reports.game_id = rated_games.game_id"
        " WHERE reported = :subject AND action IS NULL"
    )
    rows = connection.rows(query, subject=subject)
    for row in rows:
        for table in ("rating_changes", "rated_games"):
            change = f"DELETE FROM {table} WHERE number = :number"  # noqa: S608 - names of ours
            connection.change(change, {"number": row["number"]})
    return sorted(row["game"] for row in rows)


# Rows

_SEEN = (
    "SELECT games.id FROM games JOIN game_identities AS two ON two.game_id = games.id AND two.identity = :two"
    " WHERE games.id = :game AND (visibility = 'public' OR EXISTS"
    " (SELECT 1 FROM game_identities AS one WHERE one.game_id = games.id AND one.identity = :one)) LIMIT 1"
)
_KNOWN = "SELECT number FROM identities WHERE number IN (:numbers)"
_SAME = (
    "SELECT id FROM reports WHERE reporter = :reporter AND reported = :reported AND reason = :reason"
    " AND COALESCE(game_id, 0) = :game AND action IS NULL LIMIT 1"
)
_CLOSE = "UPDATE reports SET action = :action WHERE reported = :subject AND action IS NULL"
_COMMON = (
    "SELECT one.game_id FROM game_identities AS one"
    " JOIN game_identities AS two ON two.game_id = one.game_id AND two.identity = :two"
    " WHERE one.identity = :one ORDER BY one.game_id DESC LIMIT :count"
)
_BANS = "SELECT identity, scope, since, ends, action FROM bans WHERE identity"
_UNBAN = "UPDATE bans SET ends = :at WHERE identity = :identity AND (ends IS NULL OR ends > :at)"
_JUDGE = "UPDATE conduct SET kind = :kind WHERE game_id = :game AND identity = :identity AND kind = :before"


def _read_report(row: Row) -> Report:
    return Report(
        row["id"],
        row["created"],
        row["reporter"],
        row["reported"],
        ReportReason(row["reason"]),
        row["game_id"],
        row["action"],
    )


def _read_bans(connection: Connection, identity: int) -> list[Ban]:
    rows: Sequence[Row] = connection.rows(f"{_BANS} = :identity ORDER BY id", identity=identity)
    return [_read_ban(row) for row in rows]


def _read_ban(row: Row) -> Ban:
    return Ban(row["since"], row["ends"], BanScope(row["scope"]), row["action"])


def _read_action(row: Row) -> OperatorAction:
    facts: dict[str, Any] = json.loads(row["facts"])
    return OperatorAction(
        row["id"],
        row["at"],
        row["operator"],
        row["subject"],
        CaseDecision(row["decision"]),
        row["note"],
        facts,
    )
