"""A value net in memory and as a file: weights by name, and a JSON text that says what they are for. No code."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay.arrays import read_arrays, text_of
from outplay.game import GameError
from outplay.search.valuenet.answers import names, points_of
from outplay.search.valuenet.inputs import inputs_to_learn
from outplay.search.valuenet.layers import NO_MIDDLE, Layers
from outplay.storage import from_json, replacing

FORMAT = "outplay value net 2"
SPREAD = 0.1  # the first weights lie between -SPREAD and SPREAD
MOST_UNITS = 4096


class ValueNet(NamedTuple):
    """A net of a game."""

    game: str
    layers: Layers

    @classmethod
    def new(
        cls, game: str, state: Any, units: int, seed: int, scale: float = 1.0, second: int = 0
    ) -> "ValueNet":
        """A net that knows nothing; with a second hidden layer, if it is to have units."""
        if not 1 <= units <= MOST_UNITS:
            raise ValueError(f"a net has 1 to {MOST_UNITS} hidden units, not {units}")
        if not 0 <= second <= MOST_UNITS:
            raise ValueError(f"a second hidden layer has 1 to {MOST_UNITS} units, or 0: none; not {second}")
        dice = np.random.default_rng(seed)
        rows, answers = inputs_to_learn(state) + 1, 2 * points_of(type(state)) - 1

        def drawn(rows: int, columns: int) -> np.ndarray:
            return dice.uniform(-SPREAD, SPREAD, (rows, columns)).astype(np.float32)

        hidden = drawn(rows, units)
        middle = drawn(units + 1, second) if second else NO_MIDDLE
        output = drawn((second or units) + 1, answers)
        return cls(game, Layers(hidden, middle, output, np.array([float(scale)])))

    @property
    def inputs(self) -> int:
        return len(self.layers.hidden) - 1

    @property
    def units(self) -> int:
        return int(self.layers.hidden.shape[1])

    @property
    def second(self) -> int:
        """The units of the second hidden layer; 0: there is none."""
        return int(self.layers.middle.shape[1])

    @property
    def answers(self) -> tuple[str, ...]:
        """What its answers are called."""
        return names(self.layers.output.shape[1])

    def refuse(self, state: Any) -> None:
        """Raise a GameError if the net is one of another game."""
        wanted = inputs_to_learn(state), 2 * points_of(type(state)) - 1
        if (self.inputs, len(self.answers)) != wanted:
            raise GameError(f"this value net is for {self.game}, not {type(state).__name__}")

    def within(self, larger: "ValueNet") -> "ValueNet":
        """The same function with the shape of a larger net, whose further units weigh nothing at first."""
        units, second = self.units, self.second
        fits = larger.inputs == self.inputs and larger.answers == self.answers
        if not fits or units > larger.units or second > larger.second or bool(second) != bool(larger.second):
            wanted, shape = (f"{net.units} and {net.second} hidden units" for net in (larger, self))
            raise ValueError(f"a net with {wanted} cannot begin as one with {shape}")
        hidden, middle, output = (part.copy() for part in larger.layers[:3])
        hidden[:, :units] = self.layers.hidden
        if second:
            middle[:, :second] = widened(self.layers.middle, larger.units)
        output[:] = widened(self.layers.output, larger.second or larger.units)
        return ValueNet(self.game, Layers(hidden, middle, output, self.layers.scale.copy()))

    # --- files ---

    def save(self, path: str | Path) -> None:
        """Write the net, whole or not at all."""
        about = {"format": FORMAT, "game": self.game}
        with replacing(path) as file:
            np.savez(file, about=np.array(json.dumps(about)), **self.layers._asdict())

    @classmethod
    def load(cls, path: str | Path) -> "ValueNet":
        """Read a net; a ValueError that names the file if it is none."""
        if not Path(path).is_file():
            raise ValueError(f"no such net: {path}")
        try:
            arrays = read_arrays(path)
            about = from_json(text_of(arrays.pop("about")))
            net = cls(str(about["game"]), Layers(**arrays))
            if about["format"] != FORMAT or not is_sound(net.layers):
                raise ValueError
            return net
        except (ValueError, LookupError, TypeError):
            raise ValueError(
                f"{path} is not a value net: `outplay learn td` writes them, as net.npz"
            ) from None


def is_value_net(path: str | Path) -> bool:
    """Whether a file says that it is a value net, of whatever version."""
    try:
        return str(from_json(text_of(read_arrays(path)["about"]))["format"]).startswith("outplay value net")
    except (OSError, ValueError, LookupError, TypeError):
        return False


def widened(weights: np.ndarray, units: int) -> np.ndarray:
    """The weights behind a layer that is to have so many units, those of new ones 0; the last row is the bias."""
    new = np.zeros((units + 1 - len(weights), weights.shape[1]), np.float32)
    return np.concatenate([weights[:-1], new, weights[-1:]])


def is_sound(layers: Layers) -> bool:
    """Whether the weights are those of a net."""
    *weights, scale = layers
    hidden, middle, output = weights
    if any(part.dtype != np.float32 or part.ndim != 2 for part in weights) or scale.dtype != np.float64:
        return False
    if scale.shape != (1,) or output.shape[1] % 2 == 0:
        return False
    units, second = hidden.shape[1], middle.shape[1]
    fits = 1 <= units <= MOST_UNITS and second <= MOST_UNITS and len(output) == (second or units) + 1
    fits = fits and len(middle) == (units + 1 if second else 0)
    return fits and all(bool(np.isfinite(part).all()) for part in layers) and scale[0] > 0
