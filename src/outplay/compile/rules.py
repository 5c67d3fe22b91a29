"""How compiled code calls a game's rules: `s.actions(out, base)`, `s.result(a)` ... on the twin of any game.

One generic search serves every game: each rule is an overloaded method of Numba's named-tuple types, looked up on
the twin class. Its return type is checked here at compile time, so that an error message can name the rule. A
missing hook costs nothing.
"""

import math
from typing import Any

from numba import types
from numba.extending import intrinsic, overload_method

from outplay import hooks
from outplay.compile import internals, intrinsics
from outplay.compile.internals import TypingError
from outplay.compile.runtime import (
    TooManyActions,
    WrongNumber,
    WrongPlace,
    WrongPlanes,
    WrongPlayer,
    fold,
    native_mix,
)
from outplay.game import (
    CHANCE,
    NET_FACTS,
    NO_CEILING,
    NO_SLOT,
    UNIT,
    UNKNOWN,
    has_own_identity,
    most_estimate,
    most_utility,
    net_of,
    net_slot,
    offers,
    outranks,
    plane_words,
    worth,
)
from outplay.nnue import MOST as MOST_FEATURES
from outplay.nnue import NO_NET


@intrinsic
def _as_state(typing, made, like):  # type: ignore[no-untyped-def]
    if made != like:
        raise TypingError(f"@outplay state {made}")
    return made(made, like), lambda context, builder, sig, args: args[0]


def _kept(light: bool) -> Any:
    @intrinsic
    def keep(typing, x):  # type: ignore[no-untyped-def]
        def keep_it(context, builder, sig, args):  # type: ignore[no-untyped-def]
            if light:
                builder.function.attributes.add("alwaysinline")
            return args[0]

        return x(x), keep_it

    return keep


_in_place, _called = _kept(True), _kept(False)


def _placed(twin: Any, rule: str) -> Any:
    """A pass-through for a rule's answer that inlines the method into the search if the rule is `light`."""
    return _in_place if rule in getattr(twin, "light", ()) else _called


def _as_number(rule: str, accepted: Any, number: Any, complaint: str) -> Any:
    @intrinsic
    def convert(typing, x):  # type: ignore[no-untyped-def]
        if not isinstance(x, accepted):
            raise TypingError(f"@outplay {rule} {complaint} {x}")

        def cast(context, builder, sig, args):  # type: ignore[no-untyped-def]
            return context.cast(builder, args[0], sig.args[0], sig.return_type)

        return number(x), cast

    return convert


WORD = types.Integer | types.Boolean
_told = {
    rule: _as_number(rule, WORD, types.int64, "int")
    for rule in (*hooks.OF_STATES, *hooks.OF_ACTIONS, *hooks.OF_CELLS)
}
_player = _as_number("player", WORD, types.int64, "int")
_truth = _as_number("terminal", WORD, types.boolean, "bool")
_chances = _as_number("probability", WORD | types.Float, types.float64, "float")
_scores = {
    (rule, is_float): _as_number(
        rule,
        WORD | types.Float if is_float else WORD,
        types.float64 if is_float else types.int64,
        "float" if is_float else "int",
    )
    for rule in ("utility", "evaluate")
    for is_float in (False, True)
}


_told_key, _told_repetition_key = _told["key"], _told["repetition_key"]


def _twin(self: Any) -> Any:
    return getattr(self.instance_class, "__outplay__", None)


# Only native code calls these thin methods, so they are always inlined.
OPTIONS = {"nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": True}
METHODS: dict[str, tuple[Any, tuple[str, ...]]] = {}  # by name: a method's builder and its arguments


