"""Encoding of any actions as ints: searches, records and tables use ints, users see what their class yields.

The shape of a class's actions is found from those of some states: "int", "bool", "char" (one character), an Enum class,
`Named` (a NamedTuple or frozen dataclass), or a tuple of shapes. A tuple is packed into 64 bits: its n items in fields
of 64 // n bits, the first in the highest ones, each as item + bias, where bias is half a field's range. An Enum's
member is encoded as its index in the Enum, a character as its code point. An action without a shape, or with another
one than the rest, is encoded as its index in the list of the state's actions.
"""

import dataclasses
import enum
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from outplay.words import wrap

PLACES = 1 << 16  # more than the number of actions in any state
FIRST_PLACE = -(1 << 63)  # codes from here on are places, in a class whose other actions have a shape
MOST_ITEMS = 32

Shape = Any  # "int", "bool", "char", an Enum class, Named, or a tuple of shapes


class Named(NamedTuple):
    """The shape of a NamedTuple or a frozen dataclass."""

    cls: type
    names: tuple[str, ...]
    items: tuple[Shape, ...]


def shape_of(action: Any) -> Shape:
    """The shape of one action; None if it has none."""
    if isinstance(action, bool):
        return "bool"
    if isinstance(action, enum.Enum):
        return type(action)
    if hasattr(action, "__index__"):
        return "int"
    if isinstance(action, str):
        return "char" if type(action) is str and len(action) == 1 else None
    names = _names(type(action))
    parts = [getattr(action, name) for name in names] if names else action
    if not names and type(action) is not tuple:
        return None
    items = tuple(map(shape_of, parts))
    if not items or None in items:
        return None
    return Named(type(action), names, items) if names else items


def in_order(actions: Any) -> Any:
    """The actions as a class gives them; those of a set, which has no order, sorted."""
    if not isinstance(actions, set | frozenset):
        return actions
    try:
        return sorted(actions)
    except TypeError:  # they cannot be compared
        return sorted(actions, key=repr)


def _names(cls: Any) -> tuple[str, ...]:
    if issubclass(cls, tuple):
        return tuple(getattr(cls, "_fields", ()))
    parameters = getattr(cls, "__dataclass_params__", None)
    return tuple(field.name for field in dataclasses.fields(cls)) if parameters and parameters.frozen else ()


def leaves(shape: Shape) -> Iterator[Shape]:
    """The shapes of the items that are not tuples, from left to right."""
    if isinstance(shape, Named):
        shape = shape.items
    if isinstance(shape, tuple):
        for item in shape:
            yield from leaves(item)
    else:
        yield shape


def items_of(shape: Shape, action: Any) -> Iterator[int]:
    """The items of an action of this shape as numbers, from left to right."""
    match shape:
        case Named():
            for name, item in zip(shape.names, shape.items, strict=True):
                yield from items_of(item, getattr(action, name))
        case tuple():
            for part, value in zip(shape, action, strict=True):
                yield from items_of(part, value)
        case "char":
            yield ord(action)
        case "int" | "bool":
            yield int(action)
        case _:
            yield list(shape).index(action)


def made(shape: Shape, items: Iterator[int]) -> Any:
    """The action of this shape with these items."""
    match shape:
        case Named():
            return shape.cls(**{n: made(s, items) for n, s in zip(shape.names, shape.items, strict=True)})
        case tuple():
            return tuple(made(part, items) for part in shape)
        case "char":
            return chr(next(items))
        case "bool":
            return bool(next(items))
        case "int":
            return next(items)
        case _:
            return list(shape)[next(items)]


class Codec:
    """Codes for the actions of one class."""

    def __init__(self, actions: Iterable[Any], listed: Callable[[Any], list[Any]]) -> None:
        """`actions` are samples; `listed` returns all actions of a state."""
        self.listed = listed
        shapes = {shape_of(action) for action in actions}
        shape = shapes.pop() if len(shapes) == 1 else None
        count = len(list(leaves(shape)))
        self.shape: Shape = shape if shape is not None and count <= MOST_ITEMS else None
        self.packs = isinstance(self.shape, tuple)  # so is Named
        self.count = count
        self.bits = 64 // count
        self.bias = 1 << (self.bits - 1)
        self.mask = (1 << self.bits) - 1
        if any(self._code(action) is None for action in actions):
            self.shape, self.packs = None, False

    def encode(self, state: Any, action: Any) -> int:
        """The code of a legal action; a ValueError if there is no such action."""
        code = self._code(action)
        if code is not None:
            return code
        place = self.listed(state).index(action)
        return place if self.shape is None else FIRST_PLACE + place

    def decode(self, state: Any, code: int) -> Any:
        """The action with this code; an IndexError or ValueError if there is none."""
        if self.shape is None:
            return self.listed(state)[code]
        if FIRST_PLACE <= code < FIRST_PLACE + PLACES:
            return self.listed(state)[code - FIRST_PLACE]
        if not self.packs:
            if isinstance(self.shape, type) and issubclass(self.shape, int):
                return self.shape(code)
            return made(self.shape, iter((code,)))
        fields = (code >> self.bits * (self.count - 1 - i) & self.mask for i in range(self.count))
        return made(self.shape, (field - self.bias for field in fields))

    def _code(self, action: Any) -> int | None:
        """The action's code by its shape; None if it has another shape, or does not fit."""
        if self.shape is None or shape_of(action) != self.shape:
            return None
        if isinstance(self.shape, type) and issubclass(self.shape, int):
            code = int(action)
        elif not self.packs:
            code = next(items_of(self.shape, action))
        else:
            code = 0
            for item in items_of(self.shape, action):
                if not -self.bias <= item < self.bias:
                    return None
                code = code << self.bits | item + self.bias
            code = wrap(code)
        fits = -(1 << 63) + PLACES <= code < 1 << 63
        return code if fits else None
