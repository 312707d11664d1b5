"""The rules of a k-in-a-row game, as ids of sentences."""

from noughts.core.board import Shape
from noughts.games.base import Message
from noughts.games.rules import Rules

SAID = ("gravity", "exact", "wrap", "wild", "notakto")
"""The switches that have a sentence of their own."""


def sizes(shape: Shape) -> Shape:
    """The sizes of a board as people say them: of a flat one the width before the height."""
    return shape[::-1] if len(shape) == 2 else shape


def tell_rules(rules: Rules, repetitions: int) -> tuple[Message, ...]:
    """What a player has to know of *rules*, where a position that comes up *repetitions* times draws."""
    goal = "rule-k-in-a-row-loses" if rules.line_loses else "rule-k-in-a-row"
    told = [Message(goal, {"board": "×".join(map(str, sizes(rules.shape))), "k": rules.k})]
    told += [Message(f"rule-{name}", {"k": rules.k}) for name in SAID if getattr(rules, name)]
    if rules.renju:
        told.append(Message("rule-renju", dict(zip(("black", "white"), rules.marks, strict=True))))
    if rules.vanish:
        told.append(Message("rule-vanish", {"count": rules.vanish, "times": repetitions}))
    if rules.players > 2:
        told.append(Message("rule-players", {"marks": rules.marks}))
    return tuple(told)
