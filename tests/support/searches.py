"""What a reader may type into a search, and the exhibits one of which it has to find."""


def _by_phrase(table):
    """Return the names that each phrase may find, of a table of phrases by names."""
    return {
        phrase: names.split(" | ")
        for names, phrases in table.items()
        for phrase in phrases.split(" | ")
    }


_FROM_DOCUMENTS = _by_phrase(
    {
        "000-wider": "emb_size",
        "000-frequencies": "denom_base",
        "000-rows-10000 | 000-windows": "seq_len",
        "000-windows": "start_pos",
        "000-heatmap | Heatmap: Colours coolwarm_r": "coolwarm_r",
        "000-clocks": "unit circle | clock-wise | minute and hour hands",
        "004-extrapolate": "trainable embedding | extrapolate",
        "000-slowest": "22,500",
        "000-formula": "vector norm",
        "001-module": "max_len",
        "001-float32": "div_term | log space",
        "001-wavelength": "kappa | period",
        "001-sine-table": "unsqueeze | simple_pe",
        "002-sentences": "bag of words",
        "002-umap": "umap",
        "002-sum-or-concat": "concatenating",
        "002-rotary": "RoFormer",
        "002-wishes | 002-fraction": "invariant to sequence length",
        "002-wishes": "deterministic",
        "002-matrix": "distance matrix",
        "002-from-1": "scatter plot | monotonically",
        "002-two-lines": "vertical lines",
        "001-order": "attention matrix",
        "003-rates": "angle rates | semilogy | min_rate",
        "003-angles": "raw angles | hsv",
        "003-transition": "transition matrix",
        "003-error": "numerical precision",
        "004-width-4": "word2vec",
        "004-range": "0.33",
        "004-not-linear": "linearly scaling",
    }
)
"""Words of the documents themselves: they were chosen before the terms of exhibits were written."""

OF_READERS = {
    "000-heatmap | 004-heatmap": "heat map",
    "paper-base | paper-big": "Attention Is All You Need",
    "000-frequencies | 003-rates": "geometric progression",
    "000-wider": "smoother",
    "000-rows-10000": "exception from matplotlib",
    "000-why-10000": "why 10000",
    "000-turn": "linear translation",
    "000-clocks": "clock hands | dark purple",
    "000-why-10000 | 000-slowest": "minimal frequency",
    "000-rows-5000 | 001-module": "5,000",
    "001-module": "register_buffer | dropout",
    "001-sine-table | 001-wavelength": "scaling factor",
    "001-order | 002-sentences": "word order",
    "002-sentences": "only she told him",
    "002-printed | Metric cosine distance": "cosine distance",
    "002-index | 003-angles": "unbounded",
    "002-fraction": "fractional position",
    "002-two-waves | 002-low-heights | 002-table": "low frequency",
    "002-high-heights": "steeper gradient",
    "002-low-heights | 002-high-heights": "horizontal lines",
    "002-printed": "0.4323",
    "002-sine-only | 001-sine-table": "sine alone",
    "002-umap | 002-pca": "dimensionality reduction",
    "002-learned | 004-learned | Learned": "learned embeddings",
    "003-rates": "rads/step",
    "003-table | Heatmap: Colours RdBu": "RdBu",
    "003-sse | Metric sum of squared errors": "SSE",
    "003-dot | Metric dot product": "dot product",
    "003-transition | 003-shifted": "10 steps back",
    "003-angles": "discontinuous | degrees",
    "002-two-lines | 003-dot": "nearby positions",
    "004-heatmap | Heatmap: Colours viridis": "viridis",
    "004-width-4": "I should sleep",
    "004-rotation | 004-blocks": "rotation matrix",
    "004-rotation": "pos+k",
    "004-extrapolate": "longer than training",
    "004-index": "large values",
    "Open": "config.json | hugging face",
    "Open | Learned": "safetensors",
    "x-yarn | Qwen2.5 7B with YaRN": "yarn",
    "RoPE | x-two-clocks": "rope_theta",
    "RoPE": "head_dim",
    "x-four-ways | x-yarn | x-past-training": "rope_scaling",
    "Context | x-past-training": (
        "max_position_embeddings | context length | trained length | long context"
    ),
    "x-two-clocks": "sliding window | local layers",
    "Llama 2 7B | Llama 3 8B | Llama 3.1 8B": "llama",
    "Llama 3.1 8B": "llama 3.1",
    "Qwen2.5 7B": "qwen",
    "DeepSeek-V3": "deepseek",
    "Learned": "gpt2",
    "x-four-ways | x-past-training | Phi-3-mini 128k": "128k",
    "x-four-ways | Context: Table types": "ntk",
    "x-four-ways": "position interpolation",
    "x-past-training | x-yarn": "garbage",
    "x-fourteen | x-past-training": "new angles",
    "x-yarn | Compare": "attention factor",
    "x-yarn": "mscale",
    "Compare: Curve error | Compare": "phase error",
    "x-two-layouts": "rotate_half | permute weights",
    "x-two-layouts | Layout": "interleaved",
    "x-float32": "bf16",
    "001-float32 | Heatmap: Show error": "float32 error",
    "001-order | Tokens: Part attention": "attention scores",
    "ALiBi": "heads | slopes",
    "Compare": "compare",
    "Export figure": (
        "figure | svg | pdf | vector graphics | latex | journal | font size | legend | "
        "title | axis limits"
    ),
    "Export picture | Export figure": "png | dpi | high resolution",
    "Export figure | Heatmap: Colours soft": "colour bar",
    "Heatmap: Colours soft": "colour map | colormap",
    "Heatmap: Colours viridis | Heatmap: Colours cividis": "colour blind",
    "Heatmap: Colours grey": "grayscale",
    "Frequencies: Axis logarithmic": "log scale",
    "Heatmap: Upward on": "flip",
    "002-histogram | Distances: Part histogram": "histogram",
    "002-from-1 | Projection": "scatter",
    "000-turn | Play or pause": "animation",
    "Copy picture | Export picture": "screenshot",
    "Copy picture": "clipboard",
    "Copy as figure code": "matplotlib",
    "Copy as code | Copy as figure code": "python",
    "Copy as figure code | Copy as command": "script",
    "Copy as command": "command line",
    "Export data": "csv",
    "Copy as code | Export data": "numpy",
    "Save": "save session",
    "Dark theme": "dark mode",
    "Keys and mouse": "shortcuts",
    "About PE Explorer": "cite",
}
"""What learners with a document at hand, engineers with a model, and authors of figures type."""

SEARCHES = _FROM_DOCUMENTS | _by_phrase(OF_READERS)
"""All phrases, each with exhibits and names of entries: one of them has to be among the first."""
