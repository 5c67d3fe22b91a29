"""The server without a browser: what it tells, what it refuses, what it bounds."""

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

import outplay
from outplay.game import GameError
from outplay.record import from_sgf
from outplay.ui.web import jobs as jobs_module
from outplay.ui.web.catalogue import Catalogue, Refused
from outplay.ui.web.jobs import Job, Jobs
from outplay.ui.web.server import is_local, names
from outplay.ui.web.view import Position, Positions, moved, view

STATIC = Path(jobs_module.__file__).parent / "static"


# --- positions ------------------------------------------------------------------------------------------


def test_a_position_says_what_may_be_played(ask: Callable[..., Any]) -> None:
    told = ask("position", game="hexapawn")
    assert told["player"] == 0 and not told["over"] and told["sides"] == ["White", "Black"]
    assert told["legal"][0] == {"action": told["legal"][0]["action"], "text": "a2", "path": [[2, 0], [1, 0]]}
    after = ask("position", game="hexapawn", actions=[told["legal"][0]["action"]])
    assert after["moves"] == [{"text": "a2", "player": 0}]
    assert 'class="cell last dark" data-at="1,0"' in after["svg"]


def test_captures_are_marked(ask: Callable[..., Any]) -> None:
    told = ask("position", game="checkers", start="B:W18:B14,1")
    jump = ask("position", game="checkers", start="B:W18:B14,1", actions=[told["legal"][0]["action"]])
    assert "taken" in jump["svg"] and jump["over"]


def test_positions_are_remembered_not_replayed() -> None:
    positions = Positions(Catalogue())
    first = positions.at("tictactoe", "", [4, 0])
    assert positions.at("tictactoe", "", [4, 0, 8]).before is first
    with pytest.raises(Refused, match="move 2: action 4 is not legal there"):
        positions.at("tictactoe", "", [4, 4])
    with pytest.raises(Refused, match="move 6 comes after the end"):
        positions.at("tictactoe", "", [0, 3, 1, 4, 2, 5])


def test_a_position_that_comes_back_is_a_draw() -> None:
    positions = Positions(Catalogue())
    state = positions.at("chess", "", []).state
    actions: list[int] = []
    for text in ("Nf3", "Nf6", "Ng1", "Ng8") * 2:
        action = next(a for a in state.actions() if state.action_text(a) == text)
        actions.append(action)
        state = state.result(action)
    assert not positions.at("chess", "", actions[:-1]).over
    end = positions.at("chess", "", actions)
    assert end.over and end.result == 0 and end.legal == []


def test_moves_are_seen_from_boards_alone() -> None:
    from outplay.game import Board

    before, after = (Board((row,), owners=("X", "O")) for row in ("X O ", " X  "))
    assert moved(before, after, 0) == [(0, 0), (0, 1)]
    assert moved(before, Board(("X OX",), owners=("X", "O")), 0) == [(0, 3)]
    assert moved(before, before, 0) == []


