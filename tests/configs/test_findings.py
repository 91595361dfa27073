"""Findings on fields without effect, contradictions and missing fields."""

import math
import re

import pytest

from pe_explorer import configs
from pe_explorer.commandline.check import EXPLANATION
from pe_explorer.encodings.rope_types import TYPES
from tests.configs.support import (
    FOLDER,
    LLAMA3,
    OLD_NAMES,
    YARN,
    fields_of,
    findings_of_kind,
    kinds,
    llama,
    scaled,
)

STORY_FOLDER = FOLDER.parent / "stories"
LISTS = {"short_factor": [1.0] * 64, "long_factor": [2.0] * 64}
LONGROPE = scaled(rope_type="longrope", factor=8.0, original_max_position_embeddings=4096, **LISTS)


def only(fields, kind, semantics="5"):
    (finding,) = findings_of_kind(configs.read(fields, semantics), kind)
    return finding


CASES = {  # the fields; level, field and texts of the finding
    "a short list": (
        scaled(rope_type="longrope", **{**LISTS, "long_factor": [2.0] * 48}),
        "error: rope_scaling.long_factor: 48 64 128",
    ),
    "a field of llama3 that is missing": (
        scaled(**{k: v for k, v in LLAMA3.items() if k != "low_freq_factor"}),
        "error: rope_scaling.low_freq_factor: llama3",
    ),
    "a factor against the lengths": (
        scaled(**YARN),
        "note: rope_scaling.factor: 4 32,768 131,072 max_position_embeddings 4.52 1",
    ),
    "a trained length at two levels": (
        llama(
            rope_scaling={**YARN, "original_max_position_embeddings": 8192},
            original_max_position_embeddings=4096,
        ),
        "warning: rope_scaling.original_max_position_embeddings: 8,192 4,096",
    ),
    "a misspelled field": (
        scaled(**YARN, beta_fasst=32),
        "warning: rope_scaling.beta_fasst: beta_fast yarn",
    ),
    "a missing base": (fields_of("gpt-oss-bare"), "note: rope_theta: 150,000 gpt_oss"),
    "a field of another type": (
        scaled(rope_type="linear", factor=2.0, beta_fast=32),
        "warning: rope_scaling.beta_fast: linear",
    ),
    "a scale of 0": (scaled(**YARN, beta_fast=0), "warning: rope_scaling.beta_fast: 0 32"),
    "two types": (
        scaled(**YARN, type="linear"),
        "warning: rope_scaling.type: linear rope_type yarn",
    ),
    "scaling beside the model of text": (
        {"model_type": "llava", "text_config": llama(), "rope_scaling": dict(YARN)},
        "warning: rope_scaling: text_config text_config.rope_scaling",
    ),
    "a nested flag": (
        llama(
            model_type="gemma3",
            num_hidden_layers=6,
            rope_theta=None,
            rope_parameters={
                "full_attention": {**YARN, "rope_theta": 1e6, "truncate": False},
                "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
            },
        ),
        "warning: rope_parameters.full_attention.truncate: ",
    ),
    "a flat dictionary in gemma3": (
        llama(
            model_type="gemma3",
            rope_theta=None,
            rope_parameters={"rope_type": "default", "rope_theta": 5e5},
        ),
        "warning: rope_parameters: 1,000,000 10,000 full_attention sliding_attention gemma3",
    ),
    "a length that is not said": (
        scaled(rope_type="yarn", factor=4.0),
        "note: rope_scaling.original_max_position_embeddings: max_position_embeddings 32,768",
    ),
    "a factor that is not said": (
        llama(
            max_position_embeddings=131072,
            rope_scaling={k: v for k, v in YARN.items() if k != "factor"},
        ),
        "note: rope_scaling.factor: max_position_embeddings original_max_position_embeddings 4",
    ),
    "neither a factor nor a length": (scaled(rope_type="yarn"), "error: rope_scaling.factor: yarn"),
    "a switch of another class": (llama(alibi=True), "warning: alibi: llama"),
    "a rotary part of another class": (llama(rotary_pct=0.25), "warning: rotary_pct: llama"),
    "heads of another class": (llama(global_head_dim=512), "warning: global_head_dim: llama"),
    "a type under its old name where it is not read": (
        llama(model_type="olmo3", rope_scaling={"type": "linear", "factor": 2.0}),
        "warning: rope_scaling.type: linear rope_type olmo3",
    ),
    "another encoding": (fields_of("t5-small"), "error: relative_attention_num_buckets: t5"),
    "a length that may have been raised": (llama(), "note: max_position_embeddings: 32,768"),
    "keys under dynamic": (scaled(type="dynamic", factor=2.0), "note: rope_scaling.type: dynamic"),
    "a scale beside an attention factor": (
        scaled(**YARN, mscale=1.0, attention_factor=1.25),
        "warning: rope_scaling.mscale: attention_factor 1.25",
    ),
    "the rows before position 0": (
        fields_of("roberta-base"),
        "note: max_position_embeddings: 512 0 2",
    ),
    "an old name": (scaled(type="su", factor=4.0, **LISTS), "note: rope_scaling.type: su longrope"),
    "a factor of cosines below 1": (
        scaled(**YARN, attention_factor=0.5),
        "note: rope_scaling.attention_factor: 0.5000 4.0000 yarn",
    ),
    "a base in rope_scaling": (
        scaled(**YARN, rope_theta=1e6),
        "warning: rope_scaling.rope_theta: 4.57",
    ),
}
STORIES = {  # from users' reports
    # vllm-project/vllm#42624
    "base-in-the-old-place": "warning: rope_theta: 10,000 500,000 rope_parameters",
    # vllm-project/vllm#46280, ml-explore/mlx-lm#1507
    "attention-factor-ignored": "note: rope_scaling.rope_type: 1.1386 1.2965 yarn",
    # turboderp-org/exllamav3#259
    "mscale-alone": "warning: rope_scaling.mscale: mscale_all_dim 1.3689",
    # onnxruntime/mobius#548, NVIDIA/Megatron-LM#1429
    "mscale-with-both": "note: rope_scaling.mscale_all_dim: 0.707 1.5896",
    # aws-neuron/neuronx-distributed-inference#106
    "proportional-as-partial": "note: rope_parameters.full_attention.rope_type: 64 256"
    " (-2i/512) (-2i/128)",
    # vllm-project/vllm#29111, ggml-org/llama.cpp#14367
    "sliding-layers-scaled": "note: rope_scaling: full_attention sliding_attention",
    "head-dim-as-quotient": "note: head_dim: 128 160",  # EricLBuehler/mistral.rs#643
    "mrope-as-one-axis": "note: rope_scaling.mrope_section: image",  # QwenLM/Qwen3-VL#488
    # karpathy/llama2.c#356, LostRuins/koboldcpp#487
    "codellama-base-lost": "warning: rope_parameters: 4.57 10,000",
}
CASES |= {name: (STORY_FOLDER / f"{name}.json", pattern) for name, pattern in STORIES.items()}
UNDER = {"a base in rope_scaling": "4.57", "codellama-base-lost": "4.57"}


