"""Whole matches: what is kept, resumed, refused and stopped."""

import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

import outplay as package
from outplay.arena import Conditions, Match, Played, Rules, Sprt, TimeControl, write_games
from outplay.arena.entrants import Entrant, entrant
from outplay.games import TicTacToe, load
from outplay.limits import Analysis, Limits
from outplay.players import player
from outplay.record import read_all

CONTROL = TimeControl(depth=2)


def first_move(record, limits):
    return list(record.state.actions())[0]


def last_move(record, limits):
    return list(record.state.actions())[-1]


def match_of(players, game: str = "tictactoe", concurrency: int = 1, out=None, **conditions) -> Match:
    return Match(game, players, Conditions(**conditions), concurrency=concurrency, out=out)


def ttt(games: int = 8, **options) -> Match:
    return match_of([first_move, last_move], games=games, control=CONTROL, **options)


@pytest.mark.parametrize(
    ("second", "complaint"),
    [
        ("uct", "depth"),
        ("uct:c=x,nodes=10", "c of uct must be a number, not 'x'"),
        ("nobody", "unknown player 'nobody'"),
        ("engine:hsh=1", "'hsh' is not an option of engine"),
    ],
)
def test_a_player_that_cannot_play_is_refused_before_the_first_is_prepared(
    second: str, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        Match("connect4", ["engine", second], Conditions(games=2, control=TimeControl(depth=4)))


# --- who plays ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("engine", Entrant("engine", "own", "engine")),
        (
            "engine:threads=2,depth=6",
            Entrant("engine threads=2", "own", "engine", (("threads", "2"),), TimeControl(depth=6)),
        ),
        ("bot.py:Bot:time=0.5", Entrant("bot.py:Bot", "own", "bot.py:Bot", (), TimeControl(time=0.5))),
        (
            "uci:/usr/games/stockfish,UCI_LimitStrength=true,UCI_Elo=2500,name=fish",
            Entrant(
                "fish", "uci", "/usr/games/stockfish", (("UCI_LimitStrength", "true"), ("UCI_Elo", "2500"))
            ),
        ),
        ("uci:x,Skill Level=3", Entrant("x Skill Level=3", "uci", "x", (("Skill Level", "3"),))),
        (
            "gtp:gnugo --mode gtp --level 10,tc=none",
            Entrant("gnugo --mode gtp --level 10", "gtp", "gnugo --mode gtp --level 10", (), TimeControl()),
        ),
        ("gtp:gtp-rhino --level=3", Entrant("gtp-rhino --level=3", "gtp", "gtp-rhino --level=3")),
    ],
)
def test_players_as_they_are_written(text: str, wanted: Entrant) -> None:
    assert entrant(text) == wanted


@pytest.mark.parametrize(
    ("players", "options", "complaint"),
    [
        (["engine"], {}, "a match is between two players, not 1"),
        (["engine:depth", "random"], {}, "as name=value, not 'engine:depth'"),
        (["engine:depth=x", "random"], {}, "depth must be a positive number, not 'x'"),
        (["engine:depth=0", "random"], {}, "depth must be a positive number, not 0"),
        (["random", "random"], {"games": 3}, "games must be even"),
        (["random", "random"], {"concurrency": 0}, "concurrency must be 1 or more, not 0"),
        ([first_move, "random"], {"concurrency": 2}, "a Python object plays one game at a time"),
        (
            ["random", "random"],
            {"plies": 2, "openings": "x"},
            "a file of openings or a number of random plies",
        ),
        (["random", "random"], {"margin": -1.0}, "margin and patience are seconds"),
        (["random", "random"], {"patience": math.inf}, "margin and patience are seconds"),
        (["random", "random"], {"margin": 1e308}, "margin and patience are seconds"),
        (["random", "random"], {"margin": math.nan}, "margin and patience are seconds"),
        (["random", "random"], {"plies": -1}, "plies must be 0 or more"),
        (
            ["uci:x,tc=none", "random"],
            {},
            "x would search forever: give it a time, a clock, a depth or nodes",
        ),
        (["random", "random"], {"sprt": Sprt(5, 0)}, "an SPRT needs elo0 < elo1"),
    ],
)
def test_matches_that_make_no_sense(players, options, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        match_of(players, **options)


def test_namesakes_are_numbered() -> None:
    assert [one.name for one in Match("tictactoe", ["random", "random"]).entrants] == ["random", "random #2"]


# --- classes --------------------------------------------------------------------------------------------


def test_a_class_is_a_game() -> None:
    match = Match(TicTacToe, [first_move, "random"], Conditions(games=2, control=CONTROL))
    assert match.game == load("tictactoe")
    assert match.run().games == 2 and not match.faults(0) and not match.faults(1)


class Nim(NamedTuple):
    """Take one or two; whoever takes the last one wins."""

    heap: int = 7
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return [take for take in (1, 2) if take <= self.heap]

    def result(self, take):
        return type(self)(self.heap - take, 1 - self.mover)

    def utility(self):
        return 1 if self.mover == 1 else -1


def test_a_class_that_was_typed_in_is_played_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Nim, "__module__", "__main__")
    with pytest.warns(
        UserWarning, match="Nim is defined interactively or in a script: the match is played in this process"
    ):
        match = Match(Nim, ["alphabeta", "random"], Conditions(games=4, plies=0, control=TimeControl(time=1)))
    assert match.run().games == 4 and not match.faults(0)
    assert match.standing.wins >= 2  # who begins with 7 wins
    with pytest.raises(ValueError, match="save it in a file to play several games at a time"):
        Match(Nim, ["random", "random"], concurrency=2)


