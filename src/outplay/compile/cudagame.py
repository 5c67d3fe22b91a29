"""A game's rewritten rules as device functions of a GPU.

They are the CPU's functions, with four changes that numba-cuda needs:

- A recursive function becomes a chain of copies, each calling the next, since a GPU thread has hardly any stack.
  The last copy raises where it would recurse.
- Default arguments are written out in each call.
- The index of a position in a table (`slot`) is called, not inlined: kernels ask for it in several places.
- Tables lie in the GPU's global memory. Constant memory ends at 64 KB, and is slow if the threads of a warp read
  different addresses.

A fifth change is for speed: a loop that yields something for each bit of a word first calls `skip`. If actions
are only counted, or only one is wanted, the loop need not visit every bit.
"""

import ast
import copy
import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import cuda, from_dtype, types
from numba.cuda import extending
from numba.cuda.np import arrayobj

from outplay.compile import rewrite, syntax
from outplay.compile.program import Piece, Twin
from outplay.compile.syntax import PREFIX

DEEPEST = 10  # recursion depth of a rule's functions

DEEPER, APART, AT, SKIP = (
    PREFIX + name for name in ("native_deeper", "native_apart", "native_at", "native_skip")
)


class TooDeepForGPU(Exception):
    """A function of the rules recurses deeper than it has copies."""


class Game:
    """A twin with device functions, with the interface that `rules.py` expects."""

    def __init__(self, twin: Twin, device: Callable[[Any], Any], skip: Any) -> None:
        self.cls, self.kind, self.program = twin.cls, twin.kind, twin.program
        names: dict[str, Any] = {
            "__name__": twin.module.__name__,
            "__builtins__": __builtins__,
            PREFIX + "native_State": twin.state_class,
            DEEPER: cuda.jit(device=True)(_deeper),
            APART: _apart,
            SKIP: skip,
        }
        names |= {symbol: device(value) for symbol, value in self.program.names.items()}
        tables = dict(self.program.arrays)
        pieces = [copied for piece in self.program.pieces for copied in unrolled(piece)]
        for piece in pieces:
            WrittenOut(tables).visit(piece.node)
            if piece.symbol == self.program.rules.get("slot"):
                keep_apart(piece.node)
        names |= {symbol: table(array) for symbol, array in tables.items()}
        completed = Completed(pieces, set(tables))
        for piece in pieces:
            exec(compile(ast.Module([completed.visit(piece.node)], []), piece.place.file, "exec"), names)
            names[piece.symbol] = cuda.jit(device=True)(names[piece.symbol])
        self.functions = {rule: names[symbol] for rule, symbol in self.program.rules.items()}


_games: dict[str, Game] = {}


def game_of(twin: Twin, device: Callable[[Any], Any], skip: Any) -> Game:
    """The twin's rules for the GPU, made on first use."""
    if twin.digest not in _games:
        _games[twin.digest] = Game(twin, device, skip)
    return _games[twin.digest]


# --- recursive functions -----------------------------------------------------------------------------------


def _deeper(always: int) -> int:
    if always:
        raise TooDeepForGPU
    return 0  # so that it has a type


@extending.intrinsic
def _apart(typing):  # type: ignore[no-untyped-def]
    """Forbid inlining of the function that calls this: inlining the chain of copies would explode."""

    def mark(context, builder, signature, args):  # type: ignore[no-untyped-def]
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.none(), mark


def keep_apart(node: ast.FunctionDef) -> None:
    """Call a function where it would become part of its caller: it is large, or there are copies within copies."""
    node.body.insert(0, ast.copy_location(ast.Expr(syntax.call(APART)), node.body[0]))


def unrolled(piece: Piece) -> list[Piece]:
    """The piece alone, or the chain of copies of a recursive function."""
    if not any(isinstance(n, ast.Name) and n.id == piece.symbol for n in ast.walk(piece.node)):
        return [Piece(piece.symbol, copy.deepcopy(piece.node), piece.place)]
    symbols = [piece.symbol, *(f"{piece.symbol}_deeper{i}" for i in range(1, DEEPEST)), DEEPER]
    copies = []
    for symbol, following in zip(symbols, symbols[1:], strict=False):
        node = Renamed(piece.symbol, following).visit(copy.deepcopy(piece.node))
        node.name = symbol
        keep_apart(node)
        copies.append(Piece(symbol, node, piece.place))
    return copies


class Renamed(ast.NodeTransformer):
    """Replaces calls of one function by calls of another."""

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == self.old:
            always: list[ast.expr] = [ast.copy_location(ast.Constant(1), node)]
            arguments = always if self.new == DEEPER else node.args
            return ast.copy_location(
                ast.Call(ast.copy_location(syntax.name(self.new), node), arguments, []), node
            )
        return node


# --- loops over bits -----------------------------------------------------------------------------------------


