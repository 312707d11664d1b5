"""Every claim of every reason, compared with exact values for every move of every position."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Any, ClassVar

import pytest

from noughts import KInARow, TicTacToe, new_game
from noughts.core.geometry import Line, lines
from noughts.games.base import PASS, Game, Move, Outcome, Placement, Purpose, Termination
from noughts.games.notation import parse_position
from noughts.games.pure import PureGame
from noughts.search.analysis import UNKNOWN, Analysis, MoveValue
from noughts.search.explain.reasons import RESULTS, Explainer, MoveReason, explain
from tests.search.oracle import Position, Worth, goodness, positions_of
from tests.search.reason_keys import KEYS
from tests.weekly import each_week_all

NOTHING = Analysis(None, None, None, 0)

GAMES = (
    ("tictactoe", 1),
    ("misere", 5),
    ("notakto", 1),
    ("4x2:3,wild", 17),
    ("4x3:3,gravity", 7),
    ("3x4:3,gravity,misere", 29),
    ("3x2:2,exact", 1),
    ("3x3:2,wrap,exact", 7),
    ("7:2,exact", 1),
    ("2x2x2:2,gravity", 1),
    ("3x2:2,wild,misere", 3),
    ("4x2:1", 1),
)
"""Games, each with n if every n-th position is checked."""


@dataclass
class Case:
    """A move with its reason and the exact values of its position."""

    position: Position
    move: Move
    worth: Worth
    after: Position
    data: dict[str, Any]
    table: dict[object, Position]

    @property
    def best(self) -> Worth:
        return self.position.worth

    @property
    def others(self) -> list[Worth]:
        return [worth for move, worth in self.position.moves.items() if move != self.move]

    def made(self, position: Position, move: Move) -> Position:
        position.game.play(move)
        key = position.game.key()
        position.game.undo()
        return self.table[key]

    @property
    def outcome(self) -> Outcome | None:
        game = self.position.game.copy()
        game.play(self.move)
        return game.outcome


def winning(position: Position) -> set[Move]:
    return {move for move, worth in position.moves.items() if worth == Worth(1, 1)}


def as_plies(worth: Worth) -> int | None:
    return worth.plies if worth.value else None


def line_cells(case: Case) -> set[Any]:
    assert case.outcome is not None
    return {cell for line in case.outcome.lines for cell in line.cells}


def stands(case: Case, threat: Move) -> bool:
    """Return True if *threat* is open already and at most one reply stops it from winning next."""
    replies = list(case.after.moves)
    missed = sum(threat not in winning(case.made(case.after, reply)) for reply in replies)
    return threat in replies and missed <= 1 and not winning(case.after)


def makes_double_threat(case: Case) -> bool:
    threats = set(case.data["threats"])
    return (
        case.worth == Worth(1, 3)
        and len(threats) > 1
        and all(stands(case, threat) for threat in threats)
        and all(threats & winning(case.made(case.after, reply)) for reply in case.after.moves)
    )


def must_block(case: Case) -> bool:
    """Check that the threats are open, and win after all other moves that continue but not after this one."""
    elsewhere = [case.made(case.position, move) for move in case.position.moves if move != case.move]
    going_on = [winning(after) for after in elsewhere if after.game.outcome is None]
    return (
        bool(case.data["threats"])
        and bool(going_on)
        and not winning(case.after)
        and all(set(case.data["threats"]) <= replies for replies in going_on)
        and set(case.data["threats"]) <= set(case.position.moves)
        and case.data.get("result", RESULTS[case.worth.value]) == RESULTS[case.worth.value]
        and case.data.get("plies", as_plies(case.worth)) == as_plies(case.worth)
    )


def is_trap(case: Case) -> bool:
    right = [move for move, worth in case.after.moves.items() if worth.value == case.after.worth.value]
    of = len(case.after.moves)
    data = {"result": RESULTS[case.best.value], "right": 1, "of": of, "reply": right[0]}
    return case.worth.value == case.best.value and len(right) == 1 < of and case.data == data


def lets_win(case: Case) -> bool:
    reply, plies = case.data.get("reply"), case.data.get("plies")
    return (
        case.worth.value == -1
        and case.data.get("result", "win") != "loss"
        and case.data.get("result", RESULTS[case.best.value]) == RESULTS[case.best.value]
        and (plies is None or plies == case.worth.plies)
        and (reply is None or case.after.moves[reply] == Worth(1, case.worth.plies - 1))
    )


def lost_anyway(case: Case) -> bool:
    reply = case.data.get("reply")
    return (
        case.best.value == -1
        and case.data.get("plies", case.worth.plies) == case.worth.plies
        and (reply is None or (reply in winning(case.after) and case.worth.plies == 2))
    )


def named_best(case: Case, key: str) -> bool:
    """Return True if ``best`` wins in the given plies and no move wins sooner."""
    best = case.position.moves[case.data["best"]]
    return best.value == 1 and case.data.get(key, best.plies) == best.plies


def develops(case: Case) -> bool:
    game = case.position.game
    assert isinstance(game, KInARow)
    cell, mark = case.move if isinstance(case.move, Placement) else (case.move, game.turn)
    rules = game.rules
    fillable = []
    for line in lines(rules.shape, rules.k, rules.geometry.joined):
        marks = [game[other] for other in line.cells]
        too_long = rules.exact and mark in marks_beside(game, line)
        if cell in line.cells and {*marks} <= {mark, None} and not too_long:
            fillable.append(marks.count(mark))
    return case.data == {"open_lines": len(fillable), "own": max(fillable, default=0)}


def marks_beside(game: KInARow, line: Line) -> set[str | None]:
    """Return the contents of the cells before and after a line."""
    marks = set()
    for end, sign in ((line.cells[0], -1), (line.cells[-1], 1)):
        cell = tuple(part + sign * by for part, by in zip(end, line.step, strict=True))
        if game.rules.wrap:
            cell = tuple(part % side for part, side in zip(cell, game.shape, strict=True))
        if all(0 <= part < side for part, side in zip(cell, game.shape, strict=True)):
            marks |= set() if cell in line.cells else {game[cell]}
    return marks


def keeps(value: int) -> Callable[[Case], bool]:
    return lambda case: case.worth.value == case.best.value == value


CLAIMS: dict[str, Callable[[Case], bool]] = {
    "wins-now": lambda case: case.worth == Worth(1, 1) and set(case.data["cells"]) == line_cells(case),
    "loses-now": lambda case: case.worth == Worth(-1, 1) and set(case.data["cells"]) == line_cells(case),
    "ends-draw": lambda case: case.worth == Worth(0, 1) and case.outcome is not None,
    "only-legal": lambda case: (
        not case.others
        and case.data.get("result", RESULTS[case.worth.value]) == RESULTS[case.worth.value]
        and case.data.get("plies", as_plies(case.worth)) == as_plies(case.worth)
    ),
    "double-threat": makes_double_threat,
    "must-block": must_block,
    "only-move": lambda case: (
        case.data["result"] == RESULTS[case.worth.value] == RESULTS[case.best.value]
        and case.data["others"] == RESULTS[max(other.value for other in case.others)] != case.data["result"]
        and case.data.get("plies", as_plies(case.worth)) == as_plies(case.worth)
    ),
    "only-hope": lambda case: {other.value for other in case.others} == {-1},
    "forces-win": lambda case: (
        keeps(1)(case)
        and case.data.get("plies", case.worth.plies) == case.worth.plies
        and case.data.get("moves", (case.worth.plies + 1) // 2) == (case.worth.plies + 1) // 2
    ),
    "slower-win": lambda case: (
        keeps(1)(case)
        and case.data.get("plies", case.worth.plies) == case.worth.plies > case.data["best_plies"]
        and named_best(case, "best_plies")
    ),
    "gives-up-win": lambda case: case.worth.value == 0 and named_best(case, "plies"),
    "lets-win": lets_win,
    "keeps-draw": keeps(0),
    "sure-draw": lambda case: case.worth.value == 0,
    "sets-trap": is_trap,
    "longest-defence": lambda case: (
        keeps(-1)(case)
        and case.data["plies"] == case.worth.plies >= max(other.plies for other in case.others)
        and min(other.plies for other in case.others) < case.worth.plies
    ),
    "lost-anyway": lost_anyway,
    "other-wins": lambda case: named_best(case, "plies"),
    "threatens": lambda case: all(stands(case, threat) for threat in case.data["threats"]),
    "development": develops,
    "unknown": lambda case: not case.data,
}


def exact_analysis(position: Position, chance: Random | None = None) -> Analysis:
    """Return the exact analysis of a position, or a random part of it."""

    def known() -> bool:
        return chance is None or chance.random() < 0.5

    moves = tuple(
        MoveValue(move, worth.value, as_plies(worth) if known() else None) if known() else MoveValue(move)
        for move, worth in position.moves.items()
    )
    if not position.moves or not known():
        return Analysis(None, None, None, 0, moves=moves)
    best = max(position.moves, key=lambda move: goodness(position.moves[move]))
    plies = as_plies(position.worth) if known() else None
    return Analysis(position.worth.value, plies, best, 0, moves=moves)


def cases_of(
    name: str, every: int, known: Callable[[Position], Analysis], *, ask: bool
) -> Iterator[tuple[Case, MoveReason]]:
    table = positions_of(name)

    def analyse(game: Game) -> Analysis:
        return exact_analysis(table[game.key()])

    for position in islice(table.values(), 0, None, every):
        before = (position.game.key(), position.game.moves)
        reasons = explain(position.game, known(position), analyse if ask else None)
        assert (position.game.key(), position.game.moves) == before
        assert list(reasons) == list(position.game.legal_moves())
        for move, reason in reasons.items():
            case = Case(position, move, position.moves[move], position, reason.data, table)
            case.after = case.made(position, move)
            yield case, reason


def assert_true(case: Case, reason: MoveReason) -> None:
    always, sometimes = KEYS[reason.code]
    assert {*always} <= reason.data.keys() <= {*always, *sometimes}, (case.move, reason)
    assert CLAIMS[reason.code](case), (case.position.game.cells, case.move, reason)


def expected(case: Case) -> str:
    """Return the expected code of a move if everything is known."""
    value, best = case.worth.value, case.best.value
    if case.worth == Worth(1, 1):
        return "wins-now"
    if case.worth == Worth(-1, 1):
        return "loses-now"
    if value < best:
        return "gives-up-win" if value == 0 else "lets-win"
    if case.outcome is not None:
        return "ends-draw"
    if not case.others:
        return "only-legal"
    if value == 1 and case.worth.plies > case.best.plies:
        return "slower-win"
    threats = [move for move in case.after.moves if case.worth == Worth(1, 3) and stands(case, move)]
    if makes_double_threat(replace(case, data={"threats": threats})):
        return "double-threat"
    if any(must_block(replace(case, data={"threats": [move]})) for move in case.position.moves):
        return "must-block"
    if all(other.value < value for other in case.others):
        return "only-move"
    plies = [other.plies for other in case.others]
    if value == -1 and min(plies) < case.worth.plies >= max(plies):
        return "longest-defence"
    right = [worth for worth in case.after.moves.values() if worth.value == -value]
    if value < 1 and len(right) == 1 < len(case.after.moves) and not winning(case.after):
        return "sets-trap"
    return {1: "forces-win", 0: "keeps-draw", -1: "lost-anyway"}[value]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "every"), each_week_all(GAMES, 2))
def test_reasons_are_true_with_full_analysis(name: str, every: int) -> None:
    for case, reason in cases_of(name, every, exact_analysis, ask=True):
        assert_true(case, reason)
        assert reason.code == expected(case), (case.position.game.cells, case.move, reason)
        if reason.code == "lets-win":
            assert set(reason.data) == {"reply", "plies", "result"}
        if reason.code in ("forces-win", "lost-anyway"):
            assert "plies" in reason.data


@pytest.mark.slow
@pytest.mark.parametrize(("name", "every"), [(name, 3 * every) for name, every in GAMES])
def test_reasons_are_true_with_partial_analysis(name: str, every: int) -> None:
    chance = Random(name)
    for case, reason in cases_of(name, every, lambda _: NOTHING, ask=False):
        assert_true(case, reason)
    for case, reason in cases_of(name, every, lambda each: exact_analysis(each, chance), ask=False):
        assert_true(case, reason)


ELSEWHERE = {
    *("on-the-way", "detour", "wins-field", "takes-corner", "sends", "leaves", "leaves-pass"),
    "opening",
}
"""The codes of other games than k in a row, and of openings."""


@pytest.mark.slow
def test_every_reason_code_is_used() -> None:
    chance = Random(5)
    used: Counter[str] = Counter()
    for known in (exact_analysis, lambda each: exact_analysis(each, chance), lambda _: NOTHING):
        for name, every in (("tictactoe", 13), ("misere", 29), ("4x3:3,gravity", 37)):
            used.update(reason.code for _, reason in cases_of(name, every, known, ask=True))
    assert set(KEYS) - set(used) == ELSEWHERE
    assert set(CLAIMS) | ELSEWHERE == set(KEYS)


def explained(game: Game, known: Analysis = NOTHING) -> dict[Move, MoveReason]:
    reasons = explain(game, known)
    for reason in reasons.values():
        always, sometimes = KEYS[reason.code]
        assert set(always) <= set(reason.data) <= {*always, *sometimes}
    return reasons


def test_explain_selected_moves_only() -> None:
    assert set(explain(TicTacToe(), NOTHING, moves=[(1, 1), (0, 2)])) == {(0, 2), (1, 1)}


def test_only_hope_when_all_others_lose() -> None:
    moves = [MoveValue(move, -1, 4) for move in TicTacToe().legal_moves() if move != (1, 1)]
    reasons = explained(TicTacToe(), Analysis(None, None, None, 0, moves=(MoveValue((1, 1)), *moves)))
    assert reasons[1, 1] == MoveReason("only-hope")


def test_ended_game_has_no_reasons() -> None:
    game = new_game("1x1:1")
    game.play((0, 0))
    assert explain(game, NOTHING) == {}


def test_reasons_of_three_sides() -> None:
    game = parse_position(new_game("three"), "XXX../OOO../ZZ.../Z..../..... X")
    reasons = explained(game)
    assert reasons[0, 3] == MoveReason("wins-now", {"cells": ((0, 0), (0, 1), (0, 2), (0, 3))})
    assert reasons[4, 4] == MoveReason("other-wins", {"best": (0, 3), "plies": 1})
    game = parse_position(new_game("three"), "XX.../OOO../ZZZ../X..../..... X")
    reasons = explained(game, Analysis(-1, 2, None, 0))  # such a claim is impossible with three sides
    assert reasons[1, 3] == MoveReason("must-block", {"threats": ((1, 3),)})
    assert reasons[2, 3] == MoveReason("lets-win", {"reply": (1, 3), "plies": 2})
    game = parse_position(new_game("three"), "XX.../OO.../ZZZ../X..../.O... X")
    assert explained(game)[2, 3] == MoveReason("development", {"open_lines": 3, "own": 1})


def test_last_move_of_three_sides_draws() -> None:
    game = new_game("3x1:3,players=3")
    game.play((0, 0))
    game.play((0, 1))
    assert explained(game)[0, 2] == MoveReason("ends-draw")


def test_puzzle_moves_have_reasons() -> None:
    game = parse_position(new_game("fifteen"), "1,2,3,4/5,6,7,8/9,10,11,12/13,14,.,15")
    assert explained(game)[2, 2] == MoveReason("unknown")
    values = [MoveValue((2, 2), 1, 3), MoveValue((3, 1), 1, 3)]
    reasons = explained(game, Analysis(1, 1, (3, 3), 0, moves=tuple(values)))
    assert reasons[3, 3] == MoveReason("wins-now", {"cells": ()})
    assert reasons[2, 2] == MoveReason("detour", {"plies": 3, "best": (3, 3), "best_plies": 1})
    game.play((2, 2))
    values = [MoveValue((3, 2), 1, 2), MoveValue((2, 1), 1, 4), MoveValue((2, 3)), MoveValue((1, 2), 1, 4)]
    reasons = explained(game, Analysis(1, 2, (3, 2), 0, moves=tuple(values)))
    assert reasons[3, 2] == MoveReason("on-the-way", {"plies": 2})
    assert reasons[2, 1] == MoveReason("detour", {"plies": 4, "best": (3, 2), "best_plies": 2})
    assert reasons[2, 3] == MoveReason("unknown")


def test_ultimate_reasons_name_the_next_field() -> None:
    game = new_game("ultimate")
    assert explained(game)[4, 6] == MoveReason("sends", {"field": ((5, 0), (3, 2)), "replies": 9})
    rows = "....X..../.O...O.X./........./....O..../......O.X/..X.XX.OO/X.......O/..X..X.../...O..O.X O"
    for open_field, move, code in (("9", (7, 7), "wins-field"), ("-", (0, 0), "sends")):
        assert explained(parse_position(game, f"{rows} {open_field}"))[move].code == code
    rows = "..O.X..../.O.O.O.X./O....O.../.X..O.XX./.....OO.X/..X.XX.OO/X.....X.O/.XX..X..O/...O..O.X X"
    assert parse_position(game, f"{rows} 3").purpose_of((0, 6)) == Purpose("leaves", {"replies": 44})


def test_reversi_reasons_count_replies() -> None:
    assert explained(new_game("reversi"))[2, 3] == MoveReason("leaves", {"replies": 3})
    game = parse_position(new_game("reversi"), ".OX...../........" + "/........" * 5 + "/......OX X")
    assert game.purpose_of((0, 0)) == Purpose("takes-corner")
    rows = "XOOOOO.O/XOOOOO.O/XOOOOOOO/XO.XOOO./OOOOXXOX/.OOOOOOX/.O.OOOOX/...O..OX X"
    assert parse_position(game, rows).purpose_of((3, 2)) == Purpose("leaves-pass")


def test_closed_lines_are_no_reason() -> None:
    game = parse_position(new_game("three"), "XX.../OO.../ZZZ../X..../.O... X")
    codes = {reason.code for reason in explained(game).values()}
    assert codes <= {"development", "lets-win", "threatens", "unknown", "must-block", "wins-now"}
    closed = [reason for reason in explained(game).values() if reason.data.get("open_lines") == 0]
    assert closed == []


def test_pass_has_a_reason() -> None:
    """X cannot turn any mark and must pass; O then wins by taking the last mark of X."""
    game = parse_position(new_game("reversi"), "OX....../........" + "/........" * 6 + " X")
    assert game.legal_moves() == [PASS]
    assert explained(game) == {PASS: MoveReason("only-legal", {"result": "loss", "plies": 2})}


def test_reasons_with_vanishing_marks() -> None:
    """The oldest mark vanishes before lines are checked, and no line is closed for good."""
    game = new_game("vanishing")
    assert explained(game)[1, 1] == MoveReason("unknown")
    for cell in [(0, 0), (1, 0), (0, 1), (1, 1), (2, 2), (2, 0)]:
        game.play(cell)
    reasons = explained(game)
    assert reasons[0, 2] == MoveReason("must-block", {"threats": ((0, 2),)})
    assert reasons[1, 2] == MoveReason("lets-win", {"reply": (0, 2), "plies": 2})


def test_immediate_outcome_overrides_analysis() -> None:
    """A third repetition ends the game, whatever the value of the position would be."""
    game = new_game("vanishing")
    own, other = [(0, 0), (0, 1), (1, 2), (2, 0)], [(0, 2), (1, 0), (2, 1), (2, 2)]
    for turn in range(21):
        game.play((other if turn % 2 else own)[turn // 2 % 4])
    known = Analysis(1, 5, (1, 1), 0, moves=(MoveValue((1, 1), 1, 5),))
    assert explained(game, known)[2, 1] == MoveReason("gives-up-win", {"best": (1, 1), "plies": 5})
    known = Analysis(1, 5, (2, 1), 0, moves=(MoveValue((2, 1), 1, 5),))
    assert explained(game, known)[2, 1] == MoveReason("ends-draw")


def test_large_board_reasons_look_one_move_deep() -> None:
    game = new_game("4097:2")
    game.play((0,))
    game.play((4,))
    reasons = explain(game, NOTHING, moves=[(1,), (9,)])
    assert reasons == {
        (1,): MoveReason("wins-now", {"cells": ((0,), (1,))}),
        (9,): MoveReason("other-wins", {"best": (1,), "plies": 1}),
    }


def test_win_of_unknown_length_is_slower() -> None:
    game = parse_position(new_game("4x4:3"), "XX../O.../O.../.... X")
    reasons = explained(game, Analysis(1, 1, (0, 2), 0, moves=(MoveValue((3, 0), 1),)))
    assert reasons[3, 0] == MoveReason("slower-win", {"best": (0, 2), "best_plies": 1})


def test_best_win_has_known_length() -> None:
    game = TicTacToe()
    values = (MoveValue((0, 0), 1), MoveValue((0, 1), 1, 7), MoveValue((0, 2), 1, 5), MoveValue((1, 1), 0))
    reasons = explained(game, Analysis(None, None, None, 0, moves=values))
    assert reasons[1, 1] == MoveReason("gives-up-win", {"best": (0, 2), "plies": 5})
    assert reasons[2, 2] == MoveReason("other-wins", {"best": (0, 2), "plies": 5})
    assert reasons[0, 1] == MoveReason("slower-win", {"best": (0, 2), "best_plies": 5, "plies": 7})
    assert reasons[0, 0] == MoveReason("forces-win")


def test_won_position_without_known_winning_move() -> None:
    """Strategy stealing is an example."""
    reasons = explained(TicTacToe(), Analysis(1, None, None, 0, moves=(MoveValue((0, 0), 0),)))
    assert reasons[0, 0] == MoveReason("sure-draw")
    assert reasons[1, 1] == MoveReason("development", {"open_lines": 4, "own": 0})


def test_every_move_of_lost_position_loses() -> None:
    reasons = explained(TicTacToe(), Analysis(-1, None, None, 0))
    assert set(reasons) == set(TicTacToe().legal_moves())
    assert all(reason == MoveReason("lost-anyway") for reason in reasons.values())


def test_unproved_replies_are_left_out() -> None:
    game = TicTacToe()
    known = Analysis(None, None, None, 0, moves=(MoveValue((0, 0), -1), MoveValue((1, 1), 0)))
    reasons = explain(game, known, lambda after: Analysis(None, None, (2, 2), 0))
    assert reasons[0, 0] == MoveReason("lets-win")
    reasons = explain(game, known, lambda after: Analysis(1, 4, (2, 2), 0))
    assert reasons[0, 0] == MoveReason("lets-win", {"reply": (2, 2)})


def test_trap_needs_proof_against_other_replies() -> None:
    game = TicTacToe()
    moves = tuple(MoveValue(move, 0) for move in game.legal_moves())

    def answered(*values: int | None) -> MoveReason:
        def analyse(after: Game) -> Analysis:
            reply_values = (0, *(-1 for _ in range(7 - len(values))), *values)
            replies = zip(after.legal_moves(), reply_values, strict=True)
            return Analysis(0, None, None, 0, moves=tuple(MoveValue(*reply) for reply in replies))

        return explain(game, Analysis(0, None, None, 0, moves=moves), analyse, [(1, 1)])[1, 1]

    assert answered() == MoveReason("sets-trap", {"result": "draw", "right": 1, "of": 8, "reply": (0, 0)})
    assert answered(None) == answered(0) == answered(1, -1) == MoveReason("keeps-draw")


class Duel(PureGame[tuple[int, ...]]):
    """A game of X, then O; O wins by the listed replies, and all else is a draw after one more move."""

    NAME = "duel"
    SHAPE = (5,)
    ANSWERS: ClassVar = {0: {3}, 1: {3, 4}, 2: set(), 3: {3}, 4: {2, 3}}
    __slots__ = ()

    def first_state(self) -> tuple[int, ...]:
        return ()

    def find_moves(self, state: tuple[int, ...]) -> list[Move]:
        return [(cell,) for cell in range(5)]

    def after(self, state: tuple[int, ...], move: Move) -> tuple[int, ...]:
        return (*state, move[0])

    def find_outcome(self, state: tuple[int, ...]) -> Outcome | None:
        if len(state) == 2 and state[1] in self.ANSWERS[state[0]]:
            return Outcome("O", (), Termination.COUNT)
        return Outcome(None, (), Termination.FULL) if len(state) == 3 else None

    def cells_of(self, state: tuple[int, ...]) -> tuple[str | None, ...]:
        return (None,) * 5

    def side_of(self, state: tuple[int, ...]) -> int:
        return len(state) % 2

    def read_state(self, cells: Sequence[str | None], side: str | None, extra: str | None) -> tuple[int, ...]:
        raise NotImplementedError


def test_threat_wins_after_every_other_move() -> None:
    """A win that only some of the other moves allow is no threat."""
    reasons = explained(Duel())
    assert reasons[2,] == MoveReason("must-block", {"threats": ((3,),)})
    assert reasons[4,] == MoveReason("lets-win", {"reply": (2,), "plies": 2})


def test_explainer_completes_analysis_by_trying() -> None:
    """X threatens on the right; moves that allow it are lost even without a search."""
    game = parse_position(new_game("tictactoe"), "XX./.O./... O")
    nothing = replace(UNKNOWN, moves=tuple(map(MoveValue, game.legal_moves())))
    analysis = Explainer(game, nothing, None).completed
    assert (analysis.value, analysis.best) == (None, None)
    assert {known.move: (known.value, known.plies) for known in analysis.moves if known.value is None} == {
        (0, 2): (None, None)
    }
    assert {known.plies for known in analysis.moves if known.value == -1} == {2}
    game.play((2, 2))
    analysis = Explainer(
        game, replace(UNKNOWN, moves=tuple(map(MoveValue, game.legal_moves()))), None
    ).completed
    assert (analysis.value, analysis.plies, analysis.best) == (1, 1, (0, 2))


def test_reasons_name_the_best_move_of_analysis() -> None:
    """The hint once named one best move, and the reasons of other moves another."""
    game = new_game("5:2")
    worths = [MoveValue((1,), 1, 3), MoveValue((3,), 1, 3), MoveValue((0,), None)]
    for best in ((1,), (3,)):
        known = Analysis(1, 3, best, 0, moves=tuple(worths))
        assert explain(game, known, moves={(0,)})[0,] == MoveReason("other-wins", {"best": best, "plies": 3})