@pytest.mark.sampled(100)
@pytest.mark.parametrize("name", CASES)
def test_findings_of_every_kind(name):
    fields, message = CASES[name]
    level, field, facts = message.split(": ")
    lines = [finding.line for finding in configs.read(fields, UNDER.get(name, "5")).findings]
    of_field = [line.lower() for line in lines if line.startswith(f"{level}: {field}: ")]
    assert any(all(fact.lower() in line for fact in facts.split()) for line in of_field), lines


FULL, SLIDING = "full_attention", "sliding_attention"
NEXT = llama(model_type="qwen3_next", num_hidden_layers=8)
ORDERED = [  # the fields; field, texts in order, and layers of the finding
    (llama(partial_rotary_factor=0.4), "partial_rotary_factor: 128 0.4 51 52 11,979", FULL),
    (
        llama(model_type="mistral", num_attention_heads=33),
        "num_attention_heads: 33 4,096 124",
        SLIDING,
    ),
    (llama(partial_rotary_factor=1.5), "partial_rotary_factor: (128) 1", FULL),
    (llama(head_dim=127), "head_dim: int(127 1.0) 127", FULL),
    (llama(head_dim=127), "head_dim: 127 hidden_size num_attention_heads 128", FULL),
    (llama(model_type="glm"), "partial_rotary_factor: 0.5 glm", FULL),
    (llama(model_type="gptj"), "rotary_dim: 64 gptj", FULL),
    (llama(hidden_size=None), "hidden_size: 4,096 llama", FULL),
    (llama(model_type="deepseek_v3"), "qk_rope_head_dim: 64 deepseek_v3", FULL),
    (llama(model_type="gemma3"), "sliding_window_pattern: 6 gemma3 full", ""),
    (llama(model_type="smollm3"), "no_rope_layers: 4 smollm3 no positional encoding", ""),
    (llama(model_type="smollm3", no_rope_layers=[1, 0, 0, 0]), "no_rope_layers: 3 4", "none"),
    (NEXT, "full_attention_interval: 4 qwen3_next full", ""),
    (NEXT, "full_attention_interval: 6 8 no positional encoding", "none"),
    (llama(layer_types=["conv", FULL] * 2), "layer_types: 2 4 no positional encoding", "none"),
    (llama(layer_types=[FULL] * 5), "layer_types: 5 num_hidden_layers 4", ""),
    (LONGROPE, "rope_scaling.long_factor: short 5 4.46 long", FULL),
    (LONGROPE, "rope_scaling.rope_type: longrope 1.1180 1.2500", FULL),  # √(1 + ln 8 / ln 4096)
    (
        llama(model_type="gemma4", rope_theta=None, layer_types=[SLIDING] * 4),
        f"layer_types: {SLIDING} gemma4 {FULL}",
        "",
    ),
]


