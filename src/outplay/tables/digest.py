"""The digest of the rules: a table depends on these, and on nothing else in a class.

A new evaluation leaves a table valid; a changed rule does not.
"""

import ast
import hashlib

from outplay.compile import twin
from outplay.compile.program import Program
from outplay.game import kind

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
    program: Program = twin(cls).program
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
    digest = hashlib.sha256(repr((cls.__name__, getattr(cls, "_fields", ()), kind(cls))).encode())
    for symbol in sorted(reached):
        digest.update(ast.unparse(pieces[symbol]).encode() if symbol in pieces else symbol.encode())
    digest.update(program.constants(names))
    return digest.hexdigest()[:24]
