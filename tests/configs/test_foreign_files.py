"""Files beside a model's configuration are named, in the same words by every reader."""

import json

import pytest

from pe_explorer import configs, encodings
from pe_explorer.commandline import main as cli
from pe_explorer.encodings import EncodingError
from pe_explorer.files import opening
from pe_explorer.files.session import SessionError
from tests.configs.support import OLD_NAMES, fields_of, llama, written
from tests.support.commands import error_line

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
def test_it_is_named_with_the_file_to_give_instead_by_every_reader(name, tmp_path, capsys):
    document, words = FOREIGN[name]
    path, sentence = str(written(tmp_path, document)), configs.foreign_file(document)
    for word in (*words, "config.json"):
        assert word in sentence
    with pytest.raises(EncodingError) as caught:
        encodings.read_config(path)
    assert str(caught.value) == f"{path}: {sentence}"
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
    path = str(written(tmp_path, {"name": "x", "version": 1}))
    assert "model_type" in error_line(capsys, "check", path)
    with pytest.raises(SessionError, match="model_type"):
        opening.read(path)


def test_fields_of_other_files_do_not_make_a_configuration_foreign():
    others = {"tokenizer_class": "T", "torch_dtype": "bfloat16", "eos_token_id": 2}
    others |= {"temperature": 1.0, "do_sample": False, "quantization_config": {"bits": 4}}
    others |= {"chat_template": "x", "processor_class": "P"}
    for name in OLD_NAMES:
        document = {**fields_of(name), **others}
        assert configs.foreign_file(document) == ""
        assert configs.read(document).schemes == configs.read(fields_of(name)).schemes
    nameless = {**llama(model_type=None), **others}
    assert configs.read(nameless, assume="llama").schemes == configs.read(llama()).schemes


def test_a_configuration_is_still_one_in_the_window(tmp_path):
    path = written(tmp_path, {**llama(), "tokenizer_class": "T", "do_sample": True})
    assert opening.kind_of(opening.read(path)) == opening.CONFIGURATION
    assert cli.main(["check", str(path)]) == 0
    assert json.loads(path.read_text(encoding="utf-8"))["do_sample"]
