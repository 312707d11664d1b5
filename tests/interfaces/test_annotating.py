"""What the rules make of a position is said, as well as drawn."""

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
def test_nothing_is_said_where_every_empty_cell_is_open(name: str) -> None:
    assert notes_after(name, "5 4") == []


def test_joined_edges_are_said_with_the_first_board() -> None:
    torus, cylinder = Names(new_game("torus")), Names(new_game("5x4:4,wrap=x"))
    assert position_notes(EN, torus, is_first=True) == [EN("rule-wrap")]
    assert position_notes(EN, cylinder, is_first=True) == [EN("rule-wrap-x")]
    assert position_notes(EN, torus) == position_notes(EN, Names(new_game("3d")), is_first=True) == []


def test_the_marks_that_leave_next_are_said_for_both_sides() -> None:
    assert notes_after("vanishing", "1 2 5 4 6 8") == ["Next to disappear: X on cell 1, O on cell 2."]


def test_in_russian_one_mark_leaves_and_several_leave() -> None:
    assert notes_after("vanishing", "1 2 5 4 6", SAY["ru"]) == ["На очереди исчезнуть: X с клетки 1."]
    both = notes_after("vanishing", "1 2 5 4 6 8", SAY["ru"])
    assert both == ["На очереди исчезнуть: X с клетки 1, O с клетки 2."]


def test_a_forbidden_cell_is_said_with_its_reason() -> None:
    notes = notes_after("renju", "g8 a1 i8 c1 h9 e1 h7 g1")
    assert notes == ["Forbidden for X: h8 (two open threes)."]


def test_nothing_is_forbidden_to_the_side_that_begins_second() -> None:
    assert notes_after("renju", "g8 a1 i8 c1 h9 e1 h7") == []


def test_the_field_in_which_one_must_play_is_said() -> None:
    assert notes_after("ultimate", "5") == ["Play in the field 4-24."]


def test_that_any_open_field_may_be_played_in_is_said_until_the_end() -> None:
    """Nothing was said, as on a board where every empty cell is open."""
    game = new_game("ultimate")
    while game.outcome is None:
        free = len({divmod(row, 3)[0] * 3 + column // 3 for row, column in game.legal_moves()}) > 1
        assert (EN("play-in-any-field") in position_notes(EN, Names(game))) == (free and game.ply > 0)
        game.play(game.legal_moves()[0])
    assert EN("play-in-any-field") not in position_notes(EN, Names(game))


def test_a_field_that_is_won_is_said_once() -> None:
    game = new_game("ultimate")
    play_at_random(game, 60, seed=3)
    said: list[str] = []
    replayed, owners = new_game("ultimate"), field_owners(new_game("ultimate"))
    for move in game.moves:
        replayed.play(move)
        notes = position_notes(EN, Names(replayed), owners)
        said += [note for note in notes if "won the field" in note or "is a draw" in note]
        owners = field_owners(replayed)
    assert len(said) == sum(owner is not None for owner in owners) > 0


def test_where_one_may_place_is_said_with_what_turns_over() -> None:
    assert notes_after("reversi", "20") == [
        "Possible moves, with the number of marks flipped: c3 (1), e3 (1), c5 (1).",
        "X 4, O 1",
    ]


def test_a_code_without_a_sentence_is_left_out() -> None:
    class Strange(TicTacToe, same_rules=True):
        def annotations(self) -> Annotations:
            return Annotations({(0, 0): ("no:moon", "glows")}, {0: ("haunted",)}, {"X": ("luck:3",)})

    assert position_notes(EN, Names(Strange())) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_is_told_in_every_language(language: str) -> None:
    say = Translator(language)
    for entry in all_entries():
        game: Game = new_game(entry.name)
        play_at_random(game, 12, seed=5)
        for note in position_notes(say, Names(game)):
            assert "{" not in note
