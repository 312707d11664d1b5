"""The players that come with noughts, by their names."""

from random import Random

from noughts.players.base import Player, register
from noughts.players.bots import RandomPlayer, RulePlayer


def _perfect(chance: Random) -> Player:
    """Return the perfect player. Searches are imported only here, as they take half of the start-up time."""
    from noughts.players.perfect import PerfectPlayer

    return PerfectPlayer(chance)


def _level(argument: str, chance: Random) -> Player:
    """Return the player of a level, with a late import."""
    from noughts.players.levels import LevelPlayer

    return LevelPlayer(argument, chance)


def _mcts(argument: str, chance: Random) -> Player:
    """Return the tree search by random games, with a late import."""
    from noughts.players.mcts import MctsPlayer

    return MctsPlayer(argument, chance)


def _learned(argument: str, chance: Random) -> Player:
    """Return the learned player, with a late import."""
    from noughts.players.learned import player_from

    return player_from(argument, chance)


register("random", lambda argument, chance: RandomPlayer(chance))
register("rule", lambda argument, chance: RulePlayer())
register("perfect", lambda argument, chance: _perfect(chance))
register("level", _level, arguments=tuple(map(str, range(1, 11))))
register("mcts", _mcts, arguments=("1000",), is_open=True)
register("learned", _learned, is_open=True)
