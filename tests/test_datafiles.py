"""Files of data that mean harm, or were damaged with care: refused in one line, before anything believes them.

`python -m bench mutations` mutates every kind of file; here are the cases that it, or an attack, has found.
"""

import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.data_files import packed, sealed_arrays, unpacked
from outplay import arrays
from outplay.arrays import read_arrays, text_of
from outplay.book import learn as learning
from outplay.book.names import read_names
from outplay.games import load
from outplay.learn.folder import CHECKPOINT, LOG, Folder
from outplay.learn.td import loop as td
from outplay.learn.td.settings import Settings
from outplay.learn.td.settings import read_run as read_td
from outplay.learn.tune import Checkpoint
from outplay.learn.zero.settings import read_run, settings_for
from outplay.learn.zero.supervised import PolicySettings
from outplay.nnue import NNUE
from outplay.search.engine.table import Table
from outplay.search.mcts.netfile import load_net, save_net
from outplay.search.mcts.network import NETS, Network
from outplay.search.mcts.onnxfile import is_plain
from outplay.storage import sealed
from outplay.tables.bearoff.onesided import OneSided
from outplay.tables.build import build_states
from outplay.tables.checkpoint import read as read_arrays_of
from outplay.tables.file import open_table
from outplay.tables.reachable import Exploration

# --- arrays ---------------------------------------------------------------------------------------------


class Evil:
    """Runs when it is unpickled."""

    ran = False

    def __reduce__(self) -> Any:
        return setattr, (Evil, "ran", True)


def test_no_pickle_is_run(tmp_path: Path) -> None:
    file = tmp_path / "evil.npz"
    file.write_bytes(pickle.dumps(Evil()))
    with pytest.raises(ValueError, match="zip"):
        read_arrays(file)
    np.savez(file, words=np.array([Evil()], object))
    with pytest.raises(ValueError, match="allow_pickle"):
        read_arrays(file)
    assert not Evil.ran


def test_what_does_not_fit_into_memory_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    np.savez_compressed(tmp_path / "bomb.npz", words=np.zeros(1 << 20))
    assert (tmp_path / "bomb.npz").stat().st_size < 20_000
    monkeypatch.setattr(arrays, "available", lambda: 1 << 20)
    with pytest.raises(ValueError, match="it unpacks to 8 MB, more than the memory that is free"):
        read_arrays(tmp_path / "bomb.npz")


