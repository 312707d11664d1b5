"""The page on which a player is reported, and the page of the operators.

For everybody without the session of an operator, the second one does not exist.
"""

from datetime import UTC, datetime
from functools import partial
from typing import Any

from starlette.requests import Request

from noughts.arena.people.moderation import (
    CASE_DECISIONS,
    REASONS,
    TITLE_DECISIONS,
    CaseDecision,
    ReportReason,
)
from noughts.arena.stored_game import PUBLIC
from noughts.arena.tournament.people_repository import StoredPeople
from noughts.errors import DamagedStore, NotFound
from noughts.interfaces.presenting.conduct_texts import unknown_name
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.web.api.people import find_tournament
from noughts.interfaces.web.api.report_models import BanMessage, CaseMessage, CaseSummary, TitleCase
from noughts.interfaces.web.api.reports import (
    bad_games,
    operator_of,
    read_case,
    read_cases,
    read_log,
    read_title,
)
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
    """Return the context of the page on which a player, or the title of a tournament, is reported."""
    service, say = request.app.state.service, translator_for(request)
    signed = await session_of(request)
    mine = None if signed is None else signed.identity.number
    if "code" in request.path_params:
        stored = await _public_tournament(request)
        return {**_report_of_title(say, stored), "has_key": mine is not None}
    reported = number_of(request.path_params["identity"])
    read = partial(_report, service, say, mine, reported)
    context: dict[str, Any] = await service.work.read(address_of(request), read)
    return context


async def _public_tournament(request: Request) -> StoredPeople:
    """Return the public tournament in the address of *request*. Raises :class:`ApiError` (404)."""
    try:
        stored = await find_tournament(request, request.app.state.service, request.path_params["code"])
    except NotFound:
        raise ApiError(404, "no-such-path") from None
    if stored.tournament.terms.visibility != PUBLIC:
        raise ApiError(404, "no-such-path")
    return stored


def _report_of_title(say: Translator, stored: StoredPeople) -> dict[str, Any]:
    return {
        "reported": None,
        "code": stored.code,
        "back": f"/t/{stored.code}",
        "heading": say("report-title-of", title=stored.tournament.terms.title),
        "about": say("report-title-about"),
        "next": say("report-title-next"),
        "limits": say("report-title-limits"),
    }


def _report(service: Service, say: Translator, mine: int | None, reported: int) -> dict[str, Any]:
    identity = service.people.get(reported)
    if identity is None or mine == reported:
        raise ApiError(404, "no-such-path")
    name = identity.name or unknown_name(say, reported)
    return {
        "reported": reported,
        "code": None,
        "back": f"/person/{reported}",
        "next": say("report-next-about"),
        "limits": say("report-limits-about"),
        "heading": say("report-title", player=name),
        "about": say("report-about", player=name),
        "block": say("report-block", player=name),
        "has_key": mine is not None,
        "reasons": [
            (reason.value, say(f"report-{reason}"), say(EXPLAINED[reason]) if reason in EXPLAINED else "")
            for reason in REASONS
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
    titled = None
    if query.get("title"):
        try:
            titled = await find_tournament(request, service, query["title"])
        except NotFound:
            raise ApiError(404, "no-such-path") from None
    is_whole = query.get("log") == "all"
    read = partial(_operator, service, say, chosen, titled, is_whole=is_whole)
    context: dict[str, Any] = await service.work.read(address_of(request), read)
    return context


def _operator(
    service: Service, say: Translator, chosen: int | None, titled: StoredPeople | None, *, is_whole: bool
) -> dict[str, Any]:
    """Return the queue, a case, and the log.

    The case is that of the player *chosen*, of the tournament *titled*, or the first one.
    """
    found, log = read_cases(service, say), read_log(service, say).actions
    queue = [*map(partial(_waiting, say), found.cases), *map(partial(_waiting_title, say), found.titles)]
    if chosen is None and titled is None and queue:
        chosen = found.cases[0].identity if found.cases else None
        title = None if found.cases else found.titles[0]
    else:
        title = None if titled is None else read_title(service, say, titled)
    if chosen is not None and service.people.get(chosen) is None:
        raise ApiError(404, "no-such-path")
    link = f"?case={chosen}" if title is None else f"?title={title.code}"
    oldest = min((one["oldest"] for one in queue), default=0)
    return {
        "heading": say.plural("operator-cases", len(queue)) if queue else say("operator-title"),
        "about": say("operator-oldest", day=say.day(oldest)) if queue else say("operator-none"),
        "queue": queue,
        "chosen": link,
        "following": next((one["link"] for one in queue if one["link"] != link), None),
        "case": None if chosen is None else _case(say, read_case(service, say, chosen)),
        "title_case": None if title is None else _title_case(say, title),
        "decisions": [(one.value, say(f"decision-{one}")) for one in CASE_DECISIONS],
        "log": [
            (_iso(one.at), _instant(say, one.at), one.sentence, one.note)
            for one in (log if is_whole else log[:SHOWN_LOG])
        ],
        "has_more": not is_whole and len(log) > SHOWN_LOG,
    }


def _waiting(say: Translator, case: CaseSummary) -> dict[str, Any]:
    return {
        "link": f"?case={case.identity}",
        "name": case.name,
        "oldest": case.oldest,
        "label": say(f"report-{case.reason}"),
        "count": say.plural("operator-reports", case.reports, day=say.day(case.oldest)),
    }


def _waiting_title(say: Translator, case: TitleCase) -> dict[str, Any]:
    oldest = case.oldest or 0
    return {
        "link": f"?title={case.code}",
        "name": case.title,
        "oldest": oldest,
        "label": say("report-tournament"),
        "count": say.plural("operator-reports", case.reports, day=say.day(oldest)),
    }


def _title_case(say: Translator, case: TitleCase) -> dict[str, Any]:
    """Return the title of a tournament and the reports of it, with all their texts."""
    return {
        **case.model_dump(),
        "decisions": [
            (one.value, say(f"decision-{one}"))
            for one in TITLE_DECISIONS
            if case.is_public or one is not CaseDecision.UNLIST
        ],
        "facts": [
            *([say("operator-title-by", players=", ".join(case.reporters))] if case.reporters else []),
            say("operator-title-listed" if case.is_public else "operator-title-unlisted"),
        ],
        "decide": say.plural("operator-decide-reports", case.reports)
        if case.reports
        else say("operator-decide"),
        "history_of": say("operator-history", player=case.title),
        "history": [(_iso(one.at), say.day(one.at), one.sentence, one.note) for one in case.history],
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
