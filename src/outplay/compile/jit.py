"""`@kernel`, `@inlined`: a function compiled for each game that it is called with; and `OUTPLAY_JIT=0`."""

import contextlib
import gc
import os
from collections.abc import Callable, Iterator
from typing import Any

from numba import config, types
from numba.core import event
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature

from outplay.compile.cache import GameCache, is_kept

ENABLED = os.environ.get("OUTPLAY_JIT", "1") != "0"
# C calls none of it; the bounds of arrays are checked where NUMBA_BOUNDSCHECK asks for it.
OPTIONS = {"nopython": True, "nogil": True, "no_cfunc_wrapper": True, "boundscheck": None}


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function without the GIL and keep the code; the plain function where OUTPLAY_JIT=0."""
    return Kernel(function, targetoptions=dict(OPTIONS)) if ENABLED else function


def inlined(function: Callable[..., Any]) -> Any:
    """A kernel whose code is put where it is called, for one that is called often with much to hand over.

    A tuple of fifteen pointers takes longer to pass than a small kernel to run.
    """
    return Kernel(function, targetoptions=OPTIONS | {"forceinline": True}) if ENABLED else function


class Kernel(CPUDispatcher):
    """Numba's compiled function, with a build for each kind of arguments, but for three things.

    f(s, 0), f(s, n) and f(s, n > 0) share one build. Numba would compile calls with a literal or a bool apart; a
    recursive function with two such builds crashes when it comes back from the cache.

    A build for a call from native code lacks what a call from Python needs: taking a state apart and making one,
    field by field, is more code than many a rule. Should Python call it too, that is another build.

    Numba's own cache is not used, but ours.
    """

    def __init__(self, py_func: Callable[..., Any], *args: Any, **options: Any) -> None:
        super().__init__(py_func, *args, **options)
        self.native = False  # whether native code calls, not Python
        self.natives: set[Any] = set()  # the arguments of builds for native code alone
        if is_kept(py_func.__module__):
            self._cache = GameCache(py_func, lambda: self.native)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """How native code calls this; it is built if need be."""
        before, self.native = self.native, True
        try:
            return super().get_call_template(*_all_plain(args, kws))
        finally:
            self.native = before

    def fold_argument_types(self, args: Any, kws: Any) -> Any:
        """The arguments of a call of itself."""
        return super().fold_argument_types(*_all_plain(args, kws))

    def compile(self, sig: Any) -> Any:
        """The native function for these arguments, built, from the cache or known already."""
        with global_compiler_lock, _building():
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


def _all_plain(args: Any, kws: Any) -> tuple[Any, Any]:
    return tuple(map(_plain, args)), {key: _plain(kind) for key, kind in kws.items()}


def _plain(kind: Any) -> Any:
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer | types.Boolean) else kind


@contextlib.contextmanager
def _building() -> Iterator[None]:
    """How functions of ours are compiled, unlike others.

    LLVM may do the same operation in several directions of a board as one on a vector, which Numba leaves off.
    Numba's timers of each build, in which each build within a build is timed too, and Python's search for garbage
    among all that the compiler keeps only take time.
    """
    before = config.SLP_VECTORIZE, event.install_timer, gc.isenabled()
    config.SLP_VECTORIZE, event.install_timer = 1, lambda kind, callback: contextlib.nullcontext()
    gc.disable()
    try:
        yield
    finally:
        config.SLP_VECTORIZE, event.install_timer = before[:2]
        if before[2]:
            gc.enable()
