"""Find the text model in a configuration, and the class of the text model."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product
from typing import Any, NoReturn

from pe_explorer.configs._fields import Fields
from pe_explorer.configs._findings import Findings, to_text
from pe_explorer.configs.classes import ModelClass, find_class
from pe_explorer.configs.semantics import Semantics
from pe_explorer.configs.values import NOTE, WARNING
from pe_explorer.json_text import DuplicateKeyObject

_TEXT_FIELDS = ("text_config", "llm_config", "language_config", "thinker_config")
"""The fields that can contain the text model if a configuration describes several models."""
_MAX_NESTING = 3  # maximum depth of the text model in nested configurations
_MAX_REPEATED_NOTES = 20
_ROPE_FIELDS = ("rope_theta", "rope_scaling", "rope_parameters", "partial_rotary_factor")
"""Fields that take effect only within the text model."""

LENGTH_FIELDS = ("max_position_embeddings", "n_positions", "seq_length", "max_seq_len")
HEAD_FIELDS = ("num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads")
WIDTH_FIELDS = ("hidden_size", "n_embd", "d_model", "n_embed")
DEPTH_FIELDS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")


@dataclass(frozen=True)
class TextModel:
    """The text model of a configuration under the rules of one version.

    Attributes
    ----------
    fields : Fields
        The fields of the text model.
    containers : tuple of Fields
        The objects that contain the text model, the outermost first.
    cls : ModelClass
    type_path : str
        The path of the field that names the class.
    rules : Semantics
    sequence_length : int or None
        The length in use, which dynamic scaling and LongRoPE depend on.
    findings : Findings
    """

    fields: Fields
    containers: tuple[Fields, ...]
    cls: ModelClass
    type_path: str
    rules: Semantics
    sequence_length: int | None
    findings: Findings

    def integer(self, names: tuple[str, ...], default: int | None, layer: str = "") -> int | None:
        """Return the first present field as an integer, or `default` if no field is present.

        If the default is used and is not None, add a note.
        """
        name = self.fields.find_name(*names)
        if name is not None:
            return self.fields.integer(name)
        if default is not None:
            self.note_default(names[0], to_text(default), layer)
        return default

    @property
    def row_offset(self) -> int:
        """The number of rows that a table has before position 0."""
        padding_id = self.fields.number("pad_token_id") if self.cls.after_padding else None
        return self.cls.row_offset if padding_id is None else max(0, int(padding_id) + 1)

    @property
    def length_fields(self) -> tuple[str, ...]:
        """The fields that can state the maximum number of positions."""
        return tuple(filter(None, (self.cls.length_field, *LENGTH_FIELDS)))

    def length(self) -> int | None:
        """Return the maximum number of positions from the file, or the default of the class."""
        length = self.integer(self.length_fields, self.cls.length)
        if length is None or self.cls.scheme != "learned":
            return length
        return max(1, length + self.cls.extra_rows - self.row_offset)

    def record(
        self, level: str, kind: str, name: str, happens: str, why: str = "", layer: str = ""
    ) -> None:
        """Add a finding about a field of the text model."""
        self.findings.add(level, kind, self.fields.path(name), happens, why, layer)

    def fail(self, kind: str, name: str, happens: str, why: str, layer: str) -> NoReturn:
        """Add an error about a field of the text model, and raise `NoEncodingError`."""
        self.findings.fail(kind, self.fields.path(name), happens, why, layer)

    def note_default(self, name: str, default: str, layer: str = "") -> None:
        """Add a note that a field is missing and the default of the class is used."""
        self.note_missing_field(
            name, f"using {default}, the default of {self.default_class_name}", layer
        )

    def note_missing_field(self, name: str, why: str, layer: str = "") -> None:
        """Add a note that a field is missing, and state the consequence."""
        self.record(NOTE, "default", name, "is missing", why, layer)

    @property
    def default_class_name(self) -> str:
        """The name of the class whose defaults are used."""
        return self.cls.name if self.cls.is_listed else "llama"


def find_model(
    document: Mapping[str, Any], rules: Semantics, length: int | None, findings: Findings
) -> TextModel:
    """Return the text model of a configuration."""
    fields = naming_fields = Fields(document)
    containers: list[Fields] = []
    model_type = fields.text("model_type") or ""
    if "model_type" not in document and {"dim", "n_heads"} <= document.keys():
        fields, model_type = _translate_params(document, findings)
    while len(containers) < _MAX_NESTING:
        cls = find_class(model_type, rules)
        name = fields.find_name(*filter(None, (cls.inner, *_TEXT_FIELDS)))
        inner_fields = fields.read_subfields(name) if name else None
        if inner_fields is None:
            break
        containers.append(fields)
        fields = inner_fields
        if "model_type" in fields:
            naming_fields, model_type = fields, fields.text("model_type") or ""
        elif cls.inner_type:
            model_type = cls.inner_type
    cls = find_class(model_type, rules)
    if cls.inner:  # an old file has all fields of the text model at the top level
        cls = find_class(cls.inner_type, rules)
    type_path = naming_fields.path("model_type")
    model = TextModel(fields, tuple(containers), cls, type_path, rules, length, findings)
    for path in islice(_find_repeated_paths(Fields(document)), _MAX_REPEATED_NOTES):
        happens, why = "is defined more than once", "the last value is used"
        findings.add(NOTE, "repeated-field", path, happens, why)
    for container, name in product(containers, _ROPE_FIELDS):
        value = container.values.get(name)
        if value and value != fields.values.get(name):
            happens = f"has no effect outside {fields.prefix.removesuffix('.')}"
            why = f"move it to {fields.path(name)}"
            findings.add(WARNING, "misplaced", container.path(name), happens, why)
    return model


def list_identifying_fields(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the fields that identify an object as a configuration."""
    names = ("model_type", *_ROPE_FIELDS, *_TEXT_FIELDS, *LENGTH_FIELDS, *HEAD_FIELDS)
    return tuple(name for name in (*names, *WIDTH_FIELDS) if name in document)


