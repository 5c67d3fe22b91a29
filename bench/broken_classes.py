"""Classes that break the contract or the machine, each a small game with something wrong in it.

`KINDS` maps what is wrong to the parts of the template that say so. `ALONE` are those that may end or hang the
process that runs them.
"""

import textwrap

TEMPLATE = """\
import math, os, random, sys, time
from typing import NamedTuple
from outplay import CHANCE, Board, Weights
{top}
class Game(NamedTuple):
{fields}
{constants}
{methods}
"""
FIELDS = "heap: int = 5\nmover: int = 0"
METHODS = {
    "player": "def player(self):\n    return self.mover",
    "actions": "def actions(self):\n    for take in (1, 2):\n        if take <= self.heap: yield take",
    "result": "def result(self, take):\n    return Game(self.heap - take, 1 - self.mover)",
    "terminal": "def terminal(self):\n    return self.heap <= 0",
    "utility": "def utility(self):\n    return 1 if self.mover else -1",
}
DICE = {  # a game of chance
    "player": "def player(self):\n    return CHANCE if self.heap % 2 else self.mover",
    "probability": "def probability(self, take):\n    return 0.5 if self.heap > 1 else 1.0",
}
FOREVER = "while True:\n        pass"


def rule(name: str, body: str, argument: str = "") -> dict[str, str]:
    """A method in place of the template's, or beside it."""
    arguments = f"self, {argument}" if argument else "self"
    return {name: f"def {name}({arguments}):\n    {body}"}


def told(name: str, value: str) -> dict[str, str]:
    """A method of an action that returns some value."""
    return rule(name, f"return {value}", "take")


