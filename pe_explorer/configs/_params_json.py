"""Reads params.json, the configuration format of Mistral's and Meta's own code.

Sources: mistral-inference, args.py and rope.py; vLLM, transformers_utils/configs/mistral.py;
llama-models, models/llama3/model.py and models/llama4/args.py.
"""

from collections.abc import Mapping
from typing import Any

from pe_explorer.configs._fields import Fields
from pe_explorer.configs._findings import Findings
from pe_explorer.configs.values import WARNING

MISTRAL, META = "mistral params.json", "meta params.json"
"""The entries of `classes.json` for these formats."""

_OF_META = ("multiple_of", "ffn_dim_multiplier", "use_scaled_rope", "nope_layer_interval")
_NAMES = {
    "dim": "hidden_size",
    "n_layers": "num_hidden_layers",
    "n_heads": "num_attention_heads",
    "n_kv_heads": "num_key_value_heads",
    "hidden_dim": "intermediate_size",
}
_OF_YARN = {"beta": "beta_fast", "alpha": "beta_slow", "apply_scale": "attention_factor"}
_OTHER_PARTS = ("vision_encoder", "vision_args", "multimodal", "moe", "moe_args", "quantization")
"""Fields of other parts of the model."""


def is_params_json(document: Mapping[str, Any]) -> bool:
    """Return whether an object is in one of these formats."""
    return "model_type" not in document and {"dim", "n_heads"} <= document.keys()


def translated(document: Mapping[str, Any], findings: Findings) -> tuple[Fields, str]:
    """Return the fields under their names in transformers, and the name of the entry to use.

    The paths of the fields are those of the file.
    """
    given = Fields(document)
    values = {_NAMES.get(n, n): value for n, value in document.items() if n not in _OTHER_PARTS}
    paths = {new: old for old, new in _NAMES.items()}
    if any(name in document for name in _OF_META):
        _translate_meta(given, values, paths, findings)
        return Fields(values, paths=paths), META
    _translate_mistral(given, values, paths)
    return Fields(values, paths=paths), MISTRAL


def _translate_mistral(given: Fields, values: dict[str, Any], paths: dict[str, str]) -> None:
    if "max_position_embeddings" in values:
        values.pop("max_seq_len", None)  # the longest batch of the original code
    yarn, queries = given.within("yarn"), given.within("llama_4_scaling")
    for name in ("yarn", "llama_4_scaling"):
        values.pop(name, None)
    rope: dict[str, Any] = {}
    if yarn is not None:
        rope = {_OF_YARN.get(name, name): value for name, value in yarn.values.items()}
        # If `apply_scale` is false, cosines and sines are not scaled.
        factor = 1.0 if yarn.flag("apply_scale") is False else None
        rope |= {"rope_type": "yarn", "attention_factor": factor}
        paths |= {"rope_scaling": "yarn"}
        paths |= {f"rope_scaling.{new}": f"yarn.{old}" for old, new in _OF_YARN.items()}
    if queries is not None:
        others = {name: value for name, value in queries.values.items() if name != "beta"}
        rope = {"rope_type": "default", **others, **rope}
        rope["llama_4_scaling_beta"] = queries.number("beta")
        paths["rope_scaling.llama_4_scaling_beta"] = "llama_4_scaling.beta"
    if rope:
        values["rope_scaling"] = rope
    windows = values.get("sliding_window")
    if isinstance(windows, list):
        repeats = (given.count("n_layers") or 0) // max(1, len(windows))
        kinds = ["full_attention" if each is None else "sliding_attention" for each in windows]
        values["layer_types"] = kinds * repeats
        values["sliding_window"] = next((each for each in windows if each is not None), None)


def _translate_meta(
    given: Fields, values: dict[str, Any], paths: dict[str, str], findings: Findings
) -> None:
    interval = given.whole("nope_layer_interval")
    if values.pop("nope_layer_interval", None):
        count = given.count("n_layers") or 0
        without_rope = [(index + 1) % (interval or 1) == 0 for index in range(count)]
        values["no_rope_layers"] = [int(not each) for each in without_rope]
        kinds = ("chunked_attention", "full_attention")
        values["layer_types"] = [kinds[each] for each in without_rope]
        paths |= dict.fromkeys(("no_rope_layers", "layer_types"), "nope_layer_interval")
    factor, high = values.pop("rope_scaling_factor", None), values.pop("rope_high_freq_factor", 4)
    if not values.pop("use_scaled_rope", None):
        return
    if factor is None:
        happens = "rope_scaling_factor is missing, so 8 is used as in Llama 3.1"
        why = "Llama 3.2 models use 32, so add it to their files"
        findings.add(WARNING, "missing", "use_scaled_rope", happens, why)
    values["rope_scaling"] = {
        "rope_type": "llama3",
        "factor": 8.0 if factor is None else factor,
        "low_freq_factor": 1.0,
        "high_freq_factor": high,
        "original_max_position_embeddings": 8192,
    }
    paths["rope_scaling"] = "use_scaled_rope"
    paths["rope_scaling.factor"] = "rope_scaling_factor"
    paths["rope_scaling.high_freq_factor"] = "rope_high_freq_factor"
