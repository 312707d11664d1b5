"""The offers of bots stand: they are neither taken nor paired, and challenges must fit them."""

from dataclasses import replace

import pytest

from noughts.arena.clock import Clock
from noughts.arena.lobby.lobby import Lobby
from noughts.arena.lobby.offers import LobbyOffer, Seeker
from noughts.arena.lobby.pairing import pair_offers
from noughts.arena.lobby.shared_lobby import pack_offer, read_offer
from noughts.arena.stored_game import PUBLIC
from noughts.errors import OfferRefused
from noughts.text import fold_name

CLOCK = Clock(base=300_000)
BOT, OTHER_BOT = Seeker("b", "Robo", 7, {}, is_bot=True), Seeker("c", "Other", 8, {}, is_bot=True)
ADA, WEI = Seeker("a", "Ada", 1), Seeker("w", "Wei")


def offer(seeker: Seeker, **facts: object) -> LobbyOffer:
    made = LobbyOffer(0, seeker, ("gomoku", "renju"), (CLOCK,), 0, "worker")
    return replace(made, **facts)  # type: ignore[arg-type]


def challenge(seeker: Seeker, to: Seeker = BOT, **facts: object) -> LobbyOffer:
    return offer(
        seeker, games=("gomoku",), recipient=fold_name(to.name), recipient_identity=to.identity, **facts
    )


def test_standing_offer_stays_while_challenges_are_accepted() -> None:
    lobby = Lobby()
    standing = lobby.publish(offer(BOT, strength=1600))
    for person in (ADA, WEI):
        asked = lobby.publish(challenge(person, visibility=PUBLIC))
        game = lobby.accept(asked.number, BOT, None, 10)
        assert (game.first, game.second, game.visibility) == (person, BOT, PUBLIC)
    assert lobby.open_offers == [standing]
    assert lobby.bot(7) == standing
    assert read_offer(pack_offer(standing)) == standing
    lobby.withdraw(standing.number, BOT, 20)
    assert lobby.bot(7) is None


def test_standing_offer_is_neither_taken_nor_paired() -> None:
    lobby = Lobby()
    standing, waiting = lobby.publish(offer(BOT)), lobby.publish(offer(WEI))
    assert pair_offers(lobby.open_offers, 100_000, lambda *_: False) == []
    for number, seeker, reason in ((standing.number, ADA, "ask-bot"), (waiting.number, BOT, "bot-asks")):
        with pytest.raises(OfferRefused) as refused:
            lobby.accept(number, seeker, None, 10)
        assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (challenge(ADA, is_rated=True), "bot-unrated"),
        (challenge(ADA, clocks=(Clock(base=60_000),)), "not-offered"),
        (challenge(BOT, ADA), "bot-asks"),
        (challenge(OTHER_BOT), "bot-asks"),
    ],
)
def test_challenge_must_fit_the_bot(asked: LobbyOffer, reason: str) -> None:
    lobby = Lobby()
    lobby.publish(offer(BOT))
    with pytest.raises(OfferRefused) as refused:
        lobby.publish(asked)
    assert refused.value.reason == reason
