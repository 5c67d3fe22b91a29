"""The command line: what it answers, and one clear line where it cannot."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

import outplay as package
from outplay.games import TABLE
from outplay.ui.wait import kept

MYGAME = """
from typing import NamedTuple
from beside import LIMIT

class Count(NamedTuple):
    '''Say one or two numbers; who says LIMIT wins.'''
    STEPS = 2
    said: int = 0
    turn: int = 0
    def player(self):
        return self.turn
    def actions(self):
        return range(1, min(self.STEPS, LIMIT - self.said) + 1)
    def result(self, n):
        return Count(self.said + n, 1 - self.turn)
    def terminal(self):
        return self.said == LIMIT
    def utility(self):
        return 1 if self.turn else -1
"""


@pytest.fixture
def mygame(tmp_path: Path) -> Path:
    (tmp_path / "beside.py").write_text("LIMIT = 10")
    (tmp_path / "mygame.py").write_text(MYGAME)
    return tmp_path / "mygame.py"


def shell(*arguments: object, stdin: str = "", **environment: str) -> subprocess.CompletedProcess:
    """The real command in a process of its own."""
    here = os.environ | {"PYTHONPATH": str(Path(package.__file__).parents[1])} | environment
    command = [sys.executable, "-m", "outplay", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, env=here)


def test_help_and_version(outplay) -> None:
    for arguments in ((), ("--help",), ("-h",)):
        answer = outplay(*arguments)
        assert answer.status == 0
        assert all(
            name in answer.out for name in ("games", "play", "best", "solve", "perft", "trace", "check")
        )
    assert outplay("--version").out == f"outplay {package.__version__}\n"


def test_games(outplay) -> None:
    listed = outplay("games").out
    assert [line.split()[0] for line in listed.splitlines()] == [entry.name for entry in TABLE]
    one = outplay("games", "hexapawn:width=4").out
    assert one.startswith("Hexapawn width=4: 2 players, deterministic, perfect information\n")
    assert "width=4" in one.split("parameters: ")[1]


@pytest.mark.parametrize("name", [entry.name for entry in TABLE])
def test_every_game_of_the_table_can_be_described(outplay, name: str) -> None:
    answer = outplay("games", name)
    assert (answer.status, answer.err) == (0, "")


def test_best(outplay) -> None:
    answer = outplay("best", "tictactoe", "--moves", "a1 b1 a2 b2", "--depth", "3", "--json")
    found = json.loads(answer.out)
    assert list(found)[:6] == ["action", "value", "depth", "line", "nodes", "time"]
    assert (found["action"], found["value"], found["line"]) == ("a3", 1, ["a3"])
    shown = outplay("best", "tictactoe", "OO./XX./... x", "--depth", "9").out
    assert "action  c2\n" in shown
    assert "value   +1 (proven)\n" in shown


def test_best_by_nodes_is_the_same_on_every_run(outplay) -> None:
    one, two = (json.loads(outplay("best", "othello", "--nodes", "5000", "--json").out) for _ in range(2))
    assert one | {"time": 0} == two | {"time": 0}
    assert one["nodes"] <= 5000


def test_solve(outplay) -> None:
    found = json.loads(outplay("solve", "[[3,12,8],[2,4,6],[14,5,2]]", "--json").out)
    assert (found["value"], found["nodes"], found["proven"], len(found["line"])) == (3, 11, True, 2)
    assert "value   -1 (proven)\n" in outplay("solve", "hexapawn").out
    assert (
        "action  none: chance moves\nvalue   +10" in outplay("solve", "chance[1/2: 8, 1/3: 24, 1/6: -12]").out
    )
    assert "action  none: the game is over\nvalue   +1" in outplay("solve", "tictactoe", "XXX/OO./... o").out


def test_trace(outplay, tmp_path: Path) -> None:
    tree = "[[3,12,8],[2,4,6],[14,5,2]]"
    assert "2 branches pruned" in outplay("trace", tree).out
    events = [json.loads(line) for line in outplay("trace", tree, "--json").out.splitlines()]
    assert [event["value"] for event in events if event.get("event") == "leaf"] == [3, 12, 8, 2, 14, 5, 2]
    picture = tmp_path / "tree.svg"
    assert outplay("trace", tree, "--svg", picture).out == ""
    assert picture.read_text().startswith("<svg")


def test_a_trace_to_a_depth_needs_static_values(outplay) -> None:
    refused = outplay("trace", "[[3,12,8],[2,4,6]]", "--depth", "1")
    assert (refused.status, refused.out, refused.told) == (
        2,
        "",
        "outplay: the tree has no static values at depth 1: write them before the brackets, as in 2[20, 1]\n",
    )
    assert "value 2" in outplay("trace", "[2[20,1],1[9]]", "--depth", "1").out
    assert "value 3" in outplay("trace", "[[3,12,8],[2,4,6]]", "--depth", "2").out


def test_the_label_of_the_root_is_shown(outplay, tmp_path: Path) -> None:
    tree, picture = "Root[B[3,12], C[2,4]]", tmp_path / "tree.svg"
    lines = outplay("trace", tree).out.splitlines()
    assert lines[1].startswith("Root ")
    outplay("trace", tree, "--svg", picture)
    assert ">Root</text>" in picture.read_text()


HOMEWORK = """
def minimax(state, depth):
    if depth == 0 or state.terminal():
        return state.utility() if state.terminal() else state.evaluate()
    values = [minimax(state.result(a), depth - 1) for a in state.actions()]
    return max(values) if state.player() == 0 else min(values)
