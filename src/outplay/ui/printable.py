"""Foreign text, sanitised for a terminal."""

import unicodedata


def printable(text: str) -> str:
    """The text with every character that controls a terminal or hides text replaced by its code.

    Letters of all languages, spaces and line ends stay; escape sequences and bidirectional controls do not.
    """
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(character: str) -> str:
    if character.isprintable() or character == "\n":
        return character
    return " " if unicodedata.category(character) == "Zs" or character == "\t" else ascii(character)[1:-1]
