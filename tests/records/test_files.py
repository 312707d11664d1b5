"""Records as files: written in the form that the name ends with, and read again."""

from pathlib import Path

import pytest

from noughts import Record, TicTacToe, new_game
from noughts.errors import NotationError, UnsupportedRules
from noughts.games.notation import play_moves

NAMES = {"X": "Ада", "O": "小明"}


@pytest.mark.parametrize("ending", [".json", ".sgf", ".SGF"])
def test_a_record_comes_back_from_a_file(tmp_path: Path, ending: str) -> None:
    game = TicTacToe()
    play_moves(game, ["5", "1", "9"])
    path = tmp_path / f"game{ending}"
    Record.of(game, NAMES).save(path)
    assert Record.load(path) == Record.of(game, NAMES)
    assert Record.load(str(path)).replay().moves == game.moves
    assert path.read_text("utf-8").startswith("(;" if ending != ".json" else "{")


def test_a_mark_at_the_beginning_of_a_file_is_no_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    Record.of(TicTacToe()).save(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert Record.load(path) == Record.of(TicTacToe())


def test_a_form_that_nobody_knows(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    for act in (Record.of(TicTacToe()).save, Record.load):
        with pytest.raises(NotationError) as refused:
            act(path)
        assert refused.value.reason == "unknown-form"
        assert refused.value.data == {"allowed": (".json", ".sgf")}
    assert not path.exists()


def test_what_sgf_cannot_say_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    with pytest.raises(UnsupportedRules):
        Record.of(new_game("qubic")).save(path)
    assert not path.exists()


def test_what_is_no_record(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    with pytest.raises(FileNotFoundError):
        Record.load(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(NotationError):
        Record.load(path)
