"""All positions that can come after one, in a list, and their values worked out from the ends."""

from array import array
from collections.abc import Callable, Collection
from itertools import accumulate
from math import perm
from typing import Any

from noughts.games.base import Game, Move
from noughts.search.analysis import Effort, LimitReachedError, handled_rules
from noughts.search.exact.canonical import LEAVING, MAX_CELLS, images_of

MAX_POSITIONS = 700_000
"""No more positions than this are listed: with the game that walks through them they take about 1 GB."""

Key = Callable[[Any], object]


class Enumeration:
    """Positions by number, and the moves that lead from one to the other.

    *key* gives one value to all positions that are worth the same to the side to move. Positions whose
    keys are *drawn* end the game without a winner. With each position everything that can come after it
    is listed, so that what is listed later changes no value.
    """

    def __init__(self, key: Key, drawn: Collection[object] = ()) -> None:
        self.drawn = drawn
        self.key = key
        self._numbers: dict[object, int] = {}
        self._links = (array("i"), array("i"))  # from, to
        self._open = array("i")  # the moves of each position that do not lose at once
        self._wins = bytearray()  # 1 where one of them wins at once
        self._plies = array("i")  # to the end: positive where the side to move wins, negative where it loses
        self._game: Game | None = None
        self._path: list[tuple[int, list[Move]]] = []

    def __len__(self) -> int:
        return len(self._numbers)

    def plies(self, key: object) -> int | None:
        """Plies to the end: positive for a win of the side to move, negative for a loss, 0 for a draw.

        None for a position that is not listed.
        """
        number = self._numbers.get(key)
        return None if number is None else self._plies[number]

    def extend(self, game: Game, effort: Effort) -> None:
        """List the position of *game*, which goes on, with all that can come after it; find their values.

        Raises :class:`~noughts.search.analysis.LimitReachedError`; what was listed until then is kept, and
        the next call goes on there.
        """
        self._walk(effort)
        key = self.key(game)
        if key not in self._numbers:
            # Without a past, since on the walk no position comes up more than twice.
            self._game = game.at(game.cells, game.turn, game.extra or None)
            self._enter(self._game, key)
            self._walk(effort)
        if len(self._plies) < len(self._numbers):
            self._plies = plies_to_end(self._open, self._wins, *self._links)

    def _enter(self, game: Game, key: object) -> int:
        """Number a new position and put its moves on the path."""
        number = self._numbers[key] = len(self._numbers)
        moves = list(game.legal_moves())
        moves.reverse()
        self._open.append(len(moves))
        self._wins.append(0)
        self._path.append((number, moves))
        return number

    def _walk(self, effort: Effort) -> None:
        """Go on along the path until every position that can be reached is listed."""
        path, game = self._path, self._game
        while path and game is not None:
            number, moves = path[-1]
            if moves:
                effort.add()
                if len(self._numbers) >= MAX_POSITIONS:
                    raise LimitReachedError
                side = game.turn
                game.play(moves.pop())
                if not self._went_deeper(game, number, side):
                    game.undo()
            else:
                path.pop()
                if path:
                    game.undo()

    def _went_deeper(self, game: Game, source: int, side: str) -> bool:
        """Note the move just made by *side* from the position *source*; whether it led to a new one."""
        outcome = game.outcome
        if outcome is not None:
            self._wins[source] |= outcome.winner == side
            self._open[source] -= outcome.winner not in (side, None)
            return False
        key = self.key(game)
        if self.drawn and key in self.drawn:
            return False
        target = self._numbers.get(key)
        new = target is None
        if target is None:
            target = self._enter(game, key)
        sources, targets = self._links
        sources.append(source)
        targets.append(target)
        return new


def plies_to_end(
    unlost: "array[int]", wins: bytearray, sources: "array[int]", targets: "array[int]"
) -> "array[int]":
    """Plies from each position to the end, as :meth:`Enumeration.plies` has them.

    Position i has ``unlost[i]`` moves that do not lose at once, one that wins at once if ``wins[i]``, and
    moves to other positions: number j leads from ``sources[j]`` to ``targets[j]``. The positions are
    settled breadth first, those one ply from the end before those of two; so the first lost position
    that is found after one is its quickest win, and the last won one its longest defence.
    """
    first, before = _reversed(len(unlost), sources, targets)
    unlost = unlost[:]
    result = array("i", list(wins))
    settled = [number for number, won in enumerate(wins) if won]
    for number, moves in enumerate(unlost):
        if not moves and not wins[number]:
            result[number] = -1
            settled.append(number)
    plies = 1
    while settled:
        plies += 1
        now: list[int] = []
        for number in settled:
            lost = result[number] < 0
            for source in before[first[number] : first[number + 1]]:
                if result[source]:
                    continue
                if not lost:
                    unlost[source] -= 1
                    if unlost[source]:
                        continue
                result[source] = plies if lost else -plies
                now.append(source)
        settled = now
    return result


def _reversed(count: int, sources: "array[int]", targets: "array[int]") -> "tuple[list[int], array[int]]":
    """Where links come from: those to position i from ``before[first[i] : first[i + 1]]``."""
    into = [0] * count
    for target in targets:
        into[target] += 1
    first = [0, *accumulate(into)]
    place = first[:]
    before = array("i", bytes(sources.itemsize * len(sources)))
    for source, target in zip(sources, targets, strict=True):
        before[place[target]] = source
        place[target] += 1
    return first, before


def count_roughly(game: Game) -> int:
    """About how many positions there are to list, those that are not full left out; 0 where nobody knows.

    >>> from noughts import new_game
    >>> count_roughly(new_game("vanishing"))
    7560
    """
    rules, size = handled_rules(game, LEAVING), len(game.cells)
    if rules is None or not rules.vanish:
        return 0
    images = len(images_of(rules.geometry)) if size <= MAX_CELLS else 1
    return perm(size, min(rules.vanish * rules.players, MAX_CELLS)) // images
