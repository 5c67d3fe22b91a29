"""Learning from games in lockstep: the plain update summed, and runs."""

import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outplay.games import load
from outplay.learn.folder import CHECKPOINT, NET, Folder
from outplay.learn.td import loop
from outplay.learn.td.lockstep import BUSY, KNOWN, LENGTH, NUMBER, TOTALS, width_of
from outplay.learn.td.selfplay import FINISHED, LONGEST, mind_for, play_games
from outplay.learn.td.settings import Settings, read_run
from outplay.learn.td.update import Plain
from outplay.search.valuenet.net import ValueNet

torch = pytest.importorskip("torch", reason="games in lockstep learn by torch: pip install 'outplay[train]'")
torch.set_num_threads(1)

from outplay.learn.td.batch import BatchNet  # noqa: E402
from outplay.learn.td.crowd import Crowd  # noqa: E402


def settings_of(game: str, **given: Any) -> Settings:
    usual = {
        "games": 200,
        "hidden": 6,
        "alpha": 0.01,
        "last_alpha": 0.001,
        "parallel": 5,
        "trial": 4,
        "points": 4,
    }
    return Settings(game, **(usual | given))


def test_one_game_learns_as_the_plain_version(tmp_path: Path) -> None:
    """Step by step, with gradient descent in place of Adam."""
    settings = settings_of("backgammon:checkers=3", parallel=1, hidden=7, alpha=0.1, last_alpha=0.1)
    crowd = Crowd(settings, Folder(tmp_path / "run", settings), load(settings.game).position())
    net = ValueNet.new("backgammon", crowd.start, 7, settings.seed)
    while crowd.games.facts[0, TOTALS + FINISHED] < 3:
        crowd.play_step()
        crowd.student.descend(crowd.rows.inputs[:1], crowd.games.targets, crowd.games.learns)
        crowd.student.weights.add_(crowd.student.gradient, alpha=0.1)
    crowd.student.write(crowd.net.layers)
    mind = mind_for(crowd.start, net.layers, 0.0)
    fresh = net.layers.hidden.copy()
    play_games(crowd.native, 0, 3, net.layers, settings.plan(), mind)
    gap = np.abs(net.layers.hidden - crowd.net.layers.hidden).max()
    assert gap < 1e-4 < np.abs(net.layers.hidden - fresh).max()
    assert np.abs(net.layers.output - crowd.net.layers.output).max() < 1e-4


@pytest.mark.parametrize("second", [0, 4])
def test_a_batch_learns_the_sum_of_plain_updates(second: int) -> None:
    start, dice = load("backgammon").position(), np.random.default_rng(3)
    net = ValueNet.new("backgammon", start, 6, 2, second=second)
    settings = settings_of("backgammon", second=second)
    width = width_of(198)
    student = BatchNet(net.layers, settings, "cpu", width)
    x = (dice.random((9, width)) < 0.1).astype(np.float16)
    x[:, 198], x[:, 199:] = 1, 0
    targets, learns = dice.random((9, 5)).astype(np.float32), (dice.random(9) < 0.7).astype(np.float32)
    student.descend(torch.from_numpy(x.view(np.int16)), torch.from_numpy(targets), torch.from_numpy(learns))
    wanted = [np.zeros(part.shape) for part in student.gradients]
    for row in np.flatnonzero(learns):
        plain = Plain(net.layers.hidden, net.layers.output, net.layers.middle)
        plain.learn(x[row, :199].tolist(), 0, targets[row].tolist(), 1.0, 0.0)
        learned = [part for part in (plain.hidden, plain.middle, plain.output) if len(part)]
        for total, new, old in zip(wanted, learned, student.parts, strict=True):
            total += np.array(new) - old.numpy()
    for part, total in zip(student.gradients, wanted, strict=True):
        assert np.abs(part.numpy() - total).max() < 1e-5 < np.abs(total).max()


def test_adam_steps_as_in_the_paper() -> None:
    """The first step is alpha along the sign of each gradient; later ones are torch's own."""
    net = ValueNet.new("tictactoe", load("tictactoe").position(), 3, 2)
    student = BatchNet(net.layers, settings_of("tictactoe"), "cpu", width_of(128))
    theirs = student.weights.clone().requires_grad_()
    adam = torch.optim.Adam([theirs], lr=0.01, maximize=True)
    for step in range(5):
        gradient = torch.randn(len(theirs), generator=torch.Generator().manual_seed(step))
        student.gradient.copy_(4 * gradient)
        student.move(torch.tensor(4.0), torch.tensor(0.01))
        theirs.grad = gradient
        adam.step()
    assert torch.allclose(student.weights, theirs, atol=1e-6)


def silent(line: dict[str, Any]) -> None:
    pass


