"""The contract of games of other packages: their results are checked, and an error names the package.

A game of another package is guarded as soon as it is made. An exception of its code that breaks the contract
becomes a :class:`~noughts.errors.GameBroken`, which every interface can report. :func:`check_position` calls
every member that an interface uses of a position. :func:`check_move` tries a move on a copy.
"""

import re
import signal
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from inspect import getattr_static
from itertools import chain, islice
from math import prod
from typing import Any, TypeVar

from noughts.core.board import Coordinate
from noughts.core.geometry import Line
from noughts.errors import BadInput, GameBroken, IllegalMove, NotationError, NothingToUndo, NoughtsError
from noughts.games.base import Annotations, Game, Message, Move, Outcome, Purpose
from noughts.games.layout import Layout
from noughts.games.lines_through import LinesThrough
from noughts.games.moves import parts_of
from noughts.text import words_of

GuardedGame = TypeVar("GuardedGame", bound=Game)

RESERVED = ("resignation", "agreement", "time", "abandonment", "forfeit", "adjudication", "aborted", "broken")
"""The codes of the ends of matches, which no game can use for its own ends."""

MAX_DRAWN = 400
"""The largest board in cells that is drawn in a check. Larger ones take too long."""

MAX_LINES = 1000
"""The maximum number of lines of an outcome. Each is drawn and named. All lines of four on 15x15 are 648."""

MAX_MARK = 16
"""The longest mark, in characters."""

_TERMINATION = re.compile(r"[a-z][a-z-]{0,39}")
_NUMBERED = re.compile(r"(?:lead|turns):(?!-?[0-9]{1,9}$)")
"""A code without the number that it needs."""

MAX_MOVES = 500
"""Maximum number of moves of a position that a check views."""

MAX_READ = 50
"""Maximum number of moves of a position that a check writes and reads back."""

_ORIGIN = "_noughts_origin"
"""The attribute of a guarded class that holds the name of the game and its package."""


# Guarding


def guard(game: GuardedGame, name: str, package: str) -> GuardedGame:
    """Make *game*, called *name*, report its faults as those of *package*, and return it."""
    if not is_guarded(game):
        game.__class__ = _guarded(type(game), name, package)
    return game


def is_guarded(game: Game) -> bool:
    """Return True if *game* belongs to another package and is guarded."""
    return hasattr(type(game), _ORIGIN)


def fault(game: Game, words: str) -> GameBroken:
    """Return the error that reports *words* as a fault of *game*."""
    name, package = getattr(type(game), _ORIGIN, (type(game).__name__, ""))
    return GameBroken(name, package, words)


@lru_cache(maxsize=256)
def _guarded(base: type[Any], name: str, package: str) -> type[Any]:
    """Return a subclass of *base* that behaves alike and reports faults as those of *package*."""
    members: dict[str, Any] = {
        fact: getattr(base, fact) for fact in ("__module__", "__qualname__", "__doc__")
    }
    members |= {"__slots__": (), _ORIGIN: (name, package), "__reduce_ex__": _reduce, "play": _play_of(base)}
    for member, (check, allowed) in _METHODS.items():
        members[member] = _reporting(getattr(base, member), member, check, allowed)
    for member, (check, allowed) in _PROPERTIES.items():
        own = getattr_static(base, member)
        if isinstance(own, property) and own.fget is not None:  # plain values raise nothing
            members[member] = property(_reporting(own.fget, member, check, allowed), own.fset, own.fdel)
    kind: Any = type(base)
    made: type[Any] = kind(base.__name__, (base,), members)
    return made


def _reporting(
    function: Callable[..., Any],
    name: str,
    check: Callable[[Any, Any], Any],
    allowed: tuple[type[BaseException], ...],
) -> Callable[..., Any]:
    def call(self: Any, *arguments: Any, **named: Any) -> Any:
        try:
            return check(self, function(self, *arguments, **named))
        except BaseException as error:
            if isinstance(error, (GameBroken, *allowed)):
                raise
            raise _as_fault(self, name, error) from error

    call.__doc__ = function.__doc__
    return call


