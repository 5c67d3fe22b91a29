"""A user's files: `mygame.py:Class` and `bot.py:Bot`, loaded and inspected.

An error in such a file is reported in one line that names the file and the line.
"""

import importlib.util
import linecache
import re
import sys
import sysconfig
import traceback
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple


class FileSpec(NamedTuple):
    """What `path/to/file.py:Name:parameters` says; the last two may be left out."""

    path: str
    name: str
    parameters: str


# `expectimax:opponent=bot.py` names no file, but a search
_SPEC = re.compile(r"(?![\w-]+:\w+=)(?P<path>.+?\.py)(?::(?P<name>[^:=]+))?(?::(?P<parameters>[^:]*=[^:]*))?")


def file_spec(text: str) -> FileSpec | None:
    """The parts of a text that names a Python file, None for any other text.

    The path ends at its first `.py`, so the colon of a Windows drive is part of it.
    """
    match = _SPEC.fullmatch(text.strip())
    return FileSpec(match["path"], match["name"] or "", match["parameters"] or "") if match else None


def read_text(path: str) -> str:
    """The text in a file; a ValueError if it holds something else."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not a text file") from None


_loaded: dict[Path, tuple[bytes, ModuleType]] = {}


def load_module(path: str) -> ModuleType:
    """The file as a module, run again only if its text has changed; a ValueError of one line if it fails.

    Modules beside it can be imported by it. It stands in `sys.modules` under a name of its own, so that it
    hides no other module and its source can be found.
    """
    file = Path(path).resolve()
    if not file.is_file():
        raise ValueError(f"no such file: {path}")
    source = file.read_bytes()
    if file in _loaded and _loaded[file][0] == source:
        return _loaded[file][1]
    linecache.checkcache(str(file))
    name = f"{file.stem}_{zlib.crc32(str(file).encode()):08x}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    _forget_namesakes(file.parent)
    sys.modules[name] = module
    sys.path.insert(0, str(file.parent))
    try:
        exec(compile(source, str(file), "exec"), vars(module))  # not the loader: its bytecode may be old
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ValueError(describe(error, file)) from error
    finally:
        sys.path.remove(str(file.parent))
    _loaded[file] = source, module
    return module


def _forget_namesakes(folder: Path) -> None:
    """Let `import helper` find the helper of this folder, not one that was imported from another."""
    for helper in folder.glob("*.py"):
        home = getattr(sys.modules.get(helper.stem), "__file__", None)
        if home and Path(home).resolve() != helper and not _is_installed(Path(home)):
            del sys.modules[helper.stem]


def _is_installed(file: Path) -> bool:
    """Whether it is a package's or Python's own, and no loose file of a user's."""
    homes = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return file.name == "__init__.py" or any(map(file.is_relative_to, homes))


def pick(module: ModuleType, name: str) -> Any:
    """The thing of that name in the module; a ValueError that lists what there is."""
    try:
        return getattr(module, name)
    except AttributeError:
        has = ", ".join(own(module)) or "nothing of its own"
        raise ValueError(f"{Path(str(module.__file__)).name} has no {name}; it has {has}") from None


def own(module: ModuleType) -> dict[str, Any]:
    """The public classes and functions that the file itself defines."""
    return {
        name: thing
        for name, thing in vars(module).items()
        if not name.startswith("_")
        and callable(thing)
        and getattr(thing, "__module__", "") == module.__name__
    }


def is_loose(error: BaseException) -> bool:
    """Whether it arose in a file that a user named."""
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and Path(frames[-1].filename) in _loaded


def describe(error: BaseException, file: Path | None = None) -> str:
    """One line for an error: the file and line where it arose, the innermost in `file` or else in a user's file."""
    message = " ".join(str(error).split())
    if isinstance(error, SyntaxError) and error.filename:
        return f"{Path(error.filename).name}, line {error.lineno}: {type(error).__name__}: {error.msg}"
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if Path(frame.filename) in ([file] if file else _loaded)]
    inside = inside if file else inside or list(frames)
    where = f"{file.name}: " if file else ""
    if inside:
        where = f"{Path(inside[-1].filename).name}, line {inside[-1].lineno}: "
    return f"{where}{type(error).__name__}" + (f": {message}" if message else "")
