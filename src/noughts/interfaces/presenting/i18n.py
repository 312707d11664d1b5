"""Translation of messages and errors.

Every sentence is stored in the message catalogues (``locales/``) under an id and has named placeholders.
Errors become sentences here too: the type of an error and its data choose the id and fill the placeholders.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from string import Formatter
from typing import TYPE_CHECKING, Any
from unicodedata import bidirectional

from noughts import errors
from noughts.install import install_commands
from noughts.interfaces.presenting.catalogues import MessageCatalogue, own_catalogue, package_catalogue
from noughts.interfaces.presenting.settings import choose_setting
from noughts.text import narrow, safe_text

if TYPE_CHECKING:  # The help of commands needs sentences, but no games.
    from noughts.games.base import Game, Message
    from noughts.games.entry import Entry

LANGUAGES = {"en": "English", "ru": "Русский", "zh-Hans": "简体中文", "zh-Hant": "繁體中文"}
"""The languages of noughts, each by its own name."""

MAX_LISTED = 12
"""The maximum number of cells or moves that a sentence lists."""

_CHINESE = {"cn": "zh-Hans", "sg": "zh-Hans", "hans": "zh-Hans", "tw": "zh-Hant", "hk": "zh-Hant"}
_CHINESE |= {"mo": "zh-Hant", "hant": "zh-Hant"}


_ISOLATED = re.compile("\u2068([^\u2066-\u2069]*)\u2069")
"""A part of a sentence that is isolated, so that it has its own text direction."""


def choose_language(option: str | None, environ: Mapping[str, str]) -> str:
    """Return the language: *option*, else ``NOUGHTS_LANG``, the settings file, the locale, ``en``.

    Raises :class:`~noughts.errors.NotFound` if the option or the variable names a language that noughts does
    not have.

    >>> choose_language(None, {"LANG": "zh_TW.UTF-8"})
    'zh-Hant'
    """
    chosen = choose_setting("language", option or None, environ)
    if chosen.value is not None:
        language = match_language(chosen.value)
        if language is not None:
            return language
        if chosen.source != "file":
            raise errors.NotFound("language", chosen.value, list(LANGUAGES))
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(name):
            return match_language(environ[name]) or "en"
    import locale  # On some systems the locale knows more than the environment.

    return match_language(locale.getlocale()[0] or "") or "en"


def match_language(tag: str) -> str | None:
    """Return the language for a tag such as ``ru_RU.UTF-8`` or ``zh-CN``, or None if none matches."""
    parts = narrow(tag).split(".")[0].split("@")[0].replace("_", "-").lower().split("-")
    if parts[0] == "zh":
        return next((_CHINESE[part] for part in parts[1:] if part in _CHINESE), "zh-Hans")
    return parts[0] if parts[0] in LANGUAGES else None


CASES = ("", "into", "from")
"""The grammatical forms of a phrase, which a sentence requests as in ``{move:into}``.

They are the plain form, the form for playing into a place, and the form for starting from it.
"""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A move, a cell or several of them, with the noun that names their kind: *column 5*, *cells 1, 9*.

    The nouns are stored under ``told-`` and *kind*, in one form for each of :data:`CASES` or one for all.
    *beside* adds the place in brackets. A *name* may be several texts, or phrases with nouns of their own. If
    they are *in order*, as the cells of a row and the moves of a line are, a shorter separator is used.
    """

    kind: str
    name: "str | tuple[str | Phrase, ...]"
    beside: str = ""
    in_order: bool = False

    @property
    def is_noun(self) -> bool:
        """True if the phrase starts with a noun, which gets a capital at the start of a sentence."""
        return self.kind not in ("place", "text")


class ReadableError(errors.BadInput):
    """An error whose text is already the sentence to show."""


