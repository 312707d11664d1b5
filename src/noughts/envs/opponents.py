"""The players of the other sides of an environment."""

from random import Random

from noughts.errors import BadInput, PlayerAtFault
from noughts.games.base import Game
from noughts.players.base import Player, check_player, offer_seat
from noughts.search.analysis import Limit
from noughts.workers.seating import new_player


def limit_or_default(limit: Limit | None) -> Limit:
    """Return *limit*, or no limit for None.

    Raises ``TypeError`` if it is not a :class:`~noughts.Limit`, for example a number.
    """
    if not isinstance(limit, Limit | None):
        raise TypeError(f"limit is a noughts.Limit, not {limit!r}")
    return limit or Limit()


class Opponent:
    """A player by name, including bots, or a player object. *limit* applies to each of its moves."""

    def __init__(self, player: str | Player, game: Game, limit: Limit | None = None) -> None:
        if not isinstance(player, str):
            check_player(player)
        self.name = player if isinstance(player, str) else type(player).__name__
        self._source, self._game, self._limit = player, game, limit_or_default(limit)
        self._player: Player | None = None
        self.begin(Random())

    def begin(self, chance: Random) -> None:
        """Start a new player with *chance*, so that its moves do not depend on earlier games."""
        self.close()
        self._player = self._source if isinstance(self._source, Player) else new_player(self._source, chance)
        offer_seat(self._player, self.name, self._game)

    def play(self, game: Game) -> None:
        """Make a move in *game*."""
        assert self._player is not None  # noqa: S101 - begin has seated it
        move = self._player.choose(game.copy(), self._limit)
        try:
            game.play(move)
        except BadInput as error:
            raise PlayerAtFault(self.name, "illegal-move", str(error)) from error

    def close(self) -> None:
        """Stop the processes of the player."""
        close = getattr(self._player, "close", None)
        if close is not None and self._player is not self._source:
            close()
