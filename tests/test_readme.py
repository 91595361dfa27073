"""The README is true: its table of encodings and its Python."""

import re
from pathlib import Path

import numpy as np

from pe_explorer import encodings
from tests.configs.support import written
from tests.support.commands import checked

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_it_lists_the_encodings():
    rows = re.findall(r"(?m)^\| `(\w+)` \| (.+) \|$", README)
    summaries = {name: encodings.find(name).summary() for name in encodings.names()}
    assert dict(rows) == summaries
    assert len(rows) == len(summaries)


def test_its_python_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("wpe.npy", np.arange(48.0).reshape(12, 4))
    (code,) = re.findall(r"(?s)```python\n(.+?)```", README)
    names = {"q": np.ones((2, 4096, 128))}
    exec(code, names)
    assert names["t"].domain == range(-2, 10)
    assert names["bias"].shape == names["a"].bias(range(-49, 1)).shape == (12, 50)
    assert names["cos"].shape == (4096, 128)


def test_its_check_finds_why_it_garbles(tmp_path, capsys):
    fields = {
        "model_type": "llama",
        "hidden_size": 4096,
        "num_attention_heads": 32,
        "max_position_embeddings": 32768,
        "rope_theta": 500000.0,
    }
    path = written(tmp_path, fields)
    examples = re.findall(r"(?m)^\$ pe-explorer check config\.json(.*)\n(.+)$", README)
    assert len(examples) == 2
    for words, line in examples:
        code, lines = checked(capsys, path, *words.split())
        assert line in lines
        assert code == line.startswith("warning: ")
    fields["rope_scaling"] = {
        "rope_type": "yarn",
        "factor": 4.0,
        "original_max_position_embeddings": 8192,
    }
    code, lines = checked(capsys, written(tmp_path, fields), "--trained", "8192")
    assert code == 0
    assert "full_attention: pairs with new angles: 0 of 64" in lines


def test_what_an_encoding_can_do_follows_from_its_abilities():
    abilities = {"Waves": "frequencies", "Rotary": "rotate", "Bias": "bias"}
    (told,) = re.findall(r"(?s)depends on its abilities: (.+?)\. If", README)
    words = [word for pair in abilities.items() for word in pair]
    assert re.findall(r"(\w+)\)?`", told) == words
    for name in encodings.names():
        e = encodings.create(name)
        for ability, function in abilities.items():
            assert isinstance(e, getattr(encodings, ability)) == hasattr(e, function)
