"""Files that are whole, whatever happens while they are written."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import outplay
from outplay.game import GameError
from outplay.storage import (
    Journal,
    check_writable,
    difference,
    from_json,
    locked,
    private_folder,
    replacing,
    sealed,
    unsealed,
    write_whole,
)
from outplay.weights import Weights

SOURCE = str(Path(outplay.__file__).parent.parent)
POSIX = pytest.mark.skipif(os.name != "posix", reason="needs the permissions of POSIX")


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing more reaches the disk."""

    def no_space(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", no_space)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# --- whole files ----------------------------------------------------------------------------------------


def test_a_file_is_written_and_written_over(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write_whole(file, "één\n")
    write_whole(str(file), b"two")
    assert file.read_bytes() == b"two"
    assert names(tmp_path) == {"file"}


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path: Path, full_disk: None) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    with pytest.raises(OSError) as error:
        write_whole(file, "new")
    assert (error.value.errno, error.value.filename) == (errno.ENOSPC, str(file))
    assert file.read_text() == "old"
    assert names(tmp_path) == {"file"}


def test_weights_survive_a_full_disk(tmp_path: Path, full_disk: None) -> None:
    file = tmp_path / "weights.json"
    file.write_text('{"a": 1}')
    with pytest.raises(OSError):
        Weights(a=2).save(file)
    assert Weights.load(file) == Weights(a=1)
    assert names(tmp_path) == {"weights.json"}


def test_an_error_on_the_way_changes_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), replacing(tmp_path / "file") as out:
        out.write(b"half")
        raise KeyboardInterrupt
    assert names(tmp_path) == set()


@POSIX
def test_links_permissions_and_devices_stay_what_they_are(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    write_whole(link, "new")
    assert link.is_symlink() and file.read_text() == "new"
    assert file.stat().st_mode & 0o777 == 0o640
    write_whole("/dev/null", "nothing")
    assert Path("/dev/null").is_char_device()


def test_what_cannot_be_written_is_said_beforehand(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    check_writable(file)
    assert file.read_text() == "old"
    check_writable(tmp_path / "new")
    assert names(tmp_path) == {"file"}
    for path in (tmp_path, tmp_path / "no folder" / "file"):
        with pytest.raises(OSError) as error:
            check_writable(path)
        assert error.value.filename == str(path)


WRITER = """
from outplay.storage import write_whole
print("ready", flush=True)
for number in range(10**9):
    write_whole({file!r}, str(number) * 20000)
"""


@POSIX
def test_a_killed_writer_leaves_a_whole_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write_whole(file, "7" * 20000)
    for _ in range(5):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER.format(file=str(file))],
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": SOURCE},
        )
        assert writer.stdout is not None
        writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        text = file.read_text()
        assert text == text[: len(text) // 20000] * 20000


# --- locks and journals ---------------------------------------------------------------------------------

HOLDER = """
import sys
from outplay.storage import locked
with locked({file!r}):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_is_held_once_and_dies_with_its_process(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER.format(file=str(file))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": SOURCE},
    )
    assert holder.stdout is not None and holder.stdin is not None
    assert holder.stdout.readline().strip() == b"held"
    with pytest.raises(ValueError, match="is in use: another run is writing to it"), locked(file):
        pass
    holder.kill()
    holder.wait()
    holder.stdin.close()
    holder.stdout.close()
    with locked(file):
        pass


SETTINGS = {"format": "test 1", "pace": 3}


def journal(path: Path, **settings: object) -> Journal:
    return Journal(path, SETTINGS | settings, "a file of this test")


def test_a_journal_goes_on_where_it_stopped(tmp_path: Path) -> None:
    file = tmp_path / "file"
    first = journal(file)
    assert not file.exists()
    with first.open():
        first.append([1, "one"])
        first.append({"two": 2})
    with file.open("ab") as cut_off:
        cut_off.write(b'{"thr')
    second = journal(file)
    assert second.lines == [[1, "one"], {"two": 2}]
    with second.open():
        second.append(3)
    assert journal(file).lines == [[1, "one"], {"two": 2}, 3]
    assert len(file.read_text().splitlines()) == 4


def test_a_journal_reads_what_another_run_wrote_meanwhile(tmp_path: Path) -> None:
    first, second = journal(tmp_path / "file"), journal(tmp_path / "file")
    with first.open():
        first.append(1)
    with second.open():
        assert second.lines == [1]


def test_a_full_disk_costs_a_journal_no_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    kept = journal(file)
    with kept.open():
        kept.append(1)
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", lambda handle: (_ for _ in ()).throw(OSError(errno.ENOSPC, "full")))
            with pytest.raises(OSError):
                kept.append(2)
        kept.append(3)
    assert journal(file).lines == [1, 3]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("my diary\n", "is not a file of this test: choose another name"),
        ("my diary", "is not a file of this test: choose another name"),
        ("null\n", "is not a file of this test: choose another name"),
        ('{"format": "other 1"}\n', "is not a file of this test: choose another name"),
        ('{"format": "test 1", "pace": 4}\n', "was made with pace = 4, not 3"),
        ('{"format": "test 1", "pace": "a\\nb"}\n', "was made with pace = a b, not 3"),
        ('{"format": "test 1", "pace": 3}\n1\nx\n2\n', ", line 3 is damaged"),
        ('{"format": "test 1", "pace": 3}\n' + "[" * 100_000 + "\n", ", line 2 is damaged"),
    ],
)
def test_a_journal_that_is_none_is_not_touched(tmp_path: Path, content: str, complaint: str) -> None:
    file = tmp_path / "file"
    file.write_text(content)
    with pytest.raises(ValueError) as error:
        journal(file)
    assert complaint in str(error.value) and "\n" not in str(error.value)
    assert file.read_text() == content


# --- the rest -------------------------------------------------------------------------------------------


def test_every_changed_bit_breaks_the_seal() -> None:
    whole = sealed(b"native code")
    assert unsealed(whole) == b"native code"
    for bit in range(8 * len(whole)):
        changed = bytearray(whole)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(ValueError):
            unsealed(bytes(changed))


@POSIX
def test_a_folder_that_others_can_write_is_refused(tmp_path: Path) -> None:
    own = private_folder(tmp_path / "a" / "b")
    assert own.stat().st_mode & 0o777 == 0o700
    own.chmod(0o777)
    with pytest.raises(ValueError, match="is writable by everybody: chmod go-w"):
        private_folder(own)


def test_json_that_is_nested_too_deeply_is_refused() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        from_json("[" * 100_000)


def test_a_broken_game_is_bad_input() -> None:
    assert issubclass(GameError, ValueError)


def test_the_first_difference_is_named_in_short() -> None:
    theirs = {"games": 2, "players": [{"name": "a", "nodes": 1000}, {"name": "b", "nodes": 1000}]}
    ours = {"games": 2, "players": [{"name": "a", "nodes": 1000}, {"name": "b", "nodes": 2000}]}
    assert difference(theirs, ours) == ("players 2 nodes", "1000", "2000")
    assert difference({"a": 1}, {"a": 1, "b": [1]}) == ("b", "nothing", "[1]")
    assert difference({"a": 1, "b": None}, {"a": 1}) == ("b", "None", "nothing")
