"""A policy from recorded games: rows, games held out, a run that goes on."""

from pathlib import Path

import numpy as np
import pytest

from outplay.game import parse_action
from outplay.gamefile import open_game
from outplay.games import load
from outplay.learn.zero.examples import examples_of
from outplay.learn.zero.moves import AFTER_VIEW, MOVER, OUTCOME
from outplay.record import Record, write
from outplay.search.mcts.view import view_of
from outplay.ui.supervised import show_line

START = load("tictactoe").start
LINES = (
    "a1 b2 a2 a3 c1 b1 b3 c3 c2",
    "b2 a1 c3 a3 a2 c2 b3 b1 c1",
    "a1 a2 b2 b3 c3",
)  # drawn, drawn, won by X


def games(count: int) -> list[Record]:
    found = [open_game("tictactoe", moves=LINES[i % len(LINES)]) for i in range(count)]
    return [record._replace(result=record.state.utility()) for record in found]


def test_rows_hold_what_was_played() -> None:
    view = view_of(START)
    given, held = examples_of(START, view, games(20), 0.1)
    assert (given.games, held.games) == (18, 2)  # the 10th and the 20th: LINES[0] and LINES[1]
    assert len(given.rows) + len(held.rows) == sum(len(record.actions) for record in games(20))
    assert given.rows.shape[1] == view.words + AFTER_VIEW and not given.legal
    assert [len(places) for places in held.legal] == [9, 8, 7, 6, 5, 4, 3, 2, 1] * 2
    assert held.places.tolist()[:3] == [parse_action(START, move) for move in ("a1", "b2", "a2")]
    assert (held.rows[:9, view.words + MOVER] == [0, 1] * 4 + [0]).all()
    won = given.rows[given.rows[:, view.words + OUTCOME] == 1]
    assert len(won) == 6 * 5
    assert examples_of(START, view, games(20), 0.1)[0].digest() == given.digest()


def test_what_cannot_be_learned_from_is_told() -> None:
    view = view_of(START)
    with pytest.raises(ValueError, match="need 10 or more"):
        examples_of(START, view, games(4), 0.1)
    with pytest.raises(ValueError, match="game 2 is connect4"):
        examples_of(START, view, [*games(1), open_game("connect4")], 0.5)
    with pytest.raises(ValueError, match="must be between 0 and 1"):
        examples_of(START, view, games(4), 1.0)
    unfinished = [record._replace(result=None) for record in games(9)]
    assert examples_of(START, view, [*games(2), *unfinished], 0.5)[0].games == 1


@pytest.fixture
def brief(monkeypatch):
    pytest.importorskip("torch", reason="nets are trained by torch: pip install 'outplay[train]'")
    ticks = iter(range(1_000_000))  # every look at the clock takes a tenth of a second
    monkeypatch.setattr("outplay.learn.zero.supervised.clock.perf_counter", lambda: next(ticks) / 10)


def test_moves_are_foretold(brief, tmp_path: Path) -> None:
    """Three games over and over; where they part, and in images of one another, no policy can foretell all moves."""
    from outplay.learn.zero.supervised import PolicySettings, learn_policy, read_run

    parts = examples_of(START, view_of(START), games(30), 0.1)
    settings = PolicySettings(
        "tictactoe",
        1.0,
        parts[0].digest(),
        batch=64,
        rate=1e-2,
        warm_up=5,
        channels=8,
        blocks=1,
        held_out=0.1,
    )

    class Killed(BaseException):
        """The process ends."""

    def stop(line) -> None:
        if line["seconds"] > 25:
            raise Killed

    with pytest.raises(Killed):
        learn_policy(settings, *parts, tmp_path, stop)
    told: list[dict] = []
    accuracy = learn_policy(settings, *parts, tmp_path, told.append)
    assert accuracy.top1 > 0.6  # a guess is right at a third: the last plies leave little choice
    assert told[-1]["top1"] == round(accuracy.top1, 4) and told[-1]["policy"] < 0.9
    assert read_run(tmp_path)[0] == settings and (tmp_path / "net.npz").exists()
    seconds = [line["seconds"] for line in read_run(tmp_path)[1]]
    assert seconds == sorted(set(seconds)) and seconds[-1] >= 60
    with pytest.raises(ValueError, match="examples"):
        learn_policy(settings._replace(examples="others"), *parts, tmp_path, told.append)


def test_the_command(brief, outplay, tmp_path: Path) -> None:
    file, out = tmp_path / "games.txt", tmp_path / "run"
    file.write_text("".join(write(record) for record in games(10)))
    command = ("learn", "policy", "tictactoe", file, "--minutes", "0.5", "--out", out, "--device", "cpu")
    done = outplay(*command)
    assert done.status == 0 and "of the moves and" in done.out
    log = (out / "log.jsonl").read_text()
    again = outplay(*command)  # it has ended
    assert again.status == 0 and again.out == done.out
    assert (out / "log.jsonl").read_text() == log
    assert "top 1" in outplay("learn", "policy", "--show", str(out)).out
    assert np.load(out / "net.npz")["policy.weight"].any()
    assert "from which files" in outplay("learn", "policy", "tictactoe").told


@pytest.mark.parametrize(
    ("words", "told"),
    [(("--minutes", "0"), "minutes must be"), (("--set", "held_out=0.6"), "held_out must be 1e-06 to 0.5")],
)
def test_settings_are_looked_at_before_games_are_read(
    outplay, tmp_path: Path, words: tuple, told: str
) -> None:
    out = tmp_path / "run"
    answer = outplay("learn", "policy", "tictactoe", tmp_path / "none.txt", "--out", out, *words)
    assert answer.status == 2 and told in answer.told and len(answer.told.splitlines()) == 1


def test_a_line_before_the_first_update_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    line = {"seconds": 0.0, "epochs": 0.0, "updates": 0, "policy": None, "outcome": None, "top1": 0.5}
    show_line(line | {"winner": 0.25})
    assert (
        capsys.readouterr().err
        == "      0 s     0.00 epochs        0 updates  held out: top 1 50.0 %, winner 25.0 %\n"
    )
