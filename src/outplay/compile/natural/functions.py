"""One function, compiled for arguments of certain kinds: its statements, its locals and what it returns."""

import ast
import inspect
import re
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from outplay.compile.natural import spans
from outplay.compile.natural.attempts import Attempts, Leaving
from outplay.compile.natural.expressions import FIRST_ITEMS
from outplay.compile.natural.iterate import size_of_code
from outplay.compile.natural.kinds import (
    INT,
    UNKNOWN,
    Cannot,
    Dict,
    Items,
    Kind,
    Local,
    Maybe,
    Record,
    Run,
    Set,
    is_known,
    is_lane,
    is_word,
    join,
    own_method,
    words,
)
from outplay.compile.natural.syntax import bound, fixed_lists, is_orderless, leaves, loaded, yields
from outplay.compile.natural.values import NEVER, NOTHING, ROOM, Value, Var, is_numeral, zeros
from outplay.compile.source import Place

PASSES = 60  # a function whose kinds are not known by then has none
DEEPEST = 800  # calls within calls
OTHERS = {  # statements that cannot be compiled, and what to write instead
    "With": ("with", "rules only compute; move it out of the rule"),
    "Global": ("global", "keep what changes in a field of the state"),
    "Nonlocal": ("nonlocal", "return the value, or keep it in a list"),
    "ClassDef": ("a class inside a rule", "move it to the top of the file"),
}


class Poisoned:
    """A name that means one thing or another, depending on the path."""

    def __init__(self, one: Kind, two: Kind) -> None:
        self.kinds = one, two


