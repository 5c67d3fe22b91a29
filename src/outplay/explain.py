"""An evaluation explained: each term, its weight, its count, and its share of the value."""

import numbers
from fractions import Fraction
from typing import Any, NamedTuple

from outplay.game import GameError, adopt_state, fitting_weights, kind, offers
from outplay.standard import answered
from outplay.weights import Linear, Number, Weights


class Entry(NamedTuple):
    """A number of a group: its index, its weight, its count for MAX, and its share of the value."""

    place: int
    text: str  # its label: the class's `weight_text`, or else `name[place]`
    weight: Number
    times: Number
    share: Number


class Term(NamedTuple):
    """A weight or a group of weights; counts and shares are MAX's, negative if MIN has more."""

    name: str
    weight: Number | None  # None for a group
    times: Number
    share: Number
    entries: tuple[Entry, ...] = ()  # of a group: those with a nonzero count, the largest share first


class Explanation(NamedTuple):
    """The value of a state as the sum of its terms."""

    value: Number  # what evaluate() returns
    terms: tuple[Term, ...]  # empty if evaluate takes no weights
    constant: Number = 0  # the part of the value without a weight
    rounding: Number = 0  # the part lost by //


def explain(state: Any, weights: Weights | None = None) -> Explanation:
    """EVAL(s) term by term; a GameError if there is no evaluation."""
    state = adopt_state(state)
    cls = type(state)
    if not offers(cls, "evaluate"):
        raise GameError(f"{cls.__name__} has no evaluate(), so there is nothing to explain")
    if kind(cls).players > 2:
        raise GameError(
            f"{cls.__name__} has an evaluation for each player: games of one or two are explained"
        )
    chosen = fitting_weights(cls, weights)
    if chosen is None:
        return Explanation(_number(state, state.evaluate()), ())
    form = linear(state, chosen)
    value, flat = state.evaluate(chosen), chosen.flat()
    terms = tuple(_term(state, name, *span, form, flat) for name, span in chosen.layout().items())
    return Explanation(value, terms, _plain(form.constant), _plain(value - form.value(flat)))


def _number(state: Any, value: Any) -> Number:
    """The result of evaluate(), checked to be a number."""
    if not isinstance(value, numbers.Real) or value != value:
        name = type(state).__name__
        raise GameError(
            f"{name}.evaluate is {value!r} at {state}: return a number{answered(type(state), 'evaluate', value)}"
        )
    return value  # type: ignore[return-value]


def linear(state: Any, weights: Weights) -> Linear:
    """The evaluation of a state as a sum of weights, each times its coefficient."""
    form = state.evaluate(weights.symbolic())
    return form if isinstance(form, Linear) else Linear({}, form)


def _term(state: Any, name: str, start: int, size: int | None, form: Linear, flat: list[Number]) -> Term:
    entries = [
        Entry(
            place - start,
            _text(state, name, place - start),
            flat[place],
            _plain(count),
            _plain(flat[place] * count),
        )
        for place in range(start, start + (size or 1))
        if (count := form.terms.get(place, 0))
    ]
    times, share = sum(e.times for e in entries), sum(e.share for e in entries)
    if size is None:
        return Term(name, flat[start], times, share)
    entries.sort(key=lambda e: -abs(e.share))
    return Term(name, None, times, share, tuple(entries))


def _text(state: Any, name: str, place: int) -> str:
    return state.weight_text(name, place) if offers(type(state), "weight_text") else f"{name}[{place}]"


def _plain(number: Any) -> Number:
    """A whole number as an int, another as a float."""
    if isinstance(number, Fraction):
        return number.numerator if number.denominator == 1 else float(number)
    return int(number) if isinstance(number, bool) else number
