"""Moves that not everybody may see leave the server sealed: the page keeps them in its record and cannot read them.

A seal is good for one place in one game: it opens only after the very moves that came before it, and only for the
people who sat at the page when it was made. So it cannot be moved to where a player would be shown what it holds.
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
from outplay.ui.web.catalogue import Refused

MARK = "~"  # begins a seal, and nothing else
NONCE, BODY, TAG = 12, 8, 16  # bytes
LENGTH = 4 * (NONCE + BODY + TAG) // 3  # characters, in base64


class Seals:
    """What one server seals, it or the next one on this machine can open."""

    def __init__(self, key: bytes | None = None) -> None:
        self.key = key or _kept_key()

    def close(self, action: int, place: bytes) -> str:
        """The action, for this place alone."""
        nonce = secrets.token_bytes(NONCE)
        body = _both(action.to_bytes(BODY, "big", signed=True), self._code(b"pad", nonce))
        tag = self._code(b"tag", nonce + body + place)[:TAG]
        return MARK + base64.urlsafe_b64encode(nonce + body + tag).decode()

    def open(self, seal: str, place: bytes) -> int:
        """The action that was sealed for this place."""
        held = base64.urlsafe_b64decode(seal.removeprefix(MARK))
        nonce, body, tag = held[:NONCE], held[NONCE : NONCE + BODY], held[NONCE + BODY :]
        if not hmac.compare_digest(tag, self._code(b"tag", nonce + body + place)[:TAG]):
            raise Refused(
                "a sealed move does not belong here: it was made for another game, or by another server"
            )
        return int.from_bytes(_both(body, self._code(b"pad", nonce)), "big", signed=True)

    def _code(self, use: bytes, text: bytes) -> bytes:
        return hmac.digest(self.key, use + text, "sha256")


class Places:
    """The places of a record, one after the other."""

    def __init__(self, game: str, start: str, humans: Sequence[int]) -> None:
        self._past = hashlib.sha256(json.dumps([game, start, sorted(humans)]).encode())

    def add(self, action: int | str) -> None:
        """One move more, as the page holds it."""
        self._past.update(json.dumps(str(action)).encode())

    def here(self) -> bytes:
        """The place after the moves so far."""
        return self._past.copy().digest()


def _both(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=False))


def _kept_key() -> bytes:
    """The key in the user's cache folder, so that a game outlives the server; where there is none, a new one."""
    file = home() / "page.key"
    key = secrets.token_bytes(32)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as new:
            new.write(key)
    except FileExistsError:
        kept = file.read_bytes()
        return kept if len(kept) == len(key) else key
    except OSError:
        pass  # a read-only home: games that hide something end with the server
    return key
