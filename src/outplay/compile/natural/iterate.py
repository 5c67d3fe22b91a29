"""Loops: over ranges, runs, dicts, `enumerate`, `zip`, comprehensions and what itertools makes of them."""

import ast
import builtins
import contextlib
import enum
import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from outplay import words as bitwords
from outplay.compile.natural import library, spans
from outplay.compile.natural.comparison import Comparing
from outplay.compile.natural.kinds import (
    CHAR,
    INT,
    NONE,
    UNKNOWN,
    Cannot,
    Dict,
    Items,
    Kind,
    Maybe,
    Range,
    Record,
    Run,
    Set,
    Static,
    alike,
    closures,
    is_word,
    join,
    may_share,
    words,
)
from outplay.compile.natural.once import CURE, Once
from outplay.compile.natural.syntax import FOLDS, free, is_symmetric, target_names
from outplay.compile.natural.values import Body, Each, Site, Value, item_origin
from outplay.compile.source import Missing

DEEP = 5  # loops in loops
FEW = 8  # a loop over up to so many items is unrolled
MOST_WRITTEN = 600  # up to so many syntax nodes
FAR = 1 << 40  # the length of an endless iterator: no loop reaches it
ENDLESS = (itertools.count, itertools.cycle, itertools.repeat)
PLACED = (  # what they give depends on the order of what they are given
    enumerate, zip, reversed, itertools.pairwise, itertools.zip_longest, itertools.cycle, itertools.combinations,
    itertools.permutations, itertools.combinations_with_replacement, itertools.accumulate, itertools.islice,
    itertools.takewhile,
)  # fmt: skip


class View(NamedTuple):
    """Something with a length and items that can be computed by index."""

    length: Callable[[], str]  # called before each iteration, as a list may grow
    item: Callable[[str], Value]


class Noted:
    """The order of items does not matter, and `used` tells whether they had none."""

    used = False


class Meaning(NamedTuple):
    """What a name means: whether it is a local, and which."""

    known: bool
    var: Any
    outside: Any  # what it means outside all comprehensions, if it is a comprehension's; otherwise Missing


