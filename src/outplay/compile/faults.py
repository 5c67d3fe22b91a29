"""Where a rule fails: every exception of compiled rules says which function it comes from, and which line.

Numba says so of a `raise` statement, but not of its own operations: an index outside a list, a division by zero.
Here it does. A line is told by its number among the lines of the function that hold code, in place of the file
stands the twin's module: so both are right after a remark was added or the file was moved, which leaves kept code
as it is.
"""

from typing import Any, NamedTuple

from outplay.compile import internals

LINES = "__outplay_lines__"  # what a function of the rules has: its lines that hold code

_lowering: list[Any] = []  # the functions that are being built, one within the other


class Spot(NamedTuple):
    """What Numba asks of a place in the source."""

    function: str
    filename: str
    line: int

    def _raw_function_name(self) -> str:
        return self.function


def _lower_inst_known(self: Any, inst: Any) -> Any:
    _lowering.append(self)
    try:
        return internals.lower_inst(self, inst)
    finally:
        _lowering.pop()


def _return_located(
    self: Any, builder: Any, exc: Any, exc_args: Any = None, loc: Any = None, func_name: Any = None
) -> Any:
    function = _lowering[-1].func_ir.func_id.func if _lowering else None
    lines = getattr(function, LINES, None)
    if function is not None and lines:
        line = _lowering[-1].loc.line
        number = sum(here <= line for here in lines)
        loc = Spot(function.__name__, function.__module__, max(number, 1))
    return internals.return_user_exc(self, builder, exc, exc_args, loc, func_name)


internals.located(_lower_inst_known, _return_located)
