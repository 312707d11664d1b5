"""The state of a room as JSON: all that is needed to show it and to go on, made once for all who look."""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import takewhile
from operator import eq
from threading import Lock
from typing import Any

from pydantic import BaseModel

from noughts.arena.events import Event, EventKind, MatchEnd
from noughts.arena.match import Match
from noughts.arena.rooms.facts import Phase, RoomView
from noughts.arena.rooms.keys import key_of_game
from noughts.arena.store.store import BY_LINK, PUBLIC
from noughts.core.board import index_of
from noughts.drawing.view import first_index, view_of
from noughts.games.base import Game, Move, Outcome
from noughts.games.catalogue import name_of, new_game
from noughts.games.moves import choices_of, parts_of
from noughts.games.notation import format_move
from noughts.games.openings import openings_of
from noughts.interfaces.presenting.building import computers_for
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.knowing import say_known
from noughts.interfaces.presenting.naming import Names
from noughts.interfaces.presenting.players import levels_without_fast, player_called, strongest_level
from noughts.interfaces.presenting.titles import rule_in_short, title_of
from noughts.interfaces.presenting.wording import Wording
from noughts.interfaces.web.live.events import compact
from noughts.interfaces.web.routes.schemas import OfferMessage, ScoreMessage

Json = dict[str, Any]

MAX_KEPT = 32_000_000
"""So many characters of states are kept at hand."""

MAX_SPELLED = 50_000
"""So many moves are remembered as they are told."""


def facts(model: type[BaseModel], of: object) -> Json:
    """What *of* has of the fields of *model*."""
    return {name: getattr(of, name) for name in model.model_fields}


def shared_state(view: RoomView, say: Translator) -> Json:
    """What everybody may know, as long as the version is the same; without the moves made."""
    match = view.match
    game = match.game
    return {
        "room": view.room,
        "version": view.version,
        "phase": str(view.phase),
        "game": game_as_json(game, say),
        "players": players_as_json(view, say),
        **position_as_json(game),
        "turn": match.turn if view.phase is Phase.PLAYING else None,
        "mark": mark_to_place(game),
        "start": game.start,
        "offer": None if match.offer is None else facts(OfferMessage, match.offer),
        "unproved": match.is_unproved,
        "opening": opening_as_json(view, say),
        "wishes": sorted(view.wishes),
        "result": result_as_json(view, say),
        "series": series_as_json(view),
        "protocol": view.setup.opening,
        "needs_choice": view.chooser is not None,
        "chooser": view.chooser,
        "game_id": view.game_id,
        "game_link": game_link(view),
        "visibility": PUBLIC if view.is_public else BY_LINK,
        "claim_at": claim_at(view),
        "link": f"/r/{view.room}",
    }


def game_link(view: RoomView) -> str | None:
    """Return the address of the present game's page, which opens it to anyone; None before its first move."""
    number = view.game_id
    return None if number is None else link_to(number, key_of_game(view.room, number))


def link_to(game: int, key: str | None = None) -> str:
    """Return the address of the page of a finished *game*; a private one is opened by the *key* in it.

    >>> link_to(7), link_to(7, "abc")
    ('/g/7', '/g/7?key=abc')
    """
    return f"/g/{game}" if key is None else f"/g/{game}?key={key}"


def mark_to_place(game: Game) -> str | None:
    """The mark that the next move places; None where the mover chooses one, or none is placed.

    >>> from noughts import new_game
    >>> mark_to_place(new_game("tictactoe")), mark_to_place(new_game("wild"))
    ('X', None)
    """
    move = next(iter(game.legal_moves()), None)
    mark = None if move is None else game.mark_of(move)
    return None if move is None or mark in choices_of(move) else mark


def game_as_json(game: Game, say: Translator) -> Json:
    """What is played: names, rules, how the board is drawn, the marks in the order of turns."""
    return {**_description(name_of(game), say), "sides": list(game.sides)}


