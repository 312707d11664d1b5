"""The command line: the only package that imports all interfaces."""

from noughts.interfaces.cli.main import main

__all__ = ["main"]
