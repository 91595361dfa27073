"""Configurations of published models, in the old form and in the new, mean what they should."""

import json

import numpy as np
import pytest

from pe_explorer import configs, encodings
from tests.configs import expected
from tests.configs.formulas import attention, concentration, frequencies
from tests.configs.support import FOLDER, NAMES, OLD_NAMES, fields_of, kinds, path_of
from tests.support.cases import for_each

ROTATING = {
    name
    for name, schemes in expected.SCHEMES.items()
    if any(scheme == "rope" for scheme, _ in schemes.values())
}
OLD_ONLY = {
    "gpt-j-6b",  # its class has no rope dictionary
    "codegen-2b",
    "gpt-oss-bare",  # says nothing
    "phi-1.5-bare",
    "phi-3-mini-128k",  # its type is not read by the library that writes the new form
}


def close(schemes):
    """Return schemes whose numbers are compared within rounding."""
    return {
        layer: (name, {key: _close(value) for key, value in parameters.items()})
        for layer, (name, parameters) in schemes.items()
    }


def _close(value):
    return pytest.approx(value, rel=1e-15) if isinstance(value, float) else value


def test_there_are_files_of_all_models_each_with_its_source():
    index = json.loads((FOLDER.parent / "sources.json").read_text(encoding="utf-8"))["sources"]
    assert set(index) == set(OLD_NAMES) == set(expected.SCHEMES)
    assert len(OLD_NAMES) > 60
    assert all(index.values())
    new = {name.removesuffix(".new") for name in NAMES if name.endswith(".new")}
    assert new == ROTATING - OLD_ONLY


@for_each("name", NAMES)
def test_schemes(name):
    found = configs.read(path_of(name)).schemes
    assert found == close(expected.SCHEMES[name.removesuffix(".new")])


@for_each("name", sorted(ROTATING))
def test_frequencies_of_both_forms_are_those_of_the_formulas(name):
    forms = [form for form in (name, f"{name}.new") if form in NAMES]
    made = [encodings.from_config(path_of(form)) for form in forms]
    assert all(each == made[0] for each in made)
    for layer, (_, parameters) in expected.SCHEMES[name].items():
        e = made[0].get("all") or made[0][layer]
        truth = [float(each) for each in frequencies(parameters)]
        np.testing.assert_allclose(e.frequencies(), truth, rtol=2e-15)
        assert e.attention_factor == pytest.approx(float(attention(parameters)), rel=2e-15)


def test_encodings_that_agree_are_one():
    found = {name: set(encodings.from_config(path_of(name))) for name in ROTATING}
    several = {name: keys for name, keys in found.items() if keys != {"all"}}
    assert set(several) == {
        "gemma-3-1b",
        "gemma-3-4b",
        "gemma-3n-e4b",
        "gemma-4-e2b",
        "modernbert-base",
        "olmo-3-7b",
    }
    assert all(keys == {"full_attention", "sliding_attention"} for keys in several.values())


@for_each("name", NAMES)
def test_published_files_have_notes_alone(name):
    has_encoding = expected.SCHEMES[name.removesuffix(".new")] != {}
    configuration = configs.read(path_of(name))
    assert kinds(configuration, "warning") == []
    assert kinds(configuration, "error") == ([] if has_encoding else ["no-encoding"])


@for_each("name", sorted(expected.LENGTHS))
def test_lengths(name):
    configuration = configs.read(path_of(name))
    assert (configuration.trained, configuration.stated) == expected.LENGTHS[name]


@pytest.mark.parametrize("name", sorted(expected.WITHOUT))
def test_layers_without_positions(name):
    layers = configs.read(path_of(name)).layers
    assert layers["none"].indices == tuple(expected.WITHOUT[name])
    every = [index for group in layers.values() for index in group.indices]
    assert sorted(every) == list(range(len(every)))


@for_each("name", sorted(expected.FULL_LAYERS))
def test_layers_follow_the_rule_of_their_class(name):
    layers = configs.read(path_of(name)).layers
    assert layers["full_attention"].indices == tuple(expected.FULL_LAYERS[name])
    assert list(layers) == ["full_attention", "sliding_attention"]
    assert layers["full_attention"].window is None


@for_each("name", sorted(expected.WINDOWS))
def test_a_window_ends_what_training_saw(name):
    configuration = configs.read(path_of(name))
    layer = configuration.layers["sliding_attention"]
    assert layer.window == expected.WINDOWS[name]
    assert layer.trained == min(layer.window, configuration.trained)


@for_each("name", NAMES)
def test_softmax_factors(name):
    factor = configs.read(path_of(name)).softmax_factor
    assert round(factor, 4) == expected.SOFTMAX.get(name.removesuffix(".new"), 1.0)
    if name == "deepseek-v3":
        assert factor == pytest.approx(float(concentration(40, 1) ** 2), rel=1e-15)


def test_a_model_of_text_within_another_counts():
    found = {name: configs.read(path_of(name)).model_type for name in OLD_NAMES}
    assert found["gemma-3-4b"] == found["gemma-3-1b"] == "gemma3"
    assert found["llama-4-scout"] == "llama4"
    assert found["internvl2-8b"] == "qwen2"
    assert found["deepseek-vl2-tiny"] == "deepseek_v2"
    assert found["llava-1.5-7b"] == "llama"


@pytest.mark.parametrize("name", ["qwen2-vl-7b", "qwen2.5-vl-7b", "qwen3-vl-4b"])
def test_images_are_noted(name):
    (note,) = [f for f in configs.read(path_of(name)).findings if "mrope_section" in f.field]
    assert (note.level, note.kind) == ("note", "no-effect")
    assert "image" in note.why


@pytest.mark.parametrize("name", ["gpt2", "bert-base", "roberta-base", "opt-125m", "whisper-tiny"])
def test_tables_without_a_file_are_noted(name):
    assert "missing" in kinds(configs.read(path_of(name)), "note")


def test_a_mapping_is_read_as_its_file_is_and_stays_as_it_was():
    for name in OLD_NAMES:
        fields = fields_of(name)
        assert (
            configs.read(fields) == configs.read(path_of(name)) == configs.read(str(path_of(name)))
        )
        assert fields == fields_of(name)
