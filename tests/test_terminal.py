"""The terminal game: by a script, by players alone, and in a real terminal (tmux)."""

import os
import re
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

import outplay as package
from outplay.game import Board
from outplay.games import Checkers, Chess, ConnectFour, Kalah, TicTacToe
from outplay.record import read
from outplay.ui.board import MAX_COLOUR, MIN_COLOUR, picture, plain, scale_of, share, value_bar
from outplay.ui.uci.strength import strength
from outplay.ui.weaker import elo_of, weaker

# --- drawing --------------------------------------------------------------------------------------------


def test_a_plain_board() -> None:
    state = TicTacToe().result(4).result(0)
    assert plain(state).splitlines() == ["  3 . . .", "  2 . X .", "  1 O . .", "    a b c", "  X to move"]
    assert plain(ConnectFour()).splitlines()[-2:] == ["   1 2 3 4 5 6 7", "  X to move"]


def test_a_picture_is_coloured_by_owner_and_marks_the_last_move() -> None:
    before = TicTacToe().result(4)
    text = picture(before.result(0), before)
    assert text.plain.splitlines()[:3] == ["  3  ·  ·  · ", "  2  ·  X  · ", "  1  O  ·  · "]
    styles = {text.plain[span.start : span.end]: span.style for span in text.spans}
    assert MAX_COLOUR in styles[" X "] and MIN_COLOUR in styles[" O "]
    changed = str(styles[" O "]).split(" on ")[1]
    assert changed != str(styles[" X "]).split(" on ")[1]


def test_a_checkered_board_has_two_colours_of_squares() -> None:
    squares = {
        str(span.style).split(" on ")[-1] for span in picture(Checkers()).spans if " on " in str(span.style)
    }
    assert len(squares) == 2


class Silent(tuple):
    """A state that draws nothing."""

    def __str__(self) -> str:
        return "pile of 7"


class Wide(Silent):
    def board(self) -> Board:
        return Board(("ab",), files=("10", "11"))


def test_a_state_without_a_board_is_its_text() -> None:
    assert plain(Silent()) == picture(Silent()).plain == "pile of 7"


def test_labels_of_two_characters_stay_above_their_columns() -> None:
    assert plain(Wide()).splitlines() == ["    a  b", "   10 11"]


def test_every_row_of_a_picture_is_as_wide_as_the_others() -> None:
    for state in (TicTacToe(), ConnectFour(), Checkers(), Kalah()):
        rows = len(state.board().rows)
        assert len({len(line) for line in picture(state).plain.splitlines()[:rows]}) == 1


