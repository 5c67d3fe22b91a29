"""The settings of a run, fixed when it begins: they are the first line of its log."""

import math
from pathlib import Path
from typing import Any, NamedTuple

from outplay.game import max_actions
from outplay.learn.folder import MOST_SEED, read_lines, settings_from, within
from outplay.search.mcts.playout import playouts
from outplay.search.mcts.view import View, view_of

FORMAT = "outplay zero 1"
LINES = (
    "seconds",
    "games",
    "positions",
    "updates",
    "simulations",
    "won_by_max",
    "drawn",
)  # of each line of a log
MOST_PLIES = 512  # of a game; a longer one is stopped and counts as a draw
RANDOM_GAMES = 200  # their lengths determine how long games may be


LEARNING = {  # bounds of the settings common to all training
    "minutes": (0.000001, 10**8), "batch": (1, 1 << 20), "rate": (1e-12, 10), "warm_up": (1, 10**9), "decay": (0, 10),
    "average": (0, 1), "trust": (0, 1), "compiled": (0, 1), "channels": (1, 4096), "blocks": (0, 256),
    "seed": (0, MOST_SEED),
}  # fmt: skip
BOUNDS = LEARNING | {
    "games": (1, 1 << 20), "simulations": (1, 1 << 20), "considered": (1, 1 << 16), "sharpness": (0, 10**6),
    "c": (0, 10**6), "openings": (0, 1), "random_plies": (1, 1 << 16), "longest": (1, 1 << 16),
    "length": (2, 1 << 24), "reuse": (0, 10**6),
}  # fmt: skip


class Settings(NamedTuple):
    """`settings_for` returns good ones for a game, a device and a number of minutes."""

    game: str
    minutes: float
    device: str = "cpu"  # or cuda
    seed: int = 1
    # self-play
    games: int = 128  # at a time
    simulations: tuple[int, ...] = (16, 24, 32)  # per move, in the first part of the run to the last
    considered: int = 16  # actions at the start of sequential halving
    sharpness: float = 0.2  # weight of values relative to logits
    c: float = 2.5  # PUCT's constant below the root, for values from -1 to 1
    openings: float = 0.2  # share of games that begin with random plies
    random_plies: int = 8  # of them, at most
    longest: int = MOST_PLIES  # plies
    # replay and training
    length: int = 256  # steps in the replay buffer, each a row for every game
    batch: int = 512
    reuse: float = 4.0  # how often a position is used for training
    rate: float = 2e-3  # the greatest learning rate
    warm_up: int = 100  # updates until it is reached
    decay: float = 1e-4  # weight decay
    average: float = 0.99  # decay of the averaged weights, used for play
    trust: float = 0.2  # the greatest share of the search's value, besides the game's result
    # network
    compiled: int = 0  # 1: torch compiles it
    channels: int = 32
    blocks: int = 2

    def line(self) -> dict[str, Any]:
        """The first line of the log."""
        return {"format": FORMAT, **self._asdict()}

    def checked(self) -> "Settings":
        """The same settings; a ValueError if one makes no sense."""
        within(self, BOUNDS)
        if not self.simulations:
            raise ValueError("simulations must be numbers, as 16-24-32")
        return self


def settings_of(line: dict[str, Any]) -> Settings:
    """The settings in a log's first line."""
    settings: Settings = settings_from(line, Settings, FORMAT)
    return settings


def settings_for(game: str, start: Any, minutes: float, device: str = "cpu", **given: Any) -> Settings:
    """Settings by the game's size and the time; those given by name override them."""
    if not 0 < minutes < math.inf:
        raise ValueError(f"minutes must be more than 0, not {minutes}")
    unknown = set(given) - set(Settings._fields)
    if unknown:
        raise ValueError(
            f"{', '.join(sorted(unknown))}: unknown setting; choose from {', '.join(Settings._fields)}"
        )
    longest = len(playouts(start, RANDOM_GAMES).lengths)
    made = Settings(game, float(minutes), device, longest=min(MOST_PLIES, max(32, 2 * longest)))
    if device == "cuda":
        made = made._replace(**on_gpu(view_of(start), type(start)))
    made = made._replace(**given)
    if made.length <= made.longest and "length" in given:
        raise ValueError(f"length must be more than {made.longest}, the plies of the longest game")
    return made._replace(length=max(made.length, made.longest + 1)).checked()


def on_gpu(view: View, cls: type) -> dict[str, Any]:
    """Settings for a GPU: more games, larger nets and batches."""
    cells = view.inputs if view.planes is None else view.planes[1] * view.planes[2]
    small = view.inputs <= 32
    channels, blocks = (32, 3) if small else (64, 5) if cells <= 64 else (96, 6)
    if view.planes is None:
        channels, blocks = 256, 3
    return {
        "games": 2048 if small else 16384 if max_actions(cls) < 64 else 8192,
        "simulations": (16, 32, 64),
        "batch": 2048 if small else 4096,
        "reuse": 3.0,
        "channels": channels,
        "blocks": blocks,
        "length": 128,
    }


def read_run(path: Path) -> tuple[Settings, list[dict[str, Any]]]:
    """The settings and the log of a run so far."""
    return read_lines(path, Settings, FORMAT, LINES)