"""


def test_grade(outplay, tmp_path: Path) -> None:
    file = tmp_path / "homework.py"
    file.write_text(HOMEWORK)
    answer = outplay("grade", f"{file}:minimax")
    assert (answer.status, answer.out.startswith("minimax, graded as minimax: passed all ")) == (0, True)
    file.write_text(HOMEWORK.replace("else min(", "else max("))
    answer = outplay("grade", file)
    assert (answer.status, answer.out.startswith("minimax, graded as minimax: failed ")) == (1, True)


def test_perft(outplay) -> None:
    assert outplay("perft", "connect4", "3").out == "343\n"
    assert outplay("perft", "connect4", "0").out == "1\n"
    found = json.loads(outplay("perft", "checkers", "4", "--json").out)
    assert (list(found), found["depth"], found["nodes"]) == (["depth", "nodes", "time"], 4, 1469)
    divided = json.loads(outplay("perft", "tictactoe", "2", "--divide", "--json").out)
    assert divided["nodes"] == 72
    assert divided["divide"] == {f"{file}{rank}": 8 for rank in "123" for file in "abc"}
    assert outplay("perft", "tictactoe", "1", "--divide", "--moves", "a1").out.endswith("c3  1\n    8\n")


# --- a user's own files ---------------------------------------------------------------------------------


def test_a_users_game_works_wherever_a_name_does(outplay, mygame: Path) -> None:
    plain = ("--search", "alphabeta")  # quicker to compile than the engine
    for spec in (mygame, f"{mygame}:Count"):
        assert json.loads(outplay("solve", spec, *plain, "--json").out)["value"] == 1
    assert json.loads(outplay("solve", f"{mygame}:Count:steps=3", *plain, "--json").out)["line"][0] == "2"
    assert outplay("perft", mygame, "2", "Count(said=8, turn=1)").out == "1\n"
    assert outplay("check", mygame, "--games", "5").out.startswith("Count: no fault in ")
    played = outplay("play", mygame, *plain, "--side", "none", "--nodes", "2000")
    assert played.status == 0
    assert "game over: MAX wins" in played.out


def test_a_users_player_works_in_best(outplay, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def first(record, limits):\n    print('hello')\n    return 5")
    answer = outplay("best", "connect4", "--player", f"{tmp_path / 'bot.py'}:first", "--json")
    assert json.loads(answer.out)["action"] == "6"
    assert "hello" in answer.err


def test_a_game_that_breaks_the_contract_fails_its_check(outplay, tmp_path: Path, mygame: Path) -> None:
    mygame.write_text(MYGAME.replace("def utility", "def payoff"))
    answer = outplay("check", mygame)
    assert (answer.status, answer.out) == (
        1,
        "Count has no method utility(): a game needs player, actions, result, utility\n",
    )
    mygame.write_text(MYGAME.replace("return self.said == LIMIT", "return self.said >= 7"))
    assert outplay("check", mygame).status == 0
    mygame.write_text(MYGAME.replace("self.said + n", "(1 << 62) // 3 * 2 * self.said // 5 + n"))
    assert outplay("check", mygame).status == 1


def test_files_that_hold_something_else(outplay, mygame: Path, tmp_path: Path) -> None:
    assert outplay("best", f"{mygame}:LIMIT").err == f"outplay: LIMIT in {mygame} is a int, not a class\n"
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG")
    for command in ("best", "replay"):
        assert outplay(command, picture).err == f"outplay: {picture} is not a text file\n"
    assert outplay("replay", tmp_path).err == f"outplay: {tmp_path}: Is a directory\n"


def test_saved_games_are_replayed(outplay, tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("game: tictactoe\n\nb2 a1 {hm}\n\ngame: connect4\n\n4 4")
    assert outplay("replay", file).out.count("game: ") == 2
    boards = outplay("replay", file, "--boards").out
    assert "  2. a1\n  {hm}\n" in boards
    assert "2 . X .\n  1 O . .\n" in boards
    file.write_text("game: tictactoe\n\nb2 b2")
    answer = outplay("replay", file)
    assert (answer.status, "move 2: 'b2' is not a legal move here" in answer.err) == (
        2,
        True,
    )


# --- errors ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("nonsense", "No such command 'nonsense'"),
        ("best", "Missing argument 'GAME'"),
        ("best connect4 --nonsense", "No such option: --nonsense"),
        ("best conect4", "no game called 'conect4'; did you mean connect4"),
        ("best nothing.py", "no such file: nothing.py"),
        ("best no/such/tree.txt", "no such file: no/such/tree.txt"),
        ("best connect4 zzz", "not a position of Connect Four: 'zzz'"),
        ("best connect4 --moves 9", "move 1: '9' is not a legal move here"),
        ("best connect4 --depth 0", "depth must be a positive number, not 0"),
        ("best connect4 --depth -1", "depth must be a positive number, not -1"),
        ("best connect4 --depth x", "Invalid value for '--depth'"),
        ("best connect4 --nodes -5", "nodes must be a positive number, not -5"),
        ("best connect4 --time 0", "time must be a positive number, not 0.0"),
        ("best connect4 --time nan", "time must be a positive number, not nan"),
        ("best connect4 --search alphabet", "unknown player 'alphabet'"),
        ("best connect4 --search minimax --player random", "give --search or --player, not both"),
        ("best tictactoe XXX/OO./... --player random", "no player moves here"),
        ("gtp go:size=5 --time inf", "time must be a positive number, not inf"),
        ("gtp go:size=5 --time 1e308", "time must be at most 1,000,000"),
        ("best pig --search alphabeta --depth 2", "alphabeta does not fit Pig, a game with chance"),
        ("best tree", "Tree has no initial state: give a position, or a default to each field"),
        ("best [[3,12],[", "outplay: "),
        ("solve hexapawn:width=x", "'width=x' is not a parameter of Hexapawn; it has width=3, height=3"),
        ("solve hexapawn:breadth=3", "Hexapawn has no parameter BREADTH"),
        ("solve hexapawn:width=99", "WIDTH must be 1 to 26"),
        ("perft connect4", "Missing argument 'DEPTH'"),
        ("perft connect4 x", "Invalid value for 'DEPTH'"),
        ("perft connect4 -- -1", "DEPTH must be 0 or more, not -1"),
        ("perft connect4 0 --divide", "depth must be at least 1 to divide"),
        ("play connect4 --side third", "Invalid value for '--side'"),
        ("play connect4 --player nobody", "unknown player 'nobody'"),
        ("check no.py", "no such file: no.py"),
        ("grade no.py:minimax", "no such file: no.py"),
        ("grade minimax", "does not name a function in a file"),
        ("replay no.txt", "no.txt: No such file or directory"),
    ],
)
def test_bad_input_is_one_line_and_status_2(outplay, arguments: str, complaint: str) -> None:
    answer = outplay(*arguments.split(" "))
    assert (answer.status, answer.out) == (2, "")
    assert complaint in answer.told
    assert answer.told.startswith("outplay: ")
    assert answer.told.count("\n") == 1


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("x = 1", "no game in {}: a game is a NamedTuple class with the methods player(), actions()"),
        (
            "class A:\n  def actions(self): pass",
            "A has no method player(): a game needs player, actions, result, utility",
        ),
        (
            MYGAME + MYGAME.replace("Count", "Other"),
            "several games in {}: Count, Other; say which, as in {}:Count",
        ),
        ("x = 1\ny = 1 / 0", "mygame.py, line 2: ZeroDivisionError: division by zero"),
        ("def f(:", "mygame.py, line 1: SyntaxError: invalid syntax"),
        ("exit('bye')", "mygame.py, line 1: SystemExit: bye"),
        (
            MYGAME.replace("turn: int = 0", "turn: str = ''"),
            "Count.player is '' at Count(said=0, turn=''): return an int",
        ),
        (MYGAME.replace("return range(", "return nothing("), "nothing"),
    ],
)
def test_what_is_wrong_with_a_users_file(outplay, mygame: Path, source: str, complaint: str) -> None:
    mygame.write_text(source)
    answer = outplay("best", mygame, "--nodes", "100")
    assert (answer.status, answer.out) == (2, "")
    assert complaint.replace("{}", str(mygame)) in answer.err
    assert "Traceback" not in answer.err


def test_memory_that_is_not_there_is_one_clear_line(outplay, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(*arguments: object) -> None:
        raise MemoryError(
            "Unable to allocate 54.2 GiB for an array with shape (1048576, 6936) and data type int64"
        )

    monkeypatch.setattr("outplay.games.load", load)
    answer = outplay("learn", "zero", "hexapawn", "--set", "games=1048576")
    assert answer.status == 2
    assert answer.err == (
        "outplay: not enough memory for 54.2 GiB in one piece: choose smaller numbers, or a smaller game\n"
    )


# --- in a process of its own ----------------------------------------------------------------------------


def test_the_real_command() -> None:
    done = shell("solve", "tictactoe", "--json")
    assert (done.returncode, json.loads(done.stdout)["value"]) == (0, 0)
    done = shell("solve", "tictactoe", "zzz")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "outplay: not a position of tic-tac-toe: 'zzz'; write three rows like XO./.X./..O\n"
    )
    assert "Traceback" in shell("solve", "tictactoe", "zzz", OUTPLAY_DEBUG="1").stderr


@pytest.mark.skipif(os.name == "nt", reason="no such permissions there")
def test_a_cache_that_others_can_write_to_is_no_fault_of_the_game(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    done = shell("best", "tictactoe", "--search", "minimax", OUTPLAY_CACHE=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        f"outplay: {tmp_path} is writable by everybody: chmod go-w {tmp_path}"
    )


def test_a_file_where_a_folder_is_to_be_made(outplay, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told = outplay("table", "build", "tictactoe", "--tables", tmp_path / "file")
    assert (told.status, told.err.splitlines()[-1]) == (
        2, f"outplay: {tmp_path / 'file'} is a file, not a folder: name another one"
    )  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="needs a shell that closes streams")
def test_closed_streams() -> None:
    command = f"'{sys.executable}' -m outplay"
    for line in ("trace tictactoe --depth 1 >&-", "playouts tictactoe --games 5 >&- <&-"):
        done = subprocess.run(["sh", "-c", f"{command} {line}"], capture_output=True, text=True, check=False)
        assert done.returncode == 0 and "outplay:" not in done.stderr
    done = subprocess.run(["sh", "-c", f"{command} best nonsense 2>&-"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")


LOOP = MYGAME.replace(
    "return self.said == LIMIT", "\n        while self.said > 1: pass\n        return self.said == LIMIT"
)
INTERRUPTED = "outplay: interrupted"
BUSY = "import os\nopen(os.path.dirname(__file__) + '/busy', 'w').close()"  # a file says that the code runs
LONG = MYGAME.replace("LIMIT", "99").replace("from beside import 99", "")
ENDLESS = f"{BUSY}\ndef minimax(state, depth):\n    while True: pass\n"


def started(*arguments: object, **environment: str) -> subprocess.Popen:
    """The real command, about to begin; whatever it writes comes through one pipe."""
    here = os.environ | {"PYTHONPATH": str(Path(package.__file__).parents[1]), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "outplay", *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, text=True, env=here | environment
    )


def interrupted(process: subprocess.Popen) -> str:
    """What a process still writes after a Ctrl-C, which must end it as it should."""
    process.send_signal(signal.SIGINT)
    written, _ = process.communicate(timeout=60)
    assert process.returncode == 130, written
    assert written.splitlines()[-1] == INTERRUPTED
    assert "Traceback" not in written
    return written


def test_a_ctrl_c_inside_an_eval_of_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python would end such a process by the signal, not with a status."""
    monkeypatch.chdir(tmp_path)
    Path("game.py").write_text('eval(\'[open("busy", "w").close(), __import__("time").sleep(60)]\')\n')
    process = started("check", "game.py", OUTPLAY_JIT="0")
    while not Path("busy").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    interrupted(process)


