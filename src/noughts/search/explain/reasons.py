"""Why a move is good or bad: one true reason for each move, as a code with data for a sentence.

Codes and their data; data in brackets may be missing if it is not known:

- ``wins-now`` cells, ``loses-now`` cells: ends the game at once, with the *cells* of completed lines
- ``ends-draw``: ends the game in a draw, and no better move is known
- ``only-legal`` (result, plies): no other move is allowed
- ``double-threat`` threats: wins in 3 plies, since the other side cannot stop all of these winning moves
- ``must-block`` threats (result, plies): the other side threatens to win by each of *threats*, and only this
  move stops it, with the *result* after it
- ``only-move`` result, others (plies): the only move that keeps *result*, while the best other gives *others*
- ``only-hope``: not proved, but all other moves are proved to lose
- ``forces-win`` (moves, plies): wins in *moves* own moves, and no quicker win is known
- ``slower-win`` best, best_plies (plies): wins, but *best* wins sooner
- ``gives-up-win`` best (plies): only draws, while *best* would have won, in *plies*
- ``lets-win`` (reply, plies, result): the other side wins, starting with *reply*, while *result* was possible
- ``keeps-draw``: keeps the draw, and nothing better was possible
- ``sure-draw``: a sure draw, but the best move is not known
- ``sets-trap`` result, right, of, reply: keeps *result*, and of all *of* replies only *reply* is right: all
  others give the other side less; *right* is 1
- ``longest-defence`` plies: all moves lose, none resists longer than this one, and some less long
- ``lost-anyway`` (reply, plies): loses, like every other move, as *reply* wins at once
- ``other-wins`` best (plies): not proved, while *best* surely wins, in *plies*
- ``threatens`` threats: (not proved) threatens to win next by each of *threats*
- ``development`` open_lines, own: (not proved) the number of lines through the cell without foreign marks,
  and the most own marks in one of them before the move
- ``wins-field``: (not proved) on a board of fields: wins the field it is played in
- ``takes-corner``: (not proved) in reversi: a corner, since its mark is never turned
- ``sends`` field, replies: (not proved) the other side must play in *field*, given by two of its corners
- ``leaves`` replies, ``leaves-pass``: (not proved) the number of moves left to the other side, or none at all
- ``on-the-way`` plies: in a puzzle: no way to the solution is shorter
- ``detour`` plies, best, best_plies: in a puzzle: solves it, but later than *best*
- ``opening``: in a review: made before the opening protocol assigned the sides
- ``unknown``: nothing is proved, and there is no other reason

*best* and *reply* are moves, *threats* a tuple of moves, *cells* and *field* tuples of coordinates. *result*
and *others* are ``"win"``, ``"draw"`` or ``"loss"`` for the mover. All other data are ints. *plies* and
*best_plies* count from before the move to the end of the game.
"""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Any

from noughts.games.base import Game, Move
from noughts.search.analysis import UNKNOWN, Analysis, MoveValue, own_moves
from noughts.search.explain.immediate import ImmediateTactics, MoveEffect

Analyse = Callable[[Game], Analysis]
"""A function that analyses a position. The values in its result may be unknown."""

RESULTS = {1: "win", 0: "draw", -1: "loss"}
"""The word for a value."""


@dataclass(frozen=True, slots=True)
class MoveReason:
    """The reason for a move: ``code`` is one of the codes above, ``data`` the values for its sentence."""

    code: str
    data: dict[str, Any] = field(default_factory=dict)


