"""Random game classes, written as Python source out of everything that docs/python.md lists.

`write(seed)` gives the source of a class and of a helper module beside it. They are well typed and come to an
end by construction, and no number passes 64 bits where the page does not promise that it may: every expression
carries a bound of what it can be. Otherwise they are as odd as Python allows: names that shadow builtins, helpers
and fields, comprehension variables that shadow locals, bools in sums, negative numbers under // and %.

`LINES` says which construct of this file writes each line of the page; the constructs that a class holds are told
with it, so that a test can see that none is forgotten.
"""

import random
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

LIMIT = 10**6  # of an int in a local, an argument or an action
FIELD = 100  # of an int in a field
PRODUCT = 1 << 62  # of an int in an expression
STEPS = 2000  # expressions that a function may evaluate, about
LOOPS = 120  # times that an inner statement of a function may run
WHOLE = 0.03  # share of the classes with all rules random
YIELDS = 150  # words that a generator may yield; a class may have 256 actions

LINES = {
    "`yield x`, with or without `if`": ("yield", "if yield"),
    "`return [...]`, a list, tuple, range or comprehension of actions": ("returned actions",),
    "a list built with `append` and returned": ("appended actions",),
    "`yield from` a sequence or a generator, also a recursive one": ("yield from", "recursive generator"),
    "generator methods, and loops over them": ("generator method", "loop over generator"),
    "a rule that calls `self.actions()`": ("self.actions()",),
    "methods that call methods": ("method",),
    "calls of another state's methods": ("another state",),
    "`@staticmethod` and `@property`": ("staticmethod", "property"),
    "class constants by `self.X` and by `Game.X`, also tables": ("class constant", "class table"),
    "functions and constants of this file and of other modules": ("helper", "constant", "helper beside", "alias"),
    "recursive functions": ("recursion",),
    "functions under `@cache`, default arguments, keywords": ("cache", "default argument", "keyword"),
    "`any`, `all`, `sum`, `min`, `max` over generator expressions": ("consumer",),
    "generator expressions inside generator expressions": ("nested consumer",),
    "`any`, `all`, `sum`, `min`, `max`, `len` of a tuple": ("consumer of tuple",),
    "`for` over ranges, tuples, tables, `enumerate`, `zip`, `reversed`": (
        "for range", "for tuple", "for table", "for enumerate", "for zip", "for reversed",
    ),
    "`while`, `break`, `continue`, `else` of a loop": ("while", "break", "continue", "loop else"),
    "`if`/`elif`/`else`, `and`/`or`/`not`, conditional expressions, chained comparisons": (
        "if", "and or not", "conditional", "chained",
    ),
    "`match` on ints": ("match",),
    "several targets, unpacking, augmented assignment": ("several targets", "unpacking", "augmented"),
    "tuples: `t[i]`, `t[-1]`, slices, `put(t, i, v)`, comparison, `in`": (
        "tuple index", "slice", "put", "tuple comparison", "in",
    ),
    "tables of tables: `T[i][j]`, rows of one length": ("table of tables",),
    "NumPy arrays as tables": ("numpy table",),
    "a state built by keywords and defaults, by `type(self)`, by `_replace`": (
        "keywords", "type(self)", "_replace",
    ),
    "bools used as ints": ("bool as int",),
    "`popcount`, `lsb`, `msb`, `nth`, `shr`, `bswap`, `wrap` on words with bit 63": (
        "popcount", "lsb", "msb", "nth", "shr", "bswap", "wrap",
    ),
    "`for square in bits(word)`": ("bits",),
    "`int.bit_count`, `int.bit_length`": ("bit_count",),
    "literals and constants with bit 63": ("bit 63",),
    "`//`, `%`, `divmod`, `abs`, `pow`, `round`, `int(x)`, `**` of ints": ("division", "power", "round"),
    "`math` functions and floats in intermediate values": ("math", "float"),
    "`IntEnum` members, and loops over them": ("enum", "for enum"),
    "type hints, docstrings, comments, `assert`, `pass`": ("hint", "docstring", "comment", "assert", "pass"),
    "locals with any name that does not begin with `_outplay_`": ("odd name",),
    "lists created and used inside a rule": ("list",),
}  # fmt: skip
EXTRA = ("weights", "chance", "failing", "unset")  # constructs beyond the list

WORDS = (
    0,
    1,
    -1,
    1 << 62,
    -(1 << 63),
    0x00FF00FF00FF00FF,
    -0x123456789ABCDEF,
    0x8000000000000001 - (1 << 64),
)
NAMES = ("a", "b", "c", "i", "j", "k", "n", "x", "y", "total", "found")
ODD = (
    "out",
    "at",
    "end",
    "base",
    "state",
    "count",
    "step",
    "index",
    "each",
    "buffer",
    "item",
    "value",
    "_",
    "__",
    "l",
)
BUILTINS = ("abs", "any", "all", "sum", "min", "max", "len", "range", "int", "divmod", "pow", "round", "zip", "enumerate",
            "reversed", "list", "next", "bool")  # fmt: skip
BITS = ("popcount", "lsb", "msb", "nth", "shr", "bswap", "wrap", "put", "bits")
RULES = ("player", "actions", "result", "terminal", "utility", "evaluate", "probability")
TOLD = ("key", "forced", "drawn", "count", "plies_left", "repetition_key")  # of a state, an int
OF_ACTION = (
    "order",
    "exchange",
    "trait",
    "irreversible",
    "forces",
    "policy_index",
    "sample",
    "playout",
    "prior",
)
LISTED = ("noisy", "promising", "symmetries")


EXPECTED = "refused as it may be"


class Random(NamedTuple):
    """A random class: the texts of its two modules, and what it holds."""

    seed: int
    game: str
    beside: str
    constructs: frozenset[str]
    rules: tuple[str, ...]  # those that are random; the others are as short as a rule can be

    @property
    def may_fail(self) -> bool:
        """Whether some rule may raise."""
        return "failing" in self.constructs

    def shown(self) -> str:
        return f"# beside_{self.seed}.py\n{self.beside}\n# game_{self.seed}.py\n{self.game}"

    def may_be_refused(self, why: str) -> bool:
        """Whether the compiler may say at once what would be an error, or a wrong number, in play."""
        if self.constructs & {"unset", "odd name"} and "unset" in why:  # `range = 1` after `range(3)`
            return True
        if "bit 63" in self.constructs and "exceed a signed 64-bit int" in why:
            return True
        return "more than 64 bits" in why or "failing" in self.constructs and "out of range" in why


class Callee(NamedTuple):
    """A function that others may call: how it is written there, and what it takes and gives."""

    text: str  # "helper1", "self.method1"
    names: tuple[str, ...]  # of its parameters
    defaults: int  # parameters that may be left out
    kind: str  # "int", "bool", "word", "generator"
    steps: int
    construct: str


class Int(NamedTuple):
    """An expression, and a bound of its absolute value."""

    text: str
    bound: int


def write(seed: int) -> Random:
    """The random class of a seed."""
    return Writer(seed).write()


