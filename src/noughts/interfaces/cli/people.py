"""The command ``people``: people with keys, reports about them, and the decisions of operators."""

import time
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from noughts.errors import DamagedStore, NotFound
from noughts.interfaces.cli.database import open_store
from noughts.interfaces.cli.localized_click import (
    command,
    json_option,
    print_damages,
    print_json,
    whole_number,
)
from noughts.interfaces.console.tables import table, table_width
from noughts.interfaces.presenting.i18n import Translator
from noughts.text import safe_text

if TYPE_CHECKING:
    from noughts.arena.people.identities import Identity
    from noughts.arena.people.moderation import Moderation, ModerationCase, OperatorAction
    from noughts.arena.people.people import People
    from noughts.arena.store.database import Database
    from noughts.arena.tournament.people_repository import StoredPeople

ACTIONS = (
    *("list", "show", "rename", "ban", "unban", "reports", "decide", "log", "forget"),
    *("decide-title", "retitle"),
)
LISTED = 200
"""The largest number of people in the list: those with the latest visits."""

MAX_DIGITS = 16
"""The largest number of digits of the number of a player."""

HOUR = 60 * 60 * 1000
MAX_HOURS = 100_000


@command()
@click.argument("action", type=click.Choice(ACTIONS))
@click.argument("player", required=False)
@click.argument("value", required=False)
@click.option("--hours", type=whole_number(1, MAX_HOURS), metavar="N")
@click.option("--note", default="", metavar="TEXT")
@json_option
@click.pass_obj
def people(
    say: Translator,
    action: str,
    player: str | None,
    value: str | None,
    hours: int | None,
    note: str,
    as_json: bool,
) -> int:
    """List people with keys, and decide reports about them."""
    from noughts.arena.people.moderation import Moderation
    from noughts.arena.people.people import People
    from noughts.interfaces.presenting.players import claimable_name

    with closing(open_store()) as store:
        known = People(store, now=_now, check=claimable_name)
        desk = Desk(say, store, known, Moderation(store, known, now=_now), as_json)
        if action in ("list", "reports", "log"):
            return int(getattr(desk, f"print_{action}")())
        if action in ("decide-title", "retitle"):
            return desk.act_on_title(action, player, value, note)
        subject = desk.find(player)
        if action == "show":
            return desk.print_person(subject)
        return desk.act(action, subject, value, note, None if hours is None else _now() + hours * HOUR)


EMPTY = {"people": "people-none", "reports": "operator-none", "log": "operator-no-log"}
"""The message for each empty list."""


def _now() -> int:
    return time.time_ns() // 1_000_000


def day(milliseconds: int) -> str:
    """Return the day and minute of an instant in UTC."""
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(milliseconds / 1000))


