"""Numba's complaints in the user's terms: which method, which line, what to change."""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numba import typeof, types
from numba.core.errors import NumbaError

from outplay.compile.intrinsics import WORDS
from outplay.compile.program import Twin
from outplay.compile.runtime import TooManyActions, UtilityTooLarge
from outplay.game import MOST, TOLD_OF_ACTIONS, GameError

ARGUMENTS = {
    "actions": (WORDS, types.int64, types.int64),
    "result": (types.int64,),
    "probability": (types.int64,),
    **dict.fromkeys((*TOLD_OF_ACTIONS, "net_feature"), (types.int64,)),
    **dict.fromkeys(
        ("noisy", "promising", "symmetries", "finish", "planes"), (WORDS, types.int64, types.int64)
    ),
}

# What a marked complaint (see intrinsics and rules) means and what cures it; {0} is the type that came.
MARKED = {
    "field": ("a field of the state is given {0}", "fields are ints or tuples of ints: use // instead of /"),
    "action": ("an action is {0}", "actions are ints: pack what the move needs into one int"),
    "index": ("an index is {0}", "index with an int: use // instead of /"),
}
# Parts of Numba's own messages.
KNOWN = [
    (
        r"Unknown attribute '(\w+)' of type (.+)",
        "{2} has no attribute {1}",
        "compute with ints and tuples of ints",
    ),
    (
        r"Cannot unify (.+?) and (.+?) for '(\w+?)(?:\.\d+)?'",
        "{3} is {1} on one path and {2} on another",
        "give it one type",
    ),
    (
        r"Can't unify return type from the following types: (.+)",
        "it returns {1}",
        "return one type on every path",
    ),
    (
        r"(?s)>>> (\w+)\((.*?)\)\s*\n",
        "{1}({2}) has no compiled meaning",
        "compute with ints and tuples of ints",
    ),
    (
        r"NameError: name '(\w+)' is not defined|variable '(\w+)' referenced before",
        "{1}{2} may be unset",
        "set it first",
    ),
]


@contextlib.contextmanager
def explained(twin: Twin, state: Any) -> Iterator[None]:
    """Run compiled code; what goes wrong in a game's rules comes out as a GameError."""
    name = twin.cls.__name__
    try:
        yield
    except NumbaError as error:
        raise diagnose(twin, state, error) from None
    except TooManyActions:
        raise GameError(
            f"{name}.actions yields more than max_actions = {twin.program.limit} actions: "
            "declare a larger `max_actions = ...` in the class"
        ) from None
    except UtilityTooLarge:
        raise GameError(f"{name}.utility is beyond {MOST:,}: scale it down") from None
    except (LookupError, ArithmeticError, AssertionError, StopIteration, ValueError) as error:
        raise GameError(
            f"{name}: {type(error).__name__} in its rules: `outplay check` finds the position and the method"
        ) from error


def diagnose(twin: Twin, state: Any, error: NumbaError) -> GameError:
    """Compile rule by rule to find the one that the error comes from."""
    kind = typeof(state)
    for rule, function in twin.functions.items():
        try:
            function.compile((kind, *_arguments(twin, rule, kind)))
        except NumbaError as found:
            return _explain(twin, rule, str(found))
        returned = function.overloads[function.signatures[-1]].signature.return_type
        complaint = _wrong_return(twin, rule, returned, kind)
        if complaint:
            piece = next(p for p in twin.program.pieces if p.symbol == twin.program.rules[rule])
            return piece.place.error(piece.node.lineno, *complaint)
    return GameError(f"{twin.cls.__name__}: it cannot be compiled: {_first_line(str(error))}")


def _arguments(twin: Twin, rule: str, state: Any) -> tuple[Any, ...]:
    """What a rule is called with, beside the state."""
    if rule == "evaluate" and twin.program.weights is not None:
        return (types.int64,)
    if rule == "informed":
        return (types.int64,) * (1 if twin.program.weights is None else 2)
    if rule == "net_changed":
        return (state,)
    return ARGUMENTS.get(rule, ())


def _wrong_return(twin: Twin, rule: str, returned: Any, state: Any) -> tuple[str, str] | None:
    returned = types.unliteral(returned)
    name = twin.cls.__name__
    if rule == "result":
        if returned != state and getattr(returned, "instance_class", None) is state.instance_class:
            return (
                "a tuple field changes its length",
                "keep its length; use several fields, or fill it with zeros",
            )
        if returned != state:
            return (
                f"it returns {_words(returned)}, not a {name}",
                f"end with `return {name}(...)` on every path",
            )
        return None
    if isinstance(returned, types.NoneType | types.Optional):
        return "it returns None on some path", "return a value on every path"
    if rule in ("utility", "evaluate"):
        if isinstance(returned, types.Float) and not twin.kind.float_scores:
            return (
                "it returns a float",
                "return ints (scale the values), or declare `scores = float` in the class",
            )
        if not isinstance(returned, types.Integer | types.Boolean | types.Float):
            return f"it returns {_words(returned)}", "return a number"
        return None
    if rule in ("player", "terminal") and not isinstance(returned, types.Integer | types.Boolean):
        return (
            f"it returns {_words(returned)}",
            "return an int" if rule == "player" else "return True or False",
        )
    if rule == "probability" and not isinstance(returned, types.Number | types.Boolean):
        return f"it returns {_words(returned)}", "return a number from 0 to 1"
    return None


def _explain(twin: Twin, rule: str, text: str) -> GameError:
    place, line = _where(twin, rule, text)
    marked = re.search(r"@outplay (\w+) (.*)", text)
    if marked and marked[1] in MARKED:
        what, cure = MARKED[marked[1]]
        return place.error(line, what.format(_words(marked[2])), cure)
    if marked:
        return place.error(line, f"{marked[1]} {marked[2]}", "compute with ints")
    for pattern, what, cure in KNOWN:
        found = re.search(pattern, text)
        if found:
            return place.error(
                line, what.format(*[_words(g or "") for g in (found[0], *found.groups())]), cure
            )
    return place.error(line, _first_line(text), "docs/python.md lists the Python that can be compiled")


def _where(twin: Twin, rule: str, text: str) -> tuple[Any, int]:
    """The function and line that Numba names first, among the functions of the game."""
    for file, number in re.findall(r"(?:at |File \")(\S+?)\"?(?:,? line |\s\()(\d+)\)?", text):
        line = int(number)
        for piece in twin.program.pieces:
            same = Path(piece.place.file).name == Path(file).name
            if same and piece.node.lineno <= line <= (piece.node.end_lineno or line):
                return piece.place, line
    piece = next(p for p in twin.program.pieces if p.symbol == twin.program.rules[rule])
    return piece.place, piece.node.lineno


def _words(kind: Any) -> str:
    """A Numba type as a Python programmer would name it."""
    text = str(kind)
    text = re.sub(r"Literal\[int\]\((-?\d+)\)", "int", text)
    text = re.sub(r"\b(?:int64|uint64|int32|int8)\b", "int", text)
    text = re.sub(r"\bfloat(?:64|32)\b", "float", text)
    text = re.sub(r"UniTuple\(int x \d+\)|Tuple\([^()]*\)", "tuple", text)
    text = re.sub(r"OptionalType\((\w+)\)", r"\1 or None", text)
    text = re.sub(r"\b(\w+)_[0-9a-f]{12}\([^()]*\)", r"\1", text)
    return text.replace("none", "None").replace("boolean", "bool")


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines()]
    useful = [
        line for line in lines if line and not line.startswith(("Failed in nopython", "During", "File"))
    ]
    return useful[0][:200] if useful else text[:200]
