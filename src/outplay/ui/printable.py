"""Foreign text, sanitised for a terminal."""

import unicodedata


def printable(text: str) -> str:
    """The text with every character that would steer the terminal, or hide what is written, shown as its code.

    Letters of all languages, spaces and line ends stay; escape sequences and changes of direction do not.
    """
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(character: str) -> str:
    if character.isprintable() or character == "\n":
        return character
    return " " if unicodedata.category(character) == "Zs" or character == "\t" else ascii(character)[1:-1]
