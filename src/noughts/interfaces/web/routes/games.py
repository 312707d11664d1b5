"""What there is to choose from, games and players, and each game that was played."""

from collections.abc import Iterable
from functools import partial
from itertools import compress
from operator import ne
from typing import Annotated

from fastapi import Path, Query, Response

from noughts.arena.events import EventKind
from noughts.arena.local_table import ONLINE
from noughts.arena.match import Match
from noughts.arena.store.store import TOURNAMENT, StoredGame, record_of
from noughts.arena.table import HUMAN
from noughts.arena.tournament.kept import Tournaments
from noughts.core.board import index_of
from noughts.drawing.svg import draw_svg
from noughts.drawing.view import view_of
from noughts.errors import NotFound
from noughts.games.base import Game
from noughts.games.catalogue import all_entries, name_of, new_game
from noughts.games.entry import Entry
from noughts.games.rules import Rules
from noughts.interfaces.presenting.building import (
    about_switch,
    counts_of,
    heading_of,
    is_estimated,
    steps_of,
    switches_of,
    text_of_step,
)
from noughts.interfaces.presenting.i18n import LANGUAGES, Translator
from noughts.interfaces.presenting.players import about_player, player_called, player_offered
from noughts.interfaces.presenting.titles import tag_of_entry, title_of
from noughts.interfaces.presenting.wording import Wording
from noughts.interfaces.web.boards import board_as_text
from noughts.interfaces.web.http.replies import reply
from noughts.interfaces.web.live.state import (
    Json,
    annotations_as_json,
    ending,
    game_as_json,
    game_on_offer,
    moves_as_json,
    names_of,
)
from noughts.interfaces.web.routes import game_schemas
from noughts.interfaces.web.routes.description import PICTURE, RECORD, refusals
from noughts.interfaces.web.routes.lists import players_of, summary_as_json
from noughts.interfaces.web.routes.rooms import Say, Worker, api_router, game_to_play
from noughts.interfaces.web.service import Service
from noughts.records.record import format_record

router = api_router("games")

Cells = tuple[str | None, ...]

GameName = Annotated[str, Query(min_length=1, max_length=400)]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]


@router.get("/catalogue", response_model=game_schemas.Catalogue)
async def catalogue(service: Worker, say: Say) -> Response:
    """All games of the catalogue with their rules and how their boards are drawn, and the languages."""
    players = service.players
    games = await service.run(lambda: [entry_as_json(entry, say, players) for entry in all_entries()])
    return reply({"games": games, "languages": LANGUAGES})


def entry_as_json(entry: Entry, say: Translator, players: Iterable[str]) -> Json:
    """A game of the catalogue: its rules, how its board is drawn, and where it is listed."""
    listed = {"spec": entry.spec, "shelf": entry.shelf, "rank": entry.rank}
    return {
        **game_on_offer(new_game(entry.name), say, players),
        "tag": tag_of_entry(say, entry.name),
        **listed,
    }


@router.get("/rules", response_model=game_schemas.Offered)
async def rules(service: Worker, say: Say, game: GameName) -> Response:
    """A game by its name or description: its rules and how its board is drawn, before anybody plays it."""
    return reply(await service.run(lambda: game_on_offer(game_to_play(game, service), say, service.players)))


@router.get("/build", response_model=game_schemas.Built)
async def build(service: Worker, say: Say, game: GameName) -> Response:
    """A board of one's own by its description, and what can be changed of it next, each as a description."""

    def told() -> Json:
        played = game_to_play(game, service)
        if played.rules is None:
            raise NotFound("game", game)
        offered = game_on_offer(played, say, service.players)
        return {**offered, **built(played, played.rules, say, service.limits.cells)}

    return reply(await service.run(told))


def built(game: Game, rules: Rules, say: Translator, cells: int) -> Json:
    """What can be changed of the *rules* of *game*, on boards of so many *cells* at most, and its counts."""
    return {
        "spec": rules.spec,
        "title": heading_of(say, rules),
        "tag": tag_of_entry(say, name_of(game)),
        "steps": [
            {
                "name": step.name,
                "label": say(f"own-{step.name}"),
                "value": step.value,
                "text": text_of_step(say, step),
                "less": step.less,
                "more": step.more,
            }
            for step in steps_of(rules, cells)
        ],
        "switches": [
            {
                "name": switch.name,
                "label": say(f"own-{switch.name}"),
                "about": about_switch(say, switch),
                "is_on": switch.is_on,
                "spec": switch.spec,
            }
            for switch in switches_of(rules, cells)
        ],
        "counts": [{"count": count, "label": label} for count, label in counts_of(say, rules)],
        "is_estimated": is_estimated(game),
    }


