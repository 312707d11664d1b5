"""A game as lines of text, for terminals, pipes, logs and screen readers."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import inf

from noughts.drawing.arranging import arrange, write_label
from noughts.drawing.canvas import Canvas, Span, in_ascii
from noughts.drawing.forms import Form, console_forms
from noughts.drawing.pane import Pane
from noughts.drawing.scene import Scene, has_letters_outside
from noughts.drawing.view import View, view_of
from noughts.games.base import Game

MIN_WIDTH = 10
"""Columns in which every game of the catalogue can be drawn."""

INDENT = 3
"""Columns left of a board that is drawn large, where there is room."""


def draw_text(
    game: Game, *, width: int = 79, unicode: bool = True, first: int = 1, view: View | None = None
) -> list[str]:
    r"""The board of *game* as lines of at most *width* columns, without blanks at their ends.

    A small flat board is drawn large, others have compact cells, with the numbers of the cells counted
    from *first*, or with letters and numbers outside. The last move stands in brackets, the winning
    cells between stars. Below :data:`MIN_WIDTH` columns the narrowest form is drawn, fitting or not.
    With *unicode* false all characters are ASCII. A *view* replaces what is said about single cells.

    >>> from noughts import new_game
    >>> game = new_game("3x2:2,gravity")
    >>> game.play((1, 1))
    >>> print("\n".join(draw_text(game, unicode=False)))
      1  2  3
    |         |
    |   [X]   |
    +---------+
    """
    spans = draw_spans(game, width=width, unicode=unicode, first=first, view=view)
    return ["".join(span.text for span in line) for line in spans]


def draw_spans(
    game: Game, *, width: int = 79, unicode: bool = True, first: int = 1, view: View | None = None
) -> Sequence[Sequence[Span]]:
    """The lines of :func:`draw_text` in runs of one kind, for an interface that colours them."""
    view = view or view_of(game, first, labels=not has_letters_outside(game))
    scene, canvas = Scene(game, view, first), Canvas()
    # Where cells carry no numbers they are called by what stands outside; what they are worth is always told.
    unlabelled = scene if scene.has_worths else Scene(game, replace(view, labels={}), first)
    forms = console_forms(scene)
    for form in forms:
        shown = scene if form.labelled or form.ruled else unlabelled
        if whole := arrange(shown, form, width, inf):
            whole.draw(shown, form, canvas, min(INDENT, width - whole.width) if form.drawn else 0)
            break
    else:
        compact = [form for form in forms if not (form.labelled or form.ruled)]
        _draw_parts(unlabelled, compact[-1] if scene.layout.hex else compact[0], canvas, width)
    return canvas.spans() if unicode else in_ascii(canvas.spans())


def _draw_parts(scene: Scene, form: Form, canvas: Canvas, width: int) -> None:
    """The board in parts of as many columns as fit, about as wide as one another, one below another."""
    layout = scene.layout
    rows, columns = (max(1, count) for count in form.most(scene, width, sys.maxsize))
    if any(layout.fields):
        whole = form.most(scene, width, sys.maxsize, aligned=True)[1]
        columns = whole - whole % layout.fields[1] or columns
    else:
        columns = -(-layout.columns // -(-layout.columns // columns))
    for plane, top, left in product(
        range(layout.planes), range(0, layout.rows, rows), range(0, layout.columns, columns)
    ):
        y = canvas.height and canvas.height + 1
        y += write_label(scene, form, canvas, 0, y, plane)
        shown = range(layout.rows)[top : top + rows], range(layout.columns)[left : left + columns]
        Pane(scene, form, canvas, 0, y, plane, *shown).draw()
