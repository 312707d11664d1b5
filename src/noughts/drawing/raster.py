"""SVG pictures as PNG, and the texts that the fonts of this machine can draw. Needs the extra ``meet``."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from noughts.drawing.svg_document import element
from noughts.errors import ExtraMissing

FAMILIES = (
    *("DejaVu Sans", "Noto Sans", "Liberation Sans", "Open Sans", "Ubuntu", "Roboto"),
    *("Segoe UI", "Arial", "Helvetica Neue", "Helvetica", "FreeSans"),
)
"""Fonts for texts without Han characters, the preferred ones first."""

HAN_FAMILIES = (
    *("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Microsoft YaHei", "PingFang SC"),
    *("WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback", "SimHei"),
)
"""Fonts for texts with simplified Han characters, the preferred ones first."""

TRADITIONAL_FAMILIES = (
    *("Noto Sans CJK TC", "Noto Sans TC", "Source Han Sans TC", "Microsoft JhengHei", "PingFang TC"),
    *HAN_FAMILIES,
)
"""Fonts for texts with traditional Han characters, the preferred ones first."""

FIRST_HAN = "\u2e80"
"""The first of the characters for which the fonts of Han characters are preferred."""

NO_CHARACTER = "\U0010ffff"
"""A character that no font has."""


def check_raster() -> None:
    """Raise :class:`~noughts.errors.ExtraMissing` if the library is not installed."""
    _library()


def has_raster() -> bool:
    """Return True if the library is installed."""
    try:
        check_raster()
    except ExtraMissing:
        return False
    return True


def draw_png(svg: str, width: int | None = None) -> bytes:
    """Return the picture *svg* as PNG, *width* pixels wide (None: in its own size).

    Raises :class:`~noughts.errors.ExtraMissing` if the library is not installed.
    """
    return _raw_png(svg, width=width, sans_serif_family=font_for("X"))


def font_for(text: str, *, is_traditional: bool = False) -> str | None:
    """Return a font that draws *text*, with other fonts for some characters, or None if there is none.

    A character that no font has is never drawn as an empty box: then there is no font for the text.
    """
    has_han = any(character >= FIRST_HAN for character in text)
    han = TRADITIONAL_FAMILIES if is_traditional else HAN_FAMILIES
    families = (*han, *FAMILIES) if has_han else (*FAMILIES, *han)
    installed = (family for family in families if _is_installed(family))
    return next((family for family in installed if _draws(family, text)), None)


def _draws(family: str, characters: Iterable[str]) -> bool:
    return all(_has(family, character) for character in characters if not character.isspace())


@lru_cache(maxsize=64)
def _is_installed(family: str) -> bool:
    return _glyph(family, "X") != _glyph(family, " ")


@lru_cache(maxsize=20_000)
def _has(family: str, character: str) -> bool:
    """Return True if the fonts have *character*, preferably in *family*."""
    return _glyph(family, character) not in (_glyph(family, NO_CHARACTER), _glyph(family, " "))


@lru_cache(maxsize=256)
def _glyph(family: str, character: str) -> bytes:
    text = element("text", character, x=4, y=18, font_size=16, font_family=f"'{family}'")
    return _raw_png(f'<svg xmlns="http://www.w3.org/2000/svg" width="32" height="24">{text}</svg>')


def _raw_png(svg: str, **options: Any) -> bytes:
    png: bytes = _library().svg_to_bytes(
        svg_string=svg, **{name: value for name, value in options.items() if value is not None}
    )
    return png


def _library() -> Any:
    try:
        import resvg_py
    except ModuleNotFoundError:
        raise ExtraMissing("resvg_py", "meet") from None
    return resvg_py
