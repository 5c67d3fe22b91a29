"""No view breaks a rule of accessibility that axe knows: light, dark and in high contrast."""

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from tests.web.conftest import LOST

HUMAN = {"name": "human"}
AIMA = "[[3,12,8],[2,4,6],[14,5,2]]"
CHANCE = "[chance[0.5: [2, 4], 0.5: [7, 4]], chance[0.5: [6, 0], 0.5: [5, -2]]]"
LOOKS = [  # the scheme, the contrast, whether the system forces its own colours
    ("light", "no-preference", "none"),
    ("dark", "no-preference", "none"),
    ("light", "more", "none"),
    ("dark", "more", "none"),
    ("dark", "more", "active"),
]
ASK = """() => {
  const { setTimeout } = window;
  window.setTimeout = () => 0;
  document.querySelector('[data-do=resign]').click();
  window.setTimeout = setTimeout;
}"""
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
STRONG = {"runOnly": {"type": "rule", "values": ["color-contrast-enhanced"]}}  # for those who ask for it
RUN = """async (options) => {
  const says = (node) => `${node.target} ${node.any[0]?.message ?? ''}`;
  const { violations } = await axe.run(document, options);
  return violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.slice(0, 4).map(says).join(' | ')}`);
}"""


@pytest.fixture(scope="session")
def axe() -> str:
    pytest.importorskip("axe_playwright_python", reason="axe is in the extra `test`")
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def home(table: Any) -> None:
    table.begin("tictactoe", actions=[4], cursor=1)
    table.open("#home")
    table.page.wait_for_selector("[data-game=othello] svg.board .piece")
    table.page.wait_for_selector(".left-game")


def plays(game: str, **more: Any) -> Callable[[Any], None]:
    def show(table: Any) -> None:
        table.begin(game, **more)
        table.page.wait_for_selector("#status:has-text(' ')")

    return show


def analysis(table: Any) -> None:
    """Lines, arrows, the bar, the terms and the answer to a question."""
    table.begin("checkers", start="B:W18,K30:B1,5,6")
    page = table.page
    page.click("[data-do=analyse]")
    page.wait_for_selector(".lines li")
    page.click("[data-tab=analyse]")
    page.wait_for_selector(".terms .term")
    page.click("[data-do=why]")
    page.wait_for_selector(".reply:has-text('depth')")
    page.click("[data-do=analyse]")


def review(table: Any) -> None:
    """A game with a blunder, a comment and a variation, judged."""
    table.begin("tictactoe", **LOST)
    page = table.page
    page.click("[data-do=review-now]")
    page.wait_for_selector(".verdicts td")
    page.click("[data-tab=moves]")
    page.locator(".moves .move.blunder").first.click()
    page.fill(".comment-field", "a pity")
    page.press(".comment-field", "Enter")
    page.click("[data-tab=analyse]")
    page.wait_for_selector(".better:has-text('Blunder')")


def seeking(table: Any) -> None:
    """A better move was found."""
    review(table)
    table.page.click("[data-do=find]")
    table.wait("What is better than", ".better")
    table.click_cell([0, 1])
    table.wait("Right", ".better")


def living(table: Any) -> None:
    table.begin("tictactoe", actions=[4, 0], cursor=2)
    table.page.click("[data-tab=tree]")
    table.page.click("[data-do=analyse]")
    table.page.wait_for_selector(".living .branch >> nth=2")
    table.page.wait_for_selector(".figures:has-text('done')")


def share(table: Any) -> None:
    table.begin("chess", actions=[], cursor=0)
    table.page.click("[data-tab=share]")
    table.page.click("[data-do=position]")


def new_game(table: Any) -> None:
    table.begin("go", HUMAN, {"name": "uct", "level": 3})
    table.page.click("[data-do=new]")
    for summary in table.page.locator("dialog summary").all():
        if summary.is_visible():
            summary.click()


def promotion(table: Any) -> None:
    table.begin("chess", start="8/P6k/8/8/8/8/8/K7 w - - 0 1")
    table.click_cell([1, 0])
    table.click_cell([0, 0])
    table.page.wait_for_selector(".chooser button")


def hidden(table: Any) -> None:
    """Two people at one page, one of whom looks at the own hand."""
    table.begin("kuhn")
    table.page.click("[data-do=peek]")
    table.page.wait_for_selector(".playing-card:not(.down)")


def tree(table: Any) -> None:
    table.open(f"#tree?game=tree&search=alphabeta&with=minimax&start={AIMA}&step=22")
    table.page.wait_for_selector(".tree .node")
    table.page.locator(".node .shape").first.click()
    table.page.wait_for_selector(".tree-board p")


