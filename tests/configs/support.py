"""The configurations of the tests, and small ones to modify."""

import json
import lzma
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "files"
CASES = Path(__file__).parent / "cases"
NAMES = sorted(file.name.removesuffix(".json") for file in FOLDER.glob("*.json"))
OLD_NAMES = [name for name in NAMES if not name.endswith(".new")]


def path_of(name):
    return FOLDER / f"{name}.json"


def fields_of(name):
    return json.loads(path_of(name).read_text(encoding="utf-8"))


def config_file(folder, fields):
    """Return the path of a new `config.json` with these fields."""
    path = folder / "config.json"
    path.write_text(json.dumps(fields), encoding="utf-8")
    return path


LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_hidden_layers": 4,
    "max_position_embeddings": 32768,
    "rope_theta": 10000.0,
}
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}


def llama(**changes):
    """Return the fields of a Llama configuration with changes; None removes a field."""
    fields = {**LLAMA, **changes}
    return {name: value for name, value in fields.items() if value is not None}


def scaled(**changes):
    return llama(rope_scaling=changes)


def kinds(configuration, level=None):
    return [finding.kind for finding in configuration.findings if level in (None, finding.level)]


def findings_of_kind(configuration, kind):
    return [finding for finding in configuration.findings if finding.kind == kind]


@cache
def recorded():
    """Return what the library computed for each default configuration, by model type."""
    return json.loads(lzma.open(Path(__file__).with_name("library.json.xz")).read())["types"]
