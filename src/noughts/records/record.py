"""Record: a game in writing, as a value and as one line of JSON.

Every record can be played: it is replayed when it is made, and if the rules ended the game, its result is
that of the replay. All readers return such a record or raise :class:`~noughts.errors.NotationError`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from os import PathLike, fspath
from pathlib import PurePath
from typing import IO, Any, NamedTuple, Self, TypeVar

from noughts.errors import BadInput, NotationError, NotFound, UnsupportedRules
from noughts.games.base import Game, Outcome, check_game
from noughts.games.catalogue import name_of, new_game
from noughts.games.notation import format_move, format_position, parse_move, parse_position
from noughts.games.openings import STAY, find_opening
from noughts.records.checks import (
    MAX_NAME_TEXT,
    NOT_IN_LINE,
    Evaluation,
    check_clock,
    check_comment,
    check_evaluation,
    check_headers,
    check_list,
    check_termination,
    check_text,
    check_texts,
    read_json,
    refuse,
)
from noughts.records.files import open_to_read, write_atomically

Way = TypeVar("Way", Callable[[IO[bytes]], "Record"], Callable[["Record"], str])

VERSION = 1
"""The version of the JSON format."""

BROKEN = "broken"
"""The termination of a game after a fault of its package."""

BROKEN_VERSION = 2
"""The version of the JSON format of such a game: earlier versions of the program must not count it."""

MAX_LINE = 16_000_000
"""The longest record in characters: more than the longest game on the largest board needs."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Record:
    """A game in writing: the moves, the players, and the result.

    Moves and the start position are stored in this library's own spelling. Raises
    :class:`~noughts.errors.NotationError` for an impossible record, for example with an illegal move.

    >>> record = Record(game="tictactoe", players={"X": "Ada", "O": "Wei"}, moves=("b2", "1"))
    >>> record.moves, record.replay().turn
    (('5', '1'), 'X')
    """

    game: str
    """A catalogue name or spec."""
    players: Mapping[str, str]
    """The players' names by mark, in turn order. A name is empty if it is not known."""
    moves: Sequence[str] = ()
    """The moves as text for :func:`~noughts.games.notation.parse_move`, numbered from 1."""
    start: str | None = None
    """The position before the first move, or None for the usual one."""
    winner: str | None = None
    """The side that won, or None for a draw and for a game without an end."""
    termination: str | None = None
    """Why the game ended, a code, or None for a game that was left unfinished."""
    clocks: Sequence[int | None] = ()
    """The milliseconds on the mover's clock after each move, or empty if unknown."""
    evaluations: Sequence[Evaluation | None] = ()
    """The evaluation of the position after each move: a number, the first side's advantage, or text.

    Empty if none is known.
    """
    comments: Sequence[str | None] = ()
    """The comment on each move. Empty if there are none."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Further facts: event, date, ..."""
    opening: Mapping[str, Any] | None = None
    """The opening, if a protocol settled the sides: its name as ``protocol``, and the list ``choices``.

    Each choice has ``ply``, ``by`` (a player's name) and ``choice``. ``players`` has the sides after the last
    choice.
    """
    left_out: Mapping[str, int] = field(default_factory=dict, compare=False)
    """The parts of the source file that the record does not have, and the number of each.

    Properties of SGF are called by their names in capitals, and keys of JSON have quotation marks. The other
    keys are:

    - ``variations`` and further ``games`` that are skipped, and further ``values`` of a property
    - ``numbers``: clock times and evaluations that cannot be read
    - ``letters`` that cannot be read, and an unknown ``charset``
    - ``names`` that are missing in a database
    - ``text`` or ``lines`` outside of the game
    - unknown ``rules`` or an unknown ``result``
    - ``passes`` at the end, and a ``forbidden`` last move
    """

    def __post_init__(self) -> None:
        def settle(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        settle("game", check_text(self.game, MAX_NAME_TEXT, NOT_IN_LINE).strip())
        settle("players", check_texts("players", self.players, 1, MAX_NAME_TEXT, NOT_IN_LINE))
        settle("moves", tuple(check_list("moves", self.moves)))
        settle("clocks", self._check_notes("clocks", check_clock))
        settle("evaluations", self._check_notes("evaluations", check_evaluation))
        settle("comments", self._check_notes("comments", check_comment))
        settle("headers", check_headers(self.headers))
        if self.termination is not None:
            settle("termination", check_termination(self.termination))
        game = self.replay()
        settle("start", game.start)
        settle("moves", tuple(format_move(game, move) for move in game.moves))
        if self.opening is not None:
            settle("opening", self._check_opening())
        self._check_result(game)
        if len(line := format_record(self)) > MAX_LINE:
            refuse(line, "too-long", limit=MAX_LINE)

    def _check_notes(self, name: str, check: Any) -> tuple[Any, ...]:
        """Return the notes to each move, or an empty tuple if every one is None."""
        notes = [note if note is None else check(note) for note in check_list(name, getattr(self, name))]
        if notes and len(notes) != len(self.moves):
            refuse(name, "count", expected=len(self.moves), found=len(notes))
        return () if all(note is None for note in notes) else tuple(notes)

    def _check_opening(self) -> dict[str, Any]:
        """Return the opening that follows from the stated answers. Raises an error if it differs."""
        stated = self.opening
        try:
            protocol = find_opening(stated["protocol"])  # type: ignore[index]
            answers = self.answers()
            protocol.check(self.begin())
            choices = protocol.choices_of(tuple(self.players.values()), len(self.moves), answers)
        except (LookupError, TypeError, NotFound, UnsupportedRules) as error:
            raise NotationError("record", str(stated), "opening", cause=error) from error
        opening = {"protocol": protocol.name, "choices": choices}
        if stated != opening:
            refuse(str(stated), "opening")
        return opening

    def answers(self) -> dict[int, str]:
        """Return the answers in the opening other than moves, by the number of marks at the time."""
        choices = () if self.opening is None else self.opening["choices"]
        return {made["ply"]: made["choice"] for made in choices if made["choice"] != STAY}

    def _check_result(self, game: Game) -> None:
        outcome = game.outcome
        if outcome is not None:
            is_possible = (self.winner, self.termination) == (outcome.winner, str(outcome.termination))
        elif self.termination is None:
            is_possible = self.winner is None
        else:
            is_possible = self.termination not in game.terminations and self.winner in (None, *game.sides)
        if not is_possible:
            refuse(f"{self.winner}, {self.termination}", "result-wrong")

    @classmethod
    def of(
        cls,
        game: Game,
        players: Mapping[str, str] | None = None,
        *,
        ended: Outcome | None = None,
        clocks: Sequence[int | None] = (),
        evaluations: Sequence[Evaluation | None] = (),
        comments: Sequence[str | None] = (),
        headers: Mapping[str, str] | None = None,
    ) -> Self:
        """Return the record of *game* in its current state, played by *players* (names by mark).

        *ended* is the end of a game that its rules did not end, such as by resignation.

        Raises :class:`~noughts.errors.NotFound` for a game that is not in the catalogue and has no spec.
        Raises :class:`~noughts.errors.NotationError` for one with other rules than the game of its name.
        Raises ``TypeError`` if *game* is not a game.

        >>> from noughts import TicTacToe
        >>> game = TicTacToe()
        >>> game.play((1, 1))
        >>> Record.of(game, {"X": "Ada", "O": "Wei"}).moves
        ('5',)
        """
        check_game(game)
        names = players or {}
        outcome = game.outcome or ended
        return cls(
            game=name_of(game),
            players={side: names.get(side, "") for side in game.sides},
            start=start_of(game),
            moves=tuple(format_move(game, move) for move in game.moves),
            winner=None if outcome is None else outcome.winner,
            termination=None if outcome is None else outcome.termination,
            clocks=clocks,
            evaluations=evaluations,
            comments=comments,
            headers=headers or {},
        )

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "Record":
        """Return the record in the file *path*: ``.json``, ``.sgf``, ``.psq``, ``.rif`` or ``.xml``.

        Raises :class:`OSError` if the file cannot be read. Raises :class:`~noughts.errors.NotationError` if
        it does not hold a record, with its name as ``file`` in the data.
        """
        load = _of_file(path, {ending: form.load for ending, form in RECORD_FORMATS.items()})
        try:
            with open_to_read(path, takes_pipes=True) as file:
                return load(file)
        except NotationError as error:
            error.data["file"] = fspath(path)
            raise

    def save(self, path: str | PathLike[str]) -> None:
        """Write the record to the file *path*, in the format of its ending: ``.json`` or ``.sgf``.

        Raises :class:`OSError` if the file cannot be written, and then the file is unchanged. Raises
        :class:`~noughts.errors.UnsupportedRules` if SGF cannot express the game.
        """
        write = _of_file(
            path, {ending: form.format for ending, form in RECORD_FORMATS.items() if form.format}
        )
        write_atomically(path, write(self) + "\n")

    def replay(self) -> Game:
        """Return the game after the last move."""
        game = self.begin()
        for number, text in enumerate(self.moves, 1):
            try:
                game.play(parse_move(game, text))
            except BadInput as error:
                raise NotationError("record", text, "cannot-be-played", number=number, cause=error) from error
        return game

    def begin(self) -> Game:
        """Return the game before the first move."""
        marks = tuple(self.players)
        try:
            game = new_game(self.game, marks=marks)
            if self.start is not None:
                game = parse_position(game, self.start)
        except BadInput as error:
            raise NotationError("record", self.game, "cannot-begin", cause=error) from error
        if game.sides != marks:
            refuse("".join(marks), "players", expected=game.sides)
        return game

    def __eq__(self, other: object) -> bool:
        """Return True if both records are written the same, including the turn order."""
        if not isinstance(other, Record):
            return NotImplemented
        return format_record(self) == format_record(other)

    def __hash__(self) -> int:
        return hash(format_record(self))


def format_record(record: Record) -> str:
    """Return *record* as one line of JSON, ASCII only, the keys always in the same order.

    >>> record = Record(game="tictactoe", players={"X": "Ada", "O": "Wei"}, moves=("5",))
    >>> format_record(record)[:78]
    '{"version":1,"game":"tictactoe","players":{"X":"Ada","O":"Wei"},"moves":["5"],'
    >>> parse_record(format_record(record)) == record
    True
    """
    facts = {name: getattr(record, name) for name in _KEYS}
    if record.opening is None:  # as in older records
        del facts["opening"]
    version = BROKEN_VERSION if record.termination == BROKEN else VERSION
    return json.dumps({"version": version, **facts}, separators=(",", ":"), allow_nan=False)


def parse_record(line: str) -> Record:
    """Return the record in *line*: the inverse of :func:`format_record`.

    Keys other than ``game``, ``players`` and ``moves`` may be missing. Unknown ones are counted in
    ``left_out``. Raises :class:`~noughts.errors.NotationError` for everything that is not a record.
    """
    if not isinstance(line, str):
        refuse(line, "wrong-type")
    if len(line) > MAX_LINE + 2:
        refuse(line, "too-long", limit=MAX_LINE)
    text = line.strip(" \t\r\n")
    if "\n" in text or "\r" in text:
        refuse(line, "more-than-one-line")
    facts = read_json(text)
    if not isinstance(facts, dict):
        refuse(line, "not-an-object")
    version = facts.pop("version", VERSION)
    if type(version) is not int or version < VERSION:
        refuse(version, "unknown-version", known=BROKEN_VERSION)
    if version > BROKEN_VERSION:
        refuse(version, "newer", known=BROKEN_VERSION)
    if missing := [key for key in ("game", "players", "moves") if key not in facts]:
        refuse(line, "missing-key", key=missing[0])
    # ``replay --json`` adds the number of the game in its database, which is not a part of the game.
    unknown = {json.dumps(key): 1 for key in facts if key not in (*_KEYS, "id")}
    return Record(**{key: facts[key] for key in _KEYS if key in facts}, left_out=unknown)


def start_of(game: Game) -> str | None:
    """Return the start position of *game*, or None if a new game of its name has the same.

    Raises the same errors as :meth:`Record.of` for a game that cannot be made by its name.
    """
    name = name_of(game)
    usual = new_game(name, marks=game.sides)
    first = game.copy()
    while first.ply:
        first.undo()
    is_usual = game.start is None and first.key() == usual.key()
    start = None if is_usual else game.start or format_position(first)
    facts = (usual if start is None else parse_position(usual, start)).facts
    if facts != game.facts:
        refuse(name, "another-game", facts=sorted(game.facts ^ facts))
    return start


def read_bytes(stream: IO[bytes], limit: int) -> bytes:
    """Return the content of *stream*. Raises an error for more than *limit* bytes."""
    data = stream.read(limit + 1)
    if len(data) > limit:
        refuse("", "too-long", limit=limit)
    return data


def load_json(stream: IO[bytes]) -> Record:
    """Return the record in a file of JSON in UTF-8, UTF-16 or UTF-32."""
    data = read_bytes(stream, 4 * MAX_LINE)
    try:
        text = data.decode(json.detect_encoding(data))
    except UnicodeDecodeError as error:
        raise NotationError("record", "", "not-unicode", cause=error) from error
    return parse_record(text)


class RecordFormat(NamedTuple):
    """A file format: the function that reads a record, and the one that formats it, if there is one."""

    load: Callable[[IO[bytes]], Record]
    format: Callable[[Record], str] | None = None


RECORD_FORMATS = {".json": RecordFormat(load_json, format_record)}
"""The file formats, by the ending of a name. A module that handles another format adds it."""


def _of_file(path: str | PathLike[str], ways: Mapping[str, Way]) -> Way:
    """Return the entry of *ways* for the ending of *path*."""
    ending = PurePath(path).suffix.lower()
    if ending not in ways:
        refuse(fspath(path), "unknown-form", allowed=tuple(ways))
    return ways[ending]


_KEYS = tuple(fact.name for fact in fields(Record) if fact.compare)
