"""Broken classes get one clear line; `python -m bench.broken` takes all of them through all doors, compiled."""

import os

import pytest

from bench.broken import Answer, examine, judge
from bench.broken_classes import KINDS, source

EVERYDAY = 7  # one kind in so many
PLAYED = ["player is None", "player is 2 later", "probability is None", "a weight that is not there"]


def test_there_are_many_kinds() -> None:
    assert len(KINDS) > 150
    assert len({source(kind) for kind in KINDS}) == len(KINDS)


def test_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "OUTPLAY_JIT", "0")
    kinds = list(KINDS)[::EVERYDAY]
    assert examine(kinds, ["best", "solve", "check", "perft"], 2, lambda line: None) == []


def test_interpreted_at_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where plain rules meet players: in a match, in the terminal and on the page."""
    monkeypatch.setitem(os.environ, "OUTPLAY_JIT", "0")
    assert examine(PLAYED, ["play", "match", "web"], 2, lambda line: None) == []


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (Answer(0, '{"value": 1, "proven": true}', "", -1, False), "proven 1, but it is -1"),
        (Answer(0, '{"value": 1, "proven": false}', "", "raises", False), "status 0, though the rules fail"),
        (
            Answer(2, "", "outplay: record.py, line 7: TypeError", None, False),
            "a line that names a file of ours",
        ),
        (Answer(2, "", "one\ntwo\nthree", None, False), "3 lines"),
        (Answer(1, "", "Traceback: x", None, False), "a traceback"),
        (Answer(1, "", "", None, False), "status 1 without a word"),
        (Answer(2, "", "outplay: numba says no", None, False), "a line in the compiler's words"),
        (Answer(2, "", "outplay: Game.utility is wrong", None, False), ""),
    ],
)
def test_a_bad_answer_is_seen(answer: Answer, fault: str) -> None:
    told = list(judge("utility is NaN", "best", answer))
    assert [line[: len(fault)] for line in told] == ([fault] if fault else [])
