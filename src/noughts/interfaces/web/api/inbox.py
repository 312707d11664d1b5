"""API routes for the inbox of a player with a key: what happened meanwhile."""

from typing import Annotated

from fastapi import Depends, Response

from noughts.arena.people.identities import SignedIn
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.inbox_texts import names_in, note_about, note_sentence
from noughts.interfaces.web.api import description
from noughts.interfaces.web.api import inbox_models as models
from noughts.interfaces.web.api.rooms import Say, Worker, api_router
from noughts.interfaces.web.api.sessions import required_session
from noughts.interfaces.web.http.replies import reply
from noughts.interfaces.web.models import link_of_note
from noughts.interfaces.web.service import Service

reading = api_router("inbox", 401)
changing = api_router("inbox", 401, *description.BODY_STATUSES)
routers = (reading, changing)

Session = Annotated[SignedIn, Depends(required_session)]


@reading.get("/inbox", response_model=models.InboxMessage, dependencies=description.SESSION)
async def inbox(service: Worker, say: Say, session: Session) -> Response:
    """Return the notes about what happened while the player was away, the newest first."""
    return reply(await service.run(_read, service, say, session.identity.number))


@changing.post("/inbox/read", response_model=models.InboxMessage, dependencies=description.SESSION)
async def mark_read(body: models.ReadRequest, service: Worker, say: Say, session: Session) -> Response:
    """Mark the notes up to an instant as read, and return the inbox."""
    number = session.identity.number
    service.quotas.names.take(("inbox", number))
    await service.run(service.inbox.mark_read, number, body.until)
    return reply(await service.run(_read, service, say, number))


def _read(service: Service, say: Translator, identity: int) -> models.InboxMessage:
    notes = service.inbox.notes(identity)
    called = service.database.called(names_in(notes))
    return models.InboxMessage(
        notes=[
            models.NoteMessage(
                kind=note.kind.value,
                at=note.at,
                sentence=note_sentence(say, note, called),
                about=note_about(say, note),
                link=link_of_note(note),
                is_new=not note.is_read,
            )
            for note in notes
        ],
        new=sum(not note.is_read for note in notes),
    )
