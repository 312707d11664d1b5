"""Puzzles, cut from games between levels, proved and measured.

    python -m benchmarks.puzzles --game connect4 --games 60            count the puzzles of 60 games
    python -m benchmarks.puzzles --games 60 --write                    add puzzles of every game
    python -m benchmarks.puzzles --game qubic --random 8 --nodes 150000 --games 60     from openings at random
    python -m benchmarks.puzzles --game pentago --forced --random 20 --nodes 1500     forced moves
    python -m benchmarks.puzzles --game 5x5 --dealt 10-16 --games 2000    from dealt marks

A puzzle is a position in which an exact search has proved the value of every move: one move alone wins
(``win``), or one alone does not lose (``save``). Moves that lead to the same position are one. Difficulty is
measured: the lowest level that plays the move in most of several tries, and the number of moves that a search
must try to prefer it. The grade follows from them. Symmetric positions are one puzzle. Added puzzles have new
numbers, and existing ones keep theirs. Randomness depends on the name of the game and the number of the
self-play, and all limits are nodes: the same command finds the same puzzles. Games with few puzzles start
with more random moves, or have more nodes.

In games with hundreds of moves no search proves the value of a quiet move. There ``--forced`` looks for
positions in which all moves but one let the other side win at once. Trying the replies shows that, and a
search proves the value of the remaining move. In games of lines, including renju, it also finds positions in
which one move wins by threats alone, and all others lose to threats. Each threat has at most one reply, so
that a whole proof is small.

If levels decide games soon, the puzzles are obvious. Harder ones come from dealt positions (``--dealt``):
random marks after which no side can win at once, several moves do not lose at once, and, in games of lines,
one side would win by threats if it were to move.

None of these is a puzzle of 4d (500 with ``--dealt 6-28``): if no side can win at once, most moves win.
Moving single marks, thousands of times, as long as fewer moves won, left 5 of them on a board of 9 marks, 9
on one of 13 and 15 on one of 21. Its puzzles are to stop a row and win by that, or to take the middle, which
the lowest levels find.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random

from benchmarks.puzzle_deals import deal, is_interesting, moves_by_position
from benchmarks.puzzle_grades import chosen, image, key_after, measured, worth_measuring
from noughts import Game, new_game
from noughts.games.base import Move
from noughts.games.catalogue import CATALOGUE
from noughts.games.notation import format_move, format_position
from noughts.players.base import new_player
from noughts.puzzles.attempt import MAX_SEARCHED_MOVES, evaluate
from noughts.puzzles.puzzle import Puzzle
from noughts.puzzles.shipped import FILE, all_puzzles
from noughts.search.analysis import Analysis, Limit, MoveValue, analysis_of_end, own_moves, value_of_end
from noughts.search.analyst import Analyst
from noughts.search.explain.immediate import ImmediateTactics
from noughts.search.explain.threat_search import ThreatSearch

PAIRS = (("3", "4"), ("5", "5"), ("6", "6"), ("7", "7"), ("8", "8"), ("4", "6"), ("9", "9"), ("2", "5"))
"""The levels that play each other, in turn."""

MOVE_NODES = 2_000
"""The number of nodes of a player per move in these games."""

PROOF_NODES = 30_000
"""The maximum number of nodes of a proof, since the judge of a puzzle has to find it again."""

SAMPLED, SAMPLE_NODES = 3, 3_000
"""After a random opening, the number of sample moves that are tried first, and the nodes of each."""

MANY_MOVES = 30
"""The number of moves from which a random one is hardly the right one."""

PLIES_BACK = 24
"""The number of plies before the end that are searched, and a few more until proofs fail."""

MAX_UNPROVED = 4
"""The number of positions in a row without a proof after which earlier ones are skipped."""

MIN_MOVES = 4
"""The minimum number of legal moves of a puzzle."""

MAX_WIN_MOVES = 6
"""The maximum number of solver's moves in a win."""

MAX_SAVING_MOVES = 4
"""The maximum number of moves, each the only one, in a puzzle of saving."""

MAX_PER_GAME = 3
"""The maximum number of puzzles from one game, since they are similar."""

MAX_THREATS = 2
"""The maximum number of own threats that are tried before a losing move is refuted."""


def cut(
    name: str,
    number: int,
    at_random: int | None = None,
    nodes: int = PROOF_NODES,
    is_forced: bool = False,
) -> list[Puzzle]:
    """Return the puzzles of self-play *number*, without numbers and grades.

    It starts with *at_random* random moves, by default one or two. *nodes* is the limit of a proof. If
    *is_forced*, only positions are considered in which all moves but one lose at once.
    """
    game, analyst = _self_play(name, number, at_random), Analyst()
    found: list[Puzzle] = []
    unproved = 0
    for _ in range(min(PLIES_BACK, game.ply - 1)):
        game.undo()
        if is_forced:
            forced = analyse_forced(game, nodes)
            if forced is None:
                continue
            known = forced
        elif at_random is not None and not _may_be_one(game, analyst):
            continue
        else:
            known = analyst.analyse(game, Limit(nodes=nodes))
        unproved = 0 if known.is_complete else unproved + 1
        if unproved == MAX_UNPROVED:
            break
        if (puzzle := _puzzle(game, name, known, analyst)) is not None:
            found.append(puzzle)
    if is_forced:  # Later positions are similar, since a forced sequence continues.
        return sorted(found, key=lambda puzzle: len(puzzle.line.split()))[-1:]
    return Random(f"{name} {number}").sample(found, min(len(found), MAX_PER_GAME))


