"""API routes for calls with the page closed: the public key of the server, and subscriptions."""

from typing import Annotated

from fastapi import Depends, Request, Response

from noughts.arena.people.identities import SignedIn
from noughts.errors import ExtraMissing
from noughts.interfaces.web.api import description
from noughts.interfaces.web.api.identities import signed_action
from noughts.interfaces.web.api.identity_models import Done, PlainRequest
from noughts.interfaces.web.api.inbox_models import PushKey, SubscribeRequest
from noughts.interfaces.web.api.rooms import Say, Worker, api_router
from noughts.interfaces.web.api.sessions import required_session, session_of
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import reply
from noughts.interfaces.web.live.push import make_secret, public_key, push_is_available

reading = api_router("inbox", 501)
changing = api_router("inbox", 401, 501, *description.BODY_STATUSES)
routers = (reading, changing)

Session = Annotated[SignedIn, Depends(required_session)]


def require_push() -> None:
    """Raise :class:`~noughts.errors.ExtraMissing` unless the library for calls is installed."""
    if not push_is_available():
        raise ExtraMissing("calls with the page closed", "push")


@reading.get("/push", response_model=PushKey)
async def push_key(request: Request, service: Worker) -> Response:
    """Return the public key with which a browser subscribes, and the subscription of this device."""
    require_push()
    secret = await service.run(service.subscriptions.vapid_secret, make_secret)
    signed = await session_of(request)
    endpoint = None if signed is None else await service.run(service.subscriptions.endpoint_of, signed)
    return reply(PushKey(key=public_key(secret), endpoint=endpoint))


@changing.post("/push", response_model=Done, dependencies=description.SESSION)
async def subscribe(
    request: Request, body: SubscribeRequest, service: Worker, say: Say, session: Session
) -> Response:
    """Call this device of the player about new notes of the inbox, in the language of the request.

    The device signs `subscribe` with the address and the keys, so that no other one gets its calls.
    """
    require_push()
    service.quotas.names.take(("push", session.identity.number))
    service.quotas.signatures.take(address_of(request))
    facts, proof = (body.endpoint, body.key, body.auth), signed_action(request, body)
    await service.run(service.people.prove, session, "subscribe", facts, proof)
    await service.run(service.subscriptions.add, session, *facts, say.language)
    return reply(Done())


@changing.post("/push/remove", response_model=Done, dependencies=description.SESSION)
async def unsubscribe(
    body: PlainRequest,  # noqa: ARG001 - it has no fields
    service: Worker,
    session: Session,
) -> Response:
    """Call this device no more."""
    service.quotas.names.take(("push", session.identity.number))
    await service.run(service.subscriptions.remove, session)
    return reply(Done())