def test_a_game_that_fails_is_told_in_one_line(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(
        "from typing import NamedTuple\nclass Broken(NamedTuple):\n    n: int = 0\n"
        "    def player(self): return 0\n    def actions(self): return [0]\n"
        "    def result(self, a): return Broken(1 // self.n)\n    def utility(self): return 0\n"
    )
    positions = Positions(Catalogue([str(broken)]))
    with pytest.raises(ZeroDivisionError):
        positions.at("broken", "", [0])


def test_files_are_games_bots_and_saved_games(tmp_path: Path) -> None:
    bot = tmp_path / "mybot.py"
    bot.write_text("def play(record, limits):\n    return list(record.state.actions())[0]\n")
    saved = tmp_path / "game.txt"
    saved.write_text("game: tictactoe\n\nb2 a1\n")
    catalogue = Catalogue([str(bot), str(saved)])
    assert list(catalogue.bots) == ["mybot"] and catalogue.first == "tictactoe"
    assert catalogue.opened is not None and len(catalogue.opened.actions) == 2
    with pytest.raises(ValueError, match="no game in"):
        empty = tmp_path / "empty.py"
        empty.write_text("x = 1\n")
        Catalogue([str(empty)])


def test_a_request_names_no_file(tmp_path: Path) -> None:
    catalogue = Catalogue()
    evil = tmp_path / "evil.py"
    evil.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    for name in (str(evil), f"{evil}:Game", f"tictactoe:{evil}", "../x.py", "connect4:width=99999"):
        with pytest.raises((ValueError, GameError)):
            catalogue.game(name)
    from outplay.ui.web import notation

    for text in (f"game: {evil}\n\n", f"game: {evil}:Game:width=3\n\nb2"):
        with pytest.raises(ValueError):
            notation.read(catalogue, text, "")
    assert not (tmp_path / "ran").exists()


def test_a_game_of_go_is_read_and_written() -> None:
    from outplay.ui.web import notation

    read = notation.read(Catalogue(), "(;SZ[13]KM[6.5]PB[Ann];B[ee];W[dd])", "tictactoe")
    assert read == {
        "game": "go:size=13,komi=6", "start": "", "actions": ["108", "120"], "headers": {"first": "Ann"},
    }  # fmt: skip
    record = from_sgf("(;SZ[9];B[ee];W[dd])")
    assert from_sgf(notation.write("go", record, "sgf")).actions == record.actions


def test_only_so_many_sizes_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = Catalogue()
    monkeypatch.setattr("outplay.ui.web.catalogue.MAX_VARIANTS", -len(catalogue.entries) + 1)
    catalogue.game("hexapawn:width=4")
    with pytest.raises(Refused, match="too many sizes"):
        catalogue.game("hexapawn:width=5")


# --- what is refused ------------------------------------------------------------------------------------

BAD: list[tuple[str, Any, str]] = [
    ("position", {"game": "nochess"}, "there is no game"),
    ("position", {"game": "chess", "start": "nonsense"}, "nonsense"),
    ("position", {"game": "tictactoe", "actions": [99]}, "not legal"),
    ("position", {"game": "tictactoe", "actions": [1e99]}, "actions.0"),
    ("position", {"game": "tictactoe", "actions": [True]}, "actions.0"),
    ("position", {"game": "tictactoe", "actions": [1 << 80]}, "actions.0"),
    ("position", {"game": "tictactoe", "extra": 1}, "extra"),
    ("position", {"game": "tictactoe", "actions": [0] * 5000}, "actions"),
    ("position", [], "dictionary"),
    ("position", {"game": "tree", "start": "[" * 5000}, "deep"),
    ("position", {"game": "tree", "start": "[1," * 6000 + "1"}, ""),
    ("roll", {"game": "tictactoe"}, "chance is not to move"),
    ("tree", {"game": "connect4"}, "events"),
    ("tree", {"game": "tictactoe", "search": "nosearch"}, "there is no search"),
    ("tree", {"game": "tictactoe", "depth": 0}, "depth"),
    ("tree", {"game": "pig", "search": "minimax", "depth": 2}, "does not fit"),
    ("read", {"text": ""}, "nothing to read"),
    ("read", {"text": "xyz", "game": "chess"}, "xyz"),
    ("write", {"game": "tictactoe", "form": "pgn"}, "PGN is for chess"),
    ("write", {"game": "tictactoe", "form": "sgf"}, "SGF is for Go"),
    ("read", {"text": "(;SZ[9];B[aa];W[aa])"}, "move 2: A9 is illegal"),
    ("write", {"game": "tictactoe", "headers": {"a b": "c"}}, "headers"),
    ("quiz", {"depth": 99}, "depth"),
]


@pytest.mark.parametrize(("what", "body", "line"), BAD, ids=[f"{w}-{n}" for n, (w, _, _) in enumerate(BAD)])
def test_nonsense_is_refused_in_one_line(server: Any, what: str, body: Any, line: str) -> None:
    answer = server.client.post(f"/api/{what}", json=body)
    assert answer.status_code == 422
    said = answer.json()["error"]
    assert line in said and "\n" not in said and len(said) <= 500


def test_malformed_json_and_large_bodies(server: Any) -> None:
    kind = {"content-type": "application/json"}
    for body, status in (
        (b"{", 422),
        (b"\xff\xfe", 422),
        (b"nul", 422),
        (b"[" * 100_000, 422),
        (b"x" * 300_000, 413),
    ):
        answer = server.client.post("/api/position", content=body, headers=kind)
        assert answer.status_code in (status, 400) and "error" in answer.json()
    assert server.client.post("/api/position", json={"game": "tictactoe"}).status_code == 200


def test_unknown_places_and_methods(server: Any) -> None:
    assert server.client.get("/nowhere").status_code == 404
    assert server.client.get("/../app.py").status_code == 404
    assert server.client.get("/%2e%2e/app.py").status_code == 404
    assert server.client.put("/api/position", json={}).status_code == 405


# --- the guard ------------------------------------------------------------------------------------------


def test_host_and_origin(server: Any) -> None:
    get, post = server.client.get, server.client.post
    assert get("/", headers={"host": "evil.example"}).status_code == 400
    body: dict[str, Any] = {"game": "tictactoe"}
    assert post("/api/position", json=body, headers={"origin": "http://evil.example"}).status_code == 403
    assert post("/api/position", json=body, headers={"origin": "null"}).status_code == 403
    assert post("/api/position", json=body, headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert post("/api/position", json=body, headers={"origin": server.url}).status_code == 200


def test_no_foreign_page_opens_a_socket(server: Any) -> None:
    url = server.url.replace("http", "ws") + "/api/live"
    with pytest.raises(InvalidStatus):
        connect(url, origin="http://evil.example")  # type: ignore[arg-type]
    with pytest.raises(InvalidStatus):
        connect(url, additional_headers={"Host": "evil.example"})


def test_headers(server: Any) -> None:
    headers = server.client.get("/").headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors 'none'" in policy


def test_a_token_is_wanted_beyond_this_machine(serve: Any) -> None:
    with serve(Catalogue(), token="secret-word") as server:
        assert server.client.get("/").status_code == 401
        assert server.client.get("/?token=wrong").status_code == 401
        assert server.client.get("/api/catalogue?token=secret-word").status_code == 401
        with pytest.raises(InvalidStatus):
            connect(server.url.replace("http", "ws") + "/api/live")
        welcome = server.client.get("/?token=secret-word")
        assert welcome.status_code == 303 and "HttpOnly" in welcome.headers["set-cookie"]
        assert "SameSite=Strict" in welcome.headers["set-cookie"]
        assert server.client.get("/").status_code == 200  # the cookie is kept


def test_rates_are_bounded(monkeypatch: pytest.MonkeyPatch, serve: Any) -> None:
    monkeypatch.setattr("outplay.ui.web.guard.BURST", 5.0)
    monkeypatch.setattr("outplay.ui.web.guard.RATE", 0.001)
    with serve(Catalogue()) as server:
        statuses = [server.client.get("/icon.svg").status_code for _ in range(8)]
    assert statuses == [200] * 5 + [429] * 3


def test_which_hosts_are_local() -> None:
    assert is_local("127.0.0.1") and is_local("localhost") and is_local("::1")
    assert not is_local("0.0.0.0") and not is_local("192.168.1.2") and not is_local("example.org")
    assert names("127.0.0.1", 8000) == ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "127.0.0.1:8000"]
    assert names("0.0.0.0", 8000) is None


def test_the_page_is_small_and_whole() -> None:
    files = [file for file in STATIC.rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) < 300_000
    for file in files:
        outside = set(re.findall(r"https?://[^\s'\"`)]+", file.read_text("utf-8")))
        assert outside <= {"http://www.w3.org/2000/svg"}, file.name


# --- the socket -----------------------------------------------------------------------------------------


@pytest.fixture
def socket(server: Any) -> Any:
    with connect(server.url.replace("http", "ws") + "/api/live", max_size=None) as live:
        yield live


def talk(live: ClientConnection, **message: Any) -> list[dict[str, Any]]:
    """Send a message and hear what comes of it, to the end."""
    live.send(json.dumps({"id": 1, **message}))
    heard = []
    while not heard or heard[-1]["type"] not in ("done", "error"):
        heard.append(json.loads(live.recv(timeout=300)))
    return heard


def test_a_move_comes_with_its_value_and_line(socket: ClientConnection) -> None:
    *_, done = talk(
        socket, type="think", game="tictactoe", actions=[0, 3, 1, 4], seat={"name": "engine", "depth": 9}
    )
    assert done["action"] == "2" and done["says"] == "won" and done["proven"] and done["texts"] == ["c1"]
    assert done["path"] == [[2, 2]]


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "uct", "random"])
def test_any_search_plays(socket: ClientConnection, name: str) -> None:
    limit = {"nodes": 500} if name == "uct" else {"depth": 2}
    *_, done = talk(socket, type="think", game="tictactoe", seat={"name": name, **limit})
    assert done["type"] == "done" and int(done["action"]) in range(9)


