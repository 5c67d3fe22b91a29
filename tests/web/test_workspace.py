"""The workspace in a real browser: layouts, variations, moves that are shown at once, and what people see of it all."""

import re
import time
from typing import Any

import pytest

from outplay.games import load
from outplay.search.textbook.minimax import value
from tests.web.conftest import LOST, PATIENCE

HUMAN = {"name": "human"}
SIZES = [(360, 640), (390, 844), (844, 390), (820, 1180), (1440, 900), (2560, 1440)]
BOXES = """parts => parts.map((part) => {
  const box = document.querySelector(part).getBoundingClientRect();
  return [box.left, box.top, box.right, box.bottom];
})"""
CUT = """() => { // what can be used or read and is neither in sight nor brought there by scrolling
  const found = document.documentElement.scrollWidth > innerWidth || scrollY ? ['the page scrolls'] : [];
  const looked = 'button, input, select, textarea, h1, .status, .strip, .figures, svg.board, .value-bar, .value';
  for (const one of document.querySelectorAll(looked)) {
    const box = one.getBoundingClientRect();
    const shown = one.checkVisibility({ visibilityProperty: true }) && box.width;
    if (!shown || one.closest('.out-of-sight, .line')) continue;
    const says = `${one.tagName} ${one.className.baseVal ?? one.className} ${one.textContent.slice(0, 20)}`;
    const wide = one.matches('button:not([data-do=better]), .value') && one.scrollWidth > one.clientWidth + 1;
    if (wide) found.push(`${says}: too wide`);
    let room = one.parentElement;
    while (room && getComputedStyle(room).overflowY === 'visible') room = room.parentElement;
    if (getComputedStyle(room).overflowY === 'auto' && room.clientHeight >= 20) continue;
    const whole = new DOMRect(0, 0, innerWidth, innerHeight);
    const around = room === document.documentElement ? whole : room.getBoundingClientRect();
    const across = box.left >= around.left - 1 && box.right <= around.right + 1;
    if (!across || box.top < around.top - 1 || box.bottom > around.bottom + 1) found.push(`${says}: cut off`);
  }
  const places = (...parts) => parts.map((part) => document.querySelector(part)?.getBoundingClientRect());
  const [list, move, panel, steps] = places('.moves', '.moves [aria-current]', '.panel', '.steps');
  const follows = !list?.height || !move || (move.top >= list.top - 3 && move.bottom <= list.bottom + 3);
  if (!follows) found.push('the current move is not in sight');
  if (steps?.height && steps.bottom > panel.bottom) found.push('the steps through the game are not in sight');
  return found;
}"""
HOLD = """() => {
  const real = WebSocket.prototype.send;
  const held = [];
  WebSocket.prototype.send = function (text) { held.push(() => real.call(this, text)); };
  window.go = () => { WebSocket.prototype.send = real; held.forEach((send) => send()); };
}"""
SLIDE = """([from, to]) => {
  const [piece, goal] = [from, to].map((at) => document.querySelector(`.piece[data-at="${at}"]`));
  const [x, y] = goal.getAttribute('transform').match(/[-\\d.]+/g);
  const there = { transform: `translate(${x}px, ${y}px)` };
  piece.animate([there, there], { duration: 60000 });
  piece.parentNode.append(piece);
}"""
PGN = """[Event "A match"]
[White "Anderssen"]
[Black "Kieseritzky"]

1. e4 {best by test} e5 2. f4 exf4 (2... d5 {a countergambit} 3. exd5) 3. Bc4! *
"""


TONES = """(() => {
  window.tones = [];
  window.OscillatorNode = class extends OscillatorNode {
    constructor(context, options) { super(context, options); window.tones.push(options.frequency); }
  };
})()"""
SMALL = """() => { // what a thumb can hardly hit
  const looked = 'button, select, input, textarea, summary, nav a, .file, .choice span:not(.chip)';
  const text = '.move, .pv, .leaf, .answer, .bound, .out-of-sight, .choice input, [type=checkbox], [type=radio]';
  const shown = [...document.querySelectorAll(looked)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(text));
  return shown.map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
    .filter(([, { width, height }]) => width && Math.min(width, height) < 43.9)
    .map(([says, { width, height }]) => `${says} ${width} ${height}`);
}"""


def named(table: Any) -> list[str]:
    return table.page.locator(".moves > li:not(.variation) .move").all_inner_texts()


# --- what lies where ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["connect4", "othello", "go", "kalah", "backgammon"])
def test_a_board_has_its_ground(table: Any, game: str) -> None:
    """The frame, the felt or the wood that the pieces lie on is drawn, as large as the board."""
    table.begin(game)
    ground, board = table.box(".board-frame .table"), table.box(".board-frame svg.board")
    assert ground["width"] > 0.7 * board["width"]


