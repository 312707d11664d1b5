"""The state of a room as a server describes it, checked: a server may send anything."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from noughts.arena.clock import Clock
from noughts.arena.rooms.models import Phase
from noughts.arena.rooms.phrases import PHRASES
from noughts.errors import BadInput, NameRefused
from noughts.text import MAX_NAME, check_name, fit, safe_text

MAX_PLAYERS = 8
MAX_PLIES = 200_000
MAX_CELLS = 100_000
MAX_SAID = MAX_PLAYERS * len(PHRASES)
"""The largest numbers of players, moves, cells and phrases that are read."""

MAX_TIME = 2**53
"""The largest instant, in milliseconds since 1970."""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class RemotePlayer:
    """A seat: its ``name`` (None: free), ``kind``, ``side``, and whether its player is ``here``."""

    name: str | None
    kind: str
    side: str | None
    here: bool


@dataclass(frozen=True, slots=True)
class RemoteClock:
    """The clock: its terms, the milliseconds ``left`` to each side at ``at``, and the ``running`` side."""

    terms: Clock
    left: Mapping[str, int]
    running: str | None
    at: int


@dataclass(frozen=True, slots=True)
class RemoteState:
    """A room at one version. The fields have the names and the meaning of the API.

    ``moves`` are the texts of the moves with the sides that made them. ``opening`` has the number of marks
    still to place, the answers, and whether the sides are exchanged. ``scores`` are the wins, draws and
    losses of each player. ``number`` is the number of the game in its series. ``said`` are the phrases in the
    present game, each with the place that said it and the instant. ``phrases`` are those of this seat.
    ``delay`` is the number of moves by which a watcher sees a rated game late.
    """

    room: str
    version: int
    phase: Phase
    game: str
    sides: tuple[str, ...]
    start: str | None
    moves: tuple[tuple[str, str], ...]
    turn: str | None
    players: tuple[RemotePlayer, ...]
    you: int | None
    code: str | None
    clock: RemoteClock | None
    now: int
    offer: tuple[str, str, int] | None
    protocol: str | None
    opening: tuple[int, tuple[str, ...], bool] | None
    wishes: frozenset[int]
    result: Mapping[str, str | None] | None
    number: int
    scores: tuple[tuple[int, int, int], ...]
    chooser: int | None
    game_id: int | None
    game_link: str | None
    is_public: bool
    claim_at: int | None
    first_move_at: int | None
    is_unaided: bool
    spectators: int
    delay: int
    said: tuple[tuple[int, str, int], ...]
    phrases: tuple[str, ...]

    @classmethod
    def of(cls, value: Any) -> "RemoteState":
        """Return the state in the JSON *value*. Raises ``ValueError`` if it is none."""
        try:
            return cls(**_facts(value))
        except (TypeError, KeyError, AttributeError, BadInput) as error:
            raise ValueError(str(error)) from error

    @property
    def is_over(self) -> bool:
        """True if the present game has ended."""
        return self.result is not None

    def looks_like(self, other: "RemoteState") -> bool:
        """Return True if a person sees no difference to *other*, except on the clocks."""
        facts = {"version": self.version, "now": self.now, "clock": self.clock, "spectators": self.spectators}
        return replace(other, **facts) == self  # type: ignore[arg-type]


def shown_name(text: object) -> str:
    r"""Return the name in *text* so that a terminal can show it.

    >>> shown_name("Ada"), shown_name("a\x1b[2Jb"), shown_name(None)
    ('Ada', 'a\\x1b[2Jb', '?')
    """
    name = " ".join(safe_text(text[:200]).split()) if isinstance(text, str) else "?"
    with suppress(NameRefused):
        return check_name(fit(name, MAX_NAME).rstrip())
    return "?"


# Reading


def _facts(value: Any) -> dict[str, Any]:
    game, series = value["game"], value["series"]
    players = _each(value["players"], _player, MAX_PLAYERS)
    seat = _whole(len(players) - 1)
    return {
        "room": _word(value["room"]),
        "version": _whole(MAX_TIME)(value["version"]),
        "phase": Phase(value["phase"]),
        "game": _text(400)(game["name"]),
        "sides": _each(game["sides"], _mark, MAX_PLAYERS),
        "start": _or_none(_text(20_000))(value["start"]),
        "moves": _each(
            value["moves"], lambda move: (_text(40)(move["move"]), _mark(move["side"])), MAX_PLIES
        ),
        "turn": _or_none(_mark)(value["turn"]),
        "players": players,
        "you": _or_none(seat)(value["you"]),
        "code": _or_none(_text(20))(value["code"]),
        "clock": _or_none(_clock)(value["clock"]),
        "now": _whole(MAX_TIME)(value["now"]),
        "offer": _or_none(_offer)(value["offer"]),
        "protocol": _or_none(_text(40))(value["protocol"]),
        "opening": _or_none(_opening)(value["opening"]),
        "wishes": frozenset(_each(value["wishes"], seat, MAX_PLAYERS)),
        "result": _or_none(_result)(value["result"]),
        "number": _whole(MAX_TIME)(series["number"]),
        "scores": _each(series["scores"], _score, MAX_PLAYERS),
        "chooser": _or_none(seat)(value["chooser"]),
        "game_id": _or_none(_whole(MAX_TIME))(value["game_id"]),
        "game_link": _or_none(_text(200))(value["game_link"]),
        "is_public": value["visibility"] == "public",
        "claim_at": _or_none(_whole(MAX_TIME))(value["claim_at"]),
        # Servers of earlier versions do not send it.
        "first_move_at": _or_none(_whole(MAX_TIME))(value.get("first_move_at")),
        "is_unaided": value.get("unaided") is True,  # servers of earlier versions do not send it
        "spectators": _whole(MAX_TIME)(value["spectators"]),
        "delay": _whole(MAX_PLIES)(value.get("delay", 0)),
        # Servers of earlier versions send no phrases.
        "said": _each(value.get("said", []), _said(len(players)), MAX_SAID),
        "phrases": _each(value.get("phrases", []), _word, len(PHRASES)),
    }


def _player(value: Any) -> RemotePlayer:
    kind = shown_name(value["kind"])
    name = None if value["name"] is None else shown_name(value["name"] if kind == "human" else kind)
    return RemotePlayer(name, kind, _or_none(_mark)(value["side"]), value["here"] is True)


def _clock(value: Any) -> RemoteClock:
    time = _whole(MAX_TIME)
    per_move, base = _or_none(time)(value["per_move"]), _or_none(time)(value["base"])
    terms = Clock(per_move, base, time(value["increment"]))
    left = {_mark(side): time(of) for side, of in value["left"].items()}
    running = _or_none(_mark)(value["running"])
    if not terms.is_timed or len(left) > MAX_PLAYERS:
        raise ValueError("no clock")
    return RemoteClock(terms, left, running, time(value["at"]))


def _offer(value: Any) -> tuple[str, str, int]:
    if value["what"] not in ("draw", "takeback"):
        raise ValueError("no offer")
    return _mark(value["side"]), value["what"], _whole(MAX_PLIES)(value["plies"])


def _opening(value: Any) -> tuple[int, tuple[str, ...], bool]:
    answers = _each(value["answers"], _word, 2)
    return _whole(MAX_PLIES)(value["placing"]), answers, value["is_swapped"] is True


def _result(value: Any) -> dict[str, str | None]:
    return {
        "winner": _or_none(_mark)(value["winner"]),
        "termination": _word(value["termination"]),
        "reason": _or_none(_word)(value["reason"]),
    }


def _said(players: int) -> Callable[[Any], tuple[int, str, int]]:
    seat, time = _whole(players - 1), _whole(MAX_TIME)
    return lambda value: (seat(value["place"]), _word(value["phrase"]), time(value["at"]))


def _score(value: Any) -> tuple[int, int, int]:
    wins, draws, losses = (_whole(MAX_TIME)(value[name]) for name in ("wins", "draws", "losses"))
    return wins, draws, losses


def _each(values: Any, read: Callable[[Any], Value], most: int) -> tuple[Value, ...]:
    if not isinstance(values, list) or len(values) > most:
        raise ValueError("no list, or a long one")
    return tuple(map(read, values))


def _or_none(read: Callable[[Any], Value]) -> Callable[[Any], Value | None]:
    return lambda value: None if value is None else read(value)


def _whole(last: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if type(value) is not int or not 0 <= value <= last:
            raise ValueError("no number")
        return value

    return read


def _text(most: int) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str) or len(value) > most or not value.replace("\n", "").isprintable():
            raise ValueError("no text")
        return value

    return read


def _word(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch("[A-Za-z0-9_-]{1,64}", value):
        raise ValueError("no word")
    return value


def _mark(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"\S{1,8}", value) or not value.isprintable():
        raise ValueError("no mark")
    return value