def explain(
    game: Game, analysis: Analysis, analyse: Analyse | None = None, moves: Collection[Move] | None = None
) -> dict[Move, MoveReason]:
    """Return one true reason for each legal move, or for each of *moves*.

    *analysis* has the proved values of the moves, if any. *analyse* is called with the positions after some
    moves. Without it, no traps are found, and replies to losing moves are known only if they win at once.
    *game* is not changed.

    >>> from noughts import TicTacToe
    >>> from noughts.search.analyst import Analyst
    >>> game = TicTacToe()
    >>> for cell in [(0, 0), (1, 1), (0, 1)]:
    ...     game.play(cell)
    >>> reasons = explain(game, Analyst().analyse(game))
    >>> reasons[0, 2].code, reasons[2, 2].code, reasons[2, 2].data["reply"]
    ('must-block', 'lets-win', (0, 2))
    """
    explainer = Explainer(game, analysis, analyse)
    return {move: explainer.explain(move) for move in explainer.effects if moves is None or move in moves}


class Explainer:
    """The known facts about the moves of one position, and the best reason for each move.

    The arguments are those of :func:`explain`. ``effects`` has the immediate effects of each legal move.
    ``best`` is the best move with its value, or None if a better move is possible. ``value`` is the value of
    the position for the side to move, or None if it is not proved. ``plies`` are the plies of best play. They
    are None for a draw, and if a quicker win or a longer defence is possible.
    """

    def __init__(self, game: Game, analysis: Analysis, analyse: Analyse | None) -> None:
        self._game, self._analyse = game, analyse
        self._immediate = ImmediateTactics(game.copy())
        self.effects = self._immediate.try_all()
        self._analysis = analysis
        self._values = self._settle(analysis)
        self._threats = self._standing_threats()
        self.best = self._best_known(analysis)
        self.value = analysis.value if self.best is None else self.best.value
        self.plies = analysis.plies if analysis.plies is not None else self._distance()

    # Known facts

    def _settle(self, analysis: Analysis) -> dict[Move, MoveValue]:
        """Return the value of each move: from its immediate effects if they decide, else from *analysis*."""
        analysed = {known.move: known for known in analysis.moves}
        settled = {}
        for move, trial in self.effects.items():
            known = analysed.get(move, MoveValue(move))
            if known.value is None and move == analysis.best:
                known = MoveValue(move, analysis.value, analysis.plies)
            if known.value is None and analysis.value == -1:
                known = MoveValue(move, -1)
            settled[move] = self._by_trial(trial, known)
        return settled

    def _by_trial(self, trial: MoveEffect, known: MoveValue) -> MoveValue:
        outcome = trial.outcome
        if outcome is not None and outcome.winner == self._game.turn:
            return MoveValue(known.move, 1, 1)
        if len(self._game.sides) > 2:  # with more sides, a move that does not win need not lose
            return MoveValue(known.move)
        if outcome is not None:
            return MoveValue(known.move, 0) if outcome.winner is None else MoveValue(known.move, -1, 1)
        if trial.replies:
            return MoveValue(known.move, -1, 2)
        return MoveValue(known.move, 1, 3) if trial.is_double else known

    def _standing_threats(self) -> tuple[Move, ...]:
        """Return the winning replies of the other side that exactly one move prevents.

        They are legal now. Moves that end the game are not counted.
        """
        going_on = [trial.replies for trial in self.effects.values() if trial.outcome is None]
        counts = Counter(reply for replies in going_on for reply in replies)
        all_but_one = len(going_on) - 1
        return tuple(
            reply for reply, count in counts.items() if count == all_but_one and reply in self.effects
        )

    def _best_known(self, analysis: Analysis) -> MoveValue | None:
        """Return the best move, or None if a better one is possible.

        Among equal moves it is the one of *analysis*.
        """
        known = [worth for worth in self._values.values() if worth.value is not None]
        best = max(known, key=lambda worth: (worth.rank, worth.move == analysis.best), default=None)
        if best is None or len(known) == len(self._values) or best.value in (1, analysis.value):
            return best
        return None

    def _distance(self) -> int | None:
        """Return the number of plies to the end, from the known values of the moves.

        Return None if a quicker win than the known one is possible.
        """
        if self.best is None:
            return None
        is_known = all(known.value == 0 or known.plies is not None for known in self._values.values())
        return self.best.plies if is_known or (self.best.value, self.best.plies) == (1, 1) else None

    def can_worsen(self, value: int) -> bool:
        """Return True if a legal move is proved to be worth less than *value*."""
        return any(known.value is not None and known.value < value for known in self._values.values())

    def _result(self, move: Move) -> dict[str, Any]:
        value = self._values[move].value
        return ({} if value is None else {"result": RESULTS[value]}) | self._plies(move)

    def _plies(self, move: Move) -> dict[str, int]:
        plies = self._values[move].plies
        return {} if plies is None else {"plies": plies}

    @property
    def completed(self) -> Analysis:
        """The analysis with the values that follow from immediate effects added."""
        analysis = replace(
            self._analysis, moves=tuple(self._values[one.move] for one in self._analysis.moves)
        )
        if analysis.value is not None or self.best is None or self.best.value is None:
            return analysis
        return replace(analysis, value=self.best.value, plies=self.plies, best=self.best.move, pv=())

    def worth(self, move: Move) -> MoveValue:
        """Return the known value of a legal *move*, from the analysis or from its immediate effects."""
        return self._values[move]

    @property
    def has_pitfall(self) -> bool:
        """True if a move loses at once and another may hold, in a position without a proved value."""
        is_open = self.value is None and len(self._game.sides) == 2
        return is_open and any(map(self._loses_at_once, self.effects))

    def _loses_at_once(self, move: Move) -> bool:
        """Return True if *move* loses by itself or to a reply."""
        trial = self.effects[move]
        return bool(trial.replies) or (trial.outcome is not None and self._values[move].value == -1)

    def safer_than(self, move: Move) -> Move | None:
        """Return a move that is not known to lose if *move* is a pitfall, else None.

        Among several, proved draws come first.
        """
        if not (self.has_pitfall and self._loses_at_once(move)):
            return None
        others = [known for known in self._values.values() if known.value != -1]
        best = self._analysis.best
        return max(
            others,
            key=lambda known: (known.value == 0, known.move == best, self._game.weight(known.move)),
        ).move

    # Reasons

    def explain(self, move: Move) -> MoveReason:
        """Return the most informative true reason for a legal *move*."""
        outcome, value, best = self.effects[move].outcome, self._values[move].value, self.best
        if outcome is not None and outcome.winner is not None:
            code = "wins-now" if outcome.winner == self._game.turn else "loses-now"
            cells = tuple(dict.fromkeys(cell for line in outcome.lines for cell in line.cells))
            return MoveReason(code, {"cells": cells})
        if len(self._game.sides) == 1:
            return self._of_puzzle(move)
        if best is not None and best.value == 1 and value in (0, None):
            code = "other-wins" if value is None else "gives-up-win"
            return MoveReason(code, {"best": best.move, **self._plies(best.move)})
        if outcome is not None:
            return MoveReason("ends-draw")
        if len(self.effects) == 1:
            return MoveReason("only-legal", self._result(move))
        if value is None:
            return self._of_unproved(move)
        return (self._of_draw, self._of_win, self._of_loss)[value](move)

    def _of_puzzle(self, move: Move) -> MoveReason:
        plies, best = self._values[move].plies, self.best
        if plies is None or best is None or best.plies is None:
            return MoveReason("unknown")
        if plies > best.plies:
            return MoveReason("detour", {"plies": plies, "best": best.move, "best_plies": best.plies})
        return MoveReason("on-the-way", {"plies": plies})

    def _of_win(self, move: Move) -> MoveReason:
        plies, best = self._values[move].plies, self.best
        if best is not None and best.plies is not None and (best.plies == 1 or (plies or 0) > best.plies):
            return MoveReason(
                "slower-win", {"best": best.move, "best_plies": best.plies, **self._plies(move)}
            )
        if self.effects[move].is_double:
            return MoveReason("double-threat", {"threats": self.effects[move].threats})
        moves = {} if plies is None else {"moves": own_moves(plies, self._game), "plies": plies}
        return self._as_block(move) or self._as_only(move) or MoveReason("forces-win", moves)

    def _of_draw(self, move: Move) -> MoveReason:
        if self.best is None:
            return self._as_block(move) or MoveReason("sure-draw")
        return self._as_block(move) or self._as_only(move) or self._as_trap(move) or MoveReason("keeps-draw")

    def _of_loss(self, move: Move) -> MoveReason:
        best = self.best
        if best is None or best.value != -1:
            result = {} if best is None or best.value is None else {"result": RESULTS[best.value]}
            return MoveReason("lets-win", {**self._reply(move), **self._plies(move), **result})
        return (
            self._as_block(move)
            or self._as_longest_defence(move)
            or self._as_trap(move)
            or MoveReason("lost-anyway", {**_first(self.effects[move].replies), **self._plies(move)})
        )

    def _of_unproved(self, move: Move) -> MoveReason:
        if block := self._as_block(move):
            return block
        if replies := self.effects[move].replies:  # three or more sides
            return MoveReason("lets-win", {**_first(replies), "plies": 2})
        if all(known.value == -1 for other, known in self._values.items() if other != move):
            return MoveReason("only-hope")
        if threats := self.effects[move].threats:
            return MoveReason("threatens", {"threats": threats})
        lines = self._immediate.open_lines(move)
        if lines is not None and lines[0]:
            return MoveReason("development", {"open_lines": lines[0], "own": lines[1]})
        purpose = self._game.purpose_of(move)
        return MoveReason("unknown") if purpose is None else MoveReason(purpose.code, purpose.data)

    # Reasons that apply to some moves only

    def _as_block(self, move: Move) -> MoveReason | None:
        if not self._threats or self.effects[move].replies:
            return None
        return MoveReason("must-block", {"threats": self._threats, **self._result(move)})

    def _as_only(self, move: Move) -> MoveReason | None:
        """Return the reason if *move* is better than all others and their values are known, else None."""
        others = [known.value for other, known in self._values.items() if other != move]
        proved = [value for value in others if value is not None]
        value = self._values[move].value
        if value is None or len(proved) < len(others) or max(proved) >= value:
            return None
        return MoveReason("only-move", {**self._result(move), "others": RESULTS[max(proved)]})

    def _as_longest_defence(self, move: Move) -> MoveReason | None:
        plies = [known.plies for known in self._values.values() if known.plies is not None]
        own = self._values[move].plies
        if own is None or len(plies) < len(self._values) or not min(plies) < own == max(plies):
            return None
        return MoveReason("longest-defence", {"plies": own})

    def _as_trap(self, move: Move) -> MoveReason | None:
        """Return the reason if *move* leaves only one right reply among several, else None."""
        value = self._values[move].value
        if value is None or self.effects[move].replies:
            return None
        replies = {known.move: known.value for known in self._after(move).moves}
        right = [reply for reply, worth in replies.items() if worth == -value]
        wrong = sum(worth is not None and worth < -value for worth in replies.values())
        if len(right) != 1 or not wrong or wrong + 1 < len(replies):
            return None
        data = {"result": RESULTS[value], "right": 1, "of": len(replies), "reply": right[0]}
        return MoveReason("sets-trap", data)

    def _reply(self, move: Move) -> dict[str, Move]:
        """Return a winning reply as data of a reason. The data are empty if none is known."""
        if replies := self.effects[move].replies:
            return _first(replies)
        after = self._after(move)
        return {"reply": after.best} if after.value == 1 and after.best is not None else {}

    def _after(self, move: Move) -> Analysis:
        """Return the analysis of the position after *move*, or UNKNOWN if there is no ``analyse``."""
        if self._analyse is None:
            return UNKNOWN
        game = self._game.copy()
        game.play(move)
        return UNKNOWN if game.turn == self._game.turn else self._analyse(game)


def _first(replies: tuple[Move, ...]) -> dict[str, Move]:
    return {"reply": replies[0]} if replies else {}
