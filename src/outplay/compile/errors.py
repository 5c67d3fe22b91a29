"""Numba's error messages in the user's terms: which method, which line, what to change."""

import contextlib
import random
import re
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numba import typeof, types

from outplay import hooks
from outplay.compile.internals import in_compiler
from outplay.compile.interpreted import Interpreted
from outplay.compile.intrinsics import WORDS
from outplay.compile.jit import ENABLED
from outplay.compile.lane import Again
from outplay.compile.natural.native import Beyond, Outgrown
from outplay.compile.program import Twin
from outplay.compile.runtime import TooManyActions, WrongNumber, WrongPlace, WrongPlanes, WrongPlayer
from outplay.compile.source import Place
from outplay.compile.twins import interpret, outgrown
from outplay.game import (
    CHANCE,
    GameError,
    chances,
    estimate,
    is_terminal,
    kind,
    legal,
    net_of,
    offers,
    plane_words,
    utility,
)
from outplay.nnue import MOST as MOST_FEATURES
from outplay.standard import answered, original, own_files
from outplay.storage import Untrusted

GAMES, PLIES, STATES = (
    100,
    1000,
    20_000,
)  # how far to search for a wrong number: random games, then nearby states

ARGUMENTS = {
    "actions": (WORDS, types.int64, types.int64),
    **dict.fromkeys(
        ("result", "probability", "net_feature", "slot_state", *hooks.OF_ACTIONS), (types.int64,)
    ),
    **dict.fromkeys(hooks.LISTED, (WORDS, types.int64, types.int64)),
}

# What a marked error (see intrinsics and rules) means and how to fix it; {0} is the type found.
MARKED = {
    "field": ("a field of the state is given {0}", "fields are ints or tuples of ints: use // instead of /"),
    "action": ("an action is {0}", "actions are ints: pack what the move needs into one int"),
    "one": ("min() or max() of one {0}", "give it several numbers, or a tuple"),
    "index": ("an index is {0}", "index with an int: use // instead of /"),
}
# Parts of Numba's own messages.
KNOWN = [
    (
        r">>> getitem\(\w*Tuple.*, slice<",
        "a tuple is sliced, with a bound that is no constant",
        "use put(t, i, v), or a loop",
    ),
    (r"tuple index out of range", "an index is out of range", "count from 0"),
    (r"runaway recursion", "it recurses without end", "return before the recursive call, on some path"),
    (
        r"imprecise type: list\(undefined\)",
        "a list stays empty, so its item type is unknown",
        "append an int to it, or remove it",
    ),
    (
        r"Invalid use of getiter with parameters \(Tuple\(.+\)\)",
        "a loop runs over a tuple of different kinds",
        "make all its items ints, or all floats",
    ),
    (
        r"Invalid use of getiter with parameters \((.+)\)",
        "a loop runs over {1}",
        "loop over a range or a tuple",
    ),
    (r"failed to unpack (.+)", "{1} is unpacked", "unpack tuples only"),
    (
        r"wrong tuple length for .*expected (\d+), got (\d+)",
        "{2} values go to {1} names",
        "write as many names",
    ),
    (
        r"No type info available for (.+) as a callable",
        "{1} is called as a function",
        "call a function, or rename the local that hides it",
    ),
    (
        r"Cannot bind .* to signature '\((.*?)\)'",
        "a function is called with the wrong arguments",
        "it takes ({1})",
    ),
    (
        r"Invalid use of BoundFunction\((\w+)\.(\w+) for .* with parameters \((.*)\)",
        "{2}() of a {1} is given {3}",
        "a list holds numbers of one kind",
    ),
    (
        r"Unknown attribute '(\w+)' of type (.+)",
        "{2} has no attribute {1}",
        "compute with ints and tuples of ints",
    ),
    (
        r"Cannot unify (.+?) and (.+?) for '\$",
        "a value is {1} on one path and {2} on another",
        "give it one type",
    ),
    (
        r"Cannot unify (.+?) and (.+?) for '(\w+?)(?:\.\d+)?'",
        "{3} is {1} on one path and {2} on another",
        "give it one type",
    ),
    (
        r"Can't unify return type from the following types: (.+)",
        "it returns {1}",
        "return one type on every path",
    ),
    (
        r"(?s)>>> (?:ol_list_)?(\w+)\((.*?)\)\s*\n",
        "`{0}` cannot be compiled",
        "compute with ints and tuples of ints",
    ),
    (
        r"NameError: name '(\w+)' is not defined|variable '(\w+)' referenced before",
        "{1}{2} may be unset",
        "set it first",
    ),
]