def test_switches_are_chosen(socket: ClientConnection) -> None:
    seat = {"name": "engine", "depth": 4, "on": "exact -killers"}
    assert talk(socket, type="think", game="tictactoe", seat=seat)[-1]["type"] == "done"
    wrong = talk(socket, type="think", game="tictactoe", seat={"name": "engine", "on": "nonsense"})
    assert "there is no switch 'nonsense'" in wrong[-1]["message"]


def test_analysis_reports_lines_and_is_stopped(socket: ClientConnection) -> None:
    socket.send(json.dumps({"type": "analyse", "id": 7, "game": "connect4", "lines": 3}))
    seen = []
    while len(seen) < 3:
        said = json.loads(socket.recv(timeout=300))
        if said["type"] == "report":
            seen.append(said)
    socket.send(json.dumps({"type": "stop", "id": 7}))
    while (said := json.loads(socket.recv(timeout=60)))["type"] != "done":
        pass
    assert said["stopped"]
    assert len(seen[-1]["lines"]) == 3 and seen[-1]["depth"] >= seen[0]["depth"]
    assert {"says", "share", "texts", "path"} <= seen[-1]["lines"][0].keys()


def test_analysis_of_a_solved_position_ends_by_itself(socket: ClientConnection) -> None:
    *reports, done = talk(socket, type="analyse", game="tictactoe", actions=[0, 3, 1, 4], lines=2)
    assert done == {"type": "done", "id": 1, "stopped": False, "reason": ""}
    assert reports[-1]["lines"][0]["says"] == "won"
    over = talk(socket, type="analyse", game="tictactoe", actions=[0, 3, 1, 4, 2])
    assert over[-1]["over"]


