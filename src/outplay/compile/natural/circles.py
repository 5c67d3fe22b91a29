"""Mutual recursion: functions that call each other in a circle become one function that calls itself.

Numba cannot cache mutually recursive functions. The joint function's first argument selects one of them; the other
arguments are those of all functions in a row, and it returns the results of all in a row. Each function itself
becomes a call of the joint one, inlined into its callers.
"""

from collections.abc import Iterator
from typing import Any

from outplay.compile.natural.attempts import raised_in
from outplay.compile.natural.values import ROOM, zeros

WHICH = "which"


class Circle:
    """Mutually recursive functions as one."""

    is_part = False

    def __init__(self, functions: list[Any], symbol: str) -> None:
        self.functions, self.symbol = functions, symbol
        self.place = functions[0].place
        self.given = [[zero for _, kind in f.given for zero in zeros(kind)] for f in functions]
        self.answers = [list(zeros(f.returned)) or ["0"] for f in functions]

    def is_light(self) -> bool:
        return False

    def text(self) -> tuple[str, list[int]]:
        """The function's source, and for each line the user's line."""
        names = [f"given_{i}" for i in range(sum(map(len, self.given)))]
        made = [f"def {self.symbol}({', '.join([ROOM, WHICH, *names])}):"]
        numbers = [self.functions[0].node.lineno]
        for number, function in enumerate(self.functions):
            text, lines = function.text()
            head, *body = text.rstrip("\n").split("\n")
            own = head[head.index("(") + 1 : head.rindex(")")].split(", ")[1:]
            first = sum(map(len, self.given[:number]))
            made.append(f" if {WHICH} == {number}:")
            made += [f"  {name} = {names[first + i]}" for i, name in enumerate(own)] or ["  pass"]
            numbers += [lines[0]] * (1 + max(len(own), 1))
            made += [" " + self.row(line, number) for line in body]
            numbers += lines[1:]
        made.append(" raise AssertionError")  # unreachable
        return "\n".join(made) + "\n", [*numbers, numbers[0]]

    def row(self, line: str, number: int) -> str:
        """A line of one function, with its results moved to their place in the row of all results."""
        start, found, answer = line.partition("return ")
        if not found or start.strip():
            return line
        before, after = self.answers[:number], self.answers[number + 1 :]
        row = [*sum(before, []), answer, *sum(after, [])]
        return f"{start}return ({', '.join(row)},)"

    def call(self, number: int, own: list[str]) -> tuple[str, int, int]:
        """A call of one of the functions, and the range of its results in the row."""
        given = [*sum(self.given[:number], []), *own, *sum(self.given[number + 1 :], [])]
        first = sum(map(len, self.answers[:number]))
        text = f"{self.symbol}({', '.join([ROOM, str(number), *given])})"
        return text, first, first + len(self.answers[number])


class Part:
    """One of the functions: only a call of the joint one."""

    is_part = True

    def __init__(self, circle: Circle, number: int) -> None:
        self.circle, self.number = circle, number
        self.function = circle.functions[number]
        self.symbol, self.place = self.function.symbol, self.function.place

    def is_light(self) -> bool:
        return False

    def text(self) -> tuple[str, list[int]]:
        head = self.function.text()[0].split("\n", 1)[0]
        own = head[head.index("(") + 1 : head.rindex(")")].split(", ")[1:]
        call, first, last = self.circle.call(self.number, own)
        found = ", ".join(f"row[{i}]" for i in range(first, last))
        line = self.function.node.lineno
        return f"{head}\n row = {call}\n return {found}\n", [line] * 3


def joined(functions: list[Any]) -> list[Any]:
    """The functions, with each circle joined into one."""
    made: list[Any] = []
    for circle in _circles(functions):
        if len(circle) == 1:
            made += circle
            continue
        whole = Circle(circle, f"{circle[0].symbol}_circle")
        made += [whole, *(Part(whole, number) for number in range(len(circle)))]
    return made


def _circles(functions: list[Any]) -> Iterator[list[Any]]:
    """The functions in the same order, grouped by circle."""
    calls = {f.symbol: raised_in(f.lines)[1] for f in functions}
    reached: dict[str, set[str]] = {}
    for symbol in calls:
        waiting, seen = [symbol], set[str]()
        while waiting:
            for other in calls.get(waiting.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        reached[symbol] = seen
    told: set[str] = set()
    for function in functions:
        if function.symbol in told:
            continue
        symbol = function.symbol
        circle = [
            f
            for f in functions
            if f is function or f.symbol in reached[symbol] and symbol in reached[f.symbol]
        ]
        told |= {f.symbol for f in circle}
        yield circle
