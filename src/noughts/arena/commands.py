"""Commands: the requests of the seats of a match, and of the table at which it is played.

A command does not name its sender. The caller passes it with a side of the match or a seat of the table.
"""

from dataclasses import dataclass

from noughts.games.moves import Move


@dataclass(frozen=True, slots=True)
class Command:
    """A request of a player or of the server."""


# Commands of a match


@dataclass(frozen=True, slots=True)
class MakeMove(Command):
    """Play ``move``.

    ``is_unproved`` marks a move without the proof that its player wanted.
    """

    move: Move
    is_unproved: bool = False


class Swap(Command):
    """Take the other side, if the opening allows it."""


@dataclass(frozen=True, slots=True)
class Put(Command):
    """Place the marks of the next step of the opening, and let the opponent choose then.

    ``moves`` are those of the marks that are known already. The others follow as moves.
    """

    moves: tuple[Move, ...] = ()


class Resign(Command):
    """Give up: a loss."""


class Abort(Command):
    """Call the game off before the own first move: it does not count."""


class OfferDraw(Command):
    """Offer a draw to all other sides."""


@dataclass(frozen=True, slots=True)
class TakeBack(Command):
    """Ask to take back the last ``plies`` moves, or with None all since the sender's last decision."""

    plies: int | None = 1


class Accept(Command):
    """Agree to an offer."""


class Decline(Command):
    """Refuse an offer, or withdraw an own offer."""


class Claim(Command):
    """Claim the win because the opponent has been away too long."""


@dataclass(frozen=True, slots=True)
class Forfeit(Command):
    """Rule that the side loses because its player broke the contract.

    ``reason`` is a code. ``detail`` is for the author of the player.
    """

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Adjudicate(Command):
    """End the match with a proved result. The ``winner`` is a side, or None for a draw."""

    winner: str | None


@dataclass(frozen=True, slots=True)
class Break(Command):
    """End the match without a result, because the ``package`` of its game breaks the contract.

    ``detail`` is for the author of the package.
    """

    package: str
    detail: str = ""


# Commands of a match that the server sends for people


class Leave(Command):
    """Note that the player is away from now on."""


class Return(Command):
    """Note that the player is back."""


@dataclass(frozen=True, slots=True)
class Pause(Command):
    """Stop the clocks of a game by days for ``length`` milliseconds."""

    length: int


class Resume(Command):
    """End the own pause now."""


class Flag(Command):
    """Report that the time of the side to move has run out."""


# Commands of a table


@dataclass(frozen=True, slots=True)
class WrittenMove(Command):
    """Play the move that is written as ``move``, with cells numbered from 1."""

    move: str


@dataclass(frozen=True, slots=True)
class WrittenPut(Command):
    """The command :class:`Put` with written ``moves``."""

    moves: tuple[str, ...] = ()


class Rematch(Command):
    """Request the next game of the series, which begins when all seats have requested it."""


@dataclass(frozen=True, slots=True)
class Choose(Command):
    """Take ``mark`` in the next game and begin it."""

    mark: str


class LeaveSeat(Command):
    """Leave the table for good, which ends play at it."""


@dataclass(frozen=True, slots=True)
class SayPhrase(Command):
    """Say the preset ``phrase`` to the other players of a room."""

    phrase: str


@dataclass(frozen=True, slots=True)
class Prepare(Command):
    """Replace the conditional moves of the seat by ``lines``, as written moves of both players."""

    lines: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Share(Command):
    """Make the finished *game* of the room public, by default the present one. It cannot be taken back."""

    game: int | None = None
