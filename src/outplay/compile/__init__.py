"""The compile layer: a plain game class in, native code out.

source    live function -> syntax tree               runtime     what rewritten code calls
rewrite   natural Python -> compilable Python,       intrinsics  its native meaning
          with calls, values and syntax              rules       how searches call the twin's rules
program   class -> twin                              jit         @kernel, @inlined
errors    Numba's complaints in the user's terms     cache       native code kept between runs
gpu       whether there is a GPU                     cuda        kernels and rules for it, with cudagame
"""

from outplay.compile import rules as _rules  # noqa: F401  (registers the rules with Numba)
from outplay.compile.cache import on_compile
from outplay.compile.jit import ENABLED, inlined, kernel
from outplay.compile.program import Twin, twin

__all__ = ["ENABLED", "Twin", "inlined", "kernel", "on_compile", "twin"]