def _method(name: str, build: Any, *arguments: str) -> None:
    """Register a method: `build(twin)` returns its implementation for one game."""
    METHODS[name] = build, arguments
    for named_tuple in (types.NamedTuple, types.NamedUniTuple):
        if not arguments:

            def resolve(self):  # type: ignore[no-untyped-def]
                found = _twin(self)
                return build(found) if found else None
        elif arguments == ("weights", "learned"):

            def resolve(self, weights, learned):  # type: ignore[no-untyped-def,misc]
                found = _twin(self)
                return build(found) if found else None
        elif arguments == ("weights", "player"):

            def resolve(self, weights, player):  # type: ignore[no-untyped-def,misc]
                found = _twin(self)
                return build(found) if found else None
        elif arguments == ("player",):

            def resolve(self, player):  # type: ignore[no-untyped-def,misc]
                found = _twin(self)
                return build(found) if found else None
        elif arguments == ("seed",):

            def resolve(self, seed):  # type: ignore[no-untyped-def,misc]
                found = _twin(self)
                return build(found) if found else None
        elif arguments == ("weights",):

            def resolve(self, weights):  # type: ignore[no-untyped-def,misc]
                found = _twin(self)
                return build(found) if found else None
        elif len(arguments) == 1:

            def resolve(self, action):  # type: ignore[no-untyped-def,misc]
                found = _twin(self)
                return build(found) if found else None
        else:

            def resolve(self, out, base):  # type: ignore[no-untyped-def,misc]
                found = _twin(self)
                return build(found) if found else None

        overload_method(named_tuple, name, jit_options=OPTIONS)(resolve)


def always(answer: Any, *arguments: str) -> Any:
    """The implementation of a method with a constant answer, which compiled code uses in place of the call."""
    made: Any = {
        (): lambda self: answer,
        ("action",): lambda self, action: answer,
        ("out", "base"): lambda self, out, base: answer,
    }[arguments]
    made.answer = answer
    return made


def known(state: Any, name: str) -> Any:
    """A method's constant answer for all states of a type; None if it varies."""
    twin = _twin(state)
    if twin is None or name not in METHODS:
        return None
    return getattr(METHODS[name][0](twin), "answer", None)


def _player_of(twin: Any) -> Any:
    rule, given = twin.functions["player"], _placed(twin, "player")
    lowest, last = CHANCE if twin.kind.chance else 0, twin.kind.players - 1

    def player(self):  # type: ignore[no-untyped-def]
        who = given(_player(rule(self)))
        if who < lowest or who > last:
            raise WrongPlayer
        return who

    return player


def _actions_of(twin: Any) -> Any:
    rule = twin.functions["actions"]
    limit = twin.program.limit

    def actions(self, out, base):  # type: ignore[no-untyped-def]
        count = rule(self, out, base, base + limit) - base
        if count > limit:
            raise TooManyActions
        return count

    return actions


def _result_of(twin: Any) -> Any:
    rule, given = twin.functions["result"], _placed(twin, "result")
    return lambda self, action: given(_as_state(rule(self, action), self))


def _terminal_of(twin: Any) -> Any:
    if "terminal" in twin.functions:
        rule, given = twin.functions["terminal"], _placed(twin, "terminal")
        return lambda self: given(_truth(rule(self)))
    room = twin.program.limit + 1
    scratch = intrinsics.scratch
    return lambda self: self.actions(scratch(room), 0) == 0


def _utility_of(twin: Any) -> Any:
    """The first player's utility: MAX's."""
    if twin.kind.players > 2:
        return lambda self: self.utility_for(0)
    rule, number = twin.functions["utility"], _scores["utility", twin.kind.float_scores]
    most, scale = most_utility(twin.cls), worth(twin.cls)
    whole = twin.kind.float_scores and outranks(twin.cls)  # no fraction is an outcome

    def utility(self):  # type: ignore[no-untyped-def]
        value = number(rule(self))
        if not (-most <= value and value <= most) or whole and value != math.floor(value):  # also catches NaN
            raise WrongNumber
        return value * scale

    return utility


def _utility_for(twin: Any) -> Any:
    """A player's utility: MIN's is the negative of MAX's; of several players each has its own."""
    if twin.kind.players <= 2:
        return lambda self, player: self.utility() if player == 0 else -self.utility()
    rule, number = twin.functions["utility"], _scores["utility", twin.kind.float_scores]
    most, scale = most_utility(twin.cls), worth(twin.cls)
    whole = twin.kind.float_scores and outranks(twin.cls)  # no fraction is an outcome

    def utility_for(self, player):  # type: ignore[no-untyped-def]
        value = number(rule(self, player))
        if not (-most <= value and value <= most) or whole and value != math.floor(value):  # also catches NaN
            raise WrongNumber
        return value * scale

    return utility_for


