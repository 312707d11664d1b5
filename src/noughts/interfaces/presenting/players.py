"""Names and short descriptions of people and computers."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from itertools import takewhile

from noughts.arena.people.names import check_claim
from noughts.arena.seat_names import FORMER_PLAYER, SEAT
from noughts.arena.table import HUMAN
from noughts.errors import NameRefused, PlayerFailed, UnsupportedRules
from noughts.games.base import Game
from noughts.games.catalogue import name_of_spec
from noughts.games.rules import MARKS
from noughts.install import install_commands
from noughts.interfaces.presenting.i18n import LANGUAGES, Translator
from noughts.interfaces.presenting.titles import title_of
from noughts.players.base import player_names
from noughts.text import MAX_NAME, check_name, display_width, fit, fold_name, likeness
from noughts.workers.seating import BOT

NUMBERED = re.compile(r" \([0-9]+\)$")
"""The visible number behind a name that equals an earlier one."""

COMPUTERS = range(1, len(MARKS) + 1)
"""The numbers that distinguish computers of one kind in one game."""


def shorten_names(names: Mapping[str, str], most: int) -> dict[str, str]:
    """Shorten the names of players, by mark, to *most* columns each.

    Equal beginnings stay distinct.

    >>> shorten_names({"X": "Player 1", "O": "Player 2"}, 5), shorten_names({"X": "Konstantin"}, 5)
    ({'X': 'Pla…1', 'O': 'Pla…2'}, {'X': 'Kons…'})
    """
    cut = {side: fit(name, most).rstrip() for side, name in names.items()}
    for short in {short for short in cut.values() if list(cut.values()).count(short) > 1}:
        alike = [side for side in cut if cut[side] == short]
        letters = zip(*(names[side] for side in alike), strict=False)
        begin = sum(1 for _ in takewhile(lambda letter: len(set(letter)) == 1, letters))
        for side in alike:
            end = names[side][begin:]
            end = fit(end, min(display_width(end), max(1, most // 2)))
            cut[side] = fit(names[side], most - display_width(end)).rstrip() + end
    return cut


def strength(say: Translator, player: str) -> str:
    """Return the strength of the computer *player* in a few words, or the name of an external one.

    >>> strength(Translator("en"), "level:3")
    'level 3'
    """
    own, _, argument = player.partition(":")
    return say(f"strength-{own}", level=argument) if say.has(f"strength-{own}") else player


def player_offered(say: Translator, player: str) -> str:
    """Return the label of the computer *player* in a list: a level has its number and name.

    >>> player_offered(Translator("en"), "level:3"), player_offered(Translator("en"), "perfect")
    ('level 3, hobbyist', 'perfect')
    """
    own, _, argument = player.partition(":")
    known = strength(say, player)
    is_named = own == "level" and say.has(f"level-{argument}")
    return say("level-called", strength=known, name=say(f"level-{argument}")) if is_named else known


def about_player(say: Translator, player: str) -> str:
    """Return the style of the computer *player* and its weakness.

    >>> about_player(Translator("en"), "random")
    'plays a random legal move'
    >>> about_player(Translator("en"), "mcts:50").partition(";")[0]
    'searches the game tree using random games'
    """
    id_ = f"player-{player.replace(':', '-')}"
    if not say.has(id_):
        id_ = f"player-{player.partition(':')[0]}"
    return say(id_) if say.has(id_) else say("player-foreign")


def describe_computer(say: Translator, player: str) -> str:
    """Return the name and the style of the computer *player* as a sentence."""
    return say("computer-is", player=player_offered(say, player), about=about_player(say, player))


def strongest_level() -> str:
    """Return the number of the strongest level.

    The first level is 1.

    >>> strongest_level()
    '10'
    """
    return [name for name in player_names() if name.startswith("level:")][-1].partition(":")[2]


def levels_without_fast(say: Translator, game: Game | None = None) -> str | None:
    """Return a sentence about the level that is weaker without the extra ``fast``, and how to install it.

    Only this level uses all its time. The plain search reaches the budgets of the others too. Return None if
    the extra is installed, or if the level is no weaker in *game*.
    """
    if find_spec("numba"):
        return None
    from noughts.players.levels import needs_speed  # This import loads all searches.

    if game is not None and not needs_speed(game):
        return None
    return say("levels-without-fast", level=strongest_level(), **install_commands("fast"))


def refusal_in_words(say: Translator, error: Exception) -> str:
    """Return the sentence for *error* in an interface that shows players and games as words."""
    if isinstance(error, UnsupportedRules):
        game, instead = (
            title_of(say, name_of_spec(error.game)),
            [strength(say, name) for name in error.instead],
        )
        error = UnsupportedRules(strength(say, error.who), game, error.reason, instead, **error.data)
    elif isinstance(error, PlayerFailed):
        error = PlayerFailed(strength(say, error.name), error.reason)
    return say.error(error)


def player_called(say: Translator, name: str, player: str) -> str:
    """Return the label of a player: a person's *name*, or level and name of the computer *player*.

    Two computers of one kind keep the numbers that distinguish them.

    >>> [player_called(Translator("en"), name, "level:3") for name in ("level:3", "level:3 (2)")]
    ['Computer (level 3, hobbyist)', 'Computer 2 (level 3, hobbyist)']
    """
    known = names_of_computer(player)
    if player == HUMAN or name not in known:
        has_left = name.startswith(FORMER_PLAYER)
        return name.replace(FORMER_PLAYER, say("former-player"), 1) if has_left else name
    number = COMPUTERS[known.index(name)]
    id_ = "computer-named" if number == 1 else "computer-numbered"
    return say(id_, number=number, strength=player_offered(say, player))


def name_of_computer(player: str) -> str:
    """Return the name of the computer *player*.

    A long path is cut to its last part.

    >>> name_of_computer("learned:/home/ada/networks/of/november/my.weights")
    'learned:…orks/of/november/my.weights'
    """
    own, colon, argument = player.partition(":")
    if not argument or display_width(player) <= MAX_NAME:
        return player
    room = max(1, MAX_NAME - display_width(f"{own}:… (8)"))
    ending = argument[-room:]
    while display_width(ending) > room:
        ending = ending[1:]
    return f"{own}{colon}…{ending}"


def names_of_computer(player: str) -> list[str]:
    """Return the names of computers of the kind *player*.

    All but the first have a number.
    """
    name = name_of_computer(player)
    return [f"{name} ({number})" if number > 1 else name for number in COMPUTERS]


def person_name(text: str) -> str:
    """Return *text* as the name of a person, with single blanks between words.

    Raises :class:`~noughts.errors.NameRefused` if it looks like the name or the label of a computer.
    """
    name = " ".join(check_name(text).split())
    if SEAT.match(fold_name(name)):  # it would mean a person with a key, also in the scoreboard
        raise NameRefused(name, "reserved", like="key:")
    seen, unnumbered = likeness(name), likeness(NUMBERED.sub("", name))
    is_shown = any(seen == short or seen.startswith(long) for long, short in _shown_for_computers())
    if is_shown or unnumbered in map(likeness, player_names()) or seen.startswith(likeness(BOT)):
        raise NameRefused(name, "computer")
    return name


def claimable_name(text: str) -> str:
    """Return *text* as a name that a key may claim.

    Raises :class:`~noughts.errors.NameRefused` for the names of computers, words of the staff, the names of
    guests who have chosen none, and names that look like one of them.
    """
    return person_name(check_claim(text, _shared_names()))


@cache
def _shared_names() -> tuple[str, ...]:
    """Return the names of computers, their labels, and the default names of people in each language."""
    spoken = [Translator(code) for code in LANGUAGES]
    labels = [strength(say, who) for say in spoken for who in player_names()]
    usual = [say(name) for say in spoken for name in ("computer-short", "default-name")]
    usual += [say("default-name-of", number=number) for say in spoken for number in range(1, len(MARKS) + 1)]
    return tuple(dict.fromkeys([*usual, *labels, *player_names()]))


@cache
def _shown_for_computers() -> frozenset[tuple[str, str]]:
    """Return the beginnings of the labels of computers and the short label, for each language."""
    spoken = [Translator(code) for code in LANGUAGES]
    shown = [
        (player_called(say, name, "|").partition("|")[0], say("computer-short"))
        for say in spoken
        for name in names_of_computer("|")
    ]
    return frozenset((likeness(long), likeness(short)) for long, short in shown)


def player_in_short(say: Translator, name: str, player: str, *, is_only: bool) -> str:
    """Return a short label of a player.

    *is_only* is True if there is no other computer.

    >>> [player_in_short(Translator("en"), "random (2)", "random", is_only=only) for only in (True, False)]
    ['Computer', 'random (2)']
    """
    if player_called(say, name, player) == name:
        return name
    return say("computer-short") if is_only else strength(say, player) + name[len(player) :]
