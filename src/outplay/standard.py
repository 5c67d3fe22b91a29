"""The standard form of a game class: a NamedTuple whose actions are ints.

A class that already has it (fields are ints and tuples of at most 16 ints, actions are ints) is its
own standard form. Any other class that plain Python can run, a frozen dataclass, a NamedTuple of strings, a class
with `__init__`, gets one: a NamedTuple with one field, `state`, which holds the user's object. Its methods call the
user's, with actions encoded (`codec.py`). Everything inside the system works with standard forms; the entry points
convert, so that users see their own states and actions.
"""

import ast
import builtins
import contextlib
import dis
import enum
import functools
import inspect
import itertools
import random
import sysconfig
import textwrap
import threading
import time
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from outplay import hooks, written
from outplay.codec import Codec, in_order
from outplay.hooks import GameError, offers
from outplay.limited import Late, limited
from outplay.namesakes import Namesakes

MAX_FIELD = 16  # ints in one field
MOST_LISTED = 1 << 16  # actions of a state that are looked at
MAX_ACTIONS = 256  # unless the class declares `max_actions`
GAMES, PLIES, SECONDS = 20, 200, 0.2  # played to see what a class's actions are
RANDOM = "returns different values for the same state: it must not depend on chance or a clock"
KEPT = ("__doc__", "__module__", "__qualname__")  # of the user's class
IMPURE = {
    "random",
    "time",
    "secrets",
    "os",
    "uuid",
    "datetime",
    "numpy.random",
}  # modules that ask for more than a state
LIBRARY, INSTALLED = (
    sysconfig.get_path("stdlib"),
    "-packages",
)  # where Python's own files are, but for site-packages
PACKAGE = str(Path(__file__).parent)
_forms: dict[type, type] = {}


def original(cls: Any) -> Any:
    """The user's class behind a standard form; the class itself if it is its own."""
    return vars(cls).get("original", cls) if isinstance(cls, type) else cls


def is_wrapped(cls: type) -> bool:
    """Whether a class is a standard form of another."""
    return "original" in vars(cls)


def is_ours(cls: Any) -> bool:
    """Whether a class comes with Outplay."""
    return str(cls.__module__).partition(".")[0] == "outplay"


def own_files(cls: Any) -> set[str]:
    """The files in which a class's methods stand, and its bases'; not Python's own, as `_replace` has it."""
    methods = (method for base in original(cls).__mro__ for method in vars(base).values())
    found = {method.__code__.co_filename for method in methods if hasattr(method, "__code__")}
    if not is_ours(cls):
        found = {file for file in found if not file.startswith(PACKAGE)}  # adopt adds some
    return {file for file in found if not file.startswith(LIBRARY) or INSTALLED in file}


def place_of(cls: Any, rule: str) -> str:
    """A rule as messages name it, with its line: that which asks for more than the state, if there is one."""
    function = inspect.unwrap(getattr(original(cls), rule))
    function = getattr(function, "__func__", function)
    if not inspect.isfunction(function):
        return f"{cls.__name__}.{rule}"
    code = function.__code__
    line = next(impure_lines(code, function.__globals__), code.co_firstlineno)
    return f"{cls.__name__}.{rule}, {Path(code.co_filename).name} line {line},"


def answered(cls: Any, rule: str, answer: object = ...) -> str:
    """Where a rule gives its answer, as messages end: " (nim.py line 12)"; where it begins if that is not one line."""
    function = getattr(original(cls), rule, None)
    function = inspect.unwrap(getattr(function, "__func__", function)) if function is not None else None
    if not inspect.isfunction(function):
        return ""
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, SyntaxError):
        return ""
    gives = [
        part.lineno for part in ast.walk(tree) if isinstance(part, ast.Return | ast.Yield | ast.YieldFrom)
    ]
    line = (
        gives[0] + first - 1 if len(gives) == 1 and answer is not None else function.__code__.co_firstlineno
    )
    return f" ({Path(function.__code__.co_filename).name} line {line})"


def impure_lines(code: CodeType, names: dict[str, Any]) -> Iterator[int]:
    """The lines that ask chance, a clock or the system, or use a list, dict or set of the module."""
    for step in dis.get_instructions(code):
        value = names.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
        whose = getattr(value, "__self__", None)
        home = value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", None)
        asks = home in IMPURE or isinstance(whose, random.Random) or value is builtins.input
        changed = isinstance(value, list | dict | set) or step.opname == "STORE_ATTR"
        if (asks or changed) and step.positions and step.positions.lineno:
            yield step.positions.lineno
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from impure_lines(inner, names)


