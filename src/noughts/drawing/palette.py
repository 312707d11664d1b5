"""The colours of pictures: paper, ink and a pen for each side."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by what they are for. ``pens`` and ``washes`` are those of X, O and Z."""

    paper: str
    square: str
    ink: str
    second: str
    line: str
    shade: str
    pens: tuple[str, str, str]
    washes: tuple[str, str, str]

    def pen(self, mark: str) -> str:
        """The colour in which *mark* is written; what is not X, O or Z is told by its shape alone."""
        return dict(zip("XOZ", self.pens, strict=True)).get(mark, self.ink)

    def wash(self, mark: str) -> str:
        """The tint of a winning cell of *mark*."""
        return dict(zip("XOZ", self.washes, strict=True)).get(mark, self.shade)


LIGHT = Palette(
    paper="#fafaf6",
    square="#e3e9ed",
    ink="#1c2330",
    second="#535d6d",
    line="#76808f",
    shade="#e9eef2",
    pens=("#3b34a8", "#b93a13", "#0b7a5c"),
    washes=("#e7e6f6", "#fbe5dc", "#dff1ea"),
)

DARK = Palette(
    paper="#13161d",
    square="#20262f",
    ink="#ecebe5",
    second="#a7afbb",
    line="#727d8d",
    shade="#242b36",
    pens=("#b9bbff", "#f47b4e", "#4cc9a0"),
    washes=("#25274a", "#40241b", "#17362d"),
)
