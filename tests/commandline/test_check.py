"""The command that says what a configuration means, and what in it misleads."""

import json
import re

import numpy as np
import pytest

from tests.configs.support import FOLDER, NAMES, llama, path_of, scaled, written
from tests.support.commands import checked, error_line
from tests.support.processes import run_program

STORIES = FOLDER.parent / "stories"
LLAMA = str(path_of("llama-3.1-8b"))

# -- lines -----------------------------------------------------------------------------------------


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
        "pairs with unseen angles: 29 of 64, from pair 35 on, 2 times as large",
        "longest without unseen angles: 65,536",
        "attention factor: 1",
    ]
    notes = [line for line in shown if line.startswith("note: ")]
    assert [note.split(": ")[1] for note in notes] == ["max_position_embeddings", "torch_dtype"]
    for fact in ("131,072", "8,192", "29 of 64"):
        assert fact in notes[0]
    for fact in ("bfloat16", "pair 1", "56"):
        assert fact in notes[1]
    assert shown[-1] == "2 notes"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "gemma-3-4b",
            [
                "full_attention: layers: 5: 5, 11, 17, 23, …",
                "sliding_attention: layers: 29: 0 to 4, 6 to 10, 12 to 16, 18 to 22, …",
                "full_attention: pairs that never turned: 35 of 128, from pair 93 on",
                "sliding_attention: pairs that never turned: 57 of 128, from pair 71 on",
                "sliding_attention: window: 1,024",
            ],
        ),
        (
            "deepseek-v3",
            ["full_attention: attention factor: 1", "full_attention: softmax factor: 1.8739"],
        ),
        (
            "bloom-7b1",
            [
                "full_attention: layers: 30: 0 to 29",
                "full_attention: encoding: alibi",
                "full_attention: heads: 32",
                "full_attention: slopes: 2^(-8k/32) for k = 1 to 32: 0.8409 to 0.003906",
                "full_attention: training length: 2,048",
                "nothing found",
            ],
        ),
        ("phi-3-mini-128k", ["sliding_attention: long_factor: 48 numbers, 1.030 to 64.81"]),
    ],
)
def test_lines_of_other_files(name, expected, capsys):
    _, lines = checked(capsys, path_of(name))
    assert [line for line in expected if line not in lines] == []


def test_every_file_is_told_in_lines(capsys):
    for name in NAMES:
        code, lines = checked(capsys, path_of(name))
        assert code == (1 if name in ("t5-small", "deberta-v3-base") else 0), name
        assert all(line.isprintable() and line for line in lines)
        assert re.fullmatch(r"nothing found|\d+ \w+(, \d+ \w+)*", lines[-1])


def test_counts_are_told(tmp_path, capsys):
    path = written(tmp_path, scaled(rope_type="linear", factor=2.0, beta_fast=32, beta_slow=1))
    code, lines = checked(capsys, path)
    assert (code, lines[-1]) == (1, "2 warnings, 1 note")
    path = written(tmp_path, scaled(rope_type="llama3", factor=2.0))
    code, lines = checked(capsys, path)
    assert (code, lines[-1]) == (1, "1 error, 1 note")
    assert "full_attention: encoding: none" in lines


def test_versions(capsys):
    path = path_of("qwen2.5-7b-yarn")
    code, lines = checked(capsys, path, "--semantics", "all", "--length", "128Ki")
    heads = [line for line in lines if line.startswith(f"{path}: ")]
    for version, head in zip(("4.46", "4.52", "4.57", "5"), heads, strict=True):
        assert f"transformers {version} " in head
    assert lines.count("the same numbers as under 4.46") == 2
    assert code == 1  # under 4.52
    assert checked(capsys, path)[0] == 0
    path = path_of("gpt-oss-20b")
    assert checked(capsys, path) == checked(capsys, path, "--semantics", "5")
    assert checked(capsys, path)[0] == 0
    assert checked(capsys, path, "--semantics", "4.52")[0] == 1


# -- as a process ----------------------------------------------------------------------------------


def test_characters_that_a_terminal_lacks_stop_nothing(tmp_path):
    path = STORIES / "mscale-alone.json"
    run = run_program(tmp_path, "check", str(path), PYTHONIOENCODING="ascii")
    assert (run.returncode, "0.1 \\xb7 ln 40" in run.stdout) == (1, True)
    run = run_program(tmp_path, "check", "--json", str(path), PYTHONIOENCODING="ascii")
    found = json.loads(run.stdout)["readings"][0]["findings"]
    assert any("0.1 · ln 40" in finding["why"] for finding in found)


def test_a_field_of_another_type_is_one_line_with_its_path_in_every_form(tmp_path, capsys):
    path = written(tmp_path, llama(head_dim="128"))
    line = error_line(capsys, "check", str(path))
    assert line.startswith(f"pe-explorer check: {path}: head_dim: '128' is a string")
    for words in (["--json"], ["--semantics", "all"]):
        assert error_line(capsys, "check", str(path), *words) == line
    line = error_line(capsys, "code", "--config", str(path))
    assert f"--config: {path}: head_dim: '128' is a string" in line