# --- results --------------------------------------------------------------------------------------------


def test_both_games_of_a_pair_have_the_same_opening_and_other_sides() -> None:
    match = ttt()
    match.run()
    records = [read_all(game.record)[0] for game in match.played]
    for one, other in zip(records[::2], records[1::2], strict=True):
        assert one.actions[:4] == other.actions[:4]
        assert dict(one.headers)["first"] == dict(other.headers)["second"] == "first_move"
    assert [dict(record.headers)["round"] for record in records[:3]] == ["1.1", "1.2", "2.1"]
    assert sum(match.standing.pairs) == 4 and match.standing.games == 8


def test_the_same_dice_for_both_games_of_a_pair() -> None:
    def rolls(game: Played) -> list[int]:
        record = read_all(game.record)[0]
        return [a for s, a in zip(record.states(), record.actions, strict=False) if s.player() == -1]

    match = Match(
        "pig", [first_move, first_move], Conditions(games=4, control=CONTROL, rules=Rules(plies=60))
    )
    match.run()
    one, two, other = (rolls(match.played[number])[:20] for number in (0, 1, 2))
    assert one == two != other


def test_our_searches_play_in_processes_of_their_own(tmp_path: Path) -> None:
    control = TimeControl(depth=9)
    match = Match(
        "tictactoe", ["alphabeta", "random"], Conditions(games=8, control=control, plies=1), concurrency=2
    )
    match.run()
    assert match.standing.losses == 0 and not match.faults(0) and not match.faults(1)
    assert match.effort(0).nodes > 0
    write_games(match, str(tmp_path / "games"), None)
    assert [dict(r.headers)["round"] for r in read_all((tmp_path / "games").read_text())] == [
        f"{pair}.{game}" for pair in (1, 2, 3, 4) for game in (1, 2)
    ]


def test_the_engine_keeps_its_table_through_a_game_and_no_longer() -> None:
    from outplay.record import begin

    playing, record = player("engine:hash=1"), begin(load("connect4"), moves="4 4 4")
    fresh = playing(record, Limits(depth=8))
    again = playing(record, Limits(depth=8))
    assert again.nodes < fresh.nodes / 4
    playing.new_game()
    assert playing(record, Limits(depth=8)).nodes == fresh.nodes
    with pytest.raises(ValueError, match="'depht' is not an option of engine; it has "):
        player("engine:depht=3")


def test_a_test_stops_the_match() -> None:
    match = Match(
        "tictactoe", [perfect, last_move], Conditions(games=4000, control=CONTROL, sprt=Sprt(0, 200), plies=1)
    )
    match.run()
    assert match.decision == "H1" and match.standing.games < 200


def perfect(record, limits):
    from outplay.search import best

    return best(record.state, "alphabeta", depth=9).action


def test_chess_games_as_pgn(tmp_path: Path) -> None:
    pgn = pytest.importorskip("chess.pgn")
    (tmp_path / "book.epd").write_text("4k3/8/8/8/8/8/4P3/4K3 w - -\n")
    players = [says(31), says(None)]
    control, book = TimeControl.clock("60+1"), str(tmp_path / "book.epd")
    match = Match("chess", players, Conditions(games=2, control=control, openings=book, rules=Rules(plies=6)))
    match.run()
    write_games(match, None, str(tmp_path / "games.pgn"))
    with open(tmp_path / "games.pgn") as file:
        one, other = pgn.read_game(file), pgn.read_game(file)
    assert (one.headers["White"], other.headers["White"]) == ("play", "play #2")
    assert one.headers["Result"] == "1/2-1/2" and one.headers["Termination"] == "adjudicated: 6 plies"
    assert one.headers["FEN"] == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    move, reply = one.next(), one.next().next()
    assert move.eval().white().score() == 31 and reply.eval() is None
    assert 60 < move.clock() <= 61 and move.comment.startswith("+31/1 ")


