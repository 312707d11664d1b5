"""External games for tests: one that a square of four wins, and many with one fault each.

A fault appears only after a number of marks, so that the game is offered and fails during play.
"""

import sys
from pathlib import Path
from typing import Any

MODULE = """
from typing import NamedTuple

from noughts.core.geometry import Line
from noughts.games.base import Annotations, Message, Outcome, Purpose
from noughts.games.entry import Entry
from noughts.games.layout import Layout
from noughts.games.notation import CellNotation
from noughts.games.pure import PureGame

SIZE = 3
CORNERS = [(0, 0), (0, 1), (1, 0), (1, 1)]


class Position(NamedTuple):
    cells: tuple
    side: int


class Square(PureGame):
    NAME = "square"
    SHAPE = (SIZE, SIZE)
    terminations = ("square", "full")

    def first_state(self):
        return Position((None,) * SIZE**2, 0)

    def find_moves(self, state):
        return [divmod(index, SIZE) for index, mark in enumerate(state.cells) if mark is None]

    def after(self, state, move):
        cells = list(state.cells)
        cells[move[0] * SIZE + move[1]] = self.sides[state.side]
        return Position(tuple(cells), 1 - state.side)

    def find_outcome(self, state):
        for row in range(SIZE - 1):
            for column in range(SIZE - 1):
                cells = tuple((row + down, column + right) for down, right in CORNERS)
                marks = {state.cells[down * SIZE + right] for down, right in cells}
                if len(marks) == 1 and None not in marks:
                    return Outcome(marks.pop(), (Line(cells),), "square")
        return None if None in state.cells else Outcome(None, (), "full")

    def cells_of(self, state):
        return state.cells

    def read_state(self, cells, side, extra):
        return Position(tuple(cells), self.sides.index(side))


LATE = {late}


def late(game, state=None, *_):
    state = state if isinstance(state, Position) else game.state
    return sum(mark is not None for mark in state.cells) >= LATE


def usual(name, game):
    own = getattr(Square, name)
    return own.fget(game) if isinstance(own, property) else own


def leave(kind):
    (_ for _ in ()).throw(kind())


class Odd:
    __repr__ = None


class Own(tuple):
    def __new__(cls, parts):
        made = super().__new__(cls, (2, 2))
        made.told = parts
        return made

    @property
    def parts(self):
        return self.told if self.told is not None else 1 / 0


class Faulty(Square):
    NAME = "faulty"
    {says}


square = Entry("square", make=lambda chance, sides: Square(sides=sides), locales={locales})
faulty = Entry("faulty", make={make})
"""

MAKE = "lambda chance, sides: Faulty(sides=sides)"

POINTS = "[noughts.games]\nsquare = faulty_module:square\nfaulty = faulty_module:faulty\n"

MOVES = ("1", "2", "3", "6", "5", "4", "7", "8", "9")
"""Moves that fill the board without a square."""


