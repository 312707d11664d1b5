"""What the pages are made of: nothing inline, nothing from elsewhere, every sentence from the catalogues."""

import json
import re
from pathlib import Path

import pytest

from noughts.games.catalogue import CATALOGUE
from noughts.games.samples import sample
from noughts.interfaces import web
from noughts.interfaces.i18n import LANGUAGES
from tests.interfaces.harness import SAY

FOLDER = Path(web.__file__).parent
SCRIPTS = sorted((FOLDER / "static").glob("*.js"))
TEMPLATES = sorted((FOLDER / "templates").glob("*.html"))
KNOWN_HOSTS = {"http://www.w3.org/2000/svg"}
"""Names of vocabularies, which nobody asks for anything."""


def ids_said() -> set[str]:
    """The ids that are written whole in scripts and templates."""
    text = "".join(path.read_text(encoding="utf-8") for path in (*SCRIPTS, *TEMPLATES))
    said = re.findall(r"""(?:say|has|button)\(\s*"([a-z0-9-]+)"[,)]""", text)
    said += re.findall(r"""data-say(?:-label)?="([a-z0-9-]+)\"""", text)
    return {*said, *re.findall(r'"(web-[a-z-]+)"', text)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_the_pages_is_in_the_catalogues(language: str) -> None:
    said = ids_said()
    assert len(said) > 150
    missing = [id_ for id_ in sorted(said) if not SAY[language].has(id_)]
    plurals = [id_ for id_ in missing if SAY[language]._catalogue.ngettext(id_, "", 1) == id_]
    assert plurals == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_nothing_is_inline_in_a_page(path: Path) -> None:
    html = path.read_text(encoding="utf-8")
    assert re.findall(r"<script(?![^>]*src=)|<style|\sstyle=|\son[a-z]+=|javascript:", html) == []


@pytest.mark.parametrize("path", sorted((FOLDER / "static").iterdir()), ids=lambda path: path.name)
def test_nothing_is_from_elsewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert set(re.findall(r"""https?://[^"'\s)]+""", text)) <= KNOWN_HOSTS
    assert "@import" not in text


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_checked_modules_of_a_readable_length(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("// @ts-check\n")
    assert len(text.splitlines()) <= 400
    assert (
        re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)
        == []
    )
    for other in re.findall(r"""from "\./([a-z0-9]+\.js)\"""", text):
        assert (FOLDER / "static" / other).is_file()


def samples() -> list[dict[str, object]]:
    """What the first page shows of each game."""
    told: list[dict[str, object]] = []
    for entry in CATALOGUE:
        game = sample(entry.name)
        layout = game.layout
        drawn = {
            name: getattr(layout, name) for name in ("planes", "rows", "columns", "gravity", "tiles", "drops")
        }
        facts = {"name": entry.name, "spec": entry.spec, "value": entry.value, "shape": list(game.shape)}
        told.append(
            {
                **facts,
                "layout": {**drawn, "fields": list(layout.fields)},
                "sides": list(game.sides),
                "cells": list(game.cells),
            }
        )
    return told


def test_the_pictures_of_the_first_page_are_the_samples_of_the_library() -> None:
    written = json.loads((FOLDER / "static" / "samples.json").read_text(encoding="utf-8"))
    lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in samples())
    assert written == samples(), f"write samples.json anew:\n[\n{lines}\n]"


def test_the_manifest_names_icons_that_are_there() -> None:
    manifest = json.loads((FOLDER / "static" / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert manifest["start_url"] == "/"
    for icon in manifest["icons"]:
        assert (FOLDER / icon["src"].removeprefix("/")).is_file()
