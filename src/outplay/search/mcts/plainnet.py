"""A net in plain NumPy, without torch or onnxruntime: for small nets, and as the oracle for the others.

`learn/zero/net.py` is the same in torch, `learn/zero/onnx.py` in ONNX; all three give the same results.
"""

import numpy as np

from outplay.search.mcts.netfile import NetFile

OUTCOMES = np.array([1, 0, -1], np.float32)  # the values of a win, a draw and a loss


class PlainNet:
    """Inputs[B, planes, rows, columns], or [B, bits], to policy[B, answers] and value[B]."""

    def __init__(self, net: NetFile) -> None:
        self.net, self.flat, self.weights = net, net.view.planes is None, net.weights
        self.norms = {
            name.removesuffix(".running_mean"): net.normal(name.removesuffix(".running_mean"))
            for name in net.weights
            if name.endswith(".running_mean")
        }

    def __call__(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x = self.layer("stem", x)
        for number in range(self.net.blocks):
            x = self.block(f"blocks.{number}", x)
        x = relu(self.norm("norm", x))
        if not self.flat:
            weight, bias = self.weights["squeeze.weight"][:, :, 0, 0], self.weights["squeeze.bias"]
            squeezed = relu(np.einsum("oi,bihw->bohw", weight, x) + bias[:, None, None])
            x = np.concatenate([squeezed.reshape(len(x), -1), whole(x)], 1)
        outcome = self.dense("outcome", relu(self.dense("hidden", x)))
        return softmax(self.dense("policy", x)), softmax(outcome) @ OUTCOMES

    def block(self, name: str, x: np.ndarray) -> np.ndarray:
        y = self.layer(f"{name}.layer1", relu(self.norm(f"{name}.norm1", x)))
        if f"{name}.pool.weight" in self.weights:
            y = y + self.dense(f"{name}.pool", whole(y))[:, :, None, None]
        return x + self.layer(f"{name}.layer2", relu(self.norm(f"{name}.norm2", y)))

    def layer(self, name: str, x: np.ndarray) -> np.ndarray:
        """A dense layer, or a 3x3 convolution: nine shifted products, added up."""
        weight = self.weights[f"{name}.weight"]
        if self.flat:
            return x @ weight.T
        batch, channels, height, width = x.shape
        padded = np.zeros((batch, channels, height + 2, width + 2), np.float32)
        padded[:, :, 1:-1, 1:-1] = x
        windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))
        rows = windows.transpose(0, 2, 3, 1, 4, 5).reshape(batch * height * width, channels * 9)
        product = rows @ weight.reshape(len(weight), -1).T
        return product.reshape(batch, height, width, -1).transpose(0, 3, 1, 2)

    def norm(self, name: str, x: np.ndarray) -> np.ndarray:
        factor, summand = self.norms[name]
        if self.flat:
            return x * factor + summand
        return x * factor[:, None, None] + summand[:, None, None]

    def dense(self, name: str, x: np.ndarray) -> np.ndarray:
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]


def relu(x: np.ndarray) -> np.ndarray:
    return np.maximum(x, 0)


def whole(x: np.ndarray) -> np.ndarray:
    """The mean and the maximum of each channel."""
    return np.concatenate([x.mean((2, 3)), x.max((2, 3))], 1)


def softmax(x: np.ndarray) -> np.ndarray:
    weights = np.exp(x - x.max(1, keepdims=True))
    return np.asarray(weights / weights.sum(1, keepdims=True))
