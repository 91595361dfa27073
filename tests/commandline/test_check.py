"""The command that says what a configuration means, and what in it misleads."""

import json
import re

import numpy as np

from tests.configs.support import FOLDER, NAMES, llama, path_of, scaled, written
from tests.support.cases import for_each
from tests.support.commands import checked, error_line
from tests.support.processes import run_program, run_python

STORIES = FOLDER.parent / "stories"
QWEN, LLAMA, GEMMA = (str(path_of(name)) for name in ("qwen2.5-7b", "llama-3.1-8b", "gemma-3-4b"))


# -- stories ---------------------------------------------------------------------------------------


TOLD = {  # each with the tracker that it is from
    "base-in-the-old-place": (  # vllm-project/vllm#42624
        [],
        "warning: rope_theta: 10,000 at the top level has no effect; rope_parameters has 500,000, "
        "but programs that read rope_theta from the file, such as transformers 4, use 10,000",
    ),
    "codellama-base-lost": (  # karpathy/llama2.c#356, LostRuins/koboldcpp#487
        ["--semantics", "4.57"],
        "warning: rope_parameters: has no effect under transformers 4.57; it is not read there, "
        "so the model has the base 10,000 and no scaling",
    ),
    "length-raised-by-hand": (  # ggml-org/llama.cpp#10698
        ["--trained", "32Ki"],
        "warning: --trained: 32,768 is not the 131,072 that yarn uses; set "
        "original_max_position_embeddings to 32768",
    ),
    "attention-factor-ignored": (  # vllm-project/vllm#46280, ml-explore/mlx-lm#1507
        [],
        "note: rope_scaling.rope_type: yarn multiplies cosines and sines by 1.1386; a program "
        "that ignores this makes scores too small by a factor of 1.2965",
    ),
    "mscale-alone": (  # turboderp-org/exllamav3#259
        [],
        "warning: rope_scaling.mscale: 0.707 has no effect; without mscale_all_dim the attention "
        "factor is 0.1 · ln 40 + 1 = 1.3689",
    ),
    "mscale-with-both": (  # onnxruntime/mobius#548, NVIDIA/Megatron-LM#1429
        [],
        "note: rope_scaling.mscale_all_dim: 0.707 multiplies scores before softmax by 1.5896; a "
        "program that ignores this makes scores too small",
    ),
    "proportional-as-partial": (  # aws-neuron/neuronx-distributed-inference#106
        [],
        "note: rope_parameters.full_attention.rope_type: proportional rotates 64 of 256 pairs, by "
        "base^(-2i/512); a program that assumes a rotary part of 0.25 rotates them more slowly, "
        "by base^(-2i/128)",
    ),
    "sliding-layers-scaled": (  # vllm-project/vllm#29111, ggml-org/llama.cpp#14367
        [],
        "note: rope_scaling: scales full_attention only; sliding_attention is not scaled",
    ),
    "window-ignored": (  # vllm-project/vllm#2064
        [],
        "note: sliding_window: queries see at most 4,096 keys; a program that ignores this reaches "
        "unseen angles",
    ),
    "head-dim-as-quotient": (  # EricLBuehler/mistral.rs#643
        [],
        "note: head_dim: 128 is used, not hidden_size / num_attention_heads = 160; a program that "
        "uses the quotient rotates other pairs",
    ),
    "mrope-as-one-axis": (  # QwenLM/Qwen3-VL#488
        [],
        "note: rope_scaling.mrope_section: has no effect on text; only image tokens have "
        "positions on three axes",
    ),
}


@for_each("name", TOLD)
def test_stories_out_of_trackers(name, capsys):
    words, line = TOLD[name]
    code, lines = checked(capsys, STORIES / f"{name}.json", *words)
    assert line in lines
    assert code == (1 if any(each.startswith("warning: ") for each in lines) else 0)


def test_every_story_is_told():
    assert {file.stem for file in STORIES.glob("*.json")} == set(TOLD)


