"""The needs of views and quantities.

A need is a function of an encoding that returns an empty text where it is met, or the sentence
that says why it is not. It looks at the value, not at its class: sines alone have waves, but
no pairs.
"""

from collections.abc import Callable

from pe_explorer.encodings.abilities.base import Encoding
from pe_explorer.encodings.abilities.bias import Bias
from pe_explorer.encodings.abilities.rotary import Rotary
from pe_explorer.encodings.abilities.waves import Float32Angles, Steady, Waves

Need = Callable[[Encoding], str]


def nothing(e: Encoding) -> str:  # noqa: ARG001 - one of the needs
    """Return an empty text: every encoding meets this need."""
    return ""


def waves(e: Encoding) -> str:
    """Need sines or cosines, which have an angle in every row."""
    if isinstance(e, Waves) and bool((e.wave_of >= 0).any()):
        return ""
    return f"{e.display_name()} is not made of waves, so it has no angles and no frequencies"


def steady(e: Encoding) -> str:
    """Need angles that are a frequency times the row, which have wavelengths and shifts."""
    if isinstance(e, Steady) or waves(e):
        return waves(e)
    turned = (
        f"{e.display_name()} does not turn by the same angle from each {e.rows.name} to the next"
    )
    return f"{turned}, so it has no frequencies"


def pairs(e: Encoding) -> str:
    """Need sines with their cosines, which are points on a circle that turn steadily."""
    if not isinstance(e, Waves):
        return f"{e.display_name()} is not made of waves, so it has no clocks"
    if e.pairs:
        return steady(e)
    if e.width == 1:
        problem = f"{e.display_name()} of width 1 has no pair of sine and cosine"
        return f"{problem}; width 2 has the first clock"
    alone, other = "cosine", "sine"
    if e.sines[0]:
        alone, other = other, alone
    problem = f"every {e.columns.name} of {e.display_name()} is a {alone} here"
    remedy = f"a clock also needs the {other} of the same angle: set Waves to both"
    return f"{problem}, and {remedy}"


def score_bound(e: Encoding) -> str:
    """Need sines with their cosines, whose scores have an upper bound by their offset."""
    if isinstance(e, Waves) and e.pairs:
        return steady(e)
    return f"{e.display_name()} has no pairs of sine and cosine, which the upper bound of the score needs"


def float32_angles(e: Encoding) -> str:
    """Need usual code that computes sines and cosines in float32."""
    if waves(e):
        problem = f"{e.display_name()} is not made of waves"
        return f"{problem}, so there is no float32 code of angles and sines to compare it with"
    if isinstance(e, Float32Angles):
        return ""
    return f"no usual float32 code of {e.display_name()} is known here"


def rotary(e: Encoding) -> str:
    """Need rotated queries and keys."""
    if isinstance(e, Rotary):
        return ""
    return f"{e.display_name()} does not rotate queries and keys: only rotary encodings do"


def score(e: Encoding) -> str:
    """Need rotated queries and keys, whose product depends on their offset only."""
    return rotary(e) or steady(e)


def bias(e: Encoding) -> str:
    """Need numbers that are added to attention scores."""
    if isinstance(e, Bias):
        return ""
    return f"{e.display_name()} adds nothing to attention scores: only biases do"