def _weighed_of(twin: Any) -> Any:
    """The evaluation with the weights at an address, unclipped."""
    number = _scores["evaluate", twin.kind.float_scores]
    if "evaluate" not in twin.functions:
        return lambda self, weights: number(0)
    if twin.kind.players > 2:
        return lambda self, weights: self.weighed_for(weights, 0)
    rule = twin.functions["evaluate"]
    if twin.program.weights is None:
        given = _placed(twin, "evaluate")
        return lambda self, weights: given(number(rule(self)))
    return lambda self, weights: number(rule(self, weights))


def _weighed_for(twin: Any) -> Any:
    """The same for one of several players."""
    number = _scores["evaluate", twin.kind.float_scores]
    if "evaluate" not in twin.functions:
        return lambda self, weights, player: number(0)
    if twin.kind.players <= 2:
        return lambda self, weights, player: self.weighed(weights) if player == 0 else -self.weighed(weights)
    rule = twin.functions["evaluate"]
    if twin.program.weights is None:
        return lambda self, weights, player: number(rule(self, player))
    return lambda self, weights, player: number(rule(self, player, weights))


def _informed_of(twin: Any) -> Any:
    """The evaluation given the net's output, clipped for comparison with outcomes; without a net, `evaluate`."""
    if net_of(twin.cls) is NO_NET:
        return lambda self, weights, learned: self.evaluate(weights)
    rule, number = twin.functions["informed"], _scores["evaluate", twin.kind.float_scores]
    most = most_estimate(twin.cls)
    if twin.program.weights is None:
        return lambda self, weights, learned: max(-most, min(most, number(rule(self, learned))))
    return lambda self, weights, learned: max(-most, min(most, number(rule(self, learned, weights))))


def _evaluate_of(twin: Any) -> Any:
    """The evaluation, clipped for comparison with outcomes."""
    most, given = most_estimate(twin.cls), _placed(twin, "evaluate")
    if not twin.kind.float_scores:
        return lambda self, weights: given(max(-most, min(most, self.weighed(weights))))

    def evaluate(self, weights):  # type: ignore[no-untyped-def]
        value = self.weighed(weights)
        if value != value:
            raise WrongNumber
        return max(-float(most), min(float(most), value))

    return evaluate


def _evaluate_for(twin: Any) -> Any:
    """The same for one of several players."""
    most = most_estimate(twin.cls)
    if not twin.kind.float_scores:
        return lambda self, weights, player: max(-most, min(most, self.weighed_for(weights, player)))

    def evaluate_for(self, weights, player):  # type: ignore[no-untyped-def]
        value = self.weighed_for(weights, player)
        if value != value:
            raise WrongNumber
        return max(-float(most), min(float(most), value))

    return evaluate_for


def _probability_of(twin: Any) -> Any:
    if "probability" not in twin.functions:
        return always(1.0, "action")
    rule = twin.functions["probability"]
    return lambda self, action: _chances(rule(self, action))


def _told_of(name: str, otherwise: int = 0) -> Any:
    """A rule that returns an int for the state."""

    def build(twin: Any) -> Any:
        if name not in twin.functions:
            return always(otherwise)
        rule, number = twin.functions[name], _told[name]
        return lambda self: number(rule(self))

    return build


def _told_of_action(name: str) -> Any:
    """A rule that returns an int for an action."""

    def build(twin: Any) -> Any:
        if name not in twin.functions:
            return always(0, "action")
        rule, number = twin.functions[name], _told[name]
        return lambda self, action: number(rule(self, action))

    return build


def _policy_index_of(twin: Any) -> Any:
    """An action's index in the policy, bounds checked."""
    if "policy_index" not in twin.functions:
        return always(0, "action")
    rule, number, size = twin.functions["policy_index"], _told["policy_index"], int(twin.cls.policy_size)

    def policy_index(self, action):  # type: ignore[no-untyped-def]
        place = number(rule(self, action))
        if place < 0 or place >= size:
            raise WrongPlace("policy_index")
        return place

    return policy_index


