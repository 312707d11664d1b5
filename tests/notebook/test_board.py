"""Tests of the notebook board: display, moves, opponents, and refusals."""

import importlib
import inspect
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import noughts.notebook
from noughts import Game, Player, new_game
from noughts.arena.commands import Resign
from noughts.arena.runner import PlayerSeat
from noughts.drawing.svg import draw_svg
from noughts.drawing.view import view_of
from noughts.errors import ExtraMissing, GameOver, NotFound, OccupiedCell, UnsupportedRules
from noughts.games.catalogue import CATALOGUE
from noughts.games.notation import parse_move
from noughts.notebook import Board, board
from noughts.search.analysis import Limit
from tests.interfaces.harness import EN, SAY


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_LANG", "en")
    monkeypatch.setattr(board, "VALUE_LIMIT", Limit(nodes=2_000))


def hear(shown: Board, **content: Any) -> None:
    shown._handle_custom_msg(content, [])


def interrupted(*_: Any) -> Any:
    raise KeyboardInterrupt


class Faulty(Player):
    """A player that returns no legal move."""

    def choose(self, game: Game, limit: Limit) -> Any:
        return "nonsense"


class First(Player):
    def choose(self, game: Game, limit: Limit) -> Any:
        return game.legal_moves()[0]


def test_widget_is_played_by_click() -> None:
    shown = Board("tictactoe", opponent=First())
    assert shown.status == EN("is-to-move", player="X")
    hear(shown, do="play", text="5")
    assert shown.game.moves == ((1, 1), (0, 0))
    assert sorted(shown.moves) == ["1", "2", "3", "5", "6", "7", "8"]
    assert shown.moves["1"] == ["2"]
    assert (shown.names["0"], shown.names["4"], shown.names["5"]) == ("a3 O", "b2 X", "c2")
    assert shown.svg == draw_svg(shown.game, title="Tic-tac-toe", view=view_of(shown.game, labels=False))
    assert not shown.is_busy


def test_refused_click_changes_only_status() -> None:
    shown = Board(opponent=First())
    shown.play("b2")
    hear(shown, do="play", text="5")
    assert shown.status == EN.error(_error(shown.game, "5"))
    hear(shown, do="play", text="nothing")
    assert "nothing" in shown.status
    hear(shown, do="dance")
    hear(shown, do="play", text=7)
    assert shown.game.ply == 2
    with pytest.raises(OccupiedCell):
        shown.play("5")


def _error(game: Game, text: str) -> Exception:
    with pytest.raises(OccupiedCell) as caught:
        game.copy().play(parse_move(game, text))
    return caught.value


def test_widget_shows_the_end() -> None:
    shown = Board(new_game("3x1:1"))
    shown.play("1")
    assert shown.status == EN.joined([EN("game-over"), EN("wins", winner="X")])
    assert shown.moves == {}
    drawn = Board("2x1:2")
    drawn.play("1")
    drawn.play("2")
    assert drawn.status == EN.joined([EN("game-over"), EN("nobody-wins")])


def test_widget_takes_back_and_restarts() -> None:
    shown = Board(opponent=First(), side="O")
    assert (shown.game.ply, shown.game.turn) == (1, "O")
    hear(shown, do="undo")
    assert shown.game.ply == 1
    shown.play("b2")
    assert shown.game.ply == 3
    hear(shown, do="undo")
    assert shown.game.ply == 1
    shown.play("b2")
    hear(shown, do="again")
    assert shown.game.moves == ((0, 0),)
    alone = Board()
    alone.play("1")
    alone.take_back()
    assert (alone.game.ply, alone.moves["0"]) == (0, ["1"])


def test_opponent_fault_forfeits_and_can_be_undone() -> None:
    shown = Board(opponent=Faulty())
    shown.play("5")
    assert shown.status == EN("forfeit-illegal-move", loser="O", detail="'nonsense'")
    assert shown.moves == {}
    assert shown.game.ply == 1
    shown.take_back()
    assert (shown.game.ply, shown.status) == (0, EN("is-to-move", player="X"))


def test_opponent_may_resign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PlayerSeat, "decide_in", lambda *_: Resign())
    shown = Board(opponent="random")
    shown.play("1")
    assert shown.status == EN("end-resignation", loser="O")


def test_widget_shows_values() -> None:
    shown = Board("tictactoe")
    bare = shown.svg
    for text in ("1", "2"):
        shown.play(text)
    plain = shown.svg
    shown.values = True
    assert ">+3<" in shown.svg
    assert shown.status == EN.plural("worth-win", 3, side="X")
    assert ">+3<" not in plain
    shown.start_again()
    shown.values = False
    assert shown.svg == bare
    for text in ("1", "4", "2", "5", "3"):
        shown.play(text)
    shown.values = True
    assert ">+" not in shown.svg


def test_widget_reports_missing_values() -> None:
    shown = Board("three", values=True)
    assert EN("no-value-not-two-sides") in shown.status
    assert len(shown.moves) == 25


