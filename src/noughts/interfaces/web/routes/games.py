"""What there is to choose from, games and players, and each game that was played."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated

from fastapi import Path, Query, Request, Response

from noughts.arena.events import EventKind
from noughts.arena.match import Match
from noughts.arena.store.store import LOCAL, TOURNAMENT, StoredGame, moves_of, record_of
from noughts.arena.table import HUMAN
from noughts.arena.tournament.kept import Tournaments
from noughts.drawing.svg import draw_svg
from noughts.drawing.view import view_of
from noughts.errors import NotFound
from noughts.games.base import Game
from noughts.games.catalogue import all_entries, name_of, new_game
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
from noughts.interfaces.web.boards import board_message
from noughts.interfaces.web.costs import CATALOGUE, name_to_play, size_of_stored, size_to_play
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import reply, translator
from noughts.interfaces.web.live.work import text_task
from noughts.interfaces.web.models import (
    BoardCount,
    BoardMessage,
    BoardNumber,
    BoardSwitch,
    Catalogue,
    CatalogueEntry,
    ComputerMessage,
    ComputersOnOffer,
    CustomBoard,
    GameMessage,
    MoveMessage,
    Offered,
    Replay,
    boards_of,
    ending,
    link_to,
    names_of,
)
from noughts.interfaces.web.routes.description import PICTURE, RECORD, refusals
from noughts.interfaces.web.routes.lists import players_of, summary_facts
from noughts.interfaces.web.routes.rooms import Say, Worker, api_router
from noughts.interfaces.web.service import Service
from noughts.records.record import format_record

router = api_router("games")

Dark = Annotated[bool, Query(description="whether the colours are for dark paper")]

GameName = Annotated[
    str,
    Query(
        min_length=1,
        max_length=400,
        description="a name of the catalogue, or a description such as `7x6:4,gravity`",
    ),
]
Number = Annotated[int, Path(ge=1, le=2**31 - 1, description="the number of the game, from 1")]
GameKey = Annotated[str | None, Query(max_length=100, description="the secret in the link of a private game")]


@router.get("/catalogue", response_model=Catalogue)
async def catalogue(request: Request, service: Worker, say: Say) -> Response:
    """All games of the catalogue with their rules and how their boards are drawn, and the languages."""
    asked = (say.language, service.players)
    return reply(await service.work.text(request, CATALOGUE, catalogue_text, *asked))


@text_task
def catalogue_text(language: str, players: tuple[str, ...]) -> str:
    """All games of the catalogue as JSON."""
    say = translator(language)
    games = [
        CatalogueEntry(
            **Offered.facts(new_game(entry.name), say, players),
            tag=tag_of_entry(say, entry.name),
            spec=entry.spec,
            shelf=entry.shelf,
            rank=entry.rank,
        )
        for entry in all_entries()
    ]
    return Catalogue(games=games, languages=LANGUAGES).to_json()


@router.get("/rules", response_model=Offered)
async def rules(request: Request, service: Worker, say: Say, game: GameName) -> Response:
    """A game by its name or description: its rules and how its board is drawn, before anybody plays it."""
    cost = size_to_play(game, service.limits.cells).made
    asked = (game, say.language, service.players)
    return reply(await service.work.text(request, cost, rules_text, *asked))


@text_task
def rules_text(name: str, language: str, players: tuple[str, ...]) -> str:
    """The rules of the game called *name* as JSON."""
    return Offered(**Offered.facts(new_game(name), translator(language), players)).to_json()


@router.get("/build", response_model=CustomBoard)
async def build(request: Request, service: Worker, say: Say, game: GameName) -> Response:
    """A board of one's own by its description, and what can be changed of it next, each as a description."""
    most = service.limits.cells
    cost, asked = size_to_play(game, most).counted, (game, say.language, service.players, most)
    return reply(await service.work.text(request, cost, built_text, *asked))


@text_task
def built_text(name: str, language: str, players: tuple[str, ...], most: int) -> str:
    """The board of the game called *name* and what can be changed of it, as JSON."""
    played, say = new_game(name), translator(language)
    if played.rules is None:
        raise NotFound("game", name)
    return custom_board(played, played.rules, say, players, most).to_json()


def custom_board(game: Game, rules: Rules, say: Translator, players: Iterable[str], most: int) -> CustomBoard:
    """Return the changeable *rules* of *game*, on boards of *most* cells and first moves, with its counts."""
    return CustomBoard(
        **{**Offered.facts(game, say, players), "title": heading_of(say, rules)},
        spec=rules.spec,
        tag=tag_of_entry(say, name_of(game)),
        steps=[
            BoardNumber(
                name=step.name,
                label=say(f"own-{step.name}"),
                value=step.value,
                text=text_of_step(say, step),
                less=step.less,
                more=step.more,
            )
            for step in steps_of(rules, most, most)
        ],
        switches=[
            BoardSwitch(
                name=switch.name,
                label=say(f"own-{switch.name}"),
                about=about_switch(say, switch),
                is_on=switch.is_on,
                spec=switch.spec,
            )
            for switch in switches_of(rules, most, most)
        ],
        counts=[BoardCount(count=count, label=label) for count, label in counts_of(say, rules)],
        is_estimated=is_estimated(game),
    )


