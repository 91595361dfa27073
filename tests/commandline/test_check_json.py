"""What `check --json` prints: names that stay, and every number."""

import json
import re

import numpy as np
import pytest

from pe_explorer.commandline.check_json import EXPLAINED, SCHEMA
from pe_explorer.commandline.main import main
from tests.configs.support import NAMES, path_of, written


def as_json(capsys, *words):
    code = main(["check", "--json", *map(str, words)])
    return code, json.loads(capsys.readouterr().out)


READING = {
    "semantics", "model_type", "dtype", "trained", "stated", "target", "softmax_factor", "counts",
    "assumed", "layers", "findings",
}  # fmt: skip
LAYER = {
    "wavelengths_at_target",
    "indices", "window", "trained", "target", "encoding", "parameters", "wavelengths",
    "unscaled_wavelengths", "changed", "never_turned", "new", "worst", "longest",
    "attention_factor",
}  # fmt: skip
(KINDS,) = re.findall(r"(?s)kind +one of:(.+?)\n      field ", EXPLAINED)
FINDING = {"level", "kind", "field", "happens", "why", "layers", "versions"}


@pytest.mark.parametrize("name", NAMES)
def test_json_has_the_same_names_for_every_file(name, capsys):
    code, found = as_json(capsys, path_of(name), "--semantics", "all", "--length", "256k")
    assert code in (0, 1)
    assert set(found) == {"schema", "file", "length", "trained", "readings"}
    assert found["schema"] == SCHEMA == 1
    versions = [each["semantics"] for each in found["readings"]]
    assert versions[:4] == ["4.46", "4.52", "4.57", "5"]
    assert all(version.startswith("5.") for version in versions[4:])
    for reading in found["readings"]:
        assert set(reading) == READING
        assert all(set(layer) == LAYER for layer in reading["layers"].values())
        assert all(set(finding) == FINDING for finding in reading["findings"])
        assert all(
            finding["kind"] in KINDS.replace(",", "").split() for finding in reading["findings"]
        )
        assert sum(reading["counts"].values()) == len(reading["findings"])


def test_json_has_every_number(capsys):
    code, found = as_json(capsys, path_of("llama-3.1-8b"))
    assert code == 0
    (reading,) = found["readings"]
    layer = reading["layers"]["full_attention"]
    assert (reading["trained"], reading["stated"], reading["target"]) == (8192, 131072, 131072)
    assert layer["indices"] == list(range(32))
    assert layer["parameters"]["rope_theta"] == 5e5
    wavelengths = 2 * np.pi * 5e5 ** (np.arange(64) / 64)
    np.testing.assert_allclose(layer["unscaled_wavelengths"], wavelengths, rtol=1e-14)
    np.testing.assert_allclose(layer["wavelengths"][35:], 8 * wavelengths[35:], rtol=1e-14)
    assert layer["changed"] == list(range(29, 64))
    assert layer["never_turned"] == layer["new"] == list(range(35, 64))
    assert layer["worst"] == {"pair": 35, "ratio": 2.0}
    assert layer["longest"] == 65536


def test_json_has_null_for_what_is_not_known(tmp_path, capsys):
    fields = {"model_type": "unheard-of", "hidden_size": 64, "num_attention_heads": 32}
    fields["rope_theta"] = 1e4
    _, found = as_json(capsys, written(tmp_path, fields), "--length", "8k")
    layer = found["readings"][0]["layers"]["full_attention"]
    assert (layer["trained"], layer["target"], layer["new"]) == (None, 8000, None)
    _, found = as_json(capsys, written(tmp_path, fields), "--trained", "7")
    layer = found["readings"][0]["layers"]["full_attention"]
    assert (layer["trained"], layer["target"]) == (7, None)
    _, found = as_json(capsys, path_of("gemma-4-e2b"))
    assert found["readings"][0]["layers"]["full_attention"]["wavelengths"][64:] == [None] * 192


def test_help_explains_every_name(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["check", "--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert EXPLAINED in out
    words = set(re.findall(r"\w+", EXPLAINED))
    assert {"schema", "file", "length", "trained", "readings"} | READING | LAYER | FINDING <= words
    assert all(re.search(rf"\b{code}\b", out) for code in range(4))
