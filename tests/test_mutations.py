"""Mutated files of data: read, or refused with one line; see `python -m bench mutations` for many more."""

import pytest

mutations = pytest.importorskip("bench.mutations")


def test_readers_answer_or_refuse() -> None:
    found = mutations.mutate(300, seed=7)
    tally = {what: count for what, count in found.items() if not what.startswith("of ")}
    assert set(tally) == {"read", "refused"}, tally
    assert sum(tally.values()) == 300 and min(tally.values()) > 30
    assert sum(count for what, count in found.items() if what.startswith("of ")) == 300


def test_what_is_wrong_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(content: bytes) -> None:
        exec(compile("()[0]", "evil.py", "exec"))

    def vague(content: bytes) -> None:
        raise ValueError

    tally = mutations.Counter()
    with mutations.watched(tally):
        mutations.attempt(mutations.Kind("bad", (b"",), careless), b"", tally)
        mutations.attempt(mutations.Kind("bad", (b"",), vague), b"", tally)
    assert sorted(key.partition(":")[0] for key in tally) == [
        "internal errors",
        "internal errors",
        "programs run",
    ]
