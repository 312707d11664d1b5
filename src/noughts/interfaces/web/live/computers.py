"""Computers in seats: they think in other processes, and what they decide is a command like any other."""

import asyncio
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from noughts.arena.commands import Accept, Command, Decline, Forfeit, Rematch, Resign
from noughts.arena.rooms.facts import Phase, RoomView
from noughts.arena.runner import agrees
from noughts.arena.table import HUMAN
from noughts.errors import NoughtsError
from noughts.interfaces.presenting import tasks as thinking
from noughts.search.analysis import Progress
from noughts.workers.thinking import Answer, Failure, Thinker, Thought
from noughts.workers.thought import words

THINK_SECONDS = 2.0
"""How long a computer thinks about a move at most while nobody else's is waiting."""

LEAST_SECONDS = 0.2
"""How long it thinks at most, however many wait."""

MOVE_SECONDS = 30.0
"""After so long it forfeits."""

PATIENCE = 90.0
"""After so long, with what it does before its first move, its process is given up."""

MOST_TRIES = 3
"""So often a question is asked whose process ended."""

Act = Callable[[str, int, Command, int, str], Awaitable[RoomView]]
"""Carries a command out for a place of a room: room, place, command, version, key."""


@dataclass(slots=True, eq=False)
class _Question:
    """What a computer is being asked: the room as it was then."""

    view: RoomView
    place: int
    thought: Thought | None = None
    tries: int = 0


class Computers:
    """Plays the seats of computers in the rooms that are shown to it by :meth:`look_at`.

    *thinkers* think; *act* carries their commands out. All methods are for the event loop's thread. Each
    room is asked about in one place, so what a player learned of it is still known at its next move. Where
    nobody else plays, computers play only while somebody watches (*is_watched*), and no faster than a move
    in *pace* seconds. Where a game has become too long (*may_go_on*), they resign.
    """

    def __init__(
        self,
        thinkers: list[Thinker],
        act: Act,
        on_trouble: Callable[[str], None],
        *,
        is_watched: Callable[[str], bool],
        may_go_on: Callable[[RoomView], bool],
        pace: float,
    ) -> None:
        self._thinkers, self._act, self._on_trouble = thinkers, act, on_trouble
        self._is_watched, self._may_go_on, self._pace = is_watched, may_go_on, pace
        self._asked: dict[str, _Question] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()
        self._is_closed = False

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
        asked = self._asked.get(view.room)
        if asked is not None:
            if view.version < asked.view.version or _is_same_question(asked.view, view):
                return
            self._forget(asked)
        place = next((place for place in sorted(view.awaited) if view.setup.who[place] != HUMAN), None)
        is_wanted = HUMAN in view.setup.who or self._is_watched(view.room)
        if begin and is_wanted and place is not None and not self._is_closed:
            question = self._asked[view.room] = _Question(view, place)
            at_once = _answer_at_once(view, place) if self._may_go_on(view) else Resign()
            if at_once is not None:
                self._carry_out(question, at_once)
            else:
                self._ask(question)

    def _ask(self, question: _Question) -> None:
        view, place = question.view, question.place
        who, game, room = view.setup.who[place], view.match.game, view.room
        seed = zlib.crc32(f"{room} {place}".encode())
        question.tries += 1

        def tell(message: Progress | Answer | Failure) -> None:
            if not isinstance(message, Progress):
                with suppress(RuntimeError):  # the loop has ended
                    self._loop.call_soon_threadsafe(self._hear, question, message)

        thinker = self._thinkers[zlib.crc32(room.encode()) % len(self._thinkers)]
        seconds = max(LEAST_SECONDS, THINK_SECONDS * len(self._thinkers) / max(1, len(self._asked)))
        arguments = (who, game.copy(), seed, seconds, MOVE_SECONDS, view.match.standing)
        question.thought = thinker.ask(thinking.choose, *arguments, tell=tell, patience=PATIENCE)

    def _hear(self, question: _Question, message: Answer | Failure) -> None:
        if self._asked.get(question.view.room) is not question:
            return
        if isinstance(message, Answer) and isinstance(message.value, NoughtsError):
            # It is not there, or declines after all; in a room no other could be chosen.
            message = Failure("failed", words(message.value))
        if isinstance(message, Answer):
            self._carry_out(question, message.value)
        elif message.reason == "gone" and question.tries < MOST_TRIES and not self._is_closed:
            self._ask(question)
        else:
            self._on_trouble(f"{message.reason}: {message.detail}")
            reason = "too-slow" if message.reason == "too-slow" else "raised"
            self._carry_out(question, Forfeit(reason, message.detail))

    def _carry_out(self, question: _Question, asked: Command) -> None:
        task = self._loop.create_task(self._carry_out_soon(question, asked))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry_out_soon(self, question: _Question, asked: Command) -> None:
        view = question.view
        key = f"computer-{view.version}"
        if HUMAN not in view.setup.who:
            await asyncio.sleep(self._pace)
        try:
            now = await self._act(view.room, question.place, asked, view.version, key)
        except NoughtsError as error:
            # The room has gone on without it, or cannot be written to: whoever looks at it next asks again.
            self._on_trouble(f"{type(error).__name__}: {error}")
            if self._asked.get(view.room) is question:
                del self._asked[view.room]
            return
        if self._asked.get(view.room) is question:
            del self._asked[view.room]
        self.look_at(now)

    def _forget(self, question: _Question) -> None:
        del self._asked[question.view.room]
        if question.thought is not None:
            question.thought.stop()

    async def close(self) -> None:
        """Stop all thinking."""
        self._is_closed = True
        for question in tuple(self._asked.values()):
            self._forget(question)
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(asyncio.to_thread(thinker.close) for thinker in self._thinkers))


def _is_same_question(asked: RoomView, now: RoomView) -> bool:
    """Whether what a computer was asked is still what is wanted of it."""
    return (asked.game_id, asked.phase, asked.match.version, asked.wishes, asked.match.offer) == (
        now.game_id,
        now.phase,
        now.match.version,
        now.wishes,
        now.match.offer,
    ) and len(asked.results) == len(now.results)


def _answer_at_once(view: RoomView, place: int) -> Command | None:
    """What needs no thought: computers answer offers and play again."""
    if view.phase is Phase.OVER:
        return Rematch()
    offer, side = view.match.offer, view.sides.get(place)
    if offer is not None and side not in offer.agreed:
        return Accept() if agrees(view.match) else Decline()
    return None
