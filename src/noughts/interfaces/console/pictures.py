"""Boards on the terminal, in colour where it has colours."""

import click

from noughts.drawing.canvas import LINE, Span
from noughts.drawing.text import draw_spans
from noughts.drawing.view import View
from noughts.games.base import Game
from noughts.interfaces.console.talk import Talk

COLOURS = {"X": "bright_blue", "O": "bright_red", "Z": "bright_green"}
"""The colours of the sides; their shapes say the same."""


def show_board(talk: Talk, game: Game, first: int = 1, view: View | None = None) -> None:
    """Show the board of *game* with a blank line before and after it; see :func:`draw_spans`."""
    terminal = talk.terminal
    lines = draw_spans(game, width=terminal.width, unicode=terminal.has_unicode, first=first, view=view)
    paint = _painted if terminal.has_colour else _plain
    talk.write("\n".join(["", *("".join(map(paint, line)) for line in lines), ""]))


def _painted(span: Span) -> str:
    if span.role == LINE:
        return click.style(span.text, dim=True)
    if not span.text.strip() or not span.role:
        return span.text
    return click.style(span.text, fg=COLOURS.get(span.role), bold=span.strong)


def _plain(span: Span) -> str:
    return span.text
