"""The address of the project, and the commands that install it with an extra."""

GIT_ADDRESS = "GIT_ADDRESS"
"""The address that Git clones. A placeholder until the project has a public repository.

The package metadata, messages and documents use this address. Documents cannot import it, so a test names
each page that has another one.
"""


def install_commands(extra: str) -> dict[str, str]:
    """Return the commands that install noughts with *extra*, from a ``clone`` and from ``git``.

    >>> install_commands("fast")["clone"]
    'pip install ".[fast]"'
    """
    return {
        "clone": f'pip install ".[{extra}]"',
        "git": f'pip install "noughts[{extra}] @ git+{GIT_ADDRESS}"',
    }