def own_state(state: Any) -> Any:
    """The user's state, of a standard form's or of a class that is its own."""
    return state[0] if is_wrapped(type(state)) else state


def standard(cls: Any, start: Any = None) -> Any:
    """The standard form of a game class, the class itself where it keeps the contract; `start` is a state of it."""
    if is_wrapped(cls):
        return cls
    found = _forms.get(cls)
    if found is None:
        seen = Seen(cls, start)
        if seen.fault:
            raise GameError(seen.fault)
        seen.namesakes.tell(cls)
        seen.reasons = list(seen.against())
        if seen.reasons:
            found = _form(cls, seen)
        else:
            found = cls
            _declare(cls, seen)
        _forms[cls] = found
    return found


# --- what a class is like --------------------------------------------------------------------------------


def written_as(annotation: Any) -> str:
    """A field's annotation as it stands in the class; a file may put off what annotations mean."""
    if isinstance(annotation, str):
        return annotation
    text = getattr(annotation, "__forward_arg__", None) or (
        annotation.__name__ if isinstance(annotation, type) and not hasattr(annotation, "__args__") else ""
    )
    return text or str(annotation)


_told = threading.local()


class Known(NamedTuple):
    """What random games have shown of a class, for processes that may not play it."""

    natural: bool = False  # it is not its own standard form
    floats: bool = False  # as in Seen, and so on
    fractions: bool = False
    namesakes: tuple[str, ...] = ()


def known(cls: Any) -> Known:
    """What is known of a class that may be played."""
    seen = Seen(original(cls))
    return Known(is_wrapped(cls), seen.floats, seen.fractions, tuple(seen.namesakes.found))


@contextlib.contextmanager
def unplayed(known: Known | None = None) -> Iterator[None]:
    """Meanwhile classes are judged by what they declare: a server runs no rule of a user's, which might end it.

    `known`: what another process has seen.
    """
    _told.unplayed = known or Known()
    try:
        yield
    finally:
        _told.unplayed = None


class Seen:
    """What some games of a class show, played at random by the class itself; what is raised ends them."""

    def __init__(self, cls: Any, start: Any = None) -> None:
        self.cls = cls
        self.states: list[Any] = []
        self.actions: dict[Any, Any] = {}
        self.fractions = False  # whether a utility is a fraction
        self.floats = False  # whether a utility or an evaluation is a float
        self.fault = ""
        self.natural = False  # whether it is known that the class is not its own standard form
        self.sets = False  # whether actions are given as a set
        self.reasons: list[str] = []  # why the class is not its own standard form
        self.namesakes = Namesakes()
        if is_ours(cls):
            return
        self.namesakes.begin(cls)
        if known := getattr(_told, "unplayed", None):
            self.natural, self.floats, self.fractions = known.natural, known.floats, known.fractions
            self.namesakes.add(known.namesakes)
            return
        for make in (cls, lambda: start):
            with (
                contextlib.suppress(Exception, Late),
                limited(),
            ):  # whatever is wrong with the rules, others tell
                first = make()
                if first is not None:
                    self.play(first)

    def play(self, start: Any) -> None:
        rng, end = random.Random(1), time.thread_time() + SECONDS  # so that a busy machine sees the same
        for _ in range(GAMES):
            state = start
            for _ in range(PLIES):
                self.states.append(state)
                actions = self.look(state)
                if not actions or self.fault or time.thread_time() > end:
                    break
                state = self.after(state, rng.choice(actions))
                if type(state) is not self.cls:
                    break
            if self.fault or time.thread_time() > end:
                break

    def look(self, state: Any) -> list[Any]:
        """The actions of a state; none where the game is over."""
        over = hasattr(state, "terminal") and state.terminal()
        actions = [] if over else self.listed(state)
        asked = ["player", *["utility"] * (not actions), *["evaluate"] * hasattr(state, "evaluate")]
        several = "players" not in self.namesakes.found and getattr(self.cls, "players", 2) > 2
        for rule in asked:
            given = [0] * (several and rule in hooks.OF_PLAYERS)
            first, second = getattr(state, rule)(*given), getattr(state, rule)(*given)
            if isinstance(first, float) and rule in ("utility", "evaluate"):
                self.floats = True
                self.fractions |= rule == "utility" and not first.is_integer()
            if first != second and first == first:  # and not NaN
                self.fault = f"{place_of(self.cls, rule)} {RANDOM}"
        met = {written.frozen(action): action for action in actions}
        if not over and met.keys() != set(map(written.frozen, self.listed(state))):
            self.fault = f"{place_of(self.cls, 'actions')} {RANDOM}"
        self.actions |= met
        self.namesakes.look(state, over, actions)
        return actions

    def listed(self, state: Any) -> list[Any]:
        told = state.actions()
        self.sets |= isinstance(told, set | frozenset)
        return list(itertools.islice(in_order(told), MOST_LISTED))

    def after(self, state: Any, action: Any) -> Any:
        """The state after an action; notes if the one before it changes."""
        before = written.frozen(state)
        child = state.result(action)
        name = self.cls.__name__
        if written.frozen(state) != before:
            self.fault = (
                f"{name}.result changes the state that it is asked of: leave it as it is and return a new one"
                f"{answered(self.cls, 'result')}"
            )
        elif written.frozen(state.result(action)) != written.frozen(child):
            self.fault = f"{place_of(self.cls, 'result')} {RANDOM}"
        return child

    def against(self) -> Iterator[str]:
        """What keeps the class from being its own standard form."""
        cls, name = self.cls, self.cls.__name__
        for helper in self.namesakes.found:
            yield f"{name}.{helper} is not the contract's {helper}"
        if self.sets:
            yield f"{name}.actions gives a set"
        if self.natural:
            yield f"{name} has fields or actions that are not ints"
        if not (issubclass(cls, tuple) and hasattr(cls, "_fields")):
            yield f"{name} is not a NamedTuple class"
            return
        for base in cls.__mro__[1:]:
            if hasattr(base, "_fields"):
                yield f"{name} inherits from {base.__name__}"
        for field in cls._fields:
            declared = written_as(getattr(cls, "__annotations__", {}).get(field, "int"))
            if field in hooks.RESERVED:
                yield f"{name}.{field} is a field, but searches call {field}()"
            elif declared not in ("int", "bool") and not declared.lower().startswith("tuple"):
                yield f"{name}.{field} is declared {declared}"
            else:
                values = (getattr(state, field) for state in self.states)
                yield from [
                    f"{name}.{field} = {v!r}" for v in values if not _is_plain_field(v, "int" in declared)
                ][:1]
        for action in self.actions.values():
            if not hasattr(action, "__index__"):
                yield f"{name}.actions yields {action!r}"
                return


