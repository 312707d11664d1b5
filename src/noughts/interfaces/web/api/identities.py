"""API routes for players with keys: register, sign in, devices, names, words, and forgetting.

Each change is signed with a key of the player, so that a stolen cookie changes nothing. Answers about keys
reveal neither if a key exists nor a device of another player.
"""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Path, Query, Request, Response

from noughts.arena.people.identities import DeviceRequest, NewDevice, NewSession, SignedIn
from noughts.arena.people.keys import SignedProof, keys_are_available
from noughts.errors import ExtraMissing, NameRefused
from noughts.interfaces.web.api import description
from noughts.interfaces.web.api import identity_models as models
from noughts.interfaces.web.api.rooms import Say, Worker, api_router
from noughts.interfaces.web.api.sessions import (
    origin_of,
    required_session,
    secret_of,
    session_of,
    set_session,
)
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import SESSION_COOKIE, reply
from noughts.interfaces.web.service import Service

Value = TypeVar("Value")

reading = api_router("identities", 501)
changing = api_router("identities", 401, 501, *description.BODY_STATUSES)
routers = (reading, changing)
own = description.SESSION

Session = Annotated[SignedIn, Depends(required_session)]
Code = Annotated[str, Path(pattern="^[0-9]{6}$", description="The six digits that the new device shows.")]


def require_keys() -> None:
    """Raise :class:`~noughts.errors.ExtraMissing` unless the libraries for keys are installed."""
    if not keys_are_available():
        raise ExtraMissing("keys of players", "meet")


def signed_action(request: Request, body: models.SignedRequest) -> SignedProof:
    """Return the signature in the *body* of *request*."""
    return SignedProof(origin_of(request), body.nonce, body.signature)


async def _signed(
    request: Request, service: Service, key: str, action: Callable[..., Value], *values: Any, **named: Any
) -> Value:
    """Return the result of *action*, within the limits of the address and of *key*."""
    require_keys()
    service.quotas.signatures.take(address_of(request))
    result = await service.run(action, *values, **named)
    service.quotas.signatures.take(("key", key))  # only a signature shows that the request is from its key
    return result


def _entered(request: Request, service: Service, session: NewSession, status: int) -> Response:
    response = reply(models.SessionMessage.of(session.identity, session.device), status)
    set_session(request, response, session, service.now())
    return response


# Guests: names, nonces, registering, signing in


@reading.get("/identities/nonce", response_model=models.NonceMessage)
async def login_text(service: Worker) -> Response:
    """Return a login text. It says nothing about any key."""
    require_keys()
    return reply(models.NonceMessage(nonce=await service.run(service.people.nonce)))


@reading.get("/identities/names", response_model=models.NameMessage)
async def check_name(
    request: Request,
    service: Worker,
    say: Say,
    name: Annotated[str, Query(max_length=100, description="The name to check.")] = "",
) -> Response:
    """Return if a name can be claimed."""
    service.quotas.names.take(address_of(request))
    signed = await session_of(request)
    mine = None if signed is None else signed.identity.number
    try:
        await service.run(service.people.check_name, name, mine)
    except NameRefused as refused:
        return reply(models.NameMessage(name=name, is_free=False, sentence=say.error(refused)))
    return reply(models.NameMessage(name=name, is_free=True, sentence=""))


@changing.post("/identities", status_code=201, response_model=models.SessionMessage)
async def register(request: Request, body: models.RegisterRequest, service: Worker) -> Response:
    """Claim a name for a key, add the first device, and sign in.

    The key and the device sign `register` with the name, the key, and the key and the label of the device.
    """
    service.quotas.identities.take(address_of(request))
    device = NewDevice(**body.device.model_dump())
    people, proof = service.people, signed_action(request, body)
    session = await _signed(
        request, service, body.key, people.register, body.name, body.key, device, proof, is_bot=body.is_bot
    )
    service.metrics.count("identities")
    return _entered(request, service, session, 201)


@changing.post("/identities/session", status_code=201, response_model=models.SessionMessage)
async def sign_in(request: Request, body: models.SignInRequest, service: Worker) -> Response:
    """Sign in with the key of a device, which signs `sign-in` with its key."""
    session = await _signed(
        request, service, body.key, service.people.sign_in, body.key, signed_action(request, body)
    )
    return _entered(request, service, session, 201)


