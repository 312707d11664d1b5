"""A review told: what each move of a game was worth, which gave something away, and what was better."""

from collections.abc import Mapping
from typing import Any

from noughts.games.base import Game
from noughts.games.drawing.chart import Levels, Value, chart_sheet, chart_text
from noughts.games.drawing.sheet import Sheet
from noughts.games.notation import format_move
from noughts.interfaces.console.tables import table
from noughts.interfaces.console.talk import Talk
from noughts.interfaces.explaining import WORDS, reason_as_json, say_reason, value_label
from noughts.interfaces.i18n import Translator
from noughts.interfaces.naming import Names
from noughts.search.review import Review, ReviewedMove

ALMOST = 0.9
"""How near to a win the chart shows the best score that is not proved to be one."""


class ReviewTold:
    """The *review* of *game* in words, as a chart, and as JSON; *players* are the names by mark."""

    def __init__(self, game: Game, review: Review, players: Mapping[str, str]) -> None:
        self.review, self.players, self.sides = review, players, game.sides
        self._before: list[Game] = []
        position = game.copy()
        while position.ply:
            position.undo()
            self._before.insert(0, position.copy())

    # In words

    def tell(self, talk: Talk) -> None:
        """A table of all moves, a sentence for each that gave something away, and the chart."""
        say = talk.say
        names = ["id", "player", "move", "before", "after"]
        rows = [self._row(move) for move in self.review.moves]
        talk.write("\n".join(["", *table([say(f"column-{name}") for name in names], rows, 10_000), ""]))
        for move in self.review.turning_points:
            talk.sentence(self._turning_point(say, move))
        if not self.turning:
            is_all_known = None not in self.review.values
            talk.tell("review-nothing" if is_all_known else "review-nothing-known")
        talk.tell("analysis-legend")
        if self.has_chart:
            terminal = talk.terminal
            lines = chart_text(
                self.values(),
                turning=self.turning,
                levels=self._levels(say),
                width=terminal.width,
                unicode=terminal.has_unicode,
            )
            talk.write("\n".join(["", *lines, ""]))

    def _names(self, move: ReviewedMove) -> Names:
        """What moves are called in the position before *move*."""
        return Names(self._before[move.ply - 1])

    def _row(self, move: ReviewedMove) -> list[str | int | float]:
        name = self._names(move).move(move.move)
        return [
            str(move.ply),
            f"{self.players[move.side]} {move.side}",
            f"{name} ?" if move.changed else name,
            value_label(move.before, move.best_plies),
            value_label(move.after, move.plies),
        ]

    def _turning_point(self, say: Translator, move: ReviewedMove) -> str:
        names = self._names(move)
        facts = {"number": move.ply, "player": self.players[move.side], "move": names.move(move.move)}
        change = f"{WORDS[move.before]}-{WORDS[move.after]}"
        told = [say(f"review-{change}", **facts)]
        told.append(say_reason(say, move.reason, names))
        if move.best is not None and move.better is not None:
            told.append(say("review-better", move=names.move(move.best)))
            told.append(say_reason(say, move.better, names))
        return say.joined(told)

    # The chart

    @property
    def has_chart(self) -> bool:
        """Whether there is a chart: of games of two sides in which anything is known."""
        return len(self.sides) == 2 and any(value is not None for value in self.values())

    @property
    def turning(self) -> frozenset[int]:
        """The places of the turning points in the chart."""
        return frozenset(move.ply for move in self.review.turning_points)

    def values(self) -> tuple[Value, ...]:
        """What the chart shows: values where they are proved, else scores as parts of the greatest."""
        scores = self.review.scores
        greatest = max((abs(score) for score in scores if score is not None), default=0) or 1
        return tuple(
            value if value is not None or score is None else ALMOST * score / greatest
            for value, score in zip(self.review.values, scores, strict=True)
        )

    def sheet(self, say: Translator) -> Sheet | None:
        """The chart as a picture to stand below the board; None where there is none."""
        if not self.has_chart:
            return None
        return chart_sheet(self.values(), turning=self.turning, levels=self._levels(say))

    def _levels(self, say: Translator) -> Levels:
        first, second = self.sides
        return say("chart-win", side=first), say("chart-draw"), say("chart-win", side=second)

    # For scripts

    def as_json(self) -> dict[str, Any]:
        """The moves and the values as scripts read them."""
        words = {1: "first", 0: "draw", -1: "second", None: "unknown"}
        return {
            "values": [words[value] for value in self.review.values],
            "review": [self._move_as_json(move) for move in self.review.moves],
        }

    def _move_as_json(self, move: ReviewedMove) -> dict[str, Any]:
        game = self._before[move.ply - 1]
        return {
            "ply": move.ply,
            "side": move.side,
            "move": format_move(game, move.move),
            "before": WORDS[move.before],
            "after": WORDS[move.after],
            "changed": move.changed,
            "plies": move.plies,
            "best": None if move.best is None else format_move(game, move.best),
            "best_plies": move.best_plies,
            "reason": reason_as_json(game, move.reason),
            "better": None if move.better is None else reason_as_json(game, move.better),
        }
