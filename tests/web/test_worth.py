"""What the page says of values, levels and moves, without a browser."""

from typing import Any

import pytest

from outplay.game import WIN
from outplay.games import load
from outplay.limits import Analysis
from outplay.record import begin
from outplay.ui.boardsvg import svg
from outplay.ui.web import levels, showcase
from outplay.ui.web.catalogue import Catalogue, Refused
from outplay.ui.web.notation import read
from outplay.ui.web.quick import quick
from outplay.ui.web.schema import Branch
from outplay.ui.web.variations import paths
from outplay.ui.web.view import Positions, view
from outplay.ui.web.worth import worth
from tests.web.conftest import NIM


def told(game: str, value: float, **more: Any) -> tuple[str, str, float]:
    state = load(game).start
    found = Analysis(None, value, 5, (), 100, 0.1, **more)
    said = worth(state, found, 100.0, ["First", "Second"])
    return said["says"], said["words"], round(said["share"], 2)


def test_values_as_the_people_of_a_game_say_them() -> None:
    assert told("chess", 130) == ("+1.3", "First is ahead by 1.3 pawns", 0.68)
    assert told("chess", -900)[2] <= 0.01  # a queen down is lost
    assert told("chess", 1, proven=True, score=WIN - 9) == ("#5", "First mates in 5", 1.0)
    assert told("chess", -1, proven=True, score=-(WIN - 4)) == ("#-2", "Second mates in 2", 0.0)
    assert told("othello", 6, score=6)[:2] == ("+6", "First is ahead by 6 discs")
    assert told("othello", -1, score=-1)[:2] == ("-1", "Second is ahead by 1 disc")
    assert told("checkers", 124)[:2] == ("+1.2", "First is ahead by 1.2 men")
    assert told("checkers", -4)[:2] == ("0", "even")
    assert told("kalah", 3)[:2] == ("+3", "First is ahead by 3 seeds")
    assert told("backgammon", -0.2076) == ("-0.208", "First has an equity of -0.208", 0.4)
    assert told("backgammon", 0.5, chances=(0.7,))[1] == "First has an equity of +0.500, and wins 70%"
    assert told("einstein", 0.72) == ("86%", "First may expect 86% of a win", 0.86)
    assert told("connect4", 0)[:2] == ("50%", "First may expect 50% of a win")
    assert told("go:size=5", -0.98, visits=100) == ("1%", "First may expect 1% of a win", 0.01)
    assert told("tictactoe", 0, proven=True)[:2] == ("draw", "a draw")
    assert told("tictactoe", 1, proven=True, score=WIN - 3)[:2] == ("won", "First wins in 3 plies")


def test_every_level_is_stronger_than_the_one_before() -> None:
    for one, other in zip(levels.LEVELS, levels.LEVELS[1:], strict=False):
        assert 2 * one.nodes < other.nodes and 2 * one.simulations < other.simulations


def test_squares_of_checkers_have_their_numbers() -> None:
    drawn = svg(load("checkers").start)
    for number in (1, 11, 32):
        assert f">{number}</text>" in drawn
    assert 'data-says="11: black man"' in drawn


def test_discs_are_called_by_their_colours() -> None:
    shown = view(Positions(Catalogue(), b"k" * 32).at("connect4", "", []))
    assert shown["sides"] == ["Yellow", "Blue"] and shown["note"] == "Yellow to move"
    assert [glyph["classes"] for glyph in shown["glyphs"].values()] == ["piece disc max"]


def test_promotions_show_their_pieces() -> None:
    shown = view(Positions(Catalogue(), b"k" * 32).at("chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1", []))
    classes = {shown["glyphs"][move["action"]]["classes"] for move in shown["legal"] if "=" in move["text"]}
    assert classes == {f"piece {piece} white max" for piece in ("queen", "rook", "bishop", "knight")}


def test_every_recorded_game_can_be_shown() -> None:
    positions = Positions(Catalogue(), b"k" * 32)
    for game in showcase.RECORDED:
        frames = showcase.frames(positions, game)
        assert 2 <= len(frames) <= showcase.FRAMES and frames[-1]["svg"].startswith("<svg")


