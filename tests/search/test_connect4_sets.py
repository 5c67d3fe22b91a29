"""Pascal Pons's test sets of Connect Four, with exact scores: the engine finds who wins, and how fast.

Every tenth position; `python -m bench sets` solves all of them. The files are not part of the project; the test is
skipped where the folder with reference data is missing.
"""

import pytest

from bench.connect4_sets import DATA, SETS, wrongly_solved


@pytest.mark.skipif(not DATA.exists(), reason="the reference data are not here")
@pytest.mark.parametrize("name", SETS)
def test_a_hundred_positions_are_solved_exactly(name: str) -> None:
    lines = (DATA / name).read_text().splitlines()[::10]
    assert len(lines) == 100
    assert wrongly_solved(lines) == []