@router.get("/board", response_model=game_schemas.Board)
async def board(service: Worker, game: GameName) -> Response:
    """How the board of a game is drawn, whatever is played on it."""
    text = await service.run(lambda: board_as_text(name_of(game_to_play(game, service))))
    return Response(text, headers={"cache-control": "max-age=3600"}, media_type="application/json")


@router.get("/players", response_model=game_schemas.Computers)
async def players(service: Worker, say: Say) -> Response:
    """The computers that can take a seat, and what they are like."""
    told = [
        {"name": name, "title": player_offered(say, name), "about": about_player(say, name)}
        for name in service.players
    ]
    return reply({"players": told})


# What was played


@router.get("/games/{number}", response_model=game_schemas.Replay, responses=refusals(404))
async def game(number: Number, service: Worker, say: Say) -> Response:
    """A finished game, move by move: what stands on the board after each, and how it ended in sentences."""
    return reply(await service.read(partial(_read_game, service, number, say)))


def _read_game(service: Service, number: int, say: Translator) -> Json:
    stored = finished_game(service, number)
    is_of_one = stored.setup.is_of_tournament
    tournament = Tournaments(service.database).of_game(number) if is_of_one else None
    return {**game_told(stored, say), "tournament": tournament}


def finished_game(service: Service, number: int) -> StoredGame:
    """The finished game *number* of a room or a tournament.

    One that goes on is nobody's business but the players', nor is one that was played elsewhere.
    """
    stored = service.database.load(number)
    if stored.result is None or not {ONLINE, TOURNAMENT}.intersection(stored.setup.who):
        raise NotFound("record", number)
    return stored


def game_told(stored: StoredGame, say: Translator) -> Json:
    """Everything there is to tell of a finished game."""
    match = stored.replay()
    shown = view_of(match.game, labels=False)
    return {
        **summary_as_json(stored, say),
        "game": game_as_json(match.game, say),
        "start": match.game.start,
        "moves": moves_as_json(match.game),
        "boards": boards_of(match.game),
        "lines": [list(line) for line in shown.lines],
        "sentences": _ending(stored, match, say),
    }


def boards_of(game: Game) -> list[Json]:
    """For each ply the cells that have changed since the one before; first all that stands at the start."""
    position, boards = game.copy(), []
    while position.ply:
        after = position.copy()
        position.undo()
        boards.append(board_after(position.cells, after))
    boards.append(board_after((None,) * len(position.cells), position))
    return boards[::-1]


def board_after(before: Cells, position: Game) -> Json:
    """What has changed since *before* on the board of *position*, and what is told besides the marks."""
    last = sorted(index_of(position.shape, cell) for cell in position.last_cells())
    changed = _changes(before, position.cells)
    return {"changed": changed, "last": last, "annotations": annotations_as_json(position)}


def _changes(before: Cells, after: Cells) -> Json:
    """The cells that are not as they were."""
    return {str(index): after[index] for index in compress(range(len(after)), map(ne, before, after))}


def _ending(stored: StoredGame, match: Match, say: Translator) -> list[str]:
    end, outcome = stored.events[-1], match.outcome
    if end.kind is not EventKind.END or outcome is None:
        return []
    kinds = stored.kinds
    names = {side: player_called(say, name, kinds.get(side, HUMAN)) for side, name in stored.players.items()}
    wording = Wording(say, match, names, kinds, names_of(match.game))
    return ending(wording, outcome, end)


@router.get("/games/{number}/record", response_class=Response, responses=RECORD)
async def record(number: Number, service: Worker) -> Response:
    """The record of a finished game, to keep."""
    text = await service.run(lambda: format_record(record_of(finished_game(service, number))))
    return _file(text + "\n", "application/x-ndjson", f"noughts-{number}.jsonl")


@router.get("/games/{number}/picture", response_class=Response, responses=PICTURE)
async def picture(number: Number, service: Worker, say: Say, dark: bool = False) -> Response:
    """The last position of a finished game as SVG, to keep."""

    def draw() -> str:
        stored = finished_game(service, number)
        names = [player["name"] for player in players_of(stored, say)]
        title = say("replay-title", number=number, game=title_of(say, stored.setup.game), names=names)
        return draw_svg(stored.replay().game, title=title, dark=dark)

    return _file(await service.read(draw), "image/svg+xml", f"noughts-{number}.svg")


def _file(text: str, kind: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(text.encode(), headers=headers, media_type=kind)
