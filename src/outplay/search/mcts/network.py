"""A trained net on the CPU, by onnxruntime: an evaluator for PUCT, and a policy of its own.

`puct:net=FILE` searches with a net at the leaves, `net:FILE` plays the best action of its policy without any search.
The file is the `net.onnx` of a run of `outplay learn zero`.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from outplay.compile.runtime import flat
from outplay.game import GameError, offers, plane_words

CURE = "pip install 'outplay[nets]'"


class Network:
    """A net of a game; called with a batch of leaves it gives priors and values."""

    def __init__(self, path: str) -> None:
        try:
            import onnxruntime
        except ImportError:
            raise ValueError(f"nets run by onnxruntime, which is not installed: {CURE}") from None
        if not Path(path).is_file():
            raise ValueError(f"{path}: there is no such net")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # leaves come few at a time: threads would wait for each other
        options.log_severity_level = 4
        try:
            self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
            about = json.loads(self.session.get_modelmeta().custom_metadata_map["outplay"])
        except Exception:  # onnxruntime raises kinds of its own
            raise ValueError(
                f"{path} is not a net of ours: `outplay learn zero` writes them, as net.onnx"
            ) from None
        self.path, self.game, view = path, about["game"], about["view"]
        self.words, self.planes = view["words"], tuple(view["planes"]) if view["planes"] else None
        self.answers, self.actions = view["answers"], view["by_action"]

    def refuse(self, state: Any) -> None:
        """Raise a GameError if the net is one of another game."""
        cls: Any = type(state)
        planes = tuple(cls.plane_shape) if offers(cls, "planes") else None
        words = plane_words(cls) if planes else len(flat(state))
        answers = cls.policy_size if offers(cls, "policy_index") else self.actions
        if (planes, words, answers) != (self.planes, self.words, self.answers):
            raise GameError(f"{self.path} is a net of {self.game}, not of {cls.__name__}")

    def __call__(self, batch: Any) -> tuple[np.ndarray, np.ndarray]:
        return self.answer(batch.planes() if self.planes else self.bits(batch.words))

    def answer(self, bits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Priors of all places of actions, and values for the players to move."""
        policy, value = self.session.run(["policy", "value"], {"bits": bits})
        return policy, value

    def bits_of(self, states: Sequence[Any]) -> np.ndarray:
        """What the net sees of states."""
        return self.bits(np.array([list(s.planes()) if self.planes else flat(s) for s in states], np.int64))

    def bits(self, words: np.ndarray) -> np.ndarray:
        """The bits of words as numbers, in the shape that the net takes."""
        bits = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), axis=1, bitorder="little")
        if self.planes is None:
            return bits.astype(np.float32)
        planes, height, width = self.planes
        cells = bits.reshape(len(words), planes, -1)[:, :, : height * width]
        return cells.reshape(len(words), *self.planes).astype(np.float32)

    def place(self, state: Any, action: int) -> int:
        """Where the policy has an action."""
        return min(max(action, 0), self.actions - 1) if self.actions else int(state.policy_index(action))
