"""One side of a game as an environment of Gymnasium; players have the others."""

from operator import index
from random import Random
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from noughts.envs.actions import Actions, Array, Planes, game_for, loss, payoffs
from noughts.envs.opponents import Opponent
from noughts.envs.rendering import MODES, check_mode, render
from noughts.errors import UnsupportedRules
from noughts.games.base import Game
from noughts.players.base import Player
from noughts.search.analysis import Limit

ANY_SIDE = "random"

SEEDS = 2**63 - 1

MAX_BEGUN = 100
"""So often a game is begun that is over before the learner has a move; then it is refused."""


class PlayEnv(gymnasium.Env[Array, int]):
    """Play one *side* of *game*, a mark or ``random``, against an *opponent*, any player by name.

    What is seen are planes of bits, the learner's marks first; ``info["action_mask"]`` says which actions are
    allowed, ``info["side"]`` who the learner is. At the end a win is worth 1, a loss -1 (a share of it where
    there are more sides). An action that is not allowed is a loss and ends the game as it stands.
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
        self._start = game_for(game)
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
        """Begin a game. With a *seed* all that is left to chance is the same each time.

        One that is over before the learner has a move is begun again; where that does not help
        :class:`~noughts.errors.UnsupportedRules` is raised.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._opponent.begin(Random(int(self.np_random.integers(SEEDS))))
        self._may_step = False
        for _ in range(MAX_BEGUN):
            game = self._begun()
            if game.outcome is None:
                break
        else:
            raise UnsupportedRules("environment", self._start.name, "over-at-once")
        self._game, self._may_step = game, True
        return self._planes.seen(game, self.side), self._info(game)

    def _begun(self) -> Game:
        """A new game as the learner finds it, who is given a side."""
        sides = self._start.sides
        self.side = sides[self.np_random.integers(len(sides))] if self._wanted == ANY_SIDE else self._wanted
        game = self._start.copy()
        self._answer(game)
        return game

    def step(self, action: SupportsIndex) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Make the move of the number *action*; the other sides answer."""
        game = self._game
        if game is None or not self._may_step:
            raise ResetNeeded("the game is over, or was not begun: call reset")
        move = self._actions.legal(game).get(index(action))
        self._may_step = False  # also where the opponent fails
        if move is None:
            info = self._info(game) | {"illegal": True}
            return self._planes.seen(game, self.side), loss(game), True, False, info
        game.play(move)
        self._answer(game)
        reward, self._may_step = payoffs(game)[self.side], game.outcome is None
        return self._planes.seen(game, self.side), reward, game.is_over, False, self._info(game)

    def action_masks(self) -> Array:
        """Which actions are allowed now, a bool each; sb3-contrib asks for them by this name."""
        return self._actions.mask(self._game or self._start).astype(bool)

    def _answer(self, game: Game) -> None:
        """The other sides move until it is the learner's turn, or the end."""
        while game.outcome is None and game.turn != self.side:
            self._opponent.play(game)

    def _info(self, game: Game) -> dict[str, Any]:
        return {"action_mask": self._actions.mask(game), "side": self.side}

    def render(self) -> Any:
        """The game as ``render_mode`` has it."""
        return render(self._game or self._start, self.render_mode)

    def close(self) -> None:
        """End what runs for the opponent."""
        self._opponent.close()
