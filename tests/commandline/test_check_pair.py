"""The command `check` with two configurations: whether they mean the same."""

import json

import pytest

from tests.configs.support import CASES, config_file, fields_of, llama, path_of
from tests.support.commands import checked

QWEN, GEMMA, BLOOM = (str(path_of(name)) for name in ("qwen2.5-7b", "gemma-3-4b", "bloom-7b1"))
LONG = {"factor": 4.0, "original_max_position_embeddings": 32768}
LLAMA3 = {"rope_type": "llama3", "low_freq_factor": 1.0, "high_freq_factor": 4.0, **LONG}
YARN = {"rope_type": "yarn", **LONG}


def _file(tmp_path, name, fields):
    folder = tmp_path / name
    folder.mkdir()
    return str(config_file(folder, fields))


def scaled(tmp_path, name, **rope_scaling):
    """Return the name of a file of a model like Qwen2.5, with a type."""
    fields = {"rope_scaling": rope_scaling or None, "rope_theta": 1e6, "head_dim": 128}
    return _file(tmp_path, name, llama(**fields))


def test_yarn_against_llama3(tmp_path, capsys):
    files = (scaled(tmp_path, "a.json", **YARN), scaled(tmp_path, "b.json", **LLAMA3))
    code, lines = checked(capsys, *files)
    assert code == 1
    assert lines[1] == "all: pairs that differ: 16 of 64, from pair 24 on"
    assert lines[2] == "all: largest frequency ratio: 1.789, pair 33, faster in the second"
    names = ("angles differ by more than 0.1 rad", "attention factors", "order of channels")
    assert [line.split(": ")[1] for line in lines[3:6]] == [*names]
    assert lines[-1] == "the files differ"


def test_yarn_against_plain_in_json(tmp_path, capsys):
    files = [scaled(tmp_path, "a.json", **YARN), scaled(tmp_path, "b.json")]
    code, (line,) = checked(capsys, *files, "--json")
    assert code == 1
    said = json.loads(line)
    assert (said["files"], said["length"], said["schema"]) == (files, None, 1)
    (reading,) = said["readings"]
    layer = reading["layers"]["all"]
    assert reading["differs"]
    assert layer["first_beyond"] == {"offset": 192, "pair": 28}
    assert layer["first_pair"] == 24
    assert len(layer["ratios"]) == 64
    assert layer["largest"] == {"pair": 40, "ratio": 0.25}
    assert layer["permutation"] is None


def test_a_file_and_itself_or_one_of_another_kind(capsys):
    for file in (QWEN, GEMMA, BLOOM):
        code, lines = checked(capsys, file, file)
        assert (code, lines[-1]) == (0, "the files are equivalent")
    code, lines = checked(capsys, GEMMA, QWEN)
    assert code == 1
    assert lines[1].startswith("full_attention: pairs that differ: 64 of 64")
    assert "128 and 64 pairs" in lines[1]
    assert any(line.startswith("sliding_attention: pairs that differ: 63 of 64") for line in lines)
    code, lines = checked(capsys, QWEN, BLOOM)
    assert (code, "ALiBi" in lines[1]) == (1, True)
    code, lines = checked(capsys, QWEN, QWEN, "--semantics", "all")
    assert (code, lines.count("the files are equivalent"), lines.count("")) == (0, 4, 3)
    code, lines = checked(capsys, path_of("deepseek-v3"), QWEN, "--length", "7", "--json")
    (said,) = map(json.loads, lines)
    assert (said["length"], code) == (7, 1)
    assert said["readings"][0]["softmax_factors"] == [pytest.approx(1.87385, abs=1e-5), 1]
    _, lines = checked(capsys, path_of("deepseek-v3"), QWEN)
    assert lines[-2:] == ["softmax factor: 1.8739 and 1", "the files differ"]


def test_layers_of_one_file_only_or_without_an_encoding_in_both(tmp_path, capsys):
    flash, incomplete = str(CASES / "deepseek-v4-flash.json"), fields_of("gemma-3-4b")
    del incomplete["text_config"]["rope_scaling"]["factor"]
    incomplete = _file(tmp_path, "incomplete", incomplete)
    only_first, only_second = {"full_attention"}, {"compressed_sparse_attention"}
    for files, first, second, differs in (
        ((GEMMA, flash), only_first, only_second, True),
        ((flash, GEMMA), only_second, only_first, True),
        ((incomplete, GEMMA), set(), only_first, True),
        ((incomplete, incomplete), set(), set(), False),
    ):
        code, lines = checked(capsys, *files, "--json")
        (reading,) = json.loads(lines[0])["readings"]
        assert (code, reading["differs"]) == (differs, differs)
        _, lines = checked(capsys, *files)
        for layer in (*first, *second):
            found = reading["layers"][layer]
            assert (set(found), found["differs"]) == ({"differs", "lack"}, True)
            (line,) = [line for line in lines if line.startswith(f"{layer}: ")]
            assert ("first" if layer in first else "second") in found["lack"]
            assert found["lack"][1:] in line
    _, lines = checked(capsys, incomplete, flash)
    assert [line for line in lines if line.startswith("full_attention: Neither ")]
    _, (line,) = checked(capsys, incomplete, flash, "--json")
    assert not json.loads(line)["readings"][0]["layers"]["full_attention"]["differs"]


def test_the_heading_names_who_reads_each_file(capsys):
    published = str(CASES / "mistral-params.json")
    for files, readers in (
        ((QWEN, QWEN), ("transformers 5",)),
        ((published, published), ("publisher",)),
        ((published, QWEN), ("publisher", "transformers 5")),
    ):
        _, lines = checked(capsys, *files)
        named = [each for each in ("publisher", "transformers 5") if each in lines[0]]
        assert tuple(named) == readers
    _, lines = checked(capsys, published, "--semantics", "all")
    assert sum(line.startswith(f"{published}: ") for line in lines) == 1, "it has no versions"


def test_layouts_alone_are_an_order_of_channels(tmp_path, capsys):
    fields = {"hidden_size": 1024, "num_attention_heads": 8, "rope_theta": 1e4, "head_dim": 128}
    half = _file(tmp_path, "half.json", llama(**fields))
    glm = llama(**fields, model_type="glm", partial_rotary_factor=1.0)
    interleaved = _file(tmp_path, "interleaved.json", glm)
    code, lines = checked(capsys, interleaved, half)
    assert code == 1
    assert "all: pairs that differ: none of 64" in lines
    assert "all: order of channels: 0, 2, 4, … 1, 3, 5, …" in lines
    assert lines[-1] == "the files differ"
