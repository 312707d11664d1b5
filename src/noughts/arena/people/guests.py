"""Names of guests: no reader is to take a guest for a player with a key, or for staff."""

from collections.abc import Iterable

from noughts.arena.look_alikes import shapes
from noughts.arena.people.names import ANONYMOUS, check_reserved
from noughts.arena.seat_names import seat_number
from noughts.arena.store.connections import Connection
from noughts.errors import NameRefused

# Names that an operator has taken away have no number.
_NOT_FREE = (
    "SELECT shape, number FROM identities WHERE shape IN (:shapes)"
    " UNION ALL SELECT shape, NULL FROM taken_names WHERE shape IN (:shapes)"
)


def check_guest(connection: Connection, name: str, owner: int | None = None) -> None:
    """Raise :class:`~noughts.errors.NameRefused` if a guest must not have the *name*.

    The reasons are ``claimed`` if it looks like that of a player with a key, ``taken`` if an operator has
    taken it away, and ``reserved`` for staff. *owner* is the number of the guest's own key: at a second seat
    a player is a guest, and may keep the name. A text that stands for a player with a key is no guest's name.
    """
    if seat_number(name) is not None:
        return
    check_reserved(name, allowed=ANONYMOUS)
    numbers = {row["number"] for row in connection.rows(_NOT_FREE, shapes=tuple(shapes(name)))}
    if numbers - {owner, None}:
        raise NameRefused(name, "claimed")
    if None in numbers:
        raise NameRefused(name, "taken")


def lost_names(connection: Connection, names: Iterable[str]) -> set[str]:
    """Return those of the guests' *names* that a key has claimed since, or an operator has taken away."""
    seen = {name: shapes(name) for name in names}
    if not seen:
        return set()
    rows = connection.rows(_NOT_FREE, shapes=tuple(set().union(*seen.values())))
    gone = {row["shape"] for row in rows}
    return {name for name, own in seen.items() if own & gone}