@changing.post("/identities/devices", status_code=201, response_model=models.SessionMessage)
async def restore(request: Request, body: models.RestoreRequest, service: Worker) -> Response:
    """Add a device with the key of the twelve words, and sign in.

    The key and the device sign `restore` with the key, and the key and the label of the device.
    """
    device = NewDevice(**body.device.model_dump())
    session = await _signed(
        request, service, body.key, service.people.restore, body.key, device, signed_action(request, body)
    )
    return _entered(request, service, session, 201)


@changing.post("/identities/requests", status_code=201, response_model=models.WaitingDevice)
async def ask_to_be_added(request: Request, body: models.AskToBeAdded, service: Worker) -> Response:
    """Ask to be added to a player, as a new device, which signs `ask-to-be-added` with its key and label.

    The six digits of the answer are typed at a device of the player, which has to approve.
    """
    service.quotas.identities.take(address_of(request))
    device = NewDevice(body.key, body.label, "")
    made, secret = await _signed(
        request, service, body.key, service.people.request_device, device, signed_action(request, body)
    )
    return reply(models.WaitingDevice(code=made.code, secret=secret, expires=made.expires), 201)


@changing.post("/identities/requests/state", response_model=models.RequestState)
async def state_of_request(body: models.FollowRequest, service: Worker) -> Response:
    """Return the state of the request of a new device."""
    asked: DeviceRequest = await service.run(service.people.request_of, body.secret)
    return reply(models.RequestState.model_construct(state=asked.state))


# The player of the session


@reading.get("/identities/me", response_model=models.SessionMessage)
async def who_am_i(request: Request, service: Worker) -> Response:
    """Return the player of the session, or null for a guest."""
    signed = await session_of(request)
    if signed is None:
        return reply(models.SessionMessage(identity=None, device=None))
    await service.run(service.people.visit, signed)
    return reply(models.SessionMessage.of(signed.identity, signed.device))


@changing.post("/identities/sign-out", response_model=models.Done, dependencies=own)
async def sign_out(
    request: Request,
    body: models.PlainRequest,  # noqa: ARG001 - it has no fields
    service: Worker,
) -> Response:
    """End the session. The device can sign in again."""
    if (secret := secret_of(request)) is not None:
        await service.run(service.people.sign_out, secret)
    response = reply(models.Done())
    response.delete_cookie(SESSION_COOKIE, path="/", httponly=True, samesite="lax")
    return response


@changing.post("/identities/me/name", response_model=models.SessionMessage, dependencies=own)
async def rename(request: Request, body: models.RenameRequest, service: Worker, session: Session) -> Response:
    """Change the name, at most once a month. The device signs `rename` with the name."""
    people, proof = service.people, signed_action(request, body)
    identity = await _signed(request, service, session.device.key, people.rename, session, body.name, proof)
    service.forget_name(identity.number)
    return reply(models.SessionMessage.of(identity, session.device))


@reading.get(
    "/identities/me/devices",
    response_model=models.DeviceList,
    dependencies=own,
    responses=description.refusals(401),
)
async def own_devices(service: Worker, session: Session) -> Response:
    """Return the devices of the player."""
    devices = await service.run(service.people.devices, session)
    return reply(models.DeviceList(devices=list(map(models.DeviceMessage.model_validate, devices))))


@changing.post("/identities/me/devices/remove", response_model=models.Done, dependencies=own)
async def remove_devices(
    request: Request, body: models.RemoveDevices, service: Worker, session: Session
) -> Response:
    """Remove devices: their keys and sessions end. The device signs `remove-devices` with the numbers."""
    number, facts = session.identity.number, (session, body.devices, signed_action(request, body))
    remove = partial(service.people.remove_devices, within=partial(service.rooms.renew_tokens, number))
    await _signed(request, service, session.device.key, remove, *facts)
    await service.end_streams_of(number)
    return reply(models.Done())


@reading.get(
    "/identities/me/requests/{code}",
    response_model=models.AskingDevice,
    dependencies=own,
    responses=description.refusals(401, 403),
)
async def look_at_request(code: Code, service: Worker, session: Session) -> Response:
    """Return the new device that waits under six digits."""
    service.quotas.names.take(("codes", session.identity.number))
    asked = await service.run(service.people.request_with, code)
    return reply(models.AskingDevice(label=asked.label, key=asked.key))


