"""Invalid and hostile files are refused in one line."""

import json
import os

import pytest
from hypothesis import given, settings, strategies as st

from pe_explorer import configs, encodings
from pe_explorer.analysis.configuration import check
from pe_explorer.commandline import main as cli
from pe_explorer.commandline.check import CheckedFile, format_file_lines, make_file_json
from pe_explorer.configs import read
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import Exploration
from pe_explorer.files import opening
from pe_explorer.files.session import SessionError, dumps
from tests.configs.support import OLD_NAMES, YARN, config_file, fields_of, llama, scaled
from tests.support.commands import error_line


def refused(source, *words):
    """Return the error message, after checking that it is one line with these words."""
    with pytest.raises(EncodingError) as exc_info:
        encodings.read_config(source)
    message = str(exc_info.value)
    assert "\n" not in message
    assert len(message) < 400
    for word in words:
        assert word in message
    return message


FILES = {
    "empty": (b"", "is empty"),
    "no JSON": (b"model_type: llama", "not valid JSON (line 1, column 1"),
    "cut short": (b'{"model_type": "llama"', "not valid JSON"),
    "no text": (b"\x80\x02}q\x00.", "is not UTF-8 text"),
    "brackets": (b"[" * 10**6 + b"]" * 10**6, "nested too deeply"),
    "objects": (b'{"a":' * 10**5 + b"1" + b"}" * 10**5, "nested too deeply"),
    "a list": (b'["llama"]', "got a list"),
    "a number": (b"7", "got a single value"),
    "an empty object": (b"{}", "got an empty object"),
    "digits": (b'{"head_dim": ' + b"9" * 5000 + b"}", "a number with thousands of digits"),
    "a session": (dumps(Exploration()).encode(), "is a PE Explorer session"),
    "too large": (b" " * ((16 << 20) + 1), "is larger than 16 MB"),
}


@pytest.mark.parametrize("name", FILES)
def test_unreadable_files_are_refused(name, tmp_path):
    data, words = FILES[name]
    path = tmp_path / "config.json"
    path.write_bytes(data)
    message = refused(path, words)
    assert message.startswith(str(path))


def test_missing_files_folders_and_pipes_are_refused(tmp_path):
    refused(tmp_path / "none.json", "no such file")
    refused(tmp_path, "is a folder")
    refused(7, "a path or a mapping, got 7")
    assert refused("", "the path is empty").startswith("the configuration: ")
    refused("a\0b", "cannot be read")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "config.json")  # reading it would never end
        refused(tmp_path / "config.json", "a device or a pipe")


LONGROPE = {"rope_type": "longrope", "factor": 2.0, "short_factor": [1.0] * 64}
LONGROPE["long_factor"] = [1.0] * 64
FIELDS = {
    "text for a number": (llama(head_dim="128"), "head_dim: expected a number, got '128'"),
    "NaN": (llama(rope_theta=float("nan")), "rope_theta: expected a finite number"),
    "infinity": (
        scaled(**{**YARN, "factor": float("inf")}),
        "rope_scaling.factor: expected a finite number",
    ),
    "a factor of 0": (
        scaled(**{**YARN, "factor": 0}),
        "rope_scaling.factor: expected a number above 0",
    ),
    "a large whole number": (
        llama(rope_theta=10**400),
        "rope_theta: expected a finite number, got 1000",
    ),
    "a negative base": (llama(rope_theta=-1), "rope_theta: expected a number above 0"),
    "true for a number": (llama(head_dim=True), "head_dim: expected a number"),
    "a share of a channel": (llama(head_dim=128.5), "head_dim: expected a whole number"),
    "a factor that is no number": (
        scaled(**{**LONGROPE, "short_factor": ["x"] * 64}),
        "rope_scaling.short_factor.0: expected a number, got 'x'",
    ),
    "no object": (llama(rope_scaling="linear"), "rope_scaling: expected an object"),
    "no type": (scaled(rope_type=7), "rope_scaling.rope_type: expected a string"),
    "a trained length of 1": (
        scaled(**LONGROPE, original_max_position_embeddings=1),
        "original_max_position_embeddings",
    ),
    "a large attention factor": (scaled(**YARN, attention_factor=1e300), "attention: "),
    "a large scale": (
        llama(
            model_type="deepseek_v3",
            qk_rope_head_dim=64,
            rope_scaling={**YARN, "mscale_all_dim": 1e300},
        ),
        "rope_scaling.mscale_all_dim: 1e+300 is too large",
    ),
    "layers that are numbers": (
        llama(layer_types=[1, 2]),
        "layer_types: expected the name of a layer type, got 1",
    ),
    "layers that are null": (
        llama(layer_types=[None] * 4),
        "layer_types: expected the name of a layer type, got null",
    ),
    "no layer of that number": (
        llama(model_type="gemma4_unified", per_layer_config={"9" * 5000: {"head_dim": -1}, "0": 1}),
        "per_layer_config.0: expected an object",
    ),
    "the largest float": (scaled(**{**YARN, "factor": (2 - 2**-52) * 2.0**1023}), "1e12, got "),
    "a base below 1": (llama(rope_theta=0.5), "rope_theta"),
    "layers that are texts": (
        llama(attn_layer_indices=["1"]),
        "attn_layer_indices: expected the number of a layer, got '1'",
    ),
    "a layer that is true": (
        llama(attn_layer_indices=[True]),
        "attn_layer_indices: expected the number of a layer, got True",
    ),
    "a layer below 0": (
        llama(model_type="llama4", no_rope_layers=[1, -1]),
        "no_rope_layers: expected numbers of at least 0",
    ),
    "no switch": (
        scaled(**YARN, truncate="yes"),
        "rope_scaling.truncate: expected true or false, got 'yes'",
    ),
    "a factor that is null": (
        scaled(**{**LONGROPE, "short_factor": [None] * 64}),
        "rope_scaling.short_factor: expected numbers, got a list that contains null",
    ),
    "no list": (llama(layer_types="full_attention"), "layer_types: expected a list"),
    "no length": (
        llama(max_position_embeddings=0),
        "max_position_embeddings: expected a whole number from 1 to 2^53, got 0",
    ),
    "a text of no model": (llama(model_type=["llama"]), "model_type: expected a string"),
}


