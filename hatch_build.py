"""Add the address of the project to the package metadata."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class AddressHook(MetadataHookInterface):
    """The hook for ``[project.urls]``, which reads the address from ``noughts/install.py``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the project's URLs in *metadata*."""
        facts = runpy.run_path(str(Path(self.root) / "src" / "noughts" / "install.py"))
        metadata["urls"] = {"Repository": facts["GIT_ADDRESS"]}
