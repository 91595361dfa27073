"""The frequencies and attention factors of rotary types, written anew in mpmath.

Formulas from the papers and from each library's own words for its parameters; nothing of the
program is used.
"""

from mpmath import floor, ln, mp, mpf, pi, sqrt

mp.dps = 40


def frequencies(p):
    """Return the frequency of each pair, for the parameters of one encoding, as a list."""
    width = int(p["head_dim"] * p["partial_rotary_factor"])
    if p["rope_type"] == "proportional":
        return proportional(p)
    plain = [powers(p["rope_theta"], pair, width) for pair in range(width // 2)]
    return CHANGED[p["rope_type"]](plain, p, width)


def powers(base, pair, width):
    return mpf(base) ** (-mpf(2 * pair) / width)


def unchanged(plain, p, width):
    return plain


def linear(plain, p, width):
    return [one / mpf(p["factor"]) for one in plain]


def of_base(base, width):
    return [powers(base, pair, width) for pair in range(width // 2)]


def static(plain, p, width):
    return of_base(p["rope_theta"] * mpf(p["factor"]) ** (mpf(width) / (width - 2)), width)


def dynamic(plain, p, width):
    trained = p["original_max_position_embeddings"]
    length = max(p["sequence_length"] or 0, trained)
    factor = mpf(p["factor"])
    stretched = factor * length / trained - (factor - 1)
    return of_base(p["rope_theta"] * stretched ** (mpf(width) / (width - 2)), width)


def yarn(plain, p, width):
    def place(turns):
        trained = p["original_max_position_embeddings"]
        return width * ln(trained / (2 * pi * mpf(turns))) / (2 * ln(mpf(p["rope_theta"])))

    low, high = place(p["beta_fast"]), place(p["beta_slow"])
    if p["truncate"]:
        low, high = floor(low), -floor(-high)
    low, high = max(low, 0), min(high, width - 1)
    if low == high:
        high += mpf("0.001")
    mixed = []
    for pair, one in enumerate(plain):
        ramp = min(max((pair - low) / (high - low), 0), 1)
        mixed.append(one / mpf(p["factor"]) * ramp + one * (1 - ramp))
    return mixed


def longrope(plain, p, width):
    length = p["sequence_length"]
    is_long = length is not None and length > p["original_max_position_embeddings"]
    factors = p["long_factor" if is_long else "short_factor"]
    return [one / mpf(factor) for one, factor in zip(plain, factors, strict=True)]


def llama3(plain, p, width):
    names = ("original_max_position_embeddings", "low_freq_factor", "high_freq_factor")
    trained, low, high = (mpf(p[name]) for name in names)
    changed = []
    for one in plain:
        turns = trained * one / (2 * pi)
        scaled = one / mpf(p["factor"])
        if turns < low:
            changed.append(scaled)
        elif turns > high:
            changed.append(one)
        else:
            smooth = (turns - low) / (high - low)
            changed.append((1 - smooth) * scaled + smooth * one)
    return changed


def proportional(p):
    width = p["head_dim"]
    turning = int(p["partial_rotary_factor"] * width // 2)
    plain = [powers(p["rope_theta"], pair, width) for pair in range(turning)]
    return [one / mpf(p["factor"]) for one in plain] + [mpf(0)] * (width // 2 - turning)


CHANGED = {
    "default": unchanged,
    "linear": linear,
    "ntk": static,
    "dynamic": dynamic,
    "yarn": yarn,
    "longrope": longrope,
    "llama3": llama3,
}


def attention(p):
    """Return the attention factor in use."""
    given = p.get("attention")
    if given is not None:
        return mpf(given)
    factor = mpf(p.get("factor") or 1)
    if factor <= 1 or p["rope_type"] not in ("yarn", "longrope"):
        return mpf(1)
    if p["rope_type"] == "yarn":
        return ln(factor) / 10 + 1
    return sqrt(1 + ln(factor) / ln(mpf(p["original_max_position_embeddings"])))


def concentration(factor, scale):
    """Return g(factor, scale) of DeepSeek's YaRN."""
    return mpf(1) if factor <= 1 else scale * ln(mpf(factor)) / 10 + 1


def turning(head_dim, base, rope_type="default", **more):
    """Return the frequencies of a head that turns whole, as floats."""
    fixed = {"head_dim": head_dim, "rope_theta": base, "partial_rotary_factor": 1.0}
    return [float(each) for each in frequencies({**fixed, "rope_type": rope_type, **more})]


def scaled_by_yarn(head_dim, base, factor, trained):
    """Return the frequencies of YaRN with its usual ramp, whose ends are rounded."""
    ramp = {"beta_fast": 32, "beta_slow": 1, "truncate": True}
    lengths = {"factor": factor, "original_max_position_embeddings": trained}
    return turning(head_dim, base, "yarn", **lengths, **ramp)
