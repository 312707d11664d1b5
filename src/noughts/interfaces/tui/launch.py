"""The starting points of a game: a plan, or an unfinished game in a store."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from noughts.arena.local_table import LocalTable, is_barely_started, unfinished_human_games
from noughts.arena.store.store import OnDamage, Store
from noughts.arena.stored_game import StoredGame
from noughts.drawing.svg import MAX_CELLS
from noughts.errors import DamagedStore, ShapeError
from noughts.games.catalogue import new_game
from noughts.interfaces.presenting.game_plan import HUMAN, GamePlan, localized_name, open_table
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.players import player_called
from noughts.interfaces.presenting.titles import title_of


def check_size(shape: Sequence[int]) -> None:
    """Raise :class:`~noughts.errors.ShapeError` if a board of *shape* has too many cells."""
    if prod(shape) > MAX_CELLS:
        raise ShapeError(tuple(shape), "too-large-to-draw", MAX_CELLS)


def table_for(plan: GamePlan, store: Store, *, keeps_all: bool) -> LocalTable:
    """Return the table for *plan*; *keeps_all* saves games between computers too.

    Raises :class:`~noughts.errors.ShapeError` if the board is too large for the full screen.
    """
    check_size(new_game(plan.game).shape)
    return open_table(plan, store if plan.has_people or keeps_all else None)


def seat_names(say: Translator, names: Mapping[str, str], players: Mapping[str, str]) -> dict[str, str]:
    """Return the players' names on the screen, by mark; *players* are their kinds by mark."""
    return {
        side: player_called(say, localized_name(say, name), players.get(side, HUMAN))
        for side, name in names.items()
    }


@dataclass(frozen=True, slots=True)
class Unfinished:
    """An unfinished game in *store* after *ply* moves, or the last game of an open series."""

    store: Store
    game: StoredGame
    ply: int

    def sentence(self, say: Translator) -> str:
        """Return a description of the game in one sentence."""
        setup = self.game.setup
        names = seat_names(say, setup.seats, setup.who)
        facts = {"game": title_of(say, setup.game), "names": list(names.values())}
        if self.game.result is None:
            return say("continue-game", ply=self.ply, **facts)
        return say("continue-series", **facts)

    def resume(self, now: Callable[[], int], seed: int) -> LocalTable:
        """Continue the game; raises the errors of :meth:`LocalTable.resume`."""
        check_size(self.game.setup.new_game().shape)
        return LocalTable.resume(self.store, self.game, now(), seed)


def find_unfinished(store: Store, on_damage: OnDamage) -> Iterator[Unfinished]:
    """Yield all games and series that can be continued, newest first.

    Games that have hardly begun are skipped. *on_damage* is called for each damaged game. A
    :class:`~noughts.errors.NoughtsError` is raised if the store cannot be read at all.
    """
    for game in unfinished_human_games(store, on_damage):
        try:
            if is_barely_started(store, game):
                continue  # It is not worth continuing.
            ply = game.replay().game.ply
        except DamagedStore as damage:
            on_damage(damage)
        else:
            yield Unfinished(store, game, ply)