def test_a_search_with_a_limit_of_its_own_needs_no_time(outplay, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    for search, limits in (("puct:net=none,simulations=20", None), ("alphabeta", "time=1.0")):
        outplay("play", "tictactoe", "--side", "second", "--search", search, stdin=f"save {file}\n")
        assert dict(read(file.read_text()).headers).get("limits") == limits
        file.unlink()


@pytest.mark.parametrize(
    ("value", "scale", "proven", "expected"),
    [
        (0, 1, False, 0.5),
        (3, 3, False, 0.75),
        (-3, 1, False, 0.125),
        (1, 50, True, 1),
        (-2, 1, True, 0),
        (0, 1, True, 0.5),
    ],
)
def test_the_share_of_max(value: float, scale: float, proven: bool, expected: float) -> None:
    assert share(value, scale, proven) == expected


def test_the_scale_is_the_size_of_the_games_evaluations() -> None:
    assert scale_of(Silent()) == 1
    assert scale_of(ConnectFour()) == scale_of(ConnectFour()) > 5


@pytest.mark.parametrize("part", [0, 0.25, 0.5, 1])
def test_the_bar_shows_the_share(part: float) -> None:
    bar = value_bar(part, "+3")
    blocks = [bar.plain[span.start : span.end].count("█") for span in bar.spans]
    assert blocks == [24 * part, 24 * (1 - part), 0]
    assert bar.plain.startswith("  MAX ") and bar.plain.endswith(" MIN  +3")


# --- a game by script -----------------------------------------------------------------------------------


def test_moves_can_be_piped_in(outplay) -> None:
    answer = outplay("play", "tictactoe", "--side", "both", stdin="b2\na1\n\nb1\na2\nb3\n")
    assert answer.status == 0
    assert answer.out.startswith("  TicTacToe: you play X and O; help lists the commands\n")
    assert "  X> b2\n" in answer.out and "  O> a1\n" in answer.out
    assert answer.out.endswith("  X wins\n  game over: X wins\n  game over>\n")
    assert "\x1b" not in answer.out + answer.err


def test_the_end_of_the_input_ends_the_game(outplay) -> None:
    answer = outplay("play", "tictactoe", stdin="")
    assert (answer.status, answer.told) == (0, "")
    assert answer.out.endswith("  X>\n")


def test_the_machine_answers_and_tells_its_value(outplay) -> None:
    answer = outplay("play", "tictactoe", "--depth", "9", stdin="a1\nquit\n")
    assert re.search(
        r"  X> a1\n  engine plays b2  \(depth 9, [\d,]+ nodes, .*\)\n  value 0( proven)? for X\n",
        answer.out,
    )
    assert answer.out.endswith("  X> quit\n")
    second = outplay("play", "tictactoe", "--depth", "9", "--side", "second", stdin="q\n")
    assert "you play O against engine" in second.out
    assert second.out.index("engine plays ") < second.out.index("O> q")


def test_hint_moves_and_help(outplay) -> None:
    answer = outplay("play", "tictactoe", "OO./XX./... x", "--depth", "9", stdin="hint\nmoves\nhelp\n?\n")
    assert "  hint: c2  (depth " in answer.out
    assert "  value +1 proven for X\n" in answer.out
    assert "  X> moves\n  a1 b1 c1 c2 c3\n" in answer.out
    assert answer.out.count("    undo       take back your last move") == 2


def test_a_wrong_move_is_explained_and_asked_again(outplay) -> None:
    answer = outplay("play", "tictactoe", "--side", "both", stdin="b2\nb2\nnonsense\nC3\n")
    assert "  'b2' is not a legal move here; legal: a1 b1" in answer.out
    assert "  'nonsense' is not a legal move here" in answer.out
    assert "  1 . . .\n    a b c\n  X to move\n" in answer.out


def test_undo_and_redo(outplay) -> None:
    answer = outplay(
        "play", "tictactoe", "--depth", "9", stdin="undo\na1\nundo\nredo\nredo\nundo\nb2\nredo\n"
    )
    out = answer.out
    assert "  X> undo\n  nothing to take back\n" in out
    assert out.count("engine plays") == 2  # what is played again is not thought about again
    assert out.count("  3 . . .\n  2 . O .\n  1 X . .\n") == 2
    assert out.count("  3 . . .\n  2 . . .\n  1 . . .\n") == 3
    assert out.count("  nothing was taken back\n") == 2


def test_undo_after_the_end(outplay) -> None:
    answer = outplay(
        "play", "tictactoe", "XX./OO./... x", "--side", "both", stdin="c3\nhint\nmoves\nundo\nc2\n"
    )
    assert "  game over> hint\n  the game is over\n" in answer.out
    assert "  game over> moves\n  none: the game is over\n" in answer.out
    assert answer.out.endswith("  O to move\n  O>\n")


def test_save_and_go_on(outplay, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    answer = outplay("play", "tictactoe", "--side", "both", stdin=f"save\nb2\nsave {file}\na1\nsave {file}\n")
    assert "  give the name of a file: save FILE\n" in answer.out
    record = read(file.read_text())
    assert record.actions == (4, 0)
    assert dict(record.headers)["first"] == "human"
    other = tmp_path / "other.txt"
    other.write_text("my diary")
    again = outplay("play", file, stdin=f"save {other}\nc3\nsave\nc1\nsave {tmp_path / 'no' / 'file'}\n")
    assert "  2 . X .\n  1 O . .\n" in again.out
    assert f"  {other} already exists: choose another name\n" in again.out
    assert f"  saved as {file}\n" in again.out
    assert ": No such file or directory\n" in again.out
    assert read(file.read_text()).actions == (4, 0, 8)
    assert other.read_text() == "my diary"


def test_a_saved_game_goes_on_as_it_was_played(outplay, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    options = ("--side", "second", "--player", "random", "--depth", "3", "--seed", "1")
    outplay("play", "tictactoe", *options, stdin=f"save {file}\n")
    headers = dict(read(file.read_text()).headers)
    assert (headers["first"], headers["second"], headers["limits"]) == ("random", "human", "depth=3")
    again = outplay("play", file, stdin="save\n")
    assert "you play O against random" in again.out
    assert len(read(file.read_text()).actions) == 1  # the machine makes nobody's move
    assert dict(read(file.read_text()).headers)["limits"] == "depth=3"
    other = outplay("play", file, "--side", "first", "--search", "alphabeta", stdin="quit\n")
    assert "you play X against alphabeta" in other.out


@pytest.mark.parametrize(
    ("headers", "complaint"),
    [
        ("first: human\nsecond: bot.py:Bot", "add --player bot.py:Bot, or another"),
        ("limits: for ever", "limits: 'for ever' cannot be parsed"),
        ("limits: depth=0", "limits: 'depth=0' cannot be parsed"),
    ],
)
def test_headers_that_cannot_be_followed(outplay, tmp_path: Path, headers: str, complaint: str) -> None:
    file = tmp_path / "game.txt"
    file.write_text(f"game: tictactoe\n{headers}\n\na1\n")
    answer = outplay("play", file, stdin="quit\n")
    assert answer.status == 2 and complaint in answer.err


def test_after_a_resignation_nothing_can_be_played(outplay) -> None:
    answer = outplay("play", "tictactoe", "--side", "both", stdin="a1\nresign\nb2\ny\nundo\nquit\n")
    assert answer.out.count("the game is over: undo, save FILE or quit") == 2


def test_sides_have_their_names_and_a_player_may_resign(outplay, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    answer = outplay("play", "hexapawn", "--side", "both", stdin=f"flip\nfen\nresign\nsave {file}\nundo\n")
    assert "Hexapawn: you play White and Black; help lists the commands\n" in answer.out
    assert "  White> flip\n" in answer.out
    assert "\n  game over: Black wins\n  game over> save " in answer.out
    assert answer.out.endswith("  game over> undo\n  nothing to take back\n  game over>\n")
    assert (read(file.read_text()).result, read(file.read_text()).actions) == (-1, ())


def test_a_board_is_turned_around() -> None:
    state = TicTacToe().result(0).result(4)
    assert plain(state, flipped=True).splitlines()[:4] == ["  1 . . X", "  2 . O .", "  3 . . .", "    c b a"]
    assert picture(state, flipped=True).plain.splitlines()[0] == "  1  ·  ·  X "


def test_chess_is_shown_as_fen_and_pgn(outplay) -> None:
    answer = outplay("play", "chess", "--side", "both", stdin="e4\nfen\nc5\npgn\nresign\n")
    assert "  Black> fen\n  rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n" in answer.out
    assert '  [White "human"]\n' in answer.out and "\n  1. e4 c5 *\n" in answer.out
    assert "  game over: Black wins\n" in answer.out
    elsewhere = outplay("play", "tictactoe", "--side", "both", stdin="pgn\n")
    assert "  PGN is for chess; save FILE writes any game\n" in elsewhere.out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            ("connect4", "--elo", "1500"),
            "--elo is for chess: in other games limit --depth, --nodes or --time",
        ),
        (("chess", "--elo", "1500", "--depth", "3"), "--elo already limits the engine"),
    ],
)
def test_elo_is_for_chess_alone(outplay, arguments: tuple[str, ...], complaint: str) -> None:
    answer = outplay("play", *arguments)
    assert answer.status == 2 and complaint in answer.told


def test_a_weaker_opponent_goes_on_with_its_elo() -> None:
    one = weaker(Chess(), 1500, seed=3)
    assert elo_of(one.name) == 1500 and elo_of("engine") is None
    assert (one.strength, one.engine.noise, one.engine.seed) == (strength(1500), strength(1500).noise, 3)


THREE = """
from typing import NamedTuple
class Three(NamedTuple):
    players = 3
    left: int = 4
    turn: int = 0
    def player(self): return self.turn
    def actions(self): return [1, 2] if self.left > 1 else [1] if self.left else []
    def result(self, n): return Three(self.left - n, (self.turn + 1) % 3)
    def utility(self, player): return 2 if self.turn == player else -1
"""


def test_play_and_check_agree_on_three_players(outplay, tmp_path: Path) -> None:
    (tmp_path / "three.py").write_text(THREE)
    note = "Three is for 3 players: it can be checked, counted (perft) and played at random (playouts); "
    played = outplay("play", tmp_path / "three.py")
    assert played.status == 2 and played.told.startswith(f"outplay: {note}")
    checked = outplay("check", tmp_path / "three.py", "--games", "3")
    assert checked.status == 0 and checked.out.splitlines()[-1].startswith(note)
    assert outplay("perft", tmp_path / "three.py", "3").out == "4\n"


def test_players_alone(outplay) -> None:
    answer = outplay("play", "connect4", "--side", "none", "--player", "random", "--seed", "3")
    assert (
        answer.out == outplay("play", "connect4", "--side", "none", "--player", "random", "--seed", "3").out
    )
    assert answer.out.startswith("  ConnectFour: random against random\n")
    assert re.search(r"  game over: (X wins|O wins|a draw)\n$", answer.out)


def test_dice_are_rolled_and_announced(outplay) -> None:
    answer = outplay("play", "pig", "--side", "both", "--seed", "1", stdin="roll\nroll\nundo\n")
    outcomes = re.findall(r"  chance: (\d)\n", answer.out)
    assert len(outcomes) == 2
    assert outcomes == re.findall(
        r"  chance: (\d)\n", outplay("play", "pig", "--side", "both", "--seed", "1", stdin="roll\nroll\n").out
    )


def test_a_users_player_plays(outplay, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def last(record, limits): return list(record.state.actions())[-1]")
    answer = outplay("play", "connect4", "--player", f"{bot}:last", stdin="4\n")
    assert f"  {bot}:last plays 7\n" in answer.out
    bot.write_text("def last(record, limits): return 1 / 0")
    answer = outplay("play", "connect4", "--player", f"{bot}:last", stdin="4\n")
    assert answer.status == 2
    assert answer.err == f"outplay: {bot}:last failed: bot.py, line 1: ZeroDivisionError: division by zero\n"


# --- in a real terminal ---------------------------------------------------------------------------------

PATIENCE = 120  # seconds until a screen that does not come is called missing


class Terminal:
    """A command in tmux."""

    def __init__(self, *arguments: str) -> None:
        self.socket = f"outplay-{uuid.uuid4().hex[:8]}"
        command = [sys.executable, "-m", "outplay", *arguments]
        here = f"PYTHONPATH={Path(package.__file__).parents[1]}"
        script = f"trap : INT; env {here} {' '.join(command)}; echo status $?; exec cat"
        self.tmux("-f", os.devnull, "new-session", "-d", "-x", "90", "-y", "40", "sh", "-c", script)

    def tmux(self, *arguments: str) -> str:
        command = ["tmux", "-L", self.socket, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def type(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def wait(self, pattern: str) -> str:
        """The screen, once it shows the pattern."""
        screen = ""
        for _ in range(PATIENCE * 10):
            screen = self.tmux("capture-pane", "-p")
            if re.search(pattern, screen):
                return screen
            time.sleep(0.1)
        raise AssertionError(f"{pattern!r} does not appear in\n{screen}")


@pytest.fixture
def terminal() -> Iterator[type[Terminal]]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is missing: the terminal game is not tried in a terminal")
    opened = []

    def start(*arguments: str) -> Terminal:
        opened.append(Terminal(*arguments))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.tmux("kill-server")


def test_a_game_in_a_terminal(terminal) -> None:
    game = terminal("play", "tictactoe", "--depth", "9")
    assert "3  ·  ·  ·" in game.wait("X>")
    game.type("a1", "Enter")
    screen = game.wait(r"engine plays b2(?s:.*)X>")
    assert "2  ·  O  ·" in screen and "1  X  ·  ·" in screen
    assert "X ████████████" in screen
    game.type("hint", "Enter")
    game.wait("hint: ")
    game.type("undo", "Enter")
    game.wait(r"(?s:hint: .*2  ·  ·  ·.*X>)")
    game.type("quit", "Enter")
    game.wait("status 0")
    colours = game.tmux("capture-pane", "-p", "-e")
    assert "\x1b[" in colours


def test_interrupt_and_end_of_input_leave_cleanly(terminal) -> None:
    for key, status in (("C-c", 130), ("C-d", 0)):
        game = terminal("play", "tictactoe", "--side", "both")
        game.wait("X>")
        game.type(key)
        screen = game.wait("status ")
        assert f"status {status}" in screen and "Traceback" not in screen


def test_interrupt_is_heard_while_native_code_thinks(terminal) -> None:
    game = terminal("play", "connect4", "--side", "second", "--depth", "40")
    game.wait("thinking|compiling")
    game.wait("thinking(?!(?s:.*)compiling)")
    game.type("C-c")
    screen = game.wait("status ")
    assert "status 130" in screen and "Traceback" not in screen