@pytest.mark.parametrize("name", [entry.name for entry in CATALOGUE])
def test_every_game_is_played_by_cells(name: str) -> None:
    """For moves of several parts, a cell offers several texts."""
    shown = Board(name)
    game = shown.game
    assert len(shown.places) == len(game.cells) == len(shown.names)
    assert all(0 < part < 1 for box in shown.places.values() for part in box)
    offered = {text for texts in shown.moves.values() for text in texts}
    assert {parse_move(game, text) for text in offered} == set(game.legal_moves())
    if not game.layout.has_columns:
        assert sum(map(len, shown.moves.values())) == len(game.legal_moves())
    cell = max(shown.moves, key=int)
    hear(shown, do="play", text=shown.moves[cell][0])
    assert game.ply == 1


def test_any_cell_selects_its_column() -> None:
    shown = Board("connect4")
    assert {cell for cell, texts in shown.moves.items() if texts == ["4"]} == {
        str(3 + 7 * row) for row in range(6)
    }
    fallen = Board("score4")
    assert {cell for cell, texts in fallen.moves.items() if texts == ["7"]} == {"6", "22", "38", "54"}


def test_pass_has_its_own_button() -> None:
    game = new_game("reversi")
    chance = iter(range(10**6))
    while not any(move == () for move in map(tuple, game.legal_moves())):
        if game.is_over:
            game = new_game("reversi")
        moves = game.legal_moves()
        game.play(moves[(next(chance) * 7919) % len(moves)])
    shown = Board(game)
    assert shown.moves == {"": ["pass"]}


@pytest.mark.slow
def test_widget_lists_legal_cells() -> None:
    assert Board("tictactoe").may == []
    assert sorted(Board("reversi").may) == ["19", "26", "37", "44"]
    assert Board("reversi", values=True).may == []
    shown = Board("3x1:1,gravity")
    shown.play("1")
    assert shown.may == []


def test_widget_supports_language_and_dark_mode() -> None:
    shown = Board(lang="ru", dark=True)
    say = SAY["ru"]
    assert shown.status == say("is-to-move", player="X") != EN("is-to-move", player="X")
    assert shown.words["undo"] == say("web-take-back")
    assert "#13161d" in shown.svg


def test_bad_widget_arguments_raise() -> None:
    with pytest.raises(NotFound):
        Board(opponent="level:77")
    with pytest.raises(UnsupportedRules):
        Board("fifteen", opponent="perfect")
    with pytest.raises(ValueError, match="no side 'Q'; there are X, O"):
        Board(side="Q")
    with pytest.raises(TypeError, match="no Game"):
        Board(7)  # type: ignore[arg-type]
    for other in (5, Faulty):
        with pytest.raises(TypeError, match="no Player; new_player makes one of a name"):
            Board(opponent=other)  # type: ignore[arg-type]


def test_interrupted_opponent_can_play_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page accepts nothing while an opponent thinks, so the board must not remain busy."""
    shown = Board(opponent="rule", seed=1)
    with monkeypatch.context() as patch:
        patch.setattr(PlayerSeat, "decide_in", interrupted)
        with pytest.raises(KeyboardInterrupt):
            shown.play("5")
    assert (shown.game.ply, shown.is_busy) == (1, False)
    hear(shown, do="undo")
    hear(shown, do="play", text="5")
    assert (shown.game.ply, shown.is_busy, len(shown.moves)) == (2, False, 7)


def test_widget_seed_repeats_the_game() -> None:
    def moves() -> tuple[Any, ...]:
        shown = Board("5x5:4", opponent="random", seed=5)
        for _ in range(3):
            shown.play(next(iter(shown.moves.values()))[0])
        return shown.game.moves

    assert moves() == moves()


def test_missing_anywidget_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(
        ExtraMissing, match=r'noughts.notebook needs the extra study: pip install "\.\[study\]" in a clone'
    ):
        importlib.reload(noughts.notebook)


def test_no_move_after_a_forfeit() -> None:
    shown = Board("tictactoe", opponent=Faulty())
    shown.play("5")
    with pytest.raises(GameOver):
        shown.play("1")
    assert shown.game.ply == 1
    hear(shown, do="play", text="1")
    assert shown.game.ply == 1


def test_opponent_answers_outside_moves() -> None:
    shown = Board("tictactoe", opponent=First())
    shown.game.play((1, 1))
    shown.show()
    assert shown.game.ply == 2
    shown.game.play((0, 1))
    shown.play("9")
    assert shown.game.moves == ((1, 1), (0, 0), (0, 1), (0, 2), (2, 2), (1, 0))


def test_reference_has_widget_signature() -> None:
    """Widgets hide the signature from Sphinx, so the document repeats it."""
    text = (Path(__file__).parents[2] / "docs" / "reference.md").read_text("utf-8")
    written = re.search(r"noughts\.notebook\.BoardWidget(\(.+\))", text)
    _, *known = inspect.signature(Board.__init__).parameters.values()
    bare = inspect.Signature([one.replace(annotation=inspect.Parameter.empty) for one in known])
    assert written
    assert written[1].replace('"', "'") == str(bare)
