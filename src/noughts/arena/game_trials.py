"""Trials of a game: everything that a game promises, tried in random play.

The tests of noughts try its own games in this way. ``noughts games --check NAME`` tries games of other
packages.
"""

import copy
import pickle
from collections.abc import Callable, Iterator
from itertools import count, islice, product
from math import prod
from random import Random
from typing import Any, NamedTuple

from noughts.errors import BadInput, GameBroken, GameOver, NothingToUndo, NoughtsError
from noughts.games.base import PASS, Game, Message
from noughts.games.contract import MAX_DRAWN, check_line, check_position, is_stop, visible_facts
from noughts.games.moves import cells_of, choices_of, parts_of
from noughts.games.notation import format_move, format_position, parse_move, parse_position
from noughts.records.record import Record, format_record, parse_record
from noughts.text import words_of

LONG = 90
"""The number of plies after which a random game is left unfinished."""

LARGE = 3000
"""The number of cells of a board from which on only a few moves are tried."""

MAX_TRIED = 100
"""Maximum number of legal moves that are tried in a position."""

MAX_END = 2000
"""The number of plies within which random play is to end a game."""

ODD_TEXTS = ("1", "", "?", "x", "99999", "a", "-", "1 1 1 1", "\u0663")
"""Texts that may not be moves. Reading one must either work or raise a refusal."""

Make = Callable[[tuple[str, ...]], Game]
"""A function that makes a fresh game for a turn order. An empty tuple is the usual order."""


class TrialFailed(AssertionError):
    """A game breaks a promise. The message is for its author."""


def need(condition: object, words: str) -> None:
    """Raise :class:`TrialFailed` with *words* unless *condition* is true."""
    if not condition:
        raise TrialFailed(words)


def playing(game: Game, seed: int, plies: int = LONG) -> Iterator[Game]:
    """Yield *game* before each move of a random game, and after the last."""
    chance = Random(seed)
    plies = plies if prod(game.shape) < LARGE else min(plies, 4)
    yield game
    while game.ply < plies and not game.is_over:
        game.play(chance.choice(game.legal_moves()))
        yield game


def ended(game: Game, seed: int = 1) -> Game | None:
    """Return *game* played to its end, or None if random play does not end it."""
    chance = Random(seed)
    for _ in range(MAX_END):
        if game.is_over:
            return game
        game.play(chance.choice(game.legal_moves()))
    return None


def candidates(game: Game) -> list[Any]:
    """Return all values in the form of a move; on a large board only those near its corners."""
    near = [
        range(side) if prod(game.shape) <= 300 else sorted({*range(min(2, side)), side - 1})
        for side in game.shape
    ]
    cells = list(product(*near))
    moves: list[Any] = list(game.legal_moves())
    if any(map(choices_of, moves)) and hasattr(moves[0], "coordinate"):
        chosen = [move for move in moves if cells_of(move) == cells_of(moves[0])]
        return [move._replace(coordinate=cell) for cell in cells for move in chosen]
    return [*cells, PASS]


def wrong_moves(game: Game) -> list[Any]:
    """Return values that are not moves of any game."""
    sizes: list[Any] = [(99,) * len(game.shape), game.shape, (0,) * 9, (-1,) * len(game.shape)]
    marked = [((0,) * len(game.shape), "Q"), (None, "X"), ((99, 99), "X"), ((0, 0), None), ("X", "X")]
    odd = ["X", "X5", b"", {"a": 1}, (part for part in "ab"), count(), float("nan"), ..., ("X",)]
    return [*sizes, *marked, *odd]


def is_legal(game: Game, move: Any) -> bool:
    """Return True if *move* names a legal move, also in another spelling such as a bare int or a list."""
    legal = game.legal_moves()
    single = len(game.shape) == 1 and isinstance(move, int) and (int(move),) in legal
    return single or move in legal or (move == [] and PASS in legal)


def refusal(game: Game, move: Any) -> NoughtsError | None:
    """Return the error with which *game* refuses *move*, or None if it accepts it."""
    try:
        game.play(move)
    except BadInput as error:
        return error
    return None


# The trials


