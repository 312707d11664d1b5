"""Moves of several parts: entered part by part, typed whole, named by letters."""

import re

import pytest

from noughts.games.base import PASS
from noughts.games.catalogue import BY_NAME, new_game
from noughts.games.notation import format_move, parse_move
from noughts.interfaces.presenting.game_plan import PlayOptions
from noughts.interfaces.presenting.move_builder import NextParts, cell_pointed_at, next_parts
from noughts.interfaces.presenting.move_names import Names, say_accepted
from tests.games.pairs import ENTRY, Pair, Pairs
from tests.interfaces.harness import EN, PEOPLE, SAY, converse


@pytest.fixture
def _pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BY_NAME, "pairs", ENTRY)


def test_next_parts_follow_chosen_parts() -> None:
    legal = Pairs().legal_moves()
    first = next_parts(legal)
    assert (len(first.cells), first.choices, len(first.moves)) == (9, (), len(legal))
    second = next_parts(legal, ((0, 0),))
    assert (second.cells, second.choices) == (((0, 1), (1, 0)), ())
    third = next_parts(legal, ((0, 0), (1, 0)))
    assert (third.cells, third.choices) == ((), ("mine", "yours"))
    whole = next_parts(legal, ((0, 0), (1, 0), "yours"))
    assert whole == NextParts((Pair((0, 0), (1, 0), "yours"),), (), ())
    assert next_parts([PASS]) == NextParts((PASS,), (), ("pass",))


def test_pointing_selects_the_landing_cell() -> None:
    game = new_game("7x6:4,gravity,wild")
    step = next_parts(game.legal_moves())
    assert cell_pointed_at(game, step, (2, 6)) == (5, 6)
    assert cell_pointed_at(game, next_parts(game.legal_moves(), ((5, 6),)), (2, 6)) is None
    pairs = Pairs()
    assert cell_pointed_at(pairs, next_parts(pairs.legal_moves(), ((0, 0),)), (2, 2)) is None


def test_move_of_several_parts_has_a_name() -> None:
    game = Pairs()
    move = Pair((0, 0), (1, 0), "yours")
    assert format_move(game, move) == Names(game).move(move) == "1-4-yours"
    names = Names(game, letters=True)
    assert names.move(move) == "a3-a2-yours"
    assert names.spell_parts(move.parts) == "a3 a2 yours"
    assert {parse_move(game, Names(game, letters=True).move(move)) for move in game.legal_moves()} == set(
        game.legal_moves()
    )
    assert names.example == "a3-b3-mine"
    game.play(move)
    assert say_accepted(EN, Names(game)) == EN("accepted-move", example="2-3-mine")


@pytest.mark.usefixtures("_pairs")
def test_console_accepts_whole_moves() -> None:
    say = SAY["ru"]
    typed = ["1-2-mine", "1-2-mine", "9", "b2-b1-yours", "6-9-mine", "7-4-mine"]
    session = converse(typed, PlayOptions(game="pairs", who=PEOPLE), language="ru")
    example = "1-2-mine"
    ada = say("player-with-mark", name=say("default-name-of", number=1), mark="X")
    assert say("prompt-move", player=ada, example=example) in session.output
    assert say("move-illegal-many", cell="1-2-mine") in session.output
    accepted = say("accepted-move", example="3-6-mine")
    assert say.joined([say("move-unreadable", text="9"), accepted]) in session.output
    (stored,) = session.store.games()
    moves = [event.data["move"] for event in stored.events if event.kind == "move"]
    assert moves == ["1-2-mine", "5-8-yours", "6-9-mine", "7-4-mine"]
    assert stored.result is not None
    assert stored.result.winner == "X"


def test_console_counts_reversi_marks() -> None:
    session = converse(["20", "q"], PlayOptions(game="reversi", who=PEOPLE))
    assert "X 2, O 2" in session.lines
    assert "X 4, O 1" in session.lines


def test_console_marks_vanishing_and_forbidden_cells() -> None:
    vanishing = converse([*"124587", "q"], PlayOptions(game="vanishing", who=PEOPLE))
    assert re.search(r"~ +X +~", vanishing.output)
    moves = ["h8", "a1", "h9", "a3", "g7", "a5", "f7", "a7", "h7", "q"]
    renju = converse(moves, PlayOptions(game="15x15:5,renju", who=PEOPLE))
    assert " #" in renju.output
    assert EN("cell-forbidden-33", cell="h7") in renju.output
