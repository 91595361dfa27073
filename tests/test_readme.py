"""The README is true: its table of encodings and its Python."""

import re
from pathlib import Path

import numpy as np

from pe_explorer import encodings

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


def test_what_an_encoding_can_do_follows_from_its_abilities():
    abilities = {"Waves": "frequencies", "Rotary": "rotate", "Bias": "bias"}
    (told,) = re.findall(r"(?s)depends on its abilities: (.+?)\. If", README)
    words = [word for pair in abilities.items() for word in pair]
    assert re.findall(r"(\w+)\)?`", told) == words
    for name in encodings.names():
        e = encodings.create(name)
        for ability, function in abilities.items():
            assert isinstance(e, getattr(encodings, ability)) == hasattr(e, function)
