"""Recursive functions count their depth, since endless recursion would overflow the machine's stack.

`f(a, b)` becomes `f_again(depth, a, b)`, which raises RecursionError beyond its bound and calls itself with
`depth + 1`. `f` itself only calls it with depth 0, so callers do not change. Other functions cost nothing extra.
"""

import ast
import copy

from outplay.compile.syntax import PREFIX, call, name

DEEPEST = 1000  # the greatest recursion depth, as in Python
STACK = 1 << 21  # bytes of machine stack that one function may use
FRAME = 1 << 10  # bytes that a call may use apart from its buffers

DEPTH = PREFIX + "depth"


def calls_itself(node: ast.FunctionDef) -> bool:
    return any(isinstance(part, ast.Name) and part.id == node.name for part in ast.walk(node))


def deepest(words: int) -> int:
    """The greatest recursion depth of a function with buffers of so many words."""
    return min(DEEPEST, STACK // (FRAME + 8 * words))


def counted(node: ast.FunctionDef, most: int, error: str) -> list[ast.FunctionDef]:
    """A recursive function as two: one counts its depth and may raise `error`, the other starts it."""
    again = copy.deepcopy(node)
    again.name = f"{node.name}_again"
    again.args.args.insert(0, ast.arg(DEPTH))
    again = _Deeper(node.name, again.name).visit(again)
    too_deep = ast.Compare(name(DEPTH), [ast.GtE()], [ast.Constant(most)])
    again.body.insert(0, ast.copy_location(ast.If(too_deep, [ast.Raise(name(error))], []), node))
    given = [name(argument.arg) for argument in node.args.args]
    begun = ast.Return(call(again.name, ast.Constant(0), *given))
    begins = ast.FunctionDef(node.name, node.args, [begun], [])
    made = [again, begins]
    return [ast.fix_missing_locations(ast.copy_location(function, node)) for function in made]


class _Deeper(ast.NodeTransformer):
    """Passes `depth + 1` in recursive calls."""

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id != self.old:
            return node
        deeper = ast.BinOp(name(DEPTH), ast.Add(), ast.Constant(1))
        made = ast.Call(name(self.new), [deeper, *node.args], node.keywords)
        return ast.fix_missing_locations(ast.copy_location(made, node))
