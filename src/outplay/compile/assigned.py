"""Definite assignment: does every path set a local before it is read?

Python raises UnboundLocalError; compiled code would silently use whatever value the variable has.
"""

import ast
from collections.abc import Callable
from typing import Any

from outplay.compile.syntax import bound_names, local_names

Known = frozenset[str] | None  # the names that have a value on every path; None: unreachable


def meet(*paths: Known) -> Known:
    """What is known where several paths join."""
    taken = [path for path in paths if path is not None]
    return frozenset.intersection(*taken) if taken else None


class Assigned:
    """Walks through a function; `unset` is the first name that may be read before it is set, or None.

    `runs(iterable)` says whether a loop over it has at least one iteration.
    """

    def __init__(self, function: ast.FunctionDef, runs: Callable[[ast.expr], bool]) -> None:
        self.locals = local_names(function)
        self.runs = runs
        self.unset: ast.Name | None = None
        self.breaks: list[list[Known]] = []
        self.continues: list[list[Known]] = []
        self.block(function.body, frozenset(a.arg for a in function.args.args))

    def block(self, statements: list[ast.stmt], known: Known) -> Known:
        for statement in statements:
            if known is None:
                break
            known = self.statement(statement, known)
        return known

    def statement(self, node: ast.stmt, known: frozenset[str]) -> Known:
        match node:
            case ast.If(test, body, orelse):
                self.read(test, known)
                return meet(self.block(body, known), self.block(orelse, known))
            case ast.While(test, body, orelse):
                self.read(test, known)
                endless = isinstance(test, ast.Constant) and bool(test.value)
                _, breaks = self.loop(body, known)
                return meet(*breaks, None if endless else self.block(orelse, known))
            case ast.For(target, source, body, orelse):
                self.read(source, known)
                ends, breaks = self.loop(body, known | bound_names(target))
                exhausted = meet(*ends) if self.runs(source) else known
                return meet(*breaks, None if exhausted is None else self.block(orelse, exhausted))
            case ast.Match(subject, cases):
                return self.match(subject, cases, known)
            case ast.Break():
                self.breaks[-1].append(known)
                return None
            case ast.Continue():
                self.continues[-1].append(known)
                return None
            case ast.AnnAssign(target, _, value):  # Python does not evaluate a local's annotation
                if value is None:
                    return known
                self.read(value, known)
                return known | bound_names(target)
            case ast.AugAssign(target, _, value):
                self.read(value, known)
                if isinstance(target, ast.Name):
                    self.name(target, known)
        self.read(node, known)
        is_over = isinstance(node, ast.Return | ast.Raise) or (
            isinstance(node, ast.Assert) and isinstance(node.test, ast.Constant) and not node.test.value
        )
        return None if is_over else known | bound_names(node)

    def loop(self, body: list[ast.stmt], known: frozenset[str]) -> tuple[list[Known], list[Known]]:
        """What is known where an iteration ends, and where the loop is left."""
        self.breaks.append([])
        self.continues.append([])
        end = self.block(body, known)
        return [end, *self.continues.pop()], self.breaks.pop()

    def match(self, subject: ast.expr, cases: list[ast.match_case], known: frozenset[str]) -> Known:
        self.read(subject, known)
        ends: list[Known] = []
        for case in cases:
            self.read(case.pattern, known)
            inside = known | bound_names(case.pattern)
            if case.guard is not None:
                self.read(case.guard, inside)
            ends.append(self.block(case.body, inside))
            takes_all = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
            if takes_all and case.guard is None:
                return meet(*ends)
        return meet(*ends, known)

    def read(self, node: Any, known: frozenset[str]) -> None:
        """Check the names that a node reads; comprehensions set their own variables."""
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            for generator in node.generators:
                self.read(generator.iter, known)
                known |= bound_names(generator.target)
                for test in generator.ifs:
                    self.read(test, known)
            self.read(node.elt, known)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            self.name(node, known)
        else:
            for part in ast.iter_child_nodes(node):
                self.read(part, known)

    def name(self, node: ast.Name, known: frozenset[str]) -> None:
        if node.id in self.locals and node.id not in known and self.unset is None:
            self.unset = node
