"""Analysis: several lines, why not a move, and games judged move by move."""

import io
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any, NamedTuple

import chess.pgn
import pytest

from outplay import Analysis, Limits, best
from outplay.analysis import Analyst, expected_score, verdict
from outplay.analysis.files import Analysed, annotated, annotated_pgn
from outplay.gamefile import open_game, read_games
from outplay.games import Chess, Kalah, Othello, Pig, TicTacToe, load
from outplay.record import begin, read
from outplay.ui.analysis import plot, sum_text, svg, why_sentence

OPERA = (Path(__file__).parent / "data" / "opera.pgn").read_text()
SCHOLAR = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 4"
CONNECT4 = "game: connect4\n\n4 3 4 3 4 1 4\n"


@pytest.fixture(scope="module")
def opera(tmp_path_factory: pytest.TempPathFactory) -> Analysed:
    file = tmp_path_factory.mktemp("games") / "opera.pgn"
    file.write_text(OPERA)
    (record,) = read_games(str(file))
    return Analysed(record, tuple(Analyst(Limits(nodes=3000), 4).game(record)))


def found(value: float, proven: bool = False, score: int = 0) -> Analysis:
    return Analysis(None, value, 1, (), 1, 0.0, proven, score)


# --- judgement ---


def test_expected_scores() -> None:
    assert expected_score(Chess, found(0)) == 0.5
    assert expected_score(Chess, found(400)) == pytest.approx(10 / 11)  # ten wins for each loss
    assert expected_score(Chess, found(-400)) == pytest.approx(1 / 11)
    assert expected_score(Chess, found(1, True, 999_990)) == 1
    assert expected_score(Chess, found(0, True)) == 0.5
    assert expected_score(Chess, found(10**9)) == pytest.approx(1)
    assert expected_score(Othello, found(20)) == pytest.approx(10 / 11)  # unit: five discs
    assert expected_score(Othello, found(-2, True)) == 0
    assert expected_score(Kalah, found(4)) == pytest.approx(10 / 11)
    assert expected_score(Pig, found(0.5)) == 0.75  # an expectation already


def test_verdicts() -> None:
    assert [verdict(lost) for lost in (0, 0.049, 0.05, 0.1, 0.199, 0.2, 1)] == [
        "", "", "inaccuracy", "mistake", "mistake", "blunder", "blunder",
    ]  # fmt: skip


# --- several lines ---


def test_lines_of_the_engine() -> None:
    lines = best(TicTacToe(), depth=9, lines=3)
    assert len({line.action for line in (lines, *lines.others)}) == 3
    assert [line.number for line in (lines, *lines.others)] == [1, 2, 3]
    assert [line.value for line in lines.others] == [0, 0]


@pytest.mark.parametrize("search", ["alphabeta", "engine", "minimax"])
def test_lines_of_any_search_agree(search: str) -> None:
    state = TicTacToe.parse("OO./XX./... x")  # c2 wins, c1 stops a loss
    lines = best(state, search, depth=5, lines=5)
    assert lines.action == best(state, search, depth=5).action
    values = [line.value for line in (lines, *lines.others)]
    assert values == sorted(values, reverse=True)
    assert values[0] == 1
    assert values[-1] == -1


def test_lines_where_there_is_chance() -> None:
    state = Pig.parse("0 0 1 +3")  # three points in hand: roll again, or hold
    lines = best(state, depth=3, lines=2)
    assert {line.action for line in (lines, *lines.others)} == set(state.actions())


def test_lines_must_make_sense() -> None:
    with pytest.raises(ValueError, match="lines must be at least 1, not 0"):
        best(TicTacToe(), depth=3, lines=0)
    with pytest.raises(ValueError, match="a depth of at least 2"):
        best(TicTacToe(), "minimax", depth=1, lines=2)


def test_multipv_on_the_command_line(outplay) -> None:
    shown = outplay("best", "chess", SCHOLAR, "--multipv", "3", "--nodes", "3000").out
    assert "action  Qxf7#\n" in shown
    assert "1       +win in 1  Qxf7#\n" in shown
    given = json.loads(outplay("best", "chess", SCHOLAR, "--multipv", "3", "--nodes", "3000", "--json").out)
    assert given["action"] == "Qxf7#"
    assert len(given["others"]) == 2
    assert all(other["line"] for other in given["others"])
    answer = outplay("best", "tictactoe", "--multipv", "0")
    assert (answer.status, answer.err.count("\n")) == (2, 1)


