"""The page's own files, sent so that a browser far away has them soon.

Their address holds a digest of them all, so that a browser may keep them for ever. At a first visit what counts is
how often it has to ask: a browser asks for six files at a time. So all styles are sent as one file, and the page
names the modules of the first views, which are asked for at once and not one after the other.
"""

import hashlib
import re
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, Response
from fastapi.staticfiles import StaticFiles

STATIC = Path(__file__).parent / "static"
STYLES = re.compile(r'(?:<link rel="stylesheet" href="assets/[\w.]+">\n)+')
FIRST = ("main.js", "play.js", "home.js")  # what is seen first
FOR_EVER = {"cache-control": "public, max-age=31536000, immutable"}


def serve(app: FastAPI) -> None:
    """Add the files to a server."""
    files = sorted(file for file in STATIC.iterdir() if file.is_file())
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]
    source = _read("index.html")
    styles = "\n".join(map(_read, re.findall(r"assets/([\w]+\.css)", source)))
    page = STYLES.sub('<link rel="stylesheet" href="assets/page.css">\n', source)
    page = page.replace("<!-- modules -->", _preloads()).replace('"assets/', f'"assets/{digest}/')

    async def index() -> HTMLResponse:
        return HTMLResponse(page, headers={"cache-control": "no-cache"})

    async def style() -> Response:
        return Response(styles, media_type="text/css", headers=FOR_EVER)

    for where in ("/", "/index.html"):
        app.add_api_route(where, index, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_api_route(f"/assets/{digest}/page.css", style, include_in_schema=False)
    app.mount(f"/assets/{digest}", KeptFiles(directory=STATIC))
    app.mount("/", StaticFiles(directory=STATIC))


def _read(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def _preloads() -> str:
    """Lines that name the modules of the first views."""
    found: dict[str, None] = {}

    def add(name: str) -> None:
        if name not in found:
            found[name] = None
            for other in re.findall(r"^import [^;]*? from '\./([\w.]+)';", _read(name), re.MULTILINE):
                add(other)

    for view in FIRST:
        add(view)
    return "\n".join(f'<link rel="modulepreload" href="assets/{name}">' for name in found)


class KeptFiles(StaticFiles):
    """Files that never change under their address."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        response = super().file_response(*args, **options)
        response.headers.update(FOR_EVER)
        return response
