"""A playable board for notebooks: :class:`BoardWidget`, also importable as ``Board``.

It needs the extra ``study``.
"""

from noughts.errors import ExtraMissing

try:
    import anywidget  # noqa: F401 - reports a missing extra in one sentence
except ImportError:
    raise ExtraMissing("noughts.notebook", "study") from None

from noughts.notebook.board import BoardWidget as BoardWidget

Board = BoardWidget
"""The short name of :class:`BoardWidget`."""

__all__ = ["Board", "BoardWidget"]
