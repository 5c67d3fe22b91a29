"""`@kernel`, `@inlined`, `@step`: functions compiled once for each game that they are called with; `OUTPLAY_JIT=0`."""

import os
from collections.abc import Callable, Sequence
from types import FunctionType, ModuleType
from typing import Any

from numba import types

from outplay.compile import faults
from outplay.compile.address import ADDRESS
from outplay.compile.cache import GameCache, is_kept
from outplay.compile.internals import CPUDispatcher, building, normalize_signature
from outplay.compile.intrinsics import CHECKED

ENABLED = os.environ.get("OUTPLAY_JIT", "1") != "0"
# No C wrappers. Our own kernels check bounds only if NUMBA_BOUNDSCHECK is set; rules always do.
OPTIONS = {"nopython": True, "nogil": True, "no_cfunc_wrapper": True, "boundscheck": None}


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function without the GIL and cache the code; with OUTPLAY_JIT=0, the plain function."""
    return Kernel(function, targetoptions=dict(OPTIONS)) if ENABLED else function


def rule(
    function: Callable[..., Any], lines: Sequence[int], inline: bool = False, recursive: bool = True
) -> Any:
    """A function of a game's rules, as a kernel that checks its indices; `lines` are its lines of code.

    A recursive one has a single build, which takes addresses as ints.
    """
    setattr(function, faults.LINES, lines)
    # LLVM decides whether to inline it, even into a kernel that is itself always inlined.
    options = OPTIONS | {"boundscheck": CHECKED, "forceinline": inline}
    return _addressed(Kernel(function, targetoptions=options), not recursive) if ENABLED else function


def inlined(function: Callable[..., Any]) -> Any:
    """A kernel that is always inlined, for one that is called often with many arguments.

    Passing a tuple of fifteen pointers takes longer than running a small kernel.
    """
    made = OPTIONS | {"forceinline": True}
    return _addressed(Kernel(function, targetoptions=made)) if ENABLED else function


def _addressed(made: Any, addressed: bool = True) -> Any:
    made.addressed = addressed
    return made


def called(function: Callable[..., Any]) -> Any:
    """A kernel that is not inlined, though its caller is."""
    return Kernel(function, targetoptions=OPTIONS | {"forceinline": False}) if ENABLED else function


def step(function: Callable[..., Any]) -> Any:
    """A named step of a kernel, inlined into the kernel before it is compiled.

    So unlike a kernel it may call the kernel that it is a part of.
    """
    return Kernel(function, targetoptions=OPTIONS | {"inline": "always"}) if ENABLED else function


SEARCHES = "outplay.search."  # the package of the functions and modules that kernels use
PLAIN: dict[
    int, Any
] = {}  # by the id of something that only native code can use: what plain Python uses instead
_names: dict[int, dict[str, Any]] = {}  # by the id of a module's namespace: the same for plain Python


def plain(thing: Any) -> Any:
    """What an interpreted kernel calls: a kernel's own function, an intrinsic's plain twin."""
    if id(thing) in PLAIN:
        return PLAIN[id(thing)]
    if isinstance(thing, Kernel):
        thing = thing.py_func
    elif isinstance(thing, FunctionType) and not thing.__module__.startswith(SEARCHES):
        return thing
    if isinstance(thing, FunctionType):
        names = plain_names(thing.__globals__)
        copy = FunctionType(thing.__code__, names, thing.__name__, thing.__defaults__, thing.__closure__)
        copy.__kwdefaults__ = thing.__kwdefaults__
        return copy
    if isinstance(thing, ModuleType) and thing.__name__.startswith(SEARCHES):
        module = ModuleType(thing.__name__)
        vars(module).update(plain_names(vars(thing)))
        return module
    return thing


def plain_names(names: dict[str, Any]) -> dict[str, Any]:
    """A module's names as an interpreted kernel sees them."""
    if id(names) not in _names:
        _names[id(names)] = made = dict(names)
        made.update((name, plain(thing)) for name, thing in names.items())
    return _names[id(names)]


class Kernel(CPUDispatcher):
    """Numba's compiled function, with one build for each signature, and with four differences.

    Given a state of an interpreted class, it runs as the plain function.

    f(s, 0), f(s, n) and f(s, n > 0) share one build. Numba would compile calls with a literal or a bool separately,
    and a recursive function with two such builds crashes when loaded from the cache.

    A build for calls from native code lacks the wrapper for calls from Python: boxing and unboxing a state field by
    field is more code than many a rule. If Python calls the function too, that is another build.

    It uses our own cache, not Numba's.
    """

    def __init__(self, py_func: Callable[..., Any], *args: Any, **options: Any) -> None:
        super().__init__(py_func, *args, **options)
        self.plain: Any = None
        self.addressed = False  # whether addresses stay pointers; otherwise they become ints
        self.native = False  # whether the caller is native code, not Python
        self.natives: set[Any] = set()  # the signatures of builds for native code only
        if is_kept(py_func.__module__):
            self._cache = GameCache(py_func, lambda: self.native)

    def __call__(self, *args: Any, **named: Any) -> Any:
        if any(hasattr(argument, "interpreted") for argument in args):
            if self.plain is None:
                self.plain = plain(self)
            return self.plain(*args, **named)
        return super().__call__(*args, **named)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """How native code calls this function, building it if necessary."""
        before, self.native = self.native, True
        try:
            return super().get_call_template(*self.all_plain(args, kws))
        finally:
            self.native = before

    def fold_argument_types(self, args: Any, kws: Any) -> Any:
        """The arguments of a recursive call."""
        return super().fold_argument_types(*self.all_plain(args, kws))

    def all_plain(self, args: Any, kws: Any) -> tuple[Any, Any]:
        """The arguments' types without distinctions that do not matter."""
        return tuple(map(self.plain_type, args)), {key: self.plain_type(kind) for key, kind in kws.items()}

    def plain_type(self, kind: Any) -> Any:
        kind = types.unliteral(kind)
        is_word = isinstance(kind, types.Integer | types.Boolean)
        return types.int64 if is_word or kind == ADDRESS and not self.addressed else kind

    def compile(self, sig: Any) -> Any:
        """The native function for these arguments: known already, cached, or built now."""
        with building():
            args, _ = normalize_signature(sig)
            if args in self.natives and not self.native:
                self.natives.remove(args)
                del self.overloads[args]
            self._compiler.targetoptions["no_cpython_wrapper"] = self.native
            return super().compile(sig)

    def add_overload(self, cres: Any) -> None:
        """Register a build, but hide from Python one that it cannot call."""
        if not self.native:
            super().add_overload(cres)
            return
        args = tuple(cres.signature.args)
        self.natives.add(args)
        self.overloads[args] = cres
