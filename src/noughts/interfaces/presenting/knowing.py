"""What is known of best play in a game, in words and for scripts."""

from noughts.games.base import Game
from noughts.games.catalogue import CATALOGUE, find_entry, name_of
from noughts.games.known import known_of
from noughts.interfaces.presenting.i18n import Translator


def say_known(say: Translator, game: Game) -> str:
    """What is known of best play in *game* from its start, and from where; see :func:`say_basis`."""
    return say.joined(filter(None, [say_best_play(say, game), say_basis(say, game)]))


def say_best_play(say: Translator, game: Game) -> str:
    """Who wins *game* with best play, where that is known."""
    value = known_of(game).value
    return "" if value is None else say(f"value-{value}")


def say_basis(say: Translator, game: Game) -> str:
    """From where that is known, or that it is not.

    Nothing of a game for one, and of boards and games that nobody has looked at for this catalogue.
    """
    known = known_of(game)
    if known.value is None:
        is_open = len(game.sides) > 1 and find_entry(name_of(game)) in CATALOGUE
        return say("known-open") if is_open else ""
    facts = {"source": known.source} if known.basis == "published" else {"game": name_of(game)}
    return say(f"known-{known.basis}", **facts)


def known_as_json(game: Game) -> dict[str, str | None]:
    """The same for scripts; ``source`` tells the command that proves what is proved here."""
    known = known_of(game)
    source = f"noughts solve {name_of(game)}" if known.basis == "proved" else known.source
    return {"value": known.value, "basis": known.basis, "source": source or None}
