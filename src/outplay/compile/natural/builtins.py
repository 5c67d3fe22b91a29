"""Python's builtins, and functions of its library with loops: len, sorted, any, max, zip, reduce ..."""

import ast
import builtins
import copy
import dataclasses
import enum
import functools
import itertools
import math
from typing import Any

from outplay.compile.arithmetic import CHECKED
from outplay.compile.natural import library, spans
from outplay.compile.natural.calls import hashable, is_none
from outplay.compile.natural.iterate import size_of_code
from outplay.compile.natural.kinds import (
    BOOL,
    CHAR,
    FLOAT,
    INT,
    NONE,
    TEXT,
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
    is_word,
    join,
    own_method,
    words,
)
from outplay.compile.natural.methods import Methods, example
from outplay.compile.natural.values import NEVER, NOTHING, ROOM, Value, number
from outplay.compile.source import Missing


class Builtins(Methods):
    """Compiles calls of builtin functions."""

    def builtin(self, called: Any, node: ast.Call) -> Value | None:
        """Compile a builtin or a supported function of the standard library; None if it is something else."""
        name = _BUILTINS.get(called) if hashable(called) else None
        return getattr(self, f"call_{name}")(node) if name is not None else None

    def call_len(self, node: ast.Call) -> Value:
        value = self.cells(node.args[0])
        if isinstance(value.kind, Record) and (own := own_method(value.kind.cls, "__len__")):
            return self.call_function(own, [value])
        match value.kind:
            case Items(kinds):
                return number(len(kinds))
            case Range():
                return self.of(INT, f"range_length({', '.join(value.words)})")
            case Simple("character"):
                return number(1)
            case Static(cls) if isinstance(cls, enum.EnumMeta):
                return number(len(cls))
        if isinstance(value.constant, str | tuple | list | dict | set | frozenset):
            return number(len(value.constant))
        _, count, _, _ = self.lane(value)
        return Value(INT, (count if self.is_length(count) else self.within(spans.LENGTH, count),))

    def call_range(self, node: ast.Call) -> Value:
        args = [self.known.get(word, word) for word in map(self.word_of, self.arguments(node))]
        start, stop, step = {1: ("0", *args, "1"), 2: (*args, "1")}.get(len(args), tuple(args))
        known = all(word.lstrip("-").isdigit() for word in (start, stop, step)) and int(step) != 0
        constant = range(int(start), int(stop), int(step)) if known else Missing
        return Value(Range(), (start, stop, step), constant=constant)

    def call_abs(self, node: ast.Call) -> Value:
        value = self.present(self.expr(node.args[0]))
        if value.kind == UNKNOWN:
            return NEVER
        if value.kind == FLOAT:
            return self.of(FLOAT, f"abs({value.word})")
        return self.of(INT, f"absolute({self.word_of(value)})")

    def call_int(self, node: ast.Call) -> Value:
        if not node.args:
            return number(0)
        value = self.present(self.expr(node.args[0]))
        if len(node.args) == 2 and value.kind in (CHAR, TEXT):
            text = Value(TEXT, self.convert(value, TEXT))
            return self.call_function(library.parsed_in_base, [text, self.expr(node.args[1])])
        if value.kind == CHAR:
            return self.of(INT, f"digit({value.word})")
        if value.kind == FLOAT:
            return self.of_number(int, value)
        if isinstance(value.constant, str):
            return number(int(value.constant))
        value = self.only(value, lambda each: each in (INT, BOOL, TEXT), "int")
        if value.kind == TEXT:
            return self.of(INT, f"parsed({value.words[0]}, {value.words[1]})")
        return Value(INT, (self.word_of(value),))

    def of_number(self, called: Any, value: Value) -> Value:
        name = self.program.external(f"checked_{called.__name__}", CHECKED[called][1])
        return self.of(INT, f"{name}({value.word})")

    def call_round(self, node: ast.Call) -> Value:
        value = self.present(self.expr(node.args[0]))
        if len(node.args) > 1:
            raise Cannot("round() takes 1 number here", "write round(x * 100) / 100")
        return self.of_number(round, value) if value.kind == FLOAT else Value(INT, (self.word_of(value),))

    def call_float(self, node: ast.Call) -> Value:
        value = self.expr(node.args[0]) if node.args else number(0.0)
        if isinstance(value.constant, str | int | float) and not isinstance(value.constant, enum.Enum):
            return number(float(value.constant))
        value = self.present(value)
        return value if value.kind == FLOAT else self.of(FLOAT, f"float({self.word_of(value)})")

    def call_bool(self, node: ast.Call) -> Value:
        return self.flag(self.condition(node.args[0])) if node.args else number(False)

    def call_ord(self, node: ast.Call) -> Value:
        value = self.expr(node.args[0])
        if value.kind == UNKNOWN:
            return NEVER
        if value.kind == TEXT:
            data, count, _ = self.run(value)
            with self.block(f"if {count} != 1:"):
                self.fail("TypeError", "ord() of more than one character")
            return self.of(INT, f"word({data}, 0)")
        if value.kind != CHAR:
            raise Cannot(f"ord() of {value.kind}", "give it a character")
        return Value(INT, value.words)

    def call_chr(self, node: ast.Call) -> Value:
        return Value(CHAR, (self.temp(f"character({self.word_of(self.expr(node.args[0]))})"),))

    def call_str(self, node: ast.Call) -> Value:
        if not node.args:
            return self.embed("")
        return self.as_text(self.expr(node.args[0]))

    def call_bin(self, node: ast.Call) -> Value:
        return self.prefixed(node, 2, "0b")

    def call_hex(self, node: ast.Call) -> Value:
        return self.prefixed(node, 16, "0x")

    def call_oct(self, node: ast.Call) -> Value:
        return self.prefixed(node, 8, "0o")

    def prefixed(self, node: ast.Call, base: int, prefix: str) -> Value:
        value = Value(INT, (self.word_of(self.expr(node.args[0])),))
        given = [value, number(base), self.embed(prefix), number(0), self.embed(" ")]
        return self.call_function(library.in_base, given)

    def call_format(self, node: ast.Call) -> Value:
        how = self.expr(node.args[1]).constant if len(node.args) > 1 else ""
        return self.formatted(self.expr(node.args[0]), how)

    def call_divmod(self, node: ast.Call) -> Value:
        a, b = self.arguments(node)
        return self.tuple_of([self.operate(ast.FloorDiv, a, b), self.operate(ast.Mod, a, b)])

    def call_pow(self, node: ast.Call) -> Value:
        args = self.arguments(node)
        made = self.operate(ast.Pow, args[0], args[1])
        return made if len(args) == 2 else self.operate(ast.Mod, made, args[2])

    def call_list(self, node: ast.Call) -> Value:
        if not node.args:
            return self.new_list(self.site_kinds.get((node, "list"), UNKNOWN))
        source = node.args[0]
        if not isinstance(source, ast.GeneratorExp | ast.Call):
            value = self.cells(source)
            if isinstance(value.kind, Run) and value.kind.size < 8:
                data, count, inner = self.run(value)
                made = self.temp(f"list_at({ROOM}, {data}, {count})")
                return Value(Run(inner, "list"), (made,), fresh=True)
            if isinstance(value.kind, Run | Simple) and value.kind != UNKNOWN:
                data, count, inner = self.run(value)
                stride = max(len(words(inner)), 1)
                made = self.temp(f"list_of({ROOM}, {data}, {count}, {stride})")
                return Value(Run(inner, "list"), (made,), fresh=True)
            return self.collected(lambda keep: self.turns(self.view_value(value), keep), (source, "list"))
        return self.materialized(source)

    def call_tuple(self, node: ast.Call) -> Value:
        if not node.args:
            return Value(Items(()), constant=())
        source = node.args[0]
        if isinstance(source, ast.Name | ast.Attribute | ast.Subscript | ast.Tuple):
            value = self.cells(source)
            self.refuse_order(value)
            if isinstance(value.kind, Items) or isinstance(value.kind, Run) and value.kind.type == "tuple":
                return value
            if is_lane(value.kind):
                return self.kept(value, "tuple")
            data, count, inner = self.run(value)
            stride = max(len(words(inner)), 1)
            if isinstance(value.kind, Run) and value.kind.type == "list" and not value.fresh:
                data = self.temp(f"joined({ROOM}, {data}, {count}, 0, 0, {stride})")
            return Value(Run(inner), (data, count))
        made = self.materialized(source)
        data, count, inner = self.run(made)
        return Value(Run(inner), (data, count))

    def call_set(self, node: ast.Call) -> Value:
        if not node.args:
            kind = self.site_kinds.get((node, "set"), UNKNOWN)
            return Value(Set(kind), self.new_list(kind).words, fresh=True)
        return self.set_from(node.args[0], (node, "set"))

    def call_frozenset(self, node: ast.Call) -> Value:
        made = self.call_set(node)
        return made._replace(kind=made.kind._replace(frozen=True))

    def call_dict(self, node: ast.Call) -> Value:
        if any(k.arg is None for k in node.keywords):
            raise Cannot("** cannot be compiled here", "write {**a, **b}")
        value = self.dict_there(node.args[0]) if node.args else None
        if value is not None and not node.keywords:
            return self.copied_dict(value, None)
        named = [(self.embed(k.arg), self.kept_part(k.value)) for k in node.keywords]

        def fill(keep: Any) -> None:
            def add(item: Value) -> None:
                with self.careful():
                    key, value = self.unpacked(item, 2)
                keep(self.held(key), value)

            if value is not None:
                self.copy_dict(value, keep)
            elif node.args:
                self.each(node.args[0], add)
            for key, each in named:
                keep(key, each)

        return self.dict_of(fill, (node, "dict"), value is None)

    def call_fromkeys(self, node: ast.Call) -> Value:
        """dict.fromkeys(keys, value)."""
        value = self.held(self.expr(node.args[1])) if len(node.args) > 1 else NOTHING

        def fill(keep: Any) -> None:
            self.each(node.args[0], lambda key: keep(self.held(key), value))

        return self.dict_of(fill, (node, "dict"))

    def call_sorted(self, node: ast.Call) -> Value:
        by_itself = not any(k.arg == "key" and not _is_total(k.value) for k in node.keywords)
        before, self.careless = self.careless, by_itself  # equal keys: the order matters
        made = self.materialized(node.args[0])
        self.careless = before
        return self.ordered(made, node.keywords)

    def call_reversed(self, node: ast.Call) -> Value:
        return self.call_items(node)

    def call_items(self, node: ast.Call) -> Value:
        """enumerate, zip, map, filter and itertools outside a loop: all their items."""
        once = self.looks_at(*node.args, *[k.value for k in node.keywords])
        return self.made_early(node)._replace(once=once)

    def call_any(self, node: ast.Call) -> Value:
        return self.any_or_all(node, True)

    def call_all(self, node: ast.Call) -> Value:
        return self.any_or_all(node, False)

    def any_or_all(self, node: ast.Call, wanted: bool) -> Value:
        found = self.temp("0")
        source = node.args[0]

        def test(item: Value) -> None:
            with self.block(f"if {self.truth(item) if wanted else f'not ({self.truth(item)})'}:"):
                self.emit(f"{found} = 1")

        def test_node(elt: ast.expr) -> None:
            condition = self.condition(elt)
            with self.block(f"if {condition if wanted else f'not ({condition})'}:"):
                self.emit(f"{found} = 1")

        before, self.careless = self.careless, True
        if isinstance(source, ast.GeneratorExp):
            self.see_symmetry(source.generators, source.elt)
            self.comprehend(source.generators, lambda: test_node(source.elt), found, size_of_code(source.elt))
        else:
            self.each(source, test, found)
        self.careless = before
        return self.flag(f"{found} {'!=' if wanted else '=='} 0")

    def call_sum(self, node: ast.Call) -> Value:
        start = node.args[1] if len(node.args) > 1 else next((k.value for k in node.keywords), None)
        first = self.expr(start) if start is not None else number(0)
        site = (node, "sum")
        begins_near = is_word(first.kind) and spans.holds(spans.NEAR, self.span_of(first))

        def step(total: Value, item: Value) -> Value:
            small = is_word(item.kind) and spans.holds((-spans.STEP, spans.STEP), self.span_of(item))
            if not small and (site, "large") not in self.site_kinds:
                self.site_kinds[site, "large"] = self.learned = True
            if total.kind == INT and begins_near and (site, "large") not in self.site_kinds:
                return self.of(INT, f"{total.word} + {item.word}")
            return self.add(total, item)

        return self.folded(node.args[0], first, step, site)

    def folded(self, source: ast.expr, first: Value | None, step: Any, site: Any) -> Value:
        """A fold over the items, starting with `first` or else the first item."""
        kind = join(self.site_kinds.get(site, UNKNOWN), first.kind if first is not None else UNKNOWN)
        names = tuple(self.fresh() for _ in words(kind))
        begun = self.temp("1" if first is not None else "0")
        self.set(names, self.convert(first if first is not None else NEVER, kind))

        def turn(item: Value) -> None:
            item = self.held(item)
            with self.captured() as lines:
                total = step(Value(kind, names), item)
            known = join(join(kind, total.kind), item.kind if first is None else UNKNOWN)
            known = join(known, self.site_kinds.get(site, UNKNOWN))
            if known != self.site_kinds.get(site, UNKNOWN):
                self.site_kinds[site] = known
                self.learned = True
            if known != kind:
                return
            with self.block(f"if {begun} != 0:"):
                self.paste(lines)
                self.set(names, self.convert(total, kind))
            if first is None:
                with self.block("else:"):
                    self.set(names, self.convert(item, kind))
                    self.emit(f"{begun} = 1")

        before, self.careless = self.careless, site[1] != "reduce" and kind in (INT, BOOL, UNKNOWN)
        self.each(source, turn)
        self.careless = before
        if first is None:
            with self.block(f"if {begun} == 0:"):
                self.fail("ValueError", "reduce() of nothing without an initial value")
        return self.held(Value(kind, names))

    def call_reduce(self, node: ast.Call) -> Value:
        function = self.expr(node.args[0])
        first = self.expr(node.args[2]) if len(node.args) > 2 else None
        return self.folded(
            node.args[1], first, lambda a, b: self.call_value(function, [a, b]), (node, "reduce")
        )

    def call_prod(self, node: ast.Call) -> Value:
        return self.folded(node.args[0], number(1), lambda a, b: self.operate(ast.Mult, a, b), (node, "prod"))

    def call_min(self, node: ast.Call) -> Value:
        return self.extreme(node, False)

    def call_max(self, node: ast.Call) -> Value:
        return self.extreme(node, True)

    def extreme(self, node: ast.Call, is_max: bool) -> Value:
        """min or max of several values, or of the items of one; the first among equals."""
        given = {k.arg: k.value for k in node.keywords}
        function = self.expr(given["key"]) if "key" in given and not is_none(given["key"]) else None
        site = (node, "extreme")
        kind, by = self.site_kinds.get(site, (UNKNOWN, UNKNOWN))
        names = tuple(self.fresh() for _ in words(kind))
        keys = tuple(self.fresh() for _ in words(by)) if function is not None else names
        begun = self.temp("0")
        self.set(names, self.convert(NEVER, kind))
        if function is not None:
            self.set(keys, self.convert(NEVER, by))

        def turn(item: Value) -> None:
            item = self.held(item)
            key = self.held(self.call_value(function, [item])) if function is not None else item
            sofar = self.site_kinds.get(site, (UNKNOWN, UNKNOWN))
            known = join(sofar[0], item.kind), join(sofar[1], key.kind)
            if known != sofar:
                self.site_kinds[site] = known
                self.learned = True
            if known != (kind, by):
                return
            better = self.temp("1")
            with self.block(f"if {begun} != 0:"):
                best = Value(by, keys)
                test = self.less(best, key) if is_max else self.less(key, best)
                self.emit(f"{better} = 1 if {test} else 0")
            with self.block(f"if {better} != 0:"):
                self.set(names, self.convert(item, kind))
                if function is not None:
                    self.set(keys, self.convert(key, by))
                self.emit(f"{begun} = 1")

        before, self.careless = self.careless, function is None
        if len(node.args) == 1:
            first = node.args[0]
            self.each(first.value if isinstance(first, ast.Starred) else first, turn)
        else:
            for value in self.arguments(node):
                if function is not None:
                    turn(value)
                elif value.kind != NONE:
                    turn(self.present(value))
                else:  # its kind is not known yet, or Python fails here too
                    with self.block(f"if {begun} >= 0:"):
                        self.fail("TypeError", "None is compared")
        self.careless = before
        made = Value(kind, names)
        if "default" in given:
            with self.captured() as lines:
                otherwise = self.expr(given["default"])
            return self.chosen(f"{begun} != 0", made, [], otherwise, lines)
        with self.block(f"if {begun} == 0:"):
            self.fail("ValueError", "min() or max() of nothing")
        return self.held(made)

    def call_next(self, node: ast.Call) -> Value:
        source = node.args[0]
        first = isinstance(source, ast.Call) and self.static(source.func) is iter
        if isinstance(source, ast.Call) and first:
            source = source.args[0]
        site = (node, "next")
        kind = self.site_kinds.get(site, UNKNOWN)
        names = tuple(self.fresh() for _ in words(kind))
        found = self.temp("0")
        self.set(names, self.convert(NEVER, kind))

        def turn(item: Value) -> None:
            known = join(self.site_kinds.get(site, UNKNOWN), item.kind)
            if known != self.site_kinds.get(site, UNKNOWN):
                self.site_kinds[site] = known
                self.learned = True
            if known != kind:
                return
            self.set(names, self.convert(item, kind))
            self.emit(f"{found} = 1")

        if isinstance(source, ast.Name) and not first and source.id not in self.iterators - self.others:
            raise Cannot("next() of a name cannot be compiled", "write next(... for ... in ...), or a loop")
        self.each(source, turn, found)
        if len(node.args) > 1:
            with self.captured() as lines:
                otherwise = self.expr(node.args[1])
            return self.chosen(f"{found} != 0", Value(kind, names), [], otherwise, lines)
        with self.block(f"if {found} == 0:"):
            self.fail("ValueError", "next() of nothing", (StopIteration,))
        return Value(kind, names)

    iterators: set[str]  # names that iterators are bound to
    others: set[str]  # names that other values are bound to, too

    def call_isinstance(self, node: ast.Call) -> Value:
        value = self.expr(node.args[0])
        wanted = self.static(node.args[1])
        if wanted is Missing and isinstance(node.args[1], ast.Tuple):
            wanted = tuple(self.static(e) for e in node.args[1].elts)
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        if isinstance(value.kind, OneOf) and Missing not in wanted:
            fitting = [
                i + 1 for i, each in enumerate(value.kind.kinds) if isinstance(example(each), tuple(wanted))
            ]
            return self.flag(" or ".join(f"{value.words[0]} == {i}" for i in fitting) or "False")
        have: Any = {INT: int, BOOL: bool, FLOAT: float, CHAR: str, TEXT: str, NONE: type(None)}.get(
            value.kind
        )
        match value.kind:
            case Items():
                have = tuple
            case Run(_, tag):
                have = {"list": list, "table": list, "tuple": tuple, "str": str}[tag]
            case Record(cls, _) | Member(cls):
                have = cls
        if have is None or Missing in wanted or isinstance(value.kind, Maybe):
            raise Cannot("isinstance() of a value of several kinds", "compare values instead")
        return number(issubclass(have, tuple(wanted)))

    def call_type(self, node: ast.Call) -> Value:
        value = self.expr(node.args[0])
        if isinstance(value.kind, Record | Member):
            return Value(Static(value.kind[0]))
        raise Cannot("type() of something that is not a state", "compare values instead")

    def call_replace(self, node: ast.Call) -> Value:
        """dataclasses.replace."""
        value = self.expr(node.args[0])
        if not isinstance(value.kind, Record):
            raise Cannot(f"replace() of {value.kind}", "give it a state")
        return self.record_method(value, value.kind.cls, "_replace", ast.Call(node.func, [], node.keywords))

    def deep_copy(self, value: Value) -> Value:
        match value.kind:
            case Run(Run(_, "list" | "table"), "list" | "table"):
                fill = lambda keep: self.turns(self.view_value(value), lambda row: keep(self.deep_copy(row)))  # noqa: E731
                return self.collected(fill, (self.here, "deep", value.kind))
            case Run(_, "list"):
                return self.list_method(value, "copy", ast.Call(ast.Constant(0), [], []), ast.Constant(0))
            case Run(inner, "table"):
                return Value(Run(inner, "list"), self.convert(value, Run(inner, "list")), True)
        return value

    def call_copied(self, node: ast.Call) -> Value:
        """copy.copy and copy.deepcopy."""
        value = self.expr(node.args[0])
        if self.static(node.func) is copy.deepcopy and isinstance(value.kind, Run):
            return self.deep_copy(value)
        if (
            isinstance(value.kind, Run)
            and value.kind.type == "list"
            and not isinstance(value.kind.inner, Run | Set | Dict)
        ):
            return self.list_method(value, "copy", ast.Call(node.func, [], []), node.args[0])
        if isinstance(value.kind, Run) and value.kind.type == "table":
            return Value(
                Run(value.kind.inner, "list"), self.convert(value, Run(value.kind.inner, "list")), True
            )
        if isinstance(value.kind, Set | Dict) or isinstance(value.kind, Run) and value.kind.type == "list":
            raise Cannot("a copy of lists in lists cannot be compiled", "write [list(row) for row in rows]")
        return value

    def call_astuple(self, node: ast.Call) -> Value:
        value = self.expr(node.args[0])
        return Value(Items(value.kind.kinds), value.words) if isinstance(value.kind, Record) else NEVER

    def call_iter(self, node: ast.Call) -> Value:
        return self.expr(node.args[0])._replace(once=self.looks_at(node.args[0]))

    def call_print(self, node: ast.Call) -> Value:
        raise Cannot("print() in a rule", "rules only compute; remove it")


