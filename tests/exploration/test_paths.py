"""Paths in sessions and exports: they move with their files and contain no private folders."""

import json
import re
import shutil

import numpy as np
import pytest
from PySide6.QtGui import QImage

from pe_explorer import encodings, pictures
from pe_explorer.assets import find_asset
from pe_explorer.commandline.main import main
from pe_explorer.encodings import Stored, Unknown
from pe_explorer.exploration import DirectStore, Exploration, Pin, paths, resolve
from pe_explorer.files import session
from pe_explorer.files.atomic import OutputError
from pe_explorer.files.session import read_texts
from pe_explorer.files.snippet import snippet
from tests.support.pictures import save
from tests.support.processes import run_program
from tests.support.tables_in_files import COLUMNS, ROWS, numbers, put

HOME = "home of mine"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Return a home folder with a table, whose name can be searched in exports."""
    folder = tmp_path / HOME
    (folder / "models").mkdir(parents=True)
    put(folder / "models" / "pe.npy", numbers())
    monkeypatch.setenv("HOME", str(folder))
    return folder


def explored(path, **more):
    e = encodings.create("learned", file=str(path))
    return Exploration(e, count=5, pins=[Pin(e, "kept", "teal")], **more)


def files_of(state):
    return [state.encoding.file, *(pin.encoding.file for pin in state.pins)]


def read(path):
    found = session.read(path)
    return found.state, found.notes


def test_paths_are_written_and_found_again(working_folder):
    folder_a = working_folder / "a"
    below, elsewhere = str(folder_a / "b" / "pe.npy"), str(working_folder / "ab" / "pe.npy")
    for folder in (folder_a, str(folder_a), "a", f"{folder_a}/"):
        assert paths.make_session_spelling(folder)(below) == "b/pe.npy"
        assert paths.make_shared_spelling(folder)(below) == "b/pe.npy"
        assert paths.make_session_spelling(folder)(elsewhere) == elsewhere  # "ab" is not below "a"
        assert paths.make_shared_spelling(folder)(elsewhere) == "pe.npy"
        assert paths.locate("b/pe.npy", folder) == (below, "")
        assert paths.locate("./b/../b/pe.npy", folder) == (below, "")
    assert paths.make_session_spelling(None)(below) == below
    assert paths.make_shared_spelling(None)(below) == "pe.npy"
    assert paths.locate(below, None) == (below, "")
    assert paths.locate("", folder_a) == ("", "")
    name = "made-table-1.npy"  # comes with the program
    bundled = str(find_asset(f"gallery/tables/{name}"))
    found = [paths.find_bundled_table(path) for path in (f"/elsewhere/{name}", "made.npy")]
    assert found == [bundled, ""]
    for text, path in (
        (name, bundled),
        (f"b/{name}", str(folder_a / "b" / name)),
        (f"/gone/{name}", bundled),
    ):
        assert paths.locate(text, folder_a) == (path, "")
    windows = r"C:\Users\me\pe.npy"
    assert paths.make_session_spelling(folder_a)(windows) == windows
    assert paths.make_shared_spelling(folder_a)(windows) == "pe.npy"
    assert paths.locate(windows, folder_a) == (windows, "")
    (folder_a / "pe.npy").mkdir(parents=True)
    assert paths.locate(windows, folder_a) == (windows, "")
    (folder_a / "pe.npy").rmdir()
    for beside in (folder_a / "pe.npy", folder_a / name):
        put(beside, numbers())
    found, remark = paths.locate(windows, folder_a)
    assert (found, windows in remark, found in remark) == (str(folder_a / "pe.npy"), True, True)
    assert paths.locate(name, folder_a) == (str(folder_a / name), "")
    above = put(working_folder / "pe.npy", numbers())
    assert paths.locate(above, folder_a) == (above, "")


def test_paths_in_a_command_are_relative_to_its_output(tmp_path):
    index = encodings.create("index")
    stored = encodings.create("learned", file=str(tmp_path / "-t.npy"))
    gone = Unknown("learned", {"file": "/x/a.npy"}, "it is gone")
    output = tmp_path / "out" / "t.png"
    plain = (Pin(index, "a"), Pin(gone, "b"))
    assert paths.prepare_for_command(index, plain, output) == (index, plain, output)
    below = encodings.create("learned", file=str(tmp_path / "out" / "m" / "t.npy"))
    for e, pin, file in (
        (stored, index, "./-t.npy"),
        (index, stored, "./-t.npy"),
        (index, below, "m/t.npy"),
    ):
        new, (new_pin,), name = paths.prepare_for_command(e, [Pin(pin, "a")], output)
        files = [getattr(e, "file", "") for e in (new, new_pin.encoding)]
        assert (sorted(files), new_pin.name, name) == (["", file], "a", "t.png")


@pytest.mark.parametrize("below", ["pe.npy", "models/pe.npy", "two  spaces and é/pe.npy"])
def test_a_session_moves_with_its_tables(tmp_path, below):
    old, new = tmp_path / "old", tmp_path / "new"
    (old / below).parent.mkdir(parents=True)
    put(old / below, numbers())
    session.write(old / "s.json", explored(old / below))
    document = json.loads((old / "s.json").read_text())
    assert document["encoding"]["file"] == below
    assert document["pins"][0]["encoding"]["file"] == below
    shutil.move(old, new)
    state, notes = read(new / "s.json")
    assert files_of(state) == [str(new / below)] * 2
    assert notes == ()
    assert resolve(state, DirectStore()).encoding.file_content.rows == ROWS
    (new / below).unlink()
    state, notes = read(new / "s.json")
    assert files_of(state) == [str(new / below)] * 2
    assert isinstance(resolve(state, DirectStore()).encoding, Unknown)


def test_backups_of_unsaved_changes_have_absolute_paths(home):
    state = explored(home / "models" / "pe.npy")
    assert session.loads(session.dumps(state)).state == state
    document = json.loads(session.dumps(resolve(state, DirectStore())))
    assert document["encoding"]["file"] == str(home / "models" / "pe.npy")


def test_other_parameters_stay_unchanged():
    for name in encodings.names():
        e = encodings.create(name)
        assert paths.respell_parameters(name, e.parameters, "changed".join) == e.parameters
    odd = {"file": 7, "row_offset": "x", "later": "a/b.npy"}
    assert paths.respell_parameters("learned", odd, lambda path: "changed") == odd
    assert paths.respell_parameters("x-helix", odd, lambda path: "changed") == odd


LATER = {
    "name": "x-helix",
    "file": "/home/alice/pe.npy",
    "folder": "/home/alice/models/",
    "parts": ["~alice/a.npy", {"of": r"C:\Users\alice\b.npy", "n": 5}, [["file:///home/alice/c"]]],
    "by": {"/home/alice/d.npy": None},
    "formula": "a / b",
    "root": "/",
}
WITHOUT_FOLDERS = LATER | {"file": "pe.npy", "folder": "models", "by": {"d.npy": None}}
WITHOUT_FOLDERS["parts"] = ["a.npy", {"of": "b.npy", "n": 5}, [["c"]]]


def test_unknown_keys_contain_no_folders_when_shared(tmp_path):
    """Parameters of a later version may be paths, too; a saved session preserves them."""
    later = {"notes": "/home/alice/notes.txt"}
    pin = {"name": "a", "colour": "teal", "encoding": LATER, **later}
    base = json.loads(session.dumps(Exploration(encodings.create("index"))))
    document = base | {"encoding": LATER, "pins": [pin], "later": [later]}
    found = session.loads(json.dumps(document))
    assert json.loads(session.dumps(found.state, found.extra, tmp_path)) == document
    for folder in (None, tmp_path):
        text = session.dumps_for_sharing(found.state, found.extra, folder)
        assert "alice" not in text
        assert "home" not in text
        shared = json.loads(text)
        assert shared["encoding"] == shared["pins"][0]["encoding"] == WITHOUT_FOLDERS
        assert shared["later"] == [{"notes": "notes.txt"}]
        assert shared["pins"][0]["notes"] == "notes.txt"


def test_illegal_values_contain_no_folders_when_shared():
    parameters = {
        "file": ["/home/alice/pe.npy"],
        "row_offset": "/home/alice/x",
        "new": "/home/alice/y",
    }
    state = Exploration(Unknown("learned", parameters, "of a later version"))
    shared = json.loads(session.dumps_for_sharing(state))["encoding"]
    assert shared == {"name": "learned", "file": ["pe.npy"], "row_offset": "x", "new": "y"}


def test_illegal_paths_do_not_prevent_opening(tmp_path):
    document = json.loads(session.dumps(Exploration(encodings.create("index"))))
    for odd in (7, None, ["a"], "", "\0.npy", "\ud800.npy", "x.txt", "..", "/", "a" * 5000):
        document["encoding"] = {"name": "learned", "file": odd, "row_offset": 2}
        (tmp_path / "s.json").write_text(json.dumps(document))
        state, _ = read(tmp_path / "s.json")
        assert state.encoding.parameters["row_offset"] == 2


# -- exports ---------------------------------------------------------------------------------------


NAMES = ("heatmap.png", "t.npy", "d.npy", "t.csv")
"""The exports that can be opened again."""


def carried(home, tmp_path):
    """Write every kind of export of a table in the home folder to another folder."""
    out = tmp_path / "out"
    out.mkdir()
    state = explored(home / "models" / "pe.npy", show="current")
    session.write(tmp_path / "s.json", state)
    for name, words in (
        ("t.npy", ["export"]),
        ("t.csv", ["export"]),
        ("d.npy", ["export", "--show", "difference"]),
        ("heatmap.png", ["render", "heatmap", "--size", "320x200"]),
    ):
        line = [*words, "--session", str(tmp_path / "s.json"), "-o", str(out / name)]
        if words[0] == "export":
            assert main(line) == 0
        else:  # rendering creates an application, and a process can have only one
            assert run_program(tmp_path, *line).returncode == 0
    image = QImage(4, 4, QImage.Format.Format_RGB32)
    image.fill(0)
    save(image, out / "saved.png", resolve(state, DirectStore()))
    (out / "shared.json").write_text(session.dumps_for_sharing(resolve(state, DirectStore())))
    for library in ("numpy", "torch", "jax"):
        code = snippet(resolve(state, DirectStore()).encoding, range(5), library)
        (out / f"{library}.py").write_text(code)
    return out


def test_exports_contain_no_home_folder_but_shape_and_type(home, tmp_path):
    out = carried(home, tmp_path)
    names = sorted(path.name for path in out.iterdir())
    assert len(names) == 12
    for path in out.iterdir():
        data = path.read_bytes()
        compressed = read_texts(data).values() if path.suffix == ".png" else ()
        data += "".join(compressed).encode()
        assert HOME.encode() not in data, path
        assert str(tmp_path).encode() not in data, path
        assert b"models" not in data, path
        if path.suffix not in (".npy", ".csv"):
            assert b"pe.npy" in data, path
            assert b"float32" in data, path
    expected = {"pe.npy": {"shape": [ROWS, COLUMNS], "type": "float32"}}
    for name in ("t.npy.session.json", "t.csv.session.json", "heatmap.png", "saved.png"):
        path = out / name
        is_picture = path.suffix == ".png"
        data = path.read_bytes()
        document = json.loads(read_texts(data)[session.PNG_KEY] if is_picture else data)
        assert document[session.TABLES_KEY] == expected
        assert document["encoding"]["file"] == "pe.npy"
        assert document["pins"][0]["encoding"]["file"] == "pe.npy"
    code = (out / "numpy.py").read_text()
    assert f"# pe.npy has {ROWS} x {COLUMNS} numbers of type float32" in code


def test_exports_find_a_table_that_was_moved_with_them(home, tmp_path):
    out = carried(home, tmp_path)
    for name in NAMES:
        state, notes = read(out / name)
        assert files_of(state) == [str(out / "pe.npy")] * 2, name
        assert notes == (), name
        assert isinstance(resolve(state, DirectStore()).encoding, Unknown), name
    shutil.copy(home / "models" / "pe.npy", out)
    moved = tmp_path / "there"
    shutil.move(out, moved)
    for name in NAMES:
        state, notes = read(moved / name)
        found = resolve(state, DirectStore()).encoding
        np.testing.assert_array_equal(found.table(range(ROWS)), numbers(), name)
        assert found.file == str(moved / "pe.npy"), name
        assert session.TABLES_KEY not in session.read(moved / name).extra, name


def test_another_table_with_the_same_name_is_noted(home, tmp_path, capsys):
    out = carried(home, tmp_path)
    stored_type = f"{ROWS} × {COLUMNS} numbers of type float32"
    for array in (numbers(5, 3), numbers().astype("f8"), numbers(ROWS + 1)):
        put(out / "pe.npy", array)
        rows, columns = array.shape
        new_type = f"{rows} × {columns} numbers of type {array.dtype}"
        for name in NAMES:
            state, notes = read(out / name)
            assert isinstance(resolve(state, DirectStore()).encoding, Stored)
            (note,) = notes  # only one, although a pin has the same file
            assert [
                fact
                for fact in ("encoding.file: pe.npy", stored_type, new_type)
                if fact not in note
            ] == []
    put(out / "pe.npy", numbers(5, 3))
    capsys.readouterr()
    line = ["export", "--session", str(out / "t.csv"), "-o", str(out / "x.npy")]
    assert main(line) == 0
    (note,) = capsys.readouterr().err.splitlines()
    assert stored_type in note
    assert "5 × 3 numbers of type float32" in note
    assert main([*line, "--encoding", "sinusoidal", "--pin", "index"]) == 0
    assert capsys.readouterr().err == ""


def test_illegal_notes_on_tables_are_ignored(tmp_path):
    put(tmp_path / "pe.npy", numbers())
    e = encodings.create("learned", file=str(tmp_path / "pe.npy"))
    text = session.dumps_for_sharing(resolve(Exploration(e), DirectStore()), folder=tmp_path)
    odd = [7, None, [], "x", {}, {"shape": 3}, {"shape": [1, "x"], "type": "float32"}]
    odd += [
        {"shape": shape, "type": kind}
        for shape, kind in (
            ([-1, 2], "f"),
            ([0, 2], "f"),
            ([1, 2], "\n" * 9),
            ([1 << 63, 1], "f"),
            ([1, 2], "f" * 21),
        )
    ]
    largest = {"shape": [(1 << 63) - 1, 1], "type": "f" * 20}
    for entry in (*odd, largest):
        for tables in (entry, {"pe.npy": entry}):
            document = json.loads(text) | {session.TABLES_KEY: tables}
            (tmp_path / "s.json").write_text(json.dumps(document))
            is_legal = entry is largest is not tables
            assert len(read(tmp_path / "s.json")[1]) == is_legal


def state_with(file):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("she 1 2\n")
    options = {"words": "file", "file": str(file), "join": "words"}
    return pictures.with_options(Exploration(), "tokens", **options)


def file_in(text, folder):
    return session.loads(text, folder).state.options["tokens"].file


def test_a_session_has_a_relative_path_of_word_vectors(tmp_path):
    state = state_with(tmp_path / "data" / "v.txt")
    text = session.dumps(state, folder=tmp_path)
    assert json.loads(text)["views"]["tokens"]["file"] == "data/v.txt"
    assert file_in(text, tmp_path) == str(tmp_path / "data" / "v.txt")
    array = session.dumps(state, folder=tmp_path / "elsewhere")
    assert file_in(array, tmp_path) == str(tmp_path / "data" / "v.txt")
    moved = tmp_path / "moved"
    (tmp_path / "data").rename(moved)
    opened = session.loads(array, moved)
    assert opened.state.options["tokens"].file == str(moved / "v.txt")
    assert any("does not exist, so " in note for note in opened.notes)


def test_shared_word_vectors_have_no_folder(tmp_path):
    state = resolve(state_with(tmp_path / "alice" / "v.txt"), DirectStore())
    text = session.dumps_for_sharing(state, folder=tmp_path / "out")
    assert "alice" not in text
    assert json.loads(text)["views"]["tokens"]["file"] == "v.txt"
    spelled, _, _ = paths.prepare_for_command(state, (), tmp_path / "out" / "t.png")
    assert spelled.options["tokens"].file == "v.txt"
    assert state.options["tokens"].file == str(tmp_path / "alice" / "v.txt")


def test_word_vectors_are_not_overwritten(tmp_path):
    file = tmp_path / "v.txt"
    with pytest.raises(OutputError, match=re.escape(str(file))):
        session.reject_table_paths(file, state_with(file))
