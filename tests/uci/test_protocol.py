"""What a GUI sees: every command of the protocol, in its order, and nothing else whatever it is told."""

import random
import re
import subprocess
import sys
import time
import weakref
from typing import Any

import chess
import chess.engine
import chess.polyglot
import pytest

from outplay.ui.uci.go import Go
from outplay.ui.uci.options import OPTIONS, Options, memory
from outplay.ui.uci.protocol import WORDS, Uci
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
        r"info depth (\d+) seldepth \d+ multipv 1 score (cp|mate) -?\d+ nodes \d+ nps \d+ "
        r"hashfull \d+ tbhits \d+ time \d+ pv .+"
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
    scores = [int(re.search(r"score cp (-?\d+)", line)[1]) for line in last]  # type: ignore[index]
    assert scores == sorted(scores, reverse=True)
    assert lines[-1].split()[:2] == ["bestmove", last[0].partition(" pv ")[2].split()[0]]


def test_only_the_moves_that_are_asked_for(gui: Gui) -> None:
    assert gui.say(START, "go depth 4 searchmoves a2a3 h2h3")[-1].split()[1] in ("a2a3", "h2h3")
    told, *_, answer = gui.say(START, "go depth 2 searchmoves e2e5")
    assert told.startswith("info string searchmoves: e2e5: no such move here") and answer.split()[1] != "e2e5"


def test_perft_is_not_taken_for_a_search(gui: Gui) -> None:
    (told,) = gui.say(START, "go perft 3")
    assert told.startswith("info string perft is not a command of UCI")


def test_the_last_line_counts_all_nodes(gui: Gui) -> None:
    for nodes in (100, 1000, 5000):
        info, answer = gui.say("ucinewgame", START, f"go nodes {nodes}")[-2:]
        assert int(info.split(" nodes ")[1].split()[0]) == nodes, info
        assert info.partition(" pv ")[2].split()[0] == answer.split()[1]


def test_a_clock_that_has_run_down_is_answered_with_a_move_of_depth_one(gui: Gui) -> None:
    take = "position fen 4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1"
    assert gui.say(take, "go movetime 0")[-1].split()[1] == "d1d5"


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


def test_nodes_are_counted_while_pondering(gui: Gui) -> None:
    """Whether they are used up before `ponderhit` or after it."""
    for nodes in (500, 20_000):
        gui.say("ucinewgame", START, f"go ponder nodes {nodes}")
        search = gui.uci.search
        gui.say("ponderhit")
        search.thread.join(60)
        assert gui.lines[-1].startswith("bestmove")
        assert f" nodes {nodes} " in gui.lines[-2]


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


@pytest.mark.parametrize("fen", ["8/8/4k3/8/8/4K3/8/8 w - - 0 1", "8/8/4k3/8/8/4KN2/8/8 b - - 0 1"])
def test_a_draw_with_moves_left_is_answered_with_a_move(gui: Gui, fen: str) -> None:
    move = gui.say(f"position fen {fen}", "go depth 3")[-1].split()[1]
    assert chess.Move.from_uci(move) in chess.Board(fen).legal_moves


def test_a_gui_hears_what_it_waits_for(gui: Gui) -> None:
    before = len(gui.lines)
    for _ in range(2):
        gui.uci.compiling("compiling Chess")
    assert gui.lines[before:] in (
        [],
        ["info string compiling Chess: once, for the first start; the code is kept"],
    )
    assert gui.uci.told_of_compiling


def test_the_past_counts(gui: Gui) -> None:
    """White is a queen behind; going back to a position that has occurred twice is a draw."""
    fen = "q6k/8/8/8/8/8/7K/6R1 w - - 0 1"
    again = "g1f1 a8c8 f1g1 c8a8"
    lines = gui.say(f"position fen {fen} moves {again} g1f1 a8c8", "go depth 1 searchmoves f1g1")
    assert " score cp -" in lines[-2]  # Black need not go back
    lines = gui.say(f"position fen {fen} moves {again} g1f1 a8c8 f1g1", "go depth 1 searchmoves c8a8")
    assert " score cp 0 " in lines[-2]


