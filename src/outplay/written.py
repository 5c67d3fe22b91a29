"""Values as text that reads back: `Nim(heap=21, mover=0)`, whatever the fields contain; and comparison of values.

A text is data: reading it calls no method; it creates only objects of the classes that the state's own class refers to.
"""

import ast
import dataclasses
import enum
import hashlib
import marshal
import sys
from collections.abc import Iterable, Mapping
from typing import Any

WRITTEN = (str, bytes, int, float)
ATOMS = frozenset((*WRITTEN, bool, type(None)))


def fields(value: Any) -> dict[str, Any] | None:
    """An object's fields by name; None if it has none."""
    cls = type(value)
    if isinstance(value, tuple):
        return dict(zip(cls._fields, value, strict=True)) if hasattr(cls, "_fields") else None
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    slots = [name for base in cls.__mro__ for name in _slots(base) if hasattr(value, name)]
    own = getattr(value, "__dict__", None)
    return {name: getattr(value, name) for name in slots} | (own or {}) if slots or own is not None else None


def _slots(cls: type) -> Iterable[str]:
    slots = vars(cls).get("__slots__", ())
    return (name for name in ([slots] if isinstance(slots, str) else slots) if not name.startswith("__"))


def frozen(value: Any) -> Any:
    """Something hashable that is equal for equal values, of lists, dicts and plain objects too."""
    kind = type(value)
    if kind in ATOMS:
        return value
    if kind is tuple:
        return tuple(map(frozen, value))
    if isinstance(value, (list, tuple)):  # a union would be made at each call
        return kind.__name__, tuple(map(frozen, value))
    if isinstance(value, (enum.Enum, type)):
        return value
    if isinstance(value, (set, frozenset)):
        return frozenset(map(frozen, value))
    if isinstance(value, Mapping):
        return kind.__name__, frozenset((frozen(k), frozen(v)) for k, v in value.items())
    if isinstance(value, WRITTEN):  # of a class of its own
        return kind.__name__, _plain(value)
    if hasattr(value, "tobytes"):  # an array
        return str(getattr(value, "shape", "")), value.tobytes()
    own = fields(value)
    if own is None:
        return value
    return kind.__name__, tuple((name, frozen(own[name])) for name in sorted(own))


def _plain(value: Any) -> Any:
    """A text or number of a class of its own, as Python's own class has it."""
    base: Any = next(base for base in WRITTEN if isinstance(value, base))
    return base.__new__(base, value)


def number(value: Any) -> int:
    """64 bits that equal values share, in every process."""
    try:
        told = marshal.dumps(value, 0)  # of plain values alone, and quick
    except ValueError:
        told = _listed(frozen(value)).encode()
    return int.from_bytes(hashlib.blake2b(told, digest_size=8).digest(), "little", signed=True)


def _listed(value: Any) -> str:
    """A frozen value as text; the items of sets in order."""
    if isinstance(value, frozenset):
        return f"{{{','.join(sorted(map(_listed, value)))}}}"
    return f"({','.join(map(_listed, value))})" if isinstance(value, tuple) else repr(value)


def text(value: Any) -> str:
    """The value as Python writes it, its fields by name."""
    kind = type(value)
    if isinstance(value, enum.Enum):
        known = value.name in kind.__members__  # no name is a flag of several, or of none
        return f"{kind.__name__}.{value.name}" if known else f"{kind.__name__}({value.value!r})"
    if kind in ATOMS:
        return repr(value)
    if kind in (tuple, list, set):
        ends = "()" if kind is tuple else "[]" if kind is list else "{}"
        inside = ", ".join(map(text, value)) + "," * (kind is tuple and len(value) == 1)
        return "set()" if kind is set and not value else f"{ends[0]}{inside}{ends[1]}"
    if kind is frozenset:
        return f"frozenset({{{', '.join(sorted(map(text, value)))}}})" if value else "frozenset()"
    if kind is dict:
        return f"{{{', '.join(f'{text(k)}: {text(v)}' for k, v in value.items())}}}"
    if isinstance(value, WRITTEN):
        return f"{kind.__name__}({_plain(value)!r})"
    own = fields(value)
    if own is not None:
        return f"{kind.__name__}({', '.join(f'{name}={text(v)}' for name, v in own.items())})"
    if isinstance(value, tuple | list):
        return f"{kind.__name__}({text(list(value))})"
    return repr(value)


def read(cls: type, written: str) -> Any:
    """The object of a class that was written so; a ValueError if the text is no such thing."""
    try:
        value = _Reader(cls).value(ast.parse(written.strip(), mode="eval").body)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError, AttributeError, KeyError):
        value = None
    if type(value) is not cls:
        raise ValueError(f"not a position of {cls.__name__}: {written[:200]!r}{_form(cls)}")
    return value


def _form(cls: type) -> str:
    """How positions are written, by the example of the first one, where there is one."""
    try:
        return f"; write it like the first one, {text(cls())[:200]}"
    except Exception:  # a user's class: it may raise anything
        return ""


class _Reader:
    """Reads what `text` writes; names mean the class, and the classes of its module."""

    def __init__(self, cls: type) -> None:
        around = vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}
        self.classes = {name: thing for name, thing in around.items() if isinstance(thing, type)}
        self.classes[cls.__name__] = cls

    def value(self, node: ast.expr) -> Any:
        match node:
            case ast.Tuple():
                return tuple(map(self.value, node.elts))
            case ast.List():
                return list(map(self.value, node.elts))
            case ast.Set():
                return set(map(self.value, node.elts))
            case ast.Dict():
                keys = [self.value(key) for key in node.keys if key is not None]
                return dict(zip(keys, map(self.value, node.values), strict=True))
            case ast.Attribute(value=ast.Name(id=name), attr=member):
                kind = self.classes[name]
                if not issubclass(kind, enum.Enum):
                    raise ValueError
                return kind[member]
            case ast.Call(func=ast.Name(id="set" | "frozenset" as name)):
                return (set if name == "set" else frozenset)(*map(self.value, node.args))
            case ast.Call(func=ast.Name(id=name)):
                named = {str(word.arg): self.value(word.value) for word in node.keywords}
                return _made(self.classes[name], list(map(self.value, node.args)), named)
        return ast.literal_eval(node)


def _made(cls: Any, given: list[Any], named: dict[str, Any]) -> Any:
    """An object with these fields."""
    if issubclass(cls, enum.Enum):
        return cls(*given)
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return cls(**named)
    if issubclass(cls, str | int | float | bytes | tuple | list):
        plain: Any = next(base for base in (*WRITTEN, tuple, list) if issubclass(cls, base))
        value = plain.__new__(cls, *given)
        if plain is list:
            value.extend(*given)
        return value
    value = object.__new__(cls)
    for name, field in named.items():
        object.__setattr__(value, name, field)
    return value
