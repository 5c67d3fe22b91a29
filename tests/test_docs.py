"""The documentation tells the truth: what stands after `$ outplay ...` is what the command prints, but for times."""

import importlib
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHOWN = [
    (page.name, command, output)
    for page in sorted((ROOT / "docs").glob("*.md"))
    for command, output in re.findall(
        r"^```\n\$ outplay (.*)\n([^`]*)^```$", page.read_text("utf-8"), re.MULTILINE
    )
]


def test_there_is_something_to_test() -> None:
    assert len(SHOWN) >= 3


@pytest.mark.parametrize(("page", "command", "output"), SHOWN)
def test_commands_print_what_is_shown(
    page: str, command: str, output: str, outplay: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert timeless(outplay(*shlex.split(command)).out) == timeless(output)


def timeless(text: str) -> str:
    """The text without the seconds that a command took."""
    return re.sub(r"^time .*$", "time", text, flags=re.MULTILINE)


# English that had to be read twice, and what to write instead.
CLUMSY = {
    r"\bof uct every\b": "for UCT, every",
    r"\bseed of the\b": "seed for the",
    r"\bas it does in any case\b": "(default)",
    r"\bthat play at the same time\b": "number of threads",
    r"\bfor the next time\b": "save ... in FILE",
    r"\blost a move\b": "lost per move",
    r"\b(?<!\d )1 moves\b": "1 move",
    r"(?<!there )\bis no (option|player|parameter|search|switch|command)\b": "is not a(n) ...",
    r"\bfor it would not end\b": "it seems to loop forever",
    r"\btrees typed in\b": "trees you type in",
    r"\bwho takes the last\b": "whoever takes the last",
    r"\bon the way to a field\b": "in intermediate values",
    r"\bwho needs more loses\b": "a player that needs more loses",
    r"\bthat there is not\b": "an unsupported ...",
    r"\bGPU of NVIDIA\b": "an NVIDIA GPU",
    r"\ba game's past\b": "its history",
    r"\bhidden game\b": "a game of imperfect information",
    r"\bforet(ell|old)": "predict",
    r"\bgames at random\b": "random games",
    r"\bprune[sd]? by judgement\b": "heuristic pruning, or selective",
    r"\bby heart\b": "overfitted",
    r"\bbrings no (value )?net\b": "comes without a net",
    r"\bthink for ever\b": "search forever",
    r"\bto be had\b": "supported, or available",
    r"\ban? (int|number) from \d on\b": "an int of at least ...",
    r"\bseconds? a move\b": "seconds per move",
    r"\bone a line\b": "one per line",
    r"\bprocessor's seconds\b": "CPU seconds",
    r"\bhow (a run|the search) stands\b": "its progress, or the current result",
    r"\blook whether\b": "check whether",
    r"\bbeyond a signed word\b": "exceeds int64",
    r"\bbefore the program runs\b": "at compile time",
    r"\btaken apart\b": "unpacked, or split",
    r"\btold as one\b": "in one record",
    r"\bsays so if\b": "raises an error if",
    r"\bwhat (is|was) asked (for|of)\b": "the request",
    r"\bin the words of\b": "in the terms of",
    r"\bturned away\b": "rejected",
    r"\bwhat is caught\b": "a caught exception",
    r"(?<!there )\bis no (field|value|player|place|legal)\b": "is not a(n) ...",
    r"\bfor ever\b": "forever",
    r"\bworked out\b": "computed",
    r"\bnor is it NaN\b": "also catches NaN",
    r"\bone turn\b": "one iteration",
    r"\bwhat came of\b": "the result of",
    r"\bzero-width\b": "null-window",
    r"\bgives two answers\b": "returns different values",
}


@pytest.mark.parametrize("clumsy", CLUMSY)
def test_wording(clumsy: str) -> None:
    texts = [*(ROOT / "src").rglob("*.py"), *(ROOT / "src").rglob("*.js"), *(ROOT / "examples").glob("*.py")]
    for file in [*texts, *ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            found = re.search(clumsy, line, re.IGNORECASE)
            assert not found, f"{file.name}, line {number}: write {CLUMSY[clumsy]!r}"


def test_links_lead_somewhere() -> None:
    for page in (ROOT / "docs").glob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_page_of_players_lists_every_search_option_and_set() -> None:
    from outplay.search import SEARCHES
    from outplay.search.engine.switches import OFF, SETS

    page = (ROOT / "docs" / "players.md").read_text("utf-8")
    for search in SEARCHES.values():
        (row,) = re.findall(rf"^\|[^|]*`{search.name}`[^|]*\|[^|]*\| ([^|]*) \|$", page, re.MULTILINE)
        assert re.findall(r"`(\w+)`", row) == list(search.options), search.name
    assert re.findall(r"^\| `(\w+)` \| [^|]* \|$", page.partition("| set |")[2], re.MULTILINE) == list(SETS)
    assert all(f"`{name}`" in page for name in OFF)


def test_the_bots_of_the_page_of_players_play(tmp_path: Path) -> None:
    from outplay.games import load
    from outplay.limits import Limits
    from outplay.players import player
    from outplay.record import begin

    (source,) = re.findall(
        r"^```python\n(.*?)^```$", (ROOT / "docs" / "players.md").read_text("utf-8"), re.M | re.S
    )
    (tmp_path / "bot.py").write_text(source)
    record = begin(load("connect4"))
    forms = {"first": "player", "choose_last": "choice", "evaluate_material": "evaluation", "Bot": "player"}
    for name, form in forms.items():
        bot = player(f"{tmp_path / 'bot.py'}:{name}")
        bot.new_game()
        assert bot.form == form
        assert bot(record, Limits(depth=1)).action in record.legal()


def test_the_page_on_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    names: dict[str, object] = {}
    for block in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        exec(compile(block, "api.md", "exec"), names)
    assert capsys.readouterr().out


def test_the_calls_of_the_page_on_python_are_there() -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8").partition("| call |")[2].partition("\n\n")[0]
    calls = re.findall(r"^\| `([\w.]+)\(", page, re.MULTILINE)
    assert len(calls) >= 6
    for call in calls:
        module, _, name = call.rpartition(".")
        assert hasattr(importlib.import_module(module or "outplay"), name), call


def test_the_page_on_python_has_every_field_of_an_analysis() -> None:
    from outplay import Analysis

    page = (ROOT / "docs" / "api.md").read_text("utf-8").partition("## An analysis")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == list(Analysis._fields)


def test_the_files_that_the_architecture_page_names_are_there() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    package = ROOT / "src" / "outplay"
    for name in re.findall(r"`([\w/]+\.(?:py|js))`", page):
        assert (package / name).exists() or (ROOT / name).exists(), name


def test_the_functions_that_the_architecture_page_names_are_there() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    named = re.findall(r"((?:`[\w.]+`(?:, | and )?)+) in `([\w/]+\.py)`", page)
    assert len(named) > 10
    for names, file in named:
        source = (ROOT / "src" / "outplay" / file).read_text("utf-8")
        for name in re.findall(r"`([\w.]+)`", names):
            assert re.search(rf"(def|class) {name.rpartition('.')[2]}\b", source), f"{name} in {file}"


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.stem)
def test_what_the_pages_import_is_there(page: Path) -> None:
    """The imports of the examples; those of a reader's own files (`from nim import Nim`) are not ours."""
    for line in re.findall(
        r"^(?:>>> )?(from outplay[\w.]* import [^#\n]+)", page.read_text("utf-8"), re.MULTILINE
    ):
        module, _, names = line.removeprefix("from ").partition(" import ")
        if "gpu" in module:
            pytest.importorskip("numba_cuda")
        for name in names.split(","):
            assert hasattr(importlib.import_module(module), name.strip()), line
