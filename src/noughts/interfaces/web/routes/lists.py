"""What was played, in lists: the history of finished games, and the scoreboard."""

from collections.abc import Iterable
from functools import partial
from itertools import takewhile
from typing import Annotated, Any

from fastapi import Query, Request, Response

from noughts.arena.series import Result, Score, recount
from noughts.arena.store.store import BY_LINK, ONLINE, PUBLIC, StoredGame, moves_of
from noughts.arena.table import HUMAN
from noughts.errors import DamagedStore
from noughts.games.catalogue import MAX_SPEC
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.players import names_of_computer, player_called, strength
from noughts.interfaces.presenting.titles import how_it_ended, title_of
from noughts.interfaces.web.costs import name_to_play
from noughts.interfaces.web.http.metrics import LOG
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import reply
from noughts.interfaces.web.models import History, PlayedBy, PlayedShort, Scoreboard, ScoreRow, link_to
from noughts.interfaces.web.routes.description import LISTED
from noughts.interfaces.web.routes.rooms import Say, Worker, api_router
from noughts.interfaces.web.service import Service
from noughts.text import fold_name

router = api_router("games")

MAX_SCORES = 1_000
"""So many rows of the scoreboard are told."""

FEW = 30
"""So many games are told at once, unless another number is asked for."""

MAX_LOOKED_AT = 5_000
"""So many games are looked at for one answer, however few of them fit."""

DRAWN = "draw"

DAY_MS = 24 * 60 * 60 * 1000

MAX_DAYS = 36_500

Before = Annotated[int | None, Query(ge=1, le=2**31 - 1, description="only games before this number")]
Count = Annotated[int, Query(ge=1, le=100, description="the largest number of games")]
WantedGame = Annotated[
    str | None,
    Query(
        max_length=MAX_SPEC, description="a name of the catalogue, or a description such as `7x6:4,gravity`"
    ),
]
WantedPlayer = Annotated[
    str | None, Query(max_length=100, description="only games of this player, in any spelling")
]
WantedResult = Annotated[
    str | None,
    Query(
        pattern=f"^([A-Z]|{DRAWN})?$",
        description="only games that this side has won, or with `draw` nobody",
    ),
]
OwnGames = Annotated[
    str,
    Query(
        pattern=r"^([1-9][0-9]{0,9}[.][A-Za-z0-9_-]{1,40}(,|$)){0,50}$",
        description="private games to list too, each as its number and the key in its link: `12.KEY,15.KEY`",
    ),
]
WantedDays = Annotated[
    int | None, Query(ge=1, le=MAX_DAYS, description="only games that started in this number of days")
]


@router.get("/games", response_model=History, responses=LISTED)
async def games(
    request: Request,
    service: Worker,
    say: Say,
    before: Before = None,
    count: Count = FEW,
    game: WantedGame = None,
    player: WantedPlayer = None,
    result: WantedResult = None,
    days: WantedDays = None,
    own: OwnGames = "",
) -> Response:
    """Finished public games of rooms, newest first; the next page is *before* the last that was looked at.

    Of a *game*, of a *player*, with a *result* (the side that won, or `draw`), begun in so many *days*; with
    *own*, those private games too whose keys are right. There may be fewer than *count* though there is a
    next page. Damaged ones are left out, and counted.
    """
    wanted = (before, count, game, player, result, days, own)
    read = lambda: read_games(service, say, *wanted).to_json()  # noqa: E731
    return reply(await service.work.read(address_of(request), read))


def read_games(
    service: Service,
    say: Translator,
    before: int | None = None,
    count: int = FEW,
    game: str | None = None,
    player: str | None = None,
    result: str | None = None,
    days: int | None = None,
    own: str = "",
) -> History:
    """Return finished games of rooms: public ones, and those that *own* has the keys of."""
    damaged: list[DamagedStore] = []
    keys = {int(number): key for number, _, key in (one.partition(".") for one in own.split(",") if one)}
    ended = service.database.newest_games(
        before,
        is_over=True,
        origin=ONLINE,
        visible_by=service.rooms.opened(keys),
        game=name_to_play(game, service.limits.cells) if game else None,
        players=names_meant(player, say, service.players) if player else (),
        on_damage=damaged.append,
    )
    if days is not None:
        begun = service.now() - days * DAY_MS
        ended = takewhile(lambda stored: stored.setup.created >= begun, ended)
    found: list[PlayedShort] = []
    next_page = None
    for number, stored in enumerate(ended, 1):
        if not result or result == (_winner_of(stored) or DRAWN):
            facts = summary_facts(stored, say, keys.get(stored.id))
            found.append(PlayedShort(**facts, game=stored.setup.game))
        if len(found) == count or number == MAX_LOOKED_AT:
            next_page = stored.id
            break
    _log_damage(damaged)
    return History(games=found, before=next_page, damaged=len(damaged))


