"""Finds the part of a configuration that describes the text model, and its class."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, NoReturn

from pe_explorer.configs._fields import Fields
from pe_explorer.configs._findings import Findings, value_text
from pe_explorer.configs.classes import ModelClass, class_of
from pe_explorer.configs.semantics import Semantics
from pe_explorer.configs.values import NOTE, WARNING
from pe_explorer.json_text import RepeatingObject

_TEXT_PARTS = ("text_config", "llm_config", "language_config", "thinker_config")
"""The fields that can contain the text model in a configuration of several models."""

_MOST_LEVELS = 3
_MOST_REPEATED = 20  # notes on repeated fields

_ROPE_FIELDS = ("rope_theta", "rope_scaling", "rope_parameters", "partial_rotary_factor")
"""Fields that have no effect outside the text model."""

LENGTHS = ("max_position_embeddings", "n_positions", "seq_length", "max_seq_len")
HEADS = ("num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads")
SIZES = ("hidden_size", "n_embd", "d_model", "n_embed")
COUNTS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")


@dataclass(frozen=True)
class TextModel:
    """The text model of a configuration, under one version's rules.

    Attributes
    ----------
    fields : Fields
        The fields of the text model.
    outer : tuple of Fields
        The objects that contain the text model, the outermost first.
    cls : ModelClass
    type_path : str
        The path of the field that names the class.
    rules : Semantics
    sequence_length : int or None
        The longest length in use.
    findings : Findings
    """

    fields: Fields
    outer: tuple[Fields, ...]
    cls: ModelClass
    type_path: str
    rules: Semantics
    sequence_length: int | None
    findings: Findings

    def whole(self, names: tuple[str, ...], default: int | None, layer: str = "") -> int | None:
        """Return the number in the first field present, or the default of the class."""
        name = self.fields.first(*names)
        if name is not None:
            return self.fields.whole(name)
        if default is not None:
            self.note_default(names[0], value_text(default), layer)
        return default

    @property
    def row_offset(self) -> int:
        """The number of rows of a table before position 0."""
        padding = self.fields.number("pad_token_id") if self.cls.after_padding else None
        return self.cls.row_offset if padding is None else max(0, int(padding) + 1)

    @property
    def length_fields(self) -> tuple[str, ...]:
        """The fields that can state the number of positions."""
        return tuple(filter(None, (self.cls.length_field, *LENGTHS)))

    def length(self) -> int | None:
        """Return the maximum number of positions, by the file or its class."""
        found = self.whole(self.length_fields, self.cls.length)
        if found is None or self.cls.scheme != "learned":
            return found
        return max(1, found + self.cls.extra_rows - self.row_offset)

    def find(
        self, level: str, kind: str, name: str, happens: str, why: str = "", layer: str = ""
    ) -> None:
        """Add a finding about a field of the text model."""
        self.findings.add(level, kind, self.fields.path(name), happens, why, layer)

    def refuse(
        self, kind: str, name: str, happens: str, why: str = "", layer: str = ""
    ) -> NoReturn:
        """Add an error about a field of the text model, and stop reading the layers."""
        self.findings.error(kind, self.fields.path(name), happens, why, layer)

    def note_default(self, name: str, default: str, layer: str = "") -> None:
        """Note that a field is missing, so that the default of the class is used."""
        self.note_missing(name, f"using {default}, the default of {self.like}", layer)

    def note_missing(self, name: str, why: str, layer: str = "") -> None:
        """Note that a field is missing, and what is used instead."""
        self.find(NOTE, "default", name, "is missing", why, layer)

    @property
    def like(self) -> str:
        """The class whose defaults are used."""
        return self.cls.name if self.cls.known else "llama"


def find_model(
    document: Mapping[str, Any], rules: Semantics, length: int | None, findings: Findings
) -> TextModel:
    """Return the text model of a configuration."""
    fields = named = Fields(document)
    outer: list[Fields] = []
    model_type = fields.text("model_type") or ""
    if is_params_json(document):
        fields, model_type = translated(document, findings)
    while len(outer) < _MOST_LEVELS:
        cls = class_of(model_type, rules)
        name = fields.first(*filter(None, (cls.inner, *_TEXT_PARTS)))
        inner = fields.within(name) if name else None
        if inner is None:
            break
        outer.append(fields)
        fields = inner
        if "model_type" in fields:
            named, model_type = fields, fields.text("model_type") or ""
        elif cls.inner_type:
            model_type = cls.inner_type
    cls = class_of(model_type, rules)
    if cls.inner:  # all fields are at the top level, as in old files
        cls = class_of(cls.inner_type, rules)
    type_path = named.path("model_type")
    model = TextModel(fields, tuple(outer), cls, type_path, rules, length, findings)
    for path in islice(_repeated(Fields(document)), _MOST_REPEATED):
        happens, why = "is defined more than once", "the last value is used"
        findings.add(NOTE, "repeated-field", path, happens, why)
    for each in outer:
        _find_misplaced(each, fields, findings)
    return model


def identifying_fields(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Return those fields of an object that identify it as a configuration."""
    identifying = ("model_type", *_ROPE_FIELDS, *_TEXT_PARTS, *LENGTHS, *HEADS, *SIZES)
    return tuple(name for name in identifying if name in document)


def _repeated(fields: Fields) -> Iterator[str]:
    if isinstance(fields.values, RepeatingObject):
        yield from map(fields.path, fields.values.repeated)
    for name, value in fields.values.items():
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, dict):
                yield from _repeated(Fields(inner, f"{fields.path(name)}."))


def _find_misplaced(outer: Fields, inner: Fields, findings: Findings) -> None:
    for name in _ROPE_FIELDS:
        value = outer.values.get(name)
        if not value or value == inner.values.get(name):
            continue
        happens = f"has no effect outside {inner.prefix.removesuffix('.')}"
        why = f"move it to {inner.path(name)}"
        findings.add(WARNING, "misplaced", outer.path(name), happens, why)


# -- params.json, the configuration format of Mistral's and Meta's own code -----------------------
#
# Sources: mistral-inference, args.py and rope.py; vLLM, transformers_utils/configs/mistral.py;
# llama-models, models/llama3/model.py and models/llama4/args.py.

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
    values.pop("yarn", None)
    values.pop("llama_4_scaling", None)
    rope: dict[str, Any] = {}
    if yarn is not None:
        rope = {_OF_YARN.get(name, name): value for name, value in yarn.values.items()}
        # If `apply_scale` is false, cosines and sines are not scaled.
        factor = 1.0 if yarn.flag("apply_scale") is False else None
        values["rope_scaling"] = rope = {**rope, "rope_type": "yarn", "attention_factor": factor}
        paths["rope_scaling"] = "yarn"
        paths |= {f"rope_scaling.{new}": f"yarn.{old}" for old, new in _OF_YARN.items()}
    if queries is not None:
        values["rope_scaling"] = rope = {"rope_type": "default", **queries.values, **rope}
        rope["llama_4_scaling_beta"] = queries.number("beta")
        rope.pop("beta", None)
        paths["rope_scaling.llama_4_scaling_beta"] = "llama_4_scaling.beta"
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
