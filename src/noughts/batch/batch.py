"""The Batch class: many games of the same rules in arrays."""

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
"""The limit of the number of games in a batch."""


class Batch:
    """*n* games of k in a row under the same rules, in arrays.

    The rules are given by name, by spec or by :class:`Rules`; all rules of k in a row except renju work.

    >>> batch = Batch("tictactoe", 1000, seed=7)
    >>> batch.legal.shape, batch.observations.shape
    ((1000, 9), (1000, 2, 3, 3))
    >>> rewards, ended = batch.step([4] * 1000)
    >>> batch.cells[0].tolist(), int(batch.turn[0]), ended.any().item()
    ([-1, -1, -1, -1, 0, -1, -1, -1, -1], 1, False)
    >>> winners, plies = batch.playouts()
    >>> ((winners == 0).mean() > 0.6).item()
    True

    Sides and marks are numbers in turn order. An action is the number of a cell, or of a column if marks
    fall, from 0 in reading order. If the mover chooses the mark, it is that number times the number of marks,
    plus the mark. So actions are in the order of :meth:`Game.legal_moves`.

    ``cells``, ``turn``, ``winner`` and ``ply`` show the present state, also after a step, and are read-only.
    The same *seed* gives the same playouts, with any number of threads and with or without numba, which makes
    them fast. A batch needs NumPy, extra ``study``.
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
        """True if wins are looked for after every move.

        This is needed if games may start from other positions than the empty board.
        """
        self._prepare()

    def _prepare(self) -> None:
        """Compute the data that depend on the rules, the games and the machine."""
        self._calls = KernelCalls(self.rules, self._games.moves.shape[1])
        if self._is_always_looked:
            self._calls.check_every_move()
        self._number_of = {None: at.EMPTY} | {mark: slot for slot, mark in enumerate(self.rules.board_marks)}

    @classmethod
    def of(cls, games: Iterable[Game], seed: SupportsIndex | None = None) -> Self:
        """Create a batch of *games*, all of the same rules, from their present positions.

        When a game has ended, a new one starts from the empty board.
        """
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
        """Set the game with this *number* to *game*, with the placings *before* and *since* its start."""
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
        """Set the game with this *number* to *game*, which has the same rules.

        An error leaves the batch unchanged.
        """
        number = self._counted(number)
        if _rules_in(game) != self.rules:
            raise ValueError(
                f"the games of this batch are {_spec_of(self.rules)}, not {_spec_of(_rules_in(game))}"
            )
        before, since = placings_of(self.rules, game)
        self._reserve_moves(len(before) + len(since))
        self._put(number, game, before, since)

    def set_position(self, number: int, game: Game) -> None:
        """Set the position of the game with this *number* to that of *game*, without its moves."""
        rules, games, marks = self.rules, self._games, self._number_of
        numbers = [marks[mark] for mark in game.cells]
        games.cells[number, :-1] = numbers
        games.filled[number] = len(numbers) - numbers.count(at.EMPTY)
        games.turn[number] = turn = rules.marks.index(game.turn)
        if self._has_own_marks and not rules.vanish and not is_by_turns(numbers, turn, rules.players):
            self._is_always_looked = True
            self._calls.check_every_move()
        games.winner[number] = at.ONGOING
        if game.outcome is not None:
            winner = game.outcome.winner
            games.winner[number] = at.DRAWN if winner is None else rules.marks.index(winner)

    # The current state

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<Batch {self.rules.spec}, {self.n} games>"

    @property
    def actions(self) -> int:
        """The number of actions."""
        return int(self._calls.numbers[at.ACTIONS])

    @property
    def cells(self) -> "Array":
        """The marks on the cells, (n, cells) int8: the number of the mark, -1 for none."""
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
        """The number of moves since the start of each game, (n,) int32."""
        ply: Array = self._games.length - self._games.begun
        return ply

    @property
    def legal(self) -> "Array":
        """The legal actions, (n, actions) bool; none after the end."""
        legal: Array = _numpy().empty((self.n, self.actions), bool)
        self._calls.run(kernels.list_legal, self._games, legal.view(_numpy().int8))
        return legal

    @property
    def observations(self) -> "Array":
        """The observations of the side to move, ``(n, planes, *shape)`` bool.

        There is a plane for the marks of each side, the mover's first, then in turn order. If marks belong to
        no side, there is a plane for each mark. If marks vanish, each side has ``vanish`` planes of one mark
        each: the first mark to leave, the second one, and so on.
        """
        np, planes = _numpy(), int(self._calls.numbers[at.PLANES])
        seen: Array = np.empty((self.n, planes, *self.rules.shape), bool)
        self._calls.run(kernels.observe, self._games, seen.view(np.int8))
        return seen

    def observed_by(self, sides: "Array") -> "Array":
        """Return the observations of *sides*, one number for each game, with their own marks first."""
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

    # Moves

    def step(self, actions: "Sequence[int] | Array", *, restart: bool = True) -> "tuple[Array, Array]":
        """Make one of *actions* in each game; -1 leaves a game unchanged.

        Return the rewards, (n, sides) float32, and which games are over, (n,) bool. The winner of a game gets
        1 and its losers share -1; all other rewards are 0. Games that are over start again, unless *restart*
        is false. If any action is illegal, :class:`~noughts.errors.IllegalActions` names the games, and no
        action is made.
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
        """Restart the games that *which*, (n,) bool, selects; all by default."""
        np = _numpy()
        wanted = np.ones(self.n, bool) if which is None else np.ascontiguousarray(which)
        if wanted.shape != (self.n,) or wanted.dtype != bool:  # Numbers of games would count as True.
            raise ValueError(f"restart needs {self.n} bools, not {wanted.dtype} of the shape {wanted.shape}")
        self._calls.run(kernels.restart, self._games, wanted.view(np.int8))
        self._forget(wanted)

    def _forget(self, which: "Array") -> None:
        """Forget the start positions of the selected games, which start from the empty board now."""
        self._starts = {number: start for number, start in self._starts.items() if not which[number]}

    def _checked(self, actions: "Sequence[int] | Array") -> "Array":
        """Return the *actions* as an array of int64. Raises an error unless all are legal."""
        np = _numpy()
        array = np.asarray(actions)
        if np.ma.is_masked(actions):  # A masked array has numbers in masked places too.
            raise ValueError("no action is masked; -1 leaves a game as it is")
        if array.shape != (self.n,) or array.dtype.kind not in "iu":
            raise ValueError(
                f"step needs {self.n} whole numbers, not {array.dtype} of the shape {array.shape}"
            )
        # Otherwise the greatest unsigned numbers of 64 bits would become -1, which means no move.
        known = np.minimum(array, np.uint64(self.actions)) if array.dtype == np.uint64 else array
        made: Array = np.ascontiguousarray(known, np.int64)
        refused = np.empty(self.n, np.int8)
        if self._calls.run(kernels.count_refused, self._games, made, refused):
            games = np.flatnonzero(refused)
            raise IllegalActions(games.tolist(), array[games].tolist())
        return made

    def playouts(self, threads: SupportsIndex = 1) -> "tuple[Array, Array]":
        """Play every game to its end at random, on separate boards.

        Return the winners, (n,) int8, -1 for a draw, and the number of moves of each game, (n,) int32.
        Compiled kernels use this number of *threads*.
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
        """Make room for *count* moves in each game."""
        np, room = _numpy(), self._games.moves.shape[1]
        if count > room:
            moves = np.zeros((self.n, max(count, 2 * room)), np.int32)
            moves[:, :room] = self._games.moves
            self._games = self._games._replace(moves=moves)
            self._calls.set_capacity(moves.shape[1])

    # Copies and single games

    def copy(self) -> Self:
        """Return an independent batch of the same games and random states."""
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
        """Return the games. The version that reads them computes all data that depend on the rules."""
        return {
            name: self.__dict__[name] for name in ("rules", "n", "_games", "_starts", "_is_always_looked")
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._prepare()

    def game(self, i: int) -> Game:
        """Return game number *i* as a :class:`Game`, with its moves."""
        number, games = self._counted(i), self._games
        since = games.moves[number, games.begun[number] : games.length[number]]
        return self._played(self._starts.get(number), since)

    def _counted(self, i: int) -> int:
        """Return *i*, counted from the end if it is negative.

        Raises ``IndexError`` if there is no such game.
        """
        if not -self.n <= i < self.n:
            raise IndexError(f"no game {i} among {self.n}")
        return i % self.n

    def _played(self, start: Game | None, placings: Iterable[int]) -> Game:
        """Return a game from *start*, or from the empty board, with the moves that made *placings*."""
        game = game_of(self.rules) if start is None else start.copy()
        for move in moves_of(self.rules, placings):
            game.play(move)
        return game

    @property
    def nbytes(self) -> int:
        """The size of the arrays of all games in bytes."""
        return sum(array.nbytes for array in self._games)


def _whole(number: SupportsIndex) -> int:
    """Return *number* as an int, or -1 if it is not a whole number.

    It may be a number of NumPy.
    """
    try:
        return -1 if isinstance(number, bool) else index(number)
    except TypeError:
        return -1


def _rules_of(name: str) -> Rules:
    if not isinstance(name, str):
        raise TypeError(f"{type(name).__name__}: no name, spec or Rules; Batch.of makes a batch of games")
    return _rules_in(new_game(name))


def _rules_in(game: Game) -> Rules:
    """Return the rules of *game*. Raises :class:`~noughts.errors.UnsupportedRules` if it has other facts."""
    check_game(game)
    if game.rules is None or game.facts != game.rules.facts:
        raise UnsupportedRules("batch", game.name, "unknown-rules")
    return game.rules


def _spec_of(rules: Rules) -> str:
    """Return the spec of *rules* with their marks, which a spec does not include."""
    return f"{rules.spec} of {', '.join(rules.marks)}"


def _numpy() -> Any:
    """Import NumPy when the first batch is made. Raises :class:`~noughts.errors.ExtraMissing`."""
    try:
        import numpy
    except ImportError:
        raise ExtraMissing("Batch", "study") from None
    return numpy


def _shown(array: "Array") -> "Array":
    """Return a read-only view of *array*."""
    shown = array.view()
    shown.flags.writeable = False
    return shown