# --- why not ---


def test_why_not() -> None:
    record = begin(load("chess"), SCHOLAR)
    move = Analyst(Limits(nodes=3000), 4).why(record, record.state.parse_action("Nh3"))
    assert move.verdict == "blunder"
    said = why_sentence(move)
    assert said.startswith("Nh3 is a blunder: it is worth ")
    assert "Qxf7# is worth a win for White in 1 ply" in said
    best_one = Analyst(Limits(nodes=3000), 4).why(record, record.state.parse_action("Qxf7#"))
    assert why_sentence(best_one) == "Qxf7# is the best move that was found (a win for White in 1 ply)."


def test_numbers_and_plurals_in_words() -> None:
    sums = {"moves": 1, "inaccuracy": 1, "mistake": 0, "blunder": 2, "loss": 0.031}
    assert (
        sum_text(sums)
        == "1 move, 1 inaccuracy, 0 mistakes, 2 blunders; 3.1% of the expected score lost per move"
    )


def test_why_on_the_command_line(outplay) -> None:
    answer = outplay("why", "tictactoe", "b1", "--moves", "a1", "--depth", "9")
    sentence, first, second = answer.out.splitlines()
    assert sentence.startswith("b1 is a blunder: it is worth a win for X in 6 plies after ")
    assert (first.split()[:3], second.split()[0]) == (["best", "0", "b2"], "this")
    given = json.loads(outplay("why", "tictactoe", "b1", "--moves", "a1", "--depth", "9", "--json").out)
    assert (given["verdict"], given["loss"], given["best"]["line"][0]) == ("blunder", 0.5, "b2")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tictactoe", "zz"), "'zz' is not a legal move here"),
        (("tictactoe", "a1", "XXX/OO./... o"), "game is over"),
        (("nonsense", "a1"), "nonsense"),
    ],
)
def test_why_of_nothing(outplay, arguments: tuple[str, ...], said: str) -> None:
    answer = outplay("why", *arguments)
    assert (answer.status, answer.out) == (2, "")
    assert said in answer.err
    assert answer.told.count("\n") == 1


# --- games ---


def test_a_game_is_judged(opera: Analysed) -> None:
    assert [move.number for move in opera.moves] == list(range(33))
    assert [move.action for move in opera.moves] == list(opera.record.actions)
    judged = {f"{move.number // 2 + 1}{'wb'[move.number % 2]}": move for move in opera.moves}
    assert judged["17w"].played.value == 1
    assert judged["17w"].verdict == ""
    assert [judged[key].played.score for key in ("16w", "16b", "17w")] == [999_997, 999_998, 999_999]
    assert all(0 <= move.loss <= 1 for move in opera.moves)


def test_no_move_is_better_than_the_best(opera: Analysed) -> None:
    for move in opera.moves:
        first, second = move.expected
        assert first >= second
        assert move.loss == pytest.approx(first - second)


def test_annotated_pgn(opera: Analysed) -> None:
    game = chess.pgn.read_game(io.StringIO(annotated_pgn(opera)))
    assert game is not None
    assert not game.errors
    assert game.headers["White"] == "Morphy"
    nodes = list(game.mainline())
    assert [bool(node.nags) for node in nodes] == [bool(move.verdict) for move in opera.moves]
    assert [len(node.parent.variations) for node in nodes] == [1 + bool(move.verdict) for move in opera.moves]
    assert "weak" in nodes[5].comment
    assert all(node.eval() is not None for node in nodes[:-1])
    assert nodes[-3].eval().white().mate() == 1  # 16. Qb8+
    assert nodes[-1].eval() is None


def test_annotated_record(opera: Analysed) -> None:
    again = read(annotated(opera))
    assert again.actions == opera.record.actions
    assert len(again.comments) == 1 + 33


def test_pictures(opera: Analysed) -> None:
    root = ElementTree.fromstring(svg([("Morphy & <Allies>", opera)] * 2))
    circles = [element for element in root.iter() if element.tag.endswith("circle")]
    assert len(circles) == 2 * sum(bool(move.verdict) for move in opera.moves)
    rows = plot(opera.moves, fine=False).plain.strip("\n").splitlines()
    assert len(rows) == 8
    assert {len(row) for row in rows} == {6 + 33}
    ElementTree.fromstring(svg([]))


