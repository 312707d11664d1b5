"""Whatever is sent: an answer with a code, never a failure, and nothing has changed."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.interfaces.web.harness import run, running

TEXT = st.text(max_size=30) | st.sampled_from(["tictactoe", "3x3", "friend", "rule", "Ada", "move", "5", "X"])
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
FIELDS = {
    "/api/rooms": ("game", "opponent", "name", "place", "begins", "clock", "computers"),
    "/api/join": ("code", "room", "name"),
    "/api/analyse": ("game", "ply", "seconds"),
    "commands": ("version", "key", "command"),
    "analyse": ("ply", "seconds", "tokens"),
}
RIGHT: dict[str, Any] = {
    "game": st.sampled_from(["tictactoe", "4x4:3,gravity", "wild"]),
    "name": TEXT,
    "version": st.just(2),
    "key": st.just("k"),
    "command": st.fixed_dictionaries(
        {"type": st.sampled_from(["move", "take-back", "choose", "claim"])},
        optional={"move": TEXT, "plies": VALUE, "mark": TEXT},
    ),
}


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, Any]:
    path = draw(st.sampled_from(sorted(FIELDS)))
    body: Any = {
        name: draw(RIGHT.get(name, VALUE) | VALUE)
        for name in FIELDS[path]
        if draw(st.integers(0, 3)) or name in ("version", "key")
    }
    return path, draw(st.just(body) | VALUE) if draw(st.integers(0, 5)) == 0 else body


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(requests(), min_size=5, max_size=10), st.sampled_from(["en", "ru", "zh-Hans", "", "%00"]))
def test_nothing_that_is_sent_is_a_failure(asked: list[tuple[str, Any]], lang: str) -> None:
    async def go() -> None:
        async with running() as house:
            one, two = await house.pair()
            before = await one.look()
            for path, body in asked:
                where = path if path.startswith("/") else f"/api/rooms/{one.room}/{path}"
                sent = {} if body is None else {"json": body}
                answer = await two.client.post(f"{where}?lang={lang}", headers=two.proof, **sent)
                assert answer.status_code < 500, answer.text
                if answer.status_code >= 400:
                    error = answer.json()["error"]
                    assert error["code"]
                    assert error["sentence"]
                    assert (await one.look()) == before
                else:
                    before = await one.look()

    run(go())
