"""What was interrupted and can be gone on with."""

from collections.abc import Callable
from dataclasses import dataclass

from noughts.arena.sitting import Sitting, can_go_on, newest_of_people
from noughts.arena.store import Store, StoredGame
from noughts.interfaces.i18n import Translator
from noughts.interfaces.naming import title_of
from noughts.interfaces.tui.margin import seat_names


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The newest game in *store* that people left, after *ply* moves."""

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
        return Sitting.resume(self.store, self.game, now(), seed)


def find_unfinished(store: Store) -> Unfinished | None:
    """What can be gone on with; raises a :class:`~noughts.errors.NoughtsError` for damage."""
    game = newest_of_people(store)
    if game is None or not can_go_on(store, game):
        return None
    return Unfinished(store, game, game.replay().game.ply)
