"""The list of the program's parts, and the self-test."""

import json
import shutil

import pytest

from pe_explorer import encodings, parts, pictures, quantities
from pe_explorer.gallery.exhibits import exhibits
from tests.support.processes import run_program

KINDS = {
    "encodings": encodings.names,
    "views": pictures.names,
    "quantities": quantities.names,
    "exhibits": exhibits,
}


def test_declared_parts_are_found():
    declared = parts.find_declared_parts()
    assert list(declared) == list(KINDS)
    for kind, names in KINDS.items():
        assert sorted(declared[kind]) == sorted(names())
    assert len(declared["encodings"]) >= 7
    assert parts.describe_differences() == []


def test_the_list_of_the_build_overrides_the_files(tmp_path, monkeypatch):
    def listed(names):
        (tmp_path / parts.PARTS_FILE_NAME).write_text(json.dumps(names), encoding="utf-8")
        monkeypatch.setattr(parts, "find_asset", tmp_path.joinpath)

    names = parts.discover()
    listed(names)
    assert parts.describe_differences() == []
    listed({**names, "sounds": ["bell"]})
    assert parts.describe_differences() == ["sounds: bell is missing"]
    for kind in KINDS:
        first, *others = names[kind]
        listed({**names, kind: [*others, "spiral"]})
        found = [f"{kind}: spiral is missing", f"{kind}: {first} is not listed for the build"]
        assert sorted(parts.describe_differences()) == sorted(found)


def test_the_self_test_passes_and_leaves_no_file(tmp_path):
    run = run_program(tmp_path, "--self-test")
    assert (run.returncode, run.stderr) == (0, "")
    first, *_, last = run.stdout.splitlines()
    assert (first, last) == ("window: painted", "self-test: passed")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "a.json").write_text("{}")
    run = run_program(tmp_path, "--self-test", "a.json")
    assert (run.returncode, run.stderr.count("\n"), "--self-test" in run.stderr) == (2, 1, True)


BROKEN = {
    "parts": {
        "encodings/alibi.py": ("", "encodings: alibi is missing"),
        "views/waves.py": (None, "view waves: it cannot be loaded"),
    },
    "the test": {"files/export.py": (None, "--self-test: a module of the program is missing: ")},
}
"""Files with new contents, or None for a deleted file, and the error messages."""


@pytest.mark.sampled(1)
@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_the_self_test_fails_if_a_part_is_missing(tmp_path, broken):
    copy = tmp_path / "copy"
    shutil.copytree(parts.find_asset("..").resolve() / "pe_explorer", copy / "pe_explorer")
    shutil.copytree(parts.find_asset(".").resolve(), copy / "pe_explorer" / "resources")
    (copy / "pe_explorer" / "resources" / parts.PARTS_FILE_NAME).write_text(
        json.dumps(parts.find_declared_parts())
    )
    for file, (text, _) in broken.items():
        path = copy / "pe_explorer" / file
        path.unlink() if text is None else path.write_text(text)
    run = run_program(tmp_path, "--self-test", PYTHONPATH=str(copy))
    assert run.returncode in (1, 3)  # the test fails, or the program does
    assert all(sentence in run.stderr for _, sentence in broken.values())
    assert "passed" not in run.stdout
