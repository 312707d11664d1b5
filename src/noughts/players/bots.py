"""The players that come with noughts: random, rule, perfect; the levels stand in ``levels``."""

from collections import deque
from random import Random

from noughts.errors import GameOver, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.kinarow import KInARow
from noughts.players.base import Player, register
from noughts.players.sight import Sight, look_at
from noughts.players.tactics import winning_moves
from noughts.search.analysis import Limit, LimitReachedError, never
from noughts.search.solver import Solver, check_supported

MAX_LOOKS = 40
"""How many candidates the rule player tries against the other side's replies."""

MAX_SOLVED_CELLS = 36
"""With more empty cells the perfect player declines without spending its budget."""

SEAT_NODES = 330_000
"""What the perfect player may spend on solving the position it is seated at."""

DOUBTFUL_NODES = 90_000
"""What of that it spends on games that are mostly too large."""

SHORT_LINE_NODES = 220_000
"""The same where lines are so short that a win is near, and nodes are cheap."""

MOVE_NODES = 500_000
"""What it may spend on one move."""

NODES_PER_SECOND = 100_000
"""A slow machine's; for limits in seconds where nobody gives the stop signal."""

CHOICE_NODES = 20_000
"""What it may spend on finding, among equally good moves, the one that sets most traps."""


class RandomPlayer(Player):
    """Any legal move, each as likely as another."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def take_seat(self, game: Game) -> None:
        _decline_alone("random", game)

    def choose(self, game: Game, limit: Limit) -> Move:
        return self._chance.choice(_open_moves(game))


class RulePlayer(Player):
    """Wins if it can, else blocks, else takes the cell that most lines go through.

    On 3x3 those are the three rules of the tutorials: win, block, centre before corners before edges.
    On any board it wins at once where it can, avoids moves that let the other side win at once, and
    prefers the cells with the greatest :meth:`~noughts.games.base.Game.weight`. Of boards larger than
    19x19 it looks at a part, near the marks.
    """

    def take_seat(self, game: Game) -> None:
        _decline_alone("rule", game)

    def choose(self, game: Game, limit: Limit) -> Move:
        if game.outcome is not None:
            raise GameOver
        sight = look_at(game)
        # Where there is no mark to complete a line beside, a line of one cell may still be made.
        wins = winning_moves(game, sight.endings() or sight.moves[:1])
        if wins:
            return wins[0]
        best_first = sorted(sight.moves, key=game.weight, reverse=True)
        queue = deque(move for move in best_first if not _loses_at_once(game, move, sight))
        blocks: set[Move] = set()
        tried: set[Move] = set()
        while queue and len(tried) < MAX_LOOKS:
            move = queue.popleft()
            if move in tried:
                continue
            tried.add(move)
            refutations = _replies_that_win(game, move, sight)
            if not refutations:
                return move
            # Where the other side would win is where it must be stopped: try those cells next.
            here = [reply for reply in refutations if reply in sight.moves]
            blocks.update(here)
            queue.extendleft(reversed(here))
        return min(blocks, key=sight.moves.index, default=best_first[0])


class PerfectPlayer(Player):
    """Never gives away what the position is worth: the fastest win, the longest defence, and among
    equally good moves one that leaves the other side most ways to go wrong.

    It solves the game before the first move, and declines a game that its node budget cannot solve. A
    position for which the limit is too small it plays as the rule player would.
    """

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._solver = Solver(lambda: self._stop())
        self._stop = never
        self._declined = ""

    def take_seat(self, game: Game) -> None:
        self._check_rules(game)
        self._declined = game.name  # until it is known that this one can be played
        if game.outcome is None and not self._can_solve(game):
            raise _too_large(game)
        self._declined = ""

    def _check_rules(self, game: Game) -> None:
        _decline_alone("perfect", game)
        try:
            check_supported(game, "perfect")
        except UnsupportedRules as error:
            raise UnsupportedRules("perfect", game.name, error.reason, instead=("level:10",)) from None

    def _can_solve(self, game: Game) -> bool:
        nodes = min(SEAT_NODES, nodes_worth_trying(game))
        self._stop = never
        return nodes > 0 and self._solver.solve(game, Limit(nodes=nodes)).value is not None

    def choose(self, game: Game, limit: Limit) -> Move:
        _open_moves(game)
        self._check_rules(game)
        if game.name == self._declined:
            raise _too_large(game)
        nodes = _nodes_allowed(game, limit)
        self._stop = limit.stop
        before = self._solver.nodes
        try:
            scores = self._solver.score_moves(game, Limit(nodes=nodes))
        except LimitReachedError:
            return RulePlayer().choose(game, limit)
        best = max(scores.values())
        equal = [move for move, score in scores.items() if score == best]
        traps = self._count_traps(game.copy(), equal, nodes - (self._solver.nodes - before))
        most = max(traps.values())
        return self._chance.choice([move for move in equal if traps[move] == most])

    def _count_traps(self, game: Game, moves: list[Move], nodes: int) -> dict[Move, int]:
        """For each of *moves*, how many replies would make the other side's result worse."""
        self._solver.allow(Limit(nodes=min(CHOICE_NODES, nodes)))
        traps = dict.fromkeys(moves, 0)
        if len(moves) > 1:
            try:
                for move in moves:
                    game.play(move)
                    traps[move] = self._count_mistakes(game)
                    game.undo()
            except LimitReachedError:
                return dict.fromkeys(moves, 0)
        return traps

    def _count_mistakes(self, game: Game) -> int:
        """How many legal moves give a worse result, win or draw or loss, than the best one."""
        replies = list(game.legal_moves())
        worth = {reply: self._result_of(game, reply) for reply in replies}
        return sum(value < max(worth.values()) for value in worth.values())

    def _result_of(self, game: Game, move: Move) -> int:
        """1, 0 or -1 for the side that makes *move*."""
        game.play(move)
        try:
            if self._solver.is_at_least(game, 1):
                return -1
            return 0 if self._solver.is_at_least(game, 0) else 1
        finally:
            game.undo()


