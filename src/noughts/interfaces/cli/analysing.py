"""The command ``analyse``, and the use of the analyst by all commands.

A search has a time limit, Ctrl-C is its stop signal, and a terminal shows its progress.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import click

from noughts.core.lines import MAX_ENUMERATED
from noughts.drawing.tree import MAX_POSITIONS, Tree, draw_tree
from noughts.errors import NotationError, UnsupportedRules
from noughts.games.base import Game
from noughts.games.catalogue import name_of, new_game
from noughts.games.notation import format_move, parse_position
from noughts.interfaces.cli.localized_click import ParsedText, command, json_option, print_json, whole_number
from noughts.interfaces.cli.localized_click import seconds as seconds_type
from noughts.interfaces.console.analysis import print_analysis
from noughts.interfaces.console.prompts import Conversation
from noughts.interfaces.console.replay import PICTURE, reporting_file_errors
from noughts.interfaces.console.terminal import Terminal
from noughts.interfaces.presenting.analysis_texts import (
    WORDS,
    forbidden_as_json,
    reason_as_json,
    say_no_value,
)
from noughts.interfaces.presenting.i18n import ReadableError, Translator
from noughts.interfaces.presenting.match_texts import play_texts
from noughts.interfaces.presenting.tasks import MoveEvaluation, with_reasons
from noughts.interfaces.presenting.terminal_capabilities import columns_of
from noughts.interfaces.presenting.titles import title_of
from noughts.players.trees import METHODS, USUAL, nodes_of, search_tree
from noughts.records.files import write_atomically
from noughts.search.analysis import Analysis, Limit, Progress, SearchQuestion, never, no_report
from noughts.search.analyst import Analyst
from noughts.search.background_compile import preparing_clock
from noughts.search.numba_backend import Machine
from noughts.search.parallel.division import Workers
from noughts.text import display_width, fit

if TYPE_CHECKING:
    from noughts.arena.match import Match
    from noughts.search.explain.review import Review

Answer = TypeVar("Answer")

UPDATE_SECONDS = 0.2
"""The time between two updates of the progress, in seconds."""

UPDATE_RATIO = 10
"""The time between two updates of several lines, as a multiple of the time to draw them."""

DEFAULT_COLUMNS, DEFAULT_LINES = 80, 24
"""The assumed size of a terminal whose size is unknown, in columns and lines."""

ANALYSE_SECONDS = 10.0
"""The default time limit of a search, in seconds."""

game_argument = click.argument("game", default="tictactoe")
limit_option = partial(click.option, "--limit-seconds", type=seconds_type(), metavar="S")


def _parse_method(text: str) -> str:
    """Return the name of a method. Raises ValueError if it is unknown."""
    nodes_of(text)
    return text


@command(epilog="help-analyse-more")
@game_argument
@click.option("--moves", metavar="MOVES")
@click.option("--position", metavar="POSITION")
@limit_option(default=ANALYSE_SECONDS)
@click.option("--tree", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--method", type=ParsedText(_parse_method, "answer-one-of", choices=METHODS), metavar="METHOD")
@click.option("--depth", type=whole_number(1, MAX_POSITIONS), metavar="N")
@click.option("--seed", type=whole_number(), metavar="N")
@json_option
@click.pass_obj
def analyse(
    say: Translator,
    game: str,
    moves: str | None,
    position: str | None,
    limit_seconds: float,
    tree: Path | None,
    method: str | None,
    depth: int | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Print the values of a position and its moves with reasons, or draw the search tree."""
    here = _read_game(say, game, moves, position)
    if tree is None and (method or depth or seed is not None):
        raise ReadableError(say("usage-tree-alone"))
    if tree is not None:
        if tree.suffix.lower() != PICTURE:
            raise ReadableError(say("usage-tree-svg"))
        written = write_tree(say, search_tree(here, method or USUAL, depth, seed), tree)
        if not as_json:
            Conversation(Terminal(), say).sentence(written)
            return

    def ask(analyst: Analyst, limit: Limit) -> MoveEvaluation:
        limit = limit.started()
        return with_reasons(here, analyst.analyse(here, limit), analyst, limit)

    worth, seconds = find_answer(say, here, limit_seconds, ask)
    analysis, reasons = worth.analysis, worth.reasons
    if not as_json:
        print_analysis(say, here, analysis, reasons, seconds)
        return
    moves_as_json = [
        {
            "move": format_move(here, known.move),
            "value": WORDS[known.value],
            "plies": known.plies,
            "reason": reason_as_json(here, reasons[known.move]),
        }
        for known in analysis.moves
    ]
    value = WORDS[analysis.value]
    facts = {"game": name_of(here), "value": value, **facts_as_json(here, analysis, seconds)}
    print_json({**facts, "moves": moves_as_json, "forbidden": forbidden_as_json(here)})


