"""`@kernel`, `@inlined`, `@step`: functions compiled for each game that they are called with; and `OUTPLAY_JIT=0`."""

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
# C calls none of it. Our own kernels check no bounds, unless NUMBA_BOUNDSCHECK asks for it; rules always do.
OPTIONS = {"nopython": True, "nogil": True, "no_cfunc_wrapper": True, "boundscheck": None}


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function without the GIL and keep the code; the plain function where OUTPLAY_JIT=0."""
    return Kernel(function, targetoptions=dict(OPTIONS)) if ENABLED else function


def rule(
    function: Callable[..., Any], lines: Sequence[int], inline: bool = False, recursive: bool = True
) -> Any:
    """A function of a game's rules, as a kernel that checks its indices; `lines` are those that hold code.

    One that calls itself has one build, which takes addresses as ints.
    """
    setattr(function, faults.LINES, lines)
    # Whether to inline it is LLVM's choice, even where a kernel calls it that is always inlined itself.
    options = OPTIONS | {"boundscheck": CHECKED, "forceinline": inline}
    return _addressed(Kernel(function, targetoptions=options), not recursive) if ENABLED else function


def inlined(function: Callable[..., Any]) -> Any:
    """A kernel whose code is put where it is called, for one that is called often with much to hand over.

    A tuple of fifteen pointers takes longer to pass than a small kernel to run.
    """
    made = OPTIONS | {"forceinline": True}
    return _addressed(Kernel(function, targetoptions=made)) if ENABLED else function


def _addressed(made: Any, addressed: bool = True) -> Any:
    made.addressed = addressed
    return made


def called(function: Callable[..., Any]) -> Any:
    """A kernel that is not put where it is called, though its caller is always put where that is called."""
    return Kernel(function, targetoptions=OPTIONS | {"forceinline": False}) if ENABLED else function


def step(function: Callable[..., Any]) -> Any:
    """A part of a kernel with a name of its own, written into the kernel before it is compiled.

    So it may call the kernel that it is a part of, which no kernel could.
    """
    return Kernel(function, targetoptions=OPTIONS | {"inline": "always"}) if ENABLED else function


SEARCHES = "outplay.search."  # whose functions and modules kernels call
PLAIN: dict[
    int, Any
] = {}  # by the id of something that native code alone can use: what plain Python uses instead
_names: dict[int, dict[str, Any]] = {}  # by the id of a module's names: the same for plain Python


def plain(thing: Any) -> Any:
    """What a kernel's Python code calls where it runs interpreted: a kernel's own function, an intrinsic's twin."""
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
    """A module's names as a kernel's Python code sees them where it runs interpreted."""
    if id(names) not in _names:
        _names[id(names)] = made = dict(names)
        made.update((name, plain(thing)) for name, thing in names.items())
    return _names[id(names)]


class Kernel(CPUDispatcher):
    """Numba's compiled function, with a build for each kind of arguments, but for four things.

    Given a state of a class that runs interpreted, it is the plain function that it was made from.

    f(s, 0), f(s, n) and f(s, n > 0) share one build. Numba would compile calls with a literal or a bool apart; a
    recursive function with two such builds crashes when it comes back from the cache.

    A build for a call from native code lacks what a call from Python needs: taking a state apart and making one,
    field by field, is more code than many a rule. Should Python call it too, that is another build.

    Our own cache is used, not Numba's.
    """

    def __init__(self, py_func: Callable[..., Any], *args: Any, **options: Any) -> None:
        super().__init__(py_func, *args, **options)
        self.plain: Any = None
        self.addressed = False  # whether addresses stay what they are; else they are ints like others
        self.native = False  # whether native code calls, not Python
        self.natives: set[Any] = set()  # the arguments of builds for native code alone
        if is_kept(py_func.__module__):
            self._cache = GameCache(py_func, lambda: self.native)

    def __call__(self, *args: Any, **named: Any) -> Any:
        if any(hasattr(argument, "interpreted") for argument in args):
            if self.plain is None:
                self.plain = plain(self)
            return self.plain(*args, **named)
        return super().__call__(*args, **named)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """How native code calls this; it is built if need be."""
        before, self.native = self.native, True
        try:
            return super().get_call_template(*self.all_plain(args, kws))
        finally:
            self.native = before

    def fold_argument_types(self, args: Any, kws: Any) -> Any:
        """The arguments of a call of itself."""
        return super().fold_argument_types(*self.all_plain(args, kws))

    def all_plain(self, args: Any, kws: Any) -> tuple[Any, Any]:
        """The types of arguments without what makes no difference."""
        return tuple(map(self.plain_type, args)), {key: self.plain_type(kind) for key, kind in kws.items()}

    def plain_type(self, kind: Any) -> Any:
        kind = types.unliteral(kind)
        is_word = isinstance(kind, types.Integer | types.Boolean)
        return types.int64 if is_word or kind == ADDRESS and not self.addressed else kind

    def compile(self, sig: Any) -> Any:
        """The native function for these arguments, built, from the cache or known already."""
        with building():
            args, _ = normalize_signature(sig)
            if args in self.natives and not self.native:
                self.natives.remove(args)
                del self.overloads[args]
            self._compiler.targetoptions["no_cpython_wrapper"] = self.native
            return super().compile(sig)

    def add_overload(self, cres: Any) -> None:
        """Use a build; Python is not to find one that it cannot call."""
        if not self.native:
            super().add_overload(cres)
            return
        args = tuple(cres.signature.args)
        self.natives.add(args)
        self.overloads[args] = cres