CURE = "docs/python.md lists the Python that can be compiled"
UNCLEAR = re.compile(r"[<>$]|int64|float64|Literal|Tuple|undefined|imprecise|numba|_outplay_")
SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "and_": "&",
    "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "matmul": "@", "eq": "==", "ne": "!=", "lt": "<",
    "le": "<=", "gt": ">", "ge": ">=",
}  # fmt: skip

# Texts for exceptions that come without one.
SAID: dict[type, str] = {
    AssertionError: "an assertion does not hold",
    RecursionError: "it recurses too deeply",
}


@contextlib.contextmanager
def explained(twin: Twin, state: Any) -> Iterator[None]:
    """Run compiled code; errors in a game's rules are raised as GameError."""
    try:
        yield
    except Outgrown:
        raise outgrown(twin.cls) from None
    except Beyond as error:
        raise interpret(twin.cls, _beyond(twin, error)) from None
    except WrongNumber:
        raise _blamed(twin, wrong_number(twin.back(state))) from None
    except GameError as error:  # a ValueError too, but one with a clear message
        raise _blamed(twin, error) from None
    except (Again, Untrusted):
        raise
    except Exception as error:
        if in_compiler(error):
            raise interpret(twin.cls, diagnose(twin, state, error)) from None
        told = _wrong_answer(twin, error) or _failure(twin, error)
        if (
            told is None
            and isinstance(error, TypeError)
            and not (ENABLED and not isinstance(twin, Interpreted))
        ):  # a rule returned None instead of a number
            raise wrong_number(twin.back(state)) from None
        if told is None:
            raise
        raise GameError(told) from None


def _beyond(twin: Twin, error: Exception) -> GameError:
    """The error where an int outgrows 64 bits, so that only plain Python can go on."""
    located = _raised_in(twin, error)
    cure = "keep numbers below 2 ** 63" if "64 bits" in str(error) else CURE
    if located is None:
        return GameError(f"{twin.cls.__name__}: {error}; {cure}")
    return located[0].error(located[1], str(error), cure)


def _blamed(twin: Twin, error: GameError) -> GameError:
    """For an interpreted class: the reason that it is not compiled, if that names the rule that failed."""
    if isinstance(twin, Interpreted) and " line " not in str(error):
        said = (str(reason) for reason in twin.reasons)
        rule = str(error).partition(" ")[0].rstrip(":")
        return next((GameError(text) for text in said if text.startswith(f"{rule}, ")), error)
    return error


def _wrong_answer(twin: Twin, error: Exception) -> str | None:
    """What is wrong with a rule's return value, in one line; None if nothing is known of it."""
    cls: Any = twin.cls
    name = cls.__name__
    match error:
        case TooManyActions():
            located = _raised_in(twin, error)
            what = (
                f"{located[0].owner}" if located else f"{name}.{error.args[0] if error.args else 'actions'}"
            )
            most = f"max_actions = {twin.program.limit}"
            return (
                f"{what} yields more than {most} actions: declare a larger `max_actions = ...` in the class"
            )
        case WrongPlayer():
            players = [*map(str, range(twin.kind.players)), *["CHANCE"] * twin.kind.chance]
            said = f"{name}.player does not return a player: return {' or '.join(players)}"
            return f"{said}{answered(cls, 'player')}"
        case WrongPlanes():
            words, shape = plane_words(cls), cls.plane_shape
            return f"{name}.planes must yield {words} words, since plane_shape is {shape}"
        case WrongPlace(args=("policy_index",)):
            return f"{name}.policy_index must be from 0 to policy_size - 1 = {cls.policy_size - 1}"
        case WrongPlace(args=("net_cells",)):
            return f"{name}.net_cells has more than {MOST_FEATURES} bits: a net sees no more cells"
        case WrongPlace(args=("features",)):
            most = cls.feature_count - 1
            return f"{name}.features must yield feature(place, ...) with each place from 0 to {most}, at most once"
        case WrongPlace(args=("viewer",)):
            return f"{name}.viewer must be a player from 0 to {twin.kind.players - 1}"
        case WrongPlace(args=(rule,)):
            return f"{name}.{rule} must be views(mine, yours), each from 0 to {net_of(cls).features - 1}"
    return None


