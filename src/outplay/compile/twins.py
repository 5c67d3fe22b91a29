"""Every class's twin, in its lane.

A class with ints and tuples of ints only is compiled directly (`program.py`). Natural Python is compiled to code that
keeps its objects in memory (`natural/`). What neither can compile runs interpreted.
"""

import threading
from typing import Any

from outplay.compile import jit, lane
from outplay.compile.interpreted import Interpreted
from outplay.compile.lane import Again, Reason, Uncompilable
from outplay.compile.natural.program import needs_ints
from outplay.compile.natural.twin import NaturalTwin
from outplay.compile.program import Program, Twin
from outplay.game import GameError, adopt
from outplay.standard import is_ours, is_wrapped

MOST_GROWN = 3  # how often a state's memory is enlarged

_twins: dict[type, Twin] = {}
_by_digest: dict[str, Twin] = {}
_building = threading.RLock()  # two threads that need the same class get the same twin


def twin(cls: type) -> Twin:
    """The class's twin, rebuilt if anything that its rules use has changed since."""
    found = _twins.get(cls)
    if found is not None and found.program.unchanged():
        return found
    with _building:
        found = _twins.get(cls)
        return found if found is not None and found.program.unchanged() else _build(adopt(cls))


def is_interpreted(cls: type) -> bool:
    """Whether the class runs interpreted; for a class not compiled yet this may still change."""
    return isinstance(twin(cls), Interpreted)


def compiled(cls: type, what: str) -> Twin:
    """The twin of a class that must be compiled for `what`; a GameError if it runs interpreted."""
    found = twin(cls)
    if isinstance(found, Interpreted):
        name = cls.__name__
        raise GameError(f"{what} must be compiled, and {name} runs interpreted: {found.reasons[0]}")
    return found


def interpret(cls: type, error: GameError) -> Again:
    """Compile the class in another way, or else run it interpreted; the caller must repeat its call."""
    with _building:
        now = _twins.get(cls)
        _twins[cls] = _interpreted(cls, error) if isinstance(now, NaturalTwin) else _natural(cls, error)
    return Again(str(error))


def outgrown(cls: type) -> Again:
    """Compile the class again with more memory for its states; the caller must repeat its call."""
    with _building:
        now = _twins.get(cls)
        grown = now.grown + 1 if isinstance(now, NaturalTwin) else 0
        if grown > MOST_GROWN:
            _twins[cls] = _interpreted(cls, Uncompilable("its states need too much memory"))
        else:
            _twins[cls] = _natural(cls, GameError(""), grown)
    return Again("a state has outgrown its memory")


def _natural(cls: Any, error: GameError, grown: int = 0) -> Twin:
    """The class compiled as natural Python; interpreted if that fails, or if it is a game of our own."""
    if not jit.ENABLED or is_ours(cls) or (not is_wrapped(cls) and needs_ints(cls)):
        return _interpreted(cls, error)
    try:
        return NaturalTwin(cls, grown, outgrown, interpret)
    except GameError as reasons:
        return _interpreted(cls, reasons)


def _build(cls: Any) -> Twin:
    if is_wrapped(cls):
        reasons = [Reason(0, what, "make fields and actions ints") for what in cls.reasons]
        _twins[cls] = _natural(cls, Uncompilable(reasons))
        return _twins[cls]
    try:
        program = Program(cls)
    except GameError as error:
        _twins[cls] = _natural(cls, error)
        return _twins[cls]
    digest = program.digest()
    made = _by_digest.get(digest)
    if made is None or made.cls is not cls:
        made = Twin(program)
    else:
        made.program = program
    _by_digest[digest] = _twins[cls] = made
    return made


def _interpreted(cls: type, error: GameError) -> Interpreted:
    lane.tell(cls, error)
    return Interpreted(cls, error)
