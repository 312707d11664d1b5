"""Rules: the frozen facts of a k-in-a-row game."""

import math
from collections.abc import Iterable
from dataclasses import Field, dataclass, field, fields, replace
from itertools import islice
from typing import Any

from noughts.core.board import Shape, check_shape
from noughts.core.geometry import TILINGS, Geometry, TilingOptions
from noughts.errors import RulesError

MARKS = ("X", "O", "Z", "Y", "W", "V", "U", "T")
"""The default marks of the sides, in turn order."""

BOARD = ("shape", "k", "marks")
"""The fields of :class:`Rules` that are not options, because every game has them."""

WITHOUT_MEANING = {
    "notakto": ("misere", "wild", "players"),
    "misere": ("players",),
    "vanish": ("gravity", "wild", "notakto"),
    "renju": ("gravity", "misere", "exact", "wrap", "wild", "notakto", "vanish", "players", *TILINGS),
    "place": ("vanish", "renju"),
    "avoid": ("misere", "exact", "notakto", "renju", "players"),
    "gravity": TILINGS,
    "wrap": TILINGS,
    **{tiling: TILINGS[number + 1 :] for number, tiling in enumerate(TILINGS)},
}
"""The options that contradict each option, or that would have no clear meaning with it."""


RENJU_K = 5
"""The number in a row in renju, which is played on flat boards only."""

AXES = "xyzwvuts"
"""The names of the axes, the last one first."""

NO_EARLY_END = frozenset(
    (
        *("gravity", "misere", "exact", "wrap", "wild", "notakto", "renju", *TILINGS),
        *("vanish", "players", "avoid"),
    )
)
"""The options under which no game ends before a line can have all its marks, or the board is full.

If marks vanish, no position recurs so early. In renju four stones of Black never forbid every point: points
that make a move forbidden are not forbidden themselves.
"""

EXTRA_MARK_HELPS = frozenset(("wrap", *TILINGS))
"""The options under which an extra mark never harms its side."""


def _derived() -> Any:
    """Return a derived field. It is computed once, because games read it at every move."""
    return field(init=False, repr=False, compare=False)


