"""The engine asks tables: below the root instead of searching, at the root instead of everything."""

from pathlib import Path

import pytest

from outplay.games import load
from outplay.limits import Limits
from outplay.search.engine.engine import Engine
from outplay.search.searches import made
from outplay.tables.build import build_states


@pytest.mark.lanes
def test_a_table_answers_at_the_root_and_shortens_searches(tmp_path: Path) -> None:
    start = load("hexapawn").start
    before = start.result(list(start.actions())[1])
    build_states(before, tmp_path / "later")
    build_states(start, tmp_path / "all")
    alone = Engine(1, fixed=False).search(start, Limits(depth=12))
    helped = Engine(1, fixed=False, tables=str(tmp_path / "later")).search(start, Limits(depth=12))
    assert helped.value == alone.value == -1 and helped.proven
    assert helped.tbhits > 0 and helped.nodes < alone.nodes and alone.tbhits == 0
    known = Engine(1, fixed=False, tables=str(tmp_path / "all")).search(start, Limits(depth=12))
    assert (known.value, known.proven, known.nodes, len(known.line)) == (-1, True, 1, 6)
    assert known.score == helped.score
    after = start.result(known.action)
    won = Engine(1, fixed=False, tables=str(tmp_path / "all")).search(after, Limits(depth=12), lines=3)
    both = (won, *won.others)
    assert [line.number for line in both] == [1, 2, 3] and len({line.action for line in both}) == 3
    assert won.score == max(both, key=lambda line: -line.score).score and all(line.proven for line in both)
    assert won.value == -1 and len(won.line) == 5


def test_a_folder_without_tables_is_told(tmp_path: Path) -> None:
    start = load("hexapawn").start
    with pytest.raises(ValueError, match="has no tables of Hexapawn"):
        Engine(1, tables=str(tmp_path)).search(start, Limits(depth=2))
    with pytest.raises(ValueError, match="is not a folder with tables"):
        made(f"engine:tables={tmp_path / 'none'}").search(start, Limits(depth=2))