@pytest.mark.parametrize("size", SIZES)
def test_all_is_in_sight_on_every_screen(table: Any, ask: Any, size: tuple[int, int]) -> None:
    """The board with its players, the bar, the lines and the moves, whatever else is shown; nothing is cut off."""
    page = table.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    table.begin("tictactoe", actions=[4, 0, 8], cursor=3)
    page.click("[data-do=analyse]")
    page.wait_for_selector(".lines li")
    table.until("!('off' in document.querySelector('.value-bar').dataset)")
    parts = [".board-frame svg", ".value-bar", ".lines li", ".moves .move", ".strip[data-side='1']", ".steps"]
    boxes = page.evaluate(BOXES, parts)  # all at once: lines come and go while it looks
    for part, (left, top, right, bottom) in zip(parts, boxes, strict=True):
        assert 0 <= left < right <= size[0] + 1 and 0 <= top < bottom <= size[1] + 1, part
    left, top, right, bottom = boxes[0]
    assert min(right - left, bottom - top) >= 0.4 * min(size)
    assert page.evaluate(CUT) == []
    table.begin(
        "tictactoe", actions=[4, 1, 0, 8, 6, 2, 3], cursor=7
    )  # with a result, a graph and the analysis
    page.click("[data-do=review-now]")
    page.wait_for_selector(".verdicts td")
    page.click("[data-tab=moves]")
    page.click("[data-do=analyse]")
    assert page.evaluate(CUT) == []
    page.click("[data-do=back]")
    page.wait_for_selector(".lines li")
    assert page.evaluate(CUT) == []
    for tab in ("analyse", "tree", "share"):
        page.click(f"[data-tab={tab}]")
        assert page.evaluate(CUT) == [], tab


@pytest.mark.parametrize("size", SIZES)
def test_a_mistake_is_looked_at_on_every_screen(table: Any, size: tuple[int, int]) -> None:
    """What was wrong, the ways to a better move, the moves, and the graph of the game."""
    page = table.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    table.begin("tictactoe", **LOST)
    page.click("[data-do=review-now]")
    page.wait_for_selector(".verdicts td")
    page.click("[data-tab=moves]")
    page.locator(".moves .move.blunder").first.click()
    page.wait_for_selector(".better:has-text('Blunder')")
    table.lies_still(".panel *")
    assert page.evaluate(CUT) == []
    parts = [".board-frame svg", ".value-bar", ".better .row", ".moves .move", ".steps"]
    for part, (left, top, right, bottom) in zip(parts, page.evaluate(BOXES, parts), strict=True):
        assert 0 <= left < right <= size[0] + 1 and 0 <= top < bottom <= size[1] + 1, part


@pytest.mark.parametrize(
    "view",
    [
        "#home",
        "#edit?game=chess",
        "#tree?game=tree&search=alphabeta&with=minimax&start=[[3,12,8],[2,4,6],[14,5,2]]&step=9",
        "#tree?game=tictactoe&search=uct&start=XO./.X./..O x&iterations=20&step=60",
        "#quiz?kind=windows&seed=3&depth=3&branching=3",
    ],
)
def test_no_view_is_wider_than_the_screen(table: Any, view: str) -> None:
    table.open(view)
    table.page.wait_for_selector(".game-card, .palette button, .tree .node, .quiz input")
    for width, height in SIZES:
        table.page.set_viewport_size({"width": width, "height": height})
        table.lies_still(".game-card, .palette button, .tree .node, .quiz input")
        assert table.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("size", SIZES[:3])
@pytest.mark.parametrize(
    ("view", "wait"),
    [
        ("#home", ".game-card"),
        ("#play?new=chess", ".moves-page"),
        ("#edit?game=chess", ".palette button"),
        ("#tree?game=tree&search=alphabeta&start=[[3,12,8],[2,4,6],[14,5,2]]&step=9", ".tree .node"),
        ("#quiz?kind=windows&seed=3&depth=3&branching=3", ".quiz input"),
    ],
)
def test_a_thumb_hits_every_control(table: Any, view: str, wait: str, size: tuple[int, int]) -> None:
    page = table.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    table.open(view)
    page.wait_for_selector(wait)
    assert page.evaluate(SMALL) == []
    if "play" in view:
        for tab in ("analyse", "tree", "share"):
            page.click(f"[data-tab={tab}]")
            assert page.evaluate(SMALL) == [], tab
        page.click("[data-tab=moves]")
        page.click("[data-do=new]")
        page.wait_for_selector("dialog")
        assert page.evaluate(SMALL) == []
        page.keyboard.press("Escape")
        page.click("#look")
        page.wait_for_selector("dialog")
        assert page.evaluate(SMALL) == []


