"""The page on which a player is reported, and the page of the operators.

For everybody without the session of an operator, the second one does not exist.
"""

from datetime import UTC, datetime
from functools import partial
from typing import Any

from starlette.requests import Request

from noughts.arena.people.moderation import CASE_DECISIONS, ReportReason
from noughts.errors import DamagedStore
from noughts.interfaces.presenting.conduct_texts import unknown_name
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.web.api.report_models import BanMessage, CaseMessage
from noughts.interfaces.web.api.reports import bad_games, operator_of, read_case, read_cases, read_log
from noughts.interfaces.web.api.sessions import session_of
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import ApiError, translator_for
from noughts.interfaces.web.service import Service

MAX_NUMBER = 16
"""The largest number of digits of the number of a player."""

SHOWN_LOG = 20
"""The number of rows of the log on the page of the operators. The whole log has a link."""


def number_of(text: str) -> int:
    """Return the number of a player in an address. Raises :class:`ApiError` (404) for another text."""
    if not (text.isascii() and text.isdecimal() and len(text) <= MAX_NUMBER):
        raise ApiError(404, "no-such-path")
    return int(text)


async def context_of_report(request: Request) -> dict[str, Any]:
    """Return the context of the page on which a player is reported."""
    service, say = request.app.state.service, translator_for(request)
    reported, signed = number_of(request.path_params["identity"]), await session_of(request)
    mine = None if signed is None else signed.identity.number
    read = partial(_report, service, say, mine, reported)
    context: dict[str, Any] = await service.work.read(address_of(request), read)
    return context


def _report(service: Service, say: Translator, mine: int | None, reported: int) -> dict[str, Any]:
    identity = service.people.get(reported)
    if identity is None or mine == reported:
        raise ApiError(404, "no-such-path")
    name = identity.name or unknown_name(say, reported)
    return {
        "reported": reported,
        "heading": say("report-title", player=name),
        "about": say("report-about", player=name),
        "block": say("report-block", player=name),
        "has_key": mine is not None,
        "reasons": [
            (reason.value, say(f"report-{reason}"), say(EXPLAINED[reason]) if reason in EXPLAINED else "")
            for reason in ReportReason
        ],
        "games": [] if mine is None else _games(service, say, mine, reported),
    }


EXPLAINED = {ReportReason.COMPUTER: "report-computer-about", ReportReason.OTHER: "report-other-about"}
"""The further sentences about some reasons."""


def _games(service: Service, say: Translator, one: int, two: int) -> list[tuple[int, str]]:
    """Return the newest common games of two players, each with its label."""
    games = []
    for number in service.moderation.common_games(one, two):
        try:
            setup = service.database.load(number).setup
        except DamagedStore:
            continue
        facts = {"number": str(number), "game": title_of(say, setup.game), "day": say.day(setup.created)}
        games.append((number, say("report-game-label", **facts)))
    return games


async def context_of_operator(request: Request) -> dict[str, Any]:
    """Return the context of the page of the operators. Raises :class:`ApiError` (404) for all others."""
    await operator_of(request)
    service, say, query = request.app.state.service, translator_for(request), request.query_params
    chosen = number_of(query["case"]) if query.get("case") else None
    is_whole = query.get("log") == "all"
    read = partial(_operator, service, say, chosen, is_whole=is_whole)
    context: dict[str, Any] = await service.work.read(address_of(request), read)
    return context


def _operator(service: Service, say: Translator, chosen: int | None, *, is_whole: bool) -> dict[str, Any]:
    """Return the queue, the case of the player *chosen* or the first one, and the log."""
    queue, log = read_cases(service, say).cases, read_log(service, say).actions
    if chosen is None and queue:
        chosen = queue[0].identity
    if chosen is not None and service.people.get(chosen) is None:
        raise ApiError(404, "no-such-path")
    oldest = min((one.oldest for one in queue), default=0)
    return {
        "heading": say.plural("operator-cases", len(queue)) if queue else say("operator-title"),
        "about": say("operator-oldest", day=say.day(oldest)) if queue else say("operator-none"),
        "queue": [
            {
                **one.model_dump(),
                "label": say(f"report-{one.reason}"),
                "count": say.plural("operator-reports", one.reports, day=say.day(one.oldest)),
            }
            for one in queue
        ],
        "chosen": chosen,
        "following": next((one.identity for one in queue if one.identity != chosen), None),
        "case": None if chosen is None else _case(say, read_case(service, say, chosen)),
        "decisions": [(one.value, say(f"decision-{one}")) for one in CASE_DECISIONS],
        "log": [
            (_iso(one.at), _instant(say, one.at), one.sentence, one.note)
            for one in (log if is_whole else log[:SHOWN_LOG])
        ],
        "has_more": not is_whole and len(log) > SHOWN_LOG,
    }


def _case(say: Translator, case: CaseMessage) -> dict[str, Any]:
    """Return the evidence about a player, with all its texts."""
    reports, played = len(case.evidence), sum(case.conduct.values())
    history = [(one.at, one.sentence, one.note) for one in case.history]
    history += [(one.since, ban_sentence(say, one), "") for one in case.bans if not one.is_by_operator]
    return {
        "identity": case.identity,
        "name": case.name,
        "reports": [
            {**one.model_dump(), "label": say(f"report-{one.reason}"), "day": say.day(one.created)}
            for one in case.evidence
        ],
        "summary": [
            say.plural("operator-conduct", played, bad=bad_games(case.conduct)),
            *(say.plural(COUNTED[kind], count) for kind, count in case.conduct.items() if kind in COUNTED),
        ],
        "history": [
            (_iso(at), say.day(at), sentence, note) for at, sentence, note in sorted(history, reverse=True)
        ],
        "decide": say.plural("operator-decide-reports", reports) if reports else say("operator-decide"),
        "undone": say.plural("operator-rated-games", case.rated_games) if case.rated_games else "",
        "history_of": say("operator-history", player=case.name),
    }


COUNTED = {
    "left": "conduct-count-left",
    "stalled": "conduct-count-stalled",
    "no-first-move": "conduct-count-no-first-move",
    "sandbagged": "conduct-count-sandbagged",
}
"""The sentences about the numbers of games with bad conduct, by its kind."""


def ban_sentence(say: Translator, ban: BanMessage) -> str:
    """Return a ban that followed from conduct as a sentence."""
    minutes = 0 if ban.ends is None else (ban.ends - ban.since) // 60_000
    return say.plural("ban-by-itself", minutes)


def _instant(say: Translator, at: int) -> str:
    """Return the day and the minute of the instant *at* in UTC."""
    time = datetime.fromtimestamp(at / 1000, UTC).strftime("%H:%M")
    return say("day-and-time", day=say.day(at), time=time)


def _iso(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="minutes")
