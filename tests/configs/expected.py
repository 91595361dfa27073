"""The meaning of each configuration in `files/`, with numbers from papers and model cards."""

from math import log

from tests.configs.support import fields_of

FULL, SLIDING, CHUNKED = "full_attention", "sliding_attention", "chunked_attention"
LENGTH = "original_max_position_embeddings"


def rope(head_dim, base, part=1.0, layout="half", rope_type="default", **scaling):
    return "rope", {
        "head_dim": head_dim,
        "rope_theta": float(base),
        "partial_rotary_factor": part,
        "layout": layout,
        "rope_type": rope_type,
        **scaling,
    }


def interleaved(head_dim, base, part=1.0, **scaling):
    return rope(head_dim, base, part, "interleaved", **scaling)


def yarn(factor, trained, fast=32.0, slow=1.0, truncate=True, attention=None):
    return {
        "rope_type": "yarn",
        "factor": float(factor),
        LENGTH: trained,
        "beta_fast": fast,
        "beta_slow": slow,
        "truncate": truncate,
        "attention": attention,
    }


def llama3(factor, trained=8192, low=1.0, high=4.0):
    return {
        "rope_type": "llama3",
        "factor": float(factor),
        LENGTH: trained,
        "low_freq_factor": low,
        "high_freq_factor": high,
    }


def longrope(name, factor, trained, attention=None):
    """Return parameters with the long lists of a file."""
    lists = fields_of(name)["rope_scaling"]
    return {
        "rope_type": "longrope",
        "factor": float(factor),
        LENGTH: trained,
        "sequence_length": None,
        "short_factor": tuple(lists["short_factor"]),
        "long_factor": tuple(lists["long_factor"]),
        "attention": attention,
    }


def alibi(heads):
    return "alibi", {"heads": heads, "symmetric": False}


def learned(row_offset=0):
    return "learned", {"row_offset": row_offset}


def waves(dim, spacing):
    return "sinusoidal", {"dim": dim, "spacing": spacing, "layout": "concatenated"}


OLMO3 = 0.1 * log(8) + 1  # the exact attention factor in its file

SCHEMES = {}


def add(names, full=None, sliding=None, chunked=None, **others):
    """Register the schemes of models by layer type."""
    actual = {FULL: full, SLIDING: sliding, CHUNKED: chunked, **others}
    scheme = {layer: item for layer, item in actual.items() if item}
    SCHEMES.update(dict.fromkeys(names.split(), scheme))


add("llama-2-7b llava-1.5-7b olmo-7b granite-3.0-8b baichuan2-7b", full=rope(128, 1e4))
add("codellama-7b mistral-nemo-12b mixtral-8x7b qwen2.5-7b qwen1.5-moe-a2.7b", full=rope(128, 1e6))
add("qwen3-8b qwen3-30b-a3b qwen2-vl-7b qwen2.5-vl-7b", full=rope(128, 1e6))
add("llama-3-8b llama-3.2-11b-vision olmo-2-7b", full=rope(128, 5e5))
add("llama-3.1-8b", full=rope(128, 5e5, **llama3(8)))
add("llama-3.2-1b", full=rope(64, 5e5, **llama3(32)))
add("vicuna-7b-16k", full=rope(128, 1e4, rope_type="linear", factor=4.0))
add(
    "llama-dynamic",
    full=rope(128, 1e4, rope_type="dynamic", factor=2.0, sequence_length=None, **{LENGTH: 4096}),
)
add("yarn-llama-2-7b-128k", full=rope(128, 1e4, **yarn(32, 4096)))
add("mistral-7b-v0.1", sliding=rope(128, 1e4))
add("qwen2.5-7b-yarn", full=rope(128, 1e6, **yarn(4, 32768)))
add("starcoder2-7b", sliding=rope(128, 1e6))
add("gemma-7b", full=rope(256, 1e4))
add("gemma-2-9b", full=rope(256, 1e4), sliding=rope(256, 1e4))
add("gemma-3-1b gemma-3n-e4b", full=rope(256, 1e6), sliding=rope(256, 1e4))
add("gemma-3-4b", full=rope(256, 1e6, rope_type="linear", factor=8.0), sliding=rope(256, 1e4))
add(
    "gemma-4-e2b",
    full=rope(512, 1e6, 0.25, rope_type="proportional", factor=1.0),
    sliding=rope(256, 1e4),
)
add("llama-4-scout", chunked=interleaved(128, 5e5, **llama3(16, high=1.0000000000000002)))
add("llama-4-maverick", chunked=interleaved(128, 5e5))
add("smollm3-3b qwen3-vl-4b", full=rope(128, 5e6))
add("command-r", full=interleaved(128, 8e6))
add("command-r7b", sliding=interleaved(128, 5e4))
add("exaone-4-32b", sliding=rope(128, 1e6, **llama3(16)))
add("exaone-4-1.2b", full=rope(64, 1e6, **llama3(16)))
add("deepseek-v2-lite deepseek-v3", full=interleaved(64, 1e4, **yarn(40, 4096, attention=1.0)))
add("kimi-k2", full=interleaved(64, 5e4, **yarn(32, 4096, fast=1.0, attention=1.0)))
add("phi-3-mini-4k", sliding=rope(96, 1e4))
add("phi-3-mini-128k", sliding=rope(96, 1e4, **longrope("phi-3-mini-128k", 32, 4096)))
add("phi-3.5-mini", sliding=rope(96, 1e4, **longrope("phi-3.5-mini", 32, 4096)))
add("phi-4-mini", sliding=rope(128, 1e4, 0.75, **longrope("phi-4-mini", 32, 4096)))
add("phi-3.5-moe", sliding=rope(128, 1e4, **longrope("phi-3.5-moe", 32, 4096, 1.243163121016122)))
add(
    "gpt-oss-20b",
    full=rope(64, 150000, **yarn(32, 4096, truncate=False)),
    sliding=rope(64, 150000, **yarn(32, 4096, truncate=False)),
)
add("olmo-3-7b", full=rope(128, 5e5, **yarn(8, 8192, attention=OLMO3)), sliding=rope(128, 5e5))
add("hunyuan-7b", full=rope(128, 1e4, rope_type="ntk", factor=1000.0))
add("modernbert-base", full=rope(64, 160000), sliding=rope(64, 1e4))
add("gpt-neox-20b", full=rope(96, 1e4, 0.25))
add("pythia-1b", full=rope(256, 1e4, 0.25))
add("stablelm-3b", full=rope(80, 1e4, 0.25))
add("phi-2", full=rope(80, 1e4, 0.4))
add("phi-1.5-bare", full=rope(64, 1e4, 0.5))
add("glm-4-9b-chat-hf glm-4-9b-chat", full=interleaved(128, 5e6, 0.5))
add("glm-4-9b-0414 chatglm3-6b", full=interleaved(128, 1e4, 0.5))
add("glm-4.5-air", full=rope(128, 1e6, 0.5))
add("gpt-j-6b", full=interleaved(256, 1e4, 0.25))
add("codegen-2b", full=interleaved(80, 1e4, 0.8))
add("minitron-8b", full=rope(128, 1e4, 0.5))
add("persimmon-8b", full=rope(64, 25000, 0.5))
add("qwen3-next-80b", full=rope(256, 1e7, 0.25))
add("minimax-m2", full=rope(128, 5e6, 0.5))
add("ernie-4.5-0.3b", full=interleaved(128, 5e5))
add("bloom-7b1 mpt-7b falcon-rw-1b", full=alibi(32))
add("falcon-7b", full=rope(64, 1e4))
add("baichuan2-13b jais-13b", full=alibi(40))
add("gpt2 bert-base vit-base clip-vit-base", full=learned())
add("roberta-base opt-125m", full=learned(2))
add("whisper-tiny", encoder=waves(384, "endpoint"), decoder=learned())
add("opus-mt-en-de", encoder=waves(512, "paper"), decoder=waves(512, "paper"))
add("t5-small deberta-v3-base")
add("internvl2-8b", full=rope(64, 1e6))
add("deepseek-vl2-tiny", full=interleaved(64, 1e4))
SCHEMES["gpt-oss-bare"] = SCHEMES["gpt-oss-20b"]

