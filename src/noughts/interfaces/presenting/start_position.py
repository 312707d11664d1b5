"""What a game can be begun from besides its usual start: moves, or a position, as they are typed."""

from noughts.errors import BadInput, GameOver, NoughtsError
from noughts.games.base import Game
from noughts.games.catalogue import new_game
from noughts.games.notation import format_position, parse_position
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.match_texts import play_texts


def read_start(say: Translator, name: str, text: str, first: int = 1) -> str | None:
    """The position of a game that *text* tells, by moves or row by row; None for the usual start.

    Raises a :class:`~noughts.errors.NoughtsError` for what is neither, or where the game has ended.
    """
    usual = new_game(name)
    game = _position(say, usual.copy(), text.strip(), first)
    if game.is_over:
        raise GameOver
    position = format_position(game)
    return None if position == format_position(usual) else position


def refusal_of_start(say: Translator, name: str, text: str, first: int = 1) -> str:
    """The sentence with which :func:`read_start` refuses *text*; an empty one if it does not."""
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
            return parse_position(game, text)  # one of a single row has no slash
        except BadInput:
            pass
        raise
    return moved
