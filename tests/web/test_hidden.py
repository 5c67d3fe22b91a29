"""Games that hide something: nobody is told more than the own eyes see, by no way at all."""

import itertools
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from outplay.ui.web.catalogue import Catalogue, Refused
from outplay.ui.web.schema import Asked
from outplay.ui.web.seal import Places, Seals, kept_key
from outplay.ui.web.view import Positions, view

KUHN = str(Path(__file__).parents[2] / "examples" / "kuhn.py")
SEAL = re.compile(r"~[A-Za-z0-9_-]{48}")
JACK, QUEEN, KING = range(3)
KEY = 32 * b"k"


def asking(actions: list[Any], **more: Any) -> dict[str, Any]:
    return {"game": "kuhn", "actions": actions, "humans": [0], **more}


@pytest.fixture
def dealt(server: Any) -> Callable[..., list[str]]:
    """A deal as the page of MAX gets it: two seals, which only the server's key opens."""

    def deal(first: int, second: int, humans: list[int]) -> list[str]:
        while True:
            held: list[str] = []
            place, cards = Places("kuhn", "", humans), []
            for _ in range(2):
                told = server.ask("roll", game="kuhn", actions=held, humans=humans)
                assert told.keys() == {"action"} and SEAL.fullmatch(told["action"])
                held.append(told["action"])
                cards.append(Seals(kept_key()).open(held[-1], place))
                place.add(held[-1])
            if cards == [first, second]:
                return held

    return deal


def made(held: list[str], *moves: int, humans: Sequence[int] = (0,)) -> list[str]:
    """The moves as the server seals them when they are made after others."""
    held, seals, place = list(held), Seals(kept_key()), Places("kuhn", "", humans)
    for seal in held:
        place.add(seal)
    for move in moves:
        held.append(seals.close(move, place))
        place.add(held[-1])
    return held


def test_nothing_that_is_sent_depends_on_what_is_hidden(server: Any, dealt: Any) -> None:
    """The same game twice, with another card in MIN's hand: every answer is the same, but for the seals."""
    heard = []
    for card in (JACK, KING):
        held = dealt(QUEEN, card, [0])
        said = []
        for count in range(3):  # after each card, and before
            for viewer in (0, None):
                said.append(server.ask("position", **asking(held[:count], viewer=viewer, flipped=False)))
        said.append(server.ask("position", **asking(made(held, 1), viewer=0)))  # MAX bets, MIN is to move
        said.append(server.ask("explain", **asking(held)))
        for what in ("write", "tree"):
            answer = server.client.post(f"/api/{what}", json=asking(held))
            assert answer.status_code == 422
            said.append(answer.json())
        with server.connect() as live:
            for number, message in enumerate(({"type": "analyse"}, {"type": "review"}, {"type": "prepare"})):
                seat = {"seat": {"name": "engine"}} if message["type"] == "prepare" else {}
                live.send(json.dumps({"id": number, **message, **seat, **asking(held)}))
                said.append(json.loads(live.recv(timeout=60)))
        heard.append(SEAL.sub("~", json.dumps(said)))
    assert heard[0] == heard[1]
    assert '"hands": ["Q", "?"]' in heard[0] and '"text": "?"' in heard[0]


def test_a_machines_move_comes_without_its_thoughts(server: Any, dealt: Any) -> None:
    held = dealt(QUEEN, KING, [0])
    with server.connect() as live:
        live.send(json.dumps({"type": "think", "id": 1, "seat": {"name": "random"}, **asking(made(held, 1))}))
        said = json.loads(live.recv(timeout=60))
    assert said.keys() == {"type", "id", "stopped", "seconds", "action", "quick", "book"}
    assert not said["book"]
    assert SEAL.fullmatch(said["action"])


def test_a_seal_opens_only_where_it_was_made(server: Any, dealt: Any) -> None:
    """Nobody is shown the other's card by putting it where the own one would be."""
    first, second = dealt(QUEEN, KING, [0])
    for actions, humans, viewer in (
        ([second], [0], 0),
        ([second, first], [0], 0),
        ([first, first], [0], 0),
        ([first, second], [0, 1], 1),  # as if two people had sat there
        ([first, second], [1], 1),
        ([first[:-1] + ("A" if first[-1] != "A" else "B")], [0], 0),
    ):
        answer = server.client.post("/api/position", json=asking(actions, viewer=viewer) | {"humans": humans})
        assert answer.status_code == 422 and "sealed move does not fit here" in answer.json()["error"]
    peek = server.client.post("/api/position", json=asking([first, second], viewer=1))
    assert peek.status_code == 422 and "only a player at this page" in peek.json()["error"]


