"""Records read from databases of RenjuNet (``.rif`` or ``.xml``).

Such a file is XML: a ``database`` with lists of ``rules``, ``openings``, ``players`` and ``tournaments``,
each with numbers, and of ``games``. A ``game`` has those numbers and its result (``bresult``: 1 if Black won,
0 if White, 0.5 for a draw) as attributes, and its moves in an element ``move``: ``h8 i9 j10``, rows counted
from the bottom. The format is described at https://old.renju.net/blog/index.php?showcomment=588 and
https://quinstella.net/dev/renjunet_database_format/.

The file is read in pieces, so its length does not matter. A document type, and with it every entity, is
refused. Elements among the moves are refused too, because their meaning is not known.
"""

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import IO
from xml.parsers import expat

from noughts.errors import BadInput, ForbiddenMove, NotationError
from noughts.games.base import Game
from noughts.games.catalogue import new_game
from noughts.games.notation import format_move, parse_move, split_moves
from noughts.games.rules import MARKS
from noughts.records.charsets import codec_of, codec_of_start
from noughts.records.checks import MAX_NAME_TEXT, NOT_IN_TEXT, refuse
from noughts.records.foreign_terms import (
    BLACK,
    RENJU,
    RULE_NAMES,
    UNKNOWN,
    WHITE,
    decide,
    decide_foul,
    rules_named,
)
from noughts.records.record import RECORD_FORMATS, Record, RecordFormat

MAX_BYTES = 1_000_000_000
"""The longest file that is read, in bytes."""

MAX_ENTRIES = 1_000_000
"""The longest lists of players and other entries, together."""

MAX_DEPTH = 30
"""The greatest depth of nested elements."""

PIECE = 1 << 16

LISTED = ("rule", "opening", "tournament", "player")
"""The elements that games refer to by number."""

RESULTS = {"1": (BLACK, UNKNOWN), "0": (WHITE, UNKNOWN), "0.5": (None, "agreement"), "": (None, None)}
"""The winner and the termination for each value of ``bresult``."""

_NOT_XML = "not-rif"

_DECLARED = re.compile(rb"""<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"'>]*)["']""")


def load_rif(stream: IO[bytes]) -> Record:
    """Return the record of the first game in a database.

    Raises :class:`~noughts.errors.NotationError` if the file is not such a database, has no games, or has an
    illegal move.
    """
    reader = _RifReader()
    reader.read(stream)
    return reader.record()


