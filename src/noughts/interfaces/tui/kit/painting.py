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
        for y, left, right in update.spans:
            for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=True):
                first, last = max(x, left), min(end, right)
                if strip is not None and first < last:
                    chops[y][first] = strip.crop(first - x, last - x)
                    ends[y].append(last)
        return ChopsUpdate(chops, update.spans, ends)
