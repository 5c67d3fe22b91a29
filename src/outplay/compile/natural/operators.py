"""Operators: arithmetic, comparison, membership, and, or, not, and conditional expressions."""

import ast
import enum
import operator
from typing import Any

from outplay.compile.natural import spans
from outplay.compile.natural.expressions import Expressions
from outplay.compile.natural.kinds import (
    BOOL,
    CHAR,
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
    Cannot,
    Dict,
    Items,
    Maybe,
    Member,
    OneOf,
    Range,
    Record,
    Run,
    Set,
    Simple,
    Static,
    is_lane,
    is_number,
    is_word,
    join,
    join_all,
    own_method,
    words,
)
from outplay.compile.natural.syntax import replacement
from outplay.compile.natural.values import NEVER, ROOM, Value, number
from outplay.compile.source import Missing

FOLDED: dict[Any, Any] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.Pow: operator.pow, ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.Div: operator.truediv,
}  # fmt: skip
INTS = {  # operations on ints, with overflow checks
    ast.Add: "add({}, {})", ast.Sub: "sub({}, {})", ast.Mult: "mul({}, {})", ast.FloorDiv: "floor_div({}, {})",
    ast.Mod: "modulo({}, {})", ast.BitAnd: "{} & {}", ast.BitOr: "{} | {}", ast.BitXor: "{} ^ {}",
    ast.Pow: "power({}, {})", ast.LShift: "shift_left({}, {})", ast.RShift: "shift_right({}, {})",
}  # fmt: skip
SURE = {
    ast.Add: "{} + {}",
    ast.Sub: "{} - {}",
    ast.Mult: "{} * {}",
}  # if the result cannot exceed 64 bits
UNSIGNED = {
    ast.FloorDiv: "quotient({}, {})",
    ast.Mod: "remainder({}, {})",
}  # for operands that are not negative
FLOATS = {
    ast.Add: "{} + {}", ast.Sub: "{} - {}", ast.Mult: "{} * {}", ast.FloorDiv: "float_floor_div({}, {})",
    ast.Mod: "float_modulo({}, {})", ast.Pow: "float_power({}, {})",
}  # fmt: skip
_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor)
_DUNDERS: dict[Any, str] = {
    ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__", ast.FloorDiv: "__floordiv__", ast.Mod: "__mod__",
    ast.BitAnd: "__and__", ast.BitOr: "__or__", ast.BitXor: "__xor__", ast.Div: "__truediv__",
}  # fmt: skip
_SIGNS: dict[Any, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>", ast.MatMult: "@",
}  # fmt: skip


