"""The pages of ratings: the best players of each game, and one player. Private games appear on neither."""

from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request

from noughts.arena.ratings.models import Speed
from noughts.errors import NotFound, NoughtsError
from noughts.games.catalogue import MAX_SPEC
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.web.api.rating_models import GameRating, RatedPerson, RatingPoint
from noughts.interfaces.web.api.ratings import read_lists, read_person
from noughts.interfaces.web.api.requests import COMPUTERS, PEOPLE, RESULTS, RatingsQuery
from noughts.interfaces.web.api.sessions import session_of
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import ApiError, error_detail, status_of, translator_for
from noughts.interfaces.web.pages.tiles import symbols
from noughts.interfaces.web.service import Service

MAX_NUMBER = 16
"""The largest number of digits of the number of a player."""

SHOWN = 10
"""The number of players in each list of the page of all lists. The page of one game has all."""

DAYS = ("7", "30", "365")
"""The time spans of the filter in days."""

MAX_POINTS = 200
"""The number of the latest games in the graph."""

Option = tuple[str, str]
"""An option of a filter: its value and its label."""


# The lists of the best


async def context_of_ratings(request: Request) -> dict[str, Any]:
    """Return the context of the page of the best players, with the filters of the address."""
    service, query, say = request.app.state.service, request.query_params, translator_for(request)
    game, speed = query.get("game", "")[:MAX_SPEC], query.get("speed", "")
    are_bots = query.get("players") == "bots"
    read = partial(_lists, service, say, game or None, speed or None, are_bots=are_bots)
    context: dict[str, Any] = await service.work.read(address_of(request), read)
    played = context["played"]
    choices = [("", say("web-all-games")), *((name, title_of(say, name)) for name in played)]
    return {
        "about": say("ratings-about"),
        "filters": say("web-filters"),
        "show": say("rating-filter"),
        "selects": [
            _select(say, "game", "column-game", game, choices),
            _select(say, "speed", "rating-speed", speed, _speeds(say)),
            _select(
                say,
                "players",
                "column-players",
                "bots" if are_bots else "",
                [("", say("rating-people")), ("bots", say("rating-bots"))],
            ),
        ],
        "heads": [say(f"column-{name}") for name in ["rank", "player", "rating", "deviation", "games"]],
        "results": say("rating-results"),
        "more": say("ratings-more"),
        "how": say("ratings-how"),
        "empty": say("ratings-none"),
        "lists": context["lists"],
    }


def _lists(
    service: Service, say: Translator, game: str | None, speed: str | None, *, are_bots: bool
) -> dict[str, Any]:
    found = read_lists(service, say, game, speed, are_bots=are_bots).lists
    is_one = len(found) == 1
    return {
        "played": list(dict.fromkeys(name for name, _ in service.ratings.played())),
        "lists": [
            {
                "heading": say("ratings-of", game=one.title, speed=say(f"speed-{one.speed}")),
                "rows": [player.model_dump() for player in one.players[: None if is_one else SHOWN]],
                "more": "" if is_one or len(one.players) <= SHOWN else _link(game=one.game, speed=one.speed),
            }
            for one in found
        ],
    }


def _link(**query: str) -> str:
    return f"?{urlencode({name: value for name, value in query.items() if value})}"


def _select(
    say: Translator, name: str, label: str, chosen: str, options: Sequence[Option]
) -> dict[str, object]:
    """Return a filter for the template."""
    return {"name": name, "label": say(label), "chosen": chosen, "options": options}


def _speeds(say: Translator) -> list[Option]:
    return [("", say("rating-any-speed")), *((speed, say(f"speed-{speed}")) for speed in Speed)]


# One player


