"""The writer of records in SGF. ``sgf`` describes the format."""

from collections.abc import Iterator
from decimal import Decimal

from noughts.core.board import Coordinate
from noughts.games.base import Game, Move
from noughts.games.moves import cells_of, choices_of, is_pass
from noughts.games.notation import format_cell
from noughts.records.checks import Evaluation, refuse
from noughts.records.foreign_terms import RULE_NAMES, result_named
from noughts.records.record import BROKEN, Record
from noughts.records.sgf_syntax import MAX_TEXT, escape, unescape_line
from noughts.records.sgf_terms import (
    COLOURS,
    GAME_COMMENT,
    HEADERS,
    LETTERS,
    OTHELLO,
    PLAIN_RESULT,
    REAL,
    REASONS,
    WORDS,
    is_of_rules,
    number_of,
    rules_of,
)


def format_sgf(record: Record) -> str:
    """Return *record* in SGF.

    Raises :class:`~noughts.errors.UnsupportedRules` for games that SGF cannot hold: those that are neither
    Othello nor k in a row, not flat, larger than 52x52 or not of two sides. Raises
    :class:`~noughts.errors.NotationError` for comments that exceed the maximum length of a file.

    >>> from noughts.records.record import BROKEN, Record
    >>> record = Record(game="tictactoe", players={"X": "Ada", "O": "Wei"}, moves=("5", "1"))
    >>> print(format_sgf(record))
    (;FF[4]GM[4]CA[UTF-8]AP[noughts]SZ[3]NSPEC[tictactoe]NMARKS[XO]PB[Ada]PW[Wei]
    ;B[bb]
    ;W[aa])
    <BLANKLINE>
    """
    played = record.replay()
    number_of(played)
    game = record.begin()
    nodes = [_format_root(record, game)]
    for number, move in enumerate(played.moves):
        nodes.append(_format_node(record, number, game, move))
        game.play(move)
    text = "(" + "\n".join(nodes) + ")\n"
    if len(text) > MAX_TEXT:
        refuse(text, "too-long", limit=MAX_TEXT)
    return text


def _format_root(record: Record, game: Game) -> str:
    rows, columns = game.shape
    root: list[tuple[str, str]] = [
        ("FF", "4"),
        ("GM", number_of(game)),
        ("CA", "UTF-8"),
        ("AP", "noughts"),
        ("SZ", str(rows) if rows == columns else f"{columns}:{rows}"),
        ("NSPEC", escape(record.game)),
        ("NMARKS", "".join(game.sides)),
    ]
    for colour, name in zip(COLOURS, record.players.values(), strict=True):
        if name:
            root.append((f"P{colour}", escape(name)))
    written = [*_result_properties(record, game), *_rules_properties(record, game)]
    root += written
    if record.start is not None:
        root.append(("NSTART", escape(record.start)))
        root.append(("PL", COLOURS[game.sides.index(game.turn)]))
    if record.opening is not None:
        answers = [f"{ply}:{answer}" for ply, answer in record.answers().items()]
        root.append(("NOPENING", " ".join([record.opening["protocol"], *answers])))
    for name, value in record.headers.items():
        is_plain = value in RULE_NAMES.values() or PLAIN_RESULT.fullmatch(value.strip()) is not None
        if name not in WORDS or is_plain or (WORDS[name], escape(value)) not in written:
            root.append(_header_property(name, value))
    return ";" + "".join(f"{name}[{value}]" for name, value in root) + _format_setup(game)


def _format_setup(game: Game) -> str:
    """Return the marks before the first move, for programs that do not read our start position."""
    text = ""
    for colour, mark in zip(COLOURS, game.sides, strict=True):
        points = [divmod(index, game.shape[1]) for index, cell in enumerate(game.cells) if cell == mark]
        if points:
            text += f"A{colour}" + "".join(f"[{_format_point(game, point)}]" for point in points)
    return text


def _result_properties(record: Record, game: Game) -> Iterator[tuple[str, str]]:
    """Yield the result in the words of the file that it was read from, and in our own."""
    colour = None if record.winner is None else COLOURS[game.sides.index(record.winner)]
    plain = "" if record.termination is None else "Void" if record.termination == BROKEN else "0"
    if colour is not None:
        plain = f"{colour}+{REASONS.get(str(record.termination), '')}"
    words = _words_of_file(record, "result")
    if words is not None and not PLAIN_RESULT.fullmatch(words) and _states(words, colour, record.termination):
        yield "RE", escape(words)
    elif plain:
        yield "RE", plain
    if record.termination is not None:
        yield "NRESULT", f"{record.winner or ''}:{record.termination}"


def _rules_properties(record: Record, game: Game) -> Iterator[tuple[str, str]]:
    """Yield the rules of five in a row, in the words of the file that they were read from or in our own."""
    kind = rules_of(game.rules)
    if kind is not None:
        words = _words_of_file(record, "rules")
        yield "RU", escape(words) if words and is_of_rules(words, kind) else RULE_NAMES[kind]


def _states(words: str, colour: str | None, termination: str | None) -> bool:
    """Return True if *words* state the same winner, and the same about an end."""
    stated = result_named(words)
    is_as_open = stated is not None and (stated.termination is None) == (termination is None)
    return is_as_open and stated is not None and stated.colour == colour


def _words_of_file(record: Record, name: str) -> str | None:
    """Return the header *name* if it fits in one line."""
    words = record.headers.get(name)
    return words if words is not None and _fits_line(words) else None


def _fits_line(value: str) -> bool:
    return unescape_line(escape(value)) == value


def _header_property(name: str, value: str) -> tuple[str, str]:
    if name == "comment" and value:
        return "C", escape(value)
    if name == GAME_COMMENT:
        return "GC", escape(value)
    if name in HEADERS and _fits_line(value) and (name != "time" or REAL.fullmatch(value)):
        return HEADERS[name], escape(value)
    return "NHEADER", f"{escape(name)}:{escape(value)}"


def _format_node(record: Record, number: int, game: Game, move: Move) -> str:
    colour = COLOURS[game.sides.index(game.turn)]
    point = "".join(_format_point(game, cell) for cell in cells_of(move))  # empty for a pass
    text = f";{colour}[{point}]"
    text += "".join(f"NMARK[{mark}]" for mark in choices_of(move) if not is_pass(move))
    if record.clocks and (clock := record.clocks[number]) is not None:
        text += f"{colour}L[{_format_seconds(clock)}]"
    if record.evaluations and (evaluation := record.evaluations[number]) is not None:
        text += _format_evaluation(evaluation)
    if record.comments and (comment := record.comments[number]) is not None:
        text += f"C[{escape(comment)}]"
    return text


def _format_point(game: Game, cell: Coordinate) -> str:
    if number_of(game) == OTHELLO:
        return format_cell(game.shape, cell, from_top=True)
    row, column = cell
    return LETTERS[column] + LETTERS[row]


def _format_seconds(milliseconds: int) -> str:
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds}.{rest:03}".rstrip("0").rstrip(".") if rest else str(seconds)


def _format_evaluation(evaluation: Evaluation) -> str:
    if isinstance(evaluation, str):
        return f"NVALUE[{escape(evaluation)}]"
    return f"V[{format(Decimal(repr(evaluation)), 'f')}]"