def try_legal(make: Make) -> None:
    """Check that exactly the legal moves are accepted."""
    for position in playing(make(()), 0, 30 if prod(make(()).shape) < 300 else 5):
        legal, before = set(position.legal_moves()), visible_facts(position)
        need(len(legal) == len(position.legal_moves()), f"a move twice after {position.moves}")
        for move in [
            *islice(position.legal_moves(), MAX_TRIED),
            *candidates(position)[:: 1 if position.ply < 8 else 5],
        ]:
            copied = position.copy()
            refused = refusal(copied, move)
            need((refused is None) == (move in legal), f"{move} after {position.moves}: {refused}")
            if refused is None:
                need(copied.moves == (*position.moves, move), f"moves after {move}: {copied.moves}")
                need(copied.undo() == move, f"undo does not return {move}")
            need(visible_facts(copied) == before, f"{move} changes the position after {position.moves}")


def try_refusal(make: Make) -> None:
    """Check that wrong moves are refused and change nothing."""
    for position in playing(make(()), 3, 4):
        before = visible_facts(position)
        for wrong in [move for move in wrong_moves(position) if not is_legal(position, move)]:
            need(refusal(position, wrong), f"{wrong!r} is accepted")
        need(visible_facts(position) == before, f"a wrong move changes the position after {position.moves}")


def try_end(make: Make) -> None:
    """Check that every move after the end is refused."""
    position = ended(make(()))
    if position is None:
        return
    before = visible_facts(position)
    need(not position.legal_moves(), "there are legal moves after the end")
    for move in [*candidates(position)[:100], *wrong_moves(position)]:
        need(isinstance(refusal(position, move), GameOver), f"{move!r} is not refused with GameOver")
    need(visible_facts(position) == before, "a move after the end changes the position")


def try_outcome(make: Make) -> None:
    """Check that the outcome agrees with the end, and that its lines are lines."""
    for seed in range(5):
        for position in playing(make(()), seed):
            outcome = position.outcome
            need(position.is_over == (outcome is not None) == (not position.legal_moves()), "is_over")
            need(position.winner == (outcome.winner if outcome else None), "winner")
            if outcome is not None:
                need(outcome.winner in (*position.sides, None), f"winner: {outcome.winner}")
                need(outcome.termination in position.terminations, f"termination: {outcome.termination}")
                need(isinstance(position.end_text(outcome), Message), "end_text")
                for line in outcome.lines:
                    check_line(position, line)


def try_undo(make: Make) -> None:
    """Check that undo goes back to the start, step by step."""
    game = make(())
    states = [visible_facts(position) for position in playing(game, 7)]
    moves = list(game.moves)
    for expected in reversed(states[:-1]):
        need(game.undo() == moves.pop(), "undo returns another move")
        need(visible_facts(game) == expected, f"undo leads to another position after {game.ply} moves")
    try:
        game.undo()
    except NothingToUndo:
        need(visible_facts(game) == states[0], "undo at the start changes the position")
    else:
        raise TrialFailed("undo at the start raises nothing")


def try_copy(make: Make) -> None:
    """Check that copies are independent."""
    for position in playing(make(()), 8, 20):
        if position.is_over:
            return
        before = visible_facts(position)
        for way in (Game.copy, copy.copy, copy.deepcopy, _pickled):
            copied = position.copy() if way is Game.copy else way(position)
            need(visible_facts(copied) == before, f"{way.__name__}: another position")
            copied.play(copied.legal_moves()[-1])
            need(visible_facts(position) == before, f"{way.__name__} shares what a move changes")
            need(copied.key() != position.key(), "key: the same before and after a move")


def _pickled(game: Game) -> Game:
    unpickled: Game = pickle.loads(pickle.dumps(game))  # noqa: S301 - our own text
    return unpickled


def try_notation(make: Make) -> None:
    """Check that the text of a move can be read back."""
    for first in (0, 1):
        for position in playing(make(()), 10, 10 if first else 30):
            texts = [format_move(position, move, first) for move in position.legal_moves()]
            need(len(set(texts)) == len(texts), f"one text for two moves after {position.moves}")
            for move, text in list(zip(position.legal_moves(), texts, strict=True))[:500]:
                for spelled in (text, f" {text.lower()}\n"):
                    need(parse_move(position, spelled, first) == move, f"{spelled!r} is not read as {move}")
    for text in ODD_TEXTS:
        try:
            parse_move(make(()), text)
        except NoughtsError as error:
            cause = error.__cause__
            need(cause is None or isinstance(cause, NoughtsError), f"parse of {text!r}: {cause!r}")


