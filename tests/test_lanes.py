"""Nothing is refused that Python can run: any class plays, and what cannot be compiled runs interpreted and says so."""

import dataclasses
import enum
import pickle
import re
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import outplay
from outplay import Limits, written
from outplay.arena import Conditions, Match, TimeControl
from outplay.check import check
from outplay.codec import Codec
from outplay.compile import ENABLED, is_interpreted
from outplay.compile.lane import Interpreted, Reason, Uncompilable
from outplay.game import GameError, action_text, adopt, adopt_state, legal, line_texts, parse, parse_action
from outplay.games import TABLE, load
from outplay.players import as_player, player
from outplay.record import Record, read, write
from outplay.search import divide, playouts
from outplay.search.engine.engine import Engine
from outplay.search.perft import plain_perft
from outplay.search.trace.record import record_search
from outplay.standard import is_wrapped, standard
from tests.ownclasses import (
    TICTACTOES,
    Board,
    Cells,
    Changing,
    Count,
    Dataclass,
    Dice,
    Growing,
    Halving,
    Mark,
    Move,
    Plain,
    Step,
    Text,
)

pytestmark = pytest.mark.filterwarnings("ignore::outplay.compile.lane.Interpreted")
each = pytest.mark.parametrize("cls", TICTACTOES)
PERFT = (1, 9, 72, 504, 3024)
UNCOMPILED = Text  # it asks regular expressions, so no compiler will take it


# --- one game, written in many ways ------------------------------------------------------------------------


@pytest.mark.lanes
@each
def test_perft_and_random_games(cls: Any) -> None:
    assert tuple(outplay.perft(cls(), depth) for depth in range(5)) == PERFT
    assert divide(cls(), 3) == dict.fromkeys(cls().actions(), 56)
    games = playouts(cls(), 20)
    assert (games.games, games.wins + games.draws + games.losses) == (20, 20)
    assert games == playouts(Cells(), 20)


@each
def test_searches_see_the_same_tree(cls: Any) -> None:
    found = outplay.best(cls(), "alphabeta", nodes=2000)
    same = outplay.best(Cells(), "alphabeta", nodes=2000)
    assert (found.value, found.depth, found.nodes) == (same.value, same.depth, same.nodes)
    listed = list(cls().actions())
    assert listed.index(found.action) == same.action
    assert found.action == found.line[0]
    assert len(line_texts(cls(), found.line)) == len(found.line)


@each
def test_the_value_of_the_game(cls: Any) -> None:
    state = cls()
    for number in (0, 0, 2):  # a1, b1, b2: a double threat is coming
        state = state.result(list(state.actions())[number])
    # The engine takes long to compile: once will do.
    proof = outplay.solve(state) if cls is Dataclass else outplay.solve(state, "alphabeta")
    assert (proof.value, proof.proven) == (1, True)
    for action in proof.line:
        assert action in list(state.actions())
        state = state.result(action)
    assert state.utility() == 1


@each
def test_texts_read_back(cls: Any) -> None:
    state = adopt_state(cls())
    for _ in range(4):
        text = state.text()
        assert parse(type(state), text) == state
        assert hash(parse(type(state), text)) == hash(state)
        assert pickle.loads(pickle.dumps(state)) == state
        texts = [action_text(state, code) for code in legal(state)]
        assert len(set(texts)) == len(texts)
        assert [parse_action(state, text) for text in texts] == legal(state)
        state = state.result(legal(state)[-1])


class Terrain(enum.Flag):
    WOOD = 1
    HILL = 2


@dataclasses.dataclass(frozen=True)
class Land:
    cells: tuple[Terrain, ...] = ()


def test_flags_of_several_kinds_or_of_none_read_back() -> None:
    land = Land((Terrain.WOOD, Terrain.WOOD | Terrain.HILL, Terrain(0)))
    told = written.text(land)
    assert told == "Land(cells=(Terrain.WOOD, Terrain(3), Terrain(0)))"
    assert written.read(Land, told) == land


@each
def test_check_finds_no_fault(cls: Any) -> None:
    report = check(cls, games=2)
    assert report.fault == ""
    assert (report.states > 300, bool(report.reasons)) == (True, is_interpreted(adopt(cls)))


def test_uct_grows_the_same_tree() -> None:
    found = outplay.best(Text(), "uct", nodes=50, seed=3)
    same = outplay.best(Board(), "uct", nodes=50, seed=3)
    assert (found.value, found.visits, found.nodes) == (same.value, same.visits, same.nodes)
    assert list(Text().actions()).index(found.action) == same.action


