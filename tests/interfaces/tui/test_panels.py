"""The texts around the board: facts that the board cannot show, whole in small windows too."""

from typing import Any

import pytest

from noughts.arena.clock import Clock
from noughts.arena.commands import MakeMove
from noughts.arena.local_table import LocalTable
from noughts.arena.series import Series
from noughts.interfaces.presenting.i18n import Phrase
from noughts.interfaces.tui.game.board import BoardView
from tests.interfaces.harness import SAY
from tests.interfaces.tui.screens import NOW, open_app, press, resize, seen, settle, spoken, start_of, text_of
from tests.interfaces.tui.table import (
    WIN,
    SlowThinker,
    assert_fits,
    page_of,
    plan_of,
    sidebar_of,
    tells,
)
from tests.running import run
from tests.stand_ins import MemoryStore

SAYS = SAY["en"]

# Places of the last move and the cursor


async def go(app: Any, *cells: str) -> None:
    """Move the cursor to cells one after another, and place a mark on all but the last."""
    for cell in cells:
        await press(app, "g", *cell, "enter", *([] if cell == cells[-1] else ["enter"]))


async def place(app: Any, *cells: str) -> None:
    """Place marks on cells or in columns."""
    for cell in cells:
        await press(app, "g", *cell, "enter", "enter")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "size", "cells", "expected"),
    [
        ("30x30:5", (60, 20), ("a30", "p2", "c1"), "last move p2, cursor c1"),
        ("gomoku", (24, 12), ("i6", "j9"), "last move i6, cursor j9"),
        ("gomoku", (20, 10), ("i6", "j9"), "[i6] >j9<"),
        ("ultimate", (24, 12), ("e5", "a1"), "play in d4-f6, cursor a1"),
        ("ultimate", (20, 10), ("e5", "a1"), "d4-f6 >a1<"),
        ("20x20:4,gravity", (24, 12), ("20", "3"), "last move 20, cursor 3"),
    ],
)
def test_partial_board_names_places(
    game: str, size: tuple[int, int], cells: tuple[str, ...], expected: str
) -> None:
    async def test() -> None:
        async with open_app(size, plan=plan_of(game)) as (app, _):
            await go(app, *cells)
            assert expected in [line.strip() for line in text_of(app)], seen(app)
            assert_fits(app)

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "expected"),
    [((24, 12), ["last move 4a1, layer 4", "cursor 2c2"]), ((20, 10), ["[4a1] >2c2<"])],
)
def test_last_move_in_hidden_layer_is_named(size: tuple[int, int], expected: list[str]) -> None:
    async def test() -> None:
        async with open_app(size, plan=plan_of("qubic")) as (app, _):
            await go(app, "61", "27")
            assert "1        >2< ▸ 2" in seen(app)
            assert [line.strip() for line in text_of(app) if "4a1" in line or "2c2" in line] == expected
            assert "PgUp PgDn layer" in text_of(app)[-1]
            await press(app, "pagedown", "pagedown")
            assert "3        >4< ◂ 2" in seen(app)

    run(test())


@pytest.mark.slow
def test_board_without_letters_names_cursor_cell() -> None:
    async def test() -> None:
        async with open_app((100, 12), plan=plan_of("9x9:5")) as (app, _):
            await go(app, "b2")
            assert tells(app, "cursor b2")
            await resize(app, 100, 30)
            assert not tells(app, "cursor b2")

    run(test())


@pytest.mark.slow
def test_falling_marks_name_columns() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("score4")) as (app, _):
            await press(app, "enter", "t")
            assert tells(app, "11   7 lines: ")
            assert "1 X 11" in sidebar_of(app)
            await press(app, "t")
            assert tells(app, "Column 11.")

    run(test())


def test_forced_field_is_named() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("ultimate")) as (app, _):
            assert not tells(app, "Play in the field")
            await press(app, "enter")
            assert tells(app, "Play in the field d4-f6.")

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize(("size", "keys"), [((60, 20), "g go to a cell"), ((20, 10), "g go to a cell  F1")])
def test_footer_of_large_board_has_go_to(size: tuple[int, int], keys: str) -> None:
    async def test() -> None:
        async with open_app(size, plan=plan_of("30x30:5")) as (app, _):
            assert keys in text_of(app)[-1]

    run(test())


# Whole sentences


@pytest.mark.slow
def test_footer_of_layers_keeps_hint_and_values() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("qubic")) as (app, _):
            async for say in spoken(app):
                footer = text_of(app)[-1]
                for id_, cap in (("layer", "PgUp PgDn"), ("hint", "?"), ("values", "v")):
                    assert f"{cap} {say(f'key-{id_}')}" in footer
                assert "F1" in footer

    run(test())


