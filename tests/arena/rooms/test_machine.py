"""Any commands in any order, from both seats, with restarts: rooms agree with a simple model."""

import tempfile
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.commands import (
    Accept,
    Choose,
    Claim,
    Command,
    Decline,
    LeaveSeat,
    OfferDraw,
    Rematch,
    Resign,
    TakeBack,
    WrittenMove,
)
from noughts.arena.rooms.models import Phase
from noughts.arena.series import Begins
from noughts.arena.store.database import open_database
from noughts.arena.table import Terms
from noughts.errors import BadInput, StaleRoom
from tests.arena.model import OTHER, MatchModel
from tests.arena.rooms.tables import Table, Time
from tests.databases import new_file, url_of

pytestmark = pytest.mark.slow


CLOCKS = [UNTIMED, Clock(base=5_000, increment=500), Clock(per_move=2_000)]
NAMES = {
    WrittenMove: "move",
    Resign: "resign",
    OfferDraw: "propose",
    TakeBack: "propose",
    Accept: "accept",
    Decline: "decline",
    Claim: "claim",
}
commands = st.one_of(
    st.sampled_from("123456789").map(WrittenMove),
    st.sampled_from("123456789").map(WrittenMove),
    st.sampled_from((Resign(), OfferDraw(), Accept(), Accept(), Decline(), Claim(), LeaveSeat())),
    st.sampled_from((Rematch(), Rematch(), Rematch(), Choose("X"), Choose("O"))),
    st.integers(1, 3).map(TakeBack),
)
places = st.integers(0, 1)


class Model:
    """A simple model of a room of two people."""

    def __init__(self, clock: Clock, begins: Begins, at: int) -> None:
        self.clock, self.begins, self.version, self.acted = clock, begins, 2, 2
        self.here = [True, True]
        self.wishes: set[int] = set()
        self.results: list[tuple[int | None, str]] = []  # the place that won, and why
        self.match: MatchModel | None = None
        self.sides = ["", ""]
        self.first = 0
        self.closed = self.chooses = False
        self.next_game(at)

    def next_game(self, at: int) -> None:
        self.chooses = self.begins is Begins.CHOOSER
        if not self.chooses:
            self.begin(len(self.results) % 2 if self.begins is Begins.ALTERNATE else 0, "X", at)

    def begin(self, first: int, mark: str, at: int) -> None:
        self.match, self.first, self.chooses = MatchModel(self.clock, 1_000), first, False
        self.sides = [mark, OTHER[mark]] if first == 0 else [OTHER[mark], mark]
        self.match.began = at
        self.wishes.clear()
        for place in (0, 1):
            if not self.here[place]:
                self.tell("leave", place, None, at)

    def playing(self) -> bool:
        return self.match is not None and self.match.end is None and not self.chooses

    def tell(self, what: str, place: int, value: Any, at: int) -> bool:
        """Pass a command to the model of the match, in which X begins: sides are named by turn order."""
        assert self.match is not None
        side = "X" if place == self.first else "O"
        if self.match.command(what, side, value, at) is None:
            return False
        if self.match.end is not None:
            winner, why = self.match.end
            place_of = {"X": self.first, "O": 1 - self.first, None: None}
            self.results.append((place_of[winner], why))
        return True

    def command(self, place: int, command: Command, at: int) -> bool:
        if not self.here[place] and not isinstance(command, Rematch | Choose | LeaveSeat) and self.playing():
            # A command shows presence, but only if it is accepted.
            if not self._granted(place, command, at):
                return False
        elif not self._plain(place, command, at):
            return False
        self.here[place] = True
        self.version += 1
        self.acted = self.version
        return True

    def _granted(self, place: int, command: Command, at: int) -> bool:
        assert self.match is not None
        side = "X" if place == self.first else "O"
        since = self.match.away.pop(side, None)
        granted = self._plain(place, command, at)
        if not granted and since is not None:
            self.match.away[side] = since
        return granted

    def _plain(self, place: int, command: Command, at: int) -> bool:
        match command:
            case Rematch():
                ended = self.match is not None and self.match.end is not None
                if self.closed or not ended or self.chooses or place in self.wishes:
                    return False
                self.wishes.add(place)
                if len(self.wishes) == 2:
                    self.next_game(at)
            case Choose(mark):
                if self.closed or not self.chooses or place != len(self.results) % 2:
                    return False
                self.begin(place, mark, at)
            case LeaveSeat():
                if self.closed or self.playing():
                    return False
                self.closed = True
                self.wishes.clear()
            case _:
                value: Any = None
                if isinstance(command, WrittenMove):
                    value = command.move
                if isinstance(command, TakeBack | OfferDraw):
                    return self.match is not None and self._propose(place, command, at)
                return self.match is not None and self.tell(NAMES[type(command)], place, value, at)
        return True

    def _propose(self, place: int, command: Command, at: int) -> bool:
        if isinstance(command, TakeBack):
            return self.tell("take_back", place, command.plies, at)
        return self.tell("offer_draw", place, None, at)

    def presence(self, place: int, here: bool, at: int) -> None:
        if self.here[place] != here:
            self.here[place] = here
            self.version += 1
            if self.playing():
                self.tell("come_back" if here else "leave", place, None, at)

    def tick(self, at: int) -> None:
        if self.playing() and self.match is not None and self.match.time_left(self.match.turn, at) == 0:
            self.match.finish(OTHER[self.match.turn], "time", at)
            place_of = {"X": self.first, "O": 1 - self.first}
            assert self.match.end is not None
            self.results.append((place_of[self.match.end[0] or ""], "time"))
            self.version += 1
            self.acted = self.version


