"""Tasks for a :class:`~noughts.workers.messages.TaskWorker`, which runs them outside the interface.

Each is a function of a context and the subject, and leaves its games unchanged. A task that is stopped or
hurried returns its result so far. Progress has the stage ``searching``. A review has its own stage.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from noughts.arena.commands import Break, Command, Forfeit
from noughts.arena.match import SETTLED
from noughts.arena.runner import PlayerSeat
from noughts.core.lines import MAX_ENUMERATED
from noughts.errors import GameBroken, NoughtsError, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.openings import OpeningState
from noughts.interfaces.presenting import hints
from noughts.interfaces.presenting.game_plan import player_random
from noughts.players.base import Player, offer_seat
from noughts.search.analysis import UNKNOWN, Analysis, Limit, Progress, never, no_report
from noughts.search.analyst import Analyst
from noughts.search.explain.immediate import losses_at_once, wins_at_once
from noughts.search.explain.reasons import Explainer, MoveReason
from noughts.search.explain.review import Review, review
from noughts.workers.messages import TaskContext
from noughts.workers.seating import is_ours, new_player

SIDE_GLANCE = Limit(nodes=20_000, seconds=0.5)
"""The limit of the search after each move, whose result is needed for the reason of the move."""

PROOF = Limit(nodes=20_000, seconds=2.0)
"""The limit of the search that examines a resignation. The nodes make the answer the same everywhere."""

REASONS_SHARE = 0.25
"""The part of its seconds that :func:`evaluate_moves` reserves for the reasons."""

MAX_SEATED = 8
"""The maximum number of computers that are stored, the latest ones: one for each side."""


MAX_PROGRAMS = 32
"""The maximum number of external programs that are stored."""


@dataclass(frozen=True, slots=True)
class MoveEvaluation:
    """The values of a position and its moves, and one reason for each legal move.

    If the rules or the size of the board make a search impossible, ``analysis`` is ``UNKNOWN`` without moves,
    and there are no reasons. There are none after the end of a game either.
    """

    analysis: Analysis
    reasons: dict[Move, MoveReason]


@dataclass(frozen=True, slots=True)
class ImmediateMoves:
    """The moves that win at once: ``own`` for the side to move, ``others`` for the other sides in its place.

    If a line loses, ``lose`` is True, ``own`` are the moves that lose at once, and ``others`` is empty. A
    field is None if the rules or the size of the board make the search impossible.
    """

    own: tuple[Move, ...] | None
    others: tuple[Move, ...] | None
    lose: bool = False


# Computers


def take_seat(desk: TaskContext, name: str, game: Game, seed: int | None) -> NoughtsError | None:
    """Create the computer *name* for *game*. Return the error if it declines, otherwise None.

    Examining the game may take seconds, and the results help with the first moves. An external program is
    stopped again, since its seat is not known yet.
    """
    try:
        _seated(desk, name, game, seed, "")
    except NoughtsError as error:
        return error
    if not is_ours(name):
        _players(desk).pop(_key(name, game, seed, ""), None)
    return None


def choose(
    desk: TaskContext,
    name: str,
    game: Game,
    seed: int | None,
    seconds: float,
    patience: float,
    standing: OpeningState = SETTLED,
    seat: str = "",
) -> Command | NoughtsError:
    """Return the command of the computer *name* for *game*.

    *standing* is the state of the opening. Return the error if the player does not exist or declines the
    game, which is no forfeit. The player should move after *seconds*, or as soon as it is hurried. It
    forfeits after *patience* seconds, and if it raises an error or returns an illegal move. The player is
    stored for the next move by *name*, *seed* and game, and a program also by *seat*. Preparation before the
    first move is not counted, so that the caller should wait longer than *patience*.
    """
    try:
        player = _seated(desk, name, game, seed, seat)
    except GameBroken as fault:
        return Break(fault.package, fault.words)
    except NoughtsError as error:
        return error
    limit = Limit(seconds=seconds, stop=desk.stop)
    on_late = partial(desk.report, Progress("late"))
    command = PlayerSeat(player, limit, patience, on_late).decide_in(game, standing)
    if isinstance(command, Forfeit):  # The player may still be running, so it must not be used again.
        _players(desk).pop(_key(name, game, seed, seat), None)
    return command


def _seated(desk: TaskContext, name: str, game: Game, seed: int | None, seat: str) -> Player:
    """Return the stored player *name* of this game, or a new one."""
    players, key = _players(desk), _key(name, game, seed, seat)
    player = players.pop(key, None)
    if player is None:
        player = new_player(
            name, player_random(f"{name} {seat}" if seat and not is_ours(name) else name, seed)
        )
        player.report_to(desk.report)
        offer_seat(player, name, game)
    player.report_to(desk.report)
    players[key] = player
    most = MAX_SEATED if is_ours(name) else MAX_PROGRAMS
    for longest_ago in list(players)[: max(0, len(players) - most)]:
        players.pop(longest_ago, None)  # Another thread may have removed it.
    return player


def _players(desk: TaskContext) -> dict[object, Player]:
    """Return the stored players, the most recently used last."""
    players: dict[object, Player] = desk.memory.setdefault("players", {})
    return players


def _key(name: str, game: Game, seed: int | None, seat: str) -> object:
    return (name, seed, type(game), game.name, game.sides, "" if is_ours(name) else seat)


# Values


class _DeskAnalyst(Analyst):
    """An analyst that serves one task after another, with the stop signal and report of each task."""

    def __init__(self) -> None:
        super().__init__()
        self.stop: Callable[[], bool] = never

    def analyse(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        usual, stop = limit.stop, self.stop
        return super().analyse(game, replace(limit, stop=lambda: stop() or usual()))


def _analyst(desk: TaskContext, game: Game) -> _DeskAnalyst:
    """Return the stored analyst.

    It forgets its results when the game changes.
    """
    kind = (type(game), game.name, game.sides)
    stored: tuple[object, _DeskAnalyst] | None = desk.memory.get("analyst")
    if stored is None or stored[0] != kind:
        desk.memory["analyst"] = stored = (kind, _DeskAnalyst())
    analyst = stored[1]
    analyst.stop, analyst.report = desk.stop, desk.report
    return analyst


def evaluate_moves(desk: TaskContext, game: Game, seconds: float) -> MoveEvaluation:
    """Return the values of *game* and its moves with reasons, after about *seconds*.

    If no search supports the rules, nothing is known.
    """
    if len(game.cells) > MAX_ENUMERATED:
        return MoveEvaluation(UNKNOWN, {})
    analyst = _analyst(desk, game)
    try:
        analysis = analyst.analyse(game, Limit(seconds=seconds * (1 - REASONS_SHARE)))
    except UnsupportedRules:
        return MoveEvaluation(UNKNOWN, {})
    return with_reasons(game, analysis, analyst, Limit(seconds=seconds * REASONS_SHARE))


def with_reasons(game: Game, analysis: Analysis, analyst: Analyst, limit: Limit) -> MoveEvaluation:
    """Return *analysis* of *game*, completed by trying the moves, and one reason for each move.

    After the end of a game there are no reasons.
    """
    if game.is_over:
        return MoveEvaluation(analysis, {})
    glance = replace(SIDE_GLANCE, stop=limit.started().stop)
    ask = partial(analyst.analyse, limit=glance) if analysis.is_proved else None
    explainer = Explainer(game, analysis, ask)
    return MoveEvaluation(explainer.completed, {move: explainer.explain(move) for move in explainer.effects})


def find_hint(desk: TaskContext, game: Game) -> hints.Hint:
    """Return a good move and its reason. See :func:`noughts.interfaces.presenting.hints.find_hint`."""
    return hints.find_hint(game, _analyst(desk, game))


def review_game(desk: TaskContext, game: Game, settled_from: int, seconds: float) -> Review:
    """Review each move of *game*, with *seconds* for each position.

    The sides were settled after *settled_from* moves. Progress has the stage ``reviewing`` with ``done``
    positions, their number ``of`` and the results ``found``. After a stop the rest of the game is reviewed
    without a search. Raises :class:`~noughts.errors.UnsupportedRules` for boards that are too large.
    """
    if len(game.cells) > MAX_ENUMERATED:
        raise UnsupportedRules("review", game.name, "too-large", cells=MAX_ENUMERATED)
    analyst = _analyst(desk, game)

    def report_review(review_so_far: Review) -> None:
        of = len(review_so_far.values)
        desk.report(Progress("reviewing", done=of - review_so_far.waiting, of=of, result=review_so_far))

    analyst.report = no_report

    def ask(position: Game) -> Analysis:
        return analyst.analyse(position, Limit(seconds=seconds))

    return review(game, ask, report_review, settled_from=settled_from)


def is_proved_win(desk: TaskContext, game: Game, side: str) -> bool:
    """Return True if a small search proves that *side* wins *game*. An unknown value is no proof."""
    if len(game.cells) > MAX_ENUMERATED or len(game.sides) != 2 or game.is_over:
        return False
    try:
        value = Analyst().analyse(game, replace(PROOF, stop=desk.stop)).value
    except UnsupportedRules:
        return False
    return value == (1 if side == game.turn else -1)


def find_threats(desk: TaskContext, game: Game) -> ImmediateMoves:  # noqa: ARG001 - a task has one
    """Return :func:`threats` of *game* as a task, for boards with very many directions."""
    return threats(game)


def threats(game: Game) -> ImmediateMoves:
    """Return the moves that win at once, or lose at once if a line loses.

    :mod:`noughts.search.explain.immediate` finds them in a few milliseconds on 19x19 and 8x8x8, so that no
    worker is needed.
    """
    if game.rules is not None and game.rules.line_loses:
        return ImmediateMoves(losses_at_once(game), (), lose=True)
    others: set[Move] | None = set()
    for side in game.sides:
        if side != game.turn:
            moves = wins_at_once(game, side)
            others = None if moves is None or others is None else others.union(moves)
    return ImmediateMoves(wins_at_once(game, game.turn), None if others is None else tuple(sorted(others)))