def test_several_lines_reports_and_chosen_actions() -> None:
    heard: list[Any] = []
    found = outplay.best(Dataclass(), "engine", nodes=200, lines=2, report=heard.append)
    assert {type(line.action) for line in (found, *found.others, *heard)} == {tuple}
    only = Engine().search(Dataclass(), Limits(nodes=50), only=[(2, 2)])
    assert only.action == (2, 2)


def test_a_trace() -> None:
    state = Text("XOXOXO...")
    trace = record_search(state, "alphabeta")
    texts = [node.name for node in trace.tree().children]
    assert texts == ["a3", "b3", "c3"]


# --- actions -----------------------------------------------------------------------------------------------


@pytest.mark.lanes
def test_enums_and_none_are_actions() -> None:
    found = outplay.solve(Count(passed=True))
    assert (found.action, found.value) == (Step.ONE, 1.0)
    assert outplay.solve(Count()).action is not None
    assert adopt(Count).codec.shape is None
    assert [action_text(adopt_state(Count()), code) for code in legal(adopt_state(Count()))] == [
        "ONE",
        "TWO",
        "None",
    ]


def codec(*actions: Any) -> Codec:
    return Codec(actions, lambda state: list(actions))


def test_codes_of_tuples() -> None:
    pairs = codec((0, 0), (3, -4), (2**20, 7))
    assert (pairs.shape, pairs.bits, pairs.bias) == (("int", "int"), 32, 1 << 31)
    assert pairs.encode(None, (3, -4)) & (1 << 64) - 1 == (3 + (1 << 31) << 32) + (1 << 31) - 4
    mixed = codec((1, (True, "x"), Mark.CROSS), (2, (False, "y"), Mark.NOUGHT))
    assert mixed.shape == ("int", ("bool", "char"), Mark)
    named = codec(Move(1, 2))
    for each_codec in (pairs, mixed, named):
        for action in each_codec.listed(None):
            again = each_codec.decode(None, each_codec.encode(None, action))
            assert (again, type(again)) == (action, type(action))


def test_codes_of_other_actions() -> None:
    assert codec(1, -5).encode(None, -5) == -5
    assert codec(Step.ONE).encode(None, Step.TWO) == 1
    assert codec("up", "down").encode(None, "down") == 1
    assert codec((1, 2), (1, 2, 3)).shape is None
    assert codec(("far", 1)).shape is None


def test_an_action_that_does_not_fit_the_others() -> None:
    actions = [(1, 1), (1 << 40, 0), None]
    codes = Codec(actions[:1], lambda state: actions)
    assert codes.shape == ("int", "int")
    coded = [codes.encode(None, action) for action in actions]
    assert len(set(coded)) == 3
    assert [codes.decode(None, code) for code in coded] == actions


# --- players, records, matches -----------------------------------------------------------------------------


def test_a_bot_sees_its_own_states_and_actions() -> None:
    seen: list[Any] = []

    def choose(state: Any) -> Any:
        seen.append(state)
        return state.actions()[-1]

    def bot(record: Any, limits: Any) -> Any:
        seen.append(record.state)
        assert record.legal() == record.state.actions()
        return 0.5, record.legal()[0]

    def evaluate(state: Any) -> Any:
        seen.append(state)
        return 0

    record = Record("", adopt_state(Dataclass()))
    for code, action in ((choose, (2, 2)), (bot, (0, 0)), (evaluate, (0, 0))):
        found = as_player(code, code.__name__)(record, Limits(depth=1))
        assert record.state.decode(found.action) == action
    assert {type(state) for state in seen} == {Dataclass}
    with pytest.raises(ValueError, match=r"returned \(7, 7\), which is not a legal action; legal: \(0, 0\)"):
        as_player(lambda state, depth: (0, (7, 7)), "x")(record, Limits(depth=1))


@pytest.mark.parametrize("name", ["engine", "random", "montecarlo:games=2"])
def test_players_take_records_in_own_terms(name: str) -> None:
    record = Record("", Dataclass()).play((1, 1), (0, 0))
    assert record.state == Dataclass().result((1, 1)).result((0, 0))
    assert player(name)(record, Limits(nodes=20)).action in record.state.actions()


def test_records_are_written_and_read() -> None:
    game = load(f"{Path(__file__).parent / 'ownclasses.py'}:Dataclass")
    record = Record(game.spec, game.position()).play(*legal(game.position())[4:5])
    text = write(record)
    assert text.splitlines()[-1] == "(1,1)"
    assert read(text, lambda name: game) == record


@pytest.mark.filterwarnings("ignore:.*is defined interactively")
def test_a_match() -> None:
    conditions = Conditions(games=2, control=TimeControl(depth=1), plies=0)
    run = Match(Dataclass, [lambda state, depth: state.actions()[0], "random"], conditions).run()
    assert sum(run.pairs) == 1


