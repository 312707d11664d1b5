"""A field to type one line in."""

from textual.widgets import Input

from noughts.text import safe_text


class Field(Input):
    """A line to type in, without a frame; whatever is pasted, it holds nothing that steers a terminal."""

    DEFAULT_CSS = """
    Field { height: 1; border: none; padding: 0; }
    Field > .input--placeholder { color: $foreground 70%; }
    Field:ansi { background: ansi_default; color: ansi_default; }
    Field:ansi > .input--placeholder { color: ansi_default; text-style: none; }
    Field:ansi > .input--cursor { background: ansi_default; color: ansi_default; text-style: reverse; }
    """

    def __init__(self, placeholder: str = "", *, id: str | None = None) -> None:  # noqa: A002 - Textual calls it so
        super().__init__(id=id, placeholder=placeholder, compact=True, select_on_focus=False)

    def validate_value(self, value: str) -> str:
        """The characters that can be shown; Textual asks for it before the value changes."""
        return "".join(character for character in value if safe_text(character) == character)