LISTED = (
    enumerate, zip, map, filter, itertools.product, itertools.combinations, itertools.permutations, itertools.chain,
    itertools.chain.from_iterable, itertools.accumulate, itertools.takewhile, itertools.pairwise, itertools.starmap,
    itertools.islice, itertools.combinations_with_replacement,
)  # fmt: skip
_BUILTINS: dict[Any, str] = {
    **{getattr(builtins, name): name for name in (
        "len", "range", "abs", "int", "round", "float", "bool", "ord", "chr", "str", "divmod", "pow", "list", "tuple",
        "set", "dict", "sorted", "reversed", "any", "all", "sum", "min", "max", "next", "isinstance", "type", "iter",
        "print", "bin", "hex", "oct", "format",
    )},
    frozenset: "frozenset", dict.fromkeys: "fromkeys",
    **dict.fromkeys(LISTED, "items"),
    functools.reduce: "reduce", math.prod: "prod", dataclasses.replace: "replace", dataclasses.astuple: "astuple",
    copy.copy: "copied", copy.deepcopy: "copied",
}  # fmt: skip


def _is_total(key: ast.expr) -> bool:
    """Whether no two items have equal keys: without a key function, or if its result contains the item."""
    match key:
        case ast.Lambda(ast.arguments(args=[ast.arg(name)]), ast.Tuple(parts)):
            return any(isinstance(part, ast.Name) and part.id == name for part in parts)
    return is_none(key)
