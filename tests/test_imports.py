"""Imports point one way, `import outplay` is light, and nothing below ui/ prints."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import outplay
from outplay.compile.cache import APART

PACKAGE = Path(outplay.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))

# A module may import from its own layer and from those before it; a folder's files belong to its layer.
LAYERS = (
    ("bits", "memory", "weights", "nnue", "limits", "game", "variants", "files"),
    ("compile",),
    ("games", "check", "explain"),
    ("search",),
    ("learn",),
    ("record", "players"),
    ("grade", "arena", "analysis"),
    ("ui",),
    ("cli",),
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
DOORS = ("__init__", "__main__")  # they name everything, and import it late


def part(file: Path) -> str:
    """The module or folder directly below the package that a file belongs to."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(file: Path) -> Iterator[str]:
    """The modules of the package that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        yield from (name.split(".", 1)[1] for name in names if name.startswith("outplay."))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_imports_point_backwards(file: Path) -> None:
    if part(file) in DOORS:
        return
    assert part(file) in RANK, "give the new module its place in LAYERS"
    later = [name for name in imports(file) if RANK.get(name.split(".")[0], 0) > RANK[part(file)]]
    assert not later


@pytest.mark.parametrize("file", sorted(PACKAGE.glob("games/[!_]*.py")), ids=lambda file: file.stem)
def test_games_know_nothing_of_the_compiler(file: Path) -> None:
    assert {name.split(".")[0] for name in imports(file)} <= {"bits", "game", "memory"}


def source_of(name: str) -> Path:
    """The file of a module, or of the module that a name is imported from."""
    while name:
        for file in (
            PACKAGE / f"{name.replace('.', '/')}.py",
            PACKAGE / name.replace(".", "/") / "__init__.py",
        ):
            if file.exists():
                return file
        name = name.rpartition(".")[0]
    return PACKAGE / "__init__.py"


def test_what_native_code_is_made_from_is_in_the_digest_of_the_cache() -> None:
    makers = {file for file in FILES if "compile.kernel" in imports(file) or part(file) == "compile"}
    assert len(makers) > 20
    waiting, reached = list(makers), set(makers)
    while waiting:
        found = {source_of(name) for name in imports(waiting.pop())} - reached
        reached |= found
        waiting += found
    assert not {str(file.relative_to(PACKAGE)) for file in reached if part(file) in APART}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_nothing_below_ui_prints(file: Path) -> None:
    if part(file) in ("ui", "cli"):
        return
    names = {
        node.func.id
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not names & {"print", "input"}


@pytest.mark.parametrize(
    ("code", "unwanted"),
    [
        ("import outplay", {"numba", "numpy", "rich", "typer"}),
        ("import outplay; outplay.popcount, outplay.GameError, outplay.variant", {"numba", "numpy"}),
        ("from outplay.games import ConnectFour, Othello", {"numba"}),
        ("import outplay.arena.worker, outplay.arena.uci", {"numba", "numpy", "chess"}),
        ("from outplay.cli import main; assert main(['--help']) == 0", {"numba", "numpy"}),
        ("from outplay.cli import main; assert main(['games']) == 0", {"numba"}),
    ],
)
def test_nothing_heavy_is_imported_before_it_is_needed(code: str, unwanted: set[str]) -> None:
    script = f"{code}\nimport sys\nassert not {unwanted!r} & set(sys.modules)"
    here = os.environ | {"PYTHONPATH": str(PACKAGE.parent)}
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL, env=here)


def test_every_public_name_is_there() -> None:
    for name in outplay.__all__:
        assert getattr(outplay, name) is not None
    assert set(outplay.__all__) <= set(dir(outplay))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = outplay.nonsense