class Function(Attempts):
    """Compiles one function for one list of kinds."""

    def __init__(
        self, program: Any, symbol: str, function: types.FunctionType, node: Any, place: Place
    ) -> None:
        super().__init__()
        self.program, self.symbol, self.function, self.node, self.place = (
            program,
            symbol,
            function,
            node,
            place,
        )
        self.given: list[tuple[str, Kind]] = []
        self.vars: dict[Any, Var] = {}
        self.site_kinds: dict[Any, Any] = {}
        self.given_nodes = {}
        self.returned: Kind = UNKNOWN
        self.recursive = self.done = False
        self.readers: set[Any] = set()  # functions that asked what this returns before that was known
        self.is_generator = not isinstance(node, ast.Lambda) and yields(node)
        self.locals = bound(node)
        self.stored = {
            n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        self.arrays = set() if isinstance(node, ast.Lambda) else fixed_lists(node)
        self.unused: set[str] = set()  # words that it is given and does not look at
        self.lengths: Any = ()  # (name, which word, its number) of tuples whose length is known
        self.known: dict[str, str] = {}  # words that it is given and are always the same number
        self.makes: Any = None  # the class whose __init__ it is
        self.me = ""  # what that calls the object
        self.key: Any = None  # by which the program knows it
        self.own: Local | None = None  # what it is, if it stands in another function and has a name

    def compile(self, given: list[tuple[str, Kind]]) -> None:
        """Go through the function until nothing new is learned."""
        self.given = given
        for _ in range(PASSES):
            self.begin()
            before = self.returned
            self.body()
            if not self.learned and self.returned == before:
                break
            if self.returned != before:
                self.program.drop(self.readers)
        else:
            raise Cannot("what kinds of values it computes is not clear", "give each name one type")
        if self.suspect is not None:
            raise self.suspect
        self.done = True
        said = set(re.findall(r"\w+", " ".join(text for _, text, _ in self.lines)))
        self.unused = {word for name, _ in given for word in self.vars[name, "given"].names()} - said

    def begin(self) -> None:
        self.lines, self.indent, self.counter, self.line = [], 1, 0, self.node.lineno
        self.spans = {}
        self.env: dict[str, Any] = {}
        self.learned, self.suspect = False, None
        self.nesting = 0
        self.sure: list[set[str]] = [set()]
        self.moved: list[dict[str, Any]] = []
        self.attempts, self.finals, self.breaking, self.explicit = [], [], [], set()
        self.used: dict[str, Var] = {}
        for name, kind in self.given:
            var = self.var((name, "given"), name)
            var.kind = join(var.kind, kind)
            var.spans = [spans.ANY] * len(words(var.kind))
            self.env[name] = var
            self.sure[0].add(var.name)
        self.known = {
            self.vars[name, "given"].names()[i]: number
            for name, i, number in self.lengths
            if name not in self.stored
        }
        if self.own is not None:
            outer = tuple((name, self.env[name].kind) for name, _ in self.own.outer)
            words_ = tuple(w for name, _ in outer for w in self.env[name].names())
            self.env[self.node.name] = Value(Local(self.node, self.own.home, outer), words_)
        if self.is_generator:
            self.yields = Value(Run(self.site_kinds.get("yield", UNKNOWN), "list"), ("yielded",), fresh=True)
            stride = max(len(words(self.yields.kind.inner)), 1)
            self.emit(f"yielded = new_list({ROOM}, {FIRST_ITEMS}, {stride})")

    def body(self) -> None:
        if isinstance(self.node, ast.Lambda):
            self.give_back(self.expr(self.node.body))
            return
        self.statements(self.node.body)
        if not leaves(self.node.body):
            self.give_back(self.yields if self.is_generator else NOTHING)

    def give_back(self, value: Value) -> None:
        """Return a value."""
        if self.is_generator:
            value = self.yields
        if self.makes is not None:
            parts = [self.read(f"{self.me}.{name}") for name in self.program.fields(self.makes)]
            kinds = tuple(part.kind for part in parts)
            value = Value(Record(self.makes, kinds), tuple(w for part in parts for w in part.words))
        known = join(self.returned, value.kind)
        self.returned = known
        passed_on = isinstance(value.origin, ast.Name) and value.origin.id in dict(self.given)
        self.returning = not passed_on
        given = self.convert(value, known)
        self.returning = False
        if self.finals:
            given = tuple(self.temp(w) for w in given)
            waiting, self.finals = self.finals, []
            for body in reversed(waiting):
                self.statements(body)
            self.finals = waiting
        if self.recursive:
            given = tuple(self.temp(w) for w in given)
            self.emit(f"leave({ROOM})")
        if not given:
            self.emit("return 0")
        else:
            self.emit(f"return {', '.join(given)}")

    # --- locals -------------------------------------------------------------------------------------------

    def var(self, key: Any, name: str) -> Var:
        if key not in self.vars:
            same = sum(1 for var in self.vars.values() if var.name.startswith(f"v{len(name)}_{name}_"))
            self.vars[key] = Var(f"v{len(name)}_{name.replace(' ', '_').replace('.', '_')}_{same}")
        var = self.vars[key]
        self.used[var.name] = var
        return var

    def read(self, name: str) -> Value:
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
            self.fail("UnboundLocalError", f"{name} has no value yet")
            return NEVER
        if not any(var.name in known for known in self.sure):
            with self.block(f"if {var.name}_set == 0:"):
                self.fail("UnboundLocalError", f"{name} has no value yet")
        for word, span in zip(var.names(), var.spans, strict=False):
            self.spans[word] = spans.ANY if span is None else span
        return Value(var.kind, var.names(), origin=ast.Name(name, ast.Load()))

    def captured_names(self) -> set[str]:
        return set()

    def assign_name(self, name: str, value: Value, node: Any, inner: bool = False) -> None:
        current = self.env.get(name)
        current = current if isinstance(current, Var) else None
        if current is None or inner or self.nesting == 0 and not isinstance(node, ast.AugAssign):
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
        self.hand_back(value, kind)
        given = self.convert(value, kind)
        self.note_span(var, given)
        self.set(var.names(), given)
        if self.nesting and not inner:
            self.emit(f"{var.name}_set = 1")
            var.sure = False
        self.sure[-1].add(var.name)
        self.env[name] = var

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
                    self.suspect = Cannot(
                        "what a list holds is not clear", "let it hold something when it is made"
                    )

    def refine(self, node: Any, kind: Kind) -> bool:
        """What an expression means can hold this kind too; whether that was known already."""
        match node:
            case ast.Name(id=name):
                var = self.env.get(name)
                if isinstance(var, Value):
                    return (
                        self.refine(var.origin, kind)
                        if var.origin is not None
                        else join(var.kind, kind) == var.kind
                    )
                if not isinstance(var, Var):
                    return True
                known = join(var.kind, kind)
                if known != var.kind:
                    var.kind, self.learned = known, True
                    return False
                return True
            case ast.Subscript(value=base):
                owner = self.quiet(base)
                if isinstance(owner, Dict):
                    return self.refine(base, Dict(owner.key, kind))
                return self.refine(base, Run(kind, "list"))
            case ast.NamedExpr(target=target):
                return self.refine(target, kind)
            case ast.Call(func=ast.Attribute(value=base, attr="setdefault" | "get")):
                return self.refine(base, Dict(UNKNOWN, kind))
        have = self.quiet(node)
        if join(have, kind) != have:
            raise Cannot("what a list holds is not clear", "give it a name, and let it hold one kind")
        return True

    def quiet(self, node: Any) -> Kind:
        """The kind of an expression, without its code."""
        with self.captured():
            return self.expr(node).kind

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
            case ast.Attribute():
                raise Cannot(
                    f"{ast.unparse(target)} is assigned to", "a state never changes: build a new one"
                )
            case _:
                raise Cannot("this cannot be assigned to", "assign to a name")

    def bind_items(self, targets: list[ast.expr], value: Value, inner: bool) -> None:
        starred = [i for i, t in enumerate(targets) if isinstance(t, ast.Starred)]
        if not starred:
            for target, part in zip(
                targets, self.unpacked(value, len(targets)) or [NEVER] * len(targets), strict=True
            ):
                self.bind(target, self.held(part) if not part.fresh else part, inner)
            return
        (at,) = starred
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
            text = f"put_cell({data}, {place}, {size}, {given[0]})"
            if spans.holds((-most, most - 1), self.span(given[0])):
                self.emit(text)
            else:
                self.refuse_lost(self.temp(text))

    def set_slice(self, owner: Value, target: ast.Subscript, value: Value) -> None:
        where = target.slice
        assert isinstance(where, ast.Slice)
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

    # --- calls --------------------------------------------------------------------------------------------

    def call_function(
        self, function: types.FunctionType, args: list[Value], keywords: dict[str, Value] | None = None
    ) -> Value:
        """Call a function of the user's."""
        signature = inspect.signature(function)
        if any(p.kind in (p.VAR_KEYWORD,) for p in signature.parameters.values()):
            raise Cannot(f"{function.__name__} takes **", "name its arguments")
        return self.call_instance(function, None, self.matched(signature, args, keywords or {}), ())

    def matched(
        self, signature: Any, args: list[Value], keywords: dict[str, Value]
    ) -> list[tuple[str, Value]]:
        """What each parameter is given."""
        try:
            bound = signature.bind(*args, **keywords)
        except TypeError as error:
            raise Cannot(
                f"a function is called with the wrong arguments: {error}", "give it what it takes"
            ) from None
        made = []
        for name, parameter in signature.parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                made.append((name, self.tuple_of(list(bound.arguments.get(name, ())))))
            elif name in bound.arguments:
                made.append((name, bound.arguments[name]))
            else:
                made.append((name, self.embed(parameter.default)))
        return made

    def call_init(self, cls: Any, args: list[Value], keywords: dict[str, Value]) -> Value:
        """A new object of a class with __init__, which sets its fields."""
        function = own_method(cls, "__init__")
        signature = inspect.signature(function)
        rest = list(signature.parameters.values())[1:]
        given = self.matched(signature.replace(parameters=rest), args, keywords)
        return self.call_instance(function, None, given, (), cls)

    def call_instance(
        self,
        function: Any,
        local: Local | None,
        given: list[tuple[str, Value]],
        outer: Any,
        makes: Any = None,
    ) -> Value:
        """Call the function that is compiled for arguments of these kinds."""
        known = tuple((n, i, w) for n, v in given for i, w in self.lengths_of(v))
        made = self.program.instance(
            function, local, [(n, v.kind) for n, v in (*outer, *given)], known, makes
        )
        for name, value in (*outer, *given):
            kind = made.vars[name, "given"].kind if (name, "given") in made.vars else value.kind
            if kind != value.kind and isinstance(value.kind, Run | Set | Dict) and not is_known(value.kind):
                self.hand_back(value, kind)
        words_given = []
        for name, value in (*outer, *given):
            kind = made.kind_given(name, value.kind)
            names = made.vars[name, "given"].names() if made.done else ()
            passed = self.convert(value, kind)
            for i, (word, letter) in enumerate(zip(passed, words(kind), strict=True)):
                idle = made.done and names[i] in made.unused
                words_given.append(word if not idle else "0.0" if letter == "f" else "0")
        answer = made.returned
        text = f"{made.symbol}({', '.join([ROOM, *words_given])})"
        count = len(words(answer))
        if count == 0:
            self.emit(text)
            return Value(answer)
        if count == 1:
            return Value(answer, (self.temp(text),), fresh=made.is_generator)
        names = tuple(self.fresh() for _ in range(count))
        self.emit(f"{', '.join(names)} = {text}")
        return Value(answer, names)

    def lengths_of(self, value: Value) -> list[tuple[int, str]]:
        """The words of a state's tuples that are known numbers: how long they are."""
        size = (
            self.size_of(value)
            if isinstance(value.kind, Run) and value.kind.type in ("tuple", "str")
            else None
        )
        if size is not None and not is_numeral(value.words[1]):
            return [(1, str(size))]
        found, at = [], 0
        for kind in value.kind.kinds if isinstance(value.kind, Record) else ():
            if isinstance(kind, Run) and kind.type != "list" and self.is_length(value.words[at + 1]):
                found.append((at + 1, str(self.span(value.words[at + 1])[0])))
            at += len(words(kind))
        return found

    def kind_given(self, name: str, kind: Kind) -> Kind:
        return self.vars[name, "given"].kind if (name, "given") in self.vars else kind

    def local_function(self, node: Any) -> Value:
        """A function inside this one: what it uses of this one's names goes with it."""
        free = sorted(
            {
                part.id
                for part in ast.walk(node)
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)
            }
            - (bound(node) if not isinstance(node, ast.Lambda) else {a.arg for a in node.args.args})
        )
        outer = [
            (name, self.read(name)) for name in free
            if name in self.locals and name in self.env and name != getattr(node, "name", "")
        ]  # fmt: skip
        kind = Local(node, self, tuple((name, value.kind) for name, value in outer))
        return Value(kind, tuple(word for _, value in outer for word in value.words))

    def call_local(self, function: Value, args: list[Value], keywords: dict[str, Value]) -> Value:
        kind = function.kind
        assert isinstance(kind, Local)
        parameters = kind.node.args
        if parameters.vararg or parameters.kwarg or parameters.kwonlyargs:
            raise Cannot("a function inside a function takes *", "name its arguments")
        names = [a.arg for a in parameters.args]
        given = dict(zip(names, args, strict=False)) | keywords
        defaults = dict(zip(reversed(names), reversed(parameters.defaults), strict=False))
        for name in names:
            if name not in given:
                if name not in defaults:
                    raise Cannot("a function is called with too few arguments", "give it what it takes")
                given[name] = self.expr(defaults[name])
        if kind.home is self and any(name in self.env for name, _ in kind.outer):
            outer = [(name, self.read(name)) for name, _ in kind.outer]  # as they are now
        else:
            outer = [(name, part) for (name, _), part in zip(kind.outer, self.parts(function), strict=True)]
        return self.call_instance(kind.home.function, kind, [(n, given[n]) for n in names], outer)

    # --- statements ---------------------------------------------------------------------------------------

    @contextmanager
    def scope(self, head: str) -> Iterator[None]:
        """A block that runs on one path."""
        self.nesting += 1
        self.sure.append(set())
        self.moved.append({})
        with self.block(head):
            yield
        self.nesting -= 1
        self.sure.pop()
        for name, before in self.moved.pop().items():
            now = self.env.get(name)
            if isinstance(now, Var) and now is not before:
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
            name, cure = OTHERS.get(type(node).__name__, (type(node).__name__, "leave it out"))
            raise Cannot(f"{name} cannot be compiled", cure)
        found(node)
        if isinstance(node, ast.Try) and leaves([node]):
            self.plainly("raise AssertionError")  # which nobody comes to

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
        """What is assigned: a list that only this function knows becomes an array."""
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
            return Value(Run(inner, "array"), (data, count))
        return value

    def do_AnnAssign(self, node: ast.AnnAssign) -> None:
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
            made = self.operate(type(node.op), before, self.expr(node.value))
            name = f"place {id(node)}"
            self.env[name] = place
            self.locals.add(name)
            self.set_item(ast.Subscript(target.value, ast.Name(name, ast.Load()), ast.Store()), made)
            return
        if not isinstance(target, ast.Name):
            raise Cannot(f"{ast.unparse(target)} is changed", "a state never changes: build a new one")
        before = self.read(target.id)
        if isinstance(before.kind, Run) and before.kind.type == "list" and isinstance(node.op, ast.Add):
            self.list_method(
                before, "extend", ast.Call(node.target, [node.value], []), ast.Name(target.id, ast.Load())
            )
            return
        if isinstance(before.kind, Set):
            other = (
                self.set_from(node.value, (node, "other"))
                if isinstance(node.value, ast.GeneratorExp)
                else self.expr(node.value)
            )
            self.assign_name(target.id, self.of_sets(type(node.op), before, other), node)
            return
        held = self.held(before)
        value = self.expr(node.value)
        self.assign_name(
            target.id, self.counted_on(node.op, held, value) or self.operate(type(node.op), held, value), node
        )

    def counted_on(self, op: ast.operator, before: Value, by: Value) -> Value | None:
        """n += 1: a number that moves by little steps never has more than 64 bits."""
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
        self.give_back(value)

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
        with self.scope("while True:"):
            condition = self.condition(node.test)
            if condition != "True":
                with self.block(f"if not ({condition}):"):
                    self.emit("break")
            self.statements(self.with_breaks(node.body, broken))
        self.otherwise(node.orelse, broken)

    def watch_breaks(self, node: Any) -> str | None:
        """A loop with an `else` says whether it was left by `break`."""
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
        before, self.careless = self.careless, is_orderless(node, self.node, self.may_change, self.counts)
        view = self.view_of(node.iter)
        self.careless = before
        i, length = self.temp("0"), view.length()
        self.spans[i] = self.places(length)
        with self.scope(f"while {i} < {length}:"):
            item = view.item(i)
            if isinstance(node.iter, ast.Name | ast.Attribute | ast.Subscript):
                item = item._replace(origin=ast.Subscript(node.iter, ast.Constant(0), ast.Load()))
            self.emit(f"{i} += 1")
            self.bind(node.target, item if item.fresh else self.held(item))
            self.statements(self.with_breaks(node.body, broken))
        self.otherwise(node.orelse, broken)

    def written_out(self, node: ast.For, items: list[Value], broken: str | None) -> None:
        """A loop over a few constants, turn by turn."""
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
        """Whether it does not matter in which order something is added to what a name means."""
        kind = getattr(self.env.get(name), "kind", UNKNOWN)
        return is_word(kind) or isinstance(kind, Set)

    def may_change(self, name: str) -> bool:
        """Whether a name means something that a function might change."""
        kind = getattr(self.env.get(name), "kind", UNKNOWN)
        return (
            isinstance(kind, Set | Dict) or isinstance(kind, Run) and kind.type == "list" or kind == UNKNOWN
        )

    def unrolled(self, node: ast.For) -> list[Value] | None:
        """The items of a loop over a few things of different kinds, which cannot be a loop."""
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
                raise Cannot("a function inside a rule has a decorator", "leave it out")
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
                raise Cannot("match takes an object apart", "compare its fields with `if`")

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
                )  # what is not there reads as something
                self.emit(f"copy({held}, {data}, min({count}, {len(patterns)}) * {len(words(inner))})")
                for i, each in enumerate(patterns):
                    self.pattern(each, self.item(held, str(i), inner), tests, binds)
            case Maybe():
                tests.append(f"{value.words[0]} != 0")
                self.sequence_pattern(patterns, self.inside(value), tests, binds)
            case _:
                tests.append("False")

    # --- the whole ----------------------------------------------------------------------------------------

    def is_light(self) -> bool:
        """Whether its code is to be put where it is called."""
        return False

    def text(self) -> tuple[str, list[int]]:
        """The function as source, and for each of its lines the user's."""
        names = [ROOM]
        for name, _ in self.given:
            names += self.vars[name, "given"].names()
        head = [(0, f"def {self.symbol}({', '.join(names)}):", self.node.lineno)]
        given = {self.vars[name, "given"].name for name, _ in self.given}
        head += [(1, f"{word} = {number}", self.node.lineno) for word, number in self.known.items()]
        if self.recursive:
            head.append((1, f"enter({ROOM}, {DEEPEST})", self.node.lineno))
        for name, var in self.used.items():
            if name not in given:
                for word, zero in zip(var.names(), zeros(var.kind), strict=True):
                    head.append((1, f"{word} = {zero}", self.node.lineno))
                if not var.sure:
                    head.append((1, f"{name}_set = 0", self.node.lineno))
        lines = _without_flags([*head, *self.lines])
        if len(lines) == len(head):
            lines.append((1, "return 0", self.node.lineno))
        return "\n".join(" " * i + t for i, t, _ in lines) + "\n", [n for _, _, n in lines]


def _without_flags(lines: list[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
    """Without the notes that a name has a value, where nobody asks."""
    asked = {found[1] for _, text, _ in lines if (found := re.match(r"if (\w+_set) == 0", text))}
    notes = re.compile(r"(v\d+_\w+_set) = [01]$")
    return [
        (indent, "pass" if (found := notes.match(text)) and found[1] not in asked else text, line)
        for indent, text, line in lines
    ]
