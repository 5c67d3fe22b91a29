"""The server without a browser: what it tells, what it refuses, what it bounds."""

import asyncio
import gzip
import json
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from outplay.game import CHANCE, GameError
from outplay.gamefile import from_sgf
from outplay.ui.web import jobs as jobs_module
from outplay.ui.web import pagefiles
from outplay.ui.web.catalogue import Catalogue, Refused
from outplay.ui.web.jobs import Job, Jobs
from outplay.ui.web.live import Connection, Live
from outplay.ui.web.schema import Prepare, Seat, Think
from outplay.ui.web.server import is_local, names
from outplay.ui.web.view import Position, Positions, moved, view
from tests.web.conftest import COMPILED, LOST, PATIENCE

STATIC = Path(jobs_module.__file__).parent / "static"
KEY = 32 * b"k"


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
    positions = Positions(Catalogue(), KEY)
    first = positions.at("tictactoe", "", [4, 0])
    assert positions.at("tictactoe", "", [4, 0, 8]).before is first
    with pytest.raises(Refused, match="move 2: action 4 is not legal there"):
        positions.at("tictactoe", "", [4, 4])
    with pytest.raises(Refused, match="move 6 comes after the end"):
        positions.at("tictactoe", "", [0, 3, 1, 4, 2, 5])


def test_a_position_that_comes_back_is_a_draw() -> None:
    positions = Positions(Catalogue(), KEY)
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
    positions = Positions(Catalogue([str(broken)]), KEY)
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


def test_a_class_that_is_called_is_a_bot(tmp_path: Path) -> None:
    bot = tmp_path / "mybot.py"
    bot.write_text("class Bot:\n    def __call__(self, record, limits):\n        return 0\n")
    assert list(Catalogue([f"{bot}:Bot"]).bots) == ["mybot"]


ONE_PILE = """
from typing import NamedTuple
class Pile(NamedTuple):
    n: int = 3
    def player(self): return 0
    def actions(self): return [1] if self.n else []
    def result(self, a): return Pile(self.n - a)
    def utility(self): return 0
"""


@pytest.mark.parametrize(
    ("more", "line"),
    [
        (
            "    players = 3\n    def utility(self, player): return 0\n",
            "is a game for 3 players: the page seats two",
        ),
    ],
)
def test_games_that_the_page_cannot_show_are_refused_in_a_line(
    outplay: Callable[..., Any], tmp_path: Path, more: str, line: str
) -> None:
    (tmp_path / "pile.py").write_text(ONE_PILE + more)
    said = outplay("web", str(tmp_path / "pile.py"), "--port", "0")
    assert said.status and line in said.err and said.err.count("\n") == 1


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
        "tree": [{"up": -1, "action": "108"}, {"up": 0, "action": "120"}],
    }  # fmt: skip
    record = from_sgf("(;SZ[9];B[ee];W[dd])")
    assert from_sgf(notation.write("go", record, "sgf")).actions == record.actions


def test_only_so_many_sizes_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = Catalogue()
    monkeypatch.setattr("outplay.ui.web.catalogue.MAX_VARIANTS", 1)
    catalogue.game("hexapawn:width=4")
    with pytest.raises(Refused, match="too many sizes"):
        catalogue.game("hexapawn:width=5")


# --- what is refused ------------------------------------------------------------------------------------

