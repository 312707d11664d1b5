"""Commands: what the seats of a match, and of the table it is played at, can ask for.

A command does not say who asks: whoever hands it in says that, as a side of the match or a seat of the table.
"""

from dataclasses import dataclass

from noughts.games.moves import Move


@dataclass(frozen=True, slots=True)
class Command:
    """Something that is asked for."""


# Of a match


@dataclass(frozen=True, slots=True)
class MakeMove(Command):
    """Play ``move``.

    ``is_unproved`` says of one who proves their moves that this is a move that they could not prove.
    """

    move: Move
    is_unproved: bool = False


class Swap(Command):
    """Take the other side, where the opening lets one."""


@dataclass(frozen=True, slots=True)
class Put(Command):
    """Place the marks of the next step of the opening, and let the other choose then.

    ``moves`` are those of them that are known already; the others follow as moves.
    """

    moves: tuple[Move, ...] = ()


class Resign(Command):
    """Give up: a loss."""


class OfferDraw(Command):
    """Offer a draw to everybody else."""


@dataclass(frozen=True, slots=True)
class TakeBack(Command):
    """Ask to take the last ``plies`` moves back; None: as many as it takes to decide again oneself."""

    plies: int | None = 1


class Accept(Command):
    """Agree to what was offered or asked."""


class Decline(Command):
    """Refuse what was offered or asked; who offered may withdraw it so."""


class Claim(Command):
    """Claim the win because the other side has been away too long."""


@dataclass(frozen=True, slots=True)
class Forfeit(Command):
    """Rule that one loses because one did not play by the contract.

    ``reason`` is a code, ``detail`` is for whoever wrote the player.
    """

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Adjudicate(Command):
    """Rule that the match ends so, because that is proved; the ``winner`` is a side, or None for a draw."""

    winner: str | None


@dataclass(frozen=True, slots=True)
class Break(Command):
    """End the match without a result, because the ``package`` of its game does not keep the contract.

    ``detail`` is for the author of the package.
    """

    package: str
    detail: str = ""


# Of a match too, but said of people rather than by them


class Leave(Command):
    """Be away from now on."""


class Return(Command):
    """Be back."""


class Flag(Command):
    """Say that the time of the side to move has run out."""


# Of a table


@dataclass(frozen=True, slots=True)
class WrittenMove(Command):
    """Play the move that ``move`` means as text, where cells are numbered from 1."""

    move: str


@dataclass(frozen=True, slots=True)
class WrittenPut(Command):
    """:class:`Put` with the moves that ``moves`` mean as text."""

    moves: tuple[str, ...] = ()


class Rematch(Command):
    """Wish for the next game of the series; it begins when everybody does."""


@dataclass(frozen=True, slots=True)
class Choose(Command):
    """Take ``mark`` in the next game and begin it."""

    mark: str


class LeaveSeat(Command):
    """Leave the table for good: nobody can play at it any more."""


@dataclass(frozen=True, slots=True)
class Share(Command):
    """Make the finished *game* of the room public, by default the present one. It cannot be taken back."""

    game: int | None = None
