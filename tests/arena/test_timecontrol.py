"""Time controls and clocks."""

import pytest

from outplay.arena.timecontrol import Clock, TimeControl
from outplay.limits import Limits


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("10+0.1", TimeControl(base=10, increment=0.1)),
        ("40/60+0.5", TimeControl(base=60, increment=0.5, moves=40)),
        ("60", TimeControl(base=60)),
        (".5+.01", TimeControl(base=0.5, increment=0.01)),
        ("none", TimeControl()),
    ],
)
def test_texts(text: str, control: TimeControl) -> None:
    assert TimeControl.clock(text) == control


@pytest.mark.parametrize("text", ["", "ten", "10+", "0+1", "0/60", "-5", "5+-1", "1:30", "1e3"])
def test_texts_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match="is not a time control: write 10\\+0.1, 40/60\\+0.5 or none"):
        TimeControl.clock(text)


def test_how_they_are_shown() -> None:
    assert str(TimeControl.clock("40/60+0.5")) == "40/60+0.5"
    assert str(TimeControl(depth=6, time=0.1)) == "depth 6, 0.1 s a move"
    assert str(TimeControl()) == "no limit"


def test_a_clock_counts_down_and_up() -> None:
    clock = Clock(TimeControl.clock("2/10+1"), margin=0.5)
    assert clock.limits() == Limits(clock=10, increment=1, moves_to_go=2)
    assert clock.allowed() == 10.5
    assert clock.spend(4)
    assert clock.limits() == Limits(clock=7, increment=1, moves_to_go=1)
    assert clock.spend(7.25)  # a quarter of a second is forgiven
    assert clock.limits() == Limits(clock=11, increment=1, moves_to_go=2)
    assert not clock.spend(11.75)


def test_a_fixed_time_a_move() -> None:
    clock = Clock(TimeControl(time=0.1), margin=0.05)
    assert clock.limits() == Limits(time=0.1)
    assert clock.spend(0.14) and clock.spend(0.14) and not clock.spend(0.2)
    free = Clock(TimeControl(depth=3), margin=0)
    assert free.limits() == Limits(depth=3) and free.allowed() is None and free.spend(1000)


def test_controls_that_make_no_sense() -> None:
    with pytest.raises(ValueError, match="give a time per move or a clock, not both"):
        TimeControl(time=1, base=10).checked()
    with pytest.raises(ValueError, match="depth must be a positive number, not 0"):
        TimeControl(depth=0).checked()


@pytest.mark.parametrize("text", ["9" * 23, "10+" + "9" * 400, "9" * 30 + "/60"])
def test_no_clock_is_endless(text: str) -> None:
    with pytest.raises(ValueError, match="must be (at most|a positive number)"):
        TimeControl.clock(text).checked()
