"""An announced move is on disk, even if the program is killed at once."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from noughts import new_game
from noughts.games.notation import parse_move
from tests.interfaces.harness import PATIENCE, Program

KILLS = 10


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(sys, "abiflags"), reason="processes are not killed so on this system")
def test_killed_console_loses_no_announced_move(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.interfaces.kill_target", str(tmp_path), str(KILLS), "1"],
        env=Program(tmp_path).variables() | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=10 * PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, "")
    games = json.loads(done.stdout)
    assert len(games) == KILLS
    # Moves are announced by letter and number, and stored by number.
    board = new_game("9x9:9")
    for announced, stored in games:
        cells = [board.notation.format(parse_move(board, move)) for move in announced]
        assert stored[: len(cells)] == cells
    assert len({len(announced) for announced, _ in games}) > 1
