"""The requests of the owner of a key, to a server that answers with something else."""

from pathlib import Path
from typing import Any

import pytest

from noughts.arena.remote.own_key import KeyFile, KeyHolder
from noughts.errors import ServerFailed


class _OddServer:
    """A client of a server that gives the same *answer* to everything."""

    origin, session = "https://play.example", ""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def ask(self, *_: object) -> Any:
        return self._answer


@pytest.mark.parametrize("answer", [None, [], {}, "x", {"nonce": 1}, {"identity": 1}])
def test_odd_answers_are_refused(tmp_path: Path, answer: Any) -> None:
    holder = KeyHolder(_OddServer(answer), KeyFile(tmp_path / "key.json"))  # type: ignore[arg-type]
    for request in (lambda: holder.restore(bytes(16)), holder.ask_to_be_added):
        with pytest.raises(ServerFailed):
            request()
    with pytest.raises(ServerFailed):
        holder.register("Ada", bytes(16))


def test_digits_of_a_new_device_are_safe_to_show(tmp_path: Path) -> None:
    server = _OddServer({"nonce": "x", "code": "1\x1b]0;2\x07", "secret": "y"})
    holder = KeyHolder(server, KeyFile(tmp_path / "key.json"))  # type: ignore[arg-type]
    assert "\x1b" not in holder.ask_to_be_added()[1]
