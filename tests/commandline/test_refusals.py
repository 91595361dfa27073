"""What is refused names the flag that is at fault, and what to do."""

import os
import shlex

import numpy as np
import pytest

from pe_explorer import encodings
from tests.configs.support import path_of
from tests.support.commands import error_line, render_request
from tests.support.tables_in_files import BAD, numbers, put

pytestmark = pytest.mark.usefixtures("working_folder")
EXPORT, CODE = ["export", "-o", "x.npy"], ["code"]
CONFIGURATIONS = {
    name.partition("-")[0].upper(): str(path_of(name))
    for name in ("gemma-3-4b", "t5-small", "gpt2")
}
REFUSED = {  # what the line names
    "export -o x.npy --dim 0": ["--dim: ", "1 to 65536, got 0", "nearest valid value is 1"],
    "export -o x.npy --dmi 4": ["--dmi", "did you mean '--dim'"],
    "export -o x.npy --dtyp float16": ["--dtyp: no such flag", "'--dtype'"],
    "code --encoding alibi --no-symmetric=on": ["--no-symmetric: ", "'on'", "leave it out"],
    "export -o x.npy --encoding sinusoid": ["--encoding: ", "'sinusoid'", "'sinusoidal'"],
    "export -o x.npy --encoding index --base 3": [": --base: index has no such flag"],
    "export -o x.npy --encoding index --what frequencies": [
        "--what",
        "no sines or cosines",
        "table, ",
    ],
    "export -o x.npy --positions 0:2e16": ["--positions", "2^53"],
    "export -o x.npy --metric cos": ["--metric: ", "'cos'", "similarity, dot, normalised-dot"],
    "export -o x.npy --reference 2^60": ["--reference", "-2^53 to 2^53"],
    "export -o t.txt": [".npy", ".csv"],
    "export": ["--output: is required"],
    "exprt": ["'exprt'", "did you mean 'export'"],
    "list --model": ["--model: no such flag", "'--models'"],
    "export -o x.npy --session ''": ["--session: the name is empty"],
    "export -o x.npy --session none.csv": ["--session: none.csv"],
    "code --for fortran": ["--for: ", "'fortran'"],
    "code --figure window": ["window"],
    "code --encoding rope --head-dim 7": [": --head-dim: ", "7 channels", "even"],
    "render heatmap --encoding-scale=1e99 -o a.png": [": --encoding-scale: ", "1e6, got 1e99"],
    "render heatmp -o a.png": ["VIEW: ", "heatmap, ", "'heatmp'", "'heatmap'?"],
    "render heatmap --size big -o a.png": ["--size: expected a size, got 'big'"],
    "render heatmap --positions 0:50:2 -o a.png": ["--positions: a picture shows consecutive rows"],
    "render heatmap --dimension 500 -o a.png": [
        "--dimension: ",
        "from 0 to 127, got 500",
        "is 127",
    ],
    "render heatmap -o a.jpg": ["--output: a.jpg: the name must end in .png"],
    "render heatmap -o nowhere/a.png": ["there is no folder"],
    "render heatmap": ["-o"],
    "render heatmap --preset slid -o a.png": ["--preset: ", "'slid'", "one-column, ", "'slide'?"],
    "render window --preset slide -o a.png": ["--preset: ", "only to figures", "--size 1600x900"],
    "render heatmap --limits='1 1' -o a.png": ["--limits: ", "two numbers", "got '1 1'"],
    "render heatmap --size 84x60mm --preset slide -o x.png": ["--preset: ", "--size"],
    "render window --title x -o x.png": ["--title: ", "only to figures"],
    "render window --cursor hide -o x.png": ["--cursor: ", "leave it out"],
    "render heatmap --positions=-2^53:2^53 -o x.png": ["--positions: ", "at most 2^53 rows"],
    "render -o clocks window": ["--output: clocks: the name must end in .png"],
    "render window --panes heatmp -o x.png": ["panes", "'heatmap'"],
    "render window --panes clocks,clocks -o x.png": ["panes", "twice"],
    "render window --panes , -o x.png": ["panes", "one to three"],
    "render window --panes clocks,heatmap --arrangement three -o x.png": ["beside or stacked"],
    "render window --arrangement besides -o x.png": ["arrangement", "'beside'"],
    "render window --panes clocks --active heatmap -o x.png": ["'heatmap'", "choose clocks"],
    "render heatmap --panes clocks -o x.png": ["panes", "window"],
    "render clocks --active clocks -o x.png": ["active"],
    "render -o x.png": ["VIEW", "required"],
    "code --config GEMMA --layers sliding_attn": ["--layers: ", "full_attention", "did you mean"],
    "code --layers full_attention": ["--config FILE", "--model NAME"],
    "code --config GEMMA --session x": ["one of these flags"],
    "code --config GEMMA --exhibit 000-clocks": ["--exhibit: ", "leave --config out"],
    "code --config none.json": ["--config: none.json: cannot be read"],
    "code --config T5": ["relative_attention_num_buckets", "t5"],
    "code --config GPT2": ["--file: "],
    "code --config GEMMA": ["--config: GEMMA ", "full_attention, sliding_attention", "--layers"],
    "code --model llama": ["--model: ", "'llama'"],
    "code --model gemma-3-4b": ["--model: gemma-3-4b", "full_attention, ", "--layers"],
    "code --model llama-2-7b --session x": ["--model: ", "session"],
    "code --model llama-2-7b --config x": ["--model: ", "--config"],
    "code --model llama-2-7b --exhibit 000-clocks": ["--exhibit: ", "leave --model out"],
    "code --assume llama": ["--assume: ", "--config"],
    "code --override {}": ["--config"],
    "list --csv": ["--csv: ", "--models"],
    "list --models --exhibits": ["--models: "],
    "list --exhibits x": ["x: unexpected argument"],
    "render --exhibit 000-heatmop -o x.png": ["--exhibit: ", "'000-heatmop'", "'000-heatmap'"],
    "render -o x.png --exhibit": ["--exhibit: "],
    "check": ["FILE"],
    "check none.json": ["none.json"],
    "check GEMMA none.json": ["none.json", "cannot be read"],
    "check none.json GEMMA": ["none.json", "cannot be read"],
    "check GEMMA --assume qwen2": ["--assume: ", "'qwen2'"],
    "check GEMMA --semantics 4.5": ["--semantics: ", "4.46, 4.52, 4.57 or 5, got '4.5'"],
    "check GEMMA --length 0": ["--length: ", "1 to 2^53, got 0"],
    "check GEMMA --dim 4": ["--dim: no such flag"],
    "check GEMMA --json=yes": ["--json"],
    "check GEMMA --json --format sarif": ["--format", "--json"],
    "check GEMMA --format sarrif": ["--format", "text", "json", "sarif", "github"],
    "check GEMMA GEMMA --format sarif": ["--format", "sarif", "--each"],
    "check GEMMA GEMMA --trained 4096": ["--trained"],
    "export -o x.npy --encoding=rope --partial-rotary-factor=0": ["above 0, at most 1"],
    "code --row-offset=2": ["--row-offset: sinusoidal has no such flag", "add --encoding learned"],
    "code --no-symmetric": ["--no-symmetric: sinusoidal has no such flag", "alibi has it. Add"],
    "code --encoding alibi --dim 8": ["--dim: alibi has no such flag", "fraction and binary have"],
    "export --dim 2 --what shifted --k 2^54 -o x.npy": ["--k", "2^53"],
}


