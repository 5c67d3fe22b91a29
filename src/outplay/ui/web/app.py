"""The routes. They are stateless: everything needed is in the request; see outplay/ui/web/__init__.py."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from outplay import __version__
from outplay.search.engine.switches import SWITCHES
from outplay.ui.web import levels, notation, pagefiles
from outplay.ui.web.answers import QUESTIONS
from outplay.ui.web.catalogue import TREES, Catalogue, Refused
from outplay.ui.web.guard import Guard, client_of
from outplay.ui.web.jobs import Job, Jobs
from outplay.ui.web.live import Live
from outplay.ui.web.processes import get_ready
from outplay.ui.web.schema import Answer, Problem, first_problem
from outplay.ui.web.seal import kept_key
from outplay.ui.web.worker import Process

SECONDS = 10.0  # for the answer to a request
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": why}
    for status, why in {
        400: "The request cannot be read",
        413: "Too large",
        422: "The request is invalid",
        429: "Too many requests",
    }.items()
}


def application(
    catalogue: Catalogue, hosts: list[str] | None, token: str, workers: int | None = None
) -> Guard:
    """The whole application, behind its guard. `hosts` are the accepted host names."""
    get_ready()
    key = kept_key()
    files = {file: catalogue.known[file] for file in catalogue.files}
    jobs = Jobs(lambda polite, plain: Process(files, key, polite, plain), workers)
    live = Live(catalogue, jobs)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        jobs.close()

    app = FastAPI(
        title="Outplay",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        responses=PROBLEMS,
        default_response_class=JSONResponse,
    )
    _errors(app)
    _list_games(app, catalogue)
    for what in QUESTIONS:
        _question(app, catalogue, jobs, what)
    app.add_api_websocket_route("/api/live", _socket(live))
    app.add_api_route("/favicon.ico", _icon, include_in_schema=False)
    pagefiles.serve(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=4)
    return Guard(app, hosts, token)


def _socket(live: Live) -> Callable[[WebSocket], Any]:
    async def serve(socket: WebSocket) -> None:
        await live.serve(socket)

    return serve


def _icon() -> FileResponse:
    return FileResponse(pagefiles.STATIC / "icon.svg")


def _errors(app: FastAPI) -> None:
    """Every error becomes one line."""

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        return JSONResponse({"error": first_problem(error.errors())}, 422)

    @app.exception_handler(HTTPException)
    async def refused(_: Request, error: HTTPException) -> JSONResponse:
        return JSONResponse({"error": str(error.detail)}, error.status_code, error.headers)

    @app.exception_handler(Refused)
    async def wrong(_: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 422)


def _list_games(app: FastAPI, catalogue: Catalogue) -> None:
    told = {
        "version": __version__,
        "games": catalogue.describe(),
        "bots": list(catalogue.bots),
        "first": catalogue.first,
        "opened": notation.opened(catalogue),
        "levels": levels.described(),
        "level": levels.USUAL,
        "switches": [{"name": s.name, "kind": s.kind, "about": s.about} for s in SWITCHES],
    }

    @app.get("/api/catalogue", response_model=Answer)
    async def list_games() -> Any:
        """The available games, players and switches, and the game to show first."""
        return JSONResponse(told | {"quiz": secrets.randbelow(1 << 20)})


def _question(app: FastAPI, catalogue: Catalogue, jobs: Jobs, what: str) -> None:
    model, work = QUESTIONS[what]

    async def answer(request: Request, asked: BaseModel) -> Response:
        if name := getattr(asked, "game", ""):
            catalogue.admit(name)
        job = partial(
            Job,
            own=catalogue.own(asked.model_dump(include={"game", "text"})),
            typed=what == "quiz" or name in TREES,
        )
        return await _answered(jobs, request, what, asked, job)

    answer.__doc__, answer.__name__ = work.__doc__, what
    answer.__annotations__["asked"] = model
    app.post(f"/api/{what}", response_model=Answer)(answer)


async def _answered(
    jobs: Jobs, request: Request, what: str, asked: BaseModel, made: Callable[..., Job]
) -> Response:
    """A worker's answer; the work stops if the client disconnects."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Any] = loop.create_future()

    def hear(said: Any) -> None:
        if not answer.done() and (isinstance(said, bytes) or said["type"] in ("done", "error")):
            answer.set_result(said)

    client = client_of(request.scope)
    job = made(what, asked.model_dump_json(), client, lambda said: _call(loop, hear, said), SECONDS)
    try:
        jobs.submit(job)
    except Refused as busy:
        raise HTTPException(429, str(busy)) from busy
    gone = asyncio.ensure_future(request.receive())  # the body was read: the next message is the disconnect
    await asyncio.wait((answer, gone), return_when=asyncio.FIRST_COMPLETED)
    gone.cancel()
    if not answer.done():
        jobs.cancel(job)
        return Response(status_code=499)
    said = answer.result()
    if isinstance(said, bytes):
        return Response(said, media_type="application/json")
    return JSONResponse({"error": said.get("message", "stopped")}, 500 if said.get("fault") else 422)


def _call(loop: asyncio.AbstractEventLoop, hear: Callable[[Any], None], said: Any) -> None:
    """Call `hear` in the event loop, from any thread."""
    with contextlib.suppress(RuntimeError):  # the loop is closed: the server is stopping
        loop.call_soon_threadsafe(hear, said)
