"""The same file under four versions of transformers."""

import dataclasses

import numpy as np
import pytest
from mpmath import ln, mpf, sqrt

from pe_explorer import encodings
from tests.configs.formulas import attention, frequencies
from tests.configs.support import (
    OLD_NAMES,
    YARN,
    fields_of,
    findings_of_kind,
    llama,
    path_of,
    scaled,
)

VERSIONS = ("4.46", "4.52", "4.57", "5")
DEEPSEEK = "deepseek-v3"


def read(source, semantics, length=None):
    result = encodings.from_config(source, semantics, length)
    return result["all"].parameters


@pytest.mark.parametrize("name", OLD_NAMES)
def test_every_file_is_read_under_every_version(name):
    for semantics in VERSIONS:
        configuration = encodings.read_config(path_of(name), semantics)
        errors = [finding for finding in configuration.findings if finding.level == "error"]
        assert bool(errors) == (name in ("t5-small", "deberta-v3-base"))
        for e in configuration.encodings.values():
            if e.name == "rope":
                truth = [float(frequency) for frequency in frequencies(e.parameters)]
                np.testing.assert_allclose(e.frequencies(), truth, rtol=2e-15)
                factor = float(attention(e.parameters))
                assert e.attention_factor == pytest.approx(factor, rel=2e-15)


def test_versions_agree_on_files_without_differences():
    for name in ("llama-3.1-8b", "mistral-nemo-12b", "gpt-neox-20b", "gemma-3-1b"):
        result = [encodings.from_config(path_of(name), semantics) for semantics in VERSIONS]
        assert all(item == result[0] for item in result)
        assert findings_of_kind(encodings.read_config(path_of(name)), "versions") == []
    with pytest.raises(encodings.EncodingError, match=r"semantics: .*4\.46.*, got '4\.5'"):
        encodings.read_config(llama(), "4.5")


def test_yarn_in_4_46_uses_the_stated_length_and_no_mscale():
    actual = {version: read(path_of(DEEPSEEK), version) for version in VERSIONS}
    lengths = {
        version: item["original_max_position_embeddings"] for version, item in actual.items()
    }
    assert lengths == {"4.46": 163840, "4.52": 4096, "4.57": 4096, "5": 4096}
    e = encodings.from_config(path_of(DEEPSEEK), "4.46")["all"]
    assert e.attention_factor == pytest.approx(float(ln(mpf(40)) / 10 + 1), rel=1e-15)
    assert encodings.from_config(path_of(DEEPSEEK), "5")["all"].attention_factor == 1
    # ramps from pair 10 to 23 for 4,096 positions, and from pair 23 to 36 for 163,840
    ratios = [y / x for x, y in zip(*map(frequencies, (actual["4.46"], actual["5"])), strict=True)]
    assert [abs(ratio - 1) > mpf(10) ** -12 for ratio in ratios].index(True) == 11
    assert 30 < max(max(ratios), 1 / min(ratios)) <= 40


def test_yarn_in_4_52_replaces_the_factor_by_a_quotient():
    for version in VERSIONS:
        expected = 1.0 if version == "4.52" else 4.0
        assert read(path_of("qwen2.5-7b-yarn"), version)["factor"] == expected
    assert encodings.from_config(path_of("qwen2.5-7b-yarn"), "4.52")["all"].attention_factor == 1
    without = scaled(rope_type="yarn", factor=4.0)  # no length to divide by
    assert read(without, "4.52")["factor"] == 4.0


def test_truncate_is_read_from_4_57_on():
    taken = {version: read(path_of("gpt-oss-20b"), version)["truncate"] for version in VERSIONS}
    assert taken == {"4.46": True, "4.52": True, "4.57": False, "5": False}
    first = read(path_of("gpt-oss-20b"), "4.46")
    assert first["original_max_position_embeddings"] == 131072
    assert (first["factor"], first["rope_theta"]) == (32, 150000)


PHI = "phi-3.5-mini"


def test_longrope_in_every_version():
    lists = fields_of(PHI)["rope_scaling"]
    for semantics, length, is_long, factor in (
        ("4.46", None, True, 32),
        ("4.46", 4096, True, 32),
        ("4.46", 4095, False, 1),
        ("4.46", 131072, True, 32),
        ("4.52", None, False, 32),
        ("4.57", 4096, False, 32),
        ("4.57", 4097, True, 32),
        ("5", None, False, 32),
        ("5", 4096, False, 32),
        ("5", 4097, True, 32),
    ):
        divisors = lists["long_factor" if is_long else "short_factor"]
        e = encodings.from_config(path_of(PHI), semantics, length)["all"]
        truth = [mpf(10000) ** (-mpf(i) / 48) / mpf(by) for i, by in enumerate(divisors)]
        np.testing.assert_allclose(e.frequencies(), [float(item) for item in truth], rtol=1e-15)
        own = sqrt(1 + ln(mpf(factor)) / ln(mpf(4096)))
        assert e.attention_factor == pytest.approx(float(own), rel=1e-15)


