"""The shape of the code: imports point one way and are light, functions are short, nothing below ui/ prints."""

import ast
import functools
import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import outplay
from outplay import words
from outplay.compile.cache import APART

PACKAGE = Path(outplay.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))

# A module may import from its own layer and from those before it; a folder's files belong to its layer.
LAYERS = (
    (
        "storage",
        "display",
        "words",
        "memory",
        "freememory",
        "weights",
        "nnue",
        "limits",
        "hooks",
        "codec",
        "written",
        "limited",
        "namesakes",
        "standard",
        "game",
        "claims",
        "views",
        "variants",
        "files",
    ),
    ("compile",),
    ("games", "check", "explain", "record"),
    ("peers",),
    ("tables", "arrays"),
    ("search",),
    ("learn", "bench"),
    ("gamefile", "book", "players"),
    ("grade", "arena", "analysis"),
    ("ui",),
    ("cli",),
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
DOORS = ("__init__", "__main__")  # they name everything, and import it late


def part(file: Path) -> str:
    """The module or folder directly below the package that a file belongs to."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


@functools.cache
def nodes(file: Path) -> list[ast.AST]:
    """All that a file says."""
    return list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))


def imports(file: Path) -> Iterator[str]:
    """The modules of the package that a file imports, wherever in it."""
    for node in nodes(file):
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        yield from (name.split(".", 1)[1] for name in names if name.startswith("outplay."))


def test_imports_point_backwards() -> None:
    inner = [file for file in FILES if part(file) not in DOORS]
    assert not {part(file) for file in inner} - RANK.keys(), "give the new module its place in LAYERS"
    later = [
        (file, name)
        for file in inner
        for name in imports(file)
        if RANK.get(name.split(".")[0], 0) > RANK[part(file)]
    ]
    assert not later


GAMES = sorted(PACKAGE.glob("games/**/[!_]*.py"))


ALLOWED = {"words", "game", "memory", "weights", "nnue", "variants"}


def test_games_know_nothing_of_the_compiler() -> None:
    for file in GAMES:
        own = ".".join(file.relative_to(PACKAGE).parts[:2])  # a folder's files know each other
        beyond = {name for name in imports(file) if not name.startswith(f"{own}.")}
        assert {name.split(".")[0] for name in beyond} <= ALLOWED, file


def test_no_class_is_known_by_its_name() -> None:
    """A user's class called Chess is not ours: `games.is_ours` says what is."""
    asked = [
        (file, node.lineno)
        for file in FILES
        for node in nodes(file)
        if isinstance(node, ast.Compare) and ".__name__" in ast.unparse(node.left)
        for other in node.comparators
        if any(isinstance(part, ast.Constant) and part.value != "<lambda>" for part in ast.walk(other))
    ]
    assert not asked


def test_no_module_is_imported_from_a_later_layer_by_a_text() -> None:
    """But for what a notebook shows, which display.py imports when it is first shown."""
    named = [
        (file, node.value)
        for file in FILES
        if part(file) not in (*DOORS, "display")
        for node in nodes(file)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.fullmatch(r"outplay(\.[a-z0-9_]+)+", node.value)
        if RANK.get(node.value.split(".")[1], 0) > RANK[part(file)]
    ]
    assert not named


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


def test_nothing_below_ui_prints() -> None:
    printing = [
        (file, node.lineno)
        for file in FILES
        if part(file) not in ("ui", "cli")
        for node in nodes(file)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id in ("print", "input")
    ]
    assert not printing


def test_functions_of_words_come_from_the_package() -> None:
    """Not the modules of that name."""
    assert list(outplay.bits(5)) == [0, 2]
    assert outplay.put((1, 2), 0, 3) == (3, 2)
    assert (outplay.shr(-1, 63), outplay.popcount(7)) == (1, 3)


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


def test_functions_on_words_come_from_the_package() -> None:
    """One name means one thing: `bits` is the function, however much else was imported before."""
    importlib.import_module("outplay.compile.runtime")
    for name in ("bits", "bswap", "lsb", "msb", "nth", "popcount", "put", "shr", "wrap"):
        assert getattr(outplay, name) is getattr(words, name)
        assert callable(getattr(outplay, name)) and name in outplay.__all__


# --- functions -------------------------------------------------------------------------------------------

MOST_PARAMETERS = 8
MOST_LINES = 60
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(file: Path) -> list[Function]:
    return [node for node in nodes(file) if isinstance(node, Function)]


def parameters(function: Function) -> list[str]:
    """What a caller may give: not the object itself, nor what Numba gives an intrinsic (`typing`)."""
    given = function.args
    names = [argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return [name for name in names if name not in ("self", "typing")]


def lines(function: Function) -> int:
    """Of its body, without the docstring."""
    first = function.body[ast.get_docstring(function) is not None :] or function.body
    return (function.end_lineno or 0) - first[0].lineno + 1


def test_functions_take_few_parameters() -> None:
    """What belongs together is one value. Those of a command are its options; those of a GPU's kernel are arrays, and
    Numba would type a tuple of them anew for each launch."""
    long = {
        f"{file.relative_to(PACKAGE)}:{function.lineno} {function.name}"
        for file in FILES
        if part(file) != "cli" and file.name != "gpukernels.py"
        for function in functions(file)
        if len(parameters(function)) > MOST_PARAMETERS
    }
    assert not long


def test_functions_are_short() -> None:
    """Signature and docstring do not count."""
    long = {
        f"{file.relative_to(PACKAGE)}:{function.lineno} {function.name}"
        for file in FILES
        for function in functions(file)
        if lines(function) > MOST_LINES
    }
    assert not long


def test_few_files_lie_beside_the_folders_of_searches() -> None:
    assert len(list((PACKAGE / "search").glob("*.py"))) <= 8