class _RifReader:
    """The reader of the first game of a database and of the entries for its numbers."""

    def __init__(self) -> None:
        self.listed: dict[str, dict[str, dict[str, str]]] = {kind: {} for kind in LISTED}
        self.game: dict[str, str] | None = None
        self.texts: dict[str, list[str]] = {}
        self.games = self.entries = 0
        self.left_out = Counter[str]()
        self._path: list[str] = []

    def read(self, stream: IO[bytes]) -> None:
        """Read the whole file, to get all names and the number of games."""
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._text
        try:
            for piece in _decoded(_pieces(stream)):
                parser.Parse(piece)
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise NotationError("record", "", _NOT_XML, cause=error) from error
        if self.game is None:
            refuse("", "no-games")

    def _doctype(self, *_: object) -> None:
        refuse("", "doctype")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._path and name != "database":
            refuse(name, _NOT_XML)
        self._path.append(name)
        if len(self._path) > MAX_DEPTH:
            refuse(name, "too-deep", limit=MAX_DEPTH)
        if self._is_in_first and self._is_unclear(name):
            refuse(name, "rif-move")
        if name == "game" and "games" in self._path:
            self.games += 1
            if self.games == 1:
                self.game = attributes
        elif name in self.listed and "games" not in self._path:
            self.entries += 1
            if self.entries > MAX_ENTRIES:
                refuse(name, "too-many", limit=MAX_ENTRIES)
            number, listed = attributes.get("id", ""), self.listed[name]
            listed[number] = attributes if listed.get(number, attributes) == attributes else {}
        elif self._is_in_first and self._path[-2] == "game" and name in ("move", "info"):
            self.texts.setdefault(name, [])
        elif self._is_in_first and "game" in self._path[:-1]:
            self.left_out["lines"] += 1

    def _is_unclear(self, name: str) -> bool:
        """Return True if an element called *name* makes the moves of the first game ambiguous."""
        above = self._path[:-1]
        is_repeated = name == "move" and name in self.texts
        return "move" in above or ("game" in above and (is_repeated or name == "game"))

    def _end(self, _: str) -> None:
        self._path.pop()

    def _text(self, text: str) -> None:
        if self._is_in_first and self._path[-2:-1] == ["game"] and self._path[-1] in self.texts:
            self.texts[self._path[-1]].append(text)

    @property
    def _is_in_first(self) -> bool:
        return self.games == 1 and "game" in self._path

    # Record

    def record(self) -> Record:
        """Return the record of the first game, with its other attributes as headers."""
        facts = {name: NOT_IN_TEXT.sub("", value.strip()) for name, value in (self.game or {}).items()}
        number = facts.pop("rule", "")
        rules = self._name("rule", number)
        kind = rules_named(rules)
        self.left_out["rules"] += kind is None and number != ""
        spec = f"15x15:5{RENJU if kind is None else kind}"
        game = new_game(spec, marks=MARKS[:2])
        is_foul = self._play(game, "".join(self.texts.get("move", ())))
        stated = facts.pop("bresult", "")
        colour, termination = RESULTS.get(stated, (None, None))
        self.left_out["result"] += stated not in RESULTS
        if stated not in RESULTS:
            facts["result"] = stated
        winner = None if colour is None else game.sides[colour == WHITE]
        decided = decide_foul if is_foul else decide
        winner, termination = decided(game, winner, termination, stated)
        names = [self._name("player", facts.pop(colour, "")) for colour in ("black", "white")]
        self.left_out["letters"] += sum(max(0, len(name) - MAX_NAME_TEXT) for name in names)
        headers = self._headers(facts)
        headers |= {"rules": rules} if rules not in ("", RULE_NAMES[kind or RENJU]) else {}
        return Record(
            game=spec,
            players={side: name[:MAX_NAME_TEXT] for side, name in zip(game.sides, names, strict=True)},
            moves=[format_move(game, move) for move in game.moves],
            winner=winner,
            termination=termination,
            headers=headers,
            left_out=+self.left_out + Counter(games=self.games - 1),
        )

    def _name(self, kind: str, number: str) -> str:
        """Return the name of the entry with *number*, in one line. If there is none, count it."""
        entry = self.listed[kind].get(number, {}) if number else {}
        parts = [entry.get(name, "") for name in ("name", "surname")]
        text = NOT_IN_TEXT.sub("", " ".join(" ".join(parts).split()) or entry.get("abbr", ""))
        self.left_out["names"] += bool(number and not text)
        return text

    def _headers(self, facts: dict[str, str]) -> dict[str, str]:
        """Return the attributes of the game by name, with names in place of numbers."""
        headers = {name: value for name, value in facts.items() if value and name != "id"}
        if "tournament" in headers:
            tournament = self.listed["tournament"].get(headers["tournament"], {})
            headers["event"] = self._name("tournament", headers.pop("tournament"))
            day = "-".join(filter(None, (tournament.get(name, "") for name in ("year", "month"))))
            date = tournament.get("start") or day
            headers |= {"date": NOT_IN_TEXT.sub("", date)} if date else {}
        if "opening" in headers:
            headers["opening"] = self._name("opening", headers["opening"])
        if info := "".join(self.texts.get("info", ())).strip():
            headers["comment"] = NOT_IN_TEXT.sub("", info)
        return {name: value for name, value in headers.items() if value}

    def _play(self, game: Game, text: str) -> bool:
        """Play the moves in *text*. Return True if the last of them is forbidden to Black."""
        moves = split_moves(game, text)
        for number, move in enumerate(moves, 1):
            try:
                game.play(parse_move(game, move))
            except BadInput as error:
                if isinstance(error, ForbiddenMove) and number == len(moves):
                    self.left_out["forbidden"] += 1
                    return True
                raise NotationError("record", move, "cannot-be-played", number=number, cause=error) from error
        return False


def _pieces(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the content of a file in pieces. The first of them has the declaration of XML."""
    size = 0
    while piece := stream.read(PIECE):
        size += len(piece)
        if size > MAX_BYTES:
            refuse("", "too-long", limit=MAX_BYTES)
        yield piece


def _decoded(pieces: Iterator[bytes]) -> Iterator[str]:
    """Yield the text of *pieces*.

    The parser knows few character sets, so it gets text and ignores the declared one.
    """
    first = next(pieces, b"")
    match = _DECLARED.match(first)
    name = match[1].decode("latin-1") if match else "utf-8"
    codec = codec_of_start(first) or codec_of(name)
    if codec is None:
        refuse(name, "charset-unknown")
    decoder = codecs.getincrementaldecoder(codec)()
    try:
        for piece in chain([first], pieces):
            yield decoder.decode(piece)
        yield decoder.decode(b"", True)
    except UnicodeDecodeError:
        refuse(codec, "charset-unclear")


RECORD_FORMATS[".rif"] = RECORD_FORMATS[".xml"] = RecordFormat(load_rif)