def _find_repeated_paths(fields: Fields) -> Iterator[str]:
    if isinstance(fields.values, DuplicateKeyObject):
        yield from map(fields.path, fields.values.duplicate_names)
    for name, value in fields.values.items():
        for entry in value if isinstance(value, list) else [value]:
            if isinstance(entry, dict):
                yield from _find_repeated_paths(Fields(entry, f"{fields.path(name)}."))


# Sources: mistral-inference, args.py and rope.py; vLLM, transformers_utils/configs/mistral.py;
# llama-models, models/llama3/model.py and models/llama4/args.py.

MISTRAL, META = "mistral params.json", "meta params.json"
"""The names in `classes.json` for the params.json formats of Mistral and Meta."""

_META_FIELDS = ("multiple_of", "ffn_dim_multiplier", "use_scaled_rope", "nope_layer_interval")
_HF_NAMES = {
    "dim": "hidden_size",
    "n_layers": "num_hidden_layers",
    "n_heads": "num_attention_heads",
    "n_kv_heads": "num_key_value_heads",
    "hidden_dim": "intermediate_size",
}
_YARN_NAMES = {"beta": "beta_fast", "alpha": "beta_slow", "apply_scale": "attention_factor"}
_IGNORED_FIELDS = ("vision_encoder", "vision_args", "multimodal", "moe", "moe_args", "quantization")


def _translate_params(document: Mapping[str, Any], findings: Findings) -> tuple[Fields, str]:
    """Return fields of a config.json, with paths in the params.json, and the class name."""
    source = Fields(document)
    values = {_HF_NAMES.get(k, k): v for k, v in document.items() if k not in _IGNORED_FIELDS}
    paths = {new: old for old, new in _HF_NAMES.items()}
    if any(name in document for name in _META_FIELDS):
        _translate_meta(source, values, paths, findings)
        return Fields(values, paths=paths), META
    _translate_mistral(source, values, paths)
    return Fields(values, paths=paths), MISTRAL


def _translate_mistral(source: Fields, values: dict[str, Any], paths: dict[str, str]) -> None:
    if "max_position_embeddings" in values:
        values.pop("max_seq_len", None)  # a limit of the original code, not of the model
    yarn_fields, queries = source.read_subfields("yarn"), source.read_subfields("llama_4_scaling")
    for name in ("yarn", "llama_4_scaling"):
        values.pop(name, None)
    rope: dict[str, Any] = {}
    if yarn_fields is not None:
        rope = {_YARN_NAMES.get(name, name): value for name, value in yarn_fields.values.items()}
        # If `apply_scale` is false, cosines and sines are not scaled.
        factor = 1.0 if yarn_fields.flag("apply_scale") is False else None
        values["rope_scaling"] = rope = {**rope, "rope_type": "yarn", "attention_factor": factor}
        paths["rope_scaling"] = "yarn"
        paths |= {f"rope_scaling.{new}": f"yarn.{old}" for old, new in _YARN_NAMES.items()}
    if queries is not None:
        values["rope_scaling"] = rope = {"rope_type": "default", **queries.values, **rope}
        rope["llama_4_scaling_beta"] = queries.number("beta")
        rope.pop("beta", None)
        paths["rope_scaling.llama_4_scaling_beta"] = "llama_4_scaling.beta"
    windows = values.get("sliding_window")
    if isinstance(windows, list):
        repeat_count = (source.read_layer_count("n_layers") or 0) // max(1, len(windows))
        kinds = ["full_attention" if window is None else "sliding_attention" for window in windows]
        values["layer_types"] = kinds * repeat_count
        values["sliding_window"] = next((window for window in windows if window is not None), None)


def _translate_meta(
    source: Fields, values: dict[str, Any], paths: dict[str, str], findings: Findings
) -> None:
    interval = source.integer("nope_layer_interval")
    if values.pop("nope_layer_interval", None):
        count = source.read_layer_count("n_layers") or 0
        switches = [int((index + 1) % (interval or 1) != 0) for index in range(count)]
        kinds = ("full_attention", "chunked_attention")
        values["no_rope_layers"] = switches
        values["layer_types"] = [kinds[switch] for switch in switches]
        paths |= dict.fromkeys(("no_rope_layers", "layer_types"), "nope_layer_interval")
    factor = values.pop("rope_scaling_factor", None)
    high_factor = values.pop("rope_high_freq_factor", 4)
    if not values.pop("use_scaled_rope", None):
        return
    if factor is None:
        happens = "rope_scaling_factor is missing, so 8 is used as in Llama 3.1"
        why = "Llama 3.2 models use 32. For such a model, set rope_scaling_factor to 32"
        findings.add(WARNING, "missing", "use_scaled_rope", happens, why)
    values["rope_scaling"] = {
        "rope_type": "llama3",
        "factor": 8.0 if factor is None else factor,
        "low_freq_factor": 1.0,
        "high_freq_factor": high_factor,
        "original_max_position_embeddings": 8192,
    }
    paths["rope_scaling"] = "use_scaled_rope"
    paths["rope_scaling.factor"] = "rope_scaling_factor"
    paths["rope_scaling.high_freq_factor"] = "rope_high_freq_factor"