BAD: list[tuple[str, Any, str]] = [
    ("position", {"game": "nochess"}, "there is no game"),
    ("game", {"game": ""}, "there is no game"),
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
    ("roll", {"game": "tictactoe"}, "not chance's turn"),
    ("tree", {"game": "connect4"}, "events"),
    ("tree", {"game": "tictactoe", "search": "nosearch"}, "unknown search"),
    ("tree", {"game": "tictactoe", "depth": 0}, "depth"),
    ("tree", {"game": "pig", "search": "minimax", "depth": 2}, "does not fit"),
    ("read", {"text": ""}, "nothing to read"),
    ("read", {"text": "xyz", "game": "chess"}, "xyz"),
    ("read", {"text": "1. e5)!", "game": "chess"}, "e5"),
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
    for origin in ("null", "http://[", "http://", "x"):
        assert post("/api/position", json=body, headers={"origin": origin}).status_code == 403
    assert post("/api/position", json=body, headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert post("/api/position", json=body, headers={"origin": server.url}).status_code == 200


def test_no_foreign_page_opens_a_socket(server: Any) -> None:
    with pytest.raises(InvalidStatus):
        server.connect(origin="http://evil.example")
    with pytest.raises(InvalidStatus):
        server.connect(additional_headers={"Host": "evil.example"})


def test_headers(server: Any) -> None:
    headers = server.client.get("/").headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors 'none'" in policy


def test_nothing_is_told_without_the_token(server: Any) -> None:
    with httpx.Client(base_url=server.url) as stranger:
        for path in (
            "/",
            "/?token=wrong",
            "/main.js",
            "/api/catalogue?token=" + server.address.rpartition("=")[2],
        ):
            assert stranger.get(path).status_code == 401
        with pytest.raises(InvalidStatus):
            connect(server.url.replace("http", "ws") + "/api/live")
        welcome = stranger.get(server.address)
        assert welcome.status_code == 303 and welcome.headers["location"] == "/"
        assert "HttpOnly; SameSite=Strict" in welcome.headers["set-cookie"]
        assert server.address.rpartition("=")[2] not in welcome.headers["set-cookie"]
        assert stranger.get("/").status_code == 200  # the cookie is kept
        assert stranger.cookies != server.client.cookies
        [(name, value)] = stranger.cookies.items()
        stranger.cookies.clear()
        for forged in (value[:-1], "x" + value, ".", value.partition(".")[2], ""):
            assert stranger.get("/", headers={"cookie": f"{name}={forged}"}).status_code == 401


def test_nobody_says_that_he_is_another(monkeypatch: pytest.MonkeyPatch, serve: Any) -> None:
    """The rate is that of the client, whatever a proxy is said to have said."""
    monkeypatch.setattr("outplay.ui.web.guard.BURST", 5.0)
    monkeypatch.setattr("outplay.ui.web.guard.RATE", 0.001)
    with serve(Catalogue()) as server, httpx.Client(base_url=server.url) as stranger:
        said = [stranger.get("/", headers={"x-forwarded-for": f"10.0.0.{n}"}).status_code for n in range(8)]
    assert said == [401] * 4 + [429] * 4  # the tests' own first request came from the same address


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
    sent = [pagefiles.page_text(), *(text for text, _ in pagefiles.files().values())]
    assert sum(len(gzip.compress(text.encode())) for text in sent) < 90_000
    for file in [file for file in STATIC.rglob("*") if file.is_file()]:
        outside = set(re.findall(r"https?://[^\s'\"`)]+", file.read_text("utf-8")))
        assert outside <= {"http://www.w3.org/2000/svg"}, file.name


# --- the socket -----------------------------------------------------------------------------------------


@pytest.fixture
def socket(server: Any) -> Any:
    with server.connect() as live:
        yield live


def talk(live: ClientConnection, patience: float = PATIENCE, **message: Any) -> list[dict[str, Any]]:
    """Send a message and hear what comes of it, to the end."""
    live.send(json.dumps({"id": 1, **message}))
    heard = []
    while not heard or heard[-1]["type"] not in ("done", "error"):
        heard.append(json.loads(live.recv(timeout=patience)))
    return heard


def test_a_move_comes_with_its_value_and_line(socket: ClientConnection) -> None:
    *_, done = talk(
        socket, type="think", game="tictactoe", actions=[0, 3, 1, 4], seat={"name": "engine", "depth": 9}
    )
    assert done["action"] == "2" and done["says"] == "won" and done["proven"] and done["texts"] == ["c1"]
    assert done["path"] == [[2, 2]]


def test_compiled_code_says_the_same(socket: ClientConnection, compiling: Any) -> None:
    """Where only one move does not lose."""
    asked = {
        "type": "think", "game": "tictactoe", "actions": [0, 4, 1], "seat": {"name": "engine", "depth": 9},
    }  # fmt: skip
    with compiling.connect() as native:
        *_, fast = talk(native, COMPILED, **asked)
    *_, slow = talk(socket, **asked)
    for said in (fast, slow):
        assert said["action"] == "2" and said["says"] == "draw" and said["proven"]
        assert said["path"] == [[2, 2]] and not said["quick"]


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "uct", "random"])
def test_any_search_plays(socket: ClientConnection, name: str) -> None:
    limit = {"nodes": 500} if name == "uct" else {"depth": 2}
    *_, done = talk(socket, type="think", game="tictactoe", seat={"name": name, **limit})
    assert done["type"] == "done" and int(done["action"]) in range(9)


