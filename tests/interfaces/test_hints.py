"""Hints: the area, then the move, then the reason, and never a mistake."""

import pytest

from noughts.core.board import coordinate_of
from noughts.games.base import PASS, Game, Move
from noughts.games.catalogue import CATALOGUE, new_game
from noughts.games.notation import format_move, parse_move, parse_position, play_moves
from noughts.interfaces.presenting import hints
from noughts.interfaces.presenting.game_plan import PlayOptions
from noughts.interfaces.presenting.hints import Hint, find_area, find_hint, say_hint
from noughts.interfaces.presenting.i18n import Phrase
from noughts.interfaces.presenting.move_names import Names
from noughts.search.analysis import UNKNOWN, Analysis, Limit, MoveValue
from noughts.search.analyst import Analyst
from noughts.search.explain.reasons import MoveReason
from noughts.search.numba_backend import python_machine
from tests.interfaces.harness import PEOPLE, SAY, converse
from tests.strategies import play_at_random


def played(name: str, moves: str = "") -> Game:
    game = new_game(name)
    play_moves(game, moves.split())
    return game


def analyst() -> Analyst:
    return Analyst(machine=python_machine())


class Answers(Analyst):
    """An analyst with a fixed answer."""

    def __init__(self, found: Analysis) -> None:
        super().__init__()
        self.found = found

    def analyse(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        return self.found


# Hints at the console


def test_hints_give_area_then_move_then_reason() -> None:
    say = SAY["ru"]
    lines = converse(["1", "5", "2", "?", "?", "?", "?", "q"], language="ru").lines
    where = say.joined([say("look-column", number=3), say("hint-more")])
    which = say("hint", move=Phrase("cell", "3"))
    why = say.joined([which, say("reason-must-block", threats=Phrase("cell", "3"))])
    session = [line for line in lines if line in (where, which, why)]
    assert session == [where, which, why, why]


def test_hint_ladder_restarts_in_new_position() -> None:
    say = SAY["en"]
    more = say("hint-more")
    lines = converse(["?", "?", "5", "?", "u", "?", "?", "q"]).lines
    session = [line for line in lines if more in line or line.startswith("Hint: ")]
    first, other = (
        say.joined([say("look-row", number=2), more]),
        say.joined([say("look-row", number=1), more]),
    )
    assert session == [
        first,
        say("hint", move=Phrase("cell", "5")),
        other,
        first,
        say("hint", move=Phrase("cell", "5")),
    ]


def test_hints_work_on_huge_boards() -> None:
    lines = converse(["?", "?", "?", "q"], PlayOptions("70x70:5", PEOPLE)).lines
    say = SAY["en"]
    which = say("hint", move=Phrase("place", "aj35"))
    assert which in lines
    assert say.joined([which, say("reason-unknown")]) in lines
    assert any(line.startswith(say("look-cells", cells="aj35")[:20]) for line in lines)


# The choice of the move


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("name", ["tictactoe", "misere", "wild", "notakto", "3x3:3,gravity", "4x3:3", "3d"])
def test_hint_keeps_the_value(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "HINT_LIMIT", Limit(nodes=50_000))
    exact = analyst()
    for seed in range(6):
        game = new_game(name)
        play_at_random(game, seed, seed)
        if game.is_over:
            continue
        values = {known.move: known.value for known in exact.analyse(game).moves}
        assert None not in values.values()
        arguments = find_hint(game, analyst()).move
        assert values[arguments] == max(value for value in values.values() if value is not None)


def test_known_values_override_rule_player() -> None:
    game = played("5x5")
    moves = game.legal_moves()
    rule = find_hint(game, Answers(UNKNOWN)).move
    assert rule == (2, 2)
    loses = tuple(MoveValue(move, -1 if move == rule else None) for move in moves)
    other = find_hint(game, Answers(Analysis(None, None, None, 0, (), loses))).move
    assert other != rule
    assert game.weight(other) == max(game.weight(move) for move in moves if move != rule)
    wins = tuple(MoveValue(move, 1, 5 if move == (0, 1) else 7) for move in moves[:2])
    assert find_hint(game, Answers(Analysis(None, None, (4, 4), 0, (), wins))).move == (0, 1)
    assert find_hint(game, Answers(Analysis(None, None, (4, 4), 0))).move == (4, 4)
    lost = tuple(MoveValue(move, -1, 2) for move in moves)
    assert find_hint(game, Answers(Analysis(None, None, None, 0, (), lost))).move == rule


LOST = "h8 g11 i8 f10 j8 g8 j6 g10 k5 g9"
"""O has an open four: g12 and g7 complete the five."""


@pytest.mark.slow
@pytest.mark.parametrize("looks", [1, 200, 300])
def test_hint_in_lost_position_is_best_move(looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    left = iter(range(looks))
    monkeypatch.setattr(hints, "HINT_LIMIT", Limit(stop=lambda: next(left, None) is None))
    game = played("gomoku", LOST)
    best = analyst().analyse(game, Limit(nodes=50_000)).best
    assert best == parse_move(game, "g12")
    assert find_hint(game, analyst()).move == best


def test_hint_in_lost_position_loses_latest() -> None:
    game = played("5x5")
    moves = game.legal_moves()
    known = tuple(MoveValue(move, -1, 4 if place == 3 else 2) for place, move in enumerate(moves[:4]))
    unknown = tuple(map(MoveValue, moves[4:]))
    assert find_hint(game, Answers(Analysis(-1, 4, None, 0, (), known + unknown))).move == moves[3]


def test_puzzle_hint_is_a_solution_move() -> None:
    game = new_game("fifteen").at([*map(str, range(1, 14)), None, "14", "15"])
    hint = find_hint(game, analyst())
    assert (hint.move, hint.reason) == ((3, 2), MoveReason("on-the-way", {"plies": 2}))


def test_puzzle_hints_never_lead_back(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game("fifteen", seed=1)
    seen = [game.key()]
    for _ in range(6):
        game.play(find_hint(game, Answers(UNKNOWN)).move)
        assert game.key() not in seen[-2:]
        seen.append(game.key())


# Areas


def area(game: Game, move: str, first: int = 1) -> str:
    id_, data = find_area(game, parse_move(game, move), Names(game, first))
    return SAY["en"](id_, **data)


@pytest.mark.parametrize(
    ("name", "moves", "move", "where"),
    [
        ("tictactoe", "", "5", "Look at row 2."),
        ("tictactoe", "4 6", "5", "Look at column 2."),
        ("tictactoe", "4 6 2 8", "5", "It is one of these: cells 3, 5, 7."),
        ("tictactoe", "5 1 3 7 4 6 2 8", "9", "Only one move is left."),
        ("tictactoe", "5 1 3 7 4 6 2", "9", "It is one of these: cells 8, 9."),
        ("wild", "", "X1", "Look at row 1."),
        ("connect4", "4", "4", "Look at columns 3 to 5."),
        ("connect4", "4", "1", "Look at columns 1 to 2."),
        ("connect4", "4", "7", "Look at columns 6 to 7."),
        ("qubic", "1", "17", "Look at layer 2."),
        ("4d", "1", "41", "Look at layer 2.2."),
        ("score4", "", "6", "It is one of these: columns 5, 6, 7."),
        ("score4", "1", "6", "Look at layer 4."),
        ("gomoku", "", "h8", "Look at the middle."),
        ("gomoku", "", "a15", "Look at the top left."),
        ("gomoku", "", "h15", "Look at the top."),
        ("gomoku", "", "o15", "Look at the top right."),
        ("gomoku", "", "a8", "Look at the left."),
        ("gomoku", "", "o8", "Look at the right."),
        ("gomoku", "", "a1", "Look at the bottom left."),
        ("gomoku", "", "h1", "Look at the bottom."),
        ("gomoku", "", "o1", "Look at the bottom right."),
        ("gomoku", "h8", "i10", "Look near the last move, h8."),
        ("gomoku", "h8", "l10", "Look at the right."),
        ("ultimate", "", "41", "Look at the middle."),
        ("ultimate", "41", "31", "Look at row 4."),
        ("9x1:3", "1", "5", "It is one of these: cells 4, 5, 6."),
        ("reversi", "", "d3", "It is one of these: d3, c4, f5."),
    ],
)
def test_find_area_returns_smallest_area(name: str, moves: str, move: str, where: str) -> None:
    assert area(played(name, moves), move) == where


@pytest.mark.parametrize(
    ("name", "moves", "equals", "where"),
    [
        ("8x1:3", "1 2", "3 4 5 8", "It is one of these: cells 3, 4, 5, 8."),
        ("8x1:3", "1 2", "3 4 5 6 7 8", "All moves are worth the same."),
        (
            "30x1:3",
            "1 2",
            " ".join(map(str, range(3, 30))),
            "Many moves are equally good, such as cells 3, 4, 5.",
        ),
    ],
)
def test_area_includes_equal_moves(name: str, moves: str, equals: str, where: str) -> None:
    game = played(name, moves)
    good = [parse_move(game, text) for text in equals.split()]
    id_, data = find_area(game, good[0], Names(game), good)
    assert SAY["en"](id_, **data) == where


def test_hint_says_all_moves_are_equal() -> None:
    game = played("6x1:6", "1 2")
    hint = find_hint(game, analyst())
    assert list(hint.as_good) == list(game.legal_moves())
    assert say_hint(SAY["en"], game, Names(game), hint, 0).startswith(SAY["en"]("look-anywhere"))


@pytest.mark.parametrize(
    ("name", "moves", "move", "refuted", "where"),
    [
        ("connect4", "4", "4", "3", "Look at columns 4 to 5."),
        ("connect4", "4", "4", "3 5", "It is one of these: columns 2, 4, 6."),
        ("connect4", "4", "4", "1 2 3 5 6 7", "Only one move is left."),
        ("tictactoe", "", "5", "4 6", "Look at column 2."),
        ("tictactoe", "4 6", "5", "2 8", "It is one of these: cells 3, 5, 7."),
    ],
)
def test_area_excludes_refuted_moves(name: str, moves: str, move: str, refuted: str, where: str) -> None:
    """A puzzle once suggested columns 3 to 5 after column 3 had been tried."""
    game = played(name, moves)
    known = {parse_move(game, text) for text in refuted.split()}
    id_, data = find_area(game, parse_move(game, move), Names(game), refuted=known)
    assert SAY["en"](id_, **data) == where


def test_areas_use_letters_of_the_board() -> None:
    puzzle = new_game("fifteen")
    session = {area(puzzle, Names(puzzle).move(move)) for move in puzzle.legal_moves()}
    assert session <= {"Look at row 1.", "Look at column c.", "It is one of these: c2, b1, d1."}
    assert "Look at column c." in session or len(session) == 2


@pytest.mark.parametrize(
    ("moves", "move", "where"),
    [
        ("", "5", "Look at row 2."),
        ("", "1", "Look at row 3."),
        ("4 6", "5", "Look at column b."),
        ("4 6 2 8", "5", "It is one of these: c3, b2, a1."),
    ],
)
def test_hints_use_letters_on_request(moves: str, move: str, where: str) -> None:
    game = played("tictactoe", moves)
    names = Names(game, letters=True)
    hint = Hint(parse_move(game, move), MoveReason("must-block", {"threats": [(0, 0)]}))
    say = SAY["en"]
    which = say("hint", move=names.phrase(hint.move))
    why = say.joined([which, say("reason-must-block", threats=["a3"])])
    steps = [say_hint(say, game, names, hint, step) for step in range(4)]
    assert steps == [say.joined([where, say("hint-more")]), which, why, why]


def test_forced_pass_is_its_own_area() -> None:
    game = parse_position(new_game("reversi"), "XO....../" + "/".join(["........"] * 6) + "/......OX O")
    assert find_area(game, PASS, Names(game)) == ("look-pass", {})


@pytest.mark.parametrize("name", [entry.name for entry in CATALOGUE])
def test_area_never_reveals_the_move(name: str) -> None:
    game = new_game(name, seed=3)
    for plies in range(3):
        moves = list(game.legal_moves())
        for move in moves[:: max(1, len(moves) // 9)]:
            id_, data = find_area(game, move, Names(game))
            session = SAY["en"](id_, **data)
            assert "{" not in session
            if id_ == "look-cells":
                assert Names(game).move(move) in data["cells"].name
                assert len(data["cells"].name) == min(3, len(moves))
        play_at_random(game, plies, 1)


def test_areas_use_the_first_number() -> None:
    assert area(played("tictactoe", "5 1 3 7 4 6 2"), "8", first=0) == "It is one of these: cells 7, 8."


def test_every_kind_of_move_has_a_name() -> None:
    move: Move = coordinate_of((3, 3), 4)
    assert Names(new_game("tictactoe"), 0).move(move) == "4"
    assert Names(new_game("tictactoe"), 0).cell(move) == "4"
    assert Names(new_game("connect4")).cell((5, 3)) == "4"
    assert (
        Names(parse_position(new_game("reversi"), "XO....../" + "/".join(["........"] * 7) + " X")).move(PASS)
        == "pass"
    )


def test_area_of_many_moves_lists_only_equals() -> None:
    game = new_game("30x1:3,notakto")
    play_moves(game, ["10", "1", "3"])  # Then 2 completes a row and loses.
    moves = {int(format_move(game, move)): move for move in game.legal_moves()}
    equals = [move for number, move in moves.items() if number not in (2, 9, 11)]
    id_, data = find_area(game, moves[4], Names(game), equals)
    assert (id_, data["cells"].name) == ("look-such", ("4", "5", "6"))
    assert find_area(game, moves[6], Names(game), equals)[1]["cells"].name == ("5", "6", "7")
