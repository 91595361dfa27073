"""Records what transformers' own modules compute for each default configuration.

    python -m tests.witness.record FILE [TYPE ...]

needs torch and transformers. It never reads `classes.json`, so its file can test it.
"""

import json
import lzma
import re
import sys
from pathlib import Path

import torch

from tests.witness import library

POSITIONS = (1, 100, 4095)


def record(model_type):
    try:
        config = library.default_config(model_type).to_dict()
    except Exception as error:
        return {"problem": f"{error!r}"[:200]}
    found = {"config": json.loads(json.dumps(config, default=str))}
    trace, problem = library.trace_default(model_type)
    if trace is None:
        return {**found, "problem": problem}
    model = trace.model
    found["config"] = json.loads(json.dumps(model.config.to_dict(), default=str))
    found |= {"model": type(model).__name__, "finished": trace.finished, "problem": trace.problem}
    schemes = {}
    for call in trace.calls:
        if library.TOWER.search(f"{call.path}."):
            continue
        part = next((name for name in ("indexer", "compressor") if name in call.path), "")
        key = part or call.rotary, call.layer_type, part, call.partner, call.width
        layout = {None: "?", 1: "interleaved"}.get(call.partner, "half")
        same = {"part": part, "layer_type": call.layer_type, "layout": layout}
        entry = schemes.setdefault(key, {"layers": [], **same, "rotary": call.rotary})
        layer = library.LAYER.search(f"{call.path}.")
        number = int(layer[1]) if layer else -1
        if number not in entry["layers"]:
            entry["layers"].append(number)
    for entry in schemes.values():
        entry |= _numbers(model, entry.pop("rotary"), entry["layer_type"])
    found["rotary"] = list(schemes.values())
    found["tables"] = [
        [path, *module.weight.shape]
        for path, module in library.tables_of(model)
        if re.search(r"pos|wpe|relative", path, re.IGNORECASE)
    ]
    return found


def _numbers(model, path, layer_type):
    rotary = library.on_cpu(model, path) if path else None
    if rotary is None:
        return {}
    name = f"{layer_type}_inv_freq" if layer_type else "inv_freq"
    found = {}
    frequencies = getattr(rotary, name, getattr(rotary, "inv_freq", None))
    if frequencies is not None:
        found["frequencies"] = [float(f"{number:.8g}") for number in frequencies.flatten().tolist()]
    scale = getattr(rotary, "attention_scaling", 1.0)
    found["attention"] = float(getattr(rotary, f"{layer_type}_attention_scaling", scale))
    try:
        with torch.no_grad():
            made = library.cos_sin(rotary, layer_type, POSITIONS)
    except Exception:
        return found
    cosines = made[0] if isinstance(made, tuple) else made.real
    cosines = cosines.reshape(-1, cosines.shape[-1])[: len(POSITIONS)]
    found["cosines"] = [[round(value, 6) for value in row] for row in cosines.tolist()]
    return found


if __name__ == "__main__":
    file, *names = sys.argv[1:]
    found = {}
    for name in names or library.model_types():
        try:
            found[name] = record(name)
        except Exception as error:
            found[name] = {"problem": f"record: {error!r}"[:200]}
        if len(found) % 50 == 0:
            print(len(found), flush=True)
    text = json.dumps({"transformers": library.transformers.__version__, "types": found})
    Path(file).write_bytes(lzma.compress(text.encode()))
