"""Numba's private parts: used in one file, there as we know them, and changed for nobody else."""

import ast
import gc
import io
import math
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numba
import pytest

import outplay
from outplay.compile import ENABLED, internals, kernel, twin
from outplay.compile.cache import folder
from outplay.game import UNIT
from outplay.games.connect4 import ConnectFour

PACKAGE = Path(outplay.__file__).parent
PRIVATE = re.compile(r"numba\.(core|cpython|np|misc|typed)\b")

compiled = pytest.mark.skipif(not ENABLED, reason="needs the compiler")


def test_one_file_uses_them() -> None:
    users = set()
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if any(PRIVATE.match(name) for name in names):
                users.add(file.name)
    assert users == {"internals.py"}


@kernel
def total(x, y):
    return x + y


def flags(function: Any) -> bool:
    """Whether LLVM was told that ints never overflow."""
    return "add nsw" in "".join(function.inspect_llvm().values())


@compiled
def test_others_compile_as_always() -> None:
    assert total(2, 3) == 5
    assert not flags(total)

    @numba.njit
    def theirs(x, y):
        return x + y

    assert theirs(2, 3) == 5
    assert flags(theirs)


@compiled
def test_others_compile_as_always_while_ours_are_built() -> None:
    @numba.njit
    def theirs(x, y):
        return x + y

    other = threading.Thread(target=theirs, args=(2, 3))
    with internals.building():
        other.start()  # and waits for us
    other.join()
    assert flags(theirs)


@compiled
def test_everything_is_put_back_after_a_build_that_fails() -> None:
    before = [getattr(owner, name) for owner, name, _ in internals._replaced]

    @kernel
    def wrong(x):
        return x + None

    with pytest.raises(numba.core.errors.TypingError):
        wrong(1)
    assert [getattr(owner, name) for owner, name, _ in internals._replaced] == before
    assert gc.isenabled()


def test_builds_within_builds() -> None:
    owner, name, ours = internals._replaced[0]
    theirs = getattr(owner, name)
    with internals.building():
        with internals.building():
            assert getattr(owner, name) is ours
        assert getattr(owner, name) is ours
    assert getattr(owner, name) is theirs


def test_what_is_replaced_is_there_once() -> None:
    replaced = Counter((owner, name) for owner, name, _ in internals._replaced)
    assert set(replaced.values()) == {1}


def test_code_is_kept_by_the_versions_of_numba_and_llvm() -> None:
    assert internals.versions() in folder().name
    assert "llvmlite" in internals.versions()


def test_functions_that_numba_knows() -> None:
    assert internals.is_known(math.sqrt)
    assert not internals.is_known(math.comb)


def test_options_are_compared_as_numba_compares_them() -> None:
    one, other = internals.compiler.Flags(), internals.compiler.Flags()
    other.forceinline = False  # which it is anyway
    with internals.building():
        same, number = one == other, hash(one)
        other.forceinline = True
        different = one != other
    assert same and different
    assert number == hash(one)


def test_meanings_are_ordered_as_numba_orders_them() -> None:
    target = internals.utils.order_by_target_specificity
    from numba.core.target_extension import target_registry

    context = internals.cpu_target.typing_context
    context.refresh()
    for name in (max, len, print):
        templates = context.resolve_value_type(name).templates
        assert internals._as_ordered(target_registry["cpu"], templates) == target(
            target_registry["cpu"], templates
        )


@compiled
def test_operators_mean_what_they_mean() -> None:
    np = internals.arrayobj.np

    @kernel
    def both(x, y):
        return x + y

    assert both(2, 3) == 5
    assert both(np.array([1, 2]), 3).tolist() == [4, 5]
    assert both(np.array([1, 2]), np.array([3, 4])).tolist() == [4, 6]
    assert both(0.5, 1) == 1.5


@compiled
def test_an_overload_is_built_once_for_callers_that_differ_in_their_wrappers() -> None:
    built = []

    def asked(x):
        return x

    @numba.extending.overload(asked)
    def implement(x):
        built.append(x)
        return lambda x: x + 1

    @kernel
    def inner(x):
        return asked(x)

    @kernel
    def outer(x):
        return inner(x) + asked(x)

    assert outer(1) == 4
    assert inner(1) == 2  # this one can be called by Python
    assert len(built) == 1


@kernel
def asks(s):
    if s.has_exchange():
        return s.something_that_no_state_has()
    if s.chance() or s.repetition() != 0:
        return -2
    return s.unit()


