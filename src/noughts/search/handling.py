"""Who relies on rules says which facts it handles, and answers for no game that has others."""

from noughts.games.base import Game
from noughts.games.rules import Rules


def handled_rules(game: Game, handled: frozenset[str]) -> Rules | None:
    """The rules of *game* if it is one of k in a row whose facts are all *handled*; else None.

    >>> from noughts import new_game
    >>> handled_rules(new_game("misere"), frozenset(("misere",))) is None
    False
    >>> [handled_rules(new_game(name), frozenset(("misere",))) for name in ("wild", "reversi")]
    [None, None]
    """
    return game.rules if game.facts <= handled else None