def test_uct_tells_of_several_moves(socket: ClientConnection) -> None:
    """Each with its visits, its value and its line; most visits first. Here three in a column must be stopped."""
    three = [3, 0, 3, 0, 3]
    *reports, _ = talk(
        socket, type="analyse", game="connect4", actions=three, search="uct", lines=3, time=0.3
    )
    lines = reports[-1]["lines"]
    assert len(lines) == 3 and lines[0]["texts"][0] == "4"
    assert len({line["texts"][0] for line in lines}) == 3 and all(len(line["texts"]) > 1 for line in lines)
    assert sum(line["visits"] for line in lines) < reports[-1]["nodes"]
    assert lines[0]["visits"] > lines[1]["visits"] >= lines[2]["visits"] > 0


def test_chance_is_analysed_move_by_move(socket: ClientConnection) -> None:
    *reports, _ = talk(socket, type="analyse", game="pig", start="90 90 1 +8", lines=2, time=0.5)
    assert {line["texts"][0] for line in reports[-1]["lines"]} == {"hold", "roll"}


def test_the_plot_has_every_position(socket: ClientConnection) -> None:
    heard = talk(socket, type="plot", game="tictactoe", actions=[0, 3, 1, 4, 2])
    points = {said["at"]: said for said in heard if said["type"] == "point"}
    assert sorted(points) == [0, 1, 2, 3, 4, 5] and points[5]["says"] == "won"


