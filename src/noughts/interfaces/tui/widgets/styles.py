"""The colours and weights of all text on the screen, by role.

A terminal with many colours uses the palette of the theme. With few colours or none, it uses its own. No
information is shown by colour alone.
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
"""The role of secondary text: labels, keys and explanations."""

TERMINAL_COLOURS = {"X": "blue", "O": "red", "Z": "green"}
"""The colours of the sides on a terminal with few colours; dark themes use the bright ones."""

PALETTES = {"light": LIGHT, "dark": DARK}
"""The palettes of the themes by name."""


@dataclass(frozen=True)
class Styling:
    """The styles of one theme.

    ``theme`` is a key of :data:`PALETTES`. ``system`` is the colour system of the terminal, None without
    colours.
    """

    theme: str
    system: ColorSystem | None = ColorSystem.TRUECOLOR

    @property
    def palette(self) -> Palette:
        """The palette of the theme."""
        return PALETTES[self.theme]

    @property
    def is_rich(self) -> bool:
        """True if the terminal has enough colours for the palette."""
        return self.system in (ColorSystem.EIGHT_BIT, ColorSystem.TRUECOLOR)

    @property
    def blank(self) -> Style:
        """The style of empty space."""
        return _paper(self.palette.ink, self.palette.paper) if self.is_rich else Style()

    @lru_cache(maxsize=256)  # noqa: B019 - there are two themes in a program's life
    def style(self, role: str = "", strong: bool = False) -> Style:
        """Return the style of text.

        *role* is a mark, :data:`SECOND`, the role of the lines of a board, or empty.
        """
        colour = self._colour(role)
        return self.blank + Style(color=colour, bold=strong or None)

    def _colour(self, role: str) -> str | None:
        if self.is_rich:
            palette = self.palette
            named = {SECOND: palette.second, LINE: palette.line, FAINT: palette.faint}
            return named.get(role) or palette.pen(role)  # Other roles use the colour of text.
        if self.system is None:
            return None
        if role in (LINE, FAINT):
            return "bright_black"
        bright = "bright_" if self.theme == "dark" else ""
        return bright + TERMINAL_COLOURS[role] if role in TERMINAL_COLOURS else None

    @lru_cache(maxsize=64)  # noqa: B019
    def background(self, kind: str, mark: str = "") -> Style:
        """Return the background of a cell or of a character.

        *kind* is ``cursor``, ``shade`` of a line, ``wash`` of a winning *mark*, or ``field`` for a cell. It
        is ``dots`` of a *mark* for one half of a character, and ``disc`` for a letter on a disc.
        """
        if kind == "disc":
            return Style(reverse=True)
        if kind == "dots":
            return Style(bgcolor=self._colour(mark))
        palette = self.palette
        if not self.is_rich:  # Signs replace the backgrounds.
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
    """Return the theme of Textual's own widgets, such as fields."""
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
