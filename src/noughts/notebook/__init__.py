"""Playable boards for notebooks, which need the extra ``study``.

:class:`BoardWidget`, also importable as ``Board``, is a game in the notebook. :class:`RemoteBoard` is a seat
at a server.
"""

from noughts.errors import ExtraMissing

try:
    import anywidget  # noqa: F401 - reports a missing extra in one sentence
except ImportError:
    raise ExtraMissing("noughts.notebook", "study") from None

from noughts.notebook.board import BoardWidget as BoardWidget
from noughts.notebook.remote_board import RemoteBoard as RemoteBoard

Board = BoardWidget
"""The short name of :class:`BoardWidget`."""

__all__ = ["Board", "BoardWidget", "RemoteBoard"]
