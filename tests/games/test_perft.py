"""Counts of move sequences, as data: compiled against published numbers, plain against compiled."""

from pathlib import Path

import pytest

from outplay.games import load
from outplay.search.perft import divide, perft, plain_perft

LINES = [
    [part.strip() for part in line.split("|")]
    for line in (Path(__file__).parents[1] / "data" / "perft.txt").read_text().splitlines()
    if not line.startswith("#")
]
GAMES = ["hexapawn", "hexapawn:width=4,height=5", "othello:size=6", "kalah", "kalah:pits=3,seeds=2", "pig"]


@pytest.mark.parametrize(("game", "position", "counts"), LINES)
def test_published_counts(game: str, position: str, counts: str) -> None:
    state = load(game).position(position)
    assert [perft(state, depth) for depth in range(1, len(counts.split()) + 1)] == list(
        map(int, counts.split())
    )


@pytest.mark.lanes
@pytest.mark.parametrize("game", [line[0] for line in LINES] + GAMES)
def test_plain_and_compiled_count_alike(game: str) -> None:
    state = load(game).start
    assert [perft(state, depth) for depth in range(5)] == [plain_perft(state, depth) for depth in range(5)]


def test_divide_sums_to_perft() -> None:
    state = load("checkers").start
    parts = divide(state, 6)
    assert len(parts) == 7
    assert sum(parts.values()) == perft(state, 6)


@pytest.mark.parametrize("depth", [-1, 1.5, True, 10_000])
def test_depths_that_make_no_sense(depth: int) -> None:
    with pytest.raises(ValueError, match="depth must be"):
        perft(load("tictactoe").start, depth)
