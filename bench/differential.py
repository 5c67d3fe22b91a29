"""One random class, plain beside this process's lane of the compile layer: every rule, state by state.

The lane is what the environment says: compiled, with NUMBA_BOUNDSCHECK=1 bounds-checked, with OUTPLAY_JIT=0
rewritten but interpreted. A rule that gives a value must give the same one there; a rule that raises must raise.
"""

import ast
import importlib
import linecache
import random
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import typeof

from bench import machine
from bench.random_class import EXPECTED, FIELD, LISTED, OF_ACTION, Random
from outplay import check
from outplay.compile import ENABLED, jit, kernel, twin
from outplay.compile.errors import explained
from outplay.compile.interpreted import Interpreted
from outplay.compile.lane import Again, again
from outplay.compile.natural.native import Beyond
from outplay.compile.natural.program import Natural
from outplay.compile.natural.values import Writer
from outplay.compile.program import Program
from outplay.compile.runtime import NATIVE
from outplay.compile.twins import is_interpreted
from outplay.game import Block, GameError, adopt, is_terminal, kind, legal, utility
from outplay.namesakes import Namesakes
from outplay.standard import is_wrapped
from outplay.words import wrap

GAMES, STATES = 2, 12  # random games, and random states besides
ACTIONS = 4  # of a state, that are tried
ROOM = 256

pointer = NATIVE["pointer"][ENABLED]


class Difference(NamedTuple):
    """Where a lane does not say what the plain class says."""

    what: str  # "refused", "evaluate()" ...
    text: str


def compare(made: Random, folder: Path, methods: bool = False) -> Difference | None:
    """The first difference between the class as CPython runs it and as this lane does; None if there is none.

    With `methods` the rules are called as searches call them (`s.actions(out, 0)`), else as rules call each other,
    which is quicker to compile.
    """
    game = load(made, folder)
    said: list[str] = []  # what kept the class from being compiled, before it was tried in another way

    def built() -> Lane:
        try:
            return Lane(game, made.rules, methods)
        except Again as error:
            said.append(str(error))
            raise

    try:
        lane = again(built)()
    except GameError as error:
        if "\n" in str(error):
            return Difference("refused in several lines", str(error))
        expected = any(map(made.may_be_refused, [str(error), refusal(game), *said]))
        return Difference(EXPECTED if expected else "refused", str(error))
    except Exception as error:
        text = " ".join(str(error).split())
        return Difference("refused, unexplained", f"{type(error).__name__}: {text[:400]}")
    try:
        for state in inputs(game, made.seed):
            found = lane.compare(state)
            if found is not None:
                return found
        return None
    finally:
        forget(made)


def refusal(game: Any) -> str:
    """What keeps a class from being compiled as it stands, before it is tried as natural Python; "" if nothing does."""
    try:
        Program(game)
    except GameError as error:
        return str(error)
    return ""


def keep_nothing() -> None:
    """Fifty thousand classes: no machine code is kept. What their random methods say is no reason to leave them out."""
    jit.is_kept = lambda module: False  # type: ignore[assignment]
    Namesakes.look = lambda self, *seen: None  # type: ignore[method-assign]


def load(made: Random, folder: Path) -> Any:
    """The class, from files in a folder that is on Python's path."""
    for name, text in ((f"beside_{made.seed}", made.beside), (f"game_{made.seed}", made.game)):
        (folder / f"{name}.py").write_text(text)
        sys.modules.pop(name, None)
    linecache.clearcache()
    importlib.invalidate_caches()
    return importlib.import_module(f"game_{made.seed}").Game


def forget(made: Random) -> None:
    for name in (f"beside_{made.seed}", f"game_{made.seed}"):
        sys.modules.pop(name, None)


def inputs(game: Any, seed: int) -> Iterator[Any]:
    """States that random games reach, and random states."""
    dice = random.Random(seed)
    start = game()
    for _ in range(GAMES):
        state = start
        while True:
            yield state
            try:
                actions = list(state.actions())
                if state.left <= 0 or not actions:
                    break
                state = state.result(dice.choice(actions))
            except Exception:
                break
    for _ in range(STATES):
        changed = {
            field: dice.randint(0, 9) if field == "left" else dice.randint(0, 1) if field == "mover" else
            dice.randint(-FIELD, FIELD)
            for field in game._fields if field not in ("marks", "board")
        }  # fmt: skip
        marks = tuple(dice.randint(-FIELD, FIELD) for _ in start.marks)
        board = wrap(dice.getrandbits(64) & (dice.getrandbits(64) | -dice.randrange(2)))
        yield start._replace(**changed, marks=marks, board=board)


