"""Matches between players, with both sides of every opening, and error bars.

    python -m benchmarks.tournament --game gomoku                       levels 1-2, 2-3, ..., 9-10
    python -m benchmarks.tournament --game qubic --pairs 9-10,4-rule --games 200 --json
    python -m benchmarks.tournament --blunders --games 300              value-losing moves on solved games
    python -m benchmarks.tournament --game gomoku --games 200 --write   for the documents too

Each opening, some random first moves, is played twice, with sides changed. The score of such a pair counts,
so that neither the first move nor an uneven opening counts as strength. Openings differ from each other. The
intervals are of 95 %, from the variance between pairs. Elo is the logistic difference for the score. The
score of the first player is reported separately. Randomness comes from ``--seed``: with a limit in nodes, or
none, the same command plays the same games.

``--blunders`` gives every player the same random positions of solved games, in which some moves lose value
and some keep it, and counts the mistakes per 1,000 moves.
"""

import argparse
import json
import math
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from random import Random
from statistics import mean, stdev
from typing import Any

from benchmarks.report import save_results, saved_results, table
from noughts import Game, new_game
from noughts.arena.events import Event
from noughts.arena.match import Match
from noughts.arena.runner import PlayerSeat, run
from noughts.games.base import Move
from noughts.players.base import new_player
from noughts.search.analysis import Limit
from noughts.search.analyst import Analyst

Result = dict[str, Any]
"""One row of the results, as ``--json`` prints it."""

OPENING_PLIES = 4
SOLVED = ("tictactoe", "misere", "wild", "notakto", "vanishing", "4x4", "torus", "3d")
MAX_FULL_CHOICE = 9
"""The number of moves up to which openings use all. Beyond it they use the half with the most lines."""

MAX_TRIES = 1_000
"""The number of random openings in a row without a new one after which the search for them stops."""


@dataclass(frozen=True, slots=True)
class Job:
    """One opening, played by two players with either side."""

    game: str
    players: tuple[str, str]
    opening: tuple[Move, ...]
    seed: str
    seconds: float | None
    nodes: int | None


@dataclass(frozen=True, slots=True)
class Played:
    """One game: the score of the first player, that of the first side, and the moves."""

    score: float
    first_score: float
    moves: tuple[Move, ...]
    forfeit: str | None


