"""Configurations of published models, in the old and the new form."""

import json
from math import log

import pytest

from pe_explorer import configs, encodings
from tests.configs import expected
from tests.configs.support import FOLDER, NAMES, OLD_NAMES, fields_of, kinds, path_of

ROTATING = {
    name
    for name, schemes in expected.SCHEMES.items()
    if any(scheme == "rope" for scheme, _ in schemes.values())
}
OLD_ONLY = {
    "gpt-j-6b",  # its class has no rope dictionary
    "codegen-2b",
    "gpt-oss-bare",  # has no effect
    "phi-1.5-bare",
    "phi-3-mini-128k",  # its type is not read by the library that writes the new form
}


def close(schemes):
    """Return schemes with approximate numbers."""
    actual = {}
    for layer, (name, parameters) in schemes.items():
        floats = {key: value for key, value in parameters.items() if isinstance(value, float)}
        floats = {key: pytest.approx(value, rel=1e-15) for key, value in floats.items()}
        actual[layer] = name, {**parameters, **floats}
    return actual


def test_every_model_has_a_file_with_a_source():
    index = json.loads((FOLDER.parent / "sources.json").read_text(encoding="utf-8"))["sources"]
    assert set(index) == set(OLD_NAMES) == set(expected.SCHEMES)
    assert len(OLD_NAMES) > 60
    assert all(index.values())
    new = {name.removesuffix(".new") for name in NAMES if name.endswith(".new")}
    assert new == ROTATING - OLD_ONLY


@pytest.mark.sampled(40)
@pytest.mark.parametrize("name", NAMES)
def test_published_files_have_the_expected_schemes_and_findings(name):
    old, configuration = name.removesuffix(".new"), configs.read(path_of(name))
    assert configuration.schemes == close(expected.SCHEMES[old])
    assert kinds(configuration, "warning") == []
    errors = [] if expected.SCHEMES[old] != {} else ["no-encoding"]
    assert kinds(configuration, "error") == errors
    factor = configuration.softmax_factor
    assert round(factor, 4) == expected.SOFTMAX.get(old, 1.0)
    if name == "deepseek-v3":
        assert factor == pytest.approx((log(40) / 10 + 1) ** 2, rel=1e-15)


def test_equal_layer_types_share_one_encoding():
    for name in ROTATING:
        schemes = expected.SCHEMES[name]
        is_one = len(set(map(str, schemes.values()))) == 1
        actual = encodings.from_config(path_of(name))
        assert set(actual) == ({"all"} if is_one else set(schemes)), name


def test_published_files_have_the_expected_layers():
    actual = {name: configs.read(path_of(name)) for name in OLD_NAMES}
    for name, lengths in expected.LENGTHS.items():
        assert (actual[name].trained, actual[name].stated) == lengths, name
    for name, indices in expected.WITHOUT.items():
        layers = actual[name].layers
        assert layers["none"].indices == tuple(indices), name
        every = [index for group in layers.values() for index in group.indices]
        assert sorted(every) == list(range(len(every))), name
    for name, indices in expected.FULL_LAYERS.items():
        layers = actual[name].layers
        assert list(layers) == ["full_attention", "sliding_attention"], name
        assert layers["full_attention"].indices == tuple(indices), name
        assert layers["full_attention"].window is None
    for name, window in expected.WINDOWS.items():
        layer = actual[name].layers["sliding_attention"]
        assert layer.window == window, name
        assert layer.trained == min(window, actual[name].trained)  # the training length


def test_the_inner_text_model_is_read():
    actual = {name: configs.read(path_of(name)).model_type for name in OLD_NAMES}
    assert actual["gemma-3-4b"] == actual["gemma-3-1b"] == "gemma3"
    assert actual["llama-4-scout"] == "llama4"
    assert actual["internvl2-8b"] == "qwen2"
    assert actual["deepseek-vl2-tiny"] == "deepseek_v2"
    assert actual["llava-1.5-7b"] == "llama"


def test_a_mapping_is_read_like_its_file_and_not_changed():
    for name in OLD_NAMES:
        fields = fields_of(name)
        assert (
            configs.read(fields) == configs.read(path_of(name)) == configs.read(str(path_of(name)))
        )
        assert fields == fields_of(name)
