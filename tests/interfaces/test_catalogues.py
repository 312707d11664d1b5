"""Catalogues of external packages, and a translator with English as the fallback."""

import sys
from pathlib import Path

import pytest

from noughts.games.base import Message
from noughts.games.catalogue import new_game
from noughts.games.entry import Entry
from noughts.games.plugins import find_plugin
from noughts.interfaces.presenting.catalogues import package_catalogue, read_po
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.titles import title_and_tag, title_of
from tests.games.test_plugins import install
from tests.interfaces.harness import DONE, UNUSABLE, Program

RUSSIAN = r"""
# comment
msgid ""
msgstr ""
"Language: ru\n"
"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4"
" && (n%100<12 || n%100>14) ? 1 : 2);\n"

msgid "title-tiny"
msgstr "Крошка \"2×2\""

msgid "tiny-goes-on"
msgid_plural "tiny-goes-on"
msgstr[0] "{count} ход"
msgstr[1] "{count} хода"
msgstr[2] "{count} ходов"

msgid "not-done-yet"
msgstr ""
"""

ENGLISH = """msgid "title-tiny"
msgstr "Tiny"
msgid "tag-tiny"
msgstr "two "
"in a row"
msgid "tiny-goes-on"
msgid_plural "tiny-goes-on"
msgstr[0] "{count} move"
msgstr[1] "{count} moves"
"""

COUNTED = """msgid "a"
msgid_plural "a"
msgstr[0] "x"
msgstr[1] "y"
"""

