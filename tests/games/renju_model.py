"""A slow model of the forbidden points of renju: sets of coordinates and plain loops, word for word."""

from itertools import count

Point = tuple[int, int]
Points = frozenset[Point]

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class RenjuModel:
    """A board of *rows* and *columns*, with the stones of Black and of White."""

    def __init__(self, rows: int, columns: int, black: Points, white: Points) -> None:
        self.rows, self.columns = rows, columns
        self.black, self.white = black, white

    def with_black(self, point: Point) -> "RenjuModel":
        return RenjuModel(self.rows, self.columns, self.black | {point}, self.white)

    def is_empty(self, point: Point) -> bool:
        on_board = 0 <= point[0] < self.rows and 0 <= point[1] < self.columns
        return on_board and point not in self.black and point not in self.white

    def row_through(self, point: Point, direction: Point) -> Points:
        """Return the unbroken row of Black's stones through *point*."""
        row = {point}
        for sign in (1, -1):
            for n in count(1):
                after = (point[0] + sign * n * direction[0], point[1] + sign * n * direction[1])
                if after not in self.black:
                    break
                row.add(after)
        return frozenset(row)

    def empty_in_line(self, point: Point, direction: Point) -> list[Point]:
        """Return every empty point near enough in *direction* to make five together with *point*."""
        line = [(point[0] + n * direction[0], point[1] + n * direction[1]) for n in range(-5, 6)]
        return [other for other in line if self.is_empty(other)]

    def fives(self, point: Point, direction: Point) -> list[Point]:
        """Return the empty points that make exactly five together with *point*."""
        made = []
        for other in self.empty_in_line(point, direction):
            row = self.with_black(other).row_through(other, direction)
            if point in row and len(row) == 5:
                made.append(other)
        return made

    def is_straight_four(self, point: Point, direction: Point) -> bool:
        """Return True if *point* is in an unbroken four, both ends of which make exactly five."""
        return len(self.row_through(point, direction)) == 4 and len(self.fives(point, direction)) == 2

    def fours(self, point: Point, direction: Point) -> int:
        return 1 if self.is_straight_four(point, direction) else len(self.fives(point, direction))

    def has_three(self, point: Point, direction: Point) -> bool:
        for other in self.empty_in_line(point, direction):
            later = self.with_black(other)
            makes_it = later.is_straight_four(other, direction)
            holds_both = point in later.row_through(other, direction)
            makes_five = any(len(later.row_through(other, way)) == 5 for way in DIRECTIONS)
            if makes_it and holds_both and not makes_five and self.verdict(other) == "free":
                return True
        return False

    def verdict(self, point: Point) -> str:
        after = self.with_black(point)
        rows = [len(after.row_through(point, direction)) for direction in DIRECTIONS]
        if 5 in rows:
            return "wins"
        if max(rows) >= 6:
            return "6"
        if sum(after.fours(point, direction) for direction in DIRECTIONS) >= 2:
            return "44"
        if sum(after.has_three(point, direction) for direction in DIRECTIONS) >= 2:
            return "33"
        return "free"
