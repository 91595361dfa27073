"""Sinusoidal encodings: one by its parameters, any as a hypothesis strategy."""

from hypothesis import strategies as st

from pe_explorer import encodings
from pe_explorer.params import declared

CHOICES = {
    name: tuple(declared(encodings.find("sinusoidal"))[name].choices)
    for name in ("layout", "spacing", "order", "waves")
}


def sinusoidal(**parameters):
    return encodings.create("sinusoidal", **parameters)


def encodings_of_width(low, high):
    """Any sinusoidal encoding, as a hypothesis strategy."""
    return st.builds(
        sinusoidal,
        dim=st.integers(low, high),
        base=st.floats(1.0, 1e12, exclude_min=True),
        scale=st.floats(-1e6, 1e6),
        offset=st.integers(-(2**53), 2**53),
        **{name: st.sampled_from(choices) for name, choices in CHOICES.items()},
    )
