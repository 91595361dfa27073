"""Exhibits and published models in commands: listed, drawn, exported, and refused."""

import csv
import io
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import projection, umap_process
from pe_explorer.commandline import main as cli
from pe_explorer.flags import PLATE, WINDOW
from pe_explorer.gallery import exhibits as gallery
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.gallery.models import models
from tests.configs.support import path_of
from tests.support.commands import error_line, exported, render_request


def test_the_list_has_a_line_for_each(capsys):
    assert cli.main(["list", "--exhibits"]) == 0
    out, err = capsys.readouterr()
    lines = [line.split("\t") for line in out.splitlines()]
    assert [line[0] for line in lines] == list(exhibits())
    for name, source, title in lines:
        assert source == (exhibits()[name].document.name or "-")
        assert title == exhibits()[name].title
    assert err == ""


def test_the_list_names_what_is_left_out(capsys):
    problem = "The exhibit in x.json cannot be used: is empty."
    with patch.object(gallery, "problems", lambda: (problem,)):
        assert cli.main(["list", "--exhibits"]) == 0
    assert capsys.readouterr().err == f"pe-explorer list: {problem}\n"


def test_without_a_view_the_main_pane_is_drawn_with_the_title():
    for name, exhibit in exhibits().items():
        view, state, style = render_request("--exhibit", name)
        assert view == exhibit.main_view
        assert (state, state.opened) == (exhibit.exploration, exhibit)
        assert style.title == exhibit.title
    words = ["--title", "Mine", "--theme", "dark", "--size", "84x60mm", "--grid"]
    view, state, style = render_request("--exhibit", "000-heatmap", *words)
    assert (view, state) == ("heatmap", exhibits()["000-heatmap"].exploration)
    assert (style.title, style.ground, style.grid) == ("Mine", "dark", True)
    for other in ("clocks", "distances", PLATE, WINDOW):
        view, state, style = render_request(other, "--exhibit", "000-heatmap")
        assert (view, state) == (other, exhibits()["000-heatmap"].exploration)
        assert other == WINDOW or style.title == exhibits()["000-heatmap"].title
    for words in (["--exhibit", "000-heatmap", "--title="], ["heatmap"]):
        assert render_request(*words)[-1].title == ""


def test_without_umap_an_exhibit_uses_pca_and_says_so(tmp_path, capsys):
    exhibit = exhibits()["002-umap"]
    options = {"projection": {"method": "umap", "seed": 7}}  # which is not stored
    shown = replace(exhibit, entry={**exhibit.entry, "options": options})
    with (
        patch.object(gallery, "find", lambda name: shown),
        patch.object(umap_process, "unavailable_reason", lambda: "UMAP is not here"),
    ):
        numbers = exported(tmp_path, "--exhibit", "any")
    (note,) = capsys.readouterr().err.splitlines()
    assert note.startswith("pe-explorer export: UMAP is not here")
    assert "PCA" in note
    rows = shown.encoding.table(range(1000))
    np.testing.assert_allclose(numbers, projection.pca(rows, 2).scores)


def test_other_numbers_of_it_can_be_asked_for(tmp_path):
    words = ["--exhibit", "002-matrix", "--what", "frequencies", "--dtype", "float32"]
    numbers = exported(tmp_path, *words)
    assert (numbers.shape, numbers.dtype) == ((512,), np.float32)


def test_curves_missing_from_the_file_of_an_exhibit_are_reported(tmp_path, capsys):
    for name, sentences in (("003-dot", 1), ("000-heatmap", 0)):
        exported(tmp_path, "--exhibit", name)
        err = capsys.readouterr().err
        assert err.count("pe-explorer export: ") == err.count("\n") == sentences
        exported(tmp_path, "--exhibit", name, "--curves", "all")
        assert capsys.readouterr().err == ""