def _failure(twin: Twin, error: Exception) -> str | None:
    """What a rule raised, with function and line; None if the error is not a rule's."""
    name = twin.cls.__name__
    located = _raised_in(twin, error)
    if located is None and not isinstance(error, LookupError | ArithmeticError | AssertionError | ValueError):
        return None
    said = str(error) or SAID.get(type(error), "")
    if isinstance(error, TypeError) and said.endswith("got None"):
        said = "None is used as a value: return a number on every path"
    what = f"{type(error).__name__}, {said}" if said else type(error).__name__
    if located is None:
        return f"{name}: {what}, in its rules: `outplay check` finds the position and the method"
    place, line = located
    owner = place.owner if place.owner.startswith(f"{name}.") else f"{name}, {place.owner}"
    return f"{owner}, {Path(place.file).name} line {line}: {what}; `outplay check` finds the position"


def _raised_in(twin: Twin, error: Exception) -> tuple[Place, int] | None:
    """The function of the rules that raised an exception, and the line."""
    if isinstance(twin, Interpreted):
        return _raised_in_plain(twin, error)
    pieces = {piece.symbol: piece for piece in twin.program.pieces}
    found = None
    here = error.__traceback__
    while here is not None:
        code = here.tb_frame.f_code
        piece = pieces.get(code.co_name)
        file = twin.module.__name__ if ENABLED else piece and piece.place.file
        if piece is not None and code.co_filename == file:
            lines = piece.lines
            line = lines[min(here.tb_lineno, len(lines)) - 1] if ENABLED else here.tb_lineno
            found = piece.place, line
        elif (place := _plain_place(twin, code)) is not None:
            found = place, here.tb_lineno
        here = here.tb_next
    return found


def _raised_in_plain(twin: Interpreted, error: Exception) -> tuple[Place, int] | None:
    """The same for an interpreted class: the innermost line of its own file."""
    cls = original(twin.cls)
    files = own_files(cls)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in files]
    if not frames or frames[-1].lineno is None:
        return None
    owner = f"{cls.__name__}.{frames[-1].name}" if frames[-1].name in vars(cls) else frames[-1].name
    return Place(owner, frames[-1].filename), frames[-1].lineno


def _plain_place(twin: Twin, code: Any) -> Place | None:
    """The place of a function in the user's class; None for code that is not the class's."""
    for piece in twin.program.pieces:
        name = piece.place.owner.rpartition(".")[2]
        if (piece.place.file, name) == (code.co_filename, code.co_name):
            return piece.place
    return None


def wrong_number(state: Any) -> GameError:
    """Which number of a game is wrong, and where, found by checking states with the plain rules.

    Random games come first, since utilities are found at their end; then all states near this one.
    """
    dice = random.Random(0)
    seen = {state}
    try:
        for _ in range(GAMES):
            here = state
            for _ in range(PLIES):
                _look_at(here)
                if is_terminal(here):
                    break
                here = here.result(dice.choice(legal(here)))
        for here in (waiting := [state]):
            _look_at(here)
            after = {here.result(action) for action in legal(here)} - seen
            seen |= after
            waiting += after if len(waiting) < STATES else ()
    except GameError as fault:
        return fault
    return GameError(
        f"{type(state).__name__}: a utility, evaluation or probability is wrong: `outplay check` finds it"
    )


def _look_at(state: Any) -> None:
    """Raise a GameError if a number of the state is wrong."""
    if is_terminal(state):
        utility(state)
        return
    if kind(type(state)).chance and state.player() == CHANCE:
        chances(state)
    if offers(type(state), "evaluate"):
        estimate(state)


def diagnose(twin: Twin, state: Any, error: Exception) -> GameError:
    """Compile rule by rule to find the one that causes the error."""
    kind = typeof(state)
    for rule, function in twin.functions.items():
        try:
            function.compile((kind, *_arguments(twin, rule, kind)))
        except Exception as found:
            if not in_compiler(found):
                raise
            return _explain(twin, rule, str(found))
        returned = function.overloads[function.signatures[-1]].signature.return_type
        complaint = _wrong_return(twin, rule, returned, kind)
        if complaint:
            piece = next(p for p in twin.program.pieces if p.symbol == twin.program.rules[rule])
            return piece.place.error(piece.node.lineno, *complaint)
    return GameError(f"{twin.cls.__name__}: it cannot be compiled; {CURE}")


def _arguments(twin: Twin, rule: str, state: Any) -> tuple[Any, ...]:
    """A rule's arguments apart from the state."""
    if rule == "evaluate" and twin.program.weights is not None:
        return (types.int64,)
    if rule == "informed":
        return (types.int64,) * (1 if twin.program.weights is None else 2)
    if rule == "net_changed":
        return (state,)
    return ARGUMENTS.get(rule, ())


