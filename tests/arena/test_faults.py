"""Players that crash, hang, cheat and talk nonsense lose their games, and the match goes on."""

import os
import sys
import time
from pathlib import Path

import pytest

import outplay
from outplay.arena import Conditions, Match, Rules, TimeControl, table
from outplay.arena.external import Program, command_line
from outplay.arena.faults import Fault
from outplay.game import GameError
from outplay.record import read

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def package_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(outplay.__file__).parent.parent))


def gtp(manner: str, after: int = 0) -> str:
    return f"gtp:{sys.executable} {HERE / 'fake_gtp.py'} {manner} {after},name=fake,tc=none"


def uci(manner: str, log: Path | None = None) -> str:
    return f"uci:{sys.executable} {HERE / 'fake_uci.py'} {manner} {log or ''},name=fake"


def patience(fault: str) -> float:
    """Seconds: few where the player hangs, enough for a busy machine where it does not."""
    return 1.0 if fault == "hang" else 60.0


def small_othello(*players, games: int = 2, fault: str = "") -> Match:
    control = TimeControl(depth=1)
    match = Match(
        "othello:size=4", players, Conditions(games=games, patience=patience(fault), control=control)
    )
    match.run()
    return match


def last_move(record, limits):
    """A Python object that plays."""
    return list(record.state.actions())[-1]


def test_a_well_behaved_engine_plays_to_the_end() -> None:
    match = small_othello(gtp("well"), last_move, games=4)
    assert match.standing.games == 4
    assert {game.reason for game in match.played} == {"played to the end"}
    for game in match.played:
        record = read(game.record)
        assert record.state.terminal()
        assert dict(record.headers)["first"] == ("fake", "last_move")[game.first]
    assert match.effort(0).moves > 10 and match.effort(1).seconds > 0


def test_an_engine_that_wants_passes_left_out() -> None:
    match = small_othello(gtp("no-pass"), last_move, games=8)
    assert not match.faults(0)
    assert any(" pass" in game.record for game in match.played)


@pytest.mark.parametrize(
    ("manner", "fault", "reason"),
    [
        ("crash", "crash", "fake crashes (ended with status 7: segmentation fault)"),
        ("hang", "hang", "fake does not answer (no reply)"),
        ("illegal", "illegal", "fake makes an illegal move ('a9' in "),
        ("garbage", "garbage", "fake answers nonsense ("),
        ("flood", "hang", "fake does not answer (no reply)"),
    ],
)
def test_gtp_engines_that_fail(manner: str, fault: str, reason: str) -> None:
    match = small_othello(last_move, gtp(manner, after=1), fault=fault)
    assert (match.standing.wins, match.standing.games) == (2, 2)
    assert [game.fault for game in match.faults(1)] == [fault, fault]
    assert match.played[0].reason.startswith(reason)
    assert not match.faults(0)
    assert read(match.played[0].record).result == 1
    assert dict(read(match.played[0].record).headers)["end"] == match.played[0].reason


def test_to_resign_is_no_fault() -> None:
    match = small_othello(last_move, gtp("resign", after=1))
    assert {game.reason for game in match.played} == {"fake resigns"}
    assert match.standing.wins == 2 and not match.faults(1)


def test_a_player_that_cannot_start_is_bad_input() -> None:
    with pytest.raises(ValueError, match=r"fake crashes \(ended with status 3: cannot find my weights\)"):
        small_othello(gtp("start"), last_move)
    with pytest.raises(ValueError, match="program 'no-such-engine' not found"):
        small_othello("gtp:no-such-engine", last_move)
    with pytest.raises(ValueError, match="unknown player 'alphabeth'"):
        small_othello("alphabeth", last_move)
    with pytest.raises(ValueError, match="UCI engines play chess, not othello"):
        small_othello(uci("well"), last_move)


def search(state, depth):
    return min(state.actions())