FIXED = [
    *("render --session x.json", "render --encoding rope", "render --positions 0:9"),
    *("render --pin index", "render --dim 8", "render --position 3", "render --metric dot"),
    *("render --no-heatmap-upward", "render --heatmap-upward", "render window --panes clocks"),
    *("render window --arrangement one", "render window --active clocks", "code --base 9"),
    *("export --session x.json", "export --dim 8", "export --positions 0:9"),
    *("export --metric dot", "export --k 9", "export --pin index"),
]


@pytest.mark.parametrize("words", FIXED)
def test_an_exhibit_fixes_all_that_it_shows(capsys, tmp_path, words):
    command, *rest = words.split()
    path = [] if command == "code" else ["-o", str(tmp_path / "x.npy")]
    line = error_line(capsys, command, "--exhibit", "000-heatmap", *rest, *path)
    given = next(word for word in rest if word.startswith("--"))
    assert line.startswith(f"pe-explorer {command}: --exhibit: ")
    assert f"eave {given} out" in line
    assert list(tmp_path.iterdir()) == []


MODELS = models()
LAYERS = [
    (name, layer)
    for name in MODELS
    for layer in encodings.from_config(path_of(name))
    if name != "bloom-7b1"
]


def test_numbers_are_those_of_the_configuration_to_the_bit(tmp_path, capsys):
    for name, layer in LAYERS:
        chosen = [] if layer == "all" else ["--layers", layer]
        numbers = exported(tmp_path, "--model", name, *chosen, "--what", "frequencies").ravel()
        e = encodings.from_config(path_of(name))[layer]
        assert numbers.tobytes() == e.frequencies().tobytes(), (name, layer)
    numbers = exported(tmp_path, "--model", "bloom-7b1", "--positions", "-9:1")
    e = encodings.from_config(path_of("bloom-7b1"))["all"]
    np.testing.assert_array_equal(numbers, e.table(range(-9, 1)))
    assert cli.main(["code", "--model", "llama-3.1-8b", "--factor", "16"]) == 0
    assert "factor=16.0" in capsys.readouterr().out


def test_the_table_has_a_line_for_each_layer_type(capsys):
    assert cli.main(["list", "--models", "--csv"]) == 0
    named = {}
    for line in csv.DictReader(io.StringIO(capsys.readouterr().out)):
        named[line["name"], line["layers"]] = [*line.values()][2:]
    assert [*named] == [
        (name, layer) for name in MODELS for layer in encodings.from_config(path_of(name))
    ]
    slowest = 2 * np.pi * 1e4 ** (63 / 64), 8 * 2 * np.pi * 1e6 ** (127 / 128)
    for key, numbers in (
        (("llama-2-7b", "all"), [1e4, np.nan, 4096, 4096, slowest[0], 64, 18, 1]),
        (("gemma-3-4b", "full_attention"), [1e6, 8, 2**17, 2**17, slowest[1], 128, 35, 1]),
    ):
        found = [float(text or "nan") for text in named[key][1:]]
        assert found == pytest.approx(numbers, rel=1e-14, nan_ok=True)
    assert cli.main(["list", "--models"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading.split()[:4] == ["name", "layers", "type", "base"]
    assert len({len(line) for line in [heading, *lines]}) == 1
    assert heading.split("  ")[-1] == "attention factor"
    found = {line.split()[0]: " ".join(line.split()) for line in lines}
    for line in (
        "llama-2-7b all default 10,000 - 4,096 4,096 54,410.1 64 18 1",
        "qwen2.5-7b-yarn all yarn 1,000,000 4 32,768 131,072 20,253,023 64 24 1.13863",
        "bloom-7b1 all alibi - - 2,048 2,048 - - - -",
    ):
        assert found[line.split()[0]] == line
    base = heading.index("base") + len("base")
    assert all(line[base - 1 : base + 1] in ("0 ", "- ") for line in lines)
    assert all(line[heading.index("layers") - 1] == " " for line in lines)
