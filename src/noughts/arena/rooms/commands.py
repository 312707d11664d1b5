"""What can be asked for from a seat of a room. The side is not part of it: it is that of the seat."""

from dataclasses import asdict, dataclass

from noughts.arena import match as matches
from noughts.arena.store import canonical_json
from noughts.games.base import Game
from noughts.games.notation import parse_move


@dataclass(frozen=True, slots=True)
class RoomCommand:
    """Something that is asked for from a seat."""


@dataclass(frozen=True, slots=True)
class Move(RoomCommand):
    """Play the move that ``text`` names."""

    text: str


@dataclass(frozen=True, slots=True)
class Resign(RoomCommand):
    """Give the game up."""


@dataclass(frozen=True, slots=True)
class OfferDraw(RoomCommand):
    """Offer a draw to everybody else."""


@dataclass(frozen=True, slots=True)
class TakeBack(RoomCommand):
    """Ask to take the last ``plies`` moves back; None: as many as it takes to have the last own one back."""

    plies: int | None = None


@dataclass(frozen=True, slots=True)
class Accept(RoomCommand):
    """Agree to what was offered or asked."""


@dataclass(frozen=True, slots=True)
class Decline(RoomCommand):
    """Refuse what was offered or asked."""


@dataclass(frozen=True, slots=True)
class Claim(RoomCommand):
    """Claim the win because the other side has been away too long."""


@dataclass(frozen=True, slots=True)
class Forfeit(RoomCommand):
    """Rule that this seat's computer loses; ``reason`` is a code."""

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Rematch(RoomCommand):
    """Wish for the next game of the series; it begins when everybody does."""


@dataclass(frozen=True, slots=True)
class Choose(RoomCommand):
    """Take ``mark`` in the next game and begin it."""

    mark: str


@dataclass(frozen=True, slots=True)
class LeaveSeat(RoomCommand):
    """Leave the room for good: nobody can play in it any more."""


def describe(asked: RoomCommand) -> str:
    """*asked* as text that is the same for the same command."""
    return canonical_json([type(asked).__name__, asdict(asked)])


def for_match(asked: RoomCommand, side: str, game: Game) -> matches.Command | None:
    """*asked* as a command of the match by *side*; None for what is about the room.

    Raises :class:`~noughts.errors.NotationError` for a move that cannot be read in *game*.
    """
    match asked:
        case Move(text):
            return matches.MakeMove(side, parse_move(game, text))
        case TakeBack(plies):
            return matches.TakeBack(side, matches.plies_since(game, (side,)) if plies is None else plies)
        case Forfeit(reason, detail):
            return matches.Forfeit(side, reason, detail)
    plain = _PLAIN.get(type(asked))
    return None if plain is None else plain(side)


_PLAIN: dict[type[RoomCommand], type[matches.Command]] = {
    Resign: matches.Resign,
    OfferDraw: matches.OfferDraw,
    Accept: matches.Accept,
    Decline: matches.Decline,
    Claim: matches.Claim,
}