def _net_feature_of(twin: Any) -> Any:
    """Two rows of a net in one word, bounds checked."""
    if "net_feature" not in twin.functions:
        return always(0, "action")
    rule, number, rows = twin.functions["net_feature"], _told["net_feature"], net_of(twin.cls).features

    def net_feature(self, action):  # type: ignore[no-untyped-def]
        seen = number(rule(self, action))
        if seen < 0 or (seen & 0xFFFF) >= rows or (seen >> 16) >= rows:
            raise WrongPlace("net_feature")
        return seen

    return net_feature


def _net_cells_of(twin: Any) -> Any:
    """A word with a bit for each cell that a net sees, their number checked."""
    if "net_cells" not in twin.functions:
        return always(0)
    rule, number, popcount = twin.functions["net_cells"], _told["net_cells"], intrinsics.popcount

    def net_cells(self):  # type: ignore[no-untyped-def]
        cells = number(rule(self))
        if popcount(cells) > MOST_FEATURES:
            raise WrongPlace("net_cells")
        return cells

    return net_cells


def _listed_of(name: str) -> Any:
    """A rule that yields words; none if the class has no such rule."""

    def build(twin: Any) -> Any:
        if name not in twin.functions:
            return always(0, "out", "base")
        rule, limit = twin.functions[name], twin.program.limit

        def listed(self, out, base):  # type: ignore[no-untyped-def]
            count = rule(self, out, base, base + limit) - base
            if count > limit:
                raise TooManyActions(name)
            return count

        return listed

    return build


def _planes_of(twin: Any) -> Any:
    """A network's input planes: exactly as many words as `plane_shape` says, in memory for one more."""
    if "planes" not in twin.functions:
        return always(0, "out", "base")
    rule, wanted = twin.functions["planes"], plane_words(twin.cls)

    def planes(self, out, base):  # type: ignore[no-untyped-def]
        count = rule(self, out, base, base + wanted) - base
        if count != wanted:
            raise WrongPlanes
        return count

    return planes


def _features_of(twin: Any) -> Any:
    """A value net's inputs: bounds checked, each at most once."""
    if "features" not in twin.functions:
        return always(0, "out", "base")
    rule, most = twin.functions["features"], int(twin.cls.feature_count)

    def features(self, out, base):  # type: ignore[no-untyped-def]
        count = rule(self, out, base, base + most) - base
        if count > most:
            raise WrongPlace("features")
        for i in range(base, base + count):
            if out[i] < 0 or out[i] >> 32 >= most:
                raise WrongPlace("features")
        return count

    return features


def _viewer_of(twin: Any) -> Any:
    """The player from whose side `features` describes the state."""
    if "viewer" not in twin.functions:
        return always(0)
    rule, number, last = twin.functions["viewer"], _told["viewer"], twin.kind.players - 1

    def viewer(self):  # type: ignore[no-untyped-def]
        who = number(rule(self))
        if who < 0 or who > last:
            raise WrongPlace("viewer")
        return who

    return viewer


def _ceiling_of(twin: Any) -> Any:
    if "ceiling" not in twin.functions:
        return always(NO_CEILING)
    rule, number, scale = twin.functions["ceiling"], _told["ceiling"], worth(twin.cls)
    return lambda self: number(rule(self)) * scale


def _count_of(twin: Any) -> Any:
    """The number of actions; the memory may be overwritten."""
    if "count" not in twin.functions:
        return lambda self, out, base: self.actions(out, base)
    rule, number = twin.functions["count"], _told["count"]
    return lambda self, out, base: number(rule(self))


def _skip_of(twin: Any) -> Any:
    if "skip" not in twin.functions:
        return lambda self: self
    rule = twin.functions["skip"]
    return lambda self: _as_state(rule(self), self)


