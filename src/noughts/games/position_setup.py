"""Positions of k-in-a-row games that are set up: the side to move, the outcome, and impossible marks.

Each function answers from the rules and the marks on the cells. It refuses a position with a
:class:`~noughts.errors.NotationError` with a code as its reason.
"""

from collections.abc import Sequence

from noughts.core.board import index_of
from noughts.core.geometry import TILINGS, Line, coordinates
from noughts.errors import NotationError
from noughts.games.base import Outcome, Termination
from noughts.games.ending import DRAW, complete_lines
from noughts.games.notation import check_count, check_marks, check_no_extra
from noughts.games.rules import Rules

Cells = Sequence[str | None]
Ages = Sequence[Sequence[int]]
"""The marks of each side if they vanish, from the oldest to the newest, as indices of cells."""

UNEVEN = "uneven"
"""The third part of a position that alternating turns cannot reach, such as a diagram or a handicap."""

UNEVEN_HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "renju", *TILINGS))
"""The options of games in which a position may be uneven."""


def read_position(rules: Rules, cells: Cells, side: str | None, extra: str | None) -> tuple[int, Ages]:
    """Return the number of the side to move, and the ages of the marks if they vanish."""
    check_count(cells, rules.shape)
    check_marks(cells, rules.board_marks)
    mover = _side_to_move(
        rules, [mark for mark in cells if mark is not None], side, is_uneven=extra == UNEVEN
    )
    if rules.gravity:
        _check_support(rules, cells)
    if extra == UNEVEN:
        return mover, ()
    if rules.vanish:
        return mover, _read_ages(rules, cells, extra)
    check_no_extra(extra)
    return mover, ()


def judge_position(rules: Rules, cells: Cells, mover: int, ages: Ages, *, is_closed: bool) -> Outcome | None:
    """Return the outcome of a position, or None if the game continues.

    Raises an error for a position that no game can reach. *is_closed* is True if the side number *mover* has
    no move.
    """
    last = (
        rules.side_at(len(cells) - cells.count(None) - 1) if rules.place > 1 else (mover - 1) % rules.players
    )
    newest = ages[last][-1] if ages and ages[last] else None
    # A mark that leaves may shorten a line to k, if longer ones do not count. This ends nothing.
    among = (newest,) if newest is not None and rules.exact else None
    of_each = zip(rules.geometry_of, rules.board_marks, strict=True)
    lines = tuple(line for one, mark in of_each for line in complete_lines(one, cells, mark, among))
    avoided = (
        ()
        if rules.avoided is None
        else tuple(
            line for mark in rules.board_marks for line in complete_lines(rules.avoided, cells, mark, among)
        )
    )
    if lines or avoided:
        _check_one_mark_made(rules, cells, lines + avoided, last, newest)
    if rules.renju:
        _check_overlines(rules, cells)
    if lines:
        return Outcome(rules.winners[last], lines, Termination.LINE)
    if avoided:
        return Outcome(rules.marks[1 - last], avoided, Termination.LINE)
    return DRAW if is_closed else None


def _side_to_move(rules: Rules, marks: list[str], side: str | None, *, is_uneven: bool) -> int:
    """Return the number of the side to move, given as a mark or counted from the *marks* on the board.

    If the position *is_uneven*, the side must be given, because alternating turns cannot reach the position.
    """
    if side is not None and side not in rules.marks:
        raise NotationError("position", side, "unknown-side", allowed=rules.marks)
    possible = _possible_sides(rules, [marks.count(mark) for mark in rules.board_marks])
    if is_uneven:
        if side is None or rules.marks.index(side) in possible or not rules.facts <= UNEVEN_HANDLED:
            check_no_extra(UNEVEN)
        return rules.marks.index(str(side))
    if side is not None and rules.marks.index(side) in possible:
        return rules.marks.index(side)
    if side is None and len(possible) == 1:
        return possible[0]
    reason = "side-unclear" if side is None and possible else "counts"
    raise NotationError("position", "".join(marks), reason)


def _possible_sides(rules: Rules, counts: list[int]) -> list[int]:
    """Return the numbers of the sides that can be to move if each mark occurs *counts* times."""
    if rules.notakto or rules.wild:
        return [rules.side_at(sum(counts))]
    if rules.place > 1:
        made = [rules.side_at(ply) for ply in range(sum(counts))]
        return [rules.side_at(len(made))] if counts == list(map(made.count, range(rules.players))) else []
    if rules.vanish and min(counts) == max(counts) == rules.vanish:
        return list(range(rules.players))
    least = counts[-1]
    ahead = counts.index(least)
    in_turn = counts == [least + 1] * ahead + [least] * (rules.players - ahead)
    too_many = rules.vanish and max(counts) > rules.vanish
    return [ahead] if in_turn and not too_many else []


def _check_support(rules: Rules, cells: Cells) -> None:
    """Raise an error for a mark that floats although marks fall."""
    width = len(cells) // rules.shape[0]
    for index in range(len(cells) - width):
        if cells[index] is not None and cells[index + width] is None:
            cell = coordinates(rules.shape)[index]
            raise NotationError("position", cell, "floating", cell=index + 1)


def _read_ages(rules: Rules, cells: Cells, extra: str | None) -> list[list[int]]:
    """Return the ages of vanishing marks from text such as ``1,5;9``: X's cells oldest first, then O's."""
    held = [[index for index, mark in enumerate(cells) if mark == own] for own in rules.marks]
    if extra is None:
        if max(map(len, held)) > 1:
            raise NotationError("position", "", "ages-missing")
        return held
    try:
        ages = [[_cell_number(word) for word in part.split(",") if part] for part in extra.split(";")]
    except ValueError:
        raise NotationError("position", extra, "ages-wrong") from None
    if list(map(sorted, ages)) != held:
        raise NotationError("position", extra, "ages-wrong")
    return ages


def _cell_number(word: str) -> int:
    if not (word.isascii() and word.isdigit()):
        raise ValueError(word)
    return int(word) - 1


def _check_overlines(rules: Rules, cells: Cells) -> None:
    """Raise an error for a row of more than k of the side that begins, which renju forbids.

    It is possible if the mark that made it also made a line and ended the game. Then that mark is in every
    row of k, including parts of longer rows.
    """
    rows = complete_lines(rules.geometry, cells, rules.marks[0])
    lines = complete_lines(rules.geometry_of[0], cells, rules.marks[0])
    overlines = [row for row in rows if row not in lines]
    if overlines and not (lines and set.intersection(*(set(row.cells) for row in rows))):
        raise NotationError("position", overlines[0].cells, "overline", k=rules.k)


def _check_one_mark_made(
    rules: Rules, cells: Cells, lines: tuple[Line, ...], last: int, newest: int | None
) -> None:
    """Raise an error for complete *lines* that a single mark of the side number *last* cannot have completed.

    *newest* is the index of that mark if it is known.
    """
    owners = {cells[index_of(rules.shape, line.start)] for line in lines}
    has_own_mark = not (rules.wild or rules.notakto)
    shared = set.intersection(*(set(line.cells) for line in lines))
    if newest is not None:
        shared &= {coordinates(rules.shape)[newest]}
    if len(owners) > 1:
        raise NotationError("position", lines[0].cells, "line-of-both")
    if has_own_mark and owners != {rules.marks[last]}:
        raise NotationError("position", lines[0].cells, "line-of-mover")
    if not shared:
        raise NotationError("position", lines[0].cells, "lines-apart")
