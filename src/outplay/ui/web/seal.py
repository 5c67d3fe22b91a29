"""Sealed moves: in games of imperfect information the page stores every move encrypted.

A seal is valid at one place in one game: it opens only after exactly the same earlier moves, and only for the same
human sides. It also proves that the move was really made: by chance or a machine on the server, or by a human to whom
the server offered it. So inventing moves reveals nothing. The first seal of a game is random; later ones, and the
moves of chance and machines, are determined by the moves before, so repeating a request gives the same answer. The
pad that encrypts an action and the tag that authenticates a seal are both HMAC-SHA-256 with the server's key.
"""

import base64
import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Sequence

from outplay.compile.cache import home
from outplay.storage import private_folder
from outplay.ui.web.catalogue import Refused

MARK = "~"  # the first character of seals only
NONCE, BODY, TAG = 12, 8, 16  # bytes
LENGTH = 4 * (NONCE + BODY + TAG) // 3  # characters, in base64


class Seals:
    """Makes and opens seals; with a stored key a later server on this machine can open them, too."""

    def __init__(self, key: bytes) -> None:
        self.key = key

    def close(self, action: int, place: "Places") -> str:
        """Seal an action for one place."""
        plain = action.to_bytes(BODY, "big", signed=True)
        nonce = (
            self._code(b"nonce", plain + place.here())[:NONCE] if place.sealed else secrets.token_bytes(NONCE)
        )
        body = _both(plain, self._code(b"pad", nonce))
        tag = self._code(b"tag", nonce + body + place.here())[:TAG]
        return MARK + base64.urlsafe_b64encode(nonce + body + tag).decode()

    def open(self, seal: str, place: "Places") -> int:
        """The action sealed for this place."""
        held = base64.urlsafe_b64decode(seal.removeprefix(MARK))
        nonce, body, tag = held[:NONCE], held[NONCE : NONCE + BODY], held[NONCE + BODY :]
        if not hmac.compare_digest(tag, self._code(b"tag", nonce + body + place.here())[:TAG]):
            raise Refused("a sealed move does not fit here: it is from another game or another server")
        return int.from_bytes(_both(body, self._code(b"pad", nonce)), "big", signed=True)

    def seed(self, place: "Places") -> int:
        """The seed for chance and random players at a place: unpredictable, but the same for repeated requests."""
        return int.from_bytes(self._code(b"seed", place.here())[:8]) if place.sealed else secrets.randbits(64)

    def _code(self, use: bytes, text: bytes) -> bytes:
        return hmac.digest(self.key, use + text, "sha256")


class Places:
    """The places of a record, in order."""

    def __init__(self, game: str, start: str, humans: Sequence[int]) -> None:
        self._past = hashlib.sha256(json.dumps([game, start, sorted(humans)]).encode())
        self.sealed = False  # whether any move so far is sealed

    def add(self, action: int | str) -> None:
        """Add a move, as the page stores it."""
        if isinstance(action, str):
            self.sealed = True
        elif self.sealed:
            raise Refused("moves after a sealed move must be sealed too: play them on the page")
        self._past.update(json.dumps(str(action)).encode())

    def here(self) -> bytes:
        """A hash of the place after the moves so far."""
        return self._past.copy().digest()


def _both(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=False))


def kept_key() -> bytes:
    """The key from the user's cache folder, so that games survive a restart; if there is none, a new one."""
    file = home() / "page.key"
    key = secrets.token_bytes(32)
    try:
        private_folder(file.parent)
        with open(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as new:
            new.write(key)
    except FileExistsError:
        kept = file.read_bytes()
        return kept if len(kept) == len(key) else key
    except OSError:
        pass  # a read-only home: games of imperfect information end with the server
    return key