# -- lines -----------------------------------------------------------------------------------------


def test_all_lines_of_a_file(capsys):
    code, lines = checked(capsys, LLAMA)
    assert code == 0
    assert lines == [
        f"{LLAMA}: llama, as transformers 5 reads it",
        "full_attention: layers: 32: 0 to 31",
        "full_attention: encoding: rope",
        "full_attention: head_dim: 128",
        "full_attention: rope_theta: 500,000",
        "full_attention: rope_type: llama3",
        "full_attention: factor: 8",
        "full_attention: original_max_position_embeddings: 8,192",
        "full_attention: low_freq_factor: 1",
        "full_attention: high_freq_factor: 4",
        "full_attention: partial_rotary_factor: 1",
        "full_attention: layout: half",
        "full_attention: training length: 8,192",
        "full_attention: target length: 131,072",
        "full_attention: positions per turn: 6.28 to 20,473,564.14",
        "full_attention: unscaled positions per turn: 6.28 to 2,559,195.52",
        "full_attention: pairs changed: 35 of 64, from pair 29 on",
        "full_attention: pairs that never turned: 29 of 64, from pair 35 on",
        "full_attention: pairs with unseen angles: 29 of 64, from pair 35 on, 2 times as large",
        "full_attention: longest without unseen angles: 65,536",
        "full_attention: attention factor: 1",
        "full_attention: softmax factor: 1",
        "note: max_position_embeddings: 131,072 is beyond the training length of 8,192; 29 of 64 "
        "pairs reach unseen angles",
        "note: torch_dtype: bfloat16 is too coarse for frequencies; casting the whole model to "
        "it rounds them, so pair 1 would be off by 0.1 rad from position 56 on",
        "2 notes",
    ]
    slowest = 2 * np.pi * 5e5 ** (63 / 64)
    assert f"{slowest:,.2f} {8 * slowest:,.2f}" == "2,559,195.52 20,473,564.14"


def test_each_layer_type_has_its_lines(capsys):
    _, lines = checked(capsys, GEMMA)
    assert "full_attention: layers: 5: 5, 11, 17, 23, …" in lines
    assert "sliding_attention: layers: 29: 0 to 4, 6 to 10, 12 to 16, 18 to 22, …" in lines
    assert "full_attention: pairs that never turned: 35 of 128, from pair 93 on" in lines
    assert "sliding_attention: pairs that never turned: 57 of 128, from pair 71 on" in lines
    assert "sliding_attention: window: 1,024" in lines


def test_factors_of_scores_are_numbers_of_the_sheet(capsys):
    _, lines = checked(capsys, path_of("deepseek-v3"))
    assert "full_attention: attention factor: 1" in lines
    assert "full_attention: softmax factor: 1.8739" in lines


def test_layers_without_frequencies_have_few_lines(capsys):
    _, lines = checked(capsys, path_of("bloom-7b1"))
    assert lines[1:] == [
        "full_attention: layers: 30: 0 to 29",
        "full_attention: encoding: alibi",
        "full_attention: heads: 32",
        "full_attention: symmetric: false",
        "full_attention: slopes: 2^(-8k/32) for k = 1 to 32: 0.8409 to 0.003906",
        "full_attention: training length: 2,048",
        "full_attention: target length: 2,048",
        "nothing found",
    ]


def test_lists_are_told_by_their_ends(capsys):
    _, lines = checked(capsys, path_of("phi-3-mini-128k"))
    assert "sliding_attention: long_factor: 48 numbers, 1.030 to 64.81" in lines


def test_pairs_that_do_not_turn_are_told(capsys):
    _, lines = checked(capsys, path_of("gemma-4-e2b"))
    (wavelengths,) = [
        line for line in lines if line.startswith("full_attention: positions per turn: ")
    ]
    assert wavelengths.endswith("; 192 pairs do not rotate")


