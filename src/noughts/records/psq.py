r"""Records read from the files of Piskvork, the manager of the Gomocup tournaments (``.psq``).

The first line has the board and the first player: ``Piskvorky 15x15, 11:11, 0``. A line ``x,y,milliseconds``
follows for each move, counted from 1 at the top left. After them come the names of the players in
tournaments, the number with which the game ended, and a line such as ``1,Freestyle15_1`` about the rules. The
source of these facts is Piskvork's own code, https://github.com/wind23/piskvork_renju.
"""

import re
from collections import Counter
from itertools import product, takewhile
from typing import IO

from noughts.errors import BadInput, ForbiddenMove, NotationError
from noughts.games.base import Game
from noughts.games.catalogue import new_game
from noughts.games.notation import format_move
from noughts.games.rules import MARKS
from noughts.records.charsets import decode
from noughts.records.checks import MAX_NAME_TEXT, NOT_IN_TEXT, refuse
from noughts.records.foreign_terms import FREESTYLE, RULE_NAMES, decide, decide_foul, rules_named
from noughts.records.record import RECORD_FORMATS, Record, RecordFormat, read_bytes
from noughts.records.sgf_terms import FIVE, rules_of

MAX_BYTES = 4_000_000
"""The longest file that is read, in bytes."""

TIME_OUT = 15
"""The number with which a file ends if the time of the side to move expired."""

_HEAD = re.compile(
    r"Piskvorky\s+(\d{1,4})\s*x\s*(\d{1,4})\s*(?:,\s*-?\d+\s*[:-]\s*-?\d+\s*(?:,\s*(\d{1,9})\s*)?)?"
)
_MOVE = re.compile(r"\s*(\d{1,4})\s*,\s*(\d{1,4})\s*(?:,\s*(-?\d{1,12})\s*)?")
_NUMBER = re.compile(r"-?\d{1,9}")
_ABOUT = re.compile(r"(-?\d{1,9})\s*,\s*(.+)")
_LIKE_MOVE = re.compile(r"-?\d+\s*[\s,;:]\s*-?\d")
"""The start of a line that may be meant as a move."""


def parse_psq(text: str) -> Record:
    r"""Return the record of the game in *text*.

    Without a line about the rules the game is freestyle, which is Piskvork's usual game. Raises
    :class:`~noughts.errors.NotationError` if *text* is not such a file or has an illegal move.

    >>> parse_psq("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,8,20\n-1\n").moves
    ('113', '114')
    """
    return _read(text, Counter())


def load_psq(stream: IO[bytes]) -> Record:
    """Return the record of the game in a file."""
    return _read(*decode(read_bytes(stream, MAX_BYTES)))


def _read(text: str, left_out: Counter[str]) -> Record:
    plain = NOT_IN_TEXT.sub("", text.replace("\r", "\n").replace("\t", " "))
    left_out["letters"] += len(text) - len(plain)
    head, *lines = list(filter(None, map(str.strip, plain.lstrip("\ufeff").split("\n")))) or [""]
    match = _HEAD.fullmatch(head)
    if match is None:
        refuse(head, "not-psq")
    moves = _read_moves(lines)
    names, code, about = _read_end(lines[len(moves) :], left_out)
    kind = rules_named(about[2]) if about else FREESTYLE
    left_out["rules"] += kind is None
    columns, rows = int(match[1]), int(match[2])
    game = _begin(f"{columns}x{rows}:{min(FIVE, columns, rows)}{kind or FREESTYLE}")
    is_foul = not _play(game, [(int(move[2]) - 1, int(move[1]) - 1) for move in moves])
    left_out["forbidden"] += is_foul
    times = [move[3] or "0" for move in moves]
    headers = {"times": " ".join(times)} if any(time.strip("0") for time in times) else {}
    if about:
        headers["about"] = about[0]
        if kind is None or (rules_of(game.rules) == kind and about[2] != RULE_NAMES[kind]):
            headers["rules"] = about[2]
    loser = game.turn if code == TIME_OUT else None
    winner = next((side for side in game.sides if side != loser), None) if loser else None
    termination = "time" if loser else None
    if is_foul:
        winner, termination = decide_foul(game, winner, termination, str(code))
    else:
        unknown = about[2] if about and kind is None else ""
        winner, termination = decide(game, winner, termination, str(code), unknown)
    if code is not None and code not in (-1, TIME_OUT) and not (code == 0 and termination):
        headers["ended"] = str(code)
        left_out["result"] += 1
    if int(match[3] or 0) == 1:  # The second player begins.
        names.reverse()
    left_out["letters"] += sum(max(0, len(name) - MAX_NAME_TEXT) for name in names)
    return Record(
        game=game.name,
        players=dict(zip(MARKS, (name[:MAX_NAME_TEXT] for name in names), strict=False)),
        moves=[format_move(game, move) for move in game.moves],
        winner=winner,
        termination=termination,
        headers=headers,
        left_out=+left_out,
    )


