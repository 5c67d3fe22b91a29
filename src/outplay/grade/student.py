"""A student's function: found in its file, and called with arguments chosen by its parameters' names.

The first parameter is the state. The others are recognised by name:

    depth          how many plies to search             alpha, beta    the window: -infinity and infinity
    maximizing     True where MAX moves                 colour, sign   1 where MAX moves
    player         the result of player()               table          an empty dict
    game           AIMA's game object, before or after the state

Case and underscores do not matter, nor do endings as in `maximizingPlayer`. A parameter with a default value
keeps it, except depth. The function returns a value, an action, or both in either order.
"""

import contextlib
import functools
import glob
import inspect
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from outplay.files import describe, file_spec, load_module, own, pick
from outplay.game import legal
from outplay.grade.cases import FULL, Case, cases
from outplay.grade.position import Action, Notes, Position, Rules, TooLong
from outplay.grade.position import Path as Line

KINDS = ("minimax", "alphabeta", "negamax", "expectiminimax")
ENDLESS = "stopped: it seems to loop forever"
QUESTIONS = 400  # method calls allowed per state, on average; the textbook's searches need about four

ROLES = {
    "depth": ("depth", "plies", "limit", "maxdepth", "depthlimit", "depthleft", "d"),
    "alpha": ("alpha", "a", "α"),
    "beta": ("beta", "b", "β"),
    "maximizing": ("maximizing", "maximising", "maximizer", "ismax", "maxplayer", "maxturn", "ismaximizing"),
    "colour": ("colour", "color", "sign"),
    "player": ("player", "turn", "side"),
    "game": ("game", "problem"),
    "table": ("table", "tt", "memo", "cache", "transpositions", "transpositiontable"),
}


def load_function(spec: str) -> Callable[..., Any]:
    """The function that `FILE:function` names, or the only search in FILE; else a ValueError."""
    found = file_spec(spec)
    if found is None or found.parameters:
        raise ValueError(f"{spec!r} does not name a function in a file: write it as homework.py:alphabeta")
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
        f"which function of {Path(found.path).name}? Name it, as in {spec}:{KINDS[1]}; it has {names}"
    )


def named(specs: list[str]) -> list[str]:
    """The functions named by `FILE:function`, where FILE may be a pattern, as in `folder/*.py`."""
    found: list[str] = []
    for spec in specs:
        file = file_spec(spec)
        if file is None or not glob.has_magic(file.path) or Path(file.path).exists():
            found.append(spec)
            continue
        files = sorted(glob.glob(file.path))
        if not files:
            raise ValueError(f"no such file: {file.path}")
        found += [f"{path}{spec[len(file.path) :]}" for path in files]
    return found


class Run(NamedTuple):
    """The result of a search on a case."""

    value: float | None = None  # None: not returned
    action: int | None = None
    visits: tuple[Line, ...] = ()
    fault: str = ""  # why there is neither
    returned: bool = True  # whether the function ended

    @classmethod
    def read(cls, said: Any, case: Case) -> "Run":
        """A run as reported by another process; a ValueError if the report is malformed."""
        value, action, visits, fault, returned = said
        if not (
            (value is None or type(value) in (int, float))
            and (action is None or type(action) is int and action in legal(case.state))
            and isinstance(fault, str)
            and isinstance(returned, bool)
            and (value is not None or action is not None or fault)
        ):
            raise ValueError("not an answer")
        known = {*case._replace(depth=None).paths()}
        lines = tuple(tuple(path) for path in visits)
        if not known.issuperset(lines):
            raise ValueError("not a visit")
        return cls(value, action, lines, fault, returned)


_cases = functools.lru_cache(maxsize=16)(cases)  # every student of a course gets the same ones


