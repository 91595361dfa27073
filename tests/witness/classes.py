"""Writes `resources/classes.json`: what each model class of transformers does with positions.

    python -m tests.witness.classes            all types of the installed version
    python -m tests.witness.classes TYPE ...   print what is traced of some types

needs torch and transformers. Every class is built without weights and reads some tokens, while
`library.trace` watches what turns queries and keys. `by_hand.json` holds what that cannot show,
each with the place in the library's source; entries there win. Types that neither decides are
printed at the end.
"""

import inspect
import json
import re
import sys
from collections import Counter
from contextlib import suppress
from functools import cache
from pathlib import Path

from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from pe_explorer.configs.classes import ModelClass
from tests.witness import library

ROOT = Path(__file__).parents[2]
TABLE, BY_HAND = ROOT / "resources" / "classes.json", Path(__file__).with_name("by_hand.json")
_INNER = (
    *("text_config", "llm_config", "language_config", "thinker_config", "vlm_config"),
    *("decoder_config", "decoder", "text_encoder", "generator", "encoder"),
)
"""Fields of configurations within others, the text model's first."""
LENGTHS = ("max_position_embeddings", "n_positions", "seq_length", "max_seq_len")
HEADS = ("num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads")
SIZES = ("hidden_size", "n_embd", "d_model", "n_embed")
COUNTS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")
WITHOUT_POSITIONS = ("linear_attention", "conv", "recurrent", "moe", "mlp", "ssm")
_TOKENS = {"input_ids", "decoder_input_ids"}
_OTHER_INPUTS = {
    "images": {"pixel_values", "pixel_values_videos", "flattened_patches", "grid_thw", "image"},
    "audio": {"input_features", "input_values", "audio_values", "spectrogram", "audio_mel"},
    "time series": {"past_values", "context_values"},
}
_BY_NAME = {
    "images": re.compile(r"vision|image|video|^sam|edgetam|vqgan"),
    "audio": re.compile(r"audio|voice|speech|tts|token2wav|bigvgan|mimi|bark|transcribe"),
}
"""Parts of models that take hidden states, by what their names say."""
_POSITIONS = re.compile(r"pos|wpe", re.IGNORECASE)
_ON_A_PAGE = re.compile(r"[xyhw]_pos|box|2d|token_type")


class UndecidedError(Exception):
    """Nothing that was traced says what the positions of a type are."""


def entry(model_type):
    """Return what a type does with positions, in the words of `ModelClass`."""
    config = library.default_config(model_type)
    values = config.to_dict()
    inner = inner_field(model_type)
    if inner and (inner in _INNER[:5] or "count" not in sizes(values)):
        return {"inner": inner, "inner_type": values[inner]["model_type"]}
    if not _TOKENS & inputs(model_type):
        kinds = [kind for kind, names in _OTHER_INPUTS.items() if names & inputs(model_type)]
        kinds += [kind for kind, names in _BY_NAME.items() if names.search(model_type)]
        why = f"it reads {kinds[0]}" if kinds else "it is a part of another model"
        return {"scheme": "other", "why": why}
    trace, problem = library.trace_default(model_type)
    if trace is None:
        raise UndecidedError(problem)
    model = trace.model
    values = model.config.to_dict()
    found = sizes(values)
    calls = [call for call in trace.calls if not library.TOWER.search(f"{call.path}.")]
    if calls:
        ignored = getattr(type(model.config), "ignore_keys_at_rope_validation", None) or set()
        found["neutral"] = sorted(ignored - {"partial_rotary_factor"})
        return {**found, **rotary(values, calls, trace.finished)}
    return {**found, **unrotated(model, values, trace.problem)}


def sizes(values):
    found = {}
    fields = {"hidden_size": SIZES, "heads": HEADS, "count": COUNTS, "length": LENGTHS}
    for key, names in (*fields.items(), ("window", ("sliding_window",))):
        numbers = [values[name] for name in names if type(values.get(name)) is int]
        if numbers and numbers[0] > 0:
            found[key] = numbers[0]
    return found


def rotary(values, calls, finished):
    main = [call for call in calls if "indexer" not in call.path and "compressor" not in call.path]
    found = {"layout": layout(main), **declared(values)}
    types = values.get("layer_types") or []
    turned = layers_of(main)
    if finished:
        still = {kind for index, kind in enumerate(types) if index not in turned}
        still -= {kind for index, kind in enumerate(types) if index in turned}
        found["without_positions"] = sorted(still.difference(WITHOUT_POSITIONS))
    indexers = [call for call in calls if "indexer" in call.path]
    if indexers:
        found["indexer"] = layout(indexers)
        if layers_of(indexers) != turned:
            found["indexed"] = sorted({types[index] for index in layers_of(indexers)})
    return found


def layers_of(calls):
    return {int(found[1]) for call in calls if (found := library.LAYER.search(f"{call.path}."))}


def declared(values):
    found = {}
    width, heads = values.get("hidden_size"), values.get("num_attention_heads")
    quotient = width // heads if type(width) is type(heads) is int and heads else None
    if "qk_rope_head_dim" in values:
        found |= {"latent": True, "head_dim": values["qk_rope_head_dim"]}
    elif values.get("head_dim") and values["head_dim"] != quotient:
        found["head_dim"] = values["head_dim"]
    given = values.get("rope_parameters") or values.get("rope_scaling") or {}
    nested = {layer: each for layer, each in given.items() if isinstance(each, dict)}
    if nested:
        found["by_layer_type"] = True
        found["bases"] = {layer: each.get("rope_theta") for layer, each in nested.items()}
        scaling = {layer: _scaling(each) for layer, each in nested.items()}
        found["scaling"] = {layer: each for layer, each in scaling.items() if each}
    else:
        base = given.get("rope_theta") or values.get("rope_theta") or 1e4
        found["base"] = float(base) if isinstance(base, int | float) else 1e4
        part = given.get("partial_rotary_factor") or values.get("partial_rotary_factor")
        found["part"] = part or values.get("rotary_pct") or 1.0
        found["scaling"] = _scaling(
            {name: each for name, each in given.items() if name != "partial_rotary_factor"}
        )
    found["pattern"] = period(values.get("layer_types") or [])
    found["switches"] = "no_rope_layers" if "no_rope_layers" in values else ""
    return found


