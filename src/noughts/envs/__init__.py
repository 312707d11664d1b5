"""Games as environments for programs that learn: Gymnasium and PettingZoo (extra ``study``), OpenSpiel.

For the last there is an extra of its own, ``openspiel``: it has no wheels for every machine.

To import this registers ``noughts/Play-v0`` with Gymnasium, where that is installed:

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
"""What the environment is called in which one side learns and players have the others."""


def register_gymnasium() -> None:
    """Enter :data:`PLAY` in the registry of Gymnasium."""
    try:
        import gymnasium
    except ImportError:
        raise ExtraMissing("gymnasium", "study") from None
    if PLAY not in gymnasium.registry:
        gymnasium.register(
            PLAY,
            entry_point="noughts.envs.play:PlayEnv",
            vector_entry_point="noughts.envs.vector:PlayVectorEnv",
            disable_env_checker=True,  # which would warn of arrays of one dimension
        )


def aec(game: "str | Game" = "tictactoe", render_mode: str | None = None) -> Any:
    """An environment of PettingZoo in which all sides of *game* learn; agents are called by their marks.

    Who makes a move that is not allowed has lost. Raises :class:`~noughts.errors.UnsupportedRules`.
    """
    try:
        from pettingzoo.utils import wrappers
    except ImportError:
        raise ExtraMissing("pettingzoo", "study") from None
    from noughts.envs.actions import game_for, loss
    from noughts.envs.turns import TurnsEnv

    start = game_for(game)
    env = wrappers.TerminateIllegalWrapper(TurnsEnv(start, render_mode), illegal_reward=loss(start))
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


def policy_player(policy: "Policy", game: "str | Game | None" = None) -> "Player":
    """A player of what has learned: *policy* tells the number of an action from an observation and a mask.

    Both are those of ``noughts/Play-v0``. Where *game* is given, the player declines every other one.
    Needs NumPy.

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
    """Enter the game ``python_noughts``, which has a parameter ``spec``, in the registry of OpenSpiel.

    Needs the extra ``openspiel``.
    """
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        raise ExtraMissing("pyspiel", "openspiel") from None
    from noughts.envs.openspiel import register

    register()


with suppress(ExtraMissing):  # the others do without
    register_gymnasium()
