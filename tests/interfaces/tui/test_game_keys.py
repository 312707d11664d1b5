"""Keys during a game besides moves: looking back, trials, take-backs, offers, questions."""

from random import Random

import pytest

from noughts.arena.commands import MakeMove
from noughts.arena.local_table import LocalTable
from noughts.arena.series import Series
from noughts.games.base import PASS
from noughts.games.catalogue import new_game
from tests.interfaces.harness import SAY
from tests.interfaces.tui.screens import (
    NOW,
    SIZES,
    click_text,
    open_app,
    press,
    seen,
    settle,
    spoken,
    start_of,
    text_of,
)
from tests.interfaces.tui.table import (
    WIN,
    SlowThinker,
    assert_is_model,
    board_of,
    facts_of,
    page_of,
    plan_of,
    sidebar_of,
    tells,
)
from tests.running import run
from tests.stand_ins import MemoryStore

SAYS = SAY["en"]


def kinds(store: MemoryStore) -> list[list[str]]:
    """Return the events of each saved game."""
    return [[str(event.kind) for event in stored.events] for stored in store.games()]


# Looking back


@pytest.mark.slow
def test_keys_view_earlier_and_later_positions() -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of(), store=store) as (app, _):
            await press(app, *WIN)
            boards = ["X........", "X..O.....", "XX.O.....", "XX.OO....", "XXXOO...."]
            for board in boards[3::-1]:
                await press(app, "[")
                assert board_of(app) == board
            await press(app, "[", "[")
            assert board_of(app) == "." * 9
            assert tells(app, SAYS("looking-back", ply=0, of=5))
            await press(app, "]", "]")
            assert board_of(app) == boards[1]
            assert tells(app, SAYS("looking-back", ply=2, of=5))
            await press(app, "end")
            assert board_of(app) == boards[4]
            await press(app, "home")
            assert board_of(app) == "." * 9
            await press(app, "end", "]", "]")
            assert board_of(app) == boards[4]
            await click_text(app, "3 X b3")
            assert board_of(app) == boards[2]
            assert any(line.startswith("3 X b3 <") for line in sidebar_of(app))
            assert_is_model(app, store)

    run(test())


@pytest.mark.slow
def test_earlier_position_takes_no_move() -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(), store=store) as (app, _):
            await press(app, "5", "1", "[")
            for key in ("9", "enter", "space"):
                await press(app, key)
                assert tells(app, SAYS("past-position"))
            await press(app, "]", "9")
            assert board_of(app) == "O...X...X"

    run(test())
    assert kinds(store) == [["move"] * 3]


@pytest.mark.slow
def test_computer_move_keeps_the_viewed_position() -> None:
    thinker = SlowThinker()

    async def test() -> None:
        plan = plan_of("tictactoe", "human", "rule")
        async with open_app((60, 20), plan=plan, thinker=thinker) as (app, _):
            await press(app, "5", "[")
            thinker.last.answer()
            await settle(app)
            assert board_of(app) == "........."
            assert tells(app, SAYS("looking-back", ply=0, of=2))

    run(test())


# Trials


@pytest.mark.slow
@pytest.mark.parametrize("leave", ["q", "escape"])
@pytest.mark.parametrize("who", ["human", "rule"])
def test_trial_is_not_saved(leave: str, who: str) -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("tictactoe", "human", who), store=store) as (app, _):
            await press(app, "5", "1") if who == "human" else await press(app, "5")
            before, was = facts_of(page_of(app).session.match), seen(app)
            saved = kinds(store)
            await press(app, "[", "b")
            assert tells(app, SAYS("in-trial"))
            for digit in "987654321":
                await press(app, digit)
            assert page_of(app).session.is_over
            for key, message_id in (("n", "rematch-after-end"), ("r", "not-in-trial"), ("d", "not-in-trial")):
                await press(app, key)
                assert tells(app, SAYS(message_id)) or tells(app, SAYS("game-over"))
            assert kinds(store) == saved
            assert page_of(app).session.table.series.results == []
            await press(app, leave)
            assert app.is_running
            assert facts_of(page_of(app).session.match) == before
            assert_is_model(app, store)
            assert board_of(app).count(".") == 7
            assert seen(app).splitlines()[0] == was.splitlines()[0]
            await press(app, leave)
            assert not app.is_running

    run(test())
    assert kinds(store) == [["move", "move"]]


@pytest.mark.slow
def test_trial_is_refused_after_the_end() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of()) as (app, _):
            await press(app, *WIN, "b")
            assert tells(app, SAYS("game-over"))
            assert page_of(app).session.trial is None
            await press(app, "[", "b", "9", "u", "3")
            assert page_of(app).session.trial is not None
            assert board_of(app) == "XXXOO...."

    run(test())


