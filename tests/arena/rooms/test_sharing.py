"""Games of a room are visible to people with their link, until a player shares them."""

from pathlib import Path

import pytest

from noughts.arena.commands import LeaveSeat, Rematch, Resign, Share
from noughts.arena.repair.repair import repair
from noughts.arena.rooms.keys import key_of_game
from noughts.arena.stored_game import PRIVATE, Access
from noughts.errors import CommandRefused, NotFound
from tests.arena.rooms.tables import Table, table
from tests.databases import url_of


def played(here: Table, **terms: str) -> tuple[str, int]:
    """Return a room with one finished game, and the number of the game."""
    room = here.pair(here.setup(**terms))[0].room
    here.play(room, "1")
    return room, here.do(room, 1, Resign()).view.game_id or 0


def test_only_its_own_key_opens_a_game() -> None:
    with table() as here:
        room, game = played(here)
        other = here.play(here.pair()[0].room, "1").game_id or 0
        opens = here.rooms.opens
        assert opens(game, key_of_game(room, game))
        for number, key in ((game, room), (game, ""), (game, "\udcff"), (other, key_of_game(room, game))):
            assert not opens(number, key)
        assert not opens(99, key_of_game(room, 99))
        assert not opens(other, key_of_game(room, other))
        keys = {game: key_of_game(room, game), other: key_of_game(room, other), 99: "none"}
        assert here.rooms.opened(keys) == {game}
        assert here.rooms.opened({}) == set()


def test_player_shares_a_finished_game_for_good() -> None:
    with table() as here:
        room, game = played(here)
        assert not here.rooms.look(room).is_public
        assert list(here.database.newest_games(visible_by=())) == []
        for place in (1, 0, 0):
            assert here.do(room, place, Share()).view.is_public
        assert [one.id for one in here.database.newest_games(visible_by=())] == [game]
        assert here.database.load(game).access.is_public
        here.do(room, 0, Rematch())
        here.do(room, 1, Rematch())
        view = here.play(room, "1")
        assert not view.is_public
        for command in (Share(), Share(view.game_id)):
            with pytest.raises(CommandRefused, match="playing"):
                here.do(room, 0, command)
        assert here.do(room, 0, Share(game)).view.game_id == view.game_id
        assert not here.database.load(view.game_id or 0).access.is_public


def test_game_of_another_room_cannot_be_shared() -> None:
    with table() as here:
        other, (room, game) = played(here)[1], played(here)
        fresh = here.pair()[0].room
        with pytest.raises(CommandRefused, match="not begun"):
            here.do(fresh, 0, Share())
        for number in (other, 99):
            with pytest.raises(NotFound):
                here.do(room, 0, Share(number))
        assert not here.database.load(other).access.is_public
        here.do(room, 1, LeaveSeat())
        assert here.do(room, 0, Share()).view.is_public
        assert here.database.load(game).access.is_public


def test_games_of_a_public_room_are_public() -> None:
    with table() as here:
        room, game = played(here, visibility="public")
        assert here.rooms.look(room).is_public
        assert here.database.load(game).access.is_public


def test_old_game_is_opened_through_its_room() -> None:
    with table() as here:
        room, game = played(here)
        with here.database.writing() as connection:
            connection.change("UPDATE games SET link = NULL")
        assert here.database.load(game).access == PRIVATE
        assert here.rooms.opens(game, key_of_game(room, game))
        assert not here.rooms.opens(game, key_of_game("other", game))
        here.do(room, 0, Share())
        assert here.database.load(game).access == Access("public")


def test_repair_keeps_shared_games(tmp_path: Path) -> None:
    with table(url_of(tmp_path / "old.db")) as here:
        room, game = played(here)
        shared, number = played(here)
        here.do(shared, 0, Share())
    repair(tmp_path / "old.db", tmp_path / "new.db")
    with table(url_of(tmp_path / "new.db")) as again:
        assert again.rooms.opens(game, key_of_game(room, game))
        assert [one.id for one in again.database.newest_games(visible_by=())] == [number]