LENGTHS = {
    name: lengths
    for lengths, names in {
        (2048, 2048): "gpt-j-6b bloom-7b1",
        (1024, 1024): "gpt2",
        (4096, 4096): "llama-2-7b phi-3-mini-4k",
        (8192, 8192): "llama-3-8b",
        (8192, 65536): "olmo-3-7b",
        (8192, 131072): "llama-3.1-8b",
        (8192, 262144): "llama-3.2-1b",
        (32768, 32768): "qwen2.5-7b hunyuan-7b",
        (32768, 131072): "qwen2.5-7b-yarn",
        (4096, 163840): "deepseek-v3",
        (4096, 131072): "phi-3-mini-128k phi-3.5-mini phi-4-mini gpt-oss-20b",
        (131072, 131072): "gemma-3-4b glm-4-9b-chat",
        (None, None): "vit-base",
    }.items()
    for name in names.split()
}
"""Training lengths and stated lengths."""

WITHOUT = {
    "llama-4-scout": range(3, 48, 4),
    "llama-4-maverick": range(3, 48, 4),
    "smollm3-3b": range(3, 36, 4),
    "command-r7b": range(3, 32, 4),
    "exaone-4-32b": range(3, 64, 4),
    "qwen3-next-80b": [index for index in range(48) if index % 4 != 3],
}
"""The layers without positions, for models that have them."""

FULL_LAYERS = {
    "gemma-2-9b": range(1, 42, 2),
    "gemma-3-1b": range(5, 26, 6),
    "gemma-3-4b": range(5, 34, 6),
    "gemma-3n-e4b": range(4, 35, 5),
    "gemma-4-e2b": [5, 11, 17, 23, 29, 34],
    "gpt-oss-bare": range(1, 24, 2),
    "olmo-3-7b": range(3, 32, 4),
    "modernbert-base": range(0, 22, 3),
}
WINDOWS = dict.fromkeys(["gemma-3-1b", "gemma-3n-e4b", "gemma-4-e2b"], 512)
WINDOWS |= dict.fromkeys(["mistral-7b-v0.1", "starcoder2-7b", "gemma-2-9b"], 4096)
WINDOWS |= dict.fromkeys(["olmo-3-7b", "command-r7b", "exaone-4-32b"], 4096)
WINDOWS |= {"gemma-3-4b": 1024, "gpt-oss-20b": 128, "phi-3-mini-4k": 2047, "modernbert-base": 64}
SOFTMAX = {"deepseek-v3": 1.8739, "deepseek-v2-lite": 1.5896, "kimi-k2": 1.8133}
