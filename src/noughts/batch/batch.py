"""Batch, many games of the same rules in arrays."""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from operator import index
from random import Random
from typing import TYPE_CHECKING, Any, Self, SupportsIndex

from noughts.batch import kernels
from noughts.batch import layout as at
from noughts.batch.boards import check_rules
from noughts.batch.calls import KernelCalls, empty_results
from noughts.batch.chance import first_states
from noughts.batch.layout import Games
from noughts.batch.positions import is_by_turns, moves_of, placings_of
from noughts.errors import ExtraMissing, IllegalActions, UnsupportedRules
from noughts.games.base import Game, check_game
from noughts.games.catalogue import game_of, new_game
from noughts.games.rules import Rules

if TYPE_CHECKING:
    from noughts.batch.boards import Array

MAX_GAMES = 1 << 31
"""So many games a batch can have at most."""


class Batch:
    """*n* games of k in a row under the same rules, in arrays; by name, by spec or by :class:`Rules`.

    >>> batch = Batch("tictactoe", 1000, seed=7)
    >>> batch.legal.shape, batch.observations.shape
    ((1000, 9), (1000, 2, 3, 3))
    >>> rewards, ended = batch.step([4] * 1000)
    >>> batch.cells[0].tolist(), int(batch.turn[0]), ended.any().item()
    ([-1, -1, -1, -1, 0, -1, -1, -1, -1], 1, False)
    >>> winners, plies = batch.playouts()
    >>> ((winners == 0).mean() > 0.6).item()
    True

    Sides and marks are told by their numbers in turn order. An action is the number of a cell, or of a
    column where marks fall, from 0 in reading order; where the mover chooses the mark, that times the number
    of marks, and the mark: actions are in the order of :meth:`Game.legal_moves`. All rules of k in a row but
    renju.

    ``cells``, ``turn``, ``winner`` and ``ply`` show how things stand now, also after a step; they cannot be
    written to. The same *seed* gives the same playouts, whether numba is installed, which makes them fast, or
    not, and however many threads there are. Needs NumPy, extra ``study``.
    """

    def __init__(
        self, spec_or_rules: str | Rules, n: SupportsIndex, seed: SupportsIndex | None = None
    ) -> None:
        rules = spec_or_rules if isinstance(spec_or_rules, Rules) else _rules_of(spec_or_rules)
        check_rules(rules)
        if not 0 < (count := _whole(n)) < MAX_GAMES:
            raise ValueError(f"a batch has 1 to {MAX_GAMES - 1} games, not {n!r}")
        np, n = _numpy(), count
        self.rules, self.n = rules, n
        size = rules.geometry.size
        cells = np.full((n, size + 1), at.EMPTY, np.int8)
        cells[:, size] = at.EDGE
        self._games: Any = Games(
            cells=cells,
            turn=np.zeros(n, np.int8),
            winner=np.full(n, at.ONGOING, np.int8),
            filled=np.zeros(n, np.int32),
            moves=np.zeros((n, size), np.int32),
            begun=np.zeros(n, np.int32),
            length=np.zeros(n, np.int32),
            chance=first_states(Random(None if seed is None else index(seed)).getrandbits(64), n),
        )
        self._starts: dict[int, Game] = {}
        self._is_always_looked = False
        """Whether a game may end sooner than where all sides have moved by turns from the empty board."""
        self._prepare()

    def _prepare(self) -> None:
        """Work out what follows from the rules, the games and the machine."""
        self._calls = KernelCalls(self.rules, self._games.moves.shape[1])
        if self._is_always_looked:
            self._calls.check_every_move()
        self._number_of = {None: at.EMPTY} | {mark: slot for slot, mark in enumerate(self.rules.board_marks)}

    @classmethod
    def of(cls, games: Iterable[Game], seed: SupportsIndex | None = None) -> Self:
        """A batch of *games* as they stand, all of the same rules; when they have ended, new ones begin."""
        games = list(games)
        if not games:
            raise ValueError("a batch needs a game")
        rules = _rules_in(games[0])
        for game in games:
            if _rules_in(game) != rules:
                expected, other = _spec_of(rules), _spec_of(_rules_in(game))
                raise ValueError(f"games of one batch have the same rules, not {expected} and {other}")
        batch = cls(rules, len(games), seed)
        placings = [placings_of(rules, game) for game in games]
        batch._reserve_moves(max(len(before) + len(since) for before, since in placings))
        for number, (game, (before, since)) in enumerate(zip(games, placings, strict=True)):
            batch._put(number, game, before, since)
        return batch

    def _put(self, number: int, game: Game, before: Sequence[int], since: Sequence[int]) -> None:
        """Make *game* the one of that *number*: the placings *before* it began, and those *since*."""
        start = None
        if game.start is not None or before:
            start = game.copy()
            while start.ply:
                start.undo()
        twin = self._played(start, since)
        if (twin.cells, twin.turn) != (game.cells, game.turn):
            raise ValueError("the sides of a game in a batch move in turn")
        self.set_position(number, game)
        games, length = self._games, len(before) + len(since)
        games.moves[number, :length] = [*before, *since]
        games.begun[number], games.length[number] = len(before), length
        self._starts.pop(number, None)
        if start is not None:
            self._starts[number] = start

    def put(self, number: int, game: Game) -> None:
        """Make *game*, one of the same rules, the one of that *number*. What is refused changes nothing."""
        number = self._counted(number)
        if _rules_in(game) != self.rules:
            raise ValueError(
                f"the games of this batch are {_spec_of(self.rules)}, not {_spec_of(_rules_in(game))}"
            )
        before, since = placings_of(self.rules, game)
        self._reserve_moves(len(before) + len(since))
        self._put(number, game, before, since)

    def set_position(self, number: int, game: Game) -> None:
        """Put what stands on the board of *game* on that of *number*, without the moves that led there."""
        rules, games, marks = self.rules, self._games, self._number_of
        stands = [marks[mark] for mark in game.cells]
        games.cells[number, :-1] = stands
        games.filled[number] = len(stands) - stands.count(at.EMPTY)
        games.turn[number] = turn = rules.marks.index(game.turn)
        if self._has_own_marks and not rules.vanish and not is_by_turns(stands, turn, rules.players):
            self._is_always_looked = True
            self._calls.check_every_move()
        games.winner[number] = at.ONGOING
        if game.outcome is not None:
            winner = game.outcome.winner
            games.winner[number] = at.DRAWN if winner is None else rules.marks.index(winner)

    # How things stand

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<Batch {self.rules.spec}, {self.n} games>"

    @property
    def actions(self) -> int:
        """How many actions there are."""
        return int(self._calls.numbers[at.ACTIONS])

    @property
    def cells(self) -> "Array":
        """What stands where, (n, cells) int8: the number of the mark, -1 for none."""
        return _shown(self._games.cells[:, :-1])

    @property
    def turn(self) -> "Array":
        """The side to move, (n,) int8; after the end, the side that would be."""
        return _shown(self._games.turn)

    @property
    def winner(self) -> "Array":
        """The side that won, (n,) int8: -1 for a draw, -2 while a game goes on."""
        return _shown(self._games.winner)

    @property
    def ply(self) -> "Array":
        """How many moves have been made since each game began, (n,) int32."""
        ply: Array = self._games.length - self._games.begun
        return ply

    @property
    def legal(self) -> "Array":
        """Which actions are allowed, (n, actions) bool; none after the end."""
        legal: Array = _numpy().empty((self.n, self.actions), bool)
        self._calls.run(kernels.list_legal, self._games, legal.view(_numpy().int8))
        return legal

    @property
    def observations(self) -> "Array":
        """What the side to move sees, ``(n, planes, *shape)`` bool.

        A plane for the marks of each side, the mover's first, then in turn order; for each mark where marks
        belong to nobody. Where marks vanish each side has ``vanish`` planes instead, of one mark each: that
        which leaves when it places its next, that which leaves with the one after, and so on.
        """
        np, planes = _numpy(), int(self._calls.numbers[at.PLANES])
        seen: Array = np.empty((self.n, planes, *self.rules.shape), bool)
        self._calls.run(kernels.observe, self._games, seen.view(np.int8))
        return seen

    def observed_by(self, sides: "Array") -> "Array":
        """What *sides* see, the number of one for each game: :attr:`observations`, their own marks first."""
        np, count = _numpy(), self.rules.players
        seen: Array = self.observations
        if self._has_own_marks:
            later = (np.asarray(sides) - self._games.turn) % count
            for turns in range(1, count):
                planes = turns * seen.shape[1] // count
                seen[later == turns] = np.roll(seen[later == turns], -planes, axis=1)
        return seen

    @property
    def _has_own_marks(self) -> bool:
        return not self.rules.wild and not self.rules.notakto

    # What is done

    def step(self, actions: "Sequence[int] | Array", *, restart: bool = True) -> "tuple[Array, Array]":
        """Make one of *actions* in each game; -1 leaves a game as it is.

        Returns rewards, (n, sides) float32, and which games are over, (n,) bool. Who wins a game is given 1
        and its losers share -1; all else is worth 0. Games that are over begin again, unless *restart* is
        false. Where an action is not allowed :class:`~noughts.errors.IllegalActions` names the games, and
        none of the actions was made.
        """
        np = _numpy()
        made = self._checked(actions)
        if self.rules.vanish:
            self._reserve_moves(int(self._games.length.max()) + 1)
        rewards: Array = np.empty((self.n, self.rules.players), np.float32)
        ended: Array = np.empty(self.n, bool)
        self._calls.step(self._games, made, rewards, ended.view(np.int8), int(restart))
        if restart and self._starts:
            self._forget(ended)
        return rewards, ended

    def restart(self, which: "Sequence[bool] | Array | None" = None) -> None:
        """Begin those games again that *which*, (n,) bool, says; all by default."""
        np = _numpy()
        wanted = np.ones(self.n, bool) if which is None else np.ascontiguousarray(which)
        if wanted.shape != (self.n,) or wanted.dtype != bool:  # numbers of games would be taken for yes
            raise ValueError(f"restart needs {self.n} bools, not {wanted.dtype} of the shape {wanted.shape}")
        self._calls.run(kernels.restart, self._games, wanted.view(np.int8))
        self._forget(wanted)

    def _forget(self, which: "Array") -> None:
        """Those games that *which* says begin from the empty board now."""
        self._starts = {number: start for number, start in self._starts.items() if not which[number]}

    def _checked(self, actions: "Sequence[int] | Array") -> "Array":
        """The *actions* as numbers, all of which are allowed."""
        np = _numpy()
        array = np.asarray(actions)
        if np.ma.is_masked(actions):  # the array has numbers there, too
            raise ValueError("no action is masked; -1 leaves a game as it is")
        if array.shape != (self.n,) or array.dtype.kind not in "iu":
            raise ValueError(
                f"step needs {self.n} whole numbers, not {array.dtype} of the shape {array.shape}"
            )
        # Else the greatest numbers of 64 bits without a sign would become -1, and be taken for no move.
        known = np.minimum(array, np.uint64(self.actions)) if array.dtype == np.uint64 else array
        made: Array = np.ascontiguousarray(known, np.int64)
        refused = np.empty(self.n, np.int8)
        if self._calls.run(kernels.count_refused, self._games, made, refused):
            games = np.flatnonzero(refused)
            raise IllegalActions(games.tolist(), array[games].tolist())
        return made

    def playouts(self, threads: SupportsIndex = 1) -> "tuple[Array, Array]":
        """Play every game to its end at random, on boards beside these, which stay as they are.

        Returns the winners, (n,) int8, -1 for a draw, and how many moves each game had then, (n,) int32.
        Compiled, so many *threads* work at it.
        """
        if (count := _whole(threads)) < 1:
            raise ValueError(f"threads is a number from 1, not {threads!r}")
        games, results = self._games, empty_results(self.n)
        each = -(-self.n // count)
        parts = [(first, min(first + each, self.n)) for first in range(0, self.n, each)]
        if len(parts) == 1:
            self._calls.play_out(games, results, *parts[0])
        else:
            with ThreadPoolExecutor(count) as pool:
                for done in [pool.submit(self._calls.play_out, games, results, *part) for part in parts]:
                    done.result()
        return results.winners, results.plies

    def _reserve_moves(self, count: int) -> None:
        """See to it that each game can have *count* moves."""
        np, room = _numpy(), self._games.moves.shape[1]
        if count > room:
            moves = np.zeros((self.n, max(count, 2 * room)), np.int32)
            moves[:, :room] = self._games.moves
            self._games = self._games._replace(moves=moves)
            self._calls.set_capacity(moves.shape[1])

    # Out of it

    def copy(self) -> Self:
        """An independent batch of the same games, with the same chance before it."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._games = Games(*(array.copy() for array in self._games))
        twin._calls, twin._starts = self._calls.copy(), self._starts.copy()
        return twin

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        """The games; what follows from the rules is worked out by whatever version reads this."""
        return {
            name: self.__dict__[name] for name in ("rules", "n", "_games", "_starts", "_is_always_looked")
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._prepare()

    def game(self, i: int) -> Game:
        """The game of number *i* as a :class:`Game`, with the moves that were made in it."""
        number, games = self._counted(i), self._games
        since = games.moves[number, games.begun[number] : games.length[number]]
        return self._played(self._starts.get(number), since)

    def _counted(self, i: int) -> int:
        """*i*, or where that is less than 0 as many from the end; ``IndexError`` for no game's number."""
        if not -self.n <= i < self.n:
            raise IndexError(f"no game {i} among {self.n}")
        return i % self.n

    def _played(self, start: Game | None, placings: Iterable[int]) -> Game:
        """A game from *start*, else from the empty board, with the moves that made *placings*."""
        game = game_of(self.rules) if start is None else start.copy()
        for move in moves_of(self.rules, placings):
            game.play(move)
        return game

    @property
    def nbytes(self) -> int:
        """The bytes that the arrays of all games take."""
        return sum(array.nbytes for array in self._games)


def _whole(number: SupportsIndex) -> int:
    """*number* as Python has it, NumPy's too; -1 for what is no number of things."""
    try:
        return -1 if isinstance(number, bool) else index(number)
    except TypeError:
        return -1


def _rules_of(name: str) -> Rules:
    if not isinstance(name, str):
        raise TypeError(f"{type(name).__name__}: no name, spec or Rules; Batch.of makes a batch of games")
    return _rules_in(new_game(name))


def _rules_in(game: Game) -> Rules:
    """The rules of *game*, where it has no others than those."""
    check_game(game)
    if game.rules is None or game.facts != game.rules.facts:
        raise UnsupportedRules("batch", game.name, "unknown-rules")
    return game.rules


def _spec_of(rules: Rules) -> str:
    """What *rules* are called, with their marks, which a spec does not say."""
    return f"{rules.spec} of {', '.join(rules.marks)}"


def _numpy() -> Any:
    """NumPy, which is loaded when the first batch is made."""
    try:
        import numpy
    except ImportError:
        raise ExtraMissing("Batch", "study") from None
    return numpy


def _shown(array: "Array") -> "Array":
    """The same numbers, not to be written to."""
    shown = array.view()
    shown.flags.writeable = False
    return shown
