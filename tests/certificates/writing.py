"""Helpers for tests of certificates: writing, changing and checking them with the second program."""

import hashlib
import importlib.util
import io
import os
from pathlib import Path
from types import ModuleType

from noughts import new_game
from noughts.certificates.text import DIGEST
from noughts.certificates.verify import CertificateVerdict, verify
from noughts.proofs.writer.certify import certify

VARIABLE = "NOUGHTS_EXAMPLES"
"""The variable that names another folder of examples: wrong ones, which must fail (``tests.mutation``)."""

EXAMPLES = Path(os.environ.get(VARIABLE, Path(__file__).parents[2] / "examples"))
EXAMPLE = EXAMPLES / "check_certificate.py"


def certificate(name: str, value: str) -> str:
    """Return the certificate that the game called *name* has this *value*."""
    stream = io.StringIO()
    certify(new_game(name), value, stream)
    return stream.getvalue()


def sealed(lines: list[str]) -> str:
    """Return a certificate of these *lines* with its digest."""
    text = "".join(f"{line}\n" for line in lines)
    return f"{text}{DIGEST} {hashlib.sha256(text.encode()).hexdigest()}\n"


def body(text: str) -> list[str]:
    """Return the lines of a certificate without the digest."""
    return text.splitlines()[:-1]


def checked(text: str) -> CertificateVerdict:
    return verify(io.BytesIO(text.encode()))


def second_program() -> ModuleType:
    """Return the example that checks certificates as a module."""
    spec = importlib.util.spec_from_file_location("check_certificate", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
