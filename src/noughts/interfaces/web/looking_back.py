"""An earlier position of the game in a room, for who looks back while it goes on."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from noughts.games.base import Game
from noughts.games.drawing.view import view_of
from noughts.interfaces.web import shapes
from noughts.interfaces.web.api import LANGUAGE, StrictRoute, Worker
from noughts.interfaces.web.describing import READ, refusals
from noughts.interfaces.web.refusals import Refused
from noughts.interfaces.web.replying import reply
from noughts.interfaces.web.state import Json

router = APIRouter(
    prefix="/api",
    route_class=StrictRoute,
    tags=["rooms"],
    responses=refusals(404, *READ),
    dependencies=LANGUAGE,
)

Ply = Annotated[int, Path(ge=0, le=1_000_000)]


@router.get("/rooms/{room}/plies/{ply}", response_model=shapes.PositionTold)
async def look_back(room: str, ply: Ply, service: Worker) -> Response:
    """What stood on the board of a room after so many moves."""
    view = await service.look(room)
    return reply(await service.run(position_as_json, view.match.game, ply))


def position_as_json(game: Game, ply: int) -> Json:
    """The position of *game* after *ply* moves; raises :class:`Refused` where it has fewer.

    >>> from noughts import new_game
    >>> position_as_json(new_game("3x3"), 0)["turn"]
    'X'
    """
    position = earlier(game, ply)
    shown = view_of(position, labels=False)
    return {
        "ply": position.ply,
        "turn": None if position.is_over else position.turn,
        "cells": list(position.cells),
        "last": sorted(shown.last),
        "lines": [list(line) for line in shown.lines],
    }


def earlier(game: Game, ply: int) -> Game:
    """A copy of *game* as it was after *ply* moves; raises :class:`Refused` where it has fewer."""
    if ply > game.ply:
        raise Refused(422, "no-such-ply", plies=game.ply)
    position = game.copy()
    while position.ply > ply:
        position.undo()
    return position
