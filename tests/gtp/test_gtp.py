"""What a controller sees: every command of the protocol, clear refusals, and a program that lives on."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay.arena import Conditions, Match, TimeControl
from outplay.gamefile import from_sgf
from outplay.games.go.sgf import read_sgf
from outplay.limits import Limits
from outplay.ui.gtp import handicap
from outplay.ui.gtp.clock import Clock, Settings, kgs_settings, settings_of
from outplay.ui.gtp.commands import Engine
from outplay.ui.gtp.protocol import Conversation, split

WANTED = """
protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove undo
reg_genmove fixed_handicap place_free_handicap set_free_handicap time_settings time_left final_score
final_status_list loadsgf showboard kgs-time_settings kgs-genmove_cleanup gogui-analyze_commands
"""
OUTPLAY = [sys.executable, "-m", "outplay", "gtp"]


class Controller:
    """Talks to an engine in the same process."""

    def __init__(self, game: str = "go:size=5", search: str = "random", resign: float = 0) -> None:
        self.answers: list[str] = []
        self.engine = Engine(game, search, Limits(time=0.05), resign)
        self.conversation = Conversation(self.engine.commands(), self.answers.append)

    def ask(self, *commands: str) -> str:
        """The answer to the last command, without the empty line after it."""
        for command in commands:
            self.conversation.obey(command)
        assert self.answers[-1].endswith("\n\n")
        return self.answers[-1][:-2]


@pytest.fixture
def five() -> Controller:
    return Controller()


# --- the protocol ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("name\n", ("", ["name"])),
        ("  12 play\tblack A1 # why not\r\n", ("12", ["play", "black", "A1"])),
        ("# a remark", ("", [])),
        ("\x07na\x01me", ("", ["name"])),
        ("7", ("7", [])),
        ("1a name", ("", ["1a", "name"])),
    ],
)
def test_lines(line: str, found: tuple[str, list[str]]) -> None:
    assert split(line) == found


def test_ids_are_given_back(five: Controller) -> None:
    assert five.ask("3 protocol_version") == "=3 2"
    assert five.ask("4 nonsense") == "?4 unknown command"
    assert five.ask("name") == "= Outplay"
    assert five.ask("5") == "?5 a command is missing"


def test_empty_lines_are_passed_over(five: Controller) -> None:
    for line in ("", "   ", "# nothing", "\n"):
        assert five.conversation.obey(line)
    assert five.answers == []


def test_known_commands(five: Controller) -> None:
    listed = five.ask("list_commands")[2:].split()
    for wanted in WANTED.split():
        assert wanted in listed
        assert five.ask(f"known_command {wanted}") == "= true"
    assert five.ask("known_command dance") == "= false"
    assert "komi" not in Controller("othello").ask("list_commands")


def test_what_gogui_may_ask_is_known(five: Controller) -> None:
    known = five.ask("list_commands")[2:].split()
    for line in five.ask("gogui-analyze_commands")[2:].splitlines():
        kind, label, command = line.split("/")
        assert command.split()[0] in known
        assert kind in ("dboard", "sboard", "string", "var", "plist")
        assert label


@settings(max_examples=200)
@given(st.text(max_size=60) | st.sampled_from(["play", "komi", "boardsize", "undo", "time_left", "loadsgf"]))
def test_whatever_is_said_is_answered(line: str) -> None:
    controller = Controller()
    for part in line.splitlines() or [line]:
        words = split(part)[1]
        if words[:1] == ["quit"]:
            continue
        before = len(controller.answers)
        assert controller.conversation.obey(part)
        assert len(controller.answers) == before + bool(words or split(part)[0])
    assert controller.ask("name") == "= Outplay"


SESSION = """1 protocol_version
2 boardsize 5
3 clear_board
4 komi 6.5
5 play black C3
6 play white pass
7 genmove black
8 reg_genmove white
9 undo
10 gg-undo 2
11 fixed_handicap 2
12 set_free_handicap B2 D4
13 time_settings 60 30 5
14 time_left black 10 0
15 kgs-time_settings byoyomi 60 10 3
16 showboard
17 is_legal black A1
18 all_legal white
20 list_stones black
21 color C3
22 gogui-play_sequence b A1 w A2
23 known_command play
24 outplay-value""".splitlines()
LINES = 3_000


def test_garbled_sessions_are_answered_line_by_line() -> None:
    """Lines of real sessions with words lost, doubled, exchanged and garbled: one answer each, with the line's id."""
    five = Controller()
    dice = random.Random(1)
    vocabulary = sorted(
        {word for line in SESSION for word in line.split()[1:]} | {"", "-1", "9" * 30, "nan", "1e999"}
    )
    for number in range(LINES):
        words = dice.choice(SESSION).split()[1:]
        for _ in range(dice.choice((0, 0, 1, 1, 2, 4))):
            at = dice.randrange(len(words) + 1)
            words[at : at + dice.randrange(3)] = dice.choices(vocabulary, k=dice.randrange(3))
        before = len(five.answers)
        assert five.conversation.obey(f"{number} {' '.join(words)}")
        (answer,) = five.answers[before:]
        assert answer.startswith((f"={number}", f"?{number}")), words
        assert answer.endswith("\n\n")
    assert five.ask("name") == "= Outplay"


