"""Boards on which pairs of cells hold a draw, and games of level 10 against these pairs.

    uv run --group dev --extra fast python -m benchmarks.strategies --write             find and check all
    uv run --group dev --extra fast python -m benchmarks.strategies --games 100 --write     and play

``noughts strategy`` finds the pairs and writes a certificate, which ``noughts verify`` and the second program
check. Games are played on each board whose strategy was found: level 10 is X and searches ``--nodes`` nodes
a move. O follows the pairs, and plays at random if they demand nothing.
"""

import argparse
from itertools import combinations_with_replacement
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.report import save_results, saved_results, table
from benchmarks.values import check, run
from noughts.core.board import coordinate_of
from noughts.games.catalogue import new_game
from noughts.players.base import new_player
from noughts.search.analysis import Limit
from noughts.search.strategies.pair_strategy import PairStrategy, find_strategy

WIDEST = 12
"""The longest side of flat boards in the families."""

LONGEST_LINE = 8
"""The greatest k of flat boards in the families. Longer lines have pairs on all boards."""

Result = dict[str, Any]


def flat(widest: int, lines: range, options: str = "") -> list[str]:
    """Return the specs of flat boards whose sides are from k to *widest*."""
    return [
        f"{width}x{height}:{k}{options}"
        for k in lines
        for height, width in combinations_with_replacement(range(k, widest + 1), 2)
    ]


FAMILIES = {
    "flat": flat(WIDEST, range(4, LONGEST_LINE + 1)),
    "hexagons": flat(9, range(4, 8), ",hex"),
    "torus": [f"{side}x{side}:{side},wrap" for side in range(4, 11)],
    "space": [f"{side}x{side}x{side}:{side}" for side in range(4, 8)],
}


def find(spec: str) -> Result | None:
    """Return the numbers of pairs and of cases on the board *spec*, with a checked certificate, or None."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "certificate"
        facts = run("strategy", spec, "--certificate", str(file))
        if facts["value"] is None:
            return None
        check(spec, "draw", file)
    longest = max(facts["cases"], key=lambda case: len(case["pairs"]), default=facts)
    return {"pairs": len(longest["pairs"]), "cases": len(facts["cases"])}


def lost_games(spec: str, games: int, nodes: int) -> int:
    """Return the number of *games* on the board *spec* that the strategy loses against level 10."""
    found = find_strategy(new_game(spec))
    assert found is not None
    chance = Random(spec)
    return sum(_is_lost(found, spec, nodes, chance) for _ in range(games))


def _is_lost(found: PairStrategy, spec: str, nodes: int, chance: Random) -> bool:
    game, attacker = new_game(spec), new_player("level:10", chance)
    attacker.take_seat(game)
    game.play(chance.choice(game.legal_moves()))  # Otherwise many games would be equal.
    while game.outcome is None:
        if game.turn == game.sides[0]:
            game.play(attacker.choose(game.copy(), Limit(nodes=nodes)))
        else:
            cell = found.reply(game)
            free = chance.choice(game.legal_moves())
            game.play(free if cell is None else coordinate_of(game.shape, cell))
    return game.outcome.winner == game.sides[0]


def report(results: Result) -> dict[str, str]:
    """Return the boards of each family, and the number of games, for the documents."""
    boards = results.get("boards", {})
    texts = {}
    for family, specs in FAMILIES.items():
        rows = [
            [f"`{spec}`", str(row["pairs"]), str(row["cases"] or "")]
            for spec in specs
            if (row := boards.get(spec))
        ]
        tried = sum(spec in boards for spec in specs)
        texts[family] = (
            table(("board", "pairs", "cases"), rows) + f"\nFound on {len(rows)} of {tried} boards.\n"
        )
    played = [row for row in boards.values() if row and "games" in row]
    games, lost = (sum(row[name] for row in played) for name in ("games", "lost"))
    texts["games"] = (
        f"Level 10 played {games:,} games on {len(played)} boards against these strategies, with "
        f"{results.get('nodes', 0):,} nodes a move. It won {lost} of them.\n"
    )
    return texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--family", action="append", choices=FAMILIES, help="default: all")
    parser.add_argument("--games", type=int, default=0, help="games on each board with a strategy (0)")
    parser.add_argument("--nodes", type=int, default=1_000, help="nodes a move of level 10 (1000)")
    parser.add_argument("--write", action="store_true", help="save the results and write them into documents")
    options = parser.parse_args()
    results = saved_results("strategies") or {"boards": {}}
    for spec in [spec for family in options.family or FAMILIES for spec in FAMILIES[family]]:
        row = find(spec)
        if row is not None and options.games:
            row |= {"games": options.games, "lost": lost_games(spec, options.games, options.nodes)}
            results["nodes"] = options.nodes
        results["boards"][spec] = row
        print(spec, row, flush=True)
        if options.write:
            save_results("strategies", results)


if __name__ == "__main__":
    main()
