"""try, except, else and finally: what a statement may raise, and which handler catches it.

Compiled code cannot inspect an exception. So inside `try` every step that may raise a caught exception is tested
first: if it would fail, the handler's number is stored and the body, a loop of one iteration, is left. A function
that is called inside `try` has a version that tells: it, too, tests its steps first, and stores the exception's number
in the room, where the caller's `try` finds it. If a step fails that could not be tested, plain Python goes on.
"""

import ast
import builtins
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from outplay.compile.arithmetic import CHECKED, OVERFLOWING, TO_INT
from outplay.compile.natural.builtins import Builtins
from outplay.compile.natural.kinds import Cannot
from outplay.compile.natural.values import FAULT, OUTGROWN, ROOM
from outplay.compile.source import Missing

CURE = "test the condition with `if`"
UNCLEAR = "which exception is raised inside `try` is not clear"
ZERO = (ZeroDivisionError,)
VALUE = (ValueError,)
RAISES: dict[str, tuple[type, ...]] = {  # functions of generated code that may raise
    "index": (IndexError,), "index_up": (IndexError,),
    "floor_div": ZERO, "modulo": ZERO, "divide": ZERO, "float_floor_div": ZERO,
    "float_modulo": ZERO, "float_power": ZERO, "digit": VALUE, "parsed": VALUE,
    "character": VALUE, "shift_left": VALUE, "shift_right": VALUE, "power": ZERO, "range_length": VALUE,
    "factorial": VALUE, "comb": VALUE, "perm": VALUE, "isqrt": VALUE,
    "first_of_slice": VALUE, "first_word": VALUE, "last_word": VALUE,
}  # fmt: skip
TESTS: dict[str, Callable[..., str]] = {  # the conditions
    "index": lambda i, n: f"({i} < -({n}) or {i} >= ({n}))",
    "index_up": lambda i, n: f"{i} >= ({n})",
    **dict.fromkeys(("floor_div", "modulo", "divide"), lambda a, b: f"{b} == 0"),
    **dict.fromkeys(("float_floor_div", "float_modulo"), lambda a, b: f"{b} == 0"),
    "float_power": lambda a, b: f"({a} == 0 and {b} < 0)",  # a root of a negative number is complex in Python
    "digit": lambda c: f"({c} < 48 or {c} > 57)",
    "character": lambda c: f"({c} < 0 or {c} > 0x10FFFF)",
    "parsed": lambda data, count: f"unparsed({data}, {count}) == 1",
    **dict.fromkeys(("shift_left", "shift_right"), lambda x, n: f"{n} < 0"),
    "range_length": lambda start, stop, step: f"{step} == 0",
    **{f"_outplay_checked_{called.__name__}": lambda x: f"({x}) != ({x})" for called in TO_INT},  # NaN
    **dict.fromkeys(("_outplay_checked_sqrt", "isqrt", "factorial"), lambda x: f"({x}) < 0"),
    **{f"_outplay_checked_{name}": lambda x: f"({x}) <= 0" for name in ("log", "log2", "log10")},
    **{f"_outplay_checked_{name}": lambda x: f"abs({x}) > 1" for name in ("asin", "acos")},
    **{f"_outplay_checked_{name}": lambda x: f"abs({x}) == INFINITY" for name in ("sin", "cos", "tan")},
    **dict.fromkeys(("comb", "perm"), lambda n, k: f"(({n}) < 0 or ({k}) < 0)"),
}
CHECKED_SYMBOLS = {f"_outplay_checked_{called.__name__}": called for called in CHECKED}  # functions of math
NEVER_INVALID = {  # that give a number for every number
    *("exp", "expm1", "sinh", "cosh", "tanh", "asinh", "atan", "fabs", "degrees", "radians", "erf", "erfc"),
    *("hypot", "atan2", "copysign", "float"),
}
UNCAUGHT = (MemoryError, RecursionError, OverflowError)  # compiled code raises them where Python does not
UNTOLD = -2  # an exception that only compiled code raises
CALL = re.compile(r"\b(\w+)\(")


class Attempt:
    """A `try` whose body is being compiled."""

    def __init__(self, caught: str, handlers: list[tuple[type, ...]]) -> None:
        self.caught, self.handlers = caught, handlers

    def handler(self, error: type) -> int:
        """The number of the handler that catches an exception, 0 if none does."""
        for i, classes in enumerate(self.handlers):
            if issubclass(error, classes):
                return i + 1
        return 0


