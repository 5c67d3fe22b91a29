"""Books that are learned: drop-out expansion grows towards best play, ends with the game's value, and goes on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from outplay.book.book import load, place
from outplay.book.learn import SUFFIX, Learner
from outplay.game import is_terminal, utility_for, worth
from outplay.games import load as game


def blind(state: Any, actions: list[int]) -> tuple[int, int]:
    """The first action, and what the rules say of it at once: nothing, unless it ends the game."""
    after = state.result(actions[0])
    return actions[0], utility_for(after) * worth(type(after)) if is_terminal(after) else 0


def test_a_book_without_an_end_is_the_solution_of_the_game() -> None:
    """Hexapawn is won for who moves second; the book needs no judgement to find that."""
    learner = Learner("hexapawn", game("hexapawn").start, blind)
    while not learner.is_complete:
        learner.expand()
    assert learner.nodes[learner.start].value < -900_000
    book = learner.book()
    second = game("hexapawn").start.result(next(iter(game("hexapawn").start.actions())))
    best = [action for action, played in book.moves(second).items() if played.points]
    assert best and all(learner.nodes[place(second.result(action))].value < -900_000 for action in best)


def test_what_gives_much_away_is_expanded_late() -> None:
    """One move is worth a pawn more than all others: with a high weight the book follows it alone."""
    start = game("tictactoe").start

    def look(state: Any, actions: list[int]) -> tuple[int, int]:
        if state != start:
            return actions[0], 0
        return (4, 0) if 4 in actions else (actions[0], -100)

    narrow, wide = Learner("tictactoe", start, look, 100.0), Learner("tictactoe", start, look, 0.0)
    for _ in range(4):
        narrow.expand()
        wide.expand()
    assert len(narrow.nodes[narrow.start].moves) == 1 and len(wide.nodes[wide.start].moves) > 1
    with pytest.raises(ValueError, match="0 or more"):
        Learner("tictactoe", start, look, -1.0)
    with pytest.raises(ValueError, match="without chance"):
        Learner("pig", game("pig").start, look)


def test_learning_goes_on_from_its_file(tmp_path: Path) -> None:
    start = game("hexapawn").start
    whole, half = Learner("hexapawn", start, blind), Learner("hexapawn", start, blind)
    for _ in range(20):
        whole.expand()
    for _ in range(9):
        half.expand()
    file = tmp_path / f"h.book{SUFFIX}"
    half.save(file)
    again = Learner("hexapawn", start, blind)
    again.recall(file)
    for _ in range(11):
        again.expand()
    assert again.book() == whole.book()
    text = file.read_text()
    for content in (b"", text[:-9].encode(), text.replace('"hexapawn"', '"hexapawm"').encode(), b"\xff\xfe"):
        file.write_bytes(content)
        with pytest.raises(ValueError, match="is damaged, or something else: remove it"):
            again.recall(file)
    whole.game = "other"
    whole.save(file)
    with pytest.raises(ValueError, match="for another game or start"):
        again.recall(file)


def test_the_command(outplay: Callable, tmp_path: Path) -> None:
    out = tmp_path / "h.book"
    said = outplay("book", "learn", "hexapawn", "--out", out, "--positions", 12, "--depth", 3)
    assert said.status == 0 and "12 positions of hexapawn" in said.out
    more = outplay("book", "learn", "hexapawn", "--out", out, "--positions", 400, "--depth", 3)
    assert "all there are" in more.out
    assert load(out).moves(game("hexapawn").start)
    assert outplay("book", "learn", "pig", "--out", tmp_path / "p.book").status == 2
    assert outplay("book", "learn", "hexapawn", "--out", out, "--positions", 0).status == 2
    foreign = outplay("book", "learn", "hexapawn", "--out", tmp_path / "h.bin", "--positions", 3)
    assert foreign.status == 2 and "Polyglot books are for chess" in foreign.told
    assert not (tmp_path / "h.bin.learning").exists()  # it was said before anything was learned