class Student(NamedTuple):
    """A student's function, and how to call it."""

    name: str
    function: Callable[..., Any]
    kind: str
    state: str  # the parameter for the state
    roles: dict[str, str]  # the roles of the other parameters
    needed: frozenset[str]  # the roles without a default value

    @property
    def has_depth(self) -> bool:
        return "depth" in self.roles.values()

    @property
    def has_window(self) -> bool:
        return {"alpha", "beta"} <= {*self.roles.values()}

    @property
    def prunes(self) -> bool:
        return self.kind == "alphabeta" or self.kind == "negamax" and self.has_window

    def cases(self, seed: int) -> list[Case]:
        """The cases for this function."""
        return list(_cases(self.kind, seed, self.has_depth, self.prunes and self.has_window))

    def run(self, case: Case) -> Run:
        """Run the function on a case; every error becomes part of the result."""
        notes = Notes(QUESTIONS * case.size)
        values: dict[str, Any] = {
            "depth": case.plies + 1 if case.depth is None else case.depth,
            "alpha": case.window[0],
            "beta": case.window[1],
            "maximizing": True,
            "colour": 1,
            "player": 0,
            "table": {},
            "game": Rules(),
        }
        given = self.needed | {"depth"} | ({"alpha", "beta"} if case.window != FULL else frozenset())
        arguments = {name: values[role] for name, role in self.roles.items() if role in given}
        arguments[self.state] = Position(case.state, notes)
        try:
            with contextlib.redirect_stdout(io.StringIO()):  # its output would hide the report
                answer = self.function(**arguments)
            return _understood(answer, tuple(notes.visits))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # including SystemExit
            return Run(visits=tuple(notes.visits), fault=self._fault(error), returned=False)

    def _fault(self, error: BaseException) -> str:
        """The error, with its line in the student's file."""
        plain = inspect.unwrap(self.function)
        where = describe(error, Path(plain.__code__.co_filename) if inspect.isfunction(plain) else None)
        place = where.partition(f": {type(error).__name__}")[0]
        if isinstance(error, RecursionError):
            return f"{place}: the recursion does not end; is terminal() called first, and is the depth decreased?"
        if isinstance(error, TooLong):
            return f"{place}: {ENDLESS}"
        return where


def student(function: Callable[..., Any], kind: str | None = None) -> Student:
    """The function with its kind, by default judged by its name and parameters; a ValueError if unclear."""
    name = getattr(function, "__name__", type(function).__name__)
    parameters = _parameters(function)
    state = next((p.name for p in parameters if _role_of(p.name) != "game"), None)
    if state is None:
        raise ValueError(f"{name} has no parameter for the state")
    roles = {}
    for parameter in parameters:
        role = _role_of(parameter.name)
        if parameter.name == state:
            continue
        if role is not None:
            roles[parameter.name] = role
        elif parameter.default is parameter.empty:
            unknown = f"{name} has a parameter {parameter.name!r}, which the grader does not know"
            raise ValueError(f"{unknown}: give it a default value, or one of the names {', '.join(ROLES)}")
    if kind is None:
        kind = _kind_in(name)
        if kind in (None, "minimax") and {"alpha", "beta"} <= {*roles.values()}:
            kind = "alphabeta"
    if kind is None:
        raise ValueError(f"which search is {name}? Name it with --kind: {', '.join(KINDS)}")
    if kind not in KINDS:
        raise ValueError(f"{kind!r} is not a kind of search; choose from {', '.join(KINDS)}")
    needed = frozenset(roles[p.name] for p in parameters if p.name in roles and p.default is p.empty)
    return Student(name, function, kind, state, roles, needed)


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise ValueError(f"{function!r} is not a function that can be called") from None
    taken = [p for p in found if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if any(p.kind is p.POSITIONAL_ONLY for p in taken):
        raise ValueError(f"{function!r} has positional-only parameters: remove the / from the list")
    return taken


def _role_of(parameter: str) -> str | None:
    folded = parameter.lower().replace("_", "")
    for role, names in ROLES.items():
        if folded in names or folded.startswith(tuple(name for name in names if len(name) > 3)):
            return role
    return None


def _kind_in(name: str) -> str | None:
    """The kind of search that a function's name suggests."""
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


# --- answers --------------------------------------------------------------------------------------------


def _understood(answer: Any, visits: tuple[Line, ...]) -> Run:
    """The value and the action in a return value."""
    parts = answer if isinstance(answer, tuple | list) else (answer,)
    action = next((int(part) for part in parts if isinstance(part, Action)), None)
    value = next((_plain(part) for part in parts if _is_number(part)), None)
    if action is None and value is None:
        said = "nothing (None)" if answer is None else repr(answer)[:60]
        fault = f"it returned {said}: return a value, an action or (value, action)"
        return Run(visits=visits, fault=fault)
    return Run(value, action, visits)


def _is_number(thing: Any) -> bool:
    if isinstance(thing, Action | bool | str):
        return False
    return isinstance(thing, int | float) or hasattr(thing, "__float__")


def _plain(number: Any) -> float:
    """A number of any library as a Python number."""
    return number if type(number) in (int, float) else float(number)