# Take-backs


@pytest.mark.slow
def test_take_back_needs_the_opponents_consent() -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of(), store=store) as (app, _):
            await press(app, "5", "1", "u")
            async for say in spoken(app):
                assert tells(app, say("accept-take-back-question", player=page_of(app).wording.player("X")))
            assert board_of(app) == "O...X...."
            await press(app, "n")
            assert board_of(app) == "O...X...."
            async for say in spoken(app):
                assert tells(app, say("offer-declined"))
            await press(app, "u", "y")
            assert board_of(app) == "....X...."
            async for say in spoken(app):
                assert tells(app, say("taken-back"))
            await press(app, "u")
            assert tells(app, app.say("accept-take-back-question", player=page_of(app).wording.player("O")))
            await press(app, "y")
            assert board_of(app) == "........."
            before = facts_of(page_of(app).session.match)
            await press(app, "u")
            assert facts_of(page_of(app).session.match) == before
            async for say in spoken(app):
                assert tells(app, say("refused-nothing-to-take-back"))
            assert_is_model(app, store)

    run(test())


@pytest.mark.slow
def test_trial_is_taken_back_without_question() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of()) as (app, _):
            await press(app, "5", "b", "1", "u")
            assert page_of(app).session.question is None
            assert board_of(app) == "....X...."

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize(("who", "moves"), [(("human", "rule"), "5"), (("rule", "human"), "")])
def test_take_back_against_computer_returns_own_move(who: tuple[str, str], moves: str) -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("tictactoe", *who), store=store) as (app, _):
            await press(app, *moves)
            first = board_of(app)
            free = next(str(place) for place, mark in enumerate(first, 1) if mark == ".")
            await press(app, free)
            assert board_of(app) != first
            await press(app, "u")
            assert board_of(app) == first
            assert_is_model(app, store)

    run(test())


# Draws and resignation


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["y", "n", "escape"])
def test_people_can_agree_to_a_draw(answer: str) -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of(), store=store) as (app, _):
            await press(app, "5", "d")
            assert tells(app, SAYS("offer-draw-question"))
            await press(app, "y")
            assert tells(app, SAYS("accept-draw-question", player="Ada (X)"))
            await press(app, answer)
            is_draw = answer == "y"
            assert page_of(app).session.is_over is is_draw
            assert tells(app, SAYS("over-draw" if is_draw else "offer-declined"))
            assert_is_model(app, store)

    run(test())


@pytest.mark.slow
def test_computer_declines_a_draw() -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("tictactoe", "human", "rule"), store=store) as (app, _):
            await press(app, "5", "d", "y")
            assert tells(app, SAYS("offer-declined"))
            assert not page_of(app).session.is_over
            assert_is_model(app, store)

    run(test())
    assert kinds(store) == [["move", "move", "offer", "decline"]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "yes", "no"),
    [("en", "y", "n"), ("ru", "д", "н"), ("zh-Hans", "y", "n"), ("zh-Hant", "是", "否")],
)
def test_resigning_asks_once(language: str, yes: str, no: str) -> None:
    store, say = MemoryStore(), SAY[language]

    async def test() -> None:
        async with open_app((60, 20), language, plan=plan_of(), store=store) as (app, _):
            await press(app, "5")
            question = say("resign-question", player=say("player-with-mark", name="Wei", mark="O"))
            for key in (no, no.upper(), "n", "escape", "q"):
                await press(app, "r")
                assert tells(app, question)
                await press(app, "1", "u", "enter", "space")  # None of these keys is an answer.
                assert tells(app, question)
                await press(app, key)
                assert not tells(app, question)
                assert not page_of(app).session.is_over
            await press(app, "r", yes)
            assert tells(app, say("end-resignation", loser="Wei"))
            assert_is_model(app, store)

    run(test())
    assert [stored.result.winner for stored in store.games() if stored.result] == ["X"]


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES.values())
def test_footer_shows_answers_during_a_question(size: tuple[int, int]) -> None:
    async def test() -> None:
        async with open_app(size, plan=plan_of()) as (app, _):
            await press(app, "r")
            async for say in spoken(app):
                footer = text_of(app)[-1].split()
                assert footer == [
                    *("y", say("answer-yes"), "n", say("answer-no")),
                    *("Esc", say("key-close")),
                ]
                assert seen(app).count(f"y {say('answer-yes')}") == 1
            await click_text(app, f"Esc {app.say('key-close')}")
            assert page_of(app).session.question is None

    run(test())


