"""In a game that hides something every move leaves the server sealed: the page keeps it and cannot read it.

A seal is good for one place in one game: it opens only after the very moves that came before it, and only for the
people who sat at the page when it was made. It also proves that the move was made there: a machine's and chance's by
the server, a person's because the server offered it to that person. So nobody learns what is hidden by inventing
moves. The first seal of a game is random; the later ones, and what chance and machines do, follow from the moves
before: to ask again gives the same answer.
The pad that hides an action and the tag that proves a seal are both HMAC-SHA-256 of the server's key.
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

MARK = "~"  # begins a seal, and nothing else
NONCE, BODY, TAG = 12, 8, 16  # bytes
LENGTH = 4 * (NONCE + BODY + TAG) // 3  # characters, in base64


class Seals:
    """What one server seals, it or the next one on this machine can open."""

    def __init__(self, key: bytes) -> None:
        self.key = key

    def close(self, action: int, place: "Places") -> str:
        """The action, for this place alone."""
        plain = action.to_bytes(BODY, "big", signed=True)
        nonce = (
            self._code(b"nonce", plain + place.here())[:NONCE] if place.sealed else secrets.token_bytes(NONCE)
        )
        body = _both(plain, self._code(b"pad", nonce))
        tag = self._code(b"tag", nonce + body + place.here())[:TAG]
        return MARK + base64.urlsafe_b64encode(nonce + body + tag).decode()

    def open(self, seal: str, place: "Places") -> int:
        """The action that was sealed for this place."""
        held = base64.urlsafe_b64decode(seal.removeprefix(MARK))
        nonce, body, tag = held[:NONCE], held[NONCE : NONCE + BODY], held[NONCE + BODY :]
        if not hmac.compare_digest(tag, self._code(b"tag", nonce + body + place.here())[:TAG]):
            raise Refused("a sealed move does not fit here: it is from another game or another server")
        return int.from_bytes(_both(body, self._code(b"pad", nonce)), "big", signed=True)

    def seed(self, place: "Places") -> int:
        """What chance and random players go by there: nobody can foresee it, and asking again does not change it."""
        return int.from_bytes(self._code(b"seed", place.here())[:8]) if place.sealed else secrets.randbits(64)

    def _code(self, use: bytes, text: bytes) -> bytes:
        return hmac.digest(self.key, use + text, "sha256")


class Places:
    """The places of a record, one after the other."""

    def __init__(self, game: str, start: str, humans: Sequence[int]) -> None:
        self._past = hashlib.sha256(json.dumps([game, start, sorted(humans)]).encode())
        self.sealed = False  # whether a move so far is

    def add(self, action: int | str) -> None:
        """One move more, as the page holds it."""
        if isinstance(action, str):
            self.sealed = True
        elif self.sealed:
            raise Refused("moves after a sealed move must be sealed too: play them on the page")
        self._past.update(json.dumps(str(action)).encode())

    def here(self) -> bytes:
        """The place after the moves so far."""
        return self._past.copy().digest()


def _both(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=False))


def kept_key() -> bytes:
    """The key in the user's cache folder, so that a game outlives the server; where there is none, a new one."""
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
        pass  # a read-only home: games that hide something end with the server
    return key
