"""The state of a game without a screen: viewed positions, trials, cursor and actions."""

from itertools import pairwise

import pytest

from noughts.arena.clock import Clock
from noughts.arena.commands import Accept, MakeMove, OfferDraw
from noughts.arena.local_table import LocalTable
from noughts.arena.series import Series
from noughts.core.board import index_of
from noughts.errors import CommandRefused, OccupiedCell
from noughts.games.catalogue import CATALOGUE, new_game
from noughts.games.moves import Move
from noughts.interfaces.presenting.move_builder import next_parts
from noughts.interfaces.tui.game.move_input import read_cell, refusal_of
from noughts.interfaces.tui.game.session import GameSession
from tests.interfaces.tui.table import NAMES, WIN, facts_of
from tests.stand_ins import MemoryStore


def table(game: str = "tictactoe", *who: str, clock: Clock | None = None, first: int = 1) -> GameSession:
    """Return a session of a new game; its time is always 0."""
    sides = new_game(game).sides
    seated = [*who, *["human"] * len(sides)][: len(sides)]
    series = Series(NAMES[: len(sides)], marks=sides)
    players = dict(zip(series.players, seated, strict=True))
    sitting = LocalTable(MemoryStore(), game, series, players, clock=clock or Clock())
    playing = GameSession(sitting, lambda: 0, first)
    playing.begin()
    return playing


def move_at(playing: GameSession, index: int) -> Move:
    """Return the move at the cell under the cursor, the first if there are several."""
    cell = playing.cell_pointed_at(index)
    assert cell is not None
    return next_parts(playing.latest.legal_moves(), (cell,)).moves[0]


def play(playing: GameSession, cells: str) -> None:
    for digit in cells:
        playing.play_move(move_at(playing, read_cell(playing.latest, digit, playing.first)))


def test_cursor_reaches_every_cell_of_qubic() -> None:
    playing, reached = table("qubic"), set[int]()

    def walk(direction: str, steps: int) -> None:
        for _ in range(steps):
            playing.move_cursor(direction)

    walk("previous-plane", 2)
    walk("up", 4)
    walk("left", 16)
    for _ in range(4):
        for row in range(4):
            for column in range(4):
                reached.add(playing.cursor)
                walk("right", int(column < 3))
            walk("left", 3)
            walk("down" if row < 3 else "up", 1 if row < 3 else 3)
        walk("next-plane", 1)
    assert reached == set(range(64))


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_cursor_starts_on_the_board_and_wraps(entry: object) -> None:
    playing = table(entry.name)  # type: ignore[attr-defined]
    size = len(playing.latest.cells)
    for direction in ("left", "right", "up", "down", "next-plane", "previous-plane"):
        reached = [playing.cursor]
        for _ in range(40):
            playing.move_cursor(direction)
            reached.append(playing.cursor)
        assert all(0 <= index < size for index in reached)
        layout = playing.latest.layout
        falls = layout.gravity or layout.drops
        moved = [pair for pair in pairwise(reached) if pair[0] != pair[1]]
        assert moved or falls or direction.endswith("plane") or layout.columns == 1


@pytest.mark.parametrize(
    ("game", "direction", "reached"),
    [
        ("4x4:4,wrap", "left", 3),
        ("4x4:4,wrap", "up", 12),
        ("4x4:4,wrap=x", "left", 3),
        ("4x4:4,wrap=x", "up", 0),
        ("4x4:4,wrap=y", "left", 0),
        ("4x4:4,wrap=y", "up", 12),
        ("4x4:4", "left", 0),
        ("3x3x3:3,wrap=x", "left", 0),
        ("reversi", "left", 0),
    ],
)
def test_cursor_wraps_along_joined_sides(game: str, direction: str, reached: int) -> None:
    playing = table(game)
    playing.cursor = 0
    playing.move_cursor(direction)
    assert playing.cursor == reached


def test_viewed_position_is_not_the_latest() -> None:
    playing = table()
    play(playing, WIN)
    playing.look_at(playing.game.ply - 2)
    assert playing.game.ply == 3
    assert playing.latest.ply == 5
    assert playing.is_looking_back
    playing.look_at(playing.game.ply - 99)
    assert playing.game.ply == 0
    playing.look_at(playing.game.ply + 99)
    assert not playing.is_looking_back


def test_persons_action_views_the_latest_position() -> None:
    playing = table("tictactoe", "human", "random")
    play(playing, "51")
    playing.look_at(playing.game.ply - 1)
    playing.take_back()
    assert not playing.is_looking_back


