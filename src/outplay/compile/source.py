"""Find a live function's syntax tree, and the object that a name in it refers to."""

import ast
import builtins
import functools
import inspect
import linecache
import re
import sys
import textwrap
import types
from pathlib import Path
from typing import Any, NamedTuple

from outplay.game import GameError


class NoSource(GameError):
    """A class without source code: it was typed at a prompt that does not keep it."""


class Place(NamedTuple):
    """A function's name and file, for error messages."""

    owner: str  # "ConnectFour.result" or "four"
    file: str

    def error(self, line: int, what: str, cure: str) -> GameError:
        what = re.sub(r"\b_outplay_(\w+?)_\d+\b", r"\1", what)  # a variable of a comprehension
        return GameError(f"{self.owner}, {Path(self.file).name} line {line}: {what}; {cure}")


def plain(thing: Any) -> Any:
    """The function behind a decorator that only caches or binds (cache, staticmethod, jit)."""
    if isinstance(thing, staticmethod):
        thing = thing.__func__
    if isinstance(thing, property):
        thing = thing.fget
    if hasattr(thing, "py_func"):  # the user compiled it with Numba: we compile its source our own way
        thing = thing.py_func
    return inspect.unwrap(thing) if callable(thing) else thing


def tree_of(function: types.FunctionType, place: Place) -> ast.FunctionDef:
    """The function's `def` statement, with the line numbers of its file."""
    try:
        lines, start = inspect.getsourcelines(function)
    except (OSError, TypeError, IndexError):
        raise NoSource(
            f"{place.owner}: its source cannot be read: put the class into a file (or a notebook cell)"
        ) from None
    try:
        node = ast.parse(textwrap.dedent("".join(lines))).body[0]
    except SyntaxError:
        node = None  # a lambda inside a call, or a file that changed under us
    if not isinstance(node, ast.FunctionDef) or node.name != function.__code__.co_name:
        if function.__name__ == "<lambda>":
            raise place.error(start, "a lambda cannot be compiled", "write a function with `def`")
        raise GameError(f"{place.owner}: {place.file} changed after it was imported: start Python again")
    ast.increment_lineno(node, start - 1)
    if not _same_code(function):
        raise GameError(f"{place.owner}: {place.file} changed after it was imported: start Python again")
    _mangle(node, function.__qualname__.rpartition(".")[0].rpartition(".")[2])
    return node


def _mangle(node: ast.AST, owner: str) -> None:
    """Give the private names of a class, `self.__cells`, the names that they have outside it: `_Board__cells`."""
    prefix = f"_{owner.lstrip('_')}"
    if prefix == "_" or owner == "<locals>":
        return
    for part in ast.walk(node):
        for field in ("attr", "id", "arg", "name"):
            name = getattr(part, field, None)
            if isinstance(name, str) and name.startswith("__") and not name.endswith("__"):
                setattr(part, field, prefix + name)


def _same_code(function: types.FunctionType) -> bool:
    """Whether the function's source on disk is unchanged."""
    live = function.__code__
    waiting = [_compiled_file(live.co_filename, tuple(linecache.getlines(live.co_filename)))]
    while waiting:
        code = waiting.pop()
        if (code.co_name, code.co_firstlineno) == (live.co_name, live.co_firstlineno):
            return code == live  # constants and inner functions, too
        waiting += [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return False


@functools.lru_cache(maxsize=64)
def _compiled_file(file: str, lines: tuple[str, ...]) -> types.CodeType:
    return compile("".join(lines), file, "exec", dont_inherit=True)


class Missing:
    """The lookup result for an undefined name."""


def lookup(function: types.FunctionType, name: str) -> Any:
    """The meaning of a name that is not local to the function: closure, module, builtin, or Missing."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    if name in cells:
        try:
            return cells[name].cell_contents
        except ValueError:
            return Missing
    if name in function.__globals__:
        return function.__globals__[name]
    return getattr(builtins, name, Missing)


def in_standard_library(thing: Any) -> bool:
    """Whether a function or module comes with Python."""
    name = thing.__name__ if inspect.ismodule(thing) else getattr(thing, "__module__", None)
    return (name or "").partition(".")[0] in sys.stdlib_module_names and name != "__main__"
