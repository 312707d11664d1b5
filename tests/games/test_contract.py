"""Tests of the contract for games of other packages: a fault is an error that names the package."""

import pickle
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from noughts import new_game
from noughts.arena.events import MatchEnd
from noughts.errors import BadInput, GameBroken, GameLeftOut, IllegalMove, NotationError, RulesError
from noughts.games import contract
from noughts.games.contract import check_move, check_position, fault, is_guarded, is_stop
from noughts.games.notation import parse_move
from tests.faulty_games import FAULTS, MOVES, install, method


class Stop(SystemExit):
    """The exception of a signal handler."""


def play_until_fault() -> GameBroken:
    """Return the fault that occurs when the game is played to its end."""
    game = new_game("faulty")
    check_position(game)
    for text in MOVES:
        try:
            game.play(check_move(game, parse_move(game, text)))
        except GameBroken as fault:
            assert 3 < game.ply < 9
            check_position(game)  # the position before the fault must be displayable
            return fault
    raise AssertionError("the game did not break")


@pytest.mark.parametrize("name", FAULTS)
def test_fault_names_its_package(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, FAULTS[name])
    fault = play_until_fault()
    assert (fault.name, fault.package) == ("faulty", "faulty-games")
    assert fault.words.isprintable()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["outcome-lines-none", "outcome-raises", "layout None", "format 5", "key [1]"]
)
def test_early_fault_excludes_game(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, FAULTS[name], late=3)
    with pytest.raises(GameLeftOut) as refused:
        new_game("faulty")
    assert refused.value.package == "faulty-games"
    assert new_game("square").ply == 0


def test_play_without_a_move_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "play = lambda self, move: late(self) or Square.play(self, move)")
    game = new_game("faulty")
    for text in MOVES[:8]:
        game.play(parse_move(game, text))
    with pytest.raises(GameBroken, match="play: 0 moves were made"):
        game.play(parse_move(game, MOVES[8]))


@pytest.mark.slow
def test_outcome_with_too_many_lines_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "tuple(Line(((0, 0),), (0, number)) for number in range(100_000))"
    install(tmp_path, monkeypatch, method("find_outcome", f"Outcome('X', {lines}, 'square')"))
    assert play_until_fault().words == "Outcome.lines: 100000 lines, more than 1000"


def test_two_moves_with_one_text_are_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, FAULTS["format '1'"], late=7)
    monkeypatch.setattr(contract, "MAX_READ", 0)
    assert play_until_fault().words == "Notation.format: '1' for two moves"


def test_board_that_cannot_be_drawn_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    game = new_game("square")
    monkeypatch.setattr("noughts.drawing.board_text.draw_text", lambda game: 1 / 0)
    with pytest.raises(GameBroken, match="drawing: ZeroDivisionError"):
        check_position(game)
    monkeypatch.setattr(
        "noughts.drawing.board_text.draw_text", lambda game: (_ for _ in ()).throw(fault(game, "here"))
    )
    with pytest.raises(GameBroken, match="here"):
        check_position(game)


@pytest.mark.parametrize(
    ("does", "stop"),
    [
        ("__import__('signal').raise_signal(2)", KeyboardInterrupt),
        ("__import__('signal').raise_signal(15)", Stop),
    ],
)
def test_interrupt_in_a_game_is_no_fault(
    does: str, stop: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leave(*_: object) -> None:
        raise Stop

    before = signal.signal(signal.SIGTERM, leave)
    try:
        install(tmp_path, monkeypatch, method("find_moves", does), late=3)
        with pytest.raises(stop):
            new_game("faulty")
    finally:
        signal.signal(signal.SIGTERM, before)


def test_ctrl_c_in_other_threads_is_a_fault() -> None:
    with ThreadPoolExecutor(1) as pool:
        assert not pool.submit(is_stop, KeyboardInterrupt()).result()


def test_random_play_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    says = (
        "def play(self, move):\n    self.times = getattr(self, 'times', 0) + 1\n    Square.play(self, move)\n"
        "extra = property(lambda self: str(getattr(self, 'times', 0) > 1) if self.ply else '')"
    )
    install(tmp_path, monkeypatch, says)
    with pytest.raises(GameLeftOut) as refused:
        new_game("faulty")
    assert refused.value.words == "play: another position each time"


def test_position_with_another_turn_may_be_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "with_turn = lambda self, side: None")
    assert new_game("faulty").with_turn("O") is None
    with pytest.raises(NotationError):
        parse_move(new_game("faulty"), "z9")


def test_sound_game_can_be_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    game = new_game("square")
    for text in ("1", "9", "2", "8", "4", "7", "5"):
        game.play(check_move(game, parse_move(game, text)))
    assert game.outcome is not None
    assert not game.outcome.is_by_lines
    assert game.winner == "X"
    assert is_guarded(game)
    assert is_guarded(game.copy())
    twin = pickle.loads(pickle.dumps(game))
    assert is_guarded(twin)
    assert (type(twin), twin.key()) == (type(game), game.key())


def test_wrong_move_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who sends bad input must not be able to end a game."""
    says = "def play(self, move):\n    move[0] + move[1]\n    Square.play(self, move)"
    install(tmp_path, monkeypatch, says)
    game = new_game("faulty")
    wrong: Any
    for wrong in ((9, 9), "a1", ("a", 1), None, (0,), [[]]):
        with pytest.raises(BadInput):
            check_move(game, wrong)
    check_move(game, (0, 0))


def test_accepted_illegal_move_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "find_moves = lambda self, state: Square.find_moves(self, state)[:2]")
    game = new_game("faulty")
    with pytest.raises(IllegalMove):
        check_move(game, (2, 2))
    monkeypatch.setattr(type(game).__mro__[1], "play", lambda self, move: None)
    with pytest.raises(GameBroken):
        check_move(game, (0, 0))


def test_unreadable_text_is_refused_after_any_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    says = (
        "class Own(CellNotation):\n"
        "    def parse(self, text, game, first=1):\n"
        "        return divmod(int(text) - 1, 3) if text else leave(SystemExit)\n"
        "notation = property(lambda self: self.Own(self.shape))"
    )
    install(tmp_path, monkeypatch, says)
    with pytest.raises(NotationError):
        parse_move(new_game("faulty"), "b2")
    with pytest.raises(NotationError):
        parse_move(new_game("faulty"), "")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        ("lambda chance, sides: 1 / 0", "make: ZeroDivisionError: division by zero"),
        ("lambda chance, sides: 5", "make gives int: no Game"),
        ("lambda chance, sides: leave(SystemExit)", "make: SystemExit"),
    ],
)
def test_failing_make_is_a_fault(
    make: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.faulty_games.MAKE", make)
    install(tmp_path, monkeypatch)
    with pytest.raises(GameLeftOut) as refused:
        new_game("faulty")
    assert refused.value.words == words


def test_unsupported_marks_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    with pytest.raises(RulesError):
        new_game("square", marks=("A", "B"))


def test_match_ends_are_reserved() -> None:
    assert tuple(MatchEnd) == contract.RESERVED
