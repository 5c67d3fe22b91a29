"""The twin of a class in natural Python: a state of words, and its rules as native code."""

import ast
import math
import sys
import types as python_types
from collections import namedtuple
from collections.abc import Callable
from typing import Any, NamedTuple

from outplay.compile import jit, methods
from outplay.compile.fingerprint import function_text
from outplay.compile.intrinsics import load_state, scratch
from outplay.compile.lane import Again, Uncompilable
from outplay.compile.natural import native, numbers, texts
from outplay.compile.natural.program import Natural
from outplay.compile.program import Twin
from outplay.compile.runtime import NATIVE, TooManyActions
from outplay.compile.source import Place
from outplay.game import kind
from outplay.standard import is_wrapped

MODULES = (native, numbers, texts)  # functions that generated code calls
NAMES = {
    name: value for module in MODULES for name, value in vars(module).items() if not name.startswith("_")
}

FINGERPRINT = "_outplay_fingerprint"


class Piece(NamedTuple):
    """One generated function, with the user's lines."""

    symbol: str
    node: ast.FunctionDef
    place: Place
    lines: list[int]


class NaturalTwin(Twin):
    """A compiled game: the twin class, and the conversion of states to it and back."""

    def __init__(
        self, cls: Any, grown: int, outgrown: Callable[..., Again], interpret: Callable[..., Again]
    ) -> None:
        """For a state that does not fit, the result of `outgrown` or `interpret` is raised."""
        self.grown, self.outgrown, self.interpret = grown, outgrown, interpret
        self.program: Any = Natural(cls, grown)
        self.cls: Any = cls
        self.kind = kind(cls)
        names = self.program.fields(self.program.user)
        text = function_text(FINGERPRINT, self.program.layout, names, is_wrapped(cls))
        self.digest = self.program.digest((grown, text))
        label = f"{cls.__name__}_{self.digest[:12]}"
        self.module = python_types.ModuleType(f"_outplay_{label}")
        self.state_class: Any = namedtuple(label, ["words"], module=self.module.__name__)  # type: ignore[misc]
        setattr(self.state_class, "__outplay__", self)  # noqa: B010
        setattr(self.module, label, self.state_class)
        sys.modules[self.module.__name__] = self.module
        self.functions = self._functions()
        self.fingerprint = self._made(text)
        self.light = self.program.light()
        for name, method in methods.methods(self).items():
            setattr(self.state_class, name, method)

    def _functions(self) -> dict[str, Any]:
        names = vars(self.module)
        names.update(NAMES | self.program.externals)
        names.update(
            scratch=scratch, load_state=load_state, TooManyActions=TooManyActions,
            pool_address=self.program.pool.load(),
            mix=NATIVE["mix"][1], INFINITY=math.inf, MINUS_INFINITY=-math.inf, NAN=math.nan,
        )  # fmt: skip
        self.program.pieces = []
        for function in self.program.finished():
            text, lines = function.text()
            if "pool" in text:
                head, rest = text.split("\n", 1)
                text, lines = f"{head}\n pool = pool_address()\n{rest}", [lines[0], *lines]
            tree = ast.parse(text)
            for part in ast.walk(tree):
                if hasattr(part, "lineno"):
                    part.lineno = lines[part.lineno - 1]
                    part.end_lineno = part.lineno  # type: ignore[attr-defined]
            exec(compile(tree, function.place.file, "exec"), names)
            made = names[function.symbol]
            made.__module__ = self.module.__name__
            held = sorted(set(lines))
            if getattr(function, "is_part", False):
                names[function.symbol] = jit.step(made)
            else:
                again = getattr(function, "recursive", True)
                names[function.symbol] = jit.rule(made, held, function.is_light(), again)
            node = tree.body[0]
            assert isinstance(node, ast.FunctionDef)
            self.program.pieces.append(Piece(function.symbol, node, function.place, held))
        return {rule: names[symbol] for rule, symbol in self.program.rules.items()}

    def _made(self, text: str) -> Any:
        """A function of ours for this class's states."""
        names = vars(self.module)
        exec(text, names)
        made = names[FINGERPRINT]
        made.__module__ = self.module.__name__
        return jit.rule(made, [1], recursive=False)

    def state(self, state: Any) -> Any:
        """The user's state as the twin's."""
        user = state[0] if is_wrapped(type(state)) else state
        try:
            return self.state_class(self.program.layout.pack(self.program.values(user)))
        except native.Outgrown:
            raise self.outgrown(self.cls) from None
        except (TypeError, ValueError, AttributeError):  # a state unlike all that were seen
            raise self.interpret(self.cls, Uncompilable(f"{user} holds a value of a new type")) from None

    def back(self, state: Any) -> Any:
        """The twin's state as the user's."""
        user = self.program.state(self.program.layout.unpack(tuple(state[0])))
        return self.cls(user) if is_wrapped(self.cls) else user
