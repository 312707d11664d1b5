"""What goes over the wire: the bytes that a key costs in a real terminal, in true colour.

Of some keys of a kind the median counts: what was still to be painted may come with the first.
"""

import statistics

import pytest

from noughts.interfaces.presenting.titles import title_of
from tests.interfaces.harness import DONE, EN, SAY, Program
from tests.interfaces.tui.test_terminal_capture import PLAY, Captured

pytestmark = pytest.mark.slow

RIGHT, LEFT = "\x1b[C", "\x1b[D"
GOMOKU = ("play", "gomoku", *PLAY[2:])
GOMOKU_MOVES = ("\r", *[f"{RIGHT}\r"] * 2)
WHOLE_PAINT = "\x1b[1;1H"
"""Where the painting of a whole window begins."""
AFTER_PAINT = "\x1b[0m"
"""Where a painting ends."""
FIRST_PAGE = {(100, 30): 20_000, (160, 50): 50_000, (240, 70): 100_000}
"""So many bytes are written at most for the first page in windows of these sizes."""
ARROW, MOVE, BEGIN, THOUGHT = 1_000, 4_000, 20_000, 100
"""So many bytes are written at most for an arrow key, for a move with its words, for a game to begin in the
gallery, and each time when it is told what a computer thinks: at most twice a second."""


def bytes_of(captured: Captured, keys: str) -> int:
    """How much is written once *keys* were typed."""
    captured.wait_until_calm()
    before = len(captured.raw)
    captured.type(keys)
    captured.wait_until_calm()
    return len(captured.raw) - before


def in_colour(program: Program) -> Program:
    return program.under(TERM="xterm-256color", COLORTERM="truecolor")


def assert_first_page_is_cheap(captured: Captured, first: str, size: tuple[int, int]) -> None:
    """What is written until *first* stands in a window of *size* is no more than two whole paintings."""
    captured.wait_for(first)
    captured.wait_until_calm()
    assert captured.text.count(WHOLE_PAINT) <= 2
    assert len(captured.raw) <= FIRST_PAGE[size]


def test_the_gallery_in_a_large_window(program: Program) -> None:
    with Captured.opened(in_colour(program), size=(160, 50)) as captured:
        assert_first_page_is_cheap(captured, "F1", (160, 50))


def test_the_gallery_and_an_arrow_key_in_it(program: Program) -> None:
    with Captured.opened(in_colour(program), size=(100, 30)) as captured:
        assert_first_page_is_cheap(captured, "F1", (100, 30))
        counts = [bytes_of(captured, key) for key in (RIGHT, RIGHT, LEFT, RIGHT, RIGHT, RIGHT)]
        assert 0 < max(counts) <= ARROW
        captured.type("q")
        assert captured.finish() == DONE


def assert_cheap(captured: Captured, moves: tuple[str, ...]) -> None:
    """The game of two people that is open costs little, whatever screens lie below it."""
    assert 0 < statistics.median(bytes_of(captured, key) for key in (RIGHT, LEFT, RIGHT)) <= ARROW
    assert 0 < statistics.median(bytes_of(captured, keys) for keys in moves) <= MOVE


@pytest.mark.parametrize(
    ("arguments", "moves", "size"),
    [(PLAY, tuple("519"), (100, 30)), (GOMOKU, GOMOKU_MOVES, (160, 50))],
)
def test_the_first_page_of_a_game_a_cursor_and_a_move(
    program: Program, arguments: tuple[str, ...], moves: tuple[str, ...], size: tuple[int, int]
) -> None:
    with Captured.opened(in_colour(program), *arguments, size=size) as captured:
        assert_first_page_is_cheap(captured, EN("is-to-move", player="Ada"), size)
        assert_cheap(captured, moves)


def test_a_game_begun_in_the_gallery(program: Program) -> None:
    with Captured.opened(in_colour(program), size=(100, 30)) as captured:
        captured.wait_for(title_of(SAY["en"], "tictactoe"))
        captured.type("\t\x1b[C\t")  # two people
        assert 0 < bytes_of(captured, "\r") <= BEGIN
        captured.wait_for(EN("is-to-move", player="Player 1"))
        assert_cheap(captured, tuple("519"))


def test_a_step_of_a_review(program: Program) -> None:
    with Captured.opened(in_colour(program), *PLAY, size=(100, 30)) as captured:
        captured.wait_for(EN("is-to-move", player="Ada"))
        captured.type("14253")
        captured.wait_for(EN("key-review"))
        captured.type("v")
        captured.wait_for(EN("review-heading"))
        counts = [bytes_of(captured, key) for key in (LEFT, LEFT, RIGHT, LEFT, LEFT)]
        assert 0 < statistics.median(counts) <= MOVE


@pytest.mark.parametrize("size", [(160, 50)])
def test_what_a_computer_thinks(program: Program, size: tuple[int, int]) -> None:
    arguments = ("play", "gomoku", "--x", "human", "--o", "level:10")
    with Captured.opened(in_colour(program), *arguments, size=size) as captured:
        captured.wait_for(EN("key-hint"))
        captured.wait_until_calm()
        before = len(captured.text)
        captured.type("\r")
        paintings: list[str] = []
        expects = EN("thinking-expects", moves="")  # on a busy machine later than in the first ones
        while len(paintings) < 5 or expects not in "".join(paintings[1:-1]):
            assert captured.read()
            paintings = captured.text[before:].split(AFTER_PAINT)
        _, *thoughts, _ = paintings  # the move came first, and the last may go on
        assert any(EN("is-thinking", player="") in painting for painting in paintings)
        assert "0:0" in "".join(thoughts)
        assert all(len(thought.encode()) <= THOUGHT for thought in thoughts), thoughts
