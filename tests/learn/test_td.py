"""TD(lambda): the kernel beside a plain version, games against oneself, the folder of a run, and `td` as a player."""

import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from outplay.compile import ENABLED, kernel, twin
from outplay.game import CHANCE, FEATURE, GameError, action_text, is_terminal, legal, offers
from outplay.gamefile import open_game
from outplay.games import Backgammon, TicTacToe, load
from outplay.learn.folder import CHECKPOINT, LOG, NET
from outplay.learn.td import loop
from outplay.learn.td.selfplay import UPDATES, mind_for, play_games
from outplay.learn.td.settings import Settings, exploration, read_run, scale_of
from outplay.learn.td.trial import Score, Table
from outplay.learn.td.update import Plain, forget, learn, traces_for
from outplay.limits import Limits
from outplay.peers.gnubgnn import packed
from outplay.search.valuenet.answers import mirror, names, points_of, result, turned, worth_of
from outplay.search.valuenet.inputs import Room, count_inputs, room_for, see
from outplay.search.valuenet.layers import NO_MIDDLE, Layers, judge, propagate, sigmoid
from outplay.search.valuenet.net import ValueNet
from outplay.search.valuenet.td import TD
from outplay.variants import variant

START = load("tictactoe").start
KINDS = Path(__file__).parent.parent / "classkinds.py"
WRITTEN = ("Packed", "Natural", "Floats", "PackedDice", "Dice", "Alone", "Rows", "Pawns", "Names")
UNTOUCHED = -0x123456789ABCDEF  # in memory that nothing was written to
QUICK = Settings(
    "tictactoe", games=600, hidden=12, alpha=0.3, last_alpha=0.1, explore=0.1, trial=50, points=3
)


@kernel
def seen(s: Any, room: Any) -> int:
    return see(s, room)


def silent(line: dict[str, Any]) -> None:
    pass


# --- answers ------------------------------------------------------------------------------------------------


def test_answers_are_chances_of_results() -> None:
    assert points_of(Backgammon) == 3 and points_of(TicTacToe) == 1
    assert names(5) == ("win", "win gammon", "win backgammon", "lose gammon", "lose backgammon")
    answers = np.zeros(5, np.float32)
    for points in (-3, -2, -1, 1, 2, 3):
        result(float(points), 1.0, answers)
        assert worth_of(answers, 1.0) == points
        others = np.zeros(5, np.float32)
        turned(answers, 1, others)
        assert worth_of(others, 1.0) == -points
    assert [mirror(k, 5) for k in range(5)] == [0, 3, 4, 1, 2]
    one = np.zeros(1, np.float32)
    result(-32.0, 64.0, one)
    assert one[0] == 0.25 and worth_of(one, 64.0) == -32


def test_the_sigmoid_is_one() -> None:
    for x in np.linspace(-20, 20, 81):
        assert math.isclose(sigmoid(np.float32(x)), 1 / (1 + math.exp(-x)), abs_tol=3e-7)


# --- the update -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "lam", "second"),
    [(1, 0.0, 0), (5, 0.0, 0), (1, 0.7, 0), (5, 0.7, 0), (1, 0.0, 5), (5, 0.0, 5)],
)
def test_the_kernel_learns_as_the_plain_version(answers: int, lam: float, second: int) -> None:
    inputs, units, dice = 6, 4, np.random.default_rng(answers)
    net = Layers(
        dice.uniform(-1, 1, (inputs + 1, units)).astype(np.float32),
        dice.uniform(-1, 1, (units + 1, second)).astype(np.float32) if second else NO_MIDDLE,
        dice.uniform(-1, 1, ((second or units) + 1, answers)).astype(np.float32),
        np.ones(1),
    )
    plain = Plain(net.hidden, net.output, net.middle)
    traces, rates = traces_for(net, lam), np.array([0.5, lam])
    empty = np.zeros(0, np.int64)
    for step in range(12):
        if step == 8:  # a new game
            forget(traces)
            plain.forget()
        places = np.flatnonzero(dice.random(inputs) < 0.5)
        x = np.zeros(inputs + 1)
        x[places] = dice.uniform(0, 2, len(places)).astype(np.float32)
        x[inputs] = 1.0
        at = Room(
            empty,
            places,
            x[places].astype(np.float32),
            np.zeros(units, np.float32),
            np.zeros(second, np.float32),
            np.zeros(answers, np.float32),
            empty,
        )
        propagate(len(places), net, at)
        assert np.allclose(at.raw, plain.propagate(x.tolist())[1], atol=1e-6)
        target = dice.random(answers).astype(np.float32)
        learn(net, at, len(places), step % 2, target, rates, traces)
        plain.learn(x.tolist(), step % 2, target.tolist(), 0.5, lam)
        assert np.allclose(net.hidden, plain.hidden, atol=2e-6)
        assert not second or np.allclose(net.middle, plain.middle, atol=2e-6)
        assert np.allclose(net.output, plain.output, atol=2e-6)