KINDS: dict[str, dict[str, str]] = {
    # what a class must have
    "no player": {"player": ""},
    "no actions": {"actions": ""},
    "no result": {"result": ""},
    "no utility": {"utility": ""},
    "player is no method": {"player": "player = 0"},
    "player takes an argument": rule("player", "return self.mover", "who"),
    "actions takes an argument": rule("actions", "return [1]", "who"),
    "result takes none": rule("result", "return Game()"),
    "utility takes an argument": rule("utility", "return 1", "player"),
    "not a NamedTuple": {"text": "class Game:\n    def player(self): return 0\n"},
    "a dataclass": {"text": "import dataclasses\n@dataclasses.dataclass\nclass Game:\n    heap: int = 3\n    def player(self): return 0\n"},
    "no class at all": {"text": "x = 1\n"},
    "an empty file": {"text": ""},
    "two classes": {"top": "class Other(NamedTuple):\n    x: int = 0\n    def player(self): return 0\n"},
    "a syntax error": {"text": "class Game(NamedTuple:\n    pass\n"},
    "tabs and spaces": {"text": "class Game:\n\tdef f(self):\n        return 1\n"},
    "binary": {"text": "\x00\x01\x02"},
    "an import that is not there": {"top": "import no_such_module_anywhere"},
    "an error at import": {"top": "1 / 0"},
    "prints at import": {"top": "print('hello')"},
    "sys.exit at import": {"top": "sys.exit(0)"},
    "recursion at import": {"top": "def f(): return f()\nf()"},
    "KeyboardInterrupt at import": {"top": "raise KeyboardInterrupt"},
    # fields
    "a list field": {"fields": "heap: list = []\nmover: int = 0"},
    "a list in an int field": {"fields": "heap: int = []\nmover: int = 0"},
    "a dict field": {"fields": "heap: dict = {}\nmover: int = 0"},
    "a text field": {"fields": "heap: str = 'abc'\nmover: int = 0"},
    "a float field": {"fields": "heap: float = 5.0\nmover: int = 0"},
    "a float in an int field": {"fields": "heap: int = 5.0\nmover: int = 0"},
    "None in a field": {"fields": "heap: int = None\nmover: int = 0"},
    "a field without a default": {"fields": "heap: int\nmover: int = 0"},
    "a field of 17 ints": {"fields": "heap: int = 5\nmover: int = 0\nmarks: tuple = (0,) * 17"},
    "a field called player": {"fields": "heap: int = 5\nplayer: int = 0\nmover: int = 0"},
    "no fields": {"fields": "pass"},
    "a tuple that grows": {
        "fields": "heap: int = 5\nmover: int = 0\npast: tuple = (0,)",
        **rule("result", "return Game(self.heap - take, 1 - self.mover, self.past + (take,))", "take"),
    },
    "an empty tuple": {"fields": "heap: int = 5\nmover: int = 0\npast: tuple = ()"},
    "a class that inherits": {"top": "class Base(NamedTuple):\n    x: int = 0\n", "text": TEMPLATE.split("{top}")[0] + "class Base(NamedTuple):\n    x: int = 0\nclass Game(Base):\n    def player(self): return 0\n    def actions(self): return [1]\n    def result(self, a): return self\n    def utility(self): return 0\n"},
    # whose move
    "player is 2": rule("player", "return 2"),
    "player is -1 without chance": rule("player", "return -1"),
    "player is huge": rule("player", "return 1 << 40"),
    "player is None": rule("player", "return None"),
    "player is text": rule("player", "return 'MAX'"),
    "player is a float": rule("player", "return 0.0"),
    "player raises": rule("player", "return 1 // 0"),
    "player is 2 later": rule("player", "return self.mover if self.heap > 3 else 2"),
    # actions
    "actions twice": rule("actions", "return [1, 1]"),
    "no actions, not over": rule("actions", "return []"),
    "no actions later, not over": rule("actions", "return [1] if self.heap > 2 else []"),
    "too many actions": rule("actions", "return range(300)"),
    "actions without end": rule("actions", "x = 0\n    while True:\n        x += 1\n        yield x"),
    "actions of text": rule("actions", "return ['a', 'b']"),
    "actions of floats": rule("actions", "return [1.0, 2.0]"),
    "actions of None": rule("actions", "return [None]"),
    "actions of tuples": rule("actions", "return [(1, 2)]"),
    "actions is None": rule("actions", "return None"),
    "actions is an int": rule("actions", "return 1"),
    "negative actions": {**rule("actions", "return [-1, -2]"), **rule("result", "return Game(self.heap + take, 1 - self.mover)", "take")},
    "huge actions": rule("actions", "return [1 << 70]"),
    "actions raise": rule("actions", "raise ValueError"),
    "actions raise later": rule("actions", "yield 1\n    yield 1 // (self.heap - 3)"),
    "more than max_actions": {"constants": "max_actions = 1"},
    "max_actions is 0": {"constants": "max_actions = 0"},
    "max_actions is text": {"constants": "max_actions = 'many'"},
    "max_actions is huge": {"constants": "max_actions = 1 << 40"},
    # results
    "result is None": rule("result", "return None", "take"),
    "result is a tuple": rule("result", "return (self.heap - take, 1 - self.mover)", "take"),
    "result is an int": rule("result", "return 1", "take"),
    "result of another class": {"top": "class Other(NamedTuple):\n    heap: int = 0\n    mover: int = 0\n", **rule("result", "return Other(self.heap - take, 1 - self.mover)", "take")},
    "result mutates": rule("result", "self.heap -= take\n    return self", "take"),
    "result is None on a path": rule("result", "if take == 1: return Game(self.heap - 1, 1 - self.mover)", "take"),
    "result raises": rule("result", "return Game(self.heap // (take - 2), 1 - self.mover)", "take"),
    "result with a float": rule("result", "return Game(self.heap / 2, 1 - self.mover)", "take"),
    "result with too many fields": rule("result", "return Game(1, 2, 3)", "take"),
    "a game without end": rule("result", "return Game(self.heap, 1 - self.mover)", "take"),
    "a heap that overflows": {**rule("result", "return Game(self.heap * 1000003 + take, 1 - self.mover)", "take"), **rule("terminal", "return self.heap < 0")},
    # impure rules
    "random actions": rule("actions", "return [random.randrange(3)]"),
    "random result": rule("result", "return Game(self.heap - 1 - random.randrange(2), 1 - self.mover)", "take"),
    "random utility": rule("utility", "return random.choice((-1, 1))"),
    "the clock": rule("utility", "return int(time.time()) % 2"),
    "a counter": {"top": "SEEN = [0]\n", **rule("utility", "SEEN[0] += 1\n    return SEEN[0]")},
    "a global": {"top": "SEEN = 0\n", **rule("utility", "global SEEN\n    SEEN += 1\n    return SEEN")},
    # ends
    "terminal is always true": rule("terminal", "return True"),
    "terminal is never true": rule("terminal", "return False"),
    "terminal is None": rule("terminal", "return None"),
    "terminal is text": rule("terminal", "return 'yes'"),
    "terminal raises": rule("terminal", "return 1 // self.heap == 0"),
    "utility is None": rule("utility", "return None"),
    "utility is text": rule("utility", "return 'won'"),
    "utility is a bool": rule("utility", "return self.mover == 1"),
    "utility is huge": rule("utility", "return 10 ** 15"),
    "utility has 70 bits": rule("utility", "return 1 << 70"),
    "utility is a float": rule("utility", "return 0.5"),
    "utility is NaN": {"constants": "scores = float", **rule("utility", "return math.nan")},
    "utility is infinite": {"constants": "scores = float", **rule("utility", "return math.inf")},
    "utility raises": rule("utility", "return 1 // 0"),
    "utility reads past a table": {"top": "T = tuple(range(20))\n", **rule("utility", "return T[20 + self.mover]")},
    "utility reads far past a table": {"top": "T = tuple(range(100))\n", **rule("utility", "return T[10 ** 12 + self.mover]")},
    "utility reads past a tuple": {"fields": "heap: int = 5\nmover: int = 0\nmarks: tuple = (1, 2)", **rule("result", "return self._replace(heap=self.heap - take, mover=1 - self.mover)", "take"), **rule("utility", "return self.marks[2 + self.mover]")},
    "utility above win": {"constants": "win = 1", **rule("utility", "return 5")},
    # evaluations
    "evaluate is None": rule("evaluate", "return None"),
    "evaluate is NaN": {"constants": "scores = float", **rule("evaluate", "return math.nan")},
    "evaluate is huge": rule("evaluate", "return 1 << 62"),
    "evaluate raises": rule("evaluate", "return 1 // (self.heap - 3)"),
    "evaluate takes an argument": rule("evaluate", "return 1", "depth"),
    "weights without evaluate": {"constants": "weights = Weights(a=1)"},
    "weights of text": {"constants": "weights = Weights(a='x')"},
    "a weight that is not there": {"constants": "weights = Weights(a=1)", "evaluate": "def evaluate(self, weights=weights):\n    return weights.b"},
    # chance
    "probabilities sum to 1.8": {**DICE, **told("probability", "0.9")},
    "probabilities sum to 0": {**DICE, **told("probability", "0.0")},
    "negative probability": {**DICE, **told("probability", "-0.5 if take == 1 else 1.5")},
    "probability is NaN": {**DICE, **told("probability", "math.nan")},
    "probability is None": {**DICE, **told("probability", "None")},
    "probability is text": {**DICE, **told("probability", "'half'")},
    "probability raises": {**DICE, **told("probability", "1 / 0")},
    "no probability": {"player": DICE["player"]},
    # texts
    "__str__ raises": rule("__str__", "raise RuntimeError('no')"),
    "__str__ is None": rule("__str__", "return None"),
    "__str__ is ten thousand lines": rule("__str__", "return 'x\\n' * 10000"),
    "action_text raises": told("action_text", "1 // 0"),
    "action_text is an int": told("action_text", "take"),
    "action_text is always the same": told("action_text", "'x'"),
    "parse is wrong": {"parse": "@classmethod\ndef parse(cls, text):\n    return cls(3)"},
    "parse is None": {"parse": "@classmethod\ndef parse(cls, text):\n    return None"},
    "parse raises": {"parse": "@classmethod\ndef parse(cls, text):\n    raise KeyError(text)"},
    "parse_action is wrong": rule("parse_action", "return 77", "text"),
    "board is a list": rule("board", "return [[1, 2]]"),
    "board raises": rule("board", "return Board(rows=1 // 0)"),
    "board is ragged": rule("board", "return Board(rows=('abc', 'd'))"),
    "board is empty": rule("board", "return Board(rows=())"),
    "board of ints": rule("board", "return Board(rows=(1, 2))"),
    "board has odd marks": rule("board", "return Board(rows=('ab',), marks=((9, 9),))"),
    "board has odd shapes": rule("board", "return Board(rows=('ab',), shapes={'a': 'no such shape'})"),
    "board has odd labels": rule("board", "return Board(rows=('ab',), ranks=('1', '2', '3'), files=(1,))"),
    "action_squares is wrong": told("action_squares", "[(99, 99)]"),
    # hooks
    "order is text": told("order", "'best'"),
    "order is None": told("order", "None"),
    "order raises": told("order", "1 // 0"),
    "key collides": rule("key", "return 1"),
    "key is text": rule("key", "return 'abc'"),
    "key is None": rule("key", "return None"),
    "symmetries are not equivalent": {**rule("key", "return self.heap * 2 + self.mover"), **rule("symmetries", "yield 1")},
    "repetition_key is None": {"constants": "repetition = 3", **rule("repetition_key", "return None")},
    "repetition is text": {"constants": "repetition = 'three'"},
    "plies_left is negative": rule("plies_left", "return -5"),
    "plies_left is text": rule("plies_left", "return 'many'"),
    "noisy is illegal": rule("noisy", "yield 77"),
    "noisy is None": rule("noisy", "return None"),
    "skip is None": rule("skip", "return None"),
    "skip is an int": rule("skip", "return 3"),
    "drawn is wrong": rule("drawn", "return True"),
    "count is wrong": rule("count", "return 5"),
    "planes are too many": {"constants": "plane_shape = (1, 1, 1)", **rule("planes", "yield 1\n    yield 2\n    yield 3")},
    "plane_shape is wrong": {"constants": "plane_shape = (0, -1)", **rule("planes", "yield 1")},
    "policy_index is huge": {"constants": "policy_size = 2", **told("policy_index", "10 ** 9")},
    "policy_index is negative": {"constants": "policy_size = 2", **told("policy_index", "-1")},
    "playout is illegal": rule("playout", "return 99", "random"),
    "sample is illegal": rule("sample", "return 99", "random"),
    "prior is text": told("prior", "'good'"),
    "prior is a float": told("prior", "take / 2"),
    "percept is wrong": {"percept": "def percept(self, action, player):\n    return None"},
    "percept raises": {"percept": "def percept(self, action, player):\n    return 1 // 0"},
    "finish is wrong": {"constants": "points = True", **rule("finish", "yield 99"), **rule("plies_left", "return self.heap")},
    "finish lies": {"constants": "points = True", **rule("finish", "yield 1"), **rule("plies_left", "return self.heap")},
    "ceiling is too low": rule("ceiling", "return -1"),
    "ceiling is None": rule("ceiling", "return None"),
    "promising misses the best": rule("promising", "yield 1"),
    "promising is illegal": rule("promising", "yield 77"),
    "key forgets the mover": rule("key", "return self.heap // 2"),
    "symmetries of another value": {**rule("key", "return self.heap * 2 + self.mover"), **rule("symmetries", "yield self.heap * 2 + self.mover\n    if 3 <= self.heap <= 4: yield 2 * (7 - self.heap) + self.mover")},
    "irreversible lies": {**rule("actions", "return [1] if self.heap < 2 else [0, 1]"), **rule("result", "return Game(self.heap - take, self.mover if take == 0 else 1 - self.mover)", "take"), **told("irreversible", "True")},
    "skip keeps the mover": rule("skip", "return Game(self.heap - 1, self.mover)"),
    "skip is a tuple": rule("skip", "return (self.heap, 1 - self.mover)"),
    "trait is huge": told("trait", "10 ** 6"),
    "trait is negative": told("trait", "-7"),
    "noisy without end": rule("noisy", "while True:\n        yield 1"),
    "planes are too few": {"constants": "plane_shape = (2, 1, 1)", **rule("planes", "yield 1")},
    "forced is text": rule("forced", "return 'yes'"),
    "sample depends on a clock": rule("sample", "return 1 + int(time.time() * 1e6) % 2", "random"),
    "players is 5": {"constants": "players = 5"},
    "players is text": {"constants": "players = 'two'"},
    "scores is text": {"constants": "scores = 'float'"},
    "uct is wrong": {"constants": "uct = {'no_such': 1}"},
    # names that shadow
    "a method called list": rule("list", "return 1"),
    "a constant called int": {"top": "int = 3\n"},
    "a module called math": {"top": "math = 5\n", **rule("utility", "return math.floor(1.5)")},
    "min is a constant": {"top": "min = 5\n", **rule("utility", "return min(1, 2)")},
    "a reserved name": rule("utility", "_outplay_x = 1\n    return _outplay_x"),
    # sizes
    "a hundred fields": {"fields": "heap: int = 5\nmover: int = 0\n" + "\n".join(f"f{i}: int = 0" for i in range(100)), **rule("result", "return self._replace(heap=self.heap - take, mover=1 - self.mover)", "take")},
    "a ragged table": {"top": "T = ((1,), (2, 3))\n", **rule("utility", "return T[self.mover][0]")},
    "a table of text": {"top": "T = ('a', 'b')\n", **rule("utility", "return len(T[0])")},
}  # fmt: skip

