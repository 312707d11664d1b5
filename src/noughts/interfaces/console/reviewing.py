"""A review told at the console."""

from noughts.drawing.chart import chart_text
from noughts.interfaces.console.tables import table
from noughts.interfaces.console.talk import Talk
from noughts.interfaces.presenting.reviewing import ReviewTold

TABLE_WIDTH = 10_000
"""The table of moves is not cut."""


def tell_review(talk: Talk, told: ReviewTold) -> None:
    """A table of all moves, a sentence for each that gave something away, and the chart."""
    say = talk.say
    names = ["id", "player", "move", "before", "after"]
    headings = [say(f"column-{name}") for name in names]
    talk.write("\n".join(["", *table(headings, told.rows(), TABLE_WIDTH), ""]))
    for move in told.review.turning_points:
        talk.sentence(told.turning_point(say, move))
    if not told.turning:
        is_all_known = None not in told.review.values
        talk.tell("review-nothing" if is_all_known else "review-nothing-known")
    talk.tell("analysis-legend")
    if told.has_chart:
        lines = chart_text(
            told.values(),
            turning=told.turning,
            guessed=told.guessed,
            levels=told.levels(say),
            width=talk.terminal.width,
            unicode=talk.terminal.has_unicode,
        )
        talk.write("\n".join(["", *lines, ""]))
    if (caution := told.caution(say)) is not None:
        talk.sentence(caution)