@changing.post("/identities/me/requests/{code}/answer", response_model=models.Done, dependencies=own)
async def answer_request(
    request: Request, code: Code, body: models.AnswerRequest, service: Worker, session: Session
) -> Response:
    """Add the new device, or refuse it.

    The device of the session signs `add-device` or `refuse-device` with the code and the key of the new one.
    """
    people, proof, own_key = service.people, signed_action(request, body), session.device.key
    service.quotas.names.take(("codes", session.identity.number))
    answered = (session, code, body.key, proof)
    await _signed(request, service, own_key, people.answer_request, *answered, is_approved=body.is_approved)
    return reply(models.Done())


@changing.post("/identities/me/words", response_model=models.SessionMessage, dependencies=own)
async def new_words(request: Request, body: models.NewWords, service: Worker, session: Session) -> Response:
    """Replace the twelve words: the old ones stop working.

    The device and the key of the new words sign `new-words` with that key.
    """
    people, proof = service.people, signed_action(request, body)
    words = (session, body.key, body.words_signature, proof)
    identity = await _signed(request, service, session.device.key, people.replace_words, *words)
    return reply(models.SessionMessage.of(identity, session.device))


@changing.post("/identities/me/words/checked", response_model=models.SessionMessage, dependencies=own)
async def words_are_checked(
    body: models.PlainRequest,  # noqa: ARG001 - it has no fields
    service: Worker,
    session: Session,
) -> Response:
    """Note that the player has the twelve words on paper."""
    identity = await service.run(service.people.note_checked_words, session)
    return reply(models.SessionMessage.of(identity, session.device))


@changing.post("/identities/me/wishes", response_model=models.SessionMessage, dependencies=own)
async def set_wishes(body: models.WishesRequest, service: Worker, session: Session) -> Response:
    """Set the possible challengers of the player."""
    identity = await service.run(service.people.set_asked_by, session, body.asked_by)
    return reply(models.SessionMessage.of(identity, session.device))


@reading.get(
    "/identities/me/blocks",
    response_model=models.BlockedPlayers,
    dependencies=own,
    responses=description.refusals(401),
)
async def blocked_players(service: Worker, session: Session) -> Response:
    """Return the players whom the player has blocked."""

    def read() -> models.BlockedPlayers:
        blocked = service.people.blocked_by(session.identity.number)
        names = service.people.names(blocked)
        rows = [
            models.BlockedPlayer(number=number, name=names.get(number), created=at)
            for number, at in blocked.items()
        ]
        return models.BlockedPlayers(blocked=rows)

    return reply(await service.run(read))


@changing.post("/identities/me/block", response_model=models.Done, dependencies=own)
async def block(body: models.BlockRequest, service: Worker, session: Session) -> Response:
    """Block a player, or end that. The two never meet in the lobby, a tournament or a challenge."""
    service.quotas.names.take(("blocks", session.identity.number))
    people = service.people
    await service.run(people.block, session, body.identity, is_blocked=body.is_blocked)
    if body.is_blocked:
        await service.run(service.lobby.part, session.identity.number, body.identity)
    return reply(models.Done())


@changing.post("/identities/me/export", response_model=models.StoredData, dependencies=own)
async def export(request: Request, body: models.SignedRequest, service: Worker, session: Session) -> Response:
    """Return all data that are stored about the player. The device signs `export`."""
    people, proof = service.people, signed_action(request, body)
    data = await _signed(request, service, session.device.key, people.export, session, proof)
    return reply(
        models.StoredData(**data), 200, {"content-disposition": 'attachment; filename="noughts.json"'}
    )


@changing.post("/identities/me/bot", response_model=models.SessionMessage, dependencies=own)
async def become_bot(
    request: Request, body: models.FinalRequest, service: Worker, session: Session
) -> Response:
    """Make the player a bot, for ever. A player with rated games cannot become one.

    Open offers end. The device signs `become-bot` with the name.
    """
    people, proof, number = service.people, signed_action(request, body), session.identity.number
    identity = await _signed(
        request, service, session.device.key, people.become_bot, session, body.name, proof
    )
    await service.run(service.lobby.withdraw_of, number)
    return reply(models.SessionMessage.of(identity, session.device))


@changing.post("/identities/me/forget", response_model=models.Done, dependencies=own)
async def forget(request: Request, body: models.FinalRequest, service: Worker, session: Session) -> Response:
    """Delete the player: name, key, devices and blocks. Games stay, with "Former player".

    The device signs `forget` with the name.
    """
    people, proof = service.people, signed_action(request, body)
    await _signed(request, service, session.device.key, people.forget, session, body.name, proof)
    await service.let_go(session.identity.number)
    response = reply(models.Done())
    response.delete_cookie(SESSION_COOKIE, path="/", httponly=True, samesite="lax")
    return response
