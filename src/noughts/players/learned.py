"""learned: a player with weights learned from games of the program against itself."""

from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random

from noughts.core.geometry import coordinates
from noughts.errors import DamagedFile, GameOver, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.players.base import Player
from noughts.players.ntuples import HANDLED, Network, network_of, read_network
from noughts.search.analysis import Limit, handled_rules

SHIPPED = {
    "3x3:3": "3x3-3.weights",
    "5x5:4": "5x5-4.weights",
    "7x6:4,gravity": "7x6-4-gravity.weights",
}
"""The games that were learned, and the files of their weights."""

LOOK_AHEAD = 2
"""The number of plies that it searches: its move and the reply."""

WIN = 1 << 30
"""The value of a win, far above any sum of weights."""


def shipped_network(spec: str) -> Network | None:
    """Return the network for the game with this *spec*, or None if no weights for it come with noughts.

    Raises :class:`~noughts.errors.DamagedFile`.
    """
    return _read_shipped(SHIPPED[spec]) if spec in SHIPPED else None


@cache
def _read_shipped(name: str) -> Network:
    file = files("noughts.players").joinpath("weights", name)
    network = network_of(file.read_bytes())
    if network is None:
        raise DamagedFile(str(file), "part")
    return network


def is_learned(game: Game) -> bool:
    """Return True if weights for *game* are shipped.

    >>> from noughts import new_game
    >>> [is_learned(new_game(name)) for name in ("connect4", "misere", "reversi")]
    [True, False, False]
    """
    rules = handled_rules(game, HANDLED)
    return rules is not None and rules.spec in SHIPPED


class LearnedPlayer(Player):
    """A player that searches two plies ahead for the best position by a learned network.

    The weights come from games of the program against itself, and from no knowledge of the game but its rules
    (``examples/learn.py``). With another *network*, it plays only the game of that network.
    """

    def __init__(self, chance: Random, network: Network | None = None) -> None:
        self._chance, self._network = chance, network

    def take_seat(self, game: Game) -> None:
        self._find(game)

    def choose(self, game: Game, limit: Limit) -> Move:
        if game.outcome is not None:
            raise GameOver
        network = self._find(game)
        return NetworkSearch(game, network, limit.started()).choose(self._chance)

    def _find(self, game: Game) -> Network:
        """Return the network for *game*.

        Raises :class:`~noughts.errors.UnsupportedRules` if there is none.
        """
        rules = handled_rules(game, HANDLED)
        if rules is not None:
            network = self._network or shipped_network(rules.spec)
            if network is not None and network.form.game == rules.spec:
                return network
        others = "human" if len(game.sides) == 1 else "level:10"
        raise UnsupportedRules("learned", game.name, "not-learned", instead=(others,))


def player_from(argument: str, chance: Random) -> LearnedPlayer:
    """Return the player with the weights in the file *argument*. Empty means the shipped weights.

    Raises :class:`~noughts.errors.FileRefused`.
    """
    return LearnedPlayer(chance, read_network(Path(argument)) if argument else None)


class NetworkSearch:
    """A search in *game*, which plays and undoes its moves, within *limit*."""

    def __init__(self, game: Game, network: Network, limit: Limit = Limit()) -> None:  # noqa: B008
        form = network.form
        self._game, self._weights = game, network.halves
        self._touching, self._fall = form.touching, form.fall
        self._number = {cell: number for number, cell in enumerate(coordinates(form.rules.shape))}
        self._at = form.read(game.cells, game.sides)
        self._side = game.sides.index(game.turn)
        self._limit, self._nodes = limit, 0

    def choose(self, chance: Random) -> Move:
        """Return the best move, or a random one of equal moves, by a search with increasing depth."""
        moves = list(self._game.legal_moves())
        chance.shuffle(moves)
        limited = self._limit.depth
        deepest = LOOK_AHEAD if limited is None else min(LOOK_AHEAD, limited)
        for depth in range(1, deepest + 1):
            scores: dict[Move, int] = {}
            for move in moves:
                best = max(scores.values(), default=-WIN)
                score = self._after(move, depth, -WIN, -best)
                if score is None:
                    return moves[0]
                scores[move] = -score
            moves.sort(key=scores.__getitem__, reverse=True)
        return moves[0]

    def _best(self, depth: int, low: int, high: int) -> int | None:
        """Return the value of the position for the side to move, if it is between *low* and *high*."""
        for move in self._game.legal_moves():
            score = self._after(move, depth, -high, -low)
            if score is None:
                return None
            low = max(low, -score)
            if low >= high:
                break
        return low

    def _after(self, move: Move, depth: int, low: int, high: int) -> int | None:
        """Return the value for the other side of *move* as the first of *depth* plies.

        Return None if the limit is reached before.
        """
        limit = self._limit
        if limit.stop() or (limit.nodes is not None and self._nodes >= limit.nodes):
            return None
        game, cell = self._game, self._number[move]
        self._nodes += 1
        game.play(move)
        outcome = game.outcome
        score: int | None
        if outcome is not None:
            score = 0 if outcome.winner is None else -WIN
        else:
            self._place(cell, 1)
            self._side = 1 - self._side
            score = self._best(depth - 1, low, high) if depth > 1 else self._value()
            self._side = 1 - self._side
            self._place(cell, -1)
        game.undo()
        return score

    def _value(self) -> int:
        """Return the network's value of the position for the side to move."""
        total = sum(map(self._weights[self._side].__getitem__, self._at))
        return -total if self._side else total

    def _place(self, cell: int, sign: int) -> None:
        """Put a mark of the side to move on *cell*, or lift it with the *sign* -1."""
        at, change = self._at, sign * (self._side + 1)
        for number, power in self._touching[cell]:
            at[number] += change * power
        if 0 < self._fall <= cell:  # the cell above comes within reach
            for number, power in self._touching[cell - self._fall]:
                at[number] += sign * power
