"""New shapes of the stored names, after a change of :mod:`noughts.arena.look_alikes`."""

from noughts.arena.look_alikes import drawn_shape, shape
from noughts.arena.store.connections import Connection
from noughts.arena.store.tables import identity_digest, is_intact

_PEOPLE = (
    "SELECT number, key, name, folded_name, shape, drawn, created, renamed, seen, words_checked, asked_by,"
    " is_bot, digest FROM identities WHERE name IS NOT NULL"
)
_RESHAPE = "UPDATE identities SET shape = :shape, drawn = :drawn, digest = :digest WHERE number = :number"


def reshape_names(connection: Connection) -> None:
    """Compute the shapes of all stored names again. Damaged rows stay, so that they are found.

    Of a name that an operator took away, only the old shape is stored. The new one is computed from it.
    """
    people = [{name: row[name] for name in row.keys()} for row in connection.rows(_PEOPLE)]  # noqa: SIM118 - not a dict
    reshaped = ({**row, "shape": shape(row["name"]), "drawn": drawn_shape(row["name"])} for row in people)
    changed = [
        after
        for before, after in zip(people, reshaped, strict=True)
        if before != after and is_intact(before, identity_digest)
    ]
    if changed:
        connection.change(_RESHAPE, *({**row, "digest": identity_digest(row)} for row in changed))
    for row in connection.rows("SELECT shape, at FROM taken_names"):
        old, seen = row["shape"], shape(row["shape"])
        if seen != old:
            connection.insert(
                "taken_names", {"shape": seen, "at": row["at"]}, unless="ON CONFLICT DO NOTHING"
            )
            connection.change("DELETE FROM taken_names WHERE shape = :shape", {"shape": old})
