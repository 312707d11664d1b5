"""Names of guests: no reader is to take a guest for a player with a key, or for staff."""

from collections.abc import Collection, Iterable

from noughts.arena.look_alikes import shapes
from noughts.arena.people.names import ANONYMOUS, check_reserved
from noughts.arena.seat_names import seat_number
from noughts.arena.store.connections import Connection
from noughts.errors import NameRefused
from noughts.text import fold_name

# Names that an operator has taken away have no number.
_NOT_FREE = (
    "SELECT shape, drawn, number, folded_name FROM identities"
    " WHERE shape IN (:shapes) OR drawn IN (:shapes)"
    " UNION ALL SELECT shape, NULL, NULL, NULL FROM taken_names WHERE shape IN (:shapes)"
)


class GuestNames:
    """The *names* that guests want to have, read from the database together."""

    def __init__(self, connection: Connection, names: Iterable[str]) -> None:
        self._holders: dict[str, dict[int | None, str | None]] = {
            one: {} for name in names if seat_number(name) is None for one in shapes(name)
        }
        """The folded names of the players with keys, by shape and number. None stands for an operator."""
        if self._holders:
            for row in connection.rows(_NOT_FREE, shapes=tuple(self._holders)):
                for seen in self._holders.keys() & {row["shape"], row["drawn"]}:
                    self._holders[seen][row["number"]] = row["folded_name"]

    def check(self, name: str, owner: int | None = None) -> None:
        """Raise :class:`~noughts.errors.NameRefused` if a guest must not have the *name*.

        The reasons are ``claimed`` if it looks like that of a player with a key, ``taken`` if an operator has
        taken it away, and ``reserved`` for staff. *owner* is the number of the guest's own key: at a second
        seat a player is a guest, and may keep the name, even if it looks like that of another player since a
        change of the shapes. A text that stands for a player with a key is no guest's name.
        """
        if seat_number(name) is not None:
            return
        holders = dict[int | None, str | None]()
        for one in shapes(name):
            holders |= self._holders[one]
        if owner is not None and holders.get(owner) == fold_name(name):
            return
        check_reserved(name, allowed=ANONYMOUS)
        if holders.keys() - {owner, None}:
            raise NameRefused(name, "claimed")
        if None in holders:
            raise NameRefused(name, "taken")

    def is_lost(self, name: str) -> bool:
        """Return True if a key has claimed the *name* since, or an operator has taken it away."""
        return seat_number(name) is None and any(self._holders[one] for one in shapes(name))


def check_guest(connection: Connection, name: str, owner: int | None = None) -> None:
    """Raise :class:`~noughts.errors.NameRefused` as :meth:`GuestNames.check` does."""
    GuestNames(connection, [name]).check(name, owner)


def lost_names(connection: Connection, names: Collection[str]) -> set[str]:
    """Return those of the guests' *names* that a key has claimed since, or an operator has taken away."""
    known = GuestNames(connection, names)
    return {name for name in names if known.is_lost(name)}
