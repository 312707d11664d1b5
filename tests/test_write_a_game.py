"""The steps of ``docs/write-a-game.md``, run exactly in an environment of its own, offline."""

import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from noughts.games.base import Game, Termination
from noughts.games.catalogue import all_entries
from noughts.games.entry import Entry
from noughts.games.moves import cells_of
from noughts.games.pure import PureGame
from tests.interfaces import messages
from tests.interfaces.messages import HOLE
from tests.interfaces.tui.screens import open_app, press, seen
from tests.interfaces.tui.table import page_of
from tests.interfaces.web.harness import House, served
from tests.running import run
from tests.test_docs import BLOCK, IN_ORDER, check_transcript

pytestmark = pytest.mark.slow

TEXT = IN_ORDER.read_text(encoding="utf-8")
BLOCKS = [(found[1], found[2]) for found in BLOCK.finditer(TEXT)]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment with all packages of this one, to which more can be installed."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    for package in Path(pytest.__file__).parent.parent.iterdir():
        (packages_of(folder) / package.name).symlink_to(package)
    return folder


def packages_of(environment: Path) -> Path:
    (result,) = environment.glob("lib/python*/site-packages")
    return result


@pytest.fixture(scope="module")
def hop(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write, install and check the package as the document describes."""
    folder = tmp_path_factory.mktemp("work") / "noughts-hop"
    folder.mkdir()
    for kind, block in BLOCKS:
        if kind == "sh":
            for command in block.splitlines():
                type_command(command, folder, environment)
        elif kind == "console":
            check_transcript(block, str(environment / "bin" / "python"), folder)
        else:
            named = re.match(r"# (\S+)\n", block)
            assert named is not None, block
            file = folder / named[1]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block, encoding="utf-8")
    return folder


def type_command(command: str, folder: Path, environment: Path) -> None:
    installer = os.environ.get("UV") or shutil.which("uv")
    assert installer is not None
    path = os.pathsep.join((str(environment / "bin"), str(Path(installer).parent), os.environ["PATH"]))
    offline = {"UV_OFFLINE": "1", "UV_NO_BUILD_ISOLATION": "1", "VIRTUAL_ENV": str(environment)}
    ran = subprocess.run(
        command, shell=True, cwd=folder, env={**os.environ, **offline, "PATH": path},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, f"$ {command}\n{ran.stdout}{ran.stderr}"


@pytest.fixture
def installed(hop: Path, environment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the package to the path of this process."""
    (about,) = packages_of(environment).glob("noughts_hop-*.dist-info")
    shutil.copytree(about, tmp_path / about.name)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(hop / "src"))
    monkeypatch.delitem(sys.modules, "noughts_hop", raising=False)


def test_write_a_game_page_builds_a_package(hop: Path) -> None:
    written = {
        str(path.relative_to(hop)) for path in hop.rglob("*") if path.suffix in (".py", ".po", ".toml")
    }
    assert written == {
        *(
            "pyproject.toml",
            "src/noughts_hop/__init__.py",
            "src/noughts_hop/corners.py",
            "src/noughts_hop/locales/en.po",
            "tests/test_hop.py",
        )
    }


@pytest.mark.usefixtures("installed")
def test_full_screen_plays_the_new_game() -> None:
    async def test() -> None:
        async with open_app((100, 30)) as (app, _):
            await press(app, "/", *"hop")
            assert "jump over the others" in seen(app)
            await press(app, "enter", "enter")
            await press(app, "g", *"a3", "enter", "enter")
            assert cells_of(page_of(app).session.game.moves[0]) == (
                (2, 0),
                (2, 2),
            )

    run(test())


@pytest.mark.usefixtures("installed")
@served
async def test_browser_plays_the_new_game(house: House) -> None:
    answer = (await house.guest().get("/api/catalogue")).json()["games"]
    assert [game["title"] for game in answer if game["name"] == "hop"] == ["Hop"]
    room = await house.open(game="hop", computers=["level:1", "random"])
    assert room.state["game"]["title"] == "Hop"
    one, two = await house.pair(game="hop")
    await one.do("move", move="a3-c3")
    assert [move["name"] for move in (await two.look())["moves"]] == ["a3-c3"]


@pytest.mark.usefixtures("installed")
def test_catalogue_lists_the_new_game() -> None:
    assert "hop" in [entry.name for entry in all_entries()]


def test_write_a_game_page_names_existing_members() -> None:
    """The table lists members, facts of entries, and ids of messages that exist."""
    (table,) = re.findall(r"\| member \|.*?\n\n", TEXT, re.DOTALL)
    members = re.findall(r"`(\w+)`", "".join(line.split("|")[1] for line in table.strip().splitlines()[2:]))
    assert len(members) > 10
    assert [name for name in members if not hasattr(Game, name)] == []
    assert [
        name for name in ("shelf", "rank", "value", "start", "sample") if name not in Entry.__slots__
    ] == []
    ids = re.findall(r"^\| `([a-z]+-)[a-z-]+` \|", TEXT, re.MULTILINE)
    assert {"title-", "tag-", "rules-", "wins-", "ended-"} == {*ids}
    assert {f"{prefix}{HOLE}" for prefix in [*ids, "draw-"]} <= messages.asked()
    assert {PureGame.__name__, Termination.__name__, "Outcome", "Entry"} <= {*re.findall(r"`(\w+)`", TEXT)}
