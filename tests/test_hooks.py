"""One table says what a game may tell; the contract's page, the compile layer and the checks are made from it."""

from pathlib import Path
from typing import Any

import pytest

from outplay import hooks
from outplay.compile import twin
from outplay.compile.rules import METHODS
from outplay.games import TABLE, load

PAGE = Path(__file__).parents[1] / "docs" / "contract.md"


@pytest.mark.parametrize("group", hooks.GROUPS)
def test_the_contract_page_has_the_table(group: str) -> None:
    """If this fails after a change of hooks.py: paste `outplay.hooks.page(group)` into the page."""
    assert hooks.page(group) in PAGE.read_text(encoding="utf-8")


def test_names_are_unique_and_groups_known() -> None:
    names = [hook.name for hook in hooks.HOOKS] + [fact.name for fact in hooks.FACTS]
    assert len(names) == len(set(names))
    assert {entry.group for entry in (*hooks.HOOKS, *hooks.FACTS)} == set(hooks.GROUPS)


def test_compiled_and_interpreted_states_have_the_same_methods() -> None:
    state: Any = twin(load("tictactoe").cls).state_class
    assert {name for name in METHODS if not callable(getattr(state, name, None))} == set()
    asked = set(hooks.COMPILED) - {"key", "repetition_key"}  # asked as `hash` and `identity`
    assert asked <= METHODS.keys()


def test_every_public_method_of_our_games_that_looks_like_a_hook_is_one() -> None:
    """A hook that is misspelt would be silently ignored: those of our games are all known or of their own."""
    known = {hook.name for hook in hooks.HOOKS}
    used = {
        name
        for entry in TABLE
        for name in vars(load(entry.name).cls)
        if name in known or name.startswith(("net_", "policy_", "action_"))
    }
    facts = {fact.name for fact in hooks.FACTS}
    assert used <= known | facts
    assert len(used) > 30
