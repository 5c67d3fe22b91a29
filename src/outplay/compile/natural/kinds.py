"""Kinds of values: a value's type as known at compile time, and the machine words that represent it.

A value of natural Python is a fixed number of words. An int, a bool, a character, an enum member or a float is one
word; None takes none. `T | None` is a flag and the words of T. A tuple with items of various kinds is the words of
its items. A run of items of one kind (a tuple, a text) is the address of its items and their number. A mutable value
(a list, a set, a dict) is the address of a header, so that two names may refer to the same one.
"""

import contextlib
import dataclasses
import enum
import inspect
from collections.abc import Iterable
from typing import Any, NamedTuple

FEW_ITEMS = 4  # the most items of a tuple of different kinds
MOST_KINDS = 4  # the most kinds that one value may have
MOST_FUNCTIONS = 12  # the most functions to choose from in one call


class Cannot(Exception):
    """Something that cannot be compiled; the handler of this exception knows its place."""

    def __init__(self, what: str, cure: str = "") -> None:
        super().__init__(what)
        self.what, self.cure = what, cure


class Simple(NamedTuple):
    """A kind without parts."""

    name: str

    def __str__(self) -> str:
        return self.name


UNKNOWN = Simple("unknown")  # not known yet, or never computed
INT, BOOL, FLOAT, CHAR, NONE = map(Simple, ("int", "bool", "float", "character", "None"))


class Maybe(NamedTuple):
    """T or None."""

    inner: "Kind"

    def __str__(self) -> str:
        return f"{self.inner} or None"


class OneOf(NamedTuple):
    """A tagged union: the number of the kind, then the words of all kinds, 0 for the others."""

    kinds: tuple["Kind", ...]

    def __str__(self) -> str:
        return " or ".join(map(str, self.kinds))


class Items(NamedTuple):
    """A tuple with a kind for each item."""

    kinds: tuple["Kind", ...]

    def __str__(self) -> str:
        return f"tuple of {len(self.kinds)}"


class Run(NamedTuple):
    """Any number of items of one kind: a "tuple", a "str", a "list".

    A "table" is a list that never changes; an "array" is a list that only its function uses and whose length is fixed.
    Those two, like tuples and texts, are the address of their items and their number. Items lie side by side, each in
    a word, or in `size` bytes as in a state.
    """

    inner: "Kind"
    type: str = "tuple"
    size: int = 8

    def __str__(self) -> str:
        return "list" if self.type in ("table", "array") else self.type


class Set(NamedTuple):
    inner: "Kind"
    ordered: bool = False  # whether it may be looped over: only a constant's order is known
    constant: bool = False  # whether it never changes
    frozen: bool | None = False  # whether it is a frozenset; None: one or the other

    def __str__(self) -> str:
        return "set"


class Dict(NamedTuple):
    key: "Kind"
    value: "Kind"
    default: Any = None  # a defaultdict's factory; "zero" (Counter), "constant"
    ordered: bool = True  # whether it may be looped over: not if a set's items were put in, in any order

    def __str__(self) -> str:
        return "dict"


class Range(NamedTuple):
    """range(start, stop, step)."""

    def __str__(self) -> str:
        return "range"


class Member(NamedTuple):
    """An enum member: its number if it is an IntEnum, otherwise its position."""

    enum: type

    def __str__(self) -> str:
        return self.enum.__name__


class Record(NamedTuple):
    """A state of the game, or another NamedTuple or frozen dataclass."""

    cls: type
    kinds: tuple["Kind", ...]

    def __str__(self) -> str:
        return self.cls.__name__


class Static(NamedTuple):
    """An object known at compile time without words of its own: a module, a class, a function."""

    value: Any

    def __str__(self) -> str:
        return getattr(self.value, "__name__", type(self.value).__name__)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Static) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


class Local(NamedTuple):
    """An inner function or a lambda, as a closure: its words are the values of the outer names that it uses."""

    node: Any  # ast.Lambda or ast.FunctionDef
    home: Any  # the function around it
    outer: tuple[tuple[str, "Kind"], ...]
    fixed: frozenset[str] = frozenset()  # those of a comprehension, which have the value of its turn
    # whether the call of `home` that made it is the one at work: it sees names as they are now
    near: bool = False

    def __str__(self) -> str:
        return "function"


class Bound(NamedTuple):
    """A bound method: `key=self.distance`. Its words are the value's."""

    owner: "Kind"
    name: str

    def __str__(self) -> str:
        return "function"


