"""Every default configuration of transformers, compared with the library's modules.

`library.json.xz` was written by `tests/witness/record.py`, which builds each model of transformers
5.24 without weights and never reads `classes.json`.
"""

import numpy as np
import pytest

from pe_explorer import configs, encodings
from pe_explorer.encodings import Rotary
from tests.configs.support import recorded

POSITIONS = (1, 100, 4095)
NUMBERED_OTHERWISE = ("dory", "hrm_text")  # layers in separate stacks, or used several times
NOT_SUPPORTED = ("blt", "blt_local_encoder")  # each part has its own rotary positions
UNUSABLE = ("qwen3_omni_moe_text", "qwen3_omni_moe_thinker")  # 2048 / 28 = 73: the model fails


def rotating():
    left_out = (*NOT_SUPPORTED, *UNUSABLE)
    return [n for n, item in recorded().items() if complete(item) and n not in left_out]


def complete(each):
    return [scheme for scheme in each.get("rotary", ()) if "frequencies" in scheme]


@pytest.mark.sampled(60)
@pytest.mark.parametrize("name", rotating())
def test_frequencies_and_layouts_match_transformers(name):
    each = recorded()[name]
    actual = encodings.read_config(each["config"])
    layer_of = {
        index: layer
        for layer, group in actual.layers.items()
        if not layer.endswith(".indexer")
        for index in group.indices
    }
    turned = set()
    for scheme in complete(each):
        if scheme["part"]:  # only differing layers have a scheme
            for layer in {layer_of[index] for index in scheme["layers"]}:
                second = actual.encodings.get(f"{layer}.indexer")
                e = encoding_of(actual, layer) if second is None else second
                assert is_same(e, scheme), layer
            continue
        indices = layer_of if name in NUMBERED_OTHERWISE else scheme["layers"]
        turned.update(scheme["layers"])
        layers = {layer_of[index] for index in indices if index in layer_of}
        result = [encoding_of(actual, layer) for layer in layers if layer != configs.NO_POSITIONS]
        assert result
        matching = [e for e in result if is_same(e, scheme)]
        assert matching if name in NUMBERED_OTHERWISE else matching == result, (layers, result)
    if each["finished"] and name not in NUMBERED_OTHERWISE:
        assert turned == {
            index for index, layer in layer_of.items() if layer != configs.NO_POSITIONS
        }


def encoding_of(found, layer):
    return found.encodings.get(layer, found.encodings.get("all"))


def is_same(e, scheme):
    """Return whether an encoding matches the library's frequencies, factor, layout and cosines."""
    assert isinstance(e, Rotary)
    here, there = np.sort(e.frequencies()), np.sort(scheme["frequencies"])
    if here.shape != there.shape or not np.allclose(here, there, rtol=1e-4, atol=0):
        return False
    cosines = np.array(scheme.get("cosines", np.empty((0, 0))))
    if cosines.size:
        # At 4,095, float32 phases of fast pairs are inaccurate; one cosine per pair is enough.
        cached = here < 1e-2
        values = e.attention_factor * np.cos(np.outer(POSITIONS, here[cached]))
        for row, expected in zip(values, cosines, strict=True):
            assert np.abs(row[:, None] - expected).min(axis=1, initial=1).max(initial=0) < 1e-3
    layout = scheme["layout"] in ("?", e.layout)
    return layout and np.isclose(e.attention_factor, scheme["attention"], rtol=1e-4)


def test_layers_without_rotation_match_transformers():
    tables = 0
    for name, item in recorded().items():
        if not item.get("finished") or item["rotary"]:
            continue
        actual = encodings.read_config(item["config"])
        if name not in ("bamba", "roformer"):
            assert not any(isinstance(e, Rotary) for e in actual.encodings.values()), name
        rows = [table[1] for table in item.get("tables", ()) if "relative" not in table[0]]
        learned = [e for e in actual.encodings.values() if e.name == "learned"]
        if len(rows) == 1:
            tables += len(learned)
            assert all(actual.trained + e.row_offset == rows[0] for e in learned), name
    assert tables > 20


def test_every_class_of_transformers_is_known():
    for name, item in recorded().items():
        if "config" in item:
            actual = encodings.read_config(item["config"])
            errors = [finding for finding in actual.findings if finding.level == configs.ERROR]
            assert actual.encodings or errors or configs.NO_POSITIONS in actual.layers, name
            assert not any(finding.kind == "unknown-class" for finding in actual.findings), name