class Operators(Expressions):
    """Compiles operators."""

    def word_of(self, value: Value) -> str:
        """The word of an int."""
        value = self.only(self.present(value), is_word, "int")
        if not is_word(value.kind) and value.kind != UNKNOWN:
            raise Cannot(f"{value.kind} is used where an int is expected", "use an int")
        return value.word if value.words else "0"

    def visit_BinOp(self, node: ast.BinOp) -> Value:
        if (
            isinstance(node.op, ast.Add)
            and isinstance(node.left, ast.BinOp)
            and isinstance(node.left.op, ast.Add)
        ):
            return self.summed(node)
        left = self.expr(node.left)
        if not left.fresh:
            left = self.held(left)
        return self.operate(type(node.op), left, self.expr(node.right))

    def operate(self, op: Any, a: Value, b: Value) -> Value:
        a, b = self.present(a), self.present(b)
        if UNKNOWN in (a.kind, b.kind):
            return NEVER
        if isinstance(a.kind, OneOf):
            a = self.only(a, lambda each: is_number(each) == is_number(b.kind), "number")
        if isinstance(b.kind, OneOf):
            b = self.only(b, lambda each: is_number(each) == is_number(a.kind), "number")
        own = self.own_operator(op, a, b)
        if own is not None:
            return own
        if op is ast.BitOr and isinstance(a.kind, Dict) and isinstance(b.kind, Dict):
            if not {a.kind.default, b.kind.default} <= {None, "constant"}:
                raise Cannot("`|` of a Counter or a defaultdict cannot be compiled", "write {**a, **b}")
            return self.merged_dicts(a, b)
        if _plain_numbers(a.constant, b.constant) and op in FOLDED:
            try:
                made = FOLDED[op](a.constant, b.constant)
                if isinstance(made, int | float) and not isinstance(made, complex):
                    return number(made)
            except (ArithmeticError, ValueError, TypeError):
                pass
        if (
            isinstance(a.kind, Member)
            and issubclass(a.kind.enum, enum.Flag)
            and a.kind == b.kind
            and op in _BITS
        ):
            return self.of(a.kind, INTS[op].format(a.word, b.word))
        if is_number(a.kind) and is_number(b.kind):
            if op is ast.Div:
                return self.of(FLOAT, f"divide(float({a.word}), float({b.word}))")
            if is_word(a.kind) and is_word(b.kind):
                if op in (ast.BitAnd, ast.BitOr, ast.BitXor) and a.kind == b.kind == BOOL:
                    return self.of(BOOL, INTS[op].format(a.word, b.word))
                if op is ast.Pow and isinstance(b.constant, int) and b.constant < 0:
                    return self.of(FLOAT, f"float_power(float({a.word}), float({b.word}))")
                if (plain_ := _same_number(op, a, b)) is not None:
                    return plain_
                if op in INTS:
                    return self.on_ints(op, a, b)
            elif op in FLOATS:
                one, two = (v.word if v.kind == FLOAT else f"float({v.word})" for v in (a, b))
                return self.of(FLOAT, FLOATS[op].format(one, two))
        if op is ast.Add and not is_number(a.kind):
            return self.concatenated(a, b)
        if op is ast.Mult and (is_word(b.kind) or is_word(a.kind)):
            return self.times(a, b) if is_word(b.kind) else self.times(b, a)
        if isinstance(a.kind, Set) and isinstance(b.kind, Set):
            return self.of_sets(op, a, b)
        raise Cannot(
            f"`{_SIGNS.get(op, '?')}` of {a.kind} and {b.kind} cannot be compiled", "compute with numbers"
        )

    def on_ints(self, op: Any, a: Value, b: Value) -> Value:
        """An operation on ints, checked for overflow unless its result surely fits into a word."""
        one, two = self.span_of(a), self.span_of(b)
        found = spans.of_operation(op, one, two)
        text = INTS[op]
        if op in SURE and spans.holds(spans.ANY, found):
            text = SURE[op]
        elif op in UNSIGNED and one[0] >= 0 and two[0] > 0:
            text = UNSIGNED[op]
        return Value(INT, (self.within(spans.clipped(found), text.format(a.word, b.word)),))

    def span_of(self, value: Value) -> spans.Span:
        return spans.TRUTH if value.kind == BOOL else self.span(value.word)

    def own_operator(self, op: Any, a: Value, b: Value) -> Value | None:
        """An operator that the user's class defines."""
        for one, other, name in ((a, b, _DUNDERS.get(op)), (b, a, f"__r{_DUNDERS.get(op, '')[2:]}")):
            if name and isinstance(one.kind, Record | Member):
                function = own_method(one.kind[0], name)
                if function is not None:
                    return self.call_function(function, [one, other])
        return None

    def add(self, a: Value, b: Value) -> Value:
        return self.operate(ast.Add, a, b)

    def concatenated(self, a: Value, b: Value) -> Value:
        """a + b of tuples, lists or texts."""
        if isinstance(a.kind, Items) and isinstance(b.kind, Items):
            return self.tuple_of([*self.parts(a), *self.parts(b)])
        tags = {self.tag(v) for v in (a, b)}
        if len(tags) > 1:
            raise Cannot(f"{a.kind} + {b.kind}", "add two of one type")
        (tag,) = tags
        inner = join(self.run_kind(a), self.run_kind(b))
        kind = Run(inner, "tuple" if tag != "str" else "str")
        data, count, other, size = (w for v in (a, b) for w in self.as_run(v, kind))
        stride = max(len(words(inner)), 1)
        made = self.temp(f"joined({ROOM}, {data}, {count}, {other}, {size}, {stride})")
        total = self.temp(f"{count} + {size}")
        if tag == "list":
            return Value(
                Run(inner, "list"), (self.temp(f"list_of({ROOM}, {made}, {total}, {stride})"),), fresh=True
            )
        return Value(kind, (made, total))

    def put_by_slices(self, node: ast.BinOp) -> Value | None:
        """t[:i] + (x,) + t[i + 1:] of a tuple or text of fixed length: a copy with one item replaced."""
        found = replacement(node)
        if found is None:
            return None
        whole, place, item = found
        with self.captured(0) as lines:
            owner, i, value = self.cells(whole), self.expr(place), self.expr(item)
        size = self.size_of(owner)
        if size is None or not is_lane(owner.kind) or owner.kind.size == 8 or not is_word(i.kind):
            return None
        if isinstance(value.kind, Items) and len(value.kind.kinds) == 1:
            (value,) = self.parts(value)
        if value.kind != owner.kind.inner or (owner.kind.type == "str") != (value.kind == CHAR):
            return None
        self.paste(lines)
        data, count = owner.words
        with self.block(f"if {i.word} < {-size} or {i.word} == -1 or {i.word} >= {size}:"):
            self.beyond("a tuple changed its length")
        at = i.word if self.span(i.word)[0] >= 0 else self.temp(f"{i.word} + ({size} if {i.word} < 0 else 0)")
        made = self.copied(data, count, 1, owner.kind.size)
        self.refuse_lost(self.temp(self.put_text(made, count, at, owner.kind.size, value.word)))
        return Value(owner.kind, (made, count))

    def summed(self, node: ast.BinOp) -> Value:
        """a + b + c ...: all runs are concatenated at once."""
        replaced = self.put_by_slices(node)
        if replaced is not None:
            return replaced
        terms: list[ast.expr] = [node.right]
        first = node.left
        while isinstance(first, ast.BinOp) and isinstance(first.op, ast.Add):
            terms.insert(0, first.right)
            first = first.left
        values = [self.expr(t) for t in (first, *terms)]
        values = [v if v.fresh else self.held(v) for v in values]
        tags = {self.tag(v) for v in values if isinstance(v.kind, Run | Items)}
        if (
            len(tags) != 1
            or not all(isinstance(v.kind, Run | Items) for v in values)
            or all(isinstance(v.kind, Items) for v in values)
        ):
            made = values[0]
            for value in values[1:]:
                made = self.operate(ast.Add, made, value)
            return made
        (tag,) = tags
        inner = join_all(self.run_kind(v) for v in values)
        if inner == UNKNOWN:
            return values[0]
        stride = max(len(words(inner)), 1)
        kind = Run(inner, "tuple" if tag != "str" else "str")
        runs = [self.as_run(v, kind) for v in values]
        total = self.temp(" + ".join(count for _, count in runs))
        made_at = self.take(f"{total} * {stride}")
        at = made_at
        for i, (data, count) in enumerate(runs):
            self.emit(f"copy({at}, {data}, {count} * {stride})")
            if i + 1 < len(runs):
                at = self.temp(f"{at} + {8 * stride} * {count}")
        if tag == "list":
            return Value(
                Run(inner, "list"), (self.temp(f"list_of({ROOM}, {made_at}, {total}, {stride})"),), fresh=True
            )
        return Value(kind, (made_at, total))

    def times(self, value: Value, times: Value) -> Value:
        tag, inner = self.tag(value), self.run_kind(value)
        data, count = self.as_run(value, Run(inner, "str" if tag == "str" else "tuple"))
        stride = max(len(words(inner)), 1)
        made = self.temp(f"repeated({ROOM}, {data}, {count}, {times.word}, {stride})")
        total = self.temp(f"{count} * max({times.word}, 0)")
        if tag == "list":
            return Value(
                Run(inner, "list"), (self.temp(f"list_of({ROOM}, {made}, {total}, {stride})"),), fresh=True
            )
        return Value(Run(inner, tag), (made, total))

    def of_sets(self, op: Any, a: Value, b: Value) -> Value:
        inner = join(a.kind.inner, b.kind.inner)
        site = (self.here, op, "sets")
        self.site_kinds.setdefault(site, inner)

        def fill(keep: Any) -> None:
            one, two = self.loose(a), self.loose(b)
            if op is ast.BitOr:
                self.turns(one, keep)
                self.turns(two, keep)
                return
            if op not in (ast.BitAnd, ast.Sub, ast.BitXor):
                raise Cannot("this operation on sets cannot be compiled", "use &, |, - and ^")

            def other(of: Value) -> Any:
                def test(item: Value) -> None:
                    item = self.held(item)
                    with self.block(f"if {self.find(of, item)} {'>=' if op is ast.BitAnd else '<'} 0:"):
                        keep(item)

                return test

            self.turns(one, other(b))
            if op is ast.BitXor:
                self.turns(two, other(a))

        made = self.set_of(fill, site)
        return made._replace(kind=made.kind._replace(frozen=a.kind.frozen))

    def loose(self, value: Value) -> Any:
        """A view of a set in any order."""
        before, self.careless = self.careless, True
        view = self.view_value(value)
        self.careless = before
        return view

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            condition = self.condition(node.operand)
            if condition in ("True", "False"):
                return number(condition == "False")
            return self.flag(f"not ({condition})")
        value = self.present(self.expr(node.operand))
        name = {ast.USub: "__neg__", ast.UAdd: "__pos__", ast.Invert: "__invert__"}[type(node.op)]
        if isinstance(value.kind, Record | Member) and (own := own_method(value.kind[0], name)):
            return self.call_function(own, [value])
        if isinstance(value.kind, Member) and issubclass(value.kind.enum, enum.Flag) and name == "__invert__":
            every = 0
            for member in value.kind.enum:
                every |= int(member.value)
            return self.of(value.kind, f"{every} & ~{value.word}")
        if _plain_numbers(value.constant):
            fold: Any = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}[
                type(node.op)
            ]
            if isinstance(value.constant, int) or not isinstance(node.op, ast.Invert):
                return number(fold(value.constant))
        if value.kind == UNKNOWN:
            return NEVER
        if isinstance(node.op, ast.USub):
            if value.kind == FLOAT:
                return self.of(FLOAT, f"-{value.word}")
            return self.of(INT, f"sub(0, {self.word_of(value)})")
        if isinstance(node.op, ast.UAdd):
            return value if value.kind == FLOAT else Value(INT, (self.word_of(value),))
        return self.of(INT, f"~{self.word_of(value)}")

    def visit_BoolOp(self, node: ast.BoolOp) -> Value:
        """`a and b`, `a or b`: the value of one operand."""
        if (choice := _choice(node)) is not None:
            return self.expr(choice)
        first, *rest = node.values
        value = self.expr(first)
        if not rest:
            return value
        value = self.held(value) if not value.fresh else value
        is_and = isinstance(node.op, ast.And)
        with self.captured() as lines:
            other = self.visit_BoolOp(ast.copy_location(ast.BoolOp(node.op, rest), node))
        condition = self.truth(value)
        if not is_and and isinstance(value.kind, Maybe):
            inner = self.inside(value)
            if self.truth(inner) == "True" or join(inner.kind, other.kind) == inner.kind:
                value = inner
        if value.kind == NONE and not is_and:
            self.paste([(i - 1, t, n) for i, t, n in lines])
            return other
        if is_and:
            return self.chosen(condition, other, lines, value, [])
        return self.chosen(condition, value, [], other, lines)

    def condition(self, node: ast.expr) -> str:
        """An expression's truth, as a condition."""
        before, self.line = self.line, getattr(node, "lineno", self.line)
        try:
            match node:
                case ast.BoolOp(op, values):
                    return self.all_or_any(isinstance(op, ast.And), values)
                case ast.UnaryOp(ast.Not(), operand):
                    inner = self.condition(operand)
                    return {"True": "False", "False": "True"}.get(inner, f"not ({inner})")
                case ast.Compare():
                    return self.compared(node)
            value = self.cells(node)
            if isinstance(value.kind, Record) and (own := own_method(value.kind.cls, "__bool__")):
                return self.truth(self.call_function(own, [value]))
            if value.constant is not Missing and not isinstance(value.kind, Static):
                return str(bool(value.constant))
            return self.truth(value)
        finally:
            self.line = before

    def all_or_any(self, is_all: bool, values: list[ast.expr]) -> str:
        first = self.condition(values[0])
        if len(values) == 1:
            return first
        if first == str(is_all):
            return self.all_or_any(is_all, values[1:])
        if first == str(not is_all):
            return first
        made = self.fresh()
        with self.captured() as lines:
            rest = self.all_or_any(is_all, values[1:])
        if not lines:
            return self.both((first, rest)) if is_all else f"({first} or {rest})"
        self.emit(f"{made} = 1 if {first} else 0")
        with self.block(f"if {made} {'!=' if is_all else '=='} 0:"):
            self.paste(lines)
            self.emit(f"{made} = 1 if {rest} else 0")
        return f"{made} != 0"

    def visit_Compare(self, node: ast.Compare) -> Value:
        return self.flag(self.compared(node))

    def compared(self, node: ast.Compare) -> str:
        left = self.expr(node.left)
        left = self.held(left) if not left.fresh else left
        if len(node.ops) == 1:
            return self.comparison(node.ops[0], left, node.comparators[0])
        if (simple := self.compared_at_once(node, left)) is not None:
            return simple
        made = self.temp("1")
        depth = 0
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            right = self.held(self.expr(comparator))
            self.emit(f"{made} = 1 if {self.compare_values(op, left, right)} else 0")
            self.emit(f"if {made} != 0:")
            self.indent += 1
            depth += 1
            left = right
        self.emit("pass")
        self.indent -= depth
        return f"{made} != 0"

    def compared_at_once(self, node: ast.Compare, left: Value) -> str | None:
        """a < b < c of names and constants: one condition, since no operand has to be computed first."""
        if not all(isinstance(c, ast.Name | ast.Constant | ast.Attribute) for c in node.comparators):
            return None
        tests = []
        with self.captured() as lines:
            for op, comparator in zip(node.ops, node.comparators, strict=True):
                right = self.expr(comparator)
                tests.append(self.compare_values(op, left, right))
                left = right
        return self.both(tests) if not lines else None

    def comparison(self, op: ast.cmpop, left: Value, node: ast.expr) -> str:
        if isinstance(op, ast.In | ast.NotIn):
            inside = self.contains(node, left)
            return (
                inside
                if isinstance(op, ast.In)
                else {"True": "False", "False": "True"}.get(inside, f"not ({inside})")
            )
        return self.compare_values(op, left, self.expr(node))

    def compare_values(self, op: ast.cmpop, a: Value, b: Value) -> str:
        known = _plain_numbers(a.constant, b.constant)
        match op:
            case ast.Eq() | ast.Is():
                if isinstance(op, ast.Is) and not _may_be(a, b):
                    raise Cannot("`is` compares objects", "write == instead of `is`")
                return str(a.constant == b.constant) if known else self.equal(a, b)
            case ast.NotEq() | ast.IsNot():
                if isinstance(op, ast.IsNot) and not _may_be(a, b):
                    raise Cannot("`is not` compares objects", "write != instead of `is not`")
                test = str(a.constant == b.constant) if known else self.equal(a, b)
                return {"True": "False", "False": "True"}.get(test, f"not ({test})")
            case ast.In() | ast.NotIn():
                test = f"{self.find(b, a)} >= 0"
                return test if isinstance(op, ast.In) else f"not ({test})"
        if isinstance(a.kind, Set) and isinstance(b.kind, Set):
            return self.subset(op, a, b)
        match op:
            case ast.Lt():
                return self.less(a, b)
            case ast.Gt():
                return self.less(b, a)
            case ast.LtE():
                if is_number(a.kind) and is_number(b.kind):
                    return f"{a.word} <= {b.word}"
                return f"not ({self.less(b, a)})"
            case _:
                if is_number(a.kind) and is_number(b.kind):
                    return f"{a.word} >= {b.word}"
                return f"not ({self.less(a, b)})"

    def subset(self, op: ast.cmpop, a: Value, b: Value) -> str:
        if isinstance(op, ast.Gt | ast.GtE):
            a, b = b, a
        made = self.temp("1")

        def test(item: Value) -> None:
            with self.block(f"if {self.find(b, item)} < 0:"):
                self.emit(f"{made} = 0")

        self.turns(self.loose(a), test)
        if isinstance(op, ast.Lt | ast.Gt):
            return f"({made} == 1 and word({a.word}, 0) < word({b.word}, 0))"
        return f"{made} == 1"

    def contains(self, node: ast.expr, item: Value) -> str:
        """The condition that an item is in an expression's value."""
        if isinstance(node, ast.Tuple | ast.List | ast.Set) and not any(
            isinstance(e, ast.Starred) for e in node.elts
        ):
            return self.among(node.elts, item)
        if isinstance(node, ast.GeneratorExp) or self.view_is_lazy(node):
            found = self.temp("0")

            def test_item(other: Value) -> None:
                with self.block(f"if {self.equal(item, other)}:"):
                    self.emit(f"{found} = 1")

            self.each(node, test_item, found)
            return f"{found} != 0"
        value = self.cells(node)
        if (
            isinstance(value.kind, Member)
            and issubclass(value.kind.enum, enum.Flag)
            and item.kind == value.kind
        ):
            return f"{value.word} & {item.word} == {item.word}"
        if isinstance(value.kind, Record) and (own := own_method(value.kind.cls, "__contains__")):
            return self.truth(self.call_function(own, [value, item]))
        if isinstance(value.kind, Run) and value.kind.type != "list":
            total = self.tally_cells(value, item)
            if total is not None:
                return f"{total} != 0"
            if item.kind != CHAR or value.kind.inner != CHAR:
                value = self.wide(value)
        match value.kind:
            case Range():
                if not is_number(item.kind):
                    return "False"
                start, stop, step = value.words
                if step == "1":
                    return f"({start} <= {item.word} and {item.word} < {stop})"
                value = self.listed_range(value)
            case Static(cls) if isinstance(cls, enum.EnumMeta):
                value = self.embed(tuple(cls))
            case Simple("character") | Run(_, "str"):
                value = self.wide(value)
                data, count, _ = self.run(value)
                if item.kind == CHAR:
                    return f"find_word({data}, {count}, 1, {item.word}) >= 0"
                part, size, _ = self.run(item)
                return f"find_run({data}, {count}, {part}, {size}, 0) >= 0"
            case Items() if not value.words:
                return "False"
            case Items():
                made = self.temp("0")
                for each in self.parts(value):
                    with self.block(f"if {made} == 0 and {self.equal(item, each)}:"):
                        self.emit(f"{made} = 1")
                return f"{made} != 0"
            case Maybe():
                value = self.present(value)
        return f"{self.find(value, item)} >= 0"

    def among(self, elements: list[ast.expr], item: Value) -> str:
        """The condition that an item is one of the elements of a display."""
        made = self.temp("0")
        for element in elements:
            test = self.equal(item, self.expr(element))
            self.emit(f"if {made} == 0 and {test}:")
            self.lines.append((self.indent + 1, f"{made} = 1", self.line))
        return f"{made} != 0"

    def view_is_lazy(self, node: ast.expr) -> bool:
        return self.is_lazy(node) or (
            isinstance(node, ast.Call) and self.static(node.func) in (map, zip, reversed)
        )


