"""Immediate effects of moves: the line table compared with trying all moves."""

from collections.abc import Sequence

import pytest
from hypothesis import given

from noughts import new_game
from noughts.games.base import Game, Move, Outcome, Termination
from noughts.games.kinarow import KInARow
from noughts.games.notation import parse_position
from noughts.games.pure import PureGame
from noughts.search.explain import immediate
from noughts.search.explain.immediate import ImmediateTactics, MoveEffect, wins
from tests.search.test_general import Counting
from tests.strategies import games


def sorted_trials(game: Game) -> dict[object, MoveEffect]:
    return {
        move: MoveEffect(
            trial.outcome, tuple(sorted(trial.replies)), tuple(sorted(trial.threats)), trial.is_double
        )
        for move, trial in ImmediateTactics(game).try_all().items()
    }


@pytest.mark.slow
@given(games(max_cells=12, max_dimensions=3))
def test_line_table_matches_trying_all_moves(game: KInARow) -> None:
    before = (game.key(), game.moves)
    effects = sorted_trials(game)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(immediate, "handled_rules", lambda game, handled: None)
        assert effects == sorted_trials(game)
    assert (game.key(), game.moves) == before


@pytest.mark.parametrize("name", ["ultimate", "fifteen", "reversi"])
def test_other_games_have_no_open_lines(name: str) -> None:
    game = new_game(name)
    assert ImmediateTactics(game).open_lines(game.legal_moves()[0]) is None


class Gate(PureGame[tuple[int, ...]]):
    """A game in which X, after a move to 0, wins by a move to 1 or 2, which stay open.

    O prevents this by a move to 3, unless X has moved to 4.
    """

    NAME = "gate"
    SHAPE = (6,)
    __slots__ = ()

    def first_state(self) -> tuple[int, ...]:
        return ()

    def find_moves(self, state: tuple[int, ...]) -> list[Move]:
        return [(cell,) for cell in range(6) if cell in (1, 2) or cell not in state]

    def after(self, state: tuple[int, ...], move: Move) -> tuple[int, ...]:
        return (*state, move[0])

    def find_outcome(self, state: tuple[int, ...]) -> Outcome | None:
        is_shut = 3 in state[1::2] and 4 not in state[::2]
        if 0 in state[:-1:2] and len(state) % 2 and state[-1] in (1, 2) and not is_shut:
            return Outcome("X", (), Termination.COUNT)
        return Outcome(None, (), Termination.FULL) if len(state) == 6 else None

    def cells_of(self, state: tuple[int, ...]) -> tuple[str | None, ...]:
        return (None,) * 6

    def side_of(self, state: tuple[int, ...]) -> int:
        return len(state) % 2

    def read_state(self, cells: Sequence[str | None], side: str | None, extra: str | None) -> tuple[int, ...]:
        raise NotImplementedError


def test_one_reply_may_stop_two_threats() -> None:
    """Two threats are no double threat if one reply stops both."""
    game = Gate()
    tried = ImmediateTactics(game).try_all()
    assert tried[0,] == MoveEffect(threats=((1,), (2,)))
    assert tried[5,] == MoveEffect()
    game.play((4,))
    game.play((5,))
    assert ImmediateTactics(game).try_all()[0,] == MoveEffect(threats=((1,), (2,)), is_double=True)


def test_three_sides_have_no_threats() -> None:
    game = parse_position(new_game("5x5:3,players=3"), "XX.../OO.../Z..../Z..../..... X")
    assert all(not trial.threats for trial in ImmediateTactics(game).try_all().values())


def test_moves_beside_a_win_have_no_threats() -> None:
    game = parse_position(new_game("4x4:3"), "XX../OO../..../.... X")
    assert all(not trial.threats for trial in ImmediateTactics(game).try_all().values())


def test_occupied_cell_does_not_win() -> None:
    game = parse_position(new_game("tictactoe"), "XX./OO./... X")
    assert wins(game, (0, 2))
    assert not wins(game, (0, 0))
    assert not wins(game, (2, 2))
    assert game.moves == ()


def test_double_turn_move_has_no_replies() -> None:
    """With turns X, X, O, O, the next move need not be a reply, nor the one after it an own move."""
    game = Counting()
    while game.outcome is None:
        side = game.turn
        for move, trial in ImmediateTactics(game).try_all().items():
            after = game.copy()
            after.play(move)
            if after.outcome is not None or after.turn == side:
                assert (trial.replies, trial.threats) == ((), ())
                continue
            assert set(trial.replies) == {reply for reply in after.legal_moves() if wins(after, reply)}
            assert not trial.threats
        game.play((0, 0))


def test_moves_far_from_lines_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []
    usual = immediate._end_by

    def end_by(game: Game, move: Move) -> Outcome | None:
        tried.append(move)
        return usual(game, move)

    monkeypatch.setattr(immediate, "_end_by", end_by)
    game = new_game("19x19:5")
    assert set(ImmediateTactics(game).try_all()) == set(game.legal_moves())
    assert tried == []
    for cell in [(0, 0), (9, 0), (0, 1), (9, 1), (0, 2), (9, 3)]:
        game.play(cell)
    effects = ImmediateTactics(game).try_all()
    assert tried[:2] == [(0, 3), (0, 4)]
    assert {move for move, trial in effects.items() if trial.threats} == {(0, 3), (0, 4)}
