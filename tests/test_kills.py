"""kill -9 loses nothing that was said to be kept; see `python -m bench kills` for many more."""

import os
from pathlib import Path

import pytest

kills = pytest.importorskip("bench.kills")


@pytest.mark.skipif(os.name != "posix", reason="needs kill -9")
@pytest.mark.parametrize("work", kills.WORKS, ids=lambda work: work.name)
def test_what_was_kept_is_there_and_goes_on(work: kills.Work, tmp_path: Path) -> None:
    for seconds in (0.05, 0.2):
        assert kills.kill(work, tmp_path, seconds)[1] == ""


def test_a_loss_is_noticed(tmp_path: Path) -> None:
    liar = kills.Work("liar", "print(7, flush=True); input()", lambda folder: 3)
    assert kills.kill(liar, tmp_path, 0)[1] == "7 were said to be kept, 3 are"
