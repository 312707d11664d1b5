"""What is proved of a position, together with what a search has found of it."""

import io
from pathlib import Path

import pytest

from noughts import new_game
from noughts.certificates.index import write_index
from noughts.games.base import Game
from noughts.games.notation import parse_position, play_moves
from noughts.search.analysis import Analysis, Limit, MoveValue
from noughts.search.analyst import Analyst
from noughts.search.proofs import VARIABLE, Proofs
from tests.certificates.writing import certificate


def proofs(spec: str, worth: str, folder: Path) -> Proofs:
    """Answers from the certificate for *spec* alone."""
    assert write_index(io.BytesIO(certificate(spec, worth).encode()), folder).holds
    return Proofs([folder])


def nothing_found(game: Game) -> Analysis:
    """What a search tells that ended at once."""
    moves = tuple(MoveValue(move, None, None) for move in game.legal_moves())
    return Analysis(None, None, moves[0].move, 0, (moves[0].move,), moves)


@pytest.mark.parametrize(
    ("spec", "worth", "text", "value", "best"),
    [
        ("4x3:3", "first", "OO../X..X/X... O", 1, (0, 2)),
        ("3x3:3", "draw", "XOX/XOO/O.X X", 0, (2, 1)),
    ],
)
def test_ends_of_the_game_value_the_moves_to_them(
    spec: str, worth: str, text: str, value: int, best: tuple[int, int], tmp_path: Path
) -> None:
    """Where the certificate says nothing of the position itself."""
    game = parse_position(new_game(spec), text)
    kept = proofs(spec, worth, tmp_path)
    assert kept.find(game) is None
    found = kept.completed(game, nothing_found(game), None)
    assert (found.value, found.best) == (value, best)


def test_where_nothing_is_proved_what_was_found_stays(tmp_path: Path) -> None:
    kept, game = proofs("4x3:3", "first", tmp_path), new_game("4x3:3")
    game.play((0, 0))
    found = nothing_found(game)
    assert kept.find(game) is None
    assert kept.completed(game, found, None) == found


def qubic(moves: str) -> Game:
    """Qubic, which a proof comes with, after these *moves*."""
    game = new_game("qubic")
    play_moves(game, moves.split())
    return game


@pytest.mark.parametrize(
    ("moves", "value", "best"),
    [
        ("", 1, "1"),
        ("39", -1, None),
        ("39 1 23", -1, None),
        ("39 1 23 2 27 5", 1, None),  # by a line of threats, which stands in no index
        ("39 1 23 2 27 5 55", -1, None),
    ],
)
def test_a_proof_comes_with_qubic(moves: str, value: int, best: str | None) -> None:
    game = qubic(moves)
    found = Analyst().solve(game, Limit(nodes=64))
    assert found.value == value
    assert found.best is not None
    assert best is None or game.notation.format(found.best) == best


def test_a_search_alone_is_told_nothing() -> None:
    analyst = Analyst()
    analyst.search_alone()
    assert analyst.solve(qubic(""), Limit(nodes=64)).value is None
    assert analyst.solve(new_game("connect4"), Limit(nodes=64)).value is None  # as a book would tell


@pytest.mark.slow
def test_beyond_the_proof_nothing_is_told() -> None:
    found = Analyst().solve(qubic("2 26"), Limit(nodes=64))
    assert (found.value, found.cannot_lose) == (None, False)


@pytest.mark.slow
def test_of_a_lost_position_every_move_loses() -> None:
    assert {known.value for known in Analyst().values(qubic("39 1 23"), Limit(nodes=64)).moves} == {-1}


def test_half_of_a_draw_is_told_with_the_move_that_keeps_it(tmp_path: Path) -> None:
    kept, game = proofs("3x3:3", "draw", tmp_path), new_game("3x3:3")
    assert kept.has_index(game)
    assert kept.winner(game) is None
    found = kept.completed(game, nothing_found(game), kept.find(game))
    assert (found.value, found.cannot_win, found.cannot_lose) == (None, True, False)
    for move in game.legal_moves():  # of which one at least is answered
        game.play(move)
        proved = kept.find(game)
        if proved is not None:
            break
        game.undo()
    assert proved is not None
    assert proved.move is not None
    found = kept.completed(game, nothing_found(game), proved)
    assert (found.value, found.cannot_lose, found.best) == (None, True, proved.move)
    assert not kept.has_index(new_game("three"))


def test_a_draw_by_strategy_stealing_is_told_of_the_start() -> None:
    """Whose certificate has a tree for the second side alone."""
    game = new_game("7x7:5")
    for ask in (Analyst().solve, Analyst().analyse):
        found = ask(game, Limit(nodes=0))
        assert (found.value, found.is_told, found.cannot_lose, found.cannot_win) == (0, True, False, False)
        assert found.best in game.legal_moves()
    for move, value in (
        ((3, 3), 0),
        ((2, 2), None),
    ):  # the answer of the tree draws; what follows is searched
        game.play(move)
        assert Analyst().solve(game, Limit(nodes=0)).value == value
    game = new_game("7x7:5")
    game.play((0, 3))  # which the tree answers by no move
    assert Analyst().solve(game, Limit(nodes=0)).value is None


def test_where_no_attack_is_looked_for_a_proof_is_searched_beyond(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proofs("4x3:3", "first", tmp_path)
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    game = new_game("4x3:3")
    play_moves(game, ["6", "1"])
    assert Analyst().solve(game, Limit(nodes=0)).value is None
    assert Analyst().solve(game).value == 1
