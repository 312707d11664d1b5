"""Data files of noughts. Each is read only if it has the checksum that ``checksums.txt`` lists.

After a change of such a file run ``sha256sum`` on all of them again::

    cd src/noughts
    sha256sum arena/*/*/*.txt players/*.json puzzles/*.jsonl search/*/*.json > checksums.txt
"""

from hashlib import sha256
from importlib.resources import files

from noughts.errors import DamagedFile

CHECKSUMS = "checksums.txt"
"""The list of checksums, as ``sha256sum`` writes it."""


def read_own_file(name: str) -> str:
    """Return the text of the file called *name*, a path inside the package.

    Raises :class:`~noughts.errors.DamagedFile` if its checksum is not the one that is listed.
    """
    root = files("noughts")
    file = root.joinpath(*name.split("/"))
    data = file.read_bytes().replace(b"\r\n", b"\n")  # Git for Windows may have changed the line ends.
    listed = root.joinpath(CHECKSUMS).read_bytes().replace(b"\r\n", b"\n").split(b"\n")
    if f"{sha256(data).hexdigest()}  {name}".encode() not in listed:
        raise DamagedFile(str(file), "part")
    return data.decode()