def _plain_numbers(*constants: Any) -> bool:
    return all(isinstance(c, bool | int | float) and not isinstance(c, enum.Enum) for c in constants)


def _same_number(op: Any, a: Value, b: Value) -> Value | None:
    """x + 0, x * 1 and the like."""
    for one, other in ((a, b), (b, a)):
        known = one.constant if _plain_numbers(one.constant) else None
        if known == 0 and (op is ast.Add or op is ast.Sub and one is b) or known == 1 and op is ast.Mult:
            return Value(INT, other.words)
        if known == 0 and op is ast.Mult:
            return number(0)
    return None


def _may_be(a: Value, b: Value) -> bool:
    """Whether `is` means the same as == here."""
    one, two = (kind.inner if isinstance(kind, Maybe) else kind for kind in (a.kind, b.kind))
    return bool({NONE, UNKNOWN} & {one, two}) or one == two and (one == BOOL or isinstance(one, Member))


def _choice(node: ast.BoolOp) -> ast.expr | None:
    """`test and a or b`, as people wrote `a if test else b`: `(a or b) if test else b`, whatever a may be."""
    match node:
        case ast.BoolOp(ast.Or(), [ast.BoolOp(ast.And(), [*tests, a]), b]) if _is_short(b):
            test = tests[0] if len(tests) == 1 else ast.copy_location(ast.BoolOp(ast.And(), tests), node)
            either = ast.copy_location(ast.BoolOp(ast.Or(), [a, b]), node)
            return ast.copy_location(ast.IfExp(test, either, b), node)
    return None


def _is_short(node: ast.expr) -> bool:
    """Whether an expression may be written twice."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant | ast.Name) or isinstance(inner, ast.Tuple) and not inner.elts