def test_games_that_repeat_are_drawn() -> None:
    pytest.importorskip("chess")
    match = Match("chess", [shuffle, shuffle], Conditions(games=2, control=CONTROL, plies=0))
    match.run()
    assert {game.reason for game in match.played} == {"repetition"}
    assert match.standing.draws == 2


def shuffle(record, limits):
    """Out with a knight and back again."""
    state = record.state
    wanted = ("g1f3", "g8f6", "f3g1", "f6g8")[len(record.actions) % 4]
    return next(action for action in state.actions() if state.uci(action) == wanted)


# --- adjudication ---------------------------------------------------------------------------------------


def says(value: int | None):
    def play(record, limits):
        return Analysis(first_move(record, limits), value, 1, (), 1, 0.0)

    return play


def test_adjudication_by_what_players_say() -> None:
    lost = Match(
        "othello", [says(-700), says(0)], Conditions(games=2, control=CONTROL, rules=Rules(resign=(600, 3)))
    )
    lost.run()  # the first player says that MAX is behind, and is MAX in the first game only
    assert [game.score for game in lost.played] == [0, 1] or lost.played[1].reason == "played to the end"
    assert lost.played[0].reason == "adjudicated: a lost position"
    drawn = Match(
        "othello", [says(5), says(-5)], Conditions(games=2, control=CONTROL, rules=Rules(draw=(10, 2, 20)))
    )
    drawn.run()
    assert {game.reason for game in drawn.played} == {"adjudicated: a drawn position"}
    assert {len(read_all(game.record)[0].actions) for game in drawn.played} == {23}
    silent = Match(
        "othello", [says(None)] * 2, Conditions(games=2, control=CONTROL, rules=Rules((1, 1), (9, 1, 1), 30))
    )
    silent.run()
    assert {game.reason for game in silent.played} == {"adjudicated: 30 plies"}


# --- the results file -----------------------------------------------------------------------------------


def test_a_match_goes_on_from_its_file(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    ttt(games=4, out=out).run()
    lines = out.read_text().splitlines()
    assert len(lines) == 5 and json.loads(lines[0])["format"] == "outplay match 1"
    out.write_text("\n".join(lines[:4]) + '\n{"number": 3, "fir')  # killed while it wrote
    heard: list[int] = []
    longer = ttt(games=8, out=out)
    assert [game.number for game in longer.played] == [0, 1, 2]
    longer.run(lambda match, game: heard.append(game.number))
    assert heard == [3, 4, 5, 6, 7]
    assert longer.standing == ttt(games=8).run()
    assert len(out.read_text().splitlines()) == 9
    assert ttt(games=8, out=out).run() == longer.standing


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"seed": 2}, "was made with seed = 1, not 2: choose another file, or the same settings"),
        ({"plies": 3}, "openings = 4 random plies, not 3 random plies"),
        ({"margin": 5.0}, "margin = 0.1, not 5.0"),
    ],
)
def test_settings_are_not_mixed(tmp_path: Path, options, complaint: str) -> None:
    out = tmp_path / "results.jsonl"
    ttt(games=2, out=out).run()
    with pytest.raises(ValueError, match=complaint) as caught:
        ttt(games=2, out=out, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "damage",
    [
        "{}", "null", "7", "[]", '"x"', "nonsense", "[" * 100_000,
        '{"score": 7}', '{"number": -1}', '{"first": 2}', '{"efforts": []}', '{"efforts": [[], []]}',
        '{"record": 3}', '{"fault": "boredom"}', '{"fault": []}', '{"extra": 1}',
        '{"efforts": [[1, 2, 3, 4, NaN], [1, 2, 3, 4, 5]]}',
    ],
)  # fmt: skip
def test_a_damaged_line_is_named(tmp_path: Path, damage: str) -> None:
    out = tmp_path / "results.jsonl"
    ttt(games=2, out=out).run()
    header, first, second = out.read_text().splitlines()
    if damage.startswith('{"'):
        damage = json.dumps(json.loads(first) | json.loads(damage))
    content = "\n".join((header, damage, second, ""))
    out.write_text(content)
    with pytest.raises(ValueError) as error:
        ttt(games=2, out=out)
    assert f"{out}, line 2 is" in str(error.value) and "remove that line" in str(error.value)
    assert out.read_text() == content