@router.get("/board", response_model=BoardMessage)
async def board(request: Request, service: Worker, game: GameName) -> Response:
    """How the board of a game is drawn, whatever is played on it."""
    most = service.limits.cells
    cost, name = size_to_play(game, most).drawn, name_to_play(game, most)
    text = await service.work.text(request, cost, board_text, name)
    return Response(text, headers={"cache-control": "max-age=3600"}, media_type="application/json")


@text_task
def board_text(name: str) -> str:
    """The board of the game called *name* as JSON."""
    return board_message(new_game(name)).to_json()


@router.get("/players", response_model=ComputersOnOffer)
async def players(service: Worker, say: Say) -> Response:
    """The computers that can take a seat, and what they are like."""
    players = [
        ComputerMessage(name=name, title=player_offered(say, name), about=about_player(say, name))
        for name in service.players
    ]
    return reply(ComputersOnOffer(players=players))


# What was played


@router.get("/games/{number}", response_model=Replay, responses=refusals(404))
async def game(request: Request, number: Number, service: Worker, say: Say, key: GameKey = None) -> Response:
    """A finished game, move by move: what stands on the board after each, and how it ended in sentences.

    A private game needs the `key` in its link; without it there is no such game.
    """

    def read() -> tuple[StoredGame, int | None]:
        stored = finished_game(service, number, key)
        is_of_one = stored.setup.origin == TOURNAMENT
        return stored, Tournaments(service.database).of_game(number) if is_of_one else None

    stored, tournament = await service.work.read(address_of(request), read)
    size = size_of_stored(stored.setup.game)
    cost = size.replayed(len(moves_of(stored)))
    link = link_to(number, None if stored.access.is_public else key)
    told = (Stored(stored), tournament, say.language, link)
    return reply(await service.work.text(request, cost, game_text, *told))


@dataclass(frozen=True)
class Stored:
    """A stored game of which nothing changes any more: it is known again by its number."""

    game: StoredGame = field(compare=False)
    number: int = -1

    def __post_init__(self) -> None:
        object.__setattr__(self, "number", self.game.id)


@text_task
def game_text(of: Stored, tournament: int | None, language: str, link: str) -> str:
    """A finished game as JSON, with the *link* that opens it."""
    stored, say = of.game, translator(language)
    match = stored.replay()
    replay = Replay(
        **{**summary_facts(stored, say), "link": link},
        game=GameMessage.of(match.game, say),
        start=match.game.start,
        moves=MoveMessage.all(match.game),
        boards=boards_of(match.game),
        lines=[list(line) for line in view_of(match.game, labels=False).lines],
        sentences=_ending(stored, match, say),
        tournament=tournament,
    )
    return replay.to_json()


def finished_game(service: Service, number: int, key: str | None = None) -> StoredGame:
    """Return the finished game *number* of a room or a tournament.

    Raises :class:`~noughts.errors.NotFound` for a game that goes on, one that was played elsewhere, and a
    private one that *key* does not open. Nothing of the game is read before that is known.
    """
    is_opened = key is not None and service.rooms.opens(number, key)  # as long for a game that is missing
    origin, _, access = service.database.access(number)
    if origin == LOCAL or not (access.is_public or is_opened):
        raise NotFound("record", number)
    stored = service.database.load(number)
    if stored.result is None:
        raise NotFound("record", number)
    return stored


def _ending(stored: StoredGame, match: Match, say: Translator) -> list[str]:
    end, outcome = stored.events[-1], match.outcome
    if end.kind is not EventKind.END or outcome is None:
        return []
    kinds = stored.kinds
    names = {side: player_called(say, name, kinds.get(side, HUMAN)) for side, name in stored.players.items()}
    wording = Wording(say, match, names, kinds, names_of(match.game))
    return ending(wording, outcome, end)


@router.get("/games/{number}/record", response_class=Response, responses=RECORD)
async def record(request: Request, number: Number, service: Worker, key: GameKey = None) -> Response:
    """The record of a finished game, to keep; a private one needs the `key` in its link."""
    read = lambda: format_record(record_of(finished_game(service, number, key)))  # noqa: E731
    text = await service.work.read(address_of(request), read)
    return _file(text + "\n", "application/x-ndjson", f"noughts-{number}.jsonl")


@router.get("/games/{number}/picture", response_class=Response, responses=PICTURE)
async def picture(
    request: Request, number: Number, service: Worker, say: Say, dark: Dark = False, key: GameKey = None
) -> Response:
    """The last position of a finished game as SVG, to keep; a private one needs the `key` in its link."""
    stored = await service.work.read(address_of(request), partial(finished_game, service, number, key))
    size = size_of_stored(stored.setup.game)
    cost = size.drawn + size.reached(len(moves_of(stored)))
    text = await service.work.text(request, cost, picture_text, Stored(stored), say.language, dark)
    return _file(text, "image/svg+xml", f"noughts-{number}.svg")


@text_task
def picture_text(of: Stored, language: str, dark: bool) -> str:
    """The last position of a finished game as SVG."""
    stored, say = of.game, translator(language)
    names = [player.name for player in players_of(stored, say)]
    title = say("replay-title", number=stored.id, game=title_of(say, stored.setup.game), names=names)
    return draw_svg(stored.replay().game, title=title, dark=dark)


def _file(text: str, kind: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(text.encode(), headers=headers, media_type=kind)
