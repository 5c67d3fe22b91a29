"""What an ONNX file may hold before onnxruntime runs it: the layers of a net of ours, and nothing else.

A net is data, yet ONNX can describe programs: loops without end, functions, and tensors that lie in other files. So the
file is walked through first (protobuf's wire format: fields by number), and only the operations that
`learn/zero/onnx.py` writes are let through.
"""

from collections.abc import Iterator

OPERATIONS = frozenset(
    ("Add", "Concat", "Conv", "Flatten", "Gemm", "MatMul", "Mul", "ReduceMax", "ReduceMean", "Relu", "Softmax",
     "Unsqueeze")
)  # fmt: skip
# Numbers of fields, by message
GRAPH, TRAINING, FUNCTIONS = 7, 20, 25  # of a model
NODE, INITIALIZER, SPARSE = 1, 5, 15  # of a graph
OPERATION, ATTRIBUTE, DOMAIN = 4, 5, 7  # of a node
EXTERNAL, LOCATION = 13, 14  # of a tensor
NUMBERS = (
    1,
    2,
    3,
    7,
    8,
    13,
    20,
    21,
)  # of an attribute: its name, a number, numbers, notes; no tensor and no graph
VARINT, EIGHT, BYTES, FOUR = 0, 1, 2, 5  # wire types
MOST_DIGITS = 10  # bytes of a varint

Field = tuple[int, memoryview]


def is_plain(content: bytes) -> bool:
    """Whether a file holds layers alone."""
    try:
        return all(_is_plain_part(number, part) for number, part in _fields(memoryview(content)))
    except ValueError:
        return False


def _is_plain_part(number: int, part: memoryview) -> bool:
    if number in (TRAINING, FUNCTIONS):
        return False
    return number != GRAPH or all(_is_plain_graph(n, inner) for n, inner in _fields(part))


def _is_plain_graph(number: int, part: memoryview) -> bool:
    if number == NODE:
        return _is_plain_node(list(_fields(part)))
    if number == INITIALIZER:
        return all(n not in (EXTERNAL, LOCATION) for n, _ in _fields(part))
    return number != SPARSE


def _is_plain_node(fields: list[Field]) -> bool:
    kinds = [bytes(part).decode() for number, part in fields if number == OPERATION]
    attributes = [part for number, part in fields if number == ATTRIBUTE]
    return (
        all(kind in OPERATIONS for kind in kinds)
        and all(not part for number, part in fields if number == DOMAIN)
        and all(number in NUMBERS for part in attributes for number, _ in _fields(part))
    )


def _fields(data: memoryview) -> Iterator[Field]:
    """The fields of a message; a ValueError if it is none."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind, size = key & 7, 0
        if kind == VARINT:
            _, end = _varint(data, at)
            size = end - at
        elif kind == BYTES:
            size, at = _varint(data, at)
        elif kind in (EIGHT, FOUR):
            size = 8 if kind == EIGHT else 4
        else:
            raise ValueError(f"there is no wire type {kind}")
        if at + size > len(data):
            raise ValueError("a field is cut short")
        yield key >> 3, data[at : at + size]
        at += size


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    """A number, and where it ends."""
    number = 0
    for place in range(MOST_DIGITS):
        if at >= len(data):
            break
        number |= (data[at] & 127) << 7 * place
        at += 1
        if data[at - 1] < 128:
            return number, at
    raise ValueError("a number is cut short")
