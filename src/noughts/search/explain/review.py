"""Review of a game: the value of each position, the moves that changed it, and the better moves."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from noughts.drawing.chart import Chart
from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move
from noughts.search.analysis import UNKNOWN, Analysis, MoveValue, analysis_of_end
from noughts.search.explain.reasons import Analyse, Explainer, MoveReason

MAX_LINE = 16
"""Maximum number of plies of a better line."""

MAX_DRAWN_LINE = 8
"""Maximum number of plies of a better line that does not win, since long lines of drawing moves say little.
"""


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """One move of a reviewed game.

    ``ply`` counts the moves from 1. ``before`` and ``after`` are the values of the game for the mover, before
    and after the move: 1, 0, -1, or None if not proved. ``changed`` means that the move lowered the value. If
    no value is proved, it means that the move loses at once and ``best`` does not.

    ``best`` is the best move: this one if there is no better move, None if that is not proved, and among wins
    the quickest one known. ``plies`` and ``best_plies`` count from before the move to the end, after this
    move and after ``best``. They are None for draws and if not proved. ``better`` is the reason for ``best``,
    or None if ``best`` is None or this move.

    ``is_counted`` means that both moves win by the count when no side can move any more, so that a sooner win
    is no better.
    """

    ply: int
    side: str
    move: Move
    before: int | None
    after: int | None
    changed: bool
    plies: int | None
    best: Move | None
    best_plies: int | None
    reason: MoveReason
    better: MoveReason | None
    is_at_stake: bool = False
    line: tuple[Move, ...] = ()
    is_counted: bool = False

    @property
    def missed(self) -> bool:
        """True if the move wins later than possible, or is not proved to win while ``best`` is."""
        if self.before != 1 or self.best is None or self.is_counted:
            return False
        if self.after is None:
            return True
        if self.after != 1 or self.plies is None or self.best_plies is None:
            return False
        return self.plies > self.best_plies


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewed game.

    ``values`` are the values of the position for ``first``, the first side in turn order, before the first
    move and after each move: one more than there are moves, None if not proved. ``scores`` are the heuristic
    scores of the same positions for the same side, or None. ``cannot_lose`` means that this alone is proved
    for ``first`` at the start.

    The last moves are reviewed first. ``waiting`` is the number of positions that are not reviewed yet. As
    many moves are missing at the front of ``moves``, and their values are None. The next position may still
    change the entry of the first of ``moves``.
    """

    first: str
    moves: tuple[ReviewedMove, ...]
    values: tuple[int | None, ...]
    scores: tuple[int | None, ...]
    cannot_lose: bool = False
    waiting: int = 0

    @property
    def turning_points(self) -> tuple[ReviewedMove, ...]:
        """The moves that lowered the value, or that lost at once in a position without a known value."""
        return tuple(move for move in self.moves if move.changed)

    @property
    def missed_wins(self) -> tuple[ReviewedMove, ...]:
        """The moves that win later than possible, or are not proved to win while another move is."""
        return tuple(move for move in self.moves if move.missed)

    def _repr_svg_(self) -> str:
        """Return a chart of the value with rings at the turning points, for notebooks."""
        return Chart(self.values, {move.ply for move in self.turning_points})._repr_svg_()

    def accuracy(self, side: str) -> float | None:
        """Return the share of the moves of *side* that lowered no value, among those that could have.

        Only moves with proved values, or that could have lost at once, count. Return None if no move counts.
        """
        has_kept_value = [
            not move.changed
            for move in self.moves
            if move.side == side and move.is_at_stake and (move.before is None or move.after is not None)
        ]
        return sum(has_kept_value) / len(has_kept_value) if has_kept_value else None


@dataclass(frozen=True, slots=True)
class _Stage:
    """A position of the game and its known values, for the side to move."""

    game: Game
    analysis: Analysis
    explainer: Explainer
    value: int | None
    plies: int | None
    score: int | None
    cannot_lose: bool = False


