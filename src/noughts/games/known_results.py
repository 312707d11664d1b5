"""Known results of best play in a game, and their sources."""

from dataclasses import dataclass, replace
from typing import Literal

from noughts.games.base import Game
from noughts.games.catalogue import find_entry, name_of
from noughts.games.entry import Proof
from noughts.games.rules import EXTRA_MARK_HELPS

Value = Literal["first", "second", "draw"]

CERTIFIED: dict[str, Value] = {
    "5x5:4": "draw",
    "6x5:4": "first",
    "6x6:4": "first",
    "6x6:5": "draw",
    "7x6:5": "draw",
    "8x4:4": "draw",
    "8x6:5": "draw",
    "7x7:5": "draw",
    "8x7:5": "draw",
    "3x3x3:3,misere": "first",
}
"""The values of boards outside the catalogue for which `noughts solve` soon writes a certificate.

`benchmarks/solve.py` measures them.
"""

PUBLISHED: dict[str, tuple[Value, str]] = {
    "8x4:4": ("draw", "Uiterwijk and van den Herik 2000"),
    "7x7:5": ("draw", "Hsu and others 2020"),
    "8x8:5": ("draw", "Hsu and others 2020"),
}
"""The values of boards outside the catalogue that others found, and their authors."""

DRAWN_LENGTH, DRAWN_LENGTH_SOURCE = 8, "Zetters 1980"
"""The length of lines from which the second player stops all lines on a flat board, and the source."""


@dataclass(frozen=True, slots=True)
class KnownResult:
    """The known result of a game from its start.

    ``value`` names the winner, or is ``draw``, or is None if neither is known. The ``basis`` is ``proved`` if
    this library proves it, by a search or a certificate as ``proof`` states. It is ``published``, or it
    follows from an ``argument``, or it is ``open``. ``source`` names that argument, or the authors of the
    value, even if it is proved here.
    """

    value: Value | None = None
    basis: Literal["proved", "published", "argument", "open"] = "open"
    source: str = ""
    proof: Proof = ""


def known_result(game: Game) -> KnownResult:
    """Return the known result of *game*.

    >>> from noughts.games.catalogue import new_game
    >>> known_result(new_game("3d"))
    KnownResult(value='first', basis='proved', source='', proof='certificate')
    >>> known_result(new_game("gomoku")).source, known_result(new_game("20x20:9")).value
    ('Allis and others 1996', 'draw')
    """
    entry, rules = find_entry(name_of(game)), game.rules
    if entry is not None and entry.value is not None:
        proof = entry.proof if entry.proof or entry.source else "search"
        return KnownResult(entry.value, "proved" if proof else "published", entry.source, proof)
    specs = [] if rules is None else [rules.spec, replace(rules, shape=rules.shape[::-1]).spec]
    for spec in CERTIFIED.keys() & specs:  # also if the board is turned
        _, source = PUBLISHED.get(spec, ("", ""))
        return KnownResult(CERTIFIED[spec], "proved", source, "certificate")
    if rules is None or not game.facts <= EXTRA_MARK_HELPS or len(game.sides) != 2:
        return KnownResult()
    if rules.spec in PUBLISHED:
        value, source = PUBLISHED[rules.spec]
        return KnownResult(value, "published", source)
    if not game.facts and len(rules.shape) == 2 and rules.k >= DRAWN_LENGTH:
        return KnownResult("draw", "published", DRAWN_LENGTH_SOURCE)
    return KnownResult(None, "argument", "strategy stealing: the first player does not lose")
