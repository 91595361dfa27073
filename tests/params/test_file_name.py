"""File names as parameters: made absolute, never opened."""

import json
import os
from pathlib import Path, PurePosixPath

import numpy as np
import pytest

from pe_explorer.params import FileName, is_valid_path
from tests.params.refusals import refusal

FILE = FileName("", (".npy",), label="File", help="A table.")
TWO = FileName("", (".npy", ".npz"), label="File", help="A table.")

NAMES = [
    "t.npy", " t.npy", "two  spaces .npy", "  .npy", "line\nbreak.npy", "tab\t.npy", "T.NPY",
    "é数🎯.npy", "עברית.npy", "bytes\udcff.npy",  # a name that is not valid UTF-8
    "$HOME.npy", "a;b,c.npy", "<b>.npy", ".npy", "a.b.npy", "'quoted'.npy", "auto.npy",
]  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the working folder, which is empty."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/somebody")
    return str(Path.cwd())


@pytest.mark.parametrize("name", [*NAMES, "~t.npy"], ids=ascii)
def test_a_file_name_becomes_an_absolute_path(folder, name):
    whole = FILE.check("speed", name)
    assert whole == f"{folder}/{name}"
    assert FILE.check("speed", whole) == whole
    assert FILE.parse("speed", FILE.format(whole)) == whole
    assert FILE.check("speed", json.loads(json.dumps(whole))) == whole
    if name in NAMES:
        assert FILE.parse("speed", name) == whole
        assert FILE.parse("speed", f"/a b/{name}") == f"/a b/{name}"
    assert os.listdir() == []


def test_a_relative_path_starts_in_the_working_folder(folder):
    for name, inside in (("a/../t.npy", "t.npy"), ("./a//t.npy", "a/t.npy"), (" /t.npy",) * 2):
        assert FILE.check("speed", name) == f"{folder}/{inside}"


TYPED = {
    "~/t.npy": "/home/somebody/t.npy", "  ~/a b/t.npy\n": "/home/somebody/a b/t.npy",
    " /a/t.npy\r\n": "/a/t.npy", "/a/ t.npy": "/a/ t.npy", "": "",
}  # fmt: skip


def test_typed_and_pasted_file_names(folder):
    assert {typed: FILE.parse("speed", typed) for typed in TYPED} == TYPED
    assert FILE.check("speed", "") == FILE.parse("speed", FILE.format("")) == ""


def test_the_home_folder_of_an_unknown_user_is_an_ordinary_name(folder):
    assert FILE.parse("speed", "~no-such-person/t.npy") == f"{folder}/~no-such-person/t.npy"


@pytest.mark.parametrize("name", [r"C:\tables\t.npy", "C:/tables/t.npy", r"\\server\share\t.npy"])
def test_paths_of_another_system_stay_unchanged(folder, name):
    assert FILE.check("speed", name) == FILE.parse("speed", name) == name
    assert (
        FILE.get_last_part(name)
        == FILE.get_last_part("/a/t.npy")
        == FILE.get_last_part("t.npy")
        == "t.npy"
    )


def test_path_objects_become_texts():
    for value in (Path("/a/t.npy"), PurePosixPath("/a/t.npy"), np.str_("/a/t.npy")):
        checked = FILE.check("speed", value)
        assert (type(checked), checked) == (str, "/a/t.npy")


class BytesPath:
    def __fspath__(self):
        return b"/a/t.npy"


@pytest.mark.parametrize("value", [None, 3, True, b"/a/t.npy", ["t.npy"], BytesPath()])
def test_values_other_than_paths_are_refused(value):
    assert "the name of a file that ends in .npy, got" in refusal(FILE.check, value)


@pytest.mark.parametrize(
    "name",
    ["t", "t.txt", "/a/t.npy.gz", "t.npy/", "t.npy ", "t.npy\n", " ", "~", "/", "npy", "t,npy"],
    ids=ascii,
)
def test_other_file_name_extensions_are_refused(folder, name):
    quoted = repr(os.path.basename(name) or name)
    assert refusal(FILE.check, name) == f"speed: expected {FILE.limits}, got {quoted}"
    assert "a file that ends in .npy or .npz" in refusal(TWO.check, name)


def test_the_error_shows_the_extension_of_a_long_path():
    assert "'table.txt'" in refusal(FILE.check, f"/{'folder/' * 40}table.txt")


@pytest.mark.parametrize("name", ["a\0.npy", "a\ud800.npy", "\udfff/a.npy"], ids=ascii)
def test_characters_not_allowed_in_file_names_are_refused(name):
    assert (is_valid_path(name), is_valid_path("/a\n.npy")) == (False, True)
    message = refusal(FILE.check, name)
    assert f"{name!a} contains a character that is not allowed" in message


def test_a_relative_path_in_a_deleted_working_folder_is_refused(tmp_path, monkeypatch):
    deleted = tmp_path / "gone"
    deleted.mkdir()
    monkeypatch.chdir(deleted)
    deleted.rmdir()
    assert "in a folder that no longer exists" in refusal(FILE.check, "t.npy")
    assert FILE.check("speed", "/a/t.npy") == "/a/t.npy"
    monkeypatch.chdir(tmp_path)