def _isolate(text: str) -> str:
    """Return *text* for a browser: text that runs from right to left is isolated.

    Otherwise the text after it would appear on its other side. Isolated parts stay isolated.
    """
    if _ISOLATED.search(text):
        parts = (safe_text(part) for part in _ISOLATED.split(text))
        return "".join(f"\u2068{part}\u2069" if place % 2 else part for place, part in enumerate(parts))
    is_from_right = any(bidirectional(letter) in ("R", "AL") for letter in text)
    return f"\u2068{safe_text(text)}\u2069" if is_from_right else safe_text(text)


class Translator:
    """A translator into one language.

    >>> Translator("en")("hint", move="5")
    'Hint: 5.'
    """

    def __init__(self, language: str = "en", *, isolates: bool = False) -> None:
        self.language = language
        self._safe = _isolate if isolates else safe_text  # A terminal would show the isolates.
        self._catalogue = own_catalogue(language)

    def __call__(self, id: str, /, **data: Any) -> str:  # noqa: A002
        """Return the sentence *id* with its placeholders filled, or *id* itself if no catalogue has it."""
        return self._sentence(id, data)

    def plural(self, id: str, count: int, /, **data: Any) -> str:  # noqa: A002
        """Return the sentence *id* in the form that *count* needs."""
        return self._sentence(id, {**data, "count": count}, count)

    def has(self, id: str, /) -> bool:  # noqa: A002
        """Return True if a catalogue has the sentence *id*."""
        return self._catalogue_with(id).has(id)

    def missing(self, entry: "Entry", game: "Game") -> list[str]:
        """Return the ids of the sentences that *game* needs and *entry* lacks in this language."""
        needed = [f"title-{entry.name}", f"tag-{entry.name}", *(rule.id for rule in game.rule_text)]
        needed += [f"ended-{termination}" for termination in game.terminations]
        own = package_catalogue(entry, self.language)
        return [id_ for id_ in needed if not (own.has(id_) or self._catalogue.has(id_))]

    def sentences(self) -> dict[str, str | list[str]]:
        """Return all sentences by id. A sentence with a number is a list of its forms."""
        sentences: dict[str, str | list[str]] = {}
        for catalogue in [*self._of_packages(), self._catalogue]:
            sentences |= catalogue.listed()
        return sentences

    def _catalogue_with(self, id_: str) -> MessageCatalogue:
        """Return the catalogue that has the sentence *id_*, or our own catalogue if none has it."""
        if self._catalogue.has(id_):
            return self._catalogue
        return next((one for one in [*self._of_packages()][::-1] if one.has(id_)), self._catalogue)

    def _of_packages(self) -> Iterator[MessageCatalogue]:
        """Yield the catalogues of the loaded external games, the English ones first."""
        from noughts.games.plugins import loaded_plugins

        for language in dict.fromkeys(("en", self.language)):
            yield from (package_catalogue(entry, language) for entry in loaded_plugins())

    def message(self, message: "Message") -> str:
        """Return the sentence of *message*, in the plural form of its ``count`` if it has one.

        The message may come from an external game: placeholders without data are left unchanged.
        """
        count = message.data.get("count")
        return self._sentence(
            message.id, _PartialData(message.data), count if isinstance(count, int) else None
        )

    def messages(self, messages: Iterable["Message"]) -> str:
        """Return several sentences as one paragraph."""
        return self.joined(map(self.message, messages))

    def joined(self, sentences: Iterable[str]) -> str:
        """Join finished sentences with the separator of the language."""
        return self("between-sentences").strip("|").join(sentences)

    def listed(self, items: Iterable[object]) -> str:
        """Join *items* with the list separator of the language."""
        shown = (self.phrase(item) if isinstance(item, Phrase) else self._safe(str(item)) for item in items)
        return self("between-items").strip("|").join(shown)

    def day(self, at: int) -> str:
        """Return the day of the instant *at* in UTC, in the format of browsers.

        >>> Translator("en").day(0), Translator("zh-Hans").day(0)
        ('Jan 1, 1970', '1970年1月1日')
        """
        day = datetime.fromtimestamp(at / 1000, UTC)
        month = self("months").split("|")[day.month - 1]
        # Browsers write no spaces in Chinese dates, so the parts are not joined as in sentences.
        return self._catalogue.gettext("date").format(day=day.day, month=month, year=day.year)

    def _sentence(self, id_: str, data: Mapping[str, Any], count: int | None = None) -> str:
        catalogue = self._catalogue_with(id_)
        sentence = catalogue.gettext(id_) if count is None else catalogue.ngettext(id_, id_, count)
        if sentence == id_:
            return safe_text(id_)
        return self._fill(sentence, data if catalogue is self._catalogue else _PartialData(data))

    def _fill(self, sentence: str, data: Mapping[str, Any]) -> str:
        parts: list[str] = []
        for literal, name, case, _ in Formatter().parse(sentence):
            parts.append(literal)
            if name is not None:
                value = data[name]
                begins = isinstance(value, Phrase) and value.is_noun and not any(parts)
                shown = self.phrase(value, case) if isinstance(value, Phrase) else self._shown(value, data)
                parts.append(shown[0].upper() + shown[1:] if begins else str(shown))
        return _join_scripts(parts) if self.language.startswith("zh") else "".join(parts)

    def phrase(self, phrase: Phrase, case: str | None = None) -> str:
        """Return *phrase* as text in the form *case*.

        >>> Translator("en").phrase(Phrase("columns", ("3", "5")))
        'columns 3, 5'
        """
        forms = self._catalogue.gettext(f"told-{phrase.kind}").split("|")
        form = forms[CASES.index(case or "")] if len(forms) > 1 else forms[0]
        name = phrase.name
        if phrase.in_order:
            name = (self("between-in-order").strip("|") if phrase.is_noun else " ").join(map(str, name))
        text = self._fill(form, {"name": name})
        return self("cell-with-detail", cell=text, detail=phrase.beside) if phrase.beside else text

    def _shown(self, value: Any, data: Mapping[str, Any]) -> Any:
        """Return the text of *value*.

        A reason that has its own sentence is filled with the same *data*.
        """
        if isinstance(value, tuple | list):
            return self.listed(value)
        if isinstance(value, SystemReason) and self.has(f"store-reason-{value}"):
            return self._sentence(f"store-reason-{value}", data)
        return self._safe(value) if isinstance(value, str) else value

    def error(self, error: Exception, **extra: Any) -> str:
        """Return the sentence for *error*: the fault and the accepted values. *extra* adds data."""
        if isinstance(error, ReadableError):
            return str(error)
        for kind in type(error).__mro__:
            if kind in _SENTENCES:
                facts = _facts(error) | extra
                if "cause" in facts:
                    facts["cause"] = self.error(facts["cause"], cell=facts["text"])
                id_ = _SENTENCES[kind].format_map(facts)
                if not self.has(id_) and isinstance(error, errors.NotationError):
                    id_ = f"{error.what}-refused"
                if id_ == "no-such-bot" and not facts["known"]:
                    id_ = "no-bots"
                if self.has(id_):
                    sentence = self.suggest(self._sentence(id_, facts), facts["nearest"])
                    return (
                        self("in-file", name=facts["file"], sentence=sentence)
                        if "file" in facts
                        else sentence
                    )
        return self("bad-input")

    def suggest(self, sentence: str, nearest: str | None) -> str:
        """Return *sentence*, and after it the suggestion *nearest* if there is one."""
        return sentence if nearest is None else self.joined([sentence, self("did-you-mean", nearest=nearest)])


