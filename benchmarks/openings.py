"""Make sets of even openings, judged by the results of games instead of by the score of a search.

    python -m benchmarks.openings --work FOLDER                     all games, 24 openings each
    python -m benchmarks.openings --work FOLDER --game gomoku --count 24
    python -m benchmarks.openings --work FOLDER --write             the sets that noughts ships, and figures

A candidate is an opening that the search considers even. The engine then plays it against itself with several
limits in nodes. The opening is accepted if the side that moves first scores between 14 and 18 of 32 games,
unless one side won the first four.

Openings that pass by luck would make the set look more even than it is. An accepted one is played again with
other limits, and only these games are reported. The first candidates, accepted or not, are played with those
limits too, for comparison.

Every game is saved in FOLDER when it ends. The same command resumes after an interruption, and always finds
the same openings, since only nodes are counted and never time.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import mean, stdev

from benchmarks.report import save_results, saved_results, table
from noughts import Game, Limit, new_game
from noughts.arena.tournament.openings import MEASURED_PLIES, file_of
from noughts.games.base import Move
from noughts.games.notation import format_move, parse_move
from noughts.search.analyst import Analyst
from noughts.search.balance import even_openings

GAMES = ("gomoku", "gomoku-standard", "connect4")
"""The games that get a set of measured openings."""

JUDGING = (
    *((200, 200), (200, 300), (300, 200), (300, 300), (150, 250), (250, 150), (150, 150), (250, 250)),
    *((160, 240), (240, 160), (160, 160), (240, 240), (180, 320), (320, 180), (180, 180), (320, 320)),
    *((220, 220), (220, 280), (280, 220), (280, 280), (170, 230), (230, 170), (170, 170), (230, 230)),
    *((260, 260), (260, 350), (350, 260), (350, 350), (110, 110), (110, 130), (130, 110), (130, 130)),
)
"""Nodes per move of the first and of the second side, in the games that decide about an opening."""

CHECKING = ((400, 400), (100, 100), (300, 400), (400, 300), (120, 120), (210, 210), (210, 270), (270, 210))
"""Nodes per move of the first and of the second side, in the games that are reported."""

MIN_POINTS, MAX_POINTS = 14, 18
"""The points of the first side in the judging games between which an opening is even."""

ONE_SIDED = 4
"""The number of first games after which an opening is rejected if one side has won all."""

COMPARED = 24
"""The number of candidates, accepted or not, that are played with the checking limits."""

MAX_CANDIDATES = 4_000


@dataclass
class Work:
    """The games of one game's openings, saved in *file*."""

    game: Game
    file: Path
    scores: dict[tuple[str, int, int], float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.file.exists():
            for line in self.file.read_text(encoding="ascii").splitlines():
                opening, first, second, score = json.loads(line)
                self.scores[opening, first, second] = score

    def score(self, opening: str, limits: tuple[int, int]) -> float:
        """Return the points of the side that moves first from *opening*, playing the game if needed."""
        key = (opening, *limits)
        if key not in self.scores:
            self.scores[key] = play(self.game, opening, limits)
            with self.file.open("a", encoding="ascii") as stream:
                stream.write(json.dumps([*key, self.scores[key]]) + "\n")
        return self.scores[key]

    def is_even(self, opening: str) -> bool:
        """Return True if the judging games of *opening* are even.

        Stop as soon as they can't be.
        """
        points = 0.0
        for number, limits in enumerate(JUDGING, 1):
            points += self.score(opening, limits)
            is_one_sided = number == ONE_SIDED and points in (0, number)
            if is_one_sided or points > MAX_POINTS or points + len(JUDGING) - number < MIN_POINTS:
                return False
        return True

    def checked(self, openings: Sequence[str]) -> list[float]:
        """Return the share of the first side in the checking games of each of *openings*."""
        return [mean(self.score(opening, limits) for limits in CHECKING) for opening in openings]


def play(game: Game, opening: str, limits: tuple[int, int]) -> float:
    """Return the points of the first side when the engine plays itself from *opening*."""
    position = game.copy()
    for text in opening.split():
        position.play(parse_move(position, text))
    nodes = dict(zip(game.sides, limits, strict=True))
    players = {side: Analyst() for side in game.sides}
    while position.outcome is None:
        best = players[position.turn].search(position, Limit(nodes=nodes[position.turn])).best
        assert best is not None
        position.play(best)
    winner = position.outcome.winner
    return 0.5 if winner is None else float(winner == game.sides[0])


def candidates(game: Game) -> Iterator[str]:
    """Yield different openings of *game* that the search considers even."""
    known = set[str]()
    for number in range(MAX_CANDIDATES):
        for moves in even_openings(game, 1, MEASURED_PLIES, Random(f"{number} {game.name}")):
            text = spelled(game, moves)
            if text not in known:
                known.add(text)
                yield text


def spelled(game: Game, moves: Sequence[Move]) -> str:
    """Return *moves* as noughts writes them."""
    return " ".join(format_move(game, move) for move in moves)


def interval(shares: Sequence[float]) -> str:
    """Return the mean of *shares* in per cent, with half of its interval of 95 %."""
    return f"{mean(shares):.1%} ± {1.96 * stdev(shares) / math.sqrt(len(shares)):.1%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game", choices=GAMES, action="append", help="only this game (all)")
    parser.add_argument("--count", type=int, default=24, help="openings in a set (24)")
    parser.add_argument("--work", type=Path, required=True, help="folder for the games")
    parser.add_argument("--write", action="store_true", help="write the sets and the documents")
    options = parser.parse_args()
    options.work.mkdir(exist_ok=True, parents=True)
    sets = {}
    for name in options.game or GAMES:
        game = new_game(name)
        work = Work(game, options.work / f"{name}.jsonl")
        tried, even = list[str](), list[str]()
        for opening in candidates(game):
            tried.append(opening)
            if work.is_even(opening):
                even.append(opening)
            print(name, len(even), "of", len(tried), file=sys.stderr, flush=True)
            if len(even) == options.count:
                break
        before, after = work.checked(tried[:COMPARED]), work.checked(even)
        games = len(CHECKING) * len(even)
        sets[name] = {
            "openings": len(even),
            "tried": len(tried),
            "before": interval(before),
            "games_before": len(CHECKING) * len(before),
            "after": interval(after),
            "games": games,
        }
        print(name, sets[name])
        if options.write:
            head = [
                f"# {len(even)} openings of {name}, chosen from {len(tried)} by the results of games.",
                f"# In {games} other games the side that moves first scored {interval(after)}.",
            ]
            file_of(name).parent.mkdir(exist_ok=True)
            file_of(name).write_text("\n".join([*head, *even, ""]), encoding="utf-8")
    if options.write:
        save_results("openings", {"games": {**saved_results("openings").get("games", {}), **sets}})


def report(results: dict[str, dict[str, dict[str, str]]]) -> dict[str, str]:
    """Return the table of the documents."""
    columns = ("game", "openings", "tried", "games", "first side", "before", "games before")
    keys = ("openings", "tried", "games", "after", "before", "games_before")
    rows = [[f"`{name}`", *(str(row[key]) for key in keys)] for name, row in results.get("games", {}).items()]
    return {"even": table(columns, rows, texts=1)} if rows else {}


if __name__ == "__main__":
    main()
