"""Counts of move sequences from the data files in ``perft/``, up to a limit of nodes.

A file has blocks, a blank line apart, of ``game NAME``, an optional ``position TEXT``, and lines ``DEPTH
COUNT``. The weekly limit is ten times as large.
"""

from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

from noughts import new_game, perft
from noughts.games.catalogue import CATALOGUE
from noughts.games.notation import parse_position

LIMIT = 25_000
FILES = sorted(Path(__file__).with_name("perft").glob("*.perft"))


def blocks(file: Path) -> Iterator[tuple[str, str, list[int]]]:
    """Yield the game, the position or an empty text, and the counts of each block of *file*."""
    for block in file.read_text("utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if not lines:
            continue
        name = lines.pop(0).removeprefix("game ")
        position = lines.pop(0).removeprefix("position ") if lines[0].startswith("position ") else ""
        numbers = [line.split() for line in lines]
        assert [int(depth) for depth, _ in numbers] == list(range(1, len(lines) + 1))
        yield name, position, [int(count) for _, count in numbers]


BLOCKS = [block for file in FILES for block in blocks(file)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "position", "counts"), BLOCKS, ids=[f"{b[0]} {b[1]}".strip() for b in BLOCKS]
)
def test_perft_matches_stored_counts(name: str, position: str, counts: list[int]) -> None:
    game = new_game(name)
    if position:
        game = parse_position(game, position)
    depth = len(list(takewhile(lambda count: count <= LIMIT, counts)))
    assert perft(game, depth) == counts[:depth]
    assert game.ply == 0


def test_perft_file_covers_the_catalogue() -> None:
    assert {entry.name for entry in CATALOGUE} <= {name for name, _, _ in BLOCKS}


def test_perft_of_no_depth_is_empty() -> None:
    assert perft(new_game(), 0) == perft(new_game(), -1) == []
