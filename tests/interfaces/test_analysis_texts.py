"""Analyses in words and on the board."""

from dataclasses import replace
from operator import attrgetter
from typing import Any

import pytest

from noughts.games.base import PASS
from noughts.games.catalogue import new_game
from noughts.games.notation import parse_position, play_moves
from noughts.interfaces.presenting.analysis_texts import (
    COUNTED,
    first_side_value,
    reason_as_json,
    say_reason,
    say_value,
    value_label,
    value_view,
)
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.presenting.move_names import Names
from noughts.search.analysis import UNKNOWN, Analysis, MoveValue
from noughts.search.analyst import Analyst
from noughts.search.explain.reasons import MoveReason, explain
from noughts.search.numba_backend import python_machine
from tests.interfaces.harness import EN, SAY
from tests.interfaces.messages import REASONS
from tests.search.reason_keys import KEYS
from tests.strategies import play_at_random

DATA: dict[str, Any] = {
    "cells": ((0, 0), (0, 1), (0, 2)),
    "threats": ((1, 1), (2, 2)),
    "result": "win",
    "others": "draw",
    "plies": 5,
    "moves": 3,
    "best": (0, 2),
    "best_plies": 3,
    "reply": (2, 0),
    "right": 1,
    "of": 4,
    "open_lines": 3,
    "own": 1,
    "field": ((2, 0), (0, 2)),
    "replies": 5,
}
"""A value for every key."""


def reasons() -> list[MoveReason]:
    """Yield every code with all its data, with the minimum of data, and with other results."""
    result = []
    for code, (always, sometimes) in KEYS.items():
        result.append(MoveReason(code, {key: DATA[key] for key in (*always, *sometimes)}))
        result.append(MoveReason(code, {key: DATA[key] for key in always}))
    result.append(MoveReason("only-move", {"result": "draw", "others": "loss"}))
    result.append(MoveReason("development", {"open_lines": 1, "own": 0}))
    result.append(MoveReason("wins-now", {"cells": ()}))
    return result


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_sentence(language: str) -> None:
    say, names = SAY[language], Names(new_game("tictactoe"))
    text = {say_reason(say, reason, names) for reason in reasons()}
    assert len(text) == len(REASONS)
    for sentence in text:
        assert "{" not in sentence
        assert "(" not in sentence.replace("(клетки 5, 9)", "")
        assert "reason-" not in sentence
        assert sentence[-1] in ".。"


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        (MoveReason("wins-now", {"cells": ((0, 0), (1, 1), (2, 2))}), "It completes a row: cells 1 5 9."),
        (
            MoveReason("double-threat", {"threats": ((0, 0), (2, 2))}),
            "A double threat at cells 1, 9",
        ),
        (MoveReason("forces-win", {"plies": 1, "moves": 1}), "It wins in 1 move against any defence."),
        (MoveReason("forces-win", {"plies": 7, "moves": 4}), "It wins in 4 moves against any defence."),
        (
            MoveReason("lets-win", {"reply": (0, 1), "plies": 2}),
            "The other side wins, starting with cell 2.",
        ),
        (
            MoveReason("sets-trap", {"right": 1, "of": 5, "reply": (2, 1), "result": "draw"}),
            "A trap: only one of 5 replies",
        ),
        (MoveReason("only-move", {"result": "draw", "others": "loss"}), "The only move that does not lose."),
    ],
)
def test_reason_sentences_match_examples(reason: MoveReason, sentence: str) -> None:
    assert say_reason(EN, reason, Names(new_game("tictactoe"))).startswith(sentence)


@pytest.mark.parametrize(
    ("count", "words"),
    [(1, "в 1 ход "), (3, "в 3 хода "), (5, "в 5 ходов "), (11, "в 11 ходов "), (21, "в 21 ход ")],
)
def test_russian_reasons_count_moves(count: int, words: str) -> None:
    text = say_reason(
        SAY["ru"],
        MoveReason("forces-win", {"plies": 2 * count - 1, "moves": count}),
        Names(new_game("tictactoe")),
    )
    assert words in text


def test_counted_data_belongs_to_reason() -> None:
    for code, key in COUNTED.items():
        assert key in (*KEYS[code][0], *KEYS[code][1])


def test_reasons_use_names_of_the_board() -> None:
    threats = {"threats": ((7, 7), (0, 0))}
    assert "h8, a15" in say_reason(EN, MoveReason("threatens", threats), Names(new_game("gomoku")))
    falling = MoveReason("wins-now", {"cells": ((5, 0), (4, 1))})
    assert "1 2" in say_reason(EN, falling, Names(new_game("connect4")))
    assert "1 2" in say_reason(EN, falling, Names(new_game("connect4"), 0))  # Columns count from 1.


def test_json_reasons_count_from_1() -> None:
    reason = MoveReason("threatens", {"threats": ((7, 7), (0, 0))})
    assert reason_as_json(new_game("gomoku"), reason) == {"code": "threatens", "threats": ["113", "1"]}
    reason = MoveReason("only-move", {"result": "win", "others": "draw", "plies": 3})
    assert reason_as_json(new_game("tictactoe"), reason) == {
        "code": "only-move", "result": "win", "others": "draw", "plies": 3
    }  # fmt: skip


