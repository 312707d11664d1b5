"""A script that plays at the console in child processes, and kills each at another moment.

Its arguments are a folder, the number of children, and a seed. For each child it prints the moves that were
announced and the moves that are in its database.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path
from random import Random

from noughts.arena.store.database import open_database
from noughts.arena.stored_game import record_of
from noughts.interfaces.cli.main import main
from tests.databases import new_file, url_of

BOARD = "9x9:9"
CELLS = 81
MARKED = b") plays cell "


def play_and_be_killed(database: Path, chance: Random) -> tuple[list[str], list[str]]:
    """Return the moves announced before the kill, and the saved moves."""
    moves = [str(cell) for cell in chance.sample(range(1, CELLS + 1), CELLS)]
    typed, keyboard = os.pipe()
    screen, shown = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(keyboard)
        os.close(screen)
        _be_the_program(typed, shown, database)
    os.close(typed)
    os.close(shown)
    os.write(keyboard, "".join(f"{move}\n" for move in moves).encode())
    output, wanted = b"", chance.randrange(CELLS)
    while output.count(MARKED) < wanted:
        output += os.read(screen, 4096)
    time.sleep(chance.random() / 300)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(screen, 65536):
        output += more
    os.close(screen)
    os.close(keyboard)
    announced = [line.partition(MARKED)[2] for line in output.split(b"\n")[:-1] if MARKED in line]
    store = open_database(url_of(database))
    try:
        saved = [record_of(stored).moves for stored in store.games()]
    finally:
        store.close()
    assert len(saved) <= 1
    return [move.decode().rstrip(".") for move in announced], list(saved[0]) if saved else []


def _be_the_program(typed: int, shown: int, database: Path) -> None:
    """Run the console on two pipes."""
    sys.stdin, sys.stdout = os.fdopen(typed, encoding="utf-8"), os.fdopen(shown, "w", encoding="utf-8")
    try:
        main(["play", BOARD, "--x", "human", "--o", "human", "--lang", "en", "--db", str(database)])
    finally:
        os._exit(0)


if __name__ == "__main__":
    folder, count, chance = Path(sys.argv[1]), int(sys.argv[2]), Random(sys.argv[3])
    print(json.dumps([play_and_be_killed(new_file(folder / f"{n}.db"), chance) for n in range(count)]))