@kernel
def asks_of_two(s, t):
    while s.forced() != 0:
        s = s.result(s.nothing())
    return t.has_exchange() + 2 * s.has_noisy()


@pytest.mark.lanes
def test_what_a_game_leaves_out_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(internals, "OURS", __name__)
    state = twin(ConnectFour).state(ConnectFour())
    assert asks(state) == UNIT
    assert asks_of_two(state, state) == 0


class Odd(NamedTuple):
    """Its own methods are called as those that searches ask."""

    heap: int = 5
    mover: int = 0

    def player(self) -> int:
        return self.mover

    def actions(self):
        return [take for take in (1, 2) if take <= self.heap]

    def result(self, take: int) -> "Odd":
        return Odd(self.heap - take, 1 - self.mover)

    def has_exchange(self) -> int:
        return self.heap + 40

    def utility(self) -> int:
        return 1 if self.mover else -1

    def evaluate(self) -> int:
        return self.has_exchange() if self.has_exchange() > 42 else 7


@pytest.mark.lanes
def test_a_class_may_have_methods_of_these_names() -> None:
    rules = twin(Odd).functions
    assert [rules["evaluate"](twin(Odd).state(Odd(heap))) for heap in (1, 2, 3, 4)] == [7, 7, 43, 44]


@kernel
def halved(n, x):
    """True or False at first, an int where it has called itself."""
    if n <= 0:
        return x > 0
    return halved(n - 1, x) * 7


@kernel
def quartered(n):
    """An int at first; a float only where it has called itself."""
    if n <= 0:
        return 1
    if n & 1:
        return quartered(n - 1) + 1
    return quartered(n - 1) * 0.25


def test_a_function_that_calls_itself_returns_what_fits_all_its_returns() -> None:
    assert halved(0, 1) == 1
    assert halved(2, 1) == 49
    assert [quartered(n) for n in range(4)] == [1, 2, 0.5, 1.5]


def counted(rows, most):
    """Loops, branches and comprehensions: instructions of many kinds."""
    found = [0]
    for row in rows:
        if len(row) > most or (row[0], most) == (1, 2):
            found.append(sum(x * x for x in row[1:]))
        elif found:
            found[-1] += row[-1] if most else -most
    return {len(found): tuple(found), **{}}


def numbers(most):
    for number in range(most):
        yield number * most


@pytest.mark.parametrize("function", [counted, numbers])
def test_functions_are_analysed_as_numba_analyses_them(function: Any) -> None:
    def analysed() -> tuple[str, list[str]]:
        made = internals.compiler.run_frontend(function, emit_dels=True)
        shown = io.StringIO()
        made.dump(shown)
        statements = [each for block in made.blocks.values() for each in block.body]
        return shown.getvalue(), [str(each.list_vars()) for each in statements]

    theirs = analysed()
    with internals.building():
        assert analysed() == theirs
    assert len(theirs[1]) > 10 and any("del " in line for line in theirs[0].splitlines())


@kernel
def beside_a_list(x, y):
    unused = x // y  # noqa: F841
    squares = [i * i for i in range(x)]
    return squares[1]


def test_what_is_not_used_still_fails() -> None:
    assert beside_a_list(3, 1) == 1
    with pytest.raises(ZeroDivisionError):
        beside_a_list(3, 0)


@compiled
def test_who_failed() -> None:
    @kernel
    def untyped(x):
        return x + None

    with pytest.raises(Exception) as complaint:
        untyped(1)
    assert internals.in_compiler(complaint.value)
    with pytest.raises(RuntimeError) as fault:  # by llvmlite, where Numba writes what is wrong
        internals.ll.parse_assembly("nonsense")
    assert internals.in_compiler(fault.value)
    with pytest.raises(ZeroDivisionError) as rule:
        beside_a_list(3, 0)
    assert not internals.in_compiler(rule.value)


INTERRUPTED = """
import signal
from outplay.compile import kernel, twin
from outplay.games import load

@kernel
def same(state, number):
    return state, number

def hear(number, frame):
    raise KeyboardInterrupt

start = load("backgammon").position()
native = twin(type(start)).state(start)
same(native, 1)
signal.signal(signal.SIGALRM, hear)
for _ in range(300):
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.001)
        while True:
            same(native, 1)
    except KeyboardInterrupt:
        pass
print(same(native, 1)[0] == native)
"""


@compiled
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers there")
def test_a_ctrl_c_while_a_result_becomes_an_object_is_heard() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "True\n")
