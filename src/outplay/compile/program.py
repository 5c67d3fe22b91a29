"""One game's rules as a program: the user's class rebuilt as a twin that native code understands.

`twin(cls)` collects the class's rules with all functions and constants that they name, rewrites them, and
files the whole under a digest. The twin class has the same fields; its methods are the rewritten rules. Numba
sees only the twin, whose name carries the digest, so a changed rule is a new type and old code cannot match.
"""

import ast
import hashlib
import inspect
import itertools
import sys
import threading
import types
from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np

from outplay.compile import jit, syntax, tables
from outplay.compile.rewrite import Rewriter
from outplay.compile.runtime import NATIVE, TooManyActions, UtilityTooLarge, fold, mix
from outplay.compile.source import Missing, Place, lookup, plain, tree_of
from outplay.compile.syntax import PREFIX
from outplay.game import (
    CHANCE,
    HIGHEST,
    MOST,
    NET_FACTS,
    NO_CEILING,
    TOLD_OF_ACTIONS,
    TOLD_TO_NETS,
    UNIT,
    UNKNOWN,
    WEIGHING,
    WIN,
    GameError,
    adopt,
    kind,
    max_actions,
    net_of,
    net_slot,
    offers,
    plane_words,
    weights_of,
    worth,
)
from outplay.weights import Span

RULES = ("player", "actions", "result", "terminal", "utility", "probability", "evaluate")
KNOWLEDGE = (  # what a game may tell a search beyond its rules
    *TOLD_OF_ACTIONS, "key", "noisy", "forced", "skip", "promising", "ceiling", "symmetries", "drawn", "count",
    "finish", "plies_left", "planes", "repetition_key", "informed", *TOLD_TO_NETS,
)  # fmt: skip


