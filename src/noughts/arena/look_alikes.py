"""Shapes of names: texts that are the same for names that look alike in print.

This is stricter than :func:`noughts.text.look_alike`, which compares the names at one board: ``rn`` looks
like ``m``, and ``0`` like ``o``.
"""

import unicodedata

from noughts.text import likeness

# Both shapes of people with keys are stored. After a change of these tables, a new revision of the database
# has to compute them again: see noughts.arena.store.reshaping.

_LOOKALIKES = str.maketrans(
    {
        # phonetic, Cherokee and Lisu letters
        **dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢɑɡȷɩ", "abcdefghijklmnoprstuvwyzagji", strict=True)),
        **dict(zip("ᎪᏴᏟᎠᎬᏀᎻᎥᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ", "abcdeghijklmprstvwz", strict=True)),
        **dict(zip("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "abcdefghijklmnoprstuvwxyz", strict=True)),
        # Cyrillic, Greek, Armenian and further Latin letters
        **dict(zip("гпиьшзбчѵѡӏҽԍү", "rnubw364vwlegy", strict=True)),
        "ы": "bl",
        "ю": "lo",
        **dict(zip("γσωπϳ", "yownj", strict=True)),
        **dict(zip("օոսհցզյլտ", "onuhgqjls", strict=True)),
        **dict(zip("ıƅǀʋɯɛᴦᴨ", "iblvwern", strict=True)),
    }
)
"""The Latin letters and digits that small letters look like, besides those that ``likeness`` knows."""

_SMALL_GREEK = str.maketrans("ηνυμς", "nvuuc")
"""Small Greek letters that look like other Latin letters than their capitals."""

_CONFUSED = (("rn", "m"), ("vv", "w"), ("0", "o"), ("1", "l"), ("i", "l"), ("|", "l"), ("5", "s"))


def shape(name: str) -> str:
    """Return a text that is the same for names that look alike in print, whatever their case.

    >>> shape("Cornputer") == shape("C0MPUTER"), shape("Аdа") == shape("ada")
    (True, True)
    """
    seen = likeness("".join(letter for letter in unicodedata.normalize("NFKC", name) if letter.isalnum()))
    seen = seen.translate(_LOOKALIKES)
    for drawn, letter in _CONFUSED:
        seen = seen.replace(drawn, letter)
    return seen


def drawn_shape(name: str) -> str:
    """Return the shape of *name* if its small Greek letters are read as they are drawn.

    >>> shape("Eνa"), drawn_shape("Eνa")
    ('ena', 'eva')
    """
    return shape(unicodedata.normalize("NFKC", name).translate(_SMALL_GREEK))


def shapes(name: str) -> set[str]:
    """Return both shapes of *name*. Names that share one look alike."""
    return {shape(name), drawn_shape(name)}
