"""The memory of generated code: words and cells, the room for what a rule builds, lists in it.

An address is an int. All that a rule builds lies in its room: the first words of it say where the next free word is,
how many are free, how deep calls are nested and which blocks of memory were added. When the rule has answered,
everything in it is gone at once, so nothing is counted or collected.
"""

from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.extending import intrinsic

from outplay.compile.address import ADDRESS, BYTES
from outplay.compile.internals import TypingError, allow_null, cgutils
from outplay.compile.intrinsics import I64, WORDS, inside
from outplay.compile.jit import called, inlined, kernel

DOUBLE, I8, I32 = ir.DoubleType(), ir.IntType(8), ir.IntType(32)
AT_ONCE = 32  # bytes that are compared by one instruction
MOST_AMONG = 64  # bytes that are written to change a few
HEADER = 5  # words: next free, how many are free, depth, blocks that were added, which exception was raised
NEXT, LEFT, DEPTH, BLOCKS, FAULT = range(HEADER)
BLOCK = 1 << 16  # words of a block that is added
MOST = 1 << 24  # words that a rule may build with one call


class Outgrown(Exception):
    """A number does not fit into the bits that the state has for it, or a tuple became longer than there is room."""


class Beyond(Exception):
    """Native code must stop where Python may go on: a number of more than 64 bits, a value of an unforeseen kind."""


def _size(literal: Any) -> int:
    if not isinstance(literal, types.IntegerLiteral):
        raise TypingError("the size of a cell is a literal")
    return literal.literal_value


def _at(builder: Any, address: Any, i: Any, kind: Any = I64) -> Any:
    """A pointer to item i at an address.

    LLVM may take such a sum apart and call either part the pointer. Where that part is 0 it would hold the access
    for one through a null pointer, which never happens, and remove it; unless null is a valid pointer.
    """
    if isinstance(address.type, ir.PointerType):
        return builder.gep(builder.bitcast(address, kind.as_pointer()), [i])
    allow_null(builder.function)
    return builder.gep(builder.inttoptr(address, kind.as_pointer()), [i])


def _where(address: Any) -> Any:
    """The type of an argument that is an address, or an int that is one."""
    return address if address == ADDRESS else types.int64


def _reader(kind: Any, llvm: Any) -> Any:
    @intrinsic
    def read(typing, address, i):  # type: ignore[no-untyped-def]
        def load(context, builder, sig, args):  # type: ignore[no-untyped-def]
            return builder.load(_at(builder, *args, llvm))

        return kind(_where(address), types.int64), load

    return read


def _writer(kind: Any) -> Any:
    @intrinsic
    def write(typing, address, i, value):  # type: ignore[no-untyped-def]
        def store(context, builder, sig, args):  # type: ignore[no-untyped-def]
            builder.store(args[2], _at(builder, args[0], args[1], args[2].type))
            return context.get_dummy_value()

        return types.none(_where(address), types.int64, value if value == ADDRESS else kind), store

    return write


word, float_word = _reader(types.int64, I64), _reader(types.float64, DOUBLE)
put_word, put_float = _writer(types.int64), _writer(types.float64)
address = _reader(ADDRESS, BYTES)


