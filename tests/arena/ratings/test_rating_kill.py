"""A kill of the server at any instant counts no rated game twice and loses none."""

import multiprocessing
import os
import signal
import time
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

import pytest

from noughts.arena.clock import Clock
from noughts.arena.commands import Resign
from noughts.arena.ratings.rating_repository import RatingStore
from noughts.arena.seat_names import seat_name
from noughts.arena.table import Terms
from tests.arena.ratings.rated_games import ADA, WEI, add_identity, tables_of
from tests.arena.rooms.tables import table
from tests.databases import url_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="only POSIX systems fork"),
]

RATED = Terms("gomoku", ("human", "human"), clock=Clock(base=60_000), opening="pie", rated=True)


def play(url: str, seed: int, ended: Connection) -> None:
    """Play rated games until killed, and send the number of each that has ended."""
    chance = Random(seed)
    with table(url, seed=seed) as here:
        while True:
            room = here.open_full(RATED, (seat_name(ADA), seat_name(WEI)))[0].room
            here.play(room, "1", "2", "3")
            view = here.do(room, chance.randrange(2), Resign()).view
            ended.send(view.game_id)


@pytest.mark.parametrize("kills", [4, pytest.param(200, marks=pytest.mark.weekly)])
def test_kill_counts_each_game_once(tmp_path: Path, kills: int) -> None:
    url = url_of(tmp_path / "games.db")
    with table(url) as here:
        for number, name in ((ADA, "Ada"), (WEI, "Wei")):
            add_identity(here.database, number, name)
    chance, fork = Random("kills"), multiprocessing.get_context("fork")
    ended: set[int] = set()
    for seed in range(1, kills + 1):
        ours, theirs = fork.Pipe(duplex=False)
        child = fork.Process(target=play, args=(url, seed, theirs))
        child.start()
        theirs.close()
        ended.add(ours.recv())  # the first game has ended
        time.sleep(chance.random() / 20)
        assert child.pid is not None
        os.kill(child.pid, signal.SIGKILL)
        child.join()
        with closing(ours):
            while ours.poll():
                try:
                    ended.add(ours.recv())
                except EOFError:
                    break
    with table(url) as here, here.database.reading() as connection:
        rated = connection.column("SELECT game_id FROM rated_games")
        stored = connection.column("SELECT game_id FROM events WHERE kind = 'end'")
        assert len(rated) == len(set(rated))
        assert set(rated) == set(stored) >= ended
        before = tables_of(here.database)
        RatingStore(here.database).rebuild()
        assert tables_of(here.database) == before