def test_each_of_two_people_sees_the_own_hand(server: Any, dealt: Any) -> None:
    held = dealt(JACK, KING, [0, 1])
    hands = [server.ask("position", **asking(held, viewer=v) | {"humans": [0, 1]})["hands"] for v in (0, 1)]
    assert hands == [["J", "?"], ["?", "K"]]
    both = asking(held) | {"humans": [0, 1]}
    assert server.ask("position", **both)["hands"] == ["?", "?"]
    assert server.ask("position", **both)["legal"] == []  # nobody looks: nobody may move
    assert [move["text"] for move in server.ask("position", **both, viewer=0)["legal"]] == ["check", "bet"]


def test_hands_are_shown_at_the_end_where_the_game_shows_them(server: Any, dealt: Any) -> None:
    held = dealt(JACK, KING, [0])
    called = server.ask("position", **asking(made(held, 1, 1), viewer=0))
    assert called["over"] and called["result"] == -2 and called["hands"] == ["J", "K"]
    folded = server.ask("position", **asking(made(held, 1, 0), viewer=0))
    assert folded["over"] and folded["result"] == 1 and folded["hands"] == ["J", "?"] and folded["text"] == ""
    assert "J K bet call" in server.ask("write", **asking(made(held, 1, 1)))["text"]


def test_a_fold_is_not_written_down(server: Any, dealt: Any) -> None:
    """The card that was never shown stays hidden when the game is over, and nobody learns where its file lies."""
    held = dealt(JACK, KING, [0])
    answer = server.client.post("/api/write", json=asking(made(held, 1, 0), viewer=0))
    assert answer.status_code == 422 and "save it when it is over and all is shown" in answer.json()["error"]
    text = server.ask("write", **asking(made(held, 1, 1)))["text"]
    assert "game: kuhn.py\n" in text
    assert server.ask("read", text=text)["actions"] == ["0", "2", "1", "1"]


def test_to_ask_again_changes_nothing(server: Any, dealt: Any) -> None:
    """Chance and machines answer the same at the same place: nobody asks until the answer pleases."""
    first, second = dealt(JACK, KING, [0])
    assert {server.ask("roll", **asking([first]))["action"] for _ in range(8)} == {second}
    with server.connect() as live:
        said = set()
        for number in range(8):
            seat = {"name": "random", "seed": number}
            live.send(
                json.dumps({"type": "think", "id": number, "seat": seat, **asking(made([first, second], 1))})
            )
            said.add(json.loads(live.recv(timeout=60))["action"])
    assert len(said) == 1


def test_invented_moves_open_nothing(server: Any, dealt: Any) -> None:
    """Every continuation of a deal that MAX's page can put together: plain moves, its own seals at any place."""
    heard, positions = [], Positions(Catalogue([KUHN]), KEY)
    for card in (JACK, KING):
        held = dealt(QUEEN, card, [0])
        offered = [m["action"] for m in server.ask("position", **asking(held, viewer=0))["legal"]]
        assert all(map(SEAL.fullmatch, offered))
        said = []
        pieces = [0, 1, 2, *offered, *held]
        for more in (*((piece,) for piece in pieces), *itertools.product(pieces, repeat=2)):
            for what in ("position", "write", "explain", "tree", "roll"):
                answer = server.client.post(f"/api/{what}", json=asking([*held, *more], viewer=0))
                said.append((answer.status_code, SEAL.sub("~", answer.text)))
        assert (
            sum(status == 200 for status, _ in said) == 4
        )  # after each of the two moves: seen, and explained
        heard.append(said)
        for more in itertools.product(pieces, repeat=3):
            with pytest.raises(Refused, match=r"does not fit here|must be sealed too"):
                positions.asked(Asked(**asking([*held, *more], viewer=0)))
    assert heard[0] == heard[1]


def test_seals_outlive_the_server_that_made_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTPLAY_CACHE", str(tmp_path))
    place = Places("kuhn", "", [0])
    sealed = Seals(kept_key()).close(-7, place)
    assert Seals(kept_key()).open(sealed, place) == -7
    with pytest.raises(Refused, match="another server"):
        Seals(KEY).open(sealed, place)
    assert (tmp_path / "page.key").stat().st_mode & 0o077 == 0