class Lane:
    """A class's random rules as this lane runs them.

    Python calls a rule that gives a number or a state; one that writes words is called by a kernel. With `methods`
    a kernel calls each.
    """

    def __init__(self, game: Any, rules: tuple[str, ...], methods: bool) -> None:
        self.twin = twin(game)
        if isinstance(self.twin, Interpreted):
            raise GameError("; ".join(map(str, self.twin.reasons)))
        self.kind = kind(game)
        self.weights = (Block(game).address,) if self.twin.program.weights is not None else ()
        self.words = np.zeros(ROOM + 1, np.int64)
        self.rules = [rule for rule in rules if rule in self.twin.functions]
        self.called = {rule: self.built(rule, methods) for rule in self.rules}
        if ENABLED:
            state = self.twin.state(game())
            with explained(self.twin, state):
                for rule, function in self.called.items():
                    given = [typeof(value) for value in self.given(state, rule, 0)]
                    function.compile(tuple(given))

    def built(self, rule: str, methods: bool) -> Any:
        """What Python calls to run a rule."""
        if rule in WRITTEN:
            text = f"s.{rule}(pointer(out), 0)" if methods else f"{rule}(s, pointer(out), 0, {ROOM})"
            text = f"def drive(s, out): return {text}"
        elif methods and rule in ("result", *OF_ACTION) and rule != "policy_index":  # whose range is checked
            text = f"def drive(s, a): return s.{rule}(a)"
        else:
            return self.twin.functions[rule]
        names = {rule: self.twin.functions[rule], "pointer": pointer}
        exec(text, names)
        names["drive"].__module__ = __name__
        return kernel(names["drive"])

    def given(self, state: Any, rule: str, action: int | None) -> tuple[Any, ...]:
        """The arguments of a rule."""
        if rule in WRITTEN:
            return state, self.words
        return state, *[action] * (rule in TAKING), *self.weights * (rule == "evaluate")

    def compare(self, state: Any) -> Difference | None:
        try:
            actions = [int(action) for action in state.actions()][:ACTIONS]
        except Exception:
            actions = [1]
        for rule in self.rules:
            for action in actions if rule in TAKING else [None]:
                told = "" if action is None else str(action)
                plain = outcome(lambda rule=rule, action=action: self.plain(state, rule, action))
                here = outcome(lambda rule=rule, action=action: self.here(state, rule, action))
                if isinstance(here, Raised) and here.error.startswith(Beyond.__name__):
                    continue  # a search would go on interpreted
                if not same(plain, here):
                    return Difference(
                        f"{rule}()", f"{rule}({told}) is {plain} plain but {here} here, at {state!r}"
                    )
        return None

    def plain(self, state: Any, rule: str, action: int | None) -> Any:
        answer = getattr(state, rule)(*[] if action is None else [action])
        if rule == "result":
            return list(flat(answer))
        return [wrap(int(a)) for a in answer] if rule in WRITTEN else answer

    def here(self, state: Any, rule: str, action: int | None) -> Any:
        answer = self.called[rule](*self.given(self.twin.state(state), rule, action))
        if rule == "result":
            return list(flat(self.twin.back(answer)))
        return self.words[:answer].tolist() if rule in WRITTEN else answer


WRITTEN = ("actions", *LISTED)
TAKING = ("result", "probability", *OF_ACTION)


def flat(state: Any) -> Iterator[int]:
    for field in state:
        if isinstance(field, tuple):
            yield from field
        else:
            yield field


class Raised(NamedTuple):
    error: str


def outcome(ask: Any) -> Any:
    try:
        return ask()
    except Exception as error:
        return Raised(f"{type(error).__name__}: {error}")


def same(plain: Any, here: Any) -> bool:
    if isinstance(plain, Raised) or isinstance(here, Raised):
        return isinstance(plain, Raised) and isinstance(here, Raised)
    if isinstance(plain, int) and not -(1 << 63) <= plain < 1 << 63:
        plain = wrap(plain)
    return bool(plain == here)


# --- other lanes ----------------------------------------------------------------------------------------

Compare = Callable[[Random, Path], Difference | None]


def unchecked(made: Random, folder: Path) -> Difference | None:
    """Rules that raise are not run: without checks they may do anything."""
    return None if made.may_fail else compare(made, folder)


def simulated(made: Random, folder: Path) -> Difference | None:
    """Random games in numba-cuda's simulator are those of the CPU."""
    from outplay.search import playouts
    from outplay.search.mcts.gpuplayout import playouts as on_gpu

    if made.may_fail:
        return None
    start = load(made, folder)()
    if is_interpreted(type(start)):
        forget(made)
        return Difference(EXPECTED, "a class that runs interpreted is refused on a GPU")
    here, there = (
        outcome(lambda play=play: play(start, GAMES, seed=made.seed)) for play in (playouts, on_gpu)
    )
    forget(made)
    if same(here, there):
        return None
    return Difference("playouts", f"random games are {here} on the CPU but {there} in the simulator")


def searched(made: Random, folder: Path) -> Difference | None:
    """Perft is the plain count, and alpha-beta gives the plain minimax value, of a game of two plies."""
    from outplay.search import perft, solve
    from outplay.search.perft import plain_perft

    game = load(made, folder)
    start = game()._replace(left=2)
    questions: dict[str, tuple[Any, Any, Any]] = {}
    if "count" not in made.rules:  # a random count is not the number of actions, and perft believes it
        questions["perft"] = plain_perft, perft, 2
    if not kind(game).chance:
        questions["value"] = minimax, lambda state, solver: solve(state, solver).value, "alphabeta"
    found = None
    for what, (by_definition, here, argument) in questions.items():
        plain = outcome(lambda ask=by_definition, given=argument: ask(start, given))
        ours = outcome(lambda ask=here, given=argument: ask(start, given))
        refused = isinstance(ours, Raised) and made.may_be_refused(ours.error)
        if found is None and not refused and not same(plain, ours):
            kind_of = f"{what} raises" if isinstance(ours, Raised) else what
            found = Difference(kind_of, f"the {what} is {plain} plain but {ours} here")
    forget(made)
    return found


