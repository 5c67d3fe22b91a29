"""One game's rules as a program: the user's class rebuilt as a twin that can be compiled.

`twin(cls)` collects the class's rules with all functions and constants that they name, rewrites them, and files
the whole under a digest. The twin class has the same fields; its methods are the rewritten rules. Numba sees only
the twin, whose name contains the digest. So a changed rule makes a new type, and old code cannot match it.
"""

import ast
import hashlib
import inspect
import sys
import types
from collections import namedtuple
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from outplay import hooks
from outplay.compile import jit, methods, recursion, syntax, tables
from outplay.compile.rewrite import Rewriter
from outplay.compile.runtime import (
    NATIVE,
)
from outplay.compile.source import Missing, Place, lookup, plain, tree_of
from outplay.compile.syntax import PREFIX
from outplay.compile.width import is_beyond
from outplay.game import (
    NET_FACTS,
    UNIT,
    GameError,
    kind,
    max_actions,
    net_of,
    net_slot,
    offers,
    weights_of,
    worth,
)
from outplay.weights import Span

SCRATCH = f"{PREFIX}native_scratch"


class Piece(NamedTuple):
    """One function of the program."""

    symbol: str
    node: ast.FunctionDef
    place: Place

    @property
    def lines(self) -> list[int]:
        """The lines of its file that hold code."""
        return sorted({part.lineno for part in ast.walk(self.node) if isinstance(part, ast.stmt | ast.expr)})

    def buffers(self) -> int:
        """The words of machine stack that it uses as buffers for generators."""
        sizes = 0
        for part in ast.walk(self.node):
            match part:
                case ast.Call(func=ast.Name(id=called), args=[ast.Constant(value=int() as size)]):
                    sizes += size if called == SCRATCH else 0
        return sizes

    def layout(self) -> list[int]:
        """The line of each node, by its rank among the lines of code, as compiled code reports it."""
        number = {line: i for i, line in enumerate(self.lines)}
        parts = (part for part in ast.walk(self.node) if isinstance(part, ast.stmt | ast.expr))
        return [number[part.lineno] for part in parts]