@pytest.mark.sampled(100)
@pytest.mark.parametrize(("fields", "pattern", "layers"), ORDERED)
def test_findings_name_numbers_and_layer_types(fields, pattern, layers):
    pattern = ".*".join(map(re.escape, pattern.split()))
    actual = [
        finding
        for finding in configs.read(fields).findings
        if re.search(f": {pattern}", finding.line)
    ]
    assert [" ".join(item.layers) for item in actual] == [layers]


def test_one_layer_can_have_another_head_dimension():
    heads = {"00": {"head_dim": 64}, "1": {"head_dim": 32}}  # some files write zeros before numbers
    fields = llama(model_type="gemma4_unified", per_layer_config=heads)
    ((_, parameters),) = configs.read(fields).schemes.values()
    assert parameters["head_dim"] == 64


NEARLY = {
    "list-length": scaled(rope_type="longrope", factor=4.0, **LISTS),
    "missing": scaled(**LLAMA3),
    "unknown-type": scaled(rope_type="su", factor=4.0, **LISTS),
    "contradiction": scaled(**{**YARN, "factor": 1.0}),
    "overridden": llama(rope_scaling=dict(YARN), original_max_position_embeddings=32768),
    "no-effect": scaled(**YARN, mscale=1.0, mscale_all_dim=0.5),
    "two-forms": llama(rope_theta=1e6, rope_parameters={"rope_theta": 1e6}),
    "unknown-field": scaled(**YARN, beta_fast=16, finetuned=True),
    "default": llama(),
    "misplaced": {"model_type": "llava", "text_config": llama(), "rope_theta": 10000.0},
    "no-encoding": llama(model_type="bert"),
    "versions": scaled(**LLAMA3),
    "trained-length": scaled(**LLAMA3),
    "cached-keys": scaled(rope_type="linear", factor=2.0),
    "old-name": scaled(rope_type="longrope", factor=4.0, **LISTS),
    "attention-factor": scaled(**YARN, attention_factor=1.0),
    "softmax-factor": scaled(**YARN, mscale=1.0, mscale_all_dim=1.0),
    "proportional": llama(partial_rotary_factor=0.25),
    "own-code": llama(auto_map={"AutoTokenizer": "tokenization_x.T"}),
    "unknown-class": llama(model_type="llama_text"),
    "unread-field": llama(use_sliding_window=False, sliding_window=64),
}


