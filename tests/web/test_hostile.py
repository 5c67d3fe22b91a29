"""Games, bots and clients that do what they should not: the server goes on for everybody else."""

import json
import os
import socket
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from outplay.games.tictactoe import TicTacToe
from outplay.standard import Known
from outplay.storage import locked
from outplay.ui.web import connections, guard, task
from outplay.ui.web.app import application
from outplay.ui.web.catalogue import Catalogue
from outplay.ui.web.jobs import Job
from outplay.ui.web.worker import Process

RULES = """
import os, ctypes
from typing import NamedTuple

class Trap(NamedTuple):
    \"\"\"Each move does something else that no rule should do.\"\"\"
    n: int = 0
    def player(self): return 0
    def actions(self): return [0, 1, 2, 3, 4, 5] if self.n < 9 else []
    def result(self, action):
        if action == 1: os._exit(0)
        if action == 2: ctypes.string_at(0)
        if action == 3:
            while True: pass
        if action == 4: return Trap(len(bytearray(10 << 30)))
        if action == 5: raise SystemExit("enough")
        return Trap(9)
    def utility(self): return float("nan")
"""
OVER = """
from typing import NamedTuple
class Over(NamedTuple):
    n: int = 0
    def player(self): return 0
    def actions(self): return []
    def result(self, action): return self
    def utility(self): return float("nan")
"""
NO_NUMBER = """
from outplay.limits import Analysis
def play(record, limits):
    return Analysis(record.legal()[0], float("nan"), 1, (), 1, 0.0)
"""
BOT = "def play(record, limits):\n    while True: pass\n"


@pytest.fixture(scope="module")
def trapped(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from tests.web.conftest import running

    folder = tmp_path_factory.mktemp("hostile")
    (folder / "trap.py").write_text(RULES)
    (folder / "over.py").write_text(OVER)
    (folder / "sleeper.py").write_text(BOT)
    (folder / "nobody.py").write_text(NO_NUMBER)
    files = [str(folder / name) for name in ("trap.py", "over.py", "sleeper.py", "nobody.py")]
    with running(Catalogue(files), workers=2) as server:
        yield server


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (1, "ended its process (exit status 0)"),
        (2, "crashed (SIGSEGV)"),
        (3, "ended: its time is up"),
        (4, "MemoryError"),
        (5, "SystemExit: enough"),
        (0, "infinite or not a number"),
    ],
)
def test_whatever_a_rule_does_the_server_lives(
    trapped: Any, monkeypatch: pytest.MonkeyPatch, action: int, line: str
) -> None:
    monkeypatch.setattr("outplay.ui.web.app.SECONDS", 0.5)
    answer = trapped.client.post("/api/position", json={"game": "trap", "actions": [action]})
    assert answer.status_code == 422 and line in answer.json()["error"] and "\n" not in answer.json()["error"]
    monkeypatch.undo()
    assert trapped.ask("position", game="tictactoe")["player"] == 0


def test_a_value_that_is_no_number_ends_its_search_alone(trapped: Any) -> None:
    """The socket goes on to answer."""
    with trapped.connect() as live:
        live.send(json.dumps({"type": "think", "id": 1, "game": "tictactoe", "seat": {"name": "nobody"}}))
        said = json.loads(live.recv(timeout=60))
        assert said["type"] == "error" and "infinite or not a number" in said["message"]
        live.send(json.dumps({"type": "think", "id": 2, "game": "tictactoe", "seat": {"name": "random"}}))
        while (said := json.loads(live.recv(timeout=60)))["type"] not in ("done", "error"):
            pass
        assert said["id"] == 2 and said["type"] == "done"


def test_bots_that_never_return_keep_nobody_waiting(trapped: Any) -> None:
    """As many as there are workers; each is ended when its time is up, and moves go on."""
    seat = {"name": "sleeper", "time": 0.3}
    with trapped.connect() as live:
        for number in range(4):
            live.send(json.dumps({"type": "think", "id": number, "game": "tictactoe", "seat": seat}))
        ended = []
        while len(ended) < 4:
            said = json.loads(live.recv(timeout=60))
            ended += [said["message"]] if said["type"] == "error" else []
        live.send(json.dumps({"type": "think", "id": 9, "game": "tictactoe", "seat": {"name": "random"}}))
        while (said := json.loads(live.recv(timeout=60)))["type"] not in ("done", "error"):
            pass
    assert set(ended) == {"ended: its time is up, and it did not stop"} and said["type"] == "done"


def test_a_page_that_is_left_ends_its_bot(trapped: Any) -> None:
    with trapped.connect() as live:
        seat = {"name": "sleeper", "time": 60}
        live.send(json.dumps({"type": "think", "id": 1, "game": "tictactoe", "seat": seat}))
        live.send(json.dumps({"type": "stop", "id": 1}))
        while (said := json.loads(live.recv(timeout=60)))["type"] not in ("done", "error"):
            pass
    assert said.get("stopped") or "nobody waits for it" in said["message"]