class Program:
    """Collects the functions and constants that a game's rules reach."""

    def __init__(self, cls: Any) -> None:
        self.cls = cls
        self.limit = max_actions(cls)
        self.members = dict(vars(cls))
        self.weights = weights_of(cls)
        self.float_weights = kind(cls).float_scores
        self.pieces: list[Piece] = []
        self.names: dict[str, Any] = {}  # symbol -> object of the generated module
        self.arrays: dict[str, np.ndarray] = {}  # symbol -> a table of numbers
        self.tables: dict[str, Any] = {}  # symbol -> the same table as the user wrote it
        self.watched: dict[tuple[int, str], tuple[Any, Any, str, Any]] = {}
        self.contents: list[tuple[Any, Any]] = []  # a table that can change in place, and its content
        self.functions: list[tuple[types.FunctionType, Any, Any]] = []  # with their code and defaults
        self._symbols: dict[types.FunctionType, str] = {}
        self._taken: set[str] = set()
        self._waiting: list[types.FunctionType] = []
        self._again: list[types.FunctionType] = []  # to be checked again, as arguments may exceed int64
        self._rewritten: set[types.FunctionType] = set()
        self._wide: dict[types.FunctionType, set[str]] = {}  # parameters and results that may exceed int64
        self._wide_tables: dict[int, tuple[Any, bool]] = {}
        self._readers: dict[
            types.FunctionType, dict[types.FunctionType, None]
        ] = {}  # callers that rely on it
        self.asked = {plain(self.members[rule]) for rule in hooks.COMPILED if offers(cls, rule)}
        self._owned = {
            plain(v): k for k, v in self.members.items() if isinstance(plain(v), types.FunctionType)
        }
        self.rules = {rule: self.include(self._rule(rule)) for rule in hooks.COMPILED if offers(cls, rule)}
        while self._waiting or self._again:
            if self._waiting:
                self._rewrite(self._waiting.pop())
            else:
                rewriter, node = self._rewriter(self._again.pop())
                rewriter.look_again(node)
        self._refuse_circles()
        self.pieces = [part for piece in self.pieces for part in self._bounded(piece)]

    def _rule(self, rule: str) -> types.FunctionType:
        function = plain(self.members[rule])
        if not isinstance(function, types.FunctionType):
            raise GameError(f"{self.cls.__name__}.{rule} is not a method: write `def {rule}(self, ...)`")
        self.watch(self.cls, rule, self.members[rule])
        if (
            self.weights is not None
            and rule not in hooks.WEIGHING
            and "weights" in function.__code__.co_varnames
        ):
            if "weights" in inspect.signature(function).parameters:
                raise GameError(f"{self.cls.__name__}.{rule} takes weights: only evaluate is given them")
        return function

    def _place(self, function: types.FunctionType) -> Place:
        own = self._owned.get(function)
        owner = f"{self.cls.__name__}.{own}" if own else function.__qualname__
        return Place(owner, inspect.getsourcefile(function) or function.__code__.co_filename)

    def _rewrite(self, function: types.FunctionType) -> None:
        rewriter, node = self._rewriter(function)
        self._rewritten.add(function)
        rewritten = rewriter.rewrite(node)
        self.pieces.append(Piece(rewritten.name, rewritten, rewriter.place))

    def _rewriter(self, function: types.FunctionType) -> tuple[Rewriter, ast.FunctionDef]:
        own = self._owned.get(function)
        place = self._place(function)
        node = tree_of(function, place)
        bound = own is not None and not isinstance(self.members[own], staticmethod) and node.args.args
        self_name = node.args.args[0].arg if bound else None
        return Rewriter(self, function, place, self_name, self.fills(function)), node

    def _refuse_circles(self) -> None:
        """Refuse mutual recursion: such code cannot be cached. Functions may call themselves."""
        pieces = {piece.symbol: piece for piece in self.pieces}
        calls = {
            symbol: {n.id for n in ast.walk(piece.node) if isinstance(n, ast.Name)} & pieces.keys() - {symbol}
            for symbol, piece in pieces.items()
        }
        for symbol in pieces:
            reached, waiting = set(), list(calls[symbol])
            while waiting:
                other = waiting.pop()
                if other == symbol:
                    raise pieces[symbol].place.error(
                        pieces[symbol].node.lineno,
                        "it calls itself through another function or a generator expression",
                        "let it call itself directly, or write the loop out",
                    )
                if other not in reached:
                    reached.add(other)
                    waiting += calls[other]

    def _bounded(self, piece: Piece) -> list[Piece]:
        """A recursive piece as two that bound the depth of the recursion."""
        if not recursion.calls_itself(piece.node):
            return [piece]
        error = self.external(RecursionError)
        nodes = recursion.counted(piece.node, recursion.deepest(piece.buffers()), error)
        return [piece._replace(symbol=node.name, node=node) for node in nodes]

    def layout(self) -> dict[str, Span]:
        """Where each weight lies in the block of weights that a search gets; their values play no role here."""
        return self.weights.layout() if self.weights is not None else {}

    # --- questions of the rewriter-----------------------------------------------------------------------

    def fills(self, function: Any) -> bool:
        """Whether a function writes actions: a generator, or the class's `actions`."""
        if not isinstance(function, types.FunctionType):
            return False
        return inspect.isgeneratorfunction(function) or self._owned.get(function) == "actions"

    def gives_sequence(self, function: types.FunctionType) -> bool:
        """Whether a function that writes actions returns a list, tuple or range in plain Python, not a generator."""
        if inspect.isgeneratorfunction(function):
            return False
        returned = [
            n.value for n in ast.walk(tree_of(function, self._place(function))) if isinstance(n, ast.Return)
        ]
        return all(value is not None and syntax.is_sequence(value) for value in returned)

    def include(self, function: types.FunctionType) -> str:
        """Add a function to the program; returns its symbol."""
        if function not in self._symbols:
            self.functions.append((function, function.__code__, function.__defaults__))
            self._symbols[function] = self.fresh_symbol(function.__name__)
            self._waiting.append(function)
        return self._symbols[function]

    def symbol_of(self, function: types.FunctionType) -> str:
        return self._symbols[function]

    def fresh_symbol(self, wanted: str) -> str:
        symbol = next(s for s in syntax.symbols(wanted.lstrip("_")) if s not in self._taken)
        self._taken.add(symbol)
        return symbol

    def add_lifted(self, symbol: str, node: ast.FunctionDef, place: Place) -> None:
        self.pieces.append(Piece(symbol, node, place))

    def holds_wide(self, table: Any) -> bool:
        """Whether a number of a constant table exceeds int64."""
        if id(table) not in self._wide_tables:
            self._wide_tables[id(table)] = table, is_beyond(table)
        return self._wide_tables[id(table)][1]

    def wide(self, function: types.FunctionType, reader: types.FunctionType) -> set[str]:
        """Which parameters of a function, or its result, may exceed int64; `reader` is the function that uses this."""
        self._readers.setdefault(function, {})[reader] = None
        return self._wide.setdefault(function, set())

    def note_wide(self, function: types.FunctionType, part: str) -> None:
        """A parameter or result may exceed int64: the functions that assumed otherwise are checked once more."""
        known = self._wide.setdefault(function, set())
        if part not in known:
            known.add(part)
            late = [r for r in self._readers.get(function, ()) if r in self._rewritten]
            self._again += [reader for reader in late if reader not in self._again]

    def native(self, name: str) -> str:
        """The symbol of one of our own functions (runtime.NATIVE), or of the twin class ("State")."""
        symbol = f"{PREFIX}native_{name}"
        if name != "State":
            self.names[symbol] = NATIVE[name][jit.ENABLED]
        return symbol

    def constant(self, array: np.ndarray, table: Any, written: str) -> ast.expr:
        """Add a table of numbers: `array` for compiled code, `table` as the user wrote it."""
        same = (
            s
            for s, a in self.arrays.items()
            if a.dtype == array.dtype and np.array_equal(a, array) and type(self.tables[s]) is type(table)
        )
        symbol = next(same, None) or self.fresh_symbol(written.replace(".", "_"))
        self.arrays[symbol] = array
        self.tables.setdefault(symbol, table)
        is_large = array.size > tables.LARGE and jit.ENABLED
        self.names[symbol] = tables.linked(array) if is_large else array
        return syntax.call(symbol) if is_large else syntax.name(symbol)

    def external(self, value: Any) -> str:
        """Add a function that Numba knows (math.sqrt) or an exception, under a name of its own."""
        symbol = f"{PREFIX}external_{value.__module__}_{value.__qualname__}".replace(".", "_")
        while self.names.setdefault(symbol, value) is not value:
            symbol += "_"
        return symbol

    # --- has anything changed since? -----------------------------------------------------------------------

    def watch(self, owner: Any, name: str, found: Any) -> None:
        """Remember what a name of a class, module or function means, and in which dictionary it was looked up."""
        home = owner.__dict__
        if isinstance(owner, types.FunctionType):
            home = {} if name in owner.__code__.co_freevars else owner.__globals__
        self.watched.setdefault((id(home) if home else id(owner), name), (home, owner, name, found))

    def watch_content(self, value: Any) -> None:
        """Remember a table's content if it can change in place."""
        if can_change(value):
            self.contents.append((value, frozen(value)))

    def unchanged(self) -> bool:
        """Whether every name that was looked up still has the same meaning."""
        for home, owner, name, found in self.watched.values():
            if home.get(name, Missing) is found:
                continue  # the usual case, and quick
            if isinstance(owner, types.FunctionType):
                now = lookup(owner, name)
            else:
                now = inspect.getattr_static(owner, name, Missing)
            if now is not found and not (
                type(now) is type(found) and isinstance(now, int | float) and repr(now) == repr(found)
            ):
                return False
        return all(
            function.__code__ is code and function.__defaults__ is defaults
            for function, code, defaults in self.functions
        ) and all(frozen(value) == old for value, old in self.contents)

    def digest(self) -> str:
        """A hash of everything that the native code depends on."""
        cls: Any = self.cls
        digest = hashlib.sha256()
        facts = (
            (cls.__name__, cls._fields, self.limit, kind(cls), worth(cls), sorted(self.rules.items())),
            (getattr(cls, "unit", UNIT), getattr(cls, "repetition", 0), getattr(cls, "win", 0)),
            (getattr(cls, "plane_shape", None), getattr(cls, "feature_count", None)),
            ([read(net_of(cls)) for read in NET_FACTS.values()], net_slot(cls)),
            self.weights and self.layout(),
        )
        digest.update(repr(facts).encode())
        for piece in sorted(self.pieces, key=lambda p: p.symbol):
            digest.update(ast.dump(piece.node).encode())
            digest.update(repr(piece.layout()).encode())
        for symbol in sorted(self.names):
            digest.update(symbol.encode())
        digest.update(self.constants(self.arrays.keys()))
        return digest.hexdigest()

    def constants(self, names: Iterable[str]) -> bytes:
        """The tables that code of these names reads."""
        found = [(symbol, self.arrays[symbol]) for symbol in sorted(self.arrays.keys() & set(names))]
        return b"".join(s.encode() + array.tobytes() + repr(array.shape).encode() for s, array in found)


