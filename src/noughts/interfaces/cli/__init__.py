"""Arguments and wiring: the one place that knows everybody."""

from noughts.interfaces.cli.main import main

__all__ = ["main"]
