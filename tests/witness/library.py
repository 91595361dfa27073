"""Builds models of transformers without weights, and traces what rotates queries and keys.

Needs torch and transformers; models are built on torch's `meta` device, where tensors have a
shape and no numbers, so that the largest ones take no memory.
"""

import importlib
import inspect
import os
import re
import signal
import sys
import warnings
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"
warnings.filterwarnings("ignore")

import torch  # noqa: E402
import transformers  # noqa: E402
from transformers import MODEL_MAPPING, PreTrainedModel  # noqa: E402
from transformers.configuration_utils import PretrainedConfig as PreTrainedConfig  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402

transformers.logging.set_verbosity_error()
torch.set_num_threads(1)

META = torch.device("meta")
SECONDS = 60  # the longest that one model may take
TOWER = re.compile(r"(^|[._])(vis\w*|image\w*|audio\w*|speech\w*|pixel\w*|video\w*|talker)[._]")
"""In paths of modules that do not read text."""
LAYER = re.compile(r"(?:^|\.)(?:layers?|h|blocks?|layer)\.(\d+)\.")
_ROTARY = re.compile(r"rotary|rope", re.IGNORECASE)
_TOKENS = 8


def model_types():
    return sorted(CONFIG_MAPPING)


def default_config(model_type, repaired=False):
    """Return the default configuration of a model type, if wanted with the gaps filled.

    Some defaults have no width of a head, window or list of layers, and no model can be built.
    """
    eager = {"attn_implementation": "eager", "experts_implementation": "eager"}
    config = CONFIG_MAPPING[model_type](**eager)
    if repaired:
        subs = [getattr(config, name, None) for name in getattr(type(config), "sub_configs", ())]
        for each in (config, *(sub for sub in subs if isinstance(sub, PreTrainedConfig))):
            _fill(each)
    return config


