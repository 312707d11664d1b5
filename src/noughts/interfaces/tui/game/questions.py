"""Questions that are asked above the board and answered with a key or a click."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain

from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.match_texts import Wording
from noughts.interfaces.tui.widgets.spans import Bit
from noughts.interfaces.tui.widgets.styles import SECOND

Phrase = Callable[[Wording], str]
"""Something to be told of a game, in the language and as shortly as when it is shown."""

LEAVING = ("q", "в")
"""The letters that withdraw a question, unless they are answers to it."""


@dataclass(frozen=True, slots=True)
class BoardQuestion:
    """Something that has to be answered before anything else.

    ``answers`` has for each key what stands on it on the screen (a mark, or the id of a word) and what the
    answer does; ``escape`` is what it does to answer nothing.
    """

    text: Phrase
    answers: Mapping[str, tuple[str, Callable[[], None]]]
    escape: Callable[[], None] = lambda: None

    @classmethod
    def yes_or_no(
        cls, text: Phrase, yes: Callable[[], None], no: Callable[[], None] = lambda: None
    ) -> "BoardQuestion":
        """A question that is answered with yes or no, in any of our languages."""
        return cls(text, {"y": ("answer-yes", yes), "n": ("answer-no", no)}, no)

    def act(self, key: str) -> None:
        """Do what the answer *key* does, ``escape`` being one."""
        (self.escape if key == "escape" else self.answers[key][1])()

    def key_for(self, say: Translator, key: str, character: str | None) -> str | None:
        """The answer that a pressed key means; None for a key that means none."""
        if key == "escape":
            return key
        pressed = (character or "").lower()
        if pressed in self.answers:
            return pressed
        if pressed in LEAVING:
            return "escape"
        if self.answers.get("y", ("",))[0] == "answer-yes":
            for answer, words in (("y", "words-yes"), ("n", "words-no")):
                if pressed in {word[0] for word in say(words).split()}:  # not Enter: that is for the board
                    return answer
        return None

    def items(self, say: Translator) -> list[list[Bit]]:
        """The answers as they stand behind the question, each to be clicked."""
        items = []
        for key, (label, _) in self.answers.items():
            word = say(label) if say.has(label) else label
            action = f"answer('{key}')"
            is_said_by_key = word.lower() == key
            answer = [Bit("  "), Bit(word if is_said_by_key else key, "", True, action)]
            items.append([*answer, *([] if is_said_by_key else [Bit(f" {word}", SECOND, False, action)])])
        return items

    def footer(self, say: Translator, *, with_answers: bool = True) -> list[Bit]:
        """The keys that matter while this is asked: the answers unless they are elsewhere, and Esc."""
        action = "answer('escape')"
        withdraw = [Bit("Esc", "", True, action), Bit(f" {say('key-close')}", SECOND, False, action)]
        return [*(chain(*self.items(say)) if with_answers else []), Bit("  "), *withdraw]
