"""Players: the built-in ones, and a user's own code in its three forms, well and badly behaved."""

import math
import sys
import types
from pathlib import Path

import pytest

from outplay.games import load
from outplay.limits import Limits
from outplay.players import MAX_DEPTH, PlayerError, RandomPlayer, form_of, player, roll, search_for
from outplay.record import Record, begin
from outplay.search import best

WIN = "1 7 1 7 1 6"  # X wins by 1
BLOCK = "4 1 4 2 4"  # O must answer 4


def connect4(moves: str = "") -> Record:
    return begin(load("connect4"), moves=moves)


@pytest.fixture
def bot(tmp_path: Path):
    """A player made of some source: `bot("def f(state): ...", "f")`."""

    def make(source: str, name: str = "", seed: int = 0):
        file = tmp_path / "bot.py"
        file.write_text(source)
        return player(f"{file}:{name}" if name else str(file), seed)

    return make


# --- built in -------------------------------------------------------------------------------------------


@pytest.mark.lanes
@pytest.mark.parametrize("name", ["minimax", "alphabeta", "alphabeta-hard"])
def test_searches_play_by_their_names(name: str) -> None:
    record = begin(load("tictactoe"), moves="a1 b1 a2 b2")
    analysis = player(name)(record, Limits(depth=9))
    assert (analysis.action, analysis.value, analysis.proven) == (6, 1, True)
    assert analysis[:5] == best(record.state, name, depth=9)[:5]


def test_the_usual_search_of_a_game() -> None:
    assert search_for(load("connect4").cls) == "engine"
    assert search_for(load("pig").cls) == "expectiminimax"


def test_random_is_a_function_of_seed_and_record() -> None:
    record = connect4("4 4")
    moves = [RandomPlayer(seed)(record, Limits()).action for seed in range(200)]
    assert moves == [RandomPlayer(seed)(record, Limits()).action for seed in range(200)]
    assert set(moves) == set(range(7))
    assert player("random", 5)(record, Limits())[:1] == RandomPlayer(5)(record, Limits())[:1]


def test_dice_follow_their_probabilities_and_the_seed() -> None:
    record = begin(load("chance[1/2: 8, 1/3: 24, 1/6: -12]"))
    rolls = [roll(record, seed) for seed in range(6000)]
    assert rolls == [roll(record, seed) for seed in range(6000)]
    for outcome, probability in enumerate((1 / 2, 1 / 3, 1 / 6)):
        assert math.isclose(rolls.count(outcome) / 6000, probability, abs_tol=0.03)


def test_no_such_player() -> None:
    with pytest.raises(ValueError, match="unknown player 'alphabet'; choose from minimax, alphabeta,"):
        player("alphabet")


# --- a user's own ---------------------------------------------------------------------------------------


def test_what_code_is_by_its_parameters() -> None:
    assert form_of(lambda record, limits: 0) == "player"
    assert form_of(lambda record: 0) == "player"
    assert form_of(lambda state, depth: 0) == "search"
    assert form_of(lambda state, depth, alpha=-1, beta=1: 0) == "search"
    assert form_of(lambda s, alpha, beta, depth=4: 0) == "search"
    assert form_of(lambda state: 0) is None  # an action, or a value? its name must say it
    assert form_of(lambda state: 0, "evaluate") == "evaluation"
    assert form_of(lambda state, scale=2: 0, "evaluate_mobility") == "evaluation"
    assert form_of(lambda state: 0, "choose") == "choice"
    assert form_of(lambda state, other: 0, "choose") is None
    assert form_of(lambda state, time: 0) is None
    assert form_of(lambda: 0) is None
    assert form_of(3) is None


def test_a_player_class_lives_for_a_game(bot) -> None:
    source = """
class Bot:
    def __init__(self):
        self.asked = 0
    def __call__(self, record, limits):
        self.asked += 1
        return list(record.state.actions())[self.asked]
"""
    made = bot(source)
    assert [made(connect4(), Limits()).action for _ in range(3)] == [2, 4, 1]
    assert made.form == "player"


