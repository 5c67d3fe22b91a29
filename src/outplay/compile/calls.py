"""Calls: of methods and helpers, of the game's class, and of what eats a generator."""

import ast
import types
from typing import Any

import outplay.bits as plain_bits
from outplay.compile.source import Missing, plain
from outplay.compile.syntax import call, consumer, name, store
from outplay.compile.values import Values


class Calls(Values):
    """Rewrites calls."""

    def method(self, node: ast.expr) -> Any:
        """The function of the game's class that `x.method` names, if x is not a module or class."""
        if isinstance(node, ast.Attribute) and self.static(node.value) is Missing:
            member = self.program.members.get(node.attr)
            if isinstance(member, types.FunctionType | staticmethod) or hasattr(member, "__wrapped__"):
                return member
        return None

    def filler_call(self, node: ast.expr, out: str, at: ast.expr, end: ast.expr) -> ast.expr | None:
        """The call of a generator, with the memory to fill; None if node is something else."""
        if not isinstance(node, ast.Call):
            return None
        member = self.method(node.func)
        target = member if member is not None else self.static(node.func)
        function = plain(target)
        if not isinstance(function, types.FunctionType) or not self.program.fills(function):
            return None
        if function is plain_bits.bits:
            return None
        self.hand_on_weights(node, function, member is not None and not isinstance(member, staticmethod))
        arguments = [self.visit(a) for a in node.args]
        if member is not None and not isinstance(member, staticmethod):
            assert isinstance(node.func, ast.Attribute)
            arguments.insert(0, self.visit(node.func.value))
        if node.keywords:
            raise self.error(node, "a generator is called with keywords", "pass the arguments by position")
        return call(self.program.include(function), *arguments, name(out), at, end)

    def visit_Call(self, node: ast.Call) -> Any:
        target = self.static(node.func)
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            raise self.error(node, "* and ** cannot be compiled", "write the arguments out")
        if target is len and len(node.args) == 1 and (size := self.group_size(node.args[0])) is not None:
            return ast.copy_location(ast.Constant(size), node)
        if target is self.program.cls or self.is_own_class(node.func):
            return self.build(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "_replace" and target is Missing:
            return self.replace(node)
        if isinstance(node.func, ast.Attribute) and isinstance(
            self.static(node.func.value), list | dict | set
        ):
            raise self.error(
                node,
                f"{ast.unparse(node.func)}() uses what lies outside the state",
                "keep it in a field of the state",
            )
        member = self.method(node.func)
        bound = member is not None and not isinstance(member, staticmethod)
        self.hand_on_weights(node, plain(target if member is None else member), bound)
        if member is not None:
            return self.call_method(node, member)
        if isinstance(node.func, ast.Attribute) and isinstance(
            self.program.members.get(node.func.attr), classmethod
        ):
            raise self.error(node, f"{node.func.attr} is a class method", "make it a @staticmethod")
        if isinstance(node.func, ast.Attribute) and target is Missing:
            if node.func.attr in ("bit_count", "bit_length") and not node.args:
                return call(self.program.native(node.func.attr), self.visit(node.func.value))
        if target is not Missing and not isinstance(node.func, ast.Call):
            consumed = self.consume(node, target)
            if consumed is not None:
                return consumed
            if self.program.fills(plain(target)) and target is not plain_bits.bits:
                raise self.error(node, "a generator is used as a value", "loop over it with `for`")
            if target in (plain_bits.bits, reversed):
                raise self.error(node, f"{target.__name__}() outside a loop", "loop over it with `for`")
        return self.generic_visit(node)

    def group_size(self, node: ast.expr) -> int | None:
        """How many numbers `weights.NAME` has, if that is what the node is."""
        if not isinstance(node, ast.Attribute) or not self.is_weights(node.value):
            return None
        span = self.program.layout().get(node.attr)
        return span.size if span is not None else None

    def call_method(self, node: ast.Call, member: Any) -> ast.expr:
        assert isinstance(node.func, ast.Attribute)
        function = plain(member)
        if self.program.fills(function):
            raise self.error(node, f"{node.func.attr}() is used as a value", "loop over it with `for`")
        bound = [] if isinstance(member, staticmethod) else [self.visit(node.func.value)]
        arguments = [self.visit(a) for a in node.args]
        keywords = [ast.keyword(k.arg, self.visit(k.value)) for k in node.keywords]
        return ast.Call(name(self.program.include(function)), [*bound, *arguments], keywords)

    def is_own_class(self, node: ast.expr) -> bool:
        """type(self) or self.__class__."""
        match node:
            case ast.Call(func=ast.Name(id="type"), args=[ast.Name(id=inner)]):
                return inner == self.self_name
            case ast.Attribute(value=ast.Name(id=inner), attr="__class__"):
                return inner == self.self_name
        return False

    def build(self, node: ast.Call) -> ast.expr:
        """A new state: every field given or its default, each wrapped."""
        cls: Any = self.program.cls
        given: dict[str, ast.expr] = dict(zip(cls._fields, [self.visit(a) for a in node.args], strict=False))
        if len(node.args) > len(cls._fields):
            raise self.error(
                node, f"{cls.__name__} has {len(cls._fields)} fields", "drop the extra arguments"
            )
        for keyword in node.keywords:
            if keyword.arg not in cls._fields or keyword.arg in given:
                raise self.error(
                    node, f"{keyword.arg} is no field, or given twice", f"fields: {', '.join(cls._fields)}"
                )
            given[str(keyword.arg)] = self.visit(keyword.value)
        for field in cls._fields:
            if field not in given:
                if field not in cls._field_defaults:
                    raise self.error(node, f"no value for the field {field}", "give one")
                given[field] = self.literal(cls._field_defaults[field])
        wrapped = [call(self.program.native("wrap"), given[field]) for field in cls._fields]
        return call(self.program.native("State"), *wrapped)

    def replace(self, node: ast.Call) -> ast.expr:
        """x._replace(field=value) as the building of a state from x's other fields."""
        assert isinstance(node.func, ast.Attribute)
        cls: Any = self.program.cls
        changed = {k.arg: k.value for k in node.keywords}
        for field in changed:
            if field not in cls._fields:
                raise self.error(node, f"{field} is no field", f"fields: {', '.join(cls._fields)}")
        base = node.func.value
        if isinstance(base, ast.Name):
            made = [
                call(self.program.native("wrap"), self.visit(changed[field]))
                if field in changed
                else ast.Attribute(self.visit(base), field, ast.Load())
                for field in cls._fields
            ]
            return call(self.program.native("State"), *made)
        inner = self.fresh("state")
        renamed = ast.Call(ast.Attribute(name(inner), "_replace", ast.Load()), [], node.keywords)
        return self.lift("replace", [ast.Return(renamed)], node, {inner: base})

    # --- any, all, sum, min, max, next, list over a generator --------------------------------------------

    def consume(self, node: ast.Call, target: Any) -> ast.expr | None:
        """A builtin that eats a generator, as a helper function with a loop; None if it is something else."""
        if target not in (any, all, sum, min, max, next, list, len, sorted, tuple, set) or not node.args:
            return None
        source = node.args[0]
        if target is len and isinstance(source, ast.Call) and self.static(source.func) in (list, tuple):
            inner = source.args[0] if source.args else None
            if inner is not None and self.is_generator(inner):
                loops = [ast.comprehension(store(self.fresh("each")), inner, [], 0)]
                one = ast.GeneratorExp(
                    ast.Constant(1), inner.generators if isinstance(inner, ast.GeneratorExp) else loops
                )
                return self.visit_Call(ast.copy_location(ast.Call(name("sum"), [one], []), node))
        if not self.is_generator(source):
            if target in (any, all) and len(node.args) == 1:
                pass  # over a sequence: Numba has no any() of a tuple
            else:
                return None
        if target in (tuple, set, sorted):
            raise self.error(
                node, f"{target.__name__}() of a generator cannot be compiled", "use put(t, i, v)"
            )
        default = node.args[1] if target is next and len(node.args) == 2 else None
        for keyword in node.keywords:
            if keyword.arg != "default" or target not in (min, max):
                raise self.error(
                    node, f"{target.__name__}() with {keyword.arg}= cannot be compiled", "write a loop"
                )
            default = keyword.value
        if not isinstance(source, ast.GeneratorExp | ast.ListComp):
            item = self.fresh("each")
            source = ast.GeneratorExp(name(item), [ast.comprehension(store(item), source, [], 0)])
        if target is sum and len(node.args) == 2:
            default = node.args[1]
        return self.lift(target.__name__, consumer(target.__name__, source, default), node, {})

    def is_generator(self, node: ast.expr) -> bool:
        if isinstance(node, ast.GeneratorExp):
            return True
        if not isinstance(node, ast.Call):
            return False
        member = self.method(node.func)
        function = plain(member if member is not None else self.static(node.func))
        return function is plain_bits.bits or self.program.fills(function)

    def visit_ListComp(self, node: ast.ListComp) -> Any:
        if any(self.is_generator(g.iter) for g in node.generators):
            return self.lift("list", consumer("list", node, None), node, {})
        for generator in node.generators:
            self.locals |= {n.id for n in ast.walk(generator.target) if isinstance(n, ast.Name)}
        return self.generic_visit(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        raise self.error(
            node, "a generator expression is used as a value", "use any/all/sum/min/max, or a loop"
        )

    def lift(self, what: str, body: list[ast.stmt], node: ast.expr, extra: dict[str, ast.expr]) -> ast.expr:
        """Move statements into a helper function of their own; the locals they read become its arguments."""
        module = ast.fix_missing_locations(ast.Module(body, []))
        for part in ast.walk(module):
            ast.copy_location(part, node)
        bound = {n.id for n in ast.walk(module) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        read = {n.id for n in ast.walk(module) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        needed = sorted((read & self.locals) - bound - set(extra))
        symbol = self.program.fresh_symbol(f"{self.function.__name__}_{what}")
        helper = type(self)(self.program, self.function, self.place, self.self_name, False)
        helper.locals = {*needed, *extra, *bound}
        helper.counter = self.counter + 1000
        arguments = ast.arguments([], [ast.arg(a) for a in [*needed, *extra]], None, [], [], None, [])
        new = ast.FunctionDef(symbol, arguments, helper.block(body), [])
        self.program.add_lifted(symbol, ast.fix_missing_locations(ast.copy_location(new, node)), self.place)
        return call(symbol, *[name(n) for n in needed], *[self.visit(e) for e in extra.values()])
