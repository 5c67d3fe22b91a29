"""A user's own game on the page: what shows only in play is found out in a process that can be ended."""

import json
from pathlib import Path
from typing import Any

from tests.web.conftest import opened

GAME = """
from typing import NamedTuple

class {name}(NamedTuple):
    left: int = 6
    turn: str = "X"

    def player(self):
        return 0 if self.turn == "X" else 1

    def actions(self):
        return [take for take in (1, 2) if take <= self.left]

    def result(self, take):
        return {name}(self.left - take, "O" if self.turn == "X" else "X")

    def terminal(self):
        return self.left == 0

    def utility(self):
        return -1 if self.turn == "X" else 1

    def evaluate(self):
        return self.left / 4
{more}
"""


def test_evaluations_that_are_floats_and_helpers_named_like_hooks(command: Any, tmp_path: Path) -> None:
    floats, key = tmp_path / "floats.py", tmp_path / "key.py"
    floats.write_text(GAME.format(name="Floats", more=""))
    key.write_text(GAME.format(name="Keyed", more="\n    def key(self):\n        return self.left % 2\n"))
    with command(str(floats), str(key), OUTPLAY_JIT="0") as server:
        assert "0.5" in server.client.post("/api/tree", json={"game": "floats", "depth": 4}).text
        assert "0.5" in server.client.post("/api/tree", json={"game": "keyed", "depth": 4}).text


ROWS = """
from typing import NamedTuple

class Rows(NamedTuple):
    cells: tuple = (None, None, None)
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return {(0, i) for i, cell in enumerate(self.cells) if cell is None}

    def result(self, place):
        return Rows(tuple("XO"[self.turn] if i == place[1] else c for i, c in enumerate(self.cells)), 1 - self.turn)

    def terminal(self):
        return None not in self.cells

    def utility(self):
        return 1 if self.cells[1] == "X" else -1
"""


def test_fields_that_hold_anything_and_actions_that_are_no_ints(command: Any, tmp_path: Path) -> None:
    (tmp_path / "rows.py").write_text(ROWS)
    with command(str(tmp_path / "rows.py"), OUTPLAY_JIT="0") as server:
        found = server.ask("position", game="rows")
        assert [action["text"] for action in found["legal"]] == ["(0,0)", "(0,1)", "(0,2)"]
        played = server.ask("position", game="rows", actions=[found["legal"][1]["action"]])
        assert [move["text"] for move in played["moves"]] == ["(0,1)"]
        with server.connect() as live:
            seat = {"name": "engine", "depth": 9}
            live.send(json.dumps({"id": 1, "type": "think", "game": "rows", "seat": seat}))
            while (said := json.loads(live.recv(timeout=60)))["type"] not in ("done", "error"):
                pass
        assert said["type"] == "done", said
        assert said["proven"]


WORDY = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Wordy:
    price: float = 0.1234567890123456
    cells: tuple = (" ", "X", "O", " ") * 6
    turn: int = 0

    def player(self):
        return self.turn % 2

    def actions(self):
        return ["wait", "buy"] if self.turn < 4 else []

    def result(self, action):
        return Wordy(self.price * 3, self.cells, self.turn + 1)

    def utility(self):
        return 0
"""


def test_fields_are_told_as_people_read_them(command: Any, tmp_path: Path) -> None:
    """Neither quotes nor brackets, and no number longer than it is exact."""
    (tmp_path / "rows.py").write_text(ROWS)
    (tmp_path / "wordy.py").write_text(WORDY)
    with command(str(tmp_path / "rows.py"), str(tmp_path / "wordy.py"), OUTPLAY_JIT="0") as server:
        assert server.ask("position", game="rows")["note"] == "cells · · ·, turn 0"
        words = server.ask("position", game="wordy")["note"]
        assert words == f"price 0.123457, cells {' '.join('·XO·' * 6)}, turn 0"


def test_chance_that_deals_texts(command: Any) -> None:
    hidden = f"{Path(__file__).parents[1] / 'classkinds.py'}:Hidden"
    with command(hidden, OUTPLAY_JIT="0") as server:
        dealt = server.ask("roll", game="hidden")["action"]
        found = server.ask("position", game="hidden", actions=[dealt])
        assert len(found["moves"]) == 1


SPILT = """() => [...document.querySelectorAll('.thumb:has(.thumb-words)')].filter((thumb) => {
  const [around, box] = [thumb, thumb.firstChild].map((one) => one.getBoundingClientRect());
  const wide = thumb.firstChild.scrollWidth > thumb.firstChild.clientWidth;
  return wide || box.left < around.left || box.right > around.right || box.top < around.top
    || box.bottom > around.bottom;
}).length"""


def test_a_state_in_words_fits_its_card(command: Any, chromium: Any, tmp_path: Path) -> None:
    """However long it is, and whatever words it has."""
    (tmp_path / "wordy.py").write_text(WORDY)
    with (
        command(str(tmp_path / "wordy.py"), OUTPLAY_JIT="0") as server,
        opened(server, chromium, reduced_motion="reduce") as table,
    ):
        table.open("#home").page.wait_for_selector("[data-game=wordy] .thumb-words")
        for width, height in ((360, 640), (390, 844), (820, 1180), (1440, 900)):
            table.page.set_viewport_size({"width": width, "height": height})
            table.lies_still(".thumb-words")
            assert table.page.evaluate("document.documentElement.scrollWidth") <= width
            assert table.page.evaluate(SPILT) == 0
