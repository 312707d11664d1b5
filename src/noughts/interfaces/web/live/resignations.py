"""The examination of resignations: a resignation in a proved win may be on purpose.

A process examines the positions after the games, a few at a time, so that no game waits for it.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from noughts.arena.people.moderation import Moderation
from noughts.arena.store.database import Database
from noughts.errors import DamagedStore
from noughts.games.base import Game
from noughts.interfaces.presenting.tasks import is_proved_win
from noughts.interfaces.web.live.computers import FairQueue, ask
from noughts.workers.messages import TaskResult, TaskWorker

AT_ONCE = 5
"""The largest number of resignations in one examination."""

PATIENCE_SECONDS = 10.0
"""Seconds after which the search for a proof is stopped."""

EXAMINE_SECONDS = 10.0
"""Seconds between two examinations."""


async def examine_resignations(
    moderation: Moderation,
    database: Database,
    run: Callable[..., Awaitable[Any]],
    turns: FairQueue,
    analyst: TaskWorker,
) -> int:
    """Examine the next resignations, and return their number.

    *run* calls a function in a thread. The *analyst* searches when it is its turn among requests. A position
    without an answer is no proof.
    """
    waiting = await run(moderation.resignations, AT_ONCE)
    for game, identity in waiting:
        position = await run(resigned_position, database, game)
        is_win = False
        if position is not None:
            async with turns.turn("", ("resignation", game)):
                message = await ask(analyst, is_proved_win, *position, patience=PATIENCE_SECONDS)
            is_win = isinstance(message, TaskResult) and message.value is True
        await run(moderation.note_resignation, game, identity, is_win_thrown_away=is_win)
    return len(waiting)


def resigned_position(database: Database, number: int) -> tuple[Game, str] | None:
    """Return the last position of the game *number*, and the side that resigned.

    Return None for a damaged game, and if the opening had not settled the sides.
    """
    try:
        stored = database.load(number)
        match = stored.replay()
    except DamagedStore:
        return None
    side = stored.events[-1].side
    return (match.game, side) if side is not None and match.standing.is_over else None
