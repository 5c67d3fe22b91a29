"""Arrays in a file, for resumable work: the settings, the arrays, a checksum."""

import hashlib
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from outplay.storage import CHECKSUM, from_json, replacing

MAGIC = b"outplay arrays 1"


def write(path: Path, settings: dict[str, str], arrays: dict[str, np.ndarray]) -> None:
    """Write the file, whole or not at all."""
    said = settings | {"arrays": {name: [a.dtype.str, len(a)] for name, a in arrays.items()}}
    head = json.dumps(said).encode()
    digest = hashlib.blake2b(digest_size=CHECKSUM)
    contents: list[Any] = [MAGIC + struct.pack("<I", len(head)), head, *arrays.values()]
    with replacing(path) as file:
        for content in contents:
            digest.update(content)
            file.write(content)
        file.write(digest.digest())


def read(path: Path, settings: dict[str, str]) -> dict[str, np.ndarray]:
    """The arrays; a ValueError in one line if the file is damaged, or of other work."""
    content = memoryview(path.read_bytes())
    body, checksum = content[:-CHECKSUM], bytes(content[-CHECKSUM:])
    at = len(MAGIC) + 4
    whole = hashlib.blake2b(body, digest_size=CHECKSUM).digest() == checksum
    if not whole or len(body) < at or bytes(body[: len(MAGIC)]) != MAGIC:
        raise ValueError(f"{path} is damaged, or something else: remove it")
    (length,) = struct.unpack("<I", body[at - 4 : at])
    try:
        said = from_json(bytes(body[at : at + length]).decode())
        ours = {name: said.get(name) for name in settings} == settings
        arrays = _arrays(said["arrays"], body[at + length :]) if ours else {}
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, SyntaxError):
        raise ValueError(f"{path} is damaged, or something else: remove it") from None
    if not ours:
        raise ValueError(f"{path} belongs to other work: finish that, or remove it")
    return arrays


def _arrays(said: dict[str, Any], content: memoryview) -> dict[str, np.ndarray]:
    """The arrays that lie one after the other."""
    arrays, at = {}, 0
    for name, (kind, count) in said.items():
        if not count:
            arrays[name] = np.zeros(0, kind)
            continue
        arrays[name] = np.frombuffer(content, kind, count, at)
        at += arrays[name].nbytes
    return arrays