def test_bad_input_is_one_line_and_no_file(capsys, tmp_path):
    for line, facts in REFUSED.items():
        words = [CONFIGURATIONS.get(word, word) for word in shlex.split(line)]
        said = error_line(capsys, *words)
        for name, path in CONFIGURATIONS.items():
            said = said.replace(path, name)
        assert [fact for fact in facts if fact.lower() not in said.lower()] == [], line
        assert list(tmp_path.iterdir()) == [], line
    assert render_request("heatmap", "--positions", "0:2^53")[1].count == 2**53  # the most rows


@pytest.mark.parametrize("what", BAD)
@pytest.mark.parametrize("command", [EXPORT, CODE, ["render", "heatmap", "-o", "x.png"]])
def test_an_unreadable_table_is_reported_with_a_remedy(capsys, tmp_path, command, what):
    happen, words = BAD[what]
    put(tmp_path / "pe.npy", numbers())
    happen(tmp_path / "pe.npy")
    before = os.listdir()
    told = error_line(capsys, *command, "--encoding", "learned", "--file", "pe.npy")
    assert told.startswith(f"pe-explorer {command[0]}: --file: {tmp_path / 'pe.npy'}: ")
    assert words in told
    assert told.endswith(". Locate the right file, or choose another encoding.\n")
    assert os.listdir() == before


def test_unreadable_and_absent_tables_of_pins_are_reported(capsys, tmp_path):
    for show in ("pinned", "difference"):
        given = ["--show", show, "--pin", "learned file=nope.npy", "--pin", "index"]
        assert f"--pin: {tmp_path / 'nope.npy'}: cannot be read" in error_line(
            capsys, *EXPORT, *given
        )
    for command in (EXPORT, CODE):
        message = error_line(capsys, *command, "--encoding", "learned")
        assert "--file: " in message
        assert ".npy" in message


def test_what_is_not_written_may_be_missing(tmp_path):
    from pe_explorer.commandline.main import main

    put(tmp_path / "pe.npy", numbers())
    lost = ["--pin", "learned file=nope.npy", "--positions", "0:5"]
    assert main([*EXPORT, "--encoding", "learned", "--file", "pe.npy", *lost]) == 0
    np.testing.assert_array_equal(np.load("x.npy"), numbers()[:5])
    gone = ["--encoding", "learned", "--file", "nope.npy", "--positions", "0:5"]
    assert main([*EXPORT, *gone, "--pin", "index dim=3", "--show", "pinned"]) == 0
    np.testing.assert_array_equal(np.load("x.npy"), np.arange(5.0)[:, None].repeat(3, axis=1))


@pytest.mark.parametrize("name", encodings.names())
def test_capitals_of_a_name_are_no_riddle(capsys, name):
    scheme = encodings.find(name)
    for written in {scheme.title(), name.upper(), name.capitalize()} - {name}:
        told = error_line(capsys, *CODE, "--encoding", written)
        assert told.endswith(f". Did you mean {name!r}?\n")


@pytest.mark.parametrize("word", ["x" * 61, "--" + "x" * 5000], ids=["word", "flag"])
def test_a_word_that_is_named_in_an_error_is_cut_where_it_is_long(capsys, word):
    line = error_line(capsys, *EXPORT, word)
    assert f"{word[:60]}…: " in line
    assert len(line) < 300
    assert f" {word[:60]}: " in error_line(capsys, *EXPORT, word[:60])
