"""The page's own files, sent so that they load fast over a slow network.

Their address contains a digest of them all, so that a browser may cache them forever. On a first visit the number of
requests matters. So all styles are one file, the modules of the first views another, and those of the other views a
third, which is loaded when one of them is opened. Lines that are nothing but a comment are not sent.
"""

import hashlib
import re
from collections.abc import Sequence

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, Response
from fastapi.staticfiles import StaticFiles

from outplay.ui import bundle
from outplay.ui.bundle import STATIC

STYLES = re.compile(r'(?:<link rel="stylesheet" href="assets/[\w.]+">\n)+')
COMMENT = re.compile(r"^ *(?://.*|/\*(?:(?!\*/)[\s\S])*\*/)\n", re.MULTILINE)
MAIN = "main"
FIRST = ("play", "home")  # the first views
FOR_EVER = {"cache-control": "public, max-age=31536000, immutable"}


def serve(app: FastAPI) -> None:
    """Add the files to a server."""
    kept = files()
    digest = hashlib.sha256("".join(text for text, _ in kept.values()).encode()).hexdigest()[:12]
    page = page_text().replace('"assets/', f'"assets/{digest}/')

    async def index() -> HTMLResponse:
        return HTMLResponse(page, headers={"cache-control": "no-cache"})

    for where in ("/", "/index.html"):
        app.add_api_route(where, index, methods=["GET", "HEAD"], include_in_schema=False)
    for name, (text, kind) in kept.items():
        _keep(app, f"/assets/{digest}/{name}", text, kind)
    app.mount("/", StaticFiles(directory=STATIC))


def page_text() -> str:
    """The page itself, which refers to the bundled files."""
    page = STYLES.sub('<link rel="stylesheet" href="assets/page.css">\n', _read("index.html"))
    return page.replace(f"assets/{MAIN}.js", "assets/page.js")


def files() -> dict[str, tuple[str, str]]:
    """The page's other files by address: text and media type."""
    styles = re.findall(r"assets/(\w+\.css)", _read("index.html"))
    first, rest = scripts()
    return {
        "page.css": (COMMENT.sub("", "\n".join(map(_read, styles))), "text/css"),
        "page.js": (COMMENT.sub("", first), "text/javascript"),
        "rest.js": (COMMENT.sub("", rest), "text/javascript"),
        "icon.svg": (_read("icon.svg"), "image/svg+xml"),
    }


def _read(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def _keep(app: FastAPI, address: str, text: str, kind: str) -> None:
    """Serve a text that never changes under its address."""

    async def kept() -> Response:
        return Response(text, media_type=kind, headers=FOR_EVER)

    app.add_api_route(address, kept, include_in_schema=False)


def scripts() -> tuple[str, str]:
    """The modules of the first views, and all others that they load later."""
    first = bundle.ordered([*bundle.imported(MAIN), *FIRST])
    asked = [name for module in (MAIN, *first) for name in bundle.later(module)]
    rest = [name for name in bundle.ordered(asked) if name not in first]
    begun = f"(async () => {{\n{bundle.body(MAIN)}}})();\n"  # otherwise the rest would wait for its end
    shared = f"import {_listed(first)} from './page.js';\n"
    return _joined(first, first, begun), shared + _joined(rest, first)


def _joined(names: Sequence[str], first: Sequence[str], end: str = "") -> str:
    """Modules as one; dynamic imports resolve to the same bundle or to the rest."""

    def asked(found: re.Match[str]) -> str:
        return f"${found[1]}" if found[1] in first else f"(await import('./rest.js')).${found[1]}"

    text = "".join(map(bundle.constant, names)) + end
    return f"{bundle.LATER.sub(asked, text)}export {_listed(names)};\n"


def _listed(names: Sequence[str]) -> str:
    return f"{{ {', '.join(f'${name}' for name in names)} }}"