class Writer:
    """One class: its constants and tables, its helpers, its rules, each of which calls only earlier ones."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.dice = random.Random(seed)
        self.used: set[str] = set()
        self.callees: list[Callee] = []
        self.chance = self.dice.random() < 0.1
        self.float_scores = self.chance or self.dice.random() < 0.05
        self.weights = self.dice.random() < 0.1
        self.failing = self.dice.random() < 0.25  # whether rules may raise
        self.used |= {"failing"} if self.failing else set()
        self.unset = self.dice.random() < 0.03
        self.rules = self.random_rules()
        self.fields = ["left", "mover", *self.dice.sample(["height", "n", "value"], self.dice.randrange(3))]
        self.marks = self.dice.randint(2, 5)
        self.tables = {"T": self.table(6), "LONG": self.table(15), "HUGE": self.table(70)}
        self.square = tuple(self.table(4) for _ in range(3))
        self.wide = tuple(self.table(9) for _ in range(8))

    def random_rules(self) -> tuple[str, ...]:
        """One or two rules, since each takes long to compile; now and then all that there are."""
        scored = ["utility", "evaluate", *["probability"] * self.chance]
        told = [*self.dice.sample(TOLD, 1), *self.dice.sample(OF_ACTION, 1), *self.dice.sample(LISTED, 1)]
        if self.dice.random() < WHOLE:
            return ("actions", "result", *scored, *told)
        choices = ["actions", "actions", "result", "result", *scored, *scored, *told]
        first = "evaluate" if self.weights else self.dice.choice(choices)
        second = [self.dice.choice(choices)] if self.dice.random() < 0.3 else []
        return tuple(dict.fromkeys([first, *second]))

    def table(self, length: int) -> tuple[int, ...]:
        return tuple(self.dice.randint(-9, 9) for _ in range(length))

    def write(self) -> Random:
        beside = self.write_beside()
        game = self.write_game()
        return Random(self.seed, game, beside, frozenset(self.used), self.rules)

    # --- the two modules --------------------------------------------------------------------------------

    def write_beside(self) -> str:
        head = """\
            from math import ceil as rnd
            from math import floor

            STEP = {step}
            NEAR = {near}

            def beside1(x, y=STEP):
                return x - y * {factor}
            """
        numbers = {name: self.dice.randint(-9, 9) for name in ("step", "factor")}
        text = textwrap.dedent(head).format(near=self.table(12), **numbers)
        self.callees.append(Callee("beside.beside1", ("x", "y"), 1, "int", 2, "helper beside"))
        rounded = "def rounded(x):\n    return rnd(x / 4) + NEAR[x % 12]\n"
        self.callees.append(Callee("rounded_beside", ("x",), 0, "int", 4, "alias"))
        return text + rounded

    def write_game(self) -> str:
        top = [self.head()]
        methods: list[str] = []
        for i in range(self.dice.choice([0, 1, 1])):
            top.append(self.helper(f"helper{i}"))
        if self.dice.random() < 0.3:
            top.append(self.recursive())
        if self.dice.random() < 0.25:
            top.append(self.generator("gen"))
        if self.dice.random() < 0.12:
            top.append(self.recursive_generator())
        if self.dice.random() < 0.4:
            methods.append(self.method("method1"))
        if self.dice.random() < 0.15:
            methods.append(self.generator("several", method=True))
        methods += self.written_rules()
        return (
            "\n".join(top) + "\n" + self.class_head() + "\n".join(textwrap.indent(m, "    ") for m in methods)
        )

    def head(self) -> str:
        text = f"""\
            import enum
            import math
            from functools import cache
            from math import floor as rnd
            from typing import NamedTuple

            import numpy as np

            import beside_{self.seed} as beside
            from beside_{self.seed} import rounded as rounded_beside
            from outplay import CHANCE, Weights, bits, bswap, lsb, msb, nth, popcount, put, shr, wrap

            STEP = {self.dice.randint(-9, 9)}
            ALL = 0xFFFFFFFFFFFFFFFF
            TOP = 1 << 63
            T = {self.tables["T"]}
            LONG = {list(self.tables["LONG"])}
            HUGE = {self.tables["HUGE"]}
            SQUARE = {self.square}
            WIDE = {self.wide}
            GRID = np.array({[list(row) for row in self.wide]})
            FLOATS = np.array({[x / 4 for x in self.tables["LONG"]]})


            class Piece(enum.IntEnum):
                NONE = 0
                PAWN = {self.dice.randint(1, 4)}
                KING = -{self.dice.randint(5, 9)}

            """
        return textwrap.dedent(text)

    def class_head(self) -> str:
        lines = ["class Game(NamedTuple):", '    """A random game."""']
        for field in self.fields:
            first = {"left": 5, "mover": 0}.get(field, self.dice.randint(-9, 9))
            lines.append(f"    {field}: int = {first}")
        lines.append(
            f"    marks: tuple[int, ...] = {tuple(self.dice.randint(-9, 9) for _ in range(self.marks))}"
        )
        lines.append(f"    board: int = {self.dice.choice(WORDS)}")
        lines.append(f"    FACTOR = {self.dice.randint(-9, 9)}\n    TABLE = {self.table(10)}")
        if self.weights:
            self.used.add("weights")
            lines.append("    weights = Weights(one=3, group=(1, -2, 5, 7))")
        if self.float_scores and not self.chance:
            lines.append("    scores = float")
        if "policy_index" in self.rules:
            lines.append(f"    policy_size = {LIMIT}")
        return "\n".join(lines) + "\n\n"

    # --- functions --------------------------------------------------------------------------------------

    def helper(self, name: str) -> str:
        kind = self.dice.choice(["int", "int", "int", "bool", "word"])
        parameters = tuple(self.dice.sample(["x", "y", "n", "a", "height", "T"], self.dice.randint(1, 3)))
        defaults = self.dice.randrange(len(parameters)) if self.dice.random() < 0.4 else 0
        body = Body(self, parameters, kind)
        text = body.function(name, parameters, defaults)
        if self.dice.random() < 0.15 and kind == "int":
            self.used.add("cache")
            text = "@cache\n" + text
        self.callees.append(Callee(name, parameters, defaults, kind, body.steps, "helper"))
        return text

    def recursive(self) -> str:
        body = Body(self, ("n", "x"), "int")
        body.fixed.add("n")
        stop = body.returned()
        inside = body.block(1, self.dice.randint(0, 2))
        body.steps *= 6
        again = f"deeper(n - 1, {body.argument()})"
        value = self.dice.choice([f"({again} + x) % 1001", f"-({again} // 2)", f"{again} ^ (x & 15)"])
        if self.dice.random() < 0.3:
            value = f"({again} - deeper(n - 2, x)) % 977"
            body.steps *= 4
        self.callees.append(Callee("deeper", ("n", "x"), 0, "int", body.steps, "recursion"))
        return f"def deeper(n, x):\n    if n <= 0:\n        return {stop}\n{inside}    return {value}\n"

    def generator(self, name: str, method: bool = False) -> str:
        parameters = tuple(self.dice.sample(["x", "n", "a"], self.dice.randint(0 if method else 1, 2)))
        body = Body(self, parameters, "generator", self_name="self" if method else "")
        text = body.function(name, (("self",) if method else ()) + parameters, 0)
        construct = "generator method" if method else "loop over generator"
        called = f"self.{name}" if method else name
        self.callees.append(Callee(called, parameters, 0, "generator", body.steps + body.yields, construct))
        return text

    def recursive_generator(self) -> str:
        body = Body(self, ("n", "x"), "generator")
        body.failing = False
        value = body.reduced(body.integer(2), LIMIT)
        self.callees.append(Callee("down", ("n", "x"), 0, "generator", 8 * body.steps, "recursive generator"))
        step = self.dice.choice(["x", "x + 1", "-x"])
        first, second = f"        yield {value}\n", f"        yield from down(n - 1, {step})\n"
        if self.dice.random() < 0.5:
            first, second = second, first
        return f"def down(n, x):\n    if n > 0:\n{first}{second}"

    def method(self, name: str) -> str:
        style = self.dice.choice(["method", "method", "staticmethod", "property"])
        parameters = (
            () if style == "property" else tuple(self.dice.sample(["x", "y"], self.dice.randint(0, 2)))
        )
        if style == "staticmethod" and not parameters:
            parameters = ("x",)
        body = Body(self, parameters, "int", self_name="" if style == "staticmethod" else "self")
        first = () if style == "staticmethod" else ("self",)
        text = body.function(name, first + parameters, 0)
        self.callees.append(Callee(f"self.{name}", parameters, 0, "int", body.steps, style))
        return text if style == "method" else f"@{style}\n{text}"

    def written_rules(self) -> Iterator[str]:
        yield self.player()
        yield (
            self.actions()
            if "actions" in self.rules
            else "def actions(self):\n    return [0, 1, self.left]\n"
        )
        short = "def result(self, a):\n    return self._replace(left=self.left - 1, mover=1 - self.mover, board=a)\n"
        yield self.result() if "result" in self.rules else short
        if self.dice.random() < 0.8:
            yield (
                "def terminal(self):\n    return self.left <= 0"
                + self.dice.choice(["", " or self.left > 1000"])
                + "\n"
            )
        scores = "float" if self.float_scores else "int"
        yield (
            self.rule("utility", scores)
            if "utility" in self.rules
            else "def utility(self):\n    return self.mover\n"
        )
        if "evaluate" in self.rules:
            yield self.evaluate()
        if self.chance:
            self.used.add("chance")
            short = "def probability(self, x):\n    return 0.5\n"
            yield self.rule("probability", "float", "x") if "probability" in self.rules else short
        for told in self.rules:
            if told in TOLD:
                yield self.rule(told, "int")
            elif told in OF_ACTION:
                yield self.rule(told, "int", "a")
            elif told in LISTED:
                body = Body(self, (), "generator", self_name="self", knows_rules=True)
                yield body.function(told, ("self",), 0)

    def player(self) -> str:
        if self.chance:
            return "def player(self):\n    return CHANCE if self.left % 3 == 2 else self.mover\n"
        return "def player(self):\n    return self.mover\n"

    def actions(self) -> str:
        style = self.dice.choice(["generator", "generator", "returned actions", "appended actions"])
        if style == "generator":
            return Body(self, (), "generator", self_name="self").function("actions", ("self",), 0)
        self.used.add(style)
        body = Body(self, (), "list", self_name="self")
        body.names = [name for name in body.names if name != "self"]
        return body.function("actions", ("self",), 0, appended=style == "appended actions")

    def result(self) -> str:
        body = Body(self, ("a",), "state", self_name="self")
        return body.function("result", ("self", "a"), 0)

    def rule(self, name: str, kind: str, *parameters: str) -> str:
        body = Body(self, parameters, kind, self_name="self", knows_rules=True)
        return body.function(name, ("self", *parameters), 0)

    def evaluate(self) -> str:
        kind = "float" if self.float_scores else "int"
        body = Body(self, (), kind, self_name="self", knows_rules=True, weighs=self.weights)
        text = body.function("evaluate", ("self",), 0)
        return text.replace("(self)", "(self, weights=weights)", 1) if self.weights else text


class Body:
    """One function: statements, and expressions over the locals that are set where they stand."""

    def __init__(
        self,
        writer: Writer,
        parameters: tuple[str, ...],
        kind: str,
        self_name: str = "",
        knows_rules: bool = False,
        weighs: bool = False,
    ) -> None:
        self.writer = writer
        self.dice = dice = writer.dice
        self.kind = kind
        self.self_name = self_name
        self.knows_rules = knows_rules
        self.weighs = weighs
        self.scope = dict.fromkeys(parameters, "int")  # locals that are set here, and their kinds
        self.kinds = dict(self.scope)  # the kind of each local, the same in the whole function
        # a generator is run to its end before a loop over it begins: it had better not raise after a break
        self.failing = writer.failing and kind != "generator"
        self.fixed: set[str] = set()  # locals that must not change here: what lets a loop end
        self.loops = 1  # times that this statement may run
        self.loop_depth = 0
        self.steps = 0
        self.yields = 0
        self.depth = 0  # of comprehensions
        self.names = dice.sample(NAMES, 5) + dice.sample(ODD, 2)
        self.callees = list(writer.callees)
        if dice.random() < 0.15:  # a local called like a builtin, a function, a constant or a field
            others = [c.text for c in self.callees if c.text.isidentifier()]
            self.names += dice.sample([*BUILTINS, *BITS, *others, "T", "STEP", "math", "left", "Piece"], 2)
            writer.used.add("odd name")
        self.locals = {*self.names, *parameters}

    # --- small things -----------------------------------------------------------------------------------

    def use(self, construct: str) -> None:
        self.writer.used.add(construct)

    def chosen(self, *choices: Any) -> Any:
        return self.dice.choice(choices)

    def knows(self, *names: str) -> bool:
        """Whether no local shadows these names here."""
        return not self.locals.intersection(names)

    def of_kind(self, kind: str) -> list[str]:
        return [name for name, held in self.scope.items() if held == kind]

    def target(self, kind: str) -> str | None:
        """A local to assign a value of that kind to."""
        fitting = [n for n in self.names if self.kinds.get(n, kind) == kind and n not in self.fixed]
        return self.dice.choice(fitting) if fitting else None

    def set(self, name: str, kind: str) -> None:
        self.kinds[name] = self.scope[name] = kind

    @contextmanager
    def looping(self, times: int) -> Iterator[None]:
        """Statements that run `times` times; what they set may be unset afterwards."""
        before, loops = dict(self.scope), self.loops
        self.loops *= max(times, 1)
        self.loop_depth += 1
        yield
        self.loop_depth -= 1
        self.loops = loops
        self.scope = before

    # --- the function -----------------------------------------------------------------------------------

    def function(self, name: str, parameters: tuple[str, ...], defaults: int, appended: bool = False) -> str:
        shown = list(parameters)
        for i in range(len(shown) - defaults, len(shown)):
            shown[i] += f"={self.chosen('3', '-2', 'STEP', 'True')}"
            self.use("default argument")
        if shown and self.dice.random() < 0.1 and "=" not in shown[-1] and shown[-1] != "self":
            shown[-1] += ": int"
            self.use("hint")
        text = f"def {name}({', '.join(shown)}):\n"
        if self.dice.random() < 0.1:
            text += '    """What it does."""\n'
            self.use("docstring")
        body = "" if not appended else self.appended_actions()
        if not appended:
            body = self.block(1, self.dice.choice([0, 1, 1, 2]))
            if self.kind == "generator":
                if "yield " not in body:
                    body += f"    yield {self.action()}\n"
            else:
                body += f"    return {self.returned()}\n"
        return text + body

    def appended_actions(self) -> str:
        made = next(n for n in self.names if n not in BUILTINS and n not in BITS)
        self.names.remove(made)
        body = f"    {made} = []\n"
        times = self.dice.randint(1, 5)
        name = self.target("int") or "q"
        body += f"    for {name} in range({times}):\n"
        with self.looping(times):
            self.set(name, "int")
            body += f"        if self.left > 2 or {self.boolean(2)}: {made}.append({self.action()})\n"
            body += self.block(2, self.dice.randint(0, 2))
        return body + f"    return {made}\n"

    def returned(self) -> str:
        """What the function returns, by its kind."""
        match self.kind:
            case "int":
                return self.reduced(self.integer(3), LIMIT)
            case "bool":
                return self.boolean(2)
            case "word":
                return self.word(2)
            case "float":
                return self.real(2)
            case "list":
                return self.returned_actions()
            case "state":
                return self.state()
        raise AssertionError(self.kind)

    def returned_actions(self) -> str:
        kind = self.chosen("written", "conditional", "range", "comprehension", "comprehension")
        if kind == "comprehension":
            return self.comprehension("[{}]", 1)
        if kind == "range" and self.knows("range", "list"):
            return self.chosen(f"range({self.dice.randint(1, 5)})", "list(range(1, 4))")
        several = ", ".join(self.action() for _ in range(self.dice.randint(1, 3)))
        if kind == "conditional":
            return f"[{several}] if {self.boolean(2)} else ({several},)"
        return self.chosen(f"[{several}]", f"({several},)")

    def action(self) -> str:
        return self.reduced(self.integer(2), LIMIT)

    def state(self) -> str:
        """A new state, by each of the ways to build one. `left` always falls, so every game ends."""
        left = f"self.left - 1 - {self.small(2)}"
        mover = self.chosen("1 - self.mover", "self.mover == 0", "not self.mover", f"{self.boolean(2)}")
        if "not" in mover or "==" in mover:
            self.use("bool as int")
        values = {"left": left, "mover": mover}
        for field in self.writer.fields[2:]:
            values[field] = self.reduced(self.integer(2), FIELD)
        values["marks"] = self.marks()
        values["board"] = self.loose(2)
        style = self.chosen("Game", "keywords", "type(self)", "_replace")
        if style == "Game" or style == "type(self)" and not self.knows("type"):
            return f"Game({', '.join(values.values())})"
        self.use(style)
        if style == "type(self)":
            first, second, *rest = values
            given = f"{values[first]}, {values[second]}, " + ", ".join(f"{f}={values[f]}" for f in rest)
            return f"{self.chosen('type(self)', 'self.__class__')}({given})"
        kept = [f for f in values if f in ("left", "mover") or self.dice.random() < 0.7]
        self.dice.shuffle(kept)
        given = ", ".join(f"{f}={values[f]}" for f in kept)
        return f"Game({given})" if style == "keywords" else f"self._replace({given})"

    def marks(self) -> str:
        size = self.writer.marks
        kind = self.chosen("kept", "put", "put", "written")
        if kind == "written":
            return f"({', '.join(self.reduced(self.integer(1), FIELD) for _ in range(size))},)"
        if kind == "kept" or not self.knows("put"):
            return "self.marks"
        self.use("put")
        return f"put(self.marks, {self.small(size)}, {self.reduced(self.integer(2), FIELD)})"

    # --- statements -------------------------------------------------------------------------------------

    def block(self, level: int, count: int) -> str:
        """Statements; nothing follows one that leaves the block."""
        text = ""
        for _ in range(count):
            if self.steps > STEPS:
                break
            made, leaves = self.statement(level)
            text += made
            if leaves:
                break
        return text

    def statement(self, level: int) -> tuple[str, bool]:
        pad = "    " * level
        kinds: list[Callable[[str, int], str]] = [
            self.assignment, self.assignment, self.assignment, self.augmented, self.unpacking, self.remark,
        ]  # fmt: skip
        if level < 4:
            kinds += [
                self.branch,
                self.branch,
                self.branch,
                self.for_loop,
                self.for_loop,
                self.while_loop,
                self.matched,
            ]
        if self.kind == "generator":
            kinds += [lambda pad, level: self.yielded(pad)] * 3
        if self.writer.unset and level < 3:
            kinds.append(self.maybe_unset)
        leaving = self.dice.random()
        if level > 1 and leaving < 0.12:
            if self.loop_depth and leaving < 0.08:
                word = self.chosen("break", "continue")
                self.use(word)
                return f"{pad}{word}\n", True
            if self.kind == "generator":
                return f"{pad}return\n", True
            return f"{pad}return {self.returned()}\n", True
        return self.dice.choice(kinds)(pad, level), False

    def body(self, level: int, most: int = 2) -> str:
        """The statements under a colon."""
        return self.block(level + 1, self.dice.randint(1, most)) or "    " * (level + 1) + "pass\n"

    def assignment(self, pad: str, level: int) -> str:
        kind = self.chosen("int", "int", "int", "bool", "float", "word", "tuple", "list", "loose")
        name = self.target(kind)
        if name is None:
            return self.remark(pad, level)
        value = self.value(kind)
        hint = ""
        if kind == "int" and self.dice.random() < 0.05:
            hint = ": int"
            self.use("hint")
        if kind == "int" and self.dice.random() < 0.1:
            other = self.target("int")
            if other is not None:
                self.use("several targets")
                self.set(other, kind)
                self.set(name, kind)
                return f"{pad}{name} = {other} = {value}\n"
        self.set(name, kind)
        return f"{pad}{name}{hint} = {value}\n"

    def value(self, kind: str) -> str:
        match kind:
            case "int":
                return self.reduced(self.integer(2), LIMIT)
            case "bool":
                return self.boolean(2)
            case "float":
                return self.real(2)
            case "word":
                return self.word(2)
            case "loose":
                return self.loose(2)
            case "tuple":
                return self.triple()
            case "list":
                return self.listing()
        raise AssertionError(kind)

    def triple(self) -> str:
        """A tuple of three ints: the kind "tuple" of locals."""
        names = self.of_kind("tuple")
        written = f"({', '.join(self.reduced(self.integer(1), LIMIT) for _ in range(3))})"
        if names and self.knows("put") and self.dice.random() < 0.6:
            self.use("put")
            return f"put({self.dice.choice(names)}, {self.small(3)}, {self.reduced(self.integer(1), LIMIT)})"
        if self.self_name and self.writer.marks > 3 and self.dice.random() < 0.3:
            self.use("slice")
            return self.chosen("self.marks[:3]", "self.marks[1:4]")
        return written

    def listing(self) -> str:
        """A list of ints, never empty."""
        self.use("list")
        if self.dice.random() < 0.4:
            return self.comprehension("[{}]", 2, filtered=False)
        return f"[{', '.join(self.reduced(self.integer(1), LIMIT) for _ in range(self.dice.randint(1, 3)))}]"

    def augmented(self, pad: str, level: int) -> str:
        fitting = [n for n in self.of_kind("int") if n in self.names and n not in self.fixed]
        lists = [n for n in self.of_kind("list") if n in self.names and n not in self.fixed]
        if lists and self.loops < 20 and self.dice.random() < 0.3:
            return f"{pad}{self.dice.choice(lists)}.append({self.action()})\n"
        if not fitting:
            return self.assignment(pad, level)
        self.use("augmented")
        name = self.dice.choice(fitting)
        operator = self.chosen("+=", "-=", "*=", "//=", "%=", "&=", "|=", "^=", "<<=", ">>=")
        if operator in ("//=", "%="):
            return f"{pad}{name} {operator} {self.divisor()}\n"
        if operator == ">>=":
            return f"{pad}{name} >>= {self.small(6)}\n"
        if operator == "<<=":
            return f"{pad}{name} <<= {self.small(6)}\n{pad}{name} %= 9973\n"
        value = self.reduced(self.integer(2), LIMIT)
        after = self.chosen(
            f"{name} %= 9973", f"{name} = {name} & 65535", f"{name} //= 2000003", f"{name} %= -77"
        )
        return f"{pad}{name} {operator} {value}\n{pad}{after}\n"

    def unpacking(self, pad: str, level: int) -> str:
        first, second = self.target("int"), self.target("int")
        if first is None or second is None or first == second:
            return self.assignment(pad, level)
        self.use("unpacking")
        values = [f"{self.action()}, {self.action()}"]
        if self.knows("divmod"):
            values.append(f"divmod({self.action()}, {self.divisor()})")
        if first in self.scope and second in self.scope:
            values.append(f"{second}, {first}")
        self.set(first, "int")
        self.set(second, "int")
        value = self.dice.choice(values)
        return f"{pad}{self.chosen(f'{first}, {second}', f'({first}, {second})')} = {value}\n"

    def remark(self, pad: str, level: int) -> str:
        kind = self.chosen("comment", "pass", "assert", "assert")
        self.use(kind)
        if kind == "assert":
            true = f"{self.integer(1).text} > {-PRODUCT}"
            test = self.boolean(2) if self.failing and self.dice.random() < 0.1 else true
            return f"{pad}assert {test}" + self.chosen("", ', "never"') + "\n"
        return f"{pad}pass\n" if kind == "pass" else f"{pad}pass  # a remark\n"

    def branch(self, pad: str, level: int) -> str:
        """if, elif, else; afterwards those locals are set that every branch sets."""
        self.use("if")
        before = dict(self.scope)
        text = f"{pad}if {self.boolean(2)}:\n{self.body(level)}"
        ends = [self.scope]
        for _ in range(self.dice.choice([0, 0, 1])):
            self.scope = dict(before)
            text += f"{pad}elif {self.boolean(2)}:\n{self.body(level)}"
            ends.append(self.scope)
        self.scope = dict(before)
        if self.dice.random() < 0.5:
            text += f"{pad}else:\n{self.body(level)}"
        ends.append(self.scope)
        self.scope = {n: k for n, k in ends[0].items() if all(n in end for end in ends)}
        return text

    def maybe_unset(self, pad: str, level: int) -> str:
        """A local that is set on some paths only, and read on all."""
        name = self.target("int")
        if name is None or name in self.scope:
            return self.assignment(pad, level)
        self.use("unset")
        text = f"{pad}if {self.boolean(2)}:\n{pad}    {name} = {self.action()}\n"
        self.set(name, "int")
        other = self.target("int") or name
        self.set(other, "int")
        return text + f"{pad}{other} = {name} % 100\n"

    def matched(self, pad: str, level: int) -> str:
        self.use("match")
        modulus = self.dice.randint(3, 6)
        text = f"{pad}match {self.chosen(f'{self.paren(self.integer(2))} % {modulus}', self.action())}:\n"
        before = dict(self.scope)
        values = self.dice.sample(range(-2, modulus), 3)
        cases = [f"{values[0]}", f"{values[1]} | {values[2]}", "_"][: self.dice.randint(1, 3)]
        ends = []
        for case in cases:
            self.scope = dict(before)
            text += f"{pad}    case {case}:\n{self.body(level + 1, 2)}"
            ends.append(self.scope)
        if cases[-1] != "_":
            ends.append(before)
        self.scope = {n: k for n, k in before.items() if all(n in end for end in ends)}
        return text

    def else_of_loop(self, pad: str, level: int) -> str:
        if self.dice.random() < 0.8:
            return ""
        self.use("loop else")
        before = dict(self.scope)
        text = f"{pad}else:\n{self.body(level, 2)}"
        self.scope = before
        return text

    def while_loop(self, pad: str, level: int) -> str:
        fuel = self.target("int")
        if fuel is None or self.loops * 5 > LOOPS:
            return self.assignment(pad, level)
        self.use("while")
        times = self.dice.randint(1, 5)
        self.set(fuel, "int")
        self.fixed.add(fuel)
        test = f"{fuel} > 0" if self.dice.random() < 0.4 else f"{fuel} > 0 and ({self.boolean(2)})"
        text = f"{pad}{fuel} = {times}\n{pad}while {test}:\n{pad}    {fuel} -= 1\n"
        with self.looping(times):
            text += self.body(level)
        text += self.else_of_loop(pad, level)
        self.fixed.discard(fuel)
        return text

    def for_loop(self, pad: str, level: int) -> str:
        source = self.iterable(2)
        if source is None or self.loops * source[2] > LOOPS:
            return self.assignment(pad, level)
        text, targets, times = source
        names: list[str] = []
        for _ in range(targets):
            name = self.target("int")
            if name is None or name in names:
                return self.assignment(pad, level)
            names.append(name)
        head = f"{pad}for {', '.join(names)} in {text}:\n"
        run_over = set(self.of_kind("list")) - self.fixed if not text.isidentifier() else {text}
        self.fixed |= run_over  # a list that grows while a loop runs over it would never end
        with self.looping(times):
            for name in names:
                self.set(name, "int")
            inside = self.body(level)
        self.fixed -= run_over
        for name in names:  # a loop over nothing leaves it unset
            self.kinds[name] = "int"
        return head + inside + self.else_of_loop(pad, level)

    def iterable(self, depth: int) -> tuple[str, int, int] | None:
        """What a loop or a comprehension runs over: its text, how many targets, how often at most."""
        choices: list[Callable[[], tuple[str, int, int] | None]] = [self.over_tuple, self.over_table]
        if self.knows("range"):
            choices += [self.over_range] * 3
        if self.knows("enumerate", "zip", "reversed", "range"):
            choices.append(self.over_pairs)
        if self.knows("bits"):
            choices.append(self.over_bits)
        if self.knows("Piece"):
            choices.append(self.over_enum)
        if any(c.kind == "generator" for c in self.callees):
            choices += [self.over_generator] * 2
        if self.knows_rules and self.self_name:
            choices.append(self.over_actions)
        return self.dice.choice(choices)()

    def over_range(self) -> tuple[str, int, int]:
        self.use("for range")
        most = self.dice.randint(1, 6)
        bound = self.chosen(str(most), f"{self.small(most + 1)}")
        return self.chosen(f"range({bound})", f"range(-1, {bound})", f"range({most}, -2, -2)"), 1, most + 2

    def over_tuple(self) -> tuple[str, int, int]:
        self.use("for tuple")
        choices = ["({})", "[{}]", *self.of_kind("tuple")]
        if self.loop_depth == 0:  # in a loop it might grow while it is run over
            choices += self.of_kind("list")
        if self.self_name:
            choices += ["self.marks", "self.marks[1:]"]
        chosen = self.dice.choice(choices)
        return chosen.format(f"{self.action()}, 7, -2") if "{" in chosen else chosen, 1, 6

    def over_table(self) -> tuple[str, int, int]:
        self.use("for table")
        names = ["T", "beside.NEAR", "SQUARE[1]", f"WIDE[{self.small(8)}]", "LONG"]
        if self.self_name:
            names += ["self.TABLE", "Game.TABLE"]
        text = self.dice.choice(
            [n for n in names if self.knows(n.partition(".")[0].partition("[")[0])] or ["Game.TABLE"]
        )
        return text, 1, 15

    def over_enum(self) -> tuple[str, int, int]:
        self.use("for enum")
        return "Piece", 1, 3

    def over_pairs(self) -> tuple[str, int, int]:
        kind = self.chosen("for enumerate", "for zip", "for reversed")
        self.use(kind)
        items, _, times = self.over_tuple()
        if kind == "for enumerate":
            return f"enumerate({items})", 2, times
        if kind == "for zip":
            return f"zip({items}, {self.over_table()[0]})", 2, times
        return (
            self.chosen(
                f"reversed(range({self.dice.randint(0, 5)}))", "reversed(range(2, 5))", f"reversed({items})"
            ),
            1,
            6,
        )

    def over_bits(self) -> tuple[str, int, int]:
        self.use("bits")
        return f"bits({self.loose(2)} & {self.chosen('0xF0F', '0x8000000000000003', 'TOP')})", 1, 8

    def over_generator(self) -> tuple[str, int, int] | None:
        call = self.generator_call()
        return None if call is None else (call, 1, YIELDS if self.loops == 1 else LOOPS + 1)

    def over_actions(self) -> tuple[str, int, int]:
        self.use("self.actions()")
        self.steps += self.loops * 200
        return "self.actions()", 1, 30

    def generator_call(self) -> str | None:
        found = [c for c in self.callees if c.kind == "generator" and self.callable(c)]
        if not found or self.loops > 10:
            return None
        callee = self.dice.choice(found)
        self.use(callee.construct)
        self.use("loop over generator")
        self.steps += self.loops * callee.steps
        arguments = [
            self.small(5) if callee.text == "down" and p == "n" else self.argument() for p in callee.names
        ]
        return f"{callee.text}({', '.join(arguments)})"

    def yielded(self, pad: str) -> str:
        if self.yields + self.loops > YIELDS:
            return f"{pad}pass\n"
        if self.dice.random() < 0.2:
            self.use("yield from")
            source = self.chosen("tuple", "comprehension", "generator")
            if source == "generator" and self.yields + self.loops * 30 < YIELDS:
                call = self.generator_call()
                if call is not None:
                    self.yields += self.loops * 30
                    return f"{pad}yield from {call}\n"
            self.yields += self.loops * 8
            if source == "tuple" or self.loops > 4:
                return f"{pad}yield from ({self.action()}, {self.action()})\n"
            return f"{pad}yield from {self.comprehension(self.chosen('({})', '[{}]'), 1)}\n"
        self.yields += self.loops
        if self.dice.random() < 0.5:
            self.use("if yield")
            return f"{pad}if {self.boolean(2)}: yield {self.action()}\n"
        self.use("yield")
        return f"{pad}yield {self.action()}\n"

    # --- comprehensions ---------------------------------------------------------------------------------

    def comprehension(self, form: str, depth: int, item: str = "int", filtered: bool = True) -> str:
        """`form` around `ITEM for NAME in SOURCE if TEST`; its variable may be called like a local."""
        source = self.iterable(1)
        if source is None or self.loops * source[2] > LOOPS or self.depth > 1 or source[1] > 1:
            source = (f"range({self.dice.randint(1, 4)})" if self.knows("range") else "(1, 2, 3)"), 1, 4
        text, _, times = source
        if form == "[{}]" and "reversed" in text:  # the page lists it for loops
            text = "(4, 0, 1)"
        if not filtered and not text.startswith(("range(1", "(", "self.TABLE", "T", "LONG")):
            text = "(2, -1, 5)"
        name = self.dice.choice(
            [n for n in (*self.names, "p", "q") if n not in BUILTINS and n not in self.fixed]
        )
        before, locals_before, loops = dict(self.scope), set(self.locals), self.loops
        self.scope[name] = "int"
        self.locals.add(name)
        self.loops *= times
        self.depth += 1
        second = ""
        if self.depth == 1 and self.dice.random() < 0.15 and filtered and self.loops < 20:
            other = self.dice.choice(["p", "q", *self.names[:3]])
            if self.knows("range"):
                self.scope.pop(other if other != name else "", None)  # the inner one, which is not set yet
                second = f" for {other} in range({self.small(4)})"
                self.scope[other] = "int"
                self.locals.add(other)
        made = self.boolean(depth) if item == "bool" else self.reduced(self.integer(depth), LIMIT)
        if self.dice.random() < 0.3 and filtered:
            second += f" if {self.boolean(depth)}"
        self.depth -= 1
        self.scope, self.locals, self.loops = before, locals_before, loops
        return form.format(f"{made} for {name} in {text}{second}")

    def consumed(self, depth: int) -> Int | None:
        """any, all, sum, min, max, len, next of something."""
        what = self.chosen("any", "all", "sum", "min", "max", "len", "next")
        if not self.knows(what, "list") or self.loops > 20:
            return None
        if self.depth:
            self.use("nested consumer")
        of_tuple = [*self.of_kind("tuple"), *self.of_kind("list")]
        if self.self_name:
            of_tuple.append("self.marks")
        if self.knows("Piece"):
            of_tuple.append("Piece")
        if of_tuple and what != "next" and self.dice.random() < 0.35:
            self.use("consumer of tuple")
            return Int(f"{what}({self.dice.choice(of_tuple)})", LIMIT * 20)
        self.use("consumer")
        call = self.generator_call() if self.dice.random() < 0.3 else None
        if what == "len":
            items = f"list({call})" if call else self.comprehension("[{}]", 1)
            return Int(f"len({items})", 1000)
        if what in ("any", "all"):
            return Int(f"{what}({call or self.comprehension('{}', depth, 'bool')})", 1)
        if what == "next":
            return Int(
                f"next({call or self.comprehension('({})', depth)}, {self.dice.randint(-5, 5)})", LIMIT
            )
        if what == "sum":
            start = self.chosen("", ", 50") if call else ""
            return Int(f"sum({call or self.comprehension('{}', depth)}{start})", LIMIT * 1000)
        inside = call or self.comprehension("({})", depth)
        default = "" if self.failing and self.dice.random() < 0.1 else f", default={self.dice.randint(-5, 5)}"
        return Int(f"{what}({inside}{default})", LIMIT)

    # --- calls ------------------------------------------------------------------------------------------

    def callable(self, callee: Callee) -> bool:
        owner = callee.text.partition(".")[0]
        if owner == "self" and not self.self_name:
            return False
        return self.knows(owner) and self.steps + self.loops * callee.steps < STEPS

    def argument(self) -> str:
        return self.reduced(self.integer(1), LIMIT)

    def called(self, kind: str) -> str | None:
        found = [c for c in self.callees if c.kind == kind and self.callable(c)]
        if not found:
            return None
        callee = self.dice.choice(found)
        self.use(callee.construct)
        self.use({"self": "method"}.get(callee.text.partition(".")[0], callee.construct))
        self.steps += self.loops * callee.steps
        if callee.construct == "property":
            return callee.text
        given = len(callee.names) - self.dice.randint(0, callee.defaults)
        arguments = [
            self.small(5) if callee.construct == "recursion" and p == "n" else self.argument()
            for p in callee.names
        ]
        shown = arguments[:given]
        if shown and self.dice.random() < 0.15:
            self.use("keyword")
            shown[-1] = f"{callee.names[given - 1]}={shown[-1]}"
        return f"{callee.text}({', '.join(shown)})"

    # --- ints -------------------------------------------------------------------------------------------

    def small(self, below: int) -> str:
        """An int from 0 to below - 1."""
        value = self.paren(self.integer(1))
        masks = [f"{value} % {below}"] + ([f"({value} & {below - 1})"] if below & (below - 1) == 0 else [])
        return f"({self.dice.choice(masks)})"

    def divisor(self) -> str:
        """Not 0, unless a rule may fail."""
        if self.failing and self.dice.random() < 0.15:
            return self.paren(self.integer(1))
        if self.knows("abs") and self.dice.random() < 0.4:
            return self.chosen(f"(abs({self.integer(1).text}) + 1)", f"-(1 + abs({self.integer(1).text}))")
        return str(self.chosen(1, 2, 3, 7, 10, 64, -1, -2, -3, -8))

    @staticmethod
    def paren(value: Int) -> str:
        return value.text if value.text.isidentifier() or value.text.isdigit() else f"({value.text})"

    def reduced(self, value: Int, limit: int) -> str:
        """The expression with an absolute value of at most `limit`."""
        if value.bound <= limit:
            return value.text
        most = self.dice.randint(2, limit)
        inside = self.paren(value)
        choices = [
            f"{inside} % {most}",
            f"{inside} % -{most}",
            f"{inside} & {(1 << most.bit_length() - 1) - 1}",
        ]
        if self.knows("max", "min"):
            choices.append(f"max(-{most}, min({most}, {value.text}))")
        if self.knows("abs"):
            choices.append(f"abs({value.text}) % {most}")
        if value.bound // limit < 1 << 40:
            choices.append(f"{inside} // {value.bound // limit + 1}")
        return self.dice.choice(choices)

    def integer(self, depth: int) -> Int:
        self.steps += self.loops
        if depth <= 0 or self.dice.random() < 0.35:
            return self.leaf()
        makers = (
            self.sum_of, self.sum_of, self.product, self.division, self.division, self.bitwise, self.shift,
            self.conditional, self.extreme, self.truth, self.of_word, self.of_float, self.table_entry,
            self.table_entry, self.tuple_entry, self.consumed, self.call, self.call, self.power,
            self.unary, self.unary, self.of_state, self.weighed, self.bit_method,
        )  # fmt: skip
        made = self.dice.choice(makers)(depth - 1)
        return made if made is not None and made.bound < PRODUCT else self.leaf()

    def leaf(self) -> Int:
        choices = [Int(str(self.dice.randint(-20, 20)), 20), Int(str(self.dice.randint(0, 5)), 5)]
        choices += [Int(name, LIMIT) for name in self.of_kind("int")] * 3
        if self.self_name:
            choices += [Int(f"self.{f}", FIELD) for f in self.writer.fields] * 2
            choices.append(Int(self.chosen("self.FACTOR", "Game.FACTOR"), 9))
        choices += [Int(name, 1) for name in self.of_kind("bool")]
        for name, bound in (("STEP", 9), ("Piece.KING", 9), ("Piece.PAWN", 9), ("beside.STEP", 9)):
            if self.knows(name.partition(".")[0]):
                choices.append(Int(name, bound))
        choice = self.dice.choice(choices)
        if choice.text in self.scope and self.scope[choice.text] == "bool":
            self.use("bool as int")
        for mark, construct in (("Piece", "enum"), ("STEP", "constant"), ("FACTOR", "class constant")):
            if mark in choice.text:
                self.use(construct)
        return choice

    def sum_of(self, depth: int) -> Int:
        a, b = self.integer(depth), self.integer(depth)
        return Int(f"{self.paren(a)} {self.chosen('+', '-')} {self.paren(b)}", a.bound + b.bound)

    def product(self, depth: int) -> Int:
        a, b = self.integer(depth), self.integer(depth)
        return Int(f"{self.paren(a)} * {self.paren(b)}", a.bound * b.bound)

    def division(self, depth: int) -> Int:
        self.use("division")
        a = self.integer(depth)
        operator = self.chosen("//", "%")
        # a remainder is smaller than its divisor, whose bound is that of any expression of one step
        bound = a.bound if operator == "//" else PRODUCT - 1
        divisor = self.divisor()
        if operator == "%" and divisor.lstrip("-").isdigit():
            bound = abs(int(divisor))
        elif self.knows("divmod") and self.dice.random() < 0.2:
            return Int(f"divmod({a.text}, {divisor})[0]", a.bound)
        return Int(f"{self.paren(a)} {operator} {divisor}", bound)

    def power(self, depth: int) -> Int:
        self.use("power")
        a, exponent = self.integer(depth), self.dice.randint(0, 3)
        if self.knows("pow") and self.dice.random() < 0.4:
            return Int(f"pow({a.text}, {exponent})", max(a.bound**exponent, 1))
        return Int(f"({a.text}) ** {exponent}", max(a.bound**exponent, 1))

    def unary(self, depth: int) -> Int:
        a = self.integer(depth)
        choices = [f"-{self.paren(a)}", f"~{self.paren(a)}", f"+{self.paren(a)}"]
        if self.knows("abs"):
            choices.append(f"abs({a.text})")
        if self.knows("int"):
            choices.append(f"int({a.text})")
        return Int(self.dice.choice(choices), a.bound + 1)

    def bitwise(self, depth: int) -> Int:
        a, b = self.integer(depth), self.integer(depth)
        bound = 1 << max(a.bound, b.bound).bit_length()
        return Int(f"{self.paren(a)} {self.chosen('&', '|', '^')} {self.paren(b)}", bound)

    def shift(self, depth: int) -> Int:
        a = self.integer(depth)
        if self.dice.random() < 0.5:
            return Int(f"{self.paren(a)} >> {self.small(8)}", a.bound + 1)
        return Int(f"{self.paren(a)} << {self.small(8)}", a.bound << 8)

    def conditional(self, depth: int) -> Int:
        self.use("conditional")
        a, b = self.integer(depth), self.integer(depth)
        if self.dice.random() < 0.25:
            self.use("and or not")
            return Int(f"({self.paren(a)} {self.chosen('and', 'or')} {self.paren(b)})", max(a.bound, b.bound))
        return Int(f"({a.text} if {self.boolean(depth)} else {b.text})", max(a.bound, b.bound))

    def extreme(self, depth: int) -> Int | None:
        if not self.knows("min", "max"):
            return None
        several = [self.integer(depth) for _ in range(self.dice.randint(2, 3))]
        return Int(
            f"{self.chosen('min', 'max')}({', '.join(v.text for v in several)})",
            max(v.bound for v in several),
        )

    def truth(self, depth: int) -> Int:
        self.use("bool as int")
        return Int(f"({self.boolean(depth)})", 1)

    def bit_method(self, depth: int) -> Int:
        self.use("bit_count")
        return Int(f"({self.integer(depth).text}).{self.chosen('bit_count', 'bit_length')}()", 64)

    def of_word(self, depth: int) -> Int | None:
        name = self.chosen("popcount", "lsb", "msb", "nth", "shr", "bits")
        if not self.knows(name, "popcount"):
            return None
        loose = self.loose(depth)
        if name == "bits":
            return Int(f"({self.word(depth)}) >> {self.dice.randint(44, 63)}", 1 << 20)
        self.use(name)
        match name:
            case "popcount":
                return Int(f"popcount({loose})", 64)
            case "lsb" | "msb":
                return Int(
                    f"{name}(({loose}) | {self.chosen('1', '64', 'TOP') if self.knows('TOP') else '1'})", 63
                )
            case "nth":
                return Int(f"nth(({loose}) | 0x81, {self.dice.randint(0, 1)})", 63)
        return Int(f"shr({loose}, {self.dice.randint(44, 63)})", 1 << 20)

    def of_float(self, depth: int) -> Int | None:
        name = self.chosen("int", "round", "math", "math", "rnd")
        if not self.knows(name, "math"):
            return None
        real = self.real(depth)
        self.use({"int": "float", "rnd": "alias"}.get(name, name))
        if name == "math":
            name = self.chosen("math.floor", "math.ceil", "math.trunc")
        return Int(f"{name}({real})", 10**9)

    def table_entry(self, depth: int) -> Int | None:
        failing = self.failing and self.dice.random() < 0.05
        entries = {"T": 6, "LONG": 15, "HUGE": 70, "beside.NEAR": 12, "Game.TABLE": 10}
        if self.self_name:
            entries["self.TABLE"] = 10
        name = self.dice.choice([*entries, "SQUARE", "WIDE", "GRID", "FLOATS"])
        if not self.knows(name.partition(".")[0], "int"):
            return None
        if name in ("SQUARE", "WIDE", "GRID"):
            self.use("numpy table" if name == "GRID" else "table of tables")
            rows, columns = (3, 4) if name == "SQUARE" else (8, 9)
            i, j = self.small(rows), self.chosen(self.small(columns), "-1", str(columns - 1))
            if failing:
                j = self.reduced(self.integer(1), FIELD)
            both = f"[{i}, {j}]" if name == "GRID" and self.dice.random() < 0.5 else f"[{i}][{j}]"
            return Int(f"int({name}{both})" if name == "GRID" else f"{name}{both}", 9)
        if name == "FLOATS":
            self.use("numpy table")
            return Int(f"int({name}[{self.small(15)}])", 9)
        if "TABLE" in name:
            self.use("class table")
        index = self.chosen(
            self.small(entries[name]), f"-1 - {self.small(entries[name])}", str(self.dice.randint(-6, 5))
        )
        if failing:
            index = self.reduced(self.integer(1), FIELD)
        if self.dice.random() < 0.1 and self.knows("len"):
            return Int(f"len({name})", 100)
        return Int(f"{name}[{index}]", 9)

    def tuple_entry(self, depth: int) -> Int | None:
        tuples = [(name, 3, LIMIT) for name in self.of_kind("tuple")]
        if self.self_name:
            tuples.append(("self.marks", self.writer.marks, FIELD))
        if not tuples:
            return None
        name, size, bound = self.dice.choice(tuples)
        if self.knows("sum", "len", "max") and self.dice.random() < 0.25:
            self.use("slice")
            part = self.chosen(f"[1:{size}]", "[:2]", "[-2:]", "[::-1]", "[:-1]")
            return Int(f"{self.chosen('sum', 'len', 'max')}({name}{part})", bound * size)
        self.use("tuple index")
        index = self.chosen(self.small(size), f"-1 - {self.small(size)}", "-1", "0", "1")
        if self.failing and self.dice.random() < 0.1:
            index = self.reduced(self.integer(1), FIELD)
        return Int(f"{name}[{index}]", bound)

    def call(self, depth: int) -> Int | None:
        text = self.called("int")
        if text is None:
            return None
        return Int(text, LIMIT * 20)

    def of_state(self, depth: int) -> Int | None:
        """Another state's field or rule."""
        if not (self.self_name and self.knows_rules) or self.steps + self.loops * 300 > STEPS:
            return None
        self.use("another state")
        self.steps += self.loops * 100
        child = f"self.result({self.argument()})"
        return self.chosen(
            Int(f"{child}.left", FIELD + LIMIT),
            Int(f"{child}.player()", 1),
            Int(f"{child}.marks[{self.small(self.writer.marks)}]", FIELD),
            Int(f"self._replace(left={self.small(9)}).left", 9),
        )

    def weighed(self, depth: int) -> Int | None:
        if not self.weighs or not self.knows("int"):
            return None
        weight = self.chosen("weights.one", f"weights.group[{self.small(4)}]", "weights.group[-1]")
        whole = f"int({weight})"  # where scores are floats, weights are, too
        return Int(self.chosen(whole, "len(weights.group)") if self.knows("len") else whole, 9)

    # --- bools, floats, words ---------------------------------------------------------------------------

    def boolean(self, depth: int) -> str:
        self.steps += self.loops
        if depth <= 0:
            return f"{self.paren(self.leaf())} {self.chosen('<', '>', '==', '!=', '<=', '>=')} {self.paren(self.leaf())}"
        kind = self.chosen(
            "compare", "compare", "compare", "chained", "and", "not", "in", "tuple", "leaf", "call", "truth"
        )
        operator = self.chosen("<", ">", "==", "!=", "<=", ">=")
        if kind in ("and", "not", "leaf", "call"):
            a = b = Int("0", 0)
        else:
            a, b = self.integer(depth - 1), self.integer(depth - 1)
        match kind:
            case "chained":
                self.use("chained")
                c = self.integer(depth - 1)
                other = self.chosen("<", "<=", "!=", "==")
                return f"{self.paren(a)} {operator} {self.paren(b)} {other} {self.paren(c)}"
            case "and":
                self.use("and or not")
                return f"({self.boolean(depth - 1)}) {self.chosen('and', 'or')} ({self.boolean(depth - 1)})"
            case "not":
                self.use("and or not")
                return f"not ({self.boolean(depth - 1)})"
            case "in":
                self.use("in")
                several = f"{self.paren(b)}, {self.dice.randint(-3, 9)}, {self.dice.randint(-3, 9)}"
                where = [f"({several})", f"[{several}]", *self.of_kind("tuple")]
                if self.self_name:
                    where.append("self.marks")
                return f"{self.paren(a)} {self.chosen('in', 'not in')} {self.dice.choice(where)}"
            case "tuple":
                names = self.of_kind("tuple")
                if names:
                    self.use("tuple comparison")
                    written = f"({a.text}, {b.text}, 0)"
                    return f"{self.dice.choice(names)} {operator} {self.chosen(written, *names)}"
            case "leaf":
                return self.dice.choice(self.of_kind("bool") or [f"{self.paren(self.leaf())} > 2"])
            case "call":
                return self.called("bool") or self.boolean(depth - 1)
            case "truth":
                if self.knows("bool"):
                    return f"bool({a.text})"
        return f"{self.paren(a)} {operator} {self.paren(b)}"

    def real(self, depth: int) -> str:
        """A float of at most some thousands."""
        self.steps += self.loops
        if depth <= 0:
            names = self.of_kind("float")
            literal = self.chosen("0.5", "-1.25", "3.0", "2.75")
            return self.dice.choice([*names, literal]) if names else literal
        form = self.chosen("({}) / 8", "({}) * 0.5", "({}) / 3", "({}) / -7", "math.sqrt(({}) % 1000)", "math.fabs(({}) / 4)",
                           "math.fmod(({}) / 4, -0.7)", "FLOATS[({}) % 15]", "(abs({}) + 1) ** -2 * 8")  # fmt: skip
        if not self.knows("math", "FLOATS", "abs"):
            form = "({}) / 8"
        if "math" in form:
            self.use("math")
        inner = form.format(self.reduced(self.integer(depth - 1), 1000))
        if depth > 1 and self.dice.random() < 0.4:
            return f"({inner} {self.chosen('+', '-')} {self.real(0)}) / 2"
        if self.dice.random() < 0.1:
            return f"({inner} if {self.boolean(depth - 1)} else {self.real(0)})"
        return inner

    def word(self, depth: int) -> str:
        """A 64-bit word, the same number in Python and in native code."""
        self.steps += self.loops
        leaves = [*self.of_kind("word"), str(self.chosen(*WORDS))] + ["self.board"] * bool(self.self_name)
        if depth <= 0:
            return f"({self.dice.choice(leaves)})"
        kind = self.chosen("bitwise", "invert", "shift", "conditional", "wrap", "shr", "bswap", "call")
        if kind == "call":
            return self.called("word") or self.word(depth - 1)
        if kind in ("wrap", "shr", "bswap"):
            if not self.knows(kind):
                return self.word(depth - 1)
            self.use(kind)
            return f"{kind}({self.loose(depth - 1)}" + (f", {self.small(64)})" if kind == "shr" else ")")
        a = self.word(depth - 1)
        match kind:
            case "bitwise":
                return f"({a} {self.chosen('&', '|', '^')} {self.word(depth - 1)})"
            case "invert":
                return f"(~{a})"
            case "shift":
                return f"({a} >> {self.small(64)})"
        return f"({a} if {self.boolean(depth - 1)} else {self.word(depth - 1)})"

    def loose(self, depth: int) -> str:
        """A word whose low 64 bits alone are promised: for a field, or a function on words."""
        self.steps += self.loops
        leaves = [*self.of_kind("loose"), "0xFFFFFFFFFFFFFFFF", "0x8000000000000000", "(1 << 63)"]
        leaves += [name for name in ("ALL", "TOP") if self.knows(name)]
        if depth <= 0 or self.dice.random() < 0.2:
            leaf = self.dice.choice(leaves)
            if leaf not in self.scope:
                self.use("bit 63")
            return leaf
        a = self.word(depth - 1)
        kind = self.chosen("operation", "operation", "shift", "negative", "conditional", "word")
        if kind in ("operation", "conditional"):
            b = self.dice.choice(leaves) if self.dice.random() < 0.4 else self.word(depth - 1)
            if kind == "conditional":
                return f"({a} if {self.boolean(depth - 1)} else {b})"
            return f"({a} {self.chosen('&', '|', '^', '+', '-', '*')} {b})"
        return {"shift": f"({a} << {self.small(64)})", "negative": f"-{a}", "word": a}[kind]