def test_a_game_that_does_not_say_what_is_seen_shows_nothing(tmp_path: Path) -> None:
    """`board()` that does not ask who looks, and no board at all."""
    source = (
        Path(KUHN)
        .read_text()
        .replace("def board(self, eyes=(0, 1)):", "def board(self):\n        eyes = (0, 1)")
    )
    for number, text in enumerate((source, source.replace("def board(", "def picture("))):
        file = tmp_path / f"kuhn{number}.py"
        file.write_text(text)
        positions = Positions(Catalogue([str(file)]), KEY)
        told = view(
            positions.asked(Asked(game="kuhn", actions=[QUEEN, KING], humans=[0], viewer=0)), eyes=(0,)
        )
        assert "give it board(eyes)" in told["note"] and told["hands"] == ("", "") and not told["text"]


def test_a_bot_would_see_the_cards(tmp_path: Path, serve: Any) -> None:
    bot = tmp_path / "peeper.py"
    bot.write_text("def play(record, limits):\n    return 0\n")
    with (
        serve(Catalogue([KUHN, str(bot)])) as server,
        server.connect() as live,
    ):
        live.send(json.dumps({"type": "think", "id": 1, "seat": {"name": "peeper"}, **asking([0, 1])}))
        assert "would see hidden information" in json.loads(live.recv(timeout=60))["message"]


def test_in_the_terminal(outplay: Callable[..., Any]) -> None:
    """The machine's card is not printed until it is shown."""
    said = outplay(
        "play", KUHN, "--player", "random", "--seed", "3", stdin="hint\nbet\ncheck\ncall\nquit\n"
    ).out
    before, _, _ = said.partition("game over")
    first = before.partition("random plays")[0]
    assert re.search(r"chance: [JQK]\n  chance: \?", first)
    assert re.search(r"First holds [JQK]   Second holds \?", first)
    assert "there are no hints" in first


# --- in the browser -------------------------------------------------------------------------------------


def test_a_game_of_cards_against_the_machine(table: Any) -> None:
    """The own card is seen, the other one lies face down; a reload deals nothing anew."""
    table.begin("kuhn", {"name": "human"}, {"name": "random"})
    page = table.page
    page.wait_for_selector(".moves-as-buttons button")
    own = page.locator(".strip[data-side='0'] .playing-card").inner_text()
    assert own in "JQK" and page.locator(".strip[data-side='1'] .playing-card.down").count() == 1
    assert len(SEAL.findall(page.url.replace("%7E", "~"))) == 2
    page.reload()
    page.wait_for_selector(".moves-as-buttons button")
    assert page.locator(".strip[data-side='0'] .playing-card").inner_text() == own
    table.until(
        "[...document.querySelectorAll('.moves-as-buttons button')].at(-1)?.click(),"
        " /wins/.test(document.querySelector('#status').textContent)"
    )


def test_nobody_offers_what_no_search_can_do(table: Any) -> None:
    table.begin("kuhn", {"name": "human"}, {"name": "random"})
    page = table.page
    page.wait_for_selector(".moves-as-buttons button")
    assert page.locator(".tab-heads button:visible").all_inner_texts() == ["Moves", "Share"]
    page.locator("[data-tab=moves]").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("[data-tab=share][aria-selected=true]")
    page.keyboard.press("a")
    assert not page.locator("[data-do=analyse]").is_visible()
    table.begin("tictactoe")
    assert page.locator(".tab-heads button:visible").count() == 4


def test_a_second_click_on_a_move_plays_nothing(table: Any) -> None:
    """The first one is still on its way to the server."""
    table.begin("kuhn", {"name": "human"}, {"name": "random"})
    page = table.page
    page.wait_for_selector(".moves-as-buttons button")
    page.evaluate(
        "() => { const b = document.querySelector('.moves-as-buttons button'); b.click(); b.click(); }"
    )
    page.wait_for_url(lambda url: len(SEAL.findall(url.replace("%7E", "~"))) >= 4)  # two cards, two moves


def test_two_people_at_one_page_look_in_turns(table: Any) -> None:
    table.begin("kuhn")
    page = table.page
    page.wait_for_selector("[data-do=peek]:has-text('First looks')")
    assert page.locator(".playing-card.down").count() == 2 and not page.locator(".moves-as-buttons").count()
    page.click("[data-do=peek]")
    page.get_by_role("button", name="bet", exact=True).click()
    page.wait_for_selector("[data-do=peek]:has-text('Second looks')")
    assert page.locator(".playing-card.down").count() == 2
