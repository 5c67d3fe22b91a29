"""Every class's twin, in the lane that it runs in.

A class that keeps to ints and tuples of ints is compiled as it stands (`program.py`). Natural Python is compiled by way
of words in memory (`natural/`). What neither can compile runs interpreted.
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

MOST_GROWN = 3  # times that a state's room is made larger

_twins: dict[type, Twin] = {}
_by_digest: dict[str, Twin] = {}
_building = threading.RLock()  # two threads that ask for the same class get the same twin


def twin(cls: type) -> Twin:
    """The class's twin, rebuilt if anything that its rules name has changed since."""
    found = _twins.get(cls)
    if found is not None and found.program.unchanged():
        return found
    with _building:
        found = _twins.get(cls)
        return found if found is not None and found.program.unchanged() else _build(adopt(cls))


def is_interpreted(cls: type) -> bool:
    """Whether the class runs interpreted; a class that has not been compiled yet may turn out to."""
    return isinstance(twin(cls), Interpreted)


def compiled(cls: type, what: str) -> Twin:
    """The twin of a class that must be compiled for `what`; a GameError if it runs interpreted."""
    found = twin(cls)
    if isinstance(found, Interpreted):
        name = cls.__name__
        raise GameError(f"{what} must be compiled, and {name} runs interpreted: {found.reasons[0]}")
    return found


def interpret(cls: type, error: GameError) -> Again:
    """The class cannot be compiled as it is now: it is compiled in another way, or runs interpreted; ask again."""
    with _building:
        now = _twins.get(cls)
        _twins[cls] = _interpreted(cls, error) if isinstance(now, NaturalTwin) else _natural(cls, error)
    return Again(str(error))


def outgrown(cls: type) -> Again:
    """The class is compiled again with more room for what its states hold; whoever asked must ask again."""
    with _building:
        now = _twins.get(cls)
        grown = now.grown + 1 if isinstance(now, NaturalTwin) else 0
        if grown > MOST_GROWN:
            _twins[cls] = _interpreted(cls, Uncompilable("what its states hold takes too much room"))
        else:
            _twins[cls] = _natural(cls, GameError(""), grown)
    return Again("a state has outgrown its room")


def _natural(cls: Any, error: GameError, grown: int = 0) -> Twin:
    """The class compiled as natural Python; interpreted if that cannot be, or if it is a game of our own."""
    if not jit.ENABLED or is_ours(cls) or (not is_wrapped(cls) and needs_ints(cls)):
        return _interpreted(cls, error)
    try:
        return NaturalTwin(cls, grown, outgrown, interpret)
    except GameError as reasons:
        return _interpreted(cls, reasons)


def _build(cls: Any) -> Twin:
    if is_wrapped(cls):
        reasons = [Reason(0, what, "make fields and actions ints") for what in cls.reasons]
        return _twins.setdefault(cls, _natural(cls, Uncompilable(reasons)))
    try:
        program = Program(cls)
    except GameError as error:
        return _twins.setdefault(cls, _natural(cls, error))
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
