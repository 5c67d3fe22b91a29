"""Random game classes in the Python that people write: large and nested tuples, strings, None, lists, dicts, sets,
enums, lambdas, `key=`, itertools, tuples as actions, dataclasses, mixins, objects.

`write(seed)` gives the source; `LINES` says what shows each line of docs/python.md there. The classes are well typed and come to an end by construction, and no number grows
beyond some thousands. What may raise is guarded, as people guard it: by a test, a default, or `try`.
"""

import random
import re
import textwrap
from collections.abc import Callable
from typing import Any

from bench.natural_idioms import BESIDE, EXPRESSIONS, MIXIN, MODULE, OF_ACTIONS, STATEMENTS
from bench.random_class import Random

DEPTH = 3  # of expressions
PLIES = 5  # of a game
WAYS = {
    "int": "number",
    "str": "text",
    "bool": "test",
    "set": "group",
    "dict": "mapping",
}  # what writes a kind

FORMS = ("int", "int", "pair", "text", "maybe", "mark", "step", "squares")  # of actions
STYLES = ("tuple",) * 5 + ("dataclass", "mixin", "object")
GAMES = ("two",) * 9 + ("one", "three", "chance")
MOVES = {  # an action of each form
    "int": "1", "pair": "(0, 1)", "text": "'c'", "maybe": "None", "mark": "Mark.ONE", "step": "Step.UP",
    "squares": "((0, 0), (1, 0))",
}  # fmt: skip
RULES = "# the game\n\n"  # what follows is the class
LINES = {  # of docs/python.md, "What compiles": what shows each of them in a class
    "tuples of up to 512 small ints": ("% 512", "self.board"),
    "tuples of tuples: rows, grids, pairs": ("self.rows[", "self.pairs"),
    "boards as strings, and rows of strings": ("self.grid[", "self.lines["),
    "tuples that grow and shrink": ("self.hand", "self.pairs + (("),
    "`int | None`, `Optional`, bools, enums": ("int | None", "Optional[int]", "flag: bool", "self.mark.value", "Mark['", "Light("),
    "frozen dataclasses, and NamedTuples inside a state": ("@dataclass(frozen=True)", "self.spot.x"),
    "mixins, properties, class methods and static methods": (
        "class Game(Mixin, Fields)", "self.total", "self.shifted(", "self.halved(",
    ),
    "classes whose `__init__` sets all fields, also to lists": ("def __init__(", "self.stack ="),
    "objects that a rule copies, and changes until it returns them": ("= copy.deepcopy(self)", "new.stack["),
    "slices with variables, `+`, `*`, `in`, `count`, `index`, comparison of tuples": (
        "self.board[:k] + (", ",) * ", " in self.board", "self.board.count(", "self.board.index(", "self.board < ",
    ),
    "`b = list(t); b[i] = v; tuple(b)`, and rows the same way": (" = list(self.board)", "[list(row) for row in self.rows]"),
    "`tuple(... for ...)`, `[... for ...]`, `*` unpacking": ("tuple(v for ", "return [i for ", ", *found", "(*self."),
    "lists: `append`, `pop`, `insert`, `extend`, `remove`, `sort`, `reverse`, `del`, slices": (
        ".append(", ".pop()", ".pop(0)", ".insert(", ".extend(", ".remove(", ".sort(", ".reverse()", "del found", "[:1] = [",
    ),
    "dicts and sets as constants and as locals, comprehensions of them, `get`, `items`": (
        "VALUES[", "in ODD", " = {}", " = set()", "{i: v for ", "{v % 3 for ", ".get(", ".items()", "{**", "} | {", " |= {",
    ),
    "sets, and dicts made of them, where no order matters": ("set().union(", "dict({", "itertools.combinations(ODD"),
    "`defaultdict`, `Counter`, `deque`": ("defaultdict(int)", "defaultdict(list)", "Counter(", "deque("),
    "ragged tables, and tables of strings": ("RAGGED[", "MAP["),
    "strings by index and slice, `join`, `replace`, `split`, `count`, `find`, `upper`": (
        "'abcd'[", "self.word[::-1]", ".join(", ".replace(", ".split(", ".count(", ".find(", ".upper()",
    ),
    "lambdas, functions inside functions, `nonlocal`": ("lambda", "        def ", "nonlocal "),
    "recursive functions, also mutually recursive ones": ("deep", "reach", "even("),
    "methods as values, `partial`, `itemgetter`, dicts of functions": (
        "key=self.weighed", "partial(", "itemgetter(", "OPERATIONS[",
    ),
    "constant objects of your classes, and of `SimpleNamespace`": ("CONFIG.", "WEIGHER."),
    "`key=`, `default=`, `map`, `filter`, `reduce`, `zip(*rows)`, `enumerate`, `reversed`": (
        "key=", "default=", "map(", "filter(", "reduce(", "zip(*self.rows)", "enumerate(", "reversed(",
    ),
    "`itertools`: `product`, `combinations`, `chain`, `accumulate`": (
        "itertools.product(", "itertools.combinations(", "itertools.chain(", "itertools.accumulate(",
    ),
    "`count`, `cycle`, `zip_longest`, `groupby`, `bisect`, `heapq`": (
        "itertools.count(", "itertools.cycle(", "zip_longest(", "groupby(", "bisect.", "heapq.",
    ),
    '`math`, floats in intermediate values, `float("inf")`': ("math.sqrt(", "math.floor(", " / 4)", "float('inf')"),
    "`functools.cache` and `lru_cache`": ("steps(", "paths("),
    "`match` on tuples with guards, `:=`, `while`/`else`, `for`/`else`": (
        "match (", "case (j, k) if j > k:", ":= ", "while ", "        else:",
    ),
    "`try`, `except`, `else`, `finally`, `raise`": ("try:", "except KeyError:", "finally:", "raise ValueError"),
    "`None` as the start of a running best": (" is None or v > best",),
    "`not self.actions()`, `len(self.actions())`, `move in self.actions()`": (
        "not self.actions()", "len(self.actions())", " in self.actions()",
    ),
    "helpers from other files, default arguments, keywords, `*` arguments": ("far(", "beside.far(", ", b=", "total(*"),
    "chance, one player, three and more": ("return CHANCE if ", "players = 1", "players = 3"),
    "ints, including negative and large ones": ("-(10**6)", "10**9"),
    "tuples: (row, column), pairs of squares": ("r, c = a", "(r, c), (y, x) = a"),
    'strings: "left", "a1"': ("'left', 'right'",),
    "members of an enum": ("Mark.TWO", "list(Step)"),
    "`None` for a pass": ("return [None] + [",),
}  # fmt: skip

