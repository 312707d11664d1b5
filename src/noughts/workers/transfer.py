"""Values and calls as text, for another process: data of known kinds, which runs no code when it is read.

A text is JSON. An array is a tuple. An object has one key, the kind of its value: ``list``, ``dict``,
``set``, ``frozenset``, ``bytes``, ``array``, ``game``, or a class such as ``noughts.games.moves:Placement``.
Such a class is a dataclass, an enumeration, a subclass of tuple or one of our errors. Its fields are set
directly, and none of its code is called. Its module must be loaded already, so that no value decides what is
imported. Only a call names a function by its module: the called process trusts the process that started it.
"""

import json
from array import array
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from importlib import import_module
from numbers import Integral
from operator import attrgetter
from sys import modules
from typing import Any, cast

from noughts.errors import NoughtsError, rebuild
from noughts.games.base import Game
from noughts.games.catalogue import name_of, new_game
from noughts.games.notation import format_move, parse_position, play_moves
from noughts.records.record import start_of

PLAIN = (str, int, float, bool, type(None))
"""The types that JSON has itself."""

SEVERAL: tuple[type, ...] = (list, set, frozenset)
"""The collections that are sent as lists of their values."""

DATA = (Enum, NoughtsError, tuple)
"""The base classes of data, besides dataclasses."""


class NotPackableError(TypeError):
    """The value cannot be sent as text, or the text holds no value."""


def pack(value: object) -> str:
    """Return *value* as text. Raises :class:`NotPackableError`, or the error of formatting a game.

    >>> pack((1, "X", [None])), unpack(pack({(0, 1): {2.5}}))
    ('[1,"X",{"list":[null]}]', {(0, 1): {2.5}})
    """
    return _text(_packed(value))


def unpack(text: str) -> Any:
    """Return the packed value in *text*. For other texts raises :class:`NotPackableError` or any error."""
    return _unpacked(json.loads(text))


def pack_call(function: Callable[..., Any], *arguments: Any, **named: Any) -> str:
    """Return a call of *function*, which must belong to a module, as text.

    >>> call_packed(pack_call(int, "11", base=2))
    3
    """
    module, name = function.__module__, function.__qualname__
    try:
        known = attrgetter(name)(modules[module])
    except (AttributeError, KeyError):
        known = None
    if known is not function:
        raise NotPackableError(f"{module}.{name} is not a function of a module")
    return _text([module, name, _packed(arguments), _packed(named)])


def call_packed(text: str, *before: Any) -> Any:
    """Return the result of the packed call, with the arguments *before* its own.

    The module of the function is imported, so accept calls only from trusted senders.
    """
    module, name, arguments, named = json.loads(text)
    function = attrgetter(name)(import_module(module))
    return function(*before, *_unpacked(arguments), **_unpacked(named))


def _text(packed: object) -> str:
    return json.dumps(packed, separators=(",", ":"))


def _packed(value: Any) -> Any:
    """Return *value* as a value of JSON."""
    cls = type(value)
    if cls in PLAIN:
        return value
    if cls is tuple:
        return [_packed(each) for each in value]
    if cls in SEVERAL:
        return {cls.__name__: [_packed(each) for each in value]}
    if cls is bytes:
        return {"bytes": b64encode(value).decode()}
    if cls is array:
        return {"array": [value.typecode, b64encode(value.tobytes()).decode()]}
    if isinstance(value, Mapping):
        return {"dict": [[_packed(key), _packed(each)] for key, each in value.items()]}
    if isinstance(value, Integral) and not isinstance(value, Enum):
        return int(value)  # compiled searches return NumPy numbers
    if isinstance(value, Game):
        moves = [format_move(value, move) for move in value.moves]
        return {"game": [name_of(value), value.sides, start_of(value), moves]}
    return {f"{cls.__module__}:{cls.__qualname__}": _packed_parts(cls, value)}


def _packed_parts(cls: type, value: Any) -> Any:
    """Return the parts of a *value* of the class *cls*."""
    if issubclass(cls, Enum):
        return _packed(value.value)
    if issubclass(cls, NoughtsError):
        return [_packed_or_text(value.args), _packed_or_text(vars(value))]
    if issubclass(cls, tuple):
        return [_packed(each) for each in value]
    if is_dataclass(cls):
        return [_packed(getattr(value, field.name)) for field in fields(cls)]
    raise NotPackableError(f"{cls.__module__}.{cls.__qualname__} cannot be sent")


def _packed_or_text(value: Any) -> Any:
    """Return an attribute of an error as a value of JSON. Values that cannot be sent become strings."""
    if type(value) is tuple:
        return [_packed_or_text(each) for each in value]
    if type(value) is dict:
        return {"dict": [[_packed(key), _packed_or_text(each)] for key, each in value.items()]}
    try:
        return _packed(value)
    except Exception:
        return str(value)


def _unpacked(packed: Any) -> Any:
    """Return the value that was packed as *packed*."""
    if isinstance(packed, list):
        return tuple(map(_unpacked, packed))
    if not isinstance(packed, dict):
        return packed
    [(kind, parts)] = packed.items()
    if (read := KINDS.get(kind)) is not None:
        return read(parts)
    return _rebuilt(_class_named(kind), _unpacked(parts))


def _read_game(name: str, sides: Sequence[str], start: str | None, moves: list[str]) -> Game:
    game = new_game(name, marks=tuple(sides))
    if start is not None:
        game = parse_position(game, start)
    play_moves(game, moves)
    return game


def _rebuilt(cls: type, parts: Any) -> Any:
    """Return a value of the class *cls* with these *parts*, without calling its code."""
    if issubclass(cls, Enum):
        return cls._value2member_map_[parts]
    if issubclass(cls, tuple):
        return tuple.__new__(cls, parts)
    if issubclass(cls, NoughtsError):
        return rebuild(cls, *parts)
    value = object.__new__(cls)
    for field, part in zip(fields(cast(Any, cls)), parts, strict=True):
        object.__setattr__(value, field.name, part)
    return value


@cache
def _class_named(kind: str) -> type:
    """Return the loaded data class named by *kind*."""
    module, _, name = kind.partition(":")
    with suppress(AttributeError, KeyError):
        cls = attrgetter(name)(modules[module])
        if isinstance(cls, type) and (issubclass(cls, DATA) or is_dataclass(cls)):
            return cls
    raise NotPackableError(f"{kind} is not known here")


def _reading(cls: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda parts: cls(map(_unpacked, parts))


KINDS: Mapping[str, Callable[[Any], Any]] = {
    **{cls.__name__: _reading(cls) for cls in (list, set, frozenset, dict)},
    "bytes": b64decode,
    "array": lambda parts: array(parts[0], b64decode(parts[1])),
    "game": lambda parts: _read_game(*parts),
}
"""The functions that read each kind, except classes."""