def try_position(make: Make) -> None:
    """Check that the text of a position can be read back."""
    for seed in range(3):
        for position in playing(make(()), seed, 25 if prod(make(()).shape) < LARGE else 3):
            text = format_position(position)
            again = parse_position(make(()), text)
            need(format_position(again) == again.start == text, f"{text}: written otherwise")
            need((again.moves, again.ply) == ((), 0), f"{text}: with moves")
            facts = [(each.cells, each.turn, each.key()) for each in (again, position)]
            need(facts[0] == facts[1], f"{text}: another position")
            if position.winner or not position.is_over:
                need(again.winner == position.winner, f"{text}: another winner")
                need(again.legal_moves() == position.legal_moves(), f"{text}: other legal moves")


def try_facts(make: Make) -> None:
    """Check that the facts of a fresh game agree."""
    game = make(())
    need((game.ply, game.turn, game.is_over) == (0, game.sides[0], False), "it has begun already")
    need(len(game.cells) == prod(game.shape) and game.board.cells == game.cells, "cells do not fit the shape")
    layout, size = game.layout, prod(game.shape)
    places = [layout.place(index) for index in range(size)]
    need(layout.planes * layout.rows * layout.columns == size == len(set(places)), f"{layout}")
    need(game.rule_text and all(message.id for message in game.rule_text), "there is no rule text")
    need(type(game).__name__ in repr(game), "repr does not name the class")
    need(game.last_cells() == (), "last_cells before the first move")


def try_answers(make: Make) -> None:
    """Check that all values for interfaces have the expected form."""
    for position in playing(make(()), 13, 12):
        check_position(position, drawn=False)
        for move in position.legal_moves()[:20]:
            need(parts_of(move), f"{move!r} has no parts")
        copied = position.with_turn(position.turn)
        need(copied is not None and copied.key() == position.key(), "with_turn: another position")
        if position.moves:
            cells = position.last_cells()
            is_seen = any(position[cell] is not None for cell in cells)
            need(is_seen or not cells, f"last_cells: {cells} are all empty")


def try_drawing(make: Make) -> None:
    """Check that positions can be drawn as text and as a picture."""
    for position in playing(make(()), 5, 6):
        if len(position.cells) <= MAX_DRAWN:
            check_position(position)
    if (last := ended(make(()))) is not None and len(last.cells) <= MAX_DRAWN:
        check_position(last)


def try_repeat(make: Make) -> None:
    """Check that the same moves lead to the same positions."""
    one, two = ([position.key() for position in playing(make(()), 12, 20)] for _ in range(2))
    need(one == two, "the same moves lead to different positions")


def try_sides(make: Make) -> None:
    """Check that either side can begin."""
    usual = make(()).sides
    game = make(usual[::-1])
    need(game.sides == usual[::-1], f"sides: {game.sides} instead of {usual[::-1]}")
    need(game.turn == usual[-1], f"turn: {game.turn} instead of {usual[-1]}")
    game.play(game.legal_moves()[0])
    placed = game.at(game.cells, game.turn, game.extra or None)
    need(placed.sides == game.sides, f"at: sides {placed.sides}")


def try_record(make: Make) -> None:
    """Check that a finished game can be recorded and read back."""
    for position in playing(make(()), 14, 12):
        record = Record.of(position, {side: side for side in position.sides})
        again = parse_record(format_record(record)).replay()
        need(again.key() == position.key(), f"the record of {position.moves} leads to another position")


class GameTrial(NamedTuple):
    """A promise and the function that tries it."""

    name: str
    attempt: Callable[[Make], None]


TRIALS = tuple(
    GameTrial(attempt.__name__.removeprefix("try_"), attempt)
    for attempt in (
        *(try_facts, try_answers, try_legal, try_refusal, try_undo, try_copy, try_outcome, try_end),
        *(try_notation, try_position, try_repeat, try_sides, try_record, try_drawing),
    )
)
"""All trials, in the order in which they are reported."""


def try_game(make: Make) -> dict[str, str]:
    """Return the faults of the games that *make* makes: a description by the name of each failed trial."""
    failed = dict[str, str]()
    for trial in TRIALS:
        try:
            trial.attempt(make)
        except (TrialFailed, GameBroken) as fault:
            failed[trial.name] = fault.words if isinstance(fault, GameBroken) else str(fault)
        except BaseException as error:
            if is_stop(error):
                raise
            failed[trial.name] = words_of(error)
    return failed