@for_each("name", NAMES)
def test_every_file_is_told_in_lines(name, capsys):
    code, lines = checked(capsys, path_of(name))
    assert code == (1 if name in ("t5-small", "deberta-v3-base") else 0)
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


# -- versions --------------------------------------------------------------------------------------


def test_all_versions(capsys):
    path = path_of("qwen2.5-7b-yarn")
    code, lines = checked(capsys, path, "--semantics", "all", "--length", "128Ki")
    heads = [line for line in lines if line.startswith(f"{path}: ")]
    assert heads == [
        f"{path}: qwen2, as transformers {name} reads it" for name in ("4.46", "4.52", "4.57", "5")
    ]
    assert lines.count("the same numbers as under 4.46") == 2
    assert code == 1  # under 4.52
    assert checked(capsys, path)[0] == 0


def test_semantics_is_the_newest_unless_one_is_chosen(capsys):
    path = path_of("gpt-oss-20b")
    assert checked(capsys, path) == checked(capsys, path, "--semantics", "5")
    assert checked(capsys, path)[0] == 0
    assert checked(capsys, path, "--semantics", "4.52")[0] == 1


# -- refusals --------------------------------------------------------------------------------------


REFUSED = {
    "no file": ([], "the following arguments are required: FILE"),
    "a file that is not there": (["none.json"], "check: none.json: cannot be read"),
    "a version that is not known": (
        [QWEN, "--semantics", "4.5"],
        "--semantics: '4.5' is not one of 4.46, 4.52, 4.57, 5",
    ),
    "no length": ([QWEN, "--length", "0"], "--length: 0 is outside 1 to 2^53"),
    "a share of a position": ([QWEN, "--trained", "1.5"], "--trained: "),
    "a flag of others": ([QWEN, "--dim", "4"], "--dim: no such flag"),
    "a value of --json": ([QWEN, "--json=yes"], "--json"),
}


@for_each("name", REFUSED)
def test_refusals(name, capsys):
    words, message = REFUSED[name]
    assert message in error_line(capsys, "check", *words)


def test_what_cannot_be_read_is_told_with_its_field(tmp_path, capsys):
    path = written(tmp_path, llama(head_dim="128"))
    line = error_line(capsys, "check", str(path))
    assert line.startswith(f"pe-explorer check: {path}: head_dim: '128' is a string")
    for words in (["--json"], ["--semantics", "all"]):
        assert error_line(capsys, "check", str(path), *words) == line
    path.write_text("{", encoding="utf-8")
    assert "is not valid JSON" in error_line(capsys, "check", str(path))


# -- as a process ----------------------------------------------------------------------------------


def test_it_loads_no_qt():
    program = f"""
import sys
from pe_explorer.commandline.main import main
code = main(["check", {GEMMA!r}, "--semantics", "all"])
loaded = {{name.partition(".")[0] for name in sys.modules}}
sys.exit(code or sorted(loaded & {{"PySide6", "shiboken6", "pyqtgraph"}}) or 0)
"""
    run = run_python(program)
    assert (run.returncode, run.stderr) == (0, "")


def test_exit_codes_of_the_process(tmp_path):
    assert run_program(tmp_path, "check", QWEN).returncode == 0
    assert run_program(tmp_path, "check", "--json", QWEN, "--length", "131072").returncode == 1
    assert run_program(tmp_path, "check", "none.json").returncode == 2


def test_characters_that_the_terminal_lacks_are_escaped(tmp_path):
    path = STORIES / "mscale-alone.json"
    run = run_program(tmp_path, "check", str(path), PYTHONIOENCODING="ascii")
    assert "0.1 \\xb7 ln 40" in run.stdout
    run = run_program(tmp_path, "check", "--json", str(path), PYTHONIOENCODING="ascii")
    found = json.loads(run.stdout)["readings"][0]["findings"]
    assert any("0.1 · ln 40" in finding["why"] for finding in found)
