"""All sides of a game in turn, as an environment of PettingZoo."""

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from noughts.envs.actions import Actions, Planes, environment_game, payoffs
from noughts.envs.rendering import MODES, check_mode, render
from noughts.errors import IllegalMove
from noughts.games.base import Game


class TurnsEnv(AECEnv[str, dict[str, Any], int | None]):
    """The sides of *game* as agents, named by their marks.

    An agent observes ``observation``, planes of bits with its own marks first, and ``action_mask``, which is
    empty while it is not to move.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": list(MODES),
        "name": "noughts_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, game: str | Game, render_mode: str | None) -> None:
        check_mode(render_mode)
        super().__init__()
        self.render_mode = render_mode
        self._start = self._game = environment_game(game)
        self._actions, self._planes = Actions(self._start), Planes(self._start)
        self.possible_agents = list(self._start.sides)
        seen = spaces.Box(0, 1, self._planes.shape, np.int8)
        mask = spaces.Box(0, 1, (self._actions.count,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self._actions.count) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Return the space of the observations of *agent*."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of the actions of *agent*."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. It has no random choices."""
        self._game = self._start.copy()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._game.turn

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the current observation of *agent*."""
        game = self._game
        is_to_move = game.outcome is None and agent == game.turn == self.agent_selection
        mask = self._actions.mask(game) if is_to_move else np.zeros(self._actions.count, np.int8)
        return {"observation": self._planes.observe(game, agent), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make the move of the number *action* for the agent to move."""
        agent, game = self.agent_selection, self._game
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        legal = self._actions.legal(game)
        if action not in legal:
            raise IllegalMove(action, list(legal))
        self._cumulative_rewards[agent] = 0.0
        game.play(legal[action])
        if game.is_over:
            self.rewards = payoffs(game)
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = game.turn
        self._accumulate_rewards()

    def render(self) -> Any:
        """Return the game in the mode ``render_mode``."""
        return render(self._game, self.render_mode)

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""