class RoomMachine(RuleBasedStateMachine):
    """Rooms over a file beside the model."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.url = url_of(new_file(Path(self.folder.name) / "rooms.db"))
        self.time = Time()
        self.table = Table(open_database(self.url), self.time)
        self.keys: list[tuple[int, Command, str, int]] = []

    @initialize(
        clock=st.sampled_from(CLOCKS), begins=st.sampled_from((Begins.CHOOSER, Begins.ALTERNATE, Begins.X))
    )
    def open(self, clock: Clock, begins: Begins) -> None:
        setup = Terms("tictactoe", ("human", "human"), begins, clock, 1_000)
        self.room = self.table.pair(setup)[0].room
        self.model = Model(clock, begins, self.time.at)

    @rule(place=places, command=commands, behind=st.integers(-1, 2))
    def command(self, place: int, command: Command, behind: int) -> None:
        version, key = self.model.version - behind, f"key {len(self.keys)}"
        is_stale = not self.model.acted <= version <= self.model.version
        expected = not is_stale and self.model.command(place, command, self.time.at)
        refusal: Exception | None = None
        try:
            answered = self.table.rooms.submit(self.room, place, command, version=version, key=key).result()
        except BadInput as error:
            refusal = error
        assert (refusal is None) == expected
        assert isinstance(refusal, StaleRoom) == is_stale
        if refusal is None:
            assert (answered.version, answered.is_repeated) == (self.model.version, False)
            self.keys.append((place, command, key, answered.version))

    @precondition(lambda self: self.keys)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        place, command, key, made = data.draw(st.sampled_from(self.keys))
        answered = self.table.rooms.submit(self.room, place, command, version=made - 1, key=key).result()
        assert (answered.version, answered.is_repeated) == (made, True)

    @rule(place=places, here=st.booleans())
    def presence(self, place: int, here: bool) -> None:
        self.table.rooms.set_presence(self.room, place, here)
        self.model.presence(place, here, self.time.at)

    @rule(milliseconds=st.sampled_from((1, 400, 1_000, 1_999)))
    def wait(self, milliseconds: int) -> None:
        self.time.pass_by(milliseconds)

    @rule()
    def tick(self) -> None:
        self.table.rooms.expiry.tick()
        self.model.tick(self.time.at)

    @rule()
    def restart(self) -> None:
        here, seed = [*self.model.here], self.table.seed
        self.table.rooms.close()
        self.table.database.close()
        # The same chance makes the same worker, as if it had never been away.
        self.table = Table(open_database(self.url), self.time, seed)
        assert self.table.rooms.look(self.room).present == {place for place in (0, 1) if here[place]}

    @invariant()
    def is_as_the_model_says(self) -> None:
        if not hasattr(self, "model"):
            return
        model, view = self.model, self.table.rooms.look(self.room)
        assert view.version == model.version
        assert view.present == {place for place in (0, 1) if model.here[place]}
        assert view.wishes == model.wishes if not model.chooses else True
        places = {view.names[place]: place for place in (0, 1)}
        assert [
            (places[result.seats[result.winner]] if result.winner else None, result.termination)
            for result in view.results
        ] == model.results
        if model.closed:
            assert view.phase is Phase.CLOSED
        elif model.chooses:
            assert (view.phase, view.chooser) == (Phase.CHOOSING, len(model.results) % 2)
        else:
            assert view.phase is (Phase.PLAYING if model.playing() else Phase.OVER)
        if model.match is not None:
            assert [view.sides[place] for place in (0, 1)] == model.sides
            assert view.match.game.ply == len(model.match.moves)
            turn = view.sides[model.first if model.match.turn == "X" else 1 - model.first]
            assert view.match.turn == turn
            for place in (0, 1):
                side = "X" if place == model.first else "O"
                left = view.match.time_left(view.sides[place], self.time.at)
                assert left == model.match.time_left(side, self.time.at)
        if view.game_id is not None:
            stored = self.table.database.load(view.game_id)
            assert [event.version for event in stored.events] == list(range(1, view.match.version + 1))

    def teardown(self) -> None:
        self.table.rooms.close()
        self.table.database.close()
        self.folder.cleanup()


RoomMachine.TestCase.settings = settings(max_examples=settings().max_examples // 2, stateful_step_count=40)


TestRooms = RoomMachine.TestCase


def test_model_can_disagree_with_the_rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine detects a room with too few changes."""
    monkeypatch.setattr(Model, "tick", lambda self, at: setattr(self, "version", self.version + 1))
    usual = RoomMachine.TestCase.settings  # the shortest example is not needed
    monkeypatch.setattr(RoomMachine.TestCase, "settings", settings(usual, phases=[hypothesis.Phase.generate]))
    with pytest.raises(Exception, match="assert"):
        RoomMachine.TestCase("runTest").runTest()
