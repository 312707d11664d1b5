"""Codes: six letters that one person can tell another, to be let into a room."""

LETTERS = "ABCDEFGHJKMNPRSTUVWXYZ"
"""What codes are made of: no letter that looks like another or like a digit."""

LENGTH = 6

LASTS = 15 * 60 * 1000
"""For how many milliseconds a code can be used."""


def make_code(chance: bytes) -> str:
    """A code from at least eight bytes of *chance*.

    >>> make_code(bytes(8))
    'AAAAAA'
    """
    number, letters = int.from_bytes(chance, "big"), ""
    for _ in range(LENGTH):
        number, letter = divmod(number, len(LETTERS))
        letters += LETTERS[letter]
    return letters


def parse_code(text: str) -> str | None:
    """*text* as a code: people write small letters, blanks and hyphens. None for what is none.

    >>> parse_code("abc-d ef"), parse_code("ABCDE0")
    ('ABCDEF', None)
    """
    code = "".join(text[: 4 * LENGTH].replace("-", "").split()).upper()
    return code if len(code) == LENGTH and set(code) <= set(LETTERS) else None
