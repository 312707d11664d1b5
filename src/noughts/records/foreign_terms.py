"""The names of rules and results in files of other programs.

Names are compared without regard to case, width, blanks and punctuation. A name that is not understood gives
None, so that the reader can report it. It is never guessed.
"""

import re
import unicodedata
from typing import NamedTuple

from noughts.games.base import Game
from noughts.records.checks import refuse

BLACK, WHITE = "B", "W"

UNKNOWN = "unknown"
"""The termination of a game if its file names the winner but no reason."""

FREESTYLE, STANDARD, RENJU = "", ",exact", ",renju"
"""The suffix of the spec of five in a row for each kind of rules."""

RULE_NAMES = {FREESTYLE: "Freestyle", STANDARD: "Standard", RENJU: "Renju"}
"""The name of each kind of rules in files that are written here."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_KINDS = {
    FREESTYLE: _words("freestyle free gobang wuziqi 五子棋 自由 自由规则 無禁手 无禁手 无禁 無禁 五目並べ"),
    STANDARD: _words("standard exact 标准 標準"),
    RENJU: _words(
        """renju rif 連珠 连珠 有禁手 有禁 禁手 连珠规则 連珠規則 рэндзю рендзю 렌주
        yamaguchi soosyrv soosõrv soosorv taraguchi sakata tarannikov"""
    ),
}
_KIND_OF = {word: kind for kind, words in _KINDS.items() for word in words}
_NEUTRAL = _words("gomoku rules rule opening openings international official swap pro long the in")
_FREE_ALONE = _words("gomoku")  # also a part of the names of other rules
_OTHER_GAMES = _words("caro omok connect pente ninuki go weiqi baduk chess othello reversi")
_WORDS = re.compile(r"[^\W\d_]+")


def rules_named(text: str) -> str | None:
    """Return the suffix of the spec of five in a row for the rules *text*, or None if unknown.

    Raises :class:`~noughts.errors.NotationError` for the name of a game that is not played here.

    >>> rules_named("Freestyle15_1"), rules_named("Renju (Soosyrv-8)"), rules_named("Swap2")
    ('', ',renju', None)
    """
    words = _WORDS.findall(_plain(text))
    if words and _FREE_ALONE.issuperset(words):
        return FREESTYLE
    if _OTHER_GAMES.intersection(words):
        refuse(text, "other-rules")
    kinds = {_KIND_OF.get(word) for word in words if word not in _NEUTRAL}
    return kinds.pop() if len(kinds) == 1 else None


class StatedResult(NamedTuple):
    """A result as a file states it: the colour that won, and the termination."""

    colour: str | None
    termination: str | None


_SIDES = {
    BLACK: ("b", "black", "黑", "黒", "흑", "чёрные", "черные", "чёрных", "черных"),
    WHITE: ("w", "white", "白", "백", "белые", "белых"),
}
_SIDE_OF = {word: colour for colour, words in _SIDES.items() for word in words}
_SIDE = "|".join(sorted(_SIDE_OF, key=len, reverse=True))
_WINS = (
    re.compile(rf"(?P<side>{_SIDE})\s*\+\s*(?P<why>.*)"),
    re.compile(rf"(?P<side>{_SIDE})(?P<why>)"),
    re.compile(rf"(?P<side>{_SIDE})\s+(?:wins?|won|победили|выиграли)(?:\s+(?:by|on)\s+(?P<why>.*))?"),
    re.compile(rf"(?:победа|выигрыш)\s+(?P<side>{_SIDE})(?P<why>)"),
    re.compile(
        rf"(?P<side>{_SIDE})(?:方|棋|番|子)?(?P<why>中盘|中盤|中押し|불계)?(?:胜|勝|赢|贏|승)(?:ち|利)?"
    ),
)
_LOSES = (
    re.compile(rf"(?P<side>{_SIDE})\s*(?P<why>resign)(?:s|ed)?"),
    re.compile(rf"(?P<side>{_SIDE})(?:方|棋|番|子)?(?P<why>认输|認輸|投了)"),
    re.compile(rf"(?P<side>{_SIDE})\s+(?P<why>сдались)"),
    re.compile(rf"(?P<side>{_SIDE})\s+(?:loses?|lost|проиграли)(?:\s+(?:by|on)\s+(?P<why>.*))?"),
    re.compile(rf"(?P<side>{_SIDE})(?:方|棋|番|子)?(?P<why>超时|超時)?(?:负|負|败|敗|负け|負け|패)"),
)
_DRAWS = _words(
    """0 d draw drawn jigo tie 1/2 1/2-1/2 1/2:1/2 0.5-0.5 0.5:0.5 和 和棋 平 平局 和局 平手
    引き分け 引分け 引分 持碁 무승부 ничья"""
)
_NONE = _words("? * - void unknown unfinished none ongoing 未完 未结束 未結束") | {"", "no result"}
_POINTS = {"1-0": BLACK, "1:0": BLACK, "0-1": WHITE, "0:1": WHITE}
_NEAR = re.compile(r"\s*([-:\u3000-\uffdc])\s*")
"""The characters around which blanks mean nothing."""

_WHY = {
    **dict.fromkeys(
        _words("r resign resigns resigned resignation 中盘 中盤 中押し 불계 认输 認輸 投了 сдались"),
        "resignation",
    ),
    **dict.fromkeys(_words("t time timeout time-out 超时 超時"), "time"),
    **dict.fromkeys(_words("f forfeit forfeited"), "forfeit"),
}


def result_named(text: str) -> StatedResult | None:
    """Return the result that *text* states, or None if it is not understood.

    >>> result_named("W+Resign")
    StatedResult(colour='W', termination='resignation')
    >>> result_named("黑胜"), result_named("½-½")
    (StatedResult(colour='B', termination='unknown'), StatedResult(colour=None, termination='agreement'))
    """
    plain = _NEAR.sub(r"\1", _plain(text).replace("1⁄2", "1/2")).rstrip(".!。")
    if plain in _NONE:
        return StatedResult(None, None)
    if plain in _DRAWS:
        return StatedResult(None, "agreement")
    if plain in _POINTS:
        return StatedResult(_POINTS[plain], UNKNOWN)
    for patterns, is_winner in ((_WINS, True), (_LOSES, False)):
        for match in filter(None, (pattern.fullmatch(plain) for pattern in patterns)):
            colour, why = _SIDE_OF[match["side"]], (match["why"] or "").strip()
            if "+" in why or other_colour(colour) in map(_SIDE_OF.get, _WORDS.findall(why)):
                return None  # the text names both sides
            return StatedResult(colour if is_winner else other_colour(colour), _WHY.get(why, UNKNOWN))
    return None


def other_colour(colour: str) -> str:
    """Return White for Black, and Black for White."""
    return WHITE if colour == BLACK else BLACK


def decide(
    game: Game, winner: str | None, termination: str | None, text: str, unknown_rules: str = ""
) -> tuple[str | None, str | None]:
    """Return the winner and the termination that a file states as *text*, or those of the rules.

    The rules apply if they ended *game*. Raises :class:`~noughts.errors.NotationError` if the two disagree,
    or if only *unknown_rules* could decide whether a row that is too long wins.
    """
    if game.outcome is None:
        return winner, termination
    if termination is not None and winner != game.outcome.winner:
        refuse(text, "result-wrong")
    steps = [line.step for line in game.outcome.lines]
    if termination is None and unknown_rules and len(set(steps)) < len(steps):
        refuse(unknown_rules, "other-rules")
    return game.outcome.winner, str(game.outcome.termination)


def decide_foul(game: Game, winner: str | None, termination: str | None, text: str) -> tuple[str, str]:
    """Return the winner and the termination after a forbidden last move of the side to move."""
    other = game.sides[1 - game.sides.index(game.turn)]
    if termination is not None and winner != other:
        refuse(text, "result-wrong")
    return other, "forfeit"


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
