"""Proved values of positions, combined with the results of searches."""

import io
from pathlib import Path

import pytest

from noughts import new_game
from noughts.certificates.index import write_index
from noughts.games.base import Game
from noughts.games.notation import parse_position, play_moves
from noughts.search.analysis import Analysis, Limit, MoveValue
from noughts.search.analyst import Analyst
from noughts.search.installed_proofs import VARIABLE, InstalledProofs
from tests.certificates.writing import certificate


def proofs(spec: str, worth: str, folder: Path) -> InstalledProofs:
    """Return the results of the certificate for *spec* alone."""
    assert write_index(io.BytesIO(certificate(spec, worth).encode()), folder).holds
    return InstalledProofs([folder])


def nothing_found(game: Game) -> Analysis:
    """Return the analysis of a search that ended at once."""
    moves = tuple(MoveValue(move, None, None) for move in game.legal_moves())
    return Analysis(None, None, moves[0].move, 0, (moves[0].move,), moves)


@pytest.mark.parametrize(
    ("spec", "worth", "text", "value", "best"),
    [
        ("4x3:3", "first", "OO../X..X/X... O", 1, (0, 2)),
        ("3x3:3", "draw", "XOX/XOO/O.X X", 0, (2, 1)),
    ],
)
def test_final_moves_decide_the_value(
    spec: str, worth: str, text: str, value: int, best: tuple[int, int], tmp_path: Path
) -> None:
    """The certificate has no entry for the position itself."""
    game = parse_position(new_game(spec), text)
    index = proofs(spec, worth, tmp_path)
    assert index.find(game) is None
    found = index.completed(game, nothing_found(game), None)
    assert (found.value, found.best) == (value, best)


def test_unproved_position_keeps_search_result(tmp_path: Path) -> None:
    index, game = proofs("4x3:3", "first", tmp_path), new_game("4x3:3")
    game.play((0, 0))
    found = nothing_found(game)
    assert index.find(game) is None
    assert index.completed(game, found, None) == found


def qubic(moves: str) -> Game:
    """Return Qubic, for which a proof is shipped, after these *moves*."""
    game = new_game("qubic")
    play_moves(game, moves.split())
    return game


@pytest.mark.parametrize(
    ("moves", "value", "best"),
    [
        ("", 1, "1"),
        ("39", -1, None),
        ("39 1 23", -1, None),
        ("39 1 23 2 27 5", 1, None),  # by a line of threats, which is in no index
        ("39 1 23 2 27 5 55", -1, None),
    ],
)
def test_shipped_qubic_proof_gives_values(moves: str, value: int, best: str | None) -> None:
    game = qubic(moves)
    found = Analyst().solve(game, Limit(nodes=64))
    assert found.value == value
    assert found.best is not None
    assert best is None or game.notation.format(found.best) == best


@pytest.mark.slow
def test_search_alone_uses_no_proof() -> None:
    analyst = Analyst()
    analyst.search_alone()
    assert analyst.solve(qubic(""), Limit(nodes=64)).value is None
    assert analyst.solve(new_game("connect4"), Limit(nodes=64)).value is None  # A book would have its value.


@pytest.mark.slow
def test_position_beyond_proof_is_unknown() -> None:
    found = Analyst().solve(qubic("2 26"), Limit(nodes=64))
    assert (found.value, found.cannot_lose) == (None, False)


@pytest.mark.slow
def test_proved_loss_values_all_moves() -> None:
    assert {known.value for known in Analyst().values(qubic("39 1 23"), Limit(nodes=64)).moves} == {-1}


def test_half_proved_draw_has_its_move(tmp_path: Path) -> None:
    index, game = proofs("3x3:3", "draw", tmp_path), new_game("3x3:3")
    assert index.has_index(game)
    assert index.winner(game) is None
    found = index.completed(game, nothing_found(game), index.find(game))
    assert (found.value, found.cannot_win, found.cannot_lose) == (None, True, False)
    for move in game.legal_moves():  # At least one of the moves has a stored reply.
        game.play(move)
        proved = index.find(game)
        if proved is not None:
            break
        game.undo()
    assert proved is not None
    assert proved.move is not None
    found = index.completed(game, nothing_found(game), proved)
    assert (found.value, found.cannot_lose, found.best) == (None, True, proved.move)
    assert not index.has_index(new_game("three"))


def test_strategy_stealing_completes_a_draw() -> None:
    """The certificate has a tree for the second side alone."""
    game = new_game("7x7:5")
    for ask in (Analyst().solve, Analyst().analyse):
        found = ask(game, Limit(nodes=0))
        assert (found.value, found.is_told, found.cannot_lose, found.cannot_win) == (0, True, False, False)
        assert found.best in game.legal_moves()
    # The answer of the tree draws. The position after it is searched.
    for move, value in (((3, 3), 0), ((2, 2), None)):
        game.play(move)
        assert Analyst().solve(game, Limit(nodes=0)).value == value
    game = new_game("7x7:5")
    game.play((0, 3))  # The tree has no reply to this move.
    assert Analyst().solve(game, Limit(nodes=0)).value is None


def test_search_continues_beyond_the_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    proofs("4x3:3", "first", tmp_path)
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    game = new_game("4x3:3")
    play_moves(game, ["6", "1"])
    assert Analyst().solve(game, Limit(nodes=0)).value is None
    assert Analyst().solve(game).value == 1
