"""Any requests in any order: no player is in two games, no blocked players meet, and no offer is lost."""

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from noughts.arena.lobby.lobby import CHALLENGE_MS, ArrangedGame, Lobby
from noughts.arena.lobby.offers import LobbyOffer, OfferState, Seeker
from noughts.errors import NotFound, OfferRefused
from noughts.text import fold_name
from tests.arena.lobby.seekers import QUICK, SLOW, offer, seeker

NAMES = ("Ada", "Bob", "Jun", "Olga", "Wei")
RATINGS = {"Ada": 1_500, "Bob": 1_540, "Jun": 1_900, "Olga": None, "Wei": 1_300}
BLOCKS = ({"Ada", "Bob"}, {"Olga", "Wei"})
names = st.sampled_from(NAMES)
games = st.sampled_from((("gomoku",), ("reversi",), ("gomoku", "reversi")))
clocks = st.sampled_from(((QUICK,), (SLOW,), (QUICK, SLOW)))


def _player(name: str) -> Seeker:
    return seeker(name, RATINGS[name])


def _blocked(one: Seeker, two: Seeker) -> bool:
    return {one.name, two.name} in BLOCKS


class LobbyMachine(RuleBasedStateMachine):
    """The lobby beside a model: the open offers by number, and the players in games."""

    def __init__(self) -> None:
        super().__init__()
        self.lobby, self.at = Lobby(), 1_000
        self.open: dict[int, LobbyOffer] = {}
        self.playing: dict[str, str] = {}
        """The rooms of the players in games."""
        self.rooms = 0

    # Requests

    @precondition(lambda self: len(self.playing) < len(NAMES))
    @rule(data=st.data(), games=games, clocks=clocks, lowest=st.sampled_from((None, None, 1_400)))
    def publish(
        self, data: st.DataObject, games: tuple[str, ...], clocks: tuple[object, ...], lowest: int | None
    ) -> None:
        name = data.draw(st.sampled_from([name for name in NAMES if name not in self.playing]))
        made = offer(_player(name), 0, self.at, games=games, clocks=clocks, lowest=lowest)
        self._replace(self.lobby.publish(made))

    @precondition(lambda self: len(self.playing) < len(NAMES))
    @rule(data=st.data(), recipient=names)
    def challenge(self, data: st.DataObject, recipient: str) -> None:
        name = data.draw(st.sampled_from([name for name in NAMES if name not in self.playing]))
        made = offer(_player(name), 0, self.at, recipient=fold_name(recipient))
        try:
            self._replace(self.lobby.publish(made))
        except OfferRefused:
            assert recipient == name

    def _replace(self, published: LobbyOffer) -> None:
        assert all(number < published.number for number in self.open)
        self.open = {number: offer for number, offer in self.open.items() if offer.key != published.key}
        self.open[published.number] = published

    @rule(number=st.integers(0, 30), name=names)
    def withdraw(self, number: int, name: str) -> None:
        self.lobby.withdraw(number, _player(name).visitor, self.at)
        if number in self.open and self.open[number].seeker.name == name:
            del self.open[number]

    @precondition(lambda self: self.open)
    @rule(data=st.data(), name=names)
    def accept(self, data: st.DataObject, name: str) -> None:
        number = data.draw(st.sampled_from(sorted(self.open)))
        if name in self.playing:
            return
        taken = self.open[number]
        try:
            meeting = self.lobby.accept(number, _player(name), None, self.at, _blocked)
        except (OfferRefused, NotFound):
            is_own, is_blocked = taken.seeker.name == name, _blocked(taken.seeker, _player(name))
            is_for_others = taken.recipient not in (None, fold_name(name))
            assert is_own or is_blocked or is_for_others or not taken.suits(_player(name), taken.games[0])
            return
        assert (meeting.first, meeting.second) == (taken.seeker, _player(name))
        self._meet(meeting)

    @rule(number=st.integers(1, 30), name=names)
    def accept_what_is_gone(self, number: int, name: str) -> None:
        if number in self.open or name in self.playing:
            return
        try:
            self.lobby.accept(number, _player(name), None, self.at, _blocked)
        except (OfferRefused, NotFound):
            return
        raise AssertionError("an offer that is gone was taken")

    @precondition(lambda self: self.open)
    @rule(data=st.data(), name=names)
    def decline(self, data: st.DataObject, name: str) -> None:
        number = data.draw(st.sampled_from(sorted(self.open)))
        challenge = self.open[number]
        try:
            self.lobby.decline(number, _player(name), self.at)
        except NotFound:
            assert challenge.recipient not in (None, fold_name(name))
        except OfferRefused:
            assert challenge.recipient not in (None, fold_name(name))
        else:
            if challenge.recipient is not None:
                del self.open[number]

    @rule(limit=st.sampled_from((None, 1)))
    def pair(self, limit: int | None) -> None:
        meetings = self.lobby.pair(self.at, _blocked, limit)
        assert limit is None or len(meetings) <= limit
        for meeting in meetings:
            self._meet(meeting)

    def _meet(self, meeting: ArrangedGame) -> None:
        two = {meeting.first.name, meeting.second.name}
        assert len(two) == 2
        assert not two & set(self.playing)
        assert two not in BLOCKS
        self.rooms += 1
        self.lobby.note_room(meeting, f"room {self.rooms}", self.at)
        self.playing |= dict.fromkeys(two, f"room {self.rooms}")
        self.open = {number: offer for number, offer in self.open.items() if offer.seeker.name not in two}

    @precondition(lambda self: self.playing)
    @rule(data=st.data(), is_given_back=st.booleans())
    def end_game(self, data: st.DataObject, is_given_back: bool) -> None:
        name = data.draw(st.sampled_from(sorted(self.playing)))
        room = self.playing[name]
        self.playing = {other: where for other, where in self.playing.items() if where != room}
        if not is_given_back:
            return
        before = {offer.number for offer in self.lobby.open_offers}
        self.lobby.give_back(room, _player(name).visitor)
        again = [offer for offer in self.lobby.open_offers if offer.number not in before]
        assert len(again) <= 1
        assert all(offer.recipient is None and offer.seeker.name != name for offer in again)
        self.open |= {offer.number: offer for offer in again}

    @rule(name=names, worker=st.sampled_from(("here", "there")))
    def hold(self, name: str, worker: str) -> None:
        self.lobby.hold(_player(name).visitor, worker)

    @rule(name=names, worker=st.sampled_from(("here", "there")))
    def leave(self, name: str, worker: str) -> None:
        held = [open_ for open_ in self.lobby.open_of(_player(name).visitor) if open_.worker == worker]
        self.lobby.leave(_player(name).visitor, worker, self.at)
        for left in held:
            del self.open[left.number]

    @rule(milliseconds=st.sampled_from((1_000, 20_000, CHALLENGE_MS)))
    def wait(self, milliseconds: int) -> None:
        self.at += milliseconds
        self.lobby.expire(self.at)
        self.lobby.forget(self.at)
        for number, waiting in tuple(self.open.items()):
            if waiting.recipient is not None and self.at - waiting.since >= CHALLENGE_MS:
                del self.open[number]

    @rule()
    def move_to_another_worker(self) -> None:
        there = Lobby()
        there.take_in(sorted(self.lobby.offers.values(), key=lambda offer: offer.changed))
        there.version = self.lobby.version
        self.lobby = there

    @invariant()
    def no_offer_is_lost(self) -> None:
        assert [offer.number for offer in self.lobby.open_offers] == sorted(self.open)
        assert not {offer.seeker.name for offer in self.lobby.open_offers} & set(self.playing)
        for known in self.lobby.offers.values():
            assert (known.state is OfferState.TAKEN) == (known.opponent is not None)


TestLobby = LobbyMachine.TestCase
