"""Tournaments in PostgreSQL that two programs run at once."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from noughts.arena.store import postgres as postgres_store
from noughts.arena.store.database import open_database
from noughts.arena.tournament.broadcast import RunningGames
from tests.arena.tournament.stand_ins import ROUND, begin, find_again, play_missing
from tests.postgres import postgres, postgres_url  # noqa: F401 - fixtures

pytestmark = pytest.mark.slow


def test_two_programs_count_each_game_once(postgres_url: str) -> None:  # noqa: F811
    with closing(open_database(postgres_url)) as one, closing(open_database(postgres_url)) as two:
        held = [begin(ROUND, one), begin(ROUND, two)]
        with ThreadPoolExecutor(2) as executor:
            saved = [*executor.map(play_missing, held)]
        assert sorted({*saved[0], *saved[1]}) == list(range(1, ROUND.count + 1))
        assert len(list(one.games())) == ROUND.count
        assert held[0].tally.table() == held[1].tally.table() == find_again(ROUND, one).tally.table()
        assert list(one.newest_games()) == []
        running = RunningGames(one, held[0].number)
        running.write([(1, 1, None)], 5)
        running.write([(1, 1, "told"), (2, 1, None)], 5)
        assert [game.log for game in running.read(5)] == ["told", None]
        running.delete()
        assert running.read(5) == []


def test_claimed_tournament_is_refused_elsewhere(
    postgres_url: str,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(postgres_store, "CLAIM_MS", 1)
    with closing(open_database(postgres_url)) as one, closing(open_database(postgres_url)) as two:
        first, second = begin(ROUND, one), begin(ROUND, two)
        with first.claimed() as is_ours, second.claimed() as is_mine, two.claim("another") as is_other:
            assert (is_ours, is_mine, is_other) == (True, False, True)
        monkeypatch.undo()  # a server may notice late that a connection has ended
        with second.claimed() as is_ours:
            assert is_ours
