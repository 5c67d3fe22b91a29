"""The requests, field by field. Anything else is rejected with one line that says why."""

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, WithJsonSchema

from outplay.ui.web.catalogue import MAX_TEXT
from outplay.ui.web.seal import LENGTH, MARK
from outplay.ui.web.view import MAX_MOVES

MAX_SECONDS = 60.0  # for a player's move
MAX_ANALYSIS = 600.0  # for an analysis, if nobody else waits
MAX_LINES = 8

WHOLE = re.compile(r"-?[0-9]{1,20}", re.ASCII)
SEALED = re.compile(rf"{MARK}[A-Za-z0-9_-]{{{LENGTH}}}", re.ASCII)

Word = Annotated[str, Field(max_length=200)]


def _action(given: Any) -> int | str:
    """An action as the page sends it: as text if too large for JavaScript's numbers, or sealed."""
    if isinstance(given, str) and SEALED.fullmatch(given):
        return given
    if isinstance(given, str) and WHOLE.fullmatch(given):
        given = int(given)
    if type(given) is not int or not -(1 << 63) <= given < 1 << 63:
        raise ValueError("an action must be a 64-bit integer or a sealed move")
    return given


Action = Annotated[
    int | str,
    PlainValidator(_action),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": -(1 << 63), "maximum": (1 << 63) - 1},
                {"type": "string", "pattern": "^-?[0-9]{1,18}$"},
                {"type": "string", "pattern": f"^{SEALED.pattern}$"},
            ]
        }
    ),
]
Side = Annotated[int, Field(ge=0, le=1)]
Seed = Annotated[int, Field(ge=0, lt=1 << 53)]


class Strict(BaseModel):
    """A model without unknown fields or type conversions."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Asked(Strict):
    """A game from its start to the current position."""

    game: Word
    start: str = Field("", max_length=MAX_TEXT)
    actions: list[Action] = Field(default=[], max_length=MAX_MOVES)
    humans: list[Side] = Field(default=[], max_length=2)  # the human sides, in games of imperfect information
    viewer: Side | None = None  # and the one who looks


class AskedGame(Strict):
    """A game, optionally with parameters."""

    game: Word


class AskedPosition(Asked):
    """A position to show."""

    flipped: bool = False


class AskedRoll(Asked):
    """A random outcome; the same seed gives the same game."""

    seed: Seed = 0


class Branch(Strict):
    """A move in a move tree, listed after its predecessors."""

    up: int = Field(ge=-1, lt=MAX_MOVES)  # the index of the move before it; -1 for a first move
    action: Action
    comment: str = Field("", max_length=2000)
    sign: Literal["", "!", "?", "!!", "??", "!?", "?!"] = ""


class AskedWrite(Asked):
    """A game to write down."""

    headers: dict[Annotated[str, Field(pattern="^[A-Za-z][A-Za-z0-9_-]{0,39}$")], Word] = Field(
        default={}, max_length=20
    )
    form: Literal["record", "pgn", "sgf", "mat", "ids"] = "record"
    tree: list[Branch] = Field(default=[], max_length=MAX_MOVES)  # all variations, with comments


class AskedRead(Strict):
    """A game or position that the user typed or pasted."""

    text: str = Field(max_length=100_000)
    game: Word = ""


class Put(Strict):
    """A piece to put on a cell; a space removes the piece."""

    at: list[Annotated[int, Field(ge=0, lt=64)]] = Field(min_length=2, max_length=2)
    piece: str = Field(min_length=1, max_length=2)


class AskedEdit(Strict):
    """The position editor: the original position, the sketch of the board, and changes to it."""

    game: Word
    start: str = Field("", max_length=MAX_TEXT)
    rows: list[Annotated[str, Field(max_length=64)]] | None = Field(None, max_length=64)
    hands: list[Annotated[str, Field(pattern="^[0-9]{0,3}$")]] | None = Field(
        None, min_length=2, max_length=2
    )
    player: Side | None = None
    puts: list[Put] = Field(default=[], max_length=4)
    words: dict[Annotated[str, Field(pattern="^[0-9]$")], Word] = Field(default={}, max_length=10)
    flipped: bool = False


class AskedTree(Asked):
    """A search to record and show as a tree."""

    search: Word = ""
    depth: int | None = Field(None, ge=1, le=64)
    on: Word = ""
    iterations: int = Field(100, ge=1, le=500)
    order: Literal["", "best", "worst", "mirror"] = ""  # the move ordering
    seed: Seed = 1


class AskedPictures(Asked):
    """Small boards of the positions at the ends of some paths."""

    ways: list[Annotated[list[Action], Field(max_length=64)]] = Field(max_length=100)


class AskedTyped(Strict):
    """A change to one node of a user-made tree."""

    text: str = Field(max_length=MAX_TEXT)
    path: list[Annotated[int, Field(ge=0, lt=256)]] = Field(default=[], max_length=64)
    change: Literal["add", "remove", "value", "kind", "probability"]
    value: float = Field(0.0, ge=-1e9, le=1e9, allow_inf_nan=False, strict=False)
    kind: Literal["", "max", "min", "chance"] = ""


class AskedQuiz(Strict):
    """A tree to solve by hand."""

    seed: Seed = 1
    depth: int = Field(3, ge=1, le=4)
    branching: int = Field(3, ge=1, le=4)
    chance: bool = False


class Seat(Strict):
    """A player and its limits."""

    name: Word
    depth: int | None = Field(None, ge=1, le=200)
    nodes: int | None = Field(None, ge=1, le=10**12)
    time: float | None = Field(None, gt=0, le=MAX_SECONDS, allow_inf_nan=False, strict=False)
    on: Word = ""  # the engine's switches, if not the default
    seed: Seed = 0


class Job(Asked):
    """A job that takes time; the page chooses its `id`."""

    id: int = Field(ge=0, lt=1 << 53)


class Think(Job):
    """Ask a player for a move."""

    type: Literal["think"]
    seat: Seat
    hurry: bool = False  # if the search is not compiled yet, accept a quick plain search's move


class Analyse(Job):
    """Analyse a position until stopped, with reports."""

    type: Literal["analyse"]
    search: Word = ""
    on: Word = ""
    lines: int = Field(1, ge=1, le=MAX_LINES)
    time: float = Field(MAX_ANALYSIS, gt=0, le=MAX_ANALYSIS, allow_inf_nan=False, strict=False)


class Review(Job):
    """Judge every move of a game."""

    type: Literal["review"]


class Grow(Job, AskedTree):
    """Record a search and show it as a tree, like /api/tree, with compile progress."""

    type: Literal["grow"]


class Prepare(Job):
    """Compile ahead what a player will need."""

    type: Literal["prepare"]
    seat: Seat


class Stop(Strict):
    """Stop a job."""

    type: Literal["stop"]
    id: int = Field(ge=0, lt=1 << 53)


Message = Annotated[Think | Analyse | Review | Grow | Prepare | Stop, Field(discriminator="type")]


class Problem(BaseModel):
    """An error in one line."""

    error: str


class Answer(BaseModel):
    """An answer with fields that the page knows."""

    model_config = ConfigDict(extra="allow")


def first_problem(errors: Any) -> str:
    """The first of pydantic's errors, in one line."""
    first = errors[0]
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query"))
    return f"{where + ': ' if where else ''}{first['msg'].removeprefix('Value error, ')}"[:300]