def test_one_job_compiling_is_told_to_that_job_alone(trapped: Any) -> None:
    """Another's clock goes on."""
    heard: list[bytes] = []
    task.Task(7, heard.append).compiling("compiling the engine for Chess")
    assert [json.loads(said) for said in heard] == [
        {"type": "compiling", "id": 7, "message": "compiling Chess (once: the code is kept)"}
    ]


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Another worker compiles tic-tac-toe for the engine: its lock, and what is compiled here."""
    monkeypatch.setenv("OUTPLAY_CACHE", str(tmp_path))
    monkeypatch.setattr(task, "_ready", set())
    monkeypatch.setattr(task, "TICK", 0.001)
    compiled: list[str] = []

    def search(name: str) -> Any:
        return SimpleNamespace(name=name, prepare=lambda _: compiled.append(name))

    task.Task(1, lambda _: None).prepare("tictactoe", TicTacToe(), search("engine"))
    task._ready.clear()
    [lock] = (tmp_path / "locks").iterdir()
    return lock, compiled, search


def test_two_workers_do_not_compile_the_same_at_once(elsewhere: Any) -> None:
    """The second one waits, says so, and goes on when the first is done."""
    lock, compiled, search = elsewhere
    said: list[Any] = []
    late = task.Task(2, lambda told: said.append(json.loads(told)))
    second = threading.Thread(target=late.prepare, args=("tictactoe", TicTacToe(), search("engine")))
    with locked(lock):
        second.start()
        while len(said) < 2:
            time.sleep(0.001)
        assert compiled == ["engine"]
        task.Task(3, lambda _: None).prepare(
            "tictactoe", TicTacToe(), search("minimax")
        )  # that is something else
    second.join()
    assert compiled == ["engine", "minimax", "engine"]
    assert [told["type"] for told in said] == ["loading", "compiling", "ready"]
    assert said[1]["message"].startswith("compiling TicTacToe (")


def test_a_job_that_waits_for_the_compiler_can_be_stopped(elsewhere: Any) -> None:
    lock, compiled, search = elsewhere
    late = task.Task(2, lambda _: None)
    late.stop_for("")
    with locked(lock), pytest.raises(task.Stopped):
        late.prepare("tictactoe", TicTacToe(), search("engine"))
    assert compiled == ["engine"]


def test_a_search_that_loads_its_code_is_not_hurried() -> None:
    """Its time begins when it is ready: a worker that is ended for loading slowly has all to load again."""
    worker = Process.__new__(Process)
    messages = [{"type": kind, "id": 1} for kind in ("loading", "compiling", "ready", "done")]
    worker.channel = SimpleNamespace(recv_bytes=iter([json.dumps(m).encode() for m in messages]).__next__)
    said: list[Any] = []
    job = Job("think", "{}", "me", said.append, 60)
    seen = [(worker._hear(job), job.compiling) for _ in messages]
    assert seen == [(False, True), (False, True), (False, False), (True, False)]
    assert [told["type"] for told in said] == ["compiling", "done"]


def half_sent(url: str, text: bytes, count: int) -> list[socket.socket]:
    host, port = url.removeprefix("http://").split(":")
    found = []
    for _ in range(count):
        found.append(socket.create_connection((host, int(port)), timeout=30))
        found[-1].sendall(text)
    return found


def closed(one: socket.socket) -> bool:
    """Whether the server has closed a connection without a word."""
    try:
        return one.recv(100) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize(
    "text", [b"GET / HT", b"POST /api/position HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"]
)
def test_half_sent_requests_block_nobody(trapped: Any, monkeypatch: pytest.MonkeyPatch, text: bytes) -> None:
    """More than there is room for: the newest come in, the oldest of them go."""
    monkeypatch.setattr(connections, "MAX_OPEN", 20)
    held = half_sent(trapped.url, text, 60)
    with httpx.Client(base_url=trapped.url, cookies=trapped.client.cookies, timeout=60) as fresh:
        assert fresh.post("/api/position", json={"game": "tictactoe"}).status_code == 200
    for one in held:
        one.close()


def test_heads_and_bodies_have_their_time(trapped: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEADER_SECONDS", 0.2)
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.2)
    [head] = half_sent(trapped.url, b"GET / HT", 1)
    assert closed(head)
    host = trapped.url.removeprefix("http://")
    cookie = "; ".join(f"{name}={value}" for name, value in trapped.client.cookies.items())
    text = f"POST /api/position HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nContent-Length: 9\r\n\r\n{{"
    [body] = half_sent(trapped.url, text.encode(), 1)
    assert body.recv(1000).startswith(b"HTTP/1.1 408")


def test_one_clients_trees_do_not_delay_anothers_positions(trapped: Any) -> None:
    """Sixty at once: some are refused, and a position is answered before the first of them is."""
    import asyncio

    from bench.measure import awaited

    async def flood() -> tuple[list[int], bool]:
        async with httpx.AsyncClient(
            base_url=trapped.url, cookies=trapped.client.cookies, timeout=60
        ) as client:
            body = {"game": "tictactoe", "search": "minimax", "depth": 3}
            trees = [asyncio.create_task(client.post("/api/tree", json=body)) for _ in range(60)]
            await asyncio.sleep(0.05)
            with httpx.Client(base_url=trapped.url, timeout=60) as other:
                await asyncio.to_thread(other.get, trapped.address)
                seen = await asyncio.to_thread(other.post, "/api/position", json={"game": "tictactoe"})
            sooner = seen.status_code == 200 and not all(tree.done() for tree in trees)
            return [(await tree).status_code for tree in trees], sooner

    statuses, sooner = awaited(flood())
    assert set(statuses) == {200, 429} and sooner


def test_a_game_that_cannot_be_loaded_any_more_is_one_line(tmp_path: Path) -> None:
    """A worker that starts anew reads the user's files again."""
    file = tmp_path / "gone.py"
    file.write_text("1 / 0\n")
    worker = Process({str(file): Known()}, 32 * b"k")
    said: list[Any] = []
    try:
        worker.run(Job("position", '{"game": "gone"}', "me", said.append, 60), lambda: "")
    finally:
        worker.close()
    assert [told["type"] for told in said] == ["error"]
    assert "gone.py, line 1: ZeroDivisionError" in said[0]["message"]


