"""Natural Python to the Python that Numba compiles well.

The user's functions are rewritten as syntax trees. Line numbers stay, so errors point into the user's file. What
changes:

- A generator becomes a function that fills memory: `g(args, out, at, end) -> at`. `yield x` is
  `out[at] = x; at += 1`; `yield from g(...)` passes the memory on. (Numba's own generators are several times
  slower, cannot be cached and do not exist on a GPU.) `if test: yield x` is branchless: the word is always stored,
  and the position advances by the truth value of the test.
- A loop over a generator fills a scratch buffer first; a loop over `bits(x)` becomes shifts and masks.
- `any`, `all`, `sum`, `min`, `max`, `next`, `list` over a generator become a helper function with a loop.
- `self.method(...)`, properties, class constants and names from any module are resolved now: functions are compiled
  too, numbers become literals, sequences of numbers become tables.
- New states, made by the class or `_replace`, have their fields wrapped to 64 bits.

Every name that rewriting adds begins with `_outplay_`.
"""

import ast
import inspect
from typing import Any

import numpy as np

from outplay import words
from outplay.compile.assigned import Assigned
from outplay.compile.calls import Calls
from outplay.compile.jit import ENABLED
from outplay.compile.source import Missing
from outplay.compile.syntax import (
    PREFIX,
    OwnNames,
    ReturnsToYields,
    assign,
    call,
    local_names,
    name,
    nest,
    store,
)
from outplay.compile.width import is_beyond, whole_of
from outplay.weights import Weights

OUT, AT, END = (PREFIX + name for name in ("out", "at", "end"))


