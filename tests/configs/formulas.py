"""Frequencies of configurations, from the definitions in the tests of rotary encodings."""

from mpmath import mp, mpf

from pe_explorer import encodings
from tests.support.oracles import definition, of_scheme

mp.dps = 40
of_scheme("rope")  # load it first: hypothesis must not import other tests while it runs


def defined(parameters):
    return definition(encodings.create("rope", **parameters))


def frequencies(parameters):
    """Return the frequency of each pair, for the parameters of one encoding, as a list."""
    return [mpf(frequency) for frequency in defined(parameters).frequencies()]


def attention(parameters):
    return mpf(defined(parameters).amplitude)


def turning(head_dim, base, rope_type="default", **more):
    """Return the frequencies of a head whose channels all rotate, as floats."""
    fixed = {"head_dim": head_dim, "rope_theta": base, "rope_type": rope_type}
    return [float(frequency) for frequency in frequencies({**fixed, **more})]


def scaled_by_yarn(head_dim, base, factor, trained):
    """Return the frequencies of YaRN with its usual ramp, whose ends are rounded."""
    ramp = {"beta_fast": 32, "beta_slow": 1, "truncate": True}
    lengths = {"factor": factor, "original_max_position_embeddings": trained}
    return turning(head_dim, base, "yarn", **lengths, **ramp)
