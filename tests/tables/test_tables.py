"""Tables of all states that come from one: as the plain retrograde analysis has them, in files, and on the shelf."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outplay import solve
from outplay.games import load
from outplay.tables import plain
from outplay.tables.build import Stopped, Work, build_states, table_file
from outplay.tables.code import decode, encode, is_better
from outplay.tables.file import NUMBER, open_table
from outplay.tables.reachable import Exploration, reachable
from outplay.tables.retrograde import solve as retrograde
from outplay.tables.shelf import Shelf
from outplay.tables.statistics import line, longest
from outplay.tables.verify import verify

ROOT = Path(__file__).parents[2]
COPS = f"{ROOT / 'examples/cops.py'}:width=4,height=3"


@pytest.mark.lanes
@pytest.mark.parametrize("name", ["hexapawn", "kalah:pits=2,seeds=1", COPS])
def test_the_fast_analysis_agrees_with_the_plain_one(name: str) -> None:
    start = load(name).start
    found = reachable(start)
    codes = retrograde(found.graph)
    ours = {
        type(start)(*_fields(start, row)): decode(int(code), found.ranks)
        for row, code in zip(found.states.tolist(), codes, strict=True)
    }
    theirs = plain.table(start)
    assert ours == theirs


def _fields(start: Any, row: list[int]) -> list[Any]:
    fields = []
    for field in start:
        size = len(field) if isinstance(field, tuple) else 1
        fields.append(tuple(row[:size]) if isinstance(field, tuple) else row[0])
        row = row[size:]
    return fields


def test_known_counts_and_values(tmp_path: Path) -> None:
    """Tic-tac-toe has 5,478 positions, and 958 ends: X has won 626, O 316, 16 are drawn."""
    made = build_states(load("tictactoe").start, tmp_path).table
    assert made.positions == 5478
    lost = encode(-1, 0, (1,))
    ends = [row[made.header.codes.index(lost)] for row in made.header.counts]
    assert ends == [316, 626]
    shelf = Shelf.wanted(tmp_path, load("tictactoe").cls)
    assert verify(shelf, shelf.tables[0]) == (5478, 0, None)
    known = shelf.probe(load("tictactoe").start)
    assert known is not None and (known.value, known.plies) == (0, None)


def test_a_table_answers_as_the_solver_does(tmp_path: Path) -> None:
    start = load("hexapawn").start
    build_states(start, tmp_path)
    shelf = Shelf.wanted(tmp_path, type(start))
    known = shelf.probe(start)
    found = solve(start)
    assert known is not None and known.value == found.value == -1
    best = line(shelf, start)
    assert len(best) == known.plies == 6
    far = longest(shelf, shelf.tables[0])
    said = shelf.probe(far)
    assert said is not None and said.plies == 5 == len(line(shelf, far))


def test_outcomes_of_different_sizes_come_in_order() -> None:
    """A loser takes the smaller loss, a winner the larger win, whatever the distance."""
    ranks = (10, 3, 1)
    codes = [
        encode(value, plies, ranks) for value, plies in ((10, 9), (3, 0), (1, 5), (0, 0), (-1, 2), (-3, 8))
    ]
    for better, worse in zip(codes, codes[1:], strict=False):
        assert is_better(better, worse) and not is_better(worse, better)
    assert is_better(encode(3, 1, ranks), encode(3, 2, ranks))
    assert is_better(encode(-3, 2, ranks), encode(-3, 1, ranks))
    assert [decode(code, ranks) for code in codes[:2]] == [(10, 9), (3, 0)]


def test_a_building_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outplay.tables.reachable.SLICE", 500)
    start = load("tictactoe").start
    work = Work()

    def tell(text: str) -> None:
        if text.startswith("2,"):
            work.stop.set()

    work.report = tell
    with pytest.raises(Stopped):
        build_states(start, tmp_path, work)
    kept = table_file(tmp_path, type(start), "").with_suffix(".states")
    assert kept.exists()
    again = Exploration(start, kept)
    assert 2000 <= again.store.sizes[1] < 3000
    assert build_states(start, tmp_path).table.positions == 5478
    assert not kept.exists()
    kept.write_bytes(b"nonsense")
    with pytest.raises(ValueError, match="is damaged, or something else: remove it"):
        build_states(start, tmp_path)


def test_verifying_finds_a_single_wrong_value(tmp_path: Path) -> None:
    start = load("hexapawn").start
    build_states(start, tmp_path)
    shelf = Shelf.wanted(tmp_path, type(start))
    data = np.array(shelf.tables[0].data)
    place = int(np.flatnonzero(data)[7])
    data[place] ^= 1  # another code for one state
    broken = Shelf(type(start), [shelf.tables[0]._replace(data=data)])
    assert verify(broken, broken.tables[0]).wrong >= 1


def test_damaged_files_are_told_in_one_line(tmp_path: Path) -> None:
    build_states(load("hexapawn").start, tmp_path)
    file = tmp_path / "Hexapawn.table"
    whole = file.read_bytes()
    assert open_table(file).positions == 135
    for content, told in (
        (b"PK\x03\x04" + whole, "is not an Outplay table"),
        (b"", "is not an Outplay table"),
        (whole[:30], "damaged or cut short"),
        (whole[:-8], "truncated"),
        (whole + b"\0", "truncated or too long"),
        (whole[:-3] + b"\xff" + whole[-2:], "checksum is wrong"),
        (whole.replace(b'"game"', b'"gane"'), "damaged or cut short"),
    ):
        file.write_bytes(content)
        with pytest.raises(ValueError, match=told) as error:
            open_table(file)
        assert len(str(error.value).splitlines()) == 1


def test_a_table_that_cannot_be_written_is_not_built(
    outplay: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Hexapawn.table").mkdir()
    monkeypatch.setattr(Exploration, "run", None)
    answer = outplay("table", "build", "hexapawn", "--tables", tmp_path)
    assert answer.told == f"outplay: {tmp_path / 'Hexapawn.table'}: Is a directory\n"


def test_tables_of_other_rules_are_not_used(tmp_path: Path) -> None:
    build_states(load("hexapawn").start, tmp_path)
    assert Shelf.open(tmp_path, load("hexapawn:width=4").cls).tables == []
    with pytest.raises(ValueError, match="has no tables of Hexapawn for its current rules"):
        Shelf.wanted(tmp_path, load("hexapawn:width=4").cls)


@pytest.mark.parametrize(
    ("name", "told"),
    [("pig", "without chance"), ("go:size=5", "forbids or counts repetitions")],
)
def test_games_without_values_of_their_own_are_refused(
    outplay: Callable, tmp_path: Path, name: str, told: str
) -> None:
    answer = outplay("table", "build", name, "--tables", tmp_path)
    assert answer.status == 2 and told in answer.told and len(answer.told.splitlines()) == 1


def test_the_commands(outplay: Callable, tmp_path: Path) -> None:
    def table(*arguments: str) -> str:
        answer = outplay("table", *arguments, "--tables", tmp_path)
        assert answer.status == 0, answer.err
        return answer.out

    states = "all states from ppp/.../PPP w"
    assert f"{states}: 135 positions, built in" in table("build", "hexapawn")
    assert (
        table("probe", "hexapawn").splitlines()[0] == "ppp/.../PPP w: lost in 6 plies for the player to move"
    )
    assert table("verify", "hexapawn") == f"{states}: all 135 positions agree with their moves\n"
    assert table("stats", "hexapawn").startswith(f"{states}: 135 positions\n")
    assert "won in 5 plies" in table("longest", "hexapawn")
    assert outplay("table", "build", "hexapawn", "KQK", "--tables", tmp_path).status == 2
    both = outplay("table", "build", "kalah", "2", "--moves", "1", "--tables", tmp_path)
    assert both.status == 2 and "leave --position and --moves out" in both.told
    assert outplay("table", "probe", "hexapawn", "--tables", tmp_path / "none").status == 2


def test_a_file_cut_anywhere_or_changed_anywhere_is_told(tmp_path: Path) -> None:
    build_states(load("hexapawn").start, tmp_path)
    file = tmp_path / "Hexapawn.table"
    whole = file.read_bytes()
    rng = random.Random(7)
    for place in rng.sample(range(len(whole)), 60):
        changed = bytearray(whole)
        changed[place] ^= 1 << rng.randrange(8)
        for content in (whole[:place], bytes(changed)):
            file.write_bytes(content)
            try:
                table = open_table(file)
            except ValueError as error:
                assert len(str(error).splitlines()) == 1
            else:  # zeros between the header and the data say nothing
                assert table.positions == 135 and whole[place] == 0 and len(content) == len(whole)


def test_forged_files_are_told_in_one_line(tmp_path: Path) -> None:
    """A file with the right checksums whose parts do not go together: native code would read beside it."""
    made = build_states(load("hexapawn").start, tmp_path).table
    header, data = made.header, np.array(made.data)
    file = tmp_path / "Hexapawn.table"
    full = np.where(data == 0, 1, data)
    for forged in (
        made._replace(data=full),  # no empty word: a search for a state would never end
        made._replace(data=np.where(data == 0, 0, data | NUMBER)),
        made._replace(header=header._replace(codes=header.codes[:1], counts=((1,), (1,)))),
        made._replace(header=header._replace(counts=((1, 2),))),
        made._replace(header=header._replace(ranks=())),
        made._replace(header=header._replace(start=7)),
        made._replace(header=header._replace(family=3, width=8)),
        made._replace(header=header._replace(family="3")),
        made._replace(header=header._replace(family=(1 << 63) - 1, width=8)),
        made._replace(header=header._replace(salt=1 << 63)),
        made._replace(header=header._replace(ranks=(*header.ranks, 1 << 63))),
    ):
        forged.save(file)
        with pytest.raises(ValueError, match="build it again") as error:
            Shelf.open(tmp_path, load("hexapawn").cls)
        assert len(str(error.value).splitlines()) == 1