# Values


@pytest.mark.parametrize("language", LANGUAGES)
def test_value_sentences_name_the_side(language: str) -> None:
    say = SAY[language]
    worths = [(1, 3), (1, None), (0, None), (-1, 4), (-1, None), (None, 2)]
    result = [Analysis(value, plies, None, 0) for value, plies in worths]
    game = new_game("tictactoe")
    text = [say_value(say, game, one) for one in (*result, replace(UNKNOWN, cannot_lose=True))]
    assert len(set(text)) == 7
    assert all("X" in sentence and "{" not in sentence for sentence in text)


def test_value_labels_are_short() -> None:
    worths = [(1, 1), (1, 5), (1, None), (0, None), (0, 0), (-1, 3), (-1, 8), (-1, None), (None, None)]
    labels = [value_label(*worth, new_game()) for worth in worths]
    assert labels == ["+1", "+3", "+", "=", "=", "-2", "-4", "-", "?"]
    assert value_label(1, 5, new_game("fifteen")) == "+5"  # With one side every move counts.
    assert value_label(1, 5, new_game("6x6:4,place=2")) == "+3"


def test_values_sort_by_rank() -> None:
    order = [(1, 3), (1, 7), (1, None), (0, None), (None, None), (-1, 6), (-1, 2)]
    moves = [MoveValue((0, 0), *worth) for worth in order]
    backwards = moves[::-1]
    assert sorted(backwards, key=attrgetter("rank"), reverse=True) == moves


def test_first_side_value_uses_turn_order() -> None:
    game = new_game("tictactoe")
    assert [first_side_value(game, value) for value in (1, 0, -1, None)] == [
        "first",
        "draw",
        "second",
        "unknown",
    ]
    game.play((0, 0))
    assert [first_side_value(game, value) for value in (1, -1)] == ["second", "first"]
    backwards = new_game("tictactoe", marks=("O", "X"))
    assert first_side_value(backwards, 1) == "first"


# Labels on the board


def test_value_view_labels_empty_cells() -> None:
    game = new_game("tictactoe")
    play_moves(game, ["8", "9", "6", "7"])
    result = Analyst(machine=python_machine()).analyse(game)
    view = value_view(game, result, result.best)
    assert view.labels == {0: "=", 1: "-2", 2: "-2", 3: "-2", 4: "+2"}
    assert view.highlights == {0: "draw", 1: "loss", 2: "loss", 3: "loss", 4: "win hint"}
    assert view.last == {6}


def test_value_view_labels_only_known_values() -> None:
    game = new_game("tictactoe")
    some = (MoveValue((0, 0), 1, 3), MoveValue((0, 1)))
    assert value_view(game, Analysis(None, None, None, 0, (), some)).labels == {0: "+2"}
    nothing = value_view(game, Analysis(None, None, None, 0), (2, 2))
    assert (nothing.labels[0], nothing.highlights) == ("1", {8: "hint"})


def test_value_view_labels_best_move_of_cell() -> None:
    game = parse_position(new_game("wild"), "XX./O../O.O O")
    result = Analyst(machine=python_machine()).analyse(game)
    by_cell = {known.move: known.value for known in result.moves}
    view = value_view(game, result)
    for index, label in view.labels.items():
        cell = divmod(index, 3)
        best = max(value or 0 for move, value in by_cell.items() if move[0] == cell)
        assert label[0] == {1: "+", 0: "=", -1: "-"}[best]


def test_value_view_ignores_passes_and_tiles() -> None:
    game = parse_position(new_game("reversi"), "XO....../" + "/".join(["........"] * 6) + "/......OX O")
    passed = Analysis(1, 3, PASS, 0, (), (MoveValue(PASS, 1, 3),))
    assert value_view(game, passed, PASS).highlights == {}
    puzzle = new_game("fifteen")
    moves = tuple(MoveValue(move, 1, 9) for move in puzzle.legal_moves())
    view = value_view(puzzle, Analysis(1, 9, moves[0].move, 0, (), moves))
    assert not any(view.worth(index) for index in view.highlights)


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", ["tictactoe", "wild", "misere", "notakto", "4x3:3", "3x3:3,gravity", "three", "reversi"]
)
def test_every_move_has_a_reason_sentence(game: str) -> None:
    analyst = Analyst(machine=python_machine())
    for seed in range(4):
        played = new_game(game)
        play_at_random(played, 3 + seed, seed)
        small = len(played.cells) < 16
        result = analyst.analyse(played) if small else Analysis(None, None, None, 0)
        answer = explain(played, result, analyst.analyse if small else None)
        assert played.is_over or set(answer) == set(played.legal_moves())
        for language in LANGUAGES:
            for reason in answer.values():
                assert "{" not in say_reason(SAY[language], reason, Names(played))
