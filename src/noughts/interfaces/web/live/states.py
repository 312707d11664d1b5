"""The states of rooms as text: what is the same for all who look at a room in one language is made once."""

from collections import OrderedDict
from dataclasses import dataclass
from itertools import takewhile
from operator import eq
from threading import Lock

from noughts.arena.rooms.facts import Phase, RoomView
from noughts.games.base import Game, Move
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.web.live.events import compact
from noughts.interfaces.web.live.state import Json, clock_as_json, move_as_json, moves_as_json, shared_state

MAX_KEPT = 32_000_000
"""So many characters of states are kept at hand."""

MAX_SPELLED = 50_000
"""So many moves are remembered as they are told."""


@dataclass(frozen=True, slots=True)
class _Message:
    """What everybody is told of a version: an object that lacks its end, who sits where, the legal moves.

    ``line`` are the moves made in the game ``game_id``, and ``moves`` how they are told.
    """

    version: int
    game_id: int | None
    line: tuple[Move, ...]
    moves: tuple[str, ...]
    shared: str
    players: list[Json]
    legal: str

    @property
    def size(self) -> int:
        return 2 * len(self.shared) + len(self.legal)


class States:
    """Makes states, and keeps the newest of each room in each language.

    May be used in several threads; the same state may then be made twice.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], _Message] = OrderedDict()
        self._size = 0
        self._spelled: dict[tuple[str, Move], str] = {}
        self._lock = Lock()

    def text(self, view: RoomView, say: Translator, place: int | None, at: int, spectators: int = 0) -> str:
        """The state of the room of *view*, as JSON, for the seat *place* (None: a spectator) at *at*."""
        told = self._told(view, say)
        is_mine = place is not None and place == view.turn
        own = {
            "players": [{**player, "you": player["place"] == place} for player in told.players],
            "you": place,
            "code": None if place is None else view.code,
            "expires": None if place is None else view.expires,
            "clock": clock_as_json(view.match, view, at),
            "spectators": spectators,
        }
        return f'{told.shared},{compact(own)[1:-1]},"legal":{told.legal if is_mine else "[]"}}}'

    def _told(self, view: RoomView, say: Translator) -> _Message:
        key = (view.room, say.language)
        with self._lock:
            kept = self._kept.get(key)
        if kept is not None and kept.version == view.version:
            return kept
        shared = shared_state(view, say)
        players = shared.pop("players")
        line, moves = view.match.game.moves, _moves(view, kept)
        text = f'{compact(shared)[:-1]},"moves":[{",".join(moves)}]'
        told = _Message(view.version, view.game_id, line, moves, text, players, self._legal(view))
        if kept is None or kept.version < view.version:
            self._keep(key, told)
        return told

    def _keep(self, key: tuple[str, str], told: _Message) -> None:
        with self._lock:
            before = self._kept.pop(key, None)
            self._kept[key] = told
            self._size += told.size - (before.size if before is not None else 0)
            while self._size > MAX_KEPT:
                self._size -= self._kept.popitem(last=False)[1].size

    def _legal(self, view: RoomView) -> str:
        if view.phase is not Phase.PLAYING:
            return "[]"
        game = view.match.game
        name = game.name
        return f"[{','.join([self._spell(name, game, move) for move in game.legal_moves()])}]"

    def _spell(self, name: str, game: Game, move: Move) -> str:
        text = self._spelled.get((name, move))
        if text is None:
            if len(self._spelled) >= MAX_SPELLED:
                self._spelled.clear()
            text = self._spelled[name, move] = compact(move_as_json(game, move))
        return text


def _moves(view: RoomView, kept: _Message | None) -> tuple[str, ...]:
    """The moves made, as they are told; those that were *kept* are not told anew, however many they are."""
    game = view.match.game
    before: tuple[str, ...] = ()
    if kept is not None and kept.game_id == view.game_id:
        before = kept.moves[: sum(1 for _ in takewhile(bool, map(eq, kept.line, game.moves)))]
    return before + tuple(map(compact, moves_as_json(game, len(before))))
