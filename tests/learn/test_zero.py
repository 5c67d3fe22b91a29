"""Self-play, replay and the run's folder, with a small net of NumPy; Gumbel's root beside a plain version of it."""

import json
import math
import signal
from pathlib import Path

import numpy as np
import pytest

from outplay.game import is_terminal, legal
from outplay.games import load
from outplay.learn.folder import CHECKPOINT, LOG, NET, continued, undivided
from outplay.learn.zero.errors import reachable
from outplay.learn.zero.games import Games
from outplay.learn.zero.loop import train
from outplay.learn.zero.moves import (
    AFTER_VIEW,
    BEGUN,
    DRAWS,
    FINISHED,
    MOVER,
    MOVES,
    OUTCOME,
    SCORE,
    UNKNOWN,
)
from outplay.learn.zero.settings import read_run, settings_for
from outplay.learn.zero.symmetry import symmetries_of
from outplay.search.mcts.gumbel import VISITS, Gumbel, improve, wanted_visits
from outplay.search.mcts.netfile import load_net
from outplay.search.mcts.puct import PUCT, Batch
from outplay.search.mcts.view import inputs, view_of
from outplay.ui.zero import read_settings

START = load("tictactoe").start


# --- the root -------------------------------------------------------------------------------------------


def plain_wanted(considered: int, planned: int) -> list[int]:
    """The visits that are wanted at each simulation: a list, as it is read off the paper."""
    if considered <= 1:
        return list(range(planned))
    halvings, wanted, visits = math.ceil(math.log2(considered)), [], [0] * considered
    while len(wanted) < planned:
        for _ in range(max(1, planned // (halvings * considered))):
            wanted += visits[:considered]
            visits[:considered] = [n + 1 for n in visits[:considered]]
        considered = max(2, considered // 2)
    return wanted[:planned]


@pytest.mark.lanes
@pytest.mark.parametrize("planned", [4, 16, 33, 100])
def test_simulations_are_halved(planned: int) -> None:
    for considered in (1, 2, 3, 7, 9, 16):
        found = [wanted_visits(considered, planned, done) for done in range(planned)]
        assert found == plain_wanted(considered, planned)


def table(state) -> tuple[np.ndarray, float]:
    """A network's answers, made up: the same for the same state."""
    dice = np.random.default_rng(state.own * 512 + state.opp)
    return dice.random(9), float(dice.uniform(-0.5, 0.5))


def by_table(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    answers = [table(state) for state in batch.states()]
    return np.array([priors for priors, _ in answers]), np.array([value for _, value in answers])


class PlainRoot:
    """A root whose actions are halved, as in the paper; PUCT below it, with objects."""

    def __init__(self, state, considered: int, planned: int, sharpness: float, c: float) -> None:
        self.state, self.sharpness, self.c = state, sharpness, c
        priors, self.value = table(state)
        self.actions = legal(state)
        total = sum(float(priors[a]) for a in self.actions)
        self.p = {a: float(priors[a]) / total for a in self.actions}
        self.n = dict.fromkeys(self.actions, 0.0)
        self.w = dict.fromkeys(self.actions, 0.0)
        self.below: dict = {}  # PUCT's edges of each node: by action P, N, W
        for wanted in plain_wanted(min(considered, len(self.actions)), planned)[: planned - 1]:
            tried = [a for a in self.actions if self.n[a] == wanted]
            action = max(tried, key=self.score)
            self.w[action] -= self.simulate(self.state.result(action), (action,))
            self.n[action] += 1

    def q(self, action: int) -> float:
        """The mean value, or what the root is worth."""
        if self.n[action]:
            return self.w[action] / self.n[action]
        seen = [a for a in self.actions if self.n[a]]
        if not seen:
            return self.value
        visits, priors = sum(self.n.values()), sum(self.p[a] for a in seen)
        return (self.value + visits * sum(self.p[a] * self.q(a) for a in seen) / priors) / (1 + visits)

    def score(self, action: int) -> float:
        sigma = (VISITS + max(self.n.values())) * self.sharpness
        return math.log(self.p[action]) + sigma * self.q(action)

    def policy(self) -> dict[int, float]:
        weights = {a: math.exp(self.score(a)) for a in self.actions}
        return {a: w / sum(weights.values()) for a, w in weights.items()}

    def simulate(self, state, path: tuple) -> float:
        """The value for the player to move."""
        if is_terminal(state):
            return state.utility() * (1 if state.player() == 0 else -1)
        if path not in self.below:
            priors, value = table(state)
            total = sum(float(priors[a]) for a in legal(state))
            self.below[path] = {a: [float(priors[a]) / total, 0.0, 0.0] for a in legal(state)}
            return value
        edges = self.below[path]
        width = self.c * math.sqrt(max(sum(n for _, n, _ in edges.values()), 1.0))
        action = max(edges, key=lambda a: (edges[a][2] / edges[a][1] if edges[a][1] else 0.0)
                     + width * edges[a][0] / (1 + edges[a][1]))  # fmt: skip
        value = -self.simulate(state.result(action), (*path, action))
        edges[action][1] += 1
        edges[action][2] += value
        return value


@pytest.mark.parametrize(("considered", "planned"), [(4, 16), (16, 32), (3, 10)])
def test_the_root_is_searched_as_by_the_plain_version(considered: int, planned: int) -> None:
    """Without noise, which the plain version has none of: every visit, and the policy that is learned."""
    state = load("tictactoe").position("XO./.../... x")
    plain = PlainRoot(state, considered, planned, 0.2, 2.5)
    fast = PUCT([state], by_table, planned, c=2.5, root=Gumbel(considered, 0.0, 0.2))
    fast.search(planned)
    assert fast.visits()[0] == {a: int(n) for a, n in plain.n.items()}
    assert sum(fast.visits()[0].values()) == planned - 1
    policy = np.zeros(9)
    improve(fast.tree(0), policy)
    assert policy[: len(plain.actions)] == pytest.approx(list(plain.policy().values()), abs=1e-12)


# --- games ----------------------------------------------------------------------------------------------


def even(views, priors, values) -> None:
    priors[:] = 1
    values[:] = 0


def played(game: str, moves: int, **given) -> Games:
    start = load(game).start
    settings = settings_for(game, start, 1, games=6, simulations=(8,), **given)
    games = Games(start, view_of(start), settings, even)
    for _ in range(moves):
        games.move(8)
    return games


def rows_of(games: Games, game: int) -> np.ndarray:
    return games.rows[game : games.filled() : games.settings.games]


@pytest.mark.lanes
def test_rows_hold_what_was_played() -> None:
    games = played("tictactoe", 30, openings=0.0)
    assert games.counts()[FINISHED] > 15 and games.counts()[MOVES] == 180
    for game in range(6):
        rows = rows_of(games, game)
        assert (rows[:, 2 + MOVER] == [bin(a | b).count("1") % 2 for a, b in rows[:, :2].tolist()]).all()
        starts = [i for i, row in enumerate(rows) if not row[0] | row[1]]
        for begin, end in zip(starts, starts[1:], strict=False):
            assert len(set(rows[begin:end, 2 + OUTCOME])) == 1
            last = START._replace(own=int(rows[end - 1][0]), opp=int(rows[end - 1][1]))
            ends = {s.utility() for s in map(last.result, legal(last)) if is_terminal(s)}
            assert rows[begin, 2 + OUTCOME] in ends
        begun = games.games[game, BEGUN]
        assert (rows[:begun, 2 + OUTCOME] != UNKNOWN).all() and (rows[begun:, 2 + OUTCOME] == UNKNOWN).all()
    policies = games.policies[: games.filled()]
    assert np.allclose(policies.sum(1), 1, atol=1e-5)
    taken = inputs(games.view, games.rows[: games.filled(), :2]).sum(1).reshape(-1, 9)
    assert (policies[taken > 0] == 0).all()


def test_a_mover_who_moves_twice_is_told_as_such() -> None:
    games = played("kalah:pits=3,seeds=2", 40)
    rows = np.concatenate([rows_of(games, game) for game in range(6)])
    assert (rows[:, 3 + MOVER] == rows[:, 2]).all()  # the field `turn`
    again = (rows[1:, 3 + MOVER] == rows[:-1, 3 + MOVER]).sum()
    assert again > 10
    known = rows[rows[:, 3 + OUTCOME] != UNKNOWN]
    assert (np.sign(known[:, 3 + SCORE]) == known[:, 3 + OUTCOME]).all() and len(known) > 50


def test_chance_is_no_row() -> None:
    games = played("pig:goal=10", 30)
    assert set(games.rows[: games.filled(), games.view.words + MOVER]) == {0, 1}
    assert games.counts()[FINISHED] > 5 and games.counts()[DRAWS] == 0


def test_no_board_comes_back_where_that_is_forbidden() -> None:
    start = load("go:size=3").start
    games = played("go:size=3", 60, openings=0.0)
    words = games.view.words
    for game in range(6):
        boards: list[tuple] = []
        for row in rows_of(games, game):
            stones = (int(row[0]), int(row[1]))
            board = stones if row[words + MOVER] == 0 else stones[::-1]
            if not any(stones):
                boards = []
            if boards and board != boards[-1]:
                assert board not in boards
            boards.append(board)
    assert games.counts()[FINISHED] > 0 and start.repetition


@pytest.mark.parametrize(("game", "count"), [("tictactoe", 8), ("connect4", 2), ("othello", 4), ("kalah", 1)])
def test_symmetries_are_found_by_playing(game: str, count: int) -> None:
    start = load(game).start
    found = symmetries_of(start, view_of(start))
    assert len(found.cells) == len(found.answers) == count
    assert len({tuple(row) for row in found.cells.tolist()}) == (count if count > 1 else 1)


def test_actions_that_are_no_places_are_spread() -> None:
    """Checkers's actions are large ints: each has a place of its own in the policy that is learned."""
    games = played("checkers", 6, openings=0.0)
    start = load("checkers").start
    first = games.policies[:6]
    places = {games.view.place(start, action) for action in legal(start)}
    assert len(places) == len(legal(start)) == 7
    for policy in first:
        assert set(np.flatnonzero(policy)) == places and policy.sum() == pytest.approx(1, abs=1e-5)


# --- a run ----------------------------------------------------------------------------------------------


class Linear:
    """A net of one layer, so that a run needs no torch."""

    def __init__(self, view, settings, turns, scale) -> None:
        self.view, self.settings, self.updates = view, settings, 0
        self.matrix = np.zeros((view.inputs, view.answers + 1))

    def evaluate(self, views, priors, values) -> None:
        found = inputs(self.view, views).reshape(len(views), -1) @ self.matrix
        weights = np.exp(found[:, :-1] - found[:, :-1].max(1, keepdims=True))
        priors[:] = weights / weights.sum(1, keepdims=True)
        values[:] = np.tanh(found[:, -1])

    def update(self, rows, policies, filled, share):
        chosen = np.random.default_rng(self.updates).integers(0, filled, self.settings.batch)
        words = rows.shape[1] - AFTER_VIEW
        known = rows[chosen, words + OUTCOME] != UNKNOWN
        x = inputs(self.view, rows[chosen, :words]).reshape(len(chosen), -1)
        weights = np.exp(x @ self.matrix[:, :-1])
        error = (weights / weights.sum(1, keepdims=True) - policies[chosen]) * known[:, None]
        self.matrix[:, :-1] -= 0.5 * x.T @ error / len(x)
        self.updates += 1
        return [float(np.abs(error).mean()), 0.0, 0.0]

    def publish(self) -> None: ...

    def weights(self):
        return {"matrix": self.matrix}

    def state(self):
        return {"matrix": self.matrix, "updates": np.array(self.updates)}

    def load(self, state) -> None:
        self.matrix, self.updates = state["matrix"], int(state["updates"])


class Killed(BaseException):
    """The process ends."""


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr("outplay.learn.zero.loop.LOG_EVERY", 0.0)
    monkeypatch.setattr("outplay.learn.zero.loop.SAVE_EVERY", 0.0)
    ticks = iter(range(1_000_000))  # every look at the clock takes a tenth of a second
    monkeypatch.setattr("outplay.learn.zero.loop.clock.perf_counter", lambda: next(ticks) / 10)
    return settings_for("tictactoe", START, 2, games=16, simulations=(4, 8), batch=32)


def test_a_run_that_was_killed_goes_on(tmp_path: Path, quick) -> None:
    seen: list[dict] = []

    def stop(line) -> None:
        seen.append(line)
        if len(seen) % 30 == 0:
            raise Killed

    for _ in range(2):
        with pytest.raises(Killed):
            train(quick, tmp_path, stop, Linear)
    kept = dict(np.load(tmp_path / CHECKPOINT))
    with open(tmp_path / LOG, "a") as log:
        log.write('{"seconds": 3')  # what was being written
    train(quick, tmp_path, seen.append, Linear)
    settings, lines = read_run(tmp_path)
    assert settings == quick
    seconds = [line["seconds"] for line in lines]
    assert seconds == sorted(set(seconds)) and seconds[-1] >= 120
    for name in ("games", "positions", "updates", "simulations"):
        values = [line[name] for line in lines]
        assert values == sorted(values), name
    assert lines[-1]["updates"] > kept["learner/updates"] > 0
    net = load_net(tmp_path / NET)
    assert net.game == "tictactoe" and net.view == view_of(START) and net.weights["matrix"].any()


def test_a_run_ends_in_time_however_often_it_uses_a_position(tmp_path: Path, quick) -> None:
    told: list[dict] = []
    train(quick._replace(reuse=1e6), tmp_path, told.append, Linear)
    assert 120 <= told[-1]["seconds"] < 130 and told[-1]["updates"] > 100


def test_a_run_that_has_ended_tells_nothing_more(tmp_path: Path, quick) -> None:
    train(quick, tmp_path, lambda line: None, Linear)
    log = (tmp_path / LOG).read_text()
    (tmp_path / NET).unlink()  # it was killed before it wrote the net
    told: list[dict] = []
    train(quick, tmp_path, told.append, Linear)
    assert told == [] and (tmp_path / LOG).read_text() == log
    assert load_net(tmp_path / NET).weights["matrix"].any()


def test_a_ctrl_c_saves_what_was_learned(tmp_path: Path, quick, monkeypatch) -> None:
    monkeypatch.setattr("outplay.learn.zero.loop.SAVE_EVERY", 1e9)
    told: list[dict] = []

    def interrupt(line) -> None:
        told.append(line)
        if line["updates"] > 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(quick, tmp_path, interrupt, Linear)
    with np.load(tmp_path / CHECKPOINT) as kept:
        assert kept["learner/updates"] == told[-1]["updates"]
    train(quick, tmp_path, told.append, Linear)
    assert told[-1]["seconds"] >= 120 and (tmp_path / NET).exists()


def test_what_is_undivided_is_done_before_a_ctrl_c_is_heard() -> None:
    done = []
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
    try:
        with pytest.raises(KeyboardInterrupt):
            with undivided():
                signal.raise_signal(signal.SIGINT)
                done.append(1)
            done.append(2)
        assert done == [1] and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_settings_are_refused(tmp_path: Path, quick) -> None:
    train(quick, tmp_path, lambda line: None, Linear)
    with pytest.raises(ValueError, match="batch = 32, not 64"):
        train(quick._replace(batch=64), tmp_path, lambda line: None, Linear)
    (tmp_path / CHECKPOINT).write_bytes(b"nonsense")
    with pytest.raises(ValueError, match="damaged"):
        train(quick, tmp_path, lambda line: None, Linear)
    (tmp_path / NET).write_bytes(b"nonsense")
    with pytest.raises(ValueError, match="not a policy-value net"):
        load_net(tmp_path / NET)
    other = tmp_path / "other"
    other.mkdir()
    (other / "letter.txt").write_text("dear")
    with pytest.raises(ValueError, match="something other than a run"):
        train(quick, other, lambda line: None, Linear)
    with pytest.raises(ValueError, match="not a run"):
        read_run(other)


def test_what_was_told_twice_counts_once() -> None:
    lines = [{"seconds": s, "part": p} for s, p in ((1, 0), (2, 0), (3, 0), (2, 1), (4, 1))]
    assert json.dumps(list(continued(lines))) == json.dumps([lines[0], lines[3], lines[4]])


def test_all_states_of_a_game_are_found_even_if_they_have_no_order() -> None:
    kinds = Path(__file__).parent.parent / "classkinds.py"
    packed, natural = (reachable(load(f"{kinds}:{cls}").start) for cls in ("Packed", "Natural"))
    assert len(packed) == len(natural) == 16


def test_bad_settings_are_told() -> None:
    with pytest.raises(ValueError, match="minutes must be more than 0"):
        settings_for("tictactoe", START, 0)
    with pytest.raises(ValueError, match="unknown setting"):
        settings_for("tictactoe", START, 1, nonsense=3)
    with pytest.raises(ValueError, match="length must be more"):
        settings_for("tictactoe", START, 1, length=5)
    with pytest.raises(ValueError, match="seed must be 0 to 1,000,000,000,000,000, not"):  # more is in no log
        settings_for("tictactoe", START, 1, seed=(1 << 53) - 1)
    for text, told in (
        ("games=1.5", "games must be a whole number, not '1.5'"),
        ("rate=x", "rate must be a number, not 'x'"),
        ("simulations=4-", "simulations must be whole numbers, as in 16-24-32, not '4-'"),
    ):
        with pytest.raises(ValueError, match=told):
            read_settings([text])


def test_what_was_told_after_a_checkpoint_and_lost_does_not_count() -> None:
    """Killed at 20 s, gone on from the checkpoint at 10 s on a machine that has become slower."""
    lines = [{"seconds": s, "games": g} for s, g in ((5, 50), (10, 100), (20, 200), (21, 120), (25, 160))]
    assert [line["games"] for line in continued(lines)] == [50, 100, 120, 160]


def test_lines_of_a_quick_run_are_all_there() -> None:
    lines = [{"seconds": s, "games": g} for s, g in ((0.0, 50), (0.0, 100), (0.1, 150), (0.1, 120))]
    assert [line["games"] for line in continued(lines)] == [50, 100, 120]
