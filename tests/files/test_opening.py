"""The kind of an opened file depends on its content, not on its name."""

import json
import zipfile

import numpy as np
import pytest

from pe_explorer.exploration import Exploration
from pe_explorer.files import opening, session
from pe_explorer.files.session import Session, SessionError
from pe_explorer.tables import Table, TableError
from tests.configs.support import llama
from tests.support.pngs import PNG, with_text

STATE = Exploration(count=7)
SESSION = json.loads(session.dumps(STATE))


def put_json(path, document):
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def put_table(path):
    with open(path, "wb") as file:
        np.save(file, np.ones((4, 6)))
    return path


def test_configurations_are_recognised_under_any_name(tmp_path):
    for name in ("config.json", "s.pe.json", "noted.txt", "table.npy", "rows.csv", "no ending"):
        path = put_json(tmp_path / name, llama())
        opened = opening.read(path)
        assert opening.find_kind(opened) == opening.CONFIGURATION
        assert opened.configuration.encodings["all"].head_dim == 128
        assert opened.checks[0].model_type == "llama"


def test_configurations_can_contain_infinity(tmp_path):
    path = put_json(tmp_path / "config.json", {**llama(), "unused": float("inf")})
    assert opening.read(path).document["unused"] == float("inf")


def test_sessions_are_recognised_under_any_name(tmp_path):
    picture = with_text(PNG, {session.PNG_KEY: session.dumps(STATE)})
    for name in ("config.json", "s.txt", "table.npy", "rows.csv"):
        path = put_json(tmp_path / name, SESSION)
        for _ in range(2):
            assert opening.find_kind(opening.read(path)) == opening.SESSION
            assert opening.read(path).state == STATE
            path.write_bytes(picture)
    for name in ("pe.npy", "pe.csv"):
        path = put_table(tmp_path / name)
        put_json(session.to_side_path(path), SESSION)
        assert opening.find_kind(opening.read(path)) == opening.SESSION
        assert isinstance(opening.read(path), Session)


def test_tables_need_the_suffix_npy(tmp_path):
    opened = opening.read(put_table(tmp_path / "pe.npy"))
    assert isinstance(opened, Table)
    assert opening.find_kind(opened) == opening.LEARNED_TABLE
    with pytest.raises(TableError, match=r"weights\.bin: .*\.npy"):
        opening.read(put_table(tmp_path / "weights.bin"))


def test_configurations_can_have_16_mb(tmp_path):
    text, path = json.dumps(llama()).encode(), tmp_path / "config.json"
    path.write_bytes(text.ljust(16 << 20))
    assert opening.find_kind(opening.read(path)) == opening.CONFIGURATION
    path.write_bytes(text.ljust((16 << 20) + 1))
    with pytest.raises(SessionError):
        opening.read(path)


def test_only_configurations_are_compared(tmp_path):
    path = put_json(tmp_path / "config.json", llama())
    assert opening.read_compared_model(path).document == llama()
    for other in (put_json(tmp_path / "s.json", SESSION), put_table(tmp_path / "pe.npy")):
        with pytest.raises(SessionError) as exc_info:
            opening.read_compared_model(other)
        assert str(other) in exc_info.value.problem
        assert opening.find_kind(opening.read(other)) in exc_info.value.problem


def test_other_json_is_refused_with_the_missing_keys(tmp_path):
    for document, facts in (
        ([1], ["not an object"]),
        ({}, ["schema", "encoding", "model_type", "rope_theta"]),
        ({"schema": 1, "positions": {}}, ["no encoding"]),
        ({"schema": "1", "encoding": {}}, ["no schema number"]),
        ({"schema": 0, "encoding": {}}, ["no schema number"]),
        ({"name": "T"}, ["schema", "encoding"]),
        ({**SESSION, **llama()}, ["schema", "encoding", "model_type", "rope_theta"]),  # both
    ):
        path = put_json(tmp_path / "x.json", document)
        with pytest.raises(SessionError) as exc_info:
            opening.read(path)
        assert [fact for fact in (str(path), *facts) if fact not in exc_info.value.problem] == []


def test_unusable_files_are_refused_in_one_line(tmp_path):
    config = put_json(tmp_path / "cut.json", llama()).read_text(encoding="utf-8")
    (tmp_path / "cut.json").write_text(config[:40], encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "all.npz", "w") as archive:
        archive.writestr("a.npy", b"")
    put_json(tmp_path / "t5.json", {"model_type": "t5"})
    put_json(tmp_path / "text.json", {"model_type": "llama", "head_dim": "128"})
    (tmp_path / "folder").mkdir()
    (tmp_path / "x.csv").write_text("1,2\n", encoding="utf-8")
    for name, says in {
        "cut.json": "not valid JSON (line 1",
        "all.npz": "is a .npz or .pt archive",
        "t5.json": "model_type: t5",
        "text.json": "head_dim: expected a number, got '128'",
        "folder": "is a folder",
        "x.csv": "x.csv.session.json",
    }.items():
        path = tmp_path / name
        with pytest.raises((SessionError, TableError)) as exc_info:
            opening.read(path)
        problem = getattr(exc_info.value, "problem", "")
        assert says in str(exc_info.value), name
        assert str(path) in str(exc_info.value)
        assert "\n" not in problem
