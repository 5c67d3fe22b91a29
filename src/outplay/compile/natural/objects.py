"""Constant objects: `config = SimpleNamespace(columns=7)`, `rules = Rules(7)` at the top of a file.

Their attributes are constants, as a module's and a class's are: each that a rule looks at is watched, and the class
is compiled again if one has changed.
"""

import abc
import inspect
import sys
import types
import typing
from typing import Any

from outplay.compile.source import Missing

BASES = (abc.ABC, typing.Generic, typing.Protocol, object)  # of the library's, which add nothing of their own
UNLIKE = (
    "__getattr__",
    "__getattribute__",
    "__slots__",
)  # with these an attribute may be computed, or not be seen


def is_object(value: Any) -> bool:
    """Whether a value is an object of a class of the user's, or a SimpleNamespace."""
    cls = type(value)
    if cls is types.SimpleNamespace:
        return True
    return hasattr(value, "__dict__") and not isinstance(value, type) and all(map(_is_users, cls.__mro__))


def _is_users(base: Any) -> bool:
    if base in BASES:
        return True
    home = base.__module__.partition(".")[0]
    theirs = (
        home != "__main__" and home in sys.stdlib_module_names or home in ("builtins", "numpy", "outplay")
    )
    return not theirs and not any(name in vars(base) for name in UNLIKE)


def attribute(owner: Any, name: str) -> Any:
    """An attribute of a constant object; Missing if it is a method or a property, which a call computes."""
    found = static_member(owner, name)
    if isinstance(found, staticmethod):
        return found.__func__
    if name in vars(owner) and found is vars(owner)[name]:
        return found
    return Missing if hasattr(type(found), "__get__") else found


def static_member(owner: Any, name: str) -> Any:
    """The same as it stands in the object or in its class."""
    return Missing if name.startswith("__") else inspect.getattr_static(owner, name, Missing)
