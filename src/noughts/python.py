"""Commands that start another Python process."""

import os
import sys


def python_command(code: str, *words: str) -> list[str]:
    """Return the command that runs *code* in a Python process with the same modules.

    *words* are its ``sys.argv``. Modules in the current folder are found only if this process finds them,
    although ``-c`` usually looks there first. The environment is ignored if this process ignores it.
    """
    flags = "-EPc" if sys.flags.ignore_environment else "-Pc"
    path = [os.path.abspath(place) for place in sys.path]
    return [sys.executable, flags, f"import sys; sys.path[:] = {path!a}; {code}", *words]