def test_a_saved_game(outplay, tmp_path: Path) -> None:
    file, out = tmp_path / "game.txt", tmp_path / "out.txt"
    file.write_text(CONNECT4)
    answer = outplay("analyse", file, "--nodes", "3000", "--records", out, "--svg", tmp_path / "out.svg")
    assert answer.status == 0
    assert "6. 1??" in answer.out
    assert "+win in 1" in answer.out
    assert len(open_game(str(out)).comments) == 7
    assert "ConnectFour: " in (tmp_path / "out.svg").read_text()
    given = json.loads(outplay("analyse", file, "--nodes", "3000", "--json").out)
    assert [move["move"] for move in given["moves"]] == ["4", "3", "4", "3", "4", "1", "4"]
    assert given["moves"][5]["verdict"] == "blunder"
    assert given["sides"][1]["blunder"] >= 1


def test_a_stop_keeps_what_is_done() -> None:
    import threading

    stop = threading.Event()
    heard: list[Any] = []

    def hear(move: Any) -> None:
        heard.append(move)
        if len(heard) == 2:
            stop.set()

    record = begin(load("connect4"), "", "4 3 4 3 4 1 4")
    moves = Analyst(Limits(nodes=500), 1).game(record, hear, stop)
    assert [move.number for move in moves] == [5, 6]
    assert moves == heard[::-1]


def test_a_repeated_position_is_a_draw() -> None:
    record = begin(load("chess"), "", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8")
    assert record.result == 0
    moves = Analyst(Limits(nodes=200), 1).game(record)
    assert (moves[-1].played.value, moves[-1].played.proven) == (0, True)


def test_a_game_past_the_fifty_move_mark(outplay, tmp_path: Path) -> None:
    """The draw is only a claim: where the game went on, so does the analysis."""
    file, out = tmp_path / "rooks.pgn", tmp_path / "out.pgn"
    moves = "1. Rb1 Rb8 2. Ra1 Rb2 3. Ra8+"
    file.write_text(f'[FEN "r3k3/8/4K3/8/8/8/8/R7 w - - 98 1"]\n\n{moves} 1-0\n')
    answer = outplay("analyse", file, "--nodes", "300", "--pgn", out)
    assert (answer.status, answer.told) == (0, "")
    assert "White: 3 moves" in answer.out and "Black: 2 moves" in answer.out
    assert "Ra8+" in out.read_text()
    assert "Ra8+" in outplay("replay", file, "--boards").out


class Bad(NamedTuple):
    """A file that cannot be analysed to its end."""

    text: str
    said: str
    games: int = 0  # before what is wrong


@pytest.mark.parametrize(
    "bad",
    [
        Bad("", "is empty"),
        Bad(" \n\n", "is empty"),
        Bad("1. e4 e5 2. Nf6 *", "game 1: move 2 of White: 'Nf6' is not a legal move"),
        Bad("game: nonsense\n\n1 2\n", "nonsense"),
        Bad("game: connect4\n\n4 9\n", "move 2: '9' is not a legal move"),
        Bad(CONNECT4 + "\ngame: connect4\n\n4 9\n", "game 2: move 2", 1),
        Bad("hello world", "a record begins with a line `game: NAME`"),
    ],
    ids=lambda bad: bad.text[:20],
)
def test_bad_files(outplay, tmp_path: Path, bad: Bad) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(bad.text)
    answer = outplay("analyse", file, "--nodes", "200", "--json")
    assert answer.status == 2
    assert bad.said in answer.told
    assert answer.told.count("\n") == 1
    assert len(answer.out.splitlines()) == bad.games


def test_what_cannot_be_written(outplay, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(CONNECT4)
    answer = outplay("analyse", file, "--nodes", "100", "--pgn", tmp_path / "out.pgn")
    assert answer.told == "outplay: PGN is chess, not connect4: use --records\n"
    answer = outplay("analyse", file, "--svg", tmp_path / "no" / "folder.svg")
    assert (answer.status, answer.told.count("\n")) == (2, 1)
    assert outplay("analyse", tmp_path / "missing.pgn").status == 2


def test_games_with_chance_and_without_moves() -> None:
    move = Analyst(Limits(depth=4), 1).why(begin(load("pig")), next(iter(Pig().actions())))
    assert move.verdict == ""
    assert Analyst(Limits(nodes=200), 1).game(begin(load("connect4"))) == []
