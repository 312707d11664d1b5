"""The sidebar: its blocks in each window, and the blocks that give way."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from noughts.arena.clock import Clock
from noughts.games.catalogue import new_game
from noughts.interfaces.tui.game.evaluation_graph import ALMOST, EvaluationGraph
from noughts.interfaces.tui.game.sidebar import tally
from noughts.search.analyst import Analyst
from noughts.search.explain.review import review
from noughts.search.general.alphabeta import WIN
from noughts.text import display_width
from tests.interfaces.harness import SAY
from tests.interfaces.tui.screens import open_app, press, resize, text_of
from tests.interfaces.tui.table import DRAW, plan_of, sidebar_of
from tests.interfaces.tui.table import WIN as WINNING
from tests.running import run


def margin_of(
    size: tuple[int, int],
    game: str = "tictactoe",
    keys: Sequence[str] = (),
    language: str = "en",
    plan: dict[str, Any] | None = None,
    **around: Any,
) -> list[str]:
    """Return the lines of the sidebar in a window of *size* after *keys*."""
    (lines,) = margins_of([size], game, keys, language, plan, **around)
    return lines


def margins_of(
    sizes: Sequence[tuple[int, int]],
    game: str = "tictactoe",
    keys: Sequence[str] = (),
    language: str = "en",
    plan: dict[str, Any] | None = None,
    **around: Any,
) -> list[list[str]]:
    """Return the lines of the sidebar after each resize to one of *sizes*."""
    margins: list[list[str]] = []

    async def test() -> None:
        planned = plan_of(game, names=["Ada", "Wei"][: len(new_game(game).sides)], **(plan or {}))
        async with open_app(sizes[0], language, plan=planned, **around) as (app, _):
            await press(app, *keys)
            for size in sizes:
                await resize(app, *size)
                assert {display_width(line) for line in text_of(app)} == {size[0]}
                margins.append(sidebar_of(app))

    run(test())
    return margins


SERIES = (*DRAW, "n", *WINNING, "n", "5")


@pytest.mark.slow
def test_pointer_marks_the_side_to_move() -> None:
    assert margin_of((80, 24))[:2] == ["> X Ada", "O Wei"]
    assert margin_of((80, 24), keys=("5",))[:2] == ["X Ada", "> O Wei"]
    assert margin_of((80, 24), keys=WINNING)[0].startswith("X Ada")


@pytest.mark.slow
def test_narrow_sidebar_has_numbers_and_moves() -> None:
    lines = margin_of((60, 20), keys=SERIES)
    assert lines[:2] == ["X Ada        0.5", "> O Wei        1.5"]
    assert "1 X b2" in lines
    assert not any("|" in line or "Game" in line for line in lines)


@pytest.mark.slow
def test_tally_is_below_the_clock() -> None:
    clock = {"clock": Clock(base=300_000)}
    lines = margin_of((80, 24), keys=(*WINNING, "n", "5"), plan=clock)
    assert [line.split() for line in lines[:4]] == [
        ["X", "Wei", "5:00"],
        ["0"],
        [">", "O", "Ada", "5:00"],
        ["|", "1"],
    ]
    assert SAY["en"]("game-of-series", number=2) in lines


@pytest.mark.slow
def test_series_is_a_table_or_tallies() -> None:
    say = SAY["ru"]
    head = [say("series-won"), say("series-drawn"), say("series-lost")]
    table, tallies = margins_of([(100, 26), (100, 25)], keys=SERIES, language="ru")
    (line,) = [line for line in table if line.startswith(say("series-game", number=3))]
    assert line.split()[-3:] == head
    assert [row.split() for row in table[table.index(line) + 1 :] if row][:2] == [
        ["Ada", "0", "1", "1"],
        ["Wei", "1", "1", "0"],
    ]
    assert not any("1.5" in line for line in table)
    assert not any(line.endswith(head[-1]) for line in tallies)
    assert any("1.5" in line for line in tallies)


@pytest.mark.slow
def test_block_without_room_is_left_out() -> None:
    lines = margin_of((100, 26), "gomoku", (*WINNING,))
    assert not any(line.startswith("Game 1  ") for line in lines)


@pytest.mark.slow
def test_sidebar_lists_no_keys() -> None:
    assert not any("hint" in line or "resign" in line for line in margin_of((160, 50)))


@pytest.mark.slow
def test_counts_form_one_bar() -> None:
    assert "▄" * 29 in margin_of((100, 30), "reversi")
    assert "▄" * 15 + "▀" * 14 in margin_of((100, 30), "reversi", colours=None)
    assert "| " + "#" * 15 + "-" * 14 in margin_of((100, 30), "reversi", has_unicode=False)


@pytest.mark.slow
def test_players_of_same_marks_have_numbers() -> None:
    lines = margin_of((100, 30), "notakto", ("5",))
    assert lines[:2] == ["1 Ada", "> 2 Wei"]
    assert "1 1 b2" in lines
    assert margin_of((100, 30), "wild", ())[0] == "> 1 Ada"


# The graph


@pytest.mark.slow
def test_graph_is_drawn_while_values_are_shown() -> None:
    keys = (*"5132", "v")
    lines = margin_of((140, 40), keys=keys)
    title = SAY["en"]("graph-title", side="X")
    start = lines.index(title)
    assert lines[start + 1 : start + 5] == ["█", "█", "█", "─" * 39]
    assert lines[start + 8].split() == ["1", "10", "20", "30"]
    for size, pressed in (((139, 40), keys), ((140, 24), keys), ((140, 40), keys[:-1])):
        assert title not in margin_of(size, keys=pressed)


def test_graph_of_reviewed_game_is_drawn() -> None:
    async def test() -> None:
        plan = plan_of("tictactoe", names=["Ada", "Wei"])
        async with open_app((160, 50), plan=plan) as (app, _):
            await press(app, *WINNING)
            title = SAY["en"]("graph-title", side="X")
            assert title not in sidebar_of(app)
            await press(app, "v", "escape")
            assert title in sidebar_of(app)

    run(test())


def test_values_belong_to_the_moves_before() -> None:
    game, course = new_game("tictactoe"), EvaluationGraph()
    course.keep(game, 0, None)
    game.play((1, 1))
    course.keep(game, None, 100)
    assert course.values(game) == [0.0, -ALMOST / 2]
    game.play((0, 0))
    course.keep(game, None, -WIN)
    course.keep(game, None, None)
    assert course.values(game) == [0.0, -ALMOST / 2, -1.0]
    game.undo()
    game.undo()
    game.play((0, 1))
    assert course.values(game) == [0.0, None]


@pytest.mark.parametrize(("moves", "end"), [("14253", 1.0), ("124598", -1.0), ("152374689", 0.0)])
def test_value_of_the_end_is_known(moves: str, end: float) -> None:
    game = new_game("tictactoe")
    for number in moves:
        game.play(divmod(int(number) - 1, 3))
    assert EvaluationGraph().values(game)[-1] == end


@pytest.mark.slow
def test_review_adds_values_of_all_positions() -> None:
    game, course = new_game("tictactoe"), EvaluationGraph()
    for number in "14253":
        game.play(divmod(int(number) - 1, 3))
    reviewed = review(game, Analyst().analyse)
    course.keep_review(game, reviewed)
    assert course.values(game) == [None if value is None else float(value) for value in reviewed.values]


@pytest.mark.slow
def test_three_players_have_no_graph() -> None:
    game, course = new_game("9x9:4,players=3"), EvaluationGraph()
    course.keep(game, 1, None)
    assert course.values(game) == [None]


def test_tally_is_written_in_strokes() -> None:
    assert [tally(wins, chinese=False) for wins in (0, 4, 5, 11)] == ["", "||||", "||||/", ""]


@pytest.mark.slow
def test_moves_show_the_mark_of_their_side() -> None:
    async def test() -> None:
        plan = replace(plan_of(is_series=False), start="X../.O./..X O")
        async with open_app((80, 24), plan=plan) as (app, _):
            await press(app, "2")
            assert any(line.split()[:2] == ["1", "O"] for line in sidebar_of(app))

    run(test())
