"""The rules of a k-in-a-row game, as ids of sentences."""

from noughts.core.board import Shape
from noughts.core.geometry import TILINGS
from noughts.games.base import Message
from noughts.games.rules import Rules

OPTION_MESSAGES = ("gravity", "exact", *TILINGS, "wild", "notakto")
"""The switches with a sentence of their own."""


def sizes(shape: Shape) -> Shape:
    """Return the side lengths of a board in the usual order.

    The width of a flat board comes before its height.
    """
    return shape[::-1] if len(shape) == 2 else shape


def describe_rules(rules: Rules, repetitions: int) -> tuple[Message, ...]:
    """Return the rules for a player. A position that occurs *repetitions* times is a draw."""
    wins = "rule-k-in-a-row-of-either" if rules.wild else "rule-k-in-a-row"
    goal = "rule-k-in-a-row-loses" if rules.line_loses else wins
    messages = [Message(goal, {"board": "×".join(map(str, sizes(rules.shape))), "k": rules.k})]
    if 1 < rules.k < rules.geometry.longest and not any(rules.exact_for):  # A longer row is possible.
        messages.append(Message("rule-overline", {"k": rules.k}))
    messages += [Message(f"rule-{name}", {"k": rules.k}) for name in OPTION_MESSAGES if getattr(rules, name)]
    messages += _describe_joined_sides(rules)
    if rules.renju:
        messages.append(Message("rule-renju", dict(zip(("black", "white"), rules.marks, strict=True))))
    if rules.vanish:
        messages.append(Message("rule-vanish", {"count": rules.vanish, "times": repetitions}))
    if rules.place > 1:
        messages.append(Message("rule-place", {"count": rules.place}))
    if rules.avoid:
        messages.append(Message("rule-avoid", {"avoid": rules.avoid, "k": rules.k}))
    if rules.players > 2:
        messages.append(Message("rule-players", {"marks": rules.marks}))
    return tuple(messages)


def _describe_joined_sides(rules: Rules) -> list[Message]:
    """Return the sentence about the joined sides of the board, if there are any."""
    if not rules.wrap or rules.wrap is True:
        return [Message("rule-wrap")] if rules.wrap else []
    if len(rules.shape) == 2:
        return [Message(f"rule-wrap-{rules.wrap}")]
    return [Message("rule-wrap-axes", {"axes": ", ".join(rules.wrap)})]
