"""Known results of best play, in words and for scripts."""

from noughts.games.base import Game
from noughts.games.catalogue import CATALOGUE, find_entry, name_of
from noughts.games.known_results import known_result
from noughts.interfaces.presenting.i18n import Translator


def say_known(say: Translator, game: Game) -> str:
    """Return the known result of *game* from its start, and its source. See :func:`say_basis`."""
    return say.joined(filter(None, [say_best_play(say, game), say_basis(say, game)]))


def say_best_play(say: Translator, game: Game) -> str:
    """Return the winner of *game* with best play, or an empty text if it is not known."""
    value = known_result(game).value
    return "" if value is None else say(f"value-{value}")


def say_basis(say: Translator, game: Game) -> str:
    """Return the source of the known result, or a sentence that the result is open.

    The text is empty for a game with one side, and for a game that the catalogue does not list.
    """
    known = known_result(game)
    if known.basis == "argument":
        return say("known-argument", game=name_of(game))
    if known.value is None:
        is_open = len(game.sides) > 1 and find_entry(name_of(game)) in CATALOGUE
        return say("known-open") if is_open else ""
    proved = say(f"known-{known.proof}", game=name_of(game)) if known.proof else ""
    published = say("known-published", source=known.source) if known.source else ""
    return say.joined(filter(None, [proved, published]))


def known_as_json(game: Game) -> dict[str, str | None]:
    """Return the known result for scripts.

    ``source`` is the command that proves a result proved here. ``published`` is an external source.
    """
    known = known_result(game)
    source = known.source
    if known.proof:
        more = " --certificate FILE" if known.proof == "certificate" else ""
        source = f"noughts solve {name_of(game)}{more}"
    published = known.source if known.basis in ("proved", "published") else ""
    return {
        "value": known.value,
        "basis": known.basis,
        "source": source or None,
        "published": published or None,
    }