def test_the_list_follows_a_long_game(table: Any, ask: Any) -> None:
    actions: list[str] = []
    for number in range(60):
        legal = ask("position", game="othello", actions=actions)["legal"]
        if not legal:
            break
        actions.append(legal[number % len(legal)]["action"])
    table.begin("othello", actions=actions, cursor=len(actions))
    inside = (
        "(() => { const [l, m] = ['.moves', '.moves [aria-current]'].map((s) => "
        "document.querySelector(s)?.getBoundingClientRect());"
        " return m && m.top >= l.top - 1 && m.bottom <= l.bottom + 1; })()"
    )
    table.until(inside)
    table.page.keyboard.press("Home")
    table.page.keyboard.press("ArrowRight")
    table.until(inside)


def test_every_control_has_a_name(table: Any) -> None:
    """What a screen reader says of each; one heading of the first rank; no name twice."""
    for view in ("#home", "#play?new=tictactoe", "#tree", "#quiz"):
        table.open(view)
        table.page.wait_for_selector(".game-card, .moves-page, .tree .node, .quiz input")
        assert table.page.locator("h1").count() == 1
        nameless = table.page.evaluate(
            "[...document.querySelectorAll('button, a, input, select, textarea, [role=button]')].filter((e) =>"
            " !(e.ariaLabel || e.textContent.trim() || e.labels?.length || e.title)).map((e) => e.outerHTML)"
        )
        assert nameless == []
        ids = table.page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
        assert len(ids) == len(set(ids))


def test_titles(table: Any) -> None:
    for view, title in (
        ("#home", "Home"),
        ("#quiz", "Quiz"),
        ("#tree", "Search trees"),
        ("#play?new=othello", "Othello"),
    ):
        table.open(view)
        table.until(f"document.title === '{title} · Outplay'")


@pytest.mark.parametrize(
    ("there", "title"), [("#home", "Home"), ("#quiz", "Quiz"), ("#play?new=othello", "Othello")]
)
def test_a_view_that_is_left_does_not_keep_its_address(table: Any, there: str, title: str) -> None:
    """It may still write it, as when a search ends, between the click and the change of views."""
    table.open("#tree?game=tree&start=[[3,12,8],[2,4,6],[14,5,2]]")
    table.page.wait_for_selector(".tree .node")
    late = "history.replaceState(null, '', '#tree?game=tree&start=[1,2]')"
    table.page.evaluate(f"() => {{ location.hash = '{there}'; {late}; }}")
    table.until(f"document.title === '{title} · Outplay'")
    table.until(f"location.hash.startsWith('{there.partition('?')[0]}')")


def test_sides_have_their_colours(table: Any) -> None:
    table.begin("chess")
    assert table.page.locator(".strip[data-side='0'] .chip").get_attribute("class") == "chip white"
    table.begin("connect4")
    table.wait("Yellow to move")
    assert table.page.locator(".strip[data-side='1']").inner_text().startswith("Blue")


EDGES = """names => names.map((name) => {
  const { left, right, top, bottom } = document.querySelector(name).getBoundingClientRect();
  return { left, right, top, bottom };
})"""


@pytest.mark.parametrize("game", ["chess", "othello", "kalah"])
def test_players_and_bar_stand_at_the_boards_edges(table: Any, game: str) -> None:
    table.page.set_viewport_size({"width": 1440, "height": 900})
    table.begin(game)
    table.wait("to move")
    table.lies_still(".board .table", ".value-bar", ".strip")
    board, bar, *strips = table.page.evaluate(
        EDGES, [".board .table", ".value-bar", ".strip[data-side='0']", ".strip[data-side='1']"]
    )
    for strip in strips:
        assert abs(strip["left"] - board["left"]) < 3 and abs(strip["right"] - board["right"]) < 3
    assert abs(bar["top"] - board["top"]) < 3 and abs(bar["bottom"] - board["bottom"]) < 3
    assert 0 < bar["left"] - board["right"] < 30


@pytest.mark.parametrize("size", [SIZES[1], *SIZES[3:]])
@pytest.mark.parametrize("game", ["kalah", "pig", "backgammon"])
def test_players_sit_at_a_wide_board(table: Any, game: str, size: tuple[int, int]) -> None:
    """However high its place is."""
    table.page.set_viewport_size({"width": size[0], "height": size[1]})
    table.begin(game, start="4HPwATDgc/ABMA X 31" if game == "backgammon" else "")
    table.wait("to move")
    table.lies_still(".board-frame svg", ".strip", ".panel")
    board, *strips, panel = table.page.evaluate(
        EDGES, [".board-frame svg", ".strip-place.top", ".strip-place.bottom", ".panel"]
    )
    beside = 90 if table.page.locator(".moves-as-buttons").count() else 30
    assert 0 <= board["top"] - strips[0]["bottom"] < 30 and 0 <= strips[1]["top"] - board["bottom"] < beside
    assert panel["bottom"] > size[1] - 30


LONG = """[White "Maximilian Alexander von und zu Hohenstein-Schillingsfuerst-Wittgenstein"]
[Black "Venkatanarasimharajuvaripeta Subramaniam Krishnamurthy the Younger"]
[Result "1-0"]

1. e4 {Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichenverleihungsordnungsparagraph} e5 1-0
"""


