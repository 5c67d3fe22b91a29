"""Positions that people set up: what the server makes of a sketch, and the editor in a real browser."""

import random
from typing import Any, NamedTuple

import pytest

from outplay import Board
from outplay.game import CHANCE, legal
from outplay.games import load
from outplay.ui.web.arranging import Learned
from outplay.ui.web.catalogue import Refused

KING = [0, 4]


# --- what a sketch means --------------------------------------------------------------------------------


def played(start: Any, seed: int) -> Any:
    """The states of a game at random."""
    rng, state = random.Random(seed), start
    for _ in range(60):
        yield state
        if not (actions := legal(state)):
            return
        state = state.result(rng.choice(actions))


@pytest.mark.parametrize(
    "name",
    [
        "tictactoe",
        "hexapawn",
        "connect4",
        "othello",
        "checkers",
        "chess",
        "go",
        "kalah",
        "backgammon",
        "einstein",
    ],
)
def test_every_board_can_be_written_down(name: str) -> None:
    """What a board of a random game shows, put into another position of that game, is the same board."""
    game = load(name)
    for seed in range(3):
        for state in played(game.start, seed):
            player = state.turn if state.player() == CHANCE else state.player()
            base = state if name == "kalah" else game.start  # 36 seeds and more are not in the picture
            found = game.position(base.board_text(state.board(), player))
            assert found.board().rows == state.board().rows, str(state)
            assert found.board().hands == state.board().hands


def test_a_sketch_is_no_position_yet(ask: Any) -> None:
    """A king is lifted and put elsewhere: it cannot castle any more."""
    lifted = ask("edit", game="chess", puts=[{"at": KING, "piece": " "}])
    assert lifted["problem"] == "not a chess position: Black has one king, not 0" and lifted["text"] == ""
    assert lifted["rows"][0] == "rnbq bnr" and 'data-at="0,4" transform' not in lifted["svg"]
    put = ask("edit", game="chess", rows=lifted["rows"], puts=[{"at": [4, 4], "piece": "k"}])
    assert put["text"] == "rnbq1bnr/pppppppp/8/8/4k3/8/PPPPPPPP/RNBQKBNR w KQ - 0 1" and put["problem"] == ""
    told = {word["name"]: word["word"] for word in put["words"]}
    assert told["rights to castle"] == "KQ"
    assert len(put["pieces"]) == 12 and put["pieces"][0]["name"] == "white pawn"


def test_words_that_no_board_shows(ask: Any) -> None:
    said = ask("edit", game="chess", words={"2": "Kq"})
    assert said["text"].split()[2] == "Kq"
    assert "rights to castle" in ask("edit", game="chess", words={"2": "XYZ"})["problem"]
    assert ask("edit", game="pig", words={"0": "44"})["text"] == "44 0 1 +0"
    assert ask("edit", game="backgammon")["player"] == -1  # the first roll decides who moves
    assert ask("edit", game="backgammon", player=0)["player"] == 0
    rolled = ask("edit", game="backgammon", start="4HPwATDgc/ABMA X", words={"2": "31"})
    assert rolled["text"] == "4HPwATDgc/ABMA X 31"


def test_pieces_tell_whose_move_it_is(ask: Any) -> None:
    """Where the mover was not chosen it is the one that fits; one that was chosen and does not fit is told."""
    cross = [{"at": [1, 1], "piece": "X"}]
    assert ask("edit", game="tictactoe", puts=cross)["player"] == 1
    assert "O is to move" in ask("edit", game="tictactoe", puts=cross, player=0)["problem"]
    assert ask("edit", game="othello", player=1)["text"].endswith(" O")


def test_pits_and_points_count(ask: Any) -> None:
    sown = ask(
        "edit",
        game="kalah",
        puts=[{"at": [0, 0], "piece": "+1"}, {"at": [1, 2], "piece": "-1"}],
        hands=["7", "0"],
    )
    assert sown["text"] == "4,4,3,4,4,4:7 4,4,4,4,4,5:0 S"
    many = ask("edit", game="backgammon", puts=[{"at": [10, 0], "piece": "O"}])
    assert many["problem"].endswith("a side has 16 checkers; the maximum is 15")
    rows = ask("edit", game="backgammon", rows=many["rows"], puts=[{"at": [0, 12], "piece": " "}])["rows"]
    on_bar = ask(
        "edit",
        game="backgammon",
        rows=rows,
        puts=[{"at": [0, 6], "piece": "O"}, {"at": [10, 0], "piece": " "}],
    )
    assert on_bar["rows"][4][6] == "O" and on_bar["problem"].endswith("the maximum is 15")


