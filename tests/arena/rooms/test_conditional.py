"""Conditional moves: prepared lines, the moves that follow them, and the lines that end."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.arena.clock import DAY, Clock
from noughts.arena.commands import Accept, Prepare, Rematch, Resign, TakeBack, WrittenMove
from noughts.arena.rooms.conditional import MAX_ANSWERS, MAX_LINES, followed
from noughts.arena.rooms.models import RoomView
from noughts.errors import BadInput, CommandRefused, OccupiedCell
from noughts.games.catalogue import new_game
from noughts.games.notation import parse_move
from tests.arena.rooms.tables import Table, table
from tests.postgres import postgres, postgres_url

__all__ = ["postgres", "postgres_url"]

BY_DAYS = Clock(per_move=3 * DAY)


@pytest.fixture
def here() -> Iterator[Table]:
    with table() as made:
        yield made


def _pair(here: Table, game: str = "tictactoe", **more: Any) -> str:
    return here.pair(here.setup(game, **{"clock": BY_DAYS, **more}))[0].room


def _moves(view: RoomView) -> list[str]:
    game = new_game(view.setup.game)
    texts = []
    for move in view.match.game.moves:
        texts.append(next(text for text in map(str, range(1, 226)) if parse_move(game, text) == move))
        game.play(move)
    return texts


def _prepare(here: Table, room: str, place: int, *lines: str) -> RoomView:
    return here.do(room, place, Prepare(tuple(tuple(line.split()) for line in lines))).view


def test_expected_moves_are_answered_at_once(here: Table) -> None:
    room = _pair(here)
    here.play(room, "1")
    view = _prepare(here, room, 0, "5 9 3 7", "2 5")
    assert (dict(view.lines), _moves(view)) == ({0: (("5", "9", "3", "7"), ("2", "5"))}, ["1"])
    here.time.pass_by(DAY)
    view = here.play(room, "5")
    assert (_moves(view), view.lines) == (["1", "5", "9"], {0: (("3", "7"),)})
    assert view.match.time_left("O", view.instant(here.time.at)) == 3 * DAY
    view = here.play(room, "3")
    assert (_moves(view), view.lines, view.turn) == (["1", "5", "9", "3", "7"], {}, 1)


def test_other_move_removes_the_lines(here: Table) -> None:
    room = _pair(here)
    here.play(room, "1")
    _prepare(here, room, 0, "5 9")
    view = here.play(room, "2")
    assert (_moves(view), view.lines) == (["1", "2"], {})


def test_lines_of_both_players_follow_each_other(here: Table) -> None:
    room = _pair(here, "4x4")
    here.play(room, "1")
    _prepare(here, room, 0, "2 3 4 5")
    here.play(room, "2")
    _prepare(here, room, 0, "4 5 6 7")
    view = here.rooms.look(room)
    assert view.turn == 1
    here.play(room, "4")
    assert _moves(here.rooms.look(room)) == ["1", "2", "3", "4", "5"]


def test_longer_line_replaces_its_beginning(here: Table) -> None:
    room = _pair(here)
    here.play(room, "1")
    view = _prepare(here, room, 0, "5 9", "5 9 3 7", "2 5", "5 9 2 3")
    assert dict(view.lines) == {0: (("5", "9", "3", "7"), ("2", "5"), ("5", "9", "2", "3"))}


def test_game_can_end_by_a_prepared_move(here: Table) -> None:
    room = _pair(here)
    here.play(room, "1", "4", "2")
    view = _prepare(here, room, 0, "7 3")
    view = here.play(room, "7")
    assert (view.results[0].winner, view.lines) == ("X", {})


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["2 3"] * (MAX_LINES + 1), "too-many-lines"),
        (["2"], "line-without-answer"),
        (["2 3 4"], "line-without-answer"),
        ([""], "line-without-answer"),
        (["2 3", "2 4"], "two-answers"),
        (["2 3 4 5", "2 3 4 6"], "two-answers"),
        ([" ".join(map(str, range(2, 14)))], "line-too-long"),
        ([" ".join(map(str, range(2, 24)))], "line-too-long"),
    ],
)
def test_unusable_lines_are_refused(here: Table, lines: list[str], reason: str) -> None:
    room = _pair(here, "gomoku")
    here.play(room, "1")
    with pytest.raises(CommandRefused) as refused:
        _prepare(here, room, 0, *lines)
    assert refused.value.reason == reason
    assert here.rooms.look(room).lines == {}


def test_lines_are_checked_by_the_rules(here: Table) -> None:
    room = _pair(here)
    here.play(room, "1")
    for line in ("1 2", "2 2", "2 3 4 3"):
        with pytest.raises(OccupiedCell):
            _prepare(here, room, 0, line)
    with pytest.raises(BadInput):
        _prepare(here, room, 0, "2 z9")
    longest = " ".join(map(str, range(2, 2 + 2 * MAX_ANSWERS)))
    room = _pair(here, "gomoku")
    here.play(room, "1")
    assert len(_prepare(here, room, 0, longest).lines[0][0]) == 2 * MAX_ANSWERS


def test_lines_wait_for_the_opponents_turn(here: Table) -> None:
    room = _pair(here)
    with pytest.raises(CommandRefused) as refused:
        _prepare(here, room, 0, "1 2")
    assert refused.value.reason == "lines-not-now"
    live = here.pair(here.setup(clock=Clock(base=60_000)))[0].room
    here.play(live, "1")
    with pytest.raises(CommandRefused) as refused:
        _prepare(here, live, 0, "2 3")
    assert refused.value.reason == "not-by-days"
    here.do(room, 0, Resign())
    with pytest.raises(CommandRefused) as refused:
        _prepare(here, room, 0, "1 2")
    assert refused.value.reason == "not-begun"


def test_preparing_keeps_the_opponents_move_valid(here: Table) -> None:
    room = _pair(here)
    version = here.play(room, "1").version
    _prepare(here, room, 0, "2 3")
    view = here.do(room, 1, WrittenMove("2"), version=version).view
    assert _moves(view) == ["1", "2", "3"]


def test_takeback_and_next_game_remove_lines(here: Table) -> None:
    room = _pair(here)
    here.play(room, "1", "2", "3")
    _prepare(here, room, 0, "4 5")
    here.do(room, 0, TakeBack(1))
    view = here.do(room, 1, Accept()).view
    assert view.lines == {}
    here.play(room, "3")
    _prepare(here, room, 0, "4 5")
    assert here.do(room, 1, Resign()).view.lines == {}
    for place in (0, 1):
        here.do(room, place, Rematch())
    assert here.rooms.look(room).lines == {}


def test_lines_survive_a_restart(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'days.db'}"
    with table(url) as here:
        room = _pair(here)
        here.play(room, "1")
        _prepare(here, room, 0, "5 9 3 7")
        at = here.time.at
    with table(url, seed=1) as here:
        here.time.at = at + DAY
        assert here.rooms.look(room).lines == {0: (("5", "9", "3", "7"),)}
        assert _moves(here.play(room, "5", "3")) == ["1", "5", "9", "3", "7"]


def test_other_worker_plays_a_prepared_move(postgres_url: str) -> None:
    with table(postgres_url) as one, table(postgres_url, seed=1, time=one.time) as two:
        room = _pair(one)
        one.play(room, "1")
        _prepare(one, room, 0, "5 9")
        assert _moves(two.play(room, "5")) == ["1", "5", "9"]
        assert _moves(one.rooms.look(room)) == ["1", "5", "9"]


@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_prepared_games_are_legal_games(data: st.DataObject) -> None:
    """The game is always the one of its moves, and the player to move has no lines."""
    with table() as here:
        room = _pair(here, "4x4")
        for _ in range(8):
            view = here.rooms.look(room)
            if view.turn is None:
                break
            free = [str(cell + 1) for cell, mark in enumerate(view.match.game.cells) if mark is None]
            if len(free) >= 3:
                line = data.draw(st.permutations(free))[:2]
                try:
                    here.do(room, 1 - view.turn, Prepare((tuple(line),)))
                except BadInput:
                    assert not here.rooms.look(room).lines.get(view.turn)
            here.play(room, data.draw(st.sampled_from(free)))
            view = here.rooms.look(room)
            again = new_game("4x4")
            for move in view.match.game.moves:
                again.play(move)
            assert again.cells == view.match.game.cells
            if view.turn is not None:
                assert not view.lines.get(view.turn)


def test_followed_keeps_the_rest_of_fitting_lines() -> None:
    assert followed([("1", "2")], "3") == ()
    assert followed([("1",), ("1", "2")], "1") == (("2",),)
