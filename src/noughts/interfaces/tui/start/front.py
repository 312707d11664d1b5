"""How the first screen is laid out: pictures beside notes, pictures alone, settings alone, or a list."""

from collections.abc import Sequence
from dataclasses import dataclass

from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.tui.kit.keys import KEYS
from noughts.interfaces.tui.kit.spans import Bit, Line, cut, spread, width_of
from noughts.interfaces.tui.kit.styles import EDGE, SECOND
from noughts.interfaces.tui.start.gallery import Choice, arrange, first_row, grid_lines, list_lines
from noughts.interfaces.tui.start.notes import Notes, lines_of, other_unfinished
from noughts.interfaces.tui.start.unfinished import GoingOn

WIDE = (84, 22)
"""From this size on the notes stand beside the pictures."""

PICTURED = (40, 14)
"""From this size on there are pictures; below it a list."""


@dataclass(slots=True)
class Front:
    """What the first screen shows.

    ``place`` is that of the chosen game in ``shown``, ``setting`` the setting that the keys go to, None
    where they choose pictures. ``first`` is the first row of pictures that was seen last; it, ``columns`` and
    ``rows`` are what has come of it once :meth:`lines` was called.
    """

    say: Translator
    unicode: bool
    shown: Sequence[Choice]
    place: int
    notes: Notes
    unfinished: GoingOn | None
    setting: int | None
    first: int
    columns: int = 1
    rows: int = 1

    def lines(self, width: int, height: int) -> list[Line]:
        """What fits the window best."""
        if width >= WIDE[0] and height + 1 >= WIDE[1]:
            return self._wide(width, height)
        if self.setting is not None:
            return self._settings_alone(width, height)
        if width >= PICTURED[0] and height + 1 >= PICTURED[1]:
            pictures = self._pictures(width, height - 1)
            return [
                spread(pictures[0], self._going_on(width - 12), width),
                *pictures[1:],
                self._summary(width),
            ]
        return self._listed(width, height)

    def _going_on(self, width: int) -> list[Bit]:
        """What can be continued, in one line of at most *width* columns, with its key."""
        if self.unfinished is None:
            return []
        key = KEYS["continue"]
        line = [
            Bit(f"{key.shown(self.say)} ", "", True, key.action),
            Bit(self.unfinished.newest, SECOND, False, key.action),
        ]
        others = other_unfinished(self.say, self.unfinished)
        return [*cut(line, width - 2 - width_of(others)), *others, Bit("  ")]

    def _summary(self, width: int) -> Line:
        """What is set, in one line, and the key to change it."""
        key = KEYS["settings"]
        told = "   ".join(self.notes.choices.summary(self.say, self.notes.game))
        left = [Bit(f"  {told}", SECOND, False, key.action)]
        change = [
            Bit(f"{key.shown(self.say)} ", "", True, key.action),
            Bit(f"{self.say('key-settings')}  ", SECOND, False, key.action),
        ]
        return spread(left, change, width)

    def _wide(self, width: int, height: int) -> list[Line]:
        margin = min(46, max(32, width * 32 // 100))
        left = self._pictures(width - margin, height)
        right = self._notes(margin - 2, height)
        edge = "┃" if self.unicode else "|"
        lines: list[Line] = []
        for one, other in zip(left, right, strict=True):
            kept = cut(one, width - margin)
            blanks = " " * (width - margin - width_of(kept))
            lines.append([*kept, Bit(blanks), Bit(f"{edge} ", EDGE), *cut(other, margin - 2)])
        return lines

    def _pictures(self, width: int, height: int) -> list[Line]:
        """The heading and the grid, exactly *height* lines."""
        grid = arrange(len(self.shown) or 1, width - 2, height - 4)
        self.columns, self.rows = grid.columns, grid.rows
        self.first = first_row(grid, self.place, self.first, len(self.shown))
        start = self.first * grid.columns
        last = min(len(self.shown), start + grid.seen)
        count = (
            self.say("start-range", first=start + 1, last=last, count=len(self.shown)) if self.shown else ""
        )
        heading = spread([Bit(f"  {self.say('start-title')}", "", True)], [Bit(f"{count}  ", SECOND)], width)
        pictures = grid_lines(
            self.shown,
            self.place,
            grid,
            self.first,
            unicode=self.unicode,
            here=self.setting is None,
        )
        lines: list[Line] = [[Bit("  noughts", SECOND)], [], heading, []]
        lines += [[Bit("  "), *line] for line in pictures]
        return [*lines[:height], *([] for _ in range(height - len(lines)))]

    def _listed(self, width: int, height: int) -> list[Line]:
        """The heading, a list of titles, and what is set, as far as there is room."""
        self.columns = 1
        head: list[Line] = [[Bit("noughts", SECOND)], self._going_on(width + 2)] if height >= 9 else []
        foot: list[Line] = []
        if height >= 6:
            summary = self.notes.choices.summary(self.say, self.notes.game)[:1]
            foot = [[], [Bit(text, SECOND, False, "settings") for text in summary]]
            foot += [[]] if height >= 9 else []
        room = height - len(head) - len(foot)
        titles, self.first = list_lines(
            self.say, self.shown, self.place, room, self.first, unicode=self.unicode
        )
        self.rows = max(1, room - 1)
        return [*head, *titles, *([] for _ in range(room - len(titles))), *foot]

    def _notes(self, width: int, height: int) -> list[Line]:
        if not self.shown:  # nothing is chosen of nothing
            return [[]] * height
        return lines_of(self.notes, self.unfinished, self.setting, width, height)

    def _settings_alone(self, width: int, height: int) -> list[Line]:
        indent = 2 if width >= PICTURED[0] else 0
        lines = self._notes(width - 2 * indent, height)
        return [[Bit(" " * indent), *line] for line in lines]
