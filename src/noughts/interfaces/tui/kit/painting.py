"""Repaint only the lines of a widget that have changed, each up to its last change.

Textual writes a line from the left edge of a widget to the right end of the region that is refreshed.
"""

from collections.abc import Callable, Sequence
from itertools import takewhile, zip_longest
from typing import Any

from rich.cells import cell_len
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget


def refresh_changed(
    widget: Widget, before: Sequence[Any], after: Sequence[Any], strip_of: Callable[[Any], Strip]
) -> None:
    """Paint the lines of *widget* again that differ; *strip_of* makes a strip of a line, blank for ``()``."""
    lines = enumerate(zip_longest(before, after, fillvalue=()))
    changes = [(y, strip_of(old), strip_of(new)) for y, (old, new) in lines if old != new]
    regions = [Region(0, y, end, 1) for y, old, new in changes if (end := changed_until(old, new))]
    if regions:
        widget.refresh(*regions)


def changed_until(old: Strip, new: Strip) -> int:
    """The column after the last one in which two lines differ, 0 if they are alike."""
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
