"""Every message exists in every language with the same data, and only in the catalogues."""

import ast
import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, get_args

import click
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from noughts import errors, text
from noughts.arena.events import MatchEnd
from noughts.arena.game_trials import TRIALS
from noughts.arena.people.conduct import Conduct
from noughts.arena.people.moderation import CASE_DECISIONS, TITLE_DECISIONS, CaseDecision, ReportReason
from noughts.arena.ratings.fairness import Unrated
from noughts.arena.ratings.models import Speed
from noughts.arena.rooms.phrases import PHRASES
from noughts.arena.series import Begins
from noughts.arena.store.sqlite_file import REASONS
from noughts.arena.tournament.people import PairingSystem
from noughts.core.geometry import TILINGS
from noughts.games.annotations import ANNOTATIONS
from noughts.games.base import Termination
from noughts.games.catalogue import CATALOGUE, new_game
from noughts.games.known_results import Value
from noughts.games.openings import NO_OPENING, OPENINGS, PUT, SWAP
from noughts.games.pentago import BOTH, TwistNotation
from noughts.games.renju import DOUBLE_FOUR, DOUBLE_THREE, OVERLINE
from noughts.games.rule_text import OPTION_MESSAGES
from noughts.games.rules import SWITCHES
from noughts.interfaces.cli.main import MODULES, noughts
from noughts.interfaces.cli.manual import EXIT_STATUSES
from noughts.interfaces.presenting.analysis_texts import WORDS
from noughts.interfaces.presenting.choices import CLOCKS, OPPONENTS
from noughts.interfaces.presenting.clock_texts import CLOCKS_BY_DAYS
from noughts.interfaces.presenting.custom_boards import SIDES
from noughts.interfaces.presenting.hints import PARTS
from noughts.interfaces.presenting.i18n import (
    CASES,
    LANGUAGES,
    Phrase,
    SystemReason,
    Translator,
    choose_language,
    match_language,
)
from noughts.interfaces.presenting.inbox_texts import RESULTS as INBOX_RESULTS
from noughts.interfaces.presenting.move_names import kind_of_moves
from noughts.interfaces.presenting.titles import JOINED, TAGGED_SWITCHES
from noughts.interfaces.tui.widgets.help import SIGNS
from noughts.interfaces.tui.widgets.keys import KEYS
from noughts.interfaces.tui.widgets.keys import WORDS as CAPS
from noughts.interfaces.web.api.requests import COMPUTERS, PEOPLE, RESULTS
from noughts.interfaces.web.pages.ratings import DAYS as DAYS_OF_RATINGS
from noughts.players.base import player_names
from noughts.players.levels import LEVELS
from noughts.puzzles.attempt import MoveVerdict
from noughts.puzzles.puzzle import GRADES
from noughts.workers.protocols import channel
from tests.interfaces import messages
from tests.interfaces.harness import SAY, Program
from tests.interfaces.messages import HOLE, SOURCE

ROOT = Path(__file__).parents[2]
CHINESE = ("zh-Hans", "zh-Hant")
HAN = "\u4e00-\u9fff"
NAMES = {"name", "names", "player", "winner", "loser"}
"""Placeholders for names."""

LOGGED_EVENTS = {
    *("started", "paused", "resumed", "ended", "paired", "withdrawn", "removed", "rested", "returned"),
    *("corrected", "retitled", "unlisted"),
}
"""The events of a tournament of people that its log shows."""

UNSPOKEN = {
    "help-command-piece",
    "between-items",
    "between-in-order",
    "between-sentences",
    "words-yes",
    "words-no",
}
"""Ids of texts that are not sentences."""

WORDLESS_COMMANDS = {
    "unknown-side",
    "unknown-command",
    "away-already",
    "time-left",
}
"""Reasons of a match for refusing commands that do not exist at a console."""

TOLD_POSITIONS = {
    *("row-count", "row-length", "unknown-mark", "unknown-side", "side-unclear", "counts"),
    "overline",
}
"""Reasons to refuse a position that have a sentence of their own."""

TOLD_RECORDS = {
    *("cannot-be-played", "cannot-begin", "newer", "result-wrong", "other-game", "other-rules", "pass"),
    "wrong-side",
    *("set-up-later", "set-up-twice", "charset-unclear", "no-games", "doctype", "too-long"),
    *("other-game-go", "other-game-othello", "other-game-chess", "othello-size", "psq-moves", "psq-names"),
    *("rif-move", "charset-unknown", "two-moves", "sgf-size", "size"),
}
"""Reasons to refuse a record that have a sentence of their own."""

