"""Random classes mean the same in every lane; `python -m bench.fuzz` runs many more of them."""

import ast
from pathlib import Path

import pytest

from bench import random_natural
from bench.corpus import runs_plainly
from bench.differential import forget, load, written
from bench.fuzz import fuzz
from bench.random_class import EXTRA, LINES, write
from outplay.compile.natural.values import Writer

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
SEEDS = 100
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


def test_random_natural_classes_write_every_line_of_the_page() -> None:
    section = PAGE.read_text().split("## What compiles\n")[1].split("\n## ")[0]
    listed = [row[2:].strip() for row in section.splitlines() if row.startswith("- ")]
    assert listed == list(random_natural.LINES)
    rules = "".join(random_natural.write(seed).game.split(random_natural.RULES)[1] for seed in range(WRITTEN))
    for line, shown in random_natural.LINES.items():
        assert [part for part in shown if part not in rules] == [], line


def test_a_random_number_in_natural_python_is_one_operand() -> None:
    """What is written after it divides all of it: a key that is one of two is never a third."""
    for seed in range(WRITTEN):
        writer = random_natural.Writer(seed)
        for text in (writer.number() for _ in range(20)):
            whole = ast.parse(f"{text} % 2", mode="eval").body
            assert isinstance(whole, ast.BinOp) and isinstance(whole.op, ast.Mod), text
            assert ast.dump(whole.left) == ast.dump(ast.parse(text, mode="eval").body), text


def test_random_classes_in_natural_python_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every one is played to its end by CPython; `python -m bench.fuzz --natural` compares them compiled."""
    monkeypatch.syspath_prepend(tmp_path)
    for seed in range(100):
        made = random_natural.write(seed)
        assert runs_plainly(load(made, tmp_path), games=1) == "", seed
        forget(made)


def test_random_classes_in_natural_python_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are compiled, and the code that they become means the same, without machine code."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(Writer, "proving", True)
    for seed in range(NATURAL):
        assert written(random_natural.write(seed), tmp_path) is None, seed


def test_random_classes_agree() -> None:
    """No class means something else in a lane, and none is refused that docs/python.md allows."""
    found = fuzz(0, SEEDS, 2, SECONDS, lambda line: None)
    assert found["failures"] == []
    assert found["classes"]["interpreted"] > 0