def test_invalid_fields_are_refused():
    for source, words in FIELDS.values():
        refused(source, words)


def test_numbers_beyond_float64_are_refused(tmp_path):
    path = tmp_path / "config.json"
    text = json.dumps(scaled(**YARN)).replace("4.0", "1e400")
    path.write_text(text, encoding="utf-8")
    refused(path, "rope_scaling.factor: expected a finite number")
    path.write_text(json.dumps(llama(rope_theta=float("nan"))), encoding="utf-8")
    refused(path, "rope_theta: expected a finite number, got nan")


def test_names_from_a_file_stay_on_one_line():
    fields = scaled(**YARN, **{"a\nb": 1, "x" * 10**6: 2})
    actual = read({**fields, "model_type": "of\nlines" * 1000}, assume="llama").findings
    assert len(actual) >= 3
    assert all("\n" not in finding.line for finding in actual)
    assert all(len(finding.happens) < 200 for finding in actual)


def test_invalid_ratios_are_ignored_and_infinity_is_allowed(tmp_path):
    fields = {"model_type": "deepseek_v4", "num_hidden_layers": 2, "compress_ratios": [[0], {}]}
    assert "sliding_attention" not in encodings.read_config(fields).layers
    path = tmp_path / "config.json"
    path.write_text(json.dumps(llama(time_step_limit=[0.0, float("inf")])), encoding="utf-8")
    assert encodings.from_config(path)["all"].head_dim == 128
    fields = {"model_type": "t5", "d_model": 512, "num_heads": 8, "num_layers": 6}
    assert encodings.read_config(fields).encodings == {}
    with pytest.raises(EncodingError, match="model_type: t5"):
        encodings.from_config(fields)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
NAMES = (
    "model_type", "head_dim", "hidden_size", "num_attention_heads", "num_hidden_layers",
    "rope_theta", "rope_scaling", "rope_parameters", "layer_types", "no_rope_layers",
    "max_position_embeddings", "partial_rotary_factor", "sliding_window", "text_config",
    "attn_config", "position_embedding_type", "original_max_position_embeddings", "dtype",
)  # fmt: skip


@given(
    st.sampled_from(["llama", "gemma3", "gemma4", "phi3", "gpt_oss", "mpt", "whisper", "x"]),
    st.dictionaries(st.sampled_from(NAMES), JUNK, max_size=4),
    st.dictionaries(
        st.sampled_from(["rope_type", "type", "factor", "beta_fast", "truncate", "mscale"]),
        JUNK | st.sampled_from(["yarn", "linear", "longrope", "llama3", "dynamic"]),
        max_size=4,
    ),
    st.sampled_from(["4.46", "4.52", "4.57", "5"]),
)
@settings(max_examples=60, deadline=None)
def test_any_content_is_read_or_refused(model_type, fields, scaling, semantics):
    document = {**llama(model_type=model_type), "rope_scaling": scaling, **fields}
    try:
        checked = check(document, semantics, assume="llama")
        file = CheckedFile("config.json", "config.json", b"", [checked])
        json.dumps(make_file_json(file, None, None), allow_nan=False)
        message = list(format_file_lines("config.json", [checked]))
    except EncodingError as error:
        message = [str(error)]
    assert all("\n" not in line for line in message)


