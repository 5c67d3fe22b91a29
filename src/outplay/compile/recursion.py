"""Functions that call themselves count how deep they are: without end they would use up the machine's stack.

`f(a, b)` becomes `f_again(depth, a, b)`, which raises a RecursionError beyond its bound, and calls itself with
`depth + 1`. What stays of `f` calls it with 0, so that nobody else need know. Other functions pay nothing.
"""

import ast
import copy

from outplay.compile.syntax import PREFIX, call, name

DEEPEST = 1000  # calls within calls, as in Python
STACK = 1 << 21  # bytes of the machine's stack that one function may use up
FRAME = 1 << 10  # bytes that a call may take beside its buffers

DEPTH = PREFIX + "depth"


def calls_itself(node: ast.FunctionDef) -> bool:
    return any(isinstance(part, ast.Name) and part.id == node.name for part in ast.walk(node))


def deepest(words: int) -> int:
    """How often a function with buffers of so many words may call itself in itself."""
    return min(DEEPEST, STACK // (FRAME + 8 * words))


def counted(node: ast.FunctionDef, most: int, error: str) -> list[ast.FunctionDef]:
    """A function that calls itself as one that counts how deep it is, and one that begins; it raises `error`."""
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
    """Calls of a function by itself, one deeper."""

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id != self.old:
            return node
        deeper = ast.BinOp(name(DEPTH), ast.Add(), ast.Constant(1))
        made = ast.Call(name(self.new), [deeper, *node.args], node.keywords)
        return ast.fix_missing_locations(ast.copy_location(made, node))
