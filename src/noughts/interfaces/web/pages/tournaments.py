"""The pages of tournaments: the list, one tournament, and its running games."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice
from threading import Lock
from time import monotonic, thread_time
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from noughts.arena.match import Match
from noughts.arena.stored_game import StoredGame
from noughts.arena.tournament.broadcast import STALE_MS, RunningGame, RunningGames
from noughts.arena.tournament.repository import StoredTournament, Tournaments
from noughts.arena.tournament.tournament_runner import Tournament
from noughts.drawing.svg import MAX_CELLS
from noughts.drawing.view import view_of
from noughts.errors import DamagedStore, NotFound, NoughtsError
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.standings_texts import ranking, remarks
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.web.api.games import log_damage, players_of
from noughts.interfaces.web.api.people import TournamentVisitor
from noughts.interfaces.web.caches import TIMES_AS_LONG
from noughts.interfaces.web.http.files import REVALIDATED
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import ApiError, error_detail, status_of, translator_for
from noughts.interfaces.web.models import GameMessage, MoveMessage, boards_of
from noughts.interfaces.web.pages.people import PeoplePage
from noughts.interfaces.web.pages.tiles import draw_tile, symbols
from noughts.interfaces.web.service import Service

MAX_LISTED = 100
"""The largest number of tournaments, and of games of one tournament, on a page. The newest ones are shown."""

LONG_SECONDS = 0.1
"""The computing time in seconds from which standings are updated less often."""

MAX_REMEMBERED = 8
"""The largest number of cached tournaments, of which only new games have to be read."""


class FollowedTournament:
    """A running tournament and its standings, which are updated after finished games.

    Standings that take long, as with hundreds of players, are updated less often. Otherwise other pages would
    wait.
    """

    def __init__(self, tournament: Tournament) -> None:
        self.tournament, self.live = tournament, LiveGames(tournament)
        self._find_standings()

    def catch_up(self, played: int) -> None:
        """Count the games that have ended since the last call. *played* is the number of finished games."""
        if played != len(self.tournament.ids) + len(self.tournament.damaged):
            self.tournament.catch_up()
            self._is_behind = True
        if self._is_behind and monotonic() >= self._again:
            self._find_standings()

    def _find_standings(self) -> None:
        begun = thread_time()
        self.standings, self._is_behind = self.tournament.tally.table(), False
        seconds = thread_time() - begun
        self._again = monotonic() + (TIMES_AS_LONG * seconds if seconds > LONG_SECONDS else 0.0)


@dataclass
class CachedTournament:
    """A place in the cache with a lock. ``followed`` is None until the games are counted."""

    lock: Lock = field(default_factory=Lock)
    followed: FollowedTournament | None = None


class TournamentCache:
    """A cache of tournaments by number.

    The first reader of a large tournament delays other readers of the same tournament only.
    """

    def __init__(self, service: Service) -> None:
        self._tournaments, self._now = Tournaments(service.database), service.now
        self._known: dict[int, CachedTournament] = {}
        self._lock = Lock()

    def newest(self, say: Translator) -> list[dict[str, Any]]:
        """Return the rows of the list of tournaments."""
        damaged: list[DamagedStore] = []
        rows = [self._row(stored, say) for stored in self._tournaments.newest(MAX_LISTED, damaged.append)]
        log_damage(damaged)
        return rows

    def _row(self, stored: StoredTournament, say: Translator) -> dict[str, Any]:
        played = self._tournaments.count_games(stored.number)
        return {
            "number": stored.number,
            "title": say.listed(title_of(say, game) for game in stored.plan.games),
            "players": [player.name for player in stored.plan.players],
            "played": say("progress-tournament", done=played, count=stored.plan.count),
            "day": say.day(stored.created),
        }

    def details(self, number: int, say: Translator) -> dict[str, Any]:
        """Return the context of the page of a tournament. Raises :class:`~noughts.errors.NotFound`."""
        stored, now = self._tournaments.load(number), self._now()
        with self._following(stored) as followed:
            tournament, standings = followed.tournament, followed.standings
            games, damaged = dict(tournament.ids), len(tournament.damaged)
            running = [game.as_card(number, say, now) for game in followed.live.games(now)]
        heads, rows = ranking(say, standings)
        lost = [say.plural("web-damaged", damaged)] if damaged else []
        newest = islice(sorted(games.items(), reverse=True), MAX_LISTED)
        return {
            **self._row(stored, say),
            "heads": heads,
            "rows": rows,
            "notes": [*remarks(say, standings), *lost],
            "running": running,
            "games": [self._game(tournament, place, id_, say) for place, id_ in newest],
        }

    def live_game(self, number: int, game: int, say: Translator) -> dict[str, Any] | str:
        """Return the context of the page of one *game*, or the address of its replay once it has ended.

        Raises :class:`~noughts.errors.NotFound`.
        """
        stored, now = self._tournaments.load(number), self._now()
        with self._following(stored) as followed:
            running = followed.live.games(now)
            if (id_ := followed.tournament.ids.get(game)) is not None:
                return f"/g/{id_}"
            live = next((one for one in running if one.running.number == game), None)
            facts, picture = (None, "") if live is None else (live.as_json(say, now), live.picture)
        if not 0 < game <= stored.plan.count:
            raise NotFound("record", game)
        nothing = {"heading": say("web-running-none"), "about": say("web-running-none-about"), "game": None}
        return {"live": facts or nothing, "picture": picture}

    @contextmanager
    def _following(self, stored: StoredTournament) -> Iterator[FollowedTournament]:
        """Yield the tournament *stored* with all its finished games counted. Other readers of it wait."""
        with self._lock:
            cached = self._known.pop(stored.number) if stored.number in self._known else CachedTournament()
            self._known[stored.number] = cached
            while len(self._known) > MAX_REMEMBERED:
                del self._known[next(iter(self._known))]
        with cached.lock:  # each game is counted once
            if cached.followed is None:
                tournament = Tournament(stored.plan, stored.openings, self._tournaments, stored.number)
                cached.followed = FollowedTournament(tournament)
            cached.followed.catch_up(self._tournaments.count_games(stored.number))
            yield cached.followed

    @staticmethod
    def _game(tournament: Tournament, number: int, id_: int, say: Translator) -> dict[str, Any]:
        planned, ended = tournament.plan.game(number), tournament.tally.games[number]
        return {
            "number": number,
            "link": f"/g/{id_}",
            "title": title_of(say, planned.game),
            "players": [
                {"name": tournament.plan.players[place].name, "won": ended.winner == place}
                for place in planned.players
            ],
        }


async def context_of_tournaments(request: Request) -> dict[str, Any]:
    """Return the context of the page of the newest tournaments."""
    service: Service = request.app.state.service
    say, address = translator_for(request), address_of(request)
    return {
        "people": await service.work.read(address, partial(_public_rows, service, say)),
        "tournaments": await service.work.read(address, partial(_cache_of(request).newest, say)),
    }


def _public_rows(service: Service, say: Translator) -> list[dict[str, Any]]:
    """Return the rows of the list of public tournaments of people."""
    at, nobody = service.now(), TournamentVisitor(None, is_organiser=False)
    return [PeoplePage(service, stored, nobody, say).row(at) for stored in service.tournaments.public()]


async def context_of_tournament(request: Request) -> dict[str, Any]:
    """Return the context of the page of a tournament. Raises status 404 if it does not exist."""
    number, say = int(request.path_params["number"]), translator_for(request)
    context = await _read(request, partial(_cache_of(request).details, number, say), say)
    return {"fault": "", "symbols": symbols(), **context}


async def context_of_live_game(request: Request) -> dict[str, Any] | Response:
    """Return the context of the page of a running game, or a redirection to its replay."""
    number, game = (int(request.path_params[name]) for name in ("number", "game"))
    say = translator_for(request)
    context = await _read(request, partial(_cache_of(request).live_game, number, game, say), say)
    if isinstance(context, str):
        return RedirectResponse(context, 303, {"cache-control": REVALIDATED})
    nothing = {"heading": context.get("fault", ""), "about": "", "game": None}
    return {"fault": "", "number": number, "symbols": symbols(), "live": nothing, "picture": "", **context}


async def _read(request: Request, read: Callable[[], Any], say: Translator) -> Any:
    """Return the result of *read*, or the context with its error. Raises status 404 if nothing is found."""
    service: Service = request.app.state.service
    try:
        return await service.work.read(address_of(request), read)
    except NotFound:
        raise ApiError(404, "no-such-path") from None
    except NoughtsError as error:
        return {"fault": error_detail(error, say).sentence, "status": status_of(error)}


def _cache_of(request: Request) -> TournamentCache:
    state = request.app.state
    if not hasattr(state, "tournaments"):
        state.tournaments = TournamentCache(state.service)
    cache: TournamentCache = state.tournaments
    return cache


SOON_MS = 5_000
"""Milliseconds after its start in which a game without a log counts as starting soon."""


@dataclass
class LiveGame:
    """A *running* game of a tournament with its *stored* events. *match* is None if it cannot be shown.

    A game that *has_ended* is shown until the next game takes its place.
    """

    running: RunningGame
    stored: StoredGame
    match: Match | None
    has_ended: bool = False

    @classmethod
    def of(cls, tournament: Tournament, running: RunningGame) -> "LiveGame":
        """Return the live game for *running*, a game of *tournament*."""
        setup = tournament.assignment(running.number, running.created).setup
        stored = StoredGame(0, setup)
        if running.log is None:
            return cls(running, stored, None)
        try:
            stored = StoredGame(0, setup, running.events())
            return cls(running, stored, stored.replay())
        except (NoughtsError, ValueError, TypeError, RecursionError):  # Its log cannot be read.
            return cls(running, StoredGame(0, setup), None)

    @cached_property
    def picture(self) -> str:
        """The board as a small SVG, empty if it cannot be shown or is too large."""
        if self.match is None or len(self.match.game.cells) > MAX_CELLS:
            return ""
        return draw_tile(self.match.game, f"running-{self.running.number}", shows_last=True)

    @cached_property
    def moves(self) -> dict[str, Any]:
        """The moves, the changes of the board with each move, and the deciding lines."""
        assert self.match is not None  # noqa: S101 - who asks has seen it
        game = self.match.game
        lines = [list(line) for line in view_of(game, labels=False).lines]
        return {
            "moves": [move.model_dump() for move in MoveMessage.all(game)],
            "boards": [board.model_dump() for board in boards_of(game)],
            "lines": lines,
        }

    def as_card(self, tournament: int, say: Translator, now: int) -> dict[str, Any]:
        """Return the context of the game on the page of its *tournament* at the instant *now*."""
        return {
            "number": self.running.number,
            "link": f"/tournament/{tournament}/{self.running.number}",
            "title": title_of(say, self.stored.setup.game),
            "picture": self.picture,
            "players": self._players(self.stored.players),
            "turn": self._turn_text(say, self.stored.players),
            "about": self._about("web-running-move", say, now),
        }

    def as_json(self, say: Translator, now: int) -> dict[str, Any]:
        """Return the data of the game's own page at the instant *now*.

        It has the final names of the players.
        """
        names = {player.side: player.name for player in players_of(self.stored, say)}
        known = {
            "title": title_of(say, self.stored.setup.game),
            "players": self._players(names),
            "about": self._about("web-running-about", say, now),
        }
        if self.match is None or not self.picture:
            return {**known, "heading": known["title"], "game": None}
        turn, left = self._turn, self._left(now)
        running = None if self.running.behind is None else self.match.running
        return {
            **known,
            **self.moves,
            "game": GameMessage.of(self.match.game, say).model_dump(),
            "heading": self._turn_text(say, names) or known["title"],
            "turn": turn,
            "clock": None if left is None else {"left": left, "running": running},
        }

    @property
    def _turn(self) -> str | None:
        """The side to move, or None if the game is over or cannot be shown."""
        return None if self.match is None or self._is_over else self.match.turn

    @property
    def _is_over(self) -> bool:
        return self.has_ended or (self.match is not None and self.match.outcome is not None)

    def _players(self, names: Mapping[str, str]) -> list[dict[str, Any]]:
        kinds, turn = self.stored.kinds, self._turn
        return [
            {"side": side, "name": name, "kind": kinds.get(side), "is_to_move": side == turn}
            for side, name in names.items()
        ]

    def _turn_text(self, say: Translator, names: Mapping[str, str]) -> str:
        """Return the sentence about the player to move.

        It is empty if there is none, or the game cannot be shown.
        """
        turn = self._turn
        return "" if turn is None else say("is-to-move", player=names[turn])

    def _about(self, id_: str, say: Translator, now: int) -> str:
        """Return the progress of the game, or the reason why it is not shown.

        The message *id_* phrases the progress.
        """
        if self._is_over:
            return say("web-over")
        if self.match is not None:
            return say(id_, number=self.match.game.ply + 1)
        return say("web-running-soon" if now - self.running.created < SOON_MS else "web-running-unseen")

    def _left(self, now: int) -> dict[str, int | None] | None:
        """Return the time left of each side in milliseconds, or None without a clock.

        The tournament may run on a machine with another clock. The times are therefore relative to its last
        report.
        """
        if self.match is None or not self.match.clock.is_timed:
            return None
        behind = self.running.behind
        at = min(max(now, self.running.at), self.running.at + STALE_MS) - (behind or 0)
        if behind is None:  # The players are not ready yet.
            at = self.match.turn_began
        return {side: self.match.time_left(side, at) for side in self.match.game.sides}


class LiveGames:
    """The running games of *tournament*, in their last known states."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._games = RunningGames(tournament.tournaments.database, tournament.number)
        self._seen: dict[int, LiveGame] = {}

    def games(self, now: int) -> list[LiveGame]:
        """Return the running games at the instant *now*, in the order in which they are shown.

        Games whose package is not installed here are skipped.
        """
        current = dict[int, LiveGame]()
        for game in self._games.read(now):
            if 0 < game.number <= self._tournament.plan.count:
                with suppress(NoughtsError):
                    current[game.number] = self._look(game)
        self._seen = current
        for number, seen in self._seen.items():
            seen.has_ended = number in self._tournament.ids
        return list(self._seen.values())

    def _look(self, game: RunningGame) -> LiveGame:
        """Return the live game for *game*. An unchanged game is not drawn again."""
        before = self._seen.get(game.number)
        if before is None or (before.running.created, before.running.log) != (game.created, game.log):
            return LiveGame.of(self._tournament, game)
        before.running = game
        return before