def _facts(error: Any) -> dict[str, Any]:
    """Return the data and the attributes of *error*, for the placeholders of its sentence."""
    facts = {**getattr(error, "data", {}), **vars(error)}
    facts |= {name: _short(facts[name]) for name in _SHORTENED.intersection(facts)}
    facts |= {"cell": facts.get("move"), "nearest": getattr(error, "nearest", None)}
    if "reason" in facts:
        facts["reason"] = SystemReason(error.reason)
    match error:
        case errors.NotationError(reason="unknown-option"):
            options = [text.partition("=")[0] for text in error.data["allowed"]]
            facts["nearest"] = errors.nearest_name(error.data["option"], options)
        case errors.FileRefused() | errors.DamagedFile():
            facts["name"] = error.name
        case errors.StoreError(reason="no-driver"):
            facts |= install_commands("postgres")
        case errors.ExtraMissing():
            facts |= install_commands(error.extra)
        case errors.UnsupportedRules():
            from noughts.games.catalogue import name_of_spec

            facts["game"] = name_of_spec(error.game)
    return facts


class _PartialData(dict[str, Any]):
    """Data for a sentence of an external package.

    Placeholders without a value are left unchanged.
    """

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


class SystemReason(str):
    """A reason with a sentence of its own in the catalogues, or one that is shown unchanged."""

    __slots__ = ()