def _as_fault(game: Any, name: str, error: BaseException) -> BaseException:
    """Return the error to raise for *error*, which came from the member *name*."""
    if isinstance(error, GameBroken) or is_stop(error, _modules(game)):
        return error
    return fault(game, f"{name}: {words_of(error)}")


@contextmanager
def _ignoring_errors(game: Game) -> Iterator[None]:
    """Ignore all exceptions of the code of *game*, except interrupts of the program."""
    try:
        yield
    except BaseException as error:
        if is_stop(error, _modules(game)):
            raise


def _modules(game: Game) -> set[str]:
    """Return the modules of the code of *game*."""
    return {kind.__module__ for kind in type(game).__mro__}


def is_stop(error: BaseException, modules: Iterable[str] = ()) -> bool:
    """Return True if *error* interrupts the program, and was not raised by the code of *modules*.

    It is Ctrl-C or the exception of a signal handler. Code of another package that raises any other
    exception, such as ``SystemExit``, is at fault.
    """
    if isinstance(error, Exception):
        return False
    if threading.current_thread() is not threading.main_thread():  # no other thread handles signals
        return False
    if type(error) is KeyboardInterrupt:
        return not _raises(modules, error)
    from traceback import walk_tb  # slow to load

    handlers = map(signal.getsignal, signal.valid_signals())
    codes = {code for one in handlers if (code := getattr(one, "__code__", None)) is not None}
    return any(frame.f_code in codes for frame, _ in walk_tb(error.__traceback__))


def _raises(modules: Iterable[str], error: BaseException) -> bool:
    """Return True if a ``raise`` in the packages of *modules* made *error*, unlike Ctrl-C."""
    from dis import opname

    trace: Any = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    code, package = trace.tb_frame.f_code, str(trace.tb_frame.f_globals.get("__name__")).partition(".")[0]
    return (
        package in {name.partition(".")[0] for name in modules}
        and opname[code.co_code[trace.tb_lasti]] == "RAISE_VARARGS"
    )


def _play_of(base: type[Any]) -> Callable[[Any, Any], None]:
    def play(self: Any, move: Iterable[Any]) -> None:
        before = self.ply
        try:
            base.play(self, move)
            if self.ply != before + 1:  # players and searches would wait for the end for ever
                raise fault(self, f"play: {self.ply - before} moves were made")
            _check_outcome(self, _own(self, "outcome"))
        except BaseException as error:
            if isinstance(error, BadInput):
                raise
            if is_made := self.ply != before:
                with _ignoring_errors(self):
                    base.undo(self)
            blamed = _as_fault(self, "play", error)
            if blamed is not error and not (is_made or _is_legal(self, move)):
                raise IllegalMove(move, ()) from error  # the caller is at fault
            raise blamed from error

    play.__doc__ = base.play.__doc__
    return play


def _is_legal(game: Game, move: object) -> bool:
    with _ignoring_errors(game):
        return move in game.legal_moves()
    return True


def _own(game: Game, name: str) -> Any:
    """Return the attribute *name* of *game*. Raise a fault if the attribute raises."""
    try:
        return getattr(game, name)
    except BaseException as error:
        raise _as_fault(game, name, error) from error


def _reduce(self: Any, protocol: Any) -> tuple[Any, ...]:
    """Return the pickle arguments of the game: its own class, to be guarded again."""
    kind = type(self)
    (base,), origin = kind.__bases__, getattr(kind, _ORIGIN)
    make, arguments, *rest = super(kind, self).__reduce_ex__(protocol)
    return (remake, (origin, make, tuple(base if one is kind else one for one in arguments)), *rest)


def remake(origin: tuple[str, str], make: Callable[..., Game], arguments: tuple[Any, ...]) -> Game:
    """Return the guarded game from its pickle."""
    return guard(make(*arguments), *origin)


# Types of the results of each member


def _fail(game: Game, name: str, value: object, wanted: str) -> GameBroken:
    shown = f"<{type(value).__name__}>"
    with _ignoring_errors(game):
        shown = ascii(value)[:80]
    article = "an" if wanted[0] in "AEIOaeiou" else "a"
    return fault(game, f"{name}: {shown} is not {article} {wanted}")