def test_switches_are_chosen(socket: ClientConnection) -> None:
    seat = {"name": "engine", "depth": 4, "on": "exact -killers"}
    assert talk(socket, type="think", game="tictactoe", seat=seat)[-1]["type"] == "done"
    wrong = talk(socket, type="think", game="tictactoe", seat={"name": "engine", "on": "nonsense"})
    assert "unknown switch 'nonsense'" in wrong[-1]["message"]


def test_analysis_reports_lines_and_is_stopped(socket: ClientConnection) -> None:
    socket.send(json.dumps({"type": "analyse", "id": 7, "game": "connect4", "lines": 3}))
    seen = []
    while len(seen) < 3:
        said = json.loads(socket.recv(timeout=PATIENCE))
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
    asked = {"type": "analyse", "game": "connect4", "actions": three, "search": "uct", "lines": 3}
    socket.send(json.dumps({"id": 1, **asked}))
    while (said := json.loads(socket.recv(timeout=PATIENCE))).get(
        "nodes", 0
    ) < 400:  # however long that takes
        pass
    lines = said["lines"]
    assert len(lines) == 3 and lines[0]["texts"][0] == "4"
    assert len({line["texts"][0] for line in lines}) == 3 and all(len(line["texts"]) > 1 for line in lines)
    assert sum(line["visits"] for line in lines) < said["nodes"]
    assert lines[0]["visits"] > lines[1]["visits"] >= lines[2]["visits"] > 0


def test_chance_is_analysed_move_by_move(socket: ClientConnection) -> None:
    *reports, _ = talk(socket, type="analyse", game="pig", start="90 90 1 +8", lines=2, time=0.5)
    assert {line["texts"][0] for line in reports[-1]["lines"]} == {"hold", "roll"}


def test_a_review_judges_every_move(compiling: Any) -> None:
    """O takes a corner, a blunder, and what was better leads to a draw.

    A review has little time for a move: plain Python would not always prove the draw.
    """
    with compiling.connect() as native:
        asked = {"start": LOST["start"], "actions": LOST["actions"]}
        heard = talk(native, COMPILED, type="review", game="tictactoe", **asked)
    judged = {said["at"]: said for said in heard if said["type"] == "judged"}
    assert sorted(judged) == [1, 2, 3, 4] and judged[4]["says"] == "won" and judged[4]["share"] == 1
    assert judged[1]["verdict"] == "blunder" and judged[1]["before"]["says"] == "draw" and judged[1]["better"]
    assert heard[-1]["sides"][0]["blunder"] == 0 and heard[-1]["sides"][1]["blunder"] >= 1