@lru_cache(maxsize=1_000)
def _description(name: str, say: Translator) -> Json:
    game, title = new_game(name), title_of(say, name)
    return {
        "name": name,
        "title": title,
        "about": rule_in_short(say, game, "web-game-is", shows_edges=True) or title,
        "rules": say.messages(game.rule_text),
        "known": say_known(say, game),
        "shape": list(game.shape),
        "layout": asdict(game.layout),
        "has_lines": game.lines_through((0,) * len(game.shape)) is not None,
        "openings": openings_of(game),
    }


def game_on_offer(game: Game, say: Translator, players: Iterable[str]) -> Json:
    """What can be played, which of *players* are offered for it, which are weaker in it here, and why."""
    caution = levels_without_fast(say, game)
    cautions = {} if caution is None else {f"level:{strongest_level()}": caution}
    return {**game_as_json(game, say), "computers": computers_for(game, players), "cautions": cautions}


def position_as_json(game: Game) -> Json:
    """What stands on the board of *game*, and what the rules make of it.

    >>> position_as_json(new_game("3x3"))["turn"]
    'X'
    """
    shown = view_of(game, labels=False)
    return {
        "ply": game.ply,
        "turn": None if game.is_over else game.turn,
        "cells": list(game.cells),
        "last": sorted(shown.last),
        "lines": [list(line) for line in shown.lines],
        "annotations": annotations_as_json(game),
    }


def annotations_as_json(game: Game) -> Json:
    """What the rules make of the position, as codes; cells and fields by their numbers from 1, as texts.

    >>> from noughts import TicTacToe
    >>> game = TicTacToe()
    >>> for number in (1, 4, 2, 5, 3):
    ...     game.play(divmod(number - 1, 3))
    >>> annotations_as_json(game)
    {'cells': {}, 'fields': {}, 'sides': {}, 'lines': [['1', '2', '3']]}
    """
    told, shape = game.annotations(), game.shape
    cells = sorted((index_of(shape, cell) + 1, list(codes)) for cell, codes in told.cells.items())
    lines = () if game.outcome is None else game.outcome.lines
    return {
        "cells": {str(number): codes for number, codes in cells},
        "fields": {str(number + 1): list(codes) for number, codes in told.fields.items()},
        "sides": {side: list(codes) for side, codes in told.sides.items()},
        "lines": [[str(index_of(shape, cell) + 1) for cell in line.cells] for line in lines],
    }


def players_as_json(view: RoomView, say: Translator) -> list[Json]:
    """Who has which seat, in the order of the seats."""
    who = view.setup.who
    return [
        {
            "place": place,
            "name": None if name is None else player_called(say, name, who[place]),
            "kind": who[place],
            "side": view.sides.get(place),
            "here": place in view.present,
        }
        for place, name in enumerate(view.names)
    ]


def move_as_json(game: Game, move: Move) -> Json:
    """A move that may be played, as it is typed, with its first cell, all its parts, and the mark it chooses.

    Cells are told by their index.
    """
    parts = [part if isinstance(part, str) else index_of(game.shape, part) for part in parts_of(move)]
    told: Json = {"move": format_move(game, move), "cell": first_index(game, move), "parts": parts}
    if (mark := game.mark_of(move)) in choices_of(move):
        told["mark"] = mark
    return told


def moves_as_json(game: Game, known: int = 0) -> list[Json]:
    """The moves that were played, without the first *known*, as they are typed and as they are called."""
    played: list[Json] = []
    position = game.copy()
    names = names_of(position)
    while position.ply > known:
        move = position.undo()
        played.append(
            {
                "move": format_move(position, move),
                "name": names.move(move),
                "side": position.turn,
                "ply": position.ply + 1,
                "cell": first_index(position, move),
            }
        )
    return played[::-1]


def clock_as_json(match: Match, view: RoomView, at: int) -> Json | None:
    """How much time is left, None where nobody's is counted."""
    if not match.clock.is_timed:
        return None
    is_running = view.phase is Phase.PLAYING
    left = {side: match.time_left(side, view.instant(at)) for side in match.game.sides}
    return {
        **asdict(match.clock),
        "left": left,
        "running": match.running if is_running else None,
        "at": at,
    }