def test_a_run_learns_survives_a_crash_and_ends_with_the_same_net(tmp_path: Path) -> None:
    settings = settings_of("tictactoe", games=3000, hidden=20, second=10, parallel=40, trial=50, explore=0.1)
    heard: list[dict[str, Any]] = []
    assert loop.train(settings, tmp_path / "whole", heard.append, silent, make=Crowd)
    assert heard[-1]["games"] >= 3000 and heard[-1]["random"] > 0.5 and heard[-1]["error"] > 0

    class Crash(Exception):
        pass

    def crash(line: dict[str, Any]) -> None:
        if line.get("game", line.get("games", 0)) >= 1500:
            raise Crash

    with pytest.raises(Crash):
        loop.train(settings, tmp_path / "broken", crash, crash, make=Crowd)
    assert loop.train(settings, tmp_path / "broken", silent, silent, make=Crowd)
    whole, broken = (ValueNet.load(tmp_path / name / NET) for name in ("whole", "broken"))
    for part, other in zip(whole.layers, broken.layers, strict=True):
        assert np.array_equal(part, other)
    assert loop.train(settings, tmp_path / "whole", silent, silent, make=Crowd)  # it is at its end
    (tmp_path / "whole" / CHECKPOINT).write_bytes(b"PK nothing")
    with pytest.raises(ValueError, match="is damaged"):
        loop.train(settings, tmp_path / "whole", silent, silent, make=Crowd)


def test_a_ctrl_c_within_a_burst_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_of("tictactoe", games=2000, parallel=20, trial=2, explore=0.1)
    assert loop.train(settings, tmp_path / "whole", silent, silent, make=Crowd)
    steps, step = 0, Crowd.step

    def interrupted(crowd: Crowd) -> None:
        nonlocal steps
        steps += 1
        if steps % 130 == 0:
            signal.raise_signal(signal.SIGINT)
        step(crowd)

    monkeypatch.setattr(Crowd, "step", interrupted)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            loop.train(settings, tmp_path / "broken", silent, silent, make=Crowd)
    monkeypatch.setattr(Crowd, "step", step)
    assert loop.train(settings, tmp_path / "broken", silent, silent, make=Crowd)
    whole, broken = (ValueNet.load(tmp_path / name / NET) for name in ("whole", "broken"))
    for part, other in zip(whole.layers, broken.layers, strict=True):
        assert np.array_equal(part, other)
    lines = [
        [(line["games"], line["error"]) for line in read_run(tmp_path / name)[1]]
        for name in ("whole", "broken")
    ]
    assert lines[0] == lines[1]


@pytest.mark.parametrize(
    ("column", "number"),
    [(LENGTH, -(1 << 40)), (LENGTH, LONGEST + 1), (KNOWN, 2), (NUMBER, -1), (BUSY, 1), (TOTALS, -1)],
)
def test_games_of_a_checkpoint_that_kernels_may_not_read(tmp_path: Path, column: int, number: int) -> None:
    settings = settings_of("tictactoe")
    folder, start = Folder(tmp_path / "run", settings), load(settings.game).position()
    state = Crowd(settings, folder, start).kept()
    folder.save(state)
    Crowd(settings, folder, start).resume()
    state["games"][0, column] = number
    folder.save(state)
    with pytest.raises(
        ValueError, match=r"checkpoint\.npz is damaged, or of another run: .*its games are damaged"
    ):
        Crowd(settings, folder, start).resume()


def test_more_games_than_memory_holds(tmp_path: Path) -> None:
    settings = settings_of("chess", parallel=1 << 20, games=1 << 30)
    with pytest.raises(
        ValueError, match=r"not enough memory for 1,048,576 games in lockstep: .*\(--parallel\)"
    ):
        loop.train(settings, tmp_path / "run", silent, silent, make=Crowd)
    assert not (tmp_path / "run").exists()


def test_room_for_rows_follows_what_is_wanted(tmp_path: Path) -> None:
    settings = settings_of("backgammon:checkers=3", parallel=400, updates=3)
    crowd = Crowd(settings, Folder(tmp_path / "run", settings), load(settings.game).position())
    crowd.make_rows(500)
    crowd.games_until(0)
    wanted = int(crowd.games.ends[-1])
    crowd.look()
    assert wanted > 500 and crowd.capacity >= wanted
    rows = crowd.capacity
    crowd.make_rows(10 * rows)
    crowd.games_until(0)
    crowd.look()
    assert crowd.capacity < 2 * rows


def test_the_command_learns_in_lockstep(outplay: Any, tmp_path: Path) -> None:
    out = str(tmp_path / "run")
    command = ("learn", "td", "tictactoe", "--parallel", "20", "--updates", "2", "--device", "cpu", "--games", "300",
               "--hidden", "8", "--second", "4", "--trial", "5", "--out", out)  # fmt: skip
    told = outplay(*command)
    assert told.status == 0 and "8 and 4 hidden units" in told.out
    assert ValueNet.load(tmp_path / "run" / NET).second == 4
