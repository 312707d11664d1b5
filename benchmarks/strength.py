"""Decide by a match whether a change makes the gomoku engine stronger.

    python -m benchmarks.strength --new "NEW/.venv/bin/noughts engine" --old "OLD/.venv/bin/noughts engine"
    python -m benchmarks.strength --new ... --old ... --nodes 20000 --sprt 0 10 --jobs 2 --file match.jsonl
    python -m benchmarks.strength --new ... --old ... --seconds 0.2 --cpu --pairs 100 --no-sprt
    python -m benchmarks.strength --new ... --old ... --seconds 1 --match 2 --cpu

Each command starts a program of the Gomocup protocol, such as the engine of another checkout with the extra
``fast``. Both games of a pair have the same opening, with exchanged seats. The published openings of Gomocup
come first. Then random ones follow that the search considers even. No opening is played twice.

With a limit in nodes, which is the default, the load of the machine has no influence, and our engine plays
the same games again. With ``--cpu`` the load has little influence either: both engines count processor time.
The programs stay alive from game to game. The match ends as soon as Wald's test decides between the two
differences in Elo points, or after ``--pairs`` pairs.

Each finished pair is saved in ``--file``. The same command continues an interrupted match. ``--write`` saves
the result for ``docs/engine-strength.md``, with ``--change`` as the description of the change. ``--rejected``
saves it among the changes that were not kept.
"""

import argparse
import json
import os
import sys
from contextlib import suppress
from typing import Any

from benchmarks.engine_games import (
    Contestant,
    EngineMatch,
    PlayedPair,
    Table,
    add_match_options,
    chosen_openings,
    command_of,
    counting_cpu,
    elo_text,
    limit_text,
    play_match,
    score_text,
    version_of,
)
from benchmarks.report import save_results, saved_results, table
from noughts.arena.tournament.sequential import Test

TOLERANCE = 10.0
"""The seconds by which a move may be late before the match ends."""

DECIDED = {None: "open", "elo0": "rejected", "elo1": "accepted"}
"""The words for the decisions of the test."""

COLUMNS = ("change", "against", "a move", "games", "score", "Elo", "CPU ms a move", "test")


def text_of(summary: dict[str, Any]) -> str:
    """Return one line about a match."""
    pairs, (ours, theirs) = summary["pairs"], summary["cpu_ms"]
    text = (
        f"{2 * sum(pairs)} games, pairs {pairs}, score {score_text(pairs)}, Elo {elo_text(pairs)},"
        f" CPU {ours:g} and {theirs:g} ms a move"
    )
    return text if summary["sprt"] is None else f"{text}, SPRT {_test_text(summary)}"


def _test_text(summary: dict[str, Any]) -> str:
    low, high = summary["sprt"]
    return f"[{low:g}, {high:g}] {summary['log_ratio']:+.2f} {DECIDED[summary['decision']]}"


def report(results: dict[str, Any]) -> dict[str, str]:
    """Return the tables of kept and of rejected changes for the documents."""
    rows: dict[str, list[list[str]]] = {"changes": [], "rejected": []}
    for row in results.get("changes", []):
        rows["rejected" if row.get("rejected") else "changes"].append(_cells_of(row))
    return {name: table(COLUMNS, cells, texts=2) for name, cells in rows.items() if cells}


def _cells_of(row: dict[str, Any]) -> list[str]:
    return [
        row["change"],
        row["versions"][1],
        limit_text(row["seconds"], row["nodes"], row["clock"], row.get("match")),
        str(2 * sum(row["pairs"])),
        score_text(row["pairs"]),
        elo_text(row["pairs"]),
        " / ".join(f"{ms:g}" for ms in row["cpu_ms"]),
        "-" if row["sprt"] is None else _test_text(row),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--new", type=command_of, required=True, help="command of the changed engine")
    parser.add_argument("--old", type=command_of, required=True, help="command of the present engine")
    parser.add_argument("--nodes", type=int, help="nodes a move (20000, or none with --seconds)")
    parser.add_argument("--seconds", type=float, help="seconds a move instead of nodes")
    parser.add_argument("--match", type=float, help="seconds of processor time for all moves of a game, too")
    parser.add_argument(
        "--sprt",
        type=float,
        nargs=2,
        default=(0.0, 10.0),
        metavar="ELO",
        help="differences of the test (0 10)",
    )
    parser.add_argument("--no-sprt", action="store_true", help="play all pairs")
    parser.add_argument("--pairs", type=int, default=2_000, help="largest number of pairs (2000)")
    parser.add_argument("--change", help="description of the change, for --write")
    parser.add_argument("--rejected", action="store_true", help="the change is not kept, for --write")
    add_match_options(parser)
    options = parser.parse_args()
    if options.write and not options.change:
        parser.error("--write needs --change")
    if options.match is not None and not options.cpu:
        parser.error("--match needs --cpu")
    if options.nodes is None and options.seconds is None:
        options.nodes = 20_000
    test = None if options.no_sprt else Test(*options.sprt)
    setting = {
        "new": options.new,
        "old": options.old,
        "versions": [version_of(options.new), version_of(options.old)],
        "rule": options.rule,
        "nodes": options.nodes,
        "seconds": options.seconds,
        "match": options.match,
        "clock": "cpu" if options.cpu else "wall",
        "openings": options.openings,
        "seed": options.seed,
        "sprt": None if test is None else list(options.sprt),
    }
    load = os.getloadavg()[0]

    def make() -> Table:
        commands = [counting_cpu(one) if options.cpu else one for one in (options.new, options.old)]
        limit = (options.seconds, options.nodes, not options.cpu, options.match)
        one, other = (
            Contestant(name, command, *limit, debug_is_fault=True)
            for name, command in zip(("new", "old"), commands, strict=True)
        )
        return one, other

    def show(pair: PlayedPair) -> None:
        print(text_of(match.summary()), file=sys.stderr, flush=True)
        if pair.faults and options.match is None:  # A loss on time of the match is a result.
            sys.exit(f"pair {pair.number}: {pair.faults[0]}")

    try:
        match = EngineMatch(setting, test, options.file)
    except ValueError as error:
        parser.error(str(error))
    wanted = chosen_openings(options, options.pairs)
    play_match(match, make, options.rule, wanted, jobs=options.jobs, tolerance=TOLERANCE, on_pair=show)
    result = {**match.summary(), "load": [round(load, 1), round(os.getloadavg()[0], 1)]}
    print(json.dumps(result))
    print(text_of(result))
    if options.write:
        row = {"change": options.change, "rejected": options.rejected, **result}
        del row["new"], row["old"]  # Paths of this machine
        changes = [
            old for old in saved_results("strength").get("changes", []) if old["change"] != options.change
        ]
        save_results("strength", {"changes": [*changes, row]})


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
