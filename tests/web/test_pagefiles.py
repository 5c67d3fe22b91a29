"""The page's files: compressed, kept for ever under their address, and asked for in one turn at a first visit."""

import re
from typing import Any

from outplay.ui import bundle
from outplay.ui.web import pagefiles

FOR_EVER = "public, max-age=31536000, immutable"


def test_a_first_visit_asks_once_for_everything(server: Any) -> None:
    """One style and one script, which asks for nothing before the first view is there."""
    page = server.client.get("/").text
    (style,) = re.findall(r'<link rel="stylesheet" href="([^"]+)">', page)
    for needed in (".workspace {", ".board .square {", ".tree .node {", 'data-board="walnut"'):
        assert needed in server.client.get(f"/{style}").text
    (script,) = re.findall(r'<script type="module" src="([^"]+)">', page)
    text = server.client.get(f"/{script}").text
    assert re.findall("^import ", text, re.MULTILINE) == []
    assert "class Play {" in text and "class Home {" in text and "class TreePage {" not in text


def test_comments_stay_at_home() -> None:
    """Whole lines of them; what stands behind code goes with it."""
    for name, (text, _) in pagefiles.files().items():
        assert not re.search(r"^\s*(//|/\*)", text, re.MULTILINE), name
    first, _ = pagefiles.scripts()
    assert pagefiles.COMMENT.sub("", first).count("class ") >= 15


def test_every_module_is_sent_once() -> None:
    """Twice would be two sockets, or two sets of pieces; those that are asked for later are in the rest."""
    first, rest = pagefiles.scripts()
    found = re.findall(r"^const \$(\w+) = \(\(\) => \{$", first + rest, re.MULTILINE)
    page = {file.stem for file in bundle.STATIC.glob("*.js")} - {"main", "notebook"}
    assert sorted(found) == sorted(page)
    later = re.findall(r"await import\('([^']+)'\)\)\.\$(\w+)", first + rest)
    assert {name for _, name in later} == {"editor", "treepage", "quiz", "setup", "piecesets", "imagefile"}
    given = re.findall(r"^export \{ (.*) \};$", rest, re.MULTILINE)[0]
    assert all(file == "./rest.js" and f"${name}" in given.split(", ") for file, name in later)


def test_files_are_compressed_and_kept(server: Any) -> None:
    page = server.client.get("/")
    assert page.headers["cache-control"] == "no-cache"
    addresses = re.findall(r'"(assets/[^"]+\.(?:css|js))"', page.text)
    assert len(addresses) == 2
    for address in (*addresses, addresses[0].replace("page.css", "rest.js")):
        answer = server.client.get(f"/{address}")
        assert answer.status_code == 200 and answer.headers["cache-control"] == FOR_EVER
        assert answer.headers["content-encoding"] == "gzip"
