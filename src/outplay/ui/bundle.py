"""The page's modules put together into one script, so that a browser asks once and nothing has to be built.

A module becomes a constant that holds what it exports, `$dom` of dom.js; its own names stay its own.
"""

import re
from collections.abc import Iterable
from pathlib import Path

STATIC = Path(__file__).parent / "web/static"
IMPORT = re.compile(r"^import \{([^}]*)\} from '\./(\w+)\.js';$", re.MULTILINE)
LATER = re.compile(r"await import\('\./(\w+)\.js'\)")
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)


def source(name: str) -> str:
    return (STATIC / f"{name}.js").read_text(encoding="utf-8")


def imported(name: str) -> list[str]:
    """The modules that a module cannot begin without."""
    return [other for _, other in IMPORT.findall(source(name))]


def later(name: str) -> list[str]:
    """Those that it asks for when it comes to it."""
    return LATER.findall(source(name))


def ordered(names: Iterable[str]) -> list[str]:
    """The modules and all that they import, each after those it imports."""
    found: dict[str, None] = {}

    def add(name: str) -> None:
        if name not in found:
            for other in imported(name):
                add(other)
            found[name] = None

    for name in names:
        add(name)
    return list(found)


def constant(name: str) -> str:
    """A module as a constant."""
    exports = ", ".join(EXPORT.findall(source(name)))
    return f"const ${name} = (() => {{\n{body(name)}return {{ {exports} }};\n}})();\n"


def body(name: str) -> str:
    """What a module does, with its imports taken from constants."""
    return EXPORT.sub("", IMPORT.sub(r"const {\1} = $\2;", source(name)))
