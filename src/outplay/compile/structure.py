"""Blocks of memory with named fields, shared by Python and native code.

    class Control(Structure):
        nodes = Word()          # a number
        size = Setting()        # a number that does not change while native code runs
        rate = Number()         # a float
        limit = Flag()          # a number that another thread may change at any time
        stack = Words()         # an array of numbers: memory.stack[i]
        x, y = columns(2, FLOAT)  # interleaved arrays of floats: x[0], y[0], x[1] ...
        table = Address()       # an array outside the block

A kernel reads `memory.nodes` and `memory.stack[i]` as Python does, and passes a single pointer. Everything lies in
one array of 64-bit words: first a word for each field, then the arrays. An array's word holds its offset; it never
changes, so a loop reads it once. A block may be moved as a whole, to a row of a larger array or to a GPU (`placed`).

Blocks that differ only in their content may share their settings and offsets (`sharing`), as arguments of a kernel: on
a GPU these cost nothing, while a copy for each thread costs each of them a cache line.
"""

import operator
from typing import Any, ClassVar, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import (
    NativeValue,
    infer_getattr,
    intrinsic,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
    register_model,
    typeof_impl,
    unbox,
)

from outplay.compile.internals import AbstractTemplate, AttributeTemplate, infer_global, models, signature
from outplay.compile.intrinsics import I64
from outplay.compile.jit import ENABLED, PLAIN
from outplay.compile.runtime import words_at
from outplay.memory import float_at, pages

LINE = 8  # words per cache line: every array is aligned to one


class Item(NamedTuple):
    """The item type of an array."""

    dtype: Any  # NumPy's
    code: str  # memoryview's
    kind: Any  # Numba's
    stored: Any  # LLVM's, in memory
    in_word: int  # items per word


INT = Item(np.int64, "q", types.int64, I64, 1)
SMALL = Item(np.int32, "i", types.int64, ir.IntType(32), 2)  # 32 bits in memory, 64 in registers
FLOAT = Item(np.float64, "d", types.float64, ir.DoubleType(), 1)

# --- in Python -------------------------------------------------------------------------------------------


class Word:
    """A number."""

    item = INT
    at = -1  # its index in the block
    shared = False  # the same in all blocks that share their settings

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, block: Any, owner: type | None = None) -> Any:
        return self if block is None else self.read(block)

    def __set__(self, block: Any, value: Any) -> None:
        block.view[self.at] = int(value)

    @property
    def kind(self) -> Any:
        """The Numba type of its value."""
        return self.item.kind

    def read(self, block: Any) -> Any:
        return block.view[self.at]

    def load(self, builder: Any, block: Any, place: Any) -> Any:
        """The same in native code; `place` points to the word, `block` to the structure."""
        return builder.load(place)


class Number(Word):
    """A float."""

    item = FLOAT

    def __set__(self, block: Any, value: Any) -> None:
        block.floats[self.at] = float(value)

    def read(self, block: Any) -> Any:
        return block.floats[self.at]


class Setting(Word):
    """A number that does not change while native code runs: LLVM may read it once."""

    shared = True

    def __init__(self, item: Item = INT) -> None:
        self.item = item

    def __set__(self, block: Any, value: Any) -> None:
        (block.floats if self.item is FLOAT else block.view)[self.at] = self.item.dtype(value).item()

    def read(self, block: Any) -> Any:
        return (block.floats if self.item is FLOAT else block.view)[self.at]

    def of_word(self, builder: Any, block: Any, word: Any) -> Any:
        return builder.bitcast(word, self.item.stored) if self.item is FLOAT else word


class Flag(Word):
    """A number that another thread may change: native code reads it from memory each time."""

    def load(self, builder: Any, block: Any, place: Any) -> Any:
        return builder.load_atomic(place, ordering="monotonic", align=8)


