"""The command that prints code: it runs where the command ran."""

import numpy as np
import pytest

from pe_explorer.commandline.main import main
from tests.endurance.calls import outcome_of, without_windows
from tests.support.tables_in_files import numbers, put


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working folder, with a table in it, one below it and one beside it."""
    here = tmp_path / "here"
    (here / "L").mkdir(parents=True)
    for path in (here / "pe.npy", here / "L" / "two  é.npy", tmp_path / "beside.npy"):
        put(path, numbers())
    monkeypatch.chdir(here)
    return here


@pytest.fixture
def run():
    with without_windows():
        yield lambda *arguments: outcome_of(list(arguments))


def code(capsys, file, library="numpy"):
    given = ["--encoding", "learned", "--file", str(file), "--positions", "0:7"]
    assert main(["code", *given, "--for", library]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("file", ["pe.npy", "L/two  é.npy", "./L/../L/two  é.npy"])
@pytest.mark.parametrize("whole", [False, True])
def test_code_reads_the_file_where_the_flag_found_it(capsys, folder, file, whole):
    script = code(capsys, folder / file if whole else file)
    made = {}
    exec(script, made)
    np.testing.assert_array_equal(made["table"], numbers()[:7])
    assert str(folder) not in script
    for library in ("torch", "jax"):
        (loaded,) = [line for line in script.splitlines() if "np.load" in line]
        assert loaded in code(capsys, file, library)


def test_code_of_a_file_elsewhere_has_its_name_alone(capsys, folder):
    for file in ("../beside.npy", folder.parent / "beside.npy"):
        script = code(capsys, file)
        assert "np.load('beside.npy')" in script
        assert "file='beside.npy'" in script
        assert str(folder.parent) not in script


def test_code_needs_no_working_folder(capsys, folder, monkeypatch):
    gone = folder / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert main(["code", "--dim", "4"]) == 0
    assert "table =" in capsys.readouterr().out


@pytest.mark.parametrize(
    "pin",
    [
        "sinusoidal dim=8 base=500",
        "sinusoidal dim=6 base=500",
        "sinusoidal dim=8 base=500 layout=concatenated",
        "sinusoidal dim=12 base=500 layout=concatenated",
    ],
)
def test_code_of_a_difference_is_what_an_export_writes(run, tmp_path, pin):
    given = ["--dim", "8", "--positions", "5:9", "--pin", pin, "--show"]
    done = run("code", *given, "difference")
    assert (done.code, done.err) == (0, "")
    names = {}
    exec(done.out, names)
    written = tmp_path / "difference.npy"
    assert run("export", *given, "difference", "-o", str(written)).code == 0
    np.testing.assert_allclose(names["table"], np.load(written), atol=1e-12)
    np.testing.assert_array_equal(names["table"], names["difference"])


def test_code_of_a_pin_is_its_own(run, folder):
    alone = run("code", "--dim", "8", "--base", "500", "--positions", "5:9")
    pin = "sinusoidal dim=8 base=500"
    pinned = run("code", "--positions", "5:9", "--pin", pin, "--show", "pinned")
    assert pinned.out == alone.out
    given = ["--dim", "8", "--positions", "5:9", "--pin", "binary dim=4", "--pin", pin]
    names = {}
    exec(run("code", *given, "--compared", "1", "--show", "current pinned").out, names)
    for name in ("current", "pinned"):
        file = f"{name}.npy"
        assert run("export", *given, "--compared", "1", "--show", name, "-o", file).code == 0
        np.testing.assert_allclose(names[name], np.load(file), atol=1e-12)
    both = ("--show", "current pinned", "-o", "both.npy")
    assert run("export", *given, "--compared", "1", *both).code == 0
    both = np.hstack([names["current"], names["pinned"]])
    np.testing.assert_allclose(np.load("both.npy"), both, atol=1e-12)


def test_code_of_a_figure_takes_the_flags_of_render(run, folder):
    words = ["--encoding", "alibi", "--theme", "dark", "--no-grid"]
    done = run("code", "--figure", "heatmap", *words)
    assert (done.code, "matplotlib" in done.out) == (0, True)
    for figure in (["--figure=heatmap", *words], [*words, "heatmap", "--figure"]):
        assert run("code", *figure) == done
    assert run("code", "--figure", "plate", "--panes", "heatmap,clocks").out != done.out
    shown = run("code", "--figure", "distances", "--only", "curve", "--below", "dot")
    assert (shown.code, "--part curve" in shown.err) == (0, True)


def test_what_has_no_difference_is_refused_by_all_in_one_sentence(run, tmp_path):
    given = ["--pin", "rope head_dim=8", "--show", "difference"]
    said = [
        run("code", *given).err,
        run("export", *given, "-o", str(tmp_path / "x.npy")).err,
        run("render", "heatmap", *given, "-o", str(tmp_path / "x.png")).err,
    ]
    assert len({line.split(": ", 1)[1] for line in said}) == 1
    assert "difference" in said[0]


def test_rounded_code_is_only_for_torch_and_names_the_flag(run):
    rounded = ("code", "--rounded-to", "bfloat16", "--cast", "frequencies")
    done = run(*rounded, "--for", "torch", "--positions", "0:3")
    assert (done.code, done.err, "torch.bfloat16" in done.out) == (0, "", True)
    for arguments, flag, remedy in (
        (rounded, "--for", "--for torch"),
        (("code", "--for", "torch", "--cast", "angles"), "--cast", "--rounded-to bfloat16"),
        ((*rounded, "--for", "torch", "--rounded-to", "float8-e5m2"), "--cast", "result"),
        ((*rounded, "--for", "torch", "--encoding", "alibi"), "--encoding", "rope"),
        (("code", "--rounded-to", "half"), "--rounded-to", "float16"),
    ):
        done = run(*arguments)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert f"{flag}:" in done.err
        assert remedy in done.err
