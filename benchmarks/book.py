"""The book of a game with gravity: the value of every position of the first plies.

    python -m benchmarks.book --plies 8 --work FOLDER              search the positions of the eighth ply
    python -m benchmarks.book --plies 8 --work FOLDER --part 1 2   search half of them, beside --part 2 2
    python -m benchmarks.book --plies 8 --work FOLDER --write      write the book beside the shipped one
    python -m benchmarks.book --game 5x4:4,gravity --plies 4       a small book, not saved

The positions of the last ply are searched depth first with one table, so that neighbours share results. The
values of earlier plies follow from them. With ``--work`` each value is saved in a file in FOLDER as soon as
it is known, and the same command resumes after an interruption. Install the extra ``fast``: on 7x6 a
position of the eighth ply takes about 0.5 million nodes, one of the tenth 0.1 million.
"""

import argparse
import json
import lzma
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from noughts import Game, new_game
from noughts.certificates.book import COMPRESSED, Values, file_name, name_of, positions, value_by, write_book
from noughts.certificates.shipped import shipped_folder
from noughts.search.analysis import Effort
from noughts.search.gravity.search import GravitySearch
from noughts.search.numba_backend import best_machine

TABLE = 1 << 27
"""The number of entries of the table, which takes 1 GB."""

TOGETHER = 64
"""The number of neighbouring positions that belong to the same part."""

REPORTED = 100
"""The number of searches between two reports."""


def main() -> None:
    """Make a book, or a part of the values for it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--game", default="7x6:4,gravity")
    parser.add_argument("--plies", type=int, default=3)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--part", type=int, nargs=2, default=(1, 1), metavar=("NUMBER", "PARTS"))
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    game, plies = new_game(arguments.game), arguments.plies
    number, parts = arguments.part
    known = saved_values(arguments.work, plies)
    for name, value in searched_values(game, plies, known, number - 1, parts):
        known[name] = value
        if arguments.work is not None:
            with (arguments.work / f"{plies}-{number}-{parts}.jsonl").open("a", encoding="ascii") as stream:
                stream.write(json.dumps([name, value]) + "\n")
    if parts > 1:
        return
    values = all_values(game, known)
    if arguments.write:
        file = shipped_folder() / (file_name(arguments.game) + COMPRESSED)
        with lzma.open(file, "wt", preset=9 | lzma.PRESET_EXTREME, encoding="ascii", newline="\n") as stream:
            write_book(stream, arguments.game, plies, values)
    else:
        write_book(sys.stdout, arguments.game, plies, values)


def saved_values(work: Path | None, plies: int) -> Values:
    """Return the values of the last ply that any part has saved in the folder *work*."""
    known = Values()
    for file in () if work is None else work.glob(f"{plies}-*.jsonl"):
        # An interruption may have left half a line at the end.
        lines = file.read_text(encoding="ascii").splitlines()
        known.update(json.loads(line) for line in lines if line.endswith("]"))
    return known


def searched_values(
    game: Game, plies: int, known: Values, part: int = 0, parts: int = 1
) -> Iterator[tuple[str, int]]:
    """Search the positions of the last ply that belong to a part and are not *known*; yield their values."""
    assert game.rules is not None
    search = GravitySearch.of(game.rules, best_machine())
    assert search is not None
    search.book, search.max_numbers = None, TABLE
    number, started = count(1), time.process_time()
    last = (name for name, ply in positions(game, plies) if ply == plies)
    for place, name in enumerate(last):
        if name in known or place // TOGETHER % parts != part:
            continue
        search.set_position(game)
        yield name, search.value(Effort())
        if (done := next(number)) % REPORTED == 0:
            seconds = (time.process_time() - started) / done
            print(place, done, f"{seconds:.3f} s", f"{search.nodes / done:.0f} nodes", file=sys.stderr)


def all_values(game: Game, known: Values) -> Values:
    """Return the values of all positions, given those of the last ply. *known* gets the missing ones."""

    def value_of(then: Game) -> int:
        name = name_of(then)
        if name not in known:
            known[name] = value_by(then, value_of)
        return known[name]

    value_of(game)
    return known


def book_of(game: Game, plies: int) -> Values:
    """Return the values of all positions within *plies* plies."""
    return all_values(game, Values(searched_values(game, plies, Values())))


if __name__ == "__main__":
    main()