def _wrong_return(twin: Twin, rule: str, returned: Any, state: Any) -> tuple[str, str] | None:
    returned = types.unliteral(returned)
    name = twin.cls.__name__
    if rule in ("result", "slot_state"):
        if returned != state and getattr(returned, "instance_class", None) is state.instance_class:
            return (
                "a tuple field changes its length",
                "keep its length; use several fields, or fill it with zeros",
            )
        if returned != state:
            return (
                f"it returns {_words(returned)}, not a {name}",
                f"end with `return {name}(...)` on every path",
            )
        return None
    if isinstance(returned, types.NoneType | types.Optional):
        return "it returns None on some path", "return a value on every path"
    if rule in ("utility", "evaluate"):
        if isinstance(returned, types.Float) and not twin.kind.float_scores:
            return (
                "it returns a float",
                "return ints (scale the values), or declare `estimates = float` in the class",
            )
        if not isinstance(returned, types.Integer | types.Boolean | types.Float):
            return f"it returns {_words(returned)}", "return a number"
        return None
    if rule in ("player", "terminal") and not isinstance(returned, types.Integer | types.Boolean):
        return (
            f"it returns {_words(returned)}",
            "return an int" if rule == "player" else "return True or False",
        )
    if rule == "probability" and not isinstance(returned, types.Number | types.Boolean):
        return f"it returns {_words(returned)}", "return a number from 0 to 1"
    return None


def _explain(twin: Twin, rule: str, text: str) -> GameError:
    place, line = _where(twin, rule, text)
    marked = re.search(r"@outplay (\w+) (.*)", text)
    if marked and marked[1] in MARKED:
        what, cure = MARKED[marked[1]]
        return place.error(line, what.format(_words(marked[2])), cure)
    if marked:
        return place.error(line, f"{marked[1]} {_words(marked[2])}", "compute with ints")
    for pattern, what, cure in KNOWN:
        found = re.search(pattern, text)
        if found:
            parts = [_words(part or "") for part in found.groups()]
            if not any(map(UNCLEAR.search, parts)):
                parts = [_operation(*parts) if "{0}" in what else "", *parts]
                return place.error(line, what.format(*parts), cure.format(*parts))
    return place.error(line, "this cannot be compiled", CURE)


def _operation(function: str, kinds: str) -> str:
    """A call, or an operator in its written form."""
    left, _, right = kinds.partition(", ")
    if function in SIGNS and right:
        return f"{left} {SIGNS[function]} {right}"
    if function in ("at", "getitem"):
        return f"{left}[{right}]"
    if function == "contains":
        return f"{right} in {left}"
    return f"{function}({kinds})"


def _where(twin: Twin, rule: str, text: str) -> tuple[Any, int]:
    """The first function of the game that Numba names, and the line."""
    for file, number in re.findall(r'File "(.+?)", line (\d+)', text):
        line = int(number)
        for piece in twin.program.pieces:
            same = Path(piece.place.file).name == Path(file).name
            if same and piece.node.lineno <= line <= (piece.node.end_lineno or line):
                return piece.place, line
    piece = next(p for p in twin.program.pieces if p.symbol == twin.program.rules[rule])
    return piece.place, piece.node.lineno


def _words(kind: Any) -> str:
    """Numba types as a Python programmer would name them."""
    text = str(kind)
    text = re.sub(r"Literal\[(\w+)\]\([^()]*\)", r"\1", text)
    text = re.sub(r"\bu?int\d+\b", "int", text)
    text = re.sub(r"\bfloat\d+\b", "float", text)
    text = re.sub(r"<iv=[^<>]*>|\bslice<[^<>]*>", lambda m: "slice" if m[0].startswith("slice") else "", text)
    text = re.sub(r"(?:readonly )?array\([^()]*\)", "table", text)
    text = re.sub(r"\brange\w*", "range", text)
    text = re.sub(r"OptionalType\((\w+)\)", r"\1 or None", text)
    text = re.sub(r"\w*Function\(.*?\)+", "function", text)
    for _ in range(4):  # tuples in tuples
        text = re.sub(r"\b(?:Uni)?Tuple\([^()]*\)", "tuple", text)
        text = re.sub(r"\b(\w+)_[0-9a-f]{12}\([^()]*\)", r"\1", text)
        text = re.sub(r"(?:reflected )?list\([^()]*\)", "list", text)
    return text.replace("none", "None").replace("boolean", "bool").replace("NoneType", "None")
