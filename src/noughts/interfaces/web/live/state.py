"""The states of rooms as JSON, which are made once for all readers."""

from dataclasses import dataclass
from itertools import takewhile
from operator import attrgetter, eq

from noughts.arena.rooms.models import Phase, RoomView
from noughts.games.base import Game, Move
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.web.caches import SizedCache
from noughts.interfaces.web.models import (
    LegalMoveMessage,
    MoveMessage,
    SeatState,
    SharedState,
    shown_names,
)

MAX_CACHED = 32_000_000
"""The largest size of all cached states, in characters."""

MAX_MOVES_CACHED = 50_000
"""The largest number of moves whose JSON is cached."""


@dataclass(frozen=True, slots=True)
class _Message:
    """The part of a state that all readers share: an unfinished JSON object, the names, and the legal moves.

    ``line`` are the moves made in the game ``game_id``, and ``moves`` are the same moves as JSON.
    """

    version: int
    game_id: int | None
    line: tuple[Move, ...]
    moves: tuple[str, ...]
    shared: str
    called: tuple[str | None, ...]
    legal: str

    @property
    def size(self) -> int:
        return 2 * len(self.shared) + len(self.legal)


class States:
    """A cache of the newest state of each room in each language.

    It may be used in several threads. They may then make the same state twice.
    """

    def __init__(self) -> None:
        self._kept = SizedCache[tuple[str, str, int], _Message](MAX_CACHED, attrgetter("size"))
        self._move_json: dict[tuple[str, Move], str] = {}

    def text(self, view: RoomView, say: Translator, place: int | None, at: int, spectators: int = 0) -> str:
        """Return the state of the room of *view* at the instant *at* as JSON.

        *place* is the seat of the reader, or None for a spectator.
        """
        message = self._message(view, say)
        is_mine = place is not None and place == view.turn
        own = SeatState.of_seat(view, message.called, place, at, spectators)
        return f'{message.shared},{own.to_json()[1:-1]},"legal":{message.legal if is_mine else "[]"}}}'

    def _message(self, view: RoomView, say: Translator) -> _Message:
        key = (view.room, say.language, view.delay)
        cached = self._kept.get(key)
        called = tuple(shown_names(view, say))
        # Names of people with keys change without a new version.
        if cached is not None and cached.version == view.version and cached.called == called:
            return cached
        line, moves = view.match.game.moves, _moves(view, cached)
        text = f'{SharedState.of_room(view, say).to_json()[:-1]},"moves":[{",".join(moves)}]'
        message = _Message(view.version, view.game_id, line, moves, text, called, self._legal(view))
        if cached is None or cached.version <= view.version:
            self._kept.put(key, message)
        return message

    def _legal(self, view: RoomView) -> str:
        if view.phase is not Phase.PLAYING:
            return "[]"
        game = view.match.game
        name = game.name
        return f"[{','.join([self._json_of_move(name, game, move) for move in game.legal_moves()])}]"

    def _json_of_move(self, name: str, game: Game, move: Move) -> str:
        text = self._move_json.get((name, move))
        if text is None:
            if len(self._move_json) >= MAX_MOVES_CACHED:
                self._move_json.clear()
            message = LegalMoveMessage(**LegalMoveMessage.facts(game, move))
            text = self._move_json[name, move] = message.to_json()
        return text


def _moves(view: RoomView, cached: _Message | None) -> tuple[str, ...]:
    """Return the moves made as JSON. Those of *cached* are not written again."""
    game = view.match.game
    before: tuple[str, ...] = ()
    if cached is not None and cached.game_id == view.game_id:
        before = cached.moves[: sum(1 for _ in takewhile(bool, map(eq, cached.line, game.moves)))]
    return before + tuple(move.to_json() for move in MoveMessage.all(game, len(before)))
