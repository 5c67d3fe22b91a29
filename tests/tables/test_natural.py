"""Tables of natural classes: what they say depends on the rules alone, not on how a process lays out their states."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from outplay import solve
from outplay.compile import ENABLED, kernel, twin
from outplay.compile.fingerprint import fingerprint
from outplay.game import adopt_state, is_terminal, legal
from outplay.games import load
from outplay.tables.build import build_states
from outplay.tables.digest import rules_digest
from outplay.tables.shelf import Shelf
from outplay.tables.verify import verify
from tests import classkinds as kinds
from tests import ownclasses

TESTS = Path(__file__).parents[1]
CLASSES = [
    kinds.Natural, kinds.Floats, kinds.Alone, kinds.Rows, kinds.Pawns, kinds.Outgrowing,
    ownclasses.Dataclass, ownclasses.Plain, kinds.Names,
]  # fmt: skip
OTHERWISE = """
import json, sys
from outplay.compile.natural import layout
layout.SPARE, layout.FEW = 3, 5
layout.LARGEST, layout.CHARACTERS = {4: 2_000_000_000}, {}
from outplay.cli import main
sys.exit(max(main(words) for words in json.loads(sys.argv[1])))
"""

compiled = pytest.mark.skipif(not ENABLED, reason="tables need compiled classes")


def reached(state: Any, most: int = 3000) -> list[Any]:
    """States that come from one, in the standard form."""
    found = {state: None}
    for here in (waiting := [state]):
        after = [here.result(a) for a in legal(here)] if len(found) < most else []
        waiting += [child for child in after if child not in found]
        found |= dict.fromkeys(after)
    return list(found)


@kernel
def _mark(s: Any, seed: int) -> int:
    return s.fingerprint(seed)


@compiled
@pytest.mark.parametrize("cls", [*CLASSES, kinds.Packed, kinds.Dice, kinds.Three, kinds.Hidden])
def test_native_code_has_the_same_fingerprints(cls: Any) -> None:
    states = reached(adopt_state(cls()))
    native = twin(type(states[0]))
    marks = [fingerprint(state, 5) for state in states]
    assert [_mark(native.state(state), 5) for state in states] == marks
    assert len(set(marks)) == len(states)


def test_fingerprints_tell_apart_what_is_not_equal() -> None:
    def mark(value: Any) -> int:
        return fingerprint(_of(value), 1)

    different: list[Any] = [None, 0, 1, 0.5, "", "a", "ab", ("a",), ("a", "b"), (), (0,), ((),), {1}, {1, 2}]
    assert len({mark(value) for value in different}) == len(different)
    assert mark(1) == mark(1.0) == mark(True)
    assert mark({3, 1, 2}) == mark({1, 2, 3})


def _of(value: Any) -> Any:
    start = adopt_state(ownclasses.Plain())
    start[0].board = value
    return start


def minimax(state: Any, known: dict[Any, int]) -> int:
    """The utility for MAX with best play."""
    if state not in known:
        values = [minimax(state.result(action), known) for action in legal(state)]
        best = max if state.player() == 0 else min
        known[state] = int(state.utility()) if is_terminal(state) else best(values)
    return known[state]


@compiled
@pytest.mark.parametrize("cls", CLASSES)
def test_tables_agree_with_minimax(cls: Any, tmp_path: Path) -> None:
    start = adopt_state(cls())
    table = build_states(cls(), tmp_path).table
    shelf = Shelf.open(tmp_path, type(start))
    known: dict[Any, int] = {}
    minimax(start, known)
    assert table.positions == len(known)
    for state, value in known.items():
        found = shelf.probe(state)
        assert found is not None and found.value == (value if state.player() == 0 else -value)
    assert verify(shelf, table).wrong == 0


@compiled
@pytest.mark.parametrize(("name", "cls"), [("ownclasses", "Dataclass"), ("classkinds", "Outgrowing")])
def test_another_process_lays_states_out_in_another_way(
    name: str, cls: str, tmp_path: Path, outplay: Callable
) -> None:
    spec = f"{TESTS / name}.py:{cls}"
    asked = [["table", "probe", spec], ["table", "longest", spec], ["table", "stats", spec]]
    asked = [[*words, "--tables", str(tmp_path)] for words in asked]
    assert outplay("table", "build", spec, "--tables", str(tmp_path)).status == 0
    here = "".join(outplay(*words).out for words in asked)
    best = ["best", spec, "--search", f"engine:tables={tmp_path}", "--json"]
    commands = [*asked, ["table", "verify", spec, "--tables", str(tmp_path)], best]
    done = subprocess.run(
        [sys.executable, "-c", OTHERWISE, json.dumps(commands)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    told, verified, searched = done.stdout.rsplit("\n", 3)[:3]
    assert told + "\n" == here
    assert "agree with their moves" in verified
    answer = json.loads(searched)
    assert answer["value"] == solve(load(spec).start).value and answer["tbhits"] > 0


RULES = """
from typing import NamedTuple

STEPS = (1, 2)
NAMES = {"X": "O", "O": "X"}

def fits(n, heap):
    return n <= heap

class Heap(NamedTuple):
    heap: int = 5
    turn: str = "X"

    def player(self):
        return "XO".index(self.turn)

    def actions(self):
        return [n for n in STEPS if fits(n, self.heap)]

    def result(self, n):
        return Heap(self.heap - n, NAMES[self.turn])

    def utility(self):
        return -1 if self.turn == "X" else 1

    def evaluate(self):
        return self.heap
"""
SAME = [("return self.heap\n", "return 7 * self.heap\n"), ("STEPS = (1, 2)", "STEPS = (1, 2)  # or fewer")]
OTHER = [("(1, 2)", "(1, 3)"), ("n <= heap", "n < heap"), ('"O": "X"', '"O": "O"'), ("-1 if", "-2 if")]


def test_only_the_rules_are_in_the_digest(tmp_path: Path) -> None:
    def digest(number: int, change: tuple[str, str]) -> str:
        file = tmp_path / f"heap{number}.py"
        file.write_text(RULES.replace(*change))
        return rules_digest(load(str(file)).cls)

    first = digest(0, ("", ""))
    assert all(digest(1 + i, change) == first for i, change in enumerate(SAME))
    assert len({digest(10 + i, change) for i, change in enumerate(OTHER)} - {first}) == len(OTHER)


def test_an_interpreted_class_is_refused_in_one_line(outplay: Callable, tmp_path: Path) -> None:
    spec = f"{TESTS / 'classkinds'}.py:Interpreted"
    for command in ("build", "probe"):
        answer = outplay("table", command, spec, "--tables", str(tmp_path))
        assert answer.status == 2 and "a table needs that" in answer.err.splitlines()[-1]
