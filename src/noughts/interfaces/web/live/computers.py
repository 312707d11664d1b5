"""Computers in seats: they think in other processes, and what they decide is a command like any other.

Whoever asks a thinker asks it here.
"""

import asyncio
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from starlette.requests import Request

from noughts.arena.commands import Accept, Break, Command, Decline, Forfeit, MakeMove, Rematch, Resign
from noughts.arena.rooms.models import Phase, RoomView
from noughts.arena.runner import agrees
from noughts.arena.table import HUMAN
from noughts.errors import DamagedStore, NoughtsError, StaleVersion, StoreError
from noughts.interfaces.presenting import tasks
from noughts.interfaces.web.http.replies import ApiError
from noughts.search.analysis import Progress
from noughts.workers.messages import Task, TaskFailure, TaskResult, TaskWorker, describe_error
from noughts.workers.seating import is_ours, seat_patience

MAX_SECONDS = 2.0
"""The most seconds a computer thinks about a move, when no other computer waits."""

MIN_SECONDS = 0.2
"""The most seconds it thinks, however many wait."""

MOVE_SECONDS = 30.0
"""Seconds after which it forfeits."""

SEAT_SECONDS = 60.0
"""Seconds that a program may take before its first move."""

MAX_ATTEMPTS = 3
"""How often a question is asked when the process that thinks about it ends."""