def _place_in_spec(option: Field[Any]) -> tuple[bool, bool]:
    """Return the key that sorts the options of a spec: switches, then tilings, then numbers."""
    return option.type is int, option.name in TILINGS


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(TilingOptions):
    """The options that distinguish one k-in-a-row game from another. Frozen: equal rules are the same game.

    >>> Rules(shape=(6, 7), k=4, gravity=True).spec
    '7x6:4,gravity'
    """

    shape: Shape
    """Side lengths in the order of coordinates: rows first, then columns."""
    k: int = 0
    """The number in a row that makes a line. 0 means the smallest side."""
    gravity: bool = False
    """Marks fall along the first axis, towards its greater numbers."""
    misere: bool = False
    """The side that completes a line loses."""
    exact: bool = False
    """More than k in a row do not count."""
    wrap: bool | str = False
    """Lines continue at the opposite side: along all axes, or along those named, such as ``"x"``.

    With ``gravity`` lines also continue from the top to the floor, but marks still stop at the floor.
    """
    wild: bool = False
    """The mover chooses the mark, and wins with a line of either mark."""
    notakto: bool = False
    """All sides place the first mark, and the side that completes a line loses."""
    renju: bool = False
    """The side that begins needs exactly five, and may not make more, or two fours or threes at once."""
    vanish: int = 0
    """The number of marks of a side that stay: each further mark removes the oldest. 0: all stay."""
    players: int = field(default=0, metadata={"usual": 2})
    """The number of players. 0 means the number of marks."""
    place: int = 1
    """The number of marks that a side places in a turn.

    The first turn of the game has one. A move is one mark.
    """
    avoid: int = 0
    """The length of a line that loses if no line of k is completed with it. 0: no such line."""
    marks: tuple[str, ...] = ()
    """The marks in turn order. Empty means the first of :data:`MARKS`."""

    facts: frozenset[str] = _derived()
    """The names of the options that differ from the default: code that relies on rules must handle them."""
    line_loses: bool = _derived()
    """True if completing a line loses the game."""
    winners: tuple[str, ...] = _derived()
    """For the number of each side, the mark of the side that wins when it completes a line."""
    board_marks: tuple[str, ...] = _derived()
    """The marks that can be on the board."""
    exact_for: tuple[bool, ...] = _derived()
    """For each mark that can be on the board, True if more than k of it in a row do not count."""
    geometry: Geometry = field(init=False, repr=False, compare=False)
    """The geometry that decides which cells make a line."""
    geometry_of: tuple[Geometry, ...] = _derived()
    """The geometry for each mark that can be on the board, as longer lines may count for some marks only."""
    avoided: Geometry | None = field(init=False, repr=False, compare=False)
    """The lines that lose for the side that completes them, or None if there are none."""
    soonest_end: int = _derived()
    """The ply, counted from an empty board, before which the game cannot end."""

    def __post_init__(self) -> None:
        def settle(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        self._check_kinds()
        settle("shape", check_shape(self.shape))
        settle("k", self.k or min(self.shape))
        settle("marks", _check_marks(self.marks, self.players))
        settle("players", len(self.marks))
        settle("wrap", self._axes_joined())
        settle("geometry", self._geometry())
        self._check()
        settle("facts", frozenset(name for name, _ in self._options()))
        settle("line_loses", self.misere or self.notakto)
        settle("winners", self.marks[::-1] if self.line_loses else self.marks)
        settle("board_marks", self.marks[:1] if self.notakto else self.marks)
        slots = range(len(self.board_marks))
        settle("exact_for", tuple(self.exact or (self.renju and not slot) for slot in slots))
        settle("geometry_of", tuple(replace(self.geometry, exact=exact) for exact in self.exact_for))
        settle("avoided", replace(self.geometry, k=self.avoid) if self.avoid else None)
        settle("soonest_end", self._soonest_end())

    def _options(self) -> list[tuple[str, object]]:
        """Return the options that differ from the default, and their values."""
        options = [
            one
            for one in fields(self)
            if one.init
            and one.name not in BOARD
            and getattr(self, one.name) != one.metadata.get("usual", one.default)
        ]
        return [(one.name, getattr(self, one.name)) for one in sorted(options, key=_place_in_spec)]

    def _soonest_end(self) -> int:
        if not self.facts <= NO_EARLY_END:
            return 0
        k = self.avoid or self.k
        line = k if self.wild or self.notakto else (k - 1) * self.players + 1
        return min(line, math.prod(self.shape))

    def side_at(self, ply: int) -> int:
        """Return the number of the side to move after *ply* marks.

        >>> [Rules(shape=(3, 3), place=2).side_at(ply) for ply in range(6)]
        [0, 1, 1, 0, 0, 1]
        """
        return (ply + self.place - 1) // self.place % self.players

    def _axes_joined(self) -> bool | str:
        """Return the canonical value of ``wrap``: True for all axes, else their names in order."""
        if isinstance(self.wrap, bool):
            return self.wrap
        axes = AXES[: len(self.shape)]
        if not self.wrap or len(set(self.wrap)) < len(self.wrap) or not set(self.wrap) <= set(axes):
            raise RulesError("no-such-axis", axes=self.wrap, allowed=tuple(axes))
        return True if len(self.wrap) == len(axes) else "".join(sorted(self.wrap, key=axes.index))

    def _geometry(self) -> Geometry:
        if self.tiling and len(self.shape) != 2:
            raise RulesError(f"{self.tiling}-not-flat", dimensions=len(self.shape))
        axes = AXES[: len(self.shape)][::-1]
        joined = tuple(self.wrap is True or (bool(self.wrap) and axis in str(self.wrap)) for axis in axes)
        return Geometry(self.shape, self.k, joined, self.tiling, self.exact)

    def _check_kinds(self) -> None:
        for name in ("k", *NUMBERS):
            if isinstance(value := getattr(self, name), bool) or not isinstance(value, int):
                raise RulesError("not-a-number", option=name)
        for name in SWITCHES:
            if not isinstance(getattr(self, name), bool | str if name == "wrap" else bool):
                raise RulesError("not-a-switch", option=name)

    def _check(self) -> None:
        if self.k < 1:
            raise RulesError("k-too-small", k=self.k)
        if self.k > (longest := self.geometry.longest):
            raise RulesError("k-too-large", k=self.k, longest=longest)
        options = dict(self._options())
        for one, others in WITHOUT_MEANING.items():
            for two in others if one in options else ():
                if two in options:
                    raise RulesError("contradiction", one=one, two=two)
        if self.vanish and self.vanish < self.k:
            raise RulesError("vanish-too-soon", vanish=self.vanish, k=self.k)
        if self.vanish and self.vanish * self.players >= math.prod(self.shape):
            raise RulesError("vanish-never", vanish=self.vanish)
        if self.place < 1 or (self.place > 1 and self.place >= math.prod(self.shape)):
            raise RulesError("place-range", place=self.place, most=max(1, math.prod(self.shape) - 1))
        if not 0 <= self.avoid < self.k:
            raise RulesError("avoid-range", avoid=self.avoid, k=self.k)
        if self.renju and (self.k != RENJU_K or len(self.shape) != 2):
            raise RulesError("renju-board", k=RENJU_K)

    @property
    def spec(self) -> str:
        """The text of these rules, which :func:`~noughts.games.catalogue.parse_spec` reads."""
        shape = self.shape[::-1] if len(self.shape) == 2 else self.shape
        words = [f"{'x'.join(map(str, shape))}:{self.k}"]
        words += [name if value is True else f"{name}={value}" for name, value in self._options()]
        return ",".join(words)

    @property
    def extra_mark_never_hurts(self) -> bool:
        """True if an extra mark can only help its side. Strategy stealing and passing rely on it."""
        return self.facts <= EXTRA_MARK_HELPS


SWITCHES = tuple(
    one.name
    for one in sorted(fields(Rules), key=_place_in_spec)
    if one.init and one.type in (bool, bool | str)
)
"""The options that are on or off. Each is a word of a spec."""

NUMBERS = tuple(one.name for one in fields(Rules) if one.type is int and one.init and one.name not in BOARD)
"""The options that are numbers, written ``name=number`` in a spec."""


def _check_marks(marks: Iterable[str], players: int) -> tuple[str, ...]:
    try:
        marks = tuple(islice(marks, len(MARKS) + 1))
    except TypeError:
        raise RulesError("marks", marks=marks) from None
    if not marks:
        marks = MARKS[: players or 2] if 0 <= players <= len(MARKS) else ()
    if not 2 <= len(marks) <= len(MARKS) or (players and players != len(marks)):
        raise RulesError("players", players=players or len(marks), most=len(MARKS))
    proper = all(
        isinstance(mark, str) and len(mark) == 1 and mark.isascii() and mark.isupper() for mark in marks
    )
    if not proper or len(set(marks)) < len(marks):
        raise RulesError("marks", marks=marks)
    return marks