@intrinsic
def small_scratch(typing, size):  # type: ignore[no-untyped-def]
    """A few words on the machine's stack, so few that whoever calls the rule may have them as its own."""
    count = _size(size)

    def allocate(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return cgutils.alloca_once(builder, I64, size=ir.Constant(I64, count))

    return WORDS(size), allocate


@intrinsic
def address_of(typing, p):  # type: ignore[no-untyped-def]
    """Where words lie."""
    return ADDRESS(WORDS), lambda context, builder, sig, args: builder.bitcast(args[0], BYTES)


@intrinsic
def cell(typing, address, i, size):  # type: ignore[no-untyped-def]
    """Number i of those that lie side by side with `size` bytes each, a literal."""
    kind = ir.IntType(8 * _size(size))

    def load(context, builder, sig, args):  # type: ignore[no-untyped-def]
        found = builder.load(_at(builder, args[0], args[1], kind))
        return builder.sext(found, I64) if kind != I64 else found

    return types.int64(_where(address), types.int64, size), load


@intrinsic
def put_cell(typing, address, i, size, value):  # type: ignore[no-untyped-def]
    """Write number i of those that lie side by side; what is lost of it, 0 if it fits."""
    kind = ir.IntType(8 * _size(size))

    def store(context, builder, sig, args):  # type: ignore[no-untyped-def]
        value = args[3]
        short = builder.trunc(value, kind) if kind != I64 else value
        builder.store(short, _at(builder, args[0], args[1], kind))
        return builder.xor(builder.sext(short, I64), value) if kind != I64 else ir.Constant(I64, 0)

    return types.int64(_where(address), types.int64, size, types.int64), store


@intrinsic
def put_among(typing, address, count, i, size, value):  # type: ignore[no-untyped-def]
    """The same by writing all of them, which are few: whoever reads many at once need not wait for a single one."""
    many, kind = _size(count), ir.IntType(8 * _size(size))

    def store(context, builder, sig, args):  # type: ignore[no-untyped-def]
        value = args[4]
        short, place = (builder.trunc(each, kind) for each in (value, args[2]))
        at, lanes = 0, MOST_AMONG * 8 // kind.width
        while at < many:
            while lanes > many - at:
                lanes //= 2
            vector = ir.VectorType(kind, lanes)
            there = _at(builder, args[0], ir.Constant(I64, at), kind)
            there = builder.bitcast(there, vector.as_pointer())
            here = builder.icmp_signed(
                "==", _every(builder, place, vector), ir.Constant(vector, list(range(at, at + lanes)))
            )
            before = builder.load(there, align=kind.width // 8)
            made = builder.select(here, _every(builder, short, vector), before)
            builder.store(made, there, align=kind.width // 8)
            at += lanes
        return builder.xor(builder.sext(short, I64), value)

    return types.int64(_where(address), count, types.int64, size, types.int64), store


def _every(builder: Any, value: Any, vector: Any) -> Any:
    """A vector of one value."""
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(I32, 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(I32, vector.count), [0] * vector.count))


def _lanes(builder: Any, place: Any, vector: Any) -> Any:
    """Several numbers at once, put together from words: those that were just written need not come from memory."""
    bits = vector.count * vector.element.width
    if bits < 64:
        return builder.load(builder.bitcast(place, vector.as_pointer()), align=vector.element.width // 8)
    together = ir.VectorType(I64, bits // 64)
    made, at = ir.Constant(together, ir.Undefined), builder.bitcast(place, I64.as_pointer())
    for i in range(together.count):
        word = builder.load(builder.gep(at, [ir.Constant(I64, i)]), align=vector.element.width // 8)
        made = builder.insert_element(made, word, ir.Constant(I32, i))
    return builder.bitcast(made, vector)


@intrinsic
def tally(typing, address, count, size, wanted):  # type: ignore[no-untyped-def]
    """How many of the numbers that lie side by side are this one; how many there are and their size are literals."""
    many, kind = _size(count), ir.IntType(8 * _size(size))

    def compare(context, builder, sig, args):  # type: ignore[no-untyped-def]
        short = builder.trunc(args[3], kind) if kind != I64 else args[3]
        total, at, lanes = ir.Constant(I64, 0), 0, AT_ONCE * 8 // kind.width
        while at < many:
            while lanes > many - at:
                lanes //= 2
            vector = ir.VectorType(kind, lanes)
            place = _at(builder, args[0], ir.Constant(I64, at), kind)
            same = builder.icmp_signed("==", _lanes(builder, place, vector), _every(builder, short, vector))
            bits = builder.zext(builder.bitcast(same, ir.IntType(lanes)), I64)
            total = builder.add(total, builder.ctpop(bits))
            at += lanes
        if kind == I64:
            return total
        fits = builder.icmp_signed("==", builder.sext(short, I64), args[3])
        return builder.select(fits, total, ir.Constant(I64, 0))

    return types.int64(_where(address), count, size, types.int64), compare


_malloc = types.ExternalFunction("malloc", types.intp(types.intp))
_free = types.ExternalFunction("free", types.void(types.intp))
# Names of the C library that code from the cache may say before anybody else has.
for _name in ("malloc", "free"):
    if binding.address_of_symbol(_name) is None:
        import ctypes

        _c = ctypes.CDLL("msvcrt" if ctypes.util.find_library("msvcrt") else None)  # type: ignore[attr-defined]
        binding.add_symbol(_name, ctypes.cast(getattr(_c, _name), ctypes.c_void_p).value)


@inlined
def begin(room, size):  # type: ignore[no-untyped-def]
    """Make a room of so many words."""
    begin_full(room)
    put_word(room, NEXT, room + 8 * HEADER)
    put_word(room, LEFT, size - HEADER)


@inlined
def begin_full(room):  # type: ignore[no-untyped-def]
    """Make a room in which no word is free: nothing in it is the room's own address, which LLVM would heed."""
    put_word(room, NEXT, 0)
    put_word(room, LEFT, 0)
    put_word(room, DEPTH, 0)
    put_word(room, BLOCKS, 0)
    put_word(room, FAULT, 0)


@intrinsic
def apart(typing):  # type: ignore[no-untyped-def]
    """Have LLVM leave a function where it is: it is hardly ever called, and would make its callers long."""

    def mark(context, builder, sig, args):  # type: ignore[no-untyped-def]
        builder.function.attributes.add("noinline")
        builder.function.attributes.add("cold")
        return context.get_dummy_value()

    return types.none(), mark


@called
def grow(room, count):  # type: ignore[no-untyped-def]
    """Add a block of memory to a room that is full; a block's first word is the one before it, its second its size."""
    apart()
    size = max(BLOCK, 2 * count)
    last = word(room, BLOCKS)
    total = size
    if last != 0:
        total += word(last, 1)
    if total > MOST:
        raise Beyond("it builds too much for one call")
    block = _malloc(8 * (size + 2))
    if block == 0:
        raise MemoryError("no memory is left")
    put_word(block, 0, last)
    put_word(block, 1, total)
    put_word(room, BLOCKS, block)
    put_word(room, NEXT, block + 16)
    put_word(room, LEFT, size)


@inlined
def take(room, count):  # type: ignore[no-untyped-def]
    """The address of so many words that are free."""
    left = word(room, LEFT) - count
    if left < 0:
        grow(room, count)
        left = word(room, LEFT) - count
    found = address(room, NEXT)
    put_word(room, NEXT, found + 8 * count)
    put_word(room, LEFT, left)
    return found


@inlined
def end(room):  # type: ignore[no-untyped-def]
    """Give back the blocks that were added."""
    block = word(room, BLOCKS)
    while block != 0:
        before = word(block, 0)
        _free(block)
        block = before


@intrinsic
def copy(typing, to, source, count):  # type: ignore[no-untyped-def]
    """Copy words, which may overlap."""

    def move(context, builder, sig, args):  # type: ignore[no-untyped-def]
        to, source = (_at(builder, address, ir.Constant(I64, 0)) for address in args[:2])
        cgutils.raw_memmove(builder, to, source, args[2], 8, align=8)
        return context.get_dummy_value()

    return types.none(_where(to), _where(source), types.int64), move


@intrinsic
def copy_bytes(typing, to, source, count):  # type: ignore[no-untyped-def]
    """Copy so many bytes, which may overlap."""

    def move(context, builder, sig, args):  # type: ignore[no-untyped-def]
        to, source = (_at(builder, address, ir.Constant(I64, 0), ir.IntType(8)) for address in args[:2])
        cgutils.raw_memmove(builder, to, source, args[2], 1, align=1)
        return context.get_dummy_value()

    return types.none(_where(to), _where(source), types.int64), move


@intrinsic
def store_words(typing, p, state):  # type: ignore[no-untyped-def]
    """Write a state's words, many at a time: whoever reads as many at once need not wait for them one by one."""
    count = len(state.types[0])

    def store(context, builder, sig, args):  # type: ignore[no-untyped-def]
        at, lanes = 0, 8
        while at < count:
            while lanes > count - at:
                lanes //= 2
            vector = ir.VectorType(I64, lanes)
            made = ir.Constant(vector, ir.Undefined)
            for i in range(lanes):
                word = builder.extract_value(args[1], [0, at + i])
                made = builder.insert_element(made, word, ir.Constant(I32, i))
            place = builder.gep(args[0], [ir.Constant(I64, at)])
            builder.store(made, builder.bitcast(place, vector.as_pointer()), align=8)
            at += lanes
        return context.get_dummy_value()

    return types.none(p, state), store


@intrinsic
def copy_few(typing, to, source, count):  # type: ignore[no-untyped-def]
    """Copy so many bytes, a literal, word by word: LLVM sees which words these are, and need not wait for memory."""
    size = _size(count)

    def move(context, builder, sig, args):  # type: ignore[no-untyped-def]
        at, found = 0, []
        while at < size:
            kind = ir.IntType(8 * next(width for width in (8, 4, 2, 1) if width <= size - at))
            where = ir.Constant(I64, at)
            places = [
                builder.bitcast(_at(builder, address, where, I8), kind.as_pointer()) for address in args[:2]
            ]
            found.append((places[0], builder.load(places[1], align=1)))
            at += kind.width // 8
        for place, value in found:
            builder.store(value, place, align=1)
        return context.get_dummy_value()

    return types.none(_where(to), _where(source), count), move


@inlined
def same(a, b, count):  # type: ignore[no-untyped-def]
    """Whether so many words are equal."""
    for i in range(count):
        if word(a, i) != word(b, i):
            return 0
    return 1


@intrinsic
def index(typing, i, length):  # type: ignore[no-untyped-def]
    """The place that an index means."""

    def place(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return inside(context, builder, *args, "its sequence")

    return types.int64(types.int64, types.int64), place


@intrinsic
def index_up(typing, i, length):  # type: ignore[no-untyped-def]
    """The same of an index that is not negative."""

    def place(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return inside(context, builder, *args, "its sequence", wraps=False)

    return types.int64(types.int64, types.int64), place


@inlined
def bound(i, length):  # type: ignore[no-untyped-def]
    """The place that a bound of a slice means."""
    if i < 0:
        i = max(i + length, 0)
    return min(i, length)


@inlined
def new_list(room, count, stride):  # type: ignore[no-untyped-def]
    """A list with room for some items; none is in it yet."""
    made = take(room, 3 + count * stride)
    put_word(made, 0, 0)
    put_word(made, 1, count)
    put_word(made, 2, made + 24)
    return made


@inlined
def list_at(room, data, count):  # type: ignore[no-untyped-def]
    """A list of the items that lie somewhere, which nothing else knows."""
    made = take(room, 3)
    put_word(made, 0, count)
    put_word(made, 1, count)
    put_word(made, 2, data)
    return made


@inlined
def list_of(room, data, count, stride):  # type: ignore[no-untyped-def]
    """A list of items that lie elsewhere."""
    made = new_list(room, count, stride)
    copy(word(made, 2), data, count * stride)
    put_word(made, 0, count)
    return made


@inlined
def one_more(room, which, stride):  # type: ignore[no-untyped-def]
    """The address of a new last item of a list."""
    count = word(which, 0)
    if count == word(which, 1):
        size = max(4, 2 * count)
        wider = take(room, size * stride)
        copy(wider, word(which, 2), count * stride)
        put_word(which, 1, size)
        put_word(which, 2, wider)
    put_word(which, 0, count + 1)
    return word(which, 2) + 8 * count * stride


@kernel
def open_gap(room, which, place, stride):  # type: ignore[no-untyped-def]
    """The address of a new item of a list at a place; those from there on move up."""
    one_more(room, which, stride)
    data = word(which, 2)
    at = word(which, 0) * stride - 1
    while at >= (place + 1) * stride:
        put_word(data, at, word(data, at - stride))
        at -= 1
    return data + 8 * place * stride


@kernel
def close_gap(which, place, count, stride):  # type: ignore[no-untyped-def]
    """Remove some items of a list; those after them move down."""
    data, length = word(which, 2), word(which, 0)
    copy(data + 8 * place * stride, data + 8 * (place + count) * stride, (length - place - count) * stride)
    put_word(which, 0, length - count)


@kernel
def joined(room, a, m, b, n, stride):  # type: ignore[no-untyped-def]
    """The items of one run after those of another."""
    made = take(room, (m + n) * stride)
    copy(made, a, m * stride)
    copy(made + 8 * m * stride, b, n * stride)
    return made


@kernel
def repeated(room, data, count, times, stride):  # type: ignore[no-untyped-def]
    """The items of a run several times."""
    made = take(room, max(times, 0) * count * stride)
    for k in range(times):
        copy(made + 8 * k * count * stride, data, count * stride)
    return made


@kernel
def stepped(room, data, start, step, count, stride):  # type: ignore[no-untyped-def]
    """Every so many-th item of a run."""
    made = take(room, count * stride)
    for k in range(count):
        copy(made + 8 * k * stride, data + 8 * (start + k * step) * stride, stride)
    return made


@inlined
def find_word(data, count, stride, wanted):  # type: ignore[no-untyped-def]
    """The first item whose first word is this, or -1; for items of one word."""
    for i in range(count):
        if word(data, i * stride) == wanted:
            return i
    return -1


@kernel
def find_words(data, count, stride, wanted):  # type: ignore[no-untyped-def]
    """The first item that has these words, or -1."""
    for i in range(count):
        if same(data + 8 * i * stride, wanted, stride) == 1:
            return i
    return -1


@inlined
def count_word(data, count, wanted):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(count):
        if word(data, i) == wanted:
            found += 1
    return found


@kernel
def less_run(a, m, b, n):  # type: ignore[no-untyped-def]
    """Whether one text or tuple of ints comes before another."""
    for i in range(min(m, n)):
        x, y = word(a, i), word(b, i)
        if x != y:
            return 1 if x < y else 0
    return 1 if m < n else 0


FEW = 32  # up to so many items insertion is the fastest way to sort


@kernel
def sort_words(data, count):  # type: ignore[no-untyped-def]
    """Sort ints in place."""
    if count > FEW:
        heap_sort(data, count)
        return
    for i in range(1, count):
        here, k = word(data, i), i
        while k > 0 and word(data, k - 1) > here:
            put_word(data, k, word(data, k - 1))
            k -= 1
        put_word(data, k, here)


@kernel
def heap_sort(data, count):  # type: ignore[no-untyped-def]
    """Sort ints in place, in n log n steps: build a heap, then move its greatest item behind it."""
    for root in range(count // 2 - 1, -1, -1):
        sift(data, root, count)
    for last in range(count - 1, 0, -1):
        greatest = word(data, 0)
        put_word(data, 0, word(data, last))
        put_word(data, last, greatest)
        sift(data, 0, last)


@kernel
def sift(data, root, count):  # type: ignore[no-untyped-def]
    """Let an item sink in the heap until no child is greater."""
    here = word(data, root)
    while 2 * root + 1 < count:
        child = 2 * root + 1
        if child + 1 < count and word(data, child + 1) > word(data, child):
            child += 1
        if word(data, child) <= here:
            break
        put_word(data, root, word(data, child))
        root = child
    put_word(data, root, here)


@inlined
def enter(room, most):  # type: ignore[no-untyped-def]
    """One call deeper."""
    depth = word(room, DEPTH) + 1
    if depth > most:
        raise RecursionError("it calls itself in itself too often")
    put_word(room, DEPTH, depth)


@inlined
def leave(room):  # type: ignore[no-untyped-def]
    put_word(room, DEPTH, word(room, DEPTH) - 1)


@inlined
def last_bound(i, length):  # type: ignore[no-untyped-def]
    """The place that a bound of a slice means which runs backwards."""
    if i < 0:
        return max(i + length, -1)
    return min(i, length - 1)


@kernel
def splice(room, which, start, stop, data, count, stride):  # type: ignore[no-untyped-def]
    """Put some items in place of others."""
    length = word(which, 0)
    total = length - (stop - start) + count
    made = take(room, max(total, 1) * stride)
    old = word(which, 2)
    copy(made, old, start * stride)
    copy(made + 8 * start * stride, data, count * stride)
    copy(made + 8 * (start + count) * stride, old + 8 * stop * stride, (length - stop) * stride)
    put_word(which, 0, total)
    put_word(which, 1, max(total, 1))
    put_word(which, 2, made)


@kernel
def first_of_slice(i, given, length, step):  # type: ignore[no-untyped-def]
    if step == 0:
        raise ValueError("a slice with step 0")
    if step > 0:
        return bound(i, length) if given else 0
    return last_bound(i, length) if given else length - 1


@kernel
def end_of_slice(i, given, length, step):  # type: ignore[no-untyped-def]
    if step > 0:
        return bound(i, length) if given else length
    return last_bound(i, length) if given else -1