@pytest.mark.parametrize(
    ("game", "player", "control", "complaint"),
    [
        ("connect4", "uct", TimeControl(depth=4), "uct takes no depth: limit it by nodes or time"),
        ("connect4", "uct:depth=4", TimeControl(time=1), "uct takes no depth: limit it by nodes or time"),
        (
            "go:size=5",
            "alphabeta",
            TimeControl(depth=4),
            r"Go has no evaluate\(\), so a search cannot stop",
        ),
        ("pig", "engine", TimeControl(time=1), "engine does not fit Pig, a game with chance"),
        ("tictactoe", search, TimeControl(nodes=9), r"search is a search\(state, depth\): limit it by depth"),
        ("tictactoe", search, TimeControl(), r"search is a search\(state, depth\): limit it by depth"),
    ],
)
@pytest.mark.parametrize("concurrency", [1, 2])
def test_a_player_that_cannot_play_so_is_bad_input(
    game: str, player, control: TimeControl, complaint: str, concurrency: int
) -> None:
    """Who can keep none of the limits, or cannot play the game, has lost nothing: there is no match."""
    if concurrency > 1 and not isinstance(player, str):
        pytest.skip("a Python object plays one game at a time")
    with pytest.raises((ValueError, GameError), match=complaint):  # at once, or when the players are asked
        Match(
            game, ["random", player], Conditions(games=2, control=control, plies=0), concurrency=concurrency
        ).run()


def test_too_late_is_lost_on_time() -> None:
    late = gtp("late").replace("tc=none", "time=0.2")
    match = Match("othello:size=4", [late, last_move], Conditions(games=2, patience=20, margin=0.1))
    assert match.run().losses == 2
    assert [game.fault for game in match.faults(0)] == ["time", "time"]
    assert "s used, 0.300 s allowed" in match.played[0].reason


def explodes(record, limits):
    raise RuntimeError("out of\nideas")


def cheats(record, limits):
    return 99


def sleeps(record, limits):
    time.sleep(5)


@pytest.mark.parametrize(
    ("player", "fault", "words"),
    [
        (explodes, "crash", "RuntimeError: out of ideas"),
        (cheats, "illegal", "cheats returned 99, which is not a legal action"),
        (sleeps, "hang", "no reply"),
    ],
)
def test_python_objects_that_fail(player, fault: str, words: str) -> None:
    match = small_othello(player, last_move, fault=fault)
    assert [game.fault for game in match.faults(0)] == [fault, fault]
    assert words in match.played[0].reason and "\n" not in match.played[0].reason


BOT = """
import os, time
class Bot:
    def __init__(self):
        print("noise on standard output", flush=True)
        os.write(1, b"more noise\\n")
        self.asked = 0
    def __call__(self, record, limits):
        self.asked += 1
        if self.asked == 3:
            {deed}
        return list(record.state.actions())[0]
"""


@pytest.mark.parametrize(
    ("deed", "fault", "words"),
    [
        ("os._exit(9)", "crash", "ended with status 9"),
        ("time.sleep(60)", "hang", "no reply"),
        ("return 'e4'", "illegal", "'e4', which is not a legal action"),
    ],
)
def test_users_files_that_fail(tmp_path: Path, deed: str, fault: str, words: str) -> None:
    (tmp_path / "bot.py").write_text(BOT.format(deed=deed))
    match = small_othello(f"{tmp_path / 'bot.py'}:Bot:name=bad", last_move, fault=fault)
    assert [game.fault for game in match.faults(0)] == [fault, fault]
    assert words in match.played[0].reason


# --- UCI ------------------------------------------------------------------------------------------------


def short_chess(*players, fault: str = "", **options) -> Match:
    match = Match(
        "chess", players, Conditions(games=2, patience=patience(fault), rules=Rules(plies=12), **options)
    )
    match.run()
    return match


