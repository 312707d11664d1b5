"""The service worker: its stored files, and the page that it shows without a network."""

import json
import re
from hashlib import sha256
from typing import Any

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
    assert {*shell["sentences"].values()} <= {file["address"] for file in shell["files"]}


@served
async def test_offline_page_names_its_version_and_files(house: House) -> None:
    guest = house.guest()
    shell = await shell_of(guest)
    addresses = {file["address"] for file in shell["files"]}
    for language in ("en", "zh-Hant"):
        page = await guest.get(PAGE, headers={"accept-language": language})
        assert f'data-shell="{shell["version"]}"' in page.text
        needed = re.findall(r'"(/(?:static|i18n)/[^"]+\.(?:js|json|css))"', page.text)
        assert len(needed) >= 3
        assert {*needed} <= addresses


@served
async def test_browsers_check_for_a_new_service_worker(house: House) -> None:
    answer = await house.guest().get(WORKER)
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "worker-src 'self'" in answer.headers["content-security-policy"]
