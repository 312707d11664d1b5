"""A review told, for every interface: what moves were worth, what they gave away, and what was better."""

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

ALMOST = 0.9
"""How near to a win the chart shows the best score that is not proved to be one."""

REVIEW_SECONDS = 20.0
MAX_SECONDS_A_MOVE = 2.0
"""How long a review takes at most, about; and how long one of its positions."""


def review_limit(game: Game) -> float:
    """How many seconds a review of *game* may take for each position."""
    return min(MAX_SECONDS_A_MOVE, REVIEW_SECONDS / (game.ply + 1))


def sign_of(move: ReviewedMove) -> str:
    """The sign beside a move that gave something away, or missed a win; empty for any other."""
    return "?" if move.changed else "?!" if move.missed else ""


COVERED_BY_BETTER = frozenset(("slower-win", "gives-up-win", "other-wins"))
"""Reasons that say of a move only what is said beside the better one."""


class ReviewText:
    """The *review* of *game* in words, as a chart, and as JSON; *players* are the names by mark.

    *letters* says that all flat boards are named by letters, as in ``Names``.
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

    # In words

    def _names(self, move: ReviewedMove) -> Names:
        """What moves are called in the position before *move*."""
        return Names(self._before[move.ply - 1], letters=self._letters)

    def row(self, move: ReviewedMove) -> list[str | int | float]:
        """The row of one move in a table: number, player, move, worth before and after it."""
        name, before = self._names(move).table_text(move.move), self._before[move.ply - 1]
        return [
            str(move.ply),
            self._who(move),
            f"{name} {sign}" if (sign := sign_of(move)) else name,
            value_label(move.before, move.best_plies, before),
            value_label(move.after, move.plies, before),
        ]

    def _who(self, move: ReviewedMove) -> str:
        """Who made *move*; while an opening settles the sides, the side alone: who has it may change."""
        return move.side if move.reason.code == "opening" else f"{self.players[move.side]} {move.side}"

    def sentence(self, say: Translator, move: ReviewedMove, *, line: bool = True) -> str:
        """What there is to say of *move*, whether it gave something away or not; with the better *line*."""
        names = self._names(move)
        player = move.side if move.reason.code == "opening" else self.players[move.side]
        facts = {"number": move.ply, "player": player, "move": names.phrase(move.move)}
        id_ = "review-move"
        if move.changed:
            change = f"{WORDS[move.before]}-{WORDS[move.after]}"
            id_ = f"review-{change}"
        elif move.missed:
            id_ = "review-missed" if move.after == 1 else "review-unsure"
        sentences = [say(id_, **facts), *self._reason(say, move), *self.about_better(say, move)]
        if line and len(move.line) > 1:
            position = self.positions(move)[1]
            following = Names(position, letters=self._letters).line_phrase(move.line[1:])
            sentences.append(say("review-line", moves=following))
        return say.joined(sentences)

    def _reason(self, say: Translator, move: ReviewedMove) -> list[str]:
        """Why *move* is as good as it is, as far as its value and the better one do not tell."""
        code, names = move.reason.code, self._names(move)
        if move.better is not None and code in COVERED_BY_BETTER:
            return []
        if move.changed and code == "lets-win":
            reply = move.reason.data.get("reply")
            return [] if reply is None else [say("review-reply", reply=names.phrase(reply))]
        return [say_reason(say, move.reason, names)]

    def about_better(self, say: Translator, move: ReviewedMove) -> list[str]:
        """Which move was better than *move*, if it gave something away or missed a win, and why."""
        if not move.line or move.best is None or move.better is None:
            return []
        names = self._names(move)
        return [say("review-better", move=names.phrase(move.best)), say_reason(say, move.better, names)]

    def why(self, say: Translator, move: ReviewedMove) -> str:
        """Why *move* is as good as it is, and what was better: :meth:`sentence` without the move."""
        return say.joined([*self._reason(say, move), *self.about_better(say, move)])

    def leads_to(self, say: Translator, move: ReviewedMove) -> tuple[str, str]:
        """What *move* leads to with best play, and what the better one would have, each in a few words."""
        return self._lead(say, move, move.after, move.plies), self._lead(
            say, move, move.before, move.best_plies
        )

    def _lead(self, say: Translator, move: ReviewedMove, value: int | None, plies: int | None) -> str:
        if not value:
            return say("leads-unknown" if value is None else "leads-draw")
        others = [side for side in self.sides if side != move.side]
        winner = move.side if value > 0 else others[0]
        if plies is None:
            return say("leads-win-bare", side=winner)
        return say("leads-win", side=winner, number=move.ply - 1 + plies)

    def line(self, move: ReviewedMove) -> list[str]:
        """The moves of the better line, as they stand in a list."""
        return [
            Names(position, letters=self._letters).table_text(better)
            for position, better in zip(self.positions(move), move.line, strict=False)
        ]

    def positions(self, move: ReviewedMove) -> list[Game]:
        """The position before *move*, and those after each move of the better line."""
        position = self._before[move.ply - 1].copy()
        positions = [position.copy()]
        for better in move.line:
            position.play(better)
            positions.append(position.copy())
        return positions

    def nothing(self, say: Translator) -> str | None:
        """That no move gave anything away, as far as is known; None where one did, or nothing is known."""
        values = self.review.values
        if self.turning or values.count(None) == len(values):
            return None
        return say("review-nothing" if None not in values else "review-nothing-known")

    def proof(self, say: Translator) -> str | None:
        """How far the values are proved; None where only the last position's is, or nobody can value them."""
        if self.proved_from == 0:
            return say("review-proved")
        if self.proved_from is None and len(self.sides) <= 2:
            return say("review-unproved")
        if self.proved_from is None or self.proved_from == len(self.review.values) - 1:
            return None
        return say("review-proved-from", number=self.proved_from + 1)

    def accuracy(self, say: Translator) -> str | None:
        """How accurate each side was; None where no move counts."""
        accurate = {side: self.review.accuracy(side) for side in self.sides}
        shares = [
            say("player-accuracy", player=self.players[side], percent=round(100 * share))
            for side, share in accurate.items()
            if share is not None
        ]
        return say("review-accuracy", players=shares) if shares else None

    @property
    def proved_from(self) -> int | None:
        """The place of the first position from which on all have a proved value; None where none has."""
        values = self.review.values
        first = max((place for place, value in enumerate(values) if value is None), default=-1) + 1
        return first if first < len(values) else None

    # The chart

    def chart(self, say: Translator) -> Chart | None:
        """How the value went up and down; None but for games of two sides in which anything is known.

        Values stand in it where they are proved, else scores as parts of the greatest. Between two values
        that are the same nothing is known to have changed: what is guessed there stays at their level.
        """
        review, scores = self.review, self.review.scores
        greatest = max((abs(score) for score in scores if score is not None), default=0) or 1
        around = zip(_last_known(review.values), _last_known(review.values[::-1])[::-1], strict=True)
        levels_between = [before if before == after else None for before, after in around]
        values: list[float | None] = list(review.values)
        for place in self._guessed:
            level, score = levels_between[place], scores[place] or 0
            values[place] = ALMOST * score / greatest if level is None else level
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
        """The places in the chart at which nothing is proved: there it shows scores."""
        known = enumerate(zip(self.review.values, self.review.scores, strict=True))
        return frozenset(place for place, (value, score) in known if value is None and score is not None)

    def caution(self, say: Translator) -> str | None:
        """What is to be said of values that are not known; None where there is nothing to say."""
        if len(self.sides) > 2:
            return say("no-value-not-two-sides")
        sentences = [say("chart-guessed")] if self._guessed else []
        if self.review.cannot_lose:
            sentences.append(say("review-cannot-lose", side=self.sides[0]))
        return say.joined(sentences) or None

    # For scripts

    def as_json(self) -> dict[str, Any]:
        """The moves and the values as scripts read them."""
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
    """The review of *game* in words while it is being found: *found* gives what is known so far, again and
    again, the last moves first; *players* are the names by mark.
    """

    def __init__(self, game: Game, reviews: Iterator[Review], players: Mapping[str, str]) -> None:
        self.game, self.players, self._found = game, players, reviews
        self.text: ReviewText | None = None
        """All that is known so far."""

    def rows(self) -> Iterator[list[str | int | float]]:
        """The row of each move, the last move first, as soon as nothing more can be found of it.

        What is known of a position is carried on to those after it of which nothing is, and not past others.
        """
        shown = 0
        for review in self._found:
            if self.text is None:
                self.text = ReviewText(self.game, review, self.players)
            self.text.review = review
            if not review.waiting or any(move.before is not None for move in review.moves[:1]):
                yield from map(self.text.row, review.moves[: len(review.moves) - shown][::-1])
                shown = len(review.moves)

    def whole(self) -> ReviewText:
        """The whole review, once all is found."""
        deque(self.rows(), maxlen=0)
        if self.text is None:
            raise AssertionError("a review finds something of every game")
        return self.text

    def widest_rows(self) -> list[list[str | int | float]]:
        """Rows at least as wide as those that will be found."""
        position, wide = self.game.copy(), list[list[str | int | float]]()
        while position.ply:
            move = position.undo()
            name = f"{Names(position).table_text(move)} ?!"
            wide.append(
                [str(position.ply + 1), f"{self.players[position.turn]} {position.turn}", name, "", ""]
            )
        return wide


def _last_known(values: Iterable[int | None]) -> list[int | None]:
    """The last of *values* that is known up to each of them."""
    known, latest = None, list[int | None]()
    for value in values:
        known = known if value is None else value
        latest.append(known)
    return latest
