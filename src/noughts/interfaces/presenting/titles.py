"""Titles of games, and short descriptions of games and their ends."""

from noughts.arena.game_trials import ended
from noughts.core.geometry import TILINGS
from noughts.games.base import Game
from noughts.games.catalogue import find_entry, name_of
from noughts.games.entry import Entry
from noughts.games.rule_text import sizes
from noughts.interfaces.presenting.catalogues import own_catalogue, package_catalogue
from noughts.interfaces.presenting.i18n import LANGUAGES, Translator
from noughts.text import display_width

TAGGED_SWITCHES = {
    "gravity": "connect4",
    "wrap": "torus",
    **{tiling: tiling for tiling in TILINGS},
    "wild": "wild",
    "notakto": "notakto",
    "renju": "renju",
}
"""The switches of rules that have a tag, and the games of the catalogue with that tag."""

JOINED = ("x", "y")
"""The axes with a tag of their own if only their ends are joined."""

DESCRIBED_FACTS = frozenset((*TAGGED_SWITCHES, "misere", "exact", "vanish", "players"))
"""The facts of rules that a tag describes, or that the board and the seats show."""


def title_of(say: Translator, name: str) -> str:
    """Return the title of the game *name*, or its spec or name if it has no title."""
    return say(f"title-{name}") if find_entry(name) and say.has(f"title-{name}") else name


def tag_of_entry(say: Translator, name: str) -> str:
    """Return the tag of the game *name*, or an empty text if there is none."""
    return say(f"tag-{name}") if find_entry(name) and say.has(f"tag-{name}") else ""


def how_it_ended(say: Translator, name: str, termination: str | None) -> str:
    """Return the end of a match of the game *name* in a few words. None stands for an unfinished one."""
    find_entry(name)  # The lookup loads the sentences of the game.
    id_ = f"ended-{termination or 'not'}"
    return say(id_) if say.has(id_) else str(termination)


def title_and_tag(say: Translator, name: str) -> str:
    """Return the title of a game of the catalogue with its tag."""
    title, tag = title_of(say, name), tag_of_entry(say, name)
    return say("title-and-tag", title=title, tag=tag) if tag else title


def tag_of(say: Translator, game: Game, *, shows_edges: bool = False) -> str:
    """Return a description of *game* in a few words, or an empty text if words do not suffice.

    The joined sides of a board in space take more words, unless the board *shows_edges*.

    >>> from noughts import new_game
    >>> tag_of(Translator("en"), new_game("4x4x4:4,wrap"))
    '4 in a row, joined sides'
    >>> tag_of(Translator("en"), new_game("6x6:4,wrap=x"))
    '4 in a row, left and right joined'
    >>> tag_of(Translator("en"), new_game("3x3x3:3,wrap=xz"), shows_edges=True)
    '3 in a row, some sides joined'
    """
    return tag_of_entry(say, name_of(game)) or _tag_of_rules(say, game, shows_edges=shows_edges)


def _tag_of_rules(say: Translator, game: Game, *, shows_edges: bool = False) -> str:
    """Return the row length and the other rules in a few words, or an empty text if words do not suffice."""
    rules = game.rules
    if rules is None or not game.facts <= DESCRIBED_FACTS:
        return ""  # Only the full rules describe such a game.
    joined = rules.wrap if isinstance(rules.wrap, str) else ""
    if joined not in ("", *JOINED) and not shows_edges:
        return ""
    goal = "tag-row-loses" if rules.line_loses else "tag-row-exactly" if rules.exact else "tag-row"
    tags = [say(goal, k=rules.k)]
    tags += [
        say(f"tag-{known}") for switch, known in TAGGED_SWITCHES.items() if getattr(rules, switch) is True
    ]
    if joined:
        tags.append(say(f"tag-joined-{joined}" if joined in JOINED else "tag-some-joined"))
    if rules.vanish:
        tags.append(say.plural("tag-marks-stay", rules.vanish))
    return say.listed(tags)


def rule_in_short(
    say: Translator, game: Game, sentence: str = "rule-in-short", *, shows_edges: bool = False
) -> str:
    """Return the title and the tag of *game*, or an empty text if it has no tag.

    *sentence* is the id of the sentence that joins them. *shows_edges* is as in :func:`tag_of`.
    """
    tag = tag_of(say, game, shows_edges=shows_edges)
    return say(sentence, title=_title_in_short(say, game), tag=tag) if tag else ""


def rules_in_short(say: Translator, game: Game) -> list[str]:
    """Return :func:`rule_in_short`, after a longer form with the length of a row if there is one.

    >>> from noughts import new_game
    >>> rules_in_short(Translator("en"), new_game("connect4"))
    ['Connect Four: 4 in a row, marks fall.', 'Connect Four: marks fall.']
    """
    texts = [rule_in_short(say, game)]
    if (tag := _tag_of_rules(say, game)) and display_width(tag) > display_width(tag_of(say, game)):
        texts.insert(0, say("rule-in-short", title=_title_in_short(say, game), tag=tag))
    return list(filter(None, texts))


def _title_in_short(say: Translator, game: Game) -> str:
    name = name_of(game)
    return title_of(say, name) if find_entry(name) else "×".join(map(str, sizes(game.shape)))


END_TRIALS = 20
"""The number of random games that are played to find the ends of a game."""


def missing_sentences(entry: Entry, game: Game) -> dict[str, list[str]]:
    """Return the ids of the sentences that *game* needs and lacks, by language.

    Random play finds the ends of the game, which need sentences too.
    """
    played = [ended(game.copy(), seed) for seed in range(END_TRIALS)]
    outcomes = [(one, one.outcome) for one in played if one is not None and one.outcome is not None]
    ends = {one.end_text(outcome).id for one, outcome in outcomes if not outcome.is_by_lines}
    missing_by_language = dict[str, list[str]]()
    for language in LANGUAGES:
        say, own = Translator(language), package_catalogue(entry, language)
        ids = [id_ for id_ in sorted(ends) if not (own.has(id_) or own_catalogue(language).has(id_))]
        if missing := [*say.missing(entry, game), *ids]:
            missing_by_language[language] = missing
    return missing_by_language