class Bet(NamedTuple):
    """A wins with 9 of 10 tickets: the draw ends the game."""

    bought: int = 0
    drawn: int = 0

    def player(self) -> int:
        return CHANCE if self.bought else 0

    def actions(self) -> Iterator[int]:
        yield from range(1, 3 if self.bought else 2)

    def probability(self, outcome: int) -> float:
        return 0.9 if outcome == 1 else 0.1

    def result(self, action: int) -> "Bet":
        return self._replace(drawn=action) if self.bought else self._replace(bought=1)

    def terminal(self) -> bool:
        return self.drawn > 0

    def utility(self) -> int:
        return 1 if self.drawn == 1 else -1


def test_a_game_that_the_dice_end_teaches_its_last_afterstate() -> None:
    net = ValueNet.new("bet", Bet(), 3, 1)
    mind = mind_for(Bet(), net.layers, 0.0)
    plan = Settings("bet", games=4000, alpha=0.5, last_alpha=0.01).plan()
    play_games(twin(Bet).state(Bet()), 0, 4000, net.layers, plan, mind)
    assert mind.counts[UPDATES] == 4000
    judge(twin(Bet).state(Bet(bought=1)), net.layers, mind.room, mind.answers)
    assert abs(mind.answers[0] - 0.9) < 0.03


# --- runs -----------------------------------------------------------------------------------------------------


def test_a_run_learns_survives_a_crash_and_ends_with_the_same_net(tmp_path: Path) -> None:
    heard: list[dict[str, Any]] = []
    assert loop.train(QUICK, tmp_path / "whole", heard.append, silent)
    assert [line["games"] for line in heard] == [200, 400, 600]
    assert heard[-1]["random"] > 0 and heard[-1]["error"] > 0

    class Crash(Exception):
        pass

    def crash(line: dict[str, Any]) -> None:
        if line.get("game", line["games"]) >= 200:
            raise Crash

    with pytest.raises(Crash):
        loop.train(QUICK, tmp_path / "broken", crash, crash)
    assert loop.train(QUICK, tmp_path / "broken", silent, silent)
    whole, broken = (ValueNet.load(tmp_path / name / NET) for name in ("whole", "broken"))
    for part, other in zip(whole.layers, broken.layers, strict=True):
        assert np.array_equal(part, other)
    with pytest.raises(ValueError, match=r"was made with hidden = 12, not 13"):
        loop.train(QUICK._replace(hidden=13), tmp_path / "whole", silent, silent)
    (tmp_path / "whole" / CHECKPOINT).write_bytes(b"PK nothing")
    with pytest.raises(ValueError, match="is damaged"):
        loop.train(QUICK, tmp_path / "whole", silent, silent)
    assert (tmp_path / "whole" / LOG).exists()


def test_settings_make_sense() -> None:
    for wrong, told in (
        ({"games": 0}, "games must be 1 to"),
        ({"alpha": 0.0}, "alpha must be more than 0"),
        ({"lam": 1.5}, "lambda must be from 0 to 1"),
        ({"explore": -0.1}, "explore must be from 0 to 1"),
        ({"second": 8, "lam": 0.5}, "a second hidden layer learns without traces"),
        ({"parallel": 8, "lam": 0.5}, "in lockstep are self-play without traces"),
        ({"parallel": 8, "lessons": "2 games"}, "in lockstep are self-play without traces"),
        ({"parallel": 8, "updates": 9}, "9 updates in each step need as many games"),
        ({"device": "cuda"}, "a GPU plays games in lockstep: say how many"),
        ({"device": "tpu", "parallel": 8}, "device is cpu or cuda, not 'tpu'"),
        ({"seed": 10**30}, "seed must be 0 to 1,000,000,000,000,000, not"),  # its log could not be read again
    ):
        with pytest.raises(ValueError, match=told):
            QUICK._replace(**wrong).checked()
    with pytest.raises(ValueError, match="hidden must be 1 to 4,096, not 0"):
        QUICK._replace(hidden=0).checked()  # before a folder is made for the run
    assert exploration(Backgammon) == 0 and exploration(TicTacToe) > 0
    assert scale_of(Backgammon()) == 1 and scale_of(START) == 1
    assert QUICK.alpha_at(0) == 0.3 and math.isclose(QUICK.alpha_at(599), 0.1)
    with pytest.raises(ValueError, match="1 to 4096 hidden units"):
        ValueNet.new("tictactoe", START, 0, 1)


