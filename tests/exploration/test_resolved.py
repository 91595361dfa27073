"""From what was set up to what can be drawn: values open no files, a store does."""

import builtins
import dataclasses
import os
import pickle

import pytest

from pe_explorer import encodings, pictures, tables
from pe_explorer.encodings import EncodingError, Unknown, require_known
from pe_explorer.exploration import (
    DirectStore,
    Exploration,
    PendingFile,
    Pin,
    ResolvedTables,
    changes,
    differing,
    load_encoding,
    pinned,
    resolve,
    restored_from_pin,
    short_name,
    unpinned,
    updated_pin,
)
from tests.support.tables_in_files import BAD, COLUMNS, ROWS, numbers, put

DIRECT = DirectStore()


class Told:
    """A store that has what it is given."""

    def __init__(self, **found):
        self.found = found

    def table(self, path):
        return self.found[os.path.basename(path).removesuffix(".npy")]


@pytest.fixture
def path(tmp_path):
    place = tmp_path / "pe.npy"
    put(place, numbers())
    return place


def learned(path, **more):
    return encodings.create("learned", file=str(path), **more)


def touched(*arguments, **more):
    raise AssertionError(f"touched: {arguments}")


def test_values_touch_no_file(path):
    table = tables.read_table(str(path))
    e = learned(path)
    other = learned(path, row_offset=1)
    text = pickle.dumps(e)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builtins, "open", touched)
        for name in ("open", "stat", "lstat", "listdir"):
            patch.setattr(os, name, touched)
        missing = encodings.create("learned", file="/nowhere/at/all.npy")
        for value in (missing, e, pickle.loads(text)):
            assert value == dataclasses.replace(value)
            assert hash(value) == hash(dataclasses.replace(value))
            assert value.file in repr(value)
            assert value.parameters["file"] == value.file
        state = Exploration(e)
        state = state.with_(**pinned(state))
        state = state.with_(encoding=missing, count=7)
        state = state.with_(**updated_pin(state, 0, name="mine"))
        assert state.with_(**restored_from_pin(state, 0)).encoding == e
        assert state.with_(**unpinned(state, 0)).pins == ()
        assert short_name(missing) == "learned all.npy"
        resolved = resolve(state, Told(all="gone", pe=table))
        again = resolve(resolved, Told(all="gone", pe=table))
        same = resolved == again and hash(resolved.encoding) == hash(again.encoding)
        names = differing(resolved, again), changes(resolved, again)
        lesser = resolve(resolved, Told(all="gone", pe="gone"))
        pins_differ = differing(resolved, lesser), changes(resolved, lesser)
        assert other != e
    assert same
    assert names == (frozenset(), frozenset())
    assert pins_differ == ({"pins"}, frozenset())


def test_the_intention_stays_whatever_a_store_has(path):
    state = Exploration(learned(path), dimension=60_000, pins=[Pin(learned(path), "a")])
    table = tables.read_table(str(path))
    for store in (DIRECT, Told(pe="gone"), Told(pe=PendingFile()), Told(pe=table)):
        resolved = resolve(state, store)
        assert resolved.intention == state
        assert type(resolved.intention) is Exploration
        assert resolve(resolved, store) == resolved
        assert resolved.with_(count=3) == state.with_(count=3)
    assert resolve(state, DIRECT).dimension == COLUMNS - 1
    assert resolve(state, Told(pe="gone")).dimension == 60_000


@pytest.mark.parametrize("what", BAD)
def test_a_file_without_a_table_is_told_with_a_remedy(path, what):
    happen, words = BAD[what]
    before = resolve(Exploration(learned(path)), DIRECT)
    happen(path)
    after = resolve(before, DIRECT)
    assert isinstance(after.encoding, Unknown)
    assert differing(before, after) == {"encoding"}
    assert changes(before, after) == frozenset()
    problem, remedy = problem_of(after.encoding).rsplit("; ", 1)
    assert {str(path) in problem, words in problem, "locate" in remedy} == {True}
    assert after.encoding.locate == "file"


def test_a_pin_without_a_table_has_a_remedy_of_its_own(tmp_path):
    state = Exploration(pins=[Pin(learned(tmp_path / "gone.npy"), "a")], show="pinned")
    resolved = resolve(state, DIRECT)
    with pytest.raises(EncodingError, match="make the pin the current encoding to locate its file"):
        _ = resolved.subject
    assert resolved.with_(**restored_from_pin(resolved, 0)).encoding == state.pins[0].encoding
    assert resolved.with_(**pinned(resolved)).pins[0] == state.pins[0]


def problem_of(e):
    with pytest.raises(EncodingError) as caught:
        require_known(e)
    assert caught.value.name == "encoding"
    return caught.value.sentence


def test_while_a_table_is_read_there_is_nothing_to_do():
    e = load_encoding(learned("/x/pe.npy"), Told(pe=PendingFile()))
    assert (e.locate, ";" in problem_of(e)) == ("", False)
    e = load_encoding(learned("/x/pe.npy"), Told(pe="/x/pe.npy: the book is being read…"))
    assert e.locate == "file"  # whatever the words are
    e = load_encoding(encodings.create("learned"), Told())
    assert "; choose a .npy file" in problem_of(e)
    assert e.locate == "file"


@pytest.mark.parametrize("found", [PendingFile(), "/x/pe.npy: is gone", "a table"])
def test_what_is_resolved_is_so_again_without_its_files(path, monkeypatch, found):
    table = tables.read_table(str(path)) if found == "a table" else found
    pins = [Pin(learned(path), "a"), Pin(encodings.create("learned"), "b")]
    first = resolve(Exploration(learned(path), pins=pins), Told(pe=table))
    monkeypatch.setattr(tables, "load", lambda name: pytest.fail(f"{name} was read"))
    again = ResolvedTables(first)
    assert resolve(first, again) == first
    assert resolve(first.with_(count=7), again).encoding == first.encoding
    other = resolve(first.with_(encoding=learned("/x/other.npy")), again).encoding
    assert other.problem == "other.npy: is not part of this picture"


@pytest.mark.parametrize("is_there", [True, False])
def test_word_vectors_are_held_by_the_options_of_a_view_and_need_no_file_again(tmp_path, is_there):
    file = tmp_path / "v.txt"
    file.write_text("she 1 2\n" if is_there else "", encoding="utf-8")
    options = {"words": "file", "file": str(file), "join": "words"}
    state = pictures.with_options(Exploration(), "tokens", **options)
    first = resolve(state, DIRECT)
    held = first.options["tokens"].file_content
    assert isinstance(held, tables.WordFile if is_there else str)
    assert first.intention == state
    file.unlink()
    again = ResolvedTables(first).table(str(file))
    assert again == (held if is_there else held.replace(str(file), "v.txt"))
    later = resolve(Exploration(options=first.options), Told(**{"v.txt": "gone"}))
    assert (later.options["tokens"].file_content, later.intention) == ("gone", state)


def test_another_table_in_the_same_file_is_another_encoding(path):
    first = resolve(Exploration(learned(path)), DIRECT)
    put(path, numbers(seed=4))
    second = resolve(first, DIRECT)
    assert (first.encoding.file_content.rows, second.encoding.file_content.rows) == (ROWS, ROWS)
    assert first.encoding != second.encoding
    assert first.intention == second.intention