ALONE: dict[str, dict[str, str]] = {
    "recursion without end": {
        "top": "def down(n):\n    return down(n + 1)\n",
        **rule("utility", "return down(0)"),
    },
    "recursion of a generator without end": {
        "top": "def down(n):\n    yield n\n    yield from down(n + 1)\n",
        **rule("actions", "yield from down(0)"),
    },
    "a rule that never returns": rule("utility", FOREVER),
    "actions that never return": rule("actions", FOREVER + "\n    yield 1"),
    "player that never returns": rule("player", FOREVER),
    "evaluate that never returns": rule("evaluate", FOREVER),
    "a loop at import": {"top": "while True: pass"},
}


def source(kind: str) -> str:
    """The file of a broken class."""
    return written((KINDS | ALONE)[kind])


def written(parts: dict[str, str]) -> str:
    """The template with some parts in place of its own, or beside them."""
    if "text" in parts:
        return parts["text"]
    methods = {name: parts.get(name, text) for name, text in METHODS.items()}
    methods |= {k: v for k, v in parts.items() if k not in ("top", "fields", "constants")}
    return TEMPLATE.format(
        top=parts.get("top", ""),
        fields=textwrap.indent(parts.get("fields", FIELDS), "    "),
        constants=textwrap.indent(parts.get("constants", ""), "    "),
        methods="\n".join(textwrap.indent(text, "    ") for text in methods.values()),
    )
