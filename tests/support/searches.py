"""What a reader may type into a search, and the exhibits one of which it has to find."""

FROM_DOCUMENTS = {
    # of 000
    "emb_size": ("000-wider",),
    "denom_base": ("000-frequencies",),
    "seq_len": ("000-rows-10000", "000-windows"),
    "start_pos": ("000-windows",),
    "coolwarm_r": ("000-heatmap",),
    "unit circle": ("000-clocks",),
    "clock-wise": ("000-clocks",),
    "trainable embedding": ("004-extrapolate",),
    "22,500": ("000-slowest",),
    "vector norm": ("000-formula",),
    "minute and hour hands": ("000-clocks",),
    # of 001
    "max_len": ("001-module",),
    "div_term": ("001-float32",),
    "log space": ("001-float32",),
    "kappa": ("001-wavelength",),
    "period": ("001-wavelength",),
    "unsqueeze": ("001-sine-table",),
    "simple_pe": ("001-sine-table",),
    # of 002
    "bag of words": ("002-sentences",),
    "umap": ("002-umap",),
    "concatenating": ("002-sum-or-concat",),
    "RoFormer": ("002-rotary",),
    "invariant to sequence length": ("002-wishes", "002-fraction"),
    "deterministic": ("002-wishes",),
    "distance matrix": ("002-matrix",),
    "scatter plot": ("002-from-1",),
    "monotonically": ("002-from-1",),
    "vertical lines": ("002-two-lines",),
    "attention matrix": ("001-order",),
    # of 003
    "angle rates": ("003-rates",),
    "semilogy": ("003-rates",),
    "raw angles": ("003-angles",),
    "hsv": ("003-angles",),
    "transition matrix": ("003-transition",),
    "numerical precision": ("003-error",),
    "min_rate": ("003-rates",),
    # of 004
    "word2vec": ("004-width-4",),
    "extrapolate": ("004-extrapolate",),
    "0.33": ("004-range",),
    "linearly scaling": ("004-not-linear",),
}
"""Words of the documents themselves: they were chosen before the terms of exhibits were written."""
