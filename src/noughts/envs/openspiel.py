"""All games of noughts as one game of OpenSpiel with a parameter."""

import math
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from noughts.envs.actions import Actions, Array, Planes, environment_game, payoffs
from noughts.errors import IllegalMove, UnsupportedRules
from noughts.games.base import Game
from noughts.games.rules import NUMBERS, SWITCHES

NAME = "python_noughts"

SPEC = "spec"

BETWEEN, EQUALS = ";", ":"
"""The replacements of ``,`` and ``=`` in a spec, because OpenSpiel separates its parameters there."""

LAST = ")"
"""The closing parenthesis that OpenSpiel leaves at the end of the name of the last option.

It does so if the parameters have words without a value.
"""

NOT_GIVEN = -(1 << 31)
"""A number that is never passed: OpenSpiel hands over all parameters, including those with defaults."""

OPTIONS = {
    **{word + end: "" for word in SWITCHES for end in ("", LAST)},
    **dict.fromkeys(NUMBERS, NOT_GIVEN),
}
"""The parameters for options. OpenSpiel splits ``spec=7x6:4,gravity`` at the comma before we see it."""


def spec_of(parameters: dict[str, Any]) -> str:
    """Return the name or spec in the *parameters* of a game.

    >>> spec_of({"spec": "5x5:4;players:3"}), spec_of({"spec": "7x6:4", "gravity)": "..."})
    ('5x5:4,players=3', '7x6:4,gravity')
    >>> spec_of({"spec": "5x5:4", "wrap": "x"})
    '5x5:4,wrap=x'
    """
    first, *options = str(parameters.get(SPEC, "tictactoe")).split(BETWEEN)
    options = [option.replace(EQUALS, "=") for option in options]
    for name, value in parameters.items():
        if name in OPTIONS and value != OPTIONS[name]:
            is_bare = name.endswith(LAST)
            options.append(name.removesuffix(LAST) if is_bare else f"{name}={value}")
    return ",".join((first, *options))


def spec_to_openspiel(spec: str) -> str:
    """Return *spec* in a spelling that OpenSpiel can write and read.

    >>> spec_to_openspiel("5x5:4,players=3")
    '5x5:4;players:3'
    """
    return spec.replace(",", BETWEEN).replace("=", EQUALS)


def max_length(game: Game, actions: Actions) -> int:
    """Return the maximum number of moves of *game*. Raises an error if positions can recur."""
    if game.can_repeat:
        raise UnsupportedRules("openspiel", game.name, "no-longest-game")
    # Every move fills a cell, and no side passes twice before another move fills one.
    has_pass = actions.count > math.prod(game.shape) and "pass" in actions.texts
    return math.prod(game.shape) * (2 if has_pass else 1)


GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Games of noughts",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=8,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    default_loadable=True,
    parameter_specification={SPEC: "tictactoe", **OPTIONS},
)


class SpielGame(pyspiel.Game):
    """Any game of noughts with a maximum length, by its name or spec."""

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        spec = spec_of(parameters or {})
        self.start = start = environment_game(spec)
        self.actions, self.planes = Actions(start), Planes(start)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.actions.count,
            max_chance_outcomes=0,
            num_players=len(start.sides),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=max_length(start, self.actions),
        )
        super().__init__(GAME_TYPE, info, {SPEC: spec_to_openspiel(spec)})

    def new_initial_state(self, state: Any = None) -> "SpielState":
        """Return the position before the first move."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return the observer of a position for a player."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):
    """A position. Its players are the numbers of sides."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.actions = game.actions
        self.game = game.start.copy()

    def current_player(self) -> int:
        """Return the number of the side to move."""
        if self.game.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.game.sides.index(self.game.turn)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.actions.legal(self.game))

    def _apply_action(self, action: int) -> None:
        legal = self.actions.legal(self.game)
        if action not in legal:
            raise IllegalMove(action, list(legal))
        self.game.play(legal[action])

    def _action_to_string(self, player: int, action: int) -> str:
        return self.actions.texts[action]

    def is_terminal(self) -> bool:
        """Return True if the game is over."""
        return self.game.is_over

    def returns(self) -> list[float]:
        """Return the rewards of all players so far."""
        return list(payoffs(self.game).values())

    def __str__(self) -> str:
        from noughts.games.notation import format_position

        return format_position(self.game)


class Observer:
    """The observer that writes the observation of a player into a tensor."""

    def __init__(self, game: SpielGame) -> None:
        self._planes = game.planes
        self.tensor: Array = np.zeros(math.prod(game.planes.shape), np.float32)
        self.dict: dict[str, Array] = {"observation": self.tensor.reshape(game.planes.shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Observe *state* for *player*."""
        self.dict["observation"][:] = self._planes.observe(state.game, state.game.sides[player])

    def string_from(self, state: SpielState, player: int) -> str:
        """Return *state* as text, the same for all players."""
        return str(state)


def register() -> None:
    """Register the game with OpenSpiel, once."""
    if NAME not in pyspiel.registered_names():
        pyspiel.register_game(GAME_TYPE, SpielGame)
