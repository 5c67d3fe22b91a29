"""The same rules and kernels on a GPU, compiled by numba-cuda from the same source.

`device(function)` returns a kernel's GPU twin: the same source, with our names in its globals and closure replaced
by their GPU twins. A game's rules become device functions in the same way (`cudagame.py`) and are called as on
the CPU: `s.actions(out, base)`, `s.result(a)` ... Only these two files use numba-cuda's internals.

A rule may also write its actions to two kinds of pseudo-memory: `nothing()` only counts them, `kth(k)` keeps one
of them. So a random action is drawn without listing all.

An exception ends its GPU thread at once and silently; so kernels record that they finished, and callers check.
(numba-cuda returns an error code through every function instead. If such a return leaves a loop, threads that
leave the loop at different times never reconverge: up to thirty times slower.)
"""

import contextlib
import functools
import operator
import types as python_types
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import numpy as np

if not hasattr(np, "row_stack"):  # numba-cuda uses the name, which NumPy 2.5 removed
    np.row_stack = np.vstack

from llvmlite import ir
from numba import cuda, types
from numba.cuda import cgutils, cuda_paths, dispatcher, extending
from numba.cuda.compiler import CUDACallConv
from numba.cuda.cpython import numbers
from numba.cuda.cudadrv import nvrtc
from numba.cuda.datamodel import models

from outplay import words
from outplay.compile import cache, gpu, intrinsics, rules, runtime
from outplay.compile.cudagame import Game, game_of

I64 = ir.IntType(64)
FAR = (1 << 63) - 1  # more than any number of actions: counting needs no memory

numbers._int_arith_flags = lambda kind: []  # compiled ints wrap at 64 bits, as on the CPU

nth, popcount, shr = runtime.native_nth, intrinsics.popcount, intrinsics.shr

_made: dict[int, tuple[Any, Any]] = {}  # by id: a function of ours and its GPU twin


def device(thing: Any) -> Any:
    """The GPU twin of a kernel or an intrinsic; anything else unchanged."""
    if id(thing) not in _made:
        source = gpu.INSTEAD[id(thing)][1] if id(thing) in gpu.INSTEAD else getattr(thing, "py_func", None)
        if source is not None and not isinstance(thing, dispatcher.CUDADispatcher):
            names: dict[str, Any] = {}
            _made[id(thing)] = thing, cuda.jit(device=True)(_with(source, names))
            names.update(_twins(source))  # only now: a function may name itself, or one that names it
        else:
            _made[id(thing)] = thing, _twin_of(thing)
    return _made[id(thing)][1]


def _twin_of(thing: Any) -> Any:
    if hasattr(thing, "_defn"):
        return extending.intrinsic(thing._defn)
    if thing is intrinsics:
        module = python_types.ModuleType("outplay_cuda_intrinsics")
        vars(module).update({name: device(value) for name, value in vars(intrinsics).items()})
        return module
    return thing


def rebound(function: Any) -> Any:
    """The same function, with GPU twins in its globals and closure."""
    return _with(function, _twins(function))


def _twins(function: Any) -> dict[str, Any]:
    """The GPU twins of the globals that a function names."""
    names = {name: device(value) for name, value in function.__globals__.items() if name in _named(function)}
    return names | {name: function.__globals__[name] for name in ("__name__", "__builtins__")}


def _with(function: Any, names: dict[str, Any]) -> Any:
    """The same function with other globals."""
    cells = tuple(python_types.CellType(device(cell.cell_contents)) for cell in function.__closure__ or ())
    return python_types.FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, cells
    )


def _named(function: Any) -> set[str]:
    """The names that a function's code may look up, including functions inside it."""
    waiting, names = [function.__code__], set()
    while waiting:
        code = waiting.pop()
        names.update(code.co_names)
        waiting += [constant for constant in code.co_consts if isinstance(constant, python_types.CodeType)]
    return names


# --- tuples ----------------------------------------------------------------------------------------------


@extending.intrinsic
def _at(typing, t, i):  # type: ignore[no-untyped-def]
    """t[i] by comparing i with each index: a GPU cannot index registers, and its stack is slow."""

    def choose(context, builder, sig, args):  # type: ignore[no-untyped-def]
        found = builder.extract_value(args[0], 0)
        for place in range(1, len(sig.args[0])):
            here = builder.icmp_signed("==", args[1], ir.Constant(I64, place))
            found = builder.select(here, builder.extract_value(args[0], place), found)
        return found

    return t.dtype(t, types.int64), choose


