"""`outplay bench`: a change of the node signature is a change of the rules or of a search."""

from outplay.bench import WORKS, bench, signature


def test_the_signature_is_that_of_the_last_functional_change() -> None:
    rows = bench(WORKS)
    assert signature(rows) == 13209354