def openings(game_name: str, plies: int, count: int, seed: int) -> Iterator[tuple[Move, ...]]:
    """Return different random openings in which no side wins at once.

    If there are many moves, those with the most lines are used.
    """
    chance = Random(f"{seed} {game_name}")
    known: set[object] = set()
    tries = 0
    while len(known) < count and tries < MAX_TRIES:
        game = new_game(game_name)
        for _ in range(plies):
            moves = sorted(game.legal_moves(), key=game.weight, reverse=True)
            if moves:
                game.play(chance.choice(moves[: max(len(moves) // 2, MAX_FULL_CHOICE)]))
        tries += 1
        if game.outcome is None and game.key() not in known and not can_win_at_once(game):
            known.add(game.key())
            tries = 0
            yield game.moves


def can_win_at_once(game: Game) -> bool:
    side = game.turn
    for move in game.legal_moves():
        game.play(move)
        is_won = game.winner == side
        game.undo()
        if is_won:
            return True
    return False


def play_pair(job: Job) -> tuple[Played, Played]:
    """Play both games of an opening.

    The first player of the job starts the first of them.
    """
    return play_one(job, swapped=False), play_one(job, swapped=True)


def play_one(job: Job, *, swapped: bool) -> Played:
    game = new_game(job.game)
    for move in job.opening:
        game.play(move)
    limit = Limit(seconds=job.seconds, nodes=job.nodes)
    names = job.players[::-1] if swapped else job.players
    first = game.turn
    other = next(side for side in game.sides if side != first)
    seats = {}
    for number, (side, name) in enumerate(zip((first, other), names, strict=True)):
        player = new_player(name, Random(f"{job.seed} {number} {name}"))
        player.take_seat(game.copy())
        seats[side] = PlayerSeat(player, limit)
    match = Match(game)
    events: list[Event] = []
    run(match, seats, on_event=events.append)
    winner = match.outcome.winner if match.outcome is not None else None
    first_score = 0.5 if winner is None else float(winner == first)
    score = 1 - first_score if swapped else first_score
    reason = events[-1].data.get("reason") if events[-1].data.get("termination") == "forfeit" else None
    return Played(score, first_score, match.game.moves, reason)


def elo(score: float) -> float | None:
    """Return the logistic difference for *score*, or None if it has no bound."""
    return round(-400 * math.log10(1 / score - 1), 1) if 0 < score < 1 else None


def summary(names: tuple[str, str], game: str, pairs: Sequence[tuple[Played, Played]]) -> Result:
    """Return the result of *pairs* of games between two players *names*, seen from the first one."""
    games = [played for pair in pairs for played in pair]
    scores = [(one.score + two.score) / 2 for one, two in pairs]
    score = mean(scores)
    error = 1.96 * stdev(scores) / math.sqrt(len(scores)) if len(scores) > 1 else 0.5
    counts = Counter(played.score for played in games)
    return {
        "game": game,
        "players": list(names),
        "games": len(games),
        "distinct": len({played.moves for played in games}),
        "wins": counts[1.0],
        "draws": counts[0.5],
        "losses": counts[0.0],
        "pairs": [scores.count(points / 4) for points in range(5)],
        "score": round(score, 4),
        "error": round(error, 4),
        "elo": elo(score),
        "elo_from": elo(max(score - error, 0.0)),
        "elo_to": elo(min(score + error, 1.0)),
        "first_player_score": round(mean(played.first_score for played in games), 4),
        "plies": round(mean(len(played.moves) for played in games), 1),
        "forfeits": sum(played.forfeit is not None for played in games),
    }


def tournament(arguments: argparse.Namespace, executor: Executor) -> Iterator[Result]:
    """Yield the result of each pair of players, as soon as it is played."""
    known = list(openings(arguments.game, arguments.plies, arguments.games // 2, arguments.seed))
    if not known:
        sys.exit("no opening is left open: fewer --plies?")
    for names in pairs_of(arguments.pairs):
        jobs = [
            Job(
                arguments.game,
                names,
                opening,
                f"{arguments.seed} {number}",
                arguments.seconds,
                arguments.nodes,
            )
            for number, opening in enumerate(known)
        ]
        yield summary(names, arguments.game, list(executor.map(play_pair, jobs)))


def pairs_of(text: str) -> list[tuple[str, str]]:
    """Return ``9-10,4-rule`` as names of players.

    The second of each pair comes first.
    """
    pairs = []
    for pair in text.split(","):
        one, _, two = pair.partition("-")
        pairs.append((name_of(two), name_of(one)))
    return pairs


def name_of(text: str) -> str:
    return f"level:{text}" if text.isdigit() else text


# Value-losing moves


@dataclass(frozen=True, slots=True)
class Question:
    """A position as its moves, and the moves that keep its value."""

    game: str
    moves: tuple[Move, ...]
    keeping: frozenset[Move]


def questions(game_name: str, count: int, seed: int) -> Iterator[Question]:
    """Yield different random positions with moves that keep the value and moves that do not."""
    chance = Random(f"{seed} {game_name}")
    analyst = Analyst()
    known: set[object] = set()
    tries = 0
    while count and tries < MAX_TRIES:
        game = new_game(game_name)
        for _ in range(chance.randrange(1, len(game.cells))):
            if game.outcome is None:
                game.play(chance.choice(game.legal_moves()))
        tries += 1
        if game.outcome is not None or game.key() in known:
            continue
        known.add(game.key())
        values = {value.move: value.value for value in analyst.analyse(game, Limit(seconds=5)).moves}
        if None in values.values() or len(set(values.values())) == 1:
            continue
        best = max(value for value in values.values() if value is not None)
        yield Question(
            game_name, game.moves, frozenset(move for move, value in values.items() if value == best)
        )
        count -= 1
        tries = 0


def answer(name: str, question: Question, seed: int) -> bool:
    """Return True if the player's move keeps the value."""
    game = new_game(question.game)
    for move in question.moves:
        game.play(move)
    player = new_player(name, Random(f"{seed} {question.moves}"))
    return player.choose(game, Limit()) in question.keeping


def blunders(arguments: argparse.Namespace, executor: Executor) -> Iterator[Result]:
    """Return value-losing moves per 1,000 for each game and player, with the error of 95 %."""
    names = [name_of(name) for name in arguments.players.split(",")]
    for game in arguments.game.split(",") if arguments.game else SOLVED:
        asked = list(questions(game, arguments.games, arguments.seed))
        for name in names:
            kept = list(
                executor.map(answer, [name] * len(asked), asked, [arguments.seed] * len(asked), chunksize=25)
            )
            rate = 1 - mean(kept)
            error = 1.96 * math.sqrt(max(rate * (1 - rate), 1e-9) / len(kept))
            yield {
                "game": game,
                "player": name,
                "positions": len(kept),
                "per_1000": round(1000 * rate, 1),
                "error": round(1000 * error, 1),
            }


# Output


def line(row: Result) -> str:
    """Return one row of the table."""
    if "per_1000" in row:
        rate = f"{row['per_1000']:6} ± {row['error']} lost in 1,000"
        return f"{row['game']:<12} {row['player']:<10} {row['positions']:>6} positions {rate}"
    one, two = row["players"]
    return "  ".join(
        (
            f"{row['game']:<12} {one:>9} - {two:<9}",
            f"{row['games']:>4} games ({row['distinct']} distinct)",
            f"+{row['wins']} ={row['draws']} -{row['losses']}",
            f"{row['score']:.3f} ± {row['error']:.3f}",
            f"Elo {row['elo']} [{row['elo_from']}, {row['elo_to']}]",
            f"first {row['first_player_score']:.2f}",
            f"{row['plies']} plies",
            f"{row['forfeits']} forfeits",
        )
    )


LADDER, LONGER = ("gomoku", "connect4", "qubic"), ("ultimate", "reversi")
"""The games in which each level plays the one below it, and those in which distant levels play."""


def add(row: Result) -> None:
    """Add *row*, and replace the earlier results of the same players."""
    measured = saved_results("tournament")
    kind = "blunders" if "per_1000" in row else "matches"
    keys = ("game", "players", "player")
    rows, own = measured[kind], [row.get(key) for key in keys]
    place = next((i for i, old in enumerate(rows) if [old.get(key) for key in keys] == own), len(rows))
    rows[place : place + 1] = [row]
    save_results("tournament", measured)


def report(measured: dict[str, list[Result]]) -> dict[str, str]:
    """Return the blocks of the documents for *measured*."""
    matches = {(row["game"], *map(_level, row["players"])): row for row in measured["matches"]}
    steps = []
    for level in range(2, 11):
        cells = [f"{level} against {level - 1}"]
        for game in LADDER:
            row = matches[game, str(level), str(level - 1)]
            elo, low, high = (f"{row[name]:+.0f}" for name in ("elo", "elo_from", "elo_to"))
            cells += [_score(row), f"{elo} [{low}, {high}]"]
        steps.append(cells)
    longer = [
        [game, f"{one} against {other}", str(row["games"]), _score(row)]
        for (game, one, other), row in matches.items()
        if game in LONGER
    ]
    ladder = {game: [row for row in measured["matches"] if row["game"] == game] for game in LADDER}
    begun = [
        f"{mean(row['first_player_score'] for row in rows):.2f} on {game}" for game, rows in ladder.items()
    ]
    distinct = [f"{min(row['distinct'] for row in rows)} on {game}" for game, rows in ladder.items()]
    played = min(row["games"] for rows in ladder.values() for row in rows)
    lost = {(row["game"], _level(row["player"])): row["per_1000"] for row in measured["blunders"]}
    asked = {row["game"]: row["positions"] for row in measured["blunders"]}
    rates = [[str(level), *(f"{lost[game, str(level)]:.0f}" for game in asked)] for level in range(1, 11)]
    fewer = ", ".join(f"{count} in {game}" for game, count in asked.items() if count < max(asked.values()))
    columns = [column for game in LADDER for column in (f"{game}: score", "Elo")]
    return {
        "steps": table(["levels", *columns], steps),
        "sums": (
            f"The first player after the opening scored {', '.join(begun)}.\n"
            f"Of the {played} games of a row, at least this many were different: {', '.join(distinct)}.\n"
            f"Forfeits: {sum(row['forfeits'] for row in measured['matches'])}.\n"
        ),
        "longer": table(["game", "levels", "games", "score"], longer, texts=2),
        "positions": (f"{max(asked.values())} positions of each game, or as many as were found ({fewer}).\n"),
        "lost": table(["level", *asked], rates, texts=0),
    }


def _score(row: Result) -> str:
    return f"{row['score']:.2f} ± {row['error']:.2f}"


def _level(name: str) -> str:
    return name.removeprefix("level:")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--game", help="default: gomoku; several with commas for --blunders")
    adjacent = ",".join(f"{level}-{level + 1}" for level in range(1, 10))
    parser.add_argument("--pairs", default=adjacent, help="9-10,4-rule,...; a number is a level")
    parser.add_argument(
        "--games", type=int, default=40, help="for each pair; positions of each game for --blunders"
    )
    parser.add_argument("--plies", type=int, default=OPENING_PLIES, help="random moves of an opening")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="seconds per move; default: the budget of the level")
    parser.add_argument("--nodes", type=int, help="nodes per move")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--players", default=",".join(map(str, range(1, 11))), help="for --blunders")
    parser.add_argument("--blunders", action="store_true", help="value-losing moves on solved games")
    parser.add_argument("--json", action="store_true", help="one object a line")
    parser.add_argument("--write", action="store_true", help="save the results and write them into documents")
    arguments = parser.parse_args()
    with ProcessPoolExecutor(arguments.workers) as executor:
        if not arguments.blunders:
            arguments.game = arguments.game or "gomoku"
        for rows in (blunders if arguments.blunders else tournament)(arguments, executor):
            print(json.dumps(rows) if arguments.json else line(rows), flush=True)
            if arguments.write:
                add(rows)


if __name__ == "__main__":
    main()
