"""A net as a file of ours: weights by name, and a JSON text that says what they are for. It holds no code."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay.learn.zero.view import View
from outplay.storage import replacing

FORMAT = "outplay net 1"


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


def save_net(path: Path, net: NetFile) -> None:
    """Write a net, whole or not at all."""
    with replacing(path) as file:
        np.savez(file, about=np.array(json.dumps(net.about())), **net.weights)  # type: ignore[arg-type]


def load_net(path: Path) -> NetFile:
    """Read a net; a ValueError that names the file if it is none."""
    try:
        with np.load(path, allow_pickle=False) as file:
            weights = dict(file)
        about = json.loads(str(weights.pop("about")))
        if about.pop("format") != FORMAT:
            raise ValueError
        view = about["view"]
        planes = tuple(view["planes"]) if view["planes"] else None
        return NetFile(**about | {"view": View(**view | {"planes": planes}), "weights": weights})
    except FileNotFoundError:
        raise
    except (ValueError, OSError, EOFError, KeyError, TypeError):
        raise ValueError(f"{path} is not a net of ours: a file {FORMAT!r} is wanted") from None