GGUF = {
    "general.architecture": "qwen2",
    "qwen2.block_count": 28,
    "qwen2.context_length": 32768,
    "qwen2.rope.freq_base": 1e6,
    "qwen2.rope.dimension_count": 128,
    "qwen2.rope.scaling.type": "yarn",
    "qwen2.rope.scaling.factor": 4.0,
    "qwen2.rope.scaling.original_context_length": 32768,
}
FOREIGN = {
    "generation": (
        {"bos_token_id": 1, "do_sample": True, "temperature": 0.6, "transformers_version": "4.57"},
        ["generation_config.json"],
    ),
    "generation of a model": ({"_from_model_config": True, "eos_token_id": 2}, ["generation"]),
    "tokenizer_config": (
        {"tokenizer_class": "T", "model_max_length": 8192, "processor_class": "P"},
        ["tokenizer"],
    ),
    "tokenizer": (
        {"version": "1.0", "added_tokens": [], "pre_tokenizer": None, "model": {"type": "BPE"}},
        ["tokenizer"],
    ),
    "an adapter": ({"peft_type": "LORA", "r": 8}, ["adapter", "base model"]),
    "an adapter with sizes": (
        {"peft_type": "PROMPT_TUNING", "num_attention_heads": 12, "num_layers": 12},
        ["adapter", "base model"],
    ),
    "an index": ({"metadata": {"total_size": 1}, "weight_map": {"a": "b"}}, ["index", "weight"]),
    "modules": (
        [{"idx": 0, "type": "sentence_transformers.models.Transformer"}],
        ["sentence-transformers"],
    ),
    "sentence-transformers": (
        {"__version__": {"sentence_transformers": "3.0"}, "prompts": {}},
        ["sentence-transformers"],
    ),
    "sentence_bert_config": (
        {"max_seq_length": 256, "do_lower_case": False},
        ["sentence-transformers"],
    ),
    "an image processor": (
        {"image_processor_type": "SiglipImageProcessor", "size": {"height": 384}},
        ["processor"],
    ),
    "a feature extractor": ({"feature_extractor_type": "W", "sampling_rate": 1}, ["extractor"]),
    "a processor": ({"processor_class": "LlavaProcessor", "patch_size": 14}, ["processor"]),
    "GGUF": (
        GGUF,
        [
            "GGUF",
            "rope.freq_base = rope_theta",
            "context_length = max_position_embeddings",
            "rope.scaling.factor = rope_scaling.factor",
            "original_context_length = rope_scaling.original_max_position_embeddings",
            "rope.dimension_count",
        ],
    ),
    "GGUF as it is dumped": (
        {"metadata": {key: {"value": value} for key, value in GGUF.items()}, "tensors": {}},
        ["GGUF", "rope.freq_base = rope_theta"],
    ),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_every_reader_names_the_file_to_use_instead(name, tmp_path, capsys):
    document, words = FOREIGN[name]
    path, sentence = str(config_file(tmp_path, document)), configs.describe_foreign_file(document)
    for word in (*words, "config.json"):
        assert word in sentence
    with pytest.raises(EncodingError) as exc_info:
        encodings.read_config(path)
    assert str(exc_info.value) == f"{path}: {sentence}"
    with pytest.raises(SessionError) as refused:
        opening.read(path)
    assert refused.value.problem == f"{path}: {sentence}"
    target = tmp_path / "x.npy"
    lines = {
        error_line(capsys, "check", path),
        error_line(capsys, "check", path, "--assume", "llama"),
        error_line(capsys, "export", "--config", path, "-o", str(target)),
    }
    assert {line.partition(f"{path}: ")[2] for line in lines} == {f"{sentence}\n"}
    assert not target.exists()


def test_other_json_is_refused_by_every_reader(tmp_path, capsys):
    path = str(config_file(tmp_path, {"name": "x", "version": 1}))
    assert "model_type" in error_line(capsys, "check", path)
    with pytest.raises(SessionError, match="model_type"):
        opening.read(path)


def test_configurations_can_have_fields_of_other_files():
    others = {"tokenizer_class": "T", "torch_dtype": "bfloat16", "eos_token_id": 2}
    others |= {"temperature": 1.0, "do_sample": False, "quantization_config": {"bits": 4}}
    others |= {"chat_template": "x", "processor_class": "P"}
    for name in OLD_NAMES:
        document = {**fields_of(name), **others}
        assert configs.describe_foreign_file(document) == ""
        assert configs.read(document).schemes == configs.read(fields_of(name)).schemes
    nameless = {**llama(model_type=None), **others}
    assert configs.read(nameless, assume="llama").schemes == configs.read(llama()).schemes


def test_the_window_accepts_configurations_with_such_fields(tmp_path):
    path = config_file(tmp_path, {**llama(), "tokenizer_class": "T", "do_sample": True})
    assert opening.find_kind(opening.read(path)) == opening.CONFIGURATION
    assert cli.main(["check", str(path)]) == 0
    assert json.loads(path.read_text(encoding="utf-8"))["do_sample"]