def cut_dealt(name: str, number: int, fewest: int, most: int, nodes: int = PROOF_NODES) -> list[Puzzle]:
    """Return the puzzle in the dealt position of *number* with some marks, or None."""
    game = deal(name, number, fewest, most)
    if not is_interesting(game):
        return []
    analyst = Analyst()
    is_large = ThreatSearch.supports(game) and len(game.legal_moves()) > MAX_SEARCHED_MOVES
    known = analyse_threats(game, nodes) if is_large else analyst.analyse(game, Limit(nodes=nodes))
    puzzle = None if known is None else _puzzle(game, name, known, analyst)
    return [] if puzzle is None else [puzzle]


def _may_be_one(game: Game, analyst: Analyst) -> bool:
    """Return True if some random moves are soon proved not to win, or if there are few moves.

    In most positions of a large game no proof exists for a move without effect, which soon shows.
    """
    moves = game.legal_moves()
    if len(moves) < MANY_MOVES:
        return True
    for move in Random(format_position(game)).sample(moves, min(len(moves), SAMPLED)):
        after = game.copy()
        after.play(move)
        is_over = after.outcome is not None
        known = value_of_end(after) if is_over else analyst.solve(after, Limit(nodes=SAMPLE_NODES)).value
        if known is None or (known if after.turn == game.turn else -known) == 1:
            return False
    return True


def analyse_threats(game: Game, nodes: int) -> Analysis | None:
    """Return the values of moves if one wins by threats alone and all others lose to threats.

    Return None otherwise, or if *nodes* nodes for each move do not prove it.
    """
    found = ThreatSearch(game).solve(Limit(nodes=nodes))
    if found.value != 1 or not _all_lose(game, nodes, but=found.best):
        return None
    values = (MoveValue(move, 1 if move == found.best else -1) for move in game.legal_moves())
    return replace(found, moves=tuple(values))


def _all_lose(game: Game, nodes: int, threats: int = MAX_THREATS, but: Move | None = None) -> bool:
    """Return True if all moves of *game* *but* one lose to threats, perhaps after threats of their own."""
    if game.outcome is not None:
        return False
    moves = [move for move in game.legal_moves() if move != but]
    # In random order a move that does not lose is found soon.
    for move in Random(format_position(game)).sample(moves, len(moves)):
        after = game.copy()
        after.play(move)
        forcing = ThreatSearch(after)
        found = forcing.solve(Limit(nodes=nodes))
        if found.value == 1:
            continue
        if found.value == -1 or not threats or after.outcome is not None or not (forced := forcing.threats):
            return False
        after.play(forced[0])
        if not _all_lose(after, nodes, threats - 1):
            return False
    return True


def analyse_forced(game: Game, nodes: int) -> Analysis | None:
    """Return the values of moves if all but those to one position lose at once, or to threats.

    Return None otherwise, or if *nodes* nodes do not prove the value of that position.
    """
    if ThreatSearch.supports(game):
        return analyse_threats(game, nodes)
    at_once, left = ImmediateTactics(game), {moves[0]: moves for moves in moves_by_position(game).values()}
    safe = at_once.find_safe(list(left))[0]
    if safe is None:
        return None
    good = left.pop(safe)
    if at_once.find_safe(list(left))[0] is not None:
        return None
    after = game.copy()
    after.play(safe)
    found = analysis_of_end(after) if after.outcome else evaluate(after, Limit(nodes=nodes))
    if found.value is None:
        return None
    value = found.value if after.turn == game.turn else -found.value
    plies = (found.plies or 0) + 1 if value else None
    values = tuple(MoveValue(move, value if move in good else -1) for move in game.legal_moves())
    return Analysis(value, plies, safe, found.nodes, (safe, *found.pv), values)


def _self_play(name: str, number: int, at_random: int | None = None) -> Game:
    """Play a game of two levels to its end."""
    chance = Random(f"{name} {number}" if at_random is None else f"{name} {number} {at_random}")
    game = new_game(name)
    levels = [new_player(f"level:{level}", chance) for level in PAIRS[number % len(PAIRS)]]
    for _ in range((2 if len(game.cells) > 9 else 1) if at_random is None else at_random):
        moves = sorted(move for move in game.legal_moves() if not _ends(game, move))
        if not moves:
            break
        game.play(chance.choice(moves))
    while game.outcome is None:
        player = levels[game.sides.index(game.turn)]
        game.play(player.choose(game.copy(), Limit(nodes=MOVE_NODES)))
    return game