PAUSES = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Seconds after which what could not be written is tried again."""

Value = TypeVar("Value")

Act = Callable[[str, int, Command, int, str], Awaitable[RoomView]]
"""Carries a command out for a place of a room: room, place, command, version, key."""


@dataclass(eq=False)
class _Question:
    """A computer that is being asked, and the room as it was then."""

    view: RoomView
    place: int
    task: asyncio.Task[None] = field(init=False)
    is_decided: bool = False
    """Whether its answer is being carried out; until then it may be stopped."""


@dataclass(eq=False)
class Computers:
    """Plays the seats of computers in the rooms that are shown to it by :meth:`look_at`.

    All methods are for the event loop's thread. Each room is asked about in one place, so what a player
    learned of it is still known at its next move.
    """

    thinkers: list[TaskWorker]
    """The processes that think for our players."""
    programs: TaskWorker
    """The thinker that asks external programs."""
    is_offered: Callable[[str], bool]
    """Whether a computer may play here."""
    act: Act
    on_trouble: Callable[[str], None]
    is_watched: Callable[[str], bool]
    """Whether anybody watches a room: without a human player, computers play only then."""
    may_go_on: Callable[[RoomView], bool]
    """Whether a game may have more moves; if not, computers resign."""
    on_late: Callable[[RoomView], None]
    """Called if a move is overdue."""
    pace: float
    """The least seconds between moves if only computers play."""
    _asked: dict[str, _Question] = field(default_factory=dict, init=False)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set, init=False)
    _is_closed: bool = field(default=False, init=False)

    @property
    def thinking(self) -> int:
        """How many rooms are being thought about."""
        return len(self._asked)

    def is_asked(self, room: str) -> bool:
        """Whether a computer of *room* is being asked."""
        return room in self._asked

    def look_at(self, view: RoomView, *, begin: bool = True) -> None:
        """See to it that the computers of the room of *view* do what they are asked for.

        What was asked before and is wanted no more is stopped. Where another worker sees to it, *begin* is
        false.
        """
        current = self._asked.get(view.room)
        if current is not None:
            if view.version < current.view.version or _wish(current.view) == _wish(view):
                return
            self._forget(current)
        place = next((place for place in sorted(view.awaited) if view.setup.who[place] != HUMAN), None)
        is_wanted = HUMAN in view.setup.who or self.is_watched(view.room)
        if begin and is_wanted and place is not None and not self._is_closed:
            question = self._asked[view.room] = _Question(view, place)
            question.task = asyncio.create_task(self._see_to(question))
            self._tasks.add(question.task)
            question.task.add_done_callback(self._tasks.discard)

    async def _see_to(self, question: _Question) -> None:
        """Let the computer decide, carry that out, and look at what the room wants then."""
        view, place = question.view, question.place
        decided = _answer_at_once(view, place) if self.may_go_on(view) else Resign()
        decided = decided or await self._think(view, place)
        question.is_decided = True
        if HUMAN not in view.setup.who:
            await asyncio.sleep(self.pace)
        now = await self._carry_out(view, place, decided)
        if self._asked.get(view.room) is question:
            del self._asked[view.room]
        if now is not None:
            self.look_at(now)

    async def _carry_out(self, view: RoomView, place: int, decided: Command) -> RoomView | None:
        """The room once *decided* is done; None where it is not.

        Where it could not be written it is tried again soon, under the same key: nobody waits until
        somebody looks at the room, and nothing is thought twice.
        """
        for pause in (*PAUSES, None):
            try:
                return await self.act(view.room, place, decided, view.version, f"computer-{view.version}")
            except NoughtsError as error:
                self.on_trouble(f"{type(error).__name__}: {error}")
                # Else the room has gone on without it: whoever looks at it next asks again.
                if pause is None or not _may_pass(error):
                    return None
            await asyncio.sleep(pause)
        return None

    async def _think(self, view: RoomView, place: int) -> Command:
        """What the computer at *place* decides; where none comes of it, that it forfeits."""
        kind, room = view.setup.who[place], view.room
        seed = zlib.crc32(f"{room} {place}".encode())
        own = self.thinkers[zlib.crc32(room.encode()) % len(self.thinkers)]
        thinker = own if is_ours(kind) else self.programs
        is_offered = self.is_offered(kind)
        message: TaskResult | TaskFailure = (
            TaskFailure("gone") if is_offered else TaskFailure("failed", f"{kind} is not offered here")
        )
        heard: list[Progress] = []

        def hear(progress: Progress) -> None:
            heard.append(progress)
            if progress.stage == "late":
                self.on_late(view)

        for _ in range(MAX_ATTEMPTS if is_offered else 0):
            heard.clear()
            seconds = max(MIN_SECONDS, MAX_SECONDS * len(self.thinkers) / max(1, len(self._asked)))
            arguments = (kind, view.match.game.copy(), seed, seconds, MOVE_SECONDS, view.match.standing)
            patience = MOVE_SECONDS + seat_patience(kind, SEAT_SECONDS)
            message = await ask(thinker, tasks.choose, *arguments, patience=patience, hear=hear)
            if isinstance(message, TaskResult) or message.reason != "gone":
                break
        if isinstance(message, TaskResult) and isinstance(message.value, NoughtsError):
            # It is not there, or declines after all; in a room no other could be chosen.
            message = TaskFailure("failed", describe_error(message.value))
        if isinstance(message, TaskResult):
            command: Command = message.value
            is_unproved = any(progress.stage == "unproved" for progress in heard)
            return replace(command, is_unproved=is_unproved) if isinstance(command, MakeMove) else command
        self.on_trouble(f"{message.reason}: {message.detail}")
        if message.fault is not None:
            return Break(message.fault.package, message.fault.words)
        return Forfeit("too-slow" if message.reason == "too-slow" else "raised", message.detail)

    def _forget(self, question: _Question) -> None:
        del self._asked[question.view.room]
        if not question.is_decided:
            question.task.cancel()

    async def close(self) -> None:
        """Stop all thinking."""
        self._is_closed = True
        for question in tuple(self._asked.values()):
            self._forget(question)
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(
            *(asyncio.to_thread(thinker.close) for thinker in (*self.thinkers, self.programs))
        )


def _may_pass(error: NoughtsError) -> bool:
    """Whether what was refused with *error* may be done the next moment: somebody else held the database."""
    return isinstance(error, StoreError) and not isinstance(error, DamagedStore | StaleVersion)


def _wish(view: RoomView) -> tuple[Any, ...]:
    """What is wanted of computers: while it is the same, so is the question."""
    match = view.match
    return view.game_id, view.phase, match.version, match.offer, view.wishes, len(view.results)


def _answer_at_once(view: RoomView, place: int) -> Command | None:
    """What needs no thought: computers answer offers and play again."""
    if view.phase is Phase.OVER:
        return Rematch()
    offer, side = view.match.offer, view.sides.get(place)
    if offer is not None and side not in offer.agreed:
        return Accept() if agrees(view.match) else Decline()
    return None


# Asking from the event loop: the answer is awaited, and who leaves stops the thought


async def ask(
    thinker: TaskWorker,
    task: Task,
    *arguments: Any,
    patience: float,
    hear: Callable[[Progress], None] = lambda progress: None,
) -> TaskResult | TaskFailure:
    """What comes of *task*; *hear* is told of its progress. If this is cancelled, the thought is stopped."""
    async with aclosing(follow(thinker, task, *arguments, patience=patience)) as messages:
        async for message in messages:
            if not isinstance(message, Progress):
                return message
            hear(message)
    raise AssertionError("a thought ends with an answer or a failure")


async def follow(
    thinker: TaskWorker,
    task: Task,
    *arguments: Any,
    patience: float,
    is_wanted_now: Callable[[], bool] = lambda: False,
) -> AsyncGenerator[Progress | TaskResult | TaskFailure]:
    """What is told of *task*, at last what comes of it; when this is closed, the thought is stopped.

    Once *is_wanted_now*, which is asked with each progress, the task is told to come to its end.
    """
    loop = asyncio.get_running_loop()
    queue = asyncio.Queue[Progress | TaskResult | TaskFailure]()

    def on_message(message: Progress | TaskResult | TaskFailure) -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(queue.put_nowait, message)

    thought = thinker.ask(task, *arguments, on_message=on_message, patience=patience)
    try:
        is_over = False
        while not is_over:
            message = await queue.get()
            is_over = not isinstance(message, Progress)
            if is_wanted_now():
                thought.hurry()
            yield message
    finally:
        thought.stop()


async def unless_gone(request: Request, work: Coroutine[Any, Any, Value]) -> Value:
    """What comes of *work*, cancelled when whoever sent *request* leaves; they are :class:`ApiError`."""
    doing, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_leave(request))
    try:
        await asyncio.wait((doing, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise ApiError(400, "unreadable", reason="cut-off")
        return doing.result()
    finally:
        doing.cancel()
        leaving.cancel()
        await asyncio.gather(doing, leaving, return_exceptions=True)


async def _leave(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


class FairQueue:
    """A fair queue: addresses take turns, and the games at each address, whatever each one's queue.

    There are *most* turns at once, each of another address.
    """

    def __init__(self, most: int = 1) -> None:
        self._turn = asyncio.Semaphore(most)
        self._own: WeakValueDictionary[object, asyncio.Lock] = WeakValueDictionary()
        self._asking = 0

    @property
    def is_awaited(self) -> bool:
        """Whether anybody waits besides the one whose turn it is."""
        return self._asking > 1

    @asynccontextmanager
    async def turn(self, address: str, game: object) -> AsyncIterator[None]:
        """While this lasts it is the turn of somebody at *address* who asks about *game*."""
        own = self._own.setdefault(address, asyncio.Lock())
        of_game = self._own.setdefault((address, game), asyncio.Lock())
        self._asking += 1
        try:
            # The others wait for one another: only one of a game is in the queue of its address, and only
            # one of an address in the queue of all.
            async with of_game, own, self._turn:
                yield
        finally:
            self._asking -= 1
