"""Any requests in any order: no player is in two games, no blocked players meet, and no offer is lost."""

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from noughts.arena.lobby.lobby import MAX_LASTING, ArrangedGame, Lobby
from noughts.arena.lobby.offers import CHALLENGE_MS, LASTING_MS, LobbyOffer, OfferState, Seeker, TakerWish
from noughts.arena.stored_game import BY_LINK, PUBLIC
from noughts.errors import NotFound, OfferRefused
from noughts.text import fold_name
from tests.arena.lobby.seekers import BY_DAYS, QUICK, SLOW, offer, seeker

NAMES = ("Ada", "Bob", "Jun", "Olga", "Wei")
RATINGS = {"Ada": 1_500, "Bob": 1_540, "Jun": 1_900, "Olga": None, "Wei": 1_300}
BLOCKS = ({"Ada", "Bob"}, {"Olga", "Wei"})
names = st.sampled_from(NAMES)
games = st.sampled_from((("gomoku",), ("reversi",), ("gomoku", "reversi")))
clocks = st.sampled_from(((QUICK,), (SLOW,), (QUICK, SLOW), (QUICK, BY_DAYS)))


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
        self.left: dict[str, str] = {}
        """The owners and the takers of lasting offers, by the rooms of their games."""
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

    @rule(name=names, games=games, lowest=st.sampled_from((None, None, 1_400)))
    def publish_lasting(self, name: str, games: tuple[str, ...], lowest: int | None) -> None:
        own = [one for one in self.open.values() if one.lasts and one.seeker.name == name]
        clocks = (BY_DAYS,)
        made = offer(_player(name), 0, self.at, games=games, clocks=clocks, lowest=lowest, lasts=True)
        repeated = [one for one in own if (one.games, one.lowest) == (games, lowest)]
        try:
            published = self.lobby.publish(made)
        except OfferRefused:
            assert not repeated
            assert len(own) == MAX_LASTING
            return
        if repeated:
            assert published == self.lobby.offers[repeated[0].key]
        else:
            self._replace(published)

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
        self.lobby.withdraw(number, _player(name), self.at)
        if number in self.open and self.open[number].seeker.name == name:
            del self.open[number]

    @precondition(lambda self: self.open)
    @rule(data=st.data(), name=names)
    def accept(self, data: st.DataObject, name: str) -> None:
        number = data.draw(st.sampled_from(sorted(self.open)))
        taken = self.open[number]
        if name in self.playing and not taken.lasts:
            return
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
        assert two not in BLOCKS
        self.rooms += 1
        self.lobby.note_room(meeting, room := f"room {self.rooms}")
        taken = [self.open.pop(number) for number in self._numbers(meeting)]
        waiting = {one.seeker.name for one in taken if not one.lasts}
        if len(taken) == 1:  # The other player takes a game by days from a page that may go on waiting.
            waiting |= set() if taken[0].lasts else two
            if taken[0].lasts:
                self.left[room] = meeting.second.name
        assert not waiting & set(self.playing)
        self.playing |= dict.fromkeys(waiting, room)
        for number, one in tuple(self.open.items()):
            if one.seeker.name in waiting and not one.lasts:
                del self.open[number]

    def _numbers(self, meeting: ArrangedGame) -> list[int]:
        """Return the numbers of the offers that *meeting* has taken."""
        return [number for number, one in self.open.items() if one.key in meeting.offers]

    @precondition(lambda self: self.left)
    @rule(data=st.data())
    def give_lasting_back(self, data: st.DataObject) -> None:
        room = data.draw(st.sampled_from(sorted(self.left)))
        taker = self.left.pop(room)
        before = {offer.number for offer in self.lobby.open_offers}
        self.lobby.give_back(room, _player(taker).visitor)
        assert {offer.number for offer in self.lobby.open_offers} == before

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

    @rule(milliseconds=st.sampled_from((1_000, 20_000, CHALLENGE_MS, LASTING_MS)))
    def wait(self, milliseconds: int) -> None:
        self.at += milliseconds
        self.lobby.expire(self.at)
        self.lobby.forget(self.at)
        for number, waiting in tuple(self.open.items()):
            has_expired = waiting.recipient is not None and self.at - waiting.since >= CHALLENGE_MS
            if has_expired or (waiting.lasts and self.at - waiting.since >= LASTING_MS):
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
        waiting = {offer.seeker.name for offer in self.lobby.open_offers if not offer.lasts}
        assert not waiting & set(self.playing)
        for known in self.lobby.offers.values():
            assert (known.state is OfferState.TAKEN) == (known.opponent is not None)


TestLobby = LobbyMachine.TestCase


def test_undo_takes_back_the_whole_change() -> None:
    lobby, names = Lobby(), ("Ada", "Wei", "Olga", "Jun")
    ada, wei, olga, jun = (_player(name) for name in names)
    lobby.note_room(lobby.accept(lobby.publish(offer(ada)).number, wei, None, 1), "room")
    number = lobby.publish(offer(olga)).number

    def facts() -> list[object]:
        own = [{one.number for one in lobby.offers_with(_player(name).visitor)} for name in names]
        return [lobby.version, dict(lobby.offers), lobby.open_offers, own]

    before = facts()
    lobby.begin()
    lobby.publish(offer(jun))
    lobby.give_back("room", wei.visitor)
    lobby.accept(number, jun, None, 2)
    lobby.publish(offer(ada, games=("reversi",)))
    now = facts()
    assert all(one != other for one, other in zip(before, now, strict=True))
    lobby.undo()
    assert facts() == before
    assert (lobby.changed, lobby.replaced) == ({}, [])


@pytest.mark.parametrize(
    ("wish", "choice"),
    [
        (None, ("gomoku", QUICK)),
        (TakerWish("reversi"), ("reversi", QUICK)),
        (TakerWish(clock=SLOW), ("gomoku", SLOW)),
        (TakerWish("reversi", SLOW), ("reversi", SLOW)),
        (TakerWish("qubic"), None),
        (TakerWish(clock=BY_DAYS), None),
    ],
)
def test_taker_chooses_among_the_games_and_clocks(wish: TakerWish | None, choice: object) -> None:
    lobby, wei = Lobby(), _player("Wei")
    number = lobby.publish(offer(_player("Ada"), games=("gomoku", "reversi"), clocks=(QUICK, SLOW))).number
    if choice is not None:
        assert lobby.accept(number, wei, wish, 1).choice == choice
        return
    with pytest.raises(OfferRefused) as refused:
        lobby.accept(number, wei, wish, 1)
    assert refused.value.reason == "not-offered"


@pytest.mark.parametrize("offered", [PUBLIC, BY_LINK])
@pytest.mark.parametrize("wanted", [PUBLIC, BY_LINK])
def test_taken_game_is_public_only_if_both_want_that(offered: str, wanted: str) -> None:
    lobby, wei = Lobby(), _player("Wei")
    number = lobby.publish(offer(_player("Ada"), visibility=offered)).number
    game = lobby.accept(number, wei, TakerWish(visibility=wanted), 1)
    assert game.visibility == (PUBLIC if offered == wanted == PUBLIC else BY_LINK)
