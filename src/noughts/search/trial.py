"""What each move does at once, found by trying it: whether it ends the game, what it allows and threatens.

Nothing here looks further than the other side's reply and one's own next move, so all of it is exact for
any rules. On a k-in-a-row board only the moves that may complete a line are tried as replies.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from noughts.core.board import index_of
from noughts.core.geometry import coordinates
from noughts.core.lines import LineCounts, LineTable, line_table
from noughts.errors import BadInput
from noughts.games.base import Game, Move, Outcome, Placement
from noughts.games.moves import cells_of, choices_of
from noughts.games.rules import Rules
from noughts.search.handling import handled_rules

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "wild", "notakto", "hex", "vanish", "players"))
"""The facts under which whatever wins fills a line of the table."""

MAX_TRIED = 100
"""With more moves than this nobody tries every reply to every move, where nothing is known of lines."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What a move does at once.

    ``outcome`` is how it ends the game, None where the game goes on. ``replies`` are the moves by which
    the next side then wins at once. ``threats`` are one's own moves that are open already and win next
    whatever the reply, but for one reply at most; ``is_double`` says that no reply stops them all. For
    threats nobody looks where the next side can win, where one could win instead of the move, and in games
    that are not of two sides.
    """

    outcome: Outcome | None = None
    replies: tuple[Move, ...] = ()
    threats: tuple[Move, ...] = ()
    is_double: bool = False


class Sight:
    """Which moves may win at once: for a game of which nothing is known, all that are legal."""

    def may_win(self, game: Game, move: Move, mover: str, side: str) -> Sequence[Move]:
        """The moves by which *side* may win once *mover* has made *move*, as was just done in *game*."""
        return game.legal_moves()

    def open_lines(self, game: Game, move: Move) -> tuple[int, int] | None:
        """How many lines through the cell of *move* bear no foreign mark, and the most marks that one bears.

        None where lines are no gain, or nothing is known of them.
        """
        return None


class NoSight(Sight):
    """For boards so large that nobody looks further than one move."""

    def may_win(self, game: Game, move: Move, mover: str, side: str) -> Sequence[Move]:
        return []


class LineSight(Sight):
    """For k in a row: the cells that a line lacks, wherever they may be played on."""

    def __init__(self, game: Game, rules: Rules, table: LineTable) -> None:
        self._rules, self._table = rules, table
        self._coordinates = coordinates(game.shape)
        self._counts = LineCounts(table, game.cells, rules.placed)
        self._lacking = {mark: set(self._counts.lacking(mark).values()) for mark in rules.placed}

    def may_win(self, game: Game, move: Move, mover: str, side: str) -> Sequence[Move]:
        if self._rules.line_loses:
            return []
        index, placed = self._place(move, mover)
        found: list[Move] = []
        for mark in self._rules.placed if self._rules.wild else (side,):
            cells = self._lacking[mark]
            if mark == placed:
                cells = cells | self._lacking_with(index, mark)
            spots = [self._coordinates[cell] for cell in sorted(cells)]
            found += [Placement(spot, mark) for spot in spots] if self._rules.wild else spots
        return found

    def open_lines(self, game: Game, move: Move) -> tuple[int, int] | None:
        if self._rules.line_loses or self._rules.vanish:
            return None
        index, mark = self._place(move, game.turn)
        lines = [line for line in self._table.lines_of(index) if self._counts.is_open(line, mark)]
        return len(lines), max((self._counts.counts[mark][line] for line in lines), default=0)

    def _place(self, move: Move, side: str) -> tuple[int, str]:
        """The number of the cell and the mark that *move* of *side* puts there."""
        return index_of(self._rules.shape, cells_of(move)[0]), next(iter(choices_of(move)), side)

    def _lacking_with(self, index: int, mark: str) -> set[int]:
        """The cells that lines through *index* lack as soon as *mark* stands there too."""
        self._counts.place(index, mark)
        lacking = self._counts.lacking(mark, self._table.lines_of(index))
        self._counts.lift(index)
        return set(lacking.values())


def sight_of(game: Game) -> Sight:
    """What is known of the moves of *game* that may win."""
    rules = handled_rules(game, HANDLED)
    if rules is not None:
        table = line_table(rules.geometry)
        return NoSight() if table is None else LineSight(game, rules, table)
    return NoSight() if len(game.legal_moves()) > MAX_TRIED else Sight()


def try_moves(game: Game, sight: Sight) -> dict[Move, Trial]:
    """What each legal move does at once; *game* is left as it was.

    >>> from noughts import TicTacToe
    >>> game = TicTacToe()
    >>> for cell in [(0, 0), (1, 1), (0, 1)]:
    ...     game.play(cell)
    >>> tried = try_moves(game, sight_of(game))
    >>> tried[0, 2].replies, tried[2, 2].replies
    ((), ((0, 2),))
    """
    game, side = game.copy(), game.turn
    found: dict[Move, Trial] = {}
    for move in game.legal_moves():
        game.play(move)
        found[move] = Trial(game.outcome)
        game.undo()
    can_win = any(trial.outcome is not None and trial.outcome.winner == side for trial in found.values())
    for move, trial in found.items():
        if trial.outcome is None and len(game.sides) > 1:
            game.play(move)
            found[move] = _answered(game, sight, move, side, with_threats=not can_win)
            game.undo()
    return found


def _answered(game: Game, sight: Sight, move: Move, side: str, *, with_threats: bool) -> Trial:
    """What *move*, which *side* just made in *game*, allows and threatens; nothing if it moves again."""
    if game.turn == side:
        return Trial()
    replies = tuple(reply for reply in sight.may_win(game, move, side, game.turn) if wins(game, reply))
    if replies or not with_threats or len(game.sides) > 2:
        return Trial(replies=replies)
    stops = _stops(game, sight.may_win(game, move, side, side))
    stopping = set(stops.values())
    can_stop_all = len(stopping) == 1 and None not in stopping
    return Trial(threats=tuple(stops), is_double=len(stops) > 1 and not can_stop_all)


def _stops(game: Game, threats: Sequence[Move]) -> dict[Move, Move | None]:
    """Those of *threats* that one reply at most stops, each with that reply."""
    if not threats:
        return {}
    replies = game.legal_moves()
    open_moves = set(replies)
    stops: dict[Move, Move | None] = {threat: None for threat in threats if threat in open_moves}
    for reply in replies:
        side = game.turn
        game.play(reply)
        failed = [threat for threat in stops if game.turn == side or not wins(game, threat)]
        game.undo()
        for threat in failed:
            if stops[threat] is None:
                stops[threat] = reply
            else:
                del stops[threat]
        if not stops:
            break
    # Where there is but one reply, what it stops threatens nothing.
    return {threat: stop for threat, stop in stops.items() if stop is None or len(replies) > 1}


def wins(game: Game, move: Move) -> bool:
    """Whether *move* is open and wins the game for the side to move, which is left as it was."""
    side = game.turn
    try:
        game.play(move)
    except BadInput:
        return False
    outcome = game.outcome
    game.undo()
    return outcome is not None and outcome.winner == side
