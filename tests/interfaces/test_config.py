"""The command ``config``, and the effect of settings on other commands."""

import json
from pathlib import Path

import pytest

from noughts.interfaces.presenting.settings import choose_setting
from tests.interfaces.harness import DONE, EN, UNUSABLE, Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


def file_of(program: Program) -> Path:
    return program.folder / "noughts" / "settings.json"


def test_config_lists_values_with_sources(program: Program) -> None:
    assert program.run("config", "theme", "light").status == DONE
    listed = json.loads(program.under(NOUGHTS_NAME="Wei").run("--lang", "ru", "config", "--json").output)
    assert listed["file"] == str(file_of(program))
    assert {row["name"]: (row["value"], row["source"]) for row in listed["settings"]} == {
        "language": ("ru", "option"),
        "theme": ("light", "file"),
        "signs": ("unicode", "default"),
        "name": ("Wei", "environment"),
        "database": (str(program.database), "environment"),
    }
    lines = program.run("config").lines
    assert EN("config-file", name=str(file_of(program))) in lines
    assert any(line.startswith("theme") and EN("config-from-file") in line for line in lines)


def test_config_lists_unusable_values_with_reasons(program: Program) -> None:
    file_of(program).parent.mkdir()
    file_of(program).write_text('{"theme": "drak"}')
    program = program.under(NOUGHTS_SIGNS="braille", NOUGHTS_DB="mysql://ada:secret@host/games")
    ran = program.run("config")
    rows = {line.split()[0]: line.split(maxsplit=2)[1:] for line in ran.lines}
    assert rows["theme"] == ["-", EN("config-from-file")]
    assert rows["signs"] == ["-", EN("config-from-environment", variable="NOUGHTS_SIGNS")]
    assert rows["database"] == ["-", EN("config-from-environment", variable="NOUGHTS_DB")]
    assert len(ran.errors.splitlines()) == 3
    assert "drak" in ran.errors
    assert "braille" in ran.errors
    assert "secret" not in ran.output + ran.errors
    assert program.run("config", "theme").status == UNUSABLE
    ran = program.under(NOUGHTS_DB="~nosuch/games.db").run("config", "database")
    assert ran.output.endswith("~nosuch/games.db\n")


def test_config_stores_and_removes_values(program: Program) -> None:
    program = program.under(NOUGHTS_LANG="-", NOUGHTS_DB="-")
    for name, value in (("language", "zh-TW"), ("name", "Ада"), ("database", "my.db"), ("signs", "ascii")):
        assert program.run("config", name, value).status == DONE
    assert program.run("config", "name").lines == ["Ада"]
    assert program.run("config", "language").lines == ["zh-Hant"]
    assert program.run("config", "database").lines == [str(program.folder / "my.db")]
    assert json.loads(program.run("config", "signs", "--json").output)["settings"][0]["source"] == "file"
    for name in ("language", "name", "database", "signs"):
        assert program.run("config", name, "--unset").status == DONE
    assert json.loads(file_of(program).read_text()) == {}
    assert program.run("config", "name").lines == [EN("default-name", number=1)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("nmae",),
            "There is no setting “nmae”. Settings: language, theme, signs, name, database. "
            "Did you mean “name”?",
        ),
        (("theme", "drak"), "There is no theme “drak”. Themes: light, dark. Did you mean “dark”?"),
        (("language", "tlh"), "There is no language “tlh”. Languages: en, ru, zh-Hans, zh-Hant."),
        (("name", "level:3"), None),
        (("database", "games/"), None),
        (("database", "mysql://host/games"), None),
        (("database", "x" * 5000), None),
        (("theme", "dark", "--unset"), EN("config-value-and-unset")),
    ],
)
def test_config_refuses_unusable_values(
    program: Program, arguments: tuple[str, ...], message: str | None
) -> None:
    ran = program.run("config", *arguments)
    assert (ran.status, ran.output) == (UNUSABLE, "")
    assert message in (None, ran.errors.strip())
    assert not file_of(program).exists()


def test_config_keeps_other_settings(program: Program) -> None:
    program = program.under(NOUGHTS_LANG="-", NOUGHTS_DB="-")
    file_of(program).parent.mkdir()
    file_of(program).write_text('{"from_a_newer_version": 1, "language": "tlh"}')
    row = json.loads(program.run("config", "language", "--json").output)["settings"][0]
    assert (row["value"], row["source"]) == (None, "file")
    long = str(program.folder / ("d" * 250) / "games.db")
    for name, value in (("database", long), ("theme", "light")):
        assert program.run("config", name, value).status == DONE
    stored = {"from_a_newer_version": 1, "database": long, "theme": "light"}
    assert json.loads(file_of(program).read_text()) == stored


@pytest.mark.parametrize("content", ["{bad", "[]", "x" * 70_000, "[" * 60_000])
def test_damaged_settings_are_reported_and_kept(program: Program, content: str) -> None:
    file_of(program).parent.mkdir()
    file_of(program).write_text(content)
    ran = program.run("config", "name", "Ada")
    assert (ran.status, file_of(program).read_text()) == (UNUSABLE, content)
    assert EN("config-not-changed", name=str(file_of(program))) in ran.errors
    ran = program.run("scores")
    assert ran.status == DONE
    assert EN("settings-ignored") in ran.errors


def test_config_names_unwritable_folder(program: Program) -> None:
    (program.folder / "noughts").write_text("")
    ran = program.run("config", "name", "Ada")
    assert ran.status == UNUSABLE
    assert str(file_of(program)) in ran.errors


def test_environment_and_option_override_settings_file(program: Program) -> None:
    program.run("config", "language", "ru")
    other = program.under(NOUGHTS_LANG="-")
    assert other.run("config", "language").lines == ["ru"]
    assert other.under(NOUGHTS_LANG="zh-Hans").run("config", "language").lines == ["zh-Hans"]
    assert other.run("config", "language", "--lang", "en").lines == ["en"]


def test_console_uses_the_settings(program: Program) -> None:
    database = program.folder / "mine.db"
    for name, value in (("database", str(database)), ("name", "Ada"), ("signs", "unicode")):
        program.run("config", name, value)
    ran = program.under(NOUGHTS_DB="-").run(
        "play", "3x3", "--x", "human", "--o", "rule", "--plain", typed="5\nr\n"
    )
    assert ran.status == DONE
    assert database.exists()
    assert "─" in ran.output
    history = json.loads(program.under(NOUGHTS_DB="-").run("history", "--json").output)
    assert history["games"][0]["players"]["X"] == "Ada"


def test_unusable_environment_variable_is_refused(program: Program) -> None:
    ran = program.under(NOUGHTS_SIGNS="braille").run("play", "3x3", "--x", "rule", "--o", "rule", "--plain")
    assert ran.status == UNUSABLE
    assert ran.errors.strip() == EN("no-such-signs", name="braille", known=["unicode", "ascii"])


def test_unusable_setting_counts_as_default(program: Program) -> None:
    file_of(program).parent.mkdir()
    file_of(program).write_text(
        json.dumps({"theme": "blue", "names": [7], "marks": ["ascii"], "language": 3})
    )
    environ = program.variables()
    values = [choose_setting(name, environ=environ).value for name in ("theme", "name", "signs")]
    assert values == [None, None, "ascii"]
    assert program.under(NOUGHTS_LANG="-").run("config", "language").lines == ["en"]
