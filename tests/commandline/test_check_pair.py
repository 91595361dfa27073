"""The command `check` with two configurations: whether they mean the same."""

import json

from mpmath import mpf

from tests.configs.formulas import frequencies
from tests.configs.support import CASES, llama, path_of, written
from tests.support.commands import checked, error_line

QWEN, GEMMA, BLOOM = (str(path_of(name)) for name in ("qwen2.5-7b", "gemma-3-4b", "bloom-7b1"))
LONG = {"factor": 4.0, "original_max_position_embeddings": 32768}
LLAMA3 = {"rope_type": "llama3", "low_freq_factor": 1.0, "high_freq_factor": 4.0, **LONG}
YARN = {"rope_type": "yarn", **LONG}


def _file(tmp_path, name, fields):
    folder = tmp_path / name
    folder.mkdir()
    return str(written(folder, fields))


def scaled(tmp_path, name, **rope_scaling):
    """Return the name of a file of a model like Qwen2.5, with a type."""
    fields = {"rope_scaling": rope_scaling or None, "rope_theta": 1e6, "head_dim": 128}
    return _file(tmp_path, name, llama(**fields))


def test_yarn_against_llama3(tmp_path, capsys):
    files = (scaled(tmp_path, "a.json", **YARN), scaled(tmp_path, "b.json", **LLAMA3))
    code, lines = checked(capsys, *files)
    assert code == 1
    kinds = {"rope_theta": 1e6, "head_dim": 128}
    one = frequencies({**PARAMETERS, **kinds, **YARN})
    other = frequencies({**PARAMETERS, **kinds, **LLAMA3})
    ratios = [max(a, b) / min(a, b) for a, b in zip(one, other, strict=True)]
    differ = [pair for pair, ratio in enumerate(ratios) if ratio > 1 + mpf(10) ** -12]
    most = ratios.index(max(ratios))
    assert (len(differ), differ[0], most) == (16, 24, 33)
    assert lines[1] == "all: pairs that differ: 16 of 64, from pair 24 on"
    assert (
        lines[2] == f"all: largest ratio: {float(ratios[most]):.4g}, pair 33, faster in the second"
    )
    assert lines[-1] == "they differ"


PARAMETERS = {
    "partial_rotary_factor": 1.0,
    "beta_fast": 32.0,
    "beta_slow": 1.0,
    "truncate": True,
    "sequence_length": None,
}


def test_yarn_against_plain_in_json(tmp_path, capsys):
    files = [scaled(tmp_path, "a.json", **YARN), scaled(tmp_path, "b.json")]
    code, (line,) = checked(capsys, *files, "--json")
    assert code == 1
    said = json.loads(line)
    assert said["files"] == files
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
        assert (code, lines[-1]) == (0, "they mean the same")
    code, lines = checked(capsys, GEMMA, QWEN)
    assert code == 1
    assert lines[1].startswith("full_attention: pairs that differ: 64 of 64")
    assert "128 pairs and 64" in lines[1]
    assert any(line.startswith("sliding_attention: pairs that differ: 63 of 64") for line in lines)
    code, lines = checked(capsys, QWEN, BLOOM)
    assert (code, "ALiBi" in lines[1]) == (1, True)
    code, lines = checked(capsys, QWEN, QWEN, "--semantics", "all")
    assert (code, lines.count("they mean the same")) == (0, 4)


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
    assert lines[-1] == "they differ"


def test_files_that_cannot_be_compared(tmp_path, capsys):
    missing = str(tmp_path / "none.json")
    for files in ((QWEN, missing), (missing, QWEN)):
        line = error_line(capsys, "check", *files)
        assert missing in line
        assert "cannot be read" in line
