"""Starting positions that a person types: moves, or a position."""

from noughts.errors import BadInput, GameOver, NoughtsError
from noughts.games.base import Game
from noughts.games.catalogue import new_game
from noughts.games.notation import format_position, parse_position
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.match_texts import play_texts


def read_start(say: Translator, name: str, text: str, first: int = 1) -> str | None:
    """Return the position that *text* describes by moves or row by row, or None for the usual start.

    Raises a :class:`~noughts.errors.NoughtsError` for any other text, or if the game is over.
    """
    usual = new_game(name)
    game = _position(say, usual.copy(), text.strip(), first)
    if game.is_over:
        raise GameOver
    position = format_position(game)
    return None if position == format_position(usual) else position


def refusal_of_start(say: Translator, name: str, text: str, first: int = 1) -> str:
    """Return the error of :func:`read_start` for *text* as a sentence, or an empty text if there is none."""
    try:
        read_start(say, name, text, first)
    except NoughtsError as error:
        return say.error(error)
    return ""


def _position(say: Translator, game: Game, text: str, first: int) -> Game:
    if "/" in text:
        return parse_position(game, text)
    moved = game.copy()
    try:
        play_texts(say, moved, text, first)
    except BadInput:
        try:
            return parse_position(game, text)  # A position of a single row has no slash.
        except BadInput:
            pass
        raise
    return moved
