"""try, except, else and finally: what a statement may raise, and which handler catches it.

Compiled code cannot inspect an exception. So inside `try` every step that may raise a caught exception is tested
first: if it would fail, the handler's number is stored and the body, a loop of one iteration, is left. A function
with a `raise` of its own stores the exception's number in the room, where the caller's `try` finds it. Code whose
exceptions cannot be told apart is not compiled.
"""

import ast
import builtins
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from outplay.compile.arithmetic import CHECKED, TO_INT
from outplay.compile.natural.builtins import Builtins
from outplay.compile.natural.kinds import Cannot
from outplay.compile.natural.values import FAULT, OUTGROWN, ROOM
from outplay.compile.source import Missing

CURE = "test the condition with `if`"
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
    **dict.fromkeys(("comb", "perm"), lambda n, k: f"(({n}) < 0 or ({k}) < 0)"),
}
CHECKED_SYMBOLS = {f"_outplay_checked_{called.__name__}" for called in CHECKED}  # functions of math
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
    explicit: set[type]  # what the function's own `raise` statements raise
    symbol: str
    ways_out: int  # how many steps so far leave a block before its end

    # --- what is raised -----------------------------------------------------------------------------------

    def catching(self, error: type) -> tuple[Attempt, int] | None:
        for attempt in reversed(self.attempts):
            if number := attempt.handler(error):
                return attempt, number
        return None

    def fail(self, error: str, said: str = "", like: tuple[type, ...] | None = None) -> None:
        """Raise an exception; `like` are those that Python may raise there (empty: none)."""
        classes = like if like is not None else (getattr(builtins, error, Exception),)
        found = {self.catching(cls) for cls in classes}
        if len(found) > 1 or self.attempts and not classes:
            raise Cannot("try around this cannot be compiled", CURE)
        caught = next(iter(found), None)
        if caught is not None:
            self.go_to(*caught)
            return
        if error != "Outgrown" and classes:
            self.explicit.add(classes[0])
            self.plainly(f"put_word({ROOM}, {FAULT}, {self.program.fault(classes[0])})")
        super().fail(error, said)

    def go_to(self, attempt: Attempt, number: int) -> None:
        self.plainly(f"{attempt.caught} = {number}")
        self.plainly("break")

    def plainly(self, text: str) -> None:
        self.lines.append((self.indent, text, self.line))

    def emit(self, text: str) -> None:
        if self.attempts:
            for name, args in calls_in(text):
                if name.startswith("_outplay_") and name not in CHECKED_SYMBOLS:
                    if self.catch_call(name, text):
                        return
                else:
                    self.look_first(name, args, text)
        self.plainly(text)

    def look_first(self, name: str, args: list[str], text: str) -> None:
        """Leave the body before a step that would raise a caught exception."""
        classes = VALUE if name in CHECKED_SYMBOLS else RAISES.get(name, ())
        for cls in classes:
            caught = self.catching(cls)
            if caught is None or _is_safe(name, args):
                continue
            together = re.search(r"\b(and|or|while)\b| if ", text)
            if name not in TESTS or together:
                raise Cannot("try around this cannot be compiled", CURE)
            with self.block(f"if {TESTS[name](*args)}:"):
                self.go_to(*caught)

    def catch_call(self, symbol: str, text: str) -> bool:
        """Write a call of a function that may raise a caught exception; False if it cannot raise one."""
        explicit, others = self.program.raised(symbol, set())
        if any(self.catching(cls) for cls in others):
            raise Cannot("a function that may fail in several ways is called inside try", CURE)
        caught = {cls: found for cls in explicit if (found := self.catching(cls))}
        if not caught:
            return False
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
            for cls, found in caught.items():
                with self.block(f"if {failed} == {self.program.fault(cls)}:"):
                    self.go_to(*found)
            self.beyond("a call inside `try` fails")
        return True

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
        known = found if found.__module__ == "builtins" and found is not StopIteration else ValueError
        self.fail(known.__name__, "", (found,))

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


def _is_safe(name: str, args: list[str]) -> bool:
    """Whether the last argument is a literal for which the step cannot fail."""
    last = args[-1].lstrip("-")
    return name not in ("index", "index_up") and last.isdigit() and int(last) > 0 and name in TESTS


def raised_in(lines: list[tuple[int, str, int]]) -> tuple[set[type], set[str]]:
    """What a function's steps may raise, and the functions that it calls."""
    classes: set[type] = set()
    called: set[str] = set()
    for _, text, _ in lines:
        for name, args in calls_in(text):
            if name in CHECKED_SYMBOLS:
                classes |= set(VALUE)
            elif name.startswith("_outplay_"):
                called.add(name)
            elif name in RAISES and not _is_safe(name, args):
                classes |= set(RAISES[name])
    return classes, called