def _slot_state_of(twin: Any) -> Any:
    if "slot_state" not in twin.functions:
        return lambda self, action: self
    rule = twin.functions["slot_state"]
    return lambda self, action: _as_state(rule(self, action), self)


def _constant_of(read: Any) -> Any:
    """A constant of the class."""

    def build(twin: Any) -> Any:
        return always(read(twin.cls))

    return build


def _hash_of(twin: Any) -> Any:
    if "key" not in twin.functions:
        return lambda self: fold(self, 1)
    rule = twin.functions["key"]
    return lambda self: native_mix(_told_key(rule(self)))


def _identity_of(twin: Any) -> Any:
    if "repetition_key" not in twin.functions:
        return lambda self: self.hash()
    rule = twin.functions["repetition_key"]
    return lambda self: native_mix(_told_repetition_key(rule(self)))


def _fingerprint_of(twin: Any) -> Any:
    rule = getattr(twin, "fingerprint", None)
    if rule is None:
        return lambda self, seed: fold(self, seed)
    return lambda self, seed: rule(self, seed)


def _has(name: str) -> Any:
    def build(twin: Any) -> Any:
        return always(name in twin.functions)

    return build


def _chance_of(twin: Any) -> Any:
    if not twin.kind.chance:
        return always(False)
    return lambda self: self.player() == CHANCE


BUILD: dict[str, Any] = {  # for hooks that are more than an int or a list of words
    "player": _player_of,
    "actions": _actions_of,
    "result": _result_of,
    "terminal": _terminal_of,
    "utility": _utility_of,
    "probability": _probability_of,
    "evaluate": _evaluate_of,
    "informed": _informed_of,
    "count": _count_of,
    "ceiling": _ceiling_of,
    "skip": _skip_of,
    "slot_state": _slot_state_of,
    "family": _told_of("family", NO_SLOT),
    "slot": _told_of("slot", NO_SLOT),
    "bearoff": _told_of("bearoff", NO_SLOT),
    "planes": _planes_of,
    "features": _features_of,
    "viewer": _viewer_of,
    "policy_index": _policy_index_of,
    "net_feature": _net_feature_of,
    "net_cells": _net_cells_of,
    "plies_left": _told_of("plies_left", UNKNOWN),
    **{rule: _listed_of(rule) for rule in hooks.LISTED if rule not in ("planes", "features")},
}
ARGUMENTS = {  # for hooks whose native methods take other arguments than the class's
    "evaluate": ("weights",),
    "informed": ("weights", "learned"),
    **dict.fromkeys(("actions", "count", *hooks.LISTED), ("out", "base")),
}

for rule in hooks.COMPILED:
    if rule not in ("key", "repetition_key"):  # called as `hash` and `identity`
        takes = ARGUMENTS.get(rule, ("action",) if hooks.HOOK[rule].takes else ())
        simple = _told_of_action(rule) if takes else _told_of(rule)
        _method(rule, BUILD.get(rule, simple), *takes)
for rule in hooks.ASKED_FOR:
    _method(f"has_{rule}", _has(rule))
for name, read in NET_FACTS.items():
    _method(name, _constant_of(lambda cls, read=read: read(net_of(cls))))
_method("chance", _chance_of)
_method("weighed", _weighed_of, "weights")
_method("weighed_for", _weighed_for, "weights", "player")
_method("evaluate_for", _evaluate_for, "weights", "player")
_method("utility_for", _utility_for, "player")
_method("hash", _hash_of)
_method("identity", _identity_of)
_method("fingerprint", _fingerprint_of, "seed")
_method("worth", _constant_of(worth))
_method("outranks", _constant_of(outranks))
_method("unit", _constant_of(lambda cls: getattr(cls, "unit", UNIT)))
_method("repetition", _constant_of(lambda cls: getattr(cls, "repetition", 0)))
_method("win_score", _constant_of(lambda cls: getattr(cls, "win", 0) * worth(cls)))
_method("net_slot", _constant_of(net_slot))
_method("has_own_identity", _constant_of(has_own_identity))
_method("has_finish", _constant_of(lambda cls: offers(cls, "finish") and not outranks(cls)))

internals.KNOWN.append(known)
