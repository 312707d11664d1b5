"""API routes for games: the catalogue, custom boards, finished games, the history and the scoreboard."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from typing import Annotated, Any

from fastapi import Path, Query, Request, Response

from noughts.arena.events import EventKind, MatchEnd
from noughts.arena.match import Match
from noughts.arena.series import Result, Score, recount
from noughts.arena.setup import LOCAL, ONLINE, TOURNAMENT
from noughts.arena.stored_game import BY_LINK, PUBLIC, StoredGame, moves_of, record_of
from noughts.arena.table import HUMAN
from noughts.arena.tournament.repository import Tournaments
from noughts.drawing.svg import draw_svg
from noughts.drawing.view import view_of
from noughts.errors import DamagedStore, NotFound
from noughts.games.base import Game
from noughts.games.catalogue import all_entries, name_of, new_game
from noughts.games.rules import Rules
from noughts.interfaces.presenting import custom_boards
from noughts.interfaces.presenting.i18n import LANGUAGES, Translator
from noughts.interfaces.presenting.match_texts import Wording
from noughts.interfaces.presenting.players import (
    about_player,
    names_of_computer,
    player_called,
    player_offered,
    strength,
)
from noughts.interfaces.presenting.titles import how_it_ended, tag_of_entry, title_of
from noughts.interfaces.web import models
from noughts.interfaces.web.api.description import LISTED, PICTURE, RECORD, refusals
from noughts.interfaces.web.api.requests import DRAWN, GAME, GameFilter, HistoryQuery
from noughts.interfaces.web.api.rooms import Say, Worker, api_router
from noughts.interfaces.web.boards import board_message
from noughts.interfaces.web.costs import CATALOGUE, name_to_play, size_of_stored, size_to_play
from noughts.interfaces.web.http.metrics import LOG
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import reply, translator
from noughts.interfaces.web.live.work import text_task
from noughts.interfaces.web.models import boards_of, end_sentences, link_to, names_of
from noughts.interfaces.web.service import Service
from noughts.records.record import format_record
from noughts.text import fold_name

router = api_router("games")

Dark = Annotated[bool, Query(description="Whether the colours are for dark paper.")]

GameName = Annotated[str, Query(min_length=1, max_length=400, description=GAME)]
Number = Annotated[int, Path(ge=1, le=2**31 - 1, description="The number of the game, from 1.")]
GameKey = Annotated[str | None, Query(max_length=100, description="The key in the link of a private game.")]


@router.get("/catalogue", response_model=models.GameCatalogue)
async def catalogue(request: Request, service: Worker, say: Say) -> Response:
    """Return all games of the catalogue with their rules and boards, and the languages of the server."""
    arguments = (say.language, service.players)
    return reply(await service.work.text(request, CATALOGUE, catalogue_text, *arguments))


@text_task
def catalogue_text(language: str, players: tuple[str, ...]) -> str:
    """Return all games of the catalogue as JSON."""
    say = translator(language)
    games = [
        models.CatalogueEntry(
            **models.PlayableGame.facts(new_game(entry.name), say, players),
            tag=tag_of_entry(say, entry.name),
            spec=entry.spec,
            shelf=entry.shelf,
            rank=entry.rank,
        )
        for entry in all_entries()
    ]
    return models.GameCatalogue(games=games, languages=LANGUAGES).to_json()


@router.get("/rules", response_model=models.PlayableGame)
async def rules(request: Request, service: Worker, say: Say, game: GameName) -> Response:
    """Return the rules and the board of a game, given by its name or description."""
    cost = size_to_play(game, service.limits.cells).creation_cost
    arguments = (game, say.language, service.players)
    return reply(await service.work.text(request, cost, rules_text, *arguments))


@text_task
def rules_text(name: str, language: str, players: tuple[str, ...]) -> str:
    """Return the rules of the game called *name* as JSON."""
    return models.PlayableGame(
        **models.PlayableGame.facts(new_game(name), translator(language), players)
    ).to_json()


@router.get("/build", response_model=models.CustomBoard)
async def build(request: Request, service: Worker, say: Say, game: GameName) -> Response:
    """Return a custom board, given by its description, with the description of each possible change."""
    max_cells = service.limits.cells
    cost, arguments = (
        size_to_play(game, max_cells).options_cost,
        (game, say.language, service.players, max_cells),
    )
    return reply(await service.work.text(request, cost, built_text, *arguments))


@text_task
def built_text(name: str, language: str, players: tuple[str, ...], max_cells: int) -> str:
    """Return the custom board called *name*, and the possible changes, as JSON."""
    played, say = new_game(name), translator(language)
    if played.rules is None:
        raise NotFound("game", name)
    return custom_board(played, played.rules, say, players, max_cells).to_json()


def custom_board(
    game: Game, rules: Rules, say: Translator, players: Iterable[str], max_cells: int
) -> models.CustomBoard:
    """Return the custom board of *game* with its counts and the possible changes of *rules*.

    A change is possible if the board has at most *max_cells* cells and first moves.
    """
    counts = custom_boards.counts_of(say, rules)
    return models.CustomBoard(
        **{**models.PlayableGame.facts(game, say, players), "title": custom_boards.heading_of(say, rules)},
        spec=rules.spec,
        tag=tag_of_entry(say, name_of(game)),
        steps=[
            models.BoardNumber(
                name=step.name,
                label=say(f"own-{step.name}"),
                value=step.value,
                text=custom_boards.parameter_text(say, step),
                less=step.less,
                more=step.more,
            )
            for step in custom_boards.board_parameters(rules, max_cells, max_cells)
        ],
        switches=[
            models.BoardSwitch(
                name=switch.name,
                label=say(f"own-{switch.name}"),
                about=custom_boards.about_option(say, switch),
                is_on=switch.is_on,
                spec=switch.spec,
            )
            for switch in custom_boards.board_options(rules, max_cells, max_cells)
        ],
        counts=[models.BoardCount(count=count, label=label) for count, label in counts],
        is_estimated=custom_boards.is_estimated(game),
    )


@router.get("/board", response_model=models.BoardMessage)
async def board(request: Request, service: Worker, game: GameName) -> Response:
    """Return the drawing of the empty board of a game."""
    max_cells = service.limits.cells
    cost, name = size_to_play(game, max_cells).drawing_cost, name_to_play(game, max_cells)
    text = await service.work.text(request, cost, board_text, name)
    return Response(text, headers={"cache-control": "max-age=3600"}, media_type="application/json")


@text_task
def board_text(name: str) -> str:
    """Return the board of the game called *name* as JSON."""
    return board_message(new_game(name)).to_json()


@router.get("/players", response_model=models.ComputerList)
async def players(service: Worker, say: Say) -> Response:
    """Return the computers that can take a seat, each with a short description."""
    players = [
        models.ComputerMessage(name=name, title=player_offered(say, name), about=about_player(say, name))
        for name in service.players
    ]
    return reply(models.ComputerList(players=players))


# Finished games


@router.get("/games/{number}", response_model=models.Replay, responses=refusals(404))
async def game(request: Request, number: Number, say: Say, key: GameKey = None) -> Response:
    """Return a finished game: its moves, the changes of the board with each move, and its result.

    A private game needs the `key` of its link. The status is 404 without it.
    """
    return reply((await read_replay(request, number, key, say.language))[1])


async def read_replay(
    request: Request, number: int, key: str | None, language: str
) -> tuple[StoredGame, str]:
    """Return the finished game *number* and its moves as JSON. Raises the errors of :func:`finished_game`."""
    service: Service = request.app.state.service

    def read() -> tuple[StoredGame, int | None]:
        stored = finished_game(service, number, key)
        is_of_one = stored.setup.origin == TOURNAMENT
        return stored, Tournaments(service.database).of_game(number) if is_of_one else None

    stored, tournament = await service.work.read(address_of(request), read)
    size = size_of_stored(stored.setup.game)
    cost = size.replay_cost(len(moves_of(stored)))
    link = link_to(number, None if stored.access.is_public else key)
    arguments = (FinishedGameKey(stored), tournament, language, link)
    return stored, await service.work.text(request, cost, game_text, *arguments)


@dataclass(frozen=True)
class FinishedGameKey:
    """A stored game that cannot change any more, as a cache key: games with the same number are equal."""

    game: StoredGame = field(compare=False)
    number: int = -1

    def __post_init__(self) -> None:
        object.__setattr__(self, "number", self.game.id)


@text_task
def game_text(of: FinishedGameKey, tournament: int | None, language: str, link: str) -> str:
    """Return a finished game as JSON, with the *link* to its page."""
    stored, say = of.game, translator(language)
    match = stored.replay()
    replay = models.Replay(
        **{**summary_facts(stored, say), "link": link},
        game=models.GameMessage.of(match.game, say),
        start=match.game.start,
        moves=models.MoveMessage.all(match.game),
        boards=boards_of(match.game),
        lines=[list(line) for line in view_of(match.game, labels=False).lines],
        sentences=_ending(stored, match, say),
        tournament=tournament,
    )
    return replay.to_json()


def finished_game(service: Service, number: int, key: str | None = None) -> StoredGame:
    """Return the finished game *number* of a room or a tournament.

    Raises :class:`~noughts.errors.NotFound` for a game that is not over, a game that was not played on a
    server, and a private game that *key* does not open. The game is read only after these checks.
    """
    is_opened = key is not None and service.rooms.opens(number, key)  # as slow if no game exists
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
    return end_sentences(wording, outcome, end)


@router.get("/games/{number}/record", response_class=Response, responses=RECORD)
async def record(request: Request, number: Number, service: Worker, key: GameKey = None) -> Response:
    """Return the record of a finished game as a file. A private game needs the `key` of its link."""
    read = lambda: format_record(record_of(finished_game(service, number, key)))  # noqa: E731
    text = await service.work.read(address_of(request), read)
    return _file(text + "\n", "application/x-ndjson", f"noughts-{number}.jsonl")


@router.get("/games/{number}/picture", response_class=Response, responses=PICTURE)
async def picture(
    request: Request, number: Number, service: Worker, say: Say, dark: Dark = False, key: GameKey = None
) -> Response:
    """Return the last position of a finished game as an SVG file.

    A private game needs the `key` of its link.
    """
    stored = await service.work.read(address_of(request), partial(finished_game, service, number, key))
    size = size_of_stored(stored.setup.game)
    cost = size.drawing_cost + size.position_cost(len(moves_of(stored)))
    text = await service.work.text(request, cost, picture_text, FinishedGameKey(stored), say.language, dark)
    return _file(text, "image/svg+xml", f"noughts-{number}.svg")


@text_task
def picture_text(of: FinishedGameKey, language: str, dark: bool) -> str:
    """Return the last position of a finished game as SVG."""
    stored, say = of.game, translator(language)
    names = [player.name for player in players_of(stored, say)]
    title = say("replay-title", number=stored.id, game=title_of(say, stored.setup.game), names=names)
    return draw_svg(stored.replay().game, title=title, dark=dark)


def _file(text: str, kind: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(text.encode(), headers=headers, media_type=kind)


# History and scores

MAX_SCORES = 1_000
"""The largest number of rows of the scoreboard."""

MAX_EXAMINED = 5_000
"""The largest number of games that are read for one page of the history, however few of them match."""

DAY_MS = 24 * 60 * 60 * 1000


@router.get("/games", response_model=models.HistoryPage, responses=LISTED)
async def games(
    request: Request, service: Worker, say: Say, wanted: Annotated[HistoryQuery, Query()]
) -> Response:
    """Return finished public games of rooms, newest first, except those that were called off.

    To get the next page, pass `before` of the response. A page may have fewer than `count` games although
    there is a next page. Damaged games are skipped and counted.
    """
    read = lambda: read_games(service, say, wanted).to_json()  # noqa: E731
    return reply(await service.work.read(address_of(request), read))


def read_games(service: Service, say: Translator, wanted: HistoryQuery) -> models.HistoryPage:
    """Return the finished games of rooms that match *wanted*."""
    damaged: list[DamagedStore] = []
    game, player, result = wanted.game, wanted.player, wanted.result
    own = (one.partition(".") for one in wanted.own.split(",") if one)
    keys = {int(number): key for number, _, key in own}
    ended = service.database.newest_games(
        wanted.before,
        is_over=True,
        origin=ONLINE,
        visible_by=service.rooms.opened(keys),
        game=name_to_play(game, service.limits.cells) if game else None,
        players=matching_names(player, say, service.players) if player else (),
        on_damage=damaged.append,
    )
    if wanted.days is not None:
        begun = service.now() - wanted.days * DAY_MS
        ended = takewhile(lambda stored: stored.setup.created >= begun, ended)
    entries: list[models.HistoryEntry] = []
    next_page = None
    for number, stored in enumerate(ended, 1):
        if _fits(stored.result, result):
            facts = summary_facts(stored, say, keys.get(stored.id))
            entries.append(models.HistoryEntry(**facts, game=stored.setup.game))
        if len(entries) == wanted.count or number == MAX_EXAMINED:
            next_page = stored.id
            break
    log_damage(damaged)
    return models.HistoryPage(games=entries, before=next_page, damaged=len(damaged))


def _fits(ended: Result | None, wanted: str | None) -> bool:
    """Return True if a game with this end is in the history, and has the *wanted* result, if any.

    A game that was called off is not in the history, and a faulty game is no draw.
    """
    if ended is not None and ended.termination == MatchEnd.ABORTED:
        return False
    return not wanted or (ended is not None and ended.is_counted and wanted == (ended.winner or DRAWN))


def matching_names(player: str, say: Translator, players: Iterable[str]) -> set[str]:
    """Return the stored names of the player with the shown name *player*.

    The name of a level is found by its number, too.

    >>> sorted(matching_names("computer (LEVEL 3)", Translator("en"), ("rule", "level:3")))
    ['computer (LEVEL 3)', 'level:3']
    >>> sorted(matching_names("Computer (level 3, hobbyist)", Translator("en"), ("rule", "level:3")))
    ['Computer (level 3, hobbyist)', 'level:3']
    >>> sorted(matching_names("Computer 2 (level 3, hobbyist)", Translator("en"), ("rule", "level:3")))
    ['Computer 2 (level 3, hobbyist)', 'level:3 (2)']
    """
    meant = {player}
    for computer in players:
        shown = {name: _shown_name(say, name) for name in names_of_computer(computer)}
        by_number = say("computer-named", strength=strength(say, computer))
        names = [*shown.items(), (computer, by_number)]
        meant.update(name for name, text in names if fold_name(text) == fold_name(player))
    return meant


def log_damage(damaged: list[DamagedStore]) -> None:
    """Log the games that cannot be read."""
    for damage in damaged:
        LOG.error("damage", extra={"facts": {"reason": damage.reason, **damage.data}})


def summary_facts(stored: StoredGame, say: Translator, key: str | None = None) -> dict[str, Any]:
    """Return the fields of a game of the history. The link to a private game has its *key*."""
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


def players_of(stored: StoredGame, say: Translator) -> list[models.GamePlayer]:
    """Return the players in the order of turns. Sides are those at the end of the game."""
    kinds, identities = stored.kinds, stored.identities
    return [
        models.GamePlayer(
            side=side,
            name=player_called(say, name, kinds.get(side, HUMAN)),
            identity=identities[side],
            kind=kinds.get(side),
        )
        for side, name in stored.players.items()
    ]


@router.get("/scores", response_model=models.Scoreboard, responses=LISTED)
async def scores(service: Worker, say: Say, game: GameFilter = None) -> Response:
    """Return the wins, draws and losses of all players in public games of rooms, best first.

    With `game`, only results of that game count. Damaged games are skipped and counted.
    """
    counted, damaged = await service.scores.value(partial(count_scores, service))
    wanted = name_to_play(game, service.limits.cells) if game else None
    rows = [
        models.ScoreRow(
            **models.ScoreMessage.model_validate(score).model_dump(),
            longest_streak=score.longest_streak,
            called=_shown_name(say, score.name),
        )
        for score in counted.get(wanted, ())
    ]
    return reply(models.Scoreboard(players=rows, damaged=damaged))


def count_scores(service: Service) -> tuple[dict[str | None, list[Score]], int]:
    """Return the scores, best first, and the number of damaged games.

    The scores are listed by game. Those under None count all games.
    """
    damaged: list[DamagedStore] = []
    results: dict[str | None, list[Result]] = {None: []}
    public = service.database.newest_games(
        is_over=True, origin=ONLINE, visible_by=(), on_damage=damaged.append
    )
    for stored in public:
        if stored.setup.is_counted and stored.result is not None:
            results[None].append(stored.result)
            results.setdefault(stored.setup.game, []).append(stored.result)
    log_damage(damaged)
    counted = {
        # Streaks need the results in the order in which they were played.
        game: sorted(recount(played[::-1]), key=lambda score: (-score.points, score.name))[:MAX_SCORES]
        for game, played in results.items()
    }
    # People with keys are counted by their keys: a guest with the same name has another row.
    called = service.database.called({score.name for scores in counted.values() for score in scores})
    counted = {
        game: [replace(score, name=called.get(score.name, score.name)) for score in scores]
        for game, scores in counted.items()
    }
    return counted, len(damaged)


def _shown_name(say: Translator, name: str) -> str:
    """Return the shown name of a player. Only a computer has the name of a computer.

    >>> [_shown_name(Translator("en"), name) for name in ("level:1 (2)", "Ada (2)")]
    ['Computer 2 (level 1, beginner)', 'Ada (2)']
    """
    kind = name.partition(" (")[0]
    return player_called(say, name, kind if say.has(f"strength-{kind.partition(':')[0]}") else HUMAN)
