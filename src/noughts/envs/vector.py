"""One side of many games at once, as a vector environment of Gymnasium over a batch."""

from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from noughts.batch.batch import Batch
from noughts.batch.layout import ONGOING
from noughts.envs.actions import Actions, Array, environment_game, loss
from noughts.envs.opponents import Opponent, limit_or_default
from noughts.envs.play import ANY_SIDE, MAX_BEGUN, SEEDS
from noughts.errors import UnsupportedRules
from noughts.games.base import Game
from noughts.players.base import Player
from noughts.search.analysis import Limit

BY_CHANCE = "random"
"""The opponent that needs no player: its moves are drawn for all games at once."""


class PlayVectorEnv(VectorEnv[Array, Array, Array]):
    """*num_envs* games of ``noughts/Play-v0``, all in one :class:`~noughts.Batch`.

    A finished game starts again in the same step, and ``final_obs`` has its last observation. The opponent
    ``random`` is fast. Any other one is called for one game after another. Games must be k in a row.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012 - as its base class has it

    def __init__(
        self,
        num_envs: int = 1,
        game: str | Game = "tictactoe",
        opponent: str | Player = BY_CHANCE,
        side: str = ANY_SIDE,
        limit: Limit | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise ValueError("many games at once are not rendered")
        start = environment_game(game)
        sides = start.sides
        if side not in (ANY_SIDE, *sides):
            raise ValueError(f"side is one of {', '.join((ANY_SIDE, *sides))}, not {side!r}")
        self.num_envs = num_envs
        self._start = start
        self._batch = Batch.of([start] * num_envs)
        self._actions = Actions(start)
        limit = limit_or_default(limit)
        self._opponent = None if opponent == BY_CHANCE else Opponent(opponent, start, limit)
        self._wanted = None if side == ANY_SIDE else sides.index(side)
        self._sides = np.zeros(num_envs, np.int8)
        self._may_step = False
        seen = self._batch.observations.shape[1:]
        self.single_observation_space = spaces.Box(0, 1, seen, np.int8)
        self.single_action_space = spaces.Discrete(self._batch.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Start all games. Raises :class:`~noughts.errors.UnsupportedRules` as a single environment does."""
        super().reset(seed=seed)
        self._may_step = False
        if seed is not None and self._opponent is not None:
            self._opponent.begin(Random(int(self.np_random.integers(SEEDS))))
        self._batch = Batch.of([self._start] * self.num_envs)
        self._begin(np.ones(self.num_envs, bool))
        self._may_step = True
        return self._seen(), self._info(np.ones(self.num_envs, bool))

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Make one of *actions* in each game, and let the other sides answer."""
        batch, games = self._batch, np.arange(self.num_envs)
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise ValueError(f"actions are {self.num_envs} whole numbers, not {actions!r}")
        if not self._may_step:
            raise ResetNeeded("the games were not begun: call reset")
        self._may_step = False  # This stays false if the opponent fails.
        actions = actions.astype(np.int64)
        inside = (actions >= 0) & (actions < batch.actions)
        allowed = inside & batch.legal[games, np.where(inside, actions, 0)]
        batch.step(np.where(allowed, actions, -1), restart=False)
        self._answer(allowed)
        winner = batch.winner
        over = (winner != ONGOING) | ~allowed
        lost = loss(self._start)
        rewards = np.where(winner == self._sides, 1.0, np.where(winner < 0, 0.0, lost))
        rewards[~allowed] = lost
        info: dict[str, Any] = {"illegal": ~allowed, "_illegal": over}
        if over.any():
            seen, final = batch.observed_by(self._sides).view(np.int8), self._info(over)
            info |= {"final_obs": seen, "_final_obs": over, "final_info": final, "_final_info": over}
            self._begin(over)
        self._may_step = True
        return (
            self._seen(),
            rewards,
            over,
            np.zeros(self.num_envs, bool),
            info | self._info(np.ones(self.num_envs, bool)),
        )

    def _begin(self, which: Array) -> None:
        """Start the games selected by *which*, until each learner has a move to make."""
        for _ in range(MAX_BEGUN):
            self._set_up(which)
            self._answer(which)
            which = which & (self._batch.winner != ONGOING)
            if not which.any():
                return
        raise UnsupportedRules("environment", self._start.name, "over-at-once")

    def _set_up(self, which: Array) -> None:
        """Put the games selected by *which* at their start, and give each learner a side."""
        self._batch.restart(which)
        if self._start.start is not None or any(self._start.cells):
            for number in np.flatnonzero(which).tolist():
                self._batch.put(number, self._start)
        if self._wanted is None:
            self._sides[which] = self.np_random.integers(len(self._start.sides), size=int(which.sum()))
        else:
            self._sides[which] = self._wanted

    def _answer(self, which: Array) -> None:
        """In the games selected by *which*, let the other sides move until the learner's turn or the end."""
        batch = self._batch
        while (waiting := which & (batch.winner == ONGOING) & (batch.turn != self._sides)).any():
            actions = np.full(self.num_envs, -1, np.int64)
            if self._opponent is None:
                legal = batch.legal[waiting]
                actions[waiting] = (legal * (1 + self.np_random.random(legal.shape))).argmax(axis=1)
            else:
                for number in np.flatnonzero(waiting).tolist():
                    game = batch.game(number)
                    self._opponent.play(game)
                    actions[number] = self._actions.number(game, game.moves[-1])
            batch.step(actions, restart=False)

    def _seen(self) -> Array:
        """Return the observations of the learners. They are to move."""
        return self._batch.observations.view(np.int8)

    def _info(self, which: Array) -> dict[str, Any]:
        """Return the information on the games selected by *which*, besides their observations."""
        mask = self._batch.legal.view(np.int8)
        return {"action_mask": mask, "_action_mask": which, "side": self._sides.copy(), "_side": which}

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the opponent's processes."""
        if self._opponent is not None:
            self._opponent.close()