# --- the board -------------------------------------------------------------------------------------------


def test_stones_are_placed_and_taken_back(five: Controller) -> None:
    five.ask("play black A2", "play white A1")
    assert five.ask("play B B1") == "="
    assert five.ask("list_stones black") == "= B1 A2"
    assert five.ask("list_stones white") == "="
    assert five.ask("color a2") == "= black"
    assert five.ask("color C3") == "= empty"
    assert five.ask("undo") == "="
    assert five.ask("list_stones white") == "= A1"
    assert five.ask("gg-undo 2") == "="
    assert five.ask("undo") == "? cannot undo: no moves yet"


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("play black E5", "? illegal move"),  # occupied
        ("play white A1", "? illegal move"),  # suicide
        ("play black F1", "? illegal move"),
        ("play black", "? syntax error: write play COLOUR VERTEX"),
        ("play green A1", "? invalid color: write black or white"),
        ("boardsize 20", "? unacceptable size"),
        ("boardsize 1", "? unacceptable size"),
        ("boardsize nine", "? syntax error: write boardsize SIZE"),
        ("komi much", "? syntax error: write komi POINTS"),
        ("komi 6.3", "? unsupported komi 6.3: expected whole or half points"),
        ("genmove red", "? invalid color: write black or white"),
        ("fixed_handicap 2", "? 2 stones cannot be placed on 5x5: 2 to 0 can"),
        ("set_free_handicap A1 A1", "? bad vertex list"),
        ("set_free_handicap A1 B1", "? board not empty"),
        ("final_status_list gone", "? syntax error: write final_status_list alive, dead or seki"),
        ("time_settings 1", "? syntax error: write time_settings MAIN PERIOD STONES"),
        ("time_left black -1 0", "? -1 is not a time: expected seconds, 0 or more"),
        (
            "kgs-time_settings odd",
            "? write: none, absolute MAIN, byoyomi MAIN TIME PERIODS, or canadian MAIN",
        ),
        ("loadsgf nowhere.sgf", "? cannot load file"),
        ("set_game Othello", "? this is Go: start `outplay gtp othello`"),
    ],
)
def test_what_is_wrong_is_refused_and_changes_nothing(five: Controller, command: str, answer: str) -> None:
    five.ask("play black A2", "play black B1", "play black E5")
    assert five.ask(command).startswith(answer)
    assert five.ask("list_stones black") == "= B1 A2 E5"
    assert five.ask("query_boardsize") == "= 5"


def test_superko_is_refused() -> None:
    two = Controller("go:size=2")
    for colour, point in zip("bwbwbw", ("A1", "B1", "A2", "B2", "A1", "A2"), strict=True):
        assert two.ask(f"play {colour} {point}") == "="
    assert two.ask("is_legal b A1") == "= 0"
    assert two.ask("play b A1") == "? illegal move"
    assert two.ask("play b pass") == "="


def test_a_colour_may_play_twice_and_go_on_after_two_passes(five: Controller) -> None:
    assert five.ask("play black A1", "play black B1", "play white pass", "play black pass") == "="
    assert five.ask("play white C3") == "="
    assert five.ask("play black pass", "play white pass", "play white D4") == "="
    assert five.ask("list_stones white") == "= C3 D4"
    assert five.ask("list_stones black") == "= A1 B1"


