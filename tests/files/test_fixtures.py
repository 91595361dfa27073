"""Files of earlier versions open as what they were: see tests/fixtures/README.md."""

import json
import shlex
import struct
from collections import defaultdict

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.commandline.main import main
from pe_explorer.files.session import SessionError, dumps, loads, read, side_file
from pe_explorer.params import declared
from tests.support.kept import FOLDERS, difference, files_of, manifest, plain

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
"""What a session without views is shown in: other colours since 24 November 2026."""


@pytest.mark.parametrize(("path", "wanted"), CARRIERS)
def test_it_opens_as_what_it_was_and_saved_again_loses_nothing(path, wanted):
    found = read(path)
    differing = difference(plain(found.state), wanted["state"])
    side = side_file(path)  # of data, some of which no view's choice concerns
    if side.exists() and '"views": {}' in side.read_text(encoding="utf-8"):
        differing = {name: each for name, each in differing.items() if name not in COLOURS}
    assert differing == {}
    first = ["A later version wrote this session "] if wanted["newer"] else []
    starts = first + [f"{key}: " for key in wanted["notes"]]
    assert [note[: len(start)] for note, start in zip(found.notes, starts, strict=True)] == starts
    assert found.newer == wanted["newer"]
    assert dict(found.extra) == wanted["extra"]
    text = dumps(found.state, found.extra)
    again = loads(text)
    assert again.state == found.state
    assert again.extra == found.extra
    assert difference(json.loads(text), wanted["extra"]) == {}
    assert difference(json.loads(text)["pins"], wanted.get("pins", json.loads(text)["pins"])) == {}


@pytest.mark.parametrize("path", ALONE, ids=lambda path: path.name)
def test_what_carries_no_session_says_so(path):
    with pytest.raises(SessionError, match=r"a picture without a session|no session file"):
        read(path)


@pytest.mark.parametrize(("path", "wanted"), DATA)
def test_data_are_what_they_were(path, wanted, tmp_path, monkeypatch):
    old = numbers(path)
    assert (list(old.shape), old.dtype.name) == (wanted["shape"], wanted["dtype"])
    if "problem" in wanted:
        assert not side_file(path).exists()
        return
    beside = json.loads(side_file(path).read_text(encoding="utf-8"))
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


@pytest.mark.parametrize(("path", "wanted"), files_of("pictures"))
def test_pictures_have_their_size(path, wanted):
    assert list(struct.unpack(">2I", path.read_bytes()[16:24])) == wanted["size"]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_file_is_in_the_manifest(folder):
    kept = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    sides = {name for name in kept if name.endswith((".npy.session.json", ".csv.session.json"))}
    assert kept - sides - {"manifest.json"} == set(manifest(folder))
    assert sum(path.stat().st_size for path in folder.rglob("*")) < 1_500_000


def test_every_field_is_there_with_several_values():
    seen = defaultdict(set)
    for entry in (entry for folder in FOLDERS for entry in manifest(folder).values()):
        if "state" in entry:
            collect(seen, entry["state"])
    assert {
        "start",
        "pins",
        "views.clocks.first",
        "encoding.sinusoidal.scale",
        "encoding.binary.dim",
        *(f"encoding.rope.{name}" for name in declared(encodings.find("rope"))),
    } <= seen.keys()
    alone = {name for name, values in seen.items() if len(values) < 2}
    assert [n for n in alone if not n.endswith(".name") and "encoding.x-" not in n] == []


def collect(seen, value, place=""):
    """Note the values of each field, those of encodings by their scheme, pinned or not."""
    if isinstance(value, dict):
        inside = f"encoding.{value['name']}" if place.endswith("encoding") else place
        for key, inner in value.items():
            collect(seen, inner, f"{inside}.{key}" if inside else key)
    else:
        seen[place].add(json.dumps(value))
        for inner in value if isinstance(value, list) else []:
            collect(seen, inner, place)
