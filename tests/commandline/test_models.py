"""Published models on the command line: what starts from one, and the list of them."""

import csv
import io
import math

import mpmath
import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.commandline import main as cli
from pe_explorer.gallery.models import models
from tests.configs.support import path_of
from tests.support.commands import exported

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


# -- the list --------------------------------------------------------------------------------------


def listed(capsys):
    assert cli.main(["list", "--models", "--csv"]) == 0
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def test_the_table_has_a_line_for_each_layer_type(capsys):
    lines = [(line["name"], line["layers"]) for line in listed(capsys)]
    assert lines == [
        (name, layer) for name in MODELS for layer in encodings.from_config(path_of(name))
    ]
    assert cli.main(["list", "--models"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading.split()[:4] == ["name", "layers", "type", "base"]
    assert len({len(line) for line in [heading, *lines]}) == 1


SHEET = {
    # name, layer type: type, base, factor, trained, stated, pairs, never turned
    ("llama-2-7b", "all"): ("default", 1e4, None, 4096, 4096, 64, 18),
    ("llama-3-8b", "all"): ("default", 5e5, None, 8192, 8192, 64, 29),
    ("llama-3.1-8b", "all"): ("llama3", 5e5, 8, 8192, 131072, 64, 29),
    ("qwen2.5-7b-yarn", "all"): ("yarn", 1e6, 4, 32768, 131072, 64, 24),
    ("gemma-3-4b", "full_attention"): ("linear", 1e6, 8, 131072, 131072, 128, 35),
    ("gemma-3-4b", "sliding_attention"): ("default", 1e4, None, 1024, 131072, 128, 57),
    ("gpt-oss-20b", "all"): ("yarn", 150000, 32, 4096, 131072, 32, 14),
    ("glm-4-9b-chat", "all"): ("default", 5e6, None, 131072, 131072, 32, 11),
    ("gpt-j-6b", "all"): ("default", 1e4, None, 2048, 2048, 32, 11),
}


def wavelengths(base, pairs):
    with mpmath.workdps(30):
        return [
            2 * mpmath.pi * mpmath.mpf(base) ** (mpmath.mpf(pair) / pairs) for pair in range(pairs)
        ]


def number(text):
    return float(text) if text else None


def test_its_numbers_are_those_of_formulas_written_anew(capsys):
    lines = {(line["name"], line["layers"]): line for line in listed(capsys)}
    for key, (kind, base, factor, trained, stated, pairs, never) in SHEET.items():
        line, waves = lines[key], wavelengths(base, pairs)
        assert line["type"] == kind
        assert number(line["base"]) == base
        assert number(line["factor"]) == factor
        assert (int(line["trained_length"]), int(line["stated_length"])) == (trained, stated)
        assert (int(line["pairs"]), int(line["never_turned"])) == (pairs, never)
        assert sum(wave > trained for wave in waves) == never
        slowest = waves[-1] * (factor or 1)  # every type slows the slowest pair by its factor
        assert float(line["slowest_wavelength"]) == pytest.approx(float(slowest), rel=1e-14)
        attention = 0.1 * math.log(factor) + 1 if kind == "yarn" else 1
        assert float(line["attention_factor"]) == pytest.approx(attention, rel=1e-15)


@pytest.mark.parametrize("name", ["phi-3-mini-128k", "phi-4-mini"])
def test_the_lists_of_longrope_slow_each_pair(capsys, name):
    (line,) = [line for line in listed(capsys) if line["name"] == name]
    short = MODELS[name].config["rope_scaling"]["short_factor"]
    waves = wavelengths(1e4, 48)  # of 96 numbers of a head that turn
    slowest = max(wave * factor for wave, factor in zip(waves, short, strict=True))
    assert float(line["slowest_wavelength"]) == pytest.approx(float(slowest), rel=1e-14)
    assert int(line["never_turned"]) == sum(wave > 4096 for wave in waves)
    attention = math.sqrt(1 + math.log(32) / math.log(4096))
    assert float(line["attention_factor"]) == pytest.approx(attention, rel=1e-15)


def test_a_bias_has_no_waves(capsys):
    (line,) = [line for line in listed(capsys) if line["name"] == "bloom-7b1"]
    assert line["type"] == "alibi"
    empty = ("base", "factor", "slowest_wavelength", "pairs", "never_turned", "attention_factor")
    assert not any(line[column] for column in empty)
