"""Puzzles, cut from games that our levels play against each other, proved and measured.

    python -m benchmarks.puzzles --game connect4 --games 60            what would be cut from so many games
    python -m benchmarks.puzzles --games 60 --write                    of every game, added to those we ship
    python -m benchmarks.puzzles --game qubic --random 8 --nodes 150000 --games 60     from openings at random
    python -m benchmarks.puzzles --game pentago --forced --random 20 --nodes 1500     forced moves
    python -m benchmarks.puzzles --game 5x5 --dealt 10-16 --games 2000    from marks that are dealt

A puzzle is a position in which an exact search has proved the value of every move: one move alone wins
(``win``), or one alone does not lose (``save``); moves that lead to the same position are one. How hard it
is, is measured: the lowest level that plays the move in most of several tries, and how many moves a search
must try to prefer it; the grade follows. Positions that a symmetry of the board makes of each other are one
puzzle. What is added has new numbers; those that are there already keep theirs, whatever is cut later. All
chance comes from the names of the games and the number of the self-play, all limits are nodes: the same
command cuts the same puzzles. Games that few come of begin with more moves at random, or have more nodes.

Of games with hundreds of moves in which no search proves what a quiet one is worth, those positions are
looked for in which all but one let the other side win at once (``--forced``). That is seen by trying the
replies, and of the one that is left a search proves what it is worth. In games of lines, renju among them,
those are found as well in which one move wins by nothing but threats, and all others lose to threats: there
each has one reply at most, so that a whole proof is small.

Where levels leave nothing open for long, what games ask is seen at once. Harder questions are found in
positions that are dealt (``--dealt``): so many marks at random, after which nobody can win at once, several
moves do not lose at once, and, in games of lines, one side would win by threats if it were to move.

None of these is a puzzle of 4d (500 with ``--dealt 6-28``): where nobody can win at once, most moves win.
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

from benchmarks.puzzle_deals import asks_something, deal, moves_by_position
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
"""How many moves a player may try for one of its own in these games."""

PROOF_NODES = 30_000
"""How many moves the proof of a puzzle may try: whoever judges what is tried has to find it again."""

SAMPLED, SAMPLE_NODES = 3, 3_000
"""After an opening at random so many moves of a position are tried before all, with so many nodes each."""

MANY_MOVES = 30
"""Of so many moves one at random is hardly the right one."""

BACK = 24
"""How many plies before the end are looked at; where proofs stop, a few farther."""

UNPROVED = 4
"""After so many positions in a row that cannot be proved, none before them is tried."""

FEWEST = 4
"""A position with fewer legal moves is no question."""

LONGEST = 6
"""A win takes the solver no more moves than that."""

SAVES = 4
"""So many moves in a row, each the only one, a puzzle of saving asks for at most."""

FROM_ONE_GAME = 3
"""More are not taken from one game: they are alike."""

THREATS = 2
"""So many threats of one's own are tried before a move that loses is refuted."""


def cut(
    name: str,
    number: int,
    at_random: int | None = None,
    nodes: int = PROOF_NODES,
    is_forced: bool = False,
) -> list[Puzzle]:
    """The puzzles in the self-play of that *number*, without their numbers and grades.

    It begins with *at_random* moves at random, unless told with one or two; *nodes* are those of a proof.
    Where it *is_forced* those alone are looked for in which all moves but one lose at once.
    """
    game, analyst = _self_play(name, number, at_random), Analyst()
    found: list[Puzzle] = []
    unproved = 0
    for _ in range(min(BACK, game.ply - 1)):
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
        if unproved == UNPROVED:
            break
        if (puzzle := _puzzle(game, name, known, analyst)) is not None:
            found.append(puzzle)
    if is_forced:  # they are alike: what is forced goes on being so
        return sorted(found, key=lambda puzzle: len(puzzle.line.split()))[-1:]
    return Random(f"{name} {number}").sample(found, min(len(found), FROM_ONE_GAME))


