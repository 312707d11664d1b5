"""Reviews in words, for every interface: values of moves, mistakes, and better moves."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from noughts.drawing.chart import Chart
from noughts.games.base import Game
from noughts.games.notation import format_move
from noughts.interfaces.presenting.analysis_texts import WORDS, reason_as_json, say_reason, value_label
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.move_names import Names
from noughts.search.explain.review import Review, ReviewedMove

NEARLY_WON = 0.9
"""The height in the chart of the best score that is not a proved win.

A win is 1.
"""

REVIEW_SECONDS = 20.0
MAX_SECONDS_A_MOVE = 2.0
"""The approximate maximum time of a review, and of one of its positions, in seconds."""


def review_limit(game: Game) -> float:
    """Return the time that a review of *game* may take for each position, in seconds."""
    return min(MAX_SECONDS_A_MOVE, REVIEW_SECONDS / (game.ply + 1))


def sign_of(move: ReviewedMove) -> str:
    """Return the sign beside a mistake or a missed win, or an empty text for any other move."""
    return "?" if move.changed else "?!" if move.missed else ""


COVERED_BY_BETTER = frozenset(("slower-win", "gives-up-win", "other-wins"))
"""Reasons that only repeat the reason of the better move."""


class ReviewText:
    """The *review* of *game* in words, as a chart, and as JSON.

    *players* are the names by mark. *letters* is True if all flat boards have letters, as in ``Names``.
    """

    def __init__(
        self, game: Game, review: Review, players: Mapping[str, str], *, letters: bool = False
    ) -> None:
        self.review, self.players, self.sides = review, players, game.sides
        self._letters = letters
        self._before: list[Game] = []
        position = game.copy()
        while position.ply:
            position.undo()
            self._before.insert(0, position.copy())

    # Words

    def _names(self, move: ReviewedMove) -> Names:
        """Return the names of moves in the position before *move*."""
        return Names(self._before[move.ply - 1], letters=self._letters)

    def row(self, move: ReviewedMove) -> list[str | int | float]:
        """Return the table row of one move: number, player, move, value before and after it."""
        name, before = self._names(move).table_text(move.move), self._before[move.ply - 1]
        return [
            str(move.ply),
            self._player_label(move),
            f"{name} {sign}" if (sign := sign_of(move)) else name,
            value_label(move.before, move.best_plies, before),
            value_label(move.after, move.plies, before),
        ]

    def _player_label(self, move: ReviewedMove) -> str:
        """Return the player of *move*, or only the side while the opening may still swap the players."""
        return move.side if move.reason.code == "opening" else f"{self.players[move.side]} {move.side}"

    def sentence(self, say: Translator, move: ReviewedMove, *, line: bool = True) -> str:
        """Return the comment on *move*, a mistake or not.

        *line* adds the better line.
        """
        names = self._names(move)
        player = move.side if move.reason.code == "opening" else self.players[move.side]
        facts = {"number": move.ply, "player": player, "move": names.phrase(move.move)}
        id_ = "review-move"
        if move.changed:
            change = f"{WORDS[move.before]}-{WORDS[move.after]}"
            id_ = f"review-{change}"
        elif move.missed:
            id_ = "review-missed" if move.after == 1 else "review-unsure"
        sentences = [say(id_, **facts), *self._reason(say, move), *self.better_move_sentences(say, move)]
        if line and len(move.line) > 1:
            position = self.positions(move)[1]
            following = Names(position, letters=self._letters).line_phrase(move.line[1:])
            sentences.append(say("review-line", moves=following))
        return say.joined(sentences)

    def _reason(self, say: Translator, move: ReviewedMove) -> list[str]:
        """Return the reason for the quality of *move*, unless its value and the better move show it."""
        code, names = move.reason.code, self._names(move)
        if move.better is not None and code in COVERED_BY_BETTER:
            return []
        if move.changed and code == "lets-win":
            reply = move.reason.data.get("reply")
            return [] if reply is None else [say("review-reply", reply=names.phrase(reply))]
        return [say_reason(say, move.reason, names)]

    def better_move_sentences(self, say: Translator, move: ReviewedMove) -> list[str]:
        """Return the better move and its reason, if *move* was a mistake or missed a win."""
        if not move.line or move.best is None or move.better is None:
            return []
        names = self._names(move)
        return [say("review-better", move=names.phrase(move.best)), say_reason(say, move.better, names)]

    def why(self, say: Translator, move: ReviewedMove) -> str:
        """Return the reason for the quality of *move*, and the better move: a shorter :meth:`sentence`."""
        return say.joined([*self._reason(say, move), *self.better_move_sentences(say, move)])

    def outcomes_of(self, say: Translator, move: ReviewedMove) -> tuple[str, str]:
        """Return the results of *move* and of the better move with best play, each in a few words."""
        return self._outcome(say, move, move.after, move.plies), self._outcome(
            say, move, move.before, move.best_plies
        )

    def _outcome(self, say: Translator, move: ReviewedMove, value: int | None, plies: int | None) -> str:
        if not value:
            return say("leads-unknown" if value is None else "leads-draw")
        others = [side for side in self.sides if side != move.side]
        winner = move.side if value > 0 else others[0]
        if plies is None:
            return say("leads-win-bare", side=winner)
        return say("leads-win", side=winner, number=move.ply - 1 + plies)

    def line(self, move: ReviewedMove) -> list[str]:
        """Return the moves of the better line for a list."""
        return [
            Names(position, letters=self._letters).table_text(better)
            for position, better in zip(self.positions(move), move.line, strict=False)
        ]

    def positions(self, move: ReviewedMove) -> list[Game]:
        """Return the position before *move*, and those after each move of the better line."""
        position = self._before[move.ply - 1].copy()
        positions = [position.copy()]
        for better in move.line:
            position.play(better)
            positions.append(position.copy())
        return positions

    def nothing(self, say: Translator) -> str | None:
        """Return a sentence that no move was a mistake, or None if one was, or if no value is known."""
        values = self.review.values
        if self.turning or values.count(None) == len(values):
            return None
        return say("review-nothing" if None not in values else "review-nothing-known")

    def proof(self, say: Translator) -> str | None:
        """Return a sentence about the proved values, or None if only the last one is, or none can be."""
        if self.proved_from == 0:
            return say("review-proved")
        if self.proved_from is None and len(self.sides) <= 2:
            return say("review-unproved")
        if self.proved_from is None or self.proved_from == len(self.review.values) - 1:
            return None
        return say("review-proved-from", number=self.proved_from + 1)

    def accuracy(self, say: Translator) -> str | None:
        """Return the accuracy of each side, or None if no move counts."""
        accurate = {side: self.review.accuracy(side) for side in self.sides}
        shares = [
            say("player-accuracy", player=self.players[side], percent=round(100 * share))
            for side, share in accurate.items()
            if share is not None
        ]
        return say("review-accuracy", players=shares) if shares else None

    @property
    def proved_from(self) -> int | None:
        """The number of the first position from which on all values are proved, or None if none is."""
        values = self.review.values
        first = max((place for place, value in enumerate(values) if value is None), default=-1) + 1
        return first if first < len(values) else None

    # Chart

    def chart(self, say: Translator) -> Chart | None:
        """Return the course of the value as a chart, or None if no value is known or there are not two sides.

        Proved values are shown exactly. Other positions show their score relative to the greatest. Between
        two equal values the estimates stay at their level, since no change is known.
        """
        review, scores = self.review, self.review.scores
        greatest = max((abs(score) for score in scores if score is not None), default=0) or 1
        around = zip(_last_known(review.values), _last_known(review.values[::-1])[::-1], strict=True)
        levels_between = [before if before == after else None for before, after in around]
        values: list[float | None] = list(review.values)
        for place in self._guessed:
            level, score = levels_between[place], scores[place] or 0
            values[place] = NEARLY_WON * score / greatest if level is None else level
        if len(self.sides) != 2 or values.count(None) == len(values):
            return None
        first, second = self.sides
        levels = say("chart-win", side=first), say("chart-draw"), say("chart-win", side=second)
        return Chart(values, self.turning, self._guessed, levels)

    @property
    def turning(self) -> frozenset[int]:
        """The places of the turning points in the chart."""
        return frozenset(move.ply for move in self.review.turning_points)

    @property
    def _guessed(self) -> frozenset[int]:
        """The places in the chart with no proved value, at which scores are shown."""
        known = enumerate(zip(self.review.values, self.review.scores, strict=True))
        return frozenset(place for place, (value, score) in known if value is None and score is not None)

    def caution(self, say: Translator) -> str | None:
        """Return a sentence about values that are not known, or None if there is none."""
        if len(self.sides) > 2:
            return say("no-value-not-two-sides")
        sentences = [say("chart-guessed")] if self._guessed else []
        if self.review.cannot_lose:
            sentences.append(say("review-cannot-lose", side=self.sides[0]))
        return say.joined(sentences) or None

    # JSON

    def as_json(self) -> dict[str, Any]:
        """Return the moves and the values for scripts."""
        words = {1: "first", 0: "draw", -1: "second", None: "unknown"}
        return {
            "values": [words[value] for value in self.review.values],
            "proved_from": self.proved_from,
            "accuracy": {side: self.review.accuracy(side) for side in self.sides},
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
            "missed": move.missed,
            "plies": move.plies,
            "best": None if move.best is None else format_move(game, move.best),
            "best_plies": move.best_plies,
            "reason": reason_as_json(game, move.reason),
            "better": None if move.better is None else reason_as_json(game, move.better),
            "line": [
                format_move(position, better)
                for position, better in zip(self.positions(move), move.line, strict=False)
            ],
        }


class RunningReview:
    """The review of *game* in words while the search for it is running.

    *reviews* yields the results so far, the last moves first. *players* are the names by mark.
    """

    def __init__(self, game: Game, reviews: Iterator[Review], players: Mapping[str, str]) -> None:
        self.game, self.players, self._found = game, players, reviews
        self.text: ReviewText | None = None
        """The results so far."""

    def rows(self) -> Iterator[list[str | int | float]]:
        """Yield the row of each move, the last move first, as soon as it is final.

        A known value also holds for later positions without one, up to the next known value.
        """
        shown = 0
        for review in self._found:
            if self.text is None:
                self.text = ReviewText(self.game, review, self.players)
            self.text.review = review
            if not review.waiting or any(move.before is not None for move in review.moves[:1]):
                yield from map(self.text.row, review.moves[: len(review.moves) - shown][::-1])
                shown = len(review.moves)

    def completed(self) -> ReviewText:
        """Return the complete review, after the search has ended."""
        deque(self.rows(), maxlen=0)
        if self.text is None:
            raise AssertionError("a review finds something of every game")
        return self.text

    def widest_rows(self) -> list[list[str | int | float]]:
        """Return rows at least as wide as those of the review."""
        position, wide = self.game.copy(), list[list[str | int | float]]()
        while position.ply:
            move = position.undo()
            name = f"{Names(position).table_text(move)} ?!"
            wide.append(
                [str(position.ply + 1), f"{self.players[position.turn]} {position.turn}", name, "", ""]
            )
        return wide


def _last_known(values: Iterable[int | None]) -> list[int | None]:
    """Return the last known value up to each of *values*."""
    known, latest = None, list[int | None]()
    for value in values:
        known = known if value is None else value
        latest.append(known)
    return latest
