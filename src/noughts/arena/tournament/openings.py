"""Openings: the moves with which the games of a tournament begin, the same for all meetings of a lap."""

import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from random import Random

from noughts.arena.tournament.plan import BALANCED, LINES, VARIED, TournamentPlan
from noughts.arena.tournament.repository import Openings
from noughts.core.board import Coordinate, index_of
from noughts.core.geometry import TILINGS, coordinates
from noughts.core.symmetry import symmetries
from noughts.errors import BadInput, DamagedFile, DamagedFileWarning, NotationError, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.catalogue import name_of, new_game
from noughts.games.notation import format_move, parse_move, split_moves
from noughts.own_files import read_own_file
from noughts.search.analysis import handled_rules
from noughts.search.balance import even_openings, random_openings

NOTATIONS = MOVES, OFFSET, POS = ("moves", "offset", "pos")
"""The notations of moves: that of noughts, steps from the middle, or letters with rows from the top."""

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", *TILINGS, "renju", "vanish", "notakto"))
"""The facts under which a move is a cell, and symmetric positions have the same value."""

MAX_BALANCED = 100
"""The maximum number of balanced openings of a game. After that they are repeated."""

MEASURED_PLIES = 4
"""The number of moves of measured openings, and the maximum of varied ones."""

_POINT = re.compile(r"(-?[0-9]{1,4}) *, *(-?[0-9]{1,4})")
_NAME = re.compile(r"([a-z])([0-9]{1,3})")


def openings_of(plan: TournamentPlan) -> Openings:
    """Return the moves of the openings of each game of *plan*, in the order of laps.

    A game without openings has an empty list. An invalid line, or the lack of a balanced opening, raises
    :class:`~noughts.errors.NotationError`. A game that does not support these openings raises
    :class:`~noughts.errors.UnsupportedRules`.
    """
    return {name: _openings(new_game(name), plan) for name in plan.games}


def _openings(game: Game, plan: TournamentPlan) -> list[list[str]]:
    wanted = plan.openings
    if wanted.kind == LINES:
        openings = [parse_opening(game, line, wanted.notation) for line in wanted.lines]
    elif wanted.kind == BALANCED:
        openings = _balanced(game, plan)
    elif wanted.kind == VARIED:
        return _varied(game, plan)
    else:
        return []
    texts = [[format_move(game, move) for move in moves] for moves in openings]
    return texts if not wanted.symmetries else _images(game, openings)


def file_of(game: str) -> Path:
    """Return the file with the measured openings of *game*, which ``benchmarks/openings.py`` writes."""
    return Path(__file__).parent / "measured" / f"{game}.txt"


def _text_of(game: str) -> str:
    """Return the text of the file with the measured openings of *game*, or an empty text.

    If the file is damaged, a warning names it.
    """
    try:
        return read_own_file(f"arena/tournament/measured/{game}.txt") if file_of(game).exists() else ""
    except DamagedFile as error:  # other openings can be generated
        warnings.warn(DamagedFileWarning(error), stacklevel=2)
        return ""


def _balanced(game: Game, plan: TournamentPlan) -> list[tuple[Move, ...]]:
    count = min(plan.pairs, MAX_BALANCED)
    if plan.openings.plies == MEASURED_PLIES and (measured := _measured(game, plan.seed)):
        return measured[:count]
    openings = even_openings(game, count, plan.openings.plies, Random(f"{plan.seed} {game.name}"))
    if not openings:
        raise NotationError("tournament", game.name, "no-balanced", game=game.name, plies=plan.openings.plies)
    return openings


def judged_by_search(plan: TournamentPlan) -> list[str]:
    """Return the games of *plan* with openings that a search found to be even, not results of games."""
    wanted = plan.openings
    if wanted.kind != BALANCED:
        return []
    return [
        name for name in plan.games if wanted.plies != MEASURED_PLIES or not _text_of(name_of(new_game(name)))
    ]


def _measured(game: Game, seed: int) -> list[tuple[Move, ...]]:
    """Return the measured openings of *game* in an order that *seed* decides, or an empty list."""
    openings = [parse_opening(game, line) for line in parse_lines(_text_of(name_of(game)))]
    Random(f"{seed} {game.name}").shuffle(openings)
    return openings


