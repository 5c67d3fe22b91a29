"""The first minutes on a machine where nothing has been compiled yet: nobody waits for the compiler."""

from pathlib import Path
from typing import Any

from tests.web.conftest import opened

HUMAN = {"name": "human"}


def compiled(home: Path) -> list[str]:
    """What the compiler has left there."""
    return [file.name for file in home.rglob("*") if file.suffix in (".nbi", ".nbc", ".o", ".so")]


def test_an_empty_cache_keeps_nobody_waiting(command: Any, chromium: Any, tmp_path: Path) -> None:
    """Small trees and quizzes need no compiler; the first move is found by plain Python, and a word says so."""
    with (
        command(OUTPLAY_JIT="1", OUTPLAY_CACHE=str(tmp_path)) as server,
        opened(server, chromium, viewport={"width": 1280, "height": 860}) as table,
    ):
        page = table.page
        table.open("#tree?game=tree&search=alphabeta&start=[[3,12,8],[2,4,6],[14,5,2]]")
        page.wait_for_selector(".tree .node")
        table.open("#tree?game=tictactoe&search=alphabeta&start=XO./.X./..O x")
        page.wait_for_selector(".tree .node")
        table.open("#quiz?kind=alphabeta&depth=2&branching=3&seed=1")
        page.wait_for_selector(".quiz input")
        assert compiled(tmp_path) == []
        table.begin("othello", HUMAN, {"name": "engine", "level": 4})
        table.play(table.position()["legal"][0])
        table.wait("plain Python has found this move", "#toast")
        table.wait("Black to move")
        assert len(table.record["actions"]) == 2
