"""The verifier: checks whether a certificate proves its claim."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import IO

from noughts.certificates.by_lines import Lines, LinesCheck, LinesPosition
from noughts.certificates.by_play import HANDLED, PlayCheck, keeps_rules, position_of
from noughts.certificates.proved_positions import Permutation, ProvedPositions
from noughts.certificates.text import FIRST_LINE, VERSION, DoesNotHold, Reader, numbers
from noughts.core.lines import LineTable, line_table
from noughts.errors import BadInput, UnsupportedRules
from noughts.games.base import Game
from noughts.games.catalogue import new_game
from noughts.games.rules import EXTRA_MARK_HELPS

PARTS = {"first": (("win", 0),), "second": (("win", 1),), "draw": (("hold", 0), ("hold", 1))}
"""The goals and sides to prove, by the claimed value."""

VALUES = tuple(PARTS)

STOPPED = EXTRA_MARK_HELPS | {"exact"}
"""The options under which a side holds if it has a cell in each line of the other."""

NotedPosition = tuple[Lines, Lines] | tuple[str, str]
"""A position in the form of its proof: the lines of both sides, or the marks and the side to move."""

Note = Callable[[int, NotedPosition, str | None], None]
"""Called for each position of a proof with a side number, the position, and the word for that side's move.

The word is None if the other side is to move. The notes are proved only if the whole certificate is.
"""

MAX_MAPPED = 1_000_000
"""The maximum number of words that the maps of a certificate may have together."""

MAX_CELLS = 400
"""The largest board that is checked."""


@dataclass(frozen=True, slots=True)
class CertificateVerdict:
    """The verdict on a certificate. ``game`` and ``value`` are its claim, None if it cannot be read.

    ``fault`` is None for a valid certificate. It is ``damaged`` if the file has changed since it was written,
    and ``disagrees`` if a step of the intact file proves nothing. Then ``line`` is the number of the step,
    and ``reason`` a message for developers. ``digest`` is the digest of an intact file.
    """

    game: str | None
    value: str | None
    fault: str | None = None
    line: int = 0
    reason: str = ""
    digest: str = ""

    @property
    def holds(self) -> bool:
        """True if the claim is proved."""
        return self.fault is None


def verify(
    stream: IO[bytes], *, report: Callable[[int], None] = lambda number: None, note: Note | None = None
) -> CertificateVerdict:
    """Check the certificate in the binary file *stream*.

    *report* is called now and then with the number of lines read, and *note* with each position of the proof.
    """
    reader = Reader(stream, report)
    check = Check(reader, note)
    try:
        check.whole()
    except (DoesNotHold, RecursionError) as error:
        result = CertificateVerdict(check.name, check.value, "disagrees", reader.number, str(error))
    else:
        result = CertificateVerdict(check.name, check.value)
    if not reader.is_intact():
        return CertificateVerdict(
            check.name, check.value, "damaged", reason="the digest is not that of the lines"
        )
    return replace(result, digest=reader.digest)


class Check:
    """Checks all parts of a certificate. ``name`` and ``value`` are its claim as soon as it was read."""

    def __init__(self, reader: Reader, note: Note | None = None) -> None:
        self._reader, self._note = reader, note
        self.name: str | None = None
        self.value: str | None = None

    def whole(self) -> None:
        """Check the whole certificate. Raises :class:`DoesNotHold`."""
        reader = self._reader
        if reader.next() != [*FIRST_LINE.split(), str(VERSION)]:
            raise DoesNotHold("this is no certificate of a version that is known")
        name, value = *self._words_after("game"), *self._words_after("value")
        if value not in VALUES:
            raise DoesNotHold(f"{value} is no value")
        self.name, self.value = name, value
        game = _game_of(name)
        maps = self._maps(len(game.cells))
        for goal, side in PARTS[value]:
            claimed_side, how = self._words_after(goal, 2)
            if claimed_side != str(side + 1):
                raise DoesNotHold("a part is about the other side")
            self._part(game, maps, side, how, wins=goal == "win")
        self._words_after("end", 0)
        if not reader.is_at_end():
            raise DoesNotHold("something follows the end")

    def _words_after(self, word: str, count: int = 1) -> list[str]:
        """Return the *count* words that follow *word* on the next line."""
        first, *rest = self._reader.next()
        if first != word or len(rest) != count:
            raise DoesNotHold(f"{word} was expected, with {count} words")
        return rest

    def _maps(self, size: int) -> list[Permutation]:
        """Return the permutations of cells by which positions are compared."""
        (count,) = self._words_after("maps")
        (last,) = (-1,) if count == "0" else numbers([count], MAX_MAPPED // size)
        result = []
        for _ in range(last + 1):
            map_ = tuple(numbers(self._words_after("map", size), size))
            if len(set(map_)) < size:
                raise DoesNotHold("a map takes two cells to one")
            result.append(map_)
        return result

    def _part(self, game: Game, maps: list[Permutation], side: int, how: str, *, wins: bool) -> None:
        """Check the proof that side number *side* wins, or holds."""
        rules, proved = game.rules, ProvedPositions(maps)
        assert rules is not None  # noqa: S101 - as _game_of has seen
        if how == "play":
            if not all(keeps_rules(map_, rules) for map_ in maps):
                raise DoesNotHold("a map does not keep the rules")

            def note_play(word: str | None) -> None:
                if self._note is not None:
                    self._note(side, position_of(game), word)

            PlayCheck(self._reader, game, proved, game.sides[side], wins=wins, note=note_play).check()
            return
        if not game.facts <= (EXTRA_MARK_HELPS if wins else STOPPED):
            raise DoesNotHold("lines alone prove nothing under these rules")
        if how == "steal":
            if wins or side or not game.facts <= EXTRA_MARK_HELPS:
                raise DoesNotHold("who begins cannot lose, and no more follows")
            return
        if how != "lines":
            raise DoesNotHold(f"{how} is no way to prove it")
        table = line_table(rules.geometry)
        if table is None:
            raise DoesNotHold("the lines cannot be listed")

        def note_lines(position: LinesPosition, cell: int | None) -> None:
            if self._note is not None:
                self._note(side, position.image(None), None if cell is None else str(cell + 1))

        check = LinesCheck(self._reader, table.size, proved, wins=wins, note=note_lines)
        start = LinesPosition(own_lines(game, table), table.masks, (1 << table.size) - 1)
        if side:
            check.other(start)
        else:
            check.prover(start)


def own_lines(game: Game, table: LineTable) -> Lines:
    """Return the lines by which the Prover of *game* may win; none if longer lines do not count."""
    return table.masks if game.facts <= EXTRA_MARK_HELPS else ()


def _game_of(name: str) -> Game:
    """Return the game called *name*. Raises :class:`DoesNotHold` if certificates do not handle it."""
    try:
        game = new_game(name)
    except (BadInput, UnsupportedRules) as error:
        raise DoesNotHold(f"{name} is no game") from error
    if game.rules is None or game.rules.spec != name or not game.facts <= HANDLED or len(game.sides) != 2:
        raise DoesNotHold(f"nothing is proved about {name}")
    if len(game.cells) > MAX_CELLS:
        raise DoesNotHold("the board is too large")
    return game
