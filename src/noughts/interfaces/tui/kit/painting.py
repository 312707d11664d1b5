"""What is written to the terminal: of what a widget shows only what has changed, character by character."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TypeVar

from rich.cells import cell_len
from rich.style import Style
from textual._compositor import ChopsUpdate, Compositor
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
        for x, (one, other) in enumerate(zip_longest(_cells(old), _cells(new))):
            if one != other:
                if x - end >= SMALLEST_GAP:
                    if end > start:
                        yield Region(start, y, end - start, 1)
                    start = x
                end = x + 1
        if end > start:
            yield Region(start, y, end - start, 1)


def _cells(strip: Strip) -> Iterator[tuple[str, Style | None, int]]:
    """What stands in each column: the character, its style, and which column of it that is."""
    for text, style, _ in strip:
        for character in text:
            for part in range(cell_len(character)):
                yield character, style, part


class TrimmingCompositor(Compositor):
    """Writes of a line what has changed; Textual's begins at the left edge of the widget."""

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
        return ChopsUpdate(chops, spans, ends) if spans else None


def _whole_characters(strip: Strip, first: int, last: int) -> tuple[int, int]:
    """The columns *first* to *last*, and what else it takes to cut no wide character of *strip* in two."""
    parts = [part for _, _, part in _cells(strip)]
    first -= parts[first] if first < len(parts) else 0
    last += int(last < len(parts) and parts[last] > 0)
    return first, last