def minimax(state: Any, solver: str = "") -> Any:
    """The value for MAX, by the definition."""
    actions = legal(state)
    if not actions:
        assert is_terminal(state)  # a search says so, too
        return utility(state)
    best = min if state.player() else max
    return best(minimax(state.result(action)) for action in actions)


def written(made: Random, folder: Path) -> Difference | None:
    """A class in the Python that people write, by the code that it becomes, which CPython runs (`machine.py`)."""
    Writer.proving = True  # the code also says where the compiler holds its numbers to lie
    game = load(made, folder)
    try:
        form = adopt(game)
        if not is_wrapped(form) and not refusal(form):
            return native(made, folder)  # it is compiled as it stands
        found = machine.difference(
            game, Natural(form), GAMES, made.seed
        )  # as `twin` does, less the machine code
        return Difference(found.split("(")[0], found) if found else None
    except GameError as error:
        return Difference("interpreted", str(error))
    except Exception as error:
        text = " ".join(str(error).split())
        return Difference(f"raises {type(error).__name__}", f"{type(error).__name__}: {text[:400]}")
    finally:
        forget(made)


def native(made: Random, folder: Path) -> Difference | None:
    """A class in the Python that people write, by `outplay check`: it is compiled, and means the same."""
    check.BREADTH = STATES
    game = load(made, folder)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            report = again(check.check)(game, games=GAMES, seed=made.seed)
            lane = twin(adopt(game))
    except GameError as error:
        return Difference("refused", str(error))
    except Exception as error:
        return Difference(
            "refused, unexplained", f"{type(error).__name__}: {' '.join(str(error).split())[:400]}"
        )
    finally:
        forget(made)
    if report.fault:
        return Difference(report.fault.split("(")[0].split(" is ")[0], str(report))
    if reasons := getattr(lane, "reasons", ()):
        return Difference("interpreted", "; ".join(map(str, reasons)))
    return None


LANES: dict[str, Compare] = {
    "written": written,
    "native": native,
    "rules": compare,
    "methods": lambda made, folder: compare(made, folder, methods=True),
    "unchecked": unchecked,
    "simulated": simulated,
    "searched": searched,
}


# --- shrinking ------------------------------------------------------------------------------------------


def shrink(made: Random, folder: Path, compare: Compare, tries: int = 250) -> Random:
    """The class with as few statements as still make the same kind of difference."""
    first = compare(made, folder)
    assert first is not None
    number = 0
    while tries > 0:
        text = without(made.game, number)
        if text is None:
            break
        tries -= 1
        smaller = made._replace(game=text)
        try:
            found = compare(smaller, folder)
        except Exception:  # it cannot even be imported
            found = None
        if found is not None and nature(found) == nature(first):
            made = smaller
        else:
            number += 1
    return made


def nature(found: Difference) -> tuple[str, str]:
    """What a smaller class must show, too: the same rule differs, or the same is said, be it of another line."""
    says = found.what.startswith(("refused", "interpreted", "raises"))
    return found.what, re.sub(r"\d+", "", found.text)[:60] if says else ""


def without(text: str, number: int) -> str | None:
    """The program with its number-th part made simpler; None if it has fewer."""
    tree = ast.parse(text)
    for i, simpler in enumerate(parts(tree)):
        if i == number:
            simpler()
            return ast.unparse(ast.fix_missing_locations(tree))
    return None


def parts(tree: ast.AST) -> Iterator[Any]:
    """Each way to make a program simpler: a statement left out, a body in place of its `if`, a part of a sum."""
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            statements = getattr(node, field, None)
            if not isinstance(statements, list):
                continue
            for i, statement in enumerate(statements):
                if isinstance(statement, ast.Import | ast.ImportFrom | ast.AnnAssign | ast.ClassDef):
                    continue
                if len(statements) > 1 or field == "orelse":
                    yield lambda s=statements, i=i: s.pop(i)
                if isinstance(statement, ast.If | ast.For | ast.While):
                    yield lambda s=statements, i=i, new=statement.body: s.__setitem__(slice(i, i + 1), new)
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "func") or not isinstance(value, ast.expr):
                continue
            for inner in ast.iter_child_nodes(value):
                if isinstance(inner, ast.expr) and not isinstance(inner, ast.Constant):
                    yield lambda n=node, f=field, v=inner: setattr(n, f, v)
            if isinstance(value, ast.BinOp | ast.Compare | ast.BoolOp | ast.Call | ast.IfExp | ast.Subscript):
                yield lambda n=node, f=field: setattr(n, f, ast.Constant(1))