def _read_moves(lines: list[str]) -> list[re.Match[str]]:
    """Return the lines of moves. All have a time or none has, and other lines are names of players."""
    moves: list[re.Match[str]] = []
    for match in map(_MOVE.fullmatch, lines):
        if match is None or (moves and (match[3] is None) != (moves[0][3] is None)):
            break
        moves.append(match)
    return moves


def _read_end(lines: list[str], left_out: Counter[str]) -> tuple[list[str], int | None, re.Match[str] | None]:
    """Return the names of the players, the number with which the game ended, and the line about the rules.

    Each may be missing. A name may look like a number, so it is recognised by its place. Lines that may be
    moves are refused here.
    """
    for line in filter(_LIKE_MOVE.match, lines):
        refuse(line, "psq-moves")
    for names, has_code, has_about in product((0, 2), (1, 0), (1, 0)):
        if names and not has_code and any(map(_NUMBER.fullmatch, lines[:names])):
            continue  # this may be the number with which the game ended
        code = _NUMBER.fullmatch(lines[names]) if has_code and len(lines) > names else None
        about = _ABOUT.fullmatch(lines[-1]) if has_about and lines else None
        if len(lines) == names + has_code + has_about and (bool(code), bool(about)) == (has_code, has_about):
            return lines[:names] or ["", ""], int(code[0]) if code else None, about
    return _read_unusual_end(lines, left_out)


def _read_unusual_end(
    lines: list[str], left_out: Counter[str]
) -> tuple[list[str], int | None, re.Match[str] | None]:
    """Return the same parts as :func:`_read_end` for *lines* with more than Piskvork writes.

    Of each kind the first one counts.
    Piskvork writes both names or none. Another number of names is refused: one of them may have been read as
    a move, or a damaged move is among them.
    """
    names = list(takewhile(lambda line: not _NUMBER.fullmatch(line) and not _ABOUT.fullmatch(line), lines))
    if len(names) not in (0, 2):
        refuse(names[0], "psq-names", found=len(names))
    rest = lines[len(names) :]
    code = int(rest.pop(0)) if rest and _NUMBER.fullmatch(rest[0]) else None
    about = _ABOUT.fullmatch(rest.pop(0)) if rest and _ABOUT.fullmatch(rest[0]) else None
    for line in filter(_NUMBER.match, rest):
        refuse(line, "psq-moves")
    left_out["lines"] += len(rest)
    return names or ["", ""], code, about


def _begin(spec: str) -> Game:
    try:
        return new_game(spec, marks=MARKS[:2])
    except BadInput as error:
        raise NotationError("record", spec, "cannot-begin", cause=error) from error


def _play(game: Game, cells: list[tuple[int, int]]) -> bool:
    """Play on *cells* alternately. Return False if the last of them is forbidden."""
    for number, cell in enumerate(cells, 1):
        try:
            game.play(cell)
        except BadInput as error:
            if isinstance(error, ForbiddenMove) and number == len(cells):
                return False
            text = f"{cell[1] + 1},{cell[0] + 1}"
            raise NotationError("record", text, "cannot-be-played", number=number, cause=error) from error
    return True


RECORD_FORMATS[".psq"] = RecordFormat(load_psq)