class Words(Word):
    """An array of numbers; `Structure.array` returns it as a NumPy array."""

    shared = True

    def __init__(self, item: Item = INT) -> None:
        self.item = item
        self.beside = [self]  # the interleaved arrays, itself included

    @property
    def kind(self) -> Any:
        step = len(self.beside)
        return (
            types.CPointer(self.item.kind)
            if step == 1 and self.item is not SMALL
            else Column(self.item, step)
        )

    def read(self, block: Any) -> Any:
        return block.runs[self.name]

    def __set__(self, block: Any, value: int) -> None:
        raise AttributeError(f"{self.name} is an array: assign to its items")

    def of_word(self, builder: Any, block: Any, word: Any) -> Any:
        first = builder.gep(block, [word])
        items = builder.bitcast(first, self.item.stored.as_pointer())
        return builder.gep(items, [ir.Constant(I64, self.beside.index(self))])


def columns(count: int, item: Item = INT) -> tuple[Words, ...]:
    """Interleaved arrays of the same length; only the first one's length is given."""
    runs = [Words(item) for _ in range(count)]
    for run in runs:
        run.beside = runs
    return tuple(runs)


class Address(Word):
    """An array outside the block; assign its address."""

    shared = True

    def __init__(self, item: Item = INT) -> None:
        self.run = item

    @property
    def kind(self) -> Any:
        return types.CPointer(self.run.kind)

    def read(self, block: Any) -> Any:
        address = block.view[self.at]
        return words_at(address) if self.run is INT else _Floats(address)

    def of_word(self, builder: Any, block: Any, word: Any) -> Any:
        return builder.inttoptr(word, self.run.stored.as_pointer())


class _Floats:
    """Floats at an address, as interpreted code reads them."""

    def __init__(self, address: int) -> None:
        self.address = address

    def __getitem__(self, i: int) -> float:
        return float_at(self.address, i)


class Run:
    """An array, as interpreted code uses it."""

    __slots__ = ("start", "step", "view")

    def __init__(self, view: memoryview, start: int, step: int = 1) -> None:
        self.view, self.start, self.step = view, start, step

    def __getitem__(self, i: int) -> Any:
        return self.view[self.start + i * self.step]

    def __setitem__(self, i: int, value: Any) -> None:
        self.view[self.start + i * self.step] = value


