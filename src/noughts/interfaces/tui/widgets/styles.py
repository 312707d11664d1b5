"""The colours and the weight of everything on the screen, by what it is for.

On a terminal with many colours they are those of paper and ink; with few colours, or none, the terminal's
own. Nothing is told by colour alone.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from rich.color import ColorSystem
from rich.style import Style
from textual.theme import BUILTIN_THEMES, Theme

from noughts.drawing import canvas
from noughts.drawing.canvas import FAINT, LINE
from noughts.drawing.svg_document import DARK, LIGHT, Palette

SECOND = canvas.SECOND
"""The role of what is of second importance: labels, keys, what a word is for."""

TERMINAL_COLOURS = {"X": "blue", "O": "red", "Z": "green"}
"""The sides on a terminal of few colours; on dark ones the bright kind."""

PALETTES = {"light": LIGHT, "dark": DARK}
"""The colours of each theme by its name."""


@dataclass(frozen=True)
class Styling:
    """The styles of one theme.

    ``theme`` is a key of :data:`PALETTES`; ``system`` is what the terminal can show, None for no colours.
    """

    theme: str
    system: ColorSystem | None = ColorSystem.TRUECOLOR

    @property
    def palette(self) -> Palette:
        """The colours of the theme."""
        return PALETTES[self.theme]

    @property
    def is_rich(self) -> bool:
        """Whether our own colours are used; a terminal of few has its own, or none."""
        return self.system in (ColorSystem.EIGHT_BIT, ColorSystem.TRUECOLOR)

    @property
    def blank(self) -> Style:
        """What nothing is written on."""
        return _paper(self.palette.ink, self.palette.paper) if self.is_rich else Style()

    @lru_cache(maxsize=256)  # noqa: B019 - there are two themes in a program's life
    def style(self, role: str = "", strong: bool = False) -> Style:
        """How something is written; *role* is a mark, :data:`SECOND`, the role of the
        lines of a board, or empty for text.
        """
        colour = self._colour(role)
        return self.blank + Style(color=colour, bold=strong or None)

    def _colour(self, role: str) -> str | None:
        if self.is_rich:
            palette = self.palette
            named = {SECOND: palette.second, LINE: palette.line, FAINT: palette.faint}
            return named.get(role) or palette.pen(role)  # the ink, for all that is no mark of X, O or Z
        if self.system is None:
            return None
        if role in (LINE, FAINT):
            return "bright_black"
        bright = "bright_" if self.theme == "dark" else ""
        return bright + TERMINAL_COLOURS[role] if role in TERMINAL_COLOURS else None

    @lru_cache(maxsize=64)  # noqa: B019
    def behind(self, kind: str, mark: str = "") -> Style:
        """What lies behind a cell: ``cursor``, ``shade`` of a line, ``wash`` of a winning *mark*, ``field``.

        Or behind one half of a character: the ``dots`` of a *mark*; or behind the letter on a ``disc``.
        """
        if kind == "disc":
            return Style(reverse=True)
        if kind == "dots":
            return Style(bgcolor=self._colour(mark))
        palette = self.palette
        if not self.is_rich:  # signs say the rest
            is_reversed = kind == "cursor" and self.system is not None
            return Style(color="default", reverse=True) if is_reversed else Style()
        match kind:
            case "cursor":
                return _paper(palette.paper, palette.ink)
            case "shade" | "field":
                return Style(bgcolor=palette.shade if kind == "shade" else palette.field)
            case _:
                return Style(bgcolor=palette.wash(mark))


def _paper(ink: str, paper: str) -> Style:
    return Style(color=ink, bgcolor=paper)


def textual_theme(styling: Styling) -> Theme:
    """The theme that Textual's own parts are drawn in, such as a field to type in."""
    palette = styling.palette
    variables = {"line": palette.line}
    if not styling.is_rich:
        variables = {"line": "ansi_default" if styling.system is None else "ansi_bright_black"}
        ansi = BUILTIN_THEMES[f"ansi-{styling.theme}"]
        return replace(ansi, name=f"noughts-{styling.theme}", variables=ansi.variables | variables)
    return Theme(
        name=f"noughts-{styling.theme}",
        primary=palette.ink,
        foreground=palette.ink,
        background=palette.paper,
        surface=palette.paper,
        panel=palette.shade,
        dark=styling.theme == "dark",
        variables=variables,
    )
