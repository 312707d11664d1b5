"""The service worker: its stored files, and the page that it shows without a network."""

import json
import os
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from noughts.interfaces.web.pages.assets import FOLDER
from noughts.interfaces.web.pages.offline import PAGE
from tests.interfaces.web.harness import Guest, House, served

WORKER = "/service-worker.js"


async def shell_of(guest: Guest) -> dict[str, Any]:
    """Return the description of the stored files in the service worker."""
    text = (await guest.get(WORKER)).text
    shell: dict[str, Any] = json.loads(
        text.split("\n", 1)[0].removeprefix("const SHELL = ").removesuffix(";")
    )
    return shell


@served
async def test_stored_files_have_their_digests(house: House) -> None:
    guest = house.guest()
    shell = await shell_of(guest)
    for file in shell["files"]:
        assert not file["address"].startswith("/api/")
        answer = await guest.get(file["address"])
        assert answer.headers["cache-control"].endswith("immutable"), file
        assert sha256(answer.content).hexdigest() == file["digest"]
    addresses = {file["address"] for file in shell["files"]}
    assert {*shell["sentences"].values()} <= addresses
    old = await guest.get(f"{PAGE}/0123456789abcdef/en.json")
    assert (old.status_code, old.headers["cache-control"]) == (200, "no-cache")
    assert (await guest.get(f"{PAGE}/0123456789abcdef/xx.json")).status_code == 404


@served
async def test_offline_page_names_its_version_and_files(house: House) -> None:
    guest = house.guest()
    shell = await shell_of(guest)
    addresses = {file["address"] for file in shell["files"]}
    for language in ("en", "zh-Hant"):
        page = await guest.get(PAGE, headers={"accept-language": language})
        assert f'data-shell="{shell["version"]}"' in page.text
        needed = re.findall(r'"(/(?:static|i18n|offline)/[^"]+\.(?:js|json|css))"', page.text)
        assert len(needed) >= 3
        assert {*needed} <= addresses


@served
async def test_browsers_check_for_a_new_service_worker(house: House) -> None:
    answer = await house.guest().get(WORKER)
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "worker-src 'self'" in answer.headers["content-security-policy"]


def run_script(*arguments: str | Path, text: str = "") -> Any:
    """Return the JSON that a script writes. It may read files, and gets *text* as standard input."""
    command = [sys.executable, "-m", "deno", "run", "--quiet", "--no-remote", "--no-npm", "--allow-read"]
    environ = {**os.environ, "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"}
    run = subprocess.run(
        [*command, *map(str, arguments)], input=text, capture_output=True, text=True, check=False, env=environ
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.slow
def test_new_service_worker_never_mixes_versions() -> None:
    worker = FOLDER / "static" / "service_worker.js"
    answers = run_script(Path(__file__).with_name("update_worker.js"), worker)
    old, new = '<div data-shell="v1">', '<div data-shell="v2">'
    assert answers == {
        "installed": ["done", "done"],
        "late": "failed: another version",
        "mixed": "failed: another version of /static/2/x.js",
        "updated": "done",
        "before": ["noughts-shell-v1", "noughts-shell-v2"],
        "online": ["a room", "one"],
        "offline": [old, "one"],
        "untouched": [None] * 5,
        "activated": "done",
        "after": ["noughts-shell-v2"],
        "then": [new, "two"],
    }
