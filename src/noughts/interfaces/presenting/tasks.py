"""What interfaces have worked out elsewhere: tasks for a :class:`~noughts.workers.messages.TaskWorker`.

Each is a function of a desk and of what is asked about, and leaves the games it is given as they were. A
task that is stopped or hurried answers soon, with what is known by then. Progress is that of the searches,
with the stage ``searching``; a look back has its own.
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
"""What looking at the answers to one move may take, when its reason is looked for."""

REASONS_SHARE = 0.25
"""The part of its seconds that :func:`evaluate_moves` keeps for the reasons."""

MAX_SEATED = 8
"""So many computers are remembered, those that moved last: as many as there are sides at most."""


MAX_PROGRAMS = 32
"""So many programs of others are kept."""


@dataclass(frozen=True, slots=True)
class MoveEvaluation:
    """What a position and its moves are worth, and one reason for each legal move.

    Where nothing can be found, for these rules or on a board so large, ``analysis`` is ``UNKNOWN`` and has
    no moves, and there are no reasons; nor are there any when the game has ended.
    """

    analysis: Analysis
    reasons: dict[Move, MoveReason]


@dataclass(frozen=True, slots=True)
class ImmediateMoves:
    """The moves that win at once: ``own`` of the side to move, ``others`` of the others, were it theirs.

    Where a line loses, ``lose`` is true, ``own`` are the moves that lose at once, and there are no others.
    What cannot be told, for these rules or on a board so large, is None.
    """

    own: tuple[Move, ...] | None
    others: tuple[Move, ...] | None
    lose: bool = False


# Computers


def take_seat(desk: TaskContext, name: str, game: Game, seed: int | None) -> NoughtsError | None:
    """Seat the computer called *name* for *game*; why it declines, None where it does not.

    To look at the game may take it seconds, and what it finds then helps with its moves. A program is ended
    again: which seat it will have is not known yet.
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
    """The command of the computer called *name*, which is to decide in *game*, whose opening stands so.

    Where there is none of that name, or it declines the game, why: that is no forfeit.

    Its move is wanted after *seconds*, or as soon as it is hurried; after *patience* seconds it forfeits,
    as it does where it raises or returns no legal move. The player is kept for the next move, by *name*,
    *seed* and the game, with all it learned; a program also by its *seat*, as each has one. What a player
    does before its first move counts for neither; so whoever asks should be patient for longer than
    *patience*.
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
    if isinstance(command, Forfeit):  # it may be thinking still: nobody must meet it again
        _players(desk).pop(_key(name, game, seed, seat), None)
    return command


def _seated(desk: TaskContext, name: str, game: Game, seed: int | None, seat: str) -> Player:
    """The player called *name*, the same as for the last move of such a game."""
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
        players.pop(longest_ago, None)  # another thread may have been quicker
    return player


def _players(desk: TaskContext) -> dict[object, Player]:
    """The players that are kept, those that were asked last at the end."""
    players: dict[object, Player] = desk.memory.setdefault("players", {})
    return players


def _key(name: str, game: Game, seed: int | None, seat: str) -> object:
    return (name, seed, type(game), game.name, game.sides, "" if is_ours(name) else seat)


# What positions are worth


class _DeskAnalyst(Analyst):
    """An analyst that is kept, and works for one desk after another: it listens to it and reports to it."""

    def __init__(self) -> None:
        super().__init__()
        self.stop: Callable[[], bool] = never

    def analyse(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        usual, stop = limit.stop, self.stop
        return super().analyse(game, replace(limit, stop=lambda: stop() or usual()))


def _analyst(desk: TaskContext, game: Game) -> _DeskAnalyst:
    """The analyst of the last such task; what it knows of other games than *game* is forgotten."""
    kind = (type(game), game.name, game.sides)
    stored: tuple[object, _DeskAnalyst] | None = desk.memory.get("analyst")
    if stored is None or stored[0] != kind:
        desk.memory["analyst"] = stored = (kind, _DeskAnalyst())
    analyst = stored[1]
    analyst.stop, analyst.report = desk.stop, desk.report
    return analyst


def evaluate_moves(desk: TaskContext, game: Game, seconds: float) -> MoveEvaluation:
    """What *game* and each of its moves is worth, and why, found in about so many *seconds*.

    Where a search cannot answer for the rules, nothing is known.
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
    """What was *analysis* of *game*, what trying the moves tells besides, and one reason for each of them.

    No reasons when it has ended.
    """
    if game.is_over:
        return MoveEvaluation(analysis, {})
    glance = replace(SIDE_GLANCE, stop=limit.started().stop)
    ask = partial(analyst.analyse, limit=glance) if analysis.is_proved else None
    explainer = Explainer(game, analysis, ask)
    return MoveEvaluation(explainer.completed, {move: explainer.explain(move) for move in explainer.tried})


def find_hint(desk: TaskContext, game: Game) -> hints.Hint:
    """A good move and why it is, as :func:`noughts.interfaces.presenting.hints.find_hint` finds it."""
    return hints.find_hint(game, _analyst(desk, game))


def review_game(desk: TaskContext, game: Game, settled_from: int, seconds: float) -> Review:
    """What there is to say of each move of *game*, with so many *seconds* for each position.

    The sides were settled after *settled_from* moves.

    Progress has the stage ``reviewing`` with ``done`` positions ``of`` how many, and what was ``found``.
    Stopped, it goes through the rest of the game without a search. Raises
    :class:`~noughts.errors.UnsupportedRules` for boards so large that nothing is known of them.
    """
    if len(game.cells) > MAX_ENUMERATED:
        raise UnsupportedRules("review", game.name, "too-large", cells=MAX_ENUMERATED)
    analyst = _analyst(desk, game)

    def tell(review_so_far: Review) -> None:
        of = len(review_so_far.values)
        desk.report(Progress("reviewing", done=of - review_so_far.waiting, of=of, found=review_so_far))

    analyst.report = no_report

    def ask(position: Game) -> Analysis:
        return analyst.analyse(position, Limit(seconds=seconds))

    return review(game, ask, tell, settled_from=settled_from)


def find_threats(desk: TaskContext, game: Game) -> ImmediateMoves:  # noqa: ARG001 - a task has one
    """The :func:`threats` of *game*, elsewhere: for boards of very many directions."""
    return threats(game)


def threats(game: Game) -> ImmediateMoves:
    """The moves by which a side wins at once, or loses where a line does, as
    :mod:`noughts.search.explain.immediate` finds them.

    This takes a few milliseconds on 19x19 and 8x8x8, so it need not be asked of anybody else.
    """
    if game.rules is not None and game.rules.line_loses:
        return ImmediateMoves(losses_at_once(game), (), lose=True)
    others: set[Move] | None = set()
    for side in game.sides:
        if side != game.turn:
            moves = wins_at_once(game, side)
            others = None if moves is None or others is None else others.union(moves)
    return ImmediateMoves(wins_at_once(game, game.turn), None if others is None else tuple(sorted(others)))
