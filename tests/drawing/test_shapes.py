"""Winning cells that form no straight line are highlighted one by one."""

from pathlib import Path

import pytest

from noughts import draw_svg, draw_text, new_game
from noughts.drawing.view import view_of
from noughts.games.notation import play_moves
from tests.faulty_games import install


def test_square_is_highlighted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    game = new_game("square")
    play_moves(game, ["1", "9", "2", "8", "4", "7", "5"])
    view = view_of(game)
    assert view.lines == ((0,), (1,), (3,), (4,))
    assert view.winning == {0, 1, 3, 4}
    assert "".join(draw_text(game)).count("*") == 3 * 4 + 2
    assert draw_svg(game).count("<path") > draw_svg(new_game("square")).count("<path") + 7
