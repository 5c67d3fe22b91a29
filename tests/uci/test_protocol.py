"""What a GUI sees: every command of the protocol, in its order, and nothing else whatever it is told."""

import re
import subprocess
import sys
import time
import weakref

import chess
import chess.engine
import chess.polyglot
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from outplay.ui.uci.go import Go
from outplay.ui.uci.options import OPTIONS, Options
from outplay.ui.uci.protocol import Uci
from outplay.ui.uci.score import score_text
from outplay.ui.uci.strength import SCALE, strength

START = "position startpos"


class Gui:
    """Talks to an engine in the same process."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.uci = Uci(self.lines.append, seed=1)

    def say(self, *commands: str) -> list[str]:
        """What is answered until the last command is obeyed, the answer of a search included."""
        before = len(self.lines)
        for command in commands:
            assert self.uci.obey(command)
        if self.uci.search is not None and self.uci.search.released.is_set():
            self.uci.search.thread.join(60)
        return self.lines[before:]


@pytest.fixture(scope="module")
def gui() -> Gui:
    made = Gui()
    made.say("setoption name Hash value 1", "isready")
    return made


def test_greeting() -> None:
    lines = Gui().say("uci")
    assert lines[0].startswith("id name Outplay")
    assert lines[-1] == "uciok"
    assert len(lines) == 3 + len(OPTIONS)


def test_ready(gui: Gui) -> None:
    assert gui.say("isready") == ["readyok"]


def test_a_new_game_needs_no_more_memory() -> None:
    """The engine of the last game is gone, and its table with it."""
    gui = Gui()
    gui.say("setoption name Hash value 1", "isready", START, "go nodes 500")
    assert gui.uci.engine is not None
    last = weakref.ref(gui.uci.engine.table.words)
    gui.say("ucinewgame", "isready")
    assert last() is None


def test_a_search_tells_what_it_finds(gui: Gui) -> None:
    lines = gui.say("position startpos moves e2e4 e7e5", "go depth 5")
    info = re.compile(
        r"info depth (\d+) seldepth \d+ multipv 1 score (cp|mate) -?\d+ nodes \d+ nps \d+ hashfull \d+ time \d+ pv .+"
    )
    depths = [int(match[1]) for match in map(info.fullmatch, lines[:-1]) if match]
    assert depths == [1, 2, 3, 4, 5]
    assert re.fullmatch(r"bestmove [a-h][1-8][a-h][1-8]( ponder [a-h][1-8][a-h][1-8])?", lines[-1])


def test_lines_are_legal_to_their_end(gui: Gui) -> None:
    for line in gui.say(START, "go depth 7"):
        board = chess.Board()
        for move in line.partition(" pv ")[2].split():
            board.push_uci(move)


def test_mate_is_found_and_counted_in_moves(gui: Gui) -> None:
    lines = gui.say("position fen 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "go depth 4")
    assert "score mate 1" in lines[-2]
    lines = gui.say("position fen k7/8/1K6/8/8/8/8/7R b - - 0 1", "go depth 6")
    assert "score mate -1" in lines[-2]


def test_a_mate_that_is_asked_for_is_answered_with_its_line(gui: Gui) -> None:
    gui.say("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "go mate 2")  # Morphy's problem
    gui.uci.search.thread.join(60)
    info, answer = gui.lines[-2:]
    assert "score mate 2" in info
    assert answer.startswith("bestmove a1a6 ponder ")
    assert len(info.partition(" pv ")[2].split()) == 3


def test_several_lines(gui: Gui) -> None:
    lines = gui.say("setoption name MultiPV value 3", START, "go depth 4")
    gui.say("setoption name MultiPV value 1")
    last = [line for line in lines if line.startswith("info depth 4 ")]
    assert [re.search(r"multipv (\d)", line)[1] for line in last] == ["1", "2", "3"]  # type: ignore[index]
    assert len({line.partition(" pv ")[2].split()[0] for line in last}) == 3


def test_only_the_moves_that_are_asked_for(gui: Gui) -> None:
    assert gui.say(START, "go depth 4 searchmoves a2a3 h2h3")[-1].split()[1] in ("a2a3", "h2h3")
    assert gui.say(START, "go depth 2 searchmoves e2e5")[-1].split()[1] != "e2e5"


def test_stop_ends_an_infinite_search(gui: Gui) -> None:
    for command in ("go infinite", "go ponder wtime 1000 btime 1000", "go"):
        assert not any(line.startswith("bestmove") for line in gui.say(START, command))
        assert gui.say("stop")[-1].startswith("bestmove")


def test_pondering_goes_over_into_thinking(gui: Gui) -> None:
    gui.say(START, "go ponder wtime 3000 btime 3000")
    search = gui.uci.search
    gui.say("ponderhit")
    search.thread.join(30)
    assert gui.lines[-1].startswith("bestmove")


def test_a_mate_is_waited_for_when_the_search_is_infinite(gui: Gui) -> None:
    gui.say("position fen 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "go infinite")
    search, latest = gui.uci.search, time.monotonic() + 60
    while "score mate 1" not in gui.lines[-1] and time.monotonic() < latest:
        time.sleep(0.01)
    search.thread.join(0.3)
    assert search.thread.is_alive() and "score mate 1" in gui.lines[-1]
    assert gui.say("stop")[-1].startswith("bestmove")


def test_a_game_that_is_over(gui: Gui) -> None:
    assert gui.say("position fen 7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", "go depth 3")[-1] == "bestmove 0000"


def test_the_past_counts(gui: Gui) -> None:
    """White is a queen behind; going back to a position that has occurred twice is a draw."""
    fen = "q6k/8/8/8/8/8/7K/6R1 w - - 0 1"
    again = "g1f1 a8c8 f1g1 c8a8"
    lines = gui.say(f"position fen {fen} moves {again} g1f1 a8c8", "go depth 1 searchmoves f1g1")
    assert " score cp -" in lines[-2]  # Black need not go back
    lines = gui.say(f"position fen {fen} moves {again} g1f1 a8c8 f1g1", "go depth 1 searchmoves c8a8")
    assert " score cp 0 " in lines[-2]


def test_chess960(gui: Gui) -> None:
    fen = "nrk1brnb/pp1ppppp/2p5/3q4/5P2/PP6/2PPP1PP/NRKQBRNB w FBfb - 1 5"
    lines = gui.say("setoption name UCI_Chess960 value true", f"position fen {fen}", "go depth 3")
    gui.say("setoption name UCI_Chess960 value false")
    board = chess.Board(fen, chess960=True)
    assert board.parse_uci(lines[-1].split()[1]) in board.legal_moves


@pytest.mark.parametrize(
    "line",
    [
        "position",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 xyz",
        "setoption",
        "setoption name Nonsense value 3",
        "setoption name Hash value many",
        "setoption name Hash value 0",
        "setoption name UCI_Elo value 100",
        "setoption name SyzygyPath value /nowhere",
        "setoption name BookFile value /nowhere/book.bin",
    ],
)
def test_bad_input_is_one_line(gui: Gui, line: str) -> None:
    (answer,) = gui.say(line)
    assert answer.startswith("info string ")
    assert gui.say("isready") == ["readyok"]


@pytest.mark.parametrize(
    "line", ["", "   ", "xyzzy", "go-", "uciuci", "\x00\x01", "stop", "ponderhit", "debug on"]
)
def test_what_is_not_understood_is_passed_over(gui: Gui, line: str) -> None:
    assert gui.say(line) == []


TALK = """uci isready position startpos fen moves e2e4 e7e5 go depth 1 2 -3 nodes 99 movetime stop ponderhit setoption
name value Hash MultiPV true searchmoves infinite mate wtime x 8/8/8/8/8/8/8/8 w - 0"""
words = st.sampled_from(sorted(set(TALK.split())))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(words, max_size=8).map(" ".join), max_size=6))
def test_no_talk_ends_the_conversation(gui: Gui, lines: list[str]) -> None:
    for line in lines:
        assert gui.uci.obey(line)
    gui.uci.obey("stop")
    gui.say("setoption name MultiPV value 1", "setoption name Hash value 1")
    assert gui.say("isready") == ["readyok"]


def test_an_unknown_word_before_a_command(gui: Gui) -> None:
    assert gui.say("joho isready") == ["readyok"]


def test_book(gui: Gui, tmp_path) -> None:
    key = chess.polyglot.zobrist_hash(chess.Board())
    move = 6 | 3 << 3 | 6 << 6 | 1 << 9  # g2g4
    book = tmp_path / "book.bin"
    book.write_bytes(key.to_bytes(8, "big") + move.to_bytes(2, "big") + (1).to_bytes(2, "big") + bytes(4))
    gui.say("setoption name OwnBook value true", f"setoption name BookFile value {book}")
    assert gui.say(START, "go depth 1")[-1] == "bestmove g2g4"
    gui.say("setoption name OwnBook value false", "setoption name BookFile value <empty>")


def test_options_are_what_they_say() -> None:
    options = Options()
    assert options.elo is None
    options.set(["name", "uci_limitstrength", "value", "true"])
    options.set(["name", "UCI_Elo", "value", "1234"])
    assert options.elo == 1234
    options = Options()
    options.set(["name", "Skill", "Level", "value", "0"])
    assert options.elo == 800


def test_limits() -> None:
    go = Go.read(["wtime", "60000", "btime", "30000", "winc", "1000", "binc", "500", "movestogo", "10"])
    assert go.limits(0, 0.02)[3:6] == (59.98, 1.0, 10)
    assert go.limits(1, 0.02)[3:6] == (29.98, 0.5, 10)
    assert Go.read(["wtime", "-5", "btime", "1"]).limits(0, 0.02).clock == 0.001
    assert Go.read(["movetime", "10"]).limits(0, 0.02).time == 0.001
    assert Go.read(["mate", "3"]).limits(0, 0.02).win == 5
    assert Go.read(["depth", "x"]).unlimited
    assert Go.read([]).unlimited


def test_the_weaker_see_less() -> None:
    seen = [strength(elo) for elo in range(800, 2801, 50)]
    assert [s.nodes for s in seen] == sorted(s.nodes for s in seen)
    assert [s.noise for s in seen] == sorted((s.noise for s in seen), reverse=True)
    assert [strength(elo) for elo, *_ in SCALE] == [(nodes, noise) for _, nodes, noise in SCALE]


def test_weaker_play_through_the_protocol(gui: Gui) -> None:
    gui.say("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 800")
    lines = gui.say(START, "go movetime 10000")
    gui.say("setoption name UCI_LimitStrength value false")
    nodes = int(re.search(r"nodes (\d+)", lines[-2])[1])  # type: ignore[index]
    assert nodes <= strength(800).nodes


@pytest.mark.parametrize(("score", "text"), [(12, "cp 12"), (999_999, "mate 1"), (-999_996, "mate -2")])
def test_scores(score: int, text: str) -> None:
    from outplay.games.chess import Chess

    assert score_text(Chess.parse(chess.STARTING_FEN), score) == text


def test_a_real_process_plays_with_a_real_client() -> None:
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "outplay", "uci"], timeout=600) as engine:
        engine.configure({"Hash": 1})
        board = chess.Board()
        for _ in range(4):
            played = engine.play(board, chess.engine.Limit(depth=3), info=chess.engine.INFO_ALL)
            assert played.move in board.legal_moves
            board.push(played.move)
        infos = engine.analyse(board, chess.engine.Limit(depth=3), multipv=2)
        assert len(infos) == 2


def test_a_closed_pipe_ends_it() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "outplay", "uci"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("uci\n")
    process.stdin.flush()
    assert any(line == "uciok\n" for line in process.stdout)
    process.stdin.close()
    assert process.wait(60) == 0
