"""Kill workers while people are paired, rated, and play a tournament: ``python -m tests.faults.meeting``.

The workers share one database, and are killed at random instants, together or one after the other.
Afterwards no game may be lost or counted twice, and no player may be in two live games. No offer that lasts
may be lost, or lead to two games. It runs with one worker on SQLite, and with two on PostgreSQL.
"""

import argparse
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from noughts.arena.clock import DAY, Clock
from noughts.arena.commands import Command, MakeMove, Resign
from noughts.arena.lobby.lobby import MAX_LASTING, Lobby
from noughts.arena.lobby.offers import LobbyOffer, OfferState, Seeker
from noughts.arena.lobby.shared_lobby import SharedLobby
from noughts.arena.ratings.rating_repository import RatingStore
from noughts.arena.rooms.models import Phase, RoomView
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.store.database import open_database
from noughts.arena.tournament.people import PeoplePhase, PeopleTerms
from noughts.arena.tournament.people_director import PeopleTournaments
from noughts.errors import CommandRefused, NotFound, OfferRefused, StaleRoom
from tests.arena.ratings.rated_games import add_identity, tables_of
from tests.databases import new_file, url_of
from tests.postgres import postgres_server, run_sql

PEOPLE = 12
"""The number of people in the lobby, all with keys."""

PUPILS = 9
"""The number of players of the tournament, so that one rests in each round."""

SPEED = 30
"""The clock of the workers runs so many times faster than the real one, so that rounds follow at once."""

CLOCK, BY_DAYS = Clock(base=600_000), Clock(per_move=3 * DAY)
GAMES = ("gomoku", "connect4", "reversi")
TOURNAMENT = PeopleTerms("Class", "tictactoe", CLOCK, rounds=15)


@dataclass
class Report:
    """The numbers of kills, of finished games, and of rated ones."""

    kills: int = 0
    games: int = 0
    rated: int = 0
    rounds: int = 0
    by_days: int = 0

    def __str__(self) -> str:
        games = f"{self.games} games ended, {self.rated} rated, {self.by_days} by days begun"
        return f"{self.kills} kills, {games}, {self.rounds} rounds"


def quick_time() -> int:
    return int(time.time() * 1000 * SPEED)


def visitor(number: int) -> Seeker:
    return Seeker(f"visitor {number}", f"Person {number}", number)


def rooms_of(lobby: Lobby, *, by_days: bool = False) -> dict[str, set[str]]:
    """Return the two visitors in each room that an offer has led to, of live games or *by_days*."""
    visitors: dict[str, set[str]] = {}
    for offer in lobby.offers.values():
        if offer.lasts == by_days and offer.state is OfferState.TAKEN and offer.room is not None:
            visitors.setdefault(offer.room, set()).update((offer.seeker.visitor, offer.opponent or ""))
    return visitors


class MeetingWorker:
    """A worker that pairs people and plays for some of them: those whose number it is in turn."""

    def __init__(self, url: str, place: int, workers: int, seed: str, ended: Connection) -> None:
        self.database = open_database(url)
        self.rooms = Rooms(self.database, now=quick_time)
        self.lobby = SharedLobby(self.rooms, self.database, now=quick_time)
        self.people = PeopleTournaments(self.database, self.rooms, now=quick_time)
        self.chance, self.ended = Random(seed), ended
        self.own = [number for number in range(1, PEOPLE + 1) if number % workers == place]
        self.parity = place, workers
        self.commands = 0
        self.seed = seed

    def run(self) -> None:
        """Do everything in turn until killed."""
        self.ended.send("ready")
        while True:
            for number in self.own:
                self.meet(number)
            self.lobby.pair()
            self.people.tick()
            for code in self.people.store.running():
                for pairing in self.people.look(code).tournament.open_pairings:
                    if pairing.number % self.parity[1] == self.parity[0] and pairing.room:
                        self.play(pairing.room)
                if self.chance.random() < 0.1:
                    self.people.do(code, lambda tournament, at: tournament.end(at))

    def meet(self, number: int) -> None:
        """Let a person play on, or offer a game."""
        lobby, seeker = self.lobby.read(), visitor(number)
        for room, pair in rooms_of(lobby, by_days=True).items():
            if seeker.visitor in pair:
                self.play(room)
        if len(lobby.lasting_of(seeker)) < MAX_LASTING and self.chance.random() < 0.3:
            games = tuple(self.chance.sample(GAMES, 1))
            is_rated = self.chance.random() < 0.5
            offer = LobbyOffer(0, seeker, games, (BY_DAYS,), 0, "", is_rated=is_rated, lasts=True)
            self.ended.send(-self.lobby.publish(offer).number)
        rooms = [room for room, pair in rooms_of(lobby).items() if seeker.visitor in pair]
        going_on = [room for room in rooms if self.play(room)]
        if going_on:
            return
        offers = [offer for offer in lobby.open_offers if offer.seeker.visitor != seeker.visitor]
        if offers and self.chance.random() < 0.3:
            with suppress(OfferRefused):  # Another one was faster.
                self.lobby.accept(self.chance.choice(offers).number, seeker)
        elif not lobby.open_of(seeker.visitor):
            is_rated, games = self.chance.random() < 0.7, tuple(self.chance.sample(GAMES, 2))
            self.lobby.publish(LobbyOffer(0, seeker, games, (CLOCK,), 0, "", is_rated=is_rated))

    def play(self, room: str) -> bool:
        """Act once in *room*. Return True if its game goes on."""
        try:
            view = self.rooms.look(room)
        except NotFound:
            return False
        if view.phase is not Phase.PLAYING or view.turn is None:
            return False
        if view.match.game.ply > 4:
            return not self.act(view, Resign())
        self.act(view, MakeMove(self.chance.choice(view.match.game.legal_moves())))
        return True

    def act(self, view: RoomView, command: Command) -> bool:
        """Send *command* for the player to move. Return True if the game has ended by it."""
        self.commands += 1
        key = f"{self.seed} {self.commands}"
        try:
            reply = self.rooms.submit(view.room, view.turn or 0, command, version=view.version, key=key)
            after = reply.result().view
        except (StaleRoom, CommandRefused):  # The time was up, or the other worker was faster.
            return False
        if after.phase is not Phase.PLAYING:
            self.ended.send(after.game_id)
        return after.phase is not Phase.PLAYING


