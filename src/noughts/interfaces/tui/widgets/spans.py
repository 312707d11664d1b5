"""Lines of styled and clickable text for widgets, and a field to type a line in.

Widgets repaint only the lines that change, each up to its last change. Textual writes a line from the left
edge of the widget to the right end of the refreshed region.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, takewhile, zip_longest
from typing import Any, NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events, getters
from textual.containers import Vertical
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

from noughts.interfaces.tui.widgets.base_app import BaseApp
from noughts.text import display_width, fit, safe_text, wrap


class Bit(NamedTuple):
    """A run of characters of one style; a click on it runs *action*."""

    text: str
    role: str = ""
    strong: bool = False
    action: str = ""


Line = Sequence[Bit]


def _with_text(bit: Bit, text: str) -> Bit:
    """Return *bit* with *text*; the same object if its text is equal, so comparisons are fast."""
    return bit if bit.text == text else bit._replace(text=text)


def width_of(line: Iterable[Bit]) -> int:
    """Return the width of a line in columns."""
    return sum(display_width(bit.text) for bit in line)


def cut(line: Iterable[Bit], width: int) -> list[Bit]:
    """Return the line in at most *width* columns; if words are cut, it ends with an ellipsis."""
    bits = list(line)
    while bits and not bits[-1].text.strip() and width_of(bits) > width:
        bits.pop()  # Blanks at the end are dropped first.
    if width_of(bits) <= width:
        return bits
    shown: list[Bit] = []
    room = max(0, width)
    for bit, following in zip_longest(bits, bits[1:]):
        wide = display_width(bit.text)
        if wide < room or (wide == room and following is None):
            shown.append(bit)
            room -= wide
        else:  # A bit that fits gives a column to the ellipsis if the next one does not fit.
            shown.append(bit._replace(text=fit(f"{bit.text}…", room).rstrip() if room else ""))
            break
    return shown


def clipped(lines: Sequence[Line], height: int, width: int) -> list[Line]:
    """Return at most *height* of the lines; if some are left out, the last has an ellipsis."""
    if len(lines) <= height or height < 1:
        return list(lines[: max(0, height)])
    *shown, last = lines[:height]
    end = cut(last, width - 1)
    is_cut = bool(end) and end[-1].text.endswith("…")
    return [*shown, end if is_cut else [*end, Bit("…")]]


def spread(left: Iterable[Bit], right: Iterable[Bit], width: int) -> list[Bit]:
    """Return a line with *right* at its right end; *left* is cut if there is too little room."""
    right = list(right)
    start = cut(left, width - width_of(right) - bool(right))
    return [*start, Bit(" " * max(0, width - width_of(start) - width_of(right))), *right]


def beside(left: Sequence[Line], right: Sequence[Line], width: int) -> list[Line]:
    """Return the lines of *left* with those of *right* beside them, after *width* columns.

    The shorter side is filled with blank lines.
    """
    return [
        [*one, Bit(" " * (width - width_of(one))), *other]
        for one, other in zip_longest(left, right, fillvalue=())
    ]


def in_columns(items: Sequence[Line], across: int, wide: int) -> list[Line]:
    """Return lines with *across* items each, which are *wide* columns wide."""
    padded = [[*item, Bit(" " * (wide - width_of(item)))] for item in items]
    return [
        [bit for item in padded[start : start + across] for bit in item]
        for start in range(0, len(items), across)
    ]


def flowing(items: Iterable[Line], width: int) -> list[Line]:
    """Return lines of at most *width* columns with the *items* in order; no item is split."""
    lines: list[list[Bit]] = []
    for item in items:
        if lines and width_of([*lines[-1], *item]) <= width:
            lines[-1] += item
        else:
            lines.append([*item])
    return [*lines]


def first_visible(place: int, first: int, seen: int, count: int) -> int:
    """Return the first of *seen* visible things among *count*, so that *place* is visible.

    The result is as near as possible to *first*, the previous first thing.
    """
    return max(0, min(max(first, place - seen + 1), place, max(0, count - seen)))


def note_lines(paragraphs: Sequence[str], width: int, role: str = "") -> list[Line]:
    """Return the paragraphs as wrapped lines, with a blank line between two."""
    lines: list[Line] = []
    for paragraph in paragraphs:
        if lines:
            lines.append([])
        lines += [[Bit(fit(line, width).rstrip(), role)] for line in wrap(paragraph, max(1, width))]
    return lines


def joined(runs: Iterable[tuple[str, Style]], width: int, blank: Style) -> Strip:
    """Return a line of *width* columns in which blanks join the style of the text beside them.

    Each segment costs up to forty bytes in true colour.
    """
    whole: list[tuple[str, Style]] = []
    for text, style in (*runs, (" " * width, blank)):
        before, look = whole[-1] if whole else ("", style)
        if look == style or (_is_blank(text, before) and _is_same_paper(look, style)):
            whole[-1:] = [(before + text, style if before.isspace() else look)]
        else:
            whole.append((text, style))
    segments = (Segment(text, _paper_of(style) if text.isspace() else style) for text, style in whole)
    return Strip(segments).adjust_cell_length(width)


@lru_cache(maxsize=256)
def _paper_of(style: Style) -> Style:
    """Return the style for blanks with the background of *style*, without its colour of text."""
    return style if style.reverse or style.underline or style.strike else Style(bgcolor=style.bgcolor)


def _is_blank(*texts: str) -> bool:
    return any(map(str.isspace, texts))


@lru_cache(maxsize=1024)
def _is_same_paper(one: Style, other: Style) -> bool:
    """Return True if blanks look the same in both styles."""
    has_lines = any(style.reverse or style.underline or style.strike for style in (one, other))
    return one.bgcolor == other.bgcolor and not has_lines


def refresh_changed(
    widget: Widget, before: Sequence[Any], after: Sequence[Any], strip_of: Callable[[Any], Strip]
) -> None:
    """Repaint the lines of *widget* that differ.

    *strip_of* makes a strip of a line; it makes a blank one of ``()``.
    """
    lines = enumerate(zip_longest(before, after, fillvalue=()))
    changes = [(y, strip_of(old), strip_of(new)) for y, (old, new) in lines if old != new]
    regions = [Region(0, y, end, 1) for y, old, new in changes if (end := changed_until(old, new))]
    if regions:
        widget.refresh(*regions)


def changed_until(old: Strip, new: Strip) -> int:
    """Return the column after the last difference of two lines; 0 if they are equal."""
    if old.cell_length != new.cell_length:
        return max(old.cell_length, new.cell_length)
    ones, others = list(old), list(new)
    while ones and others and ones[-1] == others[-1]:
        del ones[-1], others[-1]
    end = sum(segment.cell_length for segment in ones)
    if ones and others and ones[-1].style == others[-1].style:
        pairs = zip(reversed(ones[-1].text), reversed(others[-1].text), strict=False)
        end -= sum(cell_len(one) for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return end


class LinesView(Widget):
    """A widget that shows ``lines`` and cuts text that does not fit."""

    DEFAULT_CSS = "LinesView { height: 1; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual calls it so
        super().__init__(id=id)
        self.lines: list[list[Bit]] = []
        """The visible lines."""

    app = getters.app(BaseApp)

    def show(self, lines: Iterable[Iterable[Bit]]) -> None:
        """Show *lines* instead of the previous ones, without control characters.

        If the terminal shows only ASCII signs, other signs are replaced.
        """
        printable = self.app.printable
        shown = [[_with_text(bit, printable(bit.text)) for bit in line if bit.text] for line in lines]
        if shown != self.lines:
            before, self.lines = self.lines, shown
            refresh_changed(self, before, shown, self._strip)

    def show_all(self, lines: Sequence[Line]) -> None:
        """Show *lines* in a widget of their height; hide the widget if there are none."""
        self.styles.height, self.display = len(lines), bool(lines)
        self.show(lines)

    def _strip(self, line: Line) -> Strip:
        styling, width = self.app.styling, self.size.width
        runs = ((bit.text, styling.style(bit.role, bit.strong)) for bit in cut(line, width))
        return joined(runs, width, styling.blank)

    def render_line(self, y: int) -> Strip:
        return self._strip(self.lines[y] if y < len(self.lines) else [])

    def bit_at(self, x: int, y: int) -> Bit | None:
        """Return the bit in column *x* of line *y*; None if there is none."""
        if not 0 <= y < len(self.lines):
            return None
        line = self.lines[y]
        ends = accumulate(display_width(bit.text) for bit in line)
        return next((bit for bit, end in zip(line, ends, strict=True) if x < end), None)

    async def on_click(self, event: events.Click) -> None:
        bit = self.bit_at(event.x, event.y)
        if bit is not None and bit.action and event.button == 1:
            event.stop()
            await self.app.run_action(bit.action, self.screen)


class EdgedPane(Vertical):
    """A part of a page with a line at its left edge.

    The line belongs to no widget beside it, so changes there do not repaint it.
    """

    DEFAULT_CSS = """
    EdgedPane { height: 100%; }
    EdgedPane.-edged { border-left: solid $line; padding-left: 1; }
    EdgedPane.-edged.-ascii { border-left: ascii $line; }
    """
    app = getters.app(BaseApp)

    def show_edge(self, width: int) -> None:
        """Use *width* columns, with the line and a blank; if it is 0, all columns and no line."""
        self.styles.width = width or "1fr"
        self.set_class(width > 0, "-edged")
        self.set_class(not self.app.has_unicode, "-ascii")


class LineInput(Input):
    """A field of one line without a frame; it never holds control characters."""

    DEFAULT_CSS = """
    LineInput { height: 1; border: none; padding: 0; }
    LineInput > .input--placeholder { color: $foreground 70%; }
    LineInput:ansi { background: ansi_default; color: ansi_default; }
    LineInput:ansi > .input--placeholder { color: ansi_default; text-style: none; }
    LineInput:ansi > .input--cursor { background: ansi_default; color: ansi_default; text-style: reverse; }
    """

    def __init__(self, placeholder: str = "", *, id: str | None = None) -> None:  # noqa: A002 - Textual calls it so
        super().__init__(id=id, placeholder=placeholder, compact=True, select_on_focus=False)

    def validate_value(self, value: str) -> str:
        """Return *value* without control characters; Textual calls this before the value changes."""
        return "".join(character for character in value if safe_text(character) == character)
