"""An attempt at a puzzle: each tried move is judged, and answered by best play."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from noughts.errors import GameOver, IllegalMove
from noughts.games.base import Game, Move
from noughts.games.notation import parse_move
from noughts.puzzles.puzzle import Puzzle, is_forced_pass
from noughts.search.analysis import UNKNOWN, Analysis, Limit, value_of_end
from noughts.search.analyst import Analyst
from noughts.search.explain.immediate import ImmediateTactics
from noughts.search.explain.threat_search import ThreatSearch

JUDGE_LIMIT = Limit(nodes=300_000, seconds=20)
"""The limit for judging one move: ten times that of the proof of a whole puzzle."""

MAX_SEARCHED_MOVES = 100
"""The number of legal moves above which only threats can decide a position."""


class MoveVerdict(StrEnum):
    """The verdict on a tried move: right, the last right one, wrong, or unknown within the limit."""

    RIGHT = "right"
    SOLVED = "solved"
    WRONG = "wrong"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A judged move: its verdict, and the moves that answer it.

    After a right move the answers have been played. After a wrong one they refute it. There are none if the
    move ended the game, or if the refutation was not found in time.
    """

    verdict: MoveVerdict
    answers: tuple[Move, ...] = ()


@dataclass(eq=False)
class Attempt:
    """The game of *puzzle* from its position on, with the solver to move until it is solved.

    A wrong move is not played. The first move has to be that of the solution, or lead to the same position.
    Later, each move that preserves a win is right (on large boards: by threats, or in the puzzle's number of
    moves). To save a game, only the moves of the solution are right.

    >>> from noughts.games.catalogue import new_game
    >>> attempt = Attempt(Puzzle(1, "tictactoe", "X.O/.../O.X X", "win", 1, "5"))
    >>> attempt.try_move((0, 1)).verdict.value, attempt.try_move((1, 1)).verdict.value
    ('wrong', 'solved')
    """

    puzzle: Puzzle
    game: Game = field(init=False)
    solver: str = field(init=False)
    moves_made: int = field(default=0, init=False)
    """The number of moves that the solver has made."""
    refuted: set[Move] = field(default_factory=set, init=False)
    """The wrong moves that were tried in this position."""
    _line: list[Move] = field(init=False)  # best play from here on

    def __post_init__(self) -> None:
        self.game = self.puzzle.start()
        self.solver = self.game.turn
        self._line = list(self.puzzle.moves())

    @classmethod
    def after(cls, puzzle: Puzzle, texts: Iterable[str], limit: Limit = JUDGE_LIMIT) -> "Attempt":
        """Return the attempt in which the solver has made the moves *texts*.

        Raises :class:`~noughts.errors.BadInput` for a text that is not a move, and for a move that is not
        right.
        """
        attempt = cls(puzzle)
        for text in texts:
            move = parse_move(attempt.game, text)
            if attempt.try_move(move, limit).verdict not in (MoveVerdict.RIGHT, MoveVerdict.SOLVED):
                raise IllegalMove(move, ())
        return attempt

    @property
    def is_solved(self) -> bool:
        """True if the puzzle is solved."""
        return self.moves_made > 0 and not self._line

    @property
    def line(self) -> tuple[Move, ...]:
        """Best play of both sides from here to the end of the puzzle."""
        return tuple(self._line)

    @property
    def best(self) -> Move:
        """A right move. Raises :class:`~noughts.errors.GameOver` after the puzzle is solved."""
        if self.is_solved:
            raise GameOver
        return self._line[0]

    @property
    def moves_left(self) -> int:
        """The number of moves that the solver still has to make, against best play."""
        game, left = self.game.copy(), 0
        for move in self._line:
            left += game.turn == self.solver and not is_forced_pass(game)
            game.play(move)
        return left

    def try_move(self, move: Move, limit: Limit = JUDGE_LIMIT) -> JudgedMove:
        """Judge *move*. If it is right, play it and the answers to it, until the solver is to move again.

        Raises :class:`~noughts.errors.BadInput` for a move that cannot be made.
        """
        judged = self._judge(move, limit)
        if judged.verdict is MoveVerdict.WRONG:
            self.refuted.add(move)
        return judged

    def _judge(self, move: Move, limit: Limit) -> JudgedMove:
        after, best = self.game.copy(), self.game.copy()
        best.play(self.best)
        after.play(move)
        if after.key() == best.key():
            del self._line[0]
            return self._advance(after)
        refuted = self._refutation(after) or self._find_stop(after, limit)
        if refuted is not None:
            return JudgedMove(MoveVerdict.WRONG, (refuted,))
        analysis = evaluate(after, limit) if after.outcome is None else None
        value = _value(after, analysis, self.solver)
        if self.puzzle.kind == "save" or not self.moves_made or (value is not None and value < 1):
            return JudgedMove(MoveVerdict.WRONG, () if analysis is None else analysis.pv[:1])
        if value is None or (analysis is not None and len(analysis.pv) != analysis.plies):
            return JudgedMove(MoveVerdict.UNKNOWN)
        self._line = [] if analysis is None else list(analysis.pv)
        return self._advance(after)

    def _refutation(self, after: Game) -> Move | None:
        """Return a reply that wins *after* at once. With hundreds of moves a search finds it late."""
        if after.outcome is not None or after.turn == self.solver:
            return None
        return ImmediateTactics(after).find_win()

    def _find_stop(self, after: Game, limit: Limit) -> Move | None:
        """Return a reply to a move without a threat that delays the win beyond the puzzle's number of moves.

        It serves boards that are too large to try all moves. The position may still be won, which cannot be
        known.
        """
        is_large = len(self.game.legal_moves()) > MAX_SEARCHED_MOVES
        if self.puzzle.kind != "win" or after.outcome is not None or not is_large:
            return None
        if not ThreatSearch.supports(after) or ThreatSearch(after).solve(limit).is_proved:
            return None
        return ThreatSearch(after).find_stop(max(1, self.moves_left - 1), self._line, limit)

    def _advance(self, after: Game) -> JudgedMove:
        """Play the answers to a right move that led to *after*."""
        self.game, answers = after, []
        self.moves_made += 1
        self.refuted.clear()
        while self._line and (after.turn != self.solver or is_forced_pass(after)):
            answers.append(self._line.pop(0))
            after.play(answers[-1])
        return JudgedMove(MoveVerdict.RIGHT if self._line else MoveVerdict.SOLVED, tuple(answers))


def evaluate(after: Game, limit: Limit) -> Analysis:
    """Return the analysis of *after*. On large boards, threats decide it faster than a full search."""
    forced = ThreatSearch(after).solve(limit) if ThreatSearch.supports(after) else UNKNOWN
    return forced if forced.is_proved else Analyst().solve(after, limit)


def _value(after: Game, analysis: Analysis | None, solver: str) -> int | None:
    """Return the value of *after* for *solver*, from the outcome or from *analysis*, or None if unknown."""
    value = value_of_end(after) if analysis is None else analysis.value
    return value if value is None or after.turn == solver else -value