def test_a_player_may_return_an_analysis(bot) -> None:
    source = """
from outplay import best
def play(record, limits):
    return best(record.state, depth=limits.depth)
"""
    record = begin(load("tictactoe"), moves="a1 b1 a2 b2")
    analysis = bot(source)(record, Limits(depth=9))
    assert (analysis.action, analysis.value, analysis.nodes > 1) == (6, 1, True)


def test_a_choice_looks_at_the_state_alone(bot) -> None:
    made = bot("def helper(state): return 2\ndef choose(state): return list(state.actions())[helper(state)]")
    assert (made.form, made(connect4(), Limits(time=1)).action) == ("choice", 4)


SEARCH = """
import math

def minimax(state, depth):
    '''Returns (value, action).'''
    if state.terminal():
        return state.utility(), None
    if depth == 0:
        return 0, None
    best = max if state.player() == 0 else min
    return best(((minimax(state.result(a), depth - 1)[0], a) for a in state.actions()), key=lambda x: x[0])
"""


def test_a_search_is_asked_for_the_depth(bot) -> None:
    analysis = bot(SEARCH, "minimax")(connect4(WIN), Limits(depth=2))
    assert (analysis.action, analysis.value, analysis.depth) == (0, 1, 2)


def test_a_search_is_deepened_while_time_lasts(bot) -> None:
    tree = begin(load("[[3,12,8],[2,4,6],[14,5,2]]"))
    analysis = bot(SEARCH, "minimax")(tree, Limits(time=600))
    assert (analysis.action, analysis.value, analysis.depth) == (0, 3, MAX_DEPTH)
    assert bot(SEARCH, "minimax")(connect4(), Limits(time=1e-9)).depth == 1
    with pytest.raises(
        PlayerError, match="minimax is a search\\(state, depth\\): limit it by depth or by time"
    ):
        bot(SEARCH, "minimax")(connect4(), Limits(nodes=1000))


@pytest.mark.parametrize("limits", [Limits(depth=2), Limits(nodes=100), Limits(depth=2, time=60)])
def test_an_evaluation_plays_by_our_search(bot, limits: Limits) -> None:
    evaluation = bot("def evaluate(state): return 0")
    assert evaluation(connect4(WIN), limits)[:2] == (0, 1)
    assert evaluation(connect4(BLOCK), limits)[:2] == (3, 0)


