"""The pages of tournaments: which there are, how one stands, and its games, each to be looked back at."""

from datetime import UTC, datetime
from functools import partial
from itertools import islice
from threading import Lock
from typing import Any

from starlette.requests import Request

from noughts.arena.tournament.holding import Tournament
from noughts.arena.tournament.kept import Kept, Tournaments
from noughts.errors import DamagedStore, NotFound, NoughtsError
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.ranking import ranking, remarks
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.web.http.metrics import LOG
from noughts.interfaces.web.http.replies import Refused, error_as_json, speaker, status_of
from noughts.interfaces.web.service import Service

MAX_LISTED = 100
"""So many tournaments, and of one so many of its games, are shown: those that are newest."""

MAX_REMEMBERED = 8
"""Of so many tournaments what was counted is remembered, so that only new games are read."""


class Counted:
    """Tournaments of a service that were counted lately, by number."""

    def __init__(self, service: Service) -> None:
        self._tournaments = Tournaments(service.database)
        self._known: dict[int, Tournament] = {}
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
        kept = self._tournaments.load(number)
        with self._lock:  # games are counted once
            held = self._known.pop(number, None)
            if held is None:
                held = Tournament(kept.plan, kept.openings, self._tournaments, kept.number)
            held.catch_up()
            self._known[number] = held
            while len(self._known) > MAX_REMEMBERED:
                del self._known[next(iter(self._known))]
            standings, games, damaged = held.tally.table(), dict(held.ids), len(held.damaged)
        heads, rows = ranking(say, standings)
        lost = [say.plural("web-damaged", damaged)] if damaged else []
        newest = islice(sorted(games.items(), reverse=True), MAX_LISTED)
        return {
            **self._row(kept, say),
            "heads": heads,
            "rows": rows,
            "notes": [*remarks(say, standings), *lost],
            "games": [self._game(held, place, id_, say) for place, id_ in newest],
        }

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
    return {"tournaments": await service.read(partial(_counted(request).newest, speaker(request)))}


async def tell_tournament(request: Request, number: int) -> dict[str, Any]:
    """One tournament, for its page; there is no such path where there is none."""
    service: Service = request.app.state.service
    say = speaker(request)
    try:
        return {"fault": "", **await service.read(partial(_counted(request).told, number, say))}
    except NotFound:
        raise Refused(404, "no-such-path") from None
    except NoughtsError as error:
        return {"fault": error_as_json(error, say)["sentence"], "status": status_of(error)}


def _counted(request: Request) -> Counted:
    state = request.app.state
    if not hasattr(state, "counted"):
        state.counted = Counted(state.service)
    counted: Counted = state.counted
    return counted
