"""The command that says what a configuration means, and what in it misleads."""

import json
import os
import re
import sys
from unittest.mock import patch

import numpy as np
import pytest

from pe_explorer.commandline.check import EXPLANATION, SCHEMA_VERSION, columns
from pe_explorer.commandline.main import main
from tests.configs.support import FOLDER, NAMES, config_file, llama, path_of, scaled
from tests.support.commands import checked, error_line

STORIES = FOLDER.parent / "stories"
LLAMA = str(path_of("llama-3.1-8b"))


def test_all_lines_of_a_file(capsys):
    code, (heading, *lines) = checked(capsys, LLAMA)
    assert code == 0
    assert heading.startswith(f"{LLAMA}: llama")
    shown = [line.removeprefix("full_attention: ") for line in lines]
    slowest = 2 * np.pi * 5e5 ** (63 / 64)
    assert shown[:20] == [
        "layers: 32: 0 to 31",
        "encoding: rope",
        "head_dim: 128",
        "rope_theta: 500,000",
        "rope_type: llama3",
        "factor: 8",
        "original_max_position_embeddings: 8,192",
        "low_freq_factor: 1",
        "high_freq_factor: 4",
        "partial_rotary_factor: 1",
        "layout: half",
        "training length: 8,192",
        "target length: 131,072",
        f"positions per turn: 6.28 to {8 * slowest:,.2f}",
        f"unscaled positions per turn: 6.28 to {slowest:,.2f}",
        "pairs changed: 35 of 64, from pair 29 on",
        "pairs that never turned: 29 of 64, from pair 35 on",
        "pairs with unseen angles: 29 of 64, from pair 35 on, with angles up to 2 times as large",
        "longest length without unseen angles: 65,536",
        "attention factor: 1",
    ]
    notes = [line for line in shown if line.startswith("note: ")]
    assert [note.split(": ")[1] for note in notes] == ["max_position_embeddings", "torch_dtype"]
    for fact in ("131,072", "8,192", "29 of 64"):
        assert fact in notes[0]
    for fact in ("bfloat16", "pair 1", "56"):
        assert fact in notes[1]
    assert shown[-1] == "2 notes"


OTHERS = {
    "gemma-3-4b": [
        "full_attention: layers: 5: 5, 11, 17, 23, …",
        "sliding_attention: layers: 29: 0 to 4, 6 to 10, 12 to 16, 18 to 22, …",
        "full_attention: pairs that never turned: 35 of 128, from pair 93 on",
        "sliding_attention: pairs that never turned: 57 of 128, from pair 71 on",
        "sliding_attention: window: 1,024",
    ],
    "deepseek-v3": [
        "full_attention: attention factor: 1",
        "full_attention: softmax factor: 1.8739",
    ],
    "bloom-7b1": [
        "full_attention: layers: 30: 0 to 29",
        "full_attention: encoding: alibi",
        "full_attention: heads: 32",
        "full_attention: slopes: 2^(-8k/32) for k = 1 to 32: 0.8409 to 0.003906",
        "full_attention: training length: 2,048",
        "no findings",
    ],
    "phi-3-mini-128k": ["sliding_attention: long_factor: 48 numbers, 1.030 to 64.81"],
}


def test_every_file_is_reported_in_lines(capsys):
    for name in NAMES:
        code, lines = checked(capsys, path_of(name))
        assert code == (1 if name in ("t5-small", "deberta-v3-base") else 0), name
        assert [line for line in OTHERS.get(name, ()) if line not in lines] == []
        assert all(line.isprintable() and line for line in lines)
        assert re.fullmatch(r"no findings|\d+ \w+(, \d+ \w+)*", lines[-1])


def test_counts_are_reported(tmp_path, capsys):
    path = config_file(tmp_path, scaled(rope_type="linear", factor=2.0, beta_fast=32, beta_slow=1))
    code, lines = checked(capsys, path)
    assert (code, lines[-1]) == (1, "2 warnings, 1 note")
    path = config_file(tmp_path, scaled(rope_type="llama3", factor=2.0))
    code, lines = checked(capsys, path)
    assert (code, lines[-1]) == (1, "1 error, 1 note")
    assert "full_attention: encoding: none" in lines


def test_versions(capsys):
    path = path_of("qwen2.5-7b-yarn")
    code, lines = checked(capsys, path, "--semantics", "all", "--length", "128Ki")
    heads = [line for line in lines if line.startswith(f"{path}: ")]
    for version, head in zip(("4.46", "4.52", "4.57", "5"), heads, strict=True):
        assert f"transformers {version} " in head
    assert lines.count("the same values as with 4.46") == 2
    assert code == 1  # under 4.52
    assert checked(capsys, path)[0] == 0
    path = path_of("gpt-oss-20b")
    assert checked(capsys, path) == checked(capsys, path, "--semantics", "5")
    assert checked(capsys, path)[0] == 0
    assert checked(capsys, path, "--semantics", "4.52")[0] == 1


