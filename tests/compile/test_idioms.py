"""Idioms of existing code (tests/corpus/idioms.py): compiled, with the same values, also after a constant changes."""

from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from outplay.compile import twin
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
    assert f"line {line} self.asked is changed; a state never changes: build a new one" in reasons
    assert any("a Counting is compared" in reason for reason in reasons)