@pytest.mark.slow
def test_custom_board_has_short_rule() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("4x5:4,wrap")) as (app, _):
            assert tells(app, "4×5: 4 in a row, joined sides")
            await resize(app, 24, 12)
            assert text_of(app)[1] == "4 in a row, joined sides"
            await press(app, "enter")
            assert not text_of(app)[1].strip()

    run(test())


@pytest.mark.slow
def test_two_line_result_is_shown_whole() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of()) as (app, _):
            await press(app, *"123678945")
            lines = "Anti-diagonal: a1 b2 c3.", "Main diagonal: a3 b2 c1."
            result = [lines[0], f"{lines[1]} 9 moves."]
            assert text_of(app)[1].split("│")[0].strip() == result[0]
            assert tells(app, result[1])
            await press(app, "2")
            assert tells(app, SAYS("game-over"))
            assert tells(app, " ".join(result))
            await resize(app, 24, 12)  # The winner may be named nowhere else.
            assert tells(app, f"Ada wins after 9 moves. {' '.join(lines)}")

    run(test())


@pytest.mark.slow
def test_result_is_shown_in_low_window_with_sidebar() -> None:
    async def test() -> None:
        async with open_app((100, 12), plan=plan_of()) as (app, _):
            await press(app, *WIN)
            assert text_of(app)[1].strip().startswith("Row 3: a3 b3 c3. 5 moves.")

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("size", [(100, 30), (60, 20), (24, 12)])
def test_past_position_is_noted_after_the_end(size: tuple[int, int]) -> None:
    async def test() -> None:
        async with open_app(size, plan=plan_of()) as (app, _):
            await press(app, *WIN)
            facts = {"number": 3, "cells": "a3 b3 c3"}
            is_low = size[1] < 20
            result = (
                SAYS.plural("wins-row", 5, winner="Ada", **facts) if is_low else SAYS("line-row", **facts)
            )
            assert tells(app, result)
            await press(app, "[")
            assert tells(app, SAYS("looking-back", ply=4, of=5))
            assert not tells(app, result)

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("size", [(24, 12), (20, 10)])
def test_threats_are_shown_on_a_full_window(size: tuple[int, int]) -> None:
    async def test() -> None:
        async with open_app(size, plan=plan_of("gomoku")) as (app, _):
            await go(app, "a1", "c1", "a2", "c2", "a3", "c3", "a4", "c4", "o15")
            await press(app, "!")
            assert tells(app, SAYS("threats-own", moves=["a5"]) + SAYS("threats-others", moves=["c5"]))
            page = page_of(app)
            window = page.query_one(BoardView).window
            assert window is not None
            assert page.session.cursor in window.boxes

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("size", [(60, 20), (24, 12)])
def test_losing_moves_are_shown_in_misere(size: tuple[int, int]) -> None:
    async def test() -> None:
        async with open_app(size, plan=plan_of("misere")) as (app, _):
            await press(app, "1", "!")
            assert SAYS("no-row-completed") in " ".join([*sidebar_of(app), *text_of(app)])
            await press(app, *"427")
            assert "c3." in seen(app)
            assert seen(app).count("!") >= 2
            assert "+" not in seen(app)

    run(test())


def test_reason_of_the_end_precedes_lines() -> None:
    async def test() -> None:
        async with open_app((24, 12), plan=plan_of()) as (app, _):
            await press(app, "5", "t", "r", "y")
            assert tells(app, SAYS("end-resignation", loser="Wei"))
            assert not {"•", ":"} & set(seen(app))

    run(test())


@pytest.mark.parametrize("key", ["d", "!", "t"])
def test_useless_keys_are_refused_in_fifteen(key: str) -> None:
    async def test() -> None:
        async with open_app((20, 10), plan=plan_of("fifteen")) as (app, _):
            await press(app, key)
            assert page_of(app).session.question is None
            assert tells(app, SAYS("refused-nobody-to-ask" if key == "d" else "no-lines-here"))

    run(test())


@pytest.mark.slow
def test_result_names_columns_when_marks_fall() -> None:
    async def test() -> None:
        async with open_app((24, 12), plan=plan_of("connect4")) as (app, _):
            await press(app, *"3131313")
            assert tells(app, "Ada wins: column 3, after 7 moves.")

    run(test())


@pytest.mark.slow
def test_meaning_of_line_signs_needs_room() -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of("qubic")) as (app, _):
            await press(app, "t")
            assert ": closed line • open line" in sidebar_of(app)
            await resize(app, 20, 10)
            assert "2c2: 7 lines, 7 open" in seen(app)

    run(test())


def test_notes_keep_the_rows_of_a_layer() -> None:
    async def test() -> None:
        async with open_app((24, 12), plan=plan_of("score4")) as (app, _):
            await place(app, *"121212")
            await press(app, "!")
            assert "▼" not in seen(app)
            await resize(app, 20, 10)
            own, others = (Phrase("column", number) for number in "12")
            assert tells(app, SAYS("threats-own", moves=own) + SAYS("threats-others", moves=others))
            assert "▼" not in seen(app)

    run(test())


