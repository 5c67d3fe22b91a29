"""How much memory a process may have: of the machine, its control groups and its own limit, the least."""

import subprocess
import sys
from pathlib import Path

import pytest

from outplay import freememory as memory
from outplay.games import load
from outplay.search.engine.table import Table
from outplay.search.mcts.puct import PUCT, uniform
from outplay.search.mcts.tree import tree_of
from outplay.search.proof.conspiracy import Conspiracies

MIB = 1 << 20
CONNECT_FOUR = load("connect4").position()


def write(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with 1000 MB free, whose process is in the group /a/b."""
    monkeypatch.setattr(memory, "PROCESS", tmp_path / "proc")
    monkeypatch.setattr(memory, "GROUPS", tmp_path / "groups")
    free = f"MemTotal: 9999999 kB\nMemAvailable:    {1000 * 1024} kB\n"
    write(tmp_path, {"proc/meminfo": free, "proc/self/cgroup": "3:cpu:/\n2:cpuset,memory:/a/b\n0::/a/b\n"})
    return tmp_path


def group(folder: str, most: int | str, used: int, dropped: int) -> dict[str, str]:
    return {
        f"groups{folder}/memory.max": f"{most}\n",
        f"groups{folder}/memory.current": f"{used}\n",
        f"groups{folder}/memory.stat": f"anon 17\ninactive_file {dropped}\nactive_file 3\n",
    }


def old_group(folder: str, most: int, used: int, dropped: int) -> dict[str, str]:
    return {
        f"groups/memory{folder}/memory.limit_in_bytes": f"{most}\n",
        f"groups/memory{folder}/memory.usage_in_bytes": f"{used}\n",
        f"groups/memory{folder}/memory.stat": f"cache 5\ntotal_inactive_file {dropped}\n",
    }


def test_without_limits_it_is_what_is_free(machine: Path) -> None:
    assert memory.available() == 1000 * MIB
    write(machine, group("", "max", 5, 1) | group("/a/b", 1 << 60, 5, 1))
    assert memory.available() == 1000 * MIB


@pytest.mark.parametrize("made", [group, old_group])
@pytest.mark.parametrize("folder", ["/a/b", "/a", ""])
def test_a_control_group_may_leave_less(machine: Path, made, folder: str) -> None:  # type: ignore[no-untyped-def]
    write(machine, made(folder, 500 * MIB, 300 * MIB, 100 * MIB))
    assert memory.available() == 300 * MIB
    assert memory.total() == 500 * MIB
    write(machine, made(folder, 500 * MIB, 700 * MIB, 0))
    assert memory.available() == 0


@pytest.mark.parametrize("content", ["", "nonsense", "0::/../../..\n", "2:memory\n", "0::" + "/a" * 3000])
def test_what_the_system_says_may_be_anything(machine: Path, content: str) -> None:
    write(machine, {"proc/self/cgroup": content, "proc/meminfo": content})
    assert memory.available() == memory.machine()


def test_every_search_asks_for_what_is_available(machine: Path) -> None:
    write(machine, group("/a/b", 500 * MIB, 460 * MIB, 0))
    cls = type(CONNECT_FOUR)
    for refused in (
        lambda: Table(64),
        lambda: Conspiracies(cls, 64),
        lambda: tree_of(cls, 64, rave=False),
        lambda: PUCT([CONNECT_FOUR], uniform, nodes=MIB),
    ):
        with pytest.raises(ValueError, match=r" 40 MB"):
            refused()
    Table(32)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux says how much a process has taken")
def test_a_process_may_have_a_limit_of_its_own() -> None:
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32))\n"
        "from outplay.freememory import available; print(available())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert 0 < int(done.stdout) < 1 << 32
