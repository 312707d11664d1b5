"""Sentences about the annotations of a position that are read aloud."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from noughts.core.board import Coordinate
from noughts.drawing.view import NOBODY, field_owners
from noughts.games.annotations import ANNOTATIONS, Annotation, Annotations, data_of
from noughts.games.base import Game
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.move_names import Names


def position_notes(
    say: Translator, names: Names, owners: tuple[str | None, ...] = (), *, is_first: bool = False
) -> list[str]:
    """Return one sentence for each kind of annotation of the position that *names* belong to.

    If the position *is_first*, one sentence lists the joined edges. Fields are mentioned if their owner
    differs from the one in *owners*. Codes without a sentence are skipped.

    >>> from noughts import new_game
    >>> from noughts.interfaces.presenting.i18n import Translator
    >>> position_notes(Translator("en"), Names(new_game("reversi")))
    ['Possible moves, with the number of marks flipped: d3 (1), c4 (1), f5 (1), e6 (1).', 'X 2, O 2']
    """
    game = names.game
    annotations = game.annotations()
    return [
        *(_joined_edges(say, game) if is_first else ()),
        *_new_owners(say, names, owners),
        *_fields_to_play_in(say, names, annotations),
        *notes_on_cells(say, names),
        *_counts(say, game, annotations),
    ]


def _joined_edges(say: Translator, game: Game) -> Iterator[str]:
    """Yield the sentences about joined edges, which boards drawn with characters do not show."""
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


def _fields_to_play_in(say: Translator, names: Names, annotations: Annotations) -> Iterator[str]:
    """Yield the forced fields, or a sentence that any open field will do if some are decided."""
    forced = [number for number, codes in annotations.fields.items() if "field" in codes]
    for number in forced:
        yield say("play-in-field", cells=_field(names, number))
    if not (forced or names.game.is_over) and any(owner is not None for owner in field_owners(names.game)):
        yield say("play-in-any-field")


def _field(names: Names, number: int) -> str:
    layout = names.game.layout
    return names.field(divmod(number, layout.columns // layout.fields[1]))


def notes_on_cells(say: Translator, names: Names, words: Iterable[str] = ANNOTATIONS) -> Iterator[str]:
    """Yield a sentence that lists the annotated cells for each of *words*, if there is such a sentence."""
    annotations = names.game.annotations()
    for row in filter(None, map(ANNOTATIONS.get, words)):
        cells = [
            say(row.item, cell=names.cell_phrase(cell), detail=detail)
            if row.item
            else say("cell-with-detail", cell=names.cell(cell), detail=detail)
            for cell, data in annotations.with_word(row.word)
            if row.note and (detail := _detail(say, row, data)) is not None
        ]
        if cells:
            yield say(row.note, side=names.game.turn, cells=cells)


def _detail(say: Translator, row: Annotation, data: str) -> str | None:
    """Return the description of a cell, or None if there is no sentence for its *data*."""
    if not row.detail:
        return data
    id_ = row.detail_id(data)
    return say(id_) if say.has(id_) else None


def _counts(say: Translator, game: Game, annotations: Annotations) -> Iterator[str]:
    counts = {side: annotations.number(side, "lead") for side in game.sides}
    if None not in counts.values():
        yield say.listed(f"{side} {count}" for side, count in counts.items())


def turns_text(say: Translator, names: Names, cell: Coordinate) -> str | None:
    """Return the number of marks that a move at *cell* flips as a phrase, or None."""
    counts = data_of("turns", names.game.annotations().cells.get(cell, ()))
    return say("cell-turns", cell=names.cell_phrase(cell), count=counts[0]) if counts else None
