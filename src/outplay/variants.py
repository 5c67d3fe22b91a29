"""Games with parameters: the same class with another board, another number of stones.

A parameter is a class attribute in capitals with a plain number, such as WIDTH = 7.
"""

import ast
import functools
import inspect
import sys
import textwrap
import types
from typing import Any

from outplay.game import GameError, adopt
from outplay.standard import original


def parameters(cls: type) -> dict[str, int]:
    """The class's parameters: its capital names that are given a plain number, such as WIDTH = 7."""
    cls = original(cls)
    names = getattr(cls, "__outplay_parameters__", None)
    if names is None:
        names = [name for name in vars(cls) if name.isupper() and type(vars(cls)[name]) is int]
        if names:
            plain = _class_statement(cls)
            names = [
                node.targets[0].id
                for node in plain.body
                if isinstance(node, ast.Assign)
                and isinstance(node.targets[0], ast.Name)
                and node.targets[0].id in names
                and isinstance(node.value, ast.Constant)
            ]
        cls.__outplay_parameters__ = tuple(names)  # type: ignore[attr-defined]
    return {name: getattr(cls, name) for name in names}


def variant(cls: type, **values: int) -> Any:
    """The same game with other parameters: `variant(Hexapawn, WIDTH=4, HEIGHT=5)`.

    The class statement is run once more with the new numbers, so everything that follows from them in the
    class body (field defaults, masks) follows again. The same parameters give the same class.
    """
    if not isinstance(cls, type):
        raise GameError(f"variant() takes a game class, not {cls!r}")
    cls = original(cls)
    known = parameters(cls)
    for name, value in values.items():
        if name not in known:
            has = ", ".join(known) if known else "none"
            raise GameError(f"{cls.__name__} has no parameter {name}; it has {has}")
        if type(value) is not int:
            raise GameError(f"{cls.__name__}: {name}={value!r} must be an int")
    return _variant(getattr(cls, "__outplay_base__", cls), tuple((known | values).items()))


@functools.cache
def _variant(cls: type, values: tuple[tuple[str, int], ...]) -> type:
    new = dict(values)
    if new == parameters(cls):
        return cls
    statement = _class_statement(cls)
    for node in statement.body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id in new
        ):
            node.value = ast.copy_location(ast.Constant(new[node.targets[0].id]), node.value)
    module = sys.modules[cls.__module__]
    # A copy of the module's names, in which the class's own name means the variant: rules and helpers may say it.
    names = dict(vars(module))
    for name, thing in vars(module).items():
        if isinstance(thing, types.FunctionType) and thing.__globals__ is vars(module):
            names[name] = _moved(thing, names)
    code = compile(ast.Module([_imports(module), statement], []), inspect.getsourcefile(cls) or "?", "exec")
    try:
        exec(code, names)
    except ValueError as error:
        raise GameError(f"{cls.__name__} with {', '.join(f'{k}={v}' for k, v in values)}: {error}") from None
    made: type = names[cls.__name__]
    made.__outplay_parameters__ = tuple(new)  # type: ignore[attr-defined]
    made.__outplay_base__ = cls  # type: ignore[attr-defined]
    made.__reduce__ = lambda self: (_again, (cls, values, tuple(self)))  # type: ignore[assignment, misc]
    adopt(made)
    return made


def _imports(module: types.ModuleType) -> ast.stmt:
    """The module's imports, which are not run: Python makes other code of `f.g()` where `f` was imported."""
    try:
        source = inspect.getsource(module)
    except (OSError, TypeError):  # a notebook
        source = ""
    found = [node for node in ast.parse(source).body if isinstance(node, ast.Import | ast.ImportFrom)]
    return ast.fix_missing_locations(ast.If(ast.Constant(False), [*found, ast.Pass()], []))


def _again(cls: type, values: tuple[tuple[str, int], ...], fields: tuple[Any, ...]) -> Any:
    """A state of a variant, unpickled."""
    return _variant(cls, values)(*fields)


def _moved(function: types.FunctionType, names: dict[str, Any]) -> types.FunctionType:
    """The same function with other global names."""
    moved = types.FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    functools.update_wrapper(moved, function, updated=())
    return moved


def _class_statement(cls: type) -> ast.ClassDef:
    try:
        lines, start = inspect.getsourcelines(cls)
    except (OSError, TypeError):
        raise GameError(f"the source of {cls.__name__} cannot be read: put the class in a file") from None
    statement = ast.parse(textwrap.dedent("".join(lines))).body[0]
    assert isinstance(statement, ast.ClassDef)
    ast.increment_lineno(statement, max(start, 1) - 1)
    return statement


def name_of(cls: type) -> str:
    """The class's name, with the parameters in which a variant differs."""
    cls = original(cls)
    base = getattr(cls, "__outplay_base__", cls)
    changed = {k: v for k, v in parameters(cls).items() if v != getattr(base, k)} if base is not cls else {}
    return cls.__name__ + "".join(f" {k.lower()}={v}" for k, v in changed.items())
