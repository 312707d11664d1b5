"""Decide by a match whether a change makes the gomoku engine stronger.

    python -m benchmarks.strength --new "NEW/.venv/bin/noughts engine" --old "OLD/.venv/bin/noughts engine"
    python -m benchmarks.strength --new ... --old ... --nodes 20000 --sprt 0 10 --jobs 2 --file match.jsonl
    python -m benchmarks.strength --new ... --old ... --seconds 0.2 --pairs 100 --no-sprt

Each command starts a program of the Gomocup protocol, such as the engine of another checkout with the extra
``fast``. Both games of a pair have the same opening, with exchanged seats. The published openings of Gomocup
come first. Then random ones follow that the search considers even. No opening is played twice.

With a limit in nodes, which is the default, the load of the machine has no influence, and our engine plays
the same games again. The programs stay alive from game to game. The match ends as soon as Wald's test
decides between the two differences in Elo points, or after ``--pairs`` pairs.

Each finished pair is saved in ``--file``. The same command continues an interrupted match.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from benchmarks.engine_games import RULE_GAMES, Contestant, PlayedGame, match_openings, offsets, play_pair
from benchmarks.engines import command_of
from noughts.arena.tournament.scores import PAIRS, Results
from noughts.arena.tournament.sequential import Test
from noughts.games.base import Move

TOLERANCE = 10.0
"""The seconds by which a move may be late before the match ends."""


@dataclass(frozen=True, slots=True)
class PlayedPair:
    """A finished pair: its number, its opening, the points of the new program in both games, and the costs.

    ``cpu`` has the processor seconds of the new and of the old program, ``moves`` the numbers of their moves.
    """

    number: int
    opening: str
    points: tuple[float, float]
    cpu: tuple[float, float]
    moves: tuple[int, int]


class StrengthMatch:
    """A match of the program *new* against *old*, whose finished pairs are saved in *file*, if it is given.

    Raises ``ValueError`` if *file* has another match.
    """

    def __init__(self, setting: dict[str, Any], test: Test | None, file: Path | None) -> None:
        self.setting, self.test, self._file = setting, test, file
        self.pairs: dict[int, PlayedPair] = {}
        if file is not None and file.exists():
            first, *lines = file.read_text(encoding="utf-8").splitlines()
            if json.loads(first) != setting:
                raise ValueError(f"{file} has another match: {first}")
            for line in lines:
                values = json.loads(line)
                pair = PlayedPair(
                    values["number"],
                    values["opening"],
                    *(tuple(values[k]) for k in ("points", "cpu", "moves")),
                )
                self.pairs[pair.number] = pair
        elif file is not None:
            file.write_text(json.dumps(setting) + "\n", encoding="utf-8")

    def add(self, pair: PlayedPair) -> None:
        """Count and save a finished pair."""
        self.pairs[pair.number] = pair
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(asdict(pair)) + "\n")

    @property
    def counted(self) -> list[PlayedPair]:
        """The pairs before the first unfinished one.

        Quick games must not have an advantage, so a later pair does not count yet.
        """
        found: list[PlayedPair] = []
        while (pair := self.pairs.get(len(found))) is not None:
            found.append(pair)
        return found

    @property
    def results(self) -> Results:
        """The results of the counted pairs."""
        counts = [0.0] * PAIRS
        for pair in self.counted:
            counts[round(2 * sum(pair.points))] += 1
        return Results(tuple(counts))

    @property
    def decision(self) -> str | None:
        """The decision of the test, ``elo0`` or ``elo1``, or None while it is open."""
        return None if self.test is None else self.test.decision(self.results)

    def summary(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        results, pairs = self.results, self.counted
        elo, score = results.elo(), results.interval()
        cpu = [
            1000 * sum(pair.cpu[side] for pair in pairs) / max(1, sum(pair.moves[side] for pair in pairs))
            for side in range(2)
        ]
        ratio = None if self.test is None else self.test.log_ratio(results)
        return {
            **self.setting,
            "games": round(results.games),
            "pairs": [round(count) for count in results.counts],
            "score": round(results.score, 4),
            "error": round((score.high - score.low) / 2, 4),
            "elo": [_finite(elo.middle), _finite(elo.low), _finite(elo.high)],
            "cpu_ms": [round(ms, 1) for ms in cpu],
            "log_ratio": None if ratio is None else round(ratio, 2),
            "decision": self.decision,
        }


def _finite(elo: float) -> float | None:
    return round(elo, 1) if abs(elo) < float("inf") else None


def text_of(summary: dict[str, Any]) -> str:
    """Return one line about a match."""
    elo, low, high = ("∞" if number is None else f"{number:+.1f}" for number in summary["elo"])
    text = (
        f"{summary['games']} games, pairs {summary['pairs']}, score {summary['score']:.3f} ±"
        f" {summary['error']:.3f}, Elo {elo} [{low}, {high}], CPU {summary['cpu_ms'][0]:g} and"
        f" {summary['cpu_ms'][1]:g} ms a move"
    )
    if summary["log_ratio"] is None:
        return text
    decided = {None: "open", "elo0": "rejected", "elo1": "accepted"}[summary["decision"]]
    return f"{text}, SPRT {summary['sprt']}: {summary['log_ratio']:+.2f}, {decided}"


def play_match(match: StrengthMatch, commands: Sequence[Sequence[str]], options: argparse.Namespace) -> None:
    """Play the missing pairs of *match*, ``options.jobs`` at once, until the test decides.

    Raises ``RuntimeError`` if a program fails.
    """
    tables: SimpleQueue[tuple[Contestant, Contestant]] = SimpleQueue()
    made = []
    for _ in range(options.jobs):
        new, old = (
            Contestant(name, tuple(command), options.seconds, options.nodes)
            for name, command in zip(("new", "old"), commands, strict=True)
        )
        made.append((new, old))
        tables.put((new, old))

    def play(number: int, opening: tuple[Move, ...]) -> PlayedPair:
        table = tables.get()
        try:
            before = [(one.cpu_seconds, one.moves) for one in table]
            games = play_pair(options.rule, opening, *table, TOLERANCE)
            return _pair_of(number, opening, games, table, before)
        finally:
            tables.put(table)

    tasks = _missing(match, options)
    waiting: set[Future[PlayedPair]] = set()
    try:
        with ThreadPoolExecutor(options.jobs) as executor:
            try:
                while match.decision is None:
                    for task in tasks:
                        waiting.add(executor.submit(play, *task))
                        if len(waiting) >= options.jobs:
                            break
                    if not waiting:
                        break
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        match.add(future.result())
                        print(text_of(match.summary()), file=sys.stderr, flush=True)
            finally:
                for future in waiting:
                    future.cancel()
    finally:
        for table in made:
            for one in table:
                one.player.close()


def _missing(match: StrengthMatch, options: argparse.Namespace) -> Iterator[tuple[int, tuple[Move, ...]]]:
    openings = match_openings(options.rule, options.seed, is_published=options.openings == "gomocup")
    for number, opening in zip(range(options.pairs), openings, strict=False):
        if number not in match.pairs:
            yield number, opening


def _pair_of(
    number: int,
    opening: Sequence[Move],
    games: Sequence[PlayedGame],
    table: tuple[Contestant, Contestant],
    before: Sequence[tuple[float, int]],
) -> PlayedPair:
    if faults := [game.fault for game in games if game.fault]:
        raise RuntimeError(f"pair {number}: {faults[0]}")
    (new, old), (new_before, old_before) = table, before
    return PlayedPair(
        number,
        offsets(opening),
        (games[0].points, games[1].points),
        (round(new.cpu_seconds - new_before[0], 2), round(old.cpu_seconds - old_before[0], 2)),
        (new.moves - new_before[1], old.moves - old_before[1]),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--new", type=command_of, required=True, help="command of the changed engine")
    parser.add_argument("--old", type=command_of, required=True, help="command of the present engine")
    parser.add_argument("--nodes", type=int, help="nodes a move (20000, or none with --seconds)")
    parser.add_argument("--seconds", type=float, help="seconds a move instead of nodes")
    parser.add_argument(
        "--rule", type=int, choices=RULE_GAMES, default=0, help="0 free, 1 exact, 4 renju (0)"
    )
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
    parser.add_argument("--jobs", type=int, default=1, help="games at once (1)")
    parser.add_argument("--openings", choices=("gomocup", "random"), default="gomocup")
    parser.add_argument("--seed", type=int, default=1, help="seed of the generated openings (1)")
    parser.add_argument("--file", type=Path, help="file with the finished pairs, which is continued")
    options = parser.parse_args()
    if options.nodes is None and options.seconds is None:
        options.nodes = 20_000
    test = None if options.no_sprt else Test(*options.sprt)
    setting = {
        "new": options.new,
        "old": options.old,
        "rule": options.rule,
        "nodes": options.nodes,
        "seconds": options.seconds,
        "openings": options.openings,
        "seed": options.seed,
        "sprt": None if test is None else list(options.sprt),
    }
    load = os.getloadavg()[0]
    try:
        match = StrengthMatch(setting, test, options.file)
        play_match(match, (options.new, options.old), options)
    except (RuntimeError, ValueError) as error:
        sys.exit(str(error))
    result = {**match.summary(), "load": [round(load, 1), round(os.getloadavg()[0], 1)]}
    print(json.dumps(result))
    print(text_of(result))


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
