"""Questions above the board, which a key or a click answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain

from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.match_texts import Wording
from noughts.interfaces.tui.widgets.spans import Bit
from noughts.interfaces.tui.widgets.styles import SECOND

Phrase = Callable[[Wording], str]
"""A text about a game, in the language and length of the moment when it is shown."""

LEAVING = ("q", "в")
"""The letters that withdraw a question, unless they are answers to it."""


@dataclass(frozen=True, slots=True)
class BoardQuestion:
    """A question that must be answered before anything else.

    ``answers`` maps each key to its label (a mark or a message id) and its action. ``escape`` is the action
    if the question is withdrawn.
    """

    text: Phrase
    answers: Mapping[str, tuple[str, Callable[[], None]]]
    escape: Callable[[], None] = lambda: None

    @classmethod
    def yes_or_no(
        cls, text: Phrase, yes: Callable[[], None], no: Callable[[], None] = lambda: None
    ) -> "BoardQuestion":
        """Make a question to be answered with yes or no, in any supported language."""
        return cls(text, {"y": ("answer-yes", yes), "n": ("answer-no", no)}, no)

    def act(self, key: str) -> None:
        """Run the action of the answer *key*, which may be ``escape``."""
        (self.escape if key == "escape" else self.answers[key][1])()

    def key_for(self, say: Translator, key: str, character: str | None) -> str | None:
        """Return the answer that a pressed key stands for; None if it is none."""
        if key == "escape":
            return key
        pressed = (character or "").lower()
        if pressed in self.answers:
            return pressed
        if pressed in LEAVING:
            return "escape"
        if self.answers.get("y", ("",))[0] == "answer-yes":
            for answer, words in (("y", "words-yes"), ("n", "words-no")):
                # Enter is not accepted, since it places marks on the board.
                if pressed in {word[0] for word in say(words).split()}:
                    return answer
        return None

    def items(self, say: Translator) -> list[list[Bit]]:
        """Return the answers as they follow the question, each clickable."""
        items = []
        for key, (label, _) in self.answers.items():
            word = say(label) if say.has(label) else label
            action = f"answer('{key}')"
            is_said_by_key = word.lower() == key
            answer = [Bit("  "), Bit(word if is_said_by_key else key, "", True, action)]
            items.append([*answer, *([] if is_said_by_key else [Bit(f" {word}", SECOND, False, action)])])
        return items

    def footer(self, say: Translator, *, with_answers: bool = True) -> list[Bit]:
        """Return the keys of the question: Esc and, with *with_answers*, the answers."""
        action = "answer('escape')"
        withdraw = [Bit("Esc", "", True, action), Bit(f" {say('key-close')}", SECOND, False, action)]
        return [*(chain(*self.items(say)) if with_answers else []), Bit("  "), *withdraw]
