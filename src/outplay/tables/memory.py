"""The available memory, and a one-line error if it is not enough."""

import os

GIB = 1 << 30
SPARE = 1 << 28  # bytes that are left to everything else


def available() -> int:
    """Bytes that can be had without swapping; where the system does not say, as many as it may have at all."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            lines = dict(line.split(":", 1) for line in file)
        return int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 1 << 62


CURE = "start with a smaller game, or a later position"


def require(size: int, what: str, cure: str = CURE) -> None:
    """Raise a ValueError if this many more bytes are not available."""
    there = available() - SPARE
    if size > there:
        raise ValueError(
            f"not enough memory for {what}: {size / GIB:.1f} GiB needed, {max(there, 0) / GIB:.1f} free; {cure}"
        )
