"""A game in natural Python as a program: its rules with all functions and constants that they use.

Searches call a rule's entry with the state's words. It unpacks the fields into the rule's room, calls the compiled
method, and returns its result: a number, codes of actions, or the words of a state.
"""

import ast
import copy
import dataclasses
import enum
import hashlib
import inspect
import linecache
import types
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from outplay import hooks
from outplay.compile.lane import Reason, Uncompilable
from outplay.compile.natural import library
from outplay.compile.natural.attempts import raised_in
from outplay.compile.natural.circles import joined
from outplay.compile.natural.functions import Function
from outplay.compile.natural.kinds import (
    CHAR,
    UNKNOWN,
    Cannot,
    Dict,
    Items,
    Kind,
    Local,
    Maybe,
    Record,
    Run,
    Set,
    join,
    join_all,
    kind_of,
    of_tuple,
    own_method,
    settled,
    wide,
)
from outplay.compile.natural.layout import Layout
from outplay.compile.natural.pool import Pool
from outplay.compile.natural.syntax import UNLIKE, boxed, is_plain, new_defaults, plain_fields
from outplay.compile.natural.values import Value, Writer
from outplay.compile.source import Missing, Place, lookup, plain, tree_of
from outplay.compile.syntax import PREFIX, symbols
from outplay.game import GameError, kind, max_actions, offers, worth
from outplay.standard import Seen, original

ROOM_WORDS = 1 << 13  # of machine stack; a rule that needs more allocates memory
MOST_IN_ONE = 20  # how often a function may call itself, each time with arguments of other kinds
STEPS_RAISE = {ValueError, IndexError, ZeroDivisionError, OverflowError}  # besides what functions raise
SHORT = 4  # rows of a constant table up to this length keep a kind for each item


def needs_ints(cls: Any) -> bool:
    """Whether a class has weights or a network, which require fields of ints."""
    user = original(cls)
    asked = any(offers(cls, rule) for rule in ("planes", "features"))
    names = (
        [f.name for f in dataclasses.fields(user)]
        if dataclasses.is_dataclass(user)
        else getattr(user, "_fields", ())
    )
    return asked or any(
        getattr(cls, name, None) is not None and name not in names for name in ("weights", "net")
    )


