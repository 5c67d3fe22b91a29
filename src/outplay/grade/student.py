"""A student's function: found in its file, called with what its parameters ask for, and guarded.

The first parameter is the state. The others are known by their names:

    depth          how many plies to search             alpha, beta    the window: -infinity and infinity
    maximizing     True where MAX moves                 colour, sign   1 where MAX moves
    player         what player() gives                  table          an empty dict

Case and underscores do not matter, nor do endings as in `maximizingPlayer`. A parameter with a default value
keeps it, except depth. The function returns a value, an action, or both in either order.
"""

import contextlib
import ctypes
import inspect
import io
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from outplay.files import describe, file_spec, load_module, own, pick
from outplay.grade.cases import FULL, Case
from outplay.grade.position import Action, Notes, Position, TooLong
from outplay.grade.position import Path as Line

KINDS = ("minimax", "alphabeta", "negamax", "expectiminimax")
SECONDS = 5.0  # for one case
QUESTIONS = 400  # that a state of a case may be asked, on average; the textbook's searches ask about four

ROLES = {
    "depth": ("depth", "plies", "limit", "maxdepth", "depthlimit", "depthleft", "d"),
    "alpha": ("alpha", "a", "α"),
    "beta": ("beta", "b", "β"),
    "maximizing": ("maximizing", "maximising", "maximizer", "ismax", "maxplayer", "maxturn", "ismaximizing"),
    "colour": ("colour", "color", "sign"),
    "player": ("player", "turn", "side"),
    "table": ("table", "tt", "memo", "cache", "transpositions", "transpositiontable"),
}


def load_function(spec: str) -> Callable[..., Any]:
    """The function that `FILE:function` names, or the only search in FILE; else a ValueError."""
    found = file_spec(spec)
    if found is None or found.parameters:
        raise ValueError(f"{spec!r} names no function in a file: write it as homework.py:alphabeta")
    module = load_module(found.path)
    if found.name:
        function = pick(module, found.name)
        if not callable(function):
            raise ValueError(f"{found.name} in {Path(found.path).name} is not a function")
        return function
    named = {name: thing for name, thing in own(module).items() if _kind_in(name)}
    if len(named) == 1:
        return next(iter(named.values()))
    names = ", ".join(named or own(module)) or "nothing"
    raise ValueError(
        f"which function of {Path(found.path).name}? say it as in {spec}:{KINDS[1]}; it has {names}"
    )


class NoAnswer(Exception):
    """The time was up."""


class Run(NamedTuple):
    """What came of running a search on a case."""

    value: float | None = None  # None: not told
    action: int | None = None
    visits: tuple[Line, ...] = ()
    fault: str = ""  # why there is neither
    returned: bool = True  # the function came to its end


class Student(NamedTuple):
    """A student's function, and how to call it."""

    name: str
    function: Callable[..., Any]
    kind: str
    roles: dict[str, str]  # of the parameters after the state
    needed: frozenset[str]  # the roles that have to be given

    @property
    def has_depth(self) -> bool:
        return "depth" in self.roles.values()

    @property
    def has_window(self) -> bool:
        return {"alpha", "beta"} <= {*self.roles.values()}

    @property
    def prunes(self) -> bool:
        return self.kind == "alphabeta" or self.kind == "negamax" and self.has_window

    def run(self, case: Case) -> Run:
        """Run the function on a case; whatever happens, there is an answer."""
        notes = Notes(QUESTIONS * case.size)
        values: dict[str, Any] = {
            "depth": case.plies + 1 if case.depth is None else case.depth,
            "alpha": case.window[0],
            "beta": case.window[1],
            "maximizing": True,
            "colour": 1,
            "player": 0,
            "table": {},
        }
        given = self.needed | {"depth"} | ({"alpha", "beta"} if case.window != FULL else frozenset())
        arguments = {name: values[role] for name, role in self.roles.items() if role in given}
        answer, error = _guarded(lambda: self.function(Position(case.state, notes), **arguments))
        if error is not None:
            return Run(visits=tuple(notes.visits), fault=self._fault(error), returned=False)
        return _understood(answer, tuple(notes.visits))

    def _fault(self, error: BaseException) -> str:
        """What went wrong, with the line of the student's file."""
        plain = inspect.unwrap(self.function)
        where = describe(error, Path(plain.__code__.co_filename) if inspect.isfunction(plain) else None)
        place = where.partition(f": {type(error).__name__}")[0]
        if isinstance(error, NoAnswer):
            return str(error)
        if isinstance(error, RecursionError):
            return f"{place}: the recursion does not end; is terminal() asked first, the depth counted down?"
        if isinstance(error, TooLong):
            return f"{place}: stopped here, for it would not end"
        return where