HEAD = """\
import bisect
import copy
import heapq
import itertools
import math
import operator
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, replace
from enum import Enum, Flag, IntEnum, IntFlag
from functools import cache, lru_cache, partial, reduce
from types import SimpleNamespace
from typing import NamedTuple, Optional

from outplay import CHANCE

import {beside} as beside
from {beside} import far, total

TABLE = {table}
RAGGED = ((1, 2), (), (0, 3, 4), (2,))
VALUES = {values}
WORTH = {{"a": 3, "b": -1, "c": 4, "d": 0}}
STEPS = {{"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}}
NAMES = ["abc", "b", "", "cad"]
ODD = {{1, 3, 5, 7}}
LINES = [(0, 1, 2), (1, 2, 3), (0, 2), (3, 1, 0, 2)]


class Mark(Enum):
    NONE = 0
    ONE = 1
    TWO = 2


class Rank(IntEnum):
    LOW = 1
    MIDDLE = 5
    HIGH = 9

"""
CALLEES = """\
def double(x, y=2):
    return x * y % 50


def longest(items, least=1):
    best = None
    for item in items:
        if best is None or item > best:
            best = item
    return least if best is None else max(best, least)


@cache
def steps(n):
    return 0 if n <= 0 else 1 + steps(n // 2)


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def changed(values, at, value):
    return values[:at] + (value,) + values[at + 1:]

"""


