"""What a command does where a flag is left out, and what its help says of that."""

import json
import shlex

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.analysis import umap_process
from pe_explorer.commandline.main import main
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.params import declared
from tests.support.commands import error_line, exported

pytestmark = pytest.mark.usefixtures("working_folder")
ROWS = {1: 1, 7: 7, 49: 49, 50: 50, 51: 50, 3000: 50}
"""How many rows of a table are written where nothing is said, by how many it has."""


def put(path, rows):
    """Write a table, and return its numbers."""
    numbers = np.arange(rows * 3.0).reshape(rows, 3)
    np.save(path, numbers)
    return numbers


@pytest.mark.parametrize(("rows", "written"), ROWS.items())
def test_an_export_and_code_have_the_rows_that_a_short_table_has(capsys, rows, written):
    numbers = put("t.npy", rows)
    given = ["--encoding", "learned", "--file", "t.npy"]
    assert main(["export", *given, "-o", "x.npy"]) == 0
    np.testing.assert_array_equal(np.load("x.npy"), numbers[:written])
    with open("x.npy.session.json") as file:
        beside = json.load(file)
    assert (beside["positions"]["start"], beside["positions"]["count"]) == (0, written)
    np.save("x.npy", [])
    assert main(shlex.split(beside[session.COMMAND_KEY])[1:]) == 0  # it says the positions
    np.testing.assert_array_equal(np.load("x.npy"), numbers[:written])
    assert main(["code", *given]) == 0
    made = {}
    exec(capsys.readouterr().out, made)
    np.testing.assert_array_equal(made["table"], numbers[:written])


def test_rows_before_position_0_are_left_out_or_asked_for(capsys, tmp_path):
    numbers = put("t.npy", 8)
    given = ["--encoding", "learned", "--file", "t.npy", "--row-offset"]
    for offset in (2, 6, 7):
        assert main(["export", *given, str(offset), "-o", "x.npy"]) == 0
        np.testing.assert_array_equal(np.load("x.npy"), numbers[offset:])
    before = sorted(tmp_path.iterdir())
    for offset in (8, 9, 1000):
        for command in ("export -o y.npy", "code"):
            message = error_line(capsys, *command.split(), *given, str(offset))
            for fact in ("--row-offset: ", "8 rows", f"{offset:,}", "position 0"):
                assert fact in message
        assert sorted(tmp_path.iterdir()) == before
        window = ["--positions", f"{-offset}:{8 - offset}"]
        assert main(["export", *given, str(offset), *window, "-o", "x.npy"]) == 0
        np.testing.assert_array_equal(np.load("x.npy"), numbers)


@pytest.mark.parametrize("show", ["pinned", "difference"])
def test_an_export_of_a_pin_has_the_rows_that_there_are(capsys, show):
    numbers = put("t.npy", 8)
    given = ["export", "--encoding", "index", "--dim", "3", "--show", show, "-o", "x.npy", "--pin"]
    message = error_line(capsys, *given, "learned file=t.npy row_offset=1000")
    for fact in ("--pin: ", "8 rows", "1,000", "position 0"):
        assert fact in message
    assert main([*given, "learned file=t.npy"]) == 0
    wanted = numbers if show == "pinned" else np.arange(8.0)[:, None] - numbers
    np.testing.assert_array_equal(np.load("x.npy"), wanted)


@pytest.mark.parametrize("command", ["export -o x.npy", "code"])
@pytest.mark.parametrize("source", ["flag", "session"])
def test_positions_that_were_asked_for_are_refused_beyond_a_table(
    capsys, tmp_path, command, source
):
    put("t.npy", 7)
    given = ["--encoding", "learned", "--file", "t.npy"]
    if source == "flag":
        given += ["--positions", "0:50"]
    else:
        (tmp_path / "s.json").write_text(session.dumps(Exploration()))
        given += ["--session", "s.json"]
    before = sorted(tmp_path.iterdir())
    name, *rest = command.split()
    line = error_line(capsys, name, *given, *rest)
    assert line.startswith(f"pe-explorer {name}: --positions: ")
    assert "rows for 0 to 6" in line
    assert sorted(tmp_path.iterdir()) == before


def test_another_meaning_of_rows_is_looked_at_anew(tmp_path):
    """A session's positions are not offsets: they are left, and those of a first look taken."""
    (tmp_path / "s.json").write_text(session.dumps(Exploration(start=5, count=3)))
    assert main(["export", "--session", "s.json", "--encoding", "alibi", "-o", "x.npy"]) == 0
    alibi = encodings.create("alibi")
    np.testing.assert_array_equal(np.load("x.npy"), alibi.table(alibi.first_range))


def help_of(capsys, *words):
    with pytest.raises(SystemExit):
        main([*words, "--help"])
    return " ".join(capsys.readouterr().out.split())


def test_help_gives_every_default_as_a_word_and_the_limits(capsys):
    for name in encodings.names():
        shown = help_of(capsys, "render", "--encoding", name)
        assert "default: " in shown
        assert "default: )" not in shown
    limits = declared(encodings.find("learned"))["file"].limits
    shown = help_of(capsys, "export", "--encoding", "learned")
    assert "(default: 0:50 " in shown
    assert f"({limits}; default: none)" in shown
    assert "(default: 0:50)" in help_of(capsys, "export")


@pytest.mark.parametrize("name", ["alibi", "index"])
def test_help_says_once_that_positions_are_offsets(capsys, name):
    shown = help_of(capsys, "export", "--encoding", name)
    of_positions = shown.rpartition("--positions RANGE")[2].partition("(default")[0]
    assert of_positions.count("offsets") == 1


@pytest.fixture
def umap_requests(monkeypatch, umap_is_here):
    """Return what UMAP's stand-in was asked for: rows and seeds."""
    found = []

    def embed(rows, *, seed, request):
        request.report(0.5)  # nobody wants to know it, and nothing is shown
        found.append((rows, seed))
        return np.column_stack([np.arange(len(rows)), np.full(len(rows), seed)])

    monkeypatch.setattr(umap_process, "embed", embed)
    return found


def test_method_and_seed_are_typed_or_those_of_the_session(tmp_path, umap_requests):
    e, path = encodings.create("sinusoidal", dim=6), tmp_path / "s.json"
    session.write(path, pictures.with_options(Exploration(e), "projection", method="umap", seed=5))
    rows, given = e.table(range(50)), ["--what", "projection", "--session", str(path)]
    for words, seed in (([], 5), (["--seed", "9"], 9)):
        found = exported(tmp_path, *given, *words)
        np.testing.assert_array_equal(found, [[row, seed] for row in range(50)])
        np.testing.assert_array_equal(umap_requests.pop()[0], rows)
        beside = session.read(tmp_path / "numbers.npy.session.json").state
        options = pictures.find("projection")(beside).options
        assert (options.method, options.seed) == ("umap", seed)
    found = exported(tmp_path, *given, "--method", "pca")
    assert not umap_requests
    s = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False)
    np.testing.assert_allclose(np.square(found).sum(axis=0), s[:2] ** 2, rtol=1e-10)