def test_socket_says_what_is_wrong(socket: ClientConnection) -> None:
    for message, line in (
        ({"type": "dance"}, "dance"),
        ({"type": "think", "game": "tictactoe"}, "seat"),
        ({"type": "think", "game": "nogame", "seat": {"name": "engine"}}, "there is no game"),
        ({"type": "think", "game": "tictactoe", "seat": {"name": "nobody"}}, "unknown search"),
        ({"type": "think", "game": "tictactoe", "seat": {"name": "engine", "time": 1e9}}, "time"),
        ({"type": "think", "game": "tictactoe", "seat": {"name": "engine", "time": float("nan")}}, ""),
        ({"type": "think", "game": "pig", "seat": {"name": "engine"}}, "chance"),
        ({"type": "think", "game": "pig", "actions": [1], "seat": {"name": "random"}}, "no player chooses"),
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
    heard = [json.loads(socket.recv(timeout=PATIENCE)) for _ in range(12)]
    assert any("stop a search before" in said.get("message", "") for said in heard)


def test_games_that_are_looked_through_do_not_count_as_searches() -> None:
    """What is compiled ahead of time for a game that was left gives up its place; searches keep theirs."""

    class Queue:
        waiting: ClassVar[list[Any]] = []

        def submit(self, job: Any) -> None:
            self.waiting.append(job)

        def drop(self, job: Any) -> None:
            if job in self.waiting:
                self.waiting.remove(job)
                job.say("done", stopped=True)

    async def asked() -> list[dict[str, Any]]:
        connection = Connection(Live(Catalogue(), Queue()), None, "somebody")  # type: ignore[arg-type]
        seat = Seat(name="engine")
        for id, game in enumerate(("chess", "go", "othello", "checkers", "kalah", "kalah")):
            connection.begin(Prepare(type="prepare", id=id, game=game, seat=seat))
        connection.begin(Think(type="think", id=9, game="kalah", seat=seat))
        await asyncio.sleep(0)
        return [connection.out.get_nowait() for _ in range(connection.out.qsize())]

    with ThreadPoolExecutor(1) as pool:  # a browser of other tests may have an event loop in this thread
        heard = pool.submit(asyncio.run, asked()).result()
    assert [job.id for job in Queue.waiting] == [4, 5, 9]
    assert [said["id"] for said in heard] == [0, 1, 2, 3] and all(said["type"] == "done" for said in heard)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
fields = st.fixed_dictionaries(
    {"type": st.sampled_from(["think", "analyse", "review", "grow", "prepare", "stop", "x"])},
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
    with server.connect() as live:
        live.send(json.dumps(message) if raw is None else raw)
        if isinstance(message, dict):
            live.send(json.dumps({**message, "id": 3, "time": 0.02}))
    assert server.client.get("/icon.svg").status_code == 200


# --- the queue ------------------------------------------------------------------------------------------


class Waiter:
    """A worker whose jobs wait to be stopped; in place of a process."""

    def __init__(self, polite: bool = False, plain: bool = False) -> None:
        pass

    def run(self, job: Job, due: Callable[[], str]) -> bool:
        job.say("began")
        while not (why := due()):
            time.sleep(0.005)
        job.say("done", reason=why)
        return job.answers != "hostile"

    def close(self) -> None:
        pass


class Queue:
    """A queue, and what its jobs say."""

    def __init__(self, workers: int = 1) -> None:
        self.jobs, self.heard = Jobs(Waiter, workers), []
        self.numbers = iter(range(1, 1000))

    def add(
        self,
        what: str = "think",
        client: str = "ann",
        seconds: float = 60.0,
        own: str = "",
        compiling: bool = False,
    ) -> Job:
        job = Job(what, "{}", client, self.heard.append, seconds, next(self.numbers), own)
        job.compiling = compiling
        self.jobs.submit(job)
        return job

    def wait(self, type: str, job: Job) -> Any:
        """What a job says at last."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            for said in list(self.heard):
                if said["type"] == type and said["id"] == job.id:
                    return said
            time.sleep(0.005)
        raise AssertionError(f"{type} is not heard of job {job.id}: {self.heard}")

    def began(self) -> list[int]:
        return [said["id"] for said in self.heard if said["type"] == "began"]


@pytest.fixture
def queue() -> Any:
    found = Queue()
    yield found
    found.jobs.close()


def test_jobs_queue_and_say_so(queue: Queue) -> None:
    first = queue.add()
    queue.wait("began", first)
    second, third = queue.add(), queue.add()
    assert queue.wait("queued", second)["ahead"] == 0 and queue.wait("queued", third)["ahead"] == 1
    queue.jobs.cancel(third)
    assert queue.wait("done", third)["stopped"]
    queue.jobs.cancel(first)
    queue.wait("began", second)
    assert queue.began() == [first.id, second.id]  # what nobody wants never runs


def test_moves_go_before_analyses(queue: Queue) -> None:
    first = queue.add()
    queue.wait("began", first)
    analysis, move = queue.add("analyse"), queue.add()
    for job in (first, move, analysis):
        queue.wait("began", job)
        queue.jobs.cancel(job)
    assert queue.began() == [first.id, move.id, analysis.id]


def test_trees_have_a_lane_of_their_own(queue: Queue) -> None:
    """They run beside moves, one after the other."""
    move = queue.add()
    queue.wait("began", move)
    tree, next_tree = queue.add("tree"), queue.add("tree")
    queue.wait("began", tree)
    assert queue.began() == [move.id, tree.id]
    queue.jobs.cancel(tree)
    queue.wait("began", next_tree)


def test_an_analysis_makes_way(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    analysis = queue.add("analyse")
    queue.wait("began", analysis)
    queue.wait("began", queue.add())
    assert queue.wait("done", analysis)["reason"] == "others are waiting"


def test_who_has_used_less_goes_first(queue: Queue) -> None:
    """A client that fills the queue keeps nobody else waiting."""
    first = queue.add(client="eve")
    queue.wait("began", first)
    flood = [queue.add(client="eve") for _ in range(5)]
    fair = queue.add(client="bob")
    time.sleep(0.05)
    queue.jobs.cancel(first)
    queue.wait("began", fair)
    assert queue.began() == [first.id, fair.id]
    queue.jobs.cancel(fair)
    queue.wait("began", flood[0])  # hers in their order


def test_a_move_that_takes_long_makes_way_for_who_has_used_less(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(jobs_module.SLICE, "searches", 0.05)
    long = queue.add(client="eve")
    queue.wait("began", long)
    own = queue.add(client="eve")
    time.sleep(0.1)
    assert queue.began() == [long.id]  # her own next one waits
    queue.wait("began", queue.add(client="bob"))
    assert queue.wait("done", long)["reason"] == "others are waiting"
    queue.jobs.cancel(own)


@pytest.mark.parametrize("blamed", ["client", "own"])
def test_a_lane_is_kept_from_who_breaks_the_rules(blamed: str) -> None:
    """A client, or a bot of the user's: clients that ask for it come under new names."""
    queue = Queue(workers=2)
    names = (f"client {number}" for number in range(10))

    def hostile() -> Job:
        return (
            queue.add(client="hostile")
            if blamed == "client"
            else queue.add(client=next(names), own="hostile")
        )

    try:
        first = hostile()
        queue.wait("began", first)
        queue.jobs.cancel(first)
        queue.wait("done", first)
        again = hostile()
        queue.wait("began", again)
        more = hostile()
        fair = queue.add(client="bob")
        queue.wait("began", fair)
        assert more.id not in queue.began()
        queue.jobs.cancel(fair)
        queue.wait("began", queue.add(client="bob"))  # before those that wait longer
        assert more.id not in queue.began()
    finally:
        queue.jobs.close()


def test_who_breaks_the_rules_makes_way(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    """And goes after everybody else, though it came first and has used nothing."""
    monkeypatch.setattr(jobs_module, "MAKE_WAY", 0.05)
    first = queue.add(own="hostile")
    queue.wait("began", first)
    queue.jobs.cancel(first)
    queue.wait("done", first)
    again, more = (queue.add(client=name, own="hostile") for name in ("eve", "zoe"))
    queue.wait("began", again)
    time.sleep(0.1)
    assert not any(said["type"] == "done" and said["id"] == again.id for said in queue.heard)  # for its like
    fair = queue.add(client="bob")
    queue.wait("began", fair)
    assert queue.wait("done", again)["reason"] == "others are waiting" and more.id not in queue.began()


def test_what_is_compiled_ahead_keeps_nobody_waiting(queue: Queue) -> None:
    build, other, move = queue.add("prepare"), queue.add("prepare"), queue.add()
    queue.wait("began", build)
    queue.wait("began", move)
    assert other.id not in queue.began() and not any(said["type"] == "queued" for said in queue.heard)


def test_time_is_up_but_not_while_compiling(queue: Queue) -> None:
    job = queue.add(seconds=0.05, compiling=True)
    queue.wait("began", job)
    time.sleep(0.1)
    assert not any(said["type"] == "done" for said in queue.heard)
    job.compiling = False
    assert queue.wait("done", job)["reason"] == "its time is up"


def test_the_queue_is_bounded(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    """One client's part of it at first: the others still come in."""
    for _ in range(jobs_module.MAX_OF_ONE["searches"]):
        queue.add(client="eve")
    with pytest.raises(Refused, match="you have too many requests"):
        queue.add(client="eve")
    queue.add(client="bob")
    monkeypatch.setattr(jobs_module, "MAX_WAITING", len(queue.jobs.waiting))
    with pytest.raises(Refused, match="the server is busy"):
        queue.add(client="zoe")


# --- the command ----------------------------------------------------------------------------------------


def test_the_command_prints_its_address_and_serves(command: Any, tmp_path: Path) -> None:
    saved = tmp_path / "game.txt"
    saved.write_text("game: tictactoe\n\nb2 a1\n")
    with command(str(saved)) as server:
        assert server.client.get("/api/catalogue").json()["opened"]["actions"] == ["4", "0"]
        assert server.ask("position", game="tictactoe")["player"] == 0


def test_bad_commands(outplay: Callable[..., Any]) -> None:
    assert "no such file" in outplay("web", "nofile.py").err
    assert "cannot listen" in outplay("web", "--host", "203.0.113.1", "--port", "1").err
    assert "--host needs an address" in outplay("web", "--host", "").err


def test_views_of_every_game() -> None:
    """Each shipped game: drawn with its pieces, each move with its cells or none at all."""
    catalogue = Catalogue()
    for id in catalogue.entries:
        game = catalogue.game(id)
        if game.start is None:
            continue
        told = view(Position(game.start))
        assert told["svg"].startswith("<svg") and told["svg"].count("<g ") == told["svg"].count("</g>")
        if game.start.player() == CHANCE:
            continue
        off = [move["text"] for move in told["legal"] if not move["path"]]
        assert off == {"pig": ["roll"], "go": ["pass"]}.get(id, []), id
