"""The API route of bots: one stream with the challenges and the games of a program with a key."""

from typing import Annotated, Any

from fastapi import Query, Response

from noughts.arena.rooms.models import RoomView
from noughts.interfaces.web.api import description
from noughts.interfaces.web.api.bot_stream import BotReader
from noughts.interfaces.web.api.offers import MAX_BOT_GAMES, Sender
from noughts.interfaces.web.api.rooms import MAX_ROOM_NAME, Say, Worker, api_router
from noughts.interfaces.web.http.replies import ApiError
from noughts.interfaces.web.live.events import EventStream

router = api_router("bots")


@router.get(
    "/bots/events",
    response_class=Response,
    responses={**description.BOT_EVENTS, **description.refusals(401, 403)},
    dependencies=description.SESSION,
)
async def follow_as_bot(
    visitor: Sender,
    service: Worker,
    say: Say,
    room: Annotated[
        list[str] | None, Query(max_length=MAX_BOT_GAMES, description="A room in which the bot was playing.")
    ] = None,
) -> Any:
    """Stream the challenges to a bot and the states of all its games as Server-Sent Events.

    While the stream is open, the offer of the bot is open, and the bot counts as present in its games. Of the
    given rooms, those that were closed meanwhile send their last states too.
    """
    if visitor.identity is None:
        raise ApiError(401, "no-key")
    if not visitor.identity.is_bot:
        raise ApiError(403, "not-a-bot")
    service.quotas.commands.take(("bot", visitor.identity.number))
    address = visitor.address

    async def written(view: RoomView, place: int) -> str:
        await service.afford_state(view.match.game, address)
        return await service.state_text(view, say, place, address)

    earlier = [name[:MAX_ROOM_NAME] for name in room or ()]
    stream = service.open_bot_stream(visitor.seeker(""), say, address)
    reader = BotReader(service, stream, address, earlier)
    return EventStream(reader.events(say, written), reader.close)
