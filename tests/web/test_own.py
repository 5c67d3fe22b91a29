"""A user's own game on the page: what shows only in play is found out in a process that can be ended."""

from pathlib import Path
from typing import Any

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
        answer = server.client.post("/api/tree", json={"game": "keyed", "depth": 2})
        assert answer.status_code == 422
        assert "Keyed.key() cannot be the contract's key()" in answer.text
        assert "call it something else" in answer.text
