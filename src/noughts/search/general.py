"""A searcher for any game of two sides, through the contract of games alone.

Alpha-beta deepened ply by ply, with a memory of positions (Knuth and Moore 1975; Slate and Atkin 1977).
Where it must stop it asks a rough evaluation: the game's own, lines for k in a row, or random games
played to the end. Beside tree search by random games (UCT) at equal time it was clearly the stronger on
ultimate and reversi, and as strong on misere 4x4; ``docs/levels.md`` has the numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move
from noughts.search.analysis import Analysis, Limit, Progress, Report, analysis_of_end, no_report
from noughts.search.rough import evaluation_of
from noughts.search.solver import score_end

WIN = 1_000_000
"""The score of a game that is won already; an end that is n plies away is worth n less."""

PROVED = WIN - 10_000
"""Scores beyond it, on either side, are wins and losses; evaluations stay within."""

COMPLETE = 1_000_000
"""The depth of a score whose search was cut off nowhere."""

MAX_DEPTH = 120
"""How deep the search goes at most, in plies: it recurs once a ply."""

POLL = 16
"""Nodes between two looks at the stop signal: a move of some games takes a tenth of a millisecond."""

MOST_KEPT = 400_000
"""Positions remembered at once; then all are forgotten."""

OWN_NODES = 100_000
"""What a search may use that nobody limits."""

EXACT, AT_LEAST, AT_MOST = range(3)


class _StoppedError(Exception):
    """The limit ended the search."""


class _Known(NamedTuple):
    """What is remembered of a position: *score* is a bound of *kind*, found *depth* plies deep."""

    depth: int
    kind: int
    score: int
    best: Move | None

    def answers(self, depth: int, low: int, high: int) -> bool:
        """Whether *score* is as good as a search *depth* plies deep."""
        if self.depth < depth:
            return False
        return self.kind == EXACT or (self.score >= high if self.kind == AT_LEAST else self.score <= low)


@dataclass(slots=True)
class _Root:
    """The moves at the root, best first, with what is known of them from the deepest search so far."""

    scores: dict[Move, int]
    order: list[Move]
    depth: int = 0
    is_whole: bool = False
    """Whether that search came to its end."""
    is_complete: bool = False
    """Whether nothing was cut off, so that the scores are the truth."""

    @property
    def best(self) -> Move:
        return self.order[0]

    @property
    def is_proved(self) -> bool:
        """Whether the score of the best move is the truth."""
        is_lost = all(score < -PROVED for score in self.scores.values())
        return self.is_complete or self.scores[self.best] > PROVED or is_lost

    def put(self, move: Move, *, first: bool) -> None:
        """Move *move* to the front, or behind all others."""
        self.order.remove(move)
        self.order.insert(0 if first else len(self.order), move)


class GeneralSearch:
    """Searches any game of two sides. *chance* decides between equals; *report* is told of each depth.

    The same state of *chance* and the same limit in nodes give the same answer. Positions that come back
    are no trouble: the game itself says when that is a draw, and in such games nothing is taken from memory.

    >>> from noughts import new_game
    >>> game = new_game("misere")
    >>> GeneralSearch(Random(1)).search(game, Limit(nodes=2_000)).best in game.legal_moves()
    True
    """

    def __init__(self, chance: Random, report: Report = no_report) -> None:
        self._chance, self._report = chance, report

    @staticmethod
    def supports(game: Game) -> bool:
        """Whether *game* has two sides."""
        return len(game.sides) == 2

    def search(self, game: Game, limit: Limit) -> Analysis:
        """The best move found within *limit*, and what is known of the position; the game is left alone.

        ``value`` is known where a win or loss was proved or the game was searched to its end; ``plies``
        then too. ``score`` is the rough evaluation otherwise. Without a limit in nodes or seconds
        100,000 moves are tried. Raises :class:`~noughts.errors.UnsupportedRules` where
        :meth:`supports` is false.
        """
        if game.outcome is not None:
            return analysis_of_end(game)
        searching, root = self._run(game, limit, each=False)
        score = root.scores[root.best]
        plies = WIN - abs(score)
        return Analysis(
            (score > 0) - (score < 0) if root.is_proved else None,
            plies if root.is_proved and root.is_whole and plies <= root.depth else None,
            root.best,
            searching.nodes,
            searching.principal_variation(root),
            score=score,
        )

    def score_moves(self, game: Game, limit: Limit) -> dict[Move, int]:
        """The score of each legal move for the side that makes it, as deep as *limit* allows.

        More is better; beyond ±990,000 it is a proved win or loss, the sooner the further from 0. Where
        not even one ply could be searched all moves score 0. Raises as :meth:`search` does.
        """
        if game.outcome is not None:
            return {}
        _, root = self._run(game, limit, each=True)
        return {move: root.scores[move] for move in game.legal_moves()}

    def _run(self, game: Game, limit: Limit, *, each: bool) -> tuple["_Searching", _Root]:
        """Search deeper and deeper; with *each* every move at the root gets a score of its own."""
        if not self.supports(game):
            raise UnsupportedRules("search", game.name, "not-two-sides")
        limit = limit.started()
        game = game.copy()
        searching = _Searching(game, limit, self._chance)
        moves = list(game.legal_moves())
        self._chance.shuffle(moves)
        moves.sort(key=game.weight, reverse=True)
        root = _Root(dict.fromkeys(moves, 0), moves)
        deepest = MAX_DEPTH if limit.depth is None else min(MAX_DEPTH, limit.depth)
        try:
            while root.depth < deepest and not root.is_complete:
                searching.deepen(root, each=each)
                best, score = root.best, root.scores[root.best]
                self._report(Progress("searching", searching.nodes, root.depth, best, score=score))
                if not each and root.is_proved:
                    break
        except _StoppedError:
            pass
        return searching, root


class _Searching:
    """One search: the game it plays on, its limit and its memory."""

    def __init__(self, game: Game, limit: Limit, chance: Random) -> None:
        self.nodes = 0
        self._game = game
        self._evaluate = evaluation_of(game, chance)
        self._stop: Callable[[], bool] = limit.stop
        self._most = limit.nodes
        if limit.nodes is None and limit.stop is Limit().stop:
            self._most = OWN_NODES
        self._memory: dict[object, _Known] = {}
        self._trusts_memory = not game.can_repeat
        self._successes: dict[Move, int] = {}
        self._was_cut = False

    def deepen(self, root: _Root, *, each: bool) -> None:
        """Search *root* one ply deeper. Stopped in the middle, it leaves what is better known by then."""
        depth = root.depth + 1
        self._was_cut = root.is_whole = False
        found: dict[Move, int] = {}
        best = -WIN
        for move in root.order.copy():
            low = -WIN if each else best
            score = self._narrowly(move, depth - 1, low, WIN, is_first=not found or each)
            found[move] = score
            if score > best and not each:  # the first was the best so far, so what beats it is better
                root.scores[move], best = score, score
                root.put(move, first=score >= -PROVED)
        root.scores.update(found)
        root.order.sort(key=found.__getitem__, reverse=True)
        root.depth, root.is_whole, root.is_complete = depth, True, not self._was_cut

    def principal_variation(self, root: _Root) -> tuple[Move, ...]:
        """The best move and what the memory has of the moves after it."""
        game, line = self._game, [root.best]
        game.play(root.best)
        while game.outcome is None and len(line) < root.depth:
            known = self._memory.get(game.key())
            if known is None or known.best is None:
                break
            game.play(known.best)
            line.append(known.best)
        for _ in line:
            game.undo()
        return tuple(line)

    def _narrowly(self, move: Move, depth: int, low: int, high: int, *, is_first: bool) -> int:
        """The score of *move*; of one that is not the first it is asked whether it beats *low* at all."""
        score = self._after(move, depth, low, high if is_first else low + 1)
        if not is_first and low < score < high:
            score = self._after(move, depth, low, high)
        return score

    def _after(self, move: Move, depth: int, low: int, high: int) -> int:
        """The score of *move* for the side that makes it."""
        if self._most is not None and self.nodes >= self._most:
            raise _StoppedError
        self.nodes += 1
        if self.nodes % POLL == 0 and self._stop():
            raise _StoppedError
        game = self._game
        side = game.turn
        game.play(move)
        try:
            if game.outcome is not None:
                score, is_same = score_end(game), game.turn == side
            elif game.turn == side:  # who moves twice sees with the same eyes
                score, is_same = self._search(depth, _sooner(low), _sooner(high)), True
            else:
                score, is_same = self._search(depth, _sooner(-high), _sooner(-low)), False
        finally:
            game.undo()
        return _later(score) if is_same else -_later(score)

    def _search(self, depth: int, low: int, high: int) -> int:
        """The score for the side to move if it lies between *low* and *high*, else a bound beyond them."""
        game = self._game
        if depth <= 0:
            self._was_cut = True
            return self._evaluate()
        key = game.key()
        known = self._memory.get(key)
        if known is not None and self._trusts_memory and known.answers(depth, low, high):
            self._was_cut |= known.depth < COMPLETE
            return known.score
        was_cut, self._was_cut = self._was_cut, False
        best, best_move, alpha = -WIN, None, low
        for number, move in enumerate(self._ordered(None if known is None else known.best)):
            score = self._narrowly(move, depth - 1, alpha, high, is_first=not number)
            if score > best:
                best, best_move = score, move
                alpha = max(alpha, score)
                if alpha >= high:
                    self._successes[move] = self._successes.get(move, 0) + depth * depth
                    break
        if len(self._memory) >= MOST_KEPT:
            self._memory.clear()
        kind = AT_LEAST if best >= high else AT_MOST if best <= low else EXACT
        if (kind == AT_LEAST and best > PROVED) or (kind == AT_MOST and best < -PROVED):
            self._was_cut = False  # no more than was found is said, and that holds at any depth
        self._memory[key] = _Known(depth if self._was_cut else COMPLETE, kind, best, best_move)
        self._was_cut |= was_cut
        return best

    def _ordered(self, first: Move | None) -> list[Move]:
        """The legal moves, those first that did well elsewhere."""
        weight, successes = self._game.weight, self._successes
        return sorted(
            self._game.legal_moves(),
            key=lambda move: (move == first, successes.get(move, 0), weight(move)),
            reverse=True,
        )


def _later(score: int) -> int:
    """*score* seen one ply earlier: an end is one ply further away; evaluations stay as they are."""
    return score - (score > PROVED) + (score < -PROVED)


def _sooner(score: int) -> int:
    """The bound that becomes *score* by :func:`_later`."""
    return score + (PROVED - 1 < score < WIN) - (-WIN < score < 1 - PROVED)
