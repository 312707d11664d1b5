"""Run simultaneous commands: ``python -m tests.faults.races``, with PostgreSQL if it is available.

Of two commands for the same version exactly one is executed. Of several people who want one seat exactly one
gets it. A command that is repeated under one key is executed once. The full numbers are run directly at the
rooms, by threads, at one worker or two; ``test_races.py`` runs smaller ones over HTTP.
"""

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from noughts.arena.commands import Command, Decline, OfferDraw, Rematch, WrittenMove
from noughts.arena.events import EventKind
from noughts.arena.rooms.models import CommandReply, Phase, RoomEntry
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.store.database import Database, open_database
from noughts.arena.table import Terms
from noughts.errors import NotFound, SeatTaken, StaleRoom
from noughts.games.notation import format_move
from tests.databases import new_file, url_of
from tests.postgres import postgres_server, run_sql

AT_ONCE = 8
"""The number of races that run at the same time."""

MAX_AT_A_SEAT = 8

Worker = tuple[Database, Rooms]


def milliseconds() -> int:
    return time.time_ns() // 1_000_000


@contextmanager
def workers(url: str, number: int) -> Iterator[list[Rooms]]:
    """Yield *number* workers at the database."""
    with ExitStack() as stack:
        made = []
        for _ in range(number):
            database = stack.enter_context(closing(open_database(url)))
            made.append(stack.enter_context(closing(Rooms(database, now=milliseconds))))
        yield made


class Runners:
    """Threads that start at the same time."""

    def __init__(self, stack: ExitStack, most: int) -> None:
        self._pool = stack.enter_context(ThreadPoolExecutor(most))

    def at_once(self, calls: list[Callable[[], Any]]) -> list[Any]:
        """Return the result or the error of each of *calls*."""
        gate = threading.Barrier(len(calls))

        def run(call: Callable[[], Any]) -> Any:
            gate.wait()
            try:
                return call()
            except Exception as error:
                return error

        return list(self._pool.map(run, calls))


def _side_by_side(times: int, race: Callable[[int, Runners, Random], None]) -> float:
    """Run *times* races, some at a time, and return the seconds that they took."""
    numbers, began = count(), time.monotonic()

    def run(lane: int) -> None:
        with ExitStack() as stack:
            runners, chance = Runners(stack, MAX_AT_A_SEAT), Random(f"lane {lane}")
            while (number := next(numbers)) < times:
                race(number, runners, chance)

    with ThreadPoolExecutor(AT_ONCE) as lanes:
        list(lanes.map(run, range(AT_ONCE)))
    return time.monotonic() - began


def race_moves(rooms: list[Rooms], times: int) -> float:
    """Race pairs of commands for the same version: two tabs of one seat, or both seats."""
    seats = threading.local()

    def race(number: int, runners: Runners, chance: Random) -> None:
        if not hasattr(seats, "room"):
            first = rooms[0].open(Terms("4x4", ("human", "human")), "Ada", 0)
            rooms[-1].join("Wei", code=first.code)
            seats.room = first.room
        room = seats.room
        _make_ready(rooms[0], room, number)
        view = rooms[0].look(room)
        turn, legal = view.turn, view.match.game.legal_moves()
        assert turn is not None
        texts = [format_move(view.match.game, chance.choice(legal)) for _ in range(2)]
        command: list[tuple[int, Command]] = [(turn, WrittenMove(texts[0])), (turn, WrittenMove(texts[1]))]
        if number % 2:
            command[1] = (1 - turn, OfferDraw())
        chance.shuffle(command)
        answers = runners.at_once(
            [
                _asking(rooms[which % len(rooms)], room, *each, view.version, f"{number}-{which}")
                for which, each in enumerate(command)
            ]
        )
        done = [answer for answer in answers if isinstance(answer, CommandReply)]
        stale = [answer for answer in answers if isinstance(answer, StaleRoom)]
        assert (len(done), len(stale)) == (1, 1), answers
        assert done[0].version == view.version + 1 == stale[0].view.version, "the state is told"

    return _side_by_side(times, race)


def _asking(
    rooms: Rooms, room: str, place: int, command: Command, version: int, key: str
) -> Callable[[], CommandReply]:
    return lambda: rooms.submit(room, place, command, version=version, key=key).result()


