"""An encoding is one file and its test: a copy of one, under another name, is found by everything
there is.
"""

import re
import shutil

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.files.session import read_texts
from tests.support.processes import ROOT, home_in, run_program

TESTS = ("__init__.py", "conftest.py", "sandbox.py", "support", "encodings")
CONTRACT = "tests/encodings/test_registry.py"
NAME = "slopes"


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the program and of the contract tests, with one more encoding and its test: nothing
    else differs.
    """
    folder = tmp_path_factory.mktemp("copy")
    unfinished = shutil.ignore_patterns("*.pyc.*")  # another test may be compiling
    for name in ("pe_explorer", "resources"):
        shutil.copytree(ROOT / name, folder / name, ignore=unfinished)
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "tests").mkdir()
    for name in TESTS:
        source = ROOT / "tests" / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / "tests" / name)
    text = (ROOT / "pe_explorer" / "encodings" / "alibi.py").read_text(encoding="utf-8")
    renamed = text.replace('"alibi"', f'"{NAME}"').replace("class Alibi(", "class Slopes(")
    assert renamed.count(f'"{NAME}"') == renamed.count("class Slopes(") == 1
    target = folder / "pe_explorer" / "encodings" / f"{NAME}.py"
    target.write_text(renamed, encoding="utf-8")
    tested = folder / "tests" / "encodings"
    text = (tested / "test_alibi.py").read_text(encoding="utf-8")
    (tested / f"test_{NAME}.py").write_text(text.replace('"ALiBi"', f'"{NAME}"'), encoding="utf-8")
    (folder / "home").mkdir()
    return folder


def run(copy, *arguments):
    own = {**home_in(copy / "home"), "QT_QPA_PLATFORM": "offscreen"}
    done = run_program(copy, program=arguments, PYTHONPATH=str(copy), **own)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return done.stdout


def test_it_is_listed(copy):
    said = run(copy, "-m", "pe_explorer", "list")
    assert len(re.findall(rf"(?m)^{NAME}: ", said)) == 1
    assert len(re.findall(r"(?m)^alibi: ", said)) == 1
    assert said.count("--heads") == 2


def test_it_is_drawn_and_exported(copy):
    flags = ("--encoding", NAME, "--heads", "5", "--positions", "-9:1")
    run(copy, "-m", "pe_explorer", "render", "heatmap", *flags, "--size", "400x300", "-o", "p.png")
    made = read_texts((copy / "p.png").read_bytes())
    assert f'"name": "{NAME}"' in "".join(made.values())
    run(copy, "-m", "pe_explorer", "export", *flags, "--what", "bias", "-o", "bias.npy")
    expected = encodings.create("alibi", heads=5).bias(range(-9, 1))
    np.testing.assert_array_equal(np.load(copy / "bias.npy"), expected)


def test_the_contract_of_encodings_is_tested_with_it(copy):
    said = [
        run(copy, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", CONTRACT, "-k", name)
        for name in ("alibi", NAME)
    ]
    alike, its_own = [int(re.search(r"(\d+) passed", each)[1]) for each in said]
    assert its_own == alike > 10
