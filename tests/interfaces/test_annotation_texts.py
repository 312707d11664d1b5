"""Annotations of a position in sentences."""

import pytest

from noughts import new_game
from noughts.drawing.view import field_owners
from noughts.games.base import Annotations, Game
from noughts.games.catalogue import all_entries
from noughts.games.kinarow import TicTacToe
from noughts.games.notation import parse_move
from noughts.interfaces.presenting.annotation_texts import position_notes
from noughts.interfaces.presenting.i18n import LANGUAGES, Translator
from noughts.interfaces.presenting.move_names import Names
from tests.interfaces.harness import SAY
from tests.strategies import play_at_random

EN = Translator("en")


def notes_after(name: str, typed: str, say: Translator = EN) -> list[str]:
    game = new_game(name)
    owners = field_owners(game)
    for text in typed.split():
        owners = field_owners(game)
        game.play(parse_move(game, text))
    return position_notes(say, Names(game), owners)


@pytest.mark.parametrize("name", ["tictactoe", "gomoku", "connect4", "torus", "3d"])
def test_open_position_has_no_notes(name: str) -> None:
    assert notes_after(name, "5 4") == []


def test_first_board_notes_joined_edges() -> None:
    torus, cylinder = Names(new_game("torus")), Names(new_game("5x4:4,wrap=x"))
    assert position_notes(EN, torus, is_first=True) == [EN("rule-wrap")]
    assert position_notes(EN, cylinder, is_first=True) == [EN("rule-wrap-x")]
    assert position_notes(EN, torus) == position_notes(EN, Names(new_game("3d")), is_first=True) == []


def test_vanishing_notes_name_marks_of_both_sides() -> None:
    assert notes_after("vanishing", "1 2 5 4 6 8") == ["Next to disappear: X on cell 1, O on cell 2."]


def test_vanishing_notes_agree_in_russian() -> None:
    assert notes_after("vanishing", "1 2 5 4 6", SAY["ru"]) == ["На очереди исчезнуть: X с клетки 1."]
    both = notes_after("vanishing", "1 2 5 4 6 8", SAY["ru"])
    assert both == ["На очереди исчезнуть: X с клетки 1, O с клетки 2."]


def test_forbidden_cell_note_has_reason() -> None:
    notes = notes_after("renju", "g8 a1 i8 c1 h9 e1 h7 g1")
    assert notes == ["Forbidden for X: h8 (two open threes)."]


def test_second_side_has_no_forbidden_cells() -> None:
    assert notes_after("renju", "g8 a1 i8 c1 h9 e1 h7") == []


def test_forced_field_has_a_note() -> None:
    assert notes_after("ultimate", "5") == ["Play in the field 4-24."]


def test_free_choice_of_field_has_a_note() -> None:
    """A position with a free choice once had no note, as if every empty cell were open."""
    game = new_game("ultimate")
    while game.outcome is None:
        free = len({divmod(row, 3)[0] * 3 + column // 3 for row, column in game.legal_moves()}) > 1
        assert (EN("play-in-any-field") in position_notes(EN, Names(game))) == (free and game.ply > 0)
        game.play(game.legal_moves()[0])
    assert EN("play-in-any-field") not in position_notes(EN, Names(game))


def test_won_field_is_noted_once() -> None:
    game = new_game("ultimate")
    play_at_random(game, 60, seed=3)
    text: list[str] = []
    replayed, owners = new_game("ultimate"), field_owners(new_game("ultimate"))
    for move in game.moves:
        replayed.play(move)
        notes = position_notes(EN, Names(replayed), owners)
        text += [note for note in notes if "won the field" in note or "is a draw" in note]
        owners = field_owners(replayed)
    assert len(text) == sum(owner is not None for owner in owners) > 0


def test_reversi_notes_list_flipped_marks() -> None:
    assert notes_after("reversi", "20") == [
        "Possible moves, with the number of marks flipped: c3 (1), e3 (1), c5 (1).",
        "X 4, O 1",
    ]


def test_unknown_annotation_has_no_note() -> None:
    class Strange(TicTacToe, same_rules=True):
        def annotations(self) -> Annotations:
            return Annotations({(0, 0): ("no:moon", "glows")}, {0: ("haunted",)}, {"X": ("luck:3",)})

    assert position_notes(EN, Names(Strange())) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_notes_exist_for_every_game_and_language(language: str) -> None:
    say = Translator(language)
    for entry in all_entries():
        game: Game = new_game(entry.name)
        play_at_random(game, 12, seed=5)
        for note in position_notes(say, Names(game)):
            assert "{" not in note
