"""The digest of the rules: a table depends on these, and on nothing else in a class.

A new evaluation leaves a table valid; a changed rule does not.
"""

import ast
import hashlib
from collections.abc import Iterator

from outplay.compile import twin
from outplay.compile.program import Program
from outplay.game import GameError, kind
from outplay.standard import is_wrapped
from outplay.tables.sources import sources

RULES = (
    "player",
    "actions",
    "result",
    "terminal",
    "utility",
    "family",
    "slots",
    "slot",
    "slot_state",
    "banked",
)


def rules_digest(cls: type) -> str:
    """A name for all that the values of a class's positions depend on."""
    digest = hashlib.sha256(repr((cls.__name__, getattr(cls, "_fields", ()), kind(cls))).encode())
    program = _program(cls)
    pieces = sources(cls, RULES) if program is None else list(_of_program(program))
    for piece in pieces:
        digest.update(piece if isinstance(piece, bytes) else piece.encode())
    return digest.hexdigest()[:24]


def _program(cls: type) -> Program | None:
    """The program of a class of ints; None if it has none, so that only its sources say what its rules are."""
    found = twin(cls).program
    if isinstance(found, Program):
        return found
    try:
        return None if is_wrapped(cls) else Program(cls)  # it may be compiled in another way in this process
    except GameError:
        return None


def _of_program(program: Program) -> Iterator[str | bytes]:
    """The functions that the rules reach, and the constants that these name."""
    pieces = {piece.symbol: piece.node for piece in program.pieces}
    waiting = [program.rules[rule] for rule in RULES if rule in program.rules]
    reached = set(waiting)
    names = set()
    while waiting:
        node = pieces.get(waiting.pop())
        found = (
            {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} if node is not None else set()
        )
        names |= found
        waiting += [name for name in found if name in pieces and name not in reached]
        reached |= found & pieces.keys()
    for symbol in sorted(reached):
        yield ast.unparse(pieces[symbol]) if symbol in pieces else symbol
    yield program.constants(names)
