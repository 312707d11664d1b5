"""The files of the pages: no inline code, no external files, and only sentences of the catalogues."""

import json
import re
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import get_args

import pytest
import segno

from noughts.drawing.view import field_owners
from noughts.games.catalogue import CATALOGUE, finished
from noughts.games.entry import Shelf
from noughts.interfaces import web
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.web.pages.assets import address_of, assets, join_script, joined_scripts
from noughts.interfaces.web.pages.tiles import draw_tile
from tests.interfaces.harness import SAY
from tests.interfaces.web.harness import House, served

FOLDER = Path(web.__file__).parent
SCRIPTS = sorted((FOLDER / "static").glob("*.js"))
TEMPLATES = sorted((FOLDER / "templates").glob("*.html"))
KNOWN_HOSTS = {"http://www.w3.org/2000/svg"}
"""Names of XML vocabularies, which are never requested."""


def ids_said() -> set[str]:
    """Return the message ids that are written in full in scripts and templates."""
    text = "".join(path.read_text(encoding="utf-8") for path in (*SCRIPTS, *TEMPLATES))
    said = re.findall(r"""(?:say|has|button)\(\s*"([a-z0-9-]+)"[,)]""", text)
    said += re.findall(r"""data-say(?:-label|-hint)?="([a-z0-9-]+)\"""", text)
    return {*said, *re.findall(r'"(web-[a-z-]+)"', text)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_sentences_are_in_catalogues(language: str) -> None:
    said = ids_said()
    assert len(said) > 150
    missing = [id_ for id_ in sorted(said) if not SAY[language].has(id_)]
    plurals = [id_ for id_ in missing if SAY[language]._catalogue.ngettext(id_, "", 1) == id_]
    assert plurals == []


def matches(pattern: str, paths: Iterable[Path]) -> list[tuple[str, str]]:
    """Return all matches of *pattern* in the files, each with the name of its file."""
    return [(path.name, text) for path in paths for text in re.findall(pattern, path.read_text("utf-8"))]


def test_pages_have_no_inline_code() -> None:
    assert matches(r"<script(?![^>]*src=)|<style|\sstyle=|\son[a-z]+=|javascript:", TEMPLATES) == []


def test_pages_load_no_external_files() -> None:
    found = matches(r"""https?://[^"'\s)]+|@import""", (FOLDER / "static").glob("*.[!p]*"))
    assert [(name, text) for name, text in found if text not in KNOWN_HOSTS] == []


def test_scripts_never_parse_markup() -> None:
    markup = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
    assert matches(markup, SCRIPTS) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_script_types_have_no_gaps(path: Path) -> None:
    types = "".join(re.findall(r"/\*\*[\s\S]*?\*/|//.*", path.read_text(encoding="utf-8")))
    assert re.findall(r"@ts-\w+|[{(<|:] ?any\b(?=[})>|\[,])", types) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_can_be_joined(path: Path) -> None:
    """Imports and exports have the forms that joining supports, and no cycles."""
    text = path.read_text(encoding="utf-8")
    known = re.findall(r'^import \{[^}]+\} from "\./[a-z0-9_]+\.js";$', text, re.MULTILINE)
    assert len(known) == len(re.findall(r"^import\b", text, re.MULTILINE))
    named = re.findall(r"^export (?:async )?(?:function|const|class) \w+", text, re.MULTILINE)
    assert len(named) == len(re.findall(r"^\s*export\b", text, re.MULTILINE))
    assert "import.meta" not in text
    whole = join_script(path.name)
    begun = re.findall(r"^const (\$\w+) = await", whole, re.MULTILINE)
    assert len(begun) == len(set(begun))
    for at, part in enumerate(re.split(r"^const \$\w+ = await", whole, flags=re.MULTILINE)[1:]):
        used = set(re.findall(r"^const \{[^}]+\} = (\$\w+);$", part, re.MULTILINE))
        assert used <= set(begun[:at])
    assert re.findall(r"^(?:import|export)\b|^\s*//(?! [a-z0-9_]+\.js$)", whole, re.MULTILINE) == []


def test_pages_start_with_header() -> None:
    for path in TEMPLATES:
        if path.name == "embed.html":  # It has no header, since it is part of a page of another site.
            continue
        for name in re.findall(r'src="/static/([a-z0-9_]+\.js)"', path.read_text(encoding="utf-8")):
            script = assets()[name].body.decode()
            assert re.search(r'import \{ begin\b[^}]*\} from "\./page\.js";', script), name
            assert "begin()" in script


@served
async def test_hashed_addresses_are_cached_permanently(house: House) -> None:
    guest = house.guest()
    page = await guest.get("/")
    for name in ("home.js", "style.css", "icon.svg"):
        assert f'"{address_of(name)}"' in page.text
        result = await guest.get(address_of(name))
        whole = joined_scripts().get(name, assets()[name])
        assert (result.content, result.headers["cache-control"].split()[-1]) == (whole.body, "immutable")
        assert result.headers["content-encoding"] == "gzip"
        for path in (f"/static/{name}", f"/static/0123456789abcdef/{name}"):
            result = await guest.get(path)
            assert (result.status_code, result.headers["cache-control"]) == (200, "no-cache")
    known = re.findall(r'data-sentences="([^"]+)"', page.text)[0]
    assert (await guest.get(known)).headers["cache-control"].endswith("immutable")
    assert (await guest.get("/i18n/old/en.json")).headers["cache-control"] == "no-cache"
    plain = await guest.get("/static/style.css", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers


@served
async def test_unchanged_page_returns_304(house: House) -> None:
    guest = house.guest()
    page = await guest.get("/")
    again = await guest.get("/", headers={"if-none-match": f'W/"x", {page.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    other = await guest.get(
        "/", headers={"if-none-match": page.headers["etag"], "cookie": "noughts-language=ru"}
    )
    assert (other.status_code, other.headers["content-language"]) == (200, "ru")


@pytest.mark.slow
@served
async def test_first_page_reserves_space_for_running_games(house: House) -> None:
    for cookie, rows, alert in (("", 0, ""), ("x", 0, ""), ("0.2", 2, ""), ("1.99", 5, "Your games: 1")):
        page = (await house.guest(cookie=f"noughts-seats={cookie}").get("/")).text
        assert page.count("<li></li>") == rows, cookie
        assert ('aria-labelledby="running-games-heading" hidden' in page) == (not rows)
        assert ('id="alert"' in page) == bool(alert)
        assert alert in page


@served
async def test_secret_responses_are_not_compressed(house: House) -> None:
    ada, _ = await house.pair(game="15x15:5")
    assert "content-encoding" not in (await ada.get(f"/api/rooms/{ada.room}", headers=ada.proof)).headers
    assert (await ada.get("/api/catalogue")).headers["content-encoding"] == "gzip"


@pytest.mark.slow
@served
async def test_first_page_pictures_show_finished_games(house: House) -> None:
    page = (await house.guest().get("/")).text
    shelf = {entry.name: [*get_args(Shelf)].index(entry.shelf) for entry in CATALOGUE}
    assert re.findall('name="game" form="new" value="([^"]+)"', page) == sorted(shelf, key=shelf.__getitem__)
    for entry in CATALOGUE:
        game = finished(entry.name)
        picture = draw_tile(game, entry.name)
        assert picture in page
        assert picture.count("strike") >= bool(game.outcome and game.outcome.lines)
        drawn = len(re.findall('href="#mark-|<text', picture))
        assert drawn == len(game.cells) - game.cells.count(None) + sum(map(bool, field_owners(game)))
    referred = set(re.findall('href="#([^"]+)"', page))
    assert referred - set(re.findall('id="([^"]+)"', page)) == set()


@served
async def test_room_address_has_qr_code(house: House) -> None:
    link = "https://noughts.example/r/aZ09-_"
    data = await house.guest().get("/qr.svg", params={"link": link})
    assert data.headers["content-type"] == "image/svg+xml"
    (path,) = re.findall(r'<path class="qrline" [^>]*d="([^"]*)"', data.text)
    drawn = segno.make(link, error="m", boost_error=False, micro=False)
    dark = sum(int(length) for length in re.findall(r"h(\d+)", path))
    assert dark == sum(map(sum, drawn.matrix))
    for other in ("", "nothing", "https://noughts.example/", f"{link}/more", f"javascript:{link}"):
        assert (await house.guest().get("/qr.svg", params={"link": other})).status_code == 404


def test_manifest_icons_exist() -> None:
    manifest = json.loads((FOLDER / "static" / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        data = (FOLDER / icon["src"].removeprefix("/")).read_bytes()
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", data[16:24])  # of the first chunk of a PNG file
            assert icon["sizes"] == f"{width}x{height}"


def tokens() -> tuple[dict[str, str], dict[str, str]]:
    """Return the colours of the style by name, light and dark."""
    css = (FOLDER / "static" / "style.css").read_text(encoding="utf-8")
    light, dark = (dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6});", part)) for part in split_schemes(css))
    return light, {**light, **dark}


def split_schemes(css: str) -> tuple[str, str]:
    """Return the style before the colours of the dark scheme, and those colours."""
    before, _, after = css.partition("@media (prefers-color-scheme: dark)")
    return before, after[: after.index("}\n}")]


def contrast(one: str, two: str) -> float:
    """Return the contrast ratio of two colours by WCAG 2."""

    def luminance(color: str) -> float:
        parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted((luminance(one), luminance(two)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_colours_have_enough_contrast(scheme: int) -> None:
    color = tokens()[scheme]
    grounds = ("paper", "lift", "shade", "square", "x-wash", "o-wash")
    for ground in grounds:
        for text in ("ink", "ink-2"):
            assert contrast(color[text], color[ground]) >= 4.5, (text, ground)
        for drawn in ("x", "o", "z", "line"):
            assert contrast(color[drawn], color[ground]) >= 3, (drawn, ground)
    for text in ("x", "o", "z"):
        assert contrast(color[text], color["paper"]) >= 4.5, text


@pytest.mark.parametrize("name", ["base.html", "manifest.webmanifest"])
def test_window_colour_matches_paper(name: str) -> None:
    text = next(FOLDER.glob(f"*/{name}")).read_text(encoding="utf-8")
    named = {*re.findall(r"#[0-9a-f]{6}", text)}
    papers = {scheme["paper"] for scheme in tokens()}
    assert named == (papers if name == "base.html" else {tokens()[0]["paper"]})


def test_reduced_motion_disables_animations() -> None:
    css = (FOLDER / "static" / "style.css").read_text(encoding="utf-8")
    _, _, moving = css.partition("@media (prefers-reduced-motion: no-preference)")
    still = css.replace(moving[: moving.index("\n}")], "")
    assert re.findall(r"animation:|transition:|@keyframes|(?<!over)scroll-behavior", still) == []
