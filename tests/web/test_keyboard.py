"""A game, an analysis, a tree and a quiz by the keyboard alone: no mouse, no finger, nothing that a script clicks."""

from typing import Any

from tests.web.conftest import LOST

HUMAN = {"name": "human"}
AIMA = "[[3,12,8],[2,4,6],[14,5,2]]"
FAR = 90  # presses of Tab that nobody would make
SEEN = """() => {
  const box = document.activeElement.getBoundingClientRect();
  return document.activeElement.matches(':focus-visible') && box.width > 0 && box.bottom > 0 && box.top < innerHeight;
}"""


class Keys:
    """A person at a table who has only a keyboard."""

    def __init__(self, table: Any) -> None:
        self.table, self.page = table, table.page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def is_at(self, what: str) -> bool:
        return self.page.evaluate("what => document.activeElement.matches(what)", what)

    def tab_to(self, what: str, key: str = "Tab") -> None:
        """Press Tab until the focus is there, and can be seen."""
        for _ in range(FAR):
            if self.is_at(what):
                break
            self.press(key)
        assert self.is_at(what), f"{FAR} times {key} do not lead to {what}"
        assert self.page.evaluate(SEEN), f"nobody sees that {what} has the focus"

    def walk(self, at: list[int]) -> None:
        """Go to a cell of the board by arrow keys: the rows first."""
        for axis, (less, more) in enumerate((("ArrowUp", "ArrowDown"), ("ArrowLeft", "ArrowRight"))):
            while (here := self.cell()[axis]) != at[axis]:
                self.press(less if here > at[axis] else more)
                assert self.cell()[axis] != here, f"no way from {here} to {at}"

    def cell(self) -> list[int]:
        found = self.page.evaluate("document.activeElement.dataset.at ?? ''")
        assert found, "the focus is not on the board"
        return [int(part) for part in found.split(",")]

    def move(self, move: Any) -> None:
        """A move of the position, from the cell that has the focus."""
        before = len(self.table.record["actions"])
        for at in move["path"]:
            self.walk(at)
            self.press("Enter")
        self.table.moved(before)


def test_a_game_from_the_first_sight_to_a_rematch(table: Any) -> None:
    """Through the gallery, the dialog of a new game and a whole game; then the result, and the same again."""
    keys = Keys(table.open("#home"))
    keys.tab_to("[data-game=hexapawn]")
    keys.press("Enter")
    table.wait("White to move")
    keys.press("n")
    keys.tab_to("dialog .more-players summary")
    keys.press("Enter")
    keys.tab_to("dialog [data-seat='1']")
    keys.press("R")  # "Random moves"
    keys.tab_to("dialog .primary")
    keys.press("Enter")
    table.page.wait_for_selector(".strip[data-side='1']:has-text('random')")
    keys.tab_to(".cell")
    assert table.page.evaluate("document.activeElement.ariaLabel") == "a3: black pawn"
    while not (position := table.settled())["over"]:
        keys.move(position["legal"][0])
    table.page.wait_for_selector("#status:text-matches('wins|draw')")
    keys.tab_to("[data-do=rematch]")
    keys.press("Enter")
    table.page.wait_for_selector(".strip[data-side='0']:has-text('White · random')")


def test_a_promotion_a_pass_and_typed_moves(table: Any) -> None:
    keys = Keys(table.begin("chess", start="8/P6k/8/8/8/8/8/K7 w - - 0 1"))
    keys.tab_to(".cell")
    keys.walk([1, 0])
    keys.press("Enter")
    keys.walk([0, 0])
    keys.press("Enter")
    table.page.wait_for_selector(".chooser button")
    keys.tab_to(".chooser [aria-label='a8=R']")
    keys.press("Enter")
    table.wait("Black to move")
    assert keys.cell() == [0, 0]  # the focus stays where the piece was put
    keys.tab_to("#type")
    table.page.keyboard.type("Kg7")
    keys.press("Enter")
    table.wait("White to move")
    keys = Keys(table.begin("go:size=5"))
    keys.tab_to(".moves-as-buttons button")
    keys.press("Enter")  # both pass, and the focus is where the second pass is
    table.wait("White to move")
    keys.press("Enter")
    table.page.wait_for_selector("#status:text-matches('wins|draw')")