@pytest.mark.parametrize("shapes", [((5, 0), (9, 0)), ((5, 3), (9, 4)), ((5, 3), (5, 3))])
def test_a_net_begins_with_a_smaller_one(shapes: Any) -> None:
    (units, second), (more, further) = shapes
    small = ValueNet.new("tictactoe", START, units, 1, second=second)
    large = small.within(ValueNet.new("tictactoe", START, more, 2, second=further))
    assert (large.units, large.second) == (more, further)
    state = twin(TicTacToe).state(TicTacToe.parse("X.O/.X./O.. x"))
    values = []
    for net in (small, large):
        mind = mind_for(START, net.layers, 0.0)
        values.append(judge(state, net.layers, mind.room, mind.answers))
    assert values[0] == pytest.approx(values[1], abs=1e-6)
    with pytest.raises(ValueError, match="cannot begin as one with"):
        large.within(ValueNet.new("tictactoe", START, 4, 2, second=further))
    with pytest.raises(ValueError, match="cannot begin as one with"):
        large.within(ValueNet.new("tictactoe", START, 20, 2, second=0 if further else 3))


def test_a_run_begins_with_a_net(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    small = ValueNet.new("tictactoe", START, 6, 3)
    small.save(path)
    settings = QUICK._replace(base=str(path), alpha=1e-9, last_alpha=1e-9, games=3, points=1)
    assert loop.train(settings, tmp_path / "run", silent, silent)
    assert np.allclose(
        ValueNet.load(tmp_path / "run" / NET).layers.hidden[:, :6], small.layers.hidden, atol=1e-6
    )
    path.unlink()
    assert loop.train(settings, tmp_path / "run", silent, silent)  # a run that goes on does not need it
    with pytest.raises(ValueError, match="no such net"):
        loop.train(settings, tmp_path / "other", silent, silent)


def test_a_run_that_cannot_begin_leaves_nothing_behind(tmp_path: Path) -> None:
    """The same folder takes the settings once they are right."""
    ValueNet.new("hexapawn", load("hexapawn").start, 6, 3).save(tmp_path / "foreign.npz")
    ValueNet.new("tictactoe", START, 20, 3).save(tmp_path / "large.npz")
    (tmp_path / "cut.npz").write_bytes((tmp_path / "large.npz").read_bytes()[:-50])
    for name, told in (
        ("none.npz", "no such net"),
        ("foreign.npz", "is for hexapawn, not TicTacToe"),
        ("large.npz", "cannot begin as one with"),
        ("cut.npz", "is not a value net"),
    ):
        with pytest.raises(ValueError, match=told):
            loop.train(QUICK._replace(base=str(tmp_path / name)), tmp_path / "run", silent, silent)
        assert not (tmp_path / "run").exists()
    assert loop.train(QUICK._replace(games=3, points=1), tmp_path / "run", silent, silent)


# --- opponents and nets -----------------------------------------------------------------------------------------


def test_a_score_has_a_standard_error() -> None:
    score = Score.of([1.0, -1.0, 2.0, 2.0])
    assert (score.games, score.points, score.won) == (4, 1.0, 0.75)
    assert math.isclose(score.error, math.sqrt(2.0 / 4))


def test_plays_of_pubeval_are_actions() -> None:
    state = Backgammon(turn=0, dice=8 * 3 + 1)
    for steps, text in (([7, 4, 5, 4], "8/5 6/5"), ([5, 4, 7, 4], "8/5 6/5"), ([23, 20, 20, 19], "24/20")):
        after = state.result(packed(3, 1, steps))
        assert after == state.result(state.parse_action(text))
    assert packed(6, 5, [3, -1, 2, -1]) == 4 | 3 << 5
    with pytest.raises(ValueError, match="is not a play"):
        packed(2, 1, [7, 1])


def test_what_a_net_sees() -> None:
    assert count_inputs(START) == 2 * 64 and count_inputs(Backgammon()) == 198
    inputs = {word >> 32: (word & 0xFFFFFFFF) / FEATURE for word in Backgammon().features()}
    assert inputs[20] == inputs[21] == inputs[22] == inputs[23] == 1.0  # five on the six point
    assert 31 not in inputs and inputs[30] == 1.0  # three on the eight point
    assert inputs[196] == 1.0 and 197 not in inputs and len(inputs) == 27
    ending = Backgammon((2, 0, 0, 0), (0, 2, 0, 0), 0, 0)
    inputs = {word >> 32: (word & 0xFFFFFFFF) / FEATURE for word in ending.features()}
    assert inputs == {0: 1.0, 96: 1.0, 97: 1.0, 194: 14 / 15, 195: 13 / 15, 196: 1.0}


@pytest.mark.lanes
@pytest.mark.parametrize("name", ["tictactoe", "backgammon", *(f"{KINDS}:{cls}" for cls in WRITTEN)])
def test_inputs_are_counted_on_the_form_that_is_evaluated(name: str) -> None:
    """Counted on another form of the state, they would not fit into the memory of an evaluation."""
    start = load(name).position()
    native = twin(type(start)).state(start)
    if hasattr(native, "interpreted"):
        assert not ENABLED
        pytest.skip("without the compiler its fields are no inputs")
    count = count_inputs(start)
    layers = ValueNet.new(name, start, 2, 1).layers
    room = room_for(start, layers)
    assert len(room.places) == len(room.values) == len(layers.hidden) - 1 == count
    ample = room._replace(
        words=np.full(count + 65, UNTOUCHED, np.int64),
        places=np.zeros(64 * (count + 65), np.int64),
        values=np.zeros(64 * (count + 65), np.float32),
    )
    seen(native, ample)
    written = int((ample.words != UNTOUCHED).sum())
    assert written < len(room.words)
    if not offers(type(start), "features"):  # of which only those that are not 0 are written
        assert 64 * written == count


def test_a_file_that_is_no_net_gets_one_line(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    with pytest.raises(ValueError, match="no such net"):
        ValueNet.load(path)
    path.write_bytes(b"no net")
    with pytest.raises(ValueError, match="is not a value net"):
        ValueNet.load(path)
    net = ValueNet.new("tictactoe", START, 3, 1)
    net.layers.hidden[0, 0] = np.nan
    net.save(path)
    with pytest.raises(ValueError, match="is not a value net"):
        ValueNet.load(path)
    ValueNet.new("tictactoe", START, 3, 1).save(path)
    with pytest.raises(GameError, match="for tictactoe, not Backgammon"):
        ValueNet.load(path).refuse(Backgammon())


# --- as a player --------------------------------------------------------------------------------------------------


def test_td_plays_the_best_afterstate_and_looks_ahead(tmp_path: Path) -> None:
    path = str(tmp_path / "net.npz")
    ValueNet.new("tictactoe", START, 5, 2).save(path)
    state = TicTacToe.parse("X.O/.X./O.. x")
    search = TD.make({"net": path, "plies": 1, "keep": 9})
    found = search.search(state, Limits(depth=1), lines=3)
    values = {a: TD(net=path).looking(state).value(state.result(a), 0)[0] for a in legal(state)}
    best = sorted(values, key=lambda a: -values[a])[:3]
    assert [line.action for line in (found, *found.others)] == best
    assert found.value == round(values[best[0]], 6) and not found.chances
    found = search.search(state, Limits())
    assert found.value == 1 and state.result(found.action).terminal()
    state = TicTacToe.parse("X.O/..X/O.. x")
    found = search.search(state, Limits())
    assert found.action == 4  # else O wins
    worst = min(search.looking(state).value(state.result(4).result(a), 0)[0] for a in legal(state.result(4)))
    assert found.value == round(worst, 6) and found.nodes > 6


def test_td_says_what_it_cannot_do(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="TicTacToe comes without a value net"):
        TD().search(START, Limits())
    with pytest.raises(ValueError, match="plies must be 0 to 4, not 9"):
        TD(plies=9)
    with pytest.raises(ValueError, match="no such net"):
        TD.make({"net": str(tmp_path / "none.npz")})


def test_a_net_plays_against_random_play() -> None:
    table = Table(ValueNet.new("tictactoe", START, 5, 2), START)
    first, again = table.play(None, 40, 3), table.play(None, 40, 3)
    assert first == again and first.games == 40
    beaten = table.play(lambda s: free(s)[0], 10)
    assert beaten.games == 10


def free(s: Any) -> list[int]:
    return [square for square in range(9) if not (s.own | s.opp) >> square & 1]


def test_a_net_explains_a_position(outplay: Any) -> None:
    answer = outplay("explain", "backgammon", "4HPwATDgc/ABMA X 31")
    assert answer.status == 0 and answer.out.startswith("value net: X wins ")
    assert "gammon" in answer.out


def test_backgammon_brings_a_net_and_hypergammon_does_not() -> None:
    """The plays that every book gives for these opening rolls: the golden point, and the bar point."""
    start = Backgammon()
    for greater, smaller, play in ((3, 1, "8/5 6/5"), (6, 1, "13/7 8/7")):
        state = start.result(8 * greater + smaller)
        found = TD().search(state, Limits(depth=1))
        assert state.action_text(found.action) == play
        assert len(found.chances) == 5
    with pytest.raises(GameError, match="comes without a value net"):
        TD().search(variant(Backgammon, CHECKERS=3)(), Limits(depth=1))


# --- afterstates together -------------------------------------------------------------------------------------


def random_decisions(cls: Any, count: int) -> list[Any]:
    """States of random games at which somebody chooses."""
    source, found = random.Random(4), []
    while len(found) < count:
        state = cls()
        while not is_terminal(state):
            if state.player() != CHANCE:
                found.append(state)
            state = state.result(source.choice(legal(state)))
    return found[-count:]


@pytest.mark.parametrize(
    ("cls", "units"), [(Backgammon, (40,)), (Backgammon, (13,)), (TicTacToe, (5,)), (Backgammon, (21, 11))]
)
def test_afterstates_judged_together_are_as_each_by_itself(cls: Any, units: Any, tmp_path: Path) -> None:
    name = cls.__name__.lower()
    ValueNet.new(name, cls(), units[0], 3, second=sum(units[1:])).save(tmp_path / "net.npz")
    search = TD(net=str(tmp_path / "net.npz"))
    for state in random_decisions(cls, 60):
        together = search.looking(state).afterstates(state)
        assert [action for *_, action in together] == legal(state)
        for value, answers, action in together:
            alone = search.looking(state).value(state.result(action), 0)
            assert value == pytest.approx(alone[0], abs=2e-5)
            assert answers == pytest.approx(alone[1], abs=2e-6)


def test_a_filter_leaves_out_moves_that_seem_much_worse() -> None:
    state = Backgammon.parse("4HPwATDgc/ABMA X 31")
    wide, narrow = TD(plies=1, margin=9), TD(plies=1, margin=0)
    found = wide.search(state, Limits())
    assert found.depth == 2 and wide.nodes > 5 * narrow_nodes(narrow, state)
    assert state.action_text(found.action) == "8/5 6/5"
    for bad in ({"margin": "-1"}, {"replies": "0"}, {"keep": "0"}):
        with pytest.raises(ValueError, match="must be at least"):
            TD.make(bad)


def narrow_nodes(search: TD, state: Any) -> int:
    search.search(state, Limits())
    return search.nodes


def test_a_limit_of_nodes_is_one_of_plays() -> None:
    """So many plays are chosen from, at even distances in their list; without a limit, all."""
    plays = list(range(10))
    assert TD.tried(plays, 1) == [0] and TD.tried(plays, 4) == [0, 2, 5, 7]
    assert TD.tried(plays, 10) == TD.tried(plays, 99) == TD.tried(plays, None) == plays
    record = open_game("backgammon", "4HPwATDgc/ABMA X 31")
    free, first, two = (TD().search(record, Limits(nodes=nodes)) for nodes in (None, 1, 2))
    assert action_text(record.state, free.action) == "8/5 6/5"
    assert first.action == record.legal()[0] and first.value <= two.value <= free.value


def test_a_ctrl_c_during_the_last_trial_leaves_its_line_to_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play, trials = Table.play, 0

    def interrupted(table: Table, *given: Any) -> Score:
        nonlocal trials
        trials += 1
        if trials == QUICK.points:
            raise KeyboardInterrupt
        return play(table, *given)

    monkeypatch.setattr(Table, "play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        loop.train(QUICK, tmp_path, silent, silent)
    told: list[dict[str, Any]] = []
    for _ in range(2):  # once more, and nothing is told again
        assert loop.train(QUICK, tmp_path, told.append, silent)
    assert [line["games"] for line in told] == [600]
    assert [line["games"] for line in read_run(tmp_path)[1]] == [200, 400, 600]
