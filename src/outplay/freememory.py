"""The available memory, and a one-line error if it is not enough.

How much a process may have is limited by the machine, by its control groups (a container's limit) and by a limit of its
own (`ulimit -v`). The tightest one counts.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

GIB = 1 << 30
SPARE = 1 << 28  # bytes that are left to everything else
UNKNOWN = 1 << 62  # where the system does not say: the allocation itself may fail
PROCESS, GROUPS = Path("/proc"), Path("/sys/fs/cgroup")
# A control group's files: its limit, what is used, and in memory.stat what of that are files that can be dropped
VERSIONS = {
    1: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    2: ("memory.max", "memory.current", "inactive_file"),
}


def available() -> int:
    """Bytes that can be had without swapping; where the system does not say, as many as it may have at all."""
    free = machine()
    with suppress(OSError, KeyError, ValueError):
        free = int(_read(PROCESS / "meminfo", ":")["MemAvailable"].split()[0]) * 1024
    return max(0, min([free, *(limit - used for limit, used in _limits())]))


def megabytes_available() -> float:
    return available() / (1 << 20)


def total() -> int:
    """Bytes that this process can have at most."""
    return min([machine(), *(limit for limit, _ in _limits())])


def machine() -> int:
    """The bytes of the machine's memory."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return UNKNOWN


def _limits() -> Iterator[tuple[int, int]]:
    """Each limit of this process below the machine's memory, and how much of it is used."""
    with suppress(OSError, ValueError):
        for line in (PROCESS / "self/cgroup").read_text().splitlines():
            _, kinds, path = line.split(":", 2)
            if kinds == "":
                yield from _groups(GROUPS, path, *VERSIONS[2])
            elif "memory" in kinds.split(","):
                yield from _groups(GROUPS / "memory", path, *VERSIONS[1])
    with suppress(ImportError, OSError, ValueError):  # neither on Windows
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit != resource.RLIM_INFINITY:
            pages = int((PROCESS / "self/statm").read_text().split()[0])
            yield limit, pages * resource.getpagesize()


def _groups(root: Path, path: str, limit: str, used: str, files: str) -> Iterator[tuple[int, int]]:
    """A control group and those around it; in a container the path may be that outside, and some of them missing."""
    group = root / path.strip("/")
    while group.is_relative_to(root):
        with suppress(OSError, ValueError, KeyError):  # a group without a limit says "max"
            most = int((group / limit).read_text())
            dropped = int(_read(group / "memory.stat", " ")[files])
            yield most, int((group / used).read_text()) - dropped
        group = group.parent


def _read(path: Path, between: str) -> dict[str, str]:
    """A file of names and values."""
    lines = path.read_text(encoding="ascii").splitlines()
    return {name: value for name, _, value in (line.partition(between) for line in lines)}


CURE = "start with a smaller game, or a later position"


def require(size: int, what: str, cure: str = CURE) -> None:
    """Raise a ValueError if this many more bytes are not available."""
    there = available() - SPARE
    if size > there:
        raise ValueError(
            f"not enough memory for {what}: {size / GIB:.1f} GiB needed, {max(there, 0) / GIB:.1f} free; {cure}"
        )
