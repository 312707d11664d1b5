"""An attempt at a puzzle: each move that is tried is judged, and answered by best play."""

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
"""What judging one move may take: ten times what the proof of a whole puzzle did."""

MAX_SEARCHED_MOVES = 100
"""With more moves to choose from, what is not decided by threats is not decided at all."""


class MoveVerdict(StrEnum):
    """What a tried move is: right, the last right one, wrong, or not found out within the limit."""

    RIGHT = "right"
    SOLVED = "solved"
    WRONG = "wrong"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """What came of a tried move, and the moves that answer it: after a right one they have been played.

    Of a wrong one they refute it; none where it ended the game, or where that took too long to find.
    """

    verdict: MoveVerdict
    answers: tuple[Move, ...] = ()


@dataclass(eq=False)
class Attempt:
    """The game of *puzzle* from its position on, with the solver to move until it is solved.

    A wrong move is not played. The first has to be the one of the solution, or to lead where it does; of the
    later ones of a win each is right that keeps the win (on large boards: by threats, or in as many moves as
    the puzzle says), and of a draw or better that was saved there is no other.

    >>> from noughts.games.catalogue import new_game
    >>> attempt = Attempt(Puzzle(1, "tictactoe", "X.O/.../O.X X", "win", 1, "5"))
    >>> attempt.try_move((0, 1)).verdict.value, attempt.try_move((1, 1)).verdict.value
    ('wrong', 'solved')
    """

    puzzle: Puzzle
    game: Game = field(init=False)
    solver: str = field(init=False)
    made: int = field(default=0, init=False)
    """How many moves the solver has made."""
    refuted: set[Move] = field(default_factory=set, init=False)
    """The moves that were tried here and are wrong."""
    _line: list[Move] = field(init=False)  # best play from here on

    def __post_init__(self) -> None:
        self.game = self.puzzle.start()
        self.solver = self.game.turn
        self._line = list(self.puzzle.moves())

    @classmethod
    def after(cls, puzzle: Puzzle, texts: Iterable[str], limit: Limit = JUDGE_LIMIT) -> "Attempt":
        """The attempt in which the solver has made the moves *texts*.

        Raises :class:`~noughts.errors.BadInput` for what is no move, and for one that is not right.
        """
        attempt = cls(puzzle)
        for text in texts:
            move = parse_move(attempt.game, text)
            if attempt.try_move(move, limit).verdict not in (MoveVerdict.RIGHT, MoveVerdict.SOLVED):
                raise IllegalMove(move, ())
        return attempt

    @property
    def is_solved(self) -> bool:
        """Whether nothing is left to be found."""
        return self.made > 0 and not self._line

    @property
    def line(self) -> tuple[Move, ...]:
        """Best play of both sides from here to the end of the puzzle."""
        return tuple(self._line)

    @property
    def best(self) -> Move:
        """A right move. Raises :class:`~noughts.errors.GameOver` once the puzzle is solved."""
        if self.is_solved:
            raise GameOver
        return self._line[0]

    @property
    def left(self) -> int:
        """How many moves the solver still has to make, against best play."""
        game, left = self.game.copy(), 0
        for move in self._line:
            left += game.turn == self.solver and not is_forced_pass(game)
            game.play(move)
        return left

    def try_move(self, move: Move, limit: Limit = JUDGE_LIMIT) -> JudgedMove:
        """Judge *move*; if it is right, play it and the answers to it, until the solver is to move again.

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
        if self.puzzle.kind == "save" or not self.made or (value is not None and value < 1):
            return JudgedMove(MoveVerdict.WRONG, () if analysis is None else analysis.pv[:1])
        if value is None or (analysis is not None and len(analysis.pv) != analysis.plies):
            return JudgedMove(MoveVerdict.UNKNOWN)
        self._line = [] if analysis is None else list(analysis.pv)
        return self._advance(after)

    def _refutation(self, after: Game) -> Move | None:
        """A reply that wins *after* at once; with hundreds of moves the search is long in finding it."""
        if after.outcome is not None or after.turn == self.solver:
            return None
        return ImmediateTactics(after).find_win()

    def _find_stop(self, after: Game, limit: Limit) -> Move | None:
        """Of a board too large to try all moves: a reply to a move that makes no threat, after which the win
        that the puzzle asks for takes longer than it says. Whether it is still one, nobody could find out.
        """
        is_large = len(self.game.legal_moves()) > MAX_SEARCHED_MOVES
        if self.puzzle.kind != "win" or after.outcome is not None or not is_large:
            return None
        if not ThreatSearch.supports(after) or ThreatSearch(after).solve(limit).is_proved:
            return None
        return ThreatSearch(after).find_stop(max(1, self.left - 1), self._line, limit)

    def _advance(self, after: Game) -> JudgedMove:
        """Play what follows on a right move that led to *after*."""
        self.game, answers = after, []
        self.made += 1
        self.refuted.clear()
        while self._line and (after.turn != self.solver or is_forced_pass(after)):
            answers.append(self._line.pop(0))
            after.play(answers[-1])
        return JudgedMove(MoveVerdict.RIGHT if self._line else MoveVerdict.SOLVED, tuple(answers))


def evaluate(after: Game, limit: Limit) -> Analysis:
    """What *after* is worth: threats tell that of large boards before a search that tries all moves does."""
    forced = ThreatSearch(after).solve(limit) if ThreatSearch.supports(after) else UNKNOWN
    return forced if forced.is_proved else Analyst().solve(after, limit)


def _value(after: Game, analysis: Analysis | None, solver: str) -> int | None:
    """What *after* is worth to the *solver*, by its end or from *analysis*; None for what is not known."""
    value = value_of_end(after) if analysis is None else analysis.value
    return value if value is None or after.turn == solver else -value
