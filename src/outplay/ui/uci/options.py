"""The UCI options."""

from typing import Any, NamedTuple

from outplay.freememory import UNKNOWN, total
from outplay.freememory import available as free

PICKS = (
    "weights",
    "best",
    "random",
)  # as outplay.book.choice.PICKS, which is not imported: `uci` is answered at once
WEAKEST, STRONGEST = 800, 2800  # Elo


class Option(NamedTuple):
    """One option in UCI's terms."""

    name: str
    kind: str  # "spin", "check", "combo", "string" or "button"
    default: Any = None
    least: int = 0
    most: int = 0
    lowers: bool = False  # a value above the maximum is clipped, not rejected
    choices: tuple[str, ...] = ()  # of a combo

    def __str__(self) -> str:
        words = f"option name {self.name} type {self.kind}"
        if self.kind == "spin":
            return f"{words} default {self.default} min {self.least} max {self.most}"
        if self.kind == "check":
            return f"{words} default {str(self.default).lower()}"
        if self.kind == "combo":
            return f"{words} default {self.default} {' '.join(f'var {choice}' for choice in self.choices)}"
        return words if self.kind == "button" else f"{words} default {self.default or '<empty>'}"

    def read(self, text: str) -> Any:
        """The value of a text; a ValueError says what is expected."""
        if self.kind == "check":
            if text.lower() not in ("true", "false"):
                raise ValueError(f"{self.name} must be true or false, not {text!r}")
            return text.lower() == "true"
        if self.kind == "spin":
            try:
                number = int(text)
            except ValueError:
                raise ValueError(f"{self.name} must be a number, not {text!r}") from None
            if number < self.least or (number > self.most and not self.lowers):
                raise ValueError(f"{self.name} must be {self.least} to {self.most}, not {text}")
            return number
        if self.kind == "combo" and text not in self.choices:
            raise ValueError(f"{self.name} must be {', '.join(self.choices)}, not {text!r}")
        return "" if text == "<empty>" else text


def memory(available: bool = False) -> int:
    """MB that this process may have, or three quarters of what is free of them; a small default if unknown."""
    if total() == UNKNOWN:
        return SMALL_MACHINE
    most = total()
    if available:
        most = min(most, free() * 3 // 4)  # other programs need memory too
    return max(most >> 20, 1)


SMALL_MACHINE = 2048  # MB

OPTIONS = (
    Option("Hash", "spin", 64, 1, memory(), lowers=True),  # MB
    Option("Clear Hash", "button"),
    Option("Threads", "spin", 1, 1, 256),
    Option("MultiPV", "spin", 1, 1, 256),
    Option("Ponder", "check", False),  # informational: the GUI decides
    Option("UCI_Chess960", "check", False),
    Option("UCI_LimitStrength", "check", False),
    Option("UCI_Elo", "spin", 1500, WEAKEST, STRONGEST),
    Option("Skill Level", "spin", 20, 0, 20),
    Option("Move Overhead", "spin", 20, 0, 5000),  # milliseconds of communication delay
    Option("OwnBook", "check", False),
    Option("BookFile", "string", ""),  # Polyglot's form, or ours
    Option("BookDepth", "spin", 0, 0, 1000),  # it is used in the first so many plies; 0: always
    Option("BookPick", "combo", PICKS[0], choices=PICKS),
    Option("ExtendedBook", "string", ""),  # ours: the statistics of many games
    Option("SyzygyPath", "string", ""),
    Option("TablePath", "string", ""),  # our own, by `outplay table build`
)


class Options:
    """The current values."""

    def __init__(self) -> None:
        self.known = {option.name.lower(): option for option in OPTIONS}
        self.values = {option.name: option.default for option in OPTIONS}

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def set(self, words: list[str]) -> str:
        """Execute `setoption name NAME value VALUE` (the words after the first); returns the option's name."""
        lowered = [word.lower() for word in words]
        if lowered[:1] != ["name"]:
            raise ValueError("write: setoption name NAME value VALUE")
        cut = lowered.index("value") if "value" in lowered else len(words)
        name, value = " ".join(words[1:cut]), " ".join(words[cut + 1 :])
        option = self.known.get(name.lower())
        if option is None:
            raise ValueError(f"no such option: {name}")
        if option.kind != "button":
            self.values[option.name] = option.read(value)
        return option.name

    @property
    def elo(self) -> int | None:
        """The requested Elo; None: full strength."""
        if self["UCI_LimitStrength"]:
            return self["UCI_Elo"]
        if self["Skill Level"] < 20:
            return WEAKEST + (STRONGEST - WEAKEST) * self["Skill Level"] // 20
        return None
