"""Functions that show games. Games know nothing of drawing, so the package registers the functions here."""

TYPE_CHECKING = False  # to import it takes longer than all the rest
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

text_of: "Callable[[Any], str]" = repr
"""Return the board of a game as text."""

picture_of: "Callable[[Any], str | None]" = repr
"""Return the board of a game as SVG, or None if it is too large to draw."""
