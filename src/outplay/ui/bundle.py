"""Bundles the page's modules into one script, so that a browser needs one request, without a build step.

A module becomes a constant with its exports (dom.js: `$dom`); its other names stay private.
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
    """The modules that a module imports statically."""
    return [other for _, other in IMPORT.findall(source(name))]


def later(name: str) -> list[str]:
    """The modules that it imports dynamically."""
    return LATER.findall(source(name))


def ordered(names: Iterable[str]) -> list[str]:
    """The modules and all that they import, in topological order."""
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
    """A module's code, with its imports taken from constants."""
    return EXPORT.sub("", IMPORT.sub(r"const {\1} = $\2;", source(name)))
