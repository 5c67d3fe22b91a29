"""Kernels: one build for native code, another for Python, and the switches of a build go with it."""

import gc

import pytest
from numba import config
from numba.core import event

from outplay.compile import ENABLED, inlined, kernel

pytestmark = pytest.mark.skipif(not ENABLED, reason="needs the compiler")


@kernel
def twice(x):
    return x + x


@inlined
def thrice(x):
    return x + x + x


@kernel
def six_times(x):
    return thrice(twice(x))


@kernel
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


def test_python_may_call_what_native_code_called_first() -> None:
    assert six_times(7) == 42
    assert twice.natives and not six_times.natives
    assert twice(4) == 8 and thrice(4) == 12
    assert not twice.natives and len(twice.overloads) == 1
    assert six_times(8) == 48


def test_native_code_may_call_what_python_called_first() -> None:
    assert factorial(5) == 120

    @kernel
    def choose(n, k):
        return factorial(n) // (factorial(k) * factorial(n - k))

    assert choose(6, 2) == 15
    assert not factorial.natives and len(factorial.overloads) == 1


def test_a_literal_a_bool_and_a_number_share_a_build() -> None:
    @kernel
    def same(x):
        return x

    @kernel
    def calls(n):
        return same(1) + same(n) + same(n > 0)

    assert calls(5) == 7
    assert len(same.overloads) == 1


def test_a_build_leaves_the_process_as_it_was() -> None:
    before = config.SLP_VECTORIZE, event.install_timer, gc.isenabled()

    @kernel
    def wrong(x):
        return x.nonsense

    with pytest.raises(Exception, match="nonsense"):
        wrong(1)
    assert (config.SLP_VECTORIZE, event.install_timer, gc.isenabled()) == before