class Leaving:
    """`break` and `continue` inside `try` that refer to a loop outside it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.used: set[int] = set()


class Attempts(Builtins):
    """Compiles `try`, and `raise`."""

    attempts: list[Attempt]
    finals: list[list[ast.stmt]]
    breaking: list[Any]
    telling: bool  # whether it is called inside `try`, so that a caller wants to know what is raised
    told: set[type]  # what it raises, and tells
    silent: set[type]  # what it raises besides; the steps of a function that does not tell are not among it
    is_generator: bool
    symbol: str
    ways_out: int  # how many steps so far leave a block before its end

    # --- what is raised -----------------------------------------------------------------------------------

    def catching(self, error: type) -> tuple[Attempt, int] | None:
        for attempt in reversed(self.attempts):
            if number := attempt.handler(error):
                return attempt, number
        return None

    @property
    def tells(self) -> bool:
        """Whether what is raised here and not caught is told.

        What a generator raises is not, as it comes before its caller has used the first items; nor what leaves a
        `finally` behind, which would not be carried out.
        """
        return self.telling and not (self.is_generator or self.ahead or self.finals)

    def fail(self, error: str, said: str = "", like: tuple[type, ...] | None = None) -> None:
        """Raise an exception; `like` are those that Python may raise there."""
        classes = like or (getattr(builtins, error, Exception),)
        found = {self.catching(cls) for cls in classes}
        if self.ahead or len(found) > 1:
            self.beyond("an iterator raises an exception" if self.ahead else UNCLEAR)
            return
        caught = found.pop()
        if caught is not None:
            self.go_to(*caught)
            return
        if self.tells and len(classes) == 1:
            self.told.add(classes[0])
            self.plainly(f"put_word({ROOM}, {FAULT}, {self.program.fault(classes[0])})")
        else:
            self.silent |= set(classes)
        super().fail(error, said)

    def go_to(self, attempt: Attempt, number: int) -> None:
        self.plainly(f"{attempt.caught} = {number}")
        self.plainly("break")

    def plainly(self, text: str) -> None:
        self.lines.append((self.indent, text, self.line))

    def emit(self, text: str) -> None:
        if not (self.attempts or self.telling):
            self.plainly(text)
            return
        told: set[type] = set()
        silent: set[type] = set()
        for name, args in calls_in(text):
            if name.startswith("_outplay_") and name not in CHECKED_SYMBOLS:
                more, others = self.program.raised(name, set())
                told, silent = told | more, silent | others
            else:
                untested = self.look_first(name, args, text)
                silent |= untested
                self.silent |= untested
        if any(map(self.catching, told | silent)) or told and not self.tells:
            self.guarded(text, told)
        else:
            self.plainly(text)

    def look_first(self, name: str, args: list[str], text: str) -> set[type]:
        """Leave before a step that would raise a caught or told exception; what it may raise without a test."""
        untested: set[type] = set()
        together = re.search(r"\b(and|or|while)\b| if ", text)
        for cls in raised_by(name, args):
            if name not in TESTS or together or cls is OverflowError:
                untested.add(cls)
            elif self.tells or self.catching(cls):
                with self.block(f"if {TESTS[name](*args)}:"):
                    self.fail(cls.__name__)
            else:
                untested.add(cls)
        return untested

    def wants(self, symbol: str) -> bool:
        """Whether a function should tell what it raises."""
        if not (self.attempts or self.tells):
            return False
        told, silent = self.program.raised(symbol, set())
        return any(self.tells or self.catching(cls) for cls in told | silent)

    def guarded(self, text: str, told: set[type]) -> None:
        """Write a step that may raise: what it tells is caught or told again, and of anything else nothing is known."""
        if text.startswith(("if ", "while ", "for ")):
            raise Cannot("try around this cannot be compiled", CURE)
        failed, depth = self.fresh(), self.fresh()
        self.plainly(f"{failed} = 0")
        self.plainly(f"{depth} = word({ROOM}, 2)")
        with self.block("try:"):
            self.plainly(text)
        with self.block("except Exception:"):
            self.plainly(f"{failed} = word({ROOM}, {FAULT})")
            with self.block(f"if {failed} == 0:"):
                self.plainly(f"{failed} = {UNTOLD}")
        with self.block(f"if {failed} != 0:"):
            self.plainly(f"put_word({ROOM}, 2, {depth})")
            self.plainly(f"put_word({ROOM}, {FAULT}, 0)")
            with self.block(f"if {failed} == {OUTGROWN}:"):
                self.outgrown("a number has too many bits")
            for cls in sorted(told, key=self.program.fault):
                if self.tells or self.catching(cls):
                    with self.block(f"if {failed} == {self.program.fault(cls)}:"):
                        self.fail(builtin_like(cls), "", (cls,))
            self.beyond(UNCLEAR)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        before = len(self.lines)
        with super().block(head):
            yield
        if head.startswith(("while", "for")):
            for attempt in self.attempts:  # leaving the body leaves its inner loops, too
                if any(text.startswith(f"{attempt.caught} = ") for _, text, _ in self.lines[before:]):
                    with super().block(f"if {attempt.caught} != 0:"):
                        self.plainly("break")

    # --- statements ---------------------------------------------------------------------------------------

    def do_Try(self, node: ast.Try) -> None:
        if not node.finalbody:
            self.attempt(node)
            return
        if self.attempts:
            raise Cannot("`finally` inside `try` cannot be compiled", "write it after the block")
        self.finals.append(node.finalbody)
        leaving = self.once(lambda: self.attempt(node) if node.handlers else self.statements(node.body))
        self.finals.pop()
        self.statements(node.finalbody)
        self.go_on(leaving, node)

    def once(self, body: Callable[[], None]) -> Leaving:
        """A loop of one iteration, which `break` leaves."""
        leaving = Leaving(self.temp("0"))
        with self.scope("while True:"):
            self.breaking = [*self.breaking, leaving]
            body()
            self.plainly("break")
            self.breaking.pop()
        return leaving

    def go_on(self, leaving: Leaving, node: ast.stmt) -> None:
        """Carry out the `break` or `continue` that left the body."""
        for number, go in ((1, self.do_Break), (2, self.do_Continue)):
            if number in leaving.used:
                with self.block(f"if {leaving.name} == {number}:"):
                    go(node)

    def attempt(self, node: ast.Try) -> None:
        attempt = Attempt(self.temp("0"), [self.caught_by(handler) for handler in node.handlers])

        def body() -> None:
            self.attempts.append(attempt)
            try:
                self.statements(node.body)
            finally:
                self.attempts.pop()

        leaving = self.once(body)
        self.go_on(leaving, node)
        if node.orelse:
            with self.scope(f"if {attempt.caught} == 0:"):
                self.statements(node.orelse)
        for i, handler in enumerate(node.handlers):
            with self.scope(f"if {attempt.caught} == {i + 1}:"):
                self.statements(handler.body)

    def caught_by(self, handler: ast.ExceptHandler) -> tuple[type, ...]:
        """The classes that a handler catches."""
        if handler.name is not None:
            used = [n for s in handler.body for n in ast.walk(s) if isinstance(n, ast.Name)]
            if any(n.id == handler.name for n in used):
                raise Cannot("an exception is used as a value", "remove `as`")
        if handler.type is None:
            return (Exception,)
        nodes = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        found = tuple(self.static(each) for each in nodes)
        if Missing in found or any(cls in UNCAUGHT for cls in found):
            raise Cannot("this `except` cannot be compiled", CURE)
        return found

    def do_Raise(self, node: ast.Raise) -> None:
        error = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        found = self.static(error) if error is not None else ValueError
        if not (isinstance(found, type) and issubclass(found, Exception)):
            raise Cannot("this cannot be raised", "raise ValueError")
        self.fail(builtin_like(found), "", (found,))

    def do_Break(self, node: ast.stmt) -> None:
        self.leave_loop(1)

    def do_Continue(self, node: ast.stmt) -> None:
        self.leave_loop(2)

    def leave_loop(self, how: int) -> None:
        self.ways_out += 1
        top = self.breaking[-1] if self.breaking else None
        if isinstance(top, Leaving):
            top.used.add(how)
            self.plainly(f"{top.name} = {how}")
        elif how == 2:
            self.plainly("continue")
            return
        elif top is not None:
            self.plainly(f"{top} = 1")
        self.plainly("break")

    def scope(self, head: str) -> Any:
        raise NotImplementedError

    def statements(self, nodes: list[ast.stmt]) -> None:
        raise NotImplementedError


def calls_in(text: str) -> Iterator[tuple[str, list[str]]]:
    """The calls in a line of code, each with its arguments."""
    for found in CALL.finditer(text):
        depth, start, args = 0, found.end(), []
        for i in range(found.end() - 1, len(text)):
            if text[i] == "(":
                depth += 1
            elif text[i] == ")":
                depth -= 1
            if depth == 0 or depth == 1 and text[i] == ",":
                args.append(text[start:i].strip())
                start = i + 1
            if depth == 0:
                break
        yield found[1], args


def builtin_like(error: type) -> str:
    """The exception that compiled code raises for one of the user's."""
    return error.__name__ if error.__module__ == "builtins" and error is not StopIteration else "ValueError"


def raised_by(name: str, args: list[str]) -> tuple[type, ...]:
    """What a step may raise."""
    if name in CHECKED_SYMBOLS:
        called = CHECKED_SYMBOLS[name]
        invalid = () if called.__name__ in NEVER_INVALID else VALUE
        return (*invalid, OverflowError) if called in TO_INT or called.__name__ in OVERFLOWING else invalid
    return () if _is_safe(name, args) else RAISES.get(name, ())


def _is_safe(name: str, args: list[str]) -> bool:
    """Whether the last argument is a literal for which the step cannot fail."""
    last = args[-1].lstrip("-") if args else ""
    return name not in ("index", "index_up") and last.isdigit() and int(last) > 0 and name in TESTS


def raised_in(lines: list[tuple[int, str, int]]) -> tuple[set[type], set[str]]:
    """What a function's steps may raise, and the functions that it calls."""
    classes: set[type] = set()
    called: set[str] = set()
    for _, text, _ in lines:
        for name, args in calls_in(text):
            if name.startswith("_outplay_") and name not in CHECKED_SYMBOLS:
                called.add(name)
            else:
                classes |= set(raised_by(name, args))
    return classes, called