WORDLESS_RULES = {"not-flat", "not-k-in-a-row", "not-one-side", "positions-repeat", "unknown-rules"}
"""Reasons to refuse rules that never reach an interface."""


def path_of(language: str) -> Path:
    """Return the path of the catalogue of *language*."""
    return SOURCE / "locales" / language.replace("-", "_") / "LC_MESSAGES" / "noughts.po"


@cache
def catalogue(language: str) -> Catalog:
    with path_of(language).open("rb") as file:
        return read_po(file, locale=language.replace("-", "_"), abort_invalid=True)


@cache
def entries(language: str) -> dict[str, Message]:
    return {id_of(message): message for message in catalogue(language) if message.id}


def id_of(message: Message) -> str:
    return message.id if isinstance(message.id, str) else str(message.id and message.id[0])


def forms(message: Message) -> list[str]:
    """Return all forms of the sentence."""
    return [message.string] if isinstance(message.string, str) else list(message.string or ())


def sentences(language: str) -> Iterator[tuple[str, str]]:
    for id_, message in entries(language).items():
        for form in forms(message):
            yield id_, form


# Messages in the source


def kinds_of_lines() -> set[str]:
    kinds = {"row", "column", "main-diagonal", "anti-diagonal", "diagonal", "space-line"}
    return kinds | {f"{kind}-in-layer" for kind in kinds - {"space-line"}} | {"over-edge", "pillar"}


def ends_of_games() -> set[str]:
    return {end for entry in CATALOGUE for end in new_game(entry.name).terminations}


def kinds_of_moves() -> set[str]:
    return {
        kind_of_moves(new_game(name)) for name in (*(entry.name for entry in CATALOGUE), "3x3:3,gravity,wild")
    }


def commands() -> Mapping[str, click.Command]:
    context = click.Context(noughts)
    return {name: command for name in MODULES if (command := noughts.get_command(context, name))}


def options() -> set[str]:
    context = click.Context(noughts)
    shown = [param for command in (noughts, *commands().values()) for param in command.get_params(context)]
    return {
        param.opts[0].lstrip("-") for param in shown if isinstance(param, click.Option) and not param.hidden
    }


def faults() -> set[str]:
    """Return the possible faults of external programs."""
    return set(get_args(channel.FaultReason))


def name_reasons() -> set[str]:
    sentence = messages.reasons("NameRefused", 1)
    return {*sentence, *text._REFUSED.values()}


def of(kind: str) -> set[str]:
    """Return the reasons to refuse text as a move, a game, ..."""
    return {
        reason
        for name, reason in messages.arguments("NotationError", 0, 2)
        if name == kind and reason[0] != "?"
    }


def codes(callee: str) -> set[str]:
    return {reason for reason in messages.reasons(callee, 1) if re.fullmatch("[a-z-]+", reason)}


OWN_SWITCHES = {*SWITCHES, "wrap-x", "wrap-y"}
"""The options of custom boards; a flat one joins its sides in pairs."""

