"""What has learned in an environment as a player."""

from collections.abc import Callable
from operator import index
from typing import SupportsIndex

from noughts.envs.actions import Actions, Array, Planes, game_for
from noughts.errors import IllegalMove, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.players.base import Player
from noughts.search.analysis import Limit

Policy = Callable[[Array, Array], SupportsIndex]
"""Tells the number of an action from what the side to move sees and the mask of what is allowed."""


class PolicyPlayer(Player):
    """Plays the actions of *policy*, which sees and counts as in ``noughts/Play-v0``: *game*, or any game."""

    def __init__(self, policy: Policy, game: str | Game | None = None) -> None:
        self._policy = policy
        self._wanted = None if game is None else game_for(game).name
        self._name = ""

    def take_seat(self, game: Game) -> None:
        """Number the moves of *game*.

        Raises :class:`~noughts.errors.UnsupportedRules` where it is another than was learned, or does not say
        which moves there can be.
        """
        if self._wanted not in (None, game.name):
            raise UnsupportedRules("policy", game.name, "bot-declines", text="")
        self._actions, self._planes, self._name = Actions(game), Planes(game), game.name

    def choose(self, game: Game, limit: Limit) -> Move:
        """The move that the policy takes; :class:`~noughts.errors.IllegalMove` where it is not allowed."""
        if game.name != self._name:
            self.take_seat(game)
        legal = self._actions.legal(game)
        action = index(self._policy(self._planes.seen(game, game.turn), self._actions.mask(game)))
        if action not in legal:
            raise IllegalMove(action, list(legal))
        return legal[action]
