"""Plans of tournaments as files in TOML: parsing and validation."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from noughts.arena.tournament.openings import MOVES, NOTATIONS, parse_lines, parse_opening
from noughts.arena.tournament.plan import (
    BALANCED,
    FORMATS,
    LINES,
    SPRT,
    START,
    VARIED,
    Entrant,
    OpeningPlan,
    PlayLimits,
    TournamentPlan,
)
from noughts.arena.tournament.sequential import Test
from noughts.errors import (
    FileRefused,
    NameRefused,
    NotationError,
    NotFound,
    UnsupportedRules,
    system_reason,
)
from noughts.games.catalogue import name_of, new_game
from noughts.games.openings import OPENINGS, find_opening
from noughts.records.files import open_to_read
from noughts.text import check_name
from noughts.workers.programs.bot_list import is_word
from noughts.workers.seating import BOT

MAX_BYTES = 1 << 20
"""The maximum size of a file in bytes."""

MAX_PLAYERS, MAX_GAMES, MAX_PAIRS, MAX_AT_ONCE = 256, 64, 1_000_000, 1_024
MAX_MS, MAX_NODES, MAX_SEED, MAX_ELO = 1_000_000_000, 1_000_000_000_000, 2**63 - 1, 1_000

TEST_PLAYERS = 2
"""The number of players in a test."""

DEFAULT_PLIES, MAX_PLIES = 4, 30
"""The default and the maximum number of moves of balanced openings."""

_UNUSED_KEYS = {
    **dict.fromkeys((START, VARIED, *OPENINGS), ("notation", "symmetries", "plies")),
    BALANCED: ("notation",),
}
"""The keys that have no meaning with some kinds of openings. With a file of openings the key is ``plies``."""

_TEST_KEYS = ("elo0", "elo1", "alpha", "beta")
"""The keys that have no meaning without a test."""

Chosen = TypeVar("Chosen", str, bool)


@dataclass(frozen=True, slots=True)
class PlanFile:
    """The content of a file: the plan, and the number of games that are played at once.

    ``earlier`` is the plan that versions without varied openings read from the file. It is None if the file
    names its openings.
    """

    plan: TournamentPlan
    at_once: int
    earlier: TournamentPlan | None = None


def read_plan(path: Path) -> PlanFile:
    """Return the content of the file *path*.

    Raises :class:`~noughts.errors.FileRefused`, :class:`~noughts.errors.NotationError` for an invalid plan,
    and the errors of its games, names and openings.
    """
    content = _content(path, takes_pipes=True)
    try:
        tables = tomllib.loads(content)
    except (ValueError, RecursionError) as error:
        raise NotationError("tournament", str(path), "no-toml", detail=str(error)) from None
    for key in tables.keys() - {"tournament", "limits", "players"}:
        raise NotationError("tournament", key, "unknown-key", key=f"[{key}]")
    return _read(tables, path.parent)


def _content(path: Path, *, takes_pipes: bool = False) -> str:
    """Return the text in the file *path*."""
    try:
        with open_to_read(path, takes_pipes=takes_pipes) as file:
            content = file.read(MAX_BYTES + 1)
        text = content[:MAX_BYTES].decode("utf-8-sig")  # some editors add a byte order mark
    except OSError as error:
        raise FileRefused(str(path), system_reason(error)) from None
    except ValueError:  # the content is not UTF-8, or the name has a zero byte
        raise FileRefused(str(path), "no-text") from None
    if len(content) > MAX_BYTES:
        raise FileRefused(str(path), "too-long")
    return text


def _read(tables: Mapping[str, Any], folder: Path) -> PlanFile:
    fields = _Fields("tournament", tables.get("tournament"))
    format_ = fields.choice("format", FORMATS, FORMATS[0])
    games = _games(fields)
    pairs = fields.number("pairs", 1, 1, MAX_PAIRS)
    at_once = fields.number("concurrency", 1, 1, MAX_AT_ONCE)
    seed = fields.number("seed", 0, 0, MAX_SEED)
    openings = _beginnings(fields, games, folder)
    anchor = fields.text("anchor", "")
    if format_ != SPRT:
        fields.refuse(_TEST_KEYS, f"format = {format_}")
    test = _test(fields) if format_ == SPRT else None
    fields.end()
    players = _players(tables.get("players"), TEST_PLAYERS if format_ == SPRT else MAX_PLAYERS)
    limits = _limits(_Fields("limits", tables.get("limits", {})))
    if anchor not in ("", *(player.name for player in players)):
        raise NotFound("entrant", anchor, [player.name for player in players])
    plan = TournamentPlan(format_, games, players, pairs, seed, limits, openings, test, anchor or None)
    is_default = "openings" not in tables["tournament"]
    return PlanFile(plan, at_once, replace(plan, openings=OpeningPlan(START)) if is_default else None)


class _Fields:
    """A table of the file. Its fields are taken one after another, and none may be left."""

    def __init__(self, name: str, table: object) -> None:
        if not isinstance(table, dict):
            raise NotationError("tournament", name, "no-table", table=f"[{name}]")
        self._name, self._table = name, dict(table)

    def choice(self, key: str, choices: Sequence[Chosen], default: Chosen) -> Chosen:
        """Return one of *choices*."""
        value = self._table.pop(key, default)
        chosen = next((one for one in choices if type(value) is type(one) and value == one), None)
        if chosen is not None:
            return chosen
        known = [_spelled(one) for one in choices]
        raise NotationError("tournament", key, "not-one-of", key=self._spelled(key), choices=known)

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text, which is required without a *default*."""
        value = self._table.pop(key, default)
        if not isinstance(value, str):
            raise NotationError("tournament", key, "not-text", key=self._spelled(key))
        return value

    def number(self, key: str, default: Any, least: float, most: float) -> Any:
        """Return a number from *least* to *most*, which must be whole if *least* is whole."""
        value = self._table.pop(key, default)
        kinds = int if isinstance(least, int) else int | float
        is_number = isinstance(value, kinds) and not isinstance(value, bool)
        if value is not default and not (is_number and least <= value <= most):
            reason = "not-whole" if kinds is int else "not-number"
            raise NotationError("tournament", key, reason, key=self._spelled(key), least=least, most=most)
        return value

    def take(self, key: str, default: Any) -> Any:
        """Return the value of *key*, of any type."""
        return self._table.pop(key, default)

    def texts(self) -> dict[str, str]:
        """Return all remaining fields as texts for a program."""
        for key, value in self._table.items():
            is_text = isinstance(value, str | int | float) and is_word(key) and is_word(_spelled(value))
            if not is_text:
                raise NotationError("tournament", key, "not-text", key=self._spelled(key))
        return {key: _spelled(value) for key, value in self._table.items()}

    def refuse(self, keys: Iterable[str], setting: str) -> None:
        """Refuse *keys*, which have no meaning with this *setting*."""
        for key in keys:
            if key in self._table:
                facts = {"key": self._spelled(key), "setting": setting}
                raise NotationError("tournament", key, "means-nothing", **facts)

    def refuse_without(self, needed: str, key: str) -> None:
        """Refuse *key*, which has no meaning without the key *needed*."""
        if key in self._table:
            facts = {"key": self._spelled(key), "needed": needed}
            raise NotationError("tournament", key, "means-nothing-without", **facts)

    def end(self) -> None:
        """Refuse all remaining keys."""
        for key in self._table:
            raise NotationError("tournament", key, "unknown-key", key=self._spelled(key))

    def _spelled(self, key: str) -> str:
        return f"[{self._name}] {key}"


