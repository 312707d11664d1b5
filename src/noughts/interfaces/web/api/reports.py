"""API routes for reports, and for the decisions of operators.

Without the session of an operator, the routes of operators answer like an unknown address.
"""

from collections import Counter
from functools import partial
from typing import Annotated

from fastapi import Depends, Path, Query, Request, Response

from noughts.arena.events import EventKind
from noughts.arena.people.conduct import Ban, Conduct
from noughts.arena.people.identities import SignedIn
from noughts.arena.people.moderation import MAX_SHOWN, CaseDecision, OperatorAction, Report, ReportReason
from noughts.arena.people.people import MAX_NUMBER
from noughts.arena.stored_game import PUBLIC, StoredGame, moves_of
from noughts.arena.tournament.people import clean_title
from noughts.arena.tournament.people_repository import StoredPeople
from noughts.arena.tournament.title_decisions import TitleDecision
from noughts.errors import DamagedStore, NotFound
from noughts.interfaces.presenting.conduct_texts import action_sentence, evidence_sentence, unknown_name
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.web.api import description
from noughts.interfaces.web.api import report_models as models
from noughts.interfaces.web.api.games import log_damage
from noughts.interfaces.web.api.identities import Session, signed_action
from noughts.interfaces.web.api.people import Code, find_tournament
from noughts.interfaces.web.api.people_models import EmptyRequest
from noughts.interfaces.web.api.rooms import Say, Worker, api_router
from noughts.interfaces.web.api.sessions import session_of
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import ApiError, reply
from noughts.interfaces.web.service import Service

reading = api_router("reports", 401, 404)
changing = api_router("reports", 401, 404, 501, *description.BODY_STATUSES)
routers = (reading, changing)
own = description.SESSION

Player = Annotated[int, Path(ge=1, le=2**53, description="The number of the player.")]


async def operator_of(request: Request) -> SignedIn:
    """Return the session of an operator. Raises :class:`ApiError` (404) for everybody else."""
    service: Service = request.app.state.service
    signed = await session_of(request) if service.serving.operators else None
    if signed is None or not service.is_operator(signed.identity):
        raise ApiError(404, "no-such-path")
    return signed


Operator = Annotated[SignedIn, Depends(operator_of)]


# Everybody with a key


@changing.post("/reports", status_code=201, response_model=models.ReportSent, dependencies=own)
async def send_report(
    request: Request, body: models.ReportRequest, service: Worker, session: Session
) -> Response:
    """Report a player. A key and an address can send five reports in a day."""
    number = session.identity.number
    service.quotas.names.take(("reports", number))
    facts = (number, body.identity, ReportReason(body.reason), body.game, address_of(request))
    report = await service.run(service.moderation.report, *facts)
    service.metrics.count("reports")
    return reply(models.ReportSent(number=report), 201)


@changing.post(
    "/tournaments/{code}/report", status_code=201, response_model=models.ReportSent, dependencies=own
)
async def report_title(
    request: Request,
    code: Code,
    body: EmptyRequest,  # noqa: ARG001 - a body shows that no other site sends the request
    service: Worker,
    session: Session,
) -> Response:
    """Report the title of a public tournament. It counts as one of the five reports in a day."""
    stored = await find_tournament(request, service, code)
    if stored.tournament.terms.visibility != PUBLIC:
        raise NotFound("tournament", code)
    number = session.identity.number
    service.quotas.names.take(("reports", number))
    facts = (number, stored.number, address_of(request))
    report = await service.run(service.moderation.report_title, *facts)
    service.metrics.count("reports")
    return reply(models.ReportSent(number=report), 201)


@reading.get("/reports", response_model=models.OwnReports, dependencies=own)
async def own_reports(service: Worker, say: Say, session: Session) -> Response:
    """Return the reports by the caller, and the bans and decisions about the caller."""

    def read() -> models.OwnReports:
        number, store = session.identity.number, service.moderation
        running = [ban for ban in store.bans(number) if ban.is_running(service.now())]
        reports = store.reports_of(number)
        about = {one.reported for one in reports}
        titles = service.tournaments.numbered([one for one in about if one < MAX_NUMBER])
        names = {one: stored.tournament.terms.title for one, stored in titles.items()}
        names |= service.people.names(about)
        return models.OwnReports(
            reports=[
                models.OwnReport(
                    number=one.number,
                    created=one.created,
                    identity=None if one.reason is ReportReason.TOURNAMENT else one.reported,
                    name=names.get(one.reported) or unknown_name(say, one.reported),
                    reason=one.reason.value,
                    game=one.game,
                    is_decided=one.action is not None,
                )
                for one in reports
            ],
            bans=list(map(_ban, running)),
            decisions=[say(f"decided-{one.decision}") for one in store.decisions_to_tell(number)],
        )

    return reply(await service.run(read))


