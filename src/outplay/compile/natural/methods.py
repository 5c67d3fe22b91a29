"""Methods of lists, tuples, texts, sets, dicts, ints, records and enum members."""

import ast
import inspect
import types
from typing import Any

from outplay.compile.natural import library
from outplay.compile.natural.calls import is_none
from outplay.compile.natural.construct import Constructors
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
    Kind,
    Maybe,
    Member,
    Range,
    Record,
    Run,
    Set,
    Simple,
    Static,
    is_lane,
    is_word,
    words,
)
from outplay.compile.natural.objects import is_object, static_member
from outplay.compile.natural.values import NEVER, NOTHING, ROOM, Value, number
from outplay.compile.source import Missing, plain


class Methods(Constructors):
    """Compiles calls of methods."""

    loops: list[Any]  # those that are being compiled
    finals: list[list[ast.stmt]]  # `finally` blocks to run before the function returns

    def method(self, node: ast.Call, function: ast.Attribute) -> Value:
        if isinstance(function.value, ast.Call) and self.static(function.value.func) is super:
            return self.call_super(node, function)
        if self.is_unfinished(function.value):
            value = self.asked(function.value)
            return self.answer(self.record_method(value, value.kind.cls, function.attr, node))
        name = function.attr
        value = self.cells(function.value) if name == "count" else self.expr(function.value)
        value = self.present(value) if isinstance(value.kind, Maybe) else value
        value = self.only(value, lambda each: hasattr(example(each), name), f"value with {name}()")
        match value.kind:
            case Record(cls, _):
                return self.record_method(value, cls, name, node)
            case Member(cls):
                member = inspect.getattr_static(cls, name, Missing)
                if inspect.isfunction(member):
                    return self.call_function(
                        plain(member), [value, *self.arguments(node)], self.keywords(node)
                    )
                if issubclass(cls, int):
                    return self.int_method(value, name, node)
            case Run(_, "list"):
                return self.list_method(value, name, node, function.value)
            case Run(_, "str") | Simple("character"):
                return self.text_method(value, name, node)
            case Run(_, "table") if name == "copy":
                return Value(
                    Run(value.kind.inner, "list"), self.convert(value, Run(value.kind.inner, "list")), True
                )
            case Run(_, "table") if name not in ("count", "index"):
                raise Cannot(
                    "a list outside the state is changed", "keep what changes in a field of the state"
                )
            case Run() | Items() | Range():
                return self.tuple_method(value, name, node)
            case Dict():
                return self.dict_method(value, name, node, function.value)
            case Set():
                return self.set_method(value, name, node, function.value)
            case Simple("unknown"):
                return NEVER
            case Static(owner):
                if is_object(owner):
                    self.program.watch(owner, name, static_member(owner, name))
                found = getattr(owner, name, Missing)
                if found is not Missing:
                    return self.call_static(found, node)
        if is_word(value.kind):
            return self.int_method(value, name, node)
        raise Cannot(f"{name}() of {value.kind} cannot be compiled", "compute with numbers, texts and tuples")

    def call_super(self, node: ast.Call, function: ast.Attribute) -> Value:
        """super().method(...): the method of the next class in the MRO."""
        assert isinstance(function.value, ast.Call)
        first = next(iter(inspect.signature(self.function).parameters), "")
        value = self.read(first) if first in self.env else NEVER
        is_constant = isinstance(value.kind, Static) and is_object(value.kind.value)
        if function.value.args or not is_constant and not isinstance(value.kind, Record):
            raise Cannot("super() cannot be compiled here", "call the method by its class")
        classes = list((type(value.kind.value) if is_constant else value.kind.cls).__mro__)
        for place, cls in enumerate(classes):
            if any(
                plain(member) is self.function for member in vars(cls).values() if callable(plain(member))
            ):
                for other in classes[place + 1 :]:
                    found = plain(vars(other).get(function.attr, None))
                    if isinstance(found, types.FunctionType):
                        return self.call_function(found, [value, *self.arguments(node)], self.keywords(node))
        raise Cannot(f"super().{function.attr} is not a method", "call the method by its class")

    def record_method(self, value: Value, cls: Any, name: str, node: ast.Call) -> Value:
        fields = self.program.fields(cls)
        if name == "__class__":
            return self.construct(cls, node)
        if name == "_replace":
            parts = dict(zip(fields, self.parts(value), strict=True))
            return self.build(cls, [], parts | self.keywords(node))
        if name in fields:
            return self.call_value(self.parts(value)[fields.index(name)], self.arguments(node))
        member = inspect.getattr_static(cls, name, Missing)
        self.program.watch(cls, name, member)
        if member is Missing:
            raise Cannot(f"{cls.__name__} has no method {name}", "define it in the class")
        function = plain(member) if not isinstance(member, classmethod) else member.__func__
        if name in ("count", "index") and function is getattr(tuple, name):
            return self.tuple_method(Value(Items(value.kind.kinds), value.words), name, node)
        if not isinstance(function, types.FunctionType):
            raise Cannot(f"{cls.__name__}.{name} is not a method", f"write `def {name}(self, ...)`")
        bound = (
            []
            if isinstance(member, staticmethod)
            else [Value(Static(cls))]
            if isinstance(member, classmethod)
            else [value]
        )
        return self.call_written(function, node, bound)

    def int_method(self, value: Value, name: str, node: ast.Call) -> Value:
        if name in ("bit_count", "bit_length") and not node.args:
            return self.of(INT, f"{name}({value.word})")
        raise Cannot(f"{name}() of an int cannot be compiled", "write it out")

    def tuple_method(self, value: Value, name: str, node: ast.Call) -> Value:
        args = self.arguments(node)
        if name == "count" and len(args) == 1:
            return self.counted(value, args[0])
        if name == "index" and args:
            start = "0"
            if len(args) > 1:
                _, count, _ = self.run(value)
                start = self.temp(f"bound({self.word_of(args[1])}, {count})")
            place = self.find(value, args[0], start)
            with self.block(f"if {place} < 0:"):
                self.fail("ValueError", "index(): not found")
            return Value(INT, (place,))
        raise Cannot(f"{name}() of {value.kind} cannot be compiled", "write a loop")

    def counted(self, value: Value, item: Value) -> Value:
        total = self.tally_cells(value, item) if isinstance(value.kind, Run) else None
        if total is not None:
            return Value(INT, (total,))
        data, count, inner = self.run(value)
        if inner == UNKNOWN:
            return number(0)
        if len(words(inner)) == 1 and (
            inner == item.kind and inner in (INT, BOOL, CHAR) or inner == INT and is_word(item.kind)
        ):
            return self.of(INT, f"count_word({data}, {count}, {item.word})")
        total, i = self.temp("0"), self.fresh()
        with self.block(f"for {i} in range({count}):"):
            test = self.equal(self.item(data, i, inner), item)
            with self.block(f"if {test}:"):
                self.emit(f"{total} += 1")
        return Value(INT, (total,))

    def list_method(self, value: Value, name: str, node: ast.Call, owner: ast.expr) -> Value:
        if name == "extend" and len(node.args) == 1:
            fits = True

            def add(item: Value) -> None:
                nonlocal fits
                fits = self.refine(owner, Run(item.kind, "list")) and fits
                if fits:
                    self.push(value.word, value.kind.inner, item)

            source = node.args[0]
            held = source if isinstance(source, ast.GeneratorExp) or self.is_lazy(source) else None
            if held is not None:
                self.each(held, add)
            else:
                items = self.expr(source)
                if items.kind == value.kind:  # it may be the same list
                    data, count, inner = self.run(items)
                    items = Value(Run(inner), (data, count))
                self.turns(self.view_value(items), add)
            return NOTHING
        if name == "sort":
            ordered = self.ordered(value, node.keywords)
            data, count, inner = self.run(ordered)
            self.emit(f"copy(word({value.word}, 2), {data}, {count} * {max(len(words(inner)), 1)})")
            return NOTHING
        return self.change_list(value, name, node, owner)

    def call_list_function(self, value: Value, name: str, args: list[Value]) -> Value | None:
        """Methods of deques that are written in Python (`library.py`)."""
        if name == "rotate" and len(args) <= 1:
            return self.call_function(library.rotate, [value, *args])
        if name == "extendleft" and len(args) == 1 and isinstance(args[0].kind, Run | Items):
            return self.call_function(library.extendleft, [value, *args])
        return None

    def change_list(self, value: Value, name: str, node: ast.Call, owner: ast.expr) -> Value:
        """append, insert, pop, remove and the like."""
        args = self.arguments(node)
        inner = value.kind.inner
        stride = max(len(words(inner)), 1)
        if (own := self.call_list_function(value, name, args)) is not None:
            return own
        match name, len(args):
            case (("append" | "appendleft"), 1):
                self.refuse_iterator(args[0])
                if self.refine(owner, Run(args[0].kind, "list")):
                    if name == "append":
                        self.push(value.word, inner, args[0])
                    else:
                        self.put(
                            self.temp(f"open_gap({ROOM}, {value.word}, 0, {stride})"),
                            inner,
                            self.convert(args[0], inner),
                        )
                return NOTHING
            case "insert", 2:
                if self.refine(owner, Run(args[1].kind, "list")):
                    given = self.convert(args[1], inner)
                    place = self.temp(f"bound({self.word_of(args[0])}, word({value.word}, 0))")
                    self.put(self.temp(f"open_gap({ROOM}, {value.word}, {place}, {stride})"), inner, given)
                return NOTHING
            case (("pop" | "popleft"), (0 | 1)):
                if inner == UNKNOWN:
                    return NEVER
                which = self.word_of(args[0]) if args else "-1" if name == "pop" else "0"
                place = self.temp(f"index({which}, word({value.word}, 0))")
                item = self.held(self.item(self.temp(f"word({value.word}, 2)"), place, inner))
                self.emit(f"close_gap({value.word}, {place}, 1, {stride})")
                return item
            case "remove", 1:
                place = self.find(value, args[0])
                with self.block(f"if {place} < 0:"):
                    self.fail("ValueError", "remove(): not found")
                self.emit(f"close_gap({value.word}, {place}, 1, {stride})")
                return NOTHING
            case "copy", 0:
                data, count, _ = self.run(value)
                return Value(
                    value.kind, (self.temp(f"list_of({ROOM}, {data}, {count}, {stride})"),), fresh=True
                )
            case "clear", 0:
                self.emit(f"put_word({value.word}, 0, 0)")
                return NOTHING
            case "reverse", 0:
                data, count, _ = self.run(value)
                made = self.temp(f"stepped({ROOM}, {data}, {count} - 1, -1, {count}, {stride})")
                self.emit(f"copy({data}, {made}, {count} * {stride})")
                return NOTHING
        return self.tuple_method(value, name, node)

    def dict_method(self, value: Value, name: str, node: ast.Call, owner: ast.expr) -> Value:
        kind = value.kind
        assert isinstance(kind, Dict)
        args = self.arguments(node)
        match name, len(args):
            case "get", (1 | 2):
                otherwise = args[1] if len(args) == 2 else NOTHING
                place = self.find(value, args[0])
                with self.captured() as lines:
                    found = self.item(self.temp(f"word({value.words[1]}, 2)"), place, kind.value)
                return self.chosen(f"{place} >= 0", found, lines, otherwise, [])
            case "keys", 0 if not kind.ordered:
                return Value(
                    Set(kind.key, frozen=None), value.words[:1], once=self.looks_at(owner, again=True)
                )
            case "keys", 0:
                data, count, inner = self.run(value)
                return Value(Run(inner), (data, count), once=self.looks_at(owner, again=True))
            case "values", 0:
                self.refuse_order(value)
                handle = value.words[1]
                there = self.temp(f"word({handle}, 2)"), self.temp(f"word({handle}, 0)")
                return Value(Run(kind.value), there, once=self.looks_at(owner, again=True))
            case "items", 0:
                pair = Items((kind.key, kind.value))
                made = self.collected(lambda keep: self.turns(self.pairs(value), keep), (node, "items", pair))
                if not kind.ordered:
                    made = Value(Set(made.kind.inner, frozen=None), made.words)
                return made._replace(once=self.looks_at(owner, again=True))
            case "most_common", (0 | 1):
                self.refuse_order(value)
                return self.call_function(library.most_common, [value, *args])
            case "elements", 0:
                return self.call_function(library.elements, [value])
            case "total", 0:
                return self.call_with(sum, [self.dict_part(value, 1)], {})
            case "copy", 0:
                return self.copied_dict(value, None if kind.default == "constant" else kind.default)
        return self.change_dict(value, name, args, owner)

    def change_dict(self, value: Value, name: str, args: list[Value], owner: ast.expr) -> Value:
        """pop, update and the like."""
        kind = value.kind
        assert isinstance(kind, Dict)
        if name in ("pop", "setdefault", "update", "clear", "popitem"):
            self.refuse_constant(kind)
        match name, len(args):
            case "pop", (1 | 2):
                place = self.find(value, args[0])
                with self.captured() as lines:
                    found = self.held(self.item(self.temp(f"word({value.words[1]}, 2)"), place, kind.value))
                    for handle, each in zip(value.words, (kind.key, kind.value), strict=True):
                        self.emit(f"close_gap({handle}, {place}, 1, {max(len(words(each)), 1)})")
                with self.captured() as others:
                    if len(args) == 1:
                        self.fail("KeyError", "a key is missing")
                return self.chosen(
                    f"{place} >= 0", found, lines, args[1] if len(args) == 2 else NEVER, others
                )
            case "setdefault", 2:
                if self.refine(owner, Dict(args[0].kind, args[1].kind)):
                    key = self.held(Value(kind.key, self.convert(args[0], kind.key)))
                    with self.block(f"if {self.find(value, key)} < 0:"):
                        self.set_key(value, key, args[1])
                    return self.indexed(value, key)
                return NEVER
            case "update", 1 if isinstance(args[0].kind, Dict) and kind.default != "zero":
                other = args[0]
                if kind.ordered:
                    self.refuse_order(other)
                pairs = self.zipped([self.view_value(self.dict_part(other, i)) for i in (0, 1)])

                def put(pair: Value) -> None:
                    key, item = self.parts(pair)
                    if self.refine(owner, Dict(key.kind, item.kind)):
                        self.set_key(value, key, item)

                self.turns(pairs, put)
                return NOTHING
            case "popitem", 0:
                if kind.key == UNKNOWN:
                    return NEVER
                self.refuse_order(value)
                with self.block(f"if word({value.word}, 0) == 0:"):
                    self.fail("KeyError", "popitem() of an empty dict")
                last = self.temp(f"word({value.word}, 0) - 1")
                found = self.tuple_of(
                    [
                        self.held(self.item(self.temp(f"word({handle}, 2)"), last, each))
                        for handle, each in zip(value.words, (kind.key, kind.value), strict=True)
                    ]
                )
                for handle, each in zip(value.words, (kind.key, kind.value), strict=True):
                    self.emit(f"close_gap({handle}, {last}, 1, {max(len(words(each)), 1)})")
                return found
            case "clear", 0:
                for handle in value.words:
                    self.emit(f"put_word({handle}, 0, 0)")
                return NOTHING
        raise Cannot(f"{name}() of a dict cannot be compiled", "write it with [] and `in`")

    def set_method(self, value: Value, name: str, node: ast.Call, owner: ast.expr) -> Value:
        signs = {
            "union": ast.BitOr,
            "intersection": ast.BitAnd,
            "difference": ast.Sub,
            "symmetric_difference": ast.BitXor,
        }
        if name == "union" and any(isinstance(part, ast.Starred) for part in node.args):
            return self.union(value, node)
        if name in signs and node.args:
            for i, part in enumerate(node.args):
                value = self.of_sets(signs[name], value, self.set_from(part, (node, "other", i)))
            return value
        args = self.arguments(node)
        inner = value.kind.inner
        if name in ("add", "remove", "discard", "update", "pop", "clear"):
            self.refuse_constant(value.kind)
        match name, len(args):
            case "add", 1:
                if self.refine(owner, Set(args[0].kind)):
                    self.add_to_set(value, args[0])
                return NOTHING
            case (("remove" | "discard"), 1):
                place = self.find(value, args[0])
                with self.block(f"if {place} >= 0:"):
                    self.emit(f"close_gap({value.word}, {place}, 1, {max(len(words(inner)), 1)})")
                if name == "remove":
                    with self.block("else:"):
                        self.fail("KeyError", "remove(): not found")
                return NOTHING
            case "pop", 0 if not self.loops:  # in a loop it takes one of several
                return self.pop_of_set(value)
            case "copy", 0:
                stride = max(len(words(inner)), 1)
                made = self.temp(f"list_of({ROOM}, word({value.word}, 2), word({value.word}, 0), {stride})")
                return Value(Set(inner, frozen=value.kind.frozen), (made,), fresh=True)
            case "issubset", 1:
                return self.flag(self.subset(ast.LtE(), value, args[0]))
            case "issuperset", 1:
                return self.flag(self.subset(ast.GtE(), value, args[0]))
            case "isdisjoint", 1:
                both = self.of_sets(ast.BitAnd, value, args[0])
                return self.flag(f"word({both.word}, 0) == 0")
            case "update", 1:

                def add(item: Value) -> None:
                    if self.refine(owner, Set(item.kind)):
                        self.add_to_set(value, item)

                self.turns(self.loose(args[0]), add)
                return NOTHING
        raise Cannot(f"{name}() of a set cannot be compiled", "use &, |, - and `in`")

    def union(self, value: Value, node: ast.Call) -> Value:
        """set().union(*sets)"""

        def fill(keep: Any) -> None:
            self.turns(self.loose(value), keep)
            for part in node.args:
                if isinstance(part, ast.Starred):
                    self.each(part.value, lambda row: self.turns(self.loose(row), keep))
                else:
                    self.each(part, keep)

        before, self.careless = self.careless, True
        made = self.set_of(fill, (node, "union"))
        self.careless = before
        return made._replace(kind=made.kind._replace(frozen=value.kind.frozen))

    def pop_of_set(self, value: Value) -> Value:
        """pop() of a set with one item; which of several it gives depends on their order."""
        inner = value.kind.inner
        if inner == UNKNOWN:
            return NEVER
        with self.block(f"if word({value.word}, 0) == 0:"):
            self.fail("KeyError", "pop() of an empty set")
        with self.block(f"if word({value.word}, 0) > 1:"):
            self.beyond("pop() takes some item of a set")
        item = self.held(self.item(self.temp(f"word({value.word}, 2)"), "0", inner))
        self.emit(f"put_word({value.word}, 0, 0)")
        return item

    def split(self, value: Value, args: list[Value]) -> Value:
        """text.split(), by a separator or by white space."""
        data, count, _ = self.run(value)
        part, size, _ = self.run(args[0]) if args else ("0", "0", CHAR)
        made, start, i = self.new_list(TEXT), self.temp("0"), self.temp("0")
        if not args:
            with self.block(f"while {i} <= {count}:"):
                with self.block(f"if {i} == {count} or is_of(word({data}, {i}), 4):"):
                    with self.block(f"if {i} > {start}:"):
                        self.push(made.word, TEXT, Value(TEXT, (f"{data} + 8 * {start}", f"{i} - {start}")))
                    self.emit(f"{start} = {i} + 1")
                self.emit(f"{i} += 1")
            return made
        with self.block(f"if {size} == 0:"):
            self.fail("ValueError", "split() by an empty text")
        with self.block("while True:"):
            self.emit(f"{i} = find_run({data}, {count}, {part}, {size}, {start})")
            with self.block(f"if {i} < 0:"):
                self.push(made.word, TEXT, Value(TEXT, (f"{data} + 8 * {start}", f"{count} - {start}")))
                self.emit("break")
            self.push(made.word, TEXT, Value(TEXT, (f"{data} + 8 * {start}", f"{i} - {start}")))
            self.emit(f"{start} = {i} + {size}")
        return made

    def call_text_function(self, value: Value, name: str, args: list[Value]) -> Value | None:
        """Methods of texts that are written in Python (`library.py`)."""
        if (name, len(args)) in library.TEXTS:
            text = Value(TEXT, self.convert(value, TEXT))
            return self.call_function(library.TEXTS[name, len(args)], [text, *args])
        if name == "translate" and len(args) == 1 and isinstance(args[0].kind, Dict):
            text = Value(TEXT, self.convert(value, TEXT))
            given = library.translate if args[0].kind.value == INT else library.translate_to_texts
            return self.call_function(given, [text, args[0]])
        if name in ("strip", "lstrip", "rstrip") and len(args) == 1:
            ends = [self.embed(name != "rstrip"), self.embed(name != "lstrip")]
            return self.call_function(library.strip_of, [value, *args, *ends])
        return None

    def count_in_text(self, value: Value, node: ast.Call) -> Value:
        """count() of a text stored compactly, as in a state."""
        total = self.tally_cells(value, self.expr(node.args[0])) if len(node.args) == 1 else None
        return (
            Value(INT, (total,)) if total is not None else self.text_method(self.wide(value), "count", node)
        )

    def text_method(self, value: Value, name: str, node: ast.Call) -> Value:
        if is_lane(value.kind):
            return self.count_in_text(value, node)
        if isinstance(value.constant, str) and all(self.expr(a).constant is not Missing for a in node.args):
            made = getattr(value.constant, name)(*[self.expr(a).constant for a in node.args])
            return self.embed(tuple(made) if isinstance(made, list) else made)
        if name == "join" and len(node.args) == 1:
            return self.joined_texts(value, node.args[0])
        args = self.arguments(node)
        if name == "split" and len(args) <= 1:
            return self.split(value, args)
        if (own := self.call_text_function(value, name, args)) is not None:
            return own
        data, count, _ = self.run(value)
        match name, len(args):
            case (("count" | "find" | "index" | "startswith" | "endswith"), 1):
                part, size, _ = self.run(args[0])
                if name == "count":
                    if args[0].kind == CHAR:
                        return self.of(INT, f"count_word({data}, {count}, {args[0].word})")
                    return self.of(INT, f"count_run({data}, {count}, {part}, {size})")
                if name == "startswith":
                    return self.flag(f"({size} <= {count} and same({data}, {part}, {size}) == 1)")
                if name == "endswith":
                    return self.flag(
                        f"({size} <= {count} and same({data} + 8 * ({count} - {size}), {part}, {size}) == 1)"
                    )
                place = self.temp(f"find_run({data}, {count}, {part}, {size}, 0)")
                if name == "index":
                    with self.block(f"if {place} < 0:"):
                        self.fail("ValueError", "index(): not found")
                return Value(INT, (place,))
            case "replace", (2 | 3):
                old, size, _ = self.run(args[0])
                new, length, _ = self.run(args[1])
                most = self.word_of(args[2]) if len(args) == 3 else "-1"
                made = self.temp(f"replaced({ROOM}, {data}, {count}, {old}, {size}, {new}, {length}, {most})")
                return Value(TEXT, (self.temp(f"word({made}, 2)"), self.temp(f"word({made}, 0)")))
            case (("ljust" | "rjust" | "zfill"), (1 | 2)):
                fill = args[1].word if len(args) == 2 else "48" if name == "zfill" else "32"
                width = self.word_of(args[0])
                made = self.temp(f"padded({ROOM}, {data}, {count}, {width}, {fill}, {int(name == 'ljust')})")
                return Value(TEXT, (made, self.temp(f"max({count}, {width})")))
            case (("strip" | "lstrip" | "rstrip"), 0):
                start = "0" if name == "rstrip" else self.temp(f"first_word({data}, {count})")
                stop = count if name == "lstrip" else self.temp(f"max({start}, last_word({data}, {count}))")
                return Value(TEXT, (self.temp(f"{data} + 8 * {start}"), self.temp(f"{stop} - {start}")))
            case (("upper" | "lower" | "swapcase"), 0):
                made = self.temp(
                    f"cased({ROOM}, {data}, {count}, {('upper', 'lower', 'swapcase').index(name)})"
                )
                if value.kind == CHAR:
                    return self.of(CHAR, f"word({made}, 0)")
                return Value(TEXT, (made, count))
            case (("isupper" | "islower" | "isdigit" | "isalpha" | "isspace" | "isnumeric" | "isdecimal"), 0):
                name = "isdigit" if name in ("isnumeric", "isdecimal") else name
                which = ("isupper", "islower", "isdigit", "isalpha", "isspace").index(name)
                return self.flag(f"is_all({data}, {count}, {which}) == 1")
        raise Cannot(f"{name}() of a text cannot be compiled", "use ints or tuples in rules")

    def joined_texts(self, between: Value, node: ast.expr) -> Value:
        if between.constant == "" and isinstance(node, ast.Name):
            value = self.cells(node)
            if is_lane(value.kind) and value.kind.inner == CHAR:
                return self.kept(value, "str")
        made = self.new_list(CHAR)
        data, count, _ = self.run(between)
        first = self.temp("1")

        def add(item: Value) -> None:
            if item.kind not in (CHAR, TEXT, UNKNOWN):
                raise Cannot(f"join() is given {item.kind}", "give it texts")
            with self.block(f"if {first} == 0:"):
                self.emit(f"append_run({ROOM}, {made.word}, {data}, {count})")
            self.emit(f"{first} = 0")
            if item.kind == CHAR:
                self.push(made.word, CHAR, item)
            elif item.kind == TEXT:
                self.emit(f"append_run({ROOM}, {made.word}, {item.words[0]}, {item.words[1]})")

        self.each(node, add)
        return Value(TEXT, (self.temp(f"word({made.word}, 2)"), self.temp(f"word({made.word}, 0)")))

    def ordered(self, value: Value, keywords: list[ast.keyword]) -> Value:
        """A sorted copy of a list, by insertion sort, which is stable: rules sort few items."""
        given = {k.arg: k.value for k in keywords}
        reverse = self.expr(given["reverse"]) if "reverse" in given else number(False)
        function = self.expr(given["key"]) if "key" in given and not is_none(given["key"]) else None
        data, count, inner = self.run(value)
        if inner == UNKNOWN:
            return value
        stride = max(len(words(inner)), 1)
        made = self.temp(f"list_of({ROOM}, {data}, {count}, {stride})")
        data = self.temp(f"word({made}, 2)")
        if function is None and inner in (INT, BOOL, CHAR) and reverse.constant is False:
            self.emit(f"sort_words({data}, {count})")
            return Value(Run(inner, "list"), (made,), fresh=True)
        keys, kind, step = data, inner, stride
        if function is not None:
            listed = self.collected(
                lambda keep: self.turns(
                    self.view_value(Value(Run(inner), (data, count))),
                    lambda item: keep(self.call_value(function, [item])),
                ),
                (value.kind, given["key"], "keys"),
            )
            keys, _, kind = self.run(listed)
            if kind == UNKNOWN:
                return Value(Run(inner, "list"), (made,), fresh=True)
            step = max(len(words(kind)), 1)
        self.insertion(data, keys, count, (inner, stride), (kind, step), reverse)
        return Value(Run(inner, "list"), (made,), fresh=True)

    def insertion(self, data: str, keys: str, count: str, items: Any, by: Any, reverse: Value) -> None:
        (inner, stride), (kind, step) = items, by
        i, k = self.fresh(), self.fresh()
        with self.block(f"for {i} in range(1, {count}):"):
            key = self.held(self.item(keys, i, kind))
            item = self.held(self.item(data, i, inner))
            self.emit(f"{k} = {i}")
            with self.block(f"while {k} > 0:"):
                before = self.item(keys, self.temp(f"{k} - 1"), kind)
                up, down = self.less(key, before), self.less(before, key)
                if reverse.constant is not Missing:
                    test = down if reverse.constant else up
                else:
                    test = f"(({self.truth(reverse)} and {down}) or (not ({self.truth(reverse)}) and {up}))"
                with self.block(f"if not ({test}):"):
                    self.emit("break")
                self.emit(f"copy({data} + {8 * stride} * {k}, {data} + {8 * stride} * ({k} - 1), {stride})")
                if keys != data:
                    self.emit(f"copy({keys} + {8 * step} * {k}, {keys} + {8 * step} * ({k} - 1), {step})")
                self.emit(f"{k} -= 1")
            self.put(f"{data} + {8 * stride} * {k}", inner, item.words)
            if keys != data:
                self.put(f"{keys} + {8 * step} * {k}", kind, key.words)

    def kept(self, value: Value, tag: str) -> Value:
        """A run's items, also of an array that is returned at once, since then it no longer changes."""
        data, count, inner, size = self.lane(value)
        if value.kind.type == "array" and (not self.leaving or self.finals):
            data = self.copied(data, count, max(len(words(inner)), 1), size)
        return Value(Run(inner, tag, size), (data, count))


def example(kind: Kind) -> Any:
    """A Python value of this kind."""
    match kind:
        case Items() | Run(_, "tuple"):
            return ()
        case Member():
            members: Any = kind.enum
            return next(iter(members))
        case Record():
            fields = getattr(kind.cls, "_fields", None)
            return object.__new__(kind.cls) if fields is None else tuple.__new__(kind.cls, fields)
    return {INT: 0, BOOL: False, FLOAT: 0.0, NONE: None}.get(kind, "")