class Desk:
    """The moderation of one database at the command line."""

    def __init__(
        self, say: Translator, store: "Database", people: "People", moderation: "Moderation", as_json: bool
    ) -> None:
        self._say, self._store, self._people, self._moderation = say, store, people, moderation
        self._as_json = as_json

    def find(self, text: str | None) -> "Identity":
        """Return the person with the number or name *text*. Raises :class:`~noughts.errors.NotFound`."""
        text = (text or "").strip()
        is_number = text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS
        found = self._people.get(int(text)) if is_number else None
        found = found or (self._people.find(text) if text and text.isprintable() else None)
        if found is None:
            raise NotFound("identity", text)
        return found

    def _print(self, name: str, rows: list[dict[str, Any]], names: list[str]) -> int:
        """Print *rows* as JSON under *name*, or their columns *names* as a table."""
        if self._as_json:
            print_json({name: rows})
        elif not rows:
            print(self._say(EMPTY[name]))
        else:
            heads = [self._say(f"column-{name}") for name in names]
            cells = [["" if row[name] is None else str(row[name]) for name in names] for row in rows]
            print("\n".join(table(heads, cells, table_width(), yielding=[len(names) - 1])))
        return 0

    def print_list(self) -> int:
        """Print the people with the latest visits."""
        names = ["number", "seen", "player"]
        return self._print("people", [self._facts(one) for one in self._people.newest(LISTED)], names)

    def _facts(self, one: "Identity") -> dict[str, Any]:
        return {
            "number": one.number,
            "seen": day(one.seen),
            "player": one.name,
            "key": one.key,
            "created": day(one.created),
            "is_bot": one.is_bot,
        }

    def print_reports(self) -> int:
        """Print the players, and the titles of tournaments, with open reports."""
        cases, damages = self._moderation.cases(), list[DamagedStore]()
        called = self._people.names([one.subject for one in cases])
        names = ["number", "reports", "since", "reason", "player"]
        rows = [
            {
                "number": one.subject,
                "reports": one.reports,
                "since": day(one.oldest),
                "reason": str(one.reason),
                "player": called.get(one.subject),
            }
            for one in cases
        ]
        rows += [
            {
                "number": stored.code,
                "reports": one.reports,
                "since": day(one.oldest),
                "reason": str(one.reason),
                "player": safe_text(stored.tournament.terms.title),
            }
            for one, stored in self._titles(damages.append)
        ]
        self._print("reports", rows, names)
        return print_damages(self._say, damages) if damages else 0

    def _titles(
        self, on_damage: Callable[[DamagedStore], None]
    ) -> "list[tuple[ModerationCase, StoredPeople]]":
        """Return the tournaments with open reports of their titles, except damaged ones."""
        from noughts.arena.tournament.people_repository import PeopleStore

        store, found = PeopleStore(self._store), []
        for case in self._moderation.titles():
            for code in store.codes([case.subject]):
                try:
                    with self._store.reading() as connection:
                        found.append((case, store.read(connection, code)))
                except DamagedStore as damage:
                    on_damage(damage)
        return found

    def print_log(self) -> int:
        """Print the newest decisions."""
        names = ["at", "decided", "note"]
        return self._print("log", self._actions(self._moderation.log()), names)

    def _actions(self, actions: "list[OperatorAction]") -> list[dict[str, Any]]:
        from noughts.interfaces.presenting.conduct_texts import action_sentence

        numbers = {number for one in actions for number in (one.operator, one.subject) if number}
        called = self._people.names(numbers)
        return [
            {
                "number": one.number,
                "at": day(one.at),
                "operator": one.operator,
                "subject": one.subject,
                "decision": str(one.decision),
                "decided": safe_text(action_sentence(self._say, one, called)),
                "note": one.note,
            }
            for one in actions
        ]

    def print_person(self, one: "Identity") -> int:
        """Print a person, with open reports, bans, conduct and earlier decisions."""
        desk, number = self._moderation, one.number
        facts = {
            **self._facts(one),
            "reports": [
                {"at": day(report.created), "reason": str(report.reason), "game": report.game}
                for report in desk.open_reports(number)
            ],
            "bans": [
                {"since": day(ban.since), "ends": None if ban.ends is None else day(ban.ends)}
                for ban in desk.bans(number)
            ],
            "conduct": [
                {"game": game, "at": day(at), "kind": str(kind)} for game, at, kind in desk.conduct(number)
            ],
            "log": self._actions(desk.log(subject=number)),
        }
        if self._as_json:
            print_json({"person": facts})
            return 0
        print(f"{number}  {one.name or self._say('former-player')}  {one.key}")
        if one.is_bot:
            print(self._say("person-bot"))
        for row in facts["reports"]:
            reason = self._say(f"report-{row['reason']}")
            print(f"{row['at']}  {reason}  {row['game'] or ''}".rstrip())
        for ban in facts["bans"]:
            print(f"{ban['since']}  {self._say('decision-ban')}  {ban['ends'] or '…'}")
        for row in facts["log"]:
            print(f"{row['at']}  {row['decided']}  {row['note']}".rstrip())
        return 0

    def act(self, action: str, subject: "Identity", value: str | None, note: str, ends: int | None) -> int:
        """Carry out a decision, and print it as it is in the log."""
        from noughts.arena.people.moderation import CASE_DECISIONS, CaseDecision
        from noughts.arena.ratings.rating_repository import RatingStore

        facts = None
        if action == "decide":
            if value not in CASE_DECISIONS:
                raise NotFound("choice", value or "", tuple(map(str, CASE_DECISIONS)))
            decision = CaseDecision(value)
        else:
            decision = CaseDecision(action)
        if decision is CaseDecision.RENAME:
            facts = {"name": value or ""}
        done = self._moderation.decide(None, subject.number, decision, note, ends=ends, facts=facts)
        damages: list[DamagedStore] = []
        if decision is CaseDecision.UNDO_RATINGS:
            RatingStore(self._store).rebuild(damages.append)
        self._print_done(done)
        return print_damages(self._say, damages) if damages else 0

    def act_on_title(self, action: str, code: str | None, value: str | None, note: str) -> int:
        """Decide about the title of a tournament, and print the decision as it is in the log."""
        from noughts.arena.people.moderation import TITLE_DECISIONS, CaseDecision
        from noughts.arena.rooms.keys import parse_code
        from noughts.arena.tournament.people import clean_title
        from noughts.arena.tournament.people_repository import PeopleStore, StoredPeople
        from noughts.arena.tournament.title_decisions import TitleDecision

        decision, title = CaseDecision.RETITLE, ""
        if action == "retitle":
            title = clean_title(value or "", self._say("people-untitled"))
        elif value not in TITLE_DECISIONS[:2]:
            raise NotFound("choice", value or "", tuple(map(str, TITLE_DECISIONS[:2])))
        else:
            decision = CaseDecision(value)
        decided = TitleDecision(None, decision, note, title)
        with self._store.writing() as connection:

            def work(draft: StoredPeople) -> "OperatorAction":
                return decided.carry_out(self._moderation, connection, draft, _now())

            known = parse_code(code or "") or code or "?"
            done = PeopleStore(self._store).change(connection, known, work)[2]
        self._print_done(done)
        return 0

    def _print_done(self, done: "OperatorAction") -> None:
        (row,) = self._actions([done])
        if self._as_json:
            print_json({"done": row})
        else:
            print(row["decided"])
