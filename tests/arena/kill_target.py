"""The program that ``test_kill.py`` kills: it plays a series and prints its acknowledgements.

It imports once and then forks. On standard input, a line names a database, a seed, and the number of games to
play. On standard output come ``child PID``, ``kept GAME VERSION`` for each event after the store has
returned, and ``gone STATUS`` when the child has ended.
"""

import os
import sys
import traceback
from random import Random

from noughts.arena.commands import Command
from noughts.arena.events import Event
from noughts.arena.runner import PlayerSeat, run
from noughts.arena.series import Begins
from noughts.arena.setup import SeriesSetup, Setup
from noughts.arena.store.database import Database, open_database
from noughts.arena.store.store import resume_series
from noughts.arena.stored_game import StoredGame
from noughts.players.bots import RandomPlayer
from tests.stand_ins import open_series

SERIES = SeriesSetup("tictactoe", ("O'Neil", "井字棋 🙂"), Begins.ALTERNATE, 1)


def say(*words: object) -> None:
    """Write a line in one piece, past all buffers."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def play(url: str, seed: int, games: int) -> None:
    """Continue the series in the database, beginning with the interrupted game."""
    store = open_database(url)
    chance = Random(seed)
    number = _series(store)
    for stored in list(store.games(number)):
        if stored.result is None:
            _play_on(store, stored, chance)
    while len((series := resume_series(store, number)).results) < games:
        seats = series.next_seats()
        game = store.add_game(Setup(SERIES.game, seats, series=number, created=1))
        _play_on(store, store.load(game), chance)
    store.close()


def _series(store: Database) -> int:
    result = open_series(store)
    return store.add_series(SERIES) if result is None else result[0]


def _play_on(store: Database, stored: StoredGame, chance: Random) -> None:
    def apply(side: str, command: Command, at: int) -> list[Event]:
        events = match.apply(side, command, at)
        store.append(stored.id, events)
        for event in events:
            say("kept", stored.id, event.version)
        return events

    match = stored.replay()
    player = RandomPlayer(chance)
    run(match, {side: PlayerSeat(player) for side in match.game.sides}, apply=apply)


def main() -> None:
    """Fork a child for each line of standard input."""
    for line in sys.stdin:
        url, seed, games = line.split()
        child = os.fork()
        if child == 0:
            say("child", os.getpid())
            try:
                play(url, int(seed), int(games))
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        say("gone", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


if __name__ == "__main__":
    main()
