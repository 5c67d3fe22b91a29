"""One function, compiled for arguments of certain kinds: its statements, its locals and what it returns."""

import ast
import functools
import inspect
import re
import types
from typing import Any

from outplay.compile.natural import spans
from outplay.compile.natural.expressions import FIRST_ITEMS
from outplay.compile.natural.iterate import Meaning
from outplay.compile.natural.kinds import (
    UNKNOWN,
    Applied,
    Cannot,
    Dict,
    Items,
    Kind,
    Local,
    Maybe,
    OneOf,
    Record,
    Run,
    Set,
    Static,
    is_known,
    is_near,
    join,
    may_share,
    own_method,
    words,
)
from outplay.compile.natural.once import Once, Use, Watch
from outplay.compile.natural.statements import Statements
from outplay.compile.natural.syntax import bound, captures, fixed_lists, leaves, own_lists, yields
from outplay.compile.natural.unfinished import changed_objects
from outplay.compile.natural.values import NEVER, NOTHING, ROOM, Each, Value, Var, is_numeral, zeros
from outplay.compile.source import Missing, Place

CIRCLE = Static("a function that calls the one whose closure this is in")
PASSES = 60  # a function whose kinds are not known by then has none
DEEPEST = 800  # calls within calls


class Function(Statements):
    """Compiles one function for one list of kinds."""

    more: tuple[str, ...] = ()  # what it is given besides

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
        self.carried = {}
        self.gathered: dict[ast.Call, ast.Tuple] = {}
        self.symmetric: set[ast.expr] = set()
        self.changing = changed_objects(node)
        self.iterators: set[str] = set()
        self.others: set[str] = set()
        self.given_nodes = {}
        self.returned: Kind = UNKNOWN
        self.telling, self.told, self.silent = False, set(), set()
        self.recursive = self.done = False
        self.sending: list[Any] = []  # inner functions that are being sent
        self.readers: set[Any] = set()  # functions that asked what this returns before that was known
        self.is_generator = not isinstance(node, ast.Lambda) and yields(node)
        self.locals = bound(node)
        self.stored = {
            n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        self.arrays = set() if isinstance(node, ast.Lambda) else fixed_lists(node)
        self.own_lists = set() if isinstance(node, ast.Lambda) else own_lists(node)
        self.unused: set[str] = set()  # words that it is given and does not look at
        self.lengths: Any = ()  # (name, which word, its number) of tuples whose length is known
        self.known: dict[str, str] = {}  # words that it is given and are always the same number
        self.gives_fresh = True  # whether all that it returns is new, so that nobody else means it
        self.gives_iterator = False  # whether it returns an iterator that it does not make by `yield`
        self.makes: Any = None  # the class whose __init__ it is
        self.me = ""  # what that calls the object
        self.key: Any = None  # by which the program knows it
        self.own: Local | None = None  # what it is, if it stands in another function and has a name

    def compile(self, given: list[tuple[str, Kind]]) -> None:
        """Go through the function until nothing new is learned."""
        self.given = given
        for _ in range(PASSES):
            self.begin()
            before = self.gives()
            self.body()
            if not self.learned and self.gives() == before:
                break
            if self.gives() != before:
                self.program.drop(self.readers)
        else:
            raise Cannot("what kinds of values it computes is not clear", "give each name one type")
        if self.suspect is not None:
            self.line, error = self.suspect
            raise error
        self.done = True
        said = set(re.findall(r"\w+", " ".join(text for _, text, _ in self.lines)))
        self.unused = {word for name, _ in given for word in self.vars[name, "given"].names()} - said

    def gives(self) -> tuple[Kind, int, int]:
        """What its callers ask of it, which grows from pass to pass."""
        return self.returned, len(self.told), len(self.silent)

    def begin(self) -> None:
        self.lines, self.indent, self.counter, self.line = [], 1, 0, self.node.lineno
        self.spans = {}
        self.env: dict[str, Any] = {}
        self.learned, self.suspect = False, None
        self.nesting = 0
        self.unfinished = {}
        self.sure: list[set[str]] = [set()]
        self.moved: list[dict[str, Any]] = []
        self.around: list[frozenset[str]] = []
        self.loops, self.ways_out, self.of_turn = [], 0, {}
        self.attempts, self.finals, self.breaking = [], [], []
        self.used: dict[str, Var] = {}
        for name, kind in self.given:
            var = self.var((name, "given"), name)
            var.kind = join(var.kind, kind)
            var.spans = [spans.ANY] * len(words(var.kind))
            self.env[name] = var
            self.others.add(name)
            self.sure[0].add(var.name)
        self.known = {
            self.vars[name, "given"].names()[i]: number
            for name, i, number in self.lengths
            if name not in self.stored
        }
        if self.own is not None:
            self.env[self.node.name] = self.itself()
        if self.is_generator:
            self.yields = Value(Run(self.site_kinds.get("yield", UNKNOWN), "list"), ("yielded",), fresh=True)
            stride = max(len(words(self.yields.kind.inner)), 1)
            self.emit(f"yielded = new_list({ROOM}, {FIRST_ITEMS}, {stride})")

    def body(self) -> None:
        if isinstance(self.node, ast.Lambda):
            self.give_back(self.expr(self.node.body))
            return
        if self.is_generator and any(map(self.has_no_end, ast.walk(self.node))):
            raise Cannot("a generator has no end", "write a loop with `break` where it is used")
        self.statements(self.node.body)
        if not leaves(self.node.body):
            self.give_back(self.yields if self.is_generator else NOTHING)

    def has_no_end(self, node: ast.AST) -> bool:
        """Whether a loop yields forever."""
        if (
            isinstance(node, ast.For)
            and not self.is_endless(node.iter)
            or not isinstance(node, ast.For | ast.While)
        ):
            return False
        if isinstance(node, ast.While) and not (isinstance(node.test, ast.Constant) and node.test.value):
            return False
        parts = [part for statement in node.body for part in ast.walk(statement)]
        ends = any(isinstance(part, ast.Break | ast.Return | ast.Raise) for part in parts)
        return not ends and any(isinstance(part, ast.Yield | ast.YieldFrom) for part in parts)

    def give_back(self, value: Value) -> None:
        """Return a value."""
        if self.is_generator:
            value = self.yields
        if self.makes is not None:
            parts = [self.read(f"{self.me}.{name}") for name in self.program.fields(self.makes)]
            kinds = tuple(part.kind for part in parts)
            value = Value(Record(self.makes, kinds), tuple(w for part in parts for w in part.words))
        self.gives_fresh = self.gives_fresh and (value.fresh or not may_share(value.kind))
        self.gives_iterator = self.gives_iterator or value.once is not None and not value.once.again
        value = self.sent(value)
        known = join(self.returned, value.kind)
        self.returned = known
        self.returning = True
        given = self.convert(value, known)
        self.returning = False
        if self.finals:
            given = tuple(self.temp(w) for w in given)
            waiting = self.finals
            for i in reversed(range(len(waiting))):
                self.finals = waiting[:i]  # those around it
                self.statements(waiting[i])
            self.finals = waiting
        if self.recursive:
            given = tuple(self.temp(w) for w in given)
            self.emit(f"leave({ROOM})")
        if not given:
            self.emit("return 0")
        else:
            self.emit(f"return {', '.join(given)}")

    def itself(self) -> Value:
        """An inner function as it calls itself."""
        assert self.own is not None
        given = [(name, self.vars[name, "given"]) for name, _ in self.own.outer]
        outer = tuple((name, var.kind) for name, var in given)
        origin = Each(tuple(ast.Name(name, ast.Load()) for name, _ in given))
        words_ = tuple(w for _, var in given for w in var.names())
        return Value(Local(self.node, self.own.home, outer), words_, origin=origin)

    # --- calls --------------------------------------------------------------------------------------------

    def call_function(
        self,
        function: types.FunctionType,
        args: list[Value],
        keywords: dict[str, Value] | None = None,
        gathered: Value | None = None,
    ) -> Value:
        """Call a function of the user's; `gathered` is what its parameter with a * is given."""
        signature = inspect.signature(function)
        if any(p.kind in (p.VAR_KEYWORD,) for p in signature.parameters.values()):
            raise Cannot(f"{function.__name__} takes **", "name its arguments")
        given = self.matched(signature, args, keywords or {}, gathered)
        return self.call_instance(function, None, given, ())

    def matched(
        self, signature: Any, args: list[Value], keywords: dict[str, Value], gathered: Value | None = None
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
            if parameter.kind is parameter.VAR_POSITIONAL and gathered is not None:
                made.append((name, gathered))
            elif parameter.kind is parameter.VAR_POSITIONAL:
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
        given = [(name, self.sent(value)) for name, value in given]
        outer = [(name, self.sent(value)) for name, value in outer]
        known = tuple((n, i, w) for n, v in given for i, w in self.lengths_of(v))
        kinds = [(n, v.kind) for n, v in (*outer, *given)]
        made = self.program.instance(function, local, kinds, known, makes)
        if self.wants(made.symbol):
            made = self.program.instance(function, local, kinds, known, makes, telling=True)
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
        once = self.of_generator(made, [*outer, *given])
        fresh = made.is_generator or made.done and made.gives_fresh and may_share(answer)
        text = f"{made.symbol}({', '.join([ROOM, *words_given])})"
        count = len(words(answer))
        if count == 0:
            self.emit(text)
            return Value(answer)
        if count == 1:
            return Value(answer, (self.temp(text),), fresh, once=once)
        names = tuple(self.fresh() for _ in range(count))
        self.emit(f"{', '.join(names)} = {text}")
        return Value(answer, names, fresh, once=once)

    def of_generator(self, made: Any, given: list[tuple[str, Value]]) -> Once | None:
        """What the iterator that a function gives depends on; an iterator that it is given is used once there."""
        body = self.body_of(made.node)
        for name, value in given:
            if value.once is not None and not value.once.again:
                watch = Watch(name, made.node, value.once._replace(looks=frozenset()), made.changed_in)
                self.used_well(functools.partial(watch.check, body, Use()))
        if not (made.is_generator or made.gives_iterator):
            return None
        lists = [
            (name, v.origin.id)
            for name, v in given
            if isinstance(v.origin, ast.Name) and self.may_change(v.origin.id)
        ]
        changed = made.changed_in(body) if lists else set()
        return Once(frozenset(n for _, n in lists), frozenset(n for inner, n in lists if inner in changed))

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
        names = [n for n in sorted(captures(node)) if n in self.locals and n != getattr(node, "name", "")]
        outer = [(n, self.read(n, captured=True) if n in self.env else NEVER) for n in names]
        outer += [(default_name(name), self.held(self.expr(default))) for name, default in defaults_of(node)]
        near = any(name not in self.of_turn and " " not in name for name, _ in outer)
        fixed = frozenset(name for name, _ in outer if name in self.of_turn)
        kind = Local(node, self, tuple((name, value.kind) for name, value in outer), fixed, near)
        origin = Each(tuple(value.origin for _, value in outer))
        return Value(kind, tuple(word for _, value in outer for word in value.words), origin=origin)

    def call_local(self, function: Value, args: list[Value], keywords: dict[str, Value]) -> Value:
        kind = function.kind
        assert isinstance(kind, Local)
        parameters = kind.node.args
        if parameters.kwarg:
            raise Cannot("a function inside a function takes **", "name its arguments")
        names = [a.arg for a in (*parameters.posonlyargs, *parameters.args)]
        if len(args) > len(names) and not parameters.vararg:
            raise Cannot("a function is called with too many arguments", "give it what it takes")
        given = dict(zip(names, args, strict=False)) | keywords
        names += [a.arg for a in parameters.kwonlyargs]
        if parameters.vararg:
            given[parameters.vararg.arg] = self.tuple_of(args[len(names) - len(parameters.kwonlyargs) :])
            names.append(parameters.vararg.arg)
        outer = [(name, part) for (name, _), part in zip(kind.outer, self.parts(function), strict=True)]
        made = dict(outer)
        for name in names:
            if name not in given:
                if default_name(name) not in made:
                    raise Cannot("a function is called with too few arguments", "give it what it takes")
                given[name] = made[default_name(name)]
        outer = [(name, self.completed(name, part)) for name, part in outer]
        if kind.near:
            outer = [(name, self.now(kind, name, part)) for name, part in outer]
        elif self.own is not None and kind.node is self.node and function.words == self.itself().words:
            outer = list(zip([name for name, _ in outer], self.parts(self.itself()), strict=True))
        return self.call_instance(kind.home.function, kind, [(n, given[n]) for n in names], outer)

    def now(self, kind: Local, name: str, part: Value) -> Value:
        """What a name that an inner function uses means now."""
        if name in kind.fixed or " " in name:
            return part
        var = self.of_turn.get(name, self.env.get(name))
        if var is None:
            self.beyond(f"{name} has no value yet where a function that uses it is called")
            return part
        with self.renamed({name: Meaning(True, var, Missing)}):
            return self.read(name, captured=True)

    def completed(self, name: str, value: Value) -> Value:
        """An inner function's name, or its closure, with this function where the circle of calls closes."""
        if self.own is None or CIRCLE not in circles_of(value.kind):
            return value
        if value.kind == CIRCLE:
            return self.itself() if name == self.node.name else value
        parts = zip([each for each, _ in value.kind.outer], self.parts(value), strict=True)
        made = [(each, self.completed(each, part)) for each, part in parts]
        kind = value.kind._replace(outer=tuple((each, part.kind) for each, part in made))
        return Value(kind, tuple(word for _, part in made for word in part.words))

    def sent(self, value: Value) -> Value:
        """A value that leaves this function's call: its inner functions take along what their names mean now."""
        kind = value.kind
        if not is_near(kind):
            return value
        match kind:
            case Local(_, _, outer):
                if kind.node in self.sending:
                    return Value(CIRCLE)
                self.sending.append(kind.node)
                parts = zip([name for name, _ in outer], self.parts(value), strict=True)
                sent = [
                    (name, self.sent(self.now(kind, name, part) if kind.near else part))
                    for name, part in parts
                ]
                self.sending.pop()
                made: Kind = kind._replace(outer=tuple((name, part.kind) for name, part in sent), near=False)
                origin = Each(tuple(part.origin for _, part in sent))
                return Value(made, tuple(word for _, part in sent for word in part.words), origin=origin)
            case Items():
                return self.tuple_of([self.sent(part) for part in self.parts(value)])
            case Maybe():
                inner = self.sent(self.inside(value))
                return Value(Maybe(inner.kind), (value.words[0], *inner.words))
            case Applied(function, given, names):
                parts_ = [
                    self.sent(part) for part in self.parts(Value(Items((function, *given)), value.words))
                ]
                made = Applied(parts_[0].kind, tuple(part.kind for part in parts_[1:]), names)
                return Value(made, tuple(word for part in parts_ for word in part.words))
            case OneOf():
                return self.sent_one(value)
        raise Cannot(
            f"functions that use names around them are kept in a {kind}", "pass those names as arguments"
        )

    def sent_one(self, value: Value) -> Value:
        """The same for one of several kinds."""
        which = value.words[0]
        made: list[Kind] = []
        names: list[str] = []
        for i, part in enumerate(self.alternatives(value)):
            with self.captured() as lines:
                each = self.sent(part)
            given = tuple(self.temp(zero) for zero in zeros(each.kind))
            with self.block(f"if {which} == {i + 1}:"):
                self.paste(lines)
                self.set(given, each.words)
            made.append(each.kind)
            names += given
        if len(set(made)) < len(made):
            raise Cannot("a function of another call is passed on with one of this call", "use two names")
        return Value(OneOf(tuple(made)), (which, *names))

    # --- the whole ----------------------------------------------------------------------------------------

    def is_light(self) -> bool:
        """Whether its code is to be put where it is called."""
        return False

    def text(self) -> tuple[str, list[int]]:
        """The function as source, and for each of its lines the user's."""
        names = [ROOM]
        for name, _ in self.given:
            names += self.vars[name, "given"].names()
        head = [(0, f"def {self.symbol}({', '.join([*names, *self.more])}):", self.node.lineno)]
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


def circles_of(kind: Kind) -> list[Kind]:
    """The circles in an inner function's closure."""
    if isinstance(kind, Local):
        return [each for _, part in kind.outer for each in circles_of(part)]
    return [kind] if kind == CIRCLE else []


def defaults_of(node: ast.FunctionDef | ast.Lambda) -> list[tuple[str, ast.expr]]:
    """The parameters of a function that have a default, and which."""
    taken = node.args
    names, defaults = [a.arg for a in (*taken.posonlyargs, *taken.args)], taken.defaults
    named = [(a.arg, d) for a, d in zip(taken.kwonlyargs, taken.kw_defaults, strict=True) if d is not None]
    return [*zip(names[len(names) - len(defaults) :], defaults, strict=True), *named]


def default_name(parameter: str) -> str:
    """By which name the default of a parameter goes with a function."""
    return f"{parameter} default"


def _without_flags(lines: list[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
    """Without the notes that a name has a value, where nobody asks."""
    asked = {found[1] for _, text, _ in lines if (found := re.match(r"if (\w+_set) == 0", text))}
    notes = re.compile(r"(v\d+_\w+_set) = [01]$")
    return [
        (indent, "pass" if (found := notes.match(text)) and found[1] not in asked else text, line)
        for indent, text, line in lines
    ]
