"""Whole games in the full screen, by keys and by mouse, in every language."""

from collections.abc import Callable, Iterator, Sequence
from itertools import cycle

import pytest

from noughts.arena.series import Begins
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.presenting.players import player_called
from noughts.interfaces.tui.app import NoughtsApp
from tests.interfaces.harness import SAY
from tests.interfaces.tui.screens import EVERY, SIZES, click, open_app, press, seen, text_of
from tests.interfaces.tui.table import (
    DRAW,
    WIN,
    assert_is_model,
    board_of,
    lines_left_of,
    page_of,
    plan_of,
    sidebar_of,
    tells,
)
from tests.running import run
from tests.stand_ins import MemoryStore

# The ways to move to cell *number* of a 3x3 board if the cursor is at cell *at*


async def by_digit(app: NoughtsApp, number: int, at: int) -> None:
    await press(app, str(number))


def steps(number: int, at: int, keys: Sequence[str]) -> Iterator[str]:
    """Return the arrow keys from cell *at* to cell *number*."""
    left, down, up, right = keys
    rows, columns = (number - 1) // 3 - (at - 1) // 3, (number - 1) % 3 - (at - 1) % 3
    yield from [down if rows > 0 else up] * abs(rows)
    yield from [right if columns > 0 else left] * abs(columns)


async def by_arrows(app: NoughtsApp, number: int, at: int) -> None:
    await press(app, *steps(number, at, ("left", "down", "up", "right")), "enter")


async def by_letters(app: NoughtsApp, number: int, at: int) -> None:
    await press(app, *steps(number, at, "hjkl"), "space")