class Natural:
    """Compiles all rules of one class; `cls` is its standard form, the rules are the original's."""

    weights = None

    def __init__(self, cls: Any, grown: int = 0) -> None:
        self.cls, self.user = cls, original(cls)
        self.limit = max_actions(cls)
        self.grown = grown
        self.watched: dict[tuple[int, str], tuple[Any, str, Any]] = {}
        self.contents: list[tuple[Any, Any]] = []
        self.reasons: list[Reason] = []
        self.check_class()
        seen = getattr(cls, "seen", None) or Seen(self.user).states
        if not seen:
            raise Uncompilable([Reason(0, "it has no initial state", "give each field a default")])
        states = [self.values(state) for state in seen]
        self.states = states
        try:
            self.record: Kind = self.joined(
                Record(self.user, tuple(settled(kind_of(value)) for value in state)) for state in states
            )
        except Cannot as error:
            raise Uncompilable([Reason(0, error.what, error.cure)]) from None
        while True:
            before = self.record
            self.start()
            self.entries()
            if self.reasons or self.record == before:
                break
        if self.reasons:
            raise Uncompilable(sorted(set(self.reasons)))

    def start(self) -> None:
        """Start again, with what is known of the fields."""
        self.instances: dict[Any, Function] = {}
        self.listings: list[Function] = []  # versions of functions that list actions without a list
        self.symbols: set[str] = set()
        self.faults: list[type] = []
        self.running: list[Function] = []
        self.externals: dict[str, Any] = {}
        self.pool = Pool()
        self.reasons = []
        self.pieces: list[Any] = []
        self.rules: dict[str, str] = {}
        assert isinstance(self.record, Record)
        self.layout = self.tried(lambda: Layout(self.record.kinds, self.states, self.grown))
        self.state_kind: Kind = Record(self.user, tuple(field.kind for field in self.layout.fields))

    def tried(self, make: Any) -> Any:
        try:
            return make()
        except Cannot as error:
            raise Uncompilable([Reason(0, error.what, error.cure)]) from None

    @staticmethod
    def joined(kinds: Iterable[Kind]) -> Kind:
        found: Kind = UNKNOWN
        for each in kinds:
            found = join(found, each)
        return found

    # --- the class ----------------------------------------------------------------------------------------

    def check_class(self) -> None:
        cls = self.user
        what = None
        if not self.is_record(cls):
            what = (
                f"{cls.__name__} is a class whose objects cannot be compiled",
                "make it a NamedTuple, or a frozen dataclass",
            )
            fields = hasattr(cls, "_fields") or dataclasses.is_dataclass(cls)
            if fields and (own := next((name for name in UNLIKE if own_method(cls, name)), None)):
                cure = "give its fields defaults" if own in ("__new__", "__init__") else "leave it to Python"
                what = (f"{cls.__name__} has a {own} of its own", cure)
        elif needs_ints(self.cls):
            what = (
                "weights and networks need fields of ints",
                "keep the state in ints and tuples of at most 16 ints",
            )
        if what is not None:
            raise Uncompilable([Reason(0, *what)])

    @staticmethod
    def is_record(cls: Any) -> bool:
        """Whether the objects of a class are just their fields, built and compared in Python's default way."""
        if not isinstance(cls, type):
            return False
        if any(own_method(cls, name) for name in UNLIKE if name != "__new__" or new_defaults(cls) is None):
            return is_plain(cls)
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            return True
        if not dataclasses.is_dataclass(cls):
            return False
        frozen = getattr(cls, "__dataclass_params__").frozen  # noqa: B009
        return frozen and all(f.init for f in dataclasses.fields(cls))

    @staticmethod
    def fields(cls: Any) -> tuple[str, ...]:
        if dataclasses.is_dataclass(cls):
            return tuple(f.name for f in dataclasses.fields(cls))
        return plain_fields(cls) or tuple(cls._fields)

    @staticmethod
    def defaults(cls: Any) -> dict[str, Any]:
        if dataclasses.is_dataclass(cls):
            made = {}
            for f in dataclasses.fields(cls):
                if f.default is not dataclasses.MISSING:
                    made[f.name] = f.default
                elif f.default_factory is not dataclasses.MISSING:
                    made[f.name] = f.default_factory()
            return made
        own = new_defaults(cls)
        return dict(cls._field_defaults) if own is None else own

    def values(self, state: Any) -> tuple[Any, ...]:
        return tuple(getattr(state, name) for name in self.fields(self.user))

    def state(self, values: list[Any]) -> Any:
        """The user's state with these fields."""
        if not is_plain(self.user):
            return self.user(*values)
        made = object.__new__(self.user)
        for name, value in zip(self.fields(self.user), values, strict=True):
            setattr(made, name, value)
        return made

    def shares_lists(self) -> bool:
        """Whether a state that was seen holds one list in two places: then a change of one changes the other."""
        return any(
            len(found) > len(set(found)) for found in ([*map(id, _lists(state))] for state in self.states)
        )

    def values_of(self, record: Any) -> list[Any]:
        return [getattr(record, name) for name in self.fields(type(record))]

    def record_kind(self, made: Kind) -> Kind:
        """The kind of a record: that of states is the same in the whole program."""
        assert isinstance(made, Record)
        made = Record(made.cls, tuple(settled(wide(each)) for each in made.kinds))
        if made.cls is not self.user:
            return made
        known = join(self.record, made)
        if known != self.record:
            self.record = known
            return known
        return self.state_kind

    # --- names and constants ------------------------------------------------------------------------------

    def watch(self, owner: Any, name: str, found: Any) -> None:
        self.watched.setdefault((id(owner), name), (owner, name, found))
        if isinstance(found, list | dict | set | np.ndarray):
            self.contents.append((found, _frozen(found)))

    def unchanged(self) -> bool:
        """Whether every name that was looked up still has the same meaning."""
        for owner, name, found in self.watched.values():
            now = (
                lookup(owner, name)
                if isinstance(owner, types.FunctionType)
                else inspect.getattr_static(owner, name, Missing)
            )
            same = (
                now is found
                or type(now) is type(found)
                and isinstance(now, int | float | str)
                and now == found
            )
            if not same and not (inspect.isroutine(now) and plain(now) is plain(found)):
                return False
        return all(_frozen(value) == old for value, old in self.contents)

    def constant(self, value: Any, is_run: bool = False) -> Value:
        """A constant text, tuple, list, dict or set, which lies in memory and never changes.

        `is_run`: all items have the same kind, which may be a union of several.
        """
        if isinstance(value, str):
            data = self.pool.add([ord(c) for c in value])
            return Value(Run(CHAR, "str"), (data, str(len(value))), constant=value)
        if self.is_record(type(value)):
            parts = [self.embedded(v) for v in self.values_of(value)]
            return Value(
                Record(type(value), tuple(p.kind for p in parts)), tuple(w for p in parts for w in p.words)
            )
        if isinstance(value, dict):
            keys, values = self.constant(tuple(value), True), self.constant(tuple(value.values()), True)
            known = Dict(self.inner(keys), self.inner(values), "constant")
            return Value(known, (self.header(keys, known.key), self.header(values, known.value)))
        if isinstance(value, set | frozenset):
            ordered = all(type(v) is int for v in value)
            items = self.constant(tuple(value), True)
            inner = self.inner(items)
            kind = Set(inner, ordered, True, isinstance(value, frozenset))
            return Value(kind, (self.header(items, inner),), constant=frozenset(value))
        parts = [self.embedded(v) for v in value]
        if _are_short(value):  # rows of a few items
            parts = [self.row(v) for v in value]
        kinds = tuple(p.kind for p in parts)
        whole = Run(join_all(kinds)) if is_run else of_tuple(kinds)
        if isinstance(whole, Items):
            return Value(
                Items(tuple(p.kind for p in parts)),
                tuple(w for p in parts for w in p.words),
                constant=tuple(value),
            )
        inner = whole.inner
        made: list[Any] = []
        for item, part in zip(value, parts, strict=True):
            made += self.numbers(part, inner) if part.kind == inner else self.laid_out(item, part, inner)
        data = self.pool.add(made)
        found = Value(Run(inner), (data, str(len(parts))), constant=tuple(value))
        return found._replace(kind=Run(inner, "table")) if isinstance(value, list) else found

    def row(self, value: Any) -> Value:
        parts = [self.embedded(v) for v in value]
        return Value(
            Items(tuple(p.kind for p in parts)), tuple(w for p in parts for w in p.words), constant=value
        )

    def embedded(self, value: Any) -> Value:
        return Function.embed(_Embedder(self), value)  # type: ignore[arg-type]

    @staticmethod
    def inner(value: Value) -> Kind:
        if isinstance(value.kind, Run):
            return value.kind.inner
        raise Cannot("a constant holds values of several kinds", "let it hold one kind")

    def laid_out(self, item: Any, part: Value, kind: Kind) -> list[Any]:
        """A constant's words converted to another kind: in a dict of dicts, all inner dicts have one kind."""
        match kind:
            case Dict(key, worth) if isinstance(item, dict):
                return [self.listed(item, key), self.listed(item.values(), worth)]
            case Run(inner, "table") if isinstance(item, list) and isinstance(inner, Dict):
                flat = [word for each in item for word in self.laid_out(each, self.embedded(each), inner)]
                return [self.pool.add(flat), len(item)]
        return self.numbers(part, kind)

    def listed(self, items: Any, kind: Kind) -> str:
        """The header of a dict's keys or values."""
        flat = [word for each in items for word in self.laid_out(each, self.embedded(each), kind)]
        return self.pool.add([len(items), len(items), self.pool.add(flat)])

    def numbers(self, part: Value, kind: Kind) -> list[Any]:
        """A constant's words as stored in memory."""
        writer = Writer()
        given = writer.convert(part, kind)
        if writer.lines:  # a character as a text
            given = (self.pool.add([int(part.word)]), "1")
            if isinstance(kind, Maybe):
                given = ("1", *given)
            elif kind != Run(CHAR, "str"):
                raise Cannot("a constant holds values of several kinds", "let it hold one kind")
        return [_number(word) for word in given]

    def header(self, items: Value, kind: Kind) -> str:
        """The header of a constant list."""
        data, count = items.words
        return self.pool.add(
            [int(count), int(count), data if isinstance(data, str) and data.startswith("pool") else 0]
        )

    def external(self, name: str, value: Any) -> str:
        self.externals[PREFIX + name] = value
        return PREFIX + name

    def native(self, name: str) -> str:
        from outplay.compile.runtime import NATIVE

        return self.external(f"native_{name}", NATIVE[name][1])

    # --- functions ----------------------------------------------------------------------------------------

    def instance(
        self,
        function: Any,
        local: Local | None,
        given: list[tuple[str, Kind]],
        known: Any,
        makes: Any = None,
        telling: bool = False,
    ) -> Function:
        """The function compiled for arguments of these kinds and known lengths; it may still be unfinished.

        `telling`: the version that tells what it raises, for `try`.
        """
        node_key = local.node if local is not None else (function, makes)
        if local is None and function in library.OWN:  # errors name the calling line
            node_key = function, self.running[-1].place, self.running[-1].line
        key = (node_key, tuple(given), known, telling)
        made = self.instances.get(key)
        if made is None and any(f.key is not None and f.key[0] == node_key for f in self.running):
            # It calls itself with another length: compile one version for any length.
            given, known = [(name, wide(each)) for name, each in given], ()
            key = (node_key, tuple(given), known, telling)
            made = self.instances.get(key)
        if made is None:
            if sum(f.key is not None and f.key[0] == node_key for f in self.running) > MOST_IN_ONE:
                raise Cannot("a function calls itself with ever new kinds of arguments", "give it one kind")
            made = self.make(function, local)
            made.key, made.lengths, made.makes, made.telling = key, known, makes, telling
            self.instances[key] = made
            self.running.append(made)
            try:
                made.compile(given)
            except Cannot as error:
                if not getattr(error, "told", False):
                    error.told = True  # type: ignore[attr-defined]
                    self.note(made, error)
                raise
            finally:
                self.running.pop()
        elif not made.done:
            circle = self.running[
                self.running.index(made) :
            ]  # each calls the next, and the last calls the first
            for each in circle:
                each.learned = each.learned or not each.recursive
                each.recursive = True
                made.readers.add(each.key)
        return made

    def drop(self, keys: set[Any]) -> None:
        """Forget functions compiled before their callees' results were known, and their callers."""
        gone = {
            self.instances.pop(key).symbol
            for key in keys
            if key in self.instances and self.instances[key].done
        }
        while gone:
            callers = [k for k, f in self.instances.items() if f.done and raised_in(f.lines)[1] & gone]
            gone = {self.instances.pop(key).symbol for key in callers}

    def make(self, function: Any, local: Local | None) -> Function:
        owner = function.__qualname__
        file = inspect.getsourcefile(function) or function.__code__.co_filename
        place = Place(owner, file)
        if local is not None:
            node: Any = local.node
            name = getattr(node, "name", "lambda")
            made = Function(self, self.symbol(name), function, boxed(node), place)
            outer = {n for n, _ in local.outer}
            made.locals |= outer
            if isinstance(node, ast.FunctionDef):
                made.locals.add(node.name)
                made.own = local
            return made
        if function in library.OWN:
            caller = self.running[-1]
            node = copy.deepcopy(tree_of(function, place))
            for part in ast.walk(node):
                if hasattr(part, "lineno"):
                    part.lineno = caller.line
            return Function(self, self.symbol(function.__name__), function, node, caller.place)
        node = _lambda_of(function) if function.__name__ == "<lambda>" else tree_of(function, place)
        made = Function(self, self.symbol(function.__name__), function, boxed(node), place)
        if function.__code__.co_name == "__init__":
            made.me = node.args.args[0].arg
        return made

    def fault(self, error: type) -> int:
        """The number that represents an exception."""
        if error not in self.faults:
            self.faults.append(error)
        return self.faults.index(error) + 1

    def by_symbol(self, symbol: str) -> Any:
        """The function with this symbol; None if there is none."""
        return next((f for f in (*self.instances.values(), *self.listings) if f.symbol == symbol), None)

    def raised(self, symbol: str, seen: set[str]) -> tuple[set[type], set[type]]:
        """What a function and its callees raise and tell, and what they may raise besides."""
        function = self.by_symbol(symbol)
        if function is None:
            return set(), set(STEPS_RAISE)
        told, silent = set(function.told), set(function.silent)
        if not function.done:
            return told, silent | STEPS_RAISE
        seen.add(symbol)
        classes, called = raised_in(function.lines)
        if not function.telling:
            silent |= classes
        for other in called - seen:
            more, others = self.raised(other, seen)
            told |= more
            silent |= others
        return told, silent

    def symbol(self, name: str) -> str:
        made = next(s for s in symbols(name) if s not in self.symbols)
        self.symbols.add(made)
        return made

    def note(self, function: Function, error: Cannot) -> None:
        self.reasons.append(Reason(function.line, error.what, error.cure))

    # --- entries ------------------------------------------------------------------------------------------

    def entries(self) -> None:
        before = self.record
        for rule in hooks.COMPILED:
            if self.record != before:  # more is known of the fields: start again
                self.reasons = []
                return
            if not offers(self.cls, rule) or rule in ("planes", "informed"):
                continue
            method = inspect.getattr_static(self.user, rule, Missing)
            function = plain(method)
            if not isinstance(function, types.FunctionType):
                self.reasons.append(Reason(0, f"{rule} is not a method", f"write `def {rule}(self, ...)`"))
                continue
            try:
                self.entry(rule, function)
            except Cannot as error:
                if not getattr(error, "told", False):
                    self.reasons.append(Reason(function.__code__.co_firstlineno, error.what, error.cure))
            except (
                NameError,
                AttributeError,
                TypeError,
                KeyError,
                IndexError,
                ValueError,
                RecursionError,
            ) as error:
                if isinstance(error, GameError):
                    raise
                self.reasons.append(
                    Reason(function.__code__.co_firstlineno, f"{rule} cannot be compiled", "")
                )
                import os

                if os.environ.get("OUTPLAY_DEBUG"):
                    raise

    def entry(self, rule: str, function: types.FunctionType) -> None:
        from outplay.compile.natural.entry import Entry

        made = Entry(self, rule, function)
        made.compile([])
        self.rules[rule] = made.symbol
        self.made_entries = [*getattr(self, "made_entries", []), made]

    def finished(self) -> list[Any]:
        """All functions, callees before callers."""
        entries = [e for e in self.made_entries if self.rules.get(e.rule) == e.symbol]
        return [*joined(list(self.instances.values())), *self.listings, *entries]

    def light(self) -> set[str]:
        """The rules that are inlined into their callers; not those that build states, whose code is long."""
        from outplay.compile.natural.entry import STATES

        now = [e for e in self.made_entries if self.rules.get(e.rule) == e.symbol and e.rule not in STATES]
        return {e.rule for e in now if e.is_light()}

    def digest(self, extra: Any) -> str:
        digest = hashlib.sha256()
        cls: Any = self.cls
        facts = (
            cls.__name__, self.limit, kind(cls), worth(cls), sorted(self.rules.items()), self.layout.words,
            getattr(cls, "unit", 0), getattr(cls, "repetition", 0), getattr(cls, "win", 0), extra,
        )  # fmt: skip
        digest.update(repr(facts).encode())
        for function in self.finished():
            text, lines = function.text()
            first = sorted(set(lines))
            digest.update(text.encode() + repr([first.index(n) for n in lines]).encode())
        digest.update(self.pool.digest().encode())
        digest.update(repr(sorted(self.externals)).encode())
        return digest.hexdigest()