MODULE = """
from importlib.resources import files
from noughts.games.base import Message
from noughts.games.entry import Entry
from noughts.games.kinarow import KInARow
from noughts.games.rules import Rules


class Tiny(KInARow):
    @property
    def name(self):
        return "tiny"

    @property
    def rule_text(self):
        return (Message("rules-tiny"),)


def make(chance, sides):
    return Tiny(Rules(shape=(2, 2), k=2))


tiny = Entry("tiny", make=make, locales=files(__name__) / "locales")
"""


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a package with one small game, and return the folder of its sentences."""
    folder = tmp_path / "installed"
    locales = folder / "tiny_game" / "locales"
    locales.mkdir(parents=True)
    (folder / "tiny_game" / "__init__.py").write_text(MODULE)
    (locales / "en.po").write_text(ENGLISH)
    (locales / "ru.po").write_text(RUSSIAN, encoding="utf-8")
    (locales / "zh_Hans.po").write_bytes(b"msgid \xff")
    (locales / "zh_Hant.po").write_text("nonsense")
    install(folder, "tiny-game", "[noughts.games]\ntiny = tiny_game:tiny\nbroken = tiny_game:nothing\n")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.delitem(sys.modules, "tiny_game", raising=False)
    return locales


def test_read_po_reads_sentences() -> None:
    russian = read_po(RUSSIAN)
    assert russian.gettext("title-tiny") == 'Крошка "2×2"'
    forms = [russian.ngettext("tiny-goes-on", "tiny-goes-on", count) for count in (1, 3, 5, 21)]
    assert forms == ["{count} ход", "{count} хода", "{count} ходов", "{count} ход"]
    assert (russian.has("tiny-goes-on"), russian.has("not-done-yet")) == (True, False)
    assert list(russian.listed()) == ["title-tiny", "tiny-goes-on"]
    assert read_po("").listed() == package_catalogue(Entry("without-sentences"), "en").listed() == {}


@pytest.mark.parametrize(
    "text",
    [
        *('"lost"', "msgid x", 'msgid "a" "b"', 'msgctxt "a"', 'msgid "a'),
        *(r'msgid "\xzz"', r'msgid "\N{foo}"', r'msgid "\0"', 'msgid "\0"', 'msgid "\x1b"', 'msgid "a\rb"'),
    ],
)
def test_read_po_refuses_unreadable_lines(text: str) -> None:
    with pytest.raises(ValueError, match="line 1"):
        read_po(f'{text}\nmsgstr "b"')


@pytest.mark.parametrize("form", ["{", "}", "{count", "{count!r"])
def test_read_po_refuses_bad_placeholders(form: str) -> None:
    with pytest.raises(ValueError, match=r"[{}]"):
        read_po(f'msgid "a"\nmsgstr "{form}"')


def test_read_po_handles_escapes() -> None:
    read = read_po('msgid "a"\r\nmsgstr "1\\t2\\r\\n"\n"\\"3\\"\\\\n \u2028"')
    assert read.gettext("a") == '1\t2\r\n"3"\\n \u2028'


@pytest.mark.parametrize(
    ("header", "forms"),
    [
        (r"Content-Type: text/plain\n", "xyy"),
        (r"Content-Type: text/plain; charset=utf-7\nLanguage: en", "xyy"),
        (r"X: y\nplural-forms: nplurals=1;plural = 0", "xxx"),
        (r"Plural-Forms: nplurals=2; plural=n%10 / 2;\nX: y\n", "xyy"),
    ],
)
def test_read_po_uses_plural_forms_of_header(header: str, forms: str) -> None:
    read = read_po(f'msgid ""\nmsgstr "{header}"\n{COUNTED}')
    assert [read.ngettext("a", "a", count) for count in (1, 2, 3)] == [*forms]


@pytest.mark.parametrize(
    "header",
    ["x", "nplurals=2;", "nplurals=2; plural=", "plural=n%0;", "plural=n/00", "plural=1%n", "plural=m"],
)
def test_read_po_refuses_bad_plural_forms(header: str) -> None:
    with pytest.raises(ValueError, match=r"Plural-Forms|plural form"):
        read_po(f'msgid ""\nmsgstr "Plural-Forms: {header}\\n"\n{COUNTED}')


def test_package_sentences_are_translated(tiny: Path) -> None:
    new_game("tiny")
    russian, english, chinese = (Translator(language) for language in ("ru", "en", "zh-Hant"))
    assert title_of(russian, "tiny") == 'Крошка "2×2"'
    assert russian("tag-tiny") == "two in a row"  # English is the fallback.
    assert title_of(chinese, "tiny") == "Tiny"
    assert title_and_tag(english, "tiny") == "Tiny: two in a row"
    assert russian.plural("tiny-goes-on", 5) == "5 ходов"
    assert english.plural("tiny-goes-on", 1) == "1 move"
    assert russian.sentences()["title-tiny"] == 'Крошка "2×2"'
    assert english("no-such-sentence") == "no-such-sentence"


def test_missing_data_leaves_placeholders(tiny: Path) -> None:
    text = 'msgid "tag-tiny"\nmsgstr "{} {0} {nothere!r:5} {a.b} {told}"\n'
    (tiny / "en.po").write_text(text + ENGLISH.replace("tag-tiny", "rules-tiny"))
    new_game("tiny")
    say = Translator("en")
    assert say("tag-tiny", told=1) == "{} {0} {nothere} {a.b} 1"
    assert say.message(Message("tiny-goes-on", {"count": 2})) == "2 moves"
    assert say.message(Message("hint")) == "Hint: {move}."  # This message of noughts lacks its data.
    assert say.message(Message("no {such\x1b")) == r"no {such\x1b"
    with pytest.raises(KeyError):
        say("hint")


def test_games_command_reports_missing_sentences(program: Program, tiny: Path) -> None:
    ran = program.run("games")
    assert ran.status == DONE
    assert "tiny" in ran.output
    assert ran.errors.splitlines() == [
        "The game “broken” of the package tiny-game was skipped: it failed to load"
        " (AttributeError: module 'tiny_game' has no attribute 'nothing').",
        "Sentences of the game “tiny” are missing in this language: rules-tiny.",
    ]
    ran = program.run("perft", "2", "tiny")
    assert ran.status == DONE
    ran = program.run("perft", "2", "broken", "--lang", "ru")
    assert (ran.status, ran.output) == (UNUSABLE, "")
    assert ran.errors.startswith("Игра «broken» из пакета tiny-game не включена")


def test_game_without_sentences_shows_its_name(tiny: Path) -> None:
    (tiny / "en.po").unlink()
    entry = find_plugin("tiny")
    assert entry is not None
    say = Translator("en")
    assert (title_of(say, "tiny"), title_and_tag(say, "tiny")) == ("tiny", "tiny")
    assert say.missing(entry, new_game("tiny")) == ["title-tiny", "tag-tiny", "rules-tiny"]