class Applied(NamedTuple):
    """functools.partial: a function with some of its arguments; its words are the function's, then theirs."""

    function: "Kind"
    given: tuple["Kind", ...]
    names: tuple[str, ...]  # of the last arguments, which are passed by keyword

    def __str__(self) -> str:
        return "function"


Kind = Any  # one of those above; a `match` says which

TEXT = Run(CHAR, "str")
OURS = (
    "<string>",
    "collections/__init__.py",
    "dataclasses.py",
    "outplay/game.py",
    "outplay/standard.py",
    "typing.py",
    "/enum.py",
)


def own_method(cls: Any, name: str) -> Any:
    """A method that the user wrote, not one generated by NamedTuple or dataclass; None if there is none."""
    found = inspect.getattr_static(cls, name, None)
    found = (
        inspect.unwrap(getattr(found, "__func__", found))
        if callable(getattr(found, "__func__", found))
        else None
    )
    code = getattr(found, "__code__", None)
    return found if code is not None and not code.co_filename.replace("\\", "/").endswith(OURS) else None


def words(kind: Kind) -> tuple[str, ...]:
    """The words of a value: "i" for an int, "f" for a float."""
    match kind:
        case Simple("float"):
            return ("f",)
        case Simple("None" | "unknown") | Static():
            return ()
        case Maybe(inner):
            return ("i", *words(inner))
        case Items(kinds) | Record(_, kinds):
            return tuple(word for each in kinds for word in words(each))
        case OneOf(kinds):
            return ("i", *[word for each in kinds for word in words(each)])
        case Run(_, "list") | Set() | Member() | Simple():
            return ("i",)
        case Run() | Dict():
            return ("i", "i")  # a dict is a list of its keys and a list of its values
        case Range():
            return ("i", "i", "i")
        case Local(_, _, outer):
            return tuple(word for _, each in outer for word in words(each))
        case Bound(owner, _):
            return words(owner)
        case Applied(function, given, _):
            return tuple(word for each in (function, *given) for word in words(each))
    raise AssertionError(kind)


def is_word(kind: Kind) -> bool:
    """Whether a value is an int for arithmetic."""
    return kind in (INT, BOOL) or isinstance(kind, Member) and issubclass(kind.enum, int)


def is_cell(kind: Kind) -> bool:
    """Whether a value may be stored in less than a word."""
    return kind in (INT, BOOL, CHAR) or isinstance(kind, Member)


def is_lane(kind: Kind) -> bool:
    """Whether it is a compact run, which only some steps can use directly: see `Writer.wide`."""
    return isinstance(kind, Run) and (kind.size < 8 or kind.type == "array")


def wide(kind: Kind) -> Kind:
    """The same kind with every item in a word."""
    match kind:
        case Run(inner, tag):
            return Run(wide(inner), "table" if tag == "array" else tag)
        case Maybe(inner):
            return Maybe(wide(inner))
        case Items(kinds):
            return Items(tuple(map(wide, kinds)))
        case Record(cls, kinds):
            return Record(cls, tuple(map(wide, kinds)))
    return kind


def is_number(kind: Kind) -> bool:
    return is_word(kind) or kind == FLOAT


def closures(kind: Kind) -> list[Local]:
    """The inner functions that a value may be or hold."""
    match kind:
        case Local(_, _, outer):
            return [kind, *[each for _, part in outer for each in closures(part)]]
        case Maybe(inner) | Run(inner) | Set(inner) | Bound(inner):
            return closures(inner)
        case Items(kinds) | Record(_, kinds) | OneOf(kinds):
            return [each for part in kinds for each in closures(part)]
        case Dict(key, value, _):
            return [*closures(key), *closures(value)]
        case Applied(function, given, _):
            return [each for part in (function, *given) for each in closures(part)]
    return []


def is_near(kind: Kind) -> bool:
    """Whether it holds an inner function of the call at work."""
    return any(each.near for each in closures(kind))


def is_flat(kind: Kind) -> bool:
    """Whether two values are equal exactly if their words are."""
    match kind:
        case Simple("int" | "bool" | "character" | "None") | Member():
            return True
        case Record(cls, kinds):
            return own_method(cls, "__init__") is None and all(map(is_flat, kinds))
        case Items(kinds) | OneOf(kinds):
            return all(map(is_flat, kinds))
        case Maybe(inner):
            return is_flat(inner)
    return False


