"""Random classes mean the same in every lane; `python -m bench.fuzz` runs many more of them."""

import ast
import sys
import types
import warnings
from pathlib import Path

from bench import machine, random_natural
from bench.corpus import runs_plainly
from bench.fuzz import fuzz
from bench.random_class import EXTRA, LINES, write
from outplay.compile import twin
from outplay.compile.natural.twin import NaturalTwin
from outplay.files import load_module
from outplay.game import adopt

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
SEEDS = 300
NATURAL = 40  # classes in the Python that people write
SECONDS = 90  # where the machine is busy
WRITTEN = 500  # classes in which every construct must be found


def test_a_construct_writes_every_line_of_the_page() -> None:
    section = PAGE.read_text().split("## The lean form")[1].split("##")[0]
    assert [row[2:].strip() for row in section.splitlines() if row.startswith("- ")] == list(LINES)


def test_every_construct_is_written_by_some_class() -> None:
    made = [write(seed) for seed in range(WRITTEN)]
    written = frozenset().union(*[one.constructs for one in made])
    assert {construct for line in LINES.values() for construct in line} | set(EXTRA) == written
    for one in made:
        ast.parse(one.game)


def test_a_seed_always_writes_the_same_class() -> None:
    assert write(7) == write(7) != write(8)


def test_random_classes_in_natural_python_run() -> None:
    """Every one is played to its end by CPython; `python -m bench.fuzz --natural` compares them compiled."""
    for seed in range(100):
        module = types.ModuleType(f"natural_{seed}")
        sys.modules[module.__name__] = module  # dataclasses look their module up
        exec(random_natural.write(seed).game, vars(module))
        assert runs_plainly(module.Game, games=1) == "", seed
        del sys.modules[module.__name__]


def test_random_classes_in_natural_python_agree(tmp_path: Path) -> None:
    """The code that they become means the same, without machine code."""
    compiled = 0
    for seed in range(NATURAL):
        file = tmp_path / f"natural_{seed}.py"
        file.write_text(random_natural.write(seed).game, encoding="utf-8")
        cls = load_module(str(file)).Game
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = twin(adopt(cls))
        if isinstance(made, NaturalTwin):
            compiled += 1
            assert machine.difference(cls, made.program, games=1) == "", seed
    assert compiled > NATURAL // 2


def test_random_classes_agree() -> None:
    """No class means something else in a lane, and none is refused that docs/python.md allows."""
    found = fuzz(0, SEEDS, 2, SECONDS, lambda line: None)
    assert found["failures"] == []
    assert found["classes"]["interpreted"] > 0