class Writer:
    """One class."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.dice = random.Random(seed * 7919 + 17)
        pick = self.dice.choice
        self.cells = pick([4, 6, 9, 9, 16, 25, 42] * 7 + [512])
        self.height, self.width = pick([(2, 2), (2, 3), (3, 3), (4, 4), (3, 5)])
        self.style, self.game, self.form = pick(STYLES), pick(GAMES), pick(FORMS)
        optional = ["rows", "word", "hand", "pairs", "last", "flag", "mark", "at", "grid", "lines", "spot"]
        optional += ["stack"] * 4 * (self.style == "object")
        chosen = dict.fromkeys(self.dice.sample(optional, self.dice.randint(1, 4)))
        self.fields = ["left", "turn", "board", *chosen]
        self.asks = False  # whether a rule may ask for the list of actions
        self.names: list[dict[str, str]] = [{}]  # locals by type, innermost last
        self.fresh = 0

    def write(self) -> Random:
        head = HEAD.format(
            table=tuple(self.dice.randint(-9, 9) for _ in range(8)),
            values={i: self.dice.randint(-5, 9) for i in range(6)},
            beside=f"beside_{self.seed}",
        )
        actions = self.actions()
        self.asks = "yield" not in actions
        methods = [self.player(), actions, self.result(), self.terminal(), self.utility(), self.evaluate()]
        methods += [self.probability()] if self.game == "chance" else []
        body = "\n".join(textwrap.indent(m, "    ") for m in methods)
        text = head + MODULE + CALLEES + RULES + self.class_head() + body
        return Random(self.seed, text, BESIDE, frozenset(), ("actions", "result", "utility", "evaluate"))

    def values(self) -> dict[str, tuple[str, str]]:
        """The annotation of each field, and what it is at first."""
        return {
            "left": ("int", str(self.dice.randint(2, PLIES))),
            "turn": ("int", "0"),
            "board": ("tuple", repr(tuple(self.dice.randint(0, 3) for _ in range(self.cells)))),
            "rows": (
                "tuple",
                repr(
                    tuple(
                        tuple(self.dice.randint(0, 2) for _ in range(self.width)) for _ in range(self.height)
                    )
                ),
            ),
            "word": ("str", repr("".join(self.dice.choice("abcd") for _ in range(self.dice.randint(0, 5))))),
            "hand": ("tuple", repr(tuple(self.dice.randint(0, 9) for _ in range(self.dice.randint(0, 5))))),
            "pairs": (
                "tuple",
                repr(
                    tuple(
                        (self.dice.randint(0, 4), self.dice.randint(0, 4))
                        for _ in range(self.dice.randint(1, 3))
                    )
                ),
            ),
            "last": (self.dice.choice(["Optional[int]", "int | None"]), self.dice.choice(["None", "2"])),
            "flag": ("bool", self.dice.choice(["True", "False"])),
            "mark": ("Mark", self.dice.choice(["Mark.NONE", "Mark.ONE"])),
            "at": ("tuple", repr((self.dice.randint(0, 2), self.dice.randint(0, 2)))),
            "grid": ("str", repr("".join(self.dice.choice(".xo") for _ in range(9)))),
            "lines": (
                "tuple",
                repr(tuple("".join(self.dice.choice(".xo") for _ in range(4)) for _ in range(3))),
            ),
            "spot": ("Spot", f"Spot({self.dice.randint(0, 4)}, 2)"),
            "stack": ("list", "[3, 1]"),
        }

    def class_head(self) -> str:
        first = self.values()
        lines = [f"{name}: {first[name][0]} = {first[name][1]}" for name in self.fields]
        if self.style == "object":
            lists = ("stack",)
            given = ", ".join(f"{n}={None if n in lists else first[n][1]}" for n in self.fields)
            lines = [f"def __init__(self, {given}):"]
            for n in self.fields:
                lines += [
                    f"    self.{n} = {first[n][1]} if {n} is None else {n}"
                    if n in lists
                    else f"    self.{n} = {n}"
                ]
        fields = textwrap.indent("\n".join(lines) + "\n", "    ")
        facts = (
            "points = True\n" + {"one": "players = 1\n", "three": "players = 3\n"}.get(self.game, "") + "\n"
        )
        told, mixin = textwrap.indent(facts, "    "), textwrap.indent(MIXIN, "    ") + "\n"
        match self.style:
            case "tuple":
                return f"class Game(NamedTuple):\n{fields}\n{told}{mixin}"
            case "dataclass":
                return f"@dataclass(frozen=True)\nclass Game:\n{fields}\n{told}{mixin}"
            case "object":
                return f"class Game:\n{told}{fields}\n{mixin}"
            case _:
                bases = f"class Fields(NamedTuple):\n{fields}\n\nclass Mixin:\n{mixin}\n"
                return f"{bases}class Game(Mixin, Fields):\n    __slots__ = ()\n{told}"

    # --- scope ---

    def name(self, kind: str) -> str:
        self.fresh += 1
        stem = {
            "int": "n",
            "ti": "cells",
            "li": "found",
            "str": "s",
            "bool": "ok",
            "lp": "moves",
            "set": "seen",
            "dict": "count",
            "opt": "best",
            "ls": "texts",
        }[kind]
        name = f"{stem}{self.fresh}"
        self.names[-1][name] = kind
        return name

    def known(self, kind: str) -> list[str]:
        return [name for scope in self.names for name, k in scope.items() if k == kind]

    def some(self, *choices: Callable[[], str] | str) -> str:
        chosen = self.dice.choice(choices)
        return chosen if isinstance(chosen, str) else chosen()

    def has(self, field: str) -> bool:
        return field in self.fields

    def inside(self, kind: str, write: Callable[[str], str], stem: str = "") -> str:
        """Something written with one more name known."""
        self.names.append({})
        self.fresh += 1
        name = f"{stem or 'x'}{self.fresh}"
        self.names[-1][name] = kind
        text = write(name)
        self.names.pop()
        return text

    def outer(self, kind: str, d: int) -> str:
        """Something written without the innermost names: what a comprehension runs over."""
        scope = self.names.pop()
        text = self.leaf() if kind == "leaf" else self.of(kind, d)
        self.names.append(scope)
        return text

    # --- ints ---

    def number(self, d: int = DEPTH) -> str:
        """An int of at most some thousands."""
        if d <= 0:
            return self.leaf()
        ways: list[Callable[[int], str]] = [
            self.sum_of, self.product, self.divided, self.length, self.counted, self.summed, self.extreme,
            self.entry, self.chosen, self.looked_up, self.placed, self.consumed, self.called, self.folded,
            self.absolute, self.truth, self.by_key, self.optional, self.of_string, self.of_enum, self.of_field,
            *[self.idiom] * 8,
        ]  # fmt: skip
        return self.dice.choice(ways)(d - 1)

    def leaf(self) -> str:
        leaves = ["self.left", "self.turn", str(self.dice.randint(-5, 9)), "len(self.board)"]
        leaves += [name for name in self.known("int") for _ in (0, 1)]
        if self.has("at"):
            leaves += ["self.at[0]", "self.at[1]"]
        return self.dice.choice(leaves)

    def idiom(self, d: int) -> str:
        lines = EXPRESSIONS | (OF_ACTIONS if self.asks else {})
        return f"({self.filled(self.dice.choice(lines[self.dice.choice(list(lines))]), d - 1)})"

    def filled(self, template: str, d: int, new: str = "") -> str:
        """An idiom with everything in its places."""
        self.fresh += 1
        k = str(self.fresh)
        ways = {"n": self.number, "t": self.ti, "l": self.li, "p": self.lp, "s": self.text, "c": self.letter}
        ways |= {"b": self.test, "m": self.mapping, "g": self.group, "i": lambda d: self.leaf()}
        ways |= {"k": lambda d: k, "new": lambda d: new}
        template = template.replace("MOVE", MOVES[self.form])
        return re.sub(r"<(\w+)>", lambda found: ways[found[1]](max(d, 0)), template)

    def of_field(self, d: int) -> str:
        """Of a field of more than numbers."""
        at = f"{self.number(d)}"
        ways = {
            "grid": (f"(self.grid[{at} % 9] == 'x') * 3", "self.grid.count('o')", "self.grid.find('.')"),
            "lines": ("sum(row.count('x') for row in self.lines)", f"'.xo'.index(self.lines[{at} % 3][{self.leaf()} % 3])",
                      "''.join(self.lines).count('xo')", f"len([c for c in self.lines[{at} % 3] if c != '.'])"),
            "spot": ("self.spot.x", "self.spot.far()", f"(self.spot + Spot({at} % 5)).y", "((self.spot == Spot(1, 2)) + 1)"),
            "stack": ("sum(self.stack) % 50", "len(self.stack)", "(self.stack[-1] if self.stack else 7)",
                      f"sorted(self.stack + [{at}])[0]", f"self.stack.count({at})"),
        }  # fmt: skip
        known = [way for field, those in ways.items() if self.has(field) for way in those]
        return self.dice.choice(known) if known else self.leaf()

    def sum_of(self, d: int) -> str:
        return f"({self.number(d)} {self.dice.choice('+-')} {self.number(d)})"

    def product(self, d: int) -> str:
        return f"({self.number(d)} % {self.dice.randint(3, 20)} * {self.dice.randint(-3, 5)})"

    def divided(self, d: int) -> str:
        by = self.dice.choice([2, 3, -3, 7])
        return self.some(
            f"({self.number(d)} // {by})", f"({self.number(d)} % {by})", f"divmod({self.number(d)}, {by})[{self.dice.randrange(2)}]",
            f"(({self.number(d)}) & 7)", f"(({self.number(d)} % 16) ^ 5)", f"int({self.number(d)} / 4)", f"round({self.number(d)} / 4)",
        )  # fmt: skip

    def length(self, d: int) -> str:
        kind = self.dice.choice(["ti", "li", "str", "lp", "set", "dict"])
        return f"len({self.of(kind, d)})"

    def counted(self, d: int) -> str:
        return self.some(
            lambda: f"{self.ti(d)}.count({self.number(d)})",
            lambda: f"{self.text(d)}.count({self.letter(d)})",
            lambda: f"{self.li(d)}.count({self.leaf()})",
            lambda: f"len([v for v in {self.ti(d)} if v > {self.leaf()}])",
        )  # fmt: skip

    def summed(self, d: int) -> str:
        return self.some(
            lambda: f"sum({self.ti(d)}) % 100",
            lambda: f"sum({self.li(d)}, {self.leaf()}) % 100",
            lambda: f"sum({self.group(d)}) % 100",
            lambda: self.inside("int", lambda x: f"sum({self.number(d)} for {x} in {self.outer('ti', d)} if {self.test(d)}) % 1000"),
            lambda: f"sum(map(abs, {self.ti(d)})) % 100",
            lambda: f"sum({self.mapping(d)}.values()) % 100",
        )  # fmt: skip

    def extreme(self, d: int) -> str:
        f = self.dice.choice(["min", "max"])
        return self.some(
            lambda: f"{f}({self.ti(d)}, default={self.leaf()})",
            lambda: f"{f}({self.number(d)}, {self.number(d)})",
            lambda: f"{f}({self.number(d)}, {self.number(d)}, {self.leaf()})",
            lambda: self.inside("int", lambda x: f"{f}(({self.number(d)} for {x} in {self.outer('ti', d)}), default=0)"),
            lambda: f"{f}({self.li(d)} or [0])",
            lambda: f"sorted({self.ti(d)} + (3,))[0]",
        )  # fmt: skip

    def entry(self, d: int) -> str:
        table, size = self.dice.choice([("self.board", self.cells), ("TABLE", 8), ("self.board", self.cells)])
        choices: list[Any] = [
            f"{table}[{self.number(d)} % {size}]",
            f"{table}[-1]",
            f"{table}[{self.dice.randrange(size)}]",
            lambda: f"({self.ti(d)} + (7,))[0]",
            lambda: f"LINES[{self.number(d)} % 4][0]",
        ]
        if self.has("rows"):
            choices += [f"self.rows[{self.number(d)} % {self.height}][{self.number(d)} % {self.width}]"] * 3
        if self.has("hand"):
            choices += [f"(self.hand[{self.leaf()} % len(self.hand)] if self.hand else {self.leaf()})"] * 2
        if self.has("pairs"):
            choices += [f"(self.pairs[-1][{self.dice.randrange(2)}] if self.pairs else 0)"] * 2
        return self.some(*choices)

    def chosen(self, d: int) -> str:
        return f"({self.number(d)} if {self.test(d)} else {self.number(d)})"

    def looked_up(self, d: int) -> str:
        return self.some(
            f"VALUES[{self.number(d)} % 6]",
            f"VALUES.get({self.number(d)}, {self.leaf()})",
            lambda: f"WORTH.get({self.letter(d)}, -2)",
            lambda: f"STEPS[{self.dice.choice(['n', 'e', 's', 'w'])!r}][{self.dice.randrange(2)}]",
            lambda: f"{self.mapping(d)}.get({self.number(d)}, {self.leaf()})",
            lambda: f"{{0: {self.leaf()}, 1: {self.leaf()}}}[{self.number(d)} % 2]",
        )  # fmt: skip

    def placed(self, d: int) -> str:
        x = self.number(d)
        return self.some(
            lambda: f"(self.board.index({x}) if {x} in self.board else -1)",
            lambda: f"next((i for i, v in enumerate({self.ti(d)}) if v == {self.leaf()}), -1)",
            lambda: f"{self.text(d)}.find({self.letter(d)})",
        )  # fmt: skip

    def consumed(self, d: int) -> str:
        return self.inside(
            "int",
            lambda x: self.some(
                f"len([{x} for {x} in {self.outer('ti', d)} if {self.test(d)}])",
                f"len({{{self.number(d)} for {x} in {self.outer('ti', d)}}})",
                f"sum(1 for {x} in {self.outer('li', d)} if {self.test(d)})",
                f"sum({self.number(0)} * {x} for {x} in range({self.dice.randint(1, 5)})) % 500",
                f"len(list(filter(lambda {x}: {self.test(d)}, {self.outer('ti', d)})))",
                f"sum(map(lambda {x}: {self.number(d)} % 40, {self.outer('ti', d)}))",
                f"sum(a - b for a, b in zip({self.outer('ti', d)}, {self.outer('ti', d)}))",
                f"sum(i * v for i, v in enumerate({self.outer('ti', d)})) % 300",
                f"len(list(itertools.combinations({self.outer('ti', d)}[:4], 2)))",
                f"sum(a * b for a, b in itertools.product({self.outer('ti', d)}[:3], (1, 2))) % 90",
                f"sum(itertools.chain({self.outer('ti', d)}, {self.outer('li', d)})) % 100",
                f"list(itertools.accumulate({self.outer('ti', d)}, initial=1))[-1] % 100",
                f"len(set(itertools.permutations({self.outer('ti', d)}[:3])))",
                f"sum(1 for {x} in reversed({self.outer('ti', d)}) if {self.test(d)})",
                f"sum(x * y for x, y in {self.outer('lp', d)}) % 200",
                f"(lambda {x}: {self.number(d)})({self.outer('leaf', 0)})",
            ),
        )  # fmt: skip

    def called(self, d: int) -> str:
        return self.some(
            lambda: f"double({self.number(d)})",
            lambda: f"double({self.number(d)}, y={self.dice.randint(-3, 3)})",
            lambda: f"longest({self.ti(d)})",
            lambda: f"longest({self.li(d)}, {self.leaf()})",
            lambda: f"steps({self.number(d)} % 60)",
            lambda: f"even({self.number(d)} % 12)",
            lambda: f"math.isqrt(abs({self.number(d)}))",
            lambda: f"math.floor({self.number(d)} / 3)",
            lambda: f"math.gcd({self.number(d)}, 12)",
        )  # fmt: skip

    def folded(self, d: int) -> str:
        return self.some(
            lambda: f"reduce(lambda a, b: (a * 3 + b) % 101, {self.ti(d)}, 1)",
            lambda: f"reduce(operator.xor, {self.ti(d)}, 0) % 64",
            lambda: f"reduce(max, {self.li(d)}, {self.leaf()})",
        )  # fmt: skip

    def absolute(self, d: int) -> str:
        return self.some(
            f"abs({self.number(d)})",
            f"(-{self.number(d)})",
            f"({self.number(d)} % 5) ** 2",
            f"pow({self.number(d)} % 4, 2)",
        )

    def truth(self, d: int) -> str:
        return f"int({self.test(d)})" if self.dice.random() < 0.5 else f"({self.test(d)}) * {self.leaf()}"

    def by_key(self, d: int) -> str:
        f = self.dice.choice(["min", "max"])
        return self.inside(
            "int",
            lambda x: self.some(
                f"{f}(range({self.dice.randint(1, 6)}), key=lambda {x}: {self.number(d)})",
                f"sorted({self.outer('ti', d)} + (2, 5), key=lambda {x}: ({self.number(d)}, {x}))[0]",
                f"sorted({self.outer('ti', d)} + (4,), reverse=True)[0]",
                f"{f}({self.outer('lp', d)} or [(1, 2)], key=lambda {x}p: {x}p[1])[0]",
            ),
        )

    def optional(self, d: int) -> str:
        if self.has("last") and self.dice.random() < 0.7:
            return f"({self.number(d)} if self.last is None else self.last)"
        if names := self.known("opt"):
            name = self.dice.choice(names)
            return f"({name} if {name} is not None else {self.leaf()})"
        return self.leaf()

    def of_string(self, d: int) -> str:
        return self.some(
            lambda: f"(ord({self.letter(d)}) - 97)",
            lambda: f"'abcd'.index({self.letter(d)})",
            lambda: f"int(str({self.number(d)} % 10))",
            lambda: f"len({self.text(d)}.replace({self.letter(d)}, 'xy'))",
        )  # fmt: skip

    def of_enum(self, d: int) -> str:
        if self.has("mark"):
            return self.some(
                "self.mark.value",
                f"(1 if self.mark is Mark.ONE else {self.number(d)})",
                "list(Mark).index(self.mark)",
            )
        return self.some("Rank.MIDDLE", f"(Rank.HIGH - {self.number(d)})", "sum(Rank)")

    # --- truth values ---

    def test(self, d: int = DEPTH) -> str:
        if d <= 0:
            names = self.known("bool")
            return self.some(
                f"{self.leaf()} {self.dice.choice(['<', '>=', '==', '!='])} {self.leaf()}",
                *names,
                *["self.flag"] * self.has("flag"),
            )
        d -= 1
        return "(" + self.some(
            lambda: f"{self.number(d)} {self.dice.choice(['<', '>', '<=', '==', '!='])} {self.number(d)}",
            lambda: f"{self.leaf()} < {self.number(d)} <= {self.leaf()}",
            lambda: f"{self.number(d)} in {self.of(self.dice.choice(['ti', 'li', 'set']), d)}",
            lambda: f"{self.number(d)} not in ODD",
            lambda: f"{self.leaf()} in VALUES",
            lambda: f"{self.test(d)} {self.dice.choice(['and', 'or'])} {self.test(d)}",
            lambda: f"not {self.test(d)}",
            lambda: f"{self.ti(d)} {self.dice.choice(['==', '<', '>=', '!='])} {self.ti(d)}",
            lambda: f"{self.text(d)} {self.dice.choice(['==', '<', '!='])} {self.text(d)}",
            lambda: f"{self.letter(d)} in {self.text(d)}",
            lambda: f"{self.text(d)}.{self.dice.choice(['startswith', 'endswith'])}({self.letter(d)})",
            lambda: f"any({self.ti(d)})",
            lambda: f"all({self.ti(d)})",
            lambda: self.inside("int", lambda x: f"{self.dice.choice(['any', 'all'])}({self.test(d)} for {x} in {self.outer('ti', d)})"),
            lambda: f"bool({self.ti(d)})",
            lambda: f"not {self.li(d)}",
            lambda: f"({self.leaf()}, {self.leaf()}) in {self.lp(d)}",
            lambda: f"{self.group(d)} {self.dice.choice(['<=', '==', '!='])} {self.group(d)}",
            lambda: "self.last is None" if self.has("last") else "self.left is not None",
            lambda: "self.mark == Mark.TWO" if self.has("mark") else f"len({self.text(d)}) > 2",
        ) + ")"  # fmt: skip

    # --- sequences ---

    def of(self, kind: str, d: int) -> str:
        return getattr(self, WAYS.get(kind, kind))(d)

    def ti(self, d: int = DEPTH) -> str:
        """A tuple of ints."""
        if d <= 0:
            fields = ["self.board", "TABLE[:4]", f"({self.leaf()}, {self.leaf()})", *self.known("ti")]
            fields += ["self.hand"] * self.has("hand") + ["self.at"] * self.has("at")
            fields += [f"self.rows[{self.leaf()} % {self.height}]"] * self.has("rows")
            return self.dice.choice(fields)
        d -= 1
        return self.some(
            lambda: self.ti(0),
            lambda: f"{self.ti(d)}[{self.leaf()} % 4:]",
            lambda: f"{self.ti(d)}[:{self.number(d)} % 7]",
            lambda: f"{self.ti(d)}[{self.leaf()} % 3:{self.number(d)} % 9:{self.dice.randint(1, 3)}]",
            lambda: f"{self.ti(d)}[::-1]",
            lambda: f"({self.ti(d)} + {self.ti(d)})[:12]",
            lambda: f"(({self.number(d)},) * {self.dice.randint(0, 4)})",
            lambda: f"(*{self.ti(d)}[:6], {self.number(d)})",
            lambda: f"tuple(sorted({self.ti(d)}))",
            lambda: f"tuple({self.li(d)})",
            lambda: f"tuple(reversed({self.ti(d)}))",
            lambda: self.inside("int", lambda x: f"tuple({self.number(d)} for {x} in {self.outer('ti', d)})"),
            lambda: self.inside("int", lambda x: f"tuple({x} for {x} in {self.outer('ti', d)} if {self.test(d)})"),
            lambda: f"tuple(map(abs, {self.ti(d)}))",
            lambda: f"tuple(range({self.dice.randint(0, 6)}))",
            lambda: f"RAGGED[{self.number(d)} % 4]",
            lambda: f"changed(self.board, {self.number(d)} % {self.cells}, {self.number(d)} % 10)",
            lambda: f"({self.ti(d)} if {self.test(d)} else {self.ti(d)})",
            lambda: f"tuple(sorted({self.group(d)}))",
            lambda: f"tuple(v for row in self.rows for v in row)" if self.has("rows") else f"TABLE[{self.leaf()} % 8:]",
            lambda: f"tuple(zip(*self.rows))[{self.leaf()} % {self.width}]" if self.has("rows") else f"LINES[{self.leaf()} % 4]",
        )  # fmt: skip

    def li(self, d: int = DEPTH) -> str:
        """A list of ints."""
        if d <= 0:
            return self.some(f"[{self.leaf()}, {self.leaf()}]", "list(self.board)", *self.known("li"))
        d -= 1
        return self.some(
            lambda: self.li(0),
            lambda: f"list({self.ti(d)})",
            lambda: f"sorted({self.ti(d)})",
            lambda: f"sorted({self.li(d)}, key=lambda v: -v)",
            lambda: self.inside("int", lambda x: f"[{self.number(d)} for {x} in {self.outer('ti', d)} if {self.test(d)}]"),
            lambda: f"[i for i, v in enumerate({self.ti(d)}) if v {self.dice.choice(['==', '>', '<'])} {self.leaf()}]",
            lambda: f"({self.li(d)} + [{self.number(d)}])[:10]",
            lambda: f"{self.li(d)}[1:]",
            lambda: f"([{self.leaf()}] * {self.dice.randint(0, 3)})",
            lambda: f"list(range({self.leaf()} % 6))",
            lambda: f"list(itertools.accumulate({self.ti(d)}[:6]))",
            lambda: f"[len(s) for s in NAMES]",
            lambda: f"sorted(set({self.ti(d)}))",
        )  # fmt: skip

    def lp(self, d: int = DEPTH) -> str:
        """A list of pairs."""
        choices: list[Any] = [
            lambda: f"list(enumerate({self.ti(max(d - 1, 0))}))",
            lambda: f"list(zip({self.ti(max(d - 1, 0))}, {self.ti(max(d - 1, 0))}))",
            lambda: f"[({self.leaf()}, {self.leaf()}), (1, {self.leaf()})]",
            lambda: "[(r, c) for r in range(3) for c in range(2) if r != c]",
            lambda: f"list(itertools.combinations({self.ti(0)}[:4], 2))",
            lambda: "sorted(VALUES.items())",
            lambda: "[(dr, dc) for dr, dc in STEPS.values() if dr]",
            *self.known("lp"),
        ]
        if self.has("pairs"):
            choices += ["list(self.pairs)", "sorted(self.pairs, key=lambda p: (p[1], -p[0]))"] * 2
        return self.some(*choices)

    def group(self, d: int = DEPTH) -> str:
        d = max(d - 1, 0)
        return self.some(
            "ODD", *self.known("set"),
            lambda: f"set({self.ti(d)})",
            lambda: f"{{{self.leaf()}, {self.leaf()}}}",
            lambda: f"(set({self.ti(d)}) {self.dice.choice('|&-^')} ODD)",
            lambda: self.inside("int", lambda x: f"{{{self.number(0)} % 9 for {x} in {self.outer('ti', d)}}}"),
        )  # fmt: skip

    def mapping(self, d: int = DEPTH) -> str:
        d = max(d - 1, 0)
        return self.some(
            "VALUES", *self.known("dict"),
            lambda: f"{{i: v for i, v in enumerate({self.ti(d)})}}",
            lambda: f"dict({self.lp(d)})",
            lambda: f"dict(zip({self.ti(d)}, {self.ti(d)}))",
            lambda: f"Counter({self.ti(d)})",
        )  # fmt: skip

    # --- strings ---

    def text(self, d: int = DEPTH) -> str:
        words = [*["self.word"] * (3 * self.has("word")), "'abca'", "'b'", "NAMES[3]", *self.known("str")]
        if d <= 0:
            return self.dice.choice(words)
        d -= 1
        return self.some(
            lambda: self.dice.choice(words),
            lambda: f"{self.text(d)}[{self.leaf()} % 3:]",
            lambda: f"{self.text(d)}[:{self.number(d)} % 4]",
            lambda: f"{self.text(d)}[::-1]",
            lambda: f"({self.text(d)} + {self.letter(d)})[:9]",
            lambda: f"({self.letter(d)} * {self.dice.randint(0, 3)})",
            lambda: f"NAMES[{self.number(d)} % 4]",
            lambda: f"{self.text(d)}.replace({self.letter(d)}, {self.letter(d)})",
            lambda: f"''.join(ch for ch in {self.text(d)} if ch != {self.letter(d)})",
            lambda: f"''.join(sorted({self.text(d)}))",
            lambda: f"str({self.number(d)} % 100)",
            lambda: f"''.join('abcd'[v % 4] for v in {self.ti(d)}[:6])",
            lambda: f"({self.text(d)} if {self.test(d)} else {self.text(d)})",
            lambda: f"{self.text(d)}.{self.dice.choice(['upper', 'lower', 'strip'])}()",
        )  # fmt: skip

    def letter(self, d: int) -> str:
        return self.some(
            repr(self.dice.choice("abcd")), f"'abcd'[{self.leaf()} % 4]", f"chr(97 + {self.leaf()} % 4)"
        )

    # --- statements ---

    def block(self, count: int, level: int = 0) -> list[str]:
        lines: list[str] = []
        for _ in range(count):
            lines += self.statement(level)
        return lines

    def nested(self, level: int) -> list[str]:
        self.names.append({})
        lines = self.block(self.dice.randint(1, 2), level + 1)
        self.names.pop()
        return ["    " + line for line in lines] or ["    pass"]

    def statement(self, level: int) -> list[str]:
        ways: list[Callable[[int], list[str]]] = [
            self.assignment, self.assignment, self.assignment, self.unpacking, self.appending, self.augmented,
            self.mutation, self.tally, self.running_best, self.tried, self.inner, self.swapped,
            self.idioms, self.idioms, self.idioms,
        ]  # fmt: skip
        if level < 2:
            ways += [self.branch, self.branch, self.loop, self.loop, self.while_loop, self.matched]
        return self.dice.choice(ways)(level)

    def assignment(self, level: int) -> list[str]:
        kind = self.dice.choice(["int", "int", "ti", "li", "str", "bool", "lp", "set", "dict"])
        value = self.of(kind, 2)
        if kind == "set" and value == "ODD" or kind == "dict" and value == "VALUES":
            value = f"{kind}({value})"
        if kind == "li" and value in self.known("li"):
            value += "[:]"
        if kind in ("lp", "set", "dict") and value in self.known(kind):
            value = f"{'list' if kind == 'lp' else kind}({value})"
        return [f"{self.name(kind)} = {value}"]

    def idioms(self, level: int) -> list[str]:
        template = self.dice.choice(STATEMENTS[self.dice.choice(list(STATEMENTS))])
        if level and "nonlocal" in template:  # such a name is set at the top of its function
            return self.assignment(level)
        name = self.name("int")
        self.names[-1].pop(name)
        lines = self.filled(textwrap.dedent(template).strip("\n"), 1, name).split("\n")
        self.names[-1][name] = "int"
        return [*lines, f"{name} %= 1000"]

    def augmented(self, level: int) -> list[str]:
        if not (names := self.known("int")):
            return self.assignment(level)
        name = self.dice.choice([n for n in names if n[0] == "n"] or [""])
        if not name:
            return self.assignment(level)
        op = self.dice.choice(["+=", "-=", "//=", "%=", "*=", "^="])
        value = str(self.dice.choice([2, 3, 5])) if op in ("//=", "%=", "*=", "^=") else self.number(1)
        return [f"{name} {op} {value}", f"{name} %= 1000"]

    def unpacking(self, level: int) -> list[str]:
        pair = self.some(
            "(1, 5)",
            f"({self.number(1)}, {self.number(1)})",
            f"divmod({self.number(1)}, 4)",
            *["self.at"] * self.has("at"),
        )
        if self.dice.random() < 0.4:
            source = f"({self.number(1)}, *{self.ti(1)})"
            first = self.name("int")
            rest = self.name("li")
            return [f"{first}, *{rest} = {source}"]
        a, b = self.name("int"), self.name("int")
        return [f"{a}, {b} = {pair}"]

    def swapped(self, level: int) -> list[str]:
        values = f"list(self.board)"
        name = self.name("li")
        i, j = (f"{self.number(1)} % {self.cells}" for _ in range(2))
        n = self.name("int")
        return [
            f"{name} = {values}",
            f"{n} = {i}",
            f"{name}[{n}], {name}[{self.dice.randrange(self.cells)}] = {name}[{self.dice.randrange(self.cells)}], {name}[{n}]",
        ]

    def appending(self, level: int) -> list[str]:
        source = self.ti(1)
        name = self.name("li")
        inner = self.inside(
            "int",
            lambda x: (
                f"for {x} in {source}:\n    if {self.test(1)}:\n        {name}.append({self.number(1)})"
            ),
        )
        return [f"{name} = []", *inner.split("\n")]

    def mutation(self, level: int) -> list[str]:
        lines = []
        if self.dice.random() < 0.5 or not [n for n in self.known("li") if n.startswith("found")]:
            value = f"list({self.ti(1)})[:8]"
            lines.append(f"{self.name('li')} = {value}")
        name = self.dice.choice([n for n in self.known("li") if n.startswith("found")])
        v = self.number(1)
        lines.append(self.some(
            f"{name}.append({v})", f"{name}.insert(0, {v})", f"{name}.insert({self.leaf()} % 3, {v})",
            f"{name}.extend({self.ti(1)}[:4])", f"{name} += [{v}]", f"{name}.sort()", f"{name}.reverse()",
            f"{name}.sort(key=lambda v: v % 3)", f"{name}[:1] = [{v}, 2]", f"del {name}[:1]",
            f"if {name}: {name}.pop()", f"if {name}: {name}.pop(0)", f"if {name}: {name}[-1] = {v}",
            f"if {v} in {name}: {name}.remove({v})", f"if len({name}) > 1: del {name}[1]", f"{name}.sort(reverse=True)",
        ))  # fmt: skip
        return lines

    def tally(self, level: int) -> list[str]:
        source = self.ti(1)
        count, seen = self.name("dict"), self.name("set")
        body = self.dice.choice([
            [f"{count} = {{}}", f"for v in {source}:", f"    {count}[v] = {count}.get(v, 0) + 1"],
            [f"{count} = {{}}", f"for v in {source}:", f"    if v not in {count}:", f"        {count}[v] = 0", f"    {count}[v] += v"],
            [f"{count} = defaultdict(int)", f"for v in {source}:", f"    {count}[v % 3] += 1"],
        ])  # fmt: skip
        return [*body, f"{seen} = set()", f"for v in {source}:", "    if v > 0:", f"        {seen}.add(v)"]

    def running_best(self, level: int) -> list[str]:
        source = self.ti(1)
        if self.dice.random() < 0.3:
            name = self.name("int")
            return [f"{name} = float('inf')", f"for v in {source}:", f"    if v < {name}:", f"        {name} = v",
                    f"if {name} == float('inf'):", f"    {name} = 0", f"{name} = int({name})"]  # fmt: skip
        name = self.name("opt")
        return [
            f"{name} = None",
            f"for v in {source}:",
            f"    if {name} is None or v > {name}:",
            f"        {name} = v",
        ]

    def tried(self, level: int) -> list[str]:
        name = self.dice.choice(["KeyError", "IndexError", "ValueError"])
        target = self.name("int")
        self.names[-1].pop(target)
        given = self.number(1)
        self.names[-1][target] = "int"
        value = {"KeyError": "VALUES[{}]", "IndexError": "TABLE[{}]", "ValueError": "self.board.index({})"}[
            name
        ]
        return [
            "try:",
            f"    {target} = {value.format(given)}",
            f"except {name}:",
            f"    {target} = {self.dice.randint(-3, 3)}",
        ]

    def inner(self, level: int) -> list[str]:
        self.fresh += 1
        f = f"inner{self.fresh}"
        text = self.inside("int", lambda x: f"def {f}({x}):\n    return {self.number(1)}")
        given = self.number(1)
        name = self.name("int")
        return [*text.split("\n"), f"{name} = {f}({given})"]

    def branch(self, level: int) -> list[str]:
        if self.dice.random() < 0.4:
            kind = self.dice.choice(["int", "ti", "str", "li"])
            condition, one, two = self.test(2), self.of(kind, 1), self.of(kind, 1)
            if kind == "li":
                one, two = f"list({one})", f"list({two})"
            name = self.name(kind)
            return [f"if {condition}:", f"    {name} = {one}", "else:", f"    {name} = {two}"]
        return [f"if {self.test(2)}:", *self.nested(level)]

    def loop(self, level: int) -> list[str]:
        n = self.name("int")
        self.names[-1].pop(n)
        self.fresh += 1
        k = self.fresh
        head, kinds = self.dice.choice([
            (f"for x{k} in {self.ti(1)}:", {f"x{k}": "int"}),
            (f"for i{k}, v{k} in enumerate({self.ti(1)}):", {f"i{k}": "int", f"v{k}": "int"}),
            (f"for a{k}, b{k} in {self.lp(1)}:", {f"a{k}": "int", f"b{k}": "int"}),
            (f"for x{k} in range({self.dice.randint(1, 4)}):", {f"x{k}": "int"}),
            (f"for c{k} in {self.text(1)}:", {f"c{k}": "str"}),
            (f"for x{k} in sorted({self.group(1)}):", {f"x{k}": "int"}),
            (f"for k{k}, v{k} in sorted({self.mapping(1)}.items()):", {f"k{k}": "int", f"v{k}": "int"}),
        ])  # fmt: skip
        self.names.append(dict(kinds))
        extra = (
            [f"    if {self.test(1)}:", "        " + self.dice.choice(["break", "continue"])]
            if self.dice.random() < 0.3
            else []
        )
        total = f"    {n} = ({n} + {self.number(2)}) % 1000"
        inner = ["    " + line for line in self.block(self.dice.randint(0, 1), level + 1)]
        self.names.pop()
        self.names[-1][n] = "int"
        return [f"{n} = {self.dice.randint(-3, 3)}", head, *extra, *inner, total]

    def while_loop(self, level: int) -> list[str]:
        count = self.name("int")
        self.names[-1].pop(count)
        n = self.name("int")
        self.names[-1].pop(n)
        self.names.append({n: "int"})
        body = f"    {n} = ({n} * 2 + {self.number(1)}) % 97"
        stop = [f"    if {self.test(1)}:", "        break"] if self.dice.random() < 0.5 else []
        self.names.pop()
        self.names[-1][n] = "int"
        otherwise = ["else:", f"    {n} += 1"] if self.dice.random() < 0.4 else []
        return [
            f"{count} = {self.dice.randint(1, 4)}",
            f"{n} = 1",
            f"while {count} > 0:",
            f"    {count} -= 1",
            body,
            *stop,
            *otherwise,
        ]

    def matched(self, level: int) -> list[str]:
        subject = self.dice.choice(
            [f"({self.number(1)} % 3, {self.number(1)} % 2)", "(self.turn, self.left)"]
        )
        name = self.name("int")
        self.names[-1].pop(name)
        lines = [f"match {subject}:", "    case (0, 0):", f"        {name} = {self.number(1)}", "    case (0, k):", f"        {name} = k + {self.leaf()}",
                 f"    case (j, k) if j > k:", f"        {name} = j * {self.leaf()}", "    case _:", f"        {name} = {self.number(1)}"]  # fmt: skip
        self.names[-1][name] = "int"
        return lines

    # --- rules ---

    def function(self, head: str, scope: dict[str, str], count: int, end: Callable[[], list[str]]) -> str:
        self.names = [dict(scope)]
        lines = self.block(count)
        return "\n".join([head, *("    " + line for line in [*lines, *end()]), ""])

    def player(self) -> str:
        mover = "CHANCE if self.left % 2 else self.turn" if self.game == "chance" else "self.turn"
        return f"def player(self):\n    return {mover}\n"

    def probability(self) -> str:
        return "def probability(self, outcome):\n    return 1 / len(list(self.actions()))\n"

    def terminal(self) -> str:
        plain = "def terminal(self):\n    return self.left == 0\n"
        if not self.asks:
            return plain
        return self.dice.choice(
            [
                plain,
                "def terminal(self):\n    return self.left == 0 or not self.actions()\n",
                "def terminal(self):\n    return self.left <= 0 or len(self.actions()) == 0\n",
            ]
        )

    def actions(self) -> str:
        def end() -> list[str]:
            match self.form:
                case "int":
                    return self.dice.choice([
                        [f"return [i for i in range({self.cells}) if self.board[i] == {self.leaf()} or i < 2]"],
                        [f"return sorted(set(map(int, {self.ti(2)})))[:5] or [0]"],
                        [f"return list(dict.fromkeys({self.li(2)}))[:4] + [1000]"],
                        ["moves = []", f"for x in {self.ti(2)}:", "    if x not in moves and len(moves) < 4:", "        moves.append(int(x))", "return moves or [-1]"],
                        [f"yield {self.number(2)}", "yield 2000"],
                        [f"return [-(10**6) - self.left, {self.leaf()}, 10**9 + self.turn]"],
                    ])  # fmt: skip
                case "mark":
                    return self.dice.choice([
                        ["return [m for m in Mark if m.value != self.turn]"],
                        ["return [Mark.ONE, Mark.NONE] if self.left % 2 else [Mark.TWO]"],
                        [f"return [Mark(v) for v in sorted({{{self.leaf()} % 3, {self.number(1)} % 3}})]"],
                    ])  # fmt: skip
                case "step":
                    return self.dice.choice([
                        ["return list(Step)"],
                        [f"return [step for step in Step if step.value[0] != {self.leaf()} or step is Step.UP]"],
                    ])  # fmt: skip
                case "squares":
                    return self.dice.choice([
                        ["return [((r, c), (r + 1, c)) for r in range(2) for c in range(2) if (r, c) != (self.turn, 1)]"],
                        [f"return [((v % 9, i), (0, 1)) for i, v in enumerate({self.ti(1)}[:4])] or [((0, 0), (1, 0))]"],
                    ])  # fmt: skip
                case "pair":
                    return self.dice.choice([
                        [f"return [(r, c) for r in range({self.height}) for c in range({self.width}) if {self.leaf()} != r or c == 0]"],
                        [f"return sorted(set({self.lp(1)}))[:5] or [(0, 0)]"],
                        ["moves = []", f"for i, v in enumerate({self.ti(2)}[:4]):", "    moves.append((i, v))", "moves.append((50, 50))", "return moves"],
                        [f"for pair in itertools.product((0, 1), (2, {self.dice.randint(3, 9)})):", "    yield pair"],
                    ])  # fmt: skip
                case "text":
                    return self.dice.choice([
                        [f"return [c for c in 'abcd' if c not in {self.text(1)}] or ['pass']"],
                        ["return ['ab', 'c'] if self.turn == 0 else ['left', 'right', 'c']"],
                        [f"return sorted(set({self.text(2)})) or ['x']"],
                        ["return [name for name, (dr, dc) in STEPS.items() if dr + dc != self.turn]"],
                    ])  # fmt: skip
                case _:
                    return [
                        f"return [None] + [i for i, v in enumerate({self.ti(2)}[:5]) if v != {self.leaf()}]"
                    ]

        return self.function("def actions(self):", {}, self.dice.randint(0, 2), end)

    def result(self) -> str:
        scope, opening = {
            "int": ({"a": "int"}, []), "text": ({"a": "str"}, []),
            "maybe": ({"n0": "int"}, ["n0 = -1 if a is None else a"]), "mark": ({"n0": "int"}, ["n0 = a.value"]),
            "pair": ({"r": "int", "c": "int"}, ["r, c = a"]), "step": ({"r": "int", "c": "int"}, ["r, c = a.value"]),
            "squares": ({"r": "int", "c": "int", "y": "int"}, ["(r, c), (y, x) = a"]),
        }[self.form]  # fmt: skip

        def end() -> list[str]:
            lines: list[str] = []
            made = {
                "left": "self.left - 1",
                "turn": self.dice.choice(["1 - self.turn", "(self.turn + 1) % 2", "self.turn ^ 1"]),
            }
            made["turn"] = {"one": "0", "three": "(self.turn + 1) % 3"}.get(self.game, made["turn"])
            for field in self.fields[2:]:
                if self.dice.random() < 0.8 or field == "board":
                    more, made[field] = self.update(field)
                    lines += more
            if self.dice.random() < 0.3 and len(made) == len(self.fields):
                call = f"Game({', '.join(made[field] for field in self.fields)})"
            else:
                given = ", ".join(f"{field}={value}" for field, value in made.items())
                kept = len(made) < len(self.fields) or self.dice.random() < 0.5
                replaced = (
                    f"replace(self, {given})" if self.style == "dataclass" else f"self._replace({given})"
                )
                call = replaced if kept and self.style != "object" else f"Game({self.all_given(made)})"
            if self.style == "object" and self.dice.random() < 0.7:
                return [*lines, *self.changed_copy(made)]
            return [*lines, f"return {call}"]

        self.names = [scope]
        lines = [*opening, *self.block(self.dice.randint(0, 2)), *end()]
        return "\n".join(["def result(self, a):", *("    " + line for line in lines), ""])

    def changed_copy(self, made: dict[str, str]) -> list[str]:
        """A copy of the state that is changed until it is returned."""
        deep = self.dice.random() < 0.7
        lines = [f"new = copy.{'deepcopy' if deep else 'copy'}(self)"]
        for field, value in made.items():
            lines.append("new.left -= 1" if field == "left" else f"new.{field} = {value}")
        if "stack" in self.fields and (deep or "stack" in made):
            if not deep:
                lines.append("new.stack = new.stack[:]")
            lines.append(f"new.stack.append({self.number(1)} % 50)")
            lines.append(f"new.stack[{self.number(1)} % len(new.stack)] = len(new.stack) + new.left")
            more = ["if new.left % 2:", "    new.stack += [new.left]", "new.stack = new.stack[-5:]"]
            lines += self.dice.choice([["del new.stack[:-5]"], more])
        return [*lines, "return new"]

    def all_given(self, made: dict[str, str]) -> str:
        """A new state's fields by name, those that stay as well."""
        return ", ".join(f"{field}={made.get(field, f'self.{field}')}" for field in self.fields)

    def update(self, field: str) -> tuple[list[str], str]:
        """Statements, and the new value of a field."""
        match field:
            case "grid":
                return self.dice.choice([
                    ([f"kg = {self.number(1)} % 9"], "self.grid[:kg] + 'x' + self.grid[kg + 1:]"),
                    ([], "self.grid.replace('.', 'o', 1)"),
                    ([f"g9 = list(self.grid)", f"g9[{self.number(1)} % 9] = 'xo'[self.turn % 2]"], "''.join(g9)"),
                ])  # fmt: skip
            case "lines":
                return self.dice.choice([
                    ([f"kl = {self.number(1)} % 3"], "(*self.lines[:kl], 'x' + self.lines[kl][1:], *self.lines[kl + 1:])"),
                    ([], "tuple(row[::-1] for row in self.lines)"),
                    ([], "tuple(''.join(column) for column in zip(*self.lines))[:3]"),
                    ([f"g3 = [list(row) for row in self.lines]", f"g3[{self.number(1)} % 3][-1] = 'o'"], "tuple(''.join(row) for row in g3)"),
                ])  # fmt: skip
            case "spot":
                return [], self.some(f"Spot({self.number(1)} % 5, self.spot.x)", f"self.spot._replace(x={self.number(1)} % 5)",
                                     "self.spot + Spot(1, 1)")  # fmt: skip
            case "stack":
                return [], self.some(f"(self.stack + [{self.number(1)} % 50])[-5:]", "self.stack[1:]", "self.stack[::-1]",
                                     f"[v for v in self.stack if v != {self.leaf()}]")  # fmt: skip
            case "board":
                at, v = f"{self.number(1)} % {self.cells}", f"{self.number(1)} % 4"
                name = f"b{self.fresh}"
                return self.dice.choice([
                    ([f"{name} = list(self.board)", f"{name}[{at}] = {v}"], f"tuple({name})"),
                    ([f"k = {at}"], f"self.board[:k] + ({v},) + self.board[k + 1:]"),
                    ([], f"tuple(({v}) if i == {at} else x for i, x in enumerate(self.board))"),
                    ([], f"changed(self.board, {at}, {v})"),
                    ([f"k = {at}"], "self.board[k:] + self.board[:k]"),
                    ([f"{name} = [*self.board]", f"{name}.reverse()"], f"tuple({name})"),
                ])  # fmt: skip
            case "rows":
                r, c, v = (
                    f"{self.number(1)} % {self.height}",
                    f"{self.number(1)} % {self.width}",
                    f"{self.number(1)} % 3",
                )
                return self.dice.choice([
                    ([f"g = [list(row) for row in self.rows]", f"g[{r}][{c}] = {v}"], "tuple(tuple(row) for row in g)"),
                    ([f"g = list(map(list, self.rows))", f"g[{r}][{c}] += 1"], "tuple(map(tuple, g))"),
                    ([], f"tuple(tuple({v} if (y, x) == ({r}, {c}) else old for x, old in enumerate(row)) for y, row in enumerate(self.rows))"),
                    ([f"kr = {r}"], "self.rows[:kr] + (tuple(reversed(self.rows[kr])),) + self.rows[kr + 1:]"),
                ])  # fmt: skip
            case "word":
                return [], f"({self.text(2)})[:8]"
            case "hand":
                return [], f"tuple(v % 100 for v in {self.ti(2)})[:6]"
            case "pairs":
                return [], f"(self.pairs + (({self.number(1)} % 9, {self.number(1)} % 9),))[-4:]"
            case "last":
                return [], f"({self.number(1)} if {self.test(1)} else None)"
            case "flag":
                return [], self.test(1)
            case "mark":
                return [], self.dice.choice(
                    [
                        "Mark.TWO",
                        "Mark((self.mark.value + 1) % 3)",
                        f"(Mark.ONE if {self.test(1)} else Mark.NONE)",
                    ]
                )
            case _:
                return [], f"({self.number(1)} % 5, {self.number(1)} % 5)"

    def utility(self) -> str:
        return self.told("utility", self.dice.randint(0, 2))

    def evaluate(self) -> str:
        return self.told("evaluate", self.dice.randint(1, 5))

    def told(self, rule: str, count: int) -> str:
        """A rule that gives a number, of three players to each."""
        scope = {"player": "int"} if self.game == "three" else {}
        head = f"def {rule}({', '.join(['self', *scope])}):"
        return self.function(head, scope, count, lambda: [f"return {self.number()}"])


def write(seed: int) -> Random:
    """The random class of a seed."""
    return Writer(seed).write()
