"""Compile the message catalogues (.po) while the package is built, also for an editable install."""

import io
import os
import warnings
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def compile_catalogues(root: Path) -> list[Path]:
    """Write a .mo file beside every .po file below *root* and return their paths.

    A catalogue that Babel only warns about (a wrong number of plural forms, say) is an error.
    """
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    written = []
    for source in sorted(root.glob("*/LC_MESSAGES/*.po")):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with source.open("rb") as file:
                catalogue = read_po(file, locale=source.parent.parent.name, abort_invalid=True)
        target = source.with_suffix(".mo")
        compiled = io.BytesIO()
        write_mo(compiled, catalogue)
        if not target.exists() or target.read_bytes() != compiled.getvalue():
            # All catalogues change at once: a program that starts meanwhile reads complete old or new ones.
            beside = target.with_suffix(f".{os.getpid()}")
            beside.write_bytes(compiled.getvalue())
            beside.replace(target)
        written.append(target)
    return written


class CatalogueHook(BuildHookInterface[Any]):
    """The hook that hatchling calls before it collects the files of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        compile_catalogues(Path(self.root) / "src" / "noughts" / "locales")
