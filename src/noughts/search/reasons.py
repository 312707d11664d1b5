"""Why a move is good or bad: one true reason for each, as a code with the data that a sentence needs.

The codes, with the keys of their data; a key in brackets is absent where it is not known:

- ``wins-now cells``: wins the game at once; the cells of the lines it completes, which may be none.
- ``loses-now cells``: loses the game at once, by a line that it completes.
- ``ends-draw``: ends the game in a draw; nothing better is known.
- ``only-legal [result] [plies]``: no other move is allowed.
- ``double-threat threats``: wins in 3 plies: of these moves that win next the other side can stop only one.
- ``must-block threats [result] [plies]``: the other side threatens to win by each of *threats*, and this is
  the one move that stops it; what it comes to.
- ``only-move result others [plies]``: the one move that keeps *result*; the best other comes to *others*.
- ``only-hope``: not proved, but all other moves are proved to lose.
- ``forces-win [moves] [plies]``: wins, and nothing is known to win sooner; *moves* are one's own moves.
- ``slower-win plies best best_plies``: wins, but *best* wins sooner.
- ``gives-up-win best [plies]``: only a draw; *best* would have won, in *plies*.
- ``lets-win [reply] [plies] [result]``: the other side wins, beginning with *reply*; *result* was to be had.
- ``keeps-draw``: keeps the draw, and nothing better was to be had.
- ``sure-draw``: a draw for sure; whether something better was to be had is not proved.
- ``sets-trap result right of reply``: *result* is kept, and of all *of* replies only *reply* is right: every
  other gives the other side less. *right* is 1.
- ``longest-defence plies``: every move loses; none holds out longer than this one, and not all as long.
- ``lost-anyway [plies]``: loses, like every other move.
- ``other-wins best [plies]``: not proved, while *best* surely wins, in *plies*.
- ``threatens threats``: not proved; threatens to win next by each of *threats*, unless it is stopped.
- ``development open_lines own``: not proved; so many lines through the cell bear no mark of anybody else, and
  the one with most bears *own* marks already.
- ``on-the-way plies``: of a puzzle: no way to the solution is shorter.
- ``detour plies best best_plies``: of a puzzle: solves it, but later than *best*.
- ``unknown``: nothing is proved, and lines tell nothing.

*best* and *reply* are moves, *threats* a tuple of moves, *cells* a tuple of coordinates; *result* and
*others* are ``"win"``, ``"draw"`` or ``"loss"`` for the side that moves; all else are ints. *plies* and
*best_plies* are counted from before the move to the end of the game.
"""

from dataclasses import dataclass, field
from typing import Any

RESULTS = {1: "win", 0: "draw", -1: "loss"}
"""The word for a value."""

KEYS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "wins-now": (("cells",), ()),
    "loses-now": (("cells",), ()),
    "ends-draw": ((), ()),
    "only-legal": ((), ("result", "plies")),
    "double-threat": (("threats",), ()),
    "must-block": (("threats",), ("result", "plies")),
    "only-move": (("result", "others"), ("plies",)),
    "only-hope": ((), ()),
    "forces-win": ((), ("moves", "plies")),
    "slower-win": (("plies", "best", "best_plies"), ()),
    "gives-up-win": (("best",), ("plies",)),
    "lets-win": ((), ("reply", "plies", "result")),
    "keeps-draw": ((), ()),
    "sure-draw": ((), ()),
    "sets-trap": (("result", "right", "of", "reply"), ()),
    "longest-defence": (("plies",), ()),
    "lost-anyway": ((), ("plies",)),
    "other-wins": (("best",), ("plies",)),
    "threatens": (("threats",), ()),
    "development": (("open_lines", "own"), ()),
    "on-the-way": (("plies",), ()),
    "detour": (("plies", "best", "best_plies"), ()),
    "unknown": ((), ()),
}
"""For each code, the keys its data always has and those it may have."""


@dataclass(frozen=True, slots=True)
class Reason:
    """What is to be said of a move: ``code`` is one of :data:`KEYS`, ``data`` fills its sentence."""

    code: str
    data: dict[str, Any] = field(default_factory=dict)