def review(
    game: Game,
    analyse: Analyse,
    report: Callable[[Review], None] = lambda review: None,
    *,
    settled_from: int = 0,
) -> Review:
    """Review each move of *game*, which need not be over and is not changed.

    *analyse* is called with each position, the last one first, so that its stored results help with the
    earlier
    ones. *report* is called with the review so far after each position. Nothing has a value if *analyse*
    raises
    :class:`~noughts.errors.UnsupportedRules`, or in games of three or more sides. Neither have positions
    before
    *settled_from* moves, in an opening that assigned the sides: a winning side may still be swapped there.

    >>> from noughts import TicTacToe
    >>> from noughts.search.analyst import Analyst
    >>> game = TicTacToe()
    >>> for cell in [(0, 0), (0, 1), (1, 1), (0, 2), (2, 2)]:
    ...     game.play(cell)
    >>> reviewed = review(game, Analyst().analyse)
    >>> reviewed.values
    (0, 0, 1, 1, 1, 1)
    >>> [(move.ply, move.best, move.better.code) for move in reviewed.turning_points]
    [(2, (1, 1), 'only-move')]
    """
    for result in reviews(game, analyse, settled_from=settled_from):
        report(result)
    return result


def reviews(game: Game, analyse: Analyse, *, settled_from: int = 0) -> Iterator[Review]:
    """Yield the review of *game* so far after each position, the last position first."""
    analyse = _analysed_once(analyse)
    position, first = game.copy(), game.sides[0]
    if game.ply < settled_from:
        stages = deque([_unsettled_stage(game.copy(), analyse)])
    else:
        analysis = analyse(game) if game.outcome is None else analysis_of_end(game)
        stages = deque([_stage(game.copy(), analysis, analyse)])
    reviewed = deque[ReviewedMove]()

    def so_far() -> Review:
        unknown = (None,) * position.ply
        return Review(
            first,
            tuple(reviewed),
            (*unknown, *(_seen_from(first, stage.game.turn, stage.value) for stage in stages)),
            (*unknown, *(_seen_from(first, stage.game.turn, stage.score) for stage in stages)),
            position.ply == 0 and stages[0].cannot_lose,
            position.ply,
        )

    yield so_far()
    for move in reversed(game.moves):
        position.undo()
        if position.ply < settled_from:
            stages.appendleft(_unsettled_stage(position.copy(), analyse))
            reviewed.appendleft(_placed(position, move))
        else:
            stages.appendleft(_earlier_stage(position.copy(), analyse, move, stages[0]))
            for place, made in enumerate(game.moves[position.ply :], 1):
                later = _later_stage(stages[place - 1], made, stages[place], analyse)
                if later is stages[place]:
                    break
                stages[place] = later
                if place <= len(reviewed):
                    reviewed[place - 1] = _review_move(later, game.moves[position.ply + place], analyse)
            reviewed.appendleft(_review_move(stages[0], move, analyse))
        yield so_far()


def _analysed_once(analyse: Analyse) -> Analyse:
    """Return a function that analyses each position once, and none after the game proved unsupported."""
    known: dict[object, Analysis] = {}
    is_supported = True

    def analyse_once(game: Game) -> Analysis:
        nonlocal is_supported
        key = game.key()
        if key not in known:
            known[key] = UNKNOWN
            if is_supported and len(game.sides) <= 2:
                try:
                    known[key] = analyse(game)
                except UnsupportedRules:
                    is_supported = False
        return known[key]

    return analyse_once


def _earlier_stage(game: Game, analyse: Analyse, move: Move, later: _Stage) -> _Stage:
    """Return the stage of *game*, in which *move* leads to *later*, using the value of *later* too."""
    analysis = analyse(game)
    value = _seen_from(game.turn, later.game.turn, later.value)
    values = {known.move: known for known in analysis.moves}
    if value is not None and values.get(move, MoveValue(move)).value is None:
        values[move] = MoveValue(move, value, None if later.plies is None else later.plies + 1)
        analysis = replace(analysis, moves=tuple(values.values()))
    return _stage(game, analysis, analyse)


