"""Positions with game results or search scores, for tuning evaluations.

A line of a file is a JSON object,

    {"position": "XO./.X./... o", "result": 1}       MAX's result: 1 won, 0.5 drawn, 0 lost
    {"position": "XO./.X./... o", "score": 35}       MAX's score in points of evaluate

or a position in the game's notation followed by the result: `POSITION c9 "1-0";` or `POSITION [1.0]`.
"""

import gzip
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from outplay.game import parse
from outplay.storage import from_json

MOST = 1e15  # a score; its square is still far from what a float can hold
RESULTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
TEXT = re.compile(r'(?P<position>.+?)\s+(?:c\d+\s+"(?P<words>[\d/-]+)"|\[(?P<number>\d+\.?\d*|\.\d+)\])\s*;?')
FORMS = (
    '{"position": ..., "result": ...}, {"position": ..., "score": ...}, POSITION c9 "1-0"; or POSITION [1.0]'
)


class Sample(NamedTuple):
    """A position with its result or score for MAX; the other one is None."""

    state: Any
    result: float | None = None  # 1 won, 0.5 drawn, 0 lost
    score: float | None = None  # points of evaluate


def read(cls: type, path: str | Path) -> list[Sample]:
    """The positions of a file (also a .gz); a ValueError that names the line if one cannot be read."""
    opened = gzip.open if str(path).endswith(".gz") else open
    samples = []
    try:
        with opened(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    samples.append(_read(cls, line.strip()))
                except ValueError as error:
                    raise ValueError(f"{path} line {number}: {error}") from None
    except (UnicodeDecodeError, gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise ValueError(f"{path} is not a text file: {error}") from None
    if not samples:
        raise ValueError(f"{path} contains no positions")
    return samples


def _read(cls: type, line: str) -> Sample:
    if line.startswith("{"):
        return _object(cls, from_json(line))
    match = TEXT.fullmatch(line)
    if not match:
        raise ValueError(f"expected a result: {FORMS}")
    return Sample(parse(cls, match["position"]), _result(match["words"] or float(match["number"])))


def _object(cls: type, said: dict[str, Any]) -> Sample:
    position, score = said.get("position"), said.get("score")
    if not isinstance(position, str) or ("result" in said) == (score is not None):
        raise ValueError(f"expected a position with a result or a score: {FORMS}")
    if score is None:
        return Sample(parse(cls, position), _result(said["result"]))
    if type(score) not in (int, float) or not abs(score) <= MOST:
        raise ValueError(f"the score {score!r} is not a number from -{MOST:g} to {MOST:g}")
    return Sample(parse(cls, position), score=float(score))


def _result(said: Any) -> float:
    if isinstance(said, str) and said in RESULTS:
        return RESULTS[said]
    if type(said) in (int, float) and 0 <= said <= 1:
        return float(said)
    raise ValueError(f"the result {said!r} is not 1-0, 1/2-1/2, 0-1 or a number from 0 to 1")


def lines(samples: Iterable[Sample]) -> Iterator[str]:
    """The samples as JSON lines."""
    for sample in samples:
        known = {"result": sample.result} if sample.score is None else {"score": sample.score}
        yield json.dumps({"position": str(sample.state), **known}) + "\n"
