"""Grading: run a student's search and the textbook search on the same cases, compare, and name the mistake."""

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

from outplay.game import action_text, is_terminal
from outplay.grade.cases import FULL, Case
from outplay.grade.mistakes import BoundAsExact, LastOfEquals, NoCut, mistaken
from outplay.grade.parts import Form, Search
from outplay.grade.position import Notes, Path, Position
from outplay.grade.process import Process
from outplay.grade.student import Run, Student, student
from outplay.search.textbook import alphabeta, expectiminimax, minimax
from outplay.search.textbook.minimax import MAX, less

SHOWN = 24  # leaves of a list in the report


class Mistake(NamedTuple):
    """A mistake's name and its cure."""

    name: str
    cure: str


class Report(NamedTuple):
    """The result of grading."""

    function: str
    kind: str
    cases: int
    failed: int
    case: Case | None = None  # the smallest case that failed
    differences: tuple[str, ...] = ()  # from the textbook, on that case
    mistakes: tuple[Mistake, ...] = ()  # each behaves like the student's search
    notes: tuple[str, ...] = ()
    returned: bool = True  # False: the search did not return on that case

    @property
    def passed(self) -> bool:
        return self.failed == 0

    def json(self) -> dict[str, Any]:
        """The report as JSON data."""
        said = self._asdict() | {"passed": self.passed, "case": None if self.case is None else str(self.case)}
        return said | {"mistakes": [mistake._asdict() for mistake in self.mistakes]}

    def line(self) -> str:
        """The report in one line: the verdict, and the mistake or what is wrong."""
        if self.passed:
            return f"passed all {self.cases} cases"
        reasons = [mistake.name for mistake in self.mistakes] or [*self.differences[:1]]
        return f"failed {self.failed} of {self.cases} cases: {' or '.join(reasons)}"

    def text(self) -> str:
        """The report in a few lines."""
        head = f"{self.function}, graded as {self.kind}:"
        if self.case is None:
            return "\n".join([f"{head} passed all {self.cases} cases", *[f"note: {n}" for n in self.notes]])
        lines = [f"{head} failed {self.failed} of {self.cases} cases", f"the smallest: {self.case}"]
        lines += [f"  {difference}" for difference in self.differences]
        for i, mistake in enumerate(self.mistakes):
            lines += [f"{'or' if i else 'mistake'}: {mistake.name}", f"  {mistake.cure}"]
        if not self.mistakes and self.case.is_tree and self.returned:
            lines.append("no classic mistake matches; `outplay trace` shows what the textbook does")
        return "\n".join(lines)


def grade(function: Callable[..., Any] | str, kind: str | None = None, seed: int = 1) -> Report:
    """Compare a student's search with the textbook's; the same seed gives the same cases.

    A function object runs in this process. `FILE:function` runs in a process of its own, which is killed if it takes
    too long or too much memory. A ValueError says what is wrong with the function's parameters or its kind. All other
    errors are part of the report.
    """
    if isinstance(function, str):
        with Process(function, kind, seed) as process:
            return _graded(process.student, process.run, seed)
    who = student(function, kind)
    return _graded(who, lambda _, case: who.run(case), seed)


def _graded(who: Student, run_on: Callable[[int, Case], Run], seed: int) -> Report:
    every = who.cases(seed)
    runs: list[Pair] = []
    for number, case in enumerate(every, 1):
        run = run_on(number - 1, case)
        if not run.returned:  # it would not return on other cases either
            return Report(who.name, who.kind, number, 1, case, (run.fault,), returned=False)
        runs.append(Pair(case, _truth(who.kind, who.prunes, case), run))
    wrong = [pair for pair in runs if _is_wrong(pair)]
    if not wrong:
        return Report(who.name, who.kind, len(every), 0, notes=_notes(who, runs))
    smallest, differences = wrong[0].case, tuple(_differences(wrong[0]))
    return Report(
        who.name, who.kind, len(every), len(wrong), smallest, differences, tuple(_mistakes(who, runs))
    )


# --- the textbook ---------------------------------------------------------------------------------------


class Truth(NamedTuple):
    """The textbook's result on a case."""

    value: float
    best: tuple[int, ...]  # the actions that have this value
    visits: tuple[Path, ...]


class Pair(NamedTuple):
    """A case with the textbook's result and the student's run."""

    case: Case
    truth: Truth
    run: Run


@functools.lru_cache(maxsize=2048)  # every student of a course gets the same cases
def _truth(kind: str, prunes: bool, case: Case) -> Truth:
    notes = _notebook()
    root = Position(case.state, notes)
    full = expectiminimax.value if kind == "expectiminimax" else minimax.value
    if prunes:
        alphabeta.value(root, *case.window, case.depth)
    else:
        full(root, case.depth)
    again = Position(case.state, _notebook())
    values = {int(a): full(again.result(a), less(case.depth)) for a in again.actions()}
    top = (max if again.player() == MAX else min)(values.values())
    return Truth(top, tuple(a for a, v in values.items() if _same(v, top)), tuple(notes.visits))


def _notebook() -> Notes:
    return Notes(1 << 60)


