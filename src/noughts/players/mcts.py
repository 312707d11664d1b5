"""mcts: a tree search led by random games."""

import re
from math import inf, log, sqrt
from random import Random

from noughts.batch.playouts import DRAWN, playouts_of, prepare_playouts
from noughts.errors import GameOver, NotFound
from noughts.games.base import Game, Move
from noughts.players.base import Player, decline_puzzle, player_names
from noughts.search.analysis import Limit, moves_of

MAX_NODES = 10_000_000

CURIOSITY = 1.4
"""The preference for moves with few visits: the constant of UCB1, for results from -1 to 1."""


class MctsPlayer(Player):
    """A player of the most visited move of a tree search, with one random game for each node.

    UCT (Kocsis and Szepesvari 2006): the search descends to promising or seldom visited moves, and a random
    game from there gives a result. A proved win, loss or draw is not visited again (MCTS-Solver, Winands and
    others 2008). The search knows only the rules of a game.
    """

    def __init__(self, nodes: str, chance: Random) -> None:
        if (count := count_of(nodes)) is None:
            raise NotFound("player", f"mcts:{nodes}", tuple(player_names()))
        self._nodes, self._chance = count, chance

    def take_seat(self, game: Game) -> None:
        decline_puzzle("mcts", game)

    def prepare(self, game: Game) -> None:
        prepare_playouts(game)

    def choose(self, game: Game, limit: Limit) -> Move:
        if game.outcome is not None:
            raise GameOver
        limit = limit.started()
        nodes = self._nodes if limit.nodes is None else min(self._nodes, limit.nodes)
        search = TreeSearch(game, self._chance)
        while search.nodes < nodes and search.root.winner is None and not limit.stop():
            search.grow()
        return search.best()


def count_of(nodes: str) -> int | None:
    """Return the number in the text *nodes*, or None unless it is from 1 to :data:`MAX_NODES`."""
    count = int(nodes) if re.fullmatch("[1-9][0-9]{0,7}", nodes) else 0
    return count if 0 < count <= MAX_NODES else None


class MctsNode:
    """A position: the *move* that led there, made by the side of the number *mover*."""

    __slots__ = ("children", "move", "mover", "total", "untried", "visits", "winner")

    def __init__(self, move: Move, mover: int) -> None:
        self.move, self.mover = move, mover
        self.children: list[MctsNode] = []
        self.untried: list[Move] | None = None
        """The moves that were not tried yet, or None before the first visit."""
        self.visits = 0
        self.total = 0.0
        """The sum of the results of the random games from here, for the mover."""
        self.winner: int | None = None
        """The winner with best play, :data:`DRAWN` for a draw, or None if it is not proved."""


class TreeSearch:
    """A tree search in *game*, which is not changed."""

    def __init__(self, game: Game, chance: Random) -> None:
        self._game, self._chance = game.copy(), chance
        self._winner_of = playouts_of(game, chance)
        sides = len(game.sides)
        self._sides = sides
        self.root = MctsNode((), (game.sides.index(game.turn) - 1) % sides)
        if game.outcome is not None:
            self.root.winner = self._known_winner()
        self.nodes = 0

    def value_for(self, winner: int, side: int) -> float:
        """Return the value of a finished game for *side*: 1 to win, a share of -1 to lose."""
        return 0.0 if winner == DRAWN else 1.0 if winner == side else -1 / (self._sides - 1)

    def grow(self) -> None:
        """Descend to a new node or an end, play a random game from there, and update all nodes above."""
        game, ply, node = self._game, self._game.ply, self.root
        path = [node]
        while node.winner is None and (node.visits or node is self.root):
            node = self._select_child(node)
            game.play(node.move)
            path.append(node)
            if game.outcome is not None and node.winner is None:
                node.winner = self._known_winner()
        self.nodes += 1
        won = self._winner_of(game) if node.winner is None else node.winner
        while game.ply > ply:
            game.undo()
        for passed in path:
            passed.visits += 1
            passed.total += self.value_for(won, passed.mover)
        for above in reversed(path[:-1]):
            if not self._prove(above):
                break

    def _known_winner(self) -> int:
        """Return the winner of the finished game."""
        winner = self._game.winner
        return DRAWN if winner is None else self._game.sides.index(winner)

    def _select_child(self, node: MctsNode) -> MctsNode:
        """Return the child to visit: a new one, if there is one, else the one with the greatest UCB1."""
        if node.untried is None:
            node.untried = list(moves_of(self._game))
            self._chance.shuffle(node.untried)
        if node.untried:
            mover = self._game.sides.index(self._game.turn)
            child = MctsNode(node.untried.pop(), mover)
            node.children.append(child)
            return child
        known, most = log(node.visits), -inf
        for child in [child for child in node.children if child.winner is None] or node.children:
            bound = child.total / child.visits + CURIOSITY * sqrt(known / child.visits)
            if bound > most:  # max with a key would be slower
                best, most = child, bound
        return best

    def _prove(self, node: MctsNode) -> bool:
        """Return True if the proved results of its children prove the result of *node*."""
        children = node.children
        for child in children:
            if child.winner == child.mover:
                node.winner = child.winner
                return True
        if node.untried or any(child.winner is None for child in children):
            return False
        # All are proved, and none wins: a draw is best. Otherwise the winner must be unambiguous.
        winners = {child.winner for child in children}
        if DRAWN in winners:
            node.winner = DRAWN
        elif len(winners) == 1:
            (node.winner,) = winners
        return node.winner is not None

    def best(self) -> Move:
        """Return the move of the best child, or a random move if there are no children."""
        best = best_child(self.root)
        return self._chance.choice(list(moves_of(self._game))) if best is None else best.move


def best_child(node: MctsNode) -> MctsNode | None:
    """Return a child that is proved to win, or else the most visited one that may do better than a draw."""
    children = node.children
    wins = [child for child in children if child.winner == child.mover]
    if wins or not children:
        return wins[0] if wins else None
    draws = [child for child in children if child.winner == DRAWN]
    open_ones = [child for child in children if child.winner is None]
    best = max(open_ones or draws or children, key=lambda child: child.visits)
    return draws[0] if draws and best.total < 0 else best
