"""Iterators: Python computes their items when they are asked for, and each once; compiled code computes all at once.

That comes to the same if an iterator is used once, and if nothing that it looks at changes before that. Otherwise the
class is left to plain Python.
"""

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from outplay.compile.natural.kinds import Cannot
from outplay.compile.natural.syntax import CHANGING, READING, free, leaves

CURE = "make a list of it: list(...)"


class Once(NamedTuple):
    """What an iterator depends on: the names that it looks at, and those whose values it changes."""

    looks: frozenset[str]
    changes: frozenset[str] = frozenset()
    again: bool = False  # whether it may be used several times, as d.keys()


class Use(NamedTuple):
    """What has been done since an iterator was made."""

    times: int = 0
    changed: bool = False


def root(node: ast.AST) -> str:
    """The name at the start of `grid[0][1].cells`."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def changed_by(
    nodes: Iterable[ast.AST], may_change: Callable[[str], bool], inner: dict[str, Any]
) -> set[str]:
    """The names that a piece of code sets, or whose values it may change; `inner` are the functions inside."""
    found: set[str] = set()
    for part in (each for node in nodes for each in ast.walk(node)):
        match part:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
                found.add(root(part))
            case ast.Call(func=ast.Attribute(value=owner, attr=attr)) if attr in CHANGING:
                found.add(root(owner))
        if isinstance(part, ast.Call):
            called = part.func.id if isinstance(part.func, ast.Name) else ""
            if called in inner:
                others = {name: node for name, node in inner.items() if name != called}
                found |= changed_by(inner[called].body, may_change, others)
            if called not in READING:
                found |= {a.id for a in part.args if isinstance(a, ast.Name) and may_change(a.id)}
    return found


class Watch:
    """Follows a name that means an iterator along all paths of a function."""

    def __init__(
        self, name: str, made: ast.AST, once: Once, changes: Callable[[Iterable[ast.AST]], set[str]]
    ) -> None:
        self.name, self.made, self.once, self.changes = name, made, once, changes

    def check(self, body: list[ast.stmt], use: Use | None = None) -> None:
        """Raise Cannot if it is not used well; `use` if the function is given it."""
        if not self.once.again and any(
            isinstance(test, ast.Name) and test.id == self.name for node in body for test in tests_in(node)
        ):
            raise Cannot(f"{self.name} is an iterator: it is true, whatever is in it", CURE)
        self.walk(body, use)

    def walk(self, body: list[ast.stmt], use: Use | None) -> Use | None:
        """What was done when a block ends; None if the name does not mean the iterator there."""
        for statement in body:
            use = self.step(statement, use)
        return use

    def step(self, node: ast.stmt, use: Use | None) -> Use | None:
        match node:
            case ast.If(test, one, two):
                use = self.look([test], use)
                ends = [self.walk(each, use) for each in (one, two) if not leaves(each)]
                return merged(ends)
            case ast.For(target, source, body, otherwise):
                use = self.look([source], use)
                if use is not None and self.names(source) and self.once.looks & self.changes(body):
                    raise Cannot(f"{self.name} is used while what it looks at changes", CURE)
                for _ in range(2):
                    use = merged([use, self.walk(body, self.change([target], use))])
                return self.walk(otherwise, use)
            case ast.While(test, body, otherwise):
                for _ in range(2):
                    use = merged([use, self.walk(body, self.look([test], use))])
                return self.walk(otherwise, self.look([test], use))
            case ast.Try(body, handlers, otherwise, final):
                after = self.walk(otherwise, self.walk(body, use))
                ends = [after, *[self.walk(h.body, merged([use, after])) for h in handlers]]
                return self.walk(final, merged(ends))
            case ast.Match(subject, cases):
                use = self.look([subject], use)
                ends = [
                    self.walk(case.body, self.look([case.guard] if case.guard else [], use)) for case in cases
                ]
                return merged([use, *ends])
            case ast.FunctionDef(name=name):
                if use is not None and self.names(node):
                    raise Cannot(f"{self.name} is an iterator, and a function inside uses it", CURE)
                return None if name == self.name else use
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Expr() if self.made in ast.walk(node):
                self.look([node.value] if node.value is not None else [], use)
                return Use()
            case ast.Assign(targets, value) if any(
                t.id == self.name for t in targets if isinstance(t, ast.Name)
            ):
                self.look([value], use)
                return None
        return self.look([node], use)

    def names(self, node: ast.AST) -> bool:
        return self.name in free(node)

    def look(self, nodes: list[Any], use: Use | None) -> Use | None:
        """An expression or a simple statement."""
        if use is None:
            if any(self.made in ast.walk(node) for node in nodes):
                use = Use(-sum(map(self.loads, nodes)))  # x := ...: what follows
            else:
                return None
        times = use.times + sum(map(self.loads, nodes))
        if times > 1 and not self.once.again:
            raise Cannot(f"{self.name} is an iterator, and used twice: then nothing is left of it", CURE)
        if times > use.times and use.changed:
            raise Cannot(f"{self.name} is used after what it looks at has changed", CURE)
        return self.change(nodes, use._replace(times=times))

    def change(self, nodes: list[Any], use: Use | None) -> Use | None:
        if use is None or not self.once.looks & self.changes(nodes):
            return use
        return use._replace(changed=True)

    def loads(self, node: ast.AST) -> int:
        """How often an expression looks at the name, at most."""
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                return int(name == self.name)
            case ast.IfExp(test, one, two):
                return self.loads(test) + max(self.loads(one), self.loads(two))
            case ast.Lambda():
                return 2 * self.names(node)
            case ast.GeneratorExp() | ast.ListComp() | ast.SetComp() | ast.DictComp():
                first = node.generators[0].iter
                loops = [
                    part for each in node.generators for part in (each.iter, *each.ifs) if part is not first
                ]
                made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
                return self.loads(first) + 2 * any(map(self.loads, (*loops, *made)))
        return sum(map(self.loads, ast.iter_child_nodes(node)))


def tests_in(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions of which a piece of code asks whether they are true."""
    for part in ast.walk(node):
        match part:
            case (
                ast.If(test)
                | ast.While(test)
                | ast.IfExp(test)
                | ast.UnaryOp(ast.Not(), test)
                | ast.Assert(test)
            ):
                yield test
            case ast.BoolOp(values=tests):
                yield from tests
            case ast.comprehension(ifs=tests):
                yield from tests
            case ast.Call(func=ast.Name("bool"), args=[test]):
                yield test


def either(one: Once | None, two: Once | None) -> Once | None:
    """What one of two values depends on."""
    if one is None or two is None:
        return one or two
    return Once(one.looks | two.looks, one.changes | two.changes, one.again and two.again)


def merged(uses: list[Use | None]) -> Use | None:
    """What may have been done on one of several paths."""
    known = [use for use in uses if use is not None]
    if not known:
        return None
    return Use(max(use.times for use in known), any(use.changed for use in known))