async def by_name(app: NoughtsApp, number: int, at: int) -> None:
    name = "abc"[(number - 1) % 3] + "321"[(number - 1) // 3]
    await press(app, "g", *name, "enter", "enter")


async def by_mouse(app: NoughtsApp, number: int, at: int) -> None:
    lines = lines_left_of(app)
    letters = next(line for line in lines if line.split() == ["a", "b", "c"])
    y = next(y for y, line in enumerate(lines) if line.strip().startswith("321"[(number - 1) // 3]))
    await click(app, letters.index("abc"[(number - 1) % 3]), y)


WAYS = (by_digit, by_arrows, by_letters, by_name, by_mouse)
Way = Callable[[NoughtsApp, int, int], object]


async def play(app: NoughtsApp, cells: str, way: Way = by_digit) -> None:
    """Make the moves in *cells*, by number; the cursor starts in the middle."""
    at = 5
    for digit in cells:
        await way(app, int(digit), at)  # type: ignore[misc]
        at = int(digit)


@pytest.mark.slow
@pytest.mark.parametrize(("language", "way"), list(zip(cycle(LANGUAGES), WAYS, strict=False)))
def test_won_game_of_two_people(language: str, way: Way) -> None:
    store, say = MemoryStore(), SAY[language]

    async def test() -> None:
        async with open_app((60, 20), language, plan=plan_of(), store=store) as (app, _):
            assert tells(app, say("is-to-move", player="Ada"))
            await play(app, WIN[:-1], way)
            assert board_of(app) == "XX.OO...."
            assert tells(app, say("is-to-move", player="Ada"))
            await way(app, 3, 5)  # type: ignore[misc]
            assert board_of(app) == "XXXOO...."
            assert tells(app, say("line-row", number=3, cells="a3 b3 c3"))
            assert "▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄" in seen(app)  # The line is struck through.
            ada, wei = (next(line for line in sidebar_of(app) if name in line) for name in ("Ada", "Wei"))
            assert ada.endswith(" 1")
            assert wei.endswith(" 0")
            assert_is_model(app, store)

    run(test())
    assert [stored.result.winner for stored in store.games() if stored.result] == ["X"]


@pytest.mark.slow
@pytest.mark.parametrize(("language", "way"), list(zip(LANGUAGES, WAYS[1:], strict=True)))
def test_draw_is_announced(language: str, way: Way) -> None:
    store, say = MemoryStore(), SAY[language]

    async def test() -> None:
        async with open_app((60, 20), language, plan=plan_of(), store=store) as (app, _):
            await play(app, DRAW, way)
            result = say.joined([say("drawn-full"), say.plural("so-many-moves", 9)])
            assert text_of(app)[1].split("│")[0].strip().startswith(result)
            assert tells(app, say("over-draw"))
            lines = [line for line in sidebar_of(app) if "Ada" in line or "Wei" in line]
            assert [line.split()[-1] for line in lines] == ["0.5", "0.5"]
            assert "*" not in seen(app)
            assert_is_model(app, store)

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize(("size", "language"), EVERY)
def test_games_against_a_computer(size: tuple[int, int], language: str) -> None:
    store, say = MemoryStore(), SAY[language]
    ends = {"narrow": ("1978", "X"), "normal": ("124", "O"), "wide": ("12768", None)}
    cells, winner = next(ends[name] for name, one in SIZES.items() if one == size)

    async def test() -> None:
        plan = plan_of("tictactoe", "human", "rule")
        async with open_app(size, language, plan=plan, store=store) as (app, _):
            await play(app, cells)
            match = page_of(app).session.match
            assert match.outcome is not None, seen(app)
            assert match.outcome.winner == winner
            headline = (
                say("over-draw")
                if winner is None
                else say("wins", winner={"X": "Ada", "O": player_called(say, "rule", "rule")}[winner])
            )
            assert tells(app, headline.rstrip(".。"))
            assert_is_model(app, store)

    run(test())


@pytest.mark.slow
def test_whole_game_against_random() -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app(plan=plan_of("tictactoe", "human", "random"), store=store) as (app, _):
            for digit in "123456789":
                await press(app, digit)
                assert_is_model(app, store)
            assert page_of(app).session.is_over

    run(test())


# Series


def seats_of(store: MemoryStore) -> list[list[tuple[str, str]]]:
    return [list(stored.setup.seats.items()) for stored in store.games()]


ADA_X, WEI_X = [("X", "Ada"), ("O", "Wei")], [("X", "Wei"), ("O", "Ada")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("begins", "games", "expected"),
    [
        (Begins.X, [WIN, WIN, DRAW, WIN], [ADA_X] * 4),
        (Begins.ALTERNATE, [WIN, WIN, DRAW, WIN], [ADA_X, WEI_X, ADA_X, WEI_X]),
        (Begins.LOSER, [WIN, "142596", DRAW, WIN], [ADA_X, WEI_X, WEI_X, ADA_X]),
    ],
)
def test_rematches_form_a_series(
    begins: Begins, games: list[str], expected: list[list[tuple[str, str]]]
) -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of(begins=begins), store=store) as (app, _):
            for number, cells in enumerate(games):
                if number:
                    await press(app, "n")
                await play(app, cells)
                assert page_of(app).session.is_over, seen(app)
                assert_is_model(app, store)
                scores = page_of(app).session.table.series.scores()
                for score in scores:
                    (line,) = [line for line in sidebar_of(app) if f" {score.name}" in line]
                    assert line.split()[-1] == f"{score.points:g}"

    run(test())
    assert seats_of(store) == expected


@pytest.mark.slow
def test_chooser_is_asked_for_a_mark() -> None:
    store = MemoryStore()
    say = SAY["en"]

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of(begins=Begins.CHOOSER), store=store) as (app, _):
            for chooser, mark in (("Ada", "o"), ("Wei", "x"), ("Ada", "x")):
                assert tells(app, say("choose-mark", name=chooser))
                await press(app, "5", "z", "enter", "t", "u")  # None of these keys answers.
                assert tells(app, say("choose-mark", name=chooser))
                assert board_of(app).count(".") in (9, 4)
                await press(app, mark)
                await play(app, WIN)
                assert tells(app, say("line-row", number=3, cells="a3 b3 c3"))
                assert_is_model(app, store)
                await press(app, "n")

    run(test())
    assert seats_of(store) == [
        [("O", "Ada"), ("X", "Wei")],
        [("X", "Wei"), ("O", "Ada")],
        [("X", "Ada"), ("O", "Wei")],
    ]


@pytest.mark.slow
def test_choice_of_a_mark_can_be_withdrawn() -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of(begins=Begins.CHOOSER), store=store) as (app, _):
            await press(app, "x", *WIN, "n", "escape")
            assert page_of(app).session.is_over
            await press(app, "n", "o")
            assert board_of(app) == "........."
            await press(app, "5")
            assert board_of(app) == "....O...."

    run(test())
    assert len(seats_of(store)) == 2


@pytest.mark.slow
def test_choosing_computer_takes_the_first_mark() -> None:
    plan = plan_of("tictactoe", "rule", "human", begins=Begins.CHOOSER)

    async def test() -> None:
        async with open_app((60, 20), plan=plan) as (app, _):
            assert board_of(app).count("X") == 1
            assert page_of(app).session.question is None

    run(test())


def test_rematch_needs_the_end() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of()) as (app, _):
            await press(app, "5", "n")
            assert tells(app, SAY["en"]("rematch-after-end"))
            assert board_of(app) == "....X...."

    run(test())


@pytest.mark.slow
def test_two_computers_play_by_themselves() -> None:
    store = MemoryStore()

    async def test() -> None:
        plan = plan_of("tictactoe", "random", "rule")
        async with open_app((60, 20), plan=plan, store=store) as (app, _):
            assert page_of(app).session.is_over
            await press(app, "n")
            assert page_of(app).session.is_over

    run(test())
    assert list(store.games()) == []  # Games without moves are not saved.