async def context_of_person(request: Request) -> dict[str, Any]:
    """Return the context of the page of a player. Raises status 404 if there is no such player."""
    service, say, text = request.app.state.service, translator_for(request), request.path_params["identity"]
    if not (text.isascii() and text.isdecimal() and len(text) <= MAX_NUMBER):
        raise ApiError(404, "no-such-path")
    query = _query_of(request)
    read = partial(read_person, service, say, int(text), query)
    try:
        person: RatedPerson = await service.work.read(address_of(request), read)
    except NotFound:
        raise ApiError(404, "no-such-path") from None
    except ApiError:
        raise
    except NoughtsError as error:
        fault = error_detail(error, say).sentence
        return {"fault": fault, "status": status_of(error), "symbols": symbols(), "person": None}
    signed = await session_of(request)
    mine = None if signed is None else signed.identity.number
    blocked = {} if mine is None else await service.run(service.people.blocked_by, mine)
    reader = {
        "is_own": mine == person.identity,
        "has_key": mine is not None,
        "is_blocked": person.identity in blocked,
        "ask": "/?" + urlencode({"ask": person.name}),
    }
    return {"fault": "", "symbols": symbols(), **_person(say, person, query), "reader": reader}


def _query_of(request: Request) -> RatingsQuery:
    """Return the filters in the address of *request*. Unknown values are skipped."""
    query = request.query_params
    before, speed = query.get("before", ""), query.get("speed", "")
    is_number = before.isascii() and before.isdecimal() and 0 < len(before) < MAX_NUMBER
    return RatingsQuery.model_construct(
        game=query.get("game", "")[:MAX_SPEC],
        speed=speed if speed in list(Speed) else "",
        result=query.get("result") if query.get("result") in RESULTS else "",
        against=query.get("against") if query.get("against") in (PEOPLE, COMPUTERS) else "",
        days=int(query["days"]) if query.get("days") in DAYS else None,
        before=int(before) if is_number else None,
    )


def _person(say: Translator, person: RatedPerson, query: RatingsQuery) -> dict[str, Any]:
    """Return the context of the page of *person*, with all its texts."""
    counted = sum(one.games for one in person.ratings)
    wins = sum(one.wins for one in person.ratings)
    shown = person.shown
    older = {
        "game": query.game or "",
        "speed": query.speed or "",
        "result": query.result or "",
        "against": query.against or "",
        "days": str(query.days or ""),
        "before": str(person.before or ""),
    }
    graph = None
    if shown is not None and len(person.history) > 1:
        title = say("ratings-of", game=shown.title, speed=say(f"speed-{shown.speed}"))
        graph = _graph(say, title, person.history[-MAX_POINTS:])
    return {
        "person": person.model_dump(),
        "about": say.plural("person-about", counted, day=say.day(person.created), wins=wins),
        "bot": say("person-bot") if person.is_bot else "",
        "headings": {
            "ratings": say("ratings-heading"),
            "games": say("person-games"),
            "opponents": say("person-opponents"),
        },
        "columns": {
            name: say(f"column-{name}")
            for name in ["game", "rating", "deviation", "games", "players", "end", "moves", "player"]
        },
        "labels": {
            "last": say("person-last"),
            "results": say("rating-results"),
            "day": say("web-day"),
            "none": say("person-no-games"),
            "unrated": say("person-unrated"),
            "provisional": say("rating-provisional"),
            "public": say("person-public-only"),
            "older": say("web-older"),
            "filters": say("web-filters"),
            "show": say("rating-filter"),
        },
        "rates": [_rate(say, one) for one in person.ratings],
        "graph": graph,
        "selects": _selects_of_person(say, person, query),
        "games": [
            {**one.model_dump(), "day": say.day(one.at), "change": _signed(one.after - one.before)}
            for one in person.games
        ],
        "older": _link(**older) if person.before else "",
    }


def _selects_of_person(say: Translator, person: RatedPerson, query: RatingsQuery) -> list[dict[str, object]]:
    titles = {one.game: one.title for one in person.ratings}
    results = [("", say("web-any-result")), *((name, say(f"rating-{name}")) for name in RESULTS)]
    opponents = [(name, say(f"rating-{name}")) for name in (PEOPLE, COMPUTERS)]
    against = [("", say("rating-anyone")), *opponents]
    days = [("", say("web-days-all")), *((day, say(f"rating-days-{day}")) for day in DAYS)]
    return [
        _select(say, "game", "column-game", query.game or "", [("", say("web-all-games")), *titles.items()]),
        _select(say, "speed", "rating-speed", query.speed or "", _speeds(say)),
        _select(say, "result", "web-filter-result", query.result or "", results),
        _select(say, "against", "rating-against", query.against or "", against),
        _select(say, "days", "web-filter-days", str(query.days or ""), days),
    ]