def uct(table: Any) -> None:
    table.open("#tree?game=tictactoe&search=uct&start=XO./.X./..O x&iterations=20&step=60")
    table.page.wait_for_selector(".tree .node")
    table.page.click("[data-node='0'] .shape")
    table.page.wait_for_selector(".tree-board svg")


def chance(table: Any) -> None:
    table.open(f"#tree?game=chancetree&search=expectiminimax&start={CHANCE}&step=9")
    table.page.wait_for_selector(".tree .node.chance")


def teaching(table: Any) -> None:
    """A tree that is made by clicking, and a question about its next step."""
    table.open(f"#tree?game=tree&search=alphabeta&start={AIMA}")
    page = table.page
    page.wait_for_selector(".tree .node")
    page.locator(".node.leaf .shape").first.click()
    page.wait_for_selector(".tree-build input")
    page.click("[data-do=predict]")
    page.click("[data-do=on]")
    page.wait_for_selector(".predict button")


def deepening(table: Any) -> None:
    """Depth by depth, its nodes as boards, the horizon."""
    table.open("#tree?game=checkers&start=W:W26,27:B13,20&search=engine&on=quiescence&depth=2&deepening=1")
    page = table.page
    page.wait_for_selector(".depths td")
    page.click("[data-do=boards]")
    page.click("[data-do=last]")
    page.wait_for_selector(".node svg.board")


def wrong_position(table: Any) -> None:
    table.open("#edit?game=chess&start=8/8/8/8/8/k7/8/K6R w - - 0 1")
    table.page.wait_for_selector(".palette button")
    table.click_cell([7, 0])
    table.page.wait_for_selector(".problem.bad")


def quiz(table: Any) -> None:
    """Half solved: something right, something wrong, a leaf crossed out, the solution below."""
    table.open(f"#quiz?kind=windows&tree={AIMA}")
    page = table.page
    page.wait_for_selector(".quiz input")
    for field, value in (("[data-value='1']", "3"), ("[data-value='5']", "4")):
        page.fill(field, value)
        page.press(field, "Enter")
    page.click("[data-leaf='7']")
    page.click("[data-do=show-why]")
    page.wait_for_selector(".quiz-page .tree .node")


def look(table: Any) -> None:
    table.begin("chess")
    table.page.click("#look")
    table.page.wait_for_selector(".of-pieces svg >> nth=8")


def editor(table: Any) -> None:
    table.open("#edit?game=chess")
    table.page.wait_for_selector(".palette button")


def resigning(table: Any) -> None:
    table.begin("chess")
    table.page.evaluate(ASK)  # without a timer: the question does not go away
    table.page.wait_for_selector("[data-do=resign]:has-text('Sure?')")


def problem(table: Any) -> None:
    table.begin("chess")
    table.page.fill("#type", "e2e5")
    table.page.press("#type", "Enter")
    table.page.wait_for_selector("#toast:has-text('is not a move')")


SHOWN: dict[str, Callable[[Any], None]] = {
    "home": home,
    "chess": plays("chess"),
    "connect4": plays("connect4"),
    "othello": plays("othello"),
    "go": plays("go"),
    "kalah": plays("kalah"),
    "backgammon": plays("backgammon", start="qAEAADUAAAAAAA X"),
    "pig": plays("pig", start="85 80 1 +0"),
    "nim": plays("nim"),
    "analysis": analysis,
    "review": review,
    "better move": seeking,
    "living tree": living,
    "share": share,
    "new game": new_game,
    "look": look,
    "editor": editor,
    "wrong position": wrong_position,
    "teaching": teaching,
    "deepening": deepening,
    "promotion": promotion,
    "hidden": hidden,
    "tree": tree,
    "UCT": uct,
    "chance": chance,
    "quiz": quiz,
    "problem": problem,
    "resigning": resigning,
}


@pytest.mark.parametrize("view", SHOWN)
def test_axe_finds_nothing(table: Any, axe: str, view: str) -> None:
    SHOWN[view](table)
    table.page.evaluate(axe)
    found = []
    for number, (scheme, contrast, forced) in enumerate(LOOKS):
        table.page.emulate_media(color_scheme=scheme, contrast=contrast, forced_colors=forced)
        wanted = "more" if contrast == "more" else "undefined"
        table.until(f"String(document.documentElement.dataset.contrast) === '{wanted}'")
        rules = {} if not number else STRONG if contrast == "more" else COLOURS
        found += [f"{scheme}, contrast {contrast}: {line}" for line in table.page.evaluate(RUN, rules)]
    assert found == []