def _is(kind: type | tuple[type, ...], name: str) -> Callable[[Any, Any], Any]:
    """Return a check that a value is of *kind*."""
    wanted = getattr(kind, "__name__", "") or " or ".join(one.__name__ for one in kind)  # type: ignore[union-attr]

    def check(game: Game, value: Any) -> Any:
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
            raise _fail(game, name, value, wanted)
        return value

    return check


def _texts(name: str) -> Callable[[Any, Any], Any]:
    def check(game: Game, value: Any) -> Any:
        if not (isinstance(value, tuple) and all(isinstance(one, str) for one in value)):
            raise _fail(game, name, value, "tuple of str")
        return value

    return check


def _messages(game: Game, value: Any) -> Any:
    if not isinstance(value, tuple):
        raise _fail(game, "rule_text", value, "tuple")
    for one in value:
        _message("rule_text")(game, one)
    return value


def _message(name: str) -> Callable[[Any, Any], Any]:
    def check(game: Game, value: Any) -> Any:
        if (
            not isinstance(value, Message)
            or not isinstance(value.id, str)
            or not isinstance(value.data, dict)
        ):
            raise _fail(game, name, value, "Message")
        return value

    return check


def _is_cell(game: Game, cell: object) -> bool:
    shape = game.shape
    return (
        isinstance(cell, tuple)
        and len(cell) == len(shape)
        and all(type(part) is int and 0 <= part < side for part, side in zip(cell, shape, strict=True))
    )


def _cells(name: str) -> Callable[[Any, Any], Any]:
    def check(game: Game, value: Any) -> Any:
        if not isinstance(value, tuple) or not all(_is_cell(game, cell) for cell in value):
            raise _fail(game, name, value, "tuple of cells of the board")
        return value

    return check


def _check_moves(game: Game, moves: Any) -> Any:
    if not isinstance(moves, Sequence) or isinstance(moves, str | bytes):
        raise _fail(game, "legal_moves", moves, "sequence")
    return moves


def _check_outcome(game: Game, outcome: Any) -> Any:
    """Raise a fault unless *outcome* is None or an outcome that interfaces can show."""
    if outcome is None:
        return outcome
    if not isinstance(outcome, Outcome):
        raise _fail(game, "outcome", outcome, "Outcome")
    if outcome.winner is not None and outcome.winner not in game.sides:
        raise _fail(game, "Outcome.winner", outcome.winner, "side")
    if not isinstance(outcome.termination, str) or outcome.termination not in game.terminations:
        raise _fail(game, "Outcome.termination", outcome.termination, "code of its terminations")
    if not isinstance(outcome.lines, tuple):
        raise _fail(game, "Outcome.lines", outcome.lines, "tuple of Line")
    if len(outcome.lines) > MAX_LINES:
        raise fault(game, f"Outcome.lines: {len(outcome.lines)} lines, more than {MAX_LINES}")
    if len(set(outcome.lines)) < len(outcome.lines):
        raise _fail(game, "Outcome.lines", outcome.lines, "tuple of different lines")
    for line in outcome.lines:
        check_line(game, line)
    return outcome


def check_line(game: Game, line: Any) -> None:
    """Raise a fault unless interfaces can show and name *line*, a line of an outcome of *game*."""
    if not isinstance(line, Line):
        raise _fail(game, "Outcome.lines", line, "Line")
    cells = line.cells
    if not cells or not isinstance(cells, tuple) or not all(_is_cell(game, cell) for cell in cells):
        raise _fail(game, "Line.cells", cells, "tuple of cells of the board")
    if len(set(cells)) < len(cells):
        raise _fail(game, "Line.cells", cells, "tuple of different cells")
    if None in (marks := {game[cell] for cell in cells}) or len(marks) > 1:
        raise _fail(game, "Line.cells", cells, "tuple of cells with one mark")
    if line.step and not _is_straight(game, line):
        raise _fail(game, "Line.step", line.step, "step from each cell to the next (none: another shape)")


