"""Idioms of existing code (tests/corpus/idioms.py): compiled, with the same values, also after a constant changes."""

import importlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from bench import machine
from outplay.compile import twin
from outplay.compile.interpreted import Interpreted
from outplay.compile.natural.native import Beyond
from outplay.game import adopt
from outplay.search import perft

CONFIG = SimpleNamespace(most=2, prizes=[1, 5], deeper=SimpleNamespace(start=3))


class Steps(NamedTuple):
    left: int = 3
    seen: tuple[str, ...] = ()

    def player(self) -> int:
        return len(self.seen) % 2

    def actions(self) -> Any:
        return range(1, min(self.left, CONFIG.most) + 1)

    def result(self, n: int) -> "Steps":
        return Steps(self.left - n, (*self.seen, "ab"))

    def terminal(self) -> bool:
        return self.left == 0

    def utility(self) -> int:
        return CONFIG.prizes[len(self.seen) % 2] * CONFIG.deeper.start


class Counting:
    """An object that changes itself."""

    def __init__(self) -> None:
        self.asked = 0

    def most(self, left: int) -> int:
        self.asked += 1
        return min(left, 2)

    def __bool__(self) -> bool:
        return False


COUNTING = Counting()


class Counted(NamedTuple):
    left: int = 3
    seen: tuple[str, ...] = ()

    def player(self) -> int:
        return len(self.seen) % 2

    def actions(self) -> Any:
        return range(1, COUNTING.most(self.left) + 1)

    def result(self, n: int) -> "Counted":
        return Counted(self.left - n, (*self.seen, "ab"))

    def terminal(self) -> bool:
        return self.left == 0

    def utility(self) -> int:
        return 7 if COUNTING else 3


@pytest.mark.lanes
def test_a_constant_of_an_object_that_changes_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (perft(Steps(), 2), perft(Steps(), 3)) == (3, 1)  # 1 + 1, 1 + 2, 2 + 1; 1 + 1 + 1
    monkeypatch.setattr(CONFIG, "most", 1)
    assert perft(Steps(), 2) == 1
    monkeypatch.setattr(CONFIG, "most", 3)
    assert perft(Steps(), 1) == 3


def test_what_an_object_holds_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    was = twin(adopt(Steps))
    assert was.program.unchanged()
    monkeypatch.setattr(CONFIG.deeper, "start", 4)
    assert not was.program.unchanged()
    monkeypatch.undo()
    assert was.program.unchanged()
    CONFIG.prizes[0] += 1
    assert not was.program.unchanged()
    CONFIG.prizes[0] -= 1


def test_an_object_that_changes_itself_is_left_to_python() -> None:
    reasons = [str(reason) for reason in twin(adopt(Counted)).reasons]
    line = Counting.most.__code__.co_firstlineno + 1
    assert f"line {line} self.asked is changed; keep what changes in a field of the state" in reasons
    assert any("a Counting is compared" in reason for reason in reasons)


class Clamped:
    """A property with a setter is no field."""

    def __init__(self, left: int = 5, mover: int = 0) -> None:
        self.left = left
        self.mover = mover

    @property
    def left(self) -> int:
        return self._left

    @left.setter
    def left(self, value: int) -> None:
        self._left = max(value, 0)

    def __eq__(self, other: Any) -> bool:
        return (self.left, self.mover) == (other.left, other.mover)

    def __hash__(self) -> int:
        return hash((self.left, self.mover))

    def player(self) -> int:
        return self.mover

    def actions(self) -> Any:
        return [1, 2]

    def result(self, n: int) -> "Clamped":
        return Clamped(self.left - n, 1 - self.mover)

    def terminal(self) -> bool:
        return self.left == 0

    def utility(self) -> int:
        return 1 if self.mover else -1


def test_a_property_with_a_setter_is_left_to_python() -> None:
    assert isinstance(twin(adopt(Clamped)), Interpreted)
    assert perft(Clamped(), 5) == 2  # 1 + 1 + 1 + 1, and then 1 or 2


SHARING = """
import copy


class Game:
    def __init__(self):
        self.rows = [[0, 0], [0, 0]]
        self.left = 3

    def __eq__(self, other):
        return (self.rows, self.left) == (other.rows, other.left)

    def __hash__(self):
        return hash((str(self.rows), self.left))

    def player(self):
        return self.left % 2

    def actions(self):
        return [0, 1]

    def result(self, a):
        new = copy.{how}(self)
        if self.left > 5:
            {rare}
        new.left -= 1
        return new

    def terminal(self):
        return self.left == 0

    def utility(self):
        return sum(map(sum, self.rows))
"""


def sharing(how: str, rare: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(folder))
    name = f"sharing_{abs(hash((how, rare)))}"
    (folder / f"{name}.py").write_text(SHARING.replace("{how}", how).replace("{rare}", rare))
    return importlib.import_module(name).Game


def test_a_list_that_a_state_holds_twice_is_left_to_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy of the copy would still hold it twice, which memory does not tell."""
    game = sharing("deepcopy", "new.rows[0] = new.rows[1]", tmp_path, monkeypatch)
    program = twin(adopt(game)).program
    late = game()
    late.left = 7
    with pytest.raises(Beyond, match="a state holds one list twice"):
        machine.Simulated(program).ask("result", program.layout.pack(program.values(late)), 0)


@pytest.mark.parametrize(
    ("how", "rare", "says"),
    [
        ("copy", "new.rows[0][0] = 1", "a list outside the state is changed"),
        ("copy", "new.rows += [[1, 2]]", "a list outside the state is changed"),
        ("deepcopy", "self.kept = new", "new is changed after it is made"),
        ("deepcopy", "new.more = 1", "Game has no field more"),
    ],
)
def test_what_may_be_known_elsewhere_is_not_changed(
    how: str, rare: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = twin(adopt(sharing(how, rare, tmp_path, monkeypatch)))
    assert isinstance(made, Interpreted)
    assert says in str(made.reasons[0])
