"""What the moves of a position do at once: which end the game, what they allow, and what they threaten.

Nothing here looks further than the other side's reply and one's own next move, so all of it is exact for
any rules. The moves by which a line may be completed are found by the one table of lines where the facts of
a game are handled; of other games they are all moves. Then they are tried, and the game says what they do.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from noughts.core.board import coordinate_of, index_of
from noughts.core.lines import MAX_ENUMERATED, LineCounts, line_table
from noughts.errors import BadInput
from noughts.games.base import Game, Move, Outcome, Placement
from noughts.games.moves import cells_of, choices_of
from noughts.games.rules import PATIENT, Rules
from noughts.search.analysis import handled_rules
from noughts.search.explain.nearby import NearbyCells
from noughts.search.explain.turn_threats import TurnThreats

HANDLED = PATIENT - {"renju"} | {"place"}
"""The facts under which a mark may go on any open cell, and whatever wins or loses completes a line."""

MAX_TRIED = 100
"""With more moves than this nobody tries every reply to every move, where nothing is known of lines."""

SMALL_CELLS = 361
"""Of boards up to 19x19 every move is worth looking at."""


@dataclass(frozen=True, slots=True)
class MoveEffect:
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


class ImmediateTactics:
    """What the moves of *game* do at once, as it stands when this is made; it is played on and put back."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._rules = handled_rules(game, HANDLED)
        self._turn = TurnThreats(game)
        table = None if self._rules is None else line_table(self._rules.geometry)
        self._counts: LineCounts | None = None
        self._lacking: dict[str, set[int]] = {}
        if self._rules is not None and table is not None:
            self._counts = counts = LineCounts(table, game.cells, self._rules.board_marks)
            self._lacking = {mark: set(counts.lacking(mark).values()) for mark in counts.counts}
        self._nearby: NearbyCells | None = None
        if self._rules is not None and len(game.cells) > SMALL_CELLS:
            self._nearby = NearbyCells(game, self._rules)

    @property
    def moves(self) -> list[Move]:
        """The moves worth looking at."""
        if self._nearby is None or self._rules is None:
            return list(self._game.legal_moves())
        return [move for cell in self._nearby.cells() for move in self._placing(cell, self._rules.marks)]

    def find_win(self) -> Move | None:
        """A move that wins at once, or with the other marks of the turn.

        On boards of more than 4,096 cells not every one is found.
        """
        return next(filter(self._wins, self._winning(self._game.turn)), None) or self._turn.find_win()

    def find_safe(self, order: Sequence[Move]) -> tuple[Move | None, list[Move]]:
        """The first of *order* that neither loses at once nor lets the other side win in its turn, or None.

        Where no move stops all that the other side can do with the marks of a turn, the first that stops its
        next mark.

        And replies that win after the moves before it. Where the other side wins after one move it often
        wins after the others too: that reply is tried first, and its own cell is looked at next, so that a
        hundred moves cost little more than a few.
        """
        waiting = deque(order)
        seen: set[Move] = set()
        refutations: list[Move] = []
        next_best: Move | None = None
        while waiting:
            move = waiting.popleft()
            if move in seen:
                continue
            seen.add(move)
            is_safe, refutation = self._refute(move, refutations)
            if is_safe and self._turn.holds(move):
                return move, refutations
            if is_safe:
                next_best = next_best or move
            if refutation is not None and refutation not in refutations:
                refutations.insert(0, refutation)
                if refutation in order:
                    waiting.appendleft(refutation)
        return next_best, refutations

    def _refute(self, move: Move, first: Sequence[Move]) -> tuple[bool, Move | None]:
        """Whether *move* is safe, and if not the reply that wins at once, None where *move* itself loses.

        Of the replies *first* are tried before the others.
        """
        game, side = self._game, self._game.turn
        game.play(move)
        try:
            if game.outcome is not None or game.turn == side:
                return game.winner in (None, side), None
            replies = list(self._winning(game.turn, move, side))
            likely = [reply for reply in first if reply in replies]
            refutation = next(filter(self._wins, (*likely, *replies)), None)
            return refutation is None, refutation
        finally:
            game.undo()

    def slowest_loss(self, order: Sequence[Move]) -> Move:
        """The first of *order*, all of which lose, that does not lose by itself; else the first of all."""
        return next((move for move in order if self.plies_to_loss(move) != 1), order[0])

    def plies_to_loss(self, move: Move) -> int | None:
        """Return 1 if *move* itself loses, 2 if the next side can then win at once; None otherwise."""
        is_safe, reply = self._refute(move, ())
        return None if is_safe else 1 if reply is None else 2

    def try_all(self) -> dict[Move, MoveEffect]:
        """What each legal move does at once.

        On boards of more than 4,096 cells, and where there are more than 100 moves and nothing is known of
        lines, only whether it ends the game.

        >>> from noughts import TicTacToe
        >>> game = TicTacToe()
        >>> for cell in [(0, 0), (1, 1), (0, 1)]:
        ...     game.play(cell)
        >>> tried = ImmediateTactics(game).try_all()
        >>> tried[0, 2].replies, tried[2, 2].replies
        ((), ((0, 2),))
        """
        game, side, moves = self._game, self._game.turn, self._game.legal_moves()
        quiet = self._quiet(moves)
        effects = {move: MoveEffect(None if move in quiet else _end_by(game, move)) for move in moves}
        if len(game.sides) == 1 or (len(moves) > MAX_TRIED if self._rules is None else self._counts is None):
            return effects
        can_win = any(
            trial.outcome is not None and trial.outcome.winner == side for trial in effects.values()
        )
        for move, trial in effects.items():
            if trial.outcome is None and move not in quiet:
                game.play(move)
                effects[move] = self._answered(move, side, with_threats=not can_win)
                game.undo()
        return effects

    def _quiet(self, moves: Sequence[Move]) -> set[Move]:
        """Those of *moves* that end nothing, and after which nobody completes a line at once.

        They need not be tried: a large board has thousands of them.
        """
        counts, rules = self._counts, self._rules
        if counts is None or rules is None or rules.vanish or rules.avoid or len(moves) <= len(rules.marks):
            return set()  # where marks vanish positions may come back, and the last cell ends the game
        if any(counts.completing(mark) for mark in counts.counts):
            return set()
        near = {
            cell
            for mark, on_lines in counts.counts.items()
            for line, count in enumerate(on_lines)
            if count >= counts.table.k - 2 and counts.is_open(line, mark)
            for cell in counts.table.cells_of[line]
        }
        return {move for move in moves if self._placed(move, self._game.turn, rules)[0] not in near}

    def _answered(self, move: Move, side: str, *, with_threats: bool) -> MoveEffect:
        """What *move*, which *side* just made, allows and threatens; nothing if it moves again."""
        game = self._game
        if game.turn == side:
            return MoveEffect()
        replies = tuple(filter(self._wins, self._winning(game.turn, move, side)))
        if replies or not with_threats or len(game.sides) > 2:
            return MoveEffect(replies=replies)
        stops = self._stops(list(self._winning(side, move, side)))
        stopping = set(stops.values())
        can_stop_all = len(stopping) == 1 and None not in stopping
        return MoveEffect(threats=tuple(stops), is_double=len(stops) > 1 and not can_stop_all)

    def _stops(self, threats: Sequence[Move]) -> dict[Move, Move | None]:
        """Those of *threats* that one reply at most stops, each with that reply."""
        game = self._game
        if not threats:
            return {}
        replies = game.legal_moves()
        open_moves = set(replies)
        stops: dict[Move, Move | None] = {threat: None for threat in threats if threat in open_moves}
        for reply in replies:
            side = game.turn
            game.play(reply)
            failed = [threat for threat in stops if game.turn == side or not self._wins(threat)]
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

    def open_lines(self, move: Move) -> tuple[int, int] | None:
        """How many lines through the cell of *move* bear no foreign mark, and the most marks that one bears.

        None where lines are no gain, or nothing is known of them.
        """
        counts, rules = self._counts, self._rules
        if counts is None or rules is None or rules.line_loses or rules.vanish:
            return None
        index, mark = self._placed(move, self._game.turn, rules)
        lines = [line for line in counts.table.lines_of(index) if counts.is_open(line, mark)]
        return len(lines), max((counts.counts[mark][line] for line in lines), default=0)

    def _wins(self, move: Move) -> bool:
        return wins(self._game, move)

    def _winning(self, side: str, made: Move | None = None, mover: str = "") -> Iterator[Move]:
        """The moves, not all of them open, by which *side* may win now that *mover* has *made* one."""
        rules = self._rules
        if rules is None:
            yield from self._game.legal_moves()
        elif not rules.line_loses:
            placed = None if made is None else self._placed(made, mover, rules)
            for mark in rules.board_marks if rules.wild else (side,):
                for cell in self._lacking_with(mark, placed):
                    yield from self._placing(cell, (mark,))

    def _lacking_with(self, mark: str, placed: tuple[int, str] | None) -> Sequence[int]:
        """The cells on which lines lack one *mark*, once that one is *placed* on its cell."""
        counts = self._counts
        if counts is None:
            return [] if self._nearby is None else self._nearby.lacking(mark, placed)
        cells = self._lacking[mark]
        if placed is not None and placed[1] == mark:
            counts.place(*placed)
            cells = cells | set(counts.lacking(mark, counts.table.lines_of(placed[0])).values())
            counts.lift(placed[0])
        return sorted(cells)

    def _placed(self, move: Move, side: str, rules: Rules) -> tuple[int, str]:
        """The number of the cell and the mark that *move* of *side* puts there."""
        return index_of(rules.shape, cells_of(move)[0]), next(iter(choices_of(move)), side)

    def _placing(self, cell: int, marks: Sequence[str]) -> list[Move]:
        """The moves to the *cell* of that number, with one of *marks* where the mover may choose."""
        spot = coordinate_of(self._game.shape, cell)
        is_wild = self._rules is not None and self._rules.wild
        return [Placement(spot, mark) for mark in marks] if is_wild else [spot]


