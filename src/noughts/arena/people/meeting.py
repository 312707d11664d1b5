"""People to be kept apart: one has blocked the other, one is banned, or one is a bot that nobody asked."""

from collections.abc import Collection, Iterable, Sequence

from noughts.arena.people.moderation import banned_now
from noughts.arena.seat_names import seat_number
from noughts.arena.store.connections import Connection
from noughts.errors import OfferRefused

Apart = frozenset[frozenset[int]]
"""Pairs of people of whom one has blocked the other."""

_IS_BOT = "SELECT is_bot FROM identities WHERE number = :number FOR SHARE"
_BLOCKS = "SELECT identity, blocked FROM blocks WHERE identity IN (:numbers)"


def blocks_among(connection: Connection, identities: Iterable[int | None]) -> frozenset[tuple[int, int]]:
    """Return each pair of *identities* of whom the first has blocked the second. A guest is None."""
    numbers = {number for number in identities if number is not None}
    if len(numbers) < 2:
        return frozenset()
    rows = connection.rows(_BLOCKS, numbers=tuple(numbers))
    return frozenset((row["identity"], row["blocked"]) for row in rows if row["blocked"] in numbers)


def apart_pairs(connection: Connection, identities: Iterable[int | None]) -> Apart:
    """Return the pairs of *identities* of whom one has blocked the other. A guest is None."""
    return frozenset(map(frozenset, blocks_among(connection, identities)))


def banned_people(
    connection: Connection, identities: Collection[int | None], at: int, *, rated: bool
) -> set[int]:
    """Return the *identities* that are banned at the instant *at* from new games, *rated* or not."""
    numbers = {number for number in identities if number is not None}
    found = banned_now(connection, numbers, at)
    return {number for number, bans in found.items() if any(ban.stops(rated=rated) for ban in bans)}


def check_no_bot(connection: Connection, identity: int | None) -> None:
    """Raise :class:`~noughts.errors.OfferRefused` if *identity* is a bot: people ask bots to play.

    Until the end of the transaction, the identity cannot become one. A guest is None.
    """
    if identity is not None and any(connection.column(_IS_BOT, number=identity)):
        raise OfferRefused("bot-asks")


def may_meet(connection: Connection, names: Sequence[str | None]) -> bool:
    """Return True if none of the players with *names* in their seats has blocked another one."""
    return not apart_pairs(connection, [seat_number(name) for name in names if name is not None])
