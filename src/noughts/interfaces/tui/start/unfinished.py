"""What was interrupted and can be gone on with."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from noughts.arena.sitting import Sitting, unfinished_of_people
from noughts.arena.store.store import OnDamage, Store, StoredGame
from noughts.errors import DamagedStore
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.naming import title_of
from noughts.interfaces.tui.game.session import check_size
from noughts.interfaces.tui.game.sidebar import seat_names


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game in *store* that people left after *ply* moves, or the last one of a series that goes on."""

    store: Store
    game: StoredGame
    ply: int

    def sentence(self, say: Translator) -> str:
        """What it is, in one sentence."""
        setup = self.game.setup
        names = seat_names(say, setup.seats, setup.who)
        facts = {"game": title_of(say, setup.game), "names": list(names.values())}
        if self.game.result is None:
            return say("continue-game", ply=self.ply, **facts)
        return say("continue-series", **facts)

    def resume(self, now: Callable[[], int], seed: int) -> Sitting:
        """Go on with it; raises what :meth:`Sitting.resume` does."""
        check_size(self.game.setup.new_game().shape)
        return Sitting.resume(self.store, self.game, now(), seed)


def find_unfinished(store: Store, on_damage: OnDamage) -> Iterator[Unfinished]:
    """All that can be gone on with, newest first; of what is damaged *on_damage* is told.

    Raises a :class:`~noughts.errors.NoughtsError` where the store cannot be read at all.
    """
    for game in unfinished_of_people(store, on_damage):
        try:
            ply = game.replay().game.ply
        except DamagedStore as damage:
            on_damage(damage)
        else:
            yield Unfinished(store, game, ply)