def wins(game: Game, move: Move) -> bool:
    """Whether *move* is open and wins *game* for the side to move; the game is left as it was."""
    try:
        outcome = _end_by(game, move)
    except BadInput:
        return False
    return outcome is not None and outcome.winner == game.turn


def _end_by(game: Game, move: Move) -> Outcome | None:
    """How *move* ends the game, None where it goes on; the game is left as it was."""
    game.play(move)
    outcome = game.outcome
    game.undo()
    return outcome


def wins_at_once(game: Game, side: str) -> tuple[Move, ...] | None:
    """The moves by which *side* would win at once if it were to move in *game*, in the order of moves.

    None where the game cannot tell :meth:`~noughts.games.base.Game.with_turn`, and on boards of more than
    4,096 cells. There are none in puzzles, and after the end.

    >>> from noughts import TicTacToe
    >>> game = TicTacToe()
    >>> for cell in [(0, 0), (1, 1), (0, 1)]:
    ...     game.play(cell)
    >>> wins_at_once(game, "X"), wins_at_once(game, "O")
    (((0, 2),), ())
    """
    if game.outcome is not None or len(game.sides) == 1:
        return ()
    tried = None if len(game.cells) > MAX_ENUMERATED else game.with_turn(side)
    return None if tried is None else tuple(move for move in tried.legal_moves() if wins(tried, move))


def losses_at_once(game: Game) -> tuple[Move, ...] | None:
    """The moves by which the side to move would lose at once; None on boards of more than 4,096 cells.

    >>> from noughts import new_game
    >>> from noughts.games.notation import parse_position
    >>> losses_at_once(parse_position(new_game("misere"), "XX./OO./..."))
    ((0, 2),)
    """
    if len(game.cells) > MAX_ENUMERATED:
        return None
    tried = game.copy()
    ends = {move: _end_by(tried, move) for move in tried.legal_moves()}
    return tuple(move for move, end in ends.items() if end and end.winner not in (None, game.turn))
