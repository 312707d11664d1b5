"""Records written in SGF; ``sgf`` says how."""

from collections.abc import Iterator
from decimal import Decimal

from noughts.core.board import Coordinate
from noughts.games.base import Game, Move
from noughts.games.moves import cells_of, choices_of
from noughts.records.checks import Evaluation, refuse
from noughts.records.record import Record
from noughts.records.sgf_syntax import MAX_TEXT, escape, unescape_line
from noughts.records.sgf_terms import COLOURS, HEADERS, LETTERS, REASONS, check_supported


def format_sgf(record: Record) -> str:
    """*record* in SGF.

    Raises :class:`~noughts.errors.UnsupportedRules` for games that SGF cannot hold: those that are not
    k in a row, not flat, larger than 52x52 or not of two sides. A record whose comments are longer than
    a file may be is refused with :class:`~noughts.errors.NotationError`.

    >>> from noughts.records.record import Record
    >>> record = Record(game="tictactoe", players={"X": "Ada", "O": "Wei"}, moves=("5", "1"))
    >>> print(format_sgf(record))
    (;FF[4]GM[4]CA[UTF-8]AP[noughts]SZ[3]NSPEC[tictactoe]NMARKS[XO]PB[Ada]PW[Wei]
    ;B[bb]
    ;W[aa])
    <BLANKLINE>
    """
    played = record.replay()
    check_supported(played)
    game = record.begin()
    nodes = [_format_root(record, game)]
    for number, move in enumerate(played.moves):
        nodes.append(_format_node(record, number, COLOURS[game.sides.index(game.turn)], move))
        game.play(move)
    text = "(" + "\n".join(nodes) + ")\n"
    if len(text) > MAX_TEXT:
        refuse(text, "too-long", limit=MAX_TEXT)
    return text


def _format_root(record: Record, game: Game) -> str:
    rows, columns = game.shape
    root: list[tuple[str, str]] = [
        ("FF", "4"),
        ("GM", "4"),
        ("CA", "UTF-8"),
        ("AP", "noughts"),
        ("SZ", str(rows) if rows == columns else f"{columns}:{rows}"),
        ("NSPEC", escape(record.game)),
        ("NMARKS", "".join(game.sides)),
    ]
    for colour, name in zip(COLOURS, record.players.values(), strict=True):
        if name:
            root.append((f"P{colour}", escape(name)))
    root += _result_properties(record, game)
    if record.start is not None:
        root.append(("NSTART", escape(record.start)))
        root.append(("PL", COLOURS[game.sides.index(game.turn)]))
    if record.opening is not None:
        answers = [f"{ply}:{answer}" for ply, answer in record.answers().items()]
        root.append(("NOPENING", " ".join([record.opening["protocol"], *answers])))
    root += [_header_property(name, value) for name, value in record.headers.items()]
    return ";" + "".join(f"{name}[{value}]" for name, value in root) + _format_setup(game)


def _format_setup(game: Game) -> str:
    """The marks on the board before the first move, for programs that do not read our start position."""
    text = ""
    for colour, mark in zip(COLOURS, game.sides, strict=True):
        points = [divmod(index, game.shape[1]) for index, cell in enumerate(game.cells) if cell == mark]
        if points:
            text += f"A{colour}" + "".join(f"[{_format_point(point)}]" for point in points)
    return text


def _result_properties(record: Record, game: Game) -> Iterator[tuple[str, str]]:
    if record.termination is None:
        return
    if record.winner is None:
        yield "RE", "0"
    else:
        colour = COLOURS[game.sides.index(record.winner)]
        yield "RE", f"{colour}+{REASONS.get(record.termination, '')}"
    yield "NRESULT", f"{record.winner or ''}:{record.termination}"


def _header_property(name: str, value: str) -> tuple[str, str]:
    if name == "comment" and value:
        return "C", escape(value)
    if name in HEADERS and unescape_line(escape(value)) == value:
        return HEADERS[name], escape(value)
    return "NHEADER", f"{escape(name)}:{escape(value)}"


def _format_node(record: Record, number: int, colour: str, move: Move) -> str:
    text = f";{colour}[{_format_point(*cells_of(move))}]"
    text += "".join(f"NMARK[{mark}]" for mark in choices_of(move))
    if record.clocks and (clock := record.clocks[number]) is not None:
        text += f"{colour}L[{_format_seconds(clock)}]"
    if record.evaluations and (evaluation := record.evaluations[number]) is not None:
        text += _format_evaluation(evaluation)
    if record.comments and (comment := record.comments[number]) is not None:
        text += f"C[{escape(comment)}]"
    return text


def _format_point(cell: Coordinate) -> str:
    row, column = cell
    return LETTERS[column] + LETTERS[row]


def _format_seconds(milliseconds: int) -> str:
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds}.{rest:03}".rstrip("0").rstrip(".") if rest else str(seconds)


def _format_evaluation(evaluation: Evaluation) -> str:
    if isinstance(evaluation, str):
        return f"NVALUE[{escape(evaluation)}]"
    return f"V[{format(Decimal(repr(evaluation)), 'f')}]"