def heard(process: subprocess.Popen, text: str) -> None:
    """Wait until the process has written a text."""
    assert process.stdout is not None
    while text not in (line := process.stdout.readline()):
        assert line, f"it ended without {text!r}"


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT for one process")
@pytest.mark.parametrize(
    "arguments",
    [
        "best game.py --time 1000",
        "why game.py 1 --time 1000",
        "analyse game.py saved.game --time 1000",
        "solve game.py",
        "trace game.py",
        "ablate game.py --time 1000",
        "perft game.py 60",
        "playouts game.py --games 100000000000",
        "match game.py random random --games 1000000",
        "check game.py --games 100000000",
        "learn positions game.py --out positions --games 1000000 --nodes 100000000",
        "grade homework.py",
    ],
)
def test_interrupted_work_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str) -> None:
    """The file tells when it is read; the work begins right after that."""
    monkeypatch.chdir(tmp_path)
    Path("game.py").write_text(f"{BUSY}\n{LONG}")
    Path("homework.py").write_text(ENDLESS)
    Path("saved.game").write_text("game: game.py\n\n1 2 1\n")
    process = started(*arguments.split(), OUTPLAY_JIT="0")
    while not Path("busy").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    interrupted(process)


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT for one process")
@pytest.mark.parametrize(
    ("arguments", "said", "answer"),
    [
        ("uci", "uci\n", "uciok"),
        ("gtp go:size=5", "name\n", "Outplay"),
        ("play tictactoe --player random", "", "help lists the commands"),
        ("bench", "", "game "),
    ],
)
def test_an_interrupted_conversation_says_so(arguments: str, said: str, answer: str) -> None:
    process = started(*arguments.split())
    assert process.stdin is not None
    process.stdin.write(said)
    process.stdin.flush()
    heard(process, answer)
    interrupted(process)


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT for one process")
def test_an_interrupted_server_says_so() -> None:
    process = started("web", "--port", "0")
    assert process.stdout is not None
    address = process.stdout.readline().split()[3]
    with pytest.raises(urllib.error.HTTPError, match="401"):  # it answers, though nobody without a cookie
        urllib.request.urlopen(address)
    interrupted(process)


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT for one process")
def test_outplay_uci_is_interrupted_alike() -> None:
    program = "from outplay.cli import run_uci; run_uci()"
    here = os.environ | {"PYTHONPATH": str(Path(package.__file__).parents[1])}
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=pipe,
        stdout=pipe,
        stderr=subprocess.STDOUT,
        text=True,
        env=here,
    )
    assert process.stdin is not None
    process.stdin.write("uci\n")
    process.stdin.flush()
    heard(process, "uciok")
    interrupted(process)


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT for one process")
@pytest.mark.skipif(os.environ.get("OUTPLAY_JIT") == "0", reason="nothing is compiled where OUTPLAY_JIT=0")
def test_an_interrupted_compilation_prints_no_move(mygame: Path, tmp_path: Path) -> None:
    process = started("best", mygame, OUTPLAY_CACHE=str(tmp_path / "cache"))
    heard(process, "compiling")
    assert "action" not in interrupted(process)