def nodes_worth_trying(game: Game) -> int:
    """How many nodes may solve *game*; what more would not help, as was measured, is not spent.

    A game that is not solved by then is declined within about a second.
    """
    free = game.cells.count(None)
    if free > MAX_SOLVED_CELLS:
        return 0
    rules = game.rules if isinstance(game, KInARow) else None
    if rules is None or rules.wild:
        return DOUBTFUL_NODES
    if rules.line_loses and not rules.notakto:
        long_lines = min(rules.shape) > 2 and rules.k == max(rules.shape)
        return SEAT_NODES if free <= 12 or (free <= 16 and long_lines) else DOUBTFUL_NODES
    if free <= 12 or (free <= 16 and len(rules.shape) > 1):
        return SEAT_NODES
    if rules.gravity and free <= 20 and len(game.legal_moves()) <= 5:
        return SEAT_NODES
    return SHORT_LINE_NODES if rules.k <= 3 and not rules.notakto else DOUBTFUL_NODES


def _nodes_allowed(game: Game, limit: Limit) -> int:
    """What one choice may spend."""
    nodes = MOVE_NODES if game.cells.count(None) <= MAX_SOLVED_CELLS else 0
    if limit.nodes is not None:
        nodes = min(nodes, limit.nodes)
    if limit.seconds is not None:
        nodes = min(nodes, int(limit.seconds * NODES_PER_SECOND))
    return nodes


def _too_large(game: Game) -> UnsupportedRules:
    return UnsupportedRules("perfect", game.name, "too-large", instead=("level:10",), nodes=SEAT_NODES)


def _open_moves(game: Game) -> list[Move]:
    """The legal moves; :class:`~noughts.errors.GameOver` where there are none to choose from."""
    if game.outcome is not None:
        raise GameOver
    return list(game.legal_moves())


def _loses_at_once(game: Game, move: Move, sight: Sight) -> bool:
    if not sight.may_end(move):
        return False
    side = game.turn
    game.play(move)
    outcome = game.outcome
    game.undo()
    return outcome is not None and outcome.winner not in (None, side)


def _replies_that_win(game: Game, move: Move, sight: Sight) -> list[Move]:
    """The replies to *move* that win at once."""
    game.play(move)
    replies = winning_moves(game, sight.endings(move) if game.outcome is None else [])
    game.undo()
    return replies


def _decline_alone(who: str, game: Game) -> None:
    """Nobody who makes some move or other ever solves a puzzle."""
    if len(game.sides) == 1:
        raise UnsupportedRules(who, game.name, "one-side", instead=("human",))


def _level(argument: str, chance: Random) -> Player:
    """A level; the searches behind it are imported only here, as they take half the time to start."""
    from noughts.players.levels import LevelPlayer

    return LevelPlayer(argument, chance)


register("random")(lambda argument, chance: RandomPlayer(chance))
register("rule")(lambda argument, chance: RulePlayer())
register("perfect")(lambda argument, chance: PerfectPlayer(chance))
register("level", arguments=tuple(map(str, range(1, 11))))(_level)