# --- which lane --------------------------------------------------------------------------------------------


@pytest.mark.skipif(not ENABLED, reason="nothing is compiled here")
@pytest.mark.parametrize("name", [entry.name for entry in TABLE if "tree" not in entry.name])
def test_our_own_games_are_compiled(name: str) -> None:
    cls = load(name).cls
    assert standard(cls) is cls
    assert not is_wrapped(cls)
    assert not is_interpreted(cls)


def test_it_is_told_once() -> None:
    class Once(NamedTuple):
        left: int = 3

        def player(self) -> int:
            return 0

        def actions(self) -> list[int]:
            return [1 for _ in re.findall("x", "x" * self.left)][:1]

        def result(self, take: int) -> "Once":
            return Once(self.left - take)

        def utility(self) -> int:
            return 0

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(2):
            outplay.perft(Once(), 1)
            outplay.best(Once(), nodes=10)
    lines = [str(each.message) for each in told if issubclass(each.category, Interpreted)]
    assert len(lines) == 1
    assert lines[0].startswith("Once runs interpreted, perhaps 200 times slower: ")


def test_the_command_line_tells_it_in_one_line(outplay: Any, tmp_path: Path) -> None:
    file = tmp_path / "wordy.py"
    file.write_text((Path(__file__).parent / "ownclasses.py").read_text("utf-8"), "utf-8")
    answer = outplay("perft", f"{file}:Text", "2")
    assert (answer.status, answer.out.split()) == (0, ["72"])
    assert answer.told.count("\n") == 1
    assert answer.told.startswith("outplay: Text runs interpreted, perhaps 200 times slower: ")
    checked = outplay("check", f"{file}:Text", "--games", "1")
    assert checked.status == 0
    assert "it runs interpreted" in checked.out


@pytest.mark.skipif(not ENABLED, reason="nothing is compiled here")
def test_numba_refuses_and_the_search_goes_on() -> None:
    """What the typing of native code finds, in the middle of the first search."""

    class Late(NamedTuple):
        left: int = 4

        def player(self) -> int:
            return self.left & 1

        def actions(self) -> Any:
            yield from range(1, min(2, self.left) + 1)

        def result(self, take: int) -> "Late":
            return Late(self.left - take)

        def utility(self) -> int:
            x: Any = 1 if self.left else (1, 2)
            return x if self.left else x[0]

    assert outplay.solve(Late(), "alphabeta").proven
    assert is_interpreted(Late)
    assert outplay.perft(Late(), 3) == plain_perft(Late(), 3)


def test_reasons() -> None:
    error = Uncompilable([Reason(31, "builds a dict", "use a tuple"), Reason(33, "sorts", "do not")])
    assert str(error) == "line 31 builds a dict; use a tuple"
    assert [str(reason) for reason in error.reasons] == [str(error), "line 33 sorts; do not"]


# --- what cannot work --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cls", "line"),
    [
        (Changing, r"Changing\.result changes the state that it is asked of"),
        (Dice, r"Dice\.result, .*line \d+, returns different values for the same state"),
        (str, "is not a game state"),
    ],
)
def test_what_cannot_work_is_refused_with_a_line(cls: Any, line: str) -> None:
    with pytest.raises(GameError, match=line) as caught:
        outplay.best(cls())
    assert "\n" not in str(caught.value)
    if cls is not str:
        with pytest.raises(GameError, match=line):
            check(cls)


def test_an_error_of_the_rules_names_their_line() -> None:
    class Wrong(Plain):
        def result(self, move: Any) -> Any:
            return self.board[99]

    with pytest.raises(GameError, match=r"Wrong\.result, test_lanes\.py line \d+: IndexError"):
        outplay.best(Wrong(), nodes=10)


def test_classes_stay_as_they_were_written() -> None:
    assert Board() == "         "
    assert (adopt(Board).original, adopt(Board).__name__) == (Board, "Board")
    assert adopt(adopt(Board)) is adopt(Board)


# --- where native code stops and Python goes on ----------------------------------------------------------


@pytest.mark.parametrize("cls", [Growing, Halving])
def test_numbers_that_no_word_holds(cls: Any) -> None:
    found = outplay.best(cls(), "alphabeta", depth=4)
    assert found.value == plain_value(cls(), 4)
    assert is_interpreted(adopt(cls)) or not ENABLED
    assert check(cls, games=2).fault == ""


def plain_value(state: Any, depth: int) -> int:
    """EVAL at the depth, by minimax as it is defined."""
    values = (
        [plain_value(state.result(a), depth - 1) for a in state.actions()] if depth else [state.evaluate()]
    )
    return min(values) if state.player() else max(values)