def student(function: Callable[..., Any], kind: str | None = None) -> Student:
    """The function with its kind, which its name and parameters tell if nobody does; else a ValueError."""
    name = getattr(function, "__name__", type(function).__name__)
    parameters = _parameters(function)
    if not parameters:
        raise ValueError(f"{name} has no parameter for the state")
    roles = {}
    for parameter in parameters[1:]:
        role = _role_of(parameter.name)
        if role is not None:
            roles[parameter.name] = role
        elif parameter.default is parameter.empty:
            unknown = f"what is the parameter {parameter.name!r} of {name}?"
            raise ValueError(f"{unknown} known, after the state, are {', '.join(ROLES)}")
    if kind is None:
        kind = _kind_in(name)
        if kind in (None, "minimax") and {"alpha", "beta"} <= {*roles.values()}:
            kind = "alphabeta"
    if kind is None:
        raise ValueError(f"which search is {name}? say which of {', '.join(KINDS)}")
    if kind not in KINDS:
        raise ValueError(f"{kind!r} cannot be graded; {', '.join(KINDS)} can")
    needed = frozenset(roles[p.name] for p in parameters if p.name in roles and p.default is p.empty)
    return Student(name, function, kind, roles, needed)


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise ValueError(f"{function!r} is not a function that can be called") from None
    return [p for p in found if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def _role_of(parameter: str) -> str | None:
    folded = parameter.lower().replace("_", "")
    for role, names in ROLES.items():
        if folded in names or folded.startswith(tuple(name for name in names if len(name) > 3)):
            return role
    return None


def _kind_in(name: str) -> str | None:
    """The kind of search that a function's name tells."""
    folded = name.lower().replace("_", "")
    return next((kind for word, kind in WORDS.items() if word in folded), None)


WORDS = {
    "expecti": "expectiminimax",
    "negamax": "negamax",
    "alphabeta": "alphabeta",
    "prun": "alphabeta",
    "minimax": "minimax",
    "minmax": "minimax",
}


# --- running --------------------------------------------------------------------------------------------


def _guarded(call: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    """What the call returns, or what it raised. It has its own thread, to be stopped when the time is up."""
    answers: list[Any] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            answers.append(call())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=work, daemon=True)
    with contextlib.redirect_stdout(io.StringIO()):  # what it prints would bury the report
        thread.start()
        thread.join(SECONDS)
        if thread.is_alive():  # raise TooLong in it, wherever it is
            ident = ctypes.c_ulong(thread.ident or 0)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(TooLong))
            thread.join(1.0)
    if errors:
        return None, errors[0]
    return (answers[0], None) if answers else (None, NoAnswer(f"no answer within {SECONDS:g} seconds"))


def _understood(answer: Any, visits: tuple[Line, ...]) -> Run:
    """The value and the action in an answer."""
    parts = answer if isinstance(answer, tuple | list) else (answer,)
    action = next((int(part) for part in parts if isinstance(part, Action)), None)
    value = next((part for part in parts if _is_number(part)), None)
    if action is None and value is None:
        said = "nothing (None)" if answer is None else repr(answer)[:60]
        fault = f"it returned {said}: a value, an action or (value, action) is wanted"
        return Run(visits=visits, fault=fault)
    return Run(value, action, visits)


def _is_number(thing: Any) -> bool:
    if isinstance(thing, Action | bool | str):
        return False
    return isinstance(thing, int | float) or hasattr(thing, "__float__")