# Operators


@reading.get("/reports/cases", response_model=models.CaseQueue, dependencies=own)
async def cases(service: Worker, say: Say, operator: Operator) -> Response:  # noqa: ARG001 - it only has to be one
    """Return the players, and the titles of tournaments, with open reports. Only for operators."""
    return reply(await service.run(read_cases, service, say))


@reading.get("/reports/cases/{identity}", response_model=models.CaseMessage, dependencies=own)
async def case(
    identity: Player,
    service: Worker,
    say: Say,
    operator: Operator,  # noqa: ARG001 - it only has to be one
) -> Response:
    """Return the evidence about a player. Only for operators."""
    return reply(await service.run(read_case, service, say, identity))


@changing.post("/reports/cases/{identity}/decision", response_model=models.ActionMessage, dependencies=own)
async def decide(
    request: Request,
    identity: Player,
    body: models.DecisionRequest,
    service: Worker,
    say: Say,
    operator: Operator,
) -> Response:
    """Decide about a player. Only for operators, whose device signs `decide` with the player and the rest.

    The further facts are the decision and the note.
    """
    proof, store = signed_action(request, body), service.moderation
    facts = (str(identity), body.decision, body.note)
    service.quotas.signatures.take(address_of(request))
    await service.run(service.people.prove, operator, "decide", facts, proof)
    decision = CaseDecision(body.decision)
    act = partial(store.decide, operator.identity.number, identity, decision, body.note)
    action = await service.run(act)
    if decision is CaseDecision.UNDO_RATINGS:
        damaged: list[DamagedStore] = []
        await service.run(service.ratings.rebuild, damaged.append)
        log_damage(damaged)
    if decision is CaseDecision.NEW_NAME:
        service.forget_name(identity)
    service.metrics.count("decisions")
    (message,) = await service.run(_actions, service, say, [action])
    return reply(message)


@changing.post("/reports/titles/{code}/decision", response_model=models.ActionMessage, dependencies=own)
async def decide_title(
    request: Request,
    code: Code,
    body: models.TitleDecisionRequest,
    service: Worker,
    say: Say,
    operator: Operator,
) -> Response:
    """Decide about the title of a tournament. Only for operators, whose device signs `decide-title`.

    The signed facts are the code, the decision, the new title and the note.
    """
    proof, decision = signed_action(request, body), CaseDecision(body.decision)
    stored = await find_tournament(request, service, code)
    service.quotas.signatures.take(address_of(request))
    facts = (code, body.decision, body.title, body.note)
    await service.run(service.people.prove, operator, "decide-title", facts, proof)
    title = clean_title(body.title, say("people-untitled")) if decision is CaseDecision.RETITLE else ""
    decided = TitleDecision(operator.identity.number, decision, body.note, title)
    decide = service.tournaments.decide_title
    action = await service.run(decide, stored.code, decided, service.moderation)
    service.metrics.count("decisions")
    (message,) = await service.run(_actions, service, say, [action])
    return reply(message)


@reading.get("/reports/log", response_model=models.OperatorLog, dependencies=own)
async def operator_log(
    service: Worker,
    say: Say,
    operator: Operator,  # noqa: ARG001 - it only has to be one
    before: Annotated[int | None, Query(ge=1, le=2**31 - 1, description="Only rows before this one.")] = None,
) -> Response:
    """Return the log of the operators. Only for operators."""
    return reply(await service.run(read_log, service, say, before))


def read_cases(service: Service, say: Translator) -> models.CaseQueue:
    """Return the queue."""
    found = service.moderation.cases()[:MAX_SHOWN]
    names = service.people.names([one.subject for one in found])
    rows = [
        models.CaseSummary(
            identity=one.subject,
            name=names.get(one.subject) or unknown_name(say, one.subject),
            reason=one.reason.value,
            reports=one.reports,
            oldest=one.oldest,
            newest=one.newest,
        )
        for one in found
    ]
    return models.CaseQueue(cases=rows, titles=_titles(service, say))


