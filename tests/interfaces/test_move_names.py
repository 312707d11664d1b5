"""Names of moves and cells: by number, or by letter and number."""

import re

import pytest

from noughts.arena.match import Match
from noughts.games.base import PASS, Placement
from noughts.games.catalogue import CATALOGUE, new_game
from noughts.games.notation import parse_move
from noughts.games.reversi import Reversi
from noughts.interfaces.presenting.i18n import LANGUAGES, Phrase
from noughts.interfaces.presenting.match_texts import Wording
from noughts.interfaces.presenting.move_names import Names, say_accepted
from noughts.interfaces.presenting.players import about_player, describe_computer, player_offered
from noughts.interfaces.presenting.titles import rule_in_short, rules_in_short
from noughts.players.levels import LEVELS
from tests.interfaces.harness import EN, SAY


@pytest.mark.slow
@pytest.mark.parametrize("name", [entry.name for entry in CATALOGUE])
@pytest.mark.parametrize("letters", [False, True])
def test_move_names_can_be_typed(name: str, letters: bool) -> None:
    game = new_game(name, seed=5)
    names = Names(game, letters=letters)
    called = {names.move(move): move for move in game.legal_moves()}
    assert len(called) == len(game.legal_moves())
    assert all(parse_move(game, text) == move for text, move in called.items())
    assert "{" not in say_accepted(EN, names)


@pytest.mark.parametrize(
    ("name", "has_letters", "may_have"),
    [
        ("tictactoe", False, True),
        ("ultimate", False, True),
        ("reversi", True, True),
        ("gomoku", True, True),
        ("fifteen", True, True),
        ("connect4", False, False),
        ("3x3:3,gravity", False, False),
        ("3d", False, True),
        ("qubic", False, True),
        ("4d", False, True),
        ("score4", False, False),
        ("9:3", False, False),
    ],
)
def test_letters_need_a_board_without_gravity(name: str, has_letters: bool, may_have: bool) -> None:
    game = new_game(name, seed=1)
    assert Names(game).has_letters is has_letters
    assert Names(game, letters=True).has_letters is may_have


def test_names_use_letters_on_request() -> None:
    names = Names(new_game("wild"), letters=True)
    assert names.move(Placement((0, 0), "O")) == "Oa3"
    assert names.cell((2, 2)) == names.cell_at(8) == "c1"
    assert Names(new_game("tictactoe"), 0).cell_at(8) == "8"
    assert Names(new_game("connect4"), 0).cell_at(8) == Names(new_game("connect4")).cell_at(1) == "2"
    assert Names(new_game("score4")).cell_at(63) == "16"
    assert names.range == (1, 9)
    assert say_accepted(EN, names) == EN(
        "accepted-marked-letters", first=1, last=9, marks=("X", "O"), cell="b2"
    )
    assert Names(new_game("qubic"), letters=True).example_of_cell == "2b2"
    assert Names(new_game("9:3")).example_of_cell == "2"


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("connect4", "Connect Four: marks fall."),
        ("4x4x4:4,wrap", "4×4×4: 4 in a row, joined sides."),
        ("9x8:5,exact,gravity", "9×8: exactly 5 in a row, marks fall."),
        ("5x4:3,misere,wild", "5×4: 3 in a row loses, either mark."),
        ("5x5:4,vanish=5", "5×5: 4 in a row, 5 marks each."),
        ("5x5:4,misere,wrap=x", "5×5: 4 in a row loses, left and right joined."),
        ("4x3:3,wrap=y", "4×3: 3 in a row, top and bottom joined."),
    ],
)
def test_rule_in_short_describes_games(name: str, answer: str) -> None:
    assert rule_in_short(EN, new_game(name)) == answer
    assert rules_in_short(EN, new_game(name))[-1] == answer


def test_external_rules_have_no_short_name() -> None:
    class Other(Reversi):
        NAME = "other"

    assert rule_in_short(EN, Other()) == ""
    joined = new_game("3x3x3:3,misere,wrap=xz")
    assert rule_in_short(EN, joined) == ""
    assert rule_in_short(EN, joined, shows_edges=True) == "3×3×3: 3 in a row loses, some sides joined."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_level_has_name_and_description(language: str) -> None:
    say, levels = SAY[language], [f"level:{number}" for number in LEVELS]
    offered = [player_offered(say, who) for who in levels]
    assert len(set(offered)) == len({about_player(say, who) for who in levels}) == len(levels)
    for who, called in zip(levels, offered, strict=True):
        assert called in describe_computer(say, who)
        assert about_player(say, who) in describe_computer(say, who)


