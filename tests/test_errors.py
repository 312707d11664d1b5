"""Errors carry data, have a short ASCII text, and survive pickling."""

import copy
import inspect
import pickle

import pytest

from noughts import errors, new_game
from noughts.arena.commands import Resign
from noughts.arena.rooms.models import RoomFacts
from noughts.arena.rooms.room import Room, seated
from noughts.arena.table import Terms
from noughts.errors import NoughtsError

TWO, FREE = ("human", "human"), (None, None)
LONG = "\x1b[31m井\ud800" * 100

EXAMPLES = [
    NoughtsError("anything"),
    errors.BadInput("anything"),
    errors.ShapeError(LONG, "not-integers"),
    errors.ShapeError((10**9,), "too-many-cells", 1_000_000),
    errors.CoordinateError(LONG, (3, 3)),
    errors.RulesError("k-too-large", k=5, longest=3),
    errors.RulesError("marks"),
    errors.UnknownMark(LONG, ["X", "O"]),
    errors.NotationError("move", LONG),
    errors.NotationError("record", None, "number", cause=errors.NotFound("game", "chess", ["tictactoe"])),
    errors.NameRefused(LONG, "control"),
    errors.NotRated("no-clock"),
    errors.PauseRefused("not-paused"),
    errors.KeyRefused("refused"),
    errors.WordsRefused("unknown", word=LONG, near="orange"),
    errors.FileRefused(LONG, "No such file"),
    errors.NotFound("player", LONG),
    errors.GameLeftOut(LONG, "a-package", "failed", LONG),
    errors.SeatTaken(LONG),
    errors.OfferRefused("own-offer"),
    errors.OfferGone(),
    errors.AskedGuest(),
    errors.MoveRefused(),
    errors.GameOver((1, 1)),
    errors.OutOfTurn("X", "O"),
    errors.IllegalMove(LONG, [(0, 0), (0, 1)]),
    errors.OccupiedCell((0, 0), []),
    errors.OccupiedCell((0, 0), [(5, 1)], "column-full"),
    errors.FloatingCell((0, 0), [(5, 0)]),
    errors.ForbiddenMove((7, 7), [(0, 0)], "33"),
    errors.IllegalActions([7, 8, 9, 10], [2**63 - 1] * 4),
    errors.CommandRefused(Resign(), "unknown-side"),
    errors.StaleRoom(Room("name", 7, seated(Terms("tictactoe", TWO), FREE), RoomFacts(FREE, 0))),
    errors.ExtraMissing("Batch", "study"),
    errors.DamagedFile(LONG, "old-proof", game="tictactoe"),
    errors.UnsupportedRules("perfect", "gomoku", "too-large", instead=["rule"], nodes=5),
    errors.PlayerFailed(LONG, LONG),
    errors.PlayerAtFault(LONG, "crashed", LONG),
    errors.SandboxMissing(LONG, LONG),
    errors.SandboxRefused(LONG, LONG, "link"),
    errors.GameBroken("hop", LONG, LONG),
    errors.WorkersFailed(LONG),
    errors.ServerFailed("https://noughts.example", "refused", LONG, 422),
    errors.StoreError("games.db", "locked"),
    errors.DamagedStore("games.db", "digest"),
    errors.UnknownGame("game 7", LONG),
    errors.UnknownOpening("game 7", "gomoku", LONG),
    errors.UnusableGame("game 7", errors.GameBroken("hop", "noughts-hop", LONG)),
    errors.NothingToUndo(),
    errors.StaleVersion("games.db", "version 3 after 1"),
    errors.NewerStore("games.db", "0009"),
]
IDS = [f"{place}-{type(error).__name__}" for place, error in enumerate(EXAMPLES)]


def test_every_error_class_has_an_example() -> None:
    kinds = {value for value in vars(errors).values() if inspect.isclass(value)}
    assert {kind for kind in kinds if issubclass(kind, NoughtsError)} == {type(error) for error in EXAMPLES}


@pytest.mark.parametrize("error", EXAMPLES, ids=IDS)
def test_error_text_is_short_and_plain(error: NoughtsError) -> None:
    assert str(error).isascii()
    assert str(error).isprintable()
    assert len(str(error)) < 160


@pytest.mark.parametrize("error", EXAMPLES, ids=IDS)
def test_errors_survive_pickling_and_copying(error: NoughtsError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again).keys() == vars(error).keys()
        for name, value in vars(error).items():
            assert str(getattr(again, name)).encode(errors="replace") == str(value).encode(errors="replace")


def test_only_bad_input_is_a_value_error() -> None:
    for error in EXAMPLES:
        assert isinstance(error, ValueError) == isinstance(error, errors.BadInput)


def test_errors_carry_data() -> None:
    error = errors.IllegalMove((1, 1), [(0, 0)])
    assert (error.move, error.legal) == ((1, 1), ((0, 0),))
    refused = errors.UnsupportedRules("perfect", "gomoku", "too-large", instead=["rule"], nodes=5)
    assert (refused.who, refused.game, refused.reason) == ("perfect", "gomoku", "too-large")
    assert (refused.instead, refused.data) == (("rule",), {"nodes": 5})
    store = errors.NewerStore("games.db", "0009")
    assert (store.where, store.reason) == ("games.db", "0009")


def test_unprintable_value_has_error_text() -> None:
    class Unshowable:
        def __repr__(self) -> str:
            raise SystemExit

    assert str(errors.UnknownMark(Unshowable(), ["X"])) == "unknown mark <Unshowable>; allowed: X"


@pytest.mark.parametrize(
    ("game", "move", "words"),
    [
        ("connect4", (0, 0), "(0, 0) has nothing below it; legal moves: 7"),
        ("tictactoe", (1, 1), "(1, 1) is occupied; legal moves: 8"),
        ("fifteen", (0, 0), "(0, 0) is no legal move"),
    ],
)
def test_refused_move_has_error_text(game: str, move: tuple[int, ...], words: str) -> None:
    board = new_game(game, seed=2)
    if game == "tictactoe":
        board.play((1, 1))
    with pytest.raises(errors.MoveRefused) as refused:
        board.play(move)
    assert str(refused.value).startswith(words)


def test_forbidden_move_names_renju_rule() -> None:
    refused = errors.ForbiddenMove((7, 7), [(0, 0)], "44")
    assert str(refused) == "(7, 7) is forbidden (a double four); legal moves: 1"


def test_error_codes_become_words() -> None:
    assert str(errors.RulesError("k-too-small", k=0)) == "these rules have no meaning: k too small (k 0)"
    assert (
        str(errors.ShapeError((0,), "side-too-small", 1)) == "no board has the shape (0,): side too small (1)"
    )
    assert str(errors.StoreError("a.db", "no file /a-b")) == "database a.db: no file /a-b"
