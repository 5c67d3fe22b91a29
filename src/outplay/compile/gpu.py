"""Access to the GPU: is there one, what is missing if not, and how kernels are compiled for it.

With NUMBA_ENABLE_CUDASIM=1 and OUTPLAY_JIT=0 kernels run as plain Python in numba-cuda's simulator. It needs no
GPU, so tests use it to check the kernels' logic.
"""

import contextlib
import importlib.util
import os
from collections.abc import Callable, Iterator
from typing import Any

from outplay import memory
from outplay.compile.jit import ENABLED
from outplay.compile.program import Twin
from outplay.compile.twins import compiled
from outplay.game import GameError

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"
CURE = "pip install 'outplay[gpu]'"
BLOCK = 4 if SIMULATED else 128  # threads per block

INSTEAD: dict[int, tuple[Any, Any]] = {}  # by id: a kernel, and the function that replaces it on a GPU


class NoGPU(ValueError):
    """Why no GPU can be used, in one line."""


def numba_cuda() -> Any:
    """numba-cuda's module; if it is missing, an error that says how to install it."""
    if importlib.util.find_spec("numba_cuda") is None:
        raise NoGPU(f"GPU searches need numba-cuda, which is not installed: {CURE}")
    if ENABLED == SIMULATED:
        raise NoGPU("the GPU needs compiled code (only its simulator runs plain Python): unset OUTPLAY_JIT")
    if not SIMULATED:
        import outplay.compile.cuda  # noqa: F401  (prepares numba-cuda)
    from numba import cuda

    return cuda


def require() -> None:
    """Raise an error that says what is missing unless there is a working GPU."""
    cuda = numba_cuda()
    if not cuda.is_available():
        raise NoGPU("no GPU that CUDA can use: it needs an NVIDIA GPU and its driver")
    with explained("anything"):
        cuda.current_context()


def fits(twin: Twin) -> None:
    """Refuse a game whose rules read tables made at run time, since these lie in the CPU's memory."""
    compiled(twin.cls, "a game on a GPU")
    peeks = (memory.peek, memory.peek_float)
    if any(found in peeks for *_, found in twin.program.watched.values() if callable(found)):
        raise GameError(
            f"{twin.cls.__name__} reads data loaded at run time, which a GPU cannot access: search on the CPU"
        )


def instead(kernel: Any) -> Callable[[Any], Any]:
    """Decorate a function that replaces a kernel on a GPU."""

    def register(function: Any) -> Any:
        INSTEAD[id(kernel)] = kernel, function
        return function

    return register


def kernel(function: Callable[..., Any], twin: Twin) -> Any:
    """A function as a kernel for one game: `kernel(f, twin)[blocks, threads](...)`. Its callees are compiled too."""
    if SIMULATED:
        return numba_cuda().jit(function)
    from outplay.compile import cuda as compiler

    return compiler.kernel(function, twin.digest, twin.cls.__name__)


def resident(launched: Any, block: int = BLOCK) -> int:
    """How many blocks of a kernel, launched before, the whole GPU runs concurrently."""
    if SIMULATED:
        return 2
    (compiled,) = launched.overloads.values()
    context = numba_cuda().current_context()
    each = context.get_active_blocks_per_multiprocessor(compiled.library.get_cufunc(), block, 0)
    return int(each) * int(context.device.MULTIPROCESSOR_COUNT)


def free_memory() -> int:
    """Bytes of the GPU's memory that nobody uses, what is to be freed among them."""
    if SIMULATED:
        return 1 << 33
    context = numba_cuda().current_context()
    context.memory_manager.deallocations.clear()
    return int(context.get_memory_info().free)


def address_of(array: Any) -> int:
    """The address of an array in GPU memory."""
    if SIMULATED:
        return int(array._ary.ctypes.data)
    return int(array.__cuda_array_interface__["data"][0])


@contextlib.contextmanager
def explained(wanted: str) -> Iterator[None]:
    """Use the GPU, with its errors reduced to one line. `wanted` says what its memory is for."""
    if SIMULATED:
        yield
        return
    from numba.cuda.core.errors import NumbaError
    from numba.cuda.cudadrv.driver import CudaAPIError
    from numba.cuda.cudadrv.error import CudaSupportError

    try:
        yield
    except (CudaAPIError, CudaSupportError, MemoryError) as error:
        if "OUT_OF_MEMORY" in str(error) or isinstance(error, MemoryError):
            line = f"the GPU lacks memory for {wanted}: ask for less, or end other programs that use it"
        else:
            line = f"the GPU does not answer: {_first_line(error)}"
        raise NoGPU(line) from None
    except NumbaError as error:
        raise GameError(f"this cannot be compiled for the GPU: {_first_line(error)}") from None


def _first_line(error: BaseException) -> str:
    lines = [line.strip(" :") for line in str(error).splitlines() if line.strip(" :")]
    return lines[0] if lines else type(error).__name__