def _later_stage(earlier: _Stage, move: Move, later: _Stage, analyse: Analyse) -> _Stage:
    """Return the stage *later*, to which *move* leads, with the value from *earlier* if it has none."""
    known = earlier.explainer.worth(move)
    if later.value is not None or known.value is None or len(later.game.sides) > 2:
        return later
    value = _seen_from(later.game.turn, earlier.game.turn, known.value)
    plies = None if known.plies is None else known.plies - 1
    return _stage(later.game, replace(later.analysis, value=value, plies=plies), analyse)


def _stage(game: Game, analysis: Analysis, analyse: Analyse) -> _Stage:
    explainer = Explainer(game, analysis, analyse)
    if len(game.sides) > 2:  # with more sides, a win of one side is not the same loss for each other side
        return _Stage(game, analysis, explainer, None, None, None)
    cannot_lose = analysis.cannot_lose and explainer.value is None
    return _Stage(game, analysis, explainer, explainer.value, explainer.plies, analysis.score, cannot_lose)


def _unsettled_stage(game: Game, analyse: Analyse) -> _Stage:
    """Return the stage of a position in an opening, before the sides are assigned."""
    return _Stage(game, UNKNOWN, Explainer(game, UNKNOWN, analyse), None, None, None)


def _placed(game: Game, move: Move) -> ReviewedMove:
    """Return the review of a move in an opening, without a judgement."""
    reason = MoveReason("opening")
    return ReviewedMove(game.ply + 1, game.turn, move, None, None, False, None, None, None, reason, None)


def _review_move(stage: _Stage, move: Move, analyse: Analyse) -> ReviewedMove:
    before, explainer = stage.value, stage.explainer
    known, best = explainer.worth(move), explainer.best
    if len(stage.game.sides) > 2:
        known, best = MoveValue(move), None
    if best is not None and best.value == -1 and (best.plies is None or best.plies != stage.plies):
        best = None  # another move may resist longer
    if best is not None and (best.value, best.plies) == (known.value, known.plies):
        best = known
    reviewed = ReviewedMove(
        stage.game.ply + 1,
        stage.game.turn,
        move,
        before,
        known.value,
        before is not None and known.value is not None and known.value < before,
        known.plies,
        None if best is None else best.move,
        None if best is None else best.plies,
        explainer.explain(move),
        None if best is None or best is known else explainer.explain(best.move),
        explainer.has_pitfall if before is None else explainer.can_worsen(before),
    )
    if best is not None and (reviewed.changed or reviewed.missed):
        line, end = _best_line(stage.game, best.move, analyse, MAX_LINE if best.value else MAX_DRAWN_LINE)
        if known.value == 1 and len(end.sides) == 2 and end.outcome is not None and not end.outcome.lines:
            return replace(reviewed, is_counted=True)
        return replace(reviewed, line=line)
    safer = explainer.safer_than(move)
    if safer is not None:
        better = explainer.explain(safer)
        return replace(reviewed, changed=True, best=safer, better=better, line=(safer,))
    return reviewed


def _best_line(game: Game, best: Move, analyse: Analyse, max_moves: int) -> tuple[tuple[Move, ...], Game]:
    """Return the line of proved best moves that starts with *best*, and the position after it.

    The line has at most *max_moves* moves.
    """
    position, line = game.copy(), [best]
    position.play(best)
    while len(line) < max_moves and position.outcome is None:
        analysis = analyse(position)
        if analysis.value is None or analysis.best is None:
            break
        line.append(analysis.best)
        position.play(analysis.best)
    return tuple(line), position


def _seen_from(one: str, other: str, value: int | None) -> int | None:
    """Convert *value*, for the side *other*, to the value for the side *one*."""
    return value if value is None or one == other else -value