class Iterating(Comparing):
    """Compiles iteration."""

    of_turn: dict[str, Any]  # names that are a comprehension's, and what they mean outside all comprehensions

    def view(self, node: ast.expr) -> View | None:
        """The view that a loop over an expression iterates, if its length is known without computing the items."""
        called = self.static(node.func) if isinstance(node, ast.Call) else None
        with self.careful(called in PLACED or called is map and len(getattr(node, "args", ())) > 2):
            return self.view_in_order(node)

    def view_in_order(self, node: ast.expr) -> View | None:
        if isinstance(node, ast.Call) and not any(isinstance(a, ast.Starred) for a in node.args):
            called = self.static(node.func)
            if called is enumerate and 1 <= len(node.args) + len(node.keywords) <= 2:
                start = node.args[1] if len(node.args) == 2 else next((k.value for k in node.keywords), None)
                first = self.word_of(self.expr(start)) if start is not None else "0"
                inner = self.view_of(node.args[0])
                return View(inner.length, lambda i: self.pair(self.summed_up(first, i), inner.item(i)))
            if called is zip and node.args:
                return self.zipped([self.view_of(a) for a in node.args])
            if called is reversed and len(node.args) == 1:
                inner = self.view_of(node.args[0])
                count = inner.length()
                count = self.temp(count)
                return View(lambda: count, lambda i: inner.item(self.temp(f"{count} - 1 - {i}")))
            if called is map and len(node.args) >= 2:
                function = self.expr(node.args[0])
                views = [self.view_of(a) for a in node.args[1:]]
                shortest = self.zipped(views)
                return View(shortest.length, lambda i: self.call_value(function, [v.item(i) for v in views]))
            if called is itertools.pairwise and len(node.args) == 1:
                inner = self.view_of(node.args[0])
                return View(
                    lambda: f"{inner.length()} - 1",
                    lambda i: self.pair(inner.item(i), inner.item(self.temp(f"{i} + 1"))),
                )
            if called in ENDLESS:
                return self.endless(called, node)
            if called is itertools.zip_longest:
                return self.zipped_longest(node)
            if called is bitwords.bits:
                return self.view_value(self.call_static(bitwords.bits, node))
        match node:
            case ast.Call(args=[ast.Starred(value=rows)], keywords=[]) if self.static(node.func) is zip:
                return self.transposed(self.expr(rows))
            case ast.Call() if self.static(node.func) in (enumerate, zip, map, reversed):
                raise Cannot(f"{ast.unparse(node)} cannot be compiled", "write the loop out")
        if isinstance(node, ast.GeneratorExp) or self.is_lazy(node):
            return None
        if isinstance(node, ast.List):  # nothing else uses it, so no list is built
            made = self.cells(as_tuple(node))
            view = self.view_value(made)
            return View(view.length, lambda i: view.item(i)._replace(fresh=made.fresh))
        return self.view_of_dict(node) or self.view_of_all(node)

    def view_of_dict(self, node: ast.expr) -> View | None:
        """The view of d.items() and d.values()."""
        match node:
            case ast.Call(func=ast.Attribute(value=base, attr="items"), args=[], keywords=[]):
                if isinstance(self.quiet(base), Dict):
                    value = self.expr(base)
                    self.refuse_order(value)
                    return self.pairs(value)
            case ast.Call(func=ast.Attribute(value=base, attr="values"), args=[], keywords=[]) if (
                self.careless
            ):
                if isinstance(self.quiet(base), Dict):
                    value = self.expr(base)
                    self.refuse_order(value)
                    return self.view_value(self.dict_part(value, 1))
        return None

    def view_of_all(self, node: ast.expr) -> View:
        """The view of a value."""
        match node:
            case ast.Call(args=[items], keywords=[]) if self.careless and self.static(node.func) in (
                list,
                tuple,
            ):
                return self.view_value(self.materialized(items))
        value = self.cells(node)
        self.viewed = value.once
        return self.view_value(value)

    viewed: Once | None = None  # what the items of the last view depend on

    def pairs(self, value: Value) -> View:
        """The items of a dict, each as it is when its turn comes."""
        return self.zipped([self.view_value(self.dict_part(value, i)) for i in (0, 1)])

    def endless(self, called: Any, node: ast.Call) -> View:
        """count(), cycle() and repeat(), with an end far away."""
        if called is itertools.count:
            given = [self.word_of(self.expr(a)) for a in node.args]
            start, step = (*given, *("0", "1")[len(given) :])
            return View(lambda: str(FAR), lambda i: self.of(INT, f"add({start}, mul({i}, {step}))"))
        if called is itertools.repeat:
            value = self.held(self.expr(node.args[0]))
            times = self.word_of(self.expr(node.args[1])) if len(node.args) > 1 else str(FAR)
            return View(lambda: times, lambda i: value)
        with self.early():
            inner = self.view_value(self.fixed(node.args[0]))
        count = self.temp(inner.length())
        return View(
            lambda: f"(0 if {count} == 0 else {FAR})", lambda i: inner.item(self.temp(f"{i} % {count}"))
        )

    def zipped_longest(self, node: ast.Call) -> View:
        with self.early():
            views = [self.view_value(self.fixed(a)) for a in node.args]
        counts = [self.temp(v.length()) for v in views]
        fill = next((self.expr(k.value) for k in node.keywords), Value(NONE))
        longest = self.temp(f"max({', '.join(counts)})") if len(counts) > 1 else counts[0]

        def item(i: str) -> Value:
            parts = []
            for view, count in zip(views, counts, strict=True):
                with self.captured() as lines:
                    found = view.item(i)
                parts.append(self.chosen(f"{i} < {count}", found, lines, fill, []))
            return self.tuple_of(parts)

        return View(lambda: longest, item)

    def transposed(self, rows: Value) -> View:
        """zip(*rows)."""
        if isinstance(rows.kind, Items):
            return self.zipped([self.view_value(part) for part in self.parts(rows)])
        self.refuse_order(rows)
        data, count, inner = self.run(rows)
        if inner == UNKNOWN:
            return View(lambda: "0", lambda i: Value(UNKNOWN))
        shortest, k = self.temp("-1"), self.fresh()
        with self.block(f"for {k} in range({count}):"):
            _, length, kind, size = self.lane(self.item(data, k, inner))
            with self.block(f"if {shortest} < 0 or {length} < {shortest}:"):
                self.emit(f"{shortest} = {length}")
        stride = max(len(words(kind)), 1)

        def column(i: str) -> Value:
            made, k = self.take(f"{count} * {stride}"), self.fresh()
            with self.block(f"for {k} in range({count}):"):
                row, _, _, _ = self.lane(self.item(data, k, inner))
                self.put(f"{made} + {8 * stride} * {k}", kind, self.item(row, i, kind, size).words)
            return Value(Run(kind), (made, count))

        return View(lambda: shortest, column)

    def is_lazy(self, node: ast.expr) -> bool:
        """Whether its items are computed one by one, as a comprehension's are."""
        return isinstance(node, ast.Call) and self.static(node.func) in (
            filter, itertools.product, itertools.combinations, itertools.permutations, itertools.chain,
            itertools.chain.from_iterable, itertools.accumulate, itertools.takewhile,
            itertools.starmap, itertools.islice, itertools.combinations_with_replacement,
        )  # fmt: skip

    def view_of(self, node: ast.expr) -> View:
        """The same; if necessary, all items are computed first."""
        found = self.view(node)
        return found if found is not None else self.view_value(self.made_early(node))

    def zipped(self, views: list[View]) -> View:
        def length() -> str:
            counts = [v.length() for v in views]
            if len(counts) == 1:
                return counts[0]
            least = f"min({', '.join(counts)})"
            return least if "word(" in least else self.temp(least)  # a list may grow or shrink meanwhile

        return View(length, lambda i: self.tuple_of([v.item(i) for v in views]))

    def pair(self, a: Value, b: Value) -> Value:
        return self.tuple_of([a, b])

    def tuple_of(self, parts: list[Value]) -> Value:
        made = Value(Items(tuple(p.kind for p in parts)), tuple(w for p in parts for w in p.words))
        lists = [part for part in parts if may_share(part.kind)]
        if lists:
            made = made._replace(
                fresh=all(part.fresh for part in lists), origin=Each(tuple(p.origin for p in parts))
            )
        return made

    def view_value(self, value: Value) -> View:
        match value.kind:
            case Range():
                known = value.constant
                if isinstance(known, range):
                    return View(lambda: str(len(known)), lambda i: self.of_range(value, i))
                count = self.temp(f"range_length({', '.join(value.words)})")
                return View(lambda: count, lambda i: self.of_range(value, i))
            case Run(inner, "list"):
                handle, origin = value.word, item_origin(value.origin, inner)
                return View(
                    lambda: f"word({handle}, 0)",
                    lambda i: self.item(self.temp(f"word({handle}, 2)"), i, inner)._replace(origin=origin),
                )
            case Items():
                data, count, inner = self.run(value)
                return View(lambda: count, lambda i: self.item(data, i, inner))
            case Set() | Dict():
                self.refuse_order(value)
            case Static(cls) if isinstance(cls, enum.EnumMeta):
                return self.view_value(self.embed(tuple(cls)))
            case Maybe():
                return self.view_value(self.present(value))
        data, count, inner, size = self.lane(value)
        return View(lambda: count, lambda i: self.item(data, i, inner, size))

    def of_range(self, value: Value, i: str) -> Value:
        """Item i of a range."""
        start, stop, step = value.words
        (low, high), (end, last) = self.span(start), self.span(stop)
        down = step.startswith("-")
        span = (end + 1, high) if down else (low, last - 1)
        if not step.lstrip("-").isdigit() or span[0] > span[1]:
            span = spans.ANY
        steps = i if step == "1" else f"{i} * {step}"
        return Value(INT, (self.within(span, steps if start == "0" else f"{start} + {steps}"),))

    def summed_up(self, first: str, i: str) -> Value:
        """The sum of a start and an index."""
        span = spans.of_operation(ast.Add, self.span(first), self.span(i))
        return Value(INT, (self.within(spans.clipped(span), i if first == "0" else f"{first} + {i}"),))

    def places(self, length: str) -> spans.Span:
        """The span of the indices of a sequence with this length."""
        return 0, max(min(self.span(length)[1], spans.LENGTH[1]) - 1, 0)

    def refuse_order(self, value: Value) -> None:
        """Refuse to go through a set, or a dict made of one, where the order of its items matters."""
        if not isinstance(value.kind, Set | Dict) or value.kind.ordered:
            return
        if not self.careless:
            made = " made of a set" if isinstance(value.kind, Dict) else ""
            what = f"the order of a {value.kind}{made} matters here, and Python guarantees none"
            raise Cannot(what, "sort it: sorted(...)")
        if isinstance(self.careless, Noted):
            self.careless.used = True

    @contextlib.contextmanager
    def careful(self, matters: bool = True) -> Iterator[None]:
        """While the order of items matters."""
        before, self.careless = self.careless, False if matters else self.careless
        try:
            yield
        finally:
            self.careless = before

    # whether the order of the items does not matter; `Noted`: it is asked whether there was one
    careless: Any = False

    ahead = False  # whether items are computed before Python would

    @contextlib.contextmanager
    def early(self) -> Iterator[None]:
        """While items are computed before Python would, which may come to other steps first, or never to these."""
        before, self.ahead = self.ahead, True
        try:
            yield
        finally:
            self.ahead = before

    def each(self, node: ast.expr, body: Body, until: str = "", size: int = 0, as_is: bool = False) -> None:
        """A loop over an expression that calls `body` for each item.

        `until` is a name that ends the loop once it is 1; `size` is the rough code size of an iteration, 0 if unknown.
        """
        if (
            until
            and isinstance(node, ast.ListComp)
            and self.changed_in([node]) - target_names(node.generators)
        ):
            self.turns(
                self.view_value(self.materialized(node)), body, until
            )  # Python makes the whole list, too
            return
        if isinstance(node, ast.GeneratorExp | ast.ListComp):
            hidden = self.hidden_by(node.generators)
            self.see_symmetry(node.generators, node.elt)

            def item_of_turn() -> None:
                item = self.made_in_turn(node.elt, node.generators)
                if any(meaning.known for meaning in hidden.values()):
                    item = item._replace(origin=None)
                with self.renamed(hidden):  # whoever asked for the items has other names
                    body(item)

            self.comprehend(node.generators, item_of_turn, until, size_of_code(node.elt))
            return
        if self.is_lazy(node):
            assert isinstance(node, ast.Call)
            self.lazy(node, self.static(node.func), body, until)
            return
        few = self.few(node, size)
        if few is None:
            self.turns(self.view_of(node), body, until, as_is)
            return
        with self.repeating(len(few)):
            for i, item in enumerate(few):
                if until and i:
                    with self.block(f"if {until} == 0:"):
                        body(item)
                else:
                    body(item)

    def few(self, node: ast.expr, size: int) -> list[Value] | None:
        """The items of a loop over a few constants, if it should be unrolled.

        Then they are known at compile time, and an index that is known needs no check. `size`: of one iteration.
        """
        if not isinstance(node, ast.Name | ast.Attribute | ast.Tuple | ast.List) or not size:
            return None
        if (
            isinstance(node, ast.Name)
            and not isinstance(self.env.get(node.id), Value)
            and node.id in self.locals
        ):
            return None
        with self.captured():
            value = self.view_source(node)
        known = value.constant
        if not isinstance(known, tuple | list | str) or not 0 < len(known) <= FEW:
            return None
        if self.repeated * len(known) * size > MOST_WRITTEN:
            return None
        kind: Kind = UNKNOWN
        try:
            items = [self.one_of_few(item) for item in known]
            for item in items:
                kind = alike(kind, item.kind)
        except Cannot:
            return None
        return items

    def view_source(self, node: ast.expr) -> Value:
        if isinstance(node, ast.List):
            node = as_tuple(node)
        return self.expr(node)

    def one_of_few(self, item: Any) -> Value:
        simple = isinstance(item, tuple) and not hasattr(item, "_fields") and 0 < len(item) <= FEW
        if simple and all(isinstance(part, int | str | enum.Enum) for part in item):
            found: Value = self.program.row(item)
            return found
        return self.embed(item)

    def meanings(self, target: ast.expr, item: Value) -> dict[str, Value]:
        """The names of a target that stand for constants."""
        if item.constant is Missing:
            return {}
        if isinstance(target, ast.Name):
            return {target.id: item}
        if isinstance(target, ast.Tuple) and isinstance(item.kind, Items):
            if len(target.elts) == len(item.kind.kinds):
                pairs = zip(target.elts, self.parts(item), strict=True)
                return {t.id: part for t, part in pairs if isinstance(t, ast.Name)}
        return {}

    repeated = 1  # how many copies of the code being written there are

    @contextlib.contextmanager
    def repeating(self, times: int) -> Iterator[None]:
        before, self.repeated = self.repeated, self.repeated * times
        yield
        self.repeated = before

    def turns(self, view: View, body: Body, until: str = "", as_is: bool = False) -> None:
        """A loop over a view; `as_is`: the body can use rows as compact as in a state."""
        i = self.temp("0")
        length = view.length()
        self.spans[i] = self.places(length)
        with self.block(f"while {i} < {length}{f' and {until} == 0' if until else ''}:"):
            with self.careful():
                item = view.item(i)
            self.emit(f"{i} += 1")
            body(item if as_is else self.wide(item))

    def comprehend(
        self, generators: list[ast.comprehension], body: Callable[[], None], until: str = "", size: int = 0
    ) -> None:
        """A comprehension's loops and tests, with a scope of its own."""

        def loop(first: ast.comprehension, *rest: ast.comprehension) -> None:
            careless = self.careless
            shadowed = target_names([first])

            def turn(item: Value) -> None:
                for name in shadowed:
                    self.of_turn.setdefault(name, self.env.get(name))
                    self.env.pop(name, None)
                self.locals |= shadowed
                self.careless = False  # what is computed of an item is no matter of any order
                self.bind(first.target, item, inner=True)
                self.env.update(self.meanings(first.target, item))
                self.filtered(list(first.ifs), inner)
                self.careless = careless

            def inner() -> None:
                if rest:
                    self.careless = careless
                    loop(*rest)
                    self.careless = False
                else:
                    body()

            inside = [*first.ifs, *[part for each in rest for part in (each.iter, *each.ifs)]]
            self.each(first.iter, turn, until, size and size + sum(map(size_of_code, inside)), as_is=True)

        if not until and self.is_endless(generators[0].iter):
            raise Cannot("this has no end", "write a loop with `break`")
        with self.renamed(self.hidden_by(generators)):
            loop(*generators)

    def is_endless(self, node: ast.expr) -> bool:
        """Whether its items never end: count(), cycle(...), repeat(x)."""
        if not isinstance(node, ast.Call):
            return False
        called = self.static(node.func)
        return called in ENDLESS[:2] or called is itertools.repeat and len(node.args) == 1

    def hidden_by(self, generators: list[ast.comprehension]) -> dict[str, Meaning]:
        """What the names of a comprehension mean around it."""
        return {name: self.meaning(name) for name in target_names(generators)}

    def meaning(self, name: str) -> Meaning:
        return Meaning(name in self.locals, self.env.get(name), self.of_turn.get(name, Missing))

    @contextlib.contextmanager
    def renamed(self, meant: dict[str, Meaning]) -> Iterator[None]:
        """Names mean something else for a while."""
        before = {name: self.meaning(name) for name in meant}
        try:
            self.rename(meant)
            yield
        finally:
            self.rename(before)

    def rename(self, meant: dict[str, Meaning]) -> None:
        for name, meaning in meant.items():
            (self.locals.add if meaning.known else self.locals.discard)(name)
            for names, value, none in (
                (self.env, meaning.var, None),
                (self.of_turn, meaning.outside, Missing),
            ):
                names.pop(name, None)
                if value is not none:
                    names[name] = value

    def refuse_iterator(self, value: Value) -> None:
        if value.once is not None and not value.once.again:
            raise Cannot("an iterator is kept in a list", CURE)

    def made_in_turn(self, node: ast.expr, generators: list[ast.comprehension]) -> Value:
        """What a comprehension keeps of a turn."""
        value = self.expr(node)
        self.refuse_iterator(value)
        if any(each.fixed & target_names(generators) for each in closures(value.kind)):
            cure = f"give it a default: {min(target_names(generators))}={min(target_names(generators))}"
            raise Cannot("a function made in a comprehension sees the last value of its names", cure)
        return value

    def filtered(self, tests: list[ast.expr], body: Callable[[], None]) -> None:
        if not tests:
            body()
            return
        with self.block(f"if {self.condition(tests[0])}:"):
            self.filtered(tests[1:], body)

    def collected(self, fill: Callable[[Body], None], site: Any) -> Value:
        """A new list of the items that `fill` passes to its argument; `site` identifies the list across passes."""
        kind = self.site_kinds.get(site, UNKNOWN)
        made = self.new_list(kind)

        def keep(value: Value) -> None:
            nonlocal kind
            known = join(self.site_kinds.get(site, UNKNOWN), value.kind)
            if known != self.site_kinds.get(site, UNKNOWN):
                self.site_kinds[site] = known
                self.learned = True
                return
            if kind == known:
                self.push(made.word, kind, value)

        fill(keep)
        return Value(Run(kind, "list"), made.words, fresh=True, origin=Site(site))

    def looks_at(self, *nodes: ast.expr, again: bool = False) -> Once:
        """What the items of an expression depend on."""
        return Once(
            frozenset(name for node in nodes for name in free(node) if name in self.locals), again=again
        )

    def materialized(self, node: ast.expr) -> Value:
        """All items of an expression as a list."""
        return self.collected(lambda keep: self.each(node, keep), (node, "items"))

    def made_early(self, node: ast.expr) -> Value:
        """The same for an iterator, of which Python would make each item when its turn comes."""
        with self.early():
            return self.materialized(node)

    # --- itertools ----------------------------------------------------------------------------------------

    def lazy(self, node: ast.Call, called: Any, body: Body, until: str) -> None:
        with self.careful(called in PLACED and not self.is_even(node, called)):
            self.lazy_in_order(node, called, body, until)

    def is_even(self, node: ast.Call, called: Any) -> bool:
        """Whether what is made of the tuples that itertools chooses from a set does not depend on its order."""
        if called is itertools.permutations:  # each is there in every order
            return True
        if not self.careless or node not in self.symmetric or not node.args:
            return False
        chosen = self.quiet(node.args[0])
        return isinstance(chosen, Set) and (chosen.inner == UNKNOWN or is_word(chosen.inner))

    symmetric: set[ast.expr]  # calls whose tuples may have their items in any order

    def see_symmetry(self, generators: list[ast.comprehension], *elts: ast.expr) -> None:
        """Note which of a comprehension's loops are over tuples of which only sums and the like are taken."""
        for i, one in enumerate(generators):
            rest = [part for each in generators[i + 1 :] for part in (each.iter, *each.ifs)]
            self.see_symmetric(one.iter, one.target, [*one.ifs, *rest, *elts])

    def see_symmetric(self, items: ast.expr, target: ast.expr, parts: Sequence[ast.AST]) -> None:
        own = any(self.static(ast.Name(name, ast.Load())) is not getattr(builtins, name) for name in FOLDS)
        if isinstance(items, ast.Call) and not own and is_symmetric(target, parts):
            self.symmetric.add(items)

    def lazy_in_order(self, node: ast.Call, called: Any, body: Body, until: str) -> None:
        args = node.args
        keywords = {k.arg: k.value for k in node.keywords}
        if called is filter:
            test = None if isinstance(args[0], ast.Constant) else self.expr(args[0])

            def kept(item: Value) -> None:
                item = self.held(item)
                answer = item if test is None else self.call_value(test, [item])
                with self.block(f"if {self.truth(answer)}:"):
                    body(item)

            self.each(args[1], kept, until)
        elif called in (itertools.chain, itertools.chain.from_iterable):
            for part in args:
                if isinstance(part, ast.Starred) or called is not itertools.chain:
                    rows = part.value if isinstance(part, ast.Starred) else part
                    self.each(rows, lambda row: self.turns(self.view_value(row), body, until), until)
                else:
                    self.each(part, body, until)
        elif called is itertools.product:
            repeat = keywords.get("repeat")
            times = self.known_int(repeat) if repeat is not None else 1
            views = [self.view_value(self.fixed(a)) for a in args] * times
            self.nested(views, [], body, until)
        elif called is itertools.starmap:
            function = self.expr(args[0])
            self.each(args[1], lambda item: body(self.call_value(function, self.unpacked(item))), until)
        elif called in (
            itertools.combinations,
            itertools.permutations,
            itertools.combinations_with_replacement,
        ):
            self.chosen_items(args, called, body, until)
        elif called is itertools.accumulate:
            self.accumulate(args, keywords, body, until)
        elif called is itertools.takewhile:
            test, over = self.expr(args[0]), self.temp("0")

            def taken(item: Value) -> None:
                item = self.held(item)
                with self.block(f"if {self.truth(self.call_value(test, [item]))}:"):
                    body(item)
                    if until:
                        self.emit(f"{over} = {until}")
                with self.block("else:"):
                    self.emit(f"{over} = 1")

            self.each(args[1], taken, over)
        elif called is itertools.islice and len(args) == 2:
            self.first_few(args, body, until)
        else:
            raise Cannot(f"{called.__name__}() cannot be compiled", "write the loop out")

    def first_few(self, args: list[ast.expr], body: Body, until: str) -> None:
        """islice(items, most)."""
        most, seen = self.word_of(self.expr(args[1])), self.temp("0")
        over = self.temp(f"1 if {most} <= 0 else 0")

        def counted(item: Value) -> None:
            self.emit(f"{seen} += 1")
            body(item)
            with self.block(f"if {seen} >= {most}{f' or {until} != 0' if until else ''}:"):
                self.emit(f"{over} = 1")

        self.each(args[0], counted, over)

    def chosen_items(self, args: list[ast.expr], how: Any, body: Body, until: str) -> None:
        """Combinations or permutations: nested loops if the size is known at compile time, otherwise lists."""
        source = self.fixed(args[0])
        size = self.expr(args[1]) if len(args) > 1 else None
        known: Any = size.constant if size is not None else None
        if size is None:
            length = source.constant if hasattr(source.constant, "__len__") else ()
            known = len(source.kind.kinds) if isinstance(source.kind, Items) else len(length) or None
        if isinstance(known, int) and known <= DEEP:
            self.choose(source, known, how, body, until)
        else:
            function = getattr(library, how.__name__)
            found = self.call_function(function, [source, size] if size is not None else [source])
            self.turns(self.view_value(found), body, until)

    def fixed(self, node: ast.expr) -> Value:
        """A sequence that can be iterated several times."""
        if isinstance(node, ast.GeneratorExp) or self.is_lazy(node) or isinstance(node, ast.Call):
            return self.materialized(node)
        return self.expr(node)

    def nested(self, views: list[View], items: list[Value], body: Body, until: str) -> None:
        if not views:
            body(self.tuple_of(items))
            return
        self.turns(
            views[0], lambda item: self.nested(views[1:], [*items, self.held(item)], body, until), until
        )

    def choose(self, source: Value, size: int, how: Any, body: Body, until: str) -> None:
        """Combinations or permutations of a known size, as nested loops."""
        view = self.view_value(source)
        count = self.temp(view.length())

        def level(places: list[str], items: list[Value]) -> None:
            if len(items) == size:
                body(self.tuple_of(items))
                return
            start = "0"
            if how is itertools.combinations and places:
                start = f"{places[-1]} + 1"
            elif how is itertools.combinations_with_replacement and places:
                start = places[-1]
            i = self.temp(start)
            at = self.fresh()
            with self.block(f"while {i} < {count}{f' and {until} == 0' if until else ''}:"):
                self.emit(f"{at} = {i}")
                self.emit(f"{i} += 1")
                tests = [f"{at} != {p}" for p in places] if how is itertools.permutations else []
                with self.block(f"if {' and '.join(tests) or 'True'}:"):
                    level([*places, at], [*items, self.held(view.item(at))])

        level([], [])

    def accumulate(self, args: list[ast.expr], keywords: dict[Any, ast.expr], body: Body, until: str) -> None:
        function = self.expr(args[1]) if len(args) > 1 else None
        start = self.expr(keywords["initial"]) if "initial" in keywords else None
        site = (args[0], "accumulated")
        kind = self.site_kinds.get(site, start.kind if start is not None else UNKNOWN)
        names = [self.fresh() for _ in words(kind)]
        any_yet = self.temp("0")
        if start is not None:
            self.set(names, self.convert(start, kind))
            self.emit(f"{any_yet} = 1")
            body(Value(kind, tuple(names)))
        elif names:
            self.set(names, ["0.0" if w == "f" else "0" for w in words(kind)])

        def turn(item: Value) -> None:
            item = self.held(item)
            sofar = Value(kind, tuple(names))
            with self.captured() as lines:
                total = (
                    self.add(sofar, item) if function is None else self.call_value(function, [sofar, item])
                )
            known = join(join(kind, item.kind), total.kind)
            if known != self.site_kinds.get(site):
                self.site_kinds[site] = known
                self.learned = True
                return
            with self.block(f"if {any_yet} != 0:"):
                self.paste(lines)
                self.set(names, self.convert(total, kind))
            with self.block("else:"):
                self.set(names, self.convert(item, kind))
                self.emit(f"{any_yet} = 1")
            body(self.held(Value(kind, tuple(names))))

        self.each(args[0], turn, until)

    def known_int(self, node: ast.expr) -> int:
        value = self.expr(node).constant
        if not isinstance(value, int):
            raise Cannot("the size is unknown at compile time", "write a number")
        return value

    # --- unpacking ----------------------------------------------------------------------------------------

    def unpacked(self, value: Value, count: int | None = None) -> list[Value]:
        """The items of a value that is unpacked."""
        value = self.present(value) if isinstance(value.kind, Maybe) else value
        value = self.only(value, lambda each: isinstance(each, Run | Items | Record), "tuple")
        if isinstance(value.kind, Items | Record):
            found = self.parts(value)
            if count is not None and len(found) != count:
                raise Cannot(f"{len(found)} values go to {count} names", "write as many names")
            return found
        if isinstance(value.kind, Set | Dict | Static):
            return self.unpacked(self.listed(value), count)
        if value.kind == UNKNOWN:
            return [Value(UNKNOWN)] * (count or 0)
        if count is None:
            raise Cannot("* of a sequence whose length is not known", "write the arguments out")
        data, length, inner = self.run(value)
        with self.block(f"if {length} != {count}:"):
            self.fail("ValueError", f"{count} values expected")
        return [self.item(data, str(i), inner) for i in range(count)]

    def listed(self, value: Value) -> Value:
        return self.collected(lambda keep: self.turns(self.view_value(value), keep), (self.here, "listed"))

    def text_items(self, value: Value) -> Value:
        """The characters of a text."""
        data, count, _ = self.run(value)
        return Value(Run(CHAR), (data, count))

    # --- defined in subclasses ---------------------------------------------------------------------------

    here: Any
    program: Any
    function: Any
    locals: set[str]
    site_kinds: dict[Any, Kind]
    env: dict[str, Any]
    learned: bool

    def refine(self, node: Any, kind: Kind) -> bool:
        raise NotImplementedError

    def dict_part(self, value: Value, which: int) -> Value:
        raise NotImplementedError

    def quiet(self, node: ast.expr) -> Kind:
        raise NotImplementedError

    def changed_in(self, nodes: Iterable[ast.AST]) -> set[str]:
        raise NotImplementedError

    def call_function(
        self, function: Any, args: list[Value], keywords: Any = None, gathered: Value | None = None
    ) -> Value:
        raise NotImplementedError

    def call_init(self, cls: Any, args: list[Value], keywords: dict[str, Value]) -> Value:
        raise NotImplementedError

    def call_local(self, function: Value, args: list[Value], keywords: dict[str, Value]) -> Value:
        raise NotImplementedError

    def local_function(self, node: Any) -> Value:
        raise NotImplementedError

    def assign_name(self, name: str, value: Value, node: Any, inner: bool = False) -> None:
        raise NotImplementedError

    def read(self, name: str) -> Value:
        raise NotImplementedError

    def expr(self, node: ast.expr) -> Value:
        raise NotImplementedError

    def cells(self, node: ast.expr) -> Value:
        raise NotImplementedError

    def static(self, node: ast.expr) -> Any:
        raise NotImplementedError

    def embed(self, value: Any) -> Value:
        raise NotImplementedError

    def condition(self, node: ast.expr) -> str:
        raise NotImplementedError

    def bind(self, target: ast.expr, value: Value, inner: bool = False) -> None:
        raise NotImplementedError

    def call_value(self, function: Value, args: list[Value], keywords: Any = None) -> Value:
        raise NotImplementedError

    def call_static(self, called: Any, node: ast.Call) -> Value:
        raise NotImplementedError

    def add(self, a: Value, b: Value) -> Value:
        raise NotImplementedError

    def word_of(self, value: Value) -> str:
        raise NotImplementedError


def size_of_code(node: ast.AST) -> int:
    return sum(1 for _ in ast.walk(node))


@functools.lru_cache(maxsize=1024)
def as_tuple(node: ast.List) -> ast.Tuple:
    """A list that nobody else sees, as a tuple: the same node in every pass."""
    return ast.copy_location(ast.Tuple(node.elts, ast.Load()), node)
