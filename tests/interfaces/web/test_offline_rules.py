"""The rules in the browser give the same moves and ends as the library, in counts and in random games."""

import json
from functools import cache
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import pytest

from noughts import new_game
from noughts.core.board import index_of
from noughts.games.base import Game
from noughts.games.catalogue import CATALOGUE
from noughts.games.notation import format_move, parse_position
from noughts.games.rule_data import HANDLED, rule_data
from noughts.games.rules import NUMBERS, SWITCHES
from noughts.interfaces.web.models import AnnotationsMessage, LegalMoveMessage, mark_to_place
from tests.interfaces.web.test_offline import run_script
from tests.test_perft import BLOCKS

SCRIPT = Path(__file__).with_name("compare_rules.js")
LIMIT = 10_000
"""The largest count of move sequences that is compared."""

GAMES = 10_000
SLOW = {
    **dict.fromkeys(("gomoku", "gomoku-standard", "order-and-chaos", "ultimate", "pentago"), 40),
    **dict.fromkeys(("reversi", "connect6"), 20),
    "renju": 10,
}
"""The numbers of random games with many moves. All other games share the rest."""

SHOWN = 40
"""The number of positions whose annotations are compared in each game."""

SPECS = (
    *("5x5:4,exact,wrap", "4x4:3,hex", "4x4:3,wrap=x", "4x3:3,gravity,wrap=x", "5:3", "4x4x4:3,wrap"),
    *(
        "4x4:3,vanish=4,players=3",
        "5x4:3,place=2",
        "4x4:3,wild,avoid=2",
        "4x4:3,misere,exact",
        "5x5:4,avoid=3",
    ),
    *(
        "3x3x3:3,gravity,misere",
        "4x3:3,gravity,wild",
        "4x4:3,notakto,exact",
        "6x1:3,wrap",
        "4x4:1",
        "2x5:2,hex",
    ),
)
"""Rules outside of the catalogue that combine options."""


def offered() -> list[str]:
    """Return the names of the games of the catalogue that the browser plays."""
    return [entry.name for entry in CATALOGUE if rule_data(new_game(entry.name)) is not None]


@cache
def texts_of(name: str) -> dict[Any, str]:
    """Return the texts of moves of a game, which :func:`describe` fills."""
    return {}


def describe(game: Game, name: str) -> str:
    """Return the description of a position that the script makes too."""
    cells = "".join([mark or "." for mark in game.cells])
    outcome = game.outcome
    if outcome is None:
        texts = texts_of(name)
        legal = []
        for move in game.legal_moves():
            text = texts.get(move)
            if text is None:
                text = texts[move] = format_move(game, move)
            legal.append(text)
        return f"{game.turn} {cells} {','.join(legal)}"
    numbers = (sorted(index_of(game.shape, cell) for cell in line.cells) for line in outcome.lines)
    lines = sorted("-".join(map(str, line)) for line in numbers)
    return f"{outcome.winner or 'nobody'} {cells} {outcome.termination} {','.join(lines)}"


def random_game(name: str, chance: Random) -> tuple[str, list[int], list[int]]:
    """Return a random game: the number of each move among the legal ones, and the checksum at each ply."""
    game, numbers = new_game(name), list[int]()
    sums = [crc32(describe(game, name).encode())]
    while game.outcome is None:
        legal = game.legal_moves()
        numbers.append(int(chance.random() * len(legal)))
        game.play(legal[numbers[-1]])
        sums.append(crc32(describe(game, name).encode()))
    return name, numbers, sums


def shown_game(name: str, chance: Random) -> tuple[str, list[str], list[dict[str, Any]]]:
    """Return the moves of a random game, and the data with which the board shows each position."""
    game, texts, shown = new_game(name), list[str](), list[dict[str, Any]]()
    while len(texts) < SHOWN:
        legal = list(game.legal_moves())
        codes = AnnotationsMessage.of(game).model_dump()
        del codes["lines"]
        moves = [move.model_dump() for move in LegalMoveMessage.all(game)] if len(texts) == 1 else None
        for move in moves or ():
            if move["mark"] is None:
                del move["mark"]
        last = [index_of(game.shape, cell) for cell in game.last_cells()]
        shown.append({**codes, "last": last, "mark": mark_to_place(game), "legal": moves})
        if game.outcome is not None:
            break
        made = chance.choice(legal)
        texts.append(format_move(game, made))
        game.play(made)
    return name, texts, shown


def start_of(name: str, position: str) -> dict[str, Any] | None:
    """Return the position as the browser reads it, or None for the usual start."""
    if not position:
        return None
    game = parse_position(new_game(name), position)
    marks = game.rules.board_marks if game.rules else ("X", "O")
    start: dict[str, Any] = {
        "cells": [-1 if mark is None else marks.index(mark) for mark in game.cells],
        "side": game.sides.index(game.turn),
    }
    if game.rules and game.rules.vanish and game.extra:
        start["ages"] = [[int(cell) - 1 for cell in own.split(",") if cell] for own in game.extra.split(";")]
    elif game.extra:
        start["field"] = None if game.extra == "-" else int(game.extra) - 1
    return start


def counts() -> list[dict[str, Any]]:
    """Return the positions of the files with their counts of move sequences."""
    return [
        {
            "name": name,
            "start": start_of(name, position),
            "expected": list(takewhile(lambda count: count <= LIMIT, numbers)),
        }
        for name, position, numbers in BLOCKS
        if rule_data(new_game(name)) is not None and not position.endswith("uneven")
    ]


def compare(data: dict[str, Any]) -> dict[str, Any]:
    """Return the report of the script about *data*."""
    report: dict[str, Any] = run_script(SCRIPT, text=json.dumps(data))
    return report


@pytest.mark.slow
def test_browser_rules_match_the_library() -> None:
    """Compare moves, ends, winners and lines after each ply of random games, and the counts of the files."""
    chance, names = Random(17), [*offered(), *SPECS]
    quick = [name for name in names if name not in SLOW]
    plan = [name for name, number in SLOW.items() for _ in range(number)]
    plan += [quick[number % len(quick)] for number in range(GAMES - len(plan))]
    counted = counts()
    known = {*names, *(one["name"] for one in counted)}
    report = compare(
        {
            "rules": {name: rule_data(new_game(name)) for name in known},
            "counts": counted,
            "games": [random_game(name, chance) for name in plan],
            "signs": [shown_game(name, chance) for name in names],
        }
    )
    assert report == {"found": [], "played": GAMES}


def test_comparison_finds_a_changed_rule() -> None:
    """Games of connected fours are not those of connected fives."""
    game = random_game("connect4", Random(1))
    other = rule_data(new_game("7x6:5,gravity"))
    assert compare({"rules": {"connect4": other}, "counts": [], "games": [game], "signs": []})["found"]


def test_rule_data_refuse_other_games_and_options() -> None:
    assert {*SWITCHES, *NUMBERS} == HANDLED
    assert rule_data(new_game("fifteen")) is None
    assert rule_data(parse_position(new_game("tictactoe"), "X../.../... O")) is None
    assert rule_data(new_game("100x100x100:5")) is None
    assert len(offered()) == len(CATALOGUE) - 1