class Rewriter(Calls):
    """Rewrites one function: its signature, its yields and its loops."""

    def rewrite(self, node: ast.FunctionDef) -> ast.FunctionDef:
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id.startswith(PREFIX):
                raise self.error(part, f"the name {part.id} is reserved", "choose another name")
        node = self.look(node)
        arguments = node.args
        defaults = self.function.__defaults__ or ()
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
            raise self.error(node, "only plain arguments can be compiled", "leave out *, ** and /")
        for argument in arguments.args:
            argument.annotation = None
        arguments.defaults = [
            ast.Constant(0) if isinstance(v, Weights) else self.embed(v, node)  # weights are always passed
            for v in defaults
        ]
        body = node.body
        if ast.get_docstring(node, clean=False) is not None:
            body = body[1:]
        if self.fills and not inspect.isgeneratorfunction(self.function):
            body = [ReturnsToYields().visit(statement) for statement in body]
            body = [s for b in body for s in (b if isinstance(b, list) else [b])]
        unset = Assigned(node, self.runs).unset
        body = self.block(body)
        if unset is not None:
            raise self.error(
                unset, f"{unset.id} may be unset here", "give it a value before the `if` or the loop"
            )
        if self.fills:
            arguments.args += [ast.arg(OUT), ast.arg(AT), ast.arg(END)]
            arguments.defaults = []
            body.append(ast.Return(name(AT)))
        new = ast.FunctionDef(self.program.symbol_of(self.function), arguments, body or [ast.Pass()], [])
        return ast.fix_missing_locations(ast.copy_location(new, node))

    def look(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Find the function's locals, and which of them may exceed int64."""
        node = OwnNames().visit(node)
        self.locals = local_names(node)
        given = [a.arg for a in node.args.args]
        defaults = self.function.__defaults__ or ()
        known = self.program.wide(self.function, self.function)
        self.wide |= {part for part in known if whole_of(part) in given}
        self.wide |= {a for a, v in zip(reversed(given), reversed(defaults), strict=False) if is_beyond(v)}
        self.wide_names(node)
        self.hand_on_wide(node)
        return node

    def look_again(self, node: ast.FunctionDef) -> None:
        """Check again for values that may exceed int64, now that more is known of the arguments."""
        for statement in self.look(node).body:
            for part in ast.walk(statement):
                if not isinstance(part, ast.GeneratorExp):  # checked with the builtin that consumes it
                    self.check_width(part)

    def runs(self, source: ast.expr) -> bool:
        """Whether a loop has at least one iteration."""
        match self.members(source):
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return bool(items)
            case ast.Name() | ast.Attribute():
                found = self.static(source)
                if found is Missing and isinstance(source, ast.Attribute):
                    found = self.constant(source)
                return isinstance(found, tuple | list | range | np.ndarray) and len(found) > 0
            case ast.Call(func=function, args=[first, *_] as arguments, keywords=[]):
                called = self.static(function)
                if called in (enumerate, reversed):
                    return self.runs(first)
                if called is zip:
                    return all(map(self.runs, arguments))
                numbers = [self.number(a) for a in arguments]
                if called is range and all(isinstance(n, int) for n in numbers) and 0 not in numbers[2:]:
                    return len(range(*numbers)) > 0  # type: ignore[arg-type]
        return False

    # --- yields ----------------------------------------------------------------------------------------

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Yield):
            if node.value.value is None:
                raise self.error(node, "yield without a value", "yield an int, the action")
            self.refuse_wide(node.value.value)
            return self.write(self.visit(node.value.value), ast.Constant(1))
        if isinstance(node.value, ast.YieldFrom):
            return self.yield_from(node.value.value)
        if isinstance(node.value, ast.Constant):
            return None  # a docstring
        return self.generic_visit(node)

    def visit_Yield(self, node: ast.Yield) -> Any:
        raise self.error(
            node, "yield inside an expression cannot be compiled", "write `yield x` on its own line"
        )

    def visit_YieldFrom(self, node: ast.YieldFrom) -> Any:
        raise self.error(
            node, "yield from inside an expression cannot be compiled", "write it on its own line"
        )

    def write(self, value: ast.expr, step: ast.expr) -> list[ast.stmt]:
        """Store an action at the position, if it is inside the memory, and advance by `step`."""
        full = ast.Compare(name(AT), [ast.Gt()], [name(END)])
        return [
            ast.If(full, [ast.Raise(name(self.program.native("TooManyActions")))], []),
            ast.Assign(
                [ast.Subscript(name(OUT), name(AT), ast.Store())],
                call(self.program.native("as_action"), value),
            ),
            assign(AT, ast.BinOp(name(AT), ast.Add(), step)),
        ]

    def yield_from(self, source: ast.expr) -> list[ast.stmt]:
        filled = self.filler_call(source, OUT, name(AT), name(END))
        if filled is not None:
            return [assign(AT, filled)]
        if isinstance(source, ast.GeneratorExp | ast.ListComp):
            written = nest(source.generators, [ast.Expr(ast.Yield(source.elt))])
            return self.block([ast.fix_missing_locations(ast.copy_location(written, source))])
        item = self.fresh("item")
        self.locals.add(item)
        loop = ast.For(store(item), source, [ast.Expr(ast.Yield(name(item)))], [])
        return self.block([ast.fix_missing_locations(ast.copy_location(loop, source))])

    def visit_If(self, node: ast.If) -> Any:
        only = node.body[0] if len(node.body) == 1 and not node.orelse else None
        if isinstance(only, ast.Expr) and isinstance(only.value, ast.Yield) and only.value.value is not None:
            self.refuse_wide(only.value.value)
            value = self.visit(only.value.value)
            if ENABLED and self.harmless(value):  # interpreted, an unset name would be an error
                step = self.fresh("step")
                truth = ast.IfExp(self.visit(node.test), ast.Constant(1), ast.Constant(0))
                return [assign(step, truth), *self.write(value, name(step))]
            return ast.If(self.visit(node.test), self.write(value, ast.Constant(1)), [])
        return ast.If(self.visit(node.test), self.block(node.body), self.block(node.orelse))

    def visit_While(self, node: ast.While) -> Any:
        return ast.While(self.visit(node.test), self.block(node.body), self.block(node.orelse))

    def harmless(self, value: ast.expr) -> bool:
        """Whether an expression may be evaluated unnecessarily: it is cheap and cannot fail."""
        match value:
            case ast.Constant() | ast.Name():
                return True
            case ast.Attribute(value=ast.Name(id=base)):
                return base == self.self_name
            case ast.BinOp(left, ast.LShift() | ast.RShift(), ast.Constant()):
                return self.harmless(left)
            case ast.BinOp(
                left, ast.Add() | ast.Sub() | ast.Mult() | ast.BitAnd() | ast.BitOr() | ast.BitXor(), right
            ):
                return self.harmless(left) and self.harmless(right)
        return False

    def visit_Return(self, node: ast.Return) -> Any:
        if not self.fills:
            return self.generic_visit(node)
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            raise self.error(node, "a generator cannot return a value", "yield the values")
        return ast.Return(name(AT))

    # --- loops -----------------------------------------------------------------------------------------

    def visit_For(self, node: ast.For) -> Any:
        source = node.iter
        if isinstance(source, ast.Call) and self.static(source.func) is words.bits:
            return self.loop_over_bits(node, source)
        if isinstance(source, ast.Call) and self.static(source.func) is reversed and len(source.args) == 1:
            node.iter = self.backwards(self.members(source.args[0]))
        buffer = self.fresh("buffer")
        limit = self.program.limit
        filled = self.filler_call(source, buffer, ast.Constant(0), ast.Constant(limit))
        if filled is None:
            if isinstance(source, ast.List):
                node.iter = ast.copy_location(ast.Tuple(source.elts, ast.Load()), source)
            items = self.items(node.iter)
            return ast.For(node.target, items, self.block(node.body), self.block(node.orelse))
        count, index = self.fresh("count"), self.fresh("index")
        item = ast.Assign([node.target], ast.Subscript(name(buffer), name(index), ast.Load()))
        return [
            assign(buffer, call(self.program.native("scratch"), ast.Constant(limit + 1))),
            assign(count, filled),
            ast.For(
                store(index),
                call(self.program.native("range"), name(count)),
                [item, *self.block(node.body)],
                self.block(node.orelse),
            ),
        ]

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        node.iter, source = ast.Constant(0), node.iter
        new = self.generic_visit(node)
        new.iter = self.items(source)
        return new

    def items(self, source: ast.expr) -> ast.expr:
        """A loop's iterable; Numba cannot loop over an empty tuple, whose item type is unknown."""
        new = self.visit(self.members(source))
        is_empty = isinstance(new, ast.Tuple) and not new.elts
        return call(self.program.native("range"), ast.Constant(0)) if is_empty else new

    def loop_over_bits(self, node: ast.For, source: ast.Call) -> list[ast.stmt]:
        left = self.fresh("left")
        lowest = ast.Assign([node.target], call(self.program.native("some_lsb"), name(left)))
        wrap = self.program.native("wrap")  # clearing bit 63, the sign, needs 64-bit arithmetic
        without = ast.BinOp(name(left), ast.BitAnd(), ast.BinOp(name(left), ast.Sub(), ast.Constant(1)))
        return [
            assign(left, call(wrap, self.visit(source.args[0]))),
            ast.While(
                ast.Compare(name(left), [ast.NotEq()], [ast.Constant(0)]),
                [lowest, assign(left, call(wrap, without)), *self.block(node.body)],
                self.block(node.orelse),
            ),
        ]

    def backwards(self, source: ast.expr) -> ast.expr:
        """The iterable of `reversed(source)`."""
        if isinstance(source, ast.Call) and self.static(source.func) is range and len(source.args) <= 2:
            first = source.args[0] if len(source.args) == 2 else ast.Constant(0)
            minus = lambda e: ast.BinOp(e, ast.Sub(), ast.Constant(1))  # noqa: E731
            new = ast.Call(source.func, [minus(source.args[-1]), minus(first), ast.Constant(-1)], [])
        elif isinstance(source, ast.Call):
            raise self.error(
                source, "reversed() of this cannot be compiled", "count down with range(a, b, -1)"
            )
        else:
            new = ast.Subscript(source, ast.Slice(None, None, ast.Constant(-1)), ast.Load())  # type: ignore[assignment]
        return ast.fix_missing_locations(ast.copy_location(new, source))
