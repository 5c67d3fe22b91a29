"""Small pieces of syntax trees, and the loops that comprehensions stand for."""

import ast
from typing import Any

PREFIX = "_outplay_"


def name(id: str) -> ast.Name:
    return ast.Name(id, ast.Load())


def store(id: str) -> ast.Name:
    return ast.Name(id, ast.Store())


def call(function: str, *args: ast.expr) -> ast.Call:
    return ast.Call(name(function), list(args), [])


def assign(id: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([store(id)], value)


def local_names(function: ast.FunctionDef) -> set[str]:
    """All names that are bound somewhere in the function."""
    names = {a.arg for a in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


class ReturnsToYields(ast.NodeTransformer):
    """`actions` that returns a sequence, as one that yields its items."""

    def visit_Return(self, node: ast.Return) -> Any:
        done = ast.copy_location(ast.Return(None), node)
        return [*(self.items(node.value) if node.value is not None else []), done]

    def items(self, value: ast.expr) -> list[ast.stmt]:
        made: ast.stmt
        match value:
            case ast.List(elts=items) | ast.Tuple(elts=items):
                statements: list[ast.stmt] = [ast.Expr(ast.Yield(item)) for item in items]
            case (
                ast.ListComp(elt=item, generators=generators)
                | ast.GeneratorExp(elt=item, generators=generators)
            ):
                made = nest(generators, [ast.Expr(ast.Yield(item))])
                statements = [made]
            case ast.IfExp(test=test, body=body, orelse=orelse):
                statements = [
                    ast.If(test, self.items(body) or [ast.Pass()], self.items(orelse) or [ast.Pass()])
                ]
            case ast.Call(func=ast.Name(id="list" | "tuple"), args=[inner]):
                statements = self.items(inner)
            case _:
                statements = [ast.Expr(ast.YieldFrom(value))]
        return [ast.fix_missing_locations(ast.copy_location(s, value)) for s in statements]


def nest(generators: list[ast.comprehension], innermost: list[ast.stmt]) -> ast.stmt:
    """The loops of a comprehension as statements."""
    body = innermost
    for generator in reversed(generators):
        for condition in reversed(generator.ifs):
            body = [ast.If(condition, body, [])]
        body = [ast.For(generator.target, generator.iter, body, [])]
    return body[0]


def consumer(what: str, source: Any, default: ast.expr | None) -> list[ast.stmt]:
    """The body of a function that does what the builtin does with the items of a comprehension."""
    total, found, value = PREFIX + "total", PREFIX + "found", PREFIX + "value"
    item = source.elt
    true, false = ast.Constant(True), ast.Constant(False)
    if what in ("any", "all"):
        test = item if what == "any" else ast.UnaryOp(ast.Not(), item)
        answer, otherwise = (true, false) if what == "any" else (false, true)
        return [nest(source.generators, [ast.If(test, [ast.Return(answer)], [])]), ast.Return(otherwise)]
    if what == "sum":
        add = ast.AugAssign(store(total), ast.Add(), item)
        return [
            assign(total, default or ast.Constant(0)),
            nest(source.generators, [add]),
            ast.Return(name(total)),
        ]
    if what == "next":
        last = ast.Return(default) if default is not None else ast.Raise(name("StopIteration"))
        return [nest(source.generators, [ast.Return(item)]), last]
    if what == "list":
        empty = ast.ListComp(
            ast.Constant(0), [ast.comprehension(store(value), call("range", ast.Constant(0)), [], 0)]
        )
        append = ast.Expr(ast.Call(ast.Attribute(name(total), "append", ast.Load()), [item], []))
        return [assign(total, empty), nest(source.generators, [append]), ast.Return(name(total))]
    better = ast.Compare(name(value), [ast.Lt() if what == "min" else ast.Gt()], [name(total)])
    keep = ast.If(
        ast.BoolOp(ast.Or(), [ast.UnaryOp(ast.Not(), name(found)), better]),
        [assign(total, name(value)), assign(found, true)],
        [],
    )
    last = ast.Return(default) if default is not None else ast.Raise(name("ValueError"))
    return [
        assign(total, ast.Constant(0)),
        assign(found, false),
        nest(source.generators, [assign(value, item), keep]),
        ast.If(name(found), [ast.Return(name(total))], []),
        last,
    ]