class Skipping(ast.NodeTransformer):
    """Puts `at, left = skip(out, at, left)` before `while left != 0: <lowest bit>; <clear it>; <yield>`."""

    def visit_While(self, node: ast.While) -> Any:
        self.generic_visit(node)
        match node:
            case ast.While(
                test=ast.Compare(
                    left=ast.Name(id=left), ops=[ast.NotEq()], comparators=[ast.Constant(value=0)]
                ),
                body=[
                    ast.Assign(),
                    ast.Assign(targets=[ast.Name(id=same)]),
                    ast.If(),
                    ast.Assign(targets=[ast.Subscript(value=ast.Name(id=rewrite.OUT))]),
                    ast.Assign(
                        targets=[ast.Name(id=rewrite.AT)], value=ast.BinOp(right=ast.Constant(value=1))
                    ),
                ],
                orelse=[],
            ) if left == same:
                places = ast.Tuple([syntax.store(rewrite.AT), syntax.store(left)], ast.Store())
                skipped = syntax.call(SKIP, *map(syntax.name, (rewrite.OUT, rewrite.AT, left)))
                return [ast.copy_location(ast.Assign([places], skipped), node), node]
        return node


class WrittenOut(ast.NodeTransformer):
    """Unrolls loops over tuples of numbers, or makes the tuple a table: numba-cuda would branch for each item."""

    def __init__(self, tables: dict[str, np.ndarray]) -> None:
        self.tables = tables

    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        if not isinstance(node.iter, ast.Tuple) or node.orelse or not isinstance(node.target, ast.Name):
            return node
        try:
            numbers = ast.literal_eval(node.iter)
        except ValueError:
            return node
        if any(isinstance(part, ast.Break | ast.Continue) for part in ast.walk(node)):
            if not all(isinstance(number, int) for number in numbers):
                return node
            symbol = f"{PREFIX}native_numbers{len(self.tables)}"
            self.tables[symbol] = np.array(numbers)
            node.iter = ast.copy_location(syntax.name(symbol), node.iter)
            return node
        written: list[ast.stmt] = [ast.copy_location(ast.Pass(), node)]
        for item in node.iter.elts:
            given = ast.Assign([copy.deepcopy(node.target)], item)
            written += [ast.copy_location(given, node), *copy.deepcopy(node.body)]
        return written


# --- arguments and tables ----------------------------------------------------------------------------------


class Completed(ast.NodeTransformer):
    """Writes out all arguments of calls, by position, and replaces tables by calls that return them."""

    def __init__(self, pieces: list[Piece], tables: set[str]) -> None:
        self.arguments = {piece.symbol: piece.node.args for piece in pieces}
        self.tables = tables

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self.generic_visit(Skipping().visit(node))
        node.args = copy.deepcopy(node.args)
        node.args.defaults = []
        return ast.fix_missing_locations(node)

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id in self.tables:
            return ast.copy_location(syntax.call(node.id), node)
        return node

    def is_table(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self.tables

    def visit_Call(self, node: ast.Call) -> Any:
        if self.is_table(node):
            return node
        if not isinstance(node.func, ast.Name):
            return self.generic_visit(node)
        node.args = [self.visit(argument) for argument in node.args]
        if node.func.id == AT and self.is_table(node.args[0]):
            return ast.copy_location(ast.Subscript(node.args[0], node.args[1], ast.Load()), node)
        given = {keyword.arg: self.visit(keyword.value) for keyword in node.keywords}
        wanted = self.arguments.get(node.func.id)
        if wanted is not None:
            defaults = [None] * (len(wanted.args) - len(wanted.defaults)) + wanted.defaults
            for parameter, default in list(zip(wanted.args, defaults, strict=True))[len(node.args) :]:
                value = given.pop(parameter.arg, None)
                node.args.append(value if value is not None else copy.deepcopy(default))  # type: ignore[arg-type]
        node.keywords = [ast.keyword(name, value) for name, value in given.items()]
        return ast.fix_missing_locations(node)


_tables: dict[str, Any] = {}


def table(array: np.ndarray) -> Any:
    """A function without arguments that returns the table in device code, as a read-only array."""
    array = np.ascontiguousarray(array)
    content = hashlib.sha256(repr((array.dtype.str, array.shape)).encode() + array.tobytes()).hexdigest()
    name = f"outplay_table_{content[:32]}"
    if name not in _tables:
        _tables[name] = _reader(name, array)
    return _tables[name]


def _reader(name: str, array: np.ndarray) -> Any:
    kind = types.Array(from_dtype(array.dtype), array.ndim, "C", readonly=True)

    @extending.intrinsic
    def read(typing):  # type: ignore[no-untyped-def]
        def view(context, builder, signature, args):  # type: ignore[no-untyped-def]
            item = context.get_data_type(kind.dtype)
            symbol = builder.module.globals.get(name)
            if symbol is None:  # every module defines it; the linker keeps one
                content = ir.ArrayType(item, array.size)
                symbol = ir.GlobalVariable(builder.module, content, name, addrspace=1)
                symbol.linkage, symbol.global_constant, symbol.align = "linkonce_odr", True, 8
                symbol.initializer = ir.Constant(content, array.ravel().tolist())
            made = context.make_array(kind)(context, builder)
            anywhere = builder.addrspacecast(symbol, ir.PointerType(symbol.type.pointee), "generic")
            arrayobj.populate_array(
                made,
                data=builder.bitcast(anywhere, item.as_pointer()),
                shape=[context.get_constant(types.intp, length) for length in array.shape],
                strides=[context.get_constant(types.intp, step) for step in array.strides],
                itemsize=context.get_constant(types.intp, array.itemsize),
                meminfo=None,
            )
            return made._getvalue()

        return kind(), view

    return read