FILLED: dict[str, Any] = {
    "people-about-{}": lambda: set(PairingSystem),
    "people-system-{}": lambda: set(PairingSystem),
    "people-late-about-{}": lambda: set(PairingSystem),
    "people-tie-{}": lambda: set(PairingSystem),
    "people-how-odd-{}": lambda: {
        f"{system}-{computer}" for system in ("swiss", "arena") for computer in ("computer", "none")
    },
    "people-log-{}": lambda: LOGGED_EVENTS,
    "report-{}": lambda: set(ReportReason),
    "conduct-{}": lambda: set(Conduct),
    "evidence-{}": lambda: {"won", "lost", "draw"},
    "decision-{}": lambda: {*CASE_DECISIONS, *TITLE_DECISIONS},
    "decided-{}": lambda: {CaseDecision.WARN, CaseDecision.NEW_NAME, CaseDecision.UNDO_RATINGS},
    "operator-{}": lambda: set(CaseDecision),
    "man-exit-{}": lambda: EXIT_STATUSES,
    "config-{}": lambda: ("setting", "value", "source"),
    "config-from-{}": lambda: ("option", "environment", "file", "default"),
    "file-damaged-{}": lambda: ["part", "key", "proof", "old-proof", "old-weights"],
    "server-{}": lambda: ["unreachable", "certificate", "moved", "not-ours", "too-large", "busy", "refused"],
    "resume-{}": lambda: {"damaged", "other-game", "other-version"},
    "progress-asks-{}": lambda: {"wins", "soon", "stops", "attacks"},
    "accepted-{}": kinds_of_moves,
    "accepted-{}-letters": lambda: kinds_of_moves() - {"column", "marked-column"},
    "cell-forbidden-{}": lambda: {OVERLINE, DOUBLE_FOUR, DOUBLE_THREE},
    "why-forbidden-{}": lambda: {OVERLINE, DOUBLE_FOUR, DOUBLE_THREE},
    "{}-many": lambda: {"column-full", "cell-taken", "move-illegal"},
    "column-{}": lambda: (
        messages.listed("names", "interfaces/console")
        | messages.listed("names", "interfaces/cli")
        | messages.listed("names", "interfaces/presenting")
    ),
    "computer-{}": lambda: {name.partition(":")[0] for name in player_names()},
    "draw-{}": lambda: {Termination.FULL, Termination.REPETITION, Termination.COUNT, MatchEnd.AGREEMENT},
    "drawn-{}": lambda: {Termination.FULL, Termination.REPETITION, Termination.COUNT, BOTH},
    "end-{}": lambda: {MatchEnd.RESIGNATION, MatchEnd.TIME, MatchEnd.ABANDONMENT},
    "ended-{}": lambda: {*ends_of_games(), *MatchEnd, "not"},
    "fault-{}": lambda: {"too-much-memory", "too-many-processes"},
    "forfeit-{}": lambda: messages.reasons("Forfeit", 0) | faults(),
    "offer-{}": lambda: messages.reasons("OfferRefused", 0) | {"gone", "lasts-for-key"},
    "opening-{}": lambda: {NO_OPENING, *OPENINGS},
    "opening-may-{}": lambda: {SWAP, PUT},
    "chose-{}": lambda: {SWAP, PUT},
    "forfeited-{}": lambda: messages.reasons("Forfeit", 0) | faults(),
    "clock-{}": lambda: set(CLOCKS) | set(CLOCKS_BY_DAYS),
    "game-left-out-{}": lambda: messages.reasons("GameLeftOut", 2),
    "help-{}": lambda: {"noughts", *commands()},
    "help-{}-more": lambda: {"play", "analyse", "solve", "serve", "engine"},
    "help-option-{}": lambda: {*options(), "tournament-resume", "serve-limit", "bots-memory"},
    "key-{}": lambda: {key.id for key in KEYS.values()},
    "key-about-{}": lambda: {id_ for id_ in KEYS if f"key-about-{id_}" in entries("en")},
    "keycap-{}": lambda: set(CAPS),
    "left-out-{}": lambda: {
        *("variations", "games", "numbers", "values", "letters", "lines", "names"),
        *("charset", "text", "rules", "result", "passes", "forbidden"),
    },
    "line-{}": kinds_of_lines,
    "level-{}": lambda: set(LEVELS),
    "look-{}": lambda: set(PARTS),
    "name-{}": name_reasons,
    "no-such-{}": lambda: [*messages.reasons("NotFound", 0), "theme", "signs"],
    "opponent-{}": lambda: set(OPPONENTS),
    "order-{}": lambda: set(Begins),
    "inbox-{}": lambda: set(INBOX_RESULTS.values()),
    "phrase-{}": lambda: set(PHRASES),
    "player-{}": lambda: {
        *(name.replace(":", "-") for name in player_names() if not name.startswith("mcts:")),
        *("foreign", "bot", "mcts"),
    },
    "prompt-{}": lambda: kinds_of_moves() - {TwistNotation.kind},
    "puzzle-{}": lambda: {verdict for verdict in MoveVerdict if verdict != MoveVerdict.SOLVED},
    "puzzle-solved-{}": lambda: {"win", "save"},
    "web-grade-{}": lambda: set(GRADES),
    "puzzle-{}-answered": lambda: {"right", "wrong"},
    "rating-{}": lambda: {*RESULTS, PEOPLE, COMPUTERS},
    "rating-days-{}": lambda: set(DAYS_OF_RATINGS),
    "reason-{}": lambda: set(messages.REASONS) | messages.reasons("Purpose", 0),
    "refusal-{}": lambda: messages.reasons("ApiError", 1),
    "repair-lost-{}": lambda: {"games", "series", "tournaments", "pairings"},
    "review-{}": lambda: {"win-draw", "win-loss", "draw-loss", "unknown-loss"},
    "rule-{}": lambda: set(OPTION_MESSAGES),
    "rule-wrap-{}": lambda: {"x", "y"},
    "refused-{}": lambda: (
        messages.reasons("CommandRefused", 1) - WORDLESS_COMMANDS | messages.reasons("PauseRefused", 0)
    ),
    "rules-{}": lambda: (
        {entry.name for entry in CATALOGUE if entry.make is not None}
        | {
            reason.replace(HOLE, tiling)
            for reason, tiling in product(messages.reasons("RulesError", 0), TILINGS)
        }
    ),
    "sandbox-refused-{}": lambda: messages.reasons("UnshowableError", 1),
    "setting-{}": lambda: {"begins", "clock", "computer", "mark", "opening", "opponent", "start"},
    "shape-{}": lambda: messages.reasons("ShapeError", 1),
    "sign-{}": lambda: set(SIGNS),
    "speed-{}": lambda: set(Speed),
    "sprt-{}": lambda: {"open", "elo0", "elo1"},
    "solve-{}": lambda: {"first", "draw", "second", "unknown", "alone"},
    "solve-{}-bare": lambda: {"first", "second", "alone"},
    "store-reason-{}": lambda: (
        codes("StoreError")
        | codes("DamagedStore")
        | codes("FileRefused")
        | {"empty", *errors.SYSTEM_REASONS.values(), *REASONS.values()}
    ),
    "strength-{}": lambda: {"human", "bot", *(name.partition(":")[0] for name in player_names())},
    "own-{}": lambda: {*SIDES, "dimensions", "line", "players", "vanish", *OWN_SWITCHES},
    "own-{}-about": lambda: OWN_SWITCHES,
    "which-{}": lambda: {"twist"},
    "tag-joined-{}": lambda: set(JOINED),
    "tag-{}": lambda: {entry.name for entry in CATALOGUE} | set(TAGGED_SWITCHES.values()),
    "told-{}": lambda: {"cell", "cells", "column", "columns", "place", "text", "pass"},
    "title-{}": lambda: {entry.name for entry in CATALOGUE},
    "unrated-{}": lambda: set(Unrated),
    "unsupported-{}": lambda: messages.reasons("UnsupportedRules", 2) - WORDLESS_RULES,
    "thinking-{}": lambda: {"late", "unproved"},
    "value-{}": lambda: set(get_args(Value)),
    "identity-{}": lambda: messages.reasons("KeyRefused", 0),
    "words-{}": lambda: messages.reasons("WordsRefused", 0),
    "known-{}": lambda: {"certificate", "search"},
    "wins-{}": lambda: {*kinds_of_lines(), Termination.LINE},
    "trial-{}": lambda: {trial.name for trial in TRIALS},
    "worth-{}": lambda: set(WORDS.values()),
    "worth-{}-bare": lambda: {"win", "loss"},
    "{}-refused": lambda: {what for (what,) in messages.arguments("NotationError", 0)},
    "{}-{}": lambda: {
        *(f"game-{reason}" for reason in of("game")),
        *(f"move-{reason}" for reason in of("move")),
        *(f"position-{reason}" for reason in TOLD_POSITIONS),
        *(f"record-{reason}" for reason in TOLD_RECORDS),
        *(f"tournament-{reason}" for reason in of("tournament")),
    },
}
"""Values for the holes of ids that are composed at run time."""


