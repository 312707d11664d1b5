"""An earlier position of the game in a room, for who looks back while it goes on."""

from typing import Annotated

from fastapi import Path, Query, Response

from noughts.core.board import coordinate_of
from noughts.games.base import Game
from noughts.interfaces.web.http.problems import Refused
from noughts.interfaces.web.http.replies import reply
from noughts.interfaces.web.live.state import Json, position_as_json
from noughts.interfaces.web.routes import schemas
from noughts.interfaces.web.routes.rooms import Worker, api_router

router = api_router("rooms", 404)

Ply = Annotated[int, Path(ge=0, le=1_000_000)]
AskedPly = Annotated[int | None, Query(ge=0, le=1_000_000)]
Cell = Annotated[int, Path(ge=0, le=1_000_000)]


@router.get("/rooms/{room}/plies/{ply}", response_model=schemas.PositionTold)
async def look_back(room: str, ply: Ply, service: Worker) -> Response:
    """What stood on the board of a room after so many moves."""
    view = await service.look(room)
    return reply(await service.run(lambda: position_as_json(earlier(view.match.game, ply))))


@router.get("/rooms/{room}/lines/{cell}", response_model=schemas.LinesTold)
async def lines_through(room: str, cell: Cell, service: Worker, ply: AskedPly = None) -> Response:
    """The lines through a cell of the board of a room, now or after so many moves."""
    view = await service.look(room)
    return reply(await service.run(lines_as_json, view.match.game, cell, ply))


def lines_as_json(game: Game, index: int, ply: int | None = None) -> Json:
    """The lines through the cell of *index* after *ply* moves; raises :class:`Refused` where there are none.

    >>> from noughts import new_game
    >>> lines = lines_as_json(new_game("tictactoe"), 1)
    >>> lines["count"], lines["open_lines"]
    (2, [[0, 1, 2], [1, 4, 7]])
    """
    if index >= len(game.cells):
        raise Refused(422, "no-such-cell", last=len(game.cells) - 1)
    position = earlier(game, game.ply if ply is None else ply)
    found = position.lines_through(coordinate_of(position.shape, index))
    if found is None:
        raise Refused(422, "no-lines")
    return {
        "cell": index,
        "count": found.count,
        "open_count": found.open_count,
        "open": sorted(found.open),
        "closed": sorted(found.closed),
        "open_lines": [list(line) for line, is_open in found.lines if is_open],
        "closed_lines": [list(line) for line, is_open in found.lines if not is_open],
    }


def earlier(game: Game, ply: int) -> Game:
    """A copy of *game* as it was after *ply* moves; raises :class:`Refused` where it has fewer."""
    if ply > game.ply:
        raise Refused(422, "no-such-ply", plies=game.ply)
    position = game.copy()
    while position.ply > ply:
        position.undo()
    return position
