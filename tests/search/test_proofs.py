"""What is proved of a position, together with what a search has found of it."""

import io
from pathlib import Path

import pytest

from noughts import new_game
from noughts.certificates.index import write_index
from noughts.games.base import Game
from noughts.games.notation import parse_position
from noughts.search.analysis import Analysis, MoveValue
from noughts.search.proofs import Proofs
from tests.certificates.writing import certificate


def proofs(spec: str, worth: str, folder: Path) -> Proofs:
    """Answers from the certificate for *spec* alone."""
    assert write_index(io.BytesIO(certificate(spec, worth).encode()), folder).holds
    return Proofs(folder)


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