def cut_dealt(name: str, number: int, fewest: int, most: int, nodes: int = PROOF_NODES) -> list[Puzzle]:
    """The puzzle that the position of that *number* is, of so many dealt marks, or none."""
    game = deal(name, number, fewest, most)
    if not asks_something(game):
        return []
    analyst = Analyst()
    is_large = ThreatSearch.supports(game) and len(game.legal_moves()) > MAX_SEARCHED_MOVES
    known = analyse_threats(game, nodes) if is_large else analyst.analyse(game, Limit(nodes=nodes))
    puzzle = None if known is None else _puzzle(game, name, known, analyst)
    return [] if puzzle is None else [puzzle]


def _may_be_one(game: Game, analyst: Analyst) -> bool:
    """Whether some moves at random are soon proved not to win; where there are few, all are tried anyway.

    In most positions of a large game nothing is proved of a move that does nothing; that is soon seen.
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
    """What the moves of *game* are worth where one wins by threats alone, and all others lose to threats.

    None where that is not so, or not proved with so many *nodes* for each move.
    """
    found = ThreatSearch(game).solve(Limit(nodes=nodes))
    if found.value != 1 or not _all_lose(game, nodes, but=found.best):
        return None
    values = (MoveValue(move, 1 if move == found.best else -1) for move in game.legal_moves())
    return replace(found, moves=tuple(values))


def _all_lose(game: Game, nodes: int, threats: int = THREATS, but: Move | None = None) -> bool:
    """Whether all moves of *game* *but* one are proved to lose to threats, perhaps after their own."""
    if game.outcome is not None:
        return False
    moves = [move for move in game.legal_moves() if move != but]
    for move in Random(format_position(game)).sample(moves, len(moves)):  # one that does not lose is soon met
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
    """What the moves of *game* are worth where all but those to one position lose at once, or to threats.

    None where that is not so, or where so many *nodes* do not prove what that position is worth.
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
    """A game of two levels against each other, to its end."""
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
    """The puzzle that *game* is, as *known*, without its number and grade; None if it is none."""
    kind = _kind(game, known)
    line = None if kind is None else _line(game, kind, known, analyst)
    if kind is None or line is None:
        return None
    return Puzzle(0, name, format_position(game), kind, 0, " ".join(_texts(game, line)))


def _kind(game: Game, known: Analysis) -> str | None:
    """Whether one move alone wins, or one alone saves; None for a position that is no puzzle."""
    if not known.is_complete or len(known.moves) < FEWEST:
        return None
    values = values_of_positions(game, known)
    if values[1] == 1 and own_moves(known.plies or 0, game) <= LONGEST:
        return "win"
    return "save" if not values[1] and values[0] == 1 else None


def values_of_positions(game: Game, known: Analysis) -> Counter[int | None]:
    """How many positions that a move of *game* leads to have which value, as *known*, for who moves."""
    return Counter({key_after(game, move.move): move.value for move in known.moves}.values())


def _line(game: Game, kind: str, known: Analysis, analyst: Analyst) -> tuple[Move, ...] | None:
    """The moves of best play that the puzzle asks for, with the answers; None where they are not found."""
    if kind == "win":
        return known.pv if len(known.pv) == known.plies else None
    game, line = game.copy(), []
    side = game.turn
    while known.best is not None:
        line.append(known.best)
        game.play(known.best)
        if len(line) >= 2 * SAVES - 1 or game.outcome is not None or game.turn == side:
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
    """The games of two sides of the catalogue."""
    return tuple(entry.name for entry in CATALOGUE if len(new_game(entry.name).sides) == 2)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", action="append", choices=games_with_puzzles())
    parser.add_argument("--games", type=int, default=40, help="how many games are played of each")
    parser.add_argument("--first", type=int, default=0, help="the number of the first of them")
    parser.add_argument("--random", type=int, help="how many moves at random they begin with")
    parser.add_argument("--dealt", help="from marks that are dealt, not from games: how many, as 10-16")
    parser.add_argument("--nodes", type=int, default=PROOF_NODES, help="how many moves a proof may try")
    parser.add_argument("--forced", action="store_true", help="only where all moves but one lose at once")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="add them to those that are shipped")
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
    """Write the file that is shipped."""
    FILE_PATH.write_text("".join(f"{puzzle.as_line()}\n" for puzzle in puzzles), encoding="utf-8")


FILE_PATH = Path(__file__).parent.parent / "src" / "noughts" / "puzzles" / FILE

if __name__ == "__main__":
    main()
