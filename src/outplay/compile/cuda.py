"""The same rules and kernels on a GPU: functions that were written once, compiled by numba-cuda.

`device(function)` gives a kernel's twin for the GPU: the same source, in whose globals and closure everything
of ours is the GPU's. A game's rules become device functions likewise (`cudagame.py`) and are called as on the
CPU: `s.actions(out, base)`, `s.result(a)` ... These two files are the only ones that touch numba-cuda's insides.

The memory that a rule writes its actions to may also be of two kinds that take none: `nothing()`, by which they
are counted, and `kth(k)`, which keeps one of them. So an action is drawn without a list of all.

A rule that raises ends its thread of the GPU, and no more is heard of it: kernels write down that they have
come to their end, and callers look.
"""

import contextlib
import functools
import operator
import types as python_types
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import numpy as np

if not hasattr(np, "row_stack"):  # numba-cuda wants the name, which NumPy 2.5 has no more
    np.row_stack = np.vstack

from llvmlite import ir
from numba import cuda, types
from numba.cuda import cgutils, cuda_paths, dispatcher, extending
from numba.cuda.cpython import numbers
from numba.cuda.cudadrv import nvrtc
from numba.cuda.datamodel import models

from outplay.compile import gpu, intrinsics, rules, runtime
from outplay.compile.cudagame import Game, game_of

I64 = ir.IntType(64)
FAR = (1 << 63) - 1  # more actions than there can be: what is only counted needs no room

numbers._int_arith_flags = lambda kind: []  # compiled ints wrap at 64 bits, as on the CPU

gpu.instead(intrinsics.deposited_nth)(runtime.broadword_nth.py_func)  # an instruction of other processors

_made: dict[int, tuple[Any, Any]] = {}  # by id: what is ours on the CPU, and its twin


def device(thing: Any) -> Any:
    """The GPU's twin of a kernel or an intrinsic; anything else as it is."""
    if id(thing) not in _made:
        _made[id(thing)] = thing, _twin_of(thing)
    return _made[id(thing)][1]


def _twin_of(thing: Any) -> Any:
    if id(thing) in gpu.INSTEAD:
        return cuda.jit(device=True)(rebound(gpu.INSTEAD[id(thing)][1]))
    if hasattr(thing, "_defn"):
        return extending.intrinsic(thing._defn)
    if hasattr(thing, "py_func") and not isinstance(thing, dispatcher.CUDADispatcher):
        return cuda.jit(device=True)(rebound(thing.py_func))
    if thing is intrinsics:
        module = python_types.ModuleType("outplay_cuda_intrinsics")
        vars(module).update({name: device(value) for name, value in vars(intrinsics).items()})
        return module
    return thing


def rebound(function: Any) -> Any:
    """The same function, with the GPU's twins in its globals and closure."""
    names = {name: device(value) for name, value in function.__globals__.items() if name in _named(function)}
    names |= {name: function.__globals__[name] for name in ("__name__", "__builtins__")}
    cells = tuple(python_types.CellType(device(cell.cell_contents)) for cell in function.__closure__ or ())
    return python_types.FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, cells
    )


def _named(function: Any) -> set[str]:
    """The names that a function's code may look up, with those of the functions inside it."""
    waiting, names = [function.__code__], set()
    while waiting:
        code = waiting.pop()
        names.update(code.co_names)
        waiting += [constant for constant in code.co_consts if isinstance(constant, python_types.CodeType)]
    return names


# --- memory that takes none ------------------------------------------------------------------------------


class Nothing(types.Type):
    """Where actions are written that nobody reads."""

    def __init__(self) -> None:
        super().__init__("outplay_nothing")


class Kth(types.Type):
    """Two words: which action is wanted, and the action."""

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
    """Memory for actions that are only counted."""
    return Nothing()(), lambda context, builder, sig, args: context.get_dummy_value()


@extending.intrinsic
def kth(typing, k):  # type: ignore[no-untyped-def]
    """Memory that keeps the k-th action alone."""

    def make(context, builder, sig, args):  # type: ignore[no-untyped-def]
        words = cgutils.alloca_once(builder, I64, size=ir.Constant(I64, 2))
        builder.store(args[0], words)
        return words

    return Kth()(types.int64), make


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