def test_external_player_keeps_its_name() -> None:
    say = SAY["en"]
    assert (player_offered(say, "own:7"), about_player(say, "own:7")) == ("own:7", say("player-foreign"))


def test_columns_in_space_show_landing_cells() -> None:
    score4 = new_game("score4")
    assert Names(score4).table_line([(3, 3, 0), (3, 0, 1)]) == "13 (4a1) 2 (4b4)"
    wild = new_game("3x3x3:3,wild")
    first = wild.legal_moves()[0]
    assert Names(wild).table_line([first]) == Names(wild).move(first)
    assert Names(new_game("tictactoe")).table_line([(0, 0), (1, 1)]) == "1 5"


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(
    "spec",
    ["3x3:3", "7x6:4,gravity", "7x6:4,gravity,wild", "4x4x4:4,gravity,wild", "4x4x4:4,gravity", "4x4:3,wild"],
)
def test_example_is_a_legal_move(spec: str, first: int) -> None:
    game = new_game(spec)
    names = Names(game, first)
    wording = Wording(EN, Match(game), {"X": "Ada", "O": "Wei"}, {}, names)
    for sentence in (wording.accepted(), wording.prompt("X")):
        for example in re.findall(r"such as ([^\s;,.()]+)", sentence):
            assert parse_move(game, example, first) in game.legal_moves(), sentence
    low, high = names.range
    for number in (low, high):
        marked = f"X{number}" if "wild" in spec else str(number)
        assert parse_move(game, marked, first) in game.legal_moves()
    assert f"from {low} to {high}" in wording.accepted()


@pytest.mark.parametrize(
    ("language", "free", "line"),
    [
        ("en", "cell 2 (1b4), cell 3 (1c4)", "column 13 (4a1), column 2 (4b4)"),
        ("ru", "клетка 2 (1b4), клетка 3 (1c4)", "столбец 13 (4a1), столбец 2 (4b4)"),
        ("zh-Hans", "第 2 格（1b4）、第 3 格（1c4）", "第 13 列（4a1）、第 2 列（4b4）"),
        ("zh-Hant", "第 2 格（1b4）、第 3 格（1c4）", "第 13 直排（4a1）、第 2 直排（4b4）"),
    ],
)
def test_several_cells_in_space_keep_their_places(language: str, free: str, line: str) -> None:
    """In Chinese a single cell was 第 2 格（1b4）, several were 第 2 (1b4)、3 (1c4) 格."""
    say = SAY[language]
    assert say.phrase(Names(new_game("qubic")).phrase((0, 0, 1), (0, 0, 2))) == free
    assert say.phrase(Names(new_game("score4")).line_phrase([(3, 3, 0), (3, 0, 1)])) == line


@pytest.mark.parametrize(
    ("language", "row", "line", "places"),
    [
        ("en", "cells 1 5 9", "columns 4 5", "h8 i9"),
        ("ru", "клетки 1 5 9", "столбцы 4 5", "h8 i9"),
        ("zh-Hans", "第 1、5、9 格", "第 4、5 列", "h8 i9"),
        ("zh-Hant", "第 1、5、9 格", "第 4、5 直排", "h8 i9"),
    ],
)
def test_ordered_numbers_use_language_separator(language: str, row: str, line: str, places: str) -> None:
    """The Chinese text was once 第 1 5 9 格."""
    say = SAY[language]
    assert say.phrase(Names(new_game("tictactoe")).row([(0, 0), (1, 1), (2, 2)])) == row
    assert say.phrase(Names(new_game("connect4")).line_phrase([(5, 3), (5, 4)])) == line
    assert say.phrase(Names(new_game("gomoku")).line_phrase([(7, 7), (6, 8)])) == places


@pytest.mark.parametrize(
    ("language", "answer"),
    [
        ("en", "b2, a pass, a1"),
        ("ru", "b2, пропуск хода, a1"),
        ("zh-Hans", "b2、跳过、a1"),
        ("zh-Hant", "b2、跳過、a1"),
    ],
)
def test_phrase_separates_pass_from_cells(language: str, answer: str) -> None:
    """The text was once "cells 10 pass 1", with the English word in every language."""
    names, moves = Names(new_game("reversi")), ((1, 1), PASS, (0, 0))
    assert names.phrase(*moves) == names.line_phrase(moves)
    assert SAY[language].phrase(names.phrase(*moves)) == answer
    assert names.phrase(PASS) == names.line_phrase([PASS]) == Phrase("pass", "pass")
