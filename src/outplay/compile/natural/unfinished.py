"""Objects that a function makes and changes until it returns them: `new = copy.deepcopy(self); new.turn = 1`.

Nothing else refers to such an object, so each of its attributes is a local of the function: `new.turn`. The object
itself is made where it is returned. It may be asked in between, by methods that give numbers, texts and the like.
"""

import ast
import copy
from typing import Any

from outplay.compile.natural.iterate import Iterating
from outplay.compile.natural.kinds import (
    CHAR,
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
    Cannot,
    Dict,
    Items,
    Kind,
    Maybe,
    Member,
    OneOf,
    Record,
    Run,
    Set,
    holds_list,
    is_word,
    own_method,
)
from outplay.compile.natural.once import root
from outplay.compile.natural.syntax import CHANGING, is_plain
from outplay.compile.natural.values import NOTHING, ROOM, Value, words

COPIES = (copy.copy, copy.deepcopy)
OWN_COPY = ("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__")


class Unfinished(Iterating):
    """Compiles objects that are not finished yet."""

    unfinished: dict[str, Any]  # names of such objects, and their classes
    changing: set[str]  # names of which attributes are set or changed
    leaving: bool
    finals: list[Any]
    loops: list[Any]
    asking = False  # whether the whole object is only asked for something

    def begins(self, target: ast.Name, node: ast.expr) -> bool:
        """Begin an object, if this assignment makes one that is changed later."""
        if target.id not in self.changing or not isinstance(node, ast.Call):
            return False
        called = self.static(node.func)
        self.here = node
        if called in COPIES and len(node.args) == 1 and not node.keywords:
            value = self.expr(node.args[0])
        elif isinstance(called, type) and is_plain(called):
            value = self.begun(called, node)
        else:
            value = self.expr(node)
        if not isinstance(value.kind, Record) or not is_plain(value.kind.cls):
            return False
        cls = value.kind.cls
        if self.loops or self.unfinished.get(target.id, cls) is not cls:
            raise Cannot(f"{target.id} is changed after it is made", "make it once, outside loops")
        if called in COPIES and any(own_method(cls, name) for name in OWN_COPY):
            raise Cannot(f"{cls.__name__} has a way of its own to be copied", "make a new one by its class")
        if called is copy.deepcopy and self.program.shares_lists():
            raise Cannot("a state holds one list twice", "make each list by itself")
        for name, part in zip(self.program.fields(cls), self.parts(value), strict=True):
            made = self.copy_of_part(part, called is copy.deepcopy)
            place = f"{target.id}.{name}"
            self.assign_name(place, made if made.fresh else self.held(made), target)
            if holds_list(self.env[place].kind) and not holds_list(made.kind):
                raise Cannot(
                    f"{place} is a list of its own on one path only", "copy it where the object is made"
                )
        self.unfinished[target.id], self.env[target.id] = cls, NOTHING
        return True

    def begun(self, cls: type, node: ast.Call) -> Value:
        """What __init__ gives: with its lists, unless some may be those of another object."""
        args, named = self.arguments(node, as_is=True), self.keywords(node)
        made = self.call_init(cls, args, named)
        return self.settled(made) if any(_may_be_part(v.kind) for v in (*args, *named.values())) else made

    def copy_of_part(self, part: Value, deep: bool) -> Value:
        """A field of a copy: a list of its own, or one that may not be changed."""
        kind = part.kind
        if isinstance(kind, Set) and not kind.frozen and deep:
            data, count, inner = self.run(part)
            stride = max(len(words(inner)), 1)
            return Value(Set(inner), (self.temp(f"list_of({ROOM}, {data}, {count}, {stride})"),), fresh=True)
        if _holds_sets(kind):
            raise Cannot("an object with sets or dicts is changed", "build a new one by its class")
        return self.deep_copy(part) if deep else part

    def place_name(self, node: ast.expr) -> str | None:
        """By which name an attribute of an unfinished object is known; None if it is something else."""
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=attr) if owner in self.unfinished:
                cls = self.unfinished[owner]
                if attr in self.program.fields(cls):
                    return f"{owner}.{attr}"
                if not isinstance(node.ctx, ast.Load):
                    raise Cannot(f"{cls.__name__} has no field {attr}", "set it in __init__, too")
        return None

    def is_unfinished(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in self.unfinished

    def finished(self, name: str) -> Value:
        """The whole object."""
        if not (self.asking or self.leaving and not self.finals):
            raise Cannot(
                f"{name} is changed after it is made", "return it at once, or build it where it is used"
            )
        cls = self.unfinished[name]
        parts = [self.read(f"{name}.{field}") for field in self.program.fields(cls)]
        if not self.asking:
            self.refuse_shared(
                [part for part in parts if isinstance(part.kind, Run) and part.kind.type == "list"]
            )
        made = Value(Record(cls, tuple(p.kind for p in parts)), tuple(w for p in parts for w in p.words))
        return self.settled(made)

    def refuse_shared(self, lists: list[Value]) -> None:
        """Leave it to plain Python if the object holds one list twice, as after new.rows[0] = new.rows[1]."""
        handles = self.new_list(INT)
        for value in lists:
            self.push(handles.word, INT, Value(INT, value.words))
            if isinstance(value.kind.inner, Run) and value.kind.inner.type == "list":
                self.turns(
                    self.view_value(value), lambda row: self.push(handles.word, INT, Value(INT, row.words))
                )
        if len(lists) < 2 and not any(isinstance(value.kind.inner, Run) for value in lists):
            return
        data, count, _ = self.run(handles)
        self.emit(f"sort_words({data}, {count})")
        i = self.fresh()
        same = f"if word({data}, {i}) == word({data}, {i} - 1):"
        with self.block(f"for {i} in range(1, {count}):"), self.block(same):
            self.beyond("a state holds one list twice")

    def asked(self, node: ast.expr) -> Value:
        """The object as it is now, to be asked for something."""
        before, self.asking = self.asking, True
        value = self.expr(node)
        self.asking = before
        return value

    def answer(self, value: Value) -> Value:
        """What it says, which must not be a part of it: that may change."""
        if not _is_apart(value.kind):
            raise Cannot(f"an object that is still changed gives a {value.kind}", "return it at once")
        return value

    # --- defined in subclasses ----------------------------------------------------------------------------

    def arguments(self, node: ast.Call, wanted: int | None = None, as_is: bool = False) -> list[Value]:
        raise NotImplementedError

    def keywords(self, node: ast.Call) -> dict[str, Value]:
        raise NotImplementedError

    def settled(self, made: Value) -> Value:
        raise NotImplementedError

    def deep_copy(self, value: Value) -> Value:
        raise NotImplementedError


def changed_objects(node: Any) -> set[str]:
    """The names of which a function sets or changes attributes: new.turn = 1, new.board[i] = 2, new.row.append(3)."""
    found: set[str] = set()
    for part in ast.walk(node):
        match part:
            case ast.Attribute(ctx=ast.Store() | ast.Del()):
                found.add(root(part))
            case ast.Subscript(ctx=ast.Store() | ast.Del()) if _is_of_attribute(part):
                found.add(root(part))
            case ast.Call(func=ast.Attribute(value=owner, attr=attr)) if (
                attr in CHANGING and _is_of_attribute(owner)
            ):
                found.add(root(owner))
    return found


def _is_of_attribute(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Attribute) for part in ast.walk(node))


def _holds_sets(kind: Kind) -> bool:
    match kind:
        case Set(frozen=frozen):
            return not frozen
        case Dict():
            return True
        case Maybe(inner) | Run(inner):
            return _holds_sets(inner)
        case Items(kinds) | Record(_, kinds) | OneOf(kinds):
            return any(map(_holds_sets, kinds))
    return False


def _may_be_part(kind: Kind) -> bool:
    """Whether a value is or holds a list that may be another object's."""
    match kind:
        case Run(_, "table" | "array") | Record() | Set() | Dict():
            return True
        case Maybe(inner) | Run(inner):
            return _may_be_part(inner)
        case Items(kinds) | OneOf(kinds):
            return any(map(_may_be_part, kinds))
    return False


def _is_apart(kind: Kind) -> bool:
    """Whether a value never changes."""
    match kind:
        case Run(inner, "str" | "tuple") | Maybe(inner):
            return _is_apart(inner)
        case Items(kinds) | OneOf(kinds):
            return all(map(_is_apart, kinds))
    return is_word(kind) or isinstance(kind, Member) or kind in (CHAR, FLOAT, NONE, UNKNOWN)
