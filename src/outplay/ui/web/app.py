"""The routes. All of them answer from what the request brings; see outplay/ui/web/__init__.py."""

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from outplay import __version__
from outplay.files import describe
from outplay.game import CHANCE, GameError
from outplay.players import roll
from outplay.search.switches import SWITCHES
from outplay.ui.web import notation, trees
from outplay.ui.web.catalogue import Catalogue, Refused
from outplay.ui.web.guard import Guard
from outplay.ui.web.jobs import Jobs
from outplay.ui.web.live import Live
from outplay.ui.web.schema import (
    Answer,
    Asked,
    AskedPosition,
    AskedQuiz,
    AskedRead,
    AskedRoll,
    AskedTree,
    AskedWrite,
    Problem,
    first_problem,
)
from outplay.ui.web.view import NOBODY, Positions, explained, record_of, view

STATIC = Path(__file__).parent / "static"
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": why}
    for status, why in {
        400: "The request cannot be read",
        413: "Too large",
        422: "What was asked makes no sense",
        429: "Too many requests",
    }.items()
}


def application(
    catalogue: Catalogue, hosts: list[str] | None, token: str = "", workers: int | None = None
) -> Guard:
    """The whole server, behind its guard. `hosts` are the names it answers to."""
    positions, jobs = Positions(catalogue), Jobs(workers)
    live = Live(positions, jobs)

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
    _routes(app, catalogue, positions)
    app.add_api_websocket_route("/api/live", _socket(live))
    app.add_api_route("/favicon.ico", _icon, include_in_schema=False)
    app.mount("/", StaticFiles(directory=STATIC, html=True))
    return Guard(app, hosts, token)


def _socket(live: Live) -> Callable[[WebSocket], Any]:
    async def serve(socket: WebSocket) -> None:
        await live.serve(socket)

    return serve


def _icon() -> FileResponse:
    return FileResponse(STATIC / "icon.svg")


def _errors(app: FastAPI) -> None:
    """Whatever goes wrong is one line."""

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        return JSONResponse({"error": first_problem(error.errors())}, 422)

    @app.exception_handler(HTTPException)
    async def refused(_: Request, error: HTTPException) -> JSONResponse:
        return JSONResponse({"error": str(error.detail)}, error.status_code, error.headers)

    for known in (ValueError, GameError):

        @app.exception_handler(known)
        async def wrong(_: Request, error: Exception) -> JSONResponse:
            return JSONResponse({"error": " ".join(str(error).split())[:500]}, 422)


def _routes(app: FastAPI, catalogue: Catalogue, positions: Positions) -> None:
    @app.get("/api/catalogue", response_model=Answer)
    def list_games() -> Any:
        """The games, players and switches there are, and the game to begin with."""
        return JSONResponse(
            {
                "version": __version__,
                "games": catalogue.describe(),
                "bots": list(catalogue.bots),
                "first": catalogue.first,
                "opened": notation.opened(catalogue),
                "switches": [{"name": s.name, "kind": s.kind, "about": s.about} for s in SWITCHES],
                "quiz": secrets.randbelow(1 << 20),
            }
        )

    @app.post("/api/game", response_model=Answer)
    def describe_game(asked: Asked) -> Any:
        """One game, perhaps with parameters."""
        catalogue.game(asked.game)
        return JSONResponse(catalogue.describe_game(asked.game))

    @app.post("/api/position", response_model=Answer)
    def show_position(asked: AskedPosition) -> Any:
        """What stands on the board after the moves, and what may be played."""

        def told() -> dict[str, Any]:
            position = positions.asked(asked)
            seen = view(position, asked.flipped, NOBODY if asked.viewer is None else (asked.viewer,))
            for move in seen["legal"] if position.hides else []:
                move["action"] = positions.told_action(asked, position, int(move["action"]))
            return seen

        return JSONResponse(_own(catalogue, asked.game, told))

    @app.post("/api/roll", response_model=Answer)
    def roll_dice(asked: AskedRoll) -> Any:
        """What chance does."""

        def told() -> dict[str, Any]:
            position = positions.asked(asked)
            if position.over or position.state.player() != CHANCE:
                raise Refused("chance is not to move there")
            seed = secrets.randbits(64) if position.hides else asked.seed  # else the page could foresee it
            outcome = roll(record_of(catalogue.game(asked.game), position), seed)
            return {"action": positions.told_action(asked, position, outcome)}

        return JSONResponse(_own(catalogue, asked.game, told))

    @app.post("/api/explain", response_model=Answer)
    def explain_position(asked: Asked) -> Any:
        """The evaluation of a position, term by term."""

        def told() -> dict[str, Any]:
            return explained(positions.asked(asked).state)

        return JSONResponse(_own(catalogue, asked.game, told))

    @app.post("/api/read", response_model=Answer)
    def read_game(asked: AskedRead) -> Any:
        """A game or position that somebody typed or pasted: a record, PGN, FEN, a position, a tree."""
        return JSONResponse(notation.read(catalogue, asked.text, asked.game))

    @app.post("/api/write", response_model=Answer)
    def write_game(asked: AskedWrite) -> Any:
        """A game as text."""

        def told() -> dict[str, Any]:
            position = positions.asked(asked)
            if position.hides and not position.over:
                raise Refused("this game hides something: it can be written down when it is over")
            record = record_of(catalogue.game(asked.game), position, tuple(asked.headers.items()))
            return {"text": notation.write(asked.game, record, asked.form)}

        return JSONResponse(_own(catalogue, asked.game, told))

    @app.post("/api/tree", response_model=Answer)
    def show_tree(asked: AskedTree) -> Response:
        """The tree that a search saw, step by step."""

        def told() -> dict[str, Any]:
            position = positions.asked(asked)
            return trees.searched(catalogue.game(asked.game), position, asked)

        return JSONResponse(_own(catalogue, asked.game, told))

    @app.post("/api/quiz", response_model=Answer)
    def make_quiz(asked: AskedQuiz) -> Any:
        """A tree to be solved by hand; the same seed gives the same tree."""
        return JSONResponse(trees.quiz(asked))


def _own(catalogue: Catalogue, game: str, work: Callable[[], Any]) -> Any:
    """Call a game's rules; a user's own may fail in any way, and are told so."""
    try:
        return work()
    except (ValueError, GameError):
        raise
    except Exception as error:  # a user's own rules
        entry = catalogue.entries.get(game.partition(":")[0])
        if entry is not None and entry.spec == entry.id:
            raise  # one of ours: that is our fault
        raise Refused(describe(error)) from error
