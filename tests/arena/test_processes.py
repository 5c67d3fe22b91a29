"""Several games at a time are as many processes: the same games, whoever is killed, and nobody stays behind."""

import contextlib
import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

import outplay
from outplay.arena import Conditions, Match, Played, TimeControl
from outplay.arena.external import Program
from outplay.arena.remote import Gone, RemoteTable
from outplay.record import read

MARK = "OUTPLAY_TEST_MARK"  # in the environment of all that a test starts
CONTROL = TimeControl(depth=2)


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> str:
    name = uuid.uuid4().hex
    monkeypatch.setenv(MARK, name)
    return name


def marked(mark: str) -> list[int]:
    """The processes that a test has started and that are still there."""
    if not Path("/proc/self/environ").exists():
        pytest.skip("no /proc: processes cannot be found by their environment")
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if f"{MARK}={mark}".encode() in environment.read_bytes():
                found.append(int(environment.parent.name))
    return found


def nobody_is_left(mark: str) -> bool:
    for _ in range(600):
        if not marked(mark):
            return True
        time.sleep(0.1)
    return False


def moves(match: Match) -> dict[int, tuple[tuple[int, ...], float, str]]:
    return {game.number: (read(game.record).actions, game.score, game.reason) for game in match.played}


def test_the_same_games_however_many_at_a_time(mark: str) -> None:
    def played(concurrency: int) -> Match:
        control = TimeControl(nodes=300)
        players = ["engine:hash=1", "alphabeta:depth=3"]
        match = Match("connect4", players, Conditions(games=6, control=control), concurrency=concurrency)
        match.run()
        return match

    one, three = played(1), played(3)
    assert moves(one) == moves(three)
    assert one.standing == three.standing
    assert one.effort(0).nodes == three.effort(0).nodes
    assert nobody_is_left(mark)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_process_that_is_killed_is_replaced(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tables: list[RemoteTable] = []
    play = RemoteTable.play

    def watched(self: RemoteTable, *arguments: object) -> Played:
        if self not in tables:
            tables.append(self)
        return play(self, *arguments)

    def hear(match: Match, game: Played) -> None:
        if len(match.played) in (2, 5):
            tables[-1].program.process.kill()

    monkeypatch.setattr(RemoteTable, "play", watched)
    match = Match("tictactoe", ["random", "random"], Conditions(games=12, control=CONTROL), concurrency=2)
    match.run(hear)
    assert sorted(game.number for game in match.played) == list(range(12))
    assert not match.faults(0) and not match.faults(1)
    assert len(tables) >= 3
    assert nobody_is_left(mark)


QUITS = """
import sys
for line in sys.stdin:
    if '"play"' in line:
        sys.exit("no more")
    print("{}", flush=True)
"""


def test_processes_that_always_end_end_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outplay.arena.remote.start", lambda _: Program([sys.executable, "-c", QUITS]))
    match = Match("tictactoe", ["random", "random"], Conditions(games=2, control=CONTROL), concurrency=2)
    with pytest.raises(Gone, match="was abandoned by 3 processes; the last ended with status 1: no more"):
        match.run()


def test_what_goes_wrong_in_a_process_is_told_here(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="program 'no-such-engine' not found"):
        Match(
            "othello:size=4", ["random", "gtp:no-such-engine"], Conditions(control=CONTROL), concurrency=2
        ).run()
    with pytest.raises(ValueError, match=r"python\S* -c 1 crashes \(ended with status 0\)"):
        Match(
            "othello:size=4",
            ["random", f"gtp:{sys.executable} -c 1"],
            Conditions(control=CONTROL),
            concurrency=2,
        ).run()
    (tmp_path / "bot.py").write_text("print('noise')\ndef bot(record, limits):\n    return 99\n")
    players = [f"{tmp_path / 'bot.py'}:bot:name=bad", "random"]
    match = Match("tictactoe", players, Conditions(games=4, control=CONTROL), concurrency=2)
    match.run()
    assert [game.fault for game in match.faults(0)] == ["illegal"] * 4
    assert match.played[0].reason.startswith("bad makes an illegal move (")


STUCK = """
import time
class Bot:
    asked = 0
    def __call__(self, record, limits):
        self.asked += 1
        while self.asked > 12:
            time.sleep(60)
        return list(record.state.actions())[0]
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_nobody_stays_behind(name: str, mark: str, tmp_path: Path) -> None:
    """However the match ends, and though its players are deep in thought."""
    (tmp_path / "bot.py").write_text(STUCK)
    out = tmp_path / "results.jsonl"
    here = os.environ | {"PYTHONPATH": str(Path(outplay.__file__).parent.parent)}
    words = f"-m outplay match tictactoe {tmp_path / 'bot.py'}:Bot random --games 1000 --concurrency 2"
    process = subprocess.Popen(
        [sys.executable, *words.split(), "--patience", "1000", "--out", str(out)],
        env=here,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Tests that run in the background are deaf to Ctrl-C, and so would be what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not out.exists() or out.read_text().count("\n") < 3 or len(marked(mark)) < 7:
        assert process.poll() is None  # the match, two tables, four players
        time.sleep(0.05)
    process.send_signal(getattr(signal, name))
    shown, complaints = process.communicate(timeout=120)
    assert nobody_is_left(mark)
    assert "Traceback" not in complaints
    if name == "SIGINT":
        assert process.returncode == 130 and "of 1000 games" in shown
