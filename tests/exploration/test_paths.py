"""Names of files inside of files: moved with them, and telling nothing of anybody's folders."""

import json
import re
import shutil

import numpy as np
import pytest
from PySide6.QtGui import QImage

from pe_explorer import encodings, pictures
from pe_explorer.assets import asset
from pe_explorer.commandline.main import main
from pe_explorer.encodings import Stored, Unknown
from pe_explorer.exploration import DirectStore, Exploration, Pin, paths, resolve
from pe_explorer.files import session
from pe_explorer.files.atomic import OutputError
from pe_explorer.files.session import text_of
from pe_explorer.files.snippet import snippet
from tests.support.pictures import save
from tests.support.processes import run_program
from tests.support.tables_in_files import COLUMNS, ROWS, numbers, put

HOME = "home of mine"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home folder with a table in it, whose name is found wherever it is told."""
    place = tmp_path / HOME
    (place / "models").mkdir(parents=True)
    put(place / "models" / "pe.npy", numbers())
    monkeypatch.setenv("HOME", str(place))
    return place


def explored(path, **more):
    e = encodings.create("learned", file=str(path))
    return Exploration(e, count=5, pins=[Pin(e, "kept", "teal")], **more)


def files_of(state):
    return [state.encoding.file, *(pin.encoding.file for pin in state.pins)]


def read(path):
    found = session.read(path)
    return found.state, found.notes


def test_how_names_are_spelled(working_folder):
    here = working_folder / "a"
    inside, elsewhere = str(here / "b" / "pe.npy"), str(working_folder / "ab" / "pe.npy")
    for folder in (here, str(here), "a", f"{here}/"):
        assert paths.session_spelling(folder)(inside) == "b/pe.npy"
        assert paths.shared_spelling(folder)(inside) == "b/pe.npy"
        assert paths.session_spelling(folder)(elsewhere) == elsewhere  # a is no folder of ab
        assert paths.shared_spelling(folder)(elsewhere) == "pe.npy"
        assert paths.locate("b/pe.npy", folder) == (inside, "")
        assert paths.locate("./b/../b/pe.npy", folder) == (inside, "")
    assert paths.session_spelling(None)(inside) == inside
    assert paths.shared_spelling(None)(inside) == "pe.npy"
    assert paths.locate(inside, None) == (inside, "")
    assert paths.locate("", here) == ("", "")
    name = "made-table-1.npy"  # which comes with the program
    own = str(asset(f"gallery/tables/{name}"))
    assert [paths.bundled_table(it) for it in (f"/elsewhere/{name}", "made.npy")] == [own, ""]
    for text, place in (
        (name, own),
        (f"b/{name}", str(here / "b" / name)),
        (f"/gone/{name}", own),
    ):
        assert paths.locate(text, here) == (place, "")
    windows = r"C:\Users\me\pe.npy"
    assert paths.session_spelling(here)(windows) == windows
    assert paths.shared_spelling(here)(windows) == "pe.npy"
    assert paths.locate(windows, here) == (windows, "")
    (here / "pe.npy").mkdir(parents=True)
    assert paths.locate(windows, here) == (windows, "")
    (here / "pe.npy").rmdir()
    for beside in (here / "pe.npy", here / name):
        put(beside, numbers())
    found, remark = paths.locate(windows, here)
    assert (found, windows in remark, found in remark) == (str(here / "pe.npy"), True, True)
    assert paths.locate(name, here) == (str(here / name), "")
    above = put(working_folder / "pe.npy", numbers())
    assert paths.locate(above, here) == (above, "")


def test_a_command_names_files_from_the_folder_of_its_output(tmp_path):
    index = encodings.create("index")
    stored = encodings.create("learned", file=str(tmp_path / "-t.npy"))
    gone = Unknown("learned", {"file": "/x/a.npy"}, "it is gone")
    output = tmp_path / "out" / "t.png"
    plain = (Pin(index, "a"), Pin(gone, "b"))
    assert paths.for_command(index, plain, output) == (index, plain, output)
    below = encodings.create("learned", file=str(tmp_path / "out" / "m" / "t.npy"))
    for e, pin, file in (
        (stored, index, "./-t.npy"),
        (index, stored, "./-t.npy"),
        (index, below, "m/t.npy"),
    ):
        new, (new_pin,), name = paths.for_command(e, [Pin(pin, "a")], output)
        files = [getattr(it, "file", "") for it in (new, new_pin.encoding)]
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


def test_what_is_kept_of_unsaved_changes_has_whole_names(home):
    state = explored(home / "models" / "pe.npy")
    assert session.loads(session.dumps(state)).state == state
    document = json.loads(session.dumps(resolve(state, DirectStore())))
    assert document["encoding"]["file"] == str(home / "models" / "pe.npy")


def test_other_parameters_are_left_alone():
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
TOLD = LATER | {"file": "pe.npy", "folder": "models", "by": {"d.npy": None}}
TOLD["parts"] = ["a.npy", {"of": "b.npy", "n": 5}, [["c"]]]


def test_what_is_not_known_here_tells_of_no_folder_either(tmp_path):
    """Parameters of a later version may name files, too; a saved session keeps them."""
    later = {"notes": "/home/alice/notes.txt"}
    pin = {"name": "a", "colour": "teal", "encoding": LATER, **later}
    base = json.loads(session.dumps(Exploration(encodings.create("index"))))
    document = base | {"encoding": LATER, "pins": [pin], "later": [later]}
    found = session.loads(json.dumps(document))
    assert json.loads(session.dumps(found.state, found.extra, tmp_path)) == document
    for folder in (None, tmp_path):
        text = session.shared(found.state, found.extra, folder)
        assert "alice" not in text
        assert "home" not in text
        told = json.loads(text)
        assert told["encoding"] == told["pins"][0]["encoding"] == TOLD
        assert told["later"] == [{"notes": "notes.txt"}]
        assert told["pins"][0]["notes"] == "notes.txt"


def test_values_of_the_wrong_kind_tell_of_no_folder():
    given = {"file": ["/home/alice/pe.npy"], "row_offset": "/home/alice/x", "new": "/home/alice/y"}
    state = Exploration(Unknown("learned", given, "of a later version"))
    told = json.loads(session.shared(state))["encoding"]
    assert told == {"name": "learned", "file": ["pe.npy"], "row_offset": "x", "new": "y"}


def test_odd_names_of_files_stop_nothing(tmp_path):
    document = json.loads(session.dumps(Exploration(encodings.create("index"))))
    for odd in (7, None, ["a"], "", "\0.npy", "\ud800.npy", "x.txt", "..", "/", "a" * 5000):
        document["encoding"] = {"name": "learned", "file": odd, "row_offset": 2}
        (tmp_path / "s.json").write_text(json.dumps(document))
        state, _ = read(tmp_path / "s.json")
        assert state.encoding.parameters["row_offset"] == 2


# -- what is given to others -----------------------------------------------------------------------


NAMES = ("heatmap.png", "t.npy", "d.npy", "t.csv")
"""The exports that can be opened again."""


def carried(home, tmp_path):
    """Make every kind of export of a table in the home folder, in another one."""
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
        else:  # it makes an application, of which a process has one
            assert run_program(tmp_path, *line).returncode == 0
    image = QImage(4, 4, QImage.Format.Format_RGB32)
    image.fill(0)
    save(image, out / "saved.png", resolve(state, DirectStore()))
    (out / "shared.json").write_text(session.shared(resolve(state, DirectStore())))
    for library in ("numpy", "torch", "jax"):
        code = snippet(resolve(state, DirectStore()).encoding, range(5), library)
        (out / f"{library}.py").write_text(code)
    return out


def test_no_export_carries_a_home_folder_and_shape_and_type_stand_beside_the_name(home, tmp_path):
    out = carried(home, tmp_path)
    made = sorted(path.name for path in out.iterdir())
    assert len(made) == 12
    for path in out.iterdir():
        data = path.read_bytes()
        compressed = text_of(data).values() if path.suffix == ".png" else ()
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
        document = json.loads(text_of(data)[session.PNG_KEY] if is_picture else data)
        assert document[session.TABLES] == expected
        assert document["encoding"]["file"] == "pe.npy"
        assert document["pins"][0]["encoding"]["file"] == "pe.npy"
    code = (out / "numpy.py").read_text()
    assert f"# pe.npy held {ROWS} x {COLUMNS} numbers of type float32" in code


def test_a_picture_or_data_moved_with_the_table_or_without(home, tmp_path):
    out = carried(home, tmp_path)
    for name in NAMES:
        state, notes = read(out / name)
        assert files_of(state) == [str(out / "pe.npy")] * 2, name  # where it is looked for
        assert notes == (), name
        assert isinstance(resolve(state, DirectStore()).encoding, Unknown), name
    shutil.copy(home / "models" / "pe.npy", out)
    there = tmp_path / "there"
    shutil.move(out, there)
    for name in NAMES:
        state, notes = read(there / name)
        found = resolve(state, DirectStore()).encoding
        np.testing.assert_array_equal(found.table(range(ROWS)), numbers(), name)
        assert found.file == str(there / "pe.npy"), name
        assert session.TABLES not in session.read(there / name).extra, name  # no remark is kept


def test_another_table_of_the_name_is_told_and_a_command_goes_on(home, tmp_path, capsys):
    out = carried(home, tmp_path)
    then = f"{ROWS} × {COLUMNS} numbers of type float32"
    for other in (numbers(5, 3), numbers().astype("f8"), numbers(ROWS + 1)):
        put(out / "pe.npy", other)
        rows, columns = other.shape
        now = f"{rows} × {columns} numbers of type {other.dtype}"
        for name in NAMES:
            state, notes = read(out / name)
            assert isinstance(resolve(state, DirectStore()).encoding, Stored)  # nothing is refused
            (note,) = notes  # one, though a pin has the file, too
            assert [fact for fact in ("encoding.file: pe.npy", then, now) if fact not in note] == []
    put(out / "pe.npy", numbers(5, 3))
    capsys.readouterr()
    line = ["export", "--session", str(out / "t.csv"), "-o", str(out / "x.npy")]
    assert main(line) == 0
    (told,) = capsys.readouterr().err.splitlines()
    assert then in told
    assert "5 × 3 numbers of type float32" in told
    assert main([*line, "--encoding", "sinusoidal", "--pin", "index"]) == 0
    assert capsys.readouterr().err == ""


def test_what_is_noted_of_a_table_may_be_anything(tmp_path):
    put(tmp_path / "pe.npy", numbers())
    e = encodings.create("learned", file=str(tmp_path / "pe.npy"))
    text = session.shared(resolve(Exploration(e), DirectStore()), folder=tmp_path)
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
        for noted in (entry, {"pe.npy": entry}):
            document = json.loads(text) | {session.TABLES: noted}
            (tmp_path / "s.json").write_text(json.dumps(document))
            is_legal = entry is largest is not noted
            assert len(read(tmp_path / "s.json")[1]) == is_legal


def state_with(file):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("she 1 2\n")
    options = {"words": "file", "file": str(file), "join": "words"}
    return pictures.with_options(Exploration(), "tokens", **options)


def file_in(text, folder):
    return session.loads(text, folder).state.options["tokens"].file


def test_a_session_names_it_relative_and_finds_it_again(tmp_path):
    state = state_with(tmp_path / "data" / "v.txt")
    text = session.dumps(state, folder=tmp_path)
    assert json.loads(text)["views"]["tokens"]["file"] == "data/v.txt"
    assert file_in(text, tmp_path) == str(tmp_path / "data" / "v.txt")
    other = session.dumps(state, folder=tmp_path / "elsewhere")
    assert file_in(other, tmp_path) == str(tmp_path / "data" / "v.txt")
    moved = tmp_path / "moved"
    (tmp_path / "data").rename(moved)
    opened = session.loads(other, moved)
    assert opened.state.options["tokens"].file == str(moved / "v.txt")
    assert any("is used" in note for note in opened.notes)


def test_what_is_shared_names_no_folder(tmp_path):
    state = resolve(state_with(tmp_path / "alice" / "v.txt"), DirectStore())
    text = session.shared(state, folder=tmp_path / "out")
    assert "alice" not in text
    assert json.loads(text)["views"]["tokens"]["file"] == "v.txt"
    spelled, _, _ = paths.for_command(state, (), tmp_path / "out" / "t.png")
    assert spelled.options["tokens"].file == "v.txt"
    assert state.options["tokens"].file == str(tmp_path / "alice" / "v.txt")


def test_it_is_not_overwritten(tmp_path):
    file = tmp_path / "v.txt"
    with pytest.raises(OutputError, match=re.escape(str(file))):
        session.refuse_sources(file, state_with(file))