@pytest.mark.parametrize("semantics", ["4.46", "4.52", "4.57"])
def test_longrope_before_5_reads_its_length_at_the_top_level(semantics):
    lists = {"short_factor": [1.0] * 64, "long_factor": [2.0] * 64}
    within = {"rope_type": "longrope", "original_max_position_embeddings": 4096, "factor": 4.0}
    inner = llama(rope_scaling={**within, **lists})
    taken = read(inner, semantics)
    assert taken["original_max_position_embeddings"] == 32768
    assert taken["factor"] == 4.0
    outer = llama(
        rope_scaling={"rope_type": "longrope", "factor": 4.0, **lists},
        original_max_position_embeddings=4096,
    )
    taken = read(outer, semantics)
    assert taken["original_max_position_embeddings"] == 4096
    assert taken["factor"] == 8.0  # the quotient, not the factor in the file
    assert read(outer, "5")["factor"] == 4.0
    assert read(inner, "5")["original_max_position_embeddings"] == 4096


@pytest.mark.parametrize("semantics", ["4.46", "4.52", "4.57"])
@pytest.mark.parametrize(
    "name", ["llama-3.1-8b", "qwen2.5-7b-yarn", "gemma-3-4b", "glm-4-9b-chat-hf"]
)
def test_versions_4_ignore_rope_parameters(name, semantics):
    configuration = encodings.read_config(path_of(f"{name}.new"), semantics)
    base = {"gemma-3-4b": 1e6}.get(name, 1e4)
    e = configuration.encodings.get("all") or configuration.encodings["full_attention"]
    assert e.rope_theta == base
    assert e.rope_type == "default"
    (warning,) = findings_of_kind(configuration, "versions")
    assert warning.level == "warning"
    assert warning.field.endswith("rope_parameters")
    (note,) = findings_of_kind(encodings.read_config(path_of(f"{name}.new")), "versions")
    assert (note.level, note.field) == ("note", warning.field)


def test_missing_bases_have_defaults():
    for model_type, before, now in (
        ("cohere", 1e4, 5e5),
        ("persimmon", 25000, 1e4),
        ("qwen3_vl", 5e6, 5e5),
        ("olmo3", 1e4, 5e5),
        ("llama", 1e4, 1e4),
        ("gpt_oss", 150000, 150000),
    ):
        for version in VERSIONS:
            result = encodings.from_config(llama(model_type=model_type, rope_theta=None), version)
            assert {e.rope_theta for e in result.values()} == {now if version == "5" else before}


def test_version_5_prefers_the_length_at_the_top_level():
    fields = llama(rope_scaling=dict(YARN), original_max_position_embeddings=4096)
    assert read(fields, "5")["original_max_position_embeddings"] == 4096
    assert read(fields, "4.57")["original_max_position_embeddings"] == 32768
    (warning,) = findings_of_kind(encodings.read_config(fields), "overridden")
    assert "4,096 at the top level takes precedence" in warning.why


def test_both_dictionaries_in_version_5():
    both = {"rope_scaling": dict(YARN), "rope_parameters": {"rope_theta": 1e6}}
    fields = llama(**both, rope_theta=None)
    assert read(fields, "5")["rope_type"] == "yarn"
    assert read(fields, "5")["rope_theta"] == 1e4  # missing in both and at the top level
    assert read(llama(**both, rope_theta=5e5), "5")["rope_theta"] == 5e5
    own = llama(rope_scaling={**YARN, "rope_theta": 7e5}, rope_parameters={"rope_theta": 1e6})
    assert read(own, "5")["rope_theta"] == 7e5
    assert "two-forms" in [finding.kind for finding in encodings.read_config(fields).findings]


def test_the_length_in_use_can_be_replaced():
    for config, length, pair in (
        (llama(rope_scaling={"rope_type": "dynamic", "factor": 2.0}), 65536, 1),
        (llama(rope_scaling={"rope_type": "dynamic", "factor": 4.0}), 40000, 1),
        (path_of(PHI), 4097, 40),  # it has another list for longer texts
    ):
        e = encodings.from_config(config)["all"]
        longer = dataclasses.replace(e, sequence_length=length)
        assert longer == encodings.from_config(config, "5", length)["all"]
        assert longer.frequencies()[pair] < e.frequencies()[pair]
