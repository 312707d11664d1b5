"""Games in a notebook: :class:`Board`, to be played by click and by keys. It needs the extra ``study``."""

from noughts.errors import ExtraMissing

try:
    import anywidget  # noqa: F401 - told here, where it is missing, in one sentence
except ImportError:
    raise ExtraMissing("noughts.notebook", "study") from None

from noughts.notebook.board import Board as Board

__all__ = ["Board"]