def test_a_ctrl_c_while_the_command_line_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt")
    path = os.pathsep.join([str(tmp_path), str(Path(package.__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, "-m", "outplay"],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", f"{INTERRUPTED}\n")


def test_a_file_that_interrupts(tmp_path: Path) -> None:
    file = tmp_path / "game.py"
    file.write_text("raise KeyboardInterrupt")
    done = shell("best", file)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", f"{INTERRUPTED}\n")


HURRIED = "from outplay.ui import wait; wait.OVERTIME = 1.0; from outplay.cli import run; run()"


@pytest.mark.skipif(os.environ.get("OUTPLAY_JIT") == "0", reason="native code is compiled")
@pytest.mark.parametrize("command", ["best {}", "solve {}", "why {} 1", "analyse {} {saved}"])
def test_a_rule_that_never_returns(mygame: Path, tmp_path: Path, command: str) -> None:
    mygame.write_text(LOOP)
    saved = tmp_path / "saved.game"
    saved.write_text(f"game: {mygame}\n\n1\n")
    words = command.format(mygame, saved=saved).split()
    here = os.environ | {"PYTHONPATH": str(Path(package.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", HURRIED, *words, "--time", "0.1"], capture_output=True, text=True, env=here
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].endswith(
        "no result 1 seconds after the time was up: a rule seems to loop forever"
    )


def test_the_first_run_says_that_it_compiles_and_the_second_need_not(tmp_path: Path) -> None:
    if os.environ.get("OUTPLAY_JIT") == "0":
        pytest.skip("nothing is compiled where OUTPLAY_JIT=0")
    first, second = (shell("perft", "tictactoe", "3", OUTPLAY_CACHE=str(tmp_path)) for _ in range(2))
    assert first.stderr == "compiling TicTacToe for this command (once: the code is kept)\n"
    assert (second.stderr, second.stdout) == ("", first.stdout)


def test_what_cannot_be_kept_is_not_said_to_be(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("outplay.ui.wait.folder", lambda: tmp_path / "absent")
    monkeypatch.setattr("outplay.ui.wait.home", lambda: tmp_path)
    assert kept() == f"again each time: {tmp_path} cannot be written"
    monkeypatch.setattr("outplay.ui.wait.folder", lambda: tmp_path)
    assert kept() == "once: the code is kept"


def test_a_reader_that_goes_away_is_no_error() -> None:
    here = os.environ | {"PYTHONPATH": str(Path(package.__file__).parents[1])}
    command = f"{sys.executable} -m outplay games | true"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=here)
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("command", ["games", "perft tictactoe 2"])
def test_a_full_disk_behind_the_output_is_one_line(command: str) -> None:
    here = os.environ | {"PYTHONPATH": str(Path(package.__file__).parents[1]), "OUTPLAY_JIT": "0"}
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "outplay", *command.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=here,
        )
    assert (done.returncode, done.stderr) == (
        2,
        "outplay: what is printed cannot be written: No space left on device\n",
    )


def test_searches_and_switches_are_listed(outplay) -> None:
    answer = outplay("search")
    assert "1: back up proven values (MCTS-Solver) (1)" in answer.out
    assert " ()\n" not in answer.out and "(True)" not in answer.out
    assert answer.status == 0
    assert "expectiminimax" in answer.out
    assert "\ntable (exact; " in answer.out
    assert "\nreductions (selective; " in answer.out
    assert "\nlookahead (exact; off by default; " in answer.out
    assert "default, all, exact, sound, none" in answer.out
    assert "hash=        size of the transposition table in MB (64)" in answer.out


@pytest.mark.parametrize(
    ("same", "other"), [("on=-table", "on=default -table"), ("on=none +table", "on=table")]
)
def test_the_engine_is_traced_with_its_switches(outplay, same: str, other: str) -> None:
    """A set of switches means the same however it is written."""

    def events(search: str) -> list[str]:
        answer = outplay("trace", "tictactoe", "--depth", "3", "--search", search, "--json")
        assert (answer.status, answer.told) == (0, "")
        return answer.out.splitlines()[1:]

    assert events(f"engine:{same}") == events(f"engine:{other}") != events("engine")
    refused = outplay("trace", "tictactoe", "--depth", "3", "--search", "engine:hash=1")
    assert (refused.status, refused.told) == (
        2,
        "outplay: hash does not change a trace: the only options it takes are on and weights\n",
    )


def test_a_trace_of_uct_takes_a_seed(outplay) -> None:
    def events(*arguments: str) -> str:
        return outplay("trace", "tictactoe", "--search", *arguments, "--json").out

    assert events("uct", "--seed", "7") == events("uct:seed=7") != events("uct")
    assert "'seed' is not an option of alphabeta" in outplay("trace", "tictactoe", "--seed", "7").told
    assert "iterations" in outplay("trace", "tictactoe", "--iterations", "7").told


def test_numpy_takes_one_thread() -> None:
    """It is loaded after the setting, which a user may overrule: its threads would only wait for each other."""
    program = (
        "import os, sys; from outplay.__main__ import run; assert 'numpy' not in sys.modules\n"
        "sys.argv = ['outplay', '--help']\n"
        "try: run()\n"
        "except SystemExit: print(os.environ['OPENBLAS_NUM_THREADS'])"
    )
    for given, wanted in (None, "1"), ("3", "3"):
        environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
        environment |= {"OPENBLAS_NUM_THREADS": given} if given else {}
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        assert done.stdout.split()[-1] == wanted