def opening_as_json(view: RoomView, say: Translator) -> Json | None:
    """How the opening stands and what it asks of whom; None where there is none."""
    match = view.match
    if match.opening is None:
        return None
    standing, is_open = match.standing, view.phase is Phase.PLAYING and not match.standing.is_over
    return {
        "protocol": match.opening.name,
        "place": view.turn if is_open else None,
        "placing": standing.placing,
        "mark": match.game.turn,
        "answers": list(standing.answers),
        "is_swapped": standing.is_swapped,
        "sentences": wording_of(view, say).opening() if is_open else [],
    }


def claim_at(view: RoomView) -> int | None:
    """The instant from which the win may be claimed against who is away; None while nobody is."""
    match = view.match
    if match.outcome is not None or match.claim_after is None:
        return None
    away = [since for side in match.game.sides if (since := match.away_since(side)) is not None]
    return min(away) + match.claim_after + view.paused if away else None


def series_as_json(view: RoomView) -> Json:
    """The number of the game and the score."""
    is_next = view.phase in (Phase.WAITING, Phase.CHOOSING, Phase.PLAYING)
    return {
        "number": len(view.results) + is_next,
        "scores": [facts(ScoreMessage, score) for score in view.scores],
    }


def brief(view: RoomView, say: Translator, place: int | None) -> Json:
    """How the room of *view* stands in a few words, for the seat *place* (None: a spectator)."""
    name = name_of(view.match.game)
    called = [
        known and player_called(say, known, view.setup.who[seat]) for seat, known in enumerate(view.names)
    ]
    asked = view.chooser if view.phase is Phase.CHOOSING else view.turn
    return {
        "room": view.room,
        "phase": str(view.phase),
        "game": name,
        "title": title_of(say, name),
        "others": [known for seat, known in enumerate(called) if known and seat != place],
        "free": called.count(None),
        "turn": None if asked is None else called[asked],
        "is_your_turn": asked is not None and asked == place,
    }


def wording_of(view: RoomView, say: Translator) -> Wording:
    """Who puts what happens in the room of *view* into words."""
    names, who = view.names, view.setup.who
    seats = {side: player_called(say, names[place] or "", who[place]) for place, side in view.sides.items()}
    kinds = {side: who[place] for place, side in view.sides.items()}
    return Wording(say, view.match, seats, kinds, names_of(view.match.game))


def names_of(game: Game) -> Names:
    """What moves and cells of *game* are called: as the board of the page is labelled.

    >>> from noughts import new_game
    >>> names_of(new_game("tictactoe")).move((1, 1)), names_of(new_game("3x3x3")).move((1, 1, 1))
    ('b2', '2b2')
    """
    return Names(game, letters=True)


def result_as_json(view: RoomView, say: Translator) -> Json | None:
    """How the game ended, None while it goes on."""
    outcome = view.match.outcome
    if outcome is None or not view.results:
        return None
    result = view.results[-1]
    others = (side for side in view.match.game.sides if side != result.winner)
    loser = result.loser or (next(others, None) if result.winner is not None else None)
    ended = {"winner": outcome.winner, "termination": str(outcome.termination), "reason": result.reason}
    last = view.match.end
    of_package = {"package": last.data["package"]} if last is not None and "package" in last.data else {}
    end = Event(view.match.version, 0, EventKind.END, loser, {**ended, **of_package})
    return {**ended, "sentences": ending(wording_of(view, say), outcome, end)}


def ending(wording: Wording, outcome: Outcome, end: Event) -> list[str]:
    """Return the sentences about the end of a game, without the words of a failed program or package."""
    if outcome.termination == MatchEnd.BROKEN:
        end = replace(end, data={fact: value for fact, value in end.data.items() if fact != "detail"})
    if outcome.termination != MatchEnd.FORFEIT:
        return wording.result(outcome, end)
    say, winner = wording.say, end.data["winner"]
    told = say(f"forfeited-{end.data['reason']}", loser=wording.names.get(end.side or "", ""))
    return [told, say("wins", winner=wording.names[winner]) if winner else say("nobody-wins")]


# Made once


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
            "now": at,
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
