"""Files of word vectors in sessions, commands and pictures: relative, moved, and no folders."""

import json
from pathlib import Path

import pytest

from pe_explorer import pictures
from pe_explorer.exploration import DirectStore, Exploration, paths, resolve
from pe_explorer.files import session, sources
from pe_explorer.files.atomic import OutputError
from pe_explorer.params import declared


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
    with pytest.raises(OutputError, match="would be overwritten"):
        sources.refuse_sources(file, state_with(file))


@pytest.mark.parametrize("typed", ["~/v.txt", "v.txt", "./v.txt"])
def test_home_and_relative_names_are_made_whole(tmp_path, monkeypatch, typed):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    file = declared(pictures.find("tokens").Options)["file"]
    assert Path(file.parse("file", typed)) == tmp_path / "v.txt"