@pytest.mark.parametrize(
    "refused",
    ["startpos moves e2e5", "startpos moves e2e4 e2e4", "fen 8/8/8/8/8/8/8/8 w - - 0 1", "nonsense", ""],
)
def test_after_a_refused_position_nothing_is_searched(gui: Gui, refused: str) -> None:
    gui.say("position startpos moves e2e4")
    gui.say(f"position {refused}")
    told, answer = gui.say("go depth 1")
    assert told.startswith("info string no position to search: ")
    assert answer == "bestmove 0000"
    assert gui.say("go infinite")[-1] != "bestmove 0000"  # not before it is stopped
    assert gui.say("stop")[-1] == "bestmove 0000"
    assert gui.say("position moves e2e4")[-1].startswith("info string ")  # nor does it go on from anywhere
    assert gui.say("position startpos moves d2d4", "go depth 1 searchmoves a7a6")[-1].split()[1] == "a7a6"


SHUFFLE = ["a1b1", "a8b8", "b1a1", "b8a8"]  # nothing is captured and no pawn moves
ENDING = "r3k3/8/8/8/8/8/8/R3K3 w - - {} 60"


def test_nobody_has_to_claim_a_draw_by_the_fifty_move_rule(gui: Gui) -> None:
    """Moves go on after fifty without a capture or pawn move, until seventy-five end the game."""
    for plies in (100, 101, 149):
        lines = gui.say(
            f"position fen {ENDING.format(0)} moves {' '.join((SHUFFLE * 40)[:plies])}", "go depth 2"
        )
        assert [line for line in lines if line.startswith("info string")] == []
        assert lines[-1] not in ("bestmove 0000", "")
    assert gui.say(f"position fen {ENDING.format(120)} moves a1a8", "go depth 2")[-1] != "bestmove 0000"
    game = f"position fen {ENDING.format(0)} moves {' '.join((SHUFFLE * 40)[:150])}"
    (answer,) = gui.say(game, "go depth 2")  # the game is over; UCI knows no answer but a move
    assert answer != "bestmove 0000"
    assert gui.say(f"{game} {SHUFFLE[2]}")[-1].startswith("info string ")


def test_what_was_before_the_fifty_move_mark_still_counts(gui: Gui) -> None:
    moves = (SHUFFLE * 40)[:101]
    gui.say(f"position fen {ENDING.format(0)} moves {' '.join(moves)}")
    assert len(gui.uci.game.past()) == 101


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
        "setoption name Hash value -1",
        "setoption name Hash value nan",
        "setoption name Hash value 1e3",
        "setoption name Hash value " + "9" * 5000,
        "setoption name Hash",
        "setoption name Threads value 1000000000",
        "setoption name Threads value 0",
        "setoption name Threads value inf",
        "setoption name MultiPV value -3",
        "setoption name Skill Level value 21",
        "setoption name Move Overhead value text",
        "setoption name Ponder value maybe",
        "setoption name BookFile value /tmp",
        "setoption name BookFile value \x00",
        "setoption value 3 name Hash",
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