@pytest.mark.parametrize("size", SIZES)
def test_long_names_and_comments_have_their_place(table: Any, size: tuple[int, int]) -> None:
    page = table.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    table.open("#play?open=1")
    page.fill(".share textarea", LONG)
    page.click("[data-do=read]")
    page.wait_for_selector(".comment")
    page.wait_for_selector("#status:has-text('1-0: White to move')")
    assert all(table.box(f".strip[data-side='{side}']")["height"] < 45 for side in (0, 1))
    assert page.evaluate(CUT) == []
    assert (
        page.evaluate(
            "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.moves'))"
        )
        <= 0
    )


@pytest.mark.parametrize("game", ["go", "pig", "backgammon"])
def test_buttons_of_moves_stand_right_below_the_board(table: Any, game: str) -> None:
    start = "4HPwATDgc/ABMA X 31" if game == "backgammon" else ""
    table.begin(game, start=start)
    table.page.wait_for_selector(".moves-as-buttons button")
    table.lies_still(".board-frame svg", ".moves-as-buttons")
    board, buttons = table.page.evaluate(EDGES, [".board-frame svg", ".moves-as-buttons"])
    assert -1 <= buttons["top"] - board["bottom"] < 20


# --- the first sight ------------------------------------------------------------------------------------


def test_home_shows_all_games_and_three_doors(table: Any) -> None:
    table.open("")
    page = table.page
    assert page.locator(".door").count() == 3
    cards = page.locator(".game-card").evaluate_all("cards => cards.map((card) => card.dataset.game)")
    assert cards[:3] == ["nim", "kuhn", "breakthrough"] and {"chess", "go", "pig"} <= set(cards)
    page.wait_for_selector("[data-game=othello] svg.board .piece")
    page.click("[data-game=tictactoe]")
    table.wait("X to move")
    assert "engine" in page.locator(".strip[data-side='1']").inner_text()


def test_the_first_sight_shows_a_search(table: Any) -> None:
    """Alpha-beta goes through the tree of the textbook, at once where no motion is wished; a click opens the tree."""
    table.open("")
    page = table.page
    table.until("document.querySelectorAll('.self-node.done').length > 3")
    assert page.locator(".self-node").count() == 13
    page.emulate_media(reduced_motion="reduce")
    table.open("#quiz")
    table.open("#home")
    table.wait("the tree is worth 3", ".self-says")
    pruned = page.locator(".self-node.pruned text").all_text_contents()
    assert pruned == ["4", "6"]
    page.click("[data-door=self]")
    page.wait_for_selector(".tree .node >> nth=12")
    assert page.locator("#tree-start").input_value().replace(" ", "") == "[[3,12,8],[2,4,6],[14,5,2]]"


def test_a_tree_that_is_typed_is_searched_by_enter(table: Any) -> None:
    table.open("#tree?game=tree&search=alphabeta")
    page = table.page
    page.fill("#tree-start", "[[5, 1], [9, 4]]")
    page.press("#tree-start", "Enter")
    table.until("document.querySelectorAll('.tree .node').length === 7")
    assert page.locator("#tree-start").input_value() == "[[5, 1], [9, 4]]"


def test_the_door_to_a_game_asks_which(table: Any) -> None:
    """A dialog asks for game, side and strength; it goes with the view it was opened in."""
    table.open("")
    page = table.page
    page.click("[data-door=play]")
    page.locator("dialog .choice", has_text="Novice").click()
    page.go_back()
    table.wait("Outplay it", "h1")
    assert page.locator("dialog").count() == 0
    page.click("[data-door=play]")
    page.locator("dialog select").first.select_option("othello")
    page.locator("dialog .choice", has_text="Casual").click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector(".strip[data-side='1']:has-text('White · Casual (engine)')")


def test_a_new_game_is_a_place_to_come_back_to(table: Any) -> None:
    table.begin("tictactoe")
    table.click_cell([1, 1])
    table.moved(0)
    page = table.page
    page.keyboard.press("n")
    page.locator("dialog select").first.select_option("hexapawn")
    page.get_by_role("button", name="Start", exact=True).click()
    table.wait("White to move")
    page.go_back()
    table.wait("Tic-tac-toe", ".game-title")
    page.wait_for_selector(".moves .move:has-text('b2')")


def test_a_game_that_is_left_can_be_gone_on_with(table: Any) -> None:
    table.begin("tictactoe", actions=[4], cursor=1)
    page = table.page
    page.goto(f"{table.server.url}/#play?new=hexapawn")
    table.wait("White to move")
    page.go_back()
    table.wait("O to move")
    page.goto(f"{table.server.url}/#home")
    page.locator(".left-game", has_text="Tic-tac-toe, 1 move").first.click()
    table.wait("O to move")