def _is_straight(game: Game, line: Line) -> bool:
    """Return True if the step of *line* leads from each cell to the next, also over an edge of the board."""
    step: Any = line.step
    is_step = isinstance(step, tuple) and len(step) == len(game.shape) and set(map(type, step)) == {int}
    if not is_step or not set(step) <= {-1, 0, 1} or not any(step):
        return False
    return all(
        (part + by - to) % side == 0
        for one, two in zip(line.cells, line.cells[1:], strict=False)
        for part, by, to, side in zip(one, step, two, game.shape, strict=True)
    )


def _check_layout(game: Game, layout: Any) -> Any:
    if not isinstance(layout, Layout):
        raise _fail(game, "layout", layout, "Layout")
    sides = (layout.planes, layout.rows, layout.columns)
    fields = layout.fields
    fits = (
        all(type(side) is int and side > 0 for side in sides)
        and prod(sides) == prod(game.shape)
        and isinstance(fields, tuple)
        and len(fields) == 2
        and all(type(side) is int and side >= 0 for side in fields)
        and (not all(fields) or (layout.rows % fields[0] == 0 and layout.columns % fields[1] == 0))
    )
    if not fits:
        raise _fail(game, "layout", layout, "Layout of this board")
    return layout


def _check_annotations(game: Game, annotations: Any) -> Any:
    if not isinstance(annotations, Annotations):
        raise _fail(game, "annotations", annotations, "Annotations")
    for name, kind in (("cells", tuple), ("fields", int), ("sides", str)):
        codes_of = getattr(annotations, name)
        if not isinstance(codes_of, Mapping):
            raise _fail(game, f"Annotations.{name}", codes_of, "mapping")
        for key, codes in codes_of.items():
            is_key = _is_cell(game, key) if kind is tuple else isinstance(key, kind)
            if not is_key or (kind is str and key not in game.sides):
                raise _fail(game, f"Annotations.{name}", key, "cell, field or side")
            if not isinstance(codes, tuple) or not all(isinstance(code, str) for code in codes):
                raise _fail(game, f"Annotations.{name}", codes, "tuple of codes")
            if wrong := [code for code in codes if _NUMBERED.match(code)]:
                raise _fail(game, f"Annotations.{name}", wrong[0], "code with a number")
    _check_fields(game, annotations)
    return annotations


def _check_fields(game: Game, annotations: Annotations) -> None:
    down, across = game.layout.fields
    count = prod(game.shape) // (down * across) if down and across else 0
    if wrong := [number for number in annotations.fields if not 0 <= number < count]:
        raise _fail(game, "Annotations.fields", wrong[0], "field of the board")


def _check_purpose(game: Game, value: Any) -> Any:
    if value is not None and not (
        isinstance(value, Purpose) and isinstance(value.code, str) and isinstance(value.data, dict)
    ):
        raise _fail(game, "purpose_of", value, "Purpose")
    return value


def _same_kind(name: str) -> Callable[[Any, Any], Any]:
    def check(game: Game, value: Any) -> Any:
        if value is None and name == "with_turn":
            return value
        if not isinstance(value, Game):
            raise _fail(game, name, value, "Game")
        return guard(value, *getattr(type(game), _ORIGIN))

    return check


class _Notation:
    """The notation of a guarded game. Its errors are faults of the game, unless it cannot read a text."""

    def __init__(self, game: Game, notation: Any) -> None:
        self._game, self._notation = game, notation
        self.kind = _is(str, "Notation.kind")(game, notation.kind)
        self.count = _is(int, "Notation.count")(game, notation.count)

    def parse(self, text: str, game: Game, first: int = 1) -> Move:
        try:
            move: Move = self._notation.parse(text, game, first)
        except BaseException as error:
            if isinstance(error, NoughtsError) or is_stop(error, _modules(self._game)):
                raise
            raise NotationError("move", text) from error
        return move

    def format(self, move: Move, first: int = 1) -> str:
        return self._text("format", move, first)

    def spell(self, move: Move, name: Callable[[Coordinate], str]) -> str:
        return self._text("spell", move, name)

    def _text(self, how: str, move: Move, more: object) -> str:
        try:
            text = getattr(self._notation, how)(move, more)
        except BaseException as error:
            raise _as_fault(self._game, f"Notation.{how}", error) from error
        if not isinstance(text, str) or not text.isprintable() or not text:
            raise _fail(self._game, f"Notation.{how}", text, "text of a move")
        return text


