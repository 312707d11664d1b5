"""The command line of the benchmark against Gomocup engines."""

import argparse

import pytest
from benchmarks.engines import engine_of


def test_engine_option_is_name_and_installed_program() -> None:
    name, command = engine_of("other=sh -c 'exit 3'")
    assert (name, command[1:]) == ("other", ["-c", "exit 3"])
    for text in ("sh", "=sh", "other=", "other='", "other=no-such-program-is-here", "noughts=sh"):
        with pytest.raises(argparse.ArgumentTypeError):
            engine_of(text)
