"""A net in ONNX format, built from its weights without torch.

Normalisations are folded into a scale and a shift per channel. The model has the input
`bits` (float32[B, planes, rows, columns], or [B, bits]) and the outputs `policy` (probabilities of all action
indices) and `value` (from -1 to 1 for the player to move). Its metadata are those of our own file.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from outplay.search.mcts.netfile import NetFile
from outplay.storage import write_whole

OPSET = 17
IR = 8  # version of the format: read by runtimes of the last years


def save_onnx(path: Path, net: NetFile) -> None:
    """Write a net as ONNX; a one-line error if the package is missing."""
    try:
        import onnx
    except ImportError:
        raise ModuleNotFoundError("ONNX files need onnx: pip install 'outplay[train]'") from None
    write_whole(path, Builder(onnx, net).model().SerializeToString())


class Builder:
    """Builds the graph node by node; each method returns the name of its output."""

    def __init__(self, onnx: Any, net: NetFile) -> None:
        self.onnx, self.net, self.flat = onnx, net, net.view.planes is None
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def model(self) -> Any:
        """The whole net, as in `Net.forward`."""
        helper, floats = self.onnx.helper, self.onnx.TensorProto.FLOAT
        x = self.layer("stem", "bits")
        for number in range(self.net.blocks):
            x = self.block(f"blocks.{number}", x)
        x = self.relu(self.norm("norm", x))
        if not self.flat:
            squeezed = self.relu(self.add("Conv", x, *self.weights("squeeze"), kernel_shape=[1, 1]))
            x = self.add("Concat", self.add("Flatten", squeezed, axis=1), self.whole(x), axis=1)
        self.add("Softmax", self.dense("policy", x), axis=1, out="policy")
        chances = self.add("Softmax", self.dense("outcome", self.relu(self.dense("hidden", x))), axis=1)
        worth = self.constant("worth", np.array([1, 0, -1], np.float32))
        self.add("MatMul", chances, worth, out="value")
        shape = self.net.view.planes or (self.net.view.inputs,)
        graph = helper.make_graph(
            self.nodes,
            "outplay",
            [helper.make_tensor_value_info("bits", floats, ["batch", *shape])],
            [
                helper.make_tensor_value_info("policy", floats, ["batch", self.net.view.answers]),
                helper.make_tensor_value_info("value", floats, ["batch"]),
            ],
            self.constants,
        )
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)
        helper.set_model_props(made, {"outplay": json.dumps(self.net.about())})
        self.onnx.checker.check_model(made)
        return made

    # --- parts of the net ---

    def block(self, name: str, x: str) -> str:
        y = self.layer(f"{name}.layer1", self.relu(self.norm(f"{name}.norm1", x)))
        if f"{name}.pool.weight" in self.net.weights:
            pooled = self.dense(f"{name}.pool", self.whole(y))
            axes = self.constant("axes", np.array([2, 3], np.int64))
            y = self.add("Add", y, self.add("Unsqueeze", pooled, axes))
        y = self.layer(f"{name}.layer2", self.relu(self.norm(f"{name}.norm2", y)))
        return self.add("Add", x, y)

    def layer(self, name: str, x: str) -> str:
        weight = self.constant(f"{name}.weight", self.net.weights[f"{name}.weight"])
        if self.flat:
            return self.add("Gemm", x, weight, transB=1)
        return self.add("Conv", x, weight, kernel_shape=[3, 3], pads=[1, 1, 1, 1])

    def norm(self, name: str, x: str) -> str:
        """A factor and an offset for each channel."""
        factor, summand = self.net.normal(name)
        shape = (-1,) if self.flat else (-1, 1, 1)
        scaled = self.add("Mul", x, self.constant(f"{name}.factor", factor.reshape(shape)))
        return self.add("Add", scaled, self.constant(f"{name}.summand", summand.reshape(shape)))

    def whole(self, x: str) -> str:
        """Mean and maximum of each channel."""
        mean = self.add("ReduceMean", x, axes=[2, 3], keepdims=0)
        most = self.add("ReduceMax", x, axes=[2, 3], keepdims=0)
        return self.add("Concat", mean, most, axis=1)

    def dense(self, name: str, x: str) -> str:
        return self.add("Gemm", x, *self.weights(name), transB=1)

    def relu(self, x: str) -> str:
        return self.add("Relu", x)

    # --- the graph ---

    def weights(self, name: str) -> list[str]:
        return [
            self.constant(f"{name}.{part}", self.net.weights[f"{name}.{part}"]) for part in ("weight", "bias")
        ]

    def constant(self, name: str, value: np.ndarray) -> str:
        if all(known.name != name for known in self.constants):
            kind = np.int64 if value.dtype == np.int64 else np.float32
            self.constants.append(self.onnx.numpy_helper.from_array(np.ascontiguousarray(value, kind), name))
        return name

    def add(self, kind: str, *inputs: str, out: str = "", **attributes: Any) -> str:
        made = out or f"{kind}{len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(kind, list(inputs), [made], **attributes))
        return made
