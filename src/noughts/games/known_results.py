"""What is known of best play in a game, and from where."""

from dataclasses import dataclass, replace
from typing import Literal

from noughts.games.base import Game
from noughts.games.catalogue import find_entry, name_of
from noughts.games.entry import Proof
from noughts.games.rules import HELPFUL

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
"""Values of boards that are in no catalogue and for which `noughts solve` soon writes a certificate: see
`benchmarks/solve.py`.
"""

PUBLISHED: dict[str, tuple[Value, str]] = {
    "8x4:4": ("draw", "Uiterwijk and van den Herik 2000"),
    "7x7:5": ("draw", "Hsu and others 2020"),
    "8x8:5": ("draw", "Hsu and others 2020"),
}
"""Values of such boards that others found, and who."""

DRAWN_LENGTH, DRAWN_LENGTH_SOURCE = 8, "Zetters 1980"
"""On flat boards whoever moves second stops all lines of so many cells."""


@dataclass(frozen=True, slots=True)
class KnownResult:
    """What is known of a game from its start: which player wins, or that it is a draw; None: neither.

    It is ``proved`` by this library, by a search or a certificate as ``proof`` says, ``published``, follows
    by an ``argument``, or is ``open``. ``source`` names that argument, or who has published the value, also
    where it is proved here.
    """

    value: Value | None = None
    basis: Literal["proved", "published", "argument", "open"] = "open"
    source: str = ""
    proof: Proof = ""


def known_result(game: Game) -> KnownResult:
    """What is known of *game*.

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
    for spec in CERTIFIED.keys() & specs:  # turned, it is the same game
        _, source = PUBLISHED.get(spec, ("", ""))
        return KnownResult(CERTIFIED[spec], "proved", source, "certificate")
    if rules is None or not game.facts <= HELPFUL or len(game.sides) != 2:
        return KnownResult()
    if rules.spec in PUBLISHED:
        value, source = PUBLISHED[rules.spec]
        return KnownResult(value, "published", source)
    if not game.facts and len(rules.shape) == 2 and rules.k >= DRAWN_LENGTH:
        return KnownResult("draw", "published", DRAWN_LENGTH_SOURCE)
    return KnownResult(None, "argument", "strategy stealing: the first player does not lose")
