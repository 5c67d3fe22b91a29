"""`@kernel`, `@inlined`: a function compiled for each game that it is called with; and `OUTPLAY_JIT=0`."""

import os
from collections.abc import Callable
from typing import Any

from numba import config, njit, types

from outplay.compile.cache import GameCache, is_kept

ENABLED = os.environ.get("OUTPLAY_JIT", "1") != "0"


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function without the GIL and keep the code; the plain function where OUTPLAY_JIT=0."""
    return _compiled(function)


def inlined(function: Callable[..., Any]) -> Any:
    """A kernel whose code is put where it is called, for one that is called often with much to hand over.

    A tuple of fifteen pointers takes longer to pass than a small kernel to run.
    """
    return _compiled(function, forceinline=True)


def _compiled(function: Callable[..., Any], **options: bool) -> Any:
    if not ENABLED:
        return function
    dispatcher = njit(nogil=True, no_cfunc_wrapper=True, **options)(function)  # C calls none of it
    if is_kept(function.__module__):
        dispatcher._cache = GameCache(function)
    _forget_literals(dispatcher)
    _vectorise(dispatcher)
    return dispatcher


def _vectorise(dispatcher: Any) -> None:
    """Let LLVM do the same operation in several directions of a board as one on a vector.

    Numba leaves this off for everybody; it is on only while a function of ours is compiled.
    """
    compile_signature = dispatcher.compile

    def compile_vectorised(signature: Any) -> Any:
        before = config.SLP_VECTORIZE
        config.SLP_VECTORIZE = 1
        try:
            return compile_signature(signature)
        finally:
            config.SLP_VECTORIZE = before

    dispatcher.compile = compile_vectorised


def _forget_literals(dispatcher: Any) -> None:
    """Let f(s, 0), f(s, n) and f(s, n > 0) share one build.

    Numba would compile calls with a literal or a bool apart; a recursive function with two such builds crashes
    when it comes back from the cache.
    """
    template, fold = dispatcher.get_call_template, dispatcher.fold_argument_types

    def plain(args: Any, kws: Any) -> Any:
        return tuple(map(_plain, args)), {key: _plain(kind) for key, kind in kws.items()}

    dispatcher.get_call_template = lambda args, kws: template(*plain(args, kws))
    dispatcher.fold_argument_types = lambda args, kws: fold(*plain(args, kws))  # calls of itself


def _plain(kind: Any) -> Any:
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer | types.Boolean) else kind
