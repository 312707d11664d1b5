"""A list of all positions that can follow a position, with their values computed from the ends."""

from array import array
from collections.abc import Callable, Collection
from itertools import accumulate
from math import perm
from typing import Any

from noughts.games.base import Game, Move
from noughts.search.analysis import Effort, LimitReachedError, handled_rules
from noughts.search.exact.canonical import LEAVING, MAX_CELLS, images_of

MAX_POSITIONS = 700_000
"""The largest number of listed positions. With the game that visits them, they take about 1 GB."""

Key = Callable[[Any], object]


class Enumeration:
    """Numbered positions and the moves between them.

    *key* gives one value to all positions that have the same value for the side to move. A position with its
    key in *drawn* ends the game without a winner. With each position, all positions that can follow it are
    listed, so later additions change no value.
    """

    def __init__(self, key: Key, drawn: Collection[object] = ()) -> None:
        self.drawn = drawn
        self.key = key
        self._numbers: dict[object, int] = {}
        self._links = (array("i"), array("i"))  # sources and targets of the moves
        self._open = array("i")  # the number of moves of each position that do not lose at once
        self._wins = bytearray()  # 1 if one of them wins at once
        self._plies = array("i")  # positive if the side to move wins, negative if it loses
        self._game: Game | None = None
        self._path: list[tuple[int, list[Move]]] = []

    def __len__(self) -> int:
        return len(self._numbers)

    def plies(self, key: object) -> int | None:
        """Return the plies to the end: positive for a win, negative for a loss, 0 for a draw.

        Return None if the position is not listed.
        """
        number = self._numbers.get(key)
        return None if number is None else self._plies[number]

    def extend(self, game: Game, effort: Effort) -> None:
        """List the position of the unfinished *game* with all that can follow it, and find their values.

        Raises :class:`~noughts.search.analysis.LimitReachedError`. The positions listed until then are kept,
        and the next call continues there.
        """
        self._walk(effort)
        key = self.key(game)
        if key not in self._numbers:
            # The game gets no past, since no position comes up more than twice on the walk.
            self._game = game.at(game.cells, game.turn, game.extra or None)
            self._enter(self._game, key)
            self._walk(effort)
        if len(self._plies) < len(self._numbers):
            self._plies = plies_to_end(self._open, self._wins, *self._links)

    def _enter(self, game: Game, key: object) -> int:
        """Give a new position its number and put its moves on the path."""
        number = self._numbers[key] = len(self._numbers)
        moves = list(game.legal_moves())
        moves.reverse()
        self._open.append(len(moves))
        self._wins.append(0)
        self._path.append((number, moves))
        return number

    def _walk(self, effort: Effort) -> None:
        """Follow the path until every position that can be reached is listed."""
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
        """Record the last move, made by *side* from position number *source*.

        Return True if it led to a new position.
        """
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
    """Return the plies from each position to the end, as :meth:`Enumeration.plies` counts them.

    Position i has ``unlost[i]`` moves that do not lose at once, and one that wins at once if ``wins[i]``. Its
    moves to other positions are links: number j leads from ``sources[j]`` to ``targets[j]``. The positions
    are settled breadth first, those one ply from the end before those of two. So the first lost position
    found after a position is its quickest win, and the last won one its longest defence.
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
    """Return the reversed links: those to position i come from ``before[first[i] : first[i + 1]]``."""
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
    """Estimate the number of positions to list, without those that are not full; 0 if unknown.

    >>> from noughts import new_game
    >>> count_roughly(new_game("vanishing"))
    7560
    """
    rules, size = handled_rules(game, LEAVING), len(game.cells)
    if rules is None or not rules.vanish:
        return 0
    images = len(images_of(rules.geometry)) if size <= MAX_CELLS else 1
    return perm(size, min(rules.vanish * rules.players, MAX_CELLS)) // images