class _Embedder:
    """The attributes of a function that Function.embed needs."""

    def __init__(self, program: Natural) -> None:
        self.program = program

    def _tuples(self, value: Any) -> Any:
        return tuple(map(self._tuples, value)) if isinstance(value, list) else value


def _lists(value: Any) -> Iterator[Any]:
    """The lists in a value."""
    if isinstance(value, list | tuple):
        if isinstance(value, list):
            yield value
        for part in value:
            yield from _lists(part)


def _are_short(rows: Any) -> bool:
    """Whether all items are tuples of the same small length without nested tuples."""
    sizes = {len(row) if type(row) is tuple else -1 for row in rows}
    return (
        len(sizes) == 1
        and 0 < min(sizes) <= SHORT
        and not any(isinstance(v, tuple | list | dict | set) for row in rows for v in row)
    )


def _number(word: str) -> Any:
    if word.startswith("pool"):
        return word
    if word in ("INFINITY", "MINUS_INFINITY", "NAN"):
        return float(word.replace("MINUS_", "-").lower().replace("infinity", "inf"))
    return float(word) if "." in word or "e" in word or "f" in word else int(word)


def _frozen(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return type(value), tuple(map(_frozen, value))
    if isinstance(value, dict):
        return tuple((_frozen(k), _frozen(v)) for k, v in value.items())
    if isinstance(value, set | frozenset):
        return type(value), frozenset(map(_frozen, value))
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    return (type(value), repr(value)) if isinstance(value, int | float | str | enum.Enum) else id(value)


def _lambda_of(function: types.FunctionType) -> Any:
    """The syntax tree of a lambda, found in its file by line, arguments and code."""
    code = function.__code__
    text = "".join(linecache.getlines(code.co_filename))
    try:
        tree = ast.parse(text)
    except SyntaxError:
        tree = ast.Module([], [])
    names = code.co_varnames[: code.co_argcount]
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Lambda)
        and node.lineno == code.co_firstlineno
        and tuple(a.arg for a in node.args.args) == names
    ]
    if len(found) > 1:
        found = [
            node for node in found if _lambda_code(node) == (code.co_code, code.co_names, code.co_consts)
        ]
    if not found:
        raise Cannot("the source of a lambda cannot be read", "write a function with `def`")
    if len({ast.dump(node) for node in found}) > 1:
        raise Cannot("several lambdas stand on one line", "write functions with `def`")
    return found[0]


def _lambda_code(node: ast.Lambda) -> Any:
    code = compile(ast.Expression(node), "", "eval").co_consts[0]
    return (code.co_code, code.co_names, code.co_consts) if isinstance(code, types.CodeType) else None