@cache
def needed() -> set[str]:
    """Return every id that the interfaces can use."""
    ids: set[str] = set()
    details = {f"{row.detail}{HOLE}" for row in ANNOTATIONS.values() if row.detail}
    for requests in messages.asked() | details:
        if HOLE not in requests:
            ids.add(requests)
            continue
        assert requests in FILLED, f"what can stand in {requests}? Say it in FILLED"
        whole = requests == "{}-{}"
        ids |= {value if whole else requests.replace(HOLE, str(value)) for value in FILLED[requests]()}
    return ids


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_used_message_exists(language: str) -> None:
    assert sorted(needed() - set(entries(language))) == []


@pytest.mark.slow
def test_every_message_is_used() -> None:
    written = messages.literals()
    elsewhere = "".join(
        path.read_text(encoding="utf-8")
        for folder, pattern in product(
            (SOURCE / "interfaces", ROOT / "docs"), ("*.html", "*.js", "*.py", "*.j2")
        )
        for path in sorted(folder.rglob(pattern))
        if folder.name == "docs" or path.suffix != ".py"
    )
    unused = set(entries("en")) - needed() - written
    unused = {id_ for id_ in unused if not re.search(rf"\b{id_}\b", elsewhere)}
    assert sorted(unused) == []


# Equality of the languages


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_have_same_ids_in_same_order(language: str) -> None:
    assert list(entries(language)) == list(entries("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogue_defines_each_message_once(language: str) -> None:
    ids = re.findall(r'^msgid "(.+)"$', path_of(language).read_text(encoding="utf-8"), re.MULTILINE)
    assert [id_ for id_, count in Counter(ids).items() if count > 1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_compiled_catalogues_match_sources(language: str) -> None:
    for id_, message in entries(language).items():
        read = SAY[language]._catalogue
        is_plural = not isinstance(message.id, str)
        compiled = read.ngettext(id_, id_, 1) if is_plural else read.gettext(id_)
        assert compiled == forms(message)[0], "compile the catalogues again: compile_catalogues.py"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated(language: str) -> None:
    assert [id_ for id_, form in sentences(language) if not form.strip()] == []
    assert [id_ for id_, message in entries(language).items() if message.fuzzy] == []


def placeholders(form: str) -> set[str]:
    fields = [field for _, field, spec, conversion in string.Formatter().parse(form) if field is not None]
    assert all(field.isidentifier() for field in fields), form
    return set(fields)


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_placeholders(language: str) -> None:
    english = {id_: placeholders(forms(message)[-1]) for id_, message in entries("en").items()}
    for id_, form in sentences(language):
        assert placeholders(form) == english[id_], (id_, form)


@pytest.mark.parametrize("language", LANGUAGES)
def test_phrases_have_one_form_or_all_cases(language: str) -> None:
    for id_, form in sentences(language):
        if id_.startswith("told-"):
            assert len(form.split("|")) in (1, len(CASES)), id_
        assert {spec for _, _, spec, _ in string.Formatter().parse(form) if spec} <= set(CASES), id_


@pytest.mark.parametrize(
    ("language", "kind", "sentence"),
    [
        ("en", "column", "Ada plays column 5. Column 5 cannot be played now."),
        ("ru", "column", "Ada ходит в столбец 5. Так ходить сейчас нельзя: столбец 5."),
        ("ru", "cell", "Ada ходит на клетку 5. Так ходить сейчас нельзя: клетка 5."),
        ("ru", "place", "Ada ходит на 5. Так ходить сейчас нельзя: 5."),
        ("zh-Hans", "column", "Ada 下在第 5 列。现在不能下在第 5 列。"),
        ("zh-Hant", "cell", "Ada 下在第 5 格（2b2）。現在不能下在第 5 格（2b2）。"),
    ],
)
def test_phrase_takes_case_of_the_sentence(language: str, kind: str, sentence: str) -> None:
    say, move = SAY[language], Phrase(kind, "5", "2b2" if language == "zh-Hant" else "")
    sentences = say("plays", player="Ada", move=move), say("move-illegal-many", cell=move)
    assert say.joined(sentences) == sentence


def test_browser_names_from_the_right_are_isolated() -> None:
    say, name = Translator("en", isolates=True), "\u05e2\u05d3\u05d4 (1)"
    player = say("player-with-mark", name=name, mark="X")
    assert player == f"\u2068{name}\u2069 (X)"
    assert f"\u2068{name}\u2069 (X)" in say("computer-named", strength=player)
    assert "\u2068\\x1b\u2069" in say("computer-named", strength="\u2068\x1b\u2069")
    assert say.listed([name, "Ada"]) == f"\u2068{name}\u2069, Ada"
    assert "\\u202e" in say("computer-named", strength="\u202e")
    assert "\u2068" not in Translator("en")("computer-named", strength=name)


@pytest.mark.parametrize(("language", "count"), [("en", 2), ("ru", 3), ("zh-Hans", 1), ("zh-Hant", 1)])
def test_plural_forms_match_the_language(language: str, count: int) -> None:
    assert catalogue(language).num_plurals == count
    for id_, message in entries(language).items():
        plural = isinstance(entries("en")[id_].id, tuple | list)
        assert isinstance(message.id, tuple | list) == plural, id_
        assert len(forms(message)) == (count if plural else 1), id_


@pytest.mark.parametrize(
    ("count", "moves"),
    [
        (1, "ход"),
        (2, "хода"),
        (5, "ходов"),
        (11, "ходов"),
        (21, "ход"),
        (22, "хода"),
        (111, "ходов"),
        (0, "ходов"),
    ],
)
def test_russian_plurals_agree_with_numbers(count: int, moves: str) -> None:
    for id_, data in (("solved", {"winner": "Аня"}), ("wins-after", {"winner": "Аня"}), ("draw-full", {})):
        assert re.search(rf"\b{count} {moves}\b", SAY["ru"].plural(id_, count, **data)), id_


@pytest.mark.parametrize(("count", "moves"), [(1, "move"), (2, "moves"), (0, "moves"), (11, "moves")])
def test_english_plurals_agree_with_numbers(count: int, moves: str) -> None:
    assert re.search(rf"\b{count} {moves}\b", SAY["en"].plural("wins-after", count, winner="Ada"))


@pytest.mark.parametrize("language", CHINESE)
def test_chinese_has_one_plural_form(language: str) -> None:
    one, many = (SAY[language].plural("wins-after", count, winner="小林") for count in (1, 7))
    assert one.replace("1", "7") == many


# Style of each language


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_have_no_superfluous_blanks(language: str) -> None:
    for id_, form in sentences(language):
        if id_ not in UNSPOKEN and id_ != "help-usage":
            assert form == form.strip(), id_
            assert "  " not in form, id_
            assert "\n" not in form, id_


@pytest.mark.parametrize("language", CHINESE)
def test_chinese_punctuation_is_full_width(language: str) -> None:
    for id_, form in sentences(language):
        if id_ in UNSPOKEN:
            continue
        assert not re.search(rf"[{HAN}][,;:!?()]|[,;:!?()][{HAN}]", form), (id_, form)
        assert not re.search(rf"[{HAN}]\.(?![0-9a-z])|\.\s*[{HAN}]", form), (id_, form)
        typed = re.compile(r'\["[^]]+\]')  # Such lists are written like those of a TOML file.
        assert not re.search(r"\"|'|\.\.\.", typed.sub("", form)), (id_, form)


@pytest.mark.slow
@pytest.mark.parametrize("language", CHINESE)
@pytest.mark.parametrize("filling", ["小林", "Ada", "Анна", "Zoé", "7"])
def test_chinese_blanks_separate_scripts(language: str, filling: str) -> None:
    for id_, form in sentences(language):
        if id_ in UNSPOKEN:
            continue
        # These are names of files and numbers.
        is_latin = any(part in id_ for part in ("file", "no-such", "told-"))
        filled = {name: filling if name in NAMES and not is_latin else "7" for name in placeholders(form)}
        sentence = SAY[language]._fill(form, filled)
        assert not re.search(
            rf"[{HAN}，。：；？！、（）「」《》] +[{HAN}，。：；？！、（）「」《》]", sentence
        ), (id_, sentence)
        assert not re.search(rf"[{HAN}][A-Za-z0-9Ѐ-ӿé]|[A-Za-z0-9Ѐ-ӿé][{HAN}]", sentence), (id_, sentence)


def test_chinese_catalogues_keep_their_script() -> None:
    simplified = set("这个们为时后发对开关点样谁请让输赢红蓝绿电脑轮连线边读写图书说语错误该将从两")
    traditional = set("這個們為時後發對開關點樣誰請讓輸贏紅藍綠電腦輪連線邊讀寫圖書說語錯誤該將從兩")
    shared = simplified & traditional
    for language, wrong in (("zh-Hant", simplified), ("zh-Hans", traditional)):
        for id_, form in sentences(language):
            assert not (wrong - shared) & set(form), (id_, form)


def test_russian_lines_list_cells_after_colon() -> None:
    """Rows and columns were right, but diagonals read "Диагональ столбцы 1 2 3 4"."""
    lines = {id_: form.rstrip(".") for id_, form in sentences("ru") if id_.startswith("line-")}
    wins = [(id_, form) for id_, form in sentences("ru") if id_.startswith("wins-") and "{cells}" in form]
    assert len(wins) > 6
    for id_, form in wins:
        assert form.startswith(f"Победа: {{winner}}. {lines[id_.replace('wins', 'line')]}; сдела"), id_


def test_russian_sentences_have_no_english_words() -> None:
    command = re.compile(r"noughts [a-z-]+(?: add NAME -- COMMAND|\s+--[a-z]+ FILE)?")
    for id_, form in sentences("ru"):
        words = re.findall(
            r"[A-Za-z]{2,}(?: [A-Za-z]{2,})+", command.sub("", re.sub(r"\{\w+\}|Score Four", "", form))
        )
        assert words == [], (id_, form)


# Sentences outside the catalogues

SPEAKERS = {"write", "print", "say", "write_message", "echo", "ask", "ReadableError", "_complain", "secho"}


@pytest.mark.slow
def test_source_code_has_no_sentences() -> None:
    for path, tree in messages.trees("interfaces"):
        for call, _ in messages.calls(tree):
            if messages.name_of(call.func) not in SPEAKERS:
                continue
            for argument in call.args:
                for node in ast.walk(argument):
                    if isinstance(node, ast.Constant) and isinstance(node.value, str):
                        is_sentence = re.search(r"[^\W\d_]+ +[^\W\d_]+", node.value)
                        assert not is_sentence, f"{path.name}:{node.lineno}: {node.value!r}"


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_fully_translated(language: str, tmp_path: Path) -> None:
    english = [form for _, form in sentences("en") if " " in form.strip() and "{" not in form]
    for command in ([], *([name] for name in commands())):
        ran = Program(tmp_path).run(*command, "--help", "--lang", language)
        assert (ran.status, ran.errors) == (0, "")
        assert SAY[language]("help-option-help") in ran.output
        if language != "en":
            page = re.sub(r"noughts( [a-z-]+)?|--[a-z-]+|zh-Han[st]|\b[A-Z,|\[\]]+\b", "", ran.output)
            assert re.findall(r"[A-Za-z]{2,} +[a-z]{2,}", page) == []
            assert [form for form in english if form in ran.output] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_fits_the_terminal(language: str, tmp_path: Path) -> None:
    for command in commands():
        for line in Program(tmp_path).run(command, "--help", "--lang", language).lines:
            assert text.display_width(line) <= 80, line


# Choice of the language


@pytest.mark.parametrize(
    ("option", "environ", "language"),
    [
        (None, {}, "en"),
        (None, {"LANG": "ru_RU.UTF-8"}, "ru"),
        (None, {"LANG": "ru"}, "ru"),
        (None, {"LANG": "zh_CN.UTF-8"}, "zh-Hans"),
        (None, {"LANG": "zh_SG"}, "zh-Hans"),
        (None, {"LANG": "zh_TW.Big5"}, "zh-Hant"),
        (None, {"LANG": "zh_HK.UTF-8@radical"}, "zh-Hant"),
        (None, {"LANG": "zh_MO"}, "zh-Hant"),
        (None, {"LANG": "zh"}, "zh-Hans"),
        (None, {"LANG": "C"}, "en"),
        (None, {"LANG": "POSIX"}, "en"),
        (None, {"LANG": "de_DE.UTF-8"}, "en"),
        (None, {"LANG": "ru_RU.UTF-8", "LC_MESSAGES": "zh_TW"}, "zh-Hant"),
        (None, {"LANG": "zh_TW", "LC_MESSAGES": "zh_TW", "LC_ALL": "ru_RU"}, "ru"),
        (None, {"LANG": "ru", "LC_ALL": ""}, "ru"),
        (None, {"LC_ALL": "C.UTF-8", "LANG": "ru_RU.UTF-8"}, "en"),
        (None, {"NOUGHTS_LANG": "ru", "LC_ALL": "zh_TW"}, "ru"),
        (None, {"NOUGHTS_LANG": "", "LANG": "ru"}, "ru"),
        ("zh-Hant", {"NOUGHTS_LANG": "ru"}, "zh-Hant"),
        ("ZH-hant", {}, "zh-Hant"),
        ("zh-TW", {}, "zh-Hant"),
        ("zh-Hans-HK", {}, "zh-Hans"),
        ("zh_CN", {}, "zh-Hans"),
        ("en-GB", {}, "en"),
        ("EN", {}, "en"),
        ("", {"LANG": "ru"}, "ru"),
    ],
)
def test_choose_language_follows_the_order(
    option: str | None, environ: dict[str, str], language: str
) -> None:
    assert choose_language(option, environ) == language


@pytest.mark.parametrize(
    ("option", "environ"), [("tlh", {}), ("\udcff", {}), (None, {"NOUGHTS_LANG": "xx"}), ("-", {})]
)
def test_unknown_language_is_refused(option: str | None, environ: dict[str, str]) -> None:
    with pytest.raises(errors.NotFound):
        choose_language(option, environ)
    assert match_language(option or "xx") is None


# The translator


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_can_be_filled(language: str) -> None:
    say = SAY[language]
    for id_, message in entries(language).items():
        for count in (0, 1, 2, 5):
            data = dict.fromkeys(placeholders(forms(message)[0]) - {"count"}, "A\x1b{B}")
            sentence = (
                say.plural(id_, count, **data)
                if len(forms(entries("en")[id_])) > 1
                else say(id_, count=count, **data)
            )
            assert "\x1b" not in sentence
            assert sentence.count("{B}") == form_count(message, count, language, data)


def form_count(message: Message, count: int, language: str, data: dict[str, str]) -> int:
    """Return the number of placeholders besides the count in the form for *count*."""
    index = catalogue(language).plural_expr and _plural(language, count) if len(forms(message)) > 1 else 0
    fields = [field for _, field, _, _ in string.Formatter().parse(forms(message)[int(index)])]
    return sum(field in data for field in fields)


def _plural(language: str, count: int) -> int:
    return {"en": int(count != 1), "ru": 2 if count in (0, 5) else count - 1}.get(language, 0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_has_rule_sentences(language: str) -> None:
    for name in (*(entry.name for entry in CATALOGUE), "3x3:3,players=3,exact,wrap", "4x4:3,vanish=3"):
        text = new_game(name).rule_text
        answer = SAY[language].messages(text)
        assert len(answer) > 10
        assert "{" not in answer
        assert not any(message.id in answer for message in text)


ERRORS = [
    errors.ShapeError((0,), "no-such-reason"),
    errors.RulesError("no-such-reason"),
    errors.CommandRefused("x", "time-left"),
    errors.MoveRefused("x"),
    errors.NoughtsError("x"),
    ValueError("x"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_error_without_sentence_gets_default(error: Exception) -> None:
    assert SAY["ru"].error(error) == SAY["ru"]("bad-input")


@pytest.mark.parametrize(
    ("error", "id_"),
    [
        (errors.CoordinateError((9,), (3,)), "no-such-cell"),
        (errors.GameOver(), "game-over"),
        (errors.NotationError("position", "x", "tiles"), "position-refused"),
        (errors.NotationError("record", "x", "not-json"), "record-refused"),
        (errors.NotationError("move", "x", "no-such-reason"), "move-refused"),
        (errors.NotationError("game", "x", "no-such-reason"), "game-refused"),
    ],
)
def test_error_has_a_sentence(error: Exception, id_: str) -> None:
    expected = SAY["ru"](id_, text="x")
    assert SAY["ru"].error(error) == expected


def test_error_sentences_use_their_data() -> None:
    say = SAY["ru"]
    assert say.error(errors.OutOfTurn("X", "O")) == say("out-of-turn", side="X", turn="O")
    assert say.error(errors.IllegalMove("5" * 99, ())) == say("move-illegal-many", cell="5" * 39 + "…")
    assert say.error(errors.StoreError("a\x1b", "is-a-folder")) == say(
        "store-unusable", where="a\\x1b", reason=say("store-reason-is-a-folder")
    )
    assert say.error(errors.DamagedStore("a", "game-altered", game=2)) == say(
        "store-damaged", where="a", reason=say("store-reason-game-altered", game=2)
    )
    assert "disk I/O error" in say.error(errors.StoreError("a", "disk I/O error"))
    assert say.error(errors.FileRefused("f", "too old")) == say("file-unusable", name="f", reason="too old")


def test_missing_catalogue_returns_the_id() -> None:
    assert Translator("tlh")("hint", move="5") == "hint"


def test_system_reason_is_shown_unchanged() -> None:
    sentence = SAY["en"]("store-unusable", where="x", reason=SystemReason("No space left"))
    assert sentence.endswith("No space left.")


def test_languages_are_listed_once() -> None:
    folders, kinds = (SOURCE, ROOT / "docs"), ("*.py", "*.js", "*.html")
    sources = (path for folder, kind in product(folders, kinds) for path in folder.rglob(kind))
    texts = {path.name: path.read_text(encoding="utf-8") for path in sources if "site" not in path.parts}
    assert [name for name, text in texts.items() if LANGUAGES["ru"] in text] == ["i18n.py"]