def _titles(service: Service, say: Translator) -> list[models.TitleCase]:
    reported = {one.subject: one for one in service.moderation.titles()[:MAX_SHOWN]}
    stored = service.tournaments.numbered(reported)
    return [read_title(service, say, stored[number]) for number in reported if number in stored]


def read_title(service: Service, say: Translator, stored: StoredPeople) -> models.TitleCase:
    """Return the title of the tournament *stored* with the open reports about it."""
    reports, terms = service.moderation.open_reports(stored.number), stored.tournament.terms
    names = service.people.names({one.reporter for one in reports})
    return models.TitleCase(
        code=stored.code,
        title=terms.title,
        is_public=terms.visibility == PUBLIC,
        reports=len(reports),
        oldest=min((one.created for one in reports), default=None),
        reporters=[names.get(one.reporter) or unknown_name(say, one.reporter) for one in reports],
        history=_actions(service, say, service.moderation.log(subject=stored.number)),
    )


def read_case(service: Service, say: Translator, number: int) -> models.CaseMessage:
    """Return the evidence about the identity *number*. Raises :class:`~noughts.errors.NotFound`."""
    store = service.moderation
    if (identity := service.people.get(number)) is None:
        raise NotFound("identity", number)
    reports = store.open_reports(number)
    names = service.people.names({one.reporter for one in reports})
    games = {one.game: _load(service, one.game) for one in reports if one.game is not None}
    rated = service.ratings.counted(set(games))
    kinds = {game: kind for game, _, kind in store.conduct(number)}
    return models.CaseMessage(
        identity=number,
        name=identity.name or unknown_name(say, number),
        evidence=[_evidence(say, one, names, games, kinds) for one in reports],
        conduct=dict(Counter(str(kind) for _, _, kind in store.conduct(number))),
        rated_games=len(rated),
        bans=list(map(_ban, store.bans(number))),
        history=_actions(service, say, store.log(subject=number)),
    )


def read_log(service: Service, say: Translator, before: int | None = None) -> models.OperatorLog:
    """Return the rows of the log before the row *before*."""
    actions = service.moderation.log(before=before)
    last = actions[-1].number if len(actions) == MAX_SHOWN else None
    return models.OperatorLog(actions=_actions(service, say, actions), before=last)


def _actions(service: Service, say: Translator, actions: list[OperatorAction]) -> list[models.ActionMessage]:
    numbers = {number for one in actions for number in (one.operator, one.subject) if number is not None}
    names = service.people.names(numbers)
    return [
        models.ActionMessage(
            number=one.number,
            at=one.at,
            decision=str(one.decision),
            sentence=action_sentence(say, one, names),
            note=one.note,
        )
        for one in actions
    ]


def _load(service: Service, game: int) -> StoredGame | None:
    """Return a stored game, or None if it is damaged."""
    try:
        return service.database.load(game)
    except DamagedStore as damage:
        log_damage([damage])
        return None


def _evidence(
    say: Translator,
    report: Report,
    names: dict[int, str],
    games: dict[int, StoredGame | None],
    kinds: dict[int, Conduct],
) -> models.ReportEvidence:
    """Return a report with the facts of its game in *games*, and the noted conduct in *kinds*."""
    game = report.game or 0
    stored = games.get(game)
    has_ended = stored is not None and stored.events and stored.events[-1].kind is EventKind.END
    facts = (stored, report.reported, kinds.get(game)) if stored is not None and has_ended else None
    return models.ReportEvidence(
        number=report.number,
        created=report.created,
        reporter=names.get(report.reporter) or unknown_name(say, report.reporter),
        reason=report.reason.value,
        game=report.game,
        sentence="" if facts is None else evidence_sentence(say, *facts),
        moves=[] if stored is None else [text for text, _ in moves_of(stored)],
    )


def _ban(ban: Ban) -> models.BanMessage:
    return models.BanMessage(
        since=ban.since, ends=ban.ends, scope=ban.scope.value, is_by_operator=ban.action is not None
    )


def bad_games(conduct: dict[str, int]) -> int:
    """Return the number of games with bad conduct in *conduct*."""
    return sum(count for kind, count in conduct.items() if Conduct(kind).is_bad)
