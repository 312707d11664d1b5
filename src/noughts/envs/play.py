"""One side of a game as an environment of Gymnasium, with players on the other sides."""

from operator import index
from random import Random
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from noughts.envs.actions import Actions, Array, Planes, environment_game, loss, payoffs
from noughts.envs.opponents import Opponent
from noughts.envs.rendering import MODES, check_mode, render
from noughts.errors import UnsupportedRules
from noughts.games.base import Game
from noughts.players.base import Player
from noughts.search.analysis import Limit

ANY_SIDE = "random"

SEEDS = 2**63 - 1

MAX_BEGUN = 100
"""The maximum number of new games at a reset, if each is over before the learner has a move."""


class PlayEnv(gymnasium.Env[Array, int]):
    """Play one *side* of *game*, a mark or ``random``, against an *opponent*, any player by name.

    The observation is planes of bits, the learner's marks first. ``info["action_mask"]`` has the legal
    actions, ``info["side"]`` the learner's side. At the end the reward of a win is 1, of a loss -1 (or a
    share of it with more sides). An illegal action is a loss and ends the episode.
    """

    metadata: dict[str, Any] = {"render_modes": list(MODES), "render_fps": 2}  # noqa: RUF012 - as its base class has it

    def __init__(
        self,
        game: str | Game = "tictactoe",
        opponent: str | Player = "random",
        side: str = ANY_SIDE,
        limit: Limit | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_mode(render_mode)
        self.render_mode = render_mode
        self._start = environment_game(game)
        if side not in (ANY_SIDE, *self._start.sides):
            raise ValueError(f"side is one of {', '.join((ANY_SIDE, *self._start.sides))}, not {side!r}")
        self._actions, self._planes = Actions(self._start), Planes(self._start)
        self._opponent = Opponent(opponent, self._start, limit)
        self._wanted, self.side = side, self._start.sides[0]
        self._game: Game | None = None
        self._may_step = False
        self.observation_space = spaces.Box(0, 1, self._planes.shape, np.int8)
        self.action_space = spaces.Discrete(self._actions.count)  # type: ignore[assignment]

    @property
    def game(self) -> Game:
        """A copy of the game that is being played."""
        return (self._game or self._start).copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Start a game. With the same *seed* all random choices are the same.

        A game that is over before the learner has a move is started again. Raises
        :class:`~noughts.errors.UnsupportedRules` if that does not help.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._opponent.begin(Random(int(self.np_random.integers(SEEDS))))
        self._may_step = False
        for _ in range(MAX_BEGUN):
            game = self._new_game_for_learner()
            if game.outcome is None:
                break
        else:
            raise UnsupportedRules("environment", self._start.name, "over-at-once")
        self._game, self._may_step = game, True
        return self._planes.observe(game, self.side), self._info(game)

    def _new_game_for_learner(self) -> Game:
        """Return a new game at the learner's first move, with a side for the learner."""
        sides = self._start.sides
        self.side = sides[self.np_random.integers(len(sides))] if self._wanted == ANY_SIDE else self._wanted
        game = self._start.copy()
        self._answer(game)
        return game

    def step(self, action: SupportsIndex) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Make the move of the number *action*, and let the other sides answer."""
        game = self._game
        if game is None or not self._may_step:
            raise ResetNeeded("the game is over, or was not begun: call reset")
        move = self._actions.legal(game).get(index(action))
        self._may_step = False  # This stays false if the opponent fails.
        if move is None:
            info = self._info(game) | {"illegal": True}
            return self._planes.observe(game, self.side), loss(game), True, False, info
        game.play(move)
        self._answer(game)
        reward, self._may_step = payoffs(game)[self.side], game.outcome is None
        return self._planes.observe(game, self.side), reward, game.is_over, False, self._info(game)

    def action_masks(self) -> Array:
        """Return the legal actions, a bool each. sb3-contrib calls the method by this name."""
        return self._actions.mask(self._game or self._start).astype(bool)

    def _answer(self, game: Game) -> None:
        """Let the other sides move until it is the learner's turn, or the end."""
        while game.outcome is None and game.turn != self.side:
            self._opponent.play(game)

    def _info(self, game: Game) -> dict[str, Any]:
        return {"action_mask": self._actions.mask(game), "side": self.side}

    def render(self) -> Any:
        """Return the game in the mode ``render_mode``."""
        return render(self._game or self._start, self.render_mode)

    def close(self) -> None:
        """Stop the opponent's processes."""
        self._opponent.close()
