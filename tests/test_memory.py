"""What states point at belongs to the process that stored it."""

import os
import sys

import pytest

from outplay import memory


@pytest.mark.skipif(sys.platform == "win32", reason="no fork there")
def test_a_forked_process_does_not_change_what_its_parent_has_stored() -> None:
    before = memory.store([1, 2, 3])
    child = os.fork()
    if child == 0:
        memory.directory[2 * before : 2 * before + 2] = 0, 0
        os._exit(0)
    os.waitpid(child, 0)
    assert memory.peek(before, 2) == 3
