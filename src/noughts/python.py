"""Python once more, in a process of its own."""

import os
import sys


def python_command(code: str, *words: str) -> list[str]:
    """How Python is started that runs *code*, for which ``sys.argv`` has *words*, and finds the same modules.

    None is found in the current folder, where ``-c`` looks before all others, unless this process looks there
    too. Where this process does not listen to the environment, that one does not either.
    """
    flags = "-EPc" if sys.flags.ignore_environment else "-Pc"
    path = [os.path.abspath(place) for place in sys.path]
    return [sys.executable, flags, f"import sys; sys.path[:] = {path!a}; {code}", *words]
