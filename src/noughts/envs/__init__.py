"""Games as learning environments: Gymnasium and PettingZoo (extra ``study``), OpenSpiel.

OpenSpiel has an extra of its own, ``openspiel``, because it does not have wheels for every machine.

Importing this module registers ``noughts/Play-v0`` with Gymnasium, if that is installed:

>>> import gymnasium, noughts.envs
>>> env = gymnasium.make("noughts/Play-v0", game="connect4", opponent="rule", side="X")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, info["action_mask"].tolist()
((2, 6, 7), [1, 1, 1, 1, 1, 1, 1])
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from noughts.errors import ExtraMissing

if TYPE_CHECKING:
    from noughts.envs.policy import Policy
    from noughts.games.base import Game
    from noughts.players.base import Player

PLAY = "noughts/Play-v0"
"""The name of the environment in which one side learns and players have the other sides."""


def register_gymnasium() -> None:
    """Register :data:`PLAY` with Gymnasium."""
    try:
        import gymnasium
    except ImportError:
        raise ExtraMissing("gymnasium", "study") from None
    if PLAY not in gymnasium.registry:
        gymnasium.register(
            PLAY,
            entry_point="noughts.envs.play:PlayEnv",
            vector_entry_point="noughts.envs.vector:PlayVectorEnv",
            disable_env_checker=True,  # it would warn of one-dimensional arrays
        )


def aec(game: "str | Game" = "tictactoe", render_mode: str | None = None) -> Any:
    """Return an environment of PettingZoo in which all sides of *game* learn, as agents named by their marks.

    An agent that makes an illegal move loses. Raises :class:`~noughts.errors.UnsupportedRules`.
    """
    try:
        from pettingzoo.utils import wrappers
    except ImportError:
        raise ExtraMissing("pettingzoo", "study") from None
    from noughts.envs.actions import environment_game, loss
    from noughts.envs.turns import TurnsEnv

    start = environment_game(game)
    env = wrappers.TerminateIllegalWrapper(TurnsEnv(start, render_mode), illegal_reward=loss(start))
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


def policy_player(policy: "Policy", game: "str | Game | None" = None) -> "Player":
    """Return a player for a learned *policy*, from an observation and a mask to an action's number.

    Both are those of ``noughts/Play-v0``. With *game*, the player declines all other games. Needs NumPy.

    >>> from noughts import TicTacToe, play
    >>> first = policy_player(lambda observation, mask: mask.argmax(), "tictactoe")
    >>> play(TicTacToe(), x=first, o=first)
    'X'
    """
    try:
        from noughts.envs.policy import PolicyPlayer
    except ImportError:
        raise ExtraMissing("numpy", "study") from None
    return PolicyPlayer(policy, game)


def register_openspiel() -> None:
    """Register the game ``python_noughts``, which has a parameter ``spec``, with OpenSpiel.

    Needs the extra ``openspiel``.
    """
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        raise ExtraMissing("pyspiel", "openspiel") from None
    from noughts.envs.openspiel import register

    register()


with suppress(ExtraMissing):  # other uses work without it
    register_gymnasium()