def _join_scripts(parts: list[str]) -> str:
    """Join the parts of a Chinese sentence, with a blank between a Han character and a word or number."""
    text = ""
    for part in filter(None, parts):
        ends = (text[-1:], part[0])
        mixed = any(map(_is_han, ends)) and any(map(_is_lettered, ends))
        text += f" {part}" if mixed else part
    return text


def _is_han(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff"


def _is_lettered(character: str) -> bool:
    """Return True for a digit or a Latin, Greek or Cyrillic letter: scripts that separate words."""
    return character < "\u0530" and character.isalnum()


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:39] + "…"


_SHORTENED = frozenset(("mark", "text", "name", "move", "game", "opening"))
"""Fields that may hold long input from a person."""

_SENTENCES: dict[type, str] = {
    errors.ShapeError: "shape-{reason}",
    errors.CoordinateError: "no-such-cell",
    errors.RulesError: "rules-{reason}",
    errors.UnknownMark: "unknown-mark",
    errors.NotationError: "{what}-{reason}",
    errors.NameRefused: "name-{reason}",
    errors.KeyRefused: "identity-{reason}",
    errors.NotRated: "unrated-{reason}",
    errors.WordsRefused: "words-{reason}",
    errors.NotFound: "no-such-{what}",
    errors.GameLeftOut: "game-left-out-{reason}",
    errors.SeatTaken: "seat-taken",
    errors.OfferRefused: "offer-{reason}",
    errors.PauseRefused: "refused-{reason}",
    errors.StaleRoom: "room-stale",
    errors.GameOver: "game-over",
    errors.NothingToUndo: "refused-nothing-to-take-back",
    errors.OutOfTurn: "out-of-turn",
    errors.IllegalMove: "move-illegal-many",
    errors.OccupiedCell: "{met}-many",
    errors.FloatingCell: "cell-floating",
    errors.ForbiddenMove: "cell-forbidden-{reason}",
    errors.CommandRefused: "refused-{reason}",
    errors.FileRefused: "file-unusable",
    errors.ExtraMissing: "extra-missing",
    errors.UnsupportedRules: "unsupported-{reason}",
    errors.PlayerFailed: "player-failed",
    errors.PlayerAtFault: "fault-{fault}",
    errors.SandboxMissing: "sandbox-missing",
    errors.SandboxRefused: "sandbox-refused-{reason}",
    errors.GameBroken: "game-broken",
    errors.WorkersFailed: "workers-failed",
    errors.ServerFailed: "server-{reason}",
    errors.DamagedFile: "file-damaged-{reason}",
    errors.DamagedStore: "store-damaged",
    errors.UnknownGame: "store-unknown-game",
    errors.UnusableGame: "store-unusable-game",
    errors.UnknownOpening: "store-unknown-opening",
    errors.NewerStore: "store-newer",
    errors.StaleVersion: "store-elsewhere",
    errors.StoreError: "store-unusable",
}
"""The ids of the sentences for errors. Placeholders stand for attributes of the error."""