class Piece(NamedTuple):
    """One function of the program."""

    symbol: str
    node: ast.FunctionDef
    place: Place


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
        self.tables: dict[str, Any] = {}  # symbol -> the same as the user wrote it
        self.watched: dict[tuple[int, str], tuple[Any, Any, str, Any]] = {}
        self.contents: list[tuple[Any, Any]] = []
        self._symbols: dict[types.FunctionType, str] = {}
        self._taken: set[str] = set()
        self._waiting: list[types.FunctionType] = []
        self._owned = {
            plain(v): k for k, v in self.members.items() if isinstance(plain(v), types.FunctionType)
        }
        self.rules = {
            rule: self.include(self._rule(rule)) for rule in (*RULES, *KNOWLEDGE) if offers(cls, rule)
        }
        while self._waiting:
            self._rewrite(self._waiting.pop())
        self._refuse_circles()

    def _rule(self, rule: str) -> types.FunctionType:
        function = plain(self.members[rule])
        if not isinstance(function, types.FunctionType):
            raise GameError(f"{self.cls.__name__}.{rule} is not a method: write `def {rule}(self, ...)`")
        self.watch(self.cls, rule, self.members[rule])
        if self.weights is not None and rule not in WEIGHING and "weights" in function.__code__.co_varnames:
            if "weights" in inspect.signature(function).parameters:
                raise GameError(f"{self.cls.__name__}.{rule} takes weights: only evaluate is given them")
        return function

    def _rewrite(self, function: types.FunctionType) -> None:
        own = self._owned.get(function)
        owner = f"{self.cls.__name__}.{own}" if own else function.__qualname__
        place = Place(owner, inspect.getsourcefile(function) or function.__code__.co_filename)
        node = tree_of(function, place)
        bound = own is not None and not isinstance(self.members[own], staticmethod) and node.args.args
        self_name = node.args.args[0].arg if bound else None
        rewritten = Rewriter(self, function, place, self_name, self.fills(function)).rewrite(node)
        self.pieces.append(Piece(rewritten.name, rewritten, place))

    def _refuse_circles(self) -> None:
        """Functions may call themselves, but not each other: such code cannot be kept between runs."""
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
                        "it calls itself by way of another function, or of a generator expression",
                        "let it call itself directly, or write the loop out",
                    )
                if other not in reached:
                    reached.add(other)
                    waiting += calls[other]

    def layout(self) -> dict[str, Span]:
        """Where each weight lies in the block that a search is given; their values are none of our business."""
        return self.weights.layout() if self.weights is not None else {}

    # --- what the rewriter asks --------------------------------------------------------------------------

    def fills(self, function: Any) -> bool:
        """Whether a function writes actions: a generator, or the class's `actions`."""
        if not isinstance(function, types.FunctionType):
            return False
        return inspect.isgeneratorfunction(function) or self._owned.get(function) == "actions"

    def include(self, function: types.FunctionType) -> str:
        """Compile a function along; returns its symbol."""
        if function not in self._symbols:
            self._symbols[function] = self.fresh_symbol(function.__name__)
            self._waiting.append(function)
        return self._symbols[function]

    def symbol_of(self, function: types.FunctionType) -> str:
        return self._symbols[function]

    def fresh_symbol(self, wanted: str) -> str:
        wanted = PREFIX + wanted.strip("<>").lstrip("_")
        symbol = next(
            s
            for s in itertools.chain([wanted], (f"{wanted}_{i}" for i in itertools.count(2)))
            if s not in self._taken
        )
        self._taken.add(symbol)
        return symbol

    def add_lifted(self, symbol: str, node: ast.FunctionDef, place: Place) -> None:
        self.pieces.append(Piece(symbol, node, place))

    def native(self, name: str) -> str:
        """The symbol of one of our own functions (runtime.NATIVE), or of the twin class ("State")."""
        symbol = f"{PREFIX}native_{name}"
        if name != "State":
            self.names[symbol] = NATIVE[name][jit.ENABLED]
        return symbol

    def constant(self, array: np.ndarray, table: Any, written: str) -> ast.expr:
        """A table of numbers: as compiled code has it, and as the user wrote it."""
        same = (s for s, a in self.arrays.items() if a.dtype == array.dtype and np.array_equal(a, array))
        symbol = next(same, None) or self.fresh_symbol(written.replace(".", "_"))
        self.arrays[symbol] = array
        self.tables.setdefault(symbol, table)
        is_large = array.size > tables.LARGE and jit.ENABLED
        self.names[symbol] = tables.linked(array) if is_large else array
        return syntax.call(symbol) if is_large else syntax.name(symbol)

    def external(self, value: Any, written: str) -> str:
        """A function that Numba knows by itself (math.sqrt), or an exception."""
        symbol = f"{PREFIX}external_{written.replace('.', '_')}"
        self.names[symbol] = value
        return symbol

    # --- has anything changed since? -----------------------------------------------------------------------

    def watch(self, owner: Any, name: str, found: Any) -> None:
        """Remember what a name of a class, module or function means, and in which dictionary that is looked up."""
        home = owner.__dict__
        if isinstance(owner, types.FunctionType):
            home = {} if name in owner.__code__.co_freevars else owner.__globals__
        self.watched.setdefault((id(home) if home else id(owner), name), (home, owner, name, found))

    def watch_content(self, value: Any, listed: list[Any]) -> None:
        if isinstance(value, list | np.ndarray):
            self.contents.append((value, listed))

    def unchanged(self) -> bool:
        """Whether every name that was looked up still means the same."""
        for home, owner, name, found in self.watched.values():
            if home.get(name, Missing) is found:
                continue  # the usual case, and quick
            if isinstance(owner, types.FunctionType):
                now = lookup(owner, name)
            else:
                now = inspect.getattr_static(owner, name, Missing)
            if now is not found and not (
                type(now) is type(found) and isinstance(now, int | float) and now == found
            ):
                return False
        return all((v.tolist() if isinstance(v, np.ndarray) else list(v)) == old for v, old in self.contents)

    def digest(self) -> str:
        """A name for all that the native code depends on."""
        cls: Any = self.cls
        digest = hashlib.sha256()
        facts = (
            (cls.__name__, cls._fields, self.limit, kind(cls), worth(cls), sorted(self.rules.items())),
            (getattr(cls, "unit", UNIT), getattr(cls, "repetition", 0), getattr(cls, "win", 0)),
            getattr(cls, "plane_shape", None),
            ([read(net_of(cls)) for read in NET_FACTS.values()], net_slot(cls)),
            self.weights and self.layout(),
        )
        digest.update(repr(facts).encode())
        for piece in sorted(self.pieces, key=lambda p: p.symbol):
            digest.update(ast.dump(piece.node).encode())
        for symbol in sorted(self.names):
            digest.update(symbol.encode())
        for symbol, array in sorted(self.arrays.items()):
            digest.update(symbol.encode() + array.tobytes() + repr(array.shape).encode())
        return digest.hexdigest()