@pytest.mark.skipif(os.name != "posix", reason="needs the permissions of POSIX")
def test_the_page_does_not_start_on_a_cache_that_everybody_can_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o777)
    monkeypatch.setenv("OUTPLAY_CACHE", str(tmp_path))
    with pytest.raises(ValueError, match="is writable by everybody"):
        application(Catalogue(), None, "token")


def test_nothing_names_the_folder_of_a_users_file(trapped: Any) -> None:
    told = trapped.client.get("/api/catalogue").text
    assert "sleeper" in told and "trap" in told and "/hostile" not in told


# --- broken boards --------------------------------------------------------------------------------------

BROKEN = """
from typing import NamedTuple
from outplay import Board

class {name}(NamedTuple):
    n: int = 2
    def player(self): return 0
    def actions(self): return [1] if self.n else []
    def result(self, action): return {name}(self.n - 1)
    def utility(self): return 1
    def board(self):
        if self.n > {sound}: return Board((str(self.n),))
        return {board}
"""
BOARDS = {
    "Raising": ("Board(1 // 0)", "ZeroDivisionError"),
    "Counting": ("Board((1, 2))", "Counting.board(): rows must be a tuple of texts, not (1, 2)"),
    "Rowless": ("Board(None)", "Rowless.board(): rows must be a tuple of texts, not None"),
    "Ranking": ("Board(('ab', 'cd'), ('1',))", "Ranking.board(): ranks must name all 2 rows, or none"),
    "Filing": ("Board(('ab',), files=(1, 2))", "Filing.board(): files must be a tuple of texts, not (1, 2)"),
    "Owning": ("Board(('ab',), owners='a')", "Owning.board(): owners must be two texts, not 'a'"),
    "Noting": ("Board(('ab',), note=3)", "Noting.board(): note must be a text, not 3"),
    "Shaping": ("Board(('ab',), shapes={'a': 7})", "Shaping.board(): shapes must be a dict of texts"),
    "Marking": ("Board(('ab',), marks=(1,))", "Marking.board(): marks must be pairs of a row and a column"),
    "Ragged": ("Board(('abc', 'd'), marks=((9, 9),), shapes={'a': 'no such shape'})", ""),
    "Empty": ("Board(())", ""),
}


@pytest.fixture(scope="module")
def broken_boards(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from tests.web.conftest import running

    folder = tmp_path_factory.mktemp("boards")
    for name, (board, _) in BOARDS.items():
        (folder / f"{name}.py").write_text(BROKEN.format(name=name, board=board, sound=1))
    with running(Catalogue([str(folder / f"{name}.py") for name in BOARDS]), workers=1) as server:
        yield server


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_that_cannot_be_drawn_is_one_line(broken_boards: Any, name: str) -> None:
    """On every endpoint; what draws nothing goes on."""
    line = BOARDS[name][1]
    there = {"game": name.lower(), "actions": [1]}
    for what, asked in {
        "position": there,
        "game": {"game": name.lower()},
        "write": there,
        "explain": there,
        "read": {"text": f"game: {name}.py\n\nmoves: 1\n"},
    }.items():
        answer = broken_boards.client.post(f"/api/{what}", json=asked)
        assert answer.status_code in (200, 422), (what, answer.text)
        if what == "position":
            assert answer.status_code == (422 if line else 200)
        if answer.status_code == 422:
            assert "\n" not in answer.json()["error"]
            assert line in answer.json()["error"] or what == "read"


@pytest.mark.parametrize("name", [name for name, (_, line) in BOARDS.items() if line])
def test_the_page_does_not_start_with_a_board_that_cannot_be_drawn(tmp_path: Any, name: str) -> None:
    board, line = BOARDS[name]
    file = tmp_path / f"{name}.py"
    file.write_text(BROKEN.format(name=name, board=board, sound=2))
    with pytest.raises((ValueError, ZeroDivisionError)) as raised:
        Catalogue([str(file)]).describe()
    assert line in f"{type(raised.value).__name__}: {raised.value}"
