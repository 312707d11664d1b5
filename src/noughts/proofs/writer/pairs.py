"""Certificates of strategies of pairs."""

from typing import IO

from noughts.certificates.text import FIRST_LINE, VERSION, Writer
from noughts.games.rules import EXTRA_MARK_HELPS
from noughts.search.strategies.pair_strategy import PairStrategy, lines_of
from noughts.search.strategies.pairing import Pairs


def write_strategy(strategy: PairStrategy, stream: IO[str]) -> int:
    """Write to *stream* the proof that *strategy* holds the draw. Return the number of lines.

    If an extra mark never hurts, the first side draws at least because it could steal a strategy. Otherwise
    it places any mark and then follows the same pairs.
    """
    rules, writer = strategy.rules, Writer(stream)
    writer.write(FIRST_LINE, VERSION)
    writer.write("game", rules.spec)
    writer.write("value", "draw")
    writer.write("maps", 0)
    if rules.facts <= EXTRA_MARK_HELPS:
        writer.write("hold", 1, "steal")
    else:
        writer.write("hold", 1, "lines")
        writer.write("s", 1)
        writer.write("p", *_words(tuple(pair for pair in strategy.pairs if 0 not in pair)))
    writer.write("hold", 2, "lines")
    if strategy.pairs:
        writer.write("p", *_words(strategy.pairs))
    else:
        writer.write("m")
        for first in sorted(set().union(*lines_of(rules))):
            case = strategy.case_after(first)
            assert case is not None  # noqa: S101 - each first mark has a case
            writer.write("k", case.reply + 1, *_words(case.pairs), "/", first + 1)
        writer.write(".")
    writer.write("end")
    writer.close()
    return writer.lines


def _words(pairs: Pairs) -> list[int]:
    """Return the numbers of the cells of *pairs*, counted from 1."""
    return [cell + 1 for pair in pairs for cell in pair]