def test_sizes_and_komi(five: Controller) -> None:
    assert five.ask("boardsize 9", "komi 5.5", "get_komi") == "= 5.5"
    assert five.ask("boardsize 13", "get_komi") == "= 5.5"
    assert five.ask("query_boardsize") == "= 13"
    assert five.ask("komi -3.5", "get_komi") == "= -3.5"


def test_a_board_is_shown(five: Controller) -> None:
    lines = five.ask("play black A5", "showboard").splitlines()
    assert lines[0] == "="
    assert lines[1].split() == ["5", "X", ".", ".", ".", "."]


def test_a_sequence_is_played(five: Controller) -> None:
    assert five.ask("gogui-play_sequence B A1 W B2 B C3") == "="
    assert five.ask("list_stones b") == "= A1 C3"


# --- handicap --------------------------------------------------------------------------------------------


def test_handicap() -> None:
    nine = Controller("go")
    assert nine.ask("fixed_handicap 5") == "= C3 G7 C7 G3 E5"
    assert nine.ask("get_handicap") == "= 5"
    assert nine.ask("fixed_handicap 2") == "? board not empty"
    assert nine.ask("clear_board", "place_free_handicap 3") == "= C3 G7 C7"
    assert nine.ask("clear_board", "set_free_handicap A1 J9") == "="
    assert nine.ask("list_stones black") == "= A1 J9"
    assert nine.ask("clear_board", "get_handicap") == "= 0"


@pytest.mark.parametrize("size", range(7, 20))
def test_handicap_stones_are_in_their_places(size: int) -> None:
    for count in range(2, handicap.most_stones(size) + 1):
        points = handicap.fixed(size, count)
        assert len(set(points)) == count
    assert handicap.most_stones(size) == (9 if size % 2 and size > 7 else 4)


# --- clocks ----------------------------------------------------------------------------------------------


def test_clocks() -> None:
    clock = Clock(Limits(time=2.0))
    assert clock.limits(0) == Limits(time=2.0)
    clock.set(settings_of(["0", "10", "5"]))
    assert clock.limits(0).time == pytest.approx(1.9)
    clock.spend(0, 6)
    assert clock.limits(0).time == pytest.approx(4 * 0.95 / 4)
    assert clock.limits(1).time == pytest.approx(1.9)
    clock.tell(1, 60, 0)
    assert 1 < clock.limits(1).time < 10
    clock.set(settings_of(["0", "1", "0"]))
    assert clock.limits(0) == Limits(time=2.0)
    assert kgs_settings(["byoyomi", "300", "30", "5"]) == Settings(300, 30, 1)
    assert kgs_settings(["none"]) is None


def test_main_time_runs_out() -> None:
    clock = Clock(Limits(time=2.0))
    clock.set(Settings(10, 5, 1))
    clock.spend(0, 11)
    assert clock.limits(0).time == pytest.approx(4.75)


# --- moves -----------------------------------------------------------------------------------------------


def test_a_game_is_played_to_its_end(five: Controller) -> None:
    for number in range(200):
        answer = five.ask(f"genmove {'bw'[number % 2]}")
        assert answer.startswith("= ")
        if five.engine.table.state.terminal():
            break
    assert five.ask("genmove b") != "? the game is over"  # it is taken up again
    assert five.ask("final_score")[:4] in ("= B+", "= W+", "= 0")


def test_a_move_may_be_asked_for_without_playing_it() -> None:
    five = Controller(search="uct")
    first = five.ask("reg_genmove b")
    assert five.ask("list_stones black") == "="
    assert five.ask("outplay-line").startswith(f"= b {first[2:]}")
    assert "for Black after" in five.ask("outplay-value")
    assert len(five.ask("outplay-visits").splitlines()) == 5
    assert five.ask("genmove b", "list_stones black") != "="


