"""A net as a file of ours: weights by name, and a JSON text that says what they are for. It holds no code."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay.search.mcts.view import View
from outplay.storage import replacing

FORMAT = "outplay net 1"
EPSILON = 1e-5  # torch's, of normalisations


class NetFile(NamedTuple):
    """A trained net."""

    game: str
    view: View
    channels: int
    blocks: int
    scale: float  # of the score; 0: there is none
    weights: dict[str, np.ndarray]

    def about(self) -> dict[str, Any]:
        """All but the weights."""
        return {"format": FORMAT, **self._asdict(), "view": self.view._asdict(), "weights": None}

    def normal(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """A normalisation as it is in play: a factor and a summand for each channel."""
        part = {
            key: self.weights[f"{name}.{key}"] for key in ("weight", "bias", "running_mean", "running_var")
        }
        factor = part["weight"] / np.sqrt(part["running_var"] + EPSILON)
        return factor, part["bias"] - part["running_mean"] * factor

    def small(self) -> "NetFile":
        """The same with weights of 16 bits and nothing that only training needs."""
        kept = {name: value for name, value in self.weights.items() if not name.endswith("batches_tracked")}
        if max(float(np.abs(value).max()) for value in kept.values()) > np.finfo(np.float16).max:
            raise ValueError(f"this net of {self.game} has weights that 16 bits cannot hold")
        return self._replace(weights={name: value.astype(np.float16) for name, value in kept.items()})


def save_net(path: Path, net: NetFile) -> None:
    """Write a net, whole or not at all."""
    with replacing(path) as file:
        np.savez_compressed(file, about=np.array(json.dumps(net.about())), **net.weights)  # type: ignore[arg-type]


def load_net(path: Path) -> NetFile:
    """Read a net; a ValueError that names the file if it is none."""
    try:
        with np.load(path, allow_pickle=False) as file:
            weights = {name: widened(value) for name, value in file.items()}
        about = json.loads(str(weights.pop("about")))
        if about.pop("format") != FORMAT:
            raise ValueError
        return NetFile(**about | {"view": view_from(about["view"]), "weights": weights})
    except FileNotFoundError:
        raise
    except Exception:  # NumPy and zipfile raise all sorts of errors for files that are none of their own
        raise ValueError(f"{path} is not a net of ours: a file {FORMAT!r} is wanted") from None


def view_from(told: dict[str, Any]) -> View:
    """A view as a file tells it."""
    return View(**told | {"planes": tuple(told["planes"]) if told["planes"] else None})


def widened(value: np.ndarray) -> np.ndarray:
    """Weights of 16 bits as they are computed with."""
    return value.astype(np.float32) if value.dtype == np.float16 else value