def _any(_: Game, value: Any) -> Any:
    return value


Check = tuple[Callable[[Any, Any], Any], tuple[type[BaseException], ...]]
_NONE: Any = type(None)

_METHODS: dict[str, Check] = {
    "undo": (_any, (NothingToUndo,)),
    "copy": (_same_kind("copy"), ()),
    "key": (_is(Hashable, "key"), ()),
    "at": (_same_kind("at"), (BadInput,)),
    "legal_moves": (_check_moves, ()),
    "end_text": (_message("end_text"), ()),
    "annotations": (_check_annotations, ()),
    "mark_of": (_is((str, _NONE), "mark_of"), ()),
    "last_cells": (_cells("last_cells"), ()),
    "purpose_of": (_check_purpose, ()),
    "with_turn": (_same_kind("with_turn"), ()),
    "lines_through": (_is((LinesThrough, _NONE), "lines_through"), (BadInput,)),
    "weight": (_is(int, "weight"), ()),
    "static_evaluation": (_is((int, _NONE), "static_evaluation"), ()),
}
"""The check of each method's result, and the exceptions that it may raise."""

_PROPERTIES: dict[str, Check] = {
    "name": (_is(str, "name"), ()),
    "sides": (_texts("sides"), ()),
    "turn": (_is(str, "turn"), ()),
    "moves": (_is(tuple, "moves"), ()),
    "outcome": (_check_outcome, ()),
    "is_over": (_is(bool, "is_over"), ()),
    "winner": (_is((str, _NONE), "winner"), ()),
    "ply": (_is(int, "ply"), ()),
    "cells": (_is(tuple, "cells"), ()),
    "notation": (_Notation, ()),
    "layout": (_check_layout, ()),
    "rule_text": (_messages, ()),
    "extra": (_is(str, "extra"), ()),
    "can_repeat": (_is(bool, "can_repeat"), ()),
    "facts": (_is(frozenset, "facts"), ()),
    "terminations": (_texts("terminations"), ()),
    "move_texts": (_is((tuple, _NONE), "move_texts"), ()),
}
"""The check of each property's value, and the exceptions that it may raise."""


# Checking


def check_position(game: Game, *, drawn: bool = True) -> None:
    """Raise :class:`~noughts.errors.GameBroken` if a member that interfaces use has a wrong result.

    With *drawn* the board is drawn, too, as text and as a picture.
    """
    shape = _own(game, "shape")
    if not isinstance(shape, tuple) or not all(type(side) is int and side > 0 for side in shape) or not shape:
        raise _fail(game, "shape", shape, "tuple of side lengths")
    for name, (check, _) in _PROPERTIES.items():  # The properties include members that are plain values.
        if name != "notation":
            check(game, _own(game, name))
    _check_facts(game)
    if game.name != getattr(type(game), _ORIGIN, (game.name,))[0]:
        raise _fail(game, "name", game.name, "name under which the game was loaded")
    outcome, moves = _own(game, "outcome"), game.legal_moves()
    _check_legal(game, moves)
    if (outcome is None) == (not moves):
        raise fault(game, f"legal_moves: {len(moves)} moves, outcome {'' if outcome else 'not '}known")
    if game.is_over != (outcome is not None) or game.winner != (outcome.winner if outcome else None):
        raise fault(game, "is_over or winner: not that of the outcome")
    if outcome is not None:
        game.end_text(outcome)
    game.annotations(), game.key(), game.last_cells(), game.static_evaluation()
    game.lines_through((0,) * len(game.shape)), game.with_turn(game.turn)
    if drawn and len(game.cells) <= MAX_DRAWN:
        try:
            str(game), game._repr_svg_()
        except BaseException as error:
            raise _as_fault(game, "drawing", error) from error


