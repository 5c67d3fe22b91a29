"""Weights: the numbers w1, w2 ... of an evaluation w1 f1(s) + w2 f2(s) + ..., by name.

    class Othello(NamedTuple):
        weights = Weights(corners=80, mobility=10, squares=(99, -8, 8, 6))

        def evaluate(self, weights=weights):
            return weights.corners * corners + weights.mobility * mobility + weights.squares[i]

They are data, not code: a search receives a block of them when it runs, so other weights need no compilation.
With `weights.symbolic()` in their place the same method returns the coefficient of each weight.
"""

import json
from array import array
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from outplay.storage import from_json, write_whole

Number = int | float
Group = tuple[Number, ...]
LONG = 8  # numbers of a group that are shown in full
LARGEST = 1 << 40  # of a weight: sums stay far below 64 bits


class Span(NamedTuple):
    """Where a name's numbers lie in the block; `size` is None for a single number."""

    start: int
    size: int | None


class NotLinear(ValueError):
    """An evaluation does something else with its weights than multiply and add them."""


class Weights:
    """Named numbers and groups of numbers, in the order in which they were given; they never change."""

    __slots__ = ("__dict__", "_blocks")  # names and numbers are in __dict__
    _blocks: "dict[bool, array[Any]]"

    def __init__(self, /, **groups: Number | list[Number] | Group) -> None:
        object.__setattr__(self, "_blocks", {})
        for name, value in groups.items():
            if name.startswith("_") or name in vars(Weights):
                raise ValueError(f"a weight cannot be called {name}: choose another name")
            vars(self)[name] = _checked(name, value)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"weights are immutable: use replace({name}=...)")

    def __getattr__(self, name: str) -> Any:  # only called where there is no such weight
        raise AttributeError(f"unknown weight {name}; there are {', '.join(vars(self)) or 'none'}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Weights) and list(vars(self).items()) == list(vars(other).items())

    def __hash__(self) -> int:
        return hash(tuple(vars(self).items()))

    def __len__(self) -> int:
        """How many numbers there are in all."""
        return len(self.flat())

    def __repr__(self) -> str:
        return f"Weights({', '.join(f'{name}={_shown(value)}' for name, value in vars(self).items())})"

    def __reduce__(self) -> Any:
        return _unpickled, (vars(self),)

    def layout(self) -> dict[str, Span]:
        """Where each name's numbers lie in the block; all of it that compiled code knows."""
        spans, start = {}, 0
        for name, value in vars(self).items():
            size = len(value) if isinstance(value, tuple) else None
            spans[name] = Span(start, size)
            start += 1 if size is None else size
        return spans

    def flat(self) -> list[Number]:
        """All numbers, in order."""
        return [x for value in vars(self).values() for x in (value if isinstance(value, tuple) else (value,))]

    def block(self, floats: bool = False) -> "array[int] | array[float]":
        """All numbers as words of memory: what a search reads. Keep it for as long as the search runs."""
        if floats not in self._blocks:  # made once: there may be a hundred thousand numbers
            self._blocks[floats] = array("d" if floats else "q", self.flat())
        return self._blocks[floats]

    def labels(self) -> list[str]:
        """A name for each number: `corners`, `squares[0]`, `squares[1]` ..."""
        return [
            label
            for name, span in self.layout().items()
            for label in ([name] if span.size is None else [f"{name}[{i}]" for i in range(span.size)])
        ]

    def with_flat(self, numbers: list[Number]) -> "Weights":
        """The same names with other numbers, as `flat` gives them."""
        if len(numbers) != len(self):
            raise ValueError(f"{len(numbers)} numbers for {len(self)} weights")
        return self.replace(
            **{
                name: numbers[span.start] if span.size is None else numbers[span.start :][: span.size]
                for name, span in self.layout().items()
            }
        )

    def replace(self, /, **groups: Number | list[Number] | Group) -> "Weights":
        """The same with some numbers changed; a ValueError if a name or the length of a group does not fit."""
        mine = vars(self)
        for name, value in groups.items():
            if name not in mine:
                raise ValueError(f"unknown weight {name}; there are {', '.join(mine) or 'none'}")
            new, old = _checked(name, value), mine[name]
            if isinstance(old, tuple) != isinstance(new, tuple):
                wanted = f"a list of {len(old)} numbers" if isinstance(old, tuple) else "a number"
                raise ValueError(f"weight {name}: expected {wanted}, not {_shown(new)}")
            if isinstance(new, tuple) and len(new) != len(old):
                raise ValueError(f"weight {name}: expected {len(old)} numbers, not {len(new)}")
        return Weights(**(mine | groups))

    @classmethod
    def load(cls, path: str | Path) -> "Weights":
        """The weights in a JSON file, a number or list of numbers for each name.

        A game's search takes them if they fit; what the file leaves out is the game's own.
        """
        try:
            found = from_json(Path(path).read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{path} is not JSON: {error}") from None
        if not isinstance(found, dict):
            raise ValueError(f'{path} is not a weights file: expected {{"name": number, ...}}')
        try:
            return cls(**found)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None

    def save(self, path: str | Path) -> None:
        """Write them as JSON, a line for each name."""
        lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in vars(self).items())
        write_whole(path, f"{{\n{lines}\n}}\n")

    def symbolic(self) -> "Symbols":
        """Stand-ins for the weights: an evaluation of them is a `Linear` sum that shows its coefficients."""
        return Symbols(self.layout())


def _unpickled(groups: dict[str, Number | Group]) -> Weights:
    return Weights(**groups)


def _checked(name: str, value: Any) -> Number | Group:
    """A weight's value, if it is one: a number, or a sequence of numbers."""
    group = isinstance(value, tuple | list)
    if group and not value:
        raise ValueError(f"weight {name} is an empty group")
    for x in value if group else (value,):
        if type(x) not in (int, float) or not -LARGEST < x < LARGEST:
            wanted = f"expected numbers between -{LARGEST:,} and {LARGEST:,}"
            raise ValueError(f"weight {name}: {x!r} is not a weight: {wanted}")
    return tuple(value) if group else value


def _shown(value: Number | Group) -> str:
    if not isinstance(value, tuple) or len(value) <= LONG:
        return repr(value)
    return f"({', '.join(map(repr, value[: LONG // 2]))}, ... {len(value)} numbers)"


# --- what an evaluation does with its weights ------------------------------------------------------------


class Linear:
    """A sum of weights, each times a number, and a constant; `terms` maps a weight's place to its coefficient."""

    __slots__ = ("constant", "terms")

    def __init__(self, terms: Mapping[int, Any], constant: Any = 0) -> None:
        self.terms = terms
        self.constant = constant

    def value(self, numbers: list[Number]) -> Any:
        """The sum with these numbers as weights."""
        return self.constant + sum(numbers[i] * c for i, c in self.terms.items())

    def __repr__(self) -> str:
        return " + ".join([*(f"{c} w{i}" for i, c in sorted(self.terms.items())), f"{self.constant}"])

    def __add__(self, other: Any) -> "Linear":
        if not isinstance(other, Linear):
            return Linear(self.terms, self.constant + other)
        small, large = sorted((self, other), key=lambda form: len(form.terms))
        terms = dict(large.terms)
        for place, coefficient in small.terms.items():
            terms[place] = terms.get(place, 0) + coefficient
        return Linear(terms, self.constant + other.constant)

    def __neg__(self) -> "Linear":
        return self * -1

    def __pos__(self) -> "Linear":
        return self

    def __sub__(self, other: Any) -> "Linear":
        return self + -1 * other

    def __rsub__(self, other: Any) -> "Linear":
        return -1 * self + other

    def __mul__(self, factor: Any) -> "Linear":
        if isinstance(factor, Linear):
            if factor.terms:
                if self.terms:
                    _refuse("multiplied with each other")
                return factor * self.constant
            factor = factor.constant
        if factor == 0:
            return Linear({})
        return Linear({place: c * factor for place, c in self.terms.items()}, self.constant * factor)

    def __truediv__(self, divisor: Any) -> "Linear":
        if isinstance(divisor, Linear):
            _refuse("divided by")
        return self * (Fraction(1, divisor) if isinstance(divisor, int) else 1 / divisor)

    __radd__, __rmul__, __floordiv__ = __add__, __mul__, __truediv__

    def _no(self, *_: Any) -> NoReturn:
        _refuse("compared, or tested, or used as plain numbers")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __abs__ = _no
    __int__ = __float__ = __index__ = __round__ = __pow__ = __rpow__ = __mod__ = __divmod__ = _no
    __rtruediv__ = __rfloordiv__ = __rshift__ = __lshift__ = __and__ = __or__ = __xor__ = _no
    __hash__ = None  # type: ignore[assignment]


def _refuse(what: str) -> NoReturn:
    raise NotLinear(f"evaluate must be linear in its weights, but they are {what}")


class Symbols:
    """Stand-ins for weights, by the same names."""

    def __init__(self, layout: dict[str, Span]) -> None:
        for name, (start, size) in layout.items():
            vars(self)[name] = Linear({start: 1}) if size is None else SymbolGroup(start, size)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"unknown weight {name}; choose from {', '.join(vars(self))}")


class SymbolGroup:
    """Stand-ins for a group, each made when it is asked for."""

    def __init__(self, start: int, size: int) -> None:
        self.places = range(start, start + size)

    def __getitem__(self, i: Any) -> Any:
        found = self.places[i]
        return Linear({found: 1}) if isinstance(found, int) else tuple(Linear({place: 1}) for place in found)

    def __len__(self) -> int:
        return len(self.places)

    def __iter__(self) -> Iterator[Linear]:
        return (Linear({place: 1}) for place in self.places)