def _same(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


# --- differences ----------------------------------------------------------------------------------------


def _is_wrong(pair: Pair) -> bool:
    return bool(pair.run.fault) or _wrong_value(pair) or _wrong_choice(pair) or _wrong_visits(pair)


def _wrong_value(pair: Pair) -> bool:
    case, truth, run = pair
    return run.value is not None and not _may_return(run.value, truth.value, *case.window)


def _wrong_choice(pair: Pair) -> bool:
    case, truth, run = pair
    return run.action is not None and run.action not in truth.best and case.window == FULL


def _wrong_visits(pair: Pair) -> bool:
    return pair.case.is_tree and pair.run.visits != pair.truth.visits


def _differences(pair: Pair) -> list[str]:
    """The differences in words."""
    case, truth, run = pair
    found = [run.fault] if run.fault else []
    if run.value is not None and _wrong_value(pair):
        found.append(f"value: expected {_number(truth.value)}, found {_number(run.value)}")
    if run.action is not None and _wrong_choice(pair):
        expected, chosen = (action_text(case.state, a) for a in (truth.best[0], run.action))
        found.append(f"choice: expected {expected}, found {chosen}")
    if _wrong_visits(pair):
        found += _other_visits(case, truth.visits, run.visits)
    return found


def _may_return(found: float, truth: float, alpha: float, beta: float) -> bool:
    """Whether a search with this window may return this value: fail-soft or fail-hard, see alphabeta.py."""
    return _same(found, truth) or truth <= found <= alpha or truth >= found >= beta


def _other_visits(case: Case, expected: tuple[Path, ...], found: tuple[Path, ...]) -> list[str]:
    lines = []
    for name, of in (("leaves visited", _leaves), ("leaves pruned", _pruned)):
        right, wrong = _values(case, of(case, expected)), _values(case, of(case, found))
        if right != wrong:
            lines.append(f"{name}: expected {right}, found {wrong}")
    pairs = list(zip([*expected, None], [*found, None], strict=False))
    number, (right_one, wrong_one) = next((i, p) for i, p in enumerate(pairs, 1) if p[0] != p[1])
    return [*lines, f"visit {number}: expected {_name(case, right_one)}, found {_name(case, wrong_one)}"]


def _leaves(case: Case, visits: tuple[Path, ...]) -> list[Path]:
    """The leaves among them, where a search ends or should end."""
    return [path for path in visits if len(path) == case.depth or is_terminal(case.at(path))]


def _pruned(case: Case, visits: tuple[Path, ...]) -> list[Path]:
    return [path for path in _leaves(case, tuple(case.paths())) if path not in visits]


def _values(case: Case, paths: list[Path]) -> str:
    states = [case.at(path) for path in paths[:SHOWN]]
    numbers = [_number(s.utility() if is_terminal(s) else s.evaluate()) for s in states]
    return " ".join(numbers) + " ..." * (len(paths) > SHOWN) if paths else "none"


def _number(value: float) -> str:
    return f"{value:.6g}"


def _name(case: Case, path: Path | None) -> str:
    """A state's name, made of the actions that lead to it."""
    if path is None:
        return "no more"
    return " ".join(action_text(case.at(path[:i]), a) for i, a in enumerate(path)) or "the root"


# --- mistakes -------------------------------------------------------------------------------------------

TWICE = Mistake(
    "states are searched more than once", "keep a successor's value in a variable, do not search it again"
)
PRUNES = Mistake("it prunes, which minimax does not", "grade it as alphabeta")
BOUND = Mistake(BoundAsExact.name, BoundAsExact.cure)


def _mistakes(who: Student, runs: list[Pair]) -> list[Mistake]:
    """The mistakes that explain the student's search on every case."""
    telling = sorted(runs, key=lambda pair: not _is_wrong(pair))  # most mistakes are ruled out at once
    found: dict[type[Search], Mistake] = {}
    for search in mistaken(who.kind, who.prunes, who.has_depth):
        if type(search) not in found and all(_does_the_same(search, pair) for pair in telling):
            found[type(search)] = Mistake(search.name, search.cure)
    if NoCut in found and found[NoCut].name == NoCut.name:  # it explains the others
        return [found[NoCut]]
    return list(dict.fromkeys(found.values())) or _habits(who, telling)


def _habits(who: Student, runs: list[Pair]) -> list[Mistake]:
    """General remarks when the exact mistake is unknown."""
    trees = [pair for pair in runs if pair.case.is_tree]
    if who.kind == "minimax" and all(_does_the_same(Search(Form(True)), pair) for pair in runs):
        return [PRUNES]
    if any(tuple(dict.fromkeys(pair.run.visits)) != pair.truth.visits for pair in trees):
        return []
    if any(pair.run.visits != pair.truth.visits for pair in trees):
        return [TWICE]
    if who.prunes and not any(map(_is_wrong, trees)):  # wrong only on graphs
        return [BOUND]
    return []


def _does_the_same(search: Search, pair: Pair) -> bool:
    case, _, run = pair
    notes = _notebook()
    value, action = search.search(Position(case.state, notes), case.depth, *case.window)
    return (
        (not run.fault or action is None)
        and (run.value is None or _same(value, run.value))
        and (run.action is None or action == run.action)
        and (not case.is_tree or tuple(notes.visits) == run.visits)
    )


def _notes(who: Student, runs: list[Pair]) -> tuple[str, ...]:
    """Differences that are not mistakes: the choice among equal values."""
    runs = [pair for pair in runs if pair.case.window == FULL]
    if all(pair.run.action in (None, pair.truth.best[0]) for pair in runs):
        return ()
    last = all(_does_the_same(LastOfEquals(Form(who.prunes)), pair) for pair in runs)
    return (LastOfEquals.name if last else "ties are not broken by the first action",)