def _check_facts(game: Game) -> None:
    shape, sides, cells = game.shape, game.sides, game.cells
    if not sides or len(set(sides)) < len(sides) or not all(map(_is_mark, sides)):
        raise _fail(game, "sides", sides, "tuple of different marks")
    if game.turn not in sides:
        raise _fail(game, "turn", game.turn, "side")
    if len(cells) != prod(shape) or not all(mark is None or _is_mark(mark) for mark in cells):
        raise _fail(game, "cells", cells, f"tuple of {prod(shape)} marks or None")
    for code in game.terminations:
        if not _TERMINATION.fullmatch(code) or code in RESERVED:
            raise _fail(game, "terminations", code, "code of an end by the rules")
    for text in chain(game.facts, game.move_texts or ()):
        if not isinstance(text, str):
            raise _fail(game, "facts or move_texts", text, "str")


def _is_mark(mark: object) -> bool:
    return isinstance(mark, str) and 0 < len(mark) <= MAX_MARK and mark.isprintable() and not mark.isspace()


def _check_legal(game: Game, moves: Sequence[Move]) -> None:
    texts = dict[str, Move]()
    try:
        sorted(moves)
        is_sound = len(set(moves)) == len(moves)
    except BaseException as error:
        raise _as_fault(game, "legal_moves", error) from error
    if not is_sound:
        raise fault(game, "legal_moves: a move twice")
    notation = _own(game, "notation")
    if not isinstance(notation, _Notation):  # a notation that is not a property
        notation = _Notation(game, notation)
    for number, move in enumerate(islice(moves, MAX_MOVES)):
        if not isinstance(move, tuple):
            raise _fail(game, "legal_moves", move, "tuple")
        _check_parts(game, move)
        text = notation.format(move)
        notation.spell(move, str)
        if text in texts:
            raise fault(game, f"Notation.format: {text!r} for two moves")
        texts[text] = move
        if number < MAX_READ and notation.parse(text, game) != move:
            raise fault(game, f"Notation.parse: {text!r} is read as another move")
        game.mark_of(move), game.weight(move), game.purpose_of(move)


def _check_parts(game: Game, move: Move) -> None:
    try:
        parts = parts_of(move)
    except BaseException as error:
        raise _as_fault(game, "parts", error) from error
    if not isinstance(parts, tuple) or not parts:
        raise _fail(game, "parts", parts, "tuple of parts")
    for part in parts:
        if not (isinstance(part, str) or _is_cell(game, part)):
            raise _fail(game, "parts", part, "cell of the board or text")


def visible_facts(game: Game) -> tuple[Any, ...]:
    """Return all visible facts of the position of *game*."""
    facts = (game.cells, game.moves, game.ply, game.turn, game.outcome, game.extra, game.start)
    return (game.key(), tuple(game.legal_moves()), *facts)


def check_move(game: Game, move: Any, *, drawn: bool = True) -> Move:
    """Return the legal move that equals *move*. *game* is not changed.

    Raises the game's error if it refuses the move. Raises :class:`~noughts.errors.GameBroken` for a fault of
    the game: the move is made, undone and made again on a copy, and the position after it is checked.
    """
    legal = game.legal_moves()
    try:
        return _try_move(game, move, legal, drawn=drawn)
    except BadInput as error:
        if _is_legal(game, move):
            raise fault(game, f"play: {words_of(error)}, though the move is legal") from error
        raise
    except BaseException as error:
        raise _as_fault(game, "move", error) from error


def _try_move(game: Game, move: Any, legal: Sequence[Move], *, drawn: bool) -> Move:
    before, trial = visible_facts(game), game.copy()
    if visible_facts(trial) != before:
        raise fault(game, "copy: another position")
    try:
        trial.play(move)
        made: Move = trial.moves[-1]
        after, is_apart = visible_facts(trial), visible_facts(game) == before
    finally:  # a copy may share state with the game, which must stay displayable
        with _ignoring_errors(game):
            if trial.ply == before[4] + 1:
                trial.undo()
    if made not in legal:
        raise IllegalMove(made, legal)
    if not is_apart:
        raise fault(game, "copy: it shares what it changes")
    if after[3] != (*before[3], made) or after[4] != before[4] + 1:
        raise fault(game, "moves: not those before and the one that was made")
    if visible_facts(trial) != before:
        raise fault(game, "undo: another position than before the move")
    trial.play(made)
    if visible_facts(trial) != after:
        raise fault(game, "play: another position each time")
    check_position(trial, drawn=drawn)
    return made
