"""The search for the win of the first player in Qubic, and the certificate that noughts ships.

    uv run --group dev --extra fast python -m benchmarks.qubic                  search again: CPU seconds
    uv run --group dev --extra fast python -m benchmarks.qubic --seeds 0 1 2    with these seeds
    uv run --group dev --extra fast python -m benchmarks.qubic --write          and write the certificate
    uv run --group dev --extra fast python -m benchmarks.qubic --again --write  and start with the old one

The search uses no earlier results. The certificate has the wins of all seeds, and as few quiet moves as a
patient search finds, some of them from the old certificate. Its index is written beside it, and the effort
into the documents. With ten seeds that takes about twenty minutes.
"""

import argparse
import io
import lzma
import time
from typing import Any

from benchmarks.report import machine, save_results
from noughts import new_game
from noughts.certificates.by_lines import outline, singles
from noughts.certificates.index import Index, write_index
from noughts.certificates.shipped import file_of, shipped_folder
from noughts.certificates.verify import NotedPosition, verify
from noughts.core.board import coordinate_of
from noughts.games.notation import format_move
from noughts.proofs.writer.certify import certify
from noughts.search.analysis import Effort, Limit
from noughts.search.exact.search import ExactSearch
from noughts.search.numba_backend import best_machine

SPEC = "4x4x4:4"

MAX_ENTRIES = 1 << 26
"""The number of table entries, enough for the wins of ten seeds."""

PATIENCE = 28
"""The maximum number of quiet moves for which proofs are searched."""


def found(seed: int, limit: Limit) -> ExactSearch:
    """Return a search that has found the win, with similar moves in the order of *seed*."""
    game = new_game(SPEC)
    assert game.rules is not None
    exact = ExactSearch(game.rules, best_machine())
    attacking = exact.attacking
    assert attacking is not None
    attacking.use_seed(seed)
    effort, start = Effort(limit.started()), time.process_time()
    assert attacking.finds_win(game, 0, effort)
    best = format_move(game, coordinate_of(game.shape, attacking.best))
    seconds = time.process_time() - start
    print(f"seed {seed}: {best} wins; {attacking.nodes:,} moves tried, {seconds:.0f} s", flush=True)
    return exact


def learn(exact: ExactSearch, other: ExactSearch) -> None:
    """Add all wins of the *other* search to *exact*."""
    assert exact.attacking is not None
    assert other.attacking is not None
    exact.attacking.max_entries = MAX_ENTRIES
    exact.attacking.learn(other.attacking.wins(all_of_them=True))


def write(exact: ExactSearch, patience: int, index: Index | None) -> None:
    """Write the certificate from *exact*, and install it with its index if it holds."""
    stream, start = io.StringIO(), time.process_time()
    lines = certify(new_game(SPEC), "first", stream, exact=exact, patience=patience, index=index)
    seconds, text = time.process_time() - start, stream.getvalue().encode()
    assert write_index(io.BytesIO(text), shipped_folder()).holds
    file_of(SPEC).write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))
    found = {"choices": choices(text), "lines": lines, "seconds": round(seconds)}
    save_results("qubic", {"machine": machine(), **found})
    print(found, f"{file_of(SPEC).stat().st_size:,} bytes compressed")


def choices(certificate: bytes) -> int:
    """Count the positions in which the winner of *certificate* chooses a quiet move, without symmetric ones.

    A quiet move is not forced and makes no threat.
    """
    found = set[int]()

    def note(_: int, position: NotedPosition, cell: str | None) -> None:
        mine, theirs = position
        if cell is None or isinstance(mine, str) or isinstance(theirs, str):
            return
        after = tuple(line & ~(1 << int(cell) - 1) for line in mine)
        if not singles(theirs) and not singles(after):
            found.add(outline((mine, theirs)))

    assert verify(io.BytesIO(certificate), note=note).holds
    return len(found)


def report(results: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the documents for the certificate."""
    if not results:
        return {}
    return {
        "choices": f"It chooses a quiet move in {results['choices']:,} positions. To choose and to write "
        f"them took {results['seconds']:,} s on one core of {results['machine']}.\n"
    }


def main() -> None:
    """Search, and print or write the result."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--seconds", type=float)
    parser.add_argument(
        "--patience", type=int, default=PATIENCE, help=f"proofs of so many moves ({PATIENCE})"
    )
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    limit = Limit(seconds=arguments.seconds)
    first, *others = arguments.seeds
    exact = found(first, limit)
    for seed in others:
        learn(exact, found(seed, limit))
    if arguments.write:
        index = Index.of(new_game(SPEC), shipped_folder()) if arguments.again else None
        write(exact, arguments.patience, index)


if __name__ == "__main__":
    main()