@extending.intrinsic
def _put(typing, t, i, v):  # type: ignore[no-untyped-def]
    """A copy of tuple t with v at index i, made in the same way."""

    def choose(context, builder, sig, args):  # type: ignore[no-untyped-def]
        made = args[0]
        for place in range(len(sig.args[0])):
            here = builder.icmp_signed("==", args[1], ir.Constant(I64, place))
            word = builder.select(here, args[2], builder.extract_value(args[0], place))
            made = builder.insert_value(made, word, place)
        return made

    return t(t, types.int64, t.dtype), choose


@extending.overload(runtime.at, inline="never")
def _checked_at(sequence, index):  # type: ignore[no-untyped-def]
    if not isinstance(sequence, types.UniTuple):
        return lambda sequence, index: sequence[index]

    def at_tuple(sequence, index):  # type: ignore[no-untyped-def]
        place = index + len(sequence) if index < 0 else index
        if place < 0 or place >= len(sequence):
            raise IndexError
        return _at(sequence, place)

    return at_tuple


@extending.overload(words.put)
def _checked_put(t, i, v):  # type: ignore[no-untyped-def]
    def put(t, i, v):  # type: ignore[no-untyped-def]
        if i < 0 or i >= len(t):
            raise IndexError
        return _put(t, i, v)

    return put


_made[id(intrinsics.at)] = intrinsics.at, runtime.at
_made[id(intrinsics.put)] = intrinsics.put, words.put


# --- pseudo-memory for actions---------------------------------------------------------------------------


class Nothing(types.Type):
    """Pseudo-memory that discards the actions written to it."""

    def __init__(self) -> None:
        super().__init__("outplay_nothing")


class Kth(types.Type):
    """Pseudo-memory of two words: the index of the wanted action, and the action."""

    def __init__(self) -> None:
        super().__init__("outplay_kth")


@extending.register_model(Nothing)
class NothingModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, ir.IntType(8).as_pointer())


@extending.register_model(Kth)
class KthModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, I64.as_pointer())


@extending.intrinsic
def nothing(typing):  # type: ignore[no-untyped-def]
    """Pseudo-memory for actions that are only counted."""
    return Nothing()(), lambda context, builder, sig, args: context.get_dummy_value()


@extending.intrinsic
def kth(typing, k):  # type: ignore[no-untyped-def]
    """Pseudo-memory that keeps only the k-th action."""

    def make(context, builder, sig, args):  # type: ignore[no-untyped-def]
        words = cgutils.alloca_once(builder, I64, size=ir.Constant(I64, 2))
        builder.store(args[0], words)
        return words

    return Kth()(types.int64), make


@extending.intrinsic
def wanted(typing, words):  # type: ignore[no-untyped-def]
    """The index of the action to keep."""
    return types.int64(words), lambda context, builder, sig, args: builder.load(args[0])


