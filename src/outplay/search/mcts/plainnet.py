"""A net in plain NumPy, without torch or onnxruntime: for small nets, and as the oracle for the others.

`learn/zero/net.py` is the same in torch, `learn/zero/onnx.py` in ONNX; all three give the same results.
"""

import numpy as np

from outplay.search.mcts.netfile import NetFile

OUTCOMES = np.array([1, 0, -1], np.float32)  # the values of a win, a draw and a loss


class PlainNet:
    """Inputs[B, planes, rows, columns], or [B, bits], to policy[B, answers] and value[B].

    In between, channels come last: a 3x3 convolution then copies whole rows of channels, and is one product.
    """

    def __init__(self, net: NetFile) -> None:
        self.net, self.flat = net, net.view.planes is None
        self.weights = {name: ready(weight) for name, weight in net.weights.items()}
        self.norms = {
            name.removesuffix(".running_mean"): net.normal(name.removesuffix(".running_mean"))
            for name in net.weights
            if name.endswith(".running_mean")
        }

    def __call__(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x = self.layer("stem", x if self.flat else np.ascontiguousarray(x.transpose(0, 2, 3, 1)))
        for number in range(self.net.blocks):
            x = self.block(f"blocks.{number}", x)
        x = relu(self.norm("norm", x))
        if not self.flat:
            squeezed = relu(self.dense("squeeze", x)).transpose(0, 3, 1, 2)
            x = np.concatenate([squeezed.reshape(len(x), -1), whole(x)], 1)
        outcome = self.dense("outcome", relu(self.dense("hidden", x)))
        return softmax(self.dense("policy", x)), softmax(outcome) @ OUTCOMES

    def block(self, name: str, x: np.ndarray) -> np.ndarray:
        y = self.layer(f"{name}.layer1", relu(self.norm(f"{name}.norm1", x)))
        if f"{name}.pool.weight" in self.weights:
            y = y + self.dense(f"{name}.pool", whole(y))[:, None, None]
        return x + self.layer(f"{name}.layer2", relu(self.norm(f"{name}.norm2", y)))

    def layer(self, name: str, x: np.ndarray) -> np.ndarray:
        """A dense layer, or a 3x3 convolution: each cell's nine neighbours side by side, and one product."""
        weight = self.weights[f"{name}.weight"]
        if self.flat:
            return x @ weight
        batch, height, width, channels = x.shape
        padded = np.zeros((batch, height + 2, width + 2, channels), np.float32)
        padded[:, 1:-1, 1:-1] = x
        shifted = [padded[:, i : i + height, j : j + width] for i in range(3) for j in range(3)]
        rows = np.concatenate(shifted, 3).reshape(-1, 9 * channels)
        return (rows @ weight).reshape(batch, height, width, -1)

    def norm(self, name: str, x: np.ndarray) -> np.ndarray:
        factor, summand = self.norms[name]
        return x * factor + summand

    def dense(self, name: str, x: np.ndarray) -> np.ndarray:
        return x @ self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def ready(weight: np.ndarray) -> np.ndarray:
    """Weights [outputs, inputs], or [outputs, inputs, rows, columns] of a convolution, as [inputs, outputs]."""
    if weight.ndim < 2:
        return weight
    turned = weight.T if weight.ndim == 2 else weight.transpose(2, 3, 1, 0)
    return np.ascontiguousarray(turned.reshape(-1, len(weight)))


def relu(x: np.ndarray) -> np.ndarray:
    return np.maximum(x, 0)


def whole(x: np.ndarray) -> np.ndarray:
    """The mean and the maximum of each channel."""
    return np.concatenate([x.mean((1, 2)), x.max((1, 2))], 1)


def softmax(x: np.ndarray) -> np.ndarray:
    weights = np.exp(x - x.max(1, keepdims=True))
    return np.asarray(weights / weights.sum(1, keepdims=True))