def install(folder: Path, monkeypatch: Any, says: str = "", late: int = 8, locales: str = "None") -> None:
    """Install the package; its game ``faulty`` also has the members in *says* after *late* marks."""
    about = folder / "faulty_games-1.0.dist-info"
    about.mkdir(exist_ok=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty-games\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(POINTS)
    text = MODULE.replace("{says}", says.replace("\n", "\n    ") or "pass")
    text = text.replace("{late}", str(late)).replace("{locales}", locales).replace("{make}", MAKE)
    (folder / "faulty_module.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.delitem(sys.modules, "faulty_module", raising=False)


def method(name: str, answer: str) -> str:
    """Return a method that gives *answer* in the late game."""
    return f"{name} = lambda self, *known: {answer} if late(self, *known) else Square.{name}(self, *known)"


def value(name: str, answer: str) -> str:
    """Return a property that is *answer* in the late game."""
    return f"{name} = property(lambda self: {answer} if late(self) else usual('{name}', self))"


LINES = {
    "tuples": "((0, 0), (0, 1)),",
    "text": "'row 1',",
    "empty": "Line(()),",
    "outside": "Line(((0, 0), (7, 7))),",
    "numbers": "Line((0, 1, 2)),",
    "twice": "Line(((0, 0), (0, 0))),",
    "marks": "Line(((0, 0), (0, 1))),",
    "free": "Line(((2, 2),)),",
    "step": "Line(((0, 0), (0, 2)), (0, 1)),",
    "zero": "Line(((0, 0),), (0, 0)),",
    "long": "Line(((0, 0),), (0, 0, 1)),",
}

OUTCOMES = {
    **{f"lines-{name}": f'Outcome("X", ({lines}), "square")' for name, lines in LINES.items()},
    "lines-none": 'Outcome("X", None, "square")',
    "lines-number": 'Outcome("X", 5, "square")',
    "lines-repeated": 'Outcome("X", (Line(((0, 0),)),) * 100_000, "square")',
    "lines-list": 'Outcome("X", [], "square")',
    "winner": 'Outcome("Q", (), "square")',
    "winner-list": 'Outcome(["X"], (), "square")',
    "termination-number": 'Outcome("X", (), 5)',
    "termination-unknown": 'Outcome("X", (), "checkmate")',
    "text": '"X"',
    "raises": "1 / 0",
    "leaves": "exec('raise SystemExit(3)')",
    "exits": "__import__('sys').exit(3)",
}

METHODS = {
    "find_moves": (
        *("1 / 0", "None", "[]", "[[2, 2], [2, 1]]", "['9']", "[(2, 2)] * 2", "[(5, 5)]"),
        *("[(2, 2), ('a', 1)]", "leave(GeneratorExit)"),
        *(f"[Own({parts})]" for parts in ("[]", "()", "((2, 2), 5)", "None")),
    ),
    "after": ("1 / 0", "self.undo()", "None"),
    "cells_of": ("known[0].cells[1:] + (5,)", "known[0].cells[1:]", "None", "('',) + known[0].cells[1:]"),
    "side_of": ("7", "None"),
    "annotations": (
        *(
            "1 / 0",
            "None",
            "Annotations(None)",
            "Annotations({'a1': ('may',)})",
            "Annotations({(0, 0): 'may'})",
        ),
        *(f"Annotations(sides={codes})" for codes in ("{'X': ('lead:many',)}", "{'Q': ('lead:1',)}")),
        "Annotations(fields={7: ('field',)})",
    ),
    "key": ("[1]", "1 / 0"),
    "last_cells": ("((9, 9),)", "None"),
    "weight": ("None", "'much'", "Odd()"),
    "purpose_of": ("'good'", "Purpose(5)"),
    "mark_of": ("5",),
    "copy": ("self", "Faulty()", "None", "1 / 0", "leave(SystemExit)"),
    "undo": ("(PureGame.undo(self), PureGame.undo(self))[0]", "None", "1 / 0", "leave(SystemExit)"),
    "static_evaluation": ("'good'",),
    "with_turn": ("5",),
}
VALUES = {
    "turn": ("None", "1 / 0", "'Q'"),
    "layout": ("1 / 0", "None", "Layout(1, 2, 2)", "Layout(1, 3, 3, fields=(2, 2))", "Layout(-1, -3, 3)"),
    "moves": ("((0, 0),) * LATE", "None", "tuple(self._made[1:])"),
    "sides": ("('X', 'X')", "None", "()"),
    "shape": ("'33'", "1 / 0"),
    "terminations": ("('time',)", "('No!',)", "None"),
    "move_texts": ("(5,)", "5"),
    "rule_text": ("('rules',)", "None"),
    "extra": ("None",),
    "facts": ("None",),
    "name": ("'other'", "None"),
    "is_over": ("1 / 0", "True"),
    "winner": ("1 / 0", "'X'"),
    "ply": ("1 / 0", "leave(__import__('asyncio').CancelledError)"),
}
TEXTS = ("1 / 0", "5", "'1'", "CellNotation.format(self, *known[:1], 0)", "''", "leave(SystemExit)")
NOTATION = """
class Own(CellNotation):
    def format(self, *known):
        return {} if self.is_late else CellNotation.format(self, *known)

@property
def notation(self):
    made = self.Own(self.shape)
    made.is_late = late(self)
    return made
"""

FAULTS = {
    **{f"outcome-{name}": method("find_outcome", outcome) for name, outcome in OUTCOMES.items()},
    **{f"{name} {answer}": method(name, answer) for name, answers in METHODS.items() for answer in answers},
    **{f"{name} {answer}": value(name, answer) for name, answers in VALUES.items() for answer in answers},
    **{f"format {answer}": NOTATION.replace("{}", answer) for answer in TEXTS},
    "end_text": (
        method("find_outcome", 'Outcome("X", (), "square")') + "\nend_text = lambda self, outcome: 'won'"
    ),
}
"""The faulty members of the game, by the name of the fault."""
