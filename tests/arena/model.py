"""A simple model of a match of tic-tac-toe for two: the oracle of the tests."""

from dataclasses import dataclass, field
from typing import Any

from noughts.arena.clock import Clock

LINES = ("123", "456", "789", "147", "258", "369", "159", "357")
OTHER = {"X": "O", "O": "X"}


@dataclass
class MatchModel:
    """The history so far. Every method returns the names of the events, or None if it refuses."""

    clock: Clock
    claim_after: int | None
    moves: list[str] = field(default_factory=list)
    left: dict[str, int | None] = field(default_factory=dict)
    began: int = 0
    offer: tuple[str, str, int] | None = None
    away: dict[str, int] = field(default_factory=dict)
    end: tuple[str | None, str] | None = None
    most: int = 0  # the maximum number of moves so far: the clocks run from the second on

    def __post_init__(self) -> None:
        start = self.clock.base if self.clock.per_move is None else self.clock.per_move
        self.left = {"X": start, "O": start}

    @property
    def turn(self) -> str:
        return "XO"[len(self.moves) % 2]

    def time_left(self, side: str, at: int) -> int | None:
        left = self.left[side]
        if left is None or side != self.turn or self.end is not None or self.most < 2:
            return left
        return max(0, left - (at - self.began))

    def finish(self, winner: str | None, why: str, at: int | None = None) -> list[str]:
        """End the match at the instant *at*. The running clock stops, which a move has done already."""
        if at is not None:
            self.left[self.turn] = self.time_left(self.turn, at)
        self.end, self.offer = (winner, why), None
        return ["end"]

    def command(self, what: str, side: str, value: Any, at: int) -> list[str] | None:
        if self.end is not None:
            return None
        harmless = ("decline", "leave", "come_back", "forfeit")
        if self.time_left(self.turn, at) == 0 and what not in harmless:
            return self.finish(OTHER[self.turn], "time", at)
        answer: list[str] | None = getattr(self, what)(side, value, at)
        return answer

    def move(self, side: str, value: str, at: int) -> list[str] | None:
        if side != self.turn or value in self.moves:
            return None
        left = self.time_left(side, at)
        if left is not None:
            fresh = self.clock.per_move
            self.left[side] = left + self.clock.increment if fresh is None else fresh
        if self.offer is not None and (self.offer[1] == "takeback" or self.offer[0] != side):
            self.offer = None
        self.moves.append(value)
        self.most = max(self.most, len(self.moves))
        self.began = at
        mine = set(self.moves[len(self.moves) - 1 :: -2])
        if any(set(line) <= mine for line in LINES):
            return ["move", *self.finish(side, "line")]
        if len(self.moves) == 9:
            return ["move", *self.finish(None, "full")]
        return ["move"]

    def resign(self, side: str, value: Any, at: int) -> list[str]:
        return self.finish(OTHER[side], "resignation", at)

    def forfeit(self, side: str, value: Any, at: int) -> list[str]:
        return self.finish(OTHER[side], "forfeit", at)

    def flag(self, side: str, value: Any, at: int) -> None:
        return None

    def propose(self, side: str, what: str, plies: int) -> list[str] | None:
        if self.offer is not None and self.offer[1:] == (what, plies):
            return None
        self.offer = (side, what, plies)
        return ["offer"]

    def offer_draw(self, side: str, value: Any, at: int) -> list[str] | None:
        return self.propose(side, "draw", 0)

    def take_back(self, side: str, value: int, at: int) -> list[str] | None:
        return self.propose(side, "takeback", value) if 1 <= value <= len(self.moves) else None

    def accept(self, side: str, value: Any, at: int) -> list[str] | None:
        if self.offer is None or self.offer[0] == side:
            return None
        _, what, plies = self.offer
        if what == "draw":
            return ["accept", *self.finish(None, "agreement", at)]
        if self.clock.base is not None:
            self.left[self.turn] = self.time_left(self.turn, at)
        del self.moves[-plies:]
        self.began, self.offer = at, None
        return ["accept", "takeback"]

    def decline(self, side: str, value: Any, at: int) -> list[str] | None:
        if self.offer is None:
            return None
        self.offer = None
        return ["decline"]

    def leave(self, side: str, value: Any, at: int) -> list[str] | None:
        if side in self.away:
            return None
        self.away[side] = at
        return ["away"]

    def come_back(self, side: str, value: Any, at: int) -> list[str] | None:
        return ["back"] if self.away.pop(side, None) is not None else None

    def claim(self, side: str, value: Any, at: int) -> list[str] | None:
        since = self.away.get(OTHER[side])
        if self.claim_after is None or since is None or at - since < self.claim_after:
            return None
        return self.finish(side, "abandonment", at)
