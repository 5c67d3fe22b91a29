"""`outplay check` finds what searches cannot notice: methods that mean something else compiled, and untrue claims."""

import re
from pathlib import Path
from typing import Any

import pytest

from bench.broken_classes import rule, source, written
from outplay.check import check
from outplay.compile import ENABLED
from outplay.game import GameError
from outplay.games import load

# what interpreted is 20 at the start, and 0 where ints have 64 bits
WRAPPED = "((self.heap << 62) * 4 >> 62)"
TELLS = f"return 1 if {WRAPPED} else 2"

DIFFERENT: dict[str, dict[str, str]] = {
    "key": rule("key", f"return self.heap * 2 + self.mover if {WRAPPED} else -2 - self.mover"),
    **{name: rule(name, TELLS) for name in ("repetition_key", "forced", "ceiling", "plies_left", "net_cells")},
    "drawn": rule("drawn", f"return not {WRAPPED}"),
    "count": rule("count", f"return min(2, self.heap) if {WRAPPED} else 1"),
    **{
        name: rule(name, TELLS, "take")
        for name in ("irreversible", "prior", "order", "trait", "exchange", "forces", "sample", "playout")
    },
    "policy_index": {"constants": "policy_size = 3", **rule("policy_index", TELLS, "take")},
    "net_changed": rule("net_changed", TELLS, "before"),
    **{
        name: rule(name, f"yield 1 if {WRAPPED} else 2")
        for name in ("symmetries", "noisy", "finish", "promising")
    },
    "planes": {"constants": "plane_shape = (1, 1, 1)", **rule("planes", f"yield 1 if {WRAPPED} else 2")},
    "skip": rule("skip", f"return Game(self.heap, 1 - self.mover) if {WRAPPED} else self"),
}  # fmt: skip

LIES = {
    "finish lies": "finish() yields 1, but best play comes to -1",
    "ceiling is too low": "ceiling() is -1, but best play brings the player to move 1",
    "promising misses the best": "promising() yields [1], but a better action has the value",
    "promising is illegal": "promising() yields 77, which is not legal",
    "key forgets the mover": "key() is",
    "key collides": "key() is 1 here and in a state with other",
    "symmetries of another value": "a state with the value",
    "symmetries are not equivalent": "the key of a state",
    "irreversible lies": "is true, but an earlier position is repeated",
    "skip keeps the mover": "skip() does not change the player to move",
    "skip is a tuple": "skip() returns a tuple, not a Game",
    "skip is None": "skip() returns a NoneType, not a Game",
    "trait is huge": "trait(1) is 1000000: expected 0 to 4095",
    "noisy is illegal": "noisy() yields 77, which is not legal",
    "noisy is None": "noisy() raises TypeError",
    "plies_left is negative": "plies_left() is -5: expected at least 0",
    "planes are too few": "planes() yields 1 words: expected 2",
    "playout is illegal": "is 99, which is not legal",
    "sample is illegal": "is 99, which is not legal",
    "count is wrong": "count() is 5, but actions() yields 2",
    "drawn is wrong": "drawn() is True, but terminal() is False",
    "prior is a float": "prior(1) is 0.5: expected an int",
    "probability is None": "the probabilities are [None, None]",
    "__str__ is None": "__str__() is None: return text",
    "policy_index is huge": "policy_index(1) is 1000000000: expected 0 to 1",
}


ARGUMENTS = {
    "player takes an argument": "def player(self)",
    "actions takes an argument": "def actions(self)",
    "result takes none": "def result(self, action)",
    "utility takes an argument": "def utility(self)",
    "evaluate takes an argument": "def evaluate(self)",
}


def fault(folder: Path, text: str) -> str:
    file = folder / "broken.py"
    file.write_text(text)
    start: Any = load(str(file)).start
    return check(start, games=20).fault


@pytest.mark.skipif(not ENABLED, reason="compares with native code")
@pytest.mark.parametrize("name", DIFFERENT)
def test_every_method_is_compared_with_its_compiled_self(name: str, tmp_path: Path) -> None:
    found = fault(tmp_path, written(DIFFERENT[name]))
    assert found.startswith(f"{name}(") and "interpreted but" in found


@pytest.mark.parametrize("kind", LIES)
def test_untrue_claims_are_found(kind: str, tmp_path: Path) -> None:
    assert LIES[kind] in fault(tmp_path, source(kind))


@pytest.mark.parametrize("kind", ARGUMENTS)
def test_methods_take_what_they_are_given(kind: str, tmp_path: Path) -> None:
    with pytest.raises(GameError, match=re.escape(f"write `{ARGUMENTS[kind]}`")):
        fault(tmp_path, source(kind))


def test_a_fault_is_no_longer_than_a_line(tmp_path: Path) -> None:
    assert len(fault(tmp_path, source("__str__ is ten thousand lines"))) < 300


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^broken\.py: SyntaxError"):
        fault(tmp_path, source("binary"))
