"""The shared terms of the SGF reader and writer: the games that SGF holds, and their names."""

import re

from noughts.errors import NotationError, UnsupportedRules
from noughts.games.base import Game
from noughts.games.rules import Rules
from noughts.records.foreign_terms import BLACK, RULE_NAMES, WHITE, rules_named

MAX_SIDE = 52
"""The longest side of a board: coordinates are the letters a-z and A-Z."""

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
COLOURS = (BLACK, WHITE)

K_IN_A_ROW = "4"
"""The number of gomoku and renju among the games of SGF."""

OTHELLO = "2"
"""The number of Othello among the games of SGF."""

OTHELLO_GAME = "reversi"
"""The name of Othello here."""

FIVE = 5
"""The length of a line in the games with named rules in SGF."""

HEADERS = {
    "title": "GN",
    "event": "EV",
    "round": "RO",
    "place": "PC",
    "date": "DT",
    "opening": "ON",
    "annotator": "AN",
    "source": "SO",
    "user": "US",
    "copyright": "CP",
    "first-rank": "BR",
    "second-rank": "WR",
    "first-team": "BT",
    "second-team": "WT",
    "time": "TM",
    "overtime": "OT",
}
"""The headers that are SGF properties of one line. ``comment`` is the comment of the first node.

Those of Black belong to the side that begins, as Black does in files that are written here. Other headers are
``game-comment`` (``GC``, of several lines), ``rules`` (``RU``) and ``result`` (``RE``). The last two have the
words of another program, if the record does not imply them.
"""

GAME_COMMENT = "game-comment"

WORDS = {"rules": "RU", "result": "RE"}
"""The headers in the words of another program, and the properties for words that agree with the record."""

PLAIN_RESULT = re.compile(r"[BW]\+(?:R|Resign|T|Time|F|Forfeit)?|0|Draw|\??", re.IGNORECASE)
"""The results that a record expresses completely."""

REAL = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{0,400})?")
"""The syntax of numbers in SGF."""

REASONS = {"resignation": "R", "time": "T", "forfeit": "F"}
"""The letters behind a result. Other terminations have none."""
TERMINATIONS = {letter: termination for termination, letter in REASONS.items()}


def number_of(game: Game) -> str:
    """Return the number of *game* among the games of SGF.

    Raises :class:`~noughts.errors.UnsupportedRules` for games that SGF cannot hold.
    """
    if game.name == OTHELLO_GAME:
        return OTHELLO
    reason = None
    if game.rules is None:
        reason = "not-k-in-a-row"
    elif len(game.shape) != 2:
        reason = "not-flat"
    elif max(game.shape) > MAX_SIDE:
        reason = "too-large"
    elif len(game.sides) != 2:
        reason = "not-two-sides"
    if reason is not None:
        raise UnsupportedRules("sgf", game.name, reason)
    return K_IN_A_ROW


def rules_of(rules: Rules | None) -> str | None:
    """Return the kind of *rules* of five in a row: see :func:`~noughts.records.foreign_terms.rules_named`."""
    if rules is None or rules.k != FIVE:
        return None
    options = "".join(f",{fact}" for fact in sorted(rules.facts))
    return options if options in RULE_NAMES else None


def is_of_rules(text: str, kind: str | None) -> bool:
    """Return True if *text* names the rules of *kind*."""
    try:
        return kind is not None and rules_named(text) == kind
    except NotationError:
        return False