def _is_plain_field(value: Any, declared_int: bool) -> bool:
    """An int, or a tuple of a few; an enum where an int is declared; a float is a slip of the pen that is told."""
    if isinstance(value, tuple):
        return (
            type(value) is tuple and len(value) <= MAX_FIELD and all(_is_int(v, declared_int) for v in value)
        )
    return hasattr(value, "__index__") and _is_int(value, declared_int) or isinstance(value, float)


def _is_int(value: Any, declared_int: bool) -> bool:
    if isinstance(value, enum.Enum):
        return declared_int and isinstance(value, int)
    return hasattr(value, "__index__")


def _declare(cls: Any, seen: Seen) -> None:
    """Have a class say that its scores are floats, if it does not say what they are."""
    if seen.floats and not (hasattr(cls, "scores") or hasattr(cls, "estimates")):
        on_one_scale = seen.fractions or getattr(cls, "points", False) is True
        setattr(cls, "scores" if on_one_scale else "estimates", float)


# --- the form --------------------------------------------------------------------------------------------


def _form(cls: Any, seen: Seen) -> type:
    """The class's standard form."""
    most = MAX_ACTIONS if "max_actions" in seen.namesakes.found else getattr(cls, "max_actions", MAX_ACTIONS)
    form: Any = type(cls.__name__, (_Form, namedtuple(cls.__name__, ("state",))), {})  # noqa: PYI024
    form.original = cls
    form.seen = seen.states  # what its fields hold is known from these
    form.codec = Codec(
        list(seen.actions.values()),
        lambda state: (
            state.listed
            if type(state) is form
            else list(itertools.islice(in_order(state.actions()), most + 1))
        ),
    )
    form.reasons = tuple(seen.reasons)
    form.namesakes = seen.namesakes.doubtful()
    form.__outplay_adopted__ = True
    for name in KEPT:
        setattr(form, name, getattr(cls, name))
    for fact in hooks.FACTS:
        if hasattr(cls, fact.name) and fact.name not in seen.namesakes.found:
            setattr(form, fact.name, getattr(cls, fact.name))
    _declare(form, seen)
    for hook in hooks.HOOKS:
        if hook.name not in (*vars(_Form), *seen.namesakes.found) and offers(cls, hook.name):
            setattr(form, hook.name, _method(form, hook))
    return form