def test_language_theme_and_help_work_during_a_question() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of()) as (app, _):
            await press(app, "r", "L", "2", "f2", "f3", "f1", "escape")
            assert (app.say.language, app.preferences.theme, app.has_unicode) == ("ru", "light", False)
            assert page_of(app).session.question is not None
            await press(app, "Д")  # The letter of "yes" precedes that of the list of languages.
            assert page_of(app).session.is_over

    run(test())


@pytest.mark.slow
def test_question_can_be_clicked() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of()) as (app, _):
            await press(app, "5", "r")
            await click_text(app, SAYS("answer-no"))
            assert page_of(app).session.question is None
            assert not page_of(app).session.is_over
            await press(app, "r")
            await click_text(app, SAYS("answer-yes"))
            assert page_of(app).session.is_over

    run(test())


def test_offers_are_refused_after_the_end() -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of(), store=store) as (app, _):
            await press(app, *WIN)
            for key in ("d", "r", "5", "enter", "?"):
                await press(app, key)
                assert tells(app, SAYS("game-over")), key
                assert page_of(app).session.question is None
            assert_is_model(app, store)

    run(test())


# Special games


@pytest.mark.slow
def test_wild_game_asks_for_the_mark() -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("wild"), store=store) as (app, _):
            await press(app, "5")
            assert tells(app, SAYS("which-mark"))
            await press(app, "escape")
            assert board_of(app) == "........."
            await press(app, "enter", "o")
            assert board_of(app) == "....O...."
            await press(app, "1", "X")
            assert board_of(app) == "X...O...."
            await press(app, "9", "O", "3", "o", "7", "o")
            assert page_of(app).session.is_over
            assert_is_model(app, store)

    run(test())


def test_blocked_side_passes() -> None:
    store = MemoryStore()
    sitting = LocalTable(store, "reversi", Series(("Ada", "Wei")), {"Ada": "human", "Wei": "human"})
    sitting.begin(NOW)
    chance, game = Random(3), new_game("reversi")
    while True:  # Play at random until a side has to pass.
        legal = list(game.legal_moves())
        if legal == [PASS]:
            break
        game.play(chance.choice(legal))
        if game.is_over:
            game = new_game("reversi")
    for move in game.moves:
        assert sitting.match is not None
        sitting.apply(sitting.match.turn, MakeMove(move), NOW)

    async def test() -> None:
        async with open_app((60, 20), store=store) as (app, _):
            start_of(app).open(lambda: sitting)
            await settle(app)
            assert tells(app, SAYS("only-pass"))
            before, ply = board_of(app), page_of(app).session.latest.ply
            await press(app, "enter")
            assert page_of(app).session.latest.ply == ply + 1
            assert board_of(app) == before
            assert_is_model(app, store)
            await press(app, "u", "y", "u", "y")
            assert page_of(app).session.latest.ply == ply - 1

    run(test())


@pytest.mark.slow
def test_fifteen_is_solved_by_sliding() -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("fifteen"), store=store) as (app, _):
            playing = page_of(app).session
            for _ in range(6):
                move = next(iter(playing.latest.legal_moves()))
                ply = playing.latest.ply
                await press(app, "g", *playing.names.move(move), "enter", "enter")
                assert playing.latest.ply == ply + 1
            await press(app, "u")
            assert playing.latest.ply == 5
            assert_is_model(app, store)
            await press(app, "r", "y")
            assert playing.is_over

    run(test())


@pytest.mark.slow
def test_three_players_take_turns() -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("three"), store=store) as (app, _):
            for number, name in enumerate(("Ada", "Wei", "Жанна", "Ada")):
                assert tells(app, SAYS("is-to-move", player=name))
                await press(app, "enter", *(["left"] if number % 2 else ["up"]))
            assert sorted(board_of(app).replace(".", "")) == ["O", "X", "X", "Z"]
            await press(app, "d", "y", "y")
            assert tells(app, SAYS("accept-draw-question", player="Жанна (Z)"))
            await press(app, "y")
            assert page_of(app).session.is_over
            assert_is_model(app, store)

    run(test())


@pytest.mark.slow
def test_full_column_is_refused() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("connect4")) as (app, _):
            await press(app, *"4" * 6, "4")
            assert page_of(app).session.latest.ply == 6
            assert page_of(app).session.message is not None

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("size", [(20, 12), (40, 3)])
def test_answers_follow_the_question_without_room(size: tuple[int, int]) -> None:
    async def test() -> None:
        async with open_app(size, plan=plan_of()) as (app, _):
            await press(app, "r")
            assert seen(app).count(f"y {SAYS('answer-yes')}") == 1
            assert "yes" not in text_of(app)[-1] or size[1] == 3
            await click_text(app, f"y {SAYS('answer-yes')}")
            assert page_of(app).session.is_over

    run(test())
