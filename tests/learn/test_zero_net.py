"""Nets: in torch, in ONNX, on the CPU by onnxruntime, as players. Each part skips where its package is missing."""

from pathlib import Path

import numpy as np
import pytest

from outplay.game import GameError
from outplay.gamefile import open_game
from outplay.games import load
from outplay.learn.zero.settings import settings_for
from outplay.learn.zero.symmetry import symmetries_of
from outplay.limits import Limits
from outplay.players import player
from outplay.search.mcts.netfile import NetFile, load_net, save_net
from outplay.search.mcts.network import Network
from outplay.search.mcts.view import inputs, view_of

torch = pytest.importorskip("torch", reason="nets are trained by torch: pip install 'outplay[train]'")
torch.set_num_threads(1)

from outplay.learn.zero.learner import Learner  # noqa: E402

GAMES = ("tictactoe", "kalah:pits=3,seeds=2", "go:size=3")


def learner(game: str, **given) -> Learner:
    start = load(game).start
    view = view_of(start)
    settings = settings_for(game, start, 1, channels=8, blocks=2, batch=64, **given)
    return Learner(
        view, settings, symmetries_of(start, view), 10.0 if getattr(type(start), "points", 0) else 0.0
    )


def some_views(mind: Learner, count: int = 32) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 1 << 9, (count, mind.view.words))


def answers(mind: Learner, views: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    priors, values = np.zeros((len(views), mind.view.answers), np.float32), np.zeros(len(views), np.float32)
    mind.evaluate(views, priors, values)
    return priors, values


@pytest.mark.parametrize("game", GAMES)
def test_a_new_net_finds_all_actions_about_equally_good(game: str) -> None:
    mind = learner(game)
    priors, values = answers(mind, some_views(mind))
    assert priors == pytest.approx(np.full_like(priors, 1 / mind.view.answers), rel=0.5)
    assert np.abs(values).max() < 0.2


def test_a_batch_is_learned() -> None:
    """The policy plays the first free cell, who has more marks wins: both can be seen."""
    mind = learner("tictactoe", rate=1e-2, warm_up=5)
    views = some_views(mind, 64)
    rows = np.zeros((64, 6), np.int64)
    rows[:, :2], rows[:, 3] = views, np.where(views[:, 0] & 1, 1, -1)
    policies = np.zeros((64, 9), np.float32)
    policies[:, 4] = 1
    first = [float(x) for x in mind.update(rows, policies, 64, 0.0)]
    for _ in range(80):
        last = mind.update(rows, policies, 64, 0.0)
    assert float(last[0]) < first[0] / 5
    before = answers(mind, views)[0]
    mind.publish()
    assert not np.array_equal(before, answers(mind, views)[0])


def test_rows_of_games_that_go_on_teach_nothing() -> None:
    mind = learner("tictactoe")
    rows = np.zeros((64, 6), np.int64)
    rows[:, 3] = 2
    losses = mind.update(rows, np.ones((64, 9), np.float32), 64, 0.0)
    assert [float(x) for x in losses] == [0, 0, 0]


def test_training_goes_on_from_a_state() -> None:
    one, other = learner("tictactoe"), learner("tictactoe", seed=2)
    rows = np.zeros((64, 6), np.int64)
    rows[:, :2] = some_views(one, 64)
    policies = np.full((64, 9), 1 / 9, np.float32)
    one.update(rows, policies, 64, 0.1)
    other.load(one.state())
    assert other.updates == 1
    for name, value in one.state().items():
        assert np.array_equal(value, other.state()[name]), name


@pytest.fixture(scope="module")
def exported(tmp_path_factory) -> dict[str, tuple[Learner, Path]]:
    pytest.importorskip("onnx", reason="ONNX files need onnx: pip install 'outplay[train]'")
    pytest.importorskip("onnxruntime", reason="nets run by onnxruntime: pip install 'outplay[nets]'")
    from outplay.learn.zero.onnx import save_onnx

    made = {}
    for game in GAMES:
        mind, folder = learner(game), tmp_path_factory.mktemp("net")
        rows = np.zeros((64, mind.view.words + 4), np.int64)
        rows[:, : mind.view.words] = some_views(mind, 64)
        for _ in range(5):
            mind.update(rows, np.full((64, mind.view.answers), 1 / mind.view.answers, np.float32), 64, 0.1)
        mind.publish()
        net = NetFile(game, mind.view, 8, 2, mind.scale, mind.weights())
        save_net(folder / "net.npz", net)
        save_onnx(folder / "net.onnx", load_net(folder / "net.npz"))
        made[game] = mind, folder / "net.onnx"
    return made


@pytest.mark.parametrize("game", GAMES)
def test_onnx_gives_the_same_answers(exported, game: str) -> None:
    mind, path = exported[game]
    views = some_views(mind)
    network = Network(str(path))
    for here, there in zip(answers(mind, views), network.answer(inputs(network.view, views)), strict=True):
        assert here == pytest.approx(there, abs=1e-5)
    assert network.view == mind.view
    single = [network.answer(inputs(network.view, views[i : i + 1]))[1][0] for i in range(4)]
    assert single == pytest.approx(answers(mind, views)[1][:4], abs=1e-5)


@pytest.mark.parametrize("game", GAMES)
def test_numpy_gives_the_same_answers(exported, game: str) -> None:
    mind, path = exported[game]
    views = some_views(mind)
    plain = Network(str(path.with_suffix(".npz")))
    for here, there in zip(answers(mind, views), plain.answer(inputs(plain.view, views)), strict=True):
        assert here == pytest.approx(there, abs=1e-5)


@pytest.mark.parametrize("game", GAMES)
def test_nets_play(exported, game: str) -> None:
    record = open_game(game)
    for spec in (f"net:{exported[game][1]}", f"puct:net={exported[game][1]},simulations=20"):
        found = player(spec)(record, Limits(time=10))
        assert found.action in record.legal()
        assert found.nodes == (1 if spec.startswith("net") else 20)


def test_a_net_of_another_game_is_refused(exported, tmp_path: Path) -> None:
    path = exported["tictactoe"][1]
    for spec in (f"net:{path}", f"puct:net={path}"):
        with pytest.raises(GameError, match="is a net of tictactoe, not of"):
            player(spec).prepare(load("kalah:pits=3,seeds=2").start)
    (tmp_path / "x.onnx").write_bytes(b"nonsense")
    with pytest.raises(ValueError, match="not a policy-value net"):
        player(f"net:{tmp_path / 'x.onnx'}")
    with pytest.raises(ValueError, match="no such net"):
        player("net:nowhere.onnx")


def test_errors_are_counted_by_exact_values(exported, tmp_path: Path) -> None:
    from outplay.learn.zero.errors import errors, reachable, read_known

    network = Network(str(exported["tictactoe"][1]))
    cls = load("tictactoe").cls
    file = tmp_path / "positions"
    file.write_text("XX./OO./... x 1\nXO./.X./..O x\n\nXX./O../... o -1\n")
    known = read_known(cls, file)
    assert [worth for _, worth in known] == [1, None, -1]
    found = errors(network, known, 300, lambda number: None)
    assert (found.positions, found.wrong, found.right) == (3, 0, 1.0)  # 300 simulations see all of it
    assert len(reachable(load("tictactoe").start)) == 4520
    with pytest.raises(ValueError, match="more than"):
        reachable(load("connect4").start)
    file.write_text("nonsense\n")
    with pytest.raises(ValueError, match="line 1"):
        read_known(cls, file)