@pytest.mark.parametrize(
    "header", ["{'descr': '<f8', 'shape': (3,", "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "x"]
)
def test_headers_of_arrays_that_are_none(header: str, tmp_path: Path) -> None:
    file = tmp_path / "a.npz"
    file.write_bytes(packed(f"words.npy\t{header}\t00".encode()))
    with pytest.raises(ValueError, match="."):
        read_arrays(file)


def test_arrays_are_read_in_the_order_of_c(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", a=np.asfortranarray([[1, 2], [3, 4]]), text=np.array("x"))
    found = read_arrays(tmp_path / "a.npz")
    assert found["a"].flags.c_contiguous and found["a"].tolist() == [[1, 2], [3, 4]]
    assert text_of(found["text"]) == "x"


def test_a_text_of_no_characters_is_none(tmp_path: Path) -> None:
    for wrong in (np.full(1, 0x7FFFFFFF, np.uint32).view("<U1")[0:1], np.array(["a", "b"]), np.array(3)):
        with pytest.raises(ValueError, match="a text is expected"):
            text_of(wrong)
    file = tmp_path / "two.npz"
    OneSided.build(2, 2).save(file)
    file.write_bytes(packed(unpacked(file.read_bytes()).replace(b"6f000000", b"ffffff7f")))
    with pytest.raises(ValueError, match="is not such a bear-off table"):
        OneSided.load(file)


def test_a_bearoff_table_without_its_parts_is_damaged(tmp_path: Path) -> None:
    file = tmp_path / "one.npz"
    np.savez(file, format=np.array("outplay bearoff 1"))
    with pytest.raises(ValueError, match="is damaged: build it again"):
        OneSided.load(file)
    table = OneSided.build(2, 2)
    table._replace(means=table.means * np.nan).save(file)
    with pytest.raises(ValueError, match="is damaged: build it again"):
        OneSided.load(file)


def test_a_hash_table_without_words(tmp_path: Path) -> None:
    np.savez(tmp_path / "hash.npz", signature=np.array("chess"))
    with pytest.raises(ValueError, match="is not a saved table"):
        Table(0.001).load(tmp_path / "hash.npz", "chess")


def test_half_a_number_is_no_net(tmp_path: Path) -> None:
    (tmp_path / "net.bin").write_bytes(bytes(2 * (2 * 64 + 2 * 64 + 1) + 1))
    with pytest.raises(ValueError, match=r"net\.bin is not a net with 2 features"):
        NNUE.load(tmp_path / "net.bin", 2, 64, 1)


# --- nets -----------------------------------------------------------------------------------------------


def changed(**about: Any) -> Any:
    """Hexapawn's net, with other things told about it."""
    return load_net(NETS / "hexapawn.npz")._replace(**about)


@pytest.mark.parametrize("wrong", ["no weights", "a block more", "a layer that does not fit", "NaN", "views"])
def test_a_net_whose_parts_do_not_fit_is_none_of_ours(wrong: str, tmp_path: Path) -> None:
    net = changed()
    weights = dict(net.weights)
    if wrong == "a layer that does not fit":
        weights["policy.weight"] = weights["policy.weight"][:, :-1]
    if wrong == "NaN":
        weights["policy.bias"] = weights["policy.bias"] * np.nan
    bad = {
        "no weights": {"weights": {}},
        "a block more": {"blocks": net.blocks + 1},
        "views": {"view": net.view._replace(answers=net.view.answers + 1)},
    }.get(wrong, {"weights": weights})
    save_net(tmp_path / "net.npz", net._replace(**bad))
    with pytest.raises(ValueError, match=r"net\.npz is not a policy-value net"):
        Network(str(tmp_path / "net.npz"))


def test_the_view_of_a_net_is_told_by_ints(tmp_path: Path) -> None:
    net = changed()
    for view in ({"factor": "x"}, {"words": 1 << 40}, {"answers": -1}, {"factor": 1 << 70}):
        save_net(tmp_path / "net.npz", net._replace(view=net.view._replace(**view)))
        with pytest.raises(ValueError, match="is not a policy-value net"):
            load_net(tmp_path / "net.npz")


def model(tmp_path: Path) -> Any:
    """Hexapawn's net in the common format."""
    onnx = pytest.importorskip("onnx", reason="writes nets: pip install 'outplay[train]'")
    from outplay.learn.zero.onnx import save_onnx

    save_onnx(tmp_path / "good.onnx", changed())
    return onnx.load(str(tmp_path / "good.onnx"))


def test_an_onnx_file_holds_layers_alone(tmp_path: Path) -> None:
    good = model(tmp_path)
    assert is_plain(good.SerializeToString())
    cut = good.SerializeToString()[:-3]
    assert not is_plain(cut) and not is_plain(b"\x80" * 20) and not is_plain(b"\x0f")


@pytest.mark.parametrize("harm", ["loop", "file", "function", "graph", "domain", "sparse"])
def test_an_onnx_file_that_is_a_program_is_refused(harm: str, tmp_path: Path) -> None:
    made = model(tmp_path)
    pytest.importorskip("onnxruntime", reason="runs nets: pip install 'outplay[nets]'")
    if harm == "loop":
        made.graph.node[0].op_type = "Loop"
    elif harm == "file":
        tensor = made.graph.initializer[0]
        (tmp_path / "beside.bin").write_bytes(tensor.raw_data)
        tensor.ClearField("raw_data")
        tensor.data_location = 1
        tensor.external_data.add(key="location", value="beside.bin")
    elif harm == "function":
        made.functions.add(name="f", domain="x")
    elif harm == "graph":
        made.graph.node[0].attribute.add(name="body", type=5).g.name = "inner"
    elif harm == "domain":
        made.graph.node[0].domain = "com.microsoft"
    else:
        made.graph.sparse_initializer.add()
    (tmp_path / "net.onnx").write_bytes(made.SerializeToString())
    with pytest.raises(ValueError, match=r"net\.onnx is not a policy-value net"):
        Network(str(tmp_path / "net.onnx"))


# --- runs -----------------------------------------------------------------------------------------------

TD = Settings("tictactoe", games=20, hidden=2, trial=2, points=2)


@pytest.fixture(scope="module")
def td_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "td"
    td.train(TD, path, lambda line: None, lambda line: None)
    return path


@pytest.mark.parametrize("wrong", ["missing", "shape", "NaN", "kind", "games", "counts", "numbers"])
def test_a_checkpoint_of_td_that_does_not_fit(wrong: str, td_run: Path, tmp_path: Path) -> None:
    state = read_arrays(td_run / CHECKPOINT)
    state |= {
        "missing": {},
        "shape": {"hidden": state["hidden"][:1]},  # would be spread over all rows
        "NaN": {"output": state["output"] * np.float32(np.nan)},
        "kind": {"hidden": state["hidden"].astype(np.float64)},
        "games": {"numbers": np.array([1.0, 21.0, 1.0])},
        "counts": {"counts": state["counts"] - 1},
        "numbers": {"numbers": np.array([1.0, -1.0, 1.0])},
    }[wrong]
    if wrong == "missing":
        del state["error"]
    folder = Folder(tmp_path / "run", TD)
    folder.save(state)
    run = td.Run(TD, folder, load("tictactoe").position())
    with pytest.raises(ValueError, match=r"checkpoint\.npz is damaged, or of another run: remove it"):
        run.resume()


def written_log(path: Path, first: dict[str, Any], *lines: Any) -> Path:
    path.mkdir()
    (path / LOG).write_text("".join(json.dumps(line) + "\n" for line in (first, *lines)))
    return path


GOOD = {"seconds": 1.0, "games": 2, "games_per_second": 3.0, "moves": 4.0, "error": 0.5}


def test_a_log_of_td_holds_numbers(tmp_path: Path) -> None:
    settings, lines = read_td(written_log(tmp_path / "good", TD.line(), GOOD))
    assert settings == TD and lines == [GOOD]
    for number, (first, line) in enumerate([
        (TD.line(), GOOD | {"games": "many"}), (TD.line(), GOOD | {"error": None}), (TD.line(), GOOD | {"random": "x"}),
        (TD.line(), []), (TD.line() | {"games": 0}, GOOD), (TD.line() | {"hidden": "x"}, GOOD),
        (TD.line(), {"seconds": 1.0}), (TD.line(), GOOD | {"moves": 10**400}),
    ]):  # fmt: skip
        with pytest.raises(ValueError, match=r"log\.jsonl is not the log of such a run"):
            read_td(written_log(tmp_path / str(number), first, line))


def test_a_log_that_is_no_text(tmp_path: Path) -> None:
    path = written_log(tmp_path / "run", {})
    (path / LOG).write_bytes(b"\xff\xfe\n")
    with pytest.raises(ValueError, match=r"log\.jsonl is not the log of such a run"):
        read_run(path)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"games": 0}, "games must be 1 to"),
        ({"batch": -3}, "batch must be 1 to"),
        ({"simulations": (4, 0)}, "simulations must be 1 to"),
        ({"simulations": ()}, "simulations must be numbers"),
        ({"rate": float("nan")}, "rate must be"),
        ({"channels": 10**9}, "channels must be 1 to 4,096"),
        ({"seed": -1}, "seed must be 0 to"),
    ],
)
def test_settings_of_a_run_make_sense(given: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        settings_for("tictactoe", load("tictactoe").position(), 1, **given)


def test_settings_of_a_policy_make_sense() -> None:
    for wrong in ({"minutes": 0}, {"minutes": float("nan")}, {"held_out": 0.9}, {"batch": 0}, {"blocks": -1}):
        with pytest.raises(ValueError, match="must be"):
            PolicySettings("chess", **{"minutes": 1.0, **wrong}).checked()


# --- what was half done ---------------------------------------------------------------------------------


def test_a_checkpoint_of_tuning_says_all_or_is_damaged(tmp_path: Path) -> None:
    good = {"settings": "s", "epoch": 3, "weights": [1, 2], "steps": []}
    for wrong in (
        {"epoch": None},
        {"epoch": -1},
        {"weights": [1]},
        {"weights": [float("nan"), 1]},
        {"steps": [1]},
    ):
        (tmp_path / "part").write_bytes(sealed(json.dumps(good | wrong).encode()))
        with pytest.raises(ValueError, match="is damaged, or not a tuning checkpoint: remove it"):
            Checkpoint(tmp_path / "part", "s").load(2)
    (tmp_path / "part").write_bytes(
        sealed(json.dumps({k: good[k] for k in ("epoch", "weights", "steps")}).encode())
    )
    with pytest.raises(ValueError, match="is damaged, or not a tuning checkpoint: remove it"):
        Checkpoint(tmp_path / "part", "s").load(2)


def test_half_found_states_that_contradict_themselves(tmp_path: Path) -> None:
    """Native code goes on from them, so no number in them may lead outside."""
    start, path = load("hexapawn").start, tmp_path / "states.part"
    half = Exploration(start, path)
    half.run()
    half.keep()
    kept = read_arrays_of(path, half.settings)
    for wrong in (
        {"children": kept["children"] + np.int32(1 << 20)}, {"owner": kept["owner"] + np.int8(5)},
        {"start": kept["start"][::-1]}, {"sizes": kept["sizes"] * 2}, {"states": kept["states"][:-1]},
        {"ends": kept["ends"].astype(np.int32)}, {"more": kept["ends"]},
    ):  # fmt: skip
        from outplay.tables import checkpoint

        checkpoint.write(path, half.settings, {n: np.ascontiguousarray(a) for n, a in (kept | wrong).items()})
        with pytest.raises(ValueError, match=r"states\.part contradicts itself: remove it"):
            Exploration(start, path)


def test_half_found_states_with_a_header_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "states.part"
    for head in (
        b"[]",
        b'{"arrays": 3}',
        b'{"arrays": {"a": ["<i8", 99]}}',
        b'{"arrays": {"a": ["|O", 1]}}',
        b'{"arrays": {"a": ["(", 1]}}',
        b"\xff",
    ):
        path.write_bytes(sealed_arrays(b"outplay arrays 1" + len(head).to_bytes(4, "little") + head))
        with pytest.raises(ValueError, match="is damaged, or something else: remove it"):
            read_arrays_of(path, {})


def test_a_learned_book_that_leads_in_circles_is_refused(tmp_path: Path) -> None:
    """Its values would be backed up for ever."""
    start, path = load("hexapawn").start, tmp_path / "book.learning"

    def learner() -> learning.Learner:
        return learning.Learner("hexapawn", start, lambda state, actions: (actions[0], 0))

    grown = learner()
    for _ in range(2):
        grown.expand()
    grown.save(path)
    good = json.loads(path.read_text().partition("\n")[2])
    learner().recall(path)
    root = good["start"]
    text, drop, score, moves = good["nodes"][root]
    for wrong in (
        [text, drop, score, [[moves[0][0], root]]],  # a move to itself
        [text, drop, "much", moves],
        [text, 99, score, moves],
        [text, None, score, moves],
        ["no position", drop, score, moves],
        [text],
    ):
        body = json.dumps(good | {"nodes": good["nodes"] | {root: wrong}})
        path.write_text(f"{learning.FIRST} {learning._checksum(body)}\n{body}\n")
        with pytest.raises(ValueError, match=r"book\.learning contradicts itself: remove it"):
            learner().recall(path)
    for body in ("[]", '{"game": 3}'):
        path.write_text(f"{learning.FIRST} {learning._checksum(body)}\n{body}\n")
        with pytest.raises(ValueError, match="remove it"):
            learner().recall(path)


def test_openings_that_unpack_without_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import gzip

    from outplay.arena import openings

    monkeypatch.setattr(openings, "MOST_BYTES", 1 << 20)
    (tmp_path / "o.txt.gz").write_bytes(gzip.compress(bytes(1 << 21)))
    with zipfile.ZipFile(tmp_path / "o.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("o.txt", bytes(1 << 21))
    for name in ("o.txt.gz", "o.zip"):
        with pytest.raises(ValueError, match="cannot be read: it unpacks to more than 1 MB"):
            openings.read_openings(load("connect4"), str(tmp_path / name))


# --- what is shown in a terminal ------------------------------------------------------------------------


def test_texts_that_would_steer_a_terminal_are_refused(tmp_path: Path) -> None:
    (tmp_path / "names.tsv").write_text("C20\tKing\x1b[2J\t1. e4\n")
    with pytest.raises(ValueError, match=r"names\.tsv, line 1 is not an opening"):
        read_names(tmp_path / "names.tsv")
    with pytest.raises(ValueError, match=r"log\.jsonl is not the log of such a run"):
        read_td(written_log(tmp_path / "run", TD.line() | {"game": "\x1b[2J"}, GOOD))
    start = load("hexapawn").start
    made = build_states(start, tmp_path).table
    made._replace(header=made.header._replace(start="\x1b[2J")).save(tmp_path / "evil.table")
    with pytest.raises(ValueError, match="was written by another version"):
        open_table(tmp_path / "evil.table")


def test_a_very_long_complaint_is_shortened(outplay: Any) -> None:
    answer = outplay("best", "nosuchgame" * 1000)
    assert answer.status == 2 and 100 < len(answer.told) < 2100
