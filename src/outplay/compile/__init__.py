"""The compile layer: a plain game class in, native code out.

source    live function -> syntax tree               runtime     the functions that rewritten code calls
rewrite   Python -> compilable Python, with          intrinsics  their native twins
          calls, values, width, constants, syntax    rules       how searches call the twin's rules
program   class -> twin                              jit         @kernel, @inlined
twins     a class's twin, in its lane                lane        compiled or interpreted, and why
errors    Numba's errors in the user's terms         cache       native code on disk
gpu       is there a GPU?                            cuda        kernels and rules for it, with cudagame
interpreted  the twin of a class that is not compiled
natural/  ordinary Python classes -> integer programs
"""

from outplay.compile import rules as _rules  # noqa: F401  (registers the rules with Numba)
from outplay.compile.cache import on_compile
from outplay.compile.internals import is_building
from outplay.compile.jit import ENABLED, inlined, kernel
from outplay.compile.program import Twin
from outplay.compile.twins import is_interpreted, twin

__all__ = ["ENABLED", "Twin", "inlined", "is_building", "is_interpreted", "kernel", "on_compile", "twin"]
