"""What pages show that are no empty shells: what they come with, before any script asks for more."""

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import cache, lru_cache, partial
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from noughts.errors import NoughtsError
from noughts.games.catalogue import MAX_SPEC, all_entries, new_game
from noughts.games.entry import Entry, Shelf
from noughts.interfaces.presenting.i18n import LANGUAGES, Translator
from noughts.interfaces.presenting.players import player_offered
from noughts.interfaces.presenting.titles import tag_of_entry, title_of
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import (
    Refused,
    language_of,
    speaker,
    status_of,
    translator,
    trouble_of,
)
from noughts.interfaces.web.routes.lists import read_games
from noughts.interfaces.web.routes.tournaments import tell_running, tell_tournament, tell_tournaments
from noughts.interfaces.web.tiles import draw_tile, symbols, tile
from noughts.players.strengths import in_order_of_strength
from noughts.puzzles.shipped import games_with_puzzles, next_after, puzzles_of

SEATS_COOKIE = "noughts-seats"
"""The cookie in which a browser says how many games go on in it, and how many rows it lists: 2.3."""

MAX_SEATS, MAX_ROWS = 4, 5
"""For no more than that room is left."""

FIRST_BUILT = "7x6:4,gravity"
"""The board that stands there before anybody has built one."""

SHELVES: dict[Shelf, str] = {
    "first": "",
    "small": "shelf-small",
    "large": "shelf-large",
    "space": "shelf-space",
}
"""The shelves from above, and what is said of each; of the first that is the title of the page."""

MAX_NAME = 100
"""Names in addresses are no longer than that."""

HISTORY_DAYS = ("1", "7", "30")
"""Of so many days the games can be chosen."""

MAX_DIGITS = 10
"""Numbers of games are no longer than that."""


def facts_of_home(request: Request) -> dict[str, Any]:
    """What the first page shows: the games on their shelves, and room for those that go on."""
    language = language_of(request)
    asked = re.fullmatch("([0-9]{1,3})[.]([0-9]{1,3})", request.cookies.get(SEATS_COOKIE, ""))
    seats, rows = map(int, asked.groups()) if asked else (0, 0)
    return {
        "shelves": shelves(language, all_entries()),
        "symbols": symbols(),
        "seats": min(seats, MAX_SEATS),
        "rows": min(rows, MAX_ROWS),
        **facts_of_start(request, "tictactoe"),
    }


def facts_of_build(request: Request) -> dict[str, Any]:
    """What the page shows on which a board is built: the one that its address tells."""
    asked = request.query_params.get("game", "")[:MAX_SPEC] or FIRST_BUILT
    return {**facts_of_start(request, asked), "spec": asked}


def facts_of_puzzles(_: Request) -> dict[str, Any]:
    """What the list of puzzles shows: a small picture for each game that has some."""
    return {"pictures": pictures_of_puzzles(), "symbols": symbols()}


@cache
def pictures_of_puzzles() -> dict[str, str]:
    """By the names of games their easiest puzzles, as small pictures."""
    easiest = {name: next_after(None, puzzles_of(name)) for name in games_with_puzzles()}
    return {name: draw_tile(puzzle.start(), name) for name, puzzle in easiest.items()}


def facts_of_history(request: Request) -> dict[str, Any]:
    """What the history shows besides games: those to choose from, and what its address asks for."""
    asked = request.query_params
    others = {
        "player": asked.get("player", "")[:MAX_NAME],
        **{name: asked.get(name) for name in ("result", "days")},
    }
    return {**facts_of_scores(request), **others}


def facts_of_scores(request: Request) -> dict[str, Any]:
    """The games of which scores can be chosen, and the one that the address asks for."""
    say, asked = translator(language_of(request)), request.query_params.get("game", "")[:MAX_SPEC]
    games = [
        {"name": entry.name, "title": title_of(say, entry.name), "id": f"title-{entry.name}"}
        for entry in all_entries()
    ]
    if asked and asked not in {game["name"] for game in games}:
        games.append({"name": asked, "title": asked, "id": ""})
    known = [{**game, "id": game["id"] if say.has(game["id"]) else ""} for game in games]
    return {"games": known, "game": asked}


FACTS = {
    "history.html": facts_of_history,
    "scores.html": facts_of_scores,
    "home.html": facts_of_home,
    "build.html": facts_of_build,
    "puzzles.html": facts_of_puzzles,
}
"""What pages show that are no empty shells."""


def facts_of_start(request: Request, name: str) -> dict[str, Any]:
    """What is said where a game is begun: of the game called *name*, and of the computers."""
    say, players = translator(language_of(request)), request.app.state.service.players
    known = [who for who in players if say.has(f"strength-{who.partition(':')[0]}")]
    known = in_order_of_strength(new_game(name), known)
    levels = [(who, player_offered(say, who)) for who in known]
    return {"title": title_of(say, name), "about": tag_of_entry(say, name), "levels": levels}


@lru_cache(maxsize=2 * len(LANGUAGES))
def shelves(language: str, entries: tuple[Entry, ...]) -> list[dict[str, Any]]:
    """The games on their shelves, each with what it is called and its picture."""
    say = translator(language)
    return [
        {
            "id": id_,
            "games": [_on_shelf(entry.name, say) for entry in entries if entry.shelf == shelf],
        }
        for shelf, id_ in SHELVES.items()
    ]


def _on_shelf(name: str, say: Translator) -> dict[str, Any]:
    ids = {kind: f"{kind}-{name}" for kind in ("title", "tag")}
    return {
        "name": name,
        "title": title_of(say, name),
        "tag": tag_of_entry(say, name),
        "sides": " ".join(new_game(name).sides),
        "picture": tile(name),
        **{f"{kind}_id": id_ if say.has(id_) else "" for kind, id_ in ids.items()},
    }


def is_number(text: str) -> bool:
    """Whether *text* can be the number of a game, a puzzle or a tournament."""
    return text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS


async def rows_of_history(request: Request) -> dict[str, Any]:
    """The games that the history shows to who has no scripts, where older ones are, and what is wrong."""
    service, asked = request.app.state.service, request.query_params
    before = asked.get("before", "")
    wanted: dict[str, Any] = {
        "before": int(before) if is_number(before) else None,
        "game": asked.get("game", "")[:MAX_SPEC],
        "player": asked.get("player", "")[:MAX_NAME],
        "result": asked.get("result", ""),
        "days": int(asked.get("days", "")) if asked.get("days") in HISTORY_DAYS else None,
    }
    say = speaker(request)
    try:
        history = await service.work.read(address_of(request), partial(read_games, service, say, **wanted))
    except Refused:
        raise
    except NoughtsError as error:
        fault = trouble_of(error, say).sentence
        return {"rows": [], "older": "", "fault": fault, "status": status_of(error)}
    rows = [
        {**game.model_dump(), "day": datetime.fromtimestamp(game.created / 1000, UTC).date().isoformat()}
        for game in history.games
    ]
    older = {name: value for name, value in {**wanted, "before": history.before}.items() if value}
    skipped = say.plural("web-damaged", history.damaged) if history.damaged else ""
    return {"rows": rows, "older": urlencode(older) if history.before else "", "fault": skipped}


TOLD: dict[str, Callable[[Request], Awaitable[dict[str, Any] | Response]]] = {
    "history.html": rows_of_history,
    "tournaments.html": tell_tournaments,
    "tournament.html": tell_tournament,
    "watch.html": tell_running,
}
"""What pages show that is read for them, or where they lead."""