def _varied(game: Game, plan: TournamentPlan) -> list[list[str]]:
    """Return openings that differ from pair to pair as far as possible, quickly and for every game.

    The measured ones are first. Random ones follow, with as many moves as leave enough openings. If there are
    fewer openings than pairs, they are repeated in each symmetry of the board.
    """
    count = min(plan.pairs, MAX_BALANCED)
    openings = _measured(game, plan.seed)[:count]
    if len(openings) < count:
        chances = (Random(f"{plan.seed} {game.name}") for _ in range(MEASURED_PLIES))
        drawn = [random_openings(game, count, plies + 1, chance) for plies, chance in enumerate(chances)]
        openings = list(dict.fromkeys([*openings, *max(reversed(drawn), key=len)]))[:count]
    texts = [[format_move(game, move) for move in moves] for moves in openings]
    if len(texts) < plan.pairs and handled_rules(game, HANDLED) is not None:
        texts = _images(game, openings)
    return texts


def parse_lines(text: str) -> tuple[str, ...]:
    """Return the openings in the *text* of a file: one a line, without comments, which begin with ``#``."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return tuple(filter(None, lines))


def parse_opening(game: Game, line: str, notation: str = MOVES) -> tuple[Move, ...]:
    """Return the moves of *line*, written in *notation*. They must not end *game*.

    >>> from noughts import new_game
    >>> parse_opening(new_game("gomoku"), "0,0, 1,-1", OFFSET)
    ((7, 7), (6, 8))
    >>> parse_opening(new_game("gomoku"), "h8i7", POS)
    ((7, 7), (6, 8))
    """
    position = game.copy()
    try:
        for number, (text, cell) in enumerate(_moves(position, line, notation), 1):
            _play(position, number, text, cell)
    except BadInput as error:
        raise NotationError("tournament", line, "bad-opening", game=game.name, cause=error) from None
    if position.outcome is not None:
        raise NotationError("tournament", line, "opening-over", game=game.name)
    return position.moves


def _play(position: Game, number: int, text: str, cell: Coordinate | None) -> None:
    """Play *cell*, or the move *text* if no cell is known.

    *number* is the number of the move, for an error.
    """
    try:
        position.play(parse_move(position, text) if cell is None else cell)
    except NotationError:
        raise
    except BadInput as error:
        raise NotationError("move", text, "cannot-be-played", number=number, cause=error) from error


def _moves(game: Game, line: str, notation: str) -> list[tuple[str, Coordinate | None]]:
    """Return the moves in *line* as texts, and as cells if *notation* is not that of *game*."""
    if notation == MOVES:
        return [(text, None) for text in split_moves(game, line)]
    if len(game.shape) != 2 or handled_rules(game, HANDLED - {"gravity"}) is None:
        raise UnsupportedRules("tournament", game.name, "not-on-a-flat-board")
    height, width = game.shape
    if notation == OFFSET:
        points = _POINT.findall(line)
        texts, between = [f"{x},{y}" for x, y in points], ","
        cells = [(height // 2 + int(y), width // 2 + int(x)) for x, y in points]
    else:
        names = _NAME.findall(line.lower())
        texts, between = [f"{letter}{row}" for letter, row in names], ""
        cells = [(int(row) - 1, ord(letter) - ord("a")) for letter, row in names]
    if between.join(texts) != re.sub(r"\s", "", line.lower()):
        raise NotationError("move", line)
    return list(zip(texts, cells, strict=True))


def _images(game: Game, openings: Sequence[tuple[Move, ...]]) -> list[list[str]]:
    """Return all *openings* in each symmetry of the board, one symmetry after another."""
    rules = handled_rules(game, HANDLED)
    if rules is None:
        raise UnsupportedRules("tournament", game.name, "no-images")
    cells = coordinates(game.shape)

    def image(moves: tuple[Move, ...], permutation: Sequence[int]) -> list[str]:
        moved = (cells[permutation[index_of(game.shape, move)]] for move in moves if isinstance(move, tuple))
        return [format_move(game, move) for move in moved]

    images = [image(moves, one) for one in symmetries(rules.geometry, rules.gravity) for moves in openings]
    for moves in images:
        parse_opening(game, " ".join(moves))
    return list(map(list, dict.fromkeys(map(tuple, images))))