def test_a_pgn_is_read_whatever_game_is_on_the_page() -> None:
    text = '[Event "x"]\n[White "A"]\n\n1. e4 {good} e5 (1... c5 2. Nf3) 2. Nf3? *'
    found = read(Catalogue(), text, "tictactoe")
    assert found["game"] == "chess" and found["headers"]["white"] == "A" and len(found["actions"]) == 3
    assert [move["up"] for move in found["tree"]] == [-1, 0, 1, 0, 3]
    assert found["tree"][0]["comment"] == "good" and found["tree"][2]["sign"] == "?"


def test_a_tree_whose_moves_hang_in_the_air_is_refused() -> None:
    with pytest.raises(Refused, match="follows no move"):
        list(paths([Branch(up=3, action=1)]))


def test_a_move_without_the_compiler() -> None:
    """It takes a win that is there."""
    record = begin(load("tictactoe"), "", "a1 a2 b1 b2")
    found = quick(record, 0.3, 1)
    assert record.state.action_text(found.action) == "c1"
    for game in ("go:size=5", "pig", "kalah"):
        start = begin(load(game), "", "")
        assert quick(start, 0.05, 1).action in start.legal()


def test_a_value_nets_levels_are_plays_and_plies() -> None:
    """Each chooses from more plays of a roll than the one before, then from all, then looks further ahead."""
    most = 10**9
    scale = [(level.plies, level.plays or most) for level in levels.LEVELS]
    assert scale == sorted(set(scale)) and scale[0] == (0, 1) and scale[-1] == (2, most)


def test_a_networks_levels_are_fewer_simulations() -> None:
    """A network's judgement is worth many random games, and takes as long: the highest level must answer, too."""
    for one, other in zip(levels.LEVELS, levels.LEVELS[1:], strict=False):
        assert one.guided > 1 and 2 * one.guided <= other.guided < other.simulations
    catalogue = Catalogue()
    assert catalogue.describe_game("othello")["guided"] == ["puct"]
    assert catalogue.describe_game("othello:size=6")["guided"] == []  # the net is that of the usual board
    assert catalogue.describe_game("chess")["guided"] == catalogue.describe_game("backgammon")["guided"] == []


def test_backgammon_is_played_by_its_net_and_its_sides_by_their_colours() -> None:
    catalogue = Catalogue()
    found = catalogue.describe_game("backgammon")
    assert found["best"] == "td" and found["judges"] == ["td"] and found["sides"] == ["White", "Black"]
    assert catalogue.describe_game("othello")["best"] == "engine"
    assert catalogue.describe_game("einstein")["sides"] == ["Yellow", "Blue"]
    assert catalogue.describe_game("tictactoe")["sides"] == ["X", "O"]
    positions = Positions(catalogue, b"k" * 32)
    assert "pips White 167, Black 167" in view(positions.at("backgammon", "", []))["note"]


def test_a_note_does_not_say_again_whose_turn_it_is() -> None:
    positions = Positions(Catalogue(), b"k" * 32)
    assert view(positions.at("othello", "", []))["note"] == "Black 2, White 2"
    assert view(positions.at("kalah", "", []))["note"] == "stores: South 0, North 0"
    assert view(positions.at("tictactoe", "", []))["note"] == "X to move"  # nothing else is told


def test_a_state_without_a_board_is_told_by_its_fields() -> None:
    positions = Positions(Catalogue([NIM]), b"k" * 32)
    assert view(positions.at("nim", "", []))["note"] == "heap 21, mover 0"
    frames = showcase.frames(positions, "nim")
    assert [frame["words"] for frame in frames][-1].startswith("heap 0") and not any(
        frame["svg"] for frame in frames
    )


def test_all_points_of_backgammon_have_their_numbers() -> None:
    drawn = svg(load("backgammon").start)
    assert all(f">{number}</text>" in drawn for number in range(1, 25))
    small = showcase.frames(Positions(Catalogue(), b"k" * 32), "backgammon")[-1]["svg"]
    assert ">24</text>" not in small and 'data-says="point 24' in small
