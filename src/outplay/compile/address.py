"""Addresses in native code: pointers with the arithmetic of ints, converted to an int where one is expected.

LLVM traces a pointer back to its allocation (alias analysis). Words that a rule writes to its own scratch memory and
reads again can therefore stay in registers. Of an address kept as an int LLVM knows nothing.
"""

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, lower_cast, register_model

from outplay.compile.internals import AbstractTemplate, Conversion, infer_global, models, signature

BYTES = ir.IntType(8).as_pointer()
I64 = ir.IntType(64)


class Address(types.Type):
    """The Numba type of an untyped pointer."""

    def __init__(self) -> None:
        super().__init__(name="address")

    def unify(self, typingctx: Any, other: Any) -> Any:
        """A name that is an address on one path and an int on another is an address."""
        return self if isinstance(other, types.Integer) else None

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        return Conversion.unsafe if isinstance(other, types.Integer) else None


ADDRESS = Address()


@register_model(Address)
class _AddressModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, BYTES)


@lower_cast(Address, types.Integer)
def _as_int(context, builder, kind, wanted, value):  # type: ignore[no-untyped-def]
    return context.cast(builder, builder.ptrtoint(value, I64), types.int64, wanted)


@lower_cast(types.Integer, Address)
@lower_cast(types.IntegerLiteral, Address)
def _as_address(context, builder, kind, wanted, value):  # type: ignore[no-untyped-def]
    return builder.inttoptr(context.cast(builder, value, kind, types.int64), BYTES)


class _Plus(AbstractTemplate):
    """address + int."""

    def generic(self, args: Any, kws: Any) -> Any:
        if args[0] == ADDRESS and len(args) == 2 and isinstance(args[1], types.Integer):
            return signature(ADDRESS, ADDRESS, types.int64)
        return None


for _operator in (operator.add, operator.iadd):
    infer_global(_operator)(type("_Plus", (_Plus,), {"key": _operator}))


@lower_builtin(operator.add, Address, types.Integer)
@lower_builtin(operator.iadd, Address, types.Integer)
def _plus(context, builder, sig, args):  # type: ignore[no-untyped-def]
    return builder.gep(args[0], [args[1]])