def can_change(value: Any) -> bool:
    """Whether a table can be changed in place."""
    if isinstance(value, tuple):
        return any(map(can_change, value))
    return isinstance(value, list | np.ndarray)


def frozen(value: Any) -> Any:
    """A table's content with the types of its numbers: 1, 1.0 and True are different."""
    if isinstance(value, list | tuple):
        return type(value), tuple(map(frozen, value))
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    return value if type(value) is int else (type(value), repr(value))


class Twin:
    """A compiled game: the twin class, and the conversion of states to it and back."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.cls: Any = program.cls
        self.digest = program.digest()
        self.kind = kind(self.cls)
        label = f"{self.cls.__name__}_{self.digest[:12]}"
        self.module = types.ModuleType(f"_outplay_{label}")
        self.state_class: Any = namedtuple(label, program.cls._fields, module=self.module.__name__)  # type: ignore[misc]
        setattr(self.state_class, "__outplay__", self)  # noqa: B010  (mypy takes the class for a plain tuple)
        setattr(self.module, label, self.state_class)
        sys.modules[self.module.__name__] = self.module  # cached code refers to its types by name
        self.functions = self._functions()
        for name, method in methods.methods(self).items():
            setattr(self.state_class, name, method)

    def _functions(self) -> dict[str, Any]:
        names = vars(self.module)
        names.update(self.program.names)
        if not jit.ENABLED:
            names.update(self.program.tables)
        names[PREFIX + "native_State"] = self.state_class
        for piece in self.program.pieces:
            code = compile(ast.Module([piece.node], []), piece.place.file, "exec")
            exec(code, names)
            function = names[piece.symbol]
            function.__module__ = self.module.__name__
            names[piece.symbol] = jit.rule(function, piece.lines)
        return {rule: names[symbol] for rule, symbol in self.program.rules.items()}

    def state(self, state: Any) -> Any:
        """The user's state as the twin's."""
        return self.state_class(*state)

    def back(self, state: Any) -> Any:
        """The twin's state as the user's."""
        return self.cls(*state)