def _make_ready(rooms: Rooms, room: str, number: int) -> None:
    """Prepare a running game without an offer."""
    view = rooms.look(room)
    command: Command | None = None
    if view.phase is Phase.OVER:
        command = Rematch()
    elif view.match.offer is not None:
        command = Decline()
    for place in sorted(view.awaited or range(2)) if command is not None else ():
        if isinstance(command, Decline) and view.match.offer is not None:
            place = next(p for p, side in view.sides.items() if side != view.match.offer.side)
        version = rooms.look(room).version
        rooms.submit(
            room, place, command or Rematch(), version=version, key=f"ready {number} {place}"
        ).result()
        if isinstance(command, Decline):
            return


def race_joins(rooms: list[Rooms], times: int) -> float:
    """Race two to eight people for one seat, by its code or by the room."""

    def race(number: int, runners: Runners, chance: Random) -> None:
        first = rooms[0].open(Terms("tictactoe", ("human", "human")), "Ada", 0)
        way: dict[str, Any] = {"code": first.code} if number % 2 else {"room": first.room}
        many = chance.randint(2, MAX_AT_A_SEAT)
        calls = [_joining(rooms[which % len(rooms)], which, way) for which in range(many)]
        answers = runners.at_once(calls)
        sat = [answer for answer in answers if isinstance(answer, RoomEntry)]
        refused = [answer for answer in answers if isinstance(answer, SeatTaken | NotFound)]
        assert (len(sat), len(refused)) == (1, many - 1), answers
        assert [rooms[0].place_of(first.room, token) for token in (first.token, sat[0].token)] == [0, 1]

    return _side_by_side(times, race)


def _joining(rooms: Rooms, which: int, way: dict[str, Any]) -> Callable[[], RoomEntry]:
    return lambda: rooms.join(f"Wei {which}", **way)


def repeat_one(url: str, workers_at_once: int, times: int) -> float:
    """Repeat a command under the same key, half of the times after a restart."""
    began = time.monotonic()
    with workers(url, 1) as (opening,):
        first = opening.open(Terms("tictactoe", ("human", "human")), "Ada", 0)
        version = opening.look(opening.join("Wei", code=first.code).room).version
    answered = set[int]()
    repeated = 0
    for part in (times - times // 2, times // 2):
        with workers(url, workers_at_once) as rooms, ThreadPoolExecutor(AT_ONCE) as threads:
            calls = [
                _asking(rooms[number % len(rooms)], first.room, 0, WrittenMove("5"), version, "k")
                for number in range(part)
            ]
            for answer in threads.map(lambda call: call(), calls):
                answered.add(answer.version)
                repeated += answer.is_repeated
    assert answered == {version + 1}
    assert repeated == times - 1
    with closing(open_database(url)) as store:
        (game,) = [stored for stored in store.games() if stored.setup.seats["X"] == "Ada"][-1:]
        assert [event.kind for event in game.events] == [EventKind.MOVE]
    return time.monotonic() - began


def race_all(url: str, at: int, pairs: int, joins: int, repeats: int) -> str:
    """Run all races at the database, with *at* workers, and return their times."""
    with workers(url, at) as rooms:
        moved, joined = race_moves(rooms, pairs), race_joins(rooms, joins)
    again = repeat_one(url, at, repeats)
    return (
        f"{pairs} pairs of commands in {moved:.0f} s, {joins} races for a seat in {joined:.0f} s,"
        f" {repeats} repetitions in {again:.0f} s"
    )


def main() -> int:
    """Run the full proof, or a given number of races."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--joins", type=int, default=5_000)
    parser.add_argument("--repeats", type=int, default=10_000)
    options = parser.parse_args()
    numbers = options.pairs, options.joins, options.repeats
    with tempfile.TemporaryDirectory(prefix="noughts-races-") as folder:
        path = new_file(Path(folder) / "games.db")
        print("SQLite, one worker:", race_all(url_of(path), 1, *numbers), flush=True)
    with postgres_server() as server:
        run_sql(f"{server}/postgres", "CREATE DATABASE games")
        print("PostgreSQL, two workers:", race_all(f"{server}/games", 2, *numbers), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