def test_a_table_that_does_not_fit_is_made_smaller(gui: Gui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outplay.ui.uci.protocol.memory", lambda available: 3)
    told, ready = gui.say("setoption name Hash value 65536", "isready")
    assert told == "info string a table of 65536 MB does not fit into memory: 3 MB are used"
    assert ready == "readyok"
    assert gui.uci.engine.table.words.nbytes <= 3 << 20
    assert gui.say(START, "go depth 1")[-1] != "bestmove 0000"
    gui.say("setoption name Hash value 1", "isready")


def test_memory_that_is_not_handed_out(gui: Gui, monkeypatch: pytest.MonkeyPatch) -> None:
    from outplay.search.engine import engine

    def table(megabytes: float, *rest: str) -> Any:
        if megabytes > 2:
            raise MemoryError
        return made(megabytes, *rest)

    made = engine.Table
    monkeypatch.setattr(engine, "Table", table)
    told, ready = gui.say("setoption name Hash value 16", "isready")
    assert (told.endswith("does not fit into memory: 2 MB are used"), ready) == (True, "readyok")
    monkeypatch.setattr(engine, "Table", lambda *_: table(3))
    assert gui.say("ucinewgame", "isready") == ["info string MemoryError", "readyok"]
    assert gui.say(START, "go depth 1")[-1].startswith("bestmove ")
    monkeypatch.undo()
    gui.say("setoption name Hash value 1", "isready")


def test_the_largest_table_is_what_the_machine_has() -> None:
    (line,) = (line for line in Gui().say("uci") if line.startswith("option name Hash "))
    assert 1 <= memory(available=True) <= int(line.split()[-1]) == memory()


def test_a_book_that_cannot_be_read_stops_no_search(gui: Gui, tmp_path) -> None:
    book = tmp_path / "book.bin"
    book.write_text("x")
    gui.say("setoption name OwnBook value true", f"setoption name BookFile value {book}")
    book.unlink()
    lines = gui.say(START, "go depth 2")
    gui.say("setoption name OwnBook value false", "setoption name BookFile value <empty>")
    assert lines[0].startswith("info string the book or the tables cannot be read: ")
    assert any(line.startswith("info depth 2 ") for line in lines)


HUGE = "9" * 400


@pytest.mark.parametrize(
    "name", ["wtime", "btime", "winc", "movestogo", "movetime", "depth", "nodes", "mate"]
)
def test_numbers_beyond_measure(gui: Gui, name: str) -> None:
    for number in (HUGE, f"-{HUGE}", "9" * 5000, "nan", "1e9", ""):
        lines = gui.say("position startpos moves e2e4", f"go ponder {name} {number} wtime 500 btime 500")
        assert not any(line.startswith("bestmove") for line in lines)
        before = len(gui.lines) - len(lines)
        gui.say("ponderhit", "stop")
        assert not any(line.startswith("info string") for line in gui.lines[before:])
        assert gui.lines[-1].startswith("bestmove ")
    limits = Go.read([name, HUGE, "wtime", HUGE]).limits(0, 0.02)
    assert limits.checked() == limits


def test_a_line_of_unknown_words(gui: Gui) -> None:
    assert gui.say("nonsense " * 300_000 + "isready") == ["readyok"]
    assert gui.say(START, "go depth 1 " + "searchmoves " * 50_000 + "a2a3")[-1].split()[1] == "a2a3"


SESSION = """uci
setoption name Hash value 1
setoption name MultiPV value 2
setoption name UCI_Chess960 value true
setoption name UCI_LimitStrength value true
setoption name UCI_Elo value 1500
setoption name Clear Hash
isready
ucinewgame
position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1
position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1 e8c8
position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 99 60 moves b4b3 h5h6
go depth 2
go wtime 300000 btime 300000 winc 2000 binc 2000 movestogo 20
go movetime 5
go nodes 100
go infinite
go ponder wtime 1000 btime 1000
go mate 2
go searchmoves e2e4 d2d4 depth 1
ponderhit
stop
isready
debug on
register later""".splitlines()
LINES = 2_000


def test_no_talk_ends_the_conversation(gui: Gui) -> None:
    """Lines of real sessions with words lost, doubled, exchanged and garbled: every `go` has its answer."""
    dice = random.Random(1)
    vocabulary = sorted(
        {word for line in SESSION for word in line.split()} | {"", "-1", "9" * 30, "\x00", "nan"}
    )
    asked = ready = 0
    before = len(gui.lines)
    for _ in range(LINES):
        words = dice.choice(SESSION).split()
        for _ in range(dice.choice((0, 0, 1, 1, 2, 4))):
            at = dice.randrange(len(words) + 1)
            words[at : at + dice.randrange(3)] = dice.choices(vocabulary, k=dice.randrange(3))
        line = " ".join(words)
        known = next((word for word in line.split() if word in WORDS), "")
        asked, ready = asked + (known == "go"), ready + (known == "isready")
        assert gui.uci.obey(line)
    gui.uci.obey("stop")
    lines = gui.lines[before:]
    assert sum(line.startswith("bestmove ") for line in lines) == asked > LINES // 10
    assert lines.count("readyok") == ready > 0
    assert not [line for line in lines if line.startswith("info string") and "Error" in line]
    for option in OPTIONS:
        if option.kind != "button":
            gui.say(f"setoption name {option.name} value {option.default}")
    assert gui.say("setoption name Hash value 1", START, "isready") == ["readyok"]


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
        assert [info["multipv"] for info in infos] == [1, 2]
        engine.configure({"Hash": 2})
        with engine.analysis(board) as analysis:  # without a limit, until it is stopped
            while "pv" not in analysis.get():
                pass
            analysis.stop()
            assert analysis.wait().move in board.legal_moves
        for _ in range(2):  # it ponders on the reply that it expects, and that reply comes: ponderhit
            played = engine.play(board, chess.engine.Limit(time=0.2), ponder=True)
            assert played.move in board.legal_moves and played.ponder is not None
            board.push(played.move)
            board.push(played.ponder)
        assert board.is_valid()


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
