"""Resuming a saved game: sides, opponent and limits, from its headers."""

from collections.abc import Sequence

from outplay.files import file_spec, read_text
from outplay.gamefile import is_game_file
from outplay.limits import Limits
from outplay.record import Record, is_record

HUMAN = "human"
SEATS = ("first", "second")
SAVED = ("depth", "nodes", "time")  # the limits that a header holds


def side_of(record: Record) -> str:
    """The human's side: `first`, `second` or `both`; by default `first`."""
    humans = [seat for seat in SEATS if dict(record.headers).get(seat) == HUMAN]
    return "both" if len(humans) == 2 else humans[0] if humans else "first"


def opponent_of(record: Record) -> str:
    """The player that the human played against; empty if there is none."""
    names = [dict(record.headers).get(seat, "") for seat in SEATS]
    other = next((name for name in names if name != HUMAN), "") if HUMAN in names else ""
    if file_spec(other) is not None:
        raise ValueError(
            f"it was played against {other}, and a saved game runs no code: add --player {other}, or another"
        )
    return other


def limits_of(record: Record) -> Limits:
    """The limits that the header `limits` holds, as in `depth=6,time=0.5`."""
    said = dict(record.headers).get("limits", "")
    found = dict(part.partition("=")[::2] for part in said.replace(" ", "").split(",") if part)
    try:
        if not found.keys() <= set(SAVED):
            raise ValueError
        numbers = {key: float(value) if key == "time" else int(value) for key, value in found.items()}
        return Limits(**numbers).checked()  # type: ignore[arg-type]
    except ValueError:
        raise ValueError(f"limits: {said!r} cannot be parsed; write depth=6,nodes=1000,time=0.5") from None


def headers_of(
    record: Record, names: Sequence[str], limits: Limits, date: str
) -> tuple[tuple[str, str], ...]:
    """The record's headers, updated with the current players and the machine's limits."""
    told = ",".join(f"{key}={getattr(limits, key)}" for key in SAVED if getattr(limits, key) is not None)
    new = dict(zip(SEATS, names, strict=True)) | {"date": date} | ({"limits": told} if told else {})
    return tuple((dict(record.headers) | new).items())


def file_of(*arguments: str) -> str | None:
    """The argument that is a record file, to which the game can be saved again."""
    files = (name for name in arguments if is_game_file(name))
    return next((name for name in files if is_record(read_text(name))), None)