class Twin:
    """A compiled game: the twin class and how to get to it and back."""

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
        sys.modules[self.module.__name__] = self.module  # compiled code is stored with its types by name
        self.functions = self._functions()
        self._methods()

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
            names[piece.symbol] = jit.kernel(function)
        return {rule: names[symbol] for rule, symbol in self.program.rules.items()}

    def _methods(self) -> None:
        """The rules as methods of the twin, for the interpreted lane; compiled code finds them in `rules.py`."""
        has = self.functions
        limit = self.program.limit
        number = float if self.kind.float_scores else int

        def actions(s: Any, out: Any, base: int) -> int:
            count = has["actions"](s, out, base, base + limit) - base
            if count > limit:
                raise TooManyActions
            return int(count)

        def score(s: Any, rule: str, *weights: int) -> Any:
            value = has[rule](s, *weights)
            if not isinstance(value, int if number is int else int | float):
                cure = (
                    "return ints, or declare `scores = float`"
                    if isinstance(value, float)
                    else "return a number"
                )
                raise GameError(f"{self.cls.__name__}.{rule} returns {value!r}: {cure}")
            return number(value)

        def utility(s: Any) -> Any:
            value = score(s, "utility")
            if worth(self.cls) > 1 and abs(value) > MOST:
                raise UtilityTooLarge
            return value * worth(self.cls)

        def weighed(s: Any, weights: int) -> Any:
            if "evaluate" not in has:
                return number(0)
            return score(s, "evaluate", *[weights] * (self.program.weights is not None))

        def evaluate(s: Any, weights: int) -> Any:
            value = weighed(s, weights)
            return max(-HIGHEST, min(HIGHEST, value)) if worth(self.cls) > 1 else value

        def informed(s: Any, weights: int, learned: int) -> Any:
            if "informed" not in has:
                return evaluate(s, weights)
            value = score(s, "informed", learned, *[weights] * (self.program.weights is not None))
            return max(-HIGHEST, min(HIGHEST, value)) if worth(self.cls) > 1 else value

        def result(s: Any, action: int) -> Any:
            child = has["result"](s, action)
            if type(child) is not self.state_class:
                name = self.cls.__name__
                raise GameError(
                    f"{name}.result returns {child!r}, not a {name}: end with `return {name}(...)`"
                )
            return child

        def listed(rule: str) -> Any:
            """A method that writes what a rule yields; none where the class has no such rule."""
            if rule not in has:
                return lambda s, out, base: 0
            room = plane_words(self.cls) if rule == "planes" else limit
            return lambda s, out, base: int(has[rule](s, out, base, base + room)) - base

        def told(rule: str, otherwise: int = 0) -> Any:
            """A method that returns a rule's int, or a fixed one where the class has no such rule."""
            if rule not in has:
                return lambda s, *action: otherwise
            return lambda s, *action: int(has[rule](s, *action))

        methods: dict[str, Any] = {
            "player": lambda s: has["player"](s),
            "chance": (lambda s: has["player"](s) == CHANCE) if self.kind.chance else (lambda s: False),
            "actions": actions,
            "result": result,
            "utility": utility,
            "probability": lambda s, outcome: has["probability"](s, outcome),
            "evaluate": evaluate,
            "informed": informed,
            "net_slot": lambda s: net_slot(self.cls),
            **{name: lambda s, read=read: read(net_of(self.cls)) for name, read in NET_FACTS.items()},
            "weighed": weighed,
            **{rule: told(rule) for rule in (*TOLD_OF_ACTIONS, *TOLD_TO_NETS)},
            "has_trait": lambda s: "trait" in has,
            "forced": told("forced"),
            "has_forces": lambda s: "forces" in has,
            "drawn": told("drawn"),
            "has_drawn": lambda s: "drawn" in has,
            "count": (lambda s, out, base: int(has["count"](s))) if "count" in has else actions,
            "ceiling": lambda s: has["ceiling"](s) * worth(self.cls) if "ceiling" in has else NO_CEILING,
            "skip": has.get("skip", lambda s: s),
            "plies_left": told("plies_left", UNKNOWN),
            "finish": listed("finish"),
            "has_finish": lambda s: "finish" in has and worth(self.cls) < WIN,
            "noisy": listed("noisy"),
            "promising": listed("promising"),
            "planes": listed("planes"),
            "symmetries": listed("symmetries"),
            "worth": lambda s: worth(self.cls),
            "unit": lambda s: getattr(self.cls, "unit", UNIT),
            "repetition": lambda s: getattr(self.cls, "repetition", 0),
            "hash": lambda s: mix(has["key"](s)) if "key" in has else fold(s, 1),
            "identity": lambda s: mix(has["repetition_key"](s)) if "repetition_key" in has else s.hash(),
            "has_noisy": lambda s: "noisy" in has,
            "has_exchange": lambda s: "exchange" in has,
            "win_score": lambda s: getattr(self.cls, "win", 0) * worth(self.cls),
            "has_sample": lambda s: "sample" in has,
            "has_playout": lambda s: "playout" in has,
            "has_policy_index": lambda s: "policy_index" in has,
            "terminal": (lambda s: bool(has["terminal"](s)))
            if "terminal" in has
            else (lambda s: actions(s, [0] * (limit + 1), 0) == 0),
        }
        for name, method in methods.items():
            setattr(self.state_class, name, method)

    def state(self, state: Any) -> Any:
        """The user's state as the twin's."""
        return self.state_class(*state)

    def back(self, state: Any) -> Any:
        """The twin's state as the user's."""
        return self.cls(*state)


_twins: dict[type, Twin] = {}
_by_digest: dict[str, Twin] = {}
_building = threading.RLock()  # two threads that ask for the same class get the same twin


def twin(cls: type) -> Twin:
    """The class's twin, rebuilt if anything that its rules name has changed since."""
    found = _twins.get(cls)
    if found is not None and found.program.unchanged():
        return found
    with _building:
        found = _twins.get(cls)
        return found if found is not None and found.program.unchanged() else _build(cls)


def _build(cls: type) -> Twin:
    program = Program(adopt(cls))
    digest = program.digest()
    made = _by_digest.get(digest)
    if made is None or made.cls is not cls:
        made = Twin(program)
    else:
        made.program = program
    _by_digest[digest] = _twins[cls] = made
    return made
