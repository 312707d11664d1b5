"""Immediate effects of moves: how they end the game, and which wins they allow or threaten.

This module looks no further than the other side's reply and the mover's next move, so its results are exact
for any rules. If the facts of a game are handled, the line table gives the moves that may complete a line. In
other games all moves are candidates. The game itself then plays the candidates.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from noughts.core.board import coordinate_of, index_of
from noughts.core.lines import MAX_ENUMERATED, LineCounts, line_table
from noughts.errors import BadInput
from noughts.games.base import Game, Move, Outcome, Placement
from noughts.games.moves import cells_of, choices_of
from noughts.games.rules import NO_EARLY_END, Rules
from noughts.search.analysis import handled_rules
from noughts.search.explain.nearby import NearbyCells
from noughts.search.explain.turn_threats import TurnThreats

HANDLED = NO_EARLY_END - {"renju"} | {"place"}
"""The facts under which a mark may go on any open cell, and only a line wins or loses."""

MAX_TRIED = 100
"""Maximum number of moves for which every reply is tried if the lines of a game are not known."""

SMALL_CELLS = 361
"""Maximum number of cells of a board on which every move is considered."""


@dataclass(frozen=True, slots=True)
class MoveEffect:
    """The immediate effects of a move.

    ``outcome`` is the end of the game by the move, or None. ``replies`` are the moves by which the next side
    can then win at once. ``threats`` are the mover's winning moves next turn that at most one reply can stop.
    They must be open already. ``is_double`` means that no reply stops all of them.

    No threats are listed if the next side can win, if the mover could have won instead, or if the game does
    not have two sides.
    """

    outcome: Outcome | None = None
    replies: tuple[Move, ...] = ()
    threats: tuple[Move, ...] = ()
    is_double: bool = False


class ImmediateTactics:
    """The immediate effects of the moves of *game*.

    Create it anew for each position. It plays moves on *game* and takes them back.
    """

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
        """The moves to consider."""
        if self._nearby is None or self._rules is None:
            return list(self._game.legal_moves())
        return [move for cell in self._nearby.cells() for move in self._placing(cell, self._rules.marks)]

    def find_win(self) -> Move | None:
        """Return a move that wins at once, or together with the other marks of the turn.

        On boards of more than 4,096 cells, some wins are missed.
        """
        return (
            next(filter(self._wins, self._winning_candidates(self._game.turn)), None) or self._turn.find_win()
        )

    def find_safe(self, order: Sequence[Move]) -> tuple[Move | None, list[Move]]:
        """Return the first safe move of *order* or None, and the winning replies to the moves before it.

        A safe move neither loses at once nor lets the other side win in its turn. If a turn has several marks
        and no move stops everything that the other side can do, it is the first move that stops its next
        mark.

        A reply that wins after one move often wins after others too. So this reply is tried first, and its
        cell is the next candidate. A hundred moves then take little longer than a few.
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
        """Return whether *move* is safe, and if not, the reply that wins at once.

        The reply is None if *move* itself loses. The replies *first* are tried before all others.
        """
        game, side = self._game, self._game.turn
        game.play(move)
        try:
            if game.outcome is not None or game.turn == side:
                return game.winner in (None, side), None
            replies = list(self._winning_candidates(game.turn, move, side))
            likely = [reply for reply in first if reply in replies]
            refutation = next(filter(self._wins, (*likely, *replies)), None)
            return refutation is None, refutation
        finally:
            game.undo()

    def slowest_loss(self, order: Sequence[Move]) -> Move:
        """Return the first of *order* that does not lose by itself, or the first. All these moves lose."""
        return next((move for move in order if self.plies_to_loss(move) != 1), order[0])

    def plies_to_loss(self, move: Move) -> int | None:
        """Return 1 if *move* itself loses, 2 if the next side can then win at once, else None."""
        is_safe, reply = self._refute(move, ())
        return None if is_safe else 1 if reply is None else 2

    def try_all(self) -> dict[Move, MoveEffect]:
        """Return the immediate effects of each legal move.

        On boards of more than 4,096 cells, and with more than 100 moves of which no lines are known, only the
        outcome is found.

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
                effects[move] = self._effect_of(move, side, with_threats=not can_win)
                game.undo()
        return effects

    def _quiet(self, moves: Sequence[Move]) -> set[Move]:
        """Return those of *moves* that do not end the game and allow or threaten no line.

        They need not be played: a large board has thousands of them.
        """
        counts, rules = self._counts, self._rules
        if counts is None or rules is None or rules.vanish or rules.avoid or len(moves) <= len(rules.marks):
            return set()  # positions may come back if marks vanish, and the last cell ends the game
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

    def _effect_of(self, move: Move, side: str, *, with_threats: bool) -> MoveEffect:
        """Return the effects of *move*, which *side* has just made, or no effects if *side* moves again."""
        game = self._game
        if game.turn == side:
            return MoveEffect()
        replies = tuple(filter(self._wins, self._winning_candidates(game.turn, move, side)))
        if replies or not with_threats or len(game.sides) > 2:
            return MoveEffect(replies=replies)
        stops = self._stops(list(self._winning_candidates(side, move, side)))
        stopping = set(stops.values())
        can_stop_all = len(stopping) == 1 and None not in stopping
        return MoveEffect(threats=tuple(stops), is_double=len(stops) > 1 and not can_stop_all)

    def _stops(self, threats: Sequence[Move]) -> dict[Move, Move | None]:
        """Return those of *threats* that at most one reply stops, each with that reply."""
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
        # If there is only one reply, a move that it stops is no threat.
        return {threat: stop for threat, stop in stops.items() if stop is None or len(replies) > 1}

    def open_lines(self, move: Move) -> tuple[int, int] | None:
        """Return the number of open lines through the cell of *move*, and the most own marks in one of them.

        A line is open if it has no foreign mark. Return None if lines are no gain, or if lines are not known.
        """
        counts, rules = self._counts, self._rules
        if counts is None or rules is None or rules.line_loses or rules.vanish:
            return None
        index, mark = self._placed(move, self._game.turn, rules)
        lines = [line for line in counts.table.lines_of(index) if counts.is_open(line, mark)]
        return len(lines), max((counts.counts[mark][line] for line in lines), default=0)

    def _wins(self, move: Move) -> bool:
        return wins(self._game, move)

    def _winning_candidates(self, side: str, made: Move | None = None, mover: str = "") -> Iterator[Move]:
        """Yield the moves, open or not, by which *side* may win after *mover* has *made* a move."""
        rules = self._rules
        if rules is None:
            yield from self._game.legal_moves()
        elif not rules.line_loses:
            placed = None if made is None else self._placed(made, mover, rules)
            for mark in rules.board_marks if rules.wild else (side,):
                for cell in self._lacking_with(mark, placed):
                    yield from self._placing(cell, (mark,))

    def _lacking_with(self, mark: str, placed: tuple[int, str] | None) -> Sequence[int]:
        """Return the cells that complete a line of *mark*, also after *placed*: a cell and its mark."""
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
        """Return the number of the cell and the mark that *move* of *side* places."""
        return index_of(rules.shape, cells_of(move)[0]), next(iter(choices_of(move)), side)

    def _placing(self, cell: int, marks: Sequence[str]) -> list[Move]:
        """Return the moves to cell number *cell*: one for each of *marks* if the mover may choose."""
        spot = coordinate_of(self._game.shape, cell)
        is_wild = self._rules is not None and self._rules.wild
        return [Placement(spot, mark) for mark in marks] if is_wild else [spot]


def wins(game: Game, move: Move) -> bool:
    """Return True if *move* is open and wins *game* for the side to move.

    The game is unchanged afterwards.
    """
    try:
        outcome = _end_by(game, move)
    except BadInput:
        return False
    return outcome is not None and outcome.winner == game.turn


def _end_by(game: Game, move: Move) -> Outcome | None:
    """Return the outcome if *move* ends the game, else None.

    The game is unchanged afterwards.
    """
    game.play(move)
    outcome = game.outcome
    game.undo()
    return outcome


def wins_at_once(game: Game, side: str) -> tuple[Move, ...] | None:
    """Return the moves that would win at once if *side* were to move in *game*, in the order of moves.

    Return None if the game does not support :meth:`~noughts.games.base.Game.with_turn`, and on boards of more
    than 4,096 cells. Puzzles and ended games have no such moves.

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
    """Return the moves by which the side to move would lose at once.

    Return None on boards of more than 4,096 cells.

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