class _Form:
    """What all standard forms have; `self[0]` is the user's state."""

    original: Any
    codec: Codec

    def __new__(cls, *given: Any, **named: Any) -> Any:
        if not given and not named:
            given = (cls.original(),)
        return super().__new__(cls, *given, **named)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.frozen == other.frozen

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.frozen)

    def __reduce__(self) -> Any:
        return _again, (self[0],)  # type: ignore[index]

    def __str__(self) -> str:
        return str(self[0]) if _has_own_text(self.original) else self.text()  # type: ignore[index]

    @functools.cached_property
    def frozen(self) -> Any:
        """What states are compared by."""
        return written.frozen(self[0])  # type: ignore[index]

    @functools.cached_property
    def listed(self) -> list[Any]:
        """The user's actions, in their order."""
        self.actions()
        found: list[Any] = vars(self)["listed"]
        return found

    def text(self) -> str:
        """The fields by name."""
        return written.text(self[0])  # type: ignore[index]

    def actions(self) -> Any:
        """The codes of the user's actions."""
        told = self[0].actions()  # type: ignore[index]
        if not isinstance(told, Iterable):
            return told
        most = getattr(self, "max_actions", MAX_ACTIONS)
        vars(self)["listed"] = list(itertools.islice(in_order(told), most + 1))
        return [self.encode(action) for action in self.listed]

    def encode(self, action: Any) -> int:
        """The code of one of the user's actions."""
        return self.codec.encode(self, action)

    def decode(self, code: int) -> Any:
        """The user's action of a code."""
        return self.codec.decode(self, code)

    def action_text(self, code: int) -> str:
        state, action = self[0], self.decode(code)  # type: ignore[index]
        own = getattr(state, "action_text", None)
        if own is not None:
            return own(action)
        return written_action(action)


def written_action(action: Any) -> str:
    """An action of which the class does not say how it is written: in one word, unless it is a text."""
    if isinstance(action, enum.Enum):
        return action.name
    return str(action) if isinstance(action, str) else str(action).replace(" ", "")


def _has_own_text(cls: type) -> bool:
    """Whether a class says how its states are written."""
    own = {name for base in cls.__mro__ if base.__module__ != "builtins" for name in vars(base)}
    made = "_fields" in own or "__dataclass_fields__" in own  # they are written by their fields
    return "__str__" in own or "__repr__" in own and not made


def _again(state: Any) -> Any:
    """A state of a standard form, unpickled."""
    return standard(type(state), state)(state)


def _method(form: Any, hook: hooks.Hook) -> Any:
    """A method of the standard form that asks the user's."""
    cls = form.original
    own = getattr(cls, hook.name)
    if hook.name == "parse":
        return staticmethod(lambda text: form(own(text)))
    given = [name.partition("=")[0] for name in hook.takes.split(", ")]
    takes_action = given[0] in ("action", "outcome")
    answer = _answer(form, hook)

    @functools.wraps(own)
    def method(self: Any, *args: Any, **named: Any) -> Any:
        state = self[0]
        if takes_action:
            args = (form.codec.decode(self, args[0]), *args[1:])
        elif hook.takes == "before":
            args = (args[0][0],)
        return answer(self, getattr(state, hook.name)(*args, **named), *args)

    return method


def _answer(form: Any, hook: hooks.Hook) -> Callable[..., Any]:
    """What a method of the user's gives, as the standard form gives it."""
    cls = form.original
    if hook.gives == "state":

        def as_state(self: Any, told: Any, *args: Any) -> Any:
            if not isinstance(told, cls):
                name = cls.__name__
                shown = f"{name}.{hook.name} returns {told!r}, not a {name}"
                raise GameError(f"{shown}: end with `return {name}(...)`{answered(cls, hook.name, told)}")
            return form(told)

        return as_state
    if hook.name in ("sample", "playout", "parse_action"):
        return lambda self, told, *args: form.codec.encode(self, told)
    if hook.name in ("noisy", "promising"):
        return lambda self, told, *args: [form.codec.encode(self, action) for action in told]
    if hook.name == "percept":
        return lambda self, told, action, seat: _percept(form, self, told, action)
    return lambda self, told, *args: told


def _percept(form: Any, state: Any, told: Any, action: Any) -> int:
    """What a seat learns, as an int: the action's code, or another number."""
    if type(told) is type(action) and told == action:
        return form.codec.encode(state, action)
    return told if isinstance(told, int) else written.number(told)