def _read_game(say: Translator, name: str, moves: str | None, position: str | None) -> Game:
    """Return the position that the arguments of ``analyse`` describe."""
    if moves is not None and position is not None:
        raise ReadableError(say("usage-moves-or-position"))
    game = new_game(name)
    if position is not None:
        try:
            return parse_position(game, position)
        except NotationError as error:
            raise NotationError("position", position, error.reason, **error.data) from None
    play_texts(say, game, moves or "")
    return game


def write_tree(say: Translator, tree: Tree, path: Path) -> str:
    """Draw *tree* to *path*. Return sentences about its size."""
    with reporting_file_errors(path):
        write_atomically(path, draw_tree(tree, title=title_of(say, name_of(tree.position))))
    cut = sum(node.is_cut for node in tree.walk())
    shown = sum(1 for _ in tree.walk()) - cut
    if tree.visits is not None:
        played = say.plural("tree-played", tree.visits, file=str(path))
        return say.joined([played, say.plural("tree-shown", shown)])
    looked_at = say.plural("tree-looked-at", shown, file=str(path))
    return say.joined([looked_at, say.plural("tree-cut", cut)] if cut else [looked_at])


def facts_as_json(game: Game, analysis: Analysis, seconds: float) -> dict[str, Any]:
    """Return the data that ``solve`` and ``analyse`` print beside the value."""
    return {
        **({"at_least": "draw"} if analysis.cannot_lose else {}),
        **({"at_most": "draw"} if analysis.cannot_win else {}),
        "plies": analysis.plies,
        "best": None if analysis.best is None else game.notation.format(analysis.best),
        "nodes": analysis.nodes,
        "seconds": round(seconds, 3),
    }


# The analyst


def find_answer(
    say: Translator,
    game: Game,
    seconds: float,
    ask: Callable[[Analyst, Limit], Answer],
    machine: Machine | None = None,
    workers: Workers | None = None,
) -> tuple[Answer, float]:
    """Return the answer of *ask* for an analyst with *machine* and *workers*, and the seconds it took.

    The time for preparing kernels counts neither in the result nor towards the limit of *seconds*.
    """
    if len(game.sides) > 2 or len(game.cells) > MAX_ENUMERATED:
        raise ReadableError(say_no_value(say, game))
    with shown_progress(say, sides=game.sides) as report, interruptible() as stop:
        started = preparing_clock()
        limit = Limit(seconds=seconds, stop=stop, now=preparing_clock)
        try:
            answer = ask(Analyst(report, machine, workers=workers), limit)
        except UnsupportedRules:
            raise ReadableError(say_no_value(say, game)) from None
        return answer, preparing_clock() - started


def review_match(match: "Match", say: Translator) -> "Iterator[Review]":
    """Review the game of *match* in limited time, and yield the result after each searched position.

    The last position comes first. After Ctrl-C no more positions are searched.
    """
    if len(match.game.cells) > MAX_ENUMERATED:
        raise ReadableError(say("no-value-too-large", most=MAX_ENUMERATED))
    return _reviews(match, say)


def _reviews(match: "Match", say: Translator) -> "Iterator[Review]":
    from noughts.interfaces.presenting.review_texts import review_limit
    from noughts.search.explain.review import reviews

    game, analyst = match.game, Analyst()
    seconds = review_limit(game)
    with changing_line() as show, interruptible() as stop:

        def ask(position: Game) -> Analysis:
            return analyst.analyse(position, Limit(seconds=seconds, stop=stop))

        for review in reviews(game, ask, settled_from=match.settled_from):
            show("")  # The caller prints on this line.
            yield review
            show(say("progress-review", done=game.ply - review.waiting, count=game.ply))


