"""Resolving explorations with the tables of a store."""

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
    add_pin,
    apply_pin,
    changes,
    find_differing_fields,
    load_encoding,
    make_short_name,
    remove_pin,
    resolve,
    update_pin,
)
from tests.support.tables_in_files import BAD, COLUMNS, ROWS, numbers, put

DIRECT = DirectStore()


class FakeStore:
    """A store with given tables."""

    def __init__(self, **found):
        self.found = found

    def table(self, path):
        return self.found[os.path.basename(path).removesuffix(".npy")]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "pe.npy"
    put(path, numbers())
    return path


def learned(path, **more):
    return encodings.create("learned", file=str(path), **more)


def fail(*arguments, **more):
    raise AssertionError(f"touched: {arguments}")


def test_creating_an_encoding_opens_no_file(path):
    table = tables.read_table(str(path))
    e = learned(path)
    other = learned(path, row_offset=1)
    text = pickle.dumps(e)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builtins, "open", fail)
        for name in ("open", "stat", "lstat", "listdir"):
            patch.setattr(os, name, fail)
        missing = encodings.create("learned", file="/nowhere/at/all.npy")
        for value in (missing, e, pickle.loads(text)):
            assert value == dataclasses.replace(value)
            assert hash(value) == hash(dataclasses.replace(value))
            assert value.file in repr(value)
            assert value.parameters["file"] == value.file
        state = Exploration(e)
        state = state.with_(**add_pin(state))
        state = state.with_(encoding=missing, count=7)
        state = state.with_(**update_pin(state, 0, name="mine"))
        assert state.with_(**apply_pin(state, 0)).encoding == e
        assert state.with_(**remove_pin(state, 0)).pins == ()
        assert make_short_name(missing) == "learned all.npy"
        resolved = resolve(state, FakeStore(all="gone", pe=table))
        again = resolve(resolved, FakeStore(all="gone", pe=table))
        is_equal = resolved == again and hash(resolved.encoding) == hash(again.encoding)
        names = find_differing_fields(resolved, again), changes(resolved, again)
        without_pins = resolve(resolved, FakeStore(all="gone", pe="gone"))
        pins_differ = find_differing_fields(resolved, without_pins), changes(resolved, without_pins)
        assert other != e
    assert is_equal
    assert names == (frozenset(), frozenset())
    assert pins_differ == ({"pins"}, frozenset())


def test_resolving_does_not_change_the_intention(path):
    state = Exploration(learned(path), dimension=60_000, pins=[Pin(learned(path), "a")])
    table = tables.read_table(str(path))
    for store in (DIRECT, FakeStore(pe="gone"), FakeStore(pe=PendingFile()), FakeStore(pe=table)):
        resolved = resolve(state, store)
        assert resolved.intention == state
        assert type(resolved.intention) is Exploration
        assert resolve(resolved, store) == resolved
        assert resolved.with_(count=3) == state.with_(count=3)
    assert resolve(state, DIRECT).dimension == COLUMNS - 1
    assert resolve(state, FakeStore(pe="gone")).dimension == 60_000


@pytest.mark.parametrize("what", BAD)
def test_an_invalid_table_has_a_problem_and_a_remedy(path, what):
    damage, words = BAD[what]
    before = resolve(Exploration(learned(path)), DIRECT)
    damage(path)
    after = resolve(before, DIRECT)
    assert isinstance(after.encoding, Unknown)
    assert find_differing_fields(before, after) == {"encoding"}
    assert changes(before, after) == frozenset()
    problem, remedy = problem_of(after.encoding).rsplit(". ", 1)
    assert {str(path) in problem, words in problem, "ocate" in remedy} == {True}
    assert after.encoding.missing_file_parameter == "file"


def test_a_pin_without_a_table_has_another_remedy(tmp_path):
    state = Exploration(pins=[Pin(learned(tmp_path / "gone.npy"), "a")], show="pinned")
    resolved = resolve(state, DIRECT)
    with pytest.raises(EncodingError, match="ake the pin the current encoding to locate its file"):
        _ = resolved.subject
    assert resolved.with_(**apply_pin(resolved, 0)).encoding == state.pins[0].encoding
    assert resolved.with_(**add_pin(resolved)).pins[0] == state.pins[0]


def problem_of(e):
    with pytest.raises(EncodingError) as caught:
        require_known(e)
    assert caught.value.name == "encoding"
    return caught.value.sentence


def test_a_table_being_read_has_no_remedy():
    e = load_encoding(learned("/x/pe.npy"), FakeStore(pe=PendingFile()))
    assert (e.missing_file_parameter, ". " in problem_of(e)) == ("", False)
    e = load_encoding(learned("/x/pe.npy"), FakeStore(pe="/x/pe.npy: the book is being read…"))
    assert e.missing_file_parameter == "file"
    e = load_encoding(encodings.create("learned"), FakeStore())
    assert ". Choose a .npy file" in problem_of(e)
    assert e.missing_file_parameter == "file"


@pytest.mark.parametrize("found", [PendingFile(), "/x/pe.npy: is gone", "a table"])
def test_a_resolved_exploration_resolves_again_without_files(path, monkeypatch, found):
    table = tables.read_table(str(path)) if found == "a table" else found
    pins = [Pin(learned(path), "a"), Pin(encodings.create("learned"), "b")]
    first = resolve(Exploration(learned(path), pins=pins), FakeStore(pe=table))
    monkeypatch.setattr(tables, "load", lambda name: pytest.fail(f"{name} was read"))
    again = ResolvedTables(first)
    assert resolve(first, again) == first
    assert resolve(first.with_(count=7), again).encoding == first.encoding
    other = resolve(first.with_(encoding=learned("/x/other.npy")), again).encoding
    assert other.problem.startswith("other.npy: ")
    assert "not part of this picture" in other.problem


@pytest.mark.parametrize("is_there", [True, False])
def test_word_vectors_in_options_need_no_file_again(tmp_path, is_there):
    file = tmp_path / "v.txt"
    file.write_text("she 1 2\n" if is_there else "", encoding="utf-8")
    options = {"words": "file", "file": str(file), "join": "words"}
    state = pictures.with_options(Exploration(), "tokens", **options)
    first = resolve(state, DIRECT)
    file_content = first.options["tokens"].file_content
    assert isinstance(file_content, tables.WordFile if is_there else str)
    assert first.intention == state
    file.unlink()
    again = ResolvedTables(first).table(str(file))
    assert again == (file_content if is_there else file_content.replace(str(file), "v.txt"))
    state_without = resolve(Exploration(options=first.options), FakeStore(**{"v.txt": "gone"}))
    assert (state_without.options["tokens"].file_content, state_without.intention) == (
        "gone",
        state,
    )


def test_a_changed_file_gives_another_encoding(path):
    first = resolve(Exploration(learned(path)), DIRECT)
    put(path, numbers(seed=4))
    second = resolve(first, DIRECT)
    assert (first.encoding.file_content.rows, second.encoding.file_content.rows) == (ROWS, ROWS)
    assert first.encoding != second.encoding
    assert first.intention == second.intention
