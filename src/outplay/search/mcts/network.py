"""A trained net on the CPU: an evaluator for PUCT, and a policy to play without search.

`puct:net=FILE` searches with a net at the leaves, `net:FILE` plays the best action of its policy without any search.
The file comes from a run of `outplay learn zero`: net.onnx runs with onnxruntime, net.npz with NumPy (`plainnet.py`),
which needs no further package and is slower. Some games come with a net (`games/nets`): `own_net` finds it.
"""

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from outplay import games
from outplay.game import GameError, offers
from outplay.search.mcts.netfile import load_net, view_from
from outplay.search.mcts.onnxfile import is_plain
from outplay.search.mcts.plainnet import PlainNet
from outplay.search.mcts.view import inputs, shape_of
from outplay.storage import from_json

CURE = "pip install 'outplay[nets]'"
NETS = Path(games.__file__).with_name("nets")
STRANGE = "{} is not a policy-value net: `outplay learn zero` writes them, as net.onnx and net.npz"


class Network:
    """A net of a game; called with a batch of leaves, it returns priors and values."""

    def __init__(self, path: str) -> None:
        if not Path(path).is_file():
            raise ValueError(f"no such net: {path}")
        self.path = path
        self.run, about = by_numpy(path) if Path(path).suffix == ".npz" else by_onnxruntime(path)
        try:
            self.game, self.view = str(about["game"]), view_from(about["view"])
            self.answer(inputs(self.view, np.zeros((1, self.view.words), np.int64)))
        except Exception:  # NumPy and onnxruntime raise all sorts of errors where layers do not fit together
            raise ValueError(STRANGE.format(path)) from None
        self.actions, self.factor = self.view.by_action, self.view.factor

    def refuse(self, state: Any) -> None:
        """Raise a GameError if the net is for another game."""
        cls: Any = type(state)
        answers = cls.policy_size if offers(cls, "policy_index") else self.actions
        if (*shape_of(state), answers) != (self.view.planes, self.view.words, self.view.answers):
            raise GameError(f"{self.path} is a net of {self.game}, not of {cls.__name__}")

    def __call__(self, batch: Any) -> tuple[np.ndarray, np.ndarray]:
        return self.answer(batch.planes() if self.view.planes else inputs(self.view, batch.words))

    def answer(self, bits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Priors of all places of actions, and values for the players to move."""
        with np.errstate(all="ignore"):
            policy, value = self.run(bits)
        wanted = (len(bits), self.view.answers)
        if policy.shape != wanted or value.shape != wanted[:1]:
            raise ValueError(f"{self.path} answers {policy.shape} and {value.shape}, not {wanted}")
        if not (np.isfinite(policy).all() and np.isfinite(value).all()):
            raise ValueError(f"{self.path} answers with something that is not a number")
        return policy, value

    def judge(self, states: Sequence[Any]) -> tuple[np.ndarray, np.ndarray]:
        """The same for states."""
        return self.answer(inputs(self.view, self.view.rows(states)))


def by_numpy(path: str) -> tuple[Any, dict[str, Any]]:
    """A function that runs a net.npz, and its metadata."""
    net = load_net(Path(path))
    try:
        return PlainNet(net), net.about()
    except (KeyError, ValueError):  # a normalisation is not whole
        raise ValueError(STRANGE.format(path)) from None


def by_onnxruntime(path: str) -> tuple[Any, dict[str, Any]]:
    """The same for a net.onnx."""
    try:
        import onnxruntime
    except ImportError:
        raise ValueError(f"this net needs onnxruntime, which is not installed: {CURE}") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # batches are small: threads would wait for each other
    options.log_severity_level = 4
    content = Path(path).read_bytes()
    if not is_plain(content):
        raise ValueError(STRANGE.format(path))
    try:
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        about = from_json(session.get_modelmeta().custom_metadata_map["outplay"])
    except Exception:  # onnxruntime raises kinds of its own
        raise ValueError(STRANGE.format(path)) from None
    return lambda bits: session.run(["policy", "value"], {"bits": bits}), about


@functools.cache
def own_net(cls: Any) -> Network | None:
    """The net that comes with a game, if there is one."""
    return Network(str(_own(cls))) if has_net(cls) else None


def has_net(cls: Any) -> bool:
    """Whether a net comes with a game."""
    return _own(cls).parent == NETS and _own(cls).is_file()


def _own(cls: Any) -> Path:
    """Where a game's net would be: the file has the game's name."""
    return NETS / f"{games.spec(cls)}.npz"
