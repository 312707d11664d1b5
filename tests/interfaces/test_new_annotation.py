"""A new annotation needs a code from a game and a row of the table; the example is a hot cell."""

import pytest

from noughts import TicTacToe, draw_svg, draw_text
from noughts.games.annotations import ANNOTATIONS, Annotation, Annotations
from noughts.interfaces.presenting.annotation_texts import position_notes
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.move_names import Names
from noughts.interfaces.web.boards import board_message
from noughts.interfaces.web.models import AnnotationSign, AnnotationsMessage


class Hot(TicTacToe):
    """A game whose middle is hot."""

    def annotations(self) -> Annotations:
        return Annotations({(1, 1): ("hot:3", "unknown")})


def test_new_annotation_appears_in_every_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    row = Annotation("hot", data="count", highlight="hot", signs=("(", ")"), note="turning-over")
    monkeypatch.setitem(ANNOTATIONS, "hot", row)
    game, say = Hot(), Translator("en")
    assert "(5)" in "\n".join(draw_text(game, width=16))
    assert ">(</text>" in draw_svg(game)
    assert position_notes(say, Names(game)) == [say("turning-over", cells=["5 (3)"])]
    assert AnnotationsMessage.of(game).cells == {"5": ["hot:3", "unknown"]}
    answer = board_message(game).codes
    assert answer["hot"] == AnnotationSign(sign="(", data="count")
    assert "leaves" in answer
