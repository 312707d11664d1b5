"""A policy learned in an environment, as a player."""

from collections.abc import Callable
from operator import index
from typing import SupportsIndex

from noughts.envs.actions import Actions, Array, Planes, environment_game
from noughts.errors import IllegalMove, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.players.base import Player
from noughts.search.analysis import Limit

Policy = Callable[[Array, Array], SupportsIndex]
"""A function from the observation of the side to move and the mask of legal actions to an action's number."""


class PolicyPlayer(Player):
    """A player of *policy*, with the observations of ``noughts/Play-v0``: for *game*, or any game."""

    def __init__(self, policy: Policy, game: str | Game | None = None) -> None:
        self._policy = policy
        self._wanted = None if game is None else environment_game(game).name
        self._name = ""

    def take_seat(self, game: Game) -> None:
        """Assign numbers to the moves of *game*.

        Raises :class:`~noughts.errors.UnsupportedRules` if it is not the learned game, or does not list its
        possible moves.
        """
        if self._wanted not in (None, game.name):
            raise UnsupportedRules("policy", game.name, "bot-declines", text="")
        self._actions, self._planes, self._name = Actions(game), Planes(game), game.name

    def choose(self, game: Game, limit: Limit) -> Move:
        """Return the move of the policy. Raises :class:`~noughts.errors.IllegalMove` if it is illegal."""
        if game.name != self._name:
            self.take_seat(game)
        legal = self._actions.legal(game)
        action = index(self._policy(self._planes.observe(game, game.turn), self._actions.mask(game)))
        if action not in legal:
            raise IllegalMove(action, list(legal))
        return legal[action]
