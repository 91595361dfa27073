"""Files and reports that were once read wrongly; expected values from transformers."""

import json
from math import log

import numpy as np
import pytest

from pe_explorer import configs, encodings
from pe_explorer.analysis import configuration
from pe_explorer.encodings import EncodingError
from tests.configs.formulas import scaled_by_yarn
from tests.configs.support import CASES, config_file, findings_of_kind, kinds, llama

FULL, SLIDING, WITHOUT = "full_attention", "sliding_attention", configs.NO_POSITIONS
COMPRESSED, HEAVILY = "compressed_sparse_attention", "heavily_compressed_attention"


def configuration_of(name, **options):
    return configs.read(CASES / f"{name}.json", **options)


def test_nemotron_h_has_no_positions_in_its_six_attention_layers():
    actual = configuration_of("nemotron-3-nano")
    assert actual.schemes == {}
    assert {layer: len(group.indices) for layer, group in actual.layers.items()} == {WITHOUT: 6}
    with pytest.raises(EncodingError):
        encodings.from_config(CASES / "nemotron-3-nano.json")


def test_deepseek_v4_has_a_scheme_per_layer_type():
    meaning = configuration_of("deepseek-v4-flash")
    counts = {layer: len(group.indices) for layer, group in meaning.layers.items()}
    assert counts == {SLIDING: 2, COMPRESSED: 21, HEAVILY: 20}
    assert meaning.layers[SLIDING].indices == (0, 1)
    result = encodings.from_config(CASES / "deepseek-v4-flash.json")
    plain = 1e4 ** (-np.arange(0, 64, 2) / 64)
    np.testing.assert_allclose(result[SLIDING].frequencies(), plain, rtol=1e-12)
    for layer in (COMPRESSED, HEAVILY):
        e = result[layer]
        expected = scaled_by_yarn(64, 160_000.0, 16, 65_536)
        np.testing.assert_allclose(e.frequencies(), expected, rtol=1e-12)
        assert (e.attention_factor, e.layout) == (1.0, "interleaved")


def test_schemes_and_layers_of_other_cases():
    assert encodings.from_config(CASES / "starcoder-learned.json")["all"].name == "learned"
    assert configuration_of("starcoder-learned").trained == 8192
    exaone = configuration_of("exaone-4.5")
    assert exaone.layers[WITHOUT].indices == (3, 7)
    assert list(exaone.schemes) == [SLIDING]
    roberta = configuration_of("roberta-514")  # the first rows are padding
    assert (roberta.trained, roberta.stated) == (512, 512)
    assert roberta.schemes[FULL] == ("learned", {"row_offset": 2})
    result = encodings.from_config(CASES / "deepseek-v3.2-layout.json")
    main = "indexed_attention"  # the indexer has another layout
    layouts = {layer: e.layout for layer, e in result.items()}
    assert layouts == {main: "interleaved", f"{main}.indexer": "half"}
    lfm2 = configuration_of("lfm2-older", semantics="4.57")
    (_, parameters), *_ = lfm2.schemes.values()
    assert parameters["rope_theta"] == 1e6
    assert kinds(lfm2, "warning") == []