@pytest.mark.sampled(100)
@pytest.mark.parametrize("kind", NEARLY)
def test_almost_wrong_files_have_no_finding(kind):
    assert kind not in kinds(configs.read(NEARLY[kind]))


def test_every_kind_of_finding_is_tested():
    documents = [(fields, UNDER.get(name, "5"), None) for name, (fields, _) in CASES.items()]
    documents.append((llama(auto_map={"AutoModel": "x.X"}, yarn=YARN), "5", None))
    documents.append((scaled(rope_type="yarm"), "5", None))
    documents.append((llama(model_type="unheard-of"), "5", "llama"))
    seen = set()
    for fields, version, assume in documents:
        how = {"assume": assume} if assume else {}
        for finding in configs.read(fields, version, **how).findings:
            seen.add(finding.kind)
            assert finding.level in ("error", "warning", "note")
            assert finding.line.startswith(f"{finding.level}: {finding.field}: ")
            assert "\n" not in finding.line
    assert seen == set(NEARLY)
    assert seen <= set(re.findall(r"[a-z-]+", EXPLANATION))


TOP, TYPE = "max_position_embeddings", "rope_scaling.rope_type"
ASSUMED, ATTENTION = f"note trained-length {TOP}", f"note attention-factor {TYPE}"
OF_LONGROPE = [  # under 4.57, and under 5
    [
        "warning versions rope_scaling.original_max_position_embeddings 5",
        f"warning versions {TYPE} 5",
        "note versions rope_scaling.long_factor 4.46",
    ],
    [
        "note versions rope_scaling.original_max_position_embeddings 4.46 4.52 4.57",
        f"note versions {TYPE} 4.46 4.52 4.57",
        "note versions rope_scaling.long_factor 4.46",
    ],
]
WHOLE = [  # a file, and all its findings under 4.57 and 5
    (llama(), [ASSUMED], [ASSUMED]),
    (scaled(rope_type="linear", factor=2.0), [ASSUMED], [ASSUMED]),
    (scaled(rope_type="dynamic", factor=2.0), *[[ASSUMED, f"note cached-keys {TYPE}"]] * 2),
    (scaled(**YARN), *[["note contradiction rope_scaling.factor", ATTENTION]] * 2),
    (scaled(**LLAMA3), [], []),
    (llama(model_type="bloom"), *[["note no-effect rope_theta"]] * 2),
    (llama(model_type="bert"), *[[f"note missing {TOP}", "note no-effect rope_theta"]] * 2),
    (
        LONGROPE,
        *([*of, "note cached-keys rope_scaling.long_factor", ATTENTION] for of in OF_LONGROPE),
    ),
    (
        llama(rope_theta=None, rope_parameters={"rope_theta": 1e6, **YARN}),
        ["warning versions rope_parameters", "note default rope_theta", ASSUMED],
        ["note versions rope_parameters", "note attention-factor rope_parameters.rope_type"],
    ),
    (
        llama(
            model_type="deepseek_v3",
            qk_rope_head_dim=64,
            rope_scaling={**YARN, "mscale": 1.0, "mscale_all_dim": 0.5},
        ),
        *[
            [
                "note contradiction rope_scaling.factor",
                "note versions rope_scaling.mscale 4.46",
                "note attention-factor rope_scaling.mscale",
                "note softmax-factor rope_scaling.mscale_all_dim",
            ]
        ]
        * 2,
    ),
]


