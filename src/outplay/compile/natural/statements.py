"""Statements: if, loops, return, assignments, del, assert, match."""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from outplay.compile.natural import spans
from outplay.compile.natural.attempts import Leaving
from outplay.compile.natural.iterate import size_of_code
from outplay.compile.natural.kinds import (
    INT,
    UNKNOWN,
    Cannot,
    Dict,
    Items,
    Kind,
    Maybe,
    Record,
    Run,
    Set,
    is_known,
    is_lane,
    is_word,
    join,
    may_share,
    words,
)
from outplay.compile.natural.locals import Locals, Poisoned
from outplay.compile.natural.once import CURE
from outplay.compile.natural.syntax import is_orderless, leaves, loaded
from outplay.compile.natural.values import LIST, NOTHING, Value, Var

OTHERS = {  # statements that cannot be compiled, and what to write instead
    "With": ("with", "rules only compute; move it out of the rule"),
    "Global": ("global", "keep what changes in a field of the state"),
    "Nonlocal": ("nonlocal", "return the value, or keep it in a list"),
    "ClassDef": ("a class inside a rule", "move it to the top of the file"),
}


class Statements(Locals):
    """Compiles statements."""

    arrays: set[str]  # lists that never change their length
    own_lists: set[str]  # lists of which nothing else knows
    yields: Value  # the list of what a generator has yielded

    def give_back(self, value: Value) -> None:
        """Return a value."""
        raise NotImplementedError

    @contextmanager
    def scope(self, head: str) -> Iterator[None]:
        """A block on one path only."""
        self.nesting += 1
        self.sure.append(set())
        self.moved.append({})
        self.around.append(frozenset(self.env))
        ways_out = self.ways_out
        with self.block(head):
            yield
        self.nesting -= 1
        self.sure.pop()
        around = self.around.pop()
        for name, before in self.moved.pop().items():
            now = self.env.get(name)
            to_its_end = name not in around and self.ways_out == ways_out and not self.attempts
            if isinstance(now, Var) and now is not before and not to_its_end:
                self.env[name] = Poisoned(before.kind, now.kind)

    def statements(self, nodes: list[ast.stmt]) -> None:
        for node in nodes:
            self.line = node.lineno
            self.statement(node)
            if isinstance(node, ast.Return | ast.Break | ast.Continue | ast.Raise) or (
                isinstance(node, ast.Try) and leaves([node])
            ):
                break

    def statement(self, node: ast.stmt) -> None:
        found = getattr(self, f"do_{type(node).__name__}", None)
        if found is None:
            name, cure = OTHERS.get(type(node).__name__, (type(node).__name__, "remove it"))
            raise Cannot(f"{name} cannot be compiled", cure)
        found(node)
        if isinstance(node, ast.Try) and leaves([node]):
            self.plainly("raise AssertionError")  # unreachable

    def do_Assign(self, node: ast.Assign) -> None:
        if (
            isinstance(node.value, ast.Tuple)
            and isinstance(node.targets[0], ast.Tuple)
            and len(node.targets) == 1
        ):
            target = node.targets[0]
            plain_ = not any(isinstance(e, ast.Starred) for e in (*node.value.elts, *target.elts))
            if plain_ and len(node.value.elts) == len(target.elts):
                values = [self.expr(e) for e in node.value.elts]
                values = [v if v.fresh else self.held(v) for v in values]
                for each, value in zip(target.elts, values, strict=True):
                    self.bind(each, value)
                return
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            if self.begins(node.targets[0], node.value):
                return
        value = self.assigned(node.value, node.targets)
        if len(node.targets) > 1 and value.fresh:
            value = value._replace(fresh=False, origin=None)
            self.bind(node.targets[0], value._replace(fresh=True))
            for other in node.targets[1:]:
                self.bind(other, self.expr(loaded(node.targets[0])))
            return
        if not value.fresh:
            value = self.held(value)
        for each in node.targets:
            self.bind(each, value)

    def assigned(self, node: ast.expr, targets: list[ast.expr]) -> Value:
        """The assigned value; a list that only this function uses becomes an array."""
        (target,) = targets if len(targets) == 1 else (None,)
        if not isinstance(target, ast.Name) or target.id not in self.arrays:
            return self.cells(node)
        if isinstance(node, ast.Call) and self.static(node.func) is list:
            source = node.args[0]
            if isinstance(source, ast.Name | ast.Attribute | ast.Subscript):
                value = self.cells(source)
                if isinstance(value.kind, Run) and is_known(value.kind):
                    data, count, inner, size = self.lane(value)
                    made = self.copied(data, count, max(len(words(inner)), 1), size)
                    return Value(Run(inner, "array", size), (made, count))
        value = self.expr(node)
        if isinstance(value.kind, Run) and value.kind.type == "list" and value.fresh:
            data, count, inner = self.run(value)
            return Value(Run(inner, "array"), (data, count), origin=value.origin)
        return value

    def do_AnnAssign(self, node: ast.AnnAssign) -> None:
        if (
            isinstance(node.target, ast.Name)
            and node.value is not None
            and self.begins(node.target, node.value)
        ):
            return
        if node.value is not None:
            value = self.assigned(node.value, [node.target])
            self.bind(node.target, value if value.fresh else self.held(value))

    def do_AugAssign(self, node: ast.AugAssign) -> None:
        target = node.target
        if isinstance(target, ast.Subscript):
            owner = self.cells(target.value)
            place = self.held(self.expr(target.slice))
            if isinstance(owner.kind, Dict) and owner.kind.value == UNKNOWN and owner.kind.default is None:
                value = self.expr(node.value)
                self.refine(target.value, Dict(place.kind, value.kind))
                return
            before = self.indexed(owner, place)
            if self.changed_in_place(node, before):
                return
            made = self.operate(type(node.op), before, self.expr(node.value))
            name = f"place {id(node)}"
            self.env[name] = place
            self.locals.add(name)
            self.set_item(ast.Subscript(target.value, ast.Name(name, ast.Load()), ast.Store()), made)
            return
        name_of = self.place_name(target) if isinstance(target, ast.Attribute) else target.id
        if name_of is None:
            raise self.refused(target, "changed")
        before = self.read(name_of)
        if self.changed_in_place(node, before):
            return
        held = self.held(before)
        value = self.expr(node.value)
        self.assign_name(
            name_of, self.counted_on(node.op, held, value) or self.operate(type(node.op), held, value), node
        )

    def changed_in_place(self, node: ast.AugAssign, before: Value) -> bool:
        """Whether `x += y` changes a list, set or dict itself, which other names may mean as well."""
        op, kind = type(node.op), before.kind
        if isinstance(kind, Run) and kind.type == "table" and op in (ast.Add, ast.Mult):
            raise Cannot("a list outside the state is changed", "make a list of it first: list(...)")
        if isinstance(kind, Run) and kind.type == "list" and op is ast.Add:
            self.list_method(before, "extend", ast.Call(node.target, [node.value], []), node.target)
            return True
        if isinstance(kind, Set) and not kind.frozen:
            if kind.frozen is None:
                raise Cannot("a set or a frozenset is changed", "use one of them")
            self.refuse_constant(kind)
        elif not isinstance(kind, Dict) and not (isinstance(kind, Run) and kind.type == "list"):
            return False
        other, above = self.expr(node.value), self.here
        self.here = node  # by which the compiler knows what it makes
        made = self.operate(op, before, other)._replace(fresh=True)
        self.here = above
        match made.kind:
            case Set(inner):
                wider: Kind = kind._replace(inner=inner)
            case Dict(key, value, _):
                self.refuse_constant(kind)
                wider = kind._replace(key=key, value=value)
            case _:
                wider = made.kind
        if self.refine(node.target, wider) and made.kind != UNKNOWN:
            for handle, word in zip(before.words, self.convert(made, kind), strict=True):
                for i in range(LIST):
                    self.emit(f"put_word({handle}, {i}, word({word}, {i}))")
        return True

    def counted_on(self, op: ast.operator, before: Value, by: Value) -> Value | None:
        """n += 1: a number that grows in small steps never exceeds 64 bits."""
        if before.kind != INT or not is_word(by.kind) or not isinstance(op, ast.Add | ast.Sub):
            return None
        start, step = self.span(before.word), self.span(by.word)
        if not spans.holds(spans.FAR, start) or not spans.holds((-spans.STEP, spans.STEP), step):
            return None
        low, high = spans.of_operation(type(op), start, step)
        found = max(low, spans.FAR[0]), min(high, spans.FAR[1])
        return Value(
            INT, (self.within(found, f"{before.word} {'+' if isinstance(op, ast.Add) else '-'} {by.word}"),)
        )

    def do_Return(self, node: ast.Return) -> None:
        self.returning, self.leaving = isinstance(node.value, ast.IfExp), True
        value = self.cells(node.value) if node.value is not None else NOTHING
        if is_lane(value.kind) and value.kind.type == "array":
            value = self.wide(value)
        self.returning = self.leaving = False
        self.give_back(value._replace(fresh=True) if self.is_own(node.value, value.kind) else value)

    def is_own(self, node: ast.expr | None, kind: Kind) -> bool:
        """Whether a value that is returned is a list made here, of numbers and the like, that nothing else knows."""
        if not isinstance(node, ast.Name) or node.id not in self.own_lists or self.finals:
            return False
        var = self.env.get(node.id)
        new = isinstance(var, Var) and not var.given and not var.shared
        return new and isinstance(kind, Run) and not may_share(kind.inner)

    def do_Expr(self, node: ast.Expr) -> None:
        match node.value:
            case ast.Constant():
                pass
            case ast.Yield(value):
                self.give_out(self.expr(value) if value is not None else NOTHING)
            case ast.YieldFrom(value):
                self.each(value, self.give_out)
            case _:
                self.expr(node.value)

    def give_out(self, value: Value) -> None:
        known = join(self.site_kinds.get("yield", UNKNOWN), value.kind)
        if known != self.site_kinds.get("yield", UNKNOWN):
            self.site_kinds["yield"] = known
            self.learned = True
        if known == self.yields.kind.inner:
            self.push(self.yields.word, known, value)

    def do_If(self, node: ast.If) -> None:
        condition = self.condition(node.test)
        if condition in ("True", "False"):
            self.statements(node.body if condition == "True" else node.orelse)
            return
        with self.scope(f"if {condition}:"):
            self.statements(node.body)
        if node.orelse:
            with self.scope("else:"):
                self.statements(node.orelse)

    def do_While(self, node: ast.While) -> None:
        broken = self.watch_breaks(node)
        with self.scope("while True:"), self.turning(node):
            condition = self.condition(node.test)
            if condition != "True":
                with self.block(f"if not ({condition}):"):
                    self.emit("break")
            self.statements(self.with_breaks(node.body, broken))
        self.otherwise(node.orelse, broken)

    @contextmanager
    def turning(self, loop: ast.For | ast.While) -> Iterator[None]:
        """The body of a loop, where names that are looked at before they are set mean what an earlier turn left."""
        asked = [name for node, name in self.carried if node is loop and name not in self.env]
        for name in asked:
            if (left := self.carried[loop, name]) is not None:
                self.env[name] = left
                if isinstance(left, Var):
                    self.used[left.name], left.sure = left, False
        self.loops.append(loop)
        yield
        self.loops.pop()
        for name in asked:
            if (left := self.env.get(name)) is not self.carried[loop, name] and not isinstance(
                left, Poisoned
            ):
                self.carried[loop, name], self.learned = left, True

    def watch_breaks(self, node: Any) -> str | None:
        """A flag for a loop with an `else`: was it left by `break`?"""
        if not node.orelse:
            return None
        broken = self.temp("0")
        return broken

    def with_breaks(self, body: list[ast.stmt], broken: str | None) -> list[ast.stmt]:
        self.breaking = [*self.breaking, broken]
        return body

    def otherwise(self, orelse: list[ast.stmt], broken: str | None) -> None:
        self.breaking.pop()
        if broken is not None:
            with self.scope(f"if {broken} == 0:"):
                self.statements(orelse)

    def do_For(self, node: ast.For) -> None:
        broken = self.watch_breaks(node)
        constant = self.unrolled(node)
        if constant is not None:
            for item in constant:
                self.bind(node.target, item)
                self.statements(node.body)
            return
        few = self.few(node.iter, sum(map(size_of_code, node.body)))
        if few is not None:
            self.written_out(node, few, broken)
            return
        self.see_symmetric(node.iter, node.target, node.body)
        before, self.careless = self.careless, is_orderless(node, self.node, self.may_change, self.counts)
        self.viewed = None
        view = self.view_of(node.iter)
        self.careless = before
        self.watch_turns(node)
        i, length = self.temp("0"), view.length()
        self.spans[i] = self.places(length)
        with self.scope(f"while {i} < {length}:"), self.turning(node):
            item = view.item(i)
            if isinstance(node.iter, ast.Name | ast.Attribute | ast.Subscript):
                item = item._replace(origin=ast.Subscript(node.iter, ast.Constant(0), ast.Load()))
            self.emit(f"{i} += 1")
            self.bind(node.target, item if item.fresh else self.held(item))
            self.statements(self.with_breaks(node.body, broken))
        self.otherwise(node.orelse, broken)

    def watch_turns(self, node: ast.For) -> None:
        """A loop over an iterator: does it change what that looks at, or look at what that changes?"""
        once = self.viewed
        if isinstance(node.iter, ast.GeneratorExp) or self.is_lazy(node.iter):
            once = self.looks_at(node.iter)
        if once is None or once.again:
            return
        parts = [part for statement in node.body for part in ast.walk(statement)]
        left = any(isinstance(part, ast.Break | ast.Return | ast.Raise) for part in parts)
        looked = {part.id for part in parts if isinstance(part, ast.Name)}
        if once.looks & self.changed_in(node.body):
            self.doubt("a loop changes what its iterator looks at", CURE)
        elif once.changes and (left or once.changes & looked):
            self.doubt("a loop over a generator that changes lists may see them in between", CURE)

    def written_out(self, node: ast.For, items: list[Value], broken: str | None) -> None:
        """An unrolled loop over a few constants."""
        leaving = Leaving(self.temp("0"))
        parts = [part for statement in node.body for part in ast.walk(statement)]
        stored = {n.id for n in parts if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}

        def turn(item: Value) -> None:
            self.breaking = [*self.breaking, leaving]
            with self.scope("while True:"):
                self.bind(node.target, item)
                meant = {n: v for n, v in self.meanings(node.target, item).items() if n not in stored}
                held = {name: self.env[name] for name in meant}
                self.env.update(meant)
                self.statements(node.body)
                self.env.update(held)
                self.plainly("break")
            self.breaking.pop()

        with self.repeating(len(items)):
            for i, item in enumerate(items):
                if i and 1 in leaving.used:
                    with self.scope(f"if {leaving.name} != 1:"):
                        turn(item)
                else:
                    turn(item)
        if broken is not None:
            with self.scope(f"if {leaving.name} != 1:"):
                self.statements(node.orelse)

    def counts(self, name: str) -> bool:
        """Whether the order in which items are added to a name's value does not matter."""
        kind = getattr(self.env.get(name), "kind", UNKNOWN)
        return is_word(kind) or isinstance(kind, Set)

    def may_change(self, name: str) -> bool:
        """Whether a name refers to something that a function may change."""
        kind = getattr(self.env.get(name), "kind", UNKNOWN)
        return (
            isinstance(kind, Set | Dict) or isinstance(kind, Run) and kind.type == "list" or kind == UNKNOWN
        )

    def unrolled(self, node: ast.For) -> list[Value] | None:
        """The items of a loop over a few values of different kinds, which must be unrolled."""
        if not isinstance(node.iter, ast.Tuple | ast.List) or node.orelse:
            return None
        kinds = [self.quiet(e) for e in node.iter.elts if not isinstance(e, ast.Starred)]
        try:
            for one in kinds:
                for two in kinds:
                    join(one, two)
            return None
        except Cannot:
            if any(isinstance(part, ast.Break | ast.Continue) for s in node.body for part in ast.walk(s)):
                raise
            return [self.expr(e) for e in node.iter.elts]

    def do_Pass(self, node: ast.Pass) -> None:
        self.emit("pass")

    def do_Assert(self, node: ast.Assert) -> None:
        with self.block(f"if not ({self.condition(node.test)}):"):
            self.fail("AssertionError")

    def do_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name) and self.nesting == 0:
                self.env.pop(target.id, None)
                continue
            if not isinstance(target, ast.Subscript):
                raise Cannot("del of a name cannot be compiled here", "leave the name alone")
            owner = self.expr(target.value)
            match owner.kind:
                case Run(inner, "list") if isinstance(target.slice, ast.Slice):
                    self.set_slice(owner, target, Value(Run(inner), ("0", "0")))
                case Run(inner, "list"):
                    place = self.at_index(self.word_of(self.expr(target.slice)), f"word({owner.word}, 0)")
                    self.emit(f"close_gap({owner.word}, {place}, 1, {max(len(words(inner)), 1)})")
                case Dict():
                    call = ast.Call(target.value, [target.slice], [])
                    self.dict_method(owner, "pop", call, target.value)
                case _:
                    raise Cannot(f"del of an item of {owner.kind}", "make a list of it first")

    def do_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.decorator_list:
            names = [ast.unparse(d) for d in node.decorator_list]
            if not all("cache" in name for name in names):
                raise Cannot("a function inside a rule has a decorator", "remove it")
        self.assign_name(node.name, self.local_function(node), node)

    def do_Import(self, node: Any) -> None:
        raise Cannot("import inside a rule", "move it to the top of the file")

    do_ImportFrom = do_Import

    # --- match --------------------------------------------------------------------------------------------

    def do_Match(self, node: ast.Match) -> None:
        subject = self.held(self.expr(node.subject))
        self.cases(subject, node.cases)

    def cases(self, subject: Value, cases: list[ast.match_case]) -> None:
        if not cases:
            return
        case, *rest = cases
        matched = self.temp("0")
        tests: list[str] = []
        binds: list[tuple[str, Value, Any]] = []
        self.pattern(case.pattern, subject, tests, binds)
        condition = self.both(tests)
        if condition == "False":
            self.cases(subject, rest)
            return
        with self.scope(f"if {condition}:"):
            for name, value, where in binds:
                self.assign_name(name, value, where)
            if case.guard is not None:
                with self.scope(f"if {self.condition(case.guard)}:"):
                    self.emit(f"{matched} = 1")
                    self.statements(case.body)
            else:
                self.emit(f"{matched} = 1")
                self.statements(case.body)
        if rest:
            with self.scope(f"if {matched} == 0:"):
                self.cases(subject, rest)

    def pattern(self, node: ast.pattern, value: Value, tests: list[str], binds: list[Any]) -> None:
        match node:
            case ast.MatchValue(wanted):
                tests.append(self.equal(value, self.expr(wanted)))
            case ast.MatchSingleton(wanted):
                tests.append(self.equal(value, self.embed(wanted)))
            case ast.MatchAs(pattern=inner, name=name):
                if inner is not None:
                    self.pattern(inner, value, tests, binds)
                if name is not None:
                    binds.append((name, value, node))
            case ast.MatchOr(patterns):
                found = []
                for each in patterns:
                    some: list[str] = []
                    self.pattern(each, value, some, binds)
                    found.append(self.both(some))
                tests.append("True" if "True" in found else f"({' or '.join(found)})")
            case ast.MatchSequence(patterns):
                self.sequence_pattern(patterns, value, tests, binds)
            case _:
                raise Cannot("match unpacks an object", "compare its fields with `if`")

    def sequence_pattern(
        self, patterns: list[ast.pattern], value: Value, tests: list[str], binds: list[Any]
    ) -> None:
        if any(isinstance(p, ast.MatchStar) for p in patterns):
            raise Cannot("match with * cannot be compiled", "compare its items with `if`")
        match value.kind:
            case Items(kinds) | Record(_, kinds):
                if len(kinds) != len(patterns):
                    tests.append("False")
                    return
                for each, part in zip(patterns, self.parts(value), strict=True):
                    self.pattern(each, part, tests, binds)
            case Run(inner, "tuple" | "list"):
                data, count, _ = self.run(value)
                tests.append(f"{count} == {len(patterns)}")
                held = self.take(
                    str(max(len(patterns) * len(words(inner)), 1))
                )  # missing items may hold anything
                self.emit(f"copy({held}, {data}, min({count}, {len(patterns)}) * {len(words(inner))})")
                for i, each in enumerate(patterns):
                    self.pattern(each, self.item(held, str(i), inner), tests, binds)
            case Maybe():
                tests.append(f"{value.words[0]} != 0")
                self.sequence_pattern(patterns, self.inside(value), tests, binds)
            case _:
                tests.append("False")
