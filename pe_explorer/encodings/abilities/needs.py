"""What a view or a quantity needs of an encoding: an empty text, or the sentence that says why not.

Each need is a function of the value, not of its class: sines alone have waves but no pairs.
"""

from __future__ import annotations

from collections.abc import Callable

from pe_explorer.encodings.abilities.base import Encoding
from pe_explorer.encodings.abilities.bias import Bias
from pe_explorer.encodings.abilities.rotary import Rotary
from pe_explorer.encodings.abilities.waves import Waves

__all__ = ["Need", "bias", "nothing", "pairs", "rotary", "waves"]

Need = Callable[[Encoding], str]


def nothing(e: Encoding) -> str:  # noqa: ARG001 - one of the needs
    """Every encoding will do."""
    return ""


def waves(e: Encoding) -> str:
    """Sines or cosines, which have angles, frequencies and wavelengths."""
    if isinstance(e, Waves) and len(e.turns):
        return ""
    return f"{e.called()} is not made of waves, so it has no angles and no frequencies"


def pairs(e: Encoding) -> str:
    """Sines with their cosines, which are points on a circle."""
    if isinstance(e, Waves) and e.pairs:
        return ""
    if not isinstance(e, Waves):
        return f"{e.called()} is not made of waves, so it has no clocks"
    if e.width == 1:
        return (
            f"{e.called()} of width 1 has no pair of sine and cosine; width 2 makes the first clock"
        )
    alone, other = ("sine", "cosine") if e.sines[e.wave_of >= 0].any() else ("cosine", "sine")
    lacking = f"a point on a clock needs the {other} of the same angle, too"
    return (
        f"every {e.columns.name} of {e.called()} is a {alone} here, and {lacking}: choose both "
        "waves"
    )


def rotary(e: Encoding) -> str:
    """Queries and keys that are turned."""
    if isinstance(e, Rotary):
        return ""
    return f"{e.called()} does not turn queries and keys: that is what rotary encodings do"


def bias(e: Encoding) -> str:
    """Numbers that are added to attention scores."""
    if isinstance(e, Bias):
        return ""
    return f"{e.called()} adds nothing to attention scores: that is what biases do"
