"""The page with tables, a book and names of openings from the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from outplay.book.book import Book, Played
from outplay.game import parse_action
from outplay.games import load
from outplay.tables.build import build_states
from outplay.ui.web.answers import position
from outplay.ui.web.catalogue import Catalogue
from outplay.ui.web.schema import Analyse, AskedPosition, Think
from outplay.ui.web.task import Task
from outplay.ui.web.thinking import analyse, think
from outplay.ui.web.view import Positions

KEY = b"k" * 32


def said(work: Any, asked: Any, *files: Path) -> list[dict[str, Any]]:
    heard: list[dict[str, Any]] = []
    task = Task(1, lambda line: heard.append(json.loads(line)))
    work(Positions(Catalogue([str(file) for file in files]), KEY), asked, task)
    return heard


def test_the_machine_plays_from_a_book(tmp_path: Path) -> None:
    start = load("tictactoe").start
    book = tmp_path / "mine.book"
    Book("tictactoe", {str(start): {"c3": Played(3, 2)}}).save(book)
    asked = Think(type="think", id=1, game="tictactoe", start="", actions=[], seat={"name": "engine"})
    done = said(think, asked, book)[-1]
    assert done["book"] and int(done["action"]) == parse_action(start, "c3") and done["nodes"] == 0


def test_an_analysis_tells_what_tables_know(tmp_path: Path) -> None:
    build_states(load("hexapawn").start, tmp_path / "tables")
    asked = Analyse(type="analyse", id=1, game="hexapawn", start="", actions=[], time=5)
    *_, report, done = said(analyse, asked, tmp_path / "tables")
    assert done["type"] == "done" and report["tbhits"] == 1
    (line, *_) = report["lines"]
    assert line["table"] and line["proven"] and len(line["texts"]) == 6


def test_openings_have_names(tmp_path: Path) -> None:
    (tmp_path / "names.tsv").write_text("C20\tKing's Pawn Game\t1. e4 e5\n")
    start = load("chess").start
    first = start.parse_action("e4")
    actions = [first, start.result(first).parse_action("e5")]
    for file, name in ((tmp_path / "names.tsv", "C20 King's Pawn Game"), (tmp_path, "C20 King's Pawn Game")):
        positions = Positions(Catalogue([str(file)]), KEY)
        assert position(positions, AskedPosition(game="chess", start="", actions=actions))["opening"] == name
        assert position(positions, AskedPosition(game="chess", start="", actions=[]))["opening"] == ""


def test_what_cannot_be_read_is_told_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.book").write_text("nonsense")
    (tmp_path / "b.bin").write_bytes(b"x")
    (tmp_path / "c.tsv").write_text("C20\tbroken\t1. e5\n")
    for name, told in (
        ("empty", "a folder without tables"),
        ("a.book", "is not an Outplay book"),
        ("b.bin", "is not a Polyglot book"),
        ("c.tsv", "is not an opening"),
    ):
        with pytest.raises(ValueError, match=told) as error:
            Catalogue([str(tmp_path / name)])
        assert len(str(error.value).splitlines()) == 1
