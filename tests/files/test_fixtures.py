"""Files of earlier versions: see tests/fixtures/README.md."""

import json
import shlex

import numpy as np
import pytest

from pe_explorer.commandline.main import main
from pe_explorer.files.session import SessionError, dumps, loads, read, to_side_path
from tests.files.old_files import difference, files_of, plain

CARRIERS = [
    pytest.param(path, wanted, id=f"{path.parent.name}/{path.name}")
    for folder in ("sessions", "pictures", "data")
    for path, wanted in files_of(folder)
    if "problem" not in wanted
]
EXPORTED = [*files_of("pictures"), *files_of("data")]
ALONE = [path for path, wanted in EXPORTED if "problem" in wanted]
DATA = [pytest.param(path, wanted, id=path.name) for path, wanted in files_of("data")]


COLOURS = {"views.heatmap.values", "views.heatmap.angles"}
"""Options with other defaults since 24 November 2026."""


@pytest.mark.parametrize(("path", "wanted"), CARRIERS)
def test_old_files_open_and_lose_nothing_when_saved(path, wanted):
    actual = read(path)
    differing = difference(plain(actual.state), wanted["state"])
    side = to_side_path(path)  # of data, which can be independent of views
    if side.exists() and '"views": {}' in side.read_text(encoding="utf-8"):
        differing = {name: item for name, item in differing.items() if name not in COLOURS}
    assert differing == {}
    first = ["A later version wrote this session "] if wanted["newer"] else []
    starts = first + [f"{key}: " for key in wanted["notes"]]
    assert [note[: len(start)] for note, start in zip(actual.notes, starts, strict=True)] == starts
    assert actual.is_newer == wanted["newer"]
    assert dict(actual.extra) == wanted["extra"]
    text = dumps(actual.state, actual.extra)
    again = loads(text)
    assert again.state == actual.state
    assert again.extra == actual.extra
    assert difference(json.loads(text), wanted["extra"]) == {}
    assert difference(json.loads(text)["pins"], wanted.get("pins", json.loads(text)["pins"])) == {}


@pytest.mark.parametrize("path", ALONE, ids=lambda path: path.name)
def test_files_without_a_session_are_refused(path):
    with pytest.raises(SessionError, match=r"a picture without a session|no session file"):
        read(path)


@pytest.mark.parametrize(("path", "wanted"), DATA)
def test_exported_data_of_old_files_are_reproduced(path, wanted, tmp_path, monkeypatch):
    old = numbers(path)
    assert (list(old.shape), old.dtype.name) == (wanted["shape"], wanted["dtype"])
    if "problem" in wanted:
        assert not to_side_path(path).exists()
        return
    beside = json.loads(to_side_path(path).read_text(encoding="utf-8"))
    program, *arguments = shlex.split(beside["command"])
    assert program == "pe-explorer"
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 0
    new = numbers(tmp_path / path.name)
    assert (new.shape, new.dtype) == (old.shape, old.dtype)
    few = 4 * float(np.finfo(old.dtype).eps)
    np.testing.assert_allclose(new, old, rtol=few, atol=few)


def numbers(path):
    if path.suffix == ".npy":
        return np.load(path, allow_pickle=False)
    rows = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)[:, 1:]
    return rows if rows.shape[1] > 1 else rows[:, 0]