def _ends(game: Game, move: Move) -> bool:
    game.play(move)
    is_over = game.outcome is not None
    game.undo()
    return is_over


def _puzzle(game: Game, name: str, known: Analysis, analyst: Analyst) -> Puzzle | None:
    """Return the puzzle of *game* with the values *known*, without number and grade, or None."""
    kind = _kind(game, known)
    line = None if kind is None else _line(game, kind, known, analyst)
    if kind is None or line is None:
        return None
    return Puzzle(0, name, format_position(game), kind, 0, " ".join(_texts(game, line)))


def _kind(game: Game, known: Analysis) -> str | None:
    """Return the kind of puzzle: one move alone wins, or one alone saves. Return None for neither."""
    if not known.is_complete or len(known.moves) < MIN_MOVES:
        return None
    values = values_of_positions(game, known)
    if values[1] == 1 and own_moves(known.plies or 0, game) <= MAX_WIN_MOVES:
        return "win"
    return "save" if not values[1] and values[0] == 1 else None


def values_of_positions(game: Game, known: Analysis) -> Counter[int | None]:
    """Count the positions after the moves of *game* by their *known* value for the side to move."""
    return Counter({key_after(game, move.move): move.value for move in known.moves}.values())


def _line(game: Game, kind: str, known: Analysis, analyst: Analyst) -> tuple[Move, ...] | None:
    """Return the solution with its answers, or None if it is not found."""
    if kind == "win":
        return known.pv if len(known.pv) == known.plies else None
    game, line = game.copy(), []
    side = game.turn
    while known.best is not None:
        line.append(known.best)
        game.play(known.best)
        if len(line) >= 2 * MAX_SAVING_MOVES - 1 or game.outcome is not None or game.turn == side:
            break
        answer = analyst.solve(game, Limit(nodes=PROOF_NODES)).best
        if answer is None:
            break
        game.play(answer)
        if game.outcome is not None or game.turn != side:
            break
        known = analyst.analyse(game, Limit(nodes=PROOF_NODES))
        if _kind(game, known) != "save":
            break
        line.append(answer)
    return tuple(line)


def _texts(game: Game, line: Sequence[Move]) -> Iterator[str]:
    game = game.copy()
    for move in line:
        yield format_move(game, move)
        game.play(move)


def games_with_puzzles() -> tuple[str, ...]:
    """Return the games of two sides in the catalogue that have puzzles."""
    return tuple(entry.name for entry in CATALOGUE if len(new_game(entry.name).sides) == 2)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", action="append", choices=games_with_puzzles())
    parser.add_argument("--games", type=int, default=40, help="number of games of each kind")
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--random", type=int, help="number of random moves at the start")
    parser.add_argument("--dealt", help="dealt marks instead of games: their number, as 10-16")
    parser.add_argument("--nodes", type=int, default=PROOF_NODES, help="maximum nodes of a proof")
    parser.add_argument(
        "--forced", action="store_true", help="only positions in which all moves but one lose at once"
    )
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="add them to the shipped puzzles")
    options = parser.parse_args()
    kept = list(all_puzzles())
    with ProcessPoolExecutor(options.workers) as pool:
        for name in options.game or games_with_puzzles():
            numbers = range(options.first, options.first + options.games)
            if options.dealt is None:
                one_of = partial(
                    cut, name, at_random=options.random, nodes=options.nodes, is_forced=options.forced
                )
            else:
                fewest, most = map(int, options.dealt.split("-"))
                one_of = partial(cut_dealt, name, fewest=fewest, most=most, nodes=options.nodes)
            found = list(chain.from_iterable(pool.map(one_of, numbers, chunksize=8)))
            known = {image(puzzle): puzzle for puzzle in kept}
            once = [one for place, one in {image(one): one for one in found}.items() if place not in known]
            new = chosen(list(pool.map(measured, worth_measuring(once))), kept)
            start = len(kept) + 1
            kept += [replace(puzzle, id=number) for number, puzzle in enumerate(new, start)]
            grades = Counter(puzzle.grade for puzzle in new)
            told = [grades[grade] for grade in range(1, 6)]
            print(
                f"{name}: {len(found)} cut, {len(once)} different, {len(new)} new, of grades {told}",
                flush=True,
            )
            if options.write:
                write(kept)
            else:
                print("\n".join(puzzle.as_line() for puzzle in kept[start - 1 :]))


def write(puzzles: Sequence[Puzzle]) -> None:
    """Write the file that noughts ships."""
    FILE_PATH.write_text("".join(f"{puzzle.as_line()}\n" for puzzle in puzzles), encoding="utf-8")


FILE_PATH = Path(__file__).parent.parent / "src" / "noughts" / "puzzles" / FILE

if __name__ == "__main__":
    main()