def test_socket_says_what_is_wrong(socket: ClientConnection) -> None:
    for message, line in (
        ({"type": "dance"}, "dance"),
        ({"type": "think", "game": "tictactoe"}, "seat"),
        ({"type": "think", "game": "nogame", "seat": {"name": "engine"}}, "there is no game"),
        ({"type": "think", "game": "tictactoe", "seat": {"name": "nobody"}}, "there is no"),
        ({"type": "think", "game": "tictactoe", "seat": {"name": "engine", "time": 1e9}}, "time"),
        ({"type": "think", "game": "tictactoe", "seat": {"name": "engine", "time": float("nan")}}, ""),
        ({"type": "think", "game": "pig", "seat": {"name": "engine"}}, "chance"),
        ({"type": "think", "game": "pig", "actions": [1], "seat": {"name": "random"}}, "nobody chooses"),
        (
            {"type": "think", "game": "tictactoe", "actions": [0, 3, 1, 4, 2], "seat": {"name": "engine"}},
            "over",
        ),
    ):
        *_, said = talk(socket, **message)
        assert said["type"] == "error" and line in said["message"] and "\n" not in said["message"]


def test_socket_ends_after_too_much_nonsense(socket: ClientConnection) -> None:
    with pytest.raises(ConnectionClosed):
        for _ in range(100):
            socket.send("{")
            socket.recv(timeout=60)


def test_too_many_jobs_of_one_page(socket: ClientConnection) -> None:
    for id in range(6):
        socket.send(json.dumps({"type": "analyse", "id": id, "game": "connect4"}))
    heard = [json.loads(socket.recv(timeout=300)) for _ in range(12)]
    assert any("stop a search before" in said.get("message", "") for said in heard)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
