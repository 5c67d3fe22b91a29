"""A block of memory with named parts: Python and native code read and write the same words."""

import threading
from typing import Any

import numpy as np
import pytest

from outplay.compile import kernel
from outplay.compile.structure import LINE, Address, Flag, Structure, Word, Words

ROUNDS = 1 << 40  # more than a test waits for


class Base(Structure):
    nodes = Word()
    stack = Words()


class Control(Base):
    limit = Flag()
    trail = Words()
    elsewhere = Address()


def compute(memory: Any, n: int) -> int:
    """Reads and writes every kind of part."""
    total = 0
    for i in range(n):
        memory.stack[i] = memory.trail[i] * 2 + memory.elsewhere[i]
        memory.nodes += 1
        total += memory.stack[i] - memory.limit
    memory.limit = total
    return total


def spin(memory: Any, most: int) -> int:
    """Counts until another thread raises the flag."""
    memory.nodes = 1
    for i in range(most):
        if memory.limit != 0:
            return i
    return -1


compiled, spinning = kernel(compute), kernel(spin)


def block() -> tuple[Control, np.ndarray]:
    """A block with numbers in it, and the run that lies elsewhere, which must be kept alive."""
    memory, other = Control(stack=5, trail=9), np.arange(100, 109)
    memory.trail[0], memory.trail[4] = 7, -3
    memory.limit, memory.elsewhere = 2, other.ctypes.data
    return memory, other


def test_parts_follow_those_of_the_base_class() -> None:
    assert list(Control.parts) == ["nodes", "stack", "limit", "trail", "elsewhere"]
    assert [part.at for part in Control.parts.values()] == [0, 1, 2, 3, 4]
    assert list(Base.parts) == ["nodes", "stack"]


def test_all_numbers_are_0_at_first() -> None:
    memory = Control(stack=20)
    assert memory.nodes == memory.limit == 0
    assert not memory.array("stack").any()
    assert memory.array("trail").size == 0


def test_every_run_begins_at_a_cache_line() -> None:
    memory = Control(trail=3, stack=9)
    starts = {name: memory.runs[name].start for name in ("trail", "stack")}
    assert starts == {"trail": LINE, "stack": 2 * LINE}
    assert all((memory.address + 8 * start) % (8 * LINE) == 0 for start in starts.values())
    assert memory.words.size >= 4 * LINE


def test_runs_do_not_overlap() -> None:
    memory = Control(stack=9, trail=9)
    memory.array("stack")[:] = 1
    memory.array("trail")[:] = 2
    memory.nodes, memory.limit = 3, 4
    assert memory.array("stack").tolist() == [1] * 9
    assert memory.array("trail").tolist() == [2] * 9
    assert (memory.nodes, memory.limit) == (3, 4)


def test_a_run_cannot_be_assigned_to() -> None:
    memory = Control(stack=2)
    with pytest.raises(AttributeError, match="stack is an array"):
        memory.stack = 3


def test_an_address_leads_to_words_elsewhere() -> None:
    memory, other = block()
    assert memory.elsewhere[3] == 103
    memory.elsewhere[3] = 5
    assert other[3] == 5


def test_compiled_and_plain_are_the_same() -> None:
    plain, other = block()
    native, another = block()
    assert compiled(native, 5) == compute(plain, 5)
    assert native.array("stack").tolist() == plain.array("stack").tolist() == [114, 101, 102, 103, 98]
    assert (native.nodes, native.limit) == (plain.nodes, plain.limit) == (5, 508)
    assert other.tolist() == another.tolist()


def test_native_code_sees_a_flag_that_another_thread_raises() -> None:
    memory = Control()
    spinning(memory, 1)  # compiled now
    memory.nodes = 0
    turns: list[int] = []
    thread = threading.Thread(target=lambda: turns.append(spinning(memory, ROUNDS)), daemon=True)
    thread.start()
    while memory.nodes == 0:
        thread.join(0.001)
    memory.limit = 1
    thread.join(60)
    assert turns and turns[0] >= 0
