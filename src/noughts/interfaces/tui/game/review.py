"""The review of a game: its course as a chart, what each move was worth, and what gave something away."""

from noughts.interfaces.presenting.reviewing import ReviewText
from noughts.interfaces.tui.game.status import small_sign
from noughts.interfaces.tui.kit.keys import REVIEWING
from noughts.interfaces.tui.kit.page import Page
from noughts.interfaces.tui.kit.spans import Bit, Line, clipped, first_seen, in_columns, note_lines, width_of
from noughts.interfaces.tui.kit.styles import SECOND
from noughts.search.insight.review import ReviewedMove

FOOTER = ("choose", "turning-point", "look", "close")

CHART_LINES = 7
"""Lines of a chart that is not continued further down, with a blank one."""

CHART_FROM = 18
"""The height of a window in which there is room for the chart."""

TOLD_LINES = 3
"""Lines kept for what is said about the chosen move, if it needs no more."""


class ReviewPage(Page[int | None], keys=REVIEWING):
    """The moves in a list; what is said about the chosen one stands below. Closed, it gives its ply."""

    def __init__(self, told: ReviewText) -> None:
        super().__init__()
        self._told = told
        moves = told.review.moves
        points = told.review.turning_points
        self._chosen = moves.index(points[0]) if points else len(moves) - 1
        self._first = 0

    def draw(self) -> None:
        width, height = self.size
        self.show_sheet(self._lines(width, height - (height > 1)), FOOTER)

    def _lines(self, width: int, height: int) -> list[Line]:
        indent = 2 if width >= 40 else 0
        room = width - 2 * indent
        heading: list[Line] = [[Bit(self.say("review-heading"), "", True)], []]
        if height >= CHART_FROM:
            heading += self._chart(room)
            if (caution := self._told.caution(self.say)) is not None:
                heading += [*note_lines([caution], room, SECOND), []]
        chosen = self._told.review.moves[self._chosen]
        told = note_lines([self._told.sentence(self.say, chosen)], room)
        rows = max(1, height - len(heading) - max(len(told), TOLD_LINES) - 1)
        shown = self._rows(room, rows)
        told = clipped(told, height - len(heading) - len(shown) - 1, room)
        lines = [*heading, *shown, [], *told]
        return [[Bit(" " * indent), *line] for line in lines[:height]]

    def _chart(self, width: int) -> list[Line]:
        chart = self._told.chart(self.say)
        lines = [] if chart is None else chart.text(width=width, unicode=self.app.has_unicode)
        return [*([Bit(line)] for line in lines), []] if 0 < len(lines) < CHART_LINES else []

    def _rows(self, width: int, height: int) -> list[Line]:
        """The moves, in as many columns as fit, the chosen one between the signs of the cursor."""
        items = [self._item(place, move) for place, move in enumerate(self._told.review.moves)]
        wide = max(map(width_of, items)) + 2
        self._across = max(1, width // wide)
        rows = in_columns(items, self._across, wide)
        self._first = first_seen(self._chosen // self._across, self._first, height, len(rows))
        return rows[self._first : self._first + height]

    def _item(self, place: int, move: ReviewedMove) -> list[Bit]:
        number, _, name, before, after = map(str, self._told.row(move))
        is_chosen = place == self._chosen
        left, right = (">", "<") if is_chosen else (" ", " ")
        action = f"point({place})"
        digits = len(str(len(self._told.review.moves)))
        # What is not known has no sign: a "?" says that a move gave something away.
        known = "" if move.after is None else f"  {after}"
        worth = f"  {before} → {after}" if move.changed else known
        return [
            Bit(f"{left}{number:>{digits}} ", SECOND, False, action),
            Bit(small_sign(move.side), move.side, is_chosen, action),
            Bit(f" {name}", "", is_chosen or move.changed, action),
            Bit(f"{worth}{right}", SECOND, False, action),
        ]

    def _choose(self, place: int) -> None:
        self._chosen = max(0, min(place, len(self._told.review.moves) - 1))
        self.redraw()

    def action_step(self, direction: str) -> None:
        """Another move."""
        steps = {"left": -1, "right": 1, "up": -self._across, "down": self._across}
        self._choose(self._chosen + steps[direction])

    def action_turning_point(self) -> None:
        """The next move that gave something away."""
        places = [move.ply - 1 for move in self._told.review.turning_points]
        if places:
            self._choose(next((place for place in places if place > self._chosen), places[0]))

    def action_point(self, place: int) -> None:
        """The move that was clicked; clicked again, its position."""
        if place == self._chosen:
            self.action_look()
        else:
            self._choose(place)

    def action_look(self) -> None:
        """The position after the chosen move, on the board."""
        self.dismiss(self._chosen + 1)