def _games(fields: _Fields) -> tuple[str, ...]:
    games = fields.take("games", ())
    if not isinstance(games, list) or not all(isinstance(game, str) for game in games):
        raise NotationError("tournament", "games", "no-games", most=MAX_GAMES)
    by_name = {name_of(game): game for game in map(new_game, games)}
    if not 1 <= len(by_name) == len(games) <= MAX_GAMES:
        raise NotationError("tournament", "games", "no-games", most=MAX_GAMES)
    for name, game in by_name.items():
        if len(game.sides) != 2:
            raise UnsupportedRules("tournament", name, "not-for-two")
    return tuple(by_name)


def _beginnings(fields: _Fields, games: tuple[str, ...], folder: Path) -> OpeningPlan:
    """Return the openings. A value that is no kind and no protocol is the name of a file."""
    kind = fields.text("openings", VARIED)
    fields.refuse(_UNUSED_KEYS.get(kind, ("plies",)), f"openings = {kind}")
    notation = fields.choice("notation", NOTATIONS, MOVES)
    images = fields.choice("symmetries", (False, True), default=False)
    plies = fields.number("plies", DEFAULT_PLIES, 1, MAX_PLIES)
    if kind in OPENINGS:
        for game in games:
            find_opening(kind).check(new_game(game))
    if kind in (START, VARIED, *OPENINGS):
        return OpeningPlan(kind)
    if kind == BALANCED:
        return OpeningPlan(kind, symmetries=images, plies=plies)
    lines = parse_lines(_content(folder / kind))
    if not lines:
        raise NotationError("tournament", kind, "no-openings")
    for game in games:
        for line in lines:
            parse_opening(new_game(game), line, notation)
    return OpeningPlan(LINES, lines, notation, images)


def _players(tables: object, most: int) -> tuple[Entrant, ...]:
    if not isinstance(tables, list) or not 2 <= len(tables) <= most:
        reason = "not-two" if most == TEST_PLAYERS else "no-players"
        raise NotationError("tournament", "players", reason, least=2, most=most)
    entrants: dict[str, Entrant] = {}
    for table in tables:
        fields = _Fields("players", table)
        who = fields.text("who")
        name = check_name(fields.text("name", who))
        options = _Fields("players.options", fields.take("options", {}))
        fields.end()
        if name in entrants:
            raise NameRefused(name, "twice")
        if not who.startswith(BOT):
            options.end()
        entrants[name] = Entrant(name, who, options.texts())
    return tuple(entrants.values())


def _limits(fields: _Fields) -> PlayLimits:
    nodes = fields.number("nodes", None, 1, MAX_NODES)
    turn = fields.number("turn_ms", None, 1, MAX_MS)
    match = fields.number("match_ms", None, 1, MAX_MS)
    if match is None:
        fields.refuse_without("match_ms", "increment_ms")
    increment = fields.number("increment_ms", 0, 0, MAX_MS)
    adjudicate = fields.number("adjudicate_nodes", 0, 0, MAX_NODES)
    fields.end()
    return PlayLimits(nodes, turn, match, increment, adjudicate)


def _test(fields: _Fields) -> Test:
    elo0 = fields.number("elo0", 0.0, -float(MAX_ELO), float(MAX_ELO))
    elo1 = fields.number("elo1", elo0 + 5, elo0 + 0.01, float(2 * MAX_ELO))
    alpha, beta = (fields.number(key, 0.05, 0.0001, 0.4999) for key in ("alpha", "beta"))
    return Test(float(elo0), float(elo1), alpha, beta)


def _spelled(value: str | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
