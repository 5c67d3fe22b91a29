"""Helpers of a user's class that only share their names with the contract's methods and attributes.

People who have not read the contract call a helper `count`, `key` or `win`. What takes other arguments, is a field, or
does not give what the contract says is not asked for by any search: the class is played as if the helper had another
name. `evaluate` and the six rules are always the contract's.
"""

import contextlib
import enum
import inspect
import numbers
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

from outplay import hooks, written
from outplay.hooks import HOOK, HOOKS, Hook, offers
from outplay.weights import Weights
from outplay.words import wrap

ALWAYS = {"evaluate", "percept", "__str__"}  # and the rules
SIZES = {
    "policy_index": "policy_size",
    "features": "feature_count",
    "planes": "plane_shape",
}  # each needs its own
AT_THE_END = ("drawn", "board")  # what searches or drawings ask of terminal states, too
NUMBER = (numbers.Real,)
VALUES: dict[str, tuple[type, ...]] = {  # what an attribute is
    "max_actions": NUMBER, "players": NUMBER, "seats": NUMBER, "points": (bool,), "scores": (type,),
    "estimates": (type,), "win": NUMBER, "unit": NUMBER, "weights": (Weights,), "repetition": NUMBER, "uct": (dict,),
}  # fmt: skip
RANDOM_BITS = 0x9E3779B97F4A7C15


class Namesake(UserWarning):
    """A method of a user's class has the name of one of the contract's."""


class Namesakes:
    """The helpers of a class that are found to be such, first in the class itself, then in its play."""

    def __init__(self) -> None:
        self.found: dict[
            str, str
        ] = {}  # by name: what it gives that the contract's cannot; "" if that is clear
        self.hooks: set[str] = set()  # the methods that are the contract's, so far
        self.keys: dict[int, Any] = {}  # what all states of a key have in common

    def begin(self, cls: Any) -> None:
        """Look at the class itself."""
        self.add(declared(cls))
        optional = {hook.name for hook in HOOKS if hook.compiled and hook.group != "rules"} - ALWAYS
        if not hasattr(cls, "percept"):
            optional.add("board")
        self.hooks = {name for name in optional - self.found.keys() if offers(cls, name)}

    def add(self, names: Iterable[str]) -> None:
        """Add what another process has found."""
        self.found |= dict.fromkeys(names, "")

    def look(self, state: Any, over: bool, actions: list[Any]) -> None:
        """Look at what the methods give at a state."""
        found = dict(revealed(state, over, actions, self.hooks - {"key"}))
        with contextlib.suppress(Exception):  # as in `revealed`
            if "key" in self.hooks and (why := self.odd_key(state, actions)):
                found["key"] = why
        self.hooks -= found.keys()
        self.found |= found

    def odd_key(self, state: Any, actions: list[Any]) -> str:
        """Why a key is not the contract's: it is equal in states that differ."""
        key = state.key()
        if not _is_number(key):
            return f"key() is {_shown(key)}: expected an int"
        if "drawn" in self.hooks and state.drawn():
            return ""
        alike = state.player(), frozenset(map(written.frozen, actions))
        if self.keys.setdefault(int(key), alike) == alike:
            return ""
        return f"key() is {_shown(key)} here and in a state with other actions or player"

    def doubtful(self) -> dict[str, str]:
        """Those that may be meant as the contract's, and why they are not taken for them."""
        return {name: why for name, why in self.found.items() if why}

    def tell(self, cls: type) -> None:
        """Warn of the doubtful ones."""
        for name, why in self.doubtful().items():
            text = f"{cls.__name__}.{name}() is taken for a helper of yours, not for the contract's {name}(): {why}"
            warnings.warn(text, Namesake, stacklevel=2)


def declared(cls: Any) -> set[str]:
    """The names of such helpers, as far as the class itself shows them."""
    return {*_attributes(cls), *_methods(cls)}


def _attributes(cls: Any) -> Iterator[str]:
    fields = {*getattr(cls, "_fields", ()), *getattr(cls, "__dataclass_fields__", ())}
    for fact in hooks.FACTS:
        value = inspect.getattr_static(cls, fact.name, None)
        wanted = VALUES.get(fact.name)
        if fact.name in fields or value is not None and wanted is not None and not isinstance(value, wanted):
            yield fact.name