def _fill(config):
    values = config.to_dict()
    heads, width = values.get("num_attention_heads"), values.get("hidden_size")
    if isinstance(heads, int) and isinstance(width, int):
        for name, value in (("head_dim", width // heads), ("num_key_value_heads", heads)):
            if getattr(config, name, None) is None:
                with suppress(Exception):
                    setattr(config, name, value)
        rope = getattr(config, "rope_parameters", None)
        if isinstance(rope, dict) and "rope_theta" in rope and "mrope_section" not in rope:
            part = rope.get("partial_rotary_factor", 1.0)
            pairs = -(-int((values.get("head_dim") or width // heads) * part) // 2)
            rope["mrope_section"] = [pairs - 2 * (pairs // 3), pairs // 3, pairs // 3]
        if rope == {}:
            config.rope_parameters = {"rope_type": "default", "rope_theta": 10000.0}
    if values.get("sliding_window", 0) is None:
        config.sliding_window = 4096
    if values.get("layer_types", 0) is None and values.get("num_hidden_layers"):
        config.layer_types = ["full_attention"] * values["num_hidden_layers"]


def model_classes(config):
    """Return the models of a configuration class: whole ones first, then parts of them."""
    name = type(config).__module__.replace("configuration_", "modeling_")
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError:  # the class of another type
        return [MODEL_MAPPING[type(config)]] if type(config) in MODEL_MAPPING else []
    found = [
        each
        for each in vars(module).values()
        if inspect.isclass(each)
        and issubclass(each, PreTrainedModel)
        and each.__module__ == name
        and getattr(each, "config_class", None) is type(config)
        and not each.__name__.endswith("PreTrainedModel")
    ]
    return sorted(found, key=lambda it: (not it.__name__.endswith("Model"), len(it.__name__)))


@dataclass
class Call:
    """One rotation of queries or keys: where, by which module, and how channels pair up."""

    path: str
    rotary: str
    layer_type: str | None
    partner: int | None
    width: int
    key: Any


@dataclass
class Trace:
    """What a model did with positions while it read some tokens."""

    model: Any
    finished: bool = False
    problem: str = ""
    calls: list[Call] = field(default_factory=list)


def build(model_type, repaired=False):
    """Return the first model that can be built, on the meta device, or None and the reason."""
    problem = "no model class"
    for cls in model_classes(default_config(model_type)):
        try:
            with _limit(), META:
                return cls(default_config(model_type, repaired)), ""
        except Exception as error:
            problem = problem if problem != "no model class" else f"{cls.__name__}: {error!r}"
    return None, problem[:200]


def trace_default(model_type):
    """Return the trace of a type's default configuration, or None and the reason.

    Where nothing can be traced, gaps of the configuration are filled.
    """
    model, problem = build(model_type)
    found = None if model is None else trace(model)
    if found is None or not (found.finished or found.calls):
        repaired, _ = build(model_type, repaired=True)
        second = None if repaired is None else trace(repaired)
        if second is not None and second.calls:
            return second, ""
    return found, problem


class _Watch:
    """Notes what rotates queries and keys while a model reads tokens."""

    def __init__(self, found):
        self.found = found
        self.stack = []
        self.made = {}
        """The rotary module and the layer type that made a tensor, by the tensor's number."""
        self.rotations = {}
        self._alive = []  # so that no other tensor gets the number of one
        for path, module in found.model.named_modules():
            module.register_forward_pre_hook(partial(self._enter, path))
            if _ROTARY.search(type(module).__name__) and list(module.named_buffers(recurse=False)):
                module.register_forward_hook(partial(self._note, path), with_kwargs=True)
            module.register_forward_hook(self._leave)

    def _enter(self, path, _module, _arguments):
        self.stack.append(path)

    def _leave(self, _module, _arguments, _result):
        self.stack.pop()

    def _note(self, path, _module, arguments, named, result):
        words = (each for each in arguments if isinstance(each, str))
        layer_type = named.get("layer_type", next(words, None))
        for each in result if isinstance(result, tuple) else (result,):
            if isinstance(each, torch.Tensor):
                self.made[id(each)] = (path, layer_type)
                self._alive.append(each)

    def rotate(self, function, *arguments, **named):
        given = [*arguments, *named.values()]
        source = next((self.made[id(each)] for each in given if id(each) in self.made), ("", None))
        width = next((each.shape[-1] for each in given if isinstance(each, torch.Tensor)), 0)
        key = (function.__name__, function.__module__, source, width)
        self.rotations.setdefault(key, (function, arguments, named))
        path = self.stack[-1] if self.stack else ""
        self.found.calls.append(Call(path, *source, None, width, key))
        return function(*arguments, **named)


def trace(model):
    found = Trace(model)
    watch = _Watch(found)
    modules = {sys.modules[type(each).__module__] for each in model.modules()}
    functions = [
        (module, name, value)
        for module in modules
        if module.__name__.startswith("transformers.models")
        for name, value in vars(module).items()
        if inspect.isfunction(value) and "apply" in name and _ROTARY.search(name)
    ]
    with torch.no_grad(), on_meta(), _limit():
        for module, name, value in functions:
            setattr(module, name, partial(watch.rotate, value))
        try:
            read_tokens(model)
            found.finished = True
        except Exception as error:
            found.problem = f"{error!r}"[:200]
        finally:
            for module, name, value in functions:
                setattr(module, name, value)
    partners = {
        key: _partner(model, key[2], *given, watch.made) for key, given in watch.rotations.items()
    }
    for call in found.calls:
        call.partner = partners[call.key]
    return found


def tables_of(model):
    """Return the tables of a model that are looked up for text, with their paths."""
    named = [it for it in model.named_modules() if isinstance(it[1], torch.nn.Embedding)]
    return [(path, module) for path, module in named if not TOWER.search(path)]


def read_tokens(model):
    parameters = inspect.signature(model.forward).parameters
    tokens = torch.zeros(1, _TOKENS, dtype=torch.long, device=META)
    given = {name: tokens for name in ("input_ids", "decoder_input_ids") if name in parameters}
    if "use_cache" in parameters:
        given["use_cache"] = False
    with META:
        model.eval()(**given)


def on_cpu(model, path):
    """Return a rotary module like that of a path, with numbers; None where it cannot be made."""
    module = model.get_submodule(path)
    config = getattr(module, "config", None)
    try:
        return type(module)(config) if config is not None else None
    except Exception:
        return None


def cos_sin(rotary, layer_type, positions, width=8):
    """Return what a rotary module with numbers makes of positions."""
    given = {} if layer_type is None else {"layer_type": layer_type}
    x = torch.zeros(1, len(positions), width)
    ids = torch.as_tensor(positions)[None]
    try:
        return rotary(x, ids, **given)
    except Exception:
        return rotary(x, ids[None].expand(3, 1, -1), **given)


def _partner(model, source, function, arguments, named, made):
    """Return the channel that turns together with channel 0; None where it cannot be found."""
    path, layer_type = source
    if not path:
        return None
    try:
        rotary = on_cpu(model, path)
        with torch.device("cpu"), torch.no_grad():
            real = cos_sin(rotary, layer_type, range(1, _TOKENS + 1))
            real = real if isinstance(real, tuple) else (real,)
            places = iter(real)
            swap = [next(places) if id(a) in made else a for a in arguments]
            swapped = {n: next(places) if id(a) in made else a for n, a in named.items()}

            def first(unit):
                def ones(a):
                    if not isinstance(a, torch.Tensor) or a.device.type != "meta":
                        return a
                    if a.dtype in (torch.long, torch.int):
                        return torch.arange(_TOKENS)[None]
                    b = torch.zeros(a.shape)
                    b[..., unit] = 1.0
                    return b

                result = function(*map(ones, swap), **{n: ones(a) for n, a in swapped.items()})
                result = result[0] if isinstance(result, tuple) else result
                rows = result.reshape(-1, result.shape[-1]).abs().sum(0)
                return frozenset(torch.nonzero(rows > 1e-6).flatten().tolist())

            support = first(0)
            tensor = next(a for a in swap + list(swapped.values()) if isinstance(a, torch.Tensor))
            width = tensor.shape[-1]
            for unit in range(1, width):
                if first(unit) == support and len(support) == 2:
                    return unit
    except Exception:
        return None
    return None


@contextmanager
def _limit():
    def stop(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def on_meta():
    """Let meta tensors, which hold no numbers, return harmless ones."""
    tensor, saved = torch.Tensor, {}

    def harmless(old, value):
        return lambda self, *a, **k: (
            value(self) if self.device.type == "meta" else old(self, *a, **k)
        )

    def nonzero(x, *a, as_tuple=False, **k):
        if x.device.type != "meta":
            return torch_nonzero(x, *a, as_tuple=as_tuple, **k)
        none = torch.zeros(0, x.dim(), dtype=torch.long, device=META)
        return none.unbind(1) if as_tuple else none

    def where(condition, *a, **k):
        if not a and condition.device.type == "meta":
            return nonzero(condition, as_tuple=True)
        return torch_where(condition, *a, **k)

    torch_nonzero, torch_where = torch.nonzero, torch.where
    values = {
        "item": lambda _: 0,
        "__bool__": lambda _: True,
        "__int__": lambda _: 1,
        "__index__": lambda _: 1,
        "__float__": lambda _: 1.0,
        "tolist": lambda x: torch.zeros(x.shape, dtype=x.dtype, device="cpu").tolist(),
    }
    for name, value in values.items():
        saved[tensor, name] = getattr(tensor, name)
        setattr(tensor, name, harmless(saved[tensor, name], value))
    saved[tensor, "nonzero"] = tensor.nonzero
    tensor.nonzero = nonzero
    torch.nonzero, torch.where = nonzero, where
    try:
        yield
    finally:
        for (owner, name), old in saved.items():
            setattr(owner, name, old)
        torch.nonzero, torch.where = torch_nonzero, torch_where