def test_a_field_of_another_type_is_one_line_with_its_path_in_every_form(tmp_path, capsys):
    path = config_file(tmp_path, llama(head_dim="128"))
    line = error_line(capsys, "check", str(path))
    assert line.startswith(f"pe-explorer check: {path}: head_dim: expected a number, got '128'")
    for words in (["--json"], ["--semantics", "all"]):
        assert error_line(capsys, "check", str(path), *words) == line
    line = error_line(capsys, "code", "--config", str(path))
    assert f"--config: {path}: head_dim: expected a number, got '128'" in line


MSCALE = STORIES / "mscale-alone.json"


def on_terminal(capsys, width, *words, **environment):
    with (
        patch.object(sys.stdout, "isatty", lambda: True, create=True),
        patch.dict(os.environ, {"COLUMNS": str(width), "TERM": "xterm", **environment}),
    ):
        return checked(capsys, *words)[1]


def plain(line):
    return re.sub(r"\033\[[\d;]*m", "", line)


def test_levels_have_colours_and_words_on_a_terminal(capsys):
    words = (MSCALE,)
    lines = on_terminal(capsys, 400, *words)
    assert any(line.startswith("\033[1;33mwarning\033[0m: rope_scaling.mscale: ") for line in lines)
    assert any(line.startswith("\033[1;36mnote\033[0m: ") for line in lines)
    errors = on_terminal(capsys, 400, path_of("t5-small"))
    assert any(line.startswith("\033[1;31merror\033[0m: ") for line in errors)
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\033" not in "".join(on_terminal(capsys, 400, *words, **environment))
    assert "\033" not in "".join(checked(capsys, *words)[1])


@pytest.mark.parametrize("width", [60, 80, 132])
@pytest.mark.parametrize("name", ["gemma-3-4b", "phi-3-mini-128k", "gpt-oss-20b", "t5-small"])
def test_lines_are_wrapped_at_the_width_of_the_terminal(name, width, capsys):
    path = path_of(name)
    narrow = on_terminal(capsys, 7, path_of("t5-small"))[-9:-1]
    assert max(len(plain(line)) for line in narrow) == 20
    lines = on_terminal(capsys, width, path)
    assert all(len(plain(line)) <= width for line in lines[1:])  # the first names the file
    joined_lines = re.sub(r"\s+", " ", " ".join(map(plain, lines)))
    for line in checked(capsys, path)[1]:
        if line.startswith(("note: ", "error: ")):
            assert line in joined_lines


def test_columns_of_the_table_line_up(capsys):
    lines = on_terminal(capsys, 132, path_of("gemma-3-4b"))
    title = next(line for line in lines if "sliding_attention" in line)
    start, second = title.index("full_attention"), title.index("sliding_attention")
    rows = lines[lines.index(title) + 1 : lines.index("", lines.index(title))]
    assert all(row[start - 1] == row[second - 1] == " " for row in rows)
    base = next(row for row in rows if row.startswith("rope_theta"))
    assert (base[start:second].strip(), base[second:]) == ("1,000,000", "10,000")
    window = next(row for row in rows if row.startswith("window"))
    assert (window[start:second].strip(), window[second:]) == ("-", "1,024")


def test_columns_without_room_come_below():
    rows = [("one", ["a" * 20, "b" * 20]), ("two", ["c d " * 10, ""])]
    assert list(columns(["A", "B"], rows, 30)) == [
        "     A",
        "one  " + "a" * 20,
        "two  c d c d c d c d c d c d c",
        "     d c d c d c d",
        "",
        "     B",
        "one  " + "b" * 20,
        "two  -",
    ]


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
(KINDS,) = re.findall(r"(?s)kind +one of:(.+?)\n      field ", EXPLANATION)
FINDING = {"level", "kind", "field", "happens", "why", "layers", "versions"}


@pytest.mark.sampled(20)
@pytest.mark.parametrize("name", NAMES)
def test_json_has_the_same_names_for_every_file(name, capsys):
    code, found = as_json(capsys, path_of(name), "--semantics", "all", "--length", "256k")
    assert code in (0, 1)
    assert set(found) == {"schema", "file", "length", "trained", "readings"}
    assert found["schema"] == SCHEMA_VERSION == 1
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
    _, found = as_json(capsys, config_file(tmp_path, fields), "--length", "8k")
    layer = found["readings"][0]["layers"]["full_attention"]
    assert (layer["trained"], layer["target"], layer["new"]) == (None, 8000, None)
    _, found = as_json(capsys, config_file(tmp_path, fields), "--trained", "7")
    layer = found["readings"][0]["layers"]["full_attention"]
    assert (layer["trained"], layer["target"]) == (7, None)
    _, found = as_json(capsys, path_of("gemma-4-e2b"))
    assert found["readings"][0]["layers"]["full_attention"]["wavelengths"][64:] == [None] * 192


def test_help_explains_every_name(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["check", "--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert EXPLANATION in out
    words = set(re.findall(r"\w+", EXPLANATION))
    assert {"schema", "file", "length", "trained", "readings"} | READING | LAYER | FINDING <= words
    assert all(re.search(rf"\b{code}\b", out) for code in range(4))