def test_a_game_over_is_told(ask: Any) -> None:
    row = [{"at": [0, c], "piece": "X"} for c in range(3)]
    two = ask("edit", game="tictactoe", puts=row)
    done = ask(
        "edit", game="tictactoe", rows=two["rows"], puts=[{"at": [1, c], "piece": "O"} for c in (0, 1)]
    )
    assert done["over"] and done["text"] == "XXX/OO./... o"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"rows": ["..."]}, "this board has 3 rows of 3 cells"),
        ({"puts": [{"at": [3, 0], "piece": "X"}]}, "there is no cell 3, 0 on this board"),
        ({"puts": [{"at": [0], "piece": "X"}]}, "puts.0.at"),
        ({"words": {"x": "1"}}, "words"),
    ],
)
def test_a_bad_sketch_is_refused_in_one_line(server: Any, wrong: Any, says: str) -> None:
    answer = server.client.post("/api/edit", json={"game": "tictactoe", **wrong})
    assert answer.status_code == 422 and says in answer.json()["error"]


def test_hidden_games_cannot_be_set_up(server: Any) -> None:
    answer = server.client.post("/api/edit", json={"game": "kuhn"})
    assert answer.json()["error"] == "a position with hidden information cannot be set up"


# --- games that say nothing -----------------------------------------------------------------------------


class Letters(NamedTuple):
    """A game on a string of cells: put a letter on an empty one."""

    cells: str = "........."
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return [i for i, cell in enumerate(self.cells) if cell == "."]

    def result(self, i):
        return Letters(self.cells[:i] + "ab"[self.mover] + self.cells[i + 1 :], 1 - self.mover)

    def utility(self):
        return 0

    def board(self):
        shown = self.cells.replace(".", " ")
        return Board((shown[:3], shown[3:6], shown[6:]), owners=("a", "b"))


class Numbers(NamedTuple):
    """The same on a tuple."""

    cells: tuple[int, ...] = (0,) * 6
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return [i for i in range(6) if not self.cells[i]]

    def result(self, i):
        cells = (*self.cells[:i], 1 + self.mover, *self.cells[i + 1 :])
        return Numbers(cells, 1 - self.mover)

    def utility(self):
        return 0

    def board(self):
        return Board(
            tuple("".join(" xo"[n] for n in self.cells[i : i + 3]) for i in (0, 3)), owners=("x", "o")
        )


def test_fields_are_learned() -> None:
    """Bits, letters, elements: any board of these games can be set up, for either player."""
    letters = Learned(Letters()).arranged(Letters(), ("a b", "bb ", "  a"), 1)
    assert letters == Letters("a.bbb...a", 1)
    assert Learned(Numbers()).arranged(Numbers(), ("xx ", "  o"), 0) == Numbers((1, 1, 0, 0, 0, 2), 0)
    othello = load("othello").start
    rows = ("XO      ", *(" " * 8,) * 2, "   OX   ", "   XO   ", *(" " * 8,) * 2, "O      X")
    found = Learned(othello).arranged(othello, rows, 1)
    assert found.board().rows == rows and found.player() == 1


class Mine(NamedTuple):
    """The same on two sets of cells, of whoever is to move and of the other; the pieces tell who that is."""

    own: int = 0
    opp: int = 0

    def player(self):
        return (self.own | self.opp).bit_count() % 2

    def actions(self):
        return [i for i in range(9) if not (self.own | self.opp) >> i & 1]

    def result(self, i):
        return Mine(self.opp, self.own | 1 << i)

    def utility(self):
        return 0

    def board(self):
        x, o = (self.own, self.opp) if self.player() == 0 else (self.opp, self.own)
        shown = "".join("x" if x >> i & 1 else "o" if o >> i & 1 else " " for i in range(9))
        return Board((shown[:3], shown[3:6], shown[6:]), owners=("x", "o"))


def test_pieces_that_tell_the_mover_are_learned() -> None:
    """A piece more alone would show all others from the other side; what was played tells where they stand."""
    learned = Learned(Mine())
    for seed in range(20):
        for state in list(played(Mine(), seed))[:-1]:
            assert learned.arranged(Mine(), state.board().rows, state.player()) == state
    with pytest.raises(Refused, match="no state of this game has such a board"):
        learned.arranged(Mine(), ("xx ", "   ", "   "), 1)


