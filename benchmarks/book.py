"""The book of a game with gravity: the value of every position of the first plies.

    python -m benchmarks.book --plies 3                            a book of three plies, not saved
    python -m benchmarks.book --plies 3 --work FILE --write        make it, beside the shipped one
    python -m benchmarks.book --game 5x4:4,gravity --plies 4

The last ply is searched, one position after another with one table, so that neighbouring positions share
results. The values of earlier plies follow from it. With ``--work`` each value is saved in FILE as soon as it
is known, and the same command resumes after an interruption. Install the extra ``fast``: on 7x6 a position of
the third ply takes about 25 million nodes, one of the fourth about 12 million.
"""

import argparse
import json
import sys
from pathlib import Path

from noughts import Game, new_game
from noughts.certificates.book import file_name, layers_of, name_of, value_by, write_book
from noughts.search.analysis import Effort
from noughts.search.gravity.search import GravitySearch
from noughts.search.numba_backend import best_machine

TABLE = 1 << 27
"""The number of entries of the table, which takes 1 GB."""

FOLDER = Path(__file__).parent.parent / "src" / "noughts" / "certificates"


def main() -> None:
    """Make a book."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="7x6:4,gravity")
    parser.add_argument("--plies", type=int, default=3)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--write", action="store_true")
    values_by_ply = parser.parse_args()
    values = book_of(new_game(values_by_ply.game), values_by_ply.plies, values_by_ply.work)
    if values_by_ply.write:
        with (FOLDER / file_name(values_by_ply.game)).open("w", encoding="ascii", newline="\n") as stream:
            write_book(stream, values_by_ply.game, values)
    else:
        write_book(sys.stdout, values_by_ply.game, values)


def book_of(game: Game, plies: int, work: Path | None = None) -> list[list[int]]:
    """Return the value of each position of each ply, up to *plies*, in the order of the book."""
    assert game.rules is not None
    search = GravitySearch.of(game.rules, best_machine())
    assert search is not None
    search.book, search.max_numbers = None, TABLE
    known: dict[str, int] = {}
    if work is not None and work.exists():
        known = dict(json.loads(line) for line in work.read_text(encoding="ascii").splitlines())
    layers = layers_of(game, plies)
    for number, (name, position) in enumerate(layers[-1].items()):
        if name not in known:
            search.set_position(position)
            known[name] = search.value(Effort())
            print(number, len(layers[-1]), name, known[name], search.nodes, file=sys.stderr, flush=True)
            if work is not None:
                with work.open("a", encoding="ascii") as stream:
                    stream.write(json.dumps([name, known[name]]) + "\n")

    def known_value(position: Game) -> int:
        return known[name_of(position)]

    for layer in reversed(layers[:-1]):
        known.update({name: value_by(here, known_value) for name, here in layer.items()})
    return [[known[name] for name in layer] for layer in layers]


if __name__ == "__main__":
    main()