fields = st.fixed_dictionaries(
    {"type": st.sampled_from(["think", "analyse", "plot", "prepare", "stop", "x"])},
    optional={
        "id": st.integers(-5, 50) | values,
        "game": st.sampled_from(["tictactoe", "hexapawn", "tree", "pig", "nope"]) | values,
        "actions": st.lists(st.integers(-5, 20), max_size=5) | values,
        "start": st.sampled_from(["", "[1,2]", "XO./.X./..O x"]) | values,
        "seat": st.fixed_dictionaries(
            {"name": st.sampled_from(["random", "engine"])}, optional={"depth": st.just(1)}
        )
        | values,
        "time": st.sampled_from([0.01, 0.05]) | values,
        "lines": st.integers(-1, 9) | values,
        "more": values,
    },
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(message=fields | values, raw=st.none() | st.binary(max_size=50) | st.text(max_size=50))
def test_socket_survives_anything(server: Any, message: Any, raw: Any) -> None:
    """Whatever is sent, the server lives and answers the next one."""
    url = server.url.replace("http", "ws") + "/api/live"
    with connect(url) as live:
        live.send(json.dumps(message) if raw is None else raw)
        if isinstance(message, dict):
            live.send(json.dumps({**message, "id": 3, "time": 0.02}))
    assert server.client.get("/icon.svg").status_code == 200


# --- the queue ------------------------------------------------------------------------------------------


def waiting_job(heard: list[Any], id: int = 0) -> tuple[Job, threading.Event]:
    began = threading.Event()

    def work(job: Job) -> None:
        began.set()
        job.stop.wait(10)
        job.say("done", stopped=job.stop.is_set(), reason=job.reason)

    return Job(work, heard.append, id, 60.0), began


def test_jobs_queue_and_say_so() -> None:
    jobs, heard = Jobs(workers=1), []
    try:
        first, began = waiting_job(heard, 1)
        second, began_too = waiting_job(heard, 2)
        jobs.submit(first)
        assert began.wait(5)
        jobs.submit(second)
        assert heard == [{"type": "queued", "id": 2, "ahead": 0}]
        jobs.cancel(first)
        assert began_too.wait(5)
        jobs.cancel(second)
    finally:
        jobs.close()


def test_a_job_that_nobody_wants_never_runs() -> None:
    jobs, heard = Jobs(workers=1), []
    try:
        first, began = waiting_job(heard, 1)
        second, began_too = waiting_job(heard, 2)
        jobs.submit(first)
        began.wait(5)
        jobs.submit(second)
        jobs.cancel(second)
        jobs.cancel(first)
        assert not began_too.wait(0.3)
        assert {"type": "done", "id": 2, "stopped": True} in heard
    finally:
        jobs.close()


def test_moves_go_before_analyses_and_analyses_make_way() -> None:
    jobs, heard = Jobs(workers=1), []
    try:
        analysis, began = waiting_job(heard, 1)
        analysis.patient = True
        move, began_too = waiting_job(heard, 2)
        jobs.submit(analysis)
        began.wait(5)
        jobs.submit(move)
        assert began_too.wait(5)
        assert {"type": "done", "id": 1, "stopped": True, "reason": "others are waiting"} in heard
        jobs.cancel(move)
    finally:
        jobs.close()


def test_what_is_compiled_ahead_keeps_nobody_waiting() -> None:
    jobs, heard = Jobs(workers=1), []
    try:
        build, began = waiting_job(heard, 1)
        build.builds = True
        other, never = waiting_job(heard, 2)
        other.builds = True
        move, moved = waiting_job(heard, 3)
        for job in (build, other, move):
            jobs.submit(job)
        assert began.wait(5) and moved.wait(5) and not never.is_set()
        assert heard == []  # nobody is told to wait
    finally:
        jobs.close()


def test_time_is_up() -> None:
    jobs, heard = Jobs(workers=1), []
    try:
        job, began = waiting_job(heard, 1)
        job.seconds = 0.1
        jobs.submit(job)
        deadline = time.monotonic() + 5
        while not heard and time.monotonic() < deadline:
            time.sleep(0.01)
        assert heard[0]["reason"] == "its time is up"
    finally:
        jobs.close()


def test_the_queue_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "MAX_WAITING", 2)
    jobs, heard = Jobs(workers=1), []
    try:
        for id in range(3):
            job, began = waiting_job(heard, id)
            jobs.submit(job)
            if id == 0:
                began.wait(5)
        with pytest.raises(Refused, match="the machine is busy: 2 searches are waiting"):
            jobs.submit(waiting_job(heard, 9)[0])
    finally:
        jobs.close()


# --- the command ----------------------------------------------------------------------------------------


def test_the_command_prints_its_address_and_serves(tmp_path: Path) -> None:
    saved = tmp_path / "game.txt"
    saved.write_text("game: tictactoe\n\nb2 a1\n")
    command = [sys.executable, "-m", "outplay", "web", str(saved), "--port", "0"]
    here = os.environ | {"PYTHONPATH": str(Path(outplay.__file__).parents[1])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=here) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+/", line)
            assert found, line
            told = httpx.get(f"{found[0]}api/catalogue", timeout=60).json()
            assert told["opened"]["actions"] == ["4", "0"]
        finally:
            process.terminate()
            process.wait(30)


def test_bad_commands(outplay: Callable[..., Any]) -> None:
    assert "no such file" in outplay("web", "nofile.py").err
    assert "cannot listen" in outplay("web", "--host", "203.0.113.1", "--port", "1").err


def test_views_of_every_game() -> None:
    """Each shipped game: drawn with its pieces, each move with its cells or none at all."""
    catalogue = Catalogue()
    for id in catalogue.entries:
        game = catalogue.game(id)
        if game.start is None:
            continue
        told = view(Position(game.start))
        assert told["svg"].startswith("<svg") and told["svg"].count("<g ") == told["svg"].count("</g>")
        off = [move["text"] for move in told["legal"] if not move["path"]]
        assert off == {"pig": ["roll"], "go": ["pass"]}.get(id, []), id
