"""Requirements of views and quantities.

A requirement is a function that returns an empty string if an encoding meets it, and
otherwise the reason why not. It examines the values of the encoding and not only the
class, because a sinusoidal encoding that has only sines has waves but no pairs.
"""

from collections.abc import Callable

from pe_explorer.encodings.abilities.base import Encoding
from pe_explorer.encodings.abilities.bias import Bias
from pe_explorer.encodings.abilities.rotary import Rotary
from pe_explorer.encodings.abilities.waves import CodeAngles, Steady, Waves

Requirement = Callable[[Encoding], str]


def require_nothing(e: Encoding) -> str:  # noqa: ARG001 - has the signature of `Requirement`
    """Require nothing."""
    return ""


def waves(e: Encoding) -> str:
    """Require columns of sines or cosines, which have an angle in every row."""
    if isinstance(e, Waves) and bool((e.wave_indices >= 0).any()):
        return ""
    return f"{e.format_name()} has no sines or cosines, so it has no angles and no frequencies"


def steady(e: Encoding) -> str:
    """Require angles that grow linearly with the row, so that wavelengths and shifts exist."""
    if isinstance(e, Steady) or waves(e):
        return waves(e)
    cause = f"does not rotate by the same angle from each {e.rows.name} to the next"
    return f"{e.format_name()} {cause}, so it has no frequencies"


def pairs(e: Encoding) -> str:
    """Require sine-cosine pairs, which are points that rotate steadily on a circle."""
    if not isinstance(e, Waves):
        return f"{e.format_name()} has no sines or cosines, so it has no clocks"
    if e.pairs:
        return steady(e)
    if e.width == 1:
        return f"{e.format_name()} of width 1 has no sine–cosine pair. Choose width 2 or more"
    present_function, missing_function = "cosine", "sine"
    if e.sines[0]:
        present_function, missing_function = missing_function, present_function
    problem = f"every {e.columns.name} of {e.format_name()} is a {present_function}"
    return f'{problem}, but a clock also requires the {missing_function}; set Waves to "both"'


def score_bound(e: Encoding) -> str:
    """Require sine-cosine pairs, for which the score has an upper bound."""
    if isinstance(e, Waves) and e.pairs:
        return steady(e)
    cause = "which the upper bound of the score requires"
    return f"{e.format_name()} has no sine–cosine pairs, {cause}"


def code_angles(e: Encoding) -> str:
    """Require a scheme for which typical float32 code is known."""
    if waves(e):
        return f"{e.format_name()} has no sines or cosines, so it has no float32 angles"
    if isinstance(e, CodeAngles):
        return ""
    return f"no usual float32 code is known for {e.format_name()}"


def rotary(e: Encoding) -> str:
    """Require rotated queries and keys."""
    if isinstance(e, Rotary):
        return ""
    return f"{e.format_name()} does not rotate queries and keys; only rotary encodings do"


def score(e: Encoding) -> str:
    """Require rotated queries and keys whose product depends only on their offset."""
    return rotary(e) or steady(e)


def bias(e: Encoding) -> str:
    """Require an encoding that is added to attention scores."""
    if isinstance(e, Bias):
        return ""
    return f"{e.format_name()} is not added to attention scores; only biases are"