class Structure:
    """A block with the fields that its class declares, after those of its base classes."""

    parts: ClassVar[dict[str, Word]] = {}

    def __init_subclass__(cls) -> None:
        own = {name: part for name, part in vars(cls).items() if isinstance(part, Word)}
        for at, part in enumerate(own.values(), start=len(cls.parts)):
            part.at = at
        cls.parts = cls.parts | own

    def __init__(self, **lengths: int) -> None:
        """All numbers start as 0. Arrays lie in the order given; one that is not given has length 0."""
        starts, end = {}, _lines(len(self.parts))
        for name, length in lengths.items():
            part: Any = self.parts[name]
            starts[name], end = end, end + _lines(-(-length * len(part.beside) // part.item.in_word))
        self.see(pages(end), lengths)
        for part in self.parts.values():
            if isinstance(part, Words):
                self.view[part.at] = starts.get(part.beside[0].name, end)
        self.find()

    def over(self, words: np.ndarray) -> Any:
        """A block like this one over other words: a copy of its own, or of another block like it."""
        block = type(self).__new__(type(self))
        block.see(words, self.lengths)
        block.find()
        return block

    def see(self, words: np.ndarray, lengths: dict[str, int]) -> None:
        self.words, self.lengths = words, lengths
        self.address: int = words.ctypes.data
        self.view = memoryview(words)  # type: ignore[arg-type]  # its items are plain ints
        self.floats = self.view.cast("B").cast("d")

    def find(self) -> None:
        """Find the arrays by their offsets."""
        views: dict[Item, Any] = {INT: self.view, FLOAT: self.floats, SMALL: self.view.cast("B").cast("i")}
        self.runs: dict[str, Run] = {}
        for name, part in self.parts.items():
            if isinstance(part, Words):
                start = self.view[part.at] * part.item.in_word + part.beside.index(part)
                self.runs[name] = Run(views[part.item], start, len(part.beside))

    def array(self, name: str) -> np.ndarray:
        """An array as NumPy sees it."""
        part, run = self.parts[name], self.runs[name]
        assert isinstance(part, Words)
        items = self.words.view(part.item.dtype)[run.start :: run.step]
        return items[: self.lengths.get(part.beside[0].name, 0)]


def _lines(words: int) -> int:
    """A number of words, rounded up to whole cache lines."""
    return -(-words // LINE) * LINE


# --- in native code --------------------------------------------------------------------------------------

WORDS_IN_LLVM = I64.as_pointer()


class StructureType(types.Type):
    """The Numba type of a pointer to a block; it knows the fields."""

    def __init__(self, cls: type[Structure]) -> None:
        self.cls = cls
        super().__init__(name=f"{cls.__module__}.{cls.__qualname__}")


class SharingType(types.Type):
    """A pointer to a block, and the words of the block whose settings it shares; some settings are fixed."""

    def __init__(self, cls: type[Structure], fixed: dict[str, float]) -> None:
        self.cls, self.fixed = cls, fixed
        super().__init__(name=f"{cls.__module__}.{cls.__qualname__} sharing, {sorted(fixed.items())}")


class Column(types.Type):
    """A pointer to an interleaved array: every `step`-th item belongs to it."""

    def __init__(self, item: Item, step: int) -> None:
        self.item, self.step = item, step
        super().__init__(name=f"column of {item.code} in {step}")


@register_model(StructureType)
class _Model(models.PrimitiveModel):
    def __init__(self, manager, kind):  # type: ignore[no-untyped-def]
        super().__init__(manager, kind, WORDS_IN_LLVM)


def in_llvm(cls: type[Structure]) -> Any:
    """A pointer to a block, and the words of its parts."""
    return ir.LiteralStructType([WORDS_IN_LLVM, ir.ArrayType(I64, len(cls.parts))])


@register_model(SharingType)
class _SharingModel(models.PrimitiveModel):
    def __init__(self, manager, kind):  # type: ignore[no-untyped-def]
        super().__init__(manager, kind, in_llvm(kind.cls))


@register_model(Column)
class _ColumnModel(models.PrimitiveModel):
    def __init__(self, manager, kind):  # type: ignore[no-untyped-def]
        super().__init__(manager, kind, kind.item.stored.as_pointer())


@typeof_impl.register(Structure)
def _typeof(block, context):  # type: ignore[no-untyped-def]
    return StructureType(type(block))


@unbox(StructureType)
def _unbox(kind, block, context):  # type: ignore[no-untyped-def]
    api, builder = context.pyapi, context.builder
    address = api.object_getattr_string(block, "address")
    pointer = builder.inttoptr(api.long_as_longlong(address), WORDS_IN_LLVM)
    api.decref(address)
    return NativeValue(pointer)


def placed(cls: type[Structure]) -> Any:
    """A function for kernels that turns a pointer to a block's words into the block."""

    @intrinsic
    def native(typing, words):  # type: ignore[no-untyped-def]
        return StructureType(cls)(words), lambda context, builder, sig, args: args[0]

    return _in_this_lane(native, cls)


def sharing(cls: type[Structure], **fixed: float) -> Any:
    """A function of kernels: the block whose words a pointer points to, with the settings of another one.

    `common` holds the words of the other block's parts. A GPU keeps the arguments of a kernel in constant memory.
    `fixed` settings are known when kernels are compiled: what they rule out is not compiled.
    """

    @intrinsic
    def native(typing, words, common):  # type: ignore[no-untyped-def]
        def pair(context, builder, sig, args):  # type: ignore[no-untyped-def]
            both = ir.Constant(in_llvm(cls), ir.Undefined)
            return builder.insert_value(builder.insert_value(both, args[0], 0), args[1], 1)

        return SharingType(cls, fixed)(words, common), pair

    return _in_this_lane(native, cls)


def _in_this_lane(native: Any, cls: type[Structure]) -> Any:
    """The intrinsic, or in the interpreted lane a block over an array of words, which has its settings, too."""

    def plain(words: Any, common: Any = None) -> Any:
        block: Any = cls.__new__(cls)
        block.see(np.asarray(words), {})
        block.find()
        return block

    PLAIN[id(native)] = plain
    return native if ENABLED else plain


class _Attributes(AttributeTemplate):
    def generic_resolve(self, kind, name):  # type: ignore[no-untyped-def]
        part = kind.cls.parts.get(name)
        return None if part is None else part.kind


@infer_getattr
class _OfOne(_Attributes):
    key = StructureType


@infer_getattr
class _OfSharing(_Attributes):
    key = SharingType


def _place(builder: Any, block: Any, part: Word) -> Any:
    place = builder.gep(block, [ir.Constant(I64, part.at)])
    return builder.bitcast(place, part.item.stored.as_pointer()) if isinstance(part, Number) else place


def _own(builder: Any, kind: Any, block: Any) -> Any:
    return builder.extract_value(block, 0) if isinstance(kind, SharingType) else block


def _shared_word(builder: Any, kind: Any, block: Any, part: Any) -> Any:
    """A word that does not change while native code runs."""
    if not isinstance(kind, SharingType):
        return _unchanging(builder, _place(builder, block, part))
    return builder.extract_value(block, [1, part.at])


@lower_getattr_generic(StructureType)
@lower_getattr_generic(SharingType)
def _get(context, builder, kind, block, name):  # type: ignore[no-untyped-def]
    part = kind.cls.parts[name]
    if isinstance(kind, SharingType) and name in kind.fixed:
        return context.get_constant(part.kind, kind.fixed[name])
    own = _own(builder, kind, block)
    if part.shared:
        return part.of_word(builder, own, _shared_word(builder, kind, block, part))
    return part.load(builder, own, _place(builder, own, part))


@lower_setattr_generic(StructureType)
@lower_setattr_generic(SharingType)
def _set(context, builder, signature, args, name):  # type: ignore[no-untyped-def]
    block, value = args
    part = signature.args[0].cls.parts[name]
    value = context.cast(builder, value, signature.args[1], part.kind)
    builder.store(value, _place(builder, _own(builder, signature.args[0], block), part))


@infer_global(operator.getitem)
class _ReadItem(AbstractTemplate):
    def generic(self, args, kws):  # type: ignore[no-untyped-def]
        run, *rest = args
        return signature(run.item.kind, run, types.int64) if isinstance(run, Column) else None


@infer_global(operator.setitem)
class _WriteItem(AbstractTemplate):
    def generic(self, args, kws):  # type: ignore[no-untyped-def]
        run, *rest = args
        return signature(types.none, run, types.int64, run.item.kind) if isinstance(run, Column) else None


def _in_column(builder: Any, kind: Any, run: Any, i: Any) -> Any:
    return builder.gep(run, [builder.mul(i, ir.Constant(I64, kind.step))])


@lower_builtin(operator.getitem, Column, types.int64)
def _read_item(context, builder, sig, args):  # type: ignore[no-untyped-def]
    kind = sig.args[0]
    value = builder.load(_in_column(builder, kind, *args))
    return builder.sext(value, I64) if kind.item is SMALL else value


@lower_builtin(operator.setitem, Column, types.int64, types.int64)
@lower_builtin(operator.setitem, Column, types.int64, types.float64)
def _write_item(context, builder, sig, args):  # type: ignore[no-untyped-def]
    kind, (run, i, value) = sig.args[0], args
    value = builder.trunc(value, kind.item.stored) if kind.item is SMALL else value
    builder.store(value, _in_column(builder, kind, run, i))


def _unchanging(builder: Any, place: Any) -> Any:
    """Load a word that does not change while native code runs, so LLVM may read it once."""
    loaded = builder.load(place)
    loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return loaded
