"""The search that found that the first player wins Qubic, and the certificate of it that comes with noughts.

    uv run --group dev --extra fast python -m benchmarks.qubic                  search again: CPU seconds
    uv run --group dev --extra fast python -m benchmarks.qubic --seeds 0 1 2    in these orders of equal moves
    uv run --group dev --extra fast python -m benchmarks.qubic --write          and write the certificate

Nothing that is known before is used. The certificate is made of the wins of all seeds: where they differ in a
quiet move the one that takes fewer of them is taken. Its index is written beside it. With ten seeds that
takes some twenty minutes and three gigabytes.
"""

import argparse
import io
import lzma
import time

from noughts import new_game
from noughts.certificates.index import write_index
from noughts.certificates.shipped import file_of, shipped_folder
from noughts.core.board import coordinate_of
from noughts.games.notation import format_move
from noughts.search.analysis import Effort, Limit
from noughts.search.certifying.certify import certify
from noughts.search.compiled import best_machine
from noughts.search.exact.search import ExactSearch

SPEC = "4x4x4:4"

MAX_ENTRIES = 1 << 26
"""The table has room for the wins of ten seeds."""


def found(seed: int, limit: Limit) -> ExactSearch:
    """A search that has found the win, with moves that look alike in the order of *seed*."""
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
    """Let *exact* know all wins that the *other* search has found."""
    assert exact.attacking is not None
    assert other.attacking is not None
    exact.attacking.max_entries = MAX_ENTRIES
    exact.attacking.learn(other.attacking.wins(all_of_them=True))


def write(exact: ExactSearch) -> None:
    """Write the certificate of what *exact* has found, and put it in its place with its index if it holds."""
    stream = io.StringIO()
    lines = certify(new_game(SPEC), "first", stream, exact=exact)
    text = stream.getvalue().encode()
    verdict = write_index(io.BytesIO(text), shipped_folder())
    assert verdict.holds
    file_of(SPEC).write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))
    quiet_moves = text.count(b"\n#m")
    print(f"{quiet_moves:,} quiet moves, {lines:,} lines, {len(text):,} bytes", end=", ")
    print(f"{file_of(SPEC).stat().st_size:,} compressed")


def main() -> None:
    """Search, and print or write what is found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    limit = Limit(seconds=arguments.seconds)
    first, *others = arguments.seeds
    exact = found(first, limit)
    for seed in others:
        learn(exact, found(seed, limit))
    if arguments.write:
        write(exact)


if __name__ == "__main__":
    main()
