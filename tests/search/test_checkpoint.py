"""Checkpoints: the results of a search are saved in a file and reused."""

import json
from hashlib import blake2b
from io import BytesIO

import pytest

from noughts import new_game
from noughts.search.analysis import Limit
from noughts.search.analyst import Analyst
from noughts.search.exact.checkpoint import DIGEST_BYTES, CheckpointError, read_checkpoint, write_checkpoint
from noughts.search.exact.search import ExactSearch
from tests.search.machines import MACHINES, machine_of


def interrupted(spec: str, nodes: int, machine: str = "python") -> tuple[ExactSearch, bytes]:
    """Return a search that was stopped after *nodes* nodes, and its checkpoint."""
    analyst, game = Analyst(machine=machine_of(machine)), new_game(spec)
    analyst.solve(game, Limit(nodes=nodes))
    search, stream = analyst.exact_search(game), BytesIO()
    assert search is not None
    write_checkpoint(search, stream)
    return search, stream.getvalue()


def resumed(spec: str, work: bytes, machine: str = "python") -> tuple[Analyst, ExactSearch]:
    analyst = Analyst(machine=machine_of(machine))
    search = analyst.exact_search(new_game(spec))
    assert search is not None
    read_checkpoint(search, BytesIO(work))
    return analyst, search


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("spec", ["4x4:4,gravity", "4x3:3", "4x4:3", "4x4:4,wrap", "3x3:3,wild"])
def test_resumed_search_gives_the_same_answer(spec: str, machine: str) -> None:
    game = new_game(spec)
    whole = Analyst(machine=machine_of(machine)).solve(game)
    work = b""
    for nodes in (1, max(2, whole.nodes // 3), whole.nodes):
        before, work = interrupted(spec, nodes, machine)
        analyst, after = resumed(spec, work, machine)
        assert [(name, list(table), nodes) for name, table, nodes in before.tables()] == [
            (name, list(table), nodes) for name, table, nodes in after.tables()
        ]
        found = analyst.solve(game)
        assert (found.value, found.plies) == (whole.value, whole.plies)
    assert found.nodes <= whole.nodes // 4 + 1, "what is known need not be found out again"


def test_machines_share_checkpoints() -> None:
    _, work = interrupted("4x4:4,gravity", 3_000, "python")
    analyst, search = resumed("4x4:4,gravity", work, "numba")
    assert analyst.solve(new_game("4x4:4,gravity")).value == 0
    stream = BytesIO()
    write_checkpoint(search, stream)
    again, _ = resumed("4x4:4,gravity", stream.getvalue(), "python")
    assert again.solve(new_game("4x4:4,gravity")).nodes < 2_000


def test_damaged_checkpoint_is_refused() -> None:
    _, work = interrupted("4x3:3", 300)
    begins = work.index(b"\n")
    places = [0, 1, begins // 2, begins, begins + 1, len(work) // 2, len(work) - 20, len(work) - 1]
    damaged = [work[:place] + bytes([work[place] ^ 1]) + work[place + 1 :] for place in places]
    for text in (
        *damaged,
        *(work[:place] for place in places),
        work + b"\n",
        b"",
        b"[]\n",
        b'{"tables": {}}\n',
        b'{"tables": {"exact": [Infinity, 0]}}\n',
        b"[" * 4000,
    ):
        with pytest.raises(CheckpointError):
            resumed("4x3:3", text)


@pytest.mark.parametrize("numbers", [-1, 0, 1, 3])
def test_impossible_table_sizes_are_refused(numbers: int) -> None:
    """Such sizes are refused even with a valid digest, since anyone may have written the file."""
    search = Analyst().exact_search(new_game("4x3:3"))
    assert search is not None
    header = json.loads(interrupted("4x3:3", 300)[1].partition(b"\n")[0])
    tables = {**{name: [len(table), 0] for name, table, _ in search.tables()}, "exact": [numbers, 0]}
    line = json.dumps({**header, "tables": tables}).encode() + b"\n"
    rest = bytes(8 * sum(max(0, count) for count, _ in tables.values()))
    text = line + rest + blake2b(line + rest, digest_size=DIGEST_BYTES).digest()
    with pytest.raises(CheckpointError):
        read_checkpoint(search, BytesIO(text))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [(b'"4x3:3"', b'"4x4:3"', "other-game"), (b'"search": "', b'"search": "x', "other-version"),
     (b"noughts work 1", b"noughts work 2", "damaged"), (b'"blocking"', b'"blockinx"', "damaged")],
)  # fmt: skip
def test_checkpoint_of_another_search_is_refused(old: bytes, new: bytes, reason: str) -> None:
    _, work = interrupted("4x3:3", 300)
    assert old in work
    with pytest.raises(CheckpointError) as refused:
        resumed("4x3:3", resealed(work, old, new))
    assert refused.value.reason == reason
    with pytest.raises(CheckpointError) as refused:
        resumed("4x3:3", work.replace(old, new, 1))
    assert refused.value.reason == "damaged"


def resealed(work: bytes, old: bytes, new: bytes) -> bytes:
    """Return the file *work* with *new* instead of *old*, and its digest."""
    changed = work[:-DIGEST_BYTES].replace(old, new, 1)
    return changed + blake2b(changed, digest_size=DIGEST_BYTES).digest()


def test_other_searches_have_no_checkpoint() -> None:
    analyst = Analyst()
    assert [analyst.exact_search(new_game(name)) for name in ("fifteen", "vanishing", "pentago")] == [
        None
    ] * 3


@pytest.mark.parametrize("spec", ["5x4:4,gravity", "5x5:4,exact", "3x3x3:3", "3x3x3:3,misere"])
def test_memory_limit_bounds_table_growth(spec: str) -> None:
    sizes = {}
    for most in (None, 1 << 21, 1 << 23):
        analyst, game = Analyst(machine=machine_of("python")), new_game(spec)
        search = analyst.exact_search(game)
        assert search is not None
        if most is not None:
            least = search.limit_memory(0)
            assert search.limit_memory(most) == least <= most
            search.nodes = 1 << 22
            for part in (search.blocking, search.attacking, search._columns):
                if part is not None:
                    part.nodes = 1 << 28
                    for _ in range(12):
                        part._enlarge_table()
            for _ in range(12):
                search._enlarge_table()
            sizes[most] = sum(8 * len(table) for _, table, _ in search.tables())
            spare = 8 * len(search._table) if search._columns is not None else 0
            assert most // 8 < sizes[most] <= most + spare
    assert sizes[1 << 21] < sizes[1 << 23]
