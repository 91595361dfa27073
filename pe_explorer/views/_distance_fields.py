"""What is typed above the distances: the reference, and two positions whose distance is told."""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError
from dataclasses import replace

from pe_explorer.analysis import distance
from pe_explorer.encodings import Axis, Encoding, EncodingError
from pe_explorer.model import Exploration
from pe_explorer.params import Parameter, declared

__all__ = ["between", "neighbours", "parameters"]


def parameters(rows: Axis, domain: range) -> tuple[Parameter, Parameter, Parameter]:
    """Return the declarations of the three, called as the rows are, for those that there are."""
    kinds, name = declared(Exploration), rows.name
    line = f"The {name} that the curve measures from, the dashed line; double-click sets it, too."
    told = f"one of the two {rows.plural} whose distance is told."
    of_curve = replace(kinds["reference"], unit=name, help=line)
    one = replace(kinds["position"], unit=name, label=f"First {name}", help=f"The first, {told}")
    two = replace(one, label=f"Second {name}", symbol="q", help=f"The second, {told}")
    return _within(of_curve, domain), _within(one, domain), _within(two, domain)


def neighbours(shown: range) -> tuple[int, int]:
    """Return two rows side by side of those shown, from 0 on where that is one of them."""
    one = 0 if 0 in shown else shown[0]
    return one, one - 1 if one == shown[-1] != shown[0] else one + 1


def between(e: Encoding, p: int, q: int, metric: str, cancelled: threading.Event) -> float | str:
    """Return the distance of two positions, or the sentence that says why there is none."""
    if cancelled.is_set():
        raise CancelledError
    try:
        return distance.between(e, p, q, metric)
    except EncodingError as error:  # no row there, or its file is gone
        return error.sentence


def _within(kind: Parameter, domain: range) -> Parameter:
    """Return a kind of number that takes those of a domain."""
    low, high = domain[0], domain[-1]
    default = min(max(kind.default, low), high)
    return replace(kind, default=default, low=low, high=high)  # type: ignore[call-arg]