def test_an_evaluation_decides(bot) -> None:
    right = "from outplay.words import msb\ndef evaluate(state): return msb(state.own | state.opp | 1)"
    analysis = bot(right)(connect4(), Limits(depth=1))
    assert (analysis.action, analysis.value, analysis.depth, analysis.nodes) == (6, 42, 1, 8)
    assert bot(right)(connect4("4"), Limits(depth=1)).action == 2  # the first of those that are least
    solved = bot("def evaluate(state): return 0.5")(
        begin(load("[[3,12,8],[2,4,6],[14,5,2]]")), Limits(time=60)
    )
    assert (solved.action, solved.value, solved.depth, solved.proven) == (0, 3, 2, True)
    half = bot("def evaluate(state): return 0")(begin(load("[[2.5, 3], [1.5]]")), Limits(depth=2))
    assert (half.value, half.proven) == (2.5, True)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        (
            "def bot(record, limits): return 99",
            "bot returned 99, which is not a legal action; legal: 3 (4), 2 (3)",
        ),
        ("def bot(record, limits): pass", "bot returned None, which is not a legal action"),
        ("def bot(record, limits): return 'e4'", "bot returned 'e4', which is not a legal action"),
        ("def bot(record, limits): return 0.5", "bot returned 0.5, which is not a legal action"),
        ("def bot(record, limits):\n    return 1 // 0", "bot failed: bot.py, line 2: ZeroDivisionError"),
        ("def bot(record, limits): return bot(record, limits)", "bot failed: bot.py, line 1: RecursionError"),
        ("def bot(record, limits): raise SystemExit", "bot failed: bot.py, line 1: SystemExit"),
        ("def bot(state, depth): return 'x', 3", "bot returned 'x' as a value: expected a number"),
        ("def evaluate(state): return None", "evaluate returned None as a value: expected a number"),
        ("def evaluate(state): return float('nan')", "evaluate returned nan as a value: expected a number"),
        ("def evaluate(state): return state.nothing", "evaluate failed: bot.py, line 1: AttributeError"),
        ("def choose(state): return 99", "choose returned 99, which is not a legal action"),
    ],
)
def test_misbehaviour_is_one_line_that_names_the_bot(bot, source: str, complaint: str) -> None:
    name = source.removeprefix("def ").partition("(")[0]
    with pytest.raises(PlayerError) as caught:
        bot(source, name)(connect4(), Limits(depth=2))
    assert complaint in str(caught.value)
    assert f"bot.py:{name} " in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("source", "name", "complaint"),
    [
        ("def bot(:", "", "bot.py, line 1: SyntaxError"),
        ("x = 1\nimport nothing_of_that_name", "", "bot.py, line 2: ModuleNotFoundError"),
        ("x = 1", "", "no player in "),
        ("def evaluate(state): return 0\ndef b(state, depth): return 0", "", "several players in "),
        (
            "def bot(state): return next(iter(state.actions()))",
            "bot",
            "bot takes one argument, so it may be a player",
        ),
        (
            "class Bot:\n  def __call__(self, state): return 0",
            "Bot",
            "Bot takes one argument, so it may be a player",
        ),
        ("def a(state): return 0", "b", "bot.py has no b; it has a"),
        (
            "def a(x, y): return 0",
            "a",
            "is not a player: write it as bot(record, limits), bot(view, limits), search(state, depth), "
            "choose(state) or evaluate(state)",
        ),
        ("class A: pass", "A", "is not a player"),
        (
            "class A:\n  def __init__(self, x): pass\n  def __call__(self, record, limits): pass",
            "A",
            "cannot be made",
        ),
    ],
)
def test_files_that_hold_no_player(bot, source: str, name: str, complaint: str) -> None:
    with pytest.raises(ValueError) as caught:
        bot(source, name)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_helpers_beside_a_file_are_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = types.ModuleType("helper")
    elsewhere.__file__ = str(tmp_path / "helper.py")
    monkeypatch.setitem(sys.modules, "helper", elsewhere)
    for folder, move in (("one", 1), ("two", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "helper.py").write_text(f"MOVE = {move}")
        (tmp_path / folder / "bot.py").write_text(
            "from helper import MOVE\ndef bot(record, limits): return MOVE"
        )
    bots = [player(str(tmp_path / folder / "bot.py")) for folder in ("one", "two")]
    assert [bot(connect4(), Limits()).action for bot in bots] == [1, 2]


def test_an_edited_file_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    for move in (1, 2):
        file.write_text(f"def bot(record, limits): return {move}")
        assert player(str(file))(connect4(), Limits()).action == move


def test_what_the_page_is_given_that_is_neither_game_nor_player(tmp_path: Path) -> None:
    """A bot that may be an evaluation is told so, as `outplay match` does; it is no game that lacks its rules."""
    from outplay.ui.web.catalogue import Catalogue

    (tmp_path / "bots.py").write_text(
        "class Bot:\n    def __call__(self, state):\n        return 0\n\n"
        "class Game:\n    def actions(self):\n        return []\n"
    )
    with pytest.raises(ValueError, match="takes one argument, so it may be a player or an evaluation"):
        Catalogue([f"{tmp_path / 'bots.py'}:Bot"])
    with pytest.raises(ValueError, match=r"Game has no method player\(\)"):
        Catalogue([f"{tmp_path / 'bots.py'}:Game"])
