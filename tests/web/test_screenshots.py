"""The pictures of the README are made anew, so that the script that makes them keeps working."""

import importlib.util
import struct
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"


def size(file: Path) -> tuple[int, int]:
    """The width and height of a PNG."""
    data = file.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", data[16:24])


def test_every_picture_can_be_taken(command: Any, chromium: Any, tmp_path: Path) -> None:
    """Of the package's own games: others come first on the page, and push some of these out of sight."""
    spec = importlib.util.spec_from_file_location("screenshots", DOCS / "screenshots.py")
    assert spec is not None and spec.loader is not None
    screenshots = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(screenshots)
    with command(OUTPLAY_JIT="0") as server:
        taken = screenshots.take(server.address, chromium, tmp_path)
        moving = screenshots.animate(server.address, chromium, tmp_path)
    for picture in taken:
        wanted = screenshots.SCENES[picture.stem][0]
        assert size(picture) == (wanted["width"], wanted["height"])
        assert size(DOCS / "img" / picture.name) == size(picture), "run `make screenshots`"
        assert (DOCS / "img" / picture.name).stat().st_size < 300_000
    for file in (
        moving,
        DOCS / "img" / moving.name,
    ):  # a picture for the start and for each of the search's 34 steps
        text = file.read_text(encoding="utf-8")
        assert text.count('<g class="f') == 35 and len(text) < 300_000, "run `make screenshots`"