@pytest.mark.slow
def test_latest_request_is_shown_first() -> None:
    async def test() -> None:
        async with open_app((20, 10), plan=plan_of("gomoku")) as (app, _):
            await press(app, "enter", "?", "!")
            assert tells(app, SAYS("no-threats"))
            await press(app, "t")
            assert tells(app, "h8: 20 lines")

    run(test())


# The board and the texts around it


PLACES = (
    ("reversi", (60, 20), "en"),
    ("ultimate", (80, 24), "en"),
    ("gomoku", (60, 20), "ru"),
    ("tictactoe", (40, 20), "ru"),
    ("connect4", (24, 12), "en"),
    ("qubic", (100, 12), "zh-Hans"),
    ("19x19:5", (20, 10), "en"),
)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "size", "language"), PLACES)
def test_messages_keep_the_board_in_place(game: str, size: tuple[int, int], language: str) -> None:
    async def test() -> None:
        async with open_app(size, language, plan=plan_of(game), thinker=SlowThinker()) as (app, _):
            board = page_of(app).query_one(BoardView)
            await press(app, "enter")
            place, form = place_of(app), board.window
            assert form is not None
            for keys in (["enter"], "?", "r", ["escape"], "!", "t", "d", ["escape"], ["g", "z", "enter"]):
                await press(app, *keys)
                assert place_of(app) == place, seen(app)
                assert board.window is not None
                assert board.window.boxes == form.boxes, seen(app)
                assert any(sign in seen(app) for sign in (">", "┏", "▐")), seen(app)

    run(test())


def place_of(app: Any) -> tuple[int, int]:
    """Return the line of the window where the board begins, even if covered, and its column."""
    board = page_of(app).query_one(BoardView)
    return board.region.y + board._above, board._left


def test_two_line_message_replaces_the_turn() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("reversi")) as (app, _):
            await press(app, "up", "left", "enter")
            assert text_of(app)[0].startswith("  Cell e4 is taken.")
            assert tells(app, "Cell e4 is taken. Free cells: d3, c4, f5, e6.")
            assert "> X Ada" in sidebar_of(app)[0]
            await press(app, "up")
            assert tells(app, SAYS("is-to-move", player="Ada"))

    run(test())


def test_long_message_covers_board_far_from_cursor() -> None:
    async def test() -> None:
        async with open_app((20, 10), plan=plan_of()) as (app, _):
            await press(app, "5", "!", "up")
            assert text_of(app)[2].strip().startswith("3")
            assert text_of(app)[8].strip().startswith("side.")
            await press(app, "down", "down")
            assert text_of(app)[2].startswith("No move wins")
            assert text_of(app)[7].strip() == "a   b   c"
            assert ">8<" in text_of(app)[6]

    run(test())


# Passes and counts


@pytest.mark.slow
@pytest.mark.parametrize(("size", "sentence"), [((24, 12), "only-pass-short"), ((60, 20), "only-pass")])
def test_forced_pass_is_announced(size: tuple[int, int], sentence: str) -> None:
    async def test() -> None:
        async with open_app(size, plan=plan_of("reversi")) as (app, _):
            await place(app, "d3", "c3", "e6", "d2", "d1", "e1", "b2")
            assert not tells(app, SAYS(sentence))
            await place(app, "c1")
            assert tells(app, SAYS(sentence))
            await press(app, "enter")
            player = SAYS("player-with-mark", name="Ada", mark="X")
            assert tells(app, SAYS("plays-pass", player=player))
            await place(app, "a3")
            assert not tells(app, SAYS("plays-pass", player=player))
            assert size != (24, 12) or text_of(app)[1].strip() == "Ada X 7    Wei O 6"

    run(test())


def test_forced_pass_of_computer_is_announced() -> None:
    store = MemoryStore()
    sitting = LocalTable(store, "reversi", Series(("rule", "Wei")), {"rule": "rule", "Wei": "human"})
    sitting.begin(NOW)
    for move in ((2, 3), (2, 2), (5, 4), (1, 3), (0, 3), (0, 4), (1, 1), (0, 2)):
        assert sitting.match is not None
        sitting.apply(sitting.match.turn, MakeMove(move), NOW)

    async def test() -> None:
        async with open_app((80, 24), store=store, thinker=SlowThinker()) as (app, _):
            start_of(app).open(lambda: sitting)
            await settle(app)
            assert tells(app, SAYS("can-only-pass", side="X"))

    run(test())


# Players