def test_what_cannot_be_learned_is_told() -> None:
    class Blank(Letters):
        def board(self):
            return Board(("same",))

    with pytest.raises(Refused, match="add board_text to the class"):
        Learned(Blank()).arranged(Blank(), ("else",), 0)


def test_a_game_of_ones_own_is_set_up(ask: Any) -> None:
    said = ask("edit", game="breakthrough", puts=[{"at": [1, 0], "piece": "W"}, {"at": [3, 3], "piece": " "}])
    assert said["text"] == "Breakthrough(white=263, black=61440, mover=0)" and said["problem"] == ""
    assert [piece["symbol"] for piece in said["pieces"]] == ["W", "B"]


# --- in the browser -------------------------------------------------------------------------------------


def test_set_up_and_play(table: Any) -> None:
    """From a game to the editor: take a queen away, let Black begin, and play on from there."""
    table.begin("chess")
    page = table.page
    page.click("[data-do=edit]")
    page.wait_for_selector(".editor .piece[data-at='7,3']")
    page.click(".swatch[aria-label^=nothing]")
    table.click_cell([7, 3])
    page.wait_for_selector(".piece[data-at='7,3']", state="detached")
    page.locator(".mover", has_text="Black").click()
    table.until("document.querySelector('#edit-text').value.includes(' b KQkq')")
    page.click("[data-do=edit-play]")
    table.wait("Black to move")
    record = table.record
    assert record["start"] == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1"
    assert "you" in page.locator(".strip[data-side='1']").inner_text()


def test_drag_keys_and_the_line_that_says_what_is_wrong(table: Any) -> None:
    table.open("#edit?game=chess&start=8/8/8/8/8/k7/8/K6R w - - 0 1")
    page = table.page
    boxes = [table.square(at) for at in ("7,7", "5,7")]
    page.mouse.move(boxes[0]["x"] + 20, boxes[0]["y"] + 20)
    page.mouse.down()
    page.mouse.move(boxes[1]["x"] + 20, boxes[1]["y"] + 20, steps=4)
    page.mouse.up()
    table.until("document.querySelector('#edit-text').value.includes(' b ')")  # only Black can be to move
    page.locator(".mover", has_text="White").click()
    table.wait("Black is in check on a3, but White is to move", ".problem")
    assert page.locator("[data-do=edit-play]").is_disabled()
    page.locator(".cell[data-at='5,7']").focus()
    page.keyboard.press("Delete")
    page.wait_for_selector(".piece[data-at='5,7']", state="detached")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Q")
    page.wait_for_selector(".piece.queen[data-at='4,7']")
    table.until("document.querySelector('#edit-text').value.startsWith('8/8/8/8/7Q/k7/8/K7 w')")
    page.reload()
    page.wait_for_selector(".piece.queen[data-at='4,7']")


def test_from_the_editor_to_a_tree_and_an_analysis(table: Any) -> None:
    table.open("#edit?game=tictactoe&start=XO./.X./..O x")
    page = table.page
    page.click("[data-do=edit-tree]")
    page.wait_for_selector(".tree .node.MAX")
    page.go_back()
    page.click("[data-do=edit-analyse]")
    page.wait_for_selector(".lines li")
    assert table.record["start"] == "XO./.X./..O x"


def test_a_picture_of_a_board(table: Any) -> None:
    """It has its colours inside, so that it needs nothing else."""
    table.open("#edit?game=othello")
    page = table.page
    page.wait_for_selector(".editor .piece")
    with page.expect_download() as found:
        page.click("[data-do=edit-svg]")
    text = found.value.path().read_text(encoding="utf-8")
    assert found.value.suggested_filename == "othello.svg" and "<style" in text and "black stone" in text
    with page.expect_download() as found:
        page.click("[data-do=edit-png]")
    assert found.value.path().read_bytes()[:4] == b"\x89PNG"


def test_every_game_opens_in_the_editor(table: Any) -> None:
    """None makes trouble: those without a board are edited by their words or text."""
    table.open("#edit?game=tictactoe")
    page = table.page
    for game in page.locator("#edit-game option").evaluate_all("all => all.map((one) => one.value)"):
        page.select_option("#edit-game", game)
        table.until(
            f"location.hash.includes('game={game}') && document.querySelector('#edit-text').value !== ''"
        )
        assert page.locator(".problem.bad").count() == 0, game
