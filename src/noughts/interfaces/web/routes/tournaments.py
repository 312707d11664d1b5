"""The pages of tournaments: which there are, how one stands, its games that go on and those that ended."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from threading import Lock
from time import monotonic, thread_time
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from noughts.arena.tournament.holding import Tournament
from noughts.arena.tournament.kept import Kept, Tournaments
from noughts.errors import DamagedStore, NotFound, NoughtsError
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.ranking import ranking, remarks
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.web.assets import ASKED_AGAIN
from noughts.interfaces.web.http.metrics import LOG
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import Refused, speaker, status_of, trouble_of
from noughts.interfaces.web.routes.watching import Watching
from noughts.interfaces.web.service import TIMES_AS_LONG, Service
from noughts.interfaces.web.tiles import symbols

MAX_LISTED = 100
"""So many tournaments, and of one so many of its games, are shown: those that are newest."""

LONG_SECONDS = 0.1
"""Standings that take longer to find are not found again for many times as long."""

MAX_REMEMBERED = 8
"""Of so many tournaments what was counted is remembered, so that only new games are read."""


class Followed:
    """A tournament that is *held*, as it goes on: its standings, found anew only after a game has ended.

    Where that takes long, as among hundreds of players, they are found less often: who looks at other pages
    waits meanwhile.
    """

    def __init__(self, held: Tournament) -> None:
        self.held, self.watching = held, Watching(held)
        self._find_standings()

    def catch_up(self, played: int) -> None:
        """Count the games that have ended since; so many were *played*."""
        if played != len(self.held.ids) + len(self.held.damaged):
            self.held.catch_up()
            self._is_behind = True
        if self._is_behind and monotonic() >= self._again:
            self._find_standings()

    def _find_standings(self) -> None:
        begun = thread_time()
        self.standings, self._is_behind = self.held.tally.table(), False
        seconds = thread_time() - begun
        self._again = monotonic() + (TIMES_AS_LONG * seconds if seconds > LONG_SECONDS else 0.0)


@dataclass
class Place:
    """Where one tournament is remembered, which one looks at after another; None was counted yet."""

    alone: Lock = field(default_factory=Lock)
    followed: Followed | None = None


class Counted:
    """Tournaments of a service that were counted lately, by number.

    Who looks at one that has many games keeps others from it while they are read for the first time, but from
    no other tournament.
    """

    def __init__(self, service: Service) -> None:
        self._tournaments, self._now = Tournaments(service.database), service.now
        self._known: dict[int, Place] = {}
        self._lock = Lock()

    def newest(self, say: Translator) -> list[dict[str, Any]]:
        """The rows of the list of tournaments."""
        damaged: list[DamagedStore] = []
        rows = [self._row(kept, say) for kept in self._tournaments.newest(MAX_LISTED, damaged.append)]
        for damage in damaged:
            LOG.error("damage", extra={"facts": {"reason": damage.reason, **damage.data}})
        return rows

    def _row(self, kept: Kept, say: Translator) -> dict[str, Any]:
        played = self._tournaments.count_games(kept.number)
        return {
            "number": kept.number,
            "title": say.listed(title_of(say, game) for game in kept.plan.games),
            "players": [player.name for player in kept.plan.players],
            "played": say("progress-tournament", done=played, count=kept.plan.count),
            "day": datetime.fromtimestamp(kept.created / 1000, UTC).date().isoformat(),
        }

    def told(self, number: int, say: Translator) -> dict[str, Any]:
        """What the page of a tournament shows. Raises :class:`~noughts.errors.NotFound`."""
        kept, now = self._tournaments.load(number), self._now()
        with self._following(kept) as followed:
            held, standings, games = followed.held, followed.standings, dict(followed.held.ids)
            damaged = len(held.damaged)
            running = [game.as_card(number, say, now) for game in followed.watching.games(now)]
        heads, rows = ranking(say, standings)
        lost = [say.plural("web-damaged", damaged)] if damaged else []
        newest = islice(sorted(games.items(), reverse=True), MAX_LISTED)
        return {
            **self._row(kept, say),
            "heads": heads,
            "rows": rows,
            "notes": [*remarks(say, standings), *lost],
            "running": running,
            "games": [self._game(held, place, id_, say) for place, id_ in newest],
        }

    def watched(self, number: int, game: int, say: Translator) -> dict[str, Any] | str:
        """What the page of one *game* of a tournament shows; where it has ended, its address.

        Raises :class:`~noughts.errors.NotFound`.
        """
        kept, now = self._tournaments.load(number), self._now()
        with self._following(kept) as followed:
            running = followed.watching.games(now)
            if (id_ := followed.held.ids.get(game)) is not None:
                return f"/g/{id_}"
            found = next((one for one in running if one.running.number == game), None)
            told, picture = (None, "") if found is None else (found.as_json(say, now), found.picture)
        if not 0 < game <= kept.plan.count:
            raise NotFound("record", game)
        nothing = {"heading": say("web-running-none"), "about": say("web-running-none-about"), "game": None}
        return {"told": told or nothing, "picture": picture}

    @contextmanager
    def _following(self, kept: Kept) -> Iterator[Followed]:
        """The tournament that was *kept*, with all that has ended of it; who else wants it waits."""
        with self._lock:
            place = self._known.pop(kept.number) if kept.number in self._known else Place()
            self._known[kept.number] = place
            while len(self._known) > MAX_REMEMBERED:
                del self._known[next(iter(self._known))]
        with place.alone:  # games are counted once
            if place.followed is None:
                held = Tournament(kept.plan, kept.openings, self._tournaments, kept.number)
                place.followed = Followed(held)
            place.followed.catch_up(self._tournaments.count_games(kept.number))
            yield place.followed

    @staticmethod
    def _game(held: Tournament, number: int, id_: int, say: Translator) -> dict[str, Any]:
        planned, ended = held.plan.game(number), held.tally.games[number]
        return {
            "number": number,
            "link": f"/g/{id_}",
            "title": title_of(say, planned.game),
            "players": [
                {"name": held.plan.players[place].name, "won": ended.winner == place}
                for place in planned.players
            ],
        }


async def tell_tournaments(request: Request) -> dict[str, Any]:
    """The newest tournaments, for their page."""
    service: Service = request.app.state.service
    read = partial(_counted(request).newest, speaker(request))
    return {"tournaments": await service.work.read(address_of(request), read)}


async def tell_tournament(request: Request) -> dict[str, Any]:
    """One tournament, for its page; there is no such path where there is none."""
    number, say = int(request.path_params["number"]), speaker(request)
    told = await _read(request, partial(_counted(request).told, number, say), say)
    return {"fault": "", "symbols": symbols(), **told}


async def tell_running(request: Request) -> dict[str, Any] | Response:
    """One game that is being played, for its page; once it has ended, the way to where it is looked at."""
    number, game = (int(request.path_params[name]) for name in ("number", "game"))
    say = speaker(request)
    told = await _read(request, partial(_counted(request).watched, number, game, say), say)
    if isinstance(told, str):
        return RedirectResponse(told, 303, {"cache-control": ASKED_AGAIN})
    nothing = {"heading": told.get("fault", ""), "about": "", "game": None}
    return {"fault": "", "number": number, "symbols": symbols(), "told": nothing, "picture": "", **told}


async def _read(request: Request, read: Callable[[], Any], say: Translator) -> Any:
    """What is *read* for a page; there is no such path where it is not there, and a fault is told."""
    service: Service = request.app.state.service
    try:
        return await service.work.read(address_of(request), read)
    except NotFound:
        raise Refused(404, "no-such-path") from None
    except NoughtsError as error:
        return {"fault": trouble_of(error, say).sentence, "status": status_of(error)}


def _counted(request: Request) -> Counted:
    state = request.app.state
    if not hasattr(state, "counted"):
        state.counted = Counted(state.service)
    counted: Counted = state.counted
    return counted