@pytest.mark.slow
def test_narrow_window_distinguishes_two_computers() -> None:
    async def test() -> None:
        plan = plan_of("connect4", "random", "random", names=["random", "random (2)"])
        async with open_app((60, 20), plan=plan, thinker=SlowThinker()) as (app, _):
            assert [line.split()[-2:] for line in sidebar_of(app)[:2]] == [["X", "random"], ["random", "(2)"]]
            assert "r resign" not in seen(app)
            assert "d offer" not in seen(app)
            await resize(app, 24, 12)
            assert text_of(app)[0].strip() == "X random is thinking"
            assert text_of(app)[-2].strip() == "random X    random (2) O"

    run(test())


@pytest.mark.slow
def test_mark_of_only_computer_is_shown() -> None:
    async def test() -> None:
        async with open_app((24, 12), plan=plan_of("qubic", "human", "level:2")) as (app, _):
            assert text_of(app)[-2].strip() == "Ada X    Computer O"

    run(test())


@pytest.mark.slow
def test_long_names_leave_room_for_marks_and_clocks() -> None:
    async def test() -> None:
        names = ["Maximiliane Alexandra", "Bartholomew Constantine"]
        plan = plan_of(names=names, clock=Clock(base=60_000))
        async with open_app((24, 12), plan=plan, now=lambda: NOW) as (app, _):
            assert text_of(app)[0].endswith("… is to move  1:00")
            line = text_of(app)[-2]
            assert line.count("1:00") == 2
            assert [sign in line for sign in "XO…"] == [True] * 3
            await press(app, "t")
            assert "1:00" in text_of(app)[0]

    run(test())


def test_similar_names_stay_different() -> None:
    async def test() -> None:
        plan = plan_of(names=["Player 1", "Player 2"], clock=Clock(base=60_000))
        async with open_app((24, 12), plan=plan, now=lambda: NOW) as (app, _):
            assert text_of(app)[-2] == "Pl…1 X 1:00 Pl…2 O 1:00 "
            await resize(app, 20, 10)
            assert text_of(app)[-2].strip() == "…1 X 1:00 …2 O 1:00"

    run(test())


@pytest.mark.parametrize("size", [(40, 14), (30, 8)])
def test_clock_of_side_to_move_is_always_shown(size: tuple[int, int]) -> None:
    async def test() -> None:
        plan = plan_of("gomoku", clock=Clock(base=60_000))
        async with open_app(size, plan=plan, now=lambda: NOW) as (app, _):
            await press(app, "enter", "t")
            assert text_of(app)[0].rstrip().endswith("1:00")

    run(test())


@pytest.mark.slow
def test_refusal_stays_while_computers_play() -> None:
    thinker = SlowThinker()

    async def test() -> None:
        plan = plan_of("tictactoe", "rule", "rule")
        async with open_app((60, 20), plan=plan, thinker=thinker) as (app, _):
            await press(app, "r")
            assert tells(app, SAYS("computers-play"))
            thinker.last.answer()
            await settle(app)
            assert page_of(app).session.latest.ply == 1
            assert tells(app, SAYS("computers-play"))

    run(test())


@pytest.mark.slow
def test_meaning_of_cursor_and_values_replaces_rule() -> None:
    async def test() -> None:
        async with open_app((80, 24), plan=plan_of("reversi")) as (app, _):
            page_of(app).session.cursor = 19
            page_of(app).redraw()
            assert tells(app, "d3 flips 1")
            await press(app, "up")
            assert not tells(app, "d2 turns")
        async with open_app((80, 24), plan=plan_of()) as (app, _):
            await press(app, *"5132", "v")
            assert tells(app, SAY["en"]("values-mean"))
            await press(app, "v")
            assert not tells(app, SAY["en"]("values-mean"))

    run(test())


@pytest.mark.slow
def test_leaving_marks_replace_the_rule() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("vanishing")) as (app, _):
            assert tells(app, "Vanishing: 3 in a row, 3 marks each.")
            await press(app, *"513746")
            assert tells(app, "X on b2, O on a3")

    run(test())


@pytest.mark.slow
def test_legend_of_values_has_a_short_form() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of()) as (app, _):
            await press(app, *"5132", "v")
            async for say in spoken(app):
                line = text_of(app)[1].split("│")[0].strip()
                assert line in {say(id_) for id_ in ("values-mean", "values-mean-short")}

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "cell"), [("4x4x4x4:4", "2.2c2"), ("qubic", "2c2"), ("reversi", "f5"), ("tictactoe", "b2")]
)
def test_cursor_starts_near_the_middle(game: str, cell: str) -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(game), thinker=SlowThinker()) as (app, _):
            assert page_of(app).session.cell_name == cell

    run(test())


def test_cursor_cell_is_named_once() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("7x7x7:5")) as (app, _):
            assert seen(app).count("4d4") == 1
            await press(app, "t")
            assert seen(app).count("4d4") == 1
            await press(app, "b")  # The trial is shown instead.
            assert "cursor 4d4" in seen(app)

    run(test())
