"""What rules depend on, read from their sources: functions without comments, constants, and those that these name.

It is the same in every process, however the class runs there: as native code of one layout or another, or interpreted.
A name may mean more than one thing (an attribute of any class met on the way); each of them counts.
"""

import ast
import enum
import functools
import inspect
import textwrap
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from outplay import written
from outplay.compile.natural.kinds import own_method
from outplay.compile.source import Missing, in_standard_library, lookup, plain
from outplay.standard import is_ours, original

SHOWN = ("__str__", "__repr__", "__format__")  # for people
DATA = (*written.WRITTEN, type(None), complex, np.ndarray, np.generic)


def sources(cls: type, rules: Iterable[str]) -> list[str]:
    """Everything that these rules of a class depend on, in a fixed order."""
    found = _Sources()
    found.add(original(cls), "class")
    for rule in rules:
        found.add(inspect.getattr_static(original(cls), rule, Missing), rule)
    found.complete()
    return sorted(found.pieces)


class _Sources:
    def __init__(self) -> None:
        self.pieces: set[str] = set()
        self.homes: list[Any] = []  # the user's classes and modules, whose attributes may be meant
        self.names: set[str] = set()
        self.met: dict[tuple[int, str], Any] = {}

    def complete(self) -> None:
        """Add what the names mean in the classes and modules met, until these are no more."""
        before = (-1, -1)
        while (now := (len(self.names), len(self.homes))) != before:
            before = now
            for home in list(self.homes):
                for name in sorted(self.names):
                    self.add(inspect.getattr_static(home, name, Missing), f"{home.__name__}.{name}")

    def add(self, thing: Any, label: str) -> None:
        """Add a function, a class, a module or a constant of this name, and what it leads to."""
        if thing is Missing or (id(thing), label) in self.met:
            return
        self.met[id(thing), label] = thing  # which keeps its id
        if isinstance(thing, functools.cached_property):
            thing = thing.func
        elif isinstance(thing, functools.partial):
            self.add(thing.func, label)
            thing = (thing.args, thing.keywords)
        elif inspect.ismodule(thing) or isinstance(thing, type):
            self.add_home(thing, label)
            return
        function = plain(getattr(thing, "__func__", thing))
        if isinstance(function, types.FunctionType):
            self.add_function(function, label)
        else:
            self.add_constant(thing, label)

    def add_function(self, function: types.FunctionType, label: str) -> None:
        if in_standard_library(function) or is_ours(function):
            self.pieces.add(f"{label}: {function.__module__}.{function.__qualname__}")
            return
        self.pieces.add(f"{label}: {_text(function)}")
        if (id(function), "") in self.met:
            return
        self.met[id(function), ""] = function
        self.add((function.__defaults__, function.__kwdefaults__), f"{function.__qualname__}()")
        for name in sorted(set(_names(function.__code__))):
            self.names.add(name)
            self.add(lookup(function, name), name)

    def add_home(self, home: Any, label: str) -> None:
        """Add a class or a module; of the user's own, what they hold counts where it is named."""
        self.pieces.add(f"{label}: {home.__name__}")
        module = home.__name__ if inspect.ismodule(home) else home.__module__
        library = in_standard_library(home) or module.partition(".")[0] in ("outplay", "numpy")
        if library or home in self.homes:
            return
        self.homes.append(home)
        if not isinstance(home, type):
            return
        if issubclass(home, enum.Enum):
            self.add([(member.name, member.value) for member in home], home.__name__)
        self.add(getattr(home, "_field_defaults", {}), home.__name__)
        for name in {name for base in home.__mro__[:-1] for name in vars(base)}:
            if name.startswith("__") and name not in SHOWN:
                self.add(own_method(home, name) or Missing, f"{home.__name__}.{name}")

    def add_constant(self, value: Any, label: str) -> None:
        """Add data, and the functions in it."""
        if _is_data(value):
            self.pieces.add(f"{label}: {type(value).__name__} {written.number(value)}")
        elif isinstance(value, enum.Enum):
            self.pieces.add(f"{label}: {value}")
            self.add(type(value), type(value).__name__)
        elif isinstance(value, Mapping):
            self.add_constant(tuple(value.items()), label)
        elif isinstance(value, tuple | list):
            for i, item in enumerate(value):
                self.add(item, f"{label}[{i}]")
        elif isinstance(value, set | frozenset):
            for item in value:
                self.add(item, label)
        else:
            self.add(type(value), label)
            for name, held in (written.fields(value) or {}).items():
                self.add(held, f"{label}.{name}")


def _is_data(value: Any) -> bool:
    """Whether a value is nothing but numbers and texts."""
    if isinstance(value, tuple | list | set | frozenset):
        return all(map(_is_data, value))
    return isinstance(value, DATA) and not isinstance(value, enum.Enum)


def _names(code: types.CodeType) -> Iterator[str]:
    """The names of globals and attributes that a function uses, those inside it included."""
    yield from (*code.co_names, *code.co_freevars)
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _names(inner)


def _text(function: types.FunctionType) -> str:
    """A function as it stands in its file, without comments and docstring; as code where there is no source."""
    try:
        node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError):
        code = function.__code__
        held = [value for value in code.co_consts if not isinstance(value, types.CodeType)]
        return f"{code.co_code.hex()} {code.co_names} {written.number(held)}"
    if isinstance(node, ast.FunctionDef) and ast.get_docstring(node, clean=False) is not None:
        node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(node)