@pytest.mark.sampled(20)
@pytest.mark.parametrize("version", ["4.57", "5"])
@pytest.mark.parametrize(("fields", "older", "newest"), WHOLE)
def test_all_findings_of_a_file(fields, older, newest, version):
    actual = configs.read(fields, version).findings
    lines = [" ".join([item.level, item.kind, item.field, *item.versions]) for item in actual]
    assert lines == (newest if version == "5" else older)


def test_findings_name_their_layer_types():
    finding = only(fields_of("gemma-3-4b"), "no-effect")
    assert finding.layers == ("sliding_attention",)
    assert "only full_attention" in finding.happens


def test_an_error_in_one_layer_type_does_not_affect_others():
    fields = fields_of("gemma-3-4b")
    del fields["text_config"]["rope_scaling"]["factor"]
    configuration = configs.read(fields)
    assert list(configuration.schemes) == ["sliding_attention"]
    assert [item.layers for item in findings_of_kind(configuration, "missing")] == [
        ("full_attention",)
    ]


def test_an_unknown_type_lists_known_ones_nearest_first():
    typo = only(scaled(**{**YARN, "rope_type": "yarm"}), "unknown-type")
    assert (typo.level, typo.field) == ("error", "rope_scaling.rope_type")
    assert "'yarm'" in typo.happens
    assert typo.why == "Did you mean 'yarn'?"
    of_vllm = only(scaled(**{**YARN, "rope_type": "deepseek_yarn"}), "unknown-type")
    assert "vLLM" in of_vllm.why
    assert "mscale" in of_vllm.why
    assert of_vllm.happens.index("yarn,") < of_vllm.happens.index("default")
    other = only(scaled(**{**YARN, "rope_type": "mine"}), "unknown-type")
    for finding in (typo, of_vllm, other):
        assert all(name in finding.happens for name in TYPES)


def test_null_counts_as_missing():
    fields = llama(rope_scaling=dict(YARN))
    fields["rope_scaling"].update(mscale=None, truncate=None, beta_fast=None)
    names = ("head_dim", "rope_parameters", "partial_rotary_factor")
    with_nulls = {**fields, **dict.fromkeys(names)}
    assert configs.read(with_nulls).schemes == configs.read(llama(rope_scaling=YARN)).schemes
    assert kinds(configs.read(with_nulls), "warning") == []


def test_scales_with_an_invalid_attention_factor_are_an_error():
    for scale in (-1.0, -100.0):  # with a factor of e^10, a scale of -1 gives 0
        fields = scaled(**{**YARN, "factor": math.exp(10)}, mscale=1.0, mscale_all_dim=scale)
        configuration = configs.read(fields)
        assert configuration.schemes == {}
        (error,) = [finding for finding in configuration.findings if finding.level == "error"]
        assert (error.kind, error.field) == ("contradiction", "rope_scaling.mscale_all_dim")
        assert "not positive" in error.happens


def test_both_dictionaries_are_found_in_every_version():
    fields = llama(rope_scaling=dict(YARN), rope_parameters={"rope_type": "linear", "factor": 2.0})
    for version in configs.SEMANTICS:
        assert only(fields, "two-forms", version).field == "rope_parameters"


def test_a_finding_that_recommends_a_flag_names_it():
    """The window shows other advice, because it has no flags."""
    unknown = llama(model_type="unheard-of", rope_theta=None)
    documents = [llama(), unknown, *(fields_of(name) for name in OLD_NAMES)]
    flags = set()
    for fields in documents:
        for finding in configs.read(fields, assume="llama-if-rotary").findings:
            assert bool(finding.flag) == ("--" in f"{finding.happens} {finding.why}"), finding
            assert finding.flag in finding.why
            flags.add(finding.flag)
    assert flags == {"", "--trained", "--assume"}