def _winner_of(stored: StoredGame) -> str | None:
    return None if stored.result is None else stored.result.winner


def names_meant(player: str, say: Translator, players: Iterable[str]) -> set[str]:
    """The names under which games are kept of the one whom people call *player*; of a level its number does.

    >>> sorted(names_meant("computer (LEVEL 3)", Translator("en"), ("rule", "level:3")))
    ['computer (LEVEL 3)', 'level:3']
    >>> sorted(names_meant("Computer (level 3, casual)", Translator("en"), ("rule", "level:3")))
    ['Computer (level 3, casual)', 'level:3']
    >>> sorted(names_meant("Computer 2 (level 3, casual)", Translator("en"), ("rule", "level:3")))
    ['Computer 2 (level 3, casual)', 'level:3 (2)']
    """
    meant = {player}
    for who in players:
        called = {name: _called(say, name) for name in names_of_computer(who)}
        by_number = say("computer-named", strength=strength(say, who))
        told = [*called.items(), (who, by_number)]
        meant.update(name for name, one in told if fold_name(one) == fold_name(player))
    return meant


def _log_damage(damaged: list[DamagedStore]) -> None:
    for damage in damaged:
        LOG.error("damage", extra={"facts": {"reason": damage.reason, **damage.data}})


def summary_facts(stored: StoredGame, say: Translator, key: str | None = None) -> dict[str, Any]:
    """Return the fields of a game of the history; the link to a private one has its *key*."""
    name, is_public = stored.setup.game, stored.access.is_public
    ended = {fact: getattr(stored.result, fact, None) for fact in ("winner", "termination", "reason")}
    return {
        "id": stored.id,
        "title": title_of(say, name),
        "created": stored.setup.created,
        "players": players_of(stored, say),
        "plies": len(moves_of(stored)),
        **ended,
        "ended": how_it_ended(say, name, ended["termination"]),
        "visibility": PUBLIC if is_public else BY_LINK,
        "link": link_to(stored.id, None if is_public else key),
    }


def players_of(stored: StoredGame, say: Translator) -> list[PlayedBy]:
    """Return the players, in the order of turns, each with the side at the end."""
    kinds = stored.kinds
    return [
        PlayedBy(side=side, name=player_called(say, name, kinds.get(side, HUMAN)), kind=kinds.get(side))
        for side, name in stored.players.items()
    ]


@router.get("/scores", response_model=Scoreboard, responses=LISTED)
async def scores(service: Worker, say: Say, game: WantedGame = None) -> Response:
    """Return all wins, draws and losses in public games of rooms, best first: in all, or in one *game*.

    Damaged games are not counted; the answer names them.
    """
    counted, damaged = await service.scores.value(partial(count_scores, service))
    wanted = name_to_play(game, service.limits.cells) if game else None
    rows = [
        ScoreRow(
            name=score.name,
            wins=score.wins,
            draws=score.draws,
            losses=score.losses,
            points=score.points,
            longest_streak=score.longest_streak,
            called=_called(say, score.name),
        )
        for score in counted.get(wanted, ())
    ]
    return reply(Scoreboard(players=rows, damaged=damaged))


def count_scores(service: Service) -> tuple[dict[str | None, list[Score]], int]:
    """The scores in each game, and under None those in all, best first; how many games are damaged."""
    damaged: list[DamagedStore] = []
    results: dict[str | None, list[Result]] = {None: []}
    public = service.database.newest_games(
        is_over=True, origin=ONLINE, visible_by=(), on_damage=damaged.append
    )
    for stored in public:
        if stored.setup.is_counted and stored.result is not None:
            results[None].append(stored.result)
            results.setdefault(stored.setup.game, []).append(stored.result)
    _log_damage(damaged)
    counted = {
        # In the order in which they were played, for the streaks.
        game: sorted(recount(found[::-1]), key=lambda score: (-score.points, score.name))[:MAX_SCORES]
        for game, found in results.items()
    }
    return counted, len(damaged)


def _called(say: Translator, name: str) -> str:
    """What the player of a name is called; nobody but a computer has the name of one.

    >>> [_called(Translator("en"), name) for name in ("level:1 (2)", "Ada (2)")]
    ['Computer 2 (level 1, beginner)', 'Ada (2)']
    """
    who = name.partition(" (")[0]
    return player_called(say, name, who) if say.has(f"strength-{who.partition(':')[0]}") else name