def work(url: str, place: int, workers: int, seed: str, ended: Connection) -> None:
    MeetingWorker(url, place, workers, seed, ended).run()


class MeetingTrial:
    """A database, its workers, and the games whose end they have reported."""

    def __init__(self, url: str, workers: int, report: Report) -> None:
        self.url, self.workers, self.report = url, workers, report
        self.ended: set[int] = set()
        self.lasting: set[int] = set()
        """The offers that were published to last, and have not ended as far as is known."""
        self.by_days: set[str] = set()
        """The rooms to which such offers have led."""
        self._fork = multiprocessing.get_context("fork")
        with closing(open_database(url)) as database:
            for number in range(1, PEOPLE + 1):
                add_identity(database, number, f"Person {number}")

    def begin_tournament(self) -> None:
        """Begin a tournament, unless one runs."""
        with ExitStack() as stack:
            database = stack.enter_context(closing(open_database(self.url)))
            rooms = stack.enter_context(closing(Rooms(database, now=quick_time)))
            people = stack.enter_context(closing(PeopleTournaments(database, rooms, now=quick_time)))
            if not people.store.running():
                code = people.open(TOURNAMENT).code
                for number in range(PUPILS):
                    people.enter(code, f"Pupil {number}")
                people.do(code, lambda tournament, at: tournament.start(at))

    def kill(self, seed: str) -> None:
        """Run the workers, and kill them at a random instant: each at its own, or all at once."""
        chance = Random(seed)
        pipes = [self._fork.Pipe(duplex=False) for _ in range(self.workers)]
        children = [
            self._fork.Process(target=work, args=(self.url, place, self.workers, f"{seed} {place}", theirs))
            for place, (_, theirs) in enumerate(pipes)
        ]
        for child, (ours, theirs) in zip(children, pipes, strict=True):
            child.start()
            theirs.close()
            assert ours.recv() == "ready"
        is_together = chance.random() < 0.5
        for child in children:
            if not is_together or child is children[0]:
                time.sleep(chance.uniform(0.02, 0.4))
            assert child.is_alive(), "a worker has ended by itself"
            os.kill(child.pid or 0, signal.SIGKILL)
        for child, (ours, _) in zip(children, pipes, strict=True):
            child.join()
            self.report.kills += 1
            told = set(_remaining(ours))
            self.ended |= {number for number in told if number > 0}
            self.lasting |= {-number for number in told if number < 0}

    def audit(self) -> None:
        """Check the database. No worker may run."""
        with ExitStack() as stack:
            database = stack.enter_context(closing(open_database(self.url)))
            rooms = stack.enter_context(closing(Rooms(database, now=quick_time)))
            people = stack.enter_context(closing(PeopleTournaments(database, rooms, now=quick_time)))
            stored = {one.id: one for one in database.games()}  # This checks the digests.
            over = {number for number, one in stored.items() if one.result is not None}
            assert over >= self.ended, "a game that was reported to have ended has its end"
            lobby = SharedLobby(rooms, database, now=quick_time)
            self._check_lobby(lobby, rooms)
            self._check_lasting(lobby.read(), rooms)
            with database.reading() as connection:
                led = set(connection.column("SELECT room FROM room_visitors"))
                rated = connection.column("SELECT game_id FROM rated_games")
                codes = connection.column("SELECT code FROM people_tournaments")
            assert led <= self.by_days, "an offer leads to one game"
            assert len(rated) == len(set(rated)), "no game is rated twice"
            assert set(rated) <= over
            before = tables_of(database)
            RatingStore(database).rebuild()
            assert tables_of(database) == before, "the ratings equal a recount"
            self.report.games, self.report.rated, self.report.rounds = len(over), len(rated), 0
            for code in codes:
                self._check_tournament(people, code, set(stored))
                self._check_names(people, rooms, code)

    def _check_lobby(self, lobby: SharedLobby, rooms: Rooms) -> None:
        """Check that each taken offer has a room of its two players, and nobody plays twice."""
        state, playing = lobby.read(), Counter[str]()
        for room, pair in rooms_of(state).items():
            assert len(pair) == 2, "a room has two players"
            if rooms.look(room).phase is Phase.PLAYING:
                playing.update(pair)
        assert set(playing.values()) <= {1}, "nobody is in two games"
        waiting = {offer.seeker.visitor for offer in state.open_offers if not offer.lasts}
        assert not waiting & set(playing), "players do not wait"

    def _check_lasting(self, state: Lobby, rooms: Rooms) -> None:
        """Check that each offer that was published to last is open, or has led to a room of two players."""
        known = {offer.number: offer for offer in state.offers.values() if offer.lasts}
        for number in tuple(self.lasting):
            offer = known.get(number)
            assert offer is not None, "a published offer is not lost"
            if offer.state is OfferState.TAKEN:
                assert set(rooms.look(offer.room or "").names) == {
                    f"key:{visitor.removeprefix('visitor ')}"
                    for visitor in (offer.seeker.visitor, offer.opponent or "")
                }
                self.lasting.discard(number)
            else:
                assert offer.is_open
        self.by_days |= set(rooms_of(state, by_days=True))
        self.report.by_days = len(self.by_days)

    def _check_tournament(self, people: PeopleTournaments, code: str, games: set[int]) -> None:
        """Check that no player has two games, and that each result counts once."""
        stored = people.look(code)
        results = Counter(event.data.get("pairing") for event in stored.log if event.kind == "result")
        assert set(results.values()) <= {1}, "no result counts twice"
        playing = [entry for one in stored.tournament.open_pairings for entry in one.players if entry]
        assert len(playing) == len(set(playing)), "nobody is in two games"
        known = {one.game for one in stored.tournament.pairings.values() if one.game is not None}
        assert known <= games, "each game exists"
        self.report.rounds += stored.tournament.rounds

    @staticmethod
    def _check_names(people: PeopleTournaments, rooms: Rooms, code: str) -> None:
        """Check that an ended tournament left no game in which names would stay."""
        tournament = people.look(code).tournament
        left = tournament.open_pairings if tournament.phase is PeoplePhase.OVER else []
        rooms_left = rooms.store.left([one.room for one in left if not one.has_begun])
        assert not rooms_left, "a game without a move ends with its tournament"


def _remaining(pipe: Connection) -> Iterable[int]:
    """Yield the messages that are left in *pipe*."""
    with closing(pipe):
        while pipe.poll():
            try:
                yield pipe.recv()
            except EOFError:  # the kill cut the last message
                return


def kill_meetings(url: str, workers: int, times: int, seed: str, report: Report) -> None:
    """Kill *workers* at the database *times* times, with an audit after each.

    On a slow machine there are more kills, until a rated game has ended and a game by days has begun.
    """
    trial = MeetingTrial(url, workers, report)
    for number in count():
        if number >= times and report.rated and report.by_days:
            return
        trial.begin_tournament()
        trial.kill(f"{seed} {number}")
        trial.audit()


def main() -> int:
    """Run the full proof, or a given number of kills."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="noughts-meeting-") as folder:
        report = Report()
        kill_meetings(url_of(new_file(Path(folder) / "games.db")), 1, options.times, "file", report)
        print("SQLite, one worker:", report, flush=True)
    with postgres_server() as server:
        report = Report()
        run_sql(f"{server}/postgres", "CREATE DATABASE games")
        kill_meetings(f"{server}/games", 2, options.times, "shared", report)
        print("PostgreSQL, two workers:", report, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