def test_a_game_is_opened_from_the_first_sight(table: Any) -> None:
    """Paste it, read it: it is on the board."""
    table.open("#home")
    page = table.page
    page.click("[data-door=open]")
    page.wait_for_selector(".share textarea:focus")
    page.keyboard.insert_text(PGN)
    page.click("[data-do=read]")
    page.wait_for_selector(".strip[data-side='0']:has-text('Anderssen')")
    page.goto(f"{table.server.url}/#home")
    page.click("[data-door=edit]")
    page.wait_for_selector(".editor .swatch")


def test_watch_it_think_plays_by_itself(table: Any) -> None:
    table.open("#home")
    table.page.click("[data-door=watch]")
    table.page.wait_for_selector(".step-words:text-matches('Step ([3-9]|[1-3][0-9]) of 34')")


# --- variations -----------------------------------------------------------------------------------------


def test_another_move_loses_nothing(table: Any) -> None:
    table.begin("tictactoe", actions=[4, 0, 8, 2], cursor=4)
    page = table.page
    page.wait_for_selector(".moves .move >> nth=3")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    table.wait("O to move")
    table.click_cell([0, 1])
    page.wait_for_selector(".variation .move:has-text('b3')")
    assert page.locator(".variation .number").inner_text() == "1…"
    assert named(table) == ["b2", "a1", "c3", "c1"]
    page.reload()
    page.wait_for_selector(".variation .move:has-text('b3')")
    page.keyboard.press("ArrowUp")  # to the move beside it
    page.wait_for_selector(".moves .move[aria-current]:has-text('a1')")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(".variation .move[aria-current]")
    page.fill(".comment-field", "worth a try")
    page.press(".comment-field", "Enter")
    page.wait_for_selector(".comment:has-text('worth a try')")
    page.click("[data-do=promote]")
    table.until("document.querySelectorAll('.moves > li:not(.variation) .move').length === 2")
    assert named(table) == ["b2", "b3"]
    page.click("[data-do=delete]")
    table.until("document.querySelectorAll('.variation').length === 0")
    assert named(table) == ["b2", "a1", "c3", "c1"]


def test_names_comments_and_variations_are_imported_and_exported(table: Any) -> None:
    table.begin("tictactoe")
    page = table.page
    page.click("[data-tab=share]")
    page.fill(".share textarea", PGN)
    page.click("[data-do=read]")
    page.wait_for_selector(".strip:has-text('White · Anderssen')")
    page.wait_for_selector(".comment:has-text('best by test')")
    page.wait_for_selector(".variation .move:has-text('d5')")
    assert named(table) == ["e4", "e5", "f4", "exf4", "Bc4!"]
    page.click("[data-tab=share]")
    page.click("[data-do=pgn]")
    table.until("document.querySelector('.share textarea').value.includes('[Site ')")
    text = re.sub(r"\s+", " ", page.locator(".share textarea").input_value())
    assert "1. e4 { best by test }" in text and "( 2... d5 { a countergambit } 3. exd5 )" in text
    assert "3. Bc4!" in text or "3. Bc4 $1" in text


def test_results_and_braces_outlive_an_export(table: Any) -> None:
    """A game that was resigned, and a comment with what ends comments."""
    table.begin("chess")
    page = table.page
    page.fill("#type", "e4")
    page.press("#type", "Enter")
    table.wait("Black to move")
    page.fill(".comment-field", "a {good} one")
    page.press(".comment-field", "Enter")
    page.wait_for_selector(".comment:has-text('a {good} one')")
    table.resign()
    table.wait("Black resigns: White wins")
    page.click("[data-tab=share]")
    page.click("[data-do=pgn]")
    table.until("document.querySelector('.share textarea').value.includes('[Result \"1-0\"]')")
    assert "{ a (good) one }" in page.locator(".share textarea").input_value()
    page.click("[data-do=read]")
    table.wait("1-0: Black to move")
    page.click("[data-tab=share]")
    page.click("[data-do=pgn]")
    table.until("document.querySelector('.share textarea').value.includes('[Result \"1-0\"]')")


def test_a_line_of_the_analysis_is_clicked(table: Any) -> None:
    table.begin("tictactoe", actions=[4, 0], cursor=2)
    page = table.page
    page.click("[data-do=analyse]")
    page.wait_for_selector(".figures:has-text('done')")
    first = page.locator(".lines li").first.locator(".pv")
    first.first.hover()
    page.wait_for_selector(".preview svg.board")
    texts = first.all_inner_texts()
    first.nth(1).click()
    table.until("(location.hash.split('moves=')[1] || '').split('.').length === 4")
    assert page.locator(".moves .move").all_inner_texts()[2:4] == texts[:2]


def test_the_living_tree_grows_and_leads(table: Any) -> None:
    table.begin("tictactoe", actions=[4, 0], cursor=2)
    page = table.page
    page.click("[data-tab=tree]")
    page.click("[data-do=analyse]")
    page.wait_for_selector(".living .branch >> nth=2")
    page.wait_for_selector(".figures:has-text('done')")
    page.locator(".living .branch circle").first.click(force=True)
    table.until("(location.hash.split('moves=')[1] || '').split('.').length === 3")


