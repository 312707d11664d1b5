"""Character sets of files from other programs: bytes to text, with a count of all that cannot be read.

The name of a character set has the meaning of the WHATWG Encoding Standard
(https://encoding.spec.whatwg.org/): many files that name GB2312, Shift_JIS or ISO-8859-1 use the larger set
of the same family.
"""

import codecs
import re
from collections import Counter

from noughts.records.checks import refuse

LATIN = "cp1252"
"""The character set of a file that names none and is not UTF-8: Latin-1, the default of SGF."""

LARGER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "iso8859-1": LATIN,
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "ascii": LATIN,
}
"""The larger set of the same family, by the name of the smaller one in :mod:`codecs`."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # Its prefix is the UTF-16 mark.
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NO_CHARACTER_SETS = (
    "idna",
    "punycode",
    "unicode_escape",
    "raw_unicode_escape",
    "utf-7",
    "charmap",
    "undefined",
)
_SYNTAX = b'\n\r 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz()[];:,+-./<>="\\'
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.:+-]{0,39}")
_WINDOWS = re.compile(r"(?:windows|ms|cp)[-_ ]?([0-9]+)", re.IGNORECASE)
_HIGH_BEFORE_BACKSLASH = re.compile(rb"[\x80-\xff]\\")
_SAMPLE = 64


def codec_of(name: str) -> str | None:
    """Return the codec for the character set *name*.

    Return None if it is unknown, or if its ASCII is not that of SGF.
    """
    name = name.strip().removeprefix("x-").removeprefix("X-")
    if not _NAME.fullmatch(name):
        return None
    if match := _WINDOWS.fullmatch(name):
        name = "utf-8" if match[1] == "65001" else f"cp{match[1]}"
    try:
        codec = codecs.lookup(name).name
        codec = LARGER.get(codec, codec)
        is_usable = codec not in _NO_CHARACTER_SETS and _SYNTAX.decode(codec) == _SYNTAX.decode("ascii")
    except (LookupError, ValueError):
        return None
    return codec if is_usable else None


def decode(data: bytes, name: str | None = None) -> tuple[str, Counter[str]]:
    """Return the text of *data*, in the character set *name* that its file states, and a count of faults.

    A byte order mark overrides the *name*. Without a known name the text is UTF-8 or else Latin-1, which
    counts as an unknown ``charset``. Each of the ``letters`` that cannot be read counts as well. Raises
    :class:`~noughts.errors.NotationError` if a byte could be a backslash or a part of a letter, so that the
    end of a value is ambiguous.
    """
    if settled := codec_of_start(data):
        return _decode(data, settled)
    codec = None if name is None else codec_of(name) or ""
    if codec:
        return _decode(data, codec)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text, left_out = _decode(data, LATIN, is_guessed=True)
        return text, left_out + Counter(charset=1)
    return text, Counter(charset=int(codec == "" and not data.isascii()))


def _decode(data: bytes, codec: str, *, is_guessed: bool = False) -> tuple[str, Counter[str]]:
    is_unclear = bool(_HIGH_BEFORE_BACKSLASH.search(data))
    if is_guessed and is_unclear:
        refuse(codec, "charset-unclear")
    try:
        return data.decode(codec), Counter()
    except UnicodeDecodeError:
        if is_unclear or codec.startswith(("utf-16", "utf-32")):
            refuse(codec, "charset-unclear")
    text = data.decode(codec, errors="replace")
    return text, Counter(letters=text.count("\ufffd"))


def codec_of_start(data: bytes) -> str | None:
    """Return the codec shown by the first bytes of *data*: a byte order mark, or units of two bytes.

    Half of ASCII is zeros in such units. Return None if the first bytes do not show a codec.
    """
    for mark, marked in _MARKS:
        if data.startswith(mark):
            return marked
    sample = data[:_SAMPLE]
    zeros = [sample[first::2].count(0) for first in (0, 1)]
    if max(zeros) * 4 < len(sample) or not sample:
        return None
    return "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"
