"""Where a rule fails: every exception of compiled rules carries its function and line.

Numba records them for `raise` statements, but not for its own operations, such as an index out of range or a
division by zero; here they are recorded, too. The line is stored as its rank among the function's lines of code,
and the file as the twin's module. So cached code stays right after a comment was added or the file was moved.
"""

from typing import Any, NamedTuple

from outplay.compile import internals

LINES = "__outplay_lines__"  # attribute of a rule's function: its lines that hold code

_lowering: list[Any] = []  # the functions being built, nested


class Spot(NamedTuple):
    """A place in the source, with the attributes that Numba reads."""

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
