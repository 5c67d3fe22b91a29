"""The time for a move, from the controller's clock settings."""

import math
from typing import NamedTuple

from outplay.limits import Limits

SAFE = 0.95  # the usable share of a period, as the reply takes time to arrive


class Settings(NamedTuple):
    """Main time, then byo-yomi periods: in each a number of stones must be placed within some seconds."""

    main: float
    period: float = 0.0
    stones: int = 0


class Clock:
    """A clock for each colour, if known. Without clocks every move has the usual limits."""

    def __init__(self, usual: Limits) -> None:
        self.usual = usual
        self.settings: Settings | None = None
        self.left: list[tuple[float, int]] = []  # seconds, stones to place in them (0: main time)

    def set(self, settings: Settings | None) -> None:
        self.settings = settings
        if settings is not None:
            first = (settings.main, 0) if settings.main > 0 else (settings.period, settings.stones)
            self.left = [first, first]

    def tell(self, colour: int, seconds: float, stones: int) -> None:
        """Set the time left to a colour."""
        if self.settings is None:
            self.settings = Settings(seconds)
            self.left = [(seconds, stones)] * 2
        self.left[colour] = (seconds, stones)

    def spend(self, colour: int, seconds: float) -> None:
        """Subtract a move's time, for controllers that do not send clock updates."""
        if self.settings is None:
            return
        left, stones = self.left[colour]
        left -= seconds
        if stones > 1 and left > 0:
            self.left[colour] = (left, stones - 1)
        elif stones or left <= 0:
            self.left[colour] = (self.settings.period, self.settings.stones)
        else:
            self.left[colour] = (left, 0)

    def limits(self, colour: int) -> Limits:
        if self.settings is None:
            return self.usual
        left, stones = self.left[colour]
        period = self.settings.period * SAFE / max(self.settings.stones, 1)
        if stones:
            return Limits(time=max(left * SAFE / stones, 0.01))
        shared = Limits(clock=max(left, 0.01)).timed().time or 0.01
        return Limits(time=max(shared, min(period, left * SAFE), 0.01))


def settings_of(words: list[str]) -> Settings | None:
    """`time_settings`: main time, byo-yomi time, byo-yomi stones."""
    main, period, stones = (seconds(word) for word in words)
    if period > 0 and stones == 0:
        return None  # in the protocol this means no limit
    return Settings(main, period, int(stones))


def kgs_settings(words: list[str]) -> Settings | None:
    """`kgs-time_settings none | absolute MAIN | byoyomi MAIN TIME PERIODS | canadian MAIN TIME STONES`."""
    match words:
        case ["none"]:
            return None
        case ["absolute", main]:
            return Settings(seconds(main))
        case ["byoyomi", main, period, _]:
            return Settings(seconds(main), seconds(period), 1)
        case ["canadian", main, period, stones]:
            return Settings(seconds(main), seconds(period), int(seconds(stones)))
    raise ValueError("write: none, absolute MAIN, byoyomi MAIN TIME PERIODS, or canadian MAIN TIME STONES")


def seconds(word: str) -> float:
    number = float(word)
    if not 0 <= number < math.inf:
        raise ValueError(f"{word} is not a time: expected seconds, 0 or more")
    return number
