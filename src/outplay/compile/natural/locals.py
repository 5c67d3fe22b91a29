"""Names of a function: what is bound to them, what kind it has, and whether it is there yet."""

import ast
import functools
from collections.abc import Callable, Iterable
from typing import Any

from outplay.compile.natural import spans
from outplay.compile.natural.attempts import Attempts
from outplay.compile.natural.kinds import (
    FLOAT,
    UNKNOWN,
    Bound,
    Cannot,
    Dict,
    Items,
    Kind,
    Run,
    Set,
    holds,
    is_known,
    join,
    may_share,
    words,
)
from outplay.compile.natural.objects import is_object
from outplay.compile.natural.once import Watch, changed_by
from outplay.compile.natural.values import NEVER, ROOM, Captured, Each, Either, Site, Value, Var


class Poisoned:
    """A name that means one thing or another, depending on the path."""

    def __init__(self, one: Kind, two: Kind) -> None:
        self.kinds = one, two


class Locals(Attempts):
    """Compiles names and assignments."""

    node: Any  # the function
    vars: dict[Any, Var]
    used: dict[str, Var]  # those that this pass has come by
    sure: list[set[str]]  # names that surely have a value, block by block
    moved: list[dict[str, Any]]  # what names meant before a block
    around: list[frozenset[str]]  # the names that were known before a block
    loops: list[ast.For | ast.While]  # those that this pass is in
    carried: dict[tuple[ast.AST, str], Any]  # what a loop's turn leaves to the next, where that is asked

    def var(self, key: Any, name: str) -> Var:
        if key not in self.vars:
            stem = f"v{len(name)}_{name.replace(' ', '_').replace('.', '_')}_"
            same = sum(1 for var in self.vars.values() if var.name.startswith(stem))
            self.vars[key] = Var(f"{stem}{same}")
        var = self.vars[key]
        self.used[var.name] = var
        return var

    def read(self, name: str, captured: bool = False) -> Value:
        """The value of a name; a function that has captured it may never read it."""
        if name in self.unfinished:
            return self.finished(name)
        var = self.env.get(name)
        if isinstance(var, Value):
            return var
        if isinstance(var, Poisoned):
            raise Cannot(
                f"{name} is {var.kinds[0]} on one path and {var.kinds[1]} on another", "use two names"
            )
        if var is None:
            if name in self.captured_names():
                raise Cannot(
                    f"{name} is set in the function around this one, after it", "pass it as an argument"
                )
            self.carry(name)
            self.fail("UnboundLocalError", f"{name} has no value yet")
            return NEVER
        if not any(var.name in known for known in self.sure):
            with self.block(f"if {var.name}_set == 0:"):
                if captured:
                    self.beyond(f"{name} has no value yet where a function that uses it is made")
                else:
                    self.fail("UnboundLocalError", f"{name} has no value yet")
        for word, span in zip(var.names(), var.spans, strict=False):
            self.spans[word] = spans.ANY if span is None else span
        return Value(var.kind, var.names(), origin=ast.Name(name, ast.Load()))

    def carry(self, name: str) -> None:
        """A name without a value yet: the next pass knows it as what an earlier turn of a loop left, if one sets it."""
        loop = next((loop for loop in self.loops if name in stored_in(loop)), None)
        if loop is not None and (loop, name) not in self.carried:
            self.carried[loop, name], self.learned = None, True

    def captured_names(self) -> set[str]:
        return set()

    def assign_name(self, name: str, value: Value, node: Any, inner: bool = False) -> None:
        if name in self.unfinished:
            raise Cannot(f"{name} is another object later", "use two names")
        current = self.env.get(name)
        current = current if isinstance(current, Var) else None
        straight = self.nesting == 0 or current is not None and self.becomes(name, current, value.kind)
        if current is None or inner or straight and not isinstance(node, ast.AugAssign):
            var = self.var((name, node), name)
            if current is not None and not inner and (name, node) in self.vars:
                self.moved and self.moved[-1].setdefault(name, current)
        else:
            var = current
            try:
                join(var.kind, value.kind)
            except Cannot:
                var = self.var((name, node), name)
                if self.moved:
                    self.moved[-1].setdefault(name, current)
        kind = join(var.kind, value.kind)
        if kind != var.kind:
            var.kind, self.learned = kind, True
        if not value.fresh and may_share(kind):
            var.given, var.shared = var.given or value.origin is None, var.shared or value.origin is not None
        self.hand_back(value, kind)
        is_iterator = value.once is not None and not value.once.again
        (self.iterators if is_iterator and not inner else self.others).add(name)
        if value.once is not None and not inner:
            watch = Watch(name, node, value.once, self.changed_in)
            self.used_well(lambda: watch.check(self.body_of(self.node)))
        given = self.convert(value, kind)
        self.note_span(var, given)
        self.set(var.names(), given)
        if self.nesting and not inner:
            self.emit(f"{var.name}_set = 1")
            var.sure = False
        self.sure[-1].add(var.name)
        self.env[name] = var

    @staticmethod
    def body_of(node: Any) -> list[ast.stmt]:
        return [ast.Expr(node.body)] if isinstance(node, ast.Lambda) else node.body

    def changed_in(self, nodes: Iterable[ast.AST]) -> set[str]:
        """The names that code sets, or whose values it may change."""
        inner = {
            n.name: n for n in ast.walk(self.node) if isinstance(n, ast.FunctionDef) and n is not self.node
        }
        return changed_by(nodes, self.may_change, inner)

    def used_well(self, check: Callable[[], None]) -> None:
        """A check of how an iterator is used; what kinds are held may not be clear yet."""
        try:
            check()
        except Cannot as error:
            self.doubt(error.what, error.cure)

    def may_change(self, name: str) -> bool:
        raise NotImplementedError

    def becomes(self, name: str, current: Var, kind: Kind) -> bool:
        """Whether a name that a block has set is now set to another kind, on the only path."""
        own = name not in self.around[-1] and current.name in self.sure[-1]
        return own and kind != current.kind and is_known(kind) and is_known(current.kind)

    def note_span(self, var: Var, given: tuple[str, ...]) -> None:
        """Something is assigned to a local: what it may be grows."""
        if len(var.spans) != len(given):
            var.spans = [None] * len(given)
        both: list[spans.Span | None] = [
            spans.moved(span, self.span(word), var.moves) for span, word in zip(var.spans, given, strict=True)
        ]
        if both != var.spans:
            self.learned = True
            var.moves += 1
            var.spans = both

    def hand_back(self, value: Value, kind: Kind) -> None:
        """What is learned of a list by one name is known by the other too."""
        if kind != value.kind and not is_known(value.kind) and isinstance(value.kind, Run | Set | Dict):
            if isinstance(value.kind, Run) and value.kind.type != "list" or value.fresh:
                return
            if value.origin is None or not self.refine(value.origin, kind):
                if value.origin is None:
                    self.doubt("what a list holds is not clear", "let it hold something when it is made")

    def widened(self, value: Value, kind: Kind) -> tuple[str, ...]:
        """A list, set or dict that is kept where it may hold more kinds: `flags or [0]`.

        What it was read from holds them too from the next pass on; but no int becomes a float so.
        """
        if value.origin is not None and self.may_widen(value.kind, kind):
            self.refine(value.origin, kind)
        if not is_known(value.kind):
            self.doubt(f"what a {value.kind} holds is not clear", "let it hold something when it is made")
        else:
            self.doubt(f"a {value.kind} holds values of several kinds", "let it hold one kind")
        return value.words

    def may_copy(self, value: Value) -> bool:
        if value.origin is None:
            return True
        var = self.env.get(value.origin.id) if isinstance(value.origin, ast.Name) else None
        return isinstance(var, Var) and var.given and not var.shared

    def may_widen(self, have: Kind, kind: Kind) -> bool:
        """Whether a list may be made for what another kind of list holds: no int becomes a float so."""
        if not is_known(have):
            return not self.learned  # otherwise the next pass may know
        return holds(have, FLOAT) or not holds(kind, FLOAT)

    def tell_site(self, value: Value, kind: Kind) -> None:
        """Lists in a fresh list or dict are made for what they will hold, from the next pass on."""
        if value.origin is not None and self.may_widen(value.kind, kind):
            self.refine(value.origin, kind)

    def refine_all(self, pairs: list[tuple[Any, Kind]]) -> bool:
        known = [self.refine(node, kind) for node, kind in pairs]
        return all(known)

    def quiet_place(self, node: ast.expr, count: int) -> int | None:
        """The index that an expression is, if it is known; nothing is written for it."""
        with self.captured():
            at = self.expr(node).constant
        return at % count if isinstance(at, int) and -count <= at < count else None

    def refine(self, node: Any, kind: Kind) -> bool:
        """What an expression means can hold this kind too; whether that was known already."""
        match node:
            case Either(origins):
                return self.refine_all([(each, kind) for each in origins])
            case Each(origins):
                kinds = kind.kinds if isinstance(kind, Items) else (kind.inner,) * len(origins)
                pairs = zip(origins, kinds, strict=True)
                return self.refine_all(
                    [(origin, part) for origin, part in pairs if origin is not None and is_known(part)]
                )
            case Captured(function, local, name):
                outer = tuple((each, kind if each == name else UNKNOWN) for each, _ in local.outer)
                return self.refine(function, local._replace(outer=outer))
            case Site(key):
                return self.refine_site(key, kind)
            case ast.Name(id=name):
                return self.refine_name(name, kind)
            case ast.Attribute() if (named := self.place_name(node)) is not None:
                return self.refine_name(named, kind)
            case ast.Subscript(value=base, slice=place):
                return self.refine_item(base, place, kind)
            case ast.NamedExpr(target=target):
                return self.refine(target, kind)
            case ast.IfExp(body=one, orelse=two):
                return self.refine_all([(one, kind), (two, kind)])
            case ast.Call(func=ast.Attribute(value=base, attr="setdefault" | "get")):
                return self.refine(base, Dict(UNKNOWN, kind))
        have = self.quiet(node)
        if join(have, kind) != have:
            raise Cannot("what a list holds is not clear", "give it a name, and let it hold one kind")
        return True

    def refine_site(self, key: Any, kind: Kind) -> bool:
        """The same for the list, set or dict that is made at a place."""
        made = kind.inner if isinstance(kind, Run | Set) else kind
        have = self.site_kinds.get(key, UNKNOWN)
        try:
            known = join(have, made)
        except Cannot:  # it is made for several places, which keep different kinds in it
            return True
        if known != have:
            self.site_kinds[key], self.learned = known, True
        return known == have

    def refine_name(self, name: str, kind: Kind) -> bool:
        """The same for what a name means."""
        var = self.env.get(name)
        if isinstance(var, Value):
            return (
                self.refine(var.origin, kind) if var.origin is not None else join(var.kind, kind) == var.kind
            )
        if not isinstance(var, Var):
            return True
        if isinstance(var.kind, Bound):  # add = found.append
            kind = Bound(kind, var.kind.name)
        known = join(var.kind, kind)
        if known != var.kind:
            var.kind, self.learned = known, True
            return False
        return True

    def refine_item(self, base: ast.expr, place: ast.expr, kind: Kind) -> bool:
        """The same for an item of what an expression means."""
        owner = self.quiet(base)
        match owner:
            case Dict(key):
                return self.refine(base, Dict(key, kind))
            case Items(kinds):
                at = self.quiet_place(place, len(kinds))
                wider = tuple(kind if at in (i, None) else UNKNOWN for i in range(len(kinds)))
                return self.refine(base, Items(wider))
            case Run(_, "tuple"):
                return self.refine(base, Run(kind))
        return self.refine(base, Run(kind, "list"))

    def bind(self, target: ast.expr, value: Value, inner: bool = False) -> None:
        """Give a value to a target of an assignment or a loop."""
        match target:
            case ast.Name(id=name):
                self.assign_name(name, value, target, inner)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self.bind_items(targets, value, inner)
            case ast.Subscript():
                self.set_item(target, value)
            case ast.Attribute(value=ast.Name(id=owner), attr=attr) if self.makes and owner == self.me:
                self.assign_name(f"{owner}.{attr}", value, target, inner)
            case ast.Attribute() if (named := self.place_name(target)) is not None:
                self.assign_name(named, value, target, inner)
            case ast.Attribute():
                raise self.refused(target, "assigned to")
            case _:
                raise Cannot("this cannot be assigned to", "assign to a name")

    def refused(self, target: ast.expr, done: str) -> Cannot:
        """Why a state, or an object outside it, is not changed."""
        if isinstance(target, ast.Attribute) and is_object(self.static(target.value)):
            cure = "keep what changes in a field of the state"
        else:
            cure = "a state never changes: build a new one"
        return Cannot(f"{ast.unparse(target)} is {done}", cure)

    def bind_items(self, targets: list[ast.expr], value: Value, inner: bool) -> None:
        starred = [i for i, t in enumerate(targets) if isinstance(t, ast.Starred)]
        if not starred:
            for target, part in zip(
                targets, self.unpacked(value, len(targets)) or [NEVER] * len(targets), strict=True
            ):
                self.bind(target, self.held(part) if not part.fresh else part, inner)
            return
        (at,) = starred
        self.refuse_order(value)
        after = len(targets) - at - 1
        data, count, kind = self.run(value)
        with self.block(f"if {count} < {len(targets) - 1}:"):
            self.fail("ValueError", "not enough values to take apart")
        stride = max(len(words(kind)), 1)
        for i in range(at):
            self.bind(targets[i], self.item(data, str(i), kind), inner)
        middle = self.temp(f"{count} - {len(targets) - 1}")
        made = self.temp(f"list_of({ROOM}, {data} + {8 * stride * at}, {middle}, {stride})")
        star = targets[at]
        assert isinstance(star, ast.Starred)
        self.bind(star.value, Value(Run(kind, "list"), (made,), fresh=True), inner)
        for i in range(after):
            self.bind(targets[at + 1 + i], self.item(data, self.temp(f"{count} - {after - i}"), kind), inner)

    def set_item(self, target: ast.Subscript, value: Value) -> None:
        """x[i] = value."""
        self.refuse_iterator(value)
        if not value.fresh:
            value = self.held(value)
        owner = self.cells(target.value)
        match owner.kind:
            case Run(_, "array"):
                self.set_in_array(owner, target, value)
            case Run(inner, "list"):
                if isinstance(target.slice, ast.Slice):
                    self.set_slice(owner, target, value)
                    return
                if not self.refine(target.value, Run(value.kind, "list")):
                    return
                place = self.at_index(self.word_of(self.expr(target.slice)), f"word({owner.word}, 0)")
                stride = max(len(words(inner)), 1)
                self.put(f"word({owner.word}, 2) + {8 * stride} * {place}", inner, self.convert(value, inner))
            case Dict():
                key = self.expr(target.slice)
                if self.refine(target.value, Dict(key.kind, value.kind)):
                    self.set_key(owner, key, value)
            case kind if kind == UNKNOWN:
                pass
            case Run(_, "table"):
                raise Cannot(
                    "a list outside the state is changed", "keep what changes in a field of the state"
                )
            case _:
                raise Cannot(
                    f"{ast.unparse(target)}: {owner.kind} never changes", "make a list of it first: list(...)"
                )

    def set_in_array(self, owner: Value, target: ast.Subscript, value: Value) -> None:
        inner, size = owner.kind.inner, owner.kind.size
        if not self.refine(target.value, Run(value.kind, "array", size)):
            return
        data, count = owner.words
        place = self.at_index(self.word_of(self.expr(target.slice)), count)
        given = self.convert(value, inner)
        if size == 8:
            self.put(f"{data} + {8 * max(len(words(inner)), 1)} * {place}", inner, given)
        else:
            most = 1 << 8 * size - 1
            text = self.put_text(data, count, place, size, given[0])
            if spans.holds((-most, most - 1), self.span(given[0])):
                self.emit(text)
            else:
                self.refuse_lost(self.temp(text))

    def set_slice(self, owner: Value, target: ast.Subscript, value: Value) -> None:
        where = target.slice
        assert isinstance(where, ast.Slice)
        self.refuse_order(value)
        data, count, inner = self.run(value)
        if not self.refine(target.value, Run(inner, "list")):
            return
        if where.step is not None:
            raise Cannot("a slice with a step is assigned to", "write a loop")
        kind = owner.kind.inner
        stride = max(len(words(kind)), 1)
        given = self.convert(Value(Run(inner), (data, count)), Run(kind))
        held = self.temp(f"joined({ROOM}, {given[0]}, {count}, 0, 0, {stride})")
        length = f"word({owner.word}, 0)"
        start = self.temp(f"bound({self.word_of(self.expr(where.lower))}, {length})") if where.lower else "0"
        stop = (
            self.temp(f"bound({self.word_of(self.expr(where.upper))}, {length})")
            if where.upper
            else self.temp(length)
        )
        self.emit(f"splice({ROOM}, {owner.word}, {start}, max({start}, {stop}), {held}, {count}, {stride})")


@functools.lru_cache(maxsize=1024)
def stored_in(loop: ast.For | ast.While) -> frozenset[str]:
    """The names that a loop sets."""
    return frozenset(n.id for n in ast.walk(loop) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
