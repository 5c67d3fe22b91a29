"""Calls: of methods and helpers, of the game's class, and of builtins that consume a generator."""

import ast
import builtins
import types
from typing import Any

from outplay import words
from outplay.compile.arithmetic import CHECKED, OF_TWO
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import TWINS
from outplay.compile.source import Missing, plain
from outplay.compile.syntax import call, consumer, name, store
from outplay.compile.values import Values

CONSUMERS = (any, all, sum, min, max, len, next, list, sorted, tuple, set, frozenset)
RUNNING_OVER = (*CONSUMERS, enumerate, zip, reversed)  # they only iterate over their arguments


class Calls(Values):
    """Rewrites calls."""

    def method(self, node: ast.Call) -> Any:
        """The function of the game's class that `x.method(...)` calls, if x is not a module, class or tuple."""
        function = node.func
        if isinstance(function, ast.Attribute) and self.static(function.value) is Missing:
            member = self.program.members.get(function.attr)
            wrapped = hasattr(member, "__wrapped__") and not isinstance(member, classmethod)
            if isinstance(member, types.FunctionType | staticmethod) or wrapped:
                return None if self.is_of_tuple(node, plain(member)) else member
        return None

    def is_of_tuple(self, node: ast.Call, member: types.FunctionType) -> bool:
        """Whether this calls tuple's own `count` or `index`, names that the class may define too."""
        assert isinstance(node.func, ast.Attribute)
        if node.func.attr not in ("count", "index"):
            return False
        owner = node.func.value
        is_field = isinstance(owner, ast.Attribute) and owner.attr in self.program.cls._fields
        return is_field or len(node.args) + len(node.keywords) >= member.__code__.co_argcount

    def callee(self, node: ast.Call) -> tuple[Any, bool]:
        member = self.method(node)
        function = plain(self.static(node.func) if member is None else member)
        if not isinstance(function, types.FunctionType) or function in TWINS or function is words.bits:
            return None, False
        return function, member is not None and not isinstance(member, staticmethod)

    def filler_call(self, node: ast.expr, out: str, at: ast.expr, end: ast.expr) -> ast.expr | None:
        """The call of a generator, with the memory that it fills; None if the node is something else."""
        if not isinstance(node, ast.Call):
            return None
        member = self.method(node)
        target = member if member is not None else self.static(node.func)
        function = plain(target)
        if not isinstance(function, types.FunctionType) or not self.program.fills(function):
            return None
        if function is words.bits:
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
        if target in RUNNING_OVER:
            node.args = [self.members(argument) for argument in node.args]
        if callable(target) and target in CHECKED:
            self.check_arguments(node, 2 if target in OF_TWO else 1)
        self.check_call(node, target)
        if target is len and len(node.args) == 1 and (size := self.group_size(node.args[0])) is not None:
            return ast.copy_location(ast.Constant(size), node)
        if target is self.program.cls or self.is_own_class(node.func):
            return self.build(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "_replace" and target is Missing:
            return self.replace(node)
        member = self.method(node)
        bound = member is not None and not isinstance(member, staticmethod)
        self.hand_on_weights(node, plain(target if member is None else member), bound)
        if member is not None:
            return self.call_method(node, member)
        if isinstance(node.func, ast.Attribute) and target is Missing:
            if node.func.attr in ("bit_count", "bit_length") and not node.args:
                return call(self.program.native(node.func.attr), self.visit(node.func.value))
            if node.func.attr == "count" and len(node.args) == 1:
                return call(
                    self.program.native("count"), self.visit(node.func.value), self.visit(node.args[0])
                )
        if target is range and not node.keywords:
            return self.counted(node)
        if target is pow and len(node.args) == 2 and not node.keywords:
            return self.visit(ast.copy_location(ast.BinOp(node.args[0], ast.Pow(), node.args[1]), node))
        if target is not Missing and not isinstance(node.func, ast.Call):
            consumed = self.consume(node, target)
            if consumed is not None:
                return consumed
            if self.program.fills(plain(target)) and target is not words.bits:
                return self.listed(node, plain(target))
            if target in (words.bits, reversed):
                raise self.error(node, f"{target.__name__}() outside a loop", "loop over it with `for`")
            if target in vars(builtins).values():
                self.check_keywords(node, target)
            if target in (min, max) and len(node.args) == 1 and ENABLED:
                several = call(self.program.native("several"), self.visit(node.args[0]))
                return ast.copy_location(ast.Call(self.visit(node.func), [several], []), node)
        return self.generic_visit(node)

    def check_call(self, node: ast.Call, target: Any) -> None:
        """Refuse calls that no rule may make."""
        if isinstance(target, int | float | tuple | list | str):
            what = f"{ast.unparse(node.func)} is a {type(target).__name__}, not a function"
            raise self.error(node, what, "give it another name")
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            raise self.error(node, "* and ** cannot be compiled", "write the arguments out")
        if not isinstance(node.func, ast.Attribute):
            return
        if isinstance(self.static(node.func.value), list | dict | set):
            what = f"{ast.unparse(node.func)}() uses data outside the state"
            raise self.error(node, what, "keep it in a field of the state")
        if isinstance(self.program.members.get(node.func.attr), classmethod):
            raise self.error(node, f"{node.func.attr} is a class method", "make it a @staticmethod")

    def counted(self, node: ast.Call) -> ast.expr:
        """range(...) with ints only; Numba would silently truncate floats."""
        ints = [
            self.visit(a)
            if isinstance(self.number(a), int)
            else call(self.program.native("as_index"), self.visit(a))
            for a in node.args
        ]
        return ast.copy_location(ast.Call(self.visit(node.func), ints, []), node)

    def check_arguments(self, node: ast.Call, count: int) -> None:
        """Check the number of arguments of a numeric function."""
        if len(node.args) != count or node.keywords:
            called = ast.unparse(node.func)
            cure = {"round": "write round(x * 100) / 100", "math.log": "write math.log(x) / math.log(base)"}
            raise self.error(
                node,
                f"{called}() takes {count} number{'s' * (count > 1)} here",
                cure.get(called, "write the arguments out"),
            )

    def takes_words(self, function: ast.expr) -> bool:
        """Whether a function's arguments become machine words: those of new states and of methods do, too."""
        target = self.static(function)
        is_replace = isinstance(function, ast.Attribute) and function.attr == "_replace" and target is Missing
        builds = target is self.program.cls or self.is_own_class(function)
        is_method = (
            isinstance(function, ast.Attribute)
            and target is Missing
            and function.attr in self.program.members
        )
        return builds or is_replace or is_method or super().takes_words(function)

    def check_keywords(self, node: ast.Call, target: Any) -> None:
        """Builtins take their arguments by position here."""
        if target in (sum, enumerate) and [k.arg for k in node.keywords] == ["start"]:
            node.args, node.keywords = [*node.args, node.keywords[0].value], []
        for keyword in node.keywords:
            if target is not sorted or keyword.arg != "reverse":
                raise self.error(
                    node, f"{target.__name__}() with {keyword.arg}= cannot be compiled", "write a loop"
                )

    def group_size(self, node: ast.expr) -> int | None:
        """How many numbers `weights.NAME` has, if the node is that."""
        if not isinstance(node, ast.Attribute) or not self.is_weights(node.value):
            return None
        span = self.program.layout().get(node.attr)
        return span.size if span is not None else None

    def call_method(self, node: ast.Call, member: Any) -> ast.expr:
        assert isinstance(node.func, ast.Attribute)
        function = plain(member)
        if self.program.fills(function):
            return self.listed(node, function)
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
                    node,
                    f"{keyword.arg} is not a field, or given twice",
                    f"use one of its fields ({', '.join(cls._fields)})",
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
        """x._replace(field=value): a new state with x's other fields."""
        assert isinstance(node.func, ast.Attribute)
        cls: Any = self.program.cls
        changed = {k.arg: k.value for k in node.keywords}
        for field in changed:
            if field not in cls._fields:
                raise self.error(
                    node, f"{field} is not a field", f"use one of its fields ({', '.join(cls._fields)})"
                )
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

    # --- any, all, sum, min, max, len, next, list, sorted over a generator -------------------------------

    def consume(self, node: ast.Call, target: Any) -> ast.expr | None:
        """A builtin that consumes a generator, as a helper function with a loop; None if it is something else."""
        if target not in CONSUMERS or not node.args:
            return None
        source, *more = node.args
        inner = self.inside_list(source) if target is len else None
        if inner is not None:
            source = inner
        elif not self.is_generator(source):
            with_default = target in (min, max) and [k.arg for k in node.keywords] == ["default"]
            if more or target not in (any, all) and not with_default:  # Numba has neither for a tuple
                return None
        elif target is len and not self.is_sequence(source):
            raise self.error(node, "a generator has no len()", "write len(list(...))")
        elif target is next and self.is_sequence(source):
            raise self.error(node, "next() of a sequence cannot be compiled", "index it: [0]")
        if target in (tuple, set, frozenset):
            raise self.error(
                node,
                f"{target.__name__}() of a generator cannot be compiled",
                "use put(t, i, v), or list(...)",
            )
        default = more.pop(0) if more and target in (next, sum) else None
        taken = "start" if target is sum else "default" if target in (min, max) else None
        for keyword in node.keywords if target is not sorted else ():
            if keyword.arg != taken or default is not None:
                raise self.error(
                    node, f"{target.__name__}() with {keyword.arg}= cannot be compiled", "write a loop"
                )
            default = keyword.value
        if more:
            raise self.error(
                node, f"{target.__name__}() of a generator takes no more than that", "write a loop"
            )
        if not isinstance(source, ast.GeneratorExp | ast.ListComp):
            source = self.each_of(source)
        if target in (sorted, list):
            self.keep_open(source)
        if target is sorted:
            self.check_keywords(node, sorted)
            items = self.lift("list", consumer("list", source, None), node, {})
            return ast.Call(self.visit(node.func), [items], [self.visit(k) for k in node.keywords])
        return self.lift(target.__name__, consumer(target.__name__, source, default), node, {})

    def each_of(self, source: ast.expr) -> ast.GeneratorExp:
        """(x for x in source)"""
        item = self.fresh("each")
        return ast.GeneratorExp(name(item), [ast.comprehension(store(item), source, [], 0)])

    def inside_list(self, node: ast.expr) -> ast.expr | None:
        """The generator g of len(list(g)), len(tuple(g)) or len(sorted(g)), given the argument of len."""
        if isinstance(node, ast.Call) and self.static(node.func) in (list, tuple, sorted):
            if len(node.args) == 1 and not node.keywords and self.is_generator(node.args[0]):
                return node.args[0]
        return None

    def is_sequence(self, node: ast.expr) -> bool:
        """Whether a call compiled as a generator returns a list, a tuple or a range in plain Python."""
        if not isinstance(node, ast.Call):
            return False
        member = self.method(node)
        return self.program.gives_sequence(plain(member if member is not None else self.static(node.func)))

    def listed(self, node: ast.Call, function: types.FunctionType) -> ast.expr:
        """The sequence that `actions` returns, as a list."""
        if not self.program.gives_sequence(function):
            called = ast.unparse(node.func)
            raise self.error(
                node,
                f"the generator {called}() is used as a value",
                "loop over it with `for`, or write list(...)",
            )
        return self.lift("list", consumer("list", self.each_of(node), None), node, {})

    def is_generator(self, node: ast.expr) -> bool:
        if isinstance(node, ast.GeneratorExp):
            return True
        if not isinstance(node, ast.Call):
            return False
        member = self.method(node)
        function = plain(member if member is not None else self.static(node.func))
        return function is words.bits or self.program.fills(function)

    def keep_open(self, node: ast.GeneratorExp | ast.ListComp) -> None:
        """Hide constant tests from Numba: it would drop the append, and with it the list's type."""
        for generator in node.generators if ENABLED else ():
            generator.ifs = [call(self.program.native("truth"), test) for test in generator.ifs]

    def visit_ListComp(self, node: ast.ListComp) -> Any:
        self.keep_open(node)
        if any(self.is_generator(g.iter) for g in node.generators):
            return self.lift("list", consumer("list", node, None), node, {})
        return self.generic_visit(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        raise self.error(
            node, "a generator expression is used as a value", "use any/all/sum/min/max, or a loop"
        )

    def lift(self, what: str, body: list[ast.stmt], node: ast.expr, extra: dict[str, ast.expr]) -> ast.expr:
        """Move statements into a helper function; the locals that they read become its arguments."""
        module = ast.fix_missing_locations(ast.Module(body, []))
        for part in ast.walk(module):
            ast.copy_location(part, node)
        bound = {n.id for n in ast.walk(module) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        read = {n.id for n in ast.walk(module) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        needed = sorted((read & self.locals) - bound - set(extra))
        symbol = self.program.fresh_symbol(f"{self.function.__name__}_{what}")
        helper = type(self)(self.program, self.function, self.place, self.self_name, False)
        helper.locals = {*needed, *extra, *bound}
        helper.wide, helper.is_rule = set(self.wide), False
        helper.wide_names(module)
        helper.counter = self.counter + 1000
        arguments = ast.arguments([], [ast.arg(a) for a in [*needed, *extra]], None, [], [], None, [])
        new = ast.FunctionDef(symbol, arguments, helper.block(body), [])
        new = ast.fix_missing_locations(ast.copy_location(new, node))
        self.program.add_lifted(symbol, new, self.place)
        return call(symbol, *[name(n) for n in needed], *[self.visit(e) for e in extra.values()])