def test_dead_stones_are_seen() -> None:
    """White's corner stone has no eyes; Black has the rest of the board."""
    five = Controller()
    for point in ("A4", "B4", "C4", "D4", "E4", "B2", "C2", "D2"):
        five.ask(f"play b {point}")
    five.ask("play w A1")
    assert five.ask("final_status_list dead") == "= A1"
    assert len(five.ask("final_status_list alive").splitlines()) == 2
    assert five.ask("final_score") == "= B+17.5"
    rows = five.ask("outplay-ownership")[2:].splitlines()
    assert len(rows) == 5
    assert all(float(share) > 0.5 for row in rows for share in row.split())


def test_a_hopeless_game_is_given_up() -> None:
    five = Controller(search="uct", resign=10)
    for point in ("A4", "B4", "C4", "D4", "E4", "B2", "C2", "D2"):
        five.ask(f"play b {point}")
    assert five.ask("genmove w") == "= resign"
    assert five.ask("list_stones white") == "="


# --- files -----------------------------------------------------------------------------------------------


def test_files(five: Controller, tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    five.ask("play b C3", "play w C2", f"printsgf {file}")
    assert from_sgf(file.read_text()).actions == (12, 7)
    assert five.ask("clear_board", f"loadsgf {file}") == "= black"
    assert five.ask("list_stones white") == "= C2"
    assert five.ask(f"loadsgf {file} 2") == "= white"
    assert five.ask("list_stones white") == "="
    assert five.ask("undo", "list_stones black") == "="
    assert read_sgf(five.ask("printsgf")[2:]).actions == ()


# --- Othello ---------------------------------------------------------------------------------------------


def test_othello() -> None:
    board = Controller("othello", "random")
    assert board.ask("set_game Othello") == "="
    assert board.ask("boardsize 8", "clear_board", "play black D3") == "="
    assert board.ask("play black D3") == "? illegal move"
    assert board.ask("genmove white")[2:] in ("C3", "C5", "E3")
    assert board.ask("boardsize 5").startswith("? ")
    assert board.ask("boardsize 6", "showboard").count("\n") >= 7
    assert board.ask("final_score") == "= 0"


def test_other_games_are_refused() -> None:
    with pytest.raises(ValueError, match="GTP is for Go and Othello, not chess"):
        Engine("chess", "", Limits(time=1), 0)


# --- at the other end of a pipe --------------------------------------------------------------------------


def start(*arguments: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen([*OUTPLAY, *arguments], stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def test_a_conversation_through_pipes() -> None:
    engine = start("go:size=5", "--search", "random")
    out, err = engine.communicate("1 name\n2 dance\n3 genmove b\n4 quit\n5 name\n", timeout=60)
    assert engine.returncode == 0
    answers = out.split("\n\n")
    assert answers[:2] == ["=1 Outplay", "?2 unknown command"]
    assert answers[2].startswith("=3 ")
    assert answers[3:] == ["=4", ""]


def test_it_ends_when_nobody_listens_or_speaks() -> None:
    silent = start("go:size=5", "--search", "random")
    assert silent.stdin is not None and silent.stdout is not None
    silent.stdin.close()
    assert silent.wait(60) == 0
    deaf = start("go:size=5", "--search", "random")
    assert deaf.stdin is not None and deaf.stdout is not None
    deaf.stdout.close()
    try:
        deaf.stdin.write("name\nname\nname\n")
        deaf.stdin.close()
    except BrokenPipeError:
        pass
    assert deaf.wait(60) == 0


def test_an_interruption_ends_the_thinking() -> None:
    engine = start("go:size=5", "--time", "600")
    assert engine.stdin is not None and engine.stdout is not None
    engine.stdin.write("reg_genmove b\n")
    engine.stdin.flush()
    time.sleep(0.1)
    deadline = time.monotonic() + 120
    os.set_blocking(engine.stdout.fileno(), False)
    answer = ""
    while not answer and time.monotonic() < deadline:
        engine.stdin.write("# interrupt\n")
        engine.stdin.flush()
        time.sleep(0.2)
        answer = engine.stdout.readline()
    assert answer.startswith("= ")
    engine.kill()
    engine.communicate()


def test_a_match_through_our_own_client() -> None:
    command = f"gtp:{sys.executable} -m outplay gtp go:size=5 --search random,tc=none"
    match = Match(
        "go:size=5", ["random", command], Conditions(games=2, control=TimeControl(time=1), patience=60)
    )
    match.run()
    assert [game.reason for game in match.played] == ["played to the end"] * 2
