"""The server's own description of what may be asked, and a fuzzer that keeps to it and breaks it."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

ROUTES = 9  # that the description lists


GAMES = ["tictactoe", "hexapawn:width=4", "pig", "tree", "nim"]


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_no_request_is_the_servers_fault(server: Any, mode: GenerationMode) -> None:
    """Whatever is asked of any route, valid or not, the answer is never a 5xx, and is told in one line."""

    def check(case: Any) -> None:
        answer = case.call(base_url=server.url, timeout=300, cookies=dict(server.client.cookies))
        assert answer.status_code < 500, answer.text
        assert answer.status_code < 400 or "error" in answer.json()

    schema = schemathesis.openapi.from_dict(server.client.get("/openapi.json").json())
    asked = set()
    for found in schema.get_all_operations():
        operation = found.ok()
        if mode is GenerationMode.NEGATIVE and operation.method == "get":
            continue  # nothing in it that could be wrong

        @settings(
            max_examples=15,
            deadline=None,
            database=None,
            derandomize=True,
            phases=(Phase.explicit, Phase.generate),
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode), game=st.sampled_from(GAMES))
        def ask(case: Any, game: str) -> None:
            asked.add(case.path)
            check(case)
            if isinstance(case.body, dict) and "game" in case.body:
                case.body["game"] = game  # the fuzzer would hardly guess one
                check(case)

        ask()
    assert len(asked) >= ROUTES - 1
    assert server.ask("position", game="tictactoe")["player"] == 0
