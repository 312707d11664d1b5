"""The protocol ``noughts 1`` as text: for any game, one command a line, and an answer to each.

A line is a word, then words and ``key=value``, separated by single blanks. A value with blanks is a JSON
string. Games, positions and moves are written in the usual notation of this program. Unknown keys are
ignored. docs/bots.md describes the whole protocol.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from noughts.errors import NoughtsError, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.catalogue import name_of, new_game
from noughts.games.notation import format_move, parse_move, parse_position, play_moves
from noughts.games.openings import OPENINGS, PUT, OpeningState, find_opening
from noughts.records.record import start_of
from noughts.search.analysis import Limit, Progress

VERSION = 1

GREETING = f"noughts {VERSION}"
"""The first line that a manager sends."""

START = "start"
"""The word for the usual start position."""

SCORE = 1000
"""The score of a win. Scores are in thousandths of the expected result, and a loss has the negative value."""

MAX_DIGITS = 18
"""The maximum number of digits of a number."""

_KEYED = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)=(.*)", re.DOTALL)
_WORDS = re.compile(r'(?:[A-Za-z][A-Za-z0-9_-]*=)?"(?:[^"\\]|\\.)*"(?!\S)|\S+')


@dataclass(frozen=True, slots=True)
class ProtocolLine:
    """One line: its first ``word``, the other ``words``, and values by their ``keys``.

    ``rest`` is the unparsed text after the first word.
    """

    word: str
    words: tuple[str, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict)
    rest: str = ""

    def number(self, key: str) -> int | None:
        """Return the whole number *key*, or None."""
        return read_number(self.keys.get(key, ""))


def read_number(text: str) -> int | None:
    """Return the whole number in *text*, with or without a sign, or None for anything else.

    >>> read_number("+312"), read_number("1e3")
    (312, None)
    """
    return int(text) if re.fullmatch(f"[+-]?[0-9]{{1,{MAX_DIGITS}}}", text) else None


def parse_line(text: str) -> ProtocolLine:
    """Return the parsed line. Any text is a valid line.

    >>> line = parse_line('error syntax text="no move"')
    >>> line.word, line.words, line.keys["text"]
    ('error', ('syntax',), 'no move')
    """
    word, _, rest = text.strip().partition(" ")
    words: list[str] = []
    keys: dict[str, str] = {}
    for each in _WORDS.findall(rest):
        if (keyed := _KEYED.fullmatch(each)) is None:
            words.append(each)
        else:
            keys[keyed[1]] = _read_value(keyed[2])
    return ProtocolLine(word, tuple(words), keys, rest.strip())


def _read_value(text: str) -> str:
    try:
        value = json.loads(text) if text.startswith('"') else text
    except ValueError:
        return text
    return str(value)


GREETING_ANSWERS = frozenset(("id", "option", "can", "ready"))
"""The first words of the answers to a greeting."""

CODES = frozenset(("unknown", "syntax", "unsupported", "position", "illegal", "busy", "internal"))
"""The codes of an ``error``."""


def is_greeting(text: str) -> bool:
    """Return True if this answer to a greeting shows that the program supports the protocol.

    >>> [is_greeting(text) for text in ("ready 1", "error internal reason=failed", "error unknown command x")]
    [True, True, False]
    """
    line = parse_line(text)
    is_error = line.word == "error" and len(line.words) == 1 and line.words[0] in CODES
    return line.word in GREETING_ANSWERS or is_error


def format_line(word: str, *words: object, **keys: object) -> str:
    """Return a line of these words and keys. Keys with the value None are omitted.

    >>> format_line("error", "unsupported", option="wild", text="not that")
    'error unsupported option=wild text="not that"'
    """
    pairs = [f"{key}={_value(value)}" for key, value in keys.items() if value is not None]
    return " ".join([word, *(" ".join(str(each).split()) for each in words), *pairs])


def _value(value: object) -> str:
    text = str(value)
    return text if re.fullmatch(r'[^\s"]+', text) else json.dumps(text)


# Games and positions


def format_game(game: Game) -> str:
    """Return the line that names the game.

    Raises :class:`~noughts.errors.NoughtsError` for a game without a name or spec.

    >>> from noughts import new_game
    >>> format_game(new_game("7x6:4,gravity")), format_game(new_game("3x3:3,misere", marks=("O", "X")))
    ('game connect4', 'game {"game": "misere", "marks": "OX"}')
    """
    name = name_of(game)
    usual = new_game(name)
    if usual.facts != game.facts or usual.shape != game.shape:
        raise UnsupportedRules("bots", game.name, "no-name")
    if usual.sides == game.sides:
        return f"game {name}"
    return f"game {json.dumps({'game': name, 'marks': ''.join(game.sides)})}"


def parse_game(text: str) -> Game:
    """Return the game for *text*: a name, a spec or a JSON object.

    Raises :class:`~noughts.errors.NoughtsError`, and ``ValueError`` for an invalid object.

    >>> parse_game('{"shape": [6, 7], "k": 4, "gravity": true}').name
    '7x6:4,gravity'
    """
    if not text.startswith("{"):
        return new_game(text)
    try:
        facts: dict[str, Any] = json.loads(text)
    except RecursionError:
        raise ValueError(text) from None
    marks = tuple(str(facts.pop("marks", "")))
    name = facts.pop("game", None)
    return new_game(_spec(facts) if name is None else str(name), marks=marks)


def _spec(facts: dict[str, Any]) -> str:
    """Return the spec of a game from its facts."""
    shape = facts.pop("shape", ())
    k = facts.pop("k", None)
    if not isinstance(shape, list) or not shape:
        raise ValueError("no shape")
    sides = shape[::-1] if len(shape) == 2 else shape
    words = ["x".join(map(str, sides)) + (f":{k}" if k is not None else "")]
    words += [name if value is True else f"{name}={value}" for name, value in facts.items() if value]
    return ",".join(words)


def format_position(game: Game) -> str:
    """Return the line that describes the position of *game*.

    >>> from noughts import TicTacToe
    >>> game = TicTacToe()
    >>> game.play((1, 1))
    >>> format_position(game)
    'position start moves 5'
    """
    start = start_of(game)
    moves = [format_move(game, move) for move in game.moves]
    return " ".join(["position", start or START, *(("moves", *moves) if moves else ())])


def format_start(moves: Sequence[str]) -> str:
    """Return the text after the word ``position`` for a game from its usual start after *moves*."""
    return " ".join([START, "moves", *moves])


def parse_position_line(fresh: Game, text: str) -> Game:
    """Return a game with the position *text*, the text after the word ``position``. *fresh* is unchanged.

    Raises :class:`~noughts.errors.NotationError`, with the ``what`` ``move`` for an impossible move.
    """
    start, _, moves = f"{text} ".partition(" moves ")
    game = fresh.copy() if start.strip() == START else parse_position(fresh, start)
    play_moves(game, moves.split())
    return game


# Questions and answers


def format_go(number: int, limit: Limit) -> str:
    """Return the line that asks for a move within *limit*.

    >>> format_go(17, Limit(seconds=1.5, nodes=1000))
    'go 17 turn=1500 nodes=1000'
    """
    turn = None if limit.seconds is None else max(1, round(limit.seconds * 1000))
    return format_line("go", number, turn=turn, nodes=limit.nodes, depth=limit.depth)


def opening_state(name: str, game: Game) -> OpeningState:
    """Return the state of the opening *name* in *game* if every choice so far was to put marks.

    Raises :class:`~noughts.errors.NotFound`.
    """
    opening = find_opening(name)
    return opening.state_at(game.ply, dict.fromkeys(range(game.ply), PUT))


def format_ask(
    number: int, game: Game, limit: Limit, answers: Sequence[str] = (), placing: int = 0
) -> str | None:
    """Return the ``ask`` line for the opening that matches *game*, *answers* and *placing*.

    *answers* are the allowed answers, *placing* the number of marks to place. Return None if no known opening
    matches.
    """
    for name in OPENINGS:
        standing = opening_state(name, game)
        if (standing.answers, standing.placing) == (tuple(answers), placing):
            stones = [format_move(game, move) for move in game.moves]
            return format_go(number, limit).replace(
                f"go {number}", " ".join(["ask", str(number), name, *stones]), 1
            )
    return None


CLOCK_SHARE = 20
"""The divisor of the remaining time that gives the time for a move, if only a clock is given."""


def parse_limit(line: ProtocolLine, side: int) -> Limit:
    """Return the limit of a move in a ``go`` *line*. *side* is the number of the side to move."""
    milliseconds = line.number("turn")
    left = [read_number(text) for text in line.keys.get("left", "").split(",")]
    if side < len(left) and (own := left[side]) is not None:
        share = max(own, 0) // CLOCK_SHARE + max(line.number("inc") or 0, 0)
        milliseconds = share if milliseconds is None else min(share, milliseconds)
    seconds = None if milliseconds is None else max(milliseconds, 0) / 1000
    nodes, depth = (
        max(most, 0) if most is not None else None for most in map(line.number, ("nodes", "depth"))
    )
    return Limit(seconds, nodes, depth)


def format_info(number: int, progress: Progress, game: Game, milliseconds: int) -> str:
    """Return the line that reports the progress of a search in *game*."""
    pv = ",".join(format_move(game, move) for move in progress.pv or filter(None, [progress.best]))
    return format_line(
        "info",
        number,
        depth=progress.depth or None,
        nodes=progress.nodes or None,
        ms=milliseconds,
        raw=progress.score,
        pv=pv or None,
    )


def parse_info(line: ProtocolLine, game: Game) -> Progress:
    """Return the progress in an ``info`` *line* about *game*. Unreadable parts are omitted."""
    score = line.number("score")
    if line.keys.get("value") in VALUES:
        score = VALUES[line.keys["value"]]
    pv: list[Move] = []
    position = game.copy()
    for text in line.keys.get("pv", "").split(","):
        try:
            move = parse_move(position, text)
            position.play(move)
        except NoughtsError:
            break
        pv.append(move)
    best = pv[0] if pv else None
    nodes, depth = (max(0, line.number(key) or 0) for key in ("nodes", "depth"))
    raw = line.number("raw") if score is None else score
    return Progress("searching", nodes, depth, best, tuple(pv), raw)


VALUES = {"win": SCORE, "draw": 0, "loss": -SCORE}
"""The scores of proved values."""


# Abilities of engines


def can_play(cans: Sequence[ProtocolLine], game: Game) -> bool:
    """Return True if one of the lines ``can`` allows *game*. Without such lines every game is allowed.

    >>> from noughts import new_game
    >>> can = [parse_line("can kinarow dims=1..2 cells=64 options=gravity"), parse_line("can game=reversi")]
    >>> [can_play(can, new_game(name)) for name in ("connect4", "reversi", "qubic", "misere", "pentago")]
    [True, True, False, False, False]
    """
    return not cans or any(_can(line, game) for line in cans)


def _can(line: ProtocolLine, game: Game) -> bool:
    if "game" in line.keys:
        return name_of(game) in line.keys["game"].split(",")
    if game.rules is None or "kinarow" not in line.words:
        return False
    cells, players = line.number("cells"), line.number("players") or 2
    options = set(line.keys.get("options", "").split(","))
    return (
        _is_in(len(game.shape), line.keys.get("dims", ""))
        and (cells is None or len(game.cells) <= cells)
        and len(game.sides) <= players
        and game.facts - {"players"} <= options
    )


def _is_in(number: int, span: str) -> bool:
    """Return True if *number* is in a *span* such as ``2`` or ``1..4``. An empty span includes all."""
    first, _, last = span.partition("..")
    low, high = read_number(first), read_number(last or first)
    return (low is None or low <= number) and (high is None or number <= high)