def _scaling(given):
    plain = {"rope_type": "default", "partial_rotary_factor": 1.0}
    left = {n: v for n, v in given.items() if n not in ("mrope_section", "rope_theta")}
    return left if any(value != plain.get(name, ...) for name, value in left.items()) else {}


def layout(calls):
    partners = Counter(call.partner for call in calls if call.partner is not None)
    if not partners:
        raise UndecidedError("the layout")
    return "interleaved" if partners.most_common(1)[0][0] == 1 else "half"


def period(types):
    """Return the shortest list that makes the layer types when it is repeated."""
    if set(types) <= {"full_attention"}:
        return []
    lengths = range(1, len(types) // 2 + 1)
    fits = (n for n in lengths if all(types[i] == types[i % n] for i in range(len(types))))
    return types[: next(fits, len(types))]


def unrotated(model, values, problem):
    source = inspect.getsource(sys.modules[type(model).__module__])
    tables = library.tables_of(model)
    if any("relative_attention_bias" in path for path, _ in tables):
        return {"scheme": "other", "why": "it uses buckets of relative positions"}
    names = {type(module).__name__ for module in model.modules()}
    if "alibi" in source or any("Sinusoid" in name for name in names):
        raise UndecidedError("ALiBi or sinusoids")
    found = [
        (path, module)
        for path, module in tables
        if _POSITIONS.search(path.rpartition(".")[2]) and not _ON_A_PAGE.search(path)
    ]
    if not found:
        raise UndecidedError(f"no table of positions; {problem}")
    _, table = found[0]
    rows, offset = table.weight.shape[0], re.search(r"self\.offset = (\d)", source)
    lengths = {
        name: rows - n for name, n in values.items() if type(n) is int and 0 <= rows - n <= 2
    }
    field = next((name for name in (*LENGTHS, *lengths) if name in lengths), "")
    if not field:
        raise UndecidedError(f"a table of {rows} rows")
    entry = {"scheme": "learned", "extra_rows": lengths[field]}
    entry["row_offset"] = int(offset[1]) if offset else 0
    if field not in LENGTHS:
        entry |= {"length_field": field, "length": values[field]}
    padding = "create_position_ids_from_input_ids" in source and table.padding_idx is not None
    if padding:
        entry |= {"row_offset": table.padding_idx + 1, "after_padding": True}
    return entry


@cache
def inputs(model_type):
    try:
        classes = library.model_classes(library.default_config(model_type))
    except Exception:
        return frozenset()
    return frozenset().union(*(inspect.signature(each.forward).parameters for each in classes))


@cache
def inner_field(model_type):
    values = library.default_config(model_type).to_dict()
    for name in _INNER:
        within = values.get(name)
        kind = within.get("model_type") if isinstance(within, dict) else None
        if (
            kind in CONFIG_MAPPING
            and kind != model_type
            and (_TOKENS & inputs(kind) or inner_field(kind))
        ):
            return name
    return ""


def sparse(found):
    """Return an entry without what `ModelClass` takes anyway."""
    plain = ModelClass("")
    empty = ([], {}, None)
    kept = {
        key: value
        for key, value in found.items()
        if value not in empty and getattr(plain, key, ...) != value
    }
    if kept.get("scheme", "rope") != "rope":
        kept = {key: kept[key] for key in kept if key not in ("heads", "window")}
    return kept


def main():
    document = json.loads(BY_HAND.read_text(encoding="utf-8"))
    by_hand = document["classes"]
    found = {}
    for name in sorted({*library.model_types(), *by_hand}):
        given = dict(by_hand.get(name, {}))
        if not given and by_hand.get(name.removesuffix("_text"), {}).get("whole"):
            continue  # the reader takes the entry without the ending
        if given.pop("whole", False):
            found[name] = given
        elif name in (traced := print_undecided(name)):
            found[name] = {**traced[name], **given}
    version = library.transformers.__version__
    write({"about": document["about"], "version": version, "classes": found})


def print_undecided(*names):
    found = {}
    for name in names:
        try:
            found[name] = sparse(entry(name))
        except Exception as error:
            print(f"undecided: {name}: {error!r}"[:160], file=sys.stderr)
    return found


def all_declared():
    found = {}
    for name in library.model_types():
        with suppress(Exception):
            found[name] = sparse(declared(library.default_config(name).to_dict()))
    return found


def write(document):
    rest = {key: value for key, value in document.items() if key != "classes"}
    classes = sorted(document["classes"].items())
    lines = ",\n".join(f'  "{name}": {json.dumps(each)}' for name, each in classes)
    head = json.dumps(rest, indent=1).removesuffix("\n}")
    TABLE.write_text(f'{head},\n "classes": {{\n{lines}\n }}\n}}\n', encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--declared"]:
        print(json.dumps(all_declared()))
    elif sys.argv[1:]:
        print(json.dumps(print_undecided(*sys.argv[1:])))
    else:
        main()
