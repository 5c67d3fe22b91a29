"""The page's files: compressed, kept for ever under their address, and few turns to have them at a first visit."""

import re
from typing import Any

FOR_EVER = "public, max-age=31536000, immutable"


def test_a_first_visit_asks_for_everything_at_once(server: Any) -> None:
    """One style, and every module of the first views named in the page: none is found out only by another one."""
    page = server.client.get("/").text
    styles = re.findall(r'<link rel="stylesheet" href="([^"]+)">', page)
    named = re.findall(r'<link rel="modulepreload" href="([^"]+)">', page)
    assert len(styles) == 1 and "<!--" not in page
    for needed in (".workspace {", ".board .square {", ".tree .node {", 'data-board="walnut"'):
        assert needed in server.client.get(f"/{styles[0]}").text
    for address in named:
        text = server.client.get(f"/{address}").text
        for other in re.findall(r"^import .*? from '\./([\w.]+)';", text, re.MULTILINE):
            assert any(one.endswith(f"/{other}") for one in named), (address, other)


def test_files_are_compressed_and_kept(server: Any) -> None:
    page = server.client.get("/")
    assert page.headers["cache-control"] == "no-cache"
    for address in re.findall(r'"(assets/[^"]+\.(?:css|js))"', page.text):
        answer = server.client.get(f"/{address}")
        assert answer.headers["cache-control"] == FOR_EVER
        assert len(answer.content) < 1000 or answer.headers["content-encoding"] == "gzip"