def test_uci_engines_are_told_positions_and_clocks(tmp_path: Path) -> None:
    match = short_chess(uci("well", tmp_path / "log"), last_move, control=TimeControl.clock("40/60+0.5"))
    assert {game.reason for game in match.played} == {"adjudicated: 12 plies"}
    assert "{+31/7 " in match.played[0].record and "{-31/7 " in match.played[1].record
    said = (tmp_path / "log").read_text().splitlines()
    asked = [line for line in said if line.startswith("go ")]
    assert asked[0] == "go wtime 60000 winc 500 btime 60000 binc 500 movestogo 40"
    assert any(line.startswith("position startpos moves ") for line in said)


def test_uci_options_and_limits(tmp_path: Path) -> None:
    log = tmp_path / "log"
    short_chess(f"{uci('well', log)},Skill Level=5,depth=3,nodes=77", last_move)
    said = log.read_text().splitlines()
    assert "setoption name Skill Level value 5" in said
    assert "go depth 3 nodes 77" in said
    with pytest.raises(ValueError, match="has no option 'Strength'; it has skill level"):
        short_chess(f"{uci('well')},Strength=5", last_move)


def test_mate_scores_end_games_by_the_resign_rule() -> None:
    match = Match("chess", [uci("mate"), last_move], Conditions(games=2, rules=Rules(resign=(600, 3))))
    assert match.run().losses == 2
    assert {game.reason for game in match.played} == {"adjudicated: a lost position"}


@pytest.mark.parametrize(
    ("manner", "fault"),
    [("crash", "crash"), ("hang", "hang"), ("illegal", "illegal"), ("garbage", "illegal")],
)
def test_uci_engines_that_fail(manner: str, fault: str) -> None:
    seconds = 0.1 if fault == "hang" else 60.0
    match = short_chess(uci(manner), last_move, fault=fault, control=TimeControl(time=seconds))
    assert [game.fault for game in match.faults(0)] == [fault, fault]


# --- programs -------------------------------------------------------------------------------------------


def test_a_program_is_not_charged_for_a_runner_that_is_late() -> None:
    program = Program([sys.executable, "-c", "print(input(), flush=True); input()"])
    program.send("early")
    while program.heard.empty():
        time.sleep(0.01)
    there = time.monotonic()
    time.sleep(0.05)  # the runner has something else to do
    assert program.receive(there + 20) == "early"
    assert program.asked < program.answered <= there
    assert program.spent == program.answered - program.asked
    program.send("again")
    program.close()
    assert program.spent == 0  # nothing has come since


def test_command_lines() -> None:
    assert command_line(f"'{sys.executable}' -c 'a b'") == [sys.executable, "-c", "a b"]
    with pytest.raises(ValueError, match="is not a command line"):
        command_line("'open")
    with pytest.raises(ValueError, match="missing name of a program"):
        command_line(" ")


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_last_words() -> None:
    program = Program([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"])
    with pytest.raises(Fault, match="crashes \\(killed by signal 9\\)"):
        program.receive(time.monotonic() + 20)
    program.close()


def test_an_engine_that_never_greets_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "GREETING", 0.1)
    for engine, game in ((uci("mute"), "chess"), (gtp("mute"), "othello:size=4")):
        match = Match(
            game, [last_move, engine], Conditions(games=2, patience=0.5, control=TimeControl(depth=1))
        )
        with pytest.raises(ValueError, match="fake does not answer"):
            match.run()


@pytest.mark.skipif(os.name != "posix", reason="needs process groups")
@pytest.mark.parametrize("patience", [0.0, 5.0])
def test_what_a_program_has_started_ends_with_it(patience: float) -> None:
    script = (
        "import subprocess, sys; print(subprocess.Popen(['sleep', '600']).pid, flush=True); sys.stdin.read()"
    )
    program = Program([sys.executable, "-c", script])
    child = int(program.receive(time.monotonic() + 60))
    program.close(patience=patience)
    for _ in range(100):
        if not _runs(child):
            break
        time.sleep(0.05)
    assert not _runs(child)


def _runs(process: int) -> bool:
    """Whether a process is there, and not merely waiting to be reaped."""
    try:
        os.kill(process, 0)
        stat = Path(f"/proc/{process}/stat")
        return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
