"""Computer players in rooms. They think in other processes and send their moves as commands.

All tasks for workers are started here.
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
"""The longest time in seconds to think about a move if no other computer waits."""

MIN_SECONDS = 0.2
"""The shortest time limit in seconds for a move, however many computers wait."""

MOVE_SECONDS = 30.0
"""Seconds after which a computer forfeits."""

SEAT_SECONDS = 60.0
"""Seconds that a program may take before its first move."""

MAX_ATTEMPTS = 3
"""The largest number of attempts if the thinking process crashes."""

PAUSES = (0.25, 0.5, 1.0, 2.0, 4.0)
"""The delays in seconds before a command that could not be written is tried again."""

Value = TypeVar("Value")

Act = Callable[[str, int, Command, int, str], Awaitable[RoomView]]
"""A function that carries out a command: room, seat, command, version, idempotency key."""


@dataclass(eq=False)
class _Question:
    """A computer that is thinking, and the state of the room when it started."""

    view: RoomView
    place: int
    task: asyncio.Task[None] = field(init=False)
    is_decided: bool = False
    """True if the decision is being carried out. Until then it can be cancelled."""


@dataclass(eq=False)
class Computers:
    """The computer players of the rooms that :meth:`look_at` gets.

    All methods are for the thread of the event loop. One worker process thinks about each room, so that a
    player still knows at its next move what it has learned.
    """

    thinkers: list[TaskWorker]
    """The processes that think for the built-in players."""
    programs: TaskWorker
    """The worker that runs external programs."""
    is_offered: Callable[[str], bool]
    """Return True if a computer may play on this server."""
    act: Act
    on_trouble: Callable[[str], None]
    is_watched: Callable[[str], bool]
    """Return True if a room has readers. Without human players, computers play only then."""
    may_go_on: Callable[[RoomView], bool]
    """Return True if a game may have more moves. If not, computers resign."""
    on_late: Callable[[RoomView], None]
    """A callback for a move that is overdue."""
    pace: float
    """The shortest time in seconds between moves if only computers play."""
    _asked: dict[str, _Question] = field(default_factory=dict, init=False)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set, init=False)
    _is_closed: bool = field(default=False, init=False)

    @property
    def thinking(self) -> int:
        """The number of rooms in which computers think."""
        return len(self._asked)

    def is_asked(self, room: str) -> bool:
        """Return True if a computer of *room* is thinking."""
        return room in self._asked

    def look_at(self, view: RoomView, *, begin: bool = True) -> None:
        """Start the computer that has to act in the room of *view*, and cancel one that no longer has to.

        *begin* is False if another worker starts it.
        """
        current = self._asked.get(view.room)
        if current is not None:
            if view.version < current.view.version or _decision_facts(current.view) == _decision_facts(view):
                return
            self._forget(current)
        place = next((place for place in sorted(view.awaited) if view.setup.who[place] != HUMAN), None)
        is_wanted = HUMAN in view.setup.who or self.is_watched(view.room)
        if begin and is_wanted and place is not None and not self._is_closed:
            question = self._asked[view.room] = _Question(view, place)
            question.task = asyncio.create_task(self._decide_and_act(question))
            self._tasks.add(question.task)
            question.task.add_done_callback(self._tasks.discard)

    async def _decide_and_act(self, question: _Question) -> None:
        """Let the computer decide, carry out its decision, and check the room again."""
        view, place = question.view, question.place
        decided = _immediate_decision(view, place) if self.may_go_on(view) else Resign()
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
        """Carry out the command *decided* and return the room after it, or None if it fails.

        A command that could not be written is retried soon with the same key. Otherwise the game would wait
        for the next reader, and the computer would think twice.
        """
        for pause in (*PAUSES, None):
            try:
                return await self.act(view.room, place, decided, view.version, f"computer-{view.version}")
            except NoughtsError as error:
                self.on_trouble(f"{type(error).__name__}: {error}")
                # Other errors mean that the room has changed. The next reader of the room starts the computer
                # again.
                if pause is None or not _is_temporary(error):
                    return None
            await asyncio.sleep(pause)
        return None

    async def _think(self, view: RoomView, place: int) -> Command:
        """Return the decision of the computer at *place*: a move, or a forfeit if the computer fails."""
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
            # The program is missing or declines the game. The room cannot choose another one.
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


def _is_temporary(error: NoughtsError) -> bool:
    """Return True if *error* may be temporary, such as a locked database."""
    return isinstance(error, StoreError) and not isinstance(error, DamagedStore | StaleVersion)


def _decision_facts(view: RoomView) -> tuple[Any, ...]:
    """Return the facts that a decision depends on. A computer continues to think while they are the same."""
    match = view.match
    return view.game_id, view.phase, match.version, match.offer, view.wishes, len(view.results)


def _immediate_decision(view: RoomView, place: int) -> Command | None:
    """Return a decision that needs no thinking: computers answer offers and play again."""
    if view.phase is Phase.OVER:
        return Rematch()
    offer, side = view.match.offer, view.sides.get(place)
    if offer is not None and side not in offer.agreed:
        return Accept() if agrees(view.match) else Decline()
    return None


# Tasks from the event loop: a task is cancelled if the caller leaves


async def ask(
    thinker: TaskWorker,
    task: Task,
    *arguments: Any,
    patience: float,
    hear: Callable[[Progress], None] = lambda progress: None,
) -> TaskResult | TaskFailure:
    """Return the result of *task*, and call *hear* with its progress.

    If this is cancelled, the task is stopped.
    """
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
    is_hurried_now: Callable[[], bool] = lambda: False,
) -> AsyncGenerator[Progress | TaskResult | TaskFailure]:
    """Yield the progress of *task* and then its result. If this is closed, the task is stopped.

    *is_hurried_now* is called after each progress. If it returns True, the task has to finish soon.
    """
    loop = asyncio.get_running_loop()
    queue = asyncio.Queue[Progress | TaskResult | TaskFailure]()

    def on_message(message: Progress | TaskResult | TaskFailure) -> None:
        with suppress(RuntimeError):  # The event loop has ended.
            loop.call_soon_threadsafe(queue.put_nowait, message)

    thought = thinker.ask(task, *arguments, on_message=on_message, patience=patience)
    try:
        is_over = False
        while not is_over:
            message = await queue.get()
            is_over = not isinstance(message, Progress)
            if is_hurried_now():
                thought.hurry()
            yield message
    finally:
        thought.stop()


async def cancel_on_disconnect(request: Request, work: Coroutine[Any, Any, Value]) -> Value:
    """Return the result of *work*, and cancel it if the sender of *request* disconnects.

    Raises :class:`ApiError` in that case.
    """
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
    """A fair queue: addresses take turns, and so do the games of each address.

    At most *max_turns* addresses have a turn at once.
    """

    def __init__(self, max_turns: int = 1) -> None:
        self._turn = asyncio.Semaphore(max_turns)
        self._own: WeakValueDictionary[object, asyncio.Lock] = WeakValueDictionary()
        self._asking = 0

    @property
    def is_awaited(self) -> bool:
        """True if other requests wait besides the one that has its turn."""
        return self._asking > 1

    @asynccontextmanager
    async def turn(self, address: str, game: object) -> AsyncIterator[None]:
        """Wait for the turn of *address* with *game*, which lasts for the ``with`` block."""
        own = self._own.setdefault(address, asyncio.Lock())
        of_game = self._own.setdefault((address, game), asyncio.Lock())
        self._asking += 1
        try:
            # The locks admit one request of a game to the queue of its address, and one of an address to the
            # queue of all.
            async with of_game, own, self._turn:
                yield
        finally:
            self._asking -= 1
