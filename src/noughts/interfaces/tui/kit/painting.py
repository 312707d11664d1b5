"""What is written to the terminal: of what a widget shows only what has changed, character by character."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import TypeVar

from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, Compositor, LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

_Line = TypeVar("_Line")

SMALLEST_GAP = 12
"""Columns between two changes from which on it is shorter to go there than to write what is between."""


def refresh_changed(widget: Widget, changes: Iterable[tuple[int, Strip, Strip]]) -> None:
    """Paint anew what differs in lines of *widget*: of each its number, the old one and the new one."""
    if regions := list(changed_regions(changes)):
        widget.refresh(*regions)


def changed_lines(
    before: Sequence[_Line], after: Sequence[_Line], empty: _Line
) -> Iterator[tuple[int, _Line, _Line]]:
    """The lines that differ, with their numbers; *empty* stands for one that is not there."""
    for y, (old, new) in enumerate(zip_longest(before, after, fillvalue=empty)):
        if old != new:
            yield y, old, new


def changed_regions(changes: Iterable[tuple[int, Strip, Strip]]) -> Iterator[Region]:
    """The parts of lines that differ; parts that are near each other are one."""
    for y, old, new in changes:
        start = end = -SMALLEST_GAP
        first, ones, others = _differing(old, new)
        for x, (one, other) in enumerate(zip_longest(_cells(ones), _cells(others)), first):
            if one != other:
                if x - end >= SMALLEST_GAP:
                    if end > start:
                        yield Region(start, y, end - start, 1)
                    start = x
                end = x + 1
        if end > start:
            yield Region(start, y, end - start, 1)


def _differing(old: Strip, new: Strip) -> tuple[int, list[Segment], list[Segment]]:
    """The segments of each line, without those with which both begin or end alike, and their first column."""
    ones, others = list(old), list(new)
    first = 0
    while ones and others and ones[0] == others[0]:
        first += ones.pop(0).cell_length
        del others[0]
    if old.cell_length == new.cell_length:
        while ones and others and ones[-1] == others[-1]:
            del ones[-1], others[-1]
    return first, ones, others


def _cells(segments: Iterable[Segment]) -> Iterator[tuple[str, Style | None, int]]:
    """What stands in each column: the character, its style, and which column of it that is."""
    for text, style, _ in segments:
        if text.isascii() and text.isprintable():
            for character in text:
                yield character, style, 0
            continue
        for character in text:
            for part in range(cell_len(character)):
                yield character, style, part


class TrimmingCompositor(Compositor):
    """Writes of a line what has changed; Textual's begins at the left edge of the widget."""

    def render_full_update(self, simplify: bool = False) -> LayoutUpdate:
        update = super().render_full_update(simplify)
        return BriefLayout(update.strips, update.region)

    def render_partial_update(self) -> ChopsUpdate | None:
        update = super().render_partial_update()
        if update is None:
            return None
        chops: list[dict[int, Strip | None]] = [{} for _ in update.chops]
        ends: list[list[int]] = [[] for _ in update.chops]
        spans: list[tuple[int, int, int]] = []
        for y, left, right in update.spans:
            for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=True):
                if strip is None or max(x, left) >= min(end, right):
                    continue
                first, last = _whole_characters(strip, max(x, left) - x, min(end, right) - x)
                chops[y][x + first] = strip.crop(first, last)
                ends[y].append(x + last)
                spans.append((y, x + first, x + last))
        return BriefUpdate(chops, spans, ends) if spans else None


_PIECE = re.compile(r"\x1b\[([\d;]*)m|(\x1b\[\d+;\d+H|\r?\n)|[^\x1b\r\n]+|.", re.DOTALL)
"""A look, a way to another place, or what is written there."""


_CODES = re.compile(r"[34]8;2;\d+;\d+;\d+|[34]8;5;\d+|\d+")
"""A colour, or one attribute."""


BOLD, NOT_BOLD = "1", "22"


class BriefUpdate(ChopsUpdate):
    """Tells the terminal how characters look once for all that look so, wherever they stand."""

    def render_segments(self, console: Console) -> str:
        return brief(super().render_segments(console))


class BriefLayout(LayoutUpdate):
    """The same for a whole window."""

    def render_segments(self, console: Console) -> str:
        return brief(super().render_segments(console))


def brief(text: str) -> str:
    r"""*text*, in which each look is told whole and reset, without what holds already of each look.

    >>> brief("\x1b[1;31mX\x1b[0m\x1b[2;5H\x1b[1;31mX\x1b[0m\x1b[1;34mO\x1b[0m")
    '\x1b[1;31mX\x1b[2;5HX\x1b[34mO\x1b[0m'
    """
    parts: list[str] = []
    look = wanted = ""
    for found in _PIECE.finditer(text):
        codes, way = found.groups()
        if codes is not None:
            wanted = "" if codes == "0" else codes
            continue
        if way is None and wanted != look and not (found[0].isspace() and _blanks_alike(look, wanted)):
            parts.append(_change(look, wanted))
            look = wanted
        parts.append(found[0])
    return "".join([*parts, _change(look, "")])


@lru_cache(maxsize=1024)
def _blanks_alike(look: str, wanted: str) -> bool:
    """Whether blanks of both looks cannot be told apart: they have one paper and no lines."""
    (held, _, paper), (kept, _, other) = _parts(look), _parts(wanted)
    return paper == other and held | kept <= {BOLD}


@lru_cache(maxsize=1024)
def _change(look: str, wanted: str) -> str:
    """What is written after characters of one *look* so that the next have another."""
    if look == wanted:
        return ""
    (held, *colours), (kept, *others) = _parts(look), _parts(wanted)
    pairs = list(zip(colours, others, strict=True))
    lost = held - kept
    if not wanted or not lost <= {BOLD} or any(one and not other for one, other in pairs):
        return "\x1b[0m" + (f"\x1b[{wanted}m" if wanted else "")
    new = [
        *([NOT_BOLD] if lost else []),
        *sorted(kept - held),
        *(other for one, other in pairs if one != other),
    ]
    return f"\x1b[{';'.join(new)}m"


def _parts(look: str) -> tuple[frozenset[str], str, str]:
    """The attributes of a look, the colour of the ink and that of the paper, each as codes."""
    attributes, ink, paper = set(), "", ""
    for codes in _CODES.findall(look):
        if codes.startswith(("4", "10")) and len(codes) > 1:
            paper = codes
        elif codes.startswith(("3", "9")) and len(codes) > 1:
            ink = codes
        else:
            attributes.add(codes)
    return frozenset(attributes), ink, paper


def _whole_characters(strip: Strip, first: int, last: int) -> tuple[int, int]:
    """The columns *first* to *last*, and what else it takes to cut no wide character of *strip* in two."""
    parts = [part for _, _, part in _cells(strip)]
    first -= parts[first] if first < len(parts) else 0
    last += int(last < len(parts) and parts[last] > 0)
    return first, last
