"""Sentences about the events and the result of a match, for every interface."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from noughts.arena.events import Event, EventKind, MatchEnd
from noughts.arena.match import Match
from noughts.core.board import Coordinate
from noughts.core.geometry import Line
from noughts.errors import (
    FloatingCell,
    ForbiddenMove,
    IllegalMove,
    MoveRefused,
    NotationError,
    NoughtsError,
    OccupiedCell,
)
from noughts.games.base import Game, Move, Outcome
from noughts.games.layout import plane_label
from noughts.games.line_name import LineName, name_line
from noughts.games.moves import is_pass, parts_of
from noughts.games.notation import column_letters, format_cell, parse_move, play_moves, split_moves
from noughts.interfaces.presenting.game_plan import HUMAN
from noughts.interfaces.presenting.i18n import MAX_LISTED, Phrase, ReadableError, Translator
from noughts.interfaces.presenting.move_builder import next_parts
from noughts.interfaces.presenting.move_names import Names, kind_of_moves, say_accepted
from noughts.interfaces.presenting.titles import how_it_ended

MAX_FREE = MAX_LISTED + 1
"""The maximum number of legal moves that are collected: one more than a sentence lists."""


class Wording:
    """Sentences about one match.

    *match* may be a function that returns the match, if the match can be replaced. *names* are the players by
    mark. *who* says which of them are human. *move_names* spells cells and moves.
    """

    def __init__(
        self,
        say: Translator,
        match: Match | Callable[[], Match],
        names: Mapping[str, str],
        who: Mapping[str, str],
        move_names: Names,
    ) -> None:
        self.say, self.names, self.who, self.move_names = say, names, who, move_names
        self._match = match

    @property
    def match(self) -> Match:
        """The match that the sentences are about."""
        return self._match if isinstance(self._match, Match) else self._match()

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.match.game

    def player(self, side: str) -> str:
        """Return a player with the mark: Ada (X)."""
        if len(self.game.sides) == 1:
            return self.names[side]
        return self.say("player-with-mark", name=self.names[side], mark=side)

    # Moves

    def refusal(self, error: NoughtsError) -> str:
        """Return the reason of a refusal, and the accepted moves."""
        if isinstance(error, NotationError) and error.what == "move":
            if not str(error.text).strip():
                return self.accepted()
            return self.say.joined([self.say.error(error), self.accepted()])
        if not isinstance(error, IllegalMove):
            return self.say.error(error)
        move = error.move
        if isinstance(error, OccupiedCell | FloatingCell | ForbiddenMove) and isinstance(move, tuple):
            return self._refused_cell(error, move)
        free = list(islice(self._legal(error), MAX_FREE))
        facts = {"cell": self._phrase(move), "free": self.move_names.phrase(*free)}
        return self.say("move-illegal" if len(free) <= MAX_LISTED else "move-illegal-many", **facts)

    def _refused_cell(self, error: IllegalMove, cell: Coordinate) -> str:
        """Return the reason why no mark may be placed on *cell*."""
        game, names = self.game, self.move_names
        free = next_parts(self._legal(error)).cells
        has_columns = game.layout.has_columns
        shown = format_cell(game.shape, cell) if has_columns else names.cell(cell)
        match error:
            case OccupiedCell() if has_columns and all(other[1:] != cell[1:] for other in free):
                return self._with_free("column-full", names.column(cell), map(names.column, free[:MAX_FREE]))
            case OccupiedCell():
                return self._with_free("cell-taken", shown, map(names.cell, free[:MAX_FREE]))
        return self.say.error(error, cell=shown if has_columns else names.cell_phrase(cell))

    def _legal(self, error: IllegalMove) -> Sequence[Any]:
        """Return the legal moves that *error* names: in a trial line, they are not those of the game."""
        return error.legal or self.game.legal_moves()

    def _with_free(self, id_: str, cell: str, free: Iterable[str]) -> str:
        """Return the sentence *id_*, which lists the *free* cells if they are few."""
        listed = list(dict.fromkeys(free))
        return self.say(id_ if len(listed) <= MAX_LISTED else f"{id_}-many", cell=cell, free=listed)

    def _phrase(self, move: Any) -> str | Phrase:
        """Return a phrase for a move or cell that was tried, or the text that was typed."""
        if not isinstance(move, tuple):
            return str(move)
        return (
            self.move_names.cell_phrase(move) if parts_of(move) == (move,) else self.move_names.phrase(move)
        )

    def accepted(self) -> str:
        """Return the form of moves in this game, and the other answers that the opening allows."""
        answers = self.opening() if self.match.standing.answers else []
        return self.say.joined([say_accepted(self.say, self.move_names), *answers])

    def prompt(self, side: str) -> str:
        """Return the prompt for *side*, with an example if cells have letters or the game needs one."""
        id_, (first, last) = f"prompt-{kind_of_moves(self.game)}", self.move_names.range
        if self.say.has(id_) and not self.move_names.has_letters:
            return self.say(id_, player=self.player(side), first=first, last=last)
        return self.say("prompt-move", player=self.player(side), example=self.move_names.example)

    def moves_so_far(self) -> list[str]:
        """Return one sentence for each player with the moves so far, in order."""
        sides = self.game.sides
        made: dict[str, list[Move]] = {side: [] for side in sides}
        replayed = self.game.copy()
        while replayed.ply:
            move = replayed.undo()
            made[replayed.turn].insert(0, move)
        return [
            self.say(
                "moves-so-far" if made[side] else "no-moves-so-far",
                player=self.player(side),
                moves=self.move_names.phrase(*made[side]),
            )
            for side in sides
        ]

    # Opening

    def opening(self) -> list[str]:
        """Return the question of the opening for the player to decide, or nothing after the opening."""
        standing, side = self.match.standing, self.match.turn
        if standing.is_over:
            return []
        other = next(other for other in self.game.sides if other != side)
        facts = {"name": self.names[side], "mark": side, "opponent": self.names[other], "other": other}
        if standing.placing:
            return [self.say.plural("opening-places", standing.placing, **facts)]
        sentences = [self.say("opening-may-swap", **facts)]
        if standing.to_put:
            sentences.append(self.say.plural("opening-may-put", standing.to_put, **facts))
        return sentences

    def chosen(self, event: Event) -> str:
        """Return the choice of *event* in the opening.

        The names are those before the choice.
        """
        side = event.side or ""
        other = next(other for other in self.game.sides if other != side)
        return self.say(f"chose-{event.data['choice']}", name=self.names[side], mark=other)

    # Events

    def sentences(self, event: Event) -> list[str]:
        """Return the sentences about *event*, the last of the match: none, one, or several at the end."""
        match event.kind:
            case EventKind.MOVE:
                return [self.moved(event)]
            case EventKind.CHOICE:
                return [self.chosen(event)]
            case EventKind.OFFER if event.data["what"] == "draw":
                return [self.say("draw-offered", player=self.player(event.side or ""))]
            case EventKind.DECLINE:
                return [self.say("offer-declined")]
            case EventKind.TAKEBACK:
                return [self.say("taken-back")]
            case EventKind.END:
                return self.ended(event)
            case _:  # A take-back that is granted at once needs no sentence for its offer.
                return []

    def moved(self, event: Event) -> str:
        """Return the sentence about the last move and its player."""
        # The position before the move is needed: if marks fall, the cell follows from the column.
        before = self.game.copy()
        before.undo()
        move = parse_move(before, event.data["move"])
        if event.side != before.turn:  # In an opening a player places marks for both sides.
            name = self.names[event.side or ""]
            return self.say("places", name=name, mark=before.mark_of(move), move=self.move_names.phrase(move))
        passes = "plays-pass" if is_pass(move) else "plays"
        return self.say(passes, player=self.player(event.side or ""), move=self.move_names.phrase(move))

    def ended(self, event: Event) -> list[str]:
        """Return the result, and a closing remark if there is one."""
        outcome = self.match.outcome
        if outcome is None:
            raise AssertionError("an ended match has an outcome")
        return [*self.result(outcome, event), *self.remark(outcome)]

    # End

    def how(self, outcome: Outcome, event: Event) -> list[str]:
        """Return the kind of end without the winner, if possible, or else the text of :meth:`result`."""
        if outcome == self.game.outcome:
            sentences = (
                self._winning_lines(outcome) if outcome.is_by_lines and outcome.winner is not None else []
            )
            if outcome.winner is None and self.say.has(id_ := f"drawn-{outcome.termination}"):
                sentences = [self.say(id_)]
            count = self.say.plural("so-many-moves", self.game.ply)
            return [*sentences, count] if sentences else self.result(outcome, event)
        return self.result(outcome, event)[:1]

    def _winning_lines(self, outcome: Outcome) -> list[str]:
        """Return the winning lines or fields, and who completed them if that was not the winner."""
        completed = self.game.movers[-1]
        if self.game.layout.owned:
            return [self.say("line-fields", fields=self._fields(outcome))]
        sentences = [
            self.say(f"line-{_id(name)}", **self._facts(name)) for name in map(self._name, outcome.lines)
        ]
        if completed != outcome.winner:
            sentences.insert(0, self.say("completed-row", loser=self.names[completed]))
        return sentences

    def result(self, outcome: Outcome, event: Event) -> list[str]:
        """Return the sentences about the result.

        *event* ended the match.
        """
        winner = self.names[outcome.winner] if outcome.winner is not None else ""
        loser = self.names.get(event.side or "", "")
        if outcome == self.game.outcome:
            return self._by_rules(outcome, winner)
        match outcome.termination:
            case MatchEnd.FORFEIT if "reason" in event.data:
                detail = event.data.get("detail", "")
                why = self.say(f"forfeit-{event.data['reason']}", loser=loser, detail=detail)
                return [why, *self._winner_sentences(winner)]
            case MatchEnd.RESIGNATION | MatchEnd.TIME | MatchEnd.ABANDONMENT if loser:
                return [self.say(f"end-{outcome.termination}", loser=loser), *self._winner_sentences(winner)]
            case MatchEnd.ABORTED:
                return [self.say("end-aborted")]
            case MatchEnd.BROKEN if "package" in event.data:
                detail, package = event.data.get("detail", ""), event.data["package"]
                return [
                    self.say("end-broken-detail" if detail else "end-broken", package=package, detail=detail)
                ]
            case MatchEnd.AGREEMENT if outcome.winner is None:
                return [self.say.plural(f"draw-{outcome.termination}", self.game.ply)]
            case _:  # It was ruled, or this is a record of another program.
                how = how_it_ended(self.say, self.game.name, outcome.termination)
                return [self.say("ended-so", how=how), *self._winner_sentences(winner)]

    def _by_rules(self, outcome: Outcome, winner: str) -> list[str]:
        """Return the sentences about an end by the rules of the game."""
        if outcome.is_by_lines and winner:
            return self._by_line(outcome, winner, self.game.ply)
        loser = next((self.names[side] for side in self.game.sides if side != outcome.winner), "")
        text = self.game.end_text(outcome)
        return [self.say.message(replace(text, data={"winner": winner, "loser": loser, **text.data}))]

    def _winner_sentences(self, winner: str) -> list[str]:
        if not winner and len(self.game.sides) > 2:
            return [self.say("nobody-wins")]
        return [self.say("wins", winner=winner)] if winner else []

    def _by_line(self, outcome: Outcome, winner: str, count: int) -> list[str]:
        names = [self._name(line) for line in outcome.lines]
        owner = self.game[outcome.lines[0].start]
        losers = [side for side in self.game.sides if side != outcome.winner]
        completed = self.game.movers[-1]
        if len(names) == 1 and completed == outcome.winner and owner is not None:
            return [self.say.plural(f"wins-{_id(names[0])}", count, winner=winner, **self._facts(names[0]))]
        if self.game.layout.owned:
            return [self.say.plural("wins-fields", count, winner=winner, fields=self._fields(outcome))]
        if completed == outcome.winner:
            first = self.say.plural("wins-after", count, winner=winner)
        else:
            first = self.say.plural("wins-by-others-line", count, winner=winner, loser=self.names[losers[0]])
        return [first, *(self.say(f"line-{_id(name)}", **self._facts(name)) for name in names)]

    def _name(self, line: Line) -> LineName:
        """Return the name of *line*.

        An upright line in a game with gravity has the number of its column.
        """
        name = name_line(self.game.shape, line)
        if self.game.layout.has_columns and not any(line.step[1:]):
            return replace(name, kind="pillar", layer=None)
        return name

    def _fields(self, outcome: Outcome) -> str:
        return " ".join(self.move_names.field(self._field_of(line.start)) for line in outcome.lines)

    def _field_of(self, cell: Coordinate) -> Coordinate:
        down, across = self.game.layout.fields
        return cell[0] // down, cell[1] // across

    def _facts(self, name: LineName) -> dict[str, object]:
        number: int | str | None = name.number
        layout = self.game.layout
        if name.kind == "pillar":
            number = self.move_names.cell(name.cells[0])
        elif name.number is not None:  # The number is the label on the board.
            if name.kind == "row" and (self.move_names.has_places or layout.gravity):
                number = layout.row_number(name.number - 1)
            elif self.move_names.has_places:
                number = column_letters(name.number - 1)
        return {
            "number": number,
            "layer": name.layer and plane_label(self.game.shape[:-2], name.layer - 1),
            "cells": self.move_names.row(name.cells),
        }

    def remark(self, outcome: Outcome) -> list[str]:
        """Return a closing remark that depends on the winner, or none between computers."""
        humans = [side for side in self.game.sides if self.who[side] == HUMAN]
        is_void = outcome.termination in (MatchEnd.BROKEN, MatchEnd.ABORTED)
        if not humans or len(self.game.sides) != 2 or is_void:
            return []
        if outcome.winner is None:
            return [self.say("remark-draw")]
        of_one = "remark-person" if outcome.winner in humans else "remark-computer"
        id_ = "remark-people" if len(humans) > 1 else of_one
        return [self.say(id_, winner=self.names[outcome.winner])]


def play_texts(say: Translator, game: Game, moves: str, first: int = 1) -> None:
    """Play *moves*, as they are typed, in *game*. Raises ReadableError about the first refused move."""
    try:
        play_moves(game, split_moves(game, moves, first), first)
    except NotationError as error:
        wording, cause = Wording(say, Match(game), {}, {}, Names(game, first)), error.data.get("cause")
        if isinstance(cause, MoveRefused):
            raise ReadableError(say.joined([say.error(error), wording.refusal(cause)])) from None
        raise ReadableError(wording.refusal(error)) from None


def _id(name: LineName) -> str:
    """Return the part of a message id for a line of this kind."""
    return f"{name.kind}-in-layer" if name.layer is not None else name.kind
