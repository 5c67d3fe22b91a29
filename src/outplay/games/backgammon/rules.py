"""The rules given by a position's text (money or match, Jacoby, beavers), and the class with these rules."""

from typing import Any, NamedTuple

from outplay.variants import variant

USUAL_CUBE = 64  # the cube's limit, unless a text states another or shows a higher cube


class Rules(NamedTuple):
    """The rules in a text; None for what it does not state."""

    match: int = 0  # points, 0 for a money game
    jacoby: int | None = None
    beavers: int | None = None  # 1 if a double may be beavered
    cube: int = USUAL_CUBE  # its limit; 1: no cube
    crawford: int = 1

    def parameters(self) -> dict[str, int]:
        """The same as parameters of the class."""
        if self.match:
            unused = {"CUBE": 1} if self.cube == 1 else {}
            return {"MATCH": self.match, "CRAWFORD": self.crawford} | unused
        if self.cube == 1:
            return {}
        given = {"JACOBY": self.jacoby, "BEAVERS": self.beavers}
        return {"CUBE": self.cube} | {name: value for name, value in given.items() if value is not None}


def class_for(cls: Any, rules: Rules, value: int = 1) -> Any:
    """The class for a position with a cube of that value.

    If the user named plain backgammon, the text decides. Any other class must match the text.
    """
    if cls.BARE:
        wanted = rules.parameters()
        if value > rules.cube:
            wanted["CUBE"] = value
        return variant(cls, **wanted)
    if rules.match != cls.MATCH:
        kind = f"a match to {rules.match}" if rules.match else "a money game"
        raise ValueError(f"this is a position of {kind}: name the game {name(rules)}")
    if not cls.MATCH and rules.jacoby is not None and rules.jacoby != cls.JACOBY:
        told = "with" if rules.jacoby else "without"
        raise ValueError(f"this is a position {told} the Jacoby rule: name the game {name(rules)}")
    return cls


def name(rules: Rules) -> str:
    """The game's name: `backgammon:match=5`."""
    told = {"MATCH": rules.match} if rules.match else rules.parameters()
    return "backgammon:" + ",".join(f"{key.lower()}={value}" for key, value in told.items())