def _methods(cls: Any) -> Iterator[str]:
    for hook in HOOKS:
        if hook.group == "rules" or hook.name in ALWAYS or not offers(cls, hook.name):
            continue
        is_field = hook.name in getattr(cls, "__dataclass_fields__", ())
        lacks_size = hook.name in SIZES and not hasattr(cls, SIZES[hook.name])
        if is_field or lacks_size or not _fits(cls, hook):
            yield hook.name


def _fits(cls: Any, hook: Hook) -> bool:
    """Whether a method can be called as the contract calls it."""
    if hook.name in ("parse", "families", "net_feature") or not hook.compiled and hook.name != "board":
        return True
    given = [name for name in hook.takes.split(", ") if name and "=" not in name]
    method = getattr(cls, hook.name)
    try:
        inspect.signature(method).bind("self", *given)
    except TypeError:
        return inspect.iscoroutinefunction(method) or hook.name == "board" and _takes_eyes(cls)
    except ValueError:  # it has no signature
        return True
    return True


def _takes_eyes(cls: Any) -> bool:
    """Whether `board` asks who looks, in a game with hidden information."""
    try:
        inspect.signature(cls.board).bind("self", "eyes")
    except TypeError:
        return False
    return hasattr(cls, "percept")


def revealed(state: Any, over: bool, actions: list[Any], names: set[str]) -> Iterator[tuple[str, str]]:
    """Other such helpers among these hooks, by what they give at a state; and why they are not the contract's."""
    for name in names:
        try:
            why = _odd(state, HOOK[name], over, actions)
        except (TypeError, AttributeError) as error:
            why = f"{name}() raises {type(error).__name__}"
        except Exception:
            continue  # whatever is wrong with it, others tell
        if why:
            yield name, why


def _odd(state: Any, hook: Hook, over: bool, actions: list[Any]) -> str:
    """Why a method's answer is not the contract's; empty if it may be."""
    given = _given(hook, actions)
    asked = state.player() >= 0 or hook.name == "count"  # little is asked where chance moves
    if given is None or not asked or over and hook.name not in AT_THE_END:
        return ""
    if hook.name == "drawn":
        return _oddly_drawn(state, over)
    told = getattr(state, hook.name)(*given)
    said = f"{hook.name}({', '.join(map(str, given))})"
    if hook.name == "board":
        fits = hasattr(told, "rows") and hasattr(told, "owners")
        return "" if fits else f"{said} is {_shown(told)}: return a Board"
    if hook.name == "count" and told != len(actions):
        return f"{said} is {_shown(told)}, but actions() yields {len(actions)}"
    if hook.name in ("sample", "playout"):
        return "" if told in actions else f"{said} is {_shown(told)}, which is not legal"
    if hook.gives == "words":
        return _odd_words(said, told, actions if hook.name in ("noisy", "promising") else None)
    if hook.gives == "state":
        name = type(state).__name__
        fits = isinstance(told, type(state))
        return "" if fits else f"{said} returns a {type(told).__name__}, not a {name}"
    if hook.gives in ("int", "bool"):
        return "" if _is_number(told) else f"{said} is {_shown(told)}: expected an int"
    return ""


def _odd_words(said: str, told: Any, actions: list[Any] | None) -> str:
    """What is odd about the words that a method yields: ints, or some of the actions."""
    for word in told if isinstance(told, Iterable) else iter(told):  # raises the TypeError
        if actions is not None and word not in actions:
            return f"{said} yields {_shown(word)}, which is not legal"
        if actions is None and not _is_number(word):
            return f"{said} yields {_shown(word)}: expected ints"
    return ""


def _given(hook: Hook, actions: list[Any]) -> tuple[Any, ...] | None:
    """Arguments that the contract would give; None if there is no action."""
    if not hook.takes:
        return ()
    if hook.takes == "random":
        return (wrap(RANDOM_BITS),)
    return (actions[0],) if hook.takes == "action" and actions else None


def _oddly_drawn(state: Any, over: bool) -> str:
    drawn = state.drawn()
    if not _is_number(drawn):
        return f"drawn() is {_shown(drawn)}: expected True or False"
    if drawn and not over:
        return "drawn() is True, but terminal() is False"
    if over and not drawn and any(True for _ in state.actions()):
        return "actions() yields actions in a terminal state that is not drawn()"
    return ""


def _is_number(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, enum.Enum)


def _shown(value: Any) -> str:
    """A value in a message: short, and without an address."""
    text = repr(value)
    return text if len(text) <= 40 and " at 0x" not in text else f"a {type(value).__name__}"