@extending.intrinsic
def kept(typing, words):  # type: ignore[no-untyped-def]
    """The action that was kept."""

    def load(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return builder.load(builder.gep(args[0], [ir.Constant(I64, 1)]))

    return types.int64(words), load


@extending.intrinsic
def _keep(typing, words, i, action):  # type: ignore[no-untyped-def]
    def store(context, builder, sig, args):  # type: ignore[no-untyped-def]
        words, i, action = args
        place = builder.gep(words, [ir.Constant(I64, 1)])
        wanted = builder.icmp_signed("==", i, builder.load(words))
        builder.store(builder.select(wanted, action, builder.load(place)), place)
        return context.get_dummy_value()

    return types.none(words, types.int64, types.int64), store


@extending.overload(operator.setitem)
def _set_item(out, at, action):  # type: ignore[no-untyped-def]
    if isinstance(out, Nothing):
        return lambda out, at, action: None
    if isinstance(out, Kth):
        return lambda out, at, action: _keep(out, at, action)
    return None


def skip(out: Any, at: int, left: int) -> tuple[int, int]:
    """Skip iterations of a loop over the bits of `left` whose output nobody reads: the new position and bits."""
    return at, left


@extending.overload(skip)
def _skip(out, at, left):  # type: ignore[no-untyped-def]
    if isinstance(out, Nothing):
        return rebound(lambda out, at, left: (at + popcount(left), 0))
    if isinstance(out, Kth):
        return rebound(_skip_to)
    return lambda out, at, left: (at, left)


def _skip_to(out, at, left):  # type: ignore[no-untyped-def]
    after = at + popcount(left)
    k = wanted(out)
    if at <= k and k < after:
        return k, 1 << nth(left, k - at)
    return after, 0


@gpu.instead(runtime.native_nth)
def _nth(word: int, n: int) -> int:
    """The index of the set bit with n set bits below it, by binary search with population counts."""
    place = 0
    half = 32
    while half > 0:
        passed = popcount(word & ((1 << half) - 1))
        if n >= passed:
            n -= passed
            word = shr(word, half)
            place += half
        half >>= 1
    return place


# --- the rules -------------------------------------------------------------------------------------------


def _method(name: str, build: Any, *arguments: str) -> None:
    """Register a method of every game's states: `build(game)` returns its implementation for one game."""

    def implementation(self: Any) -> Any:
        twin = getattr(self.instance_class, "__outplay__", None)
        return rebound(build(game_of(twin, device, skip))) if twin else None

    resolve: dict[tuple[str, ...], Any] = {
        (): lambda self: implementation(self),
        ("weights",): lambda self, weights: implementation(self),
        ("weights", "player"): lambda self, weights, player: implementation(self),
        ("player",): lambda self, player: implementation(self),
        ("weights", "learned"): lambda self, weights, learned: implementation(self),
        ("action",): lambda self, action: implementation(self),
        ("random",): lambda self, random: implementation(self),
        ("seed",): lambda self, seed: implementation(self),
        ("out", "base"): lambda self, out, base: implementation(self),
    }
    for named_tuple in (types.NamedTuple, types.NamedUniTuple):
        extending.overload_method(named_tuple, name)(resolve[arguments])


def _any_of(game: Game) -> Any:
    """A random action: the one that the same random bits would choose from the list of all."""
    rule, limit = game.functions["actions"], game.program.limit
    counted = cuda.jit(device=True)(lambda self: rule(self, nothing(), 0, FAR))
    count = game.functions.get("count", counted)
    TooManyActions = runtime.TooManyActions  # noqa: N806

    def any_action(self, random):  # type: ignore[no-untyped-def]
        n = count(self)
        if n == 0 or n > limit:
            raise TooManyActions
        words = kth(shr((random & 0xFFFFFFFF) * n, 32))
        rule(self, words, 0, FAR)
        return kept(words)

    return any_action


for _name, (_build, _arguments) in rules.METHODS.items():
    _method(_name, _build, *_arguments)
_method("any_action", _any_of, "random")


def _overload(plain: Any, native: Any) -> None:
    """Register the GPU version of a function that rewritten rules call and that is not an intrinsic."""

    @functools.wraps(native)
    def build(*kinds: Any) -> Any:
        made = native(*kinds)
        return rebound(made) if made else None

    extending.overload(plain)(build)


_overload(runtime.fold, runtime.native_fold)
_overload(operator.contains, runtime.native_contains)


# --- kernels ---------------------------------------------------------------------------------------------


@functools.cache
def kernel(function: Callable[..., Any], digest: str, name: str) -> Any:
    """Compile a function as a kernel for one game: `kernel(...)[blocks, threads](...)`."""
    made = cuda.jit(rebound(function))
    compile_signature = made.compile

    def compile_exiting(signature: Any) -> Any:
        cache.announce(f"{name} for the GPU")
        with _exiting():
            return compile_signature(signature)

    made.compile = compile_exiting
    return made


def ptx(
    function: Callable[..., Any],
    *arguments: Any,
    capability: tuple[int, int] = (7, 5),
    optimised: bool = True,
) -> str:
    """A kernel's PTX code for a compute capability, even without a GPU; `arguments` are Numba types."""
    with _without_gpu(capability), _exiting():
        code, _ = cuda.compile(
            rebound(function),
            types.void(*arguments),
            device=False,
            abi="numba",
            cc=capability,
            output="ptx",
            opt=optimised,
        )
    return str(code)


def _exiting() -> Any:
    """While a kernel of ours is compiled, `raise` exits the thread."""
    return mock.patch.object(CUDACallConv, "return_user_exc", _exit)


def _exit(self: Any, builder: Any, *what: Any, **where: Any) -> None:
    nothing_to_nothing = ir.FunctionType(ir.VoidType(), [])
    builder.asm(nothing_to_nothing, "exit;", "", [], side_effect=True)
    builder.unreachable()


@contextlib.contextmanager
def _without_gpu(capability: tuple[int, int]) -> Iterator[None]:
    """Compile device functions for a compute capability, whatever GPU is present, if any."""
    gpu = python_types.SimpleNamespace(compute_capability=capability)
    with (
        mock.patch.object(dispatcher, "get_current_device", lambda: gpu),
        # numba-cuda would ask NVRTC, a large library used for nothing else here.
        mock.patch.object(nvrtc, "get_supported_ccs", lambda: (capability,)),
        mock.patch.object(cuda_paths, "_get_nvrtc_path", lambda: None),
    ):
        yield
