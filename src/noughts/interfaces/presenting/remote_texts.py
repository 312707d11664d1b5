"""Sentences about a room of a server, for the console and the full screen."""

from noughts.arena.remote.address import RoomAddress
from noughts.arena.remote.remote_table import RemoteTable
from noughts.arena.rooms.models import Phase
from noughts.arena.rooms.phrases import PHRASES
from noughts.interfaces.presenting.clock_texts import time_by_days
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.players import player_called


def seat_address(table: RemoteTable, token: str) -> RoomAddress:
    """Return the address of the room of *table* with the *token* of its seat."""
    return RoomAddress(table.origin, room=table.seen.room, token=token)


def name_at(say: Translator, table: RemoteTable, seat: int) -> str:
    """Return the shown name of the player of *seat*."""
    return player_called(say, table.series.players[seat], table.terms.who[seat])


def others_named(say: Translator, table: RemoteTable) -> list[str]:
    """Return the shown names of the other players."""
    seats = range(len(table.series.players))
    return [name_at(say, table, seat) for seat in seats if seat != table.seen.you]


def phrase_menu(table: RemoteTable) -> dict[str, str]:
    """Return the phrases that the player may say now, by the digit that chooses them."""
    known = [phrase for phrase in table.seen.phrases if phrase in PHRASES]
    return {str(number): phrase for number, phrase in enumerate(known, start=1)}


def heard_phrases(say: Translator, table: RemoteTable) -> dict[tuple[int, str, int], str]:
    """Return the sentences about the phrases of the other players."""
    return {
        one: say("room-said", player=name_at(say, table, one[0]), phrase=say(f"phrase-{one[1]}"))
        for one in table.heard
    }


def first_move_notice(say: Translator, table: RemoteTable) -> list[str]:
    """Return the sentence about the time for the first move, empty if that is not limited.

    Seconds are rounded up to tens.
    """
    left, clock = table.first_move_left, table.seen.clock
    if left is None:
        return []
    if clock is not None and clock.terms.is_by_days:
        return [say("web-first-move-days", time=time_by_days(left, say))]
    return [say.plural("web-first-move", -(-left // 10_000) * 10)]


def room_notices(say: Translator, table: RemoteTable) -> list[str]:
    """Return the sentences about the state of the room, the most important one first."""
    if table.ended is not None:
        return [say.error(table.ended)]
    if not table.is_online:
        lost = [say("room-offline")]
        return [*lost, say("room-unsent")] if table.sending is not None else lost
    seen, notices = table.seen, list[str]()
    if table.phase is Phase.CLOSED:
        return [say("refused-room-closed")]
    if table.phase is Phase.WAITING:
        return [say("room-waiting"), *([say("room-code", code=seen.code)] if seen.code else [])]
    if table.phase is Phase.CHOOSING and not table.needs_choice:
        notices.append(say("room-choosing", player=name_at(say, table, table.chooser)))
    if table.is_playing and table.absent:
        notices.append(say("room-away", names=list(table.absent)))
        if table.can_claim:
            notices.append(say("web-claim-now"))
    if table.phase is Phase.OVER and seen.you is not None:
        wishing = [name_at(say, table, seat) for seat in sorted(seen.wishes) if seat != seen.you]
        if table.is_wished:
            notices.append(say("web-rematch-asked", player=others_named(say, table)))
        elif wishing:
            notices.append(say("web-rematch-wanted", player=wishing))
    return notices
