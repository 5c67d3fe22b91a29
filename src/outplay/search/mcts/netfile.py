"""Our net file: weights by name, and JSON metadata. It contains no code."""

import json
import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay.arrays import read_arrays, text_of
from outplay.search.mcts.view import View
from outplay.storage import from_json, replacing

FORMAT = "outplay net 1"
EPSILON = 1e-5  # torch's, of normalisations
MOST_SIZE = 1 << 16  # channels, or blocks
MOST_WORDS, MOST_ANSWERS = 1 << 20, 1 << 24  # of a view


class NetFile(NamedTuple):
    """A trained net."""

    game: str
    view: View
    channels: int
    blocks: int
    scale: float  # of the score; 0: no score
    weights: dict[str, np.ndarray]

    def about(self) -> dict[str, Any]:
        """All but the weights."""
        return {"format": FORMAT, **self._asdict(), "view": self.view._asdict(), "weights": None}

    def normal(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """A normalisation folded for inference: a scale and a shift per channel."""
        part = {
            key: self.weights[f"{name}.{key}"] for key in ("weight", "bias", "running_mean", "running_var")
        }
        factor = part["weight"] / np.sqrt(part["running_var"] + EPSILON)
        return factor, part["bias"] - part["running_mean"] * factor

    def small(self) -> "NetFile":
        """The same with 16-bit weights and without what only training needs."""
        kept = {name: value for name, value in self.weights.items() if not name.endswith("batches_tracked")}
        if max(float(np.abs(value).max()) for value in kept.values()) > np.finfo(np.float16).max:
            raise ValueError(f"this net of {self.game} has weights outside the range of 16 bits")
        return self._replace(weights={name: value.astype(np.float16) for name, value in kept.items()})


def save_net(path: Path, net: NetFile) -> None:
    """Write a net atomically."""
    with replacing(path) as file:
        np.savez_compressed(file, about=np.array(json.dumps(net.about())), **net.weights)  # type: ignore[arg-type]


def load_net(path: Path) -> NetFile:
    """Read a net; raises a ValueError that names the file if it is not one."""
    try:
        weights = {name: widened(value) for name, value in read_arrays(path).items()}
        about = from_json(text_of(weights.pop("about")))
        if about.pop("format") != FORMAT:
            raise ValueError
        net = NetFile(**about | {"view": view_from(about["view"]), "weights": weights})
        if not is_sound(net):
            raise ValueError
        return net
    except (ValueError, LookupError, TypeError, AttributeError):
        raise ValueError(
            f"{path} is not a policy-value net: `outplay learn zero` writes them, as net.npz"
        ) from None


def view_from(told: dict[str, Any]) -> View:
    """A view as a file tells it."""
    view = View(**told | {"planes": tuple(told["planes"]) if told["planes"] else None})
    numbers = view.words, view.answers, view.by_action, view.factor, *(view.planes or ())
    if not all(type(number) is int and abs(number) < 1 << 63 for number in numbers):
        raise ValueError("a view is told by ints")
    if not 0 < view.words <= MOST_WORDS or not 0 < view.answers <= MOST_ANSWERS:
        raise ValueError("a view has words, and answers")
    return view


def is_sound(net: NetFile) -> bool:
    """Whether a file tells a net: of some game, its sizes and its weights being numbers."""
    sizes = all(type(size) is int and 0 <= size <= MOST_SIZE for size in (net.channels, net.blocks))
    scale = isinstance(net.scale, int | float) and 0 <= net.scale < math.inf
    weights = (v.dtype.kind in "fi" and v.size and np.isfinite(v).all() for v in net.weights.values())
    return isinstance(net.game, str) and sizes and scale and bool(net.weights) and all(weights)


def widened(value: np.ndarray) -> np.ndarray:
    """16-bit weights converted for computation."""
    return value.astype(np.float32) if value.dtype == np.float16 else value