# --- moves that move ------------------------------------------------------------------------------------


def test_a_move_is_shown_before_the_server_answers(table: Any) -> None:
    table.begin("chess")
    page = table.page
    held: list[Any] = []
    page.route("**/api/position", lambda route: held.append(route))
    box = {at: table.square(at) for at in ("6,4", "4,4")}
    centre = {at: (b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for at, b in box.items()}
    page.mouse.move(*centre["6,4"])
    page.mouse.down()
    page.mouse.move(*centre["4,4"], steps=4)
    page.mouse.up()
    assert page.locator(".piece.pawn[data-at='4,4']").count() == 1  # no snap back
    assert not page.locator(".piece[data-at='6,4']").count()
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    page.unroute("**/api/position")
    table.wait("Black to move")
    table.begin("othello")
    held.clear()
    page.route("**/api/position", lambda route: held.append(route))
    table.click_cell([2, 3])
    assert page.locator(".piece.black[data-at='2,3']").count() == 1
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    page.unroute("**/api/position")


def test_a_piece_that_slides_by_catches_no_click(table: Any) -> None:
    table.begin("chess")
    table.page.evaluate(SLIDE, ["0,0", "6,4"])
    table.click_cell([6, 4])
    table.page.wait_for_selector(".cell.chosen[data-at='6,4']")
    table.click_cell([4, 4])
    table.wait("Black to move")


def test_keys_after_a_click_go_through_the_moves(table: Any) -> None:
    table.begin("tictactoe")
    page = table.page
    table.click_cell([1, 1])
    table.wait("O to move")
    page.keyboard.press("ArrowLeft")
    table.wait("X to move")
    page.keyboard.press("End")
    table.wait("O to move")


def test_moves_are_typed_by_their_squares_and_errors_go(table: Any) -> None:
    table.begin("chess")
    page = table.page
    page.fill("#type", "e2e5")
    page.press("#type", "Enter")
    page.wait_for_selector("#toast:has-text('e2e5 is not a move here')")
    page.fill("#type", "e2e4")
    page.press("#type", "Enter")
    page.wait_for_selector(".moves .move:has-text('e4')")
    assert not page.locator("#toast").is_visible()


def test_a_move_ahead_of_time(table: Any) -> None:
    """While the machine thinks, the next move is chosen; it is played when it can be."""
    table.begin("breakthrough", HUMAN, {"name": "random"})
    first, *_, last = table.position()["legal"]
    table.page.evaluate(HOLD)  # the machine hears nothing yet
    for at in first["path"]:
        table.click_cell(at)
    table.wait("thinking")
    for at in last["path"]:
        table.click_cell(at)
    table.page.wait_for_selector(".arrow.ahead")
    table.page.keyboard.press("Escape")  # not after all
    assert table.page.locator(".arrow.ahead").count() == 0
    for at in last["path"]:
        table.click_cell(at)
    table.page.evaluate("window.go()")
    table.moved(2)
    assert table.page.locator(".moves .move").nth(2).inner_text() == last["text"]


def test_a_disc_ahead_of_time(table: Any) -> None:
    """Where pieces are put, a cell is chosen; in a frame its column."""
    table.begin("connect4", HUMAN, {"name": "random"})
    table.page.evaluate(HOLD)
    table.click_cell([0, 3])
    table.wait("thinking")
    table.click_cell([0, 6])
    table.page.wait_for_selector(".arrow.ahead")
    table.page.evaluate("window.go()")
    table.moved(2)
    assert table.record["actions"][2] == 6


def test_arrows_and_circles_by_the_right_button(table: Any) -> None:
    table.begin("tictactoe")
    box = table.square("0,0")
    for _ in range(2):
        table.page.mouse.click(box["x"] + 20, box["y"] + 20, button="right")
    assert table.page.locator(".arrow.own").count() == 0
    table.page.mouse.click(box["x"] + 20, box["y"] + 20, button="right")
    assert table.page.locator(".arrow.own.ring").count() == 1


def test_an_arrow_is_dragged_and_goes_with_the_next_click(table: Any) -> None:
    table.begin("chess")
    page = table.page
    (x1, y1), (x2, y2) = (
        (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for box in (table.square("6,4"), table.square("4,4"))
    )
    page.mouse.move(x1, y1)
    page.mouse.down(button="right")
    page.mouse.move(x2, y2, steps=4)
    page.mouse.up(button="right")
    assert page.locator(".arrow.own:not(.ring)").count() == 1
    assert page.locator(".target").count() == 0  # nothing was chosen
    table.click_cell([3, 3])
    assert page.locator(".arrow.own").count() == 0


def test_sounds_tell_what_happens_and_can_be_switched_off(table: Any) -> None:
    """A move, a capture, a check, little time, the end; none before anybody has touched the page."""
    page = table.page
    page.add_init_script(TONES)

    def heard(move: str, then: str) -> list[int]:
        page.evaluate("() => { window.tones = []; }")
        page.fill("#type", move)
        page.press("#type", "Enter")
        table.wait(then)
        found: list[int] = page.evaluate("window.tones")
        return found

    table.begin("chess", start="4k3/8/8/3p4/4P3/8/8/R3K3 w Q - 0 1")
    assert heard("exd5", "Black to move") == [180, 120]
    assert heard("Kd7", "White to move") == [320]
    assert heard("Ra7+", "Black to move") == [520, 660]
    page.click("#sound")
    assert heard("Kd6", "White to move") == []
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert page.locator("#sound").get_attribute("aria-pressed") == "false"
    page.click("#sound")
    assert heard("Ra6+", "Black to move") == [520, 660]
    table.begin("tictactoe", actions=[0, 3, 1, 4], cursor=4)
    assert heard("c1", "X wins") == [392, 494, 587]
    table.begin("tictactoe", clock="60+0", left=[10_400, 60_000])
    page.click("[data-tab=share]")
    table.until("window.tones.includes(880)")


def test_the_result_card_offers_a_rematch(table: Any) -> None:
    table.begin("tictactoe", HUMAN, {"name": "random"}, actions=[0, 3, 1, 4], cursor=4)
    table.click_cell([2, 2])
    table.wait("X wins")
    assert table.page.locator(".result strong").inner_text() == "You win!"
    table.page.click("[data-do=rematch]")
    table.page.wait_for_selector(".strip[data-side='0']:has-text('X · random')")


def test_a_new_game_is_played_by_the_search_that_is_best_at_it(table: Any) -> None:
    table.begin("connect4", HUMAN, {"name": "engine", "level": 3})
    page = table.page
    page.click("[data-do=new]")
    page.locator("dialog select").first.select_option("go")
    assert page.locator("dialog [data-seat='1']").input_value() == "uct"
    assert page.locator("dialog [data-level='1'] option").first.text_content() == "Beginner"
    page.keyboard.press("Escape")


def test_sides_by_their_names_and_levels(table: Any) -> None:
    """Against a level as White, whose colour is there; then two machines, that can be told to wait."""
    table.begin("othello")
    page = table.page
    page.click("[data-do=new]")
    page.locator("dialog .choice", has_text="White").click()
    page.locator("dialog .choice", has_text="Novice").click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector(".strip[data-side='0']:has-text('Black · Novice (engine)')")
    table.wait("White to move")
    assert "White · you" in page.locator(".strip-place.bottom").inner_text()
    assert len(table.record["actions"]) == 1
    page.click("[data-do=new]")
    page.locator("dialog .choice", has_text="Watch two machines").click()
    page.locator("dialog .choice", has_text="Beginner").click()
    page.locator("dialog select").first.select_option("tictactoe")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector(".strip[data-side='1']:has-text('O · Beginner (engine)')")
    table.moved(1)
    page.click("[data-do=pause]")
    table.wait("Go on", "[data-do=pause]")
    page.wait_for_load_state("networkidle")  # a move that was on its way has come
    before = table.record["actions"]
    page.wait_for_timeout(800)
    assert table.record["actions"] == before
    page.click("[data-do=pause]")
    page.wait_for_selector("#status:text-matches('wins|draw')")


@pytest.mark.parametrize(("game", "nodes"), [("othello", 200), ("othello:size=6", 2000)])
def test_a_network_is_asked_for_fewer_simulations(table: Any, game: str, nodes: int) -> None:
    """The net is that of the usual board: another size is played by random games."""
    sent: list[str] = []
    table.page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(text)))
    table.begin(game, {"name": "puct", "level": 6})
    deadline = time.monotonic() + PATIENCE
    while not (asked := [text for text in sent if '"think"' in text]):
        assert time.monotonic() < deadline
        table.page.wait_for_timeout(20)
    assert f'"nodes":{nodes},' in asked[0].replace("}", ",")


