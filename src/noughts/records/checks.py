"""Checks of the parts of a record: each returns the canonical value or raises an error."""

import json
import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, NoReturn

from noughts.errors import NotationError

MAX_NAME_TEXT = 400
"""The longest name of a player or game, in characters."""

MAX_HEADERS = 100
MAX_HEADER_NAME = 60
MAX_COMMENT = 1_000_000
"""The longest header or comment, in characters."""

MAX_CLOCK = 10**12
MAX_EVALUATION = 10**12

Evaluation = int | float | str

_WORD = re.compile(r"[a-z][a-z-]{0,39}")
NOT_IN_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
NOT_IN_TEXT = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def refuse(text: object, reason: str, **data: Any) -> NoReturn:
    """Raise the error that *text* is not a record or not a valid part of one."""
    raise NotationError("record", text, reason, **data)


def check_text(value: object, most: int, forbidden: re.Pattern[str]) -> str:
    """Return *value*, a text of at most *most* characters without *forbidden* ones, or raise an error."""
    if not isinstance(value, str):
        refuse(value, "wrong-type")
    if len(value) > most:
        refuse(value, "too-long", limit=most)
    if match := forbidden.search(value):
        refuse(value, "surrogate" if _SURROGATE.match(match[0]) else "control")
    return value


def check_list(name: str, value: object) -> Iterable[Any]:
    """Return *value*, the list under *name*, or raise an error."""
    if not isinstance(value, list | tuple):
        refuse(value, "wrong-type", key=name)
    return value


def check_texts(
    name: str, texts: object, most_in_key: int, most: int, forbidden: re.Pattern[str]
) -> dict[str, str]:
    """Return the texts under *name*, by keys of one line."""
    if not isinstance(texts, Mapping):
        refuse(texts, "wrong-type", key=name)
    return {
        check_text(key, most_in_key, NOT_IN_LINE): check_text(text, most, forbidden)
        for key, text in texts.items()
    }


def check_headers(headers: object) -> dict[str, str]:
    """Return *headers* in the order of their names."""
    checked = check_texts("headers", headers, MAX_HEADER_NAME, MAX_COMMENT, NOT_IN_TEXT)
    if len(checked) > MAX_HEADERS:
        refuse("headers", "too-many", limit=MAX_HEADERS)
    return dict(sorted(checked.items()))


check_comment = partial(check_text, most=MAX_COMMENT, forbidden=NOT_IN_TEXT)
"""The text of a comment."""


def check_clock(clock: object) -> int:
    """Return *clock*, in milliseconds, or raise an error."""
    if type(clock) is not int:
        refuse(clock, "wrong-type")
    if not 0 <= clock <= MAX_CLOCK:
        refuse(clock, "number", limit=MAX_CLOCK)
    return clock


def check_evaluation(evaluation: object) -> Evaluation:
    """Return *evaluation*, a number or a text, or raise an error."""
    if isinstance(evaluation, str):
        return check_comment(evaluation)
    if isinstance(evaluation, bool) or not isinstance(evaluation, int | float):
        refuse(evaluation, "wrong-type")
    if not -MAX_EVALUATION <= evaluation <= MAX_EVALUATION:  # also refuses NaN
        refuse(evaluation, "number", limit=MAX_EVALUATION)
    return evaluation


def check_termination(termination: object) -> str:
    """Return the code of a *termination*."""
    if not isinstance(termination, str):
        refuse(termination, "wrong-type")
    if not _WORD.fullmatch(termination):
        refuse(termination, "termination")
    return str(termination)


def read_json(text: str) -> object:
    """Return the value of *text* as strict JSON: without repeated keys, NaN or infinities."""
    try:
        return json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_refuse_constant)
    except NotationError:
        raise
    except (ValueError, RecursionError) as error:
        raise NotationError("record", text, "not-json", cause=error) from error


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members: dict[str, object] = {}
    for key, value in pairs:
        if key in members:
            refuse(key, "repeated-key")
        members[key] = value
    return members


def _refuse_constant(word: str) -> NoReturn:
    """Raise an error for NaN and the infinities, which are not JSON."""
    refuse(word, "number", limit=MAX_EVALUATION)
