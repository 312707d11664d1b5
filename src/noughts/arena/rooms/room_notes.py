"""Notes for the inboxes of absent people with keys, about the events in their rooms."""

from typing import Any

from noughts.arena.events import EventKind
from noughts.arena.people.inbox import InboxChanges, InboxNote, NoteKind
from noughts.arena.rooms.models import Phase
from noughts.arena.rooms.room import Room
from noughts.arena.rooms.waiting import WaitingSeat
from noughts.arena.seat_names import seat_number


def note_changes(before: Room, after: Room, inbox: InboxChanges, ended: int | None) -> None:
    """Add to *inbox* the notes about the change from *before* to *after* of a room.

    *ended* is the number of the game that has ended by it, or None. Present people get no notes. The
    notes about a turn are dropped after it.
    """
    for place, seat in enumerate(after.facts.seats):
        identity = None if seat is None else seat_number(seat.name)
        if identity is None:
            continue
        is_away = place not in after.present
        is_turn, was_turn = _turn(after) == place, _turn(before) == place
        has_moved = any(event.kind is EventKind.MOVE for event in after.new_events)
        if was_turn and not is_turn and before.table.match is not None:
            inbox.drop(identity, NoteKind.TURN, after.name)
            inbox.drop(identity, NoteKind.BEGAN, after.name)
            inbox.drop(identity, NoteKind.REMINDER, f"{after.name} {before.table.match.version}")
        if is_turn and is_away and (has_moved or not was_turn):
            facts = {**_facts(after, place), "move": _last_move(after)}
            inbox.add(InboxNote(identity, NoteKind.TURN, after.name, after.facts.touched, facts))
        if ended is not None and is_away and after.table.series.results[-1].is_counted:
            facts = {**_facts(after, place), "number": ended, "points": _points(after, place)}
            inbox.add(InboxNote(identity, NoteKind.ENDED, f"{ended}", after.facts.touched, facts))


def note_beginning(room: Room, place: int, at: int, inbox: InboxChanges) -> None:
    """Add to *inbox* the note that the first game of *room* began at the instant *at*.

    The player at *place* was away, and another one took an offer or accepted a challenge. Guests get no note.
    """
    identity = seat_number(room.names[place] or "")
    if identity is not None:
        facts = {**_facts(room, place), "is_turn": _turn(room) == place}
        inbox.add(InboxNote(identity, NoteKind.BEGAN, room.name, at, facts))


def reminder(seat: WaitingSeat, room: Room, at: int) -> InboxNote | None:
    """Return the note that little time is left for the move of *seat*, or None for a guest."""
    if seat.identity is None or seat.ends is None:
        return None
    facts = {**_facts(room, seat.place), "ends": seat.ends}
    return InboxNote(seat.identity, NoteKind.REMINDER, f"{room.name} {seat.version}", at, facts)


def _turn(room: Room) -> int | None:
    match = room.table.match
    if match is None or room.phase is not Phase.PLAYING:
        return None
    return next((place for place, side in room.table.sides.items() if side == match.turn), None)


def _facts(room: Room, place: int) -> dict[str, Any]:
    """Return the room, its game, and the texts of the other players."""
    others = [name for seat, name in enumerate(room.names) if seat != place and name is not None]
    return {"room": room.name, "game": room.table.terms.game, "others": others}


def _last_move(room: Room) -> str | None:
    """Return the move with which the turn has passed, or None, as after a take-back."""
    moves = [event.data["move"] for event in room.new_events if event.kind is EventKind.MOVE]
    return moves[-1] if moves else None


def _points(room: Room, place: int) -> int:
    """Return 1, 0 or -1: the last game of the room was won, drawn or lost by the player at *place*."""
    result = room.table.series.results[-1]
    if result.winner is None:
        return 0
    return 1 if result.seats[result.winner] == room.names[place] else -1