def test_the_moves_of_a_game_and_its_review(table: Any) -> None:
    keys = Keys(table.begin("tictactoe", **LOST))
    table.wait("X wins")
    keys.tab_to("[data-do=review-now]")
    keys.press("Enter")
    table.page.wait_for_selector(".verdicts td")
    keys.tab_to("[role=tab][aria-selected=true]")
    keys.press("ArrowLeft")
    assert keys.is_at("[data-tab=moves]")
    keys.tab_to(".move.blunder")
    keys.press("Enter")
    table.page.wait_for_selector(".move.blunder[aria-current]")
    assert keys.is_at(".move[aria-current]")  # not lost: the next Tab goes on from there
    keys.tab_to("[data-tab=moves]", "Shift+Tab")
    keys.press("ArrowRight")
    keys.tab_to("[data-do=find]")
    keys.press("Enter")
    table.wait("O to move")


def test_an_analysis(table: Any) -> None:
    """Its lines, a line followed, the branches that grow, and the answer to "why not"."""
    keys = Keys(table.begin("tictactoe", actions=[4, 0], cursor=2))
    keys.press("a")
    table.page.wait_for_selector(".figures:has-text('done')")
    keys.tab_to(".lines .pv")
    table.page.wait_for_selector(".preview svg.board")
    keys.press("Tab", "Enter")  # the second move of the first line
    table.until("(location.hash.split('moves=')[1] || '').split('.').length === 4")
    table.page.wait_for_selector(".lines .pv")
    table.until("document.activeElement.matches('.lines .pv')")  # where one was before
    keys.tab_to("[role=tab][aria-selected=true]")
    keys.press("ArrowRight", "ArrowRight")
    table.page.wait_for_selector(".living .branch")
    keys.tab_to(".living .branch")
    keys.press("Enter")
    table.until("(location.hash.split('moves=')[1] || '').split('.').length === 5")
    keys.tab_to("[role=tab][aria-selected=true]", "Shift+Tab")
    keys.press("ArrowLeft")
    keys.tab_to("select[aria-label=Move]")
    keys.press("ArrowDown")
    keys.tab_to("[data-do=why]")
    keys.press("Enter")
    table.page.wait_for_selector(".reply:text-matches('then|ends')")


def test_a_tree_step_by_step(table: Any) -> None:
    keys = Keys(table.open(f"#tree?game=tree&search=alphabeta&start={AIMA}&step=0"))
    table.page.wait_for_selector(".tree .node")
    keys.press("ArrowRight", "ArrowRight", "c")
    table.page.wait_for_selector(".step-words:has-text('Cutoff at a2')")
    keys.tab_to(".tree")
    keys.press("ArrowDown", "ArrowRight")
    table.page.wait_for_selector(".tree-info h2:has-text('a2')")
    keys.tab_to(".tree-info button")
    keys.press("Enter")
    table.page.wait_for_selector(".tree-info h2:has-text('the root')")


def test_a_quiz(table: Any) -> None:
    """Solved from the first field to the last."""
    keys = Keys(table.open(f"#quiz?kind=alphabeta&tree={AIMA}"))
    table.page.wait_for_selector(".quiz input")
    for node, value in ((0, "3"), (1, "4"), (5, "2"), (9, "2")):
        keys.tab_to(f"[data-value='{node}']")
        table.page.keyboard.type(value)
    for leaf in (7, 8):
        keys.tab_to(f"[data-leaf='{leaf}']", "Shift+Tab" if leaf == 7 else "Tab")
        keys.press("Space")
    keys.tab_to("[data-value='1']", "Shift+Tab")
    keys.press("Enter")
    table.page.wait_for_selector(".verdict:has-text('Wrong')")
    keys.tab_to("[data-do=show-why]", "Shift+Tab")
    keys.press("Enter")
    table.page.wait_for_selector(".step-words:has-text('a1 returns 3')")
    keys.tab_to("[data-value='1']")
    keys.press("Control+a")
    table.page.keyboard.type("3")
    keys.press("Enter")
    table.page.wait_for_selector(".verdict:has-text('Solved')")