def test_ministral_3_multiplies_its_queries():
    check = configuration.check(CASES / "ministral-3.json")
    assert not check.is_misleading
    (note,) = [finding for finding in check.findings if finding.kind == "query-factor"]
    expected = 1 + 0.1 * log(1 + 262_143 // 16_384)
    assert f"{expected:.4f}" in note.happens


def test_one_note_reports_fields_that_older_versions_ignore():
    (note,) = findings_of_kind(configuration_of("contradicting-notes"), "versions")
    assert note.field == "rope_parameters"
    assert not findings_of_kind(configuration_of("contradicting-notes"), "contradiction")


def test_a_resumed_extension_counts_from_the_length_that_the_file_states():
    check = configuration.check(CASES / "linear-resumed.json", length=262_144)
    assert check.trained == 65_536
    assert "--length" in [
        finding.field for finding in check.findings if finding.level == configs.WARNING
    ]


def test_patch_versions_follow_their_minor_version():
    for version in ("5.12", "5.12.1", "5.24.0", "4.57.6"):
        assert not findings_of_kind(configuration_of("roberta-514", semantics=version), "version")
    for version, used in (("4.50", "4.46"), ("5.99", "5.24")):
        (note,) = findings_of_kind(configuration_of("roberta-514", semantics=version), "version")
        assert used in note.line
    for version in ("3.0", "5.x", "", "4.1.2.3", "4.45"):
        with pytest.raises(configs.ConfigError, match="semantics"):
            configuration_of("roberta-514", semantics=version)


def test_a_missing_base_is_a_warning_if_published_models_differ():
    fields = {"model_type": "qwen2", "hidden_size": 896, "num_attention_heads": 14}
    (warning,) = findings_of_kind(configs.read(fields), "lost-base")
    assert "use 1,000,000." in warning.why
    assert warning.level == configs.WARNING


def test_a_tokenizer_with_another_limit_is_noted(tmp_path):
    config_file(tmp_path, llama(max_position_embeddings=4096))
    path = tmp_path / "tokenizer_config.json"
    for limit, count in ((2048, 1), (4096, 0), (int(1e30), 0)):
        path.write_text(f'{{"model_max_length": {limit}}}')
        check = configuration.check(tmp_path / "config.json")
        assert [finding.kind for finding in check.findings].count("tokenizer") == count


def test_texts_longer_than_the_positions_are_a_warning(tmp_path):
    bloom = {"model_type": "bloom", "hidden_size": 64, "n_head": 8, "seq_length": 4096}
    for fields, settings, is_wrong in (
        (llama(max_position_embeddings=4096), {"max_length": 4096}, False),
        (llama(max_position_embeddings=4096), {"max_length": 4097}, True),
        (
            llama(max_position_embeddings=8),
            {"max_length": 20},
            False,
        ),  # transformers writes this default
        (llama(max_position_embeddings=8), {"max_length": 21}, True),
        (llama(), {"max_length": 2**53 + 1}, False),
        (llama(), {"max_length": 10**5, "max_new_tokens": 9}, False),
        (bloom, {"max_length": 10**5}, False),  # a bias has no last position
        (llama(), ["max_length"], False),
    ):
        path = config_file(tmp_path, fields)
        (tmp_path / "generation_config.json").write_text(json.dumps(settings))
        warnings = findings_of_kind(configuration.check(path), "generation")
        levels_and_fields = [(warning.level, warning.field) for warning in warnings]
        assert levels_and_fields == [("warning", "max_position_embeddings")] * is_wrong, settings
        assert all(f"{settings['max_length']:,}" in item.happens for item in warnings)


def test_a_class_is_read_by_the_selected_minor_version(tmp_path):
    fields = {"model_type": "minimax_m2", "head_dim": 128, "rotary_dim": 64, "rope_theta": 5e6}
    parts = {
        version: configs.read(fields, version).schemes[FULL][1]["partial_rotary_factor"]
        for version in ("5", "5.18.0", "5.17.0", "5.2", "4.57")
    }
    assert parts == {"5": 0.5, "5.18.0": 0.5, "5.17.0": 1.0, "5.2": 1.0, "4.57": 0.5}
    assert configs.find_changed_versions(fields) == ("5.17",)


def test_sliding_layers_of_olmo_3_are_scaled_in_early_versions_5():
    lengths = {"factor": 8.0, "original_max_position_embeddings": 8192}
    fields = llama(
        model_type="olmo3",
        layer_types=[SLIDING, FULL],
        rope_scaling={"rope_type": "yarn", **lengths},
    )
    types = {
        version: configs.read(fields, version).schemes[SLIDING][1]["rope_type"]
        for version in ("5", "5.12", "4.57")
    }
    assert types == {"5": "default", "5.12": "yarn", "4.57": "default"}


GRANITE = {
    "model_type": "granite_swa",
    "hidden_size": 512,
    "num_attention_heads": 4,
    "num_hidden_layers": 6,
    "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0},
    "layer_types": [FULL, SLIDING, SLIDING] * 2,
    "layer_rope_theta": [500000, 10000, 10000, 0, 10000, 20000],
}


def test_a_base_of_zero_means_no_positions():
    fields = {**GRANITE, "model_type": "muse_glimmer_text", "sliding_window": 64}
    read = configs.read({**fields, "layer_rope_theta": [1e4, 1e4, 0, 1e4, 1e4, 0]})
    # full layers have no positions, either
    assert read.layers[configs.NO_POSITIONS].indices == (0, 2, 3, 5)


def test_a_negative_base_is_refused():
    with pytest.raises(configs.ConfigError, match="layer_rope_theta"):
        configs.read({**GRANITE, "layer_rope_theta": [-1.0] * 6})