def is_known(kind: Kind) -> bool:
    """Whether no part of it is still unknown."""
    match kind:
        case Simple("unknown"):
            return False
        case Maybe(inner) | Run(inner) | Set(inner):
            return is_known(inner)
        case Items(kinds) | Record(_, kinds) | OneOf(kinds):
            return all(map(is_known, kinds))
        case Dict(key, value, _):
            return is_known(key) and is_known(value)
    return True


def join(a: Kind, b: Kind) -> Kind:
    """The kind of a value that is an a or a b."""
    try:
        return alike(a, b)
    except Cannot:
        if isinstance(a, Maybe) or isinstance(b, Maybe) or NONE in (a, b):
            raise
        several: list[Kind] = []
        for kind in (*_kinds(a), *_kinds(b)):
            for i, other in enumerate(several):
                with contextlib.suppress(Cannot):
                    several[i] = alike(kind, other)
                    break
            else:
                several.append(kind)
        if len(several) > MOST_KINDS or any(_changes(kind) for kind in several):
            if len(several) > MOST_FUNCTIONS or not all(map(is_function, several)):
                raise
        return OneOf(tuple(sorted(several, key=_place)))


def _kinds(kind: Kind) -> tuple[Kind, ...]:
    return kind.kinds if isinstance(kind, OneOf) else (kind,)


def _changes(kind: Kind) -> bool:
    """Whether it is mutable, so that two names may share it, or not a value at all."""
    several = Set | Dict | Static | Local | Range | Bound | Applied
    return isinstance(kind, several) or isinstance(kind, Run) and kind.type == "list"


def is_function(kind: Kind) -> bool:
    return isinstance(kind, Local | Bound | Applied) or isinstance(kind, Static) and callable(kind.value)


def _place(kind: Kind) -> Any:
    """A sort key for kinds, the same in every process."""
    match kind:
        case Local(node, near=near):
            return "function", f"{node.lineno:06} {node.col_offset:06} {near}"
        case Static(value):
            code = getattr(value, "__code__", None)
            return (
                "function",
                f"{getattr(code, 'co_firstlineno', 0):06} {getattr(value, '__qualname__', value)}",
            )
    return "value", repr(kind)


def alike(a: Kind, b: Kind) -> Kind:
    """The same for kinds of one family."""
    if a == b or b == UNKNOWN:
        return a
    if a == UNKNOWN:
        return b
    match a, b:
        case (Simple("None"), Maybe()) | (Maybe(), Simple("None")):
            return a if isinstance(a, Maybe) else b
        case (Simple("None"), other) | (other, Simple("None")):
            return Maybe(other)
        case (Maybe(one), Maybe(two)):
            return Maybe(join(one, two))
        case (Maybe(one), two) | (two, Maybe(one)):
            return Maybe(join(one, two))
        case (one, two) if is_word(one) and is_word(two):
            return INT
        case (one, two) if is_number(one) and is_number(two):
            return FLOAT
        case (Simple("character"), Run(_, "str")) | (Run(_, "str"), Simple("character")):
            return TEXT
        case (Items(one), Items(two)) if len(one) == len(two):
            return Items(tuple(map(join, one, two)))
        case (Items(one), Items(two)):
            return Run(join_all((*one, *two)))
        case (Items(one), Run(two, "tuple")) | (Run(two, "tuple"), Items(one)):
            return Run(join_all((*one, two)))
        case (Run(one, tag, size), Run(two, other, less)) if tag == other:
            inner = join(one, two)
            return Run(inner, tag, size if size == less and is_cell(inner) else 8)
        case (Run(one, "array", size), Run(two, "list")) | (Run(two, "list"), Run(one, "array", size)):
            inner = join(one, two)
            return Run(inner, "array", size if is_cell(inner) else 8)
        case (Run(one, "list" | "table"), Run(two, "list" | "table")):
            return Run(join(one, two), "list")
        case (Set(one), Set(two)):
            frozen = a.frozen if a.frozen == b.frozen else None
            return Set(join(one, two), a.ordered and b.ordered, a.constant or b.constant, frozen)
        case (Dict(key, value, default), Dict(other, worth, otherwise)):
            return Dict(join(key, other), join(value, worth), default or otherwise, a.ordered and b.ordered)
        case (Range(), Range()):
            return a
        case (Range(), Run(inner, tag)) | (Run(inner, tag), Range()) if tag != "str":
            return Run(join(INT, inner), tag)
        case (Record(cls, one), Record(other, two)) if cls is other:
            return Record(cls, tuple(map(join, one, two)))
        case (Bound(one, name), Bound(two, other)) if name == other and _changes(one) and _changes(two):
            return Bound(join(one, two), name)  # found.append
        case (Local(node, _, one), Local(other, _, two)) if node is other and len(one) == len(two):
            if (a.fixed, a.near) == (b.fixed, b.near):
                pairs = zip(one, two, strict=True)
                return a._replace(outer=tuple((name, join(x, y)) for (name, x), (_, y) in pairs))
    raise Cannot(f"a value is {a} on one path and {b} on another", "give it one type")