# --- the rules -------------------------------------------------------------------------------------------


def _method(name: str, build: Any, *arguments: str) -> None:
    """Register a method of all games' states: `build(game)` gives its implementation for one of them."""

    def implementation(self: Any) -> Any:
        twin = getattr(self.instance_class, "__outplay__", None)
        return rebound(build(game_of(twin, device))) if twin else None

    resolve: dict[tuple[str, ...], Any] = {
        (): lambda self: implementation(self),
        ("weights",): lambda self, weights: implementation(self),
        ("action",): lambda self, action: implementation(self),
        ("random",): lambda self, random: implementation(self),
        ("out", "base"): lambda self, out, base: implementation(self),
    }
    for named_tuple in (types.NamedTuple, types.NamedUniTuple):
        extending.overload_method(named_tuple, name)(resolve[arguments])


def _any_of(game: Game) -> Any:
    """Any action: the one that the random bits would choose from the list of all."""
    rule, limit, shr = game.functions["actions"], game.program.limit, intrinsics.shr
    TooManyActions = runtime.TooManyActions  # noqa: N806

    def any_action(self, random):  # type: ignore[no-untyped-def]
        n = rule(self, nothing(), 0, FAR)
        if n == 0 or n > limit:
            raise TooManyActions
        words = kth(shr((random & 0xFFFFFFFF) * n, 32))
        rule(self, words, 0, FAR)
        return kept(words)

    return any_action


def _outcome_of(game: Game) -> Any:
    """What chance draws: the outcome on which the random bits fall, by the probabilities."""
    if not game.kind.chance:
        return lambda self, random: 0
    room, scratch = game.program.limit + 1, intrinsics.scratch

    def outcome(self, random):  # type: ignore[no-untyped-def]
        out = scratch(room)
        n = self.actions(out, 0)
        left = (random & 0xFFFFFFFFFFFFF) / 4503599627370496.0
        for i in range(n - 1):
            left -= self.probability(out[i])
            if left < 0.0:
                return out[i]
        return out[n - 1]

    return outcome


for _name, (_build, _arguments) in rules.METHODS.items():
    _method(_name, _build, *_arguments)
_method("any_action", _any_of, "random")
_method("outcome", _outcome_of, "random")


def _overload(plain: Any, native: Any) -> None:
    """What rewritten rules call that is no intrinsic."""

    @functools.wraps(native)
    def build(*kinds: Any) -> Any:
        made = native(*kinds)
        return rebound(made) if made else None

    extending.overload(plain)(build)


for _plain, _native in (
    (runtime.at, runtime.native_at),
    (runtime.fold, runtime.native_fold),
    (runtime.weight, runtime.native_weight),
    (runtime.weight_float, runtime.native_weight_float),
):
    _overload(_plain, _native)


# --- kernels ---------------------------------------------------------------------------------------------


@functools.cache
def kernel(function: Callable[..., Any], digest: str) -> Any:
    """A function as a kernel for one game, by its twin's digest: `kernel(f, digest)[blocks, threads](...)`."""
    return cuda.jit(rebound(function))


def ptx(
    function: Callable[..., Any],
    *arguments: Any,
    capability: tuple[int, int] = (7, 5),
    optimised: bool = True,
) -> str:
    """A kernel's code for some kind of GPU, which need not be there; `arguments` are Numba types."""
    with _without_gpu(capability):
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


@contextlib.contextmanager
def _without_gpu(capability: tuple[int, int]) -> Iterator[None]:
    """Compile device functions for a GPU of a kind, whatever GPU there is."""
    gpu = python_types.SimpleNamespace(compute_capability=capability)
    with (
        mock.patch.object(dispatcher, "get_current_device", lambda: gpu),
        mock.patch.object(nvrtc, "get_supported_ccs", lambda: (capability,)),  # numba-cuda would ask NVRTC,
        mock.patch.object(
            cuda_paths, "_get_nvrtc_path", lambda: None
        ),  # which is large and does nothing here
    ):
        yield
