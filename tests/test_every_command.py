"""Every command with every kind of class: it answers in the user's notation, or refuses in one clear line."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from bench.every_command import KINDS, Answer, Kind, answer, commands
from outplay.game import action_text
from outplay.ui.web.catalogue import Catalogue
from outplay.ui.web.view import Positions, view

USUAL = (  # the others run in `python -m bench every-command`: each search is compiled for each class
    "games", "play on", "play none", "replay named", "best alphabeta", "best --depth 3", "best, a saved game",
    "why", "analyse", "solve ", "explain", "trace maxn", "trace --json", "perft", "playouts", "match", "check",
    "grade", "uci", "gtp", "learn tune", "table build FAMILY", "book build --game", "book show",
)  # fmt: skip
LONG = ("play on", "play none", "why", "analyse", "solve ", "match")  # the engine or a solver is compiled
SHORT = ("Floats", "PackedAlone", "Alone")  # kinds that go without
SAME = ("solve ", "perft", "playouts", "best --depth 3", "replay named", "analyse", "book show")
PASSING = re.compile(r'[\d.]+ s\b|"time": [\d.e-]+|\b[\d,]+/s')


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Answer]]:
    """Of each kind of class the answers to the usual commands."""

    def asked(kind: Kind) -> Iterator[tuple[str, Answer]]:
        folder = tmp_path_factory.mktemp(kind.cls)
        for name, words, given in commands(kind, folder):
            if name in USUAL and not (name in LONG and kind.cls in SHORT):
                yield name, answer(words, given)

    return {kind.cls: dict(asked(kind)) for kind in KINDS.values()}


@pytest.mark.parametrize("cls", KINDS)
def test_every_command_answers_or_refuses_in_one_line(answers: Any, cls: str) -> None:
    assert {name: found for name, found in answers[cls].items() if found.fault()} == {}
    assert set(answers[cls]) == set(USUAL) - (set(LONG) if cls in SHORT else set())


@pytest.mark.parametrize("cls", [kind.cls for kind in KINDS.values() if kind.like and kind.cls != "Floats"])
def test_two_writings_of_a_game_have_the_same_answers(answers: Any, cls: str) -> None:
    kind = KINDS[cls]
    for name in set(SAME) & answers[cls].keys():
        ours, theirs = answers[cls][name], answers[kind.like][name]
        assert ours.status == theirs.status, name
        assert _plain(kind, ours.out) == _plain(KINDS[kind.like], theirs.out), name


def _plain(kind: Kind, text: str) -> str:
    """An answer in the words of the first writing, without times, positions and spaces that only align it."""
    text = re.sub(rf'"position": "{kind.cls}.*?\)", ', "", kind.translated(PASSING.sub("", text)))
    return re.sub(r"[ ]+", " ", text)


def test_answers_are_in_the_users_words(answers: Any) -> None:
    found = answers["Natural"]
    assert json.loads(found["solve "].out)["line"] == ["ONE", "ONE", "THREE", "ONE", "THREE"]
    assert "Natural(heap='|||||||||', mover='Anne')" in found["play none"].out
    assert (
        json.loads(found["trace --json"].out.splitlines()[0])["start"]
        == "Natural(heap='|||||||||', mover='Anne')"
    )
    assert "TWO??" in found["analyse"].out
    assert answers["Dice"]["book show"].out.startswith("roll")
    assert "(1,'sticks')" in answers["Floats"]["trace --json"].out


def test_what_does_not_fit_says_so(answers: Any) -> None:
    three = answers["Three"]
    for name in ("why", "analyse", "explain", "trace maxn", "play on", "match"):
        assert three[name].status == 2, name
    assert "only moves of one or two are judged" in three["analyse"].err
    assert "best and solve search it" in three["play none"].err


@pytest.mark.parametrize("cls", [cls for cls in KINDS if "Three" not in cls and "Alone" not in cls])
def test_the_page_shows_the_users_words(cls: str) -> None:
    kind = KINDS[cls]
    catalogue = Catalogue([kind.spec])
    positions = Positions(catalogue, b"k" * 32)
    actions: list[int] = []
    for move in kind.moves[:2]:
        here = positions.at(cls.lower(), "", actions)
        actions.append(next(a for a in here.legal if action_text(here.state, a) == kind.words[move]))
    assert "state=" not in json.dumps(view(positions.at(cls.lower(), "", actions)))