def test_a_game_stands_there_once(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    ttt(games=2, out=out).run()
    with out.open("a") as file:
        file.write(out.read_text().splitlines()[-1] + "\n")
    with pytest.raises(ValueError, match=r"line 4 repeats game \d: remove that line"):
        ttt(games=2, out=out)


def test_a_second_run_on_the_same_file_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    second = ttt(games=4, out=out)
    refused = []

    def intrude(match: Match, game: Played) -> None:
        with pytest.raises(ValueError, match="is in use: another run is writing to it") as error:
            second.run()
        refused.append(error)

    ttt(games=2, out=out).run(intrude)
    assert len(refused) == 2
    assert second.run().games == 4  # it goes on from what the first one wrote
    assert sorted(game.number for game in second.played) == [0, 1, 2, 3]


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "thesis.txt"
    out.write_text("my thesis\n")
    with pytest.raises(ValueError, match="is not a file of a match: choose another name"):
        ttt(out=out)
    assert out.read_text() == "my thesis\n"


# --- the command ----------------------------------------------------------------------------------------


def test_the_command(outplay, tmp_path: Path) -> None:
    out = str(tmp_path / "results.jsonl")
    options = ("--games", "4", "--depth", "9", "--plies", "2", "--out", out)
    answer = outplay("match", "tictactoe", "alphabeta", "random", *options, "--json")
    assert answer.status == 0
    told = json.loads(answer.out)
    assert (told["games"], told["losses"]) == (4, 0)
    assert [one["name"] for one in told["players"]] == ["alphabeta", "random"]
    assert "game 4: random - alphabeta" in answer.err
    again = outplay("match", "tictactoe", "alphabeta", "random", *options, "--sprt", "0,50")
    assert again.status == 2 and "sprt = None, not [0.0, 50.0" in again.err
    shown = outplay("match", "tictactoe", "alphabeta", "random", *options)
    assert "tictactoe: 4 of 4 games, openings: 2 random plies" in shown.out
    assert "pairs with 0, 1/2, 1, 1 1/2, 2 points:" in shown.out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("tictactoe", "alphabeta", "nobody"), "outplay: unknown player 'nobody'; choose from"),
        (("tictactoe", "alphabeta", "random", "--tc", "fast"), "'fast' is not a time control"),
        (
            ("tictactoe", "alphabeta", "random", "--resign", "5"),
            "--resign takes 600,3 (score, moves) or off, not '5'",
        ),
        (("tictactoe", "alphabeta", "random", "--sprt", "5"), "--sprt takes two differences in Elo"),
        (
            ("tictactoe", "alphabeta", "random", "--time", "1", "--tc", "1+1"),
            "a time per move or a clock, not both",
        ),
        (("tictactoe", "alphabeta", "random", "--max-plies", "0"), "max-plies must be 1 or more, not 0"),
        (("tictactoe", "alphabeta", "random", "--openings", "none.txt"), "no such file: none.txt"),
        (
            ("tictactoe", "alphabeta", "random", "--pgn", "x.pgn"),
            "PGN is chess, not tictactoe: use --records",
        ),
        (("tictactoe", "alphabeta", "random", "--records", "no/x"), "no/x: No such file or directory"),
    ],
)
def test_bad_input_is_one_line(outplay, arguments, complaint: str) -> None:
    answer = outplay("match", *arguments)
    assert answer.status == 2 and complaint in answer.err
    assert answer.err.splitlines()[-1].startswith("outplay: ")


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_shows_the_table_so_far(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    here = os.environ | {"PYTHONPATH": str(Path(package.__file__).parent.parent)}
    command = [sys.executable, "-m", "outplay", "match", "tictactoe", "random", "random", "--games", "100000"]
    process = subprocess.Popen(
        [*command, "--out", str(out)],
        env=here,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Tests that run in the background are deaf to Ctrl-C, and so would be what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not out.exists() or out.read_text().count("\n") < 3:
        assert process.poll() is None
        time.sleep(0.05)
    for seconds in (60, 60, 120):  # on a busy machine a user presses it again
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            shown, complaints = process.communicate(timeout=seconds)
            break
    assert process.returncode == 130
    assert "of 100000 games" in shown and "Traceback" not in complaints
    assert json.loads(out.read_text().splitlines()[-1])["number"] >= 1