@contextlib.contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Yield a stop signal that Ctrl-C or a shutdown of the system sets.

    The second signal of a kind has its usual effect.
    """
    if threading.current_thread() is not threading.main_thread():
        yield never
        return
    requested = threading.Event()
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def stop(number: int, _frame: object) -> None:
        requested.set()
        signal.signal(number, usual[signal.Signals(number)])

    for number in usual:
        signal.signal(number, stop)
    try:
        yield requested.is_set
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)


def say_question(
    say: Translator, progress: Progress, question: SearchQuestion, sides: Sequence[str], seconds: float
) -> str:
    """Return the progress of a search after *seconds*, with its present question about one of *sides*."""
    kind = "soon" if question.depth else question.kind
    proof, disproof = question.numbers or (0, 0)
    return say(
        "progress-solving",
        nodes=progress.nodes,
        rate=round(progress.nodes / max(seconds, UPDATE_SECONDS)),
        memory=-(-progress.table_bytes // 1_000_000),
        question=say(
            f"progress-asks-{kind}",
            side=sides[question.side],
            depth=question.depth,
            proof=proof,
            disproof=disproof,
        ),
    )


@contextlib.contextmanager
def shown_progress(
    say: Translator, now: Callable[[], float] = monotonic, sides: Sequence[str] = ()
) -> Iterator[Callable[[Progress], None]]:
    """Yield a function that shows progress in one line on standard error, if that is a terminal.

    It is updated slowly enough to be read. The question of the search names its side among *sides*.
    """
    soonest, begun = 0.0, now() if sides else 0.0

    def report(progress: Progress) -> None:
        nonlocal soonest
        if now() >= soonest:
            soonest = now() + UPDATE_SECONDS
            if preparing_clock.is_paused:
                show(say("progress-preparing", nodes=progress.nodes))
                return
            if progress.question is None or not sides:
                show(say("progress-searching", nodes=progress.nodes, depth=progress.depth))
                return
            show(say_question(say, progress, progress.question, sides, now() - begun))

    with changing_line() as show:
        yield report if _shows_progress() else no_report


@contextlib.contextmanager
def changing_line() -> Iterator[Callable[[str], None]]:
    """Yield a function that replaces the text of one line on standard error, if that is a terminal.

    The text is cut to the width of the terminal, since a second line could not be erased.
    """
    shown = ""

    def show(text: str) -> None:
        nonlocal shown
        if _shows_progress():
            room = (columns_of(sys.stderr, os.environ) or DEFAULT_COLUMNS) - 1
            columns = min(room, max(display_width(shown), display_width(text)))
            print("\r" + fit(text, columns), end="" if text else "\r", file=sys.stderr, flush=True)
            shown = text

    try:
        yield show
    finally:
        if shown:
            show("")


@contextlib.contextmanager
def changing_lines(
    now: Callable[[], float] = monotonic,
) -> Iterator[Callable[[Callable[[int], Sequence[str]]], None]]:
    """Yield a function that replaces several lines on standard error, if that is a terminal.

    Its argument makes the lines for a given width. They are cut to the size of the terminal, and updated
    slowly enough to be read.
    """
    shown, soonest = 0, 0.0

    def show(make: Callable[[int], Sequence[str]]) -> None:
        nonlocal shown, soonest
        if not _shows_progress() or (at := now()) < soonest:
            return
        columns, height = _room()
        lines = [fit(line, columns) for line in make(columns)][-height:]
        print(_wiped(shown) + "\n".join(lines), file=sys.stderr, flush=True)
        shown = len(lines)
        soonest = at + max(UPDATE_SECONDS, UPDATE_RATIO * (now() - at))

    try:
        yield show
    finally:
        if shown:
            print(_wiped(shown), end="", file=sys.stderr, flush=True)


def _wiped(lines: int) -> str:
    """Return the escape sequence that erases *lines* lines above the cursor."""
    return f"\x1b[{lines}A\x1b[J" if lines else ""


def _room() -> tuple[int, int]:
    """Return the usable width and height of standard error, in columns and lines.

    The last column and the last line are not used.
    """
    columns = columns_of(sys.stderr, os.environ) or DEFAULT_COLUMNS
    try:
        lines = os.get_terminal_size(sys.stderr.fileno()).lines
    except (OSError, ValueError):
        lines = DEFAULT_LINES
    return columns - 1, max(lines - 1, 1)


def _shows_progress() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()