def test_chance_may_choose_the_side(table: Any) -> None:
    table.begin("tictactoe")
    page = table.page
    for draw, first in ((0.2, "X · Club (engine)"), (0.8, "X · you")):
        page.evaluate(f"() => {{ Math.random = () => {draw}; }}")
        page.click("[data-do=new]")
        page.locator("dialog .choice", has_text="Random").click()
        page.get_by_role("button", name="Start", exact=True).click()
        page.wait_for_selector("dialog", state="detached")
        table.wait(first, ".strip[data-side='0']")


def test_nobody_is_told_the_value_who_only_plays(table: Any) -> None:
    table.begin("tictactoe", HUMAN, {"name": "engine", "depth": 3})
    table.click_cell([1, 1])
    table.moved(1)
    assert not table.page.locator(".value-bar").is_visible()


def test_a_review_tells_what_is_proven(table: Any) -> None:
    """In a game that can be solved each move wins, draws or loses for who made it: as minimax of the textbook says."""
    start, actions = "XO./.X./..O x", [3, 0, 5]
    state, wanted = load("tictactoe").position(start), []
    for action in actions:
        mover, state = state.player(), state.result(action)
        worth = value(state) * (1, -1)[mover]
        wanted.append(f"proven: {'wins' if worth > 0 else 'loses' if worth < 0 else 'draws'}")
    table.begin("tictactoe", start=start, actions=actions, cursor=len(actions))
    page = table.page
    page.click("[data-tab=analyse]")
    page.click("[data-do=review]")
    page.wait_for_selector(".verdicts td")
    page.click("[data-tab=moves]")
    signs = page.locator(".moves .move .proof").evaluate_all("all => all.map((one) => one.ariaLabel)")
    assert signs == wanted and len(set(wanted)) > 1


