"""What the rules make of a position, in sentences: for who hears a board instead of seeing it."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from noughts.core.board import Coordinate
from noughts.drawing.view import NOBODY, field_owners, reason_forbidden
from noughts.games.base import Annotations, Game
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.naming import Names


def position_notes(
    say: Translator, names: Names, owners: tuple[str | None, ...] = (), *, is_first: bool = False
) -> list[str]:
    """One sentence for each kind of annotation of the position that *names* calls by name.

    If it *is_first* of those that are shown, that edges are joined; of the fields those that had other
    *owners* before. Codes without a sentence are left out.

    >>> from noughts import new_game
    >>> from noughts.interfaces.presenting.i18n import Translator
    >>> position_notes(Translator("en"), Names(new_game("reversi")))
    ['Possible, with the marks that turn over: d3 (1), c4 (1), f5 (1), e6 (1).', 'X 2, O 2']
    """
    game = names.game
    told = game.annotations()
    return [
        *(_joined_edges(say, game) if is_first else ()),
        *_new_owners(say, names, owners),
        *_fields_to_play_in(say, names, told),
        *leaving_next(say, names),
        *_turning_over(say, names, told),
        *_forbidden(say, names, told),
        *_counts(say, game, told),
    ]


def _joined_edges(say: Translator, game: Game) -> Iterator[str]:
    """Which edges are joined: of boards of characters those alone show it where marks fall."""
    if game.rules is not None and game.rules.wrap:
        yield from (say.message(rule) for rule in game.rule_text if rule.id.startswith("rule-wrap"))


def _new_owners(say: Translator, names: Names, before: tuple[str | None, ...]) -> Iterator[str]:
    for number, (owner, earlier) in enumerate(zip_longest(field_owners(names.game), before)):
        if owner is None or owner == earlier:
            continue
        field = _field(names, number)
        yield (
            say("field-drawn", field=field) if owner == NOBODY else say("field-won", side=owner, field=field)
        )


def _fields_to_play_in(say: Translator, names: Names, told: Annotations) -> Iterator[str]:
    """In which field one must play; where some are decided and none is forced, that any open one will do."""
    forced = [number for number, codes in told.fields.items() if "field" in codes]
    for number in forced:
        yield say("play-in-field", cells=_field(names, number))
    if not (forced or names.game.is_over) and any(owner is not None for owner in field_owners(names.game)):
        yield say("play-in-any-field")


def _field(names: Names, number: int) -> str:
    layout = names.game.layout
    return names.field(divmod(number, layout.columns // layout.fields[1]))


def leaving_next(say: Translator, names: Names) -> Iterator[str]:
    """Which marks leave with the next move of their side, in one sentence; none where none do."""
    told = names.game.annotations()
    leaving = [
        say("mark-on-cell", mark=side, cell=names.told_cell(cell))
        for side in names.game.sides
        for cell in told.cells_with(f"leaves:{side}")
    ]
    if leaving:
        yield say.plural("leaving-next", len(leaving), marks=leaving)


def _turning_over(say: Translator, names: Names, told: Annotations) -> Iterator[str]:
    counted = [
        say("cell-with-detail", cell=names.cell(cell), detail=count)
        for cell, codes in told.cells.items()
        if (count := behind("turns", codes)) is not None
    ]
    if counted:
        yield say("turning-over", cells=counted)


def _forbidden(say: Translator, names: Names, told: Annotations) -> Iterator[str]:
    reasons = {cell: reason_forbidden(codes) for cell, codes in told.cells.items()}
    forbidden = [
        say("cell-with-detail", cell=names.cell(cell), detail=say(f"why-forbidden-{reason}"))
        for cell, reason in reasons.items()
        if reason is not None and say.has(f"why-forbidden-{reason}")
    ]
    if forbidden:
        yield say("forbidden-cells", side=names.game.turn, cells=forbidden)


def _counts(say: Translator, game: Game, told: Annotations) -> Iterator[str]:
    counts = {side: told.number(side, "lead") for side in game.sides}
    if None not in counts.values():
        yield say.listed(f"{side} {count}" for side, count in counts.items())


def turned_by(say: Translator, names: Names, cell: Coordinate) -> str | None:
    """How many marks a move at *cell* turns over; None where that is not told of it."""
    count = behind("turns", names.game.annotations().cells.get(cell, ()))
    return None if count is None else say("cell-turns", cell=names.told_cell(cell), count=count)


def behind(name: str, codes: Iterable[str]) -> str | None:
    """What stands behind *name* in the first of *codes* that begins with it, as 3 in ``turns:3``."""
    return next((code.removeprefix(f"{name}:") for code in codes if code.startswith(f"{name}:")), None)