def test_trial_is_a_separate_match() -> None:
    playing = table()
    play(playing, "51")
    before = facts_of(playing.table.match)
    playing.look_at(playing.game.ply - 1)
    assert playing.branch()
    play(playing, "9")
    assert playing.trial is not None
    assert facts_of(playing.table.match) == before
    assert playing.game.ply == 2
    playing.leave_trial()
    assert facts_of(playing.match) == before


def test_finished_game_has_no_trial() -> None:
    playing = table()
    play(playing, WIN)
    assert not playing.branch()
    assert playing.trial is None


def test_hand_is_the_side_of_a_person() -> None:
    playing = table()
    assert playing.hand == "X"
    assert table("tictactoe", "rule", "human").hand == "O"
    assert table("tictactoe", "rule", "random").hand is None
    assert table("tictactoe", "rule", "human").thinking_side == "X"
    assert playing.thinking_side is None


@pytest.mark.parametrize(
    ("game", "first", "last"),
    [("tictactoe", 1, 9), ("tictactoe", 0, 8), ("connect4", 1, 7), ("4x4", 1, 0), ("10x10:5", 1, 0)],
)
def test_digits_choose_cells_up_to_nine(game: str, first: int, last: int) -> None:
    assert table(game, first=first).last_digit == last


def test_falling_marks_map_a_cell_to_its_column() -> None:
    playing = table("connect4")
    assert playing.cursor == playing.latest.layout.index(0, 5, 3)
    move = move_at(playing, playing.latest.layout.index(0, 0, 3))
    assert index_of(playing.latest.shape, move) == playing.cursor
    playing.play_move(move)
    assert playing.cursor == playing.latest.layout.index(0, 4, 3)


def test_refusal_names_the_reason_of_a_cell() -> None:
    playing = table()
    play(playing, "5")
    assert playing.cell_pointed_at(4) is None
    assert isinstance(refusal_of(playing.latest, 4), OccupiedCell)
    wild = table("wild")
    wild.play_move(move_at(wild, 4))
    assert isinstance(refusal_of(wild.latest, 4), OccupiedCell)
    with pytest.raises(AssertionError):
        refusal_of(playing.latest, 0)


def test_take_back_returns_own_decision() -> None:
    playing = table("three", "human", "random", "random")
    for side, index in (("X", 0), ("O", 1), ("Z", 2), ("X", 3), ("O", 4)):
        playing.apply(side, MakeMove(move_at(playing, index)))
    playing.take_back()
    assert playing.latest.ply == 3
    playing.take_back()
    assert playing.latest.ply == 0
    with pytest.raises(CommandRefused):
        playing.take_back()


def test_draw_is_asked_of_people_only() -> None:
    playing = table("three", "human", "random", "human")
    playing.apply("X", OfferDraw())
    assert playing.side_to_agree == "Z"
    playing.answer_for_absent()
    assert playing.side_to_agree is None
    assert not playing.is_over


def test_computers_accept_a_draw_if_nobody_can_win() -> None:
    playing = table("tictactoe", "human", "random")
    for number, side in zip("12354697", "XOXOXOXO", strict=True):
        playing.apply(side, MakeMove(move_at(playing, read_cell(playing.latest, number, playing.first))))
    playing.apply("X", OfferDraw())
    assert playing.answer_for_absent()[-1].data["termination"] == "agreement"


def test_take_back_is_asked_of_people_only() -> None:
    playing = table("three", "human", "human", "random")
    for side, index in (("X", 0), ("O", 1), ("Z", 2)):
        playing.apply(side, MakeMove(move_at(playing, index)))
    playing.take_back()
    assert playing.side_to_agree == "X"
    assert playing.latest.ply == 3
    playing.apply("X", Accept())
    assert playing.side_to_agree is None
    assert playing.latest.ply == 1


def test_flag_stays_up_while_there_is_time() -> None:
    assert table().flag() is False
    assert table(clock=Clock(base=1000)).flag() is False
    late = table(clock=Clock(base=1000))
    for side, cell in (("X", (1, 1)), ("O", (0, 0))):
        late.apply(side, MakeMove(cell))
    late.now = lambda: 1000
    assert late.flag()
    assert late.end is not None
    assert late.end.data["termination"] == "time"
    assert late.flag() is False


def test_session_is_empty_before_the_first_game() -> None:
    series = Series(("Ada", "Wei"))
    sitting = LocalTable(MemoryStore(), "tictactoe", series, {"Ada": "human", "Wei": "human"})
    playing = GameSession(sitting, lambda: 0)
    with pytest.raises(AssertionError):
        _ = playing.match
    assert playing.time_left("X") is None
    assert playing.flag() is False