def _rate(say: Translator, one: GameRating) -> dict[str, object]:
    """Return a row of the table of ratings."""
    facts = {"first": one.last[0], "last": one.last[-1]} if one.last else {}
    return {
        **one.model_dump(),
        "name": say("ratings-of", game=one.title, speed=say(f"speed-{one.speed}")),
        "link": _link(game=one.game, speed=one.speed),
        "spark": _spark(one.last),
        "spoken": say("person-last-spoken", **facts) if facts else "",
    }


def _signed(change: int) -> str:
    """Return *change* with its sign, a real minus.

    >>> _signed(8), _signed(-3), _signed(0)
    ('+8', '−3', '0')
    """
    return f"{change:+d}".replace("-", "−") if change else "0"


# Drawings


def _spark(ratings: Sequence[int]) -> str:
    """Return the path of a small line through *ratings*, 110 by 22."""
    low, high = min(ratings, default=0), max(ratings, default=0)
    span = max(high - low, 20)
    step = 106 / max(len(ratings) - 1, 1)
    points = [(2 + number * step, 20 - 18 * (one - low) / span) for number, one in enumerate(ratings)]
    return _path(points)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) if points else ""


LEFT, TOP, BOTTOM, HEIGHT = 44, 12, 200, 232
WIDE, NARROW = 990, 390
DAY_WIDTH = 86
"""The largest width of a day with a gap. The first and the last day stand inside the picture."""

LINES = 4
"""The number of lines at round ratings, at least."""


def _graph(say: Translator, title: str, history: Sequence[RatingPoint]) -> dict[str, object]:
    """Return the graph of a rating and its range, for wide and for narrow windows."""
    ratings = [one.rating for one in history]
    first, last = history[0], history[-1]
    facts = {"first": first.rating, "last": last.rating, "deviation": last.deviation}
    step = next(one for one in (50, 100, 200, 500, 10_000) if (max(ratings) - min(ratings)) / one < LINES)
    low = (min(ratings) - step // 2) // step * step
    high = -((-max(ratings) - step // 2) // step) * step
    pictures = [_picture(say, history, width, range(low, high + 1, step)) for width in (WIDE, NARROW)]
    return {
        "title": title,
        "about": say("graph-range"),
        "spoken": say("graph-spoken", day=say.day(first.at), **facts),
        "pictures": pictures,
    }


def _picture(say: Translator, history: Sequence[RatingPoint], width: int, marks: range) -> dict[str, object]:
    """Return the parts of the graph of *history* that is *width* units wide, with lines at *marks*."""
    right, low, high = width - 20, marks[0], marks[-1]
    step = (right - LEFT) / (len(history) - 1)

    def at(number: int, rating: float) -> tuple[float, float]:
        inside = min(max(rating, low), high)
        return LEFT + number * step, BOTTOM - (BOTTOM - TOP) * (inside - low) / (high - low)

    def edge(sign: int) -> list[tuple[float, float]]:
        return [at(number, one.rating + sign * one.deviation) for number, one in enumerate(history)]

    upper, lower = edge(1), edge(-1)
    curve = [at(number, one.rating) for number, one in enumerate(history)]
    count = 4 if width == WIDE else 3
    days = sorted({round(number * (len(history) - 1) / (count - 1)) for number in range(count)})
    return {
        "kind": "onlywide" if width == WIDE else "onlynarrow",
        "width": width,
        "height": HEIGHT,
        "lines": [(f"{at(0, mark)[1]:.0f}", mark) for mark in marks],
        "left": LEFT,
        "right": right,
        "shade": f"{_path([*upper, *reversed(lower)])}Z",
        "edges": _path(upper) + _path(lower),
        "curve": _path(curve),
        "end": tuple(f"{value:.1f}" for value in curve[-1]),
        "days": [
            (f"{x:.0f}", say.day(history[day].at), _anchor(day, len(history)))
            for day, x in ((day, at(day, low)[0]) for day in days)
            if day in (0, len(history) - 1) or min(x - LEFT, right - x) >= 1.5 * DAY_WIDTH
        ],
    }


def _anchor(day: int, count: int) -> str:
    """Return the alignment of the label of a day, so that no label leaves the picture."""
    return "start" if day == 0 else "end" if day == count - 1 else "middle"