def test_a_review_finds_the_blunder(table: Any) -> None:
    table.begin("tictactoe", **LOST)
    page = table.page
    table.wait("X wins")
    page.click("[data-do=review-now]")
    page.wait_for_selector(".verdicts td")
    page.wait_for_selector(".plot .blunder", state="attached")
    page.click("[data-tab=moves]")
    page.locator(".moves .move.blunder").first.click()
    page.click("[data-tab=analyse]")
    page.wait_for_selector(".better:has-text('Blunder: X wins in 4 plies')")  # O made the move
    page.click("[data-do=find]")
    table.wait("O to move")


def test_who_looks_for_the_better_move_is_told_whether_it_is_one(table: Any, ask: Any) -> None:
    """The one corner was a blunder, the other is another, every edge draws."""
    table.begin("tictactoe", **LOST)
    page = table.page
    moves = {move["action"]: move for move in ask("position", game="tictactoe", start=LOST["start"])["legal"]}
    corner, edge = moves["8"], moves["1"]
    page.click("[data-do=review-now]")
    page.wait_for_selector(".verdicts td")
    page.click("[data-do=next-mistake]")
    page.click("[data-do=find]")
    table.wait("What is better than", ".better")
    table.click_cell(corner["path"][0])
    table.wait(f"Not yet: {corner['text']} is no better: X wins in 4 plies", ".better")
    page.click("[data-do=try-again]")
    table.wait("What is better than", ".better")
    table.click_cell(edge["path"][0])
    table.wait(f"Right: {edge['text']} is better", ".better")
    page.click("[data-do=back-to-game]")
    table.wait("Blunder", ".better")
    page.click("[data-do=find]")
    page.click("[data-do=better]")
    table.until("document.querySelector('.better').childElementCount === 0")


# --- trees and quiz -------------------------------------------------------------------------------------


def test_a_pruned_node_says_why(table: Any) -> None:
    table.open("#tree?game=tree&search=alphabeta&start=[[3,12,8],[2,4,6],[14,5,2]]&step=34")
    table.page.wait_for_selector(".tree .node.pruned")
    table.page.locator(".node.pruned .shape").first.click()
    table.page.wait_for_selector(".tree-info dt:has-text('pruned')")


def test_a_search_that_takes_long_is_cancelled(table: Any) -> None:
    table.open("#tree?game=connect4&search=minimax&depth=9")
    table.page.click("[data-do=cancel]")
    table.wait("stopped", "#toast")
    table.wait("Search", "[data-do=grow]")
    assert not table.page.locator("[data-do=cancel]").is_visible()


def test_a_quiz_is_as_large_as_its_screen(table: Any) -> None:
    wide = []
    for size in ({"width": 820, "height": 860}, {"width": 1440, "height": 900}):
        table.page.set_viewport_size(size)
        table.open("#quiz?kind=alphabeta&tree=[[3,12,8],[2,4,6],[14,5,2]]")
        table.page.wait_for_selector(".quiz input")
        table.lies_still(".quiz input", ".quiz > svg")
        assert table.page.evaluate(
            "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.quiz-scroll'))"
        )
        wide.append(table.box(".quiz > svg")["width"])
    assert wide[1] > 1.2 * wide[0]


def test_answers_outlive_a_reload_and_nothing_is_given_away(table: Any) -> None:
    table.open("#quiz?kind=alphabeta&tree=[[3,12,8],[2,4,6],[14,5,2]]")
    page = table.page
    page.wait_for_selector(".quiz input")
    page.fill("[data-value='1']", "3")
    page.press("[data-value='1']", "Enter")
    page.click("[data-leaf='7']")
    assert page.locator(".quiz-page .note", has_text="2 right").inner_text() == "2 right"
    page.reload()
    page.wait_for_selector("[data-value='1'].right")
    assert page.locator("[data-leaf='7']").get_attribute("aria-pressed") == "true"