def settled(kind: Kind) -> Kind:
    """A value's kind as part of a state, where a list never changes."""
    match kind:
        case Run(inner, tag):
            return Run(settled(inner), "table" if tag in ("list", "array") else tag)
        case Maybe(inner):
            return Maybe(settled(inner))
        case Items(kinds):
            return Items(tuple(map(settled, kinds)))
        case Dict():
            raise Cannot("a state holds a dict", "hold a tuple of its items")
        case OneOf(kinds):
            return join_all(map(settled, kinds))
    return kind


def holds_list(kind: Kind) -> bool:
    match kind:
        case Run(inner, tag):
            return tag == "list" or holds_list(inner)
        case Maybe(inner):
            return holds_list(inner)
        case Items(kinds) | OneOf(kinds):
            return any(map(holds_list, kinds))
    return False


def may_share(kind: Kind) -> bool:
    """Whether it is or holds a list, set or dict, which another name may mean as well."""
    match kind:
        case Run(inner, tag):
            return tag == "list" or may_share(inner)
        case Maybe(inner):
            return may_share(inner)
        case Items(kinds) | OneOf(kinds):
            return any(map(may_share, kinds))
    return isinstance(kind, Set | Dict)


def holds(kind: Kind, wanted: Kind) -> bool:
    """Whether a part of a value may be of a kind."""
    match kind:
        case Maybe(inner) | Run(inner) | Set(inner):
            return holds(inner, wanted)
        case Items(kinds) | Record(_, kinds) | OneOf(kinds):
            return any(holds(each, wanted) for each in kinds)
        case Dict(key, value, _):
            return holds(key, wanted) or holds(value, wanted)
    return bool(kind == wanted)


def join_all(kinds: Iterable[Kind]) -> Kind:
    found: Kind = UNKNOWN
    for kind in kinds:
        found = join(found, kind)
    return found


def of_tuple(kinds: tuple[Kind, ...]) -> Kind:
    """The kind of a tuple with such items: a few of different kinds are kept one by one."""
    inner: Kind = UNKNOWN
    try:
        for kind in kinds:
            inner = alike(inner, kind)
        return Run(inner)
    except Cannot:
        return Items(kinds) if len(kinds) <= FEW_ITEMS else Run(join_all(kinds))


def kind_of(value: Any) -> Kind:
    """The kind of a Python value."""
    match value:
        case None:
            return NONE
        case enum.Enum():
            return Member(type(value))
        case bool():
            return BOOL
        case int():
            if not -(1 << 63) <= value < 1 << 63:
                raise Cannot(f"{value} has more than 64 bits", "keep numbers below 2 ** 63")
            return INT
        case float():
            return FLOAT
        case str():
            return CHAR if len(value) == 1 else TEXT
        case tuple() if hasattr(value, "_fields"):
            return Record(type(value), tuple(map(kind_of, value)))
        case _ if dataclasses.is_dataclass(value) and getattr(type(value), "__dataclass_params__").frozen:  # noqa: B009
            fields = dataclasses.fields(value)
            return Record(type(value), tuple(kind_of(getattr(value, f.name)) for f in fields))
        case tuple():
            return of_tuple(tuple(map(kind_of, value)))
        case frozenset() | set():
            return Set(join_all(map(kind_of, value)), frozen=isinstance(value, frozenset))
        case list():
            return Run(join_all(map(kind_of, value)), "list")
        case dict():
            return Dict(join_all(map(kind_of, value)), join_all(map(kind_of, value.values())))
        case range():
            return Range()
    raise Cannot(f"a {type(value).__name__} cannot be compiled", "use ints, texts and tuples")
